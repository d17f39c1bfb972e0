// Bound into hmd, with free inputs: a request in the pool waits for those transactions that have its block, and for no other (docs/blocks/hmd.md, steps 3 and 4).
module hmd_waits
  import vl_cfg_pkg::*, vellum_pkg::*, coherence_pkg::*;
#(
    parameter int unsigned XS = 1
) (
    input logic                  clk_i,
    input logic                  rst_i,
    input logic     [XS-1:0]     valid,
    input hmd_job_t [XS-1:0]     job
);
  logic reset_q = 1'b0;                    // it has been reset, and the pool has never got more than it has places
  always_ff @(posedge clk_i)
    if (rst_i) reset_q <= 1'b1;
    else if (32'(hmd.u_pool.count_q) == HMD_POOL && hmd.u_pool.valid_i) reset_q <= 1'b0;
  logic exact, alone, known;
  always_comb begin
    exact = 1'b1;
    alone = 1'b1;
    known = 1'b1;
    for (int unsigned p = 0; p < HMD_POOL; p++) known &= !hmd.u_pool.valid[p] || hmd.u_pool.job_q[p].op inside {HMD_READ, HMD_OWN, HMD_EVICT, HMD_FLUSH, HMD_L_READ, HMD_L_OWN};
    for (int unsigned x = 0; x < XS; x++) begin
      known &= !valid[x] || job[x].op inside {HMD_READ, HMD_OWN, HMD_EVICT, HMD_FLUSH, HMD_L_READ, HMD_L_OWN};
      for (int unsigned p = 0; p < HMD_POOL; p++)
        exact &= !hmd.u_pool.valid[p] || hmd.u_pool.held_q[p][x] == (valid[x] && block_of(job[x].line) == block_of(hmd.u_pool.job_q[p].line));
      for (int unsigned y = 0; y < x; y++) alone &= !(valid[x] && valid[y] && block_of(job[x].line) == block_of(job[y].line));
    end
  end
  always_ff @(posedge clk_i)
    if (reset_q && !rst_i) begin
      who_waits_has_a_reason: assert (exact);
      operations_are_known: assert (known);
      one_transaction_a_block: assert (alone);
    end
endmodule
bind hmd hmd_waits #(.XS(XS)) u_waits (.*);
