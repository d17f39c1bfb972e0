/* Twin of rtl/top/dispatcher.sv: workgroups to cores (docs/blocks/dispatcher.md). */
#include "sim_c/top/dispatcher.h"
#include <string.h>

struct dispatcher {
    group_t next;
    bool more, offer, run, done;
    uint32_t core, ptr, out;
};

size_t dispatcher_size(void)
{
    return sizeof(struct dispatcher);
}

void dispatcher_reset(dispatcher_t *s)
{
    memset(s, 0, sizeof *s);
}

void dispatcher_out(const dispatcher_t *s, dispatcher_out_t *o)
{
    uint64_t valid = s->offer ? 1ull << s->core : 0;
    o->group_valid = valid;
    if (valid)
        for (unsigned c = 0; c < CORES; c++)
            o->group[c] = s->next;
    o->done = s->done;
}

static void count_on(dispatcher_t *s, const kernel_t *k) /* step 2 */
{
    group_t *g = &s->next;
    for (unsigned d = 0; d < 3; d++) {
        g->gbase[d] += k->local_size[d];
        if (++g->grp[d] != k->groups[d])
            return;
        g->grp[d] = 0;
        g->gbase[d] = k->offset[d];
    }
    s->more = false;
}

void dispatcher_tick(dispatcher_t *s, const dispatcher_in_t *in)
{
    const kernel_t *k = &in->kernel;
    const uint64_t ready = in->group_ready, done = in->group_done;
    if (in->kernel_start) { /* step 1 */
        *s = (dispatcher_t){.more = k->groups[0] && k->groups[1] && k->groups[2], .run = true};
        memcpy(s->next.gbase, k->offset, sizeof s->next.gbase);
        return;
    }
    bool finished = s->run && !s->more && !s->offer && s->out == 0;
    bool taken = s->offer && (ready >> s->core & 1);
    unsigned taker = s->core;
    if (taken)
        count_on(s, k);
    if (!s->offer || taken) { /* step 3 */
        s->offer = false;
        for (unsigned i = 0; i < CORES && s->more && !in->halt; i++) {
            unsigned c = (s->ptr + i) % CORES;
            if ((ready >> c & 1) && !(taken && c == taker)) {
                s->offer = true;
                s->core = c;
                s->ptr = (c + 1) % CORES;
                break;
            }
        }
    }
    s->out += taken;
    s->out -= (uint32_t)__builtin_popcountll(done);
    s->done |= finished;
}

bool dispatcher_idle(const dispatcher_t *s)
{
    return !s->more && !s->offer && (!s->run || s->done);
}

bool dispatcher_waiting(const dispatcher_t *s)
{
    return !s->more && !s->offer && (!s->run || s->out || s->done);
}
