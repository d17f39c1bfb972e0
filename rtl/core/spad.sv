// Scratchpad of a core: LANES banks of 64 bits. Serves one beat at a time; lanes that meet in a bank are served one after the other,
// lanes on one doubleword together. Page: docs/blocks/spad.md (steps 1-9). Latency: two cycles from request to response.
`include "vl_assert.svh"
`include "vl_skip.svh"
module spad
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, mem_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    // from / to lsu
    input  logic      spad_req_valid_i,
    input  spad_req_t spad_req_i,
    output logic      spad_req_ready_o,
    output logic      spad_rsp_valid_o,
    output spad_rsp_t spad_rsp_o,
    input  logic      spad_rsp_ready_i,
    output ev_spad_t  ev_o
);
  localparam int unsigned BANK_W = idx_w(LANES);
  localparam int unsigned ROWS = SPAD_BYTES / (8 * LANES);
  localparam int unsigned ROW_W = idx_w(ROWS);
  localparam int unsigned DW_W = SPAD_W - 3;
  typedef logic [BANK_W-1:0] bank_t;
  typedef logic [DW_W-1:0] dw_t;
  typedef enum logic [1:0] {IDLE, READ, WRITE} amo_state_e;

  // ---- state ---------------------------------------------------------------------------------------------------
  logic [1:0] count_q;
  spad_req_t q0_q, q1_q;
  typedef struct packed {   // the kind of an operation, decoded as it comes
    logic load, store, sc, lr;
    logic [1:0] size;
  } kind_t;
  kind_t kind_in, k0_q, k1_q;
  always_comb begin
    kind_in.load = op_is_load(spad_req_i.op);
    kind_in.store = op_is_store(spad_req_i.op);
    kind_in.sc = spad_req_i.op inside {OP_SC_W, OP_SC_D};
    kind_in.lr = spad_req_i.op inside {OP_LR_W, OP_LR_D};
    kind_in.size = mem_size(spad_req_i.op);
  end
  logic rsp_valid_q, sc_q, fail_q;
  entry_t rsp_entry_q;
  beat_t rsp_beat_q;
  lane_mask_t rsp_mask_q;
  bank_t [LANES-1:0] rsp_bank_q;
  amo_state_e amo_q;
  logic [63:0] old_q;              // a word stands in the low half
  logic r_valid_q;
  hart_t r_hart_q;
  dw_t r_dw_q;
  logic [63:0] src_q, cmp_q;       // of the atomic that is under way
  amo_e op_q;
  logic dword_q, high_q;
  lane_mask_t first_q, bank_oh_q;
  ev_spad_t ev_q;

  // ---- the head and its lanes --------------------------------------------------------------------------------------
  logic load, store, atomic, sc, dword;
  logic [1:0] size;
  lane_mask_t pending;
  dw_t [LANES-1:0] dw;
  bank_t [LANES-1:0] bank;
  assign load = k0_q.load;
  assign store = k0_q.store;
  assign atomic = !load && !store;
  assign sc = k0_q.sc;
  assign size = k0_q.size;
  assign dword = size == 2'd3;
  assign pending = q0_q.mask;
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign dw[l] = q0_q.addr[l][SPAD_W-1:3];
    if (LANES > 1) assign bank[l] = q0_q.addr[l][3+:BANK_W];
    else assign bank[l] = '0;
  end

  // Winner of a bank: its lowest pending lane. Served with it: lanes of the same doubleword (a store: if also no lower lane has its half).
  lane_mask_t winner, with_winner, half_first, served, first;
  always_comb begin
    winner = '0;
    with_winner = '0;
    half_first = '0;
    `VL_WHEN(count_q != '0)
    for (int unsigned l = 0; l < LANES; l++) begin
      winner[l] = pending[l];
      for (int unsigned k = 0; k < l; k++) if (pending[k] && bank[k] == bank[l]) winner[l] = 1'b0;
    end
    `VL_WHEN(count_q != '0)
    for (int unsigned l = 0; l < LANES; l++) begin
      with_winner[l] = 1'b0;
      half_first[l] = 1'b1;
      for (int unsigned k = 0; k <= l; k++) begin
        if (winner[k] && dw[k] == dw[l]) with_winner[l] = 1'b1;
        if (k < l && pending[k] && dw[k] == dw[l] && (dword || q0_q.addr[k][2] == q0_q.addr[l][2])) half_first[l] = 1'b0;
      end
    end
    first = pending & (~pending + 1'b1);
    served = atomic ? first : pending & with_winner & (store ? half_first : '1);
  end

  // ---- what happens (steps 2-6) -------------------------------------------------------------------------------------
  logic stall, run, leave, take;
  lane_mask_t left;
  assign stall = rsp_valid_q && !spad_rsp_ready_i;
  assign run = count_q != 2'd0 && !stall && amo_q == IDLE;
  assign left = (run && !atomic) ? pending & ~served : (amo_q == WRITE) ? pending & ~first_q : pending;
  assign leave = count_q != 2'd0 && left == '0;
  assign take = spad_req_valid_i && spad_req_ready_o;

  // Operand, place and reservation of the atomic's lane.
  logic [63:0] a_src, a_cmp, a_read;
  dw_t a_dw;
  logic a_high;
  hart_t a_hart;
  bank_t a_bank;
  always_comb begin
    a_cmp = '0;
    a_dw = '0;
    a_high = 1'b0;
    a_bank = '0;
    a_hart = q0_q.hart0;
    `VL_WHEN(count_q != '0)
    for (int unsigned l = 0; l < LANES; l++)
      if (first[l]) begin
        a_cmp |= q0_q.cmp[l];
        a_dw |= dw[l];
        a_high |= q0_q.addr[l][2];
        a_bank |= bank[l];
        a_hart = q0_q.hart0 + HART_W'(l) + (COMPACTS ? HART_W'(q0_q.home[l%HOME_LANES]) * HART_W'(THREADS) : '0);
      end
  end
  // They are known while the old value is read (READ), so WRITE finds them in registers.
  always_ff @(posedge clk_i)
    if (amo_q == READ) begin
      src_q <= a_src;
      cmp_q <= a_cmp;
      op_q <= amo_of(q0_q.op);
      dword_q <= dword;
      high_q <= a_high;
      first_q <= first;
      for (int unsigned b = 0; b < LANES; b++) bank_oh_q[b] <= a_bank == bank_t'(b);
    end

  logic [63:0] a_new, a_wdata;
  logic a_alu_write, a_write, r_mine, r_dw_hit;
  amo_alu u_alu (
      .op_i(op_q), .dword_i(dword_q), .old_i(old_q), .src_i(src_q), .cmp_i(cmp_q), .new_o(a_new), .write_o(a_alu_write)
  );
  assign a_wdata = dword_q ? a_new : {2{a_new[31:0]}};
  assign a_write = amo_q == WRITE && a_alu_write && !fail_q;
  assign r_mine = r_hart_q == a_hart;
  assign r_dw_hit = r_dw_q == a_dw;

  // Stores: the bytes of each lane at their places in a doubleword; the datum is repeated to fill it, step by step.
  logic [LANES-1:0][63:0] s_data;
  logic [LANES-1:0][7:0] s_be;
  always_comb begin
    s_data = '0;
    s_be = '0;
    `VL_WHEN(count_q != '0)
    for (int unsigned l = 0; l < LANES; l++) begin
      logic [15:0] half;
      logic [31:0] word;
      half = {(size == 2'd0) ? q0_q.data[l][7:0] : q0_q.data[l][15:8], q0_q.data[l][7:0]};
      word = {size[1] ? q0_q.data[l][31:16] : half, half};
      s_data[l] = {dword ? q0_q.data[l][63:32] : word, word};
      unique case (size)
        2'd0: s_be[l] = 8'h01 << q0_q.addr[l][2:0];
        2'd1: s_be[l] = 8'h03 << {q0_q.addr[l][2:1], 1'b0};
        2'd2: s_be[l] = q0_q.addr[l][2] ? 8'hf0 : 8'h0f;
        default: s_be[l] = 8'hff;
      endcase
    end
  end

  // ---- banks --------------------------------------------------------------------------------------------------------
  logic [LANES-1:0][63:0] rd, to_bank;
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    logic [ROW_W-1:0] row;
    logic [63:0] wdata;
    logic [7:0] we;
    logic read;
    always_comb begin
      read = 1'b0;
      to_bank[b] = '0;
      row = '0;
      we = '0;
      // At most one lane writes each half, and a bank has one winner.
      `VL_WHEN(count_q != '0)
      for (int unsigned l = 0; l < LANES; l++)
        if (bank[l] == bank_t'(b)) begin
          if (atomic ? first[l] : winner[l]) begin
            row |= ROW_W'(dw[l] >> $clog2(LANES));
            read = 1'b1;
          end
          if (served[l]) begin
            if (run && store) we |= s_be[l];
            if (!store || dword || !q0_q.addr[l][2]) to_bank[b][31:0] |= s_data[l][31:0];
            if (!store || dword || q0_q.addr[l][2]) to_bank[b][63:32] |= s_data[l][63:32];
          end
        end
      wdata = to_bank[b];
      if (amo_q == WRITE) begin
        wdata = a_wdata;
        if (a_write && bank_oh_q[b]) we = dword_q ? 8'hff : high_q ? 8'hf0 : 8'h0f;
      end
    end
    // Banks without a read output 0, so the old value of an atomic, and its operand on the way to the bank, are an OR over the banks.
    ram_row #(.ROWS(ROWS), .WORDS(1), .WIDTH(64), .PARTS(8)) u_ram (
        .clk_i, .we_i(we), .wrow_i(row), .wdata_i(wdata), .re_i(run && !store), .clear_i(run && !store && (!read || sc)), .rrow_i(row), .rword_i(1'b0), .rdata_o(rd[b])
    );
  end
  always_comb begin
    a_src = '0;
    a_read = '0;
    for (int unsigned b = 0; b < LANES; b++) begin
      a_src |= to_bank[b];
      a_read |= rd[b];
    end
  end

  // ---- outputs ------------------------------------------------------------------------------------------------------
  assign spad_req_ready_o = count_q != 2'd2;
  assign spad_rsp_valid_o = rsp_valid_q;
  always_comb begin
    spad_rsp_o.entry = rsp_entry_q;
    spad_rsp_o.beat = rsp_beat_q;
    spad_rsp_o.mask = rsp_mask_q;
    spad_rsp_o.bank = rsp_bank_q;
    for (int unsigned b = 0; b < LANES; b++) spad_rsp_o.data[b*64+:64] = rd[b] | {2{31'd0, fail_q}};
  end
  assign ev_o = ev_q;

  // ---- registers ----------------------------------------------------------------------------------------------------
  logic stored_on_r;
  always_comb begin
    stored_on_r = 1'b0;
    `VL_WHEN(r_valid_q)
    for (int unsigned l = 0; l < LANES; l++) if (served[l] && dw[l] == r_dw_q) stored_on_r = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    // Queue (steps 7, 8).
    if (leave || count_q == 2'd0) k0_q <= (count_q == 2'd2) ? k1_q : kind_in;
    if (take) k1_q <= kind_in;
    if (leave) q0_q <= (count_q == 2'd2) ? q1_q : spad_req_i;
    else begin
      q0_q.mask <= left;
      if (count_q == 2'd0) q0_q <= spad_req_i;
    end
    if (take) q1_q <= spad_req_i;

    // Response (steps 1, 2, 4).
    if (run) begin
      rsp_entry_q <= q0_q.entry;
      rsp_beat_q <= q0_q.beat;
      rsp_mask_q <= served;
      rsp_bank_q <= bank;
      sc_q <= sc;
      fail_q <= sc && !(r_valid_q && r_mine && r_dw_hit);
    end
    if (amo_q == READ) old_q <= {a_read[63:32], (!dword && a_high) ? a_read[63:32] : a_read[31:0]};

    if (rst_i) begin
      count_q <= '0;
      rsp_valid_q <= 1'b0;
      amo_q <= IDLE;
      r_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      count_q <= count_q + 2'(take) - 2'(leave);
      if (!stall) rsp_valid_q <= run && !store;
      unique case (amo_q)
        IDLE: if (run && atomic) amo_q <= READ;
        READ: if (!stall) amo_q <= WRITE;
        default: amo_q <= IDLE;
      endcase
      // Reservation (steps 3, 6).
      if (run && store && stored_on_r) r_valid_q <= 1'b0;
      if (amo_q == WRITE) begin
        if (k0_q.lr) begin
          r_valid_q <= 1'b1;
          r_hart_q <= a_hart;
          r_dw_q <= a_dw;
        end else if ((a_write && r_dw_hit) || (sc_q && r_mine)) r_valid_q <= 1'b0;
      end
      ev_q.spad_beats <= take;
      ev_q.spad_conflicts <= run && !atomic && left != '0;
      ev_q.spad_atomics <= amo_q == WRITE;
      ev_q.spad_stalls <= count_q != 2'd0 && stall;
    end
  end

  `VL_ASSERT(some_lane, !take || spad_req_i.mask != '0)
endmodule
