// Which head of the four queues has waited longest beyond the bound, as of the last edge. Page: docs/blocks/mem_sched.md, step 6.
module sched_late (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [11:0]       now_i,
    input  logic [10:0]       bound_i,
    input  logic [3:0]        can_i,      // the head can go
    input  logic [3:0][11:0]  stamp_i,
    output logic [3:0]        late_o      // one-hot, or 0: no head is late
);
  logic [3:0][11:0] age;
  logic [3:0] late, oldest;
  always_comb begin
    for (int unsigned q = 0; q < 4; q++) begin
      age[q] = now_i - stamp_i[q];
      late[q] = can_i[q] && bound_i != '0 && age[q] >= 12'(bound_i);
    end
    for (int unsigned q = 0; q < 4; q++) begin
      oldest[q] = late[q];
      for (int unsigned v = 0; v < 4; v++)
        if (late[v] && (v < q ? age[v] >= age[q] : age[v] > age[q])) oldest[q] = 1'b0;
    end
  end
  always_ff @(posedge clk_i) late_o <= rst_i ? '0 : oldest;
endmodule
