// Control signals of the lanes for an operation of PIPE_ALU. Combinational; one for all lanes.
module alu_decode
  import isa_pkg::*;
  import core_pkg::*;
(
    input  op_e         op_i,
    input  logic [31:0] instr_i,
    output alu_ctl_t    ctl_o
);
  // The adder waits for these, so they are decoded from bits of the instruction. b is complemented in: branches; SLT*; SUB, ANDN, ORN, XNOR; MIN*, MAX*;
  // OR, ORI, which need the complement of the complement (alu_bits_e).
  logic branch, csr, r, i, slt, or_row;
  assign branch = instr_i[6] && instr_i[4:2] == 3'd0;
  assign csr = instr_i[6] && instr_i[4];
  assign r = instr_i[6:4] == 3'b011 && !instr_i[2];
  assign i = instr_i[6:4] == 3'b001 && !instr_i[2];
  assign slt = instr_i[14:13] == 2'b01 && (i || (r && !instr_i[29]));
  assign or_row = instr_i[14:12] == 3'b110;

  logic all, bit0;           // all bits stay; only bit 0 does (bext)
  always_comb begin
    ctl_o = '0;
    all = 1'b0;
    bit0 = 1'b0;
    ctl_o.b_imm = !branch && !csr;
    ctl_o.b_inv = branch || slt || (or_row && (i || (r && instr_i[30:29] == 2'b00))) || (!or_row && r && (instr_i[30:29] == 2'b10 || instr_i[25]));
    ctl_o.pick = PICK_NONE;
    case (op_i)
      OP_ADD, OP_ADDI, OP_SUB, OP_LUI, OP_AUIPC: ctl_o.add = 1'b1;
      OP_CSRRW, OP_CSRRS, OP_CSRRC, OP_CSRRWI, OP_CSRRSI, OP_CSRRCI: ctl_o.add = 1'b1;
      OP_BEQ, OP_BNE, OP_BLT, OP_BGE, OP_JAL, OP_JALR: ;
      OP_ADDW, OP_ADDIW, OP_SUBW: begin ctl_o.add = 1'b1; ctl_o.word = 1'b1; end
      OP_ADD_UW: begin ctl_o.add = 1'b1; ctl_o.a_uw = 1'b1; end
      OP_SH1ADD, OP_SH1ADD_UW: begin ctl_o.add = 1'b1; ctl_o.a_shift = 2'd1; ctl_o.a_uw = op_i == OP_SH1ADD_UW; end
      OP_SH2ADD, OP_SH2ADD_UW: begin ctl_o.add = 1'b1; ctl_o.a_shift = 2'd2; ctl_o.a_uw = op_i == OP_SH2ADD_UW; end
      OP_SH3ADD, OP_SH3ADD_UW: begin ctl_o.add = 1'b1; ctl_o.a_shift = 2'd3; ctl_o.a_uw = op_i == OP_SH3ADD_UW; end

      OP_SLT, OP_SLTI: ctl_o.less = 1'b1;
      OP_SLTU, OP_SLTIU: begin ctl_o.less = 1'b1; ctl_o.uns = 1'b1; end
      OP_BLTU, OP_BGEU: ctl_o.uns = 1'b1;

      OP_AND, OP_ANDI, OP_ANDN: ctl_o.bits = BITS_AND;
      OP_XOR, OP_XORI, OP_XNOR: ctl_o.bits = BITS_XOR;
      // main is b; rs1 is the result of a shift by 0.
      OP_OR, OP_ORI, OP_ORN: begin ctl_o.bits = BITS_NOT; ctl_o.pick = PICK_ALL; ctl_o.still = 1'b1; all = 1'b1; end
      OP_MIN, OP_MINU: begin ctl_o.bits = BITS_NOT; ctl_o.pick = PICK_MIN; ctl_o.uns = op_i == OP_MINU; ctl_o.still = 1'b1; all = 1'b1; end
      OP_MAX, OP_MAXU: begin ctl_o.bits = BITS_NOT; ctl_o.pick = PICK_MAX; ctl_o.uns = op_i == OP_MAXU; ctl_o.still = 1'b1; all = 1'b1; end
      OP_CZERO_EQZ: begin ctl_o.pick = PICK_EQZ; ctl_o.still = 1'b1; all = 1'b1; end
      OP_CZERO_NEZ: begin ctl_o.pick = PICK_NEZ; ctl_o.still = 1'b1; all = 1'b1; end
      OP_BCLR, OP_BCLRI, OP_BSET, OP_BSETI, OP_BINV, OP_BINVI: begin
        ctl_o.pick = PICK_ALL;
        ctl_o.still = 1'b1;
        ctl_o.left = 1'b1;
        ctl_o.keep = KEEP_OTHERS;
        ctl_o.fill = op_i inside {OP_BSET, OP_BSETI};
        ctl_o.flip = op_i inside {OP_BINV, OP_BINVI};
      end

      OP_SLL, OP_SLLI, OP_SLLI_UW: begin ctl_o.pick = PICK_ALL; ctl_o.left = 1'b1; ctl_o.keep = KEEP_FROM; ctl_o.a_uw = op_i == OP_SLLI_UW; end
      OP_SLLW, OP_SLLIW: begin ctl_o.pick = PICK_ALL; ctl_o.left = 1'b1; ctl_o.keep = KEEP_FROM; ctl_o.word = 1'b1; end
      OP_SRL, OP_SRLI: ctl_o.pick = PICK_ALL;
      OP_SRLW, OP_SRLIW: begin ctl_o.pick = PICK_ALL; ctl_o.word = 1'b1; end
      OP_SRA, OP_SRAI: begin ctl_o.pick = PICK_ALL; ctl_o.arith = 1'b1; end
      OP_SRAW, OP_SRAIW: begin ctl_o.pick = PICK_ALL; ctl_o.arith = 1'b1; ctl_o.word = 1'b1; end
      OP_ROL: begin ctl_o.pick = PICK_ALL; all = 1'b1; ctl_o.left = 1'b1; end
      OP_ROLW: begin ctl_o.pick = PICK_ALL; all = 1'b1; ctl_o.left = 1'b1; ctl_o.word = 1'b1; end
      OP_ROR, OP_RORI: begin ctl_o.pick = PICK_ALL; all = 1'b1; end
      OP_RORW, OP_RORIW: begin ctl_o.pick = PICK_ALL; all = 1'b1; ctl_o.word = 1'b1; end
      OP_BEXT, OP_BEXTI: begin ctl_o.pick = PICK_ALL; bit0 = 1'b1; end
      OP_SEXT_B: begin ctl_o.pick = PICK_ALL; ctl_o.still = 1'b1; ctl_o.ext_b = 1'b1; ctl_o.arith = 1'b1; end
      OP_SEXT_H: begin ctl_o.pick = PICK_ALL; ctl_o.still = 1'b1; ctl_o.ext_h = 1'b1; ctl_o.arith = 1'b1; end
      OP_ZEXT_H: begin ctl_o.pick = PICK_ALL; ctl_o.still = 1'b1; ctl_o.ext_h = 1'b1; end

      // rs1 shifted by 0, and not kept as the result: the counts use it.
      OP_CLZ, OP_CLZW: begin ctl_o.count = 1'b1; ctl_o.still = 1'b1; ctl_o.word = op_i == OP_CLZW; end
      OP_CTZ, OP_CTZW: begin ctl_o.count = 1'b1; ctl_o.still = 1'b1; ctl_o.low = 1'b1; ctl_o.word = op_i == OP_CTZW; end
      OP_CPOP, OP_CPOPW: begin ctl_o.count = 1'b1; ctl_o.still = 1'b1; ctl_o.ones = 1'b1; ctl_o.word = op_i == OP_CPOPW; end

      OP_ORC_B: ctl_o.orc = 1'b1;
      OP_REV8: ctl_o.swap = 1'b1;
      default: ;
    endcase
    ctl_o.edge_and = {6{!(all || bit0 || ctl_o.ext_b || ctl_o.ext_h)}};
    ctl_o.edge_or = all ? 6'd63 : ctl_o.ext_b ? 6'd7 : ctl_o.ext_h ? 6'd15 : 6'd0;
  end
endmodule
