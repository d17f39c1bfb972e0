/* The state of the twin of rtl/coherence/link.sv (sim_c/coherence/link.c, docs/blocks/link.md). It is plain data, without a pointer and without a count
 * that runs for ever: a copy of it is a copy of the block, queues begin at index 0, and places behind their ends are 0. */
#ifndef VL_LINK_STATE_H
#define VL_LINK_STATE_H
#include "link_ports.h"

enum { LINK_KINDS = LINK_REQ + 1 };
_Static_assert(MAX_LINK_CREDITS <= 255 && LINK_FLITS + MAX_LINK_LATENCY <= UINT16_MAX, "widths");

/* Entries of a lane ripen one after the other, in its order. So only the first that is not ripe is counted down; the others keep by how many cycles they
 * are behind the one before. */
typedef struct {
    uint8_t in, lane, ripe; /* numbers of messages: waiting for the wire; in the lane; of these, arrived (ripe) */
    uint16_t last; /* cycles until the youngest message of the lane is ripe */
    uint16_t wait[MAX_LINK_CREDITS];
} link_lane_t;

struct link {
    uint16_t left;
    uint8_t turn;
    ev_link_t ev;
    link_lane_t of[LINK_KINDS];
    hmd_data_t data_in[2], data[MAX_LINK_CREDITS];
    hmd_ack_t ack_in[2], ack[MAX_LINK_CREDITS];
    hmd_probe_t probe_in[2], probe[MAX_LINK_CREDITS];
    hmd_req_t req_in[2], req[MAX_LINK_CREDITS];
};
#endif
