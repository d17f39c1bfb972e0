/* Part of judge_coherence.h: grants and probes of an HMD, and the holders in its directory. */
#include "sim_c/ref/judge_blocks.h"

void judge_home_grants(judge_t *j, const hmd_data_t *d)
{
    if (!d->data.grant)
        return;
    const unsigned s = d->data.state;
    block_t *b = judge_record_of(j, d->data.line);
    if (!b)
        return;
    holder_t *h = &b->of[d->device], before = *h;
    const bool right = h->op == SMD_READ  ? s == NMOESI_S || s == NMOESI_E
                       : h->op == SMD_OWN ? s == NMOESI_M
                                          : s == NMOESI_I;
    bool left = count(&b->held[d->device]) || h->may != OF(I);
    for (unsigned k = 0; k < BLOCK_LINES; k++)
        left |= !be_none(&h->must[k]);
    if (!h->asks || !right || b->granting || (h->op == SMD_EVICT && left))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, d->device, "is granted %s %s: %s", judge_state_name(s),
                           !h->asks      ? "without a request"
                           : b->granting ? "before another grant has arrived"
                           : right       ? "for EVICT, but has not given the block up"
                                         : "for a request of another kind",
                           judge_everybody(b));
    b->granting = (uint8_t)(d->device + 1);
    judge_check_home(j, b);
    const unsigned knows = b->owner | ((unsigned)OF(I) << s & ALONE ? 0 : b->sharers);
    if (j->coherence->tells && (!b->told || (h->op <= SMD_OWN && !(knows >> d->device & 1))))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, d->device, "is granted %s, but the home's entry %s",
                           judge_state_name(s), b->told ? "does not name it as holder" : "has not been written");
    b->told = false;
    if (h->op > SMD_OWN)
        return;
    h->may = (uint8_t)(OF(I) << s);
    judge_check_alone(j, b, d->device, "is granted the block beside other holders");
    *h = before;
}

void judge_home_probes(judge_t *j, const hmd_probe_t *p)
{
    block_t *b = judge_record_of(j, p->probe.line);
    if (b && b->granting)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, p->device,
                           "is probed while a grant of device %u is under way", b->granting - 1);
}

void judge_home_done(judge_t *j, const hmd_ack_t *a)
{
    block_t *b = a->ack.kind == SMD_ARRIVED ? judge_record_of(j, a->ack.line) : NULL;
    if (b)
        b->granting = 0;
}

/* The home's entry when a transaction has all its answers and its grant is not sent yet. Sharers and owner must be exactly the devices that hold the block, besides the requester, which may
 * hold nothing of it any more; the device that must be the owner is; and the entry says where the last-level cache may have lines. */
void judge_home_knows(judge_t *j, const hmd_dir_t *e)
{
    block_t *b = judge_record_of(j, e->line);
    if (!b)
        return;
    j->coherence->tells = b->told = true;
    b->sharers = e->sharers;
    b->owner = e->owner;
    for (unsigned d = 0; d < DEVICES; d++) {
        const holder_t *h = &b->of[d];
        const bool owner = e->owner >> d & 1, known = (e->owner | e->sharers) >> d & 1, holds = h->may != OF(I),
                   asks = h->asks && !h->granted && h->op <= SMD_OWN;
        if (known ? !holds && !asks : holds)
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "%s: %s",
                               holds ? "holds the block, but the home's entry does not name it"
                                     : "holds nothing of the block, but the home's entry names it",
                               judge_everybody(b));
        else if (holds && (owner ? !(h->may & OWNERS) : !(h->may & ~(unsigned)OWNERS)))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "%s: %s",
                               owner ? "does not own the block, but the home's entry names it as owner"
                                     : "owns the block, but the home's entry does not name it as owner",
                               judge_everybody(b));
    }
    if (e->llc ? e->owner : count(&b->held[HOST]))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, HOST, "%s: %s",
                           e->llc ? "the home's entry has llc beside an owner"
                                  : "holds lines, but the home's entry has no llc",
                           judge_everybody(b));
}
