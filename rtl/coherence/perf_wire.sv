// Performance counters of a wire of a link: messages and flits by kind. Page: docs/blocks/perf_wire.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module perf_wire
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, coherence_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  ev_link_t             ev_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  // ---- step 1: a message of one flit is none of a line
  localparam int unsigned BARE = 1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES;  // a line without a mask
  localparam int unsigned FLITS_W = 4;
  logic line, data, ack;
  logic [FLITS_W-1:0] flits, mask;
  assign line = ev_i.link_flits > LINK_FLIT_W'(1);
  assign data = ev_i.link_sent && ev_i.link_kind == LINK_DATA;
  assign ack = ev_i.link_sent && ev_i.link_kind == LINK_ACK;
  assign flits = FLITS_W'(ev_i.link_flits);
  assign mask = flits - FLITS_W'(BARE);
  `VL_ASSERT(no_other_lengths, !ev_i.link_sent || ev_i.link_flits == LINK_FLIT_W'(1)
                               || ev_i.link_kind inside {LINK_DATA, LINK_ACK} && ev_i.link_flits inside {LINK_FLIT_W'(BARE), LINK_FLIT_W'(LINK_FLITS)})

  ev_wire_t ev;
  assign ev.link = ev_i;
  assign ev.perf_wire = '{
      link_lines: data && line, link_line_flits: (data && line) ? flits : '0,
      link_merges: ack && line, link_merge_flits: (ack && line) ? flits : '0,
      link_mask_flits: ((data || ack) && line) ? mask : '0,
      link_grants: data && !line, link_acks: ack && !line,
      link_probes: ev_i.link_sent && ev_i.link_kind == LINK_PROBE,
      link_requests: ev_i.link_sent && ev_i.link_kind == LINK_REQ
  };

  // ---- steps 2, 3
  logic [WIRE_COUNTERS-1:0][WIRE_INC_W-1:0] inc;
  assign inc = wire_increments(ev);
  counter_bank #(.COUNTERS(WIRE_COUNTERS), .INC_W(WIRE_INC_W), .INCREMENT_W(WIRE_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
