// Integer operations of all lanes, branches and jumps; latency one cycle. Page: docs/blocks/alu.md (step numbers are the page's).
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

  // ---- lanes
  alu_ctl_t ctl;
  xlen_t pc_imm, common;
  pc_t link;
  lane_data_t result;
  lane_mask_t equal, less;
  logic [LANES-1:0][PA_W-1:0] target;
  alu_decode u_decode (.op_i(ops_i.op), .ctl_o(ctl));
  assign pc_imm = 64'(ops_i.pc) + ops_i.imm;
  assign link = ops_i.pc + PA_W'(4);
  assign common = (ops_i.op == OP_AUIPC) ? pc_imm : jal ? 64'(link) : ops_i.imm;
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    xlen_t sum, res;
    alu_lane u_lane (
        .ctl_i(ctl), .rs1_i(ops_i.rs1[l]), .rs2_i(ops_i.rs2[l]), .common_i(common),
        .sum_o(sum), .equal_o(equal[l]), .less_o(less[l]), .result_o(res));
    assign target[l] = {sum[PA_W-1:1], 1'b0};
    assign result[l] = jalr ? 64'(link) : res;
  end

  // ---- step 2: who takes a branch
  lane_mask_t holds, hit;
  assign holds = (ops_i.op inside {OP_BEQ, OP_BNE} ? equal : less) ^ {LANES{ops_i.op inside {OP_BNE, OP_BGE, OP_BGEU}}};

  // ---- step 3: the leader of a JALR
  logic lead_known, lead_valid, lead_valid_q;
  pc_t lead, lead_q;
  lane_mask_t first_lane, same;
  assign lead_known = !ops_i.first && lead_valid_q;
  assign lead_valid = lead_known || ops_i.mask != '0;
  assign first_lane = ops_i.mask & (~ops_i.mask + 1'b1);
  always_comb begin
    lead = lead_known ? lead_q : '0;
    for (int unsigned l = 0; l < LANES; l++) lead |= target[l] & {PA_W{first_lane[l] && !lead_known}};
    for (int unsigned l = 0; l < LANES; l++) same[l] = target[l] == lead;
  end
  assign hit = ops_i.mask & (branch ? holds : jalr ? same : '1);

  // ---- step 4: gather over the beats
  thread_mask_t acc, acc_q;
  always_comb begin
    acc = ops_i.first ? '0 : acc_q;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || ops_i.beat == BEAT_W'(b)) acc[b*LANES+:LANES] = hit;
  end

  // ---- steps 5 to 7
  logic writes, ends;
  pc_t goal;
  thread_mask_t taken;
  assign writes = take && ops_i.rd != '0 && !(jal && ops_i.imm[1]) && !(jalr && lead_valid && lead[1]);
  assign ends = take && ops_i.last && (branch || jal || jalr);
  assign goal = jalr ? lead : pc_imm[PA_W-1:0];
  assign taken = jal ? ops_i.tmask : acc;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      alu_res_valid_o <= 1'b0;
      cf_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      alu_res_valid_o <= writes;
      cf_valid_o <= ends;
      ev_o <= '{branches: ends && branch, branches_divergent: ends && taken != '0 && taken != ops_i.tmask, jumps_indirect: ends && jalr};
    end
    if (writes)
      alu_res_o <= '{
          warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last,
          mask: jalr ? hit : ops_i.mask, data: result};
    if (take && (branch || jal || jalr)) begin
      acc_q <= acc;
      lead_q <= lead;
      lead_valid_q <= lead_valid;
    end
    if (ends)
      cf_o <= '{
          warp: ops_i.warp, seq: ops_i.seq, pc: ops_i.pc, indirect: jalr, tmask: ops_i.tmask, taken: taken, target: goal,
          misaligned: goal[1] && (!branch || taken != '0)};
  end
endmodule
