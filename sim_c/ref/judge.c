/* See judge.h. */
#include "sim_c/ref/judge.h"
#include "sim_c/ref/ref.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 256 }; /* instructions of a warp that may be known but not finished: the range of seq */

/* One issued instruction until it has been stepped and all its results have been seen. */
typedef struct {
    bool used, stepped, last_seen;
    uint8_t pipe, op, rd;
    uint32_t instr;
    uint64_t pc, cycle;
    uint64_t tmask;    /* threads that execute it */
    uint64_t traced;   /* threads whose address has been seen */
    uint64_t written;  /* threads whose result has been seen */
    uint64_t expected; /* threads that must write rd (after stepping) */
    uint64_t addr[THREADS], data[THREADS]; /* as the machine says; data: rs2 */
    uint64_t seen[THREADS];                /* loads and scratchpad atomics: what memory held when the LSU let it go */
    uint64_t result[THREADS];              /* written by the machine */
    uint64_t value[THREADS];               /* computed by the reference */
} insn_t;

typedef struct {
    bool active, waiting; /* waiting: at a barrier that the group has not passed */
    uint64_t live;
    unsigned slot, spad_base;
    uint8_t head, tail;   /* seq of the oldest unstepped instruction, and of the next one */
    insn_t ring[RING];
    unsigned char *threads;
} warp_state_t;

typedef struct {
    unsigned started, warps, arrived; /* of the workgroup in this slot */
} group_state_t;

/* An atomic performed at the memory side, by hart, in order. */
typedef struct {
    uint64_t addr, old;
    bool full;
} performed_t;

/* A value that a doubleword held before a write. */
typedef struct {
    uint64_t addr, old;
} version_t;

enum { VERSIONS = 1 << 16, HELD = 8 };

typedef struct {
    bool valid;
    uint64_t hart, where;
} reservation_t;

typedef struct {
    uint8_t spad[SPAD_BYTES];
    reservation_t spad_hold, hold;
    warp_state_t warp[WARPS];
    group_state_t group[GROUPS];
    performed_t performed[WARPS * THREADS][HELD];
    uint8_t put[WARPS * THREADS], got[WARPS * THREADS];
} core_state_t;

struct judge {
    vl_backend_launch launch;
    ref_mem *order;     /* memory in the order in which the cores' LSUs let accesses go */
    ref_mem *coherence; /* memory as performed at the memory side */
    uint64_t cycle, races;
    version_t *version; /* ring of old values, for loads that race */
    uint64_t versions;
    vl_error *err;
    int verdict;
    core_state_t *core; /* CORES of them */
    size_t thread_size;
    /* the access that is being stepped */
    core_state_t *in_core;
    insn_t *in_insn;
    warp_state_t *in_warp;
    unsigned in_thread, core_no, warp_no;
};

__attribute__((format(printf, 5, 6)))
static int differ(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *fmt, ...)
{
    if (j->verdict)
        return j->verdict;
    va_list ap;
    char what[512], text[96] = "";
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (i)
        isa_disasm(i->instr, i->pc, text, sizeof text);
    snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u, warp %u, pc 0x%" PRIx64 " (%s, issued in cycle %" PRIu64 "): %s",
             j->cycle, core, warp, i ? i->pc : 0, text, i ? i->cycle : 0, what);
    return j->verdict = VL_EDIFF;
}

static ref_thread *thread_of(judge_t *j, warp_state_t *w, unsigned t)
{
    return (ref_thread *)(void *)(w->threads + t * j->thread_size);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static bool in_spad(uint64_t addr)
{
    return addr >= REF_SPAD_BASE && addr < REF_SPAD_BASE + REF_SPAD_MAX;
}

static uint8_t *spad_at(core_state_t *c, const warp_state_t *w, uint64_t addr)
{
    uint64_t at = w->spad_base + (addr - REF_SPAD_BASE);
    return at + 8 <= SPAD_BYTES + 8 ? &c->spad[at & (SPAD_BYTES - 1)] : c->spad;
}

static uint64_t load_order(judge_t *j, core_state_t *c, const warp_state_t *w, uint64_t addr, unsigned size)
{
    uint64_t v = 0;
    if (in_spad(addr))
        memcpy(&v, spad_at(c, w, addr), size);
    else
        (void)ref_mem_read(j->order, addr, &v, size);
    return v;
}

static void store_order(judge_t *j, core_state_t *c, const warp_state_t *w, uint64_t addr, unsigned size, uint64_t v)
{
    if (in_spad(addr)) {
        memcpy(spad_at(c, w, addr), &v, size);
        if (c->spad_hold.valid && c->spad_hold.where == (w->spad_base + (addr - REF_SPAD_BASE)) / 8)
            c->spad_hold.valid = false;
        return;
    }
    version_t *o = &j->version[j->versions++ % VERSIONS];
    o->addr = addr & ~7ull;
    (void)ref_mem_read(j->order, o->addr, &o->old, 8);
    (void)ref_mem_write(j->order, addr, &v, size);
}

/* Has this part of memory ever held `v` in this kernel? */
static bool once_held(judge_t *j, uint64_t addr, unsigned size, uint64_t v)
{
    uint64_t now = 0;
    (void)ref_mem_read(j->order, addr, &now, size);
    if (now == v)
        return true;
    now = 0;
    (void)ref_mem_read(j->coherence, addr, &now, size);
    if (now == v)
        return true;
    uint64_t mask = size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
    uint64_t first = j->versions > VERSIONS ? j->versions - VERSIONS : 0;
    for (uint64_t k = j->versions; k-- > first;) {
        const version_t *o = &j->version[k % VERSIONS];
        if (o->addr == (addr & ~7ull) && (o->old >> (8 * (addr & 7)) & mask) == v)
            return true;
    }
    return false;
}

/* Loads, stores and atomics alike tell their size in bits 13:12. */
static unsigned size_of(const insn_t *i)
{
    return 1u << (i->instr >> 12 & 3);
}

static bool is_atomic(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x2f;
}

static bool is_store(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x23;
}

static bool is_load(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x03;
}

static uint64_t hart_of(unsigned core, unsigned warp, unsigned thread)
{
    return ((uint64_t)core * WARPS + warp) * THREADS + thread;
}

/* ---- the reference's view of memory while it steps ---------------------------------------------------------------- */

static ref_cause check_address(judge_t *j, uint64_t addr)
{
    const insn_t *i = j->in_insn;
    if (i->traced >> j->in_thread & 1 && i->addr[j->in_thread] != addr)
        differ(j, j->core_no, j->warp_no, i, "thread %u accesses 0x%" PRIx64 ", the reference 0x%" PRIx64, j->in_thread,
               i->addr[j->in_thread], addr);
    return REF_FAULT_NONE;
}

static ref_cause bus_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    judge_t *j = user;
    (void)size;
    *value = j->in_insn->seen[j->in_thread];
    return check_address(j, addr);
}

static ref_cause bus_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    judge_t *j = user;
    const insn_t *i = j->in_insn;
    uint64_t mask = size == 8 ? ~0ull : (1ull << (8 * size)) - 1, data = i->data[j->in_thread] & mask;
    if (data != (value & mask))
        differ(j, j->core_no, j->warp_no, i, "thread %u stores 0x%" PRIx64 ", the reference 0x%" PRIx64, j->in_thread, data, value & mask);
    return check_address(j, addr);
}

static ref_cause bus_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare, uint64_t *old)
{
    judge_t *j = user;
    (void)op, (void)size, (void)operand, (void)compare;
    unsigned h = j->warp_no * THREADS + j->in_thread;
    if (in_spad(addr)) {
        *old = j->in_insn->seen[j->in_thread];
    } else {
        performed_t *p = &j->in_core->performed[h][j->in_core->got[h]++ % HELD];
        if (!p->full)
            differ(j, j->core_no, j->warp_no, j->in_insn, "the atomic of thread %u was never performed in memory", j->in_thread);
        else if (p->addr != addr)
            differ(j, j->core_no, j->warp_no, j->in_insn, "thread %u's atomic was performed at 0x%" PRIx64 ", the reference's is at 0x%" PRIx64,
                   j->in_thread, p->addr, addr);
        *old = p->old;
        p->full = false;
    }
    return check_address(j, addr);
}

/* The window and alignment are checked here as docs/isa.md says, since the callbacks above know only what happened. */
static ref_cause bus_fetch(void *user, uint64_t pc, uint32_t *insn)
{
    judge_t *j = user;
    (void)pc;
    *insn = j->in_insn->instr;
    return REF_FAULT_NONE;
}

/* ---- stepping ----------------------------------------------------------------------------------------------------- */

static void compare(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    if (i->result[t] == i->value[t])
        return;
    /* A load may race with another core: then any value the word has held will do, and the reference goes on with it. */
    if (is_load(i) && !in_spad(i->addr[t])) {
        unsigned size = size_of(i);
        uint64_t raw = size == 8 ? i->result[t] : i->result[t] & ((1ull << (8 * size)) - 1);
        if (once_held(j, i->addr[t], size, raw)) {
            j->races++;
            ref_thread_set_reg(thread_of(j, w, t), i->rd, i->result[t]);
            return;
        }
    }
    differ(j, core, warp, i, "thread %u writes x%u = 0x%" PRIx64 ", the reference 0x%" PRIx64, t, i->rd, i->result[t], i->value[t]);
}

static void finish(insn_t *i)
{
    if (i->stepped && (i->written & i->expected) == i->expected)
        i->used = false;
}

/* Threads of a JALR that this issue takes along: those with the leader's target (docs/blocks/core.md). */
static uint64_t jalr_threads(judge_t *j, warp_state_t *w, const insn_t *i)
{
    unsigned rs1 = i->instr >> 15 & 31;
    uint64_t leader = ref_thread_reg(thread_of(j, w, (unsigned)__builtin_ctzll(i->tmask)), rs1), go = 0;
    uint64_t imm = (uint64_t)isa_imm(i->instr, OP_JALR);
    for (uint64_t m = i->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        uint64_t target = ref_thread_reg(thread_of(j, w, t), rs1) + imm;
        if (((target ^ (leader + imm)) & REF_PC_MASK & ~1ull) == 0)
            go |= 1ull << t;
    }
    return go;
}

static void step(judge_t *j, unsigned core, unsigned warp, insn_t *i)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[warp];
    ref_bus bus = {.user = j, .fetch = bus_fetch, .load = bus_load, .store = bus_store, .amo = bus_amo};
    ref_insn d;
    ref_decode(i->instr, &d);
    j->in_core = c;
    j->in_warp = w;
    j->in_insn = i;
    j->core_no = core;
    j->warp_no = warp;
    i->stepped = true;
    uint64_t go = i->op == OP_JALR ? jalr_threads(j, w, i) : i->tmask;
    bool barrier = false;
    for (uint64_t m = go; m && !j->verdict; m &= m - 1) {
        unsigned t = j->in_thread = (unsigned)__builtin_ctzll(m);
        ref_thread *th = thread_of(j, w, t);
        if (!(w->live >> t & 1) || ref_thread_pc(th) != i->pc) {
            differ(j, core, warp, i, "thread %u is %s, the reference has it at 0x%" PRIx64, t,
                   w->live >> t & 1 ? "executed here" : "executed after its end", ref_thread_pc(th));
            return;
        }
        ref_step s;
        ref_thread_exec(th, &d, &bus, &s);
        if (j->verdict)
            return;
        switch (s.event) {
        case REF_EV_FAULT:
            differ(j, core, warp, i, "thread %u faults in the reference (cause %d, value 0x%" PRIx64 "), the machine goes on", t, (int)s.cause,
                   s.fault_value);
            return;
        case REF_EV_EXIT: w->live &= ~(1ull << t); break;
        case REF_EV_BARRIER: barrier = true; break;
        default: break;
        }
        i->value[t] = s.value;
        if (s.rd)
            i->expected |= 1ull << t;
        if (s.rd && i->written >> t & 1)
            compare(j, core, warp, w, i, t);
    }
    if (barrier) {
        group_state_t *g = &c->group[w->slot];
        if (i->tmask != w->live)
            differ(j, core, warp, i, "a barrier that not all live threads of the warp reach");
        w->waiting = true;
        if (++g->arrived == g->warps) {
            g->arrived = 0;
            for (unsigned k = 0; k < WARPS; k++)
                if (c->warp[k].active && c->warp[k].slot == w->slot)
                    c->warp[k].waiting = false;
        }
    }
    if (i->written & ~i->expected)
        differ(j, core, warp, i, "a result is written that the reference does not write (threads 0x%" PRIx64 ")", i->written & ~i->expected);
    finish(i);
}

static bool ready(const insn_t *i)
{
    if (i->pipe != PIPE_LSU || (!is_load(i) && !is_store(i) && !is_atomic(i)))
        return true;
    return i->traced == i->tmask && (!is_atomic(i) || i->last_seen);
}

static void advance(judge_t *j, unsigned core, unsigned warp)
{
    warp_state_t *w = &j->core[core].warp[warp];
    while (!j->verdict && w->head != w->tail && ready(&w->ring[w->head]))
        step(j, core, warp, &w->ring[w->head++]);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

static void on_start(judge_t *j, unsigned core, const start_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    group_state_t *g = &c->group[s->slot];
    unsigned char *threads = w->threads;
    if (w->active && w->live)
        differ(j, core, s->warp, NULL, "a warp begins in a slot whose threads 0x%" PRIx64 " have not ended", w->live);
    if (g->started == g->warps) { /* the first warp of a new workgroup */
        *g = (group_state_t){.warps = s->group_warps};
    }
    unsigned first = g->started++ * THREADS;
    memset(w, 0, sizeof *w);
    w->threads = threads;
    w->active = true;
    w->live = s->tmask;
    w->slot = s->slot;
    w->spad_base = s->spad_base;
    const uint32_t *local = j->launch.local;
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned linear = first + t;
        if ((s->tmask >> t & 1) != (linear < j->launch.group_threads))
            differ(j, core, s->warp, NULL, "a warp begins with threads 0x%" PRIx64, (uint64_t)s->tmask);
        ref_ident id = {
            .lid = {linear % local[0], linear / local[0] % local[1], linear / local[0] / local[1]},
            .gbase = {s->gbase[0], s->gbase[1], s->gbase[2]},
            .grp = {s->grp[0], s->grp[1], s->grp[2]},
            .arg = j->launch.arg,
            .lane = t % LANES,
            .thread = t,
            .warp = s->warp,
            .core = core,
            .hartid = (uint32_t)hart_of(core, s->warp, t),
        };
        id.sp = j->launch.stack_base + ((uint64_t)(id.hartid + 1) << j->launch.stack_log2);
        ref_thread_init(thread_of(j, w, t), j->launch.entry, &id);
    }
    for (unsigned d = 0; d < 3; d++)
        if (s->grp[d] >= j->launch.groups[d] || s->gbase[d] != j->launch.offset[d] + s->grp[d] * local[d])
            differ(j, core, s->warp, NULL, "workgroup %u,%u,%u with base %u in dimension %u", s->grp[0], s->grp[1], s->grp[2], s->gbase[d], d);
}

static void on_issue(judge_t *j, unsigned core, const issued_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    if (!s->first || s->op == OP_JOIN || s->op == OP_ILLEGAL)
        return;
    insn_t *i = &w->ring[s->seq];
    if (!w->active || w->waiting || s->seq != w->tail || i->used) {
        insn_t now = {.instr = s->instr, .pc = s->pc, .cycle = j->cycle};
        differ(j, core, s->warp, &now, !w->active ? "issued by a warp that has not begun" : w->waiting ? "issued before its barrier is passed"
               : "sequence number %u, expected %u", s->seq, w->tail);
        return;
    }
    memset(i, 0, sizeof *i);
    *i = (insn_t){.used = true, .pipe = s->pipe, .op = s->op, .rd = s->rd_we ? s->instr >> 7 & 31 : 0, .instr = s->instr, .pc = s->pc,
                  .cycle = j->cycle, .tmask = s->tmask};
    w->tail++;
    uint32_t word = 0;
    if (ref_mem_read(j->order, s->pc, &word, 4) || word != s->instr)
        differ(j, core, s->warp, i, "memory holds 0x%08x there", word);
    else if (s->op != isa_op(word))
        differ(j, core, s->warp, i, "decoded as operation %u", s->op);
    else if (!s->tmask)
        differ(j, core, s->warp, i, "issued for no thread");
    advance(j, core, s->warp);
}

/* A scratchpad atomic, in the order of the LSU. The compare value of AMOCAS is the reference's: everything older has been stepped. */
static uint64_t spad_atomic(judge_t *j, core_state_t *c, unsigned core, unsigned warp, const insn_t *i, unsigned t)
{
    warp_state_t *w = &c->warp[warp];
    unsigned size = size_of(i);
    uint64_t addr = i->addr[t], where = (w->spad_base + (addr - REF_SPAD_BASE)) / 8, hart = hart_of(core, warp, t);
    uint64_t old = load_order(j, c, w, addr, size);
    if (i->op == OP_LR_W || i->op == OP_LR_D) {
        c->spad_hold = (reservation_t){true, hart, where};
        return old;
    }
    if (i->op == OP_SC_W || i->op == OP_SC_D) {
        bool ok = c->spad_hold.valid && c->spad_hold.hart == hart && c->spad_hold.where == where;
        if (ok)
            store_order(j, c, w, addr, size, i->data[t]);
        return !ok;
    }
    uint64_t cmp = ref_thread_reg(thread_of(j, w, t), i->instr >> 7 & 31);
    if (size == 4)
        cmp = (uint32_t)cmp;
    bool cas = i->op == OP_AMOCAS_W || i->op == OP_AMOCAS_D;
    if (!cas || cmp == old)
        store_order(j, c, w, addr, size, ref_amo_result(i->op, old, i->data[t], cmp));
    return old;
}

static void on_mem(judge_t *j, unsigned core, const memtrace_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    insn_t *i = &w->ring[s->seq];
    if (!i->used || i->stepped || i->pipe != PIPE_LSU) {
        differ(j, core, s->warp, NULL, "a memory access of instruction %u, which was not issued", s->seq);
        return;
    }
    if (is_atomic(i))
        advance(j, core, s->warp);
    for (unsigned l = 0; l < LANES; l++) {
        unsigned t = s->beat * LANES + l;
        if (!(s->mask >> l & 1))
            continue;
        if (!(i->tmask >> t & 1) || i->traced >> t & 1)
            differ(j, core, s->warp, i, "thread %u accesses memory %s", t, i->traced >> t & 1 ? "twice" : "but is not active");
        i->traced |= 1ull << t;
        i->addr[t] = s->addr[l];
        i->data[t] = s->data[l];
        if (is_store(i))
            store_order(j, c, w, i->addr[t], size_of(i), i->data[t]);
        else if (is_load(i))
            i->seen[t] = load_order(j, c, w, i->addr[t], size_of(i));
        else if (is_atomic(i) && in_spad(i->addr[t]))
            i->seen[t] = spad_atomic(j, c, core, s->warp, i, t);
    }
    advance(j, core, s->warp);
}

static void on_wb(judge_t *j, unsigned core, const wb_t *s)
{
    const result_t *r = &s->res;
    warp_state_t *w = &j->core[core].warp[r->warp];
    insn_t *i = &w->ring[r->seq];
    if (!i->used) {
        /* A record without rd may follow the end of what matters (bookkeeping). */
        if (r->rd)
            differ(j, core, r->warp, NULL, "a result for instruction %u, which is not in flight", r->seq);
        return;
    }
    if (r->rd) {
        if (r->rd != i->rd)
            differ(j, core, r->warp, i, "x%u is written, not x%u", r->rd, i->rd);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned t = r->beat * LANES + l;
            if (!(r->mask >> l & 1))
                continue;
            if (!(i->tmask >> t & 1) || i->written >> t & 1)
                differ(j, core, r->warp, i, "thread %u's result is written %s", t, i->written >> t & 1 ? "twice" : "though it is not active");
            i->written |= 1ull << t;
            i->result[t] = r->data[l];
            if (i->stepped && !(i->expected >> t & 1))
                differ(j, core, r->warp, i, "thread %u writes a result, the reference does not", t);
            else if (i->stepped)
                compare(j, core, r->warp, w, i, t);
        }
    }
    i->last_seen |= r->last;
    advance(j, core, r->warp);
    if (i->stepped)
        finish(i);
}

/* A request that the memory side performs now, cores in ascending order. */
static void on_request(judge_t *j, unsigned core, const mem_req_t *q)
{
    uint64_t line = q->line << 7;
    if (q->op == MEM_READ)
        return;
    if (q->op == MEM_WRITE) {
        const uint8_t *data = (const uint8_t *)q->data.w;
        for (unsigned k = 0; k < LINE_BYTES; k++)
            if (q->be.w[k / 64] >> (k % 64) & 1)
                (void)ref_mem_write(j->coherence, line + k, &data[k], 1);
    } else {
        uint64_t addr = line + q->amo_off, old = 0, operand = q->data.w[0], cmp = q->data.w[1], value = operand;
        unsigned size = q->amo_dword ? 8 : 4;
        uint64_t mask = size == 8 ? ~0ull : 0xffffffffull;
        unsigned local = (unsigned)(q->hart - hart_of(core, 0, 0));
        core_state_t *c = &j->core[core];
        static const int as_op[] = {OP_AMOSWAP_D, OP_AMOADD_D, OP_AMOXOR_D, OP_AMOAND_D, OP_AMOOR_D, OP_AMOMIN_D, OP_AMOMAX_D,
                                    OP_AMOMINU_D, OP_AMOMAXU_D};
        static const int as_op_w[] = {OP_AMOSWAP_W, OP_AMOADD_W, OP_AMOXOR_W, OP_AMOAND_W, OP_AMOOR_W, OP_AMOMIN_W, OP_AMOMAX_W,
                                      OP_AMOMINU_W, OP_AMOMAXU_W};
        bool store = true;
        if (local >= WARPS * THREADS) {
            differ(j, core, 0, NULL, "an atomic in the name of hart %u", q->hart);
            return;
        }
        (void)ref_mem_read(j->coherence, addr, &old, size);
        uint64_t answer = old;
        if (q->amo == AMO_LR) {
            c->hold = (reservation_t){true, q->hart, q->line};
            store = false;
        } else if (q->amo == AMO_SC) {
            store = c->hold.valid && c->hold.hart == q->hart && c->hold.where == q->line;
            answer = !store;
        } else if (q->amo == AMO_CAS) {
            store = old == (cmp & mask);
        } else {
            value = ref_amo_result(size == 8 ? as_op[q->amo] : as_op_w[q->amo], old, operand & mask, 0);
        }
        if (store) {
            version_t *o = &j->version[j->versions++ % VERSIONS];
            o->addr = addr & ~7ull;
            (void)ref_mem_read(j->order, o->addr, &o->old, 8);
            (void)ref_mem_write(j->coherence, addr, &value, size);
            (void)ref_mem_write(j->order, addr, &value, size);
        }
        performed_t *p = &c->performed[local][c->put[local]++ % HELD];
        *p = (performed_t){.addr = addr, .old = answer, .full = true};
        if (!store)
            return;
    }
    for (unsigned c = 0; c < CORES; c++)
        if (j->core[c].hold.where == q->line)
            j->core[c].hold.valid = false;
}

int judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *o, const vellum_in_t *in, vl_error *err)
{
    j->cycle = cycle;
    j->err = err;
    for (unsigned c = 0; c < CORES && !j->verdict; c++) {
        if ((uint64_t)o->mem_req_valid >> c & 1 && (uint64_t)in->mem_req_ready >> c & 1)
            on_request(j, c, &o->mem_req[c]);
        if ((uint64_t)o->trace_mem_valid >> c & 1)
            on_mem(j, c, &o->trace_mem[c]);
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            on_wb(j, c, &o->trace_wb[c]);
        if ((uint64_t)o->trace_start_valid >> c & 1)
            on_start(j, c, &o->trace_start[c]);
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            on_issue(j, c, &o->trace_issue[c]);
    }
    return j->verdict;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

judge_t *judge_new(void)
{
    judge_t *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->thread_size = ref_thread_size();
    j->version = calloc(VERSIONS, sizeof *j->version);
    j->core = calloc(CORES, sizeof *j->core);
    bool ok = j->version && j->core;
    for (unsigned c = 0; ok && c < CORES; c++)
        for (unsigned w = 0; ok && w < WARPS; w++)
            ok = (j->core[c].warp[w].threads = calloc(THREADS, j->thread_size)) != NULL;
    if (!ok) {
        judge_free(j);
        return NULL;
    }
    return j;
}

void judge_free(judge_t *j)
{
    if (!j)
        return;
    for (unsigned c = 0; j->core && c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++)
            free(j->core[c].warp[w].threads);
    ref_mem_free(j->order);
    ref_mem_free(j->coherence);
    free(j->version);
    free(j->core);
    free(j);
}

int judge_window(judge_t *j, uint64_t base, uint64_t limit)
{
    j->order = ref_mem_new(base, limit);
    j->coherence = ref_mem_new(base, limit);
    return j->order && j->coherence ? 0 : VL_ENOMEM;
}

void judge_write(judge_t *j, uint64_t addr, const void *data, uint64_t bytes)
{
    (void)ref_mem_write(j->order, addr, data, bytes);
    (void)ref_mem_write(j->coherence, addr, data, bytes);
}

void judge_fill(judge_t *j, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    (void)ref_mem_fill(j->order, addr, byte, bytes);
    (void)ref_mem_fill(j->coherence, addr, byte, bytes);
}

int judge_begin(judge_t *j, const vl_backend_launch *l, vl_error *err)
{
    (void)err;
    j->launch = *l;
    j->verdict = 0;
    j->versions = 0;
    for (unsigned c = 0; c < CORES; c++) {
        core_state_t *s = &j->core[c];
        for (unsigned w = 0; w < WARPS; w++) {
            unsigned char *threads = s->warp[w].threads;
            memset(&s->warp[w], 0, sizeof s->warp[w]);
            s->warp[w].threads = threads;
        }
        memset(s->group, 0, sizeof s->group);
        memset(s->performed, 0, sizeof s->performed);
        memset(s->put, 0, sizeof s->put);
        memset(s->got, 0, sizeof s->got);
        s->hold.valid = s->spad_hold.valid = false;
    }
    return 0;
}

int judge_end(judge_t *j, vl_error *err)
{
    j->err = err;
    for (unsigned c = 0; c < CORES && !j->verdict; c++)
        for (unsigned w = 0; w < WARPS && !j->verdict; w++) {
            warp_state_t *s = &j->core[c].warp[w];
            if (!s->active)
                continue;
            if (s->live)
                differ(j, c, w, NULL, "the kernel has ended, but threads 0x%" PRIx64 " have not", s->live);
            for (unsigned k = 0; k < RING && !j->verdict; k++)
                if (s->ring[k].used)
                    differ(j, c, w, &s->ring[k], "the kernel has ended, but this instruction is not complete (%s, results of threads 0x%" PRIx64 ")",
                           s->ring[k].stepped ? "stepped" : "not stepped", s->ring[k].written);
        }
    return j->verdict;
}

int judge_fault(judge_t *j, const vl_fault *f, vl_error *err)
{
    j->err = err;
    if (f->core >= CORES || f->warp >= WARPS || !f->mask)
        return differ(j, 0, 0, NULL, "a fault of core %u, warp %u, threads 0x%" PRIx64, f->core, f->warp, f->mask);
    warp_state_t *w = &j->core[f->core].warp[f->warp];
    unsigned t = (unsigned)__builtin_ctzll(f->mask);
    if (f->cause == VL_FAULT_SIMT_OVERFLOW || f->cause == VL_FAULT_BARRIER)
        return 0; /* no matter of one thread */
    if (!w->active || ref_thread_pc(thread_of(j, w, t)) != f->pc)
        return differ(j, f->core, f->warp, NULL, "thread %u faults at 0x%" PRIx64 ", the reference has it at 0x%" PRIx64, t, f->pc,
                      ref_thread_pc(thread_of(j, w, t)));
    ref_bus_state s = {.mem = j->order, .spad = j->core[f->core].spad + w->spad_base, .spad_bytes = j->launch.spad_bytes,
                       .hart = (uint32_t)hart_of(f->core, f->warp, t)};
    ref_bus bus = ref_mem_bus(&s);
    ref_step st;
    ref_thread_step(thread_of(j, w, t), &bus, &st);
    if (st.event != REF_EV_FAULT || (uint32_t)st.cause != f->cause || st.fault_value != f->value)
        return differ(j, f->core, f->warp, NULL, "fault %u (value 0x%" PRIx64 ") at 0x%" PRIx64 ", the reference says %d (0x%" PRIx64 ")", f->cause,
                      f->value, f->pc, st.event == REF_EV_FAULT ? (int)st.cause : 0, st.event == REF_EV_FAULT ? st.fault_value : 0);
    return 0;
}

uint64_t judge_races(const judge_t *j)
{
    return j->races;
}
