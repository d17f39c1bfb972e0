// Control of virtual memory: address spaces of the cores, policies of TLB and walker, shootdown, page faults that wait for the host.
// Page: docs/blocks/vm_ctl.md (register map, steps 1-8). Reads answer one cycle after they come.
`include "vl_assert.svh"
module vm_ctl
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*, regs_pkg::*;
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
    output shared_policy_t          shared_policy_o,
    output logic                    inv_valid_o,
    output inv_t                    inv_o,
    output logic [CORES-1:0]        inv_core_valid_o,  // TRANSLATION_SHARED; else 0
    input  logic [CORES-1:0]        inv_done_i,
    input  logic                    shared_done_i,
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
  logic [CORES-1:0] deferred_q, pending_q, root_write, ran_q, gone;
  reg_tlb_mode_t mode_q;
  reg_walk_t walk_q;
  reg_tokens_t tokens_q;
  reg_walk_bypass_t bypass_q;
  reg_inv_page_t page_q;
  logic [31:0] latency_q;
  turn_t turn_q;
  logic [COUNT_W-1:0] count_q;

  assign tlb_mode_o = mode_q.mode;
  assign walk_policy_o = walk_policy_of(walk_q);
  assign shared_policy_o = shared_policy_of(walk_q, tokens_q, bypass_q);

  // Address decoding, and the written value for registers that do not simply store it.
  function automatic reg_addr_t root_addr(input int unsigned c);
    return REG_ROOT + REG_CORE_STRIDE * reg_addr_t'(c);
  endfunction
  reg_addr_t addr;
  reg_root_t root_w;
  reg_tlb_mode_t mode_w;
  reg_inv_t inv_w;
  reg_resume_t resume_w;
  assign addr = {reg_i.addr, 3'b0};
  assign root_w = reg_i.data;
  assign mode_w = reg_i.data;
  assign inv_w = reg_i.data;
  assign resume_w = reg_i.data;

  logic write, begins, push, pop, shown, shared_q;
  logic [CORES-1:0] inv_cores;
  assign write = reg_valid_i && reg_i.write;
  assign begins = write && addr == REG_INV && pending_q == '0 && inv_w.scope inside {INV_ALL, INV_ASID, INV_PAGE} && !shared_q && inv_cores != '0;
  always_comb for (int unsigned c = 0; c < CORES; c++) root_write[c] = write && addr == root_addr(c);

  // ---- 4: the cores of a shootdown, and the L2 TLB's part in it; without a shared one there is no logic for this ------------------------------
  if (TRANSLATION == TRANSLATION_SHARED) begin : g_some
    logic [CORES-1:0] cores_q;
    reg_inv_cores_t inv_cores_w;
    assign inv_cores_w = reg_i.data;
    assign inv_cores = inv_w.some ? cores_q : '1;
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        cores_q <= '0;
        inv_core_valid_o <= '0;
        shared_q <= 1'b0;
      end else begin
        if (write && addr == REG_INV_CORES) cores_q <= CORES'(inv_cores_w.cores);
        inv_core_valid_o <= begins ? inv_cores : '0;
        shared_q <= begins || (shared_q && !shared_done_i);
      end
    end
    `VL_ASSERT(shared_answer_is_pending, !shared_done_i || shared_q)
  end else begin : g_all
    assign inv_cores = '1;
    assign inv_core_valid_o = '0;
    assign shared_q = 1'b0;
  end

  // ---- 5, 7: the fault queue; which of it is cancelled, and of which core it is, beside it ---------------------------------------------------------------------------------------------
  queued_t head, tail;
  logic room, some;
  logic [PF_DEPTH-1:0] cancelled_q, cancelled;
  logic held_q;  // PF_WHAT has shown the head
  logic [PF_DEPTH-1:0][7:0] core_q, core;
  place_t first_q, last_q;
  assign tail = '{core: (32'(turn_q) < CORES) ? 8'(turn_q) : 8'(32'(turn_q) - CORES), what: pf_i[turn_q]};
  assign push = pf_valid_i[turn_q] && room;
  assign shown = some && (held_q || !cancelled_q[first_q]);
  assign pop = some && (!shown || (write && addr == REG_PF_POP));
  fifo #(.T(queued_t), .DEPTH(PF_DEPTH)) u_faults (
      .clk_i, .rst_i, .valid_i(push), .ready_o(room), .data_i(tail), .valid_o(some), .ready_i(pop), .data_o(head)
  );
  always_comb for (int unsigned k = 0; k < FAULTERS; k++) pf_ready_o[k] = room && 32'(turn_q) == k;
  assign attention_o = shown;
  assign gone = core_rst_i | ~running_i | ~ran_q;
  always_comb begin
    cancelled = cancelled_q;
    core = core_q;
    if (push) begin
      cancelled[last_q] = 1'b0;
      core[last_q] = tail.core;
    end
    for (int unsigned i = 0; i < PF_DEPTH; i++)
      for (int unsigned c = 0; c < CORES; c++)
        if (gone[c] && core[i] == 8'(c)) cancelled[i] = 1'b1;
  end

  // ---- 1: reads ---------------------------------------------------------------------------------------------------------
  logic [63:0] rdata;
  always_comb begin
    rdata = '0;
    for (int unsigned c = 0; c < CORES; c++)
      if (addr == root_addr(c)) rdata |= reg_root_t'{sv48: want_q[c].sv48, pending: deferred_q[c], asid: want_q[c].asid, ppn: want_q[c].ppn, default: '0};
    case (addr)
      REG_TLB_MODE: rdata = mode_q;
      REG_WALK: rdata = walk_q;
      REG_TOKENS: rdata = tokens_q;
      REG_WALK_BYPASS: rdata = bypass_q;
      REG_INV_PAGE: rdata = page_q;
      REG_INV: rdata = reg_inv_read_t'{cycles: latency_q, busy: (|pending_q) || shared_q, default: '0};
      REG_PF_WHAT:
      if (shown)
        rdata = reg_pf_what_t'{valid: 1'b1, queued: 8'(count_q), core: head.core, warp: 8'(head.what.warp), store: head.what.store,
                               access: head.what.access, fetch: head.what.fetch, default: '0};
      REG_PF_VALUE: if (shown) rdata = reg_pf_value_t'{address: head.what.value, default: '0};
      REG_PF_PC: if (shown) rdata = reg_pf_pc_t'{pc: head.what.pc, default: '0};
      REG_PF_THREADS: if (shown) rdata = 64'(head.what.threads);
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    reg_rsp_o <= rdata;
    inv_o <= '{scope: inv_w.scope, asid: inv_w.asid, vpn: page_q.vpn};
    if (rst_i) begin
      reg_rsp_valid_o <= 1'b0;
      root_o <= '0;
      want_q <= '0;
      deferred_q <= '0;
      mode_q <= RESET_TLB_MODE;
      walk_q <= RESET_WALK;
      tokens_q <= RESET_TOKENS;
      bypass_q <= RESET_WALK_BYPASS;
      page_q <= RESET_INV_PAGE;
      inv_valid_o <= 1'b0;
      pending_q <= '0;
      latency_q <= '0;
      turn_q <= '0;
      count_q <= '0;
      ran_q <= '0;
      cancelled_q <= '0;
      held_q <= 1'b0;
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
        case (addr)
          REG_TLB_MODE: mode_q.mode <= (mode_w.mode inside {TLB_BLOCKING, TLB_UNDER_MISS}) ? mode_w.mode : TLB_OVERLAP;
          REG_WALK: walk_q <= reg_i.data & MASK_WALK;
          REG_TOKENS: tokens_q <= reg_i.data & MASK_TOKENS;
          REG_WALK_BYPASS: bypass_q <= reg_i.data & MASK_WALK_BYPASS;
          REG_INV_PAGE: page_q <= reg_i.data & MASK_INV_PAGE;
          REG_RESUME: begin  // 6
            resume_o <= warp_t'(resume_w.warp);
            deny_o <= resume_w.deny;
          end
          default: ;
        endcase
      end
      // 3
      for (int unsigned c = 0; c < CORES; c++) begin
        if (root_write[c]) want_q[c] <= '{sv48: root_w.sv48, asid: root_w.asid, ppn: root_w.ppn};
        if (root_write[c]) deferred_q[c] <= 1'b1;
        else if (quiet_i[c] && !running_i[c]) deferred_q[c] <= 1'b0;
        if (deferred_q[c] && quiet_i[c] && !running_i[c]) root_o[c] <= want_q[c];
      end
      // 4
      inv_valid_o <= begins;
      pending_q <= (begins ? inv_cores : pending_q & ~inv_done_i) & ~core_rst_i;  // 7
      if (begins) latency_q <= '0;
      else if (pending_q != '0 && latency_q != '1) latency_q <= latency_q + 32'd1;
      // 5
      if (push || (!pf_valid_i[turn_q] && pf_valid_i != '0)) turn_q <= (32'(turn_q) == FAULTERS - 1) ? '0 : turn_q + 1'b1;
      count_q <= count_q + COUNT_W'(push) - COUNT_W'(pop);
      ran_q <= running_i;
      cancelled_q <= cancelled;
      held_q <= !pop && (held_q || (shown && reg_valid_i && !reg_i.write && addr == REG_PF_WHAT));
      core_q <= core;
      last_q <= last_q + place_t'(push);
      first_q <= first_q + place_t'(pop);
      // 6
      for (int unsigned c = 0; c < CORES; c++) begin
        resume_valid_o[c] <= write && addr == REG_RESUME && resume_w.core == 8'(c) && !resume_w.fetch;
        fetch_resume_valid_o[c] <= write && addr == REG_RESUME && resume_w.core == 8'(c) && resume_w.fetch;
      end
    end
  end

  `VL_ASSERT(answer_is_pending, (inv_done_i & ~pending_q) == '0)
endmodule
