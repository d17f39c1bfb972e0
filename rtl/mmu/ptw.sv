// Page-table walker of a core, the occupant of the translate seam (docs/translate-seam.md) with translation = core: TLB_MSHRS walks, one an id; their PTEs are read by WALKERS independent
// walkers, or coalesced: a PTE that several walks need is read once, PTEs of one line one after the other. Page: docs/blocks/ptw.md; step numbers in comments are
// the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module ptw
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // control
    input  root_t        root_i,
    input  window_t      window_i,
    input  walk_policy_t policy_i,
    output logic         idle_o,
    // the translate seam
    input  logic [1:0]   req_valid_i,
    input  translate_req_t [1:0] req_i,
    output logic         rsp_valid_o,
    output translate_rsp_t rsp_o,
    output logic [TLB_MSHRS-1:0] closed_o,
    // mem_arb
    output logic         mem_req_valid_o,
    output mem_req_t     mem_req_o,
    input  logic         mem_req_ready_i,
    input  logic         mem_rsp_valid_i,
    input  mem_rsp_t     mem_rsp_i,
    // shootdown
    input  logic         inv_valid_i,
    input  inv_t         inv_i,
    output logic         inv_done_o,
    // counters
    output ev_ptw_t      ev_o
);
  typedef walk_set_t set_t;          // of walks, or of reads
  typedef struct packed {
    pte_addr_t addr;
    level_t level;
    logic nearby;
  } lead_t;

  // ---- walks, those that begin in this cycle among them (1) -----------------------------------------------------
  set_t empty, free, ready, waits, done, finish, same_pte, nearby;
  set_t [1:0] begins;                            // by port
  set_t take, outside, ends;
  walk_t read[TLB_MSHRS];
  pte_addr_t addr[TLB_MSHRS];
  level_t level_of[TLB_MSHRS];
  level_t [TLB_MSHRS-1:0] level;
  walk_e result[TLB_MSHRS];
  leaf_t leaf[TLB_MSHRS];
  logic is_ready[TLB_MSHRS], is_waiting[TLB_MSHRS], is_done[TLB_MSHRS], finishes[TLB_MSHRS], has_same_pte[TLB_MSHRS], is_near[TLB_MSHRS];

  logic restart, came;
  walk_t rsp_read, take_read;
  step_t step;
  logic lead_valid_q;
  set_t lead_who_q;
  lead_t lead_q;

  // A walk that begins: its PTE is compared with the leader's before the number of its walk selects.
  logic [1:0] req_line, req_same_pte, req_near;
  for (genvar p = 0; p < 2; p++) begin : gen_req
    assign begins[p] = req_valid_i[p] ? set_t'(1) << req_i[p].id : '0;
    assign req_line[p] = root_i.ppn == lead_q.addr.base && req_i[p].vpn[35:27+PTE_OFF_W] == lead_q.addr.index[8:PTE_OFF_W];
    assign req_same_pte[p] = req_line[p] && req_i[p].vpn[27+:PTE_OFF_W] == lead_q.addr.index[PTE_OFF_W-1:0];
    assign req_near[p] = req_line[p] && lead_q.level == 2'd3;
  end
  for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_walk
    ptw_walk #(.N(TLB_MSHRS)) u_walk (
        .clk_i, .rst_i, .awake_i(awake), .root_i(root_i.ppn), .vpn_i({req_i[1].vpn, req_i[0].vpn}), .begin_i({begins[1][k], begins[0][k]}),
        .req_same_pte_i(req_same_pte), .req_near_i(req_near), .lead_addr_i(lead_q.addr), .lead_level_i(lead_q.level), .line_addr_i('0), .line_level_i('0), .same_pte_o(has_same_pte[k]), .near_o(is_near[k]),
        .restart_i(restart), .came_i(came), .came_read_i(rsp_read), .step_i(step), .take_i(take[k]), .take_read_i(take_read),
        .outside_i(outside[k]), .end_i(ends[k]), .empty_o(empty[k]), .free_o(free[k]), .ready_o(is_ready[k]), .waits_o(is_waiting[k]), .done_o(is_done[k]), .finish_o(finishes[k]),
        .read_o(read[k]), .addr_o(addr[k]), .level_o(level_of[k]), .result_o(result[k]), .leaf_o(leaf[k])
    );
  end
  // Sets of walks, for the simulator only while there are any: most of the time there are none.
  logic awake;
  assign awake = free != '1;
  always_comb begin
    {ready, waits, done} = '0;
    level = '0;
    `VL_WHEN(free != '1) for (int unsigned k = 0; k < TLB_MSHRS; k++) begin
      ready[k] = is_ready[k];
      waits[k] = is_waiting[k];
      done[k] = is_done[k];
      level[k] = level_of[k];
    end
  end
  always_comb begin
    {same_pte, nearby} = '0;
    `VL_WHEN(free != '1) for (int unsigned k = 0; k < TLB_MSHRS; k++) begin
      same_pte[k] = has_same_pte[k];
      nearby[k] = is_near[k];
    end
  end
  always_comb begin
    finish = '0;
    `VL_WHEN(free != '1) for (int unsigned k = 0; k < TLB_MSHRS; k++) finish[k] = finishes[k];
  end
  assign restart = inv_valid_i && (inv_i.scope != INV_ASID || inv_i.asid == root_i.asid);

  // ---- answers (2) ----------------------------------------------------------------------------------------------
  set_t awaited_q, drop_q;                       // reads
  logic [$clog2(TLB_MSHRS+1)-1:0] count_q;       // of awaited_q
  set_t fresh;                                   // the read that is sent next
  logic send, recall, chosen;                    // a read is sent to memory; a kept pointer answers it; one of the two
  assign chosen = send || recall;
  assign fresh = walk_lowest(~awaited_q);
  logic rsp_valid_q;
  walk_t rsp_read_q;
  logic [63:0] rsp_pte_q;
  pte_addr_t rsp_at_q, rsp_at;                   // where it is
  assign rsp_read = rsp_read_q;
  assign came = rsp_valid_q && !drop_q[rsp_read] && !restart;
  // Where a read's PTE is. Without kept pointers its place in the line is all that is used.
  ram_lut #(.DEPTH(TLB_MSHRS), .WIDTH($bits(pte_addr_t))) u_at (
      .clk_i, .we_i(chosen), .waddr_i(walk_index(fresh)), .wdata_i(lead_q.addr), .raddr_i(mem_rsp_i.id[WALK_W-1:0]), .rdata_o(rsp_at)
  );
  logic [LINE_BYTES/8-1:0][63:0] ptes;
  assign ptes = mem_rsp_i.data;
  ptw_pte u_pte (.pte_i(rsp_pte_q), .window_i, .step_o(step));

  // ---- kept pointers (2, 3.3, 5) ----------------------------------------------------------------------------------
  logic kept, kept_glob;                         // the leader's PTE is kept, and may answer
  ppn_t kept_ppn;
  if (WALK_POINTERS == 0) begin : gen_no_pointers
    assign {kept, kept_glob, kept_ppn} = '0;
  end else begin : gen_pointers
    asid_t space_q;
    logic hit;
    ptw_pointers #(.N(WALK_POINTERS)) u_pointers (
        .clk_i, .rst_i, .clear_i(inv_valid_i || root_i.asid != space_q), .look_i(lead_valid_q), .at_i(lead_q.addr), .hit_o(hit), .ppn_o(kept_ppn), .glob_o(kept_glob),
        .keep_i(rsp_valid_q && policy_i.pointers && !drop_q[rsp_read] && step.pointer[3]), .keep_at_i(rsp_at_q), .keep_ppn_i(step.ppn), .keep_glob_i(step.glob)
    );
    assign kept = policy_i.pointers && lead_q.level != '0 && hit;
    always_ff @(posedge clk_i) space_q <= rst_i ? '0 : root_i.asid;
  end

  // ---- the leader acts (3) --------------------------------------------------------------------------------------
  logic out_valid_q, may_act, acts, beyond, shares, room;
  mem_req_t out_q;
  line_addr_t lead_line;
  set_t sharers;                                 // walks that already wait for the leader's PTE
  walk_t shared_read;
  assign lead_line = {lead_q.addr.base, lead_q.addr.index[8:PTE_OFF_W]};
  assign may_act = lead_valid_q && !restart && (!out_valid_q || mem_req_ready_i) && fresh != '0;
  assign beyond = lead_line < window_i.base || lead_line >= window_i.limit;
  assign room = !policy_i.coalesce || policy_i.reads == '0 || 7'(count_q) < policy_i.reads;
  always_comb begin
    shared_read = '0;
    sharers = '0;
    `VL_WHEN(lead_valid_q) for (int unsigned k = 0; k < TLB_MSHRS; k++) begin
      sharers[k] = waits[k] && same_pte[k] && !(rsp_valid_q && read[k] == rsp_read);
      if (sharers[k]) shared_read |= read[k];
    end
  end
  assign shares = policy_i.coalesce && sharers != '0;
  assign acts = may_act && (beyond || shares || (kept ? !mem_rsp_valid_i : room));
  assign send = may_act && !beyond && !shares && !kept && room;
  assign recall = may_act && !beyond && !shares && kept && !mem_rsp_valid_i;
  assign take = (acts && !beyond) ? ready & (policy_i.coalesce ? same_pte : lead_who_q) : '0;
  assign take_read = shares ? shared_read : walk_index(fresh);
  assign outside = (acts && beyond) ? lead_who_q : '0;
  logic [6:0] saved;                             // references
  assign saved = 7'($countones(take)) - 7'(chosen);

  // ---- walkers (3, naive) -----------------------------------------------------------------------------------------
  logic [WALKERS-1:0] walker_on, walker_valid_q, walker_gets, walker_goes;
  set_t [WALKERS-1:0] walker_who_q;
  set_t owned_q, wanted, gets, goes;
  always_comb begin
    logic found;
    for (int unsigned w = 0; w < WALKERS; w++) begin
      walker_on[w] = !policy_i.coalesce && (w == 0 || w < 32'(policy_i.walkers));
      walker_goes[w] = walker_on[w] && walker_valid_q[w] && (walker_who_q[w] & ready & ~(lead_valid_q ? lead_who_q : '0)) != '0;
    end
    walker_gets = walker_on & ~walker_valid_q;
    walker_gets = walker_gets & (~walker_gets + 1'b1);
    goes = '0;
    found = 1'b0;
    for (int unsigned w = 0; w < WALKERS; w++) begin
      if (walker_goes[w] && !found) goes = walker_who_q[w];
      found = found || walker_goes[w];
    end
  end
  assign wanted = ready & ~owned_q;

  // ---- the next leader (3) --------------------------------------------------------------------------------------
  set_t candidates, picked, oldest_done, next;
  set_t [TLB_MSHRS-1:0] older;
  logic pick, some;                              // some: there is a next leader; known before the choice
  lead_t next_lead;
  always_comb begin
    candidates = wanted;
    if (policy_i.coalesce) candidates = lead_valid_q ? ready & ~same_pte : ready;
  end
  logic [5:0] turn_q;
  ptw_pick #(.N(TLB_MSHRS)) u_pick (.plain_i(!policy_i.coalesce || turn_q == '1), .ready_i(candidates), .level_i(level), .near_i(nearby), .older_i(older), .pick_o(picked));
  // An id that is answered at this edge may be used for a new request in the next cycle.
  ptw_age #(.N(TLB_MSHRS)) u_age (.clk_i, .rst_i, .free_i(free | ends), .of_i(done), .oldest_o(oldest_done), .older_o(older));
  assign gets = (!restart && walker_gets != '0) ? picked : '0;
  assign next = policy_i.coalesce ? picked : goes;
  assign some = (policy_i.coalesce ? candidates : goes) != '0;
  assign pick = !lead_valid_q || acts;
  always_comb begin
    next_lead = '0;
    `VL_WHEN(next != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (next[k]) next_lead |= lead_t'({addr[k], level[k], nearby[k]});
  end

  // ---- ends (4) -------------------------------------------------------------------------------------------------
  assign ends = restart ? '0 : oldest_done;
  assign rsp_valid_o = done != '0;
  assign closed_o = done;
  always_comb begin
    rsp_o = '0;
    `VL_WHEN(oldest_done != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++)
      if (oldest_done[k]) rsp_o |= translate_rsp_t'({walk_t'(k), result[k], leaf[k]});
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  logic done_q;
  ev_ptw_t ev_q;
  always_ff @(posedge clk_i) begin
    rsp_valid_q <= (mem_rsp_valid_i || recall) && !rst_i;
    rsp_read_q <= recall ? walk_index(fresh) : mem_rsp_i.id[WALK_W-1:0];
    `VL_WHEN(mem_rsp_valid_i || recall) begin
      rsp_at_q <= recall ? lead_q.addr : rsp_at;
      rsp_pte_q <= recall ? {10'b0, 44'(kept_ppn), 4'b0, kept_glob, 5'b00001} : ptes[rsp_at.index[PTE_OFF_W-1:0]];
    end
    if (pick && some && !restart) begin
      lead_q <= next_lead;
      lead_who_q <= next;
    end
    if (send) begin
      out_q <= '0;
      out_q.op <= MEM_READ;
      out_q.amo <= AMO_SWAP;
      out_q.id <= mem_id_t'(walk_index(fresh));
      out_q.cls <= 3'd4 - 3'(lead_q.level);
      out_q.asid <= root_i.asid;
      out_q.line <= lead_line;
    end
    for (int unsigned w = 0; w < WALKERS; w++) if (walker_gets[w] && gets != '0) walker_who_q[w] <= gets;

    if (rst_i) begin
      awaited_q <= '0;
      drop_q <= '0;
      count_q <= '0;
      lead_valid_q <= 1'b0;
      lead_q <= '0;
      turn_q <= '0;
      out_valid_q <= 1'b0;
      walker_valid_q <= '0;
      owned_q <= '0;
      done_q <= 1'b0;
      ev_q <= '0;
    end else begin
      // reads
      `VL_WHEN(chosen || rsp_valid_q || restart) for (int unsigned r = 0; r < TLB_MSHRS; r++) begin
        if (chosen && fresh[r]) awaited_q[r] <= 1'b1;
        else if (rsp_valid_q && rsp_read == walk_t'(r)) awaited_q[r] <= 1'b0;
        if (chosen && fresh[r]) drop_q[r] <= 1'b0;
        else if (restart) drop_q[r] <= 1'b1;
      end
      count_q <= count_q + $bits(count_q)'(chosen) - $bits(count_q)'(rsp_valid_q);
      // 3
      turn_q <= (free == '1) ? '0 : turn_q + 6'(pick && some && !restart);
      lead_valid_q <= !restart && (pick ? some : 1'b1);
      out_valid_q <= send || (out_valid_q && !mem_req_ready_i);
      for (int unsigned w = 0; w < WALKERS; w++)
        if (walker_gets[w] && gets != '0) walker_valid_q[w] <= 1'b1;
        else if ((walker_who_q[w] & finish) != '0) walker_valid_q[w] <= 1'b0;
      owned_q <= (owned_q | gets) & ~finish;
      // 5
      done_q <= inv_valid_i;
      // events
      ev_q <= '0;
      ev_q.ptw_reads_l3 <= send && lead_q.level == 2'd3;
      ev_q.ptw_reads_l2 <= send && lead_q.level == 2'd2;
      ev_q.ptw_reads_l1 <= send && lead_q.level == 2'd1;
      ev_q.ptw_reads_l0 <= send && lead_q.level == 2'd0;
      ev_q.ptw_shared <= saved;
      ev_q.ptw_shared_l3 <= (lead_q.level == 2'd3) ? saved : '0;
      ev_q.ptw_shared_l2 <= (lead_q.level == 2'd2) ? saved : '0;
      ev_q.ptw_shared_l1 <= (lead_q.level == 2'd1) ? saved : '0;
      ev_q.ptw_same_line <= send && lead_q.nearby;
      ev_q.ptw_kept <= recall;
      ev_q.ptw_stall_mem <= out_valid_q && !mem_req_ready_i;
    end
  end
  assign mem_req_valid_o = out_valid_q;
  assign mem_req_o = out_q;
  assign inv_done_o = done_q;
  assign idle_o = empty == '1 && awaited_q == '0 && !out_valid_q;
  assign ev_o = ev_q;

`ifndef SYNTHESIS
  set_t waited_for;                              // reads that some walk waits for
  always_comb begin
    waited_for = '0;
    `VL_WHEN(waits != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++) if (waits[k]) waited_for[read[k]] = 1'b1;
  end
  set_t more_states, more_happens;               // more than one of them
  always_comb begin
    more_states = (free & (ready | waits | done)) | (ready & (waits | done)) | (waits & done);
    more_happens = ((begins[0] | begins[1]) & (outside | ends)) | (take & (outside | ends)) | (outside & ends);
  end
`endif
  `VL_ASSERT(one_state, (free | ready | waits | done) == '1 && more_states == '0)
  `VL_ASSERT(one_thing_happens, more_happens == '0)
  // The other side of the seam.
  `VL_ASSERT(requests_have_ids_that_are_not_open, ((begins[0] | begins[1]) & ~empty) == '0 && (begins[0] & begins[1]) == '0)
  `VL_ASSERT(a_request_has_an_id, (!req_valid_i[0] || begins[0] != '0) && (!req_valid_i[1] || begins[1] != '0))
  `VL_ASSERT(requests_are_of_the_root, (!req_valid_i[0] || req_i[0].asid == root_i.asid) && (!req_valid_i[1] || req_i[1].asid == root_i.asid))
  `VL_ASSERT(one_walker_has_it, (owned_q & (free | done)) == '0)
  `VL_ASSERT(waits_for_what_is_awaited, (waited_for & ~(awaited_q & ~drop_q)) == '0)
  `VL_ASSERT(somebody_waits_for_what_is_awaited, (awaited_q & ~drop_q & ~waited_for) == '0)
  `VL_ASSERT(answers_are_awaited, !rsp_valid_q || awaited_q[rsp_read])
  `VL_ASSERT(count_is_right, 32'(count_q) == $countones(awaited_q))
  `VL_ASSERT(leader_is_ready, !lead_valid_q || ($countones(lead_who_q) == 1 && (lead_who_q & ~ready) == '0))
  `VL_ASSERT(one_goes_first_of_some, (next != '0) == some)
  `VL_ASSERT(answered_once, $countones(ends) <= 1 && (ends & ~done) == '0)
endmodule
