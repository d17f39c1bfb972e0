/* Twin of rtl/mmu/seam_port.sv: a core's port to the shared L2 TLB (docs/blocks/seam_port.md). Step numbers are the page's. Sets of ids are bits of a word. */
#include "seam_port_ports.h"
#include "sim_c/common/bits.h"
#include "sim_c/common/twin.h"

struct seam_port {
    uint64_t ask, sent, old;
    bool done; /* the id of answer */
    translate_rsp_t answer;
    translate_req_t req[MAX_TLB_MSHRS];
    uint8_t order[MAX_TLB_MSHRS]; /* open ids, oldest first */
    unsigned open;
    bool out_valid;
    uint8_t out;
    uint16_t asid;
    bool settled; /* every edge does the same until an input is active */
    ev_seam_port_t ev;
};

TWIN_STATE(seam_port)

/* The oldest of some ids, of which at least one is open. */
static uint8_t oldest(const seam_port_t *s, uint64_t of)
{
    unsigned i = 0;
    while (!(of >> s->order[i] & 1))
        i++;
    return s->order[i];
}

void seam_port_out(const seam_port_t *s, seam_port_out_t *o)
{
    o->idle = !s->open;
    o->closed = s->done ? (__typeof__(o->closed))BIT(s->answer.id) : 0;
    o->rsp_valid = s->done;
    if (s->done)
        o->rsp = s->answer;
    o->ask_valid = s->out_valid;
    if (s->out_valid)
        o->ask = s->req[s->out];
    o->ev = s->ev;
}

/* Step 1: of two the one with the lower id is the older. */
static void requests(seam_port_t *s, const seam_port_in_t *in)
{
    uint64_t begins = 0;
    for (unsigned p = 0; p < 2; p++)
        if (in->req_valid >> p & 1) {
            s->req[in->req[p].id] = in->req[p];
            s->asid = in->req[p].asid;
            begins |= BIT(in->req[p].id);
        }
    for EACH (k, begins)
        s->order[s->open++] = (uint8_t)k;
    s->ask |= begins;
}

/* Step 4. */
static void end(seam_port_t *s, uint8_t id)
{
    unsigned i = 0;
    while (s->order[i] != id)
        i++;
    memmove(s->order + i, s->order + i + 1, --s->open - i);
}

void seam_port_tick(seam_port_t *s, const seam_port_in_t *in)
{
    if (s->settled && !in->req_valid && !in->ans_valid && !in->inv_valid)
        return;
    /* A request carries the address space of all open ids; with no id open an invalidation concerns none. */
    const bool concerns = in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == s->asid);
    const bool taken = s->out_valid && in->ask_ready;
    const uint64_t again = s->done && concerns ? BIT(s->answer.id) : 0;
    s->ev = (ev_seam_port_t){.seam_asks = taken,
                             .seam_answers = in->ans_valid,
                             .seam_busy = (uint8_t)s->open,
                             .seam_stalls = s->out_valid && !taken};
    if (s->done && !concerns)
        end(s, s->answer.id);
    s->done = false;
    requests(s, in);
    if (!s->out_valid || taken) { /* step 2 */
        const uint64_t left = s->ask & ~(taken ? BIT(s->out) : 0);
        if (taken) {
            s->ask &= ~BIT(s->out);
            s->sent |= BIT(s->out);
        }
        s->out_valid = left != 0;
        if (left)
            s->out = oldest(s, left);
    }
    if (in->ans_valid) { /* step 3 */
        const uint64_t one = BIT(in->ans.id);
        const bool drops = concerns || s->old & one;
        s->sent &= ~one;
        s->old &= ~one;
        s->ev.seam_dropped = drops;
        if (drops) {
            s->ask |= one;
        } else {
            s->done = true;
            s->answer = in->ans;
        }
    }
    if (concerns) { /* step 5 */
        s->old |= s->sent;
        s->ask |= again;
    }
    const ev_seam_port_t still = {.seam_busy = (uint8_t)s->open};
    s->settled = !s->ask && !s->out_valid && !s->done && !memcmp(&s->ev, &still, sizeof still);
}

bool seam_port_idle(const seam_port_t *s)
{
    return s->settled;
}
