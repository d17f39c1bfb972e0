// Performance counters of an L2 slice: its own events, those of its ends of the networks, and its accesses and hits by requester class and by
// application. Page: docs/blocks/perf_slice.md; step numbers in comments are the page's.
module perf_slice
  import policy_pkg::*, memside_pkg::*, perf_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // events of the slice, of req_net and of rsp_net
    input  ev_l2_t               ev_i,
    input  logic                 ev_taken_i,
    input  logic                 ev_blocked_i,
    input  logic                 ev_rsp_stalled_i,
    // from ctrl
    input  mem_ctl_t             ctl_i,
    input  logic                 clear_i,
    input  logic [7:0]           rd_idx_i,
    output logic [COUNTER_W-1:0] rd_data_o
);
  // ---- step 1: the source of the request that was looked up
  logic [7:0] access_cls, hit_cls;
  logic [APPS-1:0] app, access_app, hit_app;
  for (genvar k = 0; k < 8; k++) begin : gen_cls
    assign access_cls[k] = ev_i.l2_access && ev_i.l2_cls == 3'(k);
  end
  for (genvar a = 0; a < int'(APPS); a++) begin : gen_app
    assign app[a] = ctl_i.sched.app_valid[a] && ctl_i.sched.app_asid[a] == ev_i.l2_asid;
  end
  assign access_app = ev_i.l2_access ? app : '0;
  assign hit_cls = ev_i.l2_hit ? access_cls : '0;
  assign hit_app = ev_i.l2_hit ? access_app : '0;

  ev_slice_t ev;
  assign ev.l2 = ev_i;
  assign ev.req_net = '{l2_req_taken: ev_taken_i, l2_req_blocked: ev_blocked_i};
  assign ev.rsp_net = '{l2_rsp_stalled: ev_rsp_stalled_i};
  assign ev.perf_slice = '{
      l2_access_cls0: access_cls[0], l2_access_cls1: access_cls[1], l2_access_cls2: access_cls[2], l2_access_cls3: access_cls[3],
      l2_access_cls4: access_cls[4], l2_access_cls5: access_cls[5], l2_access_cls6: access_cls[6], l2_access_cls7: access_cls[7],
      l2_hit_cls0: hit_cls[0], l2_hit_cls1: hit_cls[1], l2_hit_cls2: hit_cls[2], l2_hit_cls3: hit_cls[3],
      l2_hit_cls4: hit_cls[4], l2_hit_cls5: hit_cls[5], l2_hit_cls6: hit_cls[6], l2_hit_cls7: hit_cls[7],
      l2_access_app0: access_app[0], l2_access_app1: access_app[1], l2_access_app2: access_app[2], l2_access_app3: access_app[3],
      l2_hit_app0: hit_app[0], l2_hit_app1: hit_app[1], l2_hit_app2: hit_app[2], l2_hit_app3: hit_app[3]
  };

  // ---- steps 2, 3
  logic [SLICE_COUNTERS-1:0][SLICE_INC_W-1:0] inc;
  assign inc = slice_increments(ev);
  counter_bank #(.COUNTERS(SLICE_COUNTERS), .INC_W(SLICE_INC_W), .INCREMENT_W(SLICE_INCREMENT_W), .VALUE_W(COUNTER_W)) u_bank (
      .clk_i, .rst_i, .inc_i(inc), .clear_i, .rd_idx_i, .rd_data_o
  );
endmodule
