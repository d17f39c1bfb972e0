// Registers of a core's warps: operands of an issued beat one cycle later, one record written a cycle, the queues of results.
// Page: docs/blocks/regfile.md (step numbers below are the page's).
`include "vl_assert.svh"
`include "vl_skip.svh"
module regfile
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import isa_pkg::*;
  import core_pkg::*;
  import perf_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    // from issue
    input  logic        issue_valid_i,
    input  issued_t      issue_i,
    // from launch
    input  logic        start_valid_i,
    input  start_t      start_i,
    input  logic        lids_valid_i,
    input  lids_t       lids_i,
    // from compactor: the thread at each place of each warp
    input  homes_t      homes_i,
    // constants
    input  kernel_t     kernel_i,
    input  core_t       core_i,
    // from the pipes
    input  logic        alu_res_valid_i,
    input  result_t     alu_res_i,
    input  logic        mul_res_valid_i,
    input  result_t     mul_res_i,
    input  logic        div_res_valid_i,
    input  result_t     div_res_i,
    input  logic        fpu_res_valid_i,
    input  result_t     fpu_res_i,
    input  logic        fdiv_res_valid_i,
    input  result_t     fdiv_res_i,
    input  logic        lsu_res_valid_i,
    input  result_t     lsu_res_i,
    output logic        lsu_res_ready_o,
    // to the pipes
    output logic        ops_valid_o,
    output operands_t   ops_o,
    // to issue
    output logic        wb_valid_o,
    output wb_t         wb_o,
    output credit_t     credit_o,
    output logic        wb_hold_o,
    output ev_regfile_t ev_o
);
  localparam int unsigned ROWS = WARPS * BEATS;
  localparam int unsigned ROW_W = idx_w(ROWS);
  localparam int unsigned Q_LSU = 0, Q_FPU = 1, Q_DIV = 2, Q_FDIV = 3, QUEUES = 4;
  typedef logic [ROW_W-1:0] row_t;

  // verilator lint_off UNUSEDSIGNAL
  function automatic row_t row_of_beat(input warp_t w, input beat_t b);
    return ROW_W'(int'(w) * BEATS + ((BEATS > 1) ? int'(b) : 0));
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // ---- step 4: queues. LSU has two registers that are used in turn, so that choosing between them is part of the choice of the record.
  logic [QUEUES-1:0] some, pop;
  result_t [1:0] lsu_q;
  logic [1:0] lsu_full_q;
  logic lsu_put_q, lsu_get_q, lsu_put;
  assign lsu_res_ready_o = lsu_full_q != '1;
  assign lsu_put = lsu_res_valid_i && lsu_res_ready_o;
  assign some[Q_LSU] = lsu_full_q != '0;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      lsu_full_q <= '0;
      lsu_put_q <= 1'b0;
      lsu_get_q <= 1'b0;
    end else begin
      lsu_put_q <= lsu_put_q ^ lsu_put;
      lsu_get_q <= lsu_get_q ^ pop[Q_LSU];
      for (int unsigned k = 0; k < 2; k++)
        lsu_full_q[k] <= (lsu_full_q[k] && !(pop[Q_LSU] && lsu_get_q == 1'(k))) || (lsu_put && lsu_put_q == 1'(k));
    end
    for (int unsigned k = 0; k < 2; k++) if (lsu_put && lsu_put_q == 1'(k)) lsu_q[k] <= lsu_res_i;
  end

  typedef struct packed {
    logic mul;
    result_t res;
  } fpu_rec_t;
  logic fpu_room, div_room, fdiv_room;
  fpu_rec_t fpu_put, fpu_head;
  result_t div_head, fdiv_head;
  assign fpu_put = '{mul: mul_res_valid_i, res: mul_res_valid_i ? mul_res_i : fpu_res_i};
  fifo #(.T(fpu_rec_t), .DEPTH(FPU_RESULT_DEPTH)) u_fpu (
      .clk_i, .rst_i, .valid_i(fpu_res_valid_i || mul_res_valid_i), .ready_o(fpu_room), .data_i(fpu_put),
      .valid_o(some[Q_FPU]), .ready_i(pop[Q_FPU]), .data_o(fpu_head));
  fifo #(.T(result_t), .DEPTH(BEATS)) u_div (
      .clk_i, .rst_i, .valid_i(div_res_valid_i), .ready_o(div_room), .data_i(div_res_i),
      .valid_o(some[Q_DIV]), .ready_i(pop[Q_DIV]), .data_o(div_head));
  fifo #(.T(result_t), .DEPTH(BEATS)) u_fdiv (
      .clk_i, .rst_i, .valid_i(fdiv_res_valid_i), .ready_o(fdiv_room), .data_i(fdiv_res_i),
      .valid_o(some[Q_FDIV]), .ready_i(pop[Q_FDIV]), .data_o(fdiv_head));
  `VL_ASSERT(one_of_fpu_and_mul, !(fpu_res_valid_i && mul_res_valid_i))
  `VL_ASSERT(fpu_has_room, !(fpu_res_valid_i || mul_res_valid_i) || fpu_room)
  `VL_ASSERT(div_has_room, !div_res_valid_i || div_room)
  `VL_ASSERT(fdiv_has_room, !fdiv_res_valid_i || fdiv_room)

  // ---- step 1: the record that is written, one of six. Comparisons with it (is it an operand of this instruction?) are made for all six before the choice,
  // which is late. Its data are 0 for lanes outside its mask.
  localparam int unsigned SOURCES = 6;
  localparam result_t ALL_BUT_DATA = '{data: '0, default: '1};
  reg_t [2:0] rs;
  logic [2:0] waiting, same;
  logic w_valid;
  result_t [SOURCES-1:0] source;
  logic [SOURCES-1:0] chosen;
  wb_t w;
  wb_arb #(.N(QUEUES)) u_arb (
      .clk_i, .rst_i, .alu_valid_i(alu_res_valid_i), .head_valid_i(some), .pop_o(pop), .hold_o(wb_hold_o), .waiting_o(waiting));
  assign source = {alu_res_i, fdiv_head, div_head, fpu_head.res, lsu_q};
  assign chosen = {alu_res_valid_i, pop[Q_FDIV], pop[Q_DIV], pop[Q_FPU], pop[Q_LSU] && lsu_get_q, pop[Q_LSU] && !lsu_get_q};
  always_comb begin
    w_valid = alu_res_valid_i || some != '0;
    w = '0;
    same = '0;
    for (int unsigned s = 0; s < SOURCES; s++) `VL_WHEN(chosen[s]) begin
      w.res |= source[s] & ALL_BUT_DATA & {$bits(result_t){chosen[s]}};
      for (int unsigned l = 0; l < LANES; l++) w.res.data[l] |= source[s].data[l] & {64{chosen[s] && source[s].mask[l]}};
      for (int unsigned c = 0; c < 3; c++)
        same[c] |= chosen[s] && source[s].rd == rs[c] && source[s].warp == issue_i.warp && (BEATS == 1 || source[s].beat == issue_i.beat);
    end
    w.pipe = pop[Q_LSU] ? PIPE_LSU : pop[Q_FPU] ? (fpu_head.mul ? PIPE_MUL : PIPE_FPU) : pop[Q_DIV] ? PIPE_DIV : pop[Q_FDIV] ? PIPE_FDIV : PIPE_ALU;
  end

  // ---- the row of each lane: that of its thread's home, which is the warp itself where none are formed
  row_t [LANES-1:0] r_row, w_row;
  warp_t [LANES-1:0] r_home;
  logic w_reg;
  assign w_reg = w_valid && w.res.rd != '0;
  for (genvar l = 0; l < LANES; l++) begin : gen_row
    if (COMPACTS) begin : gen_home
      assign r_home[l] = home_of(homes_i, issue_i.warp, issue_i.beat, l);
      assign w_row[l] = row_of_beat(home_of(homes_i, w.res.warp, w.res.beat, l), w.res.beat);
    end else begin : gen_warp
      assign r_home[l] = issue_i.warp;
      assign w_row[l] = row_of_beat(w.res.warp, w.res.beat);
    end
    assign r_row[l] = row_of_beat(r_home[l], issue_i.beat);
  end

  // ---- written bits: one word for each row; where warps are formed, one for each lane of a row, since a row may be written in part. With one word for all lanes, a lane
  // outside the mask of a register's first write is written with 0.
  logic [LANES-1:0][2:0] written;
  logic w_first;
  if (COMPACTS) begin : gen_by_lane
    for (genvar l = 0; l < LANES; l++) begin : gen_written
      logic [31:0] bits;
      written_bits u_written (
          .clk_i, .rst_i, .start_valid_i, .start_warp_i(start_i.warp), .r_row_i(r_row[l]), .bits_o(bits),
          .we_i(w_reg && w.res.mask[l]), .w_row_i(w_row[l]), .rd_i(w.res.rd), .first_o());
      assign written[l] = {bits[rs[2]], bits[rs[1]], bits[rs[0]]};
    end
    assign w_first = 1'b0;
  end else begin : gen_by_row
    logic [31:0] bits;
    written_bits u_written (
        .clk_i, .rst_i, .start_valid_i, .start_warp_i(start_i.warp), .r_row_i(r_row[0]), .bits_o(bits),
        .we_i(w_reg), .w_row_i(w_row[0]), .rd_i(w.res.rd), .first_o(w_first));
    assign written = {LANES{bits[rs[2]], bits[rs[1]], bits[rs[0]]}};
  end

  // ---- step 2: which operands are read, and the replacement of rs1
  // From the opcode, since issued instructions are legal. (issue_i.op would serve as well, but comes later in the cycle.)
  logic reads, csr, csr_alu, csr_fpu, amo, cas, auipc;
  logic [4:0] opcode;
  fmt_e fmt;
  xlen_t stand_in;
  logic [2:0] has_rs, use_rs;
  lane_data_t id_value, id_offset;
  logic [LANES-1:0][LID_W-1:0] lid;
  assign reads = issue_valid_i && issue_i.pipe != PIPE_CTL;
  insn_t instr_row;
  assign instr_row = row_of(issue_i.instr);
  assign fmt = instr_row.fmt;
  assign opcode = issue_i.instr[6:2];
  assign csr = opcode == 5'b11100;
  assign csr_alu = csr && issue_i.pipe == PIPE_ALU;
  assign csr_fpu = csr && issue_i.instr[14] && issue_i.pipe == PIPE_FPU;
  assign auipc = opcode == 5'b00101;
  assign amo = opcode == 5'b01011;
  assign cas = amo && issue_i.instr[31:27] == 5'b00101;
  assign has_rs[0] = !(opcode inside {5'b01101, 5'b00101, 5'b11011, 5'b00011, 5'b00010} || (csr && issue_i.instr[14]));     // LUI, AUIPC, JAL, FENCE, vl
  assign has_rs[1] = amo || opcode inside {5'b01100, 5'b01110, 5'b01000, 5'b11000, 5'b10000, 5'b10001, 5'b10010, 5'b10011}
                   || (opcode == 5'b10100 && !issue_i.instr[30]);        // of OP-FP not the conversions, square root and class
  assign has_rs[2] = opcode[4:2] == 3'b100 || cas;
  assign rs = {cas ? issue_i.instr[11:7] : issue_i.instr[31:27], issue_i.instr[24:20], issue_i.instr[19:15]};
  assign use_rs = {has_rs[2] && rs[2] != '0, has_rs[1] && rs[1] != '0, has_rs[0] && rs[0] != '0 && !csr_alu};
  assign stand_in = (64'(issue_i.instr[19:15]) & {64{csr_fpu}}) | (64'(issue_i.pc) & {64{auipc}});

  identity u_identity (
      .clk_i, .start_valid_i, .start_i, .lids_valid_i, .lids_i, .kernel_i, .core_i, .read_i(reads && csr_alu),
      .csr_i(issue_i.instr[31:20]), .warp_i(issue_i.warp), .homes_i(r_home), .beat_i(issue_i.beat), .value_o(id_value), .offset_o(id_offset), .lid_o(lid));

  // ---- the lanes: each has its own addresses
  lane_data_t rs1, rs2, rs3;
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    xlen_t [1:0] special;
    assign special = {id_offset[l] & {64{csr_alu}}, (id_value[l] & {64{csr_alu}}) | stand_in};
    rf_bank #(.DEPTH(ROWS * 32)) u_bank (
        .clk_i, .read_i(use_rs & {3{reads}}), .written_i(written[l]), .same_i(same),
        .raddr_i({{r_row[l], rs[2]}, {r_row[l], rs[1]}, {r_row[l], rs[0]}}), .special_i(special),
        .rdata_o({rs3[l], rs2[l], rs1[l]}),
        .we_i(w_reg && (w.res.mask[l] || w_first)), .waddr_i({w_row[l], w.res.rd}),    // step 3
        .wdata_i(w.res.data[l]));
  end

  // ---- the operand register
  operands_t ops_q;        // rs1..rs3 unused
  always_ff @(posedge clk_i) begin
    if (rst_i) ops_valid_o <= 1'b0;
    else ops_valid_o <= reads;
    if (reads)
      ops_q <= '{
          pipe: issue_i.pipe, op: issue_i.op, warp: issue_i.warp, seq: issue_i.seq, pc: issue_i.pc, instr: issue_i.instr,
          beat: issue_i.beat, first: issue_i.first, last: issue_i.last, rd: issue_i.rd_we ? issue_i.instr[11:7] : '0,
          mask: issue_i.mask, tmask: issue_i.tmask, imm: imm_fmt(issue_i.instr, fmt), default: '0};
  end
  always_comb begin
    ops_o = ops_q;
    for (int unsigned l = 0; l < LANES; l++) ops_o.rs1[l] = rs1[l] | 64'(lid[l]);
    ops_o.rs2 = rs2;
    ops_o.rs3 = rs3;
  end

  // Where the opcode alone suggests a register that the format does not have, that register is x0.
  `VL_ASSERT(rs_by_opcode, !reads || (has_rs[0] == reads_rs1(fmt) && (has_rs[1] || !reads_rs2(fmt))
      && (reads_rs2(fmt) || !has_rs[1] || rs[1] == '0) && has_rs[2] == (fmt == FMT_R4 || fmt == FMT_CAS)))
  `VL_ASSERT(op_is_of_instr, !reads || instr_row.op == issue_i.op)

  // ---- steps 6, 7, 9
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wb_valid_o <= 1'b0;
      credit_o <= '0;
      ev_o <= '0;
    end else begin
      wb_valid_o <= w_valid;
      credit_o <= '{div: pop[Q_DIV], fpu: pop[Q_FPU], fdiv: pop[Q_FDIV]};
      ev_o <= '{writeback_waits: waiting, writeback_holds: wb_hold_o};
    end
    if (w_valid) wb_o <= w;
  end
endmodule
