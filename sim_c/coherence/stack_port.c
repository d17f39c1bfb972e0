/* Twin of rtl/coherence/stack_port.sv: the port of a stacked memory (docs/blocks/stack_port.md). Step numbers are the page's. */
#include "sim_c/coherence/stack_port_state.h"
#include "sim_c/common/mask.h"
#include "sim_c/common/twin.h"

TWIN_STATE(stack_port)

/* Step 3. */
static home_req_t home_req_of(const stack_req_t *r)
{
    home_req_t h = {.op = HOME_READ, .id = r->id, .line = r->line};
    if (r->write) {
        h = (home_req_t){.op = HOME_WRITE_BACK, .line = r->line, .state = NMOESI_M, .be = r->be};
        be_put(&h.data, &r->data, &r->be, 0);
    }
    return h;
}

void stack_port_out(const stack_port_t *s, stack_port_out_t *o)
{
    o->stack_req_ready = s->count < 2;
    if ((o->stack_rsp_valid = s->rsp_valid))
        o->stack_rsp = s->rsp;
    if ((o->home_req_valid = s->count))
        o->home_req = s->q[0];
    o->idle = !s->count && !s->b_valid && !s->rsp_valid;
}

/* Step 2. */
static void mark(stack_port_t *s)
{
    const stack_req_t *b = &s->b;
    line_mask_t *n = &s->marks[local_line(b->line) & (STACK_LINES - 1)];
    if (!b->write) {
        s->m[b->id] = *n;
        return;
    }
    const line_mask_t grains = mask_of(&b->be);
    mask_put(n, &grains, &b->marks);
}

void stack_port_tick(stack_port_t *s, const stack_port_in_t *in)
{
    const bool enters = in->stack_req_valid && s->count < 2;
    if (in->home_rsp_valid) /* 4 */
        s->rsp = (stack_rsp_t){.id = in->home_rsp.id, .marks = s->m[in->home_rsp.id], .data = in->home_rsp.data};
    else if (s->rsp_valid)
        memset(&s->rsp, 0, sizeof s->rsp);
    s->rsp_valid = in->home_rsp_valid;
    if (s->b_valid) {
        mark(s);
        memset(&s->b, 0, sizeof s->b);
    }
    if (s->count && in->home_req_ready) { /* 3 */
        s->q[0] = s->q[1];
        memset(&s->q[--s->count], 0, sizeof s->q[0]);
    }
    s->b_valid = enters; /* 1 */
    if (enters) {
        s->b = in->stack_req;
        s->q[s->count++] = home_req_of(&in->stack_req);
    }
}

/* Requests that mem_sched does not take may wait. */
bool stack_port_idle(const stack_port_t *s)
{
    return !s->b_valid && !s->rsp_valid;
}
