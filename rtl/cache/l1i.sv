// Instruction cache: lookup pipeline of two cycles (tags, then the data of the way that hit), two line fills, each written as it arrives.
// Page: docs/blocks/l1i.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module l1i
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    // fetch
    input  logic       req_valid_i,
    input  fetch_req_t req_i,
    output logic       req_ready_o,
    output logic       rsp_valid_o,
    output fetch_rsp_t rsp_o,
    output logic       wake_o,
    // control
    input  logic       inval_i,
    input  logic       inv_valid_i,
    input  root_t      root_i,
    // host: pages to be mapped
    output logic       pf_valid_o,
    output page_fault_t pf_o,
    input  logic       pf_ready_i,
    input  logic       resume_valid_i,
    input  logic       resume_fill_i,
    input  logic       resume_deny_i,
    // itlb
    output logic       look_valid_o,
    output itlb_look_t look_o,
    input  logic [1:0] found_valid_i,
    input  ifound_t [1:0] found_i,
    // mem_arb
    output logic       mem_req_valid_o,
    output mem_req_t   mem_req_o,
    input  logic       mem_req_ready_i,
    input  logic       mem_rsp_valid_i,
    input  mem_rsp_t   mem_rsp_i,
    // counters
    output ev_l1i_t    ev_o
);
  localparam int unsigned SETS = L1I_BYTES / (LINE_BYTES * L1I_WAYS);
  localparam int unsigned SET_W = $clog2(SETS);
  localparam int unsigned WAY_W = idx_w(L1I_WAYS);
  localparam int unsigned TAG_W = KEY_W - SET_W;
  localparam int unsigned BLOCKS = LINE_BYTES / 16;
  localparam int unsigned BLK_W = $clog2(BLOCKS);
  localparam int unsigned LEVELS = $clog2(L1I_WAYS);             // of the PLRU tree
  localparam int unsigned NODES = (L1I_WAYS > 1) ? L1I_WAYS - 1 : 1;
  localparam int unsigned ROW_W = $clog2(L1I_WAYS * SETS);
  localparam int unsigned FILLS = 2;

  typedef logic [SET_W-1:0] set_t;
  typedef logic [WAY_W-1:0] way_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [NODES-1:0] plru_t;
  typedef enum logic [3:0] {FREE, LOOK, ASKED, SEND, WAITING, HAVE, TELL, TOLD, FAULT} fill_e;

  // Virtual addresses without an ASID: lines of another address space are dropped before a kernel begins.
  function automatic line_key_t key_at(input line_addr_t line);
    return key_of(line, '0, SPACE_VIRTUAL);
  endfunction
  function automatic set_t set_of(input line_key_t key);
    return key[SET_W-1:0];
  endfunction
  function automatic tag_t tag_of(input line_key_t key);
    return tag_t'(key >> SET_W);
  endfunction

  // Node of the tree after n, going to the half `up`.
  function automatic int unsigned child(input int unsigned n, input logic up);
    return 2 * n + 1 + 32'(up);
  endfunction

  function automatic way_t plru_victim(input plru_t tree);
    way_t w;
    int unsigned n;
    w = '0;
    n = 0;
    for (int unsigned l = 0; l < LEVELS; l++) begin
      w[LEVELS-1-l] = tree[n];
      n = child(n, tree[n]);
    end
    return w;
  endfunction

  function automatic plru_t plru_touch(input plru_t tree, input way_t w);
    plru_t t;
    int unsigned n;
    t = tree;
    n = 0;
    for (int unsigned l = 0; l < LEVELS; l++) begin
      t[n] = !w[LEVELS-1-l];
      n = child(n, w[LEVELS-1-l]);
    end
    return t;
  endfunction

  // ---- lookup ----------------------------------------------------------------------------------------------------
  logic       s1_valid_q, s2_valid_q, s2_hit_q;
  fetch_req_t s1_q, s2_q;
  logic [SETS-1:0][L1I_WAYS-1:0] valid_q;
  plru_t      plru_q[SETS];
  logic [L1I_WAYS-1:0][TAG_W-1:0] tags;
  logic [127:0] block;

  line_key_t s1_key, s2_key;
  logic s1_awaited, s2_awaited, s2_absent_q;   // absent: neither found nor awaited
  logic [L1I_WAYS-1:0] s1_match;
  logic s1_found, s1_hit;
  way_t s1_way;

  // ---- fills -----------------------------------------------------------------------------------------------------
  fill_e [FILLS-1:0] fill_state_q;
  line_key_t [FILLS-1:0] fill_key_q;
  ppn_t [FILLS-1:0] fill_frame_q;
  warp_t [FILLS-1:0] fill_warp_q;           // warp of the instruction that missed
  logic [FILLS-1:0] killed_q, access_q, busy, looking, sending, telling, told, bad, s2_fault, cancelled, stale, answered, kept, dropped;
  logic       s2_fault_q, s2_page_q, s1_missing, forget, tell_q, tell, denied;
  logic [FILLS-1:0] no_page, no_access;     // itlb's answers of these kinds
  logic       last_alloc_q;
  logic       alloc, alloc_idx, shown, taken, rsp_idx;
  logic       have_q, have_idx_q, end_valid, wake1_q;   // have_q: a fill is in HAVE; have_idx_q: which one
  way_t       wr_way_q;
  logic       write;
  line_key_t  wr_key;
  set_t       wr_set, end_set, touch_set;
  way_t       victim;

  assign s1_key = key_at(s1_q.pc[PA_W-1:LINE_OFF_W]);
  always_comb begin
    s1_match = '0;
    s1_way = '0;
    for (int unsigned w = 0; w < L1I_WAYS; w++) begin
      s1_match[w] = valid_q[set_of(s1_key)][w] && tags[w] == tag_of(s1_key);
      if (s1_match[w]) s1_way |= way_t'(w);
    end
  end
  assign s1_found = s1_valid_q && s1_match != '0;
  assign s1_hit = s1_found && !(write && wr_set == set_of(s1_key));

  always_comb begin
    for (int unsigned f = 0; f < FILLS; f++) begin
      busy[f] = fill_state_q[f] != FREE;
      looking[f] = fill_state_q[f] == LOOK;
      sending[f] = fill_state_q[f] == SEND;
      telling[f] = fill_state_q[f] == TELL;
      told[f] = fill_state_q[f] == TOLD;
      bad[f] = fill_state_q[f] == FAULT;
      s2_fault[f] = s1_missing && bad[f] && fill_key_q[f] == s1_key;
    end
  end
  assign s1_missing = s1_valid_q && !s1_found;
  // Step 3: a new fill, unless the line is awaited, was awaited in the cycle of the lookup, or both fills are busy.
  assign s2_key = key_at(s2_q.pc[PA_W-1:LINE_OFF_W]);
  assign s1_awaited = (busy[0] && fill_key_q[0] == s1_key) || (busy[1] && fill_key_q[1] == s1_key);
  assign s2_awaited = (busy[0] && fill_key_q[0] == s2_key) || (busy[1] && fill_key_q[1] == s2_key);
  assign alloc = s2_valid_q && s2_absent_q && (busy & ~bad) != '1 && !s2_awaited;
  assign alloc_idx = busy == '1 ? !bad[0] : busy[0];
  assign forget = inval_i || inv_valid_i;
  assign tell = (telling == '1) ? tell_q : telling[1];
  assign denied = resume_valid_i && resume_deny_i && told[resume_fill_i] && !forget;
  always_comb
    for (int unsigned f = 0; f < FILLS; f++) begin
      no_page[f] = found_valid_i[f] && found_i[f].result == WALK_PAGE;
      no_access[f] = found_valid_i[f] && found_i[f].result == WALK_ACCESS;
      cancelled[f] = found_valid_i[f] && (killed_q[f] || forget);
      // Whether a fault is delivered at this edge is known late, and does not matter here: delivered or dropped, the fill becomes free.
      stale[f] = forget && bad[f] && !(alloc && alloc_idx == 1'(f));
      // A fill reported to the host stays until its answer, so that the answer finds no other line there. A kernel's start empties the queue first.
      answered[f] = told[f] && resume_valid_i && resume_fill_i == 1'(f);
      kept[f] = !inval_i && ((told[f] && !answered[f]) || (telling[f] && pf_ready_i && tell == 1'(f)));
      dropped[f] = cancelled[f] || (killed_q[f] && answered[f]) || (forget && ((looking[f] && look_o.fill != 1'(f)) || ((telling[f] || told[f]) && !kept[f])));
    end
  assign shown = (sending == '1) ? !last_alloc_q : sending[1];
  assign taken = mem_req_valid_o && mem_req_ready_i;
  assign rsp_idx = mem_rsp_i.id[0];

  // Step 5: the line written at the last edge becomes valid.
  assign end_set = set_of(fill_key_q[have_idx_q]);
  assign end_valid = have_q && !killed_q[have_idx_q];
  // Step 4: the line that arrives is written.
  assign write = mem_rsp_valid_i && !killed_q[rsp_idx];
  assign wr_key = fill_key_q[rsp_idx];
  assign wr_set = set_of(wr_key);
  assign touch_set = write ? wr_set : set_of(s1_key);
  assign victim = plru_victim(plru_q[touch_set]);

  logic [L1I_WAYS-1:0] tag_we;
  logic [ROW_W-1:0] data_rrow, data_wrow;
  assign tag_we = write ? L1I_WAYS'(1) << victim : '0;
  if (L1I_WAYS > 1) begin : gen_ways
    assign data_rrow = {s1_way, set_of(s1_key)};
    assign data_wrow = {victim, wr_set};
  end else begin : gen_direct
    assign data_rrow = set_of(s1_key);
    assign data_wrow = wr_set;
  end

  // A tag that is read while it is written belongs to a way that is not valid when it is compared: no bypass.
  ram_row #(.ROWS(SETS), .WORDS(1), .WIDTH(L1I_WAYS * TAG_W), .PARTS(L1I_WAYS)) u_tag (
      .clk_i, .we_i(tag_we), .wrow_i(wr_set), .wdata_i({L1I_WAYS{tag_of(wr_key)}}),
      .re_i(req_valid_i), .clear_i(1'b0), .rrow_i(set_of(key_at(req_i.pc[PA_W-1:LINE_OFF_W]))), .rword_i(1'b0), .rdata_o(tags)
  );
  ram_row #(.ROWS(L1I_WAYS * SETS), .WORDS(BLOCKS), .WIDTH(128)) u_data (
      .clk_i, .we_i({BLOCKS{write}}), .wrow_i(data_wrow), .wdata_i(mem_rsp_i.data),
      .re_i(1'b1), .clear_i(!s1_hit), .rrow_i(data_rrow), .rword_i(s1_q.pc[LINE_OFF_W-1:4]), .rdata_o(block)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s2_hit_q <= 1'b0;
      s2_fault_q <= 1'b0;
      s2_absent_q <= 1'b0;
      s2_page_q <= 1'b0;
      tell_q <= 1'b0;
      s1_q <= '0;
      s2_q <= '0;
      valid_q <= '0;
      for (int unsigned s = 0; s < SETS; s++) plru_q[s] <= '0;
      for (int unsigned f = 0; f < FILLS; f++) fill_state_q[f] <= FREE;
      killed_q <= '0;
      last_alloc_q <= 1'b0;
      have_q <= 1'b0;
      have_idx_q <= 1'b0;
      wr_way_q <= '0;
      wake1_q <= 1'b0;
      wake_o <= 1'b0;
      ev_o <= '0;
    end else begin
      // 1
      s1_valid_q <= req_valid_i;
      if (req_valid_i) s1_q <= req_i;
      s2_valid_q <= s1_valid_q;
      s2_hit_q <= s1_hit;
      s2_absent_q <= !s1_found && !s1_awaited;
      s2_fault_q <= s2_fault != '0;
      s2_page_q <= (s2_fault & ~access_q) != '0;
      for (int unsigned f = 0; f < FILLS; f++) if (s2_fault[f]) fill_state_q[f] <= FREE;
      if (s1_valid_q) s2_q <= s1_q;
      // 2
      if (write || s1_hit) plru_q[touch_set] <= plru_touch(plru_q[touch_set], write ? victim : s1_way);
      // 3
      if (alloc) begin
        fill_state_q[alloc_idx] <= root_i.sv48 ? LOOK : SEND;
        fill_key_q[alloc_idx] <= s2_key;
        fill_warp_q[alloc_idx] <= s2_q.warp;
        fill_frame_q[alloc_idx] <= s2_q.pc[PA_W-1:12];
        killed_q[alloc_idx] <= inv_valid_i;
        last_alloc_q <= alloc_idx;
      end
      // 5, 4
      if (have_q) fill_state_q[have_idx_q] <= FREE;
      if (end_valid) valid_q[end_set][wr_way_q] <= 1'b1;
      have_q <= mem_rsp_valid_i;
      have_idx_q <= rsp_idx;
      if (mem_rsp_valid_i) fill_state_q[rsp_idx] <= HAVE;
      if (write) begin
        valid_q[wr_set][victim] <= 1'b0;
        wr_way_q <= victim;
      end
      // 6
      for (int unsigned f = 0; f < FILLS; f++) begin
        if (looking[f] && look_o.fill == 1'(f)) fill_state_q[f] <= ASKED;
        if (found_valid_i[f]) begin
          fill_state_q[f] <= no_page[f] ? TELL : no_access[f] ? FAULT : SEND;
          fill_frame_q[f] <= found_i[f].ppn;
          access_q[f] <= found_i[f].result == WALK_ACCESS;
        end
        if (telling[f] && pf_ready_i && tell == 1'(f)) fill_state_q[f] <= TOLD;
        if (answered[f]) fill_state_q[f] <= resume_deny_i ? FAULT : LOOK;
      end
      if (telling != '0 && pf_ready_i) tell_q <= !tell;
      if (no_page[0] && !cancelled[0] && !telling[1]) tell_q <= 1'b0;
      else if (no_page[1] && !cancelled[1] && !telling[0] && !(no_page[0] && !cancelled[0])) tell_q <= 1'b1;
      for (int unsigned f = 0; f < FILLS; f++) if (dropped[f] || stale[f]) fill_state_q[f] <= FREE;
      if (taken) fill_state_q[shown] <= WAITING;
      // 7
      if (forget) begin
        valid_q <= '0;
        for (int unsigned f = 0; f < FILLS; f++) if (busy[f] && !(alloc && alloc_idx == 1'(f))) killed_q[f] <= 1'b1;
      end
      // 8
      wake1_q <= have_q || denied || (dropped | (stale & ~s2_fault)) != '0 || (no_access & ~cancelled) != '0;
      wake_o <= wake1_q;
      // 9
      ev_o.l1i_hits <= s1_hit;
      ev_o.l1i_misses <= s1_valid_q && !s1_hit;
      ev_o.l1i_fills <= end_valid && !forget;
    end
  end

  // ---- outputs ---------------------------------------------------------------------------------------------------
  assign req_ready_o = 1'b1;
  assign rsp_valid_o = s2_valid_q;
  assign rsp_o.warp = s2_q.warp;
  assign rsp_o.epoch = s2_q.epoch;
  assign rsp_o.pc = s2_q.pc;
  assign rsp_o.hit = s2_hit_q;
  assign rsp_o.fault = s2_fault_q;
  assign rsp_o.instr = block | 128'(s2_page_q);   // block: 0 without a hit
  assign pf_valid_o = telling != '0;
  always_comb begin
    pf_o = '0;
    pf_o.fetch = 1'b1;
    pf_o.warp = warp_t'(tell);
    pf_o.pc = {key_line(fill_key_q[tell]), LINE_OFF_W'(0)};
    pf_o.value = {key_line(fill_key_q[tell]), LINE_OFF_W'(0)};
  end
  assign look_valid_o = looking != '0;
  assign look_o = '{fill: !looking[0], vpn: ppn_t'(key_line(fill_key_q[!looking[0]]) >> PAGE_LINE_W), warp: fill_warp_q[!looking[0]]};
  assign mem_req_valid_o = sending != '0;
  always_comb begin
    mem_req_o = '0;
    mem_req_o.op = MEM_READ;
    mem_req_o.amo = AMO_SWAP;
    mem_req_o.id[0] = shown;
    mem_req_o.line = {fill_frame_q[shown], fill_key_q[shown][PAGE_LINE_W-1:0]};
  end

  `VL_ASSERT(not_read_while_written, !(s1_hit && write && data_rrow == data_wrow))
  `VL_ASSERT(one_way_hits, !s1_valid_q || $countones(s1_match) <= 1)
  `VL_ASSERT(response_was_asked_for, !mem_rsp_valid_i || fill_state_q[rsp_idx] == WAITING)
  `VL_ASSERT(page_was_asked_for, (found_valid_i & ~{fill_state_q[1] == ASKED, fill_state_q[0] == ASKED}) == '0)
  `VL_ASSERT(fills_differ, !(busy == '1 && fill_key_q[0] == fill_key_q[1]))
endmodule
