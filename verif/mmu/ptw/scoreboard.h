/* The scoreboard of the walker's bench: translations by the tables (view.h), and the open ids. It has no slots, walkers or order of
 * reads: an id that was asked with must be answered once, with an outcome that the tables give (by any of the versions that the walker may have seen), and every read must be one that a walk
 * under way needs. */
#ifndef VERIF_PTW_SCOREBOARD_H
#define VERIF_PTW_SCOREBOARD_H
#include "ptw_ports.h"
#include "verif/mmu/ptw/view.h"

typedef struct {
    bool valid;
    uint64_t vpn, order /* of requests */, by /* if closed: it must be answered */;
} waiting_t;
typedef struct {
    bool valid, drop;
    uint64_t line;
    uint8_t level;
} awaited_t;
typedef struct {
    waiting_t walk[TLB_MSHRS];
    awaited_t read[TLB_MSHRS];
    unsigned walks, reads;
} scoreboard_t;

/* How many entries on this line do walks under way need at all, and does any need it at this level? */
static unsigned scoreboard_needs(const scoreboard_t *sb, const tables_t *t, uint64_t root, uint64_t line,
                                 unsigned level, bool *at_level)
{
    uint16_t entries = 0;
    *at_level = false;
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        if (!sb->walk[k].valid)
            continue;
        view_t v = scoreboard_view(t, root, sb->walk[k].vpn);
        for (unsigned i = 0; i < v.refs; i++)
            if (v.ref[i].addr / LINE_BYTES == line) {
                entries |= (uint16_t)(1u << v.ref[i].addr / 8 % PTE_LINE);
                *at_level |= v.ref[i].level == level;
            }
    }
    return (unsigned)__builtin_popcount(entries);
}
#endif
