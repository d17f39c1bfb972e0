// Promises of mem_sched about order: one place in memory, any, with a byte's bit for the data, and two reads, any. Identifiers of reads are
// not given twice, reads that went are answered once, at any time; the banks' room, and all policies but the mode, move freely.
module mem_sched_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*;
(
    input logic                clk_i,
    input logic                valid_i,
    input home_req_t           req_i,
    input logic                answer_i,
    input txn_id_t             answer_id_i,
    input logic                answer_bit_i,
    input logic [CH_BANKS-1:0] done_i,
    input logic [CH_BANKS-1:0] open_i,
    input sched_policy_t       policy_i,
    input quota_t [APPS-1:0]   thresh_i,
    input place_t              place_i,
    input home_id_t            first_i,
    input home_id_t            second_i,
    input logic                bit_i
);
  localparam int unsigned IDS = 1 << HOME_ID_W;
  if (L2_SLICES != 1) $error("mem_sched_proof: one slice, so that requests have one order");
  logic started_q = 1'b0;
  logic rst;
  assign rst = !started_q;

  logic valid, ready, rsp_valid, txn_valid, answer, idle;
  home_req_t req;
  home_rsp_t rsp;
  txn_t txn;
  txn_rsp_t answer_rsp;
  bank_status_t [CH_BANKS-1:0] status;
  sched_policy_t policy;
  ev_mem_sched_t ev;
  mem_sched dut (
      .clk_i, .rst_i(rst), .home_req_valid_i(valid), .home_req_i(req), .home_req_ready_o(ready), .home_rsp_valid_o(rsp_valid),
      .home_rsp_o(rsp), .txn_valid_o(txn_valid), .txn_o(txn), .txn_rsp_valid_i(answer), .txn_rsp_i(answer_rsp), .status_i(status),
      .policy_i(policy), .thresh_i, .idle_o(idle), .ev_o(ev)
  );

  logic answered_q, answered_bit_q;
  home_id_t answered_id_q;
  // Requests inside, requests that have gone to the controller.
  logic [IDS-1:0] inside_q, gone_q;
  home_id_t gone_id;
  logic takes, goes, goes_read;
  assign gone_id = home_id_t'(txn.id);
  assign takes = valid && ready && req.op != HOME_WRITE_BACK;
  assign goes = txn_valid;
  assign goes_read = txn_valid && !txn.write;
  always_comb begin
    policy = policy_i;
    policy.mode = SCHED_MASK;
    req = req_i;
    req.data = {{$bits(line_data_t) - 1{1'b0}}, req_i.data[0]};
    req.be = {{$bits(line_be_t) - 1{req_i.be[1]}}, req_i.be[0]};
    valid = valid_i && (req.op == HOME_WRITE_BACK || !inside_q[req.id]);
    answer = answer_i && gone_q[home_id_t'(answer_id_i)] && !(answered_q && answered_id_q == home_id_t'(answer_id_i));
    answer_rsp = '{id: txn_id_t'(home_id_t'(answer_id_i)), data: {{$bits(line_data_t) - 1{1'b0}}, answer_bit_i}};
  end

  // The banks: room for two each.
  logic [CH_BANKS-1:0][1:0] room_q;
  always_comb for (int unsigned b = 0; b < CH_BANKS; b++) status[b] = '{room: room_q[b], open: open_i[b], row: '0};

  // The place: its bit as the last write that was taken has it, and as the last one that went has it.
  place_t place_q;
  logic asked_q, memory_q;
  logic write_here, went_here;
  assign write_here = valid && ready && req.op == HOME_WRITE_BACK && place_of(req.line) == place_q && req.be[0];
  assign went_here = txn_valid && txn.write && txn.be[0] && {txn.bank, txn.row, txn.line} == place_q;

  // Two reads: while `first` is inside and has not gone, `second` came behind it. A walk is a request of a class other than 0.
  home_id_t first_q, second_q;
  place_t first_place_q;
  logic first_walk_q, second_walk_q, behind_q, first_here_q, expect_q;
  logic takes_first, takes_second, first_waits;
  assign takes_first = takes && req.id == first_q;
  assign takes_second = takes && req.id == second_q;
  logic first_goes, first_forwarded, first_leaves;
  assign first_goes = goes_read && gone_id == first_q;
  assign first_forwarded = rsp_valid && rsp.id == first_q && !answered_q;
  assign first_leaves = first_goes || first_forwarded;
  assign first_waits = inside_q[first_q] && !gone_q[first_q];

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (rst) begin
      inside_q <= '0;
      gone_q <= '0;
      room_q <= {CH_BANKS{2'd2}};
      place_q <= place_i;
      first_q <= first_i;
      second_q <= second_i;
      asked_q <= bit_i;
      memory_q <= bit_i;
      behind_q <= 1'b0;
      answered_q <= 1'b0;
    end else begin
      if (takes) inside_q[req.id] <= 1'b1;
      if (goes_read) gone_q[gone_id] <= 1'b1;
      if (rsp_valid) begin
        inside_q[rsp.id] <= 1'b0;
        gone_q[rsp.id] <= 1'b0;
      end
      for (int unsigned b = 0; b < CH_BANKS; b++)
        room_q[b] <= room_q[b] - 2'(goes && 32'(txn.bank) == b) + 2'(done_i[b] && room_q[b] != 2'd2);
      if (write_here) asked_q <= req.data[0];
      if (went_here) memory_q <= txn.data[0];
      if (takes_first) begin
        first_place_q <= place_of(req.line);
        first_walk_q <= req.cls != '0;
        first_here_q <= place_of(req.line) == place_q;
        expect_q <= asked_q;
      end
      if (takes_second) second_walk_q <= req.cls != '0;
      if (first_leaves || (rsp_valid && rsp.id == second_q)) behind_q <= 1'b0;
      else if (takes_second && first_waits && first_q != second_q) behind_q <= 1'b1;
      answered_q <= answer;
      answered_id_q <= home_id_t'(answer_id_i);
      answered_bit_q <= answer_bit_i;
    end
  end

  always_comb if (!rst) begin
    none_sent_twice: assert (!first_goes || (inside_q[first_q] && !gone_q[first_q]));
    none_answered_twice: assert (!(rsp_valid && rsp.id == first_q) || inside_q[first_q]);
    none_forwarded_when_sent: assert (!first_forwarded || !gone_q[first_q]);
    answer_is_passed_on: assert (!answered_q || (rsp_valid && rsp.id == answered_id_q && rsp.data[0] == answered_bit_q));
    none_lost: assert (!idle || (!inside_q[first_q] && asked_q == memory_q));
    only_where_there_is_room: assert (!goes || room_q[txn.bank] != '0);
    where_it_was_asked: assert (!first_goes || {txn.bank, txn.row, txn.line} == first_place_q);
    golden_in_order: assert (!(behind_q && goes_read && gone_id == second_q && first_walk_q && second_walk_q));
    reads_the_last_write: assert (!(first_goes && first_here_q) || memory_q == expect_q);
    forwards_the_last_write: assert (!(first_forwarded && first_here_q) || rsp.data[0] == expect_q);
  end

  // ---- lemmas: where everything is, by the registers of mem_sched; with them the assertions above are inductive ------------------------
  // The input queue, oldest first.
  logic [1:0] in_valid;
  sched_req_t [1:0] in;
  assign in_valid = {dut.u_input.gen_slice[0].u_queue.count_q == 2'd2, dut.u_input.gen_slice[0].u_queue.count_q != '0};
  assign in[0] = dut.u_input.gen_slice[0].u_queue.u_mem.gen_registers.mem[dut.u_input.gen_slice[0].u_queue.rptr_q];
  assign in[1] = dut.u_input.gen_slice[0].u_queue.u_mem.gen_registers.mem[!dut.u_input.gen_slice[0].u_queue.rptr_q];

  // The queues: Golden, Silver, Normal one behind the other, and the writes.
  localparam int unsigned READS = SCHED_GOLDEN + SCHED_SILVER + SCHED_NORMAL;
  logic [READS-1:0] r_valid;
  place_t [READS-1:0] r_place;
  home_id_t [READS-1:0] r_id;
  logic [READS-1:0] r_slice;             // 0: there is one
  logic [3:0] order;                     // the entries of a queue are its first ones; those that a look found are valid, one of each kind, with room
  for (genvar k = 0; k < 3; k++) begin : gen_reads
    localparam int unsigned DEPTH = (k == 0) ? SCHED_GOLDEN : (k == 1) ? SCHED_SILVER : SCHED_NORMAL;
    localparam int unsigned BASE = (k == 0) ? 0 : (k == 1) ? SCHED_GOLDEN : SCHED_GOLDEN + SCHED_SILVER;
    logic [DEPTH-1:0] valid, roomy, can, hit;
    assign valid = dut.gen_reads[k].u_pool.valid_q;
    assign can = DEPTH'(dut.gen_reads[k].u_pool.u_can.first_q[0]);
    assign hit = DEPTH'(dut.gen_reads[k].u_pool.u_hit.first_q[0]);
    for (genvar i = 0; i < int'(DEPTH); i++) begin : gen_entry
      assign r_valid[BASE+i] = valid[i];
      assign r_place[BASE+i] = dut.gen_reads[k].u_pool.entry_q[i].place;
      assign r_id[BASE+i] = home_id_t'(dut.gen_reads[k].u_pool.entry_q[i].tag);
      assign r_slice[BASE+i] = dut.gen_reads[k].u_pool.entry_q[i].tag[HOME_ID_W];
      assign roomy[i] = valid[i] && room_q[dut.gen_reads[k].u_pool.entry_q[i].place.bank] != '0;
    end
    assign order[k] = (valid & (valid + 1'b1)) == '0;
    always_comb if (!rst) begin
      lemma_order: assert (order[k]);
      lemma_looked: assert (!dut.live_q || ((can & ~roomy) == '0 && (hit & ~roomy) == '0 && (!dut.u_late.late_o[k] || roomy[0])));
      lemma_one: assert ((can & (can - 1'b1)) == '0 && (hit & (hit - 1'b1)) == '0
                         && dut.gen_reads[k].u_pool.u_can.first_q[0] == 16'(can) && dut.gen_reads[k].u_pool.u_hit.first_q[0] == 16'(hit)
                         && dut.gen_reads[k].u_pool.u_can.any_q == (can != '0) && dut.gen_reads[k].u_pool.u_hit.any_q == (hit != '0)
                         && (can == '0 || DEPTH'(dut.gen_reads[k].u_pool.u_can.from_q[0]) == ~(can - 1'b1))
                         && (hit == '0 || DEPTH'(dut.gen_reads[k].u_pool.u_hit.from_q[0]) == ~(hit - 1'b1)));
    end
  end

  logic [SCHED_WRITES-1:0] w_valid, w_roomy, w_can, w_hit, w_urgent, w_here, w_mark, w_bit;
  place_t [SCHED_WRITES-1:0] w_place;
  logic [SCHED_WRITES-1:0][$clog2(SCHED_WRITES)-1:0] w_slot;
  assign w_valid = dut.u_writes.valid_q;
  assign w_mark = dut.u_writes.mark_q;
  assign w_can = SCHED_WRITES'(dut.u_writes.u_can.first_q[0]);
  assign w_hit = SCHED_WRITES'(dut.u_writes.u_hit.first_q[0]);
  assign w_urgent = SCHED_WRITES'(dut.u_writes.u_urgent.first_q[0]);
  for (genvar i = 0; i < int'(SCHED_WRITES); i++) begin : gen_write
    assign w_place[i] = dut.u_writes.entry_q[i].place;
    assign w_slot[i] = dut.u_writes.entry_q[i].tag;
    assign w_roomy[i] = w_valid[i] && room_q[w_place[i].bank] != '0;
    assign w_here[i] = w_valid[i] && w_place[i] == place_q;
    assign w_bit[i] = dut.u_wdata.u_be_read.gen_ram.mem[w_slot[i]][0];
    always_comb if (!rst) begin
      lemma_slot: assert (!w_valid[i] || (dut.u_wdata.used_q[w_slot[i]] && (!w_mark[i] || dut.u_wdata.u_be_read.gen_ram.mem[w_slot[i]] == '1)
                          && dut.u_wdata.u_be_read.gen_ram.mem[w_slot[i]] == dut.u_wdata.u_be_merge.gen_ram.mem[w_slot[i]]));
    end
    for (genvar j = 0; j < i; j++) begin : gen_pair
      always_comb if (!rst) lemma_apart: assert (!w_valid[i] || !w_valid[j] || (w_place[i] != w_place[j] && w_slot[i] != w_slot[j]));
    end
  end
  logic [CH_BANKS-1:0] no_more_room;
  always_comb for (int unsigned b = 0; b < CH_BANKS; b++) no_more_room[b] = room_q[b] == 2'd3;
  always_comb if (!rst) begin
    lemma_writes_order: assert ((w_valid & (w_valid + 1'b1)) == '0);
    lemma_writes_looked: assert (!dut.live_q || ((w_can & ~w_roomy) == '0 && (w_hit & ~w_roomy) == '0 && (w_urgent & ~w_roomy) == '0
                                 && (!dut.u_late.late_o[3] || w_roomy[0])));
    lemma_writes_one: assert ((w_can & (w_can - 1'b1)) == '0 && (w_hit & (w_hit - 1'b1)) == '0 && (w_urgent & (w_urgent - 1'b1)) == '0
                              && dut.u_writes.u_can.first_q[0] == 16'(w_can) && dut.u_writes.u_hit.first_q[0] == 16'(w_hit)
                              && dut.u_writes.u_urgent.first_q[0] == 16'(w_urgent) && dut.u_writes.u_can.any_q == (w_can != '0)
                              && dut.u_writes.u_hit.any_q == (w_hit != '0) && dut.u_writes.u_urgent.any_q == (w_urgent != '0)
                              && (w_can == '0 || SCHED_WRITES'(dut.u_writes.u_can.from_q[0]) == ~(w_can - 1'b1))
                              && (w_hit == '0 || SCHED_WRITES'(dut.u_writes.u_hit.from_q[0]) == ~(w_hit - 1'b1))
                              && (w_urgent == '0 || SCHED_WRITES'(dut.u_writes.u_urgent.from_q[0]) == ~(w_urgent - 1'b1)));
    lemma_slots: assert ($countones(dut.u_wdata.used_q) == $countones(w_valid));
    lemma_room: assert (no_more_room == '0);
    lemma_late: assert ($countones(dut.u_late.late_o) <= 1);
    lemma_live: assert (!(dut.live_q && dut.txn_valid_q) && (!(dut.live_q && dut.golden_can_q) || gen_reads[0].roomy[0]));
    lemma_w: assert ((dut.w_valid_q || !(dut.w_known_q || dut.wfirst_g_q || dut.wfirst_d_q)) && (dut.g_valid_q || !dut.wfirst_g_q || 1'b1));
    lemma_merge: assert (!dut.w_known_q || !dut.found[2] || (dut.u_wdata.merge_slot_q == dut.found_slot[2]
                         && dut.u_wdata.merged_q == (dut.w_be_q | dut.u_wdata.u_be_read.gen_ram.mem[dut.found_slot[2]])));
    lemma_out: assert ($countones(gone_q) + 32'(goes_read) == 32'(dut.out_q) + 32'(answered_q));
    lemma_input: assert (in_valid[0] == dut.u_input.gen_slice[0].u_queue.some_q && in_valid[1] == dut.u_input.gen_slice[0].u_queue.full_q
                         && dut.u_input.gen_slice[0].u_queue.count_q != 2'd3
                         && (dut.u_input.gen_slice[0].u_queue.wptr_q == (dut.u_input.gen_slice[0].u_queue.rptr_q ^ dut.u_input.gen_slice[0].u_queue.count_q[0])));
  end

  // Where the read with an identifier is; how many there are.
  function automatic logic [READS+5:0] at(input home_id_t id);
    logic [READS+5:0] found;
    found[0] = goes_read && gone_id == id;
    for (int unsigned i = 0; i < READS; i++) found[1+i] = r_valid[i] && r_id[i] == id;
    found[READS+1] = dut.g_valid_q && home_id_t'(dut.g_q.id) == id;
    found[READS+2] = dut.d_valid_q && home_id_t'(dut.d_q.id) == id;
    found[READS+3] = in_valid[0] && !in[0].write && in[0].id == id;
    found[READS+4] = in_valid[1] && !in[1].write && in[1].id == id;
    found[READS+5] = rsp_valid && !answered_q && rsp.id == id;
    return found;
  endfunction
  for (genvar x = 0; x < int'(IDS); x++) begin : gen_id
    logic [READS+5:0] places;
    assign places = at(home_id_t'(x));
    always_comb if (!rst) lemma_once: assert ($countones(places) == 32'(inside_q[x] && !gone_q[x]) && (inside_q[x] || !gone_q[x]));
  end
  logic [READS+5:0] first_at, second_at;
  assign first_at = at(first_q);
  assign second_at = at(second_q);

  // The walks in their order.
  localparam int unsigned PATH = SCHED_GOLDEN + 4;
  logic [PATH-1:0] first_path, second_path;
  assign first_path = {first_at[READS+4:READS+3], first_at[READS+1], first_at[SCHED_GOLDEN:0]};
  assign second_path = {second_at[READS+4:READS+3], second_at[READS+1], second_at[SCHED_GOLDEN:0]};

  // The bit of the place behind each stage a write goes through.
  logic v_txn, v_queue, v_w, v_in0, v_in1;
  always_comb begin
    v_txn = went_here ? txn.data[0] : memory_q;
    v_queue = v_txn;
    for (int unsigned i = 0; i < SCHED_WRITES; i++) if (w_here[i] && w_bit[i]) v_queue = dut.u_wdata.u_data.mem[w_slot[i]][0];
    v_w = (dut.w_valid_q && dut.w_q == place_q && dut.w_be_q[0]) ? dut.w_data_q[0] : v_queue;
    v_in0 = (in_valid[0] && in[0].write && place_of(in[0].line) == place_q && in[0].be[0]) ? in[0].data[0] : v_w;
    v_in1 = (in_valid[1] && in[1].write && place_of(in[1].line) == place_q && in[1].be[0]) ? in[1].data[0] : v_in0;
  end
  logic read_here;                       // a read queue has the place
  logic [READS+5:0] right;               // the place and its expected bit, wherever the read is
  always_comb begin
    read_here = 1'b0;
    for (int unsigned i = 0; i < READS; i++) read_here |= r_valid[i] && r_place[i] == place_q;
    right[0] = {txn.bank, txn.row, txn.line} == first_place_q && (!first_here_q || memory_q == expect_q);
    for (int unsigned i = 0; i < READS; i++)
      right[1+i] = r_place[i] == first_place_q && (!first_here_q || v_txn == expect_q) && first_walk_q == (i < SCHED_GOLDEN);
    right[READS+1] = dut.g_q.place == first_place_q && (!first_here_q || (dut.wfirst_g_q ? v_w : v_queue) == expect_q) && first_walk_q;
    right[READS+2] = dut.d_q.place == first_place_q && (!first_here_q || (dut.wfirst_d_q ? v_w : v_queue) == expect_q) && !first_walk_q;
    right[READS+3] = place_of(in[0].line) == first_place_q && (!first_here_q || v_w == expect_q) && first_walk_q == (in[0].cls != '0);
    right[READS+4] = place_of(in[1].line) == first_place_q && (!first_here_q || v_in0 == expect_q) && first_walk_q == (in[1].cls != '0);
    right[READS+5] = !first_here_q || rsp.data[0] == expect_q;
  end
  always_comb if (!rst) begin
    lemma_here: assert (first_here_q == (first_place_q == place_q) || !inside_q[first_q]);
    lemma_right: assert ((first_at & ~right) == '0);
    lemma_value: assert (v_in1 == asked_q);
    lemma_exclusive: assert (!(read_here && w_here != '0));
    lemma_second_walk: assert (!(second_at[READS+3] && second_walk_q != (in[0].cls != '0)) && !(second_at[READS+4] && second_walk_q != (in[1].cls != '0))
                               && !(second_walk_q ? second_at[READS+2] || second_at[READS:SCHED_GOLDEN+1] != '0
                                                  : second_at[READS+1] || second_at[SCHED_GOLDEN:1] != '0));
    lemma_behind: assert (!(behind_q && first_walk_q && second_walk_q) || first_at[READS+5] || second_at[READS+5]
                          || (first_path != '0 && second_path > first_path));
    lemma_behind_both: assert (!behind_q || (inside_q[first_q] && !gone_q[first_q] && inside_q[second_q] && first_q != second_q));
    lemma_slice: assert ((r_valid & r_slice) == '0 && !(dut.g_valid_q && dut.g_q.id[HOME_ID_W]) && !(dut.d_valid_q && dut.d_q.id[HOME_ID_W])
                         && !(goes_read && txn.id[HOME_ID_W]) && !(dut.rsp_valid_q && dut.rsp_id_q[HOME_ID_W]));
    lemma_rsp: assert (!rsp_valid || answered_q == !dut.rsp_fwd_q);
    lemma_answered: assert (!answered_q || gone_q[answered_id_q]);
  end
endmodule
