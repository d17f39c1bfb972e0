/* Tests of host memory (docs/host-memory.md). Arguments: the kernels' image; a seed, for random use alone; a machine (else ref), for pages,
 * spaces, order, registered memory, places and random use there, or for those that are named, up to the first that fails: how often a page comes and goes is shown for ref alone. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/sw/vm/lib.h"

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        const struct CMUnitTest *tests;
        size_t n;
        bool random, ref; /* takes the seed; is about ref, or about no machine */
    } groups[] = {{"pages", page_tests, n_page_tests, false, false},
                  {"pager", pager_tests, n_pager_tests, false, true},
                  {"spaces", space_tests, n_space_tests, false, false},
                  {"order", order_tests, n_order_tests, false, false},
                  {"register", register_tests, n_register_tests, false, false},
                  {"places", place_tests, n_place_tests, false, false},
                  {"random", random_tests, n_random_tests, true, false},
                  {"board", board_tests, n_board_tests, true, true},
                  {"failures", failure_tests, n_failure_tests, false, true}};
    unsigned failed = 0, n = 0;
    if (argc < 2)
        return 2;
    elf_path = argv[1];
    if (argc > 2)
        random_seed = strtoull(argv[2], NULL, 0);
    if (argc > 3)
        machine_name = argv[3];
    for (unsigned i = 0; i < sizeof groups / sizeof *groups && !(failed && argc > 4); i++) {
        bool wanted = argc == 2 || (argc == 3 && groups[i].random) || (argc == 4 && !groups[i].ref);
        for (int k = 4; k < argc; k++)
            wanted |= !strcmp(argv[k], groups[i].name);
        if (!wanted)
            continue;
        failed += (unsigned)_cmocka_run_group_tests(groups[i].name, groups[i].tests, groups[i].n, NULL, NULL);
        n += (unsigned)groups[i].n;
    }
    printf("%u passed, %u failed\n", n - failed, failed);
    return failed != 0;
}
