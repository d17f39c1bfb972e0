/* Bench of l1d: a memory that answers in any order, lines that fight for few sets or spread over many. Besides the twin, every load is
 * held against the contents that the line has in program order. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 50000
#include "verif/common/bench.h"
#include "l1d_ports.h"
#include "verif/cache/l1d/page.h"

enum {
    COV_WAYS,
    COV_EVICT,
    COV_HIT_PENDING,
    COV_MERGE_LAST,
    COV_MERGE_FULL,
    COV_POISON_WAIT,
    COV_ST_HIT,
    COV_ST_MISS,
    COV_ST_POISON,
    COV_ST_STALL,
    COV_FILL_STORE,
    COV_FILL_AMO,
    COV_FILL_INVAL,
    COV_FILL_INVAL_I,
    COV_MSHRS_FULL,
    COV_RESERVED,
    COV_AMO_HIT,
    COV_SLOTS_FULL,
    COV_BOTH_DONE,
    COV_RSP_STALL,
    COV_MEM_STALL,
    COV_INVAL_DONE,
    COV_INVAL_PENDING,
    COV_BYPASS,
    COV_ORDER,
    COV_ACKS,
    COV_IDLE,
    COV_SECTORS,
    COV_SECTORS_ST,
    COV_MERGE_SECTOR,
    COV_EARLY_HIT,
    COV_EARLY_MISS,
    COV_EARLY_MERGE,
    COV_EARLY_SECOND,
    COV_EARLY_DROPPED,
    COV_EARLY_DROPPED_STALL,
    COV_EARLY_STALL,
    COV_EARLY_ROW,
    COV_AHEAD,
    COV_AHEAD_HIT,
    COV_AHEAD_MERGE,
    COV_AHEAD_FILL_MERGE,
    COV_AHEAD_UNASKED,
    COV_AHEAD_POISON,
    COV_AHEAD_HERE,
    COV_AHEAD_ONE_LEFT,
    COV_AHEAD_RESERVED,
    COV_AHEAD_MEM,
    COV_AHEAD_JAM,
    COV_AHEAD_LAST,
    COV_AHEAD_FIRST,
    COV_AHEAD_NOT_FOUND,
    COV_AHEAD_PENDING,
    COV_AHEAD_BUSY,
    COV_AHEAD_OTHER,
    COV_AHEAD_INVAL,
    COV_AHEAD_INVAL_I,
    COV_AHEAD_EVICTED,
    COV_TOLD_MISS,
    COV_TOLD_MERGE,
    COV_TOLD_OWN,
    COV_TOLD_OTHER,
    COV_TOLD_WALKED,
    COV_TOLD_AHEAD,
    COV_TOLD_OF_AHEAD,
    COV_TOLD_CHAIN,
    COV_TOLD_INVAL,
    COV_TOLD_GONE,
    COV_N
};
static const char *const cover[] = {
    "all ways of a set hit",
    "a line that was evicted is loaded again",
    "hit while a fill is awaited",
    "merge as the last target",
    "stall of an MSHR without a free target",
    "load waits for a poisoned MSHR",
    "store hit",
    "store miss",
    "store poisons",
    "store hit waits for a fill",
    "fill and the store that poisons it",
    "fill and the AMO that poisons it",
    "fill and the INVAL that poisons it",
    "fill and inval_i",
    "all MSHRs busy",
    "all ways of a set reserved",
    "AMO that hits",
    "all atomic slots busy",
    "fills and atomics wait for the response port",
    "response stalled",
    "memory port stalled",
    "INVAL with a done MSHR",
    "INVAL with a pending MSHR",
    "same set right behind an allocation",
    "responses out of order",
    "acknowledgements in consecutive cycles",
    "idle",
    "hits in each sector",
    "each sector stored",
    "requests for several sectors in one MSHR",
    "early request hits",
    "misses",
    "merges",
    "merges right behind the allocation",
    "is dropped",
    "is dropped while another one stalls",
    "waits for another one when its frame comes",
    "early requests in consecutive cycles",
    "a line is fetched ahead",
    "and hit",
    "and merged with on its way",
    "and merged with as it arrives",
    "and arrives before it is asked for",
    "and poisoned on its way",
    "a line to be fetched ahead is here",
    "finds one MSHR",
    "finds no way",
    "finds the memory port taken",
    "finds that it was not long ago",
    "none behind the last line of a page",
    "one behind the first line of a page at once",
    "the line before is not here",
    "the line before is awaited",
    "waits for the queue to be empty",
    "gives way to a newer one",
    "is forgotten by INVAL",
    "is forgotten by inval_i",
    "a line fetched ahead is put out unasked",
    "a miss is told, and no line goes",
    "a merge is told",
    "a line goes for another of its warp",
    "a line goes for one of another warp",
    "a miss is told whose page had not been found either",
    "a line goes for one fetched ahead",
    "a line goes that was fetched ahead for another warp than the one that asked for it",
    "a line behind one fetched ahead is that of who asked for this one",
    "a line goes at the edge of inval_i",
    "what AMO or INVAL made invalid is not told"};

enum { POOL = 64, INSIDE = 256, SETS = L1D_BYTES / (LINE_BYTES * L1D_WAYS), SLOTS = THREADS < 32 ? THREADS : 32 };
typedef struct {
    bool busy;
    l1d_tag_t tag;
    uint64_t want[SECTOR_BYTES / 8];
} awaited_t;
typedef struct {
    uint64_t due, sent;
    mem_rsp_t rsp;
    unsigned slot;
} flight_t;
typedef struct {
    uint64_t addr[POOL];
    vl_bits_1024 prog[POOL]; /* contents in program order */
    vl_bits_1024 mem[POOL]; /* contents at the memory side */
    bool offered;
    l1d_req_t req, early_req; /* early_req: the early request taken in the last cycle, and its frame */
    bool early, early_wanted;
    awaited_t awaited[INSIDE];
    flight_t flight[INSIDE];
    unsigned flights, id;
    unsigned stores; /* stores performed and not acknowledged yet */
    unsigned valid, ready, mready, latency, mix, span, base;
    /* what is known of the inside, for coverage */
    struct {
        uint8_t op, sector;
        bool early;
        unsigned k;
    } order[8]; /* taken, not yet left s2 */
    unsigned norder;
    bool resident[POOL + 1], was[POOL + 1], poisoned[L1D_MSHRS], read_out[L1D_MSHRS];
    unsigned loaded, stored, missed_sector; /* sectors */
    unsigned mshr_line[L1D_MSHRS], mshr_sectors[L1D_MSHRS], mshr_targets[L1D_MSHRS], undelivered, fills_ready,
        amos_ready, ways_seen, last_miss_set;
    uint64_t hits_in_set;
    unsigned policy, pause; /* pause: cycles without a request, behind an INVAL */
    bool hold; /* memory answers lines fetched ahead only when a load needs them */
    bool streams; /* neighbouring lines, one after the other */
    unsigned walk;
    bool last_ack, last_was_miss, last_inval_i;
    unsigned last_miss;
    unsigned fill_id, reads;
    bool filled;
    page_t page;
} env_t;

static unsigned set_of(uint64_t line)
{
    return (unsigned)(line % SETS);
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    BENCH_COVER(b, COV_MERGE_SECTOR, SECTORS == 1);
    for (unsigned k = 0; k < POOL; k++) {
        uint64_t tag = vl_random_bits(&b->rng, 24);
        switch (b->mode) {
        case 0: e->addr[k] = 0x100 * SETS + k; break; /* many sets */
        case 1: e->addr[k] = (uint64_t)k * SETS + 3 % SETS; break; /* one set */
        case 2: e->addr[k] = (uint64_t)(k / 2) * SETS + k % 2; break; /* two sets */
        default: e->addr[k] = tag * SETS * POOL + (uint64_t)k * SETS + vl_below(&b->rng, SETS); break;
        }
        vl_random_wide(&b->rng, 1024, e->mem[k].w);
        e->prog[k] = e->mem[k];
    }
}

static void style(bench_t *b, env_t *e)
{
    e->valid = vl_below(&b->rng, 3) ? 250 : 40 + vl_below(&b->rng, 150);
    e->ready = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 200);
    e->mready = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 120);
    e->latency = vl_below(&b->rng, 2) ? 3 + vl_below(&b->rng, 8) : 20 + vl_below(&b->rng, 200);
    e->mix = vl_below(&b->rng, 6);
    e->span = 1 + vl_below(&b->rng, vl_below(&b->rng, 2) ? L1D_WAYS + 4 : 3);
    if (vl_below(&b->rng, 4) == 0)
        e->span = POOL;
    else if (vl_below(&b->rng, 4) == 0)
        e->span = L1D_WAYS; /* as many lines as a set has ways, so that they stay */
    e->base = vl_below(&b->rng, POOL);
    e->policy = vl_below(&b->rng, 5);
    e->policy = e->policy == 4 ? PREFETCH_STREAM : e->policy;
    e->streams = vl_below(&b->rng, 2);
    e->hold = vl_below(&b->rng, 2);
}

static bool tag_in_use(const env_t *e, const l1d_tag_t *t)
{
    for (unsigned i = 0; i < INSIDE; i++)
        if (e->awaited[i].busy && e->awaited[i].tag.entry == t->entry && e->awaited[i].tag.tmask == t->tmask)
            return true;
    return false;
}

/* A tag that no request waits with; atomics have one thread, loads more than one. */
static bool pick_tag(bench_t *b, env_t *e, bool amo, l1d_tag_t *t)
{
    for (unsigned tries = 0; tries < 64; tries++) {
        t->entry = vl_below(&b->rng, LSU_ENTRIES);
        uint64_t m = vl_random_bits(&b->rng, THREADS);
        t->tmask = amo ? 1ull << vl_below(&b->rng, THREADS) : m;
        if ((amo || (m & (m - 1))) && !tag_in_use(e, t))
            return true;
    }
    return false;
}

static unsigned find(const env_t *e, uint64_t line)
{
    for (unsigned k = 0; k < POOL; k++)
        if (e->addr[k] == line)
            return k;
    return POOL;
}

static bool make(bench_t *b, env_t *e, l1d_req_t *r)
{
    unsigned p = vl_below(&b->rng, 64), k = (e->base + vl_below(&b->rng, e->span)) % POOL;
    if (e->streams && vl_below(&b->rng, 4))
        k = (e->walk += vl_below(&b->rng, 6) == 0) % POOL;
    for (unsigned i = 0; i < L1D_MSHRS; i++) { /* what is being fetched ahead */
        const page_mshr_t *m = &e->page.mshr[i];
        if (m->valid && !m->count && find(e, m->line) < POOL && vl_below(&b->rng, 6) == 0)
            k = find(e, m->line);
    }
    memset(r, 0, sizeof *r);
    r->line = e->addr[k];
    r->warp = vl_below(&b->rng, WARPS);
    unsigned stores = e->mix == 0   ? 0
                      : e->mix == 1 ? 16
                      : e->mix == 2 ? 32
                                    : 8,
             amos = e->mix == 5   ? 56
                    : e->mix == 3 ? 24
                    : e->mix      ? 2
                                  : 0;
    r->op = p < stores ? L1D_STORE : p < stores + amos ? L1D_AMO : p == 63 && e->mix == 4 ? L1D_INVAL : L1D_LOAD;
    if (r->op == L1D_STORE) {
        uint8_t be[SECTOR_BYTES / 8], keep = vl_below(&b->rng, 2) ? 0xff : (uint8_t)vl_random(&b->rng);
        for (unsigned i = 0; i < sizeof be; i++)
            be[i] = (uint8_t)vl_random(&b->rng) & keep;
        memcpy(&r->be, be, sizeof be);
        for (unsigned i = 0; i < SECTOR_BYTES; i++)
            if (be[i / 8] >> i % 8 & 1)
                ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
        r->sector = vl_below(&b->rng, SECTORS);
    } else if (r->op == L1D_AMO) {
        r->amo = vl_below(&b->rng, 12);
        r->amo_dword = true;
        r->amo_off = 8 * vl_below(&b->rng, 16);
        r->hart = vl_random_bits(&b->rng, HART_W);
        r->data.w[0] = vl_random(&b->rng);
        return pick_tag(b, e, true, &r->tag);
    } else if (r->op == L1D_LOAD) {
        r->sector = vl_below(&b->rng, SECTORS);
        r->walked = LOCALITY_ENTRIES != 0 && vl_below(&b->rng, 2);
        return pick_tag(b, e, false, &r->tag);
    } else {
        r->line = 0;
    }
    return true;
}

/* The operand of an atomic (performed as an exchange), put into a line. Returns the old doubleword. */
static uint64_t exchange(vl_bits_1024 *line, uint64_t data, unsigned off)
{
    uint64_t old = line->w[off / 8];
    line->w[off / 8] = data;
    return old;
}

/* Bytes of a store, put into a line or a sector of it. */
static void put(void *to, const void *be, const void *data, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (((const uint8_t *)be)[i / 8] >> i % 8 & 1)
            ((uint8_t *)to)[i] = ((const uint8_t *)data)[i];
}

static void await(bench_t *b, env_t *e, const l1d_tag_t *tag, const void *want)
{
    for (unsigned i = 0; i < INSIDE; i++)
        if (!e->awaited[i].busy) {
            e->awaited[i].busy = true;
            e->awaited[i].tag = *tag;
            memcpy(e->awaited[i].want, want, SECTOR_BYTES);
            return;
        }
    BENCH_CHECK(b, false, "too many requests inside");
}

/* A request left s2 at the last edge: which one, and what that means for coverage. */
static void left(bench_t *b, env_t *e, const ev_l1d_t *ev)
{
    bool load = ev->l1d_loads, store = ev->l1d_stores, amo = ev->l1d_atomics;
    bool inval = ev->l1d_invals && e->norder && e->order[0].op == L1D_INVAL && !e->last_inval_i;
    if (ev->l1d_fills) {
        unsigned k = e->mshr_line[e->fill_id];
        bool fresh = ev->l1d_fills_dropped && !e->poisoned[e->fill_id];
        BENCH_COVER(b, COV_FILL_STORE, fresh && store && e->norder && e->order[0].k == k);
        BENCH_COVER(b, COV_FILL_AMO, fresh && amo && e->norder && e->order[0].k == k);
        BENCH_COVER(b, COV_FILL_INVAL, fresh && inval);
        BENCH_COVER(b, COV_FILL_INVAL_I, fresh && e->last_inval_i);
        e->read_out[e->fill_id] = false;
        e->resident[k] = !ev->l1d_fills_dropped;
        e->was[k] |= e->resident[k];
    }
    if (ev->l1d_invals) {
        BENCH_COVER(b, COV_INVAL_PENDING, e->reads);
        BENCH_COVER(b, COV_INVAL_DONE, e->fills_ready);
        memset(e->resident, 0, sizeof e->resident);
        memset(e->was, 0, sizeof e->was);
        memset(e->poisoned, 1, sizeof e->poisoned);
        e->hits_in_set = 0;
    }
    if (!(load || store || amo || inval))
        return;
    BENCH_CHECK(b, e->norder, "a request left that never came");
    unsigned k = e->order[0].k, sector = 1u << e->order[0].sector;
    const bool early = e->order[0].early;
    unsigned pending = L1D_MSHRS;
    for (unsigned i = 0; i < L1D_MSHRS; i++)
        if (e->read_out[i] && e->mshr_line[i] == k)
            pending = i;
    memmove(e->order, e->order + 1, --e->norder * sizeof *e->order);
    BENCH_COVER(b, COV_ST_HIT, ev->l1d_store_hits);
    BENCH_COVER(b, COV_ST_MISS, store && !ev->l1d_store_hits);
    BENCH_COVER(b, COV_ST_POISON, store && pending < L1D_MSHRS);
    BENCH_COVER(b, COV_AMO_HIT, amo && e->resident[k]);
    BENCH_COVER(b, COV_HIT_PENDING, ev->l1d_load_hits && e->reads);
    BENCH_COVER(b, COV_EVICT, load && !ev->l1d_load_hits && !ev->l1d_load_merges && e->was[k]);
    bool miss = load && !ev->l1d_load_hits && !ev->l1d_load_merges;
    BENCH_COVER(b, COV_EARLY_HIT, early && ev->l1d_load_hits);
    BENCH_COVER(b, COV_EARLY_MISS, early && miss);
    BENCH_COVER(b, COV_EARLY_MERGE, early && ev->l1d_load_merges);
    BENCH_COVER(b, COV_EARLY_SECOND, early && ev->l1d_load_merges && e->last_was_miss && e->last_miss == k);
    e->last_miss = k;
    BENCH_COVER(b, COV_BYPASS, e->last_was_miss && !inval && set_of(e->addr[k]) == e->last_miss_set);
    e->last_was_miss = miss;
    if (miss) {
        e->last_miss_set = set_of(e->addr[k]);
        e->hits_in_set = 0;
        e->was[k] = false;
    }
    if ((store || amo) && pending < L1D_MSHRS)
        e->poisoned[pending] = true;
    if (ev->l1d_load_merges && pending < L1D_MSHRS)
        BENCH_COVER(b, COV_MERGE_LAST, ++e->mshr_targets[pending] == L1D_TARGETS);
    if (miss)
        e->missed_sector = sector;
    if (ev->l1d_load_merges && pending < L1D_MSHRS) {
        e->mshr_sectors[pending] |= sector;
        BENCH_COVER(b, COV_MERGE_SECTOR, e->mshr_sectors[pending] & (e->mshr_sectors[pending] - 1));
    }
    e->loaded |= ev->l1d_load_hits ? sector : 0;
    e->stored |= ev->l1d_store_hits ? sector : 0;
    BENCH_COVER(b, COV_SECTORS, e->loaded == (1u << SECTORS) - 1);
    BENCH_COVER(b, COV_SECTORS_ST, e->stored == (1u << SECTORS) - 1);
    if (amo) {
        e->resident[k] = e->was[k] = false;
        e->hits_in_set &= ~(1ull << k);
    }
    if (ev->l1d_load_hits && b->mode == 1) {
        e->hits_in_set |= 1ull << k;
        BENCH_COVER(b, COV_WAYS, __builtin_popcountll(e->hits_in_set) == L1D_WAYS);
    }
}

/* A request that is in the L1D for good, in program order. */
static void taken(bench_t *b, env_t *e, const l1d_req_t *r, bool early)
{
    unsigned k = r->op == L1D_INVAL ? POOL : find(e, r->line);
    if (r->op == L1D_LOAD) {
        await(b, e, &r->tag, e->prog[k].w + r->sector * (SECTOR_BYTES / 8));
    } else if (r->op == L1D_AMO) {
        uint64_t want[SECTOR_BYTES / 8] = {exchange(&e->prog[k], r->data.w[0], r->amo_off)};
        await(b, e, &r->tag, want);
    } else if (r->op == L1D_STORE) {
        put((uint8_t *)e->prog[k].w + r->sector * SECTOR_BYTES, &r->be, r->data.w, SECTOR_BYTES);
    }
    e->order[e->norder].op = r->op;
    e->order[e->norder].sector = r->sector;
    e->order[e->norder].early = early;
    e->order[e->norder++].k = k;
}

/* The frame of the early request of the last cycle comes, or its page was not found, or its look-up does not stand. */
static void frame(bench_t *b, env_t *e, const l1d_out_t *out, l1d_in_t *in)
{
    const bool stall = out->ev.l1d_stall_mem | out->ev.l1d_stall_mshr | out->ev.l1d_stall_merge | out->ev.l1d_stall_rsp
                       | out->ev.l1d_stall_store | out->ev.l1d_stall_atomic;
    in->early = e->early && vl_below(&b->rng, 4);
    if (!e->early)
        return;
    e->early = false;
    in->found.hit = vl_below(&b->rng, 4) != 0;
    BENCH_COVER(b, COV_EARLY_STALL, stall);
    if (!in->early || !in->found.hit) {
        BENCH_COVER(b, COV_EARLY_DROPPED, true);
        BENCH_COVER(b, COV_EARLY_DROPPED_STALL, stall);
        return;
    }
    in->found.ppn = e->early_req.line >> 5;
    taken(b, e, &e->early_req, true);
}

/* An answer on its way is that of a line fetched ahead which no load has asked for. */
static bool unasked(const env_t *e, unsigned flight)
{
    const unsigned id = e->flight[flight].rsp.id;
    return id < L1D_MSHRS && e->page.mshr[id].valid && !e->page.mshr[id].count;
}

static void stimulate(bench_t *b, env_t *e, const l1d_out_t *out, l1d_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    l1d_in_random(&b->rng, in);
    in->l1d_rsp_ready = vl_chance(&b->rng, e->ready);
    in->mem_req_ready = vl_chance(&b->rng, e->mready);
    in->mem_rsp_valid = false;
    in->prefetch = e->policy;

    left(b, e, &out->ev);
    bool inval_inside = e->offered && e->req.op == L1D_INVAL;
    for (unsigned i = 0; i < e->norder; i++)
        inval_inside |= e->order[i].op == L1D_INVAL;
    in->inval = !inval_inside && vl_below(&b->rng, e->mix == 4 ? 40 : 600) == 0;

    if (out->idle)
        for (unsigned i = 0; i < INSIDE; i++)
            BENCH_CHECK(b, !e->awaited[i].busy, "idle although a response is awaited");

    /* Requests. */
    const bool early_was = e->early;
    frame(b, e, out, in);
    e->pause -= e->pause != 0;
    if (!e->offered && !e->pause && vl_chance(&b->rng, e->valid)) {
        e->offered = make(b, e, &e->req);
        e->early_wanted = e->req.op == L1D_LOAD && vl_below(&b->rng, 2);
    }
    in->l1d_req_valid = e->offered;
    in->l1d_req = e->req;
    if (e->early_wanted) {
        in->l1d_req.early = true;
        in->l1d_req.line %= 32;
    }
    if (e->offered && out->l1d_req_ready) {
        BENCH_COVER(b, COV_EARLY_ROW, e->early_wanted && early_was);
        if (e->early_wanted) {
            e->early = true;
            e->early_req = e->req;
        } else {
            taken(b, e, &e->req, false);
        }
        if (e->req.op == L1D_INVAL)
            e->pause = vl_below(&b->rng, 6);
        e->offered = false;
    }

    /* Responses. */
    if (out->l1d_rsp_valid && in->l1d_rsp_ready) {
        const l1d_rsp_t *r = &out->l1d_rsp;
        bool known = false;
        for (unsigned i = 0; i < INSIDE && !known; i++) {
            awaited_t *a = &e->awaited[i];
            if (a->busy && a->tag.entry == r->tag.entry && a->tag.tmask == r->tag.tmask) {
                known = true;
                a->busy = false;
                BENCH_CHECK(b, !memcmp(a->want, r->data.w, SECTOR_BYTES),
                            "entry %u gets data that are not those of program order", r->tag.entry);
            }
        }
        BENCH_CHECK(b, known, "a response nobody waits for");
    }
    if (out->l1d_ack) {
        BENCH_CHECK(b, e->stores, "an acknowledgement of a store that has not been performed");
        e->stores--;
    }

    /* Memory: performs in the order sent, answers in any order. */
    if (out->mem_req_valid && out->mem_req.op == MEM_READ && !e->read_out[out->mem_req.id & 127]) {
        unsigned id = out->mem_req.id & 127;
        e->read_out[id] = true;
        e->poisoned[id] = false;
        e->mshr_targets[id] = !out->ev.l1d_prefetches;
        e->mshr_sectors[id] = out->ev.l1d_prefetches ? 0 : e->missed_sector;
        e->mshr_line[id] = find(e, out->mem_req.line);
    }
    if (out->mem_req_valid && in->mem_req_ready) {
        const mem_req_t *r = &out->mem_req;
        flight_t *f = &e->flight[e->flights++];
        unsigned k = find(e, r->line);
        BENCH_CHECK(b, e->flights < INSIDE, "too many memory requests");
        BENCH_CHECK(b, k < POOL || (r->op == MEM_READ && r->line % 32 && find(e, r->line - 1) < POOL),
                    "a memory request for line 0x%" PRIx64, (uint64_t)r->line);
        memset(f, 0, sizeof *f);
        f->due = b->cycle + 1 + vl_below(&b->rng, e->latency);
        f->rsp.id = r->id;
        f->sent = e->id++;
        if (r->op == MEM_READ && k == POOL)
            vl_random_wide(&b->rng, 1024, f->rsp.data.w);
        else if (r->op == MEM_READ)
            f->rsp.data = e->mem[k];
        else if (r->op == MEM_AMO)
            f->rsp.data.w[0] = exchange(&e->mem[k], r->data.w[0], r->amo_off);
        else
            put(e->mem[k].w, r->be.w, r->data.w, LINE_BYTES);
    }
    e->filled = false;
    if (e->flights && vl_chance(&b->rng, 230)) {
        unsigned i = vl_below(&b->rng, e->flights);
        bool held = e->hold && unasked(e, i) && b->cycle < e->flight[i].due + 200;
        for (unsigned j = 0; j < e->flights; j++) /* answer it at the edge of the first load that needs it */
            if (unasked(e, j) && e->page.s2_valid && e->page.s2_is == PG_REQUEST && e->page.s2.op == L1D_LOAD
                && e->page.s2.line == e->page.mshr[e->flight[j].rsp.id].line) {
                i = j;
                held = false;
            }
        if (!held && e->flight[i].due <= b->cycle) {
            flight_t *f = &e->flight[i];
            in->mem_rsp_valid = true;
            in->mem_rsp = f->rsp;
            for (unsigned j = 0; j < e->flights; j++)
                BENCH_COVER(b, COV_ORDER, e->flight[j].sent < f->sent);
            if ((f->rsp.id >> MEM_IDX_W) == 0) {
                e->filled = true;
                e->fill_id = f->rsp.id & 127;
                e->fills_ready = 8;
            } else if ((f->rsp.id >> MEM_IDX_W) == 1) {
                e->stores++;
            } else if ((f->rsp.id >> MEM_IDX_W) == 2) {
                e->amos_ready = 8;
            }
            *f = e->flight[--e->flights];
        }
    }
    /* Fills and atomics that arrive while no answer can have been taken. */
    bool stalled = out->l1d_rsp_valid && !in->l1d_rsp_ready;
    if (!stalled) {
        e->fills_ready -= e->fills_ready != 0;
        e->amos_ready -= e->amos_ready != 0;
    }
    e->reads = 0;
    for (unsigned i = 0; i < L1D_MSHRS; i++)
        e->reads += e->read_out[i];
    BENCH_COVER(b, COV_BOTH_DONE, stalled && e->fills_ready == 8 && e->amos_ready == 8);
    BENCH_COVER(b, COV_RSP_STALL, stalled);
    BENCH_COVER(b, COV_MEM_STALL, out->ev.l1d_stall_mem);
    BENCH_COVER(b, COV_ST_STALL, out->ev.l1d_stall_store);
    BENCH_COVER(b, COV_SLOTS_FULL, out->ev.l1d_stall_atomic);
    BENCH_COVER(b, COV_MSHRS_FULL, out->ev.l1d_stall_mshr && e->reads >= L1D_MSHRS - 1);
    BENCH_COVER(b, COV_RESERVED, out->ev.l1d_stall_mshr && b->mode == 1);
    if (out->ev.l1d_stall_merge && e->norder)
        for (unsigned i = 0; i < L1D_MSHRS; i++)
            if (e->read_out[i] && e->mshr_line[i] == e->order[0].k) {
                BENCH_COVER(b, COV_MERGE_FULL, !e->poisoned[i] && e->mshr_targets[i] == L1D_TARGETS);
                BENCH_COVER(b, COV_POISON_WAIT, e->poisoned[i]);
            }
    BENCH_COVER(b, COV_ACKS, out->l1d_ack && e->last_ack);
    BENCH_COVER(b, COV_IDLE, out->idle);
    e->last_ack = out->l1d_ack;
    e->last_inval_i = in->inval;
}

/* Step 11: its cases, by the page's state before the edge and after it. */
static void expect(bench_t *b, page_t *p, const l1d_in_t *in)
{
    const uint64_t line = p->s2.line, place = line % 32;
    const unsigned s2 = p->s2_valid ? p->s2_is : 99, index = in->mem_rsp.id & 127;
    const bool fill = in->mem_rsp_valid && in->mem_rsp.id >> MEM_IDX_W == 0, some = p->ahead.some;
    const bool alone = !p->count && !in->l1d_req_valid; /* a line to fetch ahead could enter the queue */
    const uint64_t asked_for = p->ahead.line;
    bool pending = false, here = false, unasked = false;
    unsigned room = 0;
    for (unsigned k = 0; k < L1D_MSHRS; k++) {
        room += !p->mshr[k].valid;
        pending |= p->mshr[k].valid && p->mshr[k].line == line;
        unasked |= p->mshr[k].valid && !p->mshr[k].count;
    }
    for (unsigned w = 0; w < L1D_WAYS; w++)
        here |= p->cache[line % PG_SETS][w].valid && p->cache[line % PG_SETS][w].line == line;
    const bool m_free = !p->out.mem_req_valid || in->mem_req_ready, absent = s2 == PG_FETCH && !here && !pending;
    const int victim = page_victim(p, line);
    const bool merges = fill && p->mshr[index].valid && !p->mshr[index].count;
    const bool fresh_victim =
        victim >= 0 && p->cache[line % PG_SETS][victim].valid && p->cache[line % PG_SETS][victim].unasked;
    const bool jam = absent && room > 1 && victim >= 0 && m_free && p->jam;
    const page_line_t goes = p->cache[line % PG_SETS][victim < 0 ? 0 : victim];
    const bool hit_fresh = s2 == PG_REQUEST && here;
    const uint8_t asks = p->s2.warp;
    uint8_t owner = asks;
    for (unsigned w = 0; w < L1D_WAYS; w++)
        if (hit_fresh && p->cache[line % PG_SETS][w].valid && p->cache[line % PG_SETS][w].line == line)
            owner = p->cache[line % PG_SETS][w].owner;
    page_expect(p, in);
    const line_event_t *told = &p->out.line;
    if (p->out.line_valid) {
        BENCH_COVER(b, COV_TOLD_MISS, told->miss && !told->evicted);
        BENCH_COVER(b, COV_TOLD_MERGE, p->out.ev.l1d_load_merges);
        BENCH_COVER(b, COV_TOLD_OWN, told->evicted && told->of == told->warp);
        BENCH_COVER(b, COV_TOLD_OTHER, told->miss && told->evicted && told->of != told->warp);
        BENCH_COVER(b, COV_TOLD_WALKED, told->miss && told->walked);
        BENCH_COVER(b, COV_TOLD_AHEAD, !told->miss);
        BENCH_COVER(b, COV_TOLD_INVAL, told->evicted && in->inval);
        BENCH_COVER(b, COV_TOLD_GONE,
                    told->miss && !told->evicted && victim >= 0 && !goes.valid && goes.line
                        && !p->out.ev.l1d_load_merges);
        BENCH_COVER(b, COV_TOLD_OF_AHEAD, told->evicted && goes.mixed);
    }
    BENCH_COVER(b, COV_TOLD_CHAIN, p->out.ev.l1d_prefetch_hits && p->out.ev.l1d_load_hits && owner != asks);
    for (unsigned k = COV_TOLD_MISS; k <= COV_TOLD_GONE; k++)
        BENCH_COVER(b, k, LOCALITY_ENTRIES == 0);
    const ev_l1d_t *ev = &p->out.ev;
    const bool miss = ev->l1d_loads && !ev->l1d_load_hits && !ev->l1d_load_merges, on = in->prefetch & 1;
    BENCH_COVER(b, COV_AHEAD, ev->l1d_prefetches);
    BENCH_COVER(b, COV_AHEAD_HIT, ev->l1d_prefetch_hits && ev->l1d_load_hits);
    BENCH_COVER(b, COV_AHEAD_MERGE, ev->l1d_prefetch_hits && ev->l1d_load_merges);
    /* With two MSHRs the miss takes one, and a line is fetched ahead only once it has waited until the other is free as well. */
    BENCH_COVER(b, COV_AHEAD_FILL_MERGE, L1D_MSHRS == 2 || (merges && p->mshr[index].valid));
    BENCH_COVER(b, COV_AHEAD_UNASKED, merges && !p->mshr[index].valid);
    BENCH_COVER(b, COV_AHEAD_POISON, unasked && pending && (ev->l1d_stores || ev->l1d_atomics));
    BENCH_COVER(b, COV_AHEAD_HERE, s2 == PG_FETCH && here);
    BENCH_COVER(b, COV_AHEAD_ONE_LEFT, absent && room == 1 && victim >= 0 && m_free);
    BENCH_COVER(b, COV_AHEAD_RESERVED, L1D_MSHRS < L1D_WAYS + 2 || (absent && room > 1 && victim < 0));
    BENCH_COVER(b, COV_AHEAD_MEM, absent && room > 1 && victim >= 0 && !m_free);
    BENCH_COVER(b, COV_AHEAD_JAM, jam && !ev->l1d_prefetches);
    BENCH_COVER(b, COV_AHEAD_LAST, miss && on && place == 31);
    BENCH_COVER(b, COV_AHEAD_FIRST, miss && in->prefetch == PREFETCH_STREAM && place == 0);
    BENCH_COVER(b, COV_AHEAD_NOT_FOUND, s2 == PG_PROBE && !here && !pending);
    BENCH_COVER(b, COV_AHEAD_PENDING, s2 == PG_PROBE && !here && pending);
    BENCH_COVER(b, COV_AHEAD_BUSY, some && p->ahead.some && p->ahead.line == asked_for);
    BENCH_COVER(b, COV_AHEAD_OTHER, some && p->ahead.some && p->ahead.line != asked_for);
    BENCH_COVER(b, COV_AHEAD_INVAL, some && alone && ev->l1d_invals && !in->inval);
    BENCH_COVER(b, COV_AHEAD_INVAL_I, some && in->inval);
    BENCH_COVER(b, COV_AHEAD_EVICTED, L1D_MSHRS == 2 || (fresh_victim && (miss || ev->l1d_prefetches)));
}

SCOREBOARD_DRIVE_COVERED(l1d, env_t, stimulate, expect)
BENCH_MAIN(l1d, env_t, start, drive, cover, COV_N)
