// Promises of a core's memory port: one source, any (0 l1i, 1 ptw, 2 l1d), is compared with a queue of its requests, every answer with its requester.
// Of lines, identifiers and harts a bit or two stand for all; data are not followed. At most 15 requests are outstanding.
module mem_arb_proof
  import vellum_pkg::*, mem_pkg::*, perf_pkg::*;
(
    input logic            clk_i,
    input logic [2:0]      valid_i,
    input logic [2:0][1:0] line_i,
    input logic [2:0]      idx_i,        // of the identifier
    input logic            kind_i,       // of l1d's
    input logic [1:0]      op_i,
    input logic [1:0]      amo_i,
    input logic            hart_i,
    input logic            ready_i,
    input logic            answer_i,
    input logic [1:0]      whom_i,
    input logic            answer_idx_i,
    input logic [1:0]      pick_i
);
  localparam int unsigned I = 0, P = 1, D = 2;
  logic started_q = 1'b0;
  logic rst, req_valid, idle, answer;
  logic [2:0] valid, ready, rsp_valid, put;
  mem_req_t [2:0] in;
  mem_req_t req;
  mem_rsp_t rsp;
  mem_rsp_t [2:0] rsp_out;
  ev_mem_arb_t ev;
  assign rst = !started_q;
  mem_arb dut (
      .clk_i, .rst_i(rst), .asid_i('0), .l1i_req_valid_i(valid[I]), .l1i_req_i(in[I]), .l1i_req_ready_o(ready[I]), .l1i_rsp_valid_o(rsp_valid[I]), .l1i_rsp_o(rsp_out[I]),
      .ptw_req_valid_i(valid[P]), .ptw_req_i(in[P]), .ptw_req_ready_o(ready[P]), .ptw_rsp_valid_o(rsp_valid[P]), .ptw_rsp_o(rsp_out[P]),
      .l1d_req_valid_i(valid[D]), .l1d_req_i(in[D]), .l1d_req_ready_o(ready[D]), .l1d_rsp_valid_o(rsp_valid[D]), .l1d_rsp_o(rsp_out[D]),
      .mem_req_valid_o(req_valid), .mem_req_o(req), .mem_req_ready_i(ready_i), .mem_rsp_valid_i(answer), .mem_rsp_i(rsp), .idle_o(idle), .ev_o(ev)
  );

  // ---- requests, and how many are outstanding -----------------------------------------------------------------------------
  logic [3:0] open_q;                    // taken and not delivered
  logic [3:0] sent_out_q;                // shown to memory, taken there and not answered
  logic few, out;
  assign few = open_q < 4'd12;
  assign valid = few ? valid_i : '0;
  assign put = valid & ready;
  assign out = req_valid && ready_i;
  always_comb begin
    for (int unsigned s = 0; s < 3; s++) begin
      in[s] = '0;
      in[s].op = MEM_READ;
      in[s].amo = AMO_SWAP;
      in[s].id[0] = idx_i[s];
      in[s].line[1:0] = line_i[s];
      in[s].cls[0] = line_i[s][1];
    end
    in[D].id[MEM_IDX_W] = kind_i;
    in[D].op = (op_i == 2'd3) ? MEM_READ : mem_op_e'(op_i);
    in[D].hart[0] = hart_i;
    if (in[D].op == MEM_AMO) in[D].amo = amo_i[1] ? AMO_ADD : amo_i[0] ? AMO_SC : AMO_LR;
  end
  assign answer = answer_i && sent_out_q != '0;
  always_comb begin
    rsp = '0;
    rsp.id[0] = answer_idx_i;
    rsp.id[MEM_IDX_W+2] = whom_i != 2'd2;
    rsp.id[MEM_IDX_W] = whom_i[0];
  end

  // ---- the picked source ------------------------------------------------------------------------------------------------------
  typedef struct packed {
    mem_op_e op;
    amo_e amo;
    mem_cid_t cid;
    mem_class_t cls;
    logic [1:0] line;
    logic hart;
    logic sc_fail;
  } word_t;
  function automatic word_t word(input mem_req_t r);
    return '{op: r.op, amo: r.amo, cid: r.id[MEM_IDX_W+1:0], cls: r.cls, line: r.line[1:0], hart: r.hart[0], sc_fail: r.sc_fail};
  endfunction
  logic [1:0] pick_q, n_q, n, others_q, from;
  word_t [2:0] sent_q, sent;
  word_t mine;
  logic mine_goes, held_q;
  mem_req_t req_q;
  // The core's last LR: hart and line, until its SC.
  logic lr_q, lr_hart_q, lr_fits;
  logic [1:0] lr_line_q;
  assign lr_fits = lr_q && lr_hart_q == in[D].hart[0] && lr_line_q == in[D].line[1:0];
  assign from = !req.id[MEM_IDX_W+2] ? 2'(D) : req.id[MEM_IDX_W] ? 2'(P) : 2'(I);
  assign mine_goes = out && from == pick_q;
  always_comb begin
    mine = word(in[pick_q]);
    if (32'(pick_q) == P) mine.cid[MEM_IDX_W] = 1'b1;
    mine.sc_fail = in[pick_q].op == MEM_AMO && in[pick_q].amo == AMO_SC && !lr_fits;
    n = n_q - 2'(mine_goes);
    sent = mine_goes ? sent_q >> $bits(word_t) : sent_q;
    if (put[pick_q]) sent[n] = mine;
  end

  logic [1:0] whom_q;
  logic answer_q, answer_idx_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    req_q <= req;
    answer_idx_q <= answer_idx_i;
    whom_q <= (whom_i == 2'd3) ? 2'(P) : whom_i;
    sent_q <= sent;
    if (rst) begin
      pick_q <= (pick_i == 2'd3) ? 2'd0 : pick_i;
      n_q <= '0;
      others_q <= '0;
      held_q <= 1'b0;
      open_q <= '0;
      sent_out_q <= '0;
      answer_q <= 1'b0;
      lr_q <= 1'b0;
    end else begin
      n_q <= n + 2'(put[pick_q]);
      held_q <= req_valid && !ready_i;
      // How many of others went while one of the picked source stood at the front of its queue.
      others_q <= (n_q == '0 || mine_goes) ? '0 : others_q + 2'(out);
      sent_out_q <= sent_out_q + 4'(out) - 4'(answer);
      open_q <= open_q + 4'($countones(put)) - 4'(answer_q);
      answer_q <= answer;
      if (put[D] && in[D].op == MEM_AMO && in[D].amo == AMO_LR) begin
        lr_q <= 1'b1;
        lr_hart_q <= in[D].hart[0];
        lr_line_q <= in[D].line[1:0];
      end else if (put[D] && in[D].op == MEM_AMO && in[D].amo == AMO_SC && in[D].hart[0] == lr_hart_q) lr_q <= 1'b0;
    end
  end

  always_comb if (!rst) begin
    in_order_none_twice: assert (!mine_goes || (n_q != '0 && word(req) == sent_q[0]));
    none_lost: assert (n_q == '0 || req_valid);
    takes_two: assert (ready[pick_q] == (n_q != 2'd2));
    held_until_taken: assert (!held_q || (req_valid && req == req_q));
    served_in_turn: assert (others_q <= 2'd2);
    answered_to_its_source: assert (rsp_valid == (answer_q ? 3'd1 << whom_q : 3'd0));
    answer_is_passed_on: assert (!answer_q || (rsp_out[whom_q].id == mem_id_t'(answer_idx_q)));
    idle_when_all_is_answered: assert (idle == (open_q == '0));
  end

  // ---- lemmas: where everything is, by the registers of mem_arb; with them the assertions above are inductive --------------
  logic [2:0][1:0] count;
  word_t [2:0][1:0] at;                  // entries of the queues, oldest first
  logic [2:0] sound;
  assign count = {2'(dut.u_data.count_q), 2'(dut.u_walk.count_q), 2'(dut.u_fetch.count_q)};
  assign sound = {dut.u_data.count_q != 2'd3 && dut.u_data.some_q == (count[D] != '0) && dut.u_data.full_q == count[D][1] && dut.u_data.wptr_q == (dut.u_data.rptr_q ^ count[D][0]),
                  dut.u_walk.count_q != 2'd3 && dut.u_walk.some_q == (count[P] != '0) && dut.u_walk.full_q == count[P][1] && dut.u_walk.wptr_q == (dut.u_walk.rptr_q ^ count[P][0]),
                  dut.u_fetch.count_q != 2'd3 && dut.u_fetch.some_q == (count[I] != '0) && dut.u_fetch.full_q == count[I][1] && dut.u_fetch.wptr_q == (dut.u_fetch.rptr_q ^ count[I][0])};
  for (genvar k = 0; k < 2; k++) begin : gen_at
    kept_read_t fetch, walk;
    kept_req_t data;
    assign fetch = dut.u_fetch.u_mem.gen_registers.mem[dut.u_fetch.rptr_q ^ 1'(k)];
    assign walk = dut.u_walk.u_mem.gen_registers.mem[dut.u_walk.rptr_q ^ 1'(k)];
    assign data = dut.u_data.u_mem.gen_registers.mem[dut.u_data.rptr_q ^ 1'(k)];
    assign at[I][k] = '{op: MEM_READ, amo: AMO_SWAP, cid: fetch.cid & ~mem_cid_t'(1 << MEM_IDX_W), cls: fetch.cls, line: fetch.line[1:0], hart: 1'b0, sc_fail: 1'b0};
    assign at[P][k] = '{op: MEM_READ, amo: AMO_SWAP, cid: walk.cid | mem_cid_t'(1 << MEM_IDX_W), cls: walk.cls, line: walk.line[1:0], hart: 1'b0, sc_fail: 1'b0};
    assign at[D][k] = '{op: data.op, amo: data.amo, cid: data.cid, cls: data.cls, line: data.line[1:0], hart: data.hart[0], sc_fail: data.sc_fail};
  end
  // The number of requests that may go before the picked source: from sources between it and the last one, or the held one and those behind that.
  function automatic logic [1:0] between(input logic [1:0] last, input logic [1:0] next);
    return (last == next) ? 2'd2 : (((last == 2'd2) ? 2'd0 : last + 2'd1) == next) ? 2'd0 : 2'd1;
  endfunction
  logic [1:0] turn;
  assign turn = !dut.held_q ? between(dut.last_q, pick_q) : (dut.shown_q == pick_q) ? 2'd0 : 2'd1 + between(dut.shown_q, pick_q);
  always_comb if (!rst) begin
    lemma_queues: assert (sound == '1 && n_q == count[pick_q] && pick_q != 2'd3);
    lemma_words: assert ((n_q == '0 || at[pick_q][0] == sent_q[0]) && (!n_q[1] || at[pick_q][1] == sent_q[1]));
    lemma_turn: assert (dut.last_q != 2'd3 && dut.shown_q != 2'd3 && (n_q == '0 || 32'(others_q) + 32'(turn) <= 2) && (n_q != '0 || others_q == '0));
    lemma_held: assert (dut.held_q == held_q && (!held_q || count[dut.shown_q] != '0) && dut.asid_q == '0);
    lemma_count: assert (dut.count_q == 10'(open_q) && 32'(open_q) == 32'(count[I]) + 32'(count[P]) + 32'(count[D]) + 32'(sent_out_q) + 32'(answer_q)
                         && dut.rsp_valid_q == answer_q);
    lemma_lr: assert (dut.lr_valid_q == lr_q && (!lr_q || (dut.lr_hart_q == hart_t'(lr_hart_q) && dut.lr_line_q == line_addr_t'(lr_line_q))));
  end
endmodule
