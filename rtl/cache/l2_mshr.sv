// Lines an L2 slice waits for; the requests that wait for them are in lists (mshr_targets), replayed in order when the line is here.
// The id of an answer is {1 = into the cache, MSHR} or {0 = beside it, MSHR}. Page: docs/blocks/l2.md (steps 1, 4, 5).
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2_mshr
  import vellum_pkg::*;
#(
    parameter type TGT = logic,
    parameter int unsigned MSHRS = 8,
    parameter int unsigned TARGETS = 8,
    parameter int unsigned NUM_W = 41,
    parameter int unsigned SET_BITS = 6,
    parameter int unsigned WAYS = 8,
    localparam int unsigned WAY_W = (WAYS <= 1) ? 1 : $clog2(WAYS),
    localparam int unsigned IDX_W = (MSHRS <= 1) ? 1 : $clog2(MSHRS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    output logic             none_o,          // no MSHR is in use
    // the request in s1
    input  logic [NUM_W-1:0] num_i,           // line of the request
    input  TGT               tgt_i,
    output logic             match_o,         // an MSHR waits for its line
    output logic             match_byp_o,     // ... which bypasses the cache
    output logic             match_here_o,    // ... and has arrived, or arrives at this edge
    output logic [WAYS-1:0]  reserved_o,      // ways of its set that are reserved for fills
    output logic             mshr_room_o,
    output logic             target_room_o,
    output logic [IDX_W-1:0] k_o,             // the MSHR that waits for its line, else the next new one
    // its update (at most one)
    input  logic             append_i,        // to the list of the match
    input  logic             upgrade_i,       // the same, and the line is to go into way_i
    input  logic             alloc_i,         // new MSHR
    input  logic             byp_i,           // alloc: the line bypasses the cache
    input  logic [WAY_W-1:0] way_i,
    // the next target to replay
    output logic             replay_valid_o,
    input  logic             replay_i,
    output logic [IDX_W-1:0] replay_k_o,
    output TGT               replay_tgt_o,
    output logic [NUM_W-1:0] replay_num_o,
    output logic [WAY_W-1:0] replay_way_o,
    output logic             replay_byp_o,
    // from s2: the line needs no fetch; or a fetch after which these bytes keep their values
    input  logic             here_i,
    input  logic             fetch_i,
    input  logic [IDX_W-1:0] s2_k_i,
    input  line_be_t         spare_i,
    // home_rsp
    input  logic             rsp_valid_i,
    input  logic             rsp_fill_i,      // top bit of the id
    input  logic [IDX_W-1:0] rsp_k_i,
    output logic [NUM_W-1:0] rsp_num_o,
    output logic [WAY_W-1:0] rsp_way_o,
    output line_be_t         rsp_spare_o
);
  typedef logic [IDX_W-1:0] idx_t;

  logic [MSHRS-1:0] valid_q, done_q, byp_q, drop_q;
  logic [MSHRS-1:0][NUM_W-1:0] num_q;
  logic [MSHRS-1:0][WAY_W-1:0] way_q;

  function automatic logic same_set(input logic [NUM_W-1:0] a, input logic [NUM_W-1:0] b);
    return ((a ^ b) & NUM_W'((1 << SET_BITS) - 1)) == '0;
  endfunction

  // ---- s1 looks -------------------------------------------------------------------------------------------------
  logic [MSHRS-1:0] match, arrives;
  idx_t match_k, new_k;
  always_comb begin
    reserved_o = '0;
    match_k = '0;
    new_k = '0;
    match = '0;
    arrives = '0;
    `VL_WHEN(valid_q != '0)
    for (int unsigned k = 0; k < MSHRS; k++) begin
      match[k] = valid_q[k] && num_q[k] == num_i;
      arrives[k] = rsp_valid_i && rsp_k_i == idx_t'(k);
      if (match[k]) match_k |= idx_t'(k);
      if (valid_q[k] && !byp_q[k] && same_set(num_q[k], num_i)) reserved_o[way_q[k]] = 1'b1;
    end
    for (int unsigned k = MSHRS; k > 0; k--) if (!valid_q[k-1]) new_k = idx_t'(k - 1);
  end
  assign match_o = match != '0;
  assign match_byp_o = (match & byp_q) != '0;
  assign match_here_o = (match & (done_q | arrives)) != '0;
  assign mshr_room_o = valid_q != '1;
  assign k_o = match_o ? match_k : new_k;
  assign none_o = valid_q == '0;

  // ---- lists ----------------------------------------------------------------------------------------------------
  logic enlist;
  logic [MSHRS-1:0] empty;
  idx_t rk;
  assign enlist = append_i || upgrade_i || alloc_i;
  mshr_targets #(.TGT(TGT), .MSHRS(MSHRS), .TARGETS(TARGETS)) u_lists (
      .clk_i, .rst_i, .empty_o(empty), .room_o(target_room_o), .list_i(enlist), .k_i(k_o), .tgt_i, .done_i(valid_q & done_q),
      .replay_valid_o, .replay_i, .replay_k_o(rk), .replay_tgt_o
  );
  assign replay_k_o = rk;
  assign replay_num_o = num_q[rk];
  assign replay_way_o = way_q[rk];
  assign replay_byp_o = byp_q[rk];

  // ---- bytes a fill spares ----------------------------------------------------------------------------------------
  ram_lut #(.DEPTH(MSHRS), .WIDTH($bits(line_be_t))) u_spare (
      .clk_i, .we_i(fetch_i), .waddr_i(s2_k_i), .wdata_i(spare_i), .raddr_i(rsp_k_i), .rdata_o(rsp_spare_o)
  );
  assign rsp_num_o = num_q[rsp_k_i];
  assign rsp_way_o = way_q[rsp_k_i];

  always_ff @(posedge clk_i) begin
    `VL_WHEN(alloc_i || upgrade_i)
    for (int unsigned k = 0; k < MSHRS; k++)
      if ((alloc_i || upgrade_i) && k_o == idx_t'(k)) begin
        if (alloc_i) num_q[k] <= num_i;
        way_q[k] <= byp_i ? '0 : way_i;
      end
    if (rst_i) begin
      valid_q <= '0;
      done_q <= '0;
      byp_q <= '0;
      drop_q <= '0;
    end else begin
      `VL_WHEN(valid_q != '0 || alloc_i)
      for (int unsigned k = 0; k < MSHRS; k++) begin
        if (valid_q[k] && done_q[k] && !drop_q[k] && empty[k] && !(append_i && match[k])) valid_q[k] <= 1'b0;
        if (alloc_i && new_k == idx_t'(k)) begin
          valid_q[k] <= 1'b1;
          done_q[k] <= 1'b0;
          byp_q[k] <= byp_i;
        end
        if (upgrade_i && match[k]) begin
          byp_q[k] <= 1'b0;
          drop_q[k] <= 1'b1;
        end
        if (arrives[k]) begin
          if (rsp_fill_i || byp_q[k]) done_q[k] <= 1'b1;
          else drop_q[k] <= 1'b0;
        end
        if (here_i && s2_k_i == idx_t'(k)) done_q[k] <= 1'b1;
      end
    end
  end

  `VL_ASSERT(one_mshr_a_line, $countones(match) <= 1 || !enlist)
  `VL_ASSERT(answers_are_awaited, !rsp_valid_i || (valid_q[rsp_k_i] && (rsp_fill_i ? !done_q[rsp_k_i] && !byp_q[rsp_k_i] : byp_q[rsp_k_i] ? !done_q[rsp_k_i] : drop_q[rsp_k_i])))
  `VL_ASSERT(one_thing_at_a_time, $countones({append_i, upgrade_i, alloc_i, replay_i}) <= 1)
  `VL_ASSERT(appends_to_a_match, !(append_i || upgrade_i) || match_o)
  `VL_ASSERT(upgrades_what_is_still_to_come, !upgrade_i || (match_byp_o && !match_here_o))
  `VL_ASSERT(allocates_what_is_free, !alloc_i || (!match_o && mshr_room_o))
endmodule
