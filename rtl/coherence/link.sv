// One wire of a link between devices and host: four virtual networks, each with queues and credits of its own, share LINK_BYTES a cycle; a message arrives LINK_LATENCY
// cycles after its last flit. Source: docs/designs/umh.md, U10. Page: docs/blocks/link.md (steps 1-3).
`include "vl_assert.svh"
module link
  import vl_cfg_pkg::*, vellum_pkg::*, coherence_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       data_in_valid_i,
    input  hmd_data_t  data_in_i,
    output logic       data_in_ready_o,
    input  logic       ack_in_valid_i,
    input  hmd_ack_t   ack_in_i,
    output logic       ack_in_ready_o,
    input  logic       probe_in_valid_i,
    input  hmd_probe_t probe_in_i,
    output logic       probe_in_ready_o,
    input  logic       req_in_valid_i,
    input  hmd_req_t   req_in_i,
    output logic       req_in_ready_o,
    output logic       data_out_valid_o,
    output hmd_data_t  data_out_o,
    input  logic       data_out_ready_i,
    output logic       ack_out_valid_o,
    output hmd_ack_t   ack_out_o,
    input  logic       ack_out_ready_i,
    output logic       probe_out_valid_o,
    output hmd_probe_t probe_out_o,
    input  logic       probe_out_ready_i,
    output logic       req_out_valid_o,
    output hmd_req_t   req_out_o,
    input  logic       req_out_ready_i,
    output logic       idle_o,
    output ev_link_t   ev_o
);
  localparam int unsigned KINDS = 4;
  typedef logic [LINK_FLIT_W-1:0] flits_t;

  // Cycles on the wire: one for the head; for a line also those of its bytes and of a mask outside of the head.
  function automatic flits_t flits_of(input logic line, input logic masked);
    int unsigned bytes = masked ? LINE_BYTES + LINK_MASK_BYTES : LINE_BYTES;
    return flits_t'(line ? 1 + (bytes + LINK_BYTES - 1) / LINK_BYTES : 1);
  endfunction

  // ---- step 3: queues in front of the wire -------------------------------------------------------------------------
  hmd_data_t data_head;
  hmd_ack_t ack_head;
  hmd_probe_t probe_head;
  hmd_req_t req_head;
  logic [KINDS-1:0] some, room, send, last, empty;
  fifo #(.T(hmd_data_t), .DEPTH(2)) u_data_in (
      .clk_i, .rst_i, .valid_i(data_in_valid_i), .ready_o(data_in_ready_o), .data_i(data_in_i), .valid_o(some[LINK_DATA]), .ready_i(send[LINK_DATA]),
      .data_o(data_head)
  );
  fifo #(.T(hmd_ack_t), .DEPTH(2)) u_ack_in (
      .clk_i, .rst_i, .valid_i(ack_in_valid_i), .ready_o(ack_in_ready_o), .data_i(ack_in_i), .valid_o(some[LINK_ACK]), .ready_i(send[LINK_ACK]),
      .data_o(ack_head)
  );
  fifo #(.T(hmd_probe_t), .DEPTH(2)) u_probe_in (
      .clk_i, .rst_i, .valid_i(probe_in_valid_i), .ready_o(probe_in_ready_o), .data_i(probe_in_i), .valid_o(some[LINK_PROBE]), .ready_i(send[LINK_PROBE]),
      .data_o(probe_head)
  );
  fifo #(.T(hmd_req_t), .DEPTH(2)) u_req_in (
      .clk_i, .rst_i, .valid_i(req_in_valid_i), .ready_o(req_in_ready_o), .data_i(req_in_i), .valid_o(some[LINK_REQ]), .ready_i(send[LINK_REQ]),
      .data_o(req_head)
  );

  // ---- step 1: the wire ----------------------------------------------------------------------------------------------
  flits_t left_q, flits;
  link_kind_e turn_q, kind;
  logic sent;
  always_comb begin
    send = '0;
    kind = LINK_DATA;
    // The loop goes backwards, so the last assignment is that of the first kind after the turn.
    for (int unsigned n = KINDS; n > 0; n--) begin
      logic [1:0] k;
      k = 2'(32'(turn_q) + n);
      if (some[k] && room[k]) begin
        send = KINDS'(1) << k;
        kind = link_kind_e'(k);
      end
    end
    if (left_q != '0) send = '0;
  end
  assign sent = send != '0;
  always_comb begin
    unique case (kind)
      LINK_DATA: flits = flits_of(!data_head.data.grant && data_head.data.mem != SMD_MEM_READ, data_head.data.mask != '0);
      LINK_ACK: flits = flits_of(ack_head.ack.kind == SMD_BYTES, ack_head.ack.mask != '0);
      default: flits = flits_t'(1);
    endcase
  end
  always_comb
    for (int unsigned k = 0; k < KINDS; k++)
      last[k] = (send[k] && flits == flits_t'(1)) || (left_q == flits_t'(1) && 32'(turn_q) == k);

  // ---- step 2: on the way, and behind it -------------------------------------------------------------------------------
  link_lane #(.T(hmd_data_t), .DEPTH(LINK_CREDITS), .LATENCY(LINK_LATENCY)) u_data (
      .clk_i, .rst_i, .room_o(room[LINK_DATA]), .push_i(send[LINK_DATA]), .data_i(data_head), .last_i(last[LINK_DATA]), .empty_o(empty[LINK_DATA]),
      .valid_o(data_out_valid_o), .data_o(data_out_o), .ready_i(data_out_ready_i)
  );
  link_lane #(.T(hmd_ack_t), .DEPTH(LINK_CREDITS), .LATENCY(LINK_LATENCY)) u_ack (
      .clk_i, .rst_i, .room_o(room[LINK_ACK]), .push_i(send[LINK_ACK]), .data_i(ack_head), .last_i(last[LINK_ACK]), .empty_o(empty[LINK_ACK]),
      .valid_o(ack_out_valid_o), .data_o(ack_out_o), .ready_i(ack_out_ready_i)
  );
  link_lane #(.T(hmd_probe_t), .DEPTH(LINK_CREDITS), .LATENCY(LINK_LATENCY)) u_probe (
      .clk_i, .rst_i, .room_o(room[LINK_PROBE]), .push_i(send[LINK_PROBE]), .data_i(probe_head), .last_i(last[LINK_PROBE]), .empty_o(empty[LINK_PROBE]),
      .valid_o(probe_out_valid_o), .data_o(probe_out_o), .ready_i(probe_out_ready_i)
  );
  link_lane #(.T(hmd_req_t), .DEPTH(LINK_CREDITS), .LATENCY(LINK_LATENCY)) u_req (
      .clk_i, .rst_i, .room_o(room[LINK_REQ]), .push_i(send[LINK_REQ]), .data_i(req_head), .last_i(last[LINK_REQ]), .empty_o(empty[LINK_REQ]),
      .valid_o(req_out_valid_o), .data_o(req_out_o), .ready_i(req_out_ready_i)
  );
  assign idle_o = some == '0 && empty == '1;

  ev_link_t ev_q;
  assign ev_o = ev_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q <= '0;
      turn_q <= LINK_REQ;
      ev_q <= '0;
    end else begin
      if (sent) turn_q <= kind;
      if (sent) left_q <= flits - 1'b1;
      else if (left_q != '0) left_q <= left_q - 1'b1;
      ev_q.link_sent <= sent;
      ev_q.link_kind <= sent ? kind : LINK_DATA;
      ev_q.link_flits <= sent ? flits : '0;
      ev_q.link_busy <= sent || left_q != '0;
      ev_q.link_blocked <= left_q == '0 && some != '0 && !sent;
    end
  end
  // Others would be in no class of the counters (docs/blocks/perf.md).
  `VL_ASSERT(no_other_lengths, !ev_q.link_sent || ev_q.link_flits == LINK_FLIT_W'(1)
                               || ev_q.link_kind inside {LINK_DATA, LINK_ACK} && ev_q.link_flits inside {LINK_FLIT_W'(LINK_BARE_FLITS), LINK_FLIT_W'(LINK_FLITS)})
  `VL_ASSERT(one_message_at_a_time, $countones(send) <= 1)
  `VL_ASSERT(kinds_end_one_at_a_time, $countones(last) <= 1)
  `VL_ASSERT(free_wire_is_used, left_q != '0 || sent || (some & room) == '0)
endmodule
