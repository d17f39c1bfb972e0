/* The counters of the shared translation as plain sums, one edge at a time: the list of docs/blocks/perf_shared.md. */
#ifndef VERIF_MMU_PERF_SHARED_PAGE_H
#define VERIF_MMU_PERF_SHARED_PAGE_H
#include "perf_shared_ports.h"
#include "vl_perf.h"
#include <string.h>

typedef struct {
    uint64_t counter[SHARED_COUNTERS], read; /* read: the value before the edge */
} page_t;

/* The greatest width of a counter's field, by its events: look-ups of a cycle, walks, misses that wait; else one a cycle. */
static inline uint64_t page_widest(unsigned k)
{
    static const struct {
        const char *name;
        unsigned bits;
    } wide[] =
        {
            {"l2_tlb_lookups", 4},   {"l2_tlb_hits", 4},   {"l2_tlb_hits_super", 4}, {"l2_tlb_misses", 4},
            {"l2_tlb_denied", 4},    {"l2_tlb_stalls", 4}, {"l2m_misses", 4},        {"l2m_busy", 7},
            {"l2m_waits", 13},       {"walker_shared", 7}, {"walker_shared_l3", 7},  {"walker_shared_l2", 7},
            {"walker_shared_l1", 7}, {"walker_busy", 7},   {"wc_busy", 7},           {"l2_tlb_hits_bypass", 4},
        },
      each[] = {
          /* of kernel slots 0 to 3 */
          {"l2_tlb_lookups_k", 4},
          {"l2_tlb_hits_k", 4},
          {"l2_tlb_bypass_k", 4},
          {"tokens_k", 7},
      };
#define NAME(k, name, block, help) #name,
    static const char *const names[] = {VL_SHARED_COUNTERS(NAME)};
#undef NAME
    for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++)
        if (!strcmp(wide[i].name, names[k]))
            return (1ull << wide[i].bits) - 1;
    for (unsigned i = 0; i < sizeof each / sizeof *each; i++)
        if (!strncmp(each[i].name, names[k], strlen(names[k]) - 1))
            return (1ull << each[i].bits) - 1;
    return 1;
}

static inline void page_edge(page_t *s, const perf_shared_in_t *in)
{
    s->read = in->rd_idx < SHARED_COUNTERS ? s->counter[in->rd_idx] : 0;
    if (in->clear) {
        memset(s->counter, 0, sizeof s->counter);
        return;
    }
#define ADD(k, name, block, help) s->counter[k] = (s->counter[k] + in->ev.block.name) & ((1ull << COUNTER_W) - 1);
    VL_SHARED_COUNTERS(ADD)
#undef ADD
}
#endif
