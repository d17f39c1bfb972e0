/* The blocks with their twins, the accesses, and the requests under way. */
#ifndef VERIF_MMU_TABLES_ENV_H
#define VERIF_MMU_TABLES_ENV_H
#include "itlb_ports.h"
#include "ptw_ports.h"
#include "tlb_mshr_ports.h"
#include "tlb_ports.h"
#include "verif/mmu/tables/spaces.h"

enum { INSNS = 6, PAGES = TLB_PORTS + 3, PATIENCE = 20000 };
typedef enum { NONE, TODO, LOOKED, MISSED, OFFERED, ASKED, WAITS, GOT } state_t; /* GOT: translated, and not sent */
typedef struct {
    state_t state;
    uint64_t vpn;
    ref_use use;
    uint8_t walk;
} access_t;
typedef struct {
    bool valid;
    uint64_t due, line;
    uint16_t id;
    line_data_t data;
} read_t;

enum {
    COV_KIND,
    COV_KIND_FETCH = COV_KIND + KINDS * (LEVELS + 1),
    COV_OK = COV_KIND_FETCH + KINDS,
    COV_HIT = COV_OK + 3 * LEVELS,
    COV_MODE = COV_HIT + LEVELS,
    COV_NAIVE = COV_MODE + 3,
    COV_WALKERS,
    COV_LIMIT = COV_WALKERS + WALKERS,
    COV_INV,
    COV_INV_FETCH = COV_INV + 3,
    COV_OTHER,
    COV_BACK,
    COV_KEPT,
    COV_SHARED,
    COV_ORDER,
    COV_FULL,
    COV_AGAIN,
    COV_ROOT,
    COV_POINTER,
    COV_POINTER_INV,
    COV_MAPPED,
    COV_N
};

typedef struct {
    vl_rng_t rng;
    uint64_t seed, cycle, tables, *cover;
    bool failed;
    void *tlb, *itlb, *tlb_mshr, *ptw;
    tlb_t *tlb_twin;
    itlb_t *itlb_twin;
    tlb_mshr_t *tlb_mshr_twin;
    ptw_t *ptw_twin;
    tlb_out_t to;
    itlb_out_t io;
    tlb_mshr_out_t mo;
    ptw_out_t po;
    tlb_in_t ti;
    itlb_in_t ii;
    tlb_mshr_in_t mi;
    ptw_in_t pi;
    spaces_t spaces;
    spaces_t before; /* the last invalidation */
    uint64_t inv_cycle, last; /* last: when something went on */
    bool inv_busy;
    access_t access[INSNS * PAGES], fetch[2]; /* instructions of PAGES each */
    access_t *port[TLB_PORTS], *offered, *asked;
    bool fetch_taken;
    unsigned walks; /* named, by bits */
    unsigned walk_ports[TLB_MSHRS];
    read_t read[TLB_MSHRS];
    uint64_t sent, order[TLB_MSHRS];
    /* until the next change */
    unsigned left, next;
    walk_policy_t policy;
    uint8_t mode;
    unsigned latency, ready, rate, fetch_rate, span;
} env_t;

#define COVER(e, point, cond) do { if (cond) (e)->cover[point]++; } while (0)

__attribute__((format(printf, 2, 3))) static void fail(env_t *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!e->failed) {
        printf("seed %" PRIu64 " cycle %" PRIu64 " table %" PRIu64 ": check failed: ", e->seed, e->cycle, e->tables);
        vprintf(fmt, ap);
        printf("\n");
    }
    e->failed = true;
    va_end(ap);
}
#endif
