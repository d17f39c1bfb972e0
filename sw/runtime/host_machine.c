/* The simulated machine as a host: it is clocked at every access, and its time passes only then. */
#include <stdlib.h>
#include <string.h>

#include "sim_c/top/machine.h"
#include "sw/runtime/host.h"
#include "sw/runtime/internal.h"

enum { MOST_IDS = 16 }; /* requests of the host memory port under way; a request's id is its place */

typedef struct sim {
    const machine_api_t *api;
    void *machine;
    vl_host_facts facts;
    unsigned line; /* bytes of the port's lines */
    bool in_stacks; /* home memory is in stacks */
    machine_in_t in;
    machine_out_t out;
    sim_error_t why;
    vl_error found; /* the first difference of a lockstep; later ones are ignored */
} sim;

/* A machine's code, as this library's. */
static int code_of(sim *s, int r, vl_error *err)
{
    static const struct {
        int sim, vl;
    } codes[] = {{SIM_EINVAL, VL_EINVAL},   {SIM_ENOMEM, VL_ENOMEM}, {SIM_EIO, VL_EIO},    {SIM_ECONFIG, VL_ECONFIG},
                 {SIM_ENOTSUP, VL_ENOTSUP}, {SIM_ESTATE, VL_ESTATE}, {SIM_EDIFF, VL_EDIFF}};
    if (!r)
        return 0;
    if (*s->why.text)
        memcpy(err->text, s->why.text, strlen(s->why.text) + 1);
    s->why.text[0] = 0;
    if (r == SIM_EDIFF && !*s->found.text)
        memcpy(s->found.text, err->text, strlen(err->text) + 1);
    else if (r == SIM_EDIFF)
        memcpy(err->text, s->found.text, strlen(s->found.text) + 1);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].sim == r)
            return codes[i].vl;
    return VL_EBACKEND;
}

static int cycle(sim *s, vl_error *err)
{
    int r = s->api->cycle(s->machine, &s->in, &s->out, &s->why);
    return r ? code_of(s, r, err) : 0;
}

static uint64_t now(void *self)
{
    return ((sim *)self)->out.now;
}

/* ---- registers ---- */

static int request(sim *s, bool write, uint32_t addr, uint64_t data, vl_error *err)
{
    int r;
    s->in.ctl_req_valid = true;
    s->in.ctl_write = write;
    s->in.ctl_addr = (uint16_t)addr;
    s->in.ctl_data = data;
    do
        r = cycle(s, err);
    while (!r && !s->out.ctl_req_ready);
    s->in.ctl_req_valid = false;
    return r;
}

static int write_register(void *self, uint32_t addr, uint64_t value, vl_error *err)
{
    return request(self, true, addr, value, err);
}

static int read_register(void *self, uint32_t addr, uint64_t *value, vl_error *err)
{
    sim *s = self;
    int r = request(s, false, addr, 0, err);
    if (r)
        return r;
    s->in.ctl_rsp_ready = true;
    do
        r = cycle(s, err);
    while (!r && !s->out.ctl_rsp_valid);
    *value = s->out.ctl_rsp;
    return r;
}

/* ---- the host memory port ---- */

typedef struct way {
    uint64_t addr;
    uint8_t *to; /* destination of a read */
    unsigned bytes;
    bool busy;
} way;

/* What came in the last cycle. True: an answer that was awaited. */
static bool answer(sim *s, way ways[MOST_IDS])
{
    if (!s->out.mem_rsp_valid || s->out.mem_rsp_id >= MOST_IDS || !ways[s->out.mem_rsp_id].busy)
        return false;
    way *w = &ways[s->out.mem_rsp_id];
    if (w->to)
        memcpy(w->to, s->out.mem_rsp_line + w->addr % s->line, w->bytes);
    w->busy = false;
    return true;
}

/* Requests under way. */
typedef struct port {
    sim *s;
    way ways[MOST_IDS];
    unsigned under_way, next;
} port;

/* A cycle in which a request is offered, if `bytes` of what there is to do are left and its id is free. *taken: it was. Bytes to be written come from
 * `from`; with `to` it is a read. */
static int offer(port *p, bool any, uint64_t addr, unsigned bytes, const uint8_t *from, uint8_t *to, bool *taken,
                 vl_error *err)
{
    machine_in_t *in = &p->s->in;
    in->mem_req_valid = any && !p->ways[p->next].busy;
    if (in->mem_req_valid) {
        in->mem_write = !to;
        in->mem_id = (uint16_t)p->next;
        in->mem_line = addr / p->s->line;
        in->mem_at = addr % p->s->line;
        in->mem_bytes = bytes;
        in->mem_data = from;
    }
    int r = cycle(p->s, err);
    *taken = !r && in->mem_req_valid && p->s->out.mem_req_ready;
    if (*taken) {
        p->ways[p->next] = (way){.addr = addr, .to = to, .bytes = bytes, .busy = true};
        p->next = (p->next + 1) % MOST_IDS;
        p->under_way++;
    }
    p->under_way -= answer(p->s, p->ways);
    in->mem_req_valid = false;
    return r;
}

/* The lines of [addr, end) in the order of their requests: upwards, or from each of `turns` blocks in turn, since a home performs the requests of one
 * block one after the other. */
typedef struct walk {
    uint64_t addr, end, block, bytes; /* bytes: of a line */
    unsigned turns, at; /* at: which of these blocks */
    uint64_t first, line; /* address of the first of these blocks; offset of the next line in each */
} walk;

static void step(walk *w)
{
    if (++w->at < w->turns)
        return;
    w->at = 0;
    w->line += w->bytes;
    if (w->line < w->block)
        return;
    w->line = 0;
    w->first += w->turns * w->block;
}

/* What there is of the next line of it: where, and how many bytes. */
static unsigned find(walk *w, uint64_t *at)
{
    for (; w->first < w->end; step(w)) {
        const uint64_t line = w->first + w->at * w->block + w->line;
        const uint64_t from = line < w->addr ? w->addr : line, to = line + w->bytes < w->end ? line + w->bytes : w->end;
        *at = from;
        if (from < to)
            return (unsigned)(to - from);
    }
    return 0;
}

/* Moves bytes: from `from`, to `to`, or (both NULL) `byte`. */
static int move(sim *s, uint64_t addr, const uint8_t *from, uint8_t *to, uint8_t byte, uint64_t bytes, vl_error *err)
{
    const uint64_t block = s->in_stacks ? s->facts.block_bytes : s->line;
    port p = {.s = s};
    walk w = {.addr = addr,
              .end = addr + bytes,
              .block = block,
              .bytes = s->line,
              .turns = s->in_stacks ? MOST_IDS : 1,
              .first = addr - addr % block};
    uint8_t same[VL_LINE];
    bool taken;
    int r = 0;
    uint64_t at;
    memset(same, byte, sizeof same);
    for (unsigned n = find(&w, &at); !r && (n || p.under_way);) {
        r = offer(&p, n != 0, at, n, from ? from + (at - addr) : same, to ? to + (at - addr) : NULL, &taken, err);
        if (!taken)
            continue;
        step(&w);
        n = find(&w, &at);
    }
    return r;
}

/* A coherent store of no bytes into a line of each block (docs/host-seam.md). */
static int sync_memory(void *self, uint64_t addr, uint64_t bytes, vl_error *err)
{
    port p = {.s = self};
    const uint64_t block = p.s->facts.block_bytes, end = addr + bytes;
    bool taken;
    int r = 0;
    if (!block || !bytes)
        return 0;
    for (addr -= addr % block; !r && (addr < end || p.under_way); addr += taken ? block : 0)
        r = offer(&p, addr < end, addr, 0, NULL, NULL, &taken, err);
    return r;
}

static int write_memory(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    return move(self, addr, data, NULL, 0, bytes, err);
}
static int read_memory(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    return move(self, addr, NULL, data, 0, bytes, err);
}
static int fill_memory(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    return move(self, addr, NULL, NULL, byte, bytes, err);
}

/* ---- time ---- */

static int wait(void *self, uint64_t most, uint64_t running, vl_host_levels *levels, vl_error *err)
{
    sim *s = self;
    int r = s->api->run(s->machine, most, running, &s->out, &s->why);
    if (r)
        return code_of(s, r, err);
    *levels =
        (vl_host_levels){.attention = s->out.attention, .running = s->out.running, .warps_ended = s->out.warps_ended};
    return 0;
}

static int pass(void *self, uint64_t cycles, vl_error *err)
{
    int r = 0;
    for (uint64_t i = 0; i < cycles && !r; i++)
        r = cycle(self, err);
    return r;
}

/* ---- the back door ---- */

static int load(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    sim *s = self;
    return code_of(s, s->api->load(s->machine, addr, data, bytes), err);
}

static int dump(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    sim *s = self;
    return code_of(s, s->api->dump(s->machine, addr, data, bytes), err);
}

static int clear(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    sim *s = self;
    return code_of(s, s->api->fill(s->machine, addr, byte, bytes), err);
}

static int home(void *self, unsigned memory, vl_error *err)
{
    sim *s = self;
    (void)err;
    s->api->home(s->machine, memory);
    s->in_stacks = memory == HOME_POLICY_MEMORY_MEMCPY || memory == HOME_POLICY_MEMORY_MANAGED;
    return 0;
}

static int window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    sim *s = self;
    return code_of(s, s->api->window(s->machine, base, limit), err);
}

static int use_store(void *self, const vl_store *store, vl_error *err)
{
    sim *s = self;
    (void)err;
    s->api->use_store(s->machine, store->base, store->limit, store->bytes);
    return 0;
}

static int share(void *self, vl_error *err)
{
    sim *s = self;
    (void)err;
    s->api->share(s->machine);
    return 0;
}

/* ---- the judge, traces ---- */

/* A job as the machine has it; l holds its launch. */
static sim_job_t job_of(const vl_backend_job *job, sim_launch_t *l)
{
    const vl_backend_launch *from = job->launch;
    const vl_fault *f = &job->fault;
    *l = (sim_launch_t){.entry = from->entry,
                        .arg = from->arg,
                        .stack_base = from->stack_base,
                        .stack_log2 = from->stack_log2,
                        .spad_bytes = from->spad_bytes,
                        .groups = {from->groups[0], from->groups[1], from->groups[2]},
                        .local = {from->local[0], from->local[1], from->local[2]},
                        .offset = {from->offset[0], from->offset[1], from->offset[2]},
                        .group_threads = from->group_threads,
                        .group_warps = from->group_warps};
    return (sim_job_t){
        .launch = l,
        .cores = job->cores,
        .code = job->code == VL_EFAULT  ? SIM_EFAULT
                : job->code || job->cut ? SIM_ESTOPPED
                                        : 0,
        .cut = job->cut,
        .fault = {
            .cause = f->cause, .value = f->value, .pc = f->pc, .core = f->core, .warp = f->warp, .mask = f->mask}};
}

static int tell(sim *s, int (*tell_judge)(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err),
                const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    sim_launch_t *l = calloc(n, sizeof *l);
    sim_job_t *j = calloc(n, sizeof *j);
    for (uint32_t k = 0; l && j && k < n; k++)
        j[k] = job_of(&jobs[k], &l[k]);
    int r = l && j ? tell_judge(s->machine, j, n, &s->why) : SIM_ENOMEM;
    free(l);
    free(j);
    return code_of(s, r, err);
}

static int begin(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    return tell(self, ((sim *)self)->api->begin, jobs, n, err);
}
static int end(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    return tell(self, ((sim *)self)->api->end, jobs, n, err);
}

static int again(void *self, uint32_t k, const vl_backend_job *job, vl_error *err)
{
    sim *s = self;
    sim_launch_t l;
    const sim_job_t j = job_of(job, &l);
    return code_of(s, s->api->again(s->machine, k, &j, &s->why), err);
}

static size_t figures(void *self, vl_counter *rows)
{
    sim *s = self;
    machine_figure_t from[MACHINE_FIGURES];
    uint32_t n = s->api->figures(s->machine, from);
    for (uint32_t k = 0; k < n; k++)
        rows[k] = (vl_counter){from[k].name, "judge", from[k].unit, from[k].help, from[k].value};
    return n;
}
_Static_assert(MACHINE_FIGURES <= VL_HOST_FIGURES, "room");

static bool group(void *self, const vl_fault *f, uint32_t to[3], uint32_t *number)
{
    sim *s = self;
    return s->api->group(s->machine, f->core, f->warp, f->pc, f->mask, to, number);
}

static bool warp_now(void *self, uint32_t core, uint32_t warp, vl_stopped *to)
{
    static const vl_wait waits[] = {[MACHINE_ISSUE] = VL_WAIT_ISSUE,
                                    [MACHINE_BARRIER] = VL_WAIT_BARRIER,
                                    [MACHINE_MEMORY] = VL_WAIT_MEMORY,
                                    [MACHINE_UNSENT] = VL_WAIT_TRANSLATION,
                                    [MACHINE_FETCH] = VL_WAIT_FETCH};
    const sim *s = self;
    machine_warp_t w;
    if (!s->api->warp(s->machine, core, warp, &w))
        return false;
    to->pc = w.pc, to->threads = w.threads, to->least = w.cycles, to->wait = waits[w.wait];
    memcpy(to->group, w.group, sizeof to->group);
    return true;
}

static int trace_begin(void *self, const char *kind, const char *path, const vl_trace_part *part, vl_error *err)
{
    sim *s = self;
    const machine_part_t p = {.from = part->from, .to = part->to, .cores = part->cores, .blocks = part->blocks};
    return code_of(s, s->api->trace_begin(s->machine, kind, path, &p, &s->why), err);
}

static void trace_mark(void *self, const char *what)
{
    sim *s = self;
    s->api->trace_mark(s->machine, what);
}

static void trace_value(void *self, const char *name, double value)
{
    sim *s = self;
    s->api->trace_value(s->machine, name, value);
}

static int next_mark(void *self)
{
    const sim *s = self;
    machine_mark_t m;
    return s->api->mark(s->machine, &m) ? (int)m.number : -1;
}

_Static_assert((int)VL_BUFFER_COUNTS == (int)MACHINE_BUFFER_COUNTS, "one list");

static int watch(void *self, const vl_buffer_use *use, uint32_t n, vl_error *err)
{
    sim *s = self;
    machine_range_t *range = malloc((n + 1) * sizeof *range);
    if (!range)
        return VL_ENOMEM;
    for (uint32_t k = 0; k < n; k++)
        range[k] = (machine_range_t){use[k].at, use[k].bytes};
    const int r = s->api->watch(s->machine, range, n);
    free(range);
    return code_of(s, r, err);
}

static const uint64_t *watched(void *self, uint32_t k)
{
    sim *s = self;
    return s->api->watched(s->machine, k);
}

static int trace_end(void *self, vl_error *err)
{
    sim *s = self;
    return code_of(s, s->api->trace_end(s->machine), err);
}

/* ---- the host ---- */

static const vl_host_facts *facts(void *self)
{
    return &((sim *)self)->facts;
}

static void sim_close(void *self)
{
    sim *s = self;
    if (s->machine)
        s->api->close(s->machine);
    free(s);
}

int vl_host_machine(vl_host_if *host, const vl_backend_env *env, vl_error *err)
{
    static const vl_host_ops ops = {.close = sim_close,
                                    .facts = facts,
                                    .read_register = read_register,
                                    .write_register = write_register,
                                    .write = write_memory,
                                    .read = read_memory,
                                    .fill = fill_memory,
                                    .sync = sync_memory,
                                    .wait = wait,
                                    .pass = pass,
                                    .now = now,
                                    .load = load,
                                    .dump = dump,
                                    .clear = clear,
                                    .home = home,
                                    .window = window,
                                    .use_store = use_store,
                                    .share = share,
                                    .begin = begin,
                                    .end = end,
                                    .again = again,
                                    .figures = figures,
                                    .group = group,
                                    .warp = warp_now,
                                    .trace_begin = trace_begin,
                                    .trace_mark = trace_mark,
                                    .trace_value = trace_value,
                                    .mark = next_mark,
                                    .watch = watch,
                                    .watched = watched,
                                    .trace_end = trace_end};
    const machine_facts_t *f = &env->machine->facts;
    if (!f->line_bytes || VL_LINE % f->line_bytes)
        return vl_fail(err, VL_EBACKEND, "the machine's host port has lines of %u bytes, which do not divide %u",
                       f->line_bytes, VL_LINE);
    sim *s = calloc(1, sizeof *s);
    if (!s)
        return VL_ENOMEM;
    s->api = env->machine;
    s->line = f->line_bytes;
    s->facts = (vl_host_facts){.name = f->name,
                               .config = f->config,
                               .cores = f->cores,
                               .warps = f->warps,
                               .threads = f->threads,
                               .lanes = f->lanes,
                               .groups = f->groups,
                               .spad_bytes = f->spad_bytes,
                               .reconv_entries = f->reconv_entries,
                               .kernels = f->kernels,
                               .page_faults = f->page_faults,
                               .devices = f->devices,
                               .slices = f->slices,
                               .channels = f->channels,
                               .block_bytes = f->block_bytes,
                               .memory_bytes = f->memory_bytes,
                               .stacks = f->stacks,
                               .homes = f->homes,
                               .wires = f->wires,
                               .link_bytes = f->link_bytes,
                               .shared = f->shared,
                               .stack_bytes = f->stack_bytes,
                               .locality = f->locality,
                               .compaction = f->compaction,
                               .cpm_bits = f->cpm_bits,
                               .dram_detail = f->dram_detail,
                               .walk_pointers = f->walk_pointers};
    memcpy(s->facts.counters, f->counters, sizeof s->facts.counters);
    int r = s->api->open(&s->machine, &s->why);
    if (r) {
        s->machine = NULL;
        r = code_of(s, r, err);
        sim_close(s);
        return r;
    }
    *host = (vl_host_if){&ops, s};
    return 0;
}
