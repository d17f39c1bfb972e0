/* State of the bench of l1d: lines and their contents, requests inside, answers of memory on their way, the styles of stimulus */
#ifndef VERIF_L1D_ENV_H
#define VERIF_L1D_ENV_H
#include "verif/common/bench.h"
#include "verif/cache/l1d/page.h"

enum { POOL = 64, INSIDE = 256, SETS = L1D_BYTES / (LINE_BYTES * L1D_WAYS) };
typedef struct {
    bool busy;
    l1d_tag_t tag;
    uint64_t want[SECTOR_BYTES / 8];
} awaited_t;
typedef struct {
    uint64_t due, sent;
    mem_rsp_t rsp;
} flight_t;
typedef struct {
    uint64_t addr[POOL];
    line_data_t prog[POOL]; /* contents in program order */
    line_data_t mem[POOL]; /* contents at the memory side */
    bool offered;
    l1d_req_t req, early_req; /* early_req: the early request taken in the last cycle, and its frame */
    bool early, early_wanted;
    awaited_t awaited[INSIDE];
    flight_t flight[INSIDE];
    unsigned flights, id;
    unsigned stores; /* stores performed and not acknowledged yet */
    unsigned valid, ready, mready, latency, mix, span, base;
    /* the state inside l1d, for coverage */
    struct {
        uint8_t op, sector;
        bool early;
        unsigned k;
    } order[8]; /* taken, not yet left s2 */
    unsigned norder;
    bool resident[POOL + 1], was[POOL + 1], poisoned[L1D_MSHRS], read_out[L1D_MSHRS];
    unsigned loaded, stored, missed_sector; /* sectors */
    unsigned mshr_line[L1D_MSHRS], mshr_sectors[L1D_MSHRS], mshr_targets[L1D_MSHRS], fills_ready, amos_ready,
        last_miss_set;
    uint64_t hits_in_set;
    unsigned policy, pause; /* pause: cycles without a request, behind an INVAL */
    bool hold; /* memory answers lines fetched ahead only when a load needs them */
    bool streams; /* neighbouring lines, one after the other */
    unsigned walk;
    bool last_ack, last_was_miss, last_inval_i;
    unsigned last_miss;
    unsigned fill_id, reads;
    page_t page;
} env_t;

static unsigned set_of(uint64_t line)
{
    return (unsigned)(line % SETS);
}

static unsigned find(const env_t *e, uint64_t line)
{
    for (unsigned k = 0; k < POOL; k++)
        if (e->addr[k] == line)
            return k;
    return POOL;
}
#endif
