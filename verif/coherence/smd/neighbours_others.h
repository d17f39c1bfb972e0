/* Other devices, behind the HMD: they read, store and evict. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_OTHERS_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_OTHERS_H
#include "verif/coherence/smd/neighbours_memory.h"

static void hmd_probe(world_t *w, unsigned k, uint8_t kind, bool to_peer, bool peer, bool keep)
{
    w->sb.block[k].probing = true;
    w->probes[w->to_probe++] = (smd_probe_t){
        .kind = kind, .line = w->sb.line[k * SB_LPB].addr, .to_peer = to_peer, .peer = peer, .keep = keep};
}

/* Others have stored: bytes that neither the SMD nor its slice has of its own. */
static void others_store(bench_t *b, world_t *w, unsigned k)
{
    if (w->sb.block[k].probing || sb_peers_of(&w->sb, k))
        return; /* bytes on their way to the home are older */
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *l = &w->sb.line[k * SB_LPB + i];
        if (vl_below(&b->rng, 2))
            continue;
        if (w->sb.block[k].near) {
            hmd_writes(b, w, l);
            continue;
        }
        sb_data_t data;
        sb_mask_t m = mask_without(mask_without(some_whole(b), sb_fold(l)), l->own);
        if (l->offered)
            continue;
        vl_random_wide(&b->rng, LINE_BITS, data.w);
        bytes_put(&l->home, &data, m);
        bytes_put(&l->truth, &data, m);
    }
}

/* Others read, store and evict: a block without a transaction, or with one that has not begun, is probed. */
static void others_ask(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    if (y->drain || w->to_probe == PROBES || !vl_chance(&b->rng, y->probe))
        return;
    const unsigned k = some_line(b, w)->block;
    sb_block_t *x = &w->sb.block[k];
    if (x->probing || (x->tx != TX_NONE && x->tx != TX_ASKED))
        return;
    const bool wild = vl_chance(&b->rng, y->wild), owner = x->held == HELD_OWNED || x->held == HELD_ALONE;
    if (!wild && x->held == HELD_NONE)
        return;
    uint8_t kind = owner || wild ? (uint8_t)vl_below(&b->rng, 3) : PROBE_WRITE;
    if (w->sb.far && kind == PROBE_READ) /* that is for peers */
        kind = PROBE_CLEAN;
    hmd_probe(w, k, kind, (owner || wild) && !w->sb.far && vl_chance(&b->rng, y->peers), vl_below(&b->rng, 2),
              kind == PROBE_CLEAN && wild && vl_below(&b->rng, 2));
}
#endif
