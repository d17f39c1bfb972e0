// First 1 of a wide vector in two cycles, as a tournament: the first of each group of 16 is registered (look), and a cycle later the first
// group that has one wins (pick). first_o is one-hot, or 0; from_o has a 1 there and everywhere above. Both are of vec_i at the last edge.
module sched_pick #(
    parameter int unsigned N = 16
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic [N-1:0] vec_i,
    output logic         any_o,
    output logic [N-1:0] first_o,
    output logic [N-1:0] from_o
);
  localparam int unsigned SIZE = 16;
  localparam int unsigned GROUPS = (N + SIZE - 1) / SIZE;
  typedef logic [SIZE-1:0] group_t;
  group_t [GROUPS-1:0] in, first_q, from_q, first, from;
  logic [GROUPS-1:0] any_q, wins, above;

  assign in = (GROUPS * SIZE)'(vec_i);
  always_ff @(posedge clk_i)
    for (int unsigned k = 0; k < GROUPS; k++) begin
      first_q[k] <= rst_i ? '0 : in[k] & (~in[k] + 1'b1);
      from_q[k] <= in[k] | (~in[k] + 1'b1);
      any_q[k] <= !rst_i && in[k] != '0;
    end

  assign wins = any_q & (~any_q + 1'b1);
  assign above = ~(wins | (wins - 1'b1));  // groups behind the one that wins (of use only if one does)
  always_comb
    for (int unsigned k = 0; k < GROUPS; k++) begin
      first[k] = wins[k] ? first_q[k] : '0;
      from[k] = wins[k] ? from_q[k] : {SIZE{above[k]}};
    end
  assign any_o = any_q != '0;
  assign first_o = N'(first);
  assign from_o = N'(from);
endmodule
