// A core's port to the shared L2 TLB, the occupant of its translate seam (docs/translate-seam.md) with translation = shared: ids are asked for one a cycle,
// oldest first; those asked for before an invalidation are asked for again when their answer has come. Page: docs/blocks/seam_port.md; step numbers in comments are
// the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module seam_port
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    output logic                 idle_o,
    // the translate seam
    input  logic [1:0]           req_valid_i,
    input  translate_req_t [1:0] req_i,
    output logic                 rsp_valid_o,
    output translate_rsp_t       rsp_o,
    output logic [TLB_MSHRS-1:0] closed_o,
    // ask_net, ans_net
    output logic                 ask_valid_o,
    output translate_req_t       ask_o,
    input  logic                 ask_ready_i,
    input  logic                 ans_valid_i,
    input  translate_rsp_t       ans_i,
    // shootdown
    input  logic                 inv_valid_i,
    input  inv_t                 inv_i,
    // counters
    output ev_seam_port_t        ev_o
);
  typedef walk_set_t set_t;           // of ids

  set_t ask_q, sent_q, old_q, done_q, open;
  vpn_t vpn_q[TLB_MSHRS];
  access_e access_q[TLB_MSHRS];
  warp_t warp_q[TLB_MSHRS];
  core_t core_q;
  asid_t asid_q;
  assign open = ask_q | sent_q | done_q;

  // ---- requests (1) ---------------------------------------------------------------------------------------------
  set_t [1:0] begins;
  for (genvar p = 0; p < 2; p++) begin : gen_req
    assign begins[p] = req_valid_i[p] ? set_t'(1) << req_i[p].id : '0;
  end

  // ---- asks (2) -------------------------------------------------------------------------------------------------
  logic out_valid_q, taken, concerns;
  walk_t out_q;
  set_t out_one, candidates, ends, next, nobody;
  logic [TLB_MSHRS-1:0][TLB_MSHRS-1:0] older;
  assign concerns = inv_valid_i && (inv_i.scope != INV_ASID || inv_i.asid == asid_q);
  assign taken = out_valid_q && ask_ready_i;
  assign out_one = out_valid_q ? set_t'(1) << out_q : '0;
  assign candidates = (ask_q & ~out_one) | begins[0] | begins[1];
  // An id that is answered at this edge may be used for a new request in the next cycle.
  ptw_age #(.N(TLB_MSHRS)) u_age (
      .clk_i, .rst_i, .free_i((~open & ~begins[0] & ~begins[1]) | ends), .of_i('0), .oldest_o(nobody), .older_o(older)
  );
  always_comb begin
    next = '0;
    `VL_WHEN(candidates != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++) next[k] = candidates[k] && (candidates & older[k]) == '0;
  end

  // ---- answers, ends (3, 4) ---------------------------------------------------------------------------------------
  set_t ans_one, again, known;
  assign ans_one = ans_valid_i ? set_t'(1) << ans_i.id : '0;
  assign again = concerns ? ans_one : ans_one & old_q;
  assign known = ans_one & ~again;
  assign ends = concerns ? '0 : done_q;

  // ---- registers ------------------------------------------------------------------------------------------------
  set_t goes;                                    // sent from this edge on
  translate_rsp_t answer_q;                      // of the id that is done
  ev_seam_port_t ev_q;
  assign goes = taken ? out_one : '0;
  always_ff @(posedge clk_i) begin
    `VL_WHEN(req_valid_i != '0) for (int unsigned k = 0; k < TLB_MSHRS; k++)
      if (begins[0][k] || begins[1][k]) begin
        vpn_q[k] <= req_i[begins[1][k]].vpn;
        access_q[k] <= req_i[begins[1][k]].access;
        warp_q[k] <= req_i[begins[1][k]].warp;
      end
    if (req_valid_i != '0) begin
      core_q <= req_i[!req_valid_i[0]].core;
      asid_q <= req_i[!req_valid_i[0]].asid;
    end
    `VL_WHEN(ans_valid_i) answer_q <= ans_i;
    if (!out_valid_q || taken) out_q <= walk_index(next);
    if (rst_i) begin
      {ask_q, sent_q, old_q, done_q} <= '0;
      out_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      ask_q <= ((ask_q | begins[0] | begins[1]) & ~goes) | again | (concerns ? done_q : '0);
      sent_q <= (sent_q | goes) & ~ans_one;
      old_q <= ((old_q & ~goes) | (concerns ? sent_q | goes : '0)) & ~ans_one;
      done_q <= known;
      out_valid_q <= (out_valid_q && !taken) || next != '0;
      ev_q <= '0;
      ev_q.seam_asks <= taken;
      ev_q.seam_answers <= ans_valid_i;
      ev_q.seam_dropped <= again != '0;
      ev_q.seam_busy <= 7'($countones(open));
      ev_q.seam_stalls <= out_valid_q && !ask_ready_i;
    end
  end
  assign idle_o = open == '0;
  assign closed_o = done_q;
  assign rsp_valid_o = done_q != '0;
  assign rsp_o = answer_q;
  assign ask_valid_o = out_valid_q;
  assign ask_o = '{core: core_q, id: out_q, asid: asid_q, vpn: vpn_q[out_q], access: access_q[out_q], warp: warp_q[out_q]};
  assign ev_o = ev_q;

  `VL_ASSERT(one_state, (ask_q & sent_q) == '0 && (ask_q & done_q) == '0 && (sent_q & done_q) == '0 && (old_q & ~sent_q) == '0)
  `VL_ASSERT(one_is_done, done_q == '0 || done_q == set_t'(1) << answer_q.id)
  `VL_ASSERT(what_is_shown_asks, (out_one & ~ask_q) == '0)
  `VL_ASSERT(answers_are_of_what_is_sent, (ans_one & ~sent_q) == '0)
  // The other side of the seam.
  `VL_ASSERT(requests_have_ids_that_are_not_open, ((begins[0] | begins[1]) & open) == '0 && (begins[0] & begins[1]) == '0)
  `VL_ASSERT(requests_are_of_one_space, open == '0 || ((!req_valid_i[0] || req_i[0].asid == asid_q) && (!req_valid_i[1] || req_i[1].asid == asid_q)))
endmodule
