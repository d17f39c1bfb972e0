/* A judge for each test, at the beginning of a job on both devices (setup.h). */
#include "verif/ref/judge/setup.h"

judge_t *j;
sim_error_t report;

int setup(void **state)
{
    (void)state;
    j = judge_new();
    sim_launch_t l = {.groups = {1, 1, 1}, .local = {1, 1, 1}};
    sim_job_t job = {.launch = &l, .cores = 3};
    return !j || judge_window(j, BASE, LIMIT) || judge_begin(j, 0, &job, 1, &report);
}

int teardown(void **state)
{
    (void)state;
    judge_free(j);
    return 0;
}
