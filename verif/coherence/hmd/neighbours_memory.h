/* Memory, the channel's or stacks, which performs the requests of a line in their order. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_MEMORY_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_MEMORY_H
#include "verif/coherence/hmd/neighbours_world.h"

/* The line of a request to the channel's memory; an unused one if it has none. */
static uint64_t line_meant(const sb_t *s, uint64_t at)
{
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        const uint64_t block = s->block[k].first / SB_LPB,
                       stands = (block / HOST_CHANNELS * CHANNELS + block % HOST_CHANNELS) * SB_LPB;
        if (at / SB_LPB * SB_LPB == stands % (1ull << LINE_ADDR_W))
            return s->block[k].first + at % SB_LPB;
    }
    return ~0ull;
}

/* Memory has taken a request. */
static void memory_takes(bench_t *b, world_t *w, const home_req_t *r)
{
    sb_t *s = &w->sb;
    sb_memory(b, s, r);
    if (r->op == HOME_WRITE_BACK || b->failed)
        return;
    BENCH_CHECK(b, r->id < HOST_READERS && !w->read[r->id % HOST_READERS].busy,
                "memory is asked with an id that is in use, or that there is not");
    if (b->failed)
        return;
    w->read[r->id].busy = true;
    w->read[r->id].due = b->cycle + 1 + vl_below(&b->rng, w->style.memory_latency);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        w->read[r->id].data.w[i / 8] &= ~(0xffull << i % 8 * 8);
        w->read[r->id].data.w[i / 8] |= (uint64_t)s->memory[sb_find(s, r->line)][r->line % SB_LPB][i] << i % 8 * 8;
    }
}

/* ... that is the stack of the line's home device. */
static void stack_takes(bench_t *b, world_t *w, const hmd_data_t *d)
{
    const smd_data_t *m = &d->data;
    const bool write = m->mem == SMD_MEM_WRITE, all = !mask_any(&m->mask);
    const unsigned k = sb_find(&w->sb, m->line);
    BENCH_CHECK(b, w->sb.stacks && m->mem != SMD_MEM_LINE && !m->grant,
                "a stack is read or written, or something else");
    BENCH_CHECK(b, k < SB_BLOCKS && d->device == sb_home(&w->sb, k), "a line is not at home in the stack of device %u",
                d->device);
    BENCH_CHECK(b, write || all, "a read of a stack with a mask");
    home_req_t r = {.op = write ? HOME_WRITE_BACK : HOME_READ, .id = m->id, .line = m->line, .data = m->data};
    if (write)
        r.be = all ? be_all() : be_of_mask(&m->mask);
    if (!b->failed)
        memory_takes(b, w, &r);
}

static void memory(bench_t *b, world_t *w, const hmd_out_t *out, hmd_in_t *in)
{
    sb_t *s = &w->sb;
    const unsigned first = vl_below(&b->rng, HOST_READERS);
    in->host_rsp_valid = in->smd_mem_valid = false;
    for (unsigned n = 0; n < HOST_READERS && some_time(b, w, w->style.answers); n++) {
        const unsigned i = (first + n) % HOST_READERS;
        if (!w->read[i].busy || w->read[i].due > b->cycle)
            continue;
        in->host_rsp_valid = !s->stacks;
        in->smd_mem_valid = s->stacks;
        in->host_rsp.id = (__typeof__(in->host_rsp.id))i;
        in->smd_mem.id = (__typeof__(in->smd_mem.id))i;
        in->host_rsp.data = in->smd_mem.data = w->read[i].data;
        w->read[i].busy = false;
        break;
    }
    in->host_req_ready = some_time(b, w, w->style.memory);
    BENCH_CHECK(b, !out->host_req_valid || !s->stacks, "host memory is used");
    if (out->host_req_valid && in->host_req_ready && !b->failed) {
        home_req_t r = out->host_req;
        r.line = line_meant(s, r.line);
        memory_takes(b, w, &r);
    }
}
#endif
