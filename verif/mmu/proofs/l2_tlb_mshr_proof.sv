// What l2_tlb_mshr promises to those who miss: every miss is in one place, a queue, a list or the answer, from the edge at which it came to its answer, so it is answered once, by a walk of its own page in its own
// address space. And to kernels, whatever the others do: a kernel without a walk can have one, gets one in its turn, and its misses go in their order. Lists are followed from their first place to their last.
// One place, any, is picked at reset; one core a port, so that a place's port is its core. Page: docs/blocks/l2_tlb_mshr.md, Why it is right.
module l2_tlb_mshr_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                              clk_i,
    input kslot_t [CORES-1:0]                owner_i,
    input logic [L2_TLB_PORTS-1:0]           miss_valid_i,
    input translate_req_t [L2_TLB_PORTS-1:0] miss_i,
    input logic                              walk_rsp_valid_i,
    input walk_rsp_t                         walk_rsp_i,
    input logic                              ans_ready_i,
    input logic                              inv_valid_i,
    input inv_t                              inv_i,
    input logic [2:0]                        pick_i
);
  localparam int unsigned PLACES = CORES * TLB_MSHRS;
  localparam int unsigned LISTS = KERNELS + WALKS;
  typedef logic [2:0] place_t;                   // PLACES is 6 here
  typedef logic [PLACES-1:0] places_t;
  typedef struct packed {
    asid_t asid;
    vpn_t vpn;
  } key_t;
  typedef struct packed {
    core_t core;
    walk_t id;
  } who_t;

  function automatic place_t place(input who_t who);
    return place_t'(32'(who.core) * TLB_MSHRS + 32'(who.id));
  endfunction
  function automatic logic exists(input who_t who);
    return 32'(who.core) < CORES && 32'(who.id) < TLB_MSHRS;
  endfunction

  // ---- what comes: a miss of an id that has none, an end of a walk that goes on; a core changes its kernel at rest ------
  logic [1:0] started_q = 2'b0;                  // two cycles of reset: in the first the registers hold anything
  logic rst, walk_rsp_valid, fill_valid, walk_req_valid, ans_valid;
  kslot_t [CORES-1:0] owner_q;
  logic [L2_TLB_PORTS-1:0] miss_valid;
  translate_req_t [L2_TLB_PORTS-1:0] miss;
  l2_fill_t fill;
  walk_req_t walk_req;
  translate_ans_t ans;
  logic [KERNELS-1:0][6:0] walks;
  ev_l2_tlb_mshr_t ev;
  places_t pending_q, comes;
  who_t [L2_TLB_PORTS-1:0] who;
  assign rst = !started_q[1];
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_miss
    always_comb begin
      miss[p] = miss_i[p];
      miss[p].core = core_t'(p);
    end
    assign who[p] = '{core: miss[p].core, id: miss[p].id};
    assign miss_valid[p] = miss_valid_i[p] && exists(who[p]) && !pending_q[place(who[p])];
  end
  always_comb begin
    comes = '0;
    for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (miss_valid[p]) comes[place(who[p])] = 1'b1;
  end
  assign walk_rsp_valid = walk_rsp_valid_i && 32'(walk_rsp_i.walk) < WALKS && dut.open_q[walk_rsp_i.walk];
  l2_tlb_mshr dut (
      .clk_i, .rst_i(rst), .owner_i(owner_q), .miss_valid_i(miss_valid), .miss_i(miss), .fill_valid_o(fill_valid), .fill_o(fill),
      .walk_req_valid_o(walk_req_valid), .walk_req_o(walk_req), .walk_rsp_valid_i(walk_rsp_valid), .walk_rsp_i, .ans_valid_o(ans_valid), .ans_o(ans), .ans_ready_i,
      .inv_valid_i, .inv_i, .walks_o(walks), .ev_o(ev)
  );

  // ---- queues, lists, the answer: which places are in them --------------------------------------------------------------
  places_t [L2_TLB_PORTS-1:0] queued;
  places_t [LISTS-1:0] listed;                   // of kernels that wait, of walks
  places_t answered;
  logic [LISTS-1:0] some, whole;                 // it has a place; its last one is reached from its first
  key_t [PLACES-1:0] key;                        // of a place
  who_t [PLACES-1:0] behind;
  places_t same;                                 // both copies of `behind` say the same
  logic [L2_TLB_PORTS-1:0] fits;                 // a queue's pointers, and its entries
  for (genvar p = 0; p < L2_TLB_PORTS; p++) begin : gen_port
    logic [TLB_MSHRS-1:0] used;
    who_t [TLB_MSHRS-1:0] entry;
    key_t [TLB_MSHRS-1:0] entry_key;
    for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_entry
      assign {entry[k], entry_key[k]} = dut.gen_port[p].u_queue.u_mem.gen_ram.mem[k];
      assign used[k] = ((k + TLB_MSHRS - 32'(dut.gen_port[p].u_queue.rptr_q)) % TLB_MSHRS) < 32'(dut.gen_port[p].u_queue.count_q);
      assign key[p * TLB_MSHRS + k] = dut.gen_port[p].u_key.gen_ram.mem[k][$bits(key_t)+$bits(access_e)+$bits(warp_t)-1 -: $bits(key_t)];
    end
    always_comb begin
      queued[p] = '0;
      fits[p] = 32'(dut.gen_port[p].u_queue.rptr_q) < TLB_MSHRS
          && 32'(dut.gen_port[p].u_queue.wptr_q) == (32'(dut.gen_port[p].u_queue.rptr_q) + 32'(dut.gen_port[p].u_queue.count_q)) % TLB_MSHRS;
      for (int unsigned k = 0; k < TLB_MSHRS; k++)
        if (used[k]) begin
          queued[p][place(entry[k])] = 1'b1;
          fits[p] &= exists(entry[k]) && 32'(entry[k].core) == p && entry_key[k] == key[place(entry[k])];
        end
      fits[p] &= 32'(dut.gen_port[p].u_queue.count_q) == $countones(queued[p]) && 32'(dut.gen_port[p].u_queue.count_q) <= TLB_MSHRS
          && dut.gen_port[p].u_queue.some_q == (dut.gen_port[p].u_queue.count_q != '0) && dut.gen_port[p].u_queue.full_q == (32'(dut.gen_port[p].u_queue.count_q) == TLB_MSHRS);
    end
  end
  for (genvar n = 0; n < PLACES; n++) begin : gen_place
    assign behind[n] = dut.u_behind_answered.gen_ram.mem[n];
    assign same[n] = behind[n] == dut.u_behind_alloc.gen_ram.mem[n];
  end
  who_t [LISTS-1:0] first, last;
  for (genvar l = 0; l < LISTS; l++) begin : gen_list
    if (l < KERNELS) begin : gen_waits
      assign some[l] = dut.waiting_q[l];
      assign first[l] = dut.wait_first_q[l];
      assign last[l] = dut.wait_last_q[l];
    end else begin : gen_walk
      assign some[l] = dut.valid_q[l-KERNELS];
      assign first[l] = dut.first_q[l-KERNELS];
      assign last[l] = dut.last_q[l-KERNELS];
    end
    always_comb begin
      who_t at;
      logic goes;
      at = first[l];
      goes = some[l];
      whole[l] = !some[l] || (exists(first[l]) && exists(last[l]));
      listed[l] = '0;
      for (int unsigned n = 0; n < PLACES; n++)
        if (goes) begin
          whole[l] &= exists(at) && !listed[l][place(at)];
          listed[l][place(at)] = 1'b1;
          goes = at != last[l];
          if (goes) begin
            whole[l] &= same[place(at)];
            at = behind[place(at)];
          end
        end
      whole[l] &= !goes;
    end
  end
  who_t ans_who;
  assign ans_who = '{core: ans.core, id: ans.rsp.id};
  assign answered = ans_valid ? places_t'(1) << place(ans_who) : '0;

  // ---- the pick: its miss, and how many stand before it among those of its kernel ---------------------------------------
  place_t pick_q;
  key_t asked_q;
  logic [2:0] ahead, ahead_q;
  logic [KERNELS-1:0] waits, waits_q;            // it stands in a kernel's list; at the last edge, and that kernel was chosen or not
  logic [KERNELS-1:0] chosen_q;
  always_comb begin
    who_t at;
    ahead = '0;
    waits = '0;
    for (int unsigned s = 0; s < KERNELS; s++) begin
      at = first[s];
      waits[s] = listed[s][pick_q];
      for (int unsigned n = 0; n < PLACES; n++)
        if (waits[s] && place(at) != pick_q) begin
          ahead += 3'(32'(ahead) == n);
          at = behind[place(at)];
        end
    end
  end

  // ---- kernels: how long one that has no walk, and has misses that wait, has not been chosen ----------------------------
  logic [KERNELS-1:0] asks, chosen;
  logic [KERNELS-1:0][1:0] passed_q;
  assign asks = dut.waiting_q & dut.none_q;
  assign chosen = dut.allocates ? dut.chosen : '0;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    chosen_q <= chosen;
    waits_q <= rst ? '0 : waits;
    ahead_q <= ahead;
    for (int unsigned c = 0; c < CORES; c++)
      if (rst || (pending_q[c*TLB_MSHRS+:TLB_MSHRS] == '0 && !miss_valid[c])) owner_q[c] <= kslot_t'(owner_i[c][KSLOT_W-1:0]);
    if (rst) begin
      pick_q <= (32'(pick_i) < PLACES) ? pick_i : '0;
      pending_q <= '0;
      passed_q <= '0;
    end else begin
      pending_q <= (pending_q | comes) & ~((ans_valid && ans_ready_i) ? answered : '0);
      for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (miss_valid[p] && place(who[p]) == pick_q) asked_q <= '{asid: miss[p].asid, vpn: miss[p].vpn};
      for (int unsigned s = 0; s < KERNELS; s++) passed_q[s] <= (asks[s] && !chosen[s]) ? passed_q[s] + 1'b1 : '0;
    end
  end

  // In how many queues, lists and answers each place is.
  logic [PLACES-1:0][3:0] times;
  always_comb
    for (int unsigned n = 0; n < PLACES; n++) begin
      times[n] = 4'(answered[n]);
      for (int unsigned p = 0; p < L2_TLB_PORTS; p++) times[n] += 4'(queued[p][n]);
      for (int unsigned l = 0; l < LISTS; l++) times[n] += 4'(listed[l][n]);
    end
  logic [WALKS-1:0] ended;                       // walks in the queue of those that have ended
  logic ended_fits;
  always_comb begin
    ended = '0;
    ended_fits = 32'(dut.u_ended.rptr_q) < WALKS && 32'(dut.u_ended.wptr_q) == (32'(dut.u_ended.rptr_q) + 32'(dut.u_ended.count_q)) % WALKS;
    for (int unsigned k = 0; k < WALKS; k++)
      if (((k + WALKS - 32'(dut.u_ended.rptr_q)) % WALKS) < 32'(dut.u_ended.count_q)) begin
        ended_fits &= 32'(dut.u_ended.u_mem.gen_ram.mem[k]) < WALKS;
        ended[dut.u_ended.u_mem.gen_ram.mem[k]] = 1'b1;
      end
    ended_fits &= $countones(ended) == 32'(dut.u_ended.count_q) && 32'(dut.u_ended.count_q) <= WALKS
        && dut.u_ended.some_q == (dut.u_ended.count_q != '0) && dut.u_ended.full_q == (32'(dut.u_ended.count_q) == WALKS);
  end

  always_comb
    if (!rst) begin
      in_one_place: assert (times[pick_q] == 4'(pending_q[pick_q]));
      an_answer_is_awaited: assert (!ans_valid || (exists(ans_who) && pending_q[place(ans_who)]));
      answered_by_a_walk_of_its_page: assert (!dut.answers || place(dut.answered) != pick_q || key_t'(dut.key_q[dut.ended]) == asked_q);
      who_has_no_walk_can_have_one: assert ((dut.none_q & ~dut.may) == '0);
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_pick: assert (32'(pick_q) < PLACES && (!pending_q[pick_q] || key[pick_q] == asked_q));
      lemma_queues: assert (fits == '1);
      lemma_lists: assert (whole == '1);
      lemma_ended: assert (ended_fits && ended == (dut.valid_q & ~dut.open_q));
      lemma_waits: assert (32'(dut.waits_q) == $countones(listed[0] | listed[1]));
    end
  for (genvar n = 0; n < PLACES; n++) begin : gen_once
    always_comb if (!rst) lemma_once: assert (times[n] == 4'(pending_q[n]));
  end
  for (genvar s = 0; s < KERNELS; s++) begin : gen_kernel
    logic [WALKS-1:0] own;
    for (genvar w = 0; w < WALKS; w++) begin : gen_own
      assign own[w] = dut.valid_q[w] && 32'(dut.slot_q[w]) == s;
    end
    always_comb
      if (!rst) begin
        gets_one_in_its_turn: assert (32'(passed_q[s]) < KERNELS);
        served_in_order: assert (!waits_q[s] || !waits[s] || ahead == ahead_q - 3'(chosen_q[s]));
        // ---- lemmas
        lemma_has: assert (32'(dut.has_q[s]) == $countones(own) && dut.none_q[s] == (own == '0));
        lemma_turn: assert (passed_q[s] == '0 || dut.u_turn.from_q == ((s == 0) ? 2'b11 : 2'b10));
        lemma_pointer: assert (dut.u_turn.from_q[KERNELS-1]);
      end
  end
  for (genvar w = 0; w < WALKS; w++) begin : gen_walks
    logic [PLACES-1:0] other;                    // that waits for the walk, and asked for another page
    for (genvar n = 0; n < PLACES; n++) begin : gen_other
      assign other[n] = listed[KERNELS+w][n] && key[n] != key_t'(dut.key_q[w]);
    end
    always_comb if (!rst) lemma_page: assert (other == '0 && 32'(dut.slot_q[w]) < KERNELS);
    for (genvar v = 0; v < w; v++) begin : gen_pair
      always_comb if (!rst) lemma_one_open: assert (!dut.open_q[w] || !dut.open_q[v] || dut.key_q[w] != dut.key_q[v]);
    end
  end
endmodule
