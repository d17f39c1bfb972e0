/* Tests of host memory (docs/host-memory.md). Arguments: the kernels' image; a seed, for the random test alone; a machine (else ref), for pages,
 * spaces, order and random use there, or for those of these that are named: how often a page comes and goes is told for ref alone. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/sw/vm/lib.h"

int main(int argc, char **argv)
{
    unsigned failed = 0, n = 0;
    if (argc < 2)
        return 2;
    elf_path = argv[1];
    if (argc > 3)
        machine_name = argv[3];
    if (argc == 3) {
        random_seed = strtoull(argv[2], NULL, 0);
        failed = (unsigned)_cmocka_run_group_tests("random", random_tests, n_random_tests, NULL, NULL);
        printf("%u passed, %u failed\n", 1 - failed, failed);
        return failed != 0;
    }
    const struct {
        const char *name;
        const struct CMUnitTest *tests;
        size_t n;
    } groups[] = {{"pages", page_tests, n_page_tests},
                  {"pager", pager_tests, n_pager_tests},
                  {"spaces", space_tests, n_space_tests},
                  {"order", order_tests, n_order_tests},
                  {"random", random_tests, n_random_tests}};
    if (argc > 3)
        random_seed = strtoull(argv[2], NULL, 0);
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
        bool wanted = argc <= 4;
        for (int k = 4; k < argc; k++)
            wanted |= !strcmp(argv[k], groups[i].name);
        if (!wanted || (argc > 3 && groups[i].tests == pager_tests))
            continue;
        failed += (unsigned)_cmocka_run_group_tests(groups[i].name, groups[i].tests, groups[i].n, NULL, NULL);
        n += (unsigned)groups[i].n;
    }
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
