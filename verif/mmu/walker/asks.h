/* Walks that begin, and memory that answers their reads. */
#ifndef VERIF_MMU_WALKER_ASKS_H
#define VERIF_MMU_WALKER_ASKS_H
#include "verif/mmu/walker/spaces.h"

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 6, 40, 150};
    const unsigned alone = vl_below(&b->rng, 3 * KERNELS);
    for (unsigned k = 0; k < KERNELS; k++) {
        e->rate[k] = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 6 + vl_below(&b->rng, 200) : 3;
        if (alone < KERNELS && alone != k)
            e->rate[k] = 0;
    }
    e->ready = vl_below(&b->rng, 3) ? 256 : 6 + vl_below(&b->rng, 200);
    e->latency = latency[vl_below(&b->rng, 4)];
    e->hold = vl_below(&b->rng, 4) ? 0 : 2 + vl_below(&b->rng, WALKS - 1);
    e->merge = vl_below(&b->rng, 3) ? 20 : 160;
    e->change = vl_below(&b->rng, 3) ? 200 : vl_below(&b->rng, 2) ? 4 : 100000;
    e->quiet = vl_below(&b->rng, 3) ? 300 : vl_below(&b->rng, 2) ? 100000 : 1 + vl_below(&b->rng, 20);
    e->other = vl_below(&b->rng, 3);
    for (unsigned l = 0; l < 4; l++) {
        e->span[l] = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, l ? 3 : SLOTS) : SLOTS;
        e->base[l] = vl_below(&b->rng, SLOTS);
    }
    e->drain = vl_below(&b->rng, 2);
    if (vl_below(&b->rng, 8) == 0) { /* as many reads as there can be */
        for (unsigned k = 0; k < KERNELS; k++)
            e->rate[k] = 256;
        e->ready = 256;
        e->hold = WALKS;
        e->merge = 0;
        e->quiet = vl_below(&b->rng, 2) ? 100000 : 60;
        e->drain = false;
        for (unsigned l = 0; l < 4; l++)
            e->span[l] = SLOTS;
    }
}

static uint64_t any_page(bench_t *b, env_t *e)
{
    if (e->recents && vl_chance(&b->rng, e->merge))
        return e->recent[vl_below(&b->rng, e->recents)];
    uint64_t vpn = 0;
    for (unsigned l = 0; l < 4; l++)
        vpn |= (uint64_t)e->tables.index[(e->base[l] + vl_below(&b->rng, e->span[l])) % SLOTS] << 9 * l;
    const unsigned k = e->recents < RECENT ? e->recents++ : vl_below(&b->rng, RECENT);
    return e->recent[k] = vpn;
}

/* Begins a walk; `least` walks are left free. */
static bool ask(bench_t *b, env_t *e, walker_in_t *in, unsigned core, uint64_t vpn, unsigned least)
{
    if (e->walks + least >= WALKS)
        return false;
    unsigned w = e->scene ? 0 : vl_below(&b->rng, WALKS);
    while (e->walk[w].valid)
        w = (w + 1) % WALKS;
    in->req_valid = true;
    in->req = (walk_req_t){.walk = (uint8_t)w,
                           .core = (uint8_t)core,
                           .asid = e->root[core].asid,
                           .vpn = vpn,
                           .access = (uint8_t)vl_below(&b->rng, 3)};
    return true;
}

/* Memory: takes reads, answers in any order, with the contents at the time of the read or of the answer. In a scene each answer comes as many cycles after its read was taken. */
static void memory(bench_t *b, env_t *e, const walker_out_t *out, walker_in_t *in)
{
    unsigned flights = 0, oldest = WALKS, k = vl_below(&b->rng, WALKS);
    for (unsigned i = 0; i < WALKS; i++)
        if (e->flight[i].valid) {
            flights++;
            if (oldest == WALKS || e->flight[i].order < e->flight[oldest].order)
                oldest = i;
        }
    e->release |= !e->hold || flights >= e->hold || vl_below(&b->rng, 400) == 0;
    while (flights && !e->flight[k].valid)
        k = (k + 1) % WALKS;
    if (staged(e))
        k = oldest;
    in->mem_rsp_valid = flights && (staged(e) || e->release) && e->flight[k].due <= b->cycle;
    if (in->mem_rsp_valid) {
        flight_t *f = &e->flight[k];
        if (f->late)
            tables_line(&e->tables, f->line, &f->rsp.data);
        in->mem_rsp = f->rsp;
        f->valid = false;
        BENCH_COVER(b, COV_ORDER, k != oldest);
    }
    e->in_a_row = in->mem_rsp_valid ? e->in_a_row + 1 : 0;
    BENCH_COVER(b, COV_BURST, e->in_a_row > 2 && e->in_a_row > WALKS / 4);
    if (e->hold && !flights)
        e->release = false;
    in->mem_req_ready = staged(e) || vl_chance(&b->rng, e->ready);
    const bool go = out->mem_req_valid && in->mem_req_ready;
    e->stalled = out->mem_req_valid && !go ? e->stalled + 1 : 0;
    BENCH_COVER(b, COV_STALL, e->stalled > 20);
    if (!go)
        return;
    const pte_read_t *r = &out->mem_req;
    flight_t *f = &e->flight[r->read % WALKS];
    BENCH_CHECK(b, r->read < WALKS && !f->valid, "a read with number %u, which is not free", r->read);
    *f = (flight_t){.valid = true,
                    .due = b->cycle + (staged(e) ? e->delay : 1 + vl_below(&b->rng, e->latency)),
                    .order = e->sent++,
                    .late = vl_below(&b->rng, 2),
                    .line = r->line};
    f->rsp.id = r->read;
    tables_line(&e->tables, r->line, &f->rsp.data);
    if (e->scene) {
        /* {table, index, level}, in their order */
        static const uint16_t read[7][3] = {{3, 0xb9, 3}, {2, 0x0c, 2}, {1, 0xac, 1}, {1, 0xad, 1},
                                            {0, 0x03, 0}, {0, 0x04, 0}, {4, 0x05, 0}};
        const uint16_t *n = read[e->reads % 7];
        BENCH_CHECK(b,
                    !e->policy.coalesce
                        || (e->reads < 7 && r->level == n[2]
                            && r->line == e->tables.frame[n[0]] * PAGE_LINES + n[1] / PTE_LINE),
                    "T10: reference %u is another one", e->reads + 1);
        e->reads++;
    }
    e->lone_reads += e->flood && r->asid == e->space[0].asid;
}
#endif
