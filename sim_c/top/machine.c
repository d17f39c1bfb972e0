/* A machine of any kind with its memory chips: the streams of the host, time, the back door, traces. See machine.h. */
#include "sim_c/top/machine.h"
#include "sim_c/top/chips.h"
#include "sim_c/top/machine_kind.h"
#include "sim_c/top/trace.h"
#include "sim_c/common/memory_map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_CYCLES = 4096 }; /* after which a run returns */
#define CHIP_BYTES ((uint64_t)CH_BANKS * DRAM_ROWS * DRAM_ROW_BYTES) /* of a channel, home = flat */

typedef struct {
    void *kind;
    chips_t *chips;
    chips_store_t store; /* bytes NULL: none */
    vellum_in_t in;
    uint64_t cycle;
    uint64_t warps_ended;
    trace_t *trace;
    bool fst;
} machine_t;

static int m_trace_end(void *self)
{
    machine_t *m = self;
    int r = 0;
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
    free(m);
}

static int m_open(void **self, sim_error_t *err)
{
    machine_t *m = calloc(1, sizeof *m);
    if (!m)
        return SIM_ENOMEM;
    int r = chips_new(&m->chips, err);
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

/* What the host drives, on the device's ports. A payload stays as it was while nobody looks at it. */
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

/* What the host sees of the device's ports. */
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

/* One cycle with what stands in m->in. The outputs of this cycle stay until the next. */
static inline int clock(machine_t *m, const vellum_out_t **out, sim_error_t *err)
{
    const vellum_out_t *o = *out = machine_kind.out(m->kind);
    chips_read(m->chips, &m->in);
    if (m->trace)
        trace_cycle(m->trace, m->cycle, o);
    if (o->trace_redirect_valid)
        for (unsigned c = 0; c < CORES; c++) /* a redirect that stops is the end of a warp */
            m->warps_ended += ((uint64_t)o->trace_redirect_valid >> c & 1) && o->trace_redirect[c].stop;
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

/* Jumps over cycles, at most `most`, in which nothing happens but that time passes. */
static int jump(machine_t *m, uint64_t most, sim_error_t *err)
{
    uint64_t n = machine_kind.due ? machine_kind.due(m->kind) : 0;
    if (n < 2)
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
    uint64_t passed = 0;
    int r;
    m->in.ctl_req_valid = m->in.host_req_valid = false;
    do {
        if (passed < most && (r = jump(m, most - passed, err)))
            return r;
        if ((r = clock(m, &o, err)))
            break;
        passed = m->cycle - begin;
    } while (!o->attention && !(running & ~(uint64_t)o->running) && passed < most && passed < RUN_CYCLES);
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

static int m_begin(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    return machine_kind.begin ? machine_kind.begin(((machine_t *)self)->kind, jobs, n, err) : 0;
}

static int m_end(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    return machine_kind.end ? machine_kind.end(((machine_t *)self)->kind, jobs, n, err) : 0;
}

static int m_again(void *self, uint32_t k, const sim_job_t *job, sim_error_t *err)
{
    return machine_kind.again ? machine_kind.again(((machine_t *)self)->kind, k, job, err) : 0;
}

static uint32_t m_figures(void *self, machine_figure_t *to)
{
    return machine_kind.figures ? machine_kind.figures(((machine_t *)self)->kind, to) : 0;
}

static int m_trace_begin(void *self, const char *kind, const char *path, sim_error_t *err)
{
    machine_t *m = self;
    if (!strcmp(kind, "fst")) {
        if (!machine_kind.fst)
            return SIM_ENOTSUP;
        int r = machine_kind.fst(m->kind, path);
        m->fst = r == 0;
        return r;
    }
    int r = trace_open(&m->trace, kind, path);
    if (r == SIM_EIO)
        snprintf(err->text, sizeof err->text, "cannot write the trace '%s'", path);
    return r;
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
                  .link_bytes = LINK_BYTES,
                  .stack_bytes = HOME == HOME_FLAT ? 0 : STACK_BYTES,
                  .shared = (int)TRANSLATION == (int)TRANSLATION_SHARED,
                  .locality = LOCALITY_ENTRIES,
                  .compaction = COMPACTS,
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
        .trace_begin = m_trace_begin,
        .trace_end = m_trace_end,
    };
    api.facts.name = machine_kind.name;
    return &api;
}
