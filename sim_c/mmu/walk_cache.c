/* Twin of rtl/mmu/walk_cache.sv: the page-walk cache (docs/blocks/walk_cache.md). Step numbers are the page's. */
#include "walk_cache_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/mmu/ptw_walk.h"
#include "sim_c/mmu/tlb_lru.h"
#include <string.h>

#define WAYS WALK_CACHE_WAYS
#define LINES (WALK_CACHE_BYTES / LINE_BYTES)
#define SETS (LINES / WAYS)
#define QUEUE (WALK_CACHE_LATENCY - 1)
enum { MAX_LINES = MAX_WALK_CACHE_BYTES / LINE_BYTES };

typedef __typeof__(((mem_rsp_t *)0)->data) line_t;

typedef struct {
    bool valid;
    uint16_t asid;
    uint64_t line;
} tag_t;

struct walk_cache {
    tag_t tag[MAX_LINES];
    uint8_t age[MAX_LINES];
    line_t data[MAX_LINES];
    struct {
        pte_read_t read;
        uint64_t from; /* the edge at which it is ripe */
    } wait[MAX_WALK_CACHE_LATENCY - 1];
    unsigned first, waiting;
    uint64_t edges; /* edges so far, counted while a read waits */
    bool hit_valid, miss_valid, rsp_valid, fresh;
    pte_read_t hit;
    line_t hit_line;
    bool serves; /* the PTE of the hit may be used */
    mem_req_t miss;
    bool miss_bypass;
    struct {
        bool keep;
        uint16_t asid;
        uint64_t line;
    } sent[MAX_WALKS];
    mem_rsp_t rsp;
    uint8_t open;
    ev_walk_cache_t ev;
    bool settled; /* every edge does the same until an input is active */
};

size_t walk_cache_size(void)
{
    return sizeof(struct walk_cache);
}

void walk_cache_reset(walk_cache_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned set = 0; set < SETS; set++)
        reset_ages(&s->age[set * WAYS], WAYS);
}

void walk_cache_out(const walk_cache_t *s, walk_cache_out_t *o)
{
    o->req_ready = s->waiting < QUEUE;
    o->rsp_valid = s->rsp_valid;
    if (s->rsp_valid)
        o->rsp = s->rsp;
    o->mem_req_valid = s->miss_valid;
    if (s->miss_valid)
        o->mem_req = s->miss;
    o->mem_bypass = s->miss_bypass;
    o->ev = s->ev;
}

/* Does a kept PTE answer this read: a pointer, or a leaf that permits the access? (The walker checks where its frame lies.) */
static bool serves(const pte_read_t *r, uint64_t pte)
{
    static const window_t everywhere = {.base = 0, .limit = (__typeof__(everywhere.limit))-1};
    going_t walk = {.level = r->level};
    if (!advance(&walk, pte, &everywhere))
        return true;
    if (walk.result == WALK_PAGE)
        return false;
    return r->access == ACC_LOAD ? walk.leaf.r : r->access == ACC_STORE ? walk.leaf.w : walk.leaf.x;
}

/* Step 5: does the invalidation of this edge cover this address space? */
static bool taken(const walk_cache_in_t *in, uint16_t asid)
{
    return in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == asid);
}

/* The way of a set that has the line, WAYS if none has. */
static unsigned find(const tag_t *set, uint16_t asid, uint64_t line)
{
    unsigned w = 0;
    while (w < WAYS && !(set[w].valid && set[w].asid == asid && set[w].line == line))
        w++;
    return w;
}

/* Steps 2, 3: a read goes to memory. */
static void send(walk_cache_t *s, const walk_cache_in_t *in, const pte_read_t *r)
{
    s->miss_valid = true;
    s->miss =
        (mem_req_t){.op = MEM_READ, .id = r->read, .cls = (uint8_t)(4 - r->level), .asid = r->asid, .line = r->line};
    s->miss_bypass = in->bypass >> (3 - r->level) & 1;
    s->sent[r->read].keep = in->on && !taken(in, r->asid);
    s->sent[r->read].asid = r->asid;
    s->sent[r->read].line = r->line;
}

/* Step 2, of the head; `hit_free`, `miss_free`: they can be filled at this edge. */
static void look_up(walk_cache_t *s, const walk_cache_in_t *in, bool hit_free, bool miss_free)
{
    const pte_read_t *r = &s->wait[s->first].read;
    const unsigned set = (unsigned)(r->line & (SETS - 1)),
                   w = in->on ? find(&s->tag[set * WAYS], r->asid, r->line) : WAYS;
    if (!(w < WAYS ? hit_free : miss_free))
        return;
    if (w < WAYS) {
        s->hit_valid = true;
        s->hit = *r;
        s->hit_line = s->data[set * WAYS + w];
        s->serves = serves(r, s->hit_line.w[r->place]);
        touch(&s->age[set * WAYS], WAYS, w);
    } else {
        send(s, in, r);
        s->ev.wc_misses = true;
    }
    s->ev.wc_lookups = true;
    s->first = (s->first + 1) % QUEUE;
    s->waiting--;
}

/* Step 3, of the hit: true if it leaves. */
static bool leave(walk_cache_t *s, const walk_cache_in_t *in, bool miss_free)
{
    const unsigned level = s->hit.level;
    if (!s->serves) {
        if (!miss_free)
            return false;
        send(s, in, &s->hit);
        s->ev.wc_denied = true;
        return true;
    }
    if (in->mem_rsp_valid)
        return false;
    s->rsp_valid = true;
    s->fresh = false;
    s->rsp = (mem_rsp_t){.id = s->hit.read, .data = s->hit_line};
    s->ev.wc_hits_l3 = level == 3;
    s->ev.wc_hits_l2 = level == 2;
    s->ev.wc_hits_l1 = level == 1;
    s->ev.wc_hits_l0 = level == 0;
    return true;
}

/* Step 4, for memory's answer of the last edge; ways are chosen by the valid bits before step 5 of this edge. */
static unsigned choose(walk_cache_t *s, const tag_t *set, const uint8_t *age, uint16_t asid, uint64_t line)
{
    unsigned way = find(set, asid, line), oldest = 0;
    if (way < WAYS)
        return way;
    for (unsigned w = WAYS; w-- > 0;) {
        if (!set[w].valid)
            way = w;
        if (age[w] == WAYS - 1)
            oldest = w;
    }
    s->ev.wc_evicts = way == WAYS;
    return way < WAYS ? way : oldest;
}

static void fill(walk_cache_t *s, const mem_rsp_t *rsp, unsigned set, unsigned way)
{
    const unsigned r = rsp->id % BIT(MEM_IDX_W);
    s->tag[set * WAYS + way] = (tag_t){.valid = true, .asid = s->sent[r].asid, .line = s->sent[r].line};
    s->data[set * WAYS + way] = rsp->data;
    touch(&s->age[set * WAYS], WAYS, way);
    s->ev.wc_fills = true;
}

/* Step 5. */
static void invalidate(walk_cache_t *s, const walk_cache_in_t *in)
{
    tag_t *t = s->tag;
    for (unsigned k = 0; k < LINES; k++)
        t[k].valid &= !taken(in, t[k].asid);
    for (unsigned r = 0; r < WALKS; r++)
        s->sent[r].keep &= !taken(in, s->sent[r].asid);
}

void walk_cache_tick(walk_cache_t *s, const walk_cache_in_t *in)
{
    if (s->settled && !in->req_valid && !in->mem_rsp_valid && !in->inv_valid) {
        s->miss_valid &= !in->mem_req_ready;
        return;
    }
    const bool takes = in->req_valid && s->waiting < QUEUE;
    const unsigned back = s->rsp.id % BIT(MEM_IDX_W), set = (unsigned)(s->sent[back].line & (SETS - 1));
    const bool stands = s->rsp_valid && s->fresh && s->sent[back].keep,
               fills = stands && !taken(in, s->sent[back].asid);
    const mem_rsp_t old = s->rsp;
    s->ev = (ev_walk_cache_t){.wc_stalls = in->req_valid && !takes, .wc_busy = s->open};
    s->open = (uint8_t)(s->open + takes - s->rsp_valid);
    s->edges++;
    const unsigned way =
        fills ? choose(s, &s->tag[set * WAYS], &s->age[set * WAYS], s->sent[back].asid, s->sent[back].line) : 0;
    s->miss_valid &= !in->mem_req_ready;
    s->rsp_valid = false;
    if (s->hit_valid)
        s->hit_valid = !leave(s, in, !s->miss_valid);
    if (s->waiting && s->edges >= s->wait[s->first].from && !stands)
        look_up(s, in, !s->hit_valid, !s->miss_valid);
    if (in->mem_rsp_valid) {
        s->rsp_valid = s->fresh = true;
        s->rsp = in->mem_rsp;
    }
    if (takes) { /* step 1 */
        const unsigned tail = (s->first + s->waiting++) % QUEUE;
        s->wait[tail].read = in->req;
        s->wait[tail].from = s->edges + (in->on ? WALK_CACHE_LATENCY - 2 : 1);
    }
    if (in->inv_valid)
        invalidate(s, in);
    if (fills)
        fill(s, &old, set, way);
    const ev_walk_cache_t still = {.wc_busy = s->open};
    s->settled = !s->waiting && !s->hit_valid && !s->rsp_valid && !memcmp(&s->ev, &still, sizeof still);
}

bool walk_cache_idle(const walk_cache_t *s)
{
    return s->settled;
}
