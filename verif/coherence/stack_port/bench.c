/* Bench of stack_port: an SMD at random on few lines, each written whole before it is read; a scheduler that answers in any order. Beside the twin stand the page and the
 * promises to both neighbours (scoreboard.h). */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/common/halves.h"
#include "stack_port_ports.h"
#include "verif/coherence/stack_port/page.h"
#include "verif/coherence/stack_port/scoreboard.h"

enum {
    COV_PAIR,
    COV_BYTES = COV_PAIR + 4,
    COV_MARKS = COV_BYTES + 3,
    COV_FULL = COV_MARKS + 3,
    COV_ORDER,
    COV_GAP,
    COV_PUT,
    COV_QUEUED,
    COV_IDLE,
    COV_N
};
static const char *const cover[] = {"a read behind a read of its line",
                                    "a read behind a write of its line",
                                    "a write behind a read of its line",
                                    "a write behind a write of its line",
                                    "no bytes are written",
                                    "some bytes are written",
                                    "all bytes are written",
                                    "no marks are set",
                                    "some marks are set",
                                    "all marks are set",
                                    "the queue is full",
                                    "an answer before that of an older read",
                                    "an answer in the second cycle after its read is asked for",
                                    "marks change while their line's read is at the scheduler",
                                    "all reads are at the scheduler",
                                    "idle again"};
enum { PATIENCE = 400 };
typedef struct {
    scoreboard_t scoreboard;
    bool offered, drain, was_busy, answered;
    stack_req_t offer, last;
    uint64_t last_cycle, drain_since, number, order[STACK_READERS];
    unsigned rate, writes, bytes, span, base, ready, answers, latency;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    scoreboard_t *s = &e->scoreboard;
    page_begin(&e->page);
    const unsigned channel = vl_below(&b->rng, CHANNELS), n = STACK_BYTES / LINE_BYTES, first = vl_below(&b->rng, n);
    for (unsigned k = 0; k < SB_LINES; k++) /* neighbours; or such as differ in one bit; the ends */
        do {
            unsigned at = b->mode == 0   ? first + k
                          : b->mode == 1 ? first ^ 1u << vl_below(&b->rng, 32)
                                         : vl_below(&b->rng, n);
            at = k == 0 ? 0 : k == 1 ? n - 1 : at % n;
            s->addr[k] = address_of(channel, n < SB_LINES ? k % n : at);
            if (k > 1 && vl_below(&b->rng, 16) == 0) /* replaced by any line if it occurs twice */
                s->addr[k] = address_of(channel, vl_below(&b->rng, n));
        } while (n >= SB_LINES && sb_find(s, s->addr[k]) < k);
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned rates[] = {20, 128, 256, 256}, latency[] = {1, 3, 20, 100};
    e->drain = vl_below(&b->rng, 4) == 0;
    e->drain_since = b->cycle;
    e->rate = rates[vl_below(&b->rng, 4)];
    e->ready = rates[vl_below(&b->rng, 4)];
    e->answers = rates[vl_below(&b->rng, 4)];
    e->latency = latency[vl_below(&b->rng, 4)];
    e->writes = 64 * vl_below(&b->rng, 4);
    e->bytes = vl_below(&b->rng, 4);
    e->span = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, 3) : SB_LINES;
    e->base = vl_below(&b->rng, SB_LINES);
}

static line_be_t some(bench_t *b, unsigned shape)
{
    const unsigned bit = vl_below(&b->rng, LINE_BYTES);
    line_be_t m = {{0}};
    switch (vl_below(&b->rng, 4) ? shape : vl_below(&b->rng, 5)) {
    case 0: break;
    case 1: return be_all();
    case 2: m.w[bit / 64] = 1ull << bit % 64; break;
    case 3: m = be_halves(bit < LINE_BYTES / 2 ? 1 : 2); break;
    default: vl_random_wide(&b->rng, LINE_BYTES, m.w); break;
    }
    return m;
}

static void ask(bench_t *b, env_t *e)
{
    scoreboard_t *s = &e->scoreboard;
    stack_req_t *r = &e->offer;
    const unsigned k = (e->base + vl_below(&b->rng, e->span)) % SB_LINES, first = vl_below(&b->rng, STACK_READERS);
    stack_req_t_random(&b->rng, r);
    r->line = s->addr[k];
    r->write = !s->written[sb_find(s, r->line)] || vl_chance(&b->rng, e->writes);
    const line_be_t marks = some(b, vl_below(&b->rng, 5));
    r->marks = mask_of_be(&marks);
    if (r->write) {
        r->id = 0;
        r->be = s->written[sb_find(s, r->line)] ? some(b, e->bytes) : be_all();
        if (MASK_GRAIN > 1 && vl_below(&b->rng, 4)) /* whole grains, as an SMD sends */
            r->be = whole_grains(r->be);
        e->offered = true;
        return;
    }
    r->be = (line_be_t){{0}};
    for (unsigned i = 0; i < STACK_READERS && !e->offered; i++)
        if (!s->read[(first + i) % STACK_READERS].busy) {
            r->id = (__typeof__(r->id))((first + i) % STACK_READERS);
            e->offered = true;
        }
}

/* Bytes that are written with a mark. */
static unsigned marked(const stack_req_t *r)
{
    const line_be_t m = be_of_mask(&r->marks);
    unsigned n = 0;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        n += be_has(&m, i) && be_has(&r->be, i);
    return n;
}

static void taken(bench_t *b, env_t *e)
{
    const stack_req_t *r = &e->offer;
    const bool behind = e->last_cycle + 1 == b->cycle && e->last.line == r->line;
    const unsigned marks = marked(r);
    unsigned bytes = 0;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        bytes += be_has(&r->be, i);
    BENCH_COVER(b, COV_PAIR + 2 * r->write + e->last.write, behind);
    if (r->write)
        BENCH_COVER(b, COV_BYTES + (bytes == 0 ? 0 : bytes == LINE_BYTES ? 2 : 1), true);
    if (bytes)
        BENCH_COVER(b, COV_MARKS + (marks == 0 ? 0 : marks == bytes ? 2 : 1), true);
    for (unsigned i = 0; i < STACK_READERS; i++)
        BENCH_COVER(b, COV_PUT,
                    r->write && marks && e->scoreboard.read[i].busy && e->scoreboard.read[i].asked
                        && e->scoreboard.addr[e->scoreboard.read[i].line] == r->line);
    if (!r->write)
        e->order[r->id] = ++e->number;
    e->last = *r;
    e->last_cycle = b->cycle;
    sb_take(b, &e->scoreboard, r);
    e->offered = false;
}

/* The scheduler answers a read that is due. */
static void answer(bench_t *b, env_t *e, stack_port_in_t *in)
{
    scoreboard_t *s = &e->scoreboard;
    const unsigned first = vl_below(&b->rng, STACK_READERS);
    if (!e->drain && !vl_chance(&b->rng, e->answers))
        return;
    for (unsigned n = 0; n < STACK_READERS; n++) {
        const unsigned i = (first + n) % STACK_READERS;
        if (!s->read[i].busy || !s->read[i].asked || s->read[i].due > b->cycle)
            continue;
        for (unsigned k = 0; k < STACK_READERS; k++)
            BENCH_COVER(b, COV_ORDER, s->read[k].busy && s->read[k].asked && e->order[k] < e->order[i]);
        in->home_rsp_valid = true;
        in->home_rsp.id = (__typeof__(in->home_rsp.id))i;
        for (unsigned k = 0; k < LINE_BYTES; k++) {
            in->home_rsp.data.w[k / 8] &= ~(0xffull << k % 8 * 8);
            in->home_rsp.data.w[k / 8] |= (uint64_t)s->read[i].got.byte[k] << k % 8 * 8;
        }
        s->read[i].asked = false; /* answered */
        s->waiting--;
        return;
    }
}

static void stimulate(bench_t *b, env_t *e, const stack_port_out_t *out, stack_port_in_t *in)
{
    scoreboard_t *s = &e->scoreboard;
    BENCH_CHECK(b, out->stack_rsp_valid == e->answered, "an answer of the scheduler is passed on in the next cycle");
    if (out->stack_rsp_valid)
        sb_answer(b, s, &out->stack_rsp);
    BENCH_CHECK(b, !out->idle || (!s->n && !out->stack_rsp_valid), "idle with something inside");
    BENCH_CHECK(b, !e->drain || (out->idle && !s->reads) || b->cycle - e->drain_since < PATIENCE,
                "not at rest %u cycles after the last request", PATIENCE);
    if (b->failed)
        return;
    if (e->drain ? out->idle && !s->reads : b->cycle % 512 == 0)
        style(b, e);
    BENCH_COVER(b, COV_FULL, !out->stack_req_ready);
    BENCH_COVER(b, COV_QUEUED, s->waiting == STACK_READERS);
    BENCH_COVER(b, COV_IDLE, out->idle && e->was_busy);
    e->was_busy = !out->idle;
    stack_port_in_random(&b->rng, in);
    in->home_rsp_valid = false;
    answer(b, e, in);
    e->answered = in->home_rsp_valid;
    if (!e->offered && !e->drain && vl_chance(&b->rng, e->rate))
        ask(b, e);
    in->stack_req_valid = e->offered;
    if (e->offered)
        in->stack_req = e->offer;
    in->home_req_ready = e->drain || vl_chance(&b->rng, e->ready);
    if (out->home_req_valid && in->home_req_ready) {
        const unsigned wait = 1 + vl_below(&b->rng, e->latency);
        BENCH_COVER(b, COV_GAP, wait == 1 && out->home_req.op == HOME_READ && e->answers == 256);
        sb_asked(b, s, &out->home_req, b->cycle + wait);
    }
    if (e->offered && out->stack_req_ready && !b->failed)
        taken(b, e);
}

SCOREBOARD_DRIVE(stack_port, env_t, stimulate)
BENCH_MAIN(stack_port, env_t, start, drive, cover, COV_N)
