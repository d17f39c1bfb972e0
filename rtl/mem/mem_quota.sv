// Quotas of the turns in Silver, by MASK's equation 1, once an epoch. Page: docs/blocks/mem_quota.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module mem_quota
  import policy_pkg::*, memside_pkg::*;
(
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   epoch_i,
    input  logic [APPS-1:0][5:0]   con_ptw_i,
    input  logic [APPS-1:0][5:0]   warps_i,
    input  sched_policy_t          policy_i,
    output quota_t [APPS-1:0]      thresh_o,
    output logic                   idle_o
);
  typedef enum logic [1:0] {IDLE, MUL, DIV, SHOW} stage_e;
  localparam int unsigned LAST = APPS - 1;
  stage_e stage_q;
  logic [1:0] k_q;
  logic [3:0] bit_q;
  logic [APPS-1:0][5:0] con_q, warps_q;
  logic [APPS-1:0] valid_q;
  logic [APPS-1:0][11:0] p_q;
  logic [13:0] sum_q, sum_d, r_q;
  quota_t max_q;
  quota_t [APPS-1:0] quot_q, thresh_q;

  // 2
  logic [11:0] product;
  assign product = valid_q[k_q] ? 12'(con_q[k_q]) * 12'(warps_q[k_q]) : '0;
  assign sum_d = sum_q + 14'(product);

  // 3
  logic [15:0] t, less1, less2;
  quota_t twice, quot;
  logic ge1, ge2, none;
  assign none = sum_q == '0;
  assign t = 16'({r_q, 1'b0}) + (max_q[bit_q] ? 16'(p_q[k_q]) : '0);
  assign ge1 = t >= 16'(sum_q);
  assign ge2 = t >= 16'({sum_q, 1'b0});
  assign less1 = t - 16'(sum_q);
  assign less2 = t - 16'({sum_q, 1'b0});
  assign twice = (bit_q == 4'd9) ? '0 : quot_q[k_q] << 1;
  assign quot = none ? '0 : twice + (ge2 ? 10'd2 : ge1 ? 10'd1 : 10'd0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      stage_q <= IDLE;
      thresh_q <= '0;
    end else if (epoch_i) begin  // 1
      stage_q <= MUL;
      con_q <= con_ptw_i;
      warps_q <= warps_i;
      max_q <= policy_i.thresh_max;
      valid_q <= policy_i.app_valid;
      sum_q <= '0;
      k_q <= '0;
    end else
      unique case (stage_q)
        MUL: begin
          p_q[k_q] <= product;
          sum_q <= sum_d;
          k_q <= k_q + 1'b1;
          if (k_q == 2'(LAST)) begin
            stage_q <= DIV;
            bit_q <= 4'd9;
            r_q <= '0;
            if (sum_d == '0) begin
              for (int unsigned a = 0; a < APPS; a++) p_q[a] <= 12'(valid_q[a]);
              sum_q <= 14'($countones(valid_q));
            end
          end
        end
        DIV: begin
          quot_q[k_q] <= (bit_q == '0 && quot == '0 && p_q[k_q] != '0 && max_q != '0) ? 10'd1 : quot;
          r_q <= (bit_q == '0) ? '0 : 14'(ge2 ? less2 : ge1 ? less1 : t);
          bit_q <= (bit_q == '0) ? 4'd9 : bit_q - 1'b1;
          if (bit_q == '0) begin
            k_q <= k_q + 1'b1;
            if (k_q == 2'(LAST)) stage_q <= SHOW;
          end
        end
        SHOW: begin  // 4
          thresh_q <= quot_q;
          stage_q <= IDLE;
        end
        default: ;
      endcase
  end

  assign thresh_o = thresh_q;
  assign idle_o = stage_q == IDLE;

  `VL_ASSERT(remainder_is_small, stage_q != DIV || none || r_q < sum_q)
endmodule
