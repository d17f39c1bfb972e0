// Shared page-table walker, behind the L2 TLB with translation = shared: WALKS walks at once, each in the address space of its core. PTEs are read as ptw reads those of one core, coalesced or
// not, and kernels take turns in choosing the next read: none waits for another one's walks, and the time of one does not depend on another one's reads.
// Page: docs/blocks/walker.md, and docs/blocks/ptw.md, with the same leaves; step numbers in comments are the former's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module walker
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // control
    input  root_t [CORES-1:0]     root_i,
    input  kslot_t [CORES-1:0]    owner_i,        // kernel of each core
    input  window_t [KERNELS-1:0] window_i,
    input  walk_policy_t policy_i,
    // l2_tlb_mshr
    input  logic         req_valid_i,
    input  walk_req_t    req_i,
    output logic         rsp_valid_o,
    output walk_rsp_t    rsp_o,
    // walk_cache
    output logic         mem_req_valid_o,
    output pte_read_t    mem_req_o,
    input  logic         mem_req_ready_i,
    input  logic         mem_rsp_valid_i,
    input  mem_rsp_t     mem_rsp_i,
    // shootdown
    input  logic         inv_valid_i,
    input  inv_t         inv_i,
    output logic         inv_done_o,
    // counters
    output ev_walker_t   ev_o
);
  typedef shared_set_t set_t;               // of walks, or of reads
  typedef logic [KSLOT_W-1:0] slot_t;
  typedef struct packed {
    pte_addr_t addr;
    level_t level;
  } line_t;                                      // a PTE with its line and level is near to it
  typedef struct packed {
    pte_addr_t addr;
    level_t level;
    logic nearby;
    asid_t asid;
    access_e access;
  } lead_t;
  typedef struct packed {
    logic [PTE_OFF_W-1:0] place;                 // of the PTE in the line
    slot_t slot;
    asid_t asid;
  } read_t;

  // Does the invalidation of this cycle concern an address space?
  function automatic logic concerns(input logic valid, input inv_t inv, input asid_t asid);
    return valid && (inv.scope != INV_ASID || inv.asid == asid);
  endfunction

  // ---- walks, with the one that begins in this cycle (1) ----------------------------------------------------------
  set_t begins, empty, free, ready, waits, done, has_same_pte, same_lead, nearby, restart;
  set_t take, outside, ends;
  set_t of[KERNELS], mine_q[KERNELS];            // the walks of a kernel
  shared_walk_t read[WALKS];
  pte_addr_t addr[WALKS];
  level_t level_of[WALKS];
  level_t [WALKS-1:0] level;
  walk_e result[WALKS];
  leaf_t leaf[WALKS];
  logic is_ready[WALKS], is_waiting[WALKS], is_done[WALKS], is_same_pte[WALKS], is_near[WALKS];
  asid_t asid_q[WALKS];
  access_e access_q[WALKS];
  slot_t slot_q[WALKS];
  ppn_t root_q[WALKS];                           // to begin again with: its core's

  logic came;
  shared_walk_t take_read, rsp_read_q;
  step_t step;
  logic lead_valid_q, lead_restarts;
  set_t lead_who_q;
  slot_t lead_slot_q;
  lead_t lead_q;
  line_t line_q[KERNELS], last_line[KERNELS];    // of a kernel's last leader

  // A walk that begins: its PTE is compared with the leader's before the number of its walk selects.
  slot_t req_slot;
  ppn_t req_root;
  line_t req_last_line;
  logic req_same_pte, req_near;
  assign begins = req_valid_i ? set_t'(1) << req_i.walk : '0;
  assign req_slot = owner_i[req_i.core][KSLOT_W-1:0];
  assign req_root = root_i[req_i.core].ppn;
  assign req_last_line = last_line[req_slot];
  assign req_same_pte = req_root == lead_q.addr.base && req_i.vpn[35:27] == lead_q.addr.index;
  assign req_near = req_root == req_last_line.addr.base && req_i.vpn[35:27+PTE_OFF_W] == req_last_line.addr.index[8:PTE_OFF_W] && req_last_line.level == 2'd3;
  always_comb
    for (int unsigned s = 0; s < KERNELS; s++) begin
      of[s] = mine_q[s] | (32'(req_slot) == s ? begins : '0);
      last_line[s] = (lead_valid_q && 32'(lead_slot_q) == s) ? line_t'({lead_q.addr, lead_q.level}) : line_q[s];
    end

  logic awake;
  for (genvar k = 0; k < WALKS; k++) begin : gen_walk
    line_t line;                                 // of its kernel
    always_comb begin
      line = '0;
      `VL_WHEN(awake) line = last_line[slot_q[k]];
    end
    ptw_walk #(.N(WALKS), .LINES(1'b1)) u_walk (
        .clk_i, .rst_i, .awake_i(awake), .root_i(empty[k] ? req_root : root_q[k]), .vpn_i({vpn_t'(0), req_i.vpn}), .begin_i({1'b0, begins[k]}),
        .req_same_pte_i({1'b0, req_same_pte}), .req_near_i({1'b0, req_near}), .lead_addr_i(lead_q.addr), .lead_level_i(lead_q.level), .line_addr_i(line.addr), .line_level_i(line.level),
        .same_pte_o(is_same_pte[k]), .near_o(is_near[k]), .restart_i(restart[k]), .came_i(came), .came_read_i(rsp_read_q), .step_i(step), .take_i(take[k]), .take_read_i(take_read),
        .outside_i(outside[k]), .end_i(ends[k]), .empty_o(empty[k]), .free_o(free[k]), .ready_o(is_ready[k]), .waits_o(is_waiting[k]), .done_o(is_done[k]), .finish_o(),
        .read_o(read[k]), .addr_o(addr[k]), .level_o(level_of[k]), .result_o(result[k]), .leaf_o(leaf[k])
    );
  end
  // Sets of walks, for the simulator only while there are any.
  assign awake = free != '1;
  always_comb begin
    {ready, waits, done} = '0;
    level = '0;
    `VL_WHEN(free != '1) for (int unsigned k = 0; k < WALKS; k++) begin
      ready[k] = is_ready[k];
      waits[k] = is_waiting[k];
      done[k] = is_done[k];
      level[k] = level_of[k];
    end
  end
  always_comb begin
    {has_same_pte, nearby} = '0;
    `VL_WHEN(free != '1) for (int unsigned k = 0; k < WALKS; k++) begin
      has_same_pte[k] = is_same_pte[k];
      nearby[k] = is_near[k];
    end
  end
  assign same_lead = has_same_pte & of[lead_slot_q];   // and so of its address space
  always_comb begin
    restart = '0;
    `VL_WHEN(inv_valid_i) for (int unsigned k = 0; k < WALKS; k++) restart[k] = concerns(inv_valid_i, inv_i, begins[k] ? req_i.asid : asid_q[k]);
  end
  assign lead_restarts = lead_valid_q && concerns(inv_valid_i, inv_i, lead_q.asid);

  // ---- answers (2) ----------------------------------------------------------------------------------------------
  set_t awaited_q, drop_q;                       // reads
  asid_t read_asid_q[WALKS];
  typedef logic [$clog2(WALKS+1)-1:0] count_t;
  count_t count_q[KERNELS];                      // of a kernel's awaited_q
  set_t fresh;                                   // the read that is sent next
  logic send;
  read_t sent, answered, rsp_q;
  logic rsp_valid_q;
  logic [63:0] rsp_pte_q;
  assign fresh = shared_lowest(~awaited_q);
  assign came = rsp_valid_q && !drop_q[rsp_read_q] && !concerns(inv_valid_i, inv_i, rsp_q.asid);
  assign sent = '{place: lead_q.addr.index[PTE_OFF_W-1:0], slot: lead_slot_q, asid: lead_q.asid};
  ram_lut #(.DEPTH(WALKS), .WIDTH($bits(read_t))) u_reads (
      .clk_i, .we_i(send), .waddr_i(shared_index(fresh)), .wdata_i(sent), .raddr_i(mem_rsp_i.id[$bits(shared_walk_t)-1:0]), .rdata_o(answered)
  );
  logic [LINE_BYTES/8-1:0][63:0] ptes;
  assign ptes = mem_rsp_i.data;
  ptw_pte u_pte (.pte_i(rsp_pte_q), .window_i(window_i[rsp_q.slot]), .step_o(step));

  // ---- the leader acts, or is given up (3) ------------------------------------------------------------------------
  logic out_valid_q, may_act, acts, gives_up, beyond, shares, room;
  pte_read_t out_q;
  window_t window;
  line_addr_t lead_line;
  set_t sharers;                                 // walks that already wait for the leader's PTE
  shared_walk_t shared_read;
  assign window = window_i[lead_slot_q];
  assign lead_line = {lead_q.addr.base, lead_q.addr.index[8:PTE_OFF_W]};
  assign may_act = lead_valid_q && !lead_restarts && (!out_valid_q || mem_req_ready_i) && fresh != '0;
  assign beyond = lead_line < window.base || lead_line >= window.limit;
  assign room = !policy_i.coalesce || policy_i.reads == '0 || 7'(count_q[lead_slot_q]) < policy_i.reads;
  always_comb begin
    shared_read = '0;
    sharers = '0;
    `VL_WHEN(lead_valid_q) for (int unsigned k = 0; k < WALKS; k++) begin
      sharers[k] = waits[k] && same_lead[k] && !(rsp_valid_q && read[k] == rsp_read_q);
      if (sharers[k]) shared_read |= read[k];
    end
  end
  assign shares = policy_i.coalesce && sharers != '0;
  assign acts = may_act && (beyond || shares || room);
  assign gives_up = may_act && !(beyond || shares || room);
  assign send = may_act && !beyond && !shares && room;
  assign take = (acts && !beyond) ? (policy_i.coalesce ? ready & same_lead : lead_who_q) : '0;
  assign take_read = shares ? shared_read : shared_index(fresh);
  assign outside = (acts && beyond) ? lead_who_q : '0;
  logic [6:0] saved;                             // references
  assign saved = 7'($countones(take)) - 7'(send);

  // ---- the next leader (3): of the kernels with a candidate the next one's --------------------------------------------
  set_t led, candidates, own, picked, oldest_done, next;
  set_t [WALKS-1:0] older;
  logic [KERNELS-1:0] asks;
  slot_t slot;
  logic pick, becomes;
  lead_t next_lead;
  logic [5:0] turn_q[KERNELS];
  always_comb begin
    led = '0;
    if (lead_valid_q) led = policy_i.coalesce ? same_lead : lead_who_q;
    candidates = ready & ~led;
    if (gives_up) candidates &= ~of[lead_slot_q];
    for (int unsigned s = 0; s < KERNELS; s++) asks[s] = (candidates & of[s]) != '0;
  end
  assign pick = !lead_valid_q || acts || gives_up;
  rr_arb #(.N(KERNELS)) u_turn (.clk_i, .rst_i, .req_i(asks), .advance_i(pick), .grant_o(), .index_o(slot));
  assign own = candidates & of[slot];
  ptw_pick #(.N(WALKS)) u_pick (.plain_i(!policy_i.coalesce || turn_q[slot] == '1), .ready_i(own), .level_i(level), .near_i(nearby), .older_i(older), .pick_o(picked));
  // The id of a walk that is answered at this edge may be used again in the next cycle.
  ptw_age #(.N(WALKS)) u_age (.clk_i, .rst_i, .free_i(free | ends), .of_i(done), .oldest_o(oldest_done), .older_o(older));
  assign next = pick ? picked : '0;
  assign becomes = next != '0 && (next & restart) == '0;
  always_comb begin
    next_lead = '0;
    `VL_WHEN(next != '0) for (int unsigned k = 0; k < WALKS; k++)
      if (next[k]) next_lead |= lead_t'({addr[k], level[k], nearby[k], begins[k] ? {req_i.asid, req_i.access} : {asid_q[k], access_q[k]}});
  end

  // ---- ends (4) -------------------------------------------------------------------------------------------------
  assign ends = oldest_done & ~restart;
  assign rsp_valid_o = done != '0;
  always_comb begin
    rsp_o = '0;
    `VL_WHEN(oldest_done != '0) for (int unsigned k = 0; k < WALKS; k++) if (oldest_done[k]) rsp_o |= walk_rsp_t'({shared_walk_t'(k), result[k], leaf[k]});
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  logic done_q;
  ev_walker_t ev_q;
  always_ff @(posedge clk_i) begin
    `VL_WHEN(req_valid_i) for (int unsigned k = 0; k < WALKS; k++) if (begins[k]) begin
      asid_q[k] <= req_i.asid;
      access_q[k] <= req_i.access;
      slot_q[k] <= req_slot;
      root_q[k] <= req_root;
    end
    rsp_valid_q <= mem_rsp_valid_i && !rst_i;
    rsp_read_q <= mem_rsp_i.id[$bits(shared_walk_t)-1:0];
    `VL_WHEN(mem_rsp_valid_i) begin
      rsp_q <= answered;
      rsp_pte_q <= ptes[answered.place];
    end
    if (becomes) begin
      lead_q <= next_lead;
      lead_who_q <= next;
      lead_slot_q <= slot;
    end
    if (send) out_q <= '{read: shared_index(fresh), level: lead_q.level, asid: lead_q.asid, access: lead_q.access, line: lead_line, place: lead_q.addr.index[PTE_OFF_W-1:0]};
    `VL_WHEN(send) for (int unsigned r = 0; r < WALKS; r++) if (send && fresh[r]) read_asid_q[r] <= lead_q.asid;

    if (rst_i) begin
      awaited_q <= '0;
      drop_q <= '0;
      lead_valid_q <= 1'b0;
      lead_q <= '0;
      lead_slot_q <= '0;
      out_valid_q <= 1'b0;
      for (int unsigned s = 0; s < KERNELS; s++) begin
        mine_q[s] <= '0;
        count_q[s] <= '0;
        turn_q[s] <= '0;
        line_q[s] <= '0;
      end
      done_q <= 1'b0;
      ev_q <= '0;
    end else begin
      // reads
      `VL_WHEN(send || rsp_valid_q || inv_valid_i) for (int unsigned r = 0; r < WALKS; r++) begin
        if (send && fresh[r]) awaited_q[r] <= 1'b1;
        else if (rsp_valid_q && rsp_read_q == shared_walk_t'(r)) awaited_q[r] <= 1'b0;
        if (send && fresh[r]) drop_q[r] <= 1'b0;
        else if (concerns(inv_valid_i, inv_i, read_asid_q[r])) drop_q[r] <= 1'b1;
      end
      for (int unsigned s = 0; s < KERNELS; s++) begin
        mine_q[s] <= of[s] & ~ends;
        count_q[s] <= count_q[s] + count_t'(send && 32'(lead_slot_q) == s) - count_t'(rsp_valid_q && 32'(rsp_q.slot) == s);
        // 3
        turn_q[s] <= (of[s] == '0) ? '0 : turn_q[s] + 6'(becomes && 32'(slot) == s) - 6'(gives_up && 32'(lead_slot_q) == s);
        if ((acts || lead_restarts) && 32'(lead_slot_q) == s) line_q[s] <= line_t'({lead_q.addr, lead_q.level});
      end
      lead_valid_q <= pick ? becomes : !lead_restarts;
      out_valid_q <= send || (out_valid_q && !mem_req_ready_i);
      // 5
      done_q <= inv_valid_i;
      // events
      ev_q <= '0;
      ev_q.walker_reads_l3 <= send && lead_q.level == 2'd3;
      ev_q.walker_reads_l2 <= send && lead_q.level == 2'd2;
      ev_q.walker_reads_l1 <= send && lead_q.level == 2'd1;
      ev_q.walker_reads_l0 <= send && lead_q.level == 2'd0;
      ev_q.walker_shared <= saved;
      ev_q.walker_shared_l3 <= (lead_q.level == 2'd3) ? saved : '0;
      ev_q.walker_shared_l2 <= (lead_q.level == 2'd2) ? saved : '0;
      ev_q.walker_shared_l1 <= (lead_q.level == 2'd1) ? saved : '0;
      ev_q.walker_same_line <= send && lead_q.nearby;
      ev_q.walker_stall_mem <= out_valid_q && !mem_req_ready_i;
      ev_q.walker_busy <= 7'($countones(~free));
    end
  end
  assign mem_req_valid_o = out_valid_q;
  assign mem_req_o = out_q;
  assign inv_done_o = done_q;
  assign ev_o = ev_q;

`ifndef SYNTHESIS
  set_t waited_for;                              // reads that some walk waits for
  always_comb begin
    waited_for = '0;
    `VL_WHEN(waits != '0) for (int unsigned k = 0; k < WALKS; k++) if (waits[k]) waited_for[read[k]] = 1'b1;
  end
  set_t other_space;                             // a walk of the leader's kernel in another address space
  always_comb begin
    other_space = '0;
    `VL_WHEN(lead_valid_q) for (int unsigned k = 0; k < WALKS; k++) other_space[k] = of[lead_slot_q][k] && (begins[k] ? req_i.asid : asid_q[k]) != lead_q.asid;
  end
  int unsigned awaited, owned;
  set_t owners;
  always_comb begin
    awaited = 0;
    owned = 0;
    owners = '0;
    for (int unsigned s = 0; s < KERNELS; s++) begin
      awaited += 32'(count_q[s]);
      owned += $countones(of[s]);
      owners |= of[s];
    end
  end
`endif
  `VL_ASSERT(requests_are_for_walks_that_are_free, (begins & ~empty) == '0 && (!req_valid_i || begins != '0))
  `VL_ASSERT(each_walk_has_one_kernel, owners == ~free && owned == $countones(~free))
  `VL_ASSERT(a_kernel_has_one_address_space, !lead_valid_q || other_space == '0)
  `VL_ASSERT(waits_for_what_is_awaited, (waited_for & ~(awaited_q & ~drop_q)) == '0)
  `VL_ASSERT(somebody_waits_for_what_is_awaited, (awaited_q & ~drop_q & ~waited_for) == '0)
  `VL_ASSERT(answers_are_awaited, !rsp_valid_q || awaited_q[rsp_read_q])
  `VL_ASSERT(count_is_right, awaited == $countones(awaited_q))
  `VL_ASSERT(leader_is_ready, !lead_valid_q || ($countones(lead_who_q) == 1 && (lead_who_q & ~ready) == '0))
  `VL_ASSERT(answered_once, $countones(ends) <= 1 && (ends & ~done) == '0)
endmodule
