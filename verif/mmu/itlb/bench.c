/* Bench of itlb: two askers, a walker that merges, answers late and out of order, shootdowns at any time. Besides the twin every answer is held against the leaves of walks since the
 * last invalidation that covers them: a hit must be one of those, a walk's answer is its result. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "itlb_ports.h"
#include "verif/mmu/itlb/page.h"

enum {
    COV_LEVEL,
    COV_GLOB = COV_LEVEL + 4,
    COV_OTHER,
    COV_MERGED,
    COV_BOTH,
    COV_RESULT,
    COV_NO_X = COV_RESULT + 3,
    COV_DATA,
    COV_DATA_NOT,
    COV_REFILL,
    COV_FULL,
    COV_INV,
    COV_INV_OUT = COV_INV + 3,
    COV_INV_FILL = COV_INV_OUT + 3,
    COV_INV_FREE,
    COV_INV_ANSWER,
    COV_INV_LOOK,
    COV_STALL,
    COV_N
};
static const char *const cover[] = {"hit of 4 KB",
                                    "hit of 2 MB",
                                    "hit of 1 GB",
                                    "hit of 512 GB",
                                    "hit of a global leaf of another address space",
                                    "the page is there for another address space alone",
                                    "both askers wait for one walk",
                                    "both ask at once",
                                    "a walk without fault",
                                    "a page fault",
                                    "an access fault",
                                    "a leaf without x",
                                    "a walk for data fills",
                                    "a walk for data that does not fill",
                                    "fill over the same page",
                                    "fill with every entry used",
                                    "INV_ALL takes one",
                                    "INV_ASID takes one",
                                    "INV_PAGE takes one",
                                    "INV_ALL of nothing",
                                    "INV_ASID leaves one",
                                    "INV_PAGE leaves one",
                                    "a fill covered by an inv of its edge",
                                    "a fill with an inv that does not cover it",
                                    "an answer at the edge of an inv",
                                    "a look-up at the edge of an inv",
                                    "a miss stalls"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum { SPACES = 3, PAGES = 24, KEPT = 1024, UNDER_WAY = TLB_MSHRS };
typedef struct {
    uint64_t vpn;
    uint16_t asid;
    leaf_t leaf;
} told_t;
typedef struct {
    uint16_t space[SPACES];
    uint64_t pages[PAGES];
    unsigned asid;
    told_t kept[KEPT]; /* fills since the last invalidation that covers them, the newest last */
    unsigned nkept;
    told_t fresh;
    bool has_fresh;
    struct {
        bool valid;
        uint64_t vpn;
        uint8_t for_me;
    } walk[UNDER_WAY];
    struct {
        bool asked, wait, dirty;
        uint64_t vpn, since;
        uint8_t walk;
    } asker[2]; /* dirty: an inv since the question */
    bool answered[2]; /* the answer expected now is that of a walk */
    ifound_t want[2];
    bool accepted;
    uint8_t accepted_walk;
    unsigned rate;
    page_t page;
} env_t;

static bool same_page(uint64_t a, uint64_t b, unsigned level)
{
    return !((a ^ b) >> 9 * level);
}

static bool covered(const inv_t *i, const told_t *t)
{
    return i->scope == INV_ALL
           || (i->scope == INV_ASID ? i->asid == t->asid && !t->leaf.glob
                                    : (i->asid == t->asid || t->leaf.glob) && same_page(i->vpn, t->vpn, t->leaf.level));
}

static uint64_t splice(uint64_t vpn, const leaf_t *leaf)
{
    uint64_t low = (1ull << 9 * leaf->level) - 1;
    return (leaf->ppn & ~low) | (vpn & low);
}

static uint64_t low_bits(bench_t *b, unsigned n)
{
    return n ? vl_random_bits(&b->rng, n) : 0;
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    e->space[0] = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->space[1] = (uint16_t)(e->space[0] ^ 1u << vl_below(&b->rng, ASID_W));
    e->space[2] = (uint16_t)~e->space[0];
    uint64_t at = vl_random_bits(&b->rng, VPN_W);
    for (unsigned k = 0; k < PAGES; k++)
        e->pages[k] = at ^= k ? 1ull << (b->mode == 0 ? k % 6 : k % VPN_W) : 0; /* neighbours differ in one bit */
    e->asid = e->space[0];
}

/* A fill is found from the cycle after the next edge on. */
static void keep(bench_t *b, env_t *e, const told_t *t)
{
    unsigned n = 0;
    for (unsigned k = 0; k < e->nkept; k++) {
        const told_t *o = &e->kept[k];
        unsigned level = o->leaf.level > t->leaf.level ? o->leaf.level : t->leaf.level;
        if ((o->leaf.glob || t->leaf.glob || o->asid == t->asid) && same_page(o->vpn, t->vpn, level))
            BENCH_COVER(b, COV_REFILL, true);
        else
            e->kept[n++] = *o;
    }
    if (n == KEPT)
        memmove(e->kept, e->kept + 1, --n * sizeof *e->kept);
    e->kept[n++] = *t;
    e->nkept = n;
}

static void make_walked(bench_t *b, env_t *e, unsigned k, walked_t *w)
{
    w->walk = (uint8_t)k;
    w->vpn = e->walk[k].vpn;
    w->asid = (uint16_t)e->asid;
    w->result = vl_below(&b->rng, 5) ? WALK_OK : 1 + vl_below(&b->rng, 2);
    if (w->result == WALK_PAGE)
        return;
    w->leaf.level = vl_below(&b->rng, 2) ? 0 : (uint8_t)vl_below(&b->rng, 4);
    w->leaf.glob = vl_below(&b->rng, 6) == 0;
    w->leaf.r = vl_below(&b->rng, 2);
    w->leaf.w = w->leaf.r && vl_below(&b->rng, 2);
    w->leaf.x = !w->leaf.r || vl_below(&b->rng, 4) != 0;
    w->leaf.ppn = vl_random_bits(&b->rng, VPN_W) >> 9 * w->leaf.level << 9 * w->leaf.level;
}

/* A hit must be the leaf of a walk, without an invalidation since that covers it. */
static void scoreboard_hit(bench_t *b, env_t *e, unsigned f, const ifound_t *found)
{
    bool right = false;
    for (unsigned k = e->nkept; k-- > 0 && !right;) {
        const told_t *t = &e->kept[k];
        if (!(t->leaf.glob || t->asid == e->asid) || !same_page(t->vpn, e->asker[f].vpn, t->leaf.level))
            continue;
        right = found->ppn == splice(e->asker[f].vpn, &t->leaf);
        BENCH_COVER(b, COV_LEVEL + t->leaf.level, right);
        BENCH_COVER(b, COV_GLOB, right && t->asid != e->asid);
        break; /* an older one has been replaced by this */
    }
    BENCH_CHECK(b, found->result == WALK_OK && right, "asker %u found page %#llx at %#llx, which no walk has found", f,
                (unsigned long long)e->asker[f].vpn, (unsigned long long)found->ppn);
}

static void stimulate(bench_t *b, env_t *e, const itlb_out_t *out, itlb_in_t *in)
{
    if (b->cycle % 500 == 0)
        e->rate = 10 + vl_below(&b->rng, 200);
    /* answers */
    for (unsigned f = 0; f < 2; f++) {
        bool valid = out->found_valid >> f & 1;
        if (e->answered[f]) {
            BENCH_CHECK(b, valid && out->found[f].result == e->want[f].result && out->found[f].ppn == e->want[f].ppn,
                        "asker %u does not get what its walk found", f);
            BENCH_COVER(b, COV_RESULT + e->want[f].result, true);
            e->answered[f] = false;
            e->asker[f].asked = false;
        } else if (valid) {
            BENCH_CHECK(b, e->asker[f].asked && !e->asker[f].wait, "an answer that asker %u does not wait for", f);
            if (!e->asker[f].dirty)
                scoreboard_hit(b, e, f, &out->found[f]);
            e->asker[f].asked = false;
        }
    }
    if (e->has_fresh)
        keep(b, e, &e->fresh);
    e->has_fresh = false;
    if (!e->asker[0].asked && !e->asker[1].asked && vl_chance(&b->rng, 3))
        e->asid = e->space[vl_below(&b->rng, SPACES)];
    in->asid = (uint16_t)e->asid;
    /* the walker: the request that it took in the last cycle, then the one of this cycle */
    if (e->accepted) {
        in->walk_valid = true;
        in->walk = e->accepted_walk;
        for (unsigned f = 0; f < 2; f++)
            if (e->asker[f].asked && !e->asker[f].wait && e->asker[f].vpn == e->walk[e->accepted_walk].vpn
                && e->walk[e->accepted_walk].for_me >> f & 1) {
                e->asker[f].wait = true;
                e->asker[f].walk = e->accepted_walk;
            }
        e->accepted = false;
    }
    in->miss_ready = vl_chance(&b->rng, b->mode == 3 ? 60 : 200);
    BENCH_COVER(b, COV_STALL, out->miss_valid && !in->miss_ready);
    unsigned ends = UNDER_WAY; /* one that ends at this edge takes no more misses: it is done */
    if (vl_chance(&b->rng, e->rate)) {
        ends = vl_below(&b->rng, UNDER_WAY);
        if (!e->walk[ends].valid || (in->walk_valid && in->walk == ends))
            ends = UNDER_WAY;
    }
    if (out->miss_valid) {
        unsigned k = UNDER_WAY, f;
        for (unsigned j = UNDER_WAY; j-- > 0;)
            if (!e->walk[j].valid && j != ends)
                k = j;
        for (unsigned j = 0; j < UNDER_WAY; j++)
            if (e->walk[j].valid && j != ends && e->walk[j].vpn == out->miss.vpn)
                k = j;
        f = 2; /* who has waited longest for a look-up, of those of this page */
        for (unsigned a = 2; a-- > 0;)
            if (e->asker[a].asked && !e->asker[a].wait && e->asker[a].vpn == out->miss.vpn
                && (f == 2 || e->asker[a].since <= e->asker[f].since))
                f = a;
        BENCH_CHECK(b, f < 2 && out->miss.access == ACC_FETCH, "a miss of a page that nobody asks for");
        in->miss_ready &= k < UNDER_WAY;
        if (in->miss_ready) {
            if (!e->walk[k].valid) {
                e->walk[k].valid = true;
                e->walk[k].for_me = 0;
            }
            e->walk[k].vpn = out->miss.vpn;
            /* with both askers at this page the other one looks up later */
            e->walk[k].for_me |= (uint8_t)(1u << f);
            e->accepted = true;
            e->accepted_walk = (uint8_t)k;
        }
    }
    if (vl_chance(&b->rng, 20)) /* walks for data */
        for (unsigned j = 0; j < UNDER_WAY; j++)
            if (!e->walk[j].valid && j != ends) {
                e->walk[j].valid = true;
                e->walk[j].for_me = 0;
                e->walk[j].vpn = e->pages[vl_below(&b->rng, PAGES)];
                break;
            }
    /* shootdown */
    bool inv = vl_chance(&b->rng, b->mode == 2 ? 30 : 4);
    if (inv) {
        in->inv_valid = true;
        in->inv.scope = vl_below(&b->rng, 6) ? 1 + vl_below(&b->rng, 2) : INV_ALL;
        in->inv.asid = e->space[vl_below(&b->rng, SPACES)];
        in->inv.vpn = e->pages[vl_below(&b->rng, PAGES)] ^ low_bits(b, 9 * vl_below(&b->rng, 4));
        unsigned takes = 0;
        for (unsigned k = 0, n = 0; k < e->nkept; k++) {
            if (covered(&in->inv, &e->kept[k]))
                takes++;
            else
                e->kept[n++] = e->kept[k];
            if (k == e->nkept - 1) {
                BENCH_COVER(b, COV_INV + in->inv.scope, takes > 0);
                BENCH_COVER(b, COV_INV_OUT + in->inv.scope, in->inv.scope && n > 0);
                e->nkept = n;
                break;
            }
        }
        BENCH_COVER(b, COV_INV_OUT, in->inv.scope == INV_ALL && !takes);
    }
    /* a walk ends */
    if (ends < UNDER_WAY) {
        walked_t *w = &in->walked;
        in->walked_valid = true;
        make_walked(b, e, ends, w);
        unsigned waiters = 0;
        for (unsigned f = 0; f < 2; f++)
            if (e->asker[f].wait && e->asker[f].walk == ends) {
                waiters++;
                e->asker[f].wait = false;
                if (inv) {
                    e->asker[f].since = b->cycle;
                    BENCH_COVER(b, COV_INV_ANSWER, true);
                    continue;
                }
                e->answered[f] = true;
                e->want[f].result = w->result != WALK_PAGE && !w->leaf.x ? WALK_PAGE : w->result;
                e->want[f].ppn = e->want[f].result == WALK_OK ? splice(e->asker[f].vpn, &w->leaf) : 0;
                BENCH_COVER(b, COV_NO_X, w->result == WALK_OK && !w->leaf.x);
            }
        BENCH_COVER(b, COV_MERGED, waiters == 2);
        e->walk[ends].valid = false;
        if (w->result == WALK_OK && w->leaf.x) {
            told_t t = {.vpn = w->vpn, .asid = w->asid, .leaf = w->leaf};
            bool out_of = inv && covered(&in->inv, &t);
            BENCH_COVER(b, COV_INV_FILL, out_of);
            BENCH_COVER(b, COV_INV_FREE, inv && !out_of);
            BENCH_COVER(b, COV_DATA, !waiters);
            BENCH_COVER(b, COV_FULL, e->nkept > ITLB_ENTRIES);
            if (!out_of) {
                e->fresh = t;
                e->has_fresh = true;
            }
        } else {
            BENCH_COVER(b, COV_DATA_NOT, w->result == WALK_OK && !waiters);
        }
    }
    /* questions: one a cycle; not while an answer is on its way */
    if (inv)
        for (unsigned f = 0; f < 2; f++) {
            BENCH_COVER(b, COV_INV_LOOK, e->asker[f].asked && !e->asker[f].wait && !e->asker[f].dirty);
            e->asker[f].dirty = true;
        }
    unsigned f = vl_below(&b->rng, 2);
    if (!e->asker[f].asked && !e->answered[f] && vl_chance(&b->rng, e->rate)) {
        uint64_t vpn = e->pages[vl_below(&b->rng, vl_below(&b->rng, 2) ? ITLB_ENTRIES : PAGES)]
                       ^ (vl_below(&b->rng, 4) ? 0 : low_bits(b, 9 * vl_below(&b->rng, 4)));
        in->look_valid = true;
        in->look.fill = f;
        in->look.vpn = vpn;
        in->look.warp = (uint8_t)vl_random_bits(&b->rng, WARP_W);
        e->asker[f].asked = true;
        e->asker[f].wait = e->asker[f].dirty = false;
        e->asker[f].vpn = vpn;
        e->asker[f].since = b->cycle;
        bool own = false, other = false;
        for (unsigned k = 0; k < e->nkept; k++) {
            bool in_page = same_page(e->kept[k].vpn, vpn, e->kept[k].leaf.level);
            own |= in_page && (e->kept[k].leaf.glob || e->kept[k].asid == e->asid);
            other |= in_page;
        }
        BENCH_COVER(b, COV_OTHER, other && !own);
        BENCH_COVER(b, COV_BOTH, e->asker[!f].asked);
    }
}

SCOREBOARD_DRIVE(itlb, env_t, stimulate)
BENCH_MAIN(itlb, env_t, start, drive, cover, COV_N)
