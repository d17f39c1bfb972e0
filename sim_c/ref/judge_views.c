/* The judge's views of memory (judge_state.h). With home = directory a plain store is seen by the device that makes it, and by others at the latest
 * when an agent stores coherently into its block, or a final flush ends (docs/coherence.md). A *viewer* is a device, or the host: all that goes through one
 * L2 slice for a line. Each has a copy of memory, `view`, as its slice answers.
 *
 * For each block with such stores, there is a record of the viewers that stored which bytes. Another viewer may read its earlier value, or a value that one of
 * them has stored since the record was begun; from then on it sees the value that it has read. A coherent access (an atomic, an LR, a store of the host) is performed by a viewer
 * that holds the block alone: then all viewers see every byte as its storer does, and the record ends. Bytes that several have stored are in no order: they
 * stay in the record, and any of these values may be read, until such an access reads or writes them.
 *
 * The moment of a slice's answer is right here as well: a slice acknowledges a probe behind the answers of all that it has performed before (docs/blocks/l2c.md), so
 * a viewer that holds a block alone answers after all others.
 *
 * With home = flat there is one viewer, and no record.
 */
#include "sim_c/ref/judge_views.h"
#include "sim_c/ref/judge_report.h"
#include <stdlib.h>
#include <string.h>

enum { FOREIGN = SOURCES, DWORDS = INTERLEAVE_BYTES / 8 };

/* Which viewers have stored which bytes into a block since all saw it alike. */
typedef struct {
    bool used;
    uint64_t since[VIEWERS]; /* writes of its view, when the record was begun */
    uint8_t by[VIEWERS][DWORDS]; /* bytes of each doubleword */
} record_t;

struct judge_views {
    map_t of; /* number of the record by block; 0: none */
    record_t *record; /* number n: record[n - 1] */
    unsigned records, room;
    bool flushing; /* a final flush has been asked for, and no kernel has begun since */
    bool reading; /* the host has asked for STATUS */
};

bool judge_views_open(judge_t *j, uint64_t base, uint64_t limit)
{
    bool ok = true;
    j->views = calloc(1, sizeof *j->views);
    for (unsigned v = 0; v < VIEWERS; v++)
        ok &= (j->view[v] = ref_mem_new(base, limit)) != NULL;
    return ok && j->views;
}

void judge_views_free(judge_t *j)
{
    for (unsigned v = 0; v < VIEWERS; v++)
        ref_mem_free(j->view[v]);
    if (j->views) {
        map_free(&j->views->of);
        free(j->views->record);
    }
    free(j->views);
}

void judge_views_begin(judge_t *j)
{
    for (unsigned v = 0; v < VIEWERS; v++)
        versions_clear(j->performed[v]);
    for (unsigned k = 0; k < j->views->records; k++)
        memset(j->views->record[k].since, 0, sizeof j->views->record[k].since);
}

/* ---- past the machine ------------------------------------------------------------------------------------------------ */

void judge_views_set(judge_t *j, uint64_t addr, const void *data, uint64_t bytes)
{
    for (unsigned v = 0; v < VIEWERS; v++)
        (void)ref_mem_write(j->view[v], addr, data, bytes);
}

void judge_views_fill(judge_t *j, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    for (unsigned v = 0; v < VIEWERS; v++)
        (void)ref_mem_fill(j->view[v], addr, byte, bytes);
}

void judge_views_share(judge_t *j, const uint8_t *bytes)
{
    for (unsigned v = 0; v < VIEWERS; v++)
        ref_mem_forget(j->view[v], bytes);
    map_clear(&j->views->of);
    j->views->records = 0;
}

/* ---- records --------------------------------------------------------------------------------------------------------- */

static record_t *record_of(const judge_t *j, uint64_t addr)
{
    const uint64_t *number = VIEWERS > 1 ? map_get(&j->views->of, addr / INTERLEAVE_BYTES) : NULL;
    return number && *number ? &j->views->record[*number - 1] : NULL;
}

static record_t *record_new(judge_t *j, uint64_t addr)
{
    judge_views_t *s = j->views;
    uint64_t *number = map_put(&s->of, addr / INTERLEAVE_BYTES);
    if (!number) {
        judge_out_of_memory(j);
        return NULL;
    }
    if (!*number) { /* a block that had a record before uses its place again */
        record_t *at = judge_room(j, s->record, s->records, &s->room, sizeof *at);
        if (!at)
            return NULL;
        s->record = at;
        *number = ++s->records;
        at[*number - 1].used = false;
    }
    record_t *r = &s->record[*number - 1];
    if (!r->used) {
        memset(r, 0, sizeof *r);
        r->used = true;
        for (unsigned v = 0; v < VIEWERS; v++)
            r->since[v] = versions_count(j->performed[v]);
    }
    return r;
}

/* Writes into one view. */
static void put(judge_t *j, unsigned viewer, version_t v, uint64_t now)
{
    (void)ref_mem_read(j->view[viewer], v.dword, &v.old, 8);
    v.now = v.old;
    for (unsigned b = 0; b < 8; b++)
        if (v.bytes >> b & 1)
            memcpy((uint8_t *)&v.now + b, (const uint8_t *)&now + b, 1);
    (void)ref_mem_write(j->view[viewer], v.dword, &v.now, 8);
    versions_add(j->performed[viewer], &v);
}

/* The bytes of a doubleword are in no record any more. */
static void settle(record_t *r, uint64_t dword, uint8_t bytes)
{
    for (unsigned v = 0; r && v < VIEWERS; v++)
        r->by[v][dword % INTERLEAVE_BYTES / 8] &= (uint8_t)~bytes;
}

void judge_view_store(judge_t *j, unsigned viewer, bool all, version_t v, uint64_t now)
{
    if (VIEWERS > 1 && !all) {
        record_t *r = record_new(j, v.dword); /* made before the write is entered into the view */
        if (r)
            r->by[viewer][v.dword % INTERLEAVE_BYTES / 8] |= v.bytes;
    } else if (VIEWERS > 1) {
        settle(record_of(j, v.dword), v.dword, v.bytes);
    }
    for (unsigned o = 0; o < VIEWERS; o++)
        if (all || o == viewer)
            put(j, o, v, now);
}

/* All viewers see each byte of a block as its only storer does. Bytes of several storers stay. */
static void spread(judge_t *j, record_t *r, uint64_t block)
{
    uint8_t left = 0;
    for (unsigned d = 0; d < DWORDS; d++) {
        uint8_t one = 0, more = 0;
        for (unsigned v = 0; v < VIEWERS; v++) {
            more |= one & r->by[v][d];
            one |= r->by[v][d];
        }
        left |= more;
        for (unsigned v = 0; v < VIEWERS && one; v++) {
            const uint8_t bytes = r->by[v][d] & (uint8_t)~more;
            const uint64_t dword = block * INTERLEAVE_BYTES + 8ull * d;
            uint64_t now;
            if (!bytes)
                continue;
            (void)ref_mem_read(j->view[v], dword, &now, 8);
            for (unsigned o = 0; o < VIEWERS; o++)
                if (o != v)
                    put(j, o, (version_t){.dword = dword, .bytes = bytes, .core = FOREIGN}, now);
            r->by[v][d] &= more;
        }
    }
    r->used = left != 0;
}

void judge_view_owns(judge_t *j, uint64_t line)
{
    record_t *r = record_of(j, line * LINE_BYTES);
    if (r && r->used)
        spread(j, r, line * LINE_BYTES / INTERLEAVE_BYTES);
}

void judge_views_flushed(judge_t *j)
{
    const map_t *of = &j->views->of;
    for (uint64_t k = 0; k < of->room; k++) {
        record_t *r = of->at[k].key && of->at[k].value ? &j->views->record[of->at[k].value - 1] : NULL;
        if (r && r->used)
            spread(j, r, of->at[k].key - 1);
    }
}

/* Has another viewer stored this byte since the record was begun? */
static bool stored(judge_t *j, const record_t *r, unsigned viewer, uint64_t addr, uint8_t claimed)
{
    const unsigned b = addr % 8, d = addr % INTERLEAVE_BYTES / 8;
    for (unsigned o = 0; o < VIEWERS; o++) {
        uint8_t sees;
        if (o == viewer || !(r->by[o][d] >> b & 1))
            continue;
        (void)ref_mem_read(j->view[o], addr, &sees, 1);
        if (sees == claimed)
            return true;
        const version_t *v;
        version_walk_t walk = versions_of(j->performed[o], addr, r->since[o]);
        while ((v = versions_walk(&walk)))
            if (v->bytes >> b & 1 && (uint8_t)(v->now >> (8 * b)) == claimed)
                return true;
        if (walk.lost) {
            judge_waive(j, WAIVED_LOADS);
            return true;
        }
    }
    return false;
}

void judge_view_adopt(judge_t *j, unsigned viewer, uint64_t addr, const uint8_t *claimed, unsigned bytes, bool alone)
{
    record_t *r = record_of(j, addr);
    if (!r || !r->used)
        return;
    for (unsigned k = 0; k < bytes; k++, addr++) {
        const unsigned b = addr % 8;
        uint8_t sees;
        (void)ref_mem_read(j->view[viewer], addr, &sees, 1);
        if (sees != claimed[k] && !stored(j, r, viewer, addr, claimed[k]))
            continue;
        const version_t v = {.dword = addr - b, .bytes = (uint8_t)(1u << b), .core = FOREIGN};
        for (unsigned o = 0; o < VIEWERS; o++)
            if (o == viewer ? sees != claimed[k] : alone)
                put(j, o, v, (uint64_t)claimed[k] << (8 * b));
        if (alone)
            settle(r, addr - b, v.bytes);
    }
}

/* ---- the final flush ------------------------------------------------------------------------------------------------- */

void judge_views_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    judge_views_t *s = j->views;
    if (VIEWERS == 1)
        return;
    if (s->reading && o->ctl_rsp_valid) {
        s->reading = false;
        if (s->flushing && !reg_status_get(o->ctl_rsp.data).maint) {
            s->flushing = false;
            judge_views_flushed(j);
        }
    }
    if (!in->ctl_req_valid || !o->ctl_req_ready)
        return;
    const unsigned addr = in->ctl_req.addr & ~7u;
    if (!in->ctl_req.write) {
        s->reading = addr == REG_STATUS;
    } else if (addr == REG_MAINT) {
        const unsigned op = reg_maint_get(in->ctl_req.data).op;
        s->flushing |= !o->running && (op == MAINT_OP_FLUSH_ALL || op == MAINT_OP_INVAL_ALL);
    } else if (reg_in_slot(addr) == REG_CMD) {
        s->flushing = false;
    }
}
