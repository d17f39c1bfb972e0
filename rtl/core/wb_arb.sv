// Which pipe writes the register file in this cycle: the ALU whenever it has a result, else one result queue in turn. Counts how long the heads
// of the queues have waited. Page: docs/blocks/regfile.md (steps 1, 8, 9).
module wb_arb #(
    parameter int unsigned N = 4
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               alu_valid_i,
    input  logic [N-1:0]       head_valid_i,
    output logic [N-1:0]       pop_o,
    output logic               hold_o,     // some head has waited 8 cycles (a function of registers)
    output logic [2:0]         waiting_o   // heads left to wait
);
  logic [N-1:0] grant, waiting;
  logic [N-1:0][3:0] wait_q;

  rr_arb #(.N(N)) u_rr (
      .clk_i, .rst_i, .req_i(head_valid_i), .advance_i(!alu_valid_i), .grant_o(grant), .index_o()
  );
  assign pop_o = alu_valid_i ? '0 : grant;
  assign waiting = head_valid_i & ~pop_o;

  always_comb begin
    hold_o = 1'b0;
    waiting_o = '0;
    for (int unsigned k = 0; k < N; k++) begin
      hold_o |= wait_q[k][3];
      waiting_o += 3'(waiting[k]);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < N; k++)
      if (rst_i || !waiting[k]) wait_q[k] <= '0;
      else if (!wait_q[k][3]) wait_q[k] <= wait_q[k] + 4'd1;
  end
endmodule
