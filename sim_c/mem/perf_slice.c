/* Twin of rtl/mem/perf_slice.sv: performance counters of an L2 slice (docs/blocks/perf_slice.md; steps are the page's).
 * Most events are a byte of the event struct that is 0 or 1: all of its bytes are added up as they are, and go into the counters before they
 * can run over. (Class and address space are added up too, and never looked at.) */
#include "sim_c/mem/perf_slice.h"
#include "vl_perf.h"
#include <stddef.h>
#include <string.h>

#define COUNTER_MASK ((1ull << COUNTER_W) - 1)

enum { BYTES = sizeof(ev_l2_t), NONE = BYTES, MOST = 255 };

/* The number of each counter by its name, and where its byte is. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_SLICE_COUNTERS(NUMBER) };
#define BYTE_l2(name) offsetof(ev_l2_t, name)
#define BYTE_req_net(name) NONE
#define BYTE_rsp_net(name) NONE
#define BYTE_perf_slice(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[SLICE_COUNTERS] = {VL_SLICE_COUNTERS(BYTE)};

struct perf_slice {
    uint64_t count[SLICE_COUNTERS];
    uint64_t rd_data;
    uint8_t low[BYTES + 1]; /* not in `count` yet; [NONE] stays 0 */
    uint8_t ticks;          /* that made them */
};

size_t perf_slice_size(void)
{
    return sizeof(struct perf_slice);
}

void perf_slice_reset(perf_slice_t *s)
{
    memset(s, 0, sizeof *s);
}

void perf_slice_out(const perf_slice_t *s, perf_slice_out_t *o)
{
    o->rd_data = s->rd_data;
}

static void carry(perf_slice_t *s)
{
    for (unsigned k = 0; k < SLICE_COUNTERS; k++)
        s->count[k] += s->low[byte_of[k]];
    memset(s->low, 0, sizeof s->low);
    s->ticks = 0;
}

/* Step 1: the events that are not a byte of `ev`. */
static void count_decoded(perf_slice_t *s, const perf_slice_in_t *in, uint64_t cycles)
{
    s->count[N_l2_req_taken] += cycles * in->ev_taken;
    s->count[N_l2_req_blocked] += cycles * in->ev_blocked;
    s->count[N_l2_rsp_stalled] += cycles * in->ev_rsp_stalled;
    if (!in->ev.l2_access)
        return;
    uint64_t hits = cycles * in->ev.l2_hit;
    s->count[N_l2_access_cls0 + in->ev.l2_cls] += cycles;
    s->count[N_l2_hit_cls0 + in->ev.l2_cls] += hits;
    for (unsigned a = 0; a < APPS; a++) {
        if (in->ctl.sched.app_valid >> a & 1 && in->ctl.sched.app_asid[a] == in->ev.l2_asid) {
            s->count[N_l2_access_app0 + a] += cycles;
            s->count[N_l2_hit_app0 + a] += hits;
        }
    }
}

void perf_slice_tick(perf_slice_t *s, const perf_slice_in_t *in)
{
    unsigned k = in->rd_idx;
    s->rd_data = k < SLICE_COUNTERS ? (s->count[k] + s->low[byte_of[k]]) & COUNTER_MASK : 0; /* step 2 */
    if (in->clear) {                                                                         /* step 3 */
        memset(s->count, 0, sizeof s->count);
        memset(s->low, 0, sizeof s->low);
        s->ticks = 0;
        return;
    }
    const unsigned char *ev = (const unsigned char *)&in->ev;
    for (unsigned i = 0; i < BYTES; i++)
        s->low[i] = (uint8_t)(s->low[i] + ev[i]);
    if (++s->ticks == MOST)
        carry(s);
    count_decoded(s, in, 1);
}

void perf_slice_skip(perf_slice_t *s, const perf_slice_in_t *in, uint64_t cycles)
{
    uint8_t ev[BYTES + 1] = {0};
    memcpy(ev, &in->ev, BYTES);
    for (unsigned k = 0; k < SLICE_COUNTERS; k++)
        s->count[k] += (cycles - 1) * ev[byte_of[k]];
    count_decoded(s, in, cycles - 1);
    perf_slice_tick(s, in);
}

/* Counting never rests; the composition skips dead time with perf_slice_skip. */
bool perf_slice_idle(const perf_slice_t *s)
{
    (void)s;
    return false;
}
