// Which registers of each row were written since the row's warp began: a word of 32 bits a row. Page: docs/blocks/regfile.md.
module written_bits
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
#(
    localparam int unsigned ROWS = WARPS * BEATS,
    localparam int unsigned ROW_W = idx_w(ROWS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             start_valid_i,    // of the rows of this warp nothing is written
    input  warp_t            start_warp_i,
    input  logic [ROW_W-1:0] r_row_i,
    output logic [31:0]      bits_o,           // of that row
    input  logic             we_i,
    input  logic [ROW_W-1:0] w_row_i,
    input  reg_t             rd_i,
    output logic             first_o           // that register was not written
);
  // fresh: nothing was written since the start, the row's word is void.
  logic [ROWS-1:0] fresh_q;
  logic [31:0] r_word, w_word, w_bits;
  assign bits_o = fresh_q[r_row_i] ? '0 : r_word;
  assign w_bits = fresh_q[w_row_i] ? '0 : w_word;
  assign first_o = !w_bits[rd_i];
  ram_lut #(.DEPTH(ROWS), .WIDTH(32)) u_r (
      .clk_i, .we_i, .waddr_i(w_row_i), .wdata_i(w_bits | (32'd1 << rd_i)), .raddr_i(r_row_i), .rdata_o(r_word));
  ram_lut #(.DEPTH(ROWS), .WIDTH(32)) u_w (
      .clk_i, .we_i, .waddr_i(w_row_i), .wdata_i(w_bits | (32'd1 << rd_i)), .raddr_i(w_row_i), .rdata_o(w_word));
  always_ff @(posedge clk_i) begin
    if (rst_i) fresh_q <= '1;
    else begin
      if (we_i) fresh_q[w_row_i] <= 1'b0;
      if (start_valid_i)                                    // step 5
        for (int unsigned b = 0; b < BEATS; b++) fresh_q[ROW_W'(32'(start_warp_i) * BEATS + b)] <= 1'b1;
    end
  end
endmodule
