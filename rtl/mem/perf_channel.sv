// Performance counters of a memory channel: the events of its scheduler and of its DRAM controller, and the clocks of the chips.
// Page: docs/blocks/perf_channel.md (steps 1, 2).
module perf_channel
  import memside_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // from mem_sched and dram_ctrl
    input  ev_mem_sched_t        ev_sched_i,
    input  ev_dram_ctrl_t        ev_dram_i,
    input  logic [1:0]           ticks_i,
    // from ctrl
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  ev_channel_t ev;
  assign ev.mem_sched = ev_sched_i;
  assign ev.dram_ctrl = ev_dram_i;
  assign ev.dram_pins = '{dram_ticks: ticks_i};

  logic [CHANNEL_COUNTERS-1:0][CHANNEL_INC_W-1:0] inc;
  assign inc = channel_increments(ev);
  counter_bank #(.COUNTERS(CHANNEL_COUNTERS), .INC_W(CHANNEL_INC_W), .INCREMENT_W(CHANNEL_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
