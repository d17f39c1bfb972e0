/* A group: its threads in turns, from barrier to barrier. */
#include <stdlib.h>

#include "sim_c/ref/internal.h"

#define TURN 100000
#define LONG 16 /* rounds without progress after which other groups get a turn */

bool group_make(group *g, const ref_launch *l)
{
    g->n = l->local[0] * l->local[1] * l->local[2];
    g->warps = (g->n + l->threads - 1) / l->threads;
    g->threads = malloc(g->n * sizeof *g->threads);
    g->progress = malloc(g->n * sizeof *g->progress);
    g->stuck = malloc(g->n * sizeof *g->stuck);
    g->spad = malloc(l->spad_bytes + 8);
    return g->threads && g->progress && g->stuck && g->spad;
}

void group_free(group *g)
{
    free(g->threads);
    free(g->progress);
    free(g->stuck);
    free(g->spad);
}

static int fault(launch_state *s, const group *g, uint32_t thread, ref_cause cause, uint64_t value, uint64_t pc)
{
    ref_result *r = s->result;
    const ref_ident *id = &g->threads[thread].id;
    r->cause = cause, r->value = value, r->pc = pc;
    memcpy(r->group, id->grp, sizeof r->group);
    memcpy(r->local, id->lid, sizeof r->local);
    r->core = id->core;
    r->warp = id->warp;
    r->thread = id->thread;
    r->group_thread = thread;
    return s->run.mem->no_memory ? REF_ENOMEM : REF_EFAULT;
}

/* The host may map the page: then the thread goes on with the same instruction. */
static bool mapped(launch_state *s, group *g, uint32_t thread, ref_cause cause, uint64_t value)
{
    const ref_launch *l = s->launch;
    if (!l->page_fault || cause < REF_FAULT_FETCH_PAGE || s->run.mem->no_memory)
        return false;
    ref_page_fault f = {.cause = cause,
                        .address = value,
                        .pc = g->threads[thread].pc,
                        .core = g->core,
                        .warp = g->threads[thread].id.warp,
                        .thread = thread % l->threads};
    fp_leave(&s->host);
    const bool mapped = l->page_fault(l->user, &f);
    fp_enter(&s->host);
    return mapped;
}

void group_start(launch_state *s, group *g, const uint32_t grp[3])
{
    const ref_launch *l = s->launch;
    const ref_private private = ref_private_of(l->stack_base, l->stack_log2, l->harts, l->threads);
    const uint32_t first = (g->core * l->warps + g->warp) * l->threads;
    for (uint32_t i = 0; i < g->n; i++) {
        ref_ident id = {
            .lid = {i % l->local[0], i / l->local[0] % l->local[1], i / l->local[0] / l->local[1]},
            .arg = l->arg,
            .sp = l->stack_base + ((uint64_t)(first + i + 1) << l->stack_log2),
            .thread = i % l->threads,
            .lane = i % l->threads % l->lanes,
            .warp = g->warp + i / l->threads,
            .core = g->core,
            .hartid = first + i,
            .private = private,
            .private_bytes = l->private_bytes,
        };
        for (unsigned k = 0; k < 3; k++)
            id.grp[k] = grp[k], id.gbase[k] = grp[k] * l->local[k] + l->offset[k];
        ref_thread_init(&g->threads[i], l->entry, &id);
        g->progress[i] = RUNNING;
        g->stuck[i] = NOT_STUCK;
    }
    if (l->spad_bytes)
        memset(g->spad, 0, l->spad_bytes);
    g->rounds = 0;
    g->busy = true;
}

/* All threads wait or have ended: those that wait may go on only if all of their warp wait at the same barrier, and no warp has ended. */
static int check_barrier(launch_state *s, group *g)
{
    uint32_t per_warp = s->launch->threads, none = UINT32_MAX, first = none;
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
                return fault(s, g, waits, REF_FAULT_BARRIER, 0, g->threads[waits].pc);
        }
        if (waits == none)
            warp_ended = true;
        else if (ended)
            return fault(s, g, waits, REF_FAULT_BARRIER, 0, g->threads[waits].pc);
        else if (first == none)
            first = waits;
    }
    if (first != none && warp_ended)
        return fault(s, g, first, REF_FAULT_BARRIER, 1, g->threads[first].pc);
    return REF_OK;
}

/* The thread has changed no memory for a while. If it comes back to where it is, with the same registers, it will for ever, until another changes memory. A jump that is looked at
 * costs as much as some 25 instructions. */
static run_end look(runner *r, ref_thread *t, int64_t jumps, int64_t *left, ref_cause *cause, uint64_t *value)
{
    const ref_thread before = *t;
    const uint64_t writes = r->writes;
    for (; jumps && *left > 0; jumps--) {
        int64_t rest = 1;
        run_end end = run_thread(r, t, &rest, cause, value);
        *left -= 1 - rest;
        if (end != RUN_TURN || r->writes != writes)
            return end;
        if (t->pc == before.pc && !memcmp(t->x, before.x, 32 * sizeof *t->x) && t->fflags == before.fflags
            && t->frm == before.frm)
            return RUN_STUCK;
    }
    return RUN_TURN;
}

/* A thread's turn of *left instructions, which ends when it is found to wait. */
static run_end take_turn(runner *r, ref_thread *t, int64_t *left, ref_cause *cause, uint64_t *value)
{
    for (int64_t part = 1024;; part *= 4) {
        const int64_t now = *left < part ? *left : part;
        const uint64_t writes = r->writes;
        int64_t rest = now;
        run_end end = run_thread(r, t, &rest, cause, value);
        *left -= now - rest;
        if (end == RUN_TURN && *left > 0 && r->writes == writes)
            end = look(r, t, part / 256, left, cause, value);
        if (end != RUN_TURN || *left <= 0)
            return end;
    }
}

bool launch_polled(launch_state *s)
{
    const ref_launch *l = s->launch;
    s->polled = s->result->instructions;
    return l->poll && l->poll(l->user, s->result->groups, (uint64_t)l->groups[0] * l->groups[1] * l->groups[2]);
}

static int run_member(launch_state *s, group *g, uint32_t i)
{
    ref_result *r = s->result;
    const ref_launch *l = s->launch;
    int64_t turn = l->turn ? l->turn : TURN, rest;
    if (l->limit && l->limit - r->instructions < (uint64_t)turn)
        turn = (int64_t)(l->limit - r->instructions);
    ref_cause cause;
    uint64_t value;
    rest = turn;
    run_end end;
    do {
        end = take_turn(&s->run, &g->threads[i], &rest, &cause, &value);
    } while (end == RUN_FAULT && mapped(s, g, i, cause, value));
    r->instructions += (uint64_t)(turn - rest);
    if (end == RUN_FAULT)
        return fault(s, g, i, cause, value, g->threads[i].pc);
    if (end == RUN_EXIT)
        g->progress[i] = ENDED;
    if (end == RUN_BARRIER)
        g->progress[i] = WAITING;
    g->stuck[i] = end == RUN_STUCK ? s->run.writes : NOT_STUCK;
    if (g->progress[i] != RUNNING)
        g->rounds = 0;
    bool over = g->progress[i] == RUNNING && l->limit && r->instructions >= l->limit;
    if (over || (l->limit && r->instructions > l->limit))
        return REF_ELIMIT;
    if (!l->pause && r->instructions - s->polled < 4000000)
        return REF_OK;
    fp_leave(&s->host);
    const bool ended = (l->pause && l->pause(l->user)) || (r->instructions - s->polled >= 4000000 && launch_polled(s));
    fp_enter(&s->host);
    return ended ? REF_EINTR : REF_OK;
}

bool group_is_stuck(const launch_state *s, const group *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->progress[i] == RUNNING && g->stuck[i] != s->run.writes)
            return false;
    return true;
}

static int run_rounds(launch_state *s, group *g, group_end *end)
{
    for (;;) {
        bool running = false, waiting = false;
        int e;
        g->rounds++;
        for (uint32_t i = 0; i < g->n; i++) {
            if (g->progress[i] == RUNNING && g->stuck[i] != s->run.writes && (e = run_member(s, g, i)))
                return e;
            running |= g->progress[i] == RUNNING;
            waiting |= g->progress[i] == WAITING;
        }
        if (running) {
            *end = group_is_stuck(s, g) ? GROUP_STUCK : GROUP_SLOW;
            if (*end == GROUP_STUCK || g->rounds >= LONG)
                return REF_OK;
            continue;
        }
        if (!waiting) {
            g->busy = false;
            *end = GROUP_ENDED;
            return REF_OK;
        }
        if ((e = check_barrier(s, g)))
            return e;
        s->result->barriers++;
        for (uint32_t i = 0; i < g->n; i++)
            if (g->progress[i] == WAITING) {
                g->progress[i] = RUNNING;
                g->threads[i].pc += 4;
            }
    }
}

int group_run(launch_state *s, group *g, group_end *end)
{
    ref_mem *m = s->run.mem;
    m->global.line = m->spad.line = NO_LINE;
    s->run.spad = g->spad;
    fp_enter(&s->host);
    const int e = run_rounds(s, g, end);
    fp_leave(&s->host);
    return e;
}

static void warp_left(const launch_state *s, const group *g, uint32_t first, uint32_t end)
{
    while (first < end && g->progress[first] == ENDED)
        first++;
    if (first == end)
        return;
    const ref_thread *t = &g->threads[first];
    ref_left w = {.pc = t->pc,
                  .core = g->core,
                  .warp = t->id.warp,
                  .group = {t->id.grp[0], t->id.grp[1], t->id.grp[2]},
                  .barrier = g->progress[first] == WAITING,
                  .stuck = g->progress[first] == RUNNING && g->stuck[first] != NOT_STUCK};
    for (uint32_t i = first; i < end; i++)
        if (g->progress[i] == g->progress[first] && g->threads[i].pc == t->pc)
            w.threads |= 1ull << (i % s->launch->threads);
    s->launch->left(s->launch->user, &w);
}

void group_left(const launch_state *s, const group *g)
{
    const uint32_t threads = s->launch->threads;
    for (uint32_t i = 0; i < g->n; i += threads)
        warp_left(s, g, i, i + threads < g->n ? i + threads : g->n);
}
