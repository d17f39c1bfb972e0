// Reservations for LR and SC: one a source, with its hart and line. A write to a line ends all reservations of it; so does its loss, where a slice can lose a line,
// and that of the LR of the same edge, too. Pages: docs/blocks/l2.md (step 6), docs/blocks/l2c.md (steps 3, 7).
module l2_resv
  import vellum_pkg::*, mem_pkg::*, memside_pkg::*;
#(
    parameter int unsigned NUM_W = 41
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  src_t             src_i,
    input  hart_t            hart_i,
    input  logic [NUM_W-1:0] num_i,      // the line
    output logic             held_o,     // an SC of this hart to this line would succeed
    input  logic             lr_i,
    input  logic             sc_i,
    input  logic             written_i,
    input  logic             lost_i,
    input  logic [NUM_W-1:0] lost_num_i
);
  logic [SOURCES-1:0] valid_q;
  hart_t [SOURCES-1:0] hart_q;
  logic [SOURCES-1:0][NUM_W-1:0] num_q;
  logic own;
  assign own = valid_q[src_i] && hart_q[src_i] == hart_i;
  assign held_o = own && num_q[src_i] == num_i;

  always_ff @(posedge clk_i) begin
    if (lr_i) begin
      hart_q[src_i] <= hart_i;
      num_q[src_i] <= num_i;
    end
    if (rst_i) valid_q <= '0;
    else begin
      for (int unsigned s = 0; s < SOURCES; s++) if (written_i && num_q[s] == num_i) valid_q[s] <= 1'b0;
      if (sc_i && own) valid_q[src_i] <= 1'b0;
      for (int unsigned s = 0; s < SOURCES; s++) if (lost_i && num_q[s] == lost_num_i) valid_q[s] <= 1'b0;
      if (lr_i) valid_q[src_i] <= !(lost_i && num_i == lost_num_i);
    end
  end
endmodule
