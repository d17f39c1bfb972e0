// Counts through the workgroups of a kernel, x fastest, and gives each to a core that is ready. A cell of dispatcher, one a kernel slot:
// docs/blocks/dispatcher.md (step numbers are the page's).
module group_source
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import core_pkg::*;
(
    input  logic               clk_i,
    input  logic               rst_i,
    // from ctrl
    input  kernel_t            kernel_i,
    input  logic               kernel_start_i,
    input  logic               halt_i,
    output logic               done_o,
    // to and from the cores that are the kernel's
    output logic   [CORES-1:0] offer_o,      // one-hot
    output group_t             group_o,
    input  logic   [CORES-1:0] group_ready_i,
    input  logic   [CORES-1:0] group_done_i
);
  localparam int unsigned OUT_W = $clog2(CORES * GROUPS + 1);
  typedef logic [OUT_W-1:0] out_t;

  group_t cur_q;
  logic more_q, run_q;
  logic [CORES-1:0] offer_q, grant;    // one-hot
  out_t out_q, ended;

  // ---- step 2
  logic taken, more;
  logic [2:0] wraps;
  assign taken = (offer_q & group_ready_i) != '0;
  always_comb begin
    for (int unsigned d = 0; d < 3; d++) wraps[d] = cur_q.grp[d] + 32'd1 == kernel_i.groups[d];
    more = more_q && !(taken && (&wraps));
  end

  // ---- step 3
  logic choose;
  assign choose = offer_q == '0 || taken;
  logic [CORES-1:0] asks, seat_asks, seat_grant;
  assign asks = group_ready_i & ~offer_q & {CORES{more && !halt_i}};
  // Devices in turn: cores are tried in the order of their seats.
  for (genvar d = 0; d < DEVICES; d++) begin : g_device
    for (genvar n = 0; n < CORES / DEVICES; n++) begin : g_seat
      assign seat_asks[n*DEVICES+d] = asks[d*(CORES/DEVICES)+n];
      assign grant[d*(CORES/DEVICES)+n] = seat_grant[n*DEVICES+d];
    end
  end
  rr_arb #(.N(CORES)) u_rr (.clk_i, .rst_i(rst_i || kernel_start_i), .req_i(seat_asks), .advance_i(choose), .grant_o(seat_grant), .index_o());

  always_comb begin
    ended = '0;
    for (int unsigned c = 0; c < CORES; c++) ended += out_t'(group_done_i[c]);
  end

  assign offer_o = offer_q;
  assign group_o = cur_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      cur_q <= '0;
      more_q <= 1'b0;
      offer_q <= '0;
      out_q <= '0;
      run_q <= 1'b0;
      done_o <= 1'b0;
    end else if (kernel_start_i) begin  // step 1
      cur_q <= '{grp: '0, gbase: kernel_i.offset};
      more_q <= kernel_i.groups[0] != '0 && kernel_i.groups[1] != '0 && kernel_i.groups[2] != '0;
      offer_q <= '0;
      out_q <= '0;
      run_q <= 1'b1;
      done_o <= 1'b0;
    end else begin
      more_q <= more;
      if (taken)
        for (int unsigned d = 0; d < 3; d++)
          if (d == 0 || (d == 1 && wraps[0]) || (d == 2 && (&wraps[1:0]))) begin
            cur_q.grp[d] <= wraps[d] ? '0 : cur_q.grp[d] + 32'd1;
            cur_q.gbase[d] <= wraps[d] ? kernel_i.offset[d] : cur_q.gbase[d] + 32'(kernel_i.local_size[d]);
          end
      if (choose) offer_q <= grant;
      out_q <= out_q + out_t'(taken) - ended;  // step 4
      if (run_q && !more_q && offer_q == '0 && out_q == '0) done_o <= 1'b1;  // step 5
    end
  end
endmodule
