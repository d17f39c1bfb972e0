// What an operation of PIPE_ALU asks of the lanes. Combinational; one for all lanes.
module alu_decode
  import isa_pkg::*;
  import core_pkg::*;
(
    input  op_e         op_i,
    input  logic [31:0] instr_i,
    output alu_ctl_t    ctl_o
);
  // The adder waits for these, so they come from the bits of the instruction. Complemented: branches; SLT*; SUB, ANDN, ORN, XNOR, BCLR*;
  // MIN*, MAX*. Made 0: CSR instructions, and with funct3 001 the single bits (and shifts, whose sum nobody keeps).
  logic branch, csr, r, i, slt, inverse, single;
  assign branch = instr_i[6] && instr_i[4:2] == 3'd0;
  assign csr = instr_i[6] && instr_i[4];
  assign r = instr_i[6:4] == 3'b011 && !instr_i[2];
  assign i = instr_i[6:4] == 3'b001 && !instr_i[2];
  assign single = (r || i) && instr_i[14:12] == 3'b001;
  assign slt = instr_i[14:13] == 2'b01 && (i || (r && !instr_i[29]));
  assign inverse = instr_i[30:29] == 2'b10 && (r || single);

  logic rotate, bit0;        // all bits stay; only bit 0 does (bext)
  always_comb begin
    ctl_o = '0;
    rotate = 1'b0;
    bit0 = 1'b0;
    ctl_o.b_imm = !branch;
    ctl_o.b_zero = csr || single;
    ctl_o.b_inv = branch || slt || inverse || (r && instr_i[25]);
    case (op_i)
      OP_ADD, OP_ADDI, OP_SUB, OP_LUI, OP_JALR, OP_BEQ, OP_BNE, OP_BLT, OP_BGE: ;
      OP_ADDW, OP_ADDIW, OP_SUBW: ctl_o.word = 1'b1;
      OP_ADD_UW: ctl_o.a_uw = 1'b1;
      OP_SH1ADD, OP_SH1ADD_UW: begin ctl_o.a_shift = 2'd1; ctl_o.a_uw = op_i == OP_SH1ADD_UW; end
      OP_SH2ADD, OP_SH2ADD_UW: begin ctl_o.a_shift = 2'd2; ctl_o.a_uw = op_i == OP_SH2ADD_UW; end
      OP_SH3ADD, OP_SH3ADD_UW: begin ctl_o.a_shift = 2'd3; ctl_o.a_uw = op_i == OP_SH3ADD_UW; end

      OP_SLT, OP_SLTI: ctl_o.sel = ALU_LESS;
      OP_SLTU, OP_SLTIU: begin ctl_o.sel = ALU_LESS; ctl_o.uns = 1'b1; end
      OP_BLTU, OP_BGEU: ctl_o.uns = 1'b1;

      OP_AND, OP_ANDI, OP_ANDN: ctl_o.sel = ALU_BITS;
      OP_OR, OP_ORI, OP_ORN: begin ctl_o.sel = ALU_BITS; ctl_o.bits = BITS_OR; end
      OP_XOR, OP_XORI, OP_XNOR: begin ctl_o.sel = ALU_BITS; ctl_o.bits = BITS_XOR; end
      OP_BCLR, OP_BCLRI: begin ctl_o.sel = ALU_BITS; ctl_o.b_bit = 1'b1; end
      OP_BSET, OP_BSETI: begin ctl_o.sel = ALU_BITS; ctl_o.b_bit = 1'b1; ctl_o.bits = BITS_OR; end
      OP_BINV, OP_BINVI: begin ctl_o.sel = ALU_BITS; ctl_o.b_bit = 1'b1; ctl_o.bits = BITS_XOR; end

      OP_SLL, OP_SLLI: begin ctl_o.sel = ALU_SHIFT; ctl_o.left = 1'b1; end
      OP_SLLW, OP_SLLIW: begin ctl_o.sel = ALU_SHIFT; ctl_o.left = 1'b1; ctl_o.word = 1'b1; end
      OP_SLLI_UW: begin ctl_o.sel = ALU_SHIFT; ctl_o.left = 1'b1; ctl_o.a_uw = 1'b1; end
      OP_SRL, OP_SRLI: ctl_o.sel = ALU_SHIFT;
      OP_SRLW, OP_SRLIW: begin ctl_o.sel = ALU_SHIFT; ctl_o.word = 1'b1; end
      OP_SRA, OP_SRAI: begin ctl_o.sel = ALU_SHIFT; ctl_o.arith = 1'b1; end
      OP_SRAW, OP_SRAIW: begin ctl_o.sel = ALU_SHIFT; ctl_o.arith = 1'b1; ctl_o.word = 1'b1; end
      OP_ROL: begin ctl_o.sel = ALU_SHIFT; rotate = 1'b1; ctl_o.left = 1'b1; end
      OP_ROLW: begin ctl_o.sel = ALU_SHIFT; rotate = 1'b1; ctl_o.left = 1'b1; ctl_o.word = 1'b1; end
      OP_ROR, OP_RORI: begin ctl_o.sel = ALU_SHIFT; rotate = 1'b1; end
      OP_RORW, OP_RORIW: begin ctl_o.sel = ALU_SHIFT; rotate = 1'b1; ctl_o.word = 1'b1; end
      OP_BEXT, OP_BEXTI: begin ctl_o.sel = ALU_SHIFT; bit0 = 1'b1; end

      // The value is in rs1.
      OP_CSRRW, OP_CSRRS, OP_CSRRC, OP_CSRRWI, OP_CSRRSI, OP_CSRRCI: begin ctl_o.sel = ALU_BITS; ctl_o.bits = BITS_OR; end

      OP_MIN: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_MIN; end
      OP_MINU: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_MIN; ctl_o.uns = 1'b1; end
      OP_MAX: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_MAX; end
      OP_MAXU: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_MAX; ctl_o.uns = 1'b1; end
      OP_CZERO_EQZ: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_EQZ; end
      OP_CZERO_NEZ: begin ctl_o.sel = ALU_PICK; ctl_o.pick = PICK_NEZ; end

      OP_CLZ: ctl_o.sel = ALU_COUNT;
      OP_CLZW: begin ctl_o.sel = ALU_COUNT; ctl_o.word = 1'b1; end
      OP_CTZ: begin ctl_o.sel = ALU_COUNT; ctl_o.reverse = 1'b1; end
      OP_CTZW: begin ctl_o.sel = ALU_COUNT; ctl_o.reverse = 1'b1; ctl_o.word = 1'b1; end
      OP_CPOP: begin ctl_o.sel = ALU_COUNT; ctl_o.ones = 1'b1; end
      OP_CPOPW: begin ctl_o.sel = ALU_COUNT; ctl_o.ones = 1'b1; ctl_o.word = 1'b1; end

      OP_SEXT_B: begin ctl_o.sel = ALU_SHIFT; ctl_o.ext_b = 1'b1; ctl_o.arith = 1'b1; end
      OP_SEXT_H: begin ctl_o.sel = ALU_SHIFT; ctl_o.ext_h = 1'b1; ctl_o.arith = 1'b1; end
      OP_ZEXT_H: begin ctl_o.sel = ALU_SHIFT; ctl_o.ext_h = 1'b1; end
      OP_ORC_B: ctl_o.sel = ALU_ORC;
      OP_REV8: ctl_o.sel = ALU_REV;
      default: ;
    endcase
    if (ctl_o.sel == ALU_PICK) ctl_o.bits = BITS_NOT_B;
    ctl_o.still = ctl_o.sel inside {ALU_PICK, ALU_COUNT} || ctl_o.ext_b || ctl_o.ext_h;
    rotate |= ctl_o.sel inside {ALU_PICK, ALU_COUNT};
    ctl_o.keep_left = ctl_o.left && !rotate;
    ctl_o.edge_and = {6{!(rotate || bit0 || ctl_o.ext_b || ctl_o.ext_h)}};
    ctl_o.edge_or = rotate ? 6'd63 : ctl_o.ext_b ? 6'd7 : ctl_o.ext_h ? 6'd15 : 6'd0;
  end
endmodule
