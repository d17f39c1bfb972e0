// What fifo promises, for three words of two bits: one word put in at any time is followed until it is taken out.
module fifo_proof (
    input logic       clk_i,
    input logic       valid_i,
    input logic [1:0] data_i,
    input logic       ready_i,
    input logic       follow_i
);
  localparam int unsigned DEPTH = 3;
  logic started_q = 1'b0;
  logic rst, ready, valid, put, taken;
  logic [1:0] data;
  assign rst = !started_q;
  fifo #(.T(logic [1:0]), .DEPTH(DEPTH)) dut (
      .clk_i, .rst_i(rst), .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data)
  );
  assign put = valid_i && ready;
  assign taken = valid && ready_i;

  logic [2:0] inside_q;          // words put in and not yet taken
  logic follow_q;
  logic [2:0] ahead_q;           // words to be taken before the followed one
  logic [1:0] word_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (rst) begin
      inside_q <= '0;
      follow_q <= 1'b0;
    end else begin
      inside_q <= inside_q + 3'(put) - 3'(taken);
      if (follow_q) begin
        if (taken) ahead_q <= ahead_q - 3'd1;
        if (taken && ahead_q == '0) follow_q <= 1'b0;
      end else if (put && follow_i) begin
        follow_q <= 1'b1;
        ahead_q <= inside_q - 3'(taken);
        word_q <= data_i;
      end
      takes_unless_full: assert (ready == (32'(inside_q) < DEPTH));
      gives_unless_empty: assert (valid == (inside_q != '0));
      in_order: assert (!(follow_q && ahead_q == '0) || data == word_q);
    end
  end
endmodule
