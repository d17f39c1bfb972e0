// tlb_mshr and ptw, joined at the translate seam, with a memory that answers each read that it was sent, once, and relations between their registers: part of the harnesses of ptw, inside the module. A harness drives:
// logic mem_ready (a read is taken), mem_says (an answer, `answer`, if that read was sent), inv. Root, window and policy stay: they change only while nothing is under way.
  logic [1:0] started_q = 2'b0;      // two cycles of reset: in the first the registers hold anything
  logic rst;
  assign rst = !started_q[1];

  logic idle, mshr_idle, walked_valid, mem_req_valid, inv_done, rsp, trsp_valid;
  logic [1:0] miss_ready, walk_valid;
  walk_t [1:0] walk;
  walked_t walked;
  mem_req_t mem_req;
  logic [1:0] treq_valid;
  translate_req_t [1:0] treq;
  translate_rsp_t trsp;
  logic [TLB_MSHRS-1:0] closed;
  ev_ptw_t ev;
  ev_tlb_mshr_t mshr_ev;
  root_t root_q;
  walk_policy_t policy_q;
  window_t window_q;
  tlb_mshr mshr (
      .clk_i, .rst_i(rst), .core_i('0), .asid_i(root_q.asid), .idle_o(mshr_idle), .miss_valid_i, .miss_i, .miss_ready_o(miss_ready),
      .walk_valid_o(walk_valid), .walk_o(walk), .walked_valid_o(walked_valid), .walked_o(walked),
      .req_valid_o(treq_valid), .req_o(treq), .rsp_valid_i(trsp_valid), .rsp_i(trsp), .closed_i(closed), .inv_valid_i, .inv_i, .ev_o(mshr_ev)
  );
  ptw dut (
      .clk_i, .rst_i(rst), .root_i(root_q), .window_i(window_q), .policy_i(policy_q), .idle_o(idle), .req_valid_i(treq_valid), .req_i(treq),
      .rsp_valid_o(trsp_valid), .rsp_o(trsp), .closed_o(closed), .mem_req_valid_o(mem_req_valid), .mem_req_o(mem_req),
      .mem_req_ready_i(mem_ready), .mem_rsp_valid_i(rsp), .mem_rsp_i(answer), .inv_valid_i, .inv_i, .inv_done_o(inv_done), .ev_o(ev)
  );

  logic [TLB_MSHRS-1:0] sent_q;
  walk_t rsp_id;
  assign rsp_id = answer.id[WALK_W-1:0];
  assign rsp = mem_says && 32'(rsp_id) < TLB_MSHRS && sent_q[rsp_id];
  always_ff @(posedge clk_i) begin
    started_q <= {started_q[0], 1'b1};
    if (rst) begin
      root_q <= root_i;
      policy_q <= policy_i;
      window_q <= window_i;
      sent_q <= '0;
    end else begin
      for (int unsigned r = 0; r < TLB_MSHRS; r++)
        if (mem_req_valid && mem_ready && 32'(mem_req.id) == r) sent_q[r] <= 1'b1;
        else if (rsp && 32'(rsp_id) == r) sent_q[r] <= 1'b0;
    end
  end

  logic [TLB_MSHRS-1:0] out, held;   // the read that is shown to memory, and that of an answer that ptw has taken in and not used
  assign out = mem_req_valid ? TLB_MSHRS'(1) << mem_req.id[WALK_W-1:0] : '0;
  assign held = dut.rsp_valid_q ? TLB_MSHRS'(1) << dut.rsp_read_q : '0;
  logic [TLB_MSHRS-1:0] free, done;
  assign free = dut.free;
  assign done = dut.done;

  // ---- lemmas: both sides of the seam have the same ids open, for the same pages -----------------------------------------
  vpn_t [TLB_MSHRS-1:0] asked_vpn, walk_vpn;        // of MSHR and walk k
  for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_seam
    assign asked_vpn[k] = mshr.vpn_q[k];
    assign walk_vpn[k] = dut.gen_walk[k].u_walk.vpn_q;
    always_comb
      if (!rst) begin
        lemma_open: assert (mshr.valid_q[k] == !free[k]);
        lemma_vpn: assert (dut.empty[k] || asked_vpn[k] == walk_vpn[k]);
      end
  end
  for (genvar p = 0; p < 2; p++) begin : gen_asked
    always_comb if (!rst) lemma_asked: assert (!treq_valid[p] || treq[p].vpn == asked_vpn[treq[p].id]);
  end

  // ---- lemmas: the leader, the walkers, the order, and who waits for which read ------------------------------------------
  logic [TLB_MSHRS-1:0] ready, waits;
  logic [TLB_MSHRS-1:0][TLB_MSHRS-1:0] older;       // [a][b]: a began before b
  assign ready = dut.ready;
  assign waits = dut.waits;
  for (genvar a = 0; a < TLB_MSHRS; a++) begin : gen_older
    for (genvar b = 0; b < TLB_MSHRS; b++) begin : gen_than
      assign older[a][b] = dut.u_age.older_q[b][a];
      if (a < b) begin : gen_pair
        always_comb if (!rst) lemma_two_sides: assert ((free[a] && free[b]) || older[a][b] != older[b][a]);
      end
    end
  end
  always_comb
    if (!rst) begin
      lemma_started: assert (started_q[0]);
      lemma_sent: assert ((sent_q | out | held) == dut.awaited_q && (sent_q & out) == '0 && (sent_q & held) == '0 && (out & held) == '0);
      lemma_ids: assert ((!mem_req_valid || 32'(mem_req.id) < TLB_MSHRS) && (!dut.rsp_valid_q || 32'(dut.rsp_read_q) < TLB_MSHRS));
      // Three in a circle have no oldest (TLB_MSHRS is 3 here).
      lemma_order: assert (free != '0 || (!(older[0][1] && older[1][2] && older[2][0]) && !(older[1][0] && older[0][2] && older[2][1])));
      lemma_owned: assert (dut.owned_q == ((dut.walker_valid_q[0] ? dut.walker_who_q[0] : '0) | (dut.walker_valid_q[1] ? dut.walker_who_q[1] : '0)));
      lemma_lead_owned: assert (policy_q.coalesce || !dut.lead_valid_q || (dut.lead_who_q & ~dut.owned_q) == '0);
      lemma_apart: assert (!dut.walker_valid_q[0] || !dut.walker_valid_q[1] || (dut.walker_who_q[0] & dut.walker_who_q[1]) == '0);
    end
  for (genvar w = 0; w < WALKERS; w++) begin : gen_walker
    always_comb
      if (!rst)
        lemma_walker: assert (!dut.walker_valid_q[w] || ($countones(dut.walker_who_q[w]) == 1 && (dut.walker_who_q[w] & (free | done)) == '0 && dut.walker_on[w]));
  end
  for (genvar k = 0; k < TLB_MSHRS; k++) begin : gen_leads
    always_comb
      if (!rst) lemma_read: assert (!waits[k] || 32'(dut.read[k]) < TLB_MSHRS);
    always_comb
      if (!rst) lemma_lead: assert (!dut.lead_valid_q || !dut.lead_who_q[k] || (dut.addr[k] == dut.lead_q.addr && dut.level[k] == dut.lead_q.level));
    for (genvar j = 0; j < k; j++) begin : gen_other
      always_comb if (!rst) lemma_one_read: assert (!policy_q.coalesce || !waits[k] || !waits[j] || dut.addr[k] != dut.addr[j] || dut.read[k] == dut.read[j]);
    end
  end
