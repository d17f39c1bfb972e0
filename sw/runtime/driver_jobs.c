/* The driver: kernels from their start to their end. Jobs end independently. */
#include <time.h>

#include "sw/runtime/driver.h"

static uint64_t now(const driver *d)
{
    return d->host.ops->now(d->host.self);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- the end of a job ---- */

/* Cycles and counters of a job's first launch. */
static int read_launch(driver *d, uint32_t k, vl_backend_job *job, vl_error *err)
{
    int e = job->launches ? 0 : driver_get(d, driver_in_slot(k, REG_CYCLES), &job->cycles, err);
    return e || job->launches ? e : driver_count_job(d, job, err);
}

/* Where the warps of a job are that is about to be stopped. */
static void see_warps(driver *d, uint32_t k, const vl_backend_job *job)
{
    for (uint64_t m = d->host.ops->warp ? job->cores : 0; m; m &= m - 1)
        for (uint32_t w = 0; w < d->facts->warps && d->n_stopped < (size_t)d->facts->cores * d->facts->warps; w++) {
            vl_stopped *s = &d->stopped[d->n_stopped];
            *s = (vl_stopped){.job = k, .core = (uint32_t)__builtin_ctzll(m), .warp = w};
            d->n_stopped += d->host.ops->warp(d->host.self, s->core, w, s);
        }
}

size_t driver_stopped(void *self, const vl_stopped **list)
{
    const driver *d = self;
    *list = d->stopped;
    return d->n_stopped;
}

/* A job that is stopped: what still runs of it must not go on while the host reads memory, nor its faults hold up the others'. */
static int cut(driver *d, driver_jobs *all, uint32_t k, vl_error *err)
{
    vl_backend_job *job = &all->job[k];
    job->cut = true;
    if (job->code == VL_ELIMIT || job->code == VL_EINTR)
        see_warps(d, k, job);
    all->running &= ~(1ull << k);
    all->first &= ~(1ull << k);
    int e = read_launch(d, k, job, err); /* a reset clears the counters */
    return e ? e : driver_stop(d, k, err);
}

/* A kernel begins again, on cores that have come to rest. */
static int begin_again(driver *d, driver_jobs *all, uint32_t k, vl_error *err)
{
    vl_backend_job job = all->job[k];
    vl_backend_launch l = *job.launch;
    const uint32_t n = job.launches < job.n_again ? job.launches : job.n_again;
    l.arg = job.again[n - 1];
    job.launch = &l;
    /* A line that was fetched beyond the kernel's end may have left a page fault, which must not count as one of the next launch. */
    int e = driver_serve_faults(d, all, err);
    if (!e && d->host.ops->again)
        e = d->host.ops->again(d->host.self, k, &job, err);
    if (!e)
        e = driver_put(d, driver_in_slot(k, REG_ARG), l.arg, err);
    if (e)
        return e;
    all->running |= 1ull << k;
    return driver_put(d, driver_in_slot(k, REG_CMD), reg_cmd_put((reg_cmd_t){.start = true}), err);
}

/* Whether a first launch has not ended: reading counters takes time. The start of a kernel beside which nothing runs clears the counters of what all share. */
static int still_run(driver *d, const driver_jobs *all, bool *others, vl_error *err)
{
    vl_host_levels levels;
    int e = d->host.ops->wait(d->host.self, 0, all->running, &levels, err);
    *others = !e && levels.running & all->first;
    return e;
}

/* The kernels that `running` is without have ended by themselves, `done` cycles after all began. A job that starts again clears its counters, so those of its first launch are read now. */
static int see_ends(driver *d, driver_jobs *all, uint64_t running, uint64_t done, vl_error *err)
{
    const uint64_t ended = all->running & ~running;
    int e = 0;
    all->running &= running;
    all->first &= ~ended;
    for (uint32_t k = 0; k < all->n && !e; k++) {
        vl_backend_job *job = &all->job[k];
        if (!(ended >> k & 1))
            continue;
        if (job->n_again)
            e = read_launch(d, k, job, err);
        job->launches++;
        job->cycles_all = done;
        bool others = false;
        if (!e && job->n_again && !(e = driver_read_fault(d, k, job, err)) && !job->code)
            e = still_run(d, all, &others, err);
        if (!e && others)
            e = begin_again(d, all, k, err);
    }
    return e;
}

/* Stops the jobs that have a reason to end. `left`: cycles until the next limit of those that go on; UINT64_MAX without a limit. */
static int keep_limits(driver *d, driver_jobs *all, uint64_t done, uint64_t *left, vl_error *err)
{
    *left = UINT64_MAX;
    for (uint32_t k = 0; k < all->n; k++) {
        vl_backend_job *job = &all->job[k];
        if (!(all->running >> k & 1))
            continue;
        const uint64_t most = job->launch->max_cycles && !job->launches ? job->launch->max_cycles : UINT64_MAX;
        if (done >= most && !job->code)
            job->code = VL_ELIMIT;
        int e = job->code ? cut(d, all, k, err) : 0;
        if (e)
            return e;
        if (!job->code && most != UINT64_MAX && *left > most - done)
            *left = most - done;
    }
    return 0;
}

/* ---- progress ---- */

static driver_progress begin_progress(const driver_jobs *all)
{
    driver_progress p = {.first = all->job[0].launch, .shown = now_ms()};
    for (uint32_t k = 0; k < all->n; k++) {
        const vl_backend_launch *l = all->job[k].launch;
        const uint64_t groups = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
        p.groups += groups;
        p.warps += groups * l->group_warps;
    }
    return p;
}

/* VL_EINTR: the user has had enough. */
static int show_progress(driver_progress *p, uint64_t cycles, uint64_t warps_ended)
{
    if (!p->first->progress || now_ms() - p->shown < 100)
        return 0;
    p->shown = now_ms();
    const double part = (double)(warps_ended - p->warps_ended) / (double)p->warps;
    const vl_progress shown = {
        .cycles = cycles, .groups_done = (uint64_t)(part * (double)p->groups), .groups_total = p->groups};
    return p->first->progress(p->first->progress_user, &shown) ? VL_EINTR : 0;
}

/* ---- a run ---- */

/* Lets time pass until all kernels have ended, or until that time. */
static int watch(driver *d, driver_run_state *r, uint64_t until_then, vl_error *err)
{
    driver_jobs *all = &r->all;
    const vl_backend_launch *first = all->job[0].launch;
    uint64_t most = 0;
    while (all->first && now(d) < until_then) {
        vl_host_levels levels;
        if (most > until_then - now(d))
            most = until_then - now(d);
        int e = d->host.ops->wait(d->host.self, most, all->running, &levels, err);
        if (e)
            return e;
        if (!r->waited)
            r->progress.warps_ended = levels.warps_ended;
        r->waited = true;
        if ((e = see_ends(d, all, levels.running, now(d) - r->begin, err)) || !all->first)
            return e;
        if (levels.attention && (e = driver_serve_fault(d, all, err)))
            return e;
        if ((e = driver_sample_due(d, r->begin, err)))
            return e;
        const uint64_t done = now(d) - r->begin;
        if ((e = keep_limits(d, all, done, &most, err)))
            return e;
        if (!all->first)
            return 0;
        if (now(d) >= r->interrupt) {
            r->interrupt = now(d) + first->interrupt_every;
            if ((e = first->interrupt(first->memory_user, err)))
                return e;
        }
        const uint64_t until = r->interrupt > now(d) ? r->interrupt - now(d) : 0;
        if (most > until)
            most = until;
        if (most > d->sampling.next - now(d))
            most = d->sampling.next - now(d);
        if (now(d) >= r->next_look) {
            r->next_look = now(d) + 4096;
            if ((e = show_progress(&r->progress, done, levels.warps_ended)))
                return e;
        }
    }
    return 0;
}

static int start(driver *d, driver_jobs *all, vl_error *err)
{
    int e = driver_prepare(d, all, err);
    for (uint32_t k = 0; k < all->n && !e; k++) {
        all->job[k].code = 0;
        all->job[k].cut = false;
        all->job[k].cycles = 0;
        all->job[k].launches = 0;
        all->job[k].cycles_all = 0;
        all->job[k].counted = 0;
        d->slot[k].dirty = true;
        all->running |= 1ull << k;
        all->first |= 1ull << k;
        e = driver_put(d, driver_in_slot(k, REG_CMD), reg_cmd_put((reg_cmd_t){.start = true}), err);
    }
    return e;
}

/* Reads the state of kernels that have ended, and stops those that still run, for the reason `ended`. */
static int collect(driver *d, driver_jobs *all, int ended, vl_error *err)
{
    int e = 0;
    for (uint32_t k = 0; k < all->n && !e; k++) {
        vl_backend_job *job = &all->job[k];
        if (all->running >> k & 1) {
            job->code = ended;
            e = cut(d, all, k, err);
        } else if (!job->cut && !job->n_again
                   && !(e = driver_get(d, driver_in_slot(k, REG_CYCLES), &job->cycles, err))) {
            e = driver_count_job(d, job, err);
        }
        driver_count_cycles(d, job->cycles);
    }
    if (!e)
        e = driver_count(d, OF_SLICE, ~0ull, err);
    if (!e)
        e = driver_count(d, OF_CHANNEL, ~0ull, err);
    if (!e)
        e = driver_count(d, OF_SHARED, ~0ull, err);
    for (uint32_t k = 0; k < all->n && !e; k++) {
        if (!all->job[k].cut)
            e = driver_read_fault(d, k, &all->job[k], err);
        d->slot[k].dirty = d->slot[k].dirty && all->job[k].code;
    }
    return e;
}

static int begin(driver *d, driver_run_state *r, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    *r = (driver_run_state){.all = {.job = jobs, .n = n}};
    d->n_stopped = 0;
    int e = start(d, &r->all, err);
    if (e)
        return e;
    driver_clear_counters(d);
    const uint32_t every = jobs[0].launch->interrupt_every;
    r->begin = now(d);
    r->interrupt = every ? r->begin + every : UINT64_MAX;
    r->next_look = r->begin + 4096;
    r->progress = begin_progress(&r->all);
    driver_sample_from(d, r->begin);
    d->clocked = true;
    return 0;
}

/* After any end: nothing of the launch runs any more, and its stores are in memory. */
static int wind_up(driver *d, driver_run_state *r, int ended, vl_error *err)
{
    int e = driver_sample_last(d, r->begin, err);
    if (!e)
        e = collect(d, &r->all, ended, err);
    if (!e)
        e = driver_flush(d, err);
    for (enum driver_unit w = OF_STACK; w <= OF_WIRE && !e; w++)
        e = driver_count(d, w, ~0ull, err); /* traffic of the final flush counts for the kernels, too */
    if (!e && d->host.ops->end)
        e = d->host.ops->end(d->host.self, r->all.job, r->all.n, err);
    return e;
}

static int end(driver *d, driver_run_state *r, vl_error *err)
{
    const int ended = r->ended ? r->ended : watch(d, r, UINT64_MAX, err);
    if (r->ended)
        *err = r->why;
    d->clocked = false;
    if (ended == VL_EDIFF || ended == VL_EBACKEND)
        return ended; /* the machine is wrong, or does not answer: leave it as it is */
    vl_error later = {0};
    const int e = wind_up(d, r, ended, &later);
    if (!e || (ended && ended != VL_EINTR && e != VL_EDIFF))
        return ended;
    if (ended && *err->text) /* a difference is the graver error, but the first error is reported as well */
        return vl_fail(err, e, "%s; before that: %s", later.text, err->text);
    *err = later;
    return e;
}

static int run(driver *d, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    driver_run_state r;
    int e = begin(d, &r, jobs, n, err);
    return e ? e : end(d, &r, err);
}

/* A store that is shared has it all. */
static int leave(driver *d, bool shared, int e, vl_error *err)
{
    if (!shared || e == VL_EDIFF)
        return e;
    int f = driver_empty_caches(d, err);
    return f ? f : e;
}

int driver_run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    driver *d = self;
    vl_backend_job job = {.launch = l, .cores = d->all_cores};
    int e = run(d, &job, 1, err);
    *fault = job.fault;
    return leave(d, l->shared, e ? e : job.code, err);
}

int driver_run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    int e = run(self, jobs, n, err);
    return leave(self, jobs[0].launch->shared, e, err);
}

/* ---- a kernel that runs while the host goes on ---- */

int driver_begin(void *self, const vl_backend_launch *l, vl_error *err)
{
    driver *d = self;
    d->launch = *l;
    d->job = (vl_backend_job){.launch = &d->launch, .cores = d->all_cores};
    int e = begin(d, &d->run, &d->job, 1, err);
    d->beside = !e;
    return e;
}

int driver_pass(void *self, uint64_t cycles, bool *running, vl_error *err)
{
    driver *d = self;
    const uint64_t then = cycles < UINT64_MAX - now(d) ? now(d) + cycles : UINT64_MAX;
    if (!d->run.ended && (d->run.ended = watch(d, &d->run, then, err)))
        d->run.why = *err;
    else if (d->run.ended)
        *err = d->run.why;
    *running = !d->run.ended && d->run.all.running;
    return d->run.ended;
}

int driver_end(void *self, vl_fault *fault, vl_error *err)
{
    driver *d = self;
    int e = end(d, &d->run, err);
    d->beside = false;
    *fault = d->job.fault;
    return leave(d, d->launch.shared, e ? e : d->job.code, err);
}
