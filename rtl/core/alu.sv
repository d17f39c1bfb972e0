// Integer operations of all lanes, branches and jumps; latency one cycle. Page: docs/blocks/alu.md (step numbers are the page's).
// Operands come late in their cycle (out of block RAM), results are not needed early in the next: so the last gates (which bits of a rotation
// stay, choice between shifter and the rest, bit counts, sign extension, who jumps to the leader's target) stand behind the registers.
`include "vl_assert.svh"
module alu
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
    output logic      alu_res_valid_o,
    output result_t   alu_res_o,
    // to simt
    output logic      cf_valid_o,
    output cf_t       cf_o,
    output ev_alu_t   ev_o
);
  logic take, branch, jal, jalr, auipc;
  assign take = ops_valid_i && ops_i.pipe == PIPE_ALU;
  assign branch = ops_i.op inside {OP_BEQ, OP_BNE, OP_BLT, OP_BGE, OP_BLTU, OP_BGEU};
  assign jal = ops_i.op == OP_JAL;
  assign jalr = ops_i.op == OP_JALR;
  assign auipc = ops_i.op == OP_AUIPC;

  // ======== in the cycle of the operands ========
  // ---- lanes
  alu_ctl_t ctl;
  xlen_t pc_imm, imm;
  lane_data_t main, shift;
  lane_mask_t equal, less, keep_main, keep_shift, fill;
  logic [LANES-1:0][5:0] border;
  logic [LANES-1:0][PA_W-1:0] target;
  alu_decode u_decode (.op_i(ops_i.op), .instr_i(ops_i.instr), .ctl_o(ctl));
  assign pc_imm = 64'(ops_i.pc) + ops_i.imm;
  assign imm = ops_i.imm & {64{ctl.b_imm}};
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    xlen_t sum;
    alu_lane u_lane (
        .ctl_i(ctl), .rs1_i(ops_i.rs1[l]), .rs2_i(ops_i.rs2[l]), .imm_i(imm), .by_imm_i(ops_i.imm[5:0]),
        .fixed_i(jal || jalr || auipc),
        .sum_o(sum), .equal_o(equal[l]), .less_o(less[l]), .keep_main_o(keep_main[l]), .keep_shift_o(keep_shift[l]),
        .main_o(main[l]), .shift_o(shift[l]), .edge_o(border[l]), .fill_o(fill[l]));
    assign target[l] = {sum[PA_W-1:1], 1'b0};
  end

  // ---- step 2: who takes a branch
  lane_mask_t holds;
  assign holds = (ops_i.op inside {OP_BEQ, OP_BNE} ? equal : less) ^ {LANES{ops_i.op inside {OP_BNE, OP_BGE, OP_BGEU}}};

  // ---- step 3: the leader of a JALR
  logic lead_known, lead_valid, lead_valid_q;
  pc_t lead, lead_q;
  lane_mask_t first_lane;
  assign lead_known = !ops_i.first && lead_valid_q;
  assign lead_valid = lead_known || ops_i.mask != '0;
  assign first_lane = ops_i.mask & (~ops_i.mask + 1'b1);
  always_comb begin
    lead = lead_known ? lead_q : '0;
    for (int unsigned l = 0; l < LANES; l++) lead |= target[l] & {PA_W{first_lane[l] && !lead_known}};
  end

  // ---- what the next cycle needs
  typedef struct packed {
    logic flow;          // a beat of a branch or jump
    logic first;
    logic ends;          // its last one
    logic branch;
    logic jal;
    logic jalr;
    logic word;
    logic count;
    logic ones;
    logic keep_left;
    warp_t warp;
    seq_t seq;
    beat_t beat;
    reg_t rd;
    logic last;
    lane_mask_t mask;    // lanes that may be written; of a branch those that take it
    thread_mask_t tmask;
    pc_t pc;
    pc_t goal;           // branch, JAL
  } beat_info_t;
  beat_info_t info_q;
  lane_data_t main_q, shift_q;
  lane_mask_t less_q, keep_shift_q, fill_q;
  logic [LANES-1:0][5:0] border_q;
  logic [LANES-1:0][PA_W-1:0] target_q;
  xlen_t fixed_q;        // pc + 4 of a jump, pc + imm of AUIPC, else 0
  logic res_valid_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      res_valid_q <= 1'b0;
      info_q.flow <= 1'b0;
      info_q.ends <= 1'b0;
    end else begin
      // A jump to a place between instructions writes nothing. lead[1] is early: the sum's bit 1.
      res_valid_q <= take && ops_i.rd != '0 && !(jal && ops_i.imm[1]) && !(jalr && lead_valid && lead[1]);
      info_q.flow <= take && (branch || jal || jalr);
      info_q.ends <= take && ops_i.last && (branch || jal || jalr);
    end
    if (take) begin
      info_q.first <= ops_i.first;
      info_q.branch <= branch;
      info_q.jal <= jal;
      info_q.jalr <= jalr;
      info_q.word <= ctl.word;
      info_q.count <= ctl.sel == ALU_COUNT;
      info_q.ones <= ctl.ones;
      info_q.keep_left <= ctl.keep_left;
      info_q.warp <= ops_i.warp;
      info_q.seq <= ops_i.seq;
      info_q.beat <= ops_i.beat;
      info_q.rd <= ops_i.rd;
      info_q.last <= ops_i.last;
      info_q.mask <= ops_i.mask & (holds | {LANES{!branch}});
      info_q.tmask <= ops_i.tmask;
      info_q.pc <= ops_i.pc;
      info_q.goal <= pc_imm[PA_W-1:0];
    end
    // Also when nothing is taken: an enable would be one more gate behind the carry.
    for (int unsigned l = 0; l < LANES; l++) begin
      main_q[l] <= keep_main[l] ? main[l] : '0;
      shift_q[l] <= shift[l];
      border_q[l] <= border[l];
      fill_q[l] <= fill[l];
    end
    keep_shift_q <= keep_shift;
    less_q <= less & {LANES{ctl.sel == ALU_LESS}};
    fixed_q <= (jal || jalr) ? 64'(pc_t'(ops_i.pc + PA_W'(4))) : auipc ? pc_imm : '0;
    if (take && jalr) begin
      target_q <= target;
      lead_q <= lead;
      lead_valid_q <= lead_valid;
    end
  end

  // ======== one cycle later ========
  // ---- steps 3, 4: who jumps to the leader's target; gather over the beats
  lane_mask_t hit;
  thread_mask_t acc, acc_q, taken;
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) hit[l] = info_q.mask[l] && (!info_q.jalr || target_q[l] == lead_q);
    acc = info_q.first ? '0 : acc_q;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || info_q.beat == BEAT_W'(b)) acc[b*LANES+:LANES] = hit;
    taken = info_q.jal ? info_q.tmask : acc;
  end
  always_ff @(posedge clk_i) if (info_q.flow) acc_q <= acc;

  // ---- shifts
  lane_data_t shifted;
  for (genvar l = 0; l < LANES; l++) begin : gen_keep
    alu_keep u_keep (.x_i(shift_q[l]), .edge_i(border_q[l]), .left_i(info_q.keep_left), .fill_i(fill_q[l]), .y_o(shifted[l]));
  end

  // ---- bit counts
  logic [LANES-1:0][6:0] count;
  for (genvar l = 0; l < LANES; l++) begin : gen_count
    alu_count u_count (.ones_i(info_q.ones), .word_i(info_q.word), .x_i(shift_q[l]), .count_o(count[l]));
  end

  // ---- steps 5 to 7
  pc_t goal;
  assign goal = info_q.jalr ? lead_q : info_q.goal;    // lead is 0 without a leader
  assign alu_res_valid_o = res_valid_q;
  always_comb begin
    alu_res_o = '{
        warp: info_q.warp, seq: info_q.seq, beat: info_q.beat, rd: info_q.rd, last: info_q.last, mask: hit, data: '0};
    for (int unsigned l = 0; l < LANES; l++) begin
      xlen_t wide;
      wide = main_q[l] | (shifted[l] & {64{keep_shift_q[l]}}) | fixed_q | 64'(less_q[l]);
      alu_res_o.data[l] = info_q.count ? 64'(count[l]) : {info_q.word ? {32{wide[31]}} : wide[63:32], wide[31:0]};
    end
  end
  assign cf_valid_o = info_q.ends;
  assign cf_o = '{
      warp: info_q.warp, seq: info_q.seq, pc: info_q.pc, indirect: info_q.jalr, tmask: info_q.tmask, taken: taken, target: goal,
      misaligned: goal[1] && (!info_q.branch || taken != '0)};
  assign ev_o = '{
      branches: info_q.ends && info_q.branch, branches_divergent: info_q.ends && taken != '0 && taken != info_q.tmask,
      jumps_indirect: info_q.ends && info_q.jalr};

  // What the lanes rely on: an operation has rs2 or imm, and one without rs1 adds to 0.
  fmt_e fmt;
  assign fmt = fmt_of(ops_i.op);
  `VL_ASSERT(no_rs2_is_0, !take || fmt inside {FMT_R, FMT_B} || ops_i.rs2 == '0)
  `VL_ASSERT(no_rs1_is_0, !take || !(fmt inside {FMT_U, FMT_J}) || ops_i.rs1 == '0)
  `VL_ASSERT(branch_by_opcode, !take || ctl.b_imm != branch)
  `VL_ASSERT(no_imm_is_0, !take || fmt != FMT_R || ops_i.imm == '0)
endmodule
