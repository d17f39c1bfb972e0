// Look-ups of the load/store unit: the unique pages of a row go to the TLB, those not found to the walker, and answers of ended walks, one row
// after the other, back to the threads that wait. Page: docs/blocks/lsu.md, "Look-up"; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module lsu_lookup
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   inv_i,          // everything here is dropped, except a miss that is taken at this edge
    // the row that is looked up, if it may be (rows), and its pages
    input  lsu_look_t              lrow_i,
    input  vpn_t [THREADS-1:0]     vpn_i,          // of this row; while there are answers, of the row that is answered
    output logic                   used_o,
    output thread_mask_t           take_o,         // threads that go into look-up (all 0 unless used)
    output logic [5:0]             pages_o,        // likewise
    output logic                   more_o,         // pages were left
    // a load that goes to the L1D with its look-up
    output logic                   early_may_o,    // the look-up that is shown is all of its row's pages, and one
    input  logic                   early_taken_i,  // the L1D takes it in this cycle
    output logic                   early_o,        // its look-up is answered now
    output logic                   kept_o,         // with a hit: the threads of hit_row have been sent
    // tlb
    output logic [TLB_PORTS-1:0]   look_valid_o,
    output look_t [TLB_PORTS-1:0]  look_o,
    input  logic                   look_ready_i,
    input  logic [TLB_PORTS-1:0]   found_valid_i,
    input  found_t [TLB_PORTS-1:0] found_i,
    // tlb_mshr
    output logic                   miss_valid_o,
    output miss_t                  miss_o,
    input  logic                   miss_ready_i,
    input  logic                   walk_valid_i,
    input  logic                   walked_valid_i,
    input  walked_t                walked_i,
    // what becomes of threads
    output lsu_threads_t           hit_o,          // look-up 4
    output lsu_threads_t           asked_o,        // look-up 6
    output lsu_threads_t           ask_o,          // look-up 5, at this edge
    // answers
    input  logic                   push_i,         // look-up 7: some thread waited for the walk that ends
    output lsu_answers_t           answers_o,
    input  logic                   pop_i,
    input  logic                   ap_write_i,     // the row that is answered writes
    output logic                   fault_o,        // look-up 8 makes its threads faulted,
    output logic                   access_o,       // by an access fault
    output ppn_t [THREADS-1:0]     frame_o,        // the frame of the threads of hit_o, or of look-up 8
    // events
    output logic                   stall_look_o,
    output logic                   stall_walk_o,
    output logic                   lk_free_o
);
  typedef logic [TLB_PORTS-1:0] ports_t;
  typedef struct packed {
    lsu_row_t row;
    warp_t warp;
    logic write;
    vpn_t [TLB_PORTS-1:0] vpn;
    logic [TLB_PORTS-1:0][THREADS-1:0] mask;
  } group_t;

  ports_t lk_port_q, fk_port_q;          // ports in use; none: not valid
  logic lk_more_q, fk_early_q;
  group_t lk_q, fk_q, pages;
  logic [1:0][TLB_PORTS-1:0] mq_port_q;  // the head stands in the first place
  ports_t miss_sel_q;                    // its lowest port, and the page there: the walker has much to do with it
  vpn_t miss_vpn_q;
  group_t [1:0] mq_q;
  lsu_slot_t head_q, tail_q;             // of the answers
  logic [$clog2(LSU_ANSWERS+1)-1:0] count_q;
  logic answers_q;                       // count_q is not 0: it selects the row of the pages that are read, and must be early
  logic lk_valid, fk_valid, show, taken, answers;
  assign lk_valid = lk_port_q != '0;
  assign fk_valid = fk_port_q != '0;
  assign answers = answers_q;

  // ---- look-up 2: unique pages ---------------------------------------------------------------------------------------
  ports_t port;
  thread_mask_t lead;
  logic [TLB_PORTS-1:0][THREADS-1:0] sel;
  logic [THREADS-1:0][THREADS-1:0] same;   // same[t][j], j <= t: both are to be looked up, in one page
  always_comb begin
    same = '0;
    lead = '0;
    `VL_WHEN(lrow_i.todo != '0) for (int unsigned t = 0; t < THREADS; t++) begin
      same[t] = '0;
      for (int unsigned j = 0; j < t; j++) same[t][j] = lrow_i.todo[t] && lrow_i.todo[j] && vpn_i[t] == vpn_i[j];
      lead[t] = lrow_i.todo[t] && same[t] == '0;
      same[t][t] = lrow_i.todo[t];
    end
  end
  always_comb begin
    ports_t next;                        // the port that the next leader gets: none when all are taken
    next = ports_t'(1);
    sel = '0;
    more_o = 1'b0;
    `VL_WHEN(lrow_i.todo != '0) for (int unsigned t = 0; t < THREADS; t++) begin
      for (int unsigned p = 0; p < TLB_PORTS; p++) sel[p][t] = lead[t] && next[p];
      if (lead[t] && next == '0) more_o = used_o;
      if (lead[t]) next = next << 1;
    end
  end
  always_comb begin
    pages = '0;
    pages.row = lrow_i.row;
    pages.warp = lrow_i.warp;
    pages.write = lrow_i.write;
    take_o = '0;
    pages_o = '0;
    port = '0;
    `VL_WHEN(lrow_i.todo != '0) for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      port[p] = sel[p] != '0;
      for (int unsigned t = 0; t < THREADS; t++) begin
        if (sel[p][t]) pages.vpn[p] |= vpn_i[t];
        if (p <= t) pages.mask[p][t] = (sel[p] & same[t]) != '0;   // the t-th page at most
      end
      if (used_o) begin
        take_o |= pages.mask[p];
        pages_o += 6'(port[p]);
      end
    end
  end
  assign lk_free_o = !lk_valid || taken;
  assign used_o = lrow_i.may && lrow_i.todo != '0 && !answers && lk_free_o;

  // ---- look-up 3, 4 -------------------------------------------------------------------------------------------------
  logic [1:0] mq_valid;
  ports_t miss_ports;
  thread_mask_t hit;
  for (genvar k = 0; k < 2; k++) assign mq_valid[k] = mq_port_q[k] != '0;
  assign show = lk_valid && !answers && (mq_valid == '0 || (mq_valid != '1 && !fk_valid));
  assign taken = show && look_ready_i;
  always_comb begin
    hit = '0;
    for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      look_valid_o[p] = show && lk_port_q[p];
      look_o[p] = '{vpn: lk_q.vpn[p], store: lk_q.write, warp: lk_q.warp};
      miss_ports[p] = fk_port_q[p] && !found_i[p].hit;
      if (fk_port_q[p] && found_i[p].hit && !fk_early_q) hit |= fk_q.mask[p];
    end
  end
  assign early_may_o = show && lk_port_q == ports_t'(1) && !lk_more_q;
  assign early_o = fk_early_q;
  assign kept_o = fk_early_q && found_i[0].hit;
  assign hit_o = '{row: fk_q.row, threads: hit};

  // ---- look-up 5, 6: the queue of misses, in two places --------------------------------------------------------------
  ports_t rest, next_ports, sel_rest, sel_next;
  group_t head;
  thread_mask_t ask;
  lsu_threads_t asked_q;
  logic asked_valid_q, miss_taken, head_leaves;
  assign head = mq_q[0];
  assign rest = mq_port_q[0] & ~miss_sel_q;
  assign miss_valid_o = miss_sel_q != '0 && !answers;
  assign miss_taken = miss_valid_o && miss_ready_i;
  always_comb begin
    miss_o.vpn = miss_vpn_q;
    miss_o.access = head.write ? ACC_STORE : ACC_LOAD;
    miss_o.warp = head.warp;
    ask = '0;
    for (int unsigned p = 0; p < TLB_PORTS; p++) if (miss_sel_q[p] && miss_taken) ask |= head.mask[p];
  end
  assign ask_o = '{row: head.row, threads: ask};
  assign asked_o = asked_q;
  assign head_leaves = miss_taken && rest == '0;

  // The next miss to show: the rest of the head, or the group that becomes the head.
  group_t next_head;
  vpn_t vpn_rest, vpn_next;
  assign next_head = mq_valid[1] ? mq_q[1] : fk_q;
  assign next_ports = mq_valid[1] ? mq_port_q[1] : miss_ports;
  assign sel_rest = rest & (~rest + 1'b1);
  assign sel_next = next_ports & (~next_ports + 1'b1);
  always_comb begin
    vpn_rest = '0;
    vpn_next = '0;
    for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      if (sel_rest[p]) vpn_rest |= head.vpn[p];
      if (sel_next[p]) vpn_next |= next_head.vpn[p];
    end
  end

  // ---- look-up 7, 8: answers ----------------------------------------------------------------------------------------
  typedef struct packed {
    walk_e result;
    ppn_t ppn;
    level_t level;
    logic r, w;
  } answer_t;
  answer_t answer;
  ram_lut #(.DEPTH(LSU_ANSWERS), .WIDTH($bits(answer_t))) u_answers (
      .clk_i, .we_i(push_i), .waddr_i(tail_q),
      .wdata_i({walked_i.result, walked_i.leaf.ppn, walked_i.leaf.level, walked_i.leaf.r, walked_i.leaf.w}), .raddr_i(head_q), .rdata_o(answer)
  );
  function automatic lsu_slot_t next_slot(input lsu_slot_t s);
    return (32'(s) == LSU_ANSWERS - 1) ? '0 : s + 1'b1;
  endfunction
  assign answers_o = '{any: answers, head: head_q, tail: tail_q, act: !fk_valid};
  logic denied;
  assign denied = answer.result == WALK_PAGE || !(ap_write_i ? answer.w : answer.r);
  assign fault_o = denied || answer.result != WALK_OK;
  assign access_o = !denied && answer.result == WALK_ACCESS;
  always_comb begin
    vpn_t keep;                          // bits of the page number that stay
    keep = page_bits(answer.level) | (fault_o ? '1 : '0);
    frame_o = '0;
    `VL_WHEN(fk_valid || answers) for (int unsigned t = 0; t < THREADS; t++) begin
      frame_o[t] = fk_valid ? '0 : (vpn_i[t] & keep) | (answer.ppn & ~keep);
      // Thread t is a leader at port t at the latest, so no higher port has its page.
      for (int unsigned p = 0; p < TLB_PORTS && p <= t; p++) if (fk_q.mask[p][t]) frame_o[t] |= found_i[p].ppn;
    end
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (lk_free_o) begin
      lk_q <= pages;
      lk_more_q <= more_o;
    end
    fk_q <= lk_q;
    if (!taken) fk_q.mask <= '0;
    if (head_leaves || !mq_valid[0]) mq_q[0] <= next_head;
    if (miss_taken || !mq_valid[0]) miss_vpn_q <= (rest != '0) ? vpn_rest : vpn_next;
    if (!mq_valid[1]) mq_q[1] <= fk_q;
    asked_q.row <= head.row;

    if (rst_i) begin
      lk_port_q <= '0;
      fk_port_q <= '0;
      fk_early_q <= 1'b0;
      mq_port_q <= '0;
      miss_sel_q <= '0;
      asked_valid_q <= 1'b0;
      asked_q.threads <= '0;
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      answers_q <= 1'b0;
    end else begin
      if (lk_free_o) lk_port_q <= used_o ? port : '0;
      fk_port_q <= taken ? lk_port_q : '0;
      fk_early_q <= taken && early_taken_i && !inv_i;
      if (head_leaves || !mq_valid[0]) begin
        mq_port_q[0] <= next_ports;
        mq_port_q[1] <= '0;
      end else begin
        if (miss_taken) mq_port_q[0] <= rest;
        if (!mq_valid[1]) mq_port_q[1] <= miss_ports;
      end
      if (miss_taken || !mq_valid[0]) miss_sel_q <= (rest != '0) ? sel_rest : sel_next;
      asked_valid_q <= miss_taken;
      asked_q.threads <= ask;
      if (push_i) tail_q <= next_slot(tail_q);
      if (pop_i) head_q <= next_slot(head_q);
      count_q <= count_q + $bits(count_q)'(push_i) - $bits(count_q)'(pop_i);
      answers_q <= push_i || (pop_i ? 32'(count_q) > 1 : answers_q);
      if (inv_i) begin
        lk_port_q <= '0;
        fk_port_q <= '0;
        mq_port_q <= '0;
        miss_sel_q <= '0;
        head_q <= tail_q;
        tail_q <= tail_q;
        count_q <= '0;
        answers_q <= 1'b0;
      end
    end
  end
  assign stall_look_o = lk_valid && !taken;
  assign stall_walk_o = miss_valid_o && !miss_ready_i;

  `VL_ASSERT(found_answers_look, fk_port_q == '0 || found_valid_i == fk_port_q)   // what came of a look-up before inv is not awaited
  `VL_ASSERT(miss_queue_has_room, miss_ports == '0 || mq_valid != '1)
  `VL_ASSERT(walk_answers_miss, walk_valid_i == asked_valid_q)
  `VL_ASSERT(answers_have_room, !push_i || 32'(count_q) < LSU_ANSWERS)
  `VL_ASSERT(pop_of_an_answer, !pop_i || answers)
  `VL_ASSERT(answers_are_counted, answers_q == (count_q != '0))
  `VL_ASSERT(lowest_port_is_shown, miss_sel_q == (mq_port_q[0] & (~mq_port_q[0] + 1'b1)))
  `VL_ASSERT(groups_have_threads, ask != '0 || !miss_taken)
endmodule
