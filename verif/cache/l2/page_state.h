/* The page's section "State" (docs/blocks/l2.md), the set of a line, and the bytes of a mask. */
#ifndef VERIF_CACHE_L2_PAGE_STATE_H
#define VERIF_CACHE_L2_PAGE_STATE_H
#include "l2_ports.h"
#include "verif/cache/l2/page_atomic.h"
#include "verif/cache/l2/page_steps.h"
#include "verif/common/places.h"

enum { PG_SETS = L2_BYTES / (LINE_BYTES * L2_WAYS), PG_QUEUE = L2_LATENCY - 2, PG_TOP = 1 << (HOME_ID_W - 1) };
typedef enum { PG_READ, PG_WRITE, PG_AMO, PG_ALLOC, PG_PROBE, PG_BYPASS, PG_FLUSH, PG_WB } page_kind_t;
typedef struct {
    uint8_t b[LINE_BYTES];
} page_bytes_t;
typedef struct {
    bool valid, filled, dirty;
    uint64_t line, used;
    page_bytes_t data;
    bool mask[LINE_BYTES];
} page_way_t;
typedef struct {
    bool valid, done, byp, drop;
    uint64_t line;
    unsigned way, n;
    bool fetched[LINE_BYTES];
    net_req_t list[L2_TARGETS];
    page_bytes_t data;
} page_mshr_t;
typedef struct {
    unsigned id, cls, asid, src;
    uint64_t line;
} page_send_t;
typedef struct {
    bool valid, wb, fresh, frombyp;
    page_kind_t kind;
    unsigned way, k;
    net_req_t n;
    uint64_t victim;
} page_s2_t;
typedef struct {
    bool valid, phase, sent, wrote, keep;
    page_kind_t kind;
    page_way_t *row;
    net_req_t n;
    uint64_t victim, old;
    page_bytes_t data;
    bool mask[LINE_BYTES];
} page_s3_t;

typedef struct {
    uint64_t now;
    unsigned cleared, slice;
    struct {
        net_req_t n;
        uint64_t since;
    } q[PG_QUEUE];
    unsigned q_n;
    bool s1_valid, s1_step;
    net_req_t s1;
    unsigned s1_way;
    bool s1_by_line;
    page_way_t cache[PG_SETS][L2_WAYS];
    uint64_t touches;
    page_mshr_t mshr[L2_MSHRS];
    unsigned targets;
    page_send_t rq[2 * L2_MSHRS];
    unsigned rq_n;
    page_s2_t s2;
    page_s3_t s3;
    page_resv_t resv[SOURCES];
    enum { PG_NONE, PG_WAIT, PG_WALK, PG_DRAIN } maint;
    maint_t job;
    unsigned step;
    l2_out_t out;
} page_t;

static unsigned page_set(uint64_t line)
{
    return (unsigned)(folded(local_of(line) / L2_SLICES) % PG_SETS);
}

static bool page_all(const bool *mask)
{
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (!mask[i])
            return false;
    return true;
}

static bool page_be(const mem_req_t *r, unsigned i)
{
    return r->be.w[i / 64] >> i % 64 & 1;
}
#endif
