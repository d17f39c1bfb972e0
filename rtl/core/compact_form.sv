// The choice of a dynamic warp's threads: at each place the lowest home that has one to be placed. Combinational.
module compact_form
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  thread_mask_t [WARPS-1:0] form_i,       // threads to be placed
    input  warp_t                    warp_i,       // where it will run: stands at places that have none
    output thread_mask_t             mask_o,
    output warp_t [THREADS-1:0]      homes_o,
    output thread_mask_t [WARPS-1:0] left_o,       // threads that are still to be placed then
    output logic                     mixed_o       // of several homes
);
  thread_mask_t taken;
  logic one;
  always_comb begin
    taken = '0;
    one = 1'b0;
    mixed_o = 1'b0;
    homes_o = {THREADS{warp_i}};
    left_o = form_i;
    for (int unsigned h = 0; h < WARPS; h++) begin
      left_o[h] = form_i[h] & taken;
      mixed_o |= one && (form_i[h] & ~taken) != '0;
      one |= (form_i[h] & ~taken) != '0;
      for (int unsigned t = 0; t < THREADS; t++) if (form_i[h][t] && !taken[t]) homes_o[t] = WARP_W'(h);
      taken |= form_i[h];
    end
  end
  assign mask_o = taken;
endmodule
