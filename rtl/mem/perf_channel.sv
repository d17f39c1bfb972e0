// Performance counters of a memory channel: the events of its scheduler and of its DRAM controller, the clocks of the chips, and (DRAM_DETAIL) for whom DRAM is read, and how
// long that takes. Page: docs/blocks/perf_channel.md; step numbers in comments are the page's.
module perf_channel
  import vl_cfg_pkg::*, memside_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // from mem_sched and dram_ctrl
    input  ev_mem_sched_t        ev_sched_i,
    input  ev_dram_ctrl_t        ev_dram_i,
    input  logic [1:0]           ticks_i,
    // from mem_quota
    input  quota_t [APPS-1:0]    thresh_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  ev_channel_t ev;
  assign ev.mem_sched = ev_sched_i;
  assign ev.dram_ctrl = ev_dram_i;
  assign ev.dram_pins = '{dram_ticks: ticks_i};

  // ---- steps 3, 4
  if (DRAM_DETAIL != 0) begin : gen_detail
    read_times u_times (.clk_i, .rst_i, .ev_i(ev_sched_i), .thresh_i, .ev_o(ev.perf_channel));
  end else begin : gen_plain
    assign ev.perf_channel = '0;
  end

  // ---- steps 1, 2. Counters that stay 0 are the last of the list, and have no hardware.
  localparam int unsigned HAVE = (DRAM_DETAIL != 0) ? CHANNEL_COUNTERS : CHANNEL_PLAIN_COUNTERS;
  localparam int unsigned HAVE_W = (DRAM_DETAIL != 0) ? CHANNEL_INC_W : CHANNEL_PLAIN_INC_W;
  logic [CHANNEL_COUNTERS-1:0][CHANNEL_INC_W-1:0] inc_all;
  logic [HAVE-1:0][HAVE_W-1:0] inc;
  assign inc_all = channel_increments(ev);
  for (genvar k = 0; k < int'(HAVE); k++) begin : gen_inc
    assign inc[k] = inc_all[k][HAVE_W-1:0];
  end
  counter_bank #(.COUNTERS(HAVE), .INC_W(HAVE_W), .INCREMENT_W(CHANNEL_INCREMENT_W[HAVE-1:0]), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
