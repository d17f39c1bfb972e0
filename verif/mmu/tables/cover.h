/* The coverage points by name, and those that cannot be. */
#ifndef VERIF_MMU_TABLES_COVER_H
#define VERIF_MMU_TABLES_COVER_H
#include "verif/mmu/tables/env.h"

static void name(unsigned k, char *to, size_t n)
{
    static const char *const uses[] = {"load", "store", "fetch"},
                             *const modes[] = {"blocking", "hit under miss", "overlap"},
                             *const scopes[] = {"INV_ALL", "INV_ASID", "INV_PAGE"};
    static const char *const rest[] = {"both fetches under way at an invalidation",
                                       "another space is changed and invalidated while walks are under way",
                                       "back to a space of before, without an invalidation",
                                       "an entry that an invalidation has left",
                                       "a walk for data and fetch",
                                       "answers out of order",
                                       "all MSHRs taken",
                                       "a look-up at the edge of an invalidation",
                                       "a root that is not memory",
                                       "a PTE that need not be read since its pointer was kept",
                                       "a pointer on the way to a page is another, and the page is invalidated",
                                       "a PTE that was not valid is now, without an invalidation"};
    if (k < COV_KIND_FETCH)
        snprintf(to, n, "%s, level %u", kind_name[k / (LEVELS + 1)], k % (LEVELS + 1));
    else if (k < COV_OK)
        snprintf(to, n, "%s, fetched", kind_name[k - COV_KIND_FETCH]);
    else if (k < COV_HIT)
        snprintf(to, n, "%s translated, level %u", uses[(k - COV_OK) / LEVELS], (k - COV_OK) % LEVELS);
    else if (k < COV_MODE)
        snprintf(to, n, "hit, level %u", k - COV_HIT);
    else if (k < COV_NAIVE)
        snprintf(to, n, "looked up while walks are under way, %s", modes[k - COV_MODE]);
    else if (k == COV_NAIVE)
        snprintf(to, n, "naive walks");
    else if (k < COV_LIMIT)
        snprintf(to, n, "%u walkers", k - COV_WALKERS + 1);
    else if (k == COV_LIMIT)
        snprintf(to, n, "a limit of reads");
    else if (k < COV_INV_FETCH)
        snprintf(to, n, "%s with walks under way", scopes[k - COV_INV]);
    else
        snprintf(to, n, "%s", rest[k - COV_INV_FETCH]);
}

/* Points that cannot be. */
static bool impossible(unsigned k)
{
    if (k < COV_KIND_FETCH) {
        kind_t kind = k / (LEVELS + 1);
        unsigned level = k % (LEVELS + 1);
        return !kind_has_level(kind, level) || (level == LEVELS && kind != K_TABLE); /* K_TABLE of level 4: the root */
    }
    unsigned f = k - COV_KIND_FETCH;
    if (k == COV_POINTER)
        return WALK_POINTERS == 0;
    return k == COV_MODE + TLB_BLOCKING || (k < COV_OK && (f == K_R || f == K_W || f == K_D || f == K_LOOP));
}
#endif
