// The table of a host memory directory: the holders of each block. An entry is read at one edge and used in the next cycle. Clears itself after reset. Page: docs/blocks/hmd.md.
`include "vl_assert.svh"
module hmd_table
  import vl_cfg_pkg::*, vellum_pkg::*, coherence_pkg::*;
#(
    parameter int unsigned ENTRIES = 1024,
    localparam int unsigned ENTRY_W = (ENTRIES <= 1) ? 1 : $clog2(ENTRIES)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    output logic               clearing_o,
    input  logic               read_i,
    input  logic [ENTRY_W-1:0] raddr_i,
    output device_mask_t       sharers_o,
    output device_mask_t       owner_o,    // one-hot, or 0
    output logic               llc_o,
    input  logic               write_i,
    input  logic [ENTRY_W-1:0] waddr_i,
    input  device_mask_t       sharers_i,
    input  device_mask_t       owner_i,
    input  logic               llc_i
);
  localparam int unsigned OWNER_W = $clog2(DEVICES + 1);
  typedef struct packed {
    device_mask_t sharers;
    logic [OWNER_W-1:0] owner;   // 0: none
    logic llc;
  } entry_t;
  logic [$clog2(ENTRIES+1)-1:0] init_q;
  entry_t in, entry;
  assign clearing_o = 32'(init_q) != ENTRIES;
  always_ff @(posedge clk_i)
    if (rst_i) init_q <= '0;
    else if (clearing_o) init_q <= init_q + 1'b1;

  always_comb begin
    in = '{sharers: sharers_i, owner: '0, llc: llc_i};
    for (int unsigned d = 0; d < DEVICES; d++) if (owner_i[d]) in.owner |= OWNER_W'(d + 1);
    for (int unsigned d = 0; d < DEVICES; d++) owner_o[d] = entry.owner == OWNER_W'(d + 1);
  end
  ram_1r1w #(.DEPTH(ENTRIES), .WIDTH($bits(entry_t))) u_ram (
      .clk_i, .we_i(clearing_o || write_i), .waddr_i(clearing_o ? ENTRY_W'(init_q) : waddr_i), .wdata_i(clearing_o ? '0 : in), .re_i(read_i), .raddr_i,
      .rdata_o(entry)
  );
  assign sharers_o = entry.sharers;
  assign llc_o = entry.llc;
  `VL_ASSERT(at_most_one_owner, !write_i || $onehot0(owner_i))
  `VL_ASSERT(an_owner_is_no_sharer, !write_i || (owner_i & sharers_i) == '0)
  `VL_ASSERT(reads_what_is_not_being_written, !read_i || !write_i || raddr_i != waddr_i)
endmodule
