// Lines that a coherent L2 slice has requested; the requests that wait for them are in lists (mshr_targets), replayed in order when the line has arrived.
// Page: docs/blocks/l2c.md (steps 1, 4, 6).
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2c_mshr #(
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
    input  logic [NUM_W-1:0] num_i,           // its line
    input  TGT               tgt_i,
    output logic             match_o,         // its line is awaited
    output logic             match_own_o,     // ... to be owned
    output logic [WAYS-1:0]  reserved_o,      // ways of its set that lines are awaited for
    output logic             mshr_room_o,
    output logic             target_room_o,
    output logic [IDX_W-1:0] new_k_o,         // the next new MSHR
    // its update (at most one)
    input  logic             append_i,        // to the list of the match
    input  logic             alloc_i,         // new MSHR
    input  logic             stores_i,        // either: it stores non-coherently
    input  logic             own_i,           // alloc: the line is asked for to be owned
    input  logic [WAY_W-1:0] way_i,
    // the next target to replay
    output logic             replay_valid_o,
    input  logic             replay_i,
    output TGT               replay_tgt_o,
    output logic [NUM_W-1:0] replay_num_o,
    output logic [WAY_W-1:0] replay_way_o,
    // home_rsp
    input  logic             rsp_valid_i,
    input  logic [IDX_W-1:0] rsp_k_i,
    output logic [NUM_W-1:0] rsp_num_o,
    output logic [WAY_W-1:0] rsp_way_o,
    output logic             rsp_own_o,
    output logic             rsp_stored_o     // a non-coherent store waits for it
);
  typedef logic [IDX_W-1:0] idx_t;

  logic [MSHRS-1:0] valid_q, done_q, own_q, stored_q;
  logic [MSHRS-1:0][NUM_W-1:0] num_q;
  logic [MSHRS-1:0][WAY_W-1:0] way_q;

  function automatic logic same_set(input logic [NUM_W-1:0] a, input logic [NUM_W-1:0] b);
    return ((a ^ b) & NUM_W'((1 << SET_BITS) - 1)) == '0;
  endfunction

  // ---- s1 looks -------------------------------------------------------------------------------------------------
  logic [MSHRS-1:0] awaited, match;
  idx_t match_k, new_k;
  assign awaited = valid_q & ~done_q;
  always_comb begin
    reserved_o = '0;
    match_k = '0;
    new_k = '0;
    match = '0;
    `VL_WHEN(valid_q != '0)
    for (int unsigned k = 0; k < MSHRS; k++) begin
      match[k] = awaited[k] && num_q[k] == num_i;
      if (match[k]) match_k |= idx_t'(k);
      if (awaited[k] && same_set(num_q[k], num_i)) reserved_o[way_q[k]] = 1'b1;
    end
    for (int unsigned k = MSHRS; k > 0; k--) if (!valid_q[k-1]) new_k = idx_t'(k - 1);
  end
  assign match_o = match != '0;
  assign match_own_o = (match & own_q) != '0;
  assign mshr_room_o = valid_q != '1;
  assign new_k_o = new_k;
  assign none_o = valid_q == '0;

  // ---- lists ----------------------------------------------------------------------------------------------------
  logic enlist;
  logic [MSHRS-1:0] empty;
  idx_t k_of, rk;
  assign enlist = append_i || alloc_i;
  assign k_of = match_o ? match_k : new_k;
  mshr_targets #(.TGT(TGT), .MSHRS(MSHRS), .TARGETS(TARGETS)) u_lists (
      .clk_i, .rst_i, .empty_o(empty), .room_o(target_room_o), .list_i(enlist), .k_i(k_of), .tgt_i, .done_i(valid_q & done_q),
      .replay_valid_o, .replay_i, .replay_k_o(rk), .replay_tgt_o
  );
  assign replay_num_o = num_q[rk];
  assign replay_way_o = way_q[rk];

  assign rsp_num_o = num_q[rsp_k_i];
  assign rsp_way_o = way_q[rsp_k_i];
  assign rsp_own_o = own_q[rsp_k_i];
  assign rsp_stored_o = stored_q[rsp_k_i];

  always_ff @(posedge clk_i) begin
    `VL_WHEN(enlist)
    for (int unsigned k = 0; k < MSHRS; k++)
      if (enlist && k_of == idx_t'(k)) begin
        if (alloc_i) num_q[k] <= num_i;
        if (alloc_i) way_q[k] <= way_i;
        if (alloc_i) own_q[k] <= own_i;
        stored_q[k] <= stores_i || (!alloc_i && stored_q[k]);
      end
    if (rst_i) begin
      valid_q <= '0;
      done_q <= '0;
    end else begin
      `VL_WHEN(valid_q != '0 || alloc_i)
      for (int unsigned k = 0; k < MSHRS; k++) begin
        if (valid_q[k] && done_q[k] && empty[k]) valid_q[k] <= 1'b0;
        if (alloc_i && new_k == idx_t'(k)) begin
          valid_q[k] <= 1'b1;
          done_q[k] <= 1'b0;
        end
        if (rsp_valid_i && rsp_k_i == idx_t'(k)) done_q[k] <= 1'b1;
      end
    end
  end

  `VL_ASSERT(one_mshr_an_awaited_line, $countones(match) <= 1 || !enlist)
  `VL_ASSERT(answers_are_awaited, !rsp_valid_i || awaited[rsp_k_i])
  `VL_ASSERT(one_thing_at_a_time, $countones({append_i, alloc_i, replay_i}) <= 1)
  `VL_ASSERT(lists_rest_while_a_line_comes, !rsp_valid_i || !enlist)
  `VL_ASSERT(appends_to_a_match, !append_i || match_o)
  `VL_ASSERT(allocates_what_is_free, !alloc_i || (!match_o && mshr_room_o))
endmodule
