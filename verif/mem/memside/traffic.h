/* What the sources ask: lines that were chosen so that they meet in sources, sets, banks and rows; mixes that change every few hundred cycles. */
#ifndef VERIF_MEMSIDE_TRAFFIC_H
#define VERIF_MEMSIDE_TRAFFIC_H
#include "verif/mem/memside/scoreboard.h"

enum { GENERAL, ONE_SET, ONE_BANK, ONE_LINE }; /* modes: what is met more often */
enum { ASIDS = 4, ASID0 = 100 };

typedef struct {
    unsigned rate[SOURCES], write, amo, bypass, again, walks, whole, harts, first, span, last, churn;
    bool crowd; /* all sources for the same line */
    bool offered[SOURCES];
    net_req_t req[SOURCES];
    unsigned line[SOURCES];
    mem_ctl_t ctl;
} traffic_t;

static void traffic_places(bench_t *b, scoreboard_t *sb)
{
    uint64_t all = channel_lines * CHANNELS, page = vl_random(&b->rng) % (all / PAGE_LINES);
    unsigned k = 0;
    for (; k < NEAR; k++)
        scoreboard_new_line(sb, k, page * PAGE_LINES + k, &b->rng);
    /* Different tags of one set; different rows of one bank. */
    uint64_t some = vl_random(&b->rng) % all, index = local_of(some) / L2_SLICES % SETS;
    where_t set = where(some), bank = where(vl_random(&b->rng) % all);
    while (k < NEAR + SET) {
        uint64_t local = (vl_random(&b->rng) % (channel_lines / L2_SLICES / SETS) * SETS + index) * L2_SLICES
                         + set.slice % L2_SLICES;
        k += scoreboard_new_line(sb, k, address_of(set.channel, local), &b->rng);
    }
    while (k < NEAR + SET + BANK) {
        where_t w = {.group = bank.group,
                     .bank = bank.bank,
                     .row = vl_below(&b->rng, DRAM_ROWS),
                     .line = vl_below(&b->rng, ROW_LINES)};
        k += scoreboard_new_line(sb, k, address_of(bank.channel, local_at(&w)), &b->rng);
    }
    while (k < LINES)
        k += scoreboard_new_line(sb, k, vl_random(&b->rng) % all, &b->rng);
}

static void traffic_policy(bench_t *b, traffic_t *t)
{
    sched_policy_t *p = &t->ctl.sched;
    static const uint16_t bounds[] = {0, 1, 3, 8, 40, 2047};
    p->mode = vl_below(&b->rng, 2);
    p->bound = bounds[vl_below(&b->rng, 6)];
    p->write_high = (uint16_t)(vl_below(&b->rng, 4) ? vl_below(&b->rng, SCHED_WRITES + 4) : 0);
    p->write_low = (uint16_t)vl_below(&b->rng, vl_below(&b->rng, 3) ? p->write_high + 1u : SCHED_WRITES);
    p->app_valid = (uint8_t)(vl_below(&b->rng, 3) ? 15 : vl_below(&b->rng, 16));
    for (unsigned a = 0; a < APPS; a++)
        p->app_asid[a] = (uint16_t)(ASID0 + (vl_below(&b->rng, 8) ? a : vl_below(&b->rng, APPS)));
    p->turn_skip = (uint16_t)(vl_below(&b->rng, 2) ? 0 : 1 + vl_below(&b->rng, 12));
    p->thresh_max = (uint16_t)vl_below(&b->rng, vl_below(&b->rng, 2) ? 12 : 1024);
    t->ctl.page = vl_below(&b->rng, 3) == 0;
}

static void traffic_style(bench_t *b, traffic_t *t)
{
    static const struct {
        unsigned first, span;
    } group[] = {{0, NEAR}, {NEAR, SET}, {NEAR + SET, BANK}, {NEAR + SET + BANK, FAR}, {0, LINES}};
    static const unsigned favourite[] = {4, 1, 2, 0};
    unsigned g = vl_below(&b->rng, 2) ? favourite[b->mode] : vl_below(&b->rng, 5), load = vl_below(&b->rng, 4);
    t->span = vl_below(&b->rng, 3) ? group[g].span : 1 + vl_below(&b->rng, 6);
    t->first = group[g].first + vl_below(&b->rng, group[g].span - t->span + 1);
    for (unsigned s = 0; s < SOURCES; s++) /* everybody, few, one a time */
        t->rate[s] = load == 0   ? 256
                     : load == 1 ? vl_below(&b->rng, 257)
                     : load == 2 ? 3 + vl_below(&b->rng, 30)
                                 : vl_below(&b->rng, 2) * 256;
    unsigned kind = vl_below(&b->rng, 6);
    t->write = kind == 0 ? 0 : kind == 1 ? 240 : 30 + vl_below(&b->rng, 120);
    t->amo = kind == 2 ? 220 : vl_below(&b->rng, 40);
    t->bypass = vl_below(&b->rng, 3) ? vl_below(&b->rng, 40) : 200;
    t->again = vl_below(&b->rng, 3) ? 30 : 180;
    t->crowd = b->mode == ONE_LINE ? vl_below(&b->rng, 2) : vl_below(&b->rng, 8) == 0;
    t->walks = vl_below(&b->rng, 3) * 60;
    t->whole = vl_below(&b->rng, 3) * 100;
    t->harts = 1 + vl_below(&b->rng, 2);
    t->churn = vl_below(&b->rng, 6) ? 0 : 40;
    traffic_policy(b, t);
}

static vl_bits_128 traffic_bytes(bench_t *b, unsigned whole)
{
    vl_bits_128 be = {{~0ull, ~0ull}};
    if (vl_chance(&b->rng, whole))
        return be;
    switch (vl_below(&b->rng, 5)) {
    case 0: be.w[vl_below(&b->rng, 2)] = 0; break;
    case 1:
        be = (vl_bits_128){{0}};
        be.w[vl_below(&b->rng, 2)] = 1ull << vl_below(&b->rng, 64);
        break;
    case 2: be.w[vl_below(&b->rng, 2)] ^= 1ull << vl_below(&b->rng, 64); break;
    case 3: be = (vl_bits_128){{0}}; break;
    default: vl_random_wide(&b->rng, 128, be.w); break;
    }
    return be;
}

static void traffic_atomic(bench_t *b, const traffic_t *t, const scoreboard_t *sb, unsigned k, mem_req_t *r)
{
    static const uint64_t corner[] = {0, 1, ~0ull, 0x8000000080000000ull, 0x7fffffff7fffffffull};
    r->amo = (uint8_t)(vl_below(&b->rng, 2) ? AMO_LR + vl_below(&b->rng, 2) : vl_below(&b->rng, 12));
    r->amo_dword = vl_below(&b->rng, 2);
    r->amo_off = (uint8_t)(vl_below(&b->rng, 4) ? 8 * vl_below(&b->rng, 2) : 8 * vl_below(&b->rng, LINE_BYTES / 8));
    if (!r->amo_dword)
        r->amo_off += 4 * vl_below(&b->rng, 2);
    r->sc_fail = r->amo == AMO_SC && vl_below(&b->rng, 4) == 0;
    r->hart = (uint8_t)(vl_below(&b->rng, t->harts) % HARTS);
    r->data.w[0] = vl_below(&b->rng, 3) ? vl_random(&b->rng) : corner[vl_below(&b->rng, 5)];
    if (r->amo == AMO_CAS) /* what is there now is often there still when it is performed */
        r->data.w[1] = datum_get(sb->line[k].now + r->amo_off, r->amo_dword ? 8 : 4)
                       ^ (uint64_t)(vl_below(&b->rng, 3) == 0) << vl_below(&b->rng, 32);
}

/* A request of source s; false: it has as many inside as it may. */
static bool traffic_make(bench_t *b, traffic_t *t, const scoreboard_t *sb, unsigned s)
{
    if (sb->count[s] == INSIDE)
        return false;
    if (!t->crowd && !vl_chance(&b->rng, t->again))
        t->last = t->first + vl_below(&b->rng, t->span);
    else if (t->crowd && vl_below(&b->rng, 64) == 0)
        t->last = t->first + vl_below(&b->rng, t->span);
    net_req_t *n = &t->req[s];
    mem_req_t *r = &n->req;
    unsigned k = t->line[s] = t->last, p = vl_below(&b->rng, 256);
    memset(n, 0, sizeof *n);
    n->bypass = vl_chance(&b->rng, t->bypass);
    do
        r->id = (uint16_t)vl_below(&b->rng, IDS);
    while (sb->asked[s][r->id].busy);
    r->cls = (uint8_t)(vl_chance(&b->rng, t->walks) ? 1 + vl_below(&b->rng, 7) : 0);
    r->asid = (uint16_t)(ASID0 + vl_below(&b->rng, ASIDS + 1));
    r->line = sb->line[k].addr;
    r->op = p < t->amo ? MEM_AMO : p < t->amo + t->write ? MEM_WRITE : MEM_READ;
    if (r->op == MEM_AMO)
        traffic_atomic(b, t, sb, k, r);
    if (r->op != MEM_WRITE)
        return true;
    r->be = traffic_bytes(b, t->whole);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (r->be.w[i / 64] >> i % 64 & 1)
            ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
    return true;
}

/* Offers what it offered, or something new if `more`. */
static void traffic_drive(bench_t *b, traffic_t *t, scoreboard_t *sb, bool more, uint64_t ready, memside_in_t *in)
{
    uint64_t valid = 0, bypass = 0;
    for (unsigned s = 0; s < SOURCES; s++) {
        if (!t->offered[s] && more && vl_chance(&b->rng, t->rate[s]))
            t->offered[s] = traffic_make(b, t, sb, s);
        if (!t->offered[s])
            continue;
        valid |= 1ull << s;
        in->req[s] = t->req[s].req;
        bypass |= (uint64_t)t->req[s].bypass << s;
        if (ready >> s & 1) {
            scoreboard_take(b, sb, s, t->line[s], &t->req[s].req);
            t->offered[s] = false;
        }
    }
    in->req_valid = valid;
    in->bypass = bypass;
}
#endif
