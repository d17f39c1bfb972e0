/* Atomics: the values that they return and leave, reservations, compare-and-swap. */
#include "kernels.h"
#include "verif/ref/isa-directed/lib.h"

static void atomics_return_the_old_value(void **state)
{
    static const struct {
        op_e op;
        uint64_t old, arg, now;
    } c[] = {{OP_AMOSWAP_W, 0x1111111180000000, 0x22222222, 0x1111111122222222},
             {OP_AMOADD_W, 0x11111111ffffffff, 2, 0x1111111100000001},
             {OP_AMOXOR_W, 0x111111110f0f0f0f, 0xffffffff, 0x11111111f0f0f0f0},
             {OP_AMOAND_W, 0x11111111ff00ff00, 0x0ff00ff0, 0x111111110f000f00},
             {OP_AMOOR_W, 0x11111111ff00ff00, 0x0ff00ff0, 0x11111111fff0fff0},
             {OP_AMOMIN_W, 0x1111111100000001, 0xffffffff, 0x11111111ffffffff},
             {OP_AMOMIN_W, 0x1111111180000000, 5, 0x1111111180000000},
             {OP_AMOMAX_W, 0x1111111180000000, 5, 0x1111111100000005},
             {OP_AMOMAX_W, 0x1111111100000001, 0x7fffffffffffffff, 0x1111111100000001},
             {OP_AMOMINU_W, 0x11111111ffffffff, 1, 0x1111111100000001},
             {OP_AMOMAXU_W, 0x1111111100000001, 0xffffffff80000000, 0x1111111180000000},
             {OP_AMOSWAP_D, 1, 2, 2},
             {OP_AMOADD_D, 0xffffffff, 1, 0x100000000},
             {OP_AMOXOR_D, 0xf0f0f0f0f0f0f0f0, -1ull, 0x0f0f0f0f0f0f0f0f},
             {OP_AMOAND_D, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0x0f000f000f000f00},
             {OP_AMOOR_D, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0xfff0fff0fff0fff0},
             {OP_AMOMIN_D, 1, -1ull, -1ull},
             {OP_AMOMAX_D, 1, -1ull, 1},
             {OP_AMOMINU_D, 1, -1ull, 1},
             {OP_AMOMAXU_D, 1, -1ull, -1ull},
             {OP_AMOMIN_D, 0xffffffff, 1, 1},
             {OP_AMOMAX_D, 1ull << 63, 0, 0}};
    ref_mem *m = *state;
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
        for (uint32_t order = 0; order < 4; order++) {
            bool word = !(isa_rows[c[i].op].match & 1u << 12);
            ref_step s;
            ref_mem_write(m, DATA, &c[i].old, 8);
            step(m, encode(c[i].op, 12, 10, 11, 0) | order << 25, (uint64_t[3]){DATA, c[i].arg}, &s);
            assert_int_equal(s.value, word ? (uint64_t)(int64_t)(int32_t)c[i].old : c[i].old);
            assert_int_equal(s.access, REF_MEM_AMO);
            assert_int_equal(load(m, DATA), c[i].now);
            step(m, encode(c[i].op, 12, 10, 11, 0), (uint64_t[3]){DATA + 2, 0}, &s);
            assert_int_equal(s.cause, REF_FAULT_STORE_MISALIGNED);
            step(m, encode(word ? OP_LR_W : OP_LR_D, 12, 10, 0, 0), (uint64_t[3]){DATA + 2, 0}, &s);
            assert_int_equal(s.cause, REF_FAULT_LOAD_MISALIGNED);
        }
}

static void reservations(void **state)
{
    ref_launch l = launch(K_lrsc, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    expect(*state, DATA + 256,
           (uint64_t[]){1, 0x1122334455667788, 0, 5, 1, 1, 0, 0xfffffffe, 0xfffffffffffffffe, 1, 0, 1, 0, 0, 1}, 15);
}

static void a_reservation_belongs_to_one_hart(void **state)
{
    ref_bus_state one = {.mem = *state, .hart = 1}, two = {.mem = *state, .hart = 2};
    ref_bus b1 = ref_mem_bus(&one), b2 = ref_mem_bus(&two);
    uint64_t v;
    b1.amo(b1.user, OP_LR_D, DATA, 8, 0, 0, &v);
    b2.amo(b2.user, OP_SC_D, DATA, 8, 7, 0, &v);
    assert_int_equal(v, 1);
    b1.amo(b1.user, OP_SC_D, DATA, 8, 9, 0, &v);
    assert_int_equal(v, 0);
    b1.amo(b1.user, OP_LR_D, DATA, 8, 0, 0, &v);
    assert_int_equal(v, 9);
    b2.amo(b2.user, OP_LR_D, DATA + 256, 8, 0, 0, &v);
    b1.amo(b1.user, OP_SC_D, DATA, 8, 9, 0, &v);
    assert_int_equal(v, 1);
}

static void compare_and_swap(void **state)
{
    ref_launch l = launch(K_cas, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    uint64_t m3 = -3ull;
    expect(*state, DATA + 64,
           (uint64_t[]){0xffffffff80000001, 0x1234, 0x1234, 0x1234, 0x1234, 0x80000001, 0x80000001, m3, m3, 0, m3, 0},
           12);
}

const struct CMUnitTest atomic_tests[] = {TEST(atomics_return_the_old_value), TEST(reservations),
                                          TEST(a_reservation_belongs_to_one_hart), TEST(compare_and_swap)};
const size_t n_atomic_tests = sizeof atomic_tests / sizeof *atomic_tests;
