/* Bench of link: each kind at rates of its own, the other end taking much, little or for a while nothing of a kind. Beside the twin stand the page and the promises
 * to a wire's user (scoreboard.h). Coverage is read off the page's state. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "link_ports.h"
#include "verif/coherence/link/page.h"
#include "verif/coherence/link/scoreboard.h"

enum {
    COV_AFTER,
    COV_MASK = COV_AFTER + KINDS * KINDS,
    COV_FULL = COV_MASK + 10,
    COV_BLOCKED = COV_FULL + KINDS,
    COV_ALL_BLOCKED,
    COV_WAITS,
    COV_BACK = COV_WAITS + KINDS,
    COV_ALONE,
    COV_IDLE,
    COV_N
};
#define AFTER(k) k " after data", k " after an acknowledgement", k " after a probe", k " after a request"
#define EACH(x) x " of data", x " of acknowledgements", x " of probes", x " of requests"
static const char *const cover[] = {AFTER("data"),
                                    AFTER("an acknowledgement"),
                                    AFTER("a probe"),
                                    AFTER("a request"),
                                    "a line without a mask",
                                    "a line with a mask",
                                    "a grant",
                                    "BYTES",
                                    "DONE",
                                    "ARRIVED",
                                    "a read of a stack",
                                    "a write of a whole line of a stack",
                                    "a write of bytes of a stack",
                                    "a line for the HMD",
                                    EACH("another kind goes on beside a full lane"),
                                    "messages wait, and none has a place",
                                    "each kind waits for a place",
                                    EACH("a head waits for long"),
                                    "the wire is full for a hundred cycles",
                                    "a message alone on the wire",
                                    "idle again"};
enum { PATIENCE = 4 * LINK_FLITS * (LINK_CREDITS + 3) + LINK_LATENCY + 16, LONG = 100 };
typedef struct {
    scoreboard_t scoreboard;
    bool offered[KINDS];
    message_t offer[KINDS];
    unsigned rate[KINDS], takes[KINDS], waits[KINDS], busy, sent, masks;
    bool drain, was_busy, single;
    uint64_t drain_since;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void style(bench_t *b, env_t *e)
{
    e->drain = vl_below(&b->rng, 5) == 0;
    e->single = vl_below(&b->rng, 6) == 0; /* the next message only when nothing is inside */
    e->drain_since = b->cycle;
    e->masks = 64 * vl_below(&b->rng, 5);
    const unsigned all = vl_below(&b->rng, 6);
    for (unsigned k = 0; k < KINDS; k++) {
        static const unsigned rates[] = {0, 8, 40, 128, 256, 256};
        e->rate[k] = all == 0 ? 256 : rates[vl_below(&b->rng, 6)];
        e->takes[k] = all == 1 ? 0 : vl_below(&b->rng, 3) ? 256 : rates[vl_below(&b->rng, 6)];
    }
}

static line_mask_t some_mask(bench_t *b, const env_t *e)
{
    line_be_t m = {{0}};
    if (!vl_chance(&b->rng, e->masks))
        return mask_of_be(&m);
    const unsigned bit = vl_below(&b->rng, LINE_BYTES);
    m.w[bit / 64] = vl_below(&b->rng, 2) ? 1ull << bit % 64 : vl_random(&b->rng) | 1;
    return mask_of_be(&m);
}

static void ask(bench_t *b, env_t *e, unsigned k)
{
    message_t *m = &e->offer[k];
    memset(m, 0, sizeof *m);
    switch (k) {
    case LINK_DATA:
        hmd_data_t_random(&b->rng, &m->data);
        m->data.data.mask = some_mask(b, e);
        if (m->data.data.grant)
            m->data.data.mem = SMD_MEM_NONE;
        break;
    case LINK_ACK:
        hmd_ack_t_random(&b->rng, &m->ack);
        m->ack.ack.kind = (__typeof__(m->ack.ack.kind))vl_below(&b->rng, 3);
        m->ack.ack.mask = some_mask(b, e);
        break;
    case LINK_PROBE: hmd_probe_t_random(&b->rng, &m->probe); break;
    default: hmd_req_t_random(&b->rng, &m->req); break;
    }
    e->offered[k] = true;
}

static void covered(bench_t *b, env_t *e, const link_out_t *out)
{
    const page_t *p = &e->page;
    bool blocked = true, beside = out->ev.link_sent;
    for (unsigned k = 0; k < KINDS; k++) {
        const bool full = p->lane_n[k] == LINK_CREDITS;
        BENCH_COVER(b, COV_FULL + k, full && beside && out->ev.link_kind != k);
        e->waits[k] = p->in_n[k] && full ? e->waits[k] + 1 : 0;
        BENCH_COVER(b, COV_WAITS + k, e->waits[k] == LONG);
        blocked &= p->in_n[k] && full;
    }
    BENCH_COVER(b, COV_ALL_BLOCKED, blocked && out->ev.link_blocked);
    BENCH_COVER(b, COV_BLOCKED, out->ev.link_blocked);
    e->busy = out->ev.link_busy ? e->busy + 1 : 0;
    BENCH_COVER(b, COV_BACK, e->busy == 100);
    if (out->ev.link_sent) {
        const unsigned k = out->ev.link_kind;
        if (e->sent)
            BENCH_COVER(b, COV_AFTER + k * KINDS + e->sent - 1, true);
        e->sent = k + 1;
    }
}

static void stimulate(bench_t *b, env_t *e, const link_out_t *out, link_in_t *in)
{
    scoreboard_t *s = &e->scoreboard;
    vl_rng_t *r = &b->rng;
    scoreboard(b, s, out);
    if (b->failed)
        return;
    if (!b->no_page)
        covered(b, e, out);
    BENCH_COVER(b, COV_IDLE, out->idle && e->was_busy);
    e->was_busy = !out->idle;
    BENCH_CHECK(b, !e->drain || out->idle || b->cycle - e->drain_since < PATIENCE,
                "not idle %u cycles after the last message", PATIENCE);
    if (e->drain ? out->idle : b->cycle % 512 == 0)
        style(b, e);
    link_in_random(r, in);
    const bool ready[KINDS] = {out->data_in_ready, out->ack_in_ready, out->probe_in_ready, out->req_in_ready};
    const bool seen[KINDS] = {out->data_out_valid, out->ack_out_valid, out->probe_out_valid, out->req_out_valid};
    bool takes[KINDS], asks[KINDS];
    for (unsigned k = 0; k < KINDS; k++) {
        const bool may =
            !e->drain
            && (!e->single || (out->idle && !e->offered[0] && !e->offered[1] && !e->offered[2] && !e->offered[3]));
        if (!e->offered[k] && may && vl_chance(r, e->rate[k]))
            ask(b, e, k);
        asks[k] = e->offered[k];
        takes[k] = e->drain || vl_chance(r, e->takes[k]);
    }
    in->data_in_valid = asks[LINK_DATA];
    in->ack_in_valid = asks[LINK_ACK];
    in->probe_in_valid = asks[LINK_PROBE];
    in->req_in_valid = asks[LINK_REQ];
    in->data_in = asks[LINK_DATA] ? e->offer[LINK_DATA].data : in->data_in;
    in->ack_in = asks[LINK_ACK] ? e->offer[LINK_ACK].ack : in->ack_in;
    in->probe_in = asks[LINK_PROBE] ? e->offer[LINK_PROBE].probe : in->probe_in;
    in->req_in = asks[LINK_REQ] ? e->offer[LINK_REQ].req : in->req_in;
    in->data_out_ready = takes[LINK_DATA];
    in->ack_out_ready = takes[LINK_ACK];
    in->probe_out_ready = takes[LINK_PROBE];
    in->req_out_ready = takes[LINK_REQ];
    for (unsigned k = 0; k < KINDS; k++)
        if (takes[k] && seen[k]) {
            BENCH_COVER(b, COV_ALONE, s->inside[k][0].alone);
            sb_leaves(s, k);
        }
    for (unsigned k = 0; k < KINDS; k++) {
        if (!asks[k] || !ready[k])
            continue;
        const hmd_data_t *d = &e->offer[LINK_DATA].data;
        const smd_ack_t *a = &e->offer[LINK_ACK].ack.ack;
        if (k == LINK_DATA)
            BENCH_COVER(b,
                        d->data.mem == SMD_MEM_READ    ? COV_MASK + 6
                        : d->data.mem == SMD_MEM_WRITE ? COV_MASK + 7 + mask_any(&d->data.mask)
                        : d->data.mem == SMD_MEM_LINE  ? COV_MASK + 9
                                                       : COV_MASK + (d->data.grant ? 2 : mask_any(&d->data.mask)),
                        true);
        if (k == LINK_ACK)
            BENCH_COVER(b, COV_MASK + 3 + a->kind, true);
        sb_take(b, s, k,
                (sb_message_t){.data = e->offer[LINK_DATA].data,
                               .ack = e->offer[LINK_ACK].ack,
                               .probe = e->offer[LINK_PROBE].probe,
                               .req = e->offer[LINK_REQ].req});
        e->offered[k] = false;
    }
}

SCOREBOARD_DRIVE(link, env_t, stimulate)
BENCH_MAIN(link, env_t, start, drive, cover, COV_N)
