// Proof of the choice of a dynamic warp's threads, for any threads that are to be placed, any warp that is there so far, and any pairs of homes. Pages: docs/blocks/compactor.md (FORM, ADMIT),
// docs/compaction.md.
module compact_form_proof
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input logic                     clk_i,
    input logic                     aware_i,
    input warp_mask_t [WARPS-1:0]   common_i,
    input warp_mask_t               members_i,
    input thread_mask_t             mask_i,
    input warp_t [THREADS-1:0]      homes_i,
    input thread_mask_t [WARPS-1:0] form_i,
    input warp_t                    warp_i
);
  // Registers, since a proof needs states.
  logic aware_q;
  warp_mask_t [WARPS-1:0] common_q;
  warp_mask_t members_q;
  thread_mask_t mask_q;
  warp_t [THREADS-1:0] homes_q;
  thread_mask_t [WARPS-1:0] form_q;
  warp_t warp_q;
  always_ff @(posedge clk_i) {aware_q, common_q, members_q, mask_q, homes_q, form_q, warp_q} <= {aware_i, common_i, members_i, mask_i, homes_i, form_i, warp_i};
  warp_mask_t joins;
  thread_mask_t mask;
  warp_t [THREADS-1:0] homes;
  thread_mask_t [WARPS-1:0] left;
  logic mixed, more;
  compact_form dut (
      .aware_i(aware_q), .common_i(common_q), .members_i(members_q), .mask_i(mask_q), .homes_i(homes_q), .form_i(form_q), .warp_i(warp_q),
      .joins_o(joins), .mask_o(mask), .homes_o(homes), .left_o(left), .mixed_o(mixed), .more_o(more)
  );

  thread_mask_t were;                                    // places that were taken
  thread_mask_t [WARPS-1:0] placed;                      // threads that have been placed now, by home
  warp_mask_t welcome, brings;
  logic none;
  always_comb begin
    were = aware_q ? mask_q : '0;
    none = 1'b1;
    for (int unsigned h = 0; h < WARPS; h++) begin
      for (int unsigned t = 0; t < THREADS; t++) placed[h][t] = mask[t] && !were[t] && homes[t] == WARP_W'(h);
      welcome[h] = (form_q[h] & ~mask_q) != '0 && (members_q & ~common_q[h]) == '0;
      brings[h] = placed[h] != '0;
      if (form_q[h] != '0) none = 1'b0;
    end
  end

  for (genvar h = 0; h < WARPS; h++) begin : gen_home
    always_comb begin
      // As `placed` is by place, no thread leaves its place either.
      none_is_lost_or_doubled: assert ((left[h] | placed[h]) == form_q[h] && (left[h] & placed[h]) == '0);
      pairs_hold: assert (!aware_q || !brings[h] || (members_q & ~common_q[h]) == '0);
      lowest_that_may: assert (!aware_q || !brings[h] || (welcome & ((warp_mask_t'(1) << h) - 1'b1)) == '0);
      a_leader_brings_all: assert (!aware_q || members_q != '0 || mask_q != '0 || !brings[h] || left[h] == '0);
    end
  end
  for (genvar t = 0; t < THREADS; t++) begin : gen_place
    always_comb places_are_kept: assert (!were[t] || (mask[t] && homes[t] == homes_q[t]));
    for (genvar h = 0; h < WARPS; h++) begin : gen_home
      always_comb lowest_home_of_a_place: assert (aware_q || !form_q[h][t] || (mask[t] && 32'(homes[t]) <= h));
    end
  end
  always_comb begin
    one_joins_and_is_told: assert (!aware_q || (joins == brings && (brings & (brings - 1'b1)) == '0));
    somebody_comes: assert (none || (aware_q && welcome == '0) || brings != '0);
    several_are_told: assert (aware_q || mixed == ((brings & (brings - 1'b1)) != '0));
  end
endmodule
