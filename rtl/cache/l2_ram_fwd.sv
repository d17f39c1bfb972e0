// ram_1r1w with forwarding: a read of the word that is written at the same edge gives the new word.
module l2_ram_fwd #(
    parameter int unsigned DEPTH = 16,
    parameter int unsigned WIDTH = 8,
    localparam int unsigned ADDR_W = (DEPTH <= 1) ? 1 : $clog2(DEPTH)
) (
    input  logic              clk_i,
    input  logic              we_i,
    input  logic [ADDR_W-1:0] waddr_i,
    input  logic [WIDTH-1:0]  wdata_i,
    input  logic              re_i,
    input  logic [ADDR_W-1:0] raddr_i,
    output logic [WIDTH-1:0]  rdata_o
);
  logic new_q;
  logic [WIDTH-1:0] new_data_q, stored;
  ram_1r1w #(.DEPTH(DEPTH), .WIDTH(WIDTH)) u_ram (.clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o(stored));
  always_ff @(posedge clk_i)
    if (re_i) begin
      new_q <= we_i && waddr_i == raddr_i;
      new_data_q <= wdata_i;
    end
  assign rdata_o = new_q ? new_data_q : stored;
endmodule
