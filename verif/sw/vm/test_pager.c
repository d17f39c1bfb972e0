/* Demand paging and eviction. */
#include <stdlib.h>

#include "verif/sw/vm/lib.h"

static uint64_t counted(const vl_result *r, const char *name)
{
    return vl_result_value(r, name, UINT64_MAX);
}

/* Beside a test's buffer: the kernel's text, the launch block, and a page for the result. */
enum { OTHERS = 3 };

static void pages_come_at_the_first_touch(void **state)
{
    (void)state;
    vl_device *d = open_device("demand", 0);
    vl_ptr p = buffer(d, 100 * 4096), sum = buffer(d, 4);
    vl_result r;
    for (unsigned i = 0; i < 100; i++)
        ((uint32_t *)vl_host(d, p))[i * 1024] = i + 1;
    uint64_t free = d->memory.frames.free;
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 10, 1, 0, sum), 0);
    assert_int_equal(*(uint32_t *)vl_host(d, sum), 54 + 9); /* 2 ... 10, and page 0 nine times */
    assert_int_equal(counted(&r, "pages_in"), 10 + OTHERS);
    assert_int_equal(counted(&r, "pages_out"), 0);
    assert_int_equal(counted(&r, "page_faults"), 10 + OTHERS);
    assert_true(free - d->memory.frames.free >= 10 + OTHERS);
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 12, 1, 0, sum), 0); /* two more pages */
    assert_int_equal(counted(&r, "pages_in"), 2);
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 12, 1, 1, sum), 0); /* to be written: D is to be set */
    assert_int_equal(counted(&r, "pages_in"), 0);
    assert_int_equal(counted(&r, "page_flags_set"), 11);
    close_device(d);
}

static void the_limit_is_kept(void **state)
{
    (void)state;
    static const char *const modes[] = {"demand,frames=16", "demand,frames=16,evict=fifo",
                                        "demand,frames=16,order=random:3,disturb=1", "demand,frames=100000"};
    for (unsigned m = 0; m < 4; m++)
        for (unsigned write = 0; write < 2; write++) {
            vl_device *d = open_device(modes[m], 0);
            vl_ptr p = buffer(d, 64 * 4096), sum = buffer(d, 4);
            uint32_t *h = vl_host(d, p), want[64], s = 0;
            vl_result r;
            for (unsigned i = 0; i < 64; i++)
                h[i * 1024] = want[i] = i * i + 3;
            for (unsigned k = 0; k < 3; k++)
                for (unsigned i = 1; i < 64; i++) {
                    s += want[i];
                    if (write)
                        want[i] = s;
                    s += want[0];
                }
            assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 64, 3, write, sum), 0);
            assert_int_equal(*(uint32_t *)vl_host(d, sum), s);
            for (unsigned i = 0; i < 64; i++)
                assert_int_equal(h[i * 1024], want[i]);
            uint64_t in = counted(&r, "pages_in"), out = counted(&r, "pages_out"), wrote = counted(&r, "pages_written");
            if (m == 3)
                assert_int_equal(in, 64 + OTHERS);
            else
                assert_true(in > 64 + OTHERS && in - out <= 16 && counted(&r, "shootdowns") >= out);
            if (!write && m < 2)
                assert_true(wrote <= 1); /* nothing but the result was written, and home had the rest */
            if (write && m < 2)
                assert_true(wrote >= 100);
            check_consistent(d);
            close_device(d);
        }
}

/* Page 0 is used all the time: the clock keeps it, first in first out does not. */
static void the_clock_spares_what_is_used(void **state)
{
    (void)state;
    uint64_t in[2];
    for (unsigned fifo = 0; fifo < 2; fifo++) {
        vl_device *d = open_device(fifo ? "demand,frames=16,evict=fifo" : "demand,frames=16", 0);
        vl_ptr p = buffer(d, 200 * 4096), sum = buffer(d, 4);
        vl_result r;
        assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 200, 1, 0, sum), 0);
        in[fifo] = counted(&r, "pages_in");
        close_device(d);
    }
    assert_int_equal(in[0],
                     200 + OTHERS
                         + 1); /* each page once; the hand's first round finds all used and takes the first, the text */
    assert_true(in[1] >= 200 + OTHERS + 2 * (200 / 16 - 1)); /* page 0 and the text, once a round of the ring */
}

/* First in, first out, to the page: with N free frames for a cycle of N pages and none more, every touch of the cycle misses. */
static void first_in_is_first_out(void **state)
{
    (void)state;
    vl_device *d = open_device("demand,frames=20,evict=fifo", 0);
    vl_ptr p = buffer(d, 40 * 4096), sum = buffer(d, 4);
    vl_result r;
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 16, 1, 0, sum), 0); /* 16 + others fit */
    assert_int_equal(counted(&r, "pages_out"), 0);
    assert_int_equal(counted(&r, "pages_in"), 16 + OTHERS);
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p + 16 * 4096, 2, 1, 0, sum),
                     0); /* two more pages: the first two are evicted, and one of them comes back */
    vl_space *s = d->space;
    assert_true(vl_space_page(s, p + 16 * 4096, NULL)->frame && vl_space_page(s, p + 17 * 4096, NULL)->frame);
    for (unsigned i = 3; i < 16; i++)
        assert_true(vl_space_page(s, p + i * 4096, NULL)->frame); /* came later than all that went */
    close_device(d);
}

/* A page in a frame that home has as well, then changed by the host between two kernels, then evicted. */
static void what_the_host_writes_between_is_kept(void **state)
{
    (void)state;
    static const char *const modes[] = {"demand,frames=12", "demand,frames=12,evict=fifo",
                                        "demand,frames=12,disturb=8"};
    for (unsigned m = 0; m < 3; m++) {
        vl_device *d = open_device(modes[m], 0);
        vl_ptr p = buffer(d, 40 * 4096), q = buffer(d, 4096), sum = buffer(d, 4);
        uint32_t *h = vl_host(d, q), two = 3;
        h[0] = 1, h[5] = 1;
        assert_int_equal(access_one(d, q, LOAD, 0, 0, NULL), 1);
        h[0] = 2;
        assert_int_equal(vl_write(d, q + 20, &two, 4), 0);
        assert_int_equal(LAUNCH(d, "sweep", 1, 1, NULL, p, 40, 1, 1, sum), 0); /* q is pushed out */
        assert_null((void *)(uintptr_t)vl_space_page(d->space, q, NULL)->frame);
        assert_int_equal(h[0], 2);
        assert_int_equal(h[5], 3);
        h[0] = 9; /* at home */
        assert_int_equal(access_one(d, q, ADD, 1, 0, NULL), 9);
        assert_int_equal(h[0], 10);
        close_device(d);
    }
}

/* More memory than the device has. */
static void buffers_may_be_larger_than_memory(void **state)
{
    (void)state;
    vl_device *d = open_device("demand,order=random:2,frames=300", 0);
    vl_ptr p = buffer(d, 2000ull * 4096), sum = buffer(d, 4);
    uint32_t *h = vl_host(d, p), s = 0;
    for (uint32_t i = 0; i < 2000; i++)
        h[i * 1024] = i;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 1; i < 2000; i++)
            s += i;
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, NULL, p, 2000, 2, 0, sum), 0);
    assert_int_equal(*(uint32_t *)vl_host(d, sum), s);
    assert_int_equal(vl_free(d, p), 0);
    close_device(d);
    d = open_device("demand", 0); /* 512 MB of memory for a gigabyte */
    p = buffer(d, 1ull << 30);
    for (uint64_t at = 0; at < 1ull << 30; at += 8 << 20)
        *(uint32_t *)vl_host(d, p + at) = (uint32_t)(at >> 20);
    assert_int_equal(access_one(d, p + (1016 << 20), ADD, 1, 0, NULL), 1016);
    close_device(d);
}

/* No frame is left, not even for tables: pages go, nothing else happens. */
static void frames_run_out(void **state)
{
    (void)state;
    vl_device *d = open_device("demand", 0);
    vl_ptr p = buffer(d, 300 * 4096), sum = buffer(d, 4);
    uint64_t taken = 0;
    uint64_t *held = malloc(d->memory.frames.n * sizeof *held);
    while (d->memory.frames.free > 60)
        assert_true(vl_frames_take(&d->memory.frames, 0, &held[taken++], &(bool){0}));
    for (uint32_t i = 0; i < 300; i++)
        ((uint32_t *)vl_host(d, p))[i * 1024] = i;
    vl_result r;
    assert_int_equal(LAUNCH(d, "sweep", 1, 1, &r, p, 300, 2, 1, sum), 0);
    assert_true(counted(&r, "pages_out") > 400);
    while (taken)
        vl_frames_give(&d->memory.frames, held[--taken]);
    free(held);
    close_device(d);
}

/* A machine that faults where nothing is wrong must not hang; two warps that fault at the same page must not be taken for that. */
static void spurious_faults_end(void **state)
{
    (void)state;
    vl_device *d = open_device("demand", 0);
    vl_ptr p = buffer(d, 4096), q = buffer(d, 4096);
    access_one(d, p, STORE, 1, 0, NULL);
    vl_page_fault f = {.cause = VL_FAULT_LOAD_PAGE, .access = VL_ACCESS_LOAD, .address = p, .pc = 0x10000000}, g = f;
    g.warp = 1;
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
        assert_int_equal(vl_pager_fault(d, &g, &d->error), 0);
        if (i == 50)
            g.pc += 4; /* it did go on */
    }
    assert_int_equal(vl_pager_fault(d, &f, &d->error), VL_EFAULT);
    assert_int_equal(vl_pager_fault(d, &g, &d->error), 0);
    for (unsigned i = 0; i < 300;
         i++) { /* a warp that goes on, at other addresses of one instruction or with another one at the same */
        g.address = p + 4 * (i % 3), g.pc = 0x10000000 + 4 * (i % 2);
        assert_int_equal(vl_pager_fault(d, &g, &d->error), 0);
    }
    g.pc = 0x10000000;
    for (unsigned i = 0; i < 300; i++) {
        g.address = p + 4 * (i % 3);
        assert_int_equal(vl_pager_fault(d, &g, &d->error), 0);
    }
    f.address = q; /* there is something to do: not spurious */
    assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
    f.access = VL_ACCESS_STORE;
    assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
    vl_ptr pages = buffer(d, 300 * 4096);
    f.access = VL_ACCESS_LOAD;
    for (unsigned i = 0; i < 300; i++) { /* a warp that has other pages served in between does not fault for ever */
        f.address = i % 3 ? p : pages + i * 4096;
        assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
    }
    close_device(d);
}

/* A PTE that was read for another core may be older than the host's mapping: the access is resumed, if the page allows it, even where pages are mapped from the start. */
static void paged_faults_of_what_is_mapped_are_resumed(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0);
    vl_ptr p = buffer(d, 4096);
    access_one(d, p, STORE, 1, 0, NULL);
    vl_page_fault f = {.cause = VL_FAULT_LOAD_PAGE, .access = VL_ACCESS_LOAD, .address = p, .pc = 0x10000000};
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
    assert_int_equal(vl_pager_fault(d, &f, &d->error), VL_EFAULT);
    f.access = VL_ACCESS_STORE, f.address += 8;
    assert_int_equal(vl_pager_fault(d, &f, &d->error), 0);
    f.access = VL_ACCESS_FETCH;
    assert_int_equal(vl_pager_fault(d, &f, &d->error), VL_EFAULT);
    f.access = VL_ACCESS_LOAD, f.address = 0x1000;
    assert_int_equal(vl_pager_fault(d, &f, &d->error), VL_EFAULT);
    close_device(d);
}

/* Every frame once, those of the aperture's addresses never; larger ones aligned. */
static void frames_are_taken_once(void **state)
{
    (void)state;
    enum { N = 3072, HOLE = 16 };
    for (unsigned random = 0; random < 2; random++)
        for (unsigned level = 0; level < 2; level++) {
            const uint64_t base = 0x2fc01000, limit = base + N * 4096ull, count = 1ull << 9 * level;
            vl_frames f;
            bool seen[N] = {0}, zero;
            uint64_t at, n = 0;
            assert_int_equal(vl_frames_init(&f, base, limit, VL_SPAD_BASE, VL_SPAD_MAX), 0);
            f.random = random;
            for (; vl_frames_take(&f, level, &at, &zero); n++) {
                assert_true(zero && at % (count * 4096) == 0 && at >= base && at + count * 4096 <= limit);
                assert_true(at + count * 4096 <= VL_SPAD_BASE || at >= VL_SPAD_BASE + VL_SPAD_MAX);
                for (uint64_t k = 0; k < count; k++) {
                    assert_false(seen[(at - base) / 4096 + k]);
                    seen[(at - base) / 4096 + k] = true;
                }
            }
            assert_int_equal(n, level ? 4 : N - HOLE); /* of five that are aligned, the hole spoils one */
            assert_int_equal(f.free, N - HOLE - n * count);
            if (level == 0)
                vl_frames_give(&f, base + 4096 * 7); /* the only one that is free, and no longer new */
            if (level == 0)
                assert_true(vl_frames_take(&f, 0, &at, &zero) && at == base + 4096 * 7 && !zero);
            vl_frames_done(&f);
        }
}

/* Frames of colours: those alone, each once, the lowest first or in any order; beside frames of any colour; and returned frames come again. */
static void frames_have_colours(void **state)
{
    (void)state;
    enum { N = 512, COLOURS = 4, RUN = 2 };
    for (unsigned random = 0; random < 2; random++) {
        const uint64_t base = 0x80003000, mine = 0x5;
        vl_frames f;
        bool seen[N] = {0}, zero;
        uint64_t at, n = 0, before = 0, some;
        assert_int_equal(vl_frames_init(&f, base, base + N * 4096ull, VL_SPAD_BASE, VL_SPAD_MAX), 0);
        f.colours = COLOURS;
        f.run = RUN;
        f.random = random;
        assert_true(vl_frames_take(&f, 0, &some, &zero)); /* of any colour */
        seen[(some - base) / 4096] = true;
        for (bool sorted = true; vl_frames_take_of(&f, mine, &at, &zero); n++, before = at) {
            const uint64_t k = (at - base) / 4096;
            assert_true(zero && at >= base && k < N && mine >> (at / 4096 / RUN % COLOURS) & 1);
            assert_false(seen[k]);
            seen[k] = true;
            sorted &= at > before;
            assert_true(sorted || random);
            assert_true(n != 40 || sorted != random);
        }
        uint64_t others = 0;
        for (uint64_t k = 0; k < N; k++)
            others += !seen[k];
        assert_int_equal(f.free, others);
        for (uint64_t k = 0; k < N; k++) /* all that are left are of other colours */
            assert_true(seen[k] || !(mine >> ((base / 4096 + k) / RUN % COLOURS) & 1));
        const uint64_t back = base + 5 * 4096; /* frame 0x80008: colour 0 */
        vl_frames_give(&f, back);
        assert_false(vl_frames_take_of(&f, 0x4, &at, &zero));
        assert_true(vl_frames_take_of(&f, mine, &at, &zero) && at == back && !zero);
        assert_false(vl_frames_take_of(&f, mine, &at, &zero));
        assert_true(vl_frames_take(&f, 0, &at, &zero) && zero && !(mine >> (at / 4096 / RUN % COLOURS) & 1));
        vl_frames_done(&f);
    }
}

const struct CMUnitTest pager_tests[] = {
    cmocka_unit_test(frames_have_colours),
    cmocka_unit_test(pages_come_at_the_first_touch),
    cmocka_unit_test(the_limit_is_kept),
    cmocka_unit_test(the_clock_spares_what_is_used),
    cmocka_unit_test(first_in_is_first_out),
    cmocka_unit_test(what_the_host_writes_between_is_kept),
    cmocka_unit_test(buffers_may_be_larger_than_memory),
    cmocka_unit_test(frames_run_out),
    cmocka_unit_test(frames_are_taken_once),
    cmocka_unit_test(spurious_faults_end),
    cmocka_unit_test(paged_faults_of_what_is_mapped_are_resumed),
};
const size_t n_pager_tests = sizeof pager_tests / sizeof *pager_tests;
