// The probe that the directory of a stacked memory is answering: it probes the L2 slice for its lines, reads the block from the stack, and sends marked bytes, or all lines.
// Page: docs/blocks/smd.md (steps 2, 3, 5, 7).
//   LOOK (s1)   |   ASK: the slice   |   DRAIN: its write-backs   |   LOOK2 (s1)   |   SEND: the stack's lines   |   SET (s1)   |   DONE
`include "vl_assert.svh"
module smd_job
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, home_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        far_i,           // the stack holds no bytes of blocks; slots serve reads by the home
    // the probe
    input  logic        valid_i,
    output logic        ready_o,
    input  smd_probe_t  probe_i,
    output logic        busy_o,
    output logic        holds_o,         // write-backs of its block wait
    output line_addr_t  line_o,          // its block's first
    // s1: the line that it looks up or sets,
    output logic        look_o,
    output logic        look2_o,
    output logic        set_o,
    // the entry found,
    input  logic        looks_i,
    input  logic        looks2_i,
    input  logic        sets_i,
    input  logic        match_i,
    input  nmoesi_e     state_i,
    input  block_mask_t owner_i,
    // and the new entry
    output nmoesi_e     state_o,
    output block_mask_t owner_o,
    // probes of the slice, acknowledgements that leave their queue
    output logic        ask_valid_o,
    output home_probe_t ask_o,
    input  logic        ask_ready_i,
    input  logic        sent_i,          // the stack is performing a read of its block
    input  logic        in_has_i,        // a write-back of its block has not been performed
    input  logic        ack_i,
    input  logic        ack_gives_i,     // with bytes
    // the stack: reads, marks cleared; its answers
    output logic        stack_valid_o,
    output stack_req_t  stack_o,
    input  logic        stack_ready_i,
    input  logic        rsp_i,
    input  logic [1:0]  rsp_slot_i,
    input  line_mask_t  rsp_marks_i,
    input  line_data_t  rsp_data_i,
    // to the home: bytes of a line, the end
    output logic        bytes_o,
    output logic        done_o,
    input  logic        done_i,          // it is taken
    output smd_ack_t    ack_o,
    input  logic        ack_ready_i,
    // to the peer, or to the home that reads
    output logic        peer_valid_o,
    output smd_peer_t   peer_o,
    input  logic        peer_ready_i,
    // reads of the home
    input  logic        mem_i,           // this line, into slot_o
    input  line_addr_t  mem_line_i,
    input  host_id_t    mem_id_i,
    output logic        slot_room_o,
    output logic [1:0]  slot_o,
    output logic        no_slots_o
);
  localparam int unsigned LPB = BLOCK_LINES;
  localparam int unsigned COUNT_W = $clog2(LPB + 1);
  typedef logic [COUNT_W-1:0] count_t;
  typedef enum logic [2:0] {NONE, LOOK, ASK, DRAIN, LOOK2, SEND, SET, DONE} phase_e;

  phase_e phase_q;
  smd_probe_t probe_q;
  block_mask_t asks_q;
  count_t out_q, next_q;
  logic given_q;
  nmoesi_e st_q;
  logic [3:0] read_q, here_q, marked_q;      // slots: asked for, here; marks are set
  block_line_t off_q[4];

  logic clean;
  assign clean = probe_q.kind == PROBE_CLEAN;
  assign ready_o = phase_q == NONE;
  assign busy_o = phase_q != NONE;
  assign holds_o = phase_q inside {LOOK2, SEND, SET};
  assign line_o = probe_q.line;
  assign look_o = phase_q == LOOK;
  assign look2_o = phase_q == LOOK2;
  assign set_o = phase_q == SET;
  assign done_o = phase_q == DONE;

  // ---- destinations, in state st (LOOK2) ---------------------------------------------------------------------------------
  function automatic logic peer_gets(input smd_probe_t p, input nmoesi_e st);
    return p.to_peer && p.kind != PROBE_CLEAN && st inside {NMOESI_E, NMOESI_O, NMOESI_M};
  endfunction
  function automatic logic home_gets(input smd_probe_t p, input nmoesi_e st);
    return !peer_gets(p, st) && p.kind != PROBE_READ && st inside {NMOESI_N, NMOESI_O, NMOESI_M};
  endfunction
  nmoesi_e st;
  logic to_peer;
  assign st = given_q ? touched(state_i) : state_i;
  assign to_peer = peer_gets(probe_q, st_q);

  // ---- the slice (step 7) --------------------------------------------------------------------------------------------------
  block_mask_t ask_bit;
  block_line_t ask_off;
  logic asks;
  assign ask_bit = asks_q & (~asks_q + 1'b1);
  always_comb begin
    ask_off = '0;
    for (int unsigned l = 0; l < LPB; l++) if (ask_bit[l]) ask_off |= block_line_t'(l);
  end
  assign ask_valid_o = phase_q == ASK && asks_q != '0 && !sent_i;
  assign ask_o = '{kind: (probe_q.kind == PROBE_WRITE) ? PROBE_WRITE : PROBE_CLEAN, line: probe_q.line | line_addr_t'(ask_off)};
  assign asks = ask_valid_o && ask_ready_i;

  // ---- the block (step 3) --------------------------------------------------------------------------------------------------
  logic [3:0] free, here_bit, free_bit;
  logic [1:0] here, slot;
  logic send, some, marked, bytes, clears, reads, emits;
  line_mask_t mask;
  line_data_t data;
  line_addr_t line;
  assign free = ~(read_q | here_q);
  assign here_bit = here_q & (~here_q + 1'b1);
  assign free_bit = free & (~free + 1'b1);
  assign here = {here_bit[3] || here_bit[2], here_bit[3] || here_bit[1]};
  assign slot = {free_bit[3] || free_bit[2], free_bit[3] || free_bit[1]};
  ram_lut #(.DEPTH(4), .WIDTH(MASK_W + LINE_BITS)) u_slots (
      .clk_i, .we_i(rsp_i), .waddr_i(rsp_slot_i), .wdata_i({rsp_marks_i, rsp_data_i}), .raddr_i(here), .rdata_o({mask, data})
  );
  line_addr_t mem_line;
  host_id_t mem_id;
  ram_lut #(.DEPTH(4), .WIDTH(LINE_ADDR_W + HOST_ID_W)) u_mem (
      .clk_i, .we_i(mem_i), .waddr_i(slot), .wdata_i({mem_line_i, mem_id_i}), .raddr_i(here), .rdata_o({mem_line, mem_id})
  );
  assign slot_room_o = free != '0;
  assign slot_o = slot;
  assign no_slots_o = free == '1;
  assign send = phase_q == SEND;
  assign some = send && here_q != '0;
  assign marked = (here_bit & marked_q) != '0;
  assign line = probe_q.line | line_addr_t'(off_q[here]);

  logic line_read;                           // of the home
  assign line_read = far_i && here_q != '0;
  assign peer_valid_o = (some && to_peer) || line_read;
  always_comb begin
    peer_o = '{device: probe_q.peer, line: line, mask: (probe_q.kind == PROBE_READ) ? '0 : mask, data: data, mem: SMD_MEM_NONE, id: '0};
    if (far_i) peer_o = '{device: '0, line: mem_line, mask: '0, data: data, mem: SMD_MEM_LINE, id: mem_id};
  end
  assign bytes = some && !to_peer && marked && ack_ready_i;
  assign clears = bytes && clean;
  assign bytes_o = bytes && (!clean || stack_ready_i);
  always_comb begin
    ack_o = '{kind: SMD_BYTES, line: line, state: NMOESI_I, sent: 1'b0, mask: mask, data: data};
    if (done_o) ack_o = '{kind: SMD_DONE, line: probe_q.line, state: st_q, sent: to_peer, mask: '0, data: '0};
  end
  assign emits = (peer_valid_o && peer_ready_i) || bytes_o || (some && !to_peer && !marked);
  assign stack_valid_o = clears || (send && 32'(next_q) != LPB && free != '0);
  assign reads = stack_valid_o && !clears && stack_ready_i;
  always_comb begin
    stack_o = '{write: clears, id: '0, line: stack_line(line), be: '0, marks: '0, data: '0};
    if (clears) begin
      stack_o.be = mask_bytes(mask);
      stack_o.data = data;
    end else begin
      stack_o.id = stack_id_t'(L2_MSHRS + 32'(slot));
      stack_o.line = stack_line(probe_q.line | line_addr_t'(next_q));
    end
  end

  // ---- what s1 sets --------------------------------------------------------------------------------------------------------
  always_comb begin
    unique case (probe_q.kind)
      PROBE_WRITE: state_o = NMOESI_I;
      PROBE_CLEAN: state_o = (st_q inside {NMOESI_E, NMOESI_M} && probe_q.keep) ? NMOESI_E : nmoesi_next(st_q, NM_CLEAN);
      default: state_o = nmoesi_next(st_q, NM_READ_REQUEST);
    endcase
  end
  assign owner_o = (probe_q.kind == PROBE_WRITE) ? '0 : owner_i;

  // ---- registers -------------------------------------------------------------------------------------------------------------
  logic take, found;
  assign take = valid_i && ready_o;
  assign found = match_i && state_i != NMOESI_I;
  always_ff @(posedge clk_i) begin
    if (take) begin
      probe_q <= probe_i;
      probe_q.line <= block_first(probe_i.line);
    end
    if (take) given_q <= 1'b0;
    else if (ack_i && ack_gives_i) given_q <= 1'b1;
    if (looks_i) asks_q <= owner_i;
    else if (asks) asks_q <= asks_q & ~ask_bit;
    if (looks_i) st_q <= NMOESI_I;
    else if (looks2_i) st_q <= st;
    if (looks2_i) next_q <= '0;
    else if (reads) next_q <= next_q + 1'b1;
    if (reads) off_q[slot] <= block_line_t'(next_q);
    if (rsp_i) marked_q[rsp_slot_i] <= rsp_marks_i != '0;

    if (rst_i) begin
      phase_q <= NONE;
      out_q <= '0;
      read_q <= '0;
      here_q <= '0;
    end else begin
      unique case (phase_q)
        NONE: if (take) phase_q <= LOOK;
        LOOK: if (looks_i) phase_q <= found ? ASK : DONE;
        ASK: if (asks_q == '0) phase_q <= DRAIN;
        DRAIN: if (out_q == '0 && !in_has_i) phase_q <= LOOK2;
        LOOK2: if (looks2_i) phase_q <= (peer_gets(probe_q, st) || (home_gets(probe_q, st) && !far_i)) ? SEND : SET;
        SEND: if (32'(next_q) == LPB && free == '1) phase_q <= SET;
        SET: if (sets_i) phase_q <= DONE;
        default: if (done_i) phase_q <= NONE;
      endcase
      if (asks != ack_i) out_q <= asks ? out_q + 1'b1 : out_q - 1'b1;
      read_q <= (read_q & ~(4'(rsp_i) << rsp_slot_i)) | ({4{reads || mem_i}} & free_bit);
      here_q <= (here_q & ~({4{emits}} & here_bit)) | (4'(rsp_i) << rsp_slot_i);
    end
  end

  `VL_ASSERT(acknowledgements_are_awaited, !ack_i || out_q != '0)
  `VL_ASSERT(asks_while_it_asks, out_q == '0 || phase_q inside {ASK, DRAIN})
  `VL_ASSERT(answers_are_awaited, !rsp_i || read_q[rsp_slot_i])
  `VL_ASSERT(the_block_stays, !(looks2_i || sets_i) || found)
  `VL_ASSERT(nothing_of_a_block_in_i, phase_q != SEND || st_q != NMOESI_I)
  `VL_ASSERT(done_without_slots, phase_q == SEND || far_i || (read_q | here_q) == '0)
  `VL_ASSERT(reads_of_the_home_have_their_slots, !mem_i || (far_i && free != '0))
  `VL_ASSERT(far_blocks_have_no_lines, !far_i || phase_q != SEND)
  `VL_ASSERT(looks_in_its_phase, !(looks_i && !look_o) && !(looks2_i && !look2_o) && !(sets_i && !set_o))
endmodule
