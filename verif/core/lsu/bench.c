/* Bench of lsu: instructions of all kinds over address patterns, Bare and translated, with caches, scratchpad, TLB, walker and host that answer
 * late, early, in parts and in any order. Besides the twin, the page predicts the outputs and counts of each cycle (page.h); everything that leaves the LSU is checked against its promises (scoreboard.h), and every
 * result, fault and byte written against a memory that executes each warp's instructions one after another, thread by thread
 * (program.h). A run is a row of phases; between them all comes to rest, and the address space, the mode and the window change. */
#define BENCH_SEEDS (THREADS == 32 ? 40 : 24)
#define BENCH_CYCLES 16000
#include "verif/core/lsu/env.h"
#include "verif/core/lsu/host.h"
#include "verif/core/lsu/page.h"
#include "verif/core/lsu/scoreboard.h"
#include "verif/core/lsu/program.h"

enum { SHORTEST_PHASE = 300, LONGEST_PHASE = 2400, PATIENCE = 6000 /* to come to rest */ };

/* ---- phases and styles ---- */

static uint64_t pick_window(bench_t *b, bool sv48)
{
    /* Bare: also one with the highest bit of its addresses set. Both: one that reaches into the scratchpad's aperture (which wins there). */
    const uint64_t any[] = {0x40000000, SPAD_BASE + SPAD_BYTES / 2 - BYTES, 1ull << 47 | 0x40000000};
    const uint64_t translated[] = {(1ull << 47) - BYTES, ~0ull << 47, -(uint64_t)BYTES, ~0ull << 40};
    return sv48 && vl_below(&b->rng, 2) ? translated[vl_below(&b->rng, 4)] : any[vl_below(&b->rng, sv48 ? 2 : 3)];
}

/* Where the window begins or ends behind its page: at any place, often at a rounder one. */
static unsigned pick_edge(bench_t *b)
{
    const unsigned step = 8u << vl_below(&b->rng, 7);
    return step * vl_below(&b->rng, 512 / step);
}

/* Whether a warp's stacks lie on both sides of an address at which a check changes: a driver does not do that (docs/private-memory.md, P1). */
static bool cuts_stacks(const kernel_t *k, bool sv48)
{
    const uint64_t edges[] = {SPAD_BASE, SPAD_BASE + k->spad_bytes, SPAD_BASE + 0x10000, k->mem_base, k->mem_limit};
    for (unsigned i = 0; i < (sv48 ? 3 : 5); i++)
        if (in_private(k, edges[i]) && edges[i] % ((uint64_t)THREADS << k->stack_log2))
            return true;
    return false;
}

static void new_phase(bench_t *b, env_t *e)
{
    phase_t *p = &e->phase;
    *p = (phase_t){.sv48 = vl_below(&b->rng, 3) != 0, .mode = (uint8_t)vl_below(&b->rng, 3)};
    if (b->mode && vl_below(&b->rng, 3) == 0)
        p->limit = b->mode == 1 ? STORES : LOADS + vl_below(&b->rng, 3);
    p->sv48 = p->limit == ANSWERS || (p->sv48 && !p->limit);
    p->warp = vl_below(&b->rng, WARPS);
    p->kill = p->sv48 && vl_below(&b->rng, 3) == 0;
    p->mode = (p->kill && vl_below(&b->rng, 2)) || p->limit == ANSWERS ? TLB_OVERLAP : p->mode;
    p->no_hits = vl_below(&b->rng, 6) == 0 || p->limit == ANSWERS;
    p->window = pick_window(b, p->sv48);
    p->end = b->cycle
             + (p->limit == STORES ? 1000
                : p->limit         ? 500
                                   : SHORTEST_PHASE + vl_below(&b->rng, LONGEST_PHASE - SHORTEST_PHASE));
    root_t_random(&b->rng, &e->root);
    e->root.sv48 = p->sv48;
    e->kernel.mem_base = p->sv48 ? vl_random(&b->rng) : p->window + pick_edge(b);
    e->kernel.mem_limit = p->sv48 ? vl_random(&b->rng) : p->window + BYTES - pick_edge(b);
    e->kernel.spad_bytes = WARP_SPAD / 16 * 8 + 8 * vl_below(&b->rng, WARP_SPAD / 16);
    /* A private aperture that begins or ends among the pages, or contains them all; or none. Its low bits do not matter. */
    do {
        const uint8_t edges[] = {3, 4, 19, 20},
                      size[] = {edges[vl_below(&b->rng, 4)], 4 + vl_below(&b->rng, 16), vl_below(&b->rng, 64)};
        e->kernel.stack_log2 = size[vl_below(&b->rng, 3)];
        e->kernel.stack_base = vl_below(&b->rng, 8) ? p->window + vl_below(&b->rng, BYTES) : vl_random(&b->rng);
    } while (cuts_stacks(&e->kernel, p->sv48));
    e->spad_shift = 8 * vl_below(&b->rng, SPAD_BYTES / 8);
    memset(e->insn, 0, sizeof e->insn);
    memset(e->queued, 0, sizeof e->queued);
    memset(e->alive, 0, sizeof e->alive);
    memset(e->started, 0, sizeof e->started);
    memset(e->blocked, 0, sizeof e->blocked);
    memset(e->outstanding, 0, sizeof e->outstanding);
    memset(e->faulted, 0, sizeof e->faulted);
    memset(e->walk, 0, sizeof e->walk);
    memset(e->page, 0, sizeof e->page);
    e->pause = e->inv_wanted = false;
    e->follow = 0;
    e->scene.kind = NO_SCENE;
    e->inv_limit = e->walked_at = 0;
    for (unsigned i = 0; i < PAGES && p->sv48; i++)
        e->page[i].now = first_map(b, e, i);
}

static void start(bench_t *b, env_t *e)
{
    BENCH_COVER(b, COV_SECTORS, SECTORS == 1);
    BENCH_COVER(b, COV_SECTOR_BEATS, BEATS == 1);
    BENCH_COVER(b, COV_BYTE_BEATS, BEATS == 1);
    BENCH_COVER(b, COV_V_BEATS, BEATS == 1);
    BENCH_COVER(b, COV_I_HALF, BEATS == 1);
    BENCH_COVER(b, COV_E_BESIDE, BEATS > 1); /* the front shows its trace meanwhile */
    for (unsigned i = COV_FENCE_STORE; i <= COV_LIMIT_WARPS; i++)
        BENCH_COVER(b, i, WARPS == 1);
    for (unsigned i = 2; i < 5; i++) /* more pages than threads cannot be */
        BENCH_COVER(b, COV_PAGES_1 + i, THREADS < 1u << i);
    BENCH_COVER(b, COV_V_PORTS, THREADS <= TLB_PORTS);
    BENCH_COVER(b, COV_V_ENTRIES, WARPS < LSU_ENTRIES || LSU_ROWS <= LSU_ENTRIES);
    e->core = vl_below(&b->rng, CORES);
    page_begin(&e->block);
    homes_begin(&e->homes);
    for (unsigned i = 0; i < BYTES; i += 8) {
        uint64_t v = vl_random(&b->rng);
        memcpy(e->program.mem + i, &v, 8);
    }
    for (unsigned i = 0; i < SPAD_BYTES; i += 8) {
        uint64_t v = vl_random(&b->rng);
        memcpy(e->program.spad + i, &v, 8);
    }
    e->real = e->program;
    new_phase(b, e);
}

static unsigned one_of(bench_t *b, unsigned a, unsigned c, unsigned d)
{
    unsigned p = vl_below(&b->rng, 3);
    return p == 0 ? a : p == 1 ? c : d;
}

static void style(bench_t *b, env_t *e)
{
    e->issue = vl_below(&b->rng, 2) ? 256 : 30 + vl_below(&b->rng, 200);
    e->l1d_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->spad_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->res_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->latency = vl_below(&b->rng, 2) ? 4 : 100;
    e->where = vl_below(&b->rng, 4);
    e->kinds = vl_below(&b->rng, 5);
    e->hit = vl_below(&b->rng, 2) ? 220 : one_of(b, 0, 100, 256);
    e->walk_latency = one_of(b, 3, 20, 150);
    e->look_ready = one_of(b, 256, 256, 80);
    e->miss_ready = one_of(b, 256, 60, 8);
    e->pf_ready = one_of(b, 256, 100, 8);
    e->patience = one_of(b, 4, 60, 300);
    e->evict = one_of(b, 0, 4, 40);
    if (e->phase.kill) { /* so that some rows have faulted when it comes, and some are not reported yet */
        e->patience = 400;
        e->pf_ready = one_of(b, 256, 8, 4);
    }
    if (e->phase.no_hits)
        e->hit = 0;
    e->spoil = one_of(b, 24, 24, 5);
    e->hold_acks = false;
    if (WARPS > 1 && !e->scene.kind && vl_below(&b->rng, 3) == 0)
        e->scene = (scene_t){.kind = 1 + vl_below(&b->rng, 4), .end = b->cycle + 200};
    if (e->phase.limit) { /* one long run without acknowledgements */
        e->hold_acks = true;
        e->scene.kind = NO_SCENE;
        e->issue = e->l1d_ready = 256;
        e->kinds = 4 + e->phase.limit;
        e->look_ready = e->miss_ready = e->pf_ready = 256;
        e->where = 0;
        e->evict = 0;
    }
    if (e->phase.drain) {
        e->l1d_ready = e->spad_ready = e->res_ready = e->look_ready = e->miss_ready = e->pf_ready = 256;
        e->patience = 4;
        e->evict = 0;
        e->hold_acks = false;
        e->scene.kind = NO_SCENE;
    }
}

static void cover_kill(bench_t *b, env_t *e)
{
    for (unsigned i = 0; i < INSNS; i++) {
        const insn_t *n = &e->insn[i];
        uint64_t since = n->resumed > n->issued ? n->resumed : n->issued;
        bool denied = false;
        if (!n->busy || n->faulty || !n->unsent)
            continue;
        for EACH(t, n->unsent)
            denied |= page_of(e, n->addr[t])->denied[n->write][0] > since;
        BENCH_COVER(b, COV_V_KILL_REPORTED, n->reported);
        BENCH_COVER(b, COV_V_KILL_WAITING, !n->reported && denied && e->queue[n->warp][0] == i);
        BENCH_COVER(b, COV_V_KILL_STARTED, n->reported && n->tbeat);
        BENCH_COVER(b, COV_V_KILL_FRESH, n->reported && !n->tbeat);
    }
}

/* All has come to rest. After kills there is no expected memory. */
static void rest(bench_t *b, env_t *e)
{
    if (e->phase.killing)
        e->program = e->real;
    else
        BENCH_CHECK(b, !memcmp(&e->program, &e->real, sizeof e->real), "memory differs from program order");
}

static void go_on_with_phase(bench_t *b, env_t *e, const lsu_out_t *out)
{
    phase_t *p = &e->phase;
    const bool resting =
        out->idle && !e->building && !e->held && !e->inv_pending && !e->looked && !e->asked && !e->inval_taken;
    if (resting && !e->rested && b->cycle > 10)
        rest(b, e);
    e->killed = e->phase.killing || (e->killed && !(resting && e->rested));
    e->rested = resting;
    if (!p->drain && b->cycle >= p->end && !e->building) {
        p->drain = true;
        p->killing = p->kill;
        p->since = b->cycle;
        if (p->killing) {
            cover_kill(b, e);
            for (unsigned w = 0; w < WARPS; w++)
                orphan_walks(e, w);
        }
        style(b, e);
    }
    if (!p->drain)
        return;
    BENCH_CHECK(b, b->cycle < p->since + PATIENCE, "it does not come to rest");
    if (!resting || out->pf_valid)
        return;
    for (unsigned w = 0; w < WARPS && !p->killing; w++)
        BENCH_CHECK(b, !e->queued[w] && !e->outstanding[w], "at rest, but an instruction of warp %u is not done", w);
    new_phase(b, e);
}

/* ---- one cycle ---- */

/* Causes of the wait of a fence, rl or aq, other than its own warp's. */
static void cover_waits(bench_t *b, env_t *e, const lsu_out_t *out)
{
    const insn_t *only = NULL;
    unsigned serial = 0;
    for (unsigned i = 0; i < INSNS; i++)
        if (e->insn[i].busy && e->insn[i].serial) {
            only = &e->insn[i];
            serial++;
        }
    if (!out->ev.lsu_stall_fence || serial != 1 || e->stores[only->warp] || out->l1d_req_valid)
        return;
    BENCH_COVER(b, COV_FENCE_STORE, only->kind == MEMOP_FENCE && e->acks && !e->atomics);
    BENCH_COVER(b, COV_FENCE_ATOMIC, only->kind == MEMOP_FENCE && e->atomics && !e->acks);
    BENCH_COVER(b, COV_RL_STORE, only->rl && e->acks && !e->atomics);
    BENCH_COVER(b, COV_AQ_STORE, only->aq && e->acks && !e->atomics);
}

static bool only_stores(const env_t *e, unsigned w)
{
    for (unsigned i = 0; i < e->queued[w]; i++)
        if (e->insn[e->queue[w][i]].kind != MEMOP_STORE)
            return false;
    return e->queued[w] != 0;
}

/* Stores of a warp wait, nothing else, and one of them has faulted or will. Which rows are here says the page; without it that is known until the fault is seen. */
static bool doomed(const bench_t *b, const env_t *e, const lsu_out_t *out, unsigned w)
{
    bool some = false;
    if (b->no_page)
        return only_stores(e, w) && e->insn[e->queue[w][e->queued[w] - 1]].faulty && !e->loads_after[w]
               && !(out->fault_valid && out->fault.warp == w);
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        const page_row_t *r = &e->block.row[k];
        if (r->valid && r->warp == w && r->kind != MEMOP_STORE)
            return false;
        some |= r->valid && r->warp == w;
    }
    return some;
}

static void start_warp(bench_t *b, env_t *e, lsu_in_t *in, unsigned w, bool alive)
{
    in->start_valid = true;
    in->start.warp = (uint8_t)w;
    uint32_t room = WARP_SPAD - (uint32_t)e->kernel.spad_bytes;
    e->base[w] = (e->spad_shift + w * WARP_SPAD + 8 * vl_below(&b->rng, room / 8 + 1)) % SPAD_BYTES;
    in->start.spad_base = e->base[w] + (vl_below(&b->rng, 2) ? SPAD_BYTES : 0);
    e->alive[w] = alive;
    e->loads_after[w] = false;
    e->started[w] = true;
    e->handed = alive ? WARPS : w;
    e->handed_at = b->cycle;
}

/* Credits, starts, beats. */
static void feed(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    unsigned inside = e->building ? e->beat : 0; /* beats that must be there */
    for (unsigned i = 0; i < WARPS; i++)
        for (unsigned k = 0; k < e->queued[i]; k++) {
            const insn_t *n = &e->insn[e->queue[i][k]];
            inside += e->phase.killing || n->fence || n->faulty || nearly_sent(e, n)
                              || (e->building && n->pc == e->op.pc && n->warp == e->op.warp)
                          ? 0
                          : BEATS;
        }
    BENCH_CHECK(b, !out->credit || (e->held > inside || (inside == 0 && e->held)), "a credit too many");
    e->held -= out->credit && e->held;
    if (!e->held && !e->building) {
        e->pause = false;
        for (unsigned p = 0; p < PAGES; p++)
            e->page[p].ghost[0] = e->page[p].ghost[1] = false;
    }
    unsigned w = vl_below(&b->rng, WARPS), dead = 0;
    if (e->block.front < LSU_ROWS && e->block.row[e->block.front].bad && vl_below(&b->rng, 2)) /* faults at this edge */
        w = e->block.row[e->block.front].warp;
    for (unsigned i = 0; i < WARPS; i++)
        dead += e->started[i] && !e->alive[i];
    e->pause |= dead && (dead * 2 >= WARPS || vl_below(&b->rng, 256) == 0);
    bool again = e->started[w] && !e->alive[w] && !e->held && !e->building, fresh = !e->started[w];
    const bool ends = !e->outstanding[w] && b->cycle >= e->last_beat[w] + 2 && !(e->building && e->op.warp == w);
    const bool handover = ends && e->alive[w] && only_stores(e, w) && vl_chance(&b->rng, 32);
    const bool doom = ends && e->started[w] && !e->alive[w] && doomed(b, e, out, w) && vl_chance(&b->rng, 64);
    if ((again || fresh || handover || doom) && !e->phase.drain) {
        BENCH_COVER(b, COV_RESTART, again);
        BENCH_COVER(b, COV_HANDOVER, handover);
        BENCH_COVER(b, COV_DOOM_BEFORE, doom && !e->block.dead[w]);
        BENCH_COVER(b, COV_DOOM_AFTER, doom && e->block.dead[w]);
        start_warp(b, e, in, w, !doom);
    } else if (!e->building && !e->phase.drain && !e->pause && vl_chance(&b->rng, e->issue)
               && e->held + BEATS <= IN_DEPTH) {
        begin(b, e);
    }
    if (e->building && vl_chance(&b->rng, e->issue | 128)) {
        in->ops_valid = true;
        beat(e, &in->ops);
        e->last_beat[e->op.warp] = b->cycle;
        e->held++;
    }
    BENCH_COVER(b, COV_FULL, e->held == IN_DEPTH);
}

/* Responses: lines in any order, the scratchpad in order. */
static void respond(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in, bool held)
{
    phase_t *p = &e->phase;
    const bool most = p->limit && e->lines == LSU_ENTRIES * THREADS;
    e->inv_wanted |= most && p->limit == LOADS && !e->inv_pending; /* waits for all of them */
    p->full |= most && vl_chance(&b->rng, 16);
    BENCH_COVER(b, COV_LOADS, p->full && p->limit == LOADS);
    BENCH_COVER(b, COV_ATOMICS, p->full && p->limit == ATOMICS);
    const bool fills = (p->limit == LOADS || p->limit == ATOMICS) && !p->full && !p->drain;
    if (!e->line_shown && e->lines && !fills) {
        unsigned i = vl_below(&b->rng, e->lines);
        if (e->line[i].due <= b->cycle && !(held && e->line[i].atomic && e->scene.kind == ATOMIC_FENCE)) {
            e->line_rsp = e->line[i].rsp;
            e->line_atomic = e->line[i].atomic;
            e->line[i] = e->line[--e->lines];
            e->line_shown = true;
        }
    }
    in->l1d_rsp_valid = e->line_shown;
    in->l1d_rsp = e->line_rsp;
    if (!e->word_shown && e->words && e->word[0].due <= b->cycle) {
        e->word_rsp = e->word[0].rsp;
        memmove(e->word, e->word + 1, --e->words * sizeof *e->word);
        e->word_shown = true;
    }
    in->spad_rsp_valid = e->word_shown;
    in->spad_rsp = e->word_rsp;
    bool line = e->line_shown && out->l1d_rsp_ready, word = e->word_shown && out->spad_rsp_ready;
    if (line) {
        uint64_t t = e->line_rsp.tag.tmask, first = (uint64_t)ALL_LANES << __builtin_ctzll(t) / LANES * LANES;
        unsigned beats = 0;
        for (unsigned k = 0; k < BEATS; k++)
            beats += beat_of(t, k) != 0;
        BENCH_COVER(b, COV_RSP_ONE, !(t & ~first));
        BENCH_COVER(b, COV_RSP_ALL, beats == BEATS);
        BENCH_COVER(b, COV_EARLY,
                    out->l1d_req_valid && out->l1d_req.op == L1D_LOAD
                        && out->l1d_req.tag.entry == e->line_rsp.tag.entry);
        e->line_shown = false;
        e->atomics -= e->line_atomic;
    }
    if (word)
        e->word_shown = false;
    BENCH_COVER(b, COV_BOTH, line && word);
    in->l1d_ack = false;
    if (e->acks && !e->hold_acks && !held && vl_chance(&b->rng, 200)) {
        unsigned i = vl_below(&b->rng, e->acks);
        if (e->ack[i].due <= b->cycle) {
            in->l1d_ack = true;
            e->stores[e->ack[i].warp]--;
            e->ack[i] = e->ack[--e->acks];
        }
    }
}

static void cover_outputs(bench_t *b, env_t *e, const lsu_out_t *out, const lsu_in_t *in)
{
    BENCH_COVER(b, COV_IDLE, out->idle);
    BENCH_COVER(b, COV_ENTRIES, out->ev.lsu_stall_entry);
    BENCH_COVER(b, COV_L1D_STALL, out->ev.lsu_stall_l1d);
    BENCH_COVER(b, COV_SPAD_STALL, out->ev.lsu_stall_spad);
    BENCH_COVER(b, COV_RES_STALL, out->lsu_res_valid && !in->lsu_res_ready);
    BENCH_COVER(b, COV_PAGES_1, out->ev.page_div_1);
    BENCH_COVER(b, COV_PAGES_2, out->ev.page_div_2_3);
    BENCH_COVER(b, COV_PAGES_4, out->ev.page_div_4_7);
    BENCH_COVER(b, COV_PAGES_8, out->ev.page_div_8_15);
    BENCH_COVER(b, COV_PAGES_16, out->ev.page_div_16_up);
    BENCH_COVER(b, COV_V_PORTS, out->ev.lsu_stall_port);
    BENCH_COVER(b, COV_V_STALL_LOOK, out->ev.lsu_stall_look);
    BENCH_COVER(b, COV_V_STALL_WALK, out->ev.lsu_stall_walk);
    BENCH_COVER(b, COV_V_BLOCKED, out->ev.lsu_stall_blocked);
    BENCH_COVER(b, COV_V_PF_STALL, out->pf_valid && !in->pf_ready);
    BENCH_COVER(b, COV_V_ROWS, out->ev.lsu_waiting == LSU_ROWS);
    unsigned parked = 0;
    for (unsigned i = 0; i < INSNS && out->ev.lsu_stall_entry; i++)
        parked += e->insn[i].busy && e->insn[i].left && e->insn[i].unsent && e->insn[i].tbeat;
    BENCH_COVER(b, COV_V_ENTRIES, parked == LSU_ENTRIES);
    BENCH_CHECK(b, out->idle <= !e->acks, "idle, but stores are not performed");
}

static void translate(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    in->walk_valid = e->asked;
    if (e->asked)
        in->walk = (uint8_t)e->asked_walk;
    in->walked_valid = false;
    if (e->phase.sv48)
        walked(b, e, in);
    look(b, e, out, in);
    miss(b, e, out, in);
    if (e->phase.sv48 && !e->phase.drain && e->phase.limit != ANSWERS)
        foreign_walk(b, e);
    in->pf_ready = vl_chance(&b->rng, e->pf_ready);
    if (out->pf_valid && !e->pf_shown)
        page_fault(b, e, &out->pf);
    e->pf_shown = out->pf_valid && !in->pf_ready;
    if (out->pf_valid && in->pf_ready)
        hear_fault(b, e, out->pf.warp);
    answer_faults(b, e, in);
    if (e->phase.sv48 && vl_chance(&b->rng, e->evict))
        disturb(b, e);
    shoot_down(b, e, out, in);
}

/* Loads by whether their threads have waited for walks, from the page's state. */
static void cover_walked(bench_t *b, const env_t *e, const l1d_req_t *q)
{
    const page_row_t *r = &e->block.row[e->block.front % LSU_ROWS];
    const bool load = q->op == L1D_LOAD && !q->early && e->root.sv48 && !b->no_page;
    const uint64_t some = q->tag.tmask & r->walked; /* of one sector, so of one page: all or none */
    BENCH_COVER(b, COV_W_ALL, (load && some) || LOCALITY_ENTRIES == 0);
    BENCH_COVER(b, COV_W_NONE, (load && !some && r->walked) || LOCALITY_ENTRIES == 0);
}

static bool homes_rest(const void *env, unsigned w)
{
    const env_t *e = env;
    return !e->queued[w] && !e->outstanding[w] && !(e->rows >> w & 1) && e->now >= e->last_beat[w] + 4
           && !(e->building && e->op.warp == w);
}

static void drive(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    e->now = b->cycle;
    e->rows = out->rows;
    homes_move(&b->rng, &e->homes, homes_rest, e);
    if (out->inv_done)
        shot_down(b, e);
    invalidated(b, e);
    check_unsent(b, e, out);
    if (!b->no_page)
        page_check(b, &e->block, out);
    go_on_with_phase(b, e, out);
    if (b->cycle % 128 == 0)
        style(b, e);
    lsu_in_random(&b->rng, in);
    in->kernel.mem_base = e->kernel.mem_base;
    in->kernel.mem_limit = e->kernel.mem_limit;
    in->kernel.spad_bytes = e->kernel.spad_bytes;
    in->kernel.stack_base = e->kernel.stack_base;
    in->kernel.stack_log2 = e->kernel.stack_log2;
    HOMES_SHOW(&e->homes, in);
    in->core = e->core;
    in->root = e->root;
    in->mode = e->phase.mode;
    in->halt = e->phase.killing;
    in->ops.pipe = vl_below(&b->rng, PIPE_LSU);
    in->start_valid = false;
    if (b->cycle >= e->scene.end)
        e->scene.kind = NO_SCENE;
    const bool held = e->scene.kind && e->scene.step != WRITE; /* responses to the scene's writer wait */
    feed(b, e, out, in);

    in->l1d_req_ready = vl_chance(&b->rng, e->l1d_ready);
    in->spad_req_ready = vl_chance(&b->rng, e->spad_ready);
    in->lsu_res_ready = vl_chance(&b->rng, e->res_ready);
    if (out->sent_valid && !b->failed)
        told(b, e, &out->sent);
    found(b, e, in, e->looked);
    if (!b->failed)
        answer_early(b, e, out, in);
    if (out->l1d_req_valid && in->l1d_req_ready && !b->failed) {
        if (out->l1d_req.early)
            serve_early(b, e, out);
        else
            serve_line(b, e, &out->l1d_req);
        cover_walked(b, e, &out->l1d_req);
    }
    BENCH_COVER(b, COV_E_STORE,
                out->trace_valid && out->look_valid && out->l1d_req_valid && out->l1d_req.op == L1D_STORE
                    && out->l1d_req.warp != out->trace.warp);
    if (out->spad_req_valid && in->spad_req_ready && !b->failed)
        serve_word(b, e, &out->spad_req);
    if (out->trace_valid && !b->failed)
        traced(b, e, &out->trace);
    respond(b, e, out, in, held);
    if (out->lsu_res_valid && in->lsu_res_ready && !b->failed)
        result(b, e, &out->lsu_res);
    BENCH_COVER(b, COV_DOOM_NOW, out->fault_valid && out->fault.warp == e->handed && e->handed_at + 1 == b->cycle);
    if (out->fault_valid && !b->failed)
        faulted(b, e, &out->fault);
    translate(b, e, out, in);
    cover_waits(b, e, out);
    cover_outputs(b, e, out, in);
    if (!b->no_page)
        page_expect(&e->block, in);
}

BENCH_MAIN(lsu, env_t, start, drive, cover, COV_N)
