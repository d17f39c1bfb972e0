/* The page's section "State" (docs/blocks/hmd.md). */
#ifndef VERIF_COHERENCE_HMD_PAGE_STATE_H
#define VERIF_COHERENCE_HMD_PAGE_STATE_H
#include "hmd_ports.h"

enum {
    PG_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    PG_ENTRIES = HOST_BYTES / INTERLEAVE_BYTES,
    PG_SLOTS = 2 * L2_MSHRS < 8 ? 2 * L2_MSHRS : 8,
    PG_POOL = DEVICES * (CHANNELS / HOST_CHANNELS) * SMD_TRANSACTIONS + 2 * L2_MSHRS
};
typedef struct {
    bool sharer[DEVICES], llc;
    unsigned owner; /* 0: none, else the device + 1 */
} page_entry_t;
typedef enum { PO_READ, PO_OWN, PO_EVICT, PO_FLUSH, PO_L_READ, PO_L_OWN } page_op_e;
typedef struct {
    page_op_e op;
    unsigned device, id;
    uint64_t line;
    bool bytes, thin;
} page_job_t;
typedef enum { PX_LOOK, PX_FIRST, PX_SECOND, PX_LINES, PX_SET, PX_GRANT, PX_ARRIVE } page_stage_e;
typedef struct {
    bool valid;
    page_job_t job;
    page_stage_e stage;
    bool wide; /* all holders give the block up */
    bool first, first_sent, first_peer;
    unsigned first_kind;
    bool probe[DEVICES], lprobe[PG_LPB], wait[DEVICES];
    unsigned pkind, lkind, lwait, next;
    page_entry_t e; /* as it was looked up */
    bool lheld, osent;
    uint8_t ostate;
} page_x_t;
typedef enum { PS_FREE, PS_READ, PS_HERE } page_slot_e;
typedef struct {
    page_slot_e state;
    bool get;
    unsigned x; /* get: the device */
    uint64_t line;
    line_data_t data;
} page_slot_t;
/* Queues of two: in from devices, from the host's slices, and out to both and to memory. */
#define PAGE_QUEUE(type)  \
    struct {              \
        type w[2];        \
        unsigned n;       \
    }
typedef struct {
    unsigned init;
    PAGE_QUEUE(hmd_req_t) qin;
    PAGE_QUEUE(hmd_ack_t) kin;
    PAGE_QUEUE(home_req_t) lin;
    PAGE_QUEUE(home_ack_t) ain;
    PAGE_QUEUE(hmd_probe_t) pq;
    PAGE_QUEUE(hmd_data_t) dq;
    PAGE_QUEUE(home_probe_t) lq;
    PAGE_QUEUE(home_req_t) mq;
    page_job_t pool[PG_POOL];
    unsigned pool_n;
    page_x_t x[HMD_TRANSACTIONS];
    page_slot_t r[PG_SLOTS];
    bool s1_valid, s1_set;
    unsigned s1_x, memory;
} page_state_t;
typedef struct {
    page_state_t s;
    page_entry_t table[PG_ENTRIES];
    hmd_out_t out;
} page_t;
#endif
