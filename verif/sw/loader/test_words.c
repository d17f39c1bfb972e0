/* Settings in words (sw/runtime/words.h): accepted texts, and no others, against regular expressions and arithmetic of 128 bits. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/runtime/words.h"
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static regex_t number, size, seconds;

static uint64_t state;
static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

static bool is(const regex_t *r, const char *text)
{
    return !regexec(r, text, 0, NULL, 0);
}

/* The value of digits that are known to be some, at most 2^64. */
static __uint128_t value_of(const char *text)
{
    const bool hex = text[0] == '0' && text[1] && strchr("xX", text[1]);
    __uint128_t v = 0;
    for (text += 2 * hex; *text && strchr("0123456789abcdefABCDEF", *text); text++) {
        const unsigned digit =
            *text <= '9' ? (unsigned)(*text - '0') : (unsigned)(strchr("abcdef", *text | 32) - "abcdef") + 10;
        v = v * (hex ? 16 : 10) + digit;
        if (v >> 64)
            return (__uint128_t)1 << 64;
    }
    return v;
}

static void one_word(const char *text)
{
    static const uint64_t limits[] = {0, 1, 63, 255, UINT32_MAX, INT64_MAX, UINT64_MAX};
    const uint64_t max = limits[below(sizeof limits / sizeof *limits)];
    uint64_t v = 77;
    bool want = is(&number, text) && value_of(text) <= max;
    if (vl_parse_u64(text, max, &v) != want || v != (want ? (uint64_t)value_of(text) : 77))
        fail_msg("number '%s', %llu at most: %llu", text, (unsigned long long)max, (unsigned long long)v);
    int64_t i = 77;
    want = is(&number, text + (*text == '-')) && value_of(text + (*text == '-')) <= 9 + (unsigned)(*text == '-');
    if (vl_parse_i64(text, -10, 9, &i) != want || (want && (i < -10 || i > 9)) || (!want && i != 77))
        fail_msg("signed '%s': %lld", text, (long long)i);
    const char *unit = *text ? strchr("kmg", text[strlen(text) - 1]) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - "kmg" + 1) : 0;
    want = is(&size, text) && strlen(text) < 32 && value_of(text) <= max >> shift;
    v = 77;
    if (vl_parse_size(text, max, &v) != want || v != (want ? (uint64_t)value_of(text) << shift : 77))
        fail_msg("size '%s', %llu at most: %llu", text, (unsigned long long)max, (unsigned long long)v);
    double d = -1;
    want = is(&seconds, text) && strtod(text, NULL) <= 1e9;
    if (vl_parse_seconds(text, &d) != want || (want ? fabs(d - strtod(text, NULL)) > 1e-6 * (1 + d) : d != -1))
        fail_msg("seconds '%s': %g", text, d);
    bool on = false, off = true;
    const char *const words[] = {"0", "1", "no", "yes", "off", "on", "false", "true"};
    int k = 7;
    while (k >= 0 && strcmp(words[k], text))
        k--;
    assert_int_equal(vl_parse_switch(text, &on), k >= 0);
    assert_int_equal(vl_parse_switch(text, &off), k >= 0);
    assert_int_equal(on, k >= 0 && k % 2);
    assert_int_equal(off, k < 0 || k % 2);
}

static void a_word_is_taken_whole_or_refused(void **s)
{
    (void)s;
    static const char alphabet[] = "0123456789009911xXaeEfFkmgKMG.,-+ \t_n";
    static const char *const words[] = {"",
                                        "0",
                                        "1e9",
                                        "100k",
                                        "0x64",
                                        "0X1f",
                                        "0x",
                                        "x1",
                                        "1_000",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "-0",
                                        "-10",
                                        "--1",
                                        "0-1",
                                        "abc",
                                        "yes",
                                        "Yes",
                                        "no",
                                        "on",
                                        "off",
                                        "of",
                                        "true",
                                        "false",
                                        "1.5",
                                        "1,5",
                                        ".5",
                                        ".",
                                        "1..2",
                                        "1e-3",
                                        "inf",
                                        "nan",
                                        "0x1p3",
                                        "1g",
                                        "1G",
                                        "1kb",
                                        "k",
                                        "0xg",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "18446744073709551615k",
                                        "17179869183g",
                                        "17179869184g",
                                        "0xffffffffffffffff",
                                        "0x10000000000000000",
                                        "00000000000000000000000000000000000000001",
                                        "999999999.9",
                                        "1000000000.1"};
    assert_int_equal(regcomp(&number, "^([0-9]+|0[xX][0-9a-fA-F]+)$", REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regcomp(&size, "^([0-9]+|0[xX][0-9a-fA-F]+)[kmg]?$", REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regcomp(&seconds, "^([0-9]+\\.?[0-9]*|\\.[0-9]+)$", REG_EXTENDED | REG_NOSUB), 0);
    state = 0;
    for (unsigned round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            one_word(words[i]);
    for (unsigned i = 0; i < 200000; i++) {
        char text[24];
        const unsigned n = below(i % 8 ? 6 : sizeof text);
        for (unsigned k = 0; k < n; k++)
            text[k] = alphabet[below(sizeof alphabet - 1)];
        text[n] = 0;
        one_word(text);
    }
    regfree(&number);
    regfree(&size);
    regfree(&seconds);
}

/* Each reader with a good value, a bad one, an empty one and none: the value set, and the sentence. */
static void a_variable_that_is_wrong_is_named(void **s)
{
    (void)s;
    vl_error err = {0};
    uint64_t n = 5;
    double d = 5;
    bool on = true;
    unsetenv("VELLUM_X");
    for (int empty = 0; empty < 2; empty++) {
        assert_int_equal(vl_env_u64("VELLUM_X", 9, &n, &err), 0);
        assert_int_equal(vl_env_switch("VELLUM_X", &on, &err), 0);
        assert_int_equal(vl_env_list("VELLUM_X", "a,b", &n, &err), 0);
        assert_true(n == 5 && on && !*err.text);
        setenv("VELLUM_X", "", 1);
    }
    setenv("VELLUM_X", "1e9", 1);
    assert_int_equal(vl_env_u64("VELLUM_X", UINT64_MAX, &n, &err), VL_EINVAL);
    assert_string_equal(err.text, "VELLUM_X=1e9: not a number from 0 to 18446744073709551615 (decimal, or hexadecimal "
                                  "behind 0x)");
    assert_int_equal(vl_env_seconds("VELLUM_X", &d, &err), VL_EINVAL);
    assert_non_null(strstr(err.text, "VELLUM_X=1e9: not a number of seconds"));
    assert_int_equal(vl_env_switch("VELLUM_X", &on, &err), VL_EINVAL);
    assert_string_equal(err.text, "VELLUM_X=1e9: 1, yes, on or true, or 0, no, off or false");
    assert_int_equal(vl_env_list("VELLUM_X", "a,b", &n, &err), VL_EINVAL);
    assert_non_null(strstr(err.text, "VELLUM_X=1e9: not words of a,b"));
    assert_true(n == 5 && d == 5 && on);
    setenv("VELLUM_X", "off", 1);
    assert_int_equal(vl_env_switch("VELLUM_X", &on, &err), 0);
    assert_false(on);
    static const struct {
        const char *text;
        int64_t bits;
    } lists[] = {{"a", 1}, {"b,a", 3}, {"cc,b", 6}, {"a,a", -1}, {"a,", -1}, {",a", -1}, {"c", -1}, {"a b", -1}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        setenv("VELLUM_X", lists[i].text, 1);
        assert_int_equal(vl_env_list("VELLUM_X", "a,b,cc", &n, &err), lists[i].bits < 0 ? VL_EINVAL : 0);
        assert_true(lists[i].bits < 0 || n == (uint64_t)lists[i].bits);
    }
    unsetenv("VELLUM_X");
}

/* The variables of the library itself, at the call that uses them. */
static void the_library_refuses_wrong_variables(void **s)
{
    (void)s;
    static const struct {
        const char *name, *value, *backend, *says;
    } wrong[] = {{"VELLUM_NO_BUILD", "maybe", "ref", "VELLUM_NO_BUILD=maybe: 1, yes"},
                 {"VELLUM_LOCKSTEP", "jugde", "lockstep", "VELLUM_LOCKSTEP=jugde: not words of model,blocks,judge"},
                 {"VELLUM_ROOT", "/nowhere", "ref", "VELLUM_ROOT=/nowhere: there is no Vellum source tree"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *before = getenv(wrong[i].name);
        char *kept = before ? strdup(before) : NULL;
        vl_error err = {0};
        vl_device *dev = NULL;
        setenv(wrong[i].name, wrong[i].value, 1);
        assert_true(vl_open(&dev, "tiny", wrong[i].backend, NULL, &err) < 0);
        assert_null(dev);
        if (!strstr(err.text, wrong[i].says))
            fail_msg("%s", err.text);
        unsetenv(wrong[i].name);
        if (kept)
            setenv(wrong[i].name, kept, 1);
        free(kept);
    }
    setenv("VELLUM_NO_BUILD", "0", 0);
    vl_device *dev = NULL;
    assert_int_equal(vl_open(&dev, "tiny", "ref", NULL, NULL), 0);
    vl_close(dev);
    unsetenv("VELLUM_NO_BUILD");
}

/* A device is its process's; a child of a process that has one opens another. */
static void a_child_opens_a_device_of_its_own(void **s)
{
    (void)s;
    vl_device *dev = NULL;
    assert_int_equal(vl_open(&dev, "tiny", "ref", NULL, NULL), 0);
    vl_ptr at;
    uint32_t x = 5;
    assert_int_equal(vl_malloc(dev, sizeof x, &at), 0);
    assert_int_equal(vl_write(dev, at, &x, sizeof x), 0);
    const pid_t pid = fork();
    if (!pid) {
        vl_device *mine = NULL;
        vl_ptr there;
        uint32_t y = 7, z = 0;
        int e = vl_open(&mine, "tiny", "ref", NULL, NULL);
        e = e ? e : vl_malloc(mine, sizeof y, &there);
        e = e ? e : vl_write(mine, there, &y, sizeof y);
        e = e ? e : vl_read(mine, there, &z, sizeof z);
        vl_close(mine);
        _exit(e || z != 7);
    }
    int status = -1;
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    assert_int_equal(status, 0);
    assert_int_equal(vl_read(dev, at, &x, sizeof x), 0);
    assert_int_equal(x, 5);
    vl_close(dev);
}

int word_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_taken_whole_or_refused), cmocka_unit_test(a_variable_that_is_wrong_is_named),
        cmocka_unit_test(the_library_refuses_wrong_variables), cmocka_unit_test(a_child_opens_a_device_of_its_own)};
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
