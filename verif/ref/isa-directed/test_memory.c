/* Memory: loads and stores of every size, and the memory behind them. */
#include "verif/ref/isa-directed/lib.h"

static void loads_and_stores_of_every_size(void **state)
{
    static const struct {
        op_e op;
        unsigned size;
        uint64_t want;
    } l[] = {
        {OP_LB, 1, 0xfffffffffffffff8}, {OP_LBU, 1, 0xf8},       {OP_LH, 2, 0xfffffffffffff7f8}, {OP_LHU, 2, 0xf7f8},
        {OP_LW, 4, 0xfffffffff5f6f7f8}, {OP_LWU, 4, 0xf5f6f7f8}, {OP_LD, 8, 0xf1f2f3f4f5f6f7f8}};
    static const struct {
        op_e op;
        unsigned size;
    } st[] = {{OP_SB, 1}, {OP_SH, 2}, {OP_SW, 4}, {OP_SD, 8}};
    ref_mem *m = *state;
    uint64_t v = 0xf1f2f3f4f5f6f7f8, x[3] = {DATA + 2048, v};
    ref_step s;
    for (unsigned i = 0; i < 7; i++) {
        ref_mem_write(m, DATA, &v, 8);
        step(m, encode(l[i].op, 13, 10, 0, -2048), x, &s);
        assert_int_equal(s.value, l[i].want);
        assert_int_equal(s.rd, 13);
        assert_int_equal(s.addr, DATA);
        assert_int_equal(s.size, l[i].size);
        assert_int_equal(s.access, REF_MEM_LOAD);
        for (unsigned off = 1; off < l[i].size; off++) {
            step(m, encode(l[i].op, 13, 10, 0, -2048 + (int32_t)off), x, &s);
            assert_int_equal(s.cause, REF_FAULT_LOAD_MISALIGNED);
            assert_int_equal(s.fault_value, DATA + off);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        uint64_t before = 0x0102030405060708, keep = st[i].size == 8 ? 0 : ~0ull << 8 * st[i].size;
        ref_mem_write(m, DATA + 4095, &before, 8);
        step(m, encode(st[i].op, 0, 10, 11, 2047 + 1 - 8), (uint64_t[3]){DATA + 2056, v}, &s);
        assert_int_equal(s.event, REF_EV_NONE);
        assert_int_equal(s.addr, DATA + 4096);
        assert_int_equal(s.data, v & ~keep);
        ref_mem_write(m, DATA + 16, &before, 8);
        step(m, encode(st[i].op, 0, 10, 11, 16 - 2048), x, &s);
        assert_int_equal(load(m, DATA + 16), (before & keep) | (v & ~keep));
        for (unsigned off = 1; off < st[i].size; off++) {
            step(m, encode(st[i].op, 0, 10, 11, (int32_t)off), (uint64_t[3]){DATA}, &s);
            assert_int_equal(s.cause, REF_FAULT_STORE_MISALIGNED);
            assert_int_equal(s.fault_value, DATA + off);
        }
    }
}

static void memory_is_sparse_and_bounded(void **state)
{
    (void)state;
    assert_null(ref_mem_new(5, 5));
    assert_null(ref_mem_new(0, (1ull << 48) + 1));
    ref_mem *m = ref_mem_new(0x1000, 1ull << 48);
    uint8_t out[32], in[32];
    for (unsigned i = 0; i < 32; i++)
        in[i] = (uint8_t)(i + 1);
    for (uint64_t k = 0; k < 300; k++) { /* over the ends of chunks, far apart */
        uint64_t at = (k + 1) * 0x7654200000 - 16;
        assert_int_equal(ref_mem_read(m, at, out, 32), REF_OK);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(out[i], 0);
        assert_int_equal(ref_mem_write(m, at, in, 32), REF_OK);
    }
    for (uint64_t k = 0; k < 300; k++) {
        assert_int_equal(ref_mem_read(m, (k + 1) * 0x7654200000 - 16, out, 32), REF_OK);
        assert_memory_equal(in, out, 32);
    }
    assert_int_equal(ref_mem_fill(m, 0x7654200000 - 8, 0, 1ull << 40), REF_OK); /* zeros cost nothing */
    assert_int_equal(ref_mem_read(m, 0x7654200000 - 16, out, 32), REF_OK);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out[i], i < 8 ? in[i] : 0);
    assert_int_equal(ref_mem_fill(m, 0x2000, 0xab, 3), REF_OK);
    assert_int_equal(ref_mem_read(m, 0x1fff, out, 5), REF_OK);
    assert_memory_equal(out, ((uint8_t[]){0, 0xab, 0xab, 0xab, 0}), 5);
    assert_int_equal(ref_mem_write(m, 0xfff, in, 2), REF_EINVAL);
    assert_int_equal(ref_mem_read(m, (1ull << 48) - 1, out, 2), REF_EINVAL);
    assert_int_equal(ref_mem_fill(m, 0x1000, 1, UINT64_MAX), REF_EINVAL);
    ref_mem_free(m);
}

const struct CMUnitTest memory_tests[] = {TEST(loads_and_stores_of_every_size), TEST(memory_is_sparse_and_bounded)};
const size_t n_memory_tests = sizeof memory_tests / sizeof *memory_tests;
