/* The judge's view of page walks (judge_state.h): a core's reads of PTEs, known by their class (docs/translation.md). A read of the root's level is one of the root table;
 * any other is one of a table to which a pointer leads that the core has been answered with, a level above, since the kernel began. A shared walker reads for every core that has
 * the address space of its read, and the answer may stand in its walk cache until the next shootdown of everything. So may what a core's own walker has been
 * answered with, once it has been told to keep pointers (WALK_POINTERS). That each brings what memory holds is checked for all reads (judge_requests.c), what becomes of them where they are used (judge_pages.c);
 * which PTE of a table a walk needs cannot be seen from outside.
 */
#include "sim_c/ref/judge_walks.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_shots.h"
#include "sim_c/ref/map.h"
#include <inttypes.h>
#include <stdlib.h>

enum { PTE_V = 1, PTE_RX = 2 | 8, LINES = 4096 / LINE_BYTES };

/* Tables that pointers have led to, of each core and level. */
struct judge_walks {
    map_t tables;
};

judge_walks_t *judge_walks_new(void)
{
    return calloc(1, sizeof(judge_walks_t));
}

void judge_walks_free(judge_walks_t *w)
{
    if (w)
        map_free(&w->tables);
    free(w);
}

void judge_walks_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    if (in->ctl_req_valid && o->ctl_req_ready && in->ctl_req.write && (in->ctl_req.addr & ~7u) == REG_WALK)
        if (WALK_POINTERS > 0 && reg_walk_get(in->ctl_req.data).walk_cache)
            judge_reads_keep(j);
}

/* A walk cache, and pointers that are kept, may be of reads for earlier kernels, until everything is shot down and nothing has been read since. */
void judge_walks_begin(judge_t *j)
{
    if (!judge_reads_kept(j) || judge_shots_all(j) > judge_reads_epoch(j))
        map_clear(&j->walks->tables);
}

/* By address space, and by core unless the walker is shared. */
static uint64_t key_of(unsigned source, const mem_req_t *q, unsigned level, uint64_t page)
{
    const uint64_t table = (page * REF_LEVELS + level) * (SHARED_WALKER ? 1 : CORES) + (SHARED_WALKER ? 0 : source);
    return table << 16 | q->asid;
}

static unsigned level_of(const mem_req_t *q)
{
    return REF_LEVELS - q->cls;
}

/* Does the source walk for a core with this address space, and with `root` for one with this root table? */
static bool walks_for(const judge_t *j, unsigned source, const mem_req_t *q, bool root)
{
    bool any = false;
    for (unsigned c = 0; c < CORES; c++) {
        const root_t *r = judge_root(j, c);
        any |= (SHARED_WALKER || c == source) && r->sv48 && r->asid == q->asid && (!root || r->ppn == q->line / LINES);
    }
    return any;
}

void judge_walk_asked(judge_t *j, unsigned source, const mem_req_t *q)
{
    const uint64_t page = q->line / LINES;
    const bool read = q->op == MEM_READ && q->cls && q->cls <= REF_LEVELS && (source < CORES) == !SHARED_WALKER;
    if (source < CORES && !(read && walks_for(j, source, q, false)))
        judge_differ(j, source, NO_WARP, NULL,
                     "a walk's read of class %u for address space %u; the core's address space is %u", q->cls, q->asid,
                     judge_root(j, source)->asid);
    else if (!(read && walks_for(j, source, q, false)))
        judge_differ(j, source, NO_WARP, NULL, "a walk's read of class %u for address space %u, which no core has",
                     q->cls, q->asid);
    else if (level_of(q) == REF_LEVELS - 1 ? !walks_for(j, source, q, true)
                                           : !map_get(&j->walks->tables, key_of(source, q, level_of(q), page)))
        judge_differ(j, source, NO_WARP, NULL,
                     "a walk reads 0x%" PRIx64 " as a table of level %u, to which no PTE that was read points",
                     q->line * LINE_BYTES, level_of(q));
}

void judge_walk_answered(judge_t *j, unsigned source, const mem_req_t *q, const line_data_t *line)
{
    for (unsigned k = 0; level_of(q) && k < LINE_BYTES / 8; k++) {
        const uint64_t pte = line->w[k];
        if (!(pte & PTE_V) || pte & PTE_RX)
            continue;
        if (!map_put(&j->walks->tables, key_of(source, q, level_of(q) - 1, pte >> 10 & ((1ull << VPN_W) - 1)))) {
            judge_out_of_memory(j);
            return;
        }
    }
}
