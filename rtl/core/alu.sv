// Integer operations of all lanes, branches and jumps; latency one cycle. Page: docs/blocks/alu.md (step numbers are the page's).
// Operands come late in their cycle (out of block RAM), results are not needed early in the next: so the last gates (which bits of a rotation
// stay, choice between shifter and the rest, counts, sign extension) are behind the registers (alu_finish).
`include "vl_assert.svh"
`include "vl_skip.svh"
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
  logic take, branch, jal, jalr;
  assign take = ops_valid_i && ops_i.pipe == PIPE_ALU;
  assign branch = ops_i.op inside {OP_BEQ, OP_BNE, OP_BLT, OP_BGE, OP_BLTU, OP_BGEU};
  assign jal = ops_i.op == OP_JAL;
  assign jalr = ops_i.op == OP_JALR;

  // ======== in the cycle of the operands ========
  // ---- lanes
  alu_ctl_t ctl;
  xlen_t imm, link;
  alu_lane_t [LANES-1:0] lane;
  lane_mask_t equal, less;
  alu_decode u_decode (.op_i(ops_i.op), .instr_i(ops_i.instr), .ctl_o(ctl));
  assign imm = ops_i.imm & {64{ctl.b_imm}};
  assign link = 64'(pc_t'(ops_i.pc + PA_W'(4))) & {64{jal || jalr}};
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    alu_lane u_lane (
        .use_i(take), .ctl_i(ctl), .rs1_i(ops_i.rs1[l]), .rs2_i(ops_i.rs2[l]), .imm_i(imm), .by_imm_i(ops_i.imm[5:0]), .link_i(link),
        .equal_o(equal[l]), .less_o(less[l]), .lane_o(lane[l]));
  end

  // ---- step 3: the leader of a JALR and the threads that go with it
  logic lead_known, lead_valid, lead_valid_q;
  pc_t lead, lead_q;
  lane_mask_t leads;
  logic [LANES-1:0][5:0] with_lead, with_lead_q;   // eight bits of the address each
  assign lead_known = !ops_i.first && lead_valid_q;
  assign lead_valid = lead_known || ops_i.mask != '0;
  assign leads = lead_known ? '0 : ops_i.mask & (~ops_i.mask + 1'b1);
  always_comb begin
    lead = lead_q & {PA_W{lead_known}};
    for (int unsigned l = 0; l < LANES; l++) lead |= ops_i.rs1[l][PA_W-1:0] & {PA_W{leads[l]}};
    with_lead = '0;
    `VL_WHEN(jalr) for (int unsigned l = 0; l < LANES; l++)
      for (int unsigned k = 0; k < 6; k++)
        with_lead[l][k] = ((ops_i.rs1[l][8*k+:8] ^ lead[8*k+:8]) & {7'h7f, k != 0 || ops_i.imm[0]}) == '0;
  end

  // ---- where a branch or jump goes
  pc_t goal;
  assign goal = (jalr ? lead : ops_i.pc) + ops_i.imm[PA_W-1:0];

  // ---- step 2
  lane_mask_t holds;
  assign holds = (ops_i.op inside {OP_BEQ, OP_BNE} ? equal : less) ^ {LANES{ops_i.op inside {OP_BNE, OP_BGE, OP_BGEU}}};

  // ---- values for the next cycle
  typedef struct packed {
    logic flow;          // a beat of a branch or jump
    logic first;
    logic ends;          // its last one
    logic branch;
    logic jal;
    logic jalr;
    warp_t warp;
    seq_t seq;
    beat_t beat;
    reg_t rd;
    logic last;
    lane_mask_t mask;    // for a branch the lanes that take it
    thread_mask_t tmask;
    pc_t pc;
    pc_t goal;
  } beat_info_t;
  beat_info_t info_q;
  alu_finish_t finish_q;
  alu_lane_t [LANES-1:0] lane_q;
  logic res_valid_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      res_valid_q <= 1'b0;
      info_q.flow <= 1'b0;
      info_q.ends <= 1'b0;
    end else begin
      // A jump to a misaligned target writes no register.
      res_valid_q <= take && ops_i.rd != '0 && !(jal && ops_i.imm[1]) && !(jalr && lead_valid && goal[1]);
      info_q.flow <= take && (branch || jal || jalr);
      info_q.ends <= take && ops_i.last && (branch || jal || jalr);
    end
    if (take) begin
      info_q.first <= ops_i.first;
      info_q.branch <= branch;
      info_q.jal <= jal;
      info_q.jalr <= jalr;
      info_q.warp <= ops_i.warp;
      info_q.seq <= ops_i.seq;
      info_q.beat <= ops_i.beat;
      info_q.rd <= ops_i.rd;
      info_q.last <= ops_i.last;
      info_q.mask <= ops_i.mask & (holds | {LANES{!branch}});
      info_q.tmask <= ops_i.tmask;
      info_q.pc <= ops_i.pc;
      info_q.goal <= {goal[PA_W-1:1], goal[0] && !jalr};
      finish_q <= '{word: ctl.word, keep: ctl.keep, flip: ctl.flip, orc: ctl.orc, count: ctl.count, ones: ctl.ones, low: ctl.low};
    end
    `VL_WHEN(jalr) with_lead_q <= with_lead;
    `VL_WHEN(take) lane_q <= lane;      // without an enable, which would be one more gate behind the carry
    if (take && jalr) begin
      lead_q <= lead;
      lead_valid_q <= lead_valid;
    end
  end

  // ======== one cycle later ========
  // ---- steps 3, 4: of a JALR those that go with the leader; gather over the beats
  lane_mask_t hit;
  always_comb for (int unsigned l = 0; l < LANES; l++) hit[l] = info_q.mask[l] && (with_lead_q[l] == '1 || !info_q.jalr);
  thread_mask_t acc, acc_q, taken;
  always_comb begin
    acc = info_q.first ? '0 : acc_q;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || info_q.beat == BEAT_W'(b)) acc[b*LANES+:LANES] = hit;
    taken = info_q.jal ? info_q.tmask : acc;
  end
  always_ff @(posedge clk_i) if (info_q.flow) acc_q <= acc;

  // ---- steps 5 to 7
  lane_data_t data;
  for (genvar l = 0; l < LANES; l++) begin : gen_finish
    alu_finish u_finish (.use_i(res_valid_q), .ctl_i(finish_q), .lane_i(lane_q[l]), .data_o(data[l]));
  end
  assign alu_res_valid_o = res_valid_q;
  assign alu_res_o = '{
      warp: info_q.warp, seq: info_q.seq, beat: info_q.beat, rd: info_q.rd, last: info_q.last, mask: hit, data: data};
  assign cf_valid_o = info_q.ends;
  assign cf_o = '{
      warp: info_q.warp, seq: info_q.seq, pc: info_q.pc, indirect: info_q.jalr, tmask: info_q.tmask, taken: taken, target: info_q.goal,
      misaligned: info_q.goal[1] && (!info_q.branch || taken != '0)};
  assign ev_o = '{
      branches: info_q.ends && info_q.branch, branches_divergent: info_q.ends && taken != '0 && taken != info_q.tmask,
      jumps_indirect: info_q.ends && info_q.jalr};

  // The lanes rely on this: an operation has rs2 or imm, never both; without rs1 it adds to 0, AUIPC to its pc.
  fmt_e fmt;
  assign fmt = fmt_of(ops_i.op);
  `VL_ASSERT(no_rs1_is_0, !take || !(fmt inside {FMT_U, FMT_J}) || ops_i.op == OP_AUIPC || ops_i.rs1 == '0)
  `VL_ASSERT(rs1_of_auipc_is_pc, !take || ops_i.op != OP_AUIPC || ops_i.rs1 == {LANES{64'(ops_i.pc)}})
  `VL_ASSERT(no_rs2_is_0, !take || fmt inside {FMT_R, FMT_B, FMT_CSR, FMT_CSRI} || ops_i.rs2 == '0)
  `VL_ASSERT(branch_by_opcode, !take || ctl.b_imm != (branch || fmt inside {FMT_CSR, FMT_CSRI}))
  `VL_ASSERT(no_imm_is_0, !take || fmt != FMT_R || ops_i.imm == '0)
endmodule
