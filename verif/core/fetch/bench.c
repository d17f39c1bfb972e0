/* Bench of fetch: random flushes, starts and stops of all warps, an instruction cache that answers late, misses and wakes, and an issue that consumes. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 12000
#include "verif/common/bench.h"
#include "fetch_ports.h"
#include "verif/core/fetch/page.h"

enum {
    COV_REDIRECT_HELD,
    COV_FLUSH_UNDERWAY,
    COV_TWO_UNDERWAY,
    COV_ALL_ONE,
    COV_MISS_WAKE,
    COV_OFF0,
    COV_OFF1,
    COV_OFF2,
    COV_OFF3,
    COV_FREE4,
    COV_FREE3_POP,
    COV_FAULT,
    COV_FAULT_RSP,
    COV_FAULT_SV48,
    COV_FAULT_WAITS,
    COV_LAST_BLOCK,
    COV_STOP_UNDERWAY,
    COV_HALT_HELD,
    COV_ALL_WAIT,
    COV_STALE,
    COV_N
};
static const char *const cover[] = {"redirect while the request register is occupied",
                                    "flush with a request under way",
                                    "flush with two requests under way: it waits",
                                    "response, pop and flush of one warp in one cycle",
                                    "miss and wake in one cycle",
                                    "hit at offset 0",
                                    "hit at offset 4",
                                    "hit at offset 8",
                                    "hit at offset 12",
                                    "request with exactly 4 places",
                                    "request with 3 places and a pop",
                                    "fault push",
                                    "fault of a response",
                                    "fault of a pc that is not canonical",
                                    "fault push that waited for a response",
                                    "last block of the window",
                                    "stop with a response under way",
                                    "halt with a request held",
                                    "all warps wait for a wake",
                                    "stale response"};

enum { ROAD = 4 * WARPS + 8 };
typedef struct {
    fetch_req_t q;
    uint64_t due;
} road_t;
typedef struct {
    kernel_t kernel;
    road_t road[ROAD]; /* requests on the way to their response, in order */
    unsigned roads;
    unsigned held[WARPS], before[WARPS]; /* instructions in the buffer of issue, now and a cycle ago */
    bool missed[WARPS], popped[WARPS], bad_pc[WARPS], runs[WARPS];
    bool halt, sv48;
    unsigned faulted; /* 1 + the warp with a fault reported in the last cycle */
    unsigned flush_rate, late, miss, pop, wake;
    fetch_req_t last;
    bool last_valid;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    static const unsigned rates[4][5] = {
        {60, 2, 40, 140, 60}, {8, 0, 10, 200, 120}, {150, 12, 128, 40, 10}, {25, 30, 200, 120, 6}};
    const unsigned *r = rates[b->mode];
    e->flush_rate = r[0], e->late = r[1], e->miss = r[2], e->pop = r[3], e->wake = r[4];
    kernel_t_random(&b->rng, &e->kernel);
    e->kernel.mem_base = 0x10000000;
    e->kernel.mem_limit = 0x10000000 + (1 + vl_below(&b->rng, 3)) * 128;
    e->sv48 = b->seed % 4 == 2;
    if (e->sv48) /* around the ends of the canonical ranges */
        e->kernel.mem_base = (1ull << (PA_W - 1)) - 256, e->kernel.mem_limit = 1ull << (PA_W - 1);
    else if (b->seed % 3 == 1) /* the upper end of the address space */
        e->kernel.mem_base = (1ull << PA_W) - 256, e->kernel.mem_limit = 1ull << PA_W;
}

static uint64_t some_pc(bench_t *b, env_t *e)
{
    uint64_t size = e->kernel.mem_limit - e->kernel.mem_base;
    switch (vl_below(&b->rng, 12)) {
    case 0: return (e->kernel.mem_base - 4 * (1 + vl_below(&b->rng, 4))) & ((1ull << PA_W) - 1);
    case 1: return (e->kernel.mem_limit + 4 * vl_below(&b->rng, 4)) & ((1ull << PA_W) - 1);
    case 2: return e->kernel.mem_limit - 4 * (1 + vl_below(&b->rng, 4));
    default: return e->kernel.mem_base + vl_below(&b->rng, (unsigned)size / 4) * 4;
    }
}

static unsigned under_way(const env_t *e, unsigned w)
{
    unsigned n = 0;
    for (unsigned k = 0; k < e->roads; k++)
        n += e->road[k].q.warp == w;
    return n;
}

static void stimulate(bench_t *b, env_t *e, const fetch_out_t *out, fetch_in_t *in)
{
    in->kernel = e->kernel;
    in->root.sv48 = e->sv48;
    if (e->sv48) /* the window does not matter */
        in->kernel.mem_limit = in->kernel.mem_base + 64;
    if (vl_chance(&b->rng, e->halt ? 60 : 2))
        e->halt = !e->halt;
    in->halt = e->halt;

    /* Check the outputs. */
    if (out->req_valid && (!e->last_valid || memcmp(&e->last, &out->req, sizeof out->req))) {
        unsigned w = out->req.warp;
        BENCH_COVER(b, COV_FREE4, e->before[w] + 4 == IBUF_DEPTH && !e->popped[w]);
        BENCH_COVER(b, COV_FREE3_POP, e->before[w] + 3 == IBUF_DEPTH && e->popped[w]);
        BENCH_COVER(b, COV_LAST_BLOCK, (out->req.pc | 15) + 1 == e->kernel.mem_limit);
        BENCH_CHECK(b, (e->sv48 || out->req.pc >= e->kernel.mem_base) && out->req.pc < e->kernel.mem_limit,
                    "request outside the window");
    }
    for (unsigned w = 0; w < WARPS; w++)
        e->before[w] = e->held[w], e->popped[w] = false;
    if (out->push_valid) {
        unsigned w = out->push.warp;
        e->held[w] += out->push.n;
        BENCH_CHECK(b, e->held[w] <= IBUF_DEPTH, "warp %u: %u instructions in its buffer", w, e->held[w]);
        BENCH_COVER(b, COV_FAULT, out->push.fault);
        BENCH_COVER(b, COV_FAULT_RSP, out->push.fault && e->faulted == 1 + w);
        BENCH_COVER(b, COV_FAULT_SV48, out->push.fault && e->sv48 && !e->faulted);
    }
    BENCH_COVER(b, COV_STALE, out->ev.fetch_stale);

    /* The cache. */
    bool rsp = e->roads && e->road[0].due <= b->cycle;
    e->faulted = 0;
    if (rsp) {
        const fetch_req_t *q = &e->road[0].q;
        in->rsp_valid = true;
        in->rsp = (fetch_rsp_t){.warp = q->warp, .epoch = q->epoch, .pc = q->pc, .hit = !vl_chance(&b->rng, e->miss)};
        if (in->rsp.hit)
            for (unsigned i = 0; i < FETCH_W; i++)
                in->rsp.instr[i] = (uint32_t)vl_random(&b->rng);
        else if (vl_chance(&b->rng, 20)) {
            in->rsp.fault = true;
            in->rsp.instr[0] = vl_below(&b->rng, 2);
            e->faulted = 1 + q->warp;
        } else
            e->missed[q->warp] = true;
        BENCH_COVER(b, COV_OFF0 + (q->pc >> 2 & 3), in->rsp.hit);
        memmove(e->road, e->road + 1, --e->roads * sizeof *e->road);
    }
    in->req_ready = vl_chance(&b->rng, b->mode == 1 ? 255 : 128) && e->roads < ROAD;
    if (out->req_valid && in->req_ready) {
        uint64_t due = b->cycle + 1 + vl_below(&b->rng, e->late + 1);
        if (e->roads && e->road[e->roads - 1].due >= due)
            due = e->road[e->roads - 1].due + 1;
        e->road[e->roads++] = (road_t){out->req, due};
        unsigned n = under_way(e, out->req.warp);
        BENCH_CHECK(b, n <= 2, "warp %u has %u requests under way", out->req.warp, n);
    }
    BENCH_COVER(b, COV_HALT_HELD, e->halt && out->req_valid && !in->req_ready);
    in->wake = vl_chance(&b->rng, e->wake);
    BENCH_COVER(b, COV_MISS_WAKE, in->wake && rsp && !in->rsp.hit && !in->rsp.fault);
    bool all = true;
    for (unsigned w = 0; w < WARPS; w++) {
        all &= e->missed[w];
        if (in->wake && !(rsp && in->rsp.warp == w))
            e->missed[w] = false;
    }
    BENCH_COVER(b, COV_ALL_WAIT, all);

    /* issue consumes instructions that it has had for a cycle. */
    unsigned p = rsp && vl_chance(&b->rng, 40) ? in->rsp.warp : vl_below(&b->rng, WARPS);
    if (e->before[p] && vl_chance(&b->rng, e->pop)) {
        in->pop_valid = true;
        in->pop = (uint8_t)p;
        e->held[p]--;
        e->popped[p] = true;
    }

    /* simt. */
    unsigned w = vl_chance(&b->rng, 30) && rsp ? in->rsp.warp : vl_below(&b->rng, WARPS);
    if (vl_chance(&b->rng, e->flush_rate)) {
        in->redirect_valid = true;
        redirect_t_random(&b->rng, &in->redirect);
        in->redirect.warp = (uint8_t)w;
        in->redirect.pc = some_pc(b, e);
        in->redirect.stop = vl_chance(&b->rng, 30);
        in->redirect.flush = vl_chance(&b->rng, 200);
        if (in->redirect.flush || in->redirect.stop) {
            unsigned n = under_way(e, w);
            BENCH_COVER(b, COV_REDIRECT_HELD, out->req_valid && !in->req_ready);
            BENCH_COVER(b, COV_FLUSH_UNDERWAY, n == 1);
            BENCH_COVER(b, COV_TWO_UNDERWAY, n == 2 && !in->redirect.stop);
            BENCH_COVER(b, COV_STOP_UNDERWAY, n && in->redirect.stop);
            BENCH_COVER(b, COV_ALL_ONE, rsp && in->rsp.warp == w && in->pop_valid && in->pop == w);
            e->held[w] = 0;
            e->missed[w] = false;
            uint64_t pc = in->redirect.pc;
            e->bad_pc[w] = !in->redirect.stop && (pc < e->kernel.mem_base || pc >= e->kernel.mem_limit);
        }
    }
    BENCH_COVER(b, COV_FAULT_WAITS, rsp && e->bad_pc[w] && !e->halt && !in->redirect_valid && !out->req_valid);
    if (out->push_valid && out->push.fault)
        e->bad_pc[out->push.warp] = false;
    e->last = out->req;
    e->last_valid = out->req_valid && !in->req_ready;
}

SCOREBOARD_DRIVE(fetch, env_t, stimulate)
BENCH_MAIN(fetch, env_t, start, drive, cover, COV_N)
