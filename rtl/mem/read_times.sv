// Reads of a memory channel's DRAM: when each was taken, for which class and applications, and its latency. Page: docs/blocks/perf_channel.md, steps 3 and 4.
module read_times
  import vellum_pkg::*, vl_cfg_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*, perf_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    input  ev_mem_sched_t    ev_i,
    input  quota_t [APPS-1:0] thresh_i,
    output ev_perf_channel_t ev_o          // of this cycle
);
  localparam int unsigned TIME_W = 14;
  typedef logic [TIME_W-1:0] stamp_t;
  typedef logic [TIME_W-2:0] latency_t;
  typedef struct packed {
    stamp_t stamp;
    mem_class_t cls;
    logic [APPS-1:0] app;
  } kept_t;

  // ---- step 4: a memory a slice, as all may ask at once
  stamp_t now_q;
  kept_t [L2_SLICES-1:0] kept;
  always_ff @(posedge clk_i) now_q <= rst_i ? '0 : now_q + 1'b1;
  for (genvar s = 0; s < int'(L2_SLICES); s++) begin : gen_slice
    kept_t word;
    assign word = '{stamp: now_q, cls: ev_i.read_cls[s], app: ev_i.read_app[s]};
    ram_lut #(.DEPTH(1 << HOME_ID_W), .WIDTH($bits(kept_t))) u_kept (
        .clk_i, .we_i(ev_i.read_in[s]), .waddr_i(ev_i.read_id[s]), .wdata_i(word), .raddr_i(ev_i.read_done_id[HOME_ID_W-1:0]), .rdata_o(kept[s])
    );
  end

  // ---- step 3
  kept_t of;
  stamp_t since;
  latency_t latency;
  logic [4:0] cls;
  logic [APPS-1:0] app;
  always_comb begin
    of = '0;
    for (int unsigned s = 0; s < L2_SLICES; s++) if (L2_SLICES == 1 || 32'(ev_i.read_done_id[HOME_ID_W+:SUB_W]) == s) of |= kept[s];
  end
  assign since = now_q - of.stamp;
  assign latency = since[TIME_W-1] ? '1 : since[TIME_W-2:0];
  for (genvar k = 0; k < 5; k++) begin : gen_cls
    assign cls[k] = ev_i.read_done && of.cls == mem_class_t'(k);
  end
  assign app = ev_i.read_done ? of.app : '0;
  assign ev_o = '{
      dram_reads_cls0: cls[0], dram_reads_cls1: cls[1], dram_reads_cls2: cls[2], dram_reads_cls3: cls[3], dram_reads_cls4: cls[4],
      dram_time_cls0: cls[0] ? latency : '0, dram_time_cls1: cls[1] ? latency : '0, dram_time_cls2: cls[2] ? latency : '0,
      dram_time_cls3: cls[3] ? latency : '0, dram_time_cls4: cls[4] ? latency : '0,
      dram_reads_app0: app[0], dram_reads_app1: app[1], dram_reads_app2: app[2], dram_reads_app3: app[3],
      dram_time_app0: app[0] ? latency : '0, dram_time_app1: app[1] ? latency : '0, dram_time_app2: app[2] ? latency : '0,
      dram_time_app3: app[3] ? latency : '0,
      quota_app0: thresh_i[0], quota_app1: thresh_i[1], quota_app2: thresh_i[2], quota_app3: thresh_i[3], channel_cycles: 1'b1
  };
endmodule
