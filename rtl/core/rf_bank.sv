// Registers of one lane: three copies of a block RAM, one for each operand, written together. Operands come one cycle after the
// read; operands that do not come from the RAM (bypass, unwritten register, identity value) are selected at the read, so that one gate follows the RAM.
module rf_bank #(
    parameter int unsigned DEPTH = 128,
    localparam int unsigned ADDR_W = $clog2(DEPTH)
) (
    input  logic                   clk_i,
    // read
    input  logic [2:0]             read_i,     // operand is a register other than x0
    input  logic [2:0]             written_i,  // that register was written since its warp began
    input  logic [2:0][ADDR_W-1:0] raddr_i,
    input  logic [2:0]             same_i,     // it is written in this cycle, in this lane (we_i) or not
    input  logic [1:0][63:0]       special_i,  // value of operands 0 and 1 when read_i is 0
    output logic [2:0][63:0]       rdata_o,
    // write
    input  logic                   we_i,
    input  logic [ADDR_W-1:0]      waddr_i,
    input  logic [63:0]            wdata_i     // 0 for a lane outside the record's mask
);
  for (genvar c = 0; c < 3; c++) begin : gen_copy
    logic from_ram_q;
    logic [63:0] ram, other_q;

    ram_1r1w #(.DEPTH(DEPTH), .WIDTH(64)) u_ram (
        .clk_i, .we_i, .waddr_i, .wdata_i, .re_i(read_i[c]), .raddr_i(raddr_i[c]), .rdata_o(ram)
    );

    always_ff @(posedge clk_i) begin
      from_ram_q <= read_i[c] && written_i[c] && !(same_i[c] && we_i);
      other_q <= (wdata_i & {64{read_i[c] && same_i[c]}}) | (c < 2 ? special_i[c%2] & {64{!read_i[c]}} : '0);
    end
    assign rdata_o[c] = from_ram_q ? ram : other_q;
  end
endmodule
