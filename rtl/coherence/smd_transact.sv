// Transactions of a stacked memory's directory with the home of its blocks: blocks that are fetched, evicted, or flushed. At most one for a place.
// Page: docs/blocks/smd.md (steps 1, 5, 6, 8).
//   FETCH: (OUT, LEAVE, LEFT, CLEAR: the block in the place is evicted first), ASK, WAIT, END, ARRIVE   EVICT: OUT, LEAVE, LEFT   FLUSH: ASK, WAIT, ARRIVE
`include "vl_assert.svh"
module smd_transact
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
#(
    localparam int unsigned X_W = idx_w(SMD_TRANSACTIONS)
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           far_i,          // blocks are fetched without lines
    output logic           none_o,
    output logic           none_maint_o,   // none for maintenance
    output logic           none_fetch_o,   // none, except for maintenance
    // s1: the transaction that has the place of its line
    input  line_addr_t     line_i,
    output logic           has_o,          // some transaction
    output logic           serves_o,       // a fetch of its block, and the line has come
    output logic           own_o,          // ... to own it
    output logic           room_o,         // one is free
    // s1: a new transaction. Its fields are stored before open_i is known, which is late.
    input  logic           open_i,
    input  logic           fetch_i,        // a fetch of line_i, for a read; else maintenance of the block in the place of line_i
    input  logic           own_i,
    input  logic           evict_i,        // that block is given back (for a fetch: first)
    input  line_addr_t     first_i,        // its first line
    input  logic           bytes_i,        // it may have bytes that the home does not have
    // s1: bytes of the slice arrived for its block; CLEAR, END of a transaction
    input  logic           touch_i,
    input  logic           s1_clear_i,
    input  logic           s1_end_i,
    input  logic [X_W-1:0] s1_x_i,
    input  logic           looked_i,       // CLEAR, END leave
    output nmoesi_e        state_o,        // END: the state of the block
    output line_addr_t     s1_line_o,      // of s1_x
    // transactions that wait for s1
    output logic           clear_o,
    output logic [X_W-1:0] clear_x_o,
    output line_addr_t     clear_line_o,
    output logic           end_o,
    output logic [X_W-1:0] end_x_o,
    output line_addr_t     end_line_o,
    // from the home: a line, a grant
    input  logic           come_i,
    input  logic           grant_i,
    input  line_addr_t     data_line_i,
    input  nmoesi_e        data_state_i,
    // to the home: requests
    output logic           req_valid_o,
    output smd_req_t       req_o,
    input  logic           req_ready_i,
    // ... ARRIVED
    output logic           arrived_valid_o,
    output line_addr_t     arrived_line_o,
    input  logic           arrived_ready_i,
    output logic           over_o          // a transaction ends with it
);
  localparam int unsigned N = SMD_TRANSACTIONS;
  typedef enum logic [1:0] {FETCH, FLUSH, EVICT} kind_e;
  typedef enum logic [2:0] {OUT, LEAVE, LEFT, CLEAR, ASK, WAIT, END, ARRIVE} stage_e;
  typedef logic [X_W-1:0] x_t;

  logic [N-1:0] valid_q, bytes_q, own_q, maint_q, granted_q, touched_q;
  kind_e kind_q[N];
  stage_e stage_q[N];
  line_addr_t line_q[N], victim_q[N];
  block_mask_t come_q[N];
  nmoesi_e gstate_q[N];

  assign none_o = valid_q == '0;
  assign none_maint_o = (valid_q & maint_q) == '0;
  assign none_fetch_o = (valid_q & ~maint_q) == '0;

  // ---- the owner of the place of s1 ------------------------------------------------------------------------------------
  logic [N-1:0] has, fetches, serves;      // fetches: of its block, and lines may come
  block_mask_t bit_of;
  assign bit_of = block_mask_t'(1) << block_off(line_i);
  always_comb
    for (int unsigned x = 0; x < N; x++) begin
      has[x] = valid_q[x] && smd_place(line_q[x]) == smd_place(line_i);
      fetches[x] = valid_q[x] && kind_q[x] == FETCH && stage_q[x] inside {WAIT, END} && block_of(line_q[x]) == block_of(line_i);
      serves[x] = fetches[x] && (come_q[x] & bit_of) != '0;
    end
  assign has_o = has != '0;
  assign serves_o = serves != '0;
  assign own_o = (serves & own_q) != '0;
  assign room_o = valid_q != '1;

  // ---- the lowest of each kind -----------------------------------------------------------------------------------------
  logic [N-1:0] in_s1, clears, ends, asks, arrives;
  x_t free_x, ask_x, arrive_x;
  function automatic x_t lowest(input logic [N-1:0] of);
    x_t found = '0;
    for (int unsigned x = N; x > 0; x--) if (of[x-1]) found = x_t'(x - 1);
    return found;
  endfunction
  assign in_s1 = N'(s1_clear_i || s1_end_i) << s1_x_i;
  always_comb
    for (int unsigned x = 0; x < N; x++) begin
      clears[x] = valid_q[x] && stage_q[x] == CLEAR && !in_s1[x];
      ends[x] = valid_q[x] && stage_q[x] == END && !in_s1[x];
      asks[x] = valid_q[x] && stage_q[x] inside {OUT, ASK};
      arrives[x] = valid_q[x] && stage_q[x] inside {LEFT, ARRIVE};
    end
  assign free_x = lowest(~valid_q);
  assign clear_x_o = lowest(clears);
  assign end_x_o = lowest(ends);
  assign ask_x = lowest(asks);
  assign arrive_x = lowest(arrives);
  assign clear_o = clears != '0;
  assign end_o = ends != '0;
  always_comb begin
    clear_line_o = '0;
    end_line_o = '0;
    for (int unsigned x = 0; x < N; x++) begin
      if (clears[x] && (clears & ~(~N'(0) << x)) == '0) clear_line_o |= line_q[x];
      if (ends[x] && (ends & ~(~N'(0) << x)) == '0) end_line_o |= line_q[x];
    end
  end
  assign s1_line_o = line_q[s1_x_i];
  assign state_o = touched_q[s1_x_i] ? touched(gstate_q[s1_x_i]) : gstate_q[s1_x_i];

  // ---- to the home (step 6) ----------------------------------------------------------------------------------------------
  logic ask_out, ask_go, left, arrive_go, goes_on;
  assign ask_out = stage_q[ask_x] == OUT;
  assign req_valid_o = asks != '0;
  always_comb begin
    req_o.line = ask_out ? victim_q[ask_x] : line_q[ask_x];
    unique case (kind_q[ask_x])
      FLUSH: req_o.op = SMD_FLUSH;
      default: req_o.op = own_q[ask_x] ? SMD_OWN : SMD_READ;
    endcase
    if (ask_out) req_o.op = SMD_EVICT;
    req_o.bytes = ask_out ? bytes_q[ask_x] : kind_q[ask_x] == FLUSH;
    req_o.thin = far_i && req_o.op inside {SMD_READ, SMD_OWN};
  end
  assign ask_go = req_valid_o && req_ready_i;
  assign left = stage_q[arrive_x] == LEFT;
  assign arrived_valid_o = arrives != '0;
  assign arrived_line_o = left ? victim_q[arrive_x] : line_q[arrive_x];
  assign arrive_go = arrived_valid_o && arrived_ready_i;
  assign goes_on = left && kind_q[arrive_x] == FETCH;
  assign over_o = arrive_go && !goes_on;

  // ---- from the home (step 1) ----------------------------------------------------------------------------------------------
  logic [N-1:0] of_victim, of_line;        // a grant of LEAVE, of WAIT; a line of a fetch
  always_comb
    for (int unsigned x = 0; x < N; x++) begin
      of_victim[x] = valid_q[x] && stage_q[x] == LEAVE && block_of(victim_q[x]) == block_of(data_line_i);
      of_line[x] = valid_q[x] && stage_q[x] == WAIT && block_of(line_q[x]) == block_of(data_line_i);
    end

  for (genvar x = 0; x < int'(N); x++) begin : gen_transactions
    logic opened, asked, arrived, looked;
    assign opened = open_i && free_x == x_t'(x);
    assign asked = ask_go && ask_x == x_t'(x);
    assign arrived = arrive_go && arrive_x == x_t'(x);
    assign looked = looked_i && in_s1[x];
    always_ff @(posedge clk_i) begin
      if (!valid_q[x]) begin
        kind_q[x] <= fetch_i ? FETCH : evict_i ? EVICT : FLUSH;
        own_q[x] <= fetch_i && own_i;
        maint_q[x] <= !fetch_i;
        line_q[x] <= fetch_i ? line_i : first_i;
        victim_q[x] <= first_i;
        bytes_q[x] <= bytes_i;
        come_q[x] <= '0;
        granted_q[x] <= 1'b0;
        touched_q[x] <= 1'b0;
      end else begin
        if (come_i && of_line[x]) come_q[x] <= come_q[x] | (block_mask_t'(1) << block_off(data_line_i));
        if (grant_i && of_line[x]) begin
          granted_q[x] <= 1'b1;
          gstate_q[x] <= data_state_i;
        end
        if (touch_i && fetches[x]) touched_q[x] <= 1'b1;
      end

      if (!valid_q[x]) stage_q[x] <= evict_i ? OUT : ASK;
      else
        unique case (stage_q[x])
          OUT: if (asked) stage_q[x] <= LEAVE;
          LEAVE: if (grant_i && of_victim[x]) stage_q[x] <= LEFT;
          LEFT: if (arrived) stage_q[x] <= CLEAR;
          CLEAR: if (looked) stage_q[x] <= ASK;
          ASK: if (asked) stage_q[x] <= WAIT;
          WAIT:
            if (kind_q[x] == FLUSH) begin
              if (grant_i && of_line[x]) stage_q[x] <= ARRIVE;
            end else if (granted_q[x] && (far_i || come_q[x] == '1)) stage_q[x] <= END;
          END: if (looked) stage_q[x] <= ARRIVE;
          default: ;
        endcase
      if (rst_i) valid_q[x] <= 1'b0;
      else valid_q[x] <= opened || (valid_q[x] && !(arrived && !goes_on));
    end
  end

  // ---- what always holds -------------------------------------------------------------------------------------------------
  logic one_a_place, grants_fit, once;
  always_comb begin
    one_a_place = 1'b1;
    grants_fit = 1'b1;
    once = 1'b1;
    for (int unsigned x = 0; x < N; x++) begin
      for (int unsigned y = 0; y < x; y++) one_a_place &= !(valid_q[x] && valid_q[y] && smd_place(line_q[x]) == smd_place(line_q[y]));
      if (of_victim[x]) grants_fit &= data_state_i == NMOESI_I;
      if (of_line[x] && kind_q[x] == FETCH)
        grants_fit &= !granted_q[x] && (own_q[x] ? data_state_i == NMOESI_M : data_state_i inside {NMOESI_S, NMOESI_E});
      if (of_line[x]) once &= kind_q[x] == FETCH && (come_q[x] & (block_mask_t'(1) << block_off(data_line_i))) == '0;
    end
  end
  `VL_ASSERT(one_transaction_a_place, one_a_place)
  `VL_ASSERT(opens_one_that_is_free, !open_i || (room_o && !has_o))
  `VL_ASSERT(a_line_has_its_fetch, !come_i || of_line != '0)
  `VL_ASSERT(a_line_comes_once, !come_i || once)
  `VL_ASSERT(a_grant_is_awaited, !grant_i || (of_line | of_victim) != '0)
  `VL_ASSERT(a_grant_is_what_was_asked_for, !grant_i || grants_fit)
  `VL_ASSERT(bytes_for_one_fetch, $countones(fetches) <= 1)
endmodule
