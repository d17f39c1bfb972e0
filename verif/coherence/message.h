/* A message between directories, of any kind (docs/coherence.md), and where wires lead: for the benches of smd_net and hmd_net. From the words of docs/blocks/smd_net.md, by division. */
#ifndef VERIF_COHERENCE_MESSAGE_H
#define VERIF_COHERENCE_MESSAGE_H
#include "vl_cfg.h"
#include "vl_types.h"

typedef union {
    smd_req_t smd_req;
    smd_ack_t smd_ack;
    smd_peer_t smd_peer;
    smd_probe_t smd_probe;
    smd_data_t smd_data;
    hmd_req_t hmd_req;
    hmd_ack_t hmd_ack;
    hmd_probe_t hmd_probe;
    hmd_data_t hmd_data;
    smd_mem_t smd_mem;
} message_t;

enum {
    N_SMDS = DEVICES * CHANNELS,
    N_HMDS = HOST_CHANNELS,
    N_WIRES = LINKS == LINKS_POINT ? DEVICES : 1,
    NET_MOST = N_SMDS + N_HMDS + N_WIRES,
    LPB = INTERLEAVE_BYTES / LINE_BYTES
};

static inline unsigned wire_to(unsigned device)
{
    return LINKS == LINKS_POINT ? device : 0;
}

static inline unsigned channel_of_block(uint64_t line, unsigned channels)
{
    return (unsigned)(line / LPB % channels);
}

/* A line at random: of few blocks, next to a block's end, or anywhere. */
static inline uint64_t some_line(vl_rng_t *r)
{
    const uint64_t any = vl_random(r) & (((uint64_t)1 << LINE_ADDR_W) - 1);
    switch (vl_below(r, 3)) {
    case 0: return any % (4 * CHANNELS * LPB);
    case 1: return any / LPB * LPB + (vl_below(r, 2) ? LPB - 1 : 0);
    default: return any;
    }
}

/* A device; with `wire`, one at its other end; never `except`. */
static inline uint8_t some_device(vl_rng_t *r, int wire, int except)
{
    unsigned d;
    do
        d = LINKS == LINKS_POINT && wire >= 0 ? (unsigned)wire : vl_below(r, DEVICES);
    while ((int)d == except);
    return (uint8_t)d;
}
#endif
