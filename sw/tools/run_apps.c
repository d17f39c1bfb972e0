/* vellum run with several applications: each alone on its cores, and all together (docs/several-programs.md). */
#include <stdio.h>
#include <string.h>

#include "sw/tools/run_internal.h"

double run_ipc_shared(const run_app *a)
{
    return !a->result.code && a->result.cycles ? (double)a->instructions / (double)a->result.cycles : 0;
}

double run_ipc_alone(const run_app *a)
{
    return !a->alone_code && a->alone_cycles ? (double)a->alone_instructions / (double)a->alone_cycles : 0;
}

bool run_sharing(const run_job *j, vl_sharing *s)
{
    double alone[MAX_APPS], shared[MAX_APPS];
    for (unsigned k = 0; k < j->n_apps; k++) {
        alone[k] = run_ipc_alone(&j->app[k]);
        shared[k] = run_ipc_shared(&j->app[k]);
    }
    return !vl_sharing_of(s, alone, shared, j->n_apps);
}

/* Every launch but the last finds buffers of its own: host memory cannot be written while others run, so they are laid out beforehand. */
static int place_again(run_job *j, run_app *a)
{
    char why[400];
    vl_error err;
    for (unsigned f = 1; f < j->fresh && !j->once; f++) {
        vl_kernel_close(a->again[f - 1]);
        a->again[f - 1] = NULL;
        int e = vl_kernel_open(&a->again[f - 1], a->image, a->kernel_name, &err);
        if (e)
            return complain("run", status_of(e), "%s", err.text);
        for (unsigned i = 0; i < a->n_args; i++) {
            arg_spec copy = a->args[i];
            if ((e = place_arg(j->dev, a->again[f - 1], i, &copy, why, sizeof why)))
                return complain("run", status_of(e), "--arg %s: %s", copy.text,
                                e == VL_EDIFF ? vl_detail(j->dev) : why);
        }
    }
    return 0;
}

static bool sets(const run_job *j, const char *policy)
{
    for (unsigned i = 0; i < j->n_policies; i++)
        if (!strncmp(j->policies[i], policy, strlen(policy)) && j->policies[i][strlen(policy)] == '=')
            return true;
    return false;
}

/* The address spaces take turns in the memory scheduler's Silver queue, unless the user has chosen which do. */
static int name_spaces(run_job *j)
{
    enum { TURNS = 4 }; /* fields of APP_ASIDS */
    char word[40];
    int e = 0;
    if (sets(j, "mem_apps"))
        return 0;
    for (unsigned k = 0; k < j->n_apps && k < TURNS && !e; k++) {
        uint16_t asid;
        e = vl_space_asid(j->dev, j->app[k].space, &asid);
        snprintf(word, sizeof word, "mem_app%u_asid=%u", k, asid);
        if (!e)
            e = vl_set_policy_word(j->dev, word);
    }
    snprintf(word, sizeof word, "mem_apps=%u", (1u << (j->n_apps < TURNS ? j->n_apps : TURNS)) - 1);
    if (!e)
        e = vl_set_policy_word(j->dev, word);
    return e ? complain("run", status_of(e), "%s", vl_detail(j->dev)) : 0;
}

/* A device with all applications in it, each in an address space of its own: the same for every run, so that what differs is who runs. */
static int set_out(run_job *j, bool waves)
{
    vl_close(j->dev);
    j->dev = NULL;
    int status = run_open(j, waves);
    if (!status)
        run_show_print(j, false); /* alone it must do the same work as with the others, printf included */
    for (unsigned k = 0; k < j->n_apps && !status; k++) {
        run_app *a = &j->app[k];
        int e = vl_space_new(j->dev, &a->space);
        if (!e && a->channels)
            e = vl_space_channels(j->dev, a->space, a->channels);
        if (!e)
            e = vl_use_space(j->dev, a->space);
        if (e)
            return complain("run", status_of(e), "%s", vl_detail(j->dev));
        if (!(status = run_place(j, a)))
            status = place_again(j, a);
    }
    return status ? status : name_spaces(j);
}

static uint64_t instructions_of(const vl_job *job)
{
    for (size_t i = 0; i < job->n_own; i++)
        if (!strcmp(job->own[i].name, "warp_instructions"))
            return job->own[i].value;
    return 0;
}

static vl_job job_of(const run_job *j, const run_app *a)
{
    return (vl_job){
        .space = a->space, .kernel = a->kernel, .range = a->range, .cores = a->cores, .brief = j->brief && !j->once};
}

static int refused(const run_job *j, int e)
{
    if (j->bar)
        fputs("\r\033[K", stderr);
    complain("run", 0, "%s", vl_detail(j->dev));
    if (e == VL_EDIFF)
        run_print_again(j);
    return status_of(e);
}

/* An application by itself, on its cores. */
static int run_alone(run_job *j, run_app *a)
{
    int status = set_out(j, false);
    if (status)
        return status;
    vl_job job = job_of(j, a);
    job.brief = false; /* it is not launched again, so its counters can be read */
    int e = vl_launch_jobs(j->dev, &job, 1);
    if (e)
        return refused(j, e);
    a->alone_code = job.result.code;
    a->alone_cycles = job.result.cycles;
    a->alone_instructions = instructions_of(&job);
    return 0;
}

/* The outcome of the whole: that of the first program that did not end well. */
static int code_of_all(const run_job *j)
{
    for (unsigned k = 0; k < j->n_apps; k++)
        if (j->app[k].result.code)
            return j->app[k].result.code;
    return 0;
}

static void jobs_of(run_job *j, vl_job *jobs)
{
    for (unsigned k = 0; k < j->n_apps; k++) {
        run_app *a = &j->app[k];
        jobs[k] = job_of(j, a);
        jobs[k].again = j->fresh > 1 ? a->again : &a->kernel;
        jobs[k].n_again = j->once ? 0 : j->fresh > 1 ? j->fresh - 1 : 1;
    }
}

/* Wrong use is found before anything runs. */
static int check(run_job *j)
{
    vl_job jobs[MAX_APPS];
    int status = set_out(j, false);
    if (status)
        return status;
    jobs_of(j, jobs);
    int e = vl_check_jobs(j->dev, jobs, j->n_apps);
    return e ? refused(j, e) : 0;
}

static int run_together(run_job *j)
{
    vl_job jobs[MAX_APPS];
    jobs_of(j, jobs);
    run_show_print(j, true);
    run_begin(j);
    int e = vl_launch_jobs(j->dev, jobs, j->n_apps);
    run_end(j);
    if (e && e != VL_EDIFF && e != VL_EINTR)
        return refused(j, e);
    for (unsigned k = 0; k < j->n_apps; k++) {
        run_app *a = &j->app[k];
        a->result = jobs[k].result;
        a->launches = jobs[k].launches;
        a->cycles_all = jobs[k].cycles_all;
        a->own = jobs[k].own;
        a->n_own = jobs[k].n_own;
        a->instructions = instructions_of(&jobs[k]);
    }
    return run_finish(j, e ? e : code_of_all(j));
}

int run_several(run_job *j)
{
    int status = 0;
    const bool alone = !j->no_alone && strcmp(j->backend, "ref");
    if (alone)
        status = check(j);
    for (unsigned k = 0; k < j->n_apps && !status && alone; k++)
        status = run_alone(j, &j->app[k]);
    if (!status)
        status = set_out(j, j->trace && strlen(j->trace) > 4 && !strcmp(j->trace + strlen(j->trace) - 4, ".fst"));
    if (!status)
        status = run_begin_trace(j);
    if (status == EXIT_DIFF)
        run_print_again(j);
    return status ? status : run_together(j);
}
