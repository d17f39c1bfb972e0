/* The writer of request traces. */
#include "sim_c/dram/trace.h"
#include "verif/dram/device/tests.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/dram-trace-XXXXXX";

static const char *inside(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void trace_has_a_line_a_request(void **state)
{
    (void)state;
    dram_trace_t *t;
    char text[256] = "";
    assert_int_equal(dram_trace_open(&t, inside("a")), 0);
    assert_int_equal(dram_trace_add(t, 0x1f80, false, 0), 0);
    assert_int_equal(dram_trace_add(t, 0xffffffffff80, true, 12), 0);
    assert_int_equal(dram_trace_add(t, 0, true, 11), SIM_EINVAL); /* back in time: not written */
    assert_int_equal(dram_trace_add(t, 0, false, 12), 0);
    assert_int_not_equal(access(inside("a"), F_OK), 0); /* the file appears only when it is complete */
    assert_int_equal(dram_trace_close(t), 0);
    FILE *f = fopen(inside("a"), "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_string_equal(text, "0x1f80 READ 0\n0xffffffffff80 WRITE 12\n0x0 READ 12\n");
    unlink(inside("a"));
}

static void trace_that_cannot_be_written_is_not_there(void **state)
{
    (void)state;
    dram_trace_t *t;
    assert_int_equal(dram_trace_open(&t, inside("nosuch/b")), SIM_EIO);
    assert_null(t);
    assert_int_equal(dram_trace_close(NULL), 0);
    /* The name is taken by a folder: the trace cannot get it, and leaves nothing behind. */
    assert_int_equal(mkdir(inside("c"), 0777), 0);
    assert_int_equal(dram_trace_open(&t, inside("c")), 0);
    assert_int_equal(dram_trace_add(t, 0, true, 1), 0);
    assert_int_equal(dram_trace_close(t), SIM_EIO);
    rmdir(inside("c"));
    assert_int_equal(rmdir(folder), 0); /* fails unless empty */
    assert_non_null(mkdtemp(strcpy(folder, "/tmp/dram-trace-XXXXXX")));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int trace_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_has_a_line_a_request),
        cmocka_unit_test(trace_that_cannot_be_written_is_not_there),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests_name("traces", tests, make_folder, drop_folder);
}
