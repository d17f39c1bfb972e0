/* What the tests of the judge without a machine share, those of configuration `umh2`: a judge, at the beginning of a job on both devices. */
#ifndef VELLUM_VERIF_REF_JUDGE_SETUP_H
#define VELLUM_VERIF_REF_JUDGE_SETUP_H

#include "sim_c/ref/judge.h"
#include <stdint.h>

static const uint64_t BASE = 0x10000000, LIMIT = 0x10100000; /* of memory */
static judge_t *j;
static sim_error_t err;

static int setup(void **state)
{
    (void)state;
    j = judge_new();
    sim_launch_t l = {.groups = {1, 1, 1}, .local = {1, 1, 1}};
    sim_job_t job = {.launch = &l, .cores = 3};
    return !j || judge_window(j, BASE, LIMIT) || judge_begin(j, 0, &job, 1, &err);
}

static int teardown(void **state)
{
    (void)state;
    judge_free(j);
    return 0;
}

#endif
