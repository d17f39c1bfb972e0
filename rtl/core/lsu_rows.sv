// The pool of instructions of the load/store unit: which threads of each are where on their way (to be looked up, waiting, translated, faulted), and which row
// is looked up, answered and worked on next. Page: docs/blocks/lsu.md, "Look-up", "Front", "Shootdown"; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module lsu_rows
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          sv48_i,
    input  tlb_mode_e     mode_i,
    input  logic          halt_i,
    input  warp_mask_t    dead_i,
    input  logic          full_i,           // every entry is taken
    input  logic          pf_busy_i,
    // a beat comes
    input  logic          in_valid_i,
    input  lsu_arrive_t   in_i,
    output lsu_row_t      in_row_o,
    // front
    output lsu_front_t    front_o,
    input  lsu_visit_t    visit_i,
    input  logic          sd_next_i,        // a shootdown is going on after this edge: P is empty
    output lsu_next_t     next_o,
    output logic          others_o,         // another row that is seen is ready to go
    // look-up
    output lsu_look_t     lrow_o,
    input  logic          used_i,
    input  thread_mask_t  look_take_i,      // look-up 2
    input  lsu_threads_t  hit_i,            // look-up 4
    input  logic          kept_i,           // E3: the threads of hit_i.row have been sent
    output logic          gone_o,           // and with them a row pops
    input  lsu_threads_t  asked_i,          // look-up 6
    input  walk_t         walk_i,
    input  lsu_threads_t  ask_i,            // look-up 5, at this edge
    // answers
    input  logic          walked_valid_i,
    input  walk_t         walked_walk_i,
    output logic          push_o,
    input  lsu_answers_t  answers_i,
    output logic          pop_o,
    output lsu_answered_t ap_o,
    output thread_mask_t  ap_threads_o,     // threads with a frame that is written: 0 unless look-up 8 acts
    input  logic          act_fault_i,
    // host
    input  logic          resume_valid_i,
    input  warp_t         resume_warp_i,
    input  logic          inv_i,            // Sv48
    // launch
    input  logic          start_valid_i,
    input  warp_t         start_warp_i,
    output logic          left_o,           // rows of the slot's last warp are here
    // events
    input  logic          lk_free_i,
    output logic          stall_blocked_o,
    output logic [6:0]    waiting_o,
    output logic          resumed_o,
    output warp_mask_t    unsent_o,         // of complete rows with such threads
    output warp_mask_t    rows_o            // of all rows, where warps are formed; else 0
);
  localparam int unsigned ROWS = LSU_ROWS;
  typedef logic [ROWS-1:0] set_t;

  function automatic set_t one(input logic valid, input lsu_row_t row);
    return valid ? set_t'(1) << row : '0;
  endfunction
  function automatic lsu_row_t index(input set_t s);   // of a one-hot set
    lsu_row_t i = '0;
    for (int unsigned r = 0; r < ROWS; r++) if (s[r]) i |= lsu_row_t'(r);
    return i;
  endfunction
  function automatic set_t lowest(input set_t s);
    return s & (~s + 1'b1);
  endfunction

  // ---- state --------------------------------------------------------------------------------------------------------
  set_t valid_q, complete_q, write_q, fault_q, spad_q, traced_q, seen_q, reported_q;
  warp_t warp_q[ROWS];
  lsu_kind_t kind_q[ROWS];
  thread_mask_t unsent_q[ROWS], todo_q[ROWS], wait_q[ROWS], ans_q[ROWS], ok_q[ROWS], flt_q[ROWS];
  thread_mask_t unsent_d[ROWS], todo_d[ROWS], wait_d[ROWS], ans_d[ROWS], ok_d[ROWS], flt_d[ROWS];
  thread_mask_t whole_ok_d[ROWS];            // ok_d of a complete row, which receives no beat: the row that receives one is known late
  lsu_slot_t id_q[ROWS][THREADS];            // of a walk, or of an answer
  logic front_valid_q, front_early_q, front_seen_q, front_fault_q, front_spad_q;
  lsu_row_t front_q;
  warp_t front_warp_q;
  lsu_kind_t front_kind_q;
  set_t front_set_q;
  thread_mask_t front_ok_q, front_flt_q, front_unsent_q, front_pend_q;
  logic lrow_valid_q, ap_valid_q;
  lsu_row_t lrow_q, ap_q, fill_q;
  logic overlap, blocking;
  assign overlap = mode_i == TLB_OVERLAP;
  assign blocking = mode_i == TLB_BLOCKING;

  set_t front_set, early_set, lrow_set, ap_set, in_set, arrive, complete_now, pop_set, drop_set, kept_set, gone_set;
  assign front_set = front_valid_q ? front_set_q : '0;
  assign early_set = front_early_q ? front_set_q : '0;
  assign lrow_set = one(lrow_valid_q, lrow_q);
  assign ap_set = one(ap_valid_q, ap_q);
  assign in_row_o = in_i.first ? index(lowest(~valid_q)) : fill_q;
  assign in_set = one(1'b1, in_row_o);
  assign arrive = in_valid_i ? in_set : '0;
  assign complete_now = (in_valid_i && in_i.last) ? in_set : '0;
  assign pop_set = visit_i.pop ? front_set_q : '0;
  assign drop_set = visit_i.drop ? front_set_q : '0;

  // ---- threads ------------------------------------------------------------------------------------------------------
  thread_mask_t walked[ROWS], answered[ROWS], looking[ROWS];
  set_t resume, any_walked, any_answered;
  always_comb begin
    resume = '0;
    any_walked = '0;
    any_answered = '0;
    for (int unsigned r = 0; r < ROWS; r++) begin
      walked[r] = '0;
      answered[r] = '0;
      `VL_WHEN(resume_valid_i) resume[r] = resume_valid_i && reported_q[r] && warp_q[r] == resume_warp_i;
      `VL_WHEN(walked_valid_i && wait_q[r] != '0)
        for (int unsigned t = 0; t < THREADS; t++)
          walked[r][t] = walked_valid_i && wait_q[r][t] && walk_t'(id_q[r][t]) == walked_walk_i;     // look-up 7
      `VL_WHEN(ans_q[r] != '0)
        for (int unsigned t = 0; t < THREADS; t++) answered[r][t] = ans_q[r][t] && id_q[r][t] == answers_i.head;   // look-up 8
      any_walked[r] = walked[r] != '0;
      any_answered[r] = answered[r] != '0;
    end
  end
  assign push_o = any_walked != '0;

  logic acts;
  assign acts = ap_valid_q && answers_i.act;
  set_t hit_set, asked_set, ask_set;
  assign hit_set = one(1'b1, hit_i.row);
  assign kept_set = kept_i ? hit_set : '0;
  // With one or two beats the front has shown the whole trace when the look-up is answered.
  if (BEATS <= 2) begin : gen_gone
    assign gone_set = kept_set;
  end else begin : gen_gone
    assign gone_set = (visit_i.pass && front_unsent_q == '0) ? front_set_q : '0;
  end
  assign gone_o = gone_set != '0;
  assign asked_set = one(1'b1, asked_i.row);
  assign ask_set = one(1'b1, ask_i.row);
  // All changes but those by the front's sends and pops.
  always_comb
    for (int unsigned r = 0; r < ROWS; r++) begin
      thread_mask_t in, back, act, known;
      in = arrive[r] ? in_i.glob : '0;
      back = resume[r] ? flt_q[r] : '0;
      act = (acts && ap_set[r]) ? answered[r] : '0;
      unsent_d[r] = unsent_q[r] | in;
      wait_d[r] = (wait_q[r] & ~walked[r]) | (asked_set[r] ? asked_i.threads : '0);
      ans_d[r] = (ans_q[r] & ~act) | walked[r];
      flt_d[r] = (flt_q[r] & ~back) | (act_fault_i ? act : '0);
      todo_d[r] = (todo_q[r] & ~(lrow_set[r] ? look_take_i : '0)) | back | (sv48_i ? in : '0);
      whole_ok_d[r] = ok_q[r] | (hit_set[r] ? hit_i.threads : '0) | (act_fault_i ? '0 : act);
      ok_d[r] = whole_ok_d[r] | (sv48_i ? '0 : in);
      known = flt_d[r] | wait_d[r] | (ask_set[r] ? ask_i.threads : '0);
      if (inv_i) begin
        todo_d[r] = unsent_d[r] & ~known;
        ans_d[r] = '0;
        ok_d[r] = '0;
        whole_ok_d[r] = '0;
      end
    end
  for (genvar r = 0; r < ROWS; r++) assign looking[r] = unsent_q[r] & ~(todo_q[r] | wait_q[r] | ans_q[r] | ok_q[r] | flt_q[r]);

  // ---- order --------------------------------------------------------------------------------------------------------
  set_t same_warp, first, alone, ready, needs_entry, look_ready, look_any, oldest_look, pick;
  for (genvar r = 0; r < ROWS; r++) assign same_warp[r] = valid_q[r] && warp_q[r] == in_i.warp;
  lsu_order u_order (
      .clk_i, .alloc_i(in_i.first ? arrive : '0), .same_i(same_warp), .pop_i(pop_set), .gone_i(gone_set), .except_i(front_set), .first_o(first), .alone_o(alone),
      .look_i(look_ready), .look_o(oldest_look), .ready_i(ready), .prefer_i(full_i ? ~needs_entry : '1), .pick_o(pick)
  );

  // ---- look-up 1 -----------------------------------------------------------------------------------------------------
  set_t busy, held, dead;
  logic lrow_free, look_new, look_new_any;
  thread_mask_t todo;
  always_comb
    for (int unsigned r = 0; r < ROWS; r++) begin
      dead[r] = dead_i[warp_q[r]];
      busy[r] = (unsent_q[r] & ~(todo_q[r] | ok_q[r] | flt_q[r])) != '0;   // in look-up, wait or ans
      look_any[r] = complete_q[r] && !fault_q[r] && !dead[r] && todo_q[r] != '0 && !lrow_set[r];
    end
  always_comb
    for (int unsigned r = 0; r < ROWS; r++) held[r] = blocking && (busy & ~(set_t'(1) << r)) != '0;
  assign look_ready = look_any & ~held;

  logic in_fault, in_spad;               // with the beats before
  thread_mask_t in_glob;
  always_comb begin
    in_fault = in_i.fault;
    in_spad = in_i.spad;
    in_glob = in_i.glob;
    if (BEATS > 1 && !in_i.first) begin
      in_fault |= (fault_q & in_set) != '0;
      in_spad |= (spad_q & in_set) != '0;
      for (int unsigned r = 0; r < ROWS; r++) if (in_set[r]) in_glob |= unsent_q[r];
    end
  end
  assign look_new_any = complete_now != '0 && sv48_i && !in_fault && in_glob != '0 && !dead_i[in_i.warp];
  assign look_new = look_new_any && !(blocking && busy != '0);

  logic lrow_dead, lrow_held;
  always_comb begin
    todo = '0;
    for (int unsigned r = 0; r < ROWS; r++) if (lrow_set[r]) todo |= todo_q[r];
  end
  assign lrow_dead = (dead & lrow_set) != '0;
  assign lrow_held = (held & lrow_set) != '0;
  assign lrow_free = (todo & ~look_take_i) == '0 || lrow_dead;
  logic look_may;
  warp_t look_warp;
  assign look_may = lrow_valid_q && !lrow_dead && !lrow_held;
  always_comb begin
    look_warp = '0;
    `VL_WHEN(look_may) for (int unsigned r = 0; r < ROWS; r++) if (lrow_set[r]) look_warp |= warp_q[r];
  end
  assign lrow_o = '{may: look_may, row: lrow_q, warp: look_warp, write: (write_q & lrow_set) != '0, todo: todo};
  assign stall_blocked_o = (lrow_free && ((look_any & held) != '0 || (look_new_any && !look_new)))
                        || (lrow_held && !lrow_dead && todo != '0 && !answers_i.any && lk_free_i);

  // E1. This row cannot be the front's: the front's row is traced, or has threads that need no look-up.
  logic early_next;
  set_t early_any;
  always_comb for (int unsigned r = 0; r < ROWS; r++) early_any[r] = kind_q[r].load && !spad_q[r] && !traced_q[r] && alone[r] && (unsent_q[r] & ~todo_q[r]) == '0;
  assign early_next = used_i && (early_any & lrow_set) != '0;

  // ---- look-up 8: which row is answered --------------------------------------------------------------------------------
  set_t ap_any, ap_next;
  always_comb begin
    ap_threads_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) begin
      ap_any[r] = any_answered[r] && !ap_set[r];
      if (acts && ap_set[r]) ap_threads_o |= answered[r];
    end
  end
  assign ap_next = lowest(ap_any);
  assign ap_o = '{row: ap_q, write: (write_q & ap_set) != '0};
  assign pop_o = answers_i.any && (!ap_valid_q || acts) && ap_any == '0;

  // ---- front: choice ------------------------------------------------------------------------------------------------
  always_comb
    for (int unsigned r = 0; r < ROWS; r++) begin
      thread_mask_t ok;
      logic some, all, stuck, report;
      {needs_entry[r], ready[r], some, all, stuck, report} = '0;
      ok = '0;
      `VL_WHEN(complete_q[r]) begin
        ok = ok_q[r] | (hit_set[r] ? hit_i.threads : '0);
        some = ok != '0;
        all = (unsent_q[r] & ~ok) == '0;
        stuck = flt_q[r] != '0 && (unsent_q[r] & ~ok & ~flt_q[r]) == '0 && !(overlap && some);
        report = halt_i || (!reported_q[r] && !pf_busy_i);
        needs_entry[r] = (kind_q[r].load || kind_q[r].atomic) && !seen_q[r] && !dead[r] && !fault_q[r] && !stuck;
        ready[r] = complete_q[r] && first[r] && !front_set[r] && !(BEATS > 2 && early_set[r] && front_unsent_q == '0)
            && (dead[r] ? (looking[r] & ~ok) == '0 : fault_q[r] || kind_q[r].fence || kind_q[r].wg || (stuck && report)
                || (!stuck && (overlap || all) && (some || (!seen_q[r] && ((overlap && spad_q[r]) || unsent_q[r] == '0)))));
      end
    end
  assign others_o = (ready & seen_q) != '0;

  logic new_first, new_ready, front_free, choose, choose_early;
  if (BEATS == 1) begin : gen_new_first
    assign new_first = (same_warp & ~front_set) == '0;
  end else begin : gen_new_first
    assign new_first = (first & in_set) != '0;
  end
  assign new_ready = complete_now != '0 && new_first
      && (dead_i[in_i.warp] || in_fault || in_i.kind.fence || in_i.kind.wg || !sv48_i || in_glob == '0 || (overlap && in_spad));
  assign front_free = !front_valid_q && (BEATS == 1 || !front_early_q || visit_i.pass);
  assign choose = front_free || visit_i.pop;
  assign choose_early = ready == '0 && early_next;

  thread_mask_t pick_ok, pick_flt, pick_unsent;
  warp_t pick_warp;
  lsu_kind_t pick_kind;
  logic pick_seen, pick_traced, pick_fault, pick_go, hit_front, ap_front, back_front;
  always_comb begin
    pick_ok = '0;
    pick_flt = '0;
    pick_unsent = '0;
    pick_warp = '0;
    pick_kind = '0;
    pick_go = overlap;
    for (int unsigned r = 0; r < ROWS; r++) begin
      if (pick[r]) begin
        pick_ok |= whole_ok_d[r];
        pick_flt |= flt_d[r];
        pick_unsent |= unsent_q[r];
        pick_warp |= warp_q[r];
        pick_kind |= kind_q[r];
        pick_go |= (unsent_q[r] & ~whole_ok_d[r]) == '0;
      end
    end
    if (ready == '0) begin
      pick_ok = (sv48_i || inv_i) ? '0 : in_glob;
      pick_flt = '0;
      pick_unsent = early_next ? todo : in_glob;
      pick_warp = early_next ? look_warp : in_i.warp;
      pick_kind = in_i.kind;
      if (early_next) pick_kind = '{load: 1'b1, default: '0};
      pick_go = 1'b1;                    // `ok` has all of them, or none
    end
    pick_seen = (pick & seen_q) != '0;
    pick_traced = (pick & traced_q) != '0;
    pick_fault = (ready != '0) ? (pick & fault_q) != '0 : in_fault;
  end
  assign hit_front = (hit_set & front_set_q) != '0;
  assign ap_front = acts && (ap_set & front_set_q) != '0;
  assign back_front = (resume & front_set_q) != '0;
  thread_mask_t front_ok_d, front_flt_d, front_pend_d;
  thread_mask_t sent[ROWS];
  always_comb begin
    thread_mask_t hit, act, back, ok;
    hit = hit_front ? hit_i.threads : '0;
    act = ap_front ? ap_threads_o : '0;
    back = back_front ? front_flt_q : '0;
    ok = front_ok_q | hit | (act_fault_i ? '0 : act);
    front_ok_d = inv_i ? '0 : ok & ~visit_i.take;
    // Threads that are sent leave both `unsent` and `ok`, so the comparison does not change.
    front_pend_d = (overlap || (front_unsent_q & ~ok) == '0) ? front_ok_d : '0;
    front_flt_d = (front_flt_q & ~back) | (act_fault_i ? act : '0);
    for (int unsigned r = 0; r < ROWS; r++) sent[r] = front_set_q[r] ? visit_i.take : '0;
  end

  logic front_look;
  always_comb begin
    front_look = 1'b0;
    for (int unsigned r = 0; r < ROWS; r++) if (front_set_q[r]) front_look |= looking[r] != '0;
  end
  assign front_o = '{valid: front_valid_q, early: front_early_q, row: front_q, warp: front_warp_q, kind: front_kind_q, seen: front_seen_q, fault: front_fault_q, spad: front_spad_q,
                     reported: (reported_q & front_set_q) != '0, look: front_look, ok: front_ok_q, flt: front_flt_q, unsent: front_unsent_q, pend: front_pend_q};
  assign next_o = '{valid: choose, traced: pick_traced && ready != '0};

  // ---- registers ----------------------------------------------------------------------------------------------------
  for (genvar r = 0; r < int'(ROWS); r++) begin : gen_id
    always_ff @(posedge clk_i)
      `VL_WHEN(any_walked[r] || (asked_set[r] && asked_i.threads != '0))
      for (int unsigned t = 0; t < THREADS; t++)
        if (walked[r][t]) id_q[r][t] <= answers_i.tail;
        else if (asked_set[r] && asked_i.threads[t]) id_q[r][t] <= lsu_slot_t'(walk_i);
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) fill_q <= in_row_o;
    for (int unsigned r = 0; r < ROWS; r++) begin
      if (arrive[r]) begin
        warp_q[r] <= in_i.warp;
        kind_q[r] <= in_i.kind;
        write_q[r] <= in_i.write;
        fault_q[r] <= in_fault;
        spad_q[r] <= in_spad;
      end
    end

    // Copies of the front's row, so that its paths begin at registers.
    if (choose) begin
      front_q <= (ready != '0) ? index(pick) : early_next ? lrow_q : in_row_o;
      front_set_q <= (ready != '0) ? pick : early_next ? lrow_set : in_set;
      front_warp_q <= pick_warp;
      front_kind_q <= pick_kind;
      front_seen_q <= pick_seen && ready != '0;
      front_fault_q <= pick_fault;
      front_spad_q <= (ready != '0) ? (pick & spad_q) != '0 : in_spad;
      front_ok_q <= pick_ok;
      front_flt_q <= pick_flt;
      front_unsent_q <= pick_unsent;
      front_pend_q <= choose_early ? todo : pick_go ? pick_ok : '0;
    end else begin
      front_ok_q <= front_ok_d;
      front_flt_q <= front_flt_d;
      front_unsent_q <= ((kept_set & front_set_q) != '0) ? '0 : front_unsent_q & ~visit_i.take;
      front_pend_q <= front_pend_d;
      if (visit_i.start) front_seen_q <= 1'b1;
    end

    if (sd_next_i) front_pend_q <= '0;

    if (rst_i) begin
      valid_q <= '0;
      complete_q <= '0;
      traced_q <= '0;
      seen_q <= '0;
      reported_q <= '0;
      front_valid_q <= 1'b0;
      front_early_q <= 1'b0;
      lrow_valid_q <= 1'b0;
      ap_valid_q <= 1'b0;
    end else begin
      valid_q <= (valid_q & ~gone_set & ~pop_set) | arrive;
      complete_q <= (complete_q & ~gone_set & ~pop_set) | complete_now;
      traced_q <= (traced_q | (visit_i.start ? front_set_q : '0) | ((choose && choose_early) ? lrow_set : '0)) & ~(in_i.first ? arrive : '0);
      seen_q <= (seen_q | (visit_i.start ? front_set_q : '0)) & ~(in_i.first ? arrive : '0);
      reported_q <= (reported_q & ~resume & ~drop_set) | (visit_i.report ? front_set_q : '0);
      front_valid_q <= choose ? ready != '0 || (new_ready && !early_next) : front_valid_q && !visit_i.leave;
      front_early_q <= choose ? choose_early : front_early_q;
      if (inv_i) lrow_valid_q <= 1'b0;
      else if (lrow_free) lrow_valid_q <= look_ready != '0 || look_new;
      if (inv_i) ap_valid_q <= 1'b0;
      else if (!ap_valid_q || acts) ap_valid_q <= ap_any != '0;
    end
    if (lrow_free) lrow_q <= (look_ready != '0) ? index(oldest_look) : in_row_o;
    if (!ap_valid_q || acts) ap_q <= index(ap_next);

    for (int unsigned r = 0; r < ROWS; r++)
      if (rst_i || drop_set[r] || kept_set[r]) begin
        unsent_q[r] <= '0;
        todo_q[r] <= '0;
        wait_q[r] <= '0;
        ans_q[r] <= '0;
        ok_q[r] <= '0;
        flt_q[r] <= '0;
      end else begin
        unsent_q[r] <= unsent_d[r] & ~sent[r];
        todo_q[r] <= todo_d[r] & ~sent[r];
        wait_q[r] <= wait_d[r];
        ans_q[r] <= ans_d[r];
        ok_q[r] <= ok_d[r] & ~sent[r];
        flt_q[r] <= flt_d[r];
      end
  end

  always_comb begin
    waiting_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) waiting_o += 7'(wait_q[r] != '0);
  end
  assign resumed_o = resume != '0;
  always_comb begin
    left_o = 1'b0;
    `VL_WHEN(start_valid_i) for (int unsigned r = 0; r < ROWS; r++) left_o |= valid_q[r] && warp_q[r] == start_warp_i;
  end
  always_comb begin
    unsent_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) `VL_WHEN(complete_q[r]) if (complete_q[r] && unsent_q[r] != '0) unsent_o[warp_q[r]] = 1'b1;
  end
  always_comb begin
    rows_o = '0;
    for (int unsigned r = 0; r < ROWS; r++) if (COMPACTS && valid_q[r]) rows_o[warp_q[r]] = 1'b1;
  end

`ifndef SYNTHESIS
  // Invariants of the page.
  logic states, firsts, copies, some_ans, sd_q;
  always_ff @(posedge clk_i) sd_q <= sd_next_i;
  always_comb begin
    states = 1'b1;
    firsts = 1'b1;
    copies = 1'b1;
    some_ans = 1'b0;
    for (int unsigned r = 0; r < ROWS; r++) begin
      if (((todo_q[r] & wait_q[r]) | ((todo_q[r] | wait_q[r]) & ans_q[r]) | ((todo_q[r] | wait_q[r] | ans_q[r]) & ok_q[r])
           | ((todo_q[r] | wait_q[r] | ans_q[r] | ok_q[r]) & flt_q[r])) != '0) states = 1'b0;
      if (((todo_q[r] | wait_q[r] | ans_q[r] | ok_q[r] | flt_q[r]) & ~unsent_q[r]) != '0) states = 1'b0;
      if (!valid_q[r] && unsent_q[r] != '0) states = 1'b0;
      some_ans |= ans_q[r] != '0;
      if (valid_q[r] && first[r]) for (int unsigned j = 0; j < r; j++)
        if (valid_q[r] && valid_q[j] && first[r] && first[j] && warp_q[r] == warp_q[j] && !front_set[r] && !front_set[j]) firsts = 1'b0;
      if ((front_set[r] || early_set[r]) && (warp_q[r] != front_warp_q || kind_q[r] != front_kind_q)) copies = 1'b0;
      if (front_set[r] && (ok_q[r] != front_ok_q || flt_q[r] != front_flt_q || unsent_q[r] != front_unsent_q
                           || seen_q[r] != front_seen_q || fault_q[r] != front_fault_q
                           || front_pend_q != ((!sd_q && (overlap || unsent_q[r] == ok_q[r])) ? ok_q[r] : '0))) copies = 1'b0;
    end
  end
  `VL_ASSERT(a_thread_is_in_one_state, states)
  `VL_ASSERT(one_first_row_a_warp, firsts)
  `VL_ASSERT(front_copies_are_true, copies)
  `VL_ASSERT(front_is_a_row, !front_valid_q || (valid_q[front_q] && complete_q[front_q] && front_set_q == (set_t'(1) << front_q)))
  `VL_ASSERT(early_is_a_row, !front_early_q || (valid_q[front_q] && kind_q[front_q].load && traced_q[front_q] && !seen_q[front_q] && front_set_q == (set_t'(1) << front_q)))
  `VL_ASSERT(early_or_at_work, !front_early_q || !front_valid_q)
  `VL_ASSERT(kept_were_in_look_up, (kept_set & ~valid_q) == '0 && (!kept_i || looking[hit_i.row] == unsent_q[hit_i.row]))
  `VL_ASSERT(pool_has_room, !in_valid_i || !in_i.first || valid_q != '1)
  `VL_ASSERT(sent_were_translated, (visit_i.take & front_unsent_q & ~front_pend_q) == '0)
  `VL_ASSERT(drop_is_a_pop, !visit_i.drop || visit_i.pop)
  `VL_ASSERT(dropped_have_no_lookups, !visit_i.pop || !front_look)
  `VL_ASSERT(dead_are_not_seen, !front_valid_q || !front_seen_q || !dead_i[warp_q[front_q]])
  `VL_ASSERT(answered_threads_have_answers, !some_ans || answers_i.any)
  `VL_ASSERT(one_reported_row_a_warp, $countones(resume) <= 1)
`endif
endmodule
