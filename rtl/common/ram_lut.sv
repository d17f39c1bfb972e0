// Small memory with an asynchronous read port and one write port, for distributed RAM (about 32 words). A read sees the state before the edge.
// One or two words are kept in flip-flops: a block of LUT RAM has sixteen, and is larger than the gates that choose between two.
module ram_lut #(
    parameter int unsigned DEPTH = 16,
    parameter int unsigned WIDTH = 8,
    localparam int unsigned ADDR_W = (DEPTH <= 1) ? 1 : $clog2(DEPTH)
) (
    input  logic              clk_i,
    input  logic              we_i,
    input  logic [ADDR_W-1:0] waddr_i,
    input  logic [WIDTH-1:0]  wdata_i,
    input  logic [ADDR_W-1:0] raddr_i,
    output logic [WIDTH-1:0]  rdata_o
);
`ifdef SYNTHESIS
  localparam bit REGISTERS = DEPTH <= 2;
`else
  localparam bit REGISTERS = DEPTH == 1;   // a simulator chooses between two words of a memory by address, not bit by bit
`endif
  if (REGISTERS) begin : gen_registers
    logic [DEPTH-1:0][WIDTH-1:0] mem;
    for (genvar k = 0; k < DEPTH; k++) begin : gen_word
      always_ff @(posedge clk_i) if (we_i && 32'(waddr_i) == k) mem[k] <= wdata_i;
    end
    if (DEPTH == 1) begin : gen_one
      assign rdata_o = mem[0];
    end else begin : gen_two
      assign rdata_o = mem[raddr_i];
    end
  end else begin : gen_ram
    logic [WIDTH-1:0] mem[DEPTH];
    always_ff @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;
    assign rdata_o = mem[raddr_i];
  end
endmodule
