/* The judge's view of memory (judge_state.h).
 *
 * Copies of memory are kept. `order` takes every store when its core's LSU lets it go; `view` takes it when its L2 slice answers it,
 * which is when it is performed: a slice performs the requests of a line in the order of its answers. Atomics and writes of the host port
 * go into both then. (There is a view for each device and for the host where these do not see memory alike: judge_views.c.) A load that agrees with `order` is right. Otherwise it overtook something, or other cores are involved, and byte by byte it must be
 *   - the value of the core's own newest store before it, or,
 *   - once that has been performed, something that memory held from then on (and after the last fence of the warp, and from the core's
 *     own atomics before it on: requests of a core to one line keep their order, so its line was fetched behind them).
 * Every store must arrive in memory once, whole, with its data, and in order among those of its core to the same line.
 *
 * Why the moment of the answer is the right one for all of this: a core learns of it only later. An acknowledged store has been answered, so a
 * FENCE that waits for acknowledgements, or the request of an atomic with rl, must find it performed (judge_earlier_done). A load with a result
 * while an older store of its core to that byte is not performed cannot come from a line fetched behind the store, so it must have the value of the
 * store. And a line fetched after a fence was answered after everything that had been performed when the fence was issued.
 */
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_views.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cycles that a store may be performed before the LSU's trace port shows its last beat: only where a warp has more beats than a request takes
 * cycles to its slice and through it. */
enum { EARLY = 64 };

/* From the configuration, as docs/memory-map.md says it: runs of INTERLEAVE_BYTES go round the channels, lines of a channel round its slices. Each device has
 * slices of its own, and behind them the host has one for each of its channels. */
unsigned judge_slice(unsigned source, uint64_t addr)
{
    if (source == CORES && HOME != HOME_FLAT)
        return (unsigned)(DEVICES * CHANNELS + addr / INTERLEAVE_BYTES % HOST_CHANNELS);
    uint64_t run = addr / INTERLEAVE_BYTES, channel = run % CHANNELS;
    uint64_t inside = run / CHANNELS * INTERLEAVE_BYTES + addr % INTERLEAVE_BYTES;
    return (unsigned)((viewer_of(source) * CHANNELS + channel) * L2_SLICES + inside / LINE_BYTES % L2_SLICES);
}

static uint8_t *spad_at(core_state_t *c, const warp_state_t *w, uint64_t addr)
{
    return &c->spad[(w->spad_base + (addr - REF_SPAD_BASE)) & (SPAD_BYTES - 1)];
}

static uint64_t spad_dword(const warp_state_t *w, uint64_t addr)
{
    return ((w->spad_base + (addr - REF_SPAD_BASE)) & (SPAD_BYTES - 1)) / 8;
}

bool judge_reachable(const judge_t *j, unsigned core, uint64_t addr)
{
    if (in_spad(addr))
        return addr - REF_SPAD_BASE < judge_launch(j, core)->spad_bytes;
    return judge_sv48(j, core) ? (uint64_t)((int64_t)(addr << 16) >> 16) == addr : addr >= j->base && addr < j->limit;
}

/* ---- in the order of the LSU ---------------------------------------------------------------------------------------- */

static uint64_t load_order(judge_t *j, core_state_t *c, const warp_state_t *w, uint64_t addr, uint64_t phys,
                           unsigned size)
{
    uint64_t v = 0;
    if (in_spad(addr))
        memcpy(&v, spad_at(c, w, addr), size);
    else
        (void)ref_mem_read(j->order, phys, &v, size);
    return v;
}

static void write_versioned(ref_mem *m, versions_t *list, version_t v, uint64_t addr, unsigned size, uint64_t value)
{
    v.dword = addr & ~7ull;
    v.bytes = (uint8_t)(((1u << size) - 1) << (addr & 7));
    (void)ref_mem_read(m, v.dword, &v.old, 8);
    (void)ref_mem_write(m, addr, &value, size);
    (void)ref_mem_read(m, v.dword, &v.now, 8);
    versions_add(list, &v);
}

static pending_t *pending_new(judge_t *j, pending_list_t *l)
{
    pending_t *at = judge_room(j, l->at, l->n, &l->room, sizeof *at);
    if (!at)
        return NULL;
    l->at = at;
    pending_t *p = &l->at[l->n++];
    memset(p, 0, sizeof *p);
    return p;
}

static void pending_drop(pending_list_t *l, unsigned k)
{
    memmove(&l->at[k], &l->at[k + 1], (l->n - k - 1) * sizeof *l->at);
    l->n--;
}

static bool same_bytes(const pending_t *a, const pending_t *b)
{
    if (memcmp(&a->be, &b->be, sizeof a->be) != 0)
        return false;
    for (unsigned k = 0; k < LINE_BYTES; k++)
        if (be_has(&a->be, k) && a->data[k] != b->data[k])
            return false;
    return true;
}

/* The oldest store of that line that has not been performed, or NULL. */
static pending_t *oldest(pending_list_t *l, uint64_t line)
{
    for (unsigned k = 0; k < l->n; k++)
        if (l->at[k].line == line)
            return &l->at[k];
    return NULL;
}

/* Do the performed bytes explain the oldest store to the line? Then both are done. */
static bool explain(core_state_t *c, const pending_t *performed)
{
    pending_t *p = oldest(&c->stores, performed->line);
    if (!p || !same_bytes(p, performed))
        return false;
    pending_drop(&c->stores, (unsigned)(p - c->stores.at));
    return true;
}

static void let_store_go(judge_t *j, unsigned core, unsigned warp, const insn_t *i, uint64_t addr, unsigned size,
                         uint64_t value)
{
    core_state_t *c = &j->core[core];
    write_versioned(j->order, j->let_go, (version_t){.insn = i->number, .core = core}, addr, size, value);
    pending_t *p = NULL;
    for (unsigned k = c->stores.n; k-- > 0 && !p;)
        if (c->stores.at[k].number == i->number && c->stores.at[k].line == addr / LINE_BYTES
            && c->stores.at[k].sector == addr % LINE_BYTES / SECTOR_BYTES)
            p = &c->stores.at[k];
    if (!p) {
        if (!(p = pending_new(j, &c->stores)))
            return;
        p->line = addr / LINE_BYTES;
        p->sector = addr % LINE_BYTES / SECTOR_BYTES;
        p->number = i->number;
        p->pc = i->pc;
        p->instr = i->instr;
        p->cycle = i->cycle;
        p->went = j->accesses;
        p->warp = warp;
    }
    for (unsigned k = 0, at = addr % LINE_BYTES; k < size; k++, at++) {
        p->be.w[at / 64] |= 1ull << (at % 64);
        p->data[at] = (uint8_t)(value >> (8 * k));
    }
    for (unsigned k = 0; k < c->early.n; k++)
        if (c->early.at[k].line == p->line && explain(c, &c->early.at[k])) {
            pending_drop(&c->early, k);
            return;
        }
}

static void spad_store(core_state_t *c, const warp_state_t *w, uint64_t addr, unsigned size, uint64_t value)
{
    memcpy(spad_at(c, w, addr), &value, size);
    if (c->spad_hold.valid && c->spad_hold.where == spad_dword(w, addr))
        c->spad_hold.valid = false;
}

/* A register as the instruction with this seq has read it: the machine's result where older instructions have not been stepped. */
static uint64_t operand_of(judge_t *j, warp_state_t *w, uint8_t seq, unsigned t, unsigned reg)
{
    while (seq-- != w->head) {
        const insn_t *o = &w->ring[seq];
        if (reg && o->rd == reg && o->written >> t & 1)
            return o->result[t];
    }
    return ref_thread_reg(judge_thread(j, w, t), reg);
}

/* A scratchpad atomic. */
static uint64_t spad_atomic(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    core_state_t *c = &j->core[core];
    unsigned size = size_of(i);
    uint64_t addr = i->addr[t], where = spad_dword(w, addr), hart = hart_at(core, warp, w, t);
    uint64_t old = load_order(j, c, w, addr, 0, size);
    if (i->op == OP_LR_W || i->op == OP_LR_D) {
        c->spad_hold = (reservation_t){true, hart, where};
        return old;
    }
    if (i->op == OP_SC_W || i->op == OP_SC_D) {
        bool ok = c->spad_hold.valid && c->spad_hold.hart == hart && c->spad_hold.where == where;
        if (c->spad_hold.hart == hart)
            c->spad_hold.valid = false;
        if (ok)
            spad_store(c, w, addr, size, i->data[t]);
        return !ok;
    }
    uint64_t cmp = i->compared[t] = operand_of(j, w, (uint8_t)(i - w->ring), t, i->instr >> 7 & 31) & size_mask(size);
    bool cas = i->op == OP_AMOCAS_W || i->op == OP_AMOCAS_D;
    if (!cas || cmp == old)
        spad_store(c, w, addr, size, ref_amo_result(i->op, old, i->data[t], cmp));
    return old;
}

void judge_barrier_kept(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const insn_t *i)
{
    group_state_t *g = &j->core[core].group[w->slot];
    if (w == j->core[core].ghost[warp]) /* its group has ended */
        return;
    if (i->number > g->barrier)
        g->crossed = true;
    else if (g->crossed)
        judge_differ(j, core, warp, i,
                     "goes to memory after its workgroup has passed the next barrier and accessed memory behind it");
}

void judge_order_kept(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const insn_t *i)
{
    for (uint8_t k = w->head; &w->ring[k] != i; k++) {
        const insn_t *o = &w->ring[k];
        if (accesses(o) && o->gone != o->tmask)
            judge_differ(j, core, warp, i,
                         "goes to memory before threads 0x%" PRIx64 " of an older access of its warp (pc 0x%" PRIx64
                         ")",
                         o->tmask & ~o->gone, o->pc);
    }
}

void judge_access(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    core_state_t *c = &j->core[core];
    uint64_t addr = i->addr[t];
    unsigned size = size_of(i);
    if ((in_spad(addr) ? addr - REF_SPAD_BASE >= judge_launch(j, core)->spad_bytes
                       : i->phys[t] < j->base || i->phys[t] >= j->limit)
        || addr & (size - 1)) {
        judge_differ(j, core, warp, i, "thread %u accesses 0x%" PRIx64 ", which is misaligned or not its memory", t,
                     addr);
        return;
    }
    judge_barrier_kept(j, core, warp, w, i);
    i->gone |= 1ull << t;
    i->order_at[t] = versions_count(j->let_go);
    if (!(i->asked >> t & 1))
        i->went[t] = ++j->accesses;
    i->since = w->since;
    if (is_load(i))
        i->seen[t] = load_order(j, c, w, addr, i->phys[t], size);
    else if (is_store(i) && in_spad(addr))
        spad_store(c, w, addr, size, i->data[t]);
    else if (is_store(i))
        let_store_go(j, core, warp, i, i->phys[t], size, i->data[t]);
    else if (is_atomic(i) && in_spad(addr))
        i->seen[t] = spad_atomic(j, core, warp, w, i, t);
}

/* ---- at the memory side --------------------------------------------------------------------------------------------- */

static void lose_reservations(judge_t *j, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++) {
        reservation_t *hold = &j->source[s].hold[judge_slice(s, line * LINE_BYTES)];
        if (hold->where == line)
            hold->valid = false;
    }
}

/* In the order of the LSUs. */
static void write_order(judge_t *j, version_t v, const pending_t *p)
{
    for (unsigned k = 0; k < LINE_BYTES; k += 8) {
        v.bytes = (uint8_t)(p->be.w[k / 64] >> (k % 64));
        if (!v.bytes)
            continue;
        v.dword = p->line * LINE_BYTES + k;
        (void)ref_mem_read(j->order, v.dword, &v.old, 8);
        v.now = v.old;
        for (unsigned b = 0; b < 8; b++)
            if (v.bytes >> b & 1)
                memcpy((uint8_t *)&v.now + b, &p->data[k + b], 1);
        (void)ref_mem_write(j->order, v.dword, &v.now, 8);
        versions_add(j->let_go, &v);
    }
}

/* As performed. */
static void write_view(judge_t *j, unsigned source, bool coherent, version_t v, const pending_t *p)
{
    if (coherent)
        judge_view_owns(j, p->line);
    for (unsigned k = 0; k < LINE_BYTES; k += 8) {
        uint64_t now;
        v.bytes = (uint8_t)(p->be.w[k / 64] >> (k % 64));
        if (!v.bytes)
            continue;
        v.dword = p->line * LINE_BYTES + k;
        memcpy(&now, &p->data[k], 8);
        judge_view_store(j, viewer_of(source), coherent, v, now);
    }
}

void judge_written(judge_t *j, unsigned source, const mem_req_t *q)
{
    pending_t now = {.line = q->line, .be = q->be, .cycle = j->cycle};
    version_t v = {.core = source};
    memcpy(now.data, q->data.w, LINE_BYTES);
    if (source == HOST_SOURCE) { /* no LSU orders it: it takes its place in `order` now */
        write_order(j, v, &now);
    } else {
        core_state_t *c = &j->core[source];
        const pending_t *p = oldest(&c->stores, q->line);
        v.insn = p ? p->number : 0;
        if (!explain(c, &now)) {
            pending_t *e = pending_new(j, &c->early);
            if (!e)
                return;
            *e = now;
        }
    }
    write_view(j, source, judge_store_coherent(q), v, &now);
    lose_reservations(j, q->line);
}

static const int alu_op[AMO_CAS][2] = {
    [AMO_SWAP] = {OP_AMOSWAP_W, OP_AMOSWAP_D}, [AMO_ADD] = {OP_AMOADD_W, OP_AMOADD_D},
    [AMO_XOR] = {OP_AMOXOR_W, OP_AMOXOR_D},    [AMO_AND] = {OP_AMOAND_W, OP_AMOAND_D},
    [AMO_OR] = {OP_AMOOR_W, OP_AMOOR_D},       [AMO_MIN] = {OP_AMOMIN_W, OP_AMOMIN_D},
    [AMO_MAX] = {OP_AMOMAX_W, OP_AMOMAX_D},    [AMO_MINU] = {OP_AMOMINU_W, OP_AMOMINU_D},
    [AMO_MAXU] = {OP_AMOMAXU_W, OP_AMOMAXU_D},
};

uint64_t judge_atomic(judge_t *j, unsigned source, const mem_req_t *q, insn_t *i, unsigned t, uint64_t claimed)
{
    uint64_t addr = q->line * LINE_BYTES + q->amo_off, old = 0;
    unsigned size = q->amo_dword ? 8 : 4, viewer = viewer_of(source);
    uint64_t mask = size_mask(size), value = q->data.w[0] & mask;
    reservation_t *hold = &j->source[source].hold[judge_slice(source, addr)];
    if (q->amo != AMO_SC) {
        judge_view_owns(j, q->line);
        judge_view_adopt(j, viewer, addr, (const uint8_t *)&claimed, size, true);
    }
    (void)ref_mem_read(j->view[viewer], addr, &old, size);
    uint64_t answer = old;
    bool store = true;
    if (q->amo == AMO_LR) {
        *hold = (reservation_t){true, q->hart, q->line};
        store = false;
    } else if (q->amo == AMO_SC) {
        store = !q->sc_fail && hold->valid && hold->hart == q->hart && hold->where == q->line;
        if (VIEWERS > 1 && store && claimed & mask) { /* another viewer has stored there, so the line was taken away */
            judge_waive(j, WAIVED_SCS);
            store = false;
        }
        answer = !store;
        if (hold->hart == q->hart)
            hold->valid = false;
    } else if (q->amo == AMO_CAS) {
        store = old == (q->data.w[1] & mask);
    } else {
        value = ref_amo_result(alu_op[q->amo][q->amo_dword], old, value, 0);
    }
    if (store) {
        version_t v = {.core = source, .atomic = true, .went = i ? i->went[t] : 0};
        write_versioned(j->order, j->let_go, v, addr, size, value);
        judge_view_owns(j, q->line); /* an SC */
        v.dword = addr & ~7ull;
        v.bytes = (uint8_t)(((1u << size) - 1) << (addr & 7));
        judge_view_store(j, viewer, true, v, value << (8 * (addr & 7)));
        lose_reservations(j, q->line);
    }
    if (i) {
        i->seen[t] = answer;
        i->performed |= 1ull << t;
        i->performed_at = versions_count(j->performed[viewer]);
    }
    return answer;
}

bool judge_holds(judge_t *j, unsigned source, uint64_t line, const line_data_t *data, uint64_t *at, uint8_t *want)
{
    const unsigned viewer = viewer_of(source);
    uint8_t now[LINE_BYTES];
    (void)ref_mem_read(j->view[viewer], line * LINE_BYTES, now, sizeof now);
    if (!memcmp(now, data->w, sizeof now))
        return true;
    judge_view_adopt(j, viewer, line * LINE_BYTES, (const uint8_t *)data->w, sizeof now, false);
    (void)ref_mem_read(j->view[viewer], line * LINE_BYTES, now, sizeof now);
    for (unsigned k = 0; k < LINE_BYTES; k++)
        if (now[k] != ((const uint8_t *)data->w)[k]) {
            *at = line * LINE_BYTES + k;
            *want = now[k];
            return false;
        }
    return true;
}

/* ---- loads that race ------------------------------------------------------------------------------------------------- */

typedef enum { NO, YES, UNKNOWN } answer_t;

/* Stores of the core to this byte that are still on their way. */
static unsigned on_their_way(const core_state_t *c, uint64_t addr)
{
    unsigned n = 0, at = addr % LINE_BYTES;
    for (unsigned k = 0; k < c->stores.n; k++)
        n += c->stores.at[k].line == addr / LINE_BYTES && be_has(&c->stores.at[k].be, at);
    return n;
}

static answer_t byte_legal(judge_t *j, unsigned core, const insn_t *i, unsigned t, uint64_t addr, uint8_t value)
{
    unsigned b = addr & 7, later = 0, way = on_their_way(&j->core[core], addr);
    uint64_t last = 0;
    /* Find the newest store of this core before the load, and count those after it. */
    const version_t *v, *own = NULL;
    version_walk_t walk = versions_of(j->let_go, addr, 0);
    while (!own && (v = versions_walk(&walk))) {
        if (v->core != core || v->atomic || !(v->bytes >> b & 1))
            continue;
        if (walk.at <= i->order_at[t]) {
            own = v;
        } else if (v->insn != last) {
            last = v->insn;
            later++;
        }
    }
    /* The store is older than all that are kept, but still on its way. (Stores that have been performed are looked for below.) */
    if (walk.lost && way > later)
        return UNKNOWN;
    if (own && way > later)
        return (uint8_t)(own->now >> (8 * b)) == value ? YES : NO;
    /* Values that memory has held since that store was performed, or at any time if there was none. */
    unsigned after = later > way ? later - way : 0;
    uint64_t first = 0;
    (void)ref_mem_read(j->view[viewer_of(core)], addr & ~7ull, &first, 8);
    walk = versions_of(j->performed[viewer_of(core)], addr, i->since);
    while ((v = versions_walk(&walk))) {
        if (!(v->bytes >> b & 1))
            continue;
        if ((uint8_t)(v->now >> (8 * b)) == value)
            return YES;
        /* The L1D drops the line before it sends an atomic, so the load cannot have older bytes. */
        if (v->core == core && v->atomic && v->went < i->went[t])
            return NO;
        if (v->core == core && !v->atomic && after-- == 0)
            return NO;
        first = v->old;
    }
    if (walk.lost)
        return UNKNOWN;
    return (uint8_t)(first >> (8 * b)) == value ? YES : NO;
}

bool judge_load_legal(judge_t *j, unsigned core, const insn_t *i, unsigned t, uint64_t raw)
{
    bool unknown = false;
    for (unsigned k = 0; k < size_of(i); k++) {
        answer_t a = byte_legal(j, core, i, t, i->phys[t] + k, (uint8_t)(raw >> (8 * k)));
        if (a == NO)
            return false;
        unknown |= a == UNKNOWN;
    }
    j->races++;
    if (unknown)
        judge_waive(j, WAIVED_LOADS);
    return true;
}

/* ---- nothing lost ---------------------------------------------------------------------------------------------------- */

static int report_pending(judge_t *j, unsigned core, const pending_t *p, const char *what)
{
    insn_t i = {.pc = p->pc, .instr = p->instr, .cycle = p->cycle};
    return judge_differ(j, core, p->warp, &i, "its store to the line at 0x%" PRIx64 " (bytes %s) %s",
                        p->line * LINE_BYTES, judge_be_text(&p->be).s, what);
}

void judge_earlier_done(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *why)
{
    const core_state_t *c = &j->core[core];
    for (unsigned k = 0; k < c->stores.n && !j->verdict; k++) {
        const pending_t *p = &c->stores.at[k];
        if (p->warp == warp ? p->number < i->number : p->went <= i->before)
            report_pending(j, core, p, why);
    }
    for (unsigned w = 0; w < WARPS; w++)
        for (uint8_t k = c->warp[w].head; k != c->warp[w].tail && !j->verdict; k++) {
            const insn_t *a = &c->warp[w].ring[k];
            uint64_t late = is_atomic(a) ? a->gone & ~a->performed : 0;
            for (uint64_t m = late; m; m &= m - 1) {
                const unsigned t = (unsigned)__builtin_ctzll(m);
                if (in_spad(a->addr[t]) || !(w == warp ? a->number < i->number : a->went[t] <= i->before))
                    late &= ~(m & -m);
            }
            if (late)
                judge_differ(j, core, w, a, "its atomic in memory (threads 0x%" PRIx64 ") %s", late, why);
        }
}

void judge_memory_check(judge_t *j, uint64_t ended)
{
    for (unsigned c = 0; c < CORES && !j->verdict; c++) {
        const bool end = ended >> c & 1;
        const pending_list_t *early = &j->core[c].early, *stores = &j->core[c].stores;
        if (early->n && (end || early->at[0].cycle + EARLY < j->cycle)) {
            const pending_t *e = &early->at[0], *p = oldest(&j->core[c].stores, e->line);
            if (!p) {
                judge_differ(j, c, NO_WARP, NULL,
                             "in cycle %" PRIu64 " memory was written at 0x%" PRIx64
                             " (bytes %s), which no instruction has stored",
                             e->cycle, e->line * LINE_BYTES, judge_be_text(&e->be).s);
                return;
            }
            unsigned k = 0;
            while (k < LINE_BYTES && be_has(&p->be, k) == be_has(&e->be, k)
                   && (!be_has(&p->be, k) || p->data[k] == e->data[k]))
                k++;
            insn_t i = {.pc = p->pc, .instr = p->instr, .cycle = p->cycle};
            bool has = k < LINE_BYTES && be_has(&p->be, k), got = k < LINE_BYTES && be_has(&e->be, k);
            char went[8] = "not", stored[8] = "not";
            snprintf(went, got ? sizeof went : 0, "0x%02x", e->data[k % LINE_BYTES]);
            snprintf(stored, has ? sizeof stored : 0, "0x%02x", p->data[k % LINE_BYTES]);
            judge_differ(j, c, p->warp, &i,
                         "byte 0x%" PRIx64 " is %s in the write to memory in cycle %" PRIu64 ", %s in the store",
                         e->line * LINE_BYTES + k, went, e->cycle, stored);
        }
        if (end && stores->n)
            report_pending(j, c, &stores->at[0], "was never performed in memory");
    }
}
