/* The one list of machines, and where they come from. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim_c/top/machine.h"
#include "sw/runtime/host.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

static const struct {
    const char *name, *help;
    const vl_backend_ops *(*linked)(void); /* NULL: the driver of the machine in build/cfg/NAME/libvl<name>.so */
    bool waves;                            /* there is libvl<name>-waves.so too */
} backends[] = {
    {"model", "the cycle-exact C model", NULL, false},
    {"rtl", "the Verilated RTL", NULL, true},
    {"lockstep", "RTL, model and reference side by side, compared every cycle", NULL, true},
    {"ref", "the untimed reference machine", vl_backend_ref, false},
};

const char *vl_backend_name(size_t i)
{
    return i < sizeof backends / sizeof *backends ? backends[i].name : NULL;
}
const char *vl_backend_help(size_t i)
{
    return i < sizeof backends / sizeof *backends ? backends[i].help : NULL;
}

/* Takes the line that begins with `start` out of the text. */
static void drop_line(char *text, const char *start)
{
    char *line = strstr(text, start), *end = line ? strchr(line, '\n') : NULL;
    if (end)
        memmove(line, end + 1, strlen(end + 1) + 1);
    else if (line)
        line[line > text ? -1 : 0] = 0; /* the last one: with the end of the line before it */
}

/* Brings the library up to date. One at a time a configuration: two makes in one folder would trip over each other. */
static int build(const char *root, const char *config, const char *target, const char *path, const vl_options *opt,
                 vl_error *err)
{
    char lock[PATH_MAX], tail[1600], out[64], dir[PATH_MAX];
    const uint64_t key = vl_sources_key(root);
    if (vl_sources_same(path, key))
        return 0;
    if (access(path, R_OK) && opt && opt->notice) {
        char text[128];
        snprintf(text, sizeof text, "building %s (once)", target);
        opt->notice(opt->notice_user, text);
    }
    const char *const parts[] = {"build", "build/cfg", NULL};
    for (size_t i = 0; parts[i]; i++) {
        snprintf(dir, sizeof dir, "%s/%s", root, parts[i]);
        mkdir(dir, 0777);
    }
    snprintf(dir, sizeof dir, "%s/build/cfg/%s", root, config);
    mkdir(dir, 0777);
    if ((size_t)snprintf(lock, sizeof lock, "%s/build/cfg/%s/.lock", root, config) >= sizeof lock)
        return vl_fail(err, VL_EBACKEND, "the source tree's path is too long");
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return access(path, R_OK)
                   ? vl_fail(err, VL_EBACKEND,
                             "%s is not built, and %s cannot be written: %s (build it as one who may, or "
                             "name a configuration with a field, %s+FIELD=VALUE, which is your own)",
                             target, root, strerror(errno == ENOENT ? EACCES : errno), config)
                   : 0; /* a tree that cannot be written: use the library as it is */
    while (flock(fd, LOCK_EX) && errno == EINTR) {
    }
    char jobs[32]; /* a model has some 80 sources: who waits for it has all processors for it */
    snprintf(jobs, sizeof jobs, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    char *argv[] = {"make", "-s", jobs, "-C", (char *)(uintptr_t)root, (char *)(uintptr_t)target, NULL};
    const bool made = vl_sources_same(path, key); /* another process that held the lock has just built it */
    const vl_listener listener = {
        .word = "verilate: ", .line = opt ? opt->notice : NULL, .user = opt ? opt->notice_user : NULL};
    int status = made ? 0 : vl_command(argv, out, sizeof out, tail, sizeof tail, listener.line ? &listener : NULL);
    if (!status && !made)
        vl_sources_note(path, key);
    close(fd);
    if (status == VL_ENOMEM)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    if (status)
        drop_line(tail, "make: *** Waiting for unfinished jobs"); /* not a cause */
    if (status)
        return vl_fail(err, VL_EBACKEND, "building %s failed: %s", target, *tail ? tail : "make printed no message");
    return 0;
}

int vl_backend_find(const char *name, const char *root, const char *config, const vl_options *opt, vl_backend *b,
                    vl_error *err)
{
    size_t i = 0;
    *b = (vl_backend){0};
    while (vl_backend_name(i) && strcmp(backends[i].name, name))
        i++;
    if (!vl_backend_name(i))
        return vl_fail(err, VL_ENOENT, "no backend '%.80s' (there are: model, rtl, lockstep, ref)", name);
    bool no_build = false;
    uint64_t parts; /* the lockstep's machine reads the list itself */
    int e = vl_env_switch("VELLUM_NO_BUILD", &no_build, err);
    if (!e && !strcmp(name, "lockstep"))
        e = vl_env_list("VELLUM_LOCKSTEP", "model,blocks,judge", &parts, err);
    if (e)
        return e;
    if (backends[i].linked) {
        b->ops = backends[i].linked();
        return 0;
    }
    char target[160], path[PATH_MAX];
    snprintf(target, sizeof target, "build/cfg/%s/libvl%s%s.so", config, name,
             opt && opt->waves && backends[i].waves ? "-waves" : "");
    if ((size_t)snprintf(path, sizeof path, "%s/%s", root, target) >= sizeof path)
        return vl_fail(err, VL_EBACKEND, "the source tree's path is too long");
    char mark[PATH_MAX];
    snprintf(mark, sizeof mark, "%s/.installed", root);
    /* an installed tree with the library: nothing can be out of date */
    const bool whole = !access(mark, F_OK) && !access(path, R_OK);
    if (!no_build && !(opt && opt->no_build) && !whole) {
        e = build(root, config, target, path, opt, err);
        if (e)
            return e;
    }
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return vl_fail(err, VL_EBACKEND, "%s", dlerror());
    const machine_api_t *(*get)(void);
    *(void **)&get = dlsym(lib, "vl_machine");
    const machine_api_t *machine = get ? get() : NULL;
    if (!machine || machine->abi != MACHINE_ABI) {
        dlclose(lib);
        return vl_fail(err, VL_EBACKEND, "%s was built for another libvellum: run make clean", target);
    }
    *b = (vl_backend){.ops = &vl_driver, .connect = vl_host_machine, .machine = machine, .library = lib};
    return 0;
}
