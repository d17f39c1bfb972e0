// The port of a stacked memory: data go to the channel's scheduler; the marks, one bit for each grain that host memory does not have, are kept here.
// Source: UMH paper, 4.1.2. Page: docs/blocks/stack_port.md (steps 1-4).
`include "vl_assert.svh"
module stack_port
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    // of the SMD
    input  logic       stack_req_valid_i,
    input  stack_req_t stack_req_i,
    output logic       stack_req_ready_o,
    output logic       stack_rsp_valid_o,
    output stack_rsp_t stack_rsp_o,
    // to the scheduler
    output logic       home_req_valid_o,
    output home_req_t  home_req_o,
    input  logic       home_req_ready_i,
    input  logic       home_rsp_valid_i,
    input  home_rsp_t  home_rsp_i,
    output logic       idle_o
);
  localparam int unsigned LINES = STACK_BYTES / LINE_BYTES;
  localparam int unsigned LINE_NO_W = $clog2(LINES);
  typedef logic [LINE_NO_W-1:0] line_no_t;

  // ---- steps 1 and 3: to the scheduler -----------------------------------------------------------------------------
  logic taken, some;
  stack_req_t head;
  line_data_t bits;
  assign taken = stack_req_valid_i && stack_req_ready_o;
  fifo #(.T(stack_req_t), .DEPTH(2)) u_queue (
      .clk_i, .rst_i, .valid_i(stack_req_valid_i), .ready_o(stack_req_ready_o), .data_i(stack_req_i), .valid_o(some), .ready_i(home_req_ready_i),
      .data_o(head)
  );
  always_comb for (int unsigned i = 0; i < LINE_BYTES; i++) bits[8*i+:8] = {8{head.be[i]}};
  assign home_req_valid_o = some;
  assign home_req_o = '{
      op: head.write ? HOME_WRITE_BACK : HOME_READ,
      id: head.write ? '0 : home_id_t'(head.id),
      cls: '0,
      asid: '0,
      src: '0,
      line: head.line,
      state: head.write ? NMOESI_M : NMOESI_I,
      keep: 1'b0,
      be: head.write ? head.be : '0,
      data: head.write ? head.data & bits : '0
  };

  // ---- steps 1 and 2: marks, read when a request is taken, written or kept for the answer in the next cycle ----------
  logic b_valid_q, b_write_q;
  stack_id_t b_id_q;
  line_no_t b_no_q;
  line_mask_t b_mask_q, b_marks_q, marks, new_marks;
  assign new_marks = (b_marks_q & b_mask_q) | (marks & ~b_mask_q);
  l2_ram_fwd #(.DEPTH(LINES), .WIDTH(MASK_W)) u_marks (
      .clk_i, .we_i(b_valid_q && b_write_q), .waddr_i(b_no_q), .wdata_i(new_marks), .re_i(taken), .raddr_i(line_no_t'(local_line(stack_req_i.line))),
      .rdata_o(marks)
  );
  ram_1r1w #(.DEPTH(STACK_READERS), .WIDTH(MASK_W)) u_kept (
      .clk_i, .we_i(b_valid_q && !b_write_q), .waddr_i(b_id_q), .wdata_i(marks), .re_i(home_rsp_valid_i), .raddr_i(stack_id_t'(home_rsp_i.id)),
      .rdata_o(stack_rsp_o.marks)
  );
  always_ff @(posedge clk_i) begin
    b_valid_q <= taken && !rst_i;
    b_write_q <= stack_req_i.write;
    b_id_q <= stack_req_i.id;
    b_no_q <= line_no_t'(local_line(stack_req_i.line));
    b_mask_q <= mask_of(stack_req_i.be);
    b_marks_q <= stack_req_i.marks;
  end

  // ---- step 4: answers -----------------------------------------------------------------------------------------------
  logic rsp_valid_q;
  stack_id_t rsp_id_q;
  line_data_t rsp_data_q;
  always_ff @(posedge clk_i) begin
    rsp_valid_q <= home_rsp_valid_i && !rst_i;
    rsp_id_q <= stack_id_t'(home_rsp_i.id);
    rsp_data_q <= home_rsp_i.data;
  end
  assign stack_rsp_valid_o = rsp_valid_q;
  assign stack_rsp_o.id = rsp_id_q;
  assign stack_rsp_o.data = rsp_data_q;
  assign idle_o = !some && !b_valid_q && !rsp_valid_q;

  `VL_ASSERT(ids_fit, STACK_READERS <= 2 * L2_MSHRS)
  `VL_ASSERT(lines_are_in_the_stack, !taken || local_line(stack_req_i.line) < line_addr_t'(LINES))
  `VL_ASSERT(marks_are_kept_before_the_answer, !(home_rsp_valid_i && b_valid_q && !b_write_q) || b_id_q != stack_id_t'(home_rsp_i.id))
endmodule
