/* Twin of rtl/noc/mem_arb.sv: a core's memory port (docs/blocks/mem_arb.md). */
#include "mem_arb_ports.h"
#include <string.h>

enum { I, P, D, QUEUES, KIND = 1 << MEM_IDX_W, SOURCE = 1 << (MEM_IDX_W + 2) };
static const uint16_t id_bits[QUEUES] = {[I] = SOURCE, [P] = SOURCE | KIND};

typedef struct {
    mem_req_t at[2];
    unsigned n;
} queue2_t;

struct mem_arb {
    queue2_t q[QUEUES];
    uint8_t last, shown;
    bool held, rsp_valid;
    bool lr_valid; /* the core's last LR, until an SC of its hart */
    uint32_t lr_hart;
    uint64_t lr_line;
    uint16_t asid;
    mem_rsp_t rsp;
    uint32_t count;
    ev_mem_arb_t ev;
};

size_t mem_arb_size(void)
{
    return sizeof(struct mem_arb);
}

void mem_arb_reset(mem_arb_t *s)
{
    memset(s, 0, sizeof *s);
    s->last = D;
}

/* The queue that is shown, when one is not empty. */
static unsigned shown(const mem_arb_t *s)
{
    if (s->held)
        return s->shown;
    unsigned x = s->last;
    do
        x = x == D ? I : x + 1;
    while (!s->q[x].n);
    return x;
}

static bool waiting(const mem_arb_t *s)
{
    return s->q[I].n || s->q[P].n || s->q[D].n;
}

void mem_arb_out(const mem_arb_t *s, mem_arb_out_t *o)
{
    o->l1i_req_ready = s->q[I].n < 2;
    o->ptw_req_ready = s->q[P].n < 2;
    o->l1d_req_ready = s->q[D].n < 2;
    o->mem_req_valid = waiting(s);
    if (o->mem_req_valid) {
        unsigned x = shown(s);
        o->mem_req = s->q[x].at[0];
        o->mem_req.id = (uint16_t)((o->mem_req.id & (SOURCE - 1)) | id_bits[x]);
        o->mem_req.asid = s->asid;
    }
    o->l1i_rsp_valid = o->ptw_rsp_valid = o->l1d_rsp_valid = false;
    if (s->rsp_valid) {
        unsigned x = !(s->rsp.id & SOURCE) ? D : s->rsp.id & KIND ? P : I;
        o->l1i_rsp_valid = x == I;
        o->ptw_rsp_valid = x == P;
        o->l1d_rsp_valid = x == D;
        mem_rsp_t *r = x == I ? &o->l1i_rsp : x == P ? &o->ptw_rsp : &o->l1d_rsp;
        *r = s->rsp;
        r->id &= (uint16_t)~id_bits[x] & (SOURCE - 1);
    }
    o->idle = s->count == 0;
    o->ev = s->ev;
}

/* Step 2, from l1d: an SC that is not of the core's last LR is to fail, in any slice. */
static void reserve(mem_arb_t *s, mem_req_t *r)
{
    bool sc = r->op == MEM_AMO && r->amo == AMO_SC, own = s->lr_valid && s->lr_hart == r->hart;
    r->sc_fail = sc && !(own && s->lr_line == r->line);
    if (r->op == MEM_AMO && r->amo == AMO_LR) {
        s->lr_valid = true;
        s->lr_hart = r->hart;
        s->lr_line = r->line;
    } else if (sc && own) {
        s->lr_valid = false;
    }
}

static void read(queue2_t *q, const mem_req_t *r)
{
    q->at[q->n++] = (mem_req_t){.op = MEM_READ, .id = r->id, .cls = r->cls, .line = r->line};
}

void mem_arb_tick(mem_arb_t *s, const mem_arb_in_t *in)
{
    bool take_i = in->l1i_req_valid && s->q[I].n < 2, take_p = in->ptw_req_valid && s->q[P].n < 2,
         take_d = in->l1d_req_valid && s->q[D].n < 2;
    bool valid = waiting(s), sent = valid && in->mem_req_ready;
    bool answered = s->rsp_valid;
    s->ev = (ev_mem_arb_t){.mem_stalls = valid && !sent};
    if (valid) { /* step 1 */
        unsigned x = shown(s);
        queue2_t *q = &s->q[x];
        if (sent) {
            s->ev.mem_reads = q->at[0].op == MEM_READ;
            s->ev.mem_writes = q->at[0].op == MEM_WRITE;
            s->ev.mem_atomics = q->at[0].op == MEM_AMO;
            if (--q->n)
                q->at[0] = q->at[1];
            s->last = (uint8_t)x;
            s->held = false;
        } else {
            s->held = true;
            s->shown = (uint8_t)x;
        }
    } else {
        s->held = false;
    }
    if (take_i) /* step 2 */
        read(&s->q[I], &in->l1i_req);
    if (take_p)
        read(&s->q[P], &in->ptw_req);
    if (take_d) {
        s->q[D].at[s->q[D].n] = in->l1d_req;
        reserve(s, &s->q[D].at[s->q[D].n++]);
    }
    if ((s->rsp_valid = in->mem_rsp_valid)) /* step 3 */
        s->rsp = in->mem_rsp;
    s->count = (s->count + take_i + take_p + take_d - answered) & 1023; /* step 4 */
    s->asid = in->asid;
}

bool mem_arb_idle(const mem_arb_t *s)
{
    /* At rest: requests that were not taken wait for their ready. */
    return !s->rsp_valid && s->held == waiting(s) && s->ev.mem_stalls == s->held && !s->ev.mem_reads
           && !s->ev.mem_writes && !s->ev.mem_atomics;
}
