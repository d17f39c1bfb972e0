/* See judge_groups.h. */
#include "sim_c/ref/judge_groups.h"
#include "sim_c/ref/judge_counters.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_step.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- warps that have ended, with last stores still in the LSU -------------------------------------------------------- */

void judge_drop_ghost(core_state_t *c, unsigned warp)
{
    if (c->ghost[warp])
        free(c->ghost[warp]->threads);
    free(c->ghost[warp]);
    c->ghost[warp] = NULL;
}

/* Another warp begins in this slot: the rest of the old one lives on by itself. */
static void make_ghost(judge_t *j, unsigned core, unsigned warp)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[warp], *g;
    if (w->running || c->ghost[warp]) {
        judge_differ(j, core, warp, NULL, "a warp begins in a slot whose threads 0x%" PRIx64 " have not ended",
                     w->running ? w->running : c->ghost[warp]->live);
        return;
    }
    for (uint8_t k = w->head; k != w->tail; k++)
        if (w->ring[k].pipe == PIPE_LSU && !is_store(&w->ring[k]))
            judge_differ(j, core, warp, &w->ring[k], "the warp has ended, but this instruction is not complete");
    unsigned char *threads = calloc(THREADS, j->thread_size);
    g = calloc(1, sizeof *g);
    if (!g || !threads) {
        judge_out_of_memory(j);
        free(g);
        free(threads);
        return;
    }
    *g = (warp_state_t){.active = true,
                        .live = w->live,
                        .slot = w->slot,
                        .spad_base = w->spad_base,
                        .head = w->head,
                        .tail = w->tail,
                        .since = w->since,
                        .threads = w->threads};
    for (uint8_t k = w->head; k != w->tail; k++)
        g->ring[k] = w->ring[k];
    w->threads = threads;
    c->ghost[warp] = g;
}

void judge_settle_ghost(judge_t *j, unsigned core, unsigned warp)
{
    warp_state_t *g = j->core[core].ghost[warp];
    if (g->head != g->tail)
        return;
    if (g->live)
        judge_differ(j, core, warp, NULL, "a warp has ended, but its threads 0x%" PRIx64 " have not", g->live);
    judge_drop_ghost(&j->core[core], warp);
}

/* ---- begin ------------------------------------------------------------------------------------------------------------ */

/* The first warp of a workgroup: each workgroup once, and its scratchpad its own. */
static void group_begins(judge_t *j, unsigned core, const start_t *s)
{
    core_state_t *c = &j->core[core];
    kernel_state_t *k = &j->kernel[j->kernel_of[core] % KERNELS];
    const uint32_t *n = k->launch.groups;
    uint64_t number = s->grp[0] + n[0] * (s->grp[1] + (uint64_t)n[1] * s->grp[2]);
    uint32_t bytes = k->launch.spad_bytes;
    if (j->kernel_of[core] == KERNELS) {
        judge_differ(j, core, s->warp, NULL, "a workgroup begins on a core that belongs to no kernel");
        return;
    }
    for (unsigned d = 0; d < 3; d++)
        if (s->grp[d] >= n[d]) {
            judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u begins, which the kernel does not have", s->grp[0],
                         s->grp[1], s->grp[2]);
            return;
        }
    if (k->group_seen[number / 8] >> (number % 8) & 1)
        judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u begins a second time", s->grp[0], s->grp[1],
                     s->grp[2]);
    k->group_seen[number / 8] |= (uint8_t)(1 << (number % 8));
    k->groups_started++;
    judge_count(j, core, REFERENCE_groups_started, 1);
    if (s->group_warps != k->launch.group_warps)
        judge_differ(j, core, s->warp, NULL, "a workgroup of %u warps begins, it should have %u", s->group_warps,
                     k->launch.group_warps);
    if (bytes && s->spad_base + bytes > SPAD_BYTES)
        judge_differ(j, core, s->warp, NULL, "a workgroup's scratchpad of %u bytes at %u exceeds the core's %u bytes",
                     bytes, s->spad_base, SPAD_BYTES);
    for (unsigned w = 0; bytes && w < WARPS; w++) {
        const warp_state_t *o = &c->warp[w];
        if (w != s->warp && o->active && o->running && o->slot != s->slot && o->spad_base < s->spad_base + bytes
            && s->spad_base < o->spad_base + bytes)
            judge_differ(j, core, s->warp, NULL,
                         "its workgroup's scratchpad (from %u on) overlaps that of warp %u (from %u on)", s->spad_base,
                         w, o->spad_base);
    }
}

void judge_started(judge_t *j, unsigned core, const start_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    group_state_t *g = &c->group[s->slot];
    for (unsigned k = 0; k < RING && w->active; k++)
        if (w->ring[k].used && w->ring[k].stepped)
            judge_differ(
                j, core, s->warp, &w->ring[k],
                "the warp has ended, but this instruction is not complete (results written of threads 0x%" PRIx64 ")",
                w->ring[k].written);
    if (w->active && w->head != w->tail)
        make_ghost(j, core, s->warp);
    else if (w->active && w->live)
        judge_differ(j, core, s->warp, NULL, "a warp begins in a slot whose threads 0x%" PRIx64 " have not ended",
                     w->live);
    unsigned char *threads = w->threads;
    if (g->started == g->warps) { /* the first warp of a new workgroup */
        if (g->ended != g->warps)
            judge_differ(j, core, s->warp, NULL, "a workgroup begins in slot %u, where only %u of %u warps have ended",
                         s->slot, g->ended, g->warps);
        *g = (group_state_t){
            .warps = s->group_warps, .spad_base = s->spad_base, .grp = {s->grp[0], s->grp[1], s->grp[2]}};
        group_begins(j, core, s);
    } else if (memcmp(g->grp, s->grp, sizeof g->grp) || g->spad_base != s->spad_base) {
        judge_differ(j, core, s->warp, NULL,
                     "a warp of workgroup %u,%u,%u (scratchpad from %u on) begins among those of %u,%u,%u (from %u on)",
                     s->grp[0], s->grp[1], s->grp[2], s->spad_base, g->grp[0], g->grp[1], g->grp[2], g->spad_base);
    }
    unsigned first = g->started++ * THREADS;
    judge_count(j, core, REFERENCE_warps_started, 1);
    memset(w, 0, sizeof *w);
    w->threads = threads;
    w->active = true;
    w->live = w->running = w->began = w->runs = s->tmask;
    memset(w->seat, (int)s->warp, sizeof w->seat);
    w->slot = s->slot;
    w->spad_base = s->spad_base;
    const sim_launch_t *l = judge_launch(j, core);
    const uint32_t *local = l->local;
    const ref_private private = ref_private_of(l->stack_base, l->stack_log2, CORES * WARPS * THREADS, THREADS);
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned linear = first + t;
        if ((s->tmask >> t & 1) != (linear < l->group_threads))
            judge_differ(j, core, s->warp, NULL,
                         "a warp begins with threads 0x%" PRIx64 ", which is wrong for thread %u", (uint64_t)s->tmask,
                         t);
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
            .private = private,
        };
        id.sp = l->stack_base + ((uint64_t)(id.hartid + 1) << l->stack_log2);
        ref_thread_init(judge_thread(j, w, t), l->entry, &id);
    }
    for (unsigned d = 0; d < 3; d++)
        if (s->gbase[d] != l->offset[d] + s->grp[d] * local[d])
            judge_differ(j, core, s->warp, NULL, "workgroup %u,%u,%u begins with base %u in dimension %u, expected %u",
                         s->grp[0], s->grp[1], s->grp[2], s->gbase[d], d, l->offset[d] + s->grp[d] * local[d]);
}

/* ---- barriers and ends ------------------------------------------------------------------------------------------------ */

/* Barriers and ends are taken up when they issue; stores before them may still be on their way through the LSU. Those before a barrier must go first
 * (judge_barrier_kept). */
void judge_reach_barrier(judge_t *j, unsigned core, warp_state_t *w, insn_t *i)
{
    core_state_t *c = &j->core[core];
    group_state_t *g = &c->group[w->slot];
    const uint64_t here = w->running & w->runs;
    if (w->nested) { /* a formed warp: these threads wait with their group, independently of the warp's other threads */
        i->early = true;
        w->early |= i->tmask;
        w->early_pc = i->pc;
        for (uint64_t m = i->tmask; m; m &= m - 1)
            w->seat_pc[__builtin_ctzll(m)] = i->pc;
        return;
    }
    if ((g->formed ? g->gone : w->running != w->began)
        || (w->early && w->early_pc != i->pc)) { /* some of the warp have ended or are at another barrier */
        judge_expect_fault(w, FAULT_BARRIER, i->pc, 0, i->tmask);
        return;
    }
    if (w->early || i->tmask != here) {
        i->early = true;
        w->early |= i->tmask;
        w->early_pc = i->pc;
        for (uint64_t m = i->tmask; m; m &= m - 1)
            w->seat_pc[__builtin_ctzll(m)] = i->pc;
        if (w->early == here)
            w->early = 0;
        return;
    }
    w->waiting = true;
    w->wait_pc = i->pc;
    w->wait_mask = i->tmask;
    if (++g->arrived < g->warps)
        return;
    judge_count(j, core, REFERENCE_barriers, 1);
    g->arrived = 0;
    g->barrier = i->number;
    g->crossed = false;
    for (unsigned k = 0; k < WARPS; k++)
        if (c->warp[k].active && c->warp[k].slot == w->slot)
            c->warp[k].waiting = false;
}

void judge_reach_exit(core_state_t *c, warp_state_t *w, const insn_t *i)
{
    if (w->early) { /* these threads will never come to that barrier */
        judge_expect_fault(w, FAULT_BARRIER, w->early_pc, 0, w->early);
        return;
    }
    group_state_t *g = &c->group[w->slot];
    w->running &= ~i->tmask;
    g->gone = true;
    if (!g->formed) {
        g->ended += !w->running;
        return;
    }
    uint64_t running = 0; /* a group's threads may be in any of its warps */
    for (unsigned k = 0; k < WARPS; k++)
        running |= c->warp[k].active && c->warp[k].slot == w->slot ? c->warp[k].running : 0;
    if (!running)
        g->ended = g->warps;
}
