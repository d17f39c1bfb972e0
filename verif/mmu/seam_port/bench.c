/* Bench of seam_port: it plays the core (ids as tlb_mshr opens them, in any order, again at once), ask_net that takes at random rates, the L2 TLB that answers requests after any time and in
 * any order, and shootdowns in every cycle of a request's life. Besides the twin it is checked against the page as a program (page.h), the source of its coverage. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 30000
#include "verif/common/bench.h"
#include "verif/mmu/seam_port/page.h"

static const char *const cover[] = {"two requests in a cycle",
                                    "an id is asked with again in the cycle after its response",
                                    "all ids open",
                                    "answers out of order",
                                    "a request is chosen at once",
                                    "a request waits for others",
                                    "an invalidation with ids to be sent",
                                    "an invalidation with ids that are sent",
                                    "an invalidation with ids that are old",
                                    "an invalidation with ids that are done",
                                    "an ask that is taken in the cycle of an invalidation",
                                    "an ask that waits in the cycle of an invalidation",
                                    "an answer in the cycle of an invalidation",
                                    "an old answer in the cycle of an invalidation",
                                    "a response in the cycle of an invalidation",
                                    "a request in the cycle of an invalidation",
                                    "INV_ASID of another address space, with ids sent and done",
                                    "an answer in the cycle of an INV_ASID of another address space",
                                    "a response in the cycle of an INV_ASID of another address space",
                                    "two invalidations while an answer is on its way",
                                    "an old answer while another id has its page",
                                    "an ask waits",
                                    "idle again"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { PAGES = 6 };
typedef struct {
    page_t page;
    bool open[TLB_MSHRS], sent[TLB_MSHRS];
    uint64_t pool[PAGES];
    uint16_t asid;
    uint8_t core;
    /* style */
    unsigned rate, takes, answers, quiet, other;
    bool drain;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->asid = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->core = (uint8_t)vl_random_bits(&b->rng, CORE_W);
    for (unsigned k = 0; k < PAGES; k++)
        e->pool[k] = vl_random_bits(&b->rng, VPN_W);
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    e->rate = vl_below(&b->rng, 3) ? 20 + vl_below(&b->rng, 200) : vl_below(&b->rng, 2) ? 256 : 2;
    e->takes = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 20 + vl_below(&b->rng, 230) : 6;
    e->answers = vl_below(&b->rng, 3) ? 10 + vl_below(&b->rng, 246) : 256;
    e->quiet = vl_below(&b->rng, 3) ? 40 : vl_below(&b->rng, 2) ? 4 : 100000;
    e->other = vl_below(&b->rng, 4);
    e->drain = vl_below(&b->rng, 4) == 0;
}

static void stimulate(bench_t *b, env_t *e, const seam_port_out_t *out, seam_port_in_t *in)
{
    if (b->cycle % 200 == 0)
        style(b, e);
    seam_port_in_random(&b->rng, in);
    if (e->drain && out->idle) { /* another root, perhaps; then on */
        e->asid = (uint16_t)(vl_below(&b->rng, 2) ? vl_random_bits(&b->rng, ASID_W)
                                                  : e->asid ^ 1u << vl_below(&b->rng, ASID_W));
        e->drain = false;
    }
    in->inv_valid = vl_below(&b->rng, e->quiet) == 0;
    in->inv.scope = (uint8_t)vl_below(&b->rng, 3);
    in->inv.asid = (uint16_t)(vl_below(&b->rng, 4) < e->other ? e->asid ^ 1u << vl_below(&b->rng, ASID_W) : e->asid);
    /* Answers to requests taken before this cycle. */
    in->ans_valid = false;
    if (vl_chance(&b->rng, e->answers))
        for (unsigned n = 0, k = vl_below(&b->rng, TLB_MSHRS); n < TLB_MSHRS && !in->ans_valid;
             n++, k = (k + 1) % TLB_MSHRS)
            if (e->sent[k]) {
                in->ans_valid = true;
                in->ans.id = (uint8_t)k;
                in->ans.result = (uint8_t)vl_below(&b->rng, 3);
                e->sent[k] = false;
            }
    in->ask_ready = vl_chance(&b->rng, e->takes);
    if (out->ask_valid && in->ask_ready)
        e->sent[out->ask.id] = true;
    /* New ids, of those that are free before a response of this cycle frees one. */
    in->req_valid = 0;
    bool begins[TLB_MSHRS] = {false};
    for (unsigned p = 0; p < 2; p++) {
        unsigned k = vl_below(&b->rng, TLB_MSHRS), n = 0;
        while (n < TLB_MSHRS && (e->open[k] || begins[k]))
            k = (k + 1) % TLB_MSHRS, n++;
        if (n == TLB_MSHRS || e->drain || !vl_chance(&b->rng, e->rate))
            continue;
        begins[k] = true;
        in->req_valid |= (uint8_t)(1u << p);
        in->req[p].core = e->core;
        in->req[p].id = (uint8_t)k;
        in->req[p].asid = e->asid;
        in->req[p].vpn = e->pool[vl_below(&b->rng, PAGES)];
        in->req[p].access = (uint8_t)vl_below(&b->rng, 3);
    }
    if (out->rsp_valid && !(in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == e->asid)))
        e->open[out->rsp.id] = false;
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        e->open[k] |= begins[k];
}

static void expect(bench_t *b, page_t *page, const seam_port_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
}

SCOREBOARD_DRIVE_COVERED(seam_port, env_t, stimulate, expect)
BENCH_MAIN(seam_port, env_t, start, drive, cover, NOTES)
