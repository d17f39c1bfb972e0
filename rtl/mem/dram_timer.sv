// Ticks still to wait for a command, loaded by the commands that it has to follow. Page: docs/blocks/dram_ctrl.md, step 4.
// The chosen command and its tick are known late: the value that each command would load is computed beside the choice and only selected by it, and
// a register says whether the wait allows a command in the coming cycle.
`include "vl_skip.svh"
module dram_timer
  import vl_cfg_pkg::*;
#(
    parameter int unsigned KIND = 0,                 // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
    parameter int unsigned N = 1,                    // commands that load it
    parameter logic [N-1:0][15:0] VALUE = '0,        // ticks from that command on
    parameter logic [N-1:0] OVER = '1                // that command goes only when this wait is over, so no comparison with its rest is needed
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         awake_i,      // for the simulator: 0 when the timer does not change
    input  logic [1:0]   ticks_i,      // in this cycle
    input  logic [1:0]   coming_i,     // in the next one
    input  logic [N-1:0] load_last_i,  // the command goes at the last tick of this cycle
    input  logic [N-1:0] load_first_i, // at the first of two
    output logic         ready_o,      // the wait allows a command in this cycle,
    output logic         first_o       // and at its first tick
);
  localparam int unsigned CLK_NUM = (KIND == 0) ? DRAM_CLK_NUM : HOST_DRAM_CLK_NUM, CLK_DEN = (KIND == 0) ? DRAM_CLK_DEN : HOST_DRAM_CLK_DEN;
  function automatic logic [15:0] largest();
    logic [15:0] most = 16'd3;         // wide enough for a ticks_i
    for (int unsigned k = 0; k < N; k++) if (VALUE[k] > most) most = VALUE[k];
    return most;
  endfunction
  localparam int unsigned WIDTH = $clog2(32'(largest()) + 1);
  typedef logic [WIDTH-1:0] wait_t;
  typedef struct packed {
    wait_t left;
    logic ready;
    logic first;
  } state_t;

  // The ticks of the first cycle, as a constant: a path from rst_i would make a simulator evaluate everything behind it twice a cycle.
  localparam logic [1:0] AT_RESET = (CLK_NUM >= 2 * CLK_DEN) ? 2'd2 : {1'b0, CLK_NUM >= CLK_DEN};
  state_t state_q;
  assign ready_o = state_q.ready;
  assign first_o = state_q.first;

  function automatic state_t make(input wait_t left, input logic [1:0] coming);
    logic first = left == '0;
    return '{left: left, ready: coming[1] ? left <= wait_t'(1) : coming[0] && first, first: first};
  endfunction
  // The rest of VALUE[k] when the next cycle begins, if `gone` of its ticks are in this cycle; or the rest of the earlier wait, if that is longer.
  function automatic wait_t remaining(input int unsigned k, input int unsigned gone, input wait_t before_it);
    wait_t value = (32'(VALUE[k]) > gone) ? wait_t'(32'(VALUE[k]) - gone) : '0;
    logic more = 1'b0;                 // some other command loads more than this one
    for (int unsigned j = 0; j < N; j++) more |= VALUE[j] > VALUE[k];
    return (more && !OVER[k] && before_it > value) ? before_it : value;
  endfunction

  function automatic state_t next_state(input state_t now, input logic [1:0] ticks, input logic [1:0] coming,
                                        input logic [N-1:0] load_last, input logic [N-1:0] load_first);
    wait_t plain = (now.left > wait_t'(ticks)) ? now.left - wait_t'(ticks) : '0;
    state_t after = make(plain, coming);
    for (int unsigned k = 0; k < N; k++) begin
      if (load_last[k]) after = make(remaining(k, 1, plain), coming);
      if (load_first[k]) after = make(remaining(k, 2, plain), coming);
    end
    return after;
  endfunction

  always_ff @(posedge clk_i)
    if (rst_i) state_q <= make('0, AT_RESET);
    else `VL_WHEN(awake_i) state_q <= next_state(state_q, ticks_i, coming_i, load_last_i, load_first_i);
endmodule
