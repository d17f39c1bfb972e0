// Load/store unit: gathers the beats of a warp's memory instruction, checks every address, sends scratchpad threads beat by beat and global
// threads sector by sector, in order; turns responses into result records. Page: docs/blocks/lsu.md.
// Latency (one beat): operands to a load request two cycles, to a store or atomic three; response to result one.
`include "vl_assert.svh"
module lsu
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, mem_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // constants of core and kernel
    input  core_t     core_i,
    input  kernel_t   kernel_i,
    // from launch
    input  logic      start_valid_i,
    input  start_t    start_i,
    // from regfile, credits to issue
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    output logic      credit_o,
    // l1d
    output logic      l1d_req_valid_o,
    output l1d_req_t  l1d_req_o,
    input  logic      l1d_req_ready_i,
    input  logic      l1d_rsp_valid_i,
    input  l1d_rsp_t  l1d_rsp_i,
    output logic      l1d_rsp_ready_o,
    input  logic      l1d_ack_i,
    // spad
    output logic      spad_req_valid_o,
    output spad_req_t spad_req_o,
    input  logic      spad_req_ready_i,
    input  logic      spad_rsp_valid_i,
    input  spad_rsp_t spad_rsp_i,
    output logic      spad_rsp_ready_o,
    // to regfile
    output logic      lsu_res_valid_o,
    output result_t   lsu_res_o,
    input  logic      lsu_res_ready_i,
    // to status, trace
    output logic      fault_valid_o,
    output fault_t    fault_o,
    output logic      trace_valid_o,
    output memtrace_t trace_o,
    output logic      idle_o,
    output ev_lsu_t   ev_o
);
  localparam int unsigned IN_DEPTH = LSU_IN_DEPTH;
  localparam int unsigned ROWS = IN_DEPTH / BEATS;
  localparam int unsigned ROW_W = idx_w(ROWS);
  localparam int unsigned HELD_W = $clog2(IN_DEPTH + 1);
  localparam int unsigned TBEAT_W = $clog2(BEATS + 1);
  localparam int unsigned STORE_LIMIT = 254;
  typedef logic [BEATS-1:0] beats_t;

  typedef struct packed {   // one beat of a row
    lane_mask_t active, spad, glob, misaligned, access;
    logic [15:0] high;      // address bits 63:48 of the lowest faulting lane (those of the others are 0)
    logic [LANES-1:0][47:0] addr;
    lane_data_t rs2, rs3;
  } row_beat_t;
  typedef struct packed {   // what the beats of a row share
    op_e op;
    amo_e amo;
    logic load, store, atomic, fence, wg, sc, is_unsigned, aq, rl;
    logic [1:0] size;
    warp_t warp;
    seq_t seq;
    pc_t pc;
    reg_t rd;
    logic [SPAD_W-1:0] base;  // of the warp's scratchpad when the row came: the warp may end, and another begin, while stores wait here
  } row_head_t;

  // ---- input register and addresses ---------------------------------------------------------------------------------
  logic in_valid_q, take_ops;
  operands_t in_q;
  assign take_ops = ops_valid_i && ops_i.pipe == PIPE_LSU;

  logic [SPAD_W-1:0] base;
  ram_lut #(.DEPTH(WARPS), .WIDTH(SPAD_W)) u_bases (
      .clk_i, .we_i(start_valid_i), .waddr_i(start_i.warp), .wdata_i(SPAD_W'(start_i.spad_base)), .raddr_i(in_q.warp), .rdata_o(base)
  );

  row_head_t in_head;
  row_beat_t in_row;
  lane_data_t in_addr;
  lane_mask_t in_spad, in_glob, in_misaligned, in_access, in_fault;
  always_comb begin
    in_head.op = in_q.op;
    in_head.amo = amo_of(in_q.op);
    in_head.load = op_is_load(in_q.op);
    in_head.store = op_is_store(in_q.op);
    in_head.atomic = op_is_amo_w(in_q.op) || op_is_amo_d(in_q.op);
    in_head.fence = in_q.op inside {OP_FENCE, OP_FENCE_I};
    in_head.wg = in_q.op == OP_VL_FENCE_WG;
    in_head.sc = in_q.op inside {OP_SC_W, OP_SC_D};
    in_head.is_unsigned = in_q.op inside {OP_LBU, OP_LHU, OP_LWU};
    in_head.aq = in_head.atomic && in_q.instr[26];
    in_head.rl = in_head.atomic && in_q.instr[25];
    in_head.size = mem_size(in_q.op);
    in_head.warp = in_q.warp;
    in_head.seq = in_q.seq;
    in_head.pc = in_q.pc;
    in_head.rd = in_q.rd;
    in_head.base = base;
  end

  lsu_agu u_agu (
      .imm_i(in_q.imm), .rs1_i(in_q.rs1), .mask_i((in_head.load || in_head.store || in_head.atomic) ? in_q.mask : '0),
      .size_i(in_head.size), .kernel_i, .addr_o(in_addr), .spad_o(in_spad), .global_o(in_glob),
      .misaligned_o(in_misaligned), .access_o(in_access)
  );
  assign in_fault = in_misaligned | in_access;
  always_comb begin
    in_row.active = in_spad | in_glob | in_fault;
    in_row.spad = in_spad;
    in_row.glob = in_glob;
    in_row.misaligned = in_misaligned;
    in_row.access = in_access;
    in_row.rs2 = in_q.rs2;
    in_row.rs3 = in_q.rs3;
    in_row.high = '0;
    for (int unsigned l = 0; l < LANES; l++) in_row.addr[l] = in_addr[l][47:0];
    for (int unsigned l = LANES; l > 0; l--) if (in_fault[l-1]) in_row.high = in_addr[l-1][63:48];
  end

  // ---- rows -----------------------------------------------------------------------------------------------------------
  logic [ROW_W-1:0] wr_q, rd_q;
  logic [$clog2(ROWS+1)-1:0] full_q;
  logic [ROWS-1:0] row_fault_q;
  row_beat_t [BEATS-1:0] row;
  row_head_t h;
  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    ram_lut #(.DEPTH(ROWS), .WIDTH($bits(row_beat_t))) u_row (
        .clk_i, .we_i(in_valid_q && in_q.beat == beat_t'(b)), .waddr_i(wr_q), .wdata_i(in_row), .raddr_i(rd_q), .rdata_o(row[b])
    );
  end
  ram_lut #(.DEPTH(ROWS), .WIDTH($bits(row_head_t))) u_heads (
      .clk_i, .we_i(in_valid_q), .waddr_i(wr_q), .wdata_i(in_head), .raddr_i(rd_q), .rdata_o(h)
  );

  thread_mask_t active_t, spad_t, glob_t, misaligned_t, fault_t_mask;
  logic [THREADS-1:0][47:0] addr;
  logic [THREADS-1:0][PA_W-1:SECTOR_OFF_W] sectors;
  for (genvar t = 0; t < THREADS; t++) begin : gen_thread
    assign active_t[t] = row[t/LANES].active[t%LANES];
    assign spad_t[t] = row[t/LANES].spad[t%LANES];
    assign glob_t[t] = row[t/LANES].glob[t%LANES];
    assign misaligned_t[t] = row[t/LANES].misaligned[t%LANES];
    assign fault_t_mask[t] = row[t/LANES].misaligned[t%LANES] | row[t/LANES].access[t%LANES];
    assign addr[t] = row[t/LANES].addr[t%LANES];
    assign sectors[t] = addr[t][PA_W-1:SECTOR_OFF_W];
  end

  // ---- per warp ---------------------------------------------------------------------------------------------------------
  logic [WARPS-1:0] dead_q;

  // ---- what a fence waits for: of all warps, since a thread may have seen another warp's store in the L1D -----------------
  logic [7:0] unacked_q;
  logic [LSU_ENTRIES-1:0] busy, atomic_q;
  logic quiet;
  assign quiet = unacked_q == '0 && (busy & atomic_q) == '0;

  // ---- front: what the head row does -------------------------------------------------------------------------------------
  logic started_q, pre_q, post_q;
  entry_t cur_q;
  thread_mask_t gdone_q, lmask_q, lseen_q, pseen_q;
  beats_t sdone_q;
  logic [TBEAT_W-1:0] tbeat_q;
  logic [6:0] pages_q;
  logic st_valid_q, st_final_q;
  logic fence_busy;

  logic head, fresh, drop, do_fault, ok, memory, start, live;
  logic wg_done, fence_ready, pre_ready, post_ready, inval, inval_taken;
  entry_t free_idx, entry;
  assign head = full_q != '0;
  assign fresh = head && !started_q;
  assign drop = fresh && dead_q[h.warp];
  assign do_fault = fresh && !dead_q[h.warp] && row_fault_q[rd_q];
  assign ok = head && !drop && !do_fault;
  assign wg_done = ok && h.wg && !fence_busy;
  assign fence_ready = ok && h.fence && !fence_busy && quiet;
  assign post_ready = post_q && quiet;
  assign pre_ready = ok && h.rl && !pre_q && !started_q && quiet;
  assign inval = (fence_ready || post_ready || pre_ready) && !st_valid_q;
  assign inval_taken = inval && l1d_req_ready_i;

  always_comb begin
    free_idx = '0;
    for (int unsigned e = LSU_ENTRIES; e > 0; e--) if (!busy[e-1]) free_idx = entry_t'(e - 1);
  end
  assign memory = ok && (h.load || h.store || h.atomic) && !post_q && (started_q || !h.rl || pre_q);
  assign start = memory && !started_q && (h.store || busy != '1);
  assign live = memory && (started_q || start);
  assign entry = started_q ? cur_q : free_idx;

  // Trace.
  beats_t trace_sel;
  logic trace_more;
  assign trace_more = tbeat_q != TBEAT_W'(BEATS);
  // With one beat the selection of a beat's fields is left out: a payload that is not valid may be anything.
  for (genvar b = 0; b < BEATS; b++) assign trace_sel[b] = tbeat_q == TBEAT_W'(b);

  // Scratchpad.
  beats_t spad_has, spad_sel;
  logic spad_show, spad_taken;
  for (genvar b = 0; b < BEATS; b++) assign spad_has[b] = row[b].spad != '0;
  assign spad_sel = spad_has & ~sdone_q & (~(spad_has & ~sdone_q) + 1'b1);
  assign spad_show = live && spad_sel != '0;
  assign spad_taken = spad_show && spad_req_ready_i;

  // Global.
  thread_mask_t pending, leader, same_sector, same_line, same_page, group, group_b, gtaken;
  line_addr_t line;
  sector_t sector;
  beats_t group_has, group_sel;
  logic load_show, load_taken, st_free, st_taken, counts, new_line, new_page;
  assign pending = glob_t & ~gdone_q;
  lsu_coalesce u_coalesce (
      .from_i((lmask_q != '0) ? lmask_q : pending), .sector_i(sectors),
      .leader_o(leader), .line_o(line), .sector_o(sector), .same_sector_o(same_sector), .same_line_o(same_line), .same_page_o(same_page)
  );
  assign group = (lmask_q != '0) ? lmask_q : h.atomic ? leader : pending & same_sector;
  for (genvar b = 0; b < BEATS; b++) begin : gen_group
    assign group_has[b] = group[b*LANES+:LANES] != '0;
    assign group_b[b*LANES+:LANES] = group_sel[b] ? group[b*LANES+:LANES] : '0;
  end
  assign group_sel = group_has & (~group_has + 1'b1);
  assign load_show = live && h.load && pending != '0 && !st_valid_q;
  assign load_taken = load_show && l1d_req_ready_i;
  assign st_free = !st_valid_q || !st_final_q || l1d_req_ready_i;
  assign st_taken = live && !h.load && pending != '0 && st_free && (h.atomic || unacked_q < 8'(STORE_LIMIT));
  assign gtaken = load_taken ? group : st_taken ? group_b : '0;
  assign counts = load_taken || (st_taken && lmask_q == '0);
  assign new_line = counts && !h.atomic && (leader & lseen_q) == '0;
  assign new_page = counts && (leader & pseen_q) == '0;

  // The end.
  logic done, pop;
  assign done = live && (pending & ~gtaken) == '0 && (spad_has & ~sdone_q & ~(spad_taken ? spad_sel : '0)) == '0
             && (trace_sel[BEATS-1] || !trace_more);
  assign pop = drop || do_fault || wg_done || (inval_taken && !pre_ready) || (done && !h.aq);

  // ---- stores and atomics into sectors ---------------------------------------------------------------------------------------
  typedef struct packed {
    logic atomic;
    warp_t warp;
    line_addr_t line;
    sector_t sector;
    entry_t entry;
    thread_mask_t thread;
    amo_e amo;
    logic dword;
    logic [6:0] off;
    hart_t hart;
  } st_head_t;
  st_head_t st_head_d, st_head_q;
  lane_mask_t st_take_d, st_take_q;
  logic [LANES-1:0][SECTOR_OFF_W-4:0] st_dword_d, st_dword_q;
  logic [LANES-1:0][7:0] st_be_d, st_be_q;
  lane_data_t st_data_d, st_data_q;
  xlen_t st_cmp_d, st_cmp_q;
  logic [HART_W-1:0] hart_base_q, hart_warp;  // number of thread 0 of warp 0 of this core; of the head's warp
  assign hart_warp = hart_base_q + HART_W'(h.warp) * HART_W'(THREADS);

  always_comb begin
    st_head_d = '{atomic: h.atomic, warp: h.warp, line: line, amo: AMO_SWAP, default: '0};
    st_take_d = '0;
    st_dword_d = '0;
    st_be_d = '0;
    st_data_d = '0;
    st_cmp_d = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      logic [6:0] off;
      xlen_t d, c;
      off = '0;
      d = '0;
      c = '0;
      for (int unsigned b = 0; b < BEATS; b++)
        if (BEATS == 1 || group_sel[b]) begin
          st_take_d[l] |= group[b*LANES+l];
          off |= row[b].addr[l][6:0];
          d |= row[b].rs2[l];
          c |= row[b].rs3[l];
        end
      if (h.atomic) begin
        st_be_d[l] = (h.size == 2'd3) ? 8'hff : 8'h0f;
        st_data_d[l] = d;
        if (st_take_d[l]) begin
          st_head_d.off |= off;
          if (h.amo == AMO_CAS) st_cmp_d |= (h.size == 2'd3) ? c : {32'd0, c[31:0]};
        end
      end else begin
        st_dword_d[l] = off[SECTOR_OFF_W-1:3];
        unique case (h.size)
          2'd0: st_be_d[l] = 8'h01 << off[2:0];
          2'd1: st_be_d[l] = 8'h03 << {off[2:1], 1'b0};
          2'd2: st_be_d[l] = off[2] ? 8'hf0 : 8'h0f;
          default: st_be_d[l] = 8'hff;
        endcase
        unique case (h.size)
          2'd0: st_data_d[l] = {8{d[7:0]}};
          2'd1: st_data_d[l] = {4{d[15:0]}};
          2'd2: st_data_d[l] = {2{d[31:0]}};
          default: st_data_d[l] = d;
        endcase
      end
    end
    if (!h.atomic) st_head_d.sector = sector;
    else begin
      st_head_d.entry = entry;
      st_head_d.thread = leader;
      st_head_d.amo = h.amo;
      st_head_d.dword = h.size == 2'd3;
      st_head_d.hart = hart_warp;
      for (int unsigned t = 0; t < THREADS; t++) if (leader[t]) st_head_d.hart |= HART_W'(t);
    end
  end

  sector_be_t sc_be, st_be;
  sector_data_t sc_data, st_data;
  lsu_scatter u_scatter (
      .take_i(st_valid_q ? st_take_q : '0), .dword_i(st_dword_q), .be_i(st_be_q), .data_i(st_data_q), .be_o(sc_be), .data_o(sc_data)
  );
  if (BEATS > 1) begin : gen_acc
    sector_be_t acc_be_q;
    sector_data_t acc_data_q;
    always_comb begin
      st_be = acc_be_q | sc_be;
      for (int unsigned k = 0; k < SECTOR_BYTES; k++) st_data[k*8+:8] = sc_data[k*8+:8] | (sc_be[k] ? '0 : acc_data_q[k*8+:8]);
    end
    always_ff @(posedge clk_i)
      if (rst_i || (st_valid_q && st_final_q && l1d_req_ready_i)) begin
        acc_be_q <= '0;
        acc_data_q <= '0;
      end else if (st_valid_q && !st_final_q) begin
        acc_be_q <= st_be;
        acc_data_q <= st_data;
      end
  end else begin : gen_no_acc
    assign st_be = sc_be;
    assign st_data = sc_data;
  end

  // ---- outputs ----------------------------------------------------------------------------------------------------------------
  assign l1d_req_valid_o = (st_valid_q && st_final_q) || load_show || inval;
  always_comb begin
    l1d_req_o = '{op: L1D_LOAD, amo: AMO_SWAP, default: '0};
    l1d_req_o.data = st_data;
    if (st_valid_q) begin
      l1d_req_o.op = st_head_q.atomic ? L1D_AMO : L1D_STORE;
      l1d_req_o.tag = '{entry: st_head_q.entry, tmask: st_head_q.thread};
      l1d_req_o.warp = st_head_q.warp;
      l1d_req_o.line = st_head_q.line;
      l1d_req_o.sector = st_head_q.sector;
      l1d_req_o.amo = st_head_q.amo;
      l1d_req_o.amo_dword = st_head_q.dword;
      l1d_req_o.amo_off = st_head_q.off;
      l1d_req_o.hart = st_head_q.hart;
      if (st_head_q.atomic) l1d_req_o.data[127:64] = st_cmp_q;
      else l1d_req_o.be = st_be;
    end else begin
      l1d_req_o.warp = h.warp;
      if (inval) l1d_req_o.op = L1D_INVAL;
      else begin
        l1d_req_o.tag = '{entry: entry, tmask: group};
        l1d_req_o.line = line;
        l1d_req_o.sector = sector;
      end
    end
  end

  always_comb begin
    spad_req_o = '{op: h.op, default: '0};
    spad_req_o.entry = h.store ? '0 : entry;
    spad_req_o.hart0 = hart_warp;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || spad_sel[b]) begin
        spad_req_o.beat |= beat_t'(b);
        spad_req_o.hart0 |= HART_W'(b * LANES);
        spad_req_o.mask |= row[b].spad;
        spad_req_o.data |= row[b].rs2;
        spad_req_o.cmp |= row[b].rs3;
        for (int unsigned l = 0; l < LANES; l++) spad_req_o.addr[l] |= h.base + SPAD_W'(row[b].addr[l]);
      end
  end
  assign spad_req_valid_o = spad_show;

  always_comb begin
    trace_o = '0;
    trace_o.warp = h.warp;
    trace_o.seq = h.seq;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || trace_sel[b]) begin
        trace_o.beat |= beat_t'(b);
        trace_o.mask |= row[b].active;
        trace_o.data |= row[b].rs2;
        for (int unsigned l = 0; l < LANES; l++) trace_o.addr[l] |= {16'd0, row[b].addr[l]};
      end
  end
  assign trace_valid_o = live && trace_more && trace_o.mask != '0;

  logic [THREADS-1:0][SECTOR_OFF_W-1:0] offs;   // an atomic's doubleword comes in the lowest place
  for (genvar t = 0; t < THREADS; t++) assign offs[t] = h.atomic ? SECTOR_OFF_W'(addr[t][2:0]) : addr[t][SECTOR_OFF_W-1:0];
  logic rsp_ready, res_empty;
  lsu_result u_result (
      .clk_i, .rst_i,
      .alloc_i(start && !h.store), .alloc_idx_i(free_idx), .alloc_warp_i(h.warp), .alloc_seq_i(h.seq), .alloc_rd_i(h.rd),
      .alloc_size_i(h.sc ? 2'd2 : h.size), .alloc_unsigned_i(h.is_unsigned), .alloc_threads_i(active_t), .alloc_off_i(offs),
      .busy_o(busy),
      .fence_i(wg_done || (fence_ready && inval_taken)), .fence_warp_i(h.warp), .fence_seq_i(h.seq), .fence_busy_o(fence_busy),
      .l1d_rsp_valid_i, .l1d_rsp_i, .spad_rsp_valid_i, .spad_rsp_i, .rsp_ready_o(rsp_ready),
      .lsu_res_valid_o, .lsu_res_o, .lsu_res_ready_i, .empty_o(res_empty)
  );
  assign l1d_rsp_ready_o = rsp_ready;
  assign spad_rsp_ready_o = rsp_ready;

  logic fault_valid_q;
  fault_t fault_q;
  ev_lsu_t ev_q;
  logic [HELD_W-1:0] held_q, owed_q;
  assign fault_valid_o = fault_valid_q;
  assign fault_o = fault_q;
  assign ev_o = ev_q;
  assign credit_o = owed_q != '0;
  assign idle_o = held_q == '0 && res_empty && !st_valid_q && unacked_q == '0;

  // ---- the fault of the head ---------------------------------------------------------------------------------------------------
  fault_t fault_d;
  thread_mask_t fault_first;
  assign fault_first = fault_t_mask & (~fault_t_mask + 1'b1);
  always_comb begin
    logic as_load, bad;
    as_load = h.load || h.amo == AMO_LR;
    bad = (fault_first & misaligned_t) != '0;
    fault_d.cause = bad ? (as_load ? FAULT_LOAD_MISALIGNED : FAULT_STORE_MISALIGNED) : (as_load ? FAULT_LOAD_ACCESS : FAULT_STORE_ACCESS);
    fault_d.warp = h.warp;
    fault_d.pc = h.pc;
    fault_d.mask = fault_t_mask;
    fault_d.value = '0;
    for (int unsigned t = 0; t < THREADS; t++) if (fault_first[t]) fault_d.value |= {row[t/LANES].high, addr[t]};
  end

  // ---- registers ------------------------------------------------------------------------------------------------------------------
  function automatic logic [ROW_W-1:0] next_row(input logic [ROW_W-1:0] r);
    return (32'(r) == ROWS - 1) ? '0 : r + 1'b1;
  endfunction

  logic row_done;
  logic [6:0] pages;
  logic count_pages, store_sent;
  assign store_sent = st_valid_q && st_final_q && l1d_req_ready_i && !st_head_q.atomic;
  assign row_done = in_valid_q && in_q.last;
  assign pages = pages_q + 7'(new_page);
  assign count_pages = done && glob_t != '0;

  always_ff @(posedge clk_i) begin
    in_q <= ops_i;
    hart_base_q <= HART_W'(core_i) * HART_W'(WARPS * THREADS);
    if (start && !h.store) begin  // a store may start while no entry is free
      cur_q <= free_idx;
      atomic_q[free_idx] <= h.atomic;
    end
    if (st_free) begin
      st_head_q <= st_head_d;
      st_take_q <= st_take_d;
      st_dword_q <= st_dword_d;
      st_be_q <= st_be_d;
      st_data_q <= st_data_d;
      st_cmp_q <= st_cmp_d;
      st_final_q <= group == group_b;
    end
    fault_q <= fault_d;

    if (rst_i) begin
      in_valid_q <= 1'b0;
      wr_q <= '0;
      rd_q <= '0;
      full_q <= '0;
      row_fault_q <= '0;
      dead_q <= '0;
      unacked_q <= '0;
      held_q <= '0;
      owed_q <= '0;
      started_q <= 1'b0;
      pre_q <= 1'b0;
      post_q <= 1'b0;
      gdone_q <= '0;
      sdone_q <= '0;
      tbeat_q <= '0;
      lmask_q <= '0;
      lseen_q <= '0;
      pseen_q <= '0;
      pages_q <= '0;
      st_valid_q <= 1'b0;
      fault_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      in_valid_q <= take_ops;
      if (in_valid_q) row_fault_q[wr_q] <= (row_fault_q[wr_q] && !in_q.first) || in_fault != '0;
      if (row_done) wr_q <= next_row(wr_q);
      if (pop) rd_q <= next_row(rd_q);
      if (row_done != pop) full_q <= row_done ? full_q + 1'b1 : full_q - 1'b1;
      held_q <= held_q + HELD_W'(take_ops) - HELD_W'(credit_o);
      owed_q <= owed_q + (pop ? HELD_W'(BEATS) : '0) - HELD_W'(credit_o);

      // Front.
      if (pop) begin
        started_q <= 1'b0;
        pre_q <= 1'b0;
        post_q <= 1'b0;
        gdone_q <= '0;
        sdone_q <= '0;
        tbeat_q <= '0;
        lmask_q <= '0;
        lseen_q <= '0;
        pseen_q <= '0;
        pages_q <= '0;
      end else begin
        if (start) started_q <= 1'b1;
        if (pre_ready && inval_taken) pre_q <= 1'b1;
        if (done) post_q <= 1'b1;
        gdone_q <= gdone_q | gtaken;
        if (spad_taken) sdone_q <= sdone_q | spad_sel;
        if (live && trace_more) tbeat_q <= tbeat_q + 1'b1;
        if (st_taken) lmask_q <= group & ~group_b;
        if (load_taken || st_taken) begin
          lseen_q <= lseen_q | (glob_t & same_line);
          pseen_q <= pseen_q | (glob_t & same_page);
        end
        pages_q <= pages;
      end
      if (st_free) st_valid_q <= st_taken;

      // Warps.
      fault_valid_q <= do_fault;
      if (do_fault) dead_q[h.warp] <= 1'b1;
      if (start_valid_i) dead_q[start_i.warp] <= 1'b0;
      if (store_sent != l1d_ack_i) unacked_q <= store_sent ? unacked_q + 8'd1 : unacked_q - 8'd1;

      ev_q.lsu_loads <= start && h.load;
      ev_q.lsu_stores <= start && h.store;
      ev_q.lsu_atomics <= start && h.atomic;
      ev_q.lsu_fences <= wg_done || (fence_ready && inval_taken);
      ev_q.lsu_lines <= new_line;
      ev_q.lsu_pages <= new_page;
      ev_q.page_div_1 <= count_pages && pages == 7'd1;
      ev_q.page_div_2_3 <= count_pages && pages inside {7'd2, 7'd3};
      ev_q.page_div_4_7 <= count_pages && pages[6:2] == 5'd1;
      ev_q.page_div_8_15 <= count_pages && pages[6:3] == 4'd1;
      ev_q.page_div_16_up <= count_pages && pages[6:4] != '0;
      ev_q.lsu_stall_entry <= memory && !live;
      ev_q.lsu_stall_l1d <= l1d_req_valid_o && !l1d_req_ready_i;
      ev_q.lsu_stall_spad <= spad_req_valid_o && !spad_req_ready_i;
      ev_q.lsu_stall_fence <= ((ok && h.fence) || post_q || (ok && h.rl && !pre_q && !started_q)) && !inval;
    end
  end

  `VL_ASSERT(queue_has_room, !take_ops || 32'(held_q) < IN_DEPTH || credit_o)
  `VL_ASSERT(beats_in_order, !in_valid_q || (in_q.first == (in_q.beat == '0) && in_q.last == (32'(in_q.beat) == BEATS - 1)))
  `VL_ASSERT(ack_is_awaited, !l1d_ack_i || unacked_q != '0)
endmodule
