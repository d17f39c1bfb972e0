// Ticks still to wait for a command, loaded by the commands that it has to follow. Page: docs/blocks/dram_ctrl.md, step 4.
// ok_o[p]: the wait is at most p, so the command may go at phase p of this cycle. Which command goes is known late, so what each of them would load,
// and the ok bits of that, are made ready beside the choice and only selected by it.
module dram_timer #(
    parameter int unsigned N = 1,                    // commands that load it
    parameter logic [N-1:0][15:0] VALUE = '0,        // ticks from that command on
    parameter int unsigned WIDTH = 16                // of the largest VALUE
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic [1:0]   ticks_i,    // in this cycle
    input  logic         after_i,    // the command goes at the last tick of this cycle (else one before)
    input  logic [N-1:0] load_i,     // at most one
    output logic [1:0]   ok_o
);
  typedef logic [(WIDTH < 2) ? 1 : WIDTH-1:0] wait_t;   // holds a ticks_i at least
  typedef struct packed {
    wait_t left;
    logic [1:0] ok;
  } state_t;

  state_t state_q, state_d;
  assign ok_o = state_q.ok;

  function automatic state_t make(input wait_t left);
    return '{left: left, ok: {left <= wait_t'(1), left == '0}};
  endfunction
  function automatic wait_t later(input wait_t a, input wait_t b);
    return (a > b) ? a : b;
  endfunction

  // Ticks of VALUE that are left when the next cycle begins, `gone` of them being in this one.
  function automatic wait_t remaining(input int unsigned value, input int unsigned gone);
    return (value > gone) ? wait_t'(value - gone) : '0;
  endfunction

  wait_t plain;
  state_t waits;
  state_t [N-1:0] last, earlier;
  always_comb begin
    plain = (state_q.left > wait_t'(ticks_i)) ? state_q.left - wait_t'(ticks_i) : '0;
    waits = make(plain);
    for (int unsigned k = 0; k < N; k++) begin
      last[k] = make(later(plain, remaining(32'(VALUE[k]), 1)));
      earlier[k] = make(later(plain, remaining(32'(VALUE[k]), 2)));
    end
    state_d = waits;
    for (int unsigned k = 0; k < N; k++) if (load_i[k]) state_d = after_i ? last[k] : earlier[k];
  end

  always_ff @(posedge clk_i)
    if (rst_i) state_q <= '{left: '0, ok: 2'b11};
    else state_q <= state_d;
endmodule
