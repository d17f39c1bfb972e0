// One slice of the shared second-level cache: write-back, write-allocate without fetch, byte-dirty, non-blocking, atomics performed here.
// Page: docs/blocks/l2.md (steps 1-8).
//   queue head: directory read   |   s1: look up, decide, mask read   |   s2: data read or written, mask written   |   s3: response, write-back, atomic
// Requests for an outstanding line leave s1 for a list of l2_mshr, and enter s2, past s1, when the line has arrived.
`include "vl_assert.svh"
`include "vl_skip.svh"
module l2
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mem_pkg::*, home_pkg::*, nmoesi_pkg::*, memside_pkg::*;
(
    input  logic      clk_i,
    input  logic      rst_i,
    input  slice_t    slice_i,
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
    output ev_l2_t    ev_o,
    // for the judge: the line that net_rsp is about
    output line_addr_t trace_line_o
);
  localparam int unsigned WAYS = L2_WAYS;
  localparam int unsigned SETS = L2_BYTES / (LINE_BYTES * WAYS);
  localparam int unsigned SET_BITS = $clog2(SETS);
  localparam int unsigned SET_W = idx_w(SETS);
  localparam int unsigned WAY_W = idx_w(WAYS);
  localparam int unsigned ROW_W = idx_w(SETS * WAYS);
  localparam int unsigned NUM_W = KEY_NUMBER_W;                            // width of the slice's own number of a line, with the rest of its key
  localparam int unsigned TAG_W = NUM_W - SET_BITS;
  localparam int unsigned K_W = idx_w(L2_MSHRS);
  localparam int unsigned DELAY = L2_LATENCY - 4;
  localparam int unsigned OTHERS = 2 + L2_TARGETS;                         // requests in the slice outside of the queue
  localparam int unsigned SLOT_W = $clog2(DELAY + 2 + OTHERS);
  typedef key_number_t num_t;
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
    logic nb;                              // a read that is not to be cached
    logic whole;                           // writes the whole line
    tgt_t tgt;
  } hdr_t;
  // ... and its bytes.
  typedef struct packed {
    line_be_t be;
    line_data_t data;
  } pay_t;
  typedef enum logic [2:0] {S2_READ, S2_WRITE, S2_AMO, S2_ALLOC, S2_PROBE, S2_BYPASS, S2_FLUSH} s2_e;
  typedef enum logic [1:0] {S3_READ, S3_WRITE, S3_AMO, S3_WB} s3_e;
  typedef struct packed {
    logic fill;                            // into the cache; the top bit of the id
    k_t k;
    mem_class_t cls;
    asid_t asid;
    src_t src;
    num_t num;
  } read_t;

  // Lines that are asked for are physical.
  function automatic num_t number_at(input line_addr_t line);
    return key_number_of(key_of(line, '0, SPACE_PHYSICAL));
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
  function automatic s2_e performs(input mem_op_e op);
    return (op == MEM_WRITE) ? S2_WRITE : (op == MEM_AMO) ? S2_AMO : S2_READ;
  endfunction
  function automatic line_be_t operand_bytes(input tgt_t t);
    logic [7:0] bytes = t.amo_dword ? 8'hff : t.amo_off[2] ? 8'hf0 : 8'h0f;
    return line_be_t'(bytes) << {t.amo_off[LINE_OFF_W-1:3], 3'b0};
  endfunction

  // ---- state -----------------------------------------------------------------------------------------------------
  logic s1_valid_q, s1_maint_q, s1_here_q, s1_all_q, s1_inval_q;
  hdr_t s1_q;
  way_t s1_way_q;
  logic s2_valid_q, s2_wb_q, s2_fresh_q, s2_frombyp_q;
  s2_e s2_kind_q;
  tgt_t s2_tgt_q;
  num_t s2_num_q, s2_victim_q;
  mem_class_t s2_cls_q;
  asid_t s2_asid_q;
  way_t s2_way_q;
  k_t s2_k_q;
  logic s3_valid_q, s3_frombyp_q, s3_phase_q, s3_sent_q, s3_wrote_q, s3_keep_q;
  s3_e s3_kind_q;
  tgt_t s3_tgt_q;
  num_t s3_num_q;                          // of a write-back: the victim
  asid_t s3_asid_q;
  row_t s3_row_q;
  line_be_t s3_mask_q;
  xlen_t s3_src_q, s3_cmp_q;
  ev_l2_t ev_q;

  // ---- queue (step 7) --------------------------------------------------------------------------------------------
  hdr_t in_hdr, head;
  pay_t pay;
  logic q_empty, q_valid, q_pop, s2_load, s2_frees;
  logic [SLOT_W-1:0] head_slot, load_slot;
  assign in_hdr = '{
      num: number_at(net_req_i.req.line),
      cls: net_req_i.req.cls,
      asid: net_req_i.req.asid,
      nb: net_req_i.bypass && net_req_i.req.op == MEM_READ,
      whole: net_req_i.req.op == MEM_WRITE && net_req_i.req.be == '1,
      tgt: '{
          src: net_req_i.src,
          op: net_req_i.req.op,
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

  // ---- maintenance (step 8) ----------------------------------------------------------------------------------------
  logic clearing, maint_busy, maint_done, no_mshr, step_valid, step_here, step_all, step_inval, s1_free, drained;
  line_addr_t step_line;
  way_t step_way;
  assign drained = !s1_valid_q && !s2_valid_q && !s3_valid_q;
  l2_maint #(.SETS(SETS), .WAYS(WAYS)) u_maint (
      .clk_i, .rst_i, .slice_i, .maint_valid_i, .maint_i, .maint_done_o(maint_done), .busy_o(maint_busy), .quiet_i(!clearing && drained && no_mshr),
      .drained_i(drained), .valid_o(step_valid), .ready_i(s1_free), .line_o(step_line), .here_o(step_here), .all_o(step_all), .way_o(step_way),
      .inval_o(step_inval)
  );
  assign q_pop = q_valid && s1_free && !clearing && !maint_busy;

  // ---- s1: look up (step 5) ------------------------------------------------------------------------------------------
  logic hit, way_room, cur_valid, cur_filled, cur_dirty;
  logic dir_write, dir_filled, dir_dirty, dir_touch;
  way_t way;
  tag_t cur_tag;
  logic [WAYS-1:0] reserved;
  num_t lookup_num;
  assign lookup_num = step_valid ? number_at(step_line) : head.num;
  l2_dir #(.SETS(SETS), .WAYS(WAYS), .TAG_W(TAG_W)) u_dir (
      .clk_i, .rst_i, .clearing_o(clearing), .read_i(q_pop || (step_valid && s1_free)), .set_i(set_of(lookup_num)),
      .tag_i(tag_of(s1_q.num)), .pick_i(s1_maint_q && s1_all_q), .way_i(s1_way_q), .keep_i(reserved),
      .hit_o(hit), .room_o(way_room), .way_o(way), .valid_o(cur_valid), .filled_o(cur_filled), .dirty_o(cur_dirty), .tag_o(cur_tag),
      .write_i(dir_write), .valid_i(!(s1_maint_q && s1_inval_q)), .filled_i(dir_filled), .dirty_i(dir_dirty), .touch_i(dir_touch)
  );

  logic match, match_byp, match_here, mshr_room, target_room;
  logic append, upgrade, alloc, alloc_byp, replay_valid, replay, replay_byp;
  logic s2_here, s2_fetch, s2_send, fill_now;
  k_t s1_k, replay_k, rsp_k;
  tgt_t replay_tgt;
  num_t replay_num, fill_num;
  way_t replay_way, fill_way;
  line_be_t spare, fill_spare;
  assign rsp_k = k_t'(home_rsp_i.id);
  assign fill_now = home_rsp_valid_i && home_rsp_i.id[K_W];
  l2_mshr #(.TGT(tgt_t), .MSHRS(L2_MSHRS), .TARGETS(L2_TARGETS), .NUM_W(NUM_W), .SET_BITS(SET_BITS), .WAYS(WAYS)) u_mshr (
      .clk_i, .rst_i, .none_o(no_mshr), .num_i(s1_q.num), .tgt_i(s1_q.tgt), .match_o(match), .match_byp_o(match_byp), .match_here_o(match_here),
      .reserved_o(reserved), .mshr_room_o(mshr_room), .target_room_o(target_room), .k_o(s1_k), .append_i(append), .upgrade_i(upgrade), .alloc_i(alloc),
      .byp_i(alloc_byp), .way_i(way), .replay_valid_o(replay_valid), .replay_i(replay), .replay_k_o(replay_k), .replay_tgt_o(replay_tgt),
      .replay_num_o(replay_num), .replay_way_o(replay_way), .replay_byp_o(replay_byp), .here_i(s2_here), .fetch_i(s2_fetch), .s2_k_i(s2_k_q),
      .spare_i(spare), .rsp_valid_i(home_rsp_valid_i), .rsp_fill_i(home_rsp_i.id[K_W]), .rsp_k_i(rsp_k), .rsp_num_o(fill_num), .rsp_way_o(fill_way),
      .rsp_spare_o(fill_spare)
  );

  // Which case: a..g of the page.
  logic s2_free, s1_req, is_write, stores, case_a, case_b, case_c, case_d, case_e, case_f, case_g;
  logic wait_drain, wait_mshr, wait_way, s1_turn, go_req, go_step, s1_go, step_acts, install, evicts;
  assign s1_req = s1_valid_q && !s1_maint_q;
  assign is_write = s1_q.tgt.op == MEM_WRITE;
  assign stores = is_write || (s1_q.tgt.op == MEM_AMO && s1_q.tgt.amo != AMO_LR);
  assign case_a = match && (s1_q.tgt.op == MEM_READ || !match_byp);
  assign case_b = match && match_byp && s1_q.tgt.op != MEM_READ;
  assign case_c = !match && hit && (cur_filled || is_write);
  assign case_d = !match && hit && !cur_filled && !is_write;
  assign case_e = !match && !hit && s1_q.nb;
  assign case_f = !match && !hit && !is_write && !s1_q.nb;
  assign case_g = !match && !hit && is_write;
  assign wait_drain = case_b && match_here;
  assign wait_mshr = ((case_d || case_e || case_f) && !mshr_room) || (!case_c && !case_g && !target_room);
  assign wait_way = (case_b || case_f || case_g) && !way_room;

  assign replay = s2_free && replay_valid;
  assign s1_turn = s2_free && !replay_valid;
  assign go_req = s1_req && s1_turn && !wait_drain && !wait_mshr && !wait_way;
  assign go_step = s1_valid_q && s1_maint_q && s1_turn;
  assign s1_go = go_req || go_step;
  assign s1_free = !s1_valid_q || s1_go;
  assign step_acts = s1_here_q && cur_valid && (s1_all_q || hit);
  assign install = case_b || case_f || case_g;
  assign evicts = install && cur_valid && cur_dirty;

  assign append = go_req && case_a;
  assign upgrade = go_req && case_b;
  assign alloc = go_req && (case_d || case_e || case_f);
  assign alloc_byp = case_e;
  assign dir_write = (go_req && !case_e && !(case_a && match_byp)) || (go_step && step_acts);
  assign dir_filled = s1_maint_q ? cur_filled : case_g ? s1_q.whole : case_c ? cur_filled || s1_q.whole : 1'b1;
  assign dir_dirty = !s1_maint_q && (stores || (cur_dirty && !install));
  assign dir_touch = go_req && !case_e && !(case_a && match_byp) && !s1_q.nb;

  // ---- s2 (step 3) -----------------------------------------------------------------------------------------------------
  logic s3_free, amo_hold, row_clash, s2_block, s2_go, s2_leaves, s3_load, mask_write, s1_fills, read_line;
  line_be_t mask, new_mask;
  row_t s2_row, load_row;
  assign s2_row = row_at(s2_num_q, s2_way_q);
  assign amo_hold = s3_valid_q && s3_kind_q == S3_AMO && !s3_wrote_q;
  assign row_clash = amo_hold && s3_row_q == s2_row;
  always_comb begin
    if (s2_wb_q) s2_block = row_clash;
    else begin
      unique case (s2_kind_q)
        S2_READ: s2_block = row_clash && !s2_frombyp_q;
        S2_AMO: s2_block = row_clash;
        S2_WRITE: s2_block = fill_now || amo_hold;
        default: s2_block = 1'b0;
      endcase
    end
  end
  assign s2_go = s2_valid_q && s3_free && !s2_block;
  assign s2_leaves = s2_go && !(s2_wb_q && s2_kind_q == S2_WRITE);
  assign s2_free = !s2_valid_q || s2_leaves;
  assign s3_load = s2_go && (s2_wb_q || s2_kind_q inside {S2_READ, S2_WRITE, S2_AMO});
  assign read_line = s2_go && (s2_wb_q || s2_kind_q == S2_AMO || (s2_kind_q == S2_READ && !s2_frombyp_q));

  assign s2_here = s2_leaves && s2_kind_q == S2_PROBE && mask == '1;
  assign s2_fetch = s2_leaves && (s2_kind_q == S2_ALLOC || (s2_kind_q == S2_PROBE && mask != '1));
  assign s2_send = s2_fetch || (s2_leaves && s2_kind_q == S2_BYPASS);
  assign spare = (s2_kind_q == S2_PROBE) ? mask : '0;
  assign s2_frees = s2_leaves && s2_kind_q inside {S2_READ, S2_WRITE, S2_AMO};

  assign mask_write = s2_leaves && (s2_kind_q inside {S2_ALLOC, S2_FLUSH, S2_WRITE} || (s2_kind_q == S2_AMO && s2_tgt_q.amo != AMO_LR));
  always_comb begin
    unique case (s2_kind_q)
      S2_WRITE: new_mask = pay.be | (s2_fresh_q ? '0 : mask);
      S2_AMO: new_mask = mask | operand_bytes(s2_tgt_q);
      default: new_mask = '0;
    endcase
  end

  // The next operation: a replay, or the request in s1.
  assign s1_fills = (go_req && !case_a) || (go_step && step_acts && cur_dirty);
  assign s2_load = s2_free;
  assign load_row = replay_valid ? row_at(replay_num, replay_way) : row_at(s1_q.num, way);
  assign load_slot = replay_valid ? replay_tgt.slot : s1_q.tgt.slot;
  l2_ram_fwd #(.DEPTH(SETS * WAYS), .WIDTH(LINE_BYTES)) u_mask (
      .clk_i, .we_i(mask_write), .waddr_i(s2_row), .wdata_i(new_mask), .re_i(s2_load), .raddr_i(load_row), .rdata_o(mask)
  );

  // ---- s3: responses, write-backs, atomics (steps 2, 6) --------------------------------------------------------------------
  logic is_rsp, is_amo, offer_wb, offer_rd, wb_taken, rd_taken, rq_valid, s3_leaves, amo_write, amo_store, held, perform;
  line_data_t line, byp_line;
  line_be_t amo_be;
  xlen_t amo_image, amo_data;
  read_t rq_head;
  assign is_amo = s3_kind_q == S3_AMO;
  assign is_rsp = s3_valid_q && s3_kind_q != S3_WB;
  assign amo_write = s3_valid_q && is_amo && s3_phase_q && amo_store && !s3_wrote_q && !fill_now;
  always_comb begin
    unique case (s3_kind_q)
      S3_WB: s3_leaves = wb_taken;
      S3_AMO: s3_leaves = s3_valid_q && s3_phase_q && (s3_sent_q || net_rsp_ready_i) && (!amo_store || s3_wrote_q || !fill_now);
      default: s3_leaves = s3_valid_q && net_rsp_ready_i;
    endcase
  end
  assign s3_free = !s3_valid_q || s3_leaves;

  l2_amo u_amo (
      .clk_i, .load_i(!s3_phase_q), .line_i(line), .op_i(s3_tgt_q.amo), .dword_i(s3_tgt_q.amo_dword), .off_i(s3_tgt_q.amo_off), .src_i(s3_src_q),
      .cmp_i(s3_cmp_q), .held_i(held && !s3_tgt_q.sc_fail), .image_o(amo_image), .store_o(amo_store), .data_o(amo_data)
  );
  assign amo_be = operand_bytes(s3_tgt_q);
  assign perform = s3_leaves && is_rsp;
  l2_resv #(.NUM_W(NUM_W)) u_resv (
      .clk_i, .rst_i, .src_i(s3_tgt_q.src), .hart_i(s3_tgt_q.hart), .num_i(s3_num_q), .held_o(held), .lr_i(perform && is_amo && s3_tgt_q.amo == AMO_LR),
      .sc_i(perform && is_amo && s3_tgt_q.amo == AMO_SC), .written_i(perform && (s3_kind_q == S3_WRITE || (is_amo && amo_store))),
      .lost_i(1'b0), .lost_num_i('0)
  );

  // ---- data ------------------------------------------------------------------------------------------------------------------
  logic s2_write;
  line_be_t data_we;
  assign s2_write = s2_leaves && s2_kind_q == S2_WRITE;
  assign data_we = fill_now ? ~fill_spare : amo_write ? amo_be : s2_write ? pay.be : '0;
  ram_1r1w #(.DEPTH(SETS * WAYS), .WIDTH(LINE_BITS), .PARTS(LINE_BYTES)) u_data (
      .clk_i, .we_i(data_we), .waddr_i(fill_now ? row_at(fill_num, fill_way) : amo_write ? s3_row_q : s2_row),
      .wdata_i(fill_now ? home_rsp_i.data : amo_write ? {(LINE_BITS / 64) {amo_data}} : pay.data),
      .re_i(read_line), .raddr_i(s2_row), .rdata_o(line)
  );
  // Lines of reads that bypass the cache wait here for their answers.
  ram_1r1w #(.DEPTH(L2_MSHRS), .WIDTH(LINE_BITS)) u_beside (
      .clk_i, .we_i(home_rsp_valid_i && !home_rsp_i.id[K_W]), .waddr_i(rsp_k), .wdata_i(home_rsp_i.data),
      .re_i(s2_go && s2_kind_q == S2_READ && s2_frombyp_q), .raddr_i(s2_k_q), .rdata_o(byp_line)
  );
  read_t rq_in;
  logic rq_ready;
  assign rq_in = '{fill: s2_kind_q != S2_BYPASS, k: s2_k_q, cls: s2_cls_q, asid: s2_asid_q, src: s2_tgt_q.src, num: s2_num_q};
  fifo #(.T(read_t), .DEPTH(2 * L2_MSHRS)) u_reads (
      .clk_i, .rst_i, .valid_i(s2_send), .ready_o(rq_ready), .data_i(rq_in), .valid_o(rq_valid), .ready_i(rd_taken), .data_o(rq_head)
  );

  // ---- outputs -----------------------------------------------------------------------------------------------------------------
  assign net_rsp_valid_o = is_rsp && (!is_amo || (s3_phase_q && !s3_sent_q));
  assign net_rsp_o = '{
      src: s3_tgt_q.src,
      rsp: '{
          id: s3_tgt_q.id,
          data: ((s3_kind_q == S3_READ && !s3_frombyp_q) ? line : '0) | ((s3_kind_q == S3_READ && s3_frombyp_q) ? byp_line : '0)
                | (is_amo ? line_data_t'(amo_image) : '0)
      }
  };
  assign trace_line_o = net_rsp_valid_o ? line_of_key(slice_i, s3_num_q) : '0;
  assign offer_wb = s3_valid_q && s3_kind_q == S3_WB && !rq_valid;
  assign offer_rd = rq_valid && !offer_wb;
  // Bytes never written are undefined before the line's first fill.
  line_data_t wb_bits;
  always_comb begin
    wb_bits = '0;
    `VL_WHEN(offer_wb) for (int unsigned i = 0; i < LINE_BYTES; i++) wb_bits[8*i+:8] = {8{s3_mask_q[i]}};
  end
  assign wb_taken = offer_wb && home_req_ready_i;
  assign rd_taken = offer_rd && home_req_ready_i;
  assign home_req_valid_o = offer_wb || offer_rd;
  // The home permits every access to every line without a request, so lines have no states here.
  assign home_req_o = '{
      op: offer_wb ? HOME_WRITE_BACK : HOME_READ,
      id: offer_wb ? '0 : {rq_head.fill, rq_head.k},
      cls: offer_wb ? '0 : rq_head.cls,
      asid: offer_wb ? s3_asid_q : rq_head.asid,
      src: offer_wb ? s3_tgt_q.src : rq_head.src,
      state: offer_wb ? NMOESI_M : NMOESI_I,
      keep: offer_wb && s3_keep_q,
      line: line_of_key(slice_i, offer_wb ? s3_num_q : rq_head.num),
      be: offer_wb ? s3_mask_q : '0,
      data: offer_wb ? line & wb_bits : '0
  };
  assign home_probe_ready_o = 1'b0;
  assign home_ack_valid_o = 1'b0;
  assign home_ack_o = '0;
  assign maint_done_o = maint_done;
  assign idle_o = !clearing && q_empty && drained && no_mshr && !maint_busy && !maint_done;
  assign ev_o = ev_q;

  // ---- payload registers ---------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (s1_free) begin
      s1_q <= head;
      s1_q.num <= lookup_num;
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
      s2_kind_q <= (replay_valid || case_c || case_g) && !(s1_maint_q && !replay_valid) ? performs(replay_valid ? replay_tgt.op : s1_q.tgt.op)
                   : s1_maint_q ? S2_FLUSH : case_d ? S2_PROBE : case_e ? S2_BYPASS : S2_ALLOC;
      s2_fresh_q <= !replay_valid && case_g;
      s2_frombyp_q <= replay_valid && replay_byp;
      s2_tgt_q <= replay_valid ? replay_tgt : s1_q.tgt;
      s2_num_q <= replay_valid ? replay_num : s1_q.num;
      s2_way_q <= replay_valid ? replay_way : way;
      s2_k_q <= replay_valid ? replay_k : s1_k;
      s2_cls_q <= s1_q.cls;
      s2_asid_q <= s1_q.asid;
      s2_victim_q <= num_from(cur_tag, s1_q.num);
    end
    if (s3_free) begin
      s3_kind_q <= s2_wb_q ? S3_WB : (s2_kind_q == S2_WRITE) ? S3_WRITE : (s2_kind_q == S2_AMO) ? S3_AMO : S3_READ;
      s3_tgt_q <= s2_tgt_q;
      s3_num_q <= s2_wb_q ? s2_victim_q : s2_num_q;
      s3_asid_q <= s2_asid_q;
      s3_keep_q <= s2_kind_q == S2_FLUSH && !step_inval;
      s3_row_q <= s2_row;
      s3_mask_q <= mask;
      s3_frombyp_q <= s2_frombyp_q;
      s3_src_q <= pay.data[63:0];
      s3_cmp_q <= pay.data[127:64];
    end
  end

  // ---- control registers -----------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s2_wb_q <= 1'b0;
      s3_valid_q <= 1'b0;
      s3_phase_q <= 1'b0;
      s3_sent_q <= 1'b0;
      s3_wrote_q <= 1'b0;
      ev_q <= '0;
    end else begin
      if (s1_free) s1_valid_q <= q_pop || step_valid;
      if (s2_free) begin
        s2_valid_q <= replay || s1_fills;
        s2_wb_q <= !replay_valid && (s1_maint_q || evicts);
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
      ev_q.l2_merge <= go_req && (case_a || case_b);
      ev_q.l2_bypass <= go_req && s1_q.nb;
      ev_q.l2_atomic <= go_req && s1_q.tgt.op == MEM_AMO;
      ev_q.l2_probe <= go_req && case_d;
      ev_q.l2_upgrade <= go_req && case_b;
      ev_q.l2_evict <= go_req && evicts;
      ev_q.l2_cls <= go_req ? s1_q.cls : '0;
      ev_q.l2_asid <= go_req ? s1_q.asid : '0;
      ev_q.l2_read <= rd_taken;
      ev_q.l2_write <= wb_taken;
      ev_q.l2_fill <= fill_now;
      ev_q.l2_replay <= replay;
      ev_q.l2_stall_pipe <= s1_req && !s1_turn;
      ev_q.l2_stall_drain <= s1_req && s1_turn && wait_drain;
      ev_q.l2_stall_mshr <= s1_req && s1_turn && !wait_drain && wait_mshr;
      ev_q.l2_stall_way <= s1_req && s1_turn && !wait_drain && !wait_mshr && wait_way;
    end
  end

  `VL_ASSERT(flat_grants_everything, HOME != HOME_FLAT || !home_rsp_valid_i || home_rsp_i.state == NMOESI_E)
  `VL_ASSERT(flat_never_probes, HOME != HOME_FLAT || !home_probe_valid_i)
  `VL_ASSERT(request_is_of_this_slice, !net_req_valid_i || slice_of(net_req_i.req.line) == slice_i)
  `VL_ASSERT(awaited_line_has_its_way, !append || match_byp || hit)
  `VL_ASSERT(bypassed_line_has_no_way, !upgrade || !hit)
  `VL_ASSERT(reads_have_room, !s2_send || rq_ready)
  `VL_ASSERT(no_read_behind_a_waiting_write_back, !s2_send || s3_free)
  `VL_ASSERT(reads_and_writes_differ, !read_line || data_we == '0 || s2_row != (fill_now ? row_at(fill_num, fill_way) : amo_write ? s3_row_q : s2_row))
  `VL_ASSERT(fills_keep_their_way, !fill_now || !s2_valid_q || s2_row != row_at(fill_num, fill_way) || s2_frombyp_q || s2_kind_q == S2_BYPASS)
endmodule
