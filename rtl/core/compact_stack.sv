// Stacks of the groups of a core: for each entry the pc at which it continues, and its threads of each home warp. A home is of one group, so a mask needs no group number.
module compact_stack
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
#(
    localparam int unsigned NUMBER_W = idx_w(BLOCK_STACK)
) (
    input  logic                     clk_i,
    input  slot_t                    group_i,
    input  logic [NUMBER_W-1:0]      number_i,     // of the entry that is read or written
    input  logic                     write_i,
    input  warp_mask_t               homes_i,      // of the group: their masks are written
    input  pc_t                      pc_i,
    input  logic                     rpc_valid_i,
    input  pc_t                      rpc_i,
    input  thread_mask_t [WARPS-1:0] masks_i,
    output pc_t                      pc_o,
    output logic                     rpc_valid_o,
    output pc_t                      rpc_o,
    output thread_mask_t [WARPS-1:0] masks_o
);
  localparam int unsigned PLACES = 1 << $clog2(BLOCK_STACK);   // of a group: a power of two, or the address would be a product
  localparam int unsigned ADDR_W = idx_w(GROUPS * PLACES);
  logic [ADDR_W-1:0] addr;
  assign addr = ADDR_W'(32'(group_i) * PLACES + 32'(number_i));
  ram_lut #(.DEPTH(GROUPS * PLACES), .WIDTH(2 * $bits(pc_t) + 1)) u_paths (
      .clk_i, .we_i(write_i), .waddr_i(addr), .wdata_i({pc_i, rpc_valid_i, rpc_i}), .raddr_i(addr), .rdata_o({pc_o, rpc_valid_o, rpc_o})
  );
  for (genvar h = 0; h < WARPS; h++) begin : gen_home
    ram_lut #(.DEPTH(BLOCK_STACK), .WIDTH(THREADS)) u_masks (
        .clk_i, .we_i(write_i && homes_i[h]), .waddr_i(number_i), .wdata_i(masks_i[h]), .raddr_i(number_i), .rdata_o(masks_o[h])
    );
  end
endmodule
