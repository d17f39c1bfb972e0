// Rounding mode of every thread: one write port (lanes of one beat), cleared a warp at a time, one asynchronous read port.
module fpu_frm
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  we_i,
    input  frm_t                  w_i,
    input  logic                  clear_i,      // wins over a write
    input  warp_t                 clear_warp_i,
    input  warp_t                 warp_i,
    input  beat_t                 beat_i,
    output logic [LANES-1:0][2:0] frm_o,
    // where warps are formed: homes of the lanes of write and read
    input  homes_t                homes_i
);
  function automatic int unsigned word(input warp_t w, input beat_t b);
    return 32'(w) * BEATS + ((BEATS > 1) ? 32'(b) : 0);
  endfunction

  // A word that is not live reads 0, so a warp can be cleared in one cycle.
  if (COMPACTS) begin : gen_by_lane
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [2:0] frm_q[WARPS*BEATS];
      logic [WARPS-1:0][BEATS-1:0] live_q;
      warp_t w_home, home;
      assign w_home = home_of(homes_i, w_i.warp, w_i.beat, l);
      assign home = home_of(homes_i, warp_i, beat_i, l);
      assign frm_o[l] = live_q[home][beat_i] ? frm_q[word(home, beat_i)] : '0;
      always_ff @(posedge clk_i) begin
        if (rst_i) live_q <= '0;
        else begin
          if (we_i && w_i.mask[l]) begin
            frm_q[word(w_home, w_i.beat)] <= w_i.frm[l];
            live_q[w_home][w_i.beat] <= 1'b1;
          end
          if (clear_i) live_q[clear_warp_i] <= '0;
        end
      end
    end
  end else begin : gen_by_row
    logic [LANES-1:0][2:0] frm_q[WARPS*BEATS];
    logic [WARPS-1:0][BEATS-1:0] live_q;
    logic [LANES-1:0][2:0] old;

    assign frm_o = live_q[warp_i][beat_i] ? frm_q[word(warp_i, beat_i)] : '0;
    always_comb begin
      old = live_q[w_i.warp][w_i.beat] ? frm_q[word(w_i.warp, w_i.beat)] : '0;
      for (int unsigned l = 0; l < LANES; l++) if (w_i.mask[l]) old[l] = w_i.frm[l];
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        live_q <= '0;
      end else begin
        if (we_i) begin
          frm_q[word(w_i.warp, w_i.beat)] <= old;
          live_q[w_i.warp][w_i.beat] <= 1'b1;
        end
        if (clear_i) live_q[clear_warp_i] <= '0;
      end
    end
  end
endmodule
