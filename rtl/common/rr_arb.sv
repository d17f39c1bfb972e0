// Round robin arbiter of N requests: grants the first request at or after the pointer; when advance_i is high and there is a grant, the
// pointer moves to the request after the granted one. Reset: request 0 has precedence.
module rr_arb #(
    parameter int unsigned N = 2,
    localparam int unsigned IDX_W = (N <= 1) ? 1 : $clog2(N)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [N-1:0]     req_i,
    input  logic             advance_i,
    output logic [N-1:0]     grant_o,   // one-hot, or 0 without a request
    output logic [IDX_W-1:0] index_o    // of the grant; 0 without a request
);
  logic [N-1:0] from_q;   // 1 at the pointer and above it
  logic [N-1:0] high, high_first, low_first;
  assign high = req_i & from_q;
  assign high_first = high & (~high + 1'b1);
  assign low_first = req_i & (~req_i + 1'b1);
  assign grant_o = (high != '0) ? high_first : low_first;

  always_comb begin
    index_o = '0;
    for (int unsigned k = 0; k < N; k++) if (grant_o[k]) index_o |= IDX_W'(k);
  end

  // The bits above the grant; none above the last one: start again at 0.
  logic [N-1:0] above;
  assign above = ~(grant_o | (grant_o - 1'b1));
  always_ff @(posedge clk_i)
    if (rst_i) from_q <= '1;
    else if (advance_i && grant_o != '0) from_q <= (above == '0) ? '1 : above;
endmodule
