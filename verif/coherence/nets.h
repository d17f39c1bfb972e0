/* Both ends of the wires (docs/blocks/smd_net.md, hmd_net.md) are crossbars, one a kind of message. Shared by their benches: the page as a program, the promises to a net's user, and
 * stimulus. A bench defines beforehand
 *
 *     KINDS, kind_name[]                           its crossbars
 *     IN_STREAMS(X)  X(kind, port, first, n, type) its streams in: their sources are first, first + 1, ... of the crossbar
 *     OUT_STREAMS(X) X(kind, port, n, type)        its streams out
 *     OUT_CREDITED(X) X(kind, port, first, n, type) its streams out that are always taken: destinations first, first + 1, ...
 *     NET, net_out_t, net_in_t                     the block
 *     EACH(text)                                   a coverage point of each kind
 *     net_sources(kind), net_dests(kind), net_way(kind, source, dest), net_random(rng, kind, source, message), net_dest(kind, source, message), net_becomes(kind, source, message),
 *     net_diff(kind, dest, message, message, diff), net_fills(kind, source): not all that it sends is taken at once */
#ifndef VERIF_COHERENCE_NETS_H
#define VERIF_COHERENCE_NETS_H
#include "verif/coherence/message.h"
#include "verif/common/scoreboard.h"
#include "verif/noc/crossbar.h"

/* ---- the page ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct {
    crossbar_t x[KINDS];
    message_t store[KINDS][NET_MOST][NET_MOST + 3];
    net_out_t out;
} page_t;

static void page_show(page_t *p)
{
    net_out_t *o = &p->out;
#define SHOW_IN(k, port, first, n_, type)                     \
    o->port##_ready = 0;                                      \
    for (unsigned i = 0; i < (n_); i++)                       \
        o->port##_ready |= (uint64_t)(p->x[k].n[(first) + i] < 2) << i;
#define SHOW_OUT(k, port, n_, type)                                                             \
    o->port##_valid = 0;                                                                        \
    for (unsigned d = 0; d < (n_); d++)                                                         \
        if (p->x[k].reg[d].valid) {                                                             \
            o->port##_valid |= (uint64_t)1 << d;                                                \
            o->port[d] = p->store[k][p->x[k].reg[d].from][p->x[k].reg[d].word].type;            \
        }
#define SHOW_CREDITED(k, port, first, n_, type)                                                                         \
    o->port##_valid = 0;                                                                                                \
    for (unsigned d = 0; d < (n_); d++)                                                                                 \
        if (p->x[k].reg[(first) + d].valid) {                                                                           \
            o->port##_valid |= (uint64_t)1 << d;                                                                        \
            o->port[d] = p->store[k][p->x[k].reg[(first) + d].from][p->x[k].reg[(first) + d].word].type;                \
        }
    IN_STREAMS(SHOW_IN)
    OUT_STREAMS(SHOW_OUT)
    OUT_CREDITED(SHOW_CREDITED)
#undef SHOW_IN
#undef SHOW_OUT
#undef SHOW_CREDITED
    o->idle = true;
    for (unsigned k = 0; k < KINDS; k++) {
        for (unsigned s = 0; s < net_sources(k); s++)
            o->idle &= !p->x[k].n[s];
        for (unsigned d = 0; d < net_dests(k); d++)
            o->idle &= !p->x[k].reg[d].valid;
    }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_take(page_t *p, unsigned k, unsigned s, const message_t *m, bool *comes, xb_word_t *word)
{
    comes[s] = true;
    word[s] = (xb_word_t){net_dest(k, s, m), xb_place(&p->x[k], s, net_dests(k))};
    p->store[k][s][word[s].word] = net_becomes(k, s, m);
}

static void page_expect(page_t *p, const net_in_t *in)
{
    const net_out_t *o = &p->out;
    bool taken[KINDS][XB_MOST] = {{false}}, comes[KINDS][XB_MOST] = {{false}};
    xb_word_t word[KINDS][XB_MOST] = {{{0, 0}}};
#define TAKE_IN(k, port, first, n_, type)                                                       \
    for (unsigned i = 0; i < (n_); i++)                                                         \
        if ((uint64_t)in->port##_valid >> i & (uint64_t)o->port##_ready >> i & 1)               \
            page_take(p, k, (first) + i, &(message_t){.type = in->port[i]}, comes[k], word[k]);
#define TAKE_OUT(k, port, n_, type)     \
    for (unsigned d = 0; d < (n_); d++) \
        taken[k][d] = (uint64_t)o->port##_valid >> d & (uint64_t)in->port##_ready >> d & 1;
#define TAKE_CREDITED(k, port, first, n_, type) \
    for (unsigned d = 0; d < (n_); d++)         \
        taken[k][(first) + d] = true;
    IN_STREAMS(TAKE_IN)
    OUT_STREAMS(TAKE_OUT)
    OUT_CREDITED(TAKE_CREDITED)
#undef TAKE_IN
#undef TAKE_OUT
#undef TAKE_CREDITED
    for (unsigned k = 0; k < KINDS; k++)
        xb_edge(&p->x[k], net_sources(k), net_dests(k), taken[k], comes[k], word[k]);
    page_show(p);
}

/* ---- promises to a user: no message is lost, doubled, changed or overtaken, and none waits for one of another kind or way ------------------------- */

/* Between being taken and being shown there are two queue places; before each, every other source may go once. */
enum { INSIDE = 3, BOUND = 2 * NET_MOST + 2, LONG = 100 };
typedef struct {
    message_t m;
    uint64_t since;
} inside_t;
typedef struct {
    message_t offer[KINDS][NET_MOST];
    bool offered[KINDS][NET_MOST];
    inside_t
        inside[KINDS][NET_MOST][NET_MOST]
              [INSIDE + 1]; /* by source and destination: taken by the net, not yet by the destination, oldest first */
    unsigned n[KINDS][NET_MOST][NET_MOST], rate[KINDS][NET_MOST], ready[KINDS][NET_MOST];
    /* open, shut: cycles for which the destination has been ready, has refused a message; free: cycles in which the source
     * had no message for a destination that has been ready for less than 4 * BOUND cycles */
    uint64_t open[KINDS][NET_MOST], free[KINDS][NET_MOST], shut[KINDS][NET_MOST];
    bool was[KINDS][NET_MOST], moved[KINDS], busy;
    page_t page;
} env_t;

/* By kind; then those of the whole net. */
enum {
    COV_EVERY,
    COV_TWO = COV_EVERY + KINDS,
    COV_FULL = COV_TWO + KINDS,
    COV_AROUND = COV_FULL + KINDS,
    COV_APART = COV_AROUND + KINDS,
    COV_RELOAD = COV_APART + KINDS,
    COV_TOGETHER = COV_RELOAD + KINDS,
    COV_IDLE = COV_TOGETHER + KINDS,
    COV_N
};

static bool cov_every[KINDS][NET_MOST][NET_MOST], cov_full[KINDS][NET_MOST];

SCOREBOARD_START(env_t)

static bool net_used(unsigned k, unsigned s)
{
    bool used = false;
    for (unsigned d = 0; d < net_dests(k); d++)
        used |= net_way(k, s, d);
    return used;
}

static void style(bench_t *b, env_t *e)
{
    for (unsigned k = 0; k < KINDS; k++) {
        const bool shut = vl_below(&b->rng, 6) == 0, quiet = vl_below(&b->rng, 8) == 0, all = vl_below(&b->rng, 4) == 0;
        for (unsigned s = 0; s < net_sources(k); s++) {
            const unsigned p = vl_below(&b->rng, 4);
            e->rate[k][s] = quiet || p == 0 ? 0 : p == 1 && !all ? vl_below(&b->rng, 200) : 256;
        }
        for (unsigned d = 0; d < net_dests(k); d++) {
            const unsigned p = vl_below(&b->rng, 6);
            e->ready[k][d] = shut || (p == 0 && !all) ? 0 : p == 1 && !all ? 20 + vl_below(&b->rng, 230) : 256;
        }
    }
    if (vl_below(&b->rng, 8) == 0)
        memset(e->rate, 0, sizeof e->rate);
}

/* A destination shows a message. */
static void shown(bench_t *b, env_t *e, unsigned k, unsigned d, const message_t *m, bool takes)
{
    vl_diff_t diff;
    BENCH_COVER(b, COV_RELOAD + k, e->was[k][d]);
    e->was[k][d] = takes;
    unsigned from = NET_MOST;
    for (unsigned s = 0; s < net_sources(k) && from == NET_MOST; s++)
        if (e->n[k][s][d] && !net_diff(k, d, m, &e->inside[k][s][d][0].m, &diff))
            from = s;
    BENCH_CHECK(b, from < NET_MOST, "%s %u: shown is what is no source's oldest message to it", kind_name[k], d);
    if (b->failed || !takes)
        return;
    memmove(e->inside[k][from][d], e->inside[k][from][d] + 1, INSIDE * sizeof(inside_t));
    e->n[k][from][d]--;
    e->moved[k] = true;
}

static void waits(bench_t *b, env_t *e, unsigned k, unsigned s)
{
    bool shut = false;
    for (unsigned d = 0; d < net_dests(k); d++)
        shut |= e->n[k][s][d] && e->open[k][d] < 4 * BOUND;
    e->free[k][s] = shut ? 0 : e->free[k][s] + 1;
    for (unsigned d = 0; d < net_dests(k); d++)
        BENCH_CHECK(b, !e->n[k][s][d] || b->cycle - e->inside[k][s][d][0].since <= BOUND || e->free[k][s] <= BOUND,
                    "%s: source %u waits too long for destination %u, which takes", kind_name[k], s, d);
}

/* A source offers its last message again, or a new one. */
static bool offers(bench_t *b, env_t *e, unsigned k, unsigned s, bool ready)
{
    if (!e->offered[k][s] && net_used(k, s) && vl_chance(&b->rng, e->rate[k][s])) {
        net_random(&b->rng, k, s, &e->offer[k][s]);
        e->offered[k][s] = true;
    }
    if (!e->offered[k][s])
        return false;
    if (!ready) {
        cov_full[k][s] = true;
        return true;
    }
    const unsigned d = net_dest(k, s, &e->offer[k][s]);
    BENCH_CHECK(b, e->n[k][s][d] < INSIDE, "%s: source %u has more inside than there is room", kind_name[k], s);
    if (b->failed)
        return true;
    e->inside[k][s][d][e->n[k][s][d]++] = (inside_t){net_becomes(k, s, &e->offer[k][s]), b->cycle};
    e->offered[k][s] = false;
    cov_every[k][s][d] = true;
    return true;
}

static void covered(bench_t *b, env_t *e)
{
    bool inside = false;
    for (unsigned k = 0; k < KINDS; k++) {
        bool every = true, full = true, shared = false, two = false, other = false, around = false, used = false;
        unsigned take = 0;
        for (unsigned i = 0; i < KINDS; i++)
            other |= i != k && e->moved[i];
        for (unsigned d = 0; d < net_dests(k); d++) {
            unsigned can = 0, want = 0;
            for (unsigned s = 0; s < net_sources(k); s++) {
                can += net_way(k, s, d);
                want += e->n[k][s][d] != 0;
                every &= cov_every[k][s][d] || !net_way(k, s, d);
            }
            used |= can != 0;
            shared |= can > 1;
            two |= want > 1;
            take += e->was[k][d];
            /* One of the same kind goes on beside it. */
            for (unsigned o = 0; o < net_dests(k); o++)
                around |= e->shut[k][d] > LONG && o != d && e->was[k][o];
            BENCH_COVER(b, COV_APART + k, e->shut[k][d] > LONG && other);
        }
        for (unsigned s = 0; s < net_sources(k); s++) {
            full &= cov_full[k][s] || !net_used(k, s) || !net_fills(k, s);
            for (unsigned d = 0; d < net_dests(k); d++)
                inside |= e->n[k][s][d] != 0;
        }
        BENCH_COVER(b, COV_EVERY + k, every);
        BENCH_COVER(b, COV_TWO + k, two || !shared);
        BENCH_COVER(b, COV_FULL + k, full);
        BENCH_COVER(b, COV_AROUND + k, around || net_dests(k) == 1);
        BENCH_COVER(b, COV_APART + k, !used);
        BENCH_COVER(b, COV_TOGETHER + k, take > 1 || net_dests(k) == 1 || !used);
        BENCH_COVER(b, COV_RELOAD + k, !used);
    }
    BENCH_COVER(b, COV_IDLE, !inside && e->busy);
    e->busy = inside;
}

static void stimulate(bench_t *b, env_t *e, const net_out_t *out, net_in_t *in)
{
    if (b->cycle % 300 == 0)
        style(b, e);
    memset(e->moved, 0, sizeof e->moved);
    BENCH_CHECK(b, out->idle == !e->busy, "idle is %u, and something is inside, or nothing", out->idle);
#define LISTEN(k, port, n_, type)                                                                            \
    for (unsigned d = 0; d < (n_) && !b->failed; d++) {                                                      \
        const bool ready = vl_chance(&b->rng, e->ready[k][d]), valid = (uint64_t)out->port##_valid >> d & 1; \
        in->port##_ready |= (uint64_t)ready << d;                                                            \
        e->open[k][d] = ready ? e->open[k][d] + 1 : 0;                                                       \
        e->shut[k][d] = valid && !ready ? e->shut[k][d] + 1 : 0;                                             \
        if (valid)                                                                                           \
            shown(b, e, k, d, &(message_t){.type = out->port[d]}, ready);                                    \
        else                                                                                                 \
            e->was[k][d] = false;                                                                            \
    }
#define SPEAK(k, port, first, n_, type)                                                           \
    for (unsigned i = 0; i < (n_) && !b->failed; i++) {                                           \
        const unsigned s = (first) + i;                                                           \
        waits(b, e, k, s);                                                                        \
        const message_t m = e->offer[k][s];                                                       \
        const bool had = e->offered[k][s];                                                        \
        if (!offers(b, e, k, s, (uint64_t)out->port##_ready >> i & 1))                            \
            continue;                                                                             \
        in->port##_valid |= (uint64_t)1 << i;                                                     \
        in->port[i] = had ? m.type : e->offer[k][s].type;                                         \
    }
#define LISTEN_CREDITED(k, port, first, n_, type)                                   \
    for (unsigned d = 0; d < (n_) && !b->failed; d++) {                             \
        e->open[k][(first) + d]++;                                                  \
        if ((uint64_t)out->port##_valid >> d & 1)                                   \
            shown(b, e, k, (first) + d, &(message_t){.type = out->port[d]}, true);  \
        else                                                                        \
            e->was[k][(first) + d] = false;                                         \
    }
    OUT_STREAMS(LISTEN)
    OUT_CREDITED(LISTEN_CREDITED)
    IN_STREAMS(SPEAK)
#undef LISTEN_CREDITED
#undef LISTEN
#undef SPEAK
    covered(b, e);
}
/* ---- the coverage points: each once for each kind, as the bench's EACH says -------------------------------------------------------------------- */

static const char *const cover[] = {EACH("each source to each destination that it has"),
                                    EACH("two sources for one destination"),
                                    EACH("each queue full"),
                                    EACH("one goes on beside a destination that does not take for long"),
                                    EACH("other kinds go on beside a destination that does not take for long"),
                                    EACH("a register is taken and loaded"),
                                    EACH("two destinations take at once"),
                                    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
#endif
