/* A probe of the HMD: the slice is probed for its lines of the block, then the stack is read, and bytes go to the HMD or lines to another device
 * (docs/blocks/smd.md). */
#include "sim_c/coherence/smd_state.h"

bool smd_job_at(const smd_t *s, const smd_edge_t *e, uint32_t place)
{
    return e->phase != SMD_J_NONE && smd_place(s->job.probe.line) == place;
}

/* Of the state held, once it is known: I before. */
bool smd_to_peer(const smd_t *s)
{
    return s->job.probe.to_peer && s->job.probe.kind != PROBE_CLEAN && (smd_alone(s->job.st) || s->job.st == NMOESI_O);
}

static bool marked(const smd_t *s, bool far)
{
    return !far && !smd_to_peer(s) && s->job.probe.kind != PROBE_READ && smd_dirty(s->job.st);
}

static void leave(smd_t *s, unsigned k)
{
    memset(&s->slot[k], 0, sizeof s->slot[k]);
    s->here &= (uint8_t)~(1u << k);
}

/* Emit: the bytes of a slot go where they are awaited, if there is room. */
static void emit(smd_t *s, smd_edge_t *e, unsigned k)
{
    const smd_slot_t *j = &s->slot[k];
    const smd_probe_t *p = &s->job.probe;
    uint64_t line = smd_first(p->line) | j->off;
    if (smd_to_peer(s)) {
        if (!smd_room(e, SMD_EQ))
            return;
        s->eq[s->count[SMD_EQ]++] = (smd_peer_t){.device = p->peer,
                                                 .line = line,
                                                 .mask = p->kind == PROBE_READ ? (line_mask_t){0} : j->mask,
                                                 .data = j->data};
        e->ev.smd_peer = true;
    } else if (!mask_none(&j->mask)) {
        if (!e->kq || (p->kind == PROBE_CLEAN && !e->sq))
            return;
        smd_to_home(s, e, &(smd_ack_t){.kind = SMD_BYTES, .line = line, .mask = j->mask, .data = j->data});
        e->ev.smd_bytes = true;
        if (p->kind == PROBE_CLEAN)
            smd_to_stack(s, e,
                         &(stack_req_t){.write = true,
                                        .line = smd_stack_line(line, e->channel),
                                        .be = mask_bytes(&j->mask),
                                        .data = j->data});
    }
    leave(s, k);
}

/* A line that the HMD reads goes to it, if there is room. */
static void answer(smd_t *s, const smd_edge_t *e, unsigned k)
{
    const smd_slot_t *j = &s->slot[k];
    if (!smd_room(e, SMD_EQ))
        return;
    s->eq[s->count[SMD_EQ]++] = (smd_peer_t){.mem = SMD_MEM_LINE, .id = j->id, .line = j->line, .data = j->data};
    leave(s, k);
}

void smd_slots(smd_t *s, smd_edge_t *e)
{
    const unsigned k = s->here ? (unsigned)__builtin_ctz(s->here) : 0;
    if (s->here && s->slot[k].mem)
        answer(s, e, k);
    if (e->phase != SMD_J_SEND)
        return;
    const int free = smd_slot(e);
    if (s->job.next == BLOCK_LINES && !e->slots)
        s->job.phase = SMD_J_SET;
    if (s->here)
        emit(s, e, k);
    if (s->job.next == BLOCK_LINES || free < 0 || !e->sq)
        return;
    uint64_t line = smd_first(s->job.probe.line) | s->job.next;
    smd_to_stack(s, e, &(stack_req_t){.id = (uint8_t)(L2_MSHRS + free), .line = smd_stack_line(line, e->channel)});
    s->slot[free].off = s->job.next++;
    s->reads |= (uint8_t)(1u << free);
}

void smd_job_table(smd_t *s, smd_edge_t *e)
{
    const smd_probe_t *p = &s->job.probe;
    uint32_t place = smd_place(p->line);
    smd_entry_t *t = &s->table[place];
    unsigned st = s->job.st;
    switch (s->s1.what) {
    case SMD_1_LOOK:
        if (t->state != NMOESI_I && t->tag == smd_tag(p->line)) {
            s->job.asks = t->owner;
            s->job.phase = SMD_J_ASK;
        } else {
            s->job.phase = SMD_J_DONE;
        }
        break;
    case SMD_1_LOOK2:
        s->job.st = (uint8_t)(e->given ? smd_touched(t->state) : t->state);
        s->job.phase = smd_to_peer(s) || marked(s, e->far) ? SMD_J_SEND : SMD_J_SET;
        break;
    default:
        if (p->kind == PROBE_WRITE) {
            smd_set(s, e, place, NMOESI_I);
            t->owner = (smd_lines_t){0};
        } else if (p->kind == PROBE_CLEAN) {
            smd_set(s, e, place, smd_alone(st) && p->keep ? NMOESI_E : nmoesi_next(st, NM_CLEAN));
        } else {
            smd_set(s, e, place, nmoesi_next(st, NM_READ_REQUEST));
        }
        s->job.phase = SMD_J_DONE;
        break;
    }
}

/* The slice has been granted a line of the block, and has not got it yet. */
static bool granting(const smd_t *s, const smd_edge_t *e)
{
    for (uint64_t v = e->granted; v; v &= v - 1)
        if (smd_same_block(s->w[__builtin_ctzll(v)].line, s->job.probe.line))
            return true;
    return false;
}

/* ASK: the next line that the slice may hold. */
static void ask(smd_t *s, smd_edge_t *e)
{
    unsigned off = 0;
    while (off < BLOCK_LINES && !smd_has(&s->job.asks, off))
        off++;
    if (off == BLOCK_LINES) {
        s->job.phase = SMD_J_DRAIN;
        return;
    }
    if (!smd_room(e, SMD_PQ) || granting(s, e))
        return;
    s->pq[s->count[SMD_PQ]++] = (home_probe_t){.kind = s->job.probe.kind == PROBE_WRITE ? PROBE_WRITE : PROBE_CLEAN,
                                               .line = smd_first(s->job.probe.line) | off};
    smd_put(&s->job.asks, off, false);
    s->job.out++;
    e->ev.smd_ask = true;
}

/* DRAIN: a write-back of the block has still to pass s1. */
static bool writes(const smd_t *s, const smd_edge_t *e)
{
    for (unsigned k = 0; k < e->count[SMD_IN]; k++)
        if (s->in[k].op == HOME_WRITE_BACK && smd_same_block(s->in[k].line, s->job.probe.line))
            return true;
    return s->s1.valid && s->s1.what == SMD_1_WRITE && smd_same_block(s->s1.req.line, s->job.probe.line);
}

void smd_job_next(smd_t *s, const smd_in_t *in, smd_edge_t *e)
{
    if (e->phase == SMD_J_ASK) {
        ask(s, e);
    } else if (e->phase == SMD_J_DRAIN) {
        if (!e->out && !writes(s, e))
            s->job.phase = SMD_J_LOOK2;
    } else if (e->phase == SMD_J_NONE && in->smd_probe_valid && s->init == SMD_PLACES) {
        s->job.phase = SMD_J_LOOK;
        s->job.probe = in->smd_probe;
        e->ev.smd_probe = true;
        e->ev.smd_probe_kind = in->smd_probe.kind;
    }
}
