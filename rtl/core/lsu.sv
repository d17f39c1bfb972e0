// Load/store unit: gathers the beats of a warp's memory instruction, checks every address, has its pages translated, sends scratchpad threads beat by beat
// and global threads sector by sector; turns responses into result records. Page: docs/blocks/lsu.md; step numbers in comments are those of its "Front".
// Latency (one beat): operands to a load request two cycles, to a store or atomic three; with translation one more to a load's that goes with its look-up,
// three to others; response to result one.
`include "vl_assert.svh"
`include "vl_skip.svh"
module lsu
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // constants of core and kernel
    input  core_t     core_i,
    input  kernel_t   kernel_i,
    input  root_t     root_i,
    input  tlb_mode_e mode_i,
    input  logic      halt_i,
    // from launch
    input  logic      start_valid_i,
    input  start_t    start_i,
    // from regfile, credits to issue
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    output logic      credit_o,
    // tlb
    output logic [TLB_PORTS-1:0]   look_valid_o,
    output look_t [TLB_PORTS-1:0]  look_o,
    input  logic                   look_ready_i,
    input  logic [TLB_PORTS-1:0]   found_valid_i,
    input  found_t [TLB_PORTS-1:0] found_i,
    output logic                   early_o,   // to l1d too: the look-up of the last cycle's early request is answered
    // tlb_mshr
    output logic      miss_valid_o,
    output miss_t     miss_o,
    input  logic      miss_ready_i,
    input  logic      walk_valid_i,
    input  walk_t     walk_i,
    input  logic      walked_valid_i,
    input  walked_t   walked_i,
    // host: page faults, shootdown
    output logic      pf_valid_o,
    output page_fault_t pf_o,
    input  logic      pf_ready_i,
    input  logic      resume_valid_i,
    input  warp_t     resume_i,
    input  logic      inv_valid_i,
    input  inv_t      inv_i,
    output logic      inv_done_o,
    // l1d
    output logic      l1d_req_valid_o,
    output l1d_req_t  l1d_req_o,
    input  logic      l1d_req_ready_i,
    input  logic      l1d_rsp_valid_i,
    input  l1d_rsp_t  l1d_rsp_i,
    output logic      l1d_rsp_ready_o,
    input  logic      l1d_ack_i,
    // spad
    output logic      spad_req_valid_o,
    output spad_req_t spad_req_o,
    input  logic      spad_req_ready_i,
    input  logic      spad_rsp_valid_i,
    input  spad_rsp_t spad_rsp_i,
    output logic      spad_rsp_ready_o,
    // to regfile
    output logic      lsu_res_valid_o,
    output result_t   lsu_res_o,
    input  logic      lsu_res_ready_i,
    // to barrier
    output warp_mask_t unsent_o,              // warps with global accesses that have not gone to the L1D
    // to status, trace
    output logic      fault_valid_o,
    output fault_t    fault_o,
    output logic      trace_valid_o,
    output memtrace_t trace_o,
    output logic      sent_valid_o,
    output sent_t     sent_o,
    output logic      idle_o,
    output ev_lsu_t   ev_o
);
  localparam int unsigned IN_DEPTH = LSU_IN_DEPTH;
  localparam int unsigned ROWS = LSU_ROWS;
  localparam int unsigned HELD_W = $clog2(IN_DEPTH + 1);
  localparam int unsigned TBEAT_W = $clog2(BEATS + 1);
  localparam int unsigned STORE_LIMIT = 254;
  typedef logic [BEATS-1:0] beats_t;

  typedef struct packed {   // one beat of a row
    lane_mask_t active, spad, glob, misaligned, access, page;
    xlen_t value;           // address of the lowest faulting lane
    logic [LANES-1:0][15:0] low;   // of the addresses
    lane_data_t rs2, rs3;
  } row_beat_t;
  typedef struct packed {   // what the beats of a row share
    op_e op;
    amo_e amo;
    logic load, store, atomic, fence, wg, sc, is_unsigned, aq, rl, write;
    logic [1:0] size;
    warp_t warp;
    seq_t seq;
    pc_t pc;
    reg_t rd;
    logic [SPAD_W-1:0] base;  // of the warp's scratchpad when the row came: the warp may end, and another begin, while stores wait here
  } row_head_t;

  // ---- input register and addresses ---------------------------------------------------------------------------------
  logic in_valid_q, take_ops;
  operands_t in_q;
  assign take_ops = ops_valid_i && ops_i.pipe == PIPE_LSU;

  logic [SPAD_W-1:0] base;
  ram_lut #(.DEPTH(WARPS), .WIDTH(SPAD_W)) u_bases (
      .clk_i, .we_i(start_valid_i), .waddr_i(start_i.warp), .wdata_i(SPAD_W'(start_i.spad_base)), .raddr_i(in_q.warp), .rdata_o(base)
  );

  row_head_t in_head;
  row_beat_t in_row;
  lane_data_t in_addr;
  lane_mask_t in_spad, in_glob, in_misaligned, in_access, in_page, in_fault;
  logic in_mem, sv48;
  always_comb begin
    in_head.op = in_q.op;
    in_head.amo = amo_of(in_q.op);
    in_head.load = op_is_load(in_q.op);
    in_head.store = op_is_store(in_q.op);
    in_head.atomic = op_is_amo_w(in_q.op) || op_is_amo_d(in_q.op);
    in_head.fence = in_q.op inside {OP_FENCE, OP_FENCE_I};
    in_head.wg = in_q.op == OP_VL_FENCE_WG;
    in_head.sc = in_q.op inside {OP_SC_W, OP_SC_D};
    in_head.is_unsigned = in_q.op inside {OP_LBU, OP_LHU, OP_LWU};
    in_head.aq = in_head.atomic && in_q.instr[26];
    in_head.rl = in_head.atomic && in_q.instr[25];
    in_head.write = in_head.store || (in_head.atomic && in_head.amo != AMO_LR);
    in_head.size = mem_size(in_q.op);
    in_head.warp = in_q.warp;
    in_head.seq = in_q.seq;
    in_head.pc = in_q.pc;
    in_head.rd = in_q.rd;
    in_head.base = base;
  end

  lsu_agu u_agu (
      .imm_i(in_q.imm), .rs1_i(in_q.rs1), .mask_i(in_mem ? in_q.mask : '0),
      .size_i(in_head.size), .kernel_i, .sv48_i(sv48), .addr_o(in_addr), .spad_o(in_spad), .global_o(in_glob),
      .misaligned_o(in_misaligned), .access_o(in_access), .page_o(in_page)
  );
  assign sv48 = root_i.sv48;
  assign in_mem = in_head.load || in_head.store || in_head.atomic;
  assign in_fault = in_misaligned | in_access | in_page;
  always_comb begin
    in_row.active = in_spad | in_glob | in_fault;
    in_row.spad = in_spad;
    in_row.glob = in_glob;
    in_row.misaligned = in_misaligned;
    in_row.access = in_access;
    in_row.page = in_page;
    in_row.rs2 = in_q.rs2;
    in_row.rs3 = in_q.rs3;
    in_row.value = '0;
    for (int unsigned l = 0; l < LANES; l++) in_row.low[l] = in_addr[l][15:0];
    for (int unsigned l = LANES; l > 0; l--) if (in_fault[l-1]) in_row.value = in_addr[l-1];
  end

  // ---- rows: operands and addresses --------------------------------------------------------------------------------------
  lsu_row_t in_row_idx, front_row, look_row, ap_row, fk_row, frame_row;
  logic answers, act_access;
  row_beat_t [BEATS-1:0] row;
  row_head_t h;
  thread_mask_t frame_we, f_acc;
  ppn_t [THREADS-1:0] frame, frame_new, answer_frame;
  vpn_t [THREADS-1:0] vpn;              // of the row that is looked up, or answered: never both
  logic [THREADS-1:0][31:0] virt;       // bits 47:16 of the front's, for the trace alone
  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    ram_lut #(.DEPTH(ROWS), .WIDTH($bits(row_beat_t))) u_row (
        .clk_i, .we_i(in_valid_q && in_q.beat == beat_t'(b)), .waddr_i(in_row_idx), .wdata_i(in_row), .raddr_i(front_row), .rdata_o(row[b])
    );
  end
  ram_lut #(.DEPTH(ROWS), .WIDTH($bits(row_head_t))) u_heads (
      .clk_i, .we_i(in_valid_q), .waddr_i(in_row_idx), .wdata_i(in_head), .raddr_i(front_row), .rdata_o(h)
  );

  thread_mask_t active_t, spad_t, glob_t, misaligned_t, access_t, fault_t_mask;
  logic [THREADS-1:0][PA_W-1:SECTOR_OFF_W] sectors;
  for (genvar t = 0; t < THREADS; t++) begin : gen_thread
    localparam int unsigned B = t / LANES;
    localparam int unsigned L = t % LANES;
    logic mine;                          // the beat in `in` has this thread
    assign mine = in_valid_q && in_q.beat == beat_t'(B);
    ram_lut #(.DEPTH(ROWS), .WIDTH(VPN_W)) u_vpn (
        .clk_i, .we_i(mine), .waddr_i(in_row_idx), .wdata_i(in_addr[L][47:12]), .raddr_i(answers ? ap_row : look_row), .rdata_o(vpn[t])
    );
    ram_lut #(.DEPTH(ROWS), .WIDTH(32)) u_virt (
        .clk_i, .we_i(mine), .waddr_i(in_row_idx), .wdata_i(in_addr[L][47:16]), .raddr_i(front_row), .rdata_o(virt[t])
    );
    // Written when the address comes (Bare), or by look-ups and answers: the root changes only while idle, so they do not meet.
    assign frame_new[t] = sv48 ? answer_frame[t] : in_addr[L][47:12];
    // Beside a frame: the walk ended with an access fault.
    ram_lut #(.DEPTH(ROWS), .WIDTH(1 + VPN_W)) u_frame (
        .clk_i, .we_i(sv48 ? frame_we[t] : mine), .waddr_i(frame_row), .wdata_i({act_access, frame_new[t]}), .raddr_i(front_row),
        .rdata_o({f_acc[t], frame[t]})
    );
    assign active_t[t] = row[B].active[L];
    assign spad_t[t] = row[B].spad[L];
    assign glob_t[t] = row[B].glob[L];
    assign misaligned_t[t] = row[B].misaligned[L];
    assign access_t[t] = row[B].access[L];
    assign fault_t_mask[t] = row[B].misaligned[L] | row[B].access[L] | row[B].page[L];
    assign sectors[t] = {frame[t], row[B].low[L][11:SECTOR_OFF_W]};
  end

  // ---- per warp ---------------------------------------------------------------------------------------------------------
  logic [WARPS-1:0] dead_q;

  // ---- what a fence waits for: of all warps, since a thread may have seen another warp's store in the L1D -----------------
  localparam int unsigned LOADS_W = $clog2(LSU_ENTRIES * THREADS + 1);
  logic [7:0] unacked_q;
  logic [LOADS_W-1:0] loads_q, amos_q;
  logic [LSU_ENTRIES-1:0] busy, atomic_q;
  logic quiet;
  assign quiet = unacked_q == '0 && amos_q == '0;

  // ---- threads on their way, and the choice of the row that the front works on ------------------------------------------
  logic front_valid, early, seen, front_fault, front_spad, reported, front_look, front_next, front_next_traced, others, pass, gone;
  thread_mask_t f_ok, f_flt, f_unsent, pending, taken;
  logic start, pop, drop, do_fault, kill, leave, report, overlap;
  logic pf_valid_q;
  logic early_may, early_taken, kept, look_use, look_write, used, lk_free, more_pages, answer_push, answer_pop, ap_write, act, act_fault;
  warp_t look_warp;
  thread_mask_t look_todo, look_take, hit, asked, ask, ap_threads, in_glob_t;
  logic [5:0] look_pages;
  lsu_row_t asked_row, ask_row;
  lsu_slot_t answer_tail, answer_head;
  logic inv_now, sd_d, stall_blocked, stall_look, stall_walk, resumed;
  logic [6:0] waiting;
  for (genvar b = 0; b < BEATS; b++) assign in_glob_t[b*LANES+:LANES] = (in_q.beat == beat_t'(b)) ? in_glob : '0;
  assign inv_now = inv_valid_i && sv48;
  assign overlap = mode_i == TLB_OVERLAP;

  lsu_rows u_rows (
      .clk_i, .rst_i, .sv48_i(sv48), .mode_i, .halt_i, .dead_i(dead_q), .full_i(busy == '1), .pf_busy_i(pf_valid_q),
      .in_valid_i(in_valid_q), .in_first_i(in_q.first), .in_last_i(in_q.last), .in_warp_i(in_q.warp), .in_mem_i(in_mem),
      .in_load_i(in_head.load), .in_store_i(in_head.store), .in_write_i(in_head.write), .in_glob_i(in_glob_t), .in_spad_i(in_spad != '0), .in_fault_i(in_fault != '0),
      .in_row_o(in_row_idx),
      .front_valid_o(front_valid), .front_early_o(early), .front_o(front_row), .front_seen_o(seen), .front_fault_o(front_fault), .front_spad_o(front_spad), .front_reported_o(reported),
      .front_look_o(front_look), .front_ok_o(f_ok), .front_flt_o(f_flt), .front_unsent_o(f_unsent), .front_pend_o(pending), .sd_next_i(sd_d),
      .front_next_o(front_next), .front_next_traced_o(front_next_traced), .others_o(others),
      .front_take_i(taken), .front_start_i(start), .front_report_i(report), .front_leave_i(leave), .front_pass_i(pass), .front_pop_i(pop), .front_drop_i(drop || do_fault || kill),
      .look_use_o(look_use), .look_row_o(look_row), .look_warp_o(look_warp), .look_write_o(look_write), .look_todo_o(look_todo), .look_used_i(used), .look_take_i(look_take),
      .hit_row_i(fk_row), .hit_i(hit), .kept_i(kept), .gone_o(gone), .asked_row_i(asked_row), .asked_i(asked), .walk_i, .ask_row_i(ask_row), .ask_i(ask),
      .walked_valid_i, .walked_walk_i(walked_i.walk), .push_o(answer_push), .tail_i(answer_tail), .head_i(answer_head), .answers_i(answers),
      .pop_o(answer_pop), .ap_o(ap_row), .ap_write_o(ap_write), .ap_threads_o(ap_threads),
      .act_i(act), .act_fault_i(act_fault),
      .resume_valid_i, .resume_warp_i(resume_i), .inv_i(inv_now),
      .lk_free_i(lk_free), .stall_blocked_o(stall_blocked), .waiting_o(waiting), .resumed_o(resumed), .unsent_o
  );
  lsu_lookup u_lookup (
      .clk_i, .rst_i, .inv_i(inv_now), .use_i(look_use), .row_i(look_row), .warp_i(look_warp), .write_i(look_write), .todo_i(look_todo), .vpn_i(vpn),
      .used_o(used), .take_o(look_take), .pages_o(look_pages), .more_o(more_pages),
      .early_may_o(early_may), .early_taken_i(early_taken), .early_o, .kept_o(kept),
      .look_valid_o, .look_o, .look_ready_i, .found_valid_i, .found_i,
      .miss_valid_o, .miss_o, .miss_ready_i, .walk_valid_i, .walked_valid_i, .walked_i,
      .fk_row_o(fk_row), .hit_o(hit), .asked_row_o(asked_row), .asked_o(asked), .ask_row_o(ask_row), .ask_o(ask),
      .push_i(answer_push), .tail_o(answer_tail), .head_o(answer_head), .answers_o(answers), .pop_i(answer_pop),
      .ap_write_i(ap_write), .act_o(act), .fault_o(act_fault), .access_o(act_access), .frame_o(answer_frame),
      .stall_look_o(stall_look), .stall_walk_o(stall_walk), .lk_free_o(lk_free)
  );
  assign frame_we = hit | ap_threads;
  assign frame_row = !sv48 ? in_row_idx : act ? ap_row : fk_row;

  // ---- front: what its row does -------------------------------------------------------------------------------------------
  logic pre_q, post_q;
  thread_mask_t lmask_q, lseen_q, pseen_q;
  thread_mask_t lmask;                   // lmask_q, which with one beat is 0
  beats_t sdone_q;
  logic [TBEAT_W-1:0] tbeat_q;
  logic st_valid_q, st_final_q;
  logic sd_q;
  logic fence_busy;

  logic fresh, dead, ok, memory, live, stuck;
  logic wg_done, fence_ready, pre_ready, post_ready, inval, inval_taken, sd_inval, sd_taken;
  logic spad_done, all_shown;
  entry_t free_idx, entry, cur;
  assign fresh = front_valid && !seen;
  assign dead = fresh && dead_q[h.warp];                                                     // 1
  assign drop = dead && !front_look;
  assign do_fault = fresh && !dead && front_fault;                                           // 2
  assign ok = front_valid && !dead && !do_fault;
  assign wg_done = ok && h.wg && !fence_busy;                                                // 3
  assign fence_ready = ok && h.fence && !fence_busy && quiet;                                // 4
  assign post_ready = post_q && quiet;                                                       // 5
  assign stuck = ok && f_flt != '0 && (f_unsent & ~f_ok & ~f_flt) == '0 && !(overlap && f_ok != '0)              // 6
              && (!seen || (all_shown && spad_done && lmask == '0));
  assign kill = stuck && halt_i;
  assign report = stuck && !halt_i && !reported && !pf_valid_q;
  assign pre_ready = ok && !stuck && h.rl && !pre_q && !seen && quiet;                       // 7
  // What a shootdown shows goes before what the front does.
  assign sd_inval = sd_q && unacked_q == '0 && loads_q == '0 && lmask == '0 && !st_valid_q;
  assign sd_taken = sd_inval && l1d_req_ready_i;
  assign sd_d = (sd_q && !sd_taken) || inv_valid_i;
  assign inval = (fence_ready || post_ready || pre_ready) && !st_valid_q && !sd_inval;
  assign inval_taken = inval && l1d_req_ready_i;

  always_comb begin
    free_idx = '0;
    for (int unsigned e = LSU_ENTRIES; e > 0; e--) if (!busy[e-1]) free_idx = entry_t'(e - 1);
  end
  ram_lut #(.DEPTH(ROWS), .WIDTH(ENTRY_W)) u_entry (
      .clk_i, .we_i(start), .waddr_i(front_row), .wdata_i(free_idx), .raddr_i(front_row), .rdata_o(cur)
  );
  assign memory = ok && !stuck && (h.load || h.store || h.atomic) && !post_q && (seen || !h.rl || pre_q);   // 8
  assign start = memory && !seen && (h.store || busy != '1);
  assign live = memory && (seen || start);
  assign entry = seen ? cur : free_idx;

  // Trace.
  beats_t trace_sel;
  logic trace_more;
  assign trace_more = !all_shown;
  assign all_shown = tbeat_q == TBEAT_W'(BEATS);
  // With one beat the selection of a beat's fields is left out: a payload that is not valid may be anything.
  for (genvar b = 0; b < BEATS; b++) assign trace_sel[b] = tbeat_q == TBEAT_W'(b);

  // Scratchpad.
  beats_t spad_has, spad_sel;
  logic spad_show, spad_taken;
  for (genvar b = 0; b < BEATS; b++) assign spad_has[b] = (BEATS == 1) ? front_spad : row[b].spad != '0;
  assign spad_sel = spad_has & ~sdone_q & (~(spad_has & ~sdone_q) + 1'b1);
  assign spad_done = (spad_has & ~sdone_q) == '0;
  assign spad_show = live && spad_sel != '0;
  assign spad_taken = spad_show && spad_req_ready_i;

  // Global.
  logic one_place, one_sector, group_last, group_whole;
  thread_mask_t from, leader, same_sector, same_line, one_page, group, group_b;
  line_addr_t line;
  sector_t sector;
  beats_t group_has, group_sel;
  logic load_show, load_taken, st_free, st_taken, counts, new_line, new_page;
  assign lmask = (BEATS == 1) ? '0 : lmask_q;
  assign from = (lmask != '0) ? lmask : pending;
  lsu_coalesce u_coalesce (
      .from_i(from), .sector_i(sectors),
      .leader_o(leader), .line_o(line), .sector_o(sector), .same_sector_o(same_sector), .same_line_o(same_line), .same_page_o(one_page),
      .one_sector_o(one_sector), .one_place_o(one_place)
  );
  assign group = (lmask != '0) ? lmask : h.atomic ? leader : pending & (same_sector | {THREADS{early}});
  assign group_last = (pending & ~(h.atomic ? leader : lmask)) == '0 || (lmask == '0 && !h.atomic && one_sector);   // it has all of `pending`
  assign group_whole = BEATS == 1 || group == group_b;
  for (genvar b = 0; b < BEATS; b++) begin : gen_group
    assign group_has[b] = group[b*LANES+:LANES] != '0;
    assign group_b[b*LANES+:LANES] = (BEATS == 1 || group_sel[b]) ? group[b*LANES+:LANES] : '0;
  end
  assign group_sel = group_has & (~group_has + 1'b1);
  assign load_show = live && h.load && pending != '0 && !st_valid_q;
  assign load_taken = load_show && l1d_req_ready_i;
  assign st_free = !st_valid_q || !st_final_q || l1d_req_ready_i;
  assign st_taken = live && !h.load && from != '0 && st_free && (h.atomic || unacked_q < 8'(STORE_LIMIT));
  assign taken = (load_taken || st_taken) ? group : '0;
  assign counts = load_taken || (st_taken && lmask == '0);
  assign new_line = counts && !h.atomic && (leader & lseen_q) == '0;
  assign new_page = counts && !sv48 && (leader & pseen_q) == '0;

  // ---- early visit: E2, E3 ----------------------------------------------------------------------------------------------------
  logic early_first, early_show, ek_q;
  entry_t ek_entry_q;
  sent_t ek_sent_q, sent;
  assign early_first = early && (BEATS == 1 || trace_sel[0]);
  assign early_show = early_first && early_may && one_place && pending != '0 && !st_valid_q && busy != '1;   // with `sd`, pending is 0
  assign early_taken = early_show && l1d_req_ready_i;
  assign pass = early && (BEATS == 1 || trace_sel[BEATS-1]);
  always_comb begin
    sent = ek_sent_q;
    sent.line |= line_addr_t'(found_i[0].ppn) << (12 - LINE_OFF_W);
    if (counts) begin
      sent = '{warp: h.warp, seq: h.seq, threads: group, line: line, default: '0};
      if (kept) begin
        sent.with_warp = ek_sent_q.warp;
        sent.with_seq = ek_sent_q.seq;
        sent.with_threads = ek_sent_q.threads;
        sent.with_line = ek_sent_q.line | (line_addr_t'(found_i[0].ppn) << (12 - LINE_OFF_W));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    sent_valid_o <= !rst_i && (counts || kept);
    sent_o <= sent;
    ek_q <= !rst_i && early_taken;
    ek_entry_q <= free_idx;
    ek_sent_q <= '{warp: h.warp, seq: h.seq, threads: pending, line: line_addr_t'(line[12-LINE_OFF_W-1:0]), default: '0};
  end

  // The end of the visit.
  logic done, all_sent;
  assign done = live && ((load_taken || st_taken) ? group_last : pending == '0) && (st_taken ? group_whole : lmask == '0)
             && (spad_has & ~sdone_q & ~(spad_taken ? spad_sel : '0)) == '0 && (trace_sel[BEATS-1] || !trace_more);
  assign all_sent = (f_unsent & ~pending) == '0;   // given `done`
  assign pop = drop || do_fault || wg_done || (inval_taken && !pre_ready) || kill || (done && all_sent && !h.aq);
  assign leave = dead || stuck || (memory && !live && others) || (done && !all_sent);

  // ---- stores and atomics into sectors ---------------------------------------------------------------------------------------
  typedef struct packed {
    logic atomic;
    warp_t warp;
    line_addr_t line;
    sector_t sector;
    entry_t entry;
    thread_mask_t thread;
    amo_e amo;
    logic dword;
    logic [6:0] off;
    hart_t hart;
  } st_head_t;
  st_head_t st_head_d, st_head_q;
  lane_mask_t st_take_d, st_take_q, atomic_take;
  logic [LANES-1:0][SECTOR_OFF_W-4:0] st_dword_d, st_dword_q;
  logic [LANES-1:0][7:0] st_be_d, st_be_q;
  lane_data_t st_data_d, st_data_q;
  xlen_t st_cmp_d, st_cmp_q;
  logic [HART_W-1:0] hart_base_q, hart_warp;  // number of thread 0 of warp 0 of this core; of the head's warp
  assign hart_warp = hart_base_q + HART_W'(h.warp) * HART_W'(THREADS);

  always_comb begin
    st_head_d = '{atomic: h.atomic, warp: h.warp, line: line, amo: AMO_SWAP, default: '0};
    st_take_d = '0;
    st_dword_d = '0;
    st_be_d = '0;
    st_data_d = '0;
    st_cmp_d = '0;
    atomic_take = '0;
    `VL_WHEN(h.store || h.atomic) for (int unsigned l = 0; l < LANES; l++) begin
      logic [6:0] off;
      xlen_t d, c;
      off = '0;
      d = '0;
      c = '0;
      for (int unsigned b = 0; b < BEATS; b++) atomic_take[l] |= leader[b*LANES+l];   // the group of an atomic: known early
      for (int unsigned b = 0; b < BEATS; b++)
        if (BEATS == 1 || group_sel[b]) begin
          st_take_d[l] |= group[b*LANES+l];
          off |= row[b].low[l][6:0];
          d |= row[b].rs2[l];
          c |= row[b].rs3[l];
        end
      if (h.atomic) begin
        st_be_d[l] = (h.size == 2'd3) ? 8'hff : 8'h0f;
        st_data_d[l] = d;
        if (atomic_take[l]) begin
          st_head_d.off |= off;
          if (h.amo == AMO_CAS) st_cmp_d |= (h.size == 2'd3) ? c : {32'd0, c[31:0]};
        end
      end else begin
        st_dword_d[l] = off[SECTOR_OFF_W-1:3];
        unique case (h.size)
          2'd0: st_be_d[l] = 8'h01 << off[2:0];
          2'd1: st_be_d[l] = 8'h03 << {off[2:1], 1'b0};
          2'd2: st_be_d[l] = off[2] ? 8'hf0 : 8'h0f;
          default: st_be_d[l] = 8'hff;
        endcase
        unique case (h.size)
          2'd0: st_data_d[l] = {8{d[7:0]}};
          2'd1: st_data_d[l] = {4{d[15:0]}};
          2'd2: st_data_d[l] = {2{d[31:0]}};
          default: st_data_d[l] = d;
        endcase
      end
    end
    if (!h.atomic) st_head_d.sector = sector;
    else begin
      st_head_d.entry = entry;
      st_head_d.thread = leader;
      st_head_d.amo = h.amo;
      st_head_d.dword = h.size == 2'd3;
      st_head_d.hart = hart_warp;
      for (int unsigned t = 0; t < THREADS; t++) if (leader[t]) st_head_d.hart |= HART_W'(t);
    end
  end

  sector_be_t sc_be, st_be;
  sector_data_t sc_data, st_data;
  lsu_scatter u_scatter (
      .take_i(st_valid_q ? st_take_q : '0), .dword_i(st_dword_q), .be_i(st_be_q), .data_i(st_data_q), .be_o(sc_be), .data_o(sc_data)
  );
  if (BEATS > 1) begin : gen_acc
    sector_be_t acc_be_q;
    sector_data_t acc_data_q;
    always_comb begin
      st_be = acc_be_q | sc_be;
      for (int unsigned k = 0; k < SECTOR_BYTES; k++) st_data[k*8+:8] = sc_data[k*8+:8] | (sc_be[k] ? '0 : acc_data_q[k*8+:8]);
    end
    always_ff @(posedge clk_i)
      if (rst_i || (st_valid_q && st_final_q && l1d_req_ready_i)) begin
        acc_be_q <= '0;
        acc_data_q <= '0;
      end else if (st_valid_q && !st_final_q) begin
        acc_be_q <= st_be;
        acc_data_q <= st_data;
      end
  end else begin : gen_no_acc
    assign st_be = sc_be;
    assign st_data = sc_data;
  end

  // ---- outputs ----------------------------------------------------------------------------------------------------------------
  assign l1d_req_valid_o = (st_valid_q && st_final_q) || load_show || early_show || inval || sd_inval;
  always_comb begin
    l1d_req_o = '{op: L1D_LOAD, amo: AMO_SWAP, default: '0};
    l1d_req_o.data = st_data;
    if (st_valid_q) begin
      l1d_req_o.op = st_head_q.atomic ? L1D_AMO : L1D_STORE;
      l1d_req_o.tag = '{entry: st_head_q.entry, tmask: st_head_q.thread};
      l1d_req_o.warp = st_head_q.warp;
      l1d_req_o.line = st_head_q.line;
      l1d_req_o.sector = st_head_q.sector;
      l1d_req_o.amo = st_head_q.amo;
      l1d_req_o.amo_dword = st_head_q.dword;
      l1d_req_o.amo_off = st_head_q.off;
      l1d_req_o.hart = st_head_q.hart;
      if (st_head_q.atomic) l1d_req_o.data[127:64] = st_cmp_q;
      else l1d_req_o.be = st_be;
    end else begin
      if (!sd_inval) l1d_req_o.warp = h.warp;
      if (inval || sd_inval) l1d_req_o.op = L1D_INVAL;
      else begin
        l1d_req_o.tag = '{entry: entry, tmask: group};
        l1d_req_o.early = early;
        l1d_req_o.line = {early ? '0 : line[LINE_ADDR_W-1:12-LINE_OFF_W], line[12-LINE_OFF_W-1:0]};
        l1d_req_o.sector = sector;
      end
    end
  end

  always_comb begin
    spad_req_o = '{op: h.op, default: '0};
    spad_req_o.entry = h.store ? '0 : entry;
    spad_req_o.hart0 = hart_warp;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || spad_sel[b]) begin
        spad_req_o.beat |= beat_t'(b);
        spad_req_o.hart0 |= HART_W'(b * LANES);
        spad_req_o.mask |= row[b].spad;
        spad_req_o.data |= row[b].rs2;
        spad_req_o.cmp |= row[b].rs3;
        for (int unsigned l = 0; l < LANES; l++) spad_req_o.addr[l] |= h.base + SPAD_W'(row[b].low[l]);
      end
  end
  assign spad_req_valid_o = spad_show;

  always_comb begin
    trace_o = '0;
    trace_o.warp = h.warp;
    trace_o.seq = h.seq;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || trace_sel[b]) begin
        trace_o.beat |= beat_t'(b);
        trace_o.mask |= row[b].active;
        trace_o.data |= row[b].rs2;
        for (int unsigned l = 0; l < LANES; l++) trace_o.addr[l] |= {{16{sv48 && virt[b*LANES+l][31]}}, virt[b*LANES+l], row[b].low[l]};
      end
  end
  assign trace_valid_o = (live || early) && trace_more && trace_o.mask != '0;

  logic [THREADS-1:0][SECTOR_OFF_W-1:0] offs;   // an atomic's doubleword comes in the lowest place
  for (genvar t = 0; t < THREADS; t++)
    assign offs[t] = h.atomic ? SECTOR_OFF_W'(row[t/LANES].low[t%LANES][2:0]) : row[t/LANES].low[t%LANES][SECTOR_OFF_W-1:0];
  logic rsp_ready, res_empty;
  lsu_result u_result (
      .clk_i, .rst_i,
      .alloc_i((start && !h.store) || early_taken), .alloc_idx_i(free_idx), .alloc_warp_i(h.warp), .alloc_seq_i(h.seq), .alloc_rd_i(h.rd),
      .alloc_size_i(h.sc ? 2'd2 : h.size), .alloc_unsigned_i(h.is_unsigned), .alloc_threads_i(active_t), .alloc_off_i(offs),
      .kill_i(kill && seen && !h.store), .kill_idx_i(cur), .kill_threads_i(f_flt | f_ok), .busy_o(busy),
      .undo_i(ek_q && !kept), .undo_idx_i(ek_entry_q),
      .fence_i(wg_done || (fence_ready && inval_taken)), .fence_warp_i(h.warp), .fence_seq_i(h.seq), .fence_busy_o(fence_busy),
      .l1d_rsp_valid_i, .l1d_rsp_i, .spad_rsp_valid_i, .spad_rsp_i, .rsp_ready_o(rsp_ready),
      .lsu_res_valid_o, .lsu_res_o, .lsu_res_ready_i, .empty_o(res_empty)
  );
  assign l1d_rsp_ready_o = rsp_ready;
  assign spad_rsp_ready_o = rsp_ready;

  logic fault_valid_q, inv_done_q;
  fault_t fault_q;
  ev_lsu_t ev_q;
  logic [HELD_W-1:0] held_q, owed_q, owed_rest;
  assign owed_rest = owed_q + (gone ? HELD_W'(BEATS) : '0) - HELD_W'(credit_o);
  assign fault_valid_o = fault_valid_q;
  assign fault_o = fault_q;
  assign ev_o = ev_q;
  assign inv_done_o = inv_done_q;
  assign credit_o = owed_q != '0;
  assign idle_o = held_q == '0 && res_empty && !st_valid_q && unacked_q == '0;

  // ---- the fault of the head ---------------------------------------------------------------------------------------------------
  fault_t fault_d;
  thread_mask_t fault_first;
  assign fault_first = fault_t_mask & (~fault_t_mask + 1'b1);
  always_comb begin
    logic bad, outside;
    bad = (fault_first & misaligned_t) != '0;
    outside = (fault_first & access_t) != '0;
    fault_d.cause = bad ? (h.write ? FAULT_STORE_MISALIGNED : FAULT_LOAD_MISALIGNED)
                        : outside ? (h.write ? FAULT_STORE_ACCESS : FAULT_LOAD_ACCESS) : (h.write ? FAULT_STORE_PAGE : FAULT_LOAD_PAGE);
    fault_d.warp = h.warp;
    fault_d.pc = h.pc;
    fault_d.mask = fault_t_mask;
    fault_d.value = '0;
    for (int unsigned b = BEATS; b > 0; b--) if (fault_t_mask[(b-1)*LANES+:LANES] != '0) fault_d.value = row[b-1].value;
  end

  // ---- the page fault of the front ---------------------------------------------------------------------------------------------
  page_fault_t pf_d, pf_q;
  thread_mask_t pf_first;
  assign pf_first = f_flt & (~f_flt + 1'b1);
  always_comb begin
    pf_d = '{store: h.write, warp: h.warp, pc: h.pc, threads: f_flt, access: (pf_first & f_acc) != '0, default: '0};
    for (int unsigned t = 0; t < THREADS; t++) if (pf_first[t]) pf_d.value |= {frame[t], row[t/LANES].low[t%LANES][11:0]};
  end
  assign pf_valid_o = pf_valid_q;
  assign pf_o = pf_q;

  // ---- pages of each row -------------------------------------------------------------------------------------------------------
  // Two copies, since one is read where it is added to, and one at the front.
  logic [6:0] pages_there, pages_front, pages_was, pages_sum, pages_seen, pages;
  logic [ROWS-1:0] counted_q;   // else 0
  lsu_row_t count_row;
  logic count_we;
  // Those of a look-up an edge later: the front does not see its threads before.
  logic looked_q;
  lsu_row_t looked_row_q;
  logic [5:0] looked_pages_q;
  assign count_row = sv48 ? looked_row_q : front_row;
  assign count_we = sv48 ? looked_q : new_page;
  always_ff @(posedge clk_i) begin
    looked_q <= used && !rst_i;
    looked_row_q <= look_row;
    looked_pages_q <= look_pages;
  end
  ram_lut #(.DEPTH(ROWS), .WIDTH(7)) u_pages (
      .clk_i, .we_i(count_we), .waddr_i(count_row), .wdata_i(pages_sum), .raddr_i(count_row), .rdata_o(pages_there)
  );
  ram_lut #(.DEPTH(ROWS), .WIDTH(7)) u_pages_front (
      .clk_i, .we_i(count_we), .waddr_i(count_row), .wdata_i(pages_sum), .raddr_i(front_row), .rdata_o(pages_front)
  );
  always_comb begin
    logic [7:0] sum;
    pages_was = counted_q[count_row] ? pages_there : '0;
    sum = 8'(pages_was) + (sv48 ? 8'(looked_pages_q) : 8'd1);
    pages_sum = sum[7] ? '1 : sum[6:0];
    pages_seen = counted_q[front_row] ? pages_front : '0;
    pages = (new_page && pages_seen != '1) ? pages_seen + 7'd1 : pages_seen;   // not pages_sum: look-ups would stand before the events
  end

  // ---- registers ------------------------------------------------------------------------------------------------------------------
  logic count_pages, store_sent, line_asked, amo_asked, line_back, amo_back;
  assign store_sent = st_valid_q && st_final_q && l1d_req_ready_i && !st_head_q.atomic;
  assign amo_asked = st_valid_q && st_final_q && l1d_req_ready_i && st_head_q.atomic;
  assign line_asked = load_taken || amo_asked;
  assign line_back = l1d_rsp_valid_i && rsp_ready;
  assign amo_back = line_back && atomic_q[l1d_rsp_i.tag.entry];
  assign count_pages = done && all_sent && glob_t != '0;

`ifndef SYNTHESIS
  logic sv48_q;
  tlb_mode_e mode_q;
  always_ff @(posedge clk_i) begin
    sv48_q <= sv48;
    mode_q <= mode_i;
  end
`endif
  always_ff @(posedge clk_i) begin
    in_q <= ops_i;
    hart_base_q <= HART_W'(core_i) * HART_W'(WARPS * THREADS);
    if ((start && !h.store) || early_taken) begin  // a store may start while no entry is free
      atomic_q[free_idx] <= h.atomic;
    end
    if (st_free) begin
      st_head_q <= st_head_d;
      st_take_q <= st_take_d;
      st_dword_q <= st_dword_d;
      st_be_q <= st_be_d;
      st_data_q <= st_data_d;
      st_cmp_q <= st_cmp_d;
      st_final_q <= group_whole;
    end
    fault_q <= fault_d;
    if (report) pf_q <= pf_d;

    if (rst_i) begin
      in_valid_q <= 1'b0;
      dead_q <= '0;
      unacked_q <= '0;
      loads_q <= '0;
      amos_q <= '0;
      sd_q <= 1'b0;
      inv_done_q <= 1'b0;
      pf_valid_q <= 1'b0;
      counted_q <= '0;
      held_q <= '0;
      owed_q <= '0;
      pre_q <= 1'b0;
      post_q <= 1'b0;
      sdone_q <= '0;
      tbeat_q <= '0;
      lmask_q <= '0;
      lseen_q <= '0;
      pseen_q <= '0;
      st_valid_q <= 1'b0;
      fault_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      in_valid_q <= take_ops;
      held_q <= held_q + HELD_W'(take_ops) - HELD_W'(credit_o);
      owed_q <= pop ? owed_rest + HELD_W'(BEATS) : owed_rest;

      // Front.
      if (front_next) begin
        pre_q <= 1'b0;
        post_q <= 1'b0;
        sdone_q <= {BEATS{front_next_traced}};
        tbeat_q <= front_next_traced ? TBEAT_W'(BEATS) : '0;
        lseen_q <= '0;
        pseen_q <= '0;
      end else begin
        if (pre_ready && inval_taken) pre_q <= 1'b1;
        if (done && all_sent) post_q <= 1'b1;
        if (spad_taken) sdone_q <= sdone_q | spad_sel;
        if ((live || early) && trace_more) tbeat_q <= tbeat_q + 1'b1;
        if (counts) begin
          lseen_q <= lseen_q | (pending & same_line);
          pseen_q <= pseen_q | (glob_t & one_page);
        end
      end
      if (st_taken) lmask_q <= group & ~group_b;   // empty when the front's visit ends
      if (st_free) st_valid_q <= st_taken;
      if (count_we) counted_q[count_row] <= 1'b1;
      if (in_valid_q && in_q.first) counted_q[in_row_idx] <= 1'b0;

      // Page faults, shootdown.
      if (report) pf_valid_q <= 1'b1;
      else if (pf_ready_i) pf_valid_q <= 1'b0;
      sd_q <= sd_d;
      inv_done_q <= sd_taken;
      loads_q <= loads_q + LOADS_W'(line_asked) + LOADS_W'(kept) - LOADS_W'(line_back);
      amos_q <= amos_q + LOADS_W'(amo_asked) - LOADS_W'(amo_back);

      // Warps.
      fault_valid_q <= do_fault;
      if (do_fault || kill) dead_q[h.warp] <= 1'b1;
      if (start_valid_i) dead_q[start_i.warp] <= 1'b0;
      if (store_sent != l1d_ack_i) unacked_q <= store_sent ? unacked_q + 8'd1 : unacked_q - 8'd1;

      ev_q.lsu_loads <= (start && h.load && trace_more) || early_first;
      ev_q.lsu_stores <= start && h.store;
      ev_q.lsu_atomics <= start && h.atomic;
      ev_q.lsu_fences <= wg_done || (fence_ready && inval_taken);
      ev_q.lsu_lines <= 2'(new_line) + 2'(kept);
      ev_q.lsu_pages <= sv48 ? look_pages : 6'(new_page);
      ev_q.page_div_1 <= 2'(count_pages && pages == 7'd1) + 2'(kept);
      ev_q.page_div_2_3 <= count_pages && pages inside {7'd2, 7'd3};
      ev_q.page_div_4_7 <= count_pages && pages[6:2] == 5'd1;
      ev_q.page_div_8_15 <= count_pages && pages[6:3] == 4'd1;
      ev_q.page_div_16_up <= count_pages && pages[6:4] != '0;
      ev_q.lsu_stall_entry <= memory && !live;
      ev_q.lsu_stall_l1d <= l1d_req_valid_o && !l1d_req_ready_i;
      ev_q.lsu_stall_spad <= spad_req_valid_o && !spad_req_ready_i;
      ev_q.lsu_stall_fence <= ((ok && h.fence) || post_q || (ok && !stuck && h.rl && !pre_q && !seen)) && !inval;
      ev_q.lsu_stall_port <= more_pages;
      ev_q.lsu_stall_look <= stall_look;
      ev_q.lsu_stall_walk <= stall_walk;
      ev_q.lsu_stall_blocked <= stall_blocked;
      ev_q.lsu_parked <= (memory && !live && others) || (done && !all_sent);
      ev_q.lsu_waiting <= waiting;
      ev_q.lsu_page_faults <= report;
      ev_q.lsu_resumed <= resumed;
    end
  end

  `VL_ASSERT(queue_has_room, !take_ops || 32'(held_q) < IN_DEPTH || credit_o)
  `VL_ASSERT(beats_in_order, !in_valid_q || (in_q.first == (in_q.beat == '0) && in_q.last == (32'(in_q.beat) == BEATS - 1)))
  `VL_ASSERT(ack_is_awaited, !l1d_ack_i || unacked_q != '0)
  `VL_ASSERT(line_is_awaited, !line_back || loads_q != '0)
  `VL_ASSERT(one_shootdown_at_a_time, !inv_valid_i || !sd_q)
  `VL_ASSERT(root_and_mode_change_while_idle, idle_o || (sv48 == sv48_q && mode_i == mode_q))
  `VL_ASSERT(no_sector_is_left_half_taken, !front_next || (st_taken ? group == group_b : lmask_q == '0))
  `VL_ASSERT(early_is_this_rows_look_up, !early_taken || u_lookup.lk_q.row == front_row)
  `VL_ASSERT(kept_was_taken, !early_o || ek_q)
  `VL_ASSERT(no_frame_twice, hit == '0 || ap_threads == '0)
endmodule
