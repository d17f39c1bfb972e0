// The directory of a host memory channel: it knows which SMDs hold which block, and performs the transactions of the protocol, one of a block at a time; bytes move only
// because it asked for them. Source: UMH paper, 5.2; docs/coherence.md, H1-H8. Page: docs/blocks/hmd.md (steps 1-7).
`include "vl_assert.svh"
module hmd
  import vl_cfg_pkg::*, vellum_pkg::*, policy_pkg::*, map_pkg::*, home_pkg::*, nmoesi_pkg::*, memside_pkg::*, coherence_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    // from / to the SMDs
    input  logic        smd_req_valid_i,
    input  hmd_req_t    smd_req_i,
    output logic        smd_req_ready_o,
    output logic        smd_probe_valid_o,
    output hmd_probe_t  smd_probe_o,
    input  logic        smd_probe_ready_i,
    input  logic        smd_ack_valid_i,
    input  hmd_ack_t    smd_ack_i,
    output logic        smd_ack_ready_o,
    output logic        smd_data_valid_o,
    output hmd_data_t   smd_data_o,
    input  logic        smd_data_ready_i,
    // from / to the host's last-level cache
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
    // to / from the channel's memory
    output logic        host_req_valid_o,
    output home_req_t   host_req_o,
    input  logic        host_req_ready_i,
    input  logic        host_rsp_valid_i,
    input  home_rsp_t   host_rsp_i,
    // lines read in stacks
    input  logic        smd_mem_valid_i,
    input  smd_mem_t    smd_mem_i,
    // control
    input  logic        peers_i,
    input  memory_e     memory_i,
    output logic        idle_o,
    // for the judge
    output logic        dir_valid_o,
    output hmd_dir_t    dir_o,
    output ev_hmd_t     ev_o
);
  localparam int unsigned XS = HMD_TRANSACTIONS;
  localparam int unsigned X_W = idx_w(XS);
  localparam int unsigned ENTRIES = HOST_BYTES / INTERLEAVE_BYTES;
  localparam int unsigned ENTRY_W = idx_w(ENTRIES);
  typedef logic [X_W-1:0] x_t;
  typedef logic [ENTRY_W-1:0] entry_no_t;
  typedef struct packed {
    logic write;
    host_id_t id;
    line_addr_t line;
    line_mask_t mask;
    line_data_t data;
  } m_t;
  function automatic entry_no_t entry_of(input line_addr_t line);
    return entry_no_t'(block_of(line) >> HOST_BITS);
  endfunction
  function automatic logic [XS-1:0] lowest(input logic [XS-1:0] m);
    return m & (~m + 1'b1);
  endfunction

  // ---- inputs --------------------------------------------------------------------------------------------------------
  logic q_some, k_some, l_some, a_some, a_room, q_go, k_go, l_go, a_go;
  hmd_req_t q_head;
  hmd_ack_t k_head;
  home_req_t l_head;
  home_ack_t a_head;
  fifo #(.T(hmd_req_t), .DEPTH(2)) u_qin (
      .clk_i, .rst_i, .valid_i(smd_req_valid_i), .ready_o(smd_req_ready_o), .data_i(smd_req_i), .valid_o(q_some), .ready_i(q_go), .data_o(q_head)
  );
  fifo #(.T(hmd_ack_t), .DEPTH(2)) u_kin (
      .clk_i, .rst_i, .valid_i(smd_ack_valid_i), .ready_o(smd_ack_ready_o), .data_i(smd_ack_i), .valid_o(k_some), .ready_i(k_go), .data_o(k_head)
  );
  fifo #(.T(home_req_t), .DEPTH(2)) u_lin (
      .clk_i, .rst_i, .valid_i(home_req_valid_i), .ready_o(home_req_ready_o), .data_i(home_req_i), .valid_o(l_some), .ready_i(l_go), .data_o(l_head)
  );
  fifo #(.T(home_ack_t), .DEPTH(2)) u_ain (
      .clk_i, .rst_i, .valid_i(home_ack_valid_i && home_ack_ready_o), .ready_o(a_room), .data_i(home_ack_i), .valid_o(a_some), .ready_i(a_go), .data_o(a_head)
  );

  // Number of write-backs in u_lin. Younger acknowledgements are not taken before these have left, and write-backs wait for acknowledgements taken before them.
  logic [1:0] backs_q;
  logic l_takes, l_back;
  assign l_back = l_some && l_head.op == HOME_WRITE_BACK;
  assign l_takes = home_req_valid_i && home_req_ready_o && home_req_i.op == HOME_WRITE_BACK;
  assign home_ack_ready_o = a_room && backs_q == '0;
  always_ff @(posedge clk_i)
    if (rst_i) backs_q <= '0;
    else if (l_takes != (l_back && l_go)) backs_q <= l_takes ? backs_q + 1'b1 : backs_q - 1'b1;

  logic peers;
  assign peers = peers_i && memory_i == MEMORY_UMH;
  // With memory in stacks, requests that would enter mq go over the link, after the lines and grants of this cycle.
  logic stacks;
  assign stacks = in_stacks(memory_i);

  // ---- transactions ----------------------------------------------------------------------------------------------------
  logic [XS-1:0] valid, begins, found, probe_valid, probe_go, lprobe_valid, lprobe_go, done, arrived, lack, line_valid, line_go, slots, set, set_go, write, llc_new, grant_valid,
                 grant_go, goes_on, by_host;
  hmd_job_t [XS-1:0] job;
  hmd_probe_t [XS-1:0] probe;
  home_probe_t [XS-1:0] lprobe;
  line_addr_t [XS-1:0] line, line_job;
  device_mask_t [XS-1:0] sharers_new, owner_new;
  nmoesi_e [XS-1:0] state;
  hmd_job_t job_new;
  device_mask_t sharers, owner;
  logic llc;
  for (genvar x = 0; x < XS; x++) begin : g_transact
    hmd_transact u_x (
        .clk_i, .rst_i, .begin_i(begins[x]), .job_i(job_new), .valid_o(valid[x]), .job_o(job[x]), .found_i(found[x]), .sharers_i(sharers), .owner_i(owner), .llc_i(llc),
        .peers_i(peers), .probe_valid_o(probe_valid[x]), .probe_o(probe[x]), .probe_i(probe_go[x]), .lprobe_valid_o(lprobe_valid[x]), .lprobe_o(lprobe[x]),
        .lprobe_i(lprobe_go[x]), .done_i(done[x]), .ack_i(k_head), .arrived_i(arrived[x]), .lack_i(lack[x]), .lheld_i(a_head.state != NMOESI_I),
        .line_valid_o(line_valid[x]), .line_o(line[x]), .line_i(line_go[x]), .slots_i(slots[x]), .set_o(set[x]), .set_i(set_go[x]), .write_i(write[x]),
        .sharers_o(sharers_new[x]), .owner_o(owner_new[x]), .llc_o(llc_new[x]), .state_o(state[x]), .grant_valid_o(grant_valid[x]), .grant_i(grant_go[x])
    );
    assign line_job[x] = job[x].line;
  end

  // ---- steps 1 to 3: bytes into memory, acknowledgements to their transactions ---------------------------------------------
  logic mq_ready, m_ready, k_write, k_get, k_reads, k_first, a_write, l_write, k_done, m_push, m_writes, line_read, line_taken, get_taken, slot_room, slot_rooms;
  m_t m_in, m_head;
  assign k_write = k_some && k_head.ack.kind == SMD_BYTES;
  assign k_get = k_some && k_head.ack.kind == SMD_GET;
  assign k_reads = k_get && slot_rooms;                                     // one slot stays free, so that state LINES always gets one
  assign k_first = k_write || k_reads;
  assign a_write = a_some && a_head.be != '0 && !k_first;
  assign l_write = l_back && l_head.be != '0 && !k_first && !a_some;
  assign k_go = k_some && (!k_write || m_ready) && (!k_get || get_taken);
  assign get_taken = k_reads && m_ready;
  assign a_go = a_some && (a_head.be == '0 || (a_write && m_ready));
  assign k_done = k_go && k_head.ack.kind == SMD_DONE;
  always_comb
    for (int unsigned x = 0; x < XS; x++) begin
      logic of_ack, of_lack;
      of_ack = valid[x] && block_of(job[x].line) == block_of(k_head.ack.line);
      of_lack = valid[x] && block_of(job[x].line) == block_of(a_head.line);
      done[x] = k_done && of_ack;
      arrived[x] = k_go && k_head.ack.kind == SMD_ARRIVED && of_ack;
      lack[x] = a_go && of_lack;
    end

  // ---- step 3: into the pool; step 4: a transaction begins -------------------------------------------------------------------
  logic l_read, p_in, p_empty, p_valid, p_begin, clearing, s1_valid_q, s1_set_q;
  hmd_job_t p_job;
  x_t new_x, s1_x_q, set_x;
  assign l_read = l_some && l_head.op != HOME_WRITE_BACK;
  assign q_go = q_some && !l_read;
  assign l_go = l_read || (l_back && !a_some && (l_head.be == '0 || (l_write && m_ready)));
  assign p_in = l_read || q_go;
  always_comb begin
    p_job = '{op: HMD_READ, device: '0, id: '0, line: l_head.line, bytes: 1'b0, thin: 1'b0};
    if (l_read) begin
      p_job.op = (l_head.op == HOME_READ_OWN) ? HMD_L_OWN : HMD_L_READ;
      p_job.id = l_head.id;
    end else begin
      p_job.op = hmd_op_e'({1'b0, q_head.req.op});
      p_job.device = q_head.device;
      p_job.line = q_head.req.line;
      p_job.bytes = q_head.req.bytes;
      p_job.thin = q_head.req.thin;
    end
    new_x = '0;
    for (int unsigned x = XS; x > 0; x--) if (!valid[x-1]) new_x = x_t'(x - 1);
    set_x = '0;
    for (int unsigned x = XS; x > 0; x--) if (set[x-1]) set_x = x_t'(x - 1);
    set_go = lowest(set);
  end
  assign p_begin = p_valid && !clearing && set == '0 && valid != '1;
  assign goes_on = valid & ~arrived & ~(write & by_host);
  always_comb for (int unsigned x = 0; x < XS; x++) by_host[x] = job[x].op inside {HMD_L_READ, HMD_L_OWN};
  always_comb for (int unsigned x = 0; x < XS; x++) begin
    begins[x] = p_begin && new_x == x_t'(x);
    found[x] = s1_valid_q && !s1_set_q && s1_x_q == x_t'(x);
    write[x] = s1_valid_q && s1_set_q && s1_x_q == x_t'(x);
  end
  hmd_pool #(.XS(XS)) u_pool (
      .clk_i, .rst_i, .valid_i(p_in), .job_i(p_job), .empty_o(p_empty), .valid_o(p_valid), .job_o(job_new), .begin_i(p_begin), .x_i(new_x),
      .goes_on_i(goes_on), .line_i(line_job)
  );

  // ---- steps 5 and 7: the table ------------------------------------------------------------------------------------------------
  hmd_table #(.ENTRIES(ENTRIES)) u_table (
      .clk_i, .rst_i, .clearing_o(clearing), .read_i(p_begin), .raddr_i(entry_of(job_new.line)), .sharers_o(sharers), .owner_o(owner), .llc_o(llc),
      .write_i(s1_valid_q && s1_set_q), .waddr_i(entry_of(job[s1_x_q].line)), .sharers_i(sharers_new[s1_x_q]), .owner_i(owner_new[s1_x_q]), .llc_i(llc_new[s1_x_q])
  );

  // ---- step 6: probes, lines, grants ----------------------------------------------------------------------------------------------
  logic pq_ready, lq_ready, d_ready, here, here_get, emit, d_push, is_host;
  device_t here_device;
  host_id_t slot;
  logic no_slots;
  x_t probe_x, lprobe_x, line_x, here_x, grant_x;
  line_addr_t here_line, read_of;
  line_data_t here_data;
  hmd_data_t d_in;
  always_comb begin
    probe_x = '0;
    lprobe_x = '0;
    line_x = '0;
    grant_x = '0;
    for (int unsigned x = XS; x > 0; x--) begin
      if (probe_valid[x-1]) probe_x = x_t'(x - 1);
      if (lprobe_valid[x-1]) lprobe_x = x_t'(x - 1);
      if (line_valid[x-1]) line_x = x_t'(x - 1);
      if (grant_valid[x-1]) grant_x = x_t'(x - 1);
    end
  end
  assign probe_go = pq_ready ? lowest(probe_valid) : '0;
  assign lprobe_go = lq_ready ? lowest(lprobe_valid) : '0;
  fifo #(.T(hmd_probe_t), .DEPTH(2)) u_pq (
      .clk_i, .rst_i, .valid_i(probe_valid != '0), .ready_o(pq_ready), .data_i(probe[probe_x]), .valid_o(smd_probe_valid_o), .ready_i(smd_probe_ready_i),
      .data_o(smd_probe_o)
  );
  fifo #(.T(home_probe_t), .DEPTH(2)) u_lq (
      .clk_i, .rst_i, .valid_i(lprobe_valid != '0), .ready_o(lq_ready), .data_i(lprobe[lprobe_x]), .valid_o(home_probe_valid_o), .ready_i(home_probe_ready_i),
      .data_o(home_probe_o)
  );

  assign line_read = line_valid != '0 && slot_room && !k_first && !a_write && !l_write;
  assign line_taken = line_read && m_ready;
  assign line_go = line_taken ? lowest(line_valid) : '0;
  assign read_of = k_reads ? k_head.ack.line : line[line_x];
  assign m_writes = k_write || a_write || l_write;
  assign m_push = k_first || a_write || l_write || line_read;
  always_comb begin
    m_in = '{write: m_writes, id: m_writes ? '0 : slot, line: read_of, mask: '0, data: '0};
    unique case (1'b1)
      k_write: begin
        m_in.line = k_head.ack.line;
        m_in.mask = k_head.ack.mask;
        m_in.data = k_head.ack.data;
      end
      a_write: begin
        m_in.line = a_head.line;
        m_in.mask = mask_of(a_head.be);
        m_in.data = a_head.data;
      end
      l_write: begin
        m_in.line = l_head.line;
        m_in.mask = mask_of(l_head.be);
        m_in.data = l_head.data;
      end
      default: ;
    endcase
  end
  fifo #(.T(m_t), .DEPTH(2)) u_mq (
      .clk_i, .rst_i, .valid_i(m_push && !stacks), .ready_o(mq_ready), .data_i(m_in), .valid_o(host_req_valid_o), .ready_i(host_req_ready_i), .data_o(m_head)
  );
  always_comb begin
    host_req_o = '0;
    host_req_o.op = m_head.write ? HOME_WRITE_BACK : HOME_READ;
    host_req_o.id = home_id_t'(m_head.id);
    host_req_o.line = host_line(m_head.line);
    host_req_o.state = m_head.write ? NMOESI_M : NMOESI_I;
    host_req_o.be = mask_bytes(m_head.mask);
    for (int unsigned i = 0; i < LINE_BYTES; i++) if (host_req_o.be[i]) host_req_o.data[8*i+:8] = m_head.data[8*i+:8];
  end
  hmd_lines #(.XS(XS)) u_lines (
      .clk_i, .rst_i, .room_o(slot_room), .rooms_o(slot_rooms), .none_o(no_slots), .slot_o(slot), .read_i(line_taken || get_taken), .x_i(line_x), .get_i(k_reads),
      .device_i(k_head.device), .line_i(read_of), .rsp_valid_i(host_rsp_valid_i || smd_mem_valid_i), .rsp_id_i(smd_mem_valid_i ? smd_mem_i.id : host_id_t'(host_rsp_i.id)),
      .rsp_data_i(smd_mem_valid_i ? smd_mem_i.data : host_rsp_i.data), .here_o(here), .x_o(here_x), .get_o(here_get),
      .device_o(here_device), .line_o(here_line), .data_o(here_data), .emit_i(emit), .busy_o(slots)
  );

  assign is_host = !here_get && by_host[here_x];
  assign emit = here && (is_host || d_ready);
  assign grant_go = (d_ready && !(here && !is_host)) ? lowest(grant_valid) : '0;
  logic d_line;
  assign d_line = here && !is_host;
  assign m_ready = stacks ? d_ready && !d_line && grant_valid == '0 : mq_ready;
  assign d_push = d_line || grant_valid != '0 || (m_push && stacks);
  always_comb begin
    d_in = '0;
    if (d_line) begin
      d_in.device = here_get ? here_device : job[here_x].device;
      d_in.data.line = here_line;
      d_in.data.data = here_data;
    end else if (grant_valid != '0) begin
      d_in.device = job[grant_x].device;
      d_in.data.grant = 1'b1;
      d_in.data.line = job[grant_x].line;
      d_in.data.state = state[grant_x];
    end else begin
      d_in.device = home_device(memory_i, m_in.line);
      d_in.data.line = m_in.line;
      d_in.data.mask = (m_in.mask == '1) ? '0 : m_in.mask;
      d_in.data.data = m_in.data;
      d_in.data.mem = m_writes ? SMD_MEM_WRITE : SMD_MEM_READ;
      d_in.data.id = m_in.id;
    end
  end
  fifo #(.T(hmd_data_t), .DEPTH(2)) u_dq (
      .clk_i, .rst_i, .valid_i(d_push), .ready_o(d_ready), .data_i(d_in), .valid_o(smd_data_valid_o), .ready_i(smd_data_ready_i), .data_o(smd_data_o)
  );

  logic rsp_valid_q;
  home_rsp_t rsp_q;
  assign home_rsp_valid_o = rsp_valid_q;
  assign home_rsp_o = rsp_q;
  logic dir_valid_q;
  hmd_dir_t dir_q;
  assign dir_valid_o = dir_valid_q;
  assign dir_o = dir_q;
  ev_hmd_t ev_q;
  assign ev_o = ev_q;
  assign idle_o = !clearing && !q_some && !k_some && !l_some && !a_some && !smd_probe_valid_o && !smd_data_valid_o && !home_probe_valid_o && !host_req_valid_o
                  && p_empty && valid == '0 && no_slots && !s1_valid_q && !rsp_valid_q;

  always_ff @(posedge clk_i) begin
    s1_set_q <= set != '0;
    s1_x_q <= (set != '0) ? set_x : new_x;
    dir_q <= '{line: job[s1_x_q].line, sharers: sharers_new[s1_x_q], owner: owner_new[s1_x_q], llc: llc_new[s1_x_q]};
    rsp_q <= '{id: job[here_x].id, state: state[here_x], data: here_data};
    if (rst_i) begin
      s1_valid_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      dir_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      s1_valid_q <= set != '0 || p_begin;
      rsp_valid_q <= emit && is_host;
      dir_valid_q <= s1_valid_q && s1_set_q;
      ev_q.hmd_read <= p_begin && job_new.op == HMD_READ;
      ev_q.hmd_own <= p_begin && job_new.op == HMD_OWN;
      ev_q.hmd_evict <= p_begin && job_new.op == HMD_EVICT;
      ev_q.hmd_flush <= p_begin && job_new.op == HMD_FLUSH;
      ev_q.hmd_host_read <= p_begin && job_new.op == HMD_L_READ;
      ev_q.hmd_host_own <= p_begin && job_new.op == HMD_L_OWN;
      ev_q.hmd_wait <= !p_empty && !p_begin;
      ev_q.hmd_probe <= probe_go != '0;
      ev_q.hmd_host_probe <= lprobe_go != '0;
      ev_q.hmd_bytes <= m_ready && (k_write || a_write || l_write);
      ev_q.hmd_line <= emit;
      ev_q.hmd_get <= get_taken;
      ev_q.hmd_stack <= stacks && m_push && m_ready;
      ev_q.hmd_peer <= k_done && k_head.ack.sent;
      ev_q.hmd_grant <= grant_go != '0;
      ev_q.hmd_state <= (grant_go != '0) ? state[grant_x] : NMOESI_I;
    end
  end

  `VL_ASSERT(an_acknowledgement_has_its_transaction, !(k_go && k_head.ack.kind inside {SMD_DONE, SMD_ARRIVED}) || $onehot(done | arrived))
  `VL_ASSERT(a_last_level_answer_has_its_transaction, !a_go || $onehot(lack))
  `VL_ASSERT(bytes_are_whole_grains, !(l_back && mask_partial(l_head.be)) && !(a_some && mask_partial(a_head.be)))
  `VL_ASSERT(lines_and_rights_without_lines_by_policy, memory_i != MEMORY_UMH || (!k_get && !(q_some && q_head.req.thin)))
  `VL_ASSERT(memory_is_in_one_place, stacks ? !host_req_valid_o && !host_rsp_valid_i : !smd_mem_valid_i)
  `VL_ASSERT(one_transaction_a_block, $countones(begins) <= 1)
  logic own_entry;
  always_comb begin
    own_entry = 1'b1;
    for (int unsigned x = 0; x < XS; x++) own_entry &= !valid[x] || entry_of(job[x].line) != entry_of(job_new.line);
  end
  `VL_ASSERT(blocks_have_entries_of_their_own, !p_begin || own_entry)
endmodule
