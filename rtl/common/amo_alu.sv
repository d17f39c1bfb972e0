// The operation of an atomic on one datum. Word operations (dword_i = 0) use the low halves; the high half of new_o is then meaningless.
// write_o: the datum is to be replaced by new_o. SC is answered as if it succeeds: the caller checks its reservation.
module amo_alu
  import mem_pkg::*;
(
    input  amo_e        op_i,
    input  logic        dword_i,
    input  logic [63:0] old_i,
    input  logic [63:0] src_i,
    input  logic [63:0] cmp_i,
    output logic [63:0] new_o,
    output logic        write_o
);
  // One comparison for all of MIN, MAX, MINU, MAXU: 65 bits signed, words sign- or zero-extended.
  logic is_signed, less, equal;
  logic [64:0] a, b;
  assign is_signed = op_i inside {AMO_MIN, AMO_MAX};
  assign a = dword_i ? {is_signed & old_i[63], old_i} : {{33{is_signed & old_i[31]}}, old_i[31:0]};
  assign b = dword_i ? {is_signed & src_i[63], src_i} : {{33{is_signed & src_i[31]}}, src_i[31:0]};
  assign less = $signed(a) < $signed(b);
  assign equal = old_i[31:0] == cmp_i[31:0] && (!dword_i || old_i[63:32] == cmp_i[63:32]);

  always_comb begin
    unique case (op_i)
      AMO_ADD:            new_o = old_i + src_i;
      AMO_XOR:            new_o = old_i ^ src_i;
      AMO_AND:            new_o = old_i & src_i;
      AMO_OR:             new_o = old_i | src_i;
      AMO_MIN, AMO_MINU:  new_o = less ? old_i : src_i;
      AMO_MAX, AMO_MAXU:  new_o = less ? src_i : old_i;
      default:            new_o = src_i;
    endcase
    write_o = op_i != AMO_LR && (op_i != AMO_CAS || equal);
  end
endmodule
