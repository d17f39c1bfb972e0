/* The state of the twin of rtl/cache/l2.sv (sim_c/cache/l2.c, docs/blocks/l2.md). A line's place is row = set * L2_WAYS + way; the directory keeps whole
 * keys instead of tags. A request is copied once, into the pool; queue, stages and lists hold its number there. What there is to say of many
 * (MSHRs, ways of a set, reservations) is a mask, so that nothing is walked over in a cycle in which nothing happens. */
#ifndef VL_L2_STATE_H
#define VL_L2_STATE_H
#include "l2_ports.h"
#include "sim_c/common/line_key.h"
#include "sim_c/common/memory_map.h"

enum {
    L2_SETS = L2_BYTES / (LINE_BYTES * L2_WAYS),
    L2_ROWS = L2_SETS * L2_WAYS,
    L2_QDEPTH = L2_LATENCY - 2,
    L2_RQDEPTH = 2 * L2_MSHRS,
    L2_POOL = L2_QDEPTH + 3 + L2_TARGETS,
    L2_PAGE_LINES = 4096 / LINE_BYTES,
    L2_FILL_ID = 1 << (HOME_ID_W - 1)
};
enum l2_kind { L2_K_READ, L2_K_WRITE, L2_K_AMO, L2_K_ALLOC, L2_K_FLUSH, L2_K_PROBE, L2_K_BYPASS, L2_K_WB };
enum l2_maint_state { L2_M_NONE, L2_M_WAIT, L2_M_WALK, L2_M_DRAIN };
_Static_assert((int)L2_K_READ == (int)MEM_READ && (int)L2_K_WRITE == (int)MEM_WRITE && (int)L2_K_AMO == (int)MEM_AMO,
               "a request's op is its kind");
_Static_assert(L2_WAYS <= 32 && L2_MSHRS <= 64 && SOURCES <= 64, "masks");

typedef uint16_t l2_pool_t; /* place in the pool */
typedef struct {
    uint64_t line;
    uint8_t id, cls, src;
    uint16_t asid;
} l2_read_t;
typedef struct {
    line_key_t key;
    uint32_t row;
    l2_pool_t first, last;
    vl_bits_128 fetch_mask;
} l2_mshr_t;
typedef struct {
    line_key_t key;
    uint64_t hart;
} l2_resv_t;

struct l2 {
    uint32_t clearing; /* sets still to clear */
    /* q */
    uint64_t now; /* counts while the queue holds something that is not ripe */
    unsigned qcount, qhead;
    struct {
        uint64_t ripe;
        l2_pool_t slot;
    } q[L2_QDEPTH];
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
    bool s3_valid, phase, sent, wrote, stores;
    uint8_t s3_kind;
    uint32_t s3_row;
    l2_pool_t s3_slot;
    uint16_t s3_asid; /* WB */
    uint8_t s3_src; /* WB */
    bool s3_keep; /* WB */
    uint64_t s3_line; /* WB */
    uint64_t image, put; /* AMO: what it answers, what it stores */
    vl_bits_1024 s3_data;
    vl_bits_128 s3_mask;
    /* MSHRs, a bit each */
    uint64_t valid, done, byp, drop, waiting; /* waiting: the list is not empty */
    unsigned targets;
    unsigned rqcount, rqhead;
    l2_read_t rq[L2_RQDEPTH];
    uint64_t resv_valid;
    l2_resv_t resv[SOURCES];
    uint8_t maint;
    maint_t mreq;
    uint32_t step;
    bool maint_done;
    ev_l2_t ev;
    bool still; /* until something comes in, or is taken, edges change nothing */
    unsigned slice;
    l2_mshr_t mshr[L2_MSHRS];
    l2_pool_t next[L2_POOL]; /* in a list */
    uint32_t dvalid[L2_SETS], filled[L2_SETS], dirty[L2_SETS];
    uint8_t age[L2_ROWS];
    /* not cleared */
    line_key_t key[L2_ROWS];
    vl_bits_128 mask[L2_ROWS];
    vl_bits_1024 bypdata[L2_MSHRS];
    vl_bits_1024 data[L2_ROWS];
    net_req_t pool[L2_POOL];
};
/* Lines that are asked for are physical. */
static inline line_key_t l2_key_at(uint64_t line)
{
    return key_of(line, 0, SPACE_PHYSICAL);
}

static inline unsigned l2_set_of(line_key_t key)
{
    return (unsigned)(number_of(key_line(key)) % L2_SETS);
}

/* ---- parts of the slice, each in the file of its module's name; step numbers are the page's ---- */

/* l2_dir: the way of a line, or -1; the way to give up, or -1 if every one is reserved; a way is used. */
int l2_find_way(const l2_t *s, unsigned set, line_key_t key);
int l2_victim_of(const l2_t *s, unsigned set);
void l2_touch(l2_t *s, unsigned set, unsigned way);

/* l2_resv: what a request that leaves s3 does to reservations (step 6). */
void l2_reserve(l2_t *s, const net_req_t *n, bool stores);

/* l2_maint: step 5, of the maintenance step in s1, which always leaves. Returns whether the line is to be written back, and then its row. */
bool l2_maint_step(l2_t *s, uint32_t *flush);
/* Step 8. `s1_free`: the next step may come into s1; `was_calm`: s1 to s3 were empty before the edge, `quiet`: no MSHR was valid either. */
void l2_maint_next(l2_t *s, const l2_in_t *in, bool s1_free, bool was_calm, bool quiet);
#endif
