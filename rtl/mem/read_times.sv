// Reads of a memory channel's DRAM: when each was taken, for which class and applications, and its latency. Page: docs/blocks/perf.md, Times of reads.
module read_times
  import vellum_pkg::*, vl_cfg_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*;
(
    input  logic           clk_i,
    input  logic           rst_i,
    input  ev_mem_sched_t  ev_mem_sched_i,
    output ev_read_times_t read_o          // of this cycle
);
  localparam int unsigned TIME_W = 14;
  typedef logic [TIME_W-1:0] stamp_t;
  typedef struct packed {
    stamp_t stamp;
    mem_class_t cls;
    logic [APPS-1:0] app;
  } kept_t;

  // ---- step 2: a memory a slice, as all may ask at once
  stamp_t now_q;
  kept_t [L2_SLICES-1:0] kept;
  always_ff @(posedge clk_i) now_q <= rst_i ? '0 : now_q + 1'b1;
  for (genvar s = 0; s < int'(L2_SLICES); s++) begin : gen_slice
    kept_t word;
    assign word = '{stamp: now_q, cls: ev_mem_sched_i.read_cls[s], app: ev_mem_sched_i.read_app[s]};
    ram_lut #(.DEPTH(1 << HOME_ID_W), .WIDTH($bits(kept_t))) u_kept (
        .clk_i, .we_i(ev_mem_sched_i.read_in[s]), .waddr_i(ev_mem_sched_i.read_id[s]), .wdata_i(word), .raddr_i(ev_mem_sched_i.read_done_id[HOME_ID_W-1:0]), .rdata_o(kept[s])
    );
  end

  // ---- step 1
  kept_t of;
  stamp_t since;
  always_comb begin
    of = '0;
    for (int unsigned s = 0; s < L2_SLICES; s++) if (L2_SLICES == 1 || 32'(ev_mem_sched_i.read_done_id[HOME_ID_W+:SUB_W]) == s) of |= kept[s];
  end
  assign since = now_q - of.stamp;
  assign read_o = '{done: ev_mem_sched_i.read_done, cls: of.cls, app: of.app, latency: since[TIME_W-1] ? '1 : since[TIME_W-2:0]};
endmodule
