/* Illegal steps of a slice with a line: to give it back, be granted it, hold it beside others, answer for it. */
#include "verif/ref/judge/coherence.h"

static void what_a_slice_gives_back(void **s)
{
    (void)s;
    write_back(A, NMOESI_N, 1, false);
    is_reported("its slice writes line 3 back in N, but holds it in I at most");
    fetch(A, SMD_READ, NMOESI_S, false);
    fill(A, HOME_READ, NMOESI_S);
    write_back(A, NMOESI_M, 1, false);
    is_reported("its slice writes line 3 back in M, but holds it in S at most");
}

static void what_a_slice_is_granted(void **s)
{
    (void)s;
    line_asked(A, HOME_READ);
    line_granted(A, NMOESI_S);
    is_reported("its slice may not be granted line 3 in S");
    fetch(B, SMD_READ, NMOESI_S, false);
    line_asked(B, HOME_READ_OWN);
    line_granted(B, NMOESI_S);
    is_reported("its slice may not be granted line 3 in S");
    line_asked(B, HOME_READ);
    line_granted(B, NMOESI_E);
    is_reported("its slice may not be granted line 3 in E");
    line_asked(B, HOME_READ);
    line_granted(B, NMOESI_O);
    is_reported("its slice may not be granted line 3 in O");
}

static void lines_beside_others(void **s)
{
    (void)s;
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    line_asked(HOST, HOME_READ);
    line_granted(HOST, NMOESI_S);
    is_reported("the host: a line is granted beside other holders: device 0 has it in M");
    line_asked(A, HOME_READ_OWN);
    line_granted(A, NMOESI_M);
    is_reported("device 0: a line is granted beside other holders");
}

static void what_a_slice_answers(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    fill(A, HOME_READ, NMOESI_S);
    line_given(A, NMOESI_S, 0);
    is_reported("its slice answers without a probe of line 3 in S; it holds the line in S at most");
    fill(A, HOME_READ, NMOESI_S);
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_M, 1);
    is_reported("its slice answers a probe of line 3 in M with bytes; it holds the line in S at most");
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_S, 1);
    is_reported("its slice answers a probe of line 3 in S with bytes");
}

const struct CMUnitTest line_tests[] = {
    TEST(what_a_slice_gives_back),
    TEST(what_a_slice_is_granted),
    TEST(lines_beside_others),
    TEST(what_a_slice_answers),
};
const size_t n_line_tests = sizeof line_tests / sizeof *line_tests;
