/* Twin of rtl/core/mul.sv: multiplication in three stages (docs/blocks/mul.md). */
#include "isa_gen.h"
#include "mul_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/result.h"

enum { STAGES = 3 };

/* The stages are a ring: `oldest` is the third one, and the place of the next beat. */
struct mul {
    bool valid[STAGES];
    result_t stage[STAGES];
    unsigned oldest;
    ev_mul_t ev;
};

TWIN_STATE(mul)

void mul_out(const mul_t *s, mul_out_t *o)
{
    o->mul_res_valid = s->valid[s->oldest];
    if (o->mul_res_valid)
        o->mul_res = s->stage[s->oldest];
    o->ev = s->ev;
}

bool mul_idle(const mul_t *s)
{
    return !s->valid[0] && !s->valid[1] && !s->valid[2] && !s->ev.mul_beats;
}

static uint64_t product(unsigned op, uint64_t a, uint64_t b)
{
    unsigned __int128 low = (unsigned __int128)a * b;
    uint64_t high = (uint64_t)(low >> 64);
    switch (op) {
    case OP_MUL: return (uint64_t)low;
    case OP_MULH: return high - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
    case OP_MULHSU: return high - ((int64_t)a < 0 ? b : 0);
    case OP_MULHU: return high;
    default: return (uint64_t)(int64_t)(int32_t)low; /* MULW */
    }
}

void mul_tick(mul_t *s, const mul_in_t *in)
{
    const operands_t *p = &in->ops;
    bool take = in->ops_valid && p->pipe == PIPE_MUL;
    if (!take && mul_idle(s))
        return;
    s->valid[s->oldest] = take;
    if (take) {
        result_t *r = &s->stage[s->oldest];
        result_head(r, p, p->mask);
        for (unsigned l = 0; l < LANES; l++)
            r->data[l] = product(p->op, p->rs1[l], p->rs2[l]);
    }
    s->oldest = (s->oldest + 1) % STAGES;
    s->ev.mul_beats = take;
}
