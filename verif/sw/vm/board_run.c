/* Runs of one kernel or of several at once, a step of any of them at a time; between them all is the host's. */
#include "verif/sw/vm/board_state.h"

/* Between kernels all belongs to the host: a run starts from the state that it finds. */
static void begin(const vl_backend_launch *l, vl_error *err)
{
    b.launch = l;
    b.err = err;
    b.n_spaces = 0;
    for (const vl_space *s = b.d->memory.spaces; s; s = s->next, b.n_spaces++) {
        assert_true(b.n_spaces < SPACES);
        b.space_root[b.n_spaces] = page_table_root(s->table), b.space_asid[b.n_spaces] = s->asid;
        for (unsigned o = 0; o < b.n_spaces; o++)
            if (b.space_asid[o] == s->asid || !s->asid)
                WRONG("two spaces have ASID %u", s->asid);
    }
    for (unsigned c = 0; c < b.d->env.cores; c++)
        if (root_of(b.asid[c]) != b.root[c])
            WRONG("core %u has another root than ASID %llu", c, (ull)b.asid[c]);
    memset(b.frames, 0, b.n_frames * sizeof *b.frames);
    b.n_held = b.look = 0;
    b.n_lasts = 0;
    b.running = true;
    look();
    for (const vl_space *s = b.d->memory.spaces; s; s = s->next)
        for (size_t i = 0; i < s->n; i++)
            for (uint64_t k = 0; k < s->areas[i].bytes / VL_PAGE; k++) {
                const vl_page *p = &s->areas[i].pages[k];
                if (!p->frame || p->rights)
                    continue;
                frame *f = frame_of(p->frame);
                if (f->use != NOBODY)
                    WRONG("frame %#llx is used twice: page %#llx has no rights, page %#llx some", (ull)p->frame,
                          (ull)(s->areas[i].va + k * VL_PAGE), (ull)f->va);
                *f = (frame){.use = HIDDEN, .asid = s->asid, .va = s->areas[i].va + k * VL_PAGE};
                b.held[b.n_held++] = (p->frame - b.store.base) / VL_PAGE;
            }
    nothing_is_stale("at the beginning of a kernel");
}

static void end(void)
{
    while (b.n_late)
        perform(0);
    look();
    b.running = false;
}

int run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    (void)self;
    struct {
        uint64_t list;
        uint32_t n, next;
        bool started, done;
    } at[16] = {0};
    b.share = n > 1 && b.limit / n >= b.d->env.threads + 4u ? b.limit / n : 0;
    for (unsigned c = 0; c < CORES; c++)
        b.at_work[c] = ~0ull;
    for (uint32_t k = 0; k < n; k++)
        for (unsigned c = 0; c < CORES; c++)
            if (jobs[k].cores >> c & 1)
                b.at_work[c] = b.asid[c];
    begin(jobs[0].launch, err);
    for (uint32_t left = n; left;) {
        uint32_t k = (uint32_t)below(n);
        if (at[k].done)
            continue;
        const vl_backend_launch *l = b.launch = jobs[k].launch;
        unsigned core, warp = (unsigned)below(b.d->env.warps),
                       many = (unsigned)(1 + below(WARP < b.d->env.threads ? WARP : b.d->env.threads));
        do
            core = (unsigned)below(b.d->env.cores);
        while (!(jobs[k].cores >> core & 1));
        vl_fault fault = {0};
        int e = 0;
        if (!at[k].started) {
            uint32_t words[3];
            e = load_words(core, l->arg + VL_BLOCK_ARGS, words, 3, &fault);
            at[k].list = words[0] | (uint64_t)words[1] << 32, at[k].n = words[2], at[k].started = true;
        } else if (below(4) == 0) {
            e = pry(core, below(2) ? at[k].list : l->entry);
        } else {
            many = many < at[k].n - at[k].next ? many : at[k].n - at[k].next;
            e = warp_of(core, warp, at[k].list, at[k].next, many, &fault);
            at[k].next += many;
        }
        if (e && e != VL_EFAULT)
            return e;
        if (e || (at[k].started && at[k].next == at[k].n))
            jobs[k].code = e, jobs[k].fault = fault, jobs[k].cut = false, at[k].done = true, left--;
        if (b.n_late && below(4) == 0)
            perform(0);
    }
    end();
    return 0;
}

int run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    vl_backend_job one = {.launch = l, .cores = ~0ull};
    int e = run_jobs(self, &one, 1, err);
    *fault = one.fault;
    return e ? e : one.code;
}
