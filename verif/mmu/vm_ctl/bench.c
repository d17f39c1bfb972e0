/* Bench of vm_ctl: register traffic, cores that rest and run, faults, shootdowns answered after any time. The values of registers and the outputs to the cores are computed here as well. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 80000
#include "verif/common/bench.h"
#include "vm_ctl_ports.h"
#include "verif/common/registers.h"

enum {
    COV_READ,
    COV_ROOT_RUNNING,
    COV_ROOT_REST,
    COV_ROOT_AGAIN,
    COV_ROOT_ASYNC,
    COV_SCOPE,
    COV_REFUSED = COV_SCOPE + 3,
    COV_SCOPE3,
    COV_ALL_AT_ONCE,
    COV_APART,
    COV_FULL,
    COV_POP_EMPTY,
    COV_POP_PUSH,
    COV_ALL_FAULT,
    COV_EACH_FAULT,
    COV_RESUME_EACH,
    COV_RESUME_NONE,
    COV_RST_PENDING,
    COV_RST_QUEUE,
    COV_RST_SOME,
    COV_RST_PUSH,
    COV_ENDS,
    COV_IDLE_PUSH,
    COV_FIRST_PUSH,
    COV_CANCELLED_POP,
    COV_READ_GOES,
    COV_STALE_READ,
    COV_STALE_POP,
    COV_FRESH,
    COV_BITS,
    COV_SOME,
    COV_SOME_ALL = COV_SOME + 3,
    COV_SOME_NONE,
    COV_SHARED_ALONE,
    COV_LONG,
    COV_LONGEST,
    COV_N
};
static const char *const cover[] = {"every register read in one run",
                                    "root written while a kernel runs",
                                    "root written at rest",
                                    "root written again before it took effect",
                                    "root written at the edge at which it takes effect",
                                    "shootdown of all",
                                    "of an address space",
                                    "of a page",
                                    "shootdown refused",
                                    "shootdown of no scope",
                                    "all cores answer at once",
                                    "cores answer apart",
                                    "fault queue full",
                                    "pop of an empty queue",
                                    "pop and push at one edge",
                                    "faults of all at once",
                                    "a fault of each in one run",
                                    "resume of lsu and fetch of each core in one run",
                                    "resume of a core that does not exist",
                                    "reset with answers pending",
                                    "reset with faults in the queue",
                                    "reset with a fault of another core behind one that goes",
                                    "reset at the edge at which a fault is taken",
                                    "a kernel ends with faults in the queue",
                                    "a fault is taken while its kernel does not run",
                                    "a fault is taken in the first cycle of a kernel",
                                    "pop while the head is cancelled",
                                    "a head is read at the edge at which nobody waits for it any more",
                                    "a head that nobody waits for any more is read on",
                                    "a head that nobody waits for any more is dropped, another behind it",
                                    "every register read before it is written",
                                    "every bit that is kept read as 0 and as 1",
                                    "shootdown of all in some cores",
                                    "of an address space in some cores",
                                    "of a page in some cores",
                                    "of some cores, which are all",
                                    "of some cores, which are none",
                                    "shootdown refused for the L2 TLB alone",
                                    "INV.cycles of 256 and more is read",
                                    "INV.cycles of 65536 and more is read"};
enum { SHARED = TRANSLATION == TRANSLATION_SHARED };
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

typedef struct {
    uint64_t want[CORES], root[CORES], deferred; /* as ROOT reads, except `pending` */
    uint64_t walk, tokens, bypass, page, pending, latency; /* as the registers read */
    uint64_t hold; /* the cores answer a shootdown when it is so old */
    unsigned mode;
    struct {
        unsigned core;
        bool cancelled;
        page_fault_t f;
    } queue[PF_DEPTH];
    unsigned n, turn, stalled[FAULTERS];
    bool held_longest; /* a shootdown of 65536 cycles has been */
    bool held; /* PF_WHAT has been answered with the head */
    bool rsp, inv, waits, shared; /* shared: the L2 TLB has not done its part */
    uint64_t cores, inv_core; /* INV_CORES; the cores of the shootdown that is shown */
    uint64_t running, ran; /* now, in the last cycle */
    uint64_t rsp_data, resume, fetch_resume, read, written, faulted, resumed, pf_valid, rest;
    unsigned resume_warp;
    inv_t inv_want;
    page_fault_t pf[FAULTERS];
    bool deny;
    unsigned run_left;
} env_t;

/* Registers of this block, ROOT of core 0 for all. */
static known_register_t known[KNOWN_REGISTERS];
static unsigned n_known;
/* Over all runs: registers that were read before they were written; bits that were 0, 1 in a read. */
static uint64_t read_fresh, read_as[2][KNOWN_REGISTERS];

static const known_register_t *known_at(unsigned addr)
{
    for (unsigned i = 0; i < n_known; i++)
        if (addr == known[i].addr
            || (known[i].of_core && addr >= known[i].addr && addr < known[i].addr + REG_CORE_STRIDE * CORES
                && addr % REG_CORE_STRIDE == 0))
            return &known[i];
    return NULL;
}

static void start(bench_t *b, env_t *e)
{
    known_register_t all[KNOWN_REGISTERS];
    (void)b;
    known_registers(all);
    n_known = 0;
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        if (all[i].vm_ctl)
            known[n_known++] = all[i];
    e->mode = (unsigned)known_at(REG_TLB_MODE)->reset;
    e->walk = known_at(REG_WALK)->reset;
    e->tokens = known_at(REG_TOKENS)->reset;
    e->bypass = known_at(REG_WALK_BYPASS)->reset;
    e->page = known_at(REG_INV_PAGE)->reset;
}

static uint64_t as_read(const root_t *r)
{
    return reg_root_put((reg_root_t){.ppn = r->ppn, .asid = r->asid, .sv48 = r->sv48});
}

static bool shown(const env_t *e)
{
    return e->n && (e->held || !e->queue[0].cancelled);
}

static uint64_t contents(const env_t *e, unsigned addr)
{
    const page_fault_t *f = &e->queue[0].f;
    const known_register_t *r = known_at(addr);
    if (r && r->of_core) {
        const unsigned core = (addr - REG_ROOT) / REG_CORE_STRIDE;
        return e->want[core] | reg_root_put((reg_root_t){.pending = e->deferred >> core & 1});
    }
    switch (addr) {
    case REG_TLB_MODE: return reg_tlb_mode_put((reg_tlb_mode_t){.mode = (uint8_t)e->mode});
    case REG_WALK: return e->walk;
    case REG_TOKENS: return e->tokens;
    case REG_WALK_BYPASS: return e->bypass;
    case REG_INV_PAGE: return e->page;
    case REG_INV:
        return reg_inv_read_put((reg_inv_read_t){.busy = e->pending || e->shared, .cycles = (uint32_t)e->latency});
    case REG_PF_WHAT:
        return shown(e) ? reg_pf_what_put((reg_pf_what_t){.valid = true,
                                                          .queued = (uint8_t)e->n,
                                                          .core = (uint8_t)e->queue[0].core,
                                                          .warp = f->warp,
                                                          .store = f->store,
                                                          .access = f->access,
                                                          .fetch = f->fetch})
                        : 0;
    case REG_PF_VALUE: return shown(e) ? f->value : 0;
    case REG_PF_PC: return shown(e) ? f->pc : 0;
    case REG_PF_THREADS: return shown(e) ? f->threads : 0;
    default: return 0;
    }
}

static void check(bench_t *b, env_t *e, const vm_ctl_out_t *o)
{
    BENCH_CHECK(b, o->reg_rsp_valid == e->rsp && (!e->rsp || o->reg_rsp == e->rsp_data),
                "a read gives 0x%llx, expected 0x%llx", (unsigned long long)o->reg_rsp,
                (unsigned long long)e->rsp_data);
    for (unsigned c = 0; c < CORES; c++)
        BENCH_CHECK(b, as_read(&o->root[c]) == e->root[c], "root of core %u", c);
    const reg_walk_t walk = reg_walk_get(e->walk);
    BENCH_CHECK(b,
                o->tlb_mode == e->mode && o->walk_policy.coalesce == walk.coalesce
                    && o->walk_policy.walkers == walk.walkers && o->walk_policy.reads == walk.reads
                    && o->walk_policy.pointers == walk.walk_cache,
                "policies");
    const shared_policy_t *s = &o->shared_policy;
    const reg_tokens_t tokens = reg_tokens_get(e->tokens);
    const reg_walk_bypass_t bypass = reg_walk_bypass_get(e->bypass);
    BENCH_CHECK(b, s->l2_tlb == walk.l2_tlb && s->walk_cache == walk.walk_cache, "L2 TLB %d, walk cache %d", s->l2_tlb,
                s->walk_cache);
    BENCH_CHECK(b,
                s->tokens.on == tokens.on && s->tokens.share == tokens.share && s->tokens.delta == tokens.delta
                    && s->tokens.step == tokens.step,
                "TOKENS and its levels differ");
    BENCH_CHECK(b, s->walk_bypass.on == bypass.on && s->walk_bypass.sample == bypass.sample,
                "WALK_BYPASS and its levels differ");
    BENCH_CHECK(b,
                o->inv_valid == e->inv
                    && (!e->inv
                        || (o->inv.scope == e->inv_want.scope && o->inv.asid == e->inv_want.asid
                            && o->inv.vpn == e->inv_want.vpn)),
                "shootdown");
    BENCH_CHECK(b, (uint64_t)o->inv_core_valid == (SHARED && e->inv ? e->inv_core : 0),
                "cores 0x%llx are told of a shootdown, expected 0x%llx", (unsigned long long)o->inv_core_valid,
                (unsigned long long)e->inv_core);
    BENCH_CHECK(b,
                o->resume_valid == e->resume && o->fetch_resume_valid == e->fetch_resume
                    && (!(e->resume | e->fetch_resume) || o->resume == e->resume_warp)
                    && (!e->fetch_resume || o->deny == e->deny),
                "resume");
    BENCH_CHECK(b, o->attention == shown(e), "attention");
    BENCH_CHECK(b, !(o->pf_ready & (o->pf_ready - 1)) && (e->n < PF_DEPTH || !o->pf_ready),
                "two faults in a cycle, or no room for one");
    BENCH_CHECK(b, (uint64_t)o->pf_ready == (uint64_t)(e->n < PF_DEPTH) << e->turn,
                "faults are taken of sources 0x%llx, and it is the turn of %u", (unsigned long long)o->pf_ready,
                e->turn);
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
    const bool holds = e->pending && e->latency < e->hold;
    in->core_rst = !holds && vl_chance(&b->rng, b->mode == 3 ? 4 : 1) && vl_chance(&b->rng, 120)
                       ? vl_chance(&b->rng, 100) ? LOW(CORES) : vl_random(&b->rng) & LOW(CORES)
                       : 0;
    for (unsigned c = 0; c < FAULTERS; c++) {
        if (!(e->pf_valid >> c & 1) && vl_chance(&b->rng, b->mode == 1 ? 60 : 4)) {
            page_fault_t_random(&b->rng, &e->pf[c]);
            e->pf_valid |= 1ull << c;
        }
        in->pf[c] = e->pf[c];
    }
    in->pf_valid = e->pf_valid;
    BENCH_COVER(b, COV_ALL_FAULT, e->pf_valid == LOW(FAULTERS));
    uint64_t answers =
        e->pending
        & (vl_chance(&b->rng, b->mode == 2 ? 30 : 120) ? LOW(CORES)
                                                       : vl_random(&b->rng) & vl_random(&b->rng) & vl_random(&b->rng));
    if (e->inv || holds) /* one cycle later at the earliest */
        answers = 0;
    in->inv_done = answers;
    in->shared_done = e->shared && !e->inv && vl_chance(&b->rng, b->mode == 2 ? 10 : 120);
    if (!e->waits && vl_chance(&b->rng, 160)) {
        unsigned addr = vl_below(&b->rng, 3) ? known[vl_below(&b->rng, n_known)].addr + 8 * !vl_below(&b->rng, n_known)
                                             : REG_ROOT + REG_CORE_STRIDE * vl_below(&b->rng, CORES + 2);
        in->reg_valid = true;
        in->reg.write = vl_below(&b->rng, 2);
        if (vl_chance(&b->rng, 4)) /* anywhere */
            addr = REG_FIRST_VM_CTL + 8 * vl_below(&b->rng, (0x10000 - REG_FIRST_VM_CTL) / 8);
        in->reg.addr = (uint16_t)(addr / 8);
        in->reg.data = vl_random(&b->rng);
        if (addr == REG_INV_CORES && vl_chance(&b->rng, 100)) /* now and then all, or none */
            in->reg.data = vl_below(&b->rng, 2) ? ~0ull : ~LOW(CORES);
        if (addr == REG_RESUME) {
            reg_resume_t r = reg_resume_get(in->reg.data);
            r.core = (uint8_t)vl_below(&b->rng, CORES + 1);
            in->reg.data = reg_resume_put(r);
        }
        e->waits = !in->reg.write;
    } else {
        e->waits = false; /* the answer comes in the next cycle */
    }
    /* the expected state of the next cycle */
    const unsigned reg = in->reg.addr * 8u;
    const known_register_t *at = known_at(reg);
    const bool write = in->reg_valid && in->reg.write, pending = e->pending != 0, busy = pending || e->shared;
    const uint64_t d = in->reg.data, takes = e->deferred & e->rest & ~e->running;
    e->rsp = in->reg_valid && !in->reg.write;
    e->rsp_data = contents(e, reg);
    if (e->rsp && at) {
        const unsigned i = (unsigned)(at - known);
        e->read |= 1ull << i;
        read_fresh |= ~e->written & 1ull << i;
        read_as[0][i] |= ~e->rsp_data;
        read_as[1][i] |= e->rsp_data;
    }
    if (write && at)
        e->written |= 1ull << (at - known);
    bool all_bits = true;
    for (unsigned i = 0; i < n_known; i++)
        all_bits &= !(known[i].kept & ~(read_as[0][i] & read_as[1][i]));
    BENCH_COVER(b, COV_READ, e->read == LOW(n_known));
    BENCH_COVER(b, COV_FRESH, read_fresh == LOW(n_known));
    BENCH_COVER(b, COV_LONG, e->rsp && reg == REG_INV && e->latency >= 256);
    BENCH_COVER(b, COV_LONGEST, e->rsp && reg == REG_INV && e->latency >= 65536);
    BENCH_COVER(b, COV_BITS, all_bits);
    for (unsigned c = 0; c < CORES; c++)
        if (takes >> c & 1)
            e->root[c] = e->want[c];
    e->inv = false;
    e->resume = e->fetch_resume = 0;
    BENCH_COVER(b, COV_ALL_AT_ONCE, answers && answers == LOW(CORES));
    BENCH_COVER(b, COV_APART, CORES == 1 || (answers && answers == e->pending && answers != LOW(CORES)));
    e->pending &= ~answers;
    e->shared &= !in->shared_done;
    e->latency += pending;
    const bool cancelled = e->n && !shown(e), drops = write && reg == REG_PF_POP,
               stale = e->held && e->queue[0].cancelled;
    BENCH_COVER(b, COV_CANCELLED_POP, cancelled && drops);
    BENCH_COVER(b, COV_STALE_READ, stale && e->rsp && reg == REG_PF_VALUE);
    BENCH_COVER(b, COV_STALE_POP, stale && drops && e->n > 1);
    e->held |= shown(e) && e->rsp && reg == REG_PF_WHAT;
    bool pop = e->n && (cancelled || drops), reads = e->held && !pop && e->rsp && reg == REG_PF_WHAT,
         push = (e->pf_valid & out->pf_ready) != 0;
    unsigned before = e->n;
    if (push || (!(e->pf_valid >> e->turn & 1) && e->pf_valid))
        e->turn = (e->turn + 1) % FAULTERS;
    if (pop)
        memmove(e->queue, e->queue + 1, --e->n * sizeof *e->queue);
    e->held &= !pop;
    if (push) {
        unsigned c = (unsigned)__builtin_ctzll(out->pf_ready);
        e->queue[e->n].core = c % CORES;
        e->queue[e->n].cancelled = false;
        e->queue[e->n++].f = e->pf[c];
        e->pf_valid &= ~(1ull << c);
        e->faulted |= 1ull << c;
    }
    BENCH_COVER(b, COV_FULL, before == PF_DEPTH);
    BENCH_COVER(b, COV_POP_EMPTY, write && reg == REG_PF_POP && !before);
    BENCH_COVER(b, COV_POP_PUSH, pop && !cancelled && push);
    BENCH_COVER(b, COV_EACH_FAULT, e->faulted == LOW(FAULTERS));
    uint64_t was_deferred = e->deferred;
    e->deferred &= ~takes;
    if (write && at && at->of_core) {
        unsigned c = (reg - REG_ROOT) / REG_CORE_STRIDE;
        e->want[c] = d & at->kept;
        e->deferred |= 1ull << c;
        BENCH_COVER(b, COV_ROOT_RUNNING, e->running >> c & 1);
        BENCH_COVER(b, COV_ROOT_REST, !(e->running >> c & 1) && e->rest >> c & 1);
        BENCH_COVER(b, COV_ROOT_AGAIN, was_deferred >> c & 1 && !(takes >> c & 1));
        BENCH_COVER(b, COV_ROOT_ASYNC, takes >> c & 1);
    } else if (write && reg == REG_TLB_MODE) {
        e->mode = reg_tlb_mode_get(d).mode > 2 ? 2 : reg_tlb_mode_get(d).mode;
    } else if (write && reg == REG_WALK) {
        e->walk = d & at->kept;
    } else if (write && reg == REG_TOKENS) {
        e->tokens = d & at->kept;
    } else if (write && reg == REG_WALK_BYPASS) {
        e->bypass = d & at->kept;
    } else if (write && reg == REG_INV_PAGE) {
        e->page = d & at->kept;
    } else if (write && reg == REG_INV_CORES) {
        e->cores = SHARED ? d & LOW(CORES) : 0;
    } else if (write && reg == REG_INV) {
        const reg_inv_t inv = reg_inv_get(d);
        const bool some = SHARED ? inv.some : false;
        const uint64_t cores = some ? e->cores : LOW(CORES);
        BENCH_COVER(b, COV_REFUSED, pending);
        BENCH_COVER(b, COV_SHARED_ALONE, !SHARED || (!pending && busy));
        BENCH_COVER(b, COV_SCOPE3, !busy && inv.scope == 3);
        BENCH_COVER(b, COV_SOME_NONE, !SHARED || (!busy && inv.scope != 3 && !cores));
        if (!busy && inv.scope != 3 && cores != 0) {
            BENCH_COVER(b, COV_SCOPE + inv.scope, true);
            BENCH_COVER(b, COV_SOME + inv.scope, !SHARED || cores != LOW(CORES));
            BENCH_COVER(b, COV_SOME_ALL, !SHARED || (some && cores == LOW(CORES)));
            e->inv = true;
            e->inv_want = (inv_t){.scope = inv.scope, .asid = inv.asid, .vpn = reg_inv_page_get(e->page).vpn};
            e->pending = e->inv_core = cores;
            e->shared = SHARED;
            e->latency = 0;
            /* Long enough for each width that INV.cycles may be cut to. */
            e->hold = b->seed == 2 && b->cycle > 2000 && !e->held_longest ? 65536 + vl_below(&b->rng, 8)
                      : vl_chance(&b->rng, 2)                             ? 250 + vl_below(&b->rng, 12)
                                                                          : 0;
            e->held_longest |= e->hold > 65535;
        }
    } else if (write && reg == REG_RESUME) {
        const reg_resume_t r = reg_resume_get(d);
        BENCH_COVER(b, COV_RESUME_NONE, r.core >= CORES);
        if (r.core < CORES) {
            *(r.fetch ? &e->fetch_resume : &e->resume) = 1ull << r.core;
            e->deny = r.deny;
            e->resume_warp = r.warp & LOW(WARP_W);
            e->resumed |= e->resume | e->fetch_resume << 32;
        }
        BENCH_COVER(b, COV_RESUME_EACH, e->resumed == (LOW(CORES) | LOW(CORES) << 32));
    }
    BENCH_COVER(b, COV_RST_PENDING, e->pending & in->core_rst);
    e->pending &= ~(uint64_t)in->core_rst;
    for (unsigned k = 0; k < e->n; k++) {
        const unsigned core = e->queue[k].core;
        const bool runs = e->running >> core & 1, ran = e->ran >> core & 1, taken = push && k == e->n - 1;
        BENCH_COVER(b, COV_ENDS, ran && !runs && !e->queue[k].cancelled);
        BENCH_COVER(b, COV_IDLE_PUSH, taken && !runs && !ran);
        BENCH_COVER(b, COV_FIRST_PUSH, taken && runs && !ran);
        e->queue[k].cancelled |= !runs || !ran; /* the instruction that waited for its page no longer does */
        const bool goes = (uint64_t)in->core_rst >> core & 1;
        BENCH_COVER(b, COV_RST_QUEUE, goes);
        BENCH_COVER(b, COV_RST_PUSH, goes && push && k == e->n - 1);
        BENCH_COVER(b, COV_RST_SOME, CORES == 1 || (in->core_rst && !goes && k && e->queue[k - 1].cancelled));
        e->queue[k].cancelled |= goes;
    }
    BENCH_COVER(b, COV_READ_GOES, reads && !stale && e->queue[0].cancelled);
    e->ran = e->running;
}

BENCH_MAIN(vm_ctl, env_t, start, drive, cover, COV_N)
