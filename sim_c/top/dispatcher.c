/* Twin of rtl/top/dispatcher.sv: workgroups to cores (docs/blocks/dispatcher.md). */
#include "sim_c/top/dispatcher.h"
#include "sim_c/top/cores.h"
#include <string.h>

/* The groups of a kernel: twin of rtl/top/group_source.sv. */
typedef struct {
    group_t next;
    bool more, offer, run, done;
    uint32_t core, ptr, out;
} source_t;

struct dispatcher {
    source_t source[KERNELS];
    uint8_t owner[CORES];
    uint64_t cores[KERNELS]; /* the same as sets */
};

size_t dispatcher_size(void)
{
    return sizeof(struct dispatcher);
}

void dispatcher_reset(dispatcher_t *s)
{
    memset(s, 0, sizeof *s);
    s->cores[0] = ALL_CORES;
}

void dispatcher_out(const dispatcher_t *s, dispatcher_out_t *o)
{
    uint64_t valid = 0, done = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const source_t *q = &s->source[k];
        done |= (uint64_t)q->done << k;
        if (q->offer && s->owner[q->core] == k) {
            valid |= 1ull << q->core;
            o->group[q->core] = q->next;
        }
    }
    o->group_valid = valid;
    o->done = done;
}

static void count_on(source_t *s, const kernel_t *k) /* step 2 */
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

/* The core that is tried as the nth: devices in turn. */
static unsigned core_at(unsigned seat)
{
    return seat % DEVICES * (CORES / DEVICES) + seat / DEVICES;
}

/* `ready`, `ended`: of its cores. */
static void tick_source(source_t *s, const kernel_t *k, bool start, bool halt, uint64_t ready, uint64_t ended)
{
    if (start) { /* step 1 */
        *s = (source_t){.more = k->groups[0] && k->groups[1] && k->groups[2], .run = true};
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
        for (unsigned i = 0; i < CORES && s->more && !halt; i++) {
            unsigned seat = (s->ptr + i) % CORES, c = core_at(seat);
            if ((ready >> c & 1) && !(taken && c == taker)) {
                s->offer = true;
                s->core = c;
                s->ptr = (seat + 1) % CORES;
                break;
            }
        }
    }
    s->out += taken;
    s->out -= (uint32_t)__builtin_popcountll(ended);
    s->done |= finished;
}

void dispatcher_tick(dispatcher_t *s, const dispatcher_in_t *in)
{
    const uint64_t *cores = s->cores;
    for (unsigned k = 0; k < KERNELS; k++) {
        if ((uint64_t)in->kernel_rst >> k & 1)
            s->source[k] = (source_t){0};
        else
            tick_source(&s->source[k], &in->kernel[k], (uint64_t)in->kernel_start >> k & 1, (uint64_t)in->halt >> k & 1,
                        in->group_ready & cores[k], in->group_done & cores[k]);
    }
    if (!memcmp(s->owner, in->owner, sizeof s->owner))
        return;
    memcpy(s->owner, in->owner, sizeof s->owner);
    memset(s->cores, 0, sizeof s->cores);
    for (unsigned c = 0; c < CORES; c++)
        s->cores[s->owner[c]] |= 1ull << c;
}

/* Its groups are out, or it has none. */
static bool source_waits(const source_t *s)
{
    return !s->more && !s->offer && (!s->run || s->out || s->done);
}

bool dispatcher_idle(const dispatcher_t *s)
{
    bool idle = true;
    for (unsigned k = 0; k < KERNELS; k++)
        idle &= source_waits(&s->source[k]) && (!s->source[k].run || s->source[k].done);
    return idle;
}

bool dispatcher_waiting(const dispatcher_t *s, uint64_t ready)
{
    bool waits = true;
    for (unsigned k = 0; k < KERNELS; k++)
        waits &= !(ready & s->cores[k]) || source_waits(&s->source[k]);
    return waits;
}
