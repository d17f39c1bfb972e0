/* Directed tests of the reference: every instruction on edge operands (cases.txt), faults, atomics, groups and barriers. */
#include <stdio.h>

#include "verif/ref/isa-directed/lib.h"

int main(void)
{
    const struct {
        const char *name;
        const struct CMUnitTest *tests;
        size_t n;
    } groups[] = {{"cases", case_tests, n_case_tests},       {"jumps", jump_tests, n_jump_tests},
                  {"memory", memory_tests, n_memory_tests},  {"atomics", atomic_tests, n_atomic_tests},
                  {"float", float_tests, n_float_tests},     {"faults", fault_tests, n_fault_tests},
                  {"kernels", kernel_tests, n_kernel_tests}, {"bus", bus_tests, n_bus_tests}};
    unsigned failed = 0, n = 0;
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
        failed += (unsigned)_cmocka_run_group_tests(groups[i].name, groups[i].tests, groups[i].n, NULL, NULL);
        n += (unsigned)groups[i].n;
    }
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
