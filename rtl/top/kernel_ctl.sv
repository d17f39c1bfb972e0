// A kernel slot of ctrl: the registers of one kernel, its start, its stop, its end. A cell: docs/blocks/ctrl.md, registers marked K, steps 3 to 6.
module kernel_ctl
  import vl_cfg_pkg::*, vellum_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    // register access; write_i: of this slot
    input  logic             write_i,
    input  logic [5:0]       reg_i,
    input  logic [63:0]      data_i,
    output logic [63:0]      rdata_o,
    // its cores and its dispatcher
    input  logic [CORES-1:0] cores_i,
    input  logic [CORES-1:0] faulted_i,
    input  logic [CORES-1:0] quiet_i,
    input  logic             dispatch_done_i,
    output kernel_t          kernel_o,
    output logic             begins_o,      // a start is being written
    output logic             start_o,
    output logic             halt_o,
    output logic             rst_o,
    output logic             running_o,
    output logic             stopping_o,
    output pc_t              reconv_pc_o
);
  kernel_t kernel_q;
  pc_t reconv_pc_q;
  logic running_q, start_q, stop_q, halt_q;
  logic [1:0] rst_q;
  logic [2:0] settle_q;
  logic [63:0] cycles_q;

  logic fault, command, stops, rest, ended;
  assign fault = (faulted_i & cores_i) != '0;
  assign command = write_i && reg_i == 6'h01 && !stopping_o;
  assign stops = command && data_i[1];
  assign begins_o = command && data_i[1:0] == 2'b01 && cores_i != '0;
  assign rest = !start_q && (quiet_i | ~cores_i) == '1 && (stop_q ? halt_q : running_q && (dispatch_done_i || fault));
  assign ended = rest && settle_q == 3'd7;

  assign kernel_o = kernel_q;
  assign start_o = start_q;
  assign halt_o = halt_q;
  assign rst_o = rst_q != 2'd0;
  assign running_o = running_q;
  assign stopping_o = stop_q || rst_q != 2'd0;
  assign reconv_pc_o = reconv_pc_q;

  always_comb begin
    case (reg_i)
      6'h03: rdata_o = cycles_q;
      6'h08: rdata_o = 64'(kernel_q.entry_pc);
      6'h09: rdata_o = kernel_q.arg;
      6'h0a: rdata_o = {kernel_q.groups[1], kernel_q.groups[0]};
      6'h0b: rdata_o = {32'b0, kernel_q.groups[2]};
      6'h0c: rdata_o = {20'b0, kernel_q.local_size[2], 4'b0, kernel_q.local_size[1], 4'b0, kernel_q.local_size[0]};
      6'h0d: rdata_o = {kernel_q.offset[1], kernel_q.offset[0]};
      6'h0e: rdata_o = {32'b0, kernel_q.offset[2]};
      6'h0f: rdata_o = 64'(kernel_q.warps_per_group);
      6'h10: rdata_o = 64'(kernel_q.last_mask);
      6'h11: rdata_o = 64'(kernel_q.slots);
      6'h12: rdata_o = 64'(kernel_q.spad_bytes);
      6'h13: rdata_o = kernel_q.stack_base;
      6'h14: rdata_o = 64'(kernel_q.stack_log2);
      6'h15: rdata_o = kernel_q.mem_base;
      6'h16: rdata_o = kernel_q.mem_limit;
      6'h17: rdata_o = 64'(cores_i);
      6'h18: rdata_o = 64'(reconv_pc_q);
      6'h1a: rdata_o = {60'b0, stopping_o, 1'b0, fault, running_q};
      default: rdata_o = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      kernel_q <= '0;
      reconv_pc_q <= '0;
      running_q <= 1'b0;
      start_q <= 1'b0;
      stop_q <= 1'b0;
      halt_q <= 1'b0;
      rst_q <= 2'd3;
      settle_q <= 3'd0;
      cycles_q <= 64'd0;
    end else begin
      // steps 4, 5
      halt_q <= (fault || stop_q) && rst_q == 2'd0;
      settle_q <= !rest ? 3'd0 : ended ? 3'd7 : settle_q + 3'd1;
      if (rst_q != 2'd0) rst_q <= rst_q - 2'd1;
      if (running_q) cycles_q <= cycles_q + 64'd1;
      if (ended) begin
        running_q <= 1'b0;
        stop_q <= 1'b0;
        if (stop_q) rst_q <= 2'd3;
      end
      // step 3
      start_q <= begins_o;
      if (stops) begin
        stop_q <= 1'b1;
        settle_q <= 3'd0;
      end
      if (begins_o) begin  // step 6
        running_q <= 1'b1;
        cycles_q <= 64'd0;
        settle_q <= 3'd0;
      end
      if (write_i) begin
        case (reg_i)
          6'h08: kernel_q.entry_pc <= data_i[PA_W-1:0];
          6'h09: kernel_q.arg <= data_i;
          6'h0a: begin
            kernel_q.groups[0] <= data_i[31:0];
            kernel_q.groups[1] <= data_i[63:32];
          end
          6'h0b: kernel_q.groups[2] <= data_i[31:0];
          6'h0c: begin
            kernel_q.local_size[0] <= data_i[LID_W-1:0];
            kernel_q.local_size[1] <= data_i[16+:LID_W];
            kernel_q.local_size[2] <= data_i[32+:LID_W];
          end
          6'h0d: begin
            kernel_q.offset[0] <= data_i[31:0];
            kernel_q.offset[1] <= data_i[63:32];
          end
          6'h0e: kernel_q.offset[2] <= data_i[31:0];
          6'h0f: kernel_q.warps_per_group <= data_i[WARP_W:0];
          6'h10: kernel_q.last_mask <= data_i[THREADS-1:0];
          6'h11: kernel_q.slots <= data_i[SLOT_W:0];
          6'h12: kernel_q.spad_bytes <= data_i[SPAD_W:0];
          6'h13: kernel_q.stack_base <= data_i;
          6'h14: kernel_q.stack_log2 <= data_i[5:0];
          6'h15: kernel_q.mem_base <= data_i;
          6'h16: kernel_q.mem_limit <= data_i;
          6'h18: reconv_pc_q <= data_i[PA_W-1:0];
          default: ;
        endcase
      end
    end
  end
endmodule
