// Identity CSRs of a thread. Local ids are in a RAM, read with the registers; the workgroup's ids are in a small memory of one word a
// warp; the rest is computed. vl_sp is left to the adders of the ALU as a sum. Page: docs/blocks/regfile.md (Identity CSRs).
module identity
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import isa_pkg::*;
  import core_pkg::*;
(
    input  logic        clk_i,
    // from launch
    input  logic        start_valid_i,
    input  start_t      start_i,
    input  logic        lids_valid_i,
    input  lids_t       lids_i,
    // constants
    input  kernel_t     kernel_i,
    input  core_t       core_i,
    // read
    input  logic        read_i,
    input  logic [11:0] csr_i,
    input  warp_t       warp_i,
    input  warp_t [LANES-1:0] homes_i,               // of each lane's thread
    input  beat_t       beat_i,
    output lane_data_t  value_o,                     // in this cycle; 0 for local ids
    output lane_data_t  offset_o,                    // likewise: the summand, 0 for all but vl_sp
    output logic [LANES-1:0][LID_W-1:0] lid_o        // one cycle later; 0 for everything else
);
  localparam int unsigned ROWS = WARPS * BEATS;
  localparam int unsigned ROW_W = idx_w(ROWS);

  // verilator lint_off UNUSEDSIGNAL
  function automatic logic [ROW_W-1:0] row_of_beat(input warp_t w, input beat_t b);
    return ROW_W'(int'(w) * BEATS + ((BEATS > 1) ? int'(b) : 0));
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // ---- local ids
  logic [LANES-1:0][2:0][LID_W-1:0] lids;
  logic [2:0] dim, dim_q;
  if (COMPACTS) begin : gen_lids
    for (genvar l = 0; l < LANES; l++) begin : gen_lane_lids
      ram_1r1w #(.DEPTH(ROWS), .WIDTH(3 * LID_W)) u_lids (
          .clk_i, .we_i(lids_valid_i), .waddr_i(row_of_beat(lids_i.warp, lids_i.beat)), .wdata_i(lids_i.lid[l]),
          .re_i(read_i), .raddr_i(row_of_beat(homes_i[l], beat_i)), .rdata_o(lids[l])
      );
    end
  end else begin : gen_row_lids
    ram_1r1w #(.DEPTH(ROWS), .WIDTH(LANES * 3 * LID_W)) u_lids (
        .clk_i, .we_i(lids_valid_i), .waddr_i(row_of_beat(lids_i.warp, lids_i.beat)), .wdata_i(lids_i.lid),
        .re_i(read_i), .raddr_i(row_of_beat(warp_i, beat_i)), .rdata_o(lids)
    );
  end
  assign dim = {csr_i == CSR_VL_LID_Z, csr_i == CSR_VL_LID_Y, csr_i == CSR_VL_LID_X} & {3{read_i}};
  always_ff @(posedge clk_i) dim_q <= dim;
  for (genvar l = 0; l < LANES; l++) begin : gen_lid
    assign lid_o[l] = (lids[l][0] & {LID_W{dim_q[0]}}) | (lids[l][1] & {LID_W{dim_q[1]}}) | (lids[l][2] & {LID_W{dim_q[2]}});
  end

  // ---- one word a warp
  dim3_t grp, gbase;
  ram_lut #(.DEPTH(WARPS), .WIDTH(192)) u_group (
      .clk_i, .we_i(start_valid_i), .waddr_i(start_i.warp), .wdata_i({start_i.grp, start_i.gbase}), .raddr_i(warp_i), .rdata_o({grp, gbase})
  );

  // ---- the same for all lanes
  xlen_t common;
  logic is_sp, is_lane, is_thread;
  assign is_sp = csr_i == CSR_VL_SP;
  assign is_lane = csr_i == CSR_VL_LANE;
  assign is_thread = csr_i inside {CSR_VL_THREAD, CSR_MHARTID};
  always_comb begin
    common = '0;
    for (int unsigned d = 0; d < 3; d++) begin
      common |= 64'(gbase[d]) & {64{csr_i == CSR_VL_GBASE_X + 12'(d)}};
      common |= 64'(grp[d]) & {64{csr_i == CSR_VL_GRP_X + 12'(d)}};
    end
    common |= kernel_i.arg & {64{csr_i == CSR_VL_ARG}};
    common |= 64'(core_i) & {64{csr_i == CSR_VL_CORE}};
  end

  // ---- and for all threads of a warp: once, or for each lane's home
  function automatic xlen_t of_warp(input warp_t w);
    logic [HART_W-1:0] first_hart;
    first_hart = HART_W'((HART_W'(core_i) * HART_W'(WARPS) + HART_W'(w)) * HART_W'(THREADS));
    return ((kernel_i.stack_base + (64'(first_hart) << kernel_i.stack_log2)) & {64{is_sp}}) | (64'(w) & {64{csr_i == CSR_VL_WARP}})
         | (64'(first_hart) & {64{csr_i == CSR_MHARTID}});
  endfunction
  lane_data_t warps;
  if (COMPACTS) begin : gen_homes
    always_comb for (int unsigned l = 0; l < LANES; l++) warps[l] = of_warp(homes_i[l]);
  end else begin : gen_warp
    xlen_t one;
    always_comb one = of_warp(warp_i);
    assign warps = {LANES{one}};
  end

  // ---- a value of its own for each lane
  xlen_t stack_size;
  assign stack_size = (64'd1 << kernel_i.stack_log2) & {64{is_sp}};
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [THREAD_W-1:0] thread;
    logic [THREAD_W:0] above;          // threads up to and with this one
    assign thread = (BEATS > 1) ? THREAD_W'(THREAD_W'(beat_i) * THREAD_W'(LANES) | THREAD_W'(l)) : THREAD_W'(l);
    assign above = (BEATS > 1) ? (THREAD_W+1)'(beat_i) * (THREAD_W+1)'(LANES) + (THREAD_W+1)'(l + 1) : (THREAD_W+1)'(l + 1);
    always_comb begin                  // above << stack_log2
      offset_o[l] = '0;
      for (int unsigned k = 0; k <= THREAD_W; k++) offset_o[l] |= (stack_size << k) & {64{above[k]}};
    end
    assign value_o[l] = common | warps[l] | (64'(l) & {64{is_lane}}) | (64'(thread) & {64{is_thread}});
  end
endmodule
