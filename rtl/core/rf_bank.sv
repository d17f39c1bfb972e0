// Registers of one lane: three copies of a block RAM, one for each operand, written together. Operands come one cycle after the
// read; what does not come from the RAM (bypass, unwritten register, identity value) is chosen at the read, so that one gate follows the RAM.
module rf_bank #(
    parameter int unsigned DEPTH = 128,
    localparam int unsigned ADDR_W = $clog2(DEPTH)
) (
    input  logic                   clk_i,
    // read
    input  logic [2:0]             read_i,     // operand is a register other than x0
    input  logic [2:0]             written_i,  // that register was written since its warp began
    input  logic [2:0][ADDR_W-1:0] raddr_i,
    input  logic [63:0]            special_i,  // value of operand 0 when read_i[0] is 0
    output logic [2:0][63:0]       rdata_o,
    // write
    input  logic                   we_i,
    input  logic                   wany_i,     // a record is written, into this lane (we_i, late) or not: then wdata_i is 0
    input  logic [ADDR_W-1:0]      waddr_i,
    input  logic [63:0]            wdata_i
);
  for (genvar c = 0; c < 3; c++) begin : gen_copy
    logic same, from_ram_q;
    logic [63:0] ram, other_q;
    assign same = wany_i && raddr_i[c] == waddr_i;

    ram_1r1w #(.DEPTH(DEPTH), .WIDTH(64)) u_ram (
        .clk_i, .we_i, .waddr_i, .wdata_i, .re_i(read_i[c]), .raddr_i(raddr_i[c]), .rdata_o(ram)
    );

    always_ff @(posedge clk_i) begin
      from_ram_q <= read_i[c] && written_i[c] && !(same && we_i);
      other_q <= read_i[c] ? (wdata_i & {64{same}}) : (c == 0) ? special_i : '0;
    end
    assign rdata_o[c] = from_ram_q ? ram : other_q;
  end
endmodule
