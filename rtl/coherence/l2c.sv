// One slice of a coherent second-level cache: as l2, with a state of NMOESI for each line, which its home grants and takes away. Page: docs/blocks/l2c.md (steps 1-10).
//   queue head, probe: directory read   |   p1, s1: look up, decide, mask read   |   s2: data read or written, mask written   |   s3: response, write-back, ack, atomic
// Requests for an outstanding line leave s1 for a list of l2c_mshr, and enter s2 when the line has arrived, past p1 and s1. A probe passes a request that waits in s1.
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2c
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, nmoesi_pkg::*, memside_pkg::*, coherence_pkg::*;
#(
    parameter int unsigned BYTES = L2_BYTES,
    parameter int unsigned BITS = CHANNEL_BITS   // blocks are interleaved over 2^BITS slices: a device's channels, or the host's for the last-level cache
) (
    input  logic      clk_i,
    input  logic      rst_i,
    input  slice_t    slice_i,
    input  logic      host_i,               // constant: 1 in a slice of the last-level cache
    // from / to the networks
    input  logic      net_req_valid_i,
    input  net_req_t  net_req_i,
    output logic      net_req_ready_o,
    output logic      net_rsp_valid_o,
    output net_rsp_t  net_rsp_o,
    input  logic      net_rsp_ready_i,
    // to / from the home
    output logic      home_req_valid_o,
    output home_req_t home_req_o,
    input  logic      home_req_ready_i,
    input  logic      home_rsp_valid_i,
    input  home_rsp_t home_rsp_i,
    input  logic      home_probe_valid_i,
    input  home_probe_t home_probe_i,
    output logic      home_probe_ready_o,
    output logic      home_ack_valid_o,
    output home_ack_t home_ack_o,
    input  logic      home_ack_ready_i,
    // control
    input  logic      maint_valid_i,
    input  maint_t    maint_i,
    output logic      maint_done_o,
    output logic      idle_o,
    output ev_l2c_t   ev_o,
    // for the judge: the line that net_rsp is about
    output line_addr_t trace_line_o
);
  localparam int unsigned WAYS = L2_WAYS;
  localparam int unsigned SETS = BYTES / (LINE_BYTES * WAYS);
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned WAY_W = idx_w(WAYS);
  localparam int unsigned ROW_W = idx_w(SETS * WAYS);
  localparam int unsigned NUM_W = KEY_W - BITS - SUB_BITS;                         // width of the slice's own number of a line, with the rest of its key
  localparam int unsigned TAG_W = NUM_W - SET_BITS;
  localparam int unsigned K_W = idx_w(L2_MSHRS);
  localparam int unsigned DELAY = L2_LATENCY - 4;
  localparam int unsigned OTHERS = 2 + L2_TARGETS;                         // requests in the slice outside of the queue
  localparam int unsigned SLOT_W = $clog2(DELAY + 2 + OTHERS);
  typedef logic [NUM_W-1:0] num_t;
  typedef logic [TAG_W-1:0] tag_t;
  typedef logic [SET_W-1:0] set_t;
  typedef logic [WAY_W-1:0] way_t;
  typedef logic [ROW_W-1:0] row_t;
  typedef logic [K_W-1:0] k_t;

  // A request: the fields that are needed to perform it ...
  typedef struct packed {
    src_t src;
    mem_op_e op;
    mem_id_t id;
    amo_e amo;
    logic amo_dword;
    line_off_t amo_off;
    hart_t hart;
    logic sc_fail;
    logic [SLOT_W-1:0] slot;               // place of its bytes
  } tgt_t;
  // ... to be looked up ...
  typedef struct packed {
    num_t num;
    mem_class_t cls;
    asid_t asid;
    tgt_t tgt;
  } hdr_t;
  // ... and its bytes.
  typedef struct packed {
    line_be_t be;
    line_data_t data;
  } pay_t;
  typedef enum logic [2:0] {S2_READ, S2_WRITE, S2_AMO, S2_ALLOC, S2_FLUSH, S2_PROBE} s2_e;
  typedef enum logic [2:0] {S3_READ, S3_WRITE, S3_AMO, S3_WB, S3_ACK} s3_e;
  typedef struct packed {
    home_op_e op;
    k_t k;
    mem_class_t cls;
    asid_t asid;
    src_t src;
    num_t num;
  } read_t;

  // Lines that are asked for and probed are physical.
  function automatic num_t number_at(input line_addr_t line);
    return num_t'(key_number_among(BITS, key_of(line, '0, SPACE_PHYSICAL)));
  endfunction
  function automatic set_t set_of(input num_t num);
    return (SETS > 1) ? set_t'(num) : '0;
  endfunction
  function automatic tag_t tag_of(input num_t num);
    return tag_t'(num >> SET_BITS);
  endfunction
  function automatic num_t num_from(input tag_t tag, input num_t num);
    num_t low = num & ~(~num_t'(0) << SET_BITS);
    return (num_t'(tag) << SET_BITS) | low;
  endfunction
  function automatic row_t row_at(input num_t num, input way_t way);
    return (row_t'(set_of(num)) << $clog2(WAYS)) | row_t'(way);
  endfunction
  function automatic nmoesi_event_e event_of_op(input mem_op_e op);
    return (op == MEM_READ) ? NM_LOAD : (op == MEM_WRITE) ? NM_N_STORE : NM_STORE;
  endfunction
  function automatic nmoesi_event_e event_of_probe(input probe_e kind);
    return (kind == PROBE_READ) ? NM_READ_REQUEST : (kind == PROBE_WRITE) ? NM_WRITE_REQUEST : NM_CLEAN;
  endfunction
  function automatic s2_e performs(input mem_op_e op);
    return (op == MEM_READ) ? S2_READ : (op == MEM_AMO) ? S2_AMO : S2_WRITE;
  endfunction
  function automatic home_op_e asks(input mem_op_e op);
    return (op == MEM_READ) ? HOME_READ : (op == MEM_WRITE) ? HOME_N_READ : HOME_READ_OWN;
  endfunction
  // A store into a part of a grain must be coherent, since its mask names the whole grain. From here on it is treated as a STORE.
  function automatic mem_op_e taken_as(input mem_op_e op, input line_be_t be);
    return (op == MEM_WRITE && mask_partial(be)) ? MEM_STORE : op;
  endfunction
  function automatic line_be_t operand_bytes(input tgt_t t);
    logic [7:0] bytes = t.amo_dword ? 8'hff : t.amo_off[2] ? 8'hf0 : 8'h0f;
    return line_be_t'(bytes) << {t.amo_off[LINE_OFF_W-1:3], 3'b0};
  endfunction

  // ---- state -----------------------------------------------------------------------------------------------------
  logic p1_valid_q, deferred_q;
  probe_e p1_kind_q;
  num_t p1_num_q;
  logic s1_valid_q, s1_maint_q, s1_here_q, s1_all_q, s1_inval_q;
  hdr_t s1_q;
  way_t s1_way_q;
  logic s2_valid_q, s2_wb_q, s2_lost_q, s2_fail_q, s2_again_q, s2_gives_q, s2_takes_q;
  s2_e s2_kind_q;
  tgt_t s2_tgt_q;
  num_t s2_num_q, s2_victim_q;
  nmoesi_e s2_vstate_q;
  mem_class_t s2_cls_q;
  asid_t s2_asid_q;
  way_t s2_way_q;
  k_t s2_k_q;
  logic s3_valid_q, s3_fail_q, s3_phase_q, s3_sent_q, s3_wrote_q, s3_keep_q;
  s3_e s3_kind_q;
  tgt_t s3_tgt_q;
  num_t s3_num_q;                          // of a write-back: the victim
  nmoesi_e s3_state_q;
  asid_t s3_asid_q;
  row_t s3_row_q;
  line_mask_t s3_mask_q;
  xlen_t s3_src_q, s3_cmp_q;
  ev_l2c_t ev_q;

  // ---- queue (step 8) --------------------------------------------------------------------------------------------
  hdr_t in_hdr, head;
  pay_t pay;
  logic q_empty, q_valid, q_pop, s2_load, s2_frees;
  logic [SLOT_W-1:0] head_slot, load_slot;
  assign in_hdr = '{
      num: number_at(net_req_i.req.line),
      cls: net_req_i.req.cls,
      asid: net_req_i.req.asid,
      tgt: '{
          src: net_req_i.src,
          op: taken_as(net_req_i.req.op, net_req_i.req.be),
          id: net_req_i.req.id,
          amo: net_req_i.req.amo,
          amo_dword: net_req_i.req.amo_dword,
          amo_off: net_req_i.req.amo_off,
          hart: net_req_i.req.hart,
          sc_fail: net_req_i.req.sc_fail,
          slot: '0
      }
  };
  l2_queue #(.HDR(hdr_t), .PAY(pay_t), .DELAY(DELAY), .OTHERS(OTHERS)) u_queue (
      .clk_i, .rst_i, .valid_i(net_req_valid_i), .ready_o(net_req_ready_o), .hdr_i(in_hdr), .pay_i({net_req_i.req.be, net_req_i.req.data}),
      .empty_o(q_empty), .valid_o(q_valid), .pop_i(q_pop), .hdr_o(head), .slot_o(head_slot),
      .read_i(s2_load), .raddr_i(load_slot), .pay_o(pay), .free_i(s2_frees), .free_slot_i(s2_tgt_q.slot)
  );

  // ---- maintenance (step 10) ---------------------------------------------------------------------------------------
  logic passes, passed_q, clearing, maint_busy, maint_done, no_mshr, step_valid, step_here, step_all, step_inval, s1_room, drained;
  line_addr_t step_line;
  way_t step_way;
  assign drained = !s1_valid_q && !s2_valid_q && !s3_valid_q;
  // A flush brings a device's bytes to the host. Bytes that the host stored are coherent where they are, so a flush skips the last-level cache.
  assign passes = host_i && maint_valid_i && maint_i.op inside {L2_FLUSH_LINE, L2_FLUSH_PAGE, L2_FLUSH_ALL};
  l2_maint #(.SETS(SETS), .WAYS(WAYS), .BITS(BITS)) u_maint (
      .clk_i, .rst_i, .slice_i, .maint_valid_i(maint_valid_i && !passes), .maint_i, .maint_done_o(maint_done), .busy_o(maint_busy), .quiet_i(!clearing && drained && no_mshr),
      .drained_i(drained), .valid_o(step_valid), .ready_i(s1_room), .line_o(step_line), .here_o(step_here), .all_o(step_all), .way_o(step_way),
      .inval_o(step_inval)
  );

  // ---- the next look-up (steps 8, 9) ----------------------------------------------------------------------------------
  // The directory has one read port. A request that stays is read again, since a line that arrives, or a probe, may have changed its set.
  logic probe_taken, p1_go, s1_go, s1_free, s1_take, looking;
  num_t new_num, look_num;
  assign probe_taken = home_probe_valid_i && home_probe_ready_o;
  assign s1_free = !s1_valid_q || s1_go;
  assign s1_room = !probe_taken && s1_free && (!p1_valid_q || p1_go);
  assign q_pop = q_valid && s1_room && !clearing && !maint_busy;
  assign s1_take = q_pop || (step_valid && s1_room);
  assign looking = probe_taken || p1_valid_q || s1_valid_q || step_valid || (q_valid && !clearing);
  assign new_num = step_valid ? number_at(step_line) : head.num;
  always_comb begin
    if (probe_taken) look_num = number_at(home_probe_i.line);
    else if (p1_valid_q && !p1_go) look_num = p1_num_q;
    else look_num = s1_free ? new_num : s1_q.num;
  end

  // ---- p1, s1: look up (steps 5, 6) -------------------------------------------------------------------------------------
  logic found, permits, way_room, dir_gives, dir_write, dir_touch, s1_request, is_sc, is_lr;
  nmoesi_event_e s1_what, what;
  nmoesi_e cur_state, next_state, fill_state;
  num_t num, fill_num;
  way_t way, fill_way;
  tag_t cur_tag;
  logic [WAYS-1:0] reserved;
  logic fill_now, fill_own, fill_stored;
  assign s1_request = s1_valid_q && !s1_maint_q;
  assign is_sc = s1_q.tgt.op == MEM_AMO && s1_q.tgt.amo == AMO_SC;
  assign is_lr = s1_q.tgt.op == MEM_AMO && s1_q.tgt.amo == AMO_LR;
  assign s1_what = event_of_op(s1_q.tgt.op);
  assign what = p1_valid_q ? event_of_probe(p1_kind_q) : s1_maint_q ? NM_EVICT : s1_what;
  assign num = p1_valid_q ? p1_num_q : s1_q.num;
  l2c_dir #(.SETS(SETS), .WAYS(WAYS), .TAG_W(TAG_W)) u_dir (
      .clk_i, .rst_i, .clearing_o(clearing), .read_i(looking), .set_i(set_of(look_num)),
      .tag_i(tag_of(num)), .what_i(what), .stay_i(!p1_valid_q && !s1_maint_q && is_lr), .clean_i(!p1_valid_q && s1_maint_q && !s1_inval_q),
      .pick_i(!p1_valid_q && s1_maint_q && s1_all_q), .way_i(s1_way_q), .evict_i(!p1_valid_q && !s1_maint_q && !is_sc), .reserved_i(reserved),
      .found_o(found), .permits_o(permits), .room_o(way_room), .way_o(way), .state_o(cur_state), .next_o(next_state), .gives_o(dir_gives), .tag_o(cur_tag),
      .write_i(dir_write), .touch_i(dir_touch),
      .fill_i(fill_now), .fill_set_i(set_of(fill_num)), .fill_way_i(fill_way), .fill_tag_i(tag_of(fill_num)), .fill_state_i(fill_state)
  );

  logic match, match_own, mshr_room, target_room;
  logic append, alloc, replay_valid, replay;
  k_t new_k, rsp_k;
  tgt_t replay_tgt;
  num_t replay_num;
  way_t replay_way;
  assign rsp_k = k_t'(home_rsp_i.id);
  assign fill_now = home_rsp_valid_i;
  assign fill_state = fill_own ? NMOESI_M : fill_stored ? nmoesi_next(home_rsp_i.state, NM_N_STORE) : home_rsp_i.state;
  l2c_mshr #(.TGT(tgt_t), .MSHRS(L2_MSHRS), .TARGETS(L2_TARGETS), .NUM_W(NUM_W), .SET_BITS(SET_BITS), .WAYS(WAYS)) u_mshr (
      .clk_i, .rst_i, .none_o(no_mshr), .num_i(s1_q.num), .tgt_i(s1_q.tgt), .match_o(match), .match_own_o(match_own), .reserved_o(reserved),
      .mshr_room_o(mshr_room), .target_room_o(target_room), .new_k_o(new_k), .append_i(append), .alloc_i(alloc), .stores_i(s1_what == NM_N_STORE),
      .own_i(s1_what == NM_STORE), .way_i(way), .replay_valid_o(replay_valid), .replay_i(replay), .replay_tgt_o(replay_tgt), .replay_num_o(replay_num),
      .replay_way_o(replay_way), .rsp_valid_i(home_rsp_valid_i), .rsp_k_i(rsp_k), .rsp_num_o(fill_num), .rsp_way_o(fill_way), .rsp_own_o(fill_own),
      .rsp_stored_o(fill_stored)
  );

  // Which case: a..f of the page.
  logic s2_free, turn, case_a, case_b, case_c, case_d, case_e, case_f;
  logic wait_mshr, wait_way, first, req_ready, step_ready, go_req, go_step, step_acts, s1_fills;
  assign case_a = match && !is_sc && (s1_what != NM_STORE || match_own);
  assign case_b = match && !is_sc && s1_what == NM_STORE && !match_own;
  assign case_c = !match && permits;
  assign case_d = is_sc && !case_c;
  assign case_e = !match && found && !permits && !is_sc;
  assign case_f = !match && !found && !is_sc;
  assign wait_mshr = ((case_e || case_f) && !mshr_room) || ((case_a || case_e || case_f) && !target_room);
  assign wait_way = case_f && !way_room;

  // s2_free is late (it depends on the networks' readies and on the data that an atomic stores), so everything else is computed before it.
  assign replay = s2_free && replay_valid;
  assign first = !replay_valid && !fill_now;
  assign turn = s2_free && first;
  assign p1_go = s2_free && (p1_valid_q && first);
  assign req_ready = s1_request && !p1_valid_q && first && !case_b && !wait_mshr && !wait_way;
  assign step_ready = s1_valid_q && s1_maint_q && !p1_valid_q && first;
  assign go_req = s2_free && req_ready;
  assign go_step = s2_free && step_ready;
  assign s1_go = s2_free && (req_ready || step_ready);
  assign step_acts = s1_here_q && found && cur_state != NMOESI_I;

  assign append = s2_free && (req_ready && case_a);
  assign alloc = s2_free && (req_ready && (case_e || case_f));
  assign dir_touch = s2_free && (req_ready && (case_c || case_e || case_f));
  assign dir_write = s2_free && ((p1_valid_q && first) || (req_ready && (case_c || case_e || case_f)) || (step_ready && step_acts));
  assign s1_fills = (req_ready && !case_a) || (step_ready && step_acts && (dir_gives || s1_inval_q));

  // ---- s2 (step 3) -----------------------------------------------------------------------------------------------------
  logic s3_free, amo_hold, row_clash, s2_block, s2_ready, s2_go, s2_stays, s2_leaves, s2_send, s2_held, s3_load, mask_write, read_line;
  line_mask_t mask, new_mask;
  row_t s2_row, load_row;
  assign s2_row = row_at(s2_num_q, s2_way_q);
  assign s2_held = s2_vstate_q != NMOESI_I;
  assign amo_hold = s3_valid_q && s3_kind_q == S3_AMO && !s3_wrote_q;
  assign row_clash = amo_hold && !s3_fail_q && s3_row_q == s2_row;
  always_comb begin
    unique case (s2_kind_q)
      S2_READ: s2_block = row_clash;
      S2_AMO: s2_block = row_clash && !s2_fail_q;
      S2_WRITE: s2_block = fill_now || amo_hold;
      S2_PROBE: s2_block = row_clash && s2_held;
      default: s2_block = row_clash && s2_wb_q;
    endcase
  end
  // A line that is given back before it is read again: its read follows its bytes.
  assign s2_stays = s2_wb_q && s2_again_q;
  assign s2_ready = s2_valid_q && !s2_block;
  assign s2_go = s3_free && s2_ready;
  assign s2_leaves = s3_free && (s2_ready && !s2_stays);
  assign s2_free = !s2_valid_q || s2_leaves;
  assign s3_load = s2_go && (s2_wb_q || s2_kind_q inside {S2_READ, S2_WRITE, S2_AMO, S2_PROBE});
  assign read_line = s2_go && (s2_wb_q || s2_kind_q == S2_READ || (s2_kind_q == S2_AMO && !s2_fail_q) || (s2_kind_q == S2_PROBE && s2_gives_q));
  assign s2_send = s2_leaves && s2_kind_q == S2_ALLOC;
  assign s2_frees = s2_leaves && s2_kind_q inside {S2_READ, S2_WRITE, S2_AMO};

  assign mask_write = s2_leaves && (s2_kind_q inside {S2_ALLOC, S2_FLUSH, S2_WRITE} || (s2_kind_q == S2_PROBE && s2_takes_q)
                                    || (s2_kind_q == S2_AMO && s2_tgt_q.amo != AMO_LR && !s2_fail_q));
  always_comb begin
    unique case (s2_kind_q)
      S2_WRITE: new_mask = mask | mask_of(pay.be);
      S2_AMO: new_mask = mask | mask_of(operand_bytes(s2_tgt_q));
      default: new_mask = '0;
    endcase
  end

  // The next operation: a replay, the probe, or the request in s1.
  assign s2_load = s2_free;
  assign load_row = replay_valid ? row_at(replay_num, replay_way) : row_at(num, way);
  assign load_slot = replay_valid ? replay_tgt.slot : s1_q.tgt.slot;
  l2_ram_fwd #(.DEPTH(SETS * WAYS), .WIDTH(MASK_W)) u_mask (
      .clk_i, .we_i(mask_write), .waddr_i(s2_row), .wdata_i(new_mask), .re_i(s2_load), .raddr_i(load_row), .rdata_o(mask)
  );

  // ---- s3: responses, write-backs, acknowledgements, atomics (steps 2, 7) --------------------------------------------------
  logic is_rsp, is_amo, offer_wb, offer_rd, wb_taken, rd_taken, ack_taken, rq_valid, s3_ready, s3_waits, s3_leaves, amo_write, amo_store, held, perform;
  line_data_t line;
  line_be_t amo_be;
  xlen_t amo_image, amo_data;
  read_t rq_head;
  assign is_amo = s3_kind_q == S3_AMO;
  assign is_rsp = s3_valid_q && s3_kind_q inside {S3_READ, S3_WRITE, S3_AMO};
  assign amo_write = s3_valid_q && is_amo && s3_phase_q && amo_store && !s3_wrote_q && !fill_now;
  always_comb begin
    unique case (s3_kind_q)
      S3_WB: s3_ready = wb_taken;
      S3_ACK: s3_ready = ack_taken;
      S3_AMO: s3_ready = s3_valid_q && s3_phase_q && (s3_sent_q || net_rsp_ready_i);
      default: s3_ready = s3_valid_q && net_rsp_ready_i;
    endcase
  end
  // Whether an atomic stores is known last.
  assign s3_waits = is_amo && !s3_wrote_q && fill_now;
  assign s3_leaves = s3_ready && !(s3_waits && amo_store);
  assign s3_free = !s3_valid_q || s3_leaves;

  l2_amo u_amo (
      .clk_i, .load_i(!s3_phase_q), .line_i(line), .op_i(s3_tgt_q.amo), .dword_i(s3_tgt_q.amo_dword), .off_i(s3_tgt_q.amo_off), .src_i(s3_src_q),
      .cmp_i(s3_cmp_q), .held_i(held && !s3_tgt_q.sc_fail && !s3_fail_q), .image_o(amo_image), .store_o(amo_store), .data_o(amo_data)
  );
  assign amo_be = operand_bytes(s3_tgt_q);
  assign perform = s3_leaves && is_rsp;
  l2_resv #(.NUM_W(NUM_W)) u_resv (
      .clk_i, .rst_i, .src_i(s3_tgt_q.src), .hart_i(s3_tgt_q.hart), .num_i(s3_num_q), .held_o(held), .lr_i(perform && is_amo && s3_tgt_q.amo == AMO_LR),
      .sc_i(perform && is_amo && s3_tgt_q.amo == AMO_SC), .written_i(perform && (s3_kind_q == S3_WRITE || (is_amo && amo_store))),
      .lost_i(s2_leaves && s2_lost_q), .lost_num_i(s2_victim_q)
  );

  // ---- data ------------------------------------------------------------------------------------------------------------------
  logic s2_write;
  line_be_t data_we;
  row_t fill_row, data_row;
  assign s2_write = s2_leaves && s2_kind_q == S2_WRITE;
  assign fill_row = row_at(fill_num, fill_way);
  assign data_we = fill_now ? '1 : amo_write ? amo_be : s2_write ? pay.be : '0;
  assign data_row = fill_now ? fill_row : amo_write ? s3_row_q : s2_row;
  ram_1r1w #(.DEPTH(SETS * WAYS), .WIDTH(LINE_BITS), .PARTS(LINE_BYTES)) u_data (
      .clk_i, .we_i(data_we), .waddr_i(data_row), .wdata_i(fill_now ? home_rsp_i.data : amo_write ? {(LINE_BITS / 64) {amo_data}} : pay.data),
      .re_i(read_line), .raddr_i(s2_row), .rdata_o(line)
  );
  read_t rq_in;
  logic rq_ready;
  assign rq_in = '{op: asks(s2_tgt_q.op), k: s2_k_q, cls: s2_cls_q, asid: s2_asid_q, src: s2_tgt_q.src, num: s2_num_q};
  fifo #(.T(read_t), .DEPTH(L2_MSHRS)) u_reads (
      .clk_i, .rst_i, .valid_i(s2_send), .ready_o(rq_ready), .data_i(rq_in), .valid_o(rq_valid), .ready_i(rd_taken), .data_o(rq_head)
  );

  // ---- outputs -----------------------------------------------------------------------------------------------------------------
  assign net_rsp_valid_o = is_rsp && (!is_amo || (s3_phase_q && !s3_sent_q));
  assign net_rsp_o = '{
      src: s3_tgt_q.src,
      rsp: '{id: s3_tgt_q.id, data: ((s3_kind_q == S3_READ) ? line : '0) | (is_amo ? line_data_t'(amo_image) : '0)}
  };
  assign trace_line_o = net_rsp_valid_o ? line_of_key_among(BITS, slice_i, line_key_t'(s3_num_q)) : '0;
  assign offer_wb = s3_valid_q && s3_kind_q == S3_WB && !rq_valid;
  assign offer_rd = rq_valid && !offer_wb;
  num_t offered_num;
  assign offered_num = offer_wb ? s3_num_q : rq_head.num;
  // The line's bytes that the home does not have.
  line_be_t given_be;
  line_data_t given;
  assign given_be = mask_bytes(s3_mask_q);
  always_comb begin
    given = '0;
    `VL_WHEN(s3_valid_q && s3_kind_q inside {S3_WB, S3_ACK}) for (int unsigned i = 0; i < LINE_BYTES; i++) given[8*i+:8] = line[8*i+:8] & {8{given_be[i]}};
  end
  assign wb_taken = offer_wb && home_req_ready_i;
  assign rd_taken = offer_rd && home_req_ready_i;
  assign home_req_valid_o = offer_wb || offer_rd;
  assign home_req_o = '{
      op: offer_wb ? HOME_WRITE_BACK : rq_head.op,
      id: offer_wb ? '0 : {1'b1, rq_head.k},
      cls: offer_wb ? '0 : rq_head.cls,
      asid: offer_wb ? s3_asid_q : rq_head.asid,
      src: offer_wb ? s3_tgt_q.src : rq_head.src,
      state: offer_wb ? s3_state_q : NMOESI_I,
      keep: offer_wb && s3_keep_q,
      line: line_of_key_among(BITS, slice_i, line_key_t'(offered_num)),
      be: offer_wb ? given_be : '0,
      data: offer_wb ? given : '0
  };
  assign home_probe_ready_o = !p1_valid_q && !clearing && !deferred_q;
  assign home_ack_valid_o = s3_valid_q && s3_kind_q == S3_ACK;
  assign ack_taken = home_ack_valid_o && home_ack_ready_i;
  assign home_ack_o = '{line: line_of_key_among(BITS, slice_i, line_key_t'(s3_num_q)), state: s3_state_q, be: given_be, data: given};
  assign maint_done_o = maint_done || passed_q;
  assign idle_o = !clearing && q_empty && !p1_valid_q && drained && no_mshr && !maint_busy && !maint_done_o;
  assign ev_o = ev_q;

  // ---- payload registers ---------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (probe_taken) begin
      p1_kind_q <= home_probe_i.kind;
      p1_num_q <= number_at(home_probe_i.line);
    end
    if (s1_free) begin
      s1_q <= head;
      s1_q.num <= new_num;
      s1_q.tgt.slot <= head_slot;
      if (step_valid) begin
        s1_q.asid <= '0;
        s1_q.tgt.src <= '0;
      end
      s1_maint_q <= step_valid;
      s1_here_q <= step_here;
      s1_all_q <= step_all;
      s1_inval_q <= step_inval;
      s1_way_q <= step_way;
    end
    if (s2_free) begin
      s2_kind_q <= replay_valid ? performs(replay_tgt.op) : p1_valid_q ? S2_PROBE : s1_maint_q ? S2_FLUSH
                   : (case_c || case_d) ? performs(s1_q.tgt.op) : S2_ALLOC;
      s2_fail_q <= !replay_valid && case_d;
      s2_again_q <= case_e && !s1_maint_q;
      s2_gives_q <= dir_gives;
      s2_takes_q <= cur_state != NMOESI_I && p1_kind_q != PROBE_READ;
      s2_tgt_q <= replay_valid ? replay_tgt : s1_q.tgt;
      s2_num_q <= replay_valid ? replay_num : num;
      s2_way_q <= replay_valid ? replay_way : way;
      s2_k_q <= new_k;
      s2_cls_q <= s1_q.cls;
      s2_asid_q <= s1_q.asid;
      s2_victim_q <= num_from(cur_tag, num);
      s2_vstate_q <= cur_state;
    end
    if (s3_free) begin
      s3_kind_q <= s2_wb_q ? S3_WB : (s2_kind_q == S2_PROBE) ? S3_ACK : (s2_kind_q == S2_WRITE) ? S3_WRITE : (s2_kind_q == S2_AMO) ? S3_AMO : S3_READ;
      s3_tgt_q <= s2_tgt_q;
      s3_num_q <= s2_wb_q ? s2_victim_q : s2_num_q;
      s3_state_q <= s2_vstate_q;
      s3_asid_q <= s2_asid_q;
      s3_keep_q <= s2_kind_q == S2_FLUSH && !step_inval;
      s3_row_q <= s2_row;
      s3_mask_q <= (s2_kind_q == S2_PROBE && !s2_gives_q) ? '0 : mask;
      s3_fail_q <= s2_fail_q;
      s3_src_q <= pay.data[63:0];
      s3_cmp_q <= pay.data[127:64];
    end
  end

  // ---- control registers -----------------------------------------------------------------------------------------------------------
  logic moved;
  nmoesi_e moved_from, moved_to;
  assign moved_from = fill_now ? NMOESI_I : cur_state;
  assign moved_to = fill_now ? fill_state : next_state;
  assign moved = (fill_now || dir_write) && moved_from != moved_to;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      passed_q <= 1'b0;
      p1_valid_q <= 1'b0;
      deferred_q <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s2_wb_q <= 1'b0;
      s2_lost_q <= 1'b0;
      s3_valid_q <= 1'b0;
      s3_phase_q <= 1'b0;
      s3_sent_q <= 1'b0;
      s3_wrote_q <= 1'b0;
      ev_q <= '0;
    end else begin
      passed_q <= passes;
      if (probe_taken || p1_go) p1_valid_q <= probe_taken;
      deferred_q <= s1_valid_q && (p1_valid_q ? deferred_q : !turn);
      if (s1_free) s1_valid_q <= s1_take;
      if (s2_free) begin
        s2_valid_q <= replay_valid || (p1_valid_q && first) || s1_fills;
        s2_wb_q <= !replay_valid && !p1_valid_q && (s1_maint_q || !(case_c || case_d)) && dir_gives;
        s2_lost_q <= !replay_valid && cur_state != NMOESI_I
                     && (p1_valid_q ? p1_kind_q == PROBE_WRITE : s1_maint_q ? s1_inval_q : !(case_c || case_d));
      end else if (s2_go) s2_wb_q <= 1'b0;
      if (s3_free) begin
        s3_valid_q <= s3_load;
        s3_phase_q <= 1'b0;
        s3_sent_q <= 1'b0;
        s3_wrote_q <= 1'b0;
      end else begin
        s3_phase_q <= is_amo;
        if (net_rsp_valid_o && net_rsp_ready_i) s3_sent_q <= 1'b1;
        if (amo_write) s3_wrote_q <= 1'b1;
      end

      ev_q.l2_access <= go_req;
      ev_q.l2_hit <= go_req && case_c;
      ev_q.l2_merge <= go_req && case_a;
      ev_q.l2_atomic <= go_req && s1_q.tgt.op == MEM_AMO;
      ev_q.l2_sc_lost <= go_req && case_d;
      ev_q.l2_upgrade <= go_req && case_e;
      ev_q.l2_evict <= go_req && case_f && dir_gives;
      ev_q.l2_own <= alloc && s1_what == NM_STORE;
      ev_q.l2_n_read <= alloc && s1_what == NM_N_STORE;
      ev_q.l2_cls <= go_req ? s1_q.cls : '0;
      ev_q.l2_asid <= go_req ? s1_q.asid : '0;
      ev_q.l2_probe <= p1_go;
      ev_q.l2_probe_hit <= p1_go && found;
      ev_q.l2_probe_gives <= p1_go && dir_gives;
      ev_q.l2_moved <= moved;
      ev_q.l2_from <= moved ? moved_from : NMOESI_I;
      ev_q.l2_to <= moved ? moved_to : NMOESI_I;
      ev_q.l2_read <= rd_taken;
      ev_q.l2_write <= wb_taken;
      ev_q.l2_ack <= ack_taken;
      ev_q.l2_fill <= fill_now;
      ev_q.l2_replay <= replay;
      ev_q.l2_stall_probe <= s1_request && p1_valid_q;
      ev_q.l2_stall_pipe <= s1_request && !p1_valid_q && !turn;
      ev_q.l2_stall_own <= s1_request && !p1_valid_q && turn && case_b;
      ev_q.l2_stall_mshr <= s1_request && !p1_valid_q && turn && !case_b && wait_mshr;
      ev_q.l2_stall_way <= s1_request && !p1_valid_q && turn && !case_b && !wait_mshr && wait_way;
    end
  end

  `VL_ASSERT(request_is_of_this_slice, !net_req_valid_i || slice_among(BITS, net_req_i.req.line) == slice_i)
  `VL_ASSERT(probe_is_of_this_slice, !home_probe_valid_i || slice_among(BITS, home_probe_i.line) == slice_i)
  `VL_ASSERT(grants_permit_what_waits, !home_rsp_valid_i || home_rsp_i.state inside {NMOESI_E, NMOESI_M} || (!fill_own && home_rsp_i.state inside {NMOESI_N, NMOESI_S}))
  `VL_ASSERT(answers_bear_the_top_bit, !home_rsp_valid_i || home_rsp_i.id[K_W])
  `VL_ASSERT(awaited_line_is_in_i, !s1_request || p1_valid_q || !match || !found)
  `VL_ASSERT(held_ways_are_not_reserved, !s1_request || p1_valid_q || !found || !reserved[way])
  `VL_ASSERT(one_case, !go_req || $countones({case_a, case_b, case_c, case_d, case_e, case_f}) == 1)
  `VL_ASSERT(probe_waits_for_its_turn_only, !p1_valid_q || p1_go == turn)
  `VL_ASSERT(probe_goes_first, !p1_valid_q || !s1_go)
  `VL_ASSERT(lists_go_first, !replay || (!p1_go && !s1_go))
  `VL_ASSERT(no_sc_in_a_list, !replay || replay_tgt.op != MEM_AMO || replay_tgt.amo != AMO_SC)
  `VL_ASSERT(clean_lines_have_no_bytes_of_their_own, !s2_go || !(s2_kind_q inside {S2_ALLOC, S2_FLUSH, S2_PROBE}) || !(s2_vstate_q inside {NMOESI_S, NMOESI_E}) || mask == '0)
  `VL_ASSERT(nothing_awaited_in_maintenance, !go_step || no_mshr)
  `VL_ASSERT(reads_have_room, !s2_send || rq_ready)
  `VL_ASSERT(no_read_behind_a_waiting_write_back, !s2_send || s3_free)
  `VL_ASSERT(own_bytes_go_home_before_the_read, !s2_send || !s2_again_q || !s2_wb_q)
  `VL_ASSERT(reads_and_writes_differ, !read_line || data_we == '0 || s2_row != data_row)
  `VL_ASSERT(fills_keep_their_way, !fill_now || !s2_valid_q || s2_row != fill_row || (s2_kind_q == S2_PROBE && !s2_held) || s2_fail_q)
endmodule
