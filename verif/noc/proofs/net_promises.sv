// Promises of a network of crossbars, for words of WORD bits: one source, any, is compared with a queue of its words. A word counts as served when its destination first
// shows it.
module net_promises #(
    parameter int unsigned SOURCES = 3,
    parameter int unsigned DESTS = 2,
    parameter int unsigned WORD = 3,
    localparam int unsigned SRC_W = (SOURCES <= 1) ? 1 : $clog2(SOURCES),
    localparam int unsigned DEST_W = (DESTS <= 1) ? 1 : $clog2(DESTS)
) (
    input logic                           clk_i,
    input logic                           rst,
    // sources
    input logic [SOURCES-1:0]             valid_i,
    input logic [SOURCES-1:0][DEST_W-1:0] dest_i,
    input logic [SOURCES-1:0][WORD-1:0]   data_i,
    input logic [SOURCES-1:0]             ready,
    // destinations
    input logic [DESTS-1:0]               valid,
    input logic [DESTS-1:0][SRC_W-1:0]    src,
    input logic [DESTS-1:0][WORD-1:0]     data,
    input logic [DESTS-1:0]               ready_i,
    // which source
    input logic [SRC_W-1:0]               pick_i
);
  // Words that the destinations were shown at the last cycle.
  logic [DESTS-1:0] loads, loaded_q, held_q, fresh, mine;
  logic [DESTS-1:0][SRC_W-1:0] src_q;
  logic [DESTS-1:0][WORD-1:0] data_q;
  logic [SRC_W-1:0] pick_q;
  assign loads = ~valid | ready_i;
  assign fresh = valid & loaded_q;
  always_comb for (int unsigned d = 0; d < DESTS; d++) mine[d] = fresh[d] && src[d] == pick_q;

  // Words of the picked source that were taken from it, oldest at 0; the one served in this cycle is still among them.
  typedef struct packed {
    logic [DEST_W-1:0] dest;
    logic [WORD-1:0] data;
  } word_t;
  word_t [2:0] sent_q, rest, sent;
  logic [1:0] n_q, n_rest, n;
  logic put, waits;
  always_comb begin
    n_rest = n_q - 2'(mine != '0);
    rest = (mine != '0) ? sent_q >> $bits(word_t) : sent_q;
    put = valid_i[pick_q] && ready[pick_q];
    n = n_rest + 2'(put);
    sent = rest;
    for (int unsigned k = 0; k < 3; k++) if (put && 32'(n_rest) == k) sent[k] = {dest_i[pick_q], data_i[pick_q]};
  end
  assign waits = n_rest != '0;

  // Others that were served at the head's destination while it waited.
  logic due_q, waited_q;         // a source must be served there now; the head was there already in the last cycle
  logic [DEST_W-1:0] due_dest_q;
  logic [SRC_W:0] others, others_q;
  always_comb begin
    others = others_q;
    if (waited_q && mine == '0 && fresh[due_dest_q]) others = others_q + 1'b1;
    if (!waited_q || mine != '0) others = '0;
  end

  always_ff @(posedge clk_i) begin
    loaded_q <= loads;
    held_q <= valid & ~ready_i;
    src_q <= src;
    data_q <= data;
    if (rst) begin
      pick_q <= (32'(pick_i) < SOURCES) ? pick_i : '0;
      n_q <= '0;
      others_q <= '0;
      due_q <= 1'b0;
      waited_q <= 1'b0;
      loaded_q <= '0;
      held_q <= '0;
    end else begin
      n_q <= n;
      sent_q <= sent;
      others_q <= others;
      waited_q <= waits;
      due_dest_q <= rest[0].dest;
      due_q <= waits && loads[rest[0].dest];
      none_lost: assert (!due_q || fresh[due_dest_q]);          // whatever the other destination does
      served_in_turn: assert (32'(others) < SOURCES);
      takes_two: assert (ready[pick_q] == (n_rest < 2'd2));
    end
  end
  for (genvar d = 0; d < DESTS; d++) begin : gen_dest
    always_ff @(posedge clk_i) if (!rst) begin
      from_a_source: assert (!valid[d] || 32'(src[d]) < SOURCES);
      in_order_none_twice: assert (!mine[d] || (n_q != '0 && 32'(sent_q[0].dest) == d && sent_q[0].data == data[d]));
      held_until_taken: assert (!held_q[d] || (valid[d] && src[d] == src_q[d] && data[d] == data_q[d]));
    end
  end
endmodule
