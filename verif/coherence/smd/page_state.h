/* The page's section "State" (docs/blocks/smd.md). Blocks are numbers here, not tags. */
#ifndef VERIF_COHERENCE_SMD_PAGE_STATE_H
#define VERIF_COHERENCE_SMD_PAGE_STATE_H
#include "smd_ports.h"
#include "verif/coherence/grains.h"

enum {
    PG_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    PG_PLACES = STACK_BYTES / INTERLEAVE_BYTES,
    PG_GROUPS = (PG_PLACES + 63) / 64,
    PG_TOP = 1 << (HOME_ID_W - 1),
    PG_SLOTS = 4
};

typedef struct {
    uint64_t block; /* of this channel; its place is its remainder */
    uint8_t state;
    bool owner[PG_LPB];
} page_entry_t;
typedef enum { PW_FREE, PW_WAIT, PW_SENT, PW_FAR } page_w_e;
typedef struct {
    page_w_e state;
    bool wake;
    uint8_t op, grant;
    uint64_t line;
} page_wait_t;
typedef enum { PX_FETCH, PX_FLUSH, PX_EVICT } page_kind_e;
typedef enum { PX_OUT, PX_LEAVE, PX_LEFT, PX_CLEAR, PX_ASK, PX_WAIT, PX_END, PX_ARRIVE } page_stage_e;
typedef struct {
    bool valid, own, maint, granted, touched, bytes;
    page_kind_e kind;
    page_stage_e stage;
    uint8_t gstate;
    uint64_t line, victim;
    bool come[PG_LPB];
} page_x_t;
typedef enum { PJ_NONE, PJ_LOOK, PJ_ASK, PJ_DRAIN, PJ_LOOK2, PJ_SEND, PJ_SET, PJ_DONE } page_phase_e;
typedef enum { PS_FREE, PS_READ, PS_HERE } page_slot_e;
typedef struct {
    page_phase_e phase;
    smd_probe_t probe;
    bool asks[PG_LPB], given, to_peer, marked;
    unsigned out, next;
    uint8_t st;
    struct {
        page_slot_e state;
        unsigned off;
        line_mask_t mask;
        line_data_t data;
        bool mem; /* a read of the HMD's, of this line, with this id */
        uint64_t line;
        unsigned id;
    } slot[PG_SLOTS];
} page_job_t;
typedef enum { P1_LOOK, P1_LOOK2, P1_SET, P1_CLEAR, P1_READ, P1_END, P1_WRITE, P1_STEP } page_what_e;
typedef struct {
    bool valid, first;
    page_what_e what;
    unsigned number;
    home_req_t write;
    uint64_t line; /* STEP */
} page_s1_t;
typedef enum { PM_NONE, PM_WALK, PM_DRAIN } page_maint_e;

typedef struct {
    unsigned cleared, channel, device, memory;
    bool far, serve;
    page_entry_t table[PG_PLACES];
    bool some[PG_GROUPS];
    smd_data_t fq[2];
    home_req_t in[2];
    home_ack_t aq[2];
    unsigned older[2]; /* of aq */
    stack_req_t sq[2];
    home_probe_t pq[2];
    smd_req_t rq[2];
    smd_ack_t kq[2];
    smd_peer_t eq[2];
    unsigned fq_n, in_n, aq_n, sq_n, pq_n, rq_n, kq_n, eq_n;
    page_wait_t w[L2_MSHRS];
    page_x_t x[SMD_TRANSACTIONS];
    page_job_t job;
    page_s1_t s1;
    page_maint_e maint;
    maint_t order;
    uint64_t step;
    bool done, rsp_valid;
    home_rsp_t rsp;
    smd_out_t out;
} page_t;
#endif
