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
  logic [63:0] keep;
  always_comb begin
    above = ~(8'hff << edge_i[5:3]);
    same = 8'd1 << edge_i[5:3];
    low = ~((left_i ? 8'hff : 8'hfe) << edge_i[2:0]);
    for (int unsigned k = 0; k < 8; k++) keep[8*k+:8] = {8{above[k]}} | ({8{same[k]}} & low);
    keep ^= {64{left_i}};
    y_o = (x_i & keep) | ({64{fill_i}} & ~keep);
  end
endmodule
