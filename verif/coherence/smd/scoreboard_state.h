/* The scoreboard's state. Each line has the bytes that were given to the SMD and are not written to the stack yet (`given`, in their order), the stack's bytes (`cell`, `marks`),
 * the home's (`home`), those that the home must have when no agent holds bytes (`truth`), and the slice's copy. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_STATE_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_STATE_H
#include "verif/coherence/smd/scoreboard_bytes.h"

enum {
    SB_BLOCKS = 24,
    SB_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    SB_LINES = SB_BLOCKS * SB_LPB,
    SB_GIVEN = 16,
    SB_PEERS = 64,
    SB_MEMS = 16
};

typedef struct {
    bool whole; /* a whole line, with its stored bytes in `marks`; else only stored bytes */
    uint64_t when, known; /* known: near, the cycle of the DONE that reported it; 0: not yet */
    sb_mask_t be, marks;
    sb_data_t data;
} sb_given_t;
typedef enum { GET_NONE, GET_ASKED, GET_COME } sb_get_e;
typedef struct {
    uint64_t addr;
    unsigned block;
    sb_data_t home, truth, cell;
    sb_mask_t marks;
    sb_given_t given[SB_GIVEN];
    unsigned first, count;
    /* the slice */
    uint8_t st, op, id;
    /* a read under way; a write-back that the home has not taken; a probe without acknowledgement */
    bool awaited, offered, probed;
    uint64_t asked_since;
    sb_mask_t own;
    sb_data_t bytes;
    /* the probe of its block that is being answered */
    bool ask, asked, got_valid;
    sb_mask_t must, got, sent;
    uint64_t must_when;
    sb_data_t got_data;
    sb_mask_t to_clear; /* their marks are still to be cleared in the stack */
    sb_mask_t flush; /* to be sent before maintenance is done; */
    /* of these, bytes that the probe being answered does not bring, as they were written back after the stack was read */
    sb_mask_t late;
    bool here; /* has arrived since the SMD held nothing of the block */
    /* far */
    sb_get_e get; /* of the read that is awaited */
    uint64_t taken_since; /* cycle in which the SMD took it */
    sb_data_t fetched; /* the home's bytes */
    uint64_t shared; /* when the oldest such bytes were given; 0: none */
    bool share; /* maintenance must bring them home */
} sb_line_t;
/* The HMD's state of a block. */
typedef enum { HELD_NONE, HELD_SHARED, HELD_OWNED, HELD_ALONE } sb_held_e;
typedef enum { TX_NONE, TX_ASKED, TX_SELF, TX_LINES, TX_GRANTED } sb_tx_e; /* SELF: i itself is asked first */
typedef struct {
    uint64_t block; /* of the channel */
    unsigned place;
    sb_held_e held;
    sb_tx_e tx;
    smd_req_t req;
    bool granted; /* LINES: the grant has been given */
    uint8_t grant;
    bool more; /* GRANTED: the next request has overtaken ARRIVED */
    smd_req_t next;
    bool probing; /* a probe is on its way or being answered */
    bool job; /* the SMD has taken it, and DONE has not come */
    smd_probe_t probe;
    uint64_t job_since;
    /* EVICT without bytes had been sent when it was taken: others may keep their copies */
    bool none;
    unsigned sent_peer; /* lines of it that were read for the peer */
    bool held_before; /* INVAL: it must be taken before the end */
    bool near; /* at home in this stack; */
    /* in the place of a block with a lower number: a machine has room for all, so the bench does not use it */
    bool out;
    uint64_t granted_since, done_since; /* the last grant, the last DONE */
} sb_block_t;
/* A read or write of the HMD's that the SMD has taken: until the stack performs it, or it is answered. */
typedef struct {
    sb_line_t *line;
    smd_data_t ask;
    uint64_t when;
    bool performed;
    sb_data_t got;
} sb_mem_t;
typedef struct {
    sb_line_t line[SB_LINES];
    sb_block_t block[SB_BLOCKS];
    unsigned channel, device;
    uint8_t memory;
    bool far; /* memory is not umh */
    sb_mem_t mem[SB_MEMS]; /* oldest first */
    unsigned mems;
    sb_line_t *answered; /* last */
    uint64_t now, maint_since;
    unsigned job_block; /* of the last probe that the SMD took; DONE of those before it may still be on the way */
    struct {
        smd_peer_t line;
        uint64_t since;
    } peer[SB_PEERS]; /* still to be seen */
    unsigned peers;
    bool maint;
    maint_t order;
} sb_t;
#endif
