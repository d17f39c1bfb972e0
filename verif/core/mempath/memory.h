/* The memory: requests are performed as they are taken, and answered late and out of order. */
#ifndef VERIF_CORE_MEMPATH_MEMORY_H
#define VERIF_CORE_MEMPATH_MEMORY_H
#include "verif/core/mempath/sequential.h"

static void mem_take(env_t *e, const mem_req_t *q)
{
    mem_rsp_t rsp;
    memset(&rsp, 0, sizeof rsp);
    rsp.id = q->id;
    uint64_t off = q->line * LINE_BYTES - BASE;
    if (off > WINDOW - LINE_BYTES) {
        fail(e, "memory address", q->line * LINE_BYTES, BASE);
        return;
    }
    uint8_t *p = e->mem + off;
    if (q->op == MEM_READ) {
        memcpy(&rsp.data, p, LINE_BYTES);
    } else if (q->op == MEM_WRITE) {
        for (unsigned k = 0; k < LINE_BYTES; k++)
            if (q->be.w[k / 64] >> (k % 64) & 1)
                p[k] = ((const uint8_t *)&q->data)[k];
            else if (((const uint8_t *)&q->data)[k] != ((const uint8_t *)&q->data)[k % SECTOR_BYTES])
                fail(e, "a sector that is not repeated", ((const uint8_t *)&q->data)[k],
                     ((const uint8_t *)&q->data)[k % SECTOR_BYTES]);
        if (e->mem_res.where == q->line)
            e->mem_res.valid = false;
    } else {
        uint64_t v = seq_atomic(q->amo, q->amo_dword ? 8 : 4, p + q->amo_off, q->data.w[0], q->data.w[1], q->hart,
                                q->line, &e->mem_res, false);
        rsp.data.w[0] = q->amo_dword ? v : (v & 0xffffffff) | v << 32;
    }
    for (unsigned k = 0; k < PENDING; k++)
        if (!e->pending[k].used) {
            e->pending[k] = (pending_t){true, e->cycle + 1 + vl_below(&e->rng, e->mode == 3 ? 3 : 60), rsp};
            e->npending++;
            return;
        }
    fail(e, "too many requests outstanding", PENDING, 0);
}

/* One response a cycle, any that is due. */
static void mem_answer(env_t *e)
{
    if (!e->npending || vl_chance(&e->rng, 30))
        return;
    unsigned from = vl_below(&e->rng, 64);
    for (unsigned i = 0; i < PENDING; i++) {
        pending_t *p = &e->pending[i < 64 ? i ^ from : i];
        if (p->used && p->due <= e->cycle) {
            e->ci.mem_rsp_valid = true;
            e->ci.mem_rsp = p->rsp;
            p->used = false;
            e->npending--;
            return;
        }
    }
}
#endif
