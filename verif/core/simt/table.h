/* The reconvergence table: writes to it, and a branch that finds a new meeting point in it */
#ifndef VERIF_SIMT_TABLE_H
#define VERIF_SIMT_TABLE_H
#include "verif/core/simt/env.h"

/* A divergent branch with a meeting point that is new, at neither side: the deepest that a stack grows at once. */
static bool peel(env_t *e, warp_env_t *v, cf_t *q)
{
    for (unsigned k = 0; k < POOL; k++)
        for (unsigned way = 0; way < 2; way++) {
            const uint64_t pc = e->pool[k];
            const entry_env_t *t = e->table[set_of(pc)];
            if (!t[way].valid || t[way].pc != pc || (way && t[0].valid && t[0].pc == pc))
                continue;
            const uint64_t meet = t[way].target;
            if (meet == ((pc + 4) & ((1ull << PA_W) - 1)) || (v->rpc_valid && (meet == v->rpc || pc == v->rpc)))
                continue;
            q->pc = pc;
            q->target = e->pool[(k + 1) % POOL] == meet ? e->pool[(k + 2) % POOL] : e->pool[(k + 1) % POOL];
            return q->target != meet;
        }
    return false;
}

static void table_write(bench_t *b, env_t *e, simt_in_t *in)
{
    in->tw_valid = true;
    reconv_write_t *t = &in->tw;
    if (b->cycle < RECONV_SETS * 2) { /* all of it once */
        t->way = b->cycle & 1, t->valid = false;
        t->pc = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->target = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->index = b->cycle / 2;
    } else {
        uint64_t pc = vl_chance(&b->rng, 60) && e->last_cf_valid ? e->last_cf.pc : pool_pc(b, e);
        t->index = set_of(pc);
        t->way = vl_chance(&b->rng, 128);
        t->valid = !vl_chance(&b->rng, 40);
        t->pc = pc;
        t->target = vl_chance(&b->rng, 60) ? pc + 4 : pool_pc(b, e);
        t->target &= (1ull << PA_W) - 1;
        if (e->table[t->index][!t->way].valid && e->table[t->index][!t->way].pc == pc && t->valid
            && !vl_chance(&b->rng, 20))
            t->valid = false; /* mostly one entry a branch */
    }
    e->table[t->index][t->way] = (entry_env_t){t->valid, t->pc, t->target};
    e->writes++;
}
#endif
