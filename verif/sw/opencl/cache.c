/* Builds that are kept. Without arguments: which builds of a process compile, by the lines of the file that COMPILES names (the compiler adds one each time).
 * With numbers: those programs, each of which gives its number. Results are right either way. */
#include "check.h"

#include <unistd.h>

static setup s;

static int compiles(void)
{
    FILE *f = fopen(getenv("COMPILES") ? getenv("COMPILES") : "/dev/null", "r");
    int n = 0;
    for (int c; f && (c = getc(f)) != EOF;)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

static cl_int value_of(cl_program p)
{
    cl_int x = -1;
    cl_kernel k = kernel(p, "k");
    cl_mem m = buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof x, &x);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueTask(s.queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof x, &x, 0, NULL, NULL));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    return x;
}

/* How often the compiler was called for a program that gives `value`; its log has `says`. */
static int built(const char *source, const char *options, cl_int value, const char *says)
{
    const int before = compiles();
    char log[4000] = "";
    cl_program p = build(&s, source, options);
    const int n = compiles() - before;
    GOOD(clGetProgramBuildInfo(p, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    OK(*says ? strstr(log, says) != NULL : !*log);
    CODE(value_of(p), value);
    GOOD(clReleaseProgram(p));
    return n;
}

static const char plain[] =
    "#ifndef V\n#define V 1\n#endif\n__kernel void k(__global int *x) { *x = V; } /* important */\n";

static void one_process(void)
{
    CODE(built(plain, "", 1, ""), 1);
    for (int i = 0; i < 3; i++)
        CODE(built(plain, "", 1, ""), 0);
    CODE(built(plain, "-DV=2", 2, ""), 1);
    CODE(built(plain, "-DV=3", 3, ""), 1);
    CODE(built(plain, "-D V=2", 2, ""), 1);
    CODE(built(plain, "-DV=2", 2, ""), 0);
    CODE(built("__kernel void k(__global int *x) { *x = 1; }\n", "", 1, ""), 1);
    const char noisy[] = "#warning it is said again\n__kernel void k(__global int *x) { *x = 4; }\n";
    CODE(built(noisy, "", 4, "it is said again"), 1);
    CODE(built(noisy, "", 4, "it is said again"), 0);
    CODE(built("__kernel void k(__global int *x) { *x = sizeof(__TIME__) - 5; }\n", "", 4, ""), 1);
    CODE(built("__kernel void k(__global int *x) { *x = sizeof(__TIME__) - 5; }\n", "", 4, ""), 1);
    const char *wrong = "__kernel void k(__global int *x) { *x = nothing; }\n";
    cl_int e;
    for (int i = 0; i < 2; i++) { /* a failure is not kept */
        const int before = compiles();
        cl_program p = clCreateProgramWithSource(s.context, 1, &wrong, NULL, &e);
        CODE(clBuildProgram(p, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
        CODE(compiles() - before, 1);
        GOOD(clReleaseProgram(p));
    }
}

static void put(const char *path, cl_int value)
{
    FILE *f = fopen(path, "w");
    OK(f && fprintf(f, "#define V %d\n", value) > 0 && !fclose(f));
}

/* Files of the program: a change is seen, however the #include is spelled. */
static void included_files(void)
{
    char dir[] = "/tmp/cache.XXXXXX", path[64], options[64];
    static const char *const spelled[] = {"#include \"v.h\"\n",
                                          "#include <v.h>\n",
                                          "#  include\t\"v.h\"\n",
                                          "#inc\\\nlude \"v.h\"\n",
                                          "%:include \"v.h\"\n",
                                          "#/* */include \"v.h\"\n",
                                          "#define H <v.h>\n#include H\n",
                                          "#import \"v.h\"\n",
                                          "#if __has_include(\"v.h\")\n#include \"v.h\"\n#endif\n"};
    OK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/v.h", dir);
    snprintf(options, sizeof options, "-w -I %s", dir);
    const int some = getenv("VELLUM_REGRESS") ? 0 : 3;
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i += some ? (size_t)some : 1) {
        char source[200];
        snprintf(source, sizeof source, "%s__kernel void k(__global int *x) { *x = V; }\n", spelled[i]);
        put(path, 5);
        CODE(built(source, options, 5, ""), 1);
        put(path, 6);
        CODE(built(source, options, 6, ""), 1);
    }
    unlink(path);
    rmdir(dir);
}

/* Headers of a call are part of the key. */
static cl_int compiled(const char *header, cl_int value)
{
    const char *source = "#include \"v.h\"\n__kernel void k(__global int *x) { *x = V; }\n", *name = "v.h";
    cl_int e;
    const int before = compiles();
    cl_program h = clCreateProgramWithSource(s.context, 1, &header, NULL, &e);
    cl_program p = clCreateProgramWithSource(s.context, 1, &source, NULL, &e);
    GOOD(clCompileProgram(p, 0, NULL, "", 1, &h, &name, NULL, NULL));
    cl_program l = clLinkProgram(s.context, 0, NULL, "", 1, &p, NULL, NULL, &e);
    GOOD(e);
    const int n = compiles() - before;
    CODE(value_of(l), value);
    GOOD(clReleaseProgram(l));
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseProgram(h));
    return n;
}

int main(int argc, char **argv)
{
    s = begin(0);
    for (int i = 1; i < argc; i++) {
        char source[120];
        snprintf(source, sizeof source, "__kernel void k(__global int *x) { *x = %d; }\n", atoi(argv[i]));
        built(source, "", atoi(argv[i]), "");
    }
    if (argc == 1) {
        one_process();
        included_files();
        CODE(compiled("#define V 7\n", 7), 2);
        CODE(compiled("#define V 7\n", 7), 0);
        CODE(compiled("#define V 8\n", 8), 2);
    }
    end(&s);
    return verdict();
}
