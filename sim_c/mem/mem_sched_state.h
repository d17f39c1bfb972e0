/* State of the twin of mem_sched (docs/blocks/mem_sched.md). */
#ifndef SIM_C_MEM_SCHED_STATE_H
#define SIM_C_MEM_SCHED_STATE_H
#include "mem_sched_ports.h"

/* In the order in which equals go first. */
enum { SQ_GOLDEN, SQ_SILVER, SQ_NORMAL, SQ_WRITES, SQ_N };
enum {
    SQ_RMAX = MAX_SCHED_GOLDEN > MAX_SCHED_SILVER ? MAX_SCHED_GOLDEN : MAX_SCHED_SILVER,
    SQ_MAX3 = MAX_SCHED_NORMAL > SQ_RMAX ? MAX_SCHED_NORMAL : SQ_RMAX,
    SQ_MAX = MAX_SCHED_WRITES > SQ_MAX3 ? MAX_SCHED_WRITES : SQ_MAX3,
    SQ_SLOTS = (MAX_SCHED_WRITES + 63) / 64
};

typedef struct {
    place_t place;
    uint16_t stamp;
    uint8_t id;
    uint16_t slot;
} sq_entry_t;
typedef struct {
    unsigned count;
    uint64_t banks; /* banks that have entries, so that others need no search */
    uint16_t of_bank[CH_BANKS];
    sq_entry_t e[SQ_MAX]; /* oldest first */
} sched_queue_t;

/* An input register. An entry found in WRITES is remembered until that queue or the register changes. */
typedef struct {
    bool valid, first, known; /* first: the page's w_first */
    int found;                /* index in WRITES, -1: none */
    place_t place;
    uint8_t id;
    uint16_t asid;
} sched_read_t;

struct mem_sched {
    unsigned kind; /* of the chips */
    unsigned in_count[L2_SLICES], rr;
    home_req_t in[L2_SLICES][2];
    sched_read_t r[2]; /* g, d */
    struct {
        bool valid, waited;           /* waited: the page's w_known */
        bool known_found, known_read; /* `found` and `blocked` are up to date: their queues have not changed since */
        bool blocked;                 /* a read queue holds the line */
        int found;
        place_t place;
        line_be_t be;
        line_data_t data;
    } w;
    sched_queue_t q[SQ_N];
    uint64_t used[SQ_SLOTS];
    line_be_t slot_be[MAX_SCHED_WRITES];
    line_data_t slot_data[MAX_SCHED_WRITES];
    uint16_t time, row[CH_BANKS];
    struct {
        bool valid, hit, late, urgent;
        uint8_t queue;
        uint16_t entry;
    } choice;
    bool looked; /* the last edge looked at the queues, and one had an entry */
    bool drain;
    uint8_t turn;
    uint16_t left, skipped;
    bool txn_valid, rsp_valid;
    txn_t txn;
    uint8_t rsp_slice;
    home_rsp_t rsp;
    unsigned out;
    ev_mem_sched_t ev;
};
#endif
