// A core's memory port: l1i, ptw and l1d share one request stream; responses go back by the source bit of their id.
// Page: docs/blocks/mem_arb.md; step numbers in comments are the page's. Latency: one cycle each way.
`include "vl_assert.svh"
module mem_arb
  import vellum_pkg::*, mem_pkg::*, perf_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  asid_t       asid_i,
    // l1i
    input  logic        l1i_req_valid_i,
    input  mem_req_t    l1i_req_i,
    output logic        l1i_req_ready_o,
    output logic        l1i_rsp_valid_o,
    output mem_rsp_t    l1i_rsp_o,
    // ptw
    input  logic        ptw_req_valid_i,
    input  mem_req_t    ptw_req_i,
    output logic        ptw_req_ready_o,
    output logic        ptw_rsp_valid_o,
    output mem_rsp_t    ptw_rsp_o,
    // l1d
    input  logic        l1d_req_valid_i,
    input  mem_req_t    l1d_req_i,
    output logic        l1d_req_ready_o,
    output logic        l1d_rsp_valid_o,
    output mem_rsp_t    l1d_rsp_o,
    // memory side
    output logic        mem_req_valid_o,
    output mem_req_t    mem_req_o,
    input  logic        mem_req_ready_i,
    input  logic        mem_rsp_valid_i,
    input  mem_rsp_t    mem_rsp_i,
    // status
    output logic        idle_o,
    // counters
    output ev_mem_arb_t ev_o
);
  typedef enum logic [1:0] {I, P, D} source_e;

  kept_read_t fetch_in, fetch, walk_in, walk;
  kept_req_t data_in, data;
  logic     fetch_valid, walk_valid, data_valid;
  source_e  show, shown_q, last_q;
  logic     held_q, taken;
  asid_t    asid_q;
  logic     rsp_valid_q;
  mem_rsp_t rsp_q;
  logic [9:0] count_q;

  assign fetch_in = '{cid: l1i_req_i.id[MEM_IDX_W+1:0], cls: l1i_req_i.cls, line: l1i_req_i.line};
  assign walk_in = '{cid: ptw_req_i.id[MEM_IDX_W+1:0], cls: ptw_req_i.cls, line: ptw_req_i.line};

  // 2: the core's last LR. It is kept here since a slice does not know the reservations of other slices.
  logic     lr_valid_q, data_take, is_lr, is_sc, own_lr;
  hart_t    lr_hart_q;
  line_addr_t lr_line_q;
  assign data_take = l1d_req_valid_i && l1d_req_ready_o;
  assign is_lr = l1d_req_i.op == MEM_AMO && l1d_req_i.amo == AMO_LR;
  assign is_sc = l1d_req_i.op == MEM_AMO && l1d_req_i.amo == AMO_SC;
  assign own_lr = lr_valid_q && lr_hart_q == l1d_req_i.hart;
  always_comb begin
    data_in.op = l1d_req_i.op;
    data_in.cid = l1d_req_i.id[MEM_IDX_W+1:0];
    data_in.cls = l1d_req_i.cls;
    data_in.line = l1d_req_i.line;
    data_in.be = l1d_req_i.be;
    data_in.sector = l1d_req_i.data[SECTOR_BITS-1:0];
    data_in.amo = l1d_req_i.amo;
    data_in.amo_dword = l1d_req_i.amo_dword;
    data_in.amo_off = l1d_req_i.amo_off;
    data_in.hart = l1d_req_i.hart;
    data_in.sc_fail = is_sc && !(own_lr && lr_line_q == l1d_req_i.line);
  end
  always_ff @(posedge clk_i) begin
    if (data_take && is_lr) begin
      lr_hart_q <= l1d_req_i.hart;
      lr_line_q <= l1d_req_i.line;
    end
    if (rst_i) lr_valid_q <= 1'b0;
    else if (data_take && (is_lr || (is_sc && own_lr))) lr_valid_q <= is_lr;
  end

  fifo #(.T(kept_read_t), .DEPTH(2)) u_fetch (
      .clk_i, .rst_i, .valid_i(l1i_req_valid_i), .ready_o(l1i_req_ready_o), .data_i(fetch_in),
      .valid_o(fetch_valid), .ready_i(taken && show == I), .data_o(fetch)
  );
  fifo #(.T(kept_read_t), .DEPTH(2)) u_walk (
      .clk_i, .rst_i, .valid_i(ptw_req_valid_i), .ready_o(ptw_req_ready_o), .data_i(walk_in),
      .valid_o(walk_valid), .ready_i(taken && show == P), .data_o(walk)
  );
  fifo #(.T(kept_req_t), .DEPTH(2)) u_data (
      .clk_i, .rst_i, .valid_i(l1d_req_valid_i), .ready_o(l1d_req_ready_o), .data_i(data_in),
      .valid_o(data_valid), .ready_i(taken && show == D), .data_o(data)
  );

  always_comb begin
    unique case (last_q)
      I:       show = walk_valid ? P : data_valid ? D : I;
      P:       show = data_valid ? D : fetch_valid ? I : P;
      default: show = fetch_valid ? I : walk_valid ? P : D;
    endcase
    if (held_q) show = shown_q;
  end
  assign mem_req_valid_o = fetch_valid || walk_valid || data_valid;
  assign taken = mem_req_valid_o && mem_req_ready_i;
  kept_read_t read;
  assign read = (show == P) ? walk : fetch;
  always_comb begin
    mem_req_o = '0;
    if (show == D) begin
      mem_req_o.op = data.op;
      mem_req_o.id = {1'b0, data.cid};
      mem_req_o.cls = data.cls;
      mem_req_o.line = data.line;
      mem_req_o.be = data.be;
      mem_req_o.data = {SECTORS{data.sector}};
      mem_req_o.amo = data.amo;
      mem_req_o.amo_dword = data.amo_dword;
      mem_req_o.amo_off = data.amo_off;
      mem_req_o.hart = data.hart;
      mem_req_o.sc_fail = data.sc_fail;
    end else begin
      mem_req_o.op = MEM_READ;
      mem_req_o.amo = AMO_SWAP;
      mem_req_o.id = {1'b1, read.cid};
      mem_req_o.id[MEM_IDX_W] = show == P;
      mem_req_o.cls = read.cls;
      mem_req_o.line = read.line;
    end
    mem_req_o.asid = asid_q;
  end

  always_ff @(posedge clk_i) begin
    asid_q <= asid_i;
    if (rst_i) begin
      last_q <= D;
      held_q <= 1'b0;
      shown_q <= D;
      rsp_valid_q <= 1'b0;
      count_q <= '0;
      ev_o <= '0;
    end else begin
      // 1
      held_q <= mem_req_valid_o && !mem_req_ready_i;
      shown_q <= show;
      if (taken) last_q <= show;
      // 3
      rsp_valid_q <= mem_rsp_valid_i;
      if (mem_rsp_valid_i) rsp_q <= mem_rsp_i;
      // 4
      count_q <= count_q + 10'(l1i_req_valid_i && l1i_req_ready_o) + 10'(ptw_req_valid_i && ptw_req_ready_o) + 10'(data_take) - 10'(rsp_valid_q);
      // 5
      ev_o.mem_reads <= taken && mem_req_o.op == MEM_READ;
      ev_o.mem_writes <= taken && mem_req_o.op == MEM_WRITE;
      ev_o.mem_atomics <= taken && mem_req_o.op == MEM_AMO;
      ev_o.mem_stalls <= mem_req_valid_o && !mem_req_ready_i;
    end
  end

  mem_rsp_t rsp_out;
  always_comb begin
    rsp_out = rsp_q;
    rsp_out.id[MEM_IDX_W+2] = 1'b0;
  end
  assign l1i_rsp_valid_o = rsp_valid_q && rsp_q.id[MEM_IDX_W+2] && !rsp_q.id[MEM_IDX_W];
  assign ptw_rsp_valid_o = rsp_valid_q && rsp_q.id[MEM_IDX_W+2] && rsp_q.id[MEM_IDX_W];
  assign l1d_rsp_valid_o = rsp_valid_q && !rsp_q.id[MEM_IDX_W+2];
  assign l1i_rsp_o = rsp_out;
  always_comb begin
    ptw_rsp_o = rsp_out;
    ptw_rsp_o.id[MEM_IDX_W] = 1'b0;
  end
  assign l1d_rsp_o = rsp_out;
  assign idle_o = count_q == '0;

  `VL_ASSERT(answers_are_asked_for, !rsp_valid_q || count_q != '0)
  `VL_ASSERT(data_repeats, !l1d_req_valid_i || l1d_req_i.data == {SECTORS{l1d_req_i.data[SECTOR_BITS-1:0]}})
  `VL_ASSERT(fetch_only_reads, !l1i_req_valid_i || (l1i_req_i.op == MEM_READ && !l1i_req_i.id[MEM_IDX_W]))
  `VL_ASSERT(walk_only_reads, !ptw_req_valid_i || (ptw_req_i.op == MEM_READ && !ptw_req_i.id[MEM_IDX_W]))
endmodule
