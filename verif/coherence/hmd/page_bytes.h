/* Steps 1 to 3: messages with bytes, and entries of the pool; reads and writes of memory, and of stacks in its place. */
#ifndef VERIF_COHERENCE_HMD_PAGE_BYTES_H
#define VERIF_COHERENCE_HMD_PAGE_BYTES_H
#include "verif/coherence/hmd/page_addresses.h"
#include "verif/coherence/grains.h"

/* What would enter mq enters dq. */
static void page_to_stack(page_state_t *s, unsigned mem, unsigned id, uint64_t line, line_be_t be, line_data_t data)
{
    hmd_data_t *d = &s->dq.w[s->dq.n++];
    const bool all = be_whole(&be);
    memset(d, 0, sizeof *d);
    d->device = (__typeof__(d->device))page_home(s, line);
    d->data.mem = (__typeof__(d->data.mem))mem;
    d->data.id = (__typeof__(d->data.id))id;
    d->data.line = line;
    if (!all)
        d->data.mask = mask_of_be(&be);
    d->data.data = data;
}

static void page_reads(page_state_t *s, unsigned slot, uint64_t line, ev_hmd_t *ev)
{
    ev->hmd_stack |= page_stacks(s);
    if (page_stacks(s))
        page_to_stack(s, SMD_MEM_READ, slot, line, (line_be_t){{0}}, (line_data_t){{0}});
    else
        s->mq.w[s->mq.n++] =
            (home_req_t){.op = HOME_READ, .id = (__typeof__(s->mq.w[0].id))slot, .line = page_host_line(line)};
}

static void page_write(page_state_t *s, uint64_t line, line_be_t be, line_data_t data, ev_hmd_t *ev)
{
    ev->hmd_stack |= page_stacks(s);
    if (page_stacks(s)) {
        page_to_stack(s, SMD_MEM_WRITE, 0, line, be, data);
        return;
    }
    home_req_t *r = &s->mq.w[s->mq.n++];
    *r = (home_req_t){.op = HOME_WRITE_BACK, .line = page_host_line(line), .state = NMOESI_M, .be = be};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (be.w[i / 64] >> i % 64 & 1)
            r->data.w[i / 8] |= data.w[i / 8] & 0xffull << i % 8 * 8;
}

/* Steps 1 to 3: messages with bytes. Returns whether the place of mq is taken. */
static bool page_bytes(const page_state_t *was, page_state_t *s, bool mq, ev_hmd_t *ev)
{
    const hmd_ack_t *k = &was->kin.w[0];
    unsigned slot = 0, free = 0;
    while (slot < PG_SLOTS && was->r[slot].state != PS_FREE)
        slot++;
    for (unsigned i = 0; i < PG_SLOTS; i++)
        free += was->r[i].state == PS_FREE;
    const bool get = k->ack.kind == SMD_GET, writes = k->ack.kind == SMD_BYTES;
    if (was->kin.n && (!(get || writes) || !mq) && (!get || free >= 2)) {
        const unsigned x = page_of(was, k->ack.line);
        page_x_t *t = &s->x[x % HMD_TRANSACTIONS];
        if (writes) {
            page_write(s, k->ack.line, be_of_mask(&k->ack.mask), k->ack.data, ev);
            mq = ev->hmd_bytes = true;
        } else if (get) {
            page_reads(s, slot, k->ack.line, ev);
            s->r[slot] = (page_slot_t){.state = PS_READ, .get = true, .x = k->device, .line = k->ack.line};
            mq = ev->hmd_get = true;
        } else if (x < HMD_TRANSACTIONS && k->ack.kind == SMD_DONE) {
            t->wait[k->device] = false;
            if (t->e.owner == k->device + 1u) {
                t->ostate = (uint8_t)k->ack.state;
                t->osent = k->ack.sent;
            }
            ev->hmd_peer = k->ack.sent;
        } else if (x < HMD_TRANSACTIONS) {
            t->valid = false;
        }
        s->kin.w[0] = s->kin.w[1];
        s->kin.n--;
    }
    const home_ack_t *a = &was->ain.w[0];
    if (was->ain.n && (!page_masked(a->be) || !mq)) {
        const unsigned x = page_of(was, a->line);
        if (page_masked(a->be)) {
            page_write(s, a->line, a->be, a->data, ev);
            mq = ev->hmd_bytes = true;
        }
        if (x < HMD_TRANSACTIONS) {
            s->x[x].lwait--;
            s->x[x].lheld |= a->state != NMOESI_I;
        }
        s->ain.w[0] = s->ain.w[1];
        s->ain.n--;
    }
    const home_req_t *l = &was->lin.w[0];
    const bool write = was->lin.n && l->op == HOME_WRITE_BACK, read = was->lin.n && !write;
    if (write && !was->ain.n && (!page_masked(l->be) || !mq)) {
        if (page_masked(l->be)) {
            page_write(s, l->line, l->be, l->data, ev);
            mq = ev->hmd_bytes = true;
        }
        s->lin.w[0] = s->lin.w[1];
        s->lin.n--;
    }
    if (read) {
        s->pool[s->pool_n++] =
            (page_job_t){.op = l->op == HOME_READ_OWN ? PO_L_OWN : PO_L_READ, .id = l->id, .line = l->line};
        s->lin.w[0] = s->lin.w[1];
        s->lin.n--;
    } else if (was->qin.n) {
        const hmd_req_t *q = &was->qin.w[0];
        s->pool[s->pool_n++] = (page_job_t){.op = (page_op_e)(PO_READ + (q->req.op - SMD_READ)),
                                            .device = q->device,
                                            .line = q->req.line,
                                            .bytes = q->req.bytes,
                                            .thin = q->req.thin};
        s->qin.w[0] = s->qin.w[1];
        s->qin.n--;
    }
    return mq;
}
#endif
