/* The sources' requests: lines that were chosen so that they meet in sources, sets, banks and rows; mixes that change every few hundred cycles. */
#ifndef VERIF_MEMSIDE_TRAFFIC_H
#define VERIF_MEMSIDE_TRAFFIC_H
#include "verif/common/halves.h"
#include "verif/mem/memside/coherent.h"

enum { GENERAL, ONE_SET, ONE_BANK, ONE_LINE }; /* modes: the most frequent conflicts */
enum { ASIDS = 4, ASID0 = 100 };

typedef struct {
    unsigned rate[SOURCES], write, amo, bypass, again, walks, whole, harts, first, span, last, churn;
    bool crowd; /* all sources for the same line */
    /* home = directory: */
    unsigned store; /* share of coherent stores among writes of cores */
    bool single, host_n_stores; /* a byte has one agent that n-stores, until everything rests; the host n-stores, too */
    uint64_t salt;
    bool alone; /* one request at a time, of all */
    bool pairs; /* LR and SC of all sources to one line, and loads */
    mem_req_t lr[SOURCES]; /* the last one of each source, and its line */
    unsigned lr_line[SOURCES], pair; /* pair: 1 + the source of the last request, if that was an LR */
    bool offered[SOURCES];
    net_req_t req[SOURCES];
    unsigned line[SOURCES];
    mem_ctl_t ctl;
} traffic_t;

/* home = directory: lines of a window as large as host memory that begins anywhere: in one page, in one set of the L2, in one place of the stacks, in few blocks, anywhere. */
static void traffic_window(bench_t *b, scoreboard_t *sb)
{
    const uint64_t lines = (uint64_t)HOST_CHANNELS * HOST_BYTES / LINE_BYTES, round = (uint64_t)CHANNELS * BLOCK,
                   places = STACK_BYTES / INTERLEAVE_BYTES, all = 1ull << LINE_ADDR_W;
    const uint64_t base = vl_below(&b->rng, 3) ? vl_random(&b->rng) % ((all - lines) / round) * round
                                               : vl_below(&b->rng, 2) * (0x10000000ull / LINE_BYTES) / round * round;
    const uint64_t page = vl_random(&b->rng) % (lines / PAGE_LINES) * PAGE_LINES, some = vl_random(&b->rng) % lines;
    uint64_t few[3];
    for (unsigned i = 0; i < 3; i++)
        few[i] = vl_random(&b->rng) % (lines / BLOCK) * BLOCK;
    for (unsigned k = 0, tries = 0; k < LINES; tries++) {
        uint64_t at = vl_random(&b->rng) % lines;
        if (tries > 50)
            tries = 0; /* no free line of this kind was found: any line will do */
        else if (k < NEAR)
            at = page + vl_below(&b->rng, PAGE_LINES);
        else if (k < NEAR + SET * 3 / 4) /* one set: lines as far apart as a channel's sets */
            at = address_of(where(some).channel,
                            folded((folded(local_of(some)) + at / CHANNELS * SETS) % (lines / CHANNELS)));
        else if (k < NEAR + SET) /* one place: blocks as far apart as a stack's places */
            at = address_of(where(some).channel,
                            (local_of(some) + vl_below(&b->rng, BLOCK) + at / CHANNELS / BLOCK * places * BLOCK)
                                % (lines / CHANNELS));
        else if (k < NEAR + SET + BANK)
            at = few[vl_below(&b->rng, 3)] + vl_below(&b->rng, BLOCK);
        if (scoreboard_new_line(sb, k, base + at, &b->rng)) {
            k++;
            tries = 0;
        }
    }
}

static void traffic_places(bench_t *b, scoreboard_t *sb)
{
    if (HOME == HOME_DIRECTORY) {
        traffic_window(b, sb);
        return;
    }
    uint64_t all = channel_lines * CHANNELS, page = vl_random(&b->rng) % (all / PAGE_LINES);
    unsigned k = 0;
    for (; k < NEAR; k++)
        scoreboard_new_line(sb, k, page * PAGE_LINES + k, &b->rng);
    /* Different tags of one set; different rows of one bank. */
    uint64_t some = vl_random(&b->rng) % all, index = folded(local_of(some) / L2_SLICES) % SETS;
    where_t set = where(some), bank = where(vl_random(&b->rng) % all);
    while (k < NEAR + SET) {
        uint64_t tag = vl_random(&b->rng) % (channel_lines / L2_SLICES / SETS);
        uint64_t local = folded(tag * SETS + index) * L2_SLICES + set.slice % L2_SLICES;
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
    t->ctl.peers = DEVICES == 1 || vl_below(&b->rng, 3) != 0;
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
    for (unsigned s = 0; s < SOURCES; s++) /* all sources, few, or one at a time */
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
    t->alone = HOME == HOME_DIRECTORY && vl_below(&b->rng, 6) == 0;
    t->pairs = HOME == HOME_DIRECTORY && vl_below(&b->rng, 6) == 0;
    if (t->pairs) {
        t->crowd = true;
        t->amo = 150 + vl_below(&b->rng, 80);
        t->write = vl_below(&b->rng, 8);
    }
    t->store = vl_below(&b->rng, 3) ? 0 : vl_below(&b->rng, 80);
    if (HOME == HOME_DIRECTORY && vl_below(&b->rng, 8) == 0) { /* the host alone, as ahead of a kernel */
        memset(t->rate, 0, sizeof t->rate);
        t->rate[SOURCES - 1] = 256;
        t->write = 200;
    }
    traffic_policy(b, t);
}

static line_be_t traffic_bytes(bench_t *b, unsigned whole)
{
    line_be_t be = be_all();
    if (vl_chance(&b->rng, whole))
        return be;
    switch (vl_below(&b->rng, 5)) {
    case 0: be = be_halves(2u >> vl_below(&b->rng, 2)); break;
    case 1:
        be = (line_be_t){{0}};
        be.w[vl_below(&b->rng, BE_WORDS)] = 1ull << vl_below(&b->rng, 64);
        break;
    case 2: be.w[vl_below(&b->rng, BE_WORDS)] ^= 1ull << vl_below(&b->rng, 64); break;
    case 3: be = (line_be_t){{0}}; break;
    default: vl_random_wide(&b->rng, LINE_BYTES, be.w); break;
    }
    return some_grains(&b->rng, be);
}

/* Everything rests: chooses the agent that may n-store into each byte from now on. */
static void traffic_writers(bench_t *b, traffic_t *t)
{
    t->single = vl_below(&b->rng, 2);
    t->host_n_stores = vl_below(&b->rng, DEVICES == 1 ? 2 : 4) == 0;
    t->salt = vl_random(&b->rng);
}

/* home = directory: an n-store of agent a, of bytes that it may n-store into and that have room for a version, to values that they do not have. Grains have one agent, and room in every byte. */
static void traffic_n_store(const traffic_t *t, coherent_t *c, unsigned a, unsigned k, mem_req_t *r)
{
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        byte_t *x = &c->byte[k][i];
        const unsigned grain = i / MASK_GRAIN * MASK_GRAIN;
        const uint64_t owner = ((t->salt >> 8) + k * 131u + grain * 7u) * (t->salt | 1) >> 24;
        bool full = false;
        for (unsigned j = grain; j < grain + MASK_GRAIN; j++)
            full |= c->byte[k][j].n + c->byte[k][j].pending - (j < i && be_has(&r->be, j)) >= VERSIONS;
        uint8_t *to = &((uint8_t *)r->data.w)[i];
        const bool mine = !t->single || owner % (DEVICES + t->host_n_stores) == a;
        if (!(r->be.w[i / 64] >> i % 64 & 1))
            continue;
        if (!mine || full) {
            r->be.w[i / 64] &= ~(1ull << i % 64);
            *to = 0;
            continue;
        }
        x->pending++;
        for (bool used = true; used; *to += used * 97)
            for (unsigned v = used = 0; v < x->n; v++)
                used |= x->v[v].value == *to;
    }
}

static void traffic_atomic(bench_t *b, const traffic_t *t, const scoreboard_t *sb, const coherent_t *c, unsigned k,
                           bool sc, mem_req_t *r)
{
    static const uint64_t corner[] = {0, 1, ~0ull, 0x8000000080000000ull, 0x7fffffff7fffffffull};
    r->amo = (uint8_t)(sc                                 ? AMO_SC
                       : t->pairs || vl_below(&b->rng, 2) ? AMO_LR + vl_below(&b->rng, 2)
                                                          : vl_below(&b->rng, 12));
    r->amo_dword = vl_below(&b->rng, 2);
    r->amo_off = (uint8_t)(vl_below(&b->rng, 4) ? 8 * vl_below(&b->rng, 2) : 8 * vl_below(&b->rng, LINE_BYTES / 8));
    if (!r->amo_dword)
        r->amo_off += 4 * vl_below(&b->rng, 2);
    r->sc_fail = r->amo == AMO_SC && vl_below(&b->rng, 4) == 0;
    r->hart = (uint8_t)(vl_below(&b->rng, t->harts) % HARTS);
    r->data.w[0] = vl_below(&b->rng, 3) ? vl_random(&b->rng) : corner[vl_below(&b->rng, 5)];
    if (r->amo == AMO_CAS) /* the present value is often still there when the request is performed */
        r->data.w[1] = (HOME == HOME_DIRECTORY ? coherent_guess(c, k, r->amo_off, r->amo_dword ? 8 : 4)
                                               : datum_get(sb->line[k].now + r->amo_off, r->amo_dword ? 8 : 4))
                       ^ (uint64_t)(vl_below(&b->rng, 3) == 0) << vl_below(&b->rng, 32);
}

/* An SC often follows the LR before it. */
static void traffic_pairs(bench_t *b, traffic_t *t, unsigned s, net_req_t *n)
{
    const mem_req_t *lr = &t->lr[s];
    mem_req_t *r = &n->req;
    if (r->amo == AMO_LR) {
        t->lr[s] = *r;
        t->lr_line[s] = t->line[s];
        t->pair = s + 1;
        return;
    }
    if (r->amo == AMO_SC && lr->op == MEM_AMO && (t->pair == s + 1 || vl_below(&b->rng, 4))) {
        r->line = lr->line;
        r->hart = lr->hart;
        r->amo_off = lr->amo_off;
        r->amo_dword = lr->amo_dword;
        t->line[s] = t->lr_line[s];
    }
    t->pair = 0;
}

/* A request of source s; false: it has as many inside as it may. */
static bool traffic_make(bench_t *b, traffic_t *t, const scoreboard_t *sb, coherent_t *c, unsigned s)
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
    const bool second = t->alone && t->pair == s + 1;
    r->op = p < t->amo || second ? MEM_AMO : p < t->amo + t->write ? MEM_WRITE : MEM_READ;
    if (r->op == MEM_AMO)
        traffic_atomic(b, t, sb, c, k, second, r);
    if (r->op == MEM_AMO && HOME == HOME_DIRECTORY)
        traffic_pairs(b, t, s, n);
    else
        t->pair = 0;
    if (r->op == MEM_WRITE && HOME == HOME_DIRECTORY
        && (s == SOURCES - 1 ? !t->host_n_stores || vl_below(&b->rng, 4) : vl_chance(&b->rng, t->store)))
        r->op = MEM_STORE;
    if (r->op != MEM_WRITE && r->op != MEM_STORE)
        return true;
    r->be = traffic_bytes(b, t->whole);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (r->be.w[i / 64] >> i % 64 & 1)
            ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
    if (r->op == MEM_WRITE && HOME == HOME_DIRECTORY)
        traffic_n_store(t, c, agent_of(s), k, r);
    return true;
}

/* Each source offers its request again, or a new one if `more`. */
static void traffic_drive(bench_t *b, traffic_t *t, scoreboard_t *sb, coherent_t *c, bool more, uint64_t ready,
                          memside_in_t *in)
{
    uint64_t valid = 0, bypass = 0;
    for (unsigned s = 0; s < SOURCES; s++) {
        if (!t->offered[s] && more && !(t->alone && (valid || scoreboard_inside(sb) || (t->pair && t->pair != s + 1)))
            && vl_chance(&b->rng, t->rate[s]))
            t->offered[s] = traffic_make(b, t, sb, c, s);
        if (!t->offered[s])
            continue;
        valid |= 1ull << s;
        in->req[s] = t->req[s].req;
        bypass |= (uint64_t)t->req[s].bypass << s;
        if (ready >> s & 1) {
            scoreboard_take(b, sb, s, t->line[s], &t->req[s].req);
            c->started++;
            t->offered[s] = false;
        }
    }
    in->req_valid = valid;
    in->bypass = bypass;
}
#endif
