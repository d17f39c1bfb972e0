/* Twin of rtl/mmu/l2_tlb_mshr.sv: misses of the shared L2 TLB (docs/blocks/l2_tlb_mshr.md). Step numbers are the page's. Sets of walks and kernels are bits of a
 * word; a place is {core, id}. */
#include "l2_tlb_mshr_ports.h"
#include "sim_c/common/bits.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum {
    PLACES = CORES * MAX_TLB_MSHRS,
    PORT_PLACES = (CORES + L2_TLB_PORTS - 1) / L2_TLB_PORTS * MAX_TLB_MSHRS,
    NONE = 64 /* no walk, no kernel */
};
#define ALL (UINT64_MAX >> (64 - WALKS))

/* Places one behind the other by `next`. */
typedef struct {
    uint16_t first, last, n;
} list_t;

struct l2_tlb_mshr {
    uint64_t vpn[PLACES];
    uint16_t asid[PLACES], next[PLACES];
    uint8_t access[PLACES], warp[PLACES];
    list_t waits[KERNELS]; /* misses that wait for a walk */
    uint16_t queue[L2_TLB_PORTS][PORT_PLACES], head[L2_TLB_PORTS], queued[L2_TLB_PORTS];
    uint8_t port, turn; /* the next port, and kernel, in turn */
    uint64_t valid, ended; /* of walks */
    struct {
        uint64_t vpn;
        list_t joined;
        leaf_t leaf;
        uint16_t asid;
        uint8_t kernel, result, core, warp; /* core and warp: of the miss for which the walk began */
    } walk[MAX_WALKS];
    uint64_t listed; /* kernels with a list that is not empty */
    uint16_t waiting; /* misses in these lists */
    uint8_t has[KERNELS]; /* walks of a kernel */
    uint8_t without; /* number of kernels without a walk */
    uint8_t order[MAX_WALKS], oldest, answered; /* ring of the walks that have ended, in that order */
    bool ans_valid, fill_valid, walk_req_valid;
    translate_ans_t ans;
    l2_fill_t fill;
    walk_req_t walk_req;
    bool settled; /* every edge does the same until an input is active */
    ev_l2_tlb_mshr_t ev;
};

size_t l2_tlb_mshr_size(void)
{
    return sizeof(struct l2_tlb_mshr);
}

void l2_tlb_mshr_reset(l2_tlb_mshr_t *s)
{
    memset(s, 0, sizeof *s);
    s->without = KERNELS;
}

void l2_tlb_mshr_out(const l2_tlb_mshr_t *s, l2_tlb_mshr_out_t *o)
{
    o->walk_req_valid = s->walk_req_valid;
    o->walk_req = s->walk_req;
    o->fill_valid = s->fill_valid;
    o->fill = s->fill;
    o->ans_valid = s->ans_valid;
    o->ans = s->ans;
    memcpy(o->walks, s->has, sizeof o->walks);
    o->ev = s->ev;
}

static void put(l2_tlb_mshr_t *s, list_t *l, uint16_t place)
{
    if (l->n++)
        s->next[l->last] = place;
    else
        l->first = place;
    l->last = place;
}

static uint16_t get(const l2_tlb_mshr_t *s, list_t *l)
{
    const uint16_t place = l->first;
    l->n--;
    l->first = s->next[place];
    return place;
}

/* The walk of a place's page among these, or NONE. */
static uint64_t find(const l2_tlb_mshr_t *s, uint16_t place, uint64_t walks)
{
    for EACH(w, walks)
        if (s->walk[w].vpn == s->vpn[place] && s->walk[w].asid == s->asid[place])
            return w;
    return NONE;
}

static void join(l2_tlb_mshr_t *s, uint64_t w, uint16_t place)
{
    put(s, &s->walk[w].joined, place);
    s->ev.l2m_merges = true;
}

/* Step 3: kernels with a list that may take a walk. */
static uint64_t may_walk(const l2_tlb_mshr_t *s)
{
    const int left = WALKS - __builtin_popcountll(s->valid);
    uint64_t may = left ? s->listed : 0;
    for EACH(k, left > s->without ? 0 : may) /* the free walks are reserved for kernels without one */
        if (s->has[k])
            may &= ~BIT(k);
    return may;
}

static ev_l2_tlb_mshr_t levels(const l2_tlb_mshr_t *s, uint64_t may)
{
    return (ev_l2_tlb_mshr_t){.l2m_busy = (uint8_t)__builtin_popcountll(s->valid),
                              .l2m_waits = s->waiting,
                              .l2m_reserved = s->valid != ALL && s->listed & ~may};
}

static void allocate(l2_tlb_mshr_t *s, uint64_t w, unsigned kernel, uint16_t place)
{
    s->valid |= BIT(w);
    s->walk[w].vpn = s->vpn[place];
    s->walk[w].asid = s->asid[place];
    s->walk[w].kernel = (uint8_t)kernel;
    s->walk[w].joined.n = 0;
    put(s, &s->walk[w].joined, place);
    s->without -= !s->has[kernel]++;
    s->walk_req_valid = true;
    s->walk[w].core = (uint8_t)(place / TLB_MSHRS);
    s->walk[w].warp = s->warp[place];
    s->walk_req = (walk_req_t){.walk = (uint8_t)w,
                               .core = s->walk[w].core,
                               .asid = s->asid[place],
                               .vpn = s->vpn[place],
                               .access = s->access[place]};
    s->ev.l2m_walks = true;
}

/* Step 3. `valid` are the walks before the edge, `open` those that can be joined. True: a place has joined one. */
static bool give_walk(l2_tlb_mshr_t *s, uint64_t may, uint64_t valid, uint64_t open)
{
    const uint64_t above = may & ~(BIT(s->turn) - 1);
    const unsigned kernel = (unsigned)__builtin_ctzll(above ? above : may);
    const uint16_t place = get(s, &s->waits[kernel]);
    const uint64_t w = find(s, place, open);
    s->waiting--;
    if (!s->waits[kernel].n)
        s->listed &= ~BIT(kernel);
    s->turn = (uint8_t)((kernel + 1) % KERNELS);
    if (w == NONE)
        allocate(s, (uint64_t)__builtin_ctzll(~valid), kernel, place);
    else
        join(s, w, place);
    return w != NONE;
}

/* Step 2. */
static void take_head(l2_tlb_mshr_t *s, const l2_tlb_mshr_in_t *in, uint64_t open)
{
    for (unsigned i = 0; i < L2_TLB_PORTS; i++) {
        const unsigned p = (s->port + i) % L2_TLB_PORTS;
        if (!s->queued[p])
            continue;
        const uint16_t place = s->queue[p][s->head[p]];
        const uint64_t w = find(s, place, open);
        s->head[p] = (uint16_t)((s->head[p] + 1) % PORT_PLACES);
        s->queued[p]--;
        s->port = (uint8_t)((p + 1) % L2_TLB_PORTS);
        if (w != NONE) {
            join(s, w, place);
        } else {
            const unsigned kernel = in->owner[place / TLB_MSHRS];
            put(s, &s->waits[kernel], place);
            s->listed |= BIT(kernel);
            s->waiting++;
        }
        return;
    }
}

/* Step 1. */
static void misses(l2_tlb_mshr_t *s, const l2_tlb_mshr_in_t *in)
{
    for (unsigned p = 0; p < L2_TLB_PORTS; p++)
        if (in->miss_valid >> p & 1) {
            const translate_req_t *m = &in->miss[p];
            const uint16_t place = (uint16_t)(m->core * TLB_MSHRS + m->id);
            s->vpn[place] = m->vpn;
            s->asid[place] = m->asid;
            s->access[place] = m->access;
            s->warp[place] = m->warp;
            s->queue[p][(s->head[p] + s->queued[p]++) % PORT_PLACES] = place;
            s->ev.l2m_misses++;
        }
}

/* Step 5: of the walk that ended first. */
static void answer(l2_tlb_mshr_t *s)
{
    const unsigned w = s->order[s->oldest];
    const uint16_t place = get(s, &s->walk[w].joined);
    s->ans_valid = true;
    s->ans = (translate_ans_t){
        .core = (uint8_t)(place / TLB_MSHRS),
        .rsp = {.id = (uint8_t)(place % TLB_MSHRS), .result = s->walk[w].result, .leaf = s->walk[w].leaf}};
    if (s->walk[w].joined.n)
        return;
    s->valid &= ~BIT(w);
    s->ended &= ~BIT(w);
    s->without += !--s->has[s->walk[w].kernel];
    s->oldest = (uint8_t)((s->oldest + 1) % WALKS);
    s->answered--;
}

/* Step 4. */
static void end(l2_tlb_mshr_t *s, const walk_rsp_t *r)
{
    s->ended |= BIT(r->walk);
    s->walk[r->walk].result = r->result;
    s->walk[r->walk].leaf = r->leaf;
    s->order[(s->oldest + s->answered++) % WALKS] = r->walk;
    s->fill_valid = r->result == WALK_OK;
    if (s->fill_valid)
        s->fill = (l2_fill_t){.asid = s->walk[r->walk].asid,
                              .vpn = s->walk[r->walk].vpn,
                              .leaf = r->leaf,
                              .core = s->walk[r->walk].core,
                              .warp = s->walk[r->walk].warp};
}

/* Does an invalidation of this edge make the response void? */
static bool concerns(const l2_tlb_mshr_t *s, const l2_tlb_mshr_in_t *in)
{
    return in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == s->walk[in->walk_rsp.walk].asid);
}

void l2_tlb_mshr_tick(l2_tlb_mshr_t *s, const l2_tlb_mshr_in_t *in)
{
    if (s->settled && !in->miss_valid && !in->walk_rsp_valid)
        return;
    const bool ends = in->walk_rsp_valid && !concerns(s, in);
    const uint64_t valid = s->valid, open = valid & ~s->ended & ~(ends ? BIT(in->walk_rsp.walk) : 0);
    const uint64_t may = may_walk(s), ended = s->ended;
    bool joins = false;
    s->ev = levels(s, may);
    s->walk_req_valid = s->fill_valid = false;
    s->ans_valid &= !in->ans_ready;
    if (may)
        joins = give_walk(s, may, valid, open);
    if (!joins)
        take_head(s, in, open);
    misses(s, in);
    if (ended && !s->ans_valid)
        answer(s);
    if (ends)
        end(s, &in->walk_rsp);
    const uint64_t more = may_walk(s);
    const ev_l2_tlb_mshr_t still = levels(s, more);
    s->settled = !more && !s->ended && !s->ans_valid && !s->fill_valid && !s->walk_req_valid
                 && !memcmp(&s->ev, &still, sizeof still);
    for (unsigned p = 0; p < L2_TLB_PORTS; p++)
        s->settled &= !s->queued[p];
}

bool l2_tlb_mshr_idle(const l2_tlb_mshr_t *s)
{
    return s->settled;
}
