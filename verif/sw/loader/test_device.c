/* The device: heap, memory, arguments, the launch sequence, on a machine that only records what it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sw/runtime/internal.h"
#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/tests.h"

/* ---- the recorder ---- */

enum { HEAP_BYTES = 1 << 20, IMAGE_BYTES = 1 << 16, ENTRIES = 16 };

typedef struct recorder {
    unsigned char image[IMAGE_BYTES],
        heap[HEAP_BYTES]; /* full of 0xee where the runtime must not have relied on zero */
    vl_backend_launch launch;
    vl_reconv table[ENTRIES];
    unsigned runs, fills, policy, policy_value, traces;
    int outcome, open_fails, begin_fails;
    uint64_t passed, synced;
    bool back_door;
    unsigned past; /* writes while it was open */
    vl_fault fault;
    int read_fails; /* the code */
    vl_counter counters[3];
} recorder;

static recorder *last;
static int fail_open;
static uint64_t want_limit = 0x40000000 + HEAP_BYTES;

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
static unsigned char *at(recorder *r, uint64_t addr, uint64_t bytes)
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
static int rec_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
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
static int rec_begin(void *self, const vl_backend_launch *l, vl_error *err)
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
static vl_backend_ops ops = {
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

static vl_device *device_with(int64_t entries)
{
    static struct vl_config_value values[] = {
        {.key = "cores", .value = 2}, {.key = "warps", .value = 4},         {.key = "threads", .value = 4},
        {.key = "lanes", .value = 4}, {.key = "spad_bytes", .value = 1024}, {.key = "reconv_entries", .value = 0}};
    values[5].value = entries;
    vl_config c = {.name = "test", .n = 6, .values = values};
    vl_device *d;
    vl_error err;
    if (vl_open_with(&d, "recorder", ".", &c, &ops, 0x40000000 + HEAP_BYTES, &err))
        fail_msg("%s", err.text);
    return d;
}

static vl_device *device(void)
{
    return device_with(ENTRIES);
}

static vl_image *image(void)
{
    const uint32_t text[] = {a_beq(2), A_NOP, A_EXIT, A_EXIT};
    made m = make_image(text, 4, 3);
    vl_image *img;
    assert_int_equal(vl_image_parse(&img, m.bytes, m.size, NULL), 0);
    free(m.bytes);
    return img;
}

/* A kernel `first` with all arguments set. */
static vl_kernel *ready(vl_device *d, const vl_image *img)
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

static uint64_t word(const unsigned char *p, size_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}

/* ---- tests ---- */

static void open_reports_why_not(void **s)
{
    (void)s;
    struct vl_config_value values[] = {{.key = "cores", .value = 2}};
    vl_config c = {.name = "test", .n = 1, .values = values};
    vl_device *d;
    vl_error err;
    fail_open = 1;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0, &err), VL_EBACKEND);
    assert_string_equal(err.text, "recorder: cannot start: backend unavailable");
    assert_null(d);
    fail_open = 2;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0, &err), VL_EBACKEND);
    assert_string_equal(err.text, "recorder: no such luck");
    fail_open = 0;
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0x40000000, &err), VL_EINVAL);
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0x40000001, &err), VL_EINVAL);
    assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, UINT64_MAX - 127, &err), VL_EINVAL);
    assert_int_equal(vl_open(NULL, NULL, NULL, NULL, &err), VL_EINVAL);
    assert_int_equal(vl_open(&d, "small", "abacus", NULL, &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "no backend 'abacus'"));
    assert_int_equal(vl_open(&d, "nowhere", "ref", NULL, &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "nowhere"));
    assert_int_equal(vl_open(&d, "../small", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "--help", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "", "ref", NULL, &err), VL_ENOENT);
    assert_int_equal(vl_open(&d, "small", "ref", &(vl_options){.root = "/proc"}, &err), VL_ECONFIG);
}

/* A table that is not of two ways. */
static void an_odd_table_is_refused(void **s)
{
    (void)s;
    vl_device *d = device_with(ENTRIES + 1);
    vl_image *img = image();
    assert_int_equal(vl_load(d, img), VL_ECONFIG);
    assert_non_null(strstr(vl_detail(d), "a reconvergence table of"));
    vl_close(d);
    vl_image_free(img);
}

/* Chips smaller than the usual window: it ends with them, the heap comes after a quarter of them where 0x40000000 is beyond. */
static void the_window_ends_with_the_chips(void **s)
{
    (void)s;
    static struct vl_config_value values[] = {
        {.key = "cores", .value = 2},         {.key = "warps", .value = 4},
        {.key = "threads", .value = 4},       {.key = "lanes", .value = 4},
        {.key = "spad_bytes", .value = 1024}, {.key = "reconv_entries", .value = ENTRIES},
        {.key = "memory_bytes", .value = 0}};
    static const struct {
        uint64_t chips, limit, heap;
    } cases[] = {{1ull << 25, 0x12000000, 0x10800000},
                 {1ull << 29, 0x30000000, 0x18000000},
                 {1ull << 30, 0x50000000, 0x40000000},
                 {1ull << 31, 0x80000000, 0x40000000},
                 {1ull << 33, 0x80000000, 0x40000000}};
    vl_config c = {.name = "test", .n = 7, .values = values};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vl_device *d;
        vl_error err;
        vl_ptr p;
        values[6].value = (int64_t)cases[i].chips;
        want_limit = cases[i].limit;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0, &err), 0);
        assert_int_equal(vl_malloc(d, 128, &p), 0);
        assert_int_equal(p, cases[i].heap);
        assert_int_equal(vl_write(d, cases[i].heap < 0x30000000 ? cases[i].heap - 1 : 0x30000000, &p, 2), VL_EACCESS);
        vl_close(d);
        if (cases[i].chips >= 1ull << 32)
            continue;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, 0x10000000 + cases[i].chips + 128, &err),
                         VL_EINVAL);
        assert_non_null(strstr(err.text, "the memory of configuration test ends at"));
        assert_null(d);
        want_limit = 0x10000000 + cases[i].chips;
        assert_int_equal(vl_open_with(&d, "recorder", ".", &c, &ops, want_limit, &err), 0);
        vl_close(d);
    }
    want_limit = 0x40000000 + HEAP_BYTES;
}

static void the_back_door_is_the_backends(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_false(last->back_door);
    assert_int_equal(vl_set_back_door(d, true), 0);
    assert_true(last->back_door);
    assert_int_equal(vl_set_back_door(d, false), 0);
    assert_false(last->back_door);
    assert_int_equal(vl_set_back_door(NULL, true), VL_EINVAL);
    vl_close(d);
}

static void heap_hands_out_distinct_aligned_zero_memory(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_ptr p[8], q;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(vl_malloc(d, 1000, &p[i]), 0);
        assert_int_equal(p[i] % 128, 0);
        for (int j = 0; j < i; j++)
            assert_true(p[i] >= p[j] + 1000 || p[j] >= p[i] + 1000);
    }
    assert_int_equal(last->fills, 0); /* nothing was used before */
    assert_int_equal(vl_fill(d, p[3], 0xee, 1000), 0);
    assert_int_equal(vl_free(d, p[3]), 0);
    assert_int_equal(vl_malloc(d, 2000, &q), 0); /* does not fit the gap */
    assert_true(q > p[7]);
    assert_int_equal(vl_malloc(d, 1024, &q), 0);
    assert_int_equal(q, p[3]);
    for (int i = 0; i < 1024; i++)
        assert_int_equal(last->heap[q - 0x40000000 + (unsigned)i], 0);
    vl_close(d);
}

static void written_but_never_allocated_memory_is_zeroed(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_ptr p;
    unsigned char x = 5;
    assert_int_equal(vl_write(d, 0x40000100, &x, 1), 0);
    assert_int_equal(vl_malloc(d, 1024, &p), 0);
    assert_int_equal(vl_read(d, 0x40000100, &x, 1), 0);
    assert_int_equal(x, 0);
    vl_close(d);
}

static void memory_that_a_kernel_wrote_is_zeroed(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_ptr p, q;
    assert_int_equal(vl_malloc(d, 1024, &p), 0);
    memset(last->heap, 0xee, 1024); /* the machine itself */
    assert_int_equal(vl_free(d, p), 0);
    assert_int_equal(vl_malloc(d, 1024, &q), 0);
    assert_int_equal(q, p);
    for (int i = 0; i < 1024; i++)
        assert_int_equal(last->heap[i], 0);
    vl_close(d);
}

static void heap_refuses_what_it_cannot_do(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_ptr p, q;
    assert_int_equal(vl_malloc(d, 0, &p), VL_EINVAL);
    assert_int_equal(vl_malloc(d, HEAP_BYTES + 1, &p), VL_EDEVMEM);
    assert_int_equal(vl_malloc(d, UINT64_MAX, &p), VL_EDEVMEM);
    assert_int_equal(vl_malloc(d, UINT64_MAX - 126, &p), VL_EDEVMEM);
    assert_int_equal(p, 0);
    assert_string_not_equal(vl_detail(d), "");
    assert_int_equal(vl_malloc(d, HEAP_BYTES, &p), 0);
    assert_string_equal(vl_detail(d), "");
    assert_int_equal(vl_malloc(d, 1, &q), VL_EDEVMEM);
    assert_int_equal(vl_free(d, p + 128), VL_EINVAL);
    assert_int_equal(vl_free(d, 0), 0);
    assert_int_equal(vl_free(d, p), 0);
    assert_int_equal(vl_free(d, p), VL_EINVAL);
    assert_int_equal(vl_malloc(d, 1, &q), 0);
    assert_int_equal(vl_malloc(NULL, 1, &q), VL_EINVAL);
    vl_close(d);
}

static void heap_under_random_use(void **s)
{
    (void)s;
    vl_heap h;
    vl_heap_init(&h, 0x40000000, 0x40010000);
    uint64_t p[64] = {0}, n[64] = {0}, state = 1;
    for (unsigned step = 0; step < 20000; step++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        unsigned i = state >> 33 & 63;
        if (p[i]) {
            assert_int_equal(vl_heap_give(&h, p[i]), 0);
            p[i] = 0;
            continue;
        }
        n[i] = 1 + (state >> 40) % 4000;
        if (vl_heap_take(&h, n[i], VL_LINE, &p[i])) {
            p[i] = 0;
            continue;
        }
        assert_true(p[i] >= 0x40000000 && p[i] + n[i] <= 0x40010000);
        for (unsigned j = 0; j < 64; j++)
            if (j != i && p[j])
                assert_true(p[i] + n[i] <= p[j] || p[j] + n[j] <= p[i]);
    }
    for (unsigned i = 0; i < 64; i++)
        if (p[i])
            assert_int_equal(vl_heap_give(&h, p[i]), 0);
    assert_int_equal(vl_heap_take(&h, 0x10000, VL_LINE, p), 0); /* all of it again in one piece */
    vl_heap_done(&h);
}

static void memory_outside_is_refused(void **s)
{
    (void)s;
    vl_device *d = device();
    unsigned char b[16] = {0};
    const struct {
        uint64_t addr, bytes;
    } bad[] = {{0, 1},          {0x0fffffff, 2},  {0x2fffffff, 2},          {0x30000000, 1},
               {0x3fffffff, 1}, {0x3ffffff8, 16}, {0x400ffff8, 9},          {0x40100000, 1},
               {UINT64_MAX, 1}, {UINT64_MAX, 2},  {0x40000000, UINT64_MAX}, {0x40000010, UINT64_MAX - 8}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(vl_write(d, bad[i].addr, b, bad[i].bytes), VL_EACCESS);
        assert_int_equal(vl_read(d, bad[i].addr, b, bad[i].bytes), VL_EACCESS);
        assert_int_equal(vl_fill(d, bad[i].addr, 0, bad[i].bytes), VL_EACCESS);
    }
    assert_int_equal(vl_write(d, 0x400ffff8, b, 8), 0);
    assert_int_equal(vl_read(d, 0x40100000, b, 0), 0);
    assert_int_equal(vl_write(d, 0x40000000, NULL, 8), VL_EINVAL);
    assert_int_equal(vl_read(d, 0x40000000, NULL, 8), VL_EINVAL);
    vl_close(d);
}

static void load_writes_segments_and_clears_bss(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    memset(last->image, 0xee, IMAGE_BYTES);
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(word(last->image, 4), a_beq(2));
    assert_int_equal(last->image[16], 0xee);
    const unsigned char *data = last->image + (MAKER_DATA - MAKER_TEXT);
    assert_int_equal(data[0], 0xd0);
    assert_int_equal(data[15], 0xdf);
    for (int i = 16; i < 64; i++)
        assert_int_equal(data[i], 0);
    assert_int_equal(data[64], 0xee);
    assert_int_equal(last->table[0].pc, MAKER_TEXT);
    assert_int_equal(last->table[0].target, MAKER_TEXT + 8);
    for (int i = 1; i < ENTRIES; i++)
        assert_int_equal(last->table[i].pc, 0);
    assert_int_equal(vl_load(d, NULL), VL_EINVAL);
    vl_close(d);
    vl_image_free(img);
}

/* Two kernels with two branches each, all of one set of the table: it holds those of the kernel that runs. */
static void small_table(bool text_first)
{
    enum { N = 32, SECOND = N / 2 };
    uint32_t text[N];
    for (int i = 0; i < N; i++)
        text[i] = i % (ENTRIES / 2) ? i % SECOND == SECOND - 1 ? A_EXIT : A_NOP : a_beq(2);
    made m = make_image(text, N, SECOND);
    const uint64_t text_at = MAKER_TEXT + (text_first ? 0 : 0x1000);
    if (!text_first) {
        Elf64_Phdr *p = (Elf64_Phdr *)(m.bytes + MAKER_PHOFF);
        Elf64_Ehdr *h = (Elf64_Ehdr *)m.bytes;
        p[0].p_vaddr = ((Elf64_Shdr *)(m.bytes + h->e_shoff))[1].sh_addr = text_at;
        p[1].p_vaddr = MAKER_TEXT;
        for (int i = 0; i < 2; i++) {
            uint64_t entry = text_at + (i ? 4 * SECOND : 0);
            memcpy(m.bytes + m.kernel_note[i] + 8, &entry, 8);
        }
    }
    vl_image *img;
    assert_int_equal(vl_image_parse(&img, m.bytes, m.size, NULL), 0);
    free(m.bytes);
    assert_int_equal(img->n_reconv, 4);
    vl_device *d = device();
    vl_kernel *first = ready(d, img), *second;
    assert_int_equal(vl_kernel_open(&second, img, "second", NULL), 0);
    vl_result r;
    for (int round = 0; round < 4; round++) {
        bool one = round % 2 == 0;
        const vl_range range = one ? (vl_range){.dims = 1, .global = {4}, .local = {4}}
                                   : (vl_range){.dims = 2, .global = {4, 2}, .local = {4, 2}};
        assert_int_equal(vl_launch(d, one ? first : second, &range, &r), 0);
        uint64_t base = text_at + (one ? 0 : 4 * SECOND);
        assert_int_equal(last->table[0].pc, base);
        assert_int_equal(last->table[1].pc, base + 4 * (ENTRIES / 2));
        assert_int_equal(last->table[1].target, base + 4 * (ENTRIES / 2) + 8);
        assert_int_equal(vl_result_value(&r, "reconv_left_out", 99), 0);
        assert_int_equal(vl_result_value(&r, "reconv_used", 99), 2);
    }
    vl_kernel_close(first);
    vl_kernel_close(second);
    vl_close(d);
    vl_image_free(img);
}

static void table_that_is_too_small_serves_the_kernel_that_runs(void **s)
{
    (void)s;
    small_table(true);
    small_table(false);
}

static void a_launch_block_goes_by_no_back_door(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    const vl_range range = {.dims = 1, .global = {8}, .local = {4}};
    assert_int_equal(vl_set_back_door(d, true), 0);
    vl_kernel *k = ready(d, img);
    const unsigned data = last->past;
    assert_true(data > 0); /* of the image */
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(vl_launch(d, k, &range, NULL), 0);
        assert_int_equal(last->past, data);
        assert_true(last->back_door);
    }
    assert_int_equal(vl_set_back_door(d, false), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_false(last->back_door);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void launch_block_is_as_the_abi_says(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    vl_result r;
    const vl_range range = {.dims = 2, .global = {12, 6}, .local = {4, 3}, .offset = {100, 0x1234}};
    if (vl_launch(d, k, &range, &r))
        fail_msg("%s", vl_detail(d));
    const vl_backend_launch *l = &last->launch;
    assert_int_equal(l->entry, MAKER_TEXT);
    assert_int_equal(l->arg % 128, 0);
    assert_int_equal(l->spad_bytes, 128);
    const uint32_t groups[3] = {3, 2, 1}, local[3] = {4, 3, 1}, offset[3] = {100, 0x1234, 0};
    assert_memory_equal(l->groups, groups, 12);
    assert_memory_equal(l->local, local, 12);
    assert_memory_equal(l->offset, offset, 12);
    assert_int_equal(l->group_threads, 12);
    assert_int_equal(l->group_warps, 3);
    const unsigned char *b = at(last, l->arg, 0xb0);
    assert_int_equal(word(b, 4), 2);
    assert_int_equal(word(b + 4, 4), 128);
    const uint64_t want[12] = {12, 6, 1, 100, 0x1234, 0, 3, 2, 1, 4, 3, 1};
    for (int i = 0; i < 12; i++)
        assert_int_equal(word(b + 8 + 8 * i, 8), want[i]);
    assert_int_equal(word(b + 0x80, 8), 0x40000080);
    assert_int_equal((int32_t)word(b + 0x88, 4), -7);
    assert_int_equal(word(b + 0x90, 8), 0x30000000);
    assert_int_equal(word(b + 0xa0, 4), 0x3f800000);
    assert_int_equal(r.cycles, 100);
    assert_int_equal(vl_result_value(&r, "warp_instructions", 0), 50);
    assert_string_equal(r.stats[0].name, "cycles");
    bool ipc = false, simd = false;
    for (size_t i = 0; i < r.n_stats; i++) {
        if (!strcmp(r.stats[i].name, "ipc"))
            ipc = r.stats[i].is_ratio && r.stats[i].ratio == 0.5;
        if (!strcmp(r.stats[i].name, "simd_utilisation"))
            simd = r.stats[i].ratio == 75.0;
    }
    assert_true(ipc && simd);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void static_and_dynamic_scratchpad_share_a_group(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    img->kernels[0].local_bytes = 130;
    vl_kernel *k = ready(d, img);
    const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.spad_bytes, 384); /* 130, at 256 another 100 */
    assert_int_equal(word(at(last, last->launch.arg + 0x90, 8), 8), 0x30000100);
    assert_int_equal(vl_kernel_set_local(k, 2, 1024 - 256, NULL), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(vl_kernel_set_local(k, 2, 1024 - 255, NULL), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ETOOBIG);
    assert_non_null(strstr(vl_detail(d), "scratchpad"));
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void stacks_are_a_power_of_two_a_thread(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k;
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    const vl_range range = {.dims = 3, .global = {8, 2, 1}, .local = {4, 2, 1}};
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.stack_log2, 6); /* 48 bytes */
    assert_int_equal(last->launch.stack_base % (32 << 6), 0); /* all of them are aligned to their size */
    assert_true(last->launch.stack_base + (32 << 6) <= last->launch.arg
                || last->launch.arg + 128 <= last->launch.stack_base);
    vl_ptr stack = last->launch.stack_base, block = last->launch.arg;
    /* 4 threads a warp, 64 bytes a stack: doubleword 2 of thread 6 is the tenth of the second warp's rows of four. */
    assert_int_equal(vl_private_place(d, stack + 6 * 64 + 2 * 8 + 5), stack + 256 + (2 * 4 + 2) * 8 + 5);
    for (vl_ptr a = stack - 8; a < stack + 32 * 64 + 8; a++)
        assert_int_equal(vl_private_address(d, vl_private_place(d, a)), a);
    assert_int_equal(vl_private_place(d, stack - 1), stack - 1);
    assert_int_equal(vl_private_place(d, stack + 32 * 64 + 8), stack + 32 * 64 + 8);
    assert_int_equal(vl_free(d, stack), VL_EINVAL); /* not the caller's */
    assert_int_equal(vl_free(d, block), VL_EINVAL);
    assert_int_equal(vl_launch(d, k, &range, NULL), 0); /* and they are kept */
    assert_int_equal(last->launch.stack_base, stack);
    assert_int_equal(last->launch.arg, block);
    img->kernels[1].stack_bytes = 1 << 17; /* 32 threads: 4 MB */
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_EDEVMEM);
    assert_non_null(strstr(vl_detail(d), "stacks"));
    img->kernels[1].stack_bytes = 0;
    assert_int_equal(vl_launch(d, k, &range, NULL), 0);
    assert_int_equal(last->launch.stack_base, 0);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void impossible_ranges_are_refused(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    const struct {
        vl_range range;
        int code;
        const char *says;
    } bad[] = {
        {{.dims = 0, .global = {4}, .local = {4}}, VL_EINVAL, "dimensions"},
        {{.dims = 4, .global = {4}, .local = {4}}, VL_EINVAL, "dimensions"},
        {{.dims = 1, .global = {0}, .local = {4}}, VL_EINVAL, "global size 0"},
        {{.dims = 2, .global = {4, 0}, .local = {4, 1}}, VL_EINVAL, "dimension 1"},
        {{.dims = 1, .global = {1ull << 32}, .local = {4}}, VL_EINVAL, "global size"},
        {{.dims = 1, .global = {UINT64_MAX}, .local = {4}}, VL_EINVAL, "global size"},
        {{.dims = 1, .global = {10}, .local = {4}}, VL_EINVAL, "no multiple"},
        {{.dims = 2, .global = {8, 4}, .local = {4, 0}}, VL_EINVAL, "local size 0"},
        {{.dims = 1, .global = {17}, .local = {17}}, VL_ETOOBIG, "does not fit"},
        {{.dims = 2, .global = {8, 4}, .local = {8, 4}}, VL_ETOOBIG, "does not fit"},
        {{.dims = 3, .global = {1u << 31, 1u << 31, 1u << 31}, .local = {1u << 31, 1u << 31, 4}},
         VL_ETOOBIG,
         "does not fit"},
        {{.dims = 3, .global = {1u << 31, 1u << 31, 1u << 31}, .local = {1, 1, 1}}, VL_EINVAL, "groups"},
        {{.dims = 1, .global = {8}, .local = {4}, .offset = {0xfffffff9}}, VL_EINVAL, "offset"},
        {{.dims = 1, .global = {8}, .local = {4}, .offset = {UINT64_MAX}}, VL_EINVAL, "offset"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vl_result r;
        int e = vl_launch(d, k, &bad[i].range, &r);
        if (e != bad[i].code || !strstr(vl_detail(d), bad[i].says))
            fail_msg("case %zu: %d \"%s\"", i, e, vl_detail(d));
        assert_int_equal(r.code, e);
    }
    assert_int_equal(last->runs, 0);
    /* at the edge of what is possible */
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {1u << 31, 1u << 31}, .local = {1, 1}}, NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {0xffffffff}, .local = {1}, .offset = {1}}, NULL),
                     0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {16, 16}, .local = {16, 1}}, NULL), 0);
    vl_kernel_close(k);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {8}, .local = {8}}, NULL), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "requires local size 4,2,1"));
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void local_size_is_chosen_when_left_open(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k = ready(d, img);
    const struct {
        uint64_t global;
        uint32_t local;
    } cases[] = {{1000, 10}, {16, 16}, {17, 1}, {1, 1}, {4096, 16}, {39, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 1, .global = {cases[i].global}}, NULL), 0);
        assert_int_equal(last->launch.local[0], cases[i].local);
    }
    vl_kernel_close(k);
    assert_int_equal(vl_kernel_open(&k, img, "second", NULL), 0);
    assert_int_equal(vl_launch(d, k, &(vl_range){.dims = 2, .global = {8, 2}}, NULL), 0);
    assert_int_equal(last->launch.local[0], 4);
    assert_int_equal(last->launch.local[1], 2);
    vl_kernel_close(k);
    vl_close(d);
    vl_image_free(img);
}

static void wrong_arguments_are_refused(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    vl_kernel *k;
    vl_error err;
    uint64_t v = 0;
    assert_int_equal(vl_kernel_open(&k, img, "third", &err), VL_ENOENT);
    assert_non_null(strstr(err.text, "first, second"));
    assert_int_equal(vl_kernel_open(&k, img, "", &err), VL_ENOENT);
    assert_int_equal(vl_kernel_open(NULL, img, "first", &err), VL_EINVAL);
    assert_int_equal(vl_kernel_open(&k, img, "first", &err), 0);
    assert_int_equal(vl_kernel_set(k, 4, &v, 8, &err), VL_EINVAL);
    assert_int_equal(vl_kernel_set(k, 1, &v, 8, &err), VL_EARG);
    assert_non_null(strstr(err.text, "argument 1 (int n) has 4 bytes, not 8"));
    assert_int_equal(vl_kernel_set(k, 1, NULL, 4, &err), VL_EINVAL);
    assert_int_equal(vl_kernel_set(k, 2, &v, 8, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_ptr(k, 1, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_ptr(k, 2, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 0, 4, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, 0, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, 65537, &err), VL_EARG);
    assert_int_equal(vl_kernel_set_local(k, 2, UINT64_MAX, &err), VL_EARG);
    assert_int_equal(vl_kernel_set(NULL, 0, &v, 8, &err), VL_EINVAL);
    const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE); /* nothing loaded */
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_EARG);
    assert_non_null(strstr(vl_detail(d), "argument 0 (float* x) is not set"));
    vl_image *other = image();
    assert_int_equal(vl_load(d, other), 0);
    assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE);
    assert_int_equal(vl_launch(d, NULL, &range, NULL), VL_EINVAL);
    assert_int_equal(vl_launch(d, k, NULL, NULL), VL_EINVAL);
    assert_int_equal(vl_launch(NULL, k, &range, NULL), VL_EINVAL);
    assert_int_equal(last->runs, 0);
    vl_kernel_close(k);
    vl_kernel_close(NULL);
    vl_close(d);
    vl_close(NULL);
    vl_image_free(img);
    vl_image_free(other);
    vl_image_free(NULL);
}

static void failed_launch_is_reported_and_final(void **s)
{
    (void)s;
    const struct {
        int code;
        const char *says;
    } ends[] = {
        {VL_EFAULT, "store outside memory, address 0x1234: in no buffer, pc 0x10000010, core 1, warp 3, threads 0x5"},
        {VL_ELIMIT, "within 77 cycles"},
        {VL_EINTR, "interrupted"},
        {VL_EDIFF, "lockstep"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
        assert_int_equal(vl_set_max_cycles(d, 77), 0);
        assert_int_equal(vl_set_progress(d, NULL, NULL), 0);
        assert_int_equal(vl_set_max_cycles(NULL, 77), VL_EINVAL);
        assert_int_equal(vl_config_value(d, "lanes", 0), 4);
        assert_int_equal(vl_config_value(d, "wheels", -3), -3);
        last->outcome = ends[i].code;
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i].code);
        assert_int_equal(last->launch.max_cycles, 77);
        assert_int_equal(r.code, ends[i].code);
        assert_int_equal(r.cycles, 100);
        assert_non_null(strstr(vl_detail(d), ends[i].says));
        if (ends[i].code == VL_EFAULT)
            assert_int_equal(r.fault.warp, 3);
        last->outcome = 0;
        assert_int_equal(vl_launch(d, k, &range, &r), VL_EDEAD);
        assert_int_equal(last->runs, 1);
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

static int read_fails(void *self, uint64_t addr, void *to, uint64_t bytes, vl_error *err)
{
    (void)self, (void)addr, (void)to, (void)bytes;
    strcpy(err->text, "the wire is cut");
    return err->code = last->read_fails;
}

static void no_text(void *user, const char *text, size_t bytes)
{
    (void)user, (void)text, (void)bytes;
}

/* Its printed output cannot be read any more: the fault is reported all the same. A machine found wrong then has precedence, and is reported first. */
static void a_fault_is_told_though_nothing_can_be_read_behind_it(void **s)
{
    (void)s;
    static const struct {
        int fails, code;
        const char *says;
    } ends[] = {{VL_EIO, VL_EFAULT, "threads 0x5; then: the wire is cut"},
                {VL_EDIFF, VL_EDIFF, "the wire is cut; before that: store outside memory, address 0x1234"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        const vl_range range = {.dims = 1, .global = {4}, .local = {4}};
        for (size_t n = 0; n < img->n_kernels; n++)
            img->kernels[n].prints = true;
        assert_int_equal(vl_set_print(d, no_text, NULL, 4096), 0);
        last->outcome = VL_EFAULT;
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        last->read_fails = ends[i].fails;
        ops.read = read_fails;
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i].code);
        ops.read = rec_read;
        assert_int_equal(r.code, ends[i].code);
        assert_non_null(strstr(vl_detail(d), ends[i].says));
        assert_int_equal(r.fault.warp, 3);
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

static void a_host_goes_on_beside_its_kernel(void **s)
{
    (void)s;
    const int ends[] = {0, VL_EFAULT};
    for (size_t i = 0; i < 2; i++) {
        vl_device *d = device();
        vl_image *img = image();
        vl_kernel *k = ready(d, img);
        vl_result r;
        vl_ptr p;
        bool running = false;
        char bytes[8] = {0};
        const vl_range range = {.dims = 1, .global = {8}, .local = {4}};
        assert_int_equal(vl_malloc(d, 256, &p), 0);
        assert_int_equal(vl_set_max_cycles(d, 77), 0);
        assert_int_equal(vl_launch_pass(d, 1, NULL), VL_ESTATE); /* none runs */
        assert_int_equal(vl_launch_end(d, &r), VL_ESTATE);
        assert_int_equal(r.code, VL_ESTATE);
        assert_int_equal(vl_sync(d, p, 8), VL_ESTATE);
        assert_int_equal(vl_launch_begin(NULL, k, &range), VL_EINVAL);
        assert_int_equal(vl_launch_begin(d, NULL, &range), VL_EINVAL);
        ops.begin = NULL;
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ENOTSUP);
        assert_string_equal(vl_detail(d), "recorder runs a kernel in one piece");
        ops.begin = rec_begin;
        const vl_memory bare = d->memory.options;
        d->memory.options.mode = VL_PAGED;
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ENOTSUP);
        assert_non_null(strstr(vl_detail(d), "the host cannot use it while kernels run"));
        d->memory.options = bare;
        assert_int_equal(vl_launch_begin(d, k, &range), 0);
        assert_string_equal(vl_detail(d), ""); /* what succeeds leaves nothing of an error before it */
        assert_int_equal(last->launch.groups[0], 2);
        assert_int_equal(vl_launch_begin(d, k, &range), VL_ESTATE); /* one runs */
        assert_int_equal(vl_launch(d, k, &range, NULL), VL_ESTATE);
        assert_int_equal(vl_load(d, img), VL_ESTATE);
        assert_int_equal(vl_launch_pass(d, 400, &running), 0);
        assert_true(running);
        assert_string_equal(vl_detail(d), "");
        assert_int_equal(vl_write(d, p, bytes, 8), 0);
        assert_int_equal(vl_read(d, p, bytes, 8), 0);
        assert_int_equal(last->synced, 0);
        assert_int_equal(vl_sync(d, p, 8), 0);
        assert_int_equal(last->synced, p + 8);
        assert_int_equal(vl_launch_pass(d, 100, &running), 0);
        assert_false(running);
        assert_int_equal(vl_sync(d, 0x1000, 8), VL_EACCESS);
        last->outcome = ends[i];
        last->fault = (vl_fault){
            .cause = VL_FAULT_STORE_ACCESS, .value = 0x1234, .pc = 0x10000010, .core = 1, .warp = 3, .mask = 5};
        assert_int_equal(vl_launch_end(d, &r), ends[i]);
        if (!ends[i])
            assert_string_equal(vl_detail(d), "");
        assert_int_equal(last->launch.max_cycles, 77); /* what was refused meanwhile has changed nothing */
        assert_int_equal(r.code, ends[i]);
        assert_int_equal(r.cycles, 100);
        assert_int_equal(last->runs, 1);
        assert_int_equal(vl_launch_end(d, &r), VL_ESTATE);
        last->outcome = 0;
        assert_int_equal(vl_launch(d, k, &range, &r), ends[i] ? VL_EDEAD : 0);
        if (!ends[i]) { /* a start that fails is final */
            last->begin_fails = VL_EIO;
            assert_int_equal(vl_launch_begin(d, k, &range), VL_EIO);
            assert_int_equal(vl_launch_pass(d, 1, NULL), VL_ESTATE);
            assert_int_equal(vl_launch(d, k, &range, &r), VL_EDEAD);
        }
        vl_kernel_close(k);
        vl_close(d);
        vl_image_free(img);
    }
}

static void policies_go_by_name(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_set_policy_word(d, "warp_sched=gto"), 0);
    assert_int_equal(last->policy, VL_POLICY_WARP_SCHED);
    assert_int_equal(last->policy_value, 1);
    assert_int_equal(vl_set_policy(d, "warp_sched", "lrr"), 0);
    assert_int_equal(last->policy_value, 0);
    const struct {
        const char *word;
        unsigned policy, value;
    } numbers[] = {{"mem_bound=2047", VL_POLICY_MEM_BOUND, 2047},
                   {"mem_bound=0", VL_POLICY_MEM_BOUND, 0},
                   {"mem_bound=0x7fF", VL_POLICY_MEM_BOUND, 0x7ff},
                   {"mem_bound=007", VL_POLICY_MEM_BOUND, 7},
                   {"mem_epoch=4294967295", VL_POLICY_MEM_EPOCH, 4294967295u},
                   {"mem_app3_asid=0xffff", VL_POLICY_MEM_APP3_ASID, 65535}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(vl_set_policy_word(d, numbers[i].word), 0);
        assert_int_equal(last->policy, numbers[i].policy);
        assert_int_equal(last->policy_value, numbers[i].value);
    }
    const char *const no_numbers[] = {
        "mem_bound=2048",       "mem_bound=",   "mem_bound=-1",    "mem_bound=+1",  "mem_bound= 1",
        "mem_bound=1 ",         "mem_bound=0x", "mem_bound=0x800", "mem_bound=1e3", "mem_bound=18446744073709551617",
        "mem_epoch=4294967296", "mem_bound=lrr"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        assert_int_equal(vl_set_policy_word(d, no_numbers[i]), VL_EINVAL);
        assert_non_null(strstr(vl_detail(d), "a number from 0 to"));
        assert_int_equal(last->policy_value, 65535);
    }
    assert_int_equal(vl_set_policy(d, "warp_sched", "lrr"), 0);
    const struct {
        const char *word;
        int code;
    } bad[] = {{"warp_sched", VL_EINVAL},         {"=gto", VL_EINVAL},         {"", VL_EINVAL},
               {"warp_sched=", VL_EINVAL},        {"warp_sched=g", VL_EINVAL}, {"warp_sched=gtoo", VL_EINVAL},
               {"warp_sched=lrr,gto", VL_EINVAL}, {"warp_sched=1", VL_EINVAL}, {"warp=gto", VL_ENOENT},
               {"warp_sched =gto", VL_ENOENT}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(vl_set_policy_word(d, bad[i].word), bad[i].code);
    assert_int_equal(vl_set_policy_word(d, NULL), VL_EINVAL);
    assert_int_equal(vl_set_policy(d, NULL, "gto"), VL_EINVAL);
    assert_int_equal(last->policy_value, 0);
    vl_close(d);
}

static void traces_go_by_suffix(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_trace_begin(d, "x"), VL_EINVAL);
    assert_int_equal(vl_trace_begin(d, "x.vcd"), VL_EINVAL);
    assert_int_equal(vl_trace_begin(d, NULL), VL_EINVAL);
    assert_int_equal(last->traces, 0);
    assert_int_equal(vl_trace_begin(d, "x.json"), VL_ENOTSUP);
    assert_non_null(strstr(vl_detail(d), "records no json trace"));
    assert_int_equal(vl_trace_end(d), VL_ESTATE);
    assert_int_equal(vl_trace_begin(d, "x.fst"), 0);
    assert_int_equal(vl_trace_begin(d, "y.fst"), VL_ESTATE);
    assert_int_equal(vl_trace_end(d), 0);
    assert_int_equal(last->traces, 102);
    assert_int_equal(vl_trace_begin_as(d, "z", "fst"), 0);
    vl_close(d); /* ends it */
}

/* ---- sources ---- */

static void put_file(const char *dir, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && !fclose(f));
}

static void rename_file(const char *dir, const char *from, const char *to)
{
    char a[300], b[300];
    snprintf(a, sizeof a, "%s/%s", dir, from);
    snprintf(b, sizeof b, "%s/%s", dir, to);
    assert_int_equal(rename(a, b), 0);
}

/* make is not asked about a library as long as sources are what they were, and is when one is changed, new, gone or renamed, or the library is another. */
static void sources_that_change_are_noticed(void **s)
{
    (void)s;
    char dir[] = "/tmp/vellum-sources.XXXXXX", lib[100], command[200];
    assert_non_null(mkdtemp(dir));
    static const char *const folders[] = {"mk",      "rtl",         "rtl/core", "sim_c",
                                          "scripts", "scripts/gen", "docs",     "docs/blocks"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", dir, folders[i]);
        assert_int_equal(mkdir(path, 0777), 0);
    }
    put_file(dir, "Makefile", "all:\n");
    assert_int_equal(vl_sources_key(dir), 0); /* scripts/verilate is not there */
    put_file(dir, "scripts/verilate", "#!");
    put_file(dir, "rtl/core/alu.sv", "module");
    snprintf(lib, sizeof lib, "%s/libvlmodel.so", dir);
    put_file(dir, "libvlmodel.so", "ELF");
    uint64_t key = vl_sources_key(dir);
    assert_true(key != 0 && key == vl_sources_key(dir));
    assert_false(vl_sources_same(lib, key)); /* make has not been asked */
    vl_sources_note(lib, key);
    assert_true(vl_sources_same(lib, key));
    put_file(dir, "rtl/core/alu.sv", "module 2");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    vl_sources_note(lib, key = vl_sources_key(dir));
    put_file(dir, "rtl/core/.alu.sv.swp", "");
    put_file(dir, "README", "");
    assert_true(vl_sources_same(lib, vl_sources_key(dir))); /* nothing that a machine is made of */
    rename_file(dir, "rtl/core/alu.sv", "rtl/core/alv.sv");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    rename_file(dir, "rtl/core/alv.sv", "rtl/core/alu.sv");
    assert_true(vl_sources_same(lib, vl_sources_key(dir)));
    put_file(dir, "sim_c/new.c", "");
    assert_false(vl_sources_same(lib, vl_sources_key(dir)));
    vl_sources_note(lib, key = vl_sources_key(dir));
    put_file(dir, "libvlmodel.so", "ELF of another");
    assert_false(vl_sources_same(lib, key));
    assert_false(vl_sources_same("/nowhere/libvlmodel.so", key));
    assert_false(vl_sources_same(lib, 0));
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

static void traces_have_parts(void **s)
{
    (void)s;
    vl_device *d = device();
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.from = 5, .to = 5}), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "from cycle 5 to cycle 5 is empty"));
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.cores = 1ull << 63}), VL_EINVAL);
    assert_non_null(strstr(vl_detail(d), "no core 63"));
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", NULL), VL_EINVAL);
    assert_int_equal(last->traces, 0);
    assert_int_equal(vl_trace_begin_part(d, "z", "fst", &(vl_trace_part){.from = 5}), 0);
    vl_close(d);
}

static void buffers_are_watched_where_the_backend_can(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_buffer_use use[2] = {{.name = "a", .at = 0x20000000, .bytes = 128}};
    assert_int_equal(vl_watched(d, use, 1), VL_ESTATE);
    assert_int_equal(vl_watch(d, use, 1), VL_ENOTSUP);
    assert_non_null(strstr(vl_detail(d), "does not know buffers"));
    assert_int_equal(vl_watched(d, use, 1), VL_ESTATE);
    assert_non_null(strstr(vl_detail(d), "does not know buffers")); /* it leaves that as it is */
    assert_int_equal(vl_watch(d, NULL, 1), VL_EINVAL);
    assert_string_equal(vl_buffer_count_name(VL_BUFFER_TLB_MISSES), "tlb_misses");
    assert_null(vl_buffer_count_name(VL_BUFFER_COUNTS));
    vl_close(d);
}

int device_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_that_change_are_noticed),
        cmocka_unit_test(open_reports_why_not),
        cmocka_unit_test(traces_have_parts),
        cmocka_unit_test(buffers_are_watched_where_the_backend_can),
        cmocka_unit_test(the_window_ends_with_the_chips),
        cmocka_unit_test(the_back_door_is_the_backends),
        cmocka_unit_test(heap_hands_out_distinct_aligned_zero_memory),
        cmocka_unit_test(written_but_never_allocated_memory_is_zeroed),
        cmocka_unit_test(memory_that_a_kernel_wrote_is_zeroed),
        cmocka_unit_test(heap_refuses_what_it_cannot_do),
        cmocka_unit_test(heap_under_random_use),
        cmocka_unit_test(memory_outside_is_refused),
        cmocka_unit_test(load_writes_segments_and_clears_bss),
        cmocka_unit_test(table_that_is_too_small_serves_the_kernel_that_runs),
        cmocka_unit_test(a_launch_block_goes_by_no_back_door),
        cmocka_unit_test(launch_block_is_as_the_abi_says),
        cmocka_unit_test(static_and_dynamic_scratchpad_share_a_group),
        cmocka_unit_test(stacks_are_a_power_of_two_a_thread),
        cmocka_unit_test(impossible_ranges_are_refused),
        cmocka_unit_test(local_size_is_chosen_when_left_open),
        cmocka_unit_test(an_odd_table_is_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failed_launch_is_reported_and_final),
        cmocka_unit_test(a_fault_is_told_though_nothing_can_be_read_behind_it),
        cmocka_unit_test(a_host_goes_on_beside_its_kernel),
        cmocka_unit_test(policies_go_by_name),
        cmocka_unit_test(traces_go_by_suffix),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
