/* Twin of rtl/mem/perf_slice.sv: performance counters of an L2 slice (docs/blocks/perf_slice.md; steps are the page's).
 * Most events are a byte of the event struct that is 0 or 1: all of its bytes are added up as they are, and go into the counters before they
 * can run over. (Class and address space are added up too, and never looked at.) */
#include "perf_slice_ports.h"
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
static void count_decoded(perf_slice_t *s, const perf_slice_in_t *in)
{
    s->count[N_l2_req_taken] += in->ev_taken;
    s->count[N_l2_req_blocked] += in->ev_blocked;
    s->count[N_l2_rsp_stalled] += in->ev_rsp_stalled;
    if (!in->ev.l2_access)
        return;
    s->count[N_l2_access_cls0 + in->ev.l2_cls]++;
    s->count[N_l2_hit_cls0 + in->ev.l2_cls] += in->ev.l2_hit;
    for (unsigned a = 0; a < APPS; a++) {
        if (in->ctl.sched.app_valid >> a & 1 && in->ctl.sched.app_asid[a] == in->ev.l2_asid) {
            s->count[N_l2_access_app0 + a]++;
            s->count[N_l2_hit_app0 + a] += in->ev.l2_hit;
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
    count_decoded(s, in);
}

/* Reading goes on. The composition knows when nothing is to be counted. */
bool perf_slice_idle(const perf_slice_t *s)
{
    (void)s;
    return false;
}
