// Behind the rotation of a shift: the bits of x that stay, else `fill`. A shift to the right leaves those up to `edge`, one to the left those
// from `edge` on. Three bits of a position and three are compared apart.
module alu_keep (
    input  logic [63:0] x_i,
    input  logic [5:0]  edge_i,
    input  logic        left_i,
    input  logic        fill_i,
    output logic [63:0] y_o
);
  logic [7:0] above, same, low;
  always_comb begin
    for (int unsigned k = 0; k < 8; k++) begin
      above[k] = edge_i[5:3] > 3'(k);
      same[k] = edge_i[5:3] == 3'(k);
      low[k] = left_i ? edge_i[2:0] > 3'(k) : edge_i[2:0] >= 3'(k);
    end
    for (int unsigned k = 0; k < 64; k++)
      y_o[k] = ((above[k/8] || (same[k/8] && low[k%8])) ^ left_i) ? x_i[k] : fill_i;
  end
endmodule
