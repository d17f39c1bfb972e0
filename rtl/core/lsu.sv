// Load/store unit: gathers the beats of a warp's memory instruction, checks every address, has its pages translated, sends scratchpad threads beat by beat
// and global threads sector by sector; turns responses into result records. Page: docs/blocks/lsu.md. Here its parts are joined, and stand the counts
// of activity: credits, requests at the L1D, shootdowns, events.
// Latency (one beat): operands to a load request two cycles, to a store or atomic three; with translation one more to a load's that goes with its look-up,
// three to others; response to result one.
`include "vl_assert.svh"
module lsu
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // constants of core and kernel
    input  core_t     core_i,
    input  kernel_t   kernel_i,
    input  root_t     root_i,
    input  tlb_mode_e mode_i,
    input  logic      halt_i,
    // from launch
    input  logic      start_valid_i,
    input  start_t    start_i,
    // from regfile, credits to issue
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    output logic      credit_o,
    // tlb
    output logic [TLB_PORTS-1:0]   look_valid_o,
    output look_t [TLB_PORTS-1:0]  look_o,
    input  logic                   look_ready_i,
    input  logic [TLB_PORTS-1:0]   found_valid_i,
    input  found_t [TLB_PORTS-1:0] found_i,
    output logic                   early_o,   // to l1d too: the look-up of the last cycle's early request is answered
    // tlb_mshr
    output logic      miss_valid_o,
    output miss_t     miss_o,
    input  logic      miss_ready_i,
    input  logic      walk_valid_i,
    input  walk_t     walk_i,
    input  logic      walked_valid_i,
    input  walked_t   walked_i,
    // host: page faults, shootdown
    output logic      pf_valid_o,
    output page_fault_t pf_o,
    input  logic      pf_ready_i,
    input  logic      resume_valid_i,
    input  warp_t     resume_i,
    input  logic      inv_valid_i,
    input  inv_t      inv_i,
    output logic      inv_done_o,
    // l1d
    output logic      l1d_req_valid_o,
    output l1d_req_t  l1d_req_o,
    input  logic      l1d_req_ready_i,
    input  logic      l1d_rsp_valid_i,
    input  l1d_rsp_t  l1d_rsp_i,
    output logic      l1d_rsp_ready_o,
    input  logic      l1d_ack_i,
    // spad
    output logic      spad_req_valid_o,
    output spad_req_t spad_req_o,
    input  logic      spad_req_ready_i,
    input  logic      spad_rsp_valid_i,
    input  spad_rsp_t spad_rsp_i,
    output logic      spad_rsp_ready_o,
    // to regfile
    output logic      lsu_res_valid_o,
    output result_t   lsu_res_o,
    input  logic      lsu_res_ready_i,
    // to barrier
    output warp_mask_t unsent_o,              // warps with global accesses that have not gone to the L1D
    // compactor
    input  homes_t     homes_i,               // the thread at each place of each warp
    output warp_mask_t rows_o,                // warps that have a row (compaction = none: 0)
    // to status, trace
    output logic      fault_valid_o,
    output fault_t    fault_o,
    output logic      trace_valid_o,
    output memtrace_t trace_o,
    output logic      sent_valid_o,
    output sent_t     sent_o,
    output logic      idle_o,
    output ev_lsu_t   ev_o
);
  localparam int unsigned HELD_W = $clog2(LSU_IN_DEPTH + 1);
  localparam int unsigned LOADS_W = $clog2(LSU_ENTRIES * THREADS + 1);
  localparam int unsigned STORE_LIMIT = 254;

  // Root and mode change only while the block is idle, and operands that arrive at that edge are examined after it: so the block has copies of both.
  logic sv48, sv48_q, inv_now, take_ops;
  tlb_mode_e mode_q;
  assign sv48 = root_i.sv48;
  assign inv_now = inv_valid_i && sv48;
  always_ff @(posedge clk_i) begin
    sv48_q <= sv48;
    mode_q <= mode_i;
  end
  assign take_ops = ops_valid_i && ops_i.pipe == PIPE_LSU;

  // ---- instructions: operands, threads on their way, look-ups -----------------------------------------------------------
  logic arrive_valid, kept, gone, used, lk_free, more_pages, answer_push, answer_pop, act_fault, act_access, others, left;
  lsu_arrive_t arrive;
  lsu_row_t arrive_row;
  lsu_front_t row;                       // the front's
  lsu_visit_t visit;
  lsu_next_t next;
  lsu_head_t h;
  lsu_beat_t [BEATS-1:0] beat;
  warp_t [THREADS-1:0] home;
  logic [THREADS-1:0][31:0] virt;
  ppn_t [THREADS-1:0] frame, frame_new;
  thread_mask_t frame_access, frame_walked, look_take, ap_threads;
  vpn_t [THREADS-1:0] vpn;
  lsu_look_t lrow;
  lsu_threads_t hit, asked, ask;
  lsu_answers_t answers;
  lsu_answered_t ap;
  logic [5:0] look_pages;
  logic [6:0] waiting;
  logic stall_blocked, stall_look, stall_walk, resumed, early_may, early_taken, sd_d;
  logic [LSU_ENTRIES-1:0] busy;
  warp_mask_t dead_q;

  lsu_operands u_operands (
      .clk_i, .rst_i, .kernel_i, .sv48_i(sv48_q), .start_valid_i, .start_i, .homes_i, .ops_valid_i(take_ops), .ops_i,
      .arrive_valid_o(arrive_valid), .arrive_o(arrive), .arrive_row_i(arrive_row),
      .front_row_i(row.row), .head_o(h), .beat_o(beat), .home_o(home), .virt_o(virt), .frame_o(frame), .access_o(frame_access), .walked_o(frame_walked),
      .page_row_i(answers.any ? ap.row : lrow.row), .vpn_o(vpn),
      .frame_we_i(hit.threads | ap_threads), .frame_row_i(answers.act ? ap.row : hit.row), .frame_i(frame_new), .frame_access_i(act_access), .frame_walked_i(answers.act)
  );
  lsu_rows u_rows (
      .clk_i, .rst_i, .sv48_i(sv48_q), .mode_i(mode_q), .halt_i, .dead_i(dead_q), .full_i(busy == '1), .pf_busy_i(pf_valid_o),
      .in_valid_i(arrive_valid), .in_i(arrive), .in_row_o(arrive_row),
      .front_o(row), .visit_i(visit), .sd_next_i(sd_d), .next_o(next), .others_o(others),
      .lrow_o(lrow), .used_i(used), .look_take_i(look_take),
      .hit_i(hit), .kept_i(kept), .gone_o(gone), .asked_i(asked), .walk_i, .ask_i(ask),
      .walked_valid_i, .walked_walk_i(walked_i.walk), .push_o(answer_push), .answers_i(answers), .pop_o(answer_pop),
      .ap_o(ap), .ap_threads_o(ap_threads), .act_fault_i(act_fault),
      .resume_valid_i, .resume_warp_i(resume_i), .inv_i(inv_now), .start_valid_i, .start_warp_i(start_i.warp), .left_o(left),
      .lk_free_i(lk_free), .stall_blocked_o(stall_blocked), .waiting_o(waiting), .resumed_o(resumed), .unsent_o, .rows_o
  );
  lsu_lookup u_lookup (
      .clk_i, .rst_i, .inv_i(inv_now), .lrow_i(lrow), .vpn_i(vpn), .used_o(used), .take_o(look_take), .pages_o(look_pages), .more_o(more_pages),
      .early_may_o(early_may), .early_taken_i(early_taken), .early_o, .kept_o(kept),
      .look_valid_o, .look_o, .look_ready_i, .found_valid_i, .found_i,
      .miss_valid_o, .miss_o, .miss_ready_i, .walk_valid_i, .walked_valid_i, .walked_i,
      .hit_o(hit), .asked_o(asked), .ask_o(ask),
      .push_i(answer_push), .answers_o(answers), .pop_i(answer_pop), .ap_write_i(ap.write), .fault_o(act_fault), .access_o(act_access), .frame_o(frame_new),
      .stall_look_o(stall_look), .stall_walk_o(stall_walk), .lk_free_o(lk_free)
  );

  // ---- front ------------------------------------------------------------------------------------------------------------
  logic do_fault, kill, quiet, fence_busy, half_taken, enter, fence_done, sd_inval;
  logic load, early, inval, load_taken, st_valid, st_show, st_free, st_take, st_whole, undo;
  entry_t entry, undo_entry;
  lsu_group_t group;
  lsu_events_t ev;
  logic [7:0] unacked_q;
  lsu_front u_front (
      .clk_i, .rst_i, .core_i, .sv48_i(sv48_q), .overlap_i(mode_q == TLB_OVERLAP), .halt_i,
      .row_i(row), .head_i(h), .beat_i(beat), .home_i(home), .frame_i(frame), .virt_i(virt), .warp_dead_i(dead_q[row.warp]), .others_i(others), .next_i(next),
      .visit_o(visit), .fault_o(do_fault), .kill_o(kill),
      .quiet_i(quiet), .fence_busy_i(fence_busy), .pf_busy_i(pf_valid_o), .store_limit_i(unacked_q >= 8'(STORE_LIMIT)), .half_taken_o(half_taken),
      .busy_i(busy), .entry_o(entry), .enter_o(enter), .fence_o(fence_done),
      .l1d_ready_i(l1d_req_ready_i), .sd_inval_i(sd_inval), .load_o(load), .early_o(early), .inval_o(inval), .group_o(group), .load_taken_o(load_taken),
      .st_valid_i(st_valid), .st_free_i(st_free), .st_take_o(st_take), .st_whole_o(st_whole),
      .early_may_i(early_may), .early_taken_o(early_taken), .kept_i(kept), .kept_ppn_i(found_i[0].ppn), .undo_o(undo), .undo_entry_o(undo_entry),
      .spad_req_valid_o, .spad_req_o, .spad_req_ready_i, .trace_valid_o, .trace_o, .sent_valid_o, .sent_o, .ev_o(ev)
  );
  lsu_fault u_fault (
      .clk_i, .rst_i, .warp_i(row.warp), .head_i(h), .beat_i(beat), .frame_i(frame), .flt_i(row.flt), .access_i(frame_access), .fault_i(do_fault), .report_i(visit.report),
      .fault_valid_o, .fault_o, .pf_valid_o, .pf_o, .pf_ready_i
  );
  lsu_store_t st;
  sector_be_t st_be;
  sector_data_t st_data;
  xlen_t st_cmp;
  lsu_store u_store (
      .clk_i, .rst_i, .warp_i(row.warp), .kind_i(row.kind), .head_i(h), .beat_i(beat), .group_i(group), .whole_i(st_whole), .take_i(st_take), .free_o(st_free),
      .valid_o(st_valid), .show_o(st_show), .ready_i(l1d_req_ready_i), .req_o(st), .be_o(st_be), .data_o(st_data), .cmp_o(st_cmp)
  );

  // ---- requests to the L1D ------------------------------------------------------------------------------------------------
  assign l1d_req_valid_o = st_show || load || early || inval || sd_inval;
  always_comb begin
    l1d_req_o = '{op: L1D_LOAD, amo: AMO_SWAP, default: '0};
    l1d_req_o.data = st_data;
    if (st_valid) begin
      l1d_req_o.op = st.atomic ? L1D_AMO : L1D_STORE;
      l1d_req_o.tag = '{entry: st.entry, tmask: st.thread};
      l1d_req_o.warp = st.warp;
      l1d_req_o.line = st.line;
      l1d_req_o.sector = st.sector;
      l1d_req_o.amo = st.amo;
      l1d_req_o.amo_dword = st.dword;
      l1d_req_o.amo_off = st.off;
      l1d_req_o.hart = st.hart;
      if (st.atomic) l1d_req_o.data[127:64] = st_cmp;
      else l1d_req_o.be = st_be;
    end else begin
      if (!sd_inval) l1d_req_o.warp = row.warp;
      if (inval || sd_inval) l1d_req_o.op = L1D_INVAL;
      else begin
        l1d_req_o.tag = '{entry: entry, tmask: group.threads};
        l1d_req_o.early = row.early;
        l1d_req_o.walked = !row.early && (frame_walked & group.threads) != '0;
        l1d_req_o.line = {row.early ? '0 : group.line[LINE_ADDR_W-1:PAGE_LINE_W], group.line[PAGE_LINE_W-1:0]};
        l1d_req_o.sector = group.sector;
      end
    end
  end

  // A fence waits for accesses of all warps, since a thread may have seen another warp's store in the L1D. Also shootdowns.
  logic [LOADS_W-1:0] loads_q, amos_q;
  logic [LSU_ENTRIES-1:0] atomic_q;
  logic sd_q, sd_taken, inv_done_q, store_sent, line_asked, amo_asked, line_back, amo_back, rsp_ready;
  assign quiet = unacked_q == '0 && amos_q == '0;
  assign sd_inval = sd_q && unacked_q == '0 && loads_q == '0 && !half_taken && !st_valid;
  assign sd_taken = sd_inval && l1d_req_ready_i;
  assign sd_d = (sd_q && !sd_taken) || inv_valid_i;
  assign store_sent = st_show && l1d_req_ready_i && !st.atomic;
  assign amo_asked = st_show && l1d_req_ready_i && st.atomic;
  assign line_asked = load_taken || amo_asked;
  assign line_back = l1d_rsp_valid_i && rsp_ready;
  assign amo_back = line_back && atomic_q[l1d_rsp_i.tag.entry];
  assign inv_done_o = inv_done_q;

  // ---- responses ----------------------------------------------------------------------------------------------------------
  thread_mask_t active;
  logic [THREADS-1:0][SECTOR_OFF_W-1:0] offs;   // the answer of an atomic has its doubleword in the lowest place
  for (genvar t = 0; t < THREADS; t++) begin : gen_thread
    assign active[t] = beat[t/LANES].active[t%LANES];
    assign offs[t] = row.kind.atomic ? SECTOR_OFF_W'(beat[t/LANES].low[t%LANES][2:0]) : beat[t/LANES].low[t%LANES][SECTOR_OFF_W-1:0];
  end
  logic res_empty;
  lsu_result u_result (
      .clk_i, .rst_i,
      .alloc_i(enter), .alloc_idx_i(entry), .alloc_warp_i(row.warp), .alloc_seq_i(h.seq), .alloc_rd_i(h.rd),
      .alloc_size_i(h.sc ? 2'd2 : h.size), .alloc_unsigned_i(h.is_unsigned), .alloc_threads_i(active), .alloc_off_i(offs),
      .kill_i(kill && row.seen && !row.kind.store), .kill_idx_i(entry), .kill_threads_i(row.flt | row.ok), .busy_o(busy),
      .undo_i(undo), .undo_idx_i(undo_entry),
      .fence_i(fence_done), .fence_warp_i(row.warp), .fence_seq_i(h.seq), .fence_busy_o(fence_busy),
      .l1d_rsp_valid_i, .l1d_rsp_i, .spad_rsp_valid_i, .spad_rsp_i, .rsp_ready_o(rsp_ready),
      .lsu_res_valid_o, .lsu_res_o, .lsu_res_ready_i, .empty_o(res_empty)
  );
  assign l1d_rsp_ready_o = rsp_ready;
  assign spad_rsp_ready_o = rsp_ready;

  // ---- beats held and given back ------------------------------------------------------------------------------------------
  logic [HELD_W-1:0] held_q, credits_q, credits_rest;
  assign credits_rest = credits_q + (gone ? HELD_W'(BEATS) : '0) - HELD_W'(credit_o);
  assign credit_o = credits_q != '0;
  assign idle_o = held_q == '0 && res_empty && !st_valid && unacked_q == '0;

  logic [6:0] pages;
  lsu_pages u_pages (
      .clk_i, .rst_i, .sv48_i(sv48_q), .begin_i(arrive_valid && arrive.first), .begin_row_i(arrive_row), .front_row_i(row.row), .new_page_i(ev.page),
      .used_i(used), .look_row_i(lrow.row), .look_pages_i(look_pages), .pages_o(pages)
  );

  // ---- registers ----------------------------------------------------------------------------------------------------------
  ev_lsu_t ev_q;
  assign ev_o = ev_q;
  always_ff @(posedge clk_i) begin
    if (enter) atomic_q[entry] <= row.kind.atomic;

    if (rst_i) begin
      dead_q <= '0;
      unacked_q <= '0;
      loads_q <= '0;
      amos_q <= '0;
      sd_q <= 1'b0;
      inv_done_q <= 1'b0;
      held_q <= '0;
      credits_q <= '0;
      ev_q <= '0;
    end else begin
      held_q <= held_q + HELD_W'(take_ops) - HELD_W'(credit_o);
      credits_q <= visit.pop ? credits_rest + HELD_W'(BEATS) : credits_rest;
      sd_q <= sd_d;
      inv_done_q <= sd_taken;
      loads_q <= loads_q + LOADS_W'(line_asked) + LOADS_W'(kept) - LOADS_W'(line_back);
      amos_q <= amos_q + LOADS_W'(amo_asked) - LOADS_W'(amo_back);
      if (store_sent != l1d_ack_i) unacked_q <= store_sent ? unacked_q + 8'd1 : unacked_q - 8'd1;
      if (do_fault || kill) dead_q[row.warp] <= 1'b1;
      if (start_valid_i && !left) dead_q[start_i.warp] <= 1'b0;   // otherwise the old warp's remaining rows may be stores behind a faulted one

      ev_q.lsu_loads <= ev.load;
      ev_q.lsu_stores <= ev.store;
      ev_q.lsu_atomics <= ev.atomic;
      ev_q.lsu_fences <= ev.fence;
      ev_q.lsu_lines <= 2'(ev.line) + 2'(kept);
      ev_q.lsu_pages <= sv48_q ? look_pages : 6'(ev.page);
      ev_q.page_div_1 <= 2'(ev.complete && pages == 7'd1) + 2'(kept);
      ev_q.page_div_2_3 <= ev.complete && pages inside {7'd2, 7'd3};
      ev_q.page_div_4_7 <= ev.complete && pages[6:2] == 5'd1;
      ev_q.page_div_8_15 <= ev.complete && pages[6:3] == 4'd1;
      ev_q.page_div_16_up <= ev.complete && pages[6:4] != '0;
      ev_q.lsu_stall_entry <= ev.no_entry;
      ev_q.lsu_stall_l1d <= l1d_req_valid_o && !l1d_req_ready_i;
      ev_q.lsu_stall_spad <= spad_req_valid_o && !spad_req_ready_i;
      ev_q.lsu_stall_fence <= ev.fence_waits;
      ev_q.lsu_stall_port <= more_pages;
      ev_q.lsu_stall_look <= stall_look;
      ev_q.lsu_stall_walk <= stall_walk;
      ev_q.lsu_stall_blocked <= stall_blocked;
      ev_q.lsu_parked <= ev.parked;
      ev_q.lsu_waiting <= waiting;
      ev_q.lsu_page_faults <= visit.report;
      ev_q.lsu_resumed <= resumed;
    end
  end

  `VL_ASSERT(queue_has_room, !take_ops || 32'(held_q) < LSU_IN_DEPTH || credit_o)
  `VL_ASSERT(credits_are_held, credits_q <= held_q)
  `VL_ASSERT(ack_is_awaited, !l1d_ack_i || unacked_q != '0)
  `VL_ASSERT(line_is_awaited, !line_back || loads_q != '0)
  `VL_ASSERT(atomic_is_awaited, !amo_back || amos_q != '0)
  `VL_ASSERT(one_shootdown_at_a_time, !inv_valid_i || !sd_q)
  `VL_ASSERT(root_and_mode_change_while_idle, idle_o || (sv48 == sv48_q && mode_i == mode_q))
  `VL_ASSERT(early_is_this_rows_look_up, !early_taken || u_lookup.lk_q.row == row.row)
  `VL_ASSERT(no_frame_twice, hit.threads == '0 || ap_threads == '0)
endmodule
