/* The judge's view of page walks (judge_state.h): what a core reads as PTEs, told by the class of its reads (docs/translation.md). A read of the root's level is one of the root table;
 * any other is one of a table to which a pointer leads that the core has been answered with, a level above, since the kernel began. That each brings what memory holds is checked
 * for all reads (judge_requests.c), what becomes of them where they are used (judge_pages.c); which PTE of a table a walk needs cannot be seen from outside.
 */
#include "sim_c/ref/judge_walks.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_report.h"
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

void judge_walks_begin(judge_t *j)
{
    map_clear(&j->walks->tables);
}

static uint64_t key_of(unsigned core, unsigned level, uint64_t page)
{
    return (page * REF_LEVELS + level) * CORES + core;
}

static unsigned level_of(const mem_req_t *q)
{
    return REF_LEVELS - q->cls;
}

void judge_walk_asked(judge_t *j, unsigned core, const mem_req_t *q)
{
    const root_t *root = judge_root(j, core);
    const uint64_t page = q->line / LINES;
    if (!root->sv48 || q->op != MEM_READ || q->cls > REF_LEVELS || q->asid != root->asid)
        judge_differ(j, core, NO_WARP, NULL, "a walk's read of class %u for address space %u; the core's is %u", q->cls,
                     q->asid, root->asid);
    else if (level_of(q) == REF_LEVELS - 1 ? page != root->ppn
                                           : !map_get(&j->walks->tables, key_of(core, level_of(q), page)))
        judge_differ(j, core, NO_WARP, NULL,
                     "a walk reads 0x%" PRIx64 " as a table of level %u, to which nothing leads that it has read",
                     q->line * LINE_BYTES, level_of(q));
}

void judge_walk_answered(judge_t *j, unsigned core, const mem_req_t *q, const vl_bits_1024 *line)
{
    for (unsigned k = 0; level_of(q) && k < LINE_BYTES / 8; k++) {
        const uint64_t pte = line->w[k];
        if (!(pte & PTE_V) || pte & PTE_RX)
            continue;
        if (!map_put(&j->walks->tables, key_of(core, level_of(q) - 1, pte >> 10 & ((1ull << VPN_W) - 1)))) {
            judge_out_of_memory(j);
            return;
        }
    }
}
