// What ptw promises to those who wait: every walk that was named for a miss is answered, once, by its page, and a miss is never named another page's walk. One MSHR, any, is
// picked at reset. That a walk goes on until it is answered: it is always in one of the states from which an answer of memory, or its turn, moves it on (the assertions of
// the RTL, proved with these), and its walk is never forgotten. Page: docs/blocks/ptw.md.
module ptw_proof
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input logic         clk_i,
    input root_t        root_i,
    input window_t      window_i,
    input walk_policy_t policy_i,
    input logic [1:0]   miss_valid_i,
    input miss_t [1:0]  miss_i,
    input logic         mem_req_ready_i,
    input logic         mem_rsp_valid_i,
    input mem_rsp_t     mem_rsp_i,
    input logic         inv_valid_i,
    input inv_t         inv_i,
    input walk_t        pick_i
);
  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst;
  assign rst = !started_q[1];

  logic idle, walked_valid, mem_req_valid, inv_done, rsp;
  logic [1:0] miss_ready, walk_valid;
  walk_t [1:0] walk;
  walked_t walked;
  mem_req_t mem_req;
  ev_ptw_t ev;
  root_t root_q;
  walk_policy_t policy_q;
  window_t window_q;
  ptw dut (
      .clk_i, .rst_i(rst), .root_i(root_q), .window_i(window_q), .policy_i(policy_q), .idle_o(idle), .miss_valid_i, .miss_i, .miss_ready_o(miss_ready),
      .walk_valid_o(walk_valid), .walk_o(walk), .walked_valid_o(walked_valid), .walked_o(walked), .mem_req_valid_o(mem_req_valid), .mem_req_o(mem_req), .mem_req_ready_i,
      .mem_rsp_valid_i(rsp), .mem_rsp_i, .inv_valid_i, .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );

  // Memory answers what it was sent and has not answered.
  logic [TLB_MSHRS-1:0] sent_q;
  walk_t rsp_id;
  assign rsp_id = mem_rsp_i.id[WALK_W-1:0];
  assign rsp = mem_rsp_valid_i && 32'(rsp_id) < TLB_MSHRS && sent_q[rsp_id];

  logic [TLB_MSHRS-1:0] out, held;   // the read that is shown to memory, and that of an answer that ptw has taken in and not used
  assign out = mem_req_valid ? TLB_MSHRS'(1) << mem_req.id[WALK_W-1:0] : '0;
  assign held = dut.rsp_valid_q ? TLB_MSHRS'(1) << dut.rsp_read_q : '0;

  // ---- the picked walk: who was told of it, and for which page --------------------------------------------------------
  walk_t pick_q;
  logic owed_q, ended;
  logic [1:0] told, asked_q;
  vpn_t vpn_q;
  vpn_t [1:0] asked_vpn_q;           // misses taken at the last edge
  for (genvar p = 0; p < 2; p++) begin : gen_told
    assign told[p] = walk_valid[p] && walk[p] == pick_q;
  end
  assign ended = walked_valid && walked.walk == pick_q;

  logic [TLB_MSHRS-1:0] free, done;
  assign free = dut.free;
  assign done = dut.done;
  logic here;                        // the MSHR has a walk
  assign here = !free[pick_q];
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    asked_q <= rst ? '0 : miss_valid_i & miss_ready;
    asked_vpn_q <= {miss_i[1].vpn, miss_i[0].vpn};
    if (rst) begin
      pick_q <= (32'(pick_i) < TLB_MSHRS) ? pick_i : '0;
      root_q <= root_i;
      policy_q <= policy_i;
      window_q <= window_i;
      sent_q <= '0;
      owed_q <= 1'b0;
    end else begin
      for (int unsigned r = 0; r < TLB_MSHRS; r++)
        if (mem_req_valid && mem_req_ready_i && 32'(mem_req.id) == r) sent_q[r] <= 1'b1;
        else if (rsp && 32'(rsp_id) == r) sent_q[r] <= 1'b0;
      owed_q <= told != '0 || (owed_q && !ended);
      if (told != '0) vpn_q <= told[0] ? asked_vpn_q[0] : asked_vpn_q[1];
    end
  end
  // Root, window and policy stay: they change only while nothing is under way.
  always_comb
    if (!rst) begin
      every_miss_is_told: assert (walk_valid == asked_q);
      answers_are_awaited_by_somebody: assert (!ended || owed_q);
      answer_is_of_the_page: assert (!ended || walked.vpn == vpn_q);
      merged_with_its_page: assert (!(owed_q && !ended) || ((!told[0] || asked_vpn_q[0] == vpn_q) && (!told[1] || asked_vpn_q[1] == vpn_q)));
      told_of_one_page: assert (told != '1 || asked_vpn_q[0] == asked_vpn_q[1]);
      none_forgotten: assert (!(owed_q || told != '0) || here || ended);
      // ---- lemmas
      lemma_started: assert (started_q[0]);
      lemma_pick: assert (32'(pick_q) < TLB_MSHRS);
      lemma_page: assert (!(owed_q && !ended) || dut.vpn[pick_q] == vpn_q);
      lemma_told: assert ((!told[0] || (here && dut.vpn[pick_q] == asked_vpn_q[0])) && (!told[1] || (here && dut.vpn[pick_q] == asked_vpn_q[1])));
      lemma_owed: assert (!here || owed_q || told != '0);
      lemma_not_both: assert (!(ended && here) || told != '0);
      lemma_sent: assert ((sent_q | out | held) == dut.awaited_q && (sent_q & out) == '0 && (sent_q & held) == '0 && (out & held) == '0);
      lemma_ids: assert ((!mem_req_valid || 32'(mem_req.id) < TLB_MSHRS) && (!dut.rsp_valid_q || 32'(dut.rsp_read_q) < TLB_MSHRS));
    end

  // ---- lemmas: the leader, the walkers, the order, and who waits for which read ------------------------------------------
  logic [TLB_MSHRS-1:0] ready, waits;
  logic [TLB_MSHRS-1:0][TLB_MSHRS-1:0] older;       // [a][b]: a was allocated before b
  assign ready = dut.ready;
  assign waits = dut.waits;
  for (genvar a = 0; a < TLB_MSHRS; a++) begin : gen_older
    for (genvar b = 0; b < TLB_MSHRS; b++) begin : gen_than
      assign older[a][b] = a != b && dut.u_age.older_q[b][a];
    end
  end
  always_comb
    if (!rst) begin
      // Three in a circle have no oldest (TLB_MSHRS is 3 here).
      lemma_order: assert (free != '0 || (!(older[0][1] && older[1][2] && older[2][0]) && !(older[1][0] && older[0][2] && older[2][1])));
      lemma_owned: assert (dut.owned_q == ((dut.walker_valid_q[0] ? dut.walker_who_q[0] : '0) | (dut.walker_valid_q[1] ? dut.walker_who_q[1] : '0)));
      lemma_lead_owned: assert (policy_q.coalesce || !dut.lead_valid_q || (dut.lead_who_q & ~dut.owned_q) == '0);
      lemma_apart: assert (!dut.walker_valid_q[0] || !dut.walker_valid_q[1] || (dut.walker_who_q[0] & dut.walker_who_q[1]) == '0);
    end
  for (genvar w = 0; w < WALKERS; w++) begin : gen_walker
    always_comb
      if (!rst)
        lemma_walker: assert (!dut.walker_valid_q[w] || ($countones(dut.walker_who_q[w]) == 1 && (dut.walker_who_q[w] & (free | done)) == '0 && !policy_q.coalesce));
  end
  for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_leads
    always_comb
      if (!rst) lemma_lead: assert (!dut.lead_valid_q || !dut.lead_who_q[k] || (dut.addr[k] == dut.lead_q.addr && dut.level[k] == dut.lead_q.level));
    for (genvar j = 0; j < k; j++) begin : gen_other
      always_comb if (!rst) lemma_one_read: assert (!policy_q.coalesce || !waits[k] || !waits[j] || dut.addr[k] != dut.addr[j] || dut.read[k] == dut.read[j]);
    end
  end
endmodule
