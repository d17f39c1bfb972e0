/* The vellum command. docs/command.md */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/runtime/internal.h"
#include "sw/tools/cc.h"
#include "sw/tools/tool.h"

static const char help_all[] =
    "usage: vellum cc kernel.cl -o kernel.elf          compile OpenCL C or C\n"
    "       vellum run [option]... kernel.elf           run a kernel\n"
    "       vellum sweep --vary NAME=V1,V2,... run ...  many runs, tables and plots\n"
    "       vellum plot SAMPLES.csv                     a kernel's time, from vellum run --interval\n"
    "       vellum compare A.json B.json                what differs between two runs\n"
    "       vellum info [--config NAME] [kernel.elf]    what a configuration or a kernel file is made of\n"
    "       vellum objdump [--config NAME] kernel.elf   what runs: instructions, source lines, where paths meet\n"
    "       vellum help [cc|run|sweep|plot|compare|info|objdump]\n"
    "       vellum --version\n";

static const char help_run[] =
    "usage: vellum run [option]... kernel.elf\n"
    "       vellum run [option]... --app FILE --cores LIST [option]... --app FILE --cores LIST [option]...\n"
    "  --backend NAME        model (default), rtl, lockstep or ref\n"
    "  --config NAME         a configuration of rtl/config (default small), or a file PATH.toml\n"
    "  --with FIELD=VALUE    a field of the configuration with another value; may be repeated\n"
    "  --set POLICY=VALUE    a control register, see vellum info; may be repeated\n"
    "  --kernel NAME         needed when the file has several\n"
    "  --global X[,Y[,Z]]    threads in each dimension\n"
    "  --local X[,Y[,Z]]     threads of a group; without it a size is chosen\n"
    "  --offset X[,Y[,Z]]    global offset\n"
    "  --arg SPEC            one for each argument of the kernel, in order\n"
    "  --stats FILE          all counters as JSON; - is standard output, without a report\n"
    "  --quiet               no report\n"
    "  --trace FILE          .fst waves, .kanata pipeline, .json timeline\n"
    "  --trace-from N        a part of it (docs/traces.md): from cycle N of the kernel on,\n"
    "  --trace-to N          up to cycle N,\n"
    "  --trace-core LIST     of these cores, such as 0,2-4,\n"
    "  --trace-block LIST    and of these blocks of the design (.fst), pipes (.kanata) or lanes (.json)\n"
    "  --interval N          counters and figures every N cycles of the kernel, and at its marks (0: at marks alone)\n"
    "  --figures LIST        which; vellum info --figures lists them all\n"
    "  --samples FILE        where to: .csv or .json; also in --stats, and as tracks of a timeline (--trace "
    "FILE.json)\n"
    "  --warm-up N           launch the kernel N times before the launch that counts\n"
    "  --memory MODE[,KEY=VALUE]...\n"
    "                        bare (default): buffers have physical addresses; paged: Sv48, those of this process;\n"
    "                        demand: pages are mapped at the first touch. Keys: page=4k|2m|1g (paged),\n"
    "                        order=linear|random:SEED of physical frames, frames=N and evict=clock|fifo (demand),\n"
    "                        disturb=SEED (evictions and shootdowns at random times),\n"
    "                        flush=N (every N cycles the cores of a program lose its translations, and no others)\n"
    "  --cold                the L2 is empty as the kernel starts: nothing of the uploads is in it\n"
    "  --check-buffers       bare memory: a load or store in no buffer is a fault, to the byte (on ref, first)\n"
    "  --copies WHAT         count what copies take: of the contents of buffers before the kernel, and back after it\n"
    "                        of those with out= (results) or of every buffer (all); bare memory, one program\n"
    "  --back-door           load inputs and dump results past the caches, in no simulated time\n"
    "  --print-buffer BYTES  room for what kernels print by printf (default 1 MB)\n"
    "  --max-cycles N        give up after N cycles (backend ref: thread instructions)\n"
    "Several programs at once, each in an address space of its own; --kernel, --global, --local, --offset, --arg are\n"
    "of the application named before:\n"
    "  --app FILE            the kernel file of an application; as many as the configuration has kernel slots\n"
    "  --cores LIST          its cores, such as 0-14 or 0,2,4-7\n"
    "  --channels LIST       the channels of memory, and so the L2 slices, that are its own; without it all\n"
    "  --once                none is launched again until the slowest has ended\n"
    "  --fresh N             the first N launches of each have buffers of their own (default 2), the others the "
    "last's\n"
    "  --no-alone            do not run each alone on its cores: no speedups\n"
    "  --brief               together, of the cores' counters only warp_instructions: launches again begin at once\n"
    "SPEC:\n"
    "  i8: u8: i16: u16: i32: u32: i64: u64: f32:    a number, or 2, 3, 4, 8, 16 separated by commas for a vector\n"
    "  hex:BYTES, file:FILE                          bytes of a value, such as a structure\n"
    "  local:BYTES                                   scratchpad for a __local pointer\n"
    "  buf:BYTES[,in=FILE][,fill=BYTE][,rand=SEED][,frand=SEED,LOW,HIGH][,out=FILE]\n"
    "                                                a buffer: zero, or read from FILE, filled or random;\n"
    "                                                written to FILE when the kernel has ended\n"
    "Exit status: 0 done, 1 a tool failed, 2 wrong use, 3 kernel fault, 4 lockstep difference, 5 cycle limit,\n"
    "130 interrupted (Ctrl-C: with report and statistics so far).\n";

static const char help_info[] = "usage: vellum info [--config NAME|PATH.toml[+FIELD=VALUE]...] [kernel.elf]\n"
                                "  Without a file: the configuration's values, the backends, the policies.\n"
                                "  With a file: its kernels and arguments, and how its branches fit the reconvergence "
                                "table of the configuration.\n";

static const char help_objdump[] =
    "usage: vellum objdump [--config NAME|PATH.toml[+FIELD=VALUE]...] kernel.elf\n"
    "  The instructions of a kernel file, with source lines if it was compiled with -g. A branch is marked with the\n"
    "  point where its paths meet again, and whether the reconvergence table of the configuration has no room for it;\n"
    "  such a point with its branches.\n";

static int show(const char *text)
{
    fputs(text, stdout);
    return fflush(stdout) || ferror(stdout) ? complain("", EXIT_TOOL, "cannot write to standard output") : EXIT_OK;
}

static bool is_script(const char *command)
{
    return !strcmp(command, "sweep") || !strcmp(command, "plot") || !strcmp(command, "compare");
}

/* A command that is a script of the tree. */
static int script(const char *name, int argc, char **argv)
{
    char path[4096], **words = calloc((size_t)argc + 3, sizeof *words);
    vl_error err = {0};
    char *root = vl_find_root(NULL, &err);
    if (!root || !words)
        return complain(name, EXIT_USAGE, "%s", root ? "out of memory" : err.text);
    snprintf(path, sizeof path, "%s/scripts/experiments/%s", root, name);
    free(root);
    words[0] = "python3";
    words[1] = path;
    for (int i = 1; i <= argc; i++) /* argv ends with NULL */
        words[i + 1] = argv[i];
    execvp(words[0], words);
    return complain(name, EXIT_TOOL, "cannot run python3: %s", strerror(errno));
}

static int version(void)
{
    char commit[64], host[512];
    (void)vl_commit(commit, sizeof commit);
    vl_host_name(host, sizeof host);
    printf("vellum %s\ncommit %s\ncompiled by %s\nhost %s\n", vl_version(), commit, vl_compiler(), host);
    return show("");
}

static int help(int argc, char **argv)
{
    if (argc > 2)
        return complain("help", EXIT_USAGE, "one topic at a time");
    const char *topic = argc == 2 ? argv[1] : "";
    if (!*topic)
        return show(help_all);
    if (!strcmp(topic, "run"))
        return show(help_run);
    if (is_script(topic))
        return script(topic, 2, (char *[]){"", "--help", NULL});
    if (!strcmp(topic, "info"))
        return show(help_info);
    if (!strcmp(topic, "objdump"))
        return show(help_objdump);
    if (!strcmp(topic, "cc")) {
        char *args[] = {"cc", "--help", NULL};
        return vellum_cc_main(2, args);
    }
    return complain("help", EXIT_USAGE, "no topic '%s' (there are: cc, run, sweep, plot, compare, info, objdump)",
                    topic);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(help_all, stderr);
        return EXIT_USAGE;
    }
    const char *command = argv[1];
    if (!strcmp(command, "cc"))
        return vellum_cc_main(argc - 1, argv + 1);
    if (argc == 3 && !strcmp(argv[2], "--help")) {
        char *args[] = {"help", argv[1], NULL};
        return help(2, args);
    }
    if (!strcmp(command, "run"))
        return vellum_run_main(argc - 1, argv + 1);
    if (is_script(command))
        return script(command, argc - 1, argv + 1);
    if (!strcmp(command, "info"))
        return vellum_info_main(argc - 1, argv + 1);
    if (!strcmp(command, "objdump"))
        return vellum_objdump_main(argc - 1, argv + 1);
    if (!strcmp(command, "help") || !strcmp(command, "--help") || !strcmp(command, "-h"))
        return help(argc - 1, argv + 1);
    if (!strcmp(command, "--version") && argc == 2)
        return version();
    return complain("", EXIT_USAGE,
                    "unknown command '%s' (there are: cc, run, sweep, plot, compare, info, objdump, help)", command);
}
