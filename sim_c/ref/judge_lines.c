/* Of judge_coherence.h: what passes between a slice and its home, line by line. */
#include "sim_c/ref/judge_blocks.h"

static void written_back(judge_t *j, unsigned party, block_t *b, const home_req_t *q)
{
    const bool right = has(&b->held[party], q->line)
                       && (q->state == NMOESI_N || (q->state == NMOESI_M && has(&b->alone[party], q->line)));
    if (!right)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "its slice writes line %u back in %s, but holds it in %s at most", off_of(q->line),
                           judge_state_name(q->state), !has(&b->held[party], q->line) ? "I" : "S");
    if (!q->keep)
        put(&b->held[party], q->line, false);
    if (!q->keep || q->state == NMOESI_N)
        put(&b->alone[party], q->line, false);
    if (party == HOST || be_none(&q->be))
        return;
    holder_t *h = &b->of[party];
    touch(h);
    if (judge_at_home(j, party, q->line))
        return;
    be_add(h->probed && h->probe.kind == PROBE_CLEAN ? &h->can[off_of(q->line)] : &h->must[off_of(q->line)], &q->be);
}

void judge_line_asked(judge_t *j, unsigned slice, const home_req_t *q)
{
    block_t *b = judge_record_of(j, q->line);
    if (!b)
        return;
    if (q->op == HOME_WRITE_BACK) {
        written_back(j, party_of(slice), b, q);
        return;
    }
    j->coherence->read[slice][q->id % READS].op = q->op;
    j->coherence->read[slice][q->id % READS].line = q->line;
}

/* Does this device hold more than is allowed when another's slice is granted a line? A device that sends its lines to the other has already given up the state that its DONE will name,
 * for the DONE comes behind the lines; so has its slice. */
static bool beside(const block_t *b, unsigned device, bool alone)
{
    const holder_t *h = &b->of[device];
    const bool gives = h->probed && h->probe.to_peer;
    unsigned may = gives ? 0 : h->may;
    for (unsigned s = 0; gives && s <= NMOESI_M; s++)
        if (h->may >> s & 1)
            may |= OF(I) << judge_after_probe[h->probe.kind][s];
    return alone ? may != OF(I) || count(&b->held[device]) : may & ALONE || count(&b->alone[device]);
}

void judge_line_granted(judge_t *j, unsigned slice, const home_rsp_t *a)
{
    const unsigned party = party_of(slice), op = j->coherence->read[slice][a->id % READS].op;
    const uint64_t line = j->coherence->read[slice][a->id % READS].line;
    const bool alone = a->state == NMOESI_E || a->state == NMOESI_M;
    block_t *b = judge_record_of(j, line);
    if (!b)
        return;
    bool right = a->state != NMOESI_I && a->state != NMOESI_O && (op != HOME_READ_OWN || alone);
    /* the stack must hold the block in such a state, or the line must have arrived for the request that is being granted */
    if (party != HOST) {
        const holder_t *h = &b->of[party];
        const bool comes = h->asks && h->op <= SMD_OWN && has(&h->come, line);
        right &= alone ? !(h->may & ~(unsigned)ALONE) || (comes && h->op == SMD_OWN) : !(h->may & OF(I)) || comes;
    }
    if (!right)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "its slice may not be granted line %u in %s: %s",
                           off_of(line), judge_state_name(a->state), judge_everybody(b));
    put(&b->held[party], line, true);
    put(&b->alone[party], line, alone);
    if (party == HOST) {
        judge_check_home(j, b);
        judge_check_alone(j, b, party, "a line is granted beside other holders");
        return;
    }
    bool others = count(alone ? &b->held[HOST] : &b->alone[HOST]);
    for (unsigned d = 0; d < DEVICES; d++)
        others |= d != party && beside(b, d, alone);
    if (others)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "a line is granted beside other holders: %s",
                           judge_everybody(b));
    if (a->state == NMOESI_N)
        touch(&b->of[party]);
}

void judge_line_probed(judge_t *j, unsigned slice, const home_probe_t *p)
{
    block_t *b = judge_record_of(j, p->line);
    if (!b)
        return;
    put(&b->asked[party_of(slice)], p->line, true);
    b->kind[party_of(slice)] = p->kind;
}

void judge_line_given(judge_t *j, unsigned slice, const home_ack_t *a)
{
    const unsigned party = party_of(slice), s = a->state;
    block_t *b = judge_record_of(j, a->line);
    if (!b)
        return;
    const bool held = has(&b->held[party], a->line), alone = has(&b->alone[party], a->line);
    const bool can =
        s == NMOESI_I || (held && (s == NMOESI_N || s == NMOESI_S)) || (alone && (s == NMOESI_E || s == NMOESI_M));
    if (!can || !has(&b->asked[party], a->line) || (!be_none(&a->be) && s != NMOESI_N && s != NMOESI_M))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "its slice answers %s line %u in %s%s; it holds the line in %s at most",
                           has(&b->asked[party], a->line) ? "a probe of" : "without a probe of", off_of(a->line),
                           judge_state_name(s), !be_none(&a->be) ? " with bytes" : "",
                           alone  ? "E"
                           : held ? "S"
                                  : "I");
    put(&b->asked[party], a->line, false);
    if (b->kind[party] == PROBE_WRITE || s == NMOESI_I)
        put(&b->held[party], a->line, false);
    put(&b->alone[party], a->line, false);
    if (party == HOST || be_none(&a->be))
        return;
    touch(&b->of[party]);
    b->of[party].late = false; /* the SMD receives these bytes before it reads the block's state */
    if (!judge_at_home(j, party, a->line))
        be_add(&b->of[party].must[off_of(a->line)], &a->be);
}

bool judge_line_alone(judge_t *j, unsigned slice, uint64_t line)
{
    const block_t *b = judge_record_of(j, line);
    return b && has(&b->alone[party_of(slice)], line);
}

bool judge_line_read(judge_t *j, unsigned slice, uint64_t line)
{
    const block_t *b = judge_record_of(j, line);
    return b && b->kind[party_of(slice)] == PROBE_READ;
}
