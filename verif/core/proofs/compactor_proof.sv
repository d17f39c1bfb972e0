// Proof of the compactor: whatever the warps of a group come to, in any order, at any pcs, and whichever homes touch the same pages, each thread of the group that has not ended and does
// not wait is in one warp at most, and is in none only if it waits on the group's stack; there is a slot for every warp that is formed; a group ends when its threads have. Warps that have met are
// released within a bound, as long as simt takes the goes; at a barrier, all of the group are in warps, and none of them waits for a side of a branch.
// Pages: docs/blocks/compactor.md, docs/compaction.md. One group; simt's side of the contract gates the inputs.
module compactor_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input logic       clk_i,
    input compact_e   policy_i,
    input common_t    common_i,
    input logic       start_valid_i,
    input start_t     start_i,
    input logic       meet_valid_i,
    input meet_t      meet_i,
    input logic       release_valid_i,
    input warp_mask_t release_i,
    input logic       issue_valid_i,
    input issued_t    issue_i,
    input logic       wb_valid_i,
    input wb_t        wb_i,
    input warp_mask_t rows_i,
    input logic       go_ready_i
);
  localparam int unsigned REST = 0, RUN = 1, BRANCH = 2, BAR = 3;
  localparam int unsigned IDLE = 0, ALONE = 1, DIV = 2, SIDE = 3, POP = 4, FORM = 5, ADMIT = 6, BACK = 7, DONE = 8;
  typedef thread_mask_t [WARPS-1:0] threads_t;           // of each home

  logic [1:0] started_q = 2'b0;
  logic rst, start, meet, go_valid, formed_valid, fault_q;
  go_t go;
  formed_t formed;
  homes_t homes;
  warp_mask_t grouped, nested;
  ev_compactor_t ev;
  assign rst = !started_q[1];

  // ---- the warp in each slot, as in simt ------------------------------------------------------------------------
  thread_mask_t has_q[WARPS];
  warp_mask_t rpc_q;                                     // it has been told of a meeting point
  logic fits_start, fits_meet;
  thread_mask_t stay;
  always_comb begin
    stay = has_q[meet_i.warp] & ~((meet_i.ended || meet_i.waits) ? meet_i.tmask : '0);
    fits_start = 32'(start_i.warp) < WARPS && start_i.slot == '0 && !grouped[start_i.warp] && start_i.group_warps != '0 && 32'(start_i.group_warps) <= WARPS
              && (dut.started_q[0] != dut.size_q[0] || grouped == '0);
    fits_meet = 32'(meet_i.warp) < WARPS && grouped[meet_i.warp] && 32'(dut.state_q[meet_i.warp]) == RUN && (meet_i.tmask & ~has_q[meet_i.warp]) == '0
             && (meet_i.taken & ~meet_i.tmask) == '0 && 3'(meet_i.branch) + 3'(meet_i.barrier) + 3'(meet_i.ended) + 3'(meet_i.waits) <= 3'd1
             && (!(meet_i.branch || meet_i.barrier) || (meet_i.tmask == has_q[meet_i.warp] && !meet_i.done)) && (!meet_i.barrier || !nested[meet_i.warp])
             && (!meet_i.waits || nested[meet_i.warp]) && (!meet_i.done || stay == '0 || rpc_q[meet_i.warp]);
  end
  assign start = start_valid_i && !rst && fits_start;
  assign meet = meet_valid_i && !rst && fits_meet;
  compactor dut (
      .clk_i, .rst_i(rst), .policy_i, .common_i, .start_valid_i(start), .start_i, .meet_valid_i(meet), .meet_i, .go_valid_o(go_valid), .go_o(go), .go_ready_i,
      .grouped_o(grouped), .nested_o(nested), .release_valid_i, .release_i, .issue_valid_i, .issue_i, .wb_valid_i, .wb_i, .rows_i, .homes_o(homes),
      .formed_valid_o(formed_valid), .formed_o(formed), .ev_o(ev)
  );
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    fault_q <= !rst && (fault_q || dut.fault);
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (meet && meet_i.warp == WARP_W'(w)) has_q[w] <= stay;
      if (dut.makes_formed && dut.formed.warp == WARP_W'(w)) begin
        has_q[w] <= dut.formed.mask;
        rpc_q[w] <= dut.go.rpc_valid;
      end
      if (start && start_i.warp == WARP_W'(w)) begin
        has_q[w] <= start_i.tmask;
        rpc_q[w] <= 1'b0;
      end
    end
  end

  // ---- where the threads of each home are -------------------------------------------------------------------------------
  logic [3:0] engine;
  logic [1:0] state[WARPS];
  warp_mask_t rests, stands;
  threads_t live, waits, take, pass, form;
  threads_t run[WARPS];                                  // in the warp of this slot
  threads_t moved[7];                                    // by slot; then on one of two sides; to be formed; in ADMIT; on their way back
  threads_t seen, twice, kept[BLOCK_STACK+1], entry[BLOCK_STACK];   // kept[k]: in an entry below the k-th
  logic entry_rpc[BLOCK_STACK];
  logic [31:0] level;
  assign engine = 4'(dut.engine_q);
  assign level = 32'(dut.level_q[0]);
  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    assign state[w] = 2'(dut.state_q[w]);
    assign rests[w] = state[w] == REST;
    assign stands[w] = state[w] == BRANCH && !(engine == ALONE && dut.todo_q[w]);
    assign live[w] = dut.live_q[w];
    assign waits[w] = dut.wait_q[w];
    assign take[w] = dut.take_q[w];
    assign pass[w] = dut.pass_q[w];
    assign form[w] = dut.form_q[w];
    for (genvar h = 0; h < WARPS; h++) begin : gen_home
      for (genvar t = 0; t < THREADS; t++) begin : gen_place
        assign run[w][h][t] = grouped[w] && !rests[w] && has_q[w][t] && homes[w][t] == WARP_W'(h);
      end
    end
    assign moved[w] = run[w];
  end
  for (genvar k = 0; k < BLOCK_STACK; k++) begin : gen_entry
    assign entry_rpc[k] = dut.u_stack.u_paths.gen_ram.mem[k][$bits(pc_t)];
    for (genvar h = 0; h < WARPS; h++) begin : gen_home
      assign entry[k][h] = dut.u_stack.gen_home[h].u_masks.gen_ram.mem[k];
    end
  end
  always_comb begin
    for (int unsigned h = 0; h < WARPS; h++) begin
      moved[WARPS][h] = (engine == DIV || engine == SIDE) ? take[h] | pass[h] : '0;
      moved[WARPS+1][h] = (engine == FORM || engine == ADMIT) ? form[h] : '0;
      for (int unsigned t = 0; t < THREADS; t++) moved[WARPS+2][h][t] = engine == ADMIT && dut.fmask_q[t] && dut.fhome_q[t] == WARP_W'(h);
      moved[WARPS+3][h] = (engine == BACK && dut.todo_q[h]) ? live[h] : '0;
    end
    seen = '0;
    twice = '0;
    for (int unsigned k = 0; k < WARPS + 4; k++) begin
      twice |= seen & moved[k];
      seen |= moved[k];
    end
    kept[0] = '0;
    for (int unsigned k = 0; k < BLOCK_STACK; k++) kept[k+1] = kept[k] | entry[k];
  end

  // ---- counts of a division -------------------------------------------------------------------------------------
  logic [3:0] todo, homes_left, most;                    // slots that are free; homes with threads to be placed; the most of these at one place
  threads_t stand;                                       // threads of warps that stand at a branch, and have not been told
  always_comb begin
    todo = '0;
    homes_left = '0;
    most = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      todo += 4'(dut.todo_q[w]);
      homes_left += 4'(form[w] != '0);
    end
    for (int unsigned t = 0; t < THREADS; t++) begin
      logic [3:0] n;
      n = '0;
      for (int unsigned h = 0; h < WARPS; h++) n += 4'(form[h][t]);
      if (n > most) most = n;
    end
    stand = '0;
    for (int unsigned w = 0; w < WARPS; w++) if (stands[w]) stand |= run[w];
    if (engine == DIV || engine == SIDE) stand |= moved[WARPS];
  end

  // ---- how long warps that have met wait for a go ------------------------------------------------------------------------
  localparam int unsigned BOUND = BLOCK_STACK + WARPS + 3;
  logic [5:0] waited_q, ahead;                           // edges since the engine had a reason to give one, or gave the last; edges until the next, at most
  logic owes, free;
  assign owes = engine != IDLE || dut.any;
  assign free = !go_valid || go_ready_i;                 // (GO_FAULT, which goes before the engine's, ends the proof)
  always_comb begin
    logic [3:0] members;
    members = '0;
    for (int unsigned w = 0; w < WARPS; w++) members += 4'(dut.members_q[w]);
    case (engine)
      4'(IDLE): ahead = 6'(BOUND);
      4'(POP): ahead = 6'(WARPS + 2) + 6'(level);
      4'(DIV): ahead = 6'(WARPS + 3);
      4'(SIDE): ahead = 6'(WARPS + 2);
      4'(FORM): ahead = 6'(WARPS + 1);
      4'(ADMIT): ahead = 6'(WARPS + 1) - 6'(members);
      default: ahead = 6'd1;                             // ALONE, BACK, DONE
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (rst || !owes || dut.makes_go) waited_q <= '0;
    else if (free) waited_q <= waited_q + 1'b1;
  end
  warp_mask_t at_bar;
  for (genvar w = 0; w < WARPS; w++) begin : gen_bar
    assign at_bar[w] = state[w] == BAR;
  end

  logic forming, still_all;
  assign forming = engine == FORM || engine == ADMIT;
  assign still_all = engine == DIV || engine == SIDE || engine == POP || engine == DONE;   // no warp runs
  always_comb
    if (!rst && !fault_q) begin
      in_one_warp: assert (twice == '0);
      none_is_lost: assert ((live & ~waits & ~seen & ~kept[level]) == '0);
      who_runs_may: assert ((seen & ~(live & ~waits)) == '0);
      a_slot_for_each: assert (!forming || todo != '0);
      it_ends_when_all_have: assert (engine != DONE || live == '0);
      release_comes: assert (!owes || 32'(waited_q) + 32'(ahead) <= BOUND);
      all_come_to_a_barrier: assert (at_bar == '0 || (live & ~seen) == '0);

      lemma_no_fault: assert (!dut.flt_valid_q);
      lemma_bar: assert (at_bar == '0 || (level == '0 && waits == '0));
      lemma_waits: assert ((waits & ~live) == '0);
      lemma_sides: assert ((take & pass) == '0 && (take | pass) == stand);
      lemma_stack: assert (level <= BLOCK_STACK && (engine != DIV || level + 2 <= BLOCK_STACK) && (engine != SIDE || level + 1 <= BLOCK_STACK));
      lemma_way: assert (!dut.rpc_valid_q[0] || engine == BACK || (seen & ~kept[level]) == '0);
      lemma_side: assert (engine != SIDE || dut.rpc_valid_q[0]);
      lemma_bottom: assert ((engine != BACK && engine != DONE) || level == '0);
      lemma_back: assert (engine != BACK || waits == '0);
      lemma_engine: assert (engine <= DONE && (engine == IDLE || dut.g_q == '0));
      lemma_todo_some: assert ((engine != ALONE && engine != BACK && engine != DONE) || todo != '0);
      lemma_places: assert (engine != FORM || dut.aware_q[0] || most <= todo);
      lemma_leaders: assert (!forming || !dut.aware_q[0] || homes_left + 4'(engine == ADMIT) <= todo);
      lemma_some: assert (engine != FORM || homes_left != '0);
      lemma_admit: assert (engine != ADMIT || (dut.aware_q[0] && dut.members_q != '0));
      lemma_empty: assert (engine == ADMIT || (dut.members_q == '0 && dut.fmask_q == '0));
      lemma_policy: assert (grouped == '0 || dut.on_q[0]);
      lemma_busy: assert (engine == IDLE || (grouped != '0 && dut.started_q[0] == dut.size_q[0]));
      lemma_divided: assert ((engine != DIV && engine != SIDE) || (take != '0 && pass != '0));
      lemma_fresh: assert (dut.started_q[0] == dut.size_q[0] || (level == '0 && !dut.rpc_valid_q[0]));
      lemma_started: assert (32'(dut.started_q[0]) <= 32'(dut.size_q[0]));
    end
  for (genvar w = 0; w < WARPS; w++) begin : gen_lemmas
    always_comb
      if (!rst && !fault_q) begin
        lemma_outside: assert (grouped[w] || (rests[w] && live[w] == '0 && waits[w] == '0 && take[w] == '0 && pass[w] == '0));
        lemma_todo: assert (!dut.todo_q[w] || engine == IDLE || ((engine == ALONE) ? state[w] == BRANCH : rests[w]));
        lemma_todo_is_of_the_group: assert (!dut.todo_q[w] || engine == IDLE || engine == DIV || engine == SIDE || engine == POP || grouped[w]);
        lemma_still: assert (!still_all || rests[w]);
        lemma_told: assert (rests[w] || !rpc_q[w] || (dut.rpc_valid_q[0] && engine != BACK));
        lemma_members: assert (engine != ADMIT || !dut.members_q[w] || (form[w] & ~dut.fmask_q) == '0);
        lemma_group: assert (!grouped[w] || dut.grp_q[w] == '0);
      end
    for (genvar t = 0; t < THREADS; t++) begin : gen_place
      always_comb if (!rst && !fault_q) lemma_homes: assert (32'(homes[w][t]) < WARPS && (engine != ADMIT || 32'(dut.fhome_q[t]) < WARPS));
    end
  end
  for (genvar k = 0; k < BLOCK_STACK; k++) begin : gen_lemma_entry
    always_comb if (!rst && !fault_q) lemma_entry: assert (k >= level || !entry_rpc[k] || (entry[k] & live & ~waits & ~kept[k]) == '0);
  end
endmodule
