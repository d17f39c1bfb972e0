// Workgroups become warps: takes a group when a slot and a warp are free, sends the local ids of its threads, starts its warps as warps become free.
// Page: docs/blocks/launch.md (step numbers are the page's).
`include "vl_assert.svh"
module launch
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import core_pkg::*;
  import perf_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    // control
    input  kernel_t    kernel_i,
    input  logic       kernel_start_i,
    input  logic       halt_i,
    // from the dispatcher
    input  logic       group_valid_i,
    input  group_t     group_i,
    output logic       group_ready_o,
    output logic       group_done_o,
    // from simt
    input  logic       warp_done_valid_i,
    input  warp_t      warp_done_i,
    // to simt, regfile, lsu, barrier
    output logic       start_valid_o,
    output start_t     start_o,
    output logic       lids_valid_o,
    output lids_t      lids_o,
    output logic       idle_o,
    output ev_launch_t ev_o
);
  localparam int unsigned CNT_W = $clog2(LANES + 1);
  localparam int unsigned LANE_W = idx_w(LANES);
  typedef logic [WARP_W:0] count_t;
  typedef logic [SPAD_W:0] spad_t;

  // ---- the kernel
  pc_t entry_q;
  lid_t size_q;              // z unused
  count_t group_warps_q;
  thread_mask_t last_mask_q;
  logic [SLOT_W:0] slots_q;
  spad_t spad_bytes_q;

  // ---- step 2: digits of the first threads, and of the distance from beat to beat
  logic setup_q;
  logic [CNT_W-1:0] cnt_q;
  lid_t digit_q, digit_next, step_q;
  lid_t [LANES-1:0] first_q;
  lid_step u_count (.id_i(digit_q), .step_i({LID_W'(0), LID_W'(0), LID_W'(1)}), .size_x_i(size_q[0]), .size_y_i(size_q[1]), .id_o(digit_next));

  // ---- resources
  warp_mask_t free_q, free_first;
  count_t nfree_q;
  logic [GROUPS-1:0] busy_q, slot_ok, slot_first;
  count_t [GROUPS-1:0] left_q;
  slot_t [WARPS-1:0] wslot_q;
  warp_t warp_pick;
  slot_t slot_pick;
  spad_t base_pick;
  assign free_first = free_q & (~free_q + 1'b1);
  always_comb begin
    warp_pick = '0;
    for (int unsigned w = 0; w < WARPS; w++) if (free_first[w]) warp_pick |= WARP_W'(w);
    slot_pick = '0;
    base_pick = '0;
    for (int unsigned s = 0; s < GROUPS; s++) slot_ok[s] = !busy_q[s] && (SLOT_W+1)'(s) < slots_q;
    slot_first = slot_ok & (~slot_ok + 1'b1);
    for (int unsigned s = 0; s < GROUPS; s++) if (slot_first[s]) slot_pick |= SLOT_W'(s);
    for (int unsigned k = 0; k < SLOT_W; k++) base_pick += (spad_bytes_q << k) & {SPAD_W + 1{slot_pick[k]}};
  end

  // ---- the group being sent
  logic ready_q, send_q, have_q, done_q;   // have: a free warp has been found for the next threads of the group
  slot_t slot_q;
  spad_t base_q;
  group_t group_q;
  count_t idx_q;
  warp_t warp_q;
  beat_t beat_q;
  lid_t [LANES-1:0] id_q, id_next;
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    lid_step u_step (.id_i(id_q[l]), .step_i(step_q), .size_x_i(size_q[0]), .size_y_i(size_q[1]), .id_o(id_next[l]));
  end

  logic last_beat, last_warp, accept, sending, needs, pick, slot_ends;
  slot_t done_slot;
  count_t resident;
  assign last_beat = 32'(beat_q) == BEATS - 1;
  assign last_warp = idx_q + 1'b1 == group_warps_q;
  assign accept = group_valid_i && ready_q;
  assign sending = send_q && have_q && !halt_i;
  assign needs = accept || (send_q && !halt_i && (!have_q || (last_beat && !last_warp)));
  assign pick = needs && nfree_q != '0;
  assign resident = count_t'(WARPS) - nfree_q;
  assign done_slot = wslot_q[warp_done_i];
  assign slot_ends = warp_done_valid_i && left_q[done_slot] == count_t'(1);

  // ---- outputs
  assign group_ready_o = ready_q;
  assign group_done_o = done_q;
  assign idle_o = busy_q == '0;
  assign lids_valid_o = send_q && have_q;
  assign lids_o = '{warp: warp_q, beat: beat_q, lid: id_q};
  assign start_valid_o = send_q && have_q && last_beat;
  assign start_o = '{
      warp: warp_q, slot: slot_q, group_warps: group_warps_q, pc: entry_q, tmask: last_warp ? last_mask_q : '1,
      spad_base: base_q, grp: group_q.grp, gbase: group_q.gbase};

  always_ff @(posedge clk_i) begin
    if (rst_i || kernel_start_i) begin  // step 1
      entry_q <= rst_i ? '0 : kernel_i.entry_pc;
      size_q <= rst_i ? '0 : kernel_i.local_size;
      group_warps_q <= rst_i ? '0 : kernel_i.warps_per_group;
      last_mask_q <= rst_i ? '0 : kernel_i.last_mask;
      slots_q <= rst_i ? '0 : kernel_i.slots;
      spad_bytes_q <= rst_i ? '0 : kernel_i.spad_bytes;
      setup_q <= !rst_i;
      cnt_q <= '0;
      digit_q <= '0;
      free_q <= '1;
      nfree_q <= count_t'(WARPS);
      busy_q <= '0;
      left_q <= '0;
      ready_q <= 1'b0;
      send_q <= 1'b0;
      have_q <= 1'b0;
      done_q <= 1'b0;
      ev_o <= '0;
    end else begin
      if (setup_q) begin  // step 2
        cnt_q <= cnt_q + 1'b1;
        digit_q <= digit_next;
        if (32'(cnt_q) == LANES) begin
          step_q <= digit_q;
          setup_q <= 1'b0;
        end else first_q[LANE_W'(cnt_q)] <= digit_q;
      end
      ready_q <= !setup_q && !send_q && !accept && !halt_i && slot_ok != '0 && nfree_q != '0;  // step 3
      if (accept) begin  // step 4
        slot_q <= slot_pick;
        busy_q[slot_pick] <= 1'b1;
        left_q[slot_pick] <= group_warps_q;
        base_q <= base_pick;
        group_q <= group_i;
        idx_q <= '0;
        beat_q <= '0;
        id_q <= first_q;
        send_q <= !halt_i;
      end
      if (send_q) begin  // step 5
        if (halt_i) send_q <= 1'b0;
        else if (have_q) begin
          id_q <= id_next;
          beat_q <= last_beat ? '0 : beat_q + 1'b1;
          if (last_beat) begin
            if (last_warp) send_q <= 1'b0;
            else idx_q <= idx_q + 1'b1;
          end
        end
      end
      if (needs) have_q <= pick;
      if (pick) begin
        warp_q <= warp_pick;
        free_q[warp_pick] <= 1'b0;
        wslot_q[warp_pick] <= accept ? slot_pick : slot_q;
      end
      done_q <= slot_ends;
      if (warp_done_valid_i) begin  // step 6
        free_q[warp_done_i] <= 1'b1;
        left_q[done_slot] <= left_q[done_slot] - 1'b1;
        if (slot_ends) busy_q[done_slot] <= 1'b0;
      end
      nfree_q <= nfree_q - count_t'(pick) + count_t'(warp_done_valid_i);
      ev_o <= '{groups_started: accept, warps_started: sending && last_beat, warps_resident: 7'(resident)};  // step 7
    end
  end
  `VL_ASSERT(warp_to_pick, !accept || free_q != '0)
  `VL_ASSERT(free_counted, (nfree_q == '0) == (free_q == '0))
  `VL_ASSERT(done_of_busy, !warp_done_valid_i || !free_q[warp_done_i])
endmodule
