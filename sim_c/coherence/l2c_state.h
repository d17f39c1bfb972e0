/* The state of the twin of rtl/coherence/l2c.sv (sim_c/coherence/l2c.c, docs/blocks/l2c.md). A line's place is row = set * L2_WAYS + way; the directory keeps
 * whole keys instead of tags. A request is copied once, into the pool; queue, stages and lists hold its number there. Sets of MSHRs, of ways,
 * of reservations and of places of the pool are masks.
 *
 * All of it is plain data without pointers, which may be copied, compared and put back. All of it is state but `slice` (an input that is constant),
 * `bits` and `sets` (of which cache it is a slice) and `still` (what l2c_waits found; no edge reads it). There are no counts without a bound, queues begin
 * at index 0, and a new number is the lowest free one, so that equal states have mostly equal bytes. They may differ in fields that no edge reads:
 *   - p1, s1_*, s2_*, s3_*, phase, sent, wrote, amo: while their stage is not valid, or has a kind that they are not for;
 *   - bits of done, own, stored, and mshr[k]: while bit k of valid is 0;
 *   - first and last of a list that is empty, next[] of places in no list or last in one, pool[] of places not in `used`;
 *   - a reservation with a 0 in resv.valid; req and step of maint in state NONE;
 *   - key and data of a row in I; mask of one in I that is not awaited (of one that is, it is 0 from its ALLOC on). */
#ifndef VL_L2C_STATE_H
#define VL_L2C_STATE_H
#include "l2c_ports.h"
#include "sim_c/cache/l2_amo.h"
#include "sim_c/cache/l2_lru.h"
#include "sim_c/cache/l2_maint.h"
#include "sim_c/cache/l2_resv.h"
#include "sim_c/cache/l2_slice.h"
#include "sim_c/common/mask.h"
#include "vl_nmoesi.h"

/* Of a slice of the last-level cache, and the larger of both kinds. */
#define LLC_ROWS (LLC_BYTES / HOST_CHANNELS / LINE_BYTES)
#define LLC_SETS (LLC_ROWS / L2_WAYS)
#define L2C_RIPENS (L2_LATENCY - 4)
enum {
    MAX_LLC_ROWS = MAX_LLC_BYTES / HOST_CHANNELS / LINE_BYTES,
    MAX_L2C_ROWS = MAX_LLC_ROWS > MAX_L2_ROWS ? MAX_LLC_ROWS : MAX_L2_ROWS,
    MAX_L2C_SETS = MAX_L2C_ROWS / L2_LEAST_WAYS
};
enum { L2C_K = (1 << (HOME_ID_W - 1)) - 1, L2C_FILL_ID = L2C_K + 1 };
enum l2c_kind { L2C_READ, L2C_WRITE, L2C_AMO, L2C_ALLOC, L2C_FLUSH, L2C_PROBE, L2C_WB, L2C_ACK };
_Static_assert((int)L2C_READ == (int)MEM_READ && (int)L2C_WRITE == (int)MEM_WRITE && (int)L2C_AMO == (int)MEM_AMO,
               "a request's op is its kind, but for STORE");
_Static_assert(L2_POOL <= 256 && MAX_L2_LATENCY - 4 < 63, "numbers");

typedef struct {
    line_key_t key;
    uint32_t row;
} l2c_mshr_t;

struct l2c {
    uint32_t clearing; /* sets still to clear */
    /* q: number of requests, and of ripe ones; a bit for each cycle in which one of the others was taken */
    uint8_t qcount, ripe;
    uint64_t ripens;
    l2_pool_t q[MAX_L2_QDEPTH];
    uint64_t used[(L2_POOL + 63) / 64];
    /* p1 */
    bool p1_valid, deferred; /* deferred: a probe has gone before s1, which has had no turn since */
    home_probe_t p1;
    /* s1; `line`, `row`: of a maintenance step */
    bool s1_valid, s1_maint;
    l2_pool_t s1_slot;
    uint64_t s1_line;
    uint32_t s1_row;
    /* s2; `step`: of maintenance; `probe`, `gives`: PROBE */
    bool s2_valid, s2_wb, s2_lost, s2_fail, s2_again, s2_step, s2_gives;
    uint8_t s2_kind, s2_k, s2_vstate, s2_probe;
    l2_pool_t s2_slot;
    uint32_t s2_row;
    line_key_t s2_victim;
    /* s3; READ, ACK and the atomic read data[row], which stays as it is while they are there */
    bool s3_valid, s3_fail, phase, sent, wrote;
    uint8_t s3_kind;
    l2_pool_t s3_slot;
    uint32_t s3_row;
    l2_amo_t amo;
    bool s3_step, s3_keep; /* WB */
    uint8_t s3_state; /* WB, ACK */
    uint64_t s3_line; /* WB, ACK */
    line_mask_t s3_mask; /* WB, ACK */
    line_data_t s3_data; /* WB: a copy, since its row may be filled before the write-back has left */
    /* MSHRs, a bit each */
    uint64_t valid, done, own, stored;
    l2_lists_t lists; /* until the line is here, the first of a list is the request that asked for it */
    l2c_mshr_t mshr[L2_MSHRS];
    uint8_t rqcount;
    uint8_t rq[L2_MSHRS]; /* MSHRs */
    l2_resv_t resv;
    l2_maint_t maint;
    ev_l2c_t ev;
    bool still; /* edges change nothing until an input comes or an output is taken */
    /* bits: blocks are interleaved over 2^bits slices. Rows behind the last set are not used */
    unsigned slice, bits, sets;
    uint32_t held[MAX_L2C_SETS]; /* ways that are not in I */
    uint8_t state[MAX_L2C_ROWS];
    uint8_t age[MAX_L2C_ROWS];
    /* arrays that a reset leaves as they are */
    line_key_t key[MAX_L2C_ROWS];
    line_mask_t mask[MAX_L2C_ROWS];
    line_data_t data[MAX_L2C_ROWS];
    net_req_t pool[L2_POOL];
};

/* ---- parts of the slice, each in the file of its module's name; step numbers are the page's ---- */

/* The set of a line. */
static inline unsigned l2c_set_of(const l2c_t *s, line_key_t key)
{
    return (unsigned)number_among(s->bits, key_line(key)) & (s->sets - 1);
}

/* l2c_dir: the way of a line, or -1; the way to give up, or -1 if every one is reserved. */
int l2c_find_way(const l2c_t *s, unsigned set, line_key_t key);
int l2c_victim_of(const l2c_t *s, unsigned set);
/* The state of a line becomes another, or stays. */
void l2c_become(l2c_t *s, unsigned set, unsigned way, unsigned state, ev_l2c_t *ev);

/* l2c_mshr: the MSHR that awaits a line, or -1; a new one, or -1. */
int l2c_awaited(const l2c_t *s, line_key_t key);
int l2c_new_mshr(const l2c_t *s);
/* The lowest free place of the pool, which has one; it is taken. */
l2_pool_t l2c_new_slot(l2c_t *s);
#endif
