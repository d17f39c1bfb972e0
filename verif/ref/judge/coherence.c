/* The judge's table of legal transitions (judge_coherence.h), without a machine: it lets messages pass one by one, and reports one that is not legal. Its reports go to standard
 * output: run checks that each of its texts occurs. */
#include "verif/ref/judge/coherence.h"

int main(void)
{
    const struct {
        const char *name;
        const struct CMUnitTest *tests;
        size_t n;
    } groups[] = {{"legal", legal_tests, n_legal_tests},       {"lines", line_tests, n_line_tests},
                  {"blocks", block_tests, n_block_tests},      {"home", home_tests, n_home_tests},
                  {"states", state_tests, n_state_tests},      {"slices", slice_tests, n_slice_tests},
                  {"messages", message_tests, n_message_tests}};
    int failed = 0;
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
        failed += _cmocka_run_group_tests(groups[i].name, groups[i].tests, groups[i].n, NULL, NULL);
    return failed;
}
