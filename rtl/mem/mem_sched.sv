// Memory scheduler of one channel: FR-FCFS, or MASK's Golden, Silver and Normal; writes held back, merged, and drained in batches.
// Page: docs/blocks/mem_sched.md; step numbers in comments are the page's.
//   input queues -> registers g, d, w (one a kind) -> queues golden, silver, normal, writes -> txn
`include "vl_assert.svh"
module mem_sched
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, nmoesi_pkg::*, memside_pkg::*;
#(
    parameter int unsigned KIND = 0    // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    // slices of this channel, which is their home
    input  logic         [L2_SLICES-1:0]  home_req_valid_i,
    input  home_req_t    [L2_SLICES-1:0]  home_req_i,
    output logic         [L2_SLICES-1:0]  home_req_ready_o,
    output logic         [L2_SLICES-1:0]  home_rsp_valid_o,
    output home_rsp_t    [L2_SLICES-1:0]  home_rsp_o,
    // dram_ctrl
    output logic                          txn_valid_o,
    output txn_t                          txn_o,
    input  logic                          txn_rsp_valid_i,
    input  txn_rsp_t                      txn_rsp_i,
    input  bank_status_t [CH_BANKS-1:0]   status_i,
    // control
    input  sched_policy_t                 policy_i,
    input  quota_t       [APPS-1:0]       thresh_i,
    output logic                          idle_o,
    output ev_mem_sched_t                 ev_o
);
  localparam int unsigned SLOT_W = idx_w(SCHED_WRITES);
  localparam int unsigned OUT_W = SUB_W + HOME_ID_W + 1;
  typedef logic [SLOT_W-1:0] wslot_t;
  typedef struct packed {
    place_t place;
    txn_id_t id;
  } read_t;

  // ---- state ---------------------------------------------------------------------------------------------------
  logic g_valid_q, d_valid_q, w_valid_q, w_known_q, wfirst_g_q, wfirst_d_q;
  read_t g_q, d_q;
  asid_t d_asid_q;
  place_t w_q;
  line_be_t w_be_q;
  line_data_t w_data_q;
  row_t [CH_BANKS-1:0] row_q;
  logic [15:0] time_q;
  logic drain_q;
  logic live_q, waits_q, golden_can_q, drain_look_q, no_reads_q;   // as of the last edge; live: it looked
  logic txn_valid_q, txn_write_q;
  read_t txn_q;
  line_be_t txn_be_q;
  logic rsp_valid_q, rsp_fwd_q;
  txn_id_t rsp_id_q;
  line_data_t rsp_data_q;
  logic [OUT_W-1:0] out_q;
  ev_mem_sched_t ev_q;

  // ---- take (step 1) -------------------------------------------------------------------------------------------
  logic take_g, take_d, take_w, in_empty;
  logic [SUB_W-1:0] take_slice;
  sched_req_t take_req;
  read_t take_read;
  sched_input u_input (
      .clk_i, .rst_i, .req_valid_i(home_req_valid_i), .req_i(home_req_i), .req_ready_o(home_req_ready_o),
      .golden_i(policy_i.mode == SCHED_MASK), .free_g_i(!g_valid_q), .free_d_i(!d_valid_q), .free_w_i(!w_valid_q),
      .take_g_o(take_g), .take_d_o(take_d), .take_w_o(take_w), .slice_o(take_slice), .req_o(take_req), .empty_o(in_empty)
  );
  assign take_read = '{place: place_in(KIND, take_req.line), id: {take_slice, take_req.id}};

  // ---- queues --------------------------------------------------------------------------------------------------
  localparam int unsigned G = 0, S = 1, N = 2, W = 3;
  logic [3:0] push, empty, full, head_can, any_can, go, go_hit;
  logic [3:0][11:0] head_stamp;
  logic [3:0][8:0] count;
  logic go_head, go_urgent;
  place_t [3:0] go_place;
  txn_id_t [2:0] go_id;
  wslot_t go_slot;
  logic [2:0] read_has_w;                 // a read queue has the line of w
  logic [2:0] found, covered;             // WRITES has the line of g, d, w
  wslot_t [2:0] found_slot;
  logic [1:0] urgent;
  logic any_urgent, new_covered, merge_covered;
  wslot_t free_slot;

  logic [CH_BANKS-1:0] bank_shown, bank_free, bank_open;
  always_comb
    for (int unsigned b = 0; b < CH_BANKS; b++) begin
      // The transaction shown now is in status_i a cycle later.
      bank_shown[b] = txn_valid_q && txn_q.place.bank == bank_t'(b);
      bank_free[b] = status_i[b].room > 2'(bank_shown[b]);
      bank_open[b] = status_i[b].open || bank_shown[b];
    end

  function automatic row_t row_shown(input place_t p);
    return (txn_valid_q && txn_q.place.bank == p.bank) ? txn_q.place.row : row_q[p.bank];
  endfunction
  logic [2:0] same;                       // for g, d, w: its row is the last one that was shown for its bank
  always_comb begin
    same[0] = row_shown(g_q.place) == g_q.place.row;
    same[1] = row_shown(d_q.place) == d_q.place.row;
    same[2] = row_shown(w_q) == w_q.row;
  end

  for (genvar k = 0; k < 3; k++) begin : gen_reads
    localparam int unsigned DEPTH = (k == 0) ? SCHED_GOLDEN : (k == 1) ? SCHED_SILVER : SCHED_NORMAL;
    sched_pool #(.DEPTH(DEPTH), .T(txn_id_t)) u_pool (
        .clk_i, .rst_i, .push_i(push[k]), .push_place_i((k == 0) ? g_q.place : d_q.place), .push_tag_i((k == 0) ? g_q.id : d_q.id),
        .push_same_i((k == 0) ? same[0] : same[1]), .push_mark_i(1'b0), .stamp_i(time_q[15:4]),
        .empty_o(empty[k]), .full_o(full[k]), .count_o(count[k]), .free_i(bank_free), .open_i(bank_open),
        .shown_i(txn_valid_q), .shown_bank_i(txn_q.place.bank), .shown_row_i(txn_q.place.row),
        .find_i(w_q), .found_o(read_has_w[k]), .found_tag_o(), .found_mark_o(), .urgent_i(1'b0), .mark_i(1'b0),
        .head_can_o(head_can[k]), .head_stamp_o(head_stamp[k]), .any_can_o(any_can[k]), .any_urgent_o(),
        .go_i(go[k]), .go_urgent_i(1'b0), .go_head_i(go_head || k == 0), .go_place_o(go_place[k]), .go_tag_o(go_id[k]), .go_hit_o(go_hit[k])
    );
  end
  logic w_new, w_merge;
  sched_pool #(.DEPTH(SCHED_WRITES), .T(wslot_t), .PORTS(3)) u_writes (
      .clk_i, .rst_i, .push_i(push[W]), .push_place_i(w_q), .push_tag_i(free_slot), .push_same_i(same[2]), .push_mark_i(new_covered),
      .stamp_i(time_q[15:4]), .empty_o(empty[W]), .full_o(full[W]), .count_o(count[W]), .free_i(bank_free), .open_i(bank_open),
      .shown_i(txn_valid_q), .shown_bank_i(txn_q.place.bank), .shown_row_i(txn_q.place.row),
      .find_i({w_q, d_q.place, g_q.place}), .found_o(found), .found_tag_o(found_slot), .found_mark_o(covered),
      .urgent_i({1'b0, urgent}), .mark_i(w_merge && merge_covered),
      .head_can_o(head_can[W]), .head_stamp_o(head_stamp[W]), .any_can_o(any_can[W]), .any_urgent_o(any_urgent),
      .go_i(go[W]), .go_urgent_i(go_urgent), .go_head_i(go_head), .go_place_o(go_place[W]), .go_tag_o(go_slot), .go_hit_o(go_hit[W])
  );

  // ---- go (step 5): the choice among the requests of the last edge, by the rules of step 6 -----------------------------------
  logic [3:0] late, head_alone;
  logic [2:0] head_can_q;
  logic any_late;
  sched_late u_late (
      .clk_i, .rst_i, .now_i(time_q[15:4]), .bound_i(policy_i.bound), .can_i(head_can), .stamp_i(head_stamp), .late_o(late)
  );
  assign any_late = late != '0;
  assign go_urgent = !any_late && any_urgent;
  assign go_head = any_late;
  always_comb begin
    go = '0;
    if (live_q) begin
      if (any_late) go = late;
      else if (any_urgent) go[W] = 1'b1;
      else if (golden_can_q) go[G] = 1'b1;
      else if (drain_look_q) go[W] = any_can[W];
      else if (any_can[S]) go[S] = 1'b1;
      else if (any_can[N]) go[N] = 1'b1;
      else go[W] = no_reads_q && any_can[W];
    end
  end
  logic goes, write_goes;
  assign goes = go != '0;
  assign write_goes = go[W];

  // ---- reads leave g and d (steps 2, 3) ---------------------------------------------------------------------------------
  logic [1:0] r_valid, behind, fwd_want, enter, r_full;
  logic fwd_ok, fwd_g, fwd_d, silver, g_leaves, d_leaves, turn_passes;
  assign r_valid = {d_valid_q, g_valid_q};
  assign behind = {wfirst_d_q && w_q == d_q.place, wfirst_g_q && w_q == g_q.place} & {2{w_valid_q}};
  assign r_full = {silver ? full[S] : full[N], full[G]};
  assign fwd_want = r_valid & ~behind & found[1:0] & covered[1:0];
  assign urgent = r_valid & ~behind;                  // the pool excludes covered ones
  assign enter = r_valid & ~behind & ~found[1:0] & ~r_full;
  assign fwd_ok = !txn_rsp_valid_i && !write_goes;
  assign fwd_g = fwd_want[0] && fwd_ok;
  assign fwd_d = fwd_want[1] && fwd_ok && !fwd_want[0];
  assign g_leaves = enter[0] || fwd_g;
  assign d_leaves = enter[1] || fwd_d;
  assign push = {w_new, enter[1] && !silver, enter[1] && silver, enter[0]};
  sched_turns u_turns (
      .clk_i, .rst_i, .policy_i, .thresh_i, .asid_i(d_asid_q), .silver_o(silver), .enter_i(enter[1]), .pass_o(turn_passes)
  );

  // ---- writes leave w (step 4) --------------------------------------------------------------------------------------------
  logic w_held, w_leaves;
  assign w_held = read_has_w != '0 || (g_valid_q && !wfirst_g_q && g_q.place == w_q) || (d_valid_q && !wfirst_d_q && d_q.place == w_q);
  // A write stays in w for an edge at least: meanwhile the bytes that are held back for its line are read.
  assign w_merge = w_known_q && !w_held && found[2] && !write_goes;
  assign w_new = w_known_q && !w_held && !found[2] && !full[W];
  assign w_leaves = w_merge || w_new;

  line_be_t go_be;
  line_data_t wdata;
  sched_wdata u_wdata (
      .clk_i, .rst_i, .new_i(w_new), .merge_i(w_merge), .merge_slot_i(found_slot[2]), .be_i(w_be_q), .data_i(w_data_q),
      .free_slot_o(free_slot), .new_covered_o(new_covered), .merge_covered_o(merge_covered), .go_i(write_goes),
      .go_slot_i(go_slot), .be_o(go_be), .fwd_i(fwd_g || fwd_d), .fwd_slot_i(fwd_want[0] ? found_slot[0] : found_slot[1]), .data_o(wdata)
  );

  // ---- outputs --------------------------------------------------------------------------------------------------------------
  assign txn_valid_o = txn_valid_q;
  assign txn_o = '{write: txn_write_q, id: txn_q.id, bank: txn_q.place.bank, row: txn_q.place.row, line: txn_q.place.line, be: txn_be_q,
                   data: txn_write_q ? wdata : '0};
  line_data_t rsp_data;
  assign rsp_data = rsp_fwd_q ? wdata : rsp_data_q;
  for (genvar s = 0; s < int'(L2_SLICES); s++) begin : gen_rsp
    assign home_rsp_valid_o[s] = rsp_valid_q && 32'(rsp_id_q[HOME_ID_W+:SUB_W]) == s;
    assign home_rsp_o[s] = '{id: rsp_id_q[HOME_ID_W-1:0], state: NMOESI_E, data: rsp_data};
  end
  assign idle_o = in_empty && !g_valid_q && !d_valid_q && !w_valid_q && !txn_valid_q && !rsp_valid_q && empty == '1 && out_q == '0;
  assign ev_o = ev_q;

  // ---- sources of new reads, for the counters -------------------------------------------------------------------------------
  logic [L2_SLICES-1:0] read_in;
  home_id_t [L2_SLICES-1:0] read_id;
  mem_class_t [L2_SLICES-1:0] read_cls;
  logic [L2_SLICES-1:0][APPS-1:0] read_app;
  for (genvar s = 0; s < int'(L2_SLICES); s++) begin : gen_read
    assign read_in[s] = DRAM_DETAIL != 0 && home_req_valid_i[s] && home_req_ready_o[s] && home_req_i[s].op != HOME_WRITE_BACK;
    assign read_id[s] = read_in[s] ? home_req_i[s].id : '0;
    assign read_cls[s] = read_in[s] ? home_req_i[s].cls : '0;
    for (genvar a = 0; a < int'(APPS); a++) begin : gen_app
      assign read_app[s][a] = read_in[s] && policy_i.app_valid[a] && policy_i.app_asid[a] == home_req_i[s].asid;
    end
  end

  // ---- payload registers ----------------------------------------------------------------------------------------------------
  read_t go_read;
  always_comb begin
    go_read = '0;
    for (int unsigned q = 0; q < 4; q++) if (go[q]) go_read.place |= go_place[q];
    for (int unsigned q = 0; q < 3; q++) if (go[q]) go_read.id |= go_id[q];
  end
  always_ff @(posedge clk_i) begin
    if (!g_valid_q) g_q <= take_read;
    if (!d_valid_q) begin
      d_q <= take_read;
      d_asid_q <= take_req.asid;
    end
    if (!w_valid_q) begin
      w_q <= take_read.place;
      w_be_q <= take_req.be;
      w_data_q <= take_req.data;
    end
    txn_q <= go_read;
    txn_write_q <= write_goes;
    txn_be_q <= write_goes ? go_be : '0;
    rsp_fwd_q <= !txn_rsp_valid_i;
    rsp_id_q <= txn_rsp_valid_i ? txn_rsp_i.id : fwd_g ? g_q.id : d_q.id;
    rsp_data_q <= txn_rsp_i.data;
  end

  // ---- control registers ----------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      g_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
      w_known_q <= 1'b0;
      wfirst_g_q <= 1'b0;
      wfirst_d_q <= 1'b0;
      row_q <= '0;
      time_q <= '0;
      live_q <= 1'b0;
      waits_q <= 1'b0;
      drain_q <= 1'b0;
      drain_look_q <= 1'b0;
      golden_can_q <= 1'b0;
      no_reads_q <= 1'b0;
      txn_valid_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      out_q <= '0;
      ev_q <= '0;
    end else begin
      g_valid_q <= take_g || (g_valid_q && !g_leaves);
      d_valid_q <= take_d || (d_valid_q && !d_leaves);
      w_valid_q <= take_w || (w_valid_q && !w_leaves);
      w_known_q <= w_valid_q && !w_leaves;
      wfirst_g_q <= w_valid_q && !w_leaves && (take_g || wfirst_g_q);
      wfirst_d_q <= w_valid_q && !w_leaves && (take_d || wfirst_d_q);

      live_q <= !goes;
      waits_q <= empty != '1;
      golden_can_q <= head_can[G];
      drain_look_q <= drain_q;
      no_reads_q <= empty[N:G] == '1;
      txn_valid_q <= goes;
      rsp_valid_q <= txn_rsp_valid_i || fwd_g || fwd_d;

      if (txn_valid_q) row_q[txn_q.place.bank] <= txn_q.place.row;
      if (empty != '1) time_q <= time_q + 1'b1;
      if (full[W] || (!empty[W] && count[W] >= policy_i.write_high)) drain_q <= 1'b1;
      else if (count[W] <= policy_i.write_low) drain_q <= 1'b0;
      out_q <= out_q + OUT_W'(goes && !write_goes) - OUT_W'(txn_rsp_valid_i);

      ev_q.sched_golden <= push[G];
      ev_q.sched_silver <= push[S];
      ev_q.sched_normal <= push[N];
      ev_q.sched_writes <= push[W];
      ev_q.sched_merges <= w_merge;
      ev_q.sched_forwards <= fwd_g || fwd_d;
      ev_q.sched_turns <= turn_passes;
      ev_q.sched_hits <= (go & go_hit) != '0;
      ev_q.sched_late <= goes && any_late;
      ev_q.sched_urgent <= goes && go_urgent;
      ev_q.sched_reads_out <= goes && !write_goes;
      ev_q.sched_writes_out <= write_goes;
      ev_q.sched_drain <= drain_q;
      ev_q.sched_none <= live_q && waits_q && !goes;
      ev_q.sched_wait_g <= g_valid_q && !g_leaves;
      ev_q.sched_wait_d <= d_valid_q && !d_leaves;
      ev_q.sched_wait_w <= w_valid_q && !w_leaves;
      ev_q.sched_order <= (r_valid & (behind | (found[1:0] & ~covered[1:0]))) != '0 || (w_valid_q && w_held);
      ev_q.occ_golden <= count[G];
      ev_q.occ_silver <= count[S];
      ev_q.occ_normal <= count[N];
      ev_q.occ_writes <= count[W];
      ev_q.read_in <= read_in;
      ev_q.read_id <= read_id;
      ev_q.read_cls <= read_cls;
      ev_q.read_app <= read_app;
      ev_q.read_done <= DRAM_DETAIL != 0 && txn_rsp_valid_i;
      ev_q.read_done_id <= (DRAM_DETAIL != 0 && txn_rsp_valid_i) ? txn_rsp_i.id : '0;
    end
  end
endmodule
