/* Bench of l2. Besides the twin it is checked against a scoreboard without caches (scoreboard.h): the requests, performed one by one in the order of
 * their answers on arrays of bytes, and the contents of memory when a line is written back. Coverage (cover.h) is read off the twin's state. */
#define BENCH_SEEDS 4
#define BENCH_CYCLES 100000
#define BENCH_RESTS(B, twin) (l2_idle(twin) || l2_waits(twin))
#include "sim_c/cache/l2.h"
#include "verif/common/bench.h"
#include "verif/cache/l2/cover.h"
#include "verif/cache/l2/scoreboard.h"
#include "verif/cache/l2/page.h"
#include "verif/cache/l2/stimulus.h"

enum { READS = 2 * L2_MSHRS, PATIENCE = 12000 };
typedef struct {
    uint64_t due;
    home_rsp_t rsp;
} flight_t;
typedef struct {
    scoreboard_t scoreboard;
    asks_t asks;
    flight_t flight[READS];
    uint64_t answered; /* cycle of the last answer, or of the last with nothing to wait for */
    /* style */
    unsigned valid, ready, dready, latency, mix, bypass, again, span, base, hold, shape, harts, quiet, last;
    bool walk; /* each line once, one after the other */
    bool chase; /* a bypassed read, then another request that needs the line */
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    uint64_t addr[SCOREBOARD_LINES];
    e->asks.slice = some_lines(b, SLICES, PG_SETS, addr);
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++)
        scoreboard_line(&e->scoreboard, k, addr[k], &b->rng);
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 8, 60, 250};
    e->valid = vl_below(&b->rng, 3) ? 256 : 20 + vl_below(&b->rng, 180);
    e->ready = vl_below(&b->rng, 3) ? 256 : 10 + vl_below(&b->rng, 200);
    e->dready = vl_below(&b->rng, 3) ? 256 : 6 + vl_below(&b->rng, 120);
    e->latency = latency[vl_below(&b->rng, 4)];
    e->hold = vl_below(&b->rng, 4) ? 0 : 2 + vl_below(&b->rng, L2_MSHRS - 1);
    e->mix = vl_below(&b->rng, 6);
    e->bypass = vl_below(&b->rng, 3) ? 20 : 130;
    e->again = vl_below(&b->rng, 3) ? 20 : 150;
    e->shape = vl_below(&b->rng, 4);
    e->harts = vl_below(&b->rng, 2) ? 1 : 2;
    e->span = pool_span(&b->rng, 2 * L2_WAYS + 4, 4, SCOREBOARD_LINES);
    e->base = vl_below(&b->rng, SCOREBOARD_LINES);
    e->quiet = vl_below(&b->rng, 4) ? 600 : 40;
    e->walk = vl_below(&b->rng, 8) == 0;
    e->chase = vl_below(&b->rng, 8) == 0;
}

static bool make(bench_t *b, env_t *e, net_req_t *n)
{
    static const struct {
        uint8_t write, amo;
    } share[] = {{0, 0}, {100, 20}, {190, 30}, {20, 200}, {60, 100}, {250, 3}}; /* in 256, by mix */
    unsigned p = vl_below(&b->rng, 256);
    int slot = requests_room(&e->scoreboard.q, vl_below(&b->rng, SCOREBOARD_INSIDE));
    if (slot < 0)
        return false;
    mem_req_t *r = &n->req;
    bool chased = e->chase && e->asks.req.req.op == MEM_READ;
    if (chased)
        ;
    else if (e->walk)
        e->last = (e->last + 1) % SCOREBOARD_LINES;
    else if (!vl_chance(&b->rng, e->again))
        e->last = (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
    memset(n, 0, sizeof *n);
    n->src = vl_below(&b->rng, SOURCES);
    r->line = e->scoreboard.q.addr[e->last];
    r->id = (uint16_t)slot;
    r->cls = (uint8_t)vl_random_bits(&b->rng, 3);
    r->asid = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    n->bypass = vl_chance(&b->rng, e->bypass);
    r->op = p < share[e->mix].write                                 ? MEM_WRITE
            : p < (unsigned)share[e->mix].write + share[e->mix].amo ? MEM_AMO
                                                                    : MEM_READ;
    if (e->chase) {
        n->bypass = true;
        r->op = chased ? MEM_WRITE + vl_below(&b->rng, 2) : MEM_READ;
    }
    if (r->op == MEM_WRITE) {
        r->be = some_bytes(&b->rng, e->shape);
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r->be.w[i / 64] >> i % 64 & 1)
                ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
    } else if (r->op == MEM_AMO) {
        static const uint64_t corner[] = {0, 1, ~0ull, 0x8000000080000000ull, 0x7fffffff7fffffffull};
        unsigned lr_sc = vl_below(&b->rng, 2);
        r->amo = lr_sc ? AMO_LR + vl_below(&b->rng, 2) : vl_below(&b->rng, 12);
        r->amo_dword = vl_below(&b->rng, 2);
        r->amo_off = (uint8_t)(vl_below(&b->rng, 8) ? vl_below(&b->rng, 3) * 4 : vl_below(&b->rng, LINE_BYTES / 4) * 4);
        r->amo_off &= r->amo_dword ? ~7 : ~3;
        r->hart = vl_below(&b->rng, e->harts) & (HARTS - 1);
        r->sc_fail = r->amo == AMO_SC && vl_below(&b->rng, 4) == 0;
        r->data.w[0] = vl_below(&b->rng, 3) ? vl_random(&b->rng) : corner[vl_below(&b->rng, 5)];
        /* compare with the present value, which is often still there when the request is performed */
        if (r->amo == AMO_CAS)
            r->data.w[1] =
                scoreboard_datum(&e->scoreboard, r) ^ (uint64_t)(vl_below(&b->rng, 3) == 0) << vl_below(&b->rng, 64);
    }
    return true;
}

/* Requests that were not answered long ago and never will be. */
static void watch_for_loss(bench_t *b, env_t *e, bool answered)
{
    if (answered || (!e->scoreboard.q.inside && !e->asks.maint_busy))
        e->answered = b->cycle;
    BENCH_CHECK(b, b->cycle - e->answered < PATIENCE, "%u requests inside, and no answer for %u cycles",
                e->scoreboard.q.inside, PATIENCE);
}

static void maintenance(bench_t *b, env_t *e, const l2_out_t *out, l2_in_t *in)
{
    if (out->maint_done) {
        BENCH_CHECK(b, e->asks.maint_busy, "maintenance done that nobody asked for");
        e->asks.maint_busy = false;
        const char *why = scoreboard_maintained(&e->scoreboard, &e->asks.maint, &b->rng);
        BENCH_CHECK(b, !why, "%s", why);
    }
    bool early = b->cycle == 3 && b->seed % 2;
    in->maint_valid = !e->asks.maint_busy && !out->maint_done && (early || vl_below(&b->rng, e->quiet) == 0);
    if (!in->maint_valid)
        return;
    static const uint8_t often[] = {L2_FLUSH_LINE, L2_FLUSH_PAGE, L2_INVAL_LINE, L2_INVAL_PAGE};
    bool all = vl_below(&b->rng, 6) == 0;
    in->maint.op = all ? vl_below(&b->rng, 2) ? L2_FLUSH_ALL : L2_INVAL_ALL : often[vl_below(&b->rng, 4)];
    unsigned recent = vl_below(&b->rng, 2) ? e->last : (e->base + vl_below(&b->rng, e->span)) % SCOREBOARD_LINES;
    in->maint.line = all ? 0 : e->scoreboard.q.addr[recent];
    if (!all && vl_below(&b->rng, 6) == 0)
        in->maint.line ^= vl_below(&b->rng, 4096 / LINE_BYTES); /* may be a line of another slice */
    e->asks.maint = in->maint;
    e->asks.maint_busy = true;
}

static void memory(bench_t *b, env_t *e, const l2_out_t *out, l2_in_t *in)
{
    if (out->home_req_valid && in->home_req_ready) {
        const home_req_t *r = &out->home_req;
        if (r->op == HOME_WRITE_BACK) {
            const char *why = scoreboard_written(&e->scoreboard, r, e->asks.maint_busy ? &e->asks.maint : NULL);
            BENCH_CHECK(b, !why, "%s", why);
        } else {
            line_data_t data;
            const char *why =
                e->asks.flights < READS ? scoreboard_read(&e->scoreboard, r, &data) : "more reads than there are ids";
            BENCH_CHECK(b, !why, "%s", why);
            for (unsigned i = 0; i < e->asks.flights; i++)
                BENCH_CHECK(b, e->flight[i].rsp.id != r->id, "id %u twice", r->id);
            if (b->failed)
                return;
            e->flight[e->asks.flights++] = (flight_t){b->cycle + 1 + vl_below(&b->rng, e->latency),
                                                      {.id = r->id, .state = NMOESI_E, .data = data}};
            return; /* answered in the next cycle at the earliest */
        }
    }
    in->home_rsp_valid = false;
    if (!e->hold || e->asks.flights >= e->hold)
        e->asks.release = true;
    if (e->asks.flights && (e->asks.release || vl_below(&b->rng, 500) == 0)) {
        unsigned i = vl_below(&b->rng, e->asks.flights);
        if (e->flight[i].due <= b->cycle || e->hold) {
            in->home_rsp_valid = true;
            in->home_rsp = e->flight[i].rsp;
            e->flight[i] = e->flight[--e->asks.flights];
        }
    }
    if (e->hold && !e->asks.flights)
        e->asks.release = false;
}

static void stimulate(bench_t *b, env_t *e, const l2_out_t *out, l2_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    l2_in_random(&b->rng, in);
    in->slice = (uint8_t)e->asks.slice;
    in->net_rsp_ready = vl_chance(&b->rng, e->ready);
    in->home_req_ready = vl_chance(&b->rng, e->dready);
    in->home_rsp_valid = in->home_probe_valid = in->maint_valid = false; /* flat memory never probes */
    BENCH_CHECK(b, !out->home_ack_valid, "an acknowledgement of no probe");
    e->scoreboard.evicting += out->ev.l2_evict;
    BENCH_CHECK(b, !out->idle || (!e->scoreboard.q.inside && !e->asks.maint_busy && !e->asks.flights),
                "idle although something is awaited");
    BENCH_COVER(b, COV_IDLE, out->idle);

    /* Requests performed at this edge, then the request taken. */
    bool answered = out->net_rsp_valid && in->net_rsp_ready;
    if (answered) {
        const char *why = scoreboard_answer(&e->scoreboard, &out->net_rsp, out->trace_line);
        BENCH_CHECK(b, !why, "%s", why);
    }
    memory(b, e, out, in);
    maintenance(b, e, out, in);
    watch_for_loss(b, e, answered);
    if (!e->asks.offered && vl_chance(&b->rng, e->valid))
        e->asks.offered = make(b, e, &e->asks.req);
    in->net_req_valid = e->asks.offered;
    in->net_req = e->asks.req;
    if (e->asks.offered && out->net_req_ready) {
        scoreboard_take(&e->scoreboard, &e->asks.req);
        e->asks.offered = false;
    }
    for (unsigned i = 0; i < SC_N; i++)
        BENCH_COVER(b, COV_SC + i, e->scoreboard.sc[i]);
}

SCOREBOARD_DRIVE_COVERED(l2, env_t, stimulate, cover_expect)
BENCH_MAIN(l2, env_t, start, drive, cover, COV_N)
