/* State of the page of compactor: threads, groups and their stacks. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_STATE_H
#define VERIF_CORE_COMPACTOR_PAGE_STATE_H
#include "compactor_ports.h"
#include "isa_gen.h"
#include "verif/common/scoreboard.h"

#define PAGE_PC_MASK ((1ull << PA_W) - 1)
enum { ELSEWHERE, RUNS, STANDS, ARRIVED }; /* REST, RUN, BRANCH, BAR of the page */
enum { NO_SIDE, TAKES, PASSES };
enum { E_IDLE, E_ALONE, E_DIV, E_SIDE, E_POP, E_FORM, E_ADMIT, E_BACK, E_DONE };
enum { NOBODY = -1 };

typedef struct {
    bool live, waits, form;
    int side;
} thread_s;

typedef struct {
    thread_s thread[THREADS]; /* of this warp as a home */
    bool in, gone;
    uint64_t wpc;
    /* of this warp as a place to run */
    int state, slot, fly, home[THREADS];
    meet_t at;
} warp_s;

typedef struct {
    uint64_t pc, rpc;
    bool rpc_valid, has[WARPS][THREADS];
} entry_s;

typedef struct {
    int size, started, level;
    bool on, aware, left, rpc_valid, some, mixed;
    uint64_t rpc, pc;
    entry_s stack[BLOCK_STACK];
} group_s;

typedef struct {
    warp_s warp[WARPS];
    group_s group[GROUPS];
    int engine, g, turn;
    uint64_t fpc;
    bool todo[WARPS], member[WARPS];
    int place[THREADS]; /* of the warp that ADMIT fills: a home, or NOBODY */
    meet_t d;
    bool flt_valid, stalled; /* stalled: the bench's: a warp of ADMIT waited for go */
    go_t flt;
    compactor_out_t out;
    /* events of the last edge, for coverage */
    struct {
        /* ready groups; reason of GO_ALONE; 1 + value of a fault; entries that were skipped */
        int ready, alone_for, fault, popped;
        bool fresh, both, at_target, at_next;
        int joined; /* the home that ADMIT took, or NOBODY */
    } did;
} page_t;

static void page_begin(page_t *p)
{
    memset(p, 0, sizeof *p);
}

static bool page_of(const page_t *p, int w, int g)
{
    return p->warp[w].in && p->warp[w].slot == g;
}

static int page_count(const page_t *p, int g, int state)
{
    int n = 0;
    for (int w = 0; w < WARPS; w++)
        n += page_of(p, w, g) && p->warp[w].state == state;
    return n;
}

static bool page_side(const page_t *p, int g, int side)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (page_of(p, h, g) && p->warp[h].thread[t].side == side)
                return true;
    return false;
}

static bool page_waits(const page_t *p, int h)
{
    for (int t = 0; t < THREADS; t++)
        if (p->warp[h].thread[t].waits)
            return true;
    return false;
}
#endif
