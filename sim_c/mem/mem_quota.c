/* Twin of rtl/mem/mem_quota.sv: quotas of the turns in Silver (docs/blocks/mem_quota.md). Stages and steps are the page's. */
#include "mem_quota_ports.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum { IDLE, MUL, DIV, SHOW, BITS = 10 };
struct mem_quota {
    uint8_t con[APPS], warps[APPS], valid, stage, k, bit;
    uint16_t max, p[APPS], sum, q[APPS], r, thresh[APPS];
};

TWIN_STATE(mem_quota)

void mem_quota_out(const mem_quota_t *s, mem_quota_out_t *o)
{
    memcpy(o->thresh, s->thresh, sizeof o->thresh);
    o->idle = s->stage == IDLE;
}

static void divide(mem_quota_t *s)
{
    s->stage = DIV;
    s->bit = BITS - 1;
    s->r = 0;
}

static void multiply(mem_quota_t *s)
{
    unsigned k = s->k;
    s->p[k] = s->valid >> k & 1 ? s->con[k] * s->warps[k] : 0;
    s->sum += s->p[k];
    if (++s->k < APPS)
        return;
    s->k = 0;
    divide(s);
    if (!s->sum)
        for (unsigned a = 0; a < APPS; a++) {
            s->p[a] = s->valid >> a & 1;
            s->sum += s->p[a];
        }
}

static void one_bit(mem_quota_t *s)
{
    unsigned p = s->p[s->k], t = 2u * s->r + (s->max >> s->bit & 1 ? p : 0), digit = 0;
    if (s->sum)
        for (; t >= s->sum; t -= s->sum)
            digit++;
    s->q[s->k] = (uint16_t)((s->bit == BITS - 1 ? 0 : 2u * s->q[s->k]) + digit);
    s->r = (uint16_t)t;
    if (s->bit--)
        return;
    if (!s->q[s->k] && p && s->max)
        s->q[s->k] = 1;
    divide(s);
    if (++s->k == APPS) {
        s->k = 0;
        s->stage = SHOW;
    }
}

void mem_quota_tick(mem_quota_t *s, const mem_quota_in_t *in)
{
    if (in->epoch) {
        memcpy(s->con, in->con_ptw, sizeof s->con);
        memcpy(s->warps, in->warps, sizeof s->warps);
        s->max = in->policy.thresh_max;
        s->valid = in->policy.app_valid;
        s->sum = 0;
        s->k = 0;
        s->stage = MUL;
    } else if (s->stage == MUL) {
        multiply(s);
    } else if (s->stage == DIV) {
        one_bit(s);
    } else if (s->stage == SHOW) {
        memcpy(s->thresh, s->q, sizeof s->thresh);
        s->stage = IDLE;
    }
}

bool mem_quota_idle(const mem_quota_t *s)
{
    return s->stage == IDLE;
}
