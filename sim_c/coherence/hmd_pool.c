/* Requests of an HMD in the order of their arrival, and the transactions that begin with them (docs/blocks/hmd.md). */
#include "sim_c/coherence/hmd_state.h"

_Static_assert((int)HMD_READ == (int)SMD_READ && (int)HMD_OWN == (int)SMD_OWN && (int)HMD_EVICT == (int)SMD_EVICT
                   && (int)HMD_FLUSH == (int)SMD_FLUSH,
               "a request's op is its transaction's");

void hmd_collect(hmd_t *s, const hmd_edge_t *e)
{
    if (e->count[HMD_LIN] && !e->write) {
        const home_req_t *r = &s->lin[0];
        s->pool[s->jobs++] =
            (hmd_job_t){.op = r->op == HOME_READ_OWN ? HMD_L_OWN : HMD_L_READ, .id = r->id, .line = r->line};
        HMD_LEAVE(s, HMD_LIN, lin);
    } else if (e->count[HMD_QIN]) {
        const hmd_req_t *r = &s->qin[0];
        s->pool[s->jobs++] = (hmd_job_t){
            .op = r->req.op, .device = r->device, .line = r->req.line, .bytes = r->req.bytes, .thin = r->req.thin};
        HMD_LEAVE(s, HMD_QIN, qin);
    }
}

bool hmd_begin(hmd_t *s, hmd_edge_t *e)
{
    const unsigned free = ~(unsigned)e->valid & ((1u << HMD_TRANSACTIONS) - 1);
    unsigned i = 0;
    if (hmd_clearing(s) || !free)
        return false;
    while (i < s->jobs && hmd_about(s, e, s->pool[i].line) >= 0)
        i++;
    if (i == s->jobs)
        return false;

    const hmd_job_t j = s->pool[i];
    const unsigned x = hmd_lowest(free);
    memmove(s->pool + i, s->pool + i + 1, (--s->jobs - i) * sizeof *s->pool);
    memset(&s->pool[s->jobs], 0, sizeof *s->pool);
    s->x[x] = (hmd_transaction_t){
        .op = j.op, .device = j.device, .id = j.id, .line = j.line, .bytes = j.bytes, .thin = j.thin};
    s->valid |= (uint16_t)(1u << x);
    s->at[HMD_T_LOOK] |= (uint16_t)(1u << x);
    s->s1.valid = true;
    s->s1.x = (uint8_t)x;
    e->ev.hmd_read = j.op == HMD_READ;
    e->ev.hmd_own = j.op == HMD_OWN;
    e->ev.hmd_evict = j.op == HMD_EVICT;
    e->ev.hmd_flush = j.op == HMD_FLUSH;
    e->ev.hmd_host_read = j.op == HMD_L_READ;
    e->ev.hmd_host_own = j.op == HMD_L_OWN;
    return true;
}
