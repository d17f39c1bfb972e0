// Accrued exceptions of every thread: two ports that update a beat each in one cycle (the second sees what the first did), cleared a warp
// at a time, one asynchronous read port.
module fpu_flags
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    // first: flags are added, or with set_i replaced
    input  logic                  a_we_i,
    input  logic                  a_set_i,
    input  fflags_t               a_i,
    // second: flags are added
    input  logic                  b_we_i,
    input  fflags_t               b_i,
    input  logic                  clear_i,      // wins over updates
    input  warp_t                 clear_warp_i,
    input  warp_t                 warp_i,
    input  beat_t                 beat_i,
    output logic [LANES-1:0][4:0] flags_o
);
  // Words that are not live read 0, so that a warp is cleared in one cycle.
  logic [LANES-1:0][4:0] flags_q[WARPS*BEATS];
  logic [WARPS-1:0][BEATS-1:0] live_q;
  logic [LANES-1:0][4:0] a_old, a_new, b_old, b_new;
  logic same;

  function automatic int unsigned word(input warp_t w, input beat_t b);
    return 32'(w) * BEATS + ((BEATS > 1) ? 32'(b) : 0);
  endfunction

  assign flags_o = live_q[warp_i][beat_i] ? flags_q[word(warp_i, beat_i)] : '0;
  assign a_old = live_q[a_i.warp][a_i.beat] ? flags_q[word(a_i.warp, a_i.beat)] : '0;
  assign b_old = live_q[b_i.warp][b_i.beat] ? flags_q[word(b_i.warp, b_i.beat)] : '0;
  assign same = a_we_i && a_i.warp == b_i.warp && a_i.beat == b_i.beat;
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      a_new[l] = !a_i.mask[l] ? a_old[l] : a_set_i ? a_i.flags[l] : a_old[l] | a_i.flags[l];
      b_new[l] = (same ? a_new[l] : b_old[l]) | (b_i.mask[l] ? b_i.flags[l] : 5'd0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      live_q <= '0;
    end else begin
      if (a_we_i) begin
        flags_q[word(a_i.warp, a_i.beat)] <= a_new;
        live_q[a_i.warp][a_i.beat] <= 1'b1;
      end
      if (b_we_i) begin
        flags_q[word(b_i.warp, b_i.beat)] <= b_new;
        live_q[b_i.warp][b_i.beat] <= 1'b1;
      end
      if (clear_i) live_q[clear_warp_i] <= '0;
    end
  end
endmodule
