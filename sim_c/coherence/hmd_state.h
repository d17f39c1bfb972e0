/* The state of the twin of rtl/coherence/hmd.sv (sim_c/coherence/hmd.c, docs/blocks/hmd.md). It is plain data, without a pointer: a copy of it is a copy
 * of the block, queues begin at index 0, and fields that are not valid are 0. Bits of many (transactions, slots) are a mask, so that a cycle
 * in which nothing happens has no loop. */
#ifndef VL_HMD_STATE_H
#define VL_HMD_STATE_H
#include "hmd_ports.h"
#include "sim_c/common/memory_map.h"
#include <string.h>

enum { HMD_ENTRIES = HOST_BYTES / INTERLEAVE_BYTES };
/* Queues, of two each. */
enum hmd_queue { HMD_QIN, HMD_KIN, HMD_LIN, HMD_AIN, HMD_PQ, HMD_DQ, HMD_LQ, HMD_MQ, HMD_QUEUES };
/* Stages of a transaction. */
enum hmd_stage { HMD_T_LOOK, HMD_T_FIRST, HMD_T_SECOND, HMD_T_LINES, HMD_T_SET, HMD_T_GRANT, HMD_T_ARRIVE, HMD_STAGES };
_Static_assert(HMD_TRANSACTIONS <= 16 && HOST_READERS <= 8 && DEVICES <= 4 && BLOCK_LINES <= 128, "masks");

typedef struct {
    uint8_t sharers : 4, owner : 3, llc : 1;
} hmd_entry_t;
typedef struct {
    uint64_t line;
    uint8_t op, device, id;
    bool bytes, thin, wide;
    struct {
        bool valid, sent, to_peer;
        uint8_t device, kind;
    } first;
    uint8_t probes, pkind; /* a bit a device */
    /* probes of the last-level cache: how many lines of the block, its last ones, are still to be probed; their kind */
    uint8_t lprobes, lkind;
    uint8_t wait, lwait;
    hmd_entry_t was;
    bool lheld, osent;
    uint8_t ostate, grant;
    uint8_t next, slots; /* slots: those that are not FREE, a bit each */
} hmd_transaction_t;
typedef struct {
    uint64_t line;
    uint8_t x; /* the transaction; for a GET the device */
    bool get;
    line_data_t data;
} hmd_slot_t;

struct hmd {
    uint32_t init;
    uint8_t count[HMD_QUEUES];
    bool rsp_valid;
    uint8_t reads, here; /* slots in READ, in HERE; a bit each */
    /* Sets of transactions, a bit each: valid, in each stage, waiting for an acknowledgement. */
    uint16_t valid, at[HMD_STAGES], waits;
    struct {
        bool valid, set;
        uint8_t x;
    } s1;
    uint16_t jobs; /* requests in the pool */
    bool dir_valid;
    hmd_dir_t dir;
    ev_hmd_t ev;
    hmd_transaction_t x[HMD_TRANSACTIONS];
    hmd_job_t pool[HMD_POOL];
    home_rsp_t rsp;
    hmd_req_t qin[2];
    hmd_ack_t kin[2];
    home_req_t lin[2];
    home_ack_t ain[2];
    hmd_probe_t pq[2];
    hmd_data_t dq[2];
    home_probe_t lq[2];
    home_req_t mq[2];
    hmd_slot_t slot[HOST_READERS];
    hmd_entry_t table[HMD_ENTRIES];
};

/* Values passed between the steps of an edge, and values of before the edge for later steps. */
typedef struct {
    uint8_t count[HMD_QUEUES];
    unsigned memory;
    bool stacks; /* home memory is in stacks */
    bool mq, dq; /* the queue has room, and nothing has entered it at this edge; mq: of memory, wherever that is */
    bool peers, write; /* write: the head of lin is a write-back */
    uint16_t valid, at[HMD_STAGES], waits;
    uint16_t ends; /* transactions that become invalid at this edge */
    uint8_t busy; /* slots that are not FREE */
    ev_hmd_t ev;
} hmd_edge_t;

static inline bool hmd_clearing(const hmd_t *s)
{
    return s->init < HMD_ENTRIES;
}

static inline bool hmd_same_block(uint64_t a, uint64_t b)
{
    return a >> ILV_W == b >> ILV_W;
}

static inline bool hmd_of_cache(unsigned op)
{
    return op >= HMD_L_READ;
}

/* Lines that it reads from memory. */
static inline unsigned hmd_lines_of(const hmd_transaction_t *x)
{
    return hmd_of_cache(x->op) ? 1 : BLOCK_LINES;
}

static inline bool hmd_room(const hmd_edge_t *e, unsigned queue)
{
    return e->count[queue] < 2;
}

static inline unsigned hmd_lowest(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* The first element leaves a queue, and the place behind the others is 0 again. */
static inline void hmd_leave(hmd_t *s, unsigned queue, void *first, size_t size)
{
    if (s->count[queue] == 2)
        memcpy(first, (char *)first + size, size);
    memset((char *)first + --s->count[queue] * size, 0, size);
}
#define HMD_LEAVE(s, queue, q) hmd_leave(s, queue, (s)->q, sizeof *(s)->q)

/* ---- parts of the block, each in the file of its module's name; step numbers are the page's ---- */

/* hmd_table: the entry of a line; its new value at the end of a transaction, and the grant. */
hmd_entry_t *hmd_entry(hmd_t *s, uint64_t line);
hmd_entry_t hmd_after(const hmd_transaction_t *x, uint8_t *grant);

/* hmd_pool: step 3, its conditions on the pool; step 4, whether a transaction begins. */
void hmd_collect(hmd_t *s, const hmd_edge_t *e);
bool hmd_begin(hmd_t *s, hmd_edge_t *e);

/* hmd_transact: the transaction of a line, or -1. Before the edge. */
int hmd_about(const hmd_t *s, const hmd_edge_t *e, uint64_t line);
void hmd_move(hmd_t *s, unsigned x, unsigned from, unsigned to);
void hmd_end(hmd_t *s, unsigned x);
/* The acknowledgements that it waits for are others now. */
void hmd_renew(hmd_t *s, unsigned x);
/* Step 5. */
void hmd_stage1(hmd_t *s, hmd_edge_t *e);
/* Step 6: FIRST, SECOND; GRANT. */
void hmd_probe(hmd_t *s, hmd_edge_t *e);
void hmd_grant(hmd_t *s, hmd_edge_t *e);
/* Step 7, whether one is chosen. */
bool hmd_set(hmd_t *s, const hmd_edge_t *e);

/* hmd_lines: a request goes to memory; step 1, a GET, whether it is performed; step 6, LINES, host_rsp and Emit. */
void hmd_to_memory(hmd_t *s, hmd_edge_t *e, const home_req_t *r);
bool hmd_get(hmd_t *s, hmd_edge_t *e, const hmd_ack_t *a);
void hmd_lines(hmd_t *s, const hmd_in_t *in, hmd_edge_t *e);
/* The line or grant that enters dq at this edge. Before the edge. */
bool hmd_speaks(const hmd_t *s);
#endif
