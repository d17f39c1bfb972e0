// No walk waits for ever, whatever other kernels do. The steps that a kernel's walks have still to go never rise except by a walk that begins, and fall within BOUND cycles as long as there are any: whatever the other
// kernels' walks are, how many, and which PTEs they read. That is by a memory that takes a read in the STALL-th cycle at the latest and answers each read within ANSWER cycles, in any order. A shootdown of any scope
// begins walks again. Page: docs/blocks/walker.md, Why it is right.
module walker_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic                  clk_i,
    input root_t [CORES-1:0]     root_i,
    input kslot_t [CORES-1:0]    owner_i,
    input asid_t [KERNELS-1:0]   asid_i,
    input window_t [KERNELS-1:0] window_i,
    input walk_policy_t          policy_i,
    input logic                  req_valid_i,
    input walk_req_t             req_i,
    input logic                  mem_req_ready_i,
    input logic                  mem_rsp_valid_i,
    input mem_rsp_t              mem_rsp_i,
    input logic                  inv_valid_i,
    input inv_t                  inv_i
);
  localparam int unsigned STALL = 2;
  localparam int unsigned ANSWER = 4;
  localparam int unsigned READ = STALL + ANSWER + 1;             // cycles of a read, from when it is shown, at most
  localparam int unsigned TURN = READ + 2;                       // of a leader, from when it is picked
  localparam int unsigned BOUND = KERNELS * TURN + READ + 1;
  localparam int unsigned WALK = 9;                              // steps of a walk: four reads, each to be chosen and to be answered, and its answer
  typedef logic [$clog2(BOUND+2)-1:0] wait_t;
  typedef logic [$clog2(WALKS*(WALK+1)+1)-1:0] steps_t;

  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst;
  assign rst = !started_q[1];

  // ---- inputs: a walk that is free; memory answers reads that it was sent, when it must. Roots, kernels, their address spaces and the policy stay -----------------------------------
  root_t [CORES-1:0] root_q;
  kslot_t [CORES-1:0] owner_q;
  asid_t [KERNELS-1:0] space_q;
  window_t [KERNELS-1:0] window_q;
  walk_policy_t policy_q;
  logic req, rsp_valid, mem_req_valid, mem_ready, rsp, inv, inv_done;
  walk_req_t request;
  walk_rsp_t walked;
  pte_read_t mem_req;
  mem_rsp_t answer;
  ev_walker_t ev;
  logic [WALKS-1:0] sent_q, due, out, held;      // reads: memory has it; must be answered now; shown to memory; answered, and not used yet
  logic [$clog2(STALL+1)-1:0] stalled_q;         // cycles that a read has been shown before this one
  logic [WALKS-1:0][$clog2(ANSWER+1)-1:0] left_q;
  shared_walk_t rsp_read;
  always_comb begin
    request = req_i;
    request.asid = space_q[owner_q[req_i.core][KSLOT_W-1:0]];
    req = req_valid_i && 32'(req_i.walk) < WALKS && 32'(req_i.core) < CORES && dut.empty[req_i.walk];
    for (int unsigned r = 0; r < WALKS; r++) due[r] = sent_q[r] && left_q[r] == 1;
    answer = mem_rsp_i;
    for (int unsigned r = 0; r < WALKS; r++) if (due[r]) answer.id = mem_id_t'(r);
    rsp_read = shared_walk_t'(answer.id);
    rsp = (mem_rsp_valid_i || due != '0) && 32'(rsp_read) < WALKS && sent_q[rsp_read];
  end
  assign mem_ready = mem_req_ready_i || 32'(stalled_q) == STALL - 1;
  assign inv = inv_valid_i && (inv_i.scope == INV_ALL || inv_i.scope == INV_ASID || inv_i.scope == INV_PAGE);
  walker dut (
      .clk_i, .rst_i(rst), .root_i(root_q), .owner_i(owner_q), .window_i(window_q), .policy_i(policy_q), .req_valid_i(req), .req_i(request), .rsp_valid_o(rsp_valid), .rsp_o(walked),
      .mem_req_valid_o(mem_req_valid), .mem_req_o(mem_req), .mem_req_ready_i(mem_ready), .mem_rsp_valid_i(rsp), .mem_rsp_i(answer), .inv_valid_i(inv), .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );
  assign out = mem_req_valid ? WALKS'(1) << mem_req.read : '0;
  assign held = dut.rsp_valid_q ? WALKS'(1) << dut.rsp_read_q : '0;
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    stalled_q <= (!rst && mem_req_valid && !mem_ready) ? stalled_q + 1'b1 : '0;
    for (int unsigned r = 0; r < WALKS; r++) begin
      if (rst || (rsp && 32'(rsp_read) == r)) sent_q[r] <= 1'b0;
      else if (mem_req_valid && mem_ready && 32'(mem_req.read) == r) sent_q[r] <= 1'b1;
      left_q[r] <= (mem_req_valid && mem_ready && 32'(mem_req.read) == r) ? $bits(left_q[r])'(ANSWER) : left_q[r] - 1'b1;
    end
    if (rst) begin
      root_q <= root_i;
      for (int unsigned c = 0; c < CORES; c++) owner_q[c] <= kslot_t'(owner_i[c][KSLOT_W-1:0]);
      space_q <= asid_i;
      window_q <= window_i;
      policy_q <= policy_i;
    end
  end

  // ---- reads: of which kernel, and how long each may still take --------------------------------------------------------------------------------------------------------------
  logic [WALKS-1:0][KSLOT_W-1:0] read_slot, slot;
  asid_t [WALKS-1:0] read_space;
  logic [WALKS-1:0] awaited, drop, free, ready, waits, done;
  wait_t [WALKS-1:0] rest;                       // cycles until an awaited read has been used, at most
  always_comb
    for (int unsigned r = 0; r < WALKS; r++) begin
      read_slot[r] = dut.u_reads.gen_ram.mem[r][ASID_W+:KSLOT_W];
      read_space[r] = dut.u_reads.gen_ram.mem[r][ASID_W-1:0];
      rest[r] = wait_t'(READ);
      if (out[r]) rest[r] = wait_t'(STALL - 32'(stalled_q) + ANSWER + 1);
      if (sent_q[r]) rest[r] = wait_t'(32'(left_q[r]) + 1);
      if (held[r]) rest[r] = wait_t'(1);
    end
  assign awaited = dut.awaited_q;
  assign drop = awaited & dut.drop_q;
  assign free = dut.free;
  assign ready = dut.ready;
  assign waits = dut.waits;
  assign done = dut.done;
  logic [WALKS-1:0][WALKS-1:0] older;            // [a][b]: a began before b
  for (genvar a = 0; a < WALKS; a++) begin : gen_walk
    for (genvar b = 0; b < WALKS; b++) begin : gen_than
      assign older[a][b] = dut.u_age.older_q[b][a];
    end
    assign slot[a] = dut.begins[a] ? dut.req_slot : dut.slot_q[a];
  end

  // ---- steps of each kernel, and how long it waits for the next one ---------------------------------------------------------------------------------------------------------------
  steps_t [KERNELS-1:0] steps, was_q;
  wait_t [KERNELS-1:0] wait_for, wait_q;
  logic [KERNELS-1:0] begun, leads, has_done, has_read, has_ready;
  logic [KERNELS-1:0][$clog2(KERNELS+1)-1:0] ahead;              // kernels before it in turn
  wait_t acts_in, for_read, for_done[KERNELS], for_answer[KERNELS];
  logic runs_q;                                  // no invalidation at the last edge
  always_comb begin
    // The leader, of any kernel, acts or is given up: when memory has taken the shown request, and a read is free.
    for_read = wait_t'(READ);
    for (int unsigned r = 0; r < WALKS; r++) begin
      if (!awaited[r]) for_read = '0;
      else if (rest[r] < for_read) for_read = rest[r];
    end
    acts_in = mem_req_valid ? wait_t'(STALL - 1 - 32'(stalled_q)) : '0;
    if (for_read > acts_in) acts_in = for_read;
    for (int unsigned s = 0; s < KERNELS; s++) begin
      steps[s] = '0;
      for_done[s] = wait_t'(WALKS);
      for_answer[s] = wait_t'(READ);
      {has_done[s], has_read[s], has_ready[s], begun[s]} = '0;
      for (int unsigned k = 0; k < WALKS; k++) begin
        if (!free[k] && 32'(slot[k]) == s) begin
          begun[s] |= dut.begins[k];
          has_ready[s] |= ready[k];
          if (ready[k]) steps[s] += steps_t'(2 * 32'(dut.level[k]) + 3);
          if (waits[k]) steps[s] += steps_t'(2 * 32'(dut.level[k]) + 2);
          if (done[k]) begin
            steps[s] += steps_t'(1);
            has_done[s] = 1'b1;
            if (wait_t'($countones(elders(k) & ~free)) < for_done[s]) for_done[s] = wait_t'($countones(elders(k) & ~free));
          end
        end
        if (awaited[k] && 32'(read_slot[k]) == s) begin
          steps[s] += steps_t'(drop[k]);
          has_read[s] = 1'b1;
          if (rest[k] < for_answer[s]) for_answer[s] = rest[k];
        end
      end
      leads[s] = dut.lead_valid_q && 32'(dut.lead_slot_q) == s;
      ahead[s] = '0;
      for (int unsigned j = 0; j < KERNELS; j++)
        if (j != s) ahead[s] += $bits(ahead[s])'((dut.u_turn.from_q[j] == dut.u_turn.from_q[s]) ? j < s : dut.u_turn.from_q[j]);
      if (has_done[s]) wait_for[s] = for_done[s];
      else if (has_read[s]) wait_for[s] = for_answer[s];
      else if (leads[s]) wait_for[s] = acts_in;
      else if (has_ready[s]) wait_for[s] = wait_t'((32'(ahead[s]) + 1) * TURN) + (dut.lead_valid_q ? acts_in + 1'b1 : '0);
      else wait_for[s] = '0;
    end
  end
  function automatic logic [WALKS-1:0] elders(input int unsigned k);
    for (int unsigned a = 0; a < WALKS; a++) elders[a] = a != k && older[a][k];
  endfunction
  always_ff @(posedge clk_i) begin
    runs_q <= !rst && !inv;
    was_q <= steps;
    wait_q <= wait_for;
  end
  for (genvar s = 0; s < KERNELS; s++) begin : gen_kernel
    logic [WALKS-1:0] its, reads;
    always_comb
      for (int unsigned k = 0; k < WALKS; k++) begin
        its[k] = !dut.empty[k] && 32'(dut.slot_q[k]) == s;
        reads[k] = awaited[k] && 32'(read_slot[k]) == s;
      end
    always_comb
      if (!rst) begin
        a_kernel_goes_on: assert (!runs_q || begun[s] || steps[s] < was_q[s] || (steps[s] == was_q[s] && (steps[s] == '0 || wait_for[s] < wait_q[s])));
        a_walk_costs_its_kernel_alone: assert (!runs_q || steps[s] <= was_q[s] + (begun[s] ? steps_t'(WALK) : '0));
                nothing_is_left: assert (steps[s] != '0 || (its == '0 && reads == '0));
        // ---- lemmas
        lemma_bound: assert (32'(wait_for[s]) <= BOUND);
        lemma_mine: assert (dut.mine_q[s] == its);
        lemma_count: assert (32'(dut.count_q[s]) == $countones(reads));
        lemma_from: assert (dut.u_turn.from_q[KERNELS-1] && (s == 0 || !dut.u_turn.from_q[(s==0)?0:s-1] || dut.u_turn.from_q[s]));
      end
  end

  // ---- lemmas: who waits for which read, the leader, the order, memory ----------------------------------------------------------------------------------------------------------
  always_comb
    if (!rst) begin
      lemma_started: assert (started_q[0]);
      lemma_sent: assert ((sent_q | out | held) == awaited && (sent_q & out) == '0 && (sent_q & held) == '0 && (out & held) == '0);
      lemma_ids: assert ((!mem_req_valid || 32'(mem_req.read) < WALKS) && (!dut.rsp_valid_q || 32'(dut.rsp_read_q) < WALKS));
      lemma_held: assert (!dut.rsp_valid_q || (dut.rsp_q.slot == read_slot[dut.rsp_read_q] && dut.rsp_q.asid == read_space[dut.rsp_read_q]));
      lemma_memory: assert (32'(stalled_q) < STALL && (mem_req_valid || stalled_q == '0));
      lemma_lead_space: assert (!dut.lead_valid_q || (32'(dut.lead_slot_q) < KERNELS && dut.lead_q.asid == space_q[dut.lead_slot_q] && $countones(dut.lead_who_q) == 1));
    end
  for (genvar r = 0; r < WALKS; r++) begin : gen_read
    logic [WALKS-1:0] of;                        // walks that wait for it
    always_comb for (int unsigned k = 0; k < WALKS; k++) of[k] = waits[k] && 32'(dut.read[k]) == r;
    always_comb
      if (!rst) begin
        lemma_read_space: assert (!awaited[r] || (32'(read_slot[r]) < KERNELS && read_space[r] == space_q[read_slot[r]] && dut.read_asid_q[r] == read_space[r]));
        lemma_wanted: assert (!awaited[r] || (dut.drop_q[r] == (of == '0)));
        lemma_left: assert (!sent_q[r] || (left_q[r] != '0 && 32'(left_q[r]) <= ANSWER));
      end
    for (genvar j = 0; j < r; j++) begin : gen_other
      always_comb if (!rst) lemma_one_due: assert (!sent_q[r] || !sent_q[j] || left_q[r] != left_q[j]);
    end
  end
  for (genvar k = 0; k < WALKS; k++) begin : gen_of
    always_comb
      if (!rst) begin
        lemma_space: assert (dut.empty[k] || (32'(dut.slot_q[k]) < KERNELS && dut.asid_q[k] == space_q[dut.slot_q[k]]));
        lemma_read: assert (!waits[k] || (32'(dut.read[k]) < WALKS && awaited[dut.read[k]] && read_slot[dut.read[k]] == dut.slot_q[k]));
        lemma_lead: assert (!dut.lead_valid_q || !dut.lead_who_q[k] || (!dut.empty[k] && ready[k] && dut.slot_q[k] == dut.lead_slot_q && dut.addr[k] == dut.lead_q.addr && dut.level[k] == dut.lead_q.level));
      end
    for (genvar j = 0; j < k; j++) begin : gen_other
      always_comb
        if (!rst) begin
          lemma_two_sides: assert ((free[j] && free[k]) || older[j][k] != older[k][j]);
          lemma_one_read: assert (!policy_q.coalesce || !waits[k] || !waits[j] || dut.slot_q[k] != dut.slot_q[j] || dut.addr[k] != dut.addr[j] || dut.read[k] == dut.read[j]);
        end
    end
  end
  // Three in a circle have no oldest (WALKS is 3 here).
  always_comb if (!rst) lemma_order: assert (free != '0 || (!(older[0][1] && older[1][2] && older[2][0]) && !(older[1][0] && older[0][2] && older[2][1])));
endmodule
