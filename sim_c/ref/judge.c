/* See judge.h: instructions, threads, workgroups. What memory may hold is in judge_memory.c. */
#include "sim_c/ref/judge_state.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUCK = 20000 }; /* cycles without any event that a running kernel never needs */
enum { R_CMD = 0x008, R_SLOT = 0x1000, CMD_RESET = 2 }; /* docs/blocks/ctrl.md: the cores of a kernel are reset */

int judge_differ(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *fmt, ...)
{
    if (j->verdict)
        return j->verdict;
    va_list ap;
    char what[512], text[96] = "";
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (i) {
        isa_disasm(i->instr, i->pc, text, sizeof text);
        for (char *p = text; *p; p++)
            if (*p == '\t')
                *p = ' ';
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u, warp %u, pc 0x%" PRIx64 " (%s, issued in cycle %" PRIu64 "): %s",
                 j->cycle, core, warp, i->pc, text, i->cycle, what);
    } else if (core == CORES) {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", host port: %s", j->cycle, what);
    } else if (warp == WARPS) {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u: %s", j->cycle, core, what);
    } else {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u, warp %u: %s", j->cycle, core, warp, what);
    }
    return j->verdict = VL_EDIFF;
}

void *judge_room(judge_t *j, void *at, unsigned n, unsigned *room, size_t size)
{
    if (n < *room)
        return at;
    unsigned more = *room ? 2 * *room : 64;
    void *to = realloc(at, more * size);
    if (to)
        *room = more;
    else
        judge_differ(j, 0, 0, NULL, "the judge has no memory left");
    return to;
}

/* ---- the reference's view of memory while it steps ---------------------------------------------------------------- */

/* The address of the access that is being stepped: is it there, and is it the machine's? */
static bool reach(judge_t *j, uint64_t addr)
{
    const insn_t *i = j->in_insn;
    if (!judge_reachable(j, j->core_no, addr))
        return false;
    if (i->traced >> j->in_thread & 1 && i->addr[j->in_thread] != addr)
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u accesses 0x%" PRIx64 ", the reference 0x%" PRIx64, j->in_thread,
                     i->addr[j->in_thread], addr);
    return true;
}

static ref_cause bus_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    judge_t *j = user;
    (void)size;
    *value = j->in_insn->seen[j->in_thread];
    return reach(j, addr) ? REF_FAULT_NONE : REF_FAULT_LOAD_ACCESS;
}

static ref_cause bus_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    judge_t *j = user;
    const insn_t *i = j->in_insn;
    if (!reach(j, addr))
        return REF_FAULT_STORE_ACCESS;
    uint64_t mask = size_mask(size), data = i->data[j->in_thread] & mask;
    if (data != (value & mask))
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u stores 0x%" PRIx64 ", the reference 0x%" PRIx64, j->in_thread, data, value & mask);
    return REF_FAULT_NONE;
}

static ref_cause bus_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare, uint64_t *old)
{
    judge_t *j = user;
    insn_t *i = j->in_insn;
    unsigned t = j->in_thread;
    uint64_t mask = size_mask(size);
    bool lr = op == OP_LR_W || op == OP_LR_D, cas = op == OP_AMOCAS_W || op == OP_AMOCAS_D;
    if (!reach(j, addr))
        return lr ? REF_FAULT_LOAD_ACCESS : REF_FAULT_STORE_ACCESS;
    if (!in_spad(addr) && !(i->performed >> t & 1))
        judge_differ(j, j->core_no, j->warp_no, i, "the atomic of thread %u was never performed in memory", t);
    if (!lr && ((i->data[t] ^ operand) & mask))
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u's operand is 0x%" PRIx64 ", the reference's 0x%" PRIx64, t, i->data[t], operand);
    if (cas && (i->compared[t] ^ compare) & mask)
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u compares with 0x%" PRIx64 ", the reference with 0x%" PRIx64, t, i->compared[t], compare);
    *old = i->seen[t];
    if (!in_spad(addr) && i->instr >> 26 & 1 && i->performed_at > j->in_warp->since) /* aq: what was there before is forgotten */
        j->in_warp->since = i->performed_at;
    return REF_FAULT_NONE;
}

/* ---- stepping ----------------------------------------------------------------------------------------------------- */

static void compare(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    if (i->result[t] == i->value[t])
        return;
    /* A load may race with another core; then the reference goes on with what the machine has. */
    if (is_load(i) && !in_spad(i->addr[t])) {
        unsigned size = size_of(i);
        uint64_t raw = i->result[t] & size_mask(size), sign = size_mask(size) & ~(size_mask(size) >> 1);
        uint64_t extended = i->instr >> 14 & 1 || !(raw & sign) ? raw : raw | ~size_mask(size);
        if (i->result[t] == extended && judge_load_legal(j, core, i, t, raw)) {
            ref_thread_set_reg(judge_thread(j, w, t), i->rd, i->result[t]);
            return;
        }
    }
    judge_differ(j, core, warp, i, "thread %u writes x%u = 0x%" PRIx64 ", the reference 0x%" PRIx64, t, i->rd, i->result[t], i->value[t]);
}

static void finish(insn_t *i)
{
    if (i->stepped && !i->faulted && (i->written & i->expected) == i->expected)
        i->used = false;
}

/* Threads of a JALR that this issue takes along: those with the leader's rs1, bit 0 apart if the offset is even (docs/blocks/core.md). */
static uint64_t jalr_threads(judge_t *j, warp_state_t *w, const insn_t *i)
{
    unsigned rs1 = i->instr >> 15 & 31;
    uint64_t leader = ref_thread_reg(judge_thread(j, w, (unsigned)__builtin_ctzll(i->tmask)), rs1), go = 0;
    uint64_t bits = REF_PC_MASK & ~(uint64_t)!((uint64_t)isa_imm(i->instr, OP_JALR) & 1);
    for (uint64_t m = i->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        if (((ref_thread_reg(judge_thread(j, w, t), rs1) ^ leader) & bits) == 0)
            go |= 1ull << t;
    }
    return go;
}

/* The machine must report this fault, or that of another warp. Nothing more of the warp counts. */
static void expect_fault(warp_state_t *w, uint32_t cause, uint64_t pc, uint64_t value, uint64_t mask)
{
    w->fault = true;
    w->expected = (vl_fault){.cause = cause, .pc = pc, .value = value, .mask = mask};
}

/* Barriers and ends are taken up when they issue; stores before them may still be on their way through the LSU. Those before a barrier must go first
 * (judge_barrier_kept). */
static void reach_barrier(core_state_t *c, warp_state_t *w, insn_t *i)
{
    group_state_t *g = &c->group[w->slot];
    if (w->running != w->began || (w->early && w->early_pc != i->pc)) { /* some of the warp have ended or are at another barrier */
        expect_fault(w, VL_FAULT_BARRIER, i->pc, 0, i->tmask);
        return;
    }
    if (w->early || i->tmask != w->running) {
        i->early = true;
        w->early |= i->tmask;
        w->early_pc = i->pc;
        if (w->early == w->running)
            w->early = 0;
        return;
    }
    w->waiting = true;
    w->wait_pc = i->pc;
    w->wait_mask = i->tmask;
    if (++g->arrived < g->warps)
        return;
    g->arrived = 0;
    g->barrier = i->number;
    g->crossed = false;
    for (unsigned k = 0; k < WARPS; k++)
        if (c->warp[k].active && c->warp[k].slot == w->slot)
            c->warp[k].waiting = false;
}

static void reach_exit(core_state_t *c, warp_state_t *w, const insn_t *i)
{
    if (w->early) { /* these threads will never come to that barrier */
        expect_fault(w, VL_FAULT_BARRIER, w->early_pc, 0, w->early);
        return;
    }
    w->running &= ~i->tmask;
    if (!w->running)
        c->group[w->slot].ended++;
}

static void step(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i)
{
    core_state_t *c = &j->core[core];
    ref_bus bus = {.user = j, .load = bus_load, .store = bus_store, .amo = bus_amo};
    ref_insn d;
    ref_decode(i->instr, &d);
    j->in_core = c;
    j->in_warp = w;
    j->in_insn = i;
    j->core_no = core;
    j->warp_no = warp;
    i->stepped = true;
    uint64_t go = i->op == OP_JALR ? jalr_threads(j, w, i) : i->tmask, faulted = 0, exits = 0;
    ref_step fault = {0};
    for (uint64_t m = go; m && !j->verdict; m &= m - 1) {
        unsigned t = j->in_thread = (unsigned)__builtin_ctzll(m);
        ref_thread *th = judge_thread(j, w, t);
        if (!(w->live >> t & 1) || ref_thread_pc(th) != i->pc) {
            judge_differ(j, core, warp, i, "thread %u is %s, the reference has it at 0x%" PRIx64, t,
                         w->live >> t & 1 ? "executed here" : "executed after its end", ref_thread_pc(th));
            return;
        }
        if (i->early)
            continue;
        ref_step s;
        ref_thread_exec(th, &d, &bus, &s);
        if (j->verdict)
            return;
        if (s.event == REF_EV_FAULT) {
            if (!faulted)
                fault = s;
            faulted |= 1ull << t;
            continue;
        }
        if (s.event == REF_EV_EXIT)
            exits |= 1ull << t;
        i->value[t] = s.value;
        if (s.rd)
            i->expected |= 1ull << t;
        if (s.rd && i->written >> t & 1)
            compare(j, core, warp, w, i, t);
    }
    if (faulted) {
        i->faulted = true;
        if (i->pipe == PIPE_LSU) /* its addresses were let go */
            judge_differ(j, core, warp, i, "thread %u faults in the reference (cause %d, value 0x%" PRIx64 "), the machine goes on",
                         (unsigned)__builtin_ctzll(faulted), (int)fault.cause, fault.fault_value);
        else
            expect_fault(w, (uint32_t)fault.cause, i->pc, fault.fault_value, faulted);
    }
    w->live &= ~exits;
    if (is_fence(i) && i->begin > w->since)
        w->since = i->begin;
    if (is_atomic(i) && i->instr >> 25 & 1 && i->begin > w->since) /* rl: as a fence before it */
        w->since = i->begin;
    if (i->written & ~i->expected)
        judge_differ(j, core, warp, i, "a result is written that the reference does not write (threads 0x%" PRIx64 ")", i->written & ~i->expected);
    finish(i);
}

static bool ready(const insn_t *i)
{
    if (is_fence(i))
        return i->last_seen;
    if (i->pipe != PIPE_LSU || (!is_load(i) && !is_store(i) && !is_atomic(i)))
        return true;
    return i->gone == i->tmask && (!is_atomic(i) || i->last_seen);
}

static void advance(judge_t *j, unsigned core, unsigned warp, warp_state_t *w)
{
    while (!j->verdict && !w->fault && w->head != w->tail && ready(&w->ring[w->head]))
        step(j, core, warp, w, &w->ring[w->head++]);
}

/* ---- warps that have ended, but whose last stores the LSU still holds ------------------------------------------------ */

static void drop_ghost(core_state_t *c, unsigned warp)
{
    if (c->ghost[warp])
        free(c->ghost[warp]->threads);
    free(c->ghost[warp]);
    c->ghost[warp] = NULL;
}

/* Another warp begins in this slot: what is left of the old one lives on by itself. */
static void make_ghost(judge_t *j, unsigned core, unsigned warp)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[warp], *g;
    if (w->running || c->ghost[warp]) {
        judge_differ(j, core, warp, NULL, "a warp begins in a slot whose threads 0x%" PRIx64 " have not ended", w->running ? w->running : c->ghost[warp]->live);
        return;
    }
    for (uint8_t k = w->head; k != w->tail; k++)
        if (w->ring[k].pipe == PIPE_LSU && !is_store(&w->ring[k]))
            judge_differ(j, core, warp, &w->ring[k], "the warp has ended, but this instruction is not complete");
    unsigned char *threads = calloc(THREADS, j->thread_size);
    g = calloc(1, sizeof *g);
    if (!g || !threads) {
        judge_differ(j, core, warp, NULL, "the judge has no memory left");
        free(g);
        free(threads);
        return;
    }
    *g = (warp_state_t){.active = true, .live = w->live, .slot = w->slot, .spad_base = w->spad_base, .head = w->head, .tail = w->tail, .since = w->since,
                        .threads = w->threads};
    for (uint8_t k = w->head; k != w->tail; k++)
        g->ring[k] = w->ring[k];
    w->threads = threads;
    c->ghost[warp] = g;
}

static void settle_ghost(judge_t *j, unsigned core, unsigned warp)
{
    warp_state_t *g = j->core[core].ghost[warp];
    if (g->head != g->tail)
        return;
    if (g->live)
        judge_differ(j, core, warp, NULL, "a warp has ended, but its threads 0x%" PRIx64 " have not", g->live);
    drop_ghost(&j->core[core], warp);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

/* The first warp of a workgroup: each workgroup once, and its scratchpad its own. */
static void group_begins(judge_t *j, unsigned core, const start_t *s)
{
    core_state_t *c = &j->core[core];
    kernel_state_t *k = &j->kernel[j->kernel_of[core] % KERNELS];
    const uint32_t *n = k->launch.groups;
    uint64_t number = s->grp[0] + n[0] * (s->grp[1] + (uint64_t)n[1] * s->grp[2]);
    uint32_t bytes = k->launch.spad_bytes;
    if (j->kernel_of[core] == KERNELS)
        judge_differ(j, core, s->warp, NULL, "a workgroup begins in a core that no kernel has");
    for (unsigned d = 0; d < 3; d++)
        if (s->grp[d] >= n[d]) {
            judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u begins, which does not exist", s->grp[0], s->grp[1], s->grp[2]);
            return;
        }
    if (k->group_seen && k->group_seen[number / 8] >> (number % 8) & 1)
        judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u begins a second time", s->grp[0], s->grp[1], s->grp[2]);
    if (k->group_seen)
        k->group_seen[number / 8] |= (uint8_t)(1 << (number % 8));
    k->groups_started++;
    if (s->group_warps != k->launch.group_warps)
        judge_differ(j, core, s->warp, NULL, "a workgroup of %u warps begins, it should have %u", s->group_warps, k->launch.group_warps);
    if (bytes && s->spad_base + bytes > SPAD_BYTES)
        judge_differ(j, core, s->warp, NULL, "a workgroup's scratchpad begins at %u and has %u bytes", s->spad_base, bytes);
    for (unsigned w = 0; bytes && w < WARPS; w++) {
        const warp_state_t *o = &c->warp[w];
        if (w != s->warp && o->active && o->running && o->slot != s->slot && o->spad_base < s->spad_base + bytes && s->spad_base < o->spad_base + bytes)
            judge_differ(j, core, s->warp, NULL, "its workgroup's scratchpad (from %u on) overlaps that of warp %u (from %u on)", s->spad_base, w,
                         o->spad_base);
    }
}

static void on_start(judge_t *j, unsigned core, const start_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    group_state_t *g = &c->group[s->slot];
    for (unsigned k = 0; k < RING && w->active; k++)
        if (w->ring[k].used && w->ring[k].stepped)
            judge_differ(j, core, s->warp, &w->ring[k], "the warp has ended, but this instruction is not complete (results of threads 0x%" PRIx64 ")",
                         w->ring[k].written);
    if (w->active && w->head != w->tail)
        make_ghost(j, core, s->warp);
    else if (w->active && w->live)
        judge_differ(j, core, s->warp, NULL, "a warp begins in a slot whose threads 0x%" PRIx64 " have not ended", w->live);
    unsigned char *threads = w->threads;
    if (g->started == g->warps) { /* the first warp of a new workgroup */
        if (g->ended != g->warps)
            judge_differ(j, core, s->warp, NULL, "a workgroup begins in slot %u, where %u of %u warps have ended", s->slot, g->ended, g->warps);
        *g = (group_state_t){.warps = s->group_warps, .spad_base = s->spad_base, .grp = {s->grp[0], s->grp[1], s->grp[2]}};
        group_begins(j, core, s);
    } else if (memcmp(g->grp, s->grp, sizeof g->grp) || g->spad_base != s->spad_base) {
        judge_differ(j, core, s->warp, NULL, "a warp of workgroup %u,%u,%u (scratchpad from %u on) begins among those of %u,%u,%u (from %u on)",
                     s->grp[0], s->grp[1], s->grp[2], s->spad_base, g->grp[0], g->grp[1], g->grp[2], g->spad_base);
    }
    unsigned first = g->started++ * THREADS;
    memset(w, 0, sizeof *w);
    w->threads = threads;
    w->active = true;
    w->live = w->running = w->began = s->tmask;
    w->slot = s->slot;
    w->spad_base = s->spad_base;
    const vl_backend_launch *l = judge_launch(j, core);
    const uint32_t *local = l->local;
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned linear = first + t;
        if ((s->tmask >> t & 1) != (linear < l->group_threads))
            judge_differ(j, core, s->warp, NULL, "a warp begins with threads 0x%" PRIx64, (uint64_t)s->tmask);
        ref_ident id = {
            .lid = {linear % local[0], linear / local[0] % local[1], linear / local[0] / local[1]},
            .gbase = {s->gbase[0], s->gbase[1], s->gbase[2]},
            .grp = {s->grp[0], s->grp[1], s->grp[2]},
            .arg = l->arg,
            .lane = t % LANES,
            .thread = t,
            .warp = s->warp,
            .core = core,
            .hartid = (uint32_t)hart_of(core, s->warp, t),
        };
        id.sp = l->stack_base + ((uint64_t)(id.hartid + 1) << l->stack_log2);
        ref_thread_init(judge_thread(j, w, t), l->entry, &id);
    }
    for (unsigned d = 0; d < 3; d++)
        if (s->gbase[d] != l->offset[d] + s->grp[d] * local[d])
            judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u with base %u in dimension %u", s->grp[0], s->grp[1], s->grp[2], s->gbase[d], d);
}

/* An instruction that faults where it would issue (illegal, or its pc is nowhere): does the reference think so too? */
static void on_illegal(judge_t *j, unsigned core, const issued_t *s)
{
    warp_state_t *w = &j->core[core].warp[s->warp];
    insn_t now = {.instr = s->instr, .pc = s->pc, .cycle = j->cycle};
    uint32_t word;
    w->illegal_mask = s->tmask;
    bool right = judge_word_legal(j, core, s->pc, s->instr, &word), there = s->pc >= j->base && s->pc < j->limit;
    if (judge_sv48(j, core) && s->fetch_fault) {
        if (!judge_fault_legal(j, core, s->pc, REF_USE_FETCH, s->instr & 1 ? REF_PAGE_FAULT : REF_ACCESS_FAULT, UINT64_MAX, 0))
            judge_differ(j, core, s->warp, &now, "a fetch %s fault where there is a page", s->instr & 1 ? "page" : "access");
        return;
    }
    if (judge_sv48(j, core))
        there = true;
    if (s->fetch_fault == there)
        judge_differ(j, core, s->warp, &now, there ? "a fetch fault inside of memory" : "no fetch fault outside of memory");
    else if (there && (!right || isa_op(s->instr) != OP_ILLEGAL))
        judge_differ(j, core, s->warp, &now, "taken for illegal; memory holds 0x%08x there", word);
}

static void on_issue(judge_t *j, unsigned core, const issued_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    if (!s->first || s->op == OP_JOIN)
        return;
    if (s->op == OP_ILLEGAL) {
        on_illegal(j, core, s);
        return;
    }
    insn_t *i = &w->ring[s->seq];
    if (!w->active || w->waiting || s->seq != w->tail || i->used) {
        insn_t now = {.instr = s->instr, .pc = s->pc, .cycle = j->cycle};
        if (!w->active || w->waiting)
            judge_differ(j, core, s->warp, &now, w->active ? "issued before its barrier is passed" : "issued by a warp that has not begun");
        else if (s->seq != w->tail)
            judge_differ(j, core, s->warp, &now, "sequence number %u, expected %u", s->seq, w->tail);
        else
            judge_differ(j, core, s->warp, i, "not complete when its sequence number %u comes again (results of threads 0x%" PRIx64 ")", s->seq,
                         i->written);
        return;
    }
    memset(i, 0, sizeof *i);
    *i = (insn_t){.used = true, .pipe = s->pipe, .op = s->op, .rd = s->rd_we ? s->instr >> 7 & 31 : 0, .instr = s->instr, .pc = s->pc,
                  .cycle = j->cycle, .tmask = s->tmask, .number = ++j->instructions, .begin = versions_count(j->performed), .before = j->accesses};
    i->went_on[0] = i->begin;
    w->tail++;
    uint32_t word;
    if (!judge_word_legal(j, core, s->pc, s->instr, &word))
        judge_differ(j, core, s->warp, i, "memory holds 0x%08x there", word);
    else if (s->op != isa_op(s->instr))
        judge_differ(j, core, s->warp, i, "decoded as operation %u", s->op);
    else if (!s->tmask)
        judge_differ(j, core, s->warp, i, "issued for no thread");
    if (i->op == OP_VL_BARRIER)
        reach_barrier(c, w, i);
    if (i->op == OP_VL_EXIT)
        reach_exit(c, w, i);
    advance(j, core, s->warp, w);
}

/* What is known of the access by now: its address, and where it has gone. */
static void let_go(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    const uint64_t va = i->addr[t], pa = i->phys[t];
    bool load = is_load(i) || i->op == OP_LR_W || i->op == OP_LR_D;
    if (!in_spad(va) && (((va ^ pa) & 0xfff & ~(uint64_t)(LINE_BYTES - 1)) || !judge_frame_legal(j, core, va, load ? REF_USE_LOAD : REF_USE_STORE, pa >> 12)))
        judge_differ(j, core, warp, i, "thread %u accesses 0x%" PRIx64 " at 0x%" PRIx64 ", which no translation gives", t, va, pa);
    judge_access(j, core, warp, w, i, t);
}

static void on_sent_of(judge_t *j, unsigned core, const sent_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = c->ghost[s->warp] ? c->ghost[s->warp] : &c->warp[s->warp];
    insn_t *i = &w->ring[s->seq];
    if (!i->used || i->stepped || i->pipe != PIPE_LSU) {
        judge_differ(j, core, s->warp, NULL, "threads 0x%" PRIx64 " of instruction %u go to memory, which was not issued", (uint64_t)s->threads, s->seq);
        return;
    }
    for (uint64_t m = s->threads; m && !j->verdict; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        if (!(i->tmask >> t & 1) || i->sent >> t & 1)
            judge_differ(j, core, s->warp, i, "thread %u goes to memory %s", t, i->sent >> t & 1 ? "twice" : "but is not active");
        i->sent |= 1ull << t;
        i->phys[t] |= s->line * LINE_BYTES;
        if (i->traced >> t & 1)
            let_go(j, core, s->warp, w, i, t);
    }
    advance(j, core, s->warp, w);
    if (w == c->ghost[s->warp])
        settle_ghost(j, core, s->warp);
}

static void on_sent(judge_t *j, unsigned core, const sent_t *s)
{
    on_sent_of(j, core, s);
    if (s->with_threads && !j->verdict)
        on_sent_of(j, core, &(sent_t){.warp = s->with_warp, .seq = s->with_seq, .threads = s->with_threads, .line = s->with_line});
}

static void on_mem(judge_t *j, unsigned core, const memtrace_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = c->ghost[s->warp] ? c->ghost[s->warp] : &c->warp[s->warp]; /* the LSU keeps the order */
    insn_t *i = &w->ring[s->seq];
    if (!i->used || i->stepped || i->pipe != PIPE_LSU) {
        judge_differ(j, core, s->warp, NULL, "a memory access of instruction %u, which was not issued", s->seq);
        return;
    }
    for (unsigned l = 0; l < LANES && !j->verdict; l++) {
        unsigned t = s->beat * LANES + l;
        if (!(s->mask >> l & 1))
            continue;
        if (!(i->tmask >> t & 1) || i->traced >> t & 1)
            judge_differ(j, core, s->warp, i, "thread %u accesses memory %s", t, i->traced >> t & 1 ? "twice" : "but is not active");
        i->traced |= 1ull << t;
        i->addr[t] = s->addr[l];
        i->data[t] = s->data[l];
        i->phys[t] |= s->addr[l] % LINE_BYTES;
        if (in_spad(i->addr[t]) || i->sent >> t & 1)
            let_go(j, core, s->warp, w, i, t);
    }
    advance(j, core, s->warp, w);
    if (w == c->ghost[s->warp])
        settle_ghost(j, core, s->warp);
}

static void on_wb(judge_t *j, unsigned core, const wb_t *s)
{
    const result_t *r = &s->res;
    warp_state_t *w = &j->core[core].warp[r->warp];
    insn_t *i = &w->ring[r->seq];
    if (!i->used) {
        /* A record that writes nothing may follow the end of what matters (bookkeeping, a beat without threads). */
        if (r->rd && r->mask)
            judge_differ(j, core, r->warp, NULL, "a result for instruction %u, which is not in flight", r->seq);
        return;
    }
    if (r->rd) {
        if (r->rd != i->rd)
            judge_differ(j, core, r->warp, i, "x%u is written, not x%u", r->rd, i->rd);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned t = r->beat * LANES + l;
            if (!(r->mask >> l & 1))
                continue;
            if (!(i->tmask >> t & 1) || i->written >> t & 1)
                judge_differ(j, core, r->warp, i, "thread %u's result is written %s", t, i->written >> t & 1 ? "twice" : "though it is not active");
            i->written |= 1ull << t;
            i->result[t] = r->data[l];
            if (i->stepped && !(i->expected >> t & 1))
                judge_differ(j, core, r->warp, i, "thread %u writes a result, the reference does not", t);
            else if (i->stepped)
                compare(j, core, r->warp, w, i, t);
        }
    }
    i->last_seen |= r->last;
    if (r->last && is_fence(i)) {
        judge_barrier_kept(j, core, r->warp, w, i);
        judge_earlier_done(j, core, r->warp, i, "is not performed when a later fence is complete");
    }
    advance(j, core, r->warp, w);
    if (i->stepped)
        finish(i);
}

/* Requests and answers other than a walker's: threads that never get what is walked for them have not moved, however much is read. */
static bool memory_moves(const vellum_out_t *o)
{
    enum { WALK = 5 << MEM_IDX_W }; /* of an id: not the L1D's, and not the L1I's */
    for (unsigned c = 0; c < CORES && o->trace_req_valid; c++)
        if ((uint64_t)o->trace_req_valid >> c & 1 && !o->trace_req[c].cls)
            return true;
    for (unsigned s = 0; s < SLICES && o->trace_rsp_valid; s++)
        if ((uint64_t)o->trace_rsp_valid >> s & 1 && (o->trace_rsp[s].src == CORES || (o->trace_rsp[s].rsp.id & WALK) != WALK))
            return true;
    return false;
}

static void check_progress(judge_t *j, const vellum_out_t *o)
{
    if (memory_moves(o) || (uint64_t)o->trace_mem_valid | o->trace_sent_valid | o->trace_wb_valid | o->trace_start_valid | o->trace_issue_valid
        | o->trace_redirect_valid | o->trace_push_valid)
        j->moved = j->cycle;
    if (!o->running || j->cycle - j->moved < STUCK)
        return;
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++) {
            const warp_state_t *s = &j->core[c].warp[w];
            if (!s->active || !s->live)
                continue;
            const insn_t *i = s->head != s->tail ? &s->ring[s->head] : NULL;
            for (unsigned k = 0; !i && k < RING; k++)
                if (s->ring[k].used)
                    i = &s->ring[k];
            judge_differ(j, c, w, i, "nothing has moved for %d cycles; this warp has threads 0x%" PRIx64 "%s", STUCK, s->live,
                         s->waiting ? " waiting at a barrier" : i ? " with this instruction not complete" : "");
        }
    judge_differ(j, 0, 0, NULL, "nothing has moved for %d cycles, and no thread is alive", STUCK);
}

int judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *o, const vellum_in_t *in, vl_error *err)
{
    j->cycle = cycle;
    j->err = err;
    /* What is performed comes first: whatever a core learns of it, or asks for because of it, comes cycles later. */
    for (unsigned s = 0; s < SLICES && !j->verdict; s++)
        if ((uint64_t)o->trace_rsp_valid >> s & 1)
            judge_answered(j, s, &o->trace_rsp[s], o->trace_rsp_line[s]);
    if (in->ctl_req_valid && o->ctl_req_ready && in->ctl_req.write && in->ctl_req.addr % R_SLOT == R_CMD && in->ctl_req.data & CMD_RESET && in->ctl_req.addr / R_SLOT < KERNELS)
        j->reset |= j->kernel[in->ctl_req.addr / R_SLOT].cores;
    judge_pages_register(j, o, in);
    judge_faults_register(j, o, in);
    if (in->host_req_valid && o->host_req_ready)
        judge_asked(j, CORES, &in->host_req);
    for (unsigned c = 0; c < CORES && !j->verdict; c++) {
        if ((uint64_t)o->trace_req_valid >> c & 1)
            judge_asked(j, c, &o->trace_req[c]);
        if ((uint64_t)o->trace_sent_valid >> c & 1)
            on_sent(j, c, &o->trace_sent[c]);
        if ((uint64_t)o->trace_mem_valid >> c & 1)
            on_mem(j, c, &o->trace_mem[c]);
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            on_wb(j, c, &o->trace_wb[c]);
        if ((uint64_t)o->trace_start_valid >> c & 1)
            on_start(j, c, &o->trace_start[c]);
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            on_issue(j, c, &o->trace_issue[c]);
    }
    judge_memory_check(j, false);
    check_progress(j, o);
    return j->verdict;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

judge_t *judge_new(void)
{
    judge_t *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->thread_size = ref_thread_size();
    j->let_go = versions_new();
    j->performed = versions_new();
    j->core = calloc(CORES, sizeof *j->core);
    j->pages = judge_pages_new();
    j->walks = judge_walks_new();
    bool ok = j->let_go && j->performed && j->core && j->pages && j->walks;
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
    for (unsigned c = 0; j->core && c < CORES; c++) {
        for (unsigned w = 0; w < WARPS; w++) {
            free(j->core[c].warp[w].threads);
            drop_ghost(&j->core[c], w);
        }
        free(j->core[c].stores.at);
        free(j->core[c].early.at);
    }
    for (unsigned s = 0; s < SOURCES; s++)
        free(j->source[s].at);
    ref_mem_free(j->order);
    ref_mem_free(j->coherence);
    versions_free(j->let_go);
    versions_free(j->performed);
    judge_pages_free(j->pages);
    free(j->walks);
    for (unsigned k = 0; k < KERNELS; k++)
        free(j->kernel[k].group_seen);
    free(j->core);
    free(j);
}

int judge_window(judge_t *j, uint64_t base, uint64_t limit)
{
    j->base = base;
    j->limit = limit;
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

void judge_share(judge_t *j, const uint8_t *bytes)
{
    ref_mem_forget(j->order, bytes);
    ref_mem_forget(j->coherence, bytes);
}

static void kernel_begins(kernel_state_t *k, const vl_backend_job *job)
{
    enum { MOST_GROUPS = 1 << 26 };
    const vl_backend_launch *l = job->launch;
    k->launch = *l;
    k->cores = job->cores;
    k->groups = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
    k->groups_started = 0;
    free(k->group_seen);
    k->group_seen = k->groups <= MOST_GROUPS ? calloc(1, k->groups / 8 + 1) : NULL;
}

int judge_begin(judge_t *j, uint64_t cycle, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    (void)err;
    for (unsigned c = 0; c < CORES; c++)
        j->kernel_of[c] = KERNELS;
    for (uint32_t k = 0; k < KERNELS; k++)
        j->kernel[k].cores = 0;
    for (uint32_t k = 0; k < n; k++) {
        kernel_begins(&j->kernel[k], &jobs[k]);
        for (unsigned c = 0; c < CORES; c++)
            if (jobs[k].cores >> c & 1)
                j->kernel_of[c] = (uint8_t)k;
    }
    j->verdict = 0;
    j->cycle = j->moved = cycle;
    j->instructions = 0;
    versions_clear(j->let_go);
    versions_clear(j->performed);
    judge_pages_begin(j);
    judge_faults_begin(j);
    judge_walks_begin(j);
    for (unsigned c = 0; c < CORES; c++) {
        core_state_t *s = &j->core[c];
        for (unsigned w = 0; w < WARPS; w++) {
            unsigned char *threads = s->warp[w].threads;
            drop_ghost(s, w);
            memset(&s->warp[w], 0, sizeof s->warp[w]);
            s->warp[w].threads = threads;
        }
        memset(s->group, 0, sizeof s->group);
        s->stores.n = s->early.n = 0;
        if (j->reset >> c & 1)
            j->source[c].last.valid = false;
    }
    j->reset = 0;
    return 0;
}

void judge_cut(judge_t *j, uint64_t cores)
{
    for (unsigned c = 0; c < CORES; c++)
        if (cores >> c & 1)
            j->core[c].stores.n = j->core[c].early.n = 0;
}

/* The kernel says it has ended without a fault. */
static void kernel_ends(judge_t *j, const kernel_state_t *k)
{
    if (k->groups_started != k->groups)
        judge_differ(j, (unsigned)__builtin_ctzll(k->cores), 0, NULL, "the kernel has ended after %" PRIu64 " of %" PRIu64 " workgroups", k->groups_started, k->groups);
    for (unsigned c = 0; c < CORES && !j->verdict; c++)
        for (unsigned w = 0; k->cores >> c & 1 && w < WARPS && !j->verdict; w++) {
            warp_state_t *s = &j->core[c].warp[w], *g = j->core[c].ghost[w];
            if (g)
                judge_differ(j, c, w, &g->ring[g->head], "the kernel has ended, but this store of a warp that had ended was never let go");
            if (!s->active)
                continue;
            if (s->fault)
                judge_differ(j, c, w, NULL, "the kernel has ended, but threads 0x%" PRIx64 " have faulted at 0x%" PRIx64 " (cause %u, value 0x%" PRIx64 ")",
                             s->expected.mask, s->expected.pc, s->expected.cause, s->expected.value);
            if (s->live)
                judge_differ(j, c, w, NULL, "the kernel has ended, but threads 0x%" PRIx64 " have not", s->live);
            for (unsigned q = 0; q < RING && !j->verdict; q++)
                if (s->ring[q].used)
                    judge_differ(j, c, w, &s->ring[q], "the kernel has ended, but this instruction is not complete (%s, results of threads 0x%" PRIx64 ")",
                                 s->ring[q].stepped ? "stepped" : "not stepped", s->ring[q].written);
        }
}

int judge_end(judge_t *j, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    j->err = err;
    for (uint32_t k = 0; k < n; k++)
        if (!jobs[k].code)
            kernel_ends(j, &j->kernel[k]);
    judge_memory_check(j, true);
    judge_all_answered(j);
    return j->verdict;
}

/* ---- a fault ------------------------------------------------------------------------------------------------------ */

static int wrong_fault(judge_t *j, const vl_fault *f, const vl_fault *want)
{
    return judge_differ(j, f->core, f->warp, NULL, "the machine faults with cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ", threads 0x%" PRIx64
                        "; the reference with cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ", threads 0x%" PRIx64, f->cause, f->value, f->pc, f->mask,
                        want->cause, want->value, want->pc, want->mask);
}

/* Memory behind pages that are all there. */
typedef struct {
    const ref_bus *behind;
} paged_t;

static bool canonical(uint64_t addr)
{
    return (uint64_t)((int64_t)(addr << 16) >> 16) == addr;
}

static ref_cause paged_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    *value = 0;
    return in_spad(addr) ? b->load(b->user, addr, size, value) : canonical(addr) ? REF_FAULT_NONE : REF_FAULT_LOAD_PAGE;
}

static ref_cause paged_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    return in_spad(addr) ? b->store(b->user, addr, size, value) : canonical(addr) ? REF_FAULT_NONE : REF_FAULT_STORE_PAGE;
}

static ref_cause paged_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare, uint64_t *old)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    *old = 0;
    if (in_spad(addr))
        return b->amo(b->user, op, addr, size, operand, compare, old);
    return canonical(addr) ? REF_FAULT_NONE : op == OP_LR_W || op == OP_LR_D ? REF_FAULT_LOAD_PAGE : REF_FAULT_STORE_PAGE;
}

/* A memory instruction that has not been let go: each thread tries it on a copy of itself. */
static void try_memory(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, const insn_t *i, vl_fault *want)
{
    uint64_t copy[512];
    if (j->thread_size > sizeof copy)
        return;
    for (uint64_t m = i->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        ref_mem *scratch = j->order; /* what the other threads of the instruction write there does not matter any more */
        ref_bus_state s = {.mem = scratch, .spad = j->core[core].spad, .spad_bytes = judge_launch(j, core)->spad_bytes, .hart = (uint32_t)hart_of(core, warp, t)};
        ref_bus bus = ref_mem_bus(&s);
        ref_step st;
        memcpy(copy, judge_thread(j, w, t), j->thread_size);
        if (judge_sv48(j, core)) { /* whether there is a page, is the host's business; these faults are those of any page */
            paged_t paged = {.behind = &bus};
            const ref_bus canonical = {.user = &paged, .load = paged_load, .store = paged_store, .amo = paged_amo};
            ref_insn d;
            ref_decode(i->instr, &d);
            ref_thread_exec((ref_thread *)(void *)copy, &d, &canonical, &st);
        } else {
            ref_thread_step((ref_thread *)(void *)copy, &bus, &st);
        }
        if (st.event != REF_EV_FAULT)
            continue;
        if (!want->mask)
            *want = (vl_fault){.cause = (uint32_t)st.cause, .pc = i->pc, .value = st.fault_value};
        want->mask |= 1ull << t;
    }
}

/* Threads stand at something that cannot be executed at all. */
static void try_fetch(judge_t *j, unsigned core, warp_state_t *w, unsigned t, uint32_t cause, vl_fault *want)
{
    uint64_t pc = ref_thread_pc(judge_thread(j, w, t));
    uint32_t word;
    bool there = pc >= j->base && pc < j->limit;
    (void)judge_word_legal(j, core, pc, 0, &word);
    if (judge_sv48(j, core)) {
        bool page = cause == VL_FAULT_FETCH_PAGE && judge_fault_legal(j, core, pc, REF_USE_FETCH, REF_PAGE_FAULT, UINT64_MAX, 0);
        bool access = cause == VL_FAULT_FETCH_ACCESS && judge_fault_legal(j, core, pc, REF_USE_FETCH, REF_ACCESS_FAULT, UINT64_MAX, 0);
        there = !page && !access;
    }
    if (!there)
        *want = (vl_fault){.cause = judge_sv48(j, core) ? cause : VL_FAULT_FETCH_ACCESS, .pc = pc, .value = pc, .mask = w->illegal_mask};
    else if (isa_op(word) == OP_ILLEGAL)
        *want = (vl_fault){.cause = VL_FAULT_ILLEGAL, .pc = pc, .value = word, .mask = w->illegal_mask};
}

int judge_fault(judge_t *j, const vl_fault *f, vl_error *err)
{
    j->err = err;
    if (f->core >= CORES || f->warp >= WARPS || !f->mask)
        return judge_differ(j, 0, 0, NULL, "a fault of core %u, warp %u, threads 0x%" PRIx64, f->core, f->warp, f->mask);
    core_state_t *c = &j->core[f->core];
    warp_state_t *w = c->ghost[f->warp] ? c->ghost[f->warp] : &c->warp[f->warp]; /* a ghost's stores come first */
    const insn_t *i = w->head != w->tail ? &w->ring[w->head] : NULL;
    vl_fault want = {0};
    if (w->fault) {
        want = w->expected;
    } else if (f->cause == VL_FAULT_BARRIER) {
        if (w->waiting && c->group[w->slot].ended)
            want = (vl_fault){.cause = VL_FAULT_BARRIER, .pc = w->wait_pc, .value = 1, .mask = w->wait_mask};
    } else if (w->active && i && i->used && i->pipe == PIPE_LSU) {
        try_memory(j, f->core, f->warp, w, i, &want);
    } else if (w->active && !i) {
        try_fetch(j, f->core, w, (unsigned)__builtin_ctzll(f->mask) % THREADS, f->cause, &want);
    }
    if (want.cause != f->cause || want.value != f->value || want.pc != f->pc || want.mask != f->mask)
        return wrong_fault(j, f, &want);
    judge_memory_check(j, true);
    judge_all_answered(j);
    return j->verdict;
}

uint64_t judge_races(const judge_t *j)
{
    return j->races;
}
