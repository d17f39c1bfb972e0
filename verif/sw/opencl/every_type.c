/* The language over every scalar type and every size of vector, as the conformance suite's basic tests go over them: loads and stores of vectors in each kind of memory and at each
 * alignment, as_type between all of a size, halves and components, creation of a vector from all parts, casts of scalars to vectors, addresses, copies by the group with strides. */
#include "check.h"

#include <stdarg.h>

enum { TYPES = 10, SIZES = 6, ELEMENTS = 64, ITEMS = 16 };
typedef struct {
    const char *name;
    size_t bytes;
    bool real;
} type;
static const type types[TYPES] = {{"char", 1, false}, {"uchar", 1, false}, {"short", 2, false}, {"ushort", 2, false},
                                  {"int", 4, false},  {"uint", 4, false},  {"long", 8, false},  {"ulong", 8, false},
                                  {"float", 4, true}, {"double", 8, true}};
static const int sizes[SIZES] = {1, 2, 3, 4, 8, 16};
static const char *const suffix[SIZES] = {"", "2", "3", "4", "8", "16"};
static setup s;

/* ---- the program's text ---- */

static char text[1 << 18];
static size_t at;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    at += (size_t)vsnprintf(text + at, sizeof text - at, format, list);
    va_end(list);
}

static cl_program built(void)
{
    at = 0;
    return build(&s, text, "");
}

/* ---- data, and running ---- */

static uint32_t state = 2024;
static uint32_t next(void)
{
    return (state = state * 1664525 + 1013904223) >> 8;
}

/* Random bytes that are no NaN, and no denormal, of either float type. */
static void fill(void *to, size_t bytes, const type *t)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = (unsigned char)next();
    for (size_t i = t->bytes - 1; t->real && i < bytes; i += t->bytes)
        ((unsigned char *)to)[i] = 0x41;
}

static size_t room(const type *t, int n) /* of a vector in memory */
{
    return t->bytes * (size_t)(n == 3 ? 4 : n);
}

/* Arguments of a kernel: bytes of the host, which come back, or local memory. */
typedef struct {
    void *host;
    size_t bytes;
} arg;

static void run(cl_program p, const char *name, size_t items, cl_uint n, const arg *args)
{
    cl_kernel k = kernel(p, name);
    cl_mem m[10] = {NULL};
    for (cl_uint i = 0; i < n; i++)
        if (args[i].host) {
            m[i] = buffer(&s, CL_MEM_COPY_HOST_PTR, args[i].bytes, args[i].host);
            GOOD(clSetKernelArg(k, i, sizeof m[i], &m[i]));
        } else {
            GOOD(clSetKernelArg(k, i, args[i].bytes, NULL));
        }
    GOOD(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &items, &items, 0, NULL, NULL));
    for (cl_uint i = 0; i < n; i++)
        if (m[i]) {
            GOOD(clEnqueueReadBuffer(s.queue, m[i], CL_TRUE, 0, args[i].bytes, args[i].host, 0, NULL, NULL));
            GOOD(clReleaseMemObject(m[i]));
        }
    GOOD(clReleaseKernel(k));
}

static void right(bool ok, const char *what, const type *t, int n)
{
    check(ok, what, n, t->name);
}

/* ---- vectors to and from scalars in memory ---- */

static void say_memory(const type *t)
{
    say("#define T %s\n#define E %d\n", t->name, ELEMENTS);
    for (int i = 1; i < SIZES; i++)
        say("#define T%d %s%d\n", sizes[i], t->name, sizes[i]);
    for (int i = 1; i < SIZES; i++) {
        const int n = sizes[i];
        say("__kernel void load%d(__global T *in, __constant T *c, __local T *l, __global uint *where, __global T *o)\n"
            "{ size_t i = get_global_id(0), n = get_global_size(0); T p[E]; for (int j = 0; j < E; j++) p[j] = in[j];\n"
            "  for (int j = i; j < E; j += n) l[j] = in[j];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  uint off = where[i] / %d, shift = where[i] %% %d;\n",
            n, n, n);
        const char *const memory[] = {"in", "c", "l", "p"};
        for (int m = 0; m < 4; m++)
            say("  vstore%d(vload%d(off, %s + shift), i + %d * n, o);\n", n, n, memory[m], m);
        say("}\n__kernel void store%d(__global T *in, __local T *l, __global uint *where, __global T *o)\n"
            "{ size_t i = get_global_id(0), n = get_global_size(0); T p[E]; for (int j = 0; j < E; j++) p[j] = 0;\n"
            "  for (int j = i; j < E; j += n) l[j] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  uint off = where[i] / %d, shift = where[i] %% %d; T%d v = vload%d(i, in);\n"
            "  vstore%d(v, off, o + shift); vstore%d(v, off, l + shift); vstore%d(v, off, p + shift);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE); for (int j = i; j < E; j += n) o[E + j] = l[j];\n"
            "  for (int j = 0; j < E; j++) o[(2 + i) * E + j] = p[j];\n}\n",
            n, n, n, n, n, n, n, n);
    }
}

static void memory(cl_program p, const type *t)
{
    const size_t b = t->bytes;
    unsigned char in[ELEMENTS * 8], out[(2 + ITEMS) * ELEMENTS * 8], want[(2 + ITEMS) * ELEMENTS * 8];
    cl_uint where[ITEMS];
    for (int i = 1; i < SIZES; i++) {
        const size_t n = (size_t)sizes[i];
        char name[20];
        fill(in, ELEMENTS * b, t);
        for (int j = 0; j < ITEMS; j++)
            where[j] = (cl_uint)(next() % (ELEMENTS - n + 1));
        snprintf(name, sizeof name, "load%zu", n);
        run(p, name, ITEMS, 5,
            (arg[]){{in, ELEMENTS * b},
                    {in, ELEMENTS * b},
                    {NULL, ELEMENTS * b},
                    {where, sizeof where},
                    {out, 4 * ITEMS * n * b}});
        bool same = true;
        for (size_t j = 0; j < 4 * ITEMS; j++)
            same &= !memcmp(out + j * n * b, in + where[j % ITEMS] * b, n * b);
        right(same, "vload", t, (int)n);

        const size_t items = ELEMENTS / n - 1 < ITEMS ? ELEMENTS / n - 1 : ITEMS, shift = next() % n;
        memset(out, 0, sizeof out);
        memset(want, 0, sizeof want);
        for (size_t j = 0; j < items; j++) { /* each at a place of its own */
            where[j] = (cl_uint)((items - 1 - j) * n + shift);
            memcpy(want + where[j] * b, in + j * n * b, n * b);
            memcpy(want + (ELEMENTS + where[j]) * b, in + j * n * b, n * b);
            memcpy(want + ((2 + j) * ELEMENTS + where[j]) * b, in + j * n * b, n * b);
        }
        snprintf(name, sizeof name, "store%zu", n);
        run(p, name, items, 4,
            (arg[]){
                {in, ELEMENTS * b}, {NULL, ELEMENTS * b}, {where, sizeof where}, {out, (2 + items) * ELEMENTS * b}});
        right(!memcmp(out, want, (2 + items) * ELEMENTS * b), "vstore", t, (int)n);
    }
}

/* ---- the same bits as another type ---- */

static bool same_bits(const type *t, int n, const type *u, int m)
{
    return (t != u || n != m)
           && (t->bytes * (size_t)n == u->bytes * (size_t)m || (t->bytes == u->bytes && n == 4 && m == 3));
}

static void say_as(const type *t)
{
    for (int i = 0; i < SIZES; i++)
        for (int u = 0; u < TYPES; u++)
            for (int j = 0; j < SIZES; j++)
                if (same_bits(t, sizes[i], &types[u], sizes[j]))
                    say("__kernel void as_%d_%d_%d(__global T%s *in, __global %s%s *o) { *o = as_%s%s(*in); }\n", i, u,
                        j, suffix[i], types[u].name, suffix[j], types[u].name, suffix[j]);
}

static void as(cl_program p, const type *t)
{
    for (int i = 0; i < SIZES; i++)
        for (int u = 0; u < TYPES; u++)
            for (int j = 0; j < SIZES; j++) {
                if (!same_bits(t, sizes[i], &types[u], sizes[j]))
                    continue;
                unsigned char in[128], out[128];
                char name[20];
                snprintf(name, sizeof name, "as_%d_%d_%d", i, u, j);
                fill(in, sizeof in, t);
                run(p, name, 1, 2, (arg[]){{in, sizeof in}, {out, sizeof out}});
                const size_t least = types[u].bytes * (size_t)sizes[j];
                right(!memcmp(in, out, least), types[u].name, t, sizes[i] * 100 + sizes[j]);
            }
}

/* ---- components: halves, reversed, one by one, by each of their names ---- */

static void say_components(void)
{
    static const char digits[] = "0123456789abcdef", upper[] = "FEDCBA9876543210", *const letters[] = {"xyzw", "rgba"};
    for (int i = 1; i < SIZES; i++) {
        const int n = sizes[i], half = i == 2 || i == 3 ? 1 : i - 1; /* the size of a half: 2 of 3 */
        say("__kernel void parts%d(__global T%d *in, __global T *o)\n{\n    T%d v = *in; int k = 0;\n", n, n, n);
        say("#define MADE ((T%d)(", n);
        for (int c = 0; c < n; c++)
            say("%sin->s%c", c ? ", " : "", digits[c]);
        say("))\n");
        const char *const parts[] = {"lo", "hi", "even", "odd"};
        for (int c = 0; c < 8; c++) {
            say("    { T%s h = %s.%s; ", suffix[half], c & 4 ? "MADE" : "v", parts[c & 3]);
            if (half)
                say("vstore%d(h, 0, o + k); ", sizes[half]);
            else
                say("o[k] = h; ");
            say("k += %d; }\n", sizes[half]);
        }
        say("#undef MADE\n");
        for (int c = 0; c < n; c++) /* one component, on the left and on the right */
            say("    { T%d w = (T%d)(7); w.s%c = v.s%c; vstore%d(w, 0, o + k); k += %d; }\n", n, n,
                c & 1 ? upper[15 - c] : digits[c], digits[n - 1 - c], n, n);
        say("    { T%d w; w.s%s = v; vstore%d(w, 0, o + k); k += %d; vstore%d(v.s%s, 0, o + k); k += %d; }\n", n,
            upper + 16 - n, n, n, n, upper + 16 - n, n);
        for (int l = 0; l < 2 && n <= 4; l++) {
            char backwards[5] = "";
            for (int c = 0; c < n; c++)
                backwards[c] = letters[l][n - 1 - c];
            say("    { T%d w; w.%s = v; vstore%d(w, 0, o + k); k += %d; vstore%d(v.%s, 0, o + k); k += %d; }\n", n,
                backwards, n, n, n, backwards, n);
        }
        say("}\n");
    }
}

static void components(cl_program p, const type *t)
{
    const size_t b = t->bytes;
    const unsigned char seven[2][8] = {{7}, {0}};
    for (int i = 1; i < SIZES; i++) {
        const int n = sizes[i], wide = n == 3 ? 2 : n / 2, count = 8 * wide + n * n + 2 * n + (n <= 4 ? 4 * n : 0);
        unsigned char in[16 * 8], out[512 * 8], one[8];
        const float f = 7;
        const double d = 7;
        memcpy(one, t->real ? t->bytes == 4 ? (const void *)&f : (const void *)&d : (const void *)seven[0],
               8 > b ? b : 8);
        fill(in, sizeof in, t);
        char name[20];
        snprintf(name, sizeof name, "parts%d", n);
        run(p, name, 1, 2, (arg[]){{in, room(t, n)}, {out, (size_t)count * b}});
        bool ok = true;
        size_t k = 0;
        for (int c = 0; c < 8; c++)
            for (int j = 0; j < wide; j++, k++) {
                const int from = (c & 3) == 0 ? j : (c & 3) == 1 ? wide + j : 2 * j + (c & 3) - 2;
                ok &= from >= n || !memcmp(out + k * b, in + (size_t)from * b, b);
            }
        for (int c = 0; c < n; c++)
            for (int j = 0; j < n; j++, k++)
                ok &= !memcmp(out + k * b, j == c ? in + (size_t)(n - 1 - c) * b : one, b);
        for (int c = 0; c < (n <= 4 ? 6 : 2); c++)
            for (int j = 0; j < n; j++, k++)
                ok &= !memcmp(out + k * b, in + (size_t)(n - 1 - j) * b, b);
        right(ok && k == (size_t)count, "components", t, n);
    }
}

/* ---- a vector of all parts that make it up; of 16 those of even parts ---- */

static int made;

static void compose(int n, int left, char *line, size_t length)
{
    static const int parts[] = {1, 2, 3, 4, 8, 16};
    if (!left) {
        say("    vstore%d((T%d)(%s), %d, o);\n", n, n, line, made++);
        return;
    }
    for (int i = n == 16; i < 6; i++)
        if (parts[i] <= left && (n < 16 || parts[i] != 3)) {
            const char *comma = left < n ? ", " : "";
            const size_t more =
                parts[i] == 1 ? (size_t)sprintf(line + length, "%sin[%d]", comma, n - left)
                              : (size_t)sprintf(line + length, "%svload%d(0, in + %d)", comma, parts[i], n - left);
            compose(n, left - parts[i], line, length + more);
        }
    line[length] = 0;
}

static int creations[SIZES];

static void say_creation(void)
{
    for (int i = 1; i < SIZES; i++) {
        char line[600] = "";
        made = 0;
        say("__kernel void create%d(__global T *in, __global T *o)\n{\n", sizes[i]);
        compose(sizes[i], sizes[i], line, 0);
        say("}\n");
        creations[i] = made;
    }
}

static void creation(cl_program p, const type *t)
{
    static unsigned char out[120 * 16 * 8];
    for (int i = 1; i < SIZES; i++) {
        const size_t vector = (size_t)sizes[i] * t->bytes;
        unsigned char in[16 * 8];
        char name[20];
        fill(in, sizeof in, t);
        snprintf(name, sizeof name, "create%d", sizes[i]);
        run(p, name, 1, 2, (arg[]){{in, 16 * t->bytes}, {out, (size_t)creations[i] * vector}});
        bool ok = true;
        for (int c = 0; c < creations[i]; c++)
            ok &= !memcmp(out + (size_t)c * vector, in, vector);
        right(ok, "creation", t, sizes[i]);
    }
}

/* ---- casts of a scalar to a vector of another type, between integers and between floats ---- */

static void say_casts(const type *t)
{
    for (int u = 0; u < TYPES; u++)
        if (types[u].real == t->real) {
            say("__kernel void cast_%s(__global T *in, __global %s *o)\n{\n", types[u].name, types[u].name);
            int k = 0;
            for (int i = 1; i < SIZES; k += sizes[i++])
                say("    vstore%d((%s%d)(*in), 0, o + %d);\n", sizes[i], types[u].name, sizes[i], k);
            say("}\n");
        }
}

static void casts(cl_program p, const type *t)
{
    for (int u = 0; u < TYPES; u++) {
        const size_t b = types[u].bytes;
        _Alignas(8) unsigned char in[8], out[33 * 8], want[8];
        char name[20];
        if (types[u].real != t->real)
            continue;
        fill(in, sizeof in, t);
        if (!t->real) { /* of an integer the low bytes, and its sign */
            const bool negative = *t->name != 'u' && in[t->bytes - 1] & 0x80;
            memset(want, negative ? 0xff : 0, sizeof want);
            memcpy(want, in, t->bytes);
        } else {
            const double d = t->bytes == 4 ? (double)*(float *)(void *)in : *(double *)(void *)in;
            const float f = (float)d;
            memcpy(want, b == 4 ? (const void *)&f : (const void *)&d, b);
        }
        snprintf(name, sizeof name, "cast_%s", types[u].name);
        run(p, name, 1, 2, (arg[]){{in, sizeof in}, {out, 33 * b}});
        bool ok = true;
        for (int i = 0; i < 33; i++)
            ok &= !memcmp(out + (size_t)i * b, want, b);
        right(ok, types[u].name, t, 0);
    }
}

/* ---- sizes, and where things lie: arguments, local, private and constant arrays ---- */

static void say_places(void)
{
    const char *const spaces[] = {"__global", "__local", "__constant"};
    for (int i = 0; i < SIZES; i++)
        say("__constant T%s c%d[3] = {(T%s)(0)};\n", suffix[i], i, suffix[i]);
    for (int m = 0; m < 3; m++) {
        say("__kernel void places%d(", m);
        for (int i = 0; i < SIZES; i++)
            say("%s T%s *a%d, ", spaces[m], suffix[i], i);
        say("__global ulong *o)\n{\n");
        for (int i = 0; i < SIZES; i++)
            say("    o[%d] = (ulong)&a%d[0] %% sizeof(T%s);\n", i, i, suffix[i]);
        say("}\n");
    }
    say("__kernel void places3(__global ulong *o)\n{\n    int k = 0;\n");
    for (int i = 0; i < SIZES; i++)
        say("    __local T%s l%d[3]; T%s p%d[3]; l%d[k & 1] = p%d[k & 1] = (T%s)(0);\n", suffix[i], i, suffix[i], i, i,
            i, suffix[i]);
    for (int i = 0; i < SIZES; i++)
        say("    o[k++] = sizeof(T%s); o[k++] = ((ulong)l%d | (ulong)p%d | (ulong)c%d) %% sizeof(T%s);\n", suffix[i], i,
            i, i, suffix[i]);
    say("}\n");
}

static void places(cl_program p, const type *t)
{
    cl_ulong out[12];
    unsigned char one[128] = {0};
    for (int m = 0; m < 3; m++) {
        arg args[7];
        char name[20];
        for (int i = 0; i < SIZES; i++)
            args[i] = (arg){m == 1 ? NULL : one, room(t, sizes[i])};
        args[6] = (arg){out, sizeof out};
        snprintf(name, sizeof name, "places%d", m);
        memset(out, 0xff, sizeof out);
        run(p, name, 1, 7, args);
        right(!(out[0] | out[1] | out[2] | out[3] | out[4] | out[5]), "arguments", t, m);
    }
    run(p, "places3", 1, 1, (arg[]){{out, sizeof out}});
    for (int i = 0; i < SIZES; i++)
        right(out[2 * i] == room(t, sizes[i]) && !out[2 * i + 1], "arrays", t, sizes[i]);
}

/* ---- copies by the group, with strides, to local memory and back ---- */

static void say_copies(void)
{
    for (int i = 0; i < SIZES; i++)
        say("__kernel void copy%d(__global T%s *in, __local T%s *l, __global T%s *o)\n{\n"
            "    int n = get_local_size(0), i = get_local_id(0), stride = 3;\n"
            "    for (int j = 0; j < 2; j++) l[2 * i + j] = (T%s)(T)0;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
            "    event_t e = async_work_group_strided_copy(l, (__global const T%s *)in, (size_t)2 * n, (size_t)stride, "
            "0);\n"
            "    wait_group_events(1, &e);\n"
            "    e = async_work_group_strided_copy(o, (__local const T%s *)l, (size_t)2 * n, (size_t)2, 0);\n"
            "    wait_group_events(1, &e);\n    prefetch(in, 2 * n);\n}\n",
            sizes[i], suffix[i], suffix[i], suffix[i], suffix[i], suffix[i], suffix[i]);
}

static void copies(cl_program p, const type *t)
{
    enum { GROUP = 6 };
    for (int i = 0; i < SIZES; i++) {
        const size_t v = room(t, sizes[i]);
        unsigned char in[6 * GROUP * 128], out[4 * GROUP * 128];
        char name[20];
        fill(in, sizeof in, t);
        memset(out, 0xa5, sizeof out);
        snprintf(name, sizeof name, "copy%d", sizes[i]);
        run(p, name, GROUP, 3, (arg[]){{in, 6 * GROUP * v}, {NULL, 2 * GROUP * v}, {out, 4 * GROUP * v}});
        bool ok = true;
        for (size_t j = 0; j < 2 * GROUP; j++)
            ok &= !memcmp(out + 2 * j * v, in + 3 * j * v, t->bytes * (size_t)sizes[i]) && out[(2 * j + 1) * v] == 0xa5;
        right(ok, "strided copy", t, sizes[i]);
    }
}

/* All ten take half a minute, most of it the compiler's: each third is of each size and kind. */
int main(void)
{
    const int step = getenv("VELLUM_REGRESS") && strcmp(getenv("VELLUM_REGRESS"), "0") ? 1 : 3;
    s = begin(0);
    for (int i = 0; i < TYPES; i += step) {
        const type *t = &types[i];
        say_memory(t);
        say_as(t);
        say_components();
        say_creation();
        say_casts(t);
        say_places();
        say_copies();
        cl_program p = built();
        memory(p, t);
        as(p, t);
        components(p, t);
        creation(p, t);
        casts(p, t);
        places(p, t);
        copies(p, t);
        GOOD(clReleaseProgram(p));
    }
    end(&s);
    return verdict();
}
