// The control port: registers that give cores to kernels, start these, report their outcome, and control the memory side.
// Page: docs/blocks/ctrl.md (register map, steps 1-8). Reads answer one cycle after they are taken.
module ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, memside_pkg::*, coherence_pkg::*, top_pkg::*, perf_pkg::*, regs_pkg::*;
(
    input  logic                            clk_i,
    input  logic                            rst_i,
    // host
    input  logic                            ctl_req_valid_i,
    input  ctl_req_t                        ctl_req_i,
    output logic                            ctl_req_ready_o,
    output logic                            ctl_rsp_valid_o,
    output ctl_rsp_t                        ctl_rsp_o,
    input  logic                            ctl_rsp_ready_i,
    // to all blocks
    output policy_t                         policy_o,
    output logic                            perf_clear_o,
    // of each kernel slot
    output kernel_t [KERNELS-1:0]           kernel_o,
    output logic [KERNELS-1:0]              kernel_start_o,
    output logic [KERNELS-1:0]              halt_o,
    output logic [KERNELS-1:0]              kernel_rst_o,
    output logic [KERNELS-1:0]              running_o,
    // of each core: its slot, and the values of that slot
    output kslot_t [CORES-1:0]              owner_o,
    output logic [CORES-1:0]                core_start_o,
    output logic [CORES-1:0]                core_halt_o,
    output logic [CORES-1:0]                core_rst_o,
    output logic [CORES-1:0]                core_running_o,
    output logic [CORES-1:0]                reconv_valid_o,
    output reconv_write_t                   reconv_o,
    // the selected counter, and its value
    output logic [10:0]                     perf_unit_o,
    output logic [7:0]                      perf_idx_o,
    input  logic [COUNTER_W-1:0]            perf_data_i,
    // from the cores and the dispatcher
    input  logic [CORES-1:0]                faulted_i,
    input  fault_t [CORES-1:0]              fault_i,
    input  logic [CORES-1:0]                quiet_i,
    input  logic [KERNELS-1:0]              dispatch_done_i,
    // vm_ctl
    output logic                            vm_reg_valid_o,
    output vm_reg_t                         vm_reg_o,
    input  logic                            vm_rsp_valid_i,
    input  logic [63:0]                     vm_rsp_i,
    // memory side
    output mem_ctl_t                        mem_ctl_o,
    output logic                            epoch_o,
    output logic [31:0]                     epoch_cycles_o,
    output logic                            maint_valid_o,
    output maint_t                          maint_o,
    input  logic [SLICES-1:0]               maint_done_i,
    input  logic [SLICES-1:0]               slice_idle_i,
    input  logic [MEM_CHANNELS-1:0]         sched_idle_i,
    input  logic [MEM_CHANNELS-1:0]         dram_idle_i
);
  // The registers that keep the written value.
  reg_policy_t policy_q;
  reg_locality_t locality_q;
  reg_locality_cutoff_t cutoff_q;
  reg_perf_sel_t perf_sel_q;
  reg_sched_t sched_q;
  reg_quota_t quota_q;
  reg_app_asids_t app_asids_q;
  reg_quota_in_t quota_in_q;
  reg_page_policy_t page_q;
  reg_home_policy_t home_q;
  reg_epoch_t period_q;

  logic [COUNTER_W-1:0] perf_q;                             // its own register: the way from the units ends here
  logic rsp_valid_q, perf_clear_q;
  logic [CORES-1:0] reconv_valid_q;
  logic [1:0] wait_q;
  kslot_t [CORES-1:0] owner_q;
  ctl_rsp_t rsp_q;
  reconv_write_t reconv_q;
  logic epoch_q, maint_valid_q;
  logic [31:0] left_q;
  maint_t maint_q;
  logic [SLICES-1:0] pending_q;
  logic vm_valid_q, vm_wait_q;
  vm_reg_t vm_q;

  // The slot and the register that are asked for.
  logic [3:0] base;
  reg_addr_t addr;
  logic beyond, go, far, take, write;
  assign base = reg_slot(ctl_req_i.addr);
  assign addr = reg_in_slot(ctl_req_i.addr);
  assign beyond = addr >= REG_FIRST_VM_CTL;
  assign go = ctl_req_valid_i && ctl_req_ready_o;
  assign far = base == 4'd0 && beyond;
  assign take = go && !far;
  assign write = take && ctl_req_i.write;

  logic [KERNELS-1:0] asked, begins, stopping, free;
  logic [KERNELS-1:0][CORES-1:0] cores;
  logic [KERNELS-1:0][63:0] slot_rdata;
  pc_t [KERNELS-1:0] reconv_pc;
  for (genvar k = 0; k < KERNELS; k++) begin : g_kernel
    assign asked[k] = base == 4'(k) && !beyond;
    assign free[k] = !running_o[k] && !stopping[k];
    for (genvar c = 0; c < CORES; c++) begin : g_core
      assign cores[k][c] = owner_q[c] == kslot_t'(k);
    end
    kernel_ctl u_kernel (
        .clk_i, .rst_i, .write_i(write && asked[k]), .addr_i(addr), .data_i(ctl_req_i.data), .rdata_o(slot_rdata[k]),
        .cores_i(cores[k]), .faulted_i, .quiet_i, .dispatch_done_i(dispatch_done_i[k]),
        .kernel_o(kernel_o[k]), .begins_o(begins[k]), .start_o(kernel_start_o[k]), .halt_o(halt_o[k]), .rst_o(kernel_rst_o[k]),
        .running_o(running_o[k]), .stopping_o(stopping[k]), .reconv_pc_o(reconv_pc[k])
    );
  end

  // step 1
  assign policy_o = policy_of(policy_q, locality_q, cutoff_q);
  assign mem_ctl_o = mem_ctl_of(sched_q, quota_q, app_asids_q, quota_in_q, page_q, home_q);
  assign perf_clear_o = perf_clear_q;
  assign owner_o = owner_q;
  for (genvar c = 0; c < CORES; c++) begin : g_owned
    assign core_start_o[c] = kernel_start_o[owner_q[c][KSLOT_W-1:0]];
    assign core_halt_o[c] = halt_o[owner_q[c][KSLOT_W-1:0]];
    assign core_rst_o[c] = kernel_rst_o[owner_q[c][KSLOT_W-1:0]];
    assign core_running_o[c] = running_o[owner_q[c][KSLOT_W-1:0]];
  end
  assign ctl_req_ready_o = (wait_q == 2'd0) && !rsp_valid_q && !vm_wait_q;
  assign ctl_rsp_valid_o = rsp_valid_q;
  assign ctl_rsp_o = rsp_q;
  assign reconv_valid_o = reconv_valid_q;
  assign reconv_o = reconv_q;
  assign perf_unit_o = {perf_sel_q.kind, perf_sel_q.unit};
  assign perf_idx_o = perf_sel_q.counter;
  assign epoch_o = epoch_q;
  assign epoch_cycles_o = period_q.cycles;
  assign maint_valid_o = maint_valid_q;
  assign maint_o = maint_q;
  assign vm_reg_valid_o = vm_valid_q;
  assign vm_reg_o = vm_q;

  // The selected slot: its cores, its branch pc, and its faulting core with the lowest number.
  logic [CORES-1:0] mine;
  pc_t branch;
  kslot_t number;
  logic [63:0] kernel_rdata;
  logic fault_there;
  always_comb begin
    mine = '0;
    branch = '0;
    number = '0;
    kernel_rdata = '0;
    for (int unsigned k = 0; k < KERNELS; k++)
      if (asked[k]) begin
        mine |= cores[k];
        number |= kslot_t'(k);
        branch |= reconv_pc[k];
        kernel_rdata |= slot_rdata[k];
      end
  end
  assign fault_there = (faulted_i & mine) != '0;
  fault_t fault;
  logic [7:0] fault_core;
  always_comb begin
    fault = '0;
    fault_core = '0;
    for (int unsigned c = CORES; c > 0; c--) begin
      if (faulted_i[c-1] && mine[c-1]) begin
        fault = fault_i[c-1];
        fault_core = 8'(c - 1);
      end
    end
  end

  logic [63:0] rdata;
  always_comb begin
    rdata = kernel_rdata;
    if (asked != '0)
      case (addr)
        REG_FAULT_CAUSE: if (fault_there) rdata = reg_fault_cause_t'{cause: fault.cause, core: fault_core, warp: 8'(fault.warp), default: '0};
        REG_FAULT_VALUE: rdata = fault.value;
        REG_FAULT_PC: rdata = reg_fault_pc_t'{pc: fault.pc, default: '0};
        REG_FAULT_MASK: rdata = 64'(fault.mask);
        default: ;
      endcase
    if (base == 4'd0)
      case (addr)
        REG_ID: rdata = RESET_ID;
        REG_STATUS:
        rdata = reg_status_t'{running: |running_o, fault: |faulted_i, maint: |pending_q, stopping: |stopping,
                              rest: (&slice_idle_i) && (&sched_idle_i) && (&dram_idle_i), default: '0};
        REG_POLICY: rdata = policy_q;
        REG_LOCALITY: rdata = locality_q;
        REG_LOCALITY_CUTOFF: rdata = cutoff_q;
        REG_PERF_SEL: rdata = perf_sel_q;
        REG_PERF_DATA: rdata = reg_perf_data_t'{count: perf_q, default: '0};
        REG_SCHED: rdata = sched_q;
        REG_QUOTA: rdata = quota_q;
        REG_APP_ASIDS: rdata = app_asids_q;
        REG_QUOTA_IN: rdata = quota_in_q;
        REG_EPOCH: rdata = period_q;
        REG_PAGE_POLICY: rdata = page_q;
        REG_HOME_POLICY: rdata = home_q;
        REG_MAINT: rdata = reg_maint_read_t'{busy: |pending_q, default: '0};
        default: ;
      endcase
  end

  // Written values, for the registers that are not simply kept.
  logic [63:0] wdata;
  reg_cores_t cores_w;
  reg_reconv_target_t reconv_w;
  reg_maint_t maint_w;
  reg_epoch_t epoch_w;
  assign wdata = ctl_req_i.data;
  assign cores_w = wdata;
  assign reconv_w = wdata;
  assign maint_w = wdata;
  assign epoch_w = wdata;

  // step 8: maint_e knows FLUSH and INVAL, each of a LINE, a PAGE, ALL
  logic maint_ok, maint_all;
  assign maint_ok = maint_w.op inside {L2_FLUSH_LINE, L2_FLUSH_PAGE, L2_FLUSH_ALL, L2_INVAL_LINE, L2_INVAL_PAGE, L2_INVAL_ALL};
  assign maint_all = maint_w.op inside {L2_FLUSH_ALL, L2_INVAL_ALL};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      policy_q <= RESET_POLICY;
      locality_q <= RESET_LOCALITY;
      cutoff_q <= RESET_LOCALITY_CUTOFF;
      perf_sel_q <= RESET_PERF_SEL;
      sched_q <= RESET_SCHED;
      quota_q <= RESET_QUOTA;
      app_asids_q <= RESET_APP_ASIDS;
      quota_in_q <= RESET_QUOTA_IN;
      page_q <= RESET_PAGE_POLICY;
      home_q <= RESET_HOME_POLICY;
      period_q <= RESET_EPOCH;
      perf_q <= '0;
      rsp_valid_q <= 1'b0;
      rsp_q <= '0;
      reconv_valid_q <= '0;
      perf_clear_q <= 1'b0;
      owner_q <= '0;
      reconv_q <= '0;
      wait_q <= 2'd0;
      epoch_q <= 1'b0;
      left_q <= '0;
      maint_valid_q <= 1'b0;
      maint_q <= '0;
      pending_q <= '0;
      vm_valid_q <= 1'b0;
      vm_wait_q <= 1'b0;
      vm_q <= '0;
    end else begin
      // step 2
      if (take && !ctl_req_i.write) begin
        rsp_valid_q <= 1'b1;
        rsp_q.data <= rdata;
      end else if (vm_rsp_valid_i) begin
        rsp_valid_q <= 1'b1;
        rsp_q.data <= vm_rsp_i;
      end else if (ctl_rsp_ready_i) begin
        rsp_valid_q <= 1'b0;
      end
      vm_valid_q <= go && far;
      if (go && far) begin
        vm_q <= '{write: ctl_req_i.write, addr: ctl_req_i.addr[15:3], data: wdata};
        vm_wait_q <= !ctl_req_i.write;
      end else if (vm_rsp_valid_i) vm_wait_q <= 1'b0;
      // step 7
      epoch_q <= left_q == 32'd1;
      left_q <= (left_q == 32'd1) ? period_q.cycles : (left_q == 32'd0) ? 32'd0 : left_q - 32'd1;
      // step 8
      maint_valid_q <= 1'b0;
      pending_q <= pending_q & ~maint_done_i;
      // step 3
      perf_clear_q <= begins != '0 && (running_o & ~begins) == '0;
      reconv_valid_q <= '0;
      perf_q <= perf_data_i;
      if (wait_q != 2'd0) wait_q <= wait_q - 2'd1;
      if (write && asked != '0) begin
        if (addr == REG_CORES && (asked & free) != '0) begin
          for (int unsigned c = 0; c < CORES; c++)
            if (cores_w.cores[c] && free[owner_q[c][KSLOT_W-1:0]]) owner_q[c] <= number;
        end
        if (addr == REG_RECONV_TARGET) begin
          reconv_valid_q <= mine;
          reconv_q <= '{index: RECONV_SET_W'(reconv_w.index), way: reconv_w.way, valid: reconv_w.valid, pc: branch, target: reconv_w.pc};
        end
      end
      if (write && base == 4'd0) begin
        case (addr)
          REG_POLICY: policy_q <= wdata & MASK_POLICY;
          REG_LOCALITY: locality_q <= wdata & MASK_LOCALITY;
          REG_LOCALITY_CUTOFF: cutoff_q <= wdata & MASK_LOCALITY_CUTOFF;
          REG_PERF_SEL: begin
            perf_sel_q <= wdata & MASK_PERF_SEL;
            wait_q <= 2'd3;
          end
          REG_SCHED: sched_q <= wdata & MASK_SCHED;
          REG_QUOTA: quota_q <= wdata & MASK_QUOTA;
          REG_APP_ASIDS: app_asids_q <= wdata & MASK_APP_ASIDS;
          REG_QUOTA_IN: quota_in_q <= wdata & MASK_QUOTA_IN;
          REG_EPOCH: begin  // step 7
            period_q <= wdata & MASK_EPOCH;
            left_q <= epoch_w.cycles;
            epoch_q <= 1'b1;
          end
          REG_PAGE_POLICY: page_q <= wdata & MASK_PAGE_POLICY;
          REG_HOME_POLICY: home_q <= wdata & MASK_HOME_POLICY;
          REG_MAINT: begin
            if (maint_ok && pending_q == '0) begin
              maint_valid_q <= 1'b1;
              maint_q <= '{op: maint_w.op, line: maint_all ? '0 : line_addr_t'(maint_w.line >> (LINE_OFF_W - 6))};
              pending_q <= '1;
            end
          end
          default: ;
        endcase
      end
    end
  end
endmodule
