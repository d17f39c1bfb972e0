// How many pages the instruction of each row has touched: Bare, those that the front finds (of its row), in Sv48 those that are looked up.
// Page: docs/blocks/lsu.md, "Events" (`pages`).
module lsu_pages
  import vl_cfg_pkg::*, lsu_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       sv48_i,
    input  logic       begin_i,            // a beat that is the first of its row
    input  lsu_row_t   begin_row_i,
    input  lsu_row_t   front_row_i,
    input  logic       new_page_i,         // Bare
    input  logic       used_i,             // a look-up
    input  lsu_row_t   look_row_i,
    input  logic [5:0] look_pages_i,
    output logic [6:0] pages_o             // of the front's row, with what new_page_i says
);
  localparam int unsigned ROWS = LSU_ROWS;

  // Pages of a look-up are added one edge later: the front does not see its threads earlier.
  logic looked_q, we;
  lsu_row_t looked_row_q, row;
  logic [5:0] looked_pages_q;
  logic [ROWS-1:0] counted_q;              // else 0
  assign row = sv48_i ? looked_row_q : front_row_i;
  assign we = sv48_i ? looked_q : new_page_i;
  always_ff @(posedge clk_i) begin
    looked_q <= used_i && !rst_i;
    looked_row_q <= look_row_i;
    looked_pages_q <= look_pages_i;
    if (rst_i) counted_q <= '0;
    else begin
      if (we) counted_q[row] <= 1'b1;
      if (begin_i) counted_q[begin_row_i] <= 1'b0;
    end
  end

  // Two copies of the counts: one is read for the addition, the other for the front.
  logic [6:0] there, front, was, sum, seen;
  ram_lut #(.DEPTH(ROWS), .WIDTH(7)) u_there (.clk_i, .we_i(we), .waddr_i(row), .wdata_i(sum), .raddr_i(row), .rdata_o(there));
  ram_lut #(.DEPTH(ROWS), .WIDTH(7)) u_front (.clk_i, .we_i(we), .waddr_i(row), .wdata_i(sum), .raddr_i(front_row_i), .rdata_o(front));
  always_comb begin
    logic [7:0] wide;
    was = counted_q[row] ? there : '0;
    wide = 8'(was) + (sv48_i ? 8'(looked_pages_q) : 8'd1);
    sum = wide[7] ? '1 : wide[6:0];
    seen = counted_q[front_row_i] ? front : '0;
    pages_o = (new_page_i && seen != '1) ? seen + 7'd1 : seen;   // not `sum`, through which look-ups would be on the path to the events
  end
endmodule
