// The stacks of a core's groups, and the warps that are formed of their threads. Page: docs/blocks/compactor.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module compactor
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    input  compact_e      policy_i,
    // common_page
    input  common_t       common_i,
    // launch
    input  logic          start_valid_i,
    input  start_t        start_i,
    // simt
    input  logic          meet_valid_i,
    input  meet_t         meet_i,
    output logic          go_valid_o,
    output go_t           go_o,
    input  logic          go_ready_i,
    output warp_mask_t    grouped_o,
    output warp_mask_t    nested_o,
    // barrier
    input  logic          release_valid_i,
    input  warp_mask_t    release_i,
    // in flight: issue, regfile, lsu
    input  logic          issue_valid_i,
    input  issued_t       issue_i,
    input  logic          wb_valid_i,
    input  wb_t           wb_i,
    input  warp_mask_t    rows_i,
    // regfile, fpu, fdiv, lsu
    output homes_t        homes_o,
    // trace
    output logic          formed_valid_o,
    output formed_t       formed_o,
    // counters
    output ev_compactor_t ev_o
);
  localparam int unsigned LEVEL_W = $clog2(BLOCK_STACK + 1);
  localparam int unsigned NUMBER_W = idx_w(BLOCK_STACK);
  typedef logic [LEVEL_W-1:0] level_t;
  typedef logic [GROUPS-1:0] groups_t;
  typedef enum logic [1:0] {REST, RUN, BRANCH, BAR} place_e;
  typedef enum logic [3:0] {IDLE, ALONE, DIV, SIDE, POP, FORM, ADMIT, BACK, DONE} engine_e;
  typedef struct packed {
    pc_t pc;
    pc_t target;
    pc_t meeting;
    thread_mask_t tmask;
    thread_mask_t taken;
  } at_t;

  // ---- state -----------------------------------------------------------------------------------------------------
  place_e state_q[WARPS];
  slot_t grp_q[WARPS];
  warp_t [WARPS-1:0][THREADS-1:0] home_q;
  logic [6:0] fly_q[WARPS];
  warp_mask_t in_q, gone_q;
  thread_mask_t live_q[WARPS], wait_q[WARPS], take_q[WARPS], pass_q[WARPS], form_q[WARPS];
  pc_t wpc_q[WARPS];
  logic [WARP_W:0] size_q[GROUPS], started_q[GROUPS];
  groups_t on_q, aware_q, left_q, some_q, mixed_q, rpc_valid_q;
  pc_t pc_q[GROUPS], rpc_q[GROUPS];
  level_t level_q[GROUPS];
  engine_e engine_q;
  slot_t g_q, turn_q;
  warp_mask_t todo_q;
  pc_t d_pc_q, d_target_q, d_meeting_q, fpc_q;
  warp_mask_t members_q;                         // homes of the warp that ADMIT fills; this and fmask are 0 in other states
  thread_mask_t fmask_q;
  warp_t [THREADS-1:0] fhome_q;                  // empty places: the warp in which it will run
  logic flt_valid_q, go_valid_q, formed_valid_q;
  go_t flt_q, go_q;
  formed_t formed_q;
  ev_compactor_t ev_q;

  function automatic warp_mask_t first_of(input warp_mask_t m);
    return m & (~m + 1'b1);
  endfunction
  function automatic warp_t number_of(input warp_mask_t one);
    number_of = '0;
    for (int unsigned w = 0; w < WARPS; w++) if (one[w]) number_of |= WARP_W'(w);
  endfunction

  // ---- step 1
  logic first, on;
  assign first = started_q[start_i.slot] == size_q[start_i.slot];
  assign on = first ? policy_i inside {COMPACT_TBC, COMPACT_TLB} : on_q[start_i.slot];

  // ---- step 2
  warp_t mw;
  slot_t ms;
  thread_mask_t [WARPS-1:0] theirs, takers;      // threads of tmask, and of those that take the branch, by home
  logic others_wait, same_waits, same_gone, apart, at_bar, fault, fault_value;
  assign mw = meet_i.warp;
  assign ms = grp_q[mw];
  always_comb begin
    others_wait = 1'b0;
    same_waits = 1'b0;
    same_gone = 1'b0;
    apart = 1'b0;
    at_bar = 1'b0;
    for (int unsigned h = 0; h < WARPS; h++) begin
      for (int unsigned t = 0; t < THREADS; t++) theirs[h][t] = meet_i.tmask[t] && home_q[mw][t] == WARP_W'(h);
      takers[h] = theirs[h] & meet_i.taken;
      if (in_q[h] && grp_q[h] == ms) begin
        if (wait_q[h] != '0) others_wait = 1'b1;
        if (state_q[h] == BAR) at_bar = 1'b1;
      end
      if (theirs[h] != '0 && gone_q[h]) same_gone = 1'b1;
      if (theirs[h] != '0 && wait_q[h] != '0) begin
        same_waits = 1'b1;
        if (wpc_q[h] != meet_i.pc) apart = 1'b1;
      end
    end
    fault_value = meet_i.ended ? !same_waits : left_q[ms] && !same_gone;
    fault = meet_valid_i && (((meet_i.barrier || meet_i.waits) && left_q[ms]) || (meet_i.waits && apart) || (meet_i.ended && (others_wait || at_bar)));
  end

  // ---- step 4
  warp_mask_t begins, ends;
  assign begins = (issue_valid_i && issue_i.first && !(issue_i.pipe inside {PIPE_ALU, PIPE_CTL}) && issue_i.instr[6:0] != 7'b0100011)
                ? warp_mask_t'(1) << issue_i.warp : '0;
  assign ends = (wb_valid_i && wb_i.res.last && wb_i.pipe != PIPE_ALU) ? warp_mask_t'(1) << wb_i.res.warp : '0;

  // ---- step 5
  groups_t alone, divides, pops, still, ready, settled;
  warp_mask_t [GROUPS-1:0] of, branch;
  always_comb begin
    for (int unsigned s = 0; s < GROUPS; s++) begin
      logic takes, passes, runs, bar;
      {takes, passes, runs, bar} = '0;
      still[s] = 1'b1;
      for (int unsigned w = 0; w < WARPS; w++) begin
        of[s][w] = in_q[w] && grp_q[w] == slot_t'(s);
        branch[s][w] = of[s][w] && state_q[w] == BRANCH;
        if (of[s][w]) begin
          takes |= take_q[w] != '0;
          passes |= pass_q[w] != '0;
          runs |= state_q[w] == RUN;
          bar |= state_q[w] == BAR;
          if (fly_q[w] != '0 || rows_i[w]) still[s] = 1'b0;
        end
      end
      settled[s] = on_q[s] && started_q[s] == size_q[s] && of[s] != '0 && !runs;
      alone[s] = settled[s] && branch[s] != '0 && (bar || mixed_q[s] || !takes || !passes || 32'(level_q[s]) + 2 > BLOCK_STACK);
      divides[s] = settled[s] && branch[s] != '0 && !alone[s];
      pops[s] = settled[s] && branch[s] == '0 && !bar;
      ready[s] = alone[s] || ((divides[s] || pops[s]) && still[s]);
    end
  end
  slot_t pick;
  logic any;
  always_comb begin
    pick = '0;
    any = ready != '0;
    for (int unsigned s = GROUPS; s > 0; s--) if (ready[s-1]) pick = slot_t'(s - 1);
    for (int unsigned s = GROUPS; s > 0; s--) if (ready[s-1] && s - 1 >= 32'(turn_q)) pick = slot_t'(s - 1);
  end

  // The branches at which warps stand: read for GO_ALONE and for a division.
  at_t at, at_in;
  warp_t at_warp, todo_warp;
  warp_mask_t todo_first;
  assign todo_first = first_of(todo_q);
  assign todo_warp = number_of(todo_first);
  assign at_warp = (engine_q == ALONE) ? todo_warp : number_of(first_of(branch[pick]));
  assign at_in = '{pc: meet_i.pc, target: meet_i.target, meeting: meet_i.meeting, tmask: meet_i.tmask, taken: meet_i.taken};
  ram_lut #(.DEPTH(WARPS), .WIDTH($bits(at_t))) u_at (
      .clk_i, .we_i(meet_valid_i && meet_i.branch), .waddr_i(mw), .wdata_i(at_in), .raddr_i(at_warp), .rdata_o(at)
  );

  // ---- step 6: the stack
  level_t level;
  logic rpc_valid, is_new, at_target, at_f, both, push, entry_rpc_valid;
  pc_t rpc, next, entry_pc, entry_rpc;
  thread_mask_t [WARPS-1:0] push_masks, entry_masks, popped;
  warp_mask_t mine;
  logic some_popped, some_wait;
  assign level = level_q[g_q];
  assign rpc_valid = rpc_valid_q[g_q];
  assign rpc = rpc_q[g_q];
  assign mine = of[g_q];
  assign next = d_pc_q + pc_t'(4);
  assign is_new = !(rpc_valid && rpc == d_meeting_q);
  assign at_target = d_target_q == rpc;
  assign at_f = next == rpc;
  assign both = !at_target && !at_f;
  assign push = (engine_q == DIV && is_new) || (engine_q == SIDE && both);
  always_comb begin
    some_popped = 1'b0;
    some_wait = 1'b0;
    for (int unsigned h = 0; h < WARPS; h++) begin
      push_masks[h] = (engine_q == DIV) ? take_q[h] | pass_q[h] : take_q[h];
      popped[h] = mine[h] ? entry_masks[h] & live_q[h] & ~wait_q[h] : '0;
      some_popped |= popped[h] != '0;
      some_wait |= mine[h] && wait_q[h] != '0;
    end
  end
  compact_stack u_stack (
      .clk_i, .group_i(g_q), .number_i(NUMBER_W'((engine_q == POP) ? level - 1'b1 : level)), .write_i(push), .homes_i(mine),
      .pc_i((engine_q == DIV) ? d_meeting_q : d_target_q), .rpc_valid_i((engine_q == DIV) ? rpc_valid : 1'b1), .rpc_i(rpc), .masks_i(push_masks),
      .pc_o(entry_pc), .rpc_valid_o(entry_rpc_valid), .rpc_o(entry_rpc), .masks_o(entry_masks)
  );

  // ---- step 6: forming
  thread_mask_t [WARPS-1:0] form, form_left;
  thread_mask_t form_mask;
  warp_t [THREADS-1:0] form_homes;
  warp_mask_t joins;
  logic aware, form_mixed, form_more, forms, form_last;
  assign aware = aware_q[g_q];
  always_comb for (int unsigned w = 0; w < WARPS; w++) form[w] = form_q[w];
  compact_form u_form (
      .aware_i(aware), .common_i((WARPS * WARPS)'(common_i)), .members_i(members_q), .mask_i(fmask_q), .homes_i((engine_q == ADMIT) ? fhome_q : {THREADS{todo_warp}}),
      .form_i(form), .warp_i(todo_warp),
      .joins_o(joins), .mask_o(form_mask), .homes_o(form_homes), .left_o(form_left), .mixed_o(form_mixed), .more_o(form_more)
  );
  assign forms = (engine_q == FORM && !aware) || (engine_q == ADMIT && joins == '0);
  assign form_last = (engine_q == ADMIT) ? form == '0 : form_left == '0;

  groups_t nested;                               // the group's stack is not empty: its warps are not yet as they were launched
  always_comb begin
    for (int unsigned s = 0; s < GROUPS; s++) begin
      nested[s] = level_q[s] != '0;
      for (int unsigned w = 0; w < WARPS; w++) if (of[s][w] && wait_q[w] != '0) nested[s] = 1'b1;
    end
  end

  // ---- step 6: go
  logic open, free, makes_go, makes_formed, todo_last;
  go_t go;
  formed_t formed;
  assign open = !go_valid_q || go_ready_i;
  assign free = open && !flt_valid_q;
  assign todo_last = todo_q == todo_first;
  assign makes_go = free && (forms || engine_q inside {ALONE, BACK, DONE});
  assign makes_formed = free && (forms || engine_q == BACK);
  always_comb begin
    go = '0;
    formed = '0;
    unique case (engine_q)
      ALONE: begin
        go.kind = GO_ALONE;
        go.warp = todo_warp;
        go.pc = at.pc;
        go.target = at.target;
        go.tmask = at.tmask;
        go.taken = at.taken;
      end
      FORM, ADMIT: begin
        go.kind = GO_FORM;
        go.warp = todo_warp;
        go.pc = fpc_q;
        go.rpc_valid = rpc_valid;
        go.rpc = rpc;
        go.tmask = (engine_q == ADMIT) ? fmask_q : form_mask;
        formed = '{warp: todo_warp, mask: go.tmask, nested: nested[g_q], homes: (engine_q == ADMIT) ? fhome_q : form_homes};
      end
      BACK: begin
        go.kind = GO_FORM;
        go.warp = todo_warp;
        go.pc = wpc_q[todo_warp];
        go.tmask = live_q[todo_warp];
        formed = '{warp: todo_warp, mask: live_q[todo_warp], nested: 1'b0, homes: {THREADS{todo_warp}}};
      end
      default: begin
        go.kind = GO_DONE;
        go.warp = todo_warp;
      end
    endcase
  end

  function automatic logic [6:0] ones(input thread_mask_t m);
    ones = '0;
    for (int unsigned t = 0; t < THREADS; t++) ones += 7'(m[t]);
  endfunction

  // ---- the edge
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        state_q[w] <= REST;
        fly_q[w] <= '0;
        live_q[w] <= '0;
        wait_q[w] <= '0;
        wpc_q[w] <= '0;
        take_q[w] <= '0;
        pass_q[w] <= '0;
      end
      for (int unsigned s = 0; s < GROUPS; s++) begin
        size_q[s] <= '0;
        started_q[s] <= '0;
        level_q[s] <= '0;
      end
      home_q <= '0;
      in_q <= '0;
      gone_q <= '0;
      on_q <= '0;
      left_q <= '0;
      some_q <= '0;
      mixed_q <= '0;
      rpc_valid_q <= '0;
      engine_q <= IDLE;
      members_q <= '0;
      fmask_q <= '0;
      turn_q <= '0;
      flt_valid_q <= 1'b0;
      go_valid_q <= 1'b0;
      formed_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      // Step 2. A meet, and the entries that the engine clears, never belong to the same group.
      if (meet_valid_i) begin
        for (int unsigned h = 0; h < WARPS; h++) begin
          if (meet_i.branch) begin
            take_q[h] <= take_q[h] | takers[h];
            pass_q[h] <= pass_q[h] | (theirs[h] & ~takers[h]);
          end
          if (meet_i.ended) begin
            live_q[h] <= live_q[h] & ~theirs[h];
            if (theirs[h] != '0) gone_q[h] <= 1'b1;
          end
          if (meet_i.waits) begin
            wait_q[h] <= wait_q[h] | theirs[h];
            if (theirs[h] != '0) wpc_q[h] <= meet_i.pc;
          end
        end
        if (meet_i.branch) begin
          some_q[ms] <= 1'b1;
          if (!some_q[ms]) pc_q[ms] <= meet_i.pc;
          else if (meet_i.pc != pc_q[ms]) mixed_q[ms] <= 1'b1;
        end
        if (meet_i.ended) left_q[ms] <= 1'b1;
        if (meet_i.branch) state_q[mw] <= BRANCH;
        else if (meet_i.barrier) state_q[mw] <= BAR;
        else if (meet_i.done) state_q[mw] <= REST;
      end
      if (fault && !flt_valid_q) begin
        flt_valid_q <= 1'b1;
        flt_q <= '{kind: GO_FAULT, warp: mw, pc: meet_i.pc, tmask: meet_i.tmask,
                   value: fault_value, default: '0};
      end
      // Steps 3 and 4
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (release_valid_i && release_i[w] && state_q[w] == BAR) state_q[w] <= RUN;
        fly_q[w] <= fly_q[w] + 7'(begins[w]) - 7'(ends[w]);
      end
      // Steps 5 and 6
      unique case (engine_q)
        IDLE:
        if (any) begin
          g_q <= pick;
          turn_q <= (32'(pick) == GROUPS - 1) ? '0 : pick + 1'b1;
          todo_q <= branch[pick];
          d_pc_q <= at.pc;
          d_target_q <= at.target;
          d_meeting_q <= at.meeting;
          if (branch[pick] != '0) begin
            some_q[pick] <= 1'b0;
            mixed_q[pick] <= 1'b0;
          end
          for (int unsigned w = 0; w < WARPS; w++) if (of[pick][w]) begin
            if (alone[pick]) begin
              take_q[w] <= '0;
              pass_q[w] <= '0;
            end
            if (divides[pick]) state_q[w] <= REST;
          end
          engine_q <= alone[pick] ? ALONE : divides[pick] ? DIV : POP;
        end
        ALONE:
        if (free) begin
          state_q[todo_warp] <= RUN;
          todo_q <= todo_q & ~todo_first;
          if (todo_last) engine_q <= IDLE;
        end
        DIV: begin
          if (is_new) level_q[g_q] <= level + 1'b1;
          rpc_valid_q[g_q] <= 1'b1;
          rpc_q[g_q] <= d_meeting_q;
          engine_q <= SIDE;
        end
        SIDE: begin
          if (both) level_q[g_q] <= level + 1'b1;
          fpc_q <= (at_f && !at_target) ? d_target_q : next;
          for (int unsigned h = 0; h < WARPS; h++) begin
            form_q[h] <= !mine[h] ? '0 : (at_f && !at_target) ? take_q[h] : pass_q[h];
            if (mine[h]) begin
              take_q[h] <= '0;
              pass_q[h] <= '0;
            end
          end
          todo_q <= mine;
          engine_q <= FORM;
        end
        POP:
        if (level == '0) begin
          todo_q <= mine;
          for (int unsigned h = 0; h < WARPS; h++) if (mine[h]) wait_q[h] <= '0;
          engine_q <= some_wait ? BACK : DONE;
        end else begin
          level_q[g_q] <= level - 1'b1;
          todo_q <= mine;
          for (int unsigned h = 0; h < WARPS; h++) form_q[h] <= popped[h];
          if (some_popped) begin
            fpc_q <= entry_pc;
            rpc_valid_q[g_q] <= entry_rpc_valid;
            rpc_q[g_q] <= entry_rpc;
            engine_q <= FORM;
          end
        end
        FORM, ADMIT:
        if (forms) begin
          if (free) begin
            home_q[todo_warp] <= formed.homes;
            state_q[todo_warp] <= RUN;
            todo_q <= todo_q & ~todo_first;
            members_q <= '0;
            fmask_q <= '0;
            for (int unsigned h = 0; h < WARPS; h++) form_q[h] <= form_left[h];
            engine_q <= form_last ? IDLE : FORM;
          end
        end else begin
          members_q <= members_q | joins;
          fmask_q <= form_mask;
          fhome_q <= form_homes;
          for (int unsigned h = 0; h < WARPS; h++) form_q[h] <= form_left[h];
          engine_q <= ADMIT;
        end
        BACK:
        if (free) begin
          home_q[todo_warp] <= {THREADS{todo_warp}};
          state_q[todo_warp] <= RUN;
          todo_q <= todo_q & ~todo_first;
          if (todo_last) begin
            rpc_valid_q[g_q] <= 1'b0;
            rpc_q[g_q] <= '0;
            engine_q <= IDLE;
          end
        end
        default:
        if (free) begin
          in_q[todo_warp] <= 1'b0;
          todo_q <= todo_q & ~todo_first;
          if (todo_last) engine_q <= IDLE;
        end
      endcase
      if (flt_valid_q && open) flt_valid_q <= 1'b0;
      if (open) go_valid_q <= flt_valid_q || makes_go;
      formed_valid_q <= makes_formed;
      ev_q.compact_divisions <= engine_q == DIV;
      ev_q.compact_alone <= makes_go && engine_q == ALONE;
      ev_q.compact_warps <= makes_formed;
      ev_q.compact_threads <= makes_formed ? ones(formed.mask) : '0;
      ev_q.compact_mixed <= makes_formed && ((engine_q == FORM) ? form_mixed : engine_q == ADMIT && (members_q & (members_q - 1'b1)) != '0);
      ev_q.compact_apart <= makes_formed && engine_q == ADMIT && form_more;
      ev_q.compact_waits <= engine_q == IDLE && !any && ((divides | pops) != '0);
      // Step 1
      if (start_valid_i) begin
        started_q[start_i.slot] <= first ? (WARP_W+1)'(1) : started_q[start_i.slot] + 1'b1;
        if (first) begin
          size_q[start_i.slot] <= start_i.group_warps;
          on_q[start_i.slot] <= on;
          aware_q[start_i.slot] <= policy_i == COMPACT_TLB;
          left_q[start_i.slot] <= 1'b0;
          some_q[start_i.slot] <= 1'b0;
          mixed_q[start_i.slot] <= 1'b0;
          level_q[start_i.slot] <= '0;
          rpc_valid_q[start_i.slot] <= 1'b0;
          rpc_q[start_i.slot] <= '0;
        end
        in_q[start_i.warp] <= on;
        gone_q[start_i.warp] <= 1'b0;
        grp_q[start_i.warp] <= start_i.slot;
        state_q[start_i.warp] <= on ? RUN : REST;
        home_q[start_i.warp] <= {THREADS{start_i.warp}};
        live_q[start_i.warp] <= on ? start_i.tmask : '0;
        wait_q[start_i.warp] <= '0;
        take_q[start_i.warp] <= '0;
        pass_q[start_i.warp] <= '0;
      end
    end
    if (open) go_q <= flt_valid_q ? flt_q : go;
    formed_q <= formed;
  end

  // ---- outputs
  assign go_valid_o = go_valid_q;
  assign go_o = go_q;
  assign grouped_o = in_q;
  always_comb for (int unsigned w = 0; w < WARPS; w++) nested_o[w] = in_q[w] && nested[grp_q[w]];
  assign homes_o = homes_t'(home_q);
  assign formed_valid_o = formed_valid_q;
  assign formed_o = formed_q;
  assign ev_o = ev_q;

  `VL_ASSERT(meets_while_it_runs, !meet_valid_i || (in_q[mw] && state_q[mw] == RUN))
  `VL_ASSERT(a_warp_for_each, !(engine_q inside {FORM, ADMIT}) || todo_q != '0)
  `VL_ASSERT(some_to_place, !(engine_q == FORM) || form != '0)
  `VL_ASSERT(nobody_joins_twice, !(engine_q == ADMIT) || (joins & members_q) == '0)
endmodule
