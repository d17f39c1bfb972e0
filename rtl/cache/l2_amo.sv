// One atomic on a line: at load_i the doubleword is taken out of the line; from the next cycle on its answer and the doubleword to store are valid. Page: docs/blocks/l2.md (step 6).
module l2_amo
  import vellum_pkg::*, mem_pkg::*;
(
    input  logic       clk_i,
    input  logic       load_i,
    input  line_data_t line_i,
    input  amo_e       op_i,
    input  logic       dword_i,
    input  line_off_t off_i,
    input  xlen_t      src_i,
    input  xlen_t      cmp_i,
    input  logic       held_i,     // its reservation holds, and its core's
    output xlen_t      image_o,    // of the answer
    output logic       store_o,
    output xlen_t      data_o      // to store, in both halves if a word
);
  xlen_t pair_q, old, image, result;
  logic [31:0] half;
  logic write, fail;
  always_ff @(posedge clk_i) if (load_i) pair_q <= line_i[{off_i[LINE_OFF_W-1:3], 6'b0}+:64];

  assign half = off_i[2] ? pair_q[63:32] : pair_q[31:0];
  assign old = dword_i ? pair_q : {2{half}};
  amo_alu u_alu (.op_i, .dword_i, .old_i(old), .src_i, .cmp_i, .new_o(result), .write_o(write));
  assign fail = op_i == AMO_SC && !held_i;
  assign store_o = write && !fail;
  assign data_o = dword_i ? result : {2{result[31:0]}};
  assign image = (op_i != AMO_SC) ? old : dword_i ? 64'(fail) : {2{32'(fail)}};
  assign image_o = image;
endmodule
