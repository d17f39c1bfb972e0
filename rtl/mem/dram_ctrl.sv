// The commands of one memory channel. Page: docs/blocks/dram_ctrl.md; step numbers in comments are the page's.
//   banks: queue, row, waits -> candidates | choice, oldest first -> pins register (with the write RAM's read register) -> chips
`include "vl_assert.svh"
module dram_ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, memside_pkg::*, vl_dram_pkg::*;
(
    input  logic                        clk_i,
    input  logic                        rst_i,
    // from / to mem_sched
    input  logic                        txn_valid_i,
    input  txn_t                        txn_i,
    output bank_status_t [CH_BANKS-1:0] status_o,
    output logic                        rsp_valid_o,
    output txn_rsp_t                    rsp_o,
    // pins
    output dram_pins_t                  pins_o,
    input  logic                        rd_valid_i,
    input  burst_data_t                 rd_i,
    // control
    input  page_policy_e                page_i,
    output logic                        idle_o,
    output ev_dram_ctrl_t               ev_o
);
  localparam int unsigned BANKS = CH_BANKS;
  localparam int unsigned GROUPS_N = DRAM_BANK_GROUPS;
  localparam int unsigned STREAK_W = $clog2(DRAM_DIR_LIMIT + 1);
  localparam int unsigned LOST_W = $clog2(DRAM_ROW_PATIENCE + 1);
  typedef logic [BANKS-1:0] banks_t;
  typedef logic [CH_GROUP_W-1:0] group_t;

  if (DRAM_COL_GAP < 2) $error("dram_ctrl: a timing set whose bursts follow each other in every clock");
  if (DRAM_BURST_BYTES > LINE_BYTES || DRAM_ROW_BYTES < LINE_BYTES) $error("dram_ctrl: a line is at least a burst and at most a row");
  if (DRAM_TREFI != 0 && DRAM_REFRESH_POSTPONE == 0) $error("dram_ctrl: a timing set that allows no refresh to be late");

  // ---- ticks of the core cycle -----------------------------------------------------------------------------------
  // ticks_q are those of acc_q, computed one cycle ahead.
  localparam int unsigned ACC_W = $clog2(DRAM_CLK_NUM + DRAM_CLK_DEN + 1) + 1;
  typedef logic [ACC_W-1:0] acc_t;
  acc_t acc_q, acc_d;
  logic [1:0] ticks_q;
  function automatic logic [1:0] ticks_of(input acc_t acc);
    acc_t sum = acc + acc_t'(DRAM_CLK_NUM);
    return (sum >= acc_t'(2 * DRAM_CLK_DEN)) ? 2'd2 : {1'b0, sum >= acc_t'(DRAM_CLK_DEN)};
  endfunction
  assign acc_d = acc_q + acc_t'(DRAM_CLK_NUM) - (ticks_q[1] ? acc_t'(2 * DRAM_CLK_DEN) : ticks_q[0] ? acc_t'(DRAM_CLK_DEN) : '0);
  always_ff @(posedge clk_i)
    if (rst_i) begin
      acc_q <= '0;
      ticks_q <= ticks_of('0);
    end else begin
      acc_q <= acc_d;
      ticks_q <= ticks_of(acc_d);
    end

  // A wait allows a command in this cycle: at its first tick, or at its second.
  function automatic logic in_time(input logic [1:0] ok, input logic [1:0] ticks);
    return (ok[0] && ticks != 2'd0) || (ok[1] && ticks[1]);
  endfunction

  // ---- banks -----------------------------------------------------------------------------------------------------
  dram_head_t [BANKS-1:0] head;
  banks_t push, push_slot, busy, open, hit, want_act, want_pre, next, start, write;
  logic [BANKS-1:0][1:0] act_ok, rd_ok, wr_ok, pre_ok;
  banks_t do_act, do_rd, do_wr, do_pre;
  logic do_prea, do_ref, after;
  dram_rbuf_t free_buf, rbuf;
  dram_entry_t push_entry;
  assign push_entry = '{write: txn_i.write, id: txn_i.id, row: txn_i.row, line: txn_i.line};
  for (genvar b = 0; b < int'(BANKS); b++) begin : gen_bank
    assign push[b] = txn_valid_i && 32'(txn_i.bank) == b;
    assign write[b] = head[b].entry.write;
    dram_bank u_bank (
        .clk_i, .rst_i, .ticks_i(ticks_q), .page_i,
        .push_i(push[b]), .push_entry_i(push_entry), .push_slot_o(push_slot[b]), .status_o(status_o[b]),
        .head_o(head[b]), .busy_o(busy[b]), .open_o(open[b]), .hit_o(hit[b]), .want_act_o(want_act[b]), .want_pre_o(want_pre[b]),
        .act_ok_o(act_ok[b]), .rd_ok_o(rd_ok[b]), .wr_ok_o(wr_ok[b]), .pre_ok_o(pre_ok[b]),
        .after_i(after), .act_i(do_act[b]), .rd_i(do_rd[b]), .wr_i(do_wr[b]), .pre_i(do_pre[b]), .prea_i(do_prea), .rbuf_i(rbuf),
        .next_o(next[b]), .start_o(start[b])
    );
  end

  // ---- waits of groups and channel (step 4) ----------------------------------------------------------------------
  logic go_act, go_rd, go_wr;
  group_t pick_group;
  logic [GROUPS_N-1:0][1:0] g_act_ok, g_rd_ok, g_wr_ok;
  logic [1:0] c_act_ok, c_rd_ok, c_wr_ok, c_ref_ok, faw_ok;
  assign go_act = do_act != '0;
  assign go_rd = do_rd != '0;
  assign go_wr = do_wr != '0;
  for (genvar g = 0; g < int'(GROUPS_N); g++) begin : gen_group
    logic [DRAM_BANKS-1:0] act, rd, wr;
    assign act = do_act[g*DRAM_BANKS+:DRAM_BANKS];
    assign rd = do_rd[g*DRAM_BANKS+:DRAM_BANKS];
    assign wr = do_wr[g*DRAM_BANKS+:DRAM_BANKS];
    dram_timer #(.VALUE(16'(DRAM_TRRD_L)), .WIDTH($clog2(DRAM_TRRD_L + 1))) u_act (
        .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i(act != '0), .ok_o(g_act_ok[g])
    );
    dram_timer #(.N(2), .VALUE({16'(DRAM_TCCD_L), 16'(DRAM_WR_TO_RD_L)}), .WIDTH($clog2(larger(DRAM_TCCD_L, DRAM_WR_TO_RD_L) + 1))) u_rd (
        .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i({rd != '0, wr != '0}), .ok_o(g_rd_ok[g])
    );
    dram_timer #(.VALUE(16'(DRAM_TCCD_L)), .WIDTH($clog2(DRAM_TCCD_L + 1))) u_wr (
        .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i(wr != '0), .ok_o(g_wr_ok[g])
    );
  end
  dram_timer #(.VALUE(16'(DRAM_TRRD_S)), .WIDTH($clog2(DRAM_TRRD_S + 1))) u_act (
      .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i(go_act), .ok_o(c_act_ok)
  );
  dram_timer #(.N(2), .VALUE({16'(DRAM_COL_GAP), 16'(DRAM_WR_TO_RD_S)}), .WIDTH($clog2(larger(DRAM_COL_GAP, DRAM_WR_TO_RD_S) + 1))) u_rd (
      .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i({go_rd, go_wr}), .ok_o(c_rd_ok)
  );
  dram_timer #(.N(2), .VALUE({16'(DRAM_RD_TO_WR), 16'(DRAM_COL_GAP)}), .WIDTH($clog2(larger(DRAM_COL_GAP, DRAM_RD_TO_WR) + 1))) u_wr (
      .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i({go_rd, go_wr}), .ok_o(c_wr_ok)
  );
  if (DRAM_TREFI != 0) begin : gen_ref
    dram_timer #(.VALUE(16'(DRAM_TRFC)), .WIDTH($clog2(DRAM_TRFC + 1))) u_ref (
        .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i(do_ref), .ok_o(c_ref_ok)
    );
  end else begin : gen_no_ref
    assign c_ref_ok = 2'b11;
  end
  if (DRAM_TFAW != 0) begin : gen_faw
    logic [3:0] turn_q;      // one-hot: faw_next
    logic [3:0][1:0] ok;
    for (genvar k = 0; k < 4; k++) begin : gen_act
      dram_timer #(.VALUE(16'(DRAM_TFAW)), .WIDTH($clog2(DRAM_TFAW + 1))) u_faw (
          .clk_i, .rst_i, .ticks_i(ticks_q), .after_i(after), .load_i(go_act && turn_q[k]), .ok_o(ok[k])
      );
    end
    always_ff @(posedge clk_i)
      if (rst_i) turn_q <= 4'b0001;
      else if (go_act) turn_q <= {turn_q[2:0], turn_q[3]};
    always_comb begin
      faw_ok = '0;
      for (int unsigned k = 0; k < 4; k++) if (turn_q[k]) faw_ok |= ok[k];
    end
  end else begin : gen_no_faw
    assign faw_ok = 2'b11;
  end

  // ---- candidates (step 1) ---------------------------------------------------------------------------------------
  logic run, drain, ref_wanted, flight_ready, buf_ready, turn, dir_q;
  group_t last_group_q;
  logic [STREAK_W-1:0] streak_q;
  logic [LOST_W-1:0] lost_q;
  logic [BANKS-1:0][1:0] col_ok, row_act_ok;
  banks_t col_ready, other, act_ready, pre_ready, begun;
  assign turn = 32'(streak_q) == DRAM_DIR_LIMIT && (hit & (dir_q ? ~write : write)) != '0;
  always_comb
    for (int unsigned b = 0; b < BANKS; b++) begin
      group_t g;
      g = group_t'(b / DRAM_BANKS);
      begun[b] = head[b].n != '0;
      col_ok[b] = write[b] ? wr_ok[b] & g_wr_ok[g] & c_wr_ok : rd_ok[b] & g_rd_ok[g] & c_rd_ok;
      col_ready[b] = in_time(col_ok[b], ticks_q) && hit[b] && run && !(turn && write[b] == dir_q) &&
                     (write[b] || (flight_ready && (begun[b] || buf_ready)));
      other[b] = g != last_group_q;
      row_act_ok[b] = act_ok[b] & g_act_ok[g] & c_act_ok & c_ref_ok & faw_ok;
      act_ready[b] = in_time(row_act_ok[b], ticks_q) && want_act[b] && run;
      pre_ready[b] = in_time(pre_ok[b], ticks_q) && want_pre[b] && run;
    end

  // ---- choice (step 2) -------------------------------------------------------------------------------------------
  banks_t col_other, col_pick_other, col_pick_any, col_pick, act_pick, pre_pick;
  logic use_act, use_pre, use_col;
  assign col_other = col_ready & other;
  dram_order #(.N(BANKS), .SETS(4)) u_order (
      .clk_i, .rst_i, .first_i(next), .then_i(start),
      .set_i({pre_ready, act_ready, col_ready, col_other}), .oldest_o({pre_pick, act_pick, col_pick_any, col_pick_other})
  );
  assign col_pick = (col_other != '0) ? col_pick_other : col_pick_any;
  assign use_act = act_ready != '0;
  assign use_pre = !use_act && pre_ready != '0 && (col_ready == '0 || 32'(lost_q) == DRAM_ROW_PATIENCE);
  assign use_col = !use_act && !use_pre;
  assign do_act = use_act ? act_pick : '0;
  assign do_pre = use_pre ? pre_pick : '0;
  assign do_rd = use_col ? col_pick & ~write : '0;
  assign do_wr = use_col ? col_pick & write : '0;

  // ---- refresh (step 3) ------------------------------------------------------------------------------------------
  logic [1:0] prea_ok, ref_ok;
  always_comb begin
    prea_ok = 2'b11;
    ref_ok = c_ref_ok;
    for (int unsigned b = 0; b < BANKS; b++) begin
      prea_ok &= pre_ok[b];
      ref_ok &= act_ok[b];
    end
  end
  assign do_prea = drain && open != '0 && in_time(prea_ok, ticks_q);
  assign do_ref = ref_wanted && in_time(ref_ok, ticks_q);
  dram_refresh u_refresh (
      .clk_i, .rst_i, .ticks_i(ticks_q), .empty_i(busy == '0), .closed_i(open == '0), .prea_i(do_prea), .ref_i(do_ref),
      .run_o(run), .drain_o(drain), .ref_o(ref_wanted)
  );

  // ---- the chosen bank -------------------------------------------------------------------------------------------
  banks_t pick, at_first;
  logic any, first_tick;
  bank_t pick_bank;
  dram_head_t chosen;
  assign pick = use_act ? act_pick : use_pre ? pre_pick : col_pick;
  assign any = pick != '0;
  always_comb begin
    chosen = '0;
    pick_bank = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      at_first[b] = use_act ? row_act_ok[b][0] : use_pre ? pre_ok[b][0] : col_ok[b][0];
      if (pick[b]) begin
        chosen |= head[b];
        pick_bank |= bank_t'(b);
      end
    end
  end
  assign pick_group = group_t'(pick_bank >> BANK_BITS);
  assign first_tick = run ? (pick & at_first) != '0 : drain ? prea_ok[0] : ref_ok[0];
  assign after = !(first_tick && ticks_q[1]);

  // ---- columns (step 7) ------------------------------------------------------------------------------------------
  logic go_col, last_burst;
  assign go_col = go_rd || go_wr;
  assign last_burst = 32'(chosen.n) == LINE_BURSTS - 1;
  assign rbuf = (chosen.n == '0) ? free_buf : chosen.rbuf;
  always_ff @(posedge clk_i)
    if (rst_i) begin
      dir_q <= 1'b0;
      last_group_q <= '0;
      streak_q <= '0;
      lost_q <= '0;
    end else begin
      if (go_col) begin
        dir_q <= go_wr;
        last_group_q <= pick_group;
        if (go_wr != dir_q) streak_q <= STREAK_W'(1);
        else if (32'(streak_q) != DRAM_DIR_LIMIT) streak_q <= streak_q + 1'b1;
      end
      if (pre_ready == '0 || use_pre) lost_q <= '0;
      else if (32'(lost_q) != DRAM_ROW_PATIENCE) lost_q <= lost_q + 1'b1;
    end

  logic read_idle;
  dram_read u_read (
      .clk_i, .rst_i, .flight_ready_o(flight_ready), .buf_ready_o(buf_ready), .buf_o(free_buf),
      .rd_i(go_rd), .first_i(chosen.n == '0), .id_i(chosen.entry.id), .rbuf_i(rbuf), .n_i(chosen.n), .last_i(last_burst),
      .rd_valid_i, .rd_data_i(rd_i), .rsp_valid_o, .rsp_o, .idle_o(read_idle)
  );

  // ---- pins (step 10) --------------------------------------------------------------------------------------------
  // The bytes of a burst come out of the write RAM beside the pins' register.
  localparam int unsigned PLACE_W = CH_BANK_W + 1;
  dram_pins_t pins_q, pins_d;
  dram_burst_t n_q;
  line_data_t write_data;
  line_be_t write_be;
  ram_1r1w #(.DEPTH(2 * BANKS), .WIDTH(LINE_BITS + LINE_BYTES)) u_write (
      .clk_i, .we_i(txn_valid_i && txn_i.write), .waddr_i({txn_i.bank, push_slot[txn_i.bank]}), .wdata_i({txn_i.be, txn_i.data}),
      .re_i(go_wr), .raddr_i(PLACE_W'({pick_bank, chosen.slot})), .rdata_o({write_be, write_data})
  );
  always_comb begin
    pins_d = '0;
    pins_d.ticks = ticks_q;
    if (go_act || go_col || (use_pre && any)) begin
      pins_d.group = pick_group;
      pins_d.bank = CH_LOCAL_W'(pick_bank & bank_t'(32'(DRAM_BANKS - 1)));
    end
    if (go_act) pins_d.row = chosen.entry.row;
    if (go_col) pins_d.col = CH_COL_W'(((32'(chosen.entry.line) * LINE_BURSTS) + 32'(chosen.n)) * DRAM_BURST);
    if (do_prea) pins_d.op = PIN_PREA;
    else if (do_ref) pins_d.op = PIN_REF;
    else if (go_act) pins_d.op = PIN_ACT;
    else if (use_pre) pins_d.op = PIN_PRE;
    else if (go_rd) pins_d.op = PIN_RD;
    else if (go_wr) pins_d.op = PIN_WR;
    pins_d.phase = pins_d.op != PIN_NOP && !first_tick;
  end
  always_ff @(posedge clk_i) begin
    pins_q <= rst_i ? '0 : pins_d;
    n_q <= chosen.n;
  end
  always_comb begin
    pins_o = pins_q;
    if (pins_q.op == PIN_WR) begin
      pins_o.be = write_be[32'(n_q)*DRAM_BURST_BYTES+:DRAM_BURST_BYTES];
      pins_o.data = write_data[32'(n_q)*BURST_BITS+:BURST_BITS];
    end
  end

  assign idle_o = busy == '0 && read_idle && pins_q.op == PIN_NOP;

  // ---- events ----------------------------------------------------------------------------------------------------
  ev_dram_ctrl_t ev_q, ev_d;
  assign ev_d = '{
    dram_acts: go_act, dram_reads: go_rd, dram_writes: go_wr, dram_pres: do_pre != '0, dram_prea: do_prea, dram_refs: do_ref,
    dram_row_hits: go_col && chosen.n == '0 && !chosen.acted, dram_row_misses: go_col && chosen.n == '0 && chosen.acted,
    dram_turnarounds: go_col && go_wr != dir_q, dram_busy: busy != '0, dram_refreshing: busy != '0 && !run
  };
  always_ff @(posedge clk_i) ev_q <= rst_i ? '0 : ev_d;
  assign ev_o = ev_q;

  `VL_ASSERT(one_command, $countones(pick) <= 1)
  `VL_ASSERT(only_when_running, run || !any)
  `VL_ASSERT(bank_exists, !txn_valid_i || 32'(txn_i.bank) < BANKS)
endmodule
