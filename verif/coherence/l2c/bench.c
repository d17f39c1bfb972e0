/* Bench of l2c. Besides the twin it is held against a scoreboard without a cache (scoreboard.h), between sources at random and a home that grants and
 * probes at random, with stores by other agents behind it. Coverage (cover.h) is read off the state of the page's program (page.h). */
#define BENCH_SEEDS 4
#define BENCH_CYCLES 100000
#define BENCH_RESTS(B, twin) (l2c_idle(twin) || l2c_waits(twin))
#include "sim_c/coherence/l2c.h"
#include "verif/common/bench.h"
#include "verif/coherence/l2c/cover.h"
#include "verif/coherence/l2c/scoreboard.h"
#include "verif/coherence/l2c/page.h"
#include "verif/cache/l2/stimulus.h"

enum { READS = 2 * L2_MSHRS, PATIENCE = 12000, FLOOD = 2000, FLOOD_PATIENCE = 500 };
/* A read that the home has taken. */
typedef struct {
    uint64_t due;
    unsigned op, id, line;
} flight_t;
typedef struct {
    scoreboard_t scoreboard;
    asks_t asks;
    bool host; /* a slice of the last-level cache */
    flight_t flight[READS];
    bool probing; /* a probe is offered */
    home_probe_t probe;
    unsigned burst; /* probes to come until the home lets responses go again */
    unsigned granted; /* line that was granted last */
    uint64_t answered, acknowledged; /* cycle of the last one, or of the last with nothing to wait for */
    uint64_t flooded; /* cycle before a flood, or of the last maintenance in it */
    /* style */
    unsigned valid, ready, dready, aready, latency, mix, again, span, base, hold, shape, harts, quiet, last, probes,
        target, kinds, grants, others;
    bool walk; /* each line once, one after the other */
    bool plain; /* one class and one address space: events of neighbours are the same */
    bool pair; /* an SC behind each LR */
    /* an LR, and when it is answered, after a while, something that brings the line back if it was lost, but does not store; then the SC: see apart() */
    bool apart;
    bool forgets; /* the line is lost by INVAL, not by probes */
    net_req_t lr;
    bool withhold; /* no responses while a probe is unacknowledged */
    bool squeeze; /* see squeezed() */
    unsigned step;
    uint64_t squeezed; /* no responses before this cycle */
    /* until this cycle the home probes whenever it can; home and receiver of responses are ready in one cycle of `period` only */
    uint64_t flood;
    unsigned period;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    uint64_t addr[SCOREBOARD_LINES];
    e->host = b->seed % 4 == 3;
    e->asks.slice = some_lines(b, DEVICE_SLICES, PG_SETS, addr);
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++)
        scoreboard_line(&e->scoreboard, k, addr[k], &b->rng);
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 8, 60, 250}, probes[] = {0, 0, 5, 40, 130, 256};
    e->squeeze = L2_WAYS < SCOREBOARD_LINES / 4 && vl_below(&b->rng, 8) == 0;
    e->step = 0;
    const bool quick = e->squeeze || vl_below(&b->rng, 2);
    e->valid = quick || vl_below(&b->rng, 3) ? 256 : 20 + vl_below(&b->rng, 180);
    e->ready = quick || vl_below(&b->rng, 3) ? 256 : 10 + vl_below(&b->rng, 200);
    e->dready = quick || vl_below(&b->rng, 3) ? 256 : 6 + vl_below(&b->rng, 120);
    e->aready = quick || vl_below(&b->rng, 3) ? 256 : 3 + vl_below(&b->rng, 120);
    e->latency = latency[vl_below(&b->rng, quick ? 3 : 4)];
    e->hold = vl_below(&b->rng, quick ? 8 : 4) ? 0 : 2 + vl_below(&b->rng, L2_MSHRS - 1);
    e->mix = vl_below(&b->rng, 6);
    e->again = vl_below(&b->rng, 3) ? 20 : 150;
    e->shape = vl_below(&b->rng, 4);
    e->harts = vl_below(&b->rng, 2) ? 1 : 2;
    e->span = pool_span(&b->rng, 2 * L2_WAYS + 4, 4, SCOREBOARD_LINES);
    e->base = vl_below(&b->rng, SCOREBOARD_LINES);
    e->quiet = vl_below(&b->rng, 4) ? 900 : 60;
    e->walk = vl_below(&b->rng, 8) == 0;
    e->plain = vl_below(&b->rng, 3) == 0;
    e->pair = vl_below(&b->rng, 4) == 0;
    e->apart = !e->squeeze && vl_below(&b->rng, 6) == 0;
    e->withhold = vl_below(&b->rng, 3) == 0;
    e->probes = e->squeeze ? 0 : probes[vl_below(&b->rng, 6)];
    e->target = vl_below(&b->rng, 4);
    e->kinds = vl_below(&b->rng, 4); /* 3: each kind */
    e->grants = e->squeeze ? 2 : vl_below(&b->rng, 5);
    e->others = vl_below(&b->rng, 3) ? 16 : 200;
    if (!e->squeeze && !e->apart && vl_below(&b->rng, 64) == 0) {
        e->flood = b->cycle + FLOOD;
        e->period = 2 + vl_below(&b->rng, 4);
        e->valid = e->dready = e->probes = 256;
        e->hold = e->withhold = 0;
        e->latency = 8;
        e->quiet = FLOOD;
    }
    if (e->apart) {
        e->probes = 60;
        e->target = 1;
        e->kinds = vl_below(&b->rng, 3);
        e->grants = 2 + vl_below(&b->rng, 2);
        e->forgets = vl_below(&b->rng, 4) == 0;
        if (e->forgets)
            e->probes = 0;
    }
}

/* A line in E; then all other ways of its set are asked for, and nothing comes; then an LR of the line, a miss, which takes its place, the line again, and the SC. Sets
 * the line and the request's kind; false: not yet. */
static bool squeezed(bench_t *b, env_t *e, mem_req_t *r)
{
    const unsigned step = e->step, lr = L2_WAYS, again = lr + 2, sc = lr + 3;
    if ((step < 2 || step == again || step == sc) && e->scoreboard.q.inside)
        return false;
    if (step == 0)
        e->target = vl_below(&b->rng, SCOREBOARD_LINES);
    if (step == 1)
        e->squeezed = b->cycle + 80;
    r->op = step == lr || step == sc ? MEM_AMO : MEM_READ;
    r->amo = step == lr ? AMO_LR : AMO_SC;
    e->last = (e->target + (step == again || step == sc ? 0 : step > lr ? lr : step % lr)) % SCOREBOARD_LINES;
    e->step = step == sc ? 0 : step + 1;
    return true;
}

/* See env_t. */
static bool apart(bench_t *b, env_t *e, net_req_t *n)
{
    mem_req_t *r = &n->req;
    if (e->step && (e->scoreboard.q.inside || vl_below(&b->rng, 32)))
        return false;
    switch (e->step++) {
    case 0:
        e->last = (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
        r->op = MEM_AMO;
        r->amo = AMO_LR;
        r->hart = 0;
        r->amo_off = (uint8_t)(vl_below(&b->rng, LINE_BYTES / 8) * 8);
        e->lr = *n;
        break;
    case 1:
        n->src = (e->lr.src + 1) % SOURCES; /* another's */
        r->op = vl_below(&b->rng, 3) ? MEM_AMO : MEM_READ;
        r->amo = vl_below(&b->rng, 2) ? AMO_CAS : AMO_LR;
        break;
    default:
        *n = e->lr;
        r->op = MEM_AMO;
        r->amo = AMO_SC;
        e->step = 0;
    }
    return true;
}

/* The bytes of a store; the operands of an atomic of a given kind. */
static void make_data(bench_t *b, env_t *e, mem_req_t *r)
{
    static const uint64_t corner[] = {0, 1, ~0ull, 0x8000000080000000ull, 0x7fffffff7fffffffull};
    if (r->op == MEM_WRITE || r->op == MEM_STORE) {
        r->be = some_grains(&b->rng, some_bytes(&b->rng, e->shape));
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r->be.w[i / 64] >> i % 64 & 1)
                ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
    } else if (r->op == MEM_AMO) {
        r->amo_off &= r->amo_dword ? ~7 : ~3;
        r->hart &= HARTS - 1;
        r->data.w[0] = vl_below(&b->rng, 3) ? vl_random(&b->rng) : corner[vl_below(&b->rng, 5)];
        /* compare with the present value, which is often still there when the request is performed */
        if (r->amo == AMO_CAS)
            r->data.w[1] =
                scoreboard_datum(&e->scoreboard, r) ^ (uint64_t)(vl_below(&b->rng, 3) == 0) << vl_below(&b->rng, 64);
    } else {
        r->amo = AMO_SWAP;
        r->amo_dword = false;
        r->amo_off = 0;
        r->hart = 0;
    }
}

/* Chooses a request and its line, by style; false: no request now. */
static bool choose(bench_t *b, env_t *e, net_req_t *n)
{
    static const struct {
        uint8_t n_store, store, amo;
    } share[] = {{0, 0, 0},     {90, 20, 20}, {100, 90, 40},
                 {20, 10, 200}, {60, 30, 90}, {240, 10, 3}}; /* in 256, by mix */
    const net_req_t before = e->asks.req;
    mem_req_t *r = &n->req;
    if (e->squeeze)
        return squeezed(b, e, r);
    if (e->apart)
        return apart(b, e, n);
    if (e->pair && before.req.op == MEM_AMO && before.req.amo == AMO_LR && vl_below(&b->rng, 4)) {
        n->src = before.src;
        *r = before.req;
        r->amo = AMO_SC;
        return true;
    }
    if (e->walk)
        e->last = (e->last + 1) % SCOREBOARD_LINES;
    else if (!vl_chance(&b->rng, e->again))
        e->last = (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
    const unsigned p = vl_below(&b->rng, 256), stores = share[e->mix].n_store + share[e->mix].store;
    r->op = p < share[e->mix].n_store        ? MEM_WRITE
            : p < stores                     ? MEM_STORE
            : p < stores + share[e->mix].amo ? MEM_AMO
                                             : MEM_READ;
    r->amo = vl_below(&b->rng, 2) ? AMO_LR + vl_below(&b->rng, 2) : vl_below(&b->rng, 12);
    r->sc_fail = r->op == MEM_AMO && r->amo == AMO_SC && vl_below(&b->rng, 4) == 0;
    return true;
}

static bool make(bench_t *b, env_t *e)
{
    const int slot = requests_room(&e->scoreboard.q, vl_below(&b->rng, SCOREBOARD_INSIDE));
    if (slot < 0)
        return false;
    net_req_t n = {.src = vl_below(&b->rng, SOURCES)};
    mem_req_t *r = &n.req;
    r->amo_dword = vl_below(&b->rng, 2);
    r->amo_off = (uint8_t)(vl_below(&b->rng, 8) ? vl_below(&b->rng, 3) * 4 : vl_below(&b->rng, LINE_BYTES / 4) * 4);
    r->hart = vl_below(&b->rng, e->harts);
    if (!choose(b, e, &n))
        return false;
    n.bypass = vl_below(&b->rng, 2);
    r->line = e->scoreboard.q.addr[e->last];
    r->id = (uint16_t)slot;
    r->cls = e->plain ? 0 : (uint8_t)vl_random_bits(&b->rng, 3);
    r->asid = e->plain ? 0 : (uint16_t)vl_random_bits(&b->rng, ASID_W);
    r->be = (line_be_t){{0}};
    r->data = (line_data_t){{0}};
    make_data(b, e, r);
    e->asks.req = n;
    return true;
}

/* Requests that were not answered long ago and never will be; probes without an acknowledgement. */
static void watch_for_loss(bench_t *b, env_t *e, bool answered, bool acknowledged)
{
    const scoreboard_t *sb = &e->scoreboard;
    if (answered || (!sb->q.inside && !e->asks.maint_busy))
        e->answered = b->cycle;
    if (acknowledged || (!sb->probes && !e->probing))
        e->acknowledged = b->cycle;
    if (b->cycle >= e->flood || b->cycle + FLOOD == e->flood || e->asks.maint_busy)
        e->flooded = b->cycle;
    BENCH_CHECK(b, b->cycle - e->answered < PATIENCE, "%u requests inside, and no answer for %u cycles", sb->q.inside,
                PATIENCE);
    BENCH_CHECK(b, b->cycle - e->answered < FLOOD_PATIENCE || b->cycle - e->flooded < FLOOD_PATIENCE,
                "%u requests inside, and no answer for %u cycles of many probes", sb->q.inside, FLOOD_PATIENCE);
    BENCH_CHECK(b, b->cycle - e->acknowledged < PATIENCE, "%u probes inside, and no acknowledgement for %u cycles",
                sb->probes, PATIENCE);
}

/* The maintenance that must be performed: a slice of the last-level cache ignores a FLUSH. */
static const maint_t *asked(const env_t *e)
{
    return e->asks.maint_busy && !(e->host && e->asks.maint.op < L2_INVAL_LINE) ? &e->asks.maint : NULL;
}

static void maintenance(bench_t *b, env_t *e, const l2c_out_t *out, l2c_in_t *in)
{
    if (out->maint_done) {
        BENCH_CHECK(b, e->asks.maint_busy, "maintenance done that nobody asked for");
        const char *why = asked(e) ? scoreboard_maintained(&e->scoreboard, asked(e)) : NULL;
        e->asks.maint_busy = false;
        BENCH_CHECK(b, !why, "%s", why);
    }
    const bool early = b->cycle == 3 && b->seed % 2, forget = e->apart && e->forgets && e->step == 1;
    in->maint_valid =
        !e->asks.maint_busy && !out->maint_done && (early || vl_below(&b->rng, forget ? 40 : e->quiet) == 0);
    if (!in->maint_valid)
        return;
    static const uint8_t often[] = {L2_FLUSH_LINE, L2_FLUSH_PAGE, L2_INVAL_LINE, L2_INVAL_PAGE, L2_INVAL_LINE};
    const bool all = vl_below(&b->rng, 8) == 0;
    in->maint.op = all ? vl_below(&b->rng, 2) ? L2_FLUSH_ALL : L2_INVAL_ALL : often[vl_below(&b->rng, 5)];
    unsigned recent = vl_below(&b->rng, 2) ? e->last : (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
    in->maint.line = all ? 0 : e->scoreboard.q.addr[recent];
    if (!all && vl_below(&b->rng, 6) == 0)
        in->maint.line ^= vl_below(&b->rng, 4096 / LINE_BYTES); /* may be a line of another slice */
    if (forget)
        in->maint = (maint_t){L2_INVAL_LINE, e->scoreboard.q.addr[e->last]};
    e->asks.maint = in->maint;
    e->asks.maint_busy = true;
}

/* The state that a read is granted: by style any, or mostly one. */
static unsigned grant(bench_t *b, const env_t *e, unsigned op)
{
    static const uint8_t any[] = {NMOESI_N, NMOESI_S, NMOESI_E, NMOESI_M};
    if (op == HOME_READ_OWN)
        return vl_below(&b->rng, 2) ? NMOESI_E : NMOESI_M;
    return any[e->grants < 4 && vl_below(&b->rng, 8) ? e->grants : vl_below(&b->rng, 4)];
}

/* The home hands over a response, if one may go: none of a line of which a probe has no acknowledgement. */
static void respond(bench_t *b, env_t *e, l2c_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (!e->hold || e->asks.flights >= e->hold)
        e->asks.release = true;
    const bool withheld = (e->withhold && (e->probing || sb->probes)) || b->cycle < e->squeezed;
    if (e->asks.flights && !withheld && (e->asks.release || vl_below(&b->rng, 100) == 0)) {
        const unsigned i = vl_below(&b->rng, e->asks.flights);
        const flight_t f = e->flight[i];
        scoreboard_line_t *l = &sb->line[f.line];
        if ((f.due <= b->cycle || e->hold) && !l->probes) {
            in->home_rsp_valid = true;
            in->home_rsp = (home_rsp_t){.id = (uint8_t)f.id, .state = (uint8_t)grant(b, e, f.op)};
            scoreboard_granted(l, f.op, in->home_rsp.state, &in->home_rsp.data);
            e->granted = f.line;
            e->burst = 4 + vl_below(&b->rng, 12);
            e->flight[i] = e->flight[--e->asks.flights];
        }
    }
    if (e->hold && !e->asks.flights)
        e->asks.release = false;
}

static void home(bench_t *b, env_t *e, const l2c_out_t *out, l2c_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    respond(b, e, in);
    if (!out->home_req_valid || !in->home_req_ready)
        return;
    const home_req_t *r = &out->home_req;
    if (r->op == HOME_WRITE_BACK) {
        const char *why = scoreboard_written(sb, r, asked(e));
        BENCH_CHECK(b, !why, "%s", why);
        return;
    }
    const char *why = e->asks.flights < READS ? scoreboard_read(sb, r) : "more reads than there are ids";
    BENCH_CHECK(b, !why, "%s", why);
    for (unsigned i = 0; i < e->asks.flights; i++)
        BENCH_CHECK(b, e->flight[i].id != r->id, "id %u twice", r->id);
    if (b->failed)
        return;
    e->flight[e->asks.flights++] = (flight_t){b->cycle + 1 + vl_below(&b->rng, e->latency), r->op, r->id,
                                              (unsigned)requests_find(&sb->q, r->line)};
}

/* The line of a probe: any, the one that was requested last, one that is awaited, the one that was granted last. */
static unsigned probed(bench_t *b, const env_t *e)
{
    switch (vl_below(&b->rng, 4) ? e->target : vl_below(&b->rng, 4)) {
    case 0: return (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
    case 1: return e->last;
    case 2:
        return e->asks.flights ? e->flight[vl_below(&b->rng, e->asks.flights)].line
                               : vl_below(&b->rng, SCOREBOARD_LINES);
    default: return e->granted;
    }
}

/* The home probes; behind responses, so that a probe may come with the grant of its line. */
static void probe(bench_t *b, env_t *e, const l2c_out_t *out, l2c_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (!e->asks.flights)
        e->burst = 1;
    const bool spared = (e->withhold && !e->burst) || (e->apart && e->step != 1);
    if (!e->probing && !spared && sb->probes < SCOREBOARD_PROBES - 1 && vl_chance(&b->rng, e->probes)) {
        e->probing = true;
        unsigned which = probed(b, e);
        if (b->cycle < e->flood && sb->line[which].asked) /* it must be granted in the end */
            which = vl_below(&b->rng, SCOREBOARD_LINES);
        e->probe.line = sb->q.addr[which];
        e->probe.kind = (uint8_t)(e->kinds < 3 && vl_below(&b->rng, 4) ? e->kinds : vl_below(&b->rng, 3));
        e->burst -= e->burst != 0;
        sb->line[which].probes++;
    }
    in->home_probe_valid = e->probing;
    in->home_probe = e->probe;
    if (e->probing && out->home_probe_ready) {
        sb->probe[sb->probes++] = e->probe;
        e->probing = false;
    }
}

static void stimulate(bench_t *b, env_t *e, const l2c_out_t *out, l2c_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (b->cycle % 256 == 0 && b->cycle >= e->flood)
        style(b, e);
    l2c_in_random(&b->rng, in);
    in->slice = (uint8_t)e->asks.slice;
    in->host = e->host;
    in->net_rsp_ready = vl_chance(&b->rng, e->ready);
    in->home_req_ready = vl_chance(&b->rng, e->dready);
    in->home_ack_ready = vl_chance(&b->rng, e->aready);
    if (b->cycle < e->flood)
        in->net_rsp_ready = in->home_ack_ready = b->cycle % e->period == 0;
    in->home_rsp_valid = in->maint_valid = false;
    sb->drops += out->ev.l2_moved && out->ev.l2_from == NMOESI_E && out->ev.l2_to == NMOESI_I;
    BENCH_CHECK(b, !out->idle || (!sb->q.inside && !e->asks.maint_busy && !e->asks.flights && !sb->probes),
                "idle although something is awaited");
    BENCH_COVER(b, COV_IDLE, out->idle);

    /* Requests performed at this edge, then the request taken. */
    const bool answered = out->net_rsp_valid && in->net_rsp_ready,
               acknowledged = out->home_ack_valid && in->home_ack_ready;
    if (answered) {
        const char *why = scoreboard_answer(sb, &out->net_rsp, out->trace_line);
        BENCH_CHECK(b, !why, "%s", why);
    }
    if (acknowledged) {
        const char *why = scoreboard_acknowledged(sb, &out->home_ack);
        BENCH_CHECK(b, !why, "%s", why);
    }
    home(b, e, out, in);
    probe(b, e, out, in);
    maintenance(b, e, out, in);
    watch_for_loss(b, e, answered, acknowledged);
    if (vl_chance(&b->rng, e->others)) {
        scoreboard_line_t *l =
            &sb->line[vl_below(&b->rng, 4) ? (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES
                                           : vl_below(&b->rng, SCOREBOARD_LINES)];
        const bool held = l->states != IN_I, stored = scoreboard_others(l, &b->rng);
        BENCH_COVER(b, COV_OTHERS, stored && !held);
        BENCH_COVER(b, COV_MERGED, stored && held);
    }
    if (!e->asks.offered && vl_chance(&b->rng, e->valid))
        e->asks.offered = make(b, e);
    in->net_req_valid = e->asks.offered;
    in->net_req = e->asks.req;
    if (e->asks.offered && out->net_req_ready) {
        scoreboard_take(sb, &e->asks.req);
        e->asks.offered = false;
    }
    BENCH_COVER(b, COV_SC_EARLY, sb->sc_early);
    for (unsigned k = 0; k < 2; k++)
        BENCH_COVER(b, COV_LONE + k, sb->lone[k]);
}

SCOREBOARD_DRIVE_COVERED(l2c, env_t, stimulate, cover_expect)
BENCH_MAIN(l2c, env_t, start, drive, cover, COV_N)
