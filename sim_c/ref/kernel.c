/* A whole launch: groups one by one, the threads of a group in turns. */
#include <stdlib.h>

#include "sim_c/ref/internal.h"

#define TURN 100000

typedef enum { RUNNING, WAITING, ENDED } progress;

typedef struct {
    runner run;
    const ref_launch *launch;
    ref_result *result;
    ref_thread *threads;
    progress *progress;
    uint32_t n, warps;
} group;

static int fault(group *g, uint32_t thread, ref_cause cause, uint64_t value, uint64_t pc)
{
    ref_result *r = g->result;
    const ref_ident *id = &g->threads[thread].id;
    r->cause = cause, r->value = value, r->pc = pc;
    memcpy(r->group, id->grp, sizeof r->group);
    memcpy(r->local, id->lid, sizeof r->local);
    r->warp = thread / g->launch->threads;
    r->thread = thread % g->launch->threads;
    return g->run.mem->no_memory ? REF_ENOMEM : REF_EFAULT;
}

/* The host may map the page: then the thread goes on with the same instruction. */
static bool mapped(group *g, uint32_t thread, ref_cause cause, uint64_t value)
{
    const ref_launch *l = g->launch;
    if (!l->page_fault || cause < REF_FAULT_FETCH_PAGE || g->run.mem->no_memory)
        return false;
    ref_page_fault f = {.cause = cause,
                        .address = value,
                        .pc = g->threads[thread].pc,
                        .warp = thread / l->threads,
                        .thread = thread % l->threads};
    return l->page_fault(l->user, &f);
}

static void start(group *g, const uint32_t grp[3])
{
    const ref_launch *l = g->launch;
    const ref_private private = ref_private_of(l->stack_base, l->stack_log2, l->harts, l->threads);
    for (uint32_t i = 0; i < g->n; i++) {
        ref_ident id = {
            .lid = {i % l->local[0], i / l->local[0] % l->local[1], i / l->local[0] / l->local[1]},
            .arg = l->arg,
            .sp = l->stack_base + ((uint64_t)(i + 1) << l->stack_log2),
            .thread = i % l->threads,
            .lane = i % l->threads % l->lanes,
            .warp = i / l->threads,
            .hartid = i, /* warp * threads + thread on core 0 */
            .private = private,
        };
        for (unsigned k = 0; k < 3; k++)
            id.grp[k] = grp[k], id.gbase[k] = grp[k] * l->local[k] + l->offset[k];
        ref_thread_init(&g->threads[i], l->entry, &id);
        g->progress[i] = RUNNING;
    }
    if (l->spad_bytes)
        memset(g->run.spad, 0, l->spad_bytes);
    g->run.mem->global.line = g->run.mem->spad.line = NO_LINE;
}

/* All threads wait or have ended: those that wait may go on only if all of their warp wait at the same barrier, and no warp has ended. */
static int check_barrier(group *g)
{
    uint32_t per_warp = g->launch->threads, none = UINT32_MAX, first = none;
    bool warp_ended = false;
    for (uint32_t w = 0; w < g->warps; w++) {
        uint32_t end = (w + 1) * per_warp < g->n ? (w + 1) * per_warp : g->n, waits = none;
        bool ended = false;
        for (uint32_t i = w * per_warp; i < end; i++) {
            if (g->progress[i] == ENDED) {
                ended = true;
                continue;
            }
            if (waits == none)
                waits = i;
            if (g->threads[i].pc != g->threads[waits].pc)
                return fault(g, waits, REF_FAULT_BARRIER, 0, g->threads[waits].pc);
        }
        if (waits == none)
            warp_ended = true;
        else if (ended)
            return fault(g, waits, REF_FAULT_BARRIER, 0, g->threads[waits].pc);
        else if (first == none)
            first = waits;
    }
    if (first != none && warp_ended)
        return fault(g, first, REF_FAULT_BARRIER, 1, g->threads[first].pc);
    return REF_OK;
}

static int run_group(group *g, const uint32_t grp[3])
{
    ref_result *r = g->result;
    start(g, grp);
    for (;;) {
        bool running = false, waiting = false;
        for (uint32_t i = 0; i < g->n; i++) {
            progress *p = &g->progress[i];
            if (*p == RUNNING) {
                int64_t turn = g->launch->turn ? g->launch->turn : TURN, rest;
                if (g->launch->limit && g->launch->limit - r->instructions < (uint64_t)turn)
                    turn = (int64_t)(g->launch->limit - r->instructions);
                ref_cause cause;
                uint64_t value;
                rest = turn;
                run_end end;
                do {
                    end = run_thread(&g->run, &g->threads[i], &rest, &cause, &value);
                } while (end == RUN_FAULT && mapped(g, i, cause, value));
                r->instructions += (uint64_t)(turn - rest);
                if (end == RUN_FAULT)
                    return fault(g, i, cause, value, g->threads[i].pc);
                if (end == RUN_EXIT)
                    *p = ENDED;
                if (end == RUN_BARRIER)
                    *p = WAITING;
                bool over = *p == RUNNING && g->launch->limit && r->instructions >= g->launch->limit;
                if (over || (g->launch->limit && r->instructions > g->launch->limit))
                    return REF_ELIMIT;
                if (g->launch->pause && g->launch->pause(g->launch->user))
                    return REF_EINTR;
            }
            running |= *p == RUNNING;
            waiting |= *p == WAITING;
        }
        if (running)
            continue;
        if (!waiting)
            return REF_OK;
        int e = check_barrier(g);
        if (e)
            return e;
        r->barriers++;
        for (uint32_t i = 0; i < g->n; i++)
            if (g->progress[i] == WAITING) {
                g->progress[i] = RUNNING;
                g->threads[i].pc += 4;
            }
    }
}

static int run_groups(group *g)
{
    const ref_launch *l = g->launch;
    uint64_t total = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
    for (uint32_t z = 0; z < l->groups[2]; z++)
        for (uint32_t y = 0; y < l->groups[1]; y++)
            for (uint32_t x = 0; x < l->groups[0]; x++) {
                int e = run_group(g, (uint32_t[3]){x, y, z});
                if (e)
                    return e;
                g->result->groups++;
                if (l->poll && l->poll(l->user, g->result->groups, total))
                    return REF_EINTR;
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
           && l->entry <= REF_PC_MASK && l->limit <= INT64_MAX;
}

int ref_run_kernel(ref_mem *m, const ref_launch *l, ref_result *r)
{
    memset(r, 0, sizeof *r);
    if (!m || !sensible(l))
        return REF_EINVAL;
    group g = {.run = {.mem = m, .spad_bytes = l->spad_bytes}, .launch = l, .result = r};
    g.n = l->local[0] * l->local[1] * l->local[2];
    g.warps = (g.n + l->threads - 1) / l->threads;
    g.threads = malloc(g.n * sizeof *g.threads);
    g.progress = malloc(g.n * sizeof *g.progress);
    g.run.spad = malloc(l->spad_bytes + 8);
    m->no_memory = false;
    int e = g.threads && g.progress && g.run.spad ? run_groups(&g) : REF_ENOMEM;
    r->atomics = g.run.atomics[0];
    r->spad_atomics = g.run.atomics[1];
    for (unsigned i = 0; i < PAGES; i++)
        free(g.run.pages[i]);
    free(g.threads);
    free(g.progress);
    free(g.run.spad);
    return e;
}
