// The control port: registers that set up a kernel, start it, and tell what happened.
// Page: docs/blocks/ctrl.md (register map, steps 1-6). Reads answer one cycle after they are taken.
module ctrl
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*, top_pkg::*, perf_pkg::*;
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
    input  logic                            dispatch_done_i
);
  localparam logic [63:0] ID = 64'h004d_554c_4c45_5601;

  kernel_t kernel_q;
  policy_t policy_q;
  pc_t reconv_pc_q;
  logic [7:0] perf_idx_q, perf_core_q;
  logic running_q, start_q, halt_q, rsp_valid_q, reconv_valid_q;
  logic [1:0] rst_q, wait_q;
  logic [2:0] settle_q;
  logic [63:0] cycles_q;
  ctl_rsp_t rsp_q;
  reconv_write_t reconv_q;

  // step 1
  assign kernel_o = kernel_q;
  assign policy_o = policy_q;
  assign kernel_start_o = start_q;
  assign core_rst_o = rst_q != 2'd0;
  assign halt_o = halt_q;
  assign running_o = running_q;
  assign ctl_req_ready_o = (wait_q == 2'd0) && !rsp_valid_q;
  assign ctl_rsp_valid_o = rsp_valid_q;
  assign ctl_rsp_o = rsp_q;
  assign reconv_valid_o = reconv_valid_q;
  assign reconv_o = reconv_q;
  assign perf_idx_o = perf_idx_q;

  // The faulting core with the lowest number, and the selected counter.
  fault_t fault;
  logic [7:0] fault_core;
  logic [COUNTER_W-1:0] perf_data;
  always_comb begin
    fault = '0;
    fault_core = '0;
    perf_data = '0;
    for (int unsigned c = CORES; c > 0; c--) begin
      if (faulted_i[c-1]) begin
        fault = fault_i[c-1];
        fault_core = 8'(c - 1);
      end
      if (perf_core_q == 8'(c - 1)) perf_data = perf_data_i[c-1];
    end
  end

  logic [12:0] reg_no;
  logic [63:0] rdata;
  assign reg_no = ctl_req_i.addr[15:3];
  always_comb begin
    rdata = '0;
    case (reg_no)
      13'h00: rdata = ID;
      13'h02: rdata = {62'b0, |faulted_i, running_q};
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
      13'h20: rdata = {40'b0, perf_core_q, 8'b0, perf_idx_q};
      13'h21: rdata = 64'(perf_data);
      13'h28: rdata = (faulted_i == '0) ? '0 : {24'b0, 8'(fault.warp), 8'b0, fault_core, 12'b0, fault.cause};
      13'h29: rdata = fault.value;
      13'h2a: rdata = 64'(fault.pc);
      13'h2b: rdata = 64'(fault.mask);
      default: rdata = '0;
    endcase
  end

  logic take, write, rest;
  assign take = ctl_req_valid_i && ctl_req_ready_o;
  assign write = take && ctl_req_i.write;
  assign rest = (&quiet_i) && (dispatch_done_i || (|faulted_i));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      kernel_q <= '0;
      policy_q <= '0;
      reconv_pc_q <= '0;
      perf_idx_q <= '0;
      perf_core_q <= '0;
      running_q <= 1'b0;
      start_q <= 1'b0;
      halt_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      rsp_q <= '0;
      reconv_valid_q <= 1'b0;
      reconv_q <= '0;
      rst_q <= 2'd3;
      wait_q <= 2'd0;
      settle_q <= 3'd0;
      cycles_q <= 64'd0;
    end else begin
      // step 2
      if (take && !ctl_req_i.write) begin
        rsp_valid_q <= 1'b1;
        rsp_q.data <= rdata;
      end else if (ctl_rsp_ready_i) begin
        rsp_valid_q <= 1'b0;
      end
      // steps 4, 5
      halt_q <= (|faulted_i) && rst_q == 2'd0;
      settle_q <= (running_q && rest && !start_q) ? ((settle_q == 3'd7) ? 3'd7 : settle_q + 3'd1) : 3'd0;
      if (running_q) cycles_q <= cycles_q + 64'd1;
      if (running_q && rest && !start_q && settle_q == 3'd7) running_q <= 1'b0;
      // step 3
      start_q <= 1'b0;
      reconv_valid_q <= 1'b0;
      if (rst_q != 2'd0) rst_q <= rst_q - 2'd1;
      if (wait_q != 2'd0) wait_q <= wait_q - 2'd1;
      if (write) begin
        case (reg_no)
          13'h01: begin
            if (ctl_req_i.data[1]) begin
              rst_q <= 2'd3;
              running_q <= 1'b0;
            end
            if (ctl_req_i.data[0]) begin  // step 6
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
            perf_core_q <= ctl_req_i.data[23:16];
            wait_q <= 2'd3;
          end
          default: ;
        endcase
      end
    end
  end
endmodule
