// One transaction of a host memory directory: which agents are probed, and which answers are outstanding. Page: docs/blocks/hmd.md (steps 1, 2, 5, 6, 7).
`include "vl_assert.svh"
module hmd_transact
  import vl_cfg_pkg::*, vellum_pkg::*, home_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    // its request
    input  logic         begin_i,
    input  hmd_job_t     job_i,
    output logic         valid_o,
    output hmd_job_t     job_o,
    // the block's entry
    input  logic         found_i,
    input  device_mask_t sharers_i,
    input  device_mask_t owner_i,
    input  logic         llc_i,
    input  logic         peers_i,
    // probes to send
    output logic         probe_valid_o,
    output hmd_probe_t   probe_o,
    input  logic         probe_i,        // the probe enters the queue
    output logic         lprobe_valid_o,
    output home_probe_t  lprobe_o,
    input  logic         lprobe_i,
    // answers
    input  logic         done_i,         // an SMD's probe is answered:
    input  hmd_ack_t     ack_i,
    input  logic         arrived_i,
    input  logic         lack_i,         // a probe of the last-level cache is:
    input  logic         lheld_i,        // it had the line
    // lines to read
    output logic         line_valid_o,
    output line_addr_t   line_o,
    input  logic         line_i,         // the line is read
    input  logic         slots_i,        // a line of it is under way or waits
    // the entry's write, and the grant
    output logic         set_o,
    input  logic         set_i,          // the transaction is chosen
    input  logic         write_i,        // the entry is written
    output device_mask_t sharers_o,
    output device_mask_t owner_o,
    output logic         llc_o,
    output nmoesi_e      state_o,
    output logic         grant_valid_o,
    input  logic         grant_i
);
  localparam int unsigned COUNT_W = $clog2(BLOCK_LINES + 1);
  typedef logic [COUNT_W-1:0] count_t;
  typedef enum logic [2:0] {LOOK, FIRST, SECOND, LINES, SET, GRANT, ARRIVE} stage_e;

  // A line of a line's block by its number.
  function automatic line_addr_t in_block(input line_addr_t line, input line_addr_t number);
    return block_first(line) | line_addr_t'(block_off(number));
  endfunction

  logic valid_q;
  stage_e stage_q;
  hmd_job_t job_q;
  logic wide_q, first_q, to_peer_q, osent_q, llc_q, lheld_q, lasked_q;
  probe_e kind_q, lkind_q;
  device_mask_t owner_q, sharers_q, probes_q, wait_q;
  block_mask_t lprobes_q;
  count_t lwait_q, next_q;
  nmoesi_e ostate_q;

  device_mask_t own, others;             // own: the requester; others: the other holders of the block
  logic by_smd, reads, owns;
  always_comb for (int unsigned d = 0; d < DEVICES; d++) own[d] = by_smd && job_q.device == device_t'(d);
  assign by_smd = job_q.op inside {HMD_READ, HMD_OWN, HMD_EVICT, HMD_FLUSH};
  assign reads = job_q.op inside {HMD_READ, HMD_OWN, HMD_L_READ, HMD_L_OWN};
  assign owns = job_q.op inside {HMD_OWN, HMD_L_OWN};
  assign others = (sharers_q | owner_q) & ~own;
  assign valid_o = valid_q;
  assign job_o = job_q;

  // ---- step 5: whom to ask -------------------------------------------------------------------------------------------
  // wide: all holders give the block up, so that no copy lacks the bytes that arrive at the home.
  logic wide, shared_owner, ask_owner, ask_peer;
  device_mask_t holders, ask_rest;
  assign holders = sharers_i | owner_i;
  assign shared_owner = owner_i != '0 && sharers_i != '0;
  always_comb begin
    wide = 1'b0;
    ask_owner = owner_i != '0;
    ask_peer = 1'b0;
    ask_rest = '0;
    unique case (job_q.op)
      HMD_READ: begin
        wide = shared_owner && !peers_i;
        ask_peer = peers_i;
      end
      HMD_OWN: begin
        ask_peer = peers_i && (owner_i & own) == '0 && sharers_i == '0;
        ask_rest = sharers_i;
      end
      HMD_EVICT, HMD_FLUSH: begin
        wide = job_q.bytes && (holders & own) != '0 && ((holders & ~own) != '0 || llc_i);
        ask_owner = wide && owner_i != '0;
        ask_rest = holders & own;
      end
      HMD_L_READ: wide = shared_owner;
      HMD_L_OWN: ask_rest = sharers_i;
      default: ;
    endcase
    if (wide) ask_rest = sharers_i;
  end

  // ---- step 6: probes --------------------------------------------------------------------------------------------------
  device_mask_t target;
  block_mask_t lfirst;
  assign target = (stage_q == FIRST) ? owner_q : probes_q & (~probes_q + 1'b1);
  assign probe_valid_o = valid_q && ((stage_q == FIRST && first_q) || (stage_q == SECOND && probes_q != '0));
  always_comb begin
    probe_o = '0;
    for (int unsigned d = 0; d < DEVICES; d++) if (target[d]) probe_o.device |= device_t'(d);
    probe_o.probe.line = block_first(job_q.line);
    if (stage_q == FIRST) begin
      probe_o.probe.kind = (owns || wide_q) ? PROBE_WRITE : to_peer_q ? PROBE_READ : PROBE_CLEAN;
      probe_o.probe.to_peer = to_peer_q;
      if (to_peer_q) probe_o.probe.peer = job_q.device;
    end else begin
      probe_o.probe.keep = job_q.op == HMD_FLUSH && !wide_q;
      probe_o.probe.kind = probe_o.probe.keep ? PROBE_CLEAN : PROBE_WRITE;
    end
  end
  assign lfirst = lprobes_q & (~lprobes_q + 1'b1);
  assign lprobe_valid_o = valid_q && stage_q == SECOND && lprobes_q != '0;
  always_comb begin
    lprobe_o = '{kind: (owns || wide_q) ? PROBE_WRITE : PROBE_CLEAN, line: block_first(job_q.line)};
    for (int unsigned n = 0; n < BLOCK_LINES; n++) if (lfirst[n]) lprobe_o.line = in_block(job_q.line, line_addr_t'(n));
  end

  // ---- step 6: lines ---------------------------------------------------------------------------------------------------
  count_t lines;
  assign lines = by_smd ? count_t'(BLOCK_LINES) : count_t'(1);
  assign line_valid_o = valid_q && stage_q == LINES && next_q != lines;
  assign line_o = in_block(job_q.line, job_q.line + line_addr_t'(next_q));

  // ---- step 7: the entry -------------------------------------------------------------------------------------------------
  logic stays, alone;
  assign alone = wide_q || (others == '0 && !lheld_q);
  // The owner stays owner: in a read, if it sent the lines to the reader and has bytes that the home does not have; in a flush, if it was not probed, or held the
  // block alone.
  assign stays = (job_q.op == HMD_READ) ? to_peer_q && ostate_q inside {NMOESI_O, NMOESI_M} : (owner_q & own) == '0 || ostate_q inside {NMOESI_E, NMOESI_M};
  always_comb begin
    owner_o = '0;
    sharers_o = '0;
    llc_o = 1'b0;
    state_o = NMOESI_I;
    unique case (job_q.op)
      HMD_READ: begin
        state_o = alone ? NMOESI_E : NMOESI_S;
        owner_o = alone ? own : stays ? owner_q : '0;
        sharers_o = alone ? '0 : (sharers_q | owner_q | own) & ~owner_o;
        llc_o = lheld_q;
      end
      HMD_OWN: begin
        state_o = NMOESI_M;
        owner_o = own;
      end
      HMD_EVICT: if (!wide_q) begin
        owner_o = owner_q & ~own;
        sharers_o = sharers_q & ~own;
        llc_o = llc_q;
      end
      HMD_FLUSH: if (!wide_q) begin
        owner_o = stays ? owner_q : '0;
        sharers_o = (sharers_q | owner_q) & ~owner_o;
        llc_o = llc_q;
      end
      HMD_L_READ: begin
        sharers_o = wide_q ? '0 : sharers_q | owner_q;
        state_o = (sharers_o == '0) ? NMOESI_E : NMOESI_S;
        llc_o = 1'b1;
      end
      default: begin
        state_o = NMOESI_M;
        llc_o = 1'b1;
      end
    endcase
  end
  assign set_o = valid_q && stage_q == SET && !write_i;
  assign grant_valid_o = valid_q && stage_q == GRANT;

  logic all_back;
  assign all_back = wait_q == '0 && lwait_q == '0;
  always_ff @(posedge clk_i) begin
    if (begin_i) job_q <= job_i;
    if (found_i) begin
      owner_q <= owner_i;
      sharers_q <= sharers_i;
      llc_q <= llc_i;
      wide_q <= wide;
      first_q <= ask_owner;
      to_peer_q <= ask_owner && ask_peer;
      probes_q <= ask_rest;
      lprobes_q <= (llc_i && (wide || job_q.op inside {HMD_READ, HMD_OWN} || (job_q.op == HMD_L_OWN && holders != '0))) ? '1 : '0;
      lheld_q <= 1'b0;
      osent_q <= 1'b0;
      wait_q <= '0;
      lwait_q <= '0;
      next_q <= '0;
      ostate_q <= NMOESI_I;
    end else begin
      if (probe_i && stage_q == FIRST) first_q <= 1'b0;
      if (probe_i && stage_q == SECOND) probes_q <= probes_q & ~target;
      if (lprobe_i) lprobes_q <= lprobes_q & ~lfirst;
      for (int unsigned d = 0; d < DEVICES; d++) begin
        if (done_i && ack_i.device == device_t'(d)) begin
          wait_q[d] <= 1'b0;
          if (owner_q[d]) begin
            ostate_q <= ack_i.ack.state;
            osent_q <= ack_i.ack.sent;
          end
        end
        if (probe_i && target[d]) wait_q[d] <= 1'b1;
      end
      if (lprobe_i != lack_i) lwait_q <= lprobe_i ? lwait_q + 1'b1 : lwait_q - 1'b1;
      if (lack_i && lheld_i) lheld_q <= 1'b1;
      if (line_i) next_q <= next_q + 1'b1;
    end

    if (rst_i) valid_q <= 1'b0;
    else if (begin_i) valid_q <= 1'b1;
    else if (arrived_i || (write_i && !by_smd)) valid_q <= 1'b0;

    if (begin_i) stage_q <= LOOK;
    else if (found_i) stage_q <= FIRST;
    else
      unique case (stage_q)
        FIRST: if (!first_q && wait_q == '0) stage_q <= SECOND;
        SECOND: if (probes_q == '0 && lprobes_q == '0 && all_back) stage_q <= (reads && !osent_q && !job_q.thin) ? LINES : SET;
        LINES: if (next_q == lines && !slots_i) stage_q <= SET;
        SET: if (set_i && by_smd) stage_q <= GRANT;
        GRANT: if (grant_i) stage_q <= ARRIVE;
        default: ;
      endcase
  end
  `VL_ASSERT(thin_are_reads_of_devices, !found_i || !job_q.thin || job_q.op inside {HMD_READ, HMD_OWN})
  `VL_ASSERT(begins_when_free, !begin_i || !valid_q)
  `VL_ASSERT(done_is_awaited, !done_i || (valid_q && wait_q[ack_i.device]))
  `VL_ASSERT(arrives_after_the_grant, !arrived_i || (valid_q && stage_q == ARRIVE))
  `VL_ASSERT(last_level_answers_are_awaited, !lack_i || (valid_q && lwait_q != '0))
  `VL_ASSERT(owner_and_last_level_cache_exclude_each_other, !found_i || owner_i == '0 || !llc_i)
  `VL_ASSERT(who_asks_to_read_holds_nothing, !found_i || job_q.op != HMD_READ || (holders & own) == '0)
endmodule
