// Instructions of the LSU that wait for data; responses become result records, a beat at a time, in the order they come.
// Page: docs/blocks/lsu.md, "Results". A response is shown at lsu_res one cycle after it was taken.
module lsu_result
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // a new entry
    input  logic         alloc_i,
    input  entry_t       alloc_idx_i,
    input  warp_t        alloc_warp_i,
    input  seq_t         alloc_seq_i,
    input  reg_t         alloc_rd_i,
    input  logic [1:0]   alloc_size_i,
    input  logic         alloc_unsigned_i,
    input  thread_mask_t alloc_threads_i,
    input  logic [THREADS-1:0][SECTOR_OFF_W-1:0] alloc_off_i,
    output logic [LSU_ENTRIES-1:0]  busy_o,
    // an entry of the last cycle was for nothing: nothing was sent with it
    input  logic         undo_i,
    input  entry_t       undo_idx_i,
    // threads of an entry are dropped (a page that the host will not map): no record is given for them
    input  logic         kill_i,
    input  entry_t       kill_idx_i,
    input  thread_mask_t kill_threads_i,
    // a fence is done
    input  logic         fence_i,
    input  warp_t        fence_warp_i,
    input  seq_t         fence_seq_i,
    output logic         fence_busy_o,
    // responses
    input  logic         l1d_rsp_valid_i,
    input  l1d_rsp_t     l1d_rsp_i,
    input  logic         spad_rsp_valid_i,
    input  spad_rsp_t    spad_rsp_i,
    output logic         rsp_ready_o,      // both are taken, if there
    // results
    output logic         lsu_res_valid_o,
    output result_t      lsu_res_o,
    input  logic         lsu_res_ready_i,
    output logic         empty_o
);
  typedef struct packed {
    warp_t warp;
    seq_t seq;
    reg_t rd;
    logic [1:0] size;
    logic is_unsigned;
    logic [THREADS-1:0][SECTOR_OFF_W-1:0] off;
  } entry_info_t;
  typedef struct packed {
    dest_t dest;
    logic [1:0] size;
    logic is_unsigned;
    lane_mask_t mask;
    logic [LANES-1:0][2:0] off;
    lane_data_t dword;
  } record_t;

  logic [LSU_ENTRIES-1:0] busy_q;
  logic [LSU_ENTRIES-1:0][THREADS-1:0] left_q;
  record_t x0_q, x1_q, x_d;
  logic [1:0] xcount_q;
  logic l_valid_q, sp_valid_q, fr_valid_q;
  entry_t l_entry_q;
  thread_mask_t l_threads_q;
  sector_data_t l_data_q;
  spad_rsp_t sp_q;
  warp_t fr_warp_q;
  seq_t fr_seq_q;

  // ---- which part gives a record (the order of the page) -----------------------------------------------------------------
  logic room, from_sp, from_l, from_l1d, from_spad, from_fr, from_line, push, pop;
  logic take_l1d, take_spad;
  assign room = xcount_q != 2'd2;
  assign rsp_ready_o = room && !l_valid_q && !sp_valid_q;
  assign take_l1d = l1d_rsp_valid_i && rsp_ready_o;
  assign take_spad = spad_rsp_valid_i && rsp_ready_o;
  assign from_sp = room && sp_valid_q;
  assign from_l = room && !sp_valid_q && l_valid_q;
  assign from_l1d = take_l1d;
  assign from_spad = take_spad && !take_l1d;
  assign from_fr = room && !sp_valid_q && !l_valid_q && !take_l1d && !take_spad && fr_valid_q;
  assign from_line = from_l || from_l1d;
  assign push = from_sp || from_line || from_spad || from_fr;
  assign pop = lsu_res_valid_o && lsu_res_ready_i;

  // ---- the record ----------------------------------------------------------------------------------------------------
  entry_t e;
  entry_info_t info;
  thread_mask_t threads, now, after;
  logic [BEATS-1:0] beat_has, beat_sel;
  spad_rsp_t sp;
  sector_data_t line;
  assign sp = sp_valid_q ? sp_q : spad_rsp_i;
  assign e = from_l ? l_entry_q : from_l1d ? l1d_rsp_i.tag.entry : sp.entry;
  assign threads = from_l ? l_threads_q : l1d_rsp_i.tag.tmask;
  if (BEATS > 1) begin : gen_line
    assign line = l_valid_q ? l_data_q : l1d_rsp_i.data;
  end else begin : gen_line
    assign line = l1d_rsp_i.data;
  end

  ram_lut #(.DEPTH(LSU_ENTRIES), .WIDTH($bits(entry_info_t))) u_entries (
      .clk_i, .we_i(alloc_i), .waddr_i(alloc_idx_i),
      .wdata_i({alloc_warp_i, alloc_seq_i, alloc_rd_i, alloc_size_i, alloc_unsigned_i, alloc_off_i}),
      .raddr_i(e), .rdata_o(info)
  );

  always_comb begin
    for (int unsigned b = 0; b < BEATS; b++) beat_has[b] = threads[b*LANES+:LANES] != '0;
    beat_sel = beat_has & (~beat_has + 1'b1);
    if (!from_line)
      for (int unsigned b = 0; b < BEATS; b++) beat_sel[b] = sp.beat == beat_t'(b);
    for (int unsigned b = 0; b < BEATS; b++)
      now[b*LANES+:LANES] = !beat_sel[b] ? '0 : from_line ? threads[b*LANES+:LANES] : sp.mask;
  end
  assign after = left_q[e] & ~now;

  // A lane's doubleword is one of a sector or one of the banks: one choice for both.
  localparam int unsigned DWORDS = (LANES > SECTOR_BYTES / 8) ? LANES : SECTOR_BYTES / 8;
  localparam int unsigned DWORD_W = $clog2(DWORDS);
  logic [DWORDS-1:0][63:0] dwords;
  assign dwords = from_line ? (DWORDS*64)'(line) : (DWORDS*64)'(sp.data);

  always_comb begin
    x_d.dest.warp = from_fr ? fr_warp_q : info.warp;
    x_d.dest.seq = from_fr ? fr_seq_q : info.seq;
    x_d.dest.rd = from_fr ? '0 : info.rd;
    x_d.dest.last = from_fr || after == '0;
    x_d.size = info.size;
    x_d.is_unsigned = info.is_unsigned;
    x_d.dest.beat = '0;
    x_d.mask = '0;
    x_d.off = '0;
    for (int unsigned b = 0; b < BEATS; b++)
      if (beat_sel[b] && !from_fr) begin
        x_d.dest.beat |= beat_t'(b);
        x_d.mask |= now[b*LANES+:LANES];
      end
    for (int unsigned l = 0; l < LANES; l++) begin
      logic [SECTOR_OFF_W-1:0] off;
      logic [DWORD_W-1:0] at;
      off = '0;
      for (int unsigned b = 0; b < BEATS; b++) if (BEATS == 1 || beat_sel[b]) off |= info.off[b*LANES+l];
      x_d.off[l] = off[2:0];
      at = from_line ? DWORD_W'(off[SECTOR_OFF_W-1:3]) : DWORD_W'(sp.bank[l]);
      x_d.dword[l] = dwords[at];
    end
  end

  // ---- the datum of the head ---------------------------------------------------------------------------------------
  assign lsu_res_valid_o = xcount_q != 2'd0;
  always_comb begin
    {lsu_res_o.warp, lsu_res_o.seq, lsu_res_o.beat, lsu_res_o.rd, lsu_res_o.last} = x0_q.dest;
    lsu_res_o.mask = x0_q.mask;
    for (int unsigned l = 0; l < LANES; l++) begin
      logic [31:0] w;
      logic [15:0] h;
      logic [7:0] b;
      w = x0_q.off[l][2] ? x0_q.dword[l][63:32] : x0_q.dword[l][31:0];
      h = x0_q.off[l][1] ? w[31:16] : w[15:0];
      b = x0_q.off[l][0] ? h[15:8] : h[7:0];
      unique case (x0_q.size)
        2'd0: lsu_res_o.data[l] = {{56{b[7] & !x0_q.is_unsigned}}, b};
        2'd1: lsu_res_o.data[l] = {{48{h[15] & !x0_q.is_unsigned}}, h};
        2'd2: lsu_res_o.data[l] = {{32{w[31] & !x0_q.is_unsigned}}, w};
        default: lsu_res_o.data[l] = x0_q.dword[l];
      endcase
    end
  end

  assign busy_o = busy_q;
  assign fence_busy_o = fr_valid_q;
  assign empty_o = busy_q == '0 && xcount_q == 2'd0 && !fr_valid_q;

  // ---- registers ----------------------------------------------------------------------------------------------------
  thread_mask_t rest;
  assign rest = threads & ~now;
  logic [LSU_ENTRIES-1:0][THREADS-1:0] left_d;
  logic [LSU_ENTRIES-1:0] ended;
  always_comb
    for (int unsigned k = 0; k < LSU_ENTRIES; k++) begin
      logic served, killed;
      served = push && !from_fr && e == entry_t'(k);
      killed = kill_i && kill_idx_i == entry_t'(k);
      left_d[k] = left_q[k] & ~(served ? now : '0) & ~(killed ? kill_threads_i : '0);
      ended[k] = (served || killed) && left_d[k] == '0;
    end
  always_ff @(posedge clk_i) begin
    if (pop) x0_q <= (xcount_q == 2'd2) ? x1_q : x_d;
    else if (xcount_q == 2'd0) x0_q <= x_d;
    if (push) x1_q <= x_d;
    if (from_line) begin
      l_entry_q <= e;
      l_threads_q <= rest;
    end
    if (take_l1d) l_data_q <= l1d_rsp_i.data;
    if (take_spad) sp_q <= spad_rsp_i;
    if (fence_i) begin
      fr_warp_q <= fence_warp_i;
      fr_seq_q <= fence_seq_i;
    end
    left_q <= left_d;
    if (alloc_i) left_q[alloc_idx_i] <= alloc_threads_i;

    if (rst_i) begin
      busy_q <= '0;
      xcount_q <= '0;
      l_valid_q <= 1'b0;
      sp_valid_q <= 1'b0;
      fr_valid_q <= 1'b0;
    end else begin
      xcount_q <= xcount_q + 2'(push) - 2'(pop);
      if (from_line) l_valid_q <= rest != '0;
      if (take_l1d && take_spad) sp_valid_q <= 1'b1;
      else if (from_sp) sp_valid_q <= 1'b0;
      if (fence_i) fr_valid_q <= 1'b1;
      else if (from_fr) fr_valid_q <= 1'b0;
      busy_q <= busy_q & ~ended & ~(undo_i ? LSU_ENTRIES'(1) << undo_idx_i : '0);
      if (alloc_i) busy_q[alloc_idx_i] <= 1'b1;
    end
  end
endmodule
