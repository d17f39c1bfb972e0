// Floating-point division and square root: iterative, two result bits a cycle; a beat passes through DIV_LANES divider lanes group by group.
// Page: docs/blocks/fdiv.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module fdiv
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // regfile
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    output logic      fdiv_res_valid_o,
    output result_t   fdiv_res_o,
    // launch
    input  logic      start_valid_i,
    input  start_t    start_i,
    // compactor: the thread at each place of each warp
    input  homes_t    homes_i,
    // fpu
    input  logic      frm_valid_i,
    input  frm_t      frm_i,
    output logic      fdiv_flags_valid_o,
    output fflags_t   fdiv_flags_o,
    // counters
    output ev_fdiv_t  ev_o
);
  localparam logic [3:0] LAST_STEP = 4'd12;
  localparam int unsigned PASSES = LANES / DIV_LANES;
  localparam int unsigned SEL_W = (PASSES <= 1) ? 1 : $clog2(PASSES);

  typedef enum logic [2:0] {IDLE, LOAD, PREP, ITER, ROUND} phase_e;

  typedef struct packed {
    dest_t dest;
    lane_mask_t mask;
    logic sqrt;
    logic [2:0] rm;
    logic [LANES-1:0][31:0] a;
    logic [LANES-1:0][31:0] b;
  } beat_in_t;

  // Step 1
  beat_in_t in, head;
  logic take, head_valid, done, free;
  assign take = ops_valid_i && ops_i.pipe == PIPE_FDIV;
  always_comb begin
    in.dest = '{warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last};
    in.mask = ops_i.mask;
    in.sqrt = ops_i.op == OP_FSQRT_S;
    in.rm = ops_i.instr[14:12];
    for (int unsigned l = 0; l < LANES; l++) begin
      in.a[l] = ops_i.rs1[l][31:0];
      in.b[l] = ops_i.rs2[l][31:0];
    end
  end
  fifo #(.T(beat_in_t), .DEPTH(BEATS)) u_queue (
      .clk_i, .rst_i, .valid_i(take), .ready_o(free), .data_i(in), .valid_o(head_valid), .ready_i(done), .data_o(head)
  );

  logic [LANES-1:0][2:0] frm;
  fpu_frm u_frm (
      .clk_i, .rst_i, .we_i(frm_valid_i), .w_i(frm_i), .clear_i(start_valid_i), .clear_warp_i(start_i.warp),
      .warp_i(head.dest.warp), .beat_i(head.dest.beat), .frm_o(frm), .homes_i
  );

  // Step 2: the passes
  phase_e phase_q;
  logic [3:0] step_q;
  logic [25:0] pos_q;
  lane_mask_t good, good_q;
  logic [PASSES-1:0] todo_q, todo, now_q;
  logic [SEL_W-1:0] sel_q, sel;     // sel_q: the lowest group of todo_q
  logic dynamic, load;
  assign dynamic = head.rm == 3'd7;
  assign load = phase_q == LOAD || (phase_q == ROUND && todo_q != '0);
  assign done = phase_q == ROUND && todo_q == '0;
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) good[l] = head.mask[l] && !(dynamic && frm[l][2] && frm[l][1:0] != 2'd0);
    todo = load ? todo_q & (todo_q - 1'b1) : todo_q;
    if (phase_q == IDLE) for (int unsigned g = 0; g < PASSES; g++) todo[g] = good[g*DIV_LANES+:DIV_LANES] != '0;
    sel = '0;
    for (int unsigned g = PASSES; g > 0; g--) if (todo[g-1]) sel = SEL_W'(g - 1);
  end

  // The lanes
  typedef struct packed {
    logic active;
    logic [2:0] rm;
    logic [31:0] a;
    logic [31:0] b;
  } operand_t;
  logic [DIV_LANES-1:0] shift, iterates;
  logic [DIV_LANES-1:0][31:0] value;
  logic [DIV_LANES-1:0][4:0] flags;
  for (genvar d = 0; d < DIV_LANES; d++) begin : gen_lane
    operand_t [PASSES-1:0] choices;
    operand_t chosen;
    for (genvar g = 0; g < PASSES; g++) begin : gen_choice
      localparam int unsigned L = g * DIV_LANES + d;
      assign choices[g] = '{active: good_q[L], rm: dynamic ? frm[L] : head.rm, a: head.a[L], b: head.b[L]};
    end
    mux #(.N(PASSES), .WIDTH($bits(operand_t))) u_mux (.data_i(choices), .sel_i(sel_q), .data_o(chosen));
    fdiv_lane u_lane (
        .clk_i, .load_i(load), .sqrt_i(head.sqrt), .active_i(chosen.active), .rm_i(chosen.rm), .a_i(chosen.a), .b_i(chosen.b),
        .prep_i(phase_q == PREP), .iter_i(phase_q == ITER), .pos_i(pos_q), .shift_o(shift[d]), .any_shift_i(shift != '0),
        .iterates_o(iterates[d]), .value_o(value[d]), .flags_o(flags[d])
    );
  end

  logic out_valid_q;
  dest_t out_q;
  lane_mask_t out_mask_q;
  logic [LANES-1:0][31:0] value_q;
  logic [LANES-1:0][4:0] flags_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= IDLE;
      step_q <= '0;
      out_valid_q <= 1'b0;
      ev_o <= '0;
    end else begin
      unique case (phase_q)
        IDLE: if (head_valid) phase_q <= LOAD;
        PREP: if (shift == '0) phase_q <= (iterates != '0) ? ITER : ROUND;
        ITER: if (step_q == LAST_STEP) phase_q <= ROUND;
        default: phase_q <= load ? PREP : IDLE;
      endcase
      if (phase_q == PREP) begin
        step_q <= '0;
        pos_q <= 26'h2000000;
      end
      if (phase_q == ITER) begin
        step_q <= step_q + 4'd1;
        pos_q <= pos_q >> 2;
      end
      // Step 3
      out_valid_q <= done;
      if (done) begin
        out_q <= head.dest;
        out_mask_q <= good_q;
      end
      // Step 5
      ev_o.fdiv_beats <= done;
      ev_o.fdiv_busy <= phase_q != IDLE;
    end
    if (phase_q == IDLE) good_q <= good;
    todo_q <= todo;
    sel_q <= sel;
    for (int unsigned g = 0; g < PASSES; g++) if (load) now_q[g] <= 32'(sel_q) == g;
    for (int unsigned l = 0; l < LANES; l++) begin
      if (phase_q == ROUND && now_q[l/DIV_LANES]) begin
        value_q[l] <= value[l%DIV_LANES];
        flags_q[l] <= flags[l%DIV_LANES];
      end
    end
  end

  assign fdiv_res_valid_o = out_valid_q;
  assign fdiv_flags_valid_o = out_valid_q;
  always_comb begin
    {fdiv_res_o.warp, fdiv_res_o.seq, fdiv_res_o.beat, fdiv_res_o.rd, fdiv_res_o.last} = out_q;
    fdiv_res_o.mask = out_mask_q;
    fdiv_flags_o.warp = out_q.warp;
    fdiv_flags_o.beat = out_q.beat;
    fdiv_flags_o.mask = out_mask_q;
    for (int unsigned l = 0; l < LANES; l++) begin
      fdiv_res_o.data[l] = {{32{value_q[l][31]}}, value_q[l]};
      fdiv_flags_o.flags[l] = flags_q[l];
    end
  end

  `VL_ASSERT(queue_has_room, !take || free)
endmodule
