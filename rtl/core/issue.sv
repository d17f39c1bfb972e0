// Issue: one warp a cycle is chosen among those with a next instruction that may issue; the instruction is sent in BEATS beats.
// ibuf holds the instructions, scoreboard the hazards, warp_sched chooses; here are the rules, the credits and the path of each warp.
// Page: docs/blocks/issue.md.
`include "vl_assert.svh"
module issue
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    // fetch
    input  logic       push_valid_i,
    input  push_t      push_i,
    output logic       pop_valid_o,
    output warp_t      pop_o,
    // simt
    input  logic       redirect_valid_i,
    input  redirect_t  redirect_i,
    // regfile
    input  logic       wb_valid_i,
    input  wb_t        wb_i,
    input  credit_t    credit_i,
    input  logic       wb_hold_i,
    output logic       issue_valid_o,
    output issued_t     issue_o,
    // lsu
    input  logic       lsu_credit_i,
    // barrier
    input  logic       bar_release_valid_i,
    input  warp_mask_t bar_release_i,
    // control
    input  warp_mask_t mem_eligible_i,
    input  policy_t    policy_i,
    input  logic       halt_i,
    output logic       idle_o,
    // counters
    output ev_issue_t  ev_o
);
  // Credits of the pipes that have a queue.
  localparam int unsigned POOLS = 4;
  localparam int unsigned DIV = 0, FPU = 1, FDIV = 2, LSU = 3;     // FPU: and MUL
  localparam int unsigned MOST_CREDITS = (LSU_IN_DEPTH > FPU_RESULT_DEPTH) ? LSU_IN_DEPTH : FPU_RESULT_DEPTH;  // of DIV and FDIV: BEATS, no more than these
  localparam int unsigned CREDIT_W = $clog2(MOST_CREDITS + 1);
  typedef logic [CREDIT_W-1:0] credits_t;
  typedef credits_t [POOLS-1:0] pools_t;

  // State of each warp.
  warp_mask_t active_q, at_rpc_q, ctl_q, bar_q, ser_q, rpc_valid_q;
  pc_t [WARPS-1:0] pc_q;
  pc_t [WARPS-1:0] before_q;       // the pc before the reconvergence point: rpc - 4
  thread_mask_t [WARPS-1:0] tmask_q;
  seq_t [WARPS-1:0] seq_q;
  pools_t credits_q;
  logic issue_valid_q, pop_valid_q;
  issued_t issue_q;                 // `op` holds CTL operations only: all others are decoded at the output
  warp_t pop_q;
  ev_issue_t ev_q;

  // ---- conditions of this cycle ----------------------------------------------------------------------------------
  warp_mask_t redir, gone, start, stop, release_oh, quiet, dependent, filled;
  ibuf_entry_t [WARPS-1:0] head;
  logic in_flight_none;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      redir[w] = redirect_valid_i && 32'(redirect_i.warp) == w;
      gone[w] = redir[w] && (redirect_i.flush || redirect_i.stop);
      start[w] = redir[w] && redirect_i.start;
      stop[w] = redir[w] && redirect_i.stop;
    end

  // ---- class of each warp ----------------------------------------------------------------------------------------
  logic [POOLS-1:0] earned, room;
  assign earned = {lsu_credit_i, credit_i.fdiv, credit_i.fpu, credit_i.div};
  always_comb
    for (int unsigned p = 0; p < POOLS; p++)
      room[p] = 32'(credits_q[p]) >= BEATS || (earned[p] && 32'(credits_q[p]) == BEATS - 1);

  // MUL is two cycles shorter than FPU: a beat of MUL that begins now must not meet a beat of FPU at their result queue.
  logic fpu_now, fpu_before_q, mul_meets;
  assign fpu_now = issue_valid_q && issue_q.pipe == PIPE_FPU;
  assign mul_meets = fpu_before_q || (BEATS > 1 && fpu_now);
  always_ff @(posedge clk_i) fpu_before_q <= fpu_now && !rst_i;

  warp_mask_t ready, at_rpc;      // ready to be decided; at_rpc: by a JOIN
  warp_mask_t in_barrier, in_control, in_serial, in_fetch, in_dependency, in_pipe;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      logic running, heads, pipe_ok;
      case (head[w].pipe)
        PIPE_ALU: pipe_ok = !wb_hold_i;
        PIPE_MUL: pipe_ok = room[FPU] && !mul_meets;
        PIPE_DIV: pipe_ok = room[DIV];
        PIPE_FPU: pipe_ok = room[FPU];
        PIPE_FDIV: pipe_ok = room[FDIV];
        PIPE_LSU: pipe_ok = room[LSU] && mem_eligible_i[w];
        default: pipe_ok = 1'b1;
      endcase
      at_rpc[w] = redir[w] ? redirect_i.at_rpc : at_rpc_q[w];
      in_barrier[w] = active_q[w] && bar_q[w];
      in_control[w] = active_q[w] && !bar_q[w] && ((ctl_q[w] && !redir[w]) || gone[w]);
      running = active_q[w] && !bar_q[w] && !(ctl_q[w] && !redir[w]) && !gone[w] && !(ser_q[w] && !release_oh[w]);
      heads = running && !at_rpc[w] && filled[w];
      in_fetch[w] = running && !at_rpc[w] && !filled[w];
      in_serial[w] = (active_q[w] && !bar_q[w] && !in_control[w] && ser_q[w] && !release_oh[w])
                  || (heads && head[w].is_serial && !quiet[w]);
      in_dependency[w] = heads && !(head[w].is_serial && !quiet[w]) && dependent[w];
      in_pipe[w] = heads && !(head[w].is_serial && !quiet[w]) && !dependent[w] && !pipe_ok;
      ready[w] = (running && at_rpc[w]) || (heads && !(head[w].is_serial && !quiet[w]) && !dependent[w] && pipe_ok);
    end

  // ---- choice: the grant is late, so everything that depends on the warp is computed for each warp before it ------------
  logic slot, decide, decide_join, decide_instr;
  warp_mask_t grant, pop, joined;
  assign slot = !issue_valid_q || issue_q.last;
  warp_sched u_sched (
      .clk_i, .rst_i, .policy_i(policy_i.sched), .ready_i((slot && !halt_i) ? ready : '0), .start_i(start), .grant_o(grant)
  );
  assign joined = grant & at_rpc;
  assign pop = grant & ~at_rpc;
  assign decide = slot && !halt_i && ready != '0;
  assign decide_join = joined != '0;
  assign decide_instr = pop != '0;

  // Effects on each warp if its head is decided.
  warp_mask_t head_ctl, head_bar, head_ser;
  logic [POOLS-1:0][WARPS-1:0] head_pool;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      head_bar[w] = head[w].is_barrier;
      head_ctl[w] = head[w].is_cf || (head[w].pipe == PIPE_CTL && !head[w].is_barrier);
      head_ser[w] = head[w].is_serial && head[w].pipe != PIPE_CTL;
      head_pool[DIV][w] = head[w].pipe == PIPE_DIV && !at_rpc[w];
      head_pool[FPU][w] = head[w].pipe inside {PIPE_FPU, PIPE_MUL} && !at_rpc[w];
      head_pool[FDIV][w] = head[w].pipe == PIPE_FDIV && !at_rpc[w];
      head_pool[LSU][w] = head[w].pipe == PIPE_LSU && !at_rpc[w];
    end

  // The chosen warp.
  warp_t sel;
  ibuf_entry_t sel_head;
  pc_t sel_pc;
  thread_mask_t sel_tmask;
  seq_t sel_seq;
  always_comb begin
    sel = '0;
    sel_head = '0;
    sel_pc = '0;
    sel_tmask = '0;
    sel_seq = '0;
    for (int unsigned w = 0; w < WARPS; w++)
      if (grant[w]) begin
        sel |= warp_t'(w);
        sel_head |= head[w];
        sel_pc |= pc_q[w];
        sel_tmask |= tmask_q[w];
        sel_seq |= seq_q[w];
      end
    if ((grant & redir) != '0) sel_tmask = redirect_i.tmask;
  end

  // The instruction behind the head is at the reconvergence point.
  pc_t redirect_before;
  warp_mask_t next_at_rpc;
  assign redirect_before = {redirect_i.rpc[PA_W-1:2] - 46'd1, redirect_i.rpc[1:0]};
  always_comb
    for (int unsigned w = 0; w < WARPS; w++)
      next_at_rpc[w] = redir[w] ? redirect_i.rpc_valid && redirect_i.pc == redirect_before : rpc_valid_q[w] && pc_q[w] == before_q[w];

  ibuf u_ibuf (
      .clk_i, .rst_i, .push_valid_i, .push_i, .drop_i(gone), .pop_i(pop), .valid_o(filled), .head_o(head)
  );

  logic release_valid;
  assign release_valid = wb_valid_i && wb_i.res.last && wb_i.pipe != PIPE_ALU;
  scoreboard u_score (
      .clk_i, .rst_i,
      .head_i(head), .start_i(start),
      .release_i(release_valid), .release_warp_i(wb_i.res.warp), .release_rd_i(wb_i.res.rd),
      .pop_i(pop),
      .dependent_o(dependent), .quiet_o(quiet), .release_o(release_oh), .idle_o(in_flight_none)
  );

  // ---- state of the warps ----------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q <= '0;
      at_rpc_q <= '0;
      ctl_q <= '0;
      bar_q <= '0;
      ser_q <= '0;
    end else begin
      active_q <= (active_q | start) & ~stop;
      ctl_q <= (ctl_q & ~redir) | joined | (pop & head_ctl);
      bar_q <= (bar_q & ~(bar_release_valid_i ? bar_release_i : '0) & ~redir) | (pop & head_bar);
      ser_q <= ((ser_q & ~release_oh) | (pop & head_ser)) & ~start;
      for (int unsigned w = 0; w < WARPS; w++)
        if (pop[w]) at_rpc_q[w] <= next_at_rpc[w];
        else if (redir[w]) at_rpc_q[w] <= redirect_i.at_rpc && !redirect_i.stop;
    end
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (redir[w] && !redirect_i.stop) begin
        tmask_q[w] <= redirect_i.tmask;
        rpc_valid_q[w] <= redirect_i.rpc_valid;
        before_q[w] <= redirect_before;
      end
      if (redir[w] && redirect_i.flush) pc_q[w] <= redirect_i.pc;
      else if (pop[w]) pc_q[w] <= {pc_q[w][PA_W-1:2] + 46'd1, pc_q[w][1:0]};
      if (start[w]) seq_q[w] <= '0;
      else if (pop[w]) seq_q[w] <= seq_q[w] + seq_t'(1);
    end
  end

  // ---- credits ---------------------------------------------------------------------------------------------------
  logic [POOLS-1:0] spent;
  always_comb
    for (int unsigned p = 0; p < POOLS; p++) spent[p] = (grant & head_pool[p]) != '0;
  always_ff @(posedge clk_i)
    if (rst_i) begin
      credits_q[FPU] <= credits_t'(FPU_RESULT_DEPTH);
      credits_q[DIV] <= credits_t'(BEATS);
      credits_q[FDIV] <= credits_t'(BEATS);
      credits_q[LSU] <= credits_t'(LSU_IN_DEPTH);
    end else
      for (int unsigned p = 0; p < POOLS; p++)
        credits_q[p] <= spent[p] ? credits_q[p] + credits_t'(earned[p]) - credits_t'(BEATS) : credits_q[p] + credits_t'(earned[p]);

  // ---- output registers ------------------------------------------------------------------------------------------
  beat_t next_beat;
  assign next_beat = issue_q.beat + beat_t'(1);
  always_ff @(posedge clk_i) begin
    pop_valid_q <= decide_instr && !rst_i;
    pop_q <= sel;
    issue_valid_q <= (decide || !slot) && !rst_i;
    if (decide) begin
      issue_q.warp <= sel;
      issue_q.seq <= sel_seq;
      issue_q.pc <= sel_pc;
      issue_q.instr <= decide_join ? '0 : sel_head.fault ? 32'(sel_head.instr[0]) : sel_head.instr;
      issue_q.op <= decide_join ? OP_JOIN : sel_head.is_exit ? OP_VL_EXIT : sel_head.is_barrier ? OP_VL_BARRIER : OP_ILLEGAL;
      issue_q.ctl <= decide_join ? CTL_JOIN : sel_head.is_exit ? CTL_EXIT : sel_head.is_barrier ? CTL_BARRIER : CTL_ILLEGAL;
      issue_q.pipe <= decide_join ? PIPE_CTL : sel_head.pipe;
      issue_q.beat <= '0;
      issue_q.first <= 1'b1;
      issue_q.last <= BEATS == 1 || decide_join || sel_head.pipe == PIPE_CTL;
      issue_q.rd_we <= decide_instr && sel_head.use_rd;
      issue_q.mask <= (decide_join || sel_head.pipe == PIPE_CTL) ? '0 : sel_tmask[LANES-1:0];
      issue_q.tmask <= sel_tmask;
      issue_q.fetch_fault <= decide_instr && sel_head.fault;
    end else if (!slot) begin
      issue_q.beat <= next_beat;
      issue_q.first <= 1'b0;
      issue_q.last <= 32'(next_beat) == BEATS - 1;
      issue_q.mask <= lane_mask_t'(issue_q.tmask >> (32'(next_beat) * LANES));
    end
  end

  insn_t row;
  assign row = row_of(issue_q.instr);
  always_comb begin
    issue_o = issue_q;
    if (issue_q.pipe != PIPE_CTL) issue_o.op = row.op;
  end
  assign issue_valid_o = issue_valid_q;
  assign pop_valid_o = pop_valid_q;
  assign pop_o = pop_q;
  assign idle_o = active_q == '0 && in_flight_none && !issue_valid_q;

  // ---- events ----------------------------------------------------------------------------------------------------
  logic lost;                      // a slot without a decision, for a reason that lies with the warps
  assign lost = slot && !decide && !halt_i && active_q != '0;
  always_ff @(posedge clk_i)
    if (rst_i) ev_q <= '0;
    else begin
      ev_q.warp_instructions <= decide_instr;
      ev_q.thread_instructions <= '0;  // counted at the output
      ev_q.joins <= decide_join;
      ev_q.issue_beats <= !slot;
      ev_q.stall_halt <= slot && halt_i;
      ev_q.stall_idle <= slot && !halt_i && active_q == '0;
      ev_q.stall_pipe <= lost && in_pipe != '0;
      ev_q.stall_dependency <= lost && in_pipe == '0 && in_dependency != '0;
      ev_q.stall_serial <= lost && (in_pipe | in_dependency) == '0 && in_serial != '0;
      ev_q.stall_control <= lost && (in_pipe | in_dependency | in_serial) == '0 && in_control != '0;
      ev_q.stall_fetch <= lost && (in_pipe | in_dependency | in_serial | in_control) == '0 && in_fetch != '0;
      ev_q.stall_barrier <= lost && (in_pipe | in_dependency | in_serial | in_control | in_fetch) == '0 && in_barrier != '0;
      ev_q.warps_active <= 7'($countones(active_q));
    end
  always_comb begin
    ev_o = ev_q;
    if (ev_q.warp_instructions) ev_o.thread_instructions = 7'($countones(issue_q.tmask));
  end

  `VL_ASSERT(credits_fit, 32'(credits_q[LSU]) <= LSU_IN_DEPTH && 32'(credits_q[FPU]) <= FPU_RESULT_DEPTH && 32'(credits_q[DIV]) <= BEATS && 32'(credits_q[FDIV]) <= BEATS)
  `VL_ASSERT(push_to_active, !push_valid_i || active_q[push_i.warp])
  `VL_ASSERT(redirect_expected, !redirect_valid_i || (redirect_i.start ? !active_q[redirect_i.warp] : active_q[redirect_i.warp] && (ctl_q[redirect_i.warp] || (bar_q[redirect_i.warp] && redirect_i.flush))))
  `VL_ASSERT(falls_through, !redirect_valid_i || redirect_i.flush || redirect_i.stop || redirect_i.pc == pc_q[redirect_i.warp])
endmodule
