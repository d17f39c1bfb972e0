// The commands of one memory channel. Page: docs/blocks/dram_ctrl.md; step numbers in comments are the page's.
//   banks: queue, row, waits -> candidates | choice, oldest first -> pins register  -> chips
`include "vl_assert.svh"
`include "vl_skip.svh"
module dram_ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, memside_pkg::*, vl_dram_pkg::*;
#(
    parameter int unsigned KIND = 0    // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
) (
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
    input  page_e                page_i,
    output logic                        idle_o,
    output ev_dram_ctrl_t               ev_o
);
  localparam dram_numbers_t D = dram_numbers(KIND);
  localparam int unsigned CLK_NUM = (KIND == 0) ? DRAM_CLK_NUM : HOST_DRAM_CLK_NUM, CLK_DEN = (KIND == 0) ? DRAM_CLK_DEN : HOST_DRAM_CLK_DEN;
  localparam int unsigned BURSTS = (KIND == 0) ? LINE_BURSTS : HOST_LINE_BURSTS;      // of a line
  localparam int unsigned BYTES = D.burst_bytes;
  localparam int unsigned BANKS = CH_BANKS;
  localparam int unsigned GROUPS_N = DRAM_BANK_GROUPS;
  localparam int unsigned STREAK_W = $clog2(DRAM_DIR_LIMIT + 1);
  localparam int unsigned LOST_W = $clog2(DRAM_ROW_PATIENCE + 1);
  typedef logic [BANKS-1:0] banks_t;
  typedef logic [CH_GROUP_W-1:0] group_t;

  if (D.col_gap < 2) $error("dram_ctrl: a timing set whose bursts follow each other in every clock");
  if (D.burst_bytes > LINE_BYTES || D.row_bytes < LINE_BYTES) $error("dram_ctrl: a line is at least a burst and at most a row");
  if (D.bank_groups != DRAM_BANK_GROUPS || D.banks != DRAM_BANKS) $error("dram_ctrl: two kinds of chips with other banks");
  if (D.trefi != 0 && D.refresh_postpone == 0) $error("dram_ctrl: a timing set that allows no refresh to be late");

  // ---- ticks of the core cycle -----------------------------------------------------------------------------------
  // ticks_q are those of acc_q, computed one cycle ahead.
  localparam int unsigned ACC_W = $clog2(CLK_NUM + CLK_DEN + 1) + 1;
  typedef logic [ACC_W-1:0] acc_t;
  acc_t acc_q, acc_d;
  logic [1:0] ticks_q, ticks_d;
  function automatic logic [1:0] ticks_of(input acc_t acc);
    acc_t sum = acc + acc_t'(CLK_NUM);
    return (sum >= acc_t'(2 * CLK_DEN)) ? 2'd2 : {1'b0, sum >= acc_t'(CLK_DEN)};
  endfunction
  assign acc_d = acc_q + acc_t'(CLK_NUM) - (ticks_q[1] ? acc_t'(2 * CLK_DEN) : ticks_q[0] ? acc_t'(CLK_DEN) : '0);
  assign ticks_d = ticks_of(acc_d);
  always_ff @(posedge clk_i) begin
    acc_q <= rst_i ? '0 : acc_d;
    ticks_q <= rst_i ? ticks_of('0) : ticks_d;
  end

  logic awake;     // for the simulator, below

  // ---- banks -----------------------------------------------------------------------------------------------------
  dram_head_t head[BANKS];
  dram_waits_t bank_ready[BANKS], bank_first[BANKS], first[BANKS], early[BANKS], get[BANKS];
  logic bank_slot[BANKS], bank_busy[BANKS], bank_open[BANKS], bank_hit[BANKS], bank_want_act[BANKS], bank_want_pre[BANKS], bank_next[BANKS], bank_start[BANKS];
  banks_t push, push_slot, busy, open, hit, want_act, want_pre, next, start, write, pick;
  banks_t do_act, do_rd, do_wr, do_pre;
  logic do_prea, do_ref, prea_first, ref_first, two;
  dram_rbuf_t free_buf, rbuf;
  dram_entry_t push_entry;
  assign push_entry = '{write: txn_i.write, id: txn_i.id, row: txn_i.row, line: txn_i.line};
  assign two = ticks_q[1];
  always_comb begin
    push = '0;
    `VL_WHEN(txn_valid_i)
    for (int unsigned b = 0; b < BANKS; b++) push[b] = txn_valid_i && 32'(txn_i.bank) == b;
  end
  for (genvar b = 0; b < int'(BANKS); b++) begin : gen_bank
    dram_bank #(.KIND(KIND)) u_bank (
        .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .page_i,
        .push_i(push[b]), .push_entry_i(push_entry), .push_slot_o(bank_slot[b]), .status_o(status_o[b]),
        .head_o(head[b]), .busy_o(bank_busy[b]), .open_o(bank_open[b]), .hit_o(bank_hit[b]), .want_act_o(bank_want_act[b]), .want_pre_o(bank_want_pre[b]),
        .ready_o(bank_ready[b]), .first_o(bank_first[b]),
        .get_i(get[b]), .prea_i(do_prea), .early_i(early[b]), .prea_early_i(two && prea_first), .rbuf_i(rbuf),
        .next_o(bank_next[b]), .start_o(bank_start[b])
    );
  end
  always_comb begin
    push_slot = '0;
    busy = '0;
    open = '0;
    hit = '0;
    want_act = '0;
    want_pre = '0;
    next = '0;
    start = '0;
    write = '0;
    `VL_WHEN(awake)
    for (int unsigned b = 0; b < BANKS; b++) begin
      push_slot[b] = bank_slot[b];
      busy[b] = bank_busy[b];
      open[b] = bank_open[b];
      hit[b] = bank_hit[b];
      want_act[b] = bank_want_act[b];
      want_pre[b] = bank_want_pre[b];
      next[b] = bank_next[b];
      start[b] = bank_start[b];
      write[b] = head[b].entry.write;
    end
  end

  // ---- waits of groups and channel (step 4) ----------------------------------------------------------------------
  // The commands, by group and in all, at the last tick of this cycle or at the first of two.
  dram_waits_t [GROUPS_N-1:0] g_last, g_first, g_ready, g_at_first;
  dram_waits_t c_last, c_first, c_ready, c_at_first;
  logic faw_ready, faw_first, ref_ready, ref_at_first;
  always_comb begin
    g_last = '0;
    g_first = '0;
    c_last = '0;
    c_first = '0;
    `VL_WHEN(pick != '0)
    for (int unsigned b = 0; b < BANKS; b++) begin
      g_last[b/DRAM_BANKS] |= get[b] & ~early[b];
      g_first[b/DRAM_BANKS] |= get[b] & early[b];
      c_last |= get[b] & ~early[b];
      c_first |= get[b] & early[b];
    end
  end
  for (genvar g = 0; g < int'(GROUPS_N); g++) begin : gen_group
    dram_timer #(.KIND(KIND), .VALUE(16'(D.trrd_l))) u_act (
        .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i(g_last[g].act), .load_first_i(g_first[g].act),
        .ready_o(g_ready[g].act), .first_o(g_at_first[g].act)
    );
    dram_timer #(.KIND(KIND), .N(2), .VALUE({16'(D.tccd_l), 16'(D.wr_to_rd_l)}), .OVER(2'b10)) u_rd (
        .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i({g_last[g].rd, g_last[g].wr}),
        .load_first_i({g_first[g].rd, g_first[g].wr}), .ready_o(g_ready[g].rd), .first_o(g_at_first[g].rd)
    );
    dram_timer #(.KIND(KIND), .VALUE(16'(D.tccd_l))) u_wr (
        .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i(g_last[g].wr), .load_first_i(g_first[g].wr),
        .ready_o(g_ready[g].wr), .first_o(g_at_first[g].wr)
    );
    assign g_ready[g].pre = 1'b1;
    assign g_at_first[g].pre = 1'b1;
  end
  dram_timer #(.KIND(KIND), .VALUE(16'(D.trrd_s))) u_act (
      .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i(c_last.act), .load_first_i(c_first.act),
      .ready_o(c_ready.act), .first_o(c_at_first.act)
  );
  dram_timer #(.KIND(KIND), .N(2), .VALUE({16'(D.col_gap), 16'(D.wr_to_rd_s)}), .OVER(2'b10)) u_rd (
      .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i({c_last.rd, c_last.wr}),
      .load_first_i({c_first.rd, c_first.wr}), .ready_o(c_ready.rd), .first_o(c_at_first.rd)
  );
  dram_timer #(.KIND(KIND), .N(2), .VALUE({16'(D.rd_to_wr), 16'(D.col_gap)}), .OVER(2'b01)) u_wr (
      .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i({c_last.rd, c_last.wr}),
      .load_first_i({c_first.rd, c_first.wr}), .ready_o(c_ready.wr), .first_o(c_at_first.wr)
  );
  assign c_ready.pre = 1'b1;
  assign c_at_first.pre = 1'b1;
  if (D.trefi != 0) begin : gen_ref
    dram_timer #(.KIND(KIND), .VALUE(16'(D.trfc))) u_ref (
        .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i(do_ref && !(two && ref_first)),
        .load_first_i(do_ref && two && ref_first), .ready_o(ref_ready), .first_o(ref_at_first)
    );
  end else begin : gen_no_ref
    assign ref_ready = 1'b1;
    assign ref_at_first = 1'b1;
  end
  if (D.tfaw != 0) begin : gen_faw
    logic [3:0] turn_q;      // one-hot: faw_next
    logic [3:0] ready, at_first;
    for (genvar k = 0; k < 4; k++) begin : gen_act
      dram_timer #(.KIND(KIND), .VALUE(16'(D.tfaw))) u_faw (
          .clk_i, .rst_i, .awake_i(awake), .ticks_i(ticks_q), .coming_i(ticks_d), .load_last_i(c_last.act && turn_q[k]),
          .load_first_i(c_first.act && turn_q[k]), .ready_o(ready[k]), .first_o(at_first[k])
      );
    end
    always_ff @(posedge clk_i)
      if (rst_i) turn_q <= 4'b0001;
      else if (do_act != '0) turn_q <= {turn_q[2:0], turn_q[3]};
    assign faw_ready = (ready & turn_q) != '0;
    assign faw_first = (at_first & turn_q) != '0;
  end else begin : gen_no_faw
    assign faw_ready = 1'b1;
    assign faw_first = 1'b1;
  end

  // ---- candidates (step 1) ---------------------------------------------------------------------------------------
  logic run, drain, ref_wanted, flight_ready, buf_ready, turn_q, dir_q;
  group_t last_group_q;
  logic [STREAK_W-1:0] streak_q;
  logic [LOST_W-1:0] lost_q;
  dram_waits_t [GROUPS_N-1:0] shared;      // what group and channel allow
  banks_t col_ready, other, act_ready, pre_ready;
  always_comb begin
    col_ready = '0;
    act_ready = '0;
    pre_ready = '0;
    shared = '0;
    other = '0;
    `VL_WHEN((hit | want_act | want_pre) != '0) begin
      for (int unsigned g = 0; g < GROUPS_N; g++) begin
        shared[g].act = g_ready[g].act && c_ready.act && ref_ready && faw_ready && run;
        shared[g].rd = g_ready[g].rd && c_ready.rd && run && !(turn_q && !dir_q) && flight_ready;
        shared[g].wr = g_ready[g].wr && c_ready.wr && run && !(turn_q && dir_q);
        shared[g].pre = run;
      end
      for (int unsigned b = 0; b < BANKS; b++) begin
        other[b] = group_t'(b / DRAM_BANKS) != last_group_q;
        col_ready[b] = hit[b] && (write[b] ? bank_ready[b].wr && shared[b/DRAM_BANKS].wr
                                           : bank_ready[b].rd && shared[b/DRAM_BANKS].rd && (buf_ready || head[b].n != '0));
        act_ready[b] = bank_ready[b].act && want_act[b] && shared[b/DRAM_BANKS].act;
        pre_ready[b] = bank_ready[b].pre && want_pre[b] && shared[b/DRAM_BANKS].pre;
      end
    end
  end
  // The command, and which of its waits have ended at the first tick.
  always_comb begin
    for (int unsigned b = 0; b < BANKS; b++) begin
      first[b] = '0;
      get[b] = '0;
      early[b] = '0;
    end
    `VL_WHEN(pick != '0)
    for (int unsigned b = 0; b < BANKS; b++) begin
      first[b] = bank_first[b] & g_at_first[b/DRAM_BANKS] & c_at_first;
      first[b].act &= ref_at_first & faw_first;
      get[b] = '{act: do_act[b], rd: do_rd[b], wr: do_wr[b], pre: do_pre[b]};
      early[b] = two ? first[b] : '0;
    end
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
  assign do_act = act_pick;
  assign do_pre = use_pre ? pre_pick : '0;
  assign do_rd = use_col ? col_pick & ~write : '0;
  assign do_wr = use_col ? col_pick & write : '0;

  // ---- refresh (step 3) ------------------------------------------------------------------------------------------
  logic prea_ready, ref_all_ready;
  always_comb begin
    prea_ready = 1'b1;
    prea_first = 1'b1;
    ref_all_ready = ref_ready;
    ref_first = ref_at_first;
    `VL_WHEN(drain || ref_wanted)
    for (int unsigned b = 0; b < BANKS; b++) begin
      prea_ready &= bank_ready[b].pre;
      prea_first &= bank_first[b].pre;
      ref_all_ready &= bank_ready[b].act;
      ref_first &= bank_first[b].act;
    end
  end
  assign do_prea = drain && open != '0 && prea_ready;
  assign do_ref = ref_wanted && ref_all_ready;
  dram_refresh #(.KIND(KIND)) u_refresh (
      .clk_i, .rst_i, .ticks_i(ticks_q), .empty_i(busy == '0), .closed_i(open == '0), .prea_i(do_prea), .ref_i(do_ref),
      .run_o(run), .drain_o(drain), .ref_o(ref_wanted)
  );

  // ---- for the simulator: asleep, nothing changes but accumulator, read buffers and the time to the next refresh ----
  // After the last event it stays awake for longer than any wait lasts: for the sum of all waits. It is always awake where a core cycle may have no tick, since then the outputs of all waits change.
  localparam int unsigned REST = D.trfc + D.trc + D.tras + D.trp + D.trcd_rd + D.trcd_wr + D.tfaw + D.trrd_s + D.trrd_l + D.trtp
      + D.tccd_l + D.col_gap + D.wr_to_pre + D.wr_to_rd_s + D.wr_to_rd_l + D.rd_to_wr + 4;
  logic [15:0] rest_q;
  assign awake = txn_valid_i || rest_q != '0 || !run || page_i != PAGE_OPEN || CLK_NUM < CLK_DEN;
  always_ff @(posedge clk_i)
    if (rst_i || txn_valid_i || busy != '0 || !run || page_i != PAGE_OPEN) rest_q <= 16'(REST);
    else rest_q <= (rest_q > 16'(ticks_q)) ? rest_q - 16'(ticks_q) : '0;

  // ---- the chosen bank -------------------------------------------------------------------------------------------
  logic first_tick;
  bank_t pick_bank;
  dram_head_t chosen;
  assign pick = do_act | do_pre | do_rd | do_wr;
  always_comb begin
    chosen = '0;
    pick_bank = '0;
    first_tick = (do_prea && prea_first) || (do_ref && ref_first);
    `VL_WHEN(pick != '0)
    for (int unsigned b = 0; b < BANKS; b++) begin
      first_tick |= (get[b] & first[b]) != '0;
      if (pick[b]) begin
        chosen |= head[b];
        pick_bank |= bank_t'(b);
      end
    end
  end

  // ---- columns (step 7) ------------------------------------------------------------------------------------------
  logic go_rd, go_wr, go_col, last_burst;
  group_t pick_group;
  assign go_rd = do_rd != '0;
  assign go_wr = do_wr != '0;
  assign go_col = go_rd || go_wr;
  assign pick_group = group_t'(pick_bank >> BANK_BITS);
  assign last_burst = 32'(chosen.n) == BURSTS - 1;
  assign rbuf = (chosen.n == '0) ? free_buf : chosen.rbuf;
  logic long_run;
  assign long_run = 32'(streak_q) == DRAM_DIR_LIMIT;
  always_ff @(posedge clk_i)
    if (rst_i) begin
      dir_q <= 1'b0;
      last_group_q <= '0;
      streak_q <= '0;
      turn_q <= 1'b0;
      lost_q <= '0;
    end else begin
      if (go_col) begin
        dir_q <= go_wr;
        last_group_q <= pick_group;
        streak_q <= (go_wr != dir_q) ? STREAK_W'(1) : long_run ? streak_q : streak_q + 1'b1;
      end
      turn_q <= long_run && (hit & (dir_q ? ~write : write)) != '0 && !(go_col && go_wr != dir_q);
      if (pre_ready == '0 || use_pre) lost_q <= '0;
      else if (32'(lost_q) != DRAM_ROW_PATIENCE) lost_q <= lost_q + 1'b1;
    end

  logic read_idle;
  dram_read #(.KIND(KIND)) u_read (
      .clk_i, .rst_i, .flight_ready_o(flight_ready), .buf_ready_o(buf_ready), .buf_o(free_buf),
      .rd_i(go_rd), .first_i(chosen.n == '0), .id_i(chosen.entry.id), .rbuf_i(rbuf), .n_i(chosen.n), .last_i(last_burst),
      .rd_valid_i, .rd_data_i(rd_i), .rsp_valid_o, .rsp_o, .idle_o(read_idle)
  );

  // ---- pins (step 10) --------------------------------------------------------------------------------------------
  dram_pins_t pins_q, pins_d;
  always_comb begin
    pins_d = '0;
    pins_d.ticks = ticks_q;
    if (pick != '0) begin
      pins_d.group = pick_group;
      pins_d.bank = CH_LOCAL_W'(pick_bank & bank_t'(32'(DRAM_BANKS - 1)));
    end
    if (do_act != '0) pins_d.row = chosen.entry.row;
    if (go_col) pins_d.col = CH_COL_W'(((32'(chosen.entry.line) * BURSTS) + 32'(chosen.n)) * D.burst);
    if (do_prea) pins_d.op = PIN_PREA;
    else if (do_ref) pins_d.op = PIN_REF;
    else if (do_act != '0) pins_d.op = PIN_ACT;
    else if (do_pre != '0) pins_d.op = PIN_PRE;
    else if (go_rd) pins_d.op = PIN_RD;
    else if (go_wr) pins_d.op = PIN_WR;
    pins_d.phase = pins_d.op != PIN_NOP && !first_tick;
  end

  // The bytes of a burst are read beside the pins' register: the address would be late for a RAM with a read register.
  localparam int unsigned PLACE_W = CH_BANK_W + 1;
  logic [PLACE_W-1:0] place_q;
  dram_burst_t n_q;
  line_data_t write_data;
  line_be_t write_be;
  ram_lut #(.DEPTH(1 << PLACE_W), .WIDTH(LINE_BITS + LINE_BYTES)) u_write (
      .clk_i, .we_i(txn_valid_i && txn_i.write), .waddr_i({txn_i.bank, push_slot[txn_i.bank]}), .wdata_i({txn_i.be, txn_i.data}),
      .raddr_i(place_q), .rdata_o({write_be, write_data})
  );
  always_ff @(posedge clk_i) begin
    pins_q <= rst_i ? '0 : pins_d;
    place_q <= {pick_bank, chosen.slot};
    n_q <= chosen.n;
  end
  always_comb begin
    pins_o = pins_q;
    if (pins_q.op == PIN_WR) begin
      pins_o.be = BURST_BYTES'(write_be[32'(n_q)*BYTES+:BYTES]);
      pins_o.data = BURST_BITS'(write_data[32'(n_q)*8*BYTES+:8*BYTES]);
    end
  end

  assign idle_o = busy == '0 && read_idle && pins_q.op == PIN_NOP;

  // ---- events ----------------------------------------------------------------------------------------------------
  ev_dram_ctrl_t ev_q, ev_d;
  assign ev_d = '{
    dram_acts: do_act != '0, dram_reads: go_rd, dram_writes: go_wr, dram_pres: do_pre != '0, dram_prea: do_prea, dram_refs: do_ref,
    dram_row_hits: go_col && chosen.n == '0 && !chosen.acted, dram_row_misses: go_col && chosen.n == '0 && chosen.acted,
    dram_turnarounds: go_col && go_wr != dir_q, dram_busy: busy != '0, dram_refreshing: busy != '0 && !run
  };
  always_ff @(posedge clk_i) ev_q <= rst_i ? '0 : ev_d;
  assign ev_o = ev_q;

  `VL_ASSERT(one_command, $countones(pick) <= 1)
  `VL_ASSERT(only_when_running, run || pick == '0)
  `VL_ASSERT(bank_exists, !txn_valid_i || 32'(txn_i.bank) < BANKS)
endmodule
