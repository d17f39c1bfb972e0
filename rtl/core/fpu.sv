// Floating-point pipe: one beat a cycle, five cycles, no stalls; fcsr of every thread.
// Page: docs/blocks/fpu.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module fpu
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // regfile
    input  logic      ops_valid_i,
    input  operands_t ops_i,
    output logic      fpu_res_valid_o,
    output result_t   fpu_res_o,
    // launch
    input  logic      start_valid_i,
    input  start_t    start_i,
    // compactor: the thread at each place of each warp
    input  homes_t    homes_i,
    // fdiv
    input  logic      fdiv_flags_valid_i,
    input  fflags_t   fdiv_flags_i,
    output logic      frm_valid_o,
    output frm_t      frm_o,
    // status
    output logic      fault_valid_o,
    output fault_t    fault_o,
    // counters
    output ev_fpu_t   ev_o
);
  `include "fpu_ctl.svh"

  localparam int unsigned STAGES = 5;

  function automatic fpu_ctl_t decode(input op_e op, input logic [31:0] instr);
    fpu_ctl_t c;
    c = '0;
    c.kind = FPU_FMA;
    unique case (op)
      OP_FMADD_S:  ;
      OP_FMSUB_S:  c.neg_c = 1'b1;
      OP_FNMSUB_S: c.neg_p = 1'b1;
      OP_FNMADD_S: {c.neg_p, c.neg_c} = 2'b11;
      OP_FADD_S:   c.one = 1'b1;
      OP_FSUB_S:   {c.one, c.neg_c} = 2'b11;
      OP_FMUL_S:   c.product = 1'b1;
      OP_FSGNJ_S, OP_FSGNJN_S, OP_FSGNJX_S: {c.kind, c.sel} = {FPU_SGNJ, instr[13:12]};
      OP_FMIN_S, OP_FMAX_S: {c.kind, c.sel} = {FPU_MINMAX, instr[13:12]};
      OP_FLE_S, OP_FLT_S, OP_FEQ_S: {c.kind, c.sel} = {FPU_CMP, instr[13:12]};
      OP_FCLASS_S: c.kind = FPU_CLASS;
      OP_FCVT_W_S, OP_FCVT_WU_S, OP_FCVT_L_S, OP_FCVT_LU_S: {c.kind, c.dword, c.uns} = {FPU_F2I, instr[21:20]};
      OP_FCVT_S_W, OP_FCVT_S_WU, OP_FCVT_S_L, OP_FCVT_S_LU: {c.kind, c.dword, c.uns} = {FPU_I2F, instr[21:20]};
      default: begin                                             // CSR instructions
        {c.kind, c.sel} = {FPU_CSR, instr[13:12]};
        c.flags_csr = instr[20];                                 // fflags 1, frm 2, fcsr 3
        c.frm_csr = instr[21];
      end
    endcase
    return c;
  endfunction

  logic take, check;
  fpu_ctl_t ctl;
  logic [LANES-1:0][2:0] frm;
  lane_mask_t bad_lanes;
  thread_mask_t bad, bad_q;

  logic     [STAGES:1] valid_q;
  dest_t    [STAGES:1] info_q;
  lane_mask_t [STAGES:1] mask_q;
  fpu_ctl_t [STAGES:1] ctl_q;

  assign take = ops_valid_i && ops_i.pipe == PIPE_FPU;
  assign check = ops_valid_i && (ops_i.pipe == PIPE_FPU || ops_i.pipe == PIPE_FDIV);
  assign ctl = decode(ops_i.op, ops_i.instr);

  // Step 2: lanes with a reserved dynamic rounding mode.
  logic dynamic;
  assign dynamic = ops_i.instr[14:12] == 3'd7 && (ops_i.pipe == PIPE_FDIV || ctl.kind inside {FPU_FMA, FPU_I2F, FPU_F2I});
  always_comb
    for (int unsigned l = 0; l < LANES; l++) bad_lanes[l] = ops_i.mask[l] && dynamic && frm[l][2] && frm[l][1:0] != 2'd0;
  // Step 3
  if (BEATS > 1) begin : gen_bad
    always_comb begin
      bad = ops_i.first ? '0 : bad_q;
      bad[32'(ops_i.beat)*LANES+:LANES] |= bad_lanes;
    end
  end else begin : gen_bad_one
    assign bad = bad_lanes;
  end

  // ---- lanes -----------------------------------------------------------------------------------------------------
  lane_mask_t en1, en2, en3, en4, en5;
  assign en1 = take ? ops_i.mask : '0;
  assign en2 = valid_q[1] ? mask_q[1] : '0;
  assign en3 = valid_q[2] ? mask_q[2] : '0;
  assign en4 = valid_q[3] ? mask_q[3] : '0;
  assign en5 = valid_q[4] ? mask_q[4] : '0;

  logic [LANES-1:0][7:0] src4, csr_old, csr_new, csr_q;
  logic [LANES-1:0][2:0] frm4;
  logic [LANES-1:0][4:0] fflags4, flags5;
  lane_data_t data5;
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    fpu_lane u_lane (
        .clk_i,
        .en_i({en5[l], en4[l], en3[l], en2[l], en1[l]}),
        .ctl1_i(ctl), .ctl2_i(ctl_q[1]), .ctl3_i(ctl_q[2]), .ctl4_i(ctl_q[3]), .ctl5_i(ctl_q[4]),
        .rs1_i(ops_i.rs1[l]), .rs2_i(ops_i.rs2[l][31:0]), .rs3_i(ops_i.rs3[l][31:0]),
        .rm_i((ctl.kind == FPU_CSR || ops_i.instr[14:12] == 3'd7) ? frm[l] : ops_i.instr[14:12]),
        .src_o(src4[l]), .frm_o(frm4[l]), .csr_old_i(csr_old[l]),
        .data_o(data5[l]), .flags_o(flags5[l])
    );
  end

  // ---- fcsr ------------------------------------------------------------------------------------------------------
  // Step 4: old and new value, fields at their place in fcsr while they are worked on.
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      logic [7:0] old, src;
      old = {frm4[l], fflags4[l]};
      src = ctl_q[4].flags_csr ? src4[l] : {src4[l][2:0], 5'd0};
      csr_old[l] = ctl_q[4].flags_csr ? (ctl_q[4].frm_csr ? old : {3'd0, old[4:0]}) : {5'd0, old[7:5]};
      unique case (ctl_q[4].sel)
        2'd2:    csr_new[l] = old | src;
        2'd3:    csr_new[l] = old & ~src;
        default: csr_new[l] = src;
      endcase
    end
  end

  // Steps 5, 6, 7
  logic is_csr, flags_we;
  fflags_t acc;
  assign is_csr = ctl_q[5].kind == FPU_CSR;
  assign flags_we = valid_q[5] && (!is_csr || ctl_q[5].flags_csr);
  always_comb begin
    acc.warp = info_q[5].warp;
    acc.beat = info_q[5].beat;
    acc.mask = mask_q[5];
    for (int unsigned l = 0; l < LANES; l++) acc.flags[l] = is_csr ? csr_q[l][4:0] : flags5[l];
    frm_o.warp = info_q[5].warp;
    frm_o.beat = info_q[5].beat;
    frm_o.mask = mask_q[5];
    for (int unsigned l = 0; l < LANES; l++) frm_o.frm[l] = csr_q[l][7:5];
  end
  assign frm_valid_o = valid_q[5] && is_csr && ctl_q[5].frm_csr;

  fpu_frm u_frm (
      .clk_i, .rst_i, .we_i(frm_valid_o), .w_i(frm_o), .clear_i(start_valid_i), .clear_warp_i(start_i.warp),
      .warp_i(ops_i.warp), .beat_i(ops_i.beat), .frm_o(frm), .homes_i
  );
  fpu_flags u_flags (
      .clk_i, .rst_i, .a_we_i(flags_we), .a_set_i(is_csr), .a_i(acc), .b_we_i(fdiv_flags_valid_i), .b_i(fdiv_flags_i),
      .clear_i(start_valid_i), .clear_warp_i(start_i.warp), .warp_i(info_q[4].warp), .beat_i(info_q[4].beat), .flags_o(fflags4), .homes_i
  );

  // ---- what all lanes share --------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
      bad_q <= '0;
      fault_valid_o <= 1'b0;
      ev_o <= '0;
    end else begin
      valid_q <= {valid_q[STAGES-1:1], take};
      if (take) begin
        info_q[1] <= '{warp: ops_i.warp, seq: ops_i.seq, beat: ops_i.beat, rd: ops_i.rd, last: ops_i.last};
        mask_q[1] <= ops_i.mask & ~bad_lanes;
        ctl_q[1] <= ctl;
      end
      for (int unsigned s = 2; s <= STAGES; s++) begin
        if (valid_q[s-1]) begin
          info_q[s] <= info_q[s-1];
          mask_q[s] <= mask_q[s-1];
          ctl_q[s] <= ctl_q[s-1];
        end
      end
      if (valid_q[4] && ctl_q[4].kind == FPU_CSR) csr_q <= csr_new;
      if (check) bad_q <= bad;
      fault_valid_o <= check && ops_i.last && bad != '0;
      if (check) begin
        fault_o.cause <= FAULT_ILLEGAL;
        fault_o.warp <= ops_i.warp;
        fault_o.pc <= ops_i.pc;
        fault_o.value <= xlen_t'(ops_i.instr);
        fault_o.mask <= bad;
      end
      ev_o.fpu_beats <= take;
      ev_o.fpu_lanes <= take ? 6'($countones(ops_i.mask)) : '0;
    end
  end

  assign fpu_res_valid_o = valid_q[5];
  assign fpu_res_o.warp = info_q[5].warp;
  assign fpu_res_o.seq = info_q[5].seq;
  assign fpu_res_o.beat = info_q[5].beat;
  assign fpu_res_o.rd = info_q[5].rd;
  assign fpu_res_o.last = info_q[5].last;
  assign fpu_res_o.mask = mask_q[5];
  assign fpu_res_o.data = data5;

  `VL_ASSERT(beat_in_range, !check || 32'(ops_i.beat) < BEATS)
endmodule
