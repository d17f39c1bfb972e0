/* Transactions of an HMD: which agents are asked, in which order, and the grant (docs/blocks/hmd.md). */
#include "sim_c/coherence/hmd_state.h"

int hmd_about(const hmd_t *s, const hmd_edge_t *e, uint64_t line)
{
    for (unsigned v = e->valid; v; v &= v - 1)
        if (hmd_same_block(s->x[hmd_lowest(v)].line, line))
            return (int)hmd_lowest(v);
    return -1;
}

void hmd_move(hmd_t *s, unsigned x, unsigned from, unsigned to)
{
    s->at[from] &= (uint16_t)~(1u << x);
    s->at[to] |= (uint16_t)(1u << x);
}

void hmd_end(hmd_t *s, unsigned x)
{
    const uint16_t others = (uint16_t)~(1u << x);
    s->valid &= others;
    s->waits &= others;
    for (unsigned k = 0; k < HMD_STAGES; k++)
        s->at[k] &= others;
    memset(&s->x[x], 0, sizeof s->x[x]);
}

void hmd_renew(hmd_t *s, unsigned x)
{
    s->waits &= (uint16_t)~(1u << x);
    s->waits |= (uint16_t)((s->x[x].wait || s->x[x].lwait) << x);
}

/* Step 5: all holders give the block up, so that no copy lacks the bytes that come home. */
static bool wide(const hmd_transaction_t *x, bool peers)
{
    const hmd_entry_t *t = &x->was;
    const unsigned holders = t->sharers | (t->owner ? 1u << (t->owner - 1) : 0), me = 1u << x->device;
    switch (x->op) {
    case HMD_READ: return !peers && t->owner && t->sharers;
    case HMD_L_READ: return t->owner && t->sharers;
    case HMD_EVICT:
    case HMD_FLUSH: return x->bytes && holders & me && (holders & ~me || t->llc);
    default: return false;
    }
}

/* Step 5, the table: who is to be asked for what. */
static void plan(hmd_transaction_t *x, bool peers)
{
    const hmd_entry_t *t = &x->was;
    const bool mine = t->owner == x->device + 1;
    const unsigned self = (t->sharers >> x->device & 1 || mine) << x->device;
    bool first = t->owner, asks = t->llc;
    x->wide = wide(x, peers);
    x->first.kind = PROBE_CLEAN;
    switch (x->wide ? (unsigned)HMD_OWN : x->op) {
    case HMD_READ:
        x->lkind = PROBE_CLEAN;
        if (first && peers) {
            x->first.kind = PROBE_READ;
            x->first.to_peer = true;
        }
        break;
    case HMD_OWN:
        x->first.kind = x->pkind = x->lkind = PROBE_WRITE;
        x->first.to_peer = first && peers && !mine && !t->sharers;
        x->probes = t->sharers;
        break;
    case HMD_EVICT:
    case HMD_FLUSH:
        first = asks = false;
        x->pkind = x->op == HMD_EVICT ? PROBE_WRITE : PROBE_CLEAN;
        x->probes = (uint8_t)self;
        break;
    case HMD_L_READ: asks = false; break;
    default:
        x->first.kind = x->pkind = x->lkind = PROBE_WRITE;
        asks &= first || t->sharers;
        x->probes = t->sharers;
        break;
    }
    x->first.valid = first;
    if (first)
        x->first.device = t->owner - 1;
    x->lprobes = asks ? BLOCK_LINES : 0;
}

void hmd_stage1(hmd_t *s, hmd_edge_t *e)
{
    const unsigned k = s->s1.x;
    hmd_transaction_t *x = &s->x[k];
    hmd_entry_t *t = hmd_entry(s, x->line);
    if (!s->s1.set) {
        x->was = *t;
        plan(x, e->peers);
        if (hmd_of_cache(x->op))
            hmd_after(x, &x->grant);
        hmd_move(s, k, HMD_T_LOOK, HMD_T_FIRST);
        return;
    }
    *t = hmd_after(x, &x->grant);
    s->dir_valid = true;
    s->dir = (hmd_dir_t){
        .line = x->line, .sharers = t->sharers, .owner = (uint8_t)(t->owner ? 1u << (t->owner - 1) : 0), .llc = t->llc};
    if (hmd_of_cache(x->op))
        e->ends |= (uint16_t)(1u << k);
}

/* The next probe of a transaction enters pq. */
static void ask(hmd_t *s, unsigned k, bool first)
{
    hmd_transaction_t *x = &s->x[k];
    hmd_probe_t *p = &s->pq[s->count[HMD_PQ]++];
    *p = (hmd_probe_t){.probe.line = x->line & ~(uint64_t)(BLOCK_LINES - 1)};
    if (first) {
        p->device = x->first.device;
        p->probe.kind = x->first.kind;
        p->probe.to_peer = x->first.to_peer;
        p->probe.peer = x->first.to_peer ? x->device : 0;
        x->first.sent = true;
    } else {
        p->device = (uint8_t)hmd_lowest(x->probes);
        p->probe.kind = x->pkind;
        p->probe.keep = x->op == HMD_FLUSH && !x->wide;
        x->probes &= x->probes - 1;
    }
    x->wait |= (uint8_t)(1u << p->device);
    hmd_renew(s, k);
}

/* The next probe of the last-level cache enters lq. */
static void ask_cache(hmd_t *s, unsigned k)
{
    hmd_transaction_t *x = &s->x[k];
    unsigned off = BLOCK_LINES - x->lprobes--;
    s->lq[s->count[HMD_LQ]++] =
        (home_probe_t){.kind = x->lkind, .line = (x->line & ~(uint64_t)(BLOCK_LINES - 1)) | off};
    x->lwait++;
    hmd_renew(s, k);
}

void hmd_probe(hmd_t *s, hmd_edge_t *e)
{
    unsigned first = 0, second = 0, cache = 0;
    for (unsigned v = e->at[HMD_T_FIRST]; v; v &= v - 1) {
        const unsigned k = hmd_lowest(v);
        const hmd_transaction_t *x = &s->x[k];
        if (x->first.valid && !x->first.sent)
            first |= 1u << k;
        else if (!(e->waits >> k & 1))
            hmd_move(s, k, HMD_T_FIRST, HMD_T_SECOND);
    }
    for (unsigned v = e->at[HMD_T_SECOND]; v; v &= v - 1) {
        const unsigned k = hmd_lowest(v);
        const hmd_transaction_t *x = &s->x[k];
        second |= (unsigned)!!x->probes << k;
        cache |= (unsigned)!!x->lprobes << k;
        if (!x->probes && !x->lprobes && !(e->waits >> k & 1)) {
            bool lines = hmd_of_cache(x->op) || ((x->op == HMD_READ || x->op == HMD_OWN) && !x->osent && !x->thin);
            hmd_move(s, k, HMD_T_SECOND, lines ? HMD_T_LINES : HMD_T_SET);
        }
    }
    if (first | second && hmd_room(e, HMD_PQ)) {
        const unsigned k = hmd_lowest(first | second);
        ask(s, k, first >> k & 1);
        e->ev.hmd_probe = true;
    }
    if (cache && hmd_room(e, HMD_LQ)) {
        ask_cache(s, hmd_lowest(cache));
        e->ev.hmd_host_probe = true;
    }
}

void hmd_grant(hmd_t *s, hmd_edge_t *e)
{
    if (!e->at[HMD_T_GRANT] || !e->dq)
        return;
    const unsigned k = hmd_lowest(e->at[HMD_T_GRANT]);
    const hmd_transaction_t *x = &s->x[k];
    s->dq[s->count[HMD_DQ]++] =
        (hmd_data_t){.device = x->device, .data = {.grant = true, .line = x->line, .state = x->grant}};
    hmd_move(s, k, HMD_T_GRANT, HMD_T_ARRIVE);
    e->ev.hmd_grant = true;
    e->ev.hmd_state = x->grant;
}

bool hmd_set(hmd_t *s, const hmd_edge_t *e)
{
    /* without those that end: s1 writes their entry at this edge */
    const unsigned these = e->at[HMD_T_SET] & ~(unsigned)e->ends;
    if (!these)
        return false;
    const unsigned k = hmd_lowest(these);
    s->s1.valid = s->s1.set = true;
    s->s1.x = (uint8_t)k;
    if (!hmd_of_cache(s->x[k].op)) {
        hmd_after(&s->x[k], &s->x[k].grant);
        hmd_move(s, k, HMD_T_SET, HMD_T_GRANT);
    }
    return true;
}
