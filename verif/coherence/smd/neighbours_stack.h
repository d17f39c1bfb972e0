/* The stack below the SMD, which performs the requests of a line in their order. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_STACK_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_STACK_H
#include "verif/coherence/smd/neighbours_world.h"

/* The first line of the bench that stands there. */
static unsigned stack_index(const world_t *w, uint64_t stack_line)
{
    unsigned i = 0;
    while (i < SB_LINES && !sb_stands(&w->sb, &w->sb.line[i], stack_line))
        i++;
    return i;
}

static void stack(bench_t *b, world_t *w, const smd_out_t *out, smd_in_t *in)
{
    const style_t *y = &w->style;
    in->stack_rsp_valid = false;
    const unsigned from = w->stacked ? vl_below(&b->rng, w->stacked) : 0;
    for (unsigned n = 0; n < w->stacked; n++) {
        const unsigned i = (from + n) % w->stacked;
        const stack_req_t *r = &w->stack[i].req;
        bool first = w->stack[i].due <= b->cycle;
        for (unsigned k = 0; k < i; k++)
            first &= w->stack[k].req.line != r->line;
        if (!first)
            continue;
        const unsigned at = stack_index(w, r->line);
        if (r->write) {
            bytes_put(&w->held[at], &r->data, r->be);
            for (unsigned k = 0; k < BE_WORDS; k++)
                w->marks[at].w[k] = (w->marks[at].w[k] & ~r->be.w[k]) | (be_of_mask(&r->marks).w[k] & r->be.w[k]);
        } else {
            in->stack_rsp_valid = true;
            in->stack_rsp = (stack_rsp_t){.id = r->id, .marks = mask_of_be(&w->marks[at]), .data = w->held[at]};
        }
        memmove(&w->stack[i], &w->stack[i + 1], (--w->stacked - i) * sizeof *w->stack);
        break;
    }
    in->stack_req_ready = w->stacked < y->stack_depth && (y->drain || vl_chance(&b->rng, y->stack_ready));
    if (!out->stack_req_valid || !in->stack_req_ready)
        return;
    const stack_req_t *r = &out->stack_req;
    BENCH_CHECK(b, stack_index(w, r->line) < SB_LINES, "a line of the stack where no block stands");
    for (unsigned i = 0; i < w->stacked; i++)
        BENCH_CHECK(b, r->write || w->stack[i].req.write || w->stack[i].req.id != r->id,
                    "a read of the stack under a used id");
    const char *why = sb_stack(&w->sb, r);
    BENCH_CHECK(b, !why, "%s", why);
    w->stack[w->stacked].req = *r;
    w->stack[w->stacked++].due = b->cycle + 1 + vl_below(&b->rng, y->stack_latency);
}

/* Another policy: the stack has the lines that are at home there. */
static void policy(world_t *w, uint8_t memory)
{
    sb_policy(&w->sb, memory);
    w->chain = w->fresh = NULL; /* the request may be visible now */
    for (unsigned i = 0; i < SB_LINES; i++)
        if (w->sb.block[w->sb.line[i].block].near)
            w->held[i] = w->sb.line[i].home;
}
#endif
