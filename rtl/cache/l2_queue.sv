// Requests on their way into an L2 slice: a queue with entries that may leave after L2_LATENCY - 4 cycles, which makes the latency of the slice (a delay line of one bit a cycle,
// not of requests). The wide part of a request is in a pool of slots until the request is performed, wherever its narrow part is meanwhile.
// Page: docs/blocks/l2.md (step 7).
`include "vl_assert.svh"
module l2_queue #(
    parameter type HDR = logic,          // narrow part of a request, for the lookup
    parameter type PAY = logic,          // wide part of a request, its bytes
    parameter int unsigned DELAY = 6,
    parameter int unsigned OTHERS = 10,  // requests that may hold slots outside of the queue
    localparam int unsigned DEPTH = DELAY + 2,
    localparam int unsigned SLOTS = DEPTH + OTHERS,
    localparam int unsigned SLOT_W = $clog2(SLOTS)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  HDR                hdr_i,
    input  PAY                pay_i,
    // the head
    output logic              empty_o,
    output logic              valid_o,   // the head is ripe
    input  logic              pop_i,
    output HDR                hdr_o,
    output logic [SLOT_W-1:0] slot_o,
    // the pool
    input  logic              read_i,
    input  logic [SLOT_W-1:0] raddr_i,
    output PAY                pay_o,     // of the slot read at the last edge with read_i
    input  logic              free_i,
    input  logic [SLOT_W-1:0] free_slot_i
);
  typedef struct packed {
    HDR hdr;
    logic [SLOT_W-1:0] slot;
  } entry_t;
  logic [SLOTS-1:0] used_q;
  logic [$clog2(DEPTH+1)-1:0] ripe_q;
  logic [DELAY:0] line;                  // requests taken in this cycle and in the DELAY cycles before
  logic take, queued;
  logic [SLOT_W-1:0] slot;
  entry_t head, tail;

  assign take = valid_i && ready_o;
  always_comb begin
    slot = '0;
    for (int unsigned s = SLOTS; s > 0; s--) if (!used_q[s-1]) slot = SLOT_W'(s - 1);
  end
  assign tail = '{hdr: hdr_i, slot: slot};
  fifo #(.T(entry_t), .DEPTH(DEPTH)) u_fifo (
      .clk_i, .rst_i, .valid_i, .ready_o, .data_i(tail), .valid_o(queued), .ready_i(pop_i), .data_o(head)
  );
  assign empty_o = !queued;
  assign valid_o = ripe_q != '0;
  assign hdr_o = head.hdr;
  assign slot_o = head.slot;

  ram_1r1w #(.DEPTH(SLOTS), .WIDTH($bits(PAY))) u_pay (
      .clk_i, .we_i(take), .waddr_i(slot), .wdata_i(pay_i), .re_i(read_i), .raddr_i, .rdata_o(pay_o)
  );

  assign line[0] = take;
  if (DELAY > 0) begin : gen_delay
    logic [DELAY-1:0] line_q;
    always_ff @(posedge clk_i) line_q <= rst_i ? '0 : line[DELAY-1:0];
    assign line[DELAY:1] = line_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      used_q <= '0;
      ripe_q <= '0;
    end else begin
      if (free_i) used_q[free_slot_i] <= 1'b0;
      if (take) used_q[slot] <= 1'b1;
      if (line[DELAY] != pop_i) ripe_q <= line[DELAY] ? ripe_q + 1'b1 : ripe_q - 1'b1;
    end
  end
  `VL_ASSERT(a_slot_is_free, !take || used_q != '1)
  `VL_ASSERT(frees_a_used_slot, !free_i || used_q[free_slot_i])
  `VL_ASSERT(pops_ripe_heads, !pop_i || (valid_o && queued))
endmodule
