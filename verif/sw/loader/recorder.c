/* The recorder, and what tests on it begin with: nothing is run, so a test sees all that the runtime asked. */
#include <stdlib.h>

#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/recorder.h"

recorder *last;
int fail_open;
uint64_t want_limit = 0x40000000 + HEAP_BYTES;

static int rec_open(void **self, const vl_backend_env *env, vl_error *err)
{
    if (fail_open)
        return fail_open == 1 ? VL_EBACKEND : vl_fail(err, VL_EBACKEND, "no such luck");
    assert_int_equal(env->cores, 2);
    assert_int_equal(env->warps, 4);
    assert_int_equal(env->threads, 4);
    assert_int_equal(env->lanes, 4);
    assert_int_equal(env->spad_bytes, 1024);
    assert_int_equal(vl_cfg_get(env->cfg, "cores", 0), 2);
    *self = last = calloc(1, sizeof *last);
    last->counters[0] = (vl_counter){"cycles", "run", "cycles", "", 0};
    last->counters[1] = (vl_counter){"warp_instructions", "run", "", "", 0};
    last->counters[2] = (vl_counter){"thread_instructions", "run", "", "", 0};
    return 0;
}
static void rec_close(void *self)
{
    free(self);
    last = NULL;
}
static int rec_policy(void *self, enum vl_policy p, uint32_t v, vl_error *err)
{
    (void)err;
    ((recorder *)self)->policy = p;
    ((recorder *)self)->policy_value = v;
    return 0;
}
static int rec_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    (void)self, (void)err;
    assert_int_equal(base, 0x10000000);
    assert_int_equal(limit, want_limit);
    return 0;
}
unsigned char *at(recorder *r, uint64_t addr, uint64_t bytes)
{
    if (addr >= 0x40000000) {
        assert_true(addr - 0x40000000 + bytes <= HEAP_BYTES);
        return r->heap + (addr - 0x40000000);
    }
    assert_true(addr >= 0x10000000 && addr - 0x10000000 + bytes <= IMAGE_BYTES);
    return r->image + (addr - 0x10000000);
}
static int rec_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    recorder *r = self;
    (void)err;
    memcpy(at(r, addr, bytes), data, bytes);
    r->past += r->back_door;
    return 0;
}
int rec_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    (void)err;
    memcpy(data, at(self, addr, bytes), bytes);
    return 0;
}
static int rec_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    (void)err;
    ((recorder *)self)->fills++;
    memset(at(self, addr, bytes), byte, bytes);
    return 0;
}
static int rec_reconv(void *self, uint32_t kernel, const vl_reconv *t, uint32_t n, vl_error *err)
{
    (void)err;
    assert_int_equal(kernel, 0);
    assert_int_equal(n, ENTRIES);
    memcpy(((recorder *)self)->table, t, n * sizeof *t);
    return 0;
}
static int rec_run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    recorder *r = self;
    (void)err;
    r->launch = *l;
    r->runs++;
    r->counters[0].value = 100;
    r->counters[1].value = 50;
    r->counters[2].value = 150;
    *fault = r->fault;
    return r->outcome;
}
int rec_begin(void *self, const vl_backend_launch *l, vl_error *err)
{
    (void)err;
    ((recorder *)self)->launch = *l;
    return ((recorder *)self)->begin_fails;
}
static int rec_pass(void *self, uint64_t cycles, bool *running, vl_error *err)
{
    (void)err;
    ((recorder *)self)->passed += cycles;
    *running = ((recorder *)self)->passed < 500;
    return 0;
}
static int rec_end(void *self, vl_fault *fault, vl_error *err)
{
    recorder *r = self;
    const vl_backend_launch l = r->launch;
    return rec_run(self, &l, fault, err);
}
static int rec_sync(void *self, uint64_t addr, uint64_t bytes, vl_error *err)
{
    (void)err;
    ((recorder *)self)->synced = addr + bytes;
    return 0;
}
static const vl_counter *rec_counters(void *self, size_t *n)
{
    *n = 3;
    return ((recorder *)self)->counters;
}
static int rec_trace(void *self, const char *kind, const char *path, const vl_trace_part *part, vl_error *err)
{
    (void)path, (void)part, (void)err;
    ((recorder *)self)->traces++;
    return strcmp(kind, "fst") ? VL_ENOTSUP : 0;
}
static int rec_trace_end(void *self, vl_error *err)
{
    (void)err;
    ((recorder *)self)->traces += 100;
    return 0;
}
static int rec_back_door(void *self, bool open)
{
    ((recorder *)self)->back_door = open;
    return 0;
}
vl_backend_ops recorder_ops = {
    .open = rec_open,
    .close = rec_close,
    .set_policy = rec_policy,
    .set_window = rec_window,
    .write = rec_write,
    .read = rec_read,
    .fill = rec_fill,
    .back_door = rec_back_door,
    .set_reconv = rec_reconv,
    .run = rec_run,
    .begin = rec_begin,
    .pass = rec_pass,
    .end = rec_end,
    .sync = rec_sync,
    .counters = rec_counters,
    .trace_begin = rec_trace,
    .trace_end = rec_trace_end,
};

vl_device *device_with(int64_t entries)
{
    static struct vl_config_value values[] = {
        {.key = "cores", .value = 2}, {.key = "warps", .value = 4},         {.key = "threads", .value = 4},
        {.key = "lanes", .value = 4}, {.key = "spad_bytes", .value = 1024}, {.key = "reconv_entries", .value = 0}};
    values[5].value = entries;
    vl_config c = {.name = "test", .n = 6, .values = values};
    vl_device *d;
    vl_error err;
    if (vl_open_with(&d, "recorder", ".", &c, &recorder_ops, 0x40000000 + HEAP_BYTES, &err))
        fail_msg("%s", err.text);
    return d;
}

vl_device *device(void)
{
    return device_with(ENTRIES);
}

vl_image *image(void)
{
    const uint32_t text[] = {a_beq(2), A_NOP, A_EXIT, A_EXIT};
    made m = make_image(text, 4, 3);
    vl_image *img;
    assert_int_equal(vl_image_parse(&img, m.bytes, m.size, NULL), 0);
    free(m.bytes);
    return img;
}

vl_kernel *ready(vl_device *d, const vl_image *img)
{
    vl_kernel *k;
    const float v[4] = {1, 2, 3, 4};
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(vl_kernel_open(&k, img, "first", NULL), 0);
    assert_int_equal(vl_kernel_set_ptr(k, 0, 0x40000080, NULL), 0);
    assert_int_equal(vl_kernel_set(k, 1, &(int){-7}, 4, NULL), 0);
    assert_int_equal(vl_kernel_set_local(k, 2, 100, NULL), 0);
    assert_int_equal(vl_kernel_set(k, 3, v, sizeof v, NULL), 0);
    return k;
}

uint64_t word(const unsigned char *p, size_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}
