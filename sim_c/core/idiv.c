/* Twin of rtl/core/idiv.sv: division and remainder (docs/blocks/idiv.md). The answer of all passes is computed when a beat
 * begins; then only their time is counted. */
#include "idiv_ports.h"
#include "isa_gen.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/result.h"

struct idiv {
    operands_t queue[BEATS];
    unsigned head, waiting;
    unsigned left; /* cycles until the beat at work is done, 0: IDLE */
    result_t work; /* the answer of the beat being worked on */
    bool valid;
    result_t result;
    ev_idiv_t ev;
};

TWIN_STATE(idiv)

void idiv_out(const idiv_t *s, idiv_out_t *o)
{
    o->div_res_valid = s->valid;
    if (s->valid)
        o->div_res = s->result;
    o->ev = s->ev;
}

bool idiv_idle(const idiv_t *s)
{
    return !s->left && !s->waiting && !s->valid && !s->ev.div_busy;
}

/* One lane; *size becomes the magnitude of the dividend. */
static uint64_t divide(unsigned op, uint64_t x, uint64_t y, uint64_t *size)
{
    bool word = op == OP_DIVW || op == OP_DIVUW || op == OP_REMW || op == OP_REMUW;
    bool is_signed = op == OP_DIV || op == OP_REM || op == OP_DIVW || op == OP_REMW;
    bool rem = op == OP_REM || op == OP_REMU || op == OP_REMW || op == OP_REMUW;
    if (word) {
        x = is_signed ? (uint64_t)(int64_t)(int32_t)x : (uint32_t)x;
        y = is_signed ? (uint64_t)(int64_t)(int32_t)y : (uint32_t)y;
    }
    bool minus_x = is_signed && (int64_t)x < 0, minus_y = is_signed && (int64_t)y < 0;
    uint64_t mx = minus_x ? -x : x, my = minus_y ? -y : y, r;
    *size = mx;
    if (!y)
        r = rem ? x : ~0ull;
    else if (rem)
        r = minus_x ? -(mx % my) : mx % my;
    else
        r = minus_x != minus_y ? -(mx / my) : mx / my;
    return word ? (uint64_t)(int64_t)(int32_t)r : r;
}

static void begin(idiv_t *s)
{
    const operands_t *p = &s->queue[s->head];
    result_t *r = &s->work;
    unsigned passes = 0, bytes = 0;
    result_head(r, p, p->mask);
    for (unsigned g = 0; g < LANES; g += DIV_LANES) {
        uint64_t largest = 0;
        bool active = false;
        for (unsigned l = g; l < g + DIV_LANES; l++) {
            uint64_t size;
            r->data[l] = divide(p->op, p->rs1[l], p->rs2[l], &size);
            if (p->mask >> l & 1) {
                active = true;
                largest = size > largest ? size : largest;
            }
        }
        passes += active;
        bytes += largest ? (71 - (unsigned)__builtin_clzll(largest)) / 8 : 0;
    }
    s->left = 1 + 9 * (passes ? passes : 1) + 3 * bytes;
}

void idiv_tick(idiv_t *s, const idiv_in_t *in)
{
    unsigned waiting = s->waiting;
    s->ev.div_busy = s->left != 0; /* step 6 */
    s->valid = s->left == 1; /* step 5 */
    if (s->valid) {
        s->result = s->work;
        s->head = (s->head + 1) % BEATS;
        s->waiting--;
    }
    if (s->left) /* steps 3 and 4 */
        s->left--;
    else if (waiting) /* step 2 */
        begin(s);
    if (in->ops_valid && in->ops.pipe == PIPE_DIV) { /* step 1 */
        s->queue[(s->head + s->waiting) % BEATS] = in->ops;
        s->waiting++;
    }
}
