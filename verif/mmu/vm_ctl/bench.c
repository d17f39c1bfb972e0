/* Bench of vm_ctl: register traffic, cores that rest and run, faults, shootdowns answered late. What registers must read and what the cores must be told is worked out here as well. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "vm_ctl_ports.h"

enum { COV_READ, COV_ROOT_RUNNING, COV_ROOT_REST, COV_ROOT_AGAIN, COV_ROOT_ASYNC, COV_SCOPE, COV_REFUSED = COV_SCOPE + 3, COV_SCOPE3, COV_ALL_AT_ONCE, COV_APART, COV_FULL, COV_POP_EMPTY, COV_POP_PUSH, COV_ALL_FAULT, COV_EACH_FAULT, COV_RESUME_EACH, COV_RESUME_NONE,
       COV_RST_OWED, COV_RST_QUEUE, COV_RST_SOME, COV_RST_PUSH, COV_GONE_POP, COV_N };
static const char *const cover[] = {"every register read in one run", "root written while a kernel runs", "root written at rest", "root written again before it took effect", "root written at the edge at which it takes effect", "shootdown of all", "of an address space", "of a page",
                                    "shootdown refused", "shootdown of no scope", "all cores answer at once", "cores answer apart", "fault queue full", "pop of an empty queue", "pop and push at one edge", "faults of all at once", "a fault of each in one run",
                                    "resume of lsu and fetch of each core in one run", "resume of a core that does not exist", "reset with answers owed", "reset with faults in the queue", "reset with a fault of another core behind one that goes", "reset at the edge at which a fault is taken", "pop while the head is gone"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
enum { ROOT = 0x40, MODE = 0x80, WALK, PAGE, INV_REG, WHAT, VALUE, PC, THREADS_REG, POP, RESUME, BEYOND };
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

typedef struct {
    uint64_t want[CORES], root[CORES], late; /* as ROOT reads, bit 62 apart */
    uint64_t mode, walk, page, owed, took;
    struct { unsigned core; bool gone; page_fault_t f; } queue[PF_DEPTH];
    unsigned n, turn, stalled[FAULTERS];
    bool rsp, inv, waits;
    uint64_t running;
    uint64_t rsp_data, resume, fetch_resume, read, faulted, resumed, pf_valid, rest;
    unsigned resume_warp;
    inv_t inv_want;
    page_fault_t pf[FAULTERS];
    bool deny;
    unsigned run_left;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b;
    e->mode = TLB_OVERLAP;
    e->walk = 1 | 1 << 4;
}

static uint64_t as_read(const root_t *r)
{
    return r->ppn | (uint64_t)r->asid << 36 | (uint64_t)r->sv48 << 63;
}

static bool shown(const env_t *e)
{
    return e->n && !e->queue[0].gone;
}

static uint64_t contents(const env_t *e, unsigned reg)
{
    const page_fault_t *f = &e->queue[0].f;
    if (reg >= ROOT && reg < ROOT + CORES)
        return e->want[reg - ROOT] | (e->late >> (reg - ROOT) & 1) << 62;
    switch (reg) {
    case MODE: return e->mode;
    case WALK: return e->walk;
    case PAGE: return e->page;
    case INV_REG: return (e->owed != 0) | e->took << 32;
    case WHAT: return shown(e) ? 1ull << 63 | (uint64_t)e->n << 24 | e->queue[0].core << 16 | (uint64_t)f->warp << 8 | (uint64_t)f->store << 2 | (uint64_t)f->access << 1 | f->fetch : 0;
    case VALUE: return shown(e) ? f->value : 0;
    case PC: return shown(e) ? f->pc : 0;
    case THREADS_REG: return shown(e) ? f->threads : 0;
    default: return 0;
    }
}

static void check(bench_t *b, env_t *e, const vm_ctl_out_t *o)
{
    BENCH_CHECK(b, o->reg_rsp_valid == e->rsp && (!e->rsp || o->reg_rsp == e->rsp_data), "a read gives 0x%llx, expected 0x%llx", (unsigned long long)o->reg_rsp, (unsigned long long)e->rsp_data);
    for (unsigned c = 0; c < CORES; c++)
        BENCH_CHECK(b, as_read(&o->root[c]) == e->root[c], "root of core %u", c);
    BENCH_CHECK(b, o->tlb_mode == e->mode && (o->walk_policy.coalesce | (uint64_t)o->walk_policy.walkers << 4 | (uint64_t)o->walk_policy.reads << 8) == e->walk, "policies");
    BENCH_CHECK(b, o->inv_valid == e->inv && (!e->inv || (o->inv.scope == e->inv_want.scope && o->inv.asid == e->inv_want.asid && o->inv.vpn == e->inv_want.vpn)), "shootdown");
    BENCH_CHECK(b, o->resume_valid == e->resume && o->fetch_resume_valid == e->fetch_resume && (!(e->resume | e->fetch_resume) || o->resume == e->resume_warp) && (!e->fetch_resume || o->deny == e->deny), "resume");
    BENCH_CHECK(b, o->attention == shown(e), "attention");
    BENCH_CHECK(b, !(o->pf_ready & (o->pf_ready - 1)) && (e->n < PF_DEPTH || !o->pf_ready), "two faults in a cycle, or no room for one");
    BENCH_CHECK(b, (uint64_t)o->pf_ready == (uint64_t)(e->n < PF_DEPTH) << e->turn, "faults are taken of sources 0x%llx, and it is the turn of %u", (unsigned long long)o->pf_ready, e->turn);
    for (unsigned c = 0; c < FAULTERS; c++) {
        bool stalls = (e->pf_valid >> c & 1) && !(o->pf_ready >> c & 1) && e->n < PF_DEPTH;
        e->stalled[c] = stalls ? e->stalled[c] + 1 : 0;
        BENCH_CHECK(b, e->stalled[c] < FAULTERS, "a fault of source %u is kept waiting", c);
    }
}

static void drive(bench_t *b, env_t *e, const vm_ctl_out_t *out, vm_ctl_in_t *in)
{
    if (!e->run_left--) {
        e->running = vl_chance(&b->rng, 85) ? 0 : vl_chance(&b->rng, 85) ? LOW(CORES) : vl_random(&b->rng) & LOW(CORES);
        e->run_left = vl_below(&b->rng, 60);
        e->rest = vl_random(&b->rng) & LOW(CORES);
    }
    check(b, e, out);
    in->running = e->running;
    in->quiet = e->rest;
    in->core_rst = vl_chance(&b->rng, b->mode == 3 ? 4 : 1) && vl_chance(&b->rng, 120) ? vl_chance(&b->rng, 100) ? LOW(CORES) : vl_random(&b->rng) & LOW(CORES) : 0;
    for (unsigned c = 0; c < FAULTERS; c++) {
        if (!(e->pf_valid >> c & 1) && vl_chance(&b->rng, b->mode == 1 ? 60 : 4)) {
            page_fault_t_random(&b->rng, &e->pf[c]);
            e->pf_valid |= 1ull << c;
        }
        in->pf[c] = e->pf[c];
    }
    in->pf_valid = e->pf_valid;
    BENCH_COVER(b, COV_ALL_FAULT, e->pf_valid == LOW(FAULTERS));
    uint64_t answers = e->owed & (vl_chance(&b->rng, b->mode == 2 ? 30 : 120) ? LOW(CORES) : vl_random(&b->rng) & vl_random(&b->rng) & vl_random(&b->rng));
    if (e->inv) /* one cycle later at the earliest */
        answers = 0;
    in->inv_done = answers;
    if (!e->waits && vl_chance(&b->rng, 160)) {
        unsigned reg = vl_below(&b->rng, 3) ? MODE + vl_below(&b->rng, BEYOND - MODE + 1) : ROOT + vl_below(&b->rng, CORES + 2);
        in->reg_valid = true;
        in->reg.write = vl_below(&b->rng, 2);
        in->reg.addr = (uint16_t)(vl_chance(&b->rng, 4) ? 0x40 + vl_below(&b->rng, 0x1fc0) : reg);
        in->reg.data = vl_random(&b->rng);
        if (reg == RESUME)
            in->reg.data = (in->reg.data & ~0xff0000ull) | (uint64_t)vl_below(&b->rng, CORES + 1) << 16;
        e->waits = !in->reg.write;
    } else {
        e->waits = false; /* the answer comes in the next cycle */
    }
    /* what must be in the next cycle */
    const unsigned reg = in->reg.addr;
    const bool write = in->reg_valid && in->reg.write, owed = e->owed != 0;
    const uint64_t d = in->reg.data, takes = e->late & e->rest & ~e->running;
    e->rsp = in->reg_valid && !in->reg.write;
    e->rsp_data = contents(e, reg);
    if (e->rsp && reg >= MODE && reg < BEYOND)
        e->read |= 1ull << (reg - MODE);
    BENCH_COVER(b, COV_READ, e->read == LOW(BEYOND - MODE));
    for (unsigned c = 0; c < CORES; c++)
        if (takes >> c & 1)
            e->root[c] = e->want[c];
    e->inv = false;
    e->resume = e->fetch_resume = 0;
    BENCH_COVER(b, COV_ALL_AT_ONCE, answers && answers == LOW(CORES));
    BENCH_COVER(b, COV_APART, CORES == 1 || (answers && answers == e->owed && answers != LOW(CORES)));
    e->owed &= ~answers;
    e->took += owed;
    const bool gone = e->n && e->queue[0].gone;
    BENCH_COVER(b, COV_GONE_POP, gone && write && reg == POP);
    bool pop = e->n && (gone || (write && reg == POP)), push = (e->pf_valid & out->pf_ready) != 0;
    unsigned before = e->n;
    if (push || (!(e->pf_valid >> e->turn & 1) && e->pf_valid))
        e->turn = (e->turn + 1) % FAULTERS;
    if (pop)
        memmove(e->queue, e->queue + 1, --e->n * sizeof *e->queue);
    if (push) {
        unsigned c = (unsigned)__builtin_ctzll(out->pf_ready);
        e->queue[e->n].core = c % CORES;
        e->queue[e->n].gone = false;
        e->queue[e->n++].f = e->pf[c];
        e->pf_valid &= ~(1ull << c);
        e->faulted |= 1ull << c;
    }
    BENCH_COVER(b, COV_FULL, before == PF_DEPTH);
    BENCH_COVER(b, COV_POP_EMPTY, write && reg == POP && !before);
    BENCH_COVER(b, COV_POP_PUSH, pop && !gone && push);
    BENCH_COVER(b, COV_EACH_FAULT, e->faulted == LOW(FAULTERS));
    uint64_t was_late = e->late;
    e->late &= ~takes;
    if (write && reg >= ROOT && reg < ROOT + CORES) {
        unsigned c = reg - ROOT;
        e->want[c] = d & (LOW(52) | 1ull << 63);
        e->late |= 1ull << c;
        BENCH_COVER(b, COV_ROOT_RUNNING, e->running >> c & 1);
        BENCH_COVER(b, COV_ROOT_REST, !(e->running >> c & 1) && e->rest >> c & 1);
        BENCH_COVER(b, COV_ROOT_AGAIN, was_late >> c & 1 && !(takes >> c & 1));
        BENCH_COVER(b, COV_ROOT_ASYNC, takes >> c & 1);
    } else if (write && reg == MODE) {
        e->mode = (d & 3) == 3 ? 2 : d & 3;
    } else if (write && reg == WALK) {
        e->walk = d & 0x7ff1;
    } else if (write && reg == PAGE) {
        e->page = d & 0xfffffffff000;
    } else if (write && reg == INV_REG) {
        BENCH_COVER(b, COV_REFUSED, owed);
        BENCH_COVER(b, COV_SCOPE3, !owed && (d & 3) == 3);
        if (!owed && (d & 3) != 3) {
            BENCH_COVER(b, COV_SCOPE + (d & 3), true);
            e->inv = true;
            e->inv_want = (inv_t){.scope = d & 3, .asid = (uint16_t)(d >> 16), .vpn = e->page >> 12};
            e->owed = LOW(CORES);
            e->took = 0;
        }
    } else if (write && reg == RESUME) {
        unsigned c = d >> 16 & 255;
        BENCH_COVER(b, COV_RESUME_NONE, c >= CORES);
        if (c < CORES) {
            *(d & 1 ? &e->fetch_resume : &e->resume) = 1ull << c;
            e->deny = d >> 1 & 1;
            e->resume_warp = d >> 8 & LOW(WARP_W);
            e->resumed |= e->resume | e->fetch_resume << 32;
        }
        BENCH_COVER(b, COV_RESUME_EACH, e->resumed == (LOW(CORES) | LOW(CORES) << 32));
    }
    BENCH_COVER(b, COV_RST_OWED, e->owed & in->core_rst);
    e->owed &= ~(uint64_t)in->core_rst;
    for (unsigned k = 0; k < e->n && in->core_rst; k++) {
        bool goes = (uint64_t)in->core_rst >> e->queue[k].core & 1;
        BENCH_COVER(b, COV_RST_QUEUE, goes);
        BENCH_COVER(b, COV_RST_PUSH, goes && push && k == e->n - 1);
        BENCH_COVER(b, COV_RST_SOME, CORES == 1 || (!goes && k && e->queue[k - 1].gone));
        e->queue[k].gone |= goes;
    }
}

BENCH_MAIN(vm_ctl, env_t, start, drive, cover, COV_N)
