// Misses of the shared L2 TLB: those of one page of one address space are merged into one walk; kernels get walks in turn, and one is kept for each kernel that has none; when a walk
// ends its leaf goes to the L2 TLB, and all that wait for it are answered, one a cycle. Every miss has a place of its own, so one is always taken.
// Page: docs/blocks/l2_tlb_mshr.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2_tlb_mshr
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                                clk_i,
    input  logic                                rst_i,
    // control
    input  kslot_t [CORES-1:0]                  owner_i,        // kernel of each core
    // l2_tlb
    input  logic [L2_TLB_PORTS-1:0]             miss_valid_i,
    input  translate_req_t [L2_TLB_PORTS-1:0]   miss_i,
    output logic                                fill_valid_o,
    output l2_fill_t                            fill_o,
    // walker
    output logic                                walk_req_valid_o,
    output walk_req_t                           walk_req_o,
    input  logic                                walk_rsp_valid_i,
    input  walk_rsp_t                           walk_rsp_i,
    // ans_net
    output logic                                ans_valid_o,
    output translate_ans_t                      ans_o,
    input  logic                                ans_ready_i,
    // shootdown
    input  logic                                inv_valid_i,
    input  inv_t                                inv_i,
    // stall_count, counters
    output logic [KERNELS-1:0][6:0]             walks_o,        // valid ones of each kernel
    output ev_l2_tlb_mshr_t                     ev_o
);
  localparam int unsigned PORT_CORES = (CORES + L2_TLB_PORTS - 1) / L2_TLB_PORTS;   // that a port has at most
  localparam int unsigned PORT_PLACES = PORT_CORES * TLB_MSHRS;
  localparam int unsigned PLACES = CORES * TLB_MSHRS;
  localparam int unsigned PLACE_W = idx_w(PLACES);
  localparam int unsigned FREE_W = $clog2(WALKS + 1);
  typedef logic [PLACE_W-1:0] place_t;
  typedef logic [idx_w(PORT_PLACES)-1:0] port_place_t;
  typedef logic [L2_TLB_PORTS-1:0] ports_t;
  typedef shared_set_t set_t;               // of walks
  typedef logic [KERNELS-1:0] slots_t;
  typedef logic [FREE_W-1:0] number_t;
  typedef struct packed {
    asid_t asid;
    vpn_t vpn;
  } key_t;
  typedef struct packed {
    core_t core;
    walk_t id;
  } who_t;
  typedef struct packed {
    access_e access;
    warp_t warp;
  } whose_t;                                     // of the access that began the miss
  typedef struct packed {
    who_t who;
    key_t key;
  } miss_entry_t;
  typedef struct packed {
    walk_e result;
    leaf_t leaf;
  } end_t;

  function automatic place_t place(input who_t who);
    return place_t'(32'(who.core) * TLB_MSHRS + 32'(who.id));
  endfunction
  function automatic port_place_t port_place(input who_t who);
    return port_place_t'((32'(who.core) / L2_TLB_PORTS) * TLB_MSHRS + 32'(who.id));
  endfunction

  // ---- state ----------------------------------------------------------------------------------------------------
  set_t valid_q, open_q;                         // open: valid and not ended, can be joined
  key_t key_q[WALKS];
  logic [KSLOT_W-1:0] slot_q[WALKS];
  core_t core_q[WALKS];                          // of the miss that began it, and its warp
  warp_t warp_q[WALKS];
  who_t first_q[WALKS], last_q[WALKS];           // of those that wait for the walk
  who_t wait_first_q[KERNELS], wait_last_q[KERNELS];   // of those that wait for a walk
  slots_t waiting_q;                             // the list is not empty
  number_t has_q[KERNELS], free_q;               // walks of a kernel; free ones
  slots_t none_q;                                // kernels without a walk

  // ---- ends (4) -------------------------------------------------------------------------------------------------
  logic ending;
  set_t ending_one, joinable;
  assign ending = walk_rsp_valid_i && !(inv_valid_i && (inv_i.scope != INV_ASID || inv_i.asid == key_q[walk_rsp_i.walk].asid));
  assign ending_one = ending ? set_t'(1) << walk_rsp_i.walk : '0;
  assign joinable = open_q & ~ending_one;

  // ---- misses (1): a place each, and in the queue of the port ------------------------------------------------------
  ports_t queued, turn, port_takes;
  miss_entry_t [L2_TLB_PORTS-1:0] head;
  who_t alloc_who;                               // the place at 3
  key_t [L2_TLB_PORTS-1:0] alloc_key;            // its, if it is one of this port
  whose_t [L2_TLB_PORTS-1:0] alloc_whose;
  for (genvar p = 0; p < int'(L2_TLB_PORTS); p++) begin : gen_port
    miss_entry_t entry;
    logic ready;
    assign entry = '{who: '{core: miss_i[p].core, id: miss_i[p].id}, key: '{asid: miss_i[p].asid, vpn: miss_i[p].vpn}};
    fifo #(.T(miss_entry_t), .DEPTH(PORT_PLACES)) u_queue (
        .clk_i, .rst_i, .valid_i(miss_valid_i[p]), .ready_o(ready), .data_i(entry), .valid_o(queued[p]), .ready_i(port_takes[p]), .data_o(head[p])
    );
    ram_lut #(.DEPTH(PORT_PLACES), .WIDTH($bits(key_t) + $bits(whose_t))) u_key (
        .clk_i, .we_i(miss_valid_i[p]), .waddr_i(port_place(entry.who)), .wdata_i({entry.key, miss_i[p].access, miss_i[p].warp}),
        .raddr_i(port_place(alloc_who)), .rdata_o({alloc_key[p], alloc_whose[p]})
    );
    `VL_ASSERT(misses_have_room, !miss_valid_i[p] || ready)
    `VL_ASSERT(misses_come_at_their_port, !miss_valid_i[p] || 32'(miss_i[p].core) % L2_TLB_PORTS == p)
  end

  // ---- allocation (3): the first that waits of a kernel that may have a walk ---------------------------------------
  slots_t may, asks, chosen;
  logic [KSLOT_W-1:0] slot;
  key_t alloc_asks;
  whose_t alloc_for;
  logic some_free, allocates, alloc_joins, alloc_walks;
  number_t reserved;                             // walks that are kept for kernels without one
  set_t alloc_into, lowest_free;
  shared_walk_t fresh;
  assign some_free = free_q != '0;
  always_comb begin
    reserved = '0;
    for (int unsigned k = 0; k < KERNELS; k++) reserved += number_t'(none_q[k]);
  end
  assign may = !some_free ? '0 : free_q > reserved ? '1 : none_q;
  assign asks = waiting_q & may;
  rr_arb #(.N(KERNELS)) u_turn (.clk_i, .rst_i, .req_i(asks), .advance_i(1'b1), .grant_o(chosen), .index_o(slot));
  assign allocates = asks != '0;
  assign alloc_who = wait_first_q[slot];
  always_comb begin
    {alloc_asks, alloc_for} = '0;
    `VL_WHEN(allocates) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (32'(alloc_who.core) % L2_TLB_PORTS == p) {alloc_asks, alloc_for} |= {alloc_key[p], alloc_whose[p]};
  end
  always_comb begin
    alloc_into = '0;
    `VL_WHEN(allocates) for (int unsigned w = 0; w < WALKS; w++) alloc_into[w] = allocates && joinable[w] && key_q[w] == alloc_asks;
  end
  assign alloc_joins = alloc_into != '0;
  assign alloc_walks = allocates && !alloc_joins;
  assign lowest_free = ~valid_q & (valid_q + 1'b1);
  assign fresh = shared_index(lowest_free);

  // ---- join or wait (2) -------------------------------------------------------------------------------------------
  logic enters, enter_joins, enter_waits;
  miss_entry_t enter;
  logic [KSLOT_W-1:0] enter_slot;
  set_t enter_into, grows;
  rr_arb #(.N(L2_TLB_PORTS)) u_port (.clk_i, .rst_i, .req_i(queued), .advance_i(enters), .grant_o(turn), .index_o());
  assign enters = queued != '0 && !alloc_joins;
  assign port_takes = enters ? turn : '0;
  always_comb begin
    enter = '0;
    `VL_WHEN(queued != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++) if (turn[p]) enter |= head[p];
  end
  assign enter_slot = owner_i[enter.who.core][KSLOT_W-1:0];
  always_comb begin
    enter_into = '0;
    `VL_WHEN(enters) for (int unsigned w = 0; w < WALKS; w++) enter_into[w] = enters && joinable[w] && key_q[w] == enter.key;
  end
  assign enter_joins = enter_into != '0;
  assign enter_waits = enters && !enter_joins;
  assign grows = alloc_joins ? alloc_into : enter_into;      // the walk with the list that grows

  // ---- answers (5) ------------------------------------------------------------------------------------------------
  logic some_ended, answers, last_answer, ended_ready;
  shared_walk_t ended;                           // the walk that ended first
  set_t frees;
  end_t how;
  who_t answered, after_answered, after_alloc;
  logic ans_valid_q;
  translate_ans_t ans_q;
  fifo #(.T(shared_walk_t), .DEPTH(WALKS)) u_ended (
      .clk_i, .rst_i, .valid_i(ending), .ready_o(ended_ready), .data_i(walk_rsp_i.walk), .valid_o(some_ended), .ready_i(last_answer), .data_o(ended)
  );
  ram_lut #(.DEPTH(WALKS), .WIDTH($bits(end_t))) u_how (
      .clk_i, .we_i(ending), .waddr_i(walk_rsp_i.walk), .wdata_i({walk_rsp_i.result, walk_rsp_i.leaf}), .raddr_i(ended), .rdata_o(how)
  );
  assign answers = some_ended && (!ans_valid_q || ans_ready_i);
  assign answered = first_q[ended];
  assign last_answer = answers && answered == last_q[ended];
  assign frees = last_answer ? set_t'(1) << ended : '0;

  // ---- lists: the next place behind each place. In an edge one list grows, and up to two shrink -----------------------
  logic append;
  who_t append_to, appended;
  always_comb begin
    append_to = wait_last_q[enter_slot];
    `VL_WHEN(grows != '0) if (grows != '0) append_to = last_q[shared_index(grows)];
  end
  assign append = grows != '0 || (enter_waits && waiting_q[enter_slot]);
  assign appended = alloc_joins ? alloc_who : enter.who;
  ram_lut #(.DEPTH(PLACES), .WIDTH($bits(who_t))) u_behind_answered (
      .clk_i, .we_i(append), .waddr_i(place(append_to)), .wdata_i(appended), .raddr_i(place(answered)), .rdata_o(after_answered)
  );
  ram_lut #(.DEPTH(PLACES), .WIDTH($bits(who_t))) u_behind_alloc (
      .clk_i, .we_i(append), .waddr_i(place(append_to)), .wdata_i(appended), .raddr_i(place(alloc_who)), .rdata_o(after_alloc)
  );
  logic last_waits;                              // step 3 takes the last element of its list
  assign last_waits = alloc_who == wait_last_q[slot];

  // ---- registers ------------------------------------------------------------------------------------------------
  logic walk_req_valid_q, fill_valid_q;
  walk_req_t walk_req_q;
  l2_fill_t fill_q;
  number_t has[KERNELS];
  logic [$clog2(PLACES+1)-1:0] waits_q;
  ev_l2_tlb_mshr_t ev_q;
  always_comb
    for (int unsigned k = 0; k < KERNELS; k++)
      has[k] = has_q[k] + number_t'(alloc_walks && chosen[k]) - number_t'(last_answer && 32'(slot_q[ended]) == k);
  always_ff @(posedge clk_i) begin
    `VL_WHEN(alloc_walks) for (int unsigned w = 0; w < WALKS; w++)
      if (alloc_walks && lowest_free[w]) begin
        key_q[w] <= alloc_asks;
        slot_q[w] <= slot;
        core_q[w] <= alloc_who.core;
        warp_q[w] <= alloc_for.warp;
        first_q[w] <= alloc_who;
        last_q[w] <= alloc_who;
      end
    `VL_WHEN(grows != '0) for (int unsigned w = 0; w < WALKS; w++) if (grows[w]) last_q[w] <= appended;
    if (answers && !last_answer) first_q[ended] <= after_answered;
    for (int unsigned k = 0; k < KERNELS; k++) begin
      logic shrinks, longer;
      shrinks = allocates && chosen[k];
      longer = enter_waits && 32'(enter_slot) == k;
      if (longer) wait_last_q[k] <= enter.who;
      if (longer && (!waiting_q[k] || (shrinks && last_waits))) wait_first_q[k] <= enter.who;
      else if (shrinks) wait_first_q[k] <= after_alloc;
    end
    `VL_WHEN(alloc_walks) walk_req_q <= '{walk: fresh, core: alloc_who.core, asid: alloc_asks.asid, vpn: alloc_asks.vpn, access: alloc_for.access};
    `VL_WHEN(ending) fill_q <= '{asid: key_q[walk_rsp_i.walk].asid, vpn: key_q[walk_rsp_i.walk].vpn, leaf: walk_rsp_i.leaf,
                                       core: core_q[walk_rsp_i.walk], warp: warp_q[walk_rsp_i.walk]};
    if (answers) ans_q <= '{core: answered.core, rsp: '{id: answered.id, result: how.result, leaf: how.leaf}};

    if (rst_i) begin
      valid_q <= '0;
      open_q <= '0;
      waiting_q <= '0;
      for (int unsigned k = 0; k < KERNELS; k++) has_q[k] <= '0;
      none_q <= '1;
      free_q <= number_t'(WALKS);
      walk_req_valid_q <= 1'b0;
      fill_valid_q <= 1'b0;
      ans_valid_q <= 1'b0;
      waits_q <= '0;
      ev_q <= '0;
    end else begin
      valid_q <= (valid_q & ~frees) | (alloc_walks ? lowest_free : '0);
      open_q <= (open_q & ~ending_one) | (alloc_walks ? lowest_free : '0);
      for (int unsigned k = 0; k < KERNELS; k++) begin
        has_q[k] <= has[k];
        none_q[k] <= has[k] == '0;
        if (enter_waits && 32'(enter_slot) == k) waiting_q[k] <= 1'b1;
        else if (allocates && chosen[k] && last_waits) waiting_q[k] <= 1'b0;
      end
      free_q <= free_q + number_t'(last_answer) - number_t'(alloc_walks);
      walk_req_valid_q <= alloc_walks;
      fill_valid_q <= ending && walk_rsp_i.result == WALK_OK;
      ans_valid_q <= answers || (ans_valid_q && !ans_ready_i);
      waits_q <= waits_q + $bits(waits_q)'(enter_waits) - $bits(waits_q)'(allocates);
      // events
      ev_q <= '0;
      ev_q.l2m_misses <= 4'($countones(miss_valid_i));
      ev_q.l2m_merges <= enter_joins || alloc_joins;
      ev_q.l2m_walks <= alloc_walks;
      ev_q.l2m_busy <= 7'(WALKS) - 7'(free_q);
      ev_q.l2m_waits <= 13'(waits_q);
      ev_q.l2m_reserved <= some_free && (waiting_q & ~may) != '0;
    end
  end
  assign walk_req_valid_o = walk_req_valid_q;
  assign walk_req_o = walk_req_q;
  assign fill_valid_o = fill_valid_q;
  assign fill_o = fill_q;
  assign ans_valid_o = ans_valid_q;
  assign ans_o = ans_q;
  assign ev_o = ev_q;
  for (genvar k = 0; k < KERNELS; k++) begin : gen_walks
    assign walks_o[k] = 7'(has_q[k]);
  end

  `VL_ASSERT(one_walk_can_be_joined, $countones(alloc_into) <= 1 && $countones(enter_into) <= 1)
  `VL_ASSERT(what_ends_is_walked_for, !walk_rsp_valid_i || open_q[walk_rsp_i.walk])
  `VL_ASSERT(open_ones_are_valid, (open_q & ~valid_q) == '0)
  `VL_ASSERT(ends_have_room, !ending || ended_ready)
  `VL_ASSERT(free_is_right, 32'(free_q) + $countones(valid_q) == WALKS)
  `VL_ASSERT(one_is_kept_for_each_kernel_without, free_q >= reserved)
  `VL_ASSERT(one_list_grows, !(alloc_joins && enters))
  `VL_ASSERT(counts_waiting, (waiting_q != '0) == (waits_q != '0))
endmodule
