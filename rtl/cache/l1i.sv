// Instruction cache: lookup pipeline of two cycles (tags, then the data of the way that hit), two line fills, one writer.
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
  localparam int unsigned TAG_W = LINE_ADDR_W - SET_W;
  localparam int unsigned BLOCKS = LINE_BYTES / 16;
  localparam int unsigned BLK_W = $clog2(BLOCKS);
  localparam int unsigned LEVELS = $clog2(L1I_WAYS);             // of the PLRU tree
  localparam int unsigned NODES = (L1I_WAYS > 1) ? L1I_WAYS - 1 : 1;
  localparam int unsigned FILLS = 2;

  typedef logic [SET_W-1:0] set_t;
  typedef logic [WAY_W-1:0] way_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [NODES-1:0] plru_t;
  typedef enum logic [3:0] {FREE, LOOK, ASKED, SEND, WAITING, HAVE, TELL, TOLD, FAULT} fill_e;

  function automatic set_t set_of(input line_addr_t line);
    return line[SET_W-1:0];
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

  line_addr_t s1_line;
  logic [L1I_WAYS-1:0] s1_match;
  logic s1_hit, s1_miss;
  way_t s1_way;

  // ---- fills and writer ------------------------------------------------------------------------------------------
  fill_e [FILLS-1:0] fill_state_q;
  line_addr_t [FILLS-1:0] fill_line_q;
  logic [FILLS-1:0][BLOCKS-1:0][127:0] fill_data_q;
  ppn_t [FILLS-1:0] fill_frame_q;
  logic [FILLS-1:0] killed_q, access_q, busy, looking, sending, have, telling, told, bad, s2_fault;
  logic       s2_fault_q, s2_page_q, forget, tell_q, tell, denied;
  logic [FILLS-1:0] no_page, no_access;     // what itlb says of them
  logic       last_alloc_q;
  logic       alloc, alloc_idx, shown, taken, rsp_idx;
  logic       wr_busy_q, wr_fill_q, wake1_q;
  way_t       wr_way_q;
  logic [BLK_W-1:0] wr_blk_q;
  logic       pick, start, drop, finish;
  line_addr_t pick_line, wr_line;
  logic [L1I_WAYS-1:0] pick_valid;
  way_t       victim;

  assign s1_line = s1_q.pc[PA_W-1:LINE_OFF_W];
  always_comb begin
    s1_match = '0;
    s1_way = '0;
    for (int unsigned w = 0; w < L1I_WAYS; w++) begin
      s1_match[w] = valid_q[set_of(s1_line)][w] && tags[w] == s1_line[LINE_ADDR_W-1:SET_W];
      if (s1_match[w]) s1_way |= way_t'(w);
    end
  end
  assign s1_hit = s1_valid_q && s1_match != '0;
  assign s1_miss = s1_valid_q && s1_match == '0;

  always_comb begin
    for (int unsigned f = 0; f < FILLS; f++) begin
      busy[f] = fill_state_q[f] != FREE;
      looking[f] = fill_state_q[f] == LOOK;
      sending[f] = fill_state_q[f] == SEND;
      telling[f] = fill_state_q[f] == TELL;
      told[f] = fill_state_q[f] == TOLD;
      bad[f] = fill_state_q[f] == FAULT;
      s2_fault[f] = s1_miss && bad[f] && fill_line_q[f] == s1_line;
      have[f] = fill_state_q[f] == HAVE;
    end
  end
  // Step 3: a new fill, unless the line is on its way or both are busy.
  assign alloc = s1_miss && (busy & ~bad) != '1 && !(busy[0] && fill_line_q[0] == s1_line) && !(busy[1] && fill_line_q[1] == s1_line);
  assign alloc_idx = busy == '1 ? !bad[0] : busy[0];
  assign forget = inval_i || inv_valid_i;
  assign tell = (telling == '1) ? tell_q : telling[1];
  assign denied = resume_valid_i && resume_deny_i && told[resume_fill_i] && !forget;
  always_comb
    for (int unsigned f = 0; f < FILLS; f++) begin
      no_page[f] = found_valid_i[f] && !killed_q[f] && !forget && found_i[f].result == WALK_PAGE;
      no_access[f] = found_valid_i[f] && !killed_q[f] && !forget && found_i[f].result == WALK_ACCESS;
    end
  assign shown = (sending == '1) ? !last_alloc_q : sending[1];
  assign taken = mem_req_valid_o && mem_req_ready_i;
  assign rsp_idx = mem_rsp_i.id[0];

  // Step 4: the writer begins.
  assign pick = !have[0];
  assign drop = !wr_busy_q && have != '0 && killed_q[pick];
  assign start = !wr_busy_q && have != '0 && !killed_q[pick];
  assign pick_line = fill_line_q[pick];
  assign pick_valid = valid_q[set_of(pick_line)];
  always_comb begin
    victim = plru_victim(plru_q[set_of(pick_line)]);
    for (int w = int'(L1I_WAYS) - 1; w >= 0; w--) if (!pick_valid[w]) victim = way_t'(w);
  end
  // Step 5: it writes block after block.
  assign wr_line = fill_line_q[wr_fill_q];
  assign finish = wr_busy_q && wr_blk_q == '1;

  logic [L1I_WAYS-1:0] tag_we;
  logic [$clog2(L1I_WAYS*SETS*BLOCKS)-1:0] data_raddr, data_waddr;
  assign tag_we = start ? L1I_WAYS'(1) << victim : '0;
  if (L1I_WAYS > 1) begin : gen_ways
    assign data_raddr = {s1_way, set_of(s1_line), s1_q.pc[LINE_OFF_W-1:4]};
    assign data_waddr = {wr_way_q, set_of(wr_line), wr_blk_q};
  end else begin : gen_direct
    assign data_raddr = {set_of(s1_line), s1_q.pc[LINE_OFF_W-1:4]};
    assign data_waddr = {set_of(wr_line), wr_blk_q};
  end

  // A tag that is read while it is written belongs to a way that is no longer valid when it is compared, and a block that is written is of an
  // invalid way: neither RAM needs a bypass.
  ram_1r1w #(.DEPTH(SETS), .WIDTH(L1I_WAYS * TAG_W), .PARTS(L1I_WAYS)) u_tag (
      .clk_i, .we_i(tag_we), .waddr_i(set_of(pick_line)), .wdata_i({L1I_WAYS{pick_line[LINE_ADDR_W-1:SET_W]}}),
      .re_i(req_valid_i), .raddr_i(set_of(req_i.pc[PA_W-1:LINE_OFF_W])), .rdata_o(tags)
  );
  ram_1r1w #(.DEPTH(L1I_WAYS * SETS * BLOCKS), .WIDTH(128)) u_data (
      .clk_i, .we_i(wr_busy_q), .waddr_i(data_waddr), .wdata_i(fill_data_q[wr_fill_q][wr_blk_q]),
      .re_i(s1_hit), .raddr_i(data_raddr), .rdata_o(block)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s2_hit_q <= 1'b0;
      s2_fault_q <= 1'b0;
      s2_page_q <= 1'b0;
      tell_q <= 1'b0;
      s1_q <= '0;
      s2_q <= '0;
      valid_q <= '0;
      for (int unsigned s = 0; s < SETS; s++) plru_q[s] <= '0;
      for (int unsigned f = 0; f < FILLS; f++) fill_state_q[f] <= FREE;
      killed_q <= '0;
      last_alloc_q <= 1'b0;
      wr_busy_q <= 1'b0;
      wr_fill_q <= 1'b0;
      wr_way_q <= '0;
      wr_blk_q <= '0;
      wake1_q <= 1'b0;
      wake_o <= 1'b0;
      ev_o <= '0;
    end else begin
      // 1
      s1_valid_q <= req_valid_i;
      if (req_valid_i) s1_q <= req_i;
      s2_valid_q <= s1_valid_q;
      s2_hit_q <= s1_hit;
      s2_fault_q <= s2_fault != '0;
      s2_page_q <= (s2_fault & ~access_q) != '0;
      for (int unsigned f = 0; f < FILLS; f++) if (s2_fault[f]) fill_state_q[f] <= FREE;
      if (s1_valid_q) s2_q <= s1_q;
      // 2
      if (s1_hit) plru_q[set_of(s1_line)] <= plru_touch(plru_q[set_of(s1_line)], s1_way);
      // 3
      if (alloc) begin
        fill_state_q[alloc_idx] <= root_i.sv48 ? LOOK : SEND;
        fill_line_q[alloc_idx] <= s1_line;
        fill_frame_q[alloc_idx] <= s1_line[LINE_ADDR_W-1:5];
        killed_q[alloc_idx] <= inv_valid_i;
        last_alloc_q <= alloc_idx;
      end
      // 4
      if (drop) fill_state_q[pick] <= FREE;
      if (start) begin
        valid_q[set_of(pick_line)][victim] <= 1'b0;
        plru_q[set_of(pick_line)] <= plru_touch(plru_q[set_of(pick_line)], victim);
        wr_busy_q <= 1'b1;
        wr_fill_q <= pick;
        wr_way_q <= victim;
        wr_blk_q <= '0;
      end
      // 5
      if (wr_busy_q) wr_blk_q <= wr_blk_q + 1'b1;
      if (finish) begin
        wr_busy_q <= 1'b0;
        fill_state_q[wr_fill_q] <= FREE;
        if (!killed_q[wr_fill_q]) valid_q[set_of(wr_line)][wr_way_q] <= 1'b1;
      end
      // 6
      for (int unsigned f = 0; f < FILLS; f++) begin
        if (looking[f] && look_o.fill == 1'(f)) fill_state_q[f] <= ASKED;
        if (found_valid_i[f]) begin
          fill_state_q[f] <= (killed_q[f] || forget) ? HAVE : no_page[f] ? TELL : no_access[f] ? FAULT : SEND;
          fill_frame_q[f] <= found_i[f].ppn;
          access_q[f] <= found_i[f].result == WALK_ACCESS;
        end
        if (telling[f] && pf_ready_i && tell == 1'(f)) fill_state_q[f] <= TOLD;
        if (told[f] && resume_valid_i && resume_fill_i == 1'(f)) fill_state_q[f] <= resume_deny_i ? FAULT : LOOK;
      end
      if (telling != '0 && pf_ready_i) tell_q <= !tell;
      if (no_page[0] && !telling[1]) tell_q <= 1'b0;
      else if (no_page[1] && !telling[0] && !no_page[0]) tell_q <= 1'b1;
      if (taken) fill_state_q[shown] <= WAITING;
      if (mem_rsp_valid_i) begin
        fill_state_q[rsp_idx] <= HAVE;
        fill_data_q[rsp_idx] <= mem_rsp_i.data;
      end
      // 7
      if (forget) begin
        valid_q <= '0;
        for (int unsigned f = 0; f < FILLS; f++)
          if (busy[f] && !(alloc && alloc_idx == 1'(f))) begin
            killed_q[f] <= 1'b1;
            if ((looking[f] && look_o.fill != 1'(f)) || telling[f] || told[f] || (bad[f] && !s2_fault[f])) fill_state_q[f] <= HAVE;
          end
      end
      // 8
      wake1_q <= drop || finish || denied || no_access != '0;
      wake_o <= wake1_q;
      // 9
      ev_o.l1i_hits <= s1_hit;
      ev_o.l1i_misses <= s1_miss;
      ev_o.l1i_fills <= finish && !killed_q[wr_fill_q] && !forget;
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
  assign rsp_o.instr = s2_hit_q ? block : 128'(s2_page_q);
  assign pf_valid_o = telling != '0;
  always_comb begin
    pf_o = '0;
    pf_o.fetch = 1'b1;
    pf_o.warp = warp_t'(tell);
    pf_o.pc = {fill_line_q[tell], 7'b0};
    pf_o.value = {fill_line_q[tell], 7'b0};
  end
  assign look_valid_o = looking != '0;
  assign look_o = '{fill: !looking[0], vpn: fill_line_q[!looking[0]][LINE_ADDR_W-1:5]};
  assign mem_req_valid_o = sending != '0;
  always_comb begin
    mem_req_o = '0;
    mem_req_o.op = MEM_READ;
    mem_req_o.amo = AMO_SWAP;
    mem_req_o.id[0] = shown;
    mem_req_o.line = {fill_frame_q[shown], fill_line_q[shown][4:0]};
  end

  `VL_ASSERT(one_way_hits, !s1_valid_q || $countones(s1_match) <= 1)
  `VL_ASSERT(response_was_asked_for, !mem_rsp_valid_i || fill_state_q[rsp_idx] == WAITING)
  `VL_ASSERT(page_was_asked_for, (found_valid_i & ~{fill_state_q[1] == ASKED, fill_state_q[0] == ASKED}) == '0)
  `VL_ASSERT(fills_differ, !(busy == '1 && fill_line_q[0] == fill_line_q[1]))
endmodule
