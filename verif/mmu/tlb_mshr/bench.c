/* Bench of tlb_mshr: it plays the requesters (lsu, itlb) and the occupant of the translate seam (docs/translate-seam.md), which closes ids early or late and answers in any order. Besides
 * the twin tlb_mshr is checked against a scoreboard written from the page alone: open ids, their pages, and the ids that may be joined. Coverage comes from inputs, outputs and
 * the scoreboard. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 30000
#include "verif/common/bench.h"
#include "tlb_mshr_ports.h"

enum {
    COV_BOTH_PORTS,
    COV_SAME_BOTH,
    COV_SAME_BOTH_MERGE,
    COV_MERGE_DATA,
    COV_MERGE_FETCH,
    COV_MERGE_MIXED,
    COV_CLOSED,
    COV_AT_RSP,
    COV_AT_END,
    COV_TWO_IDS,
    COV_LOWER_ID,
    COV_FULL,
    COV_LAST,
    COV_WAITS,
    COV_INV_RSP = COV_WAITS + 2,
    COV_INV_RSP_OTHER = COV_INV_RSP + 3,
    COV_INV_MISS,
    COV_INV_MERGE,
    COV_INV_REQ,
    COV_INV_END,
    COV_REOPENED,
    COV_INV_ROW,
    COV_INV_OTHER,
    COV_ORDER,
    COV_ROW,
    COV_RESULT,
    COV_LEVEL = COV_RESULT + 3,
    COV_IDS = COV_LEVEL + 4,
    COV_AGAIN = COV_IDS + 2,
    COV_EARLY,
    COV_ROOT,
    COV_WARPS,
    COV_IDLE = COV_WARPS + 4,
    COV_OTHERS,
    COV_N
};
static const char *const cover[] = {"misses of two pages in one cycle",
                                    "misses of one page in one cycle",
                                    "both merge in one cycle",
                                    "a miss of data merges",
                                    "a miss of fetch merges",
                                    "a miss merges with one of the other port",
                                    "a miss of a page that is closed",
                                    "a miss of a page in the cycle of its response",
                                    "a miss of a page in the cycle in which its walk ends",
                                    "two ids of one page",
                                    "a miss joins the lower of two ids",
                                    "all MSHRs taken",
                                    "one MSHR left",
                                    "a miss of data waits",
                                    "a miss of fetch waits",
                                    "a response at the edge of INV_ALL",
                                    "a response at the edge of INV_ASID",
                                    "a response at the edge of INV_PAGE",
                                    "a response at the edge of an INV_ASID of another address space",
                                    "a miss at the edge of an invalidation",
                                    "a miss that merges at the edge of an invalidation",
                                    "a request in the cycle of an invalidation",
                                    "a walk ends in the cycle of an invalidation",
                                    "a miss joins an id that an invalidation has opened again",
                                    "invalidations in two cycles in a row",
                                    "INV_ASID of another address space with ids open",
                                    "responses out of order",
                                    "responses in three cycles in a row",
                                    "WALK_OK",
                                    "WALK_PAGE",
                                    "WALK_ACCESS",
                                    "a leaf of level 0",
                                    "a leaf of level 1",
                                    "a leaf of level 2",
                                    "a leaf of level 3",
                                    "data has had every id",
                                    "fetch has had every id but 0",
                                    "an id is asked with again as soon as can be",
                                    "an id is closed long before its response",
                                    "the root changes in the cycle in which the last walk ends",
                                    "one warp has waited",
                                    "62 warps have waited",
                                    "63 warps have waited",
                                    "more than 63 warps have waited",
                                    "idle",
                                    "an end that has the warp of the first, and another one's miss joined"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum { PAGES = 12 };
typedef struct {
    bool open, asked /* the request has been seen */, closed, reopened;
    uint64_t vpn, order, closed_at;
    unsigned ports, warps;
    uint8_t warp; /* of the miss that began it */
    bool others; /* another warp's joined */
} entry_t;
typedef struct {
    entry_t id[TLB_MSHRS];
    unsigned open;
    uint64_t orders;
    bool offered[2], taken[2];
    miss_t miss[2];
    uint16_t asid;
    uint8_t core;
    uint64_t page[PAGES];
    /* of the cycle before */
    uint32_t was_open, was_closed;
    bool ended, inv_was;
    walked_t end;
    stalled_t stalled;
    ev_tlb_mshr_t ev;
    uint64_t freed_at[TLB_MSHRS], had[2];
    unsigned in_a_row;
    /* style */
    unsigned rate[2], close, answer, quiet, other, hot;
    bool drain, in_order;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->asid = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->core = (uint8_t)vl_random_bits(&b->rng, CORE_W);
}

static void style(bench_t *b, env_t *e)
{
    for (unsigned p = 0; p < 2; p++)
        e->rate[p] = vl_below(&b->rng, 3) ? 20 + vl_below(&b->rng, 200) : vl_below(&b->rng, 2) ? 256 : 2;
    e->close = vl_below(&b->rng, 3) ? 4 + vl_below(&b->rng, 60) : 256;
    e->answer = vl_below(&b->rng, 3) ? 10 + vl_below(&b->rng, 246) : 256;
    e->quiet = vl_below(&b->rng, 3) ? 40 : vl_below(&b->rng, 2) ? 4 : 100000;
    e->other = vl_below(&b->rng, 4);
    e->hot = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, PAGES) : 1;
    e->in_order = vl_below(&b->rng, 4) == 0;
    e->drain = vl_below(&b->rng, 3) == 0;
    /* Pages that differ in one bit, some of them. */
    for (unsigned k = 0; k < PAGES; k++)
        e->page[k] = k && vl_below(&b->rng, 2) ? e->page[k - 1] ^ 1ull << vl_below(&b->rng, VPN_W)
                                               : vl_random_bits(&b->rng, VPN_W);
}

/* The walk that a taken miss is assigned, and the request that it begins. `before`: ids that were open when it was taken; `fresh`: the id that it gets if it cannot join. */
static void check_named(bench_t *b, env_t *e, unsigned p, const tlb_mshr_out_t *out, unsigned fresh)
{
    const uint64_t vpn = e->miss[p].vpn;
    unsigned joins = TLB_MSHRS, could = 0;
    for (unsigned k = TLB_MSHRS; k-- > 0;)
        if (e->was_open >> k & 1 && !(e->was_closed >> k & 1) && e->id[k].vpn == vpn)
            joins = k, could++;
    const bool with_port_0 = p == 1 && e->taken[0] && e->miss[0].vpn == vpn && joins == TLB_MSHRS;
    const unsigned k = out->walk[p];
    BENCH_CHECK(b, k < TLB_MSHRS, "port %u: walk %u", p, k);
    if (b->failed)
        return;
    entry_t *id = &e->id[k];
    BENCH_CHECK(b, !id->open || id->vpn == vpn, "port %u: merged with the walk of another page", p);
    BENCH_CHECK(b, !(e->was_open >> k & 1) || !(e->was_closed >> k & 1), "port %u: joins id %u, which is closed", p, k);
    BENCH_CHECK(b, joins == TLB_MSHRS || k == joins, "port %u: id %u, and id %u of its page can be joined", p, k,
                joins);
    const bool merges = joins < TLB_MSHRS || with_port_0;
    BENCH_CHECK(b, !with_port_0 || k == out->walk[0], "one page from both ports, and two ids");
    BENCH_CHECK(b, merges || k == fresh, "port %u: id %u, and %u is the one to take", p, k, fresh);
    BENCH_CHECK(b, (out->req_valid >> p & 1) == !merges,
                merges ? "port %u: a miss that merges asks" : "port %u: nobody asks for the page of a miss", p);
    e->ev.ptw_misses++;
    if (merges) {
        e->ev.ptw_merges++;
        BENCH_COVER(b, p ? COV_MERGE_FETCH : COV_MERGE_DATA, true);
        BENCH_COVER(b, COV_MERGE_MIXED, id->ports != 1u << p);
        BENCH_COVER(b, COV_LOWER_ID, could > 1);
        BENCH_COVER(b, COV_REOPENED, id->reopened);
        BENCH_COVER(b, COV_SAME_BOTH, with_port_0);
        BENCH_COVER(b, COV_SAME_BOTH_MERGE, p && e->taken[0] && e->ev.ptw_merges == 2);
        BENCH_COVER(b, COV_INV_MERGE, e->inv_was);
        id->ports |= 1u << p;
        id->warps++;
        id->others |= e->miss[p].warp != id->warp;
        return;
    }
    e->ev.ptw_walks++;
    const translate_req_t *r = &out->req[p], want = {.core = e->core,
                                                     .id = (uint8_t)k,
                                                     .asid = e->asid,
                                                     .vpn = vpn,
                                                     .access = e->miss[p].access,
                                                     .warp = e->miss[p].warp};
    vl_diff_t d;
    BENCH_CHECK(b, b->failed || !translate_req_t_diff(r, &want, &d), "a request's %s is %s, and not %s", d.field, d.a,
                d.b);
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        if (e->id[i].open && e->id[i].vpn == vpn) {
            BENCH_COVER(b, COV_TWO_IDS, true);
            BENCH_COVER(b, COV_CLOSED, e->was_closed >> i & 1);
        }
    BENCH_COVER(b, COV_AT_RSP, e->ended && e->end.vpn == vpn);
    BENCH_COVER(b, COV_BOTH_PORTS, p && e->ev.ptw_walks == 2);
    BENCH_COVER(b, COV_AGAIN, e->freed_at[k] && e->freed_at[k] + 2 == b->cycle);
    *id = (entry_t){
        .open = true, .vpn = vpn, .order = e->orders++, .ports = 1u << p, .warps = 1, .warp = e->miss[p].warp};
    e->open++;
    e->had[p] |= 1ull << k;
    BENCH_COVER(b, COV_IDS + p, e->had[p] == (1ull << TLB_MSHRS) - 1 - p);
}

/* This cycle's outputs, which depend on the misses taken in the cycle before. */
static void check(bench_t *b, env_t *e, const tlb_mshr_out_t *out)
{
    vl_diff_t d;
    unsigned free[2] = {TLB_MSHRS, TLB_MSHRS}, n = 0;
    for (unsigned k = 0; k < TLB_MSHRS && n < 2; k++)
        if (!(e->was_open >> k & 1))
            free[n++] = k;
    BENCH_CHECK(b, out->walked_valid == e->ended,
                e->ended ? "an answer is lost" : "a walk ended that was not answered");
    BENCH_CHECK(b, !e->ended || !walked_t_diff(&out->walked, &e->end, &d),
                "the end of a walk: its %s is %s, and not %s", d.field, d.a, d.b);
    BENCH_CHECK(b, out->stalled_valid == e->ended, "who has waited is told %s an end", e->ended ? "not at" : "without");
    BENCH_CHECK(b, !e->ended || !stalled_t_diff(&out->stalled, &e->stalled, &d),
                "those who have waited: their %s is %s, and not %s", d.field, d.a, d.b);
    const bool told = e->taken[0]; /* of lsu's, merged or not */
    BENCH_CHECK(b, out->missed_valid == told, told ? "a miss is not told" : "a miss is told that was not taken");
    BENCH_CHECK(b, !told || b->failed || !miss_t_diff(&out->missed, &e->miss[0], &d),
                "the miss that is told: its %s is %s, and not %s", d.field, d.a, d.b);
    for (unsigned p = 0; p < 2 && !b->failed; p++) {
        const bool valid = out->walk_valid >> p & 1;
        BENCH_CHECK(b, valid == e->taken[p], "port %u: %s", p,
                    valid ? "a walk is named that was not asked for" : "a miss was taken, and no walk named");
        if (e->taken[p] && !b->failed)
            check_named(b, e, p, out, free[p]);
        BENCH_CHECK(b, e->taken[p] || !(out->req_valid >> p & 1), "port %u: a request that no miss began", p);
    }
    BENCH_CHECK(b, !ev_tlb_mshr_t_diff(&out->ev, &e->ev, &d), "event %s: %s, by the scoreboard %s", d.field, d.a, d.b);
    BENCH_CHECK(b, (out->miss_ready & 1) == (e->open < TLB_MSHRS), "port 0 is %sready with %u ids open",
                out->miss_ready & 1 ? "" : "not ", e->open);
    BENCH_CHECK(b, out->miss_ready >> 1 == (e->open + 1 < TLB_MSHRS), "port 1 is %sready with %u ids open",
                out->miss_ready >> 1 ? "" : "not ", e->open);
    BENCH_CHECK(b, out->idle == (!e->open && !e->ended && !e->taken[0] && !e->taken[1]),
                out->idle ? "idle with something under way" : "not idle with nothing under way");
    BENCH_COVER(b, COV_FULL, e->open == TLB_MSHRS);
    BENCH_COVER(b, COV_LAST, e->open == TLB_MSHRS - 1);
    BENCH_COVER(b, COV_IDLE, out->idle);
}

/* Those who miss. */
static void misses(bench_t *b, env_t *e, const tlb_mshr_out_t *out, tlb_mshr_in_t *in)
{
    for (unsigned p = 0; p < 2; p++) {
        if (!e->offered[p] && !e->drain && vl_chance(&b->rng, e->rate[p])) {
            e->offered[p] = true;
            miss_t_random(&b->rng, &e->miss[p]);
            e->miss[p].vpn =
                p && e->offered[0] && vl_below(&b->rng, 4) == 0 ? e->miss[0].vpn : e->page[vl_below(&b->rng, e->hot)];
            e->miss[p].access = p ? ACC_FETCH : (uint8_t)vl_below(&b->rng, 2);
        }
        in->miss[p] = e->miss[p];
        e->taken[p] = e->offered[p] && out->miss_ready >> p & 1;
        BENCH_COVER(b, COV_WAITS + p, e->offered[p] && !e->taken[p]);
        BENCH_COVER(b, COV_AT_END, e->taken[p] && e->ended && e->end.vpn == e->miss[p].vpn);
    }
    in->miss_valid = (uint8_t)(e->offered[0] | e->offered[1] << 1);
    for (unsigned p = 0; p < 2; p++)
        e->offered[p] &= !e->taken[p];
}

/* The occupant: closes ids that it was asked for in an earlier cycle, answers one that is closed. */
static unsigned answer(bench_t *b, env_t *e, tlb_mshr_in_t *in)
{
    unsigned closed = 0, pick = TLB_MSHRS, oldest = TLB_MSHRS;
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        entry_t *id = &e->id[k];
        if (id->open && id->asked && !id->closed && vl_chance(&b->rng, e->close)) {
            id->closed = true;
            id->closed_at = b->cycle;
        }
        closed += id->closed;
        if (id->open && (oldest == TLB_MSHRS || id->order < e->id[oldest].order))
            oldest = k;
    }
    in->closed = 0;
    in->rsp_valid = closed && (e->drain || vl_chance(&b->rng, e->answer));
    if (in->rsp_valid) {
        pick = vl_below(&b->rng, TLB_MSHRS);
        if (e->in_order && e->id[oldest].closed)
            pick = oldest;
        while (!e->id[pick].closed)
            pick = (pick + 1) % TLB_MSHRS;
        in->rsp.id = (uint8_t)pick;
        in->rsp.result = (uint8_t)vl_below(&b->rng, 3);
        BENCH_COVER(b, COV_ORDER, pick != oldest);
        BENCH_COVER(b, COV_RESULT + in->rsp.result, true);
        BENCH_COVER(b, COV_LEVEL + in->rsp.leaf.level, in->rsp.result == WALK_OK);
        BENCH_COVER(b, COV_EARLY, e->id[pick].closed_at + 2 * TLB_MSHRS < b->cycle);
    }
    for (unsigned k = 0; k < TLB_MSHRS; k++)
        in->closed |= (__typeof__(in->closed))((uint32_t)e->id[k].closed << k);
    return pick;
}

static void drive(bench_t *b, env_t *e, const tlb_mshr_out_t *out, tlb_mshr_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    const bool ended = e->ended;
    if (b->cycle)
        check(b, e, out);
    if (b->failed)
        return;
    e->ev = (ev_tlb_mshr_t){.ptw_busy = (uint8_t)e->open};
    tlb_mshr_in_random(&b->rng, in);
    if (e->drain && !e->open && !e->offered[0] && !e->offered[1]) {
        BENCH_COVER(b, COV_ROOT, ended);
        e->asid = (uint16_t)(vl_below(&b->rng, 2) ? vl_random_bits(&b->rng, ASID_W)
                                                  : e->asid ^ 1u << vl_below(&b->rng, ASID_W));
        e->drain = false;
    }
    e->drain |= vl_below(&b->rng, 300) == 0;
    in->asid = e->asid;
    in->core = e->core;
    misses(b, e, out, in);
    const unsigned k = answer(b, e, in);

    in->inv_valid = vl_below(&b->rng, e->quiet) == 0;
    in->inv.scope = (uint8_t)vl_below(&b->rng, 3);
    in->inv.asid = (uint16_t)(vl_below(&b->rng, 4) < e->other ? e->asid ^ 1u << vl_below(&b->rng, ASID_W) : e->asid);
    in->inv.vpn = e->page[vl_below(&b->rng, PAGES)];
    const bool concerns = in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == e->asid);
    BENCH_COVER(b, COV_INV_OTHER, in->inv_valid && !concerns && e->open);
    BENCH_COVER(b, COV_INV_RSP_OTHER, in->inv_valid && !concerns && in->rsp_valid);
    BENCH_COVER(b, COV_INV_RSP + in->inv.scope, concerns && in->rsp_valid);
    BENCH_COVER(b, COV_INV_MISS, concerns && (e->taken[0] || e->taken[1]));
    BENCH_COVER(b, COV_INV_REQ, concerns && out->req_valid);
    BENCH_COVER(b, COV_INV_END, concerns && ended);
    BENCH_COVER(b, COV_INV_ROW, in->inv_valid && e->inv_was);
    e->inv_was = in->inv_valid;

    /* The edge. */
    e->was_open = e->was_closed = 0;
    for (unsigned i = 0; i < TLB_MSHRS; i++) {
        e->was_open |= (uint32_t)e->id[i].open << i;
        e->was_closed |= (uint32_t)e->id[i].closed << i;
        e->id[i].asked |= e->id[i].open; /* its request was shown in this cycle at the latest */
        e->id[i].reopened |= concerns && e->id[i].closed;
        e->id[i].closed &= !concerns;
    }
    if (concerns)
        e->ev.ptw_restarts = (uint8_t)e->open;
    e->ended = in->rsp_valid && !concerns;
    e->in_a_row = in->rsp_valid ? e->in_a_row + 1 : 0;
    BENCH_COVER(b, COV_ROW, e->in_a_row == 3);
    if (!e->ended)
        return;
    e->end = (walked_t){.walk = (uint8_t)k,
                        .result = in->rsp.result,
                        .vpn = e->id[k].vpn,
                        .asid = e->asid,
                        .leaf = in->rsp.leaf,
                        .warp = LOCALITY_ENTRIES == 0 ? 0 : e->id[k].warp};
    BENCH_COVER(b, COV_OTHERS, LOCALITY_ENTRIES == 0 || e->id[k].others);
    const unsigned warps = e->id[k].warps; /* of the misses of the cycle before: no miss joins a closed walk */
    e->stalled = (stalled_t){.asid = e->asid, .warps = (uint8_t)(warps < 63 ? warps : 63)};
    BENCH_COVER(b, COV_WARPS, warps == 1);
    BENCH_COVER(b, COV_WARPS + 1, warps == 62);
    BENCH_COVER(b, COV_WARPS + 2, warps == 63);
    BENCH_COVER(b, COV_WARPS + 3, warps > 63);
    e->ev.ptw_ends = true;
    e->ev.ptw_page_faults = in->rsp.result == WALK_PAGE;
    e->ev.ptw_access_faults = in->rsp.result == WALK_ACCESS;
    e->ev.ptw_super = in->rsp.result == WALK_OK && in->rsp.leaf.level;
    e->id[k] = (entry_t){0};
    e->freed_at[k] = b->cycle;
    e->open--;
}

BENCH_MAIN(tlb_mshr, env_t, start, drive, cover, COV_N)
