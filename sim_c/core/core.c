/* See core.h. The nets are those of rtl/core/core.sv, block by block in the same order. */
#include "sim_c/core/core.h"
#include "sim_c/core/core_blocks.h"
#include "sim_c/core/perf.h"
#include <string.h>

#define LINE_MASK ((1ull << LINE_ADDR_W) - 1)

/* A net with a payload: the valid bit always, the payload when it matters. */
#define WIRE(in, i, out, o) do { if (((in)->i##_valid = (out)->o##_valid)) (in)->i = (out)->o; } while (0)

struct simt_core {
    uint8_t number;
    bool control_changed;
    uint32_t clocked; /* blocks ticked in this cycle */
    uint32_t resting; /* blocks that were at rest in the last cycle */
    bool settled;     /* `status` stayed as it was in the last cycle */
#define STATE(b) b##_t *b; b##_in_t b##_in; b##_out_t b##_o;
    CORE_BLOCKS(STATE)
#undef STATE
    perf_t *perf;
    perf_in_t perf_in;
    perf_out_t perf_o;
    unsigned char arena[];
};

enum {
#define INDEX(b) I_##b,
    CORE_BLOCKS(INDEX)
#undef INDEX
    N_BLOCKS
};

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t simt_core_size(void)
{
    size_t n = sizeof(struct simt_core) + 64;
#define ADD(b) n += align(b##_size());
    CORE_BLOCKS(ADD)
#undef ADD
    return n + align(perf_size());
}

void simt_core_reset(simt_core_t *c, unsigned number)
{
    unsigned char *p = (unsigned char *)align((size_t)c->arena);
#define PLACE(b) c->b = (b##_t *)p; p += align(b##_size()); memset(&c->b##_in, 0, sizeof c->b##_in); b##_reset(c->b);
    CORE_BLOCKS(PLACE)
#undef PLACE
    c->perf = (perf_t *)p;
    memset(&c->perf_in, 0, sizeof c->perf_in);
    perf_reset(c->perf);
    c->number = (uint8_t)number;
    c->regfile_in.core = c->lsu_in.core = c->tlb_mshr_in.core = c->number;
    memset(&c->issue_in.mem_eligible, 0xff, sizeof c->issue_in.mem_eligible);
    c->issue_in.mem_eligible &= WARPS == 64 ? ~0ull : (1ull << (WARPS % 64)) - 1;
    c->control_changed = true;
    c->clocked = ~0u;
    c->resting = 0;
    c->settled = false;
    simt_core_publish(c);
}

void simt_core_view(simt_core_t *c, core_view_t *v)
{
    *v = (core_view_t){
        .inv_done = &c->status_o.inv_done, .pf_valid = &c->lsu_o.pf_valid, .pf = &c->lsu_o.pf,
        .ipf_valid = &c->l1i_o.pf_valid, .ipf = &c->l1i_o.pf,
        .faulted = &c->status_o.faulted, .quiet = &c->status_o.quiet, .fault = &c->status_o.fault,
        .group_ready = &c->launch_o.group_ready, .group_done = &c->launch_o.group_done,
        .mem_req_valid = &c->mem_arb_o.mem_req_valid, .mem_req = &c->mem_arb_o.mem_req,
        .perf_data = &c->perf_o.rd_data,
        .start_valid = &c->launch_o.start_valid, .start = &c->launch_o.start,
        .redirect_valid = &c->simt_o.redirect_valid, .redirect = &c->simt_o.redirect,
        .push_valid = &c->fetch_o.push_valid, .push = &c->fetch_o.push,
        .issue_valid = &c->issue_o.issue_valid, .issue = &c->issue_o.issue,
        .wb_valid = &c->regfile_o.wb_valid, .wb = &c->regfile_o.wb,
        .mem_valid = &c->lsu_o.trace_valid, .mem = &c->lsu_o.trace,
        .sent_valid = &c->lsu_o.sent_valid, .sent = &c->lsu_o.sent,
    };
}

void simt_core_control(simt_core_t *c, const kernel_t *kernel, const policy_t *policy)
{
    c->fetch_in.kernel = c->regfile_in.kernel = c->launch_in.kernel = c->lsu_in.kernel = *kernel;
    c->issue_in.policy = *policy;
    c->ptw_in.window = (window_t){.base = kernel->mem_base >> LINE_OFF_W & LINE_MASK, .limit = kernel->mem_limit >> LINE_OFF_W & LINE_MASK};
    c->control_changed = true;
}

void simt_core_vm(simt_core_t *c, const root_t *root, uint8_t tlb_mode, const walk_policy_t *walk)
{
    c->fetch_in.root = c->l1i_in.root = c->lsu_in.root = c->ptw_in.root = *root;
    c->tlb_in.asid = c->itlb_in.asid = c->tlb_mshr_in.asid = c->mem_arb_in.asid = root->asid;
    c->lsu_in.mode = tlb_mode;
    c->ptw_in.policy = *walk;
    c->control_changed = true;
}

/* Clocks a block unless it is at rest, `quiet` being that none of its inputs says anything new. */
#define CLOCK(c, b, quiet) do { \
        if ((quiet) && !(c)->control_changed && ((c)->resting >> I_##b & 1)) \
            break; \
        (c)->clocked |= 1u << I_##b; \
        b##_tick((c)->b, &(c)->b##_in); \
    } while (0)

void simt_core_tick(simt_core_t *c, const core_wires_t *w)
{
    const bool halt = c->status_o.halt, start = c->launch_o.start_valid, ops = c->regfile_o.ops_valid;
    const operands_t *op = &c->regfile_o.ops;
#define EVENTS(b) \
    if (c->clocked >> I_##b & 1) \
        c->perf_in.ev.b = c->b##_o.ev;
    CORE_BLOCKS(EVENTS) /* of the last cycle's edge */
#undef EVENTS
    c->clocked = 0;

    /* front end */
    fetch_in_t *fe = &c->fetch_in;
    WIRE(fe, redirect, &c->simt_o, redirect);
    WIRE(fe, rsp, &c->l1i_o, rsp);
    WIRE(fe, pop, &c->issue_o, pop);
    bool moved = fe->halt != halt || fe->req_ready != c->l1i_o.req_ready;
    fe->wake = c->l1i_o.wake;
    fe->req_ready = c->l1i_o.req_ready;
    fe->halt = halt;
    CLOCK(c, fetch, !moved && !fe->redirect_valid && !fe->rsp_valid && !fe->pop_valid && !fe->wake);

    l1i_in_t *ic = &c->l1i_in;
    WIRE(ic, req, &c->fetch_o, req);
    WIRE(ic, mem_rsp, &c->mem_arb_o, l1i_rsp);
    if ((ic->found_valid = c->itlb_o.found_valid))
        memcpy(ic->found, c->itlb_o.found, sizeof ic->found);
    ic->inv_valid = w->inv_valid;
    ic->pf_ready = w->ipf_ready;
    ic->resume_valid = w->fetch_resume_valid;
    ic->resume_fill = w->resume & 1;
    ic->resume_deny = w->deny;
    ic->inval = w->kernel_start;
    ic->mem_req_ready = c->mem_arb_o.l1i_req_ready;
    CLOCK(c, l1i, !ic->req_valid && !ic->mem_rsp_valid && !ic->inval && !ic->found_valid && !ic->inv_valid && !ic->resume_valid);

    issue_in_t *is = &c->issue_in;
    WIRE(is, push, &c->fetch_o, push);
    WIRE(is, redirect, &c->simt_o, redirect);
    WIRE(is, wb, &c->regfile_o, wb);
    WIRE(is, bar_release, &c->barrier_o, release);
    moved = is->halt != halt || is->wb_hold != c->regfile_o.wb_hold;
    is->credit = c->regfile_o.credit;
    is->lsu_credit = c->lsu_o.credit;
    is->wb_hold = c->regfile_o.wb_hold;
    is->halt = halt;
    CLOCK(c, issue, !moved && !is->push_valid && !is->redirect_valid && !is->wb_valid && !is->bar_release_valid
          && !is->lsu_credit && !is->credit.div && !is->credit.fpu && !is->credit.fdiv);

    simt_in_t *si = &c->simt_in;
    WIRE(si, start, &c->launch_o, start);
    WIRE(si, cf, &c->alu_o, cf);
    WIRE(si, issue, &c->issue_o, issue);
    moved = si->halt != halt;
    si->halt = halt;
    if ((si->tw_valid = w->reconv_valid))
        si->tw = *w->reconv;
    CLOCK(c, simt, !moved && !si->start_valid && !si->cf_valid && !(si->issue_valid && si->issue.pipe == PIPE_CTL) && !si->tw_valid);

    /* operands and pipes */
    regfile_in_t *rf = &c->regfile_in;
    WIRE(rf, issue, &c->issue_o, issue);
    WIRE(rf, start, &c->launch_o, start);
    WIRE(rf, lids, &c->launch_o, lids);
    WIRE(rf, alu_res, &c->alu_o, alu_res);
    WIRE(rf, mul_res, &c->mul_o, mul_res);
    WIRE(rf, div_res, &c->idiv_o, div_res);
    WIRE(rf, fpu_res, &c->fpu_o, fpu_res);
    WIRE(rf, fdiv_res, &c->fdiv_o, fdiv_res);
    WIRE(rf, lsu_res, &c->lsu_o, lsu_res);
    CLOCK(c, regfile, !rf->issue_valid && !rf->start_valid && !rf->lids_valid && !rf->alu_res_valid && !rf->mul_res_valid
          && !rf->div_res_valid && !rf->fpu_res_valid && !rf->fdiv_res_valid && !rf->lsu_res_valid);

#define PIPE(b, cond) \
    c->b##_in.ops_valid = ops && (cond); \
    if (c->b##_in.ops_valid) \
        c->b##_in.ops = *op;
    PIPE(alu, op->pipe == PIPE_ALU)
    CLOCK(c, alu, !c->alu_in.ops_valid);
    PIPE(mul, op->pipe == PIPE_MUL)
    CLOCK(c, mul, !c->mul_in.ops_valid);
    PIPE(idiv, op->pipe == PIPE_DIV)
    CLOCK(c, idiv, !c->idiv_in.ops_valid);
    PIPE(fpu, op->pipe == PIPE_FPU || op->pipe == PIPE_FDIV)
    WIRE(&c->fpu_in, start, &c->launch_o, start);
    WIRE(&c->fpu_in, fdiv_flags, &c->fdiv_o, fdiv_flags);
    CLOCK(c, fpu, !c->fpu_in.ops_valid && !start && !c->fpu_in.fdiv_flags_valid);
    PIPE(fdiv, op->pipe == PIPE_FDIV)
    WIRE(&c->fdiv_in, start, &c->launch_o, start);
    WIRE(&c->fdiv_in, frm, &c->fpu_o, frm);
    CLOCK(c, fdiv, !c->fdiv_in.ops_valid && !start && !c->fdiv_in.frm_valid);

    /* workgroups */
    launch_in_t *la = &c->launch_in;
    moved = la->halt != halt;
    la->halt = halt;
    la->kernel_start = w->kernel_start;
    if ((la->group_valid = w->group_valid))
        la->group = *w->group;
    WIRE(la, warp_done, &c->simt_o, warp_done);
    CLOCK(c, launch, !moved && !la->kernel_start && !la->group_valid && !la->warp_done_valid);

    barrier_in_t *ba = &c->barrier_in;
    WIRE(ba, start, &c->launch_o, start);
    WIRE(ba, arrive, &c->simt_o, arrive);
    WIRE(ba, warp_done, &c->simt_o, warp_done);
    moved = ba->unsent != c->lsu_o.unsent;
    ba->unsent = c->lsu_o.unsent;
    CLOCK(c, barrier, !moved && !start && !ba->arrive_valid && !ba->warp_done_valid);

    /* memory */
    lsu_in_t *ls = &c->lsu_in;
    PIPE(lsu, op->pipe == PIPE_LSU)
    WIRE(ls, start, &c->launch_o, start);
    WIRE(ls, l1d_rsp, &c->l1d_o, l1d_rsp);
    ls->l1d_ack = c->l1d_o.l1d_ack;
    WIRE(ls, spad_rsp, &c->spad_o, spad_rsp);
    ls->l1d_req_ready = c->l1d_o.l1d_req_ready;
    ls->spad_req_ready = c->spad_o.spad_req_ready;
    ls->lsu_res_ready = c->regfile_o.lsu_res_ready;
    moved = ls->halt != halt;
    ls->halt = halt;
    ls->look_ready = c->tlb_o.look_ready;
    if ((ls->found_valid = c->tlb_o.found_valid))
        memcpy(ls->found, c->tlb_o.found, sizeof ls->found);
    ls->miss_ready = c->tlb_mshr_o.miss_ready & 1;
    ls->walk_valid = c->tlb_mshr_o.walk_valid & 1;
    ls->walk = c->tlb_mshr_o.walk[0];
    WIRE(ls, walked, &c->tlb_mshr_o, walked);
    ls->pf_ready = w->pf_ready;
    ls->resume_valid = w->resume_valid;
    ls->resume = w->resume;
    if ((ls->inv_valid = w->inv_valid))
        ls->inv = *w->inv;
    CLOCK(c, lsu, !moved && !ls->ops_valid && !start && !(c->lsu_o.l1d_req_valid && ls->l1d_req_ready) && !(c->lsu_o.spad_req_valid && ls->spad_req_ready)
          && !ls->l1d_rsp_valid && !ls->l1d_ack && !ls->spad_rsp_valid && !ls->found_valid && !ls->walk_valid
          && !ls->walked_valid && !c->lsu_o.pf_valid && !ls->resume_valid && !ls->inv_valid);

    spad_in_t *sp = &c->spad_in;
    WIRE(sp, spad_req, &c->lsu_o, spad_req);
    sp->spad_rsp_ready = c->lsu_o.spad_rsp_ready;
    CLOCK(c, spad, !sp->spad_req_valid);

    l1d_in_t *dc = &c->l1d_in;
    WIRE(dc, l1d_req, &c->lsu_o, l1d_req);
    WIRE(dc, mem_rsp, &c->mem_arb_o, l1d_rsp);
    if ((dc->early = c->lsu_o.early))
        dc->found = c->tlb_o.found[0];
    dc->inval = w->kernel_start;
    dc->l1d_rsp_ready = c->lsu_o.l1d_rsp_ready;
    dc->mem_req_ready = c->mem_arb_o.l1d_req_ready;
    CLOCK(c, l1d, !(dc->l1d_req_valid && c->l1d_o.l1d_req_ready) && !(c->l1d_o.l1d_rsp_valid && dc->l1d_rsp_ready)
          && !(c->l1d_o.mem_req_valid && dc->mem_req_ready) && !dc->mem_rsp_valid && !dc->inval);

    /* translation */
    tlb_in_t *tl = &c->tlb_in;
    if ((tl->look_valid = c->lsu_o.look_valid))
        memcpy(tl->look, c->lsu_o.look, sizeof tl->look);
    WIRE(tl, fill, &c->tlb_mshr_o, walked);
    if ((tl->inv_valid = w->inv_valid))
        tl->inv = *w->inv;
    CLOCK(c, tlb, !tl->look_valid && !tl->fill_valid && !tl->inv_valid);

    itlb_in_t *it = &c->itlb_in;
    WIRE(it, look, &c->l1i_o, look);
    it->miss_ready = c->tlb_mshr_o.miss_ready >> 1 & 1;
    it->walk_valid = c->tlb_mshr_o.walk_valid >> 1 & 1;
    it->walk = c->tlb_mshr_o.walk[1];
    WIRE(it, walked, &c->tlb_mshr_o, walked);
    if ((it->inv_valid = w->inv_valid))
        it->inv = *w->inv;
    CLOCK(c, itlb, !it->look_valid && !it->walk_valid && !it->walked_valid && !it->inv_valid);

    tlb_mshr_in_t *tm = &c->tlb_mshr_in;
    tm->miss_valid = (uint8_t)(c->lsu_o.miss_valid | c->itlb_o.miss_valid << 1);
    if (c->lsu_o.miss_valid)
        tm->miss[0] = c->lsu_o.miss;
    if (c->itlb_o.miss_valid)
        tm->miss[1] = c->itlb_o.miss;
    WIRE(tm, rsp, &c->ptw_o, rsp);
    tm->closed = c->ptw_o.closed;
    if ((tm->inv_valid = w->inv_valid))
        tm->inv = *w->inv;
    CLOCK(c, tlb_mshr, !tm->miss_valid && !tm->rsp_valid && !tm->inv_valid);

    /* the translate seam: its occupant */
    ptw_in_t *pw = &c->ptw_in;
    if ((pw->req_valid = c->tlb_mshr_o.req_valid))
        memcpy(pw->req, c->tlb_mshr_o.req, sizeof pw->req);
    pw->mem_req_ready = c->mem_arb_o.ptw_req_ready;
    WIRE(pw, mem_rsp, &c->mem_arb_o, ptw_rsp);
    if ((pw->inv_valid = w->inv_valid))
        pw->inv = *w->inv;
    CLOCK(c, ptw, !pw->req_valid && !pw->mem_rsp_valid && !pw->inv_valid);

    mem_arb_in_t *ma = &c->mem_arb_in;
    WIRE(ma, l1i_req, &c->l1i_o, mem_req);
    WIRE(ma, ptw_req, &c->ptw_o, mem_req);
    WIRE(ma, l1d_req, &c->l1d_o, mem_req);
    if ((ma->mem_rsp_valid = w->mem_rsp_valid))
        ma->mem_rsp = *w->mem_rsp;
    ma->mem_req_ready = w->mem_req_ready;
    const mem_arb_out_t *mo = &c->mem_arb_o;
    CLOCK(c, mem_arb, !(ma->l1i_req_valid && mo->l1i_req_ready) && !(ma->ptw_req_valid && mo->ptw_req_ready) && !(ma->l1d_req_valid && mo->l1d_req_ready)
          && !(mo->mem_req_valid && ma->mem_req_ready) && !ma->mem_rsp_valid);

    /* faults, counters */
    status_in_t *st = &c->status_in;
    WIRE(st, simt_fault, &c->simt_o, fault);
    WIRE(st, lsu_fault, &c->lsu_o, fault);
    WIRE(st, barrier_fault, &c->barrier_o, fault);
    WIRE(st, fpu_fault, &c->fpu_o, fault);
    st->halt_all = w->halt_all;
    st->issue_idle = c->issue_o.idle;
    st->launch_idle = c->launch_o.idle;
    st->lsu_idle = c->lsu_o.idle;
    st->l1d_idle = c->l1d_o.idle;
    st->mem_idle = c->mem_arb_o.idle;
    st->itlb_idle = c->itlb_o.idle;
    st->tlb_mshr_idle = c->tlb_mshr_o.idle;
    st->ptw_idle = c->ptw_o.idle;
    st->inv_valid = w->inv_valid;
    st->tlb_done = c->tlb_o.inv_done;
    st->itlb_done = c->itlb_o.inv_done;
    st->ptw_done = c->ptw_o.inv_done;
    st->lsu_done = c->lsu_o.inv_done;
    CLOCK(c, status, false);

    c->perf_in.clear = w->kernel_start;
    c->perf_in.rd_idx = w->perf_idx;
    perf_tick(c->perf, &c->perf_in);
    c->control_changed = false;
}

void simt_core_publish(simt_core_t *c)
{
    const bool halt = c->status_o.halt, quiet = c->status_o.quiet, faulted = c->status_o.faulted, shot = c->status_o.inv_done, shoots = c->status_o.ev.shootdown_cycles;
#define PUBLISH(b) \
    if (c->clocked >> I_##b & 1) { \
        b##_out(c->b, &c->b##_o); \
        c->resting = (c->resting & ~(1u << I_##b)) | (uint32_t)b##_idle(c->b) << I_##b; \
    }
    CORE_BLOCKS(PUBLISH)
#undef PUBLISH
    c->settled = halt == c->status_o.halt && quiet == c->status_o.quiet && faulted == c->status_o.faulted && shot == c->status_o.inv_done
                 && shoots == c->status_o.ev.shootdown_cycles;
    perf_out(c->perf, &c->perf_o);
}

bool simt_core_rests(const simt_core_t *c)
{
    /* In the last cycle nothing but `status` (which follows levels, and settles in one cycle) was clocked. */
    return c->clocked == 1u << I_status && !c->control_changed && c->settled && !c->lsu_o.pf_valid && !c->l1i_o.pf_valid;
}

void simt_core_skip(simt_core_t *c, uint64_t cycles)
{
    if (cycles)
        perf_count(c->perf, &c->perf_in.ev, cycles);
}

bool simt_core_counts(const simt_core_t *c)
{
    return perf_step(&c->perf_in) != 0;
}

void simt_core_peek(simt_core_t *c, uint64_t cycles)
{
    perf_peek(c->perf, &c->perf_in, cycles - 1, &c->perf_o); /* what it was before the last of them counted */
}

const void *simt_core_block_out(const simt_core_t *c, const char *block)
{
#define FIND(b) if (!strcmp(block, #b)) return &c->b##_o;
    CORE_BLOCKS(FIND)
#undef FIND
    return NULL;
}
