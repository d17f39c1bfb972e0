/* The state of the twin of rtl/cache/l1d.sv (sim_c/cache/l1d.c, docs/blocks/l1d.md). A line's place in the arrays is set * L1D_WAYS + way. */
#ifndef VL_L1D_STATE_H
#define VL_L1D_STATE_H

#include "l1d_ports.h"
#include "sim_c/common/line_key.h"

#define LINES (L1D_BYTES / LINE_BYTES)
#define SETS (LINES / L1D_WAYS)
enum {
    MAX_LINES = MAX_L1D_BYTES / LINE_BYTES,
    SLOTS = THREADS < 32 ? THREADS : 32,
    KIND_FILL = 0,
    KIND_STORE = 1,
    KIND_AMO = 2,
    PAGE_LAST = PAGE_LINES - 1, /* the last line of a page */
    JAM = 64
};

typedef struct {
    uint64_t w[SECTOR_BYTES / 8];
} sector_bits_t;
typedef struct {
    l1d_tag_t tag;
    unsigned sector;
} target_t;
typedef struct {
    line_key_t key;
    uint32_t place;
    uint8_t count, next;
} mshr_t; /* its targets are apart: these are gone through */
typedef struct {
    l1d_tag_t tag;
    uint64_t data;
} slot_rec_t;

typedef struct {
    bool valid, probe;
    uint8_t warp; /* the warp of the load that caused it */
    uint64_t line;
} ahead_t; /* step 11: a line to fetch ahead, or, with probe, to look for */
struct l1d {
    unsigned count;
    l1d_req_t q[2];
    /* early: the youngest was taken at the last edge, and its frame comes in this cycle; dropped: its page was not found */
    bool early, dropped[2];
    bool s2_valid, s3_valid, s3_amo, m_valid, ack;
    ahead_t ahead;
    uint8_t jam; /* cycles until a memory port that was stalled counts as free */
    /* of the head of the queue and of s2: not a request of the LSU, but a line to fetch ahead; with probe, to look for */
    bool q_ahead, q_probe, s2_ahead, s2_probe;
    bool still; /* everything inside waits for a ready or for memory: until one comes, edges change nothing */
    bool told_valid; /* the output `line` is valid, with `told` */
    line_event_t told;
    l1d_req_t s2;
    l1d_tag_t s3_tag;
    sector_bits_t s3_data; /* the data RAM's read register */
    mem_req_t m;
    ev_l1d_t ev;
    uint64_t mshr_valid, mshr_done, mshr_poison; /* a bit an MSHR */
    mshr_t mshr[MAX_L1D_MSHRS];
    target_t target[MAX_L1D_MSHRS][MAX_L1D_TARGETS];
    uint32_t slot_valid, slot_done;
    slot_rec_t slot[SLOTS];
    bool valid[MAX_LINES], fresh[MAX_LINES]; /* fresh: fetched ahead, and not used yet */
    uint8_t age[MAX_LINES];
    uint8_t owner[MAX_LINES]; /* the warp of the load that fetched the line */
    line_key_t key[MAX_LINES]; /* instead of the tag */
    line_data_t data[MAX_LINES];
};

#endif
