// Crossbar: SOURCES streams in, DESTS streams out, a two-entry queue at each input and a register at each output. Page: docs/blocks/req_net.md;
// step numbers in comments are the page's. Words of one source to one destination keep their order; a destination serves the sources in turn.
// REACH has for each source the destinations that it may ask for; there are no gates between others.
`include "vl_assert.svh"
`include "vl_skip.svh"
module xbar #(
    parameter type T = logic,
    parameter int unsigned SOURCES = 2,
    parameter int unsigned DESTS = 2,
    parameter logic [SOURCES-1:0][DESTS-1:0] REACH = '1,
    localparam int unsigned SRC_W = (SOURCES <= 1) ? 1 : $clog2(SOURCES),
    localparam int unsigned DEST_W = (DESTS <= 1) ? 1 : $clog2(DESTS)
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    // sources
    input  logic [SOURCES-1:0]             valid_i,
    input  logic [SOURCES-1:0][DEST_W-1:0] dest_i,
    input  T     [SOURCES-1:0]             data_i,
    output logic [SOURCES-1:0]             ready_o,
    // destinations
    output logic [DESTS-1:0]               valid_o,
    output logic [DESTS-1:0][SRC_W-1:0]    src_o,    // source of the word
    output T     [DESTS-1:0]               data_o,
    input  logic [DESTS-1:0]               ready_i,
    output logic                           idle_o    // every queue and register is empty
);
  typedef struct packed {
    logic [DEST_W-1:0] dest;
    T data;
  } entry_t;

  entry_t [SOURCES-1:0] head;
  logic [SOURCES-1:0] head_valid, pop;
  logic [DESTS-1:0][SOURCES-1:0] want, grant;
  logic [DESTS-1:0][SRC_W-1:0] index;
  logic [DESTS-1:0] load, valid_q;
  logic [DESTS-1:0][SRC_W-1:0] src_q;
  T [DESTS-1:0] data_q, picked;

  for (genvar s = 0; s < int'(SOURCES); s++) begin : gen_source
    entry_t in;
    assign in.dest = dest_i[s];
    assign in.data = data_i[s];
    fifo #(.T(entry_t), .DEPTH(2)) u_queue (
        .clk_i, .rst_i, .valid_i(valid_i[s]), .ready_o(ready_o[s]), .data_i(in),
        .valid_o(head_valid[s]), .ready_i(pop[s]), .data_o(head[s])
    );
  end

  // A register is loaded if it is empty or being taken, so one entry is enough for a word in every cycle.
  assign load = ~valid_q | ready_i;

  for (genvar d = 0; d < int'(DESTS); d++) begin : gen_dest
    for (genvar s = 0; s < int'(SOURCES); s++) begin : gen_want
      assign want[d][s] = REACH[s][d] && head_valid[s] && ($countones(REACH[s]) == 1 || head[s].dest == DEST_W'(d));
    end
    rr_arb #(.N(SOURCES)) u_arb (
        .clk_i, .rst_i, .req_i(want[d]), .advance_i(load[d]), .grant_o(grant[d]), .index_o(index[d])
    );
    // One-hot AND-OR. With one source there is no choice: all destinations then load the same word, and synthesis makes their
    // data registers one where they also load together (rsp_net of one slice).
    always_comb begin
      picked[d] = '0;
      `VL_WHEN(grant[d] != '0) for (int unsigned s = 0; s < SOURCES; s++) if (SOURCES == 1 || grant[d][s]) picked[d] |= head[s].data;
    end
    always_ff @(posedge clk_i) begin
      // 1
      if (rst_i) valid_q[d] <= 1'b0;
      else if (load[d]) valid_q[d] <= grant[d] != '0;
      if (load[d]) `VL_WHEN(grant[d] != '0) begin
        src_q[d] <= index[d];
        data_q[d] <= picked[d];
      end
    end
  end

  always_comb begin
    pop = '0;
    for (int unsigned d = 0; d < DESTS; d++) if (load[d]) pop |= grant[d];
  end

  assign valid_o = valid_q;
  assign src_o = src_q;
  assign data_o = data_q;
  assign idle_o = valid_q == '0 && head_valid == '0;

  for (genvar s = 0; s < int'(SOURCES); s++) begin : gen_assert
    `VL_ASSERT(destination_exists, !valid_i[s] || (32'(dest_i[s]) < DESTS && REACH[s][dest_i[s]]))
  end
endmodule
