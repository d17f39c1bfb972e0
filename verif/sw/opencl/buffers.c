/* Buffers: flags, sub-buffers, reading, writing, rectangles, copying, filling, mapping. Each result against the same done in host memory. */
#include "check.h"

enum { N = 4096 };
static unsigned char expected[N], seen[N];

static void fill_with(unsigned char *p, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1103515245 + 12345;
        p[i] = (unsigned char)(seed >> 16);
    }
}

static bool holds(const setup *s, cl_mem m)
{
    memset(seen, 0xaa, N);
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, N, seen, 0, NULL, NULL));
    return !memcmp(seen, expected, N);
}

static void linear(const setup *s)
{
    cl_mem m = buffer(s, CL_MEM_READ_WRITE, N, NULL), other = buffer(s, 0, N, NULL);
    fill_with(expected, N, 1);
    GOOD(clEnqueueWriteBuffer(s->queue, m, CL_FALSE, 0, N, expected, 0, NULL, NULL));
    GOOD(clFinish(s->queue));
    OK(holds(s, m));
    unsigned char part[77];
    fill_with(part, sizeof part, 2);
    GOOD(clEnqueueWriteBuffer(s->queue, m, CL_TRUE, 1001, sizeof part, part, 0, NULL, NULL));
    memcpy(expected + 1001, part, sizeof part);
    OK(holds(s, m));
    memset(part, 0, sizeof part);
    GOOD(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 333, sizeof part, part, 0, NULL, NULL));
    OK(!memcmp(part, expected + 333, sizeof part));
    GOOD(clEnqueueCopyBuffer(s->queue, m, m, 16, 2000, 500, 0, NULL, NULL));
    memcpy(expected + 2000, expected + 16, 500);
    OK(holds(s, m));
    GOOD(clEnqueueCopyBuffer(s->queue, m, other, 0, 0, N, 0, NULL, NULL));
    OK(holds(s, other));
    for (size_t bytes = 1; bytes <= 128; bytes *= 2) {
        unsigned char pattern[128];
        fill_with(pattern, bytes, (unsigned)bytes);
        GOOD(clEnqueueFillBuffer(s->queue, other, pattern, bytes, 2 * bytes, 5 * bytes, 0, NULL, NULL));
        for (size_t i = 0; i < 5; i++)
            memcpy(expected + (2 + i) * bytes, pattern, bytes);
        OK(holds(s, other));
    }
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseMemObject(other));
}

static void type_is(cl_event e, cl_command_type want)
{
    cl_command_type type = 0;
    GOOD(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    OK(type == want);
    GOOD(clReleaseEvent(e));
}

static void rectangles(const setup *s)
{
    cl_mem m = buffer(s, 0, N, NULL), other = buffer(s, 0, N, NULL);
    static unsigned char host[N];
    const size_t here[3] = {5, 2, 1}, there[3] = {3, 1, 0}, region[3] = {17, 4, 3};
    enum { ROW = 40, SLICE = 320, HROW = 25, HSLICE = 250 };
    fill_with(expected, N, 3);
    fill_with(host, N, 4);
    GOOD(clEnqueueWriteBuffer(s->queue, m, CL_TRUE, 0, N, expected, 0, NULL, NULL));
    cl_event is;
    GOOD(clEnqueueWriteBufferRect(s->queue, m, CL_TRUE, here, there, region, ROW, SLICE, HROW, HSLICE, host, 0, NULL,
                                  &is));
    type_is(is, CL_COMMAND_WRITE_BUFFER_RECT);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            memcpy(expected + 5 + (2 + y) * ROW + (1 + z) * SLICE, host + 3 + (1 + y) * HROW + z * HSLICE, 17);
    OK(holds(s, m));
    static unsigned char back[N], want[N];
    memset(back, 0, N);
    memset(want, 0, N);
    GOOD(clEnqueueReadBufferRect(s->queue, m, CL_TRUE, here, there, region, ROW, SLICE, HROW, HSLICE, back, 0, NULL,
                                 &is));
    type_is(is, CL_COMMAND_READ_BUFFER_RECT);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            memcpy(want + 3 + (1 + y) * HROW + z * HSLICE, expected + 5 + (2 + y) * ROW + (1 + z) * SLICE, 17);
    OK(!memcmp(back, want, N));
    /* pitches of 0: rows and slices without gaps */
    GOOD(clEnqueueWriteBuffer(s->queue, other, CL_TRUE, 0, N, host, 0, NULL, NULL));
    GOOD(clEnqueueCopyBufferRect(s->queue, m, other, here, there, region, ROW, SLICE, 0, 0, 0, NULL, NULL));
    static unsigned char old[N];
    memcpy(old, expected, N);
    memcpy(expected, host, N);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            memcpy(expected + 3 + (1 + y) * 17 + z * 68, old + 5 + (2 + y) * ROW + (1 + z) * SLICE, 17);
    OK(holds(s, other));
    /* within one buffer: side by side is no overlap, one column further it is */
    const size_t left[3] = {0, 0, 0}, right[3] = {20, 0, 0}, close[3] = {19, 0, 0}, half[3] = {20, 8, 1};
    GOOD(clEnqueueCopyBufferRect(s->queue, other, other, left, right, half, ROW, 0, ROW, 0, 0, NULL, NULL));
    for (size_t y = 0; y < 8; y++)
        memcpy(expected + 20 + y * ROW, expected + y * ROW, 20);
    OK(holds(s, other));
    CODE(clEnqueueCopyBufferRect(s->queue, other, other, left, close, half, ROW, 0, ROW, 0, 0, NULL, NULL),
         CL_MEM_COPY_OVERLAP);
    GOOD(clReleaseMemObject(m));
    GOOD(clReleaseMemObject(other));
}

static int destroyed[2], order;
static void CL_CALLBACK on_destroy(cl_mem m, void *user)
{
    (void)m;
    *(int *)user = ++order;
}

static void sub_buffers(const setup *s)
{
    cl_int e;
    cl_mem m = buffer(s, CL_MEM_READ_WRITE, N, NULL), parent;
    fill_with(expected, N, 5);
    GOOD(clEnqueueWriteBuffer(s->queue, m, CL_TRUE, 0, N, expected, 0, NULL, NULL));
    const cl_buffer_region r = {1024, 512};
    cl_mem sub = clCreateSubBuffer(m, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
    GOOD(e);
    unsigned char part[512];
    GOOD(clEnqueueReadBuffer(s->queue, sub, CL_TRUE, 0, 512, part, 0, NULL, NULL));
    OK(!memcmp(part, expected + 1024, 512));
    memset(part, 7, 100);
    GOOD(clEnqueueWriteBuffer(s->queue, sub, CL_TRUE, 12, 100, part, 0, NULL, NULL));
    memset(expected + 1024 + 12, 7, 100);
    OK(holds(s, m));
    size_t origin = 0, bytes = 0;
    cl_mem_flags flags = 0;
    GOOD(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    GOOD(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof origin, &origin, NULL));
    GOOD(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    GOOD(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    OK(parent == m && origin == 1024 && bytes == 512 && flags == CL_MEM_READ_ONLY);
    CODE(clEnqueueCopyBuffer(s->queue, m, sub, 1100, 0, 200, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    GOOD(clSetMemObjectDestructorCallback(m, on_destroy, &destroyed[0]));
    GOOD(clSetMemObjectDestructorCallback(m, on_destroy, &destroyed[1]));
    GOOD(clReleaseMemObject(m)); /* the sub-buffer keeps it */
    OK(!order);
    GOOD(clEnqueueReadBuffer(s->queue, sub, CL_TRUE, 0, 512, part, 0, NULL, NULL));
    OK(!memcmp(part, expected + 1024, 512));
    GOOD(clReleaseMemObject(sub));
    GOOD(clFinish(s->queue));
    OK(destroyed[0] == 2 && destroyed[1] == 1);
}

static void maps(const setup *s)
{
    cl_int e;
    static unsigned char mine[N], first[N];
    fill_with(mine, N, 6);
    memcpy(first, mine, N);
    cl_mem kinds[3] = {buffer(s, CL_MEM_USE_HOST_PTR, N, mine), buffer(s, CL_MEM_COPY_HOST_PTR, N, mine),
                       buffer(s, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, N, mine)};
    for (int k = 0; k < 3; k++) {
        memcpy(expected, first, N);
        unsigned char *p =
            clEnqueueMapBuffer(s->queue, kinds[k], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100, 600, 0, NULL, NULL, &e);
        GOOD(e);
        OK(k != 0 || p == mine + 100);
        OK(!memcmp(p, expected + 100, 600));
        cl_uint n = 0;
        GOOD(clGetMemObjectInfo(kinds[k], CL_MEM_MAP_COUNT, sizeof n, &n, NULL));
        OK(n == 1);
        memset(p + 10, k, 50);
        memset(expected + 110, k, 50);
        GOOD(clEnqueueUnmapMemObject(s->queue, kinds[k], p, 0, NULL, NULL));
        GOOD(clGetMemObjectInfo(kinds[k], CL_MEM_MAP_COUNT, sizeof n, &n, NULL));
        OK(n == 0);
        OK(holds(s, kinds[k]));
        /* a buffer mapped to be read is not written back */
        p = clEnqueueMapBuffer(s->queue, kinds[k], CL_FALSE, CL_MAP_READ, 0, N, 0, NULL, NULL, &e);
        GOOD(e);
        GOOD(clFinish(s->queue));
        OK(!memcmp(p, expected, N));
        GOOD(clEnqueueUnmapMemObject(s->queue, kinds[k], p, 0, NULL, NULL));
        p = clEnqueueMapBuffer(s->queue, kinds[k], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, 0, NULL, NULL, &e);
        GOOD(e);
        memset(p, 9, 64);
        memset(expected, 9, 64);
        GOOD(clEnqueueUnmapMemObject(s->queue, kinds[k], p, 0, NULL, NULL));
        OK(holds(s, kinds[k]));
        GOOD(clReleaseMemObject(kinds[k]));
    }
    /* a mapping that is never ended goes with its buffer */
    cl_mem left = buffer(s, 0, N, NULL);
    OK(clEnqueueMapBuffer(s->queue, left, CL_TRUE, CL_MAP_READ, 0, N, 0, NULL, NULL, &e));
    GOOD(clReleaseMemObject(left));
}

/* More than a megabyte, in several pieces within the driver: copies to another offset, fills with patterns, reads of a part. */
static void large(const setup *s)
{
    enum { BYTES = (5 << 19) + 384 };
    unsigned char *x = malloc(BYTES), *y = malloc(BYTES), pattern[16];
    OK(x && y);
    fill_with(x, BYTES, 7);
    fill_with(pattern, sizeof pattern, 8);
    cl_mem a = buffer(s, CL_MEM_COPY_HOST_PTR, BYTES, x), b = buffer(s, CL_MEM_COPY_HOST_PTR, BYTES, x);
    GOOD(clEnqueueCopyBuffer(s->queue, a, b, 3, 131, BYTES - 200, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, b, CL_TRUE, 0, BYTES, y, 0, NULL, NULL));
    OK(!memcmp(y, x, 131) && !memcmp(y + 131, x + 3, BYTES - 200) && !memcmp(y + BYTES - 69, x + BYTES - 69, 69));
    GOOD(clEnqueueFillBuffer(s->queue, b, pattern, sizeof pattern, 64, BYTES - 128, 0, NULL, NULL));
    GOOD(clEnqueueReadBuffer(s->queue, b, CL_TRUE, 0, BYTES, y, 0, NULL, NULL));
    bool same = !memcmp(y, x, 64);
    for (size_t i = 64; i < BYTES - 64; i++)
        same = same && y[i] == pattern[i % sizeof pattern];
    OK(same);
    OK(!memcmp(y + BYTES - 64, x + BYTES - 64, 64));
    GOOD(clReleaseMemObject(a));
    GOOD(clReleaseMemObject(b));
    free(x);
    free(y);
}

/* The bytes that a rectangle has, marked in `bytes`; false: one of them is marked already. */
static bool mark(unsigned char *bytes, size_t base, const size_t *origin, const size_t *region, size_t row,
                 size_t slice)
{
    bool fresh = true;
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++) {
                unsigned char *at = bytes + base + origin[0] + x + (origin[1] + y) * row + (origin[2] + z) * slice;
                fresh = fresh && !*at;
                *at = 1;
            }
    return fresh;
}

/* Whether two rectangles of a buffer, or of sub-buffers of it, overlap: against their bytes one by one. */
static void overlaps(const setup *s)
{
    cl_int e;
    cl_mem m = buffer(s, 0, N, NULL), part[2];
    static const size_t bases[] = {0, 128, 256};
    unsigned seed = 5, both[2] = {0};
    for (int i = 0; i < 2; i++) {
        part[i] = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){bases[i + 1], 2048}, &e);
        GOOD(e);
    }
    for (int round = 0; round < 600; round++) {
        size_t v[16];
        for (int i = 0; i < 16; i++)
            v[i] = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff;
        const size_t region[3] = {1 + v[0] % 9, 1 + v[1] % 4, 1 + v[2] % 3}, row = region[0] + v[3] % 7,
                     slice = row * (region[1] + v[4] % 3), a[3] = {v[5] % 12, v[6] % 6, v[7] % 4},
                     b[3] = {v[8] % 12, v[9] % 6, v[10] % 4}, which[2] = {v[11] % 3, v[12] % 3};
        const cl_mem from = which[0] ? part[which[0] - 1] : m, to = which[1] ? part[which[1] - 1] : m;
        unsigned char bytes[N] = {0};
        mark(bytes, bases[which[0]], a, region, row, slice);
        const bool apart = mark(bytes, bases[which[1]], b, region, row, slice);
        both[apart]++;
        CODE(clEnqueueCopyBufferRect(s->queue, from, to, a, b, region, row, slice, row, slice, 0, NULL, NULL),
             apart ? CL_SUCCESS : CL_MEM_COPY_OVERLAP);
    }
    OK(both[0] > 50 && both[1] > 50);
    GOOD(clFinish(s->queue));
    GOOD(clReleaseMemObject(part[0]));
    GOOD(clReleaseMemObject(part[1]));
    GOOD(clReleaseMemObject(m));
}

int main(void)
{
    setup s = begin(0);
    linear(&s);
    rectangles(&s);
    if (getenv("VELLUM_BACKEND") && !strcmp(getenv("VELLUM_BACKEND"), "ref")) {
        large(&s);
        overlaps(&s);
    }
    sub_buffers(&s);
    maps(&s);
    end(&s);
    return verdict();
}
