/* Tests of the driver on a mock host (docs/host-seam.md). */
#include <stdio.h>

#include "verif/sw/driver/mock.h"

int main(void)
{
    const struct {
        const char *name;
        const struct CMUnitTest *tests;
        size_t n;
    } groups[] = {{"access", access_tests, n_access_tests},     {"launch", launch_tests, n_launch_tests},
                  {"counters", counter_tests, n_counter_tests}, {"jobs", job_tests, n_job_tests},
                  {"again", again_tests, n_again_tests},        {"faults", fault_tests, n_fault_tests}};
    unsigned failed = 0, n = 0;
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
        failed += (unsigned)_cmocka_run_group_tests(groups[i].name, groups[i].tests, groups[i].n, NULL, NULL);
        n += (unsigned)groups[i].n;
    }
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
