// Division and remainder: a beat passes through DIV_LANES divider lanes group by group; two quotient bits a cycle, leading zero bytes of the
// dividends skipped. Page: docs/blocks/idiv.md (step numbers are the page's).
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
  localparam int unsigned PASSES = LANES / DIV_LANES;
  localparam int unsigned SEL_W = (PASSES <= 1) ? 1 : $clog2(PASSES);
  typedef enum logic [1:0] {IDLE, LOAD, RUN, FIN} phase_e;
  typedef struct packed {
    logic is_signed;
    logic word;
    logic rem;
    result_t head;          // data: rs1
    lane_data_t rs2;
  } beat_job_t;

  // ---- step 1: the queue
  logic take, job_valid, done, room;
  beat_job_t put, job;
  assign take = ops_valid_i && ops_i.pipe == PIPE_DIV;
  assign put = '{
      is_signed: ops_i.op inside {OP_DIV, OP_REM, OP_DIVW, OP_REMW}, word: ops_i.op inside {OP_DIVW, OP_DIVUW, OP_REMW, OP_REMUW},
      rem: ops_i.op inside {OP_REM, OP_REMU, OP_REMW, OP_REMUW}, rs2: ops_i.rs2,
      head: '{warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last, mask: ops_i.mask, data: ops_i.rs1}};
  fifo #(.T(beat_job_t), .DEPTH(BEATS)) u_queue (
      .clk_i, .rst_i, .valid_i(take), .ready_o(room), .data_i(put), .valid_o(job_valid), .ready_i(done), .data_o(job));
  `VL_ASSERT(queue_has_room, !take || room)

  // ---- steps 2 and 3: the passes
  phase_e phase_q;
  logic [PASSES-1:0] todo_q, todo, active, now_q;
  logic [SEL_W-1:0] sel_q, sel;     // sel_q: the lowest group of todo_q
  logic load;
  always_comb begin
    for (int unsigned g = 0; g < PASSES; g++) active[g] = job.head.mask[g*DIV_LANES+:DIV_LANES] != '0;
    todo = (phase_q == IDLE) ? active : load ? todo_q & (todo_q - 1'b1) : todo_q;
    sel = '0;
    for (int unsigned g = PASSES; g > 0; g--) if (todo[g-1]) sel = SEL_W'(g - 1);
  end
  assign load = phase_q == LOAD || (phase_q == FIN && todo_q != '0);
  assign done = phase_q == FIN && todo_q == '0;

  // ---- step 4
  logic [5:0] left_q, left;
  logic skip_q, skip, step;
  logic [DIV_LANES-1:0] top_zero;
  assign skip = phase_q == RUN && skip_q && (&top_zero);
  assign step = phase_q == RUN && !skip;
  assign left = left_q - (skip ? 6'd4 : 6'd1);

  logic [DIV_LANES-1:0][63:0] answer;
  for (genvar d = 0; d < DIV_LANES; d++) begin : gen_lane
    logic [PASSES-1:0][128:0] choices;
    logic [128:0] chosen;      // {active, rs1, rs2}
    for (genvar g = 0; g < PASSES; g++) begin : gen_choice
      assign choices[g] = {job.head.mask[g*DIV_LANES+d], job.head.data[g*DIV_LANES+d], job.rs2[g*DIV_LANES+d]};
    end
    mux #(.N(PASSES), .WIDTH(129)) u_mux (.data_i(choices), .sel_i(sel_q), .data_o(chosen));
    idiv_lane u_lane (
        .clk_i, .load_i(load), .active_i(chosen[128]), .x_i(chosen[127:64]), .y_i(chosen[63:0]), .signed_i(job.is_signed), .word_i(job.word),
        .rem_i(job.rem), .skip_i(skip), .step_i(step), .top_zero_o(top_zero[d]), .result_o(answer[d]));
  end

  // ---- step 5
  result_t res_q;            // without data
  lane_data_t data_q;
  always_comb begin
    div_res_o = res_q;
    div_res_o.data = data_q;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= IDLE;
      div_res_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      unique case (phase_q)
        IDLE: if (job_valid) phase_q <= LOAD;
        RUN: if (left == '0) phase_q <= FIN;
        default: phase_q <= load ? RUN : IDLE;
      endcase
      div_res_valid_o <= done;
      ev_o <= '{div_busy: phase_q != IDLE};
    end
    todo_q <= todo;
    sel_q <= sel;
    if (load) begin
      for (int unsigned g = 0; g < PASSES; g++) now_q[g] <= 32'(sel_q) == g;
      left_q <= 6'd32;
      skip_q <= 1'b1;
    end else if (phase_q == RUN) begin
      left_q <= left;
      skip_q <= skip;
    end
    if (done) res_q <= '{warp: job.head.warp, seq: job.head.seq, beat: job.head.beat, rd: job.head.rd, last: job.head.last, mask: job.head.mask, data: '0};
    for (int unsigned l = 0; l < LANES; l++) if (phase_q == FIN && now_q[l/DIV_LANES]) data_q[l] <= answer[l%DIV_LANES];
  end
endmodule
