// One bank: its queue of two transactions, its row, its own waits. Shows the command it needs; `dram_ctrl` decides. Page: docs/blocks/dram_ctrl.md, steps 1, 4, 5.
`include "vl_assert.svh"
`include "vl_skip.svh"
module dram_bank
  import vellum_pkg::*, policy_pkg::*, map_pkg::*, memside_pkg::*, vl_dram_pkg::*;
#(
    parameter int unsigned KIND = 0    // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         awake_i,        // for the simulator: 0 when the bank does not change
    input  logic [1:0]   ticks_i,
    input  logic [1:0]   coming_i,       // ticks of the next cycle
    input  page_e page_i,
    // a transaction for this bank
    input  logic         push_i,
    input  dram_entry_t       push_entry_i,
    output logic         push_slot_o,    // where its data go
    output bank_status_t status_o,
    // the command the bank needs; whether its own waits allow it in this cycle, and at the first tick
    output dram_head_t        head_o,
    output logic         busy_o,         // transactions wait
    output logic         open_o,
    output logic         hit_o,          // the head finds its row open: RD or WR
    output logic         want_act_o,
    output logic         want_pre_o,
    output dram_waits_t       ready_o,
    output dram_waits_t       first_o,
    // the command that it gets; and the commands that would go at the first of two ticks
    input  dram_waits_t       get_i,
    input  logic         prea_i,
    input  dram_waits_t       early_i,
    input  logic         prea_early_i,
    input  dram_rbuf_t        rbuf_i,         // for a first RD
    // to the order
    output logic         next_o,         // the head leaves and another one takes its place
    output logic         start_o         // a new transaction becomes the head
);
  localparam dram_numbers_t D = dram_numbers(KIND);
  localparam int unsigned BURSTS = (KIND == 0) ? LINE_BURSTS : HOST_LINE_BURSTS;      // of a line
  logic [1:0] count_q, count_d;
  dram_entry_t e0_q, e1_q;          // e0: the head
  logic slot_q;                // of the head
  dram_burst_t n_q;
  dram_rbuf_t rbuf_q;
  logic open_q, acted_q;
  row_t row_q;
  // Kept in registers, so that no path waits for a comparison of rows: e0 is in the open row; e1 is in the open row; e1 is in e0's row.
  logic hit0_q, hit1_q, same_q;

  logic pop, close, to_e0, to_e1;
  logic [1:0] left;
  // The row that is open after this edge, and whether one is.
  logic open_d, push_hit, push_same;
  always_comb begin
    pop = 1'b0;
    close = 1'b0;
    left = count_q;
    count_d = count_q;
    to_e0 = 1'b0;
    to_e1 = 1'b0;
    open_d = open_q;
    push_same = 1'b0;
    push_hit = 1'b0;
    `VL_WHEN(awake_i && (push_i || get_i != '0 || prea_i)) begin
      pop = (get_i.rd || get_i.wr) && 32'(n_q) == BURSTS - 1;
      close = get_i.pre || prea_i;
      left = pop ? count_q - 2'd1 : count_q;
      count_d = push_i ? left + 2'd1 : left;
      to_e0 = push_i && left == 2'd0;
      to_e1 = push_i && left == 2'd1;
      open_d = get_i.act || (open_q && !close);
      push_same = push_entry_i.row == e0_q.row;
      push_hit = get_i.act ? push_same : !close && open_q && push_entry_i.row == row_q;
    end
  end

  always_ff @(posedge clk_i)
    if (rst_i) begin
      count_q <= '0;
      slot_q <= 1'b0;
      n_q <= '0;
      open_q <= 1'b0;
      acted_q <= 1'b0;
      hit0_q <= 1'b0;
      hit1_q <= 1'b0;
      same_q <= 1'b0;
    end else `VL_WHEN(awake_i && (push_i || get_i != '0 || prea_i)) begin
      count_q <= count_d;
      slot_q <= slot_q ^ pop;
      if (get_i.rd || get_i.wr) n_q <= pop ? '0 : n_q + 1'b1;
      open_q <= open_d;
      acted_q <= !pop && (acted_q || get_i.act);
      hit0_q <= to_e0 ? push_hit : pop ? hit1_q : get_i.act || (hit0_q && !close);
      hit1_q <= to_e1 ? push_hit : get_i.act ? same_q && count_q == 2'd2 : hit1_q && !close && !pop;
      if (to_e1) same_q <= push_same;
    end

  always_ff @(posedge clk_i) `VL_WHEN(awake_i) begin
    if (to_e0) e0_q <= push_entry_i;
    else if (pop) e0_q <= e1_q;
    if (to_e1) e1_q <= push_entry_i;
    if (get_i.act) row_q <= e0_q.row;
    if (get_i.rd && n_q == '0) rbuf_q <= rbuf_i;
  end

  assign push_slot_o = slot_q ^ count_q[0];
  assign busy_o = count_q != 2'd0;
  assign open_o = open_q;
  assign hit_o = hit0_q;
  assign want_act_o = busy_o && !open_q;
  assign want_pre_o = open_q && (busy_o ? !hit0_q : page_i == PAGE_CLOSED);
  assign head_o = '{entry: e0_q, slot: slot_q, n: n_q, rbuf: rbuf_q, acted: acted_q};
  assign next_o = pop && count_q == 2'd2;
  assign start_o = to_e0;

  always_comb begin
    status_o.room = 2'd2 - count_q;
    status_o.open = busy_o || open_q;
    status_o.row = (count_q == 2'd2) ? e1_q.row : busy_o ? e0_q.row : open_q ? row_q : '0;
  end

  dram_waits_t get_last, get_first;
  logic pre_last, pre_first;
  always_comb begin
    get_last = '0;
    get_first = '0;
    pre_last = 1'b0;
    pre_first = 1'b0;
    `VL_WHEN(awake_i && (get_i != '0 || prea_i)) begin
      get_last = get_i & ~early_i;
      get_first = get_i & early_i;
      pre_last = get_last.pre || (prea_i && !prea_early_i);
      pre_first = get_first.pre || (prea_i && prea_early_i);
    end
  end
  dram_timer #(.KIND(KIND), .N(2), .VALUE({16'(D.trc), 16'(D.trp)}), .OVER(2'b10)) u_act (
      .clk_i, .rst_i, .awake_i, .ticks_i, .coming_i, .load_last_i({get_last.act, pre_last}), .load_first_i({get_first.act, pre_first}),
      .ready_o(ready_o.act), .first_o(first_o.act)
  );
  dram_timer #(.KIND(KIND), .VALUE(16'(D.trcd_rd))) u_rd (
      .clk_i, .rst_i, .awake_i, .ticks_i, .coming_i, .load_last_i(get_last.act), .load_first_i(get_first.act), .ready_o(ready_o.rd), .first_o(first_o.rd)
  );
  dram_timer #(.KIND(KIND), .VALUE(16'(D.trcd_wr))) u_wr (
      .clk_i, .rst_i, .awake_i, .ticks_i, .coming_i, .load_last_i(get_last.act), .load_first_i(get_first.act), .ready_o(ready_o.wr), .first_o(first_o.wr)
  );
  // An ACT follows a PRE, so this wait is over by then (OVER).
  dram_timer #(.KIND(KIND), .N(3), .VALUE({16'(D.tras), 16'(D.trtp), 16'(D.wr_to_pre)}), .OVER(3'b100)) u_pre (
      .clk_i, .rst_i, .awake_i, .ticks_i, .coming_i, .load_last_i({get_last.act, get_last.rd, get_last.wr}),
      .load_first_i({get_first.act, get_first.rd, get_first.wr}), .ready_o(ready_o.pre), .first_o(first_o.pre)
  );

  `VL_ASSERT(push_has_room, !push_i || count_q != 2'd2)
  `VL_ASSERT(hit_is_the_row, hit0_q == (busy_o && open_q && e0_q.row == row_q))
  `VL_ASSERT(hit1_is_the_row, hit1_q == (count_q == 2'd2 && open_q && e1_q.row == row_q))
  `VL_ASSERT(columns_hit, !(get_i.rd || get_i.wr) || hit0_q)
  `VL_ASSERT(act_when_closed, !get_i.act || !open_q)
endmodule
