/* Twin of rtl/core/fetch.sv: which warp gets the next 16 bytes (docs/blocks/fetch.md). Sets of warps are bit masks. */
#include "fetch_ports.h"
#include "sim_c/common/memory_map.h"
#include <string.h>

#define PC_MASK ((1ull << PA_W) - 1)

struct fetch {
    uint64_t act, epoch, kill, wait, out[2];
    uint64_t room; /* warps with free >= 4 */
    uint64_t pc[WARPS];
    uint8_t free[WARPS];
    unsigned ptr;
    bool req_valid, push_valid, still;
    fetch_req_t req;
    push_t push;
    ev_fetch_t ev;
};

size_t fetch_size(void)
{
    return sizeof(struct fetch);
}

static void set_free(fetch_t *s, unsigned w, unsigned n)
{
    s->free[w] = (uint8_t)n;
    s->room = (s->room & ~(1ull << w)) | (uint64_t)(n >= 4) << w;
}

static void set_bit(uint64_t *m, unsigned w, bool v)
{
    *m = (*m & ~(1ull << w)) | (uint64_t)v << w;
}

void fetch_reset(fetch_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned w = 0; w < WARPS; w++)
        set_free(s, w, IBUF_DEPTH);
}

void fetch_out(const fetch_t *s, fetch_out_t *o)
{
    o->req_valid = s->req_valid;
    if (s->req_valid)
        o->req = s->req;
    o->push_valid = s->push_valid;
    if (s->push_valid)
        o->push = s->push;
    o->ev = s->ev;
}

/* First of a non-empty set at or after `from`, around. */
static unsigned first_from(uint64_t set, unsigned from)
{
    uint64_t high = set >> from << from;
    return (unsigned)__builtin_ctzll(high ? high : set);
}

static bool good(uint64_t pc, const fetch_in_t *in)
{
    return in->root.sv48 ? !(pc >> (PA_W - 1)) : in_memory(&in->kernel, pc);
}

void fetch_tick(fetch_t *s, const fetch_in_t *in)
{
    const bool r_flush = in->redirect_valid && (in->redirect.flush || in->redirect.stop);
    const unsigned r = in->redirect.warp;
    const uint64_t rbit = r_flush ? 1ull << r : 0;
    const bool moved = s->req_valid || s->push_valid || s->ev.fetch_requests || in->redirect_valid || in->rsp_valid
                       || in->pop_valid || (in->wake && s->wait);
    /* warps with a request of their current epoch under way */
    const uint64_t busy = (s->out[0] & ~s->epoch) | (s->out[1] & s->epoch);
    uint64_t ready = s->act & ~s->wait & ~busy & ~rbit & s->room;
    bool new_epoch = !(s->epoch >> r & 1);
    bool reuse = s->out[new_epoch] >> r & 1; /* the new epoch still has an old request under way */
    s->push_valid = false;
    memset(&s->ev, 0, sizeof s->ev);
    if (in->pop_valid && s->free[in->pop] == 3) /* the place that this pop frees may be used at once */
        ready |= s->act & ~s->wait & ~busy & ~rbit & 1ull << in->pop;

    if (in->wake) /* step 2 */
        s->wait = 0;

    if (in->rsp_valid) { /* step 3 */
        const fetch_rsp_t *q = &in->rsp;
        unsigned w = q->warp;
        bool same = (s->epoch >> w & 1) == q->epoch;
        bool current = same && !(s->kill >> w & 1) && !(rbit >> w & 1);
        set_bit(&s->out[q->epoch], w, false);
        if (same)
            set_bit(&s->kill, w, false);
        if (!current) {
            s->ev.fetch_stale = true;
        } else if (q->hit) {
            unsigned skip = q->pc >> 2 & 3, n = 4 - skip;
            s->push_valid = true;
            s->push = (push_t){.warp = q->warp, .n = (uint8_t)n};
            for (unsigned i = 0; i < n; i++)
                s->push.instr[i] = q->instr[skip + i];
            set_free(s, w, s->free[w] - n);
            s->pc[w] = ((q->pc & ~15ull) + 16) & PC_MASK;
            s->ev.fetched_instructions = (uint8_t)n;
        } else if (q->fault) {
            s->push_valid = true;
            s->push = (push_t){.warp = q->warp, .fault = true, .n = 1, .instr = {q->instr[0]}};
            set_free(s, w, s->free[w] - 1u);
            set_bit(&s->act, w, false);
        } else {
            set_bit(&s->wait, w, true);
            s->ev.fetch_misses = true;
        }
    }

    if (in->pop_valid) /* step 4; a flush sets the count below */
        set_free(s, in->pop, s->free[in->pop] + 1u);

    uint64_t requested = 0; /* by step 5a, on the new epoch */
    if (!s->req_valid || in->req_ready) { /* step 5, 6 */
        s->req_valid = false;
        if (!in->halt) {
            uint64_t pc = in->redirect.pc;
            if (r_flush && !in->redirect.stop && !reuse && good(pc, in)) {
                s->req = (fetch_req_t){.warp = in->redirect.warp, .epoch = new_epoch, .pc = pc};
                s->req_valid = s->ev.fetch_requests = true;
                requested = rbit;
            } else if (ready) {
                unsigned c = first_from(ready, s->ptr);
                bool epoch = s->epoch >> c & 1;
                pc = s->pc[c];
                if (good(pc, in)) {
                    s->req = (fetch_req_t){.warp = (uint8_t)c, .epoch = epoch, .pc = pc};
                    s->req_valid = s->ev.fetch_requests = true;
                    set_bit(&s->out[epoch], c, true);
                    s->ptr = (c + 1) % WARPS;
                } else if (!in->rsp_valid) {
                    s->push_valid = true;
                    s->push = (push_t){.warp = (uint8_t)c, .fault = true, .n = 1, .instr = {in->root.sv48}};
                    set_free(s, c, s->free[c] - 1u);
                    set_bit(&s->act, c, false);
                    s->ptr = (c + 1) % WARPS;
                }
            }
        }
    }

    if (r_flush) { /* step 1 */
        bool answered = in->rsp_valid && in->rsp.warp == r && in->rsp.epoch == new_epoch;
        set_bit(&s->epoch, r, new_epoch);
        set_bit(&s->act, r, !in->redirect.stop);
        s->pc[r] = in->redirect.pc;
        set_free(s, r, IBUF_DEPTH);
        set_bit(&s->wait, r, false);
        set_bit(&s->kill, r, reuse && !answered);
        if (requested)
            set_bit(&s->out[new_epoch], r, true);
    }
    s->still = !moved && !s->req_valid && !s->push_valid;
}

bool fetch_idle(const fetch_t *s)
{
    return s->still;
}
