// For the proofs of the networks between directories: reset in the first cycle; and in the highest MARK_W bits of a line, which nothing else reads, its source, followed by
// a number of TAG bits.
  logic started_q = 1'b0;
  logic rst;
  assign rst = !started_q;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  function automatic line_addr_t marked(input line_addr_t line, input int unsigned source);
    marked = line;
    marked[LINE_ADDR_W-1-:MARK_W] = MARK_W'(source);
    return marked;
  endfunction
  function automatic logic [MARK_W-1:0] by(input line_addr_t line);
    return line[LINE_ADDR_W-1-:MARK_W];
  endfunction
  function automatic logic [TAG-1:0] tag(input line_addr_t line);
    return line[LINE_ADDR_W-MARK_W-1-:TAG];
  endfunction
