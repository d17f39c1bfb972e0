/* Sources of a library: make need not be asked about it while they are unchanged. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void put_file(const char *dir, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && !fclose(f));
}

static void rename_file(const char *dir, const char *from, const char *to)
{
    char a[300], b[300];
    snprintf(a, sizeof a, "%s/%s", dir, from);
    snprintf(b, sizeof b, "%s/%s", dir, to);
    assert_int_equal(rename(a, b), 0);
}

/* make is not asked about a library as long as its sources are unchanged, and is when one is changed, new, gone or renamed, or the library is another. */
static void sources_that_change_are_noticed(void **s)
{
    (void)s;
    char dir[] = "/tmp/vellum-sources.XXXXXX", lib[100], command[200];
    assert_non_null(mkdtemp(dir));
    static const char *const folders[] = {"mk",      "rtl",         "rtl/core", "sim_c",
                                          "scripts", "scripts/gen", "docs",     "docs/blocks"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", dir, folders[i]);
        assert_int_equal(mkdir(path, 0777), 0);
    }
    put_file(dir, "Makefile", "all:\n");
    assert_int_equal(vl_sources_key(dir), 0); /* scripts/verilate is not there */
    put_file(dir, "scripts/verilate", "#!");
    put_file(dir, "rtl/core/alu.sv", "module");
    snprintf(lib, sizeof lib, "%s/libvlmodel.so", dir);
    put_file(dir, "libvlmodel.so", "ELF");
    uint64_t key = vl_sources_key(dir);
    assert_true(key != 0 && key == vl_sources_key(dir));
    assert_false(vl_sources_same(lib, key)); /* make has not been asked */
    vl_sources_note(lib, key);
    assert_true(vl_sources_same(lib, key));
    put_file(dir, "rtl/core/alu.sv", "module 2");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    vl_sources_note(lib, key = vl_sources_key(dir));
    put_file(dir, "rtl/core/.alu.sv.swp", "");
    put_file(dir, "README", "");
    assert_true(vl_sources_same(lib, vl_sources_key(dir))); /* nothing that a machine is made of */
    rename_file(dir, "rtl/core/alu.sv", "rtl/core/alv.sv");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    rename_file(dir, "rtl/core/alv.sv", "rtl/core/alu.sv");
    assert_true(vl_sources_same(lib, vl_sources_key(dir)));
    put_file(dir, "sim_c/new.c", "");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    vl_sources_note(lib, key = vl_sources_key(dir));
    put_file(dir, "libvlmodel.so", "ELF of another");
    assert_false(vl_sources_same(lib, key));
    assert_false(vl_sources_same("/nowhere/libvlmodel.so", key));
    assert_false(vl_sources_same(lib, 0));
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

int source_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_that_change_are_noticed),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
