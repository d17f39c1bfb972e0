// The instructions of the load/store unit as they came: a beat's addresses are worked out and checked in the cycle after its operands, and stand here with
// these until the row pops; beside each thread's page the frame that it is in. Page: docs/blocks/lsu.md, "Addresses".
`include "vl_assert.svh"
`include "vl_skip.svh"
module lsu_operands
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, mem_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  kernel_t     kernel_i,
    input  logic        sv48_i,
    input  logic        start_valid_i,
    input  start_t      start_i,
    input  homes_t      homes_i,
    input  logic        ops_valid_i,       // of this pipe
    input  operands_t   ops_i,
    // rows
    output logic        arrive_valid_o,
    output lsu_arrive_t arrive_o,
    input  lsu_row_t    arrive_row_i,      // where it goes
    // of the front's row
    input  lsu_row_t    front_row_i,
    output lsu_head_t   head_o,
    output lsu_beat_t [BEATS-1:0] beat_o,
    output warp_t [THREADS-1:0] home_o,        // of each thread, where warps are formed
    output logic [THREADS-1:0][31:0] virt_o,   // address bits 47:16, for the trace alone
    output ppn_t [THREADS-1:0] frame_o,
    output thread_mask_t access_o,         // beside a frame: the walk ended with an access fault
    output thread_mask_t walked_o,         // it came of a walk (locality_entries above 0, else 0)
    // of the row that is looked up, or answered: never both
    input  lsu_row_t    page_row_i,
    output vpn_t [THREADS-1:0] vpn_o,
    // frames that are found
    input  thread_mask_t frame_we_i,
    input  lsu_row_t    frame_row_i,
    input  ppn_t [THREADS-1:0] frame_i,
    input  logic        frame_access_i,
    input  logic        frame_walked_i
);
  localparam int unsigned ROWS = LSU_ROWS;

  // ---- input register: kind, addresses --------------------------------------------------------------------------------
  // The first part of the checks is done when the operands arrive: the longer part is behind this register.
  logic in_valid_q;
  operands_t in_q;                       // rs1 and imm unused
  lane_data_t meant_q;                   // addresses as the program means them
  lsu_kind_t kind_q, kind;
  logic [1:0] size_q;
  always_comb begin
    kind = '0;
    `VL_WHEN(ops_valid_i) begin
      kind.load = op_is_load(ops_i.op);
      kind.store = op_is_store(ops_i.op);
      kind.atomic = op_is_amo_w(ops_i.op) || op_is_amo_d(ops_i.op);
      kind.fence = ops_i.op inside {OP_FENCE, OP_FENCE_I};
      kind.wg = ops_i.op == OP_VL_FENCE_WG;
      kind.aq = kind.atomic && ops_i.instr[26];
      kind.rl = kind.atomic && ops_i.instr[25];
    end
  end
  always_ff @(posedge clk_i) begin
    in_valid_q <= ops_valid_i && !rst_i;
    `VL_WHEN(ops_valid_i) begin
      in_q <= ops_i;
      for (int unsigned l = 0; l < LANES; l++) meant_q[l] <= ops_i.rs1[l] + ops_i.imm;
      kind_q <= kind;
      size_q <= mem_size(ops_i.op);
    end
  end

  logic [SPAD_W-1:0] base;
  ram_lut #(.DEPTH(WARPS), .WIDTH(SPAD_W)) u_bases (
      .clk_i, .we_i(start_valid_i), .waddr_i(start_i.warp), .wdata_i(SPAD_W'(start_i.spad_base)), .raddr_i(in_q.warp), .rdata_o(base)
  );

  lsu_head_t head;
  lsu_beat_t beat;
  lane_data_t addr;
  lane_mask_t spad, glob, misaligned, access, page, fault;
  logic mem;
  always_comb begin
    head.op = in_q.op;
    head.amo = amo_of(in_q.op);
    head.sc = in_q.op inside {OP_SC_W, OP_SC_D};
    head.is_unsigned = in_q.op inside {OP_LBU, OP_LHU, OP_LWU};
    head.write = kind_q.store || (kind_q.atomic && head.amo != AMO_LR);
    head.size = size_q;
    head.seq = in_q.seq;
    head.pc = in_q.pc;
    head.rd = in_q.rd;
    head.base = base;
  end
  assign mem = kind_q.load || kind_q.store || kind_q.atomic;

  lsu_agu u_agu (
      .meant_i(meant_q), .mask_i(mem ? in_q.mask : '0), .size_i(size_q), .kernel_i, .sv48_i,
      .addr_o(addr), .spad_o(spad), .global_o(glob), .misaligned_o(misaligned), .access_o(access), .page_o(page)
  );
  assign fault = misaligned | access | page;
  always_comb begin
    beat.active = spad | glob | fault;
    beat.spad = spad;
    beat.glob = glob;
    beat.misaligned = misaligned;
    beat.access = access;
    beat.page = page;
    beat.rs2 = in_q.rs2;
    beat.rs3 = in_q.rs3;
    beat.value = '0;
    for (int unsigned l = 0; l < LANES; l++) beat.low[l] = addr[l][15:0];
    for (int unsigned l = LANES; l > 0; l--) if (fault[l-1]) beat.value = addr[l-1];
  end

  thread_mask_t glob_t;
  for (genvar b = 0; b < BEATS; b++) assign glob_t[b*LANES+:LANES] = (in_q.beat == beat_t'(b)) ? glob : '0;
  assign arrive_valid_o = in_valid_q;
  assign arrive_o = '{first: in_q.first, last: in_q.last, warp: in_q.warp, kind: kind_q, write: head.write, glob: glob_t,
                      spad: spad != '0, fault: fault != '0};

  // ---- memories, by row -----------------------------------------------------------------------------------------------
  ram_lut #(.DEPTH(ROWS), .WIDTH($bits(lsu_head_t))) u_heads (
      .clk_i, .we_i(in_valid_q), .waddr_i(arrive_row_i), .wdata_i(head), .raddr_i(front_row_i), .rdata_o(head_o)
  );
  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    ram_lut #(.DEPTH(ROWS), .WIDTH($bits(lsu_beat_t))) u_beat (
        .clk_i, .we_i(in_valid_q && in_q.beat == beat_t'(b)), .waddr_i(arrive_row_i), .wdata_i(beat), .raddr_i(front_row_i), .rdata_o(beat_o[b])
    );
  end
  for (genvar t = 0; t < THREADS; t++) begin : gen_thread
    localparam int unsigned L = t % LANES;
    logic mine;                          // the beat in `in` has this thread
    ppn_t frame;
    assign mine = in_valid_q && in_q.beat == beat_t'(t / LANES);
    ram_lut #(.DEPTH(ROWS), .WIDTH(VPN_W)) u_vpn (
        .clk_i, .we_i(mine), .waddr_i(arrive_row_i), .wdata_i(addr[L][47:12]), .raddr_i(page_row_i), .rdata_o(vpn_o[t])
    );
    ram_lut #(.DEPTH(ROWS), .WIDTH(32)) u_virt (
        .clk_i, .we_i(mine), .waddr_i(arrive_row_i), .wdata_i(addr[L][47:16]), .raddr_i(front_row_i), .rdata_o(virt_o[t])
    );
    if (COMPACTS) begin : g_home
      ram_lut #(.DEPTH(ROWS), .WIDTH(WARP_W)) u_home (
          .clk_i, .we_i(mine), .waddr_i(arrive_row_i), .wdata_i(home_of(homes_i, in_q.warp, in_q.beat, L)), .raddr_i(front_row_i), .rdata_o(home_o[t])
      );
    end else begin : g_no_home
      assign home_o[t] = '0;
    end
    // Written with the address (Bare), or by look-ups and answers (Sv48): the root changes only while the block is idle, so the two do not meet.
    assign frame = sv48_i ? frame_i[t] : addr[L][47:12];
    ram_lut #(.DEPTH(ROWS), .WIDTH(1 + VPN_W)) u_frame (
        .clk_i, .we_i(sv48_i ? frame_we_i[t] : mine), .waddr_i(sv48_i ? frame_row_i : arrive_row_i), .wdata_i({frame_access_i, frame}),
        .raddr_i(front_row_i), .rdata_o({access_o[t], frame_o[t]})
    );
    if (LOCALITY_ENTRIES > 0) begin : g_walked
      ram_lut #(.DEPTH(ROWS), .WIDTH(1)) u_walked (
          .clk_i, .we_i(sv48_i ? frame_we_i[t] : mine), .waddr_i(sv48_i ? frame_row_i : arrive_row_i), .wdata_i(sv48_i && frame_walked_i),
          .raddr_i(front_row_i), .rdata_o(walked_o[t])
      );
    end else begin : g_no_walked
      assign walked_o[t] = 1'b0;
    end
  end

  `VL_ASSERT(beats_in_order, !in_valid_q || (in_q.first == (in_q.beat == '0) && in_q.last == (32'(in_q.beat) == BEATS - 1)))
endmodule
