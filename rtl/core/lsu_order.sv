// Order of the rows of the load/store unit's pool: which of two came first, which row is the first of its warp, the oldest of two sets a cycle.
// Page: docs/blocks/lsu.md (`order`, *first*).
`include "vl_skip.svh"
module lsu_order
  import vl_cfg_pkg::*;
(
    input  logic                     clk_i,
    input  logic [LSU_ROWS-1:0]      alloc_i,    // one-hot, or 0: the row that begins
    input  logic [LSU_ROWS-1:0]      same_i,     // valid rows of its warp
    input  logic [LSU_ROWS-1:0]      pop_i,      // one-hot, or 0: the row that ends
    input  logic [LSU_ROWS-1:0]      gone_i,     // another row that ends: known earlier
    input  logic [LSU_ROWS-1:0]      except_i,   // a row that delays no other
    output logic [LSU_ROWS-1:0]      first_o,    // valid for valid rows: the first of its warp
    output logic [LSU_ROWS-1:0]      alone_o,    // likewise: the warp has no older row
    input  logic [LSU_ROWS-1:0]      look_i,     // valid rows
    output logic [LSU_ROWS-1:0]      look_o,     // the oldest of them: one-hot, or 0 of an empty set
    input  logic [LSU_ROWS-1:0]      ready_i,    // valid rows
    input  logic [LSU_ROWS-1:0]      prefer_i,   // rows that go before the others
    output logic [LSU_ROWS-1:0]      pick_o      // the oldest preferred one of ready_i; without one, the oldest
);
  // older_q[r][j]: j began before r (nothing, unless both are valid). ahead_q[r][j]: j is valid, older, and of the same warp.
  logic [LSU_ROWS-1:0] older_q[LSU_ROWS], ahead_q[LSU_ROWS];
  always_ff @(posedge clk_i)
    for (int unsigned r = 0; r < LSU_ROWS; r++) begin
      `VL_WHEN(alloc_i != '0) older_q[r] <= alloc_i[r] ? ~alloc_i : older_q[r] & ~alloc_i;
      ahead_q[r] <= (alloc_i[r] ? same_i : ahead_q[r]) & ~gone_i & ~pop_i;
    end

  always_comb begin
    look_o = '0;
    pick_o = '0;
    for (int unsigned r = 0; r < LSU_ROWS; r++) begin
      first_o[r] = (ahead_q[r] & ~except_i) == '0;
      alone_o[r] = ahead_q[r] == '0;
    end
    `VL_WHEN(look_i != '0) for (int unsigned r = 0; r < LSU_ROWS; r++) look_o[r] = look_i[r] && (look_i & older_q[r]) == '0;
    `VL_WHEN(ready_i != '0) for (int unsigned r = 0; r < LSU_ROWS; r++)
      pick_o[r] = ready_i[r] && (ready_i & (prefer_i[r] ? prefer_i & older_q[r] : prefer_i | older_q[r])) == '0;
  end
endmodule
