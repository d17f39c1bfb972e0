// Data cache of a core: write-through, no write-allocate, MSHRs with merged requests, true LRU. A fill is written into the way reserved for it
// as it arrives; its waiting requests are answered from the data RAM. Lines of streams are fetched ahead, in cycles in which no request comes.
// Page: docs/blocks/l1d.md (steps 1-11).
// Latency: three cycles from request to the response of a hit.
//   queue head: tags read and compared, with the frame that comes from the TLB by then   |   s2: decide, data RAM read   |   s3: response
`include "vl_assert.svh"
`include "vl_skip.svh"
module l1d
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic     clk_i,
    input  logic     rst_i,
    // from / to lsu
    input  logic     l1d_req_valid_i,
    input  l1d_req_t l1d_req_i,
    output logic     l1d_req_ready_o,
    // the frame of an early request, one cycle after it was taken
    input  logic     early_i,         // from lsu: the look-up is answered now, and is valid
    input  found_t   found_i,         // from tlb
    output logic     l1d_rsp_valid_o,
    output l1d_rsp_t l1d_rsp_o,
    input  logic     l1d_rsp_ready_i,
    output logic     l1d_ack_o,
    // to / from the memory side
    output logic     mem_req_valid_o,
    output mem_req_t mem_req_o,
    input  logic     mem_req_ready_i,
    input  logic     mem_rsp_valid_i,
    input  mem_rsp_t mem_rsp_i,
    // warp_locality
    output logic     line_valid_o,
    output line_event_t line_o,
    // control
    input  prefetch_e prefetch_i,
    input  logic     inval_i,
    output logic     idle_o,
    output ev_l1d_t  ev_o
);
  localparam int unsigned WAYS = L1D_WAYS;
  localparam int unsigned SETS = L1D_BYTES / (LINE_BYTES * WAYS);
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned TAG_W = KEY_W - SET_BITS;
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned WAY_W = idx_w(WAYS);
  localparam int unsigned ROW_W = idx_w(SETS * WAYS);
  localparam int unsigned MSHRS = L1D_MSHRS;
  localparam int unsigned TARGETS = L1D_TARGETS;
  localparam int unsigned MSHR_W = idx_w(MSHRS);
  localparam int unsigned TARGET_W = idx_w(TARGETS);
  localparam int unsigned TCOUNT_W = $clog2(TARGETS + 1);
  localparam int unsigned TROW_W = idx_w(MSHRS * TARGETS);
  localparam int unsigned SLOTS = (THREADS < 32) ? THREADS : 32;
  localparam int unsigned SLOT_IW = idx_w(SLOTS);
  localparam logic [1:0] KIND_FILL = 2'd0, KIND_STORE = 2'd1, KIND_AMO = 2'd2;
  typedef logic [SET_W-1:0] set_t;
  typedef logic [WAY_W-1:0] way_t;
  typedef logic [TAG_W-1:0] tag_t;

  // Lines of requests are physical by the time they are compared.
  function automatic line_key_t key_at(input line_addr_t line);
    return key_of(line, '0, SPACE_PHYSICAL);
  endfunction
  function automatic set_t set_of(input line_key_t key);
    return (SETS > 1) ? set_t'(key) : '0;
  endfunction
  function automatic tag_t tag_of(input line_key_t key);
    return tag_t'(key >> SET_BITS);
  endfunction
  function automatic logic [ROW_W-1:0] row_of(input set_t set, input way_t way);
    return (ROW_W'(set) << $clog2(WAYS)) | ROW_W'(way);
  endfunction
  function automatic logic [TROW_W-1:0] target_row(input logic [MSHR_W-1:0] k, input logic [TCOUNT_W-1:0] n);
    return (TROW_W'(k) << $clog2(TARGETS)) | TROW_W'(n);
  endfunction

  // ---- state ---------------------------------------------------------------------------------------------------
  logic [1:0] count_q;
  l1d_req_t q0_q, q1_q, s2_q;
  logic q0_early_q, q1_early_q, q0_void_q, q1_void_q;   // early: taken early at the last edge; void: dropped
  ppn_t q0_frame_q;   // of an early request that has waited, else 0: apart from q0_q, since the input of q0_q is chosen after s2_free
  logic q0_ahead_q, q0_probe_q, s2_ahead_q, s2_probe_q;   // not a request of the LSU, but a line to fetch ahead; with probe: to look for
  line_addr_t q0_ahead_line_q;   // used with q0_ahead_q. q0_q takes the port's payload even without a request, since valid comes late
  logic ahead_valid_q, ahead_probe_q;                      // the next line to fetch ahead
  line_addr_t ahead_line_q;
  warp_t q0_ahead_warp;                                    // warp of the load that it is fetched for (locality_entries above 0)
  localparam int unsigned JAM = 64;
  localparam int unsigned JAM_W = $clog2(JAM + 1);
  logic [JAM_W-1:0] jam_q;                                 // cycles until a memory port that was stalled counts as free
  logic s2_valid_q, s3_valid_q, m_valid_q, ack_q;
  l1d_tag_t s3_tag_q;
  xlen_t s3_amo_data_q;
  typedef struct packed {   // mem_req_t with a sector in place of a line
    mem_op_e op;
    logic [1:0] kind;
    logic [MEM_IDX_W-1:0] idx;
    line_addr_t line;
    sector_t sector;
    sector_be_t be;
    sector_data_t data;
    amo_e amo;
    logic amo_dword;
    line_off_t amo_off;
    hart_t hart;
  } send_t;
  typedef struct packed {   // a request that waits for a line
    sector_t sector;
    l1d_tag_t tag;
  } target_t;
  send_t m_q;
  logic [MSHRS-1:0] mshr_valid_q, mshr_done_q, mshr_poison_q;
  line_key_t [MSHRS-1:0] mshr_key_q;
  way_t [MSHRS-1:0] mshr_way_q;
  logic [MSHRS-1:0][TCOUNT_W-1:0] mshr_count_q, mshr_next_q;
  logic [SLOTS-1:0] slot_valid_q, slot_done_q;
  ev_l1d_t ev_q;

  // ---- frames of early requests (step 9): the last of the queue, a cycle after it was taken -------------------------------
  line_addr_t q0_line, q1_line;
  line_key_t q0_key;
  logic q0_void, q1_void;
  function automatic line_addr_t in_frame(input line_addr_t line, input ppn_t frame);   // either the line's bits above the page or the frame are 0
    return line | {frame, PAGE_LINE_W'(0)};
  endfunction
  assign q0_line = q0_ahead_q ? q0_ahead_line_q : in_frame(q0_q.line, q0_frame_q | (q0_early_q ? found_i.ppn : '0));
  assign q0_key = key_at(q0_line);
  assign q1_line = in_frame(q1_q.line, q1_early_q ? found_i.ppn : '0);
  assign q0_void = q0_void_q || (q0_early_q && !(early_i && found_i.hit));
  assign q1_void = q1_void_q || (q1_early_q && !(early_i && found_i.hit));

  // ---- lookup in s2 ------------------------------------------------------------------------------------------------
  line_key_t s2_key;
  set_t s2_set;
  tag_t s2_tag;
  assign s2_key = key_at(s2_q.line);
  assign s2_set = set_of(s2_key);
  assign s2_tag = tag_of(s2_key);

  // Lines are compared one stage ahead, while a request is the head of the queue: with the tags of its set, and with the lines of the MSHRs
  // (tag_eq, mshr_eq, mshr_set, registered with s2). An allocation by s2 at that very edge is compared separately (fwd): step 9.
  // The tags were read when the request became the head; an allocation by s2 at that edge is compared separately, too (past).
  tag_t [WAYS-1:0] tags;
  logic [WAYS-1:0] tag_eq_q;
  logic [WAYS-1:0] set_valid, set_fresh;   // ways of the set of s2: with a line, present or awaited; with a line that was fetched ahead and not used yet
  logic past_q;
  logic [WAYS-1:0] past_way_q;
  line_key_t past_key_q;
  logic [MSHRS-1:0] mshr_eq_q, mshr_set_q;
  logic fwd_line_q, fwd_set_q;   // allocation at the edge at which s2 was loaded: same line, same set; the way if in the same set, and the MSHR
  logic [WAYS-1:0] fwd_way_q;
  logic [MSHRS-1:0] fwd_mshr_q;

  logic [WAYS-1:0] line_way;        // the way of the line, present or awaited
  way_t hit_idx;
  logic hit;
  always_comb begin
    hit_idx = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      line_way[w] = set_valid[w] && (fwd_way_q[w] ? fwd_line_q : tag_eq_q[w]);
      if (line_way[w]) hit_idx |= way_t'(w);
    end
  end

  logic [MSHRS-1:0] mshr_match;
  logic [WAYS-1:0] reserved;
  logic merge, merge_done, merge_ok;
  logic [MSHR_W-1:0] merge_idx, free_idx;
  logic [TCOUNT_W-1:0] merge_count;
  always_comb begin
    reserved = '0;
    merge_idx = '0;
    merge_count = '0;
    free_idx = '0;
    for (int unsigned k = 0; k < MSHRS; k++) begin
      mshr_match[k] = mshr_valid_q[k] && (fwd_mshr_q[k] ? fwd_line_q : mshr_eq_q[k]);
      if (mshr_match[k]) begin
        merge_idx |= MSHR_W'(k);
        merge_count |= mshr_count_q[k];
      end
      if (mshr_valid_q[k] && (fwd_mshr_q[k] ? fwd_set_q : mshr_set_q[k])) reserved[mshr_way_q[k]] = 1'b1;
    end
    for (int unsigned k = MSHRS; k > 0; k--) if (!mshr_valid_q[k-1]) free_idx = MSHR_W'(k - 1);
  end
  assign merge = mshr_match != '0;
  assign merge_done = (mshr_match & mshr_done_q) != '0;
  assign hit = line_way != '0 && (mshr_match & ~mshr_done_q) == '0;
  assign merge_ok = (mshr_match & mshr_poison_q) == '0 && merge_count != TCOUNT_W'(TARGETS);

  logic [SLOT_IW-1:0] slot_free_idx;
  always_comb begin
    slot_free_idx = '0;
    for (int unsigned a = SLOTS; a > 0; a--) if (!slot_valid_q[a-1]) slot_free_idx = SLOT_IW'(a - 1);
  end

  // ---- memory responses -----------------------------------------------------------------------------------------------
  logic [1:0] rsp_kind;
  logic [MEM_IDX_W-1:0] rsp_idx;
  logic fill_now, amo_now;
  logic [MSHR_W-1:0] fill_idx;
  assign rsp_kind = mem_rsp_i.id[MEM_IDX_W+:2];
  assign rsp_idx = mem_rsp_i.id[MEM_IDX_W-1:0];
  assign fill_now = mem_rsp_valid_i && rsp_kind == KIND_FILL;
  assign amo_now = mem_rsp_valid_i && rsp_kind == KIND_AMO;
  assign fill_idx = MSHR_W'(rsp_idx);

  // ---- answers of fills and atomics (step 1) ----------------------------------------------------------------------------
  logic s3_free, ans_amo, ans_fill, ans;
  logic [SLOT_IW-1:0] ans_slot;
  logic [MSHR_W-1:0] ans_mshr;
  logic ans_last;
  always_comb begin
    ans_slot = '0;
    ans_mshr = '0;
    for (int unsigned a = SLOTS; a > 0; a--) if (slot_done_q[a-1]) ans_slot = SLOT_IW'(a - 1);
    for (int unsigned k = MSHRS; k > 0; k--) if (mshr_done_q[k-1]) ans_mshr = MSHR_W'(k - 1);
  end
  assign s3_free = !s3_valid_q || l1d_rsp_ready_i;
  assign ans_amo = s3_free && slot_done_q != '0;
  assign ans_fill = s3_free && slot_done_q == '0 && mshr_done_q != '0;
  assign ans = ans_amo || ans_fill;
  assign ans_last = mshr_next_q[ans_mshr] + 1'b1 == mshr_count_q[ans_mshr];

  // ---- what s2 does (steps 2-6) -----------------------------------------------------------------------------------------
  logic is_load, is_store, is_amo, is_inval, is_ahead;
  assign is_load = s2_valid_q && !s2_ahead_q && s2_q.op == L1D_LOAD;
  assign is_store = s2_valid_q && s2_q.op == L1D_STORE;
  assign is_amo = s2_valid_q && s2_q.op == L1D_AMO;
  assign is_inval = s2_valid_q && s2_q.op == L1D_INVAL;
  assign is_ahead = s2_valid_q && s2_ahead_q;

  logic m_free, load_hit, load_merge, load_miss;
  logic block_rsp, block_merge, block_mshr, block_store, block_amo, block_mem, no_mshr;
  assign m_free = !m_valid_q || mem_req_ready_i;
  assign load_hit = is_load && hit;
  assign load_merge = is_load && !hit && merge;
  assign load_miss = is_load && !hit && !merge;
  assign block_rsp = load_hit && (!s3_free || ans);
  assign block_merge = load_merge && !merge_ok;
  assign no_mshr = mshr_valid_q == '1 || (MSHRS >= WAYS && reserved == '1);
  assign block_mshr = load_miss && no_mshr;
  assign block_store = is_store && hit && (fill_now || merge_done);
  assign block_amo = is_amo && slot_valid_q == '1;
  assign block_mem = (load_miss || is_store || is_amo) && !block_mshr && !block_store && !block_amo && !m_free;

  // Each operation has its own condition: a common `go` of all conditions would be the longest path.
  logic go, go_hit, go_merge, go_miss, go_fetch, go_alloc, go_store, go_amo, go_inval, s2_free, take;
  logic fetch_miss, one_left;
  assign go_hit = load_hit && s3_free && !ans;
  assign go_merge = load_merge && merge_ok;
  assign go_miss = load_miss && !no_mshr && m_free;
  assign one_left = (~mshr_valid_q & (~mshr_valid_q - 1'b1)) == '0;   // one MSHR free, or none: that one is kept for requests
  assign fetch_miss = is_ahead && !s2_probe_q && !hit && !merge;
  assign go_fetch = fetch_miss && !no_mshr && !one_left && m_free && jam_q == '0;
  assign go_alloc = go_miss || go_fetch;
  assign go_store = is_store && !(hit && (fill_now || merge_done)) && m_free;
  assign go_amo = is_amo && slot_valid_q != '1 && m_free;
  assign go_inval = is_inval;
  assign go = go_hit || go_merge || go_miss || go_store || go_amo || go_inval || is_ahead;
  assign s2_free = !s2_valid_q || go;
  assign take = l1d_req_valid_i && l1d_req_ready_o;

  // A line is valid here from its request on (an MSHR shows that it has not arrived), and no longer once its MSHR is poisoned: so only s2 changes it.
  logic [WAYS-1:0] victim_way;
  way_t victim;
  l1d_sets #(.SETS(SETS), .WAYS(WAYS)) u_sets (
      .clk_i, .rst_i, .clear_i(go_inval || inval_i), .set_i(s2_set), .valid_o(set_valid), .fresh_o(set_fresh), .keep_i(reserved), .victim_o(victim_way),
      .advance_i(s2_free), .next_set_i(set_of(q0_key)), .write_i(go && (!is_ahead || go_fetch)),
      .use_i((load_miss || fetch_miss) ? victim_way : (hit && !is_amo) ? line_way : '0), .fill_i((load_miss || fetch_miss) ? victim_way : '0),
      .ahead_i(is_ahead), .asked_i(is_load ? line_way : '0),
      .empty_i((is_amo || (is_store && !hit)) ? line_way : '0)
  );
  always_comb begin
    victim = '0;
    for (int unsigned w = 0; w < WAYS; w++) if (victim_way[w]) victim |= way_t'(w);
  end

  // ---- lines fetched ahead (step 11) -------------------------------------------------------------------------------------
  // The line of s2 and its neighbours are of one page: only these bits change.
  typedef logic [PAGE_LINE_W-1:0] page_line_t;
  function automatic line_addr_t in_page(input line_addr_t line, input page_line_t n);
    return {line[LINE_ADDR_W-1:PAGE_LINE_W], n};
  endfunction
  page_line_t s2_place;
  logic ahead_on, first_use, ahead_new, ahead_enters, place_last;
  assign s2_place = s2_q.line[PAGE_LINE_W-1:0];
  assign place_last = s2_place == '1;
  assign ahead_on = prefetch_i[0];
  assign first_use = (go_hit || go_merge) && (line_way & set_fresh) != '0;
  assign ahead_new = (ahead_on && (first_use || go_miss) && !place_last) || (is_ahead && s2_probe_q && (hit || merge));
  assign ahead_enters = ahead_valid_q && count_q == 2'd0 && !l1d_req_valid_i && !is_inval && !inval_i;

  // ---- memories ---------------------------------------------------------------------------------------------------------
  l1d_req_t q0_d;
  logic q0_load;
  line_addr_t row_line;   // the line of the set of tags that is read: a choice with small fan-out
  always_comb begin
    q0_d = l1d_req_i;
    if (count_q == 2'd2) begin
      q0_d = q1_q;
      q0_d.line = q1_line;
    end
  end
  assign row_line = (count_q == 2'd0 && !l1d_req_valid_i) ? ahead_line_q : q0_d.line;
  assign q0_load = s2_free || count_q == 2'd0;
  ram_row #(.ROWS(SETS), .WORDS(1), .WIDTH(WAYS * TAG_W), .PARTS(WAYS)) u_tags (
      .clk_i, .we_i(go_alloc ? victim_way : '0), .wrow_i(s2_set), .wdata_i({WAYS{s2_tag}}),
      .re_i(q0_load), .clear_i(1'b0), .rrow_i(set_of(key_at(row_line))), .rword_i(1'b0), .rdata_o(tags)
  );

  // ---- warps of the loads that fetched lines, and evicted lines (locality_entries above 0) ------------------------------
  if (LOCALITY_ENTRIES > 0) begin : g_owner
    warp_t ahead_warp_q, q0_ahead_warp_q, past_warp_q, of;
    warp_t [WAYS-1:0] owners, s2_owner_q;
    tag_t [WAYS-1:0] s2_tag_q;                            // of the ways of the set of s2
    tag_t old;
    logic evicts, line_valid_q;
    line_event_t line_q;
    ram_row #(.ROWS(SETS), .WORDS(1), .WIDTH(WAYS * WARP_W), .PARTS(WAYS)) u_owners (
        .clk_i, .we_i(go_alloc ? victim_way : '0), .wrow_i(s2_set), .wdata_i({WAYS{s2_q.warp}}),
        .re_i(q0_load), .clear_i(1'b0), .rrow_i(set_of(key_at(row_line))), .rword_i(1'b0), .rdata_o(owners)
    );
    assign evicts = go_alloc && (victim_way & set_valid) != '0;
    always_comb begin
      of = '0;
      old = '0;
      `VL_WHEN(evicts) for (int unsigned w = 0; w < WAYS; w++)
        if (victim_way[w]) begin
          of |= s2_owner_q[w];
          old |= s2_tag_q[w];
        end
    end
    always_ff @(posedge clk_i) begin
      if (q0_load) past_warp_q <= s2_q.warp;
      if (q0_load) q0_ahead_warp_q <= ahead_warp_q;
      if (ahead_new) ahead_warp_q <= s2_q.warp;
      // As for tag_eq: the tags read when the request became the head, s2's allocation at that edge, and its allocation at this one.
      if (s2_free)
        for (int unsigned w = 0; w < WAYS; w++)
          if (go_alloc && set_of(q0_key) == s2_set && victim_way[w]) begin
            s2_tag_q[w] <= s2_tag;
            s2_owner_q[w] <= s2_q.warp;
          end else if (past_q && past_way_q[w] && set_of(past_key_q) == set_of(q0_key)) begin
            s2_tag_q[w] <= tag_of(past_key_q);
            s2_owner_q[w] <= past_warp_q;
          end else begin
            s2_tag_q[w] <= tags[w];
            s2_owner_q[w] <= owners[w];
          end
      line_valid_q <= !rst_i && (go_merge || go_miss || evicts);
      `VL_WHEN(go_merge || go_alloc) line_q <= '{
          miss: !is_ahead, walked: s2_q.walked, evicted: evicts, warp: s2_q.warp, key: s2_key,
          of: evicts ? of : '0, old: evicts ? (line_key_t'(old) << SET_BITS) | ((SETS > 1) ? line_key_t'(s2_set) : '0) : '0
      };
    end
    assign q0_ahead_warp = q0_ahead_warp_q;
    assign line_valid_o = line_valid_q;
    assign line_o = line_q;
  end else begin : g_no_owner
    assign q0_ahead_warp = '0;
    assign line_valid_o = 1'b0;
    assign line_o = '0;
  end

  target_t target;
  sector_data_t rdata;
  logic [SECTORS-1:0][SECTOR_BYTES-1:0] data_we;
  logic [ROW_W-1:0] data_rrow, data_wrow;
  assign data_wrow = fill_now ? row_of(set_of(mshr_key_q[fill_idx]), mshr_way_q[fill_idx]) : row_of(s2_set, hit_idx);
  assign data_rrow = ans_fill ? row_of(set_of(mshr_key_q[ans_mshr]), mshr_way_q[ans_mshr]) : row_of(s2_set, hit_idx);
  always_comb
    for (int unsigned s = 0; s < SECTORS; s++)
      data_we[s] = fill_now ? '1 : (go_store && hit && s2_q.sector == sector_t'(s)) ? s2_q.be : '0;
  ram_row #(.ROWS(SETS * WAYS), .WORDS(SECTORS), .WIDTH(SECTOR_BITS), .PARTS(SECTOR_BYTES)) u_data (
      .clk_i, .we_i(data_we),
      .wrow_i(data_wrow),
      .wdata_i(fill_now ? mem_rsp_i.data : {SECTORS{s2_q.data}}),
      .re_i(ans_fill || go_hit), .clear_i(ans_amo),
      .rrow_i(data_rrow),
      .rword_i(ans_fill ? target.sector : s2_q.sector),
      .rdata_o(rdata)
  );

  l1d_tag_t slot_tag;
  xlen_t slot_data;
  ram_lut #(.DEPTH(MSHRS * TARGETS), .WIDTH($bits(target_t))) u_targets (
      .clk_i, .we_i(go_merge || go_alloc),
      .waddr_i(go_merge ? target_row(merge_idx, merge_count) : target_row(free_idx, '0)), .wdata_i({s2_q.sector, s2_q.tag}),
      .raddr_i(target_row(ans_mshr, mshr_next_q[ans_mshr])), .rdata_o(target)
  );
  ram_lut #(.DEPTH(SLOTS), .WIDTH($bits(l1d_tag_t))) u_slot_tags (
      .clk_i, .we_i(go_amo), .waddr_i(slot_free_idx), .wdata_i(s2_q.tag), .raddr_i(ans_slot), .rdata_o(slot_tag)
  );
  ram_lut #(.DEPTH(SLOTS), .WIDTH(64)) u_slot_data (
      .clk_i, .we_i(amo_now), .waddr_i(SLOT_IW'(rsp_idx)), .wdata_i(mem_rsp_i.data[63:0]), .raddr_i(ans_slot), .rdata_o(slot_data)
  );

  // ---- outputs ----------------------------------------------------------------------------------------------------------
  assign l1d_req_ready_o = count_q != 2'd2;
  assign l1d_rsp_valid_o = s3_valid_q;
  assign l1d_rsp_o.tag = s3_tag_q;
  assign l1d_rsp_o.data = rdata | SECTOR_BITS'(s3_amo_data_q);  // one of the two is 0
  assign l1d_ack_o = ack_q;
  assign mem_req_valid_o = m_valid_q;
  always_comb begin
    mem_req_o = '{op: m_q.op, id: {1'b0, m_q.kind, m_q.idx}, line: m_q.line, amo: m_q.amo, amo_dword: m_q.amo_dword, amo_off: m_q.amo_off,
                  hart: m_q.hart, data: {SECTORS{m_q.data}}, default: '0};
    for (int unsigned s = 0; s < SECTORS; s++)
      if (m_q.sector == sector_t'(s)) mem_req_o.be[s*SECTOR_BYTES+:SECTOR_BYTES] = m_q.be;
  end
  assign idle_o = count_q == '0 && !s2_valid_q && !s3_valid_q && !m_valid_q && !ack_q && !ahead_valid_q && mshr_valid_q == '0 && slot_valid_q == '0;
  assign ev_o = ev_q;

  // ---- payload registers ------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (q0_load) begin
      q0_q <= q0_d;
      q0_ahead_line_q <= ahead_line_q;
      q0_frame_q <= '0;
      q0_early_q <= take && count_q != 2'd2 && l1d_req_i.early;
      q0_ahead_q <= count_q == 2'd0 && !l1d_req_valid_i;   // without a line to fetch ahead the queue has no head, and this bit is not used
      q0_probe_q <= ahead_probe_q;
      q0_void_q <= count_q == 2'd2 && q1_void;
      past_q <= go_alloc;
      past_way_q <= victim_way;
      past_key_q <= s2_key;
    end else begin
      if (q0_early_q) q0_frame_q <= found_i.ppn;
      q0_early_q <= 1'b0;
      q0_void_q <= q0_void;
    end
    // The second place counts only while the queue is full, so it may change with or without a request.
    if (!l1d_req_ready_o) begin
      q1_q.line <= q1_line;
      q1_early_q <= 1'b0;
      q1_void_q <= q1_void;
    end else `VL_WHEN(take) begin
      q1_q <= l1d_req_i;
      q1_early_q <= l1d_req_i.early;
      q1_void_q <= 1'b0;
    end
    if (s2_free) begin  // step 9
      s2_q <= q0_q;
      if (q0_ahead_q) s2_q <= '{op: L1D_LOAD, warp: q0_ahead_warp, amo: amo_e'(0), default: '0};
      s2_q.line <= q0_line;
      s2_ahead_q <= q0_ahead_q;
      s2_probe_q <= q0_probe_q;
      for (int unsigned w = 0; w < WAYS; w++)
        tag_eq_q[w] <= (past_q && past_way_q[w] && set_of(past_key_q) == set_of(q0_key)) ? tag_of(past_key_q) == tag_of(q0_key)
                                                                                           : tags[w] == tag_of(q0_key);
      for (int unsigned k = 0; k < MSHRS; k++) begin
        mshr_eq_q[k] <= mshr_key_q[k] == q0_key;
        mshr_set_q[k] <= set_of(mshr_key_q[k]) == set_of(q0_key);
      end
      fwd_way_q <= (go_alloc && set_of(q0_key) == s2_set) ? victim_way : '0;
      for (int unsigned k = 0; k < MSHRS; k++) fwd_mshr_q[k] <= go_alloc && free_idx == MSHR_W'(k);
      fwd_line_q <= q0_key == s2_key;
      fwd_set_q <= set_of(q0_key) == s2_set;
    end
    if (s3_free) begin
      s3_tag_q <= ans_amo ? slot_tag : ans_fill ? target.tag : s2_q.tag;
      if (ans_amo) s3_amo_data_q <= slot_data;
      else s3_amo_data_q <= '0;
    end
    if (m_free)  // payload of the request that goes, if one does
      m_q <= '{
          op: is_store ? MEM_WRITE : is_amo ? MEM_AMO : MEM_READ,
          kind: is_store ? KIND_STORE : is_amo ? KIND_AMO : KIND_FILL,
          idx: is_store ? MEM_IDX_W'(s2_q.warp) : is_amo ? MEM_IDX_W'(slot_free_idx) : MEM_IDX_W'(free_idx),
          line: s2_q.line,
          sector: s2_q.sector,
          be: s2_q.be,
          data: s2_q.data,
          amo: s2_q.amo,
          amo_dword: s2_q.amo_dword,
          amo_off: s2_q.amo_off,
          hart: s2_q.hart
      };
    if (go_alloc) begin
      mshr_key_q[free_idx] <= s2_key;
      mshr_way_q[free_idx] <= victim;
      mshr_count_q[free_idx] <= TCOUNT_W'(!is_ahead);
      mshr_next_q[free_idx] <= '0;
    end
    if (go_merge) mshr_count_q[merge_idx] <= merge_count + 1'b1;
    if (ahead_new) begin  // after a miss: at once, or when the line before it is found
      ahead_probe_q <= go_miss && prefetch_i == PREFETCH_STREAM && s2_place != '0;
      ahead_line_q <= in_page(s2_q.line, is_ahead ? s2_place + page_line_t'(2)
                                         : (go_miss && prefetch_i == PREFETCH_STREAM && s2_place != '0) ? s2_place - 1'b1 : s2_place + 1'b1);
    end
    if (ans_fill) mshr_next_q[ans_mshr] <= mshr_next_q[ans_mshr] + 1'b1;
  end

  // ---- control registers ------------------------------------------------------------------------------------------------
  logic [MSHRS-1:0] poison_d;  // for MSHRs that are valid before this edge
  logic dropped, unasked;           // unasked: no request waits for the line that arrives
  assign unasked = mshr_count_q[fill_idx] == '0 && !(go_merge && merge_idx == fill_idx);
  assign poison_d = mshr_poison_q | ((go_store || go_amo) ? mshr_match : '0) | {MSHRS{go_inval || inval_i}};
  assign dropped = poison_d[fill_idx];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
      m_valid_q <= 1'b0;
      ack_q <= 1'b0;
      ahead_valid_q <= 1'b0;
      jam_q <= '0;
      mshr_valid_q <= '0;
      mshr_done_q <= '0;
      mshr_poison_q <= '0;
      slot_valid_q <= '0;
      slot_done_q <= '0;
      ev_q <= '0;
    end else begin
      count_q <= count_q + 2'(take || ahead_enters) - 2'(s2_free && count_q != 2'd0);
      ahead_valid_q <= (ahead_new || (ahead_valid_q && !ahead_enters)) && !is_inval && !inval_i;
      if (s2_free) s2_valid_q <= count_q != 2'd0 && !q0_void;
      if (s3_free) s3_valid_q <= ans || go_hit;
      if (m_free) m_valid_q <= go_alloc || go_store || go_amo;
      ack_q <= mem_rsp_valid_i && rsp_kind == KIND_STORE;

      jam_q <= !m_free ? JAM_W'(JAM) : (jam_q != '0) ? jam_q - 1'b1 : '0;

      // MSHRs
      mshr_poison_q <= poison_d;
      if (fill_now && !unasked) mshr_done_q[fill_idx] <= 1'b1;
      if (fill_now && unasked) mshr_valid_q[fill_idx] <= 1'b0;
      if (ans_fill && ans_last) begin
        mshr_valid_q[ans_mshr] <= 1'b0;
        mshr_done_q[ans_mshr] <= 1'b0;
      end
      if (go_alloc) begin
        mshr_valid_q[free_idx] <= 1'b1;
        mshr_poison_q[free_idx] <= inval_i;
      end

      // Slots of atomics
      if (ans_amo) begin
        slot_valid_q[ans_slot] <= 1'b0;
        slot_done_q[ans_slot] <= 1'b0;
      end
      if (amo_now) slot_done_q[SLOT_IW'(rsp_idx)] <= 1'b1;
      if (go_amo) slot_valid_q[slot_free_idx] <= 1'b1;

      ev_q.l1d_loads <= is_load && go;
      ev_q.l1d_prefetches <= go_fetch;
      ev_q.l1d_prefetch_hits <= first_use;
      ev_q.l1d_load_hits <= go_hit;
      ev_q.l1d_load_merges <= go_merge;
      ev_q.l1d_stores <= go_store;
      ev_q.l1d_store_hits <= go_store && hit;
      ev_q.l1d_atomics <= go_amo;
      ev_q.l1d_invals <= go_inval || inval_i;
      ev_q.l1d_fills <= fill_now;
      ev_q.l1d_fills_dropped <= fill_now && dropped;
      ev_q.l1d_stall_mem <= block_mem;
      ev_q.l1d_stall_mshr <= block_mshr;
      ev_q.l1d_stall_merge <= block_merge;
      ev_q.l1d_stall_rsp <= block_rsp;
      ev_q.l1d_stall_store <= block_store;
      ev_q.l1d_stall_atomic <= block_amo;
    end
  end

  `VL_ASSERT(not_read_while_written, !((ans_fill || go_hit) && data_we != '0 && data_rrow == data_wrow))
  `VL_ASSERT(early_is_a_load_in_a_page, !take || !l1d_req_i.early || (l1d_req_i.op == L1D_LOAD && l1d_req_i.line[LINE_ADDR_W-1:PAGE_LINE_W] == '0))
  `VL_ASSERT(early_has_its_answer, !early_i || (count_q == 2'd1 && q0_early_q) || (count_q == 2'd2 && q1_early_q))
  `VL_ASSERT(hits_one_way, $countones(line_way) <= 1)
  `VL_ASSERT(one_mshr_a_line, !s2_valid_q || $countones(mshr_match) <= 1)
  `VL_ASSERT(fill_is_awaited, !fill_now || (mshr_valid_q[fill_idx] && !mshr_done_q[fill_idx]))
  `VL_ASSERT(atomic_is_awaited, !amo_now || (slot_valid_q[SLOT_IW'(rsp_idx)] && !slot_done_q[SLOT_IW'(rsp_idx)]))
  `VL_ASSERT(done_and_kept_is_there, !(load_merge && merge_ok && merge_done))
endmodule
