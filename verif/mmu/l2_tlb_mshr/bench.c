/* Bench of l2_tlb_mshr: L2 TLB ports that miss (cores of several kernels, which flood or ask now and then, for one page, a few or many), a walker that ends walks after any time and in any order
 * and begins them again with a shootdown, ans_net that takes at random rates. Besides the twin it is checked against the page as a program (page.h), the source of its coverage; and against
 * the promise to a core: each miss is answered once, by a walk of its page that ended after it came. Each leaf has a number of its own (its ppn), by which it is known again. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/mmu/l2_tlb_mshr/page.h"

static const char *const cover[] = {"misses of all ports for one page in one cycle",
                                    "one page of two address spaces",
                                    "a miss joins one of two walks for a page of two address spaces",
                                    "a miss joins a walk",
                                    "a miss joins a walk of another kernel",
                                    "a miss of a page whose walk ends at this edge",
                                    "a miss of a page whose walk has ended",
                                    "a miss joins a walk whose end is void by INV_ALL",
                                    "a miss joins a walk whose end is void by INV_ASID",
                                    "a miss joins a walk whose end is void by INV_PAGE",
                                    "two walks for one page",
                                    "a place that has waited for a walk joins one",
                                    "a place that has waited gets a walk, as that of its page ends at this edge",
                                    "a place that joins holds up those of the ports",
                                    "places of all ports wait to be put into lists",
                                    "two wait at a port",
                                    "the port whose turn it is has nothing",
                                    "all walks taken",
                                    "a kernel is held back by the reserve",
                                    "a kernel is held back by the reserve, and would only join",
                                    "a kernel takes the walk that is kept for it",
                                    "a kernel is held back by the turn",
                                    "a walk becomes free while a kernel waits",
                                    "a walk is taken at the edge after its last answer",
                                    "every place used",
                                    "all places at once",
                                    "kernels' lists of each length",
                                    "walks' lists of each length",
                                    "an answer waits",
                                    "walks answered in the order of their ends, against that of their numbers",
                                    "an answer a cycle, of several walks",
                                    "a fill of a walk that another warp has joined",
                                    "a page fault",
                                    "an access fault",
                                    "INV_ALL at an end",
                                    "INV_ASID at an end",
                                    "INV_PAGE at an end",
                                    "INV_ASID of another address space at an end",
                                    "a walk ends that an invalidation has begun again at its end",
                                    "an invalidation with walk_req",
                                    "an invalidation while what has ended is answered",
                                    "a miss in the cycle of an invalidation",
                                    "a core changes its kernel while others wait",
                                    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { PAGES = 4 * PLACES, TOKENS = 4096 };
typedef struct {
    bool open;
    uint64_t since;
    uint16_t asid;
    uint64_t vpn;
} asked_t;
typedef struct {
    page_t page;
    asked_t id[CORES][TLB_MSHRS];
    unsigned asked; /* ids open */
    struct {
        bool valid;
        uint64_t due, vpn;
        uint16_t asid;
    } walk[WALKS];
    struct {
        uint64_t number, ended;
        uint16_t asid;
        uint64_t vpn;
        uint8_t result;
    } token[TOKENS];
    uint64_t tokens;
    uint64_t pool[PAGES];
    uint8_t owner[CORES];
    uint16_t space[KERNELS];
    /* style */
    unsigned rate[KERNELS], base[KERNELS], span[KERNELS], takes, latency, ends, quiet, other, move, alike, faults;
    unsigned hold; /* the number of open ids before walks may end */
    unsigned next; /* page, of those in turn */
    bool drain, in_turn;
} env_t;

/* Cores, kernels and address spaces, when nothing is under way. */
static void deal(bench_t *b, env_t *e)
{
    const unsigned kind = vl_below(&b->rng, 3), one = vl_below(&b->rng, KERNELS);
    for (unsigned c = 0; c < CORES; c++)
        e->owner[c] = (uint8_t)(kind == 0 ? one : kind == 1 ? c % KERNELS : vl_below(&b->rng, KERNELS));
    /* Address spaces that differ in one bit, or are one. */
    for (unsigned k = 0; k < KERNELS; k++)
        e->space[k] = (uint16_t)(k && vl_below(&b->rng, 4) ? e->space[k - 1] ^ 1u << vl_below(&b->rng, ASID_W)
                                 : k                       ? e->space[k - 1]
                                                           : vl_random_bits(&b->rng, ASID_W));
}

static void start(bench_t *b, env_t *e)
{
    uint64_t vpn = vl_random_bits(&b->rng, VPN_W);
    for (unsigned k = 0; k < PAGES; k++) /* neighbours differ in one bit, or by one */
        e->pool[k] = vpn = (b->mode & 1 ? vpn ^ 1ull << (k * 7 + b->seed) % VPN_W : vpn + 1) & ((1ull << VPN_W) - 1);
    deal(b, e);
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned latency[] = {1, 4, 30, 200};
    const unsigned span = vl_below(&b->rng, 4), lonely = vl_below(&b->rng, 4 * KERNELS);
    for (unsigned k = 0; k < KERNELS; k++) {
        e->rate[k] = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 10 + vl_below(&b->rng, 200) : 2;
        if (lonely < KERNELS)
            e->rate[k] = k == lonely ? 3 : 256; /* one core requests rarely, among floods of the others */
        e->base[k] = vl_below(&b->rng, 3) && k ? e->base[k - 1] : vl_below(&b->rng, PAGES);
        e->span[k] = span == 0   ? 1
                     : span == 1 ? 1 + vl_below(&b->rng, 4)
                     : span == 2 ? 1 + vl_below(&b->rng, PLACES)
                                 : PAGES;
    }
    e->takes = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 20 + vl_below(&b->rng, 230) : 4;
    e->latency = latency[vl_below(&b->rng, 4)];
    e->ends = vl_below(&b->rng, 3) ? 256 : 4 + vl_below(&b->rng, 250);
    e->hold = vl_below(&b->rng, 3) ? 0 : vl_below(&b->rng, 2) ? PLACES : 1 + vl_below(&b->rng, PLACES);
    e->quiet = vl_below(&b->rng, 3) ? 60 : vl_below(&b->rng, 2) ? 100000 : 1 + vl_below(&b->rng, 6);
    e->other = vl_below(&b->rng, 4);
    e->move = vl_below(&b->rng, 2) ? 20 : 400;
    e->alike = vl_below(&b->rng, 3) ? 0 : 128;
    e->faults = vl_below(&b->rng, 3) ? 20 : 128;
    e->drain = vl_below(&b->rng, 3) == 0;
    e->in_turn = vl_below(&b->rng, 6) == 0;
    if (vl_below(&b->rng, 4) == 0) { /* as many as can be, for one page or each for its own */
        for (unsigned k = 0; k < KERNELS; k++)
            e->rate[k] = 256, e->span[k] = vl_below(&b->rng, 2) ? PAGES : 1;
        e->hold = PLACES;
        e->quiet = 100000;
        e->in_turn = vl_below(&b->rng, 2);
    }
}

static bool core_open(const env_t *e, unsigned c)
{
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        if (e->id[c][k].open)
            return true;
    return false;
}

/* One miss of a port, of a core that has an id left. */
static void miss(bench_t *b, env_t *e, unsigned port, l2_tlb_mshr_in_t *in)
{
    unsigned can[CORES], n = 0;
    for (unsigned c = port; c < CORES; c += L2_TLB_PORTS)
        for (unsigned k = 0; k < TLB_MSHRS; k++)
            if (!e->id[c][k].open) {
                can[n++] = c;
                break;
            }
    if (!n)
        return;
    const unsigned c = can[vl_below(&b->rng, n)], kernel = e->owner[c];
    if (!vl_chance(&b->rng, e->rate[kernel]))
        return;
    unsigned k = vl_below(&b->rng, TLB_MSHRS);
    while (e->id[c][k].open)
        k = (k + 1) % TLB_MSHRS;
    translate_req_t *r = &in->miss[port];
    r->core = (uint8_t)c;
    r->id = (uint8_t)k;
    r->asid = e->space[kernel];
    r->vpn = e->pool[(e->base[kernel] + (e->in_turn ? e->next++ : vl_below(&b->rng, e->span[kernel]))) % PAGES];
    if (port && in->miss_valid & 1 && vl_chance(&b->rng, e->alike))
        r->vpn = in->miss[0].vpn;
    in->miss_valid |= (__typeof__(in->miss_valid))(1u << port);
}

/* The walker: which walk ends in this cycle. Often one that somebody is about to join. */
static void walker(bench_t *b, env_t *e, l2_tlb_mshr_in_t *in)
{
    in->walk_rsp_valid = false;
    if (e->asked < e->hold && vl_below(&b->rng, 600))
        return;
    if (e->hold && e->asked >= e->hold)
        e->hold = 0;
    if (!vl_chance(&b->rng, e->ends))
        return;
    unsigned w = vl_below(&b->rng, WALKS), n = 0;
    for (unsigned q = 0; q < L2_TLB_PORTS && vl_below(&b->rng, 2); q++)
        for (unsigned i = 0; i < WALKS && e->page.port[q].n; i++)
            if (e->walk[i].valid && page_is(&e->page.walk[i], &e->page.port[q].t[0]))
                w = i;
    while (n < WALKS && !(e->walk[w].valid && e->walk[w].due <= b->cycle))
        w = (w + 1) % WALKS, n++;
    if (n == WALKS)
        return;
    in->walk_rsp_valid = true;
    walk_rsp_t *r = &in->walk_rsp;
    r->walk = (uint8_t)w;
    r->result = (uint8_t)(vl_chance(&b->rng, e->faults) ? 1 + vl_below(&b->rng, 2) : WALK_OK);
    r->leaf.ppn = ++e->tokens;
}

/* Checks an answer against the open misses. */
static void answers(bench_t *b, env_t *e, const l2_tlb_mshr_out_t *out, const l2_tlb_mshr_in_t *in)
{
    if (!out->ans_valid)
        return;
    const translate_ans_t *a = &out->ans;
    const uint64_t number = a->rsp.leaf.ppn;
    asked_t *id = &e->id[a->core % CORES][a->rsp.id % TLB_MSHRS];
    BENCH_CHECK(b, (unsigned)a->core < CORES && (unsigned)a->rsp.id < TLB_MSHRS && id->open,
                "an answer to core %u, id %u, which did not ask", a->core, a->rsp.id);
    __typeof__(e->token[0]) *t = &e->token[number % TOKENS];
    BENCH_CHECK(b, t->number == number && number, "an answer of no walk");
    BENCH_CHECK(b, t->asid == id->asid && t->vpn == id->vpn, "an answer of a walk for another page");
    BENCH_CHECK(b, t->ended > id->since, "an answer of a walk that had ended when its miss came");
    BENCH_CHECK(b, t->result == a->rsp.result, "an answer of another result");
    if (in->ans_ready) {
        id->open = false;
        e->asked--;
    }
}

static void stimulate(bench_t *b, env_t *e, const l2_tlb_mshr_out_t *out, l2_tlb_mshr_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    l2_tlb_mshr_in_random(&b->rng, in);
    if (e->drain && !e->asked) {
        deal(b, e);
        e->drain = false;
    }
    const unsigned moved = vl_below(&b->rng, CORES);
    if (vl_below(&b->rng, e->move) == 0 && !core_open(e, moved))
        e->owner[moved] = (uint8_t)vl_below(&b->rng, KERNELS);
    memcpy(in->owner, e->owner, sizeof e->owner);
    in->ans_ready = vl_chance(&b->rng, e->takes);
    in->inv_valid = vl_below(&b->rng, e->quiet) == 0;
    in->inv.scope = (uint8_t)(vl_below(&b->rng, 4) ? 1 + vl_below(&b->rng, 2) : INV_ALL);
    in->inv.asid = e->space[vl_below(&b->rng, KERNELS)];
    if (vl_below(&b->rng, 4) < e->other)
        in->inv.asid ^= (uint16_t)(1u << vl_below(&b->rng, ASID_W));
    in->inv.vpn = e->pool[vl_below(&b->rng, PAGES)];
    in->miss_valid = 0;
    for (unsigned q = 0; q < L2_TLB_PORTS && !e->drain; q++)
        miss(b, e, q, in);
    walker(b, e, in);
    if (in->walk_rsp_valid) {
        const walk_rsp_t *r = &in->walk_rsp;
        __typeof__(e->walk[0]) *w = &e->walk[r->walk];
        const uint64_t n = r->leaf.ppn;
        e->token[n % TOKENS] = (__typeof__(e->token[0])){n, b->cycle, w->asid, w->vpn, r->result};
        if (in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == w->asid)) {
            e->token[n % TOKENS].number = 0; /* void: no answer may use it */
            w->due = b->cycle + 1 + vl_below(&b->rng, e->latency);
        } else {
            w->valid = false;
        }
    }
    if (out->walk_req_valid) {
        const walk_req_t *r = &out->walk_req;
        __typeof__(e->walk[0]) *w = &e->walk[r->walk % WALKS];
        BENCH_CHECK(b, (unsigned)r->walk < WALKS && !w->valid, "a walk is begun that is under way");
        *w = (__typeof__(*w)){true, b->cycle + 1 + vl_below(&b->rng, e->latency), r->vpn, r->asid};
    }
    answers(b, e, out, in);
    for (unsigned q = 0; q < L2_TLB_PORTS; q++)
        if (in->miss_valid >> q & 1) {
            const translate_req_t *r = &in->miss[q];
            e->id[r->core][r->id] = (asked_t){true, b->cycle, r->asid, r->vpn};
            e->asked++;
        }
}

static void expect(bench_t *b, page_t *page, const l2_tlb_mshr_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* The reserve: a walk for each kernel that has none, and at its turn it gets one. */
    BENCH_CHECK(b, page_free(page) >= page_without(page, KERNELS), "%u walks are free, and %u kernels have none",
                page_free(page), page_without(page, KERNELS));
    for (unsigned k = 0; k < KERNELS; k++)
        BENCH_CHECK(b, page->starved[k] <= KERNELS, "kernel %u waits for its first walk for %u edges", k,
                    page->starved[k]);
    /* Points that a configuration cannot reach: a turn of one port, or of ports without a core; a second kernel beside a single one. */
    static const uint8_t by_kernel[] = {NOTE_SPACES,       NOTE_SPACES_JOIN, NOTE_MERGE_OTHER, NOTE_RESERVE,
                                        NOTE_RESERVE_JOIN, NOTE_FIRST_ONE,   NOTE_TURN,        NOTE_OWNER};
    for (unsigned k = 0; k < sizeof by_kernel; k++)
        BENCH_COVER(b, by_kernel[k], KERNELS == 1);
    BENCH_COVER(b, NOTE_PORT_TURN, L2_TLB_PORTS == 1 || CORES == 1);
    BENCH_COVER(b, NOTE_PORTS_PAGE, L2_TLB_PORTS > CORES);
    BENCH_COVER(b, NOTE_QUEUES, L2_TLB_PORTS > CORES);
    /* With a walk for each place a miss waits only in the last moment. */
    static const uint8_t by_want[] = {NOTE_LATE_MEETS_END, NOTE_RESERVE_JOIN, NOTE_FIRST_ONE, NOTE_TURN};
    for (unsigned k = 0; k < sizeof by_want; k++)
        BENCH_COVER(b, by_want[k], WALKS >= PLACES);
    BENCH_COVER(b, NOTE_TAKEN, WALKS > PLACES);
}

SCOREBOARD_DRIVE_COVERED(l2_tlb_mshr, env_t, stimulate, expect)
BENCH_MAIN(l2_tlb_mshr, env_t, start, drive, cover, NOTES)
