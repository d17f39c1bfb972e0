// No livelock of threads that miss the TLB (bug class 18): the rows and look-ups of lsu, before a TLB that finds or forgets any page at any time, and so before any TLB with
// however few ways for however many threads. A thread is looked up once, asks the walker once at most, and is translated by that walk's answer; it goes one way, and back only by the host's
// resume or a shootdown. The step it waits for is under way: a look-up, a miss that is shown, a walk, an answer that is being worked off. That walks end: walk_end_proof.sv. One thread of one row,
// any, is picked at reset. Page: docs/blocks/lsu.md, look-ups 1 to 8.
module lsu_wait_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input logic         clk_i,
    input tlb_mode_e    mode_i,
    input logic         halt_i,
    input warp_mask_t   dead_i,
    input logic         full_i,
    input logic         pf_busy_i,
    input logic         in_valid_i,
    input warp_t        in_warp_i,
    input logic [4:0]   in_is_i,
    input thread_mask_t in_glob_i,
    input logic         sd_next_i,
    input thread_mask_t take_i,
    input logic [4:0]   front_i,
    input logic         early_i,
    input vpn_t [THREADS-1:0] vpn_i,
    input logic         look_ready_i,
    input found_t [TLB_PORTS-1:0] found_i,
    input logic         miss_ready_i,
    input walk_t        walk_i,
    input logic         walked_valid_i,
    input walked_t      walked_i,
    input logic         resume_valid_i,
    input warp_t        resume_warp_i,
    input logic         inv_i,
    input lsu_row_t     pick_row_i,
    input logic [$clog2(THREADS)-1:0] pick_thread_i
);
  typedef logic [LSU_ROWS-1:0] set_t;
  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst;
  assign rst = !started_q[1];

  // ---- the two, wired as in lsu.sv ----------------------------------------------------------------------------------
  lsu_row_t in_row;
  lsu_arrive_t arrive;
  lsu_front_t front;
  lsu_visit_t visit;
  lsu_next_t next;
  lsu_look_t lrow;
  lsu_threads_t hit, asked, ask;
  lsu_answers_t answers;
  lsu_answered_t ap;
  logic others, early_may, early_taken, early, kept, gone, used, lk_free, more, push, pop_answer, act_fault, act_access, pop, drop, in_valid;
  thread_mask_t taken, look_take, ap_threads;
  logic [5:0] pages;
  logic [TLB_PORTS-1:0] look_valid;
  look_t [TLB_PORTS-1:0] look;
  logic miss_valid, named, walked_valid, stall_blocked, stall_look, stall_walk, resumed;
  miss_t miss;
  walk_t walk;
  logic [6:0] waiting;
  ppn_t [THREADS-1:0] frame;
  lsu_kind_t kind;
  assign kind = '{load: in_is_i[2:0] == 3'b001, store: in_is_i[2:0] == 3'b111, atomic: in_is_i[2:0] inside {3'b011, 3'b101}, fence: !in_is_i[0], default: '0};
  assign arrive = '{first: 1'b1, last: 1'b1, warp: in_warp_i, kind: kind, write: in_is_i[2],
                    glob: in_glob_i, spad: in_is_i[3], fault: in_is_i[4]};
  assign visit = '{take: taken, start: front.valid && front_i[0], report: front.valid && front_i[1], leave: front.valid && front_i[2], pass: front.early,
                   pop: pop, drop: drop};
  lsu_rows u_rows (
      .clk_i, .rst_i(rst), .sv48_i(1'b1), .mode_i, .halt_i, .dead_i, .full_i, .pf_busy_i,
      .in_valid_i(in_valid), .in_i(arrive), .in_row_o(in_row),
      .front_o(front), .visit_i(visit), .sd_next_i, .next_o(next), .others_o(others),
      .lrow_o(lrow), .used_i(used), .look_take_i(look_take),
      .hit_i(hit), .kept_i(kept), .gone_o(gone), .asked_i(asked), .walk_i(walk), .ask_i(ask),
      .walked_valid_i(walked_valid), .walked_walk_i(walked_i.walk), .push_o(push), .answers_i(answers), .pop_o(pop_answer),
      .ap_o(ap), .ap_threads_o(ap_threads), .act_fault_i(act_fault),
      .resume_valid_i, .resume_warp_i, .inv_i,
      .lk_free_i(lk_free), .stall_blocked_o(stall_blocked), .waiting_o(waiting), .resumed_o(resumed)
  );
  lsu_lookup u_lookup (
      .clk_i, .rst_i(rst), .inv_i, .lrow_i(lrow), .vpn_i, .used_o(used), .take_o(look_take), .pages_o(pages), .more_o(more),
      .early_may_o(early_may), .early_taken_i(early_taken), .early_o(early), .kept_o(kept),
      .look_valid_o(look_valid), .look_o(look), .look_ready_i, .found_valid_i(u_lookup.fk_port_q), .found_i,
      .miss_valid_o(miss_valid), .miss_o(miss), .miss_ready_i, .walk_valid_i(named), .walked_valid_i(walked_valid), .walked_i,
      .hit_o(hit), .asked_o(asked), .ask_o(ask),
      .push_i(push), .answers_o(answers), .pop_i(pop_answer), .ap_write_i(ap.write), .fault_o(act_fault), .access_o(act_access), .frame_o(frame),
      .stall_look_o(stall_look), .stall_walk_o(stall_walk), .lk_free_o(lk_free)
  );

  // ---- promises of the rest of lsu: it sends translated threads, drops none that are in look-up or go there, takes no more than there is room for -----------------------------------------------
  set_t front_set;
  thread_mask_t may_take, unsent;
  logic busy;
  assign front_set = front.valid ? u_rows.front_set_q : '0;
  always_comb begin
    may_take = (front_set != '0) ? '1 : '0;
    unsent = '0;
    busy = 1'b0;
    for (int unsigned r = 0; r < LSU_ROWS; r++)
      if (front_set[r]) begin
        may_take &= u_rows.ok_q[r];
        unsent |= u_rows.unsent_q[r];
        busy |= u_rows.looking[r] != '0 || (used && lrow.row == lsu_row_t'(r));
      end
  end
  assign taken = take_i & may_take;
  // A visit of one cycle, that of the look-up (one beat): the L1D takes the request, or does not.
  assign early_taken = early_i && front.early && early_may;
  assign pop = front_i[3] && front.valid && !busy && (front_i[4] || (unsent & ~taken) == '0);
  assign drop = front_i[4] && pop;
  // No beat comes into a row that has threads: lemma_valid proves it of the picked one, and any may be picked.
  assign in_valid = in_valid_i && u_rows.valid_q != '1 && u_rows.todo_q[in_row] == '0 && !(front.early && front.row == in_row) && !(early && hit.row == in_row);

  // The walker names a walk for each miss one cycle later, and ends those under way.
  logic [TLB_MSHRS-1:0] live_q;
  assign walk = (32'(walk_i) < TLB_MSHRS) ? walk_i : '0;
  assign walked_valid = walked_valid_i && 32'(walked_i.walk) < TLB_MSHRS && live_q[walked_i.walk] && !(named && walk == walked_i.walk);

  // ---- the picked thread ----------------------------------------------------------------------------------------------
  lsu_row_t r_q;
  logic [$clog2(THREADS)-1:0] t_q;
  logic in_lk, in_fk, todo, waits, ans, ok, flt, looking, unsent_it, begun, again, again_q;
  logic [1:0] in_mq;
  logic in_asked, one_port, some_threads;    // of each group: at one port at most; a port that is used has threads
  always_comb begin
    some_threads = 1'b1;
    for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      if (u_lookup.lk_port_q[p] && u_lookup.lk_q.mask[p] == '0) some_threads = 1'b0;
      if (u_lookup.fk_port_q[p] && u_lookup.fk_q.mask[p] == '0) some_threads = 1'b0;
      for (int unsigned k = 0; k < 2; k++) if (u_lookup.mq_port_q[k][p] && u_lookup.mq_q[k].mask[p] == '0) some_threads = 1'b0;
    end
    one_port = 1'b1;
    for (int unsigned p = 1; p < TLB_PORTS; p++)
      for (int unsigned q = 0; q < p; q++) begin
        if (u_lookup.lk_port_q[p] && u_lookup.lk_port_q[q] && u_lookup.lk_q.mask[p][t_q] && u_lookup.lk_q.mask[q][t_q]) one_port = 1'b0;
        if (u_lookup.fk_port_q[p] && u_lookup.fk_port_q[q] && u_lookup.fk_q.mask[p][t_q] && u_lookup.fk_q.mask[q][t_q]) one_port = 1'b0;
        for (int unsigned k = 0; k < 2; k++)
          if (u_lookup.mq_port_q[k][p] && u_lookup.mq_port_q[k][q] && u_lookup.mq_q[k].mask[p][t_q] && u_lookup.mq_q[k].mask[q][t_q]) one_port = 1'b0;
      end
    in_lk = 1'b0;
    in_fk = 1'b0;
    in_mq = '0;
    for (int unsigned p = 0; p < TLB_PORTS; p++) begin
      if (u_lookup.lk_port_q[p] && u_lookup.lk_q.row == r_q && u_lookup.lk_q.mask[p][t_q]) in_lk = 1'b1;
      if (u_lookup.fk_port_q[p] && u_lookup.fk_q.row == r_q && u_lookup.fk_q.mask[p][t_q]) in_fk = 1'b1;
      for (int unsigned k = 0; k < 2; k++)
        if (u_lookup.mq_port_q[k][p] && u_lookup.mq_q[k].row == r_q && u_lookup.mq_q[k].mask[p][t_q]) in_mq[k] = 1'b1;
    end
  end
  assign in_asked = named && asked.row == r_q && asked.threads[t_q];
  assign todo = u_rows.todo_q[r_q][t_q];
  assign waits = u_rows.wait_q[r_q][t_q];
  assign ans = u_rows.ans_q[r_q][t_q];
  assign ok = u_rows.ok_q[r_q][t_q];
  assign flt = u_rows.flt_q[r_q][t_q];
  assign unsent_it = u_rows.unsent_q[r_q][t_q];
  assign looking = u_rows.looking[r_q][t_q];
  assign begun = in_valid && in_row == r_q;
  assign again = begun || inv_i || u_rows.resume[r_q];

  logic [3:0] rank, was_q;
  logic [1:0] looks_q, asks_q;       // since it began, or all again
  logic ans_q, dropped_q;
  assign rank = todo ? 4'd8 : in_lk ? 4'd7 : in_fk ? 4'd6 : in_mq[1] ? 4'd5 : in_mq[0] ? 4'd4 : in_asked ? 4'd3 : waits ? 4'd2 : ans ? 4'd1 : 4'd0;
  lsu_slot_t id, place;              // of its answer, from the head of the queue on
  assign id = u_rows.id_q[r_q][t_q];
  assign place = (id >= answers.head) ? id - answers.head : lsu_slot_t'(32'(id) + LSU_ANSWERS - 32'(answers.head));
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    named <= !rst && miss_valid && miss_ready_i;
    was_q <= rank;
    again_q <= rst || again;
    ans_q <= !rst && ans;
    dropped_q <= drop && front_set[r_q];
    if (rst) begin
      r_q <= (32'(pick_row_i) < LSU_ROWS) ? pick_row_i : '0;
      t_q <= pick_thread_i;
      live_q <= '0;
      looks_q <= '0;
      asks_q <= '0;
    end else begin
      for (int unsigned k = 0; k < TLB_MSHRS; k++)
        if (named && 32'(walk) == k) live_q[k] <= 1'b1;
        else if (walked_valid && 32'(walked_i.walk) == k) live_q[k] <= 1'b0;
      looks_q <= again ? '0 : looks_q + 2'(in_lk && u_lookup.taken && looks_q != '1);
      asks_q <= again ? '0 : asks_q + 2'(ask.threads[t_q] && ask.row == r_q && asks_q != '1);
    end
  end

  always_comb
    if (!rst) begin
      looked_up_once: assert (looks_q <= 2'd1);
      asked_once: assert (asks_q <= 2'd1);
      nobody_goes_back: assert (again_q || rank <= was_q);
      an_answer_translates: assert (again_q || dropped_q || !ans_q || ans || ok || flt);
      nobody_is_lost: assert (32'(todo) + 32'(waits) + 32'(ans) + 32'(ok) + 32'(flt) + 32'(in_lk) + 32'(in_fk) + 32'(in_mq[0]) + 32'(in_mq[1]) + 32'(in_asked) == 32'(unsent_it));
      a_wait_is_for_a_walk: assert (!waits || (32'(id) < TLB_MSHRS && live_q[walk_t'(id)]));
      an_answer_is_there: assert (!ans || (32'(id) < LSU_ANSWERS && 32'(place) < 32'(u_lookup.count_q)));
      answers_are_worked_off: assert (!answers.any || u_lookup.fk_valid || u_rows.ap_valid_q || pop_answer || u_rows.ap_any != '0);
      misses_are_shown: assert (answers.any || u_lookup.mq_port_q[0] == '0 || miss_valid);
      look_ups_are_shown: assert (answers.any || u_lookup.mq_valid != '0 || u_lookup.lk_port_q == '0 || look_valid != '0);
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_pick: assert (32'(r_q) < LSU_ROWS);
      lemma_slots: assert (32'(answers.head) < LSU_ANSWERS && 32'(answers.tail) < LSU_ANSWERS && 32'(u_lookup.count_q) <= LSU_ANSWERS
                           && (32'(answers.head) + 32'(u_lookup.count_q) == 32'(answers.tail) || 32'(answers.head) + 32'(u_lookup.count_q) == 32'(answers.tail) + LSU_ANSWERS));
      lemma_queue: assert ((u_lookup.mq_valid[0] || !u_lookup.mq_valid[1]) && !(u_lookup.fk_valid && u_lookup.mq_valid == '1));
      lemma_named: assert (named == u_lookup.asked_valid_q && (named || asked.threads == '0));
      lemma_room: assert (!answers.any || 32'(u_lookup.count_q) + $countones(live_q) + 32'(named) <= LSU_ANSWERS);
      lemma_groups: assert (one_port && some_threads);
      lemma_early: assert (!front.early || (!front.valid && 32'(front.row) < LSU_ROWS && u_rows.front_set_q == set_t'(1) << front.row));
      lemma_early_row: assert (!(front.early && early_may) || u_lookup.lk_q.row == front.row);
      lemma_early_look: assert (!(front.early && early_may && front.row == r_q) || in_lk == unsent_it);
      lemma_early_found: assert (!(early && hit.row == r_q) || in_fk == unsent_it);
      lemma_early_other: assert (!(front.early && early && hit.row == front.row));
      lemma_early_traced: assert ((!front.early || u_rows.traced_q[front.row]) && (!early || u_rows.traced_q[hit.row]));
      lemma_early_port: assert (!early || u_lookup.fk_port_q == 1);
      lemma_valid: assert (!unsent_it || u_rows.valid_q[r_q]);
      lemma_looks: assert (looks_q == '0 || rank < 4'd7);
      lemma_asks: assert (asks_q == '0 || rank < 4'd4);
    end
endmodule
