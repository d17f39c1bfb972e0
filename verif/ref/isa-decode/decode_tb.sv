// Asks the C side for words, decodes them as the hardware does, and hands the results back for comparison.
module decode_tb;
  import isa_pkg::*;
  import "DPI-C" function int next_word(output int unsigned word);
  import "DPI-C" function void check(input int unsigned word, input int unsigned op, input int unsigned pipe,
                                     input int unsigned flags, input int unsigned rs3, input longint unsigned imm);
  import "DPI-C" function void finish_check();

  initial begin
    int unsigned word;
    predec_t p;
    while (next_word(word) != 0) begin
      p = predecode(word);
      check(word, {24'd0, p.op}, {29'd0, p.pipe},
            {25'd0, p.use_rs1, p.use_rs2, p.use_rs3, p.use_rd, p.is_cf, p.is_serial, p.is_mem},
            {27'd0, rs3_of(word, p.op)}, imm_of(word, p.op));
    end
    finish_check();
    $finish;
  end
endmodule
