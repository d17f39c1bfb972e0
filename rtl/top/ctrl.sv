// The control port: registers that set up a kernel, start it, tell what happened, and govern the memory side.
// Page: docs/blocks/ctrl.md (register map, steps 1-8). Reads answer one cycle after they are taken.
module ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, memside_pkg::*, top_pkg::*, perf_pkg::*;
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
    output kernel_t                         kernel_o,
    output policy_t                         policy_o,
    output logic                            kernel_start_o,
    output logic                            core_rst_o,
    output logic                            halt_o,
    output logic                            running_o,
    output logic                            reconv_valid_o,
    output reconv_write_t                   reconv_o,
    output logic [7:0]                      perf_idx_o,
    // from the cores and the dispatcher
    input  logic [CORES-1:0][COUNTER_W-1:0] perf_data_i,
    input  logic [CORES-1:0]                faulted_i,
    input  fault_t [CORES-1:0]              fault_i,
    input  logic [CORES-1:0]                quiet_i,
    input  logic                            dispatch_done_i,
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

  kernel_t kernel_q;
  policy_t policy_q;
  pc_t reconv_pc_q;
  mem_ctl_t mem_ctl_q;
  logic [7:0] perf_idx_q, perf_unit_q;
  logic [1:0] perf_of_q;
  logic [COUNTER_W-1:0] perf_q;
  logic running_q, start_q, stop_q, halt_q, rsp_valid_q, reconv_valid_q;
  logic [1:0] rst_q, wait_q;
  logic [2:0] settle_q;
  logic [63:0] cycles_q;
  ctl_rsp_t rsp_q;
  reconv_write_t reconv_q;
  logic epoch_q, maint_valid_q;
  logic [31:0] period_q, left_q;
  maint_t maint_q;
  logic [SLICES-1:0] owed_q;
  logic vm_valid_q, vm_wait_q;
  vm_reg_t vm_q;

  // step 1
  assign kernel_o = kernel_q;
  assign policy_o = policy_q;
  assign kernel_start_o = start_q;
  assign core_rst_o = rst_q != 2'd0;
  assign halt_o = halt_q;
  assign running_o = running_q;
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

  // The faulting core with the lowest number.
  fault_t fault;
  logic [7:0] fault_core;
  always_comb begin
    fault = '0;
    fault_core = '0;
    for (int unsigned c = CORES; c > 0; c--) begin
      if (faulted_i[c-1]) begin
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

  logic [12:0] reg_no;
  logic [63:0] rdata;
  logic stopping;
  sched_policy_t sched;
  assign stopping = stop_q || rst_q != 2'd0;
  assign sched = mem_ctl_q.sched;
  assign reg_no = ctl_req_i.addr[15:3];
  always_comb begin
    rdata = '0;
    case (reg_no)
      13'h00: rdata = ID;
      13'h02: rdata = {59'b0, (&slice_idle_i) && (&sched_idle_i) && (&dram_idle_i), stopping, |owed_q, |faulted_i, running_q};
      13'h03: rdata = cycles_q;
      13'h04: rdata = {63'b0, policy_q.sched};
      13'h08: rdata = 64'(kernel_q.entry_pc);
      13'h09: rdata = kernel_q.arg;
      13'h0a: rdata = {kernel_q.groups[1], kernel_q.groups[0]};
      13'h0b: rdata = {32'b0, kernel_q.groups[2]};
      13'h0c: rdata = {20'b0, kernel_q.local_size[2], 4'b0, kernel_q.local_size[1], 4'b0, kernel_q.local_size[0]};
      13'h0d: rdata = {kernel_q.offset[1], kernel_q.offset[0]};
      13'h0e: rdata = {32'b0, kernel_q.offset[2]};
      13'h0f: rdata = 64'(kernel_q.warps_per_group);
      13'h10: rdata = 64'(kernel_q.last_mask);
      13'h11: rdata = 64'(kernel_q.slots);
      13'h12: rdata = 64'(kernel_q.spad_bytes);
      13'h13: rdata = kernel_q.stack_base;
      13'h14: rdata = 64'(kernel_q.stack_log2);
      13'h15: rdata = kernel_q.mem_base;
      13'h16: rdata = kernel_q.mem_limit;
      13'h18: rdata = 64'(reconv_pc_q);
      13'h20: rdata = {38'b0, perf_of_q, perf_unit_q, 8'b0, perf_idx_q};
      13'h21: rdata = 64'(perf_q);
      13'h28: rdata = (faulted_i == '0) ? '0 : {24'b0, 8'(fault.warp), 8'b0, fault_core, 12'b0, fault.cause};
      13'h29: rdata = fault.value;
      13'h2a: rdata = 64'(fault.pc);
      13'h2b: rdata = 64'(fault.mask);
      13'h30: rdata = {6'b0, sched.turn_skip, 7'b0, sched.write_low, 7'b0, sched.write_high, 1'b0, sched.bound, 3'b0, sched.mode};
      13'h31: rdata = {38'b0, sched.thresh_max, 12'b0, 4'(sched.app_valid)};
      13'h32: for (int unsigned i = 0; i < APPS; i++) rdata[16*i+:16] = 16'(sched.app_asid[i]);
      13'h33: for (int unsigned i = 0; i < APPS; i++) rdata[16*i+:16] = {2'b0, mem_ctl_q.warps[i], 2'b0, mem_ctl_q.con_ptw[i]};
      13'h34: rdata = 64'(period_q);
      13'h35: rdata = {63'b0, mem_ctl_q.page};
      13'h36: rdata = {63'b0, |owed_q};
      default: rdata = '0;
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

  logic take, far, write, rest, ended;
  assign far = ctl_req_i.addr[15:9] != '0;
  assign take = ctl_req_valid_i && ctl_req_ready_o && !far;
  assign write = take && ctl_req_i.write;
  assign rest = !start_q && (&quiet_i) && (stop_q ? halt_q : running_q && (dispatch_done_i || (|faulted_i)));
  assign ended = rest && settle_q == 3'd7;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      kernel_q <= '0;
      policy_q <= '0;
      reconv_pc_q <= '0;
      perf_idx_q <= '0;
      perf_unit_q <= '0;
      perf_of_q <= '0;
      perf_q <= '0;
      running_q <= 1'b0;
      start_q <= 1'b0;
      stop_q <= 1'b0;
      halt_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      rsp_q <= '0;
      reconv_valid_q <= 1'b0;
      reconv_q <= '0;
      rst_q <= 2'd3;
      wait_q <= 2'd0;
      settle_q <= 3'd0;
      cycles_q <= 64'd0;
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
      vm_valid_q <= ctl_req_valid_i && ctl_req_ready_o && far;
      if (ctl_req_valid_i && ctl_req_ready_o && far) begin
        vm_q <= '{write: ctl_req_i.write, addr: reg_no, data: ctl_req_i.data};
        vm_wait_q <= !ctl_req_i.write;
      end else if (vm_rsp_valid_i) vm_wait_q <= 1'b0;
      // steps 4, 5
      halt_q <= ((|faulted_i) || stop_q) && rst_q == 2'd0;
      settle_q <= !rest ? 3'd0 : ended ? 3'd7 : settle_q + 3'd1;
      if (rst_q != 2'd0) rst_q <= rst_q - 2'd1;
      if (running_q) cycles_q <= cycles_q + 64'd1;
      if (ended) begin
        running_q <= 1'b0;
        stop_q <= 1'b0;
        if (stop_q) rst_q <= 2'd3;
      end
      // step 7
      epoch_q <= left_q == 32'd1;
      left_q <= (left_q == 32'd1) ? period_q : (left_q == 32'd0) ? 32'd0 : left_q - 32'd1;
      // step 8
      maint_valid_q <= 1'b0;
      owed_q <= owed_q & ~maint_done_i;
      // step 3
      start_q <= 1'b0;
      reconv_valid_q <= 1'b0;
      perf_q <= perf_data;
      if (wait_q != 2'd0) wait_q <= wait_q - 2'd1;
      if (write) begin
        case (reg_no)
          13'h01: begin
            if (!stopping && ctl_req_i.data[1]) begin
              stop_q <= 1'b1;
              settle_q <= 3'd0;
            end else if (!stopping && ctl_req_i.data[0]) begin  // step 6
              start_q <= 1'b1;
              running_q <= 1'b1;
              cycles_q <= 64'd0;
              settle_q <= 3'd0;
            end
          end
          13'h04: policy_q.sched <= sched_e'(ctl_req_i.data[0]);
          13'h08: kernel_q.entry_pc <= ctl_req_i.data[PA_W-1:0];
          13'h09: kernel_q.arg <= ctl_req_i.data;
          13'h0a: begin
            kernel_q.groups[0] <= ctl_req_i.data[31:0];
            kernel_q.groups[1] <= ctl_req_i.data[63:32];
          end
          13'h0b: kernel_q.groups[2] <= ctl_req_i.data[31:0];
          13'h0c: begin
            kernel_q.local_size[0] <= ctl_req_i.data[LID_W-1:0];
            kernel_q.local_size[1] <= ctl_req_i.data[16+:LID_W];
            kernel_q.local_size[2] <= ctl_req_i.data[32+:LID_W];
          end
          13'h0d: begin
            kernel_q.offset[0] <= ctl_req_i.data[31:0];
            kernel_q.offset[1] <= ctl_req_i.data[63:32];
          end
          13'h0e: kernel_q.offset[2] <= ctl_req_i.data[31:0];
          13'h0f: kernel_q.warps_per_group <= ctl_req_i.data[WARP_W:0];
          13'h10: kernel_q.last_mask <= ctl_req_i.data[THREADS-1:0];
          13'h11: kernel_q.slots <= ctl_req_i.data[SLOT_W:0];
          13'h12: kernel_q.spad_bytes <= ctl_req_i.data[SPAD_W:0];
          13'h13: kernel_q.stack_base <= ctl_req_i.data;
          13'h14: kernel_q.stack_log2 <= ctl_req_i.data[5:0];
          13'h15: kernel_q.mem_base <= ctl_req_i.data;
          13'h16: kernel_q.mem_limit <= ctl_req_i.data;
          13'h18: reconv_pc_q <= ctl_req_i.data[PA_W-1:0];
          13'h19: begin
            reconv_valid_q <= 1'b1;
            reconv_q <= '{index: ctl_req_i.data[49+:RECONV_SET_W], way: ctl_req_i.data[48], valid: ctl_req_i.data[63],
                          pc: reconv_pc_q, target: ctl_req_i.data[PA_W-1:0]};
          end
          13'h20: begin
            perf_idx_q <= ctl_req_i.data[7:0];
            perf_unit_q <= ctl_req_i.data[23:16];
            perf_of_q <= ctl_req_i.data[25:24];
            wait_q <= 2'd3;
          end
          13'h30: begin
            mem_ctl_q.sched.mode <= sched_mode_e'(ctl_req_i.data[0]);
            mem_ctl_q.sched.bound <= ctl_req_i.data[14:4];
            mem_ctl_q.sched.write_high <= ctl_req_i.data[24:16];
            mem_ctl_q.sched.write_low <= ctl_req_i.data[40:32];
            mem_ctl_q.sched.turn_skip <= ctl_req_i.data[57:48];
          end
          13'h31: begin
            mem_ctl_q.sched.app_valid <= ctl_req_i.data[APPS-1:0];
            mem_ctl_q.sched.thresh_max <= ctl_req_i.data[25:16];
          end
          13'h32: for (int unsigned i = 0; i < APPS; i++) mem_ctl_q.sched.app_asid[i] <= ctl_req_i.data[16*i+:ASID_W];
          13'h33: begin
            for (int unsigned i = 0; i < APPS; i++) begin
              mem_ctl_q.con_ptw[i] <= ctl_req_i.data[16*i+:6];
              mem_ctl_q.warps[i] <= ctl_req_i.data[16*i+8+:6];
            end
          end
          13'h34: begin  // step 7
            period_q <= ctl_req_i.data[31:0];
            left_q <= ctl_req_i.data[31:0];
            epoch_q <= 1'b1;
          end
          13'h35: mem_ctl_q.page <= page_policy_e'(ctl_req_i.data[0]);
          13'h36: begin
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
