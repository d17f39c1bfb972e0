/* Bench of stall_count: it plays l2_tlb_mshr with walks of each kernel slot that come and go, the cores' tlb_mshr, and ctrl, which ends epochs, names applications and takes the inputs of equation 1
 * into its own hands. Besides the twin it is checked against the page as a program (page.h), the source of its coverage. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 30000
#include "verif/common/bench.h"
#include "verif/mmu/stall_count/page.h"

static const char *const cover[] = {"walks of an application that is not valid",
                                    "a miss of an application that is not valid",
                                    "walks of an address space that no application has",
                                    "a miss of an address space that no application has",
                                    "walks of two applications with one address space",
                                    "a miss of two applications with one address space",
                                    "an application counts, a lower one with its address space is not valid",
                                    "several slots of one address space",
                                    "slots of several applications",
                                    "several cores' misses of one application",
                                    "several cores' misses of several applications",
                                    "fewer walks after the most",
                                    "more walks after some",
                                    "the most walks at the edge of the end",
                                    "the most warps at the edge of the end",
                                    "62 walks",
                                    "63 walks",
                                    "63 walks of several slots",
                                    "more than 63 walks",
                                    "62 warps",
                                    "63 warps",
                                    "an epoch without walks after one with some",
                                    "epochs end at two edges in a row",
                                    "an epoch of one edge counts",
                                    "a long epoch",
                                    "registers",
                                    "registers at the end of an epoch",
                                    "what was counted during registers is seen",
                                    "registers are taken away",
                                    "registers are taken away at the end of an epoch",
                                    "applications change",
                                    "a core's address space changes",
                                    "the lowest core of a slot says its address space",
                                    "misses of all cores at one edge"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { SPACES = 5 };
typedef struct {
    page_t page;
    uint16_t space[SPACES];
    stall_count_in_t level; /* inputs that stay until a change */
    bool again;
    /* style */
    unsigned move, stalls, epoch, most, control, full;
} env_t;

static uint16_t space(bench_t *b, const env_t *e)
{
    return e->space[vl_below(&b->rng, SPACES)];
}

static void start(bench_t *b, env_t *e)
{
    /* Address spaces that differ in one bit, in all, and others. */
    e->space[0] = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->space[1] = (uint16_t)(e->space[0] ^ 1u << vl_below(&b->rng, ASID_W));
    e->space[2] = (uint16_t)(~e->space[0] & ((1u << ASID_W) - 1));
    e->space[3] = (uint16_t)(e->space[1] ^ 1u << vl_below(&b->rng, ASID_W));
    e->space[4] = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    stall_count_in_random(&b->rng, &e->level);
    for (unsigned a = 0; a < APPS; a++)
        e->level.ctl.sched.app_asid[a] = space(b, e);
    for (unsigned c = 0; c < CORES; c++) {
        e->level.root[c].asid = space(b, e);
        e->level.owner[c] = (uint8_t)vl_below(&b->rng, KERNELS);
    }
    memset(e->level.walks, 0, sizeof e->level.walks);
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    e->move = vl_below(&b->rng, 3) ? vl_below(&b->rng, 200) : 0;
    e->stalls = vl_below(&b->rng, 4) ? vl_below(&b->rng, 120) : vl_below(&b->rng, 2) ? 256 : 0;
    e->epoch = vl_below(&b->rng, 3) ? 40 + vl_below(&b->rng, 100) : vl_below(&b->rng, 2) ? 1500 : 2;
    e->most = vl_below(&b->rng, 2) ? WALKS : vl_below(&b->rng, WALKS + 1);
    e->control = vl_below(&b->rng, 3) ? 100 : 6;
    e->full = vl_below(&b->rng, 2);
}

static void stimulate(bench_t *b, env_t *e, const stall_count_out_t *out, stall_count_in_t *in)
{
    (void)out;
    static const uint64_t counts[] = {62, 63, WALKS, WALKS / 2, 31, 32};
    if (b->cycle % 250 == 0)
        style(b, e);
    stall_count_in_t *l = &e->level;
    for (unsigned c = 0; c < CORES; c++) {
        const unsigned to = vl_below(&b->rng, KERNELS); /* neither kernel has a walk */
        if (l->walks[l->owner[c]] || l->walks[to] || vl_below(&b->rng, e->control))
            continue;
        if (vl_below(&b->rng, 2))
            l->root[c].asid = space(b, e);
        else
            l->owner[c] = (uint8_t)to;
    }
    for (unsigned k = 0; k < KERNELS; k++) {
        bool core = false;
        for (unsigned c = 0; c < CORES; c++)
            core |= l->owner[c] == k;
        l->walks[k] = core ? l->walks[k] : 0;
        if (!core || !vl_chance(&b->rng, e->move))
            continue;
        switch (vl_below(&b->rng, 4)) {
        case 0: l->walks[k] = (uint8_t)near(&b->rng, WALKS, counts, sizeof counts / sizeof *counts); break;
        case 1: l->walks[k] = 0; break;
        case 2: l->walks[k] = (uint8_t)(l->walks[k] + (l->walks[k] < e->most)); break;
        default: l->walks[k] = (uint8_t)(l->walks[k] - (l->walks[k] > 0)); break;
        }
    }
    if (vl_below(&b->rng, e->control * 4) == 0) {
        const unsigned a = vl_below(&b->rng, APPS);
        l->ctl.sched.app_valid &= (uint8_t)~(1u << a);
        l->ctl.sched.app_valid |= (uint8_t)((vl_below(&b->rng, 4) != 0) << a);
        l->ctl.sched.app_asid[a] = space(b, e);
    }
    if (vl_below(&b->rng, e->control * 3) == 0)
        l->ctl.inputs = !l->ctl.inputs;
    if (vl_below(&b->rng, e->control) == 0) {
        const unsigned a = vl_below(&b->rng, APPS);
        l->ctl.con_ptw[a] = (uint8_t)near(&b->rng, 63, counts, 2);
        l->ctl.warps[a] = (uint8_t)near(&b->rng, 63, counts, 2);
        l->ctl.sched.bound ^= 1; /* an input that passes through */
    }
    *in = *l;
    in->epoch = e->again || vl_below(&b->rng, e->epoch) == 0;
    e->again = in->epoch && vl_below(&b->rng, 4) == 0;
    in->stalled_valid = 0;
    const uint16_t one = space(b, e);
    for (unsigned c = 0; c < CORES; c++) {
        stall_count_in_t noise;
        stall_count_in_random(&b->rng, &noise);
        in->stalled[c] = noise.stalled[c];
        if (!vl_chance(&b->rng, e->stalls))
            continue;
        in->stalled_valid |= (__typeof__(in->stalled_valid))(1ull << c);
        in->stalled[c].asid = vl_below(&b->rng, 2) ? one : space(b, e);
        in->stalled[c].warps =
            (uint8_t)(e->full && vl_below(&b->rng, 8) == 0 ? near(&b->rng, 63, counts, 2) : 1 + vl_below(&b->rng, 20));
    }
}

static void expect(bench_t *b, page_t *page, const stall_count_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* Points that a machine of one slot, of one core, of few walks cannot reach. */
    BENCH_COVER(b, NOTE_SLOTS, KERNELS == 1);
    BENCH_COVER(b, NOTE_SLOTS_APART, KERNELS == 1);
    BENCH_COVER(b, NOTE_CORES, CORES == 1);
    BENCH_COVER(b, NOTE_LOWEST_CORE, CORES == 1);
    BENCH_COVER(b, NOTE_CORES_APART, CORES == 1);
    BENCH_COVER(b, NOTE_62, KERNELS * WALKS < 62);
    BENCH_COVER(b, NOTE_63, KERNELS * WALKS < 63);
    BENCH_COVER(b, NOTE_SUM_63, KERNELS == 1 || KERNELS * WALKS < 63);
    BENCH_COVER(b, NOTE_MORE, KERNELS * WALKS <= 63);
}

SCOREBOARD_DRIVE_COVERED(stall_count, env_t, stimulate, expect)
BENCH_MAIN(stall_count, env_t, start, drive, cover, NOTES)
