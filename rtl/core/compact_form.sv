// The choice of a dynamic warp's threads. Not aware of pages: at each place the lowest home that has a thread to be placed, the whole warp at once. Aware: the lowest home that may
// join the warp, with all its threads at free places; any home may join an empty warp. Combinational. Page: docs/blocks/compactor.md (FORM, ADMIT).
module compact_form
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic                     aware_i,      // form by pages; otherwise the next four inputs do not matter
    input  warp_mask_t [WARPS-1:0]   common_i,     // homes with pages that a home touches, too
    input  warp_mask_t               members_i,    // homes of the warp so far: none, and no place is taken, before the first
    input  thread_mask_t             mask_i,       // places that are taken
    input  warp_t [THREADS-1:0]      homes_i,      // homes of these places
    input  thread_mask_t [WARPS-1:0] form_i,       // threads to be placed
    input  warp_t                    warp_i,       // warp in which it will run: the home of empty places, without pages
    output warp_mask_t               joins_o,      // the home that joins, with pages: one at most
    output thread_mask_t             mask_o,       // the warp's threads afterwards
    output warp_t [THREADS-1:0]      homes_o,
    output thread_mask_t [WARPS-1:0] left_o,       // threads that are still to be placed afterwards
    output logic                     mixed_o,      // the warp has several homes, without pages
    output logic                     more_o        // the place of some thread is free before a home joins
);
  // Without pages. `taken` is passed on from home to home.
  thread_mask_t taken;
  warp_t [THREADS-1:0] any_homes;
  thread_mask_t [WARPS-1:0] any_left;
  logic one;
  always_comb begin
    taken = '0;
    one = 1'b0;
    mixed_o = 1'b0;
    any_homes = {THREADS{warp_i}};
    any_left = form_i;
    for (int unsigned h = 0; h < WARPS; h++) begin
      any_left[h] = form_i[h] & taken;
      mixed_o |= one && (form_i[h] & ~taken) != '0;
      one |= (form_i[h] & ~taken) != '0;
      for (int unsigned t = 0; t < THREADS; t++) if (form_i[h][t] && !taken[t]) any_homes[t] = WARP_W'(h);
      taken |= form_i[h];
    end
  end

  // With pages. A member has no more threads for free places: it joined with all of them, and places do not become free.
  warp_mask_t fits, welcome;
  thread_mask_t come;
  warp_t who;
  thread_mask_t [WARPS-1:0] join_left;
  warp_t [THREADS-1:0] join_homes;
  always_comb begin
    for (int unsigned h = 0; h < WARPS; h++) begin
      fits[h] = (form_i[h] & ~mask_i) != '0;
      welcome[h] = fits[h] && (members_i & ~common_i[h]) == '0;
    end
    joins_o = welcome & (~welcome + 1'b1);
    come = '0;
    who = '0;
    for (int unsigned h = 0; h < WARPS; h++) begin
      if (joins_o[h]) begin
        come |= form_i[h] & ~mask_i;
        who |= WARP_W'(h);
      end
      join_left[h] = joins_o[h] ? form_i[h] & mask_i : form_i[h];
    end
    for (int unsigned t = 0; t < THREADS; t++) join_homes[t] = come[t] ? who : homes_i[t];
  end
  assign more_o = fits != '0;

  assign mask_o = aware_i ? mask_i | come : taken;
  assign homes_o = aware_i ? join_homes : any_homes;
  assign left_o = aware_i ? join_left : any_left;
endmodule
