// Promises of a wire to each kind of message, whatever the others are offered and whether theirs is taken: for each kind a queue of sent messages, with the time that each is on
// its way. Messages are followed by three bits of their lines.
module link_proof
  import vl_cfg_pkg::*, vellum_pkg::*, coherence_pkg::*;
(
    input logic       clk_i,
    input hmd_data_t  data_in,
    input hmd_ack_t   ack_in,
    input hmd_probe_t probe_in,
    input hmd_req_t   req_in,
    input logic [3:0] valid,      // by number of the kind
    input logic [3:0] taken
);
  localparam int unsigned TAG = 1;
  localparam int unsigned KINDS = 4;
  localparam int unsigned MOST = 2 + LINK_CREDITS;      // of a kind
  localparam int unsigned N_W = $clog2(MOST + 1);
  localparam int unsigned AGE_W = $clog2(LINK_FLITS + LINK_LATENCY + 1);
  localparam int unsigned PATIENCE = 4 * LINK_FLITS - 1;      // its own last message is still on the wire, then three others
  logic started_q = 1'b0;
  logic rst;
  assign rst = !started_q;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [KINDS-1:0] ready, seen;
  hmd_data_t data;
  hmd_ack_t ack;
  hmd_probe_t probe;
  hmd_req_t req;
  ev_link_t ev;
  link dut (
      .clk_i, .rst_i(rst),
      .data_in_valid_i(valid[LINK_DATA]), .data_in_i(data_in), .data_in_ready_o(ready[LINK_DATA]), .ack_in_valid_i(valid[LINK_ACK]), .ack_in_i(ack_in),
      .ack_in_ready_o(ready[LINK_ACK]), .probe_in_valid_i(valid[LINK_PROBE]), .probe_in_i(probe_in), .probe_in_ready_o(ready[LINK_PROBE]),
      .req_in_valid_i(valid[LINK_REQ]), .req_in_i(req_in), .req_in_ready_o(ready[LINK_REQ]),
      .data_out_valid_o(seen[LINK_DATA]), .data_out_o(data), .data_out_ready_i(taken[LINK_DATA]), .ack_out_valid_o(seen[LINK_ACK]), .ack_out_o(ack),
      .ack_out_ready_i(taken[LINK_ACK]), .probe_out_valid_o(seen[LINK_PROBE]), .probe_out_o(probe), .probe_out_ready_i(taken[LINK_PROBE]),
      .req_out_valid_o(seen[LINK_REQ]), .req_out_o(req), .req_out_ready_i(taken[LINK_REQ]), .idle_o(), .ev_o(ev)
  );
  logic [KINDS-1:0][TAG-1:0] tag_in, tag_out;
  assign tag_in = {req_in.req.line[TAG-1:0], probe_in.probe.line[TAG-1:0], ack_in.ack.line[TAG-1:0], data_in.data.line[TAG-1:0]};
  assign tag_out = {req.req.line[TAG-1:0], probe.probe.line[TAG-1:0], ack.ack.line[TAG-1:0], data.data.line[TAG-1:0]};

  for (genvar k = 0; k < KINDS; k++) begin : gen_kind
    // Messages of the kind that are inside, the oldest at 0: `lane` of them have been sent, the others wait. `far`: cycles until a sent one may be seen.
    logic [MOST-1:0][TAG-1:0] tag_q;
    logic [N_W-1:0] n_q, lane_q, lane, n_rest;
    logic [MOST-1:0][AGE_W-1:0] far_q, far;
    logic [$clog2(PATIENCE+2)-1:0] waits_q;
    logic sent, put, gone, may;
    assign sent = ev.link_sent && 32'(ev.link_kind) == k;      // at the last edge
    assign put = valid[k] && ready[k];
    assign gone = seen[k] && taken[k];
    assign lane = lane_q + N_W'(sent);
    assign n_rest = n_q - N_W'(gone);
    assign may = lane < n_q && 32'(lane) < LINK_CREDITS;
    always_comb begin
      far = far_q;
      for (int unsigned i = 0; i < MOST; i++) if (sent && 32'(lane_q) == i) far[i] = AGE_W'(32'(ev.link_flits) + LINK_LATENCY - 1);
    end
    always_ff @(posedge clk_i) begin
      if (rst) begin
        n_q <= '0;
        lane_q <= '0;
        waits_q <= '0;
      end else begin
        n_q <= n_rest + N_W'(put);
        lane_q <= lane - N_W'(gone);
        waits_q <= !may || sent ? '0 : waits_q + 1'b1;
        for (int unsigned i = 0; i < MOST; i++) begin
          int unsigned from;
          from = i + 32'(gone);
          tag_q[i] <= (put && 32'(n_rest) == i) ? tag_in[k] : (from < MOST) ? tag_q[from] : '0;
          far_q[i] <= (from < MOST && far[from] != '0) ? far[from] - 1'b1 : '0;
        end
        takes_two: assert (ready[k] == (32'(n_q - lane) < 2));
        sent_with_credit: assert (32'(lane) <= LINK_CREDITS && lane <= n_q);
        sent_in_turn: assert (32'(waits_q) <= PATIENCE);              // whatever the other kinds do
        seen_in_time: assert (seen[k] == (lane != '0 && far[0] == '0));
        in_order_none_twice: assert (!seen[k] || tag_out[k] == tag_q[0]);
      end
    end
  end
endmodule
