// TLB-fill tokens: of each kernel the lowest warps of its cores may fill the shared L2 TLB; how many is decided at the end of each epoch from the rate of misses, by one divider
// for all kernel slots in turn. Page: docs/blocks/fill_tokens.md; step numbers in comments are the page's.
`include "vl_assert.svh"
`include "vl_skip.svh"
module fill_tokens
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, mem_pkg::*, mmu_pkg::*;
(
    input  logic                        clk_i,
    input  logic                        rst_i,
    // ctrl
    input  tokens_policy_t               policy_i,
    input  logic                        epoch_i,
    input  kslot_t [CORES-1:0]          owner_i,
    // l2_tlb
    input  logic [L2_TLB_PORTS-1:0]     look_valid_i,
    input  l2_look_t [L2_TLB_PORTS-1:0] look_i,
    output tokens_t [KERNELS-1:0]       tokens_o,
    // counters
    output ev_fill_tokens_t             ev_o
);
  typedef logic [19:0] count_t;
  typedef logic [WARP_W:0] number_t;             // of warps, 0..WARPS
  typedef struct packed {
    logic known;
    logic begun;                                // an epoch has ended since it is known
    asid_t asid;
    count_t looks;
    count_t misses;
    number_t top;                               // one more than the highest warp
  } counts_t;
  localparam number_t MOST = number_t'(WARPS);

  // One more look-up of an address space that is known.
  function automatic counts_t count(input counts_t s, input l2_look_t look);
    counts_t n = s;
    if (s.looks != '1) begin
      n.looks = s.looks + 20'd1;
      n.misses = s.misses + 20'(!look.hit);
    end
    if (number_t'(look.warp) >= s.top) n.top = number_t'(look.warp) + number_t'(1);
    return n;
  endfunction

  // ---- look-ups (1): counted into the values before the edge, or from 0 in a slot that begins anew ---------------------
  counts_t counts_q[KERNELS], counts[KERNELS];
  logic [KERNELS-1:0] takes, other;              // takes: its counts begin anew (2); other: its address space has changed
  always_comb begin
    other = '0;
    for (int unsigned k = 0; k < KERNELS; k++) begin
      counts[k] = counts_q[k];
      if (takes[k]) begin
        {counts[k].looks, counts[k].misses} = '0;
        counts[k].begun = 1'b1;
      end
    end
    `VL_WHEN(look_valid_i != '0) for (int unsigned p = 0; p < L2_TLB_PORTS; p++)
      for (int unsigned k = 0; k < KERNELS; k++)
        if (look_valid_i[p] && 32'(owner_i[look_i[p].core]) == k) begin
          if (!counts[k].known || counts[k].asid != look_i[p].asid) begin
            other[k] = 1'b1;
            counts[k] = '{known: 1'b1, asid: look_i[p].asid, default: '0};
          end
          counts[k] = count(counts[k], look_i[p]);
        end
  end

  // ---- ends of epochs (2) -------------------------------------------------------------------------------------------
  logic busy_q, taking, verdict, next_slot, void_q;   // void: the address space of the slot has changed since the division began
  logic [KSLOT_W-1:0] slot_q;
  logic [3:0] bit_q;
  count_t div_q, rem_q, rem;
  logic [8:0] quot_q;
  logic [9:0] rate;                              // with the last bit
  number_t top_q;
  logic [20:0] twice;
  logic fits;
  counts_t mine;                                 // of the slot in turn
  assign mine = counts_q[slot_q];
  assign taking = busy_q && !epoch_i && bit_q == 4'd10;
  assign verdict = busy_q && !epoch_i && bit_q == 4'd0;
  assign next_slot = verdict || (taking && (mine.looks == '0 || !mine.begun));
  always_comb for (int unsigned k = 0; k < KERNELS; k++) takes[k] = taking && 32'(slot_q) == k;
  assign twice = {rem_q, 1'b0};
  assign fits = twice >= 21'(div_q);
  assign rem = fits ? 20'(twice - 21'(div_q)) : twice[19:0];
  assign rate = {quot_q, fits};

  // ---- the verdict --------------------------------------------------------------------------------------------------
  typedef struct packed {
    logic all;
    logic rated;
    logic [9:0] rate;
    number_t tokens;
  } grant_t;
  grant_t grant_q[KERNELS], grant[KERNELS], was, fresh;
  logic [WARP_W+8:0] share;                      // in 1/128
  logic [WARP_W+2:0] first;
  logic worse, better;
  logic [WARP_W+6:0] fewer, more;                // sums with a step of up to 63
  assign was = grant_q[slot_q];
  assign share = (WARP_W+9)'(top_q) * (WARP_W+9)'(policy_i.share) + (WARP_W+9)'(127);
  assign first = (WARP_W+3)'(share >> 7);
  assign worse = 11'(rate) > 11'(was.rate) + 11'(policy_i.delta);
  assign better = 11'(rate) + 11'(policy_i.delta) < 11'(was.rate);
  assign more = (WARP_W+7)'(was.tokens) + (WARP_W+7)'(policy_i.step);
  assign fewer = (WARP_W+7)'(policy_i.step) + (WARP_W+7)'(1);    // tokens needed for a whole step down
  always_comb begin
    fresh = '{all: 1'b0, rated: 1'b1, rate: rate, tokens: was.tokens};
    if (!was.rated) fresh.tokens = (first == '0) ? number_t'(1) : (32'(first) > WARPS) ? MOST : number_t'(first);
    else if (worse) fresh.tokens = ((WARP_W+7)'(was.tokens) < fewer) ? number_t'(1) : was.tokens - number_t'(policy_i.step);
    else if (better) fresh.tokens = (32'(more) > WARPS) ? MOST : number_t'(more);
    for (int unsigned k = 0; k < KERNELS; k++) begin
      grant[k] = grant_q[k];
      if (verdict && !void_q && 32'(slot_q) == k) grant[k] = fresh;
      if (other[k]) grant[k] = '{all: 1'b1, rate: grant_q[k].rate, default: '0};
    end
  end

  // The warps that may fill, for the counters: of the first four slots.
  logic [3:0][6:0] fill;
  always_comb begin
    fill = '0;
    for (int unsigned k = 0; k < KERNELS && k < 4; k++) if (policy_i.on) fill[k] = grant[k].all ? 7'(WARPS) : 7'(grant[k].tokens);
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  tokens_t [KERNELS-1:0] tokens_q;
  ev_fill_tokens_t ev_q;
  always_ff @(posedge clk_i) begin
    if (taking) begin
      div_q <= mine.looks;
      rem_q <= mine.misses;
      top_q <= mine.top;
      quot_q <= '0;
    end else if (busy_q) begin
      rem_q <= rem;
      quot_q <= rate[8:0];
    end
    if (rst_i) begin
      for (int unsigned k = 0; k < KERNELS; k++) begin
        counts_q[k] <= '0;
        grant_q[k] <= '{all: 1'b1, default: '0};
        tokens_q[k] <= '{all: 1'b1, tokens: '0};
      end
      busy_q <= 1'b0;
      slot_q <= '0;
      bit_q <= '0;
      void_q <= 1'b0;
      ev_q <= '0;
    end else begin
      for (int unsigned k = 0; k < KERNELS; k++) begin
        counts_q[k] <= counts[k];
        grant_q[k] <= grant[k];
        tokens_q[k] <= (grant[k].all || !policy_i.on) ? '{all: 1'b1, tokens: '0} : '{all: 1'b0, tokens: grant[k].tokens};
      end
      void_q <= other[slot_q] || (void_q && !taking);
      if (epoch_i) begin
        busy_q <= 1'b1;
        slot_q <= '0;
        bit_q <= 4'd10;
      end else if (busy_q) begin
        bit_q <= next_slot ? 4'd10 : bit_q - 4'd1;
        if (next_slot) begin
          busy_q <= 32'(slot_q) != KERNELS - 1;
          slot_q <= slot_q + 1'b1;
        end
      end
      ev_q.tokens_more <= verdict && !void_q && !other[slot_q] && was.rated && fresh.tokens > was.tokens;
      ev_q.tokens_on <= policy_i.on;
      {ev_q.tokens_k3, ev_q.tokens_k2, ev_q.tokens_k1, ev_q.tokens_k0} <= fill;
      ev_q.tokens_less <= verdict && !void_q && !other[slot_q] && was.rated && fresh.tokens < was.tokens;
    end
  end
  assign tokens_o = tokens_q;
  assign ev_o = ev_q;

  `VL_ASSERT(misses_are_looks, !busy_q || bit_q == 4'd10 || rem_q <= div_q)
  `VL_ASSERT(has_tokens, !verdict || void_q || (fresh.tokens != '0 && 32'(fresh.tokens) <= WARPS))
endmodule
