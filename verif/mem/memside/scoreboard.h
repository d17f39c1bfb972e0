/* The scoreboard of the memory side (chips.h, or its substitute, has chips_load, chips_read, chips_hold): lines as arrays of bytes, no caches, no queues. (home = flat; coherent.h has that of home = directory, over the pending requests here.) The answers about a line come in the order in which its slice performed the
 * requests (networks keep it), so each answer is the next request performed, and must carry its result on these bytes. */
#ifndef VERIF_MEMSIDE_SCOREBOARD_H
#define VERIF_MEMSIDE_SCOREBOARD_H
#include "verif/common/atomics.h"

enum { NEAR = PAGE_LINES, SET = 2 * L2_WAYS + 4, BANK = 24, FAR = 40, LINES = NEAR + SET + BANK + FAR };
enum { IDS = 1 << (MEM_IDX_W + 3), INSIDE = 48 }; /* INSIDE: of a source */

typedef struct {
    bool busy, done; /* done: its slice has answered (home = directory) */
    unsigned line;
    uint64_t since;
    mem_req_t r;
    line_data_t answer;
} asked_t;
typedef struct {
    struct {
        uint64_t addr;
        uint8_t now[LINE_BYTES];
    } line[LINES];
    asked_t asked[SOURCES][IDS];
    uint16_t inside[SOURCES][INSIDE]; /* ids, oldest first */
    unsigned count[SOURCES], wanted[LINES][SOURCES];
    /* Each slice has reservations of its own. */
    struct {
        bool valid;
        uint8_t ended;
        uint64_t hart, line;
    } resv[SLICES][SOURCES];
    uint64_t sc[SC_N], answers[SOURCES];
} scoreboard_t;

static bool scoreboard_new_line(scoreboard_t *sb, unsigned k, uint64_t addr, struct vl_rng *rng)
{
    for (unsigned i = 0; i < k; i++)
        if (sb->line[i].addr == addr)
            return false;
    sb->line[k].addr = addr;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        sb->line[k].now[i] = (uint8_t)vl_random(rng);
    chips_load(addr, sb->line[k].now);
    return true;
}

static unsigned scoreboard_inside(const scoreboard_t *sb)
{
    unsigned n = 0;
    for (unsigned s = 0; s < SOURCES; s++)
        n += sb->count[s];
    return n;
}

static void scoreboard_take(bench_t *b, scoreboard_t *sb, unsigned src, unsigned k, const mem_req_t *r)
{
    sb->asked[src][r->id] = (asked_t){.busy = true, .line = k, .since = b->cycle, .r = *r};
    sb->inside[src][sb->count[src]++] = r->id;
    sb->wanted[k][src]++;
}

static void scoreboard_store(scoreboard_t *sb, unsigned slice, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (sb->resv[slice][s].valid && sb->resv[slice][s].line == line) {
            sb->resv[slice][s].valid = false;
            sb->resv[slice][s].ended = SC_BROKEN;
        }
}

/* Whether a store-conditional may; it ends the reservation of its hart. */
static bool scoreboard_sc(scoreboard_t *sb, unsigned slice, unsigned src, const mem_req_t *r)
{
    bool valid = sb->resv[slice][src].valid, hart = sb->resv[slice][src].hart == r->hart,
         line = sb->resv[slice][src].line == r->line;
    sb->sc[!valid ? sb->resv[slice][src].ended : !hart ? SC_HART : !line ? SC_LINE : r->sc_fail ? SC_CORE : SC_OK]++;
    if (valid && hart) {
        sb->resv[slice][src].valid = false;
        sb->resv[slice][src].ended = SC_USED;
    }
    return valid && hart && line && !r->sc_fail;
}

/* Performs an atomic; returns its answer. */
static uint64_t scoreboard_amo(scoreboard_t *sb, unsigned slice, unsigned src, const mem_req_t *r, uint8_t *p)
{
    const unsigned size = r->amo_dword ? 8 : 4;
    uint64_t old = datum_get(p, size), now = amo_value(r->amo, size, old, r->data.w[0]);
    switch (r->amo) {
    case AMO_CAS:
        if (old != (r->amo_dword ? r->data.w[1] : (uint32_t)r->data.w[1]))
            return old;
        break;
    case AMO_LR:
        sb->resv[slice][src].valid = true;
        sb->resv[slice][src].hart = r->hart;
        sb->resv[slice][src].line = r->line;
        return old;
    case AMO_SC:
        if (!scoreboard_sc(sb, slice, src, r))
            return 1;
        old = 0;
        break;
    default: break;
    }
    for (unsigned i = 0; i < size; i++, now >>= 8)
        p[i] = (uint8_t)now;
    scoreboard_store(sb, slice, r->line);
    return old;
}

/* An answer at a source's port: returns its request. */
static asked_t *scoreboard_comes(bench_t *b, scoreboard_t *sb, unsigned src, const mem_rsp_t *a)
{
    asked_t *q = &sb->asked[src][a->id];
    unsigned at = 0;
    BENCH_CHECK(b, q->busy, "source %u: an answer with id %u, which nobody awaits", src, a->id);
    if (b->failed)
        return q;
    while (sb->inside[src][at] != a->id)
        at++;
    /* With directories an SC may fail at once, whatever its line waits for. */
    const bool early = HOME == HOME_DIRECTORY && q->r.op == MEM_AMO && q->r.amo == AMO_SC && a->data.w[0];
    for (unsigned i = 0; i < at; i++)
        BENCH_CHECK(b, early || sb->asked[src][sb->inside[src][i]].line != q->line,
                    "source %u: an answer before that of an older request to its line", src);
    memmove(&sb->inside[src][at], &sb->inside[src][at + 1], (--sb->count[src] - at) * sizeof sb->inside[src][0]);
    q->busy = false;
    sb->wanted[q->line][src]--;
    sb->answers[src]++;
    return q;
}

/* What these bytes make of it (home = flat). */
static void scoreboard_answer(bench_t *b, scoreboard_t *sb, unsigned src, const mem_rsp_t *a)
{
    const asked_t *q = scoreboard_comes(b, sb, src, a);
    if (b->failed)
        return;
    const mem_req_t *r = &q->r;
    uint8_t *now = sb->line[q->line].now;
    unsigned slice = where(r->line).slice;
    line_data_t want = {{0}};
    if (r->op == MEM_READ) {
        memcpy(want.w, now, LINE_BYTES);
    } else if (r->op == MEM_WRITE) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r->be.w[i / 64] >> i % 64 & 1)
                now[i] = ((const uint8_t *)r->data.w)[i];
        scoreboard_store(sb, slice, r->line);
    } else {
        want.w[0] = scoreboard_amo(sb, slice, src, r, now + r->amo_off);
        if (!r->amo_dword)
            want.w[0] |= want.w[0] << 32;
    }
    BENCH_CHECK(b, !memcmp(&want, &a->data, sizeof want), "source %u, line 0x%" PRIx64 ": %s", src, r->line,
                r->op == MEM_READ    ? "a read that is not what was written last"
                : r->op == MEM_WRITE ? "a write answered with data"
                                     : "an atomic's wrong result");
}

static bool scoreboard_touches(const maint_t *m, uint64_t line)
{
    switch (m->op) {
    case L2_FLUSH_LINE:
    case L2_INVAL_LINE: return line == m->line;
    case L2_FLUSH_PAGE:
    case L2_INVAL_PAGE: return line / PAGE_LINES == m->line / PAGE_LINES;
    default: return true;
    }
}

/* Everything rests after a maintenance: the chips hold its lines. Forgotten lines are then changed behind the slices' backs, which must see it. */
static void scoreboard_maintained(bench_t *b, scoreboard_t *sb, const maint_t *m)
{
    for (unsigned k = 0; k < LINES; k++) {
        if (!scoreboard_touches(m, sb->line[k].addr))
            continue;
        BENCH_CHECK(b, chips_hold(sb->line[k].addr, sb->line[k].now),
                    "line 0x%" PRIx64 ": the chips do not hold what was written, after maintenance", sb->line[k].addr);
        if (m->op < L2_INVAL_LINE)
            continue;
        for (unsigned i = 0; i < LINE_BYTES; i++)
            sb->line[k].now[i] ^= (uint8_t)vl_random(&b->rng);
        chips_load(sb->line[k].addr, sb->line[k].now);
    }
}
#endif
