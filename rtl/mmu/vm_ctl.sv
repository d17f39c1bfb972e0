// Control of virtual memory: address spaces of the cores, policies of TLB and walker, shootdown, page faults that wait for the host.
// Page: docs/blocks/vm_ctl.md (register map, steps 1-8). Reads answer one cycle after they come.
`include "vl_assert.svh"
module vm_ctl
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                    clk_i,
    input  logic                    rst_i,
    // ctrl
    input  logic                    reg_valid_i,
    input  vm_reg_t                 reg_i,
    output logic                    reg_rsp_valid_o,
    output logic [63:0]             reg_rsp_o,
    input  logic [CORES-1:0]        running_i,
    input  logic [CORES-1:0]        core_rst_i,
    // cores
    input  logic [CORES-1:0]        quiet_i,
    output root_t [CORES-1:0]       root_o,
    output tlb_mode_e               tlb_mode_o,
    output walk_policy_t            walk_policy_o,
    output logic                    inv_valid_o,
    output inv_t                    inv_o,
    input  logic [CORES-1:0]        inv_done_i,
    input  logic [FAULTERS-1:0]     pf_valid_i,      // lsu of each core, then l1i of each core
    input  page_fault_t [FAULTERS-1:0] pf_i,
    output logic [FAULTERS-1:0]     pf_ready_o,
    output logic [CORES-1:0]        resume_valid_o,
    output warp_t                   resume_o,
    output logic [CORES-1:0]        fetch_resume_valid_o,
    output logic                    deny_o,
    // host
    output logic                    attention_o
);
  typedef struct packed {
    logic [7:0] core;
    page_fault_t what;
  } queued_t;
  typedef logic [idx_w(FAULTERS)-1:0] turn_t;
  typedef logic [idx_w(PF_DEPTH)-1:0] place_t;
  localparam int unsigned COUNT_W = $clog2(PF_DEPTH + 1);

  root_t [CORES-1:0] want_q;
  logic [CORES-1:0] late_q, owed_q, root_write;
  tlb_mode_e mode_q;
  walk_policy_t walk_q;
  vpn_t page_q;
  logic [31:0] took_q;
  turn_t turn_q;
  logic [COUNT_W-1:0] count_q;

  assign tlb_mode_o = mode_q;
  assign walk_policy_o = walk_q;

  logic write, begins, push, pop, shown;
  assign write = reg_valid_i && reg_i.write;
  assign begins = write && reg_i.addr == 13'h83 && owed_q == '0 && reg_i.data[1:0] != 2'd3;
  always_comb for (int unsigned c = 0; c < CORES; c++) root_write[c] = write && 32'(reg_i.addr) == 32'h40 + c;

  // ---- 5, 7: the fault queue; which of it is gone, and of which core it is, beside it ---------------------------------------------------------------------------------------------
  queued_t head, tail;
  logic room, some;
  logic [PF_DEPTH-1:0] gone_q, gone;
  logic [PF_DEPTH-1:0][7:0] core_q, core;
  place_t first_q, last_q;
  assign tail = '{core: (32'(turn_q) < CORES) ? 8'(turn_q) : 8'(32'(turn_q) - CORES), what: pf_i[turn_q]};
  assign push = pf_valid_i[turn_q] && room;
  assign shown = some && !gone_q[first_q];
  assign pop = some && (gone_q[first_q] || (write && reg_i.addr == 13'h88));
  fifo #(.T(queued_t), .DEPTH(PF_DEPTH)) u_faults (
      .clk_i, .rst_i, .valid_i(push), .ready_o(room), .data_i(tail), .valid_o(some), .ready_i(pop), .data_o(head)
  );
  always_comb for (int unsigned k = 0; k < FAULTERS; k++) pf_ready_o[k] = room && 32'(turn_q) == k;
  assign attention_o = shown;
  always_comb begin
    gone = gone_q;
    core = core_q;
    if (push) begin
      gone[last_q] = 1'b0;
      core[last_q] = tail.core;
    end
    for (int unsigned i = 0; i < PF_DEPTH; i++)
      for (int unsigned c = 0; c < CORES; c++)
        if (core_rst_i[c] && core[i] == 8'(c)) gone[i] = 1'b1;
  end

  // ---- 1: reads ---------------------------------------------------------------------------------------------------------
  logic [63:0] rdata;
  always_comb begin
    rdata = '0;
    for (int unsigned c = 0; c < CORES; c++)
      if (32'(reg_i.addr) == 32'h40 + c)
        rdata |= {want_q[c].sv48, late_q[c], 10'b0, want_q[c].asid, want_q[c].ppn};
    case (reg_i.addr)
      13'h80: rdata = 64'(mode_q);
      13'h81: rdata = {49'b0, walk_q.reads, walk_q.walkers, 3'b0, walk_q.coalesce};
      13'h82: rdata = {16'b0, page_q, 12'b0};
      13'h83: rdata = {took_q, 31'b0, |owed_q};
      13'h84: if (shown) rdata = {1'b1, 31'b0, 8'(count_q), head.core, 8'(head.what.warp), 5'b0, head.what.store, head.what.access, head.what.fetch};
      13'h85: if (shown) rdata = 64'(head.what.value);
      13'h86: if (shown) rdata = 64'(head.what.pc);
      13'h87: if (shown) rdata = 64'(head.what.threads);
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    reg_rsp_o <= rdata;
    inv_o <= '{scope: inv_e'(reg_i.data[1:0]), asid: reg_i.data[31:16], vpn: page_q};
    if (rst_i) begin
      reg_rsp_valid_o <= 1'b0;
      root_o <= '0;
      want_q <= '0;
      late_q <= '0;
      mode_q <= TLB_OVERLAP;
      walk_q <= '{coalesce: 1'b1, walkers: 4'd1, reads: '0};
      page_q <= '0;
      inv_valid_o <= 1'b0;
      owed_q <= '0;
      took_q <= '0;
      turn_q <= '0;
      count_q <= '0;
      gone_q <= '0;
      core_q <= '0;
      first_q <= '0;
      last_q <= '0;
      resume_valid_o <= '0;
      fetch_resume_valid_o <= '0;
      resume_o <= '0;
      deny_o <= 1'b0;
    end else begin
      reg_rsp_valid_o <= reg_valid_i && !reg_i.write;
      // 2
      if (write) begin
        case (reg_i.addr)
          13'h80: mode_q <= reg_i.data[1] ? TLB_OVERLAP : reg_i.data[0] ? TLB_UNDER_MISS : TLB_BLOCKING;
          13'h81: walk_q <= '{coalesce: reg_i.data[0], walkers: reg_i.data[7:4], reads: reg_i.data[14:8]};
          13'h82: page_q <= reg_i.data[PA_W-1:12];
          13'h89: begin  // 6
            resume_o <= warp_t'(reg_i.data[15:8]);
            deny_o <= reg_i.data[1];
          end
          default: ;
        endcase
      end
      // 3
      for (int unsigned c = 0; c < CORES; c++) begin
        if (root_write[c]) want_q[c] <= '{sv48: reg_i.data[63], asid: reg_i.data[51:36], ppn: reg_i.data[35:0]};
        if (root_write[c]) late_q[c] <= 1'b1;
        else if (quiet_i[c] && !running_i[c]) late_q[c] <= 1'b0;
        if (late_q[c] && quiet_i[c] && !running_i[c]) root_o[c] <= want_q[c];
      end
      // 4
      inv_valid_o <= begins;
      owed_q <= (begins ? '1 : owed_q & ~inv_done_i) & ~core_rst_i;  // 7
      if (begins) took_q <= '0;
      else if (owed_q != '0 && took_q != '1) took_q <= took_q + 32'd1;
      // 5
      if (push || (!pf_valid_i[turn_q] && pf_valid_i != '0)) turn_q <= (32'(turn_q) == FAULTERS - 1) ? '0 : turn_q + 1'b1;
      count_q <= count_q + COUNT_W'(push) - COUNT_W'(pop);
      gone_q <= gone;
      core_q <= core;
      last_q <= last_q + place_t'(push);
      first_q <= first_q + place_t'(pop);
      // 6
      for (int unsigned c = 0; c < CORES; c++) begin
        resume_valid_o[c] <= write && reg_i.addr == 13'h89 && reg_i.data[23:16] == 8'(c) && !reg_i.data[0];
        fetch_resume_valid_o[c] <= write && reg_i.addr == 13'h89 && reg_i.data[23:16] == 8'(c) && reg_i.data[0];
      end
    end
  end

  `VL_ASSERT(core_owes_its_answer, (inv_done_i & ~owed_q) == '0)
endmodule
