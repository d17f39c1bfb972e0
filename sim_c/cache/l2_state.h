/* The state of the twin of rtl/cache/l2.sv (sim_c/cache/l2.c, docs/blocks/l2.md). A line's place is row = set * L2_WAYS + way; the directory keeps whole
 * keys instead of tags. A request is copied once, into the pool; queue, stages and lists hold its number there. Bits of many
 * (MSHRs, ways of a set, reservations) are a mask, so that a cycle in which nothing happens has no loop. */
#ifndef VL_L2_STATE_H
#define VL_L2_STATE_H
#include "l2_ports.h"
#include "sim_c/cache/l2_amo.h"
#include "sim_c/cache/l2_lru.h"
#include "sim_c/cache/l2_maint.h"
#include "sim_c/cache/l2_resv.h"
#include "sim_c/cache/l2_slice.h"

enum { L2_RQDEPTH = 2 * L2_MSHRS, L2_FILL_ID = 1 << (HOME_ID_W - 1) };
enum l2_kind { L2_K_READ, L2_K_WRITE, L2_K_AMO, L2_K_ALLOC, L2_K_FLUSH, L2_K_PROBE, L2_K_BYPASS, L2_K_WB };
_Static_assert((int)L2_K_READ == (int)MEM_READ && (int)L2_K_WRITE == (int)MEM_WRITE && (int)L2_K_AMO == (int)MEM_AMO,
               "a request's op is its kind");

typedef struct {
    uint64_t line;
    uint8_t id, cls, src;
    uint16_t asid;
} l2_read_t;
typedef struct {
    line_key_t key;
    uint32_t row;
    line_be_t fetch_mask;
} l2_mshr_t;

struct l2 {
    uint32_t clearing; /* sets still to clear */
    /* q */
    uint64_t now; /* counts cycles while the queue holds a request that is not ripe */
    unsigned qcount, qhead;
    struct {
        uint64_t ripe;
        l2_pool_t slot;
    } q[MAX_L2_QDEPTH];
    l2_pool_t free[L2_POOL];
    unsigned nfree;
    /* s1; `line`, `row`: of a maintenance step */
    bool s1_valid, s1_maint;
    l2_pool_t s1_slot;
    uint64_t s1_line;
    uint32_t s1_row;
    /* s2 */
    bool s2_valid, s2_wb, s2_fresh, s2_frombyp, s2_step;
    uint8_t s2_kind, s2_k;
    uint32_t s2_row;
    l2_pool_t s2_slot;
    line_key_t s2_victim;
    /* s3 */
    bool s3_valid, phase, sent, wrote;
    uint8_t s3_kind;
    uint32_t s3_row;
    l2_pool_t s3_slot;
    uint16_t s3_asid; /* WB */
    uint8_t s3_src; /* WB */
    bool s3_keep; /* WB */
    uint64_t s3_line; /* WB */
    l2_amo_t amo;
    line_data_t s3_data;
    line_be_t s3_mask;
    /* MSHRs, a bit each */
    uint64_t valid, done, byp, drop;
    l2_lists_t lists;
    unsigned rqcount, rqhead;
    l2_read_t rq[L2_RQDEPTH];
    l2_resv_t resv;
    l2_maint_t maint;
    ev_l2_t ev;
    bool still; /* edges change nothing until an input comes or an output is taken */
    unsigned slice;
    l2_mshr_t mshr[L2_MSHRS];
    uint32_t dvalid[MAX_L2_SETS], filled[MAX_L2_SETS], dirty[MAX_L2_SETS];
    uint8_t age[MAX_L2_ROWS];
    /* arrays that a reset leaves as they are */
    line_key_t key[MAX_L2_ROWS];
    line_be_t mask[MAX_L2_ROWS];
    line_data_t bypdata[L2_MSHRS];
    line_data_t data[MAX_L2_ROWS];
    net_req_t pool[L2_POOL];
};
/* ---- parts of the slice, each in the file of its module's name (l2_dir; l2_resv and l2_maint have headers of their own); step numbers are the page's ---- */

/* l2_dir: the way of a line, or -1; the way to give up, or -1 if every one is reserved. */
int l2_find_way(const l2_t *s, unsigned set, line_key_t key);
int l2_victim_of(const l2_t *s, unsigned set);
/* Step 5, of the maintenance step in s1, which always leaves. Returns whether the line is to be written back, and then its row. */
bool l2_maint_step(l2_t *s, uint32_t *flush);
#endif
