// The front of the load/store unit: what becomes of the one row that it works on, or visits early, in this cycle. Its choice is made in lsu_rows.
// Page: docs/blocks/lsu.md, "Front", "Early visit"; step numbers in comments are the page's.
`include "vl_assert.svh"
module lsu_front
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    input  core_t        core_i,
    input  logic         sv48_i,
    input  logic         overlap_i,
    input  logic         halt_i,
    // its row
    input  lsu_front_t   row_i,
    input  lsu_head_t    head_i,
    input  lsu_beat_t [BEATS-1:0] beat_i,
    input  warp_t [THREADS-1:0] home_i,
    input  ppn_t [THREADS-1:0] frame_i,
    input  logic [THREADS-1:0][31:0] virt_i,
    input  logic         warp_dead_i,
    input  logic         others_i,         // another row that is seen is ready to go
    input  lsu_next_t    next_i,
    output lsu_visit_t   visit_o,
    output logic         fault_o,          // step 2: the row pops with a fault
    output logic         kill_o,           // step 6, halted: it pops, its unsent threads are dropped
    // its waits
    input  logic         quiet_i,
    input  logic         fence_busy_i,     // no place for the result of a fence
    input  logic         pf_busy_i,
    input  logic         store_limit_i,    // no more stores may go
    output logic         half_taken_o,     // of a sector not all beats have gone to lsu_store
    // entries
    input  logic [LSU_ENTRIES-1:0] busy_i,
    output entry_t       entry_o,          // of the row; before its start the lowest that is free
    output logic         enter_o,          // a load or atomic starts, or an early request is taken: it gets the entry
    output logic         fence_o,          // a fence is done
    // l1d_req, lsu_store
    input  logic         l1d_ready_i,
    input  logic         sd_inval_i,       // a shootdown is shown: it goes before the front's step
    output logic         load_o,           // a load is shown,
    output logic         early_o,          // or an early one,
    output logic         inval_o,          // or INVAL
    output lsu_group_t   group_o,
    output logic         load_taken_o,
    input  logic         st_valid_i,
    input  logic         st_free_i,
    output logic         st_take_o,
    output logic         st_whole_o,
    // early requests
    input  logic         early_may_i,      // the look-up that is shown is all of the row's pages, and one
    output logic         early_taken_o,
    input  logic         kept_i,           // the early request of the last cycle has hit: its threads are sent
    input  ppn_t         kept_ppn_i,
    output logic         undo_o,           // it has not: its entry becomes free again
    output entry_t       undo_entry_o,
    // spad
    output logic         spad_req_valid_o,
    output spad_req_t    spad_req_o,
    input  logic         spad_req_ready_i,
    // trace, judges
    output logic         trace_valid_o,
    output memtrace_t    trace_o,
    output logic         sent_valid_o,
    output sent_t        sent_o,
    output lsu_events_t  ev_o
);
  localparam int unsigned TBEAT_W = $clog2(BEATS + 1);
  logic pre_q, post_q;
  thread_mask_t lmask_q, lseen_q, pseen_q;
  thread_mask_t lmask;                   // lmask_q, which with one beat is 0
  beats_t sdone_q;
  logic [TBEAT_W-1:0] tbeat_q;
  lsu_head_t h;
  lsu_kind_t k;
  thread_mask_t pending;                 // P
  assign h = head_i;
  assign k = row_i.kind;
  assign pending = row_i.pend;

  thread_mask_t glob;
  logic [THREADS-1:0][PA_W-1:SECTOR_OFF_W] sectors;
  for (genvar t = 0; t < THREADS; t++) begin : gen_thread
    assign glob[t] = beat_i[t/LANES].glob[t%LANES];
    assign sectors[t] = {frame_i[t], beat_i[t/LANES].low[t%LANES][11:SECTOR_OFF_W]};
  end

  // ---- which step applies ---------------------------------------------------------------------------------------------
  logic fresh, dead, drop, ok, access, memory, start, active, live, stuck, report, wg_done, fence_ready, pre_ready, post_ready, inval_taken, spad_done, all_shown;
  assign fresh = row_i.valid && !row_i.seen;
  assign dead = fresh && warp_dead_i;                                                        // 1
  assign drop = dead && !row_i.look;
  assign fault_o = fresh && !dead && row_i.fault;                                            // 2
  assign ok = row_i.valid && !dead && !fault_o;
  assign wg_done = ok && k.wg && !fence_busy_i;                                              // 3
  assign fence_ready = ok && k.fence && !fence_busy_i && quiet_i;                            // 4
  assign post_ready = post_q && quiet_i;                                                     // 5
  assign stuck = ok && row_i.flt != '0 && (row_i.unsent & ~row_i.ok & ~row_i.flt) == '0 && !(overlap_i && row_i.ok != '0)   // 6
              && (!row_i.seen || (all_shown && spad_done && lmask == '0));
  assign kill_o = stuck && halt_i;
  assign report = stuck && !halt_i && !row_i.reported && !pf_busy_i;
  assign pre_ready = ok && !stuck && k.rl && !pre_q && !row_i.seen && quiet_i;               // 7
  assign inval_o = (fence_ready || post_ready || pre_ready) && !st_valid_i && !sd_inval_i;
  assign inval_taken = inval_o && l1d_ready_i;
  // 8. A stuck row has nothing to send. So sends depend on `active`, which does not wait for `stuck`.
  assign access = ok && (k.load || k.store || k.atomic) && !post_q && (row_i.seen || !k.rl || pre_q);
  assign active = access && (row_i.seen || k.store || busy_i != '1);
  assign memory = access && !stuck;
  assign live = active && !stuck;
  assign start = live && !row_i.seen;
  assign fence_o = wg_done || (fence_ready && inval_taken);

  entry_t free_idx, cur;
  always_comb begin
    free_idx = '0;
    for (int unsigned e = LSU_ENTRIES; e > 0; e--) if (!busy_i[e-1]) free_idx = entry_t'(e - 1);
  end
  ram_lut #(.DEPTH(LSU_ROWS), .WIDTH(ENTRY_W)) u_entry (
      .clk_i, .we_i(start), .waddr_i(row_i.row), .wdata_i(free_idx), .raddr_i(row_i.row), .rdata_o(cur)
  );
  assign entry_o = row_i.seen ? cur : free_idx;
  assign enter_o = (start && !k.store) || early_taken_o;   // a store may start while no entry is free

  hart_t hart_base_q, hart_warp;         // number of thread 0 of warp 0 of this core; of the row's warp
  assign hart_warp = hart_base_q + HART_W'(row_i.warp) * HART_W'(THREADS);

  // ---- trace ----------------------------------------------------------------------------------------------------------
  beats_t trace_sel;
  assign all_shown = tbeat_q == TBEAT_W'(BEATS);
  // With one beat no beat is selected: a payload may be anything while it is not valid.
  for (genvar b = 0; b < BEATS; b++) assign trace_sel[b] = tbeat_q == TBEAT_W'(b);
  always_comb begin
    trace_o = '0;
    trace_o.warp = row_i.warp;
    trace_o.seq = h.seq;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || trace_sel[b]) begin
        trace_o.beat |= beat_t'(b);
        trace_o.mask |= beat_i[b].active;
        trace_o.data |= beat_i[b].rs2;
        for (int unsigned l = 0; l < LANES; l++)
          trace_o.addr[l] |= {{16{sv48_i && virt_i[b*LANES+l][31]}}, virt_i[b*LANES+l], beat_i[b].low[l]};
      end
  end
  assign trace_valid_o = (live || row_i.early) && !all_shown && trace_o.mask != '0;

  // ---- scratchpad -----------------------------------------------------------------------------------------------------
  beats_t spad_left, spad_sel;
  logic spad_taken;
  for (genvar b = 0; b < BEATS; b++) assign spad_left[b] = ((BEATS == 1) ? row_i.spad : beat_i[b].spad != '0) && !sdone_q[b];
  assign spad_sel = spad_left & (~spad_left + 1'b1);
  assign spad_done = spad_left == '0;
  assign spad_req_valid_o = live && !spad_done;
  assign spad_taken = spad_req_valid_o && spad_req_ready_i;
  always_comb begin
    spad_req_o = '{op: h.op, default: '0};
    spad_req_o.entry = k.store ? '0 : entry_o;
    spad_req_o.hart0 = COMPACTS ? hart_base_q : hart_warp;
    for (int unsigned b = 0; b < BEATS; b++)
      if (BEATS == 1 || spad_sel[b]) begin
        spad_req_o.beat |= beat_t'(b);
        spad_req_o.hart0 |= HART_W'(b * LANES);
        for (int unsigned l = 0; l < HOME_LANES; l++) if (COMPACTS) spad_req_o.home[l] |= home_i[b*LANES+l];
        spad_req_o.mask |= beat_i[b].spad;
        spad_req_o.data |= beat_i[b].rs2;
        spad_req_o.cmp |= beat_i[b].rs3;
        for (int unsigned l = 0; l < LANES; l++) spad_req_o.addr[l] |= h.base + SPAD_W'(beat_i[b].low[l]);
      end
  end

  // ---- global ---------------------------------------------------------------------------------------------------------
  logic one_place, one_sector, last, st_taken, counts;
  thread_mask_t from, leader, same_sector, same_line, one_page, group, group_b;   // group_b: in its lowest beat
  line_addr_t line;
  sector_t sector;
  beats_t group_has, group_sel;
  assign lmask = (BEATS == 1) ? '0 : lmask_q;
  assign from = (lmask != '0) ? lmask : pending;
  lsu_coalesce u_coalesce (
      .from_i(from), .sector_i(sectors),
      .leader_o(leader), .line_o(line), .sector_o(sector), .same_sector_o(same_sector), .same_line_o(same_line), .same_page_o(one_page),
      .one_sector_o(one_sector), .one_place_o(one_place)
  );
  assign group = (lmask != '0) ? lmask : k.atomic ? leader : pending & (same_sector | {THREADS{row_i.early}});
  assign last = (pending & ~(k.atomic ? leader : lmask)) == '0 || (lmask == '0 && !k.atomic && one_sector);   // the request has all threads of `pending`
  for (genvar b = 0; b < BEATS; b++) begin : gen_group
    assign group_has[b] = group[b*LANES+:LANES] != '0;
    assign group_b[b*LANES+:LANES] = (BEATS == 1 || group_sel[b]) ? group[b*LANES+:LANES] : '0;
  end
  assign group_sel = group_has & (~group_has + 1'b1);
  // Where warps are formed the hart number is that of the leader's home.
  hart_t hart_lead;
  if (COMPACTS) begin : gen_lead
    warp_t home;
    always_comb begin
      home = '0;
      for (int unsigned t = 0; t < THREADS; t++) if (leader[t]) home |= home_i[t];
    end
    assign hart_lead = hart_base_q + HART_W'(home) * HART_W'(THREADS);
  end else begin : gen_no_lead
    assign hart_lead = hart_warp;
  end
  assign group_o = '{entry: entry_o, line: line, sector: sector, leader: leader, threads: group, beat: group_sel, hart: hart_lead};
  assign load_o = active && k.load && pending != '0 && !st_valid_i;
  assign load_taken_o = load_o && l1d_ready_i;
  assign st_taken = active && !k.load && from != '0 && st_free_i && (k.atomic || !store_limit_i);
  assign st_take_o = st_taken;
  assign st_whole_o = BEATS == 1 || group == group_b;
  assign half_taken_o = lmask != '0;
  assign counts = load_taken_o || (st_taken && lmask == '0);

  // ---- early visit ----------------------------------------------------------------------------------------------------
  logic early_first, pass, ek_q;
  entry_t ek_entry_q;
  sent_t ek_sent_q, sent;
  assign early_first = row_i.early && (BEATS == 1 || trace_sel[0]);                          // E2
  assign early_o = early_first && early_may_i && one_place && pending != '0 && !st_valid_i && busy_i != '1;   // with `sd`, pending is 0
  assign early_taken_o = early_o && l1d_ready_i;
  assign pass = row_i.early && (BEATS == 1 || trace_sel[BEATS-1]);
  assign undo_o = ek_q && !kept_i;                                                           // E3
  assign undo_entry_o = ek_entry_q;
  always_comb begin
    sent = ek_sent_q;
    sent.line |= line_addr_t'(kept_ppn_i) << PAGE_LINE_W;
    if (counts) begin
      sent = '{warp: row_i.warp, seq: h.seq, threads: group, line: line, default: '0};
      if (kept_i) begin
        sent.with_warp = ek_sent_q.warp;
        sent.with_seq = ek_sent_q.seq;
        sent.with_threads = ek_sent_q.threads;
        sent.with_line = ek_sent_q.line | (line_addr_t'(kept_ppn_i) << PAGE_LINE_W);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    sent_valid_o <= !rst_i && (counts || kept_i);
    sent_o <= sent;
    ek_q <= !rst_i && early_taken_o;
    ek_entry_q <= free_idx;
    ek_sent_q <= '{warp: row_i.warp, seq: h.seq, threads: pending, line: line_addr_t'(line[PAGE_LINE_W-1:0]), default: '0};
  end

  // ---- the end of the visit -------------------------------------------------------------------------------------------
  logic done, all_sent;
  assign done = ((load_taken_o || st_taken) ? last : live && pending == '0) && (st_taken ? st_whole_o : lmask == '0)
             && (spad_left & ~(spad_taken ? spad_sel : '0)) == '0 && (trace_sel[BEATS-1] || all_shown);
  assign all_sent = (row_i.unsent & ~pending) == '0;   // given `done`
  always_comb begin
    visit_o.take = (load_taken_o || st_taken) ? group : '0;
    visit_o.start = start;
    visit_o.report = report;
    visit_o.leave = dead || stuck || (memory && !live && others_i) || (done && !all_sent);
    visit_o.pass = pass;
    visit_o.pop = drop || fault_o || wg_done || (inval_taken && !pre_ready) || kill_o || (done && all_sent && !k.aq);
    visit_o.drop = drop || fault_o || kill_o;
  end

  always_comb begin
    ev_o.load = (start && k.load && !all_shown) || early_first;
    ev_o.store = start && k.store;
    ev_o.atomic = start && k.atomic;
    ev_o.fence = fence_o;
    ev_o.line = counts && !k.atomic && (leader & lseen_q) == '0;
    ev_o.page = counts && !sv48_i && (leader & pseen_q) == '0;
    ev_o.complete = done && all_sent && glob != '0;
    ev_o.no_entry = memory && !live;
    ev_o.fence_waits = ((ok && k.fence) || post_q || (ok && !stuck && k.rl && !pre_q && !row_i.seen)) && !inval_o;
    ev_o.parked = (memory && !live && others_i) || (done && !all_sent);
  end

  always_ff @(posedge clk_i) begin
    hart_base_q <= HART_W'(core_i) * HART_W'(WARPS * THREADS);
    if (rst_i) begin
      pre_q <= 1'b0;
      post_q <= 1'b0;
      sdone_q <= '0;
      tbeat_q <= '0;
      lmask_q <= '0;
      lseen_q <= '0;
      pseen_q <= '0;
    end else begin
      if (next_i.valid) begin
        pre_q <= 1'b0;
        post_q <= 1'b0;
        sdone_q <= {BEATS{next_i.traced}};
        tbeat_q <= next_i.traced ? TBEAT_W'(BEATS) : '0;
        lseen_q <= '0;
        pseen_q <= '0;
      end else begin
        if (pre_ready && inval_taken) pre_q <= 1'b1;
        if (done && all_sent) post_q <= 1'b1;
        if (spad_taken) sdone_q <= sdone_q | spad_sel;
        if ((live || row_i.early) && !all_shown) tbeat_q <= tbeat_q + 1'b1;
        if (counts) begin
          lseen_q <= lseen_q | (pending & same_line);
          pseen_q <= pseen_q | (glob & one_page);
        end
      end
      if (st_taken) lmask_q <= group & ~group_b;   // empty when the front's visit ends
    end
  end

  `VL_ASSERT(no_sector_is_left_half_taken, !next_i.valid || (st_taken ? group == group_b : lmask_q == '0))
  `VL_ASSERT(stuck_sends_nothing, !stuck || from == '0)
  `VL_ASSERT(kept_was_taken, !kept_i || ek_q)
endmodule
