/* All that stands around the HMD: how it behaves for a while, its state, and times and blocks at random. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_WORLD_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_WORLD_H
#include "verif/coherence/hmd/scoreboard.h"

enum { NB_ACKS = SB_BLOCKS * (3 * SB_LPB + 3), NB_PEERS = SB_BLOCKS * SB_LPB, NB_IDS = 2 * L2_MSHRS };
/* How they behave for a while; chances are of 256. */
typedef struct {
    unsigned ask, own, evict, flush, store, get, put; /* devices */
    unsigned cache_ask, cache_own, give, keep, drop, cache_store; /* the last-level cache */
    unsigned probe, data, ack, cache_probe, cache_ack, memory, answers; /* takes and offers at the ports */
    unsigned latency, memory_latency, peers, base, span;
    bool drain;
} style_t;
typedef struct {
    sb_t sb;
    style_t style;
    struct {
        unsigned device, block;
        smd_probe_t probe;
        uint64_t due;
    } job[DEVICES * SB_BLOCKS];
    unsigned jobs;
    hmd_ack_t ack[DEVICES][NB_ACKS]; /* of each device, in its order; a ring */
    unsigned ack_first[DEVICES], acks[DEVICES];
    struct {
        smd_peer_t line;
        uint64_t due;
    } peer[NB_PEERS];
    unsigned peers;
    unsigned acker; /* the device that offers an acknowledgement, + 1 */
    bool req_valid, home_valid, cack_valid;
    hmd_req_t req;
    home_req_t home;
    home_ack_t cack;
    struct {
        bool busy;
        line_data_t data;
        uint64_t due;
    } read[HOST_READERS];
} world_t;

static bool some_time(bench_t *b, const world_t *w, unsigned chance)
{
    return w->style.drain || vl_chance(&b->rng, chance);
}

static unsigned some_block(bench_t *b, const world_t *w)
{
    return (w->style.base + vl_below(&b->rng, w->style.span)) % SB_BLOCKS;
}
#endif
