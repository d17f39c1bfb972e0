// The control port: registers that give cores to kernels, start these, tell what happened, and govern the memory side.
// Page: docs/blocks/ctrl.md (register map, steps 1-8). Reads answer one cycle after they are taken.
module ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, memside_pkg::*, top_pkg::*, perf_pkg::*;
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
    // of each core: its slot, and what that slot says
    output kslot_t [CORES-1:0]              owner_o,
    output logic [CORES-1:0]                core_start_o,
    output logic [CORES-1:0]                core_halt_o,
    output logic [CORES-1:0]                core_rst_o,
    output logic [CORES-1:0]                core_running_o,
    output logic [CORES-1:0]                reconv_valid_o,
    output reconv_write_t                   reconv_o,
    output logic [7:0]                      perf_idx_o,
    // from the cores and the dispatcher
    input  logic [CORES-1:0][COUNTER_W-1:0] perf_data_i,
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
    output logic                            maint_valid_o,
    output maint_t                          maint_o,
    input  logic [SLICES-1:0]               maint_done_i,
    input  logic [SLICES-1:0]               slice_idle_i,
    input  logic [CHANNELS-1:0]             sched_idle_i,
    input  logic [CHANNELS-1:0]             dram_idle_i,
    input  logic [SLICES-1:0][COUNTER_W-1:0] slice_perf_i,
    input  logic [CHANNELS-1:0][COUNTER_W-1:0] channel_perf_i
);
  localparam logic [63:0] ID = 64'h004d_554c_4c45_5601;
  localparam logic [10:0] BOUND = 11'd256;
  localparam logic [9:0] TURN_SKIP = 10'd500;
  localparam quota_t THRESH_MAX = 10'd500;

  policy_t policy_q;
  mem_ctl_t mem_ctl_q;
  logic [7:0] perf_idx_q, perf_unit_q;
  logic [1:0] perf_of_q;
  logic [COUNTER_W-1:0] perf_q;
  logic rsp_valid_q, perf_clear_q;
  logic [CORES-1:0] reconv_valid_q;
  logic [1:0] wait_q;
  kslot_t [CORES-1:0] owner_q;
  ctl_rsp_t rsp_q;
  reconv_write_t reconv_q;
  logic epoch_q, maint_valid_q;
  logic [31:0] period_q, left_q;
  maint_t maint_q;
  logic [SLICES-1:0] owed_q;
  logic vm_valid_q, vm_wait_q;
  vm_reg_t vm_q;

  // The slot and the register that are asked for.
  logic [3:0] base;
  logic [8:0] reg_no;
  logic go, far, take, write;
  assign base = ctl_req_i.addr[15:12];
  assign reg_no = ctl_req_i.addr[11:3];
  assign go = ctl_req_valid_i && ctl_req_ready_o;
  assign far = base == 4'd0 && reg_no[8:6] != '0;
  assign take = go && !far;
  assign write = take && ctl_req_i.write;

  logic [KERNELS-1:0] asked, begins, stopping, free;
  logic [KERNELS-1:0][CORES-1:0] cores;
  logic [KERNELS-1:0][63:0] slot_rdata;
  pc_t [KERNELS-1:0] reconv_pc;
  for (genvar k = 0; k < KERNELS; k++) begin : g_kernel
    assign asked[k] = base == 4'(k) && reg_no[8:6] == '0;
    assign free[k] = !running_o[k] && !stopping[k];
    for (genvar c = 0; c < CORES; c++) begin : g_core
      assign cores[k][c] = owner_q[c] == kslot_t'(k);
    end
    kernel_ctl u_kernel (
        .clk_i, .rst_i, .write_i(write && asked[k]), .reg_i(reg_no[5:0]), .data_i(ctl_req_i.data), .rdata_o(slot_rdata[k]),
        .cores_i(cores[k]), .faulted_i, .quiet_i, .dispatch_done_i(dispatch_done_i[k]),
        .kernel_o(kernel_o[k]), .begins_o(begins[k]), .start_o(kernel_start_o[k]), .halt_o(halt_o[k]), .rst_o(kernel_rst_o[k]),
        .running_o(running_o[k]), .stopping_o(stopping[k]), .reconv_pc_o(reconv_pc[k])
    );
  end

  // step 1
  assign policy_o = policy_q;
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
  assign perf_idx_o = perf_idx_q;
  assign mem_ctl_o = mem_ctl_q;
  assign epoch_o = epoch_q;
  assign maint_valid_o = maint_valid_q;
  assign maint_o = maint_q;
  assign vm_reg_valid_o = vm_valid_q;
  assign vm_reg_o = vm_q;

  // Of the slot that is asked for: its cores, its branch pc, and its faulting core with the lowest number.
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

  // The selected counter: its own register, so that many cores, slices and channels do not lengthen the way to `rsp`.
  logic [COUNTER_W-1:0] perf_data;
  always_comb begin
    perf_data = '0;
    for (int unsigned c = 0; c < CORES; c++)
      if (perf_of_q == 2'd0 && perf_unit_q == 8'(c)) perf_data |= perf_data_i[c];
    for (int unsigned s = 0; s < SLICES; s++)
      if (perf_of_q == 2'd1 && perf_unit_q == 8'(s)) perf_data |= slice_perf_i[s];
    for (int unsigned c = 0; c < CHANNELS; c++)
      if (perf_of_q == 2'd2 && perf_unit_q == 8'(c)) perf_data |= channel_perf_i[c];
  end

  logic [63:0] rdata;
  sched_policy_t sched;
  assign sched = mem_ctl_q.sched;
  always_comb begin
    rdata = kernel_rdata;
    if (asked != '0)
      case (reg_no)
        9'h28: if (fault_there) rdata = {24'b0, 8'(fault.warp), 8'b0, fault_core, 12'b0, fault.cause};
        9'h29: rdata = fault.value;
        9'h2a: rdata = 64'(fault.pc);
        9'h2b: rdata = 64'(fault.mask);
        default: ;
      endcase
    if (base == 4'd0)
      case (reg_no)
        9'h00: rdata = ID;
        9'h02: rdata = {59'b0, (&slice_idle_i) && (&sched_idle_i) && (&dram_idle_i), |stopping, |owed_q, |faulted_i, |running_o};
        9'h04: rdata = {63'b0, policy_q.sched};
        9'h20: rdata = {38'b0, perf_of_q, perf_unit_q, 8'b0, perf_idx_q};
        9'h21: rdata = 64'(perf_q);
        9'h30: rdata = {6'b0, sched.turn_skip, 7'b0, sched.write_low, 7'b0, sched.write_high, 1'b0, sched.bound, 3'b0, sched.mode};
        9'h31: rdata = {38'b0, sched.thresh_max, 12'b0, 4'(sched.app_valid)};
        9'h32: for (int unsigned i = 0; i < APPS; i++) rdata[16*i+:16] = 16'(sched.app_asid[i]);
        9'h33: for (int unsigned i = 0; i < APPS; i++) rdata[16*i+:16] = {2'b0, mem_ctl_q.warps[i], 2'b0, mem_ctl_q.con_ptw[i]};
        9'h34: rdata = 64'(period_q);
        9'h35: rdata = {63'b0, mem_ctl_q.page};
        9'h36: rdata = {63'b0, |owed_q};
        default: ;
      endcase
  end

  // step 8: maint_e knows FLUSH and INVAL, each of a LINE, a PAGE, ALL
  maint_t maint_d;
  logic maint_ok;
  always_comb begin
    maint_d.op = maint_e'(ctl_req_i.data[2:0]);
    maint_d.line = (ctl_req_i.data[1:0] == 2'd2) ? '0 : ctl_req_i.data[PA_W-1:LINE_OFF_W];
    maint_ok = ctl_req_i.data[1:0] != 2'd3;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      policy_q <= '0;
      perf_idx_q <= '0;
      perf_unit_q <= '0;
      perf_of_q <= '0;
      perf_q <= '0;
      rsp_valid_q <= 1'b0;
      rsp_q <= '0;
      reconv_valid_q <= '0;
      perf_clear_q <= 1'b0;
      owner_q <= '0;
      reconv_q <= '0;
      wait_q <= 2'd0;
      mem_ctl_q <= '0;
      mem_ctl_q.sched.bound <= BOUND;
      mem_ctl_q.sched.write_high <= 9'(3 * SCHED_WRITES / 4);
      mem_ctl_q.sched.write_low <= 9'(SCHED_WRITES / 4);
      mem_ctl_q.sched.turn_skip <= TURN_SKIP;
      mem_ctl_q.sched.thresh_max <= THRESH_MAX;
      epoch_q <= 1'b0;
      period_q <= '0;
      left_q <= '0;
      maint_valid_q <= 1'b0;
      maint_q <= '0;
      owed_q <= '0;
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
        vm_q <= '{write: ctl_req_i.write, addr: ctl_req_i.addr[15:3], data: ctl_req_i.data};
        vm_wait_q <= !ctl_req_i.write;
      end else if (vm_rsp_valid_i) vm_wait_q <= 1'b0;
      // step 7
      epoch_q <= left_q == 32'd1;
      left_q <= (left_q == 32'd1) ? period_q : (left_q == 32'd0) ? 32'd0 : left_q - 32'd1;
      // step 8
      maint_valid_q <= 1'b0;
      owed_q <= owed_q & ~maint_done_i;
      // step 3
      perf_clear_q <= begins != '0 && (running_o & ~begins) == '0;
      reconv_valid_q <= '0;
      perf_q <= perf_data;
      if (wait_q != 2'd0) wait_q <= wait_q - 2'd1;
      if (write && asked != '0) begin
        if (reg_no == 9'h17 && (asked & free) != '0) begin
          for (int unsigned c = 0; c < CORES; c++)
            if (ctl_req_i.data[c] && free[owner_q[c][KSLOT_W-1:0]]) owner_q[c] <= number;
        end
        if (reg_no == 9'h19) begin
          reconv_valid_q <= mine;
          reconv_q <= '{index: ctl_req_i.data[49+:RECONV_SET_W], way: ctl_req_i.data[48], valid: ctl_req_i.data[63],
                        pc: branch, target: ctl_req_i.data[PA_W-1:0]};
        end
      end
      if (write && base == 4'd0) begin
        case (reg_no)
          9'h04: policy_q.sched <= sched_e'(ctl_req_i.data[0]);
          9'h20: begin
            perf_idx_q <= ctl_req_i.data[7:0];
            perf_unit_q <= ctl_req_i.data[23:16];
            perf_of_q <= ctl_req_i.data[25:24];
            wait_q <= 2'd3;
          end
          9'h30: begin
            mem_ctl_q.sched.mode <= sched_mode_e'(ctl_req_i.data[0]);
            mem_ctl_q.sched.bound <= ctl_req_i.data[14:4];
            mem_ctl_q.sched.write_high <= ctl_req_i.data[24:16];
            mem_ctl_q.sched.write_low <= ctl_req_i.data[40:32];
            mem_ctl_q.sched.turn_skip <= ctl_req_i.data[57:48];
          end
          9'h31: begin
            mem_ctl_q.sched.app_valid <= ctl_req_i.data[APPS-1:0];
            mem_ctl_q.sched.thresh_max <= ctl_req_i.data[25:16];
          end
          9'h32: for (int unsigned i = 0; i < APPS; i++) mem_ctl_q.sched.app_asid[i] <= ctl_req_i.data[16*i+:ASID_W];
          9'h33: begin
            for (int unsigned i = 0; i < APPS; i++) begin
              mem_ctl_q.con_ptw[i] <= ctl_req_i.data[16*i+:6];
              mem_ctl_q.warps[i] <= ctl_req_i.data[16*i+8+:6];
            end
          end
          9'h34: begin  // step 7
            period_q <= ctl_req_i.data[31:0];
            left_q <= ctl_req_i.data[31:0];
            epoch_q <= 1'b1;
          end
          9'h35: mem_ctl_q.page <= page_policy_e'(ctl_req_i.data[0]);
          9'h36: begin
            if (maint_ok && owed_q == '0) begin
              maint_valid_q <= 1'b1;
              maint_q <= maint_d;
              owed_q <= '1;
            end
          end
          default: ;
        endcase
      end
    end
  end
endmodule
