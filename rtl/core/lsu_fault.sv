// Reports of the load/store unit about faulted threads: the fault that ends a warp (step 2), the page fault that the host resolves (step 6).
// Page: docs/blocks/lsu.md, "Front".
module lsu_fault
  import vl_cfg_pkg::*, vellum_pkg::*, mmu_pkg::*, core_pkg::*, lsu_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // the front's row
    input  warp_t        warp_i,
    input  lsu_head_t    head_i,
    input  lsu_beat_t [BEATS-1:0] beat_i,
    input  ppn_t [THREADS-1:0] frame_i,    // of a faulted thread: its page
    input  thread_mask_t flt_i,
    input  thread_mask_t access_i,         // of these: no memory, else no page
    input  logic         fault_i,          // step 2, at this edge
    input  logic         report_i,         // step 6, likewise
    // status
    output logic         fault_valid_o,
    output fault_t       fault_o,
    // host
    output logic         pf_valid_o,
    output page_fault_t  pf_o,
    input  logic         pf_ready_i
);
  thread_mask_t misaligned, outside, bad, first;
  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    assign misaligned[b*LANES+:LANES] = beat_i[b].misaligned;
    assign outside[b*LANES+:LANES] = beat_i[b].access;
    assign bad[b*LANES+:LANES] = beat_i[b].misaligned | beat_i[b].access | beat_i[b].page;
  end
  assign first = bad & (~bad + 1'b1);
  fault_t fault_d;
  always_comb begin
    fault_d.cause = ((first & misaligned) != '0) ? (head_i.write ? FAULT_STORE_MISALIGNED : FAULT_LOAD_MISALIGNED)
                  : ((first & outside) != '0) ? (head_i.write ? FAULT_STORE_ACCESS : FAULT_LOAD_ACCESS)
                  : (head_i.write ? FAULT_STORE_PAGE : FAULT_LOAD_PAGE);
    fault_d.warp = warp_i;
    fault_d.pc = head_i.pc;
    fault_d.mask = bad;
    fault_d.value = '0;
    for (int unsigned b = BEATS; b > 0; b--) if (bad[(b-1)*LANES+:LANES] != '0) fault_d.value = beat_i[b-1].value;
  end

  thread_mask_t pf_first;
  page_fault_t pf_d;
  assign pf_first = flt_i & (~flt_i + 1'b1);
  always_comb begin
    pf_d = '{store: head_i.write, warp: warp_i, pc: head_i.pc, threads: flt_i, access: (pf_first & access_i) != '0, default: '0};
    for (int unsigned t = 0; t < THREADS; t++) if (pf_first[t]) pf_d.value |= {frame_i[t], beat_i[t/LANES].low[t%LANES][11:0]};
  end

  always_ff @(posedge clk_i) begin
    fault_o <= fault_d;
    fault_valid_o <= fault_i && !rst_i;
    if (report_i) pf_o <= pf_d;
    if (rst_i) pf_valid_o <= 1'b0;
    else if (report_i) pf_valid_o <= 1'b1;
    else if (pf_ready_i) pf_valid_o <= 1'b0;
  end
endmodule
