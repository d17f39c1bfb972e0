// The checks of a PTE that hold for every access, for all four levels at which it may have been read. Combinational.
// Page: docs/blocks/ptw.md (step 2); steps of the walk: docs/translation.md.
module ptw_pte
  import vellum_pkg::*, mmu_pkg::*;
(
    input  logic [63:0] pte_i,
    input  window_t     window_i,
    output step_t       step_o
);

  logic v, r, w, x, u, g, a, d;
  logic bad, table_bad, leaf_bad, below;
  ppn_t ppn, limit;
  assign {d, a, g, u, x, w, r, v} = pte_i[7:0];
  assign ppn = pte_i[10+:VPN_W];
  assign limit = window_i.limit[LINE_ADDR_W-1:PAGE_LINE_W];    // a page that begins there is not wholly inside
  assign below = {ppn, PAGE_LINE_W'(0)} < window_i.base;

  assign bad = !v || (w && !r) || pte_i[63:10+VPN_W] != '0;      // step 2 of the walk
  assign table_bad = d || a || u;                                // 3
  assign leaf_bad = !u || !a;                                    // 4
  always_comb begin
    step_o.ppn = ppn;
    step_o.glob = g;
    step_o.r = r;
    step_o.w = w && d;
    step_o.x = x;
    for (int unsigned l = 0; l < 4; l++) begin
      logic leaf, misaligned, beyond;
      leaf = r || x;
      misaligned = (ppn & page_bits(level_t'(l))) != '0;
      // The page is below the limit as a whole if its first line is, both in units of the page.
      beyond = (ppn >> (9 * l)) >= (limit >> (9 * l));
      step_o.page[l] = bad || (leaf ? leaf_bad || misaligned : table_bad || l == 0);
      step_o.pointer[l] = !step_o.page[l] && !leaf;
      step_o.access[l] = !step_o.page[l] && leaf && (below || beyond);
    end
  end
endmodule
