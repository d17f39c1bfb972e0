// Accrued exceptions of every thread: two ports that update a beat each in one cycle (the second sees the update of the first), cleared a warp
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
    output logic [LANES-1:0][4:0] flags_o,
    // where warps are formed: homes of the lanes of both updates, and of the read
    input  homes_t                homes_i
);
  function automatic int unsigned word(input warp_t w, input beat_t b);
    return 32'(w) * BEATS + ((BEATS > 1) ? 32'(b) : 0);
  endfunction

  // A word that is not live reads 0, so a warp can be cleared in one cycle.
  if (COMPACTS) begin : gen_by_lane
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [4:0] flags_q[WARPS*BEATS];
      logic [WARPS-1:0][BEATS-1:0] live_q;
      logic [4:0] a_old, a_new, b_old, b_new;
      warp_t a_home, b_home, home;
      logic a_we, b_we;
      assign a_we = a_we_i && a_i.mask[l];
      assign b_we = b_we_i && b_i.mask[l];
      assign a_home = home_of(homes_i, a_i.warp, a_i.beat, l);
      assign b_home = home_of(homes_i, b_i.warp, b_i.beat, l);
      assign home = home_of(homes_i, warp_i, beat_i, l);
      assign flags_o[l] = live_q[home][beat_i] ? flags_q[word(home, beat_i)] : '0;
      assign a_old = live_q[a_home][a_i.beat] ? flags_q[word(a_home, a_i.beat)] : '0;
      assign b_old = live_q[b_home][b_i.beat] ? flags_q[word(b_home, b_i.beat)] : '0;
      assign a_new = a_set_i ? a_i.flags[l] : a_old | a_i.flags[l];
      assign b_new = ((a_we && a_home == b_home && a_i.beat == b_i.beat) ? a_new : b_old) | b_i.flags[l];
      always_ff @(posedge clk_i) begin
        if (rst_i) live_q <= '0;
        else begin
          if (a_we) begin
            flags_q[word(a_home, a_i.beat)] <= a_new;
            live_q[a_home][a_i.beat] <= 1'b1;
          end
          if (b_we) begin
            flags_q[word(b_home, b_i.beat)] <= b_new;
            live_q[b_home][b_i.beat] <= 1'b1;
          end
          if (clear_i) live_q[clear_warp_i] <= '0;
        end
      end
    end
  end else begin : gen_by_row
    logic [LANES-1:0][4:0] flags_q[WARPS*BEATS];
    logic [WARPS-1:0][BEATS-1:0] live_q;
    logic [LANES-1:0][4:0] a_old, a_new, b_old, b_new;
    logic same;

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
  end
endmodule
