/* State of the bench of simt: the pc of each thread of each warp, the table, the answer that each warp must get; and the warps that part one thread at a time */
#ifndef VERIF_SIMT_ENV_H
#define VERIF_SIMT_ENV_H
#include "verif/common/bench.h"
#include "verif/core/simt/page.h"

enum {
    POOL = 24,
    FREE = 0,
    THINKS,
    ASKED,
    MET,
    TOLD
}; /* MET: with its group; TOLD: a go is offered, and not taken yet */
#define LAST_PC (((1ull << PA_W) - 1) & ~3ull) /* behind it comes address 0 */
typedef enum { GO, STOP, ARRIVE, MEET, FAULT } answer_e;
typedef struct {
    uint8_t state;
    uint64_t pc, rpc, tmask, live;
    uint64_t waiting, bar_pc; /* threads that wait at the barrier there for others of the warp */
    bool left, met; /* left: threads have ended; met: it is at a barrier that all have reached */
    uint64_t at[THREADS]; /* where each thread is */
    answer_e answer; /* the expected answer to the record */
    unsigned cause; /* of FAULT */
    uint64_t fault_pc, fault_value, fault_mask;
    unsigned pushes, writes; /* entries that the branch asked for pushes, if the table is still the one it was */
    bool rpc_valid, at_rpc;
    unsigned depth; /* of the stack */
    /* Its parts have met at a barrier while its stack had entries, and it parts one thread at a time now: entries that were kept leave no room for the last ones. */
    bool met_above, fills;
    bool exit; /* the requested record was a `vl_exit` */
    bool grouped, nested, begins; /* of a compacted group; a GO_FORM has begun it anew */
    /* It parts one thread at a time, and all but the first one end, which waits at the meeting point: a stack of entries without threads. */
    bool climbs;
    unsigned climbed; /* 1: the first has parted; 2: and has reached the meeting point */
    bool branches; /* it asks by a branch: `met_at` */
    cf_t met_at;
} warp_env_t;
typedef struct {
    bool valid;
    uint64_t pc, target;
} entry_env_t;
typedef struct {
    warp_env_t warp[WARPS];
    entry_env_t table[RECONV_SETS][2];
    uint64_t pool[POOL];
    bool halt;
    unsigned pops, writes;
    cf_t last_cf;
    bool last_cf_valid, go_valid;
    go_t go;
    page_t page;
} env_t;

#define ALL (THREADS == 64 ? ~0ull : (1ull << (THREADS % 64)) - 1)

static unsigned set_of(uint64_t pc)
{
    return pc >> 2 & (RECONV_SETS - 1);
}

static uint64_t pool_pc(bench_t *b, env_t *e)
{
    return e->pool[vl_below(&b->rng, POOL)];
}

static unsigned count(uint64_t m)
{
    return (unsigned)__builtin_popcountll(m);
}

static bool peels(const bench_t *b)
{
    return b->seed % 3 == 2;
}

static bool climbs(bench_t *b, const warp_env_t *v)
{
    return HOME_WARPS > 1 && count(v->live) > 3 && vl_chance(&b->rng, peels(b) ? 10 : 40);
}

/* Threads of the path go to pc, all of them or those of the mask. */
static void move(warp_env_t *v, uint64_t mask, uint64_t pc)
{
    for (; mask; mask &= mask - 1)
        v->at[__builtin_ctzll(mask)] = pc;
}

static void must_fault(warp_env_t *v, unsigned cause, uint64_t pc, uint64_t value, uint64_t mask)
{
    v->answer = FAULT;
    v->cause = cause, v->fault_pc = pc, v->fault_value = value, v->fault_mask = mask;
}
#endif
