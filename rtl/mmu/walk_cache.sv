// Page-walk cache, between the shared walker and its port of req_net: keeps lines of page tables, found by address space and address. A kept line answers a read only if its
// PTE is a pointer or permits the access: the host maps pages and grants rights without a shootdown, so no fault may be of a kept PTE.
// Page: docs/blocks/walk_cache.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module walk_cache
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    // control
    input  logic        on_i,
    input  logic [3:0]  bypass_i,               // walk_bypass: levels that bypass the L2, by 3 - level
    // walker
    input  logic        req_valid_i,
    input  pte_read_t   req_i,
    output logic        req_ready_o,
    output logic        rsp_valid_o,
    output mem_rsp_t    rsp_o,
    // req_net, rsp_net
    output logic        mem_req_valid_o,
    output mem_req_t    mem_req_o,
    output logic        mem_bypass_o,
    input  logic        mem_req_ready_i,
    input  logic        mem_rsp_valid_i,
    input  mem_rsp_t    mem_rsp_i,
    // shootdown
    input  logic        inv_valid_i,
    input  inv_t        inv_i,
    // counters
    output ev_walk_cache_t ev_o
);
  localparam int unsigned LINES = WALK_CACHE_BYTES / LINE_BYTES;
  localparam int unsigned SETS = LINES / WALK_CACHE_WAYS;
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned TAG_W = LINE_ADDR_W - SET_BITS;
  localparam int unsigned QUEUE = WALK_CACHE_LATENCY - 1;
  localparam int unsigned DELAY = WALK_CACHE_LATENCY - 3;      // cycles that a read ripens in the queue
  localparam int unsigned COUNT_W = $clog2(QUEUE + 1);
  typedef logic [SET_W-1:0] set_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [WALK_CACHE_WAYS-1:0] ways_t;
  typedef logic [idx_w(LINES)-1:0] row_t;
  typedef logic [WALKS-1:0] reads_t;

  function automatic set_t set_of(input line_addr_t line);
    return (SETS == 1) ? '0 : line[SET_W-1:0];
  endfunction
  function automatic tag_t tag_of(input line_addr_t line);
    return line[LINE_ADDR_W-1:SET_BITS];
  endfunction
  function automatic row_t row(input set_t set, input ways_t one);
    int unsigned way = 0;
    for (int unsigned w = 0; w < WALK_CACHE_WAYS; w++) if (one[w]) way |= w;
    return row_t'(32'(set) * WALK_CACHE_WAYS + way);
  endfunction
  // Does the invalidation of this cycle cover an address space (5)?
  function automatic logic takes(input logic valid, input inv_t inv, input asid_t asid);
    return valid && (inv.scope != INV_ASID || inv.asid == asid);
  endfunction

  // ---- requests (1): a queue; some of its reads are ripe -----------------------------------------------------------
  logic taken, acts, some_wait;
  pte_read_t head;
  logic [COUNT_W-1:0] ripe_q;
  logic ripens;
  fifo #(.T(pte_read_t), .DEPTH(QUEUE)) u_wait (
      .clk_i, .rst_i, .valid_i(req_valid_i), .ready_o(req_ready_o), .data_i(req_i), .valid_o(some_wait), .ready_i(acts), .data_o(head)
  );
  assign taken = req_valid_i && req_ready_o;
  if (DELAY == 0) begin : gen_at_once
    assign ripens = taken;
  end else begin : gen_delay
    logic [DELAY-1:0] delay_q;
    always_ff @(posedge clk_i)
      if (rst_i) delay_q <= '0;
      else delay_q <= DELAY'({delay_q, taken && on_i});
    assign ripens = on_i ? delay_q[DELAY-1] : taken;
  end

  // ---- requests to memory, and its answers ----------------------------------------------------------------------------
  reads_t keep_q;
  asid_t sent_asid_q[WALKS];
  logic miss_valid_q, miss_bypass_q, miss_free, rsp_valid_q, rsp_fresh_q;
  pte_read_t miss_q;
  mem_rsp_t rsp_q;
  logic sends;
  pte_read_t sent;
  shared_walk_t rsp_read;
  line_addr_t fill_line;
  assign rsp_read = rsp_q.id[$bits(shared_walk_t)-1:0];
  ram_lut #(.DEPTH(WALKS), .WIDTH(LINE_ADDR_W)) u_sent (
      .clk_i, .we_i(sends), .waddr_i(sent.read), .wdata_i(sent.line), .raddr_i(rsp_read), .rdata_o(fill_line)
  );
  assign miss_free = !miss_valid_q || mem_req_ready_i;

  // ---- tags, of the head's set or of the fill's (2, 4) ------------------------------------------------------------------
  logic refill, fill, match, hits, misses;       // refill: a line to keep has arrived; it is not written if an invalidation covers it at this edge
  line_addr_t line;
  asid_t asid;
  set_t set;
  ways_t valid_q[SETS], same, way, oldest;
  asid_t [WALK_CACHE_WAYS-1:0] asid_q[SETS];
  assign refill = rsp_valid_q && rsp_fresh_q && keep_q[rsp_read];
  assign fill = refill && !takes(inv_valid_i, inv_i, asid);
  assign line = refill ? fill_line : head.line;
  assign asid = refill ? sent_asid_q[rsp_read] : head.asid;
  assign set = set_of(line);
  for (genvar w = 0; w < WALK_CACHE_WAYS; w++) begin : gen_way
    tag_t tag;
    ram_lut #(.DEPTH(SETS), .WIDTH(TAG_W)) u_tag (
        .clk_i, .we_i(fill && way[w]), .waddr_i(set), .wdata_i(tag_of(line)), .raddr_i(set), .rdata_o(tag)
    );
    assign same[w] = valid_q[set][w] && asid_q[set][w] == asid && tag == tag_of(line);
  end
  always_comb
    if (same != '0) way = same;
    else if (valid_q[set] != '1) way = ~valid_q[set] & (valid_q[set] + 1'b1);
    else way = oldest;
  tlb_lru #(.SETS(SETS), .WAYS(WALK_CACHE_WAYS), .TOUCHES(1), .WORDS(1'b1)) u_lru (
      .clk_i, .rst_i, .touch_set_i(set), .touch_i((fill || hits) ? way : ways_t'(0)), .set_i(set), .oldest_o(oldest), .age_o()
  );

  // ---- hits (3) -------------------------------------------------------------------------------------------------
  logic hit_valid_q, serves, answers, denied, hit_free;
  pte_read_t hit_q;
  line_data_t kept;
  logic [LINE_BYTES/8-1:0][63:0] ptes;
  step_t step;
  ram_1r1w #(.DEPTH(LINES), .WIDTH(LINE_BITS)) u_data (
      .clk_i, .we_i(fill), .waddr_i(row(set, way)), .wdata_i(rsp_q.data), .re_i(hits), .raddr_i(row(set, way)), .rdata_o(kept)
  );
  assign ptes = kept;
  localparam window_t ANYWHERE = '{base: '0, limit: '1};   // the walker checks the memory window
  ptw_pte u_pte (.pte_i(ptes[hit_q.place]), .window_i(ANYWHERE), .step_o(step));
  assign serves = step.pointer[hit_q.level]
      || (!step.page[hit_q.level] && permits('{ppn: '0, level: '0, glob: 1'b0, r: step.r, w: step.w, x: step.x}, hit_q.access));
  assign answers = hit_valid_q && serves && !mem_rsp_valid_i;
  assign denied = hit_valid_q && !serves && miss_free;
  assign hit_free = !hit_valid_q || answers || denied;

  // ---- the head of the queue acts (2) -----------------------------------------------------------------------------
  assign match = on_i && same != '0;
  assign acts = ripe_q != '0 && !refill && (match ? hit_free : miss_free && !denied);
  assign hits = acts && match;
  assign misses = acts && !match;
  assign sends = denied || misses;
  assign sent = denied ? hit_q : head;

  // ---- registers ------------------------------------------------------------------------------------------------
  logic [$clog2(WALKS+1)-1:0] open_q;
  ev_walk_cache_t ev_q;
  always_ff @(posedge clk_i) begin
    if (hits) hit_q <= head;
    if (sends) miss_q <= sent;
    if (sends) sent_asid_q[sent.read] <= sent.asid;
    `VL_WHEN(mem_rsp_valid_i) if (mem_rsp_valid_i) rsp_q <= mem_rsp_i;
    `VL_WHEN(answers) if (answers) rsp_q <= '{id: mem_id_t'(hit_q.read), data: kept};
    if (fill) for (int unsigned w = 0; w < WALK_CACHE_WAYS; w++) if (way[w]) asid_q[set][w] <= asid;

    if (rst_i) begin
      ripe_q <= '0;
      keep_q <= '0;
      for (int unsigned s = 0; s < SETS; s++) valid_q[s] <= '0;
      hit_valid_q <= 1'b0;
      miss_valid_q <= 1'b0;
      miss_bypass_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      rsp_fresh_q <= 1'b0;
      open_q <= '0;
      ev_q <= '0;
    end else begin
      ripe_q <= ripe_q + COUNT_W'(ripens) - COUNT_W'(acts);
      hit_valid_q <= hits || !hit_free;
      miss_valid_q <= sends || !miss_free;
      if (sends) miss_bypass_q <= bypass_i[2'd3 - sent.level];
      rsp_valid_q <= mem_rsp_valid_i || answers;
      rsp_fresh_q <= mem_rsp_valid_i;
      open_q <= open_q + $bits(open_q)'(taken) - $bits(open_q)'(rsp_valid_q);
      // 4, 5
      if (fill) valid_q[set] <= valid_q[set] | way;
      `VL_WHEN(inv_valid_i) if (inv_valid_i) begin
        for (int unsigned s = 0; s < SETS; s++)
          for (int unsigned w = 0; w < WALK_CACHE_WAYS; w++)
            if (takes(1'b1, inv_i, asid_q[s][w]) && !(fill && set == set_t'(s) && way[w])) valid_q[s][w] <= 1'b0;
        for (int unsigned r = 0; r < WALKS; r++) if (takes(1'b1, inv_i, sent_asid_q[r])) keep_q[r] <= 1'b0;
      end
      if (sends) keep_q[sent.read] <= on_i && !takes(inv_valid_i, inv_i, sent.asid);
      // events
      ev_q <= '0;
      ev_q.wc_lookups <= acts;
      ev_q.wc_hits_l3 <= answers && hit_q.level == 2'd3;
      ev_q.wc_hits_l2 <= answers && hit_q.level == 2'd2;
      ev_q.wc_hits_l1 <= answers && hit_q.level == 2'd1;
      ev_q.wc_hits_l0 <= answers && hit_q.level == 2'd0;
      ev_q.wc_misses <= misses;
      ev_q.wc_denied <= denied;
      ev_q.wc_fills <= fill;
      ev_q.wc_evicts <= fill && same == '0 && valid_q[set] == '1;
      ev_q.wc_stalls <= req_valid_i && !req_ready_o;
      ev_q.wc_busy <= 7'(open_q);
    end
  end
  assign rsp_valid_o = rsp_valid_q;
  assign rsp_o = rsp_q;
  assign mem_req_valid_o = miss_valid_q;
  assign mem_req_o = '{op: MEM_READ, id: mem_id_t'(miss_q.read), cls: 3'd4 - 3'(miss_q.level), asid: miss_q.asid, line: miss_q.line, amo: AMO_SWAP, default: '0};
  assign mem_bypass_o = miss_bypass_q;
  assign ev_o = ev_q;

  `VL_ASSERT(one_way_matches, (!refill && ripe_q == '0) || $countones(same) <= 1)
  `VL_ASSERT(fills_one_way, !fill || $countones(way) == 1)
  `VL_ASSERT(ripe_ones_wait, ripe_q == '0 || some_wait)
  `VL_ASSERT(one_is_sent, !(denied && misses))
  `VL_ASSERT(answers_are_of_open_reads, open_q != '0 || !rsp_valid_q)
  `VL_ASSERT(one_read_a_walk, 32'(open_q) < WALKS || !taken || rsp_valid_q)
endmodule
