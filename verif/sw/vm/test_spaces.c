/* Several address spaces of a device. */
#include "verif/sw/vm/lib.h"

static void spaces_do_not_see_each_other(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand,frames=20,order=random:4", "demand,frames=20,disturb=6"};
    for (unsigned m = 0; m < 3; m++) {
        vl_device *d = open_device(modes[m], 0);
        vl_space *own = d->space, *other;
        vl_ptr p = buffer(d, 8 * 4096), q, block;
        access_one(d, p, STORE, 11, 0, NULL);
        block = d->block;
        assert_int_equal(vl_space_new(d, &other), 0);
        assert_int_not_equal(other->asid, own->asid);
        assert_int_equal(vl_use_space(d, other), 0);
        vl_result r;
        uint64_t a[] = {0, 0};
        assert_int_equal(launch(d, "probe", 1, 1, &r, a, 2), VL_ESTATE); /* no image there yet */
        load_image(d);
        q = buffer(d, 8 * 4096);
        assert_true(q != p);
        access_one(d, q, STORE, 22, 0, NULL);
        assert_true(d->block != block);
        assert_int_equal(vl_free(d, p), VL_EINVAL);
        assert_int_equal(vl_use_space(d, NULL), 0);
        assert_true(d->block == block);
        assert_int_equal(access_one(d, p, ADD, 1, 0, NULL), 11);
        assert_int_equal(vl_use_space(d, other), 0);
        assert_int_equal(access_one(d, q, ADD, 1, 0, NULL), 22);
        assert_int_equal(*(uint32_t *)(uintptr_t)p, 12); /* the host has both */
        assert_int_equal(*(uint32_t *)(uintptr_t)q, 23);
        check_consistent(d);
        access_one(d, p, LOAD, 0, VL_EFAULT, &r); /* the device, in one of them, has not */
        assert_int_equal(r.fault.cause, VL_FAULT_LOAD_PAGE);
        close_device(d);
    }
}

static void asids_are_used_again(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0), *e = open_device("paged", 0);
    uint64_t free = d->memory.frames.free;
    vl_space *s[8];
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(vl_space_new(d, &s[i]), 0);
        assert_int_equal(s[i]->asid, i + 2);
    }
    assert_int_equal(vl_use_space(d, s[3]), 0);
    buffer(d, 1 << 20);
    assert_int_equal(vl_space_free(d, s[3]), VL_EINVAL); /* in use */
    assert_int_equal(vl_use_space(d, NULL), 0);
    assert_int_equal(vl_space_free(d, d->memory.own), VL_EINVAL);
    assert_int_equal(vl_space_free(e, s[3]), VL_EINVAL);
    assert_int_equal(vl_use_space(e, s[3]), VL_EINVAL);
    assert_int_equal(vl_space_free(d, s[3]), 0);
    d->memory.stale = false;
    assert_int_equal(vl_space_free(d, s[4]), 0);
    assert_true(d->memory.stale); /* before the ASID is somebody else's, all is shot down */
    assert_int_equal(vl_space_new(d, &s[3]), 0);
    assert_int_equal(vl_space_new(d, &s[4]), 0);
    assert_int_equal(s[3]->asid, 5);
    assert_int_equal(s[4]->asid, 6);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(vl_space_free(d, s[i]), 0);
    assert_int_equal(vl_space_free(d, NULL), 0);
    assert_int_equal(d->memory.frames.free, free);
    close_device(e);
    close_device(d);
}

/* Each ASID once, whatever their number. */
static void many_spaces(void **state)
{
    (void)state;
    enum { N = 140 };
    vl_device *d = open_device("paged", 0);
    vl_space *s[N];
    for (unsigned i = 0; i < N; i++) {
        assert_int_equal(vl_space_new(d, &s[i]), 0);
        assert_int_equal(s[i]->asid, i + 2);
    }
    for (unsigned i = 0; i < N; i += 3) { /* the lowest that is free */
        assert_int_equal(vl_space_free(d, s[i]), 0);
        assert_int_equal(vl_space_new(d, &s[i]), 0);
        assert_int_equal(s[i]->asid, i + 2);
    }
    close_device(d);
}

/* The same program gets the same addresses: cycle counts must repeat. */
static void addresses_repeat(void **state)
{
    (void)state;
    vl_ptr p[2];
    for (unsigned i = 0; i < 2; i++) {
        vl_device *d = open_device("paged", 0);
        p[i] = buffer(d, 12345);
        close_device(d);
    }
    assert_true(p[0] == p[1] && p[0] >= 1ull << 45 && p[0] < 1ull << 47);
}

static bool of_channels(const vl_device *d, uint64_t addr, uint64_t channels)
{
    return channels >> (addr / VL_PAGE / d->memory.frames.run % d->memory.frames.colours) & 1;
}

/* Data, image and tables of a space lie in its channels, and a program does its work there. */
static void channels_are_divided(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0), *e = open_device("demand", 0), *large = open_device("paged,page=2m", 0);
    const uint64_t free = d->memory.frames.free, of[] = {0x5, 0x8};
    vl_space *s[2], *other;
    assert_int_equal(vl_space_new(d, &s[0]), 0);
    d->memory.frames.colours = 0; /* as where a page lies in several */
    assert_int_equal(vl_space_channels(d, s[0], 1), VL_ENOTSUP);
    d->memory.frames.colours = 4;
    d->memory.frames.run = 2;
    assert_int_equal(vl_space_channels(d, NULL, 1), VL_EINVAL);
    assert_int_equal(vl_space_channels(d, s[0], 0), VL_EINVAL);
    assert_int_equal(vl_space_channels(d, s[0], 0x10), VL_EINVAL);
    for (unsigned k = 0; k < 2; k++) {
        vl_device *const x = k ? large : e;
        assert_int_equal(vl_space_new(x, &other), 0);
        assert_int_equal(vl_space_channels(x, other, 1), VL_ENOTSUP);
        assert_int_equal(vl_space_channels(d, other, 1), VL_EINVAL);
    }
    assert_int_equal(vl_space_new(d, &s[1]), 0);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(vl_space_channels(d, s[k], of[k]), 0);
        assert_int_equal(vl_use_space(d, s[k]), 0);
        load_image(d);
        assert_int_equal(vl_space_channels(d, s[k], of[k]), VL_ESTATE);
        vl_ptr p = buffer(d, 200 * VL_PAGE);
        access_one(d, p + 150 * VL_PAGE, STORE, 22, 0, NULL);
        assert_int_equal(*(uint32_t *)(uintptr_t)(p + 150 * VL_PAGE), 22);
        assert_true(of_channels(d, page_table_root(s[k]->table) * VL_PAGE, of[k]));
        unsigned pages = 0;
        for (size_t i = 0; i < s[k]->n; i++)
            for (uint64_t j = 0; j < s[k]->areas[i].bytes / VL_PAGE; j++, pages++)
                assert_true(of_channels(d, s[k]->areas[i].pages[j].frame, of[k]));
        assert_true(pages > 200);
    }
    assert_int_equal(vl_use_space(d, NULL), 0);
    for (unsigned k = 0; k < 2; k++)
        assert_int_equal(vl_space_free(d, s[k]), 0);
    assert_int_equal(d->memory.frames.free, free);
    close_device(large);
    close_device(e);
    close_device(d);
}

const struct CMUnitTest space_tests[] = {
    cmocka_unit_test(channels_are_divided), cmocka_unit_test(spaces_do_not_see_each_other),
    cmocka_unit_test(asids_are_used_again), cmocka_unit_test(many_spaces),
    cmocka_unit_test(addresses_repeat),
};
const size_t n_space_tests = sizeof space_tests / sizeof *space_tests;
