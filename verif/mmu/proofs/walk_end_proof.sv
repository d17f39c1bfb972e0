// Every walk ends, by ranks: the steps that each walk, and memory, have still to go. In every cycle a rank falls and none rises, except memory's by the cost of a read, which its walk has
// paid for; so their sum falls in every cycle. That is by a memory that takes a read in the STALL-th cycle at the latest and answers one of those sent every ANSWER cycles at the latest, in any order.
// Only a walk that begins adds to the sum (WALK), and an invalidation begins all again. So every walk ends at most RANK cycles after the last of these, and a walk that begins meanwhile
// can put that off by WALK cycles, no more. Page: docs/blocks/ptw.md, Why it is right.
module walk_end_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
`include "ptw_ports.svh"
);
  localparam int unsigned STALL = 2;
  localparam int unsigned ANSWER = 3;
  // A read costs: owner, leader, shown, sent, answered.
  localparam int unsigned MEMORY = STALL + ANSWER + 1;
  localparam int unsigned READ = MEMORY + 3;
  localparam int unsigned WALK = 1 + 4 * READ;
  localparam int unsigned RANK = TLB_MSHRS * (WALK + MEMORY);
  typedef logic [$clog2(RANK + 1)-1:0] rank_t;

  // ---- memory: when it must -----------------------------------------------------------------------------------------
  logic mem_ready, mem_says, due;
  mem_rsp_t answer;
  logic [$clog2(STALL+1)-1:0] stalled_q;         // cycles that a read has been shown before this one
  logic [$clog2(ANSWER+1)-1:0] left_q;           // until one of those sent must be answered
`include "ptw_env.svh"
  assign mem_ready = mem_req_ready_i || 32'(stalled_q) == STALL - 1;
  assign due = sent_q != '0 && left_q == 1;
  assign mem_says = mem_rsp_valid_i || due;
  always_comb begin
    answer = mem_rsp_i;
    if (due && !(32'(mem_rsp_i.id) < TLB_MSHRS && sent_q[mem_rsp_i.id[WALK_W-1:0]]))
      for (int unsigned r = 0; r < TLB_MSHRS; r++) if (sent_q[r]) answer.id = mem_id_t'(r);
  end
  always_ff @(posedge clk_i) begin
    stalled_q <= (!rst && mem_req_valid && !mem_ready) ? stalled_q + 1'b1 : '0;
    left_q <= (!rst && sent_q != '0 && !rsp) ? left_q - 1'b1 : $bits(left_q)'(ANSWER);
  end

  // ---- ranks ----------------------------------------------------------------------------------------------------------
  rank_t [TLB_MSHRS-1:0] rank, was_q;            // of walks
  rank_t memory, memory_was_q;
  logic [TLB_MSHRS-1:0] lead, begun, paid_q, falls;
  logic runs_q, sends_q;                         // at the last edge no invalidation; a read was chosen
  assign lead = dut.lead_valid_q ? dut.lead_who_q : '0;
  assign begun = dut.begins[0] | dut.begins[1];
  always_comb begin
    for (int unsigned k = 0; k < TLB_MSHRS; k++) begin
      rank[k] = '0;
      if (done[k]) rank[k] = rank_t'(1);
      if (waits[k]) rank[k] = rank_t'(1 + 32'(dut.level[k]) * READ);
      if (ready[k]) rank[k] = rank_t'(1 + (32'(dut.level[k]) + 1) * READ - 32'(lead[k]) - 32'(dut.owned_q[k]));
      falls[k] = rank[k] < was_q[k];
    end
    memory = rank_t'($countones(sent_q) * (ANSWER + 1));
    if (sent_q != '0) memory -= rank_t'(ANSWER - 32'(left_q));
    if (out != '0) memory += rank_t'(MEMORY - 32'(stalled_q));
    if (held != '0) memory += rank_t'(1);
  end
  always_ff @(posedge clk_i) begin
    runs_q <= !rst && !dut.restart;
    sends_q <= dut.chosen;
    paid_q <= dut.chosen ? lead : '0;
    was_q <= rank;
    memory_was_q <= memory;
  end

  always_comb
    if (!rst) begin
      something_goes_on: assert (!runs_q || falls != '0 || memory < memory_was_q || (was_q == '0 && memory_was_q == '0));
      memory_goes_on: assert (memory <= memory_was_q + (sends_q ? rank_t'(MEMORY) : '0));
      a_read_is_paid_for: assert (!runs_q || (sends_q == (paid_q != '0)));
      nothing_is_left: assert (rank != '0 || memory != '0 || (free == '1 && dut.awaited_q == '0));
      // ---- lemmas
      lemma_memory: assert (32'(stalled_q) < STALL && left_q != '0 && 32'(left_q) <= ANSWER && (mem_req_valid || stalled_q == '0) && (sent_q != '0 || 32'(left_q) == ANSWER));
      lemma_leader: assert (!policy_q.coalesce || dut.owned_q == '0);
    end
  for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_rank
    always_comb
      if (!rst) begin
        no_walk_goes_back: assert (!runs_q || rank[k] <= was_q[k] || (begun[k] && rank[k] == rank_t'(WALK)));
        who_pays_falls_by_more: assert (!runs_q || !paid_q[k] || rank[k] + rank_t'(MEMORY) < was_q[k]);
      end
  end
endmodule
