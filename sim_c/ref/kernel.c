/* A whole launch: groups one by one; those that wait for others stay in flight beside them. */
#include <stdlib.h>

#include "sim_c/ref/internal.h"

/* How many groups can be resident. */
static uint32_t slots_of(const ref_launch *l)
{
    const uint32_t threads = l->local[0] * l->local[1] * l->local[2], warps = (threads + l->threads - 1) / l->threads;
    uint32_t each = l->warps / warps;
    if (l->core_groups && each > l->core_groups)
        each = l->core_groups;
    return l->cores * each ? l->cores * each : 1;
}

/* Its number in the launch, x fastest, as ids. */
static void ids_of(const ref_launch *l, uint64_t number, uint32_t grp[3])
{
    grp[0] = (uint32_t)(number % l->groups[0]);
    grp[1] = (uint32_t)(number / l->groups[0] % l->groups[1]);
    grp[2] = (uint32_t)(number / l->groups[0] / l->groups[1]);
}

/* The group of that number begins in a free slot; `used` slots have had one. */
static int begin(launch_state *s, group *slot, uint32_t *used, uint64_t number)
{
    uint32_t at = 0, grp[3];
    while (at < *used && slot[at].busy)
        at++;
    *used += at == *used;
    group *g = &slot[at];
    if (!g->threads && !group_make(g, s->launch))
        return REF_ENOMEM;
    if (s->launch->cores) {
        g->core = at % s->launch->cores;
        g->warp = at / s->launch->cores * g->warps;
    }
    ids_of(s->launch, number, grp);
    group_start(s, g, grp);
    return REF_OK;
}

static int run_groups(launch_state *s, group *slot, uint32_t n)
{
    const ref_launch *l = s->launch;
    ref_result *r = s->result;
    const uint64_t total = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
    uint64_t next = 0;
    uint32_t busy = 0, used = 0;
    while (busy || next < total) {
        bool moved = false;
        int e;
        if (next < total && busy < n) { /* all groups in flight wait */
            if ((e = begin(s, slot, &used, next)))
                return e;
            next++, busy++, moved = true;
        }
        for (uint32_t i = 0; i < used; i++) {
            group_end end;
            if (!slot[i].busy || group_is_stuck(s, &slot[i]))
                continue;
            if ((e = group_run(s, &slot[i], &end)))
                return e;
            moved = true;
            if (end != GROUP_ENDED)
                continue;
            busy--, r->groups++;
            if (launch_polled(s))
                return REF_EINTR;
        }
        if (!moved) {
            r->resident = busy;
            return REF_ESTUCK;
        }
    }
    return REF_OK;
}

/* As many groups as 64 bits count, groups of as many threads as 12-bit local ids could never reach. */
static bool sensible(const ref_launch *l)
{
    uint64_t n = 1, groups = 1;
    for (unsigned k = 0; k < 3; k++) {
        if (!l->local[k] || !l->groups[k])
            return false;
        if (__builtin_mul_overflow(groups, l->groups[k], &groups))
            return false;
        n *= l->local[k];
        if (n > 1u << 20)
            return false;
    }
    return l->threads && l->lanes && l->spad_bytes <= REF_SPAD_MAX && l->stack_log2 < 40 && l->entry % 4 == 0
           && l->entry <= REF_PC_MASK && l->limit <= INT64_MAX && l->cores < 1u << 10 && l->warps < 1u << 16;
}

int ref_run_kernel(ref_mem *m, const ref_launch *l, ref_result *r)
{
    memset(r, 0, sizeof *r);
    if (!m || !sensible(l))
        return REF_EINVAL;
    launch_state s = {.run = {.mem = m, .spad_bytes = l->spad_bytes}, .launch = l, .result = r};
    const uint32_t n = slots_of(l);
    group *slot = calloc(n, sizeof *slot);
    m->no_memory = false;
    int e = slot ? run_groups(&s, slot, n) : REF_ENOMEM;
    r->atomics = s.run.atomics[0];
    r->spad_atomics = s.run.atomics[1];
    for (uint32_t i = 0; slot && l->left && e && e != REF_EFAULT && i < n; i++)
        if (slot[i].busy)
            group_left(&s, &slot[i]);
    for (unsigned i = 0; i < PAGES; i++)
        free(s.run.pages[i]);
    for (uint32_t i = 0; slot && i < n; i++)
        group_free(&slot[i]);
    free(slot);
    return e;
}
