// Every miss of the shared L2 TLB is answered once, and of its page. A ghost keeps where each place is, by the page's steps: in the queue of its port, in the list of its kernel, in that of a walk, or in the answer that
// is shown; and how many are before it there. The queues, first, last and next places of l2_tlb_mshr must agree with it. Besides: some waiting miss moves in every cycle, unless the walker or the taker of answers has one; and a kernel that waits and has no walk gets one within KERNELS cycles, whatever the others do. Misses, ends of walks, invalidations and the kernels of cores are any. Page: docs/blocks/l2_tlb_mshr.md.
module l2_tlb_mshr_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                              clk_i,
    input kslot_t [CORES-1:0]                owner_i,
    input logic [L2_TLB_PORTS-1:0]           miss_valid_i,
    input translate_req_t [L2_TLB_PORTS-1:0] miss_i,
    input logic                              rsp_valid_i,
    input walk_rsp_t                         rsp_i,
    input logic                              ans_ready_i,
    input logic                              inv_valid_i,
    input inv_t                              inv_i
);
  localparam int unsigned PLACES = CORES * TLB_MSHRS;
  localparam int unsigned PORT_PLACES = ((CORES + L2_TLB_PORTS - 1) / L2_TLB_PORTS) * TLB_MSHRS;
  localparam int unsigned WAITS = L2_TLB_PORTS;           // lists: a queue for each port, those of kernels, those of walks
  localparam int unsigned OF_WALKS = WAITS + KERNELS;
  localparam int unsigned LISTS = OF_WALKS + WALKS;
  typedef logic [$clog2(PLACES+1)-1:0] pos_t;
  typedef logic [$clog2(LISTS)-1:0] list_t;
  typedef struct packed {
    asid_t asid;
    vpn_t vpn;
  } key_t;
  typedef struct packed {
    core_t core;
    walk_t id;
  } who_t;
  typedef struct packed {
    walk_e result;
    leaf_t leaf;
  } end_t;
  function automatic who_t who(input int unsigned p);
    return '{core: core_t'(p / TLB_MSHRS), id: walk_t'(p % TLB_MSHRS)};
  endfunction

  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst;
  assign rst = !started_q[1];

  // ---- inputs: a miss of a place that is free, at its port; an end of a walk that was asked for; a core changes its kernel while it has no miss here ------------------------
  logic [PLACES-1:0] listed_q, shown_q, out, taken;       // in a list; in the answer; either; a miss at this edge
  logic [L2_TLB_PORTS-1:0] miss;
  logic [WALKS-1:0] sent_q;
  kslot_t [CORES-1:0] owner_q;
  logic fill_valid, req_valid, rsp, ans_valid, inv;
  l2_fill_t fill;
  walk_req_t req;
  translate_ans_t ans;
  logic [KERNELS-1:0][6:0] walks;
  ev_l2_tlb_mshr_t ev;
  assign out = listed_q | shown_q;
  always_comb begin
    taken = '0;
    for (int unsigned p = 0; p < L2_TLB_PORTS; p++) begin
      miss[p] = miss_valid_i[p] && 32'(miss_i[p].core) % L2_TLB_PORTS == p && 32'(miss_i[p].core) < CORES && 32'(miss_i[p].id) < TLB_MSHRS;
      for (int unsigned k = 0; k < PLACES; k++) if (who(k) == who_t'{core: miss_i[p].core, id: miss_i[p].id}) begin
        if (out[k]) miss[p] = 1'b0;
        taken[k] |= miss[p];
      end
    end
  end
  assign rsp = rsp_valid_i && 32'(rsp_i.walk) < WALKS && sent_q[rsp_i.walk];
  assign inv = inv_valid_i && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);
  l2_tlb_mshr dut (
      .clk_i, .rst_i(rst), .owner_i(owner_q), .miss_valid_i(miss), .miss_i, .fill_valid_o(fill_valid), .fill_o(fill), .walk_req_valid_o(req_valid), .walk_req_o(req),
      .walk_rsp_valid_i(rsp), .walk_rsp_i(rsp_i), .ans_valid_o(ans_valid), .ans_o(ans), .ans_ready_i, .inv_valid_i(inv), .inv_i, .walks_o(walks), .ev_o(ev)
  );

  // ---- the ghost -----------------------------------------------------------------------------------------------------
  list_t [PLACES-1:0] list_q;
  pos_t [PLACES-1:0] pos_q;
  key_t [PLACES-1:0] key_q;
  access_e [PLACES-1:0] access_q;
  end_t [WALKS-1:0] how_q;                       // how the walk ended
  end_t shown_how_q;                             // of the walk of the place in the answer
  key_t shown_key_q;                             // that walk's page
  logic [WALKS-1:0][$clog2(WALKS+1)-1:0] turn_q; // ended ones: how many ended before
  pos_t [LISTS-1:0] len;
  logic [LISTS-1:0] pops;                        // the first of the list leaves it
  logic [PLACES-1:0] first, moves;
  list_t to;                                     // where the first of a queue goes
  logic [WALKS-1:0] ended, asked;                // valid walks that have ended; with their request shown
  logic void_end, ends;
  assign void_end = inv && (inv_i.scope != INV_ASID || inv_i.asid == dut.key_q[rsp_i.walk].asid);
  assign ends = rsp && !void_end;
  always_comb begin
    for (int unsigned l = 0; l < LISTS; l++) begin
      len[l] = '0;
      for (int unsigned k = 0; k < PLACES; k++) len[l] += pos_t'(listed_q[k] && 32'(list_q[k]) == l);
    end
    for (int unsigned p = 0; p < L2_TLB_PORTS; p++) pops[p] = dut.port_takes[p];
    for (int unsigned k = 0; k < KERNELS; k++) pops[WAITS+k] = dut.allocates && dut.chosen[k];
    for (int unsigned w = 0; w < WALKS; w++) pops[OF_WALKS+w] = dut.answers && 32'(dut.ended) == w;
    for (int unsigned k = 0; k < PLACES; k++) begin
      first[k] = listed_q[k] && pos_q[k] == '0;
      moves[k] = first[k] && pops[list_q[k]];
    end
  end
  logic [WALKS-1:0] into;                        // the walk that a place joins, or that is begun for it
  assign into = dut.alloc_walks ? dut.lowest_free : dut.alloc_joins ? dut.alloc_into : dut.enter_into;
  always_comb begin
    to = list_t'(OF_WALKS + 32'(shared_index(into)));
  end
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      listed_q <= '0;
      shown_q <= '0;
      sent_q <= '0;
      for (int unsigned c = 0; c < CORES; c++) owner_q[c] <= kslot_t'(owner_i[c][KSLOT_W-1:0]);
    end else begin
      for (int unsigned c = 0; c < CORES; c++)
        if (out[c*TLB_MSHRS+:TLB_MSHRS] == '0 && taken[c*TLB_MSHRS+:TLB_MSHRS] == '0) owner_q[c] <= kslot_t'(owner_i[c][KSLOT_W-1:0]);
      for (int unsigned k = 0; k < PLACES; k++) begin
        if (listed_q[k] && pops[list_q[k]] && !first[k]) pos_q[k] <= pos_q[k] - 1'b1;
        if (shown_q[k] && ans_ready_i) shown_q[k] <= 1'b0;
        if (taken[k]) begin                                                      // 1
          listed_q[k] <= 1'b1;
          for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (p == (k / TLB_MSHRS) % L2_TLB_PORTS) begin
            list_q[k] <= list_t'(p);
            pos_q[k] <= len[p] - pos_t'(pops[p]);
            key_q[k] <= '{asid: miss_i[p].asid, vpn: miss_i[p].vpn};
            access_q[k] <= miss_i[p].access;
          end
        end
        if (moves[k]) begin
          if (32'(list_q[k]) >= OF_WALKS) begin                                  // 5
            listed_q[k] <= 1'b0;
            shown_q[k] <= 1'b1;
            shown_how_q <= how_q[dut.ended];
            shown_key_q <= dut.key_q[dut.ended];
          end else if (32'(list_q[k]) >= WAITS) begin                            // 3
            list_q[k] <= to;
            pos_q[k] <= dut.alloc_joins ? len[to] : '0;
          end else if (dut.enter_joins) begin                                    // 2
            list_q[k] <= list_t'(OF_WALKS + 32'(shared_index(dut.enter_into)));
            pos_q[k] <= len[OF_WALKS+32'(shared_index(dut.enter_into))];
          end else begin
            list_q[k] <= list_t'(WAITS + 32'(dut.enter_slot));
            pos_q[k] <= len[WAITS+32'(dut.enter_slot)] - pos_t'(pops[WAITS+32'(dut.enter_slot)]);
          end
        end
      end
      for (int unsigned w = 0; w < WALKS; w++) begin
        if (req_valid && 32'(req.walk) == w) sent_q[w] <= 1'b1;
        else if (ends && 32'(rsp_i.walk) == w) sent_q[w] <= 1'b0;
        if (ends && 32'(rsp_i.walk) == w) begin                                  // 4
          how_q[w] <= '{result: rsp_i.result, leaf: rsp_i.leaf};
          turn_q[w] <= $bits(turn_q[w])'($countones(ended)) - $bits(turn_q[w])'(dut.last_answer);
        end else if (dut.last_answer) turn_q[w] <= turn_q[w] - 1'b1;
      end
    end
  end
  assign ended = dut.valid_q & ~dut.open_q;
  assign asked = req_valid ? WALKS'(1) << req.walk : '0;

  // ---- promises ----------------------------------------------------------------------------------------------------------
  logic [KERNELS-1:0][$clog2(KERNELS+1)-1:0] waited_q;   // cycles that a kernel without a walk has waited
  logic [KERNELS-1:0][$clog2(KERNELS+1)-1:0] ahead;      // kernels before it in turn
  always_comb
    for (int unsigned k = 0; k < KERNELS; k++) begin
      ahead[k] = '0;
      for (int unsigned j = 0; j < KERNELS; j++)
        if (j != k) ahead[k] += $bits(ahead[k])'((dut.u_turn.from_q[j] == dut.u_turn.from_q[k]) ? j < k : dut.u_turn.from_q[j]);
    end
  always_ff @(posedge clk_i)
    for (int unsigned k = 0; k < KERNELS; k++) waited_q[k] <= (!rst && dut.waiting_q[k] && dut.none_q[k] && !pops[WAITS+k]) ? waited_q[k] + 1'b1 : '0;
  for (genvar k = 0; k < PLACES; k++) begin : gen_place
    logic answered;
    assign answered = ans_valid && ans.core == who(k).core && ans.rsp.id == who(k).id;
    always_comb
      if (!rst) begin
        answered_once: assert (answered == shown_q[k]);
        answer_is_of_its_page: assert (!shown_q[k] || (shown_key_q == key_q[k] && shown_how_q == end_t'{result: ans.rsp.result, leaf: ans.rsp.leaf}));
        joined_with_its_page: assert (!listed_q[k] || 32'(list_q[k]) < OF_WALKS || dut.key_q[32'(list_q[k])-OF_WALKS] == key_q[k]);
        none_waits_beside_a_walk: assert (!moves[k] || 32'(list_q[k]) >= WAITS || !dut.enter_waits || !beside(k));
        in_order: assert (!moves[k] || leaves(k));
        lemma_place: assert (!listed_q[k] || (32'(list_q[k]) < LISTS && !shown_q[k] && pos_q[k] < len[list_q[k]]));
        lemma_port: assert (!listed_q[k] || 32'(list_q[k]) >= WAITS || 32'(list_q[k]) == (k / TLB_MSHRS) % L2_TLB_PORTS);
      end
  end
  // A walk of the page of place k can be joined.
  function automatic logic beside(input int unsigned k);
    beside = 1'b0;
    for (int unsigned w = 0; w < WALKS; w++) beside |= dut.open_q[w] && !(ends && 32'(rsp_i.walk) == w) && dut.key_q[w] == key_q[k];
  endfunction
  // Place k is first in its list; the block takes place k from it.
  function automatic logic leaves(input int unsigned k);
    if (32'(list_q[k]) >= OF_WALKS) leaves = dut.answered == who(k);
    else if (32'(list_q[k]) >= WAITS) leaves = dut.alloc_who == who(k) && dut.alloc_asks == key_q[k];
    else leaves = dut.enter.who == who(k) && dut.enter.key == key_q[k];
  endfunction
  for (genvar k = 0; k < KERNELS; k++) begin : gen_kernel
    always_comb
      if (!rst) begin
        kernel_without_gets_one: assert (32'(waited_q[k]) < KERNELS);
        lemma_turn: assert (!dut.waiting_q[k] || !dut.none_q[k] || 32'(waited_q[k]) + 32'(ahead[k]) < KERNELS);
        lemma_from: assert (dut.u_turn.from_q[KERNELS-1] && (k == 0 || !dut.u_turn.from_q[(k==0)?0:k-1] || dut.u_turn.from_q[k]));
      end
  end
  always_comb
    if (!rst) begin
      walked_for_its_page: assert (!req_valid || begun());
      something_goes_on: assert (out == '0 || dut.enters || dut.allocates || dut.answers || ans_valid || dut.open_q != '0);
      walks_are_asked_for: assert (dut.open_q == (sent_q | asked) && (sent_q & asked) == '0);
      one_is_kept_for_each_kernel_without: assert (32'(dut.free_q) >= $countones(dut.none_q));
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_free: assert (32'(dut.free_q) + $countones(dut.valid_q) == WALKS && (dut.open_q & ~dut.valid_q) == '0);
      lemma_waits: assert (32'(dut.waits_q) == waiting());
      lemma_shown: assert ($countones(shown_q) <= 1 && ans_valid == (shown_q != '0));
    end
  function automatic logic begun();              // the request is that of the first of its walk
    begun = 1'b0;
    for (int unsigned k = 0; k < PLACES; k++)
      begun |= first[k] && 32'(list_q[k]) == OF_WALKS + 32'(req.walk) && req.core == who(k).core && key_q[k] == key_t'{asid: req.asid, vpn: req.vpn} && access_q[k] == req.access;
  endfunction
  function automatic int unsigned waiting();
    waiting = 0;
    for (int unsigned k = 0; k < KERNELS; k++) waiting += 32'(len[WAITS+k]);
  endfunction

  // ---- lemmas: the registers agree with the ghost state ------------------------------------------------------------------------
  for (genvar k = 0; k < KERNELS; k++) begin : gen_list
    logic [WALKS-1:0] its;
    for (genvar w = 0; w < WALKS; w++) begin : gen_its
      assign its[w] = dut.valid_q[w] && 32'(dut.slot_q[w]) == k;
    end
    always_comb
      if (!rst) begin
        lemma_waiting: assert (dut.waiting_q[k] == (len[WAITS+k] != '0));
        lemma_has: assert (32'(dut.has_q[k]) == $countones(its) && dut.none_q[k] == (its == '0));
      end
  end
  for (genvar w = 0; w < WALKS; w++) begin : gen_walk
    always_comb
      if (!rst) begin
        lemma_valid: assert (dut.valid_q[w] == (len[OF_WALKS+w] != '0));
        lemma_how: assert (!ended[w] || end_t'(dut.u_how.gen_ram.mem[w]) == how_q[w]);
        lemma_ended: assert (!ended[w] || (32'(turn_q[w]) < 32'(dut.u_ended.count_q) && 32'(dut.u_ended.u_mem.gen_ram.mem[(32'(dut.u_ended.rptr_q)+32'(turn_q[w]))%WALKS]) == w));
      end
    for (genvar v = 0; v < w; v++) begin : gen_other
      always_comb
        if (!rst) begin
          lemma_two_open: assert (!dut.open_q[v] || !dut.open_q[w] || dut.key_q[v] != dut.key_q[w]);
          lemma_two_ended: assert (!ended[v] || !ended[w] || turn_q[v] != turn_q[w]);
        end
    end
  end
  always_comb
    if (!rst) begin
      lemma_ended_count: assert (32'(dut.u_ended.count_q) == $countones(ended) && 32'(dut.u_ended.rptr_q) < WALKS);
      lemma_ended_flags: assert (dut.u_ended.some_q == (dut.u_ended.count_q != '0) && dut.u_ended.full_q == (32'(dut.u_ended.count_q) == WALKS));
      lemma_ended_write: assert (32'(dut.u_ended.wptr_q) == (32'(dut.u_ended.rptr_q) + 32'(dut.u_ended.count_q)) % WALKS);
    end
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_queue
    always_comb
      if (!rst) begin
        lemma_queue_count: assert (32'(dut.gen_port[p].u_queue.count_q) == 32'(len[p]) && 32'(dut.gen_port[p].u_queue.rptr_q) < PORT_PLACES);
        lemma_queue_flags: assert (dut.gen_port[p].u_queue.some_q == (len[p] != '0) && dut.gen_port[p].u_queue.full_q == (32'(len[p]) == PORT_PLACES));
        lemma_queue_write: assert (32'(dut.gen_port[p].u_queue.wptr_q) == (32'(dut.gen_port[p].u_queue.rptr_q) + 32'(len[p])) % PORT_PLACES);
      end
    for (genvar k = 0; k < PLACES; k++) begin : gen_place
      if ((k / TLB_MSHRS) % L2_TLB_PORTS == p) begin : gen_its
        always_comb
          if (!rst) begin
            lemma_queued: assert (!listed_q[k] || 32'(list_q[k]) >= WAITS
                || dut.gen_port[p].u_queue.u_mem.gen_ram.mem[(32'(dut.gen_port[p].u_queue.rptr_q)+32'(pos_q[k]))%PORT_PLACES] == {who(k), key_q[k]});
            lemma_key: assert (!listed_q[k] || 32'(list_q[k]) >= OF_WALKS
                || dut.gen_port[p].u_key.gen_ram.mem[(k/TLB_MSHRS/L2_TLB_PORTS)*TLB_MSHRS+k%TLB_MSHRS][$bits(key_t)+$bits(access_e)+WARP_W-1:WARP_W] == {key_q[k], access_q[k]});
          end
      end
    end
  end
  for (genvar a = 0; a < PLACES; a++) begin : gen_chain
    list_t of;
    assign of = list_q[a];
    always_comb
      if (!rst) begin
        lemma_wait_first: assert (!first[a] || 32'(of) < WAITS || 32'(of) >= OF_WALKS || dut.wait_first_q[32'(of)-WAITS] == who(a));
        lemma_walk_first: assert (!first[a] || 32'(of) < OF_WALKS || dut.first_q[32'(of)-OF_WALKS] == who(a));
        lemma_wait_last: assert (!listed_q[a] || pos_q[a] + 1'b1 != len[of] || 32'(of) < WAITS || 32'(of) >= OF_WALKS || dut.wait_last_q[32'(of)-WAITS] == who(a));
        lemma_walk_last: assert (!listed_q[a] || pos_q[a] + 1'b1 != len[of] || 32'(of) < OF_WALKS || dut.last_q[32'(of)-OF_WALKS] == who(a));
      end
    for (genvar b = 0; b < PLACES; b++) begin : gen_next
      if (a != b) begin : gen_pair
        always_comb
          if (!rst) begin
            lemma_places: assert (!listed_q[a] || !listed_q[b] || list_q[a] != list_q[b] || pos_q[a] != pos_q[b]);
            lemma_next: assert (!listed_q[a] || !listed_q[b] || list_q[a] != list_q[b] || 32'(of) < WAITS || pos_q[b] != pos_q[a] + 1'b1
                || (who_t'(dut.u_behind_answered.gen_ram.mem[a]) == who(b) && who_t'(dut.u_behind_alloc.gen_ram.mem[a]) == who(b)));
          end
      end
    end
  end
endmodule
