// What tlb_mshr and ptw promise to those who wait: every walk that was named for a miss is answered, once, by its page, and a miss is never named another page's walk. One MSHR, any, is
// picked at reset. (That it is answered in time: walk_end_proof.sv.) Pages: docs/blocks/tlb_mshr.md, docs/blocks/ptw.md.
module ptw_proof
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input walk_t        pick_i,
`include "ptw_ports.svh"
);
  logic mem_ready, mem_says;
  mem_rsp_t answer;
  assign mem_ready = mem_req_ready_i;
  assign mem_says = mem_rsp_valid_i;
  assign answer = mem_rsp_i;
`include "ptw_env.svh"

  // ---- the picked walk: who was told of it, and for which page --------------------------------------------------------
  walk_t pick_q;
  logic pending_q, ended;
  logic [1:0] told, asked_q;
  vpn_t vpn_q;
  vpn_t [1:0] asked_vpn_q;           // misses taken at the last edge
  for (genvar p = 0; p < 2; p++) begin : gen_told
    assign told[p] = walk_valid[p] && walk[p] == pick_q;
  end
  assign ended = walked_valid && walked.walk == pick_q;

  logic here;                        // it is walked for
  assign here = !free[pick_q];
  always_ff @(posedge clk_i) begin
    asked_q <= rst ? '0 : miss_valid_i & miss_ready;
    asked_vpn_q <= {miss_i[1].vpn, miss_i[0].vpn};
    if (rst) begin
      pick_q <= (32'(pick_i) < TLB_MSHRS) ? pick_i : '0;
      pending_q <= 1'b0;
    end else begin
      pending_q <= told != '0 || (pending_q && !ended);
      if (told != '0) vpn_q <= told[0] ? asked_vpn_q[0] : asked_vpn_q[1];
    end
  end
  always_comb
    if (!rst) begin
      every_miss_gets_its_walk: assert (walk_valid == asked_q);
      answers_are_awaited_by_somebody: assert (!ended || pending_q);
      answer_is_of_the_page: assert (!ended || walked.vpn == vpn_q);
      merged_with_its_page: assert (!(pending_q && !ended) || ((!told[0] || asked_vpn_q[0] == vpn_q) && (!told[1] || asked_vpn_q[1] == vpn_q)));
      told_of_one_page: assert (told != '1 || asked_vpn_q[0] == asked_vpn_q[1]);
      walked_for_its_page: assert (dut.empty[pick_q] || walk_vpn[pick_q] == asked_vpn[pick_q]);
      none_forgotten: assert (!(pending_q || told != '0) || here || ended);
      // ---- lemmas
      lemma_pick: assert (32'(pick_q) < TLB_MSHRS);
      lemma_page: assert (!(pending_q && !ended) || asked_vpn[pick_q] == vpn_q);
      lemma_told: assert ((!told[0] || (here && asked_vpn[pick_q] == asked_vpn_q[0])) && (!told[1] || (here && asked_vpn[pick_q] == asked_vpn_q[1])));
      lemma_pending: assert (!here || pending_q || told != '0);
      lemma_not_both: assert (!(ended && here) || told != '0);
    end
endmodule
