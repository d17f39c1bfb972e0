/* The compiler is a script, another one for each test, in a tree of our own (VELLUM_ROOT): its words and files, its ends and failures, and the builds that are kept.
 * Nothing is left: no file, no descriptor, no child. */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static setup s;
static char dir[64], text[PATH_MAX + 64], log_text[20000];
enum { MOST = 100000 }; /* VELLUM_BUILD_CACHE */

/* "DIR/name", in one of a few places. */
static const char *in(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    snprintf(paths[next = (next + 1) % 4], PATH_MAX, "%s/%s", dir, name);
    return paths[next];
}

static void put(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");
    OK(f && fputs(content, f) >= 0 && !fclose(f));
}

static long bytes_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? -1 : (long)st.st_size;
}

/* How many files a folder has; names that begin with a dot do not count. */
static int names_in(const char *path)
{
    DIR *d = opendir(path);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n += *e->d_name != '.';
    if (d)
        closedir(d);
    return n;
}

/* The script knows `here`, the folder of its inputs, `out`, and `dir`. It counts its calls. */
static void act(const char *body)
{
    char script[2000];
    snprintf(script, sizeof script,
             "#!/bin/sh\nfor last; do [ \"$o\" = - ] && out=$last; o=; [ \"$last\" = -o ] && o=-; done\n"
             "here=${last%%/*} dir=%s\necho >>$dir/calls\n%s\n",
             dir, body);
    put(in("build/vellum"), script);
    OK(!chmod(in("build/vellum"), 0755));
}

static cl_program source(const char *code)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(s.context, 1, &code, NULL, &e);
    GOOD(e);
    return p;
}

/* Takes the log; a build with this code has made this, or nothing. */
static void ended(cl_program p, cl_int code, cl_program_binary_type makes)
{
    cl_program_binary_type type = 77;
    cl_build_status status = 77;
    size_t bytes = 77;
    GOOD(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    OK(type == (code ? CL_PROGRAM_BINARY_TYPE_NONE : makes));
    GOOD(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    CODE(status, code ? CL_BUILD_ERROR : CL_BUILD_SUCCESS);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    OK(!bytes == !!code);
    GOOD(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_LOG, sizeof log_text, log_text, NULL));
}

/* A program of which nothing is known is built: the code, and its log. */
static cl_int built(const char *options)
{
    static int number;
    char code[64];
    snprintf(code, sizeof code, "// %d\n", number++);
    cl_program p = source(code);
    const cl_int is = clBuildProgram(p, 0, NULL, options, NULL, NULL);
    ended(p, is, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    GOOD(clReleaseProgram(p));
    return is;
}

#define LOG(want)                                                                                                      \
    do {                                                                                                               \
        const bool same = !strcmp(log_text, want);                                                                     \
        OK(same);                                                                                                      \
        if (!same)                                                                                                     \
            printf("the log is '%s', not '%s'\n", log_text, want);                                                     \
    } while (0)

static const char good[] = "cp $dir/image $out";

/* ---- how the compiler is called, and how it ends ---- */

static void ends(void)
{
    act("echo one; echo two >&2; exit 1");
    CODE(built(""), CL_BUILD_PROGRAM_FAILURE);
    LOG("one\ntwo\n");
    act("exit 2");
    CODE(built(""), CL_INVALID_BUILD_OPTIONS);
    act("kill -9 $$");
    CODE(built(""), CL_COMPILER_NOT_AVAILABLE);
    act("exit 0"); /* without an image */
    CODE(built(""), CL_COMPILER_NOT_AVAILABLE);
    LOG("");
    act("echo no image >$out");
    CODE(built(""), CL_BUILD_PROGRAM_FAILURE);
    act("for i in 1 2 3 4 5 6 7 8 9 10; do printf '%01000d' $i; done; cp $dir/image $out");
    GOOD(built(""));
    OK(strlen(log_text) == 10000 && log_text[999] == '1' && log_text[9998] == '1' && log_text[9999] == '0');
    act("echo $here/program.cl:1: bad, in $here.; exit 1");
    CODE(built(""), CL_BUILD_PROGRAM_FAILURE);
    LOG("program.cl:1: bad, in .\n");
    OK(!unlink(in("build/vellum")));
    CODE(built(""), CL_COMPILER_NOT_AVAILABLE);
    snprintf(text, sizeof text, "cannot run %s/build/vellum: No such file or directory\n", dir);
    LOG(text);
}

static void on_alarm(int number)
{
    (void)number;
}

static void signals(void)
{
    const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {0};
    OK(!sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL)); /* it interrupts calls */
    act("sleep 0.05; echo late; exec >&- 2>&-; sleep 0.05; cp $dir/image $out");
    OK(!setitimer(ITIMER_REAL, &often, NULL));
    GOOD(built(""));
    LOG("late\n");
    act("exec >&- 2>&-; sleep 0.05; exit 1");
    CODE(built(""), CL_BUILD_PROGRAM_FAILURE);
    OK(!setitimer(ITIMER_REAL, &never, NULL));
    signal(SIGCHLD, SIG_IGN); /* then there is no status: the image shows it */
    act(good);
    GOOD(built(""));
    act("exit 1");
    CODE(built(""), CL_COMPILER_NOT_AVAILABLE);
    signal(SIGCHLD, SIG_DFL);
    CODE(waitpid(-1, NULL, 0), -1);
    CODE(errno, ECHILD);
}

static void words(void)
{
    static const struct {
        const char *options, *become;
    } table[] = {
        {"", ""},
        {" \t\n-w\r-DX ", "-w|-DX|"},
        {"-D X=1 -I . -UY", "-D|X=1|-I|.|-UY|"},
        {"-DA=\"b c\" '-DD=e f' -DG\\ H -D'I\\J' -DK=\"L\\\"M\" -DN=\\",
         "-DA=b c|-DD=e f|-DG H|-DI\\J|-DK=L\"M|-DN=\\|"},
        {"-cl-opt-disable -g -O3 -Werror -cl-std=CL1.1", "-O0|-g|-O3|-Werror|-cl-std=CL1.1|"},
        {"-cl-denorms-are-zero -cl-strict-aliasing -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info", ""},
        {"-cl-mad-enable -cl-fast-relaxed-math -cl-single-precision-constant",
         "-cl-mad-enable|-cl-fast-relaxed-math|-cl-single-precision-constant|"},
        {"-cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only",
         "-cl-no-signed-zeros|-cl-unsafe-math-optimizations|-cl-finite-math-only|"},
    };
    act("readlink /proc/$$/fd/0; printf '%s|' \"$@\"; cat $last; cp $dir/image $out");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        GOOD(built(table[i].options));
        snprintf(text, sizeof text, "/dev/null\ncc|--no-kernels|%s-o|out.elf|program.cl|// ", table[i].become);
        OK(!strncmp(log_text, text, strlen(text)));
        if (strncmp(log_text, text, strlen(text)))
            printf("%s: %s\n", table[i].options, log_text);
    }
    static const char *const wrong[] = {"-D", "-w -I", "-wx", "x", "--none", "-cl-opt-disable2", "-DX -U"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CODE(built(wrong[i]), CL_INVALID_BUILD_OPTIONS);
        const char *space = strrchr(wrong[i], ' ');
        snprintf(text, sizeof text, "%s is no option of OpenCL 1.2\n", space ? space + 1 : wrong[i]);
        LOG(text);
    }
}

/* ---- folders and inputs ---- */

static void folders(void)
{
    act("echo $here >$dir/where; cp $dir/image $out");
    GOOD(built(""));
    OK(bytes_of(in("where")) == (long)strlen(in("temporary/vellumcl.XXXXXX")) + 1);
    OK(!names_in(in("temporary"))); /* all of it has gone */
    OK(!rmdir(in("temporary")));
    CODE(built(""), CL_COMPILER_NOT_AVAILABLE);
    LOG("no temporary folder: No such file or directory\n");
    OK(!setenv("TMPDIR", "", 1));
    GOOD(built(""));
    OK(bytes_of(in("where")) == (long)strlen("/tmp/vellumcl.XXXXXX\n"));
    OK(!unsetenv("TMPDIR"));
    GOOD(built(""));
    OK(bytes_of(in("where")) == (long)strlen("/tmp/vellumcl.XXXXXX\n"));
    OK(!setenv("TMPDIR", in("temporary"), 1) && !mkdir(in("temporary"), 0777));
}

/* A program with headers is compiled: the code, and its log. */
static cl_int compiled(const char *code, cl_uint n, const char **names, const char **contents, const char *options)
{
    cl_program headers[4], p = source(code);
    for (cl_uint i = 0; i < n; i++)
        headers[i] = source(contents[i]);
    const cl_int is = clCompileProgram(p, 0, NULL, options, n, n ? headers : NULL, n ? names : NULL, NULL, NULL);
    ended(p, is, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    for (cl_uint i = 0; i < n; i++)
        GOOD(clReleaseProgram(headers[i]));
    GOOD(clReleaseProgram(p));
    return is;
}

static const char object[] = "printf 'BC\\300\\336 object' >$out";

static void inputs(void)
{
    const char *three[] = {"a/b.h", "a/c.h", "d.h"}, *contents[] = {"B", "C", "D", "E"};
    char script[200], *name = malloc(PATH_MAX + 1);
    snprintf(script, sizeof script,
             "printf '%%s|' \"$@\"; cat $here/include/a/b.h $here/include/a/c.h $here/include/d.h; %s", object);
    act(script);
    GOOD(compiled("// h", 3, three, contents, "-DX"));
    LOG("cc|--no-kernels|-c|-DX|-Iinclude|-o|out.bc|program.cl|BCD");
    act(object);
    memset(name, 'x', PATH_MAX);
    name[PATH_MAX] = 0;
    const char *refused[] = {"/x.h", "../x.h", "a/../../x.h", name};
    for (int i = 0; i < 4; i++) {
        CODE(compiled("// h", 1, &refused[i], contents, ""), CL_COMPILER_NOT_AVAILABLE);
        CODE(compiled("// h", 2, (const char *[]){"y.h", refused[i]}, contents, ""), CL_COMPILER_NOT_AVAILABLE);
    }
    CODE(compiled("// h", 2, (const char *[]){"f", "f/g.h"}, contents, ""), CL_COMPILER_NOT_AVAILABLE);
    CODE(compiled("// h", 2, (const char *[]){"f/g.h", "f"}, contents, ""), CL_COMPILER_NOT_AVAILABLE);
    free(name);
    act("exit 1");
    CODE(compiled("// i", 0, NULL, NULL, ""), CL_COMPILE_PROGRAM_FAILURE);
    act("exit 2");
    CODE(compiled("// i", 0, NULL, NULL, ""), CL_INVALID_COMPILER_OPTIONS);
}

/* Files that are longer than they may be: written at once, or when they are closed. */
static void long_files(void)
{
    struct rlimit before, few;
    OK(!getrlimit(RLIMIT_FSIZE, &before));
    few = before;
    few.rlim_cur = 1024;
    signal(SIGXFSZ, SIG_IGN);
    char *code = malloc(100001);
    for (int bytes = 1500; bytes < 150000; bytes += 98500) {
        memset(code, ' ', (size_t)bytes);
        code[bytes] = 0;
        act(object);
        OK(!setrlimit(RLIMIT_FSIZE, &few));
        CODE(compiled(code, 0, NULL, NULL, ""), CL_COMPILER_NOT_AVAILABLE);
        CODE(compiled("// j", 1, (const char *[]){"k.h"}, (const char **)&code, ""), CL_COMPILER_NOT_AVAILABLE);
        OK(!setrlimit(RLIMIT_FSIZE, &before));
        GOOD(compiled(code, 0, NULL, NULL, ""));
    }
    free(code);
    signal(SIGXFSZ, SIG_DFL);
}

static void links(void)
{
    cl_int e;
    cl_program p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = source(i ? "// 2" : "// 1");
        act(i ? "printf 'BC\\300\\336 second' >$out" : "printf 'BC\\300\\336 first,' >$out");
        GOOD(clCompileProgram(p[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    }
    static const struct {
        const char *body, *options, *says;
        cl_int code;
    } table[] = {
        {"printf '%s|' \"$@\"; tail -qc +5 $here/*.bc; cp $dir/image $out", "",
         "cc|--no-kernels|-o|out.elf|input0.bc|input1.bc| first, second", CL_SUCCESS},
        {"printf '%s|' \"$@\"; printf 'BC\\300\\336 library' >$out", "-create-library -enable-link-options",
         "cc|--no-kernels|-c|-o|out.bc|input0.bc|input1.bc|", CL_SUCCESS},
        {"echo no; exit 1", "-cl-fast-relaxed-math", "no\n", CL_LINK_PROGRAM_FAILURE},
        {"exit 2", "", "", CL_LINK_PROGRAM_FAILURE},
        {"echo no image >$out", "", "", CL_LINK_PROGRAM_FAILURE},
        {"kill -9 $$", "", "", CL_LINKER_NOT_AVAILABLE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        act(table[i].body);
        cl_program l = clLinkProgram(s.context, 0, NULL, table[i].options, 2, p, NULL, NULL, &e);
        CODE(e, table[i].code);
        ended(l, e, i == 1 ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        LOG(table[i].says);
        GOOD(clReleaseProgram(l));
    }
    GOOD(clReleaseProgram(p[0]));
    GOOD(clReleaseProgram(p[1]));
}

/* ---- builds that are kept ---- */

/* How often the compiler was called for a program that gives an object. */
static int calls(const char *code, cl_uint n, const char **names, const char **contents, const char *options)
{
    const long before = bytes_of(in("calls"));
    GOOD(compiled(code, n, names, contents, options));
    return (int)(bytes_of(in("calls")) - before);
}

/* It is compiled now, and not again. */
#define ANEW(...)                                                                                                      \
    do {                                                                                                               \
        CODE(calls(__VA_ARGS__), 1);                                                                                   \
        CODE(calls(__VA_ARGS__), 0);                                                                                   \
    } while (0)
/* It is compiled each time. */
#define ALWAYS(...)                                                                                                    \
    do {                                                                                                               \
        CODE(calls(__VA_ARGS__), 1);                                                                                   \
        CODE(calls(__VA_ARGS__), 1);                                                                                   \
    } while (0)
#define PLAIN "// a plain program", 0, NULL, NULL, ""

static void date(const char *path, long seconds, long nanoseconds)
{
    const struct timespec at[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    OK(!utimensat(AT_FDCWD, path, at, 0));
}

/* Another file at a place, or another size or time of the same one. */
static void replaced(const char *name)
{
    struct stat st;
    char path[PATH_MAX], copy[PATH_MAX + 8], command[2 * PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    date(path, 1000, 5);
    ANEW(PLAIN);
    date(path, 1000, 6);
    ANEW(PLAIN);
    date(path, 1001, 6);
    ANEW(PLAIN);
    OK(!stat(path, &st));
    snprintf(copy, sizeof copy, "%s.copy", path);
    snprintf(command, sizeof command, "cp -p %s %s", path, copy);
    OK(!system(command) && !rename(copy, path));
    date(path, 1001, 6);
    ANEW(PLAIN);
    snprintf(command, sizeof command, "echo >>%s", path);
    OK(!system(command));
    date(path, 1001, 6);
    ANEW(PLAIN);
}

static void compilers(void)
{
    static const char *const tools[] = {"clang-19", "ld.lld-19", "ld.lld"}, *const libraries[] = {
                                                                                "build/device", "device", "lib",
                                                                                "lib/vellum", "lib/vellum/device"};
    char *path = strdup(getenv("PATH"));
    act(object);
    ANEW(PLAIN);
    replaced("build/vellum");
    OK(!mkdir(in("bin"), 0777) && !mkdir(in("other"), 0777));
    snprintf(text, sizeof text, "%s::%s:%s", in("other"), in("bin"), path);
    OK(!setenv("PATH", text, 1));
    CODE(calls(PLAIN), 0); /* nothing is there */
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "bin/%s", tools[i]);
        put(in(text), "tool");
        ANEW(PLAIN);
    }
    replaced("bin/ld.lld");
    OK(!rename(in("bin/ld.lld"), in("other/ld.lld")));
    ANEW(PLAIN);
    OK(!setenv("PATH", path, 1));
    CODE(calls(PLAIN), 0);
    for (int i = 0; i < 5; i++) {
        OK(!mkdir(in(libraries[i]), 0777));
        CODE(calls(PLAIN), 0);
        snprintf(text, sizeof text, "%s/library", libraries[i]);
        put(in(text), "library");
        CODE(calls(PLAIN), i != 2 && i != 3);
    }
    replaced("device/library");
    OK(!mkdir(in("own"), 0777) && !setenv("VELLUM_DEVICE", in("own"), 1));
    CODE(calls(PLAIN), 0);
    put(in("own/a"), "a");
    ANEW(PLAIN);
    OK(!unsetenv("VELLUM_DEVICE"));
    CODE(calls(PLAIN), 0);
    free(path);
}

/* Which sources are kept: those that read no file but the headers of the call. */
static void sources(void)
{
    static const struct {
        const char *code;
        bool kept;
    } table[] = {
        {"#include \"v.h\"\n", true},
        {" # include\t<v.h>\n", true},
        {"#include <v.h>\n%:include \"v.h\"\n", true},
        {"#define v.h\n#if 1\n#endif\n", true},
        {"x % y: z include", true},
        {"#includ \"w.h\"\n", true},
        {"#include \"w.h\"\n", false}, /* as long as v.h */
        {"#include \"v.hh\"\n", false},
        {"#include \"v.\"\n", false},
        {"#include <v.h\n", false},
        {"#include \"v.h>\n", false},
        {"#include v.h\n", false},
        {"%:include \"w.h\"\n", false},
        {"#inc\\\nlude \"w.h\"\n", false},
        {"#inc\\\r\nlude \"w.h\"\n", false},
        {"#/**/include \"v.h\"\n", false},
        {"# import \"v.h\"\n", false},
        {"# embed \"v.h\"\n", false},
        {"#include \"w.h\"\n#include \"v.h\"\n", false},
        {"__TIME__\n#include \"v.h\"\n", false},
        {"__has_include", false},
        {"__has_embed", false},
        {"__DATE__", false},
        {"__TIME__", false},
        {"__TIME\\\nSTAMP__", false},
        {"?"
         "?=include",
         false},
        {"\\\r __DATE \\n__", true},
    };
    const char *names[] = {"u.h", "v.h"}, *contents[] = {"// u", "// v"};
    act(object);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int before = failed;
        if (table[i].kept)
            ANEW(table[i].code, 2, names, contents, "");
        else
            ALWAYS(table[i].code, 2, names, contents, "");
        if (failed > before)
            printf("of the source '%s'\n", table[i].code);
        if (table[i].kept && i > 2) /* not because of a header alone */
            continue;
        contents[1] = table[i].code; /* of a header, too */
        if (!table[i].kept)
            ALWAYS("// nothing", 2, names, contents, "");
        contents[1] = "// v";
    }
    ANEW("// a", 1, names, contents, "-DI");
    ANEW("// a", 1, names, contents, "-DJ");
    ANEW("// a", 1, names, contents, "-D J");
    ALWAYS("// a", 1, names, contents, "-I .");
    ALWAYS("// a", 1, names, contents, "-w -I.");
    ANEW("// a", 0, NULL, NULL, "-w -I.");
    ANEW("// a", 1, &names[1], contents, "-DI");
    ANEW("// a", 1, names, &contents[1], "-DI");
    ANEW("// a", 2, names, contents, "-DI");
    ANEW("// ab", 2, names, contents, "-DI");
    ANEW("// b", 1, (const char *[]){"-D"}, (const char *[]){"M"}, "-w"); /* not the same as two options */
    ANEW("// b", 0, NULL, NULL, "-w -D M");
    act("echo again; printf 'BC\\300\\336 object' >$out");
    ANEW("// ab", 2, names, contents, "-DI");
    LOG("again\n");
}

/* ---- where they are kept, and how many ---- */

/* A program of which the compiler makes `bytes`: how often it was called. */
static int sized(const char *name, long bytes)
{
    char code[64];
    const long before = bytes_of(in("calls"));
    snprintf(code, sizeof code, "// %s %08ld", name, bytes);
    CODE(compiled(code, 0, NULL, NULL, ""), CL_SUCCESS);
    return (int)(bytes_of(in("calls")) - before);
}

/* Other builds take all the memory for builds. */
static void forget(void)
{
    sized("fill", 17 << 20);
    sized("more", 17 << 20);
}

static const char *only_file(const char *folder)
{
    DIR *d = opendir(in(folder));
    static char path[PATH_MAX];
    for (struct dirent *e; d && (e = readdir(d));)
        if (*e->d_name != '.')
            snprintf(path, sizeof path, "%s/%s", in(folder), e->d_name);
    if (d)
        closedir(d);
    OK(names_in(in(folder)) == 1);
    return path;
}

/* A log is kept without the name of a folder. */
static void kept_logs(void)
{
    OK(!setenv("XDG_CACHE_HOME", in("log"), 1));
    act("echo $here/said; printf 'BC\\300\\336 object' >$out");
    ANEW("// first", 0, NULL, NULL, "");
    const long bytes = bytes_of(only_file("log/vellum/builds"));
    OK(!unlink(only_file("log/vellum/builds")));
    act("echo said; printf 'BC\\300\\336 object' >$out; # ");
    ANEW("// other", 0, NULL, NULL, "");
    CODE(bytes_of(only_file("log/vellum/builds")), bytes);
    LOG("said\n");
}

static long places(void)
{
    char *cache = strdup(getenv("XDG_CACHE_HOME")), *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    act("set -- $(cat $last); printf 'BC\\300\\336' >$out; head -c ${3#${3%%[1-9]*}} /dev/zero >>$out");
    OK(!setenv("XDG_CACHE_HOME", in("one"), 1) && !unsetenv("HOME"));
    CODE(sized("a", 100), 1);
    const long bytes = bytes_of(only_file("one/vellum/builds"));
    struct stat folder;
    for (int i = 0; i < 3; i++) { /* they are the user's alone */
        static const char *const parts[] = {"one", "one/vellum", "one/vellum/builds"};
        OK(!stat(in(parts[i]), &folder) && (folder.st_mode & 07777) == 0700);
    }
    OK(bytes > 104);
    forget();
    CODE(sized("a", 100), 0); /* of the file, and then of memory */
    OK(!unlink(only_file("one/vellum/builds")));
    CODE(sized("a", 100), 0);
    OK(!setenv("XDG_CACHE_HOME", "relative", 1)); /* which counts as unset */
    CODE(sized("b", 100), 1);
    OK(!names_in(in("one/vellum/builds")) && bytes_of("relative") < 0);
    OK(!setenv("HOME", in("home"), 1));
    CODE(sized("c", 100), 1);
    OK(bytes_of(only_file("home/.cache/vellum/builds")) == bytes);
    OK(!unsetenv("XDG_CACHE_HOME"));
    CODE(sized("d", 100), 1);
    CODE(names_in(in("home/.cache/vellum/builds")), 2);
    OK(!setenv("XDG_CACHE_HOME", in("two"), 1)); /* goes before HOME */
    CODE(sized("e", 100), 1);
    OK(bytes_of(only_file("two/vellum/builds")) == bytes);
    if (home)
        OK(!setenv("HOME", home, 1));
    OK(!setenv("XDG_CACHE_HOME", in("three"), 1));
    free(home);
    free(cache);
    return bytes - 104; /* head, key and log */
}

/* Which of the three that were used at times of their own are left when a fourth comes. */
static void last_used(const char *const paths[3], const long times[3][2], int oldest, long more, long over)
{
    for (int i = 0; i < 3; i++)
        date(paths[i], times[i][0], times[i][1]);
    char name[16];
    static int number;
    snprintf(name, sizeof name, "%d", number++);
    CODE(sized(name, more), 1);
    for (int i = 0; i < 3; i++) {
        OK((bytes_of(paths[i]) < 0) == (over && i == oldest));
    }
}

static void limits(long around)
{
    const char *const names[] = {"x", "y", "z"};
    char paths[3][PATH_MAX];
    static const long times[4][3][2] = {{{10, 5}, {10, 7}, {9, 900}},
                                        {{10, 7}, {10, 5}, {11, 0}},
                                        {{10, 5}, {10, 7}, {10, 6}},
                                        {{9, 0}, {10, 7}, {11, 6}}};
    static const int oldest[] = {2, 1, 0, 0};
    const long part = MOST / 4 - around - 4; /* four are as many bytes as may be */
    for (int over = 0; over < 2; over++)
        for (int k = 0; k < (over ? 4 : 1); k++) {
            snprintf(text, sizeof text, "rm -rf %s", in("three"));
            OK(!system(text));
            for (int i = 0; i < 3; i++) {
                const int had = names_in(in("three/vellum/builds"));
                char name[16];
                snprintf(name, sizeof name, "%s%d%d", names[i], over, k);
                CODE(sized(name, part - 2), 1); /* a name has two more bytes */
                OK(names_in(in("three/vellum/builds")) == had + 1);
                DIR *d = opendir(in("three/vellum/builds"));
                for (struct dirent *e; d && (e = readdir(d));) {
                    bool known = *e->d_name == '.';
                    for (int j = 0; j < i; j++)
                        known = known || strstr(paths[j], e->d_name);
                    if (!known)
                        snprintf(paths[i], PATH_MAX, "%s/%s", in("three/vellum/builds"), e->d_name);
                }
                closedir(d);
            }
            last_used((const char *const[]){paths[0], paths[1], paths[2]}, times[k], oldest[k], part + over, over);
        }
    snprintf(text, sizeof text, "rm -rf %s", in("three")); /* one alone, as large as may be, and larger */
    OK(!system(text));
    CODE(sized("l", MOST - around - 4), 1);
    CODE(bytes_of(only_file("three/vellum/builds")), MOST);
    CODE(sized("m", MOST - around - 3), 1);
    CODE(bytes_of(only_file("three/vellum/builds")), MOST);
    forget();
    CODE(sized("l", MOST - around - 4), 0);
    CODE(sized("m", MOST - around - 3), 1);
    const long half = (16 << 20) - around - 4; /* in memory there is room for 32 MB */
    CODE(sized("n", half), 1);
    CODE(sized("o", half), 1);
    CODE(sized("n", half), 0);
    CODE(sized("o", half + 1), 1);
    CODE(sized("o", half + 1), 0);
    CODE(sized("n", half), 1);
    CODE(sized("p", 2 * half + around + 5), 1); /* none that is larger than that */
    CODE(sized("n", half), 0);
}

int main(void)
{
    char *root = realpath(getenv("VELLUM_ROOT"), NULL), *temporary = getenv("TMPDIR"), target[PATH_MAX + 32], most[16];
    static const char *const parts[] = {"rtl", "scripts", "build/cfg", "build/gen"};
    snprintf(dir, sizeof dir, "%.40s/compiler.XXXXXX", temporary ? temporary : "/tmp");
    OK(root && mkdtemp(dir) && !mkdir(in("build"), 0777));
    for (int i = 0; i < 4; i++) {
        snprintf(target, sizeof target, "%s/%s", root, parts[i]);
        OK(!symlink(target, in(parts[i])));
    }
    snprintf(most, sizeof most, "%d", MOST);
    OK(!setenv("VELLUM_ROOT", dir, 1) && !setenv("VELLUM_BUILD_CACHE", most, 1)
       && !setenv("XDG_CACHE_HOME", in("zero"), 1) && !setenv("TMPDIR", in("temporary"), 1)
       && !mkdir(in("temporary"), 0777));
    s = begin(0);
    const int descriptors = names_in("/proc/self/fd");
    snprintf(text, sizeof text, "%s/build/vellum \"$@\"; status=$?; cp $out $dir/image; exit $status", root);
    act(text);
    cl_program p = build(&s, "__kernel void k(__global int *x) { *x = 1; }\n", "");
    GOOD(clReleaseProgram(p));
    ends();
    signals();
    words();
    folders();
    inputs();
    long_files();
    links();
    compilers();
    sources();
    kept_logs();
    limits(places());
    CODE(names_in("/proc/self/fd"), descriptors);
    OK(!names_in(in("temporary")));
    end(&s);
    snprintf(text, sizeof text, "rm -rf %s", dir);
    OK(!system(text));
    free(root);
    return verdict();
}
