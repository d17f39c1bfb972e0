/* Branches and jumps: their targets and links. */
#include "kernels.h"
#include "verif/ref/isa-directed/lib.h"

static void branches_take_the_right_side(void **state)
{
    static const struct {
        op_e op;
        uint64_t a, b;
        bool taken;
    } c[] = {{OP_BEQ, 5, 5, true},      {OP_BEQ, 5, 1ull << 32 | 5, false},
             {OP_BNE, 5, 5, false},     {OP_BNE, 5, 1ull << 63 | 5, true},
             {OP_BLT, -1ull, 0, true},  {OP_BLT, 0, -1ull, false},
             {OP_BLT, 3, 3, false},     {OP_BLT, 1ull << 63, ~(1ull << 63), true},
             {OP_BGE, -1ull, 0, false}, {OP_BGE, 0, -1ull, true},
             {OP_BGE, 3, 3, true},      {OP_BLTU, -1ull, 0, false},
             {OP_BLTU, 0, -1ull, true}, {OP_BLTU, 3, 3, false},
             {OP_BGEU, -1ull, 0, true}, {OP_BGEU, 0, -1ull, false},
             {OP_BGEU, 3, 3, true}};
    static const int32_t offsets[] = {8, -8, 4092, -4096, 2048, 16};
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
        for (unsigned k = 0; k < 6; k++) {
            ref_step s;
            step(*state, encode(c[i].op, 0, 10, 11, offsets[k]), (uint64_t[3]){c[i].a, c[i].b}, &s);
            assert_int_equal(s.next_pc, BASE + (uint64_t)(c[i].taken ? offsets[k] : 4));
            assert_int_equal(s.rd, 0);
            step(*state, encode(c[i].op, 0, 10, 11, 6), (uint64_t[3]){c[i].a, c[i].b},
                 &s); /* misaligned only when taken */
            assert_int_equal(s.event, c[i].taken ? REF_EV_FAULT : REF_EV_NONE);
            if (c[i].taken)
                assert_int_equal(s.cause, REF_FAULT_FETCH_MISALIGNED), assert_int_equal(s.fault_value, BASE + 6);
        }
    static const int32_t far[] = {4, -4, 1048572, -1048576, 2048, 0x55554};
    for (unsigned k = 0; k < 6; k++) {
        ref_step s;
        step(*state, encode(OP_JAL, 1, 0, 0, far[k]), (uint64_t[3]){0}, &s);
        assert_int_equal(s.next_pc, BASE + (uint64_t)far[k]);
        assert_int_equal(s.rd, 1);
        assert_int_equal(s.value, BASE + 4);
    }
}

static void jumps_link_and_clear_bit_0(void **state)
{
    ref_launch l = launch(K_jumps, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    expect(*state, DATA, (uint64_t[]){20, 56, 3}, 3);
}

const struct CMUnitTest jump_tests[] = {TEST(branches_take_the_right_side), TEST(jumps_link_and_clear_bit_0)};
const size_t n_jump_tests = sizeof jump_tests / sizeof *jump_tests;
