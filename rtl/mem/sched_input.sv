// Requests of the slices on their way to mem_sched's input registers: two wait for each slice; one a cycle moves on, by round robin among
// the slices with a first request that finds the register of its kind empty. Page: docs/blocks/mem_sched.md, step 1.
module sched_input
  import vl_cfg_pkg::*, vellum_pkg::*, mem_pkg::*, home_pkg::*, memside_pkg::*;
(
    input  logic                       clk_i,
    input  logic                       rst_i,
    input  logic      [L2_SLICES-1:0]  req_valid_i,
    input  home_req_t [L2_SLICES-1:0]  req_i,
    output logic      [L2_SLICES-1:0]  req_ready_o,
    input  logic                       golden_i,      // walks are a kind of their own
    input  logic                       free_g_i,      // registers that are empty
    input  logic                       free_d_i,
    input  logic                       free_w_i,
    output logic                       take_g_o,
    output logic                       take_d_o,
    output logic                       take_w_o,
    output logic      [SUB_W-1:0]      slice_o,
    output sched_req_t                 req_o,
    output logic                       empty_o
);
  sched_req_t [L2_SLICES-1:0] kept, head;
  logic [L2_SLICES-1:0] valid, walk, ask, grant;

  for (genvar s = 0; s < int'(L2_SLICES); s++) begin : gen_slice
    assign kept[s] = '{write: req_i[s].op == HOME_WRITE_BACK, id: req_i[s].id, cls: req_i[s].cls, asid: req_i[s].asid, line: req_i[s].line,
                       be: req_i[s].be, data: req_i[s].data};
    fifo #(.T(sched_req_t), .DEPTH(2)) u_queue (
        .clk_i, .rst_i, .valid_i(req_valid_i[s]), .ready_o(req_ready_o[s]), .data_i(kept[s]),
        .valid_o(valid[s]), .ready_i(grant[s]), .data_o(head[s])
    );
    assign walk[s] = golden_i && head[s].cls != '0;
    assign ask[s] = valid[s] && (head[s].write ? free_w_i : walk[s] ? free_g_i : free_d_i);
  end
  rr_arb #(.N(L2_SLICES)) u_arb (.clk_i, .rst_i, .req_i(ask), .advance_i(1'b1), .grant_o(grant), .index_o(slice_o));

  always_comb begin
    req_o = '0;
    take_g_o = 1'b0;
    take_d_o = 1'b0;
    take_w_o = 1'b0;
    for (int unsigned s = 0; s < L2_SLICES; s++) begin
      if (L2_SLICES == 1 || grant[s]) req_o |= head[s];
      take_w_o |= grant[s] && head[s].write;
      take_g_o |= grant[s] && !head[s].write && walk[s];
      take_d_o |= grant[s] && !head[s].write && !walk[s];
    end
  end
  assign empty_o = valid == '0;
endmodule
