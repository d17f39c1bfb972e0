/* Reading, writing, copying and filling buffers. Bytes go through the device's host port, in simulated time, unless its memory is shared (docs/opencl.md). */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

/* ---- with the machine's turn ---- */

static int get(vcl_machine *m, cl_mem b, size_t at, void *to, size_t bytes)
{
    return vl_read(m->dev, b->at + at, to, bytes);
}

static int put(vcl_machine *m, cl_mem b, size_t at, const void *from, size_t bytes)
{
    return vl_write(m->dev, b->at + at, from, bytes);
}

static cl_int run_read(vcl_command *c, vcl_machine *m)
{
    return vcl_machine_result(m, "clEnqueueReadBuffer", get(m, c->mem, c->offset, c->to, c->bytes));
}

static cl_int run_write(vcl_command *c, vcl_machine *m)
{
    return vcl_machine_result(m, "clEnqueueWriteBuffer", put(m, c->mem, c->offset, c->from, c->bytes));
}

static cl_int run_copy(vcl_command *c, vcl_machine *m)
{
    int v = 0;
    unsigned char *chunk = malloc(vcl_least(c->bytes, CHUNK));
    if (!chunk)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t done = 0, n; !v && done < c->bytes; done += n) {
        n = vcl_least(c->bytes - done, CHUNK);
        v = get(m, c->mem, c->offset + done, chunk, n);
        v = v ? v : put(m, c->other, c->other_offset + done, chunk, n);
    }
    free(chunk);
    return vcl_machine_result(m, "clEnqueueCopyBuffer", v);
}

static cl_int run_fill(vcl_command *c, vcl_machine *m)
{
    int v = 0;
    const size_t room = vcl_least(c->bytes, CHUNK); /* patterns divide both */
    unsigned char *chunk = malloc(room);
    if (!chunk)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < room; i += c->pattern_bytes)
        memcpy(chunk + i, c->pattern, c->pattern_bytes);
    for (size_t done = 0, n; !v && done < c->bytes; done += n) {
        n = vcl_least(c->bytes - done, room);
        v = put(m, c->mem, c->offset + done, chunk, n);
    }
    free(chunk);
    return vcl_machine_result(m, "clEnqueueFillBuffer", v);
}

static size_t row_at(const vcl_rect *r, size_t y, size_t z)
{
    return r->origin[0] + (r->origin[1] + y) * r->row + (r->origin[2] + z) * r->slice;
}

/* One of three commands, by the field that is set: memory to, memory from, or another buffer. */
static cl_int run_rect(vcl_command *c, vcl_machine *m)
{
    int v = 0;
    unsigned char *row = c->other ? malloc(c->region[0]) : NULL;
    if (c->other && !row)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t z = 0; !v && z < c->region[2]; z++)
        for (size_t y = 0; !v && y < c->region[1]; y++) {
            const size_t here = row_at(&c->here, y, z), there = row_at(&c->there, y, z);
            if (c->to)
                v = get(m, c->mem, here, (unsigned char *)c->to + there, c->region[0]);
            else if (c->from)
                v = put(m, c->mem, here, (const unsigned char *)c->from + there, c->region[0]);
            else if (!(v = get(m, c->mem, here, row, c->region[0])))
                v = put(m, c->other, there, row, c->region[0]);
        }
    free(row);
    return vcl_machine_result(m, "a rectangle of a buffer", v);
}

/* ---- linear ---- */

static cl_int host_may(const char *who, cl_mem m, cl_mem_flags not_with)
{
    return m->flags & not_with ? vcl_fail(who, CL_INVALID_OPERATION, "the buffer's flags do not allow it to the host")
                               : CL_SUCCESS;
}

/* Of a buffer's bytes to the host's memory (to) or from it (from); the other one is null. */
static cl_int enqueue_linear(const char *who, cl_command_queue queue, cl_mem mem, bool blocking, bool reads,
                             size_t offset, size_t bytes, void *to, const void *from, cl_uint n, const cl_event *waits,
                             cl_event *event)
{
    vcl_command *c;
    cl_int e = vcl_check_buffer(who, queue, mem);
    if (!e && !to && !from)
        e = vcl_fail(who, CL_INVALID_VALUE, "the pointer to host memory is NULL");
    e = e ? e : vcl_check_range(who, mem, offset, bytes);
    e = e ? e : host_may(who, mem, (reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS);
    e = e ? e : vcl_command_new(who, &c, queue, reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER, n, waits);
    if (e)
        return e;
    vcl_use(mem);
    c->mem = mem;
    c->offset = offset;
    c->bytes = bytes;
    c->to = to;
    c->from = from;
    c->run = reads ? run_read : run_write;
    return vcl_command_submit(who, c, blocking, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t bytes, void *to,
                           cl_uint n, const cl_event *waits, cl_event *event)
{
    return enqueue_linear(__func__, queue, mem, blocking, true, offset, bytes, to, NULL, n, waits, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t bytes,
                            const void *from, cl_uint n, const cl_event *waits, cl_event *event)
{
    return enqueue_linear(__func__, queue, mem, blocking, false, offset, bytes, NULL, from, n, waits, event);
}

/* Where the bytes of a buffer are: sub-buffers of one buffer may share some. */
static cl_mem root_of(cl_mem m)
{
    return m->parent ? m->parent : m;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t bytes, cl_uint n, const cl_event *waits, cl_event *event)
{
    vcl_command *c;
    cl_int e = vcl_check_buffer(__func__, queue, from);
    e = e ? e : vcl_check_buffer(__func__, queue, to);
    e = e ? e : vcl_check_range(__func__, from, from_offset, bytes);
    e = e ? e : vcl_check_range(__func__, to, to_offset, bytes);
    if (e)
        return e;
    const size_t a = from->origin + from_offset, b = to->origin + to_offset;
    if (root_of(from) == root_of(to) && a < b + bytes && b < a + bytes)
        return FAIL(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    if ((e = vcl_command_new(__func__, &c, queue, CL_COMMAND_COPY_BUFFER, n, waits)))
        return e;
    vcl_use(from);
    vcl_use(to);
    c->mem = from;
    c->other = to;
    c->offset = from_offset;
    c->other_offset = to_offset;
    c->bytes = bytes;
    c->run = run_copy;
    return vcl_command_submit(__func__, c, false, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_bytes, size_t offset,
                           size_t bytes, cl_uint n, const cl_event *waits, cl_event *event)
{
    vcl_command *c;
    cl_int e = vcl_check_buffer(__func__, queue, mem);
    e = e ? e : vcl_check_range(__func__, mem, offset, bytes);
    if (e)
        return e;
    if (!pattern || !pattern_bytes || pattern_bytes > sizeof c->pattern || pattern_bytes & (pattern_bytes - 1))
        return FAIL(CL_INVALID_VALUE, "a pattern of %zu bytes", pattern_bytes);
    if (offset % pattern_bytes || bytes % pattern_bytes)
        return FAIL(CL_INVALID_VALUE, "offset %zu or size %zu is no multiple of the pattern's %zu bytes", offset, bytes,
                    pattern_bytes);
    if ((e = vcl_command_new(__func__, &c, queue, CL_COMMAND_FILL_BUFFER, n, waits)))
        return e;
    vcl_use(mem);
    c->mem = mem;
    c->offset = offset;
    c->bytes = bytes;
    memcpy(c->pattern, pattern, pattern_bytes);
    c->pattern_bytes = pattern_bytes;
    c->run = run_fill;
    return vcl_command_submit(__func__, c, false, event);
}

/* ---- rectangles ---- */

/* Pitches that are 0 become their defaults. */
static cl_int make_rect(const char *who, vcl_rect *r, const size_t *origin, const size_t *region, size_t row,
                        size_t slice)
{
    if (!origin || !region || !region[0] || !region[1] || !region[2])
        return vcl_fail(who, CL_INVALID_VALUE, "an origin or the region is NULL, or the region is empty");
    if (row && row < region[0])
        return vcl_fail(who, CL_INVALID_VALUE, "row pitch %zu, but a row has %zu bytes", row, region[0]);
    r->row = row ? row : region[0];
    if (__builtin_mul_overflow(region[1], r->row, &r->slice) || (slice && (slice < r->slice || slice % r->row)))
        return vcl_fail(who, CL_INVALID_VALUE, "slice pitch %zu with rows of %zu", slice, r->row);
    if (slice)
        r->slice = slice;
    memcpy(r->origin, origin, sizeof r->origin);
    return CL_SUCCESS;
}

static cl_int rect_in(const char *who, cl_mem m, const vcl_rect *r, const size_t *region)
{
    const size_t most = (size_t)1 << 48;
    bool inside = r->slice < most;
    for (int i = 0; i < 3; i++)
        inside = inside && r->origin[i] < most && region[i] < most;
    if (inside) {
        const __uint128_t end = r->origin[0] + region[0] + (__uint128_t)(r->origin[1] + region[1] - 1) * r->row
                                + (__uint128_t)(r->origin[2] + region[2] - 1) * r->slice;
        inside = end <= m->bytes;
    }
    return inside ? CL_SUCCESS : vcl_fail(who, CL_INVALID_VALUE, "the region leaves the buffer of %zu bytes", m->bytes);
}

/* Rows of both come in ascending order, so one walk over both finds whether any two overlap. */
static bool rects_overlap(cl_mem from, const vcl_rect *a, cl_mem to, const vcl_rect *b, const size_t *region)
{
    if (root_of(from) != root_of(to))
        return false;
    const size_t rows = region[1] * region[2];
    for (size_t i = 0, k = 0; i < rows && k < rows;) {
        const size_t x = from->origin + row_at(a, i % region[1], i / region[1]),
                     y = to->origin + row_at(b, k % region[1], k / region[1]);
        if (x < y + region[0] && y < x + region[0])
            return true;
        if (x < y)
            i++;
        else
            k++;
    }
    return false;
}

static cl_int enqueue_rect(const char *who, cl_command_queue queue, cl_mem mem, bool blocking, bool reads,
                           const size_t *buffer_origin, const size_t *host_origin, const size_t *region, size_t row,
                           size_t slice, size_t host_row, size_t host_slice, void *to, const void *from, cl_uint n,
                           const cl_event *waits, cl_event *event)
{
    vcl_command *c;
    vcl_rect here, there;
    cl_int e = vcl_check_buffer(who, queue, mem);
    if (!e && !to && !from)
        e = vcl_fail(who, CL_INVALID_VALUE, "the pointer to host memory is NULL");
    e = e ? e : make_rect(who, &here, buffer_origin, region, row, slice);
    e = e ? e : make_rect(who, &there, host_origin, region, host_row, host_slice);
    e = e ? e : rect_in(who, mem, &here, region);
    e = e ? e : host_may(who, mem, (reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS);
    e = e ? e
          : vcl_command_new(who, &c, queue, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, n,
                            waits);
    if (e)
        return e;
    vcl_use(mem);
    c->mem = mem;
    c->here = here;
    c->there = there;
    memcpy(c->region, region, sizeof c->region);
    c->to = to;
    c->from = from;
    c->run = run_rect;
    return vcl_command_submit(who, c, blocking, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *buffer_origin,
                               const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                               size_t host_row, size_t host_slice, void *to, cl_uint n, const cl_event *waits,
                               cl_event *event)
{
    return enqueue_rect(__func__, queue, mem, blocking, true, buffer_origin, host_origin, region, row, slice, host_row,
                        host_slice, to, NULL, n, waits, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *buffer_origin,
                                const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                size_t host_row, size_t host_slice, const void *from, cl_uint n, const cl_event *waits,
                                cl_event *event)
{
    return enqueue_rect(__func__, queue, mem, blocking, false, buffer_origin, host_origin, region, row, slice, host_row,
                        host_slice, NULL, from, n, waits, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                               const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint n, const cl_event *waits, cl_event *event)
{
    vcl_command *c;
    vcl_rect here, there;
    cl_int e = vcl_check_buffer(__func__, queue, from);
    e = e ? e : vcl_check_buffer(__func__, queue, to);
    e = e ? e : make_rect(__func__, &here, from_origin, region, from_row, from_slice);
    e = e ? e : make_rect(__func__, &there, to_origin, region, to_row, to_slice);
    if (!e && from == to && (here.row != there.row || here.slice != there.slice))
        e = FAIL(CL_INVALID_VALUE, "within one buffer both have the same pitches");
    e = e ? e : rect_in(__func__, from, &here, region);
    e = e ? e : rect_in(__func__, to, &there, region);
    if (!e && rects_overlap(from, &here, to, &there, region))
        e = FAIL(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    e = e ? e : vcl_command_new(__func__, &c, queue, CL_COMMAND_COPY_BUFFER_RECT, n, waits);
    if (e)
        return e;
    vcl_use(from);
    vcl_use(to);
    c->mem = from;
    c->other = to;
    c->here = here;
    c->there = there;
    memcpy(c->region, region, sizeof c->region);
    c->run = run_rect;
    return vcl_command_submit(__func__, c, false, event);
}
