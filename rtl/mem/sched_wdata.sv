// Bytes of the writes that mem_sched holds back: a slot a write, data in block RAM, byte enables in LUT RAM.
// Page: docs/blocks/mem_sched.md, steps 2, 4 and 5.
`include "vl_assert.svh"
module sched_wdata
  import vl_cfg_pkg::*, vellum_pkg::*, memside_pkg::*;
#(
    localparam int unsigned SLOT_W = idx_w(SCHED_WRITES)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // a write: the slot that has its line, if there is one, is given one cycle before the write enters it or a new slot; it must stay the same
    input  logic [SLOT_W-1:0] merge_slot_i,
    input  logic              new_i,
    input  logic              merge_i,
    input  line_be_t          be_i,
    input  line_data_t        data_i,
    output logic [SLOT_W-1:0] free_slot_o,  // slot for a new write
    output logic              new_covered_o,    // all bytes of the line are held back then
    output logic              merge_covered_o,
    // a write goes: its slot is read and becomes free. A port of its own, since found slots are late
    input  logic              go_i,
    input  logic [SLOT_W-1:0] go_slot_i,
    output line_be_t          be_o,         // of go_slot_i, now
    // otherwise a read may be answered from a slot
    input  logic              fwd_i,
    input  logic [SLOT_W-1:0] fwd_slot_i,
    // data of the slot that was read show after the edge
    output line_data_t        data_o
);
  logic [SCHED_WRITES-1:0] used_q, set, clear;
  logic [SLOT_W-1:0] slot, read_slot;
  logic [SLOT_W-1:0] merge_slot_q;
  line_be_t old, merged_q;

  always_comb begin
    free_slot_o = '0;
    for (int unsigned k = SCHED_WRITES; k > 0; k--) if (!used_q[k-1]) free_slot_o = SLOT_W'(k - 1);
  end
  assign read_slot = go_i ? go_slot_i : fwd_slot_i;
  assign slot = merge_i ? merge_slot_q : free_slot_o;
  assign new_covered_o = be_i == '1;
  assign merge_covered_o = merged_q == '1;
  always_ff @(posedge clk_i) begin
    merge_slot_q <= merge_slot_i;
    merged_q <= be_i | old;
  end

  ram_lut #(.DEPTH(SCHED_WRITES), .WIDTH(LINE_BYTES)) u_be_merge (
      .clk_i, .we_i(new_i || merge_i), .waddr_i(slot), .wdata_i(merge_i ? merged_q : be_i), .raddr_i(merge_slot_i), .rdata_o(old)
  );
  ram_lut #(.DEPTH(SCHED_WRITES), .WIDTH(LINE_BYTES)) u_be_read (
      .clk_i, .we_i(new_i || merge_i), .waddr_i(slot), .wdata_i(merge_i ? merged_q : be_i), .raddr_i(go_slot_i), .rdata_o(be_o)
  );
  ram_1r1w #(.DEPTH(SCHED_WRITES), .WIDTH(LINE_BITS), .PARTS(LINE_BYTES)) u_data (
      .clk_i, .we_i(new_i ? '1 : merge_i ? be_i : '0), .waddr_i(slot), .wdata_i(data_i),
      .re_i(go_i || fwd_i), .raddr_i(read_slot), .rdata_o(data_o)
  );

  assign set = new_i ? SCHED_WRITES'(1) << free_slot_o : '0;
  assign clear = go_i ? SCHED_WRITES'(1) << go_slot_i : '0;
  always_ff @(posedge clk_i)
    if (rst_i) used_q <= '0;
    else used_q <= (used_q | set) & ~clear;

  `VL_ASSERT(a_slot_is_free, !new_i || used_q != '1)
  `VL_ASSERT(reads_what_is_there, !(go_i || fwd_i) || used_q[read_slot])
  `VL_ASSERT(one_reader, !go_i || !fwd_i)
  `VL_ASSERT(reads_and_writes_apart, !(go_i || fwd_i) || !(new_i || merge_i) || slot != read_slot)
endmodule
