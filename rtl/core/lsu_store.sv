// The store or atomic on its way to the L1D (`st`): the lanes of one beat, shifted to their places, and the bytes of the beats before it (`acc`).
// Page: docs/blocks/lsu.md, "Stores and atomics into sectors".
`include "vl_skip.svh"
module lsu_store
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // the front's row, and which of its threads go to one sector
    input  warp_t        warp_i,
    input  lsu_kind_t    kind_i,
    input  lsu_head_t    head_i,
    input  lsu_beat_t [BEATS-1:0] beat_i,
    input  lsu_group_t   group_i,
    input  logic         whole_i,          // all of them are in one beat
    input  logic         take_i,           // they go, as far as they are in their lowest beat; only with free_o
    output logic         free_o,
    // l1d_req
    output logic         valid_o,          // nothing else may be shown there
    output logic         show_o,           // valid, and no beat is to come
    input  logic         ready_i,
    output lsu_store_t   req_o,
    output sector_be_t   be_o,
    output sector_data_t data_o,
    output xlen_t        cmp_o             // of AMOCAS, else 0
);
  logic valid_q, final_q;
  lsu_store_t req_d, req_q;
  lane_mask_t take_d, take_q, atomic_take;
  logic [LANES-1:0][SECTOR_OFF_W-4:0] dword_d, dword_q;
  logic [LANES-1:0][7:0] be_d, be_q;
  lane_data_t data_d, data_q;
  xlen_t cmp_d, cmp_q;

  always_comb begin
    req_d = '{atomic: kind_i.atomic, warp: warp_i, line: group_i.line, amo: AMO_SWAP, default: '0};
    take_d = '0;
    dword_d = '0;
    be_d = '0;
    data_d = '0;
    cmp_d = '0;
    atomic_take = '0;
    `VL_WHEN(kind_i.store || kind_i.atomic) for (int unsigned l = 0; l < LANES; l++) begin
      line_off_t off;
      xlen_t d, c;
      off = '0;
      d = '0;
      c = '0;
      for (int unsigned b = 0; b < BEATS; b++) atomic_take[l] |= group_i.leader[b*LANES+l];   // the group of an atomic: known early
      for (int unsigned b = 0; b < BEATS; b++)
        if (BEATS == 1 || group_i.beat[b]) begin
          take_d[l] |= group_i.threads[b*LANES+l];
          off |= beat_i[b].low[l][LINE_OFF_W-1:0];
          d |= beat_i[b].rs2[l];
          c |= beat_i[b].rs3[l];
        end
      if (kind_i.atomic) begin
        be_d[l] = (head_i.size == 2'd3) ? 8'hff : 8'h0f;
        data_d[l] = d;
        if (atomic_take[l]) begin
          req_d.off |= off;
          if (head_i.amo == AMO_CAS) cmp_d |= (head_i.size == 2'd3) ? c : {32'd0, c[31:0]};
        end
      end else begin
        dword_d[l] = off[SECTOR_OFF_W-1:3];
        unique case (head_i.size)
          2'd0: be_d[l] = 8'h01 << off[2:0];
          2'd1: be_d[l] = 8'h03 << {off[2:1], 1'b0};
          2'd2: be_d[l] = off[2] ? 8'hf0 : 8'h0f;
          default: be_d[l] = 8'hff;
        endcase
        unique case (head_i.size)
          2'd0: data_d[l] = {8{d[7:0]}};
          2'd1: data_d[l] = {4{d[15:0]}};
          2'd2: data_d[l] = {2{d[31:0]}};
          default: data_d[l] = d;
        endcase
      end
    end
    if (!kind_i.atomic) req_d.sector = group_i.sector;
    else begin
      req_d.entry = group_i.entry;
      req_d.thread = group_i.leader;
      req_d.amo = head_i.amo;
      req_d.dword = head_i.size == 2'd3;
      req_d.hart = group_i.hart;
      for (int unsigned t = 0; t < THREADS; t++) if (group_i.leader[t]) req_d.hart |= HART_W'(t);
    end
  end

  assign free_o = !valid_q || !final_q || ready_i;
  assign valid_o = valid_q;
  assign show_o = valid_q && final_q;
  assign req_o = req_q;
  assign cmp_o = cmp_q;
  always_ff @(posedge clk_i) begin
    if (free_o) begin
      req_q <= req_d;
      take_q <= take_d;
      dword_q <= dword_d;
      be_q <= be_d;
      data_q <= data_d;
      cmp_q <= cmp_d;
      final_q <= whole_i;
    end
    if (rst_i) valid_q <= 1'b0;
    else if (free_o) valid_q <= take_i;
  end

  // ---- acc ------------------------------------------------------------------------------------------------------------
  sector_be_t be;
  sector_data_t data;
  lsu_scatter u_scatter (
      .take_i(valid_q ? take_q : '0), .dword_i(dword_q), .be_i(be_q), .data_i(data_q), .be_o(be), .data_o(data)
  );
  if (BEATS > 1) begin : gen_acc
    sector_be_t acc_be_q;
    sector_data_t acc_data_q;
    always_comb begin
      be_o = acc_be_q | be;
      for (int unsigned k = 0; k < SECTOR_BYTES; k++) data_o[k*8+:8] = data[k*8+:8] | (be[k] ? '0 : acc_data_q[k*8+:8]);
    end
    always_ff @(posedge clk_i)
      if (rst_i || (show_o && ready_i)) begin
        acc_be_q <= '0;
        acc_data_q <= '0;
      end else if (valid_q && !final_q) begin
        acc_be_q <= be_o;
        acc_data_q <= data_o;
      end
  end else begin : gen_no_acc
    assign be_o = be;
    assign data_o = data;
  end
endmodule
