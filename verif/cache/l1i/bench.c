/* Bench of l1i: fetches that rotate between few lines over many sets and many lines over one set, a memory that answers late and out
 * of order, invalidations at any time. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "l1i_ports.h"

enum { COV_HIT, COV_MISS, COV_BOTH, COV_STALL, COV_INVAL, COV_INVAL_WAKE, COV_ORDER, COV_BACK2BACK, COV_HIT_UNDER, COV_N };
static const char *const cover[] = {"hit", "miss", "two fills at once", "a fill request stalls", "invalidation with a fill under way",
                                    "invalidation as a fill ends", "answers out of order", "answers in consecutive cycles",
                                    "hit while a fill is under way"};
typedef struct {
    uint64_t waiting[2]; /* lines asked for, oldest first */
    uint8_t id[2];
    unsigned n, stir;
    bool answered;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

static void drive(bench_t *b, env_t *e, const l1i_out_t *out, l1i_in_t *in)
{
    const unsigned sets = L1I_BYTES / (128 * L1I_WAYS);
    unsigned style = (unsigned)(b->cycle / 700) % 3;
    in->req_valid = vl_chance(&b->rng, b->mode == 3 ? 40 : 230);
    if (in->req_valid) {
        fetch_req_t_random(&b->rng, &in->req);
        uint64_t line = style == 0   ? vl_below(&b->rng, sets * L1I_WAYS)            /* fits */
                        : style == 1 ? 3 + sets * vl_below(&b->rng, 2 * L1I_WAYS + 1) /* one set */
                                     : vl_below(&b->rng, 4 * sets * L1I_WAYS);
        in->req.pc = line << 7 | (vl_random(&b->rng) & 0x7c);
    }
    in->inval = vl_chance(&b->rng, b->mode == 2 ? 4 : 0) || (b->mode == 2 && out->wake && vl_chance(&b->rng, 30));
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

BENCH_MAIN(l1i, env_t, start, drive, cover, COV_N)
