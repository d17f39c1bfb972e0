// Faults and rest of a core: keeps the first fault, stops the core, shows when nothing is in flight.
// Page: docs/blocks/status.md (steps 1-6). Every output is a register; latency one cycle.
module status
  import vellum_pkg::*, perf_pkg::*;
(
    input  logic   clk_i,
    input  logic   rst_i,
    // faults
    input  logic   simt_fault_valid_i,
    input  fault_t simt_fault_i,
    input  logic   lsu_fault_valid_i,
    input  fault_t lsu_fault_i,
    input  logic   barrier_fault_valid_i,
    input  fault_t barrier_fault_i,
    input  logic   fpu_fault_valid_i,
    input  fault_t fpu_fault_i,
    // blocks at rest
    input  logic   halt_all_i,
    input  logic   issue_idle_i,
    input  logic   launch_idle_i,
    input  logic   lsu_idle_i,
    input  logic   l1d_idle_i,
    input  logic   mem_idle_i,
    input  logic   itlb_idle_i,
    input  logic   tlb_mshr_idle_i,
    input  logic   ptw_idle_i,
    // shootdown
    input  logic   inv_valid_i,
    input  logic   tlb_done_i,
    input  logic   itlb_done_i,
    input  logic   ptw_done_i,
    input  logic   lsu_done_i,
    output logic   inv_done_o,
    // to the core's blocks and to ctrl
    output logic   halt_o,
    output logic   faulted_o,
    output fault_t fault_o,
    output logic   quiet_o,
    // counters
    output ev_status_t ev_o
);
  logic any_fault;
  logic [3:0] pending_q, pending;
  assign pending = inv_valid_i ? '1 : pending_q & ~{lsu_done_i, ptw_done_i, itlb_done_i, tlb_done_i};
  assign any_fault = simt_fault_valid_i | lsu_fault_valid_i | barrier_fault_valid_i | fpu_fault_valid_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      halt_o <= 1'b0;
      faulted_o <= 1'b0;
      fault_o <= '0;
      quiet_o <= 1'b0;
      pending_q <= '0;
      inv_done_o <= 1'b0;
      ev_o <= '0;
    end else begin
      pending_q <= pending;  // step 5
      inv_done_o <= pending_q != '0 && pending == '0;
      if (!faulted_o && any_fault) begin  // step 2
        faulted_o <= 1'b1;
        fault_o <= simt_fault_valid_i ? simt_fault_i : lsu_fault_valid_i ? lsu_fault_i
                 : barrier_fault_valid_i ? barrier_fault_i : fpu_fault_i;
      end
      halt_o <= halt_o | halt_all_i | any_fault;  // step 3
      quiet_o <= lsu_idle_i & l1d_idle_i & mem_idle_i & itlb_idle_i & tlb_mshr_idle_i & ptw_idle_i & (halt_o | (issue_idle_i & launch_idle_i));  // step 4
      ev_o.shootdown_cycles <= inv_valid_i || pending_q != '0 || inv_done_o;  // step 6
    end
  end
endmodule
