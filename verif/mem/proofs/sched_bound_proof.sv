// With a bound, mem_sched starves no request: an entry of a queue goes at most 16 * BOUND + ENTRIES * STEP cycles after it came, where ENTRIES is the size of all queues
// together and STEP is five cycles more than a bank may be full. Requests, answers, open rows and all policies but the bound move freely.
// By ranks: entries that are late go in one order, by their ages and among equals by their queues; no entry gets ahead of one of them, and the first goes within STEP.
module sched_bound_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*;
#(
    parameter int unsigned UNIT = 16,                  // cycles of a stamp
    parameter int unsigned BOUND = 2,                  // 2 or more: a new entry must not be late at once
    parameter int unsigned FULL = 2                    // cycles: a bank is full no longer than that
) (
    input logic                clk_i,
    input logic                valid_i,
    input home_req_t           req_i,
    input logic                answer_i,
    input txn_rsp_t            answer_rsp_i,
    input logic [CH_BANKS-1:0] done_i,
    input logic [CH_BANKS-1:0] open_i,
    input sched_policy_t       policy_i,
    input quota_t [APPS-1:0]   thresh_i,
    input logic                pick_i,
    input logic [1:0]          queue_i
);
  localparam int unsigned ENTRIES = SCHED_GOLDEN + SCHED_SILVER + SCHED_NORMAL + SCHED_WRITES;
  localparam int unsigned BASE[4] = '{0, SCHED_GOLDEN, SCHED_GOLDEN + SCHED_SILVER, SCHED_GOLDEN + SCHED_SILVER + SCHED_NORMAL};
  localparam int unsigned STEP = FULL + 5;
  localparam int unsigned LONGEST = UNIT * BOUND + ENTRIES * STEP;
  localparam int unsigned FAR = 2 * LONGEST;           // cycles: ages are right so long. Nobody is the first to wait longer, for it is `mine` in some run
  typedef logic [$clog2(FAR / UNIT + 2)-1:0] age_t;    // in stamps: enough for those that are near
  typedef logic [15:0] time_t;
  localparam time_t ROUND = time_t'(4096 * UNIT - 1);  // stamps go around

  logic started_q = 1'b0;
  logic rst, ready, rsp_valid, txn_valid, idle;
  home_rsp_t rsp;
  txn_t txn;
  bank_status_t [CH_BANKS-1:0] status;
  sched_policy_t policy;
  ev_mem_sched_t ev;
  assign rst = !started_q;
  mem_sched dut (
      .clk_i, .rst_i(rst), .home_req_valid_i(valid_i), .home_req_i(req_i), .home_req_ready_o(ready), .home_rsp_valid_o(rsp_valid), .home_rsp_o(rsp),
      .txn_valid_o(txn_valid), .txn_o(txn), .txn_rsp_valid_i(answer_i), .txn_rsp_i(answer_rsp_i), .status_i(status), .policy_i(policy), .thresh_i,
      .idle_o(idle), .ev_o(ev)
  );

  always_comb begin
    policy = policy_i;
    policy.bound = 11'(BOUND);
  end

  // The banks: room for two each, and for how long there has been none.
  logic [CH_BANKS-1:0][1:0] room_q;
  logic [CH_BANKS-1:0][3:0] full_q;
  logic [CH_BANKS-1:0] done;
  always_comb
    for (int unsigned b = 0; b < CH_BANKS; b++) begin
      status[b] = '{room: room_q[b], open: open_i[b], row: '0};
      done[b] = room_q[b] != 2'd2 && (done_i[b] || (room_q[b] == '0 && 32'(full_q[b]) + 1 >= FULL));
    end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    for (int unsigned b = 0; b < CH_BANKS; b++)
      if (rst) begin
        room_q[b] <= 2'd2;
        full_q[b] <= '0;
      end else begin
        room_q[b] <= room_q[b] - 2'(txn_valid && 32'(txn.bank) == b) + 2'(done[b]);
        full_q[b] <= (room_q[b] == '0 && !done[b]) ? full_q[b] + 1'b1 : '0;
      end
  end

  // ---- all entries: Golden, Silver, Normal, writes, each from its head on ----------------------------------------------
  logic [ENTRIES-1:0] there, leaves, late, came, moves;  // came: will be there behind this edge, new; moves: one place down
  age_t [ENTRIES-1:0] age;
  time_t [ENTRIES-1:0] since;                          // cycles since its stamp began
  bank_t [ENTRIES-1:0] bank;
  time_t now;
  assign now = dut.time_q;
  for (genvar k = 0; k < 4; k++) begin : gen_queue
    localparam int unsigned DEPTH = (k == 0) ? SCHED_GOLDEN : (k == 1) ? SCHED_SILVER : (k == 2) ? SCHED_NORMAL : SCHED_WRITES;
    localparam int unsigned FIRST = BASE[k];
    logic [DEPTH-1:0] from, left;
    if (k < 3) begin : gen_from
      assign from = dut.gen_reads[k].u_pool.from;
    end else begin : gen_from
      assign from = dut.u_writes.from;
    end
    assign moves[FIRST+:DEPTH] = dut.go[k] ? from : '0;
    assign left = dut.go[k] ? there[FIRST+:DEPTH] >> 1 : there[FIRST+:DEPTH];
    assign came[FIRST+:DEPTH] = dut.push[k] ? ~left & {left[DEPTH-2:0], 1'b1} : '0;
    for (genvar i = 0; i < int'(DEPTH); i++) begin : gen_entry
      if (k < 3) begin : gen_read
        assign there[FIRST+i] = dut.gen_reads[k].u_pool.valid_q[i];
        assign since[FIRST+i] = (now - time_t'(32'(dut.gen_reads[k].u_pool.entry_q[i].stamp) * UNIT)) & ROUND;
        assign bank[FIRST+i] = dut.gen_reads[k].u_pool.entry_q[i].place.bank;
        assign leaves[FIRST+i] = dut.go[k] && dut.gen_reads[k].u_pool.sel[i];
      end else begin : gen_write
        assign there[FIRST+i] = dut.u_writes.valid_q[i];
        assign since[FIRST+i] = (now - time_t'(32'(dut.u_writes.entry_q[i].stamp) * UNIT)) & ROUND;
        assign bank[FIRST+i] = dut.u_writes.entry_q[i].place.bank;
        assign leaves[FIRST+i] = dut.go[k] && dut.u_writes.sel[i];
      end
      assign age[FIRST+i] = age_t'(since[FIRST+i] / time_t'(UNIT));
      assign late[FIRST+i] = there[FIRST+i] && age[FIRST+i] >= age_t'(BOUND);
    end
  end

  // The first of all: the oldest head, for a queue is in the order of its ages (lemma_in_order); among equals that of the first queue.
  logic [ENTRIES-1:0] first;
  always_comb begin
    first = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      first[BASE[k]] = late[BASE[k]];
      for (int unsigned v = 0; v < 4; v++)
        if (there[BASE[v]] && (v < k ? age[BASE[v]] >= age[BASE[k]] : age[BASE[v]] > age[BASE[k]])) first[BASE[k]] = 1'b0;
    end
  end
  // For how long it has been that, and late.
  logic [5:0] waits_q;
  logic first_goes;
  assign first_goes = (first & leaves) != '0;
  always_ff @(posedge clk_i) waits_q <= (rst || first == '0 || first_goes) ? '0 : waits_q + 1'b1;

  // ---- one entry, any, from its coming on: entries to go before it, the number gone since it was late ------------------
  logic [ENTRIES-1:0] mine_q, older, ours;        // ours: of the queue picked
  logic [3:0] served_q;
  logic [ENTRIES-1:0] ahead_q, at_last;                // of those older when it was late for the first time, the ones still there
  logic mine_late, late_q, mine_leaves, near_q, near;
  time_t mine_since;
  for (genvar k = 0; k < 4; k++) begin : gen_ours
    localparam int unsigned LAST = (k == 3) ? ENTRIES : BASE[(k+1)%4];
    assign ours[LAST-1:BASE[k]] = {LAST - BASE[k]{queue_i == 2'(k)}};
  end
  always_comb begin
    mine_since = '0;
    for (int unsigned x = 0; x < ENTRIES; x++) if (mine_q[x]) mine_since |= since[x];
    older = '0;
    for (int unsigned x = 0; x < ENTRIES; x++)
      for (int unsigned y = 0; y < ENTRIES; y++)
        if (mine_q[x] && there[y] && (y < x ? age[y] >= age_t'(mine_since / time_t'(UNIT)) : y > x && age[y] > age_t'(mine_since / time_t'(UNIT)))) older[y] = 1'b1;
    near = near_q;
    for (int unsigned x = 0; x < ENTRIES; x++) if (there[x] && since[x] > time_t'(FAR)) near = 1'b0;
  end
  assign mine_late = mine_q != '0 && age_t'(mine_since / time_t'(UNIT)) >= age_t'(BOUND);
  assign at_last = (late_q ? ahead_q : older) & ~leaves;
  assign mine_leaves = (mine_q & leaves) != '0;
  always_ff @(posedge clk_i) begin
    near_q <= rst || near;
    if (rst || mine_leaves) mine_q <= '0;
    else if (mine_q != '0) mine_q <= (mine_q & ~moves) | ((mine_q & moves) >> 1);
    else if (pick_i) mine_q <= came & ours;
    late_q <= !rst && mine_late && !mine_leaves;
    ahead_q <= (at_last & ~moves) | ((at_last & moves) >> 1);
    served_q <= (rst || !mine_late || mine_leaves) ? '0 : served_q + 4'(first_goes);
  end

  always_comb if (!rst && near) begin
    nobody_waits_longer: assert (mine_q == '0 || 32'(mine_since) < LONGEST);
    oldest_goes: assert (32'(waits_q) < STEP);
    nobody_comes_before: assert (!late_q || older == ahead_q);
  end

  // ---- lemmas -------------------------------------------------------------------------------------------------------------
  // The banks' room at the last look, and the first entry with its queue.
  logic [CH_BANKS-1:0] free, free_q, wrong;
  bank_t first_bank;
  logic [3:0] first_queue;
  always_comb begin
    for (int unsigned b = 0; b < CH_BANKS; b++) begin
      free[b] = room_q[b] > 2'(txn_valid && 32'(txn.bank) == b);
      wrong[b] = room_q[b] == 2'd3 || (room_q[b] != '0 ? full_q[b] != '0 : free_q[b] || 32'(full_q[b]) >= FULL);
    end
    first_bank = '0;
    for (int unsigned x = 0; x < ENTRIES; x++) if (first[x]) first_bank |= bank[x];
    for (int unsigned k = 0; k < 4; k++) first_queue[k] = first[BASE[k]];
  end
  always_ff @(posedge clk_i) free_q <= free;
  for (genvar k = 0; k < 4; k++) begin : gen_lemmas
    localparam int unsigned DEPTH = (k == 0) ? SCHED_GOLDEN : (k == 1) ? SCHED_SILVER : (k == 2) ? SCHED_NORMAL : SCHED_WRITES;
    localparam int unsigned FIRST = BASE[k];
    logic [DEPTH-1:0] valid, can, hit, urgent, could, from_can, from_hit, from_urgent;
    logic any_can, any_hit, any_urgent;
    assign valid = there[FIRST+:DEPTH];
    if (k < 3) begin : gen_read
      assign {can, hit, urgent} = {DEPTH'(dut.gen_reads[k].u_pool.u_can.first_q), DEPTH'(dut.gen_reads[k].u_pool.u_hit.first_q), DEPTH'(0)};
      assign {from_can, from_hit, from_urgent} = {DEPTH'(dut.gen_reads[k].u_pool.u_can.from_q), DEPTH'(dut.gen_reads[k].u_pool.u_hit.from_q), DEPTH'(0)};
      assign {any_can, any_hit, any_urgent} = {dut.gen_reads[k].u_pool.u_can.any_q[0], dut.gen_reads[k].u_pool.u_hit.any_q[0], 1'b0};
    end else begin : gen_write
      assign {can, hit, urgent} = {DEPTH'(dut.u_writes.u_can.first_q), DEPTH'(dut.u_writes.u_hit.first_q), DEPTH'(dut.u_writes.u_urgent.first_q)};
      assign {from_can, from_hit, from_urgent} = {DEPTH'(dut.u_writes.u_can.from_q), DEPTH'(dut.u_writes.u_hit.from_q), DEPTH'(dut.u_writes.u_urgent.from_q)};
      assign {any_can, any_hit, any_urgent} = {dut.u_writes.u_can.any_q[0], dut.u_writes.u_hit.any_q[0], dut.u_writes.u_urgent.any_q[0]};
    end
    for (genvar i = 0; i < int'(DEPTH); i++) begin : gen_entry
      assign could[i] = valid[i] && free_q[bank[FIRST+i]];
    end
    always_comb if (!rst) begin
      lemma_prefix: assert ((valid & (valid + 1'b1)) == '0);
      lemma_looked: assert (!dut.live_q || (((can | hit | urgent) & ~could) == '0 && (!dut.late[k] || could[0])));
      lemma_one: assert ((can & (can - 1'b1)) == '0 && (hit & (hit - 1'b1)) == '0 && (urgent & (urgent - 1'b1)) == '0
                         && any_can == (can != '0) && any_hit == (hit != '0) && any_urgent == (urgent != '0)
                         && (can == '0 || from_can == ~(can - 1'b1)) && (hit == '0 || from_hit == ~(hit - 1'b1)) && (urgent == '0 || from_urgent == ~(urgent - 1'b1)));
    end
    for (genvar i = 0; i + 1 < int'(DEPTH); i++) begin : gen_next
      always_comb if (!rst) lemma_in_order: assert (!near || !there[FIRST+i+1] || age[FIRST+i] >= age[FIRST+i+1]);
    end
  end

  // Cycles until the first goes, if it is late: it goes now; the bank has room; it is full; it will be.
  logic [5:0] rest;
  always_comb begin
    rest = 6'd2;
    if (dut.live_q && free_q[first_bank]) rest = 6'd0;
    else if (free[first_bank]) rest = dut.live_q ? 6'd2 : 6'd1;
    else if (room_q[first_bank] == '0) rest = 6'(FULL) - 6'(full_q[first_bank]) + 6'd2;
    else rest = 6'(FULL) + 6'd3;
  end
  always_comb if (!rst) begin
    lemma_room: assert (wrong == '0 && (!txn_valid || room_q[txn.bank] != '0));
    lemma_live: assert (!(dut.live_q && txn_valid) && (!(dut.live_q && dut.golden_can_q) || (there[0] && free_q[bank[0]])));
    lemma_alone: assert ($countones(dut.late) <= 1 && $countones(dut.go) <= 1);
    lemma_mine: assert (!near || (mine_q & ~there) == '0 && (mine_q & (mine_q - 1'b1)) == '0 && (late_q || served_q == '0));
    lemma_ahead: assert (!near || !late_q || (mine_late && 32'(served_q) + $countones(ahead_q) < ENTRIES && (ahead_q & mine_q) == '0));
    lemma_since: assert (!near || !mine_late || 32'(mine_since) <= UNIT * BOUND + 32'(served_q) * STEP + 32'(waits_q));
    lemma_waits: assert (!near || waits_q == '0 || first != '0);
    lemma_chosen: assert (!near || waits_q == '0 || !dut.live_q || (free_q[first_bank] ? dut.late == first_queue : (dut.late & first_queue) == '0));
    lemma_rank: assert (!near || waits_q == '0 || 32'(waits_q) + 32'(rest) < STEP);
  end
endmodule
