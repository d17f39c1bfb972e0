/* Device memory: blocks of the heap are distinct and zero, and addresses outside are refused. */
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

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

int memory_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_hands_out_distinct_aligned_zero_memory),
        cmocka_unit_test(written_but_never_allocated_memory_is_zeroed),
        cmocka_unit_test(memory_that_a_kernel_wrote_is_zeroed),
        cmocka_unit_test(heap_refuses_what_it_cannot_do),
        cmocka_unit_test(heap_under_random_use),
        cmocka_unit_test(memory_outside_is_refused),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
