// A local id moved on by `step` threads: digits (x, y, z), x below X, y below Y. Combinational. docs/blocks/launch.md (step 5).
module lid_step
  import vellum_pkg::*;
(
    input  lid_t id_i,
    input  lid_t step_i,
    input  logic [LID_W-1:0] size_x_i,
    input  logic [LID_W-1:0] size_y_i,
    output lid_t id_o
);
  logic [LID_W:0] x, y, x_over, y_over;    // x_over: x less the size; its top bit is 1 if x was smaller
  assign x = {1'b0, id_i[0]} + {1'b0, step_i[0]};
  assign x_over = x - {1'b0, size_x_i};
  assign y = {1'b0, id_i[1]} + {1'b0, step_i[1]} + (LID_W+1)'(!x_over[LID_W]);
  assign y_over = y - {1'b0, size_y_i};
  assign id_o[0] = x_over[LID_W] ? x[LID_W-1:0] : x_over[LID_W-1:0];
  assign id_o[1] = y_over[LID_W] ? y[LID_W-1:0] : y_over[LID_W-1:0];
  assign id_o[2] = id_i[2] + step_i[2] + LID_W'(!y_over[LID_W]);
endmodule
