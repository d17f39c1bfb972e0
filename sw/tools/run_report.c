/* vellum run: the report of a run, and its JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_gen.h"
#include "sw/tools/run_internal.h"

void run_report_fault(const run_job *j, const run_app *a, const vl_fault *f)
{
    char insn[96] = "";
    uint32_t word;
    if (j->several)
        (void)vl_use_space(j->dev, a->space);
    if (!vl_read(j->dev, f->pc, &word, sizeof word)) {
        char text[80];
        isa_disasm(word, f->pc, text, sizeof text);
        snprintf(insn, sizeof insn, " (%s)", text);
        for (char *p = insn; *p; p++)
            if (*p == '\t')
                *p = ' ';
    }
    char what[VL_FAULT_TEXT];
    vl_fault_text(f, what, sizeof what);
    complain("run", 0, "kernel %s: %s, pc 0x%" PRIx64 "%s, core %u, warp %u, lanes 0x%" PRIx64, a->kernel_name, what,
             f->pc, insn, f->core, f->warp, f->mask);
}

/* `ref` has no caches. */
static bool run_timed(const run_job *j)
{
    return strcmp(j->backend, "ref") != 0;
}

/* The uploads went through the L2. Where there are pages, memory is shared with the host and caches are emptied before a kernel. */
static bool run_warm(const run_job *j)
{
    return run_timed(j) && !j->cold && !j->copied_to && !j->back_door && j->memory.mode == VL_BARE && !j->memory.shared;
}

void run_copy_figures(const run_job *j, vl_stat figure[COPY_FIGURES])
{
    const vl_result *r = j ? &j->app[0].result : NULL;
    const uint64_t to = j ? j->copied_to : 0, back = j ? j->copied_back : 0,
                   all = j ? to + back + r->cycles + vl_result_value(r, "flush_cycles", 0) : 0;
    figure[0] = (vl_stat){"copy_to_cycles",
                          "copies",
                          "cycles",
                          "contents of buffers written before the kernel, until they are in memory",
                          false,
                          to,
                          0};
    figure[1] = (vl_stat){"copy_back_cycles", "copies", "cycles", "buffers read back after it", false, back, 0};
    figure[2] =
        (vl_stat){"cycles_with_copies", "copies", "cycles", "these, the kernel and its final flush", false, all, 0};
}

const char *run_outcome_name(int code)
{
    return code == VL_OK       ? "ok"
           : code == VL_EFAULT ? "fault"
           : code == VL_EDIFF  ? "difference"
           : code == VL_ELIMIT ? "limit"
           : code == VL_EINTR  ? "interrupted"
                               : "stopped";
}

static json_t *triple(const uint64_t v[3], uint32_t dims)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < dims; i++)
        json_array_append_new(a, json_integer((json_int_t)v[i]));
    return a;
}

static json_t *fault_of(const vl_fault *f, const vl_image *img)
{
    char value[24], pc[24], mask[24]; /* as text: 64 bits do not fit the numbers of JSON */
    snprintf(value, sizeof value, "0x%" PRIx64, f->value);
    snprintf(pc, sizeof pc, "0x%" PRIx64, f->pc);
    snprintf(mask, sizeof mask, "0x%" PRIx64, f->mask);
    json_t *to =
        json_pack("{s:s,s:I,s:s,s:s,s:I,s:I,s:s}", "name", vl_fault_name(f->cause), "cause", (json_int_t)f->cause,
                  "value", value, "pc", pc, "core", (json_int_t)f->core, "warp", (json_int_t)f->warp, "mask", mask);
    char text[VL_FAULT_TEXT];
    vl_source s;
    vl_fault_text(f, text, sizeof text);
    json_object_set_new(to, "text", json_string(text));
    if (f->has_item) {
        json_object_set_new(to, "work_item", triple(f->global, 3));
        json_object_set_new(to, "group", triple((uint64_t[]){f->group[0], f->group[1], f->group[2]}, 3));
    }
    if (vl_image_place(img, f->pc, &s)) {
        json_object_set_new(to, "file", json_string(s.file));
        json_object_set_new(to, "line", json_integer(s.line));
        json_object_set_new(to, "function", json_string(s.function));
    }
    return to;
}

/* ---- a kernel that was stopped ---- */

enum { MOST_STOPPED = 16 }; /* entries that are shown */

void run_report_stopped(const run_job *j)
{
    vl_stopped list[MOST_STOPPED];
    const size_t n = vl_stopped_list(j->dev, list, MOST_STOPPED);
    for (size_t i = 0; i < n && i < MOST_STOPPED; i++) {
        char text[VL_STOPPED_TEXT];
        vl_stopped_text(j->app[list[i].job].image, &list[i], text, sizeof text);
        complain("run", 0, "%s%s%s", j->several ? j->app[list[i].job].kernel_name : "", j->several ? ": " : "", text);
    }
    if (n > MOST_STOPPED)
        complain("run", 0, "and others at %zu more places", n - MOST_STOPPED);
}

static json_t *stopped_of(const run_job *j)
{
    vl_stopped list[MOST_STOPPED];
    const size_t n = vl_stopped_list(j->dev, list, MOST_STOPPED);
    json_t *all = n ? json_array() : NULL;
    for (size_t i = 0; i < n && i < MOST_STOPPED; i++) {
        const vl_stopped *s = &list[i];
        const uint64_t group[3] = {s->group[0], s->group[1], s->group[2]};
        char pc[24], threads[24];
        vl_source at;
        snprintf(pc, sizeof pc, "0x%" PRIx64, s->pc);
        snprintf(threads, sizeof threads, "0x%" PRIx64, s->threads);
        json_t *to = json_pack("{s:I,s:s,s:s,s:I,s:I,s:I,s:I,s:s,s:o}", "warps", (json_int_t)s->warps, "waits_for",
                               vl_wait_name(s->wait), "pc", pc, "least_cycles", (json_int_t)s->least, "most_cycles",
                               (json_int_t)s->most, "core", (json_int_t)s->core, "warp", (json_int_t)s->warp, "threads",
                               threads, "group", triple(group, 3));
        if (j->several)
            json_object_set_new(to, "kernel", json_string(j->app[s->job].kernel_name));
        if (vl_image_place(j->app[s->job].image, s->pc, &at)) {
            json_object_set_new(to, "file", json_string(at.file));
            json_object_set_new(to, "line", json_integer(at.line));
            json_object_set_new(to, "function", json_string(at.function));
        }
        json_array_append_new(all, to);
    }
    return all;
}

/* Kernel and range, and the fault that it ended by. */
static void put_app(json_t *to, const run_app *a)
{
    json_object_set_new(to, "kernel", json_string(a->kernel_name));
    json_object_set_new(to, "global", triple(a->range.global, a->range.dims));
    if (a->range.local[0])
        json_object_set_new(to, "local", triple(a->range.local, a->range.dims));
    if (a->result.code == VL_EFAULT)
        json_object_set_new(to, "fault", fault_of(&a->result.fault, a->image));
    json_t *sources = json_array();
    const char *compiler, *options;
    for (size_t i = 0; a->image && vl_image_source(a->image, i, &compiler, &options); i++)
        json_array_append_new(sources, json_pack("{s:s,s:s}", "compiler", compiler, "options", options));
    json_object_set_new(to, "compiled", sources);
}

static void put_stats(json_t *to, const char *name, const vl_stat *s, size_t n, bool judged)
{
    json_t *all = json_object();
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s[i].section, "judge") == judged)
            json_object_set_new(all, s[i].name,
                                s[i].is_ratio ? json_real(s[i].ratio) : json_integer((json_int_t)s[i].value));
    if (judged && !json_object_size(all))
        json_decref(all);
    else
        json_object_set_new(to, name, all);
}

static void put_known(json_t *to, const char *name, double value)
{
    if (value > 0)
        json_object_set_new(to, name, json_real(value));
}

static json_t *core_list(uint64_t cores)
{
    json_t *list = json_array();
    for (; cores; cores &= cores - 1)
        json_array_append_new(list, json_integer(__builtin_ctzll(cores)));
    return list;
}

/* One of several programs. */
static json_t *one_of_several(const run_job *j, const run_app *a)
{
    json_t *to = json_object();
    const double shared = run_ipc_shared(a), alone = run_ipc_alone(a);
    uint16_t asid = 0;
    (void)vl_space_asid(j->dev, a->space, &asid);
    json_object_set_new(to, "file", json_string(a->elf));
    put_app(to, a);
    json_object_set_new(to, "cores", core_list(a->cores));
    if (a->channels)
        json_object_set_new(to, "channels", core_list(a->channels));
    json_object_set_new(to, "asid", json_integer(asid));
    json_object_set_new(to, "outcome", json_string(run_outcome_name(a->result.code)));
    json_object_set_new(to, "cycles", json_integer((json_int_t)a->result.cycles));
    json_object_set_new(to, "launches", json_integer(a->launches));
    if (a->cycles_all)
        json_object_set_new(to, "cycles_all", json_integer((json_int_t)a->cycles_all));
    json_object_set_new(to, "relaunches", json_integer(a->launches ? a->launches - 1 : 0));
    json_object_set_new(to, "instructions", json_integer((json_int_t)a->instructions));
    if (a->alone_cycles)
        json_object_set_new(to, "cycles_alone", json_integer((json_int_t)a->alone_cycles));
    put_known(to, "ipc_shared", shared);
    put_known(to, "ipc_alone", alone);
    put_known(to, "slowdown", shared > 0 ? alone / shared : 0);
    if (a->own)
        put_stats(to, "counters", a->own, a->n_own, false);
    return to;
}

/* The kernel's accesses to each buffer, and to the rest of memory. */
static json_t *buffers_of(const run_job *j)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k <= j->n_buffers; k++) {
        const vl_buffer_use *u = &j->buffers[k];
        json_t *one = json_object();
        json_object_set_new(one, "name", k < j->n_buffers ? json_string(u->name) : json_null());
        if (k < j->n_buffers)
            json_object_set_new(one, "bytes", json_integer((json_int_t)u->bytes));
        for (uint32_t i = 0; vl_buffer_count_name(i); i++)
            json_object_set_new(one, vl_buffer_count_name(i), json_integer((json_int_t)u->count[i]));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *document(const run_job *j, int code)
{
    json_t *doc = json_object();
    const vl_result *r = &j->app[0].result;
    uint64_t cycles = 0;
    vl_sharing s;
    for (unsigned k = 0; k < j->n_apps; k++)
        cycles = j->app[k].result.cycles > cycles ? j->app[k].result.cycles : cycles;
    json_object_set_new(doc, "cycles", json_integer((json_int_t)cycles));
    json_object_set_new(doc, "outcome", json_string(run_outcome_name(code)));
    json_t *stopped = stopped_of(j);
    if (stopped)
        json_object_set_new(doc, "stopped", stopped);
    json_object_set_new(doc, "backend", json_string(j->backend));
    json_object_set_new(doc, "config", json_string(j->config));
    if (!j->several)
        put_app(doc, &j->app[0]);
    for (unsigned k = 0; k < j->n_apps && j->several; k++) {
        if (!k)
            json_object_set_new(doc, "apps", json_array());
        json_array_append_new(json_object_get(doc, "apps"), one_of_several(j, &j->app[k]));
    }
    if (j->several && run_sharing(j, &s)) {
        json_object_set_new(doc, "weighted_speedup", json_real(s.weighted_speedup));
        json_object_set_new(doc, "throughput", json_real(s.throughput));
        json_object_set_new(doc, "unfairness", json_real(s.unfairness));
    }
    if (run_timed(j))
        json_object_set_new(doc, "l2_at_start", json_string(run_warm(j) ? "warm" : "cold"));
    put_stats(doc, "judge", r->stats, r->n_stats, true);
    put_stats(doc, "counters", r->stats, r->n_stats, false);
    vl_stat copies[COPY_FIGURES];
    run_copy_figures(j, copies);
    for (size_t i = 0; j->copies && i < COPY_FIGURES; i++)
        json_object_set_new(json_object_get(doc, "counters"), copies[i].name,
                            json_integer((json_int_t)copies[i].value));
    if (j->n_buffers)
        json_object_set_new(doc, "buffers", buffers_of(j));
    if (j->samples.rows)
        json_object_set(doc, "samples", j->samples.rows);
    char *provenance = vl_provenance(j->dev);
    json_object_set_new(doc, "provenance", json_loads(provenance ? provenance : "null", JSON_DECODE_ANY, NULL));
    free(provenance);
    return doc;
}

int run_write_stats(run_job *j, int code)
{
    char why[400];
    json_t *doc = document(j, code);
    char *text = json_dumps(doc, JSON_INDENT(2));
    json_decref(doc);
    if (!text)
        return complain("run", EXIT_TOOL, "out of memory");
    bool ok = out_write(&j->stats_file, text, strlen(text), why, sizeof why)
              && out_write(&j->stats_file, "\n", 1, why, sizeof why);
    free(text);
    return ok ? 0 : complain("run", EXIT_TOOL, "--stats: %s", why);
}

/* The walkers that a machine has: of each core (ptw_), or the one that cores share. */
#define WALKS "(walks)"
/* The counters of the report, where the machine has them; --stats writes all. */
static const struct {
    const char *heading, *name;
} shown[] = {
    {"run", "cycles"},
    {"run", "warp_instructions"},
    {"run", "thread_instructions"},
    {"run", "ipc"},
    {"run", "simd_utilisation"},
    {"run", "occupancy"},
    {"run", "groups_started"},
    {"run", "barriers"},
    {"control flow", "branches"},
    {"control flow", "branch_divergence"},
    {"control flow", "reconv_left_out"},
    {"cycles without an issue", "stall_dependency"},
    {"cycles without an issue", "stall_pipe"},
    {"cycles without an issue", "stall_fetch"},
    {"cycles without an issue", "stall_control"},
    {"cycles without an issue", "stall_serial"},
    {"cycles without an issue", "stall_barrier"},
    {"cycles without an issue", "stall_idle"},
    {"warp scheduling", "warps_held"},
    {"warp scheduling", "loc_looks"},
    {"warp scheduling", "lost_locality"},
    {"warp scheduling", "loc_dropped"},
    {"warp scheduling", "loc_due"},
    {"memory", "lsu_loads"},
    {"memory", "lsu_stores"},
    {"memory", "lsu_atomics"},
    {"memory", "page_divergence"},
    {"memory", "spad_conflicts"},
    {"memory", "l1i_hit_rate"},
    {"memory", "l1d_hit_rate"},
    {"memory", "mem_reads"},
    {"memory", "mem_writes"},
    {"memory", "mem_atomics"},
    {"memory", "l2_hit_rate"},
    {"memory", "l2_evict"},
    {"memory", "dram_row_hit_rate"},
    {"memory", "dram_utilisation"},
    {"memory", "dram_refs"},
    {"translation", "tlb_lookups"},
    {"translation", "tlb_misses"},
    {"translation", "tlb_hit_rate"},
    {"translation", "tlb_super_share"},
    {"translation", "itlb_hit_rate"},
    {"translation", "ptw_walks"},
    {"translation", "misses_a_walk"},
    {"translation", "walk_latency"},
    {"translation", "walk_reads"},
    {"translation", WALKS "_reads_l3"},
    {"translation", WALKS "_reads_l2"},
    {"translation", WALKS "_reads_l1"},
    {"translation", WALKS "_reads_l0"},
    {"translation", WALKS "_shared"},
    {"translation", "walk_reads_saved"},
    {"translation", "walk_l2_hit_rate"},
    {"translation", "lsu_stall_walk"},
    {"translation", "lsu_stall_blocked"},
    {"translation", "lsu_stall_port"},
    {"translation", "walk_waiting"},
    {"translation", "itlb_stall"},
    {"translation", "shootdown_latency"},
    {"shared translation", "l2_tlb_lookups"},
    {"shared translation", "l2_tlb_hit_rate"},
    {"shared translation", "l2m_walks"},
    {"shared translation", "walks_at_once"},
    {"shared translation", "shared_walk_latency"},
    {"coherence", "smd_read"},
    {"coherence", "directory_hit_rate"},
    {"coherence", "smd_fetch"},
    {"coherence", "smd_own"},
    {"coherence", "smd_line"},
    {"coherence", "block_reuse"},
    {"coherence", "smd_evict"},
    {"coherence", "smd_flush"},
    {"coherence", "smd_bytes"},
    {"coherence", "merges_a_block"},
    {"coherence", "hmd_probe"},
    {"coherence", "hmd_peer"},
    {"coherence", "flush_cycles"},
    {"coherence", "sync_latency"},
    {"coherence", "coherence_share"},
    {"links", "link_up*"},
    {"links", "link_down*"},
    {"paging", "page_faults"},
    {"paging", "pages_in"},
    {"paging", "pages_out"},
    {"paging", "pages_written"},
    {"paging", "shootdowns"},
    {"judge", "judge_words"},
    {"judge", "judge_counters"},
    {"judge", "judge_races"},
    {"judge", "judge_waived_loads"},
    {"judge", "judge_waived_shootdowns"},
};

/* The name of a row, or with a * the beginning of several. */
static bool is_shown(const char *name, const char *row, bool shared)
{
    if (!strncmp(row, WALKS, strlen(WALKS))) {
        const char *prefix = shared ? "walker" : "ptw";
        return !strncmp(name, prefix, strlen(prefix)) && !strcmp(name + strlen(prefix), row + strlen(WALKS));
    }
    const size_t n = strcspn(row, "*");
    return !strncmp(name, row, n) && (row[n] || !name[n]);
}

/* A number, or a dash where it is not known. */
static void put_number(double v)
{
    if (v > 0)
        printf(" %9.4f", v);
    else
        printf(" %9s", "-");
}

static void print_several(const run_job *j)
{
    printf("%u programs, backend %s, configuration %s\n\n", j->n_apps, j->backend, j->config);
    printf("  %-18s %-10s %-8s %8s %12s %12s %12s %9s %9s %9s %9s\n", "kernel", "cores", "outcome", "launches",
           "instructions", "cycles", "alone", "IPC", "alone", "slowdown", "faults");
    for (unsigned k = 0; k < j->n_apps; k++) {
        const run_app *a = &j->app[k];
        const double shared = run_ipc_shared(a), alone = run_ipc_alone(a);
        printf("  %-18s %-10s %-8s %8u %12" PRIu64 " %12" PRIu64 " %12" PRIu64, a->kernel_name, a->cores_text,
               run_outcome_name(a->result.code), a->launches, a->instructions, a->result.cycles, a->alone_cycles);
        put_number(shared);
        put_number(alone);
        put_number(shared > 0 ? alone / shared : 0);
        uint64_t faults = 0;
        for (size_t i = 0; i < a->n_own; i++)
            if (!strcmp(a->own[i].name, "page_faults"))
                faults = a->own[i].value;
        printf(" %9" PRIu64 "\n", faults);
    }
    vl_sharing s;
    if (run_sharing(j, &s))
        printf("\n  weighted speedup %.4f of %u, throughput %.4f instructions a cycle, unfairness %.4f\n",
               s.weighted_speedup, j->n_apps, s.throughput, s.unfairness);
}

/* Per cent, or a dash of nothing. */
static void put_share(uint64_t part, uint64_t all)
{
    if (all)
        printf(" %8.1f", 100.0 * (double)part / (double)all);
    else
        printf(" %8s", "-");
}

/* Which buffer misses: the page and line statistics of each. */
static void print_buffers(const run_job *j, bool pages)
{
    printf("\nbuffers (misses: lines read from the L2 for each hundred loads, lines read from memory for each hundred "
           "of these)\n");
    printf("  %-20s %12s", "", "bytes");
    if (pages)
        printf(" %12s %8s", "TLB look-ups", "miss %");
    printf(" %12s %8s %12s %8s %12s\n", "L1D loads", "miss %", "L2 reads", "miss %", "L2 writes");
    for (uint32_t k = 0; k <= j->n_buffers; k++) {
        const vl_buffer_use *u = &j->buffers[k];
        const uint64_t *n = u->count;
        if (k < j->n_buffers)
            printf("  %-20s %12" PRIu64, u->name, u->bytes);
        else
            printf("  %-20s %12s", "(all else)", "");
        if (pages) {
            printf(" %12" PRIu64, n[VL_BUFFER_TLB_LOOKUPS]);
            put_share(n[VL_BUFFER_TLB_MISSES], n[VL_BUFFER_TLB_LOOKUPS]);
        }
        printf(" %12" PRIu64, n[VL_BUFFER_L1D_LOADS]);
        put_share(n[VL_BUFFER_L2_READS],
                  k < j->n_buffers ? n[VL_BUFFER_L1D_LOADS] : 0); /* the rest has instructions and PTEs, too */
        printf(" %12" PRIu64, n[VL_BUFFER_L2_READS]);
        put_share(n[VL_BUFFER_L2_MISSES], n[VL_BUFFER_L2_READS]);
        printf(" %12" PRIu64 "\n", n[VL_BUFFER_L2_WRITES]);
    }
}

void run_print_table(const run_job *j)
{
    const vl_result *r = &j->app[0].result;
    const char *heading = "";
    if (j->several)
        print_several(j);
    else
        printf("%s, backend %s, configuration %s%s\n", j->app[0].kernel_name, j->backend, j->config,
               j->app[0].result.code == VL_EINTR    ? ", interrupted"
               : j->app[0].result.code == VL_ELIMIT ? ", stopped at the limit"
                                                    : "");
    if (run_warm(j))
        printf("what was uploaded before the kernel began may still be in the L2 (--cold: not)\n");
    const bool shared = vl_result_value(r, "l2m_walks", UINT64_MAX) != UINT64_MAX;
    const bool pages = vl_result_value(r, "tlb_lookups", 0) + vl_result_value(r, "itlb_lookups", 0) != 0;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        for (size_t k = 0; k < r->n_stats; k++) {
            const vl_stat *s = &r->stats[k];
            if (!is_shown(s->name, shown[i].name, shared) || (!pages && !strcmp(shown[i].heading, "translation")))
                continue;
            if (strcmp(heading, shown[i].heading))
                printf("\n%s\n", heading = shown[i].heading);
            if (s->is_ratio)
                printf("  %-22s %15.2f %-13s %s\n", s->name, s->ratio, s->unit, s->help);
            else
                printf("  %-22s %15" PRIu64 " %-13s %s\n", s->name, s->value, s->unit, s->help);
        }
    vl_stat copies[COPY_FIGURES];
    run_copy_figures(j, copies);
    for (size_t i = 0; j->copies && i < COPY_FIGURES; i++)
        printf("%s  %-22s %15" PRIu64 " %-13s %s\n", i ? "" : "\ncopies\n", copies[i].name, copies[i].value,
               copies[i].unit, copies[i].help);
    if (j->n_buffers)
        print_buffers(j, pages);
}
