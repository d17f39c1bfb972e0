// Scoreboard (inside issue): registers that a pipe other than the ALU will still write, and how many such instructions each warp has in flight.
// A release counts in its own cycle. `recent` is the instruction decided one edge ago: of the ALU, its result can be read one edge later; of
// another pipe, its register becomes busy now. So the choice of a warp, which comes last of all in its cycle, is an input of `recent` alone.
`include "vl_assert.svh"
module scoreboard
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*;
(
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  ibuf_entry_t [WARPS-1:0]  head_i,
    input  warp_mask_t               start_i,      // forget these warps
    input  logic                     release_i,
    input  warp_t                    release_warp_i,
    input  reg_t                     release_rd_i, // 0: no register
    input  warp_mask_t               pop_i,        // the head of this warp is decided: at most one
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
  logic recent_alu_q;
  reg_t recent_rd_q;

  logic [31:0] release_oh, recent_oh;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) release_o[w] = release_i && 32'(release_warp_i) == w;
  always_comb
    for (int unsigned r = 0; r < 32; r++) begin
      release_oh[r] = 32'(release_rd_i) == r;
      recent_oh[r] = !recent_alu_q && 32'(recent_rd_q) == r;
    end

  // The release comes late in the cycle, so it is compared with each field, beside the choice of the busy bit.
  function automatic logic awaited(input logic used, input reg_t r, input logic [31:0] busy_before, input logic released, input reg_t released_rd);
    return used && busy_before[r] && !(released && released_rd == r);
  endfunction

  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      reg_t rs1, rs2, rs3, rd;
      rs1 = head_i[w].instr[19:15];
      rs2 = head_i[w].instr[24:20];
      rs3 = head_i[w].instr[31:27];
      rd = head_i[w].instr[11:7];
      quiet_o[w] = !some_q[w] || (release_o[w] && inflight_q[w] == INFLIGHT_W'(1));
      dependent_o[w] = awaited(head_i[w].use_rs1, rs1, busy_q[w], release_o[w], release_rd_i)
                    || awaited(head_i[w].use_rs2, rs2, busy_q[w], release_o[w], release_rd_i)
                    || awaited(head_i[w].use_rs3, rs3, busy_q[w], release_o[w], release_rd_i)
                    || awaited(head_i[w].use_rd, rd, busy_q[w], release_o[w], release_rd_i)
                    || (BEATS == 1 && recent_q[w]
                        && ((head_i[w].use_rs1 && rs1 == recent_rd_q) || (head_i[w].use_rs2 && rs2 == recent_rd_q)
                         || (head_i[w].use_rs3 && rs3 == recent_rd_q)
                         || ((head_i[w].rd_read || (head_i[w].use_rd && !recent_alu_q)) && rd == recent_rd_q)));
    end
  assign idle_o = some_q == '0;

  reg_t recent_rd;
  logic recent_alu;
  always_comb begin
    recent_rd = '0;
    recent_alu = 1'b0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      recent_rd |= head_i[w].instr[11:7] & {5{pop_i[w]}};
      recent_alu |= pop_i[w] && head_i[w].pipe == PIPE_ALU;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= '0;
      inflight_q <= '0;
      some_q <= '0;
      recent_q <= '0;
    end else begin
      for (int unsigned w = 0; w < WARPS; w++) recent_q[w] <= pop_i[w] && head_i[w].use_rd;
      for (int unsigned w = 0; w < WARPS; w++)
        if (start_i[w]) begin
          busy_q[w] <= '0;
          inflight_q[w] <= '0;
          some_q[w] <= 1'b0;
        end else begin
          busy_q[w] <= (busy_q[w] & ~(release_oh & {32{release_o[w]}})) | (recent_oh & {32{recent_q[w]}});
          if (release_o[w] != (pop_i[w] && head_i[w].tracked)) begin
            inflight_q[w] <= release_o[w] ? inflight_q[w] - INFLIGHT_W'(1) : inflight_q[w] + INFLIGHT_W'(1);
            some_q[w] <= !release_o[w] || inflight_q[w] != INFLIGHT_W'(1);
          end
        end
    end
    recent_rd_q <= recent_rd;
    recent_alu_q <= recent_alu;
  end

  `VL_ASSERT(release_not_at_once, !release_i || recent_alu_q || !recent_q[release_warp_i] || release_rd_i != recent_rd_q)
  `VL_ASSERT(release_expected, !release_i || some_q[release_warp_i])
  for (genvar w = 0; w < WARPS; w++) begin : gen_check
    `VL_ASSERT(inflight_fits, !(pop_i[w] && head_i[w].tracked) || inflight_q[w] != '1)
  end
endmodule
