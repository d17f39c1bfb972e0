// SIMT stacks: answers each branch and each CTL operation with the path on which its warp continues.
// A small engine takes one record a cycle; a divergent branch takes two more, for the reconvergence table; popping an entry whose
// threads have all ended takes a cycle each. The stack has two banks (even and odd entries), so that two entries are pushed at once. It
// never overflows: SIMT_DEPTH is the bound of the page. Threads that come to a barrier before others of their warp wait there for them.
// Page: docs/blocks/simt.md.
`include "vl_assert.svh"
module simt
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    // launch
    input  logic          start_valid_i,
    input  start_t        start_i,
    // alu
    input  logic          cf_valid_i,
    input  cf_t           cf_i,
    // issue: CTL operations only
    input  logic          issue_valid_i,
    input  issued_t        issue_i,
    // control
    input  logic          tw_valid_i,
    input  reconv_write_t tw_i,
    input  logic          halt_i,
    // fetch, issue
    output logic          redirect_valid_o,
    output redirect_t     redirect_o,
    // launch, barrier
    output logic          warp_done_valid_o,
    output warp_t         warp_done_o,
    output logic          arrive_valid_o,
    output bar_arrive_t   arrive_o,
    // status
    output logic          fault_valid_o,
    output fault_t        fault_o,
    // compactor: warps of compacted groups (0, and nothing of go, with compaction = none)
    input  warp_mask_t    grouped_i,
    input  warp_mask_t    nested_i,
    output logic          meet_valid_o,
    output meet_t         meet_o,
    input  logic          go_valid_i,
    input  go_t           go_i,
    output logic          go_ready_o,
    // counters
    output ev_simt_t      ev_o
);
  localparam int unsigned SP_W = $clog2(SIMT_DEPTH + 1);
  localparam int unsigned BANK = 1 << $clog2((SIMT_DEPTH + 1) / 2);   // places of a warp in one bank: a power of two, or the address would be a product
  localparam int unsigned ADDR_W = idx_w(WARPS * BANK);
  typedef logic [SP_W-1:0] sp_t;
  typedef logic [ADDR_W-1:0] addr_t;

  typedef struct packed {        // entry of a stack
    pc_t pc;
    thread_mask_t mask;
    logic rpc_valid;
    pc_t rpc;                    // any when not valid
    logic at_rpc;                // rpc_valid and pc = rpc
    logic stay;                  // pc is where a JOIN finds the entry: the reconvergence point that holds while it is the top
  } path_t;

  typedef struct packed {        // of a warp
    thread_mask_t live;
    thread_mask_t running;       // live, and not waiting for others of the warp at a barrier
    logic waits;                 // live != running
    logic left;                  // threads of the warp have ended
    pc_t bar_pc;                 // where they wait; any value when none does
    sp_t sp;
    sp_t below;                  // sp - 1, place of the top entry: its address comes late enough without the subtraction
    logic rpc_valid;
    pc_t rpc;                    // any when not valid
  } state_t;

  typedef struct packed {
    ctl_e kind;
    warp_t warp;
    pc_t pc;
    logic [31:0] instr;
    thread_mask_t tmask;
    logic fetch_fault;
  } ctl_t;

  typedef enum logic [1:0] {IDLE, LOOK, DIV, POP} engine_e;

  engine_e engine_q;
  cf_t div_q;
  ctl_t pop_q;                   // of an entry to be popped on: kind is EXIT or JOIN

  logic redirect_valid_q, warp_done_q, arrive_valid_q, fault_valid_q;
  redirect_t redirect_q;
  bar_arrive_t arrive_q;
  fault_t fault_q;
  ev_simt_t ev_q;

  // ---- warps of compacted groups (nothing of it where no core has a compactor) ---------------------------------------
  logic held_q, meet_valid_q;    // held_go_q waits for its turn
  go_t held_go_q;
  meet_t meet_q;
  logic alone_q, asks_q;         // the engine's branch: a GO_ALONE returned it; it may be the group's
  logic take_go, take_alone, take_form, take_done, take_fault;
  cf_t held_cf;
  assign go_ready_o = !held_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) held_q <= 1'b0;
    else if (COMPACTS) held_q <= held_q ? !take_go : go_valid_i;
    if (COMPACTS && !held_q) held_go_q <= go_i;
  end
  assign take_alone = take_go && held_go_q.kind == GO_ALONE;
  assign take_form = take_go && held_go_q.kind == GO_FORM;
  assign take_done = take_go && held_go_q.kind == GO_DONE;
  assign take_fault = take_go && held_go_q.kind == GO_FAULT;
  assign held_cf = '{warp: held_go_q.warp, pc: held_go_q.pc, tmask: held_go_q.tmask, taken: held_go_q.taken, target: held_go_q.target, default: '0};

  // ---- the two queues, passed by when empty ----------------------------------------------------------------------
  ctl_t ctl_in, ctl_head, ctl;
  cf_t cf_head, cf;
  logic ctl_arrives, ctl_queued, ctl_any, take_ctl, cf_queued, cf_any, take_cf;
  assign ctl_arrives = issue_valid_i && issue_i.pipe == PIPE_CTL;
  always_comb begin
    ctl_in.kind = issue_i.ctl;
    ctl_in.warp = issue_i.warp;
    ctl_in.pc = issue_i.pc;
    ctl_in.instr = issue_i.instr;
    ctl_in.tmask = issue_i.tmask;
    ctl_in.fetch_fault = issue_i.fetch_fault;
  end

  logic ctl_room, cf_room;
  fifo #(.T(ctl_t), .DEPTH(WARPS)) u_ctl (
      .clk_i, .rst_i, .valid_i(ctl_arrives && !(take_ctl && !ctl_queued)), .ready_o(ctl_room), .data_i(ctl_in),
      .valid_o(ctl_queued), .ready_i(take_ctl), .data_o(ctl_head)
  );
  fifo #(.T(cf_t), .DEPTH(WARPS)) u_cf (
      .clk_i, .rst_i, .valid_i(cf_valid_i && !(take_cf && !cf_queued)), .ready_o(cf_room), .data_i(cf_i),
      .valid_o(cf_queued), .ready_i(take_cf), .data_o(cf_head)
  );
  // Copies of the heads' warps in registers, with which the state of the acting warp is looked up.
  warp_t ctl_warp, cf_warp;
  logic ctl_first, cf_first;     // as ctl_queued, cf_queued
  fifo_head #(.T(warp_t), .DEPTH(WARPS)) u_ctl_warp (
      .clk_i, .rst_i, .push_i(ctl_arrives && !(take_ctl && !ctl_queued)), .data_i(ctl_in.warp), .pop_i(take_ctl && ctl_queued), .some_o(ctl_first), .head_o(ctl_warp)
  );
  fifo_head #(.T(warp_t), .DEPTH(WARPS)) u_cf_warp (
      .clk_i, .rst_i, .push_i(cf_valid_i && !(take_cf && !cf_queued)), .data_i(cf_i.warp), .pop_i(take_cf && cf_queued), .some_o(cf_first), .head_o(cf_warp)
  );
  assign ctl_any = ctl_queued || ctl_arrives;
  assign cf_any = cf_queued || cf_valid_i;
  assign cf = (COMPACTS && held_q) ? held_cf : cf_queued ? cf_head : cf_i;

  // ---- what acts -------------------------------------------------------------------------------------------------
  logic act_look, act_div, act_pop, act_new;
  assign act_look = !start_valid_i && engine_q == LOOK;
  assign act_div = !start_valid_i && engine_q == DIV;
  assign act_pop = !start_valid_i && engine_q == POP;
  assign act_new = !start_valid_i && engine_q == IDLE && !halt_i;
  assign take_go = COMPACTS && act_new && held_q;
  assign take_ctl = act_new && !take_go && ctl_any;
  assign take_cf = act_new && !take_go && !ctl_any && cf_any;
  assign ctl = (engine_q == POP) ? pop_q : ctl_queued ? ctl_head : ctl_in;

  // ---- the state of the warp that acts (a start needs none) -------------------------------------------------------
  warp_t warp;
  state_t st, new_st;
  pc_t rpc;                      // 0 when not valid
  logic write_st;
  // A choice among registers by registers; only whether issue's beat is a CTL operation is late.
  warp_t waits;
  assign waits = (engine_q == DIV || engine_q == LOOK) ? div_q.warp : (engine_q == POP) ? pop_q.warp : ctl_first ? ctl_warp : cf_first ? cf_warp : cf_i.warp;
  assign warp = (COMPACTS && engine_q == IDLE && held_q) ? held_go_q.warp : (engine_q == IDLE && !ctl_first && ctl_arrives) ? issue_i.warp : waits;
  logic grouped, at_bottom;      // that warp is of a compacted group; its own stack is empty
  assign grouped = COMPACTS && grouped_i[warp];
  assign at_bottom = grouped && st.sp == '0;
  ram_lut #(.DEPTH(WARPS), .WIDTH($bits(state_t))) u_state (
      .clk_i, .we_i(write_st), .waddr_i(start_valid_i ? start_i.warp : warp), .wdata_i(new_st), .raddr_i(warp), .rdata_o(st)
  );
  assign rpc = st.rpc_valid ? st.rpc : '0;

  // A branch in its first cycle.
  thread_mask_t others;
  pc_t cf_next;
  logic cf_act, cf_asks, cf_ok, cf_straight, cf_misaligned, cf_falls, cf_jumps, cf_splits, cf_diverges;
  assign others = cf.tmask & ~cf.taken;
  assign cf_next = cf.pc + pc_t'(4);
  assign cf_act = take_cf || take_alone;
  assign cf_asks = take_cf && !cf.misaligned && !cf.indirect && at_bottom && !st.waits;
  assign cf_ok = cf_act && !cf.misaligned && !cf_asks;
  assign cf_straight = cf.taken == '0 && !cf.indirect;
  assign cf_misaligned = take_cf && cf.misaligned;
  assign cf_falls = cf_ok && cf_straight;
  assign cf_jumps = cf_ok && !cf_straight && cf.taken == cf.tmask;
  assign cf_splits = cf_ok && !cf_straight && cf.taken != cf.tmask && cf.indirect;
  assign cf_diverges = cf_ok && !cf_straight && cf.taken != cf.tmask && !cf.indirect;

  // A divergent branch: the table answers in its second cycle (block RAM is slow), and it is resolved in its third.
  logic table_hit, hit_q, at_r, at_t, at_f, new_r, both;
  pc_t table_target, r_q, div_next;
  reconv_table u_table (
      .clk_i, .write_i(tw_valid_i), .write_entry_i(tw_i), .read_i(cf_act), .read_pc_i(cf.pc), .hit_o(table_hit), .target_o(table_target)
  );
  state_t look_q;                // state of the warp, as DIV finds it: nothing else changes it
  always_ff @(posedge clk_i)
    if (engine_q == LOOK) begin
      hit_q <= table_hit;
      r_q <= table_target;
      look_q <= st;
    end
  assign div_next = div_q.pc + pc_t'(4);
  assign at_r = look_q.rpc_valid && r_q == look_q.rpc;
  assign at_t = hit_q && div_q.target == r_q;
  assign at_f = hit_q && div_next == r_q;
  assign new_r = hit_q && !at_r;
  assign both = !at_t && !at_f;
  // A branch that may be the group's is the group's if the table has it. If not, and all threads go the same way, it proceeds as any other branch would have done at once.
  logic div_all, div_meets, div_goes, div_splits;
  assign div_all = div_q.taken == '0 || div_q.taken == div_q.tmask;
  assign div_meets = COMPACTS && act_div && asks_q && hit_q;
  assign div_goes = COMPACTS && act_div && asks_q && !hit_q && div_all;
  assign div_splits = act_div && !div_meets && !div_goes;

  // A CTL operation, or an entry popped after it.
  thread_mask_t live, running;
  logic ctl_parts, ctl_done, ctl_end;
  logic ctl_exit, ctl_barrier, ctl_dead, ctl_all, ctl_apart, ctl_pops, ctl_fault, ctl_arrive, ctl_merge;
  logic pop_good;
  path_t top;
  thread_mask_t top_mask;
  assign ctl_exit = take_ctl && ctl.kind == CTL_EXIT;
  assign ctl_barrier = take_ctl && ctl.kind == CTL_BARRIER;
  // When an EXIT or BARRIER pops further entries, its threads have already left.
  assign live = (ctl.kind == CTL_EXIT || ctl_parts) ? st.live & ~ctl.tmask : st.live;
  assign running = (ctl.kind inside {CTL_EXIT, CTL_BARRIER}) ? st.running & ~ctl.tmask : st.running;
  assign ctl_parts = ctl_barrier && grouped && nested_i[warp] && !st.left; // its threads wait with the group, and leave this warp
  assign ctl_done = at_bottom || live == '0;                               // ... or they have ended: the warp has nothing left to run
  assign ctl_dead = ctl_exit && live == '0 && !grouped;
  assign ctl_all = ctl.tmask == st.running;                                // all running threads have arrived
  assign ctl_apart = !ctl_parts && (st.left || (st.waits && ctl.pc != st.bar_pc));        // some thread never arrives
  assign ctl_arrive = ctl_barrier && !ctl_parts && !ctl_apart && ctl_all && !st.waits;
  assign ctl_merge = ctl_barrier && !ctl_parts && !ctl_apart && ctl_all && st.waits;
  assign ctl_end = at_bottom && (act_pop || (take_ctl && ctl.kind == CTL_JOIN));
  assign ctl_pops = ((act_pop || (take_ctl && ctl.kind == CTL_JOIN)) && !at_bottom) || (ctl_exit && !st.waits && live != '0 && !at_bottom)
                 || (ctl_barrier && !ctl_apart && (ctl_parts ? !ctl_done : !ctl_all));
  assign ctl_fault = (take_ctl && ctl.kind == CTL_ILLEGAL) || (ctl_exit && st.waits) || (ctl_barrier && ctl_apart);
  assign top_mask = top.mask & running;
  assign pop_good = ctl_pops && top_mask != '0;

  // ---- stacks ----------------------------------------------------------------------------------------------------
  logic push0, push1;            // the first and the second entry pushed in this cycle
  path_t new0, new1;
  sp_t top_sp;
  path_t [1:0] bank_top;
  always_comb begin
    new0.pc = act_div ? r_q : cf.pc;
    new0.mask = act_div ? div_q.tmask : others;
    new0.rpc_valid = st.rpc_valid;
    new0.rpc = st.rpc;
    new0.at_rpc = !act_div && st.rpc_valid && cf.pc == st.rpc;
    new0.stay = act_div || new0.at_rpc;
    push0 = act_div ? div_splits && new_r : cf_splits;
    // The side that waits, with the new reconvergence point.
    new1.pc = div_q.target;
    new1.mask = div_q.taken;
    new1.rpc_valid = hit_q || look_q.rpc_valid;
    new1.rpc = hit_q ? r_q : look_q.rpc;
    new1.at_rpc = !hit_q && look_q.rpc_valid && div_q.target == look_q.rpc;
    new1.stay = new1.at_rpc;
    push1 = div_splits && both;
  end

  assign top_sp = st.below;
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    // Entry number sp falls on the bank of its parity, entry sp + 1 on the other.
    logic here;
    sp_t number;
    assign here = st.sp[0] == 1'(b);
    assign number = here ? st.sp : st.sp + sp_t'(1);
    ram_lut #(.DEPTH(WARPS * BANK), .WIDTH($bits(path_t))) u_ram (
        .clk_i,
        .we_i   (here ? push0 || push1 : push0 && push1),
        .waddr_i(addr_t'(32'(warp) * BANK + (32'(number) >> 1))),
        .wdata_i((here && (!act_div || new_r)) ? new0 : new1),
        .raddr_i(addr_t'(32'(warp) * BANK + (32'(top_sp) >> 1))),
        .rdata_o(bank_top[b])
    );
  end
  assign top = top_sp[0] ? bank_top[1] : bank_top[0];   // as an index of the pair Verilator 5.006 took the wrong one in tbc (its bench found it)

  always_comb begin
    write_st = 1'b1;
    new_st = st;
    if (start_valid_i) begin
      new_st.live = start_i.tmask;
      new_st.running = start_i.tmask;
      new_st.waits = 1'b0;
      new_st.left = 1'b0;
      new_st.sp = '0;
      new_st.below = '1;
      new_st.rpc_valid = 1'b0;
    end else if (take_form) begin
      new_st.live = held_go_q.tmask;
      new_st.running = held_go_q.tmask;
      new_st.waits = 1'b0;
      new_st.left = 1'b0;
      new_st.sp = '0;
      new_st.below = '1;
      new_st.rpc_valid = held_go_q.rpc_valid;
      new_st.rpc = held_go_q.rpc;
    end else if (act_div) begin
      write_st = div_splits;
      new_st = look_q;
      new_st.sp = (new_r && both) ? look_q.sp + sp_t'(2) : (new_r || both) ? look_q.sp + sp_t'(1) : look_q.sp;
      new_st.below = (new_r && both) ? look_q.sp + sp_t'(1) : (new_r || both) ? look_q.sp : look_q.below;
      new_st.rpc_valid = new1.rpc_valid;
      new_st.rpc = new1.rpc;
    end else if (act_pop || take_ctl) begin
      new_st.live = live;
      new_st.running = (ctl_merge || ctl_arrive) ? st.live : running;
      new_st.left = st.left || ctl_exit;
      if (ctl_barrier && !ctl_parts) begin
        new_st.waits = !ctl_all;
        new_st.bar_pc = ctl.pc;
      end
      if (ctl_merge) begin
        new_st.sp = '0;
        new_st.below = '1;
        new_st.rpc_valid = 1'b0;
      end
      if (ctl_pops) begin
        new_st.sp = st.below;
        new_st.below = st.below - sp_t'(1);
      end
      if (pop_good) begin
        new_st.rpc_valid = top.rpc_valid;
        new_st.rpc = top.rpc;
      end
    end else begin
      write_st = push0;
      new_st.sp = st.sp + sp_t'(1);
      new_st.below = st.sp;
    end
  end

  // ---- redirect --------------------------------------------------------------------------------------------------
  logic redirect_valid;
  redirect_t redirect;
  always_comb begin
    redirect = '0;
    redirect_valid = 1'b1;
    if (start_valid_i) begin
      redirect.warp = start_i.warp;
      redirect.flush = 1'b1;
      redirect.start = 1'b1;
      redirect.pc = start_i.pc;
      redirect.tmask = start_i.tmask;
    end else if (take_form || take_done || take_fault) begin
      redirect_valid = !take_fault;
      redirect.warp = held_go_q.warp;
      redirect.stop = take_done;
      redirect.flush = take_form;
      redirect.pc = held_go_q.pc & {PA_W{take_form}};
      redirect.tmask = held_go_q.tmask & {THREADS{take_form}};
      redirect.rpc_valid = held_go_q.rpc_valid;
      redirect.rpc = held_go_q.rpc;
      redirect.at_rpc = held_go_q.rpc_valid && held_go_q.pc == held_go_q.rpc;
    end else if (div_meets || div_goes) begin
      redirect_valid = div_goes;
      redirect.warp = div_q.warp;
      redirect.flush = div_q.taken != '0;
      redirect.pc = redirect.flush ? div_q.target : div_next;
      redirect.tmask = div_q.tmask;
      redirect.rpc_valid = look_q.rpc_valid;
      redirect.rpc = look_q.rpc_valid ? look_q.rpc : '0;
      redirect.at_rpc = look_q.rpc_valid && redirect.pc == look_q.rpc;
    end else if (act_div) begin
      redirect.warp = div_q.warp;
      redirect.flush = at_f && !at_t;
      redirect.pc = redirect.flush ? div_q.target : div_next;
      redirect.tmask = redirect.flush ? div_q.taken : div_q.tmask & ~div_q.taken;
      redirect.rpc_valid = new1.rpc_valid;
      redirect.rpc = new1.rpc_valid ? new1.rpc : '0;
      redirect.at_rpc = !redirect.flush && (hit_q ? at_f : look_q.rpc_valid && div_next == look_q.rpc);
    end else if (act_pop || take_ctl) begin
      redirect_valid = ctl_dead || ctl_merge || pop_good;
      redirect.warp = ctl.warp;
      redirect.stop = ctl_dead;
      if (ctl_merge) begin
        redirect.flush = 1'b1;
        redirect.pc = ctl.pc;
        redirect.tmask = st.live;
      end else if (!ctl_dead) begin
        redirect.flush = act_pop || ctl.kind != CTL_JOIN || !top.stay;
        redirect.pc = top.pc;
        redirect.tmask = top_mask;
        redirect.rpc_valid = top.rpc_valid;
        redirect.rpc = top.rpc_valid ? top.rpc : '0;
        redirect.at_rpc = top.at_rpc;
      end
    end else begin
      redirect_valid = cf_falls || cf_jumps || cf_splits;
      redirect.warp = cf.warp;
      redirect.flush = !cf_straight;
      redirect.pc = cf_straight ? cf_next : cf.target;
      redirect.tmask = cf_straight ? cf.tmask : cf.taken;
      redirect.rpc_valid = st.rpc_valid;
      redirect.rpc = rpc;
      redirect.at_rpc = st.rpc_valid && (cf_straight ? cf_next == st.rpc : cf.target == st.rpc);
    end
  end

  // ---- faults ----------------------------------------------------------------------------------------------------
  logic fault_valid;
  fault_t fault;
  always_comb begin
    if (take_fault) begin
      fault_valid = 1'b1;
      fault.cause = FAULT_BARRIER;
      fault.warp = held_go_q.warp;
      fault.pc = held_go_q.pc;
      fault.value = xlen_t'(held_go_q.value);
      fault.mask = held_go_q.tmask;
    end else if (take_ctl) begin
      fault_valid = ctl_fault;
      fault.cause = (ctl.kind != CTL_ILLEGAL) ? FAULT_BARRIER : !ctl.fetch_fault ? FAULT_ILLEGAL : ctl.instr[0] ? FAULT_FETCH_PAGE : FAULT_FETCH_ACCESS;
      fault.warp = ctl.warp;
      fault.pc = (ctl.kind == CTL_EXIT) ? st.bar_pc : ctl.pc;
      fault.value = (ctl.kind != CTL_ILLEGAL) ? '0 : ctl.fetch_fault ? xlen_t'(ctl.pc) : xlen_t'(ctl.instr);
      fault.mask = (ctl.kind == CTL_EXIT) ? st.live & ~st.running : ctl.tmask;
    end else begin
      fault_valid = cf_misaligned;
      fault.cause = FAULT_FETCH_MISALIGNED;
      fault.warp = cf.warp;
      fault.pc = cf.pc;
      fault.value = xlen_t'(cf.target);
      fault.mask = cf.taken;
    end
  end

  // ---- messages to the group's compactor ---------------------------------------------------------------------------
  logic meet_valid, meet_parts;
  meet_t meet;
  assign meet_parts = (ctl_exit && grouped && !st.waits) || ctl_parts;
  assign meet_valid = COMPACTS && (div_meets || meet_parts || (ctl_arrive && grouped) || ctl_end);
  always_comb begin
    meet = '0;
    meet.warp = ctl.warp;
    if (div_meets) begin
      meet.warp = div_q.warp;
      meet.branch = 1'b1;
      meet.pc = div_q.pc;
      meet.target = div_q.target;
      meet.meeting = r_q;
      meet.tmask = div_q.tmask;
      meet.taken = div_q.taken;
    end else if (ctl_end) meet.done = 1'b1;
    else begin
      meet.barrier = ctl_arrive;
      meet.ended = ctl_exit;
      meet.waits = ctl_parts;
      meet.done = meet_parts && ctl_done;
      meet.pc = ctl.pc;
      meet.tmask = ctl.tmask;
    end
  end
  always_ff @(posedge clk_i) begin
    meet_valid_q <= meet_valid && !rst_i;
    if (COMPACTS) meet_q <= meet;
    if (COMPACTS && cf_act) begin
      alone_q <= take_alone;
      asks_q <= cf_asks;
    end
  end

  // ---- state -----------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) engine_q <= IDLE;
    else if (act_div) engine_q <= IDLE;
    else if (ctl_pops) engine_q <= pop_good ? IDLE : POP;
    else if (ctl_end) engine_q <= IDLE;
    else if (cf_diverges || cf_asks) engine_q <= LOOK;
    else if (act_look) engine_q <= DIV;
    if (cf_act) div_q <= cf;
    if (take_ctl) pop_q <= ctl;

    redirect_valid_q <= redirect_valid && !rst_i;
    redirect_q <= redirect;
    warp_done_q <= (ctl_dead || take_done) && !rst_i;
    arrive_valid_q <= ctl_arrive && !rst_i;
    arrive_q.warp <= ctl.warp;
    arrive_q.pc <= ctl.pc;
    arrive_q.tmask <= ctl.tmask;
    fault_valid_q <= fault_valid && !rst_i;
    fault_q <= fault;
    if (rst_i) ev_q <= '0;
    else begin
      ev_q.simt_pushes <= 2'(push0) + 2'(push1);
      ev_q.simt_pops <= ctl_pops;
      ev_q.simt_divergences <= act_div && !(COMPACTS && (alone_q || div_all));
      ev_q.reconv_misses <= act_div && !hit_q && !(COMPACTS && (alone_q || div_all));
      ev_q.simt_waits <= ctl_queued || cf_queued;
    end
  end

  assign redirect_valid_o = redirect_valid_q;
  assign redirect_o = redirect_q;
  assign warp_done_valid_o = warp_done_q;
  assign warp_done_o = redirect_q.warp;
  assign arrive_valid_o = arrive_valid_q;
  assign arrive_o = arrive_q;
  assign fault_valid_o = fault_valid_q;
  assign fault_o = fault_q;
  assign meet_valid_o = meet_valid_q;
  assign meet_o = COMPACTS ? meet_q : '0;
  assign ev_o = ev_q;

  `VL_ASSERT(queues_suffice, (!ctl_arrives || ctl_room) && (!cf_valid_i || cf_room))
  `VL_ASSERT(look_holds, !act_div || look_q == st)
  `VL_ASSERT(stay_fits, !(pop_good && take_ctl && ctl.kind == CTL_JOIN) || top.stay == (top.pc == ctl.pc))
  `VL_ASSERT(heads_agree, ctl_first == ctl_queued && cf_first == cf_queued && (!ctl_queued || ctl_warp == ctl_head.warp) && (!cf_queued || cf_warp == cf_head.warp))
  `VL_ASSERT(below_fits, !write_st || new_st.below == new_st.sp - sp_t'(1))
  `VL_ASSERT(stack_suffices, 32'(st.sp) + 32'(push0) + 32'(push1) <= SIMT_DEPTH || !(push0 || push1))
  `VL_ASSERT(waits_fits, !(take_ctl || cf_act) || st.waits == (st.live != st.running))
  `VL_ASSERT(something_to_pop, !ctl_pops || st.sp != '0)
  `VL_ASSERT(branch_has_threads, !cf_act || cf.tmask != '0)
endmodule
