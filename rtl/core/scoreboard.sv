// Scoreboard (inside issue): registers that a pipe other than the ALU will still write, and how many such instructions each warp has in flight.
// A release counts in its own cycle. `recent` is the ALU instruction decided one edge ago: its result can be read one edge later.
`include "vl_assert.svh"
module scoreboard
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  ibuf_entry_t [WARPS-1:0]  head_i,
    input  warp_mask_t               start_i,      // forget these warps
    input  logic                     release_i,
    input  warp_t                    release_warp_i,
    input  reg_t                     release_rd_i, // 0: no register
    input  warp_mask_t               set_i,        // decided instruction of this warp: at most one
    input  logic                     set_busy_i,   // it writes set_rd_i from a pipe other than ALU
    input  logic                     set_tracked_i,
    input  logic                     set_recent_i, // it writes set_rd_i from the ALU
    input  reg_t                     set_rd_i,
    output warp_mask_t               dependent_o,  // the head needs a register that is not there
    output warp_mask_t               quiet_o,      // nothing in flight after this cycle's release
    output warp_mask_t               release_o,    // the warp of the release
    output logic                     idle_o        // nothing in flight at all
);
  localparam int unsigned INFLIGHT_W = 7;
  logic [WARPS-1:0][31:0] busy_q;
  logic [WARPS-1:0][INFLIGHT_W-1:0] inflight_q;
  warp_mask_t some_q;              // inflight_q != 0
  warp_mask_t recent_q;            // one-hot or 0
  reg_t recent_rd_q;

  // Register r of warp w is awaited.
  function automatic logic hit(input logic [31:0] busy, input logic rel, input reg_t rel_rd, input reg_t r);
    return busy[r] && !(rel && rel_rd == r);
  endfunction

  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      reg_t rs1, rs2, rs3, rd;
      rs1 = head_i[w].instr[19:15];
      rs2 = head_i[w].instr[24:20];
      rs3 = head_i[w].instr[31:27];
      rd = head_i[w].instr[11:7];
      release_o[w] = release_i && 32'(release_warp_i) == w;
      quiet_o[w] = !some_q[w] || (release_o[w] && inflight_q[w] == INFLIGHT_W'(1));
      dependent_o[w] = (head_i[w].use_rs1 && hit(busy_q[w], release_o[w], release_rd_i, rs1))
                    || (head_i[w].use_rs2 && hit(busy_q[w], release_o[w], release_rd_i, rs2))
                    || (head_i[w].use_rs3 && hit(busy_q[w], release_o[w], release_rd_i, rs3))
                    || (head_i[w].use_rd && hit(busy_q[w], release_o[w], release_rd_i, rd))
                    || (BEATS == 1 && recent_q[w]
                        && ((head_i[w].use_rs1 && rs1 == recent_rd_q) || (head_i[w].use_rs2 && rs2 == recent_rd_q)
                         || (head_i[w].use_rs3 && rs3 == recent_rd_q) || (head_i[w].rd_read && rd == recent_rd_q)));
    end
  assign idle_o = some_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= '0;
      inflight_q <= '0;
      some_q <= '0;
      recent_q <= '0;
    end else begin
      recent_q <= set_recent_i ? set_i : '0;
      for (int unsigned w = 0; w < WARPS; w++)
        if (start_i[w]) begin
          busy_q[w] <= '0;
          inflight_q[w] <= '0;
          some_q[w] <= 1'b0;
        end else begin
          if (release_o[w]) busy_q[w][release_rd_i] <= 1'b0;
          if (set_i[w] && set_busy_i) busy_q[w][set_rd_i] <= 1'b1;
          if (release_o[w] != (set_i[w] && set_tracked_i)) begin
            inflight_q[w] <= release_o[w] ? inflight_q[w] - INFLIGHT_W'(1) : inflight_q[w] + INFLIGHT_W'(1);
            some_q[w] <= !release_o[w] || inflight_q[w] != INFLIGHT_W'(1);
          end
        end
    end
    recent_rd_q <= set_rd_i;
  end

  `VL_ASSERT(release_expected, !release_i || some_q[release_warp_i])
  for (genvar w = 0; w < WARPS; w++) begin : gen_check
    `VL_ASSERT(inflight_fits, !(set_tracked_i && set_i[w]) || inflight_q[w] != '1)
  end
endmodule
