// Instruction buffers of all warps (inside issue): a queue of IBUF_DEPTH entries a warp, taken one at a time, filled up to four at a time.
// The first two entries of each warp, head and next, are decoded in registers, so that a pop needs no memory access. All entries are
// raw words in four banks of distributed RAM that the warps share, entry number i of a warp in bank i mod 4: a push writes each bank at most
// once. One entry a cycle is read and decoded (refill) and becomes the head or the next of its warp; in addition, the first of a push into an empty
// buffer is decoded on its way. The warp that pops is known late: it selects the warp of the next refill and enables registers with inputs that are ready before.
// Page: docs/blocks/issue.md (Decoding).
`include "vl_assert.svh"
`include "vl_skip.svh"
module ibuf
  import vl_cfg_pkg::*, vellum_pkg::*, isa_pkg::*, core_pkg::*;
(
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     push_valid_i,
    input  push_t                    push_i,
    input  warp_mask_t               drop_i,     // empty these; a push to one of them is lost
    input  warp_mask_t               pop_i,      // at most one; its head is valid
    output warp_mask_t               valid_o,    // the warp has a decoded head
    output ibuf_entry_t [WARPS-1:0]  head_o
);
  localparam int unsigned PTR_W = $clog2(IBUF_DEPTH);
  localparam int unsigned CNT_W = PTR_W + 1;
  localparam int unsigned ROWS = IBUF_DEPTH / FETCH_W;
  localparam int unsigned ADDR_W = idx_w(WARPS * ROWS);
  localparam int unsigned RAW_W = 33;            // fetch fault, word
  typedef logic [PTR_W-1:0] ptr_t;
  typedef logic [CNT_W-1:0] cnt_t;
  typedef logic [ADDR_W-1:0] addr_t;

  function automatic ibuf_entry_t entry_of(input logic [31:0] instr, input logic fault);
    predec_t p;
    ibuf_entry_t e;
    p = predecode(instr);
    e = '0;
    e.fault = fault;
    e.instr = instr;
    e.pipe = fault ? PIPE_CTL : p.pipe;
    e.use_rs1 = p.use_rs1 && !fault;
    e.use_rs2 = p.use_rs2 && !fault;
    e.use_rs3 = p.use_rs3 && !p.is_mem && !fault;
    e.use_rd = p.use_rd && !fault;
    e.rd_read = p.use_rs3 && p.is_mem && !fault;
    e.is_cf = p.is_cf && !fault;
    e.is_serial = p.is_serial || fault;
    e.is_exit = p.pipe == PIPE_CTL && p.op == OP_VL_EXIT && !fault;
    e.is_barrier = p.pipe == PIPE_CTL && p.op == OP_VL_BARRIER && !fault;
    e.tracked = !(p.pipe inside {PIPE_ALU, PIPE_CTL}) && instr[6:0] != 7'b0100011 && !fault;
    return e;
  endfunction

  ptr_t [WARPS-1:0] wr_q;         // number of the entry to be written next
  ptr_t [WARPS-1:0] dec_q;        // number of the entry to be decoded next
  cnt_t [WARPS-1:0] cnt_q;
  warp_mask_t some_q, many_q;     // cnt_q is not 0, is 2 or more
  warp_mask_t head_valid_q, next_valid_q;
  ibuf_entry_t [WARPS-1:0] head_q, next_q;
  assign head_o = head_q;
  assign valid_o = head_valid_q;

  warp_mask_t push_oh;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) push_oh[w] = push_valid_i && 32'(push_i.warp) == w && !drop_i[w];

  // Row of a warp's entry in each bank.
  function automatic addr_t row(input warp_t w, input ptr_t p);
    return addr_t'(32'(w) * ROWS + (32'(p) >> 2));
  endfunction

  // ---- which warp decodes in the next cycle
  function automatic warp_mask_t lowest(input warp_mask_t m);
    return m & (~m + warp_mask_t'(1));
  endfunction

  warp_mask_t refill_q, refill, fill_empty, first, later, more;
  ptr_t [WARPS-1:0] dec;          // what dec_q becomes
  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      fill_empty[w] = push_oh[w] && !some_q[w];
      // There are more entries than those decoded or being decoded.
      more[w] = 32'(cnt_q[w]) > 32'(head_valid_q[w]) + 32'(next_valid_q[w]) + 32'(refill_q[w]);
      dec[w] = dec_q[w] + ptr_t'(refill_q[w] || fill_empty[w]);
    end
    first = (fill_empty != '0 && push_i.n > 3'd1) ? fill_empty : lowest(some_q & ~head_valid_q & ~refill_q);
    later = lowest(head_valid_q & ~next_valid_q & many_q & ~refill_q);
    refill = ((first != '0) ? first : ((pop_i & more) != '0) ? pop_i : later) & ~drop_i;
  end

  addr_t refill_row_q, refill_row;
  logic [1:0] refill_bank_q;
  ptr_t wptr, refill_number;
  logic [FETCH_W-1:0][RAW_W-1:0] raw;
  ibuf_entry_t decoded, pushed;
  assign wptr = wr_q[push_i.warp];
  always_comb begin
    refill_row = '0;
    refill_number = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      refill_row |= row(warp_t'(w), dec[w]) & {ADDR_W{refill[w]}};
      refill_number |= dec[w] & {PTR_W{refill[w]}};
    end
  end
  for (genvar b = 0; b < FETCH_W; b++) begin : gen_bank
    logic [1:0] lane;             // of the push, that falls on this bank
    ptr_t number;
    assign lane = 2'(b) - wptr[1:0];
    assign number = wptr + ptr_t'(lane);
    ram_lut #(.DEPTH(WARPS * ROWS), .WIDTH(RAW_W)) u_ram (
        .clk_i,
        .we_i   (push_oh != '0 && 3'(lane) < push_i.n),
        .waddr_i(row(push_i.warp, number)),
        .wdata_i({push_i.fault, push_i.instr[lane]}),
        .raddr_i(refill_row_q),
        .rdata_o(raw[b])
    );
  end
  assign decoded = entry_of(raw[refill_bank_q][31:0], raw[refill_bank_q][RAW_W-1]);
  assign pushed = entry_of(push_i.instr[0], push_i.fault);

  cnt_t [WARPS-1:0] cnt, popped;   // without a pop and with one
  always_comb
    for (int unsigned w = 0; w < WARPS; w++) begin
      cnt[w] = cnt_q[w] + (push_oh[w] ? cnt_t'(push_i.n) : '0);
      popped[w] = cnt_q[w] + (push_oh[w] ? cnt_t'(push_i.n) - cnt_t'(1) : '1);
    end

  always_ff @(posedge clk_i) begin
    refill_q <= rst_i ? '0 : refill;
    refill_row_q <= refill_row;
    refill_bank_q <= refill_number[1:0];
    for (int unsigned w = 0; w < WARPS; w++)
      if (rst_i || drop_i[w]) begin
        wr_q[w] <= '0;
        dec_q[w] <= '0;
        cnt_q[w] <= '0;
        some_q[w] <= 1'b0;
        many_q[w] <= 1'b0;
        head_valid_q[w] <= 1'b0;
        next_valid_q[w] <= 1'b0;
      end else begin
        if (push_oh[w]) wr_q[w] <= wr_q[w] + ptr_t'(push_i.n);
        // If the only entry is popped, the first instruction of the push becomes the head.
        dec_q[w] <= dec[w] + ptr_t'(push_oh[w] && pop_i[w] && !many_q[w]);
        cnt_q[w] <= pop_i[w] ? popped[w] : cnt[w];
        some_q[w] <= push_oh[w] || (pop_i[w] ? many_q[w] : some_q[w]);
        many_q[w] <= pop_i[w] ? popped[w] > cnt_t'(1) : cnt[w] > cnt_t'(1);
        head_valid_q[w] <= refill_q[w] || (pop_i[w] ? next_valid_q[w] || (push_oh[w] && !many_q[w]) : head_valid_q[w] || fill_empty[w]);
        next_valid_q[w] <= pop_i[w] ? next_valid_q[w] && refill_q[w] : next_valid_q[w] || (head_valid_q[w] && refill_q[w]);
      end
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (pop_i[w] || !head_valid_q[w]) head_q[w] <= next_valid_q[w] ? next_q[w] : refill_q[w] ? decoded : pushed;
      if (refill_q[w]) next_q[w] <= decoded;
    end
  end

  `VL_ASSERT(pop_valid, (pop_i & ~valid_o) == '0 && $countones(pop_i) <= 1)
  `VL_ASSERT(refill_fits, (refill_q & next_valid_q & ~pop_i) == '0 && (next_valid_q & ~head_valid_q) == '0 && (head_valid_q & ~some_q) == '0)
  `VL_ASSERT(room, push_oh == '0 || 32'(cnt_q[push_i.warp]) + 32'(push_i.n) <= IBUF_DEPTH)
endmodule
