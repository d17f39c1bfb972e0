// Which warp gets the next 16-byte block: fetch pc, epoch and buffer room of each warp, one request and one push a cycle.
// Page: docs/blocks/fetch.md; step numbers in comments are the page's.
`include "vl_assert.svh"
module fetch
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, mmu_pkg::*, core_pkg::*, perf_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_i,
    // simt
    input  logic       redirect_valid_i,
    input  redirect_t  redirect_i,
    // l1i
    output logic       req_valid_o,
    output fetch_req_t req_o,
    input  logic       req_ready_i,
    input  logic       rsp_valid_i,
    input  fetch_rsp_t rsp_i,
    input  logic       wake_i,
    // issue
    output logic       push_valid_o,
    output push_t      push_o,
    input  logic       pop_valid_i,
    input  warp_t      pop_i,
    // control
    input  kernel_t    kernel_i,
    input  root_t      root_i,
    input  logic       halt_i,
    // counters
    output ev_fetch_t  ev_o
);
  localparam int unsigned FREE_W = $clog2(IBUF_DEPTH + 1);
  typedef logic [FREE_W-1:0] free_t;

  warp_mask_t act_q, epoch_q, wait_q, kill_q;
  warp_mask_t good_q;                      // the fetch pc is allowed
  warp_mask_t [1:0] out_q;                 // [epoch][warp]
  pc_t [WARPS-1:0] pc_q;
  free_t [WARPS-1:0] free_q;
  logic req_valid_q, push_valid_q;
  fetch_req_t req_q;
  push_t push_q;
  ev_fetch_t ev_q;

  assign req_valid_o = req_valid_q;
  assign req_o = req_q;
  assign push_valid_o = push_valid_q;
  assign push_o = push_q;
  assign ev_o = ev_q;

  function automatic warp_mask_t onehot(input logic valid, input warp_t w);
    warp_mask_t m;
    for (int unsigned k = 0; k < WARPS; k++) m[k] = valid && 32'(w) == k;
    return m;
  endfunction

  function automatic logic good(input pc_t pc, input kernel_t k, input logic sv48);
    return sv48 ? !pc[PA_W-1] : in_memory(k, 64'(pc));
  endfunction

  // 1. Redirect.
  logic redir;
  warp_mask_t redir_oh, pop_oh, rsp_oh;
  assign redir = redirect_valid_i && (redirect_i.flush || redirect_i.stop);
  assign redir_oh = onehot(redir, redirect_i.warp);

  // 3. Response: instructions from the fetch pc to the end of the block.
  logic rsp_current, rsp_hit, rsp_fault, rsp_miss, rsp_epoch;
  logic [2:0] rsp_n;
  logic [FETCH_W-1:0][31:0] rsp_instr;
  assign rsp_oh = onehot(rsp_valid_i, rsp_i.warp);
  assign rsp_epoch = rsp_i.epoch == epoch_q[rsp_i.warp];
  assign rsp_current = rsp_valid_i && rsp_epoch && (rsp_oh & (redir_oh | kill_q)) == '0;
  assign rsp_hit = rsp_current && rsp_i.hit;
  assign rsp_fault = rsp_current && !rsp_i.hit && rsp_i.fault;
  assign rsp_miss = rsp_current && !rsp_i.hit && !rsp_i.fault;
  assign rsp_n = 3'd4 - 3'(rsp_i.pc[3:2]);
  assign rsp_instr = rsp_i.instr >> {rsp_i.pc[3:2], 5'd0};

  // 4. Pop.
  assign pop_oh = onehot(pop_valid_i, pop_i);

  // 5. Request: the redirected warp at once, else round robin.
  warp_mask_t eligible, grant;
  warp_t cand;
  logic slot, bypass, found, cand_good, cand_req, cand_fault;
  pc_t cand_pc;
  always_comb
    for (int unsigned w = 0; w < WARPS; w++)
      eligible[w] = act_q[w] && !wait_q[w] && !(epoch_q[w] ? out_q[1][w] : out_q[0][w]) && !redir_oh[w]
                 && (32'(free_q[w]) >= FETCH_W || (32'(free_q[w]) == FETCH_W - 1 && pop_oh[w]));
  rr_arb #(.N(WARPS)) u_arb (
      .clk_i, .rst_i, .req_i(eligible), .advance_i(cand_req || cand_fault), .grant_o(grant), .index_o(cand)
  );
  assign found = grant != '0;
  assign cand_pc = pc_q[cand];
  assign cand_good = (grant & good_q) != '0;
  assign slot = !halt_i && (!req_valid_q || req_ready_i);
  // Pcs are checked when they are written, so that the choice of a warp does not wait for the comparison.
  logic redir_good, next_good;
  pc_t next_pc;
  assign redir_good = good(redirect_i.pc, kernel_i, root_i.sv48);
  assign next_pc = {rsp_i.pc[PA_W-1:4] + 44'd1, 4'd0};
  assign next_good = good(next_pc, kernel_i, root_i.sv48);
  assign bypass = slot && redir && !redirect_i.stop && redir_good
               && !out_q[!epoch_q[redirect_i.warp]][redirect_i.warp];
  assign cand_req = slot && !bypass && found && cand_good;
  assign cand_fault = slot && !bypass && found && !cand_good && !rsp_valid_i;

  fetch_req_t new_req;
  assign new_req.warp = bypass ? redirect_i.warp : cand;
  assign new_req.epoch = bypass ? !epoch_q[redirect_i.warp] : epoch_q[cand];
  assign new_req.pc = bypass ? redirect_i.pc : cand_pc;

  warp_mask_t req_oh, fault_oh;
  assign req_oh = bypass ? redir_oh : cand_req ? grant : '0;
  assign fault_oh = (cand_fault ? grant : '0) | (rsp_fault ? rsp_oh : '0);  // never both: a candidate's fault waits for a response

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      act_q <= '0;
      epoch_q <= '0;
      wait_q <= '0;
      kill_q <= '0;
      out_q <= '0;
      for (int unsigned w = 0; w < WARPS; w++) free_q[w] <= free_t'(IBUF_DEPTH);
      req_valid_q <= 1'b0;
      push_valid_q <= 1'b0;
      ev_q <= '0;
    end else begin
      epoch_q <= epoch_q ^ redir_oh;
      act_q <= (act_q & ~redir_oh & ~fault_oh) | (redirect_i.stop ? '0 : redir_oh);
      wait_q <= ((wait_q & ~{WARPS{wake_i}}) | (rsp_miss ? rsp_oh : '0)) & ~redir_oh;
      for (int unsigned w = 0; w < WARPS; w++)
        if (redir_oh[w]) kill_q[w] <= (epoch_q[w] ? out_q[0][w] : out_q[1][w]) && !(rsp_oh[w] && !rsp_epoch);
        else if (rsp_oh[w] && rsp_epoch) kill_q[w] <= 1'b0;
      for (int unsigned e = 0; e < 2; e++)
        out_q[e] <= (out_q[e] & ~((32'(rsp_i.epoch) == e) ? rsp_oh : '0)) | ((32'(new_req.epoch) == e) ? req_oh : '0);
      for (int unsigned w = 0; w < WARPS; w++)
        if (redir_oh[w]) free_q[w] <= free_t'(IBUF_DEPTH);
        else
          free_q[w] <= free_q[w] + free_t'(pop_oh[w])
                     - ((rsp_hit && rsp_oh[w]) ? free_t'(rsp_n) : free_t'(fault_oh[w]));
      // A response of this cycle never belongs to a redirected warp when it counts.
      for (int unsigned w = 0; w < WARPS; w++)
        if (redir_oh[w]) begin
          pc_q[w] <= redirect_i.pc;
          good_q[w] <= redir_good;
        end else if (rsp_hit && rsp_oh[w]) begin
          pc_q[w] <= next_pc;
          good_q[w] <= next_good;
        end

      // 6. Registers of the outputs.
      if (!req_valid_q || req_ready_i) req_valid_q <= bypass || cand_req;
      if (bypass || cand_req) req_q <= new_req;
      push_valid_q <= rsp_hit || rsp_fault || cand_fault;
      push_q.warp <= rsp_valid_i ? rsp_i.warp : cand;
      push_q.fault <= !rsp_hit;
      push_q.n <= rsp_hit ? rsp_n : 3'd1;
      push_q.instr <= rsp_hit ? rsp_instr : '0;
      if (!rsp_hit) push_q.instr[0][0] <= rsp_valid_i ? rsp_i.instr[0][0] : root_i.sv48;

      // 7. Events.
      ev_q.fetch_requests <= bypass || cand_req;
      ev_q.fetch_misses <= rsp_miss;
      ev_q.fetch_stale <= rsp_valid_i && !rsp_current;
      ev_q.fetched_instructions <= rsp_hit ? rsp_n : 3'd0;
    end
  end

  `VL_ASSERT(rsp_expected, !rsp_valid_i || out_q[rsp_i.epoch][rsp_i.warp])
  `VL_ASSERT(room, !rsp_hit || 32'(free_q[rsp_i.warp]) >= 32'(rsp_n))
  `VL_ASSERT(pop_of_full, !pop_valid_i || (redir && redirect_i.warp == pop_i) || 32'(free_q[pop_i]) < IBUF_DEPTH)
endmodule
