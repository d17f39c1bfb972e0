/* `vellum cc`: from OpenCL C or C to a kernel image. docs/kernels.md gives the purpose of each step.
 *
 *     source --clang pass 1--> IR or syntax tree --> kernels and arguments
 *     source + an entry a kernel --clang pass 2, device library as bitcode--> object --> stack, locals, layout
 *     object + notes + memory.o, double.o --lld, kernel.ld--> image
 */
#include "sw/tools/cc.h"
#include "sw/runtime/internal.h"
#include "sw/tools/cc_internal.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* build/device beside the command, or where VELLUM_DEVICE points. */
static char *find_device(void)
{
    const char *set = getenv("VELLUM_DEVICE");
    if (set && *set)
        return cc_format("%s", set);
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0)
        return NULL;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    *slash = 0;
    static const char *const places[] = {"device", "../device", "../lib/vellum/device", "../build/device"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *dir = cc_format("%s/%s", path, places[i]), *file = cc_format("%s/kernel.ld", dir);
        bool found = access(file, R_OK) == 0;
        free(file);
        if (found)
            return dir;
        free(dir);
    }
    return NULL;
}

/* From a source, or from objects, to an image, or with -c to an object. */
static int compile(cc_unit_t *u, const cc_options_t *o, const char *device, const char *output)
{
    const char *clang = o->clang ? o->clang : "clang-19";
    char *object = cc_format("%s/kernel.o", u->dir), *linked = cc_format("%s/linked.ll", u->dir);
    int status = cc_ask_version(u, clang);
    if (status)
        return status;
    cc_strings_t options = cc_common_options(u, o, device);
    u->device = device;
    u->doubles = !u->opencl || u->objects.n;
    if (u->objects.n) {
        options = cc_machine_options(&options);
        status = cc_merge_objects(u, clang, &options, !u->object, u->object ? output : linked);
        if (status || u->object)
            return status;
        status = cc_read_ir(u, linked);
        status = status || !u->large ? status : cc_inline_by_size(linked);
        status = status ? status : cc_check_kernels(u);
        cc_push(&options, "-x");
        cc_push(&options, "ir");
    } else {
        status = cc_first_pass(u, clang, &options);
        if (!status)
            cc_tell_double(u, &o->user);
        if (u->object)
            return status ? status : cc_compile_object(u, clang, &options, o->level ? o->level : "-O2", device, output);
    }
    status = status ? status : cc_second_pass(u, o, clang, &options, device, object);
    status = status ? status : cc_read_object(u, object, device);
    return status ? status : cc_link_image(u, clang, &options, device, object, output);
}

/* The image appears under its name only when it is whole: it is linked beside it and renamed. */
int vellum_cc_main(int argc, char **argv)
{
    cc_options_t o = {0};
    cc_unit_t u = {0};
    int status = cc_parse(&o, &u, argc, argv);
    if (status)
        return status;
    if (o.help) {
        cc_usage();
        return CC_OK;
    }
    if ((status = cc_check_source(&u)) || (status = cc_read_config(&u, &o)))
        return status;
    char *device = find_device();
    if (!device)
        return cc_error(
            CC_USAGE,
            "the device library (build/device) is not beside the command; build it with make, or set VELLUM_DEVICE");
    if (!o.output)
        o.output = cc_default_output(u.source, u.object);
    struct stat s;
    if (!stat(o.output, &s) && !S_ISREG(s.st_mode))
        return cc_error(CC_USAGE, "cannot write %s: it is %s", o.output,
                        S_ISDIR(s.st_mode) ? "a directory" : "no ordinary file");
    struct stat source;
    if (!stat(o.output, &s) && !stat(u.source, &source) && s.st_dev == source.st_dev && s.st_ino == source.st_ino)
        return cc_error(CC_USAGE, "cannot write %s: it is the source", o.output);

    char *whole = cc_format("%s.XXXXXX", o.output);
    int fd = mkstemp(whole);
    if (fd < 0)
        return cc_error(CC_USAGE, "cannot write %s: %s", o.output, strerror(errno));
    close(fd);
    if (o.save_temps) {
        u.dir = cc_format("%s.temps", o.output);
        if (mkdir(u.dir, 0777) && errno != EEXIST)
            status = cc_error(CC_USAGE, "cannot make %s: %s", u.dir, strerror(errno));
    } else {
        const char *base = getenv("TMPDIR");
        u.dir = cc_format("%s/vellum-cc.XXXXXX", base && *base ? base : "/tmp");
        if (!mkdtemp(u.dir))
            status = cc_error(CC_USAGE, "cannot make a temporary directory: %s: %s", u.dir, strerror(errno));
    }
    bool have_dir = !status;
    if (have_dir) { /* files of a compiler that died are removed with it */
        setenv("TMPDIR", u.dir, 1);
        setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
    }
    cc_catch_signals();
    status = status ? status : compile(&u, &o, device, whole);

    if (!status) {
        mode_t mask = umask(0);
        umask(mask);
        chmod(whole, 0666 & ~mask);
        if (rename(whole, o.output))
            status = cc_error(CC_USAGE, "cannot write %s: %s", o.output, strerror(errno));
    }
    if (status)
        unlink(whole);
    if (have_dir && !o.save_temps)
        cc_remove_dir(u.dir);
    if (cc_caught_signal()) {
        signal(cc_caught_signal(), SIG_DFL);
        raise(cc_caught_signal());
    }
    return status;
}
