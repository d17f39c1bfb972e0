/* The scoreboard's state: the holders of each block and line, with state and bytes; the last value of each byte; and the messages about a block since its last
 * transaction ended. Agents are the devices, and after them the host's last-level cache. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_STATE_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_STATE_H
#include "hmd_ports.h"
#include "verif/common/scoreboard.h"

enum {
    SB_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    SB_BLOCKS = 8,
    SB_CACHE = DEVICES, /* the last-level cache, as an agent */
    SB_AGENTS = DEVICES + 1,
    SB_PASSED = 2 * HMD_POOL,
    SB_TAKEN = 16
};
typedef struct {
    uint8_t byte[LINE_BYTES];
    bool mask[LINE_BYTES]; /* bytes that the home does not have */
} sb_copy_t;
/* A line that was asked for by GET. */
typedef struct {
    bool asked, taken; /* the HMD has it */
    uint64_t when, since;
    uint8_t want[LINE_BYTES];
} sb_get_t;
/* A block at a device. */
typedef struct {
    uint8_t st;
    sb_copy_t line[SB_LPB];
    bool have[SB_LPB]; /* zerocopy: the slice holds the line */
    sb_get_t get[SB_LPB];
    bool busy, taken; /* busy: from the request until ARRIVED; taken: the HMD has taken it */
    smd_req_t req;
    bool come[SB_LPB], granted, touched, probed;
    uint8_t gstate;
    unsigned passed;
    uint64_t since, order;
} sb_held_t;
/* A line at the last-level cache. */
typedef struct {
    uint8_t st, op, id, kind;
    sb_copy_t copy;
    bool awaited, taken, probed, offered; /* a read is under way; the HMD has it; a probe, a write-back not taken yet */
    uint64_t due, since, order, when;
    unsigned passed;
} sb_line_t;
typedef enum { SB_NONE, SB_SHARER, SB_OWNER } sb_holder_e;
typedef struct {
    uint64_t first; /* number of its first line */
    /* state when its last transaction ended */
    sb_holder_e holder[DEVICES];
    bool cache; /* the last-level cache may have lines of it */
    /* since then: probes of devices in their order, and of the last-level cache */
    unsigned probes, answers;
    struct {
        unsigned device;
        smd_probe_t probe;
        bool early; /* another probe had no answer at that time */
    } probe[DEVICES + 2];
    unsigned asked[SB_LPB], asked_kind;
    bool cache_held; /* an acknowledgement reported the line held */
    bool arriving; /* a grant has not arrived */
    bool read; /* memory has been read */
    uint64_t first_answer; /* cycle of the first answer to a probe; ~0: none */
    uint64_t done; /* the HMD took the last DONE */
} sb_block_t;
typedef struct {
    uint64_t now, awake, order; /* awake: cycles in which nothing was withheld */
    uint8_t policy; /* memory_e */
    bool far, stacks; /* not umh; memcpy or managed */
    sb_block_t block[SB_BLOCKS];
    sb_held_t held[DEVICES][SB_BLOCKS];
    sb_line_t cache[SB_BLOCKS][SB_LPB];
    struct {
        uint8_t byte[LINE_BYTES], agent[LINE_BYTES];
        uint64_t when[LINE_BYTES];
    } truth[SB_BLOCKS][SB_LPB];
    uint8_t memory[SB_BLOCKS][SB_LPB][LINE_BYTES];
    /* What memory will have when all BYTES have been written that the HMD has taken; when the last of them was taken, and when the last-level cache's last were written. */
    struct {
        uint8_t byte[LINE_BYTES];
        uint64_t when[LINE_BYTES], cache[LINE_BYTES];
    } home[SB_BLOCKS][SB_LPB];
    struct {
        uint64_t line;
        line_be_t mask;
        line_data_t data;
        bool cache, ack; /* of the last-level cache: of a probe's acknowledgement */
        uint64_t when;
    } bytes[SB_TAKEN]; /* bytes that it has taken and not written */
    unsigned taken;
} sb_t;
#endif
