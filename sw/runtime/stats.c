#include <stdlib.h>
#include <string.h>

#include "sw/runtime/driver.h"
#include "sw/runtime/internal.h"

/* Figures that follow from counters: the same formula for every machine. `over` and `under` are counters joined by '+'; a figure is
 * there when all of them are. */
#define GLOBAL_ACCESSES "page_div_1+page_div_2_3+page_div_4_7+page_div_8_15+page_div_16_up"
#define WALK_READS "ptw_reads_l3+ptw_reads_l2+ptw_reads_l1+ptw_reads_l0"
#define WALKER_READS "walker_reads_l3+walker_reads_l2+walker_reads_l1+walker_reads_l0"
#define DRAM_WALKS "dram_reads_cls1+dram_reads_cls2+dram_reads_cls3+dram_reads_cls4"
#define DRAM_WALK_TIME "dram_time_cls1+dram_time_cls2+dram_time_cls3+dram_time_cls4"
#define COHERENCE_FLITS_ONCE "link_grants+link_acks+link_probes+link_requests"
#define COHERENCE_FLITS COHERENCE_FLITS_ONCE "+link_mask_flits"
static const struct {
    const char *name, *section, *unit, *help;
    const char *over, *under;
    double scale;
    /* Divided by the threads of a warp or the warp slots of the device; times the clocks of a burst. */
    enum { ALL, A_THREAD, A_WARP_SLOT, A_BURST } per;
} derived[] = {
    {"ipc", "run", "", "warp instructions a cycle, all cores", "warp_instructions", "cycles", 1, ALL},
    {"simd_utilisation", "run", "%", "threads active in an issued warp instruction", "thread_instructions",
     "warp_instructions", 100, A_THREAD},
    {"occupancy", "run", "%", "warp slots in use", "warps_resident", "cycles", 100, A_WARP_SLOT},
    {"branch_divergence", "run", "%", "branches and indirect jumps on which the threads of a warp disagreed",
     "branches_divergent", "branches+jumps_indirect", 100, ALL},
    {"page_divergence", "memory", "pages", "unique pages a memory instruction touches", "lsu_pages", GLOBAL_ACCESSES, 1,
     ALL},
    {"l1d_hit_rate", "memory", "%", "line loads found in the data cache", "l1d_load_hits", "l1d_loads", 100, ALL},
    {"l1i_hit_rate", "memory", "%", "instruction blocks found in the instruction cache", "l1i_hits",
     "l1i_hits+l1i_misses", 100, ALL},
    {"l2_hit_rate", "memory", "%", "requests that hit in the L2", "l2_hit", "l2_access", 100, ALL},
    {"dram_row_hit_rate", "memory", "%", "lines whose row was open in the chips", "dram_row_hits",
     "dram_row_hits+dram_row_misses", 100, ALL},
    {"dram_latency_data", "memory", "cycles", "of a line of data or instructions, from the slice's request to the data",
     "dram_time_cls0", "dram_reads_cls0", 1, ALL},
    {"dram_latency_walks", "memory", "cycles", "the same of a line of PTEs", DRAM_WALK_TIME, DRAM_WALKS, 1, ALL},
    {"dram_walk_share", "memory", "%", "lines of PTEs among the lines that DRAM was read for", DRAM_WALKS,
     "dram_reads_cls0+" DRAM_WALKS, 100, ALL},
    {"quota_mean_app0", "memory", "requests", "a turn of application 0 in Silver, on average", "quota_app0",
     "channel_cycles", 1, ALL},
    {"quota_mean_app1", "memory", "requests", "a turn of application 1 in Silver, on average", "quota_app1",
     "channel_cycles", 1, ALL},
    {"quota_mean_app2", "memory", "requests", "a turn of application 2 in Silver, on average", "quota_app2",
     "channel_cycles", 1, ALL},
    {"quota_mean_app3", "memory", "requests", "a turn of application 3 in Silver, on average", "quota_app3",
     "channel_cycles", 1, ALL},
    {"warps_held", "warp scheduling", "%", "active warps not allowed to issue memory instructions", "loc_held",
     "warps_active", 100, ALL},
    {"lost_locality", "warp scheduling", "%", "misses that found a victim tag", "loc_found", "loc_looks", 100, ALL},
    {"tlb_hit_rate", "translation", "%", "pages of loads and stores found in the TLBs", "tlb_hits", "tlb_lookups", 100,
     ALL},
    {"tlb_super_share", "translation", "%", "of the pages found, those of 2 MB and more", "tlb_hits_super", "tlb_hits",
     100, ALL},
    {"itlb_hit_rate", "translation", "%", "pages of instructions found in the instruction TLBs", "itlb_hits",
     "itlb_lookups", 100, ALL},
    {"misses_a_walk", "translation", "", "misses that wait for one walk", "ptw_misses", "ptw_walks", 1, ALL},
    {"walk_latency", "translation", "cycles", "of a walk, from the miss that begins it to its end", "ptw_busy",
     "ptw_walks", 1, ALL},
    {"walk_reads", "translation", "reads", "PTEs read for each walk", WALK_READS, "ptw_walks", 1, ALL},
    {"walk_reads_saved", "translation", "%", "reads of PTEs that walks saved by sharing", "ptw_shared",
     "ptw_shared+" WALK_READS, 100, ALL},
    {"walk_l2_hit_rate", "translation", "%", "reads of PTEs that hit in the L2",
     "l2_hit_cls1+l2_hit_cls2+l2_hit_cls3+l2_hit_cls4", "l2_access_cls1+l2_access_cls2+l2_access_cls3+l2_access_cls4",
     100, ALL},
    {"walk_waiting", "translation", "", "memory instructions that wait for walks, on average", "lsu_waiting", "cycles",
     1, ALL},
    {"shootdown_latency", "translation", "cycles", "from the command to a core's acknowledgement", "shootdown_cycles",
     "tlb_invs", 1, ALL},
    {"l2_tlb_hit_rate", "shared translation", "%", "misses of the cores' TLBs that hit in the shared L2 TLB",
     "l2_tlb_hits", "l2_tlb_lookups", 100, ALL},
    {"walks_at_once", "shared translation", "walks", "walks of the shared walker under way, on average", "walker_busy",
     "cycles", 1, ALL},
    {"shared_walk_latency", "shared translation", "cycles", "of a shared walk, from its allocation to the last answer",
     "l2m_busy", "l2m_walks", 1, ALL},
    {"directory_hit_rate", "coherence", "%", "lines asked for by the L2 whose block was in the stack", "smd_hit",
     "smd_read", 100, ALL},
    {"block_reuse", "coherence", "", "lines asked for by the L2 for each line fetched over the link", "smd_read",
     "smd_line", 1, ALL},
    {"merges_a_block", "coherence", "lines",
     "lines of which bytes went home, for each block given back, flushed or probed", "smd_bytes",
     "smd_evict+smd_flush+smd_probe_read+smd_probe_write+smd_probe_clean", 1, ALL},
    {"sync_latency", "coherence", "cycles", "of a maintenance in a slice and its stack", "smd_sync_cycles", "smd_syncs",
     1, ALL},
    {"coherence_share", "coherence", "%", "flits on links that are neither a line nor the head of one", COHERENCE_FLITS,
     COHERENCE_FLITS_ONCE "+link_line_flits+link_merge_flits", 100, ALL},
    {"dram_utilisation", "memory", "%", "clocks in which data moved between the chips and the device",
     "dram_reads+dram_writes", "dram_ticks", 100, A_BURST},
};

static bool add(const vl_counter *c, size_t n, const char *names, double *sum)
{
    *sum = 0;
    for (const char *s = names; *s;) {
        size_t len = strcspn(s, "+"), i = 0;
        while (i < n && (strncmp(c[i].name, s, len) || c[i].name[len]))
            i++;
        if (i == n)
            return false;
        *sum += (double)c[i].value;
        s += len + (s[len] == '+');
    }
    return true;
}

/* Of a machine with these counters: with a shared translation cores have no walker, and their counters of one stay 0. */
static const struct {
    const char *name, *over, *under;
} of_walker[] = {{"walk_reads", WALKER_READS, "l2m_walks"},
                 {"walk_reads_saved", "walker_shared", "walker_shared+" WALKER_READS}};

/* Both sides of a derived figure. False: it is not there. */
static bool divide(const vl_counter *c, size_t n, size_t figure, double *over, double *under)
{
    for (size_t k = 0; k < sizeof of_walker / sizeof *of_walker; k++)
        if (!strcmp(of_walker[k].name, derived[figure].name) && add(c, n, of_walker[k].over, over))
            return add(c, n, of_walker[k].under, under) && *under != 0;
    return add(c, n, derived[figure].over, over) && add(c, n, derived[figure].under, under) && *under != 0;
}

/* Counted by the host, in the order of `host_counts`. */
static const vl_stat paging[] = {
    {"page_faults", "paging", "faults", "page faults that the host was asked about", false, 0, 0},
    {"page_flags_set", "paging", "faults", "of these, answered by setting A or D of a page in a frame", false, 0, 0},
    {"pages_in", "paging", "pages", "pages brought into a frame", false, 0, 0},
    {"pages_out", "paging", "pages", "pages taken from their frames", false, 0, 0},
    {"pages_written", "paging", "pages", "of these, copied home", false, 0, 0},
    {"shootdowns", "paging", "shootdowns", "asked for by the host while the kernel ran", false, 0, 0},
};
static const vl_stat table_use[] = {
    {"reconv_used", "run", "branches", "branches in the reconvergence table", false, 0, 0},
    {"reconv_left_out", "run", "branches", "branches that found no place in the reconvergence table", false, 0, 0},
};
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static vl_stat of_counter(const vl_counter *c)
{
    return (vl_stat){c->name, c->section, c->unit, c->help, false, c->value, 0};
}

bool vl_figure(size_t i, vl_stat *figure)
{
    const vl_counter *c = driver_counter(&i);
    if (c) {
        *figure = of_counter(c);
        return true;
    }
    if (i < COUNT(derived)) {
        *figure = (vl_stat){derived[i].name, derived[i].section, derived[i].unit, derived[i].help, true, 0, 0};
        return true;
    }
    i -= COUNT(derived);
    const vl_stat *rows = i < COUNT(paging) ? paging : table_use;
    i -= rows == paging ? 0 : COUNT(paging);
    if (rows == table_use && i >= COUNT(table_use))
        return false;
    *figure = rows[i];
    return true;
}

/* A figure of these counters. False: one of them is missing, or the divisor is 0. */
static bool derive(const vl_device *d, size_t i, const vl_counter *c, size_t n, double *ratio)
{
    double over, under;
    if (!divide(c, n, i, &over, &under))
        return false;
    if (derived[i].per == A_THREAD)
        under *= d->env.threads;
    if (derived[i].per == A_WARP_SLOT)
        under *= (double)d->env.cores * d->env.warps;
    const int64_t burst = derived[i].per == A_BURST ? vl_cfg_get(&d->config, "dram_burst_clocks", 0) : 1;
    /* Two kinds of chips with bursts of different lengths: the sum of their counters gives no clocks. */
    *ratio = derived[i].scale * over * (double)burst / under;
    return burst != 0;
}

bool vl_figure_inputs(const vl_device *d, const char *name, const char **over, const char **under)
{
    const bool shared = !strcmp(vl_cfg_word(&d->config, "translation"), "shared");
    for (size_t k = 0; k < COUNT(of_walker) && shared; k++)
        if (!strcmp(of_walker[k].name, name)) {
            *over = of_walker[k].over;
            *under = of_walker[k].under;
            return true;
        }
    for (size_t i = 0; i < COUNT(derived); i++)
        if (!strcmp(derived[i].name, name)) {
            *over = derived[i].over;
            *under = derived[i].under;
            return true;
        }
    return false;
}

bool vl_figure_of(const vl_device *d, const char *name, const vl_counter *c, size_t n, vl_stat *to)
{
    for (size_t i = 0; i < COUNT(derived); i++)
        if (!strcmp(derived[i].name, name)) {
            *to = (vl_stat){derived[i].name, derived[i].section, derived[i].unit, derived[i].help, true, 0, 0};
            return derive(d, i, c, n, &to->ratio);
        }
    for (size_t i = 0; i < n; i++)
        if (!strcmp(c[i].name, name)) {
            *to = of_counter(&c[i]);
            return true;
        }
    return false;
}

int vl_stats_collect(vl_device *d)
{
    size_t n = 0, n_derived = COUNT(derived), k = 0;
    const vl_counter *c = d->ops->counters(d->self, &n);
    const vl_pager_counts *p = &d->memory.pager.counts;
    const uint64_t host_counts[COUNT(paging)] = {p->faults,    p->flags_set, p->pages_in,
                                                 p->pages_out, p->written,   p->shootdowns};
    const uint64_t table_counts[COUNT(table_use)] = {d->reconv_used, d->reconv_left_out};
    size_t n_paging = d->space ? COUNT(paging) : 0;
    vl_stat *s = realloc(d->stats, (n + n_derived + n_paging + COUNT(table_use)) * sizeof *s);
    if (!s)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    d->stats = s;
    for (size_t i = 0; i < n; i++)
        s[k++] = of_counter(&c[i]);
    for (size_t i = 0; i < n_derived; i++) {
        double ratio;
        if (!derive(d, i, c, n, &ratio))
            continue;
        s[k++] = (vl_stat){derived[i].name, derived[i].section, derived[i].unit, derived[i].help, true, 0, ratio};
    }
    for (size_t i = 0; i < n_paging; i++, k++) {
        s[k] = paging[i];
        s[k].value = host_counts[i];
    }
    for (size_t i = 0; i < COUNT(table_use); i++, k++) {
        s[k] = table_use[i];
        s[k].value = table_counts[i];
    }
    d->n_stats = k;
    return 0;
}

uint64_t vl_result_value(const vl_result *r, const char *name, uint64_t missing)
{
    for (size_t i = 0; r && name && i < r->n_stats; i++)
        if (!r->stats[i].is_ratio && !strcmp(r->stats[i].name, name))
            return r->stats[i].value;
    return missing;
}
