/* Stimulus at the start of a long run, with nothing else under way: the worked example (T10) and two others, read by read; then floods, which a walk has to end in */
#ifndef VERIF_PTW_SCENES_H
#define VERIF_PTW_SCENES_H
#include "verif/mmu/ptw/cover.h"
#include "verif/mmu/ptw/env.h"

/* Scenes: three misses while nothing else goes on, and the reads in their order. Pages and tables by level, reads as {table, index, level}. */
enum { T10, BY_LEVEL, BY_LINE };
typedef struct {
    uint16_t page[3][4];
    uint8_t table[3][4];
    unsigned reads;
    struct {
        uint8_t table;
        uint16_t index;
        uint8_t level;
    } read[10];
} scene_t;
static const scene_t scenes[] = {
    /* Figure 3.5 of the paper. */
    [T10] = {{{0x03, 0xac, 0x0c, 0xb9}, {0x04, 0xac, 0x0c, 0xb9}, {0x05, 0xad, 0x0c, 0xb9}},
             {{0, 1, 2, 3}, {0, 1, 2, 3}, {4, 1, 2, 3}},
             7,
             {{3, 0xb9, 3}, {2, 0x0c, 2}, {1, 0xac, 1}, {1, 0xad, 1}, {0, 0x03, 0}, {0, 0x04, 0}, {4, 0x05, 0}}},
    /* With one read at a time: no walk goes on to a level before all have done with the one above (T9). */
    [BY_LEVEL] = {{{0x03, 0xad, 0x0c, 0xb9}, {0x03, 0xad, 0xac, 0xb9}, {0x03, 0xad, 511, 0xb9}},
                  {{0, 1, 2, 3}, {4, 5, 2, 3}, {8, 9, 2, 3}},
                  10,
                  {{3, 0xb9, 3},
                   {2, 0x0c, 2},
                   {2, 0xac, 2},
                   {2, 511, 2},
                   {1, 0xad, 1},
                   {5, 0xad, 1},
                   {9, 0xad, 1},
                   {0, 0x03, 0},
                   {4, 0x03, 0},
                   {8, 0x03, 0}}},
    /* The third is on the line of the first, and goes before the second (T9). */
    [BY_LINE] = {{{0x03, 0xac, 0x0c, 0xb9}, {0x03, 511, 0x0c, 0xb9}, {0x03, 0xad, 0x0c, 0xb9}},
                 {{0, 1, 2, 3}, {8, 1, 2, 3}, {4, 1, 2, 3}},
                 8,
                 {{3, 0xb9, 3},
                  {2, 0x0c, 2},
                  {1, 0xac, 1},
                  {1, 0xad, 1},
                  {1, 511, 1},
                  {0, 0x03, 0},
                  {4, 0x03, 0},
                  {8, 0x03, 0}}}};
static const char *const scene_name[] = {"T10", "level by level", "line by line"};

/* Read n: naive one walk after the other. */
static bool scene_read(const env_t *e, unsigned n, const mem_req_t *r)
{
    const scene_t *s = &scenes[e->scene_kind];
    unsigned k = n / 4, level = 3 - n % 4, table, index;
    if (e->policy.coalesce) {
        if (n >= s->reads)
            return false;
        level = s->read[n].level, table = s->read[n].table, index = s->read[n].index;
    } else {
        if (n >= 12)
            return false;
        if (e->policy.walkers > 1)
            return true; /* several at a time: only their number is checked, not the order */
        table = s->table[k][level], index = s->page[k][level];
    }
    return r->cls == 4 - level && r->line == e->tables.frame[table] * PAGE_LINES + index / PTE_LINE;
}

/* The tables of a scene, with nothing else in them. */
static void set_tables(env_t *e, const scene_t *s)
{
    tables_t *t = &e->tables;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 4; l++)
            t->pte[s->table[k][l]][(int)t->slot[s->page[k][l]]] =
                (pte_t){.now = l ? t->frame[s->table[k][l - 1]] << 10 | PTE_V
                                 : t->frame[k] << 10 | PTE_V | PTE_R | PTE_U | PTE_A};
    e->root = (root_t){.sv48 = true, .asid = e->root.asid, .ppn = t->frame[3]};
}

static uint64_t vpn_of(const uint16_t *index)
{
    return index[0] | (uint64_t)index[1] << 9 | (uint64_t)index[2] << 18 | (uint64_t)index[3] << 27;
}

/* One walk of four references, and as many walks as can be that end above it, at many entries that are not valid: coalesced, those have their turn first (T9), so
 * the one ends only if the oldest has a turn as well. */
static void start_flood(bench_t *b, env_t *e)
{
    e->policy = (walk_policy_t){.coalesce = e->flood & 1, .walkers = WALKERS, .reads = 1};
    set_tables(e, &scenes[T10]);
    for (unsigned s = 0; s < SLOTS; s++)
        if (e->tables.index[s] != scenes[T10].page[0][3])
            e->tables.pte[3][s] = (pte_t){0};
    e->scene_latency = 12 + vl_below(&b->rng, 20);
    e->flood_walks = 0;
    e->flood_began = b->cycle;
}

static void start_scene(bench_t *b, env_t *e)
{
    const scene_t *s = &scenes[e->scene_kind = e->scene % 3];
    e->policy = (walk_policy_t){.coalesce = e->scene <= SCENES / 2,
                                .walkers = (uint8_t)(vl_below(&b->rng, 2) ? 1 : vl_below(&b->rng, WALKERS + 1)),
                                .reads = (uint8_t)(e->scene_kind == BY_LEVEL  ? 1
                                                   : e->scene_kind == BY_LINE ? 0
                                                                              : vl_below(&b->rng, 4))};
    set_tables(e, s);
    e->scene_latency = 12 + vl_below(&b->rng, 60);
    e->scene_fetch = vl_below(&b->rng, 2);
    e->scene_step = e->scene_reads = 0;
    memset(e->scene_sent, 0, sizeof e->scene_sent);
    memset(e->scene_saved, 0, sizeof e->scene_saved);
}

static void scene(bench_t *b, env_t *e, const ptw_out_t *out)
{
    static const unsigned port[2][4] = {{1, 1, 1, 0}, {3, 1, 0, 0}}; /* ports used, by step */
    unsigned steps = port[e->scene_fetch][e->scene_step < 4 ? e->scene_step : 3];
    unsigned first = e->scene_fetch ? e->scene_step * 2 : e->scene_step;
    for (unsigned p = 0; p < 2; p++)
        if (steps >> p & 1) {
            ask(b, e, p, vpn_of(scenes[e->scene_kind].page[first + p]));
        }
    e->scene_step++;
    if (e->scene_step < 5 || !out->idle)
        return;
    BENCH_CHECK(b, e->scene_reads == (e->policy.coalesce ? scenes[e->scene_kind].reads : 12), "%s, %s: %u references",
                scene_name[e->scene_kind], e->policy.coalesce ? "coalesced" : "naive", e->scene_reads);
    unsigned list[4] = {0}; /* coalesced reads, by level; three walks need three */
    for (unsigned n = 0; n < scenes[e->scene_kind].reads; n++)
        list[scenes[e->scene_kind].read[n].level]++;
    for (unsigned l = 0; l < 4; l++) {
        unsigned sent = e->policy.coalesce ? list[l] : 3;
        BENCH_CHECK(b, e->scene_sent[l] == sent && e->scene_saved[l] == 3 - sent,
                    "%s, %s: the counters of level %u say %u read, %u saved, and not %u, %u", scene_name[e->scene_kind],
                    e->policy.coalesce ? "coalesced" : "naive", l, e->scene_sent[l], e->scene_saved[l], sent, 3 - sent);
    }
    BENCH_COVER(b, COV_SCENE + 2 * e->scene_kind + e->policy.coalesce, true);
    e->scene--;
    if (e->scene)
        start_scene(b, e);
    else
        start_flood(b, e);
}

static void flood(bench_t *b, env_t *e, const ptw_out_t *out)
{
    const uint64_t vpn = vpn_of(scenes[T10].page[0]), cycles = b->cycle - e->flood_began;
    e->flood_walks += out->rsp_valid;
    if (out->rsp_valid && e->scoreboard.walk[out->rsp.id].vpn == vpn) {
        BENCH_CHECK(b, !e->policy.coalesce || e->flood_walks > FAIR / 2, "the flood is none: %u walks", e->flood_walks);
        BENCH_COVER(b, COV_FLOOD_NAIVE + e->policy.coalesce, true);
        e->flood_began = 0;
    }
    /* Each of the four references waits for FAIR leaders, one after the other as there is one read at a time. */
    BENCH_CHECK(b, !e->flood_began || cycles < 4 * (FAIR + 1) * (e->scene_latency + 12),
                "%s: a walk does not end while others come: %" PRIu64 " cycles, %u walks",
                e->policy.coalesce ? "coalesced" : "naive", cycles, e->flood_walks);
    if (!e->flood_began) {
        if (out->idle && --e->flood)
            start_flood(b, e);
        return;
    }
    uint16_t index[4];
    bool shares = true;
    for (unsigned l = 0; l < 4; l++)
        index[l] = e->tables.index[vl_below(&b->rng, SLOTS)];
    /* No PTE that another one reads, if there is any: walks that share one end together, and leave a gap. */
    for (unsigned n = 0; shares && (n < SPREAD || index[3] == scenes[T10].page[0][3]); n++) {
        index[3] = e->tables.index[vl_below(&b->rng, SLOTS)];
        shares = index[3] == scenes[T10].page[0][3];
        for (unsigned k = 0; k < TLB_MSHRS; k++)
            shares |= e->scoreboard.walk[k].valid && e->scoreboard.walk[k].vpn >> 27 == index[3];
    }
    ask(b, e, 0, cycles == 1 ? vpn : vpn_of(index));
}
#endif
