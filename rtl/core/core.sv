// A SIMT core: its blocks and the nets between them, no logic. docs/blocks/core.md draws it and gives the timing contract.
module core
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  core_t                core_i,          // number of this core, constant
    // control (ctrl)
    input  kernel_t              kernel_i,
    input  policy_t              policy_i,
    input  logic                 kernel_start_i,
    input  logic                 halt_all_i,
    input  logic                 reconv_valid_i,
    input  reconv_write_t        reconv_i,
    input  logic [10:0]          perf_unit_i,
    input  logic [7:0]           perf_idx_i,
    output logic [COUNTER_W-1:0] perf_data_o,
    output logic                 faulted_o,
    output fault_t               fault_o,
    output logic                 quiet_o,
    // virtual memory (vm_ctl)
    input  root_t                root_i,
    input  tlb_mode_e            tlb_mode_i,
    input  walk_policy_t         walk_policy_i,
    input  logic                 inv_valid_i,
    input  inv_t                 inv_i,
    output logic                 inv_done_o,
    output logic [1:0]           pf_valid_o,      // lsu, l1i
    output page_fault_t [1:0]    pf_o,
    input  logic [1:0]           pf_ready_i,
    input  logic                 resume_valid_i,
    input  warp_t                resume_i,
    input  logic                 fetch_resume_valid_i,
    input  logic                 deny_i,
    // dispatcher
    input  logic                 group_valid_i,
    input  group_t               group_i,
    output logic                 group_ready_o,
    output logic                 group_done_o,
    // memory side
    output logic                 mem_req_valid_o,
    output mem_req_t             mem_req_o,
    input  logic                 mem_req_ready_i,
    input  logic                 mem_rsp_valid_i,
    input  mem_rsp_t             mem_rsp_i,
    // shared L2 TLB (translation = shared)
    output logic                 ask_valid_o,
    output translate_req_t       ask_o,
    input  logic                 ask_ready_i,
    input  logic                 ans_valid_i,
    input  translate_rsp_t       ans_i,
    input  logic                 l2_tlb_done_i,
    output logic                 stalled_valid_o,
    output stalled_t             stalled_o,
    // trace, for a judge or a signature unit (docs/blocks/core.md)
    output logic                 trace_start_valid_o,
    output start_t               trace_start_o,
    output logic                 trace_redirect_valid_o,
    output redirect_t            trace_redirect_o,
    output logic                 trace_push_valid_o,
    output push_t                trace_push_o,
    output logic                 trace_issue_valid_o,
    output issued_t               trace_issue_o,
    output logic                 trace_wb_valid_o,
    output wb_t                  trace_wb_o,
    output logic                 trace_mem_valid_o,
    output memtrace_t            trace_mem_o,
    output logic                 trace_sent_valid_o,
    output sent_t                trace_sent_o,
    output logic                 trace_formed_valid_o,
    output formed_t              trace_formed_o
);
  // ---- nets, grouped by the block that drives them -------------------------------------------------------------------
  // fetch
  logic fetch_req_valid, fetch_req_ready, push_valid;
  fetch_req_t fetch_req;
  push_t push;
  // l1i
  logic fetch_rsp_valid, wake, l1i_mem_valid, l1i_mem_ready;
  fetch_rsp_t fetch_rsp;
  mem_req_t l1i_mem;
  // issue
  logic issue_valid, pop_valid, issue_idle;
  issued_t issue_s;
  warp_t pop;
  // simt
  logic redirect_valid, warp_done_valid, arrive_valid, simt_fault_valid;
  redirect_t redirect;
  warp_t warp_done;
  bar_arrive_t arrive;
  fault_t simt_fault;
  logic meet_valid;
  meet_t meet;
  // compactor
  logic go_valid, go_ready;
  go_t go;
  homes_t homes;
  warp_mask_t grouped, nested;
  logic formed_valid;
  formed_t formed;
  // common_page
  common_t common;
  // regfile
  logic ops_valid, wb_valid, wb_hold, lsu_res_ready;
  operands_t ops;
  wb_t wb;
  credit_t credit;
  // pipes
  logic alu_res_valid, mul_res_valid, div_res_valid, fpu_res_valid, fdiv_res_valid, lsu_res_valid, cf_valid;
  result_t alu_res, mul_res, div_res, fpu_res, fdiv_res, lsu_res;
  cf_t cf;
  logic fdiv_flags_valid, frm_valid, fpu_fault_valid;
  fflags_t fdiv_flags;
  frm_t frm;
  fault_t fpu_fault;
  // launch, barrier
  logic start_valid, lids_valid, launch_idle, release_valid, barrier_fault_valid;
  start_t start;
  lids_t lids;
  warp_mask_t release_s;
  fault_t barrier_fault;
  // lsu, spad, l1d
  logic lsu_credit, early, l1d_req_valid, l1d_req_ready, l1d_rsp_valid, l1d_rsp_ready, l1d_ack;
  l1d_req_t l1d_req;
  l1d_rsp_t l1d_rsp;
  warp_mask_t unsent, rows;
  logic spad_req_valid, spad_req_ready, spad_rsp_valid, spad_rsp_ready, lsu_fault_valid, memtrace_valid, lsu_idle, l1d_idle;
  spad_req_t spad_req;
  spad_rsp_t spad_rsp;
  fault_t lsu_fault;
  memtrace_t memtrace;
  logic l1d_mem_valid, l1d_mem_ready;
  mem_req_t l1d_mem;
  // translation
  logic page_valid, look_ready, ptw_mem_valid, ptw_mem_ready, walked_valid, itlb_idle, tlb_mshr_idle, ptw_idle;
  logic [TLB_PORTS-1:0] look_valid, found_valid;
  look_t [TLB_PORTS-1:0] look;
  found_t [TLB_PORTS-1:0] found;
  itlb_look_t page;
  logic [1:0] ifound_valid, miss_valid, miss_ready, walk_valid;
  ifound_t [1:0] ifound;
  miss_t [1:0] miss;
  walk_t [1:0] walk;
  walked_t walked;
  logic [1:0] treq_valid;
  translate_req_t [1:0] treq;
  logic trsp_valid;
  translate_rsp_t trsp;
  logic [TLB_MSHRS-1:0] closed;
  mem_req_t ptw_mem;
  logic tlb_done, itlb_done, ptw_done, lsu_done;
  logic missed_valid, page_out_valid;
  miss_t missed;
  page_out_t page_out;
  logic [TLB_PORTS-1:0] touch_valid;
  page_touch_t [TLB_PORTS-1:0] touch;
  logic kept_valid;
  tlb_entry_t kept;
  // warp_locality, and what l1d tells it
  warp_mask_t mem_eligible;
  logic line_valid;
  line_event_t line;
  // mem_arb
  logic l1i_mrsp_valid, l1d_mrsp_valid, ptw_mrsp_valid, mem_idle;
  mem_rsp_t l1i_mrsp, l1d_mrsp, ptw_mrsp;
  // status
  logic halt;
  // events
  ev_core_t ev;

  // ---- front end --------------------------------------------------------------------------------------------------------
  fetch u_fetch (
      .clk_i, .rst_i,
      .redirect_valid_i(redirect_valid), .redirect_i(redirect),
      .req_valid_o(fetch_req_valid), .req_o(fetch_req), .req_ready_i(fetch_req_ready),
      .rsp_valid_i(fetch_rsp_valid), .rsp_i(fetch_rsp), .wake_i(wake),
      .push_valid_o(push_valid), .push_o(push),
      .pop_valid_i(pop_valid), .pop_i(pop),
      .kernel_i, .root_i, .halt_i(halt), .ev_o(ev.fetch)
  );
  l1i u_l1i (
      .clk_i, .rst_i,
      .req_valid_i(fetch_req_valid), .req_i(fetch_req), .req_ready_o(fetch_req_ready),
      .rsp_valid_o(fetch_rsp_valid), .rsp_o(fetch_rsp), .wake_o(wake),
      .inval_i(kernel_start_i), .inv_valid_i, .root_i,
      .pf_valid_o(pf_valid_o[1]), .pf_o(pf_o[1]), .pf_ready_i(pf_ready_i[1]),
      .resume_valid_i(fetch_resume_valid_i), .resume_fill_i(resume_i[0]), .resume_deny_i(deny_i),
      .look_valid_o(page_valid), .look_o(page), .found_valid_i(ifound_valid), .found_i(ifound),
      .mem_req_valid_o(l1i_mem_valid), .mem_req_o(l1i_mem), .mem_req_ready_i(l1i_mem_ready),
      .mem_rsp_valid_i(l1i_mrsp_valid), .mem_rsp_i(l1i_mrsp), .ev_o(ev.l1i)
  );
  issue u_issue (
      .clk_i, .rst_i,
      .push_valid_i(push_valid), .push_i(push), .pop_valid_o(pop_valid), .pop_o(pop),
      .redirect_valid_i(redirect_valid), .redirect_i(redirect),
      .issue_valid_o(issue_valid), .issue_o(issue_s),
      .wb_valid_i(wb_valid), .wb_i(wb), .credit_i(credit), .lsu_credit_i(lsu_credit), .wb_hold_i(wb_hold),
      .bar_release_valid_i(release_valid), .bar_release_i(release_s),
      .mem_eligible_i(mem_eligible), .policy_i, .halt_i(halt), .idle_o(issue_idle), .ev_o(ev.issue)
  );
  simt u_simt (
      .clk_i, .rst_i,
      .start_valid_i(start_valid), .start_i(start),
      .cf_valid_i(cf_valid), .cf_i(cf), .issue_valid_i(issue_valid), .issue_i(issue_s),
      .tw_valid_i(reconv_valid_i), .tw_i(reconv_i),
      .redirect_valid_o(redirect_valid), .redirect_o(redirect),
      .warp_done_valid_o(warp_done_valid), .warp_done_o(warp_done),
      .arrive_valid_o(arrive_valid), .arrive_o(arrive),
      .fault_valid_o(simt_fault_valid), .fault_o(simt_fault),
      .grouped_i(grouped), .nested_i(nested), .meet_valid_o(meet_valid), .meet_o(meet), .go_valid_i(go_valid), .go_i(go), .go_ready_o(go_ready),
      .halt_i(halt), .ev_o(ev.simt)
  );
  // threads of warps
  if (COMPACTION == COMPACTION_BLOCK) begin : g_compactor
    compactor u_compactor (
        .clk_i, .rst_i, .policy_i(policy_i.compaction), .common_i(common),
        .start_valid_i(start_valid), .start_i(start), .meet_valid_i(meet_valid), .meet_i(meet),
        .release_valid_i(release_valid), .release_i(release_s),
        .issue_valid_i(issue_valid), .issue_i(issue_s), .wb_valid_i(wb_valid), .wb_i(wb), .rows_i(rows),
        .go_valid_o(go_valid), .go_o(go), .go_ready_i(go_ready),
        .homes_o(homes), .grouped_o(grouped), .nested_o(nested), .formed_valid_o(formed_valid), .formed_o(formed), .ev_o(ev.compactor)
    );
  end else begin : g_launched
    assign go_valid = 1'b0;
    assign go = '0;
    assign homes = '0;
    assign grouped = '0;
    assign nested = '0;
    assign formed_valid = 1'b0;
    assign formed = '0;
    assign ev.compactor = '0;
  end
  // which warps touch the same pages
  if (CPM_BITS > 0) begin : g_common_page
    common_page u_common_page (
        .clk_i, .rst_i, .mode_i(policy_i.compaction), .policy_i(policy_i.cpm), .start_valid_i(start_valid), .start_i(start),
        .formed_valid_i(formed_valid), .formed_i(formed), .touch_valid_i(touch_valid), .touch_i(touch),
        .kept_valid_i(kept_valid), .kept_i(kept), .common_o(common), .ev_o(ev.common_page)
    );
  end else begin : g_apart
    assign common = '0;
    assign ev.common_page = '0;
  end
  // which warps may issue memory instructions
  if (LOCALITY_ENTRIES > 0) begin : g_locality
    warp_locality u_warp_locality (
        .clk_i, .rst_i, .policy_i(policy_i.locality),
        .start_valid_i(start_valid), .start_i(start), .warp_done_valid_i(warp_done_valid), .warp_done_i(warp_done),
        .issue_valid_i(issue_valid), .issue_i(issue_s), .line_valid_i(line_valid), .line_i(line),
        .touch_valid_i(touch_valid), .touch_i(touch), .missed_valid_i(missed_valid), .missed_i(missed),
        .page_out_valid_i(page_out_valid), .page_out_i(page_out), .eligible_o(mem_eligible), .ev_o(ev.warp_locality)
    );
  end else begin : g_all
    assign mem_eligible = '1;
    assign ev.warp_locality = '0;
  end
  // ---- operands and pipes -----------------------------------------------------------------------------------------------
  regfile u_regfile (
      .clk_i, .rst_i, .core_i, .kernel_i, .homes_i(homes),
      .issue_valid_i(issue_valid), .issue_i(issue_s),
      .start_valid_i(start_valid), .start_i(start), .lids_valid_i(lids_valid), .lids_i(lids),
      .alu_res_valid_i(alu_res_valid), .alu_res_i(alu_res),
      .mul_res_valid_i(mul_res_valid), .mul_res_i(mul_res),
      .div_res_valid_i(div_res_valid), .div_res_i(div_res),
      .fpu_res_valid_i(fpu_res_valid), .fpu_res_i(fpu_res),
      .fdiv_res_valid_i(fdiv_res_valid), .fdiv_res_i(fdiv_res),
      .lsu_res_valid_i(lsu_res_valid), .lsu_res_i(lsu_res), .lsu_res_ready_o(lsu_res_ready),
      .ops_valid_o(ops_valid), .ops_o(ops), .wb_valid_o(wb_valid), .wb_o(wb),
      .credit_o(credit), .wb_hold_o(wb_hold), .ev_o(ev.regfile)
  );
  alu u_alu (
      .clk_i, .rst_i, .ops_valid_i(ops_valid), .ops_i(ops),
      .alu_res_valid_o(alu_res_valid), .alu_res_o(alu_res), .cf_valid_o(cf_valid), .cf_o(cf), .ev_o(ev.alu)
  );
  mul u_mul (
      .clk_i, .rst_i, .ops_valid_i(ops_valid), .ops_i(ops),
      .mul_res_valid_o(mul_res_valid), .mul_res_o(mul_res), .ev_o(ev.mul)
  );
  idiv u_idiv (
      .clk_i, .rst_i, .ops_valid_i(ops_valid), .ops_i(ops),
      .div_res_valid_o(div_res_valid), .div_res_o(div_res), .ev_o(ev.idiv)
  );
  fpu u_fpu (
      .clk_i, .rst_i, .homes_i(homes), .ops_valid_i(ops_valid), .ops_i(ops), .start_valid_i(start_valid), .start_i(start),
      .fdiv_flags_valid_i(fdiv_flags_valid), .fdiv_flags_i(fdiv_flags),
      .fpu_res_valid_o(fpu_res_valid), .fpu_res_o(fpu_res), .frm_valid_o(frm_valid), .frm_o(frm),
      .fault_valid_o(fpu_fault_valid), .fault_o(fpu_fault), .ev_o(ev.fpu)
  );
  fdiv u_fdiv (
      .clk_i, .rst_i, .homes_i(homes), .ops_valid_i(ops_valid), .ops_i(ops), .start_valid_i(start_valid), .start_i(start),
      .frm_valid_i(frm_valid), .frm_i(frm),
      .fdiv_res_valid_o(fdiv_res_valid), .fdiv_res_o(fdiv_res),
      .fdiv_flags_valid_o(fdiv_flags_valid), .fdiv_flags_o(fdiv_flags), .ev_o(ev.fdiv)
  );
  // ---- workgroups -------------------------------------------------------------------------------------------------------
  launch u_launch (
      .clk_i, .rst_i, .kernel_i, .kernel_start_i, .halt_i(halt),
      .group_valid_i, .group_i, .group_ready_o,
      .warp_done_valid_i(warp_done_valid), .warp_done_i(warp_done),
      .lids_valid_o(lids_valid), .lids_o(lids), .start_valid_o(start_valid), .start_o(start),
      .group_done_o, .idle_o(launch_idle), .ev_o(ev.launch)
  );
  barrier u_barrier (
      .clk_i, .rst_i,
      .start_valid_i(start_valid), .start_i(start),
      .arrive_valid_i(arrive_valid), .arrive_i(arrive),
      .warp_done_valid_i(warp_done_valid), .warp_done_i(warp_done), .unsent_i(unsent),
      .release_valid_o(release_valid), .release_o(release_s),
      .fault_valid_o(barrier_fault_valid), .fault_o(barrier_fault), .ev_o(ev.barrier)
  );
  // ---- memory -----------------------------------------------------------------------------------------------------------
  lsu u_lsu (
      .clk_i, .rst_i, .core_i, .homes_i(homes), .rows_o(rows), .kernel_i, .root_i, .mode_i(tlb_mode_i), .halt_i(halt),
      .ops_valid_i(ops_valid), .ops_i(ops), .start_valid_i(start_valid), .start_i(start), .credit_o(lsu_credit),
      .look_valid_o(look_valid), .look_o(look), .look_ready_i(look_ready), .found_valid_i(found_valid), .found_i(found), .early_o(early),
      .miss_valid_o(miss_valid[0]), .miss_o(miss[0]), .miss_ready_i(miss_ready[0]), .walk_valid_i(walk_valid[0]), .walk_i(walk[0]),
      .walked_valid_i(walked_valid), .walked_i(walked), .pf_valid_o(pf_valid_o[0]), .pf_o(pf_o[0]), .pf_ready_i(pf_ready_i[0]), .resume_valid_i, .resume_i,
      .inv_valid_i, .inv_i, .inv_done_o(lsu_done),
      .l1d_req_valid_o(l1d_req_valid), .l1d_req_o(l1d_req), .l1d_req_ready_i(l1d_req_ready),
      .l1d_rsp_valid_i(l1d_rsp_valid), .l1d_rsp_i(l1d_rsp), .l1d_rsp_ready_o(l1d_rsp_ready),
      .l1d_ack_i(l1d_ack),
      .spad_req_valid_o(spad_req_valid), .spad_req_o(spad_req), .spad_req_ready_i(spad_req_ready),
      .spad_rsp_valid_i(spad_rsp_valid), .spad_rsp_i(spad_rsp), .spad_rsp_ready_o(spad_rsp_ready),
      .lsu_res_valid_o(lsu_res_valid), .lsu_res_o(lsu_res), .lsu_res_ready_i(lsu_res_ready),
      .fault_valid_o(lsu_fault_valid), .fault_o(lsu_fault), .unsent_o(unsent),
      .trace_valid_o(memtrace_valid), .trace_o(memtrace), .sent_valid_o(trace_sent_valid_o), .sent_o(trace_sent_o), .idle_o(lsu_idle), .ev_o(ev.lsu)
  );
  spad u_spad (
      .clk_i, .rst_i,
      .spad_req_valid_i(spad_req_valid), .spad_req_i(spad_req), .spad_req_ready_o(spad_req_ready),
      .spad_rsp_valid_o(spad_rsp_valid), .spad_rsp_o(spad_rsp), .spad_rsp_ready_i(spad_rsp_ready), .ev_o(ev.spad)
  );
  l1d u_l1d (
      .clk_i, .rst_i, .inval_i(kernel_start_i), .prefetch_i(policy_i.prefetch),
      .l1d_req_valid_i(l1d_req_valid), .l1d_req_i(l1d_req), .l1d_req_ready_o(l1d_req_ready), .early_i(early), .found_i(found[0]),
      .l1d_rsp_valid_o(l1d_rsp_valid), .l1d_rsp_o(l1d_rsp), .l1d_rsp_ready_i(l1d_rsp_ready),
      .l1d_ack_o(l1d_ack), .line_valid_o(line_valid), .line_o(line),
      .mem_req_valid_o(l1d_mem_valid), .mem_req_o(l1d_mem), .mem_req_ready_i(l1d_mem_ready),
      .mem_rsp_valid_i(l1d_mrsp_valid), .mem_rsp_i(l1d_mrsp), .idle_o(l1d_idle), .ev_o(ev.l1d)
  );
  // ---- translation ------------------------------------------------------------------------------------------------------
  tlb u_tlb (
      .clk_i, .rst_i, .policy_i, .look_valid_i(look_valid), .look_i(look), .asid_i(root_i.asid), .look_ready_o(look_ready),
      .found_valid_o(found_valid), .found_o(found), .fill_valid_i(walked_valid), .fill_i(walked),
      .touch_valid_o(touch_valid), .touch_o(touch), .kept_valid_o(kept_valid), .kept_o(kept), .page_out_valid_o(page_out_valid), .page_out_o(page_out),
      .inv_valid_i, .inv_i, .inv_done_o(tlb_done), .ev_o(ev.tlb)
  );
  itlb u_itlb (
      .clk_i, .rst_i, .asid_i(root_i.asid), .look_valid_i(page_valid), .look_i(page), .found_valid_o(ifound_valid), .found_o(ifound),
      .miss_valid_o(miss_valid[1]), .miss_o(miss[1]), .miss_ready_i(miss_ready[1]), .walk_valid_i(walk_valid[1]), .walk_i(walk[1]),
      .walked_valid_i(walked_valid), .walked_i(walked), .inv_valid_i, .inv_i, .inv_done_o(itlb_done), .idle_o(itlb_idle), .ev_o(ev.itlb)
  );
  tlb_mshr u_tlb_mshr (
      .clk_i, .rst_i, .core_i, .asid_i(root_i.asid), .idle_o(tlb_mshr_idle),
      .miss_valid_i(miss_valid), .miss_i(miss), .miss_ready_o(miss_ready), .walk_valid_o(walk_valid), .walk_o(walk),
      .walked_valid_o(walked_valid), .walked_o(walked), .missed_valid_o(missed_valid), .missed_o(missed),
      .req_valid_o(treq_valid), .req_o(treq), .rsp_valid_i(trsp_valid), .rsp_i(trsp), .closed_i(closed),
      .stalled_valid_o, .stalled_o, .inv_valid_i, .inv_i, .ev_o(ev.tlb_mshr)
  );
  // ---- the translate seam: its occupant (docs/translate-seam.md) -----------------------------------------------------------
  if (TRANSLATION == TRANSLATION_CORE) begin : g_walker
    ptw u_ptw (
        .clk_i, .rst_i, .root_i, .policy_i(walk_policy_i),
        .window_i(window_of(kernel_i)),
        .idle_o(ptw_idle), .req_valid_i(treq_valid), .req_i(treq), .rsp_valid_o(trsp_valid), .rsp_o(trsp), .closed_o(closed),
        .mem_req_valid_o(ptw_mem_valid), .mem_req_o(ptw_mem), .mem_req_ready_i(ptw_mem_ready),
        .mem_rsp_valid_i(ptw_mrsp_valid), .mem_rsp_i(ptw_mrsp), .inv_valid_i, .inv_i, .inv_done_o(ptw_done), .ev_o(ev.ptw)
    );
    assign ask_valid_o = 1'b0;
    assign ask_o = '0;
    assign ev.seam_port = '0;
  end else if (TRANSLATION == TRANSLATION_SHARED) begin : g_seam
    seam_port u_seam_port (
        .clk_i, .rst_i, .idle_o(ptw_idle), .req_valid_i(treq_valid), .req_i(treq), .rsp_valid_o(trsp_valid), .rsp_o(trsp), .closed_o(closed),
        .ask_valid_o, .ask_o, .ask_ready_i, .ans_valid_i, .ans_i, .inv_valid_i, .inv_i, .ev_o(ev.seam_port)
    );
    assign ptw_mem_valid = 1'b0;
    assign ptw_mem = '0;
    assign ptw_done = l2_tlb_done_i;
    assign ev.ptw = '0;
  end else $error("no occupant of the translate seam of this kind");
  mem_arb u_mem_arb (
      .clk_i, .rst_i, .asid_i(root_i.asid),
      .ptw_req_valid_i(ptw_mem_valid), .ptw_req_i(ptw_mem), .ptw_req_ready_o(ptw_mem_ready),
      .ptw_rsp_valid_o(ptw_mrsp_valid), .ptw_rsp_o(ptw_mrsp),
      .l1i_req_valid_i(l1i_mem_valid), .l1i_req_i(l1i_mem), .l1i_req_ready_o(l1i_mem_ready),
      .l1d_req_valid_i(l1d_mem_valid), .l1d_req_i(l1d_mem), .l1d_req_ready_o(l1d_mem_ready),
      .mem_req_valid_o, .mem_req_o, .mem_req_ready_i, .mem_rsp_valid_i, .mem_rsp_i,
      .l1i_rsp_valid_o(l1i_mrsp_valid), .l1i_rsp_o(l1i_mrsp), .l1d_rsp_valid_o(l1d_mrsp_valid), .l1d_rsp_o(l1d_mrsp),
      .idle_o(mem_idle), .ev_o(ev.mem_arb)
  );
  // ---- faults, counters -------------------------------------------------------------------------------------------------
  status u_status (
      .clk_i, .rst_i,
      .simt_fault_valid_i(simt_fault_valid), .simt_fault_i(simt_fault),
      .lsu_fault_valid_i(lsu_fault_valid), .lsu_fault_i(lsu_fault),
      .barrier_fault_valid_i(barrier_fault_valid), .barrier_fault_i(barrier_fault),
      .fpu_fault_valid_i(fpu_fault_valid), .fpu_fault_i(fpu_fault),
      .halt_all_i, .issue_idle_i(issue_idle), .launch_idle_i(launch_idle), .lsu_idle_i(lsu_idle), .l1d_idle_i(l1d_idle),
      .mem_idle_i(mem_idle), .itlb_idle_i(itlb_idle), .tlb_mshr_idle_i(tlb_mshr_idle), .ptw_idle_i(ptw_idle),
      .inv_valid_i, .tlb_done_i(tlb_done), .itlb_done_i(itlb_done), .ptw_done_i(ptw_done), .lsu_done_i(lsu_done), .inv_done_o,
      .halt_o(halt), .faulted_o, .fault_o, .quiet_o, .ev_o(ev.status)
  );
  perf u_perf (
      .clk_i, .rst_i, .ev_i(ev), .number_i(8'(core_i)), .clear_i(kernel_start_i), .rd_unit_i(perf_unit_i), .rd_idx_i(perf_idx_i), .rd_data_o(perf_data_o)
  );

  assign trace_start_valid_o = start_valid;
  assign trace_start_o = start;
  assign trace_redirect_valid_o = redirect_valid;
  assign trace_redirect_o = redirect;
  assign trace_push_valid_o = push_valid;
  assign trace_push_o = push;
  assign trace_issue_valid_o = issue_valid;
  assign trace_issue_o = issue_s;
  assign trace_wb_valid_o = wb_valid;
  assign trace_wb_o = wb;
  assign trace_mem_valid_o = memtrace_valid;
  assign trace_mem_o = memtrace;
  assign trace_formed_valid_o = formed_valid;
  assign trace_formed_o = formed;
endmodule
