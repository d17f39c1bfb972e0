// Division and remainder, all lanes in step, two quotient bits a cycle, leading zero bytes of the dividends skipped.
// Page: docs/blocks/idiv.md (step numbers are the page's).
`include "vl_assert.svh"
module idiv
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import isa_pkg::*;
  import core_pkg::*;
  import perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // from regfile
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    // to regfile
    output logic      div_res_valid_o,
    output result_t   div_res_o,
    output ev_idiv_t   ev_o
);
  typedef enum logic [1:0] {IDLE, RUN, FIN} phase_e;
  typedef struct packed {
    op_e op;
    result_t head;          // data: rs1
    lane_data_t rs2;
  } beat_job_t;

  // ---- step 1: the queue
  logic take, job_valid, load, room;
  beat_job_t put, job;
  assign take = ops_valid_i && ops_i.pipe == PIPE_DIV;
  assign put = '{
      op: ops_i.op, rs2: ops_i.rs2,
      head: '{warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last, mask: ops_i.mask, data: ops_i.rs1}};
  fifo #(.T(beat_job_t), .DEPTH(BEATS)) u_queue (
      .clk_i, .rst_i, .valid_i(take), .ready_o(room), .data_i(put), .valid_o(job_valid), .ready_i(load), .data_o(job));
  `VL_ASSERT(queue_has_room, !take || room)

  // ---- steps 2 to 4
  phase_e phase_q;
  logic [5:0] left_q, left;
  logic skip_q, skip, step, rem_q, word_q;
  lane_mask_t top_zero;
  result_t head_q, res_q;   // without data
  lane_data_t data;
  assign load = job_valid && phase_q != RUN;
  assign skip = phase_q == RUN && skip_q && (&top_zero);
  assign step = phase_q == RUN && !skip;
  assign left = left_q - (skip ? 6'd4 : 6'd1);

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    idiv_lane u_lane (
        .clk_i, .load_i(load), .active_i(job.head.mask[l]), .x_i(job.head.data[l]), .y_i(job.rs2[l]),
        .signed_i(job.op inside {OP_DIV, OP_REM, OP_DIVW, OP_REMW}), .word_i(job.op inside {OP_DIVW, OP_DIVUW, OP_REMW, OP_REMUW}),
        .skip_i(skip), .step_i(step), .top_zero_o(top_zero[l]), .fin_i(phase_q == FIN), .rem_i(rem_q), .fin_word_i(word_q),
        .result_o(data[l]));
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= IDLE;
      div_res_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      if (phase_q == RUN) begin
        if (left == '0) phase_q <= FIN;
      end else phase_q <= load ? RUN : IDLE;
      div_res_valid_o <= phase_q == FIN;
      ev_o <= '{div_busy: phase_q != IDLE};
    end
    if (load) begin
      left_q <= 6'd32;
      skip_q <= 1'b1;
      head_q <= '{warp: job.head.warp, seq: job.head.seq, beat: job.head.beat, rd: job.head.rd, last: job.head.last, mask: job.head.mask, data: '0};
      rem_q <= job.op inside {OP_REM, OP_REMU, OP_REMW, OP_REMUW};
      word_q <= job.op inside {OP_DIVW, OP_DIVUW, OP_REMW, OP_REMUW};
    end else if (phase_q == RUN) begin
      left_q <= left;
      skip_q <= skip;
    end
    if (phase_q == FIN) res_q <= head_q;
  end
  always_comb begin
    div_res_o = res_q;
    div_res_o.data = data;
  end
endmodule
