// The compute side: cores, dispatcher and control port, and the nets between them, no logic. Page: docs/blocks/compute.md.
module compute
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, memside_pkg::*, coherence_pkg::*, top_pkg::*, perf_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  rst_i,
    // host
    input  logic                  ctl_req_valid_i,
    input  ctl_req_t              ctl_req_i,
    output logic                  ctl_req_ready_o,
    output logic                  ctl_rsp_valid_o,
    output ctl_rsp_t              ctl_rsp_o,
    input  logic                  ctl_rsp_ready_i,
    output logic [KERNELS-1:0]    running_o,
    output logic                  attention_o,
    // memory side: control
    output mem_ctl_t                        mem_ctl_o,
    output logic                            epoch_o,
    output logic                            maint_valid_o,
    output maint_t                          maint_o,
    input  logic [SLICES-1:0]               maint_done_i,
    input  logic [SLICES-1:0]               slice_idle_i,
    input  logic [MEM_CHANNELS-1:0]         sched_idle_i,
    input  logic [MEM_CHANNELS-1:0]         dram_idle_i,
    input  ev_l2_t [SLICES-1:0]             ev_l2_i,
    output logic                            perf_clear_o,
    output logic [10:0]                     perf_unit_o,
    output logic [7:0]                      perf_idx_o,
    input  logic [COUNTER_W-1:0]            perf_data_i,
    // ... and one port a core, with translation = shared one for the walker behind them
    output logic [HOST_SOURCE-1:0]     mem_req_valid_o,
    output mem_req_t [HOST_SOURCE-1:0] mem_req_o,
    output logic [HOST_SOURCE-1:0]     mem_bypass_o,
    input  logic [HOST_SOURCE-1:0]     mem_req_ready_i,
    input  logic [HOST_SOURCE-1:0]     mem_rsp_valid_i,
    input  mem_rsp_t [HOST_SOURCE-1:0] mem_rsp_i,
    // trace, one of each a core
    output logic [CORES-1:0]      trace_start_valid_o,
    output start_t [CORES-1:0]    trace_start_o,
    output logic [CORES-1:0]      trace_redirect_valid_o,
    output redirect_t [CORES-1:0] trace_redirect_o,
    output logic [CORES-1:0]      trace_push_valid_o,
    output push_t [CORES-1:0]     trace_push_o,
    output logic [CORES-1:0]      trace_issue_valid_o,
    output issued_t [CORES-1:0]    trace_issue_o,
    output logic [CORES-1:0]      trace_wb_valid_o,
    output wb_t [CORES-1:0]       trace_wb_o,
    output logic [CORES-1:0]      trace_mem_valid_o,
    output memtrace_t [CORES-1:0] trace_mem_o,
    output logic [CORES-1:0]      trace_sent_valid_o,
    output sent_t [CORES-1:0]     trace_sent_o,
    output logic [CORES-1:0]      trace_formed_valid_o,
    output formed_t [CORES-1:0]   trace_formed_o
);
  vl_cfg_check u_cfg_check ();

  kernel_t [KERNELS-1:0] kernel;
  kernel_t [CORES-1:0] core_kernel;
  kslot_t [CORES-1:0] owner;
  policy_t policy;
  logic [KERNELS-1:0] kernel_start, kernel_rst, halt, dispatch_done;
  logic [CORES-1:0] core_start, core_rst, core_halt, core_running, reconv_valid;
  reconv_write_t reconv;
  logic [10:0] perf_unit;
  logic [7:0] perf_idx;
  logic perf_clear;
  logic [COUNTER_W-1:0] shared_perf, perf_data;
  logic [CORES-1:0][COUNTER_W-1:0] core_perf;
  logic [CORES-1:0] faulted, quiet, group_valid, group_ready, group_done;
  fault_t [CORES-1:0] fault;
  group_t [CORES-1:0] group;
  logic vm_reg_valid, vm_rsp_valid, inv_valid;
  vm_reg_t vm_reg;
  logic [63:0] vm_rsp;
  root_t [CORES-1:0] root;
  tlb_mode_e tlb_mode;
  walk_policy_t walk_policy;
  shared_policy_t shared_policy;
  inv_t inv;
  logic [CORES-1:0] inv_core, inv_core_valid, inv_done, resume_valid, fetch_resume_valid;
  logic [FAULTERS-1:0] pf_valid, pf_ready;
  page_fault_t [FAULTERS-1:0] pf;
  warp_t resume;
  logic deny;
  logic [CORES-1:0] ask_valid, ask_ready, ans_valid;
  translate_req_t [CORES-1:0] ask;
  translate_rsp_t [CORES-1:0] ans;
  logic l2_tlb_done;
  mem_ctl_t mem_ctl;
  logic epoch;
  logic [31:0] epoch_cycles;
  logic [CORES-1:0] stalled_valid;
  stalled_t [CORES-1:0] stalled;

  assign perf_unit_o = perf_unit;
  assign perf_idx_o = perf_idx;
  assign perf_clear_o = perf_clear;

  ctrl u_ctrl (
      .clk_i, .rst_i, .mem_ctl_o(mem_ctl), .epoch_o(epoch), .epoch_cycles_o(epoch_cycles), .maint_valid_o, .maint_o, .maint_done_i,
      .slice_idle_i, .sched_idle_i, .dram_idle_i,
      .vm_reg_valid_o(vm_reg_valid), .vm_reg_o(vm_reg), .vm_rsp_valid_i(vm_rsp_valid), .vm_rsp_i(vm_rsp),
      .ctl_req_valid_i, .ctl_req_i, .ctl_req_ready_o, .ctl_rsp_valid_o, .ctl_rsp_o, .ctl_rsp_ready_i,
      .policy_o(policy), .perf_clear_o(perf_clear), .kernel_o(kernel), .kernel_start_o(kernel_start), .halt_o(halt), .kernel_rst_o(kernel_rst), .running_o,
      .owner_o(owner), .core_start_o(core_start), .core_halt_o(core_halt), .core_rst_o(core_rst), .core_running_o(core_running),
      .reconv_valid_o(reconv_valid), .reconv_o(reconv), .perf_unit_o(perf_unit), .perf_idx_o(perf_idx), .perf_data_i(perf_data),
      .faulted_i(faulted), .fault_i(fault), .quiet_i(quiet), .dispatch_done_i(dispatch_done)
  );
  or_words #(.N(CORES + 2), .WIDTH(COUNTER_W)) u_perf_data (.data_i({perf_data_i, shared_perf, core_perf}), .data_o(perf_data));
  vm_ctl u_vm_ctl (
      .clk_i, .rst_i, .reg_valid_i(vm_reg_valid), .reg_i(vm_reg), .reg_rsp_valid_o(vm_rsp_valid), .reg_rsp_o(vm_rsp),
      .running_i(core_running), .core_rst_i(core_rst), .quiet_i(quiet), .root_o(root), .tlb_mode_o(tlb_mode), .walk_policy_o(walk_policy), .shared_policy_o(shared_policy),
      .inv_valid_o(inv_valid), .inv_o(inv), .inv_core_valid_o(inv_core_valid), .inv_done_i(inv_done), .shared_done_i(l2_tlb_done), .pf_valid_i(pf_valid), .pf_i(pf), .pf_ready_o(pf_ready),
      .resume_valid_o(resume_valid), .resume_o(resume), .fetch_resume_valid_o(fetch_resume_valid), .deny_o(deny), .attention_o
  );
  dispatcher u_dispatcher (
      .clk_i, .rst_i, .kernel_i(kernel), .owner_i(owner), .kernel_start_i(kernel_start), .kernel_rst_i(kernel_rst), .halt_i(halt),
      .group_valid_o(group_valid), .group_o(group), .group_ready_i(group_ready), .group_done_i(group_done),
      .done_o(dispatch_done)
  );
  for (genvar c = 0; c < CORES; c++) begin : g_core
    mux #(.N(KERNELS), .WIDTH($bits(kernel_t))) u_kernel (.data_i(kernel), .sel_i(owner[c][KSLOT_W-1:0]), .data_o(core_kernel[c]));
    core u_core (
        .clk_i, .rst_i(core_rst[c]), .core_i(core_t'(c)),
        .kernel_i(core_kernel[c]), .policy_i(policy), .kernel_start_i(core_start[c]), .halt_all_i(core_halt[c]),
        .reconv_valid_i(reconv_valid[c]), .reconv_i(reconv), .perf_unit_i(perf_unit), .perf_idx_i(perf_idx), .perf_data_o(core_perf[c]),
        .faulted_o(faulted[c]), .fault_o(fault[c]), .quiet_o(quiet[c]),
        .root_i(root[c]), .tlb_mode_i(tlb_mode), .walk_policy_i(walk_policy), .inv_valid_i(inv_core[c]), .inv_i(inv), .inv_done_o(inv_done[c]),
        .pf_valid_o({pf_valid[CORES+c], pf_valid[c]}), .pf_o({pf[CORES+c], pf[c]}), .pf_ready_i({pf_ready[CORES+c], pf_ready[c]}),
        .resume_valid_i(resume_valid[c]), .resume_i(resume), .fetch_resume_valid_i(fetch_resume_valid[c]), .deny_i(deny),
        .group_valid_i(group_valid[c]), .group_i(group[c]), .group_ready_o(group_ready[c]), .group_done_o(group_done[c]),
        .mem_req_valid_o(mem_req_valid_o[c]), .mem_req_o(mem_req_o[c]), .mem_req_ready_i(mem_req_ready_i[c]),
        .mem_rsp_valid_i(mem_rsp_valid_i[c]), .mem_rsp_i(mem_rsp_i[c]),
        .ask_valid_o(ask_valid[c]), .ask_o(ask[c]), .ask_ready_i(ask_ready[c]), .ans_valid_i(ans_valid[c]), .ans_i(ans[c]), .l2_tlb_done_i(l2_tlb_done),
        .stalled_valid_o(stalled_valid[c]), .stalled_o(stalled[c]),
        .trace_start_valid_o(trace_start_valid_o[c]), .trace_start_o(trace_start_o[c]),
        .trace_redirect_valid_o(trace_redirect_valid_o[c]), .trace_redirect_o(trace_redirect_o[c]),
        .trace_push_valid_o(trace_push_valid_o[c]), .trace_push_o(trace_push_o[c]),
        .trace_issue_valid_o(trace_issue_valid_o[c]), .trace_issue_o(trace_issue_o[c]),
        .trace_wb_valid_o(trace_wb_valid_o[c]), .trace_wb_o(trace_wb_o[c]),
        .trace_mem_valid_o(trace_mem_valid_o[c]), .trace_mem_o(trace_mem_o[c]),
        .trace_sent_valid_o(trace_sent_valid_o[c]), .trace_sent_o(trace_sent_o[c]),
        .trace_formed_valid_o(trace_formed_valid_o[c]), .trace_formed_o(trace_formed_o[c])
    );
  end
  // The occupants of the cores' translate seams (docs/shared-translation.md).
  if (TRANSLATION == TRANSLATION_SHARED) begin : g_shared
    logic [L2_TLB_PORTS-1:0] req_valid, req_ready, hit_valid, hit_ready, miss_valid;
    translate_req_t [L2_TLB_PORTS-1:0] req, miss;
    translate_ans_t [L2_TLB_PORTS-1:0] hit;
    logic walked_valid, walked_ready, fill_valid, walk_req_valid, walk_rsp_valid;
    translate_ans_t walked;
    l2_fill_t fill;
    walk_req_t walk_req;
    walk_rsp_t walk_rsp;
    logic read_valid, read_ready, line_valid;
    pte_read_t read;
    mem_rsp_t line;
    window_t [KERNELS-1:0] window;
    logic [L2_TLB_PORTS-1:0] look_valid;
    l2_look_t [L2_TLB_PORTS-1:0] look;
    tokens_t [KERNELS-1:0] tokens;
    logic [KERNELS-1:0][6:0] walks;
    logic [3:0] bypass;
    ev_shared_t ev;

    ask_net u_ask_net (
        .clk_i, .rst_i, .ask_valid_i(ask_valid), .ask_i(ask), .ask_ready_o(ask_ready),
        .req_valid_o(req_valid), .req_o(req), .req_ready_i(req_ready)
    );
    l2_tlb u_l2_tlb (
        .clk_i, .rst_i, .on_i(shared_policy.l2_tlb), .owner_i(owner), .tokens_i(tokens), .look_valid_o(look_valid), .look_o(look), .req_valid_i(req_valid), .req_i(req), .req_ready_o(req_ready),
        .ans_valid_o(hit_valid), .ans_o(hit), .ans_ready_i(hit_ready), .miss_valid_o(miss_valid), .miss_o(miss),
        .fill_valid_i(fill_valid), .fill_i(fill), .inv_valid_i(inv_valid), .inv_i(inv), .inv_done_o(l2_tlb_done), .ev_o(ev.l2_tlb)
    );
    l2_tlb_mshr u_l2_tlb_mshr (
        .clk_i, .rst_i, .owner_i(owner), .miss_valid_i(miss_valid), .miss_i(miss), .fill_valid_o(fill_valid), .fill_o(fill),
        .walk_req_valid_o(walk_req_valid), .walk_req_o(walk_req), .walk_rsp_valid_i(walk_rsp_valid), .walk_rsp_i(walk_rsp),
        .ans_valid_o(walked_valid), .ans_o(walked), .ans_ready_i(walked_ready), .inv_valid_i(inv_valid), .inv_i(inv), .walks_o(walks), .ev_o(ev.l2_tlb_mshr)
    );
    for (genvar k = 0; k < KERNELS; k++) begin : g_window
      assign window[k] = window_of(kernel[k]);
    end
    walker u_walker (
        .clk_i, .rst_i, .root_i(root), .owner_i(owner), .window_i(window), .policy_i(walk_policy),
        .req_valid_i(walk_req_valid), .req_i(walk_req), .rsp_valid_o(walk_rsp_valid), .rsp_o(walk_rsp),
        .mem_req_valid_o(read_valid), .mem_req_o(read), .mem_req_ready_i(read_ready), .mem_rsp_valid_i(line_valid), .mem_rsp_i(line),
        .inv_valid_i(inv_valid), .inv_i(inv), .inv_done_o(), .ev_o(ev.walker)
    );
    walk_cache u_walk_cache (
        .clk_i, .rst_i, .on_i(shared_policy.walk_cache), .bypass_i(bypass), .req_valid_i(read_valid), .req_i(read), .req_ready_o(read_ready), .rsp_valid_o(line_valid), .rsp_o(line),
        .mem_req_valid_o(mem_req_valid_o[CORES]), .mem_req_o(mem_req_o[CORES]), .mem_bypass_o(mem_bypass_o[CORES]), .mem_req_ready_i(mem_req_ready_i[CORES]),
        .mem_rsp_valid_i(mem_rsp_valid_i[CORES]), .mem_rsp_i(mem_rsp_i[CORES]), .inv_valid_i(inv_valid), .inv_i(inv), .ev_o(ev.walk_cache)
    );
    ans_net u_ans_net (
        .clk_i, .rst_i, .hit_valid_i(hit_valid), .hit_i(hit), .hit_ready_o(hit_ready),
        .walked_valid_i(walked_valid), .walked_i(walked), .walked_ready_o(walked_ready), .ans_valid_o(ans_valid), .ans_o(ans)
    );
    fill_tokens u_fill_tokens (
        .clk_i, .rst_i, .policy_i(shared_policy.tokens), .epoch_i(epoch), .owner_i(owner), .look_valid_i(look_valid), .look_i(look), .tokens_o(tokens), .ev_o(ev.fill_tokens)
    );
    walk_bypass u_walk_bypass (
        .clk_i, .rst_i, .policy_i(shared_policy.walk_bypass), .epoch_i(epoch), .epoch_cycles_i(epoch_cycles), .l2_i(ev_l2_i), .bypass_o(bypass), .ev_o(ev.walk_bypass)
    );
    stall_count u_stall_count (
        .clk_i, .rst_i, .ctl_i(mem_ctl), .epoch_i(epoch), .root_i(root), .owner_i(owner), .walks_i(walks), .stalled_valid_i(stalled_valid), .stalled_i(stalled),
        .ctl_o(mem_ctl_o), .epoch_o
    );
    assign inv_core = inv_core_valid;
    assign mem_bypass_o[CORES-1:0] = '0;
    perf_shared u_perf_shared (.clk_i, .rst_i, .ev_i(ev), .number_i('0), .clear_i(perf_clear), .rd_unit_i(perf_unit), .rd_idx_i(perf_idx), .rd_data_o(shared_perf));
  end else begin : g_core_alone
    assign ask_ready = '0;
    assign ans_valid = '0;
    assign ans = '0;
    assign l2_tlb_done = 1'b0;
    for (genvar c = 0; c < CORES; c++) begin : g_inv
      assign inv_core[c] = inv_valid;
    end
    assign mem_ctl_o = mem_ctl;
    assign epoch_o = epoch;
    assign mem_bypass_o = '0;
    assign shared_perf = '0;
  end
endmodule
