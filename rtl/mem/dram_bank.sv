// One bank: its queue of two transactions, its row, its own waits. Says what it wants; `dram_ctrl` decides. Page: docs/blocks/dram_ctrl.md, steps 1, 4, 5.
`include "vl_assert.svh"
module dram_bank
  import vellum_pkg::*, memside_pkg::*, vl_dram_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic [1:0]   ticks_i,
    input  page_policy_e page_i,
    // a transaction for this bank
    input  logic         push_i,
    input  dram_entry_t       push_entry_i,
    output logic         push_slot_o,    // where its data go
    output bank_status_t status_o,
    // what the bank wants, and the phases at which its own waits allow it
    output dram_head_t        head_o,
    output logic         busy_o,         // transactions wait
    output logic         open_o,
    output logic         hit_o,          // the head finds its row open: RD or WR
    output logic         want_act_o,
    output logic         want_pre_o,
    output logic [1:0]   act_ok_o,
    output logic [1:0]   rd_ok_o,
    output logic [1:0]   wr_ok_o,
    output logic [1:0]   pre_ok_o,
    // what it gets
    input  logic         after_i,        // the command is for the last tick of this cycle
    input  logic         act_i,
    input  logic         rd_i,
    input  logic         wr_i,
    input  logic         pre_i,
    input  logic         prea_i,
    input  dram_rbuf_t        rbuf_i,         // for a first RD
    // to the order
    output logic         next_o,         // the head leaves and another one takes its place
    output logic         start_o         // a new transaction becomes the head
);
  logic [1:0] count_q, count_d;
  dram_entry_t e0_q, e1_q;          // e0: the head
  logic slot_q;                // of the head
  dram_burst_t n_q;
  dram_rbuf_t rbuf_q;
  logic open_q, acted_q;
  row_t row_q;
  // Kept beside the rows, so that nobody waits for a comparison: e0 in the open row; e1 in the open row; e1 in the row of e0.
  logic hit0_q, hit1_q, same_q;

  logic pop, close, to_e0, to_e1;
  logic [1:0] left;
  assign pop = (rd_i || wr_i) && 32'(n_q) == LINE_BURSTS - 1;
  assign close = pre_i || prea_i;
  assign left = pop ? count_q - 2'd1 : count_q;
  assign count_d = push_i ? left + 2'd1 : left;
  assign to_e0 = push_i && left == 2'd0;
  assign to_e1 = push_i && left == 2'd1;

  // The row that is open after this edge, and whether one is.
  logic open_d, push_hit, push_same;
  assign open_d = act_i || (open_q && !close);
  assign push_same = push_entry_i.row == e0_q.row;
  assign push_hit = act_i ? push_same : !close && open_q && push_entry_i.row == row_q;

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
    end else begin
      count_q <= count_d;
      slot_q <= slot_q ^ pop;
      if (rd_i || wr_i) n_q <= pop ? '0 : n_q + 1'b1;
      open_q <= open_d;
      acted_q <= !pop && (acted_q || act_i);
      hit0_q <= to_e0 ? push_hit : pop ? hit1_q : act_i || (hit0_q && !close);
      hit1_q <= to_e1 ? push_hit : act_i ? same_q && count_q == 2'd2 : hit1_q && !close && !pop;
      if (to_e1) same_q <= push_same;
    end

  always_ff @(posedge clk_i) begin
    if (to_e0) e0_q <= push_entry_i;
    else if (pop) e0_q <= e1_q;
    if (to_e1) e1_q <= push_entry_i;
    if (act_i) row_q <= e0_q.row;
    if (rd_i && n_q == '0) rbuf_q <= rbuf_i;
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

  dram_timer #(.N(3), .VALUE({16'(DRAM_TRC), 16'(DRAM_TRP), 16'(DRAM_TRP)}), .WIDTH(WAIT_ACT_W)) u_act (
      .clk_i, .rst_i, .ticks_i, .after_i, .load_i({act_i, pre_i, prea_i}), .ok_o(act_ok_o)
  );
  dram_timer #(.VALUE(16'(DRAM_TRCD_RD)), .WIDTH(WAIT_RD_W)) u_rd (.clk_i, .rst_i, .ticks_i, .after_i, .load_i(act_i), .ok_o(rd_ok_o));
  dram_timer #(.VALUE(16'(DRAM_TRCD_WR)), .WIDTH(WAIT_WR_W)) u_wr (.clk_i, .rst_i, .ticks_i, .after_i, .load_i(act_i), .ok_o(wr_ok_o));
  dram_timer #(.N(3), .VALUE({16'(DRAM_TRAS), 16'(DRAM_TRTP), 16'(DRAM_WR_TO_PRE)}), .WIDTH(WAIT_PRE_W)) u_pre (
      .clk_i, .rst_i, .ticks_i, .after_i, .load_i({act_i, rd_i, wr_i}), .ok_o(pre_ok_o)
  );

  `VL_ASSERT(push_has_room, !push_i || count_q != 2'd2)
  `VL_ASSERT(hit_is_the_row, hit0_q == (busy_o && open_q && e0_q.row == row_q))
  `VL_ASSERT(hit1_is_the_row, hit1_q == (count_q == 2'd2 && open_q && e1_q.row == row_q))
  `VL_ASSERT(columns_hit, !(rd_i || wr_i) || hit0_q)
  `VL_ASSERT(act_when_closed, !act_i || !open_q)
endmodule
