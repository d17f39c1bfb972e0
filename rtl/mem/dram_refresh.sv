// When to refresh: counts pending refreshes, waits for quiet or for the latest time, then empties the banks. Page: docs/blocks/dram_ctrl.md, step 3.
module dram_refresh
  import vl_dram_pkg::*;
#(
    parameter int unsigned KIND = 0    // of chips (docs/configuration.md): those of `dram`, or of `host_dram`
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic [1:0] ticks_i,
    input  logic       empty_i,    // no transaction in any bank
    input  logic       closed_i,   // no bank open
    input  logic       prea_i,     // PREA goes
    input  logic       ref_i,      // REF goes
    output logic       run_o,      // stage RUN
    output logic       drain_o,    // DRAIN: PREA is due unless all banks are closed
    output logic       ref_o       // REF is due
);
  localparam dram_numbers_t D = dram_numbers(KIND);
  if (D.trefi == 0) begin : gen_none
    assign run_o = 1'b1;
    assign drain_o = 1'b0;
    assign ref_o = 1'b0;
  end else begin : gen_refresh
    localparam int unsigned REFI_W = $clog2(D.trefi + 1);
    localparam int unsigned DUE_W = $clog2(D.refresh_postpone + 2);
    localparam logic [3:0] QUIET = 4'd15;
    typedef enum logic [1:0] {RUN = 0, DRAIN = 1, REF = 2} stage_e;
    stage_e stage_q;
    logic [DUE_W-1:0] due_q;
    logic [REFI_W-1:0] refi_q;
    logic [3:0] quiet_q;
    logic another, wanted;
    assign another = REFI_W'(ticks_i) >= refi_q;
    assign wanted = 32'(due_q) >= D.refresh_postpone || (due_q != '0 && quiet_q == QUIET);

    assign run_o = stage_q == RUN;
    assign drain_o = stage_q == DRAIN;
    assign ref_o = stage_q == REF;

    always_ff @(posedge clk_i)
      if (rst_i) begin
        stage_q <= RUN;
        due_q <= '0;
        refi_q <= REFI_W'(D.trefi);
        quiet_q <= '0;
      end else begin
        refi_q <= refi_q - REFI_W'(ticks_i) + (another ? REFI_W'(D.trefi) : '0);
        if (another != ref_i) due_q <= another ? due_q + 1'b1 : due_q - 1'b1;
        quiet_q <= !empty_i ? '0 : (quiet_q == QUIET) ? QUIET : quiet_q + 1'b1;
        unique case (stage_q)
          RUN: if (wanted) stage_q <= DRAIN;
          DRAIN: if (closed_i || prea_i) stage_q <= REF;
          default: if (ref_i) stage_q <= RUN;
        endcase
      end
  end
endmodule
