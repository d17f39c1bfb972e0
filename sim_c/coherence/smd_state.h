/* The state of the twin of rtl/coherence/smd.sv (sim_c/coherence/smd.c, docs/blocks/smd.md). It is plain data, without a pointer: a copy of it is a
 * copy of the block, and fields that are not valid are 0. Bits of many (reads of the slice, transactions, slots of the job) are a mask, so that
 * a cycle in which nothing happens has no loop. */
#ifndef VL_SMD_STATE_H
#define VL_SMD_STATE_H
#include "sim_c/common/mask.h"
#include "sim_c/common/memory_map.h"
#include "smd_ports.h"
#include "vl_nmoesi.h"
#include <string.h>

enum {
    SMD_GROUPS = (SMD_PLACES + 63) / 64,
    SMD_SLOTS = STACK_READERS - L2_MSHRS,
    SMD_READ_ID = 1 << (HOME_ID_W - 1) /* of a read k: this and k */
};
/* Queues, of two each. */
enum smd_queue { SMD_FQ, SMD_IN, SMD_AQ, SMD_SQ, SMD_PQ, SMD_RQ, SMD_KQ, SMD_EQ, SMD_QUEUES };
/* Transactions. */
enum smd_kind { SMD_X_FETCH, SMD_X_FLUSH, SMD_X_EVICT };
enum smd_stage {
    SMD_T_OUT,
    SMD_T_LEAVE,
    SMD_T_LEFT,
    SMD_T_CLEAR,
    SMD_T_ASK,
    SMD_T_WAIT,
    SMD_T_END,
    SMD_T_ARRIVE,
    SMD_STAGES
};
/* The job. */
enum smd_phase { SMD_J_NONE, SMD_J_LOOK, SMD_J_ASK, SMD_J_DRAIN, SMD_J_LOOK2, SMD_J_SEND, SMD_J_SET, SMD_J_DONE };
/* s1. */
enum smd_what { SMD_1_LOOK, SMD_1_LOOK2, SMD_1_SET, SMD_1_CLEAR, SMD_1_READ, SMD_1_END, SMD_1_WRITE, SMD_1_STEP };
enum smd_maint { SMD_M_NONE, SMD_M_WALK, SMD_M_DRAIN };
_Static_assert(L2_MSHRS <= 64 && SMD_TRANSACTIONS <= 16 && SMD_SLOTS <= 8 && BLOCK_LINES <= 128, "masks");
_Static_assert((int)HOME_READ == (int)NM_LOAD && (int)HOME_READ_OWN == (int)NM_STORE
                   && (int)HOME_N_READ == (int)NM_N_STORE,
               "a read's op is what it needs");

/* A bit a line of a block. */
typedef struct {
    uint8_t b[(BLOCK_LINES + 7) / 8];
} smd_lines_t;
typedef struct {
    uint64_t tag : 56, state : 8;
    smd_lines_t owner;
} smd_entry_t;
typedef struct {
    uint64_t line;
    uint8_t op, grant;
} smd_read_t;
typedef struct {
    uint64_t line, victim;
    smd_lines_t come;
    uint8_t missing; /* number of lines that have not come */
    uint8_t kind, gstate;
    bool bytes; /* the victim may have bytes that the home does not have */
    bool own, granted, touched;
} smd_transaction_t;
typedef struct {
    bool mem; /* the slot serves a read by the HMD, of this line and id */
    uint8_t off, id;
    uint64_t line;
    line_mask_t mask;
    line_data_t data;
} smd_slot_t;

struct smd {
    uint32_t init;
    uint8_t count[SMD_QUEUES];
    bool rsp_valid, done;
    ev_smd_t ev;
    /* Sets of reads in w, a bit each: in WAIT, of these with `wake`, in SENT, in FAR. */
    uint64_t waits, wake, sent, far;
    smd_read_t w[L2_MSHRS];
    /* Sets of transactions, a bit each: valid, in each stage, begun by maintenance, granted with all lines here. */
    uint16_t valid, at[SMD_STAGES], of_maint, whole;
    smd_transaction_t x[SMD_TRANSACTIONS];
    /* the job */
    struct {
        uint8_t phase, st, out, next;
        bool given;
        smd_lines_t asks;
        smd_probe_t probe;
    } job;
    /* The job's slots in READ and in HERE, a bit each. A read by the HMD keeps its slot after the job. */
    uint8_t reads, here;
    bool serve;
    smd_slot_t slot[SMD_SLOTS];
    struct {
        bool valid, first;
        uint8_t what, number;
        home_req_t req; /* the request in WRITE; in STEP only its line counts */
    } s1;
    uint8_t maint;
    maint_t mreq;
    uint32_t step;
    home_rsp_t rsp;
    smd_data_t fq[2];
    home_req_t in[2];
    home_ack_t aq[2];
    uint8_t older[2]; /* for each entry of aq: write-backs that were taken before it, and have not left s1 */
    stack_req_t sq[2];
    home_probe_t pq[2];
    smd_req_t rq[2];
    smd_ack_t kq[2];
    smd_peer_t eq[2];
    uint64_t some[(SMD_GROUPS + 63) / 64];
    smd_entry_t table[SMD_PLACES];
};

/* Values passed between the steps of an edge, and values of before the edge for later steps. */
typedef struct {
    unsigned channel, device, memory;
    bool far; /* by policy: the bytes of lines are in home memory, not in this stack */
    uint8_t count[SMD_QUEUES];
    bool sq; /* the queue sq has room, and nothing has entered it at this edge */
    bool kq;
    bool takes_data;
    uint8_t slots; /* those that are not FREE */
    uint8_t phase, out, maint;
    bool given;
    uint64_t waits, wake;
    uint64_t granted; /* reads in SENT or FAR */
    uint16_t valid, at[SMD_STAGES], of_maint, whole;
    uint32_t step;
    bool some; /* some place of the group of `step` may be dirty */
    int came; /* the transaction for which a line comes at this edge, or -1 */
    uint64_t wakes; /* reads that get `wake` */
    bool left; /* s1 leaves */
    ev_smd_t ev;
} smd_edge_t;

/* ---- lines of a block ---- */

static inline bool smd_has(const smd_lines_t *m, unsigned off)
{
    return m->b[off / 8] >> off % 8 & 1;
}

static inline void smd_put(smd_lines_t *m, unsigned off, bool one)
{
    m->b[off / 8] = (uint8_t)((m->b[off / 8] & ~(1u << off % 8)) | (unsigned)one << off % 8);
}

/* ---- addresses ---- */

static inline unsigned smd_off(uint64_t line)
{
    return (unsigned)line & (BLOCK_LINES - 1);
}

static inline uint64_t smd_first(uint64_t line)
{
    return line & ~(uint64_t)(BLOCK_LINES - 1);
}

static inline bool smd_same_block(uint64_t a, uint64_t b)
{
    return a >> ILV_W == b >> ILV_W;
}

static inline uint32_t smd_place(uint64_t line)
{
    return (uint32_t)(line >> (ILV_W + CHANNEL_BITS)) & (SMD_PLACES - 1);
}

static inline uint64_t smd_tag(uint64_t line)
{
    return (line >> (ILV_W + CHANNEL_BITS)) / SMD_PLACES;
}

/* The first line of the block of this tag. */
static inline uint64_t smd_line_at(uint64_t tag, uint32_t place, unsigned channel)
{
    return ((tag * SMD_PLACES + place) << CHANNEL_BITS | channel) << ILV_W;
}

static inline uint64_t smd_stack_line(uint64_t line, unsigned channel)
{
    return smd_line_at(0, smd_place(line), channel) | smd_off(line);
}

/* Memory is in stacks, and this is the stack that has the line. */
static inline bool smd_near(const smd_edge_t *e, uint64_t line)
{
    return in_stacks(e->memory) && home_device(e->memory, line) == e->device;
}

/* Where a line stands in this stack. */
static inline uint64_t smd_stands(const smd_edge_t *e, uint64_t line)
{
    return e->far ? home_line(e->memory, line) : smd_stack_line(line, e->channel);
}

/* The lowest slot that is FREE, or -1. Before the edge. */
static inline int smd_slot(const smd_edge_t *e)
{
    const unsigned free = ~(unsigned)e->slots & ((1u << SMD_SLOTS) - 1);
    return free ? __builtin_ctz(free) : -1;
}

/* ---- states ---- */

/* After bytes of the slice have come. */
static inline unsigned smd_touched(unsigned state)
{
    return state == NMOESI_S ? NMOESI_N : state == NMOESI_E ? NMOESI_M : state;
}

/* May have bytes that its home has not. */
static inline bool smd_dirty(unsigned state)
{
    return state == NMOESI_N || state == NMOESI_O || state == NMOESI_M;
}

static inline bool smd_alone(unsigned state)
{
    return state == NMOESI_E || state == NMOESI_M;
}

/* ---- queues ---- */

static inline bool smd_room(const smd_edge_t *e, unsigned queue)
{
    return e->count[queue] < 2;
}

/* A request enters sq. */
static inline void smd_to_stack(smd_t *s, smd_edge_t *e, const stack_req_t *r)
{
    s->sq[s->count[SMD_SQ]++] = *r;
    e->sq = false;
}

/* A message enters kq. */
static inline void smd_to_home(smd_t *s, smd_edge_t *e, const smd_ack_t *a)
{
    s->kq[s->count[SMD_KQ]++] = *a;
    e->kq = false;
}

/* ---- parts of the block, each in the file of its module's name; step numbers are the page's ---- */

/* smd_table: what sets an entry does so here, to the state that it has then. */
void smd_set(smd_t *s, smd_edge_t *e, uint32_t place, unsigned state);
/* ... which is also of another block, of which the slice holds nothing. */
void smd_clear(smd_t *s, smd_edge_t *e, uint64_t line);
bool smd_some(const smd_t *s, uint32_t place);
void smd_forget_some(smd_t *s, uint32_t place);

/* ... may have bytes that its home has not, or get some: the slice may hold lines of it. */
bool smd_gives(const smd_entry_t *t);

/* smd_transact: the transaction that has a line of this place, or -1; one that is not valid, or -1. Before the edge. */
int smd_having(const smd_t *s, const smd_edge_t *e, uint32_t place);
int smd_free(const smd_edge_t *e);
void smd_begin(smd_t *s, unsigned x, unsigned stage, const smd_transaction_t *t);
void smd_move(smd_t *s, unsigned x, unsigned from, unsigned to);
/* smd_data_ready; before the edge. */
bool smd_takes_data(const smd_t *s);
/* Step 1; its effect on lines that have come is visible after the edge: smd_data_end. */
void smd_data(smd_t *s, const smd_in_t *in, smd_edge_t *e);
void smd_data_end(smd_t *s, const smd_in_t *in, const smd_edge_t *e);
/* Step 6 puts DONE or ARRIVED into kq if it has room. Before the edge. */
bool smd_answers(const smd_edge_t *e);
/* Step 6. */
void smd_ask(smd_t *s, smd_edge_t *e);

/* smd_job: the job's block is at this place. Before the edge. */
bool smd_job_at(const smd_t *s, const smd_edge_t *e, uint32_t place);
/* Its lines go to another device. */
bool smd_to_peer(const smd_t *s);
/* Step 3. */
void smd_slots(smd_t *s, smd_edge_t *e);
/* Step 5: LOOK, LOOK2, SET. */
void smd_job_table(smd_t *s, smd_edge_t *e);
/* Step 7. */
void smd_job_next(smd_t *s, const smd_in_t *in, smd_edge_t *e);
#endif
