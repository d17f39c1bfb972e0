// Directory of a stacked memory: the home of an L2 slice's lines, a cache of blocks of host memory in its channel's stack, and a party to the coherence protocol.
// Page: docs/blocks/smd.md (steps 1-9).
//   Everything that reads or writes the table passes s1, one a cycle: reads and write-backs of the slice, steps of a probe (smd_job), of transactions (smd_transact), of
//   maintenance (smd_maint). Reads that may not be performed yet wait in smd_reads.
`include "vl_assert.svh"
`include "vl_skip.svh"
module smd
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, home_pkg::*, nmoesi_pkg::*, memside_pkg::*, coherence_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  slice_t      channel_i,
    input  device_t     device_i,
    // the L2 slice
    input  logic        home_req_valid_i,
    input  home_req_t   home_req_i,
    output logic        home_req_ready_o,
    output logic        home_rsp_valid_o,
    output home_rsp_t   home_rsp_o,
    output logic        home_probe_valid_o,
    output home_probe_t home_probe_o,
    input  logic        home_probe_ready_i,
    input  logic        home_ack_valid_i,
    input  home_ack_t   home_ack_i,
    output logic        home_ack_ready_o,
    // the stack
    output logic        stack_req_valid_o,
    output stack_req_t  stack_req_o,
    input  logic        stack_req_ready_i,
    input  logic        stack_rsp_valid_i,
    input  stack_rsp_t  stack_rsp_i,
    // the home of its blocks
    output logic        smd_req_valid_o,
    output smd_req_t    smd_req_o,
    input  logic        smd_req_ready_i,
    input  logic        smd_probe_valid_i,
    input  smd_probe_t  smd_probe_i,
    output logic        smd_probe_ready_o,
    output logic        smd_ack_valid_o,
    output smd_ack_t    smd_ack_o,
    input  logic        smd_ack_ready_i,
    input  logic        smd_data_valid_i,
    input  smd_data_t   smd_data_i,
    output logic        smd_data_ready_o,
    // the directory of this channel in another device
    output logic        smd_peer_valid_o,
    output smd_peer_t   smd_peer_o,
    input  logic        smd_peer_ready_i,
    // control
    input  memory_e     memory_i,
    input  logic        maint_valid_i,
    input  maint_t      maint_i,
    output logic        maint_done_o,
    output logic        idle_o,
    output ev_smd_t     ev_o
);
  localparam int unsigned K_W = idx_w(L2_MSHRS);
  localparam int unsigned X_W = idx_w(SMD_TRANSACTIONS);
  typedef logic [K_W-1:0] k_t;
  typedef logic [X_W-1:0] x_t;
  typedef enum logic [2:0] {LOOK, LOOK2, SET, CLEAR, READ, END, WRITE, STEP} what_e;
  typedef struct packed {
    home_op_e op;
    k_t k;
    line_addr_t line;
    logic keep;
    logic some;                            // be is not 0
  } in_t;
  typedef struct packed {                  // the bytes of a write-back, of an acknowledgement: whole grains
    line_mask_t mask;
    line_data_t data;
  } bytes_t;
  typedef logic [1:0] count_t;              // of write-backs; at most three are in `in` and s1
  typedef struct packed {
    line_addr_t line;
    logic some;
  } aq_t;
  typedef struct packed {                  // a line of the home, for a read
    line_addr_t line;
    line_data_t data;
  } fq_t;

  function automatic nmoesi_event_e event_of(input home_op_e op);
    return (op == HOME_READ) ? NM_LOAD : (op == HOME_READ_OWN) ? NM_STORE : NM_N_STORE;
  endfunction

  // ---- state -----------------------------------------------------------------------------------------------------------
  logic s1_valid_q, s1_first_q;
  what_e s1_what_q;
  k_t s1_k_q;
  x_t s1_x_q;
  home_op_e s1_op_q;
  line_addr_t s1_line_q;
  logic s1_keep_q, s1_some_q;              // fields of a write-back
  line_mask_t s1_mask_q;
  line_data_t s1_data_q;
  count_t backs_q;                         // write-backs in `in` and s1
  count_t older_q[2];                      // of these, those taken before the head of aq, and before the second entry
  logic serve_q;                           // home memory was in stacks as of the last edge
  memory_e memory_q;                       // the policy then, for its assertion
  logic rsp_valid_q;
  k_t rsp_k_q;
  nmoesi_e rsp_state_q;
  line_data_t rsp_data_q;
  ev_smd_t ev_q;

  // ---- outputs of the parts ----------------------------------------------------------------------------------------------
  logic far, serve;                        // far: lines are in home memory; serve: home memory is in stacks, so this stack is part of it
  logic clearing, match;
  nmoesi_e state;
  block_mask_t owner;
  line_addr_t stands;                                                       // first line of the block that is in the place of s1
  logic no_reads, read_valid, rsp_is_read, rsp_is_far, block_sent, far_awaited;
  k_t read_k, rsp_k, far_k;
  home_op_e read_op;
  line_addr_t read_line;
  nmoesi_e rsp_grant;
  logic no_transaction, no_maint, no_fetch, t_has, t_serves, t_own, t_room, clear_valid, end_valid, over, arrived_valid;
  x_t clear_x, end_x;
  line_addr_t clear_line, end_line, t_line, arrived_line;
  nmoesi_e end_state;
  logic job_ready, job_busy, job_holds, job_look, job_look2, job_set, job_waits, job_bytes, job_done;
  line_addr_t job_line;
  nmoesi_e job_state;
  block_mask_t job_owner;
  stack_req_t job_stack;
  smd_ack_t job_ack;
  logic step_valid, step_ours, step_all, step_inval, maint_busy, maint_done;
  line_addr_t step_line;

  assign far = memory_i != MEMORY_UMH;
  assign serve = in_stacks(memory_i);
  function automatic logic near(input line_addr_t line);                    // the line is at home in this stack
    return serve && home_device(memory_i, line) == device_i;
  endfunction

  // ---- queues --------------------------------------------------------------------------------------------------------------
  in_t in_tail, in_head;
  aq_t aq_tail, aq_head;
  bytes_t in_bytes, aq_bytes;
  stack_req_t sq_tail;
  home_probe_t pq_tail;
  smd_req_t rq_tail;
  smd_ack_t kq_tail;
  smd_peer_t eq_tail;
  fq_t fq_tail, fq_head;
  logic fq_room, fq_push, fq_valid, fq_pop;
  logic in_valid, in_ready, in_pop, in_writes, aq_valid, aq_pop;
  logic sq_room, pq_room, rq_room, kq_room, eq_room, sq_push, pq_push, rq_push, kq_push, eq_push;
  assign in_tail = '{op: home_req_i.op, k: k_t'(home_req_i.id), line: home_req_i.line, keep: home_req_i.keep, some: home_req_i.be != '0};
  assign aq_tail = '{line: home_ack_i.line, some: home_ack_i.be != '0};
  assign home_req_ready_o = in_ready && !clearing;
  smd_input #(.HDR(in_t), .PAY(bytes_t)) u_in (
      .clk_i, .rst_i, .valid_i(home_req_valid_i && !clearing), .ready_o(in_ready), .hdr_i(in_tail), .pay_i({mask_of(home_req_i.be), home_req_i.data}),
      .write_i(home_req_i.op == HOME_WRITE_BACK), .line_i(home_req_i.line), .valid_o(in_valid), .ready_i(in_pop), .hdr_o(in_head), .pay_o(in_bytes),
      .block_i(job_line), .has_o(in_writes)
  );
  fifo #(.T(bytes_t)) u_aq (
      .clk_i, .rst_i, .valid_i(home_ack_valid_i), .ready_o(home_ack_ready_o), .data_i({mask_of(home_ack_i.be), home_ack_i.data}), .valid_o(aq_valid), .ready_i(aq_pop),
      .data_o(aq_bytes)
  );
  fifo_head #(.T(aq_t)) u_aq_head (
      .clk_i, .rst_i, .push_i(home_ack_valid_i && home_ack_ready_o), .data_i(aq_tail), .pop_i(aq_valid && aq_pop), .some_o(), .head_o(aq_head)
  );
  fifo #(.T(fq_t)) u_fq (
      .clk_i, .rst_i, .valid_i(fq_push), .ready_o(fq_room), .data_i(fq_tail), .valid_o(fq_valid), .ready_i(fq_pop), .data_o(fq_head)
  );
  fifo #(.T(stack_req_t)) u_sq (
      .clk_i, .rst_i, .valid_i(sq_push), .ready_o(sq_room), .data_i(sq_tail), .valid_o(stack_req_valid_o), .ready_i(stack_req_ready_i), .data_o(stack_req_o)
  );
  fifo #(.T(home_probe_t)) u_pq (
      .clk_i, .rst_i, .valid_i(pq_push), .ready_o(pq_room), .data_i(pq_tail), .valid_o(home_probe_valid_o), .ready_i(home_probe_ready_i), .data_o(home_probe_o)
  );
  fifo #(.T(smd_req_t)) u_rq (
      .clk_i, .rst_i, .valid_i(rq_push), .ready_o(rq_room), .data_i(rq_tail), .valid_o(smd_req_valid_o), .ready_i(smd_req_ready_i), .data_o(smd_req_o)
  );
  fifo #(.T(smd_ack_t)) u_kq (
      .clk_i, .rst_i, .valid_i(kq_push), .ready_o(kq_room), .data_i(kq_tail), .valid_o(smd_ack_valid_o), .ready_i(smd_ack_ready_i), .data_o(smd_ack_o)
  );
  fifo #(.T(smd_peer_t)) u_eq (
      .clk_i, .rst_i, .valid_i(eq_push), .ready_o(eq_room), .data_i(eq_tail), .valid_o(smd_peer_valid_o), .ready_i(smd_peer_ready_i), .data_o(smd_peer_o)
  );

  // ---- who may send to the stack: lines, acknowledgements, the job, s1 (steps 1, 2, 3, 5) --------------------------------------
  // Which of them wait is known at the start of the cycle; the first one sends if sq has room. Acknowledgements and s1 send to the home instead if the line is there
  // (far, and not near).
  count_t older, older_new;
  logic back_leaves;
  function automatic count_t but(input count_t n, input logic one);        // n less one, but not below 0
    return (one && n != '0) ? n - 1'b1 : n;
  endfunction
  logic data_take, line_take, line_cached, mem_read, mem_write, data_push, grant_take, stack_free, job_push, home_free, s1_may, s1_needs, s1_push, s1_home, s1_free, s1_leaves;
  logic ack_near, ack_away, ack_waits, ack_push, ack_put, s1_near, s1_away;
  logic slot_room, no_slots;
  logic [1:0] slot;
  assign smd_data_ready_o = sq_room && fq_room && (slot_room || !serve_q);
  assign data_take = smd_data_valid_i && smd_data_ready_o;
  assign mem_read = data_take && smd_data_i.mem == SMD_MEM_READ;
  assign mem_write = data_take && smd_data_i.mem == SMD_MEM_WRITE;
  assign line_take = data_take && smd_data_i.mem == SMD_MEM_NONE && !smd_data_i.grant;
  assign line_cached = line_take && !far;
  assign data_push = line_cached || mem_read || mem_write;
  assign fq_push = line_take && far;
  assign fq_tail = '{line: smd_data_i.line, data: smd_data_i.data};
  assign grant_take = data_take && smd_data_i.grant;
  assign older = older_q[0];
  assign back_leaves = s1_leaves && s1_what_q == WRITE;
  assign older_new = but(backs_q, back_leaves);
  assign ack_near = near(aq_head.line);
  assign ack_away = far && !ack_near;
  assign s1_near = near(s1_line_q);
  assign s1_away = far && !s1_near;
  assign ack_waits = aq_valid && aq_head.some && older == '0;
  assign stack_free = sq_room && !data_push;
  assign ack_push = stack_free && ack_waits && !ack_away;
  assign ack_put = ack_waits && ack_away;                                   // takes precedence over everything else at kq
  assign aq_pop = !aq_head.some || ((ack_away ? kq_room : stack_free) && older == '0);
  assign job_push = stack_free && !ack_waits && job_waits;
  assign home_free = kq_room && !ack_put && !job_bytes && !job_done && !arrived_valid;
  assign s1_may = s1_away ? home_free : stack_free && !((ack_waits && !ack_away) || job_waits);
  assign s1_push = s1_valid_q && s1_needs && s1_may && !s1_away;
  assign s1_home = s1_valid_q && s1_needs && s1_away && (s1_what_q == READ || s1_some_q);
  assign s1_leaves = s1_valid_q && (!s1_needs || s1_may);
  assign s1_free = !s1_valid_q || s1_leaves;
  assign sq_push = data_push || ack_push || job_push || s1_push;
  function automatic line_addr_t at_line(input line_addr_t line);           // its line number in this stack
    return far ? home_line(memory_i, line) : stack_line(line);
  endfunction
  always_comb begin
    sq_tail = '0;
    `VL_WHEN(sq_push)
    if (mem_read) begin
      sq_tail.id = stack_id_t'(L2_MSHRS + 32'(slot));
      sq_tail.line = at_line(smd_data_i.line);
    end else if (data_push) begin
      sq_tail = '{write: 1'b1, id: '0, line: at_line(smd_data_i.line), be: '1, marks: smd_data_i.mask, data: smd_data_i.data};
      if (far) sq_tail.marks = '0;
      if (far && smd_data_i.mask != '0) sq_tail.be = mask_bytes(smd_data_i.mask);
    end else if (ack_push) sq_tail = '{write: 1'b1, id: '0, line: at_line(aq_head.line), be: mask_bytes(aq_bytes.mask), marks: far ? '0 : aq_bytes.mask, data: aq_bytes.data};
    else if (job_push) sq_tail = job_stack;
    else begin
      sq_tail.line = at_line(s1_line_q);
      if (s1_what_q == WRITE) begin
        sq_tail.write = 1'b1;
        sq_tail.be = mask_bytes(s1_mask_q);
        sq_tail.marks = far ? '0 : s1_mask_q;
        sq_tail.data = s1_data_q;
      end else sq_tail.id = stack_id_t'(s1_k_q);
    end
  end

  // ---- s1: its actions (step 5) --------------------------------------------------------------------------------------------------
  logic is_look, is_look2, is_set, is_clear, is_read, is_end, is_write, is_step;
  assign is_look = s1_valid_q && s1_what_q == LOOK;
  assign is_look2 = s1_valid_q && s1_what_q == LOOK2;
  assign is_set = s1_valid_q && s1_what_q == SET;
  assign is_clear = s1_valid_q && s1_what_q == CLEAR;
  assign is_read = s1_valid_q && s1_what_q == READ;
  assign is_end = s1_valid_q && s1_what_q == END;
  assign is_write = s1_valid_q && s1_what_q == WRITE;
  assign is_step = s1_valid_q && s1_what_q == STEP;

  // A read: performed (b, c), fetches (d), or sleeps (a, b, d, e).
  logic job_here, case_b, case_c, performed, fetches, alone;
  nmoesi_e grant;
  assign job_here = job_busy && smd_place(job_line) == smd_place(s1_line_q);
  assign case_b = t_serves && (s1_op_q != HOME_READ_OWN || t_own);
  assign case_c = !t_has && match && nmoesi_hit(state, event_of(s1_op_q));
  assign performed = s1_what_q == READ && !job_here && (case_b || case_c);
  assign fetches = is_read && !job_here && !t_has && !case_c && t_room;
  assign s1_needs = performed || s1_what_q == WRITE;
  assign alone = t_has ? t_own : state inside {NMOESI_E, NMOESI_M};
  assign grant = alone ? NMOESI_E : (s1_op_q == HOME_READ) ? NMOESI_S : NMOESI_N;

  // A step of maintenance.
  logic step_here, step_acts, step_done, step_opens;
  assign step_here = is_step && step_ours && (step_all || match);
  assign step_acts = step_here && (step_inval ? state != NMOESI_I : state inside {NMOESI_N, NMOESI_O, NMOESI_M});
  assign step_done = is_step && (!step_here || (!t_has && !job_here && (!step_acts || t_room)));
  assign step_opens = step_acts && step_done;

  // Its write to the table.
  logic write;
  nmoesi_e new_state;
  block_mask_t new_owner, line_bit;
  assign line_bit = block_mask_t'(1) << block_off(s1_line_q);
  always_comb begin
    new_state = state;
    new_owner = owner;
    unique case (s1_what_q)
      SET: begin
        write = 1'b1;
        new_state = job_state;
        new_owner = job_owner;
      end
      CLEAR: begin
        write = 1'b1;
        new_state = NMOESI_I;
        new_owner = '0;
      end
      READ: begin
        write = performed || (fetches && state == NMOESI_I);
        new_owner = performed ? owner | line_bit : '0;
        if (case_c && s1_op_q == HOME_N_READ && state == NMOESI_S) new_state = NMOESI_N;
      end
      END: begin
        write = 1'b1;
        new_state = end_state;
      end
      WRITE: begin
        write = 1'b1;
        if (s1_some_q) new_state = touched(state);
        if (!s1_keep_q) new_owner = owner & ~line_bit;
      end
      default: write = 1'b0;
    endcase
  end

  // ---- s1: the next one (step 8) ---------------------------------------------------------------------------------------------------
  logic pick_job, pick_clear, pick_read, pick_end, pick_in, pick_step, stalled, in_turn, step_turn, loads, in_read;
  what_e next_what;
  line_addr_t next_line;
  assign pick_job = (job_look && !is_look) || (job_look2 && !is_look2) || (job_set && !is_set);
  assign pick_clear = !pick_job && clear_valid;
  assign pick_read = !pick_job && !clear_valid && read_valid;
  assign pick_end = !pick_job && !clear_valid && !read_valid && end_valid;
  assign in_turn = !pick_job && !clear_valid && !read_valid && !end_valid && !clearing;
  assign in_read = in_head.op != HOME_WRITE_BACK;
  assign stalled = !in_read && job_holds && block_of(in_head.line) == block_of(job_line);
  assign pick_in = in_turn && in_valid && !stalled;
  assign step_turn = in_turn && !in_valid && !s1_valid_q;
  assign pick_step = step_turn && step_valid;
  assign loads = s1_free && (pick_job || pick_clear || pick_read || pick_end || pick_in || pick_step);
  assign in_pop = s1_free && pick_in;
  always_comb begin
    if (pick_job) begin
      next_what = job_look ? LOOK : job_look2 ? LOOK2 : SET;
      next_line = job_line;
    end else if (clear_valid) begin
      next_what = CLEAR;
      next_line = clear_line;
    end else if (read_valid) begin
      next_what = READ;
      next_line = read_line;
    end else if (end_valid) begin
      next_what = END;
      next_line = end_line;
    end else if (pick_in) begin
      next_what = in_read ? READ : WRITE;
      next_line = in_head.line;
    end else begin
      next_what = STEP;
      next_line = step_line;
    end
  end

  // ---- parts -------------------------------------------------------------------------------------------------------------------------
  logic table_write;
  assign table_write = s1_leaves && write;
  smd_table u_table (
      .clk_i, .rst_i, .clearing_o(clearing), .read_i(loads), .read_line_i(next_line), .line_i(s1_line_q), .match_o(match), .state_o(state), .owner_o(owner),
      .first_o(stands), .write_i(table_write), .state_i(new_state), .owner_i(new_owner)
  );

  logic in_is_new, wake_all;
  assign in_is_new = in_pop && in_read;
  assign wake_all = over || (job_done && kq_room && !ack_put);
  assign rsp_is_read = stack_rsp_valid_i && 32'(stack_rsp_i.id) < L2_MSHRS;
  assign rsp_is_far = fq_valid && !rsp_is_read;
  assign fq_pop = !rsp_is_read;
  assign rsp_k = rsp_is_read ? k_t'(stack_rsp_i.id) : far_k;
  smd_reads u_reads (
      .clk_i, .rst_i, .none_o(no_reads), .new_i(in_is_new), .new_k_i(in_head.k), .new_op_i(in_head.op), .new_line_i(in_head.line),
      .s1_i(is_read), .s1_k_i(s1_k_q), .sleep_i(is_read && !performed), .sent_i(s1_leaves && performed), .grant_i(grant),
      .wake_line_i(line_cached), .line_i(smd_data_i.line), .wake_all_i(wake_all),
      .valid_o(read_valid), .k_o(read_k), .op_o(read_op), .line_o(read_line),
      .far_line_i(fq_head.line), .far_k_o(far_k), .far_awaited_o(far_awaited),
      .rsp_i(rsp_is_read || rsp_is_far), .rsp_k_i(rsp_k), .rsp_grant_o(rsp_grant), .block_i(job_line), .sent_o(block_sent)
  );

  smd_transact u_transact (
      .clk_i, .rst_i, .far_i(far), .none_o(no_transaction), .none_maint_o(no_maint), .none_fetch_o(no_fetch), .line_i(s1_line_q), .has_o(t_has), .serves_o(t_serves), .own_o(t_own), .room_o(t_room),
      .open_i(fetches || step_opens), .fetch_i(is_read), .own_i(s1_op_q == HOME_READ_OWN), .evict_i(is_read ? state != NMOESI_I && !match : step_inval),
      .first_i(stands), .bytes_i(state inside {NMOESI_N, NMOESI_O, NMOESI_M} || owner != '0),
      .touch_i(s1_leaves && is_write && s1_some_q), .s1_clear_i(is_clear), .s1_end_i(is_end), .s1_x_i(s1_x_q), .looked_i(s1_leaves), .state_o(end_state),
      .s1_line_o(t_line), .clear_o(clear_valid), .clear_x_o(clear_x), .clear_line_o(clear_line), .end_o(end_valid), .end_x_o(end_x), .end_line_o(end_line),
      .come_i(line_cached), .grant_i(grant_take), .data_line_i(smd_data_i.line), .data_state_i(smd_data_i.state),
      .req_valid_o(rq_push), .req_o(rq_tail), .req_ready_i(rq_room),
      .arrived_valid_o(arrived_valid), .arrived_line_o(arrived_line), .arrived_ready_i(kq_room && !ack_put && !job_bytes && !job_done), .over_o(over)
  );

  smd_job u_job (
      .clk_i, .rst_i, .far_i(far), .valid_i(smd_probe_valid_i && !clearing), .ready_o(job_ready), .probe_i(smd_probe_i), .busy_o(job_busy), .holds_o(job_holds),
      .line_o(job_line), .look_o(job_look), .look2_o(job_look2), .set_o(job_set), .looks_i(is_look), .looks2_i(is_look2), .sets_i(is_set),
      .match_i(match), .state_i(state), .owner_i(owner), .state_o(job_state), .owner_o(job_owner),
      .ask_valid_o(pq_push), .ask_o(pq_tail), .ask_ready_i(pq_room), .sent_i(block_sent),
      .in_has_i(in_writes || (is_write && block_of(s1_line_q) == block_of(job_line))), .ack_i(aq_valid && aq_pop), .ack_gives_i(aq_head.some),
      .stack_valid_o(job_waits), .stack_o(job_stack), .stack_ready_i(stack_free && !ack_waits),
      .rsp_i(stack_rsp_valid_i && !rsp_is_read), .rsp_slot_i(2'(32'(stack_rsp_i.id) - L2_MSHRS)), .rsp_marks_i(stack_rsp_i.marks),
      .rsp_data_i(stack_rsp_i.data), .bytes_o(job_bytes), .done_o(job_done), .done_i(kq_room && !ack_put), .ack_o(job_ack), .ack_ready_i(kq_room),
      .peer_valid_o(eq_push), .peer_o(eq_tail), .peer_ready_i(eq_room),
      .mem_i(mem_read), .mem_line_i(smd_data_i.line), .mem_id_i(smd_data_i.id), .slot_room_o(slot_room), .slot_o(slot), .no_slots_o(no_slots)
  );
  assign smd_probe_ready_o = job_ready && !clearing;

  smd_maint u_maint (
      .clk_i, .rst_i, .channel_i, .maint_valid_i, .maint_i, .maint_done_o(maint_done), .busy_o(maint_busy), .turn_i(step_turn), .valid_o(step_valid),
      .line_o(step_line), .s1_i(is_step), .s1_line_i(s1_line_q), .ours_o(step_ours), .all_o(step_all), .inval_o(step_inval), .step_i(step_done),
      .quiet_i(no_maint), .leave_out_i(!job_busy && no_fetch), .some_i(table_write && new_state inside {NMOESI_N, NMOESI_O, NMOESI_M}), .some_line_i(s1_line_q)
  );

  // ---- to the home of the blocks (step 6) ------------------------------------------------------------------------------------------------
  // ... and far: bytes of acknowledgements go first; lines that s1 requests, and its bytes, last (steps 2, 5).
  logic get_goes, put_goes;
  assign kq_push = ack_put || job_bytes || job_done || arrived_valid || s1_home;
  assign get_goes = s1_home && home_free && s1_what_q == READ;
  assign put_goes = (ack_put && kq_room) || (s1_home && home_free && s1_what_q == WRITE);
  always_comb begin
    kq_tail = '0;
    `VL_WHEN(kq_push)
    if (ack_put) begin
      kq_tail.kind = SMD_BYTES;
      kq_tail.line = aq_head.line;
      kq_tail.mask = aq_bytes.mask;
      kq_tail.data = aq_bytes.data;
    end else if (job_bytes || job_done) kq_tail = job_ack;
    else if (arrived_valid) begin
      kq_tail.kind = SMD_ARRIVED;
      kq_tail.line = arrived_line;
    end else begin
      kq_tail.kind = SMD_GET;
      kq_tail.line = s1_line_q;
      if (s1_what_q == WRITE) begin
        kq_tail.kind = SMD_BYTES;
        kq_tail.mask = s1_mask_q;
        kq_tail.data = s1_data_q;
      end
    end
  end

  // ---- outputs -----------------------------------------------------------------------------------------------------------------------------
  assign home_rsp_valid_o = rsp_valid_q;
  assign home_rsp_o = '{id: {1'b1, rsp_k_q}, state: rsp_state_q, data: rsp_data_q};
  assign maint_done_o = maint_done;
  assign idle_o = !clearing && !fq_valid && !in_valid && !aq_valid && !stack_req_valid_o && !home_probe_valid_o && !smd_req_valid_o && !smd_ack_valid_o && !smd_peer_valid_o
                  && no_reads && no_transaction && !job_busy && no_slots && !s1_valid_q && !rsp_valid_q && !maint_busy;
  assign ev_o = ev_q;

  // ---- registers ------------------------------------------------------------------------------------------------------------------------------
  logic moves, back_taken, aq_two;
  assign back_taken = home_req_valid_i && home_req_ready_o && home_req_i.op == HOME_WRITE_BACK;
  assign aq_two = aq_valid && !home_ack_ready_o;
  assign moves = table_write && new_state != state;
  always_ff @(posedge clk_i) begin
    serve_q <= serve;
    memory_q <= memory_i;
    older_q[0] <= (aq_two && aq_pop) ? but(older_q[1], back_leaves) : (aq_valid && !aq_pop) ? but(older_q[0], back_leaves) : older_new;
    older_q[1] <= aq_two ? but(older_q[1], back_leaves) : older_new;
    if (loads) begin
      s1_what_q <= next_what;
      s1_first_q <= pick_in;
      s1_line_q <= next_line;
      s1_k_q <= pick_in ? in_head.k : read_k;
      s1_op_q <= pick_in ? in_head.op : read_op;
      s1_x_q <= pick_clear ? clear_x : end_x;
    end
    // The bytes of s1 are loaded whenever no write-back stays there.
    if (!is_write || s1_leaves) `VL_WHEN(in_pop) begin
      s1_keep_q <= in_head.keep;
      s1_some_q <= in_head.some;
      s1_mask_q <= in_bytes.mask;
      s1_data_q <= in_bytes.data;
    end
    if (rsp_is_read || rsp_is_far) begin
      rsp_k_q <= rsp_k;
      rsp_state_q <= rsp_grant;
      rsp_data_q <= rsp_is_read ? stack_rsp_i.data : fq_head.data;
    end
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      backs_q <= '0;
      rsp_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      if (s1_free) s1_valid_q <= loads;
      if (back_taken != back_leaves) backs_q <= back_taken ? backs_q + 1'b1 : backs_q - 1'b1;
      rsp_valid_q <= rsp_is_read || rsp_is_far;

      ev_q.smd_read <= s1_leaves && is_read && s1_first_q;
      ev_q.smd_hit <= s1_leaves && performed && s1_first_q;
      ev_q.smd_write <= s1_leaves && is_write;
      ev_q.smd_fetch <= rq_push && rq_room && rq_tail.op == SMD_READ;
      ev_q.smd_own <= rq_push && rq_room && rq_tail.op == SMD_OWN;
      ev_q.smd_evict <= rq_push && rq_room && rq_tail.op == SMD_EVICT;
      ev_q.smd_flush <= rq_push && rq_room && rq_tail.op == SMD_FLUSH;
      ev_q.smd_line <= line_take;
      ev_q.smd_get <= get_goes;
      ev_q.smd_put <= put_goes;
      ev_q.smd_near <= s1_leaves && s1_needs && s1_near;
      ev_q.smd_mem_read <= mem_read;
      ev_q.smd_mem_write <= mem_write;
      ev_q.smd_probe <= smd_probe_valid_i && smd_probe_ready_o;
      ev_q.smd_probe_kind <= (smd_probe_valid_i && smd_probe_ready_o) ? smd_probe_i.kind : PROBE_READ;
      ev_q.smd_ask <= pq_push && pq_room;
      ev_q.smd_bytes <= job_bytes;
      ev_q.smd_peer <= eq_push && eq_room && !far;
      ev_q.smd_moved <= moves;
      ev_q.smd_from <= moves ? state : NMOESI_I;
      ev_q.smd_to <= moves ? new_state : NMOESI_I;
      ev_q.smd_stall <= s1_free && in_turn && in_valid && stalled;
    end
  end

  // ---- what always holds ------------------------------------------------------------------------------------------------------------------------
  logic read_here, data_here;                // reads of the slice, data of the home: for this channel
  assign read_here = slice_of(home_req_i.line) >> SUB_BITS == channel_i;
  assign data_here = slice_of(smd_data_i.line) >> SUB_BITS == channel_i;
  `VL_ASSERT(requests_are_of_this_channel, !home_req_valid_i || read_here)
  `VL_ASSERT(data_is_of_this_channel, !smd_data_valid_i || data_here)
  `VL_ASSERT(probes_are_of_this_channel, !smd_probe_valid_i || slice_of(smd_probe_i.line) >> SUB_BITS == channel_i)
  `VL_ASSERT(reads_fill_the_slice, !home_req_valid_i || home_req_i.op == HOME_WRITE_BACK || home_req_i.id[K_W])
  `VL_ASSERT(one_request_to_the_stack, $countones({data_push, ack_push, job_push, s1_push}) <= 1 && (!sq_push || sq_room))
  `VL_ASSERT(bytes_are_whole_grains, !(home_req_valid_i && mask_partial(home_req_i.be)) && !(home_ack_valid_i && mask_partial(home_ack_i.be)))
  `VL_ASSERT(write_backs_are_counted, !(back_leaves && !back_taken && backs_q == '0) && !(back_taken && !back_leaves && backs_q == '1))
  `VL_ASSERT(those_before_an_acknowledgement_are_there, !aq_valid || older <= backs_q)
  `VL_ASSERT(acknowledgements_are_of_the_probe, !aq_valid || (job_busy && block_of(aq_head.line) == block_of(job_line)))
  `VL_ASSERT(a_write_back_finds_its_block, !is_write || (match && (state != NMOESI_I || t_has)))
  `VL_ASSERT(a_block_that_is_fetched_is_in_i, !(is_read && t_serves) || (match && state == NMOESI_I))
  `VL_ASSERT(a_block_that_has_come_was_in_i, !is_end || (match && state == NMOESI_I))
  `VL_ASSERT(a_place_is_given_up_empty, !is_clear || state == NMOESI_I)
  `VL_ASSERT(one_transaction_is_opened_by_s1, !(fetches || step_opens) || s1_leaves)
  `VL_ASSERT(s1_has_its_transaction, !(is_clear || is_end) || t_line == s1_line_q)
  `VL_ASSERT(marks_are_cleared_alone, !job_holds || ((!s1_push || block_of(s1_line_q) != block_of(job_line))
                                                     && (!line_take || block_of(smd_data_i.line) != block_of(job_line))))
  `VL_ASSERT(without_a_stack_it_is_not_asked, memory_i != MEMORY_ZEROCOPY || (!stack_req_valid_o && !sq_push && !stack_rsp_valid_i))
  `VL_ASSERT(far_nothing_goes_to_a_peer, !far || (!(smd_peer_valid_o && smd_peer_o.mem != SMD_MEM_LINE) && (!smd_probe_valid_i || !smd_probe_i.to_peer)))
  `VL_ASSERT(the_home_reads_and_writes_what_is_at_home_here, !smd_data_valid_i || smd_data_i.mem == SMD_MEM_NONE
                                                             || (smd_data_i.mem inside {SMD_MEM_READ, SMD_MEM_WRITE} && near(smd_data_i.line)))
  `VL_ASSERT(what_is_at_home_here_is_not_asked_for, !(kq_push && kq_tail.kind inside {SMD_GET, SMD_BYTES} && near(kq_tail.line)))
  `VL_ASSERT(no_line_comes_for_what_is_at_home_here, !fq_push || !near(smd_data_i.line))
  `VL_ASSERT(a_line_of_the_home_has_its_read, !fq_valid || (far && far_awaited))
  `VL_ASSERT(the_policy_is_one, memory_i == memory_q || idle_o || clearing)
endmodule
