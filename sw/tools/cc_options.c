/* The command line of `vellum cc`. */
#include "sw/runtime/internal.h"
#include "sw/tools/cc_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: vellum cc [-o IMAGE] [-O LEVEL] [-D NAME[=VALUE]] [-U NAME] [-I DIR] [-g] [-w] [-W...] [-std=STD] "
    "[-cl-...]\n"
    "                 [-fno-unroll-loops] [--config NAME] [--save-temps] [--clang PROGRAM] [-c] "
    "FILE.cl|FILE.c|FILE.bc...\n"
    "Compiles OpenCL C or C to a kernel image (default: the source's name with .elf, in the current directory).\n"
    "-c compiles OpenCL C to an object (.bc), of which several are linked to an image, or with -c to a library.\n"
    "--config NAME refuses what a core of that configuration has no room for: __local arrays.\n"
    "--save-temps keeps the intermediate files in IMAGE.temps/.\n";

void cc_usage(void)
{
    fputs(usage, stdout);
}

static bool ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), m = strlen(tail);
    return n > m && !strcmp(s + n - m, tail);
}

static int set_once(char **slot, const char *option, const char *value)
{
    if (*slot)
        return cc_error(CC_USAGE, "%s is given twice", option);
    if (!*value)
        return cc_error(CC_USAGE, "%s has an empty value", option);
    *slot = cc_format("%s", value);
    return CC_OK;
}

/* An option with a value in the same word or the next one. NULL (and an error line) when the value is missing. */
static const char *value_of(int argc, char **argv, int *i, size_t length)
{
    if (argv[*i][length])
        return argv[*i] + length;
    if (*i + 1 >= argc) {
        cc_error(CC_USAGE, "%s needs a value", argv[*i]);
        return NULL;
    }
    return argv[++*i];
}

/* -cl-std=, or -std= with a version of OpenCL, of which the library is not. */
static bool names_other_opencl(const char *a)
{
    const bool cl = !strncmp(a, "-cl-std=", 8);
    const char *value = a + (cl ? 8 : 5);
    if (!cl && (strncmp(a, "-std=", 5) || strncasecmp(value, "cl", 2)))
        return false;
    return strcasecmp(value, "CL1.0") && strcasecmp(value, "CL1.1") && strcasecmp(value, "CL1.2");
}

int cc_parse(cc_options_t *o, cc_unit_t *u, int argc, char **argv)
{
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *value;
        int status = CC_OK;
        if ((only_files || a[0] != '-' || !a[1]) && ends_with(a, ".bc")) {
            cc_push(&u->objects, a);
        } else if (only_files || a[0] != '-' || !a[1]) {
            if (u->source)
                return cc_error(CC_USAGE, "one source at a time: %s and %s", u->source, a);
            u->source = a;
        } else if (!strcmp(a, "--")) {
            only_files = true;
        } else if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
            o->help = true;
        } else if (!strcmp(a, "--save-temps")) {
            o->save_temps = true;
        } else if (!strcmp(a, "-c")) {
            u->object = true;
        } else if (!strcmp(a, "--no-kernels")) { /* for the OpenCL driver: a program may have functions alone */
            u->empty = true;
        } else if (!strncmp(a, "--clang=", 8)) {
            status = set_once(&o->clang, "--clang", a + 8);
        } else if (!strcmp(a, "--clang")) {
            if (!(value = value_of(argc, argv, &i, 7)))
                return CC_USAGE;
            status = set_once(&o->clang, "--clang", value);
        } else if (!strcmp(a, "--config") || !strncmp(a, "--config=", 9)) {
            if (!(value = a[8] ? a + 9 : value_of(argc, argv, &i, 8)))
                return CC_USAGE;
            status = *value ? set_once(&o->config, "--config", value) : cc_error(CC_USAGE, "--config needs a value");
        } else if (!strncmp(a, "-o", 2)) {
            if (!(value = value_of(argc, argv, &i, 2)))
                return CC_USAGE;
            status = set_once(&o->output, "-o", value);
        } else if (!strncmp(a, "-O", 2)) {
            if (!(value = value_of(argc, argv, &i, 2)))
                return CC_USAGE;
            if (strlen(value) != 1 || !strchr("0123s", *value))
                return cc_error(CC_USAGE, "-O takes 0, 1, 2, 3 or s, not '%s'", value);
            free(o->level);
            o->level = cc_format("-O%s", value);
        } else if (!strncmp(a, "-D", 2) || !strncmp(a, "-U", 2) || !strncmp(a, "-I", 2)) {
            if (!(value = value_of(argc, argv, &i, 2)))
                return CC_USAGE;
            char *whole = cc_format("%.2s%s", a, value);
            cc_push(&o->user, whole);
            free(whole);
        } else if (names_other_opencl(a)) {
            return cc_error(CC_USAGE, "%s: the library is that of OpenCL C 1.0, 1.1 and 1.2 (CL1.2)", a);
        } else if (!strcmp(a, "-fno-unroll-loops")) {
            o->no_unroll = true;
            cc_push(&o->user, a);
        } else if (!strcmp(a, "-cl-denorms-are-zero") || !strcmp(a, "-cl-strict-aliasing")) {
            /* hints of OpenCL that change nothing here, and that clang warns of */
        } else if (!strcmp(a, "-g") || !strcmp(a, "-w") || !strncmp(a, "-std=", 5)
                   || (!strncmp(a, "-W", 2) && !strchr(a, ',')) || !strncmp(a, "-cl-", 4)) {
            cc_push(&o->user, a);
        } else {
            return cc_error(CC_USAGE, "unknown option '%s' (see vellum cc --help)", a);
        }
        if (status)
            return status;
    }
    return CC_OK;
}

static int check_file(const char *path)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &s))
        return cc_error(CC_USAGE, "cannot read %s: %s", path, strerror(errno));
    close(fd);
    if (!S_ISREG(s.st_mode))
        return cc_error(CC_USAGE, "cannot read %s: %s", path,
                        S_ISDIR(s.st_mode) ? "it is a directory" : "it is no ordinary file");
    return CC_OK;
}

int cc_check_source(cc_unit_t *u)
{
    if (u->objects.n && u->source)
        return cc_error(CC_USAGE, "%s and %s: sources are compiled with -c before they are linked", u->source,
                        u->objects.items[0]);
    if (u->objects.n) { /* of OpenCL C, since -c takes nothing else */
        u->source = u->objects.items[0];
        u->opencl = true;
        for (size_t i = 0; i < u->objects.n; i++)
            if (check_file(u->objects.items[i]))
                return CC_USAGE;
        return CC_OK;
    }
    if (!u->source)
        return cc_error(CC_USAGE, "no source file (see vellum cc --help)");
    if (!ends_with(u->source, ".cl") && !ends_with(u->source, ".c"))
        return cc_error(CC_USAGE, "%s: a source's name ends in .cl (OpenCL C) or .c (C)", u->source);
    u->opencl = ends_with(u->source, ".cl");
    if (u->object && !u->opencl)
        return cc_error(CC_USAGE, "%s: -c takes OpenCL C alone", u->source);
    return check_file(u->source);
}

/* The configuration that it is for. */
int cc_read_config(cc_unit_t *u, const cc_options_t *o)
{
    vl_error err = {0};
    vl_config c;
    char *name = NULL, *root = o->config ? vl_find_root(NULL, &err) : NULL;
    if (!o->config)
        return CC_OK;
    if (!root)
        return cc_error(CC_USAGE, "--config: %s", err.text);
    if (vl_config_read(&c, &root, &name, o->config, &err))
        return cc_error(CC_USAGE, "--config: %s", err.text);
    u->config = o->config;
    u->spad_bytes = (uint64_t)vl_cfg_get(&c, "spad_bytes", 0);
    vl_config_free(&c);
    return CC_OK;
}

char *cc_default_output(const char *source, bool object)
{
    const char *base = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
    return cc_format("%.*s.%s", (int)(strrchr(base, '.') - base), base, object ? "bc" : "elf");
}
