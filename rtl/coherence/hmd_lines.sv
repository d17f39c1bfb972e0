// Lines that a host memory directory reads for transactions, and for devices that ask for one line (GET): slots for reads that are under way, and for what has come and
// has not gone. Page: docs/blocks/hmd.md (step 6).
`include "vl_assert.svh"
module hmd_lines
  import vellum_pkg::*, coherence_pkg::*;
#(
    parameter int unsigned XS = 4,
    localparam int unsigned X_W = (XS <= 1) ? 1 : $clog2(XS)
) (
    input  logic            clk_i,
    input  logic            rst_i,
    output logic            room_o,     // a slot is free:
    output logic            rooms_o,    // a second slot is free as well
    output logic            none_o,     // all slots are free
    output host_id_t        slot_o,     // the lowest
    input  logic            read_i,     // of this line, for this transaction,
    input  logic [X_W-1:0]  x_i,
    input  logic            get_i,      // or for this device
    input  device_t         device_i,
    input  line_addr_t      line_i,
    input  logic            rsp_valid_i,
    input  host_id_t        rsp_id_i,
    input  line_data_t      rsp_data_i,
    output logic            here_o,     // a line has come: of the lowest slot
    output logic [X_W-1:0]  x_o,
    output logic            get_o,
    output device_t         device_o,
    output line_addr_t      line_o,
    output line_data_t      data_o,
    input  logic            emit_i,     // the line goes
    output logic [XS-1:0]   busy_o      // transactions that have a slot
);
  localparam int unsigned SLOTS = HOST_READERS;
  logic [SLOTS-1:0] busy_q, here_q, get_q, free_slots;
  logic [SLOTS-1:0][X_W-1:0] x_q;
  device_t [SLOTS-1:0] device_q;
  host_id_t free, out;
  always_comb begin
    free = '0;
    out = '0;
    busy_o = '0;
    for (int unsigned s = SLOTS; s > 0; s--) begin
      if (!busy_q[s-1]) free = host_id_t'(s - 1);
      if (here_q[s-1]) out = host_id_t'(s - 1);
      if (busy_q[s-1] && !get_q[s-1]) busy_o[x_q[s-1]] = 1'b1;
    end
  end
  assign free_slots = ~busy_q;
  assign room_o = free_slots != '0;
  assign rooms_o = (free_slots & (free_slots - 1'b1)) != '0;
  assign none_o = busy_q == '0;
  assign slot_o = free;
  assign here_o = here_q != '0;
  assign x_o = x_q[out];
  assign get_o = get_q[out];
  assign device_o = device_q[out];
  ram_lut #(.DEPTH(SLOTS), .WIDTH(LINE_ADDR_W)) u_line (.clk_i, .we_i(read_i), .waddr_i(free), .wdata_i(line_i), .raddr_i(out), .rdata_o(line_o));
  ram_lut #(.DEPTH(SLOTS), .WIDTH(LINE_BITS)) u_data (
      .clk_i, .we_i(rsp_valid_i), .waddr_i(rsp_id_i), .wdata_i(rsp_data_i), .raddr_i(out), .rdata_o(data_o)
  );
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      x_q[free] <= x_i;
      get_q[free] <= get_i;
      device_q[free] <= device_i;
    end
    if (rst_i) begin
      busy_q <= '0;
      here_q <= '0;
    end else begin
      if (emit_i) begin
        busy_q[out] <= 1'b0;
        here_q[out] <= 1'b0;
      end
      if (read_i) busy_q[free] <= 1'b1;
      if (rsp_valid_i) here_q[rsp_id_i] <= 1'b1;
    end
  end
  `VL_ASSERT(reads_into_a_free_slot, !read_i || room_o)
  `VL_ASSERT(answers_are_awaited, !rsp_valid_i || (32'(rsp_id_i) < SLOTS && busy_q[rsp_id_i] && !here_q[rsp_id_i]))
  `VL_ASSERT(emits_what_is_here, !emit_i || here_o)
endmodule
