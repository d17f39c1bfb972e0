/* Twin of rtl/core/fdiv.sv: division and square root (docs/blocks/fdiv.md). The answer is computed when a beat begins; then
 * only the time of its passes is counted. */
#include "fdiv_ports.h"
#include "isa_gen.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/homes.h"
#include "sim_c/core/result.h"
#include "sim_c/core/softfp.h"
#include <string.h>

enum { DYN = 7, ITERATIONS = 13 };

struct fdiv {
    operands_t queue[BEATS];
    unsigned head, waiting;
    uint8_t frm[WARPS][BEATS][LANES];
    unsigned left; /* cycles until the beat at work is done, 0: IDLE */
    result_t work; /* the answer of the beat being worked on */
    uint8_t work_flags[LANES];
    bool valid;
    result_t result;
    uint8_t flags[LANES];
    ev_fdiv_t ev;
};

#define EACH_LANE(l, mask) for (uint64_t m_ = (mask), l; m_ && (l = (unsigned)__builtin_ctzll(m_), true); m_ &= m_ - 1)

TWIN_STATE(fdiv)

void fdiv_out(const fdiv_t *s, fdiv_out_t *o)
{
    o->fdiv_res_valid = o->fdiv_flags_valid = s->valid;
    if (s->valid) {
        o->fdiv_res = s->result;
        o->fdiv_flags.warp = s->result.warp;
        o->fdiv_flags.beat = s->result.beat;
        o->fdiv_flags.mask = s->result.mask;
        memcpy(o->fdiv_flags.flags, s->flags, sizeof s->flags);
    }
    o->ev = s->ev;
}

bool fdiv_idle(const fdiv_t *s)
{
    return !s->left && !s->waiting && !s->valid && !s->ev.fdiv_busy;
}

static bool ordinary(uint32_t a)
{
    return !sf_is_nan(a) && !sf_is_inf(a) && !sf_is_zero(a);
}

/* Zeros in front of the 24-bit significand; a is not zero. */
static unsigned leading(uint32_t a)
{
    return a & SF_INF ? 0 : (unsigned)__builtin_clz(a & 0x7fffff) - 8;
}

/* One lane's answer and flags; how many cycles its operands take to normalise, -1 if nothing iterates. */
static int compute(const operands_t *p, unsigned l, unsigned mode, uint64_t *data, uint8_t *raised)
{
    uint32_t a = (uint32_t)p->rs1[l], b = (uint32_t)p->rs2[l], r;
    unsigned flags = 0;
    if (p->op == OP_FSQRT_S) {
        r = sf_sqrt(a, mode, &flags);
        b = 0x3f800000; /* has no part in the time */
        if (a & SF_SIGN)
            a = 0;
    } else {
        r = sf_div(a, b, mode, &flags);
    }
    *data = (uint64_t)(int64_t)(int32_t)r;
    *raised = (uint8_t)flags;
    if (!ordinary(a) || !ordinary(b))
        return -1;
    return (int)(leading(a) > leading(b) ? leading(a) : leading(b));
}

/* The head's beat becomes the work; its answer, and how long its passes will take. */
static void begin(fdiv_t *s, const fdiv_in_t *in)
{
    const operands_t *p = &s->queue[s->head];
    unsigned rm = p->instr >> 12 & 7, passes = 0;
    result_head(&s->work, p, 0);
    s->left = 1; /* LOAD */
    for (unsigned g = 0; g < LANES; g += DIV_LANES) {
        bool active = false;
        int k = -1;
        EACH_LANE(l, p->mask & ((1ull << DIV_LANES) - 1) << g) {
            unsigned mode = rm == DYN ? s->frm[HOME_OF(in, p->warp, p->beat * LANES + l)][p->beat][l] : rm;
            if (mode >= 5)
                continue;
            active = true;
            s->work.mask |= 1ull << l;
            int n = compute(p, (unsigned)l, mode, &s->work.data[l], &s->work_flags[l]);
            k = n > k ? n : k;
        }
        passes += active;
        s->left += active ? 2 + (k < 0 ? 0 : (unsigned)k + ITERATIONS) : 0;
    }
    if (!passes)
        s->left += 2;
}

void fdiv_tick(fdiv_t *s, const fdiv_in_t *in)
{
    unsigned waiting = s->waiting;
    s->ev.fdiv_beats = s->left == 1; /* step 5 */
    s->ev.fdiv_busy = s->left != 0;
    s->valid = s->left == 1; /* step 3 */
    if (s->valid) {
        s->result = s->work;
        memcpy(s->flags, s->work_flags, sizeof s->flags);
        s->head = (s->head + 1) % BEATS;
        s->waiting--;
    }
    if (s->left) /* step 2 */
        s->left--;
    else if (waiting)
        begin(s, in);
    if (in->ops_valid && in->ops.pipe == PIPE_FDIV) { /* step 1 */
        s->queue[(s->head + s->waiting) % BEATS] = in->ops;
        s->waiting++;
    }
    if (in->frm_valid) { /* step 4 */
        const frm_t *f = &in->frm;
        EACH_LANE(l, f->mask)
            s->frm[HOME_OF(in, f->warp, f->beat * LANES + l)][f->beat][l] = f->frm[l];
    }
    if (in->start_valid)
        memset(s->frm[in->start.warp], 0, sizeof s->frm[0]);
}
