/* The page's section "State" (docs/blocks/l2c.md). */
#ifndef VERIF_COHERENCE_L2C_PAGE_STATE_H
#define VERIF_COHERENCE_L2C_PAGE_STATE_H
#include "l2c_ports.h"
#include "verif/cache/l2/page_atomic.h"
#include "verif/cache/l2/page_steps.h"

enum { PG_SETS = L2_BYTES / (LINE_BYTES * L2_WAYS), PG_QUEUE = L2_LATENCY - 2, PG_TOP = 1 << (HOME_ID_W - 1) };
typedef enum { PG_READ, PG_WRITE, PG_AMO, PG_ALLOC, PG_FLUSH, PG_PROBE, PG_WB, PG_ACK } page_kind_t;
/* Operations on a line, in the order of the columns of docs/coherence.md. */
typedef enum { PG_LOAD, PG_STORE, PG_N_STORE, PG_EVICT, PG_READS, PG_WRITES, PG_CLEAN } page_what_t;
typedef struct {
    uint8_t b[LINE_BYTES];
    bool own[LINE_BYTES]; /* the mask */
} page_bytes_t;
typedef struct {
    char state; /* of "INSEOM"; 0 is I too */
    uint64_t line, used;
    page_bytes_t data;
} page_way_t;
typedef struct {
    bool valid, done, own, stored;
    uint64_t line;
    unsigned way, n;
} page_mshr_t;
typedef struct {
    bool valid, wb, lost, fail, gives;
    page_kind_t kind;
    unsigned way, k, probe;
    char vstate;
    net_req_t n;
    uint64_t victim;
} page_s2_t;
typedef struct {
    bool valid, phase, sent, wrote, keep, fail;
    page_kind_t kind;
    char state;
    page_way_t *row;
    net_req_t n;
    uint64_t line, old;
    page_bytes_t data;
} page_s3_t;
typedef struct {
    unsigned op, id, cls, asid, src;
    uint64_t line;
} page_send_t;

typedef struct {
    uint64_t now;
    unsigned cleared, slice;
    struct {
        net_req_t n;
        uint64_t since;
    } q[PG_QUEUE];
    unsigned q_n;
    bool p1_valid, deferred;
    home_probe_t p1;
    bool s1_valid, s1_step, s1_by_line;
    net_req_t s1;
    unsigned s1_way;
    page_way_t cache[PG_SETS][L2_WAYS];
    uint64_t touches;
    page_mshr_t mshr[L2_MSHRS];
    net_req_t list[L2_MSHRS][L2_TARGETS];
    unsigned targets;
    page_send_t rq[L2_MSHRS];
    unsigned rq_n;
    page_s2_t s2;
    page_s3_t s3;
    page_resv_t resv[SOURCES];
    enum { PG_NONE, PG_WAIT, PG_WALK, PG_DRAIN } maint;
    maint_t job;
    unsigned step;
    l2c_out_t out;
} page_t;
#endif
