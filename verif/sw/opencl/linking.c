/* clCompileProgram and clLinkProgram: several programs, libraries, functions without kernels, binaries of each kind, and the log of a link that fails. */
#include "check.h"

static cl_program source(const setup *s, const char *text)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(s->context, 1, &text, NULL, &e);
    GOOD(e);
    return p;
}

static cl_program compiled(const setup *s, const char *text, const char *options)
{
    cl_program p = source(s, text);
    GOOD(clCompileProgram(p, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    return p;
}

static cl_program_binary_type type(const setup *s, cl_program p)
{
    cl_program_binary_type t = 0xffff;
    GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BINARY_TYPE, sizeof t, &t, NULL));
    return t;
}

static bool log_has(const setup *s, cl_program p, const char *text)
{
    char log[2000] = "";
    GOOD(clGetProgramBuildInfo(p, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return strstr(log, text) && !strstr(log, "/tmp/");
}

static cl_program again(const setup *s, cl_program p)
{
    size_t bytes = 0;
    cl_int e, status;
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    OK(bytes > 100);
    unsigned char *binary = malloc(bytes);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program q =
        clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, (const unsigned char **)&binary, &status, &e);
    GOOD(e);
    GOOD(status);
    binary[9] ^= 1; /* a changed binary */
    OK(!clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, (const unsigned char **)&binary, &status, &e));
    CODE(status, CL_INVALID_BINARY);
    free(binary);
    return q;
}

static int answer(const setup *s, cl_program p, const char *name)
{
    int value[2] = {5, 0};
    cl_mem m = buffer(s, CL_MEM_COPY_HOST_PTR, sizeof value, value);
    cl_kernel k = kernel(p, name);
    GOOD(clSetKernelArg(k, 0, sizeof m, &m));
    GOOD(clEnqueueTask(s->queue, k, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof value, value, 0, NULL, NULL));
    GOOD(clReleaseKernel(k));
    GOOD(clReleaseMemObject(m));
    return value[1];
}

static cl_program link(const setup *s, const char *options, cl_uint n, const cl_program *inputs, cl_int want)
{
    cl_int e;
    cl_program p = clLinkProgram(s->context, 0, NULL, options, n, inputs, NULL, NULL, &e);
    CODE(e, want);
    return p;
}

static void several(const setup *s)
{
    /* each has a `mine` of its own; one function and one table are the other's; double, and printf, in one alone */
    cl_program a = compiled(s,
                            "int twice(int x); extern __constant int table[3];\n"
                            "static int mine(int x) { return x + 1; }\n"
                            "__kernel void first(__global int *p) { __local int l[2]; l[get_local_id(0)] = mine(p[0]); "
                            "p[1] = twice(l[0]) + table[2]; }",
                            "-Werror"),
               b = compiled(s,
                            "__constant int table[3] = {100, 200, 300};\n"
                            "static int mine(int x) { return x * SCALE; }\n"
                            "int twice(int x) { return mine(x) + (int)((double)x / 3 * 3); }\n",
                            "-Werror -D SCALE=2"),
               c = compiled(s,
                            "int twice(int x);\n__kernel void second(__global int *p) { p[1] = twice(twice(p[0])); "
                            "}\n__kernel void third(__global int *p) { p[1] = 7; }",
                            "");
    const cl_program all[] = {a, b, c}, turned[] = {c, b, a};
    OK(type(s, a) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && type(s, b) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    for (int i = 0; i < 2; i++) {
        cl_program p = link(s, "", 3, i ? turned : all, CL_SUCCESS);
        char names[100];
        GOOD(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
        OK(!strcmp(names, "first;second;third"));
        OK(type(s, p) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        CODE(answer(s, p, "first"), 3 * 6 + 300);
        CODE(answer(s, p, "second"), 45);
        CODE(answer(s, p, "third"), 7);
        cl_kernel k = kernel(p, "second");
        GOOD(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof names, names, NULL));
        OK(!strcmp(names, "p"));
        GOOD(clReleaseKernel(k));
        GOOD(clReleaseProgram(p));
    }
    /* a compiled program goes into many links, also as a binary */
    cl_program copy = again(s, b);
    OK(type(s, copy) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    CODE(clBuildProgram(copy, 0, NULL, NULL, NULL, NULL), CL_INVALID_BINARY);
    cl_program p = link(s, "-cl-fast-relaxed-math", 2, (cl_program[]){copy, c}, CL_SUCCESS);
    CODE(answer(s, p, "second"), 45);
    GOOD(clReleaseProgram(p));
    /* a missing symbol and a duplicate one are named */
    p = link(s, "", 1, &c, CL_LINK_PROGRAM_FAILURE);
    OK(p && log_has(s, p, "twice") && type(s, p) == CL_PROGRAM_BINARY_TYPE_NONE);
    cl_int e;
    clCreateKernel(p, "second", &e);
    CODE(e, CL_INVALID_PROGRAM_EXECUTABLE);
    GOOD(clReleaseProgram(p));
    p = link(s, "", 2, (cl_program[]){b, copy}, CL_LINK_PROGRAM_FAILURE);
    OK(p && log_has(s, p, "t"));
    GOOD(clReleaseProgram(p));
    p = link(s, "-create-library", 2, (cl_program[]){b, copy}, CL_LINK_PROGRAM_FAILURE);
    OK(p && type(s, p) == CL_PROGRAM_BINARY_TYPE_NONE);
    GOOD(clReleaseProgram(p));
    /* libraries: of two, of a library, and back from a binary */
    cl_program l = link(s, "-create-library -enable-link-options", 1, &b, CL_SUCCESS);
    OK(type(s, l) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    clCreateKernel(l, "second", &e);
    CODE(e, CL_INVALID_PROGRAM_EXECUTABLE);
    cl_program l2 = link(s, " -create-library", 2, (cl_program[]){l, c}, CL_SUCCESS), l3 = again(s, l2);
    OK(type(s, l3) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    p = link(s, "", 2, (cl_program[]){a, l3}, CL_SUCCESS);
    CODE(answer(s, p, "first"), 318);
    CODE(answer(s, p, "second"), 45);
    CODE(clBuildProgram(l3, 0, NULL, NULL, NULL, NULL), CL_INVALID_BINARY);
    GOOD(clReleaseProgram(p));
    OK(!link(s, "-enable-link-options", 1, &b, CL_INVALID_LINKER_OPTIONS));
    OK(!link(s, "-O3", 1, &b, CL_INVALID_LINKER_OPTIONS));
    GOOD(clReleaseProgram(l));
    GOOD(clReleaseProgram(l2));
    GOOD(clReleaseProgram(l3));
    GOOD(clReleaseProgram(copy));
    for (int i = 0; i < 3; i++)
        GOOD(clReleaseProgram(all[i]));
}

static int told;
static void CL_CALLBACK tell(cl_program p, void *user)
{
    told += p && user == &told;
}

static void functions_alone(const setup *s)
{
    cl_program p = build(s, "int f(int x) { return x; }\n", "");
    size_t n = 9;
    cl_int e;
    GOOD(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    OK(n == 0 && log_has(s, p, "there is no kernel in it"));
    clCreateKernel(p, "f", &e);
    CODE(e, CL_INVALID_KERNEL_NAME);
    cl_uint number = 9;
    GOOD(clCreateKernelsInProgram(p, 0, NULL, &number));
    CODE(number, 0);
    GOOD(clReleaseProgram(p));
    cl_program o = compiled(s, "int f(int x) { return x; }\n", "");
    p = clLinkProgram(s->context, 1, &s->device, NULL, 1, &o, tell, &told, &e);
    GOOD(e);
    CODE(told, 1);
    GOOD(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    OK(n == 0);
    GOOD(clReleaseProgram(p));
    GOOD(clReleaseProgram(o));
}

int main(void)
{
    setup s = begin(0);
    several(&s);
    functions_alone(&s);
    end(&s);
    return verdict();
}
