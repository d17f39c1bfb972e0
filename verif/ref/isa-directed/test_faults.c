/* Words, fetches and accesses that fault. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/ref/isa-directed/lib.h"

static void accesses_outside_of_the_window_fault(void **state)
{
    static const struct {
        uint64_t addr;
        bool fine;
    } c[] = {{LOW - 8, false},
             {LOW, true},
             {HIGH - 8, true},
             {HIGH, false},
             {0, false},
             {-8ull, false},
             {1ull << 63 | DATA, false},
             {1ull << 48 | DATA, false},
             {REF_SPAD_BASE + 0x10000, true},
             {REF_SPAD_BASE - 8, true},
             {REF_SPAD_BASE, true},
             {REF_SPAD_BASE + 4096 - 8, true},
             {REF_SPAD_BASE + 4096, false},
             {REF_SPAD_BASE + 0xfff8, false},
             {REF_SPAD_BASE + 0x10000, true}};
    static const struct {
        op_e op;
        bool load;
    } ops[] = {{OP_LD, true},   {OP_SD, false},   {OP_AMOADD_D, false},
               {OP_LR_D, true}, {OP_SC_D, false}, {OP_AMOCAS_D, false}};
    ref_mem *m = *state;
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
        for (unsigned k = 0; k < 6; k++) {
            program p;
            program_init(&p, 8, 8);
            emit(&p, encode_csr(OP_CSRRS, 10, CSR_VL_ARG, 0));
            emit(&p, encode(ops[k].op, 12, 10, 11, 0));
            emit(&p, EXIT);
            ref_mem_write(m, LOW + 64, p.code,
                          p.n * 4); /* not where its chunk shares a place in the cache with the aperture's */
            program_free(&p);
            ref_launch l = launch(LOW + 64, 1, 1);
            l.arg = c[i].addr;
            ref_result r;
            int e = ref_run_kernel(m, &l, &r);
            uint8_t spad[4096] = {0};
            ref_bus_state bs = {.mem = m, .spad = spad, .spad_bytes = sizeof spad};
            ref_bus bus = ref_mem_bus(&bs);
            ref_thread *t = calloc(1, ref_thread_size());
            ref_step s;
            ref_thread_init(t, LOW + 68, &(ref_ident){0});
            ref_thread_set_reg(t, 10, c[i].addr);
            ref_thread_step(t, &bus, &s);
            free(t);
            assert_int_equal(e, c[i].fine ? REF_OK : REF_EFAULT);
            assert_int_equal(s.event, c[i].fine ? REF_EV_NONE : REF_EV_FAULT);
            if (c[i].fine)
                continue;
            ref_cause want = ops[k].load ? REF_FAULT_LOAD_ACCESS : REF_FAULT_STORE_ACCESS;
            assert_int_equal(r.cause, want);
            assert_int_equal(s.cause, want);
            assert_int_equal(r.value, c[i].addr);
            assert_int_equal(r.pc, LOW + 68);
            assert_int_equal(r.instructions, 1);
        }
}

static void illegal_words_fault(void **state)
{
    static const uint32_t words[] = {
        0x00000000,     0xffffffff, 0x00000073,
        0x00100073,     0x30200073, 0x10500073, /* ecall, ebreak, mret, wfi */
        0x00000001,     0x4505,     0x0030000b,
        0x0000100b,     0x0000008b, 0x0000800b, /* compressed; custom-0 beside ours */
        0xc0002573,     0xcc301573, 0xcc051573,
        0xcc00e573,     0xf1401573, 0xf1406573 | 1 << 15, /* cycle, writes of read-only CSRs */
        0x00b55553 | 0, 0x00b56553, 0x00b50543 | 1 << 25,
        0x02b50553,     0x20b53553, /* rm 5 and 6, double precision, no such fsgnj */
        0x1015252f,     0x28b5452f, /* lr with rs2, amocas.q */
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        ref_step s;
        ref_launch l = launch(BASE, 1, 1);
        ref_result r;
        step(*state, words[i], (uint64_t[3]){DATA, DATA, DATA}, &s);
        if (s.cause != REF_FAULT_ILLEGAL)
            printf("%08x is not refused\n", words[i]);
        assert_int_equal(s.cause, REF_FAULT_ILLEGAL);
        assert_int_equal(s.fault_value, words[i]);
        assert_int_equal(s.next_pc, BASE);
        assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_ILLEGAL);
        assert_int_equal(r.value, words[i]);
        assert_int_equal(r.instructions, 0);
    }
}

static void fetches_outside_of_the_window_fault(void **state)
{
    ref_mem *m = *state;
    ref_result r;
    static const uint64_t targets[] = {0x8000, HIGH, 0x7fffffff0000, 0x123400000000};
    for (unsigned i = 0; i < 4; i++) {
        put_word(m, BASE, encode_csr(OP_CSRRS, 10, CSR_VL_ARG, 0));
        put_word(m, BASE + 4, encode(OP_JALR, 1, 10, 0, 0));
        ref_launch l = launch(BASE, 1, 1);
        l.arg = targets[i];
        assert_int_equal(ref_run_kernel(m, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_FETCH_ACCESS);
        assert_int_equal(r.pc, targets[i]);
        assert_int_equal(r.value, targets[i]);
        assert_int_equal(r.instructions, 2);
        l.arg = DATA + 2;
        assert_int_equal(ref_run_kernel(m, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_FETCH_MISALIGNED);
        assert_int_equal(r.pc, BASE + 4);
        assert_int_equal(r.value, DATA + 2);
        l.arg = 0xabcd000000000000 | (BASE + 8); /* a pc has 48 bits */
        put_word(m, BASE + 8, EXIT);
        assert_int_equal(ref_run_kernel(m, &l, &r), REF_OK);
        l.entry = HIGH - 4; /* running off the end */
        put_word(m, HIGH - 4, 0x13);
        assert_int_equal(ref_run_kernel(m, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_FETCH_ACCESS);
        assert_int_equal(r.pc, HIGH);
    }
}

const struct CMUnitTest fault_tests[] = {TEST(illegal_words_fault), TEST(fetches_outside_of_the_window_fault),
                                         TEST(accesses_outside_of_the_window_fault)};
const size_t n_fault_tests = sizeof fault_tests / sizeof *fault_tests;
