/* The scoreboard of the memory side with directories (home = directory), from docs/coherence.md, "What software may rely on": it has no caches, states or messages, only the values that each
 * agent (a device; the host, behind its last-level cache) may see in each byte. Requests are performed in the order in which slices hand their answers over (trace_rsp).
 *
 * A byte has versions. *Base* is the value that a coherent access, or a flush at rest, found or stored: one value, or one of several that cannot be told apart yet. After it come the
 * n-stores of agents. The home's value of a byte is one of them after the other, each agent's in its order, and each once; an agent sees its own at once, and of the others' any that
 * the home had, going forward only. Hence
 *   - a version is dead for an agent that has stored itself, or seen another, after it has seen that version; base is, once it has stored or seen anything newer;
 *     a version is dead for an agent that has seen, or is the writer of, a newer one of the same writer;
 *   - a version that is dead for any agent is not the last one;
 *   - a coherent access finds a last one of each byte of its block, and all see that from then on: no other agent held a line of the block that could lack it;
 *   - a flush, when everything rests, leaves a last one in memory and with all agents. But bytes that the host has n-stored are written into memory under copies that devices hold to read
 *     (docs/coherence.md, H8), which may keep their values: such bytes are *loose*. And the host's cache ignores a FLUSH: the host's stores may be there and not in the
 *     chips, until a device accesses the block: coherently, or in any way where it could not have had a copy before.
 * An observation that fits two versions of the same value teaches nothing. */
#ifndef VERIF_MEMSIDE_COHERENT_H
#define VERIF_MEMSIDE_COHERENT_H
#include "verif/coherence/grains.h"
#include "verif/mem/memside/scoreboard.h"

enum { AGENTS = DEVICES + 1, HOST_AGENT = DEVICES, BASE = 255, VERSIONS = 10, BLOCK = INTERLEAVE_BYTES / LINE_BYTES };
_Static_assert(AGENTS <= 8, "masks of agents are bytes");

typedef struct {
    uint8_t value, writer, seen, dead; /* masks of agents; writer BASE: base */
} version_t;
typedef struct {
    uint8_t n, pending; /* pending: n-stores that are not performed */
    bool loose, host; /* host: its cache may have bytes that the home has not */
    version_t v[VERSIONS]; /* in the order in which they were stored */
} byte_t;
enum {
    SEEN_NEW,
    SEEN_OLD,
    SEEN_AT_ONCE,
    EXACT_ONE,
    EXACT_SEVERAL,
    SYNC_STORES,
    TURNS,
    SC_ALONE,
    SC_TAKEN,
    STORE_NONE,
    STORE_PART,
    HOST_LOOSE,
    HOST_KEEPS,
    COHERENT_N
};
typedef struct {
    byte_t byte[LINES][LINE_BYTES];
    bool stored[LINES]; /* n-stored into since a coherent access */
    bool hosts[LINES]; /* some byte is `host` */
    uint8_t last[LINES]; /* agent of the last coherent access */
    struct {
        bool valid, taken;
        uint8_t ended;
        uint64_t hart, line, cycle, started;
        bool alone;
    } resv[SLICES][SOURCES];
    uint64_t started; /* requests taken, in all */
    uint64_t seen[COHERENT_N];
    uint64_t changed; /* cycle of the last maintenance's begin */
    bool maintains;
} coherent_t;

static void coherent_begin(coherent_t *c, const scoreboard_t *sb)
{
    for (unsigned k = 0; k < LINES; k++) {
        c->last[k] = BASE;
        for (unsigned i = 0; i < LINE_BYTES; i++)
            c->byte[k][i] = (byte_t){.n = 1, .v = {{sb->line[k].now[i], BASE, 0, 0}}};
    }
    for (unsigned k = 0; k < SLICES; k++)
        for (unsigned s = 0; s < SOURCES; s++)
            c->resv[k][s].ended = SC_NEVER;
}

/* ---- a byte ------------------------------------------------------------------------------------------------------------------------------- */

static void byte_is(byte_t *x, uint8_t value)
{
    x->n = 1;
    x->loose = x->host = false;
    x->v[0] = (version_t){value, BASE, 0, 0};
}

/* Forgets versions that no agent can see. */
static void byte_sweep(byte_t *x)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->n; i++)
        if (x->v[i].dead != (1u << AGENTS) - 1)
            x->v[n++] = x->v[i];
    x->n = (uint8_t)n;
}

static bool byte_last(const byte_t *x, unsigned i)
{
    bool stored = false;
    for (unsigned k = 0; k < x->n; k++)
        stored |= x->v[k].writer != BASE;
    return !x->v[i].dead && (x->v[i].writer != BASE || !stored);
}

/* Agent a sees version i. */
static void byte_seen(byte_t *x, unsigned a, unsigned i)
{
    const version_t c = x->v[i];
    const uint8_t me = (uint8_t)(1u << a);
    for (unsigned k = 0; k < x->n; k++) {
        version_t *v = &x->v[k];
        if (k == i)
            continue;
        if (c.writer == BASE && v->writer == BASE)
            v->dead = (1u << AGENTS) - 1; /* of the two values that the byte may have had at first, this is the other */
        else if (v->writer == BASE || v->seen & me || (v->writer == c.writer && k < i))
            v->dead |= me;
    }
    x->v[i].seen |= me;
    byte_sweep(x);
}

/* Agent a loads a value: whether it may. */
static bool byte_load(coherent_t *c, byte_t *x, unsigned a, uint8_t value)
{
    unsigned fits = 0, which = 0;
    for (unsigned i = 0; i < x->n; i++)
        if (x->v[i].value == value && !(x->v[i].dead >> a & 1)) {
            fits++;
            which = i;
        }
    if (fits != 1)
        return fits != 0;
    const version_t *v = &x->v[which];
    c->seen[SEEN_AT_ONCE] += v->writer != BASE && v->writer != a;
    c->seen[SEEN_NEW] += v->writer == BASE && x->n == 1;
    for (unsigned i = 0; i < x->n; i++)
        c->seen[SEEN_OLD] += v->writer == BASE && x->v[i].writer != BASE;
    byte_seen(x, a, which);
    return true;
}

static void byte_n_store(byte_t *x, unsigned a, uint8_t value)
{
    const uint8_t me = (uint8_t)(1u << a);
    for (unsigned k = 0; k < x->n; k++)
        if (x->v[k].writer == BASE || x->v[k].writer == a || x->v[k].seen & me)
            x->v[k].dead |= me;
    byte_sweep(x);
    x->v[x->n++] = (version_t){value, (uint8_t)a, me, 0};
    x->loose |= a == HOST_AGENT;
    x->host |= a == HOST_AGENT;
}

/* The chips may lack the last one behind a FLUSH: it is the host's, and no device's that has gone home may be it. */
static bool byte_in_cache(const byte_t *x)
{
    bool device = false;
    for (unsigned i = 0; i < x->n; i++)
        device |= byte_last(x, i) && x->v[i].writer != BASE && x->v[i].writer != HOST_AGENT;
    return x->host && !device;
}

/* Behind a FLUSH the chips may have this value: of a version that the host has overwritten in its cache, and that no other agent is past. */
static bool byte_overwritten(const byte_t *x, uint8_t value)
{
    bool hosts = false, fits = false;
    for (unsigned i = 0; i < x->n; i++) {
        hosts |= byte_last(x, i) && x->v[i].writer == HOST_AGENT;
        fits |= x->v[i].value == value && !(x->v[i].dead & ~(1u << HOST_AGENT));
    }
    return x->host && hosts && fits;
}

/* From now on base is the last stored value. */
static void byte_sync(byte_t *x)
{
    unsigned n = 0;
    bool last[VERSIONS];
    for (unsigned i = 0; i < x->n; i++)
        last[i] = byte_last(x, i);
    for (unsigned i = 0; i < x->n; i++)
        if (last[i])
            x->v[n++] = (version_t){x->v[i].value, BASE, 0, 0};
    x->n = (uint8_t)n;
    x->loose = false;
}

/* ---- requests that are performed ------------------------------------------------------------------------------------------------------------ */

/* Agent a has a line of the block at this moment: no other agent's reservation in it holds, and the host's cache has given its bytes home, unless the access is not coherent and
 * the device may have had its copy already when the host n-stored. */
static void coherent_takes(coherent_t *c, const scoreboard_t *sb, unsigned a, uint64_t line, bool coherent)
{
    for (unsigned j = 0; j < LINES && a != HOST_AGENT; j++) {
        if (!c->hosts[j] || sb->line[j].addr / BLOCK != line / BLOCK)
            continue;
        c->hosts[j] = false;
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            byte_t *x = &c->byte[j][i];
            x->host &= !coherent && x->loose;
            c->hosts[j] |= x->host;
        }
    }
    for (unsigned k = 0; k < SLICES; k++)
        for (unsigned s = 0; s < SOURCES; s++)
            if (agent_of(s) != a && c->resv[k][s].valid && c->resv[k][s].line / BLOCK == line / BLOCK)
                c->resv[k][s].taken = true;
}

static void coherent_sync(coherent_t *c, const scoreboard_t *sb, unsigned a, unsigned k)
{
    c->seen[TURNS] += c->last[k] != BASE && c->last[k] != a;
    c->last[k] = (uint8_t)a;
    for (unsigned j = 0; j < LINES; j++) {
        if (!c->stored[j] || sb->line[j].addr / BLOCK != sb->line[k].addr / BLOCK)
            continue;
        c->seen[SYNC_STORES]++;
        c->stored[j] = false;
        for (unsigned i = 0; i < LINE_BYTES; i++)
            byte_sync(&c->byte[j][i]);
    }
}

static void coherent_store(coherent_t *c, unsigned slice, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (c->resv[slice][s].valid && c->resv[slice][s].line == line) {
            c->resv[slice][s].valid = false;
            c->resv[slice][s].ended = SC_BROKEN;
        }
}

static void coherent_load(bench_t *b, coherent_t *c, unsigned src, unsigned k, unsigned at, unsigned n,
                          const uint8_t *data, uint64_t line)
{
    for (unsigned i = 0; i < n && !b->failed; i++) {
        byte_t *x = &c->byte[k][at + i];
        const byte_t before = *x;
        if (byte_load(c, x, agent_of(src), data[i]))
            continue;
        char text[VERSIONS * 32] = "";
        for (unsigned v = 0, n_ = 0; v < before.n; v++)
            n_ += (unsigned)snprintf(text + n_, sizeof text - n_, " %02x(%d%s)", before.v[v].value,
                                     before.v[v].writer == BASE ? -1 : before.v[v].writer,
                                     before.v[v].dead >> agent_of(src) & 1 ? " dead" : "");
        BENCH_CHECK(b, false, "source %u, line 0x%" PRIx64 ": byte %u is %02x, which it cannot be; it may be%s", src,
                    line, at + i, data[i], text);
    }
}

/* A likely value of a datum now. */
static uint64_t coherent_guess(const coherent_t *c, unsigned k, unsigned at, unsigned size)
{
    uint8_t p[8];
    for (unsigned i = 0; i < size; i++)
        p[i] = c->byte[k][at + i].v[c->byte[k][at + i].n - 1].value;
    return datum_get(p, size);
}

static void coherent_becomes(coherent_t *c, unsigned a, unsigned k, unsigned i, uint8_t value)
{
    byte_is(&c->byte[k][i], value);
    c->byte[k][i].host = a == HOST_AGENT;
    c->hosts[k] |= a == HOST_AGENT;
}

static void coherent_put(coherent_t *c, unsigned a, unsigned k, unsigned at, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++, value >>= 8)
        coherent_becomes(c, a, k, at + i, (uint8_t)value);
}

/* Whether a reservation allows the SC, before the SC is performed. `must`: no event since the LR could have ended it. */
static bool coherent_may(const coherent_t *c, unsigned slice, unsigned src, const mem_req_t *r, bool *must)
{
    const __typeof__(c->resv[0][0]) *v = &c->resv[slice][src];
    const bool may = v->valid && !v->taken && v->hart == r->hart && v->line == r->line && !r->sc_fail;
    *must = may && v->alone && c->started == v->started + 1 && c->changed < v->cycle;
    return may;
}

static void coherent_sc(bench_t *b, coherent_t *c, const scoreboard_t *sb, unsigned slice, unsigned src, unsigned k,
                        const mem_req_t *r, bool done)
{
    bool must, may = coherent_may(c, slice, src, r, &must);
    __typeof__(c->resv[0][0]) *v = &c->resv[slice][src];
    ((scoreboard_t *)sb)
        ->sc[!v->valid            ? v->ended
             : v->hart != r->hart ? SC_HART
             : v->line != r->line ? SC_LINE
             : r->sc_fail         ? SC_CORE
             : done               ? SC_OK
                                  : SC_BROKEN]++;
    BENCH_CHECK(b, may || !done, "source %u, line 0x%" PRIx64 ": an SC succeeds, and its reservation has ended", src,
                r->line);
    BENCH_CHECK(b, !must || done, "source %u, line 0x%" PRIx64 ": an SC fails, and nothing has happened since its LR",
                src, r->line);
    c->seen[SC_ALONE] += must;
    c->seen[SC_TAKEN] += v->valid && v->taken && v->hart == r->hart && v->line == r->line && !r->sc_fail;
    if (v->valid && v->hart == r->hart) {
        v->valid = false;
        v->ended = SC_USED;
    }
    if (!done)
        return;
    coherent_sync(c, sb, agent_of(src), k);
    coherent_takes(c, sb, agent_of(src), r->line, true);
    coherent_put(c, agent_of(src), k, r->amo_off, r->amo_dword ? 8 : 4, r->data.w[0]);
    coherent_store(c, slice, r->line);
}

static void coherent_atomic(bench_t *b, coherent_t *c, const scoreboard_t *sb, unsigned slice, unsigned src, unsigned k,
                            const mem_req_t *r, const line_data_t *data)
{
    const unsigned size = r->amo_dword ? 8 : 4;
    const uint64_t ones = ~0ull >> (64 - 8 * size), old = data->w[0] & ones;
    line_data_t want = {{old | (r->amo_dword ? 0 : old << 32)}};
    BENCH_CHECK(b, !memcmp(&want, data, sizeof want),
                "source %u, line 0x%" PRIx64 ": an atomic is answered with more than its datum", src, r->line);
    if (r->amo == AMO_SC) {
        BENCH_CHECK(b, old <= 1, "an SC is answered with %" PRIu64, old);
        coherent_sc(b, c, sb, slice, src, k, r, !old);
        return;
    }
    coherent_sync(c, sb, agent_of(src), k);
    coherent_load(b, c, src, k, r->amo_off, size, (const uint8_t *)&old, r->line);
    coherent_takes(c, sb, agent_of(src), r->line, true);
    if (r->amo == AMO_LR) {
        __typeof__(c->resv[0][0]) *v = &c->resv[slice][src];
        *v = (__typeof__(*v)){.valid = true,
                              .hart = r->hart,
                              .line = r->line,
                              .cycle = b->cycle,
                              .started = c->started,
                              .alone = scoreboard_inside(sb) == 1 && !c->maintains};
        return;
    }
    if (r->amo == AMO_CAS && old != (r->data.w[1] & ones))
        return;
    coherent_put(c, agent_of(src), k, r->amo_off, size, amo_value(r->amo, size, old, r->data.w[0]));
    coherent_store(c, slice, r->line);
}

/* A request that stores coherently: a WRITE of a part of a grain, too (docs/umh.md, Masks of four bytes). */
static bool coherent_stores(const mem_req_t *r)
{
    return r->op == MEM_STORE || (r->op == MEM_WRITE && be_partial(&r->be));
}

/* A slice hands an answer over. */
static void coherent_performs(bench_t *b, coherent_t *c, scoreboard_t *sb, unsigned slice, const net_rsp_t *n,
                              uint64_t line)
{
    const unsigned src = n->src, a = agent_of(src);
    asked_t *q = &sb->asked[src][n->rsp.id];
    BENCH_CHECK(b, src < SOURCES && q->busy && !q->done, "slice %u answers source %u with id %u, which nobody awaits",
                slice, src, n->rsp.id);
    if (b->failed)
        return;
    const mem_req_t *r = &q->r;
    const unsigned k = q->line;
    BENCH_CHECK(b, slice == slice_asked(src, r->line) && line == r->line,
                "source %u: slice %u answers for line 0x%" PRIx64 ", asked was 0x%" PRIx64, src, slice, line, r->line);
    q->done = true;
    q->answer = n->rsp.data;
    if (r->op == MEM_AMO) {
        coherent_atomic(b, c, sb, slice, src, k, r, &n->rsp.data);
        return;
    }
    const bool stores = coherent_stores(r);
    coherent_takes(c, sb, a, r->line, stores);
    if (r->op == MEM_READ) {
        coherent_load(b, c, src, k, 0, LINE_BYTES, (const uint8_t *)n->rsp.data.w, r->line);
        return;
    }
    BENCH_CHECK(b, !memcmp(&n->rsp.data, &(line_data_t){{0}}, sizeof n->rsp.data),
                "source %u: a write answered with data", src);
    if (stores)
        coherent_sync(c, sb, a, k);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        if (!(r->be.w[i / 64] >> i % 64 & 1))
            continue;
        byte_t *x = &c->byte[k][i];
        const uint8_t value = ((const uint8_t *)r->data.w)[i];
        x->pending = (uint8_t)(x->pending - (r->op == MEM_WRITE));
        if (stores) {
            coherent_becomes(c, a, k, i, value);
        } else {
            byte_n_store(x, a, value);
            c->stored[k] = true;
            c->hosts[k] |= x->host;
            c->seen[HOST_LOOSE] += x->loose;
        }
    }
    c->seen[STORE_PART] += stores && r->op == MEM_WRITE;
    c->seen[STORE_NONE] += r->op == MEM_STORE && be_none(&r->be);
    coherent_store(c, slice, r->line);
}

/* An answer at a source's port. */
static void coherent_answer(bench_t *b, scoreboard_t *sb, unsigned src, const mem_rsp_t *r)
{
    const asked_t *q = scoreboard_comes(b, sb, src, r);
    if (b->failed)
        return;
    BENCH_CHECK(b, q->done, "source %u: an answer that no slice has given", src);
    BENCH_CHECK(b, !memcmp(&q->answer, &r->data, sizeof r->data), "source %u: not the answer that its slice gave", src);
}

/* ---- maintenance ---------------------------------------------------------------------------------------------------------------------------- */

/* Slice k has done its maintenance: reservations of lines that it forgets have ended. */
static void coherent_slice_done(coherent_t *c, unsigned k, const maint_t *m)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (m->op >= L2_INVAL_LINE && c->resv[k][s].valid && c->resv[k][s].cycle < c->changed
            && scoreboard_touches(m, c->resv[k][s].line))
            c->resv[k][s].taken = true;
}

static unsigned byte_lasts(const byte_t *x)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->n; i++)
        n += byte_last(x, i);
    return n;
}

/* Every slice has done it, and nothing was requested in the meantime: from now on all agents see a last version of each of its bytes. */
static void coherent_flushed(coherent_t *c, const scoreboard_t *sb, const maint_t *m)
{
    for (unsigned k = 0; k < LINES; k++) {
        if (!c->stored[k] || !scoreboard_touches(m, sb->line[k].addr))
            continue;
        c->stored[k] = false;
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            byte_t *x = &c->byte[k][i];
            if (x->v[x->n - 1].writer != BASE)
                c->seen[byte_lasts(x) == 1 ? EXACT_ONE : EXACT_SEVERAL]++;
            if (x->loose && m->op < L2_INVAL_LINE)
                c->stored[k] = true;
            else
                byte_sync(x);
        }
    }
}

/* And everything rests: host memory holds the bytes, except those in the host's cache behind a FLUSH. Forgotten lines are then changed in the chips. */
static void coherent_maintained(bench_t *b, coherent_t *c, const scoreboard_t *sb, const maint_t *m)
{
    for (unsigned k = 0; k < LINES; k++) {
        const uint64_t line = sb->line[k].addr;
        uint8_t have[LINE_BYTES];
        if (!scoreboard_touches(m, line))
            continue;
        chips_read(line, have);
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            byte_t *x = &c->byte[k][i];
            bool fits = false;
            for (unsigned v = 0; v < x->n; v++)
                fits |= byte_last(x, v) && x->v[v].value == have[i];
            if (m->op < L2_INVAL_LINE && byte_in_cache(x)) {
                c->seen[HOST_KEEPS] += !fits;
                continue;
            }
            BENCH_CHECK(b, fits || (m->op < L2_INVAL_LINE && byte_overwritten(x, have[i])),
                        "line 0x%" PRIx64
                        ": the chips have %02x in byte %u after maintenance %u, which nobody stored last",
                        line, have[i], i, m->op);
            if (m->op >= L2_INVAL_LINE)
                byte_is(x, have[i] ^= (uint8_t)vl_random(&b->rng));
            else if (!x->loose)
                byte_is(x, have[i]);
        }
        if (m->op >= L2_INVAL_LINE)
            chips_load(line, have);
    }
}
#endif
