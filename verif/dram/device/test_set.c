/* The timing sets: the files hold the pinned figures, and the reader refuses a file that is no set. */
#include "verif/dram/device/tests.h"
#include <stdlib.h>
#include <string.h>

/* The figures once more, in the order of the rows of the table they were taken from: tRCD read and write, tRP, tCL, tCWL, tRAS, tRC, tCCD S and
 * L, tRRD S and L, tWR, tWTR S and L, tRTP, tFAW, tREFI, tRFC, bank groups, banks, row bytes, burst, burst clocks. */
static const uint32_t pinned[SETS][23] = {
    {21, 17, 21, 21, 6, 47, 67, 2, 3, 10, 10, 21, 9, 9, 2, 39, 6529, 109, 4, 4, 2048, 8, 2},
    {16, 16, 16, 16, 12, 39, 55, 4, 6, 4, 6, 18, 3, 9, 9, 26, 9364, 433, 4, 4, 8192, 8, 4},
    {14, 12, 14, 14, 5, 34, 48, 2, 4, 4, 4, 16, 6, 8, 5, 15, 3900, 350, 4, 4, 1024, 4, 2},
    {12, 12, 12, 12, 4, 28, 40, 2, 3, 6, 6, 12, 5, 5, 2, 0, 0, 0, 4, 4, 2048, 8, 2},
    {3, 3, 3, 3, 0, 6, 9, 8, 8, 2, 2, 2, 0, 0, 8, 0, 1114, 9, 1, 4, 1024, 8, 8},
};

static void files_hold_the_pinned_figures(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        const uint32_t got[] = {
            s.trcd_rd, s.trcd_wr,     s.trp,    s.tcl,    s.tcwl,        s.tras,   s.trc,
            s.tccd_s,  s.tccd_l,      s.trrd_s, s.trrd_l, s.twr,         s.twtr_s, s.twtr_l,
            s.trtp,    s.tfaw,        s.trefi,  s.trfc,   s.bank_groups, s.banks,  dram_row_bytes(&s),
            s.burst,   s.burst_clocks};
        for (unsigned f = 0; f < sizeof got / sizeof *got; f++)
            if (got[f] != pinned[i][f])
                fail_msg("%s: figure %u is %u, pinned %u", set_names[i], f, got[f], pinned[i][f]);
    }
}

static const char *const keys[] = {
#define F(field, least, most) #field,
    DRAM_SET_FIELDS(F)
#undef F
};

/* hbm2 as text, with `line` in place of the line of its key ("" for none), or added. */
static char *text_with(const char *key, const char *line)
{
    dram_set_t s = set_of("hbm2");
    char *text = malloc(8192);
    size_t n = 0;
    const uint32_t values[] = {
#define F(field, least, most) s.field,
        DRAM_SET_FIELDS(F)
#undef F
    };
    if (strcmp(key, "standard"))
        n += (size_t)sprintf(text + n, "  standard = \"HBM2\"   # a comment\n\n# another\n");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]))
            n += (size_t)sprintf(text + n, "%s=%u \n", keys[i], values[i]);
    sprintf(text + n, "%s", line); /* no newline at the end of the file */
    return text;
}

static void text_is_read_with_comments_and_blanks(void **state)
{
    (void)state;
    char why[256] = "", *text = text_with("trp", "trp = 77 # clocks");
    dram_set_t set, want = set_of("hbm2");
    want.trp = 77;
    assert_int_equal(dram_set_parse(&set, text, strlen(text), why, sizeof why), 0);
    assert_memory_equal(&set, &want, sizeof set);
    free(text);
}

static void refused(const char *key, const char *line, const char *word)
{
    char why[256] = "", *text = text_with(key, line);
    dram_set_t set;
    int e = dram_set_parse(&set, text, strlen(text), why, sizeof why);
    free(text);
    if (e != SIM_ECONFIG || !strstr(why, word))
        fail_msg("'%s': %d, '%s' (should name '%s')", line, e, why, word);
}

static void every_field_is_needed_once_and_in_its_range(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t least, most;
    } range[] = {
#define F(field, least, most) {#field, least, most},
        DRAM_SET_FIELDS(F)
#undef F
    };
    char line[128];
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        const char *k = range[i].name;
        refused(k, "", k);
        snprintf(line, sizeof line, "%s = %llu", k, (unsigned long long)range[i].most + 1);
        refused(k, line, k);
        if (range[i].least) {
            snprintf(line, sizeof line, "%s = %llu", k, (unsigned long long)range[i].least - 1);
            refused(k, line, k);
        }
        snprintf(line, sizeof line, "%s = 16\n%s = 16\n", k, k);
        refused(k, line, k);
    }
    refused("standard", "", "standard");
    refused("none", "standard = \"twice\"", "standard");
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    refused("trp", "trp = -3", "trp");
    refused("trp", "trp = 3.5", "trp");
    refused("trp", "trp = \"3\"", "trp");
    refused("trp", "trp = 99999999999999999999", "trp");
    refused("trp", "trp = 3 ns", "trp");
    refused("none", "colour = 3", "colour");
    refused("none", "[timing]", "key");
    refused("none", "trp", "key");
    refused("standard", "standard = HBM2", "standard");
    refused("standard", "standard = \"a word that is too long\"", "standard");
    refused("banks", "banks = 3", "banks");
    refused("banks", "banks = 64", "banks");
    refused("columns", "columns = 2", "burst");
    refused("burst_clocks", "burst_clocks = 64", "burst_clocks");
    refused("bus_bits", "bus_bits = 512", "burst_clocks");
    refused("tccd_s", "tccd_s = 5", "tccd_l");
    refused("trrd_s", "trrd_s = 5", "trrd_l");
    refused("twtr_s", "twtr_s = 9", "twtr_l");
    refused("trfc", "trfc = 0", "trfc");
    refused("trfc", "trfc = 3900", "trfc");
    refused("trefi", "trefi = 0", "trfc");
}

static void files_that_are_no_sets_are_refused(void **state)
{
    (void)state;
    dram_set_t set;
    char why[256] = "";
    assert_int_equal(dram_set_read(&set, "rtl/config/dram/nosuch.toml", why, sizeof why), SIM_EIO);
    assert_non_null(strstr(why, "nosuch"));
    assert_int_equal(dram_set_read(&set, "rtl/config", why, sizeof why), SIM_EIO);
    assert_int_equal(dram_set_read(&set, "rtl/config/small.toml", why, sizeof why), SIM_ECONFIG);
    set = set_of("hbm2");
    set.banks = 3;
    dram_t *d;
    assert_int_equal(dram_create(&d, &set), SIM_ECONFIG);
    assert_null(d);
}

int set_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_hold_the_pinned_figures),
        cmocka_unit_test(text_is_read_with_comments_and_blanks),
        cmocka_unit_test(every_field_is_needed_once_and_in_its_range),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(files_that_are_no_sets_are_refused),
    };
    return RUN_TESTS("sets", tests, count);
}
