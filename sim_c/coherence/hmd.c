/* Twin of rtl/coherence/hmd.sv: the directory of a host memory channel (docs/blocks/hmd.md). Step numbers are the page's. The steps change the state
 * itself; values from before the edge that a step needs are in hmd_edge_t. */
#include "sim_c/coherence/hmd_state.h"
#include "sim_c/common/mask.h"
#include "sim_c/common/twin.h"

TWIN_STATE(hmd)

static bool queued(const hmd_t *s)
{
    unsigned all = 0;
    for (unsigned q = 0; q < HMD_QUEUES; q++)
        all |= s->count[q];
    return all;
}

/* A write-back is in `lin`: later acknowledgements of the last-level cache are newer. */
static bool writing(const hmd_t *s)
{
    for (unsigned k = 0; k < s->count[HMD_LIN]; k++)
        if (s->lin[k].op == HOME_WRITE_BACK)
            return true;
    return false;
}

void hmd_out(const hmd_t *s, hmd_out_t *o)
{
    o->smd_req_ready = s->count[HMD_QIN] < 2;
    o->smd_ack_ready = s->count[HMD_KIN] < 2;
    o->home_req_ready = s->count[HMD_LIN] < 2;
    o->home_ack_ready = s->count[HMD_AIN] < 2 && !writing(s);
    if ((o->smd_probe_valid = s->count[HMD_PQ]))
        o->smd_probe = s->pq[0];
    if ((o->smd_data_valid = s->count[HMD_DQ]))
        o->smd_data = s->dq[0];
    if ((o->home_probe_valid = s->count[HMD_LQ]))
        o->home_probe = s->lq[0];
    if ((o->host_req_valid = s->count[HMD_MQ]))
        o->host_req = s->mq[0];
    if ((o->home_rsp_valid = s->rsp_valid))
        o->home_rsp = s->rsp;
    if ((o->dir_valid = s->dir_valid))
        o->dir = s->dir;
    o->idle = !hmd_clearing(s) && !queued(s) && !s->jobs && !s->valid && !s->s1.valid && !s->rsp_valid && !s->reads
              && !s->here;
    o->ev = s->ev;
}

/* Outputs that are taken leave their queues. */
static void taken(hmd_t *s, const hmd_in_t *in)
{
    if (s->count[HMD_PQ] && in->smd_probe_ready)
        HMD_LEAVE(s, HMD_PQ, pq);
    if (s->count[HMD_DQ] && in->smd_data_ready)
        HMD_LEAVE(s, HMD_DQ, dq);
    if (s->count[HMD_LQ] && in->home_probe_ready)
        HMD_LEAVE(s, HMD_LQ, lq);
    if (s->count[HMD_MQ] && in->host_req_ready)
        HMD_LEAVE(s, HMD_MQ, mq);
}

/* Bytes are merged into memory. */
static void merge(hmd_t *s, hmd_edge_t *e, uint64_t line, const line_be_t *be, const line_data_t *data)
{
    home_req_t w = {.op = HOME_WRITE_BACK, .line = line, .state = NMOESI_M, .be = *be};
    if (e->stacks)
        w.data = *data;
    else
        be_put(&w.data, data, be, 0);
    hmd_to_memory(s, e, &w);
    e->ev.hmd_bytes = true;
}

/* Step 1. */
static void smd_ack(hmd_t *s, hmd_edge_t *e)
{
    const hmd_ack_t *k = &s->kin[0];
    const int x = hmd_about(s, e, k->ack.line);
    if (k->ack.kind == SMD_BYTES) {
        const line_be_t be = mask_bytes(&k->ack.mask);
        if (!e->mq)
            return;
        merge(s, e, k->ack.line, &be, &k->ack.data);
    } else if (k->ack.kind == SMD_GET) {
        if (!hmd_get(s, e, k))
            return;
    } else if (k->ack.kind == SMD_DONE && x >= 0) {
        hmd_transaction_t *t = &s->x[x];
        t->wait &= (uint8_t)~(1u << k->device);
        if (t->was.owner == k->device + 1) {
            t->ostate = k->ack.state;
            t->osent = k->ack.sent;
        }
        hmd_renew(s, (unsigned)x);
        e->ev.hmd_peer = k->ack.sent;
    } else if (x >= 0) {
        e->ends |= (uint16_t)(1u << x);
    }
    HMD_LEAVE(s, HMD_KIN, kin);
}

/* Steps 2 and 3: bytes of the last-level cache; whether the message with them may leave. */
static bool give(hmd_t *s, hmd_edge_t *e, uint64_t line, const line_be_t *be, const line_data_t *data)
{
    if (be_none(be))
        return true;
    if (!e->mq)
        return false;
    merge(s, e, line, be, data);
    return true;
}

/* Step 2. */
static void home_ack(hmd_t *s, hmd_edge_t *e)
{
    const home_ack_t *a = &s->ain[0];
    const int x = hmd_about(s, e, a->line);
    if (!give(s, e, a->line, &a->be, &a->data))
        return;
    if (x >= 0) {
        s->x[x].lwait--;
        s->x[x].lheld |= a->state != NMOESI_I;
        hmd_renew(s, (unsigned)x);
    }
    HMD_LEAVE(s, HMD_AIN, ain);
}

/* Step 3, a write-back. */
static void write_back(hmd_t *s, hmd_edge_t *e)
{
    const home_req_t *r = &s->lin[0];
    if (!e->count[HMD_AIN] && give(s, e, r->line, &r->be, &r->data))
        HMD_LEAVE(s, HMD_LIN, lin);
}

/* Inputs that are taken enter their queues. */
static void enter(hmd_t *s, const hmd_in_t *in, const hmd_edge_t *e, bool was_writing)
{
    if (in->smd_req_valid && hmd_room(e, HMD_QIN))
        s->qin[s->count[HMD_QIN]++] = in->smd_req;
    if (in->smd_ack_valid && hmd_room(e, HMD_KIN))
        s->kin[s->count[HMD_KIN]++] = in->smd_ack;
    if (in->home_req_valid && hmd_room(e, HMD_LIN))
        s->lin[s->count[HMD_LIN]++] = in->home_req;
    if (in->home_ack_valid && hmd_room(e, HMD_AIN) && !was_writing)
        s->ain[s->count[HMD_AIN]++] = in->home_ack;
}

void hmd_tick(hmd_t *s, const hmd_in_t *in)
{
    const bool stacks = in_stacks(in->memory);
    hmd_edge_t e = {.memory = in->memory,
                    .stacks = stacks,
                    .mq = s->count[stacks ? HMD_DQ : HMD_MQ] < 2 && !(stacks && hmd_speaks(s)),
                    .dq = s->count[HMD_DQ] < 2,
                    .peers = in->peers && in->memory == MEMORY_UMH,
                    .write = s->count[HMD_LIN] && s->lin[0].op == HOME_WRITE_BACK,
                    .valid = s->valid,
                    .waits = s->waits,
                    .busy = s->reads | s->here};
    memcpy(e.count, s->count, sizeof e.count);
    memcpy(e.at, s->at, sizeof e.at);
    const bool was_writing = in->home_ack_valid && writing(s), waited = s->jobs;

    taken(s, in);
    if (s->dir_valid) {
        s->dir_valid = false;
        memset(&s->dir, 0, sizeof s->dir);
    }
    if (s->s1.valid) { /* 5 */
        hmd_stage1(s, &e);
        memset(&s->s1, 0, sizeof s->s1);
    }
    if (e.count[HMD_KIN]) /* 1 */
        smd_ack(s, &e);
    if (e.count[HMD_AIN]) /* 2 */
        home_ack(s, &e);
    if (e.write) /* 3 */
        write_back(s, &e);
    hmd_probe(s, &e); /* 6 */
    if (e.valid || e.busy)
        hmd_lines(s, in, &e);
    hmd_grant(s, &e);
    if (hmd_set(s, &e) || !hmd_begin(s, &e)) /* 7, 4 */
        e.ev.hmd_wait = waited;
    hmd_collect(s, &e); /* 3 */
    for (unsigned v = e.ends; v; v &= v - 1)
        hmd_end(s, hmd_lowest(v));
    enter(s, in, &e, was_writing);
    s->init += hmd_clearing(s);
    s->ev = e.ev;
}

/* Transactions may wait for acknowledgements, memory, and a place in a queue that is not taken from. */
static bool waits(const hmd_t *s)
{
    if (s->at[HMD_T_LOOK] | s->at[HMD_T_SET] | s->at[HMD_T_GRANT] || s->here)
        return false;
    for (unsigned v = s->at[HMD_T_FIRST] | s->at[HMD_T_SECOND]; v; v &= v - 1) {
        const unsigned k = hmd_lowest(v);
        const hmd_transaction_t *x = &s->x[k];
        const bool asks = s->at[HMD_T_FIRST] >> k & 1 ? !x->first.sent : x->probes || x->lprobes;
        if (asks || !(s->waits >> k & 1))
            return false;
    }
    for (unsigned v = s->at[HMD_T_LINES]; v; v &= v - 1) {
        const hmd_transaction_t *x = &s->x[hmd_lowest(v)];
        if (x->next != hmd_lines_of(x) || !x->slots)
            return false;
    }
    return true;
}

bool hmd_idle(const hmd_t *s)
{
    static const ev_hmd_t none;
    const unsigned in = s->count[HMD_QIN] | s->count[HMD_KIN] | s->count[HMD_LIN] | s->count[HMD_AIN];
    return !hmd_clearing(s) && !in && !s->jobs && !s->s1.valid && !s->rsp_valid && !s->dir_valid && waits(s)
           && !memcmp(&s->ev, &none, sizeof none);
}
