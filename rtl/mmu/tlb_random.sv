// Random victims for the TLB's replacement: a linear feedback shift register with all of its bits mixed at each step (xorshift 7, 9, 8), so that it runs through
// all values but 0, and the number folded to a way of a set and to one of the larger leaves. Page: docs/blocks/tlb.md (step 4, Random replacement).
module tlb_random
  import vl_cfg_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 on_i,
    input  logic                 step_i,
    output logic [TLB_WAYS-1:0]  way_o,     // one-hot; 0 unless on_i
    output logic [TLB_SUPER-1:0] super_o
);
  logic [15:0] number_q, a, b;
  assign a = number_q ^ (number_q << 7);
  assign b = a ^ (a >> 9);
  always_ff @(posedge clk_i)
    if (rst_i) number_q <= 16'd1;
    else if (step_i) number_q <= b ^ (b << 8);

  function automatic logic [5:0] fold(input logic [15:0] number, input int unsigned n);
    return 6'((32'(number) * n) >> 16);
  endfunction
  assign way_o = TLB_WAYS'(on_i) << fold(number_q, TLB_WAYS);
  assign super_o = TLB_SUPER'(on_i) << fold(number_q, TLB_SUPER);
endmodule
