// No command of dram_ctrl comes too early: a monitor at its pins, with the rules of docs/dram-device.md, apart from the controller. It picks
// one command, any, counts the clocks since, and checks the distance of every later command to the picked one; as the pick is free, that is every
// pair of commands. T* are the fields of the timing set, read by `run` and not by the generator of the controller's constants.
module dram_ctrl_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, memside_pkg::*;
#(
    parameter int unsigned TCL = 1, TCWL = 1, BURST_CLOCKS = 1, TRCD_RD = 1, TRCD_WR = 1, TRP = 1, TRAS = 1, TRC = 1,
    parameter int unsigned TCCD_S = 1, TCCD_L = 1, TRRD_S = 1, TRRD_L = 1, TFAW = 1, TWR = 1, TWTR_S = 1, TWTR_L = 1, TRTP = 1, TURNAROUND = 1, TRFC = 1,
    parameter int unsigned BURST = 1, CLK_NUM = 1, CLK_DEN = 1,
    parameter int unsigned TREFI = 1, REFRESH_POSTPONE = 1
) (
    input logic         clk_i,
    input logic         valid_i,
    input txn_t         txn_i,
    input logic         rd_i,
    input page_e page_i,
    input logic         pick_i,
    input bank_t        bank_i
);
  logic started_q = 1'b0;
  logic rst;
  assign rst = !started_q;

  bank_status_t [CH_BANKS-1:0] status;
  dram_pins_t pins;
  logic valid, rd_valid, rsp_valid, idle;
  txn_rsp_t rsp;
  ev_dram_ctrl_t ev;
  dram_ctrl dut (
      .clk_i, .rst_i(rst), .txn_valid_i(valid), .txn_i, .status_o(status), .rsp_valid_o(rsp_valid), .rsp_o(rsp), .pins_o(pins),
      .rd_valid_i(rd_valid), .rd_i('0), .page_i, .idle_o(idle), .ev_o(ev)
  );

  // Promises to the controller: transactions where there is room, and a burst for each RD, whenever it comes.
  logic [4:0] asked_q;
  assign valid = valid_i && status[txn_i.bank].room != '0;
  assign rd_valid = rd_i && asked_q != '0;

  // ---- the picked command and the clocks since ----------------------------------------------------------------------
  localparam int unsigned FAR = 31;      // more than any wait but those of refresh
  logic picked_q;
  dram_pins_t from_q;
  logic [4:0] since_q;                   // clocks from it to the first clock of this cycle
  logic [2:0] acts_q;                    // ACTs after it
  logic cmd, act, rd, wr, pre, prea, refresh, same_bank, same_group;
  logic [5:0] gap;                       // clocks from the picked command to this one
  assign cmd = pins.op != PIN_NOP;
  assign act = pins.op == PIN_ACT;
  assign rd = pins.op == PIN_RD;
  assign wr = pins.op == PIN_WR;
  assign pre = pins.op == PIN_PRE;
  assign prea = pins.op == PIN_PREA;
  assign refresh = pins.op == PIN_REF;
  assign same_group = pins.group == from_q.group;
  assign same_bank = same_group && pins.bank == from_q.bank;
  assign gap = 6'(since_q) + 6'(pins.phase);
  logic f_act, f_rd, f_wr, f_pre, f_prea, f_ref;
  assign f_act = picked_q && from_q.op == PIN_ACT;
  assign f_rd = picked_q && from_q.op == PIN_RD;
  assign f_wr = picked_q && from_q.op == PIN_WR;
  assign f_pre = picked_q && from_q.op == PIN_PRE;
  assign f_prea = picked_q && from_q.op == PIN_PREA;
  assign f_ref = picked_q && from_q.op == PIN_REF;

  function automatic logic [5:0] least(input int unsigned clocks);
    return 6'(clocks);
  endfunction

  // ---- open banks --------------------------------------------------------------------------------------------------
  logic [(1 << (CH_GROUP_W + CH_LOCAL_W))-1:0] open_q;
  logic [CH_GROUP_W+CH_LOCAL_W-1:0] where;
  logic [(1 << (CH_GROUP_W + CH_LOCAL_W))-1:0] open;
  assign where = {pins.group, pins.bank};
  always_comb begin                      // ... after this cycle's command
    open = prea ? '0 : open_q;
    if (act) open[where] = 1'b1;
    if (pre) open[where] = 1'b0;
  end

  // ---- one bank, any: the transactions given to it and not yet performed ---------------------------------------------
  typedef struct packed {
    logic write;
    row_t row;
    row_line_t line;
  } asked_t;
  bank_t bank_q;
  asked_t [1:0] queue_q;
  logic [1:0] count_q, left;
  asked_t [1:0] queue;
  logic [1:0] n_q, n;                    // bursts of the first one that were commanded
  row_t row_q, row;                         // of its last ACT
  logic mine, column, ends, put;
  assign mine = bank_q == bank_t'({pins.group, pins.bank});
  assign column = (rd || wr) && mine;
  assign ends = column && 32'(n_q) == LINE_BURSTS - 1;
  assign put = valid && txn_i.bank == bank_q;
  assign left = count_q - 2'(ends);
  assign queue = ends ? queue_q >> $bits(asked_t) : queue_q;
  assign n = ends ? '0 : n_q + 2'(column);
  assign row = (act && mine) ? pins.row : row_q;

  // ---- clocks of the core cycles; the pins show them a cycle later ----------------------------------------------------
  logic [7:0] acc_q, sum;
  logic [1:0] ticks, ticks_q;
  assign sum = acc_q + 8'(CLK_NUM);
  assign ticks = (32'(sum) >= 2 * CLK_DEN) ? 2'd2 : {1'b0, 32'(sum) >= CLK_DEN};

  // ---- refresh: one is pending for every tREFI that has passed -------------------------------------------------------------
  logic [7:0] refi_q, refi;                // clocks until another one is pending
  logic [2:0] pending_q, pending;
  logic another;
  assign another = 8'(pins.ticks) >= refi_q;
  assign refi = refi_q - 8'(pins.ticks) + (another ? 8'(TREFI) : 8'd0);
  assign pending = pending_q + 3'(another) - 3'(refresh);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    refi_q <= rst ? 8'(TREFI) : refi;
    pending_q <= rst ? '0 : pending;
    if (rst) begin
      picked_q <= 1'b0;
      since_q <= '0;
      acts_q <= '0;
      from_q <= '0;
      open_q <= '0;
      asked_q <= '0;
      bank_q <= bank_i;
      count_q <= '0;
      n_q <= '0;
      acc_q <= '0;
      ticks_q <= '0;
    end else begin
      acc_q <= sum - ((ticks == 2'd2) ? 8'(2 * CLK_DEN) : (ticks == 2'd1) ? 8'(CLK_DEN) : 8'd0);
      ticks_q <= ticks;
      asked_q <= asked_q + 5'(rd) - 5'(rd_valid);
      if (pick_i && cmd) begin
        picked_q <= 1'b1;
        from_q <= pins;
        since_q <= 5'(pins.ticks) - 5'(pins.phase);
        acts_q <= '0;
      end else begin
        since_q <= (32'(since_q) + 32'(pins.ticks) > FAR) ? 5'(FAR) : since_q + 5'(pins.ticks);
        if (act && acts_q != 3'd4) acts_q <= acts_q + 3'd1;
      end
      open_q <= open;

      row_q <= row;
      n_q <= n;
      queue_q <= queue;
      if (put) queue_q[left[0]] <= '{write: txn_i.write, row: txn_i.row, line: txn_i.line};
      count_q <= left + 2'(put);
    end
  end

  always_comb if (!rst) begin
    ticks_of_the_ratio: assert (pins.ticks == ticks_q);
    command_in_a_tick: assert (!cmd || 2'(pins.phase) < pins.ticks);
    trcd_rd: assert (!(f_act && rd && same_bank) || gap >= least(TRCD_RD));
    trcd_wr: assert (!(f_act && wr && same_bank) || gap >= least(TRCD_WR));
    trp: assert (!((f_pre && act && same_bank) || (f_pre && refresh) || (f_prea && (act || refresh))) || gap >= least(TRP));
    tras: assert (!(f_act && ((pre && same_bank) || prea)) || gap >= least(TRAS));
    trc: assert (!(f_act && ((act && same_bank) || refresh)) || gap >= least(TRC));
    trrd_s: assert (!(f_act && act && !same_group) || gap >= least(TRRD_S));
    trrd_l: assert (!(f_act && act && same_group) || gap >= least(TRRD_L));
    tfaw: assert (!(f_act && act && acts_q == 3'd3) || gap >= least(TFAW));
    tccd_s: assert (!(((f_rd && rd) || (f_wr && wr)) && !same_group) || gap >= least(TCCD_S));
    tccd_l: assert (!(((f_rd && rd) || (f_wr && wr)) && same_group) || gap >= least(TCCD_L));
    twtr_s: assert (!(f_wr && rd && !same_group) || gap >= least(TCWL + BURST_CLOCKS + TWTR_S));
    twtr_l: assert (!(f_wr && rd && same_group) || gap >= least(TCWL + BURST_CLOCKS + TWTR_L));
    twr: assert (!(f_wr && ((pre && same_bank) || prea)) || gap >= least(TCWL + BURST_CLOCKS + TWR));
    trtp: assert (!(f_rd && ((pre && same_bank) || prea)) || gap >= least(TRTP));
    turnaround: assert (!(f_rd && wr) || gap + least(TCWL) >= least(TCL + BURST_CLOCKS + TURNAROUND));
    data_bus: assert (!((f_rd || f_wr) && (rd || wr))
                      || gap + (rd ? least(TCL) : least(TCWL)) >= (f_rd ? least(TCL) : least(TCWL)) + least(BURST_CLOCKS));
    trfc: assert (!(f_ref && cmd) || gap >= least(TRFC));
    refresh_in_time: assert (32'(pending) <= REFRESH_POSTPONE);
    refresh_is_pending: assert (!refresh || another || pending_q != '0);

    act_finds_it_closed: assert (!act || !open_q[where]);
    column_finds_it_open: assert (!(rd || wr) || open_q[where]);
    ref_finds_all_closed: assert (!refresh || open_q == '0);

    room_is_right: assert (status[bank_q].room + left == 2'd2);
    column_was_asked: assert (!column || (count_q != '0 && queue_q[0].write == wr));
    column_of_its_row: assert (!column || row_q == queue_q[0].row);
    column_of_its_line: assert (!column || 32'(pins.col) == (32'(queue_q[0].line) * LINE_BURSTS + 32'(n_q)) * BURST);
  end

  // ---- lemmas ----------------------------------------------------------------------------------------------------------
  // Lemmas that connect the controller's registers, which are a cycle ahead of the pins, with the monitor; with them the assertions above are inductive.
  // A wait covers the rest of a rule, whether the command it counts from is the picked one or the one on the pins now.
  logic [5:0] passed, fresh;             // clocks from each of the two to the first clock of the controller's cycle
  assign passed = 6'(since_q) + 6'(pins.ticks);
  assign fresh = 6'(pins.ticks) - 6'(pins.phase);
  function automatic logic covers(input logic [15:0] left, input logic from_picked, input logic from_now, input int unsigned clocks);
    return (!from_picked || 32'(left) + 32'(passed) >= clocks) && (!from_now || 32'(left) + 32'(fresh) >= clocks);
  endfunction
  localparam int unsigned WRITTEN = TCWL + BURST_CLOCKS;
  localparam int unsigned COLUMN = (TCCD_S > BURST_CLOCKS) ? TCCD_S : BURST_CLOCKS;

  for (genvar b = 0; b < int'(CH_BANKS); b++) begin : gen_bank
    logic here_p, here_n;
    assign here_p = bank_t'({from_q.group, from_q.bank}) == bank_t'(b);
    assign here_n = bank_t'({pins.group, pins.bank}) == bank_t'(b);
    always_comb if (!rst) begin
      lemma_bank_act: assert (covers(16'(dut.gen_bank[b].u_bank.u_act.state_q.left), f_act && here_p, act && here_n, TRC)
                              && covers(16'(dut.gen_bank[b].u_bank.u_act.state_q.left), (f_pre && here_p) || f_prea, (pre && here_n) || prea, TRP));
      lemma_bank_rd: assert (covers(16'(dut.gen_bank[b].u_bank.u_rd.state_q.left), f_act && here_p, act && here_n, TRCD_RD));
      lemma_bank_wr: assert (covers(16'(dut.gen_bank[b].u_bank.u_wr.state_q.left), f_act && here_p, act && here_n, TRCD_WR));
      lemma_bank_pre: assert (covers(16'(dut.gen_bank[b].u_bank.u_pre.state_q.left), f_act && here_p, act && here_n, TRAS)
                              && covers(16'(dut.gen_bank[b].u_bank.u_pre.state_q.left), f_rd && here_p, rd && here_n, TRTP)
                              && covers(16'(dut.gen_bank[b].u_bank.u_pre.state_q.left), f_wr && here_p, wr && here_n, WRITTEN + TWR)
                              && (dut.open[b] || dut.gen_bank[b].u_bank.u_pre.state_q.left == '0));
      lemma_open: assert (open[b] == dut.open[b]);
      lemma_same: assert (dut.gen_bank[b].u_bank.count_q != 2'd3 && (dut.gen_bank[b].u_bank.count_q != 2'd2
                          || dut.gen_bank[b].u_bank.same_q == (dut.gen_bank[b].u_bank.e0_q.row == dut.gen_bank[b].u_bank.e1_q.row)));
      lemma_queue: assert (bank_q != bank_t'(b) || (
          dut.gen_bank[b].u_bank.count_q == left && 32'(dut.gen_bank[b].u_bank.n_q) == 32'(n) && (left != '0 || n == '0)
          && (!dut.open[b] || dut.gen_bank[b].u_bank.row_q == row)
          && (left == '0 || (dut.gen_bank[b].u_bank.e0_q.write == queue[0].write && dut.gen_bank[b].u_bank.e0_q.row == queue[0].row
                             && dut.gen_bank[b].u_bank.e0_q.line == queue[0].line))
          && (left != 2'd2 || (dut.gen_bank[b].u_bank.e1_q.write == queue[1].write && dut.gen_bank[b].u_bank.e1_q.row == queue[1].row
                               && dut.gen_bank[b].u_bank.e1_q.line == queue[1].line))));
    end
  end
  for (genvar g = 0; g < int'(1 << GROUP_BITS); g++) begin : gen_group
    logic here_p, here_n;
    assign here_p = 32'(from_q.group) == g;
    assign here_n = 32'(pins.group) == g;
    always_comb if (!rst) begin
      lemma_group_act: assert (covers(16'(dut.gen_group[g].u_act.state_q.left), f_act && here_p, act && here_n, TRRD_L));
      lemma_group_rd: assert (covers(16'(dut.gen_group[g].u_rd.state_q.left), f_rd && here_p, rd && here_n, TCCD_L)
                              && covers(16'(dut.gen_group[g].u_rd.state_q.left), f_wr && here_p, wr && here_n, WRITTEN + TWTR_L));
      lemma_group_wr: assert (covers(16'(dut.gen_group[g].u_wr.state_q.left), f_wr && here_p, wr && here_n, TCCD_L));
    end
  end
  logic [2:0] acts;                      // since the picked one, up to the pins
  logic [3:0] loaded_p, loaded_n;        // the tFAW timer that is theirs
  assign acts = acts_q + 3'(act);
  always_comb begin
    loaded_n = {dut.gen_faw.turn_q[0], dut.gen_faw.turn_q[3:1]};
    loaded_p = '0;
    for (int unsigned k = 0; k < 4; k++) if (32'(acts) == k) loaded_p = 4'({dut.gen_faw.turn_q, dut.gen_faw.turn_q} >> (k + 1));
  end
  for (genvar k = 0; k < 4; k++) begin : gen_faw
    always_comb if (!rst)
      lemma_faw: assert (covers(16'(dut.gen_faw.gen_act[k].u_faw.state_q.left), f_act && loaded_p[k], act && loaded_n[k], TFAW));
  end
  always_comb if (!rst) begin
    lemma_faw_turn: assert ($countones(dut.gen_faw.turn_q) == 1);
    lemma_channel_act: assert (covers(16'(dut.u_act.state_q.left), f_act, act, TRRD_S));
    lemma_channel_rd: assert (covers(16'(dut.u_rd.state_q.left), f_rd, rd, COLUMN) && covers(16'(dut.u_rd.state_q.left), f_wr, wr, WRITTEN + TWTR_S));
    lemma_channel_wr: assert (covers(16'(dut.u_wr.state_q.left), f_wr, wr, COLUMN)
                              && covers(16'(dut.u_wr.state_q.left) + 16'(TCWL), f_rd, rd, TCL + BURST_CLOCKS + TURNAROUND));
    lemma_ref: assert (covers(16'(dut.gen_ref.u_ref.state_q.left), f_ref, refresh, TRFC));
    lemma_ref_closed: assert (dut.open == '0 || covers('0, f_ref, refresh, TRFC));
    lemma_stage: assert (!dut.ref_wanted || dut.open == '0);
    lemma_ticks: assert (acc_q == 8'(dut.acc_q) && dut.ticks_q == ticks && 32'(acc_q) < CLK_DEN);
    lemma_asked: assert (dut.u_read.u_flight.some_q == (dut.u_read.u_flight.count_q != '0) && dut.u_read.u_flight.full_q == (32'(dut.u_read.u_flight.count_q) == DRAM_FLIGHT)
                         && 32'(dut.u_read.u_flight.count_q) == 32'(asked_q) + 32'(rd));
    lemma_op: assert (pins.op != 3'd7 && (!cmd || 2'(pins.phase) < pins.ticks));
  end
  for (genvar i = 0; i < int'(CH_BANKS); i++) begin : gen_order
    for (genvar j = 0; j < i; j++) begin : gen_pair
      always_comb if (!rst) lemma_order: assert (dut.u_order.gen_bank[i].older_q[j] != dut.u_order.gen_bank[j].older_q[i]);
    end
  end

  // Refresh: in time because the waits of DRAIN and REF end long before another one is pending. Nothing but PREA and REF goes meanwhile, so waits only fall.
  localparam int unsigned PRE_WAIT = 14, ACT_WAIT = 10, REF_WAIT = 8;          // of tREFI, still there beyond the waits
  localparam int unsigned RUN = 0, DRAIN = 1, REF = 2;
  logic [7:0] pre_left, act_left, ref_left, left_refi;
  logic [CH_BANKS-1:0][7:0] pre_lefts, act_lefts;
  logic [1:0] stage;
  logic some_pending;
  for (genvar b = 0; b < int'(CH_BANKS); b++) begin : gen_lefts
    assign pre_lefts[b] = 8'(dut.gen_bank[b].u_bank.u_pre.state_q.left);
    assign act_lefts[b] = 8'(dut.gen_bank[b].u_bank.u_act.state_q.left);
  end
  always_comb begin
    pre_left = '0;
    act_left = '0;
    for (int unsigned b = 0; b < CH_BANKS; b++) begin
      if (pre_lefts[b] > pre_left) pre_left = pre_lefts[b];
      if (act_lefts[b] > act_left) act_left = act_lefts[b];
    end
  end
  assign ref_left = 8'(dut.gen_ref.u_ref.state_q.left);
  assign left_refi = 8'(dut.u_refresh.gen_refresh.refi_q);
  assign stage = dut.u_refresh.gen_refresh.stage_q;
  assign some_pending = dut.u_refresh.gen_refresh.due_q != '0;
  if (REFRESH_POSTPONE != 1) $error("dram_ctrl_proof: the lemmas of refresh are of one that may be late");
  always_comb if (!rst) begin
    lemma_pending: assert (refi == left_refi && pending == 3'(dut.u_refresh.gen_refresh.due_q) && refi != '0 && 32'(refi) <= TREFI);
    lemma_in_wait: assert (32'(act_left) < TRC && 32'(ref_left) < TRFC && 32'(pre_left) < ((TRAS > WRITTEN + TWR) ? TRAS : WRITTEN + TWR));
    lemma_in_run: assert (32'(stage) != RUN || (some_pending ? 32'(left_refi) + 1 >= TREFI && ref_left == '0 : ref_left <= left_refi));
    lemma_in_drain: assert (32'(stage) != DRAIN || (some_pending && ref_left == '0 && 32'(left_refi) >= 32'(pre_left) + PRE_WAIT && 32'(left_refi) >= 32'(act_left) + ACT_WAIT));
    lemma_in_ref: assert (32'(stage) != REF || (some_pending && ref_left == '0 && 32'(left_refi) >= 32'(act_left) + REF_WAIT));
    lemma_in_none: assert (32'(stage) <= REF);
  end
endmodule

// In every timer: whether it is over at the first clock, and in which cycle, is kept beside it.
module dram_timer_lemma (
    input logic        clk_i,
    input logic        rst_i,
    input logic [1:0]  ticks_i,
    input logic [15:0] left_i,
    input logic        ready_i,
    input logic        first_i
);
  always_comb if (!rst_i)
    lemma_timer: assert (first_i == (left_i == '0) && ready_i == (ticks_i[1] ? left_i <= 16'd1 : ticks_i[0] && left_i == '0));
endmodule
bind dram_timer dram_timer_lemma u_lemma (.clk_i, .rst_i, .ticks_i, .left_i(16'(state_q.left)), .ready_i(state_q.ready), .first_i(state_q.first));
