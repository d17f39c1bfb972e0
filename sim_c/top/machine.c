/* A machine of any kind with its memory chips: the streams of the host, time, the back door, traces. See machine.h. */
#include "sim_c/top/machine.h"
#include "sim_c/top/buffers.h"
#include "sim_c/top/chips.h"
#include "sim_c/top/machine_kind.h"
#include "sim_c/top/occupants.h"
#include "sim_c/top/trace.h"
#include "sim_c/common/memory_map.h"
#include "scopes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_CYCLES = 4096 }; /* a run returns after this number at the latest */
#define CHIP_BYTES ((uint64_t)CH_BANKS * DRAM_ROWS * DRAM_ROW_BYTES) /* of a channel, home = flat */

typedef struct {
    void *kind;
    chips_t *chips;
    chips_store_t store; /* bytes NULL: none */
    vellum_in_t in;
    uint64_t cycle;
    uint64_t warps_ended;
    bool marks; /* the host has asked for them */
    uint64_t marks_seen; /* numbers, a bit each */
    unsigned n_marks, marks_given;
    machine_mark_t mark[MACHINE_MARKS];
    trace_t *trace;
    occupants_t *occupants; /* to find the work-item of a fault */
    buffers_t *buffers; /* or NULL */
    bool fst; /* waves are written */
    char *fst_path; /* waves are to be written as soon as their window begins; otherwise NULL */
    machine_part_t part; /* window of the waves */
    uint64_t begun; /* the cycle in which the first kernel in their window began, or NOT_YET */
    const char *scope[SCOPES + 1];
} machine_t;

#define NOT_YET UINT64_MAX

static vellum_inside_t inside(const machine_t *m)
{
    return machine_kind.inside ? machine_kind.inside(m->kind) : (vellum_inside_t){0};
}

static void fst_begin(machine_t *m)
{
    m->fst = machine_kind.fst(m->kind, m->fst_path, *m->scope ? m->scope : NULL) == 0;
    free(m->fst_path);
    m->fst_path = NULL;
}

/* Waves that have a window: are they to begin or to end in this cycle? */
static void fst_window(machine_t *m, const vellum_out_t *o)
{
    if (m->begun == NOT_YET && o->running)
        m->begun = m->cycle;
    if (m->begun == NOT_YET)
        return;
    const uint64_t at = m->cycle - m->begun;
    if (m->fst_path && at >= m->part.from && at < m->part.to)
        fst_begin(m);
    if (m->fst && at >= m->part.to) {
        machine_kind.fst_end(m->kind);
        m->fst = false;
    }
}

static int m_trace_end(void *self)
{
    machine_t *m = self;
    int r = 0;
    if (m->fst_path) /* the window was not reached: write waves without cycles */
        fst_begin(m);
    if (m->fst)
        machine_kind.fst_end(m->kind);
    if (m->trace)
        r = trace_close(m->trace, m->cycle);
    m->fst = false;
    m->trace = NULL;
    return r;
}

static void m_close(void *self)
{
    machine_t *m = self;
    (void)m_trace_end(m);
    if (m->kind)
        machine_kind.close(m->kind);
    chips_free(m->chips);
    occupants_free(m->occupants);
    buffers_free(m->buffers);
    free(m);
}

static int m_open(void **self, sim_error_t *err)
{
    machine_t *m = calloc(1, sizeof *m);
    if (!m)
        return SIM_ENOMEM;
    m->occupants = occupants_new();
    int r = m->occupants ? chips_new(&m->chips, err) : SIM_ENOMEM;
    if (!r && (r = machine_kind.open(&m->kind)))
        m->kind = NULL;
    if (r) {
        m_close(m);
        return r;
    }
    machine_kind.reset(m->kind);
    *self = m;
    return 0;
}

/* ---- time ------------------------------------------------------------------------------------------------------------ */

/* The host's inputs on the device's ports. A payload keeps its value while it is not valid. */
static void drive(vellum_in_t *to, const machine_in_t *in)
{
    to->ctl_req_valid = in->ctl_req_valid;
    to->ctl_rsp_ready = in->ctl_rsp_ready;
    to->host_req_valid = in->mem_req_valid;
    if (in->ctl_req_valid)
        to->ctl_req = (ctl_req_t){.write = in->ctl_write, .addr = in->ctl_addr, .data = in->ctl_data};
    if (!in->mem_req_valid)
        return;
    mem_req_t *q = &to->host_req;
    memset(q, 0, sizeof *q);
    q->op = !in->mem_write ? MEM_READ : HOME == HOME_FLAT ? MEM_WRITE : MEM_STORE;
    q->id = in->mem_id;
    q->line = in->mem_line;
    if (!in->mem_write)
        return;
    for (unsigned k = in->mem_at; k < in->mem_at + in->mem_bytes; k++)
        q->be.w[k / 64] |= 1ull << (k % 64);
    memcpy((uint8_t *)q->data.w + in->mem_at, in->mem_data, in->mem_bytes);
}

/* The host's view of the device's ports. */
static void show(const machine_t *m, const vellum_out_t *o, machine_out_t *out)
{
    out->now = m->cycle;
    out->ctl_req_ready = o->ctl_req_ready;
    out->ctl_rsp_valid = o->ctl_rsp_valid;
    out->ctl_rsp = o->ctl_rsp.data;
    out->mem_req_ready = o->host_req_ready;
    out->mem_rsp_valid = o->host_rsp_valid;
    out->mem_rsp_id = o->host_rsp.id;
    out->mem_rsp_line = (const uint8_t *)o->host_rsp.data.w;
    out->attention = o->attention;
    out->running = o->running;
    out->warps_ended = m->warps_ended;
}

static bool is_mark(uint32_t instr)
{
    return (instr & ~((MACHINE_MARKS - 1u) << 20)) == 0x2013;
}

static void see_marks(machine_t *m, const vellum_out_t *o)
{
    for (unsigned c = 0; c < CORES; c++) {
        const issued_t *i = &o->trace_issue[c];
        if (!((uint64_t)o->trace_issue_valid >> c & 1) || !i->first || !is_mark(i->instr)
            || m->marks_seen >> (i->instr >> 20) & 1)
            continue;
        m->marks_seen |= 1ull << (i->instr >> 20);
        m->mark[m->n_marks++] = (machine_mark_t){m->cycle, i->instr >> 20, c, i->warp};
    }
}

/* One cycle with what stands in m->in. The outputs of this cycle stay until the next. */
static inline int clock(machine_t *m, const vellum_out_t **out, sim_error_t *err)
{
    const vellum_out_t *o = *out = machine_kind.out(m->kind);
    chips_read(m->chips, &m->in);
    if (m->trace)
        trace_cycle(m->trace, m->cycle, &m->in, o);
    if (m->buffers)
        buffers_cycle(m->buffers, o);
    if (m->fst_path || m->fst)
        fst_window(m, o);
    if (o->trace_redirect_valid)
        for (unsigned c = 0; c < CORES; c++) /* a redirect that stops is the end of a warp */
            m->warps_ended += ((uint64_t)o->trace_redirect_valid >> c & 1) && o->trace_redirect[c].stop;
    occupants_cycle(m->occupants, m->cycle, o);
    if (m->marks && o->trace_issue_valid)
        see_marks(m, o);
    int r = chips_cycle(m->chips, o, err);
    if (!r)
        r = machine_kind.tick(m->kind, &m->in, err);
    m->cycle++;
    return r;
}

static int m_cycle(void *self, const machine_in_t *in, machine_out_t *out, sim_error_t *err)
{
    machine_t *m = self;
    const vellum_out_t *o;
    drive(&m->in, in);
    int r = clock(m, &o, err);
    show(m, o, out);
    return r;
}

/* Whether the outputs of a cycle end a run: a page fault waits, or a kernel slot of `running` is not running. */
static bool ends_run(const vellum_out_t *o, uint64_t running)
{
    return o->attention || (running & ~(uint64_t)o->running);
}

/* Jumps over cycles, at most `most`, in which nothing happens but that time passes; over none if the run of `running` ends in this one. */
static int jump(machine_t *m, uint64_t most, uint64_t running, sim_error_t *err)
{
    uint64_t n = machine_kind.due ? machine_kind.due(m->kind) : 0;
    if (n < 2 || ends_run(machine_kind.out(m->kind), running))
        return 0;
    uint64_t chips = chips_due(m->chips); /* DRAM clocks, of which a cycle has two at most */
    if (n > chips / 2)
        n = chips / 2;
    if (n > most)
        n = most;
    if (n > UINT32_MAX) /* nothing will ever happen: the cycle limit or the user ends it */
        n = UINT32_MAX;
    if (!n)
        return 0;
    uint64_t ticks[DRAM_KINDS];
    for (unsigned k = 0; k < DRAM_KINDS; k++)
        ticks[k] = machine_kind.dram_ticks(m->kind, k, n);
    int r = chips_skip(m->chips, ticks, err);
    machine_kind.skip(m->kind, n);
    m->cycle += n;
    return r;
}

static int m_run(void *self, uint64_t most, uint64_t running, machine_out_t *out, sim_error_t *err)
{
    machine_t *m = self;
    const uint64_t begin = m->cycle;
    const vellum_out_t *o;
    const unsigned marks = m->n_marks;
    uint64_t passed = 0;
    int r;
    m->in.ctl_req_valid = m->in.host_req_valid = false;
    do {
        if (most - passed > 1 && (r = jump(m, most - passed - 1, running, err)))
            return r;
        if ((r = clock(m, &o, err)))
            break;
        passed = m->cycle - begin;
    } while (!ends_run(o, running) && passed < most && passed < RUN_CYCLES && m->n_marks == marks);
    show(m, o, out);
    return r;
}

/* ---- the back door --------------------------------------------------------------------------------------------------- */

static int m_window(void *self, uint64_t base, uint64_t limit)
{
    machine_t *m = self;
    return machine_kind.window ? machine_kind.window(m->kind, base, limit) : 0;
}

static void m_home(void *self, unsigned memory)
{
    chips_home(((machine_t *)self)->chips, memory);
}

static void m_use_store(void *self, uint64_t base, uint64_t limit, uint8_t *bytes)
{
    machine_t *m = self;
    m->store = (chips_store_t){base, limit, bytes};
    chips_use_store(m->chips, &m->store);
}

static void m_share(void *self)
{
    machine_t *m = self;
    if (machine_kind.share)
        machine_kind.share(m->kind, m->store.bytes);
}

static int m_load(void *self, uint64_t addr, const void *from, uint64_t bytes)
{
    machine_t *m = self;
    int r = chips_load(m->chips, addr, from, bytes);
    if (!r && machine_kind.write)
        machine_kind.write(m->kind, addr, from, bytes);
    return r;
}

static int m_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    machine_t *m = self;
    uint8_t line[LINE_BYTES];
    memset(line, byte, sizeof line);
    for (uint64_t at = addr, left = bytes; left;) {
        uint64_t n = LINE_BYTES - at % LINE_BYTES;
        n = n < left ? n : left;
        int r = chips_load(m->chips, at, line, n);
        if (r)
            return r;
        at += n, left -= n;
    }
    if (machine_kind.fill)
        machine_kind.fill(m->kind, addr, byte, bytes);
    return 0;
}

static int m_dump(void *self, uint64_t addr, void *to, uint64_t bytes)
{
    return chips_dump(((machine_t *)self)->chips, addr, to, bytes);
}

/* ---- the judge, traces ----------------------------------------------------------------------------------------------- */

static bool m_mark(void *self, machine_mark_t *to)
{
    machine_t *m = self;
    m->marks = true;
    if (m->marks_given == m->n_marks)
        return false;
    *to = m->mark[m->marks_given++];
    return true;
}

static int m_begin(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    machine_t *m = self;
    m->n_marks = m->marks_given = 0;
    m->marks_seen = 0;
    occupants_clear(m->occupants);
    return machine_kind.begin ? machine_kind.begin(m->kind, jobs, n, err) : 0;
}

static int m_end(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    return machine_kind.end ? machine_kind.end(((machine_t *)self)->kind, jobs, n, err) : 0;
}

static int m_again(void *self, uint32_t k, const sim_job_t *job, sim_error_t *err)
{
    return machine_kind.again ? machine_kind.again(((machine_t *)self)->kind, k, job, err) : 0;
}

static bool m_group(void *self, uint32_t core, uint32_t warp, uint64_t pc, uint64_t threads, uint32_t group[3],
                    uint32_t *number)
{
    machine_t *m = self;
    return occupants_find(m->occupants, m->cycle, core, warp, pc, threads, group, number);
}

static bool m_warp(void *self, uint32_t core, uint32_t warp, machine_warp_t *to)
{
    const machine_t *m = self;
    return occupants_now(m->occupants, m->cycle, core, warp, to);
}

static uint32_t m_figures(void *self, machine_figure_t *to)
{
    return machine_kind.figures ? machine_kind.figures(((machine_t *)self)->kind, to) : 0;
}

/* The places of the design that have this block (a name of `n` letters; 0: any) in one of these cores; with all cores also those outside of cores. Returns how many more there are. */
static unsigned find_scopes(machine_t *m, unsigned have, const char *block, size_t n, uint64_t cores)
{
    static const struct {
        const char *block, *scope;
        int core; /* -1: in none */
    } all[SCOPES] = {
#define X(block, core, scope) {block, scope, core},
        VL_SCOPES(X)
#undef X
    };
    const unsigned before = have;
    for (unsigned k = 0; k < SCOPES; k++) {
        const bool right =
            n ? strlen(all[k].block) == n && !strncmp(all[k].block, block, n) : !strcmp(all[k].block, "core");
        if (right && have < SCOPES && (all[k].core < 0 ? n != 0 : cores >> all[k].core & 1))
            m->scope[have++] = all[k].scope;
    }
    m->scope[have] = NULL;
    return have - before;
}

/* Waves of these blocks in these cores. */
static int choose_scopes(machine_t *m, const machine_part_t *part, sim_error_t *err)
{
    const uint64_t everyone = ~0ull >> (64 - CORES);
    unsigned have = 0;
    *m->scope = NULL;
    if (!part->blocks && (part->cores & everyone) != everyone)
        (void)find_scopes(m, 0, "", 0, part->cores);
    for (const char *p = part->blocks; p && *p;) {
        const size_t n = strcspn(p, ",");
        const unsigned more = find_scopes(m, have, p, n, part->cores);
        if (!more) {
            snprintf(err->text, sizeof err->text, "no block '%.*s' in the design (blocks are named as in docs/blocks)",
                     (int)n, p);
            return SIM_EINVAL;
        }
        have += more;
        p += n + (p[n] == ',');
    }
    return 0;
}

static int waves_begin(machine_t *m, const char *path, const machine_part_t *part, sim_error_t *err)
{
    if (!machine_kind.fst)
        return SIM_ENOTSUP;
    int r = choose_scopes(m, part, err);
    if (r)
        return r;
    m->part = *part;
    m->begun = NOT_YET;
    if (!(m->fst_path = strdup(path)))
        return SIM_ENOMEM;
    if (part->from || part->to != UINT64_MAX)
        return 0;
    fst_begin(m);
    return m->fst ? 0 : SIM_ENOTSUP;
}

static int m_trace_begin(void *self, const char *kind, const char *path, const machine_part_t *part, sim_error_t *err)
{
    machine_t *m = self;
    if (!strcmp(kind, "fst"))
        return waves_begin(m, path, part, err);
    return trace_open(&m->trace, kind, path, part, inside(m), err);
}

static void m_trace_mark(void *self, const char *what)
{
    machine_t *m = self;
    if (m->trace)
        trace_mark(m->trace, m->cycle, what);
}

static void m_trace_value(void *self, const char *name, double value)
{
    machine_t *m = self;
    if (m->trace)
        trace_value(m->trace, m->cycle, name, value);
}

static int m_watch(void *self, const machine_range_t *range, uint32_t n)
{
    machine_t *m = self;
    const vellum_inside_t in = inside(m);
    if (!in.m)
        return SIM_ENOTSUP;
    buffers_free(m->buffers);
    m->buffers = n ? buffers_new(&in, range, n) : NULL;
    return n && !m->buffers ? SIM_ENOMEM : 0;
}

static const uint64_t *m_watched(void *self, uint32_t k)
{
    machine_t *m = self;
    return m->buffers ? buffers_of(m->buffers, k) : NULL;
}

__attribute__((visibility("default"))) const machine_api_t *vl_machine(void)
{
    static machine_api_t api = {
        .abi = MACHINE_ABI,
        .facts = {.config = VL_CFG_NAME,
                  .cores = CORES,
                  .warps = WARPS,
                  .threads = THREADS,
                  .lanes = LANES,
                  .groups = GROUPS,
                  .spad_bytes = SPAD_BYTES,
                  .reconv_entries = RECONV_ENTRIES,
                  .kernels = KERNELS,
                  .page_faults = PF_DEPTH,
                  .devices = DEVICES,
                  .slices = DEVICES * DEVICE_SLICES,
                  .channels = DEVICES * CHANNELS,
                  .block_bytes = HOME == HOME_FLAT ? 0 : INTERLEAVE_BYTES,
                  .memory_bytes = HOME == HOME_FLAT ? CHIP_BYTES * CHANNELS : (uint64_t)HOST_BYTES * HOST_CHANNELS,
                  .line_bytes = LINE_BYTES,
                  .stacks = HOME == HOME_FLAT ? 0 : SMDS,
                  .homes = HOME == HOME_FLAT ? 0 : HMDS,
                  .wires = HOME == HOME_FLAT ? 0 : 2 * WIRES,
                  .stack_bytes = HOME == HOME_FLAT ? 0 : STACK_BYTES,
                  .shared = (int)TRANSLATION == (int)TRANSLATION_SHARED,
                  .locality = LOCALITY_ENTRIES,
                  .compaction = COMPACTS,
                  .cpm_bits = CPM_BITS,
                  .dram_detail = DRAM_DETAIL,
                  .counters = {COUNTERS, SLICE_COUNTERS, CHANNEL_COUNTERS, STACK_COUNTERS, HOME_COUNTERS, WIRE_COUNTERS,
                               SHARED_COUNTERS}},
        .open = m_open,
        .close = m_close,
        .cycle = m_cycle,
        .run = m_run,
        .window = m_window,
        .home = m_home,
        .use_store = m_use_store,
        .share = m_share,
        .load = m_load,
        .fill = m_fill,
        .dump = m_dump,
        .begin = m_begin,
        .end = m_end,
        .again = m_again,
        .figures = m_figures,
        .group = m_group,
        .warp = m_warp,
        .trace_begin = m_trace_begin,
        .trace_mark = m_trace_mark,
        .trace_value = m_trace_value,
        .mark = m_mark,
        .watch = m_watch,
        .watched = m_watched,
        .trace_end = m_trace_end,
    };
    api.facts.name = machine_kind.name;
    api.facts.link_bytes = LINK_BYTES;
    api.facts.walk_pointers = (int)TRANSLATION == (int)TRANSLATION_SHARED ? 0 : WALK_POINTERS;
    return &api;
}
