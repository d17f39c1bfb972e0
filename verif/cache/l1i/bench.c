/* Bench of l1i: fetches that rotate between few lines over many sets and many lines over one set, a memory that answers late and out
 * of order, invalidations at any time. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "l1i_ports.h"
#include "verif/cache/l1i/page.h"

enum {
    COV_HIT,
    COV_MISS,
    COV_BOTH,
    COV_STALL,
    COV_INVAL,
    COV_INVAL_WAKE,
    COV_ORDER,
    COV_BACK2BACK,
    COV_HIT_UNDER,
    COV_FOUND,
    COV_PAGE,
    COV_ACCESS,
    COV_PAGE_TOLD,
    COV_ACCESS_TOLD,
    COV_RESUMED,
    COV_DENIED = COV_RESUMED + 2,
    COV_BOTH_REPORT = COV_DENIED + 2,
    COV_PF_STALL,
    COV_KILL_ASKED,
    COV_KILL_FOUND,
    COV_INV,
    COV_INV_TOLD,
    COV_INV_TELLS,
    COV_INV_ANSWER,
    COV_INV_AGAIN,
    COV_START_TOLD,
    COV_LATE,
    COV_N = COV_LATE + 2
};
static const char *const cover[] = {"hit",
                                    "miss",
                                    "two fills at once",
                                    "a fill request stalls",
                                    "invalidation with a fill under way",
                                    "invalidation as a fill ends",
                                    "answers out of order",
                                    "answers in consecutive cycles",
                                    "hit while a fill is under way",
                                    "page found",
                                    "page fault",
                                    "access fault",
                                    "page fault reported",
                                    "access fault reported",
                                    "fill 0 resumed",
                                    "fill 1 resumed",
                                    "fill 0 denied",
                                    "fill 1 denied",
                                    "both fills tell the host",
                                    "page fault stalls",
                                    "shootdown while a page is looked up",
                                    "shootdown in the cycle of an answer",
                                    "shootdown with a line under way",
                                    "shootdown while the host has yet to answer",
                                    "shootdown as the host is told",
                                    "shootdown as the host answers",
                                    "one more shootdown before the host has answered",
                                    "start while the host has yet to answer",
                                    "a fill of before a shootdown is resumed",
                                    "a fill of before a shootdown is denied"};
typedef struct {
    uint64_t waiting[2]; /* lines asked for, oldest first */
    uint8_t id[2];
    unsigned n, stir;
    bool answered, sv48;
    bool asked[2], reported[2], outdated[2] /* reported, and a shootdown has come since */;
    uint64_t vpn[2], salt;

    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    e->sv48 = b->seed / 4 % 2;
    e->salt = vl_random(&b->rng);
}

/* The translation by the page tables: a function of the page, until the next shootdown. */
static ifound_t page(const env_t *e, uint64_t vpn)
{
    uint64_t h = (vpn ^ e->salt) * 0x9e3779b97f4a7c15ull;
    ifound_t f = {.result = h >> 61 ? WALK_OK : 1 + (h >> 60 & 1)};
    f.ppn = f.result == WALK_OK ? h & ((1ull << VPN_W) - 1) : 0;
    return f;
}

static void stimulate(bench_t *b, env_t *e, const l1i_out_t *out, l1i_in_t *in)
{
    const unsigned sets = L1I_BYTES / (LINE_BYTES * L1I_WAYS);
    unsigned style = (unsigned)(b->cycle / 700) % 3;
    in->req_valid = vl_chance(&b->rng, b->mode == 3 ? 40 : 230);
    if (in->req_valid) {
        fetch_req_t_random(&b->rng, &in->req);
        uint64_t line = style == 0   ? vl_below(&b->rng, sets * L1I_WAYS) /* fits */
                        : style == 1 ? 3 + sets * vl_below(&b->rng, 2 * L1I_WAYS + 1) /* one set */
                                     : vl_below(&b->rng, 4 * sets * L1I_WAYS);
        in->req.pc = line * LINE_BYTES + (vl_random(&b->rng) & (LINE_BYTES - 4));
    }
    in->inval = vl_chance(&b->rng, b->mode == 2 ? 4 : 0) || (b->mode == 2 && out->wake && vl_chance(&b->rng, 30));
    in->root.sv48 = e->sv48;
    const bool host = out->pf_valid || e->reported[0] || e->reported[1]; /* a fault is shown or pending */
    in->inv_valid = vl_chance(&b->rng, b->mode == 2 ? 4 + 16 * host : 0);
    for (unsigned f = 0; f < 2; f++)
        if (e->asked[f] && vl_chance(&b->rng, b->mode == 1 ? 20 : 100)) {
            e->asked[f] = false;
            in->found_valid |= (uint8_t)(1u << f);
            in->found[f] = page(e, e->vpn[f]);
            BENCH_COVER(b, COV_FOUND + in->found[f].result, true);
            BENCH_COVER(b, COV_KILL_FOUND, in->inv_valid);
        }
    BENCH_COVER(b, COV_KILL_ASKED, in->inv_valid && (e->asked[0] || e->asked[1]));
    BENCH_COVER(b, COV_INV, in->inv_valid && e->n);
    if (out->look_valid) {
        BENCH_CHECK(b, e->sv48 && !e->asked[out->look.fill], "a look-up that is not to be");
        e->asked[out->look.fill] = true;
        e->vpn[out->look.fill] = out->look.vpn;
    }
    if (in->inv_valid)
        e->salt += vl_below(&b->rng, 2);
    in->pf_ready = vl_chance(&b->rng, b->mode == 3 ? 30 : 128);
    BENCH_COVER(b, COV_PF_STALL, out->pf_valid && !in->pf_ready);
    unsigned reporter = out->pf.warp & 1;
    BENCH_COVER(b, COV_BOTH_REPORT, e->reported[!reporter] && out->pf_valid);
    unsigned k = vl_below(&b->rng, 2);
    if (e->reported[k] && vl_chance(&b->rng, 100)) {
        in->resume_valid = true;
        in->resume_fill = k;
        in->resume_deny = vl_below(&b->rng, 3) != 0;
        e->reported[k] = false;
        BENCH_COVER(b, (in->resume_deny ? COV_DENIED : COV_RESUMED) + k, true);
        BENCH_COVER(b, COV_LATE + in->resume_deny, e->outdated[k]);
        BENCH_COVER(b, COV_INV_ANSWER, in->inv_valid);
        e->outdated[k] = false;
        e->salt += !in->resume_deny && vl_below(&b->rng, 2); /* the host has mapped something */
    }
    if (out->pf_valid && in->pf_ready) {
        BENCH_CHECK(b,
                    out->pf.fetch && !e->reported[reporter] && out->pf.value == out->pf.pc
                        && out->pf.value >> 12 == e->vpn[reporter],
                    "a page fault of another page than that asked for, or before the host has answered the last one");
        e->reported[reporter] = true;
        BENCH_COVER(b, COV_INV_TELLS, in->inv_valid);
    }
    for (unsigned f = 0; f < 2; f++) {
        BENCH_COVER(b, COV_START_TOLD, in->inval && e->reported[f]);
        e->reported[f] &= !in->inval; /* nothing is in the queue as a kernel begins */
        BENCH_COVER(b, COV_INV_TOLD, in->inv_valid && e->reported[f]);
        BENCH_COVER(b, COV_INV_AGAIN, in->inv_valid && e->outdated[f]);
        e->outdated[f] = e->reported[f] && (e->outdated[f] || in->inv_valid);
    }
    BENCH_COVER(b, COV_PAGE_TOLD, out->rsp_valid && out->rsp.fault && out->rsp.instr[0]);
    BENCH_COVER(b, COV_ACCESS_TOLD, out->rsp_valid && out->rsp.fault && !out->rsp.instr[0]);
    in->mem_req_ready = vl_chance(&b->rng, b->mode == 1 ? 60 : 200);
    if (e->n && vl_chance(&b->rng, b->mode == 1 ? 100 : 30)) {
        unsigned k = vl_below(&b->rng, e->n);
        in->mem_rsp_valid = true;
        mem_rsp_t_random(&b->rng, &in->mem_rsp);
        in->mem_rsp.id = e->id[k];
        BENCH_COVER(b, COV_ORDER, k == 1);
        BENCH_COVER(b, COV_BACK2BACK, e->answered);
        if (k == 0) {
            e->waiting[0] = e->waiting[1];
            e->id[0] = e->id[1];
        }
        e->n--;
    }
    e->answered = in->mem_rsp_valid;
    BENCH_COVER(b, COV_STALL, out->mem_req_valid && !in->mem_req_ready);
    if (out->mem_req_valid && in->mem_req_ready) {
        BENCH_CHECK(b, e->n < 2, "a third fill");
        e->waiting[e->n & 1] = out->mem_req.line;
        e->id[e->n++ & 1] = (uint8_t)out->mem_req.id;
    }
    BENCH_COVER(b, COV_BOTH, e->n == 2);
    BENCH_COVER(b, COV_HIT, out->rsp_valid && out->rsp.hit);
    BENCH_COVER(b, COV_MISS, out->rsp_valid && !out->rsp.hit);
    BENCH_COVER(b, COV_HIT_UNDER, out->rsp_valid && out->rsp.hit && e->n);
    BENCH_COVER(b, COV_INVAL, in->inval && e->n);
    BENCH_COVER(b, COV_INVAL_WAKE, in->inval && out->wake);
}

SCOREBOARD_DRIVE(l1i, env_t, stimulate)
BENCH_MAIN(l1i, env_t, start, drive, cover, COV_N)
