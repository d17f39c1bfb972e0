/* Lines that an HMD reads from memory for requesters (docs/blocks/hmd.md). */
#include "sim_c/coherence/hmd_state.h"
#include "sim_c/common/mask.h"

void hmd_to_memory(hmd_t *s, hmd_edge_t *e, const home_req_t *r)
{
    e->mq = false;
    if (!e->stacks) {
        home_req_t *m = &s->mq[s->count[HMD_MQ]++];
        *m = *r;
        m->line = host_line(r->line);
        return;
    }
    hmd_data_t *d = &s->dq[s->count[HMD_DQ]++];
    *d = (hmd_data_t){.device = (uint8_t)home_device(e->memory, r->line), .data.line = r->line};
    d->data.mem = r->op == HOME_READ ? SMD_MEM_READ : SMD_MEM_WRITE;
    if (r->op == HOME_READ) {
        d->data.id = r->id;
    } else {
        d->data.mask = be_whole(&r->be) ? (line_mask_t){0} : mask_of(&r->be);
        d->data.data = r->data;
    }
    e->dq = false;
    e->ev.hmd_stack = true;
}

bool hmd_speaks(const hmd_t *s)
{
    const hmd_slot_t *j = s->here ? &s->slot[hmd_lowest(s->here)] : NULL;
    return s->at[HMD_T_GRANT] || (j && (j->get || !hmd_of_cache(s->x[j->x].op)));
}

/* A line is read from memory into the lowest slot that is free. */
static unsigned read_line(hmd_t *s, hmd_edge_t *e, uint64_t line)
{
    const unsigned r = hmd_lowest(~(unsigned)e->busy);
    hmd_to_memory(s, e, &(home_req_t){.op = HOME_READ, .id = (uint8_t)r, .line = line});
    s->slot[r].line = line;
    s->reads |= (uint8_t)(1u << r);
    return r;
}

bool hmd_get(hmd_t *s, hmd_edge_t *e, const hmd_ack_t *a)
{
    const unsigned free = ~(unsigned)e->busy & ((1u << HOST_READERS) - 1);
    if (!e->mq || !(free & (free - 1)))
        return false;
    const unsigned r = read_line(s, e, a->ack.line);
    s->slot[r].get = true;
    s->slot[r].x = a->device;
    e->ev.hmd_get = true;
    return true;
}

/* LINES: the next line of a transaction is asked for, and transactions that have all of theirs go on. */
static void fetch(hmd_t *s, hmd_edge_t *e)
{
    const unsigned free = ~(unsigned)e->busy & ((1u << HOST_READERS) - 1);
    for (unsigned v = e->at[HMD_T_LINES]; v; v &= v - 1) {
        const unsigned k = hmd_lowest(v);
        hmd_transaction_t *x = &s->x[k];
        if (x->next == hmd_lines_of(x)) {
            if (!x->slots)
                hmd_move(s, k, HMD_T_LINES, HMD_T_SET);
        } else if (free && e->mq) {
            const unsigned off = (unsigned)(x->line + x->next++) & (BLOCK_LINES - 1);
            const unsigned r = read_line(s, e, (x->line & ~(uint64_t)(BLOCK_LINES - 1)) | off);
            s->slot[r].x = (uint8_t)k;
            x->slots |= (uint8_t)(1u << r);
        }
    }
}

/* Emit. */
static void emit(hmd_t *s, hmd_edge_t *e)
{
    const unsigned r = hmd_lowest(s->here);
    const hmd_slot_t *j = &s->slot[r];
    hmd_transaction_t *x = j->get ? NULL : &s->x[j->x];
    if (x && hmd_of_cache(x->op)) {
        s->rsp_valid = true;
        s->rsp = (home_rsp_t){.id = x->id, .state = x->grant, .data = j->data};
    } else {
        if (!e->dq)
            return;
        s->dq[s->count[HMD_DQ]++] =
            (hmd_data_t){.device = x ? x->device : j->x, .data = {.line = j->line, .data = j->data}};
        e->dq = false;
    }
    e->ev.hmd_line = true;
    if (x)
        x->slots &= (uint8_t)~(1u << r);
    s->here &= (uint8_t)~(1u << r);
    memset(&s->slot[r], 0, sizeof s->slot[r]);
}

void hmd_lines(hmd_t *s, const hmd_in_t *in, hmd_edge_t *e)
{
    if (s->rsp_valid) {
        s->rsp_valid = false;
        memset(&s->rsp, 0, sizeof s->rsp);
    }
    fetch(s, e);
    if (s->here)
        emit(s, e);
    if (in->host_rsp_valid || in->smd_mem_valid) {
        const unsigned r = in->host_rsp_valid ? in->host_rsp.id : in->smd_mem.id;
        s->slot[r].data = in->host_rsp_valid ? in->host_rsp.data : in->smd_mem.data;
        s->reads &= (uint8_t)~(1u << r);
        s->here |= (uint8_t)(1u << r);
    }
}
