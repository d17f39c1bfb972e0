// Promises of simt about a warp, for any program and any reconvergence table (the answers of the table are free inputs here): its stack never overflows and
// is never empty when an entry is asked for; the threads that go on have not ended and do not wait; a barrier is passed by all together. Page: docs/blocks/simt.md.
module simt_proof
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input logic         clk_i,
    input logic         begin_i,        // the warp begins, if it may
    input pc_t          pc_i,
    input thread_mask_t mask_i,
    input logic         branch_i,       // the warp asks: a branch or jump, or a CTL operation
    input logic         control_i,
    input cf_t          cf_i,
    input issued_t      issue_i,
    input logic         halt_i
);
  localparam int unsigned SP_W = $clog2(SIMT_DEPTH + 1);
  typedef struct packed {               // of simt.sv
    pc_t pc;
    thread_mask_t mask;
    logic rpc_valid;
    pc_t rpc;
    logic at_rpc;
    logic stay;
  } path_t;
  localparam logic [1:0] IDLE = 2'd0, LOOK = 2'd1, DIV = 2'd2, POP = 2'd3;

  logic [1:0] started_q = 2'b0;
  logic rst, redirect_valid, warp_done_valid, arrive_valid, fault_valid;
  redirect_t redirect;
  bar_arrive_t arrive;
  fault_t fault;
  warp_t warp_done;
  ev_simt_t ev;
  assign rst = !started_q[1];

  // issue and alu: one record of a warp at a time, of the threads of its path; a JOIN only of a path that is to meet others.
  logic alive_q, asked_q, meets_q, reason_q;
  thread_mask_t mask_q;
  logic start, branch, control;
  start_t start_in;
  cf_t cf;
  issued_t issue;
  reconv_write_t tw;
  assign start = begin_i && !rst && !alive_q && mask_i != '0;
  assign branch = branch_i && !rst && alive_q && !asked_q;
  assign control = control_i && !branch_i && !rst && alive_q && !asked_q && (issue_i.ctl != CTL_JOIN || meets_q);
  assign tw = '0;
  always_comb begin
    start_in = '0;
    start_in.pc = pc_i;
    start_in.tmask = mask_i;
    cf = cf_i;
    cf.warp = '0;
    cf.tmask = mask_q;
    cf.taken = cf_i.taken & mask_q;
    if (cf_i.indirect && cf.taken == '0) cf.taken = mask_q;
    issue = issue_i;
    issue.warp = '0;
    issue.pipe = PIPE_CTL;
    issue.tmask = mask_q;
  end
  simt dut (
      .clk_i, .rst_i(rst), .start_valid_i(start), .start_i(start_in), .cf_valid_i(branch), .cf_i(cf), .issue_valid_i(control), .issue_i(issue), .tw_valid_i(1'b0), .tw_i(tw), .halt_i,
      .redirect_valid_o(redirect_valid), .redirect_o(redirect), .warp_done_valid_o(warp_done_valid), .warp_done_o(warp_done), .arrive_valid_o(arrive_valid), .arrive_o(arrive),
      .fault_valid_o(fault_valid), .fault_o(fault), .ev_o(ev),
      .grouped_i('0), .nested_i('0), .meet_valid_o(), .meet_o(), .go_valid_i(1'b0), .go_i('0), .go_ready_o()
  );
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) {alive_q, asked_q} <= '0;
    else begin
      alive_q <= (alive_q || start) && !(redirect_valid && redirect.stop) && !fault_valid;
      asked_q <= start || branch || control || (asked_q && !redirect_valid && !arrive_valid && !fault_valid);
    end
    reason_q <= dut.st.left || dut.st.waits;
    if (redirect_valid) mask_q <= redirect.tmask;
    if (redirect_valid) meets_q <= redirect.rpc_valid;
  end

  // ---- state of simt ------------------------------------------------------------------------------------------------
  thread_mask_t live, running, path, all;
  logic waits, left, met, pending, whole, popping, told;
  logic [31:0] sp;
  path_t [SIMT_DEPTH-1:0] entry;
  thread_mask_t [SIMT_DEPTH:0] below;    // threads of the entries below this one
  logic [SIMT_DEPTH-1:0] fits, known, covered;
  assign live = dut.st.live;
  assign running = dut.st.running;
  assign waits = dut.st.waits;
  assign left = dut.st.left;
  assign met = dut.st.rpc_valid;
  assign sp = 32'(dut.st.sp);
  assign told = redirect_valid && !redirect.stop;
  assign path = told ? redirect.tmask : mask_q;
  assign all = below[SIMT_DEPTH];
  assign below[0] = '0;
  for (genvar k = 0; k < SIMT_DEPTH; k++) begin : gen_entry
    if (SIMT_DEPTH <= 4) begin : gen_few
      assign entry[k] = dut.gen_bank[k % 2].u_ram.gen_registers.mem[k / 2];
    end else begin : gen_many
      assign entry[k] = dut.gen_bank[k % 2].u_ram.gen_ram.mem[k / 2];
    end
    assign below[k+1] = below[k] | ((k < sp) ? entry[k].mask : '0);
    assign fits[k] = k >= sp || k + 2 * $countones(entry[k].mask) <= 2 * THREADS;
    assign covered[k] = k >= sp || !entry[k].rpc_valid || (entry[k].mask & ~below[k]) == '0;
  end
  assign popping = dut.engine_q == POP;
  assign pending = dut.engine_q != IDLE || dut.ctl_queued || dut.cf_queued;
  // The warp has a path: it is not between two of them.
  assign whole = alive_q && !popping && !fault_valid && !(redirect_valid && redirect.stop);

  always_comb
    if (!rst) begin
      stack_suffices: assert (!(dut.push0 || dut.push1) || sp + 32'(dut.push0) + 32'(dut.push1) <= SIMT_DEPTH);
      something_to_pop: assert (!dut.ctl_pops || sp != '0);
      who_goes_on_may: assert (!told || (redirect.tmask != '0 && (redirect.tmask & ~running) == '0));
      none_is_lost: assert (!whole || (running & ~(path | all)) == '0);
      all_arrive: assert (!arrive_valid || (arrive.tmask == live && !waits && !left));
      it_ends_when_all_have: assert (!warp_done_valid || (redirect_valid && redirect.stop && live == '0));
      a_barrier_fault_has_its_reason: assert (!(fault_valid && fault.cause == FAULT_BARRIER) || reason_q);

      lemma_entries: assert (!alive_q || fits == '1);
      lemma_depth: assert (!whole || (sp + 2 * $countones(path) <= 2 * THREADS && path != '0));
      lemma_pointer: assert (!alive_q || sp <= SIMT_DEPTH);
      lemma_below: assert (!alive_q || SP_W'(dut.st.below + SP_W'(1)) == dut.st.sp);
      lemma_path: assert (!whole || ((path & ~running) == '0 && (!met || (path & ~all) == '0)));
      lemma_meets: assert (!whole || (told ? redirect.rpc_valid : meets_q) == met);
      lemma_covered: assert (!alive_q || covered == '1);
      lemma_threads: assert (!alive_q || fault_valid || ((running & ~live) == '0 && waits == (live != running) && !(waits && left)));
      lemma_some: assert (!(whole || popping) || running != '0);
      lemma_pop: assert (!popping || (alive_q && (running & ~all) == '0));
      lemma_asked: assert (!(pending || redirect_valid || arrive_valid || fault_valid) || (asked_q && alive_q));
      lemma_one: assert (2'(dut.engine_q != IDLE) + 2'(dut.ctl_queued) + 2'(dut.cf_queued) + 2'(redirect_valid || arrive_valid || fault_valid) == 2'(asked_q));
      lemma_answers: assert (!(arrive_valid && redirect_valid) && !(fault_valid && (redirect_valid || arrive_valid)) && (!warp_done_valid || redirect_valid));
      lemma_stop: assert (!redirect_valid || redirect.stop == warp_done_valid);
      lemma_arrive: assert (!arrive_valid || arrive.tmask == mask_q);
      lemma_ctl: assert (!dut.ctl_queued || (dut.ctl_head.tmask == mask_q && (dut.ctl_head.kind != CTL_JOIN || met)));
      lemma_cf: assert (!dut.cf_queued || (dut.cf_head.tmask == mask_q && (dut.cf_head.taken & ~mask_q) == '0 && !(dut.cf_head.indirect && dut.cf_head.taken == '0)));
      lemma_div: assert (!(dut.engine_q == LOOK || dut.engine_q == DIV)
                         || (dut.div_q.tmask == mask_q && (dut.div_q.taken & ~mask_q) == '0 && dut.div_q.taken != '0 && dut.div_q.taken != mask_q));
      lemma_look: assert (dut.engine_q != DIV || dut.look_q == dut.st);
      lemma_kind: assert (!popping || (dut.pop_q.kind == CTL_JOIN && meets_q) || (dut.pop_q.kind == CTL_EXIT && left && (live & dut.pop_q.tmask) == '0)
                          || (dut.pop_q.kind == CTL_BARRIER && waits && (running & dut.pop_q.tmask) == '0));
      lemma_queues: assert (dut.u_ctl.some_q == (dut.u_ctl.count_q != '0) && dut.u_ctl.full_q == dut.u_ctl.some_q && dut.u_cf.some_q == (dut.u_cf.count_q != '0)
                            && dut.u_cf.full_q == dut.u_cf.some_q && dut.u_ctl_warp.some_q == dut.ctl_queued && dut.u_cf_warp.some_q == dut.cf_queued
                            && dut.u_ctl_warp.count_q == dut.u_ctl.count_q && dut.u_cf_warp.count_q == dut.u_cf.count_q);
      lemma_pointers: assert ({dut.u_ctl.wptr_q, dut.u_ctl.rptr_q, dut.u_cf.wptr_q, dut.u_cf.rptr_q} == '0);
      lemma_warp: assert ((dut.engine_q == IDLE || popping || dut.div_q.warp == '0) && (!popping || dut.pop_q.warp == '0)
                          && (!dut.ctl_queued || (dut.ctl_head.warp == '0 && dut.ctl_warp == '0)) && (!dut.cf_queued || (dut.cf_head.warp == '0 && dut.cf_warp == '0)));
    end
endmodule

// Any table: its answers are free.
module reconv_table
  import vellum_pkg::*, core_pkg::*;
(
    input  logic          clk_i,
    input  logic          write_i,
    input  reconv_write_t write_entry_i,
    input  logic          read_i,
    input  pc_t           read_pc_i,
    output logic          hit_o,
    output pc_t           target_o
);
  logic hit;
  pc_t target;
  assign hit_o = hit;
  assign target_o = target;
endmodule
