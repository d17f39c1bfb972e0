// The table of a stacked memory's directory: for each place the state of its block, its tag, and the lines that the L2 slice may hold. An entry is read at one edge and
// used in the next cycles (s1), which may write it; a read sees the write of the same edge. After reset it clears itself, a place a cycle.
// Page: docs/blocks/smd.md (State, steps 5 and 8).
`include "vl_assert.svh"
module smd_table
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    output logic        clearing_o,
    // the place of this line is looked at from the next cycle on
    input  logic        read_i,
    input  line_addr_t  read_line_i,
    // s1: the line of the place that was read, and its entry
    input  line_addr_t  line_i,
    output logic        match_o,         // its tag
    output nmoesi_e     state_o,
    output block_mask_t owner_o,
    output line_addr_t  first_o,         // first line of the block that stands there
    // the place is the block's of line_i from now on
    input  logic        write_i,
    input  nmoesi_e     state_i,
    input  block_mask_t owner_i
);
  localparam int unsigned PLACES = SMD_PLACES;
  localparam int unsigned PLACE_W = idx_w(PLACES);
  localparam int unsigned TAG_W = LINE_ADDR_W - SMD_TAG_SHIFT;
  typedef logic [PLACE_W-1:0] place_no_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef struct packed {
    nmoesi_e state;
    tag_t tag;
    block_mask_t owner;
  } entry_t;

  logic [$clog2(PLACES+1)-1:0] init_q;
  logic clearing;
  entry_t wentry, entry;
  assign clearing = 32'(init_q) != PLACES;
  assign clearing_o = clearing;
  assign wentry = clearing ? '0 : '{state: state_i, tag: tag_t'(smd_tag(line_i)), owner: owner_i};
  l2_ram_fwd #(.DEPTH(PLACES), .WIDTH($bits(entry_t))) u_entries (
      .clk_i, .we_i(clearing || write_i), .waddr_i(clearing ? place_no_t'(init_q) : place_no_t'(smd_place(line_i))), .wdata_i(wentry),
      .re_i(read_i), .raddr_i(place_no_t'(smd_place(read_line_i))), .rdata_o(entry)
  );
  assign match_o = entry.tag == tag_t'(smd_tag(line_i));
  assign state_o = entry.state;
  assign owner_o = entry.owner;
  assign first_o = smd_line_at(line_addr_t'(entry.tag), block_first(line_i));

  always_ff @(posedge clk_i) begin
    if (rst_i) init_q <= '0;
    else if (clearing) init_q <= init_q + 1'b1;
  end

  `VL_ASSERT(quiet_while_clearing, !clearing || (!read_i && !write_i))
endmodule
