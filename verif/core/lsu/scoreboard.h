/* Checks of the requests, results and faults of lsu by the page's promises: every thread is sent once, at a translation that is valid, a
 * warp's instructions one after another, and no response comes without a request. */
#ifndef LSU_BENCH_SCOREBOARD_H
#define LSU_BENCH_SCOREBOARD_H
#include "verif/core/lsu/env.h"
#include "verif/core/lsu/host.h"
#include "verif/core/lsu/program.h"

/* ---- a warp's instructions ---- */

/* Is its rest one request of a store or atomic, that may wait for the L1D? */
static bool one_request(const env_t *e, const insn_t *n)
{
    uint64_t sector = place(e, n->addr[lowest(n->unsent)]) / SECTOR_BYTES;
    for EACH(t, n->unsent)
        if (place(e, n->addr[t]) / SECTOR_BYTES != sector)
            return false;
    return n->kind == MEMOP_STORE || (n->kind == MEMOP_ATOMIC && !(n->unsent & (n->unsent - 1)));
}

/* Is an instruction sent, except at most one request of a store or atomic that waits for the L1D while the next one has begun? */
static bool nearly_sent(const env_t *e, const insn_t *n)
{
    if (n->fence || n->faulty || n->words || n->tbeat < BEATS || (n->aq && !n->post))
        return false;
    return !n->unsent || one_request(e, n);
}

/* Instructions at the head of the queue that are sent to the end leave it. */
static void leave(env_t *e, unsigned w)
{
    while (e->queued[w]) {
        insn_t *n = &e->insn[e->queue[w][0]];
        if (n->unsent || !nearly_sent(e, n))
            return;
        memmove(e->queue[w], e->queue[w] + 1, --e->queued[w]);
        if (n->kind == MEMOP_STORE || !n->left)
            n->busy = false;
    }
}

typedef bool want_t(const insn_t *n, uint64_t what);

static bool awaits_trace(const insn_t *n, uint64_t beat)
{
    (void)beat;
    return !n->fence && !n->faulty && n->tbeat < BEATS;
}

static bool awaits_words(const insn_t *n, uint64_t beat)
{
    return !n->fence && !n->faulty && n->words >> beat * LANES & ALL_LANES;
}

static bool awaits_fault(const insn_t *n, uint64_t what)
{
    (void)what;
    return n->faulty;
}

static bool has_pc(const insn_t *n, uint64_t pc)
{
    return n->pc == pc;
}

static bool awaits_result(const insn_t *n, uint64_t seq)
{
    return n->fence && n->seq == seq;
}

static bool awaits_inval(const insn_t *n, uint64_t what)
{
    (void)what;
    return !n->unsent && (n->kind == MEMOP_FENCE ? !n->post : n->aq && n->tbeat == BEATS && !n->words && !n->post);
}

/* The warp's next instruction that `is` accepts; NULL if an older one is in the way. */
static insn_t *turn(env_t *e, unsigned w, want_t *is, uint64_t what)
{
    for (unsigned i = 0; i < e->queued[w]; i++) {
        insn_t *n = &e->insn[e->queue[w][i]];
        if (is(n, what))
            return n;
        if (!nearly_sent(e, n))
            return NULL;
    }
    return NULL;
}

/* ---- requests ---- */

/* A page may be used for this instruction: it was translated after it came, and after the last invalidation that is done. */
static bool granted(const env_t *e, const insn_t *n, uint64_t t)
{
    const page_t *p = &e->page[place(e, n->addr[t]) >> 12];
    uint64_t at = p->granted[n->write];
    return at > n->issued && at > e->inv_limit;
}

static void begun(bench_t *b, const insn_t *n)
{
    BENCH_CHECK(b, !n->rl || n->pre, "release: sent before what was before is performed");
}

/* Threads of an instruction that go to the L1D in this cycle. */
static void sent(bench_t *b, env_t *e, insn_t *n, uint64_t threads, uint64_t offset)
{
    const unsigned unit = n->kind == MEMOP_ATOMIC ? LINE_BYTES : SECTOR_BYTES;
    begun(b, n);
    BENCH_CHECK(b, threads && !(threads & ~n->unsent), "threads %" PRIx64 " sent, but %" PRIx64 " were to be sent",
                threads, n->unsent);
    for EACH(t, threads & n->unsent)
        BENCH_CHECK(b, place(e, n->addr[t]) / unit == offset / unit, "a thread is sent to another sector");
    BENCH_CHECK(b, n->kind != MEMOP_LOAD || !e->inv_pending, "a load is sent while an invalidation waits");
    if (b->failed)
        return;
    if (e->phase.sv48) {
        BENCH_CHECK(b, !n->reported || (n->kind != MEMOP_LOAD && !(threads & e->faulted[n->warp].threads)),
                    "sent while it waits for the host");
        for EACH(t, e->phase.mode == TLB_OVERLAP || n->first ? threads : n->unsent)
            BENCH_CHECK(b, granted(e, n, t), "thread %u is sent, but %s not translated", lowest(threads),
                        threads >> t & 1 ? "it is" : "others are");
        bool all = true;
        for EACH(t, n->unsent)
            all &= granted(e, n, t);
        BENCH_COVER(b, COV_V_OVER_SENT, !all && e->phase.mode == TLB_OVERLAP);
        const page_t *p = page_of(e, n->addr[lowest(threads)]);
        BENCH_COVER(b, COV_V_GONE_ON, n->first && p->granted[n->write] > n->first);
        BENCH_COVER(b, COV_V_MOVED,
                    p->change == CALM && p->old.mapped && p->now.mapped && p->old.frame != p->now.frame);
    }
    BENCH_CHECK(b, n->kind != MEMOP_STORE || !(threads & ~n->told),
                "a store's threads go to the L1D, and `sent` has not said so");
    n->unsent &= ~threads;
    if (!n->first)
        n->first = b->cycle;
}

/* Bytes of a store: those of all threads of the sector that are to be sent, the highest thread's where they meet. */
static uint64_t store_threads(bench_t *b, const env_t *e, const insn_t *n, const l1d_req_t *r, uint64_t offset)
{
    uint8_t data[SECTOR_BYTES] = {0}, be[SECTOR_BYTES / 8] = {0};
    uint64_t threads = 0;
    for EACH(t, n->unsent) {
        if (place(e, n->addr[t]) / SECTOR_BYTES != offset / SECTOR_BYTES)
            continue;
        unsigned o = n->addr[t] % SECTOR_BYTES;
        memcpy(data + o, &n->rs2[t], n->size);
        be[o / 8] |= (uint8_t)((BIT(n->size) - 1) << o % 8);
        threads |= BIT(t);
    }
    BENCH_CHECK(b, !memcmp(be, &r->be, sizeof be), "bytes of a store");
    BENCH_CHECK(b, !memcmp(data, &r->data, sizeof data), "data of a store");
    return threads;
}

/* Offset in the list of pages of the line that is asked for. */
static uint64_t place_of_line(const env_t *e, uint64_t line)
{
    if (!e->phase.sv48)
        return line * LINE_BYTES - e->phase.window;
    unsigned p = page_in_frame(e, line / PAGE_LINES);
    return p == NO_PAGE ? BYTES : (uint64_t)p * 4096 + line % PAGE_LINES * LINE_BYTES;
}

/* A load that goes with its look-up: by the bits within the page, and when nothing else of it is left to be translated. */
static void serve_early(bench_t *b, env_t *e, const lsu_out_t *out)
{
    const l1d_req_t *r = &out->l1d_req;
    const insn_t *n = e->queued[r->warp] ? &e->insn[e->queue[r->warp][0]] : NULL;
    BENCH_CHECK(b, e->phase.sv48 && r->op == L1D_LOAD && r->line < 4096 / LINE_BYTES,
                "an early request that is no load, or has a frame");
    BENCH_CHECK(b, n && n->kind == MEMOP_LOAD && !n->faulty && r->tag.tmask == n->threads && n->unsent == n->threads,
                "an early request that is not a whole load's");
    BENCH_CHECK(b,
                out->look_valid == 1
                    && (!n || out->look[0].vpn == vpn_of(e, (unsigned)(place(e, n->addr[lowest(n->threads)]) >> 12))),
                "an early request without its look-up");
    BENCH_COVER(b, COV_E_ROW, e->early_at + BEATS == b->cycle);
    e->early = true;
    e->early_req = *r;
    e->early_at = b->cycle;
}

static void serve_line(bench_t *b, env_t *e, const l1d_req_t *r)
{
    if (r->op == L1D_INVAL) {
        BENCH_CHECK(b, !e->acks && !e->atomics,
                    "an L1D invalidation while %u stores and %u atomics of the core are not performed", e->acks,
                    e->atomics);
        e->inval_taken = true;
        e->inval_warp = r->warp;
        e->inval_loads = e->lines + e->line_shown;
        return;
    }
    const uint64_t off = place_of_line(e, r->line) + r->sector * SECTOR_BYTES;
    BENCH_CHECK(b, off < BYTES, "line %" PRIx64 " is not, or not any more, that of a page", (uint64_t)r->line);
    BENCH_CHECK(b, e->lines < FLIGHTS - 1 && e->acks < FLIGHTS - 1, "too many requests");
    insn_t *n = e->queued[r->warp] ? &e->insn[e->queue[r->warp][0]] : NULL;
    static const uint8_t kinds[] = {[L1D_LOAD] = MEMOP_LOAD, [L1D_STORE] = MEMOP_STORE, [L1D_AMO] = MEMOP_ATOMIC};
    BENCH_CHECK(b, n && n->kind == kinds[r->op], "a request of another kind than warp %u's instruction",
                (unsigned)r->warp);
    if (b->failed)
        return;
    unsigned char *p = e->real.mem + off;
    if (r->op == L1D_STORE) {
        sent(b, e, n, store_threads(b, e, n, r, off), off);
        for (unsigned i = 0; i < SECTOR_BYTES; i++)
            if (((const uint8_t *)&r->be)[i / 8] >> i % 8 & 1)
                p[i] = ((const uint8_t *)&r->data)[i];
        e->ack[e->acks++] = (ack_flight_t){b->cycle + 1 + vl_below(&b->rng, e->latency), r->warp};
        e->stores[r->warp]++;
        BENCH_COVER(b, COV_LIMIT, e->acks >= 254);
        BENCH_COVER(b, COV_LIMIT_WARPS, e->acks >= 254 && e->stores[r->warp] < e->acks);
        BENCH_CHECK(b, e->acks < 256, "more stores than the LSU may have unacknowledged");
        leave(e, r->warp);
        return;
    }
    sent(b, e, n, r->tag.tmask, off);
    BENCH_COVER(b, COV_E_AGAIN, n->dropped);
    line_flight_t *f = &e->line[e->lines++];
    f->due = b->cycle + 1 + vl_below(&b->rng, e->latency);
    f->rsp.tag = r->tag;
    f->atomic = r->op == L1D_AMO;
    e->atomics += f->atomic;
    if (r->op == L1D_LOAD) {
        memcpy(&f->rsp.data, p, SECTOR_BYTES);
    } else {
        uint64_t now, m = datum_get(p + r->amo_off, r->amo_dword ? 8 : 4), word = datum_get(p + (r->amo_off & ~7u), 8);
        unsigned size = r->amo_dword ? 8 : 4, t = lowest(r->tag.tmask);
        BENCH_CHECK(b, size == n->size && r->amo_off == n->addr[t] % LINE_BYTES && r->amo == memop_amo(n->op),
                    "an atomic of another size, place or kind");
        BENCH_CHECK(b, !(r->tag.tmask & (r->tag.tmask - 1)), "an atomic of several threads");
        bool write = atomic(r->amo, size, m, r->data.w[0], r->data.w[1], &now);
        if (write)
            memcpy(p + r->amo_off, &now, size);
        if (r->amo == AMO_SC)
            word = write ? 0 : 0x100000001ull;
        else if (size == 4)
            word = m << 32 | m;
        memset(&f->rsp.data, 0, sizeof f->rsp.data);
        f->rsp.data.w[0] = word;
        BENCH_CHECK(b,
                    r->hart == (((e->core * WARPS + e->homes.home[r->warp][t]) * THREADS + t) & ((1u << HART_W) - 1)),
                    "hart of an atomic");
    }
    leave(e, r->warp);
}

/* The frame of the last cycle's early request, as the L1D takes it. */
static void answer_early(bench_t *b, env_t *e, const lsu_out_t *out, const lsu_in_t *in)
{
    const bool early = e->early, shot = e->inv_pending && e->inv_at + 1 == b->cycle;
    e->early = false;
    BENCH_CHECK(b, out->early == (early && in->found_valid && !shot), "an early request's look-up stands, or does not");
    if (!early || b->failed)
        return;
    insn_t *n = &e->insn[e->queue[e->early_req.warp][0]];
    BENCH_COVER(b, COV_E_PART, !in->found_valid);
    BENCH_COVER(b, COV_E_INV_TAKEN, in->found_valid && shot);
    BENCH_COVER(b, COV_E_HIT, out->early && in->found[0].hit);
    BENCH_COVER(b, COV_E_MISS, out->early && !in->found[0].hit);
    if (!out->early || !in->found[0].hit) {
        n->dropped = true;
        return;
    }
    e->early_req.early = false;
    e->early_req.line |= in->found[0].ppn * PAGE_LINES;
    serve_line(b, e, &e->early_req);
}

/* An L1D invalidation of the last cycle: of a shootdown (shot_down has taken it), or of a fence, aq or rl of its warp. */
static void invalidated(bench_t *b, env_t *e)
{
    if (!e->inval_taken)
        return;
    e->inval_taken = false;
    unsigned w = e->inval_warp;
    insn_t *n = e->queued[w] ? &e->insn[e->queue[w][0]] : NULL;
    bool before = n && n->rl && !n->tbeat && !n->first;
    BENCH_CHECK(b, before || (n && awaits_inval(n, 0)), "an L1D invalidation that nobody asked for");
    if (b->failed)
        return;
    *(before ? &n->pre : &n->post) = true;
    leave(e, w);
}

static void serve_word(bench_t *b, env_t *e, const spad_req_t *r)
{
    const unsigned harts = WARPS * THREADS,
                   of = ((r->hart0 - e->core * harts) & ((1u << HART_W) - 1)) / THREADS % WARPS;
    unsigned w = COMPACTS ? 0 : of;
    while (COMPACTS && w < WARPS - 1
           && e->homes.home[w][r->beat * LANES + lowest(r->mask)] != r->home[lowest(r->mask) % HOME_LANES])
        w++; /* the warp in which that home's thread runs */
    insn_t *n = turn(e, w, awaits_words, r->beat);
    uint64_t data[LANES] = {0}, left = r->mask, due = b->cycle + 1 + vl_below(&b->rng, e->latency / 4 + 1);
    BENCH_CHECK(b, n && r->op == n->op, "a scratchpad request that nobody waits for");
    BENCH_CHECK(
        b, r->hart0 == (((e->core * WARPS + (COMPACTS ? 0 : w)) * THREADS + r->beat * LANES) & ((1u << HART_W) - 1)),
        "hart of a scratchpad request");
    for EACH(l, COMPACTS ? r->mask : 0)
        BENCH_CHECK(b, r->home[l % HOME_LANES] == e->homes.home[w][r->beat * LANES + l],
                    "home of a scratchpad request");
    if (b->failed)
        return;
    begun(b, n);
    BENCH_CHECK(b, r->mask == (n->words >> r->beat * LANES & ALL_LANES), "threads of a scratchpad request");
    for EACH(l, r->mask) {
        const unsigned t = r->beat * LANES + (unsigned)l;
        BENCH_CHECK(b, r->addr[l] == (n->base + n->addr[t]) % SPAD_BYTES, "address of a scratchpad request");
        data[l] = perform(r->op, r->addr[l], e->real.spad + r->addr[l], r->data[l], r->cmp[l]);
    }
    n->words &= ~((uint64_t)r->mask << r->beat * LANES);
    while (memop_kind(r->op) != MEMOP_STORE && left) {
        uint64_t part = vl_below(&b->rng, 2) ? left : left & vl_random(&b->rng);
        if (memop_kind(r->op) == MEMOP_ATOMIC)
            part = left & -left;
        if (!part)
            continue;
        BENCH_CHECK(b, e->words < FLIGHTS - 1, "too many scratchpad answers");
        word_flight_t *f = &e->word[e->words++];
        f->due = due;
        f->rsp = (spad_rsp_t){.entry = r->entry, .beat = r->beat, .mask = part};
        unsigned turn = vl_below(&b->rng, LANES); /* any bank will do */
        for (unsigned l = 0; l < LANES; l++) {
            f->rsp.bank[l] = (l + turn) % LANES;
            memcpy((uint8_t *)&f->rsp.data + 8 * ((l + turn) % LANES), &data[l], 8);
        }
        left &= ~part;
    }
    leave(e, w);
}

static uint64_t beat_of(uint64_t threads, unsigned beat)
{
    return threads >> beat * LANES & ALL_LANES;
}

static void traced(bench_t *b, env_t *e, const memtrace_t *m)
{
    insn_t *n = turn(e, m->warp, awaits_trace, 0);
    BENCH_CHECK(b, n && n->seq == m->seq, "a trace of an instruction whose turn it is not");
    if (b->failed)
        return;
    begun(b, n);
    while (n->tbeat < BEATS && !beat_of(n->threads, n->tbeat))
        n->tbeat++;
    BENCH_CHECK(b, m->beat == n->tbeat && m->mask == beat_of(n->threads, n->tbeat), "beat or mask of a trace");
    for EACH(l, m->mask)
        BENCH_CHECK(b, m->addr[l] == n->addr[m->beat * LANES + l] && m->data[l] == n->rs2[m->beat * LANES + l],
                    "address or data of a trace");
    n->tbeat = m->beat + 1;
    while (n->tbeat < BEATS && !beat_of(n->threads, n->tbeat))
        n->tbeat++;
    leave(e, m->warp);
}

static insn_t *with_seq(env_t *e, unsigned warp, unsigned seq)
{
    for (unsigned i = 0; i < INSNS; i++)
        if (e->insn[i].busy && !e->insn[i].faulty && e->insn[i].warp == warp && e->insn[i].seq == seq)
            return &e->insn[i];
    return NULL;
}

/* What `sent` says: each thread once, and the line where it goes. */
static void tell(bench_t *b, env_t *e, unsigned warp, unsigned seq, uint64_t threads, uint64_t line)
{
    insn_t *n = with_seq(e, warp, seq);
    const uint64_t off = place_of_line(e, line);
    BENCH_CHECK(b, n && threads && !(threads & (n->told | ~n->threads)), "`sent` tells of threads of nobody, or twice");
    if (b->failed)
        return;
    for EACH(t, threads)
        BENCH_CHECK(b, place(e, n->addr[t]) / LINE_BYTES == off / LINE_BYTES, "`sent` tells of another line");
    n->told |= threads;
}

static void told(bench_t *b, env_t *e, const sent_t *m)
{
    tell(b, e, m->warp, m->seq, m->threads, m->line);
    BENCH_COVER(b, COV_E_BESIDE, m->with_threads);
    if (m->with_threads && !b->failed)
        tell(b, e, m->with_warp, m->with_seq, m->with_threads, m->with_line);
}

/* ---- rows that barrier waits for ---- */

/* Warps with a complete row that has unsent threads, beyond one last request of a store or atomic, which may wait at the L1D. A beat is in its row
 * two cycles after it was given; rows that fault or are killed leave when the LSU visits them. */
static void check_unsent(bench_t *b, const env_t *e, const lsu_out_t *out)
{
    for (unsigned w = 0; w < WARPS; w++) {
        bool must = false, may = e->building && e->op.warp == w;
        const bool settled = !may && e->last_beat[w] + 3 <= b->cycle;
        for (unsigned i = 0; i < INSNS; i++) {
            const insn_t *n = &e->insn[i];
            if (!n->busy || n->warp != w || n->fence)
                continue;
            must |= !n->faulty && n->unsent && !one_request(e, n);
            may |= n->faulty || n->unsent;
        }
        if (e->killed || e->phase.killing || !e->alive[w] || !settled)
            continue;
        BENCH_CHECK(b, !must || out->unsent >> w & 1,
                    "warp %u has threads that were not sent, and `unsent` does not say so", w);
        BENCH_CHECK(b, may || !(out->unsent >> w & 1),
                    "all threads of warp %u were sent, and `unsent` says others are there", w);
    }
}

/* ---- results and faults ---- */

static void fence_done(bench_t *b, env_t *e, const result_t *r)
{
    insn_t *n = turn(e, r->warp, awaits_result, r->seq);
    BENCH_CHECK(b, n && r->last && !r->mask && !r->rd && !r->beat, "a result of a fence whose turn it is not");
    BENCH_CHECK(b, !n || n->kind == MEMOP_WG || n->post, "a fence is done without an L1D invalidation");
    if (b->failed)
        return;
    unsigned at = 0;
    while (&e->insn[e->queue[r->warp][at]] != n)
        at++;
    memmove(e->queue[r->warp] + at, e->queue[r->warp] + at + 1, --e->queued[r->warp] - at);
    n->busy = false;
    e->outstanding[r->warp]--;
    e->blocked[r->warp] = false;
    leave(e, r->warp);
}

static void result(bench_t *b, env_t *e, const result_t *r)
{
    insn_t *n = with_seq(e, r->warp, r->seq);
    BENCH_CHECK(b, n && n->kind != MEMOP_STORE, "a result of warp %u seq %u that nobody waits for", r->warp, r->seq);
    if (b->failed)
        return;
    if (n->fence) {
        fence_done(b, e, r);
        return;
    }
    uint64_t threads = (uint64_t)r->mask << r->beat * LANES;
    BENCH_CHECK(b, r->mask && !(threads & ~n->left) && r->rd == n->rd, "a result for the wrong threads or register");
    BENCH_CHECK(b, !(threads & (n->unsent | n->words)), "a result of threads that were not sent");
    for EACH(t, threads & ~n->told)
        BENCH_CHECK(b, in_spad(n->addr[t]), "a result of a thread, but `sent` has not told of it");
    for EACH(l, r->mask)
        BENCH_CHECK(b, r->data[l] == n->want[r->beat * LANES + l],
                    "op %u warp %u thread %u: %016" PRIx64 ", not %016" PRIx64, n->op, r->warp,
                    (unsigned)(r->beat * LANES + l), r->data[l], n->want[r->beat * LANES + l]);
    n->left &= ~threads;
    bool given_up = e->phase.killing && !(n->left & ~n->unsent); /* the remaining threads may have been dropped */
    BENCH_CHECK(b, r->last == !n->left || given_up, "last");
    if (n->left)
        return;
    e->outstanding[n->warp]--;
    if (n->serial)
        e->blocked[n->warp] = false;
    bool queued = false;
    for (unsigned i = 0; i < e->queued[n->warp]; i++)
        queued |= &e->insn[e->queue[n->warp][i]] == n;
    n->busy = queued; /* its trace, or the invalidation for aq, may come later */
}

static void faulted(bench_t *b, env_t *e, const fault_t *f)
{
    insn_t *n = turn(e, f->warp, awaits_fault, 0);
    vl_diff_t d;
    BENCH_CHECK(b, n, "a fault that nobody made, or whose turn it is not");
    if (!n)
        return;
    BENCH_CHECK(b, !fault_t_diff(f, &n->fault, &d), "fault %s is %s, not %s", d.field, d.a, d.b);
    unsigned at = 0;
    while (&e->insn[e->queue[f->warp][at]] != n)
        at++;
    memmove(e->queue[f->warp] + at, e->queue[f->warp] + at + 1, --e->queued[f->warp] - at);
    n->busy = false;
    orphan_walks(e, f->warp);
    leave(e, f->warp);
}

/* A record that is new at the port. */
static void page_fault(bench_t *b, env_t *e, const page_fault_t *f)
{
    if (e->phase.killing) /* of one that may be given up by now */
        return;
    insn_t *n = turn(e, f->warp, has_pc, f->pc);
    BENCH_CHECK(b, n && !n->reported && f->threads && !(f->threads & ~n->unsent),
                "a page fault of nobody, or of an instruction whose turn it is not");
    if (b->failed)
        return;
    unsigned t = lowest(f->threads);
    uint64_t rest = n->unsent & ~f->threads, sector = rest ? place(e, n->addr[lowest(rest)]) / SECTOR_BYTES : 0;
    BENCH_CHECK(b, !f->fetch && f->store == n->write && f->value == (n->addr[t] & (BIT(PA_W) - 1)),
                "store, fetch or address of a page fault");
    for EACH(u, f->threads) {
        const page_t *p = page_of(e, n->addr[u]);
        /* others may have had their answer on its way */
        const uint64_t since = n->again >> u & 1 ? n->resumed : n->issued;
        BENCH_CHECK(b, p->denied[n->write][0] > since || p->denied[n->write][1] > since,
                    "thread %u faults, but no walk for it did", (unsigned)u);
        BENCH_CHECK(b, u != t || p->denied[n->write][f->access] > since,
                    "page and access fault are taken for one another");
    }
    for EACH(u, rest) /* a store's last line may still be on its way */
        BENCH_CHECK(b,
                    granted(e, n, u)
                        && (e->phase.mode != TLB_OVERLAP
                            || (n->kind >= MEMOP_STORE && place(e, n->addr[u]) / SECTOR_BYTES == sector)),
                    "a page fault before thread %u has its own translation", (unsigned)u);
    n->reported = true;
    BENCH_COVER(b, COV_E_FAULT, n->dropped);
    e->faulted[n->warp].threads = f->threads;
    BENCH_COVER(b, COV_V_SOME, f->threads != n->threads);
    BENCH_COVER(b, COV_V_PF_LOAD, n->kind == MEMOP_LOAD);
    BENCH_COVER(b, COV_V_PF_STORE, n->kind == MEMOP_STORE);
    BENCH_COVER(b, COV_V_PF_AMO, n->kind == MEMOP_ATOMIC && n->write);
    BENCH_COVER(b, COV_V_PF_LR, n->kind == MEMOP_ATOMIC && !n->write);
}
#endif
