/* Kernels with their arguments, and the launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"
#include "sw/runtime/picture.h"
#include "sw/runtime/print.h"

int vl_kernel_open(vl_kernel **k, const vl_image *img, const char *name, vl_error *err)
{
    if (!k || !img || !name)
        return vl_fail(err, VL_EINVAL, "null argument");
    *k = NULL;
    size_t lo = 0, hi = img->n_kernels;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (strcmp(img->kernels[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == img->n_kernels || strcmp(img->kernels[lo].name, name)) {
        char known[512] = "";
        for (size_t i = 0; i < img->n_kernels && strlen(known) < 400; i++) {
            if (i)
                strncat(known, ", ", sizeof known - strlen(known) - 1);
            strncat(known, img->kernels[i].name, sizeof known - strlen(known) - 1);
        }
        return vl_fail(err, VL_ENOENT, "no kernel '%.80s' in the image (there are: %s)", name, known);
    }
    const vl_kernel_info *info = &img->kernels[lo];
    vl_kernel *x = calloc(1, sizeof *x);
    if (!x)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    x->image = img;
    x->info = info;
    x->args = calloc(1, info->block_bytes - VL_BLOCK_ARGS + 1);
    x->local_bytes = calloc(info->n_args + 1, sizeof *x->local_bytes);
    x->set = calloc(info->n_args + 1, sizeof *x->set);
    if (!x->args || !x->local_bytes || !x->set) {
        vl_kernel_close(x);
        return vl_fail(err, VL_ENOMEM, "out of memory");
    }
    *k = x;
    return 0;
}

void vl_kernel_close(vl_kernel *k)
{
    if (!k)
        return;
    free(k->args);
    free(k->local_bytes);
    free(k->set);
    free(k);
}

const vl_kernel_info *vl_kernel_get_info(const vl_kernel *k)
{
    return k ? k->info : NULL;
}

static int find_arg(vl_kernel *k, uint32_t index, const vl_arg_info **a, vl_error *err)
{
    if (!k)
        return vl_fail(err, VL_EINVAL, "null argument");
    if (index >= k->info->n_args)
        return vl_fail(err, VL_EINVAL, "kernel %s has %u arguments, there is no argument %u", k->info->name,
                       k->info->n_args, index);
    *a = &k->info->args[index];
    return 0;
}

static const char *kind_name(vl_arg_kind kind)
{
    static const char *const names[] = {"a value", "a pointer to global memory", "a pointer to constant memory",
                                        "a pointer to local memory"};
    return names[kind];
}

static int wrong_kind(const vl_kernel *k, uint32_t index, const vl_arg_info *a, vl_error *err)
{
    return vl_fail(err, VL_EARG, "kernel %s: argument %u (%s %s) is %s", k->info->name, index, a->type, a->name,
                   kind_name(a->kind));
}

int vl_kernel_set(vl_kernel *k, uint32_t index, const void *value, size_t size, vl_error *err)
{
    const vl_arg_info *a;
    int e = find_arg(k, index, &a, err);
    if (e)
        return e;
    if (!value)
        return vl_fail(err, VL_EINVAL, "null argument");
    if (a->kind == VL_ARG_LOCAL)
        return wrong_kind(k, index, a, err);
    if (size != a->size)
        return vl_fail(err, VL_EARG, "kernel %s: argument %u (%s %s) has %u bytes, not %zu", k->info->name, index,
                       a->type, a->name, a->size, size);
    memcpy(k->args + (a->offset - VL_BLOCK_ARGS), value, size);
    k->set[index] = true;
    return 0;
}

int vl_kernel_set_ptr(vl_kernel *k, uint32_t index, vl_ptr p, vl_error *err)
{
    const vl_arg_info *a;
    int e = find_arg(k, index, &a, err);
    if (e)
        return e;
    if (a->kind != VL_ARG_GLOBAL && a->kind != VL_ARG_CONSTANT)
        return wrong_kind(k, index, a, err);
    return vl_kernel_set(k, index, &p, sizeof p, err);
}

int vl_kernel_set_local(vl_kernel *k, uint32_t index, uint64_t bytes, vl_error *err)
{
    const vl_arg_info *a;
    int e = find_arg(k, index, &a, err);
    if (e)
        return e;
    if (a->kind != VL_ARG_LOCAL)
        return wrong_kind(k, index, a, err);
    if (bytes == 0 || bytes > VL_SPAD_MAX)
        return vl_fail(err, VL_EARG, "kernel %s: argument %u (%s %s): %" PRIu64 " bytes of local memory, must be 1..%u",
                       k->info->name, index, a->type, a->name, bytes, VL_SPAD_MAX);
    k->local_bytes[index] = bytes;
    k->set[index] = true;
    return 0;
}

/* ---- launch ---- */

static void put32(unsigned char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}
static void put64(unsigned char *p, uint64_t v)
{
    put32(p, (uint32_t)v);
    put32(p + 4, (uint32_t)(v >> 32));
}

/* Group sizes when the caller leaves them open: the kernel's required size, or the largest divisor of the first dimension that
 * fills at most one core and at most 256 threads. */
static void choose_local(const vl_device *d, const vl_kernel *k, const uint64_t *global, uint64_t *local)
{
    uint64_t most = (uint64_t)d->env.warps * d->env.threads;
    if (most > 256)
        most = 256;
    local[0] = local[1] = local[2] = 1;
    if (k->info->reqd_local[0]) {
        for (int i = 0; i < 3; i++)
            local[i] = k->info->reqd_local[i];
        return;
    }
    for (uint64_t x = most; x > 1; x--)
        if (global[0] % x == 0) {
            local[0] = x;
            return;
        }
}

static int check_range(vl_device *d, const vl_kernel *k, const vl_range *r, uint64_t global[3], uint64_t local[3],
                       vl_backend_launch *l)
{
    vl_error *err = &d->error;
    uint64_t threads = 1;
    __uint128_t groups = 1;
    if (r->dims < 1 || r->dims > 3)
        return vl_fail(err, VL_EINVAL, "%u dimensions, must be 1..3", r->dims);
    bool any = false, all = true;
    for (uint32_t i = 0; i < 3; i++) {
        global[i] = i < r->dims ? r->global[i] : 1;
        local[i] = i < r->dims ? r->local[i] : 1;
        if (i < r->dims) {
            any |= local[i] != 0;
            all &= local[i] != 0;
        }
        if (global[i] == 0 || global[i] >> 32)
            return vl_fail(err, VL_EINVAL, "global size %" PRIu64 " in dimension %u, must be 1..2^32-1", global[i], i);
    }
    if (any && !all)
        return vl_fail(err, VL_EINVAL, "local size 0 in some dimension");
    if (!any)
        choose_local(d, k, global, local);
    const uint32_t *q = k->info->reqd_local;
    if (q[0] && (local[0] != q[0] || local[1] != q[1] || local[2] != q[2]))
        return vl_fail(err, VL_EINVAL, "kernel %s requires local size %u,%u,%u", k->info->name, q[0], q[1], q[2]);
    uint64_t most = (uint64_t)d->env.warps * d->env.threads;
    for (uint32_t i = 0; i < 3; i++) {
        if (global[i] % local[i])
            return vl_fail(err, VL_EINVAL,
                           "global size %" PRIu64 " is no multiple of local size %" PRIu64 " in dimension %u",
                           global[i], local[i], i);
        threads = local[i] > most ? most + 1 : threads * local[i];
        if (threads > most)
            return vl_fail(err, VL_ETOOBIG,
                           "a group of %" PRIu64 " x %" PRIu64 " x %" PRIu64
                           " threads does not fit a core of %u warps of %u threads",
                           local[0], local[1], local[2], d->env.warps, d->env.threads);
        uint64_t offset = i < r->dims ? r->offset[i] : 0;
        if (offset > (1ull << 32) - global[i])
            return vl_fail(err, VL_EINVAL, "global offset %" PRIu64 " + size %" PRIu64 " in dimension %u exceeds 2^32",
                           offset, global[i], i);
        l->groups[i] = (uint32_t)(global[i] / local[i]);
        l->local[i] = (uint32_t)local[i];
        l->offset[i] = (uint32_t)offset;
        groups *= l->groups[i];
    }
    if (groups >> 63)
        return vl_fail(err, VL_EINVAL, "more than 2^63 groups");
    l->group_threads = (uint32_t)threads;
    l->group_warps = (uint32_t)((threads + d->env.threads - 1) / d->env.threads);
    return 0;
}

enum { LOCAL_ZONE = 1024 }; /* red zone between __local arguments (vl_check_buffers) */

/* Scratchpad of a group: the arrays that the kernel declares, then each __local argument at a multiple of 128 bytes, `zone` bytes behind the one before. The bytes in all. */
static uint64_t place_locals(vl_kernel *k, uint64_t zone)
{
    uint64_t at = k->info->local_bytes;
    for (uint32_t i = 0; i < k->info->n_args; i++) {
        const vl_arg_info *a = &k->info->args[i];
        if (a->kind != VL_ARG_LOCAL)
            continue;
        at = vl_align(at + zone, VL_LINE);
        put64(k->args + (a->offset - VL_BLOCK_ARGS), VL_SPAD_BASE + at);
        at += k->local_bytes[i]; /* at most 64 KB each, and a block holds at most 8192 pointers */
    }
    return vl_align(at, VL_LINE);
}

static int place_local(vl_device *d, vl_kernel *k, vl_backend_launch *l)
{
    const uint64_t room = d->env.spad_bytes < VL_SPAD_MAX ? d->env.spad_bytes : VL_SPAD_MAX;
    for (uint32_t i = 0; i < k->info->n_args; i++) {
        const vl_arg_info *a = &k->info->args[i];
        if (!k->set[i])
            return vl_fail(&d->error, VL_EARG, "kernel %s: argument %u (%s %s) is not set", k->info->name, i, a->type,
                           a->name);
    }
    const uint64_t bytes = place_locals(k, 0);
    if (bytes > room)
        return vl_fail(&d->error, VL_ETOOBIG, "a group needs %" PRIu64 " bytes of scratchpad, a core has %" PRIu64,
                       bytes, room);
    l->spad_bytes = l->spad_asked = (uint32_t)bytes;
    if (!d->checks)
        return 0;
    const uint64_t wide = place_locals(k, LOCAL_ZONE);
    l->spad_bytes = (uint32_t)(wide <= VL_SPAD_MAX ? wide : place_locals(k, 0));
    return 0;
}

/* Keeps *p large enough for `bytes`, across launches, and a multiple of `align`: not less than for fewer bytes. */
static int keep_room(vl_device *d, uint64_t bytes, uint64_t align, vl_ptr *p, uint64_t *have)
{
    if (bytes <= *have)
        return 0;
    if (*p)
        (void)vl_give(d, *p);
    *p = 0;
    *have = 0;
    int e = vl_malloc_aligned(d, bytes, align, p);
    if (!e)
        *have = bytes;
    return e;
}

/* Through the host port, with the back door open as well: a write past the caches would empty them before each launch. */
static int write_block(vl_device *d, const vl_kernel_info *k, unsigned char *block, uint64_t bytes)
{
    const bool open = d->back_door;
    int e = open ? vl_set_back_door(d, false) : 0;
    if (!e)
        e = vl_print_prepare(d, k, block);
    if (!e)
        e = vl_write(d, d->block, block, bytes);
    if (open && !d->back_door) {
        /* an error that vl_write has recorded must stay */
        const int f = d->ops->back_door ? d->ops->back_door(d->self, true) : 0;
        d->back_door = f == 0;
        e = e ? e : vl_record_error(d, f);
    }
    return e;
}

static int place_memory(vl_device *d, vl_kernel *k, const vl_range *r, const uint64_t *global, vl_backend_launch *l)
{
    uint64_t harts = (uint64_t)d->env.cores * d->env.warps * d->env.threads;
    if (k->info->stack_bytes) {
        l->stack_log2 = VL_PRIVATE_LEAST; /* smaller stacks would not be interleaved */
        while (1u << l->stack_log2 < k->info->stack_bytes)
            l->stack_log2++;
        const uint64_t all = 1ull << vl_stacks_log2(d, l->stack_log2);
        if (keep_room(d, all, all < VL_LINE ? VL_LINE : all, &d->stack, &d->stack_bytes))
            return vl_fail(&d->error, VL_EDEVMEM, "no room for the private stacks: %" PRIu64 " threads of %u bytes",
                           harts, 1u << l->stack_log2);
        l->stack_base = d->stack;
        l->private_bytes = d->checks ? k->info->stack_bytes : 0;
        d->stack_log2 = l->stack_log2;
    }
    uint64_t bytes = vl_align(k->info->block_bytes, VL_LINE);
    if (keep_room(d, bytes, VL_LINE, &d->block, &d->block_bytes))
        return vl_fail(&d->error, VL_EDEVMEM, "no room for the launch block");
    unsigned char *b = calloc(1, bytes);
    if (!b)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    put32(b, r->dims);
    put32(b + 4, l->spad_bytes);
    for (int i = 0; i < 3; i++) {
        put64(b + 0x08 + 8 * i, global[i]);
        put64(b + 0x20 + 8 * i, l->offset[i]);
        put64(b + 0x38 + 8 * i, l->groups[i]);
        put64(b + 0x50 + 8 * i, l->local[i]);
    }
    memcpy(b + VL_BLOCK_ARGS, k->args, k->info->block_bytes - VL_BLOCK_ARGS);
    int e = write_block(d, k->info, b, bytes);
    free(b);
    l->arg = d->block;
    return e;
}

int vl_prepare(vl_device *d, vl_kernel *k, const vl_range *range, vl_backend_launch *l)
{
    uint64_t global[3], local[3];
    int e = 0;
    if (d->launched) /* and *l may be the launch of that kernel */
        return vl_fail(&d->error, VL_ESTATE, "a kernel runs");
    *l = (vl_backend_launch){0};
    if (!k || !range)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->dead)
        return vl_fail(&d->error, VL_EDEAD, "an earlier launch did not end");
    if (!d->image)
        return vl_fail(&d->error, VL_ESTATE, "no image is loaded");
    if (d->image != k->image)
        return vl_fail(&d->error, VL_ESTATE, "kernel %s is of an image that is not loaded", k->info->name);
    if ((e = check_range(d, k, range, global, local, l)) || (e = place_local(d, k, l))
        || (e = place_memory(d, k, range, global, l)) || (e = vl_table_for(d, k->info)))
        return e;
    l->entry = k->info->entry;
    l->max_cycles = d->max_cycles;
    l->progress = d->progress;
    l->progress_user = d->progress_user;
    return 0;
}

/* The value is the address of a load, a store or an atomic. */
static bool of_data(uint32_t cause)
{
    return (cause >= VL_FAULT_LOAD_MISALIGNED && cause <= VL_FAULT_STORE_ACCESS) || cause == VL_FAULT_LOAD_PAGE
           || cause == VL_FAULT_STORE_PAGE;
}

int vl_record_fault(vl_device *d, const vl_space *s, const vl_image *img, const vl_backend_launch *l, vl_fault *f)
{
    if (of_data(f->cause))
        f->value = vl_stack_address(d, l->stack_base, l->stack_log2, f->value);
    vl_fault_place(d, s, img, l, f);
    char what[VL_FAULT_TEXT];
    vl_fault_text(f, what, sizeof what);
    return vl_fail(&d->error, VL_EFAULT, "%s, pc %#" PRIx64 ", core %u, warp %u, threads %#" PRIx64, what, f->pc,
                   f->core, f->warp, f->mask);
}

/* A kernel has ended: by e, the backend's code. */
static int finish(vl_device *d, const vl_kernel_info *k, const vl_backend_launch *l, int e, vl_fault fault,
                  vl_result *result)
{
    vl_error why = d->error;
    const int m = vl_memory_end(d);
    if (e) {
        d->error = why;
        d->dead = true;
        d->error.code = e;
        if (e == VL_EFAULT)
            vl_record_fault(d, d->space, d->image, l, &fault);
        else if (e == VL_ELIMIT && !*why.text)
            vl_fail(&d->error, e, "the kernel did not end within %" PRIu64 " %s", l->max_cycles,
                    strcmp(d->name, "ref") ? "cycles" : "thread instructions");
        else if (!*d->error.text)
            vl_fail(&d->error, e, "%s: %s", d->name, vl_strerror(e));
    }
    why = d->error;
    vl_stopped_collect(d);
    int s = vl_stats_collect(d);
    if (!s && (!e || e == VL_EFAULT || e == VL_ELIMIT || e == VL_EINTR))
        s = vl_print_collect(d, k);
    if (m && !e)
        d->error = why, e = vl_record_error(d, m);
    else if (s && !e)
        e = s;
    else if (s == VL_EDIFF) /* a wrong machine is the graver error, but the kernel's end is reported as well */
        e = vl_fail(&d->error, s, "%s; before that: %s", d->error.text, why.text);
    else if (s)
        vl_fail(&d->error, e, "%s; then: %s", why.text, d->error.text);
    if (result) {
        *result = (vl_result){.code = e, .fault = fault, .stats = d->stats, .n_stats = d->n_stats};
        result->cycles = vl_result_value(result, "cycles", 0);
    }
    return e;
}

int vl_launch(vl_device *d, vl_kernel *k, const vl_range *range, vl_result *result)
{
    if (result)
        *result = (vl_result){.code = VL_EINVAL};
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    vl_backend_launch l;
    vl_fault fault = {0};
    int e = vl_prepare(d, k, range, &l);
    if (!e)
        e = vl_allow(d, k);
    if (!e && (e = vl_memory_begin(d, &l)))
        (void)vl_record_error(d, e);
    if (e) {
        if (result)
            result->code = e;
        return e;
    }
    vl_sampling_begin(d);
    e = d->ops->run(d->self, &l, &fault, &d->error);
    return finish(d, k->info, &l, e, fault, result);
}

int vl_launch_begin(vl_device *d, vl_kernel *k, const vl_range *range)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (d->memory.options.mode != VL_BARE || !d->ops->begin)
        return vl_fail(&d->error, VL_ENOTSUP, "%s%s", d->ops->begin ? "" : d->name,
                       d->ops->begin ? "the device's memory has pages: the host cannot use it while kernels run"
                                     : " runs a kernel in one piece");
    int e = vl_prepare(d, k, range, &d->launch);
    if (!e)
        e = vl_record_error(d, vl_memory_begin(d, &d->launch));
    if (!e && d->memory.view)
        e = vl_record_error(d, vl_picture_begin(d));
    if (e)
        return e;
    vl_sampling_begin(d);
    e = vl_record_error(d, d->ops->begin(d->self, &d->launch, &d->error));
    d->launched = !e;
    d->memory.running = !e && d->memory.view;
    d->launch_kernel = k->info;
    d->dead = e != 0;
    return e;
}

int vl_launch_pass(vl_device *d, uint64_t cycles, bool *running)
{
    bool unused;
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->launched)
        return vl_fail(&d->error, VL_ESTATE, "no kernel runs");
    return vl_record_error(d, d->ops->pass(d->self, cycles, running ? running : &unused, &d->error));
}

int vl_launch_end(vl_device *d, vl_result *result)
{
    if (result)
        *result = (vl_result){.code = VL_EINVAL};
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->launched) {
        if (result)
            result->code = VL_ESTATE;
        return vl_fail(&d->error, VL_ESTATE, "no kernel runs");
    }
    vl_fault fault = {0};
    int e = d->ops->end(d->self, &fault, &d->error);
    d->launched = false;
    const int shown = vl_picture_end(d);
    e = e ? e : shown;
    return finish(d, d->launch_kernel, &d->launch, e, fault, result);
}
