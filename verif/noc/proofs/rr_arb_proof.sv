// What rr_arb promises, for three requests.
module rr_arb_proof (
    input logic       clk_i,
    input logic [2:0] req_i,
    input logic       advance_i,
    input logic [1:0] pick_i
);
  localparam int unsigned N = 3;
  logic started_q = 1'b0;
  logic rst;
  logic [N-1:0] grant;
  logic [1:0] index;
  assign rst = !started_q;
  rr_arb #(.N(N)) dut (.clk_i, .rst_i(rst), .req_i, .advance_i, .grant_o(grant), .index_o(index));

  // One request, any: grants to others that move the pointer since it began to wait.
  logic [1:0] pick_q, others_q;
  logic asks, served;
  assign asks = req_i[pick_q];
  assign served = grant[pick_q];
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (rst) begin
      pick_q <= (pick_i == 2'd3) ? 2'd0 : pick_i;
      others_q <= '0;
    end else begin
      if (!asks || (served && advance_i)) others_q <= '0;
      else if (advance_i) others_q <= others_q + 2'd1;
      granted_is_asked_for: assert ((grant & ~req_i) == '0);
      one_grant: assert ($countones(grant) == ((req_i == '0) ? 0 : 1));
      index_of_grant: assert (grant == ((req_i == '0) ? '0 : 3'b1 << index));
      served_in_turn: assert (!(asks && others_q == 2'(N - 1)) || served);
    end
  end
endmodule
