// A kernel slot of ctrl: the registers of one kernel, its start, its stop, its end. A cell: docs/blocks/ctrl.md, registers marked K, steps 3 to 6.
module kernel_ctl
  import vl_cfg_pkg::*, vellum_pkg::*, regs_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    // register access; write_i: of this slot
    input  logic             write_i,
    input  reg_addr_t        addr_i,
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
  reg_entry_pc_t entry_pc_q;
  reg_arg_t arg_q;
  reg_groups_xy_t groups_xy_q;
  reg_groups_z_t groups_z_q;
  reg_local_t local_q;
  reg_offset_xy_t offset_xy_q;
  reg_offset_z_t offset_z_q;
  reg_warps_per_group_t warps_per_group_q;
  reg_last_mask_t last_mask_q;
  reg_slots_t slots_q;
  reg_spad_bytes_t spad_bytes_q;
  reg_stack_base_t stack_base_q;
  reg_stack_log2_t stack_log2_q;
  reg_mem_base_t mem_base_q;
  reg_mem_limit_t mem_limit_q;
  reg_reconv_pc_t reconv_pc_q;
  logic running_q, start_q, stop_q, halt_q;
  logic [1:0] rst_q;
  logic [2:0] settle_q;
  logic [63:0] cycles_q;

  reg_cmd_t cmd;
  logic fault, command, stops, rest, ended;
  assign cmd = data_i;
  assign fault = (faulted_i & cores_i) != '0;
  assign command = write_i && addr_i == REG_CMD && !stopping_o;
  assign stops = command && cmd.stop;
  assign begins_o = command && cmd.start && !cmd.stop && cores_i != '0;
  assign rest = !start_q && (quiet_i | ~cores_i) == '1 && (stop_q ? halt_q : running_q && (dispatch_done_i || fault));
  assign ended = rest && settle_q == 3'd7;

  always_comb begin
    kernel_o.entry_pc = entry_pc_q.pc;
    kernel_o.arg = arg_q.address;
    kernel_o.groups = {groups_z_q.z, groups_xy_q.y, groups_xy_q.x};
    kernel_o.local_size = {local_q.z, local_q.y, local_q.x};
    kernel_o.offset = {offset_z_q.z, offset_xy_q.y, offset_xy_q.x};
    kernel_o.warps_per_group = (WARP_W + 1)'(warps_per_group_q.warps);
    kernel_o.last_mask = THREADS'(last_mask_q.threads);
    kernel_o.slots = (SLOT_W + 1)'(slots_q.groups);
    kernel_o.spad_bytes = (SPAD_W + 1)'(spad_bytes_q.bytes);
    kernel_o.stack_base = stack_base_q.address;
    kernel_o.stack_log2 = stack_log2_q.log2;
    kernel_o.mem_base = mem_base_q.address;
    kernel_o.mem_limit = mem_limit_q.address;
  end
  assign start_o = start_q;
  assign halt_o = halt_q;
  assign rst_o = rst_q != 2'd0;
  assign running_o = running_q;
  assign stopping_o = stop_q || rst_q != 2'd0;
  assign reconv_pc_o = reconv_pc_q.pc;

  always_comb begin
    case (addr_i)
      REG_CYCLES: rdata_o = cycles_q;
      REG_ENTRY_PC: rdata_o = entry_pc_q;
      REG_ARG: rdata_o = arg_q;
      REG_GROUPS_XY: rdata_o = groups_xy_q;
      REG_GROUPS_Z: rdata_o = groups_z_q;
      REG_LOCAL: rdata_o = local_q;
      REG_OFFSET_XY: rdata_o = offset_xy_q;
      REG_OFFSET_Z: rdata_o = offset_z_q;
      REG_WARPS_PER_GROUP: rdata_o = warps_per_group_q;
      REG_LAST_MASK: rdata_o = last_mask_q;
      REG_SLOTS: rdata_o = slots_q;
      REG_SPAD_BYTES: rdata_o = spad_bytes_q;
      REG_STACK_BASE: rdata_o = stack_base_q;
      REG_STACK_LOG2: rdata_o = stack_log2_q;
      REG_MEM_BASE: rdata_o = mem_base_q;
      REG_MEM_LIMIT: rdata_o = mem_limit_q;
      REG_CORES: rdata_o = 64'(cores_i);
      REG_RECONV_PC: rdata_o = reconv_pc_q;
      REG_KERNEL_STATUS: rdata_o = reg_kernel_status_t'{running: running_q, fault: fault, stopping: stopping_o, default: '0};
      default: rdata_o = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      entry_pc_q <= RESET_ENTRY_PC;
      arg_q <= RESET_ARG;
      groups_xy_q <= RESET_GROUPS_XY;
      groups_z_q <= RESET_GROUPS_Z;
      local_q <= RESET_LOCAL;
      offset_xy_q <= RESET_OFFSET_XY;
      offset_z_q <= RESET_OFFSET_Z;
      warps_per_group_q <= RESET_WARPS_PER_GROUP;
      last_mask_q <= RESET_LAST_MASK;
      slots_q <= RESET_SLOTS;
      spad_bytes_q <= RESET_SPAD_BYTES;
      stack_base_q <= RESET_STACK_BASE;
      stack_log2_q <= RESET_STACK_LOG2;
      mem_base_q <= RESET_MEM_BASE;
      mem_limit_q <= RESET_MEM_LIMIT;
      reconv_pc_q <= RESET_RECONV_PC;
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
        case (addr_i)
          REG_ENTRY_PC: entry_pc_q <= data_i & MASK_ENTRY_PC;
          REG_ARG: arg_q <= data_i & MASK_ARG;
          REG_GROUPS_XY: groups_xy_q <= data_i & MASK_GROUPS_XY;
          REG_GROUPS_Z: groups_z_q <= data_i & MASK_GROUPS_Z;
          REG_LOCAL: local_q <= data_i & MASK_LOCAL;
          REG_OFFSET_XY: offset_xy_q <= data_i & MASK_OFFSET_XY;
          REG_OFFSET_Z: offset_z_q <= data_i & MASK_OFFSET_Z;
          REG_WARPS_PER_GROUP: warps_per_group_q <= data_i & MASK_WARPS_PER_GROUP;
          REG_LAST_MASK: last_mask_q <= data_i & MASK_LAST_MASK;
          REG_SLOTS: slots_q <= data_i & MASK_SLOTS;
          REG_SPAD_BYTES: spad_bytes_q <= data_i & MASK_SPAD_BYTES;
          REG_STACK_BASE: stack_base_q <= data_i & MASK_STACK_BASE;
          REG_STACK_LOG2: stack_log2_q <= data_i & MASK_STACK_LOG2;
          REG_MEM_BASE: mem_base_q <= data_i & MASK_MEM_BASE;
          REG_MEM_LIMIT: mem_limit_q <= data_i & MASK_MEM_LIMIT;
          REG_RECONV_PC: reconv_pc_q <= data_i & MASK_RECONV_PC;
          default: ;
        endcase
      end
    end
  end
endmodule
