// Reads on their way: which burst comes next, the lines being put together, the responses. Page: docs/blocks/dram_ctrl.md, steps 7 to 9.
`include "vl_assert.svh"
module dram_read
  import vellum_pkg::*, memside_pkg::*, vl_dram_pkg::*;
#(
    parameter int unsigned KIND = 0    // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
) (
    input  logic        clk_i,
    input  logic        rst_i,
    // RDs as they are commanded
    output logic        flight_ready_o,  // room for one more read on its way
    output logic        buf_ready_o,     // a buffer is free, for a first RD
    output dram_rbuf_t  buf_o,           // the lowest free buffer
    input  logic        rd_i,
    input  logic        first_i,
    input  txn_id_t     id_i,
    input  dram_rbuf_t  rbuf_i,          // of this RD
    input  dram_burst_t n_i,
    input  logic        last_i,
    // from the chips
    input  logic        rd_valid_i,
    input  burst_data_t rd_data_i,
    // to mem_sched
    output logic        rsp_valid_o,
    output txn_rsp_t    rsp_o,
    output logic        idle_o
);
  localparam dram_numbers_t D = dram_numbers(KIND);
  localparam int unsigned BURSTS = (KIND == 0) ? LINE_BURSTS : HOST_LINE_BURSTS;      // of a line
  localparam int unsigned FLIGHT = (KIND == 0) ? DRAM_FLIGHT : HOST_DRAM_FLIGHT;
  localparam int unsigned BITS = 8 * D.burst_bytes;
  logic [DRAM_READ_BUFS-1:0] used_q, used_d;
  logic full_q;
  logic done_q, rsp_q, coming, take;
  dram_rbuf_t done_buf_q;
  txn_id_t id, rsp_id_q;
  dram_flight_t flight, next;
  line_data_t line;

  assign buf_ready_o = !full_q;
  always_comb begin
    buf_o = '0;
    for (int unsigned a = DRAM_READ_BUFS; a > 0; a--) if (!used_q[a-1]) buf_o = dram_rbuf_t'(a - 1);
  end
  assign take = rd_i && first_i;

  assign flight = '{rbuf: rbuf_i, n: n_i, last: last_i};
  fifo #(.T(dram_flight_t), .DEPTH(FLIGHT)) u_flight (
      .clk_i, .rst_i, .valid_i(rd_i), .ready_o(flight_ready_o), .data_i(flight),
      .valid_o(coming), .ready_i(rd_valid_i), .data_o(next)
  );
  ram_lut #(.DEPTH(DRAM_READ_BUFS), .WIDTH($bits(txn_id_t))) u_id (
      .clk_i, .we_i(take), .waddr_i(buf_o), .wdata_i(id_i), .raddr_i(done_buf_q), .rdata_o(id)
  );

  logic [BURSTS-1:0] part;
  assign part = rd_valid_i ? BURSTS'(1) << next.n : '0;
  ram_1r1w #(.DEPTH(DRAM_READ_BUFS), .WIDTH(LINE_BITS), .PARTS(BURSTS)) u_lines (
      .clk_i, .we_i(part), .waddr_i(next.rbuf), .wdata_i({BURSTS{rd_data_i[BITS-1:0]}}), .re_i(done_q), .raddr_i(done_buf_q), .rdata_o(line)
  );

  always_comb begin
    used_d = used_q;
    if (take) used_d[buf_o] = 1'b1;
    if (done_q) used_d[done_buf_q] = 1'b0;
  end
  always_ff @(posedge clk_i)
    if (rst_i) begin
      used_q <= '0;
      full_q <= 1'b0;
      done_q <= 1'b0;
      rsp_q <= 1'b0;
    end else begin
      used_q <= used_d;
      full_q <= used_d == '1;
      done_q <= rd_valid_i && next.last;
      rsp_q <= done_q;
    end
  always_ff @(posedge clk_i) begin
    done_buf_q <= next.rbuf;
    rsp_id_q <= id;
  end

  assign rsp_valid_o = rsp_q;
  assign rsp_o = '{id: rsp_id_q, data: line};
  assign idle_o = used_q == '0 && !done_q && !rsp_q;

  `VL_ASSERT(burst_was_asked, !rd_valid_i || coming)
  `VL_ASSERT(buffer_is_there, !take || buf_ready_o)
endmodule
