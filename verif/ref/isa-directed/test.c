/* Directed tests of the reference: every instruction on edge operands (cases.txt), faults, atomics, groups and barriers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
/* cmocka.h needs those above first */
#include <cmocka.h>

#include "isa_gen.h"
#include "kernels.h"
#include "sim_c/ref/fp.h"
#include "sim_c/ref/ref.h"
#include "verif/ref/lib/code.h"

#define LOW 0x0f000000ull
#define HIGH 0x50000000ull
#define DATA 0x40000000ull
#define EXIT 0x0000000b

extern const uint8_t kernels_bin[], kernels_bin_end[];
extern const uint32_t cases_bin[];
extern const char cases_txt[];

static int setup(void **state)
{
    ref_mem *m = ref_mem_new(LOW, HIGH);
    *state = m;
    return !m || ref_mem_write(m, BASE, kernels_bin, (uint64_t)(kernels_bin_end - kernels_bin));
}

static int teardown(void **state)
{
    ref_mem_free(*state);
    return 0;
}

static uint64_t load(ref_mem *m, uint64_t addr)
{
    uint64_t v;
    assert_int_equal(ref_mem_read(m, addr, &v, 8), REF_OK);
    return v;
}

static void put_word(ref_mem *m, uint64_t addr, uint32_t word)
{
    assert_int_equal(ref_mem_write(m, addr, &word, 4), REF_OK);
}

static ref_launch launch(uint64_t entry, uint32_t groups, uint32_t local)
{
    return (ref_launch){.entry = entry,
                        .arg = DATA,
                        .stack_base = 0x48000000,
                        .stack_log2 = 10,
                        .spad_bytes = 4096,
                        .groups = {groups, 1, 1},
                        .local = {local, 1, 1},
                        .threads = 4,
                        .lanes = 2,
                        .limit = 1000000};
}

/* ---- every instruction ------------------------------------------------------------------------------------------- */

/* Both ways of the reference on one case: by step, and as a kernel whose prologue ends right before BASE. */
static bool one_case(const char *text, uint32_t insn, const uint64_t in[3], uint64_t want, uint64_t flags)
{
    ref_mem *m = ref_mem_new(LOW, HIGH);
    ref_bus_state state = {.mem = m};
    ref_bus bus = ref_mem_bus(&state);
    ref_thread *t = calloc(1, ref_thread_size());
    ref_step s;
    program p;
    program_init(&p, 32, 8);
    emit(&p, encode_csr(OP_CSRRS, 5, CSR_VL_ARG, 0));
    for (unsigned i = 0; i < 3; i++)
        emit(&p, encode(OP_LD, 11 + i, 5, 0, 8 * (int32_t)i));
    size_t before = p.n;
    emit(&p, insn);
    emit(&p, encode(OP_SD, 0, 5, 10, 24));
    emit(&p, encode_csr(OP_CSRRS, 6, CSR_FFLAGS, 0));
    emit(&p, encode(OP_SD, 0, 5, 6, 32));
    emit(&p, EXIT);
    ref_mem_write(m, BASE - 4 * before, p.code, p.n * 4);
    ref_mem_write(m, DATA, in, 24);

    ref_thread_init(t, BASE, &(ref_ident){0});
    for (unsigned i = 0; i < 3; i++)
        ref_thread_set_reg(t, 11 + i, in[i]);
    ref_thread_step(t, &bus, &s);
    uint64_t got = ref_thread_reg(t, 10), got_flags = s.fflags;
    bool ok = s.event == REF_EV_NONE && got == want && got_flags == flags && ref_thread_fcsr(t) == flags
              && s.next_pc == BASE + 4 && (s.rd == 0 || (s.rd == 10 && s.value == want));
    if (!ok)
        printf("%s: by step %lx flags %lx, should be %lx flags %lx\n", text, (long)got, (long)got_flags, (long)want,
               (long)flags);

    ref_launch l = launch(BASE - 4 * before, 1, 1);
    ref_result r;
    int e = ref_run_kernel(m, &l, &r);
    got = load(m, DATA + 24), got_flags = load(m, DATA + 32);
    if (e || got != want || got_flags != flags) {
        printf("%s: by kernel %d, %lx flags %lx, should be %lx flags %lx\n", text, e, (long)got, (long)got_flags,
               (long)want, (long)flags);
        ok = false;
    }
    program_free(&p);
    free(t);
    ref_mem_free(m);
    return ok;
}

static void every_instruction_does_what_the_specification_says(void **state)
{
    (void)state;
    unsigned bad = 0, n = 0;
    static bool seen[ISA_OPS];
    for (const char *line = cases_txt; *line; line = strchr(line, '\n') + 1) {
        if (*line == '#' || *line == '\n')
            continue;
        char text[200], *field[6] = {0}, *at = text;
        snprintf(text, sizeof text, "%.*s", (int)(strchr(line, '\n') - line), line);
        for (unsigned i = 0; i < 6 && at; i++) {
            field[i] = at;
            at = strchr(at, '|');
            if (at)
                *at++ = 0;
        }
        uint64_t v[5] = {0};
        for (unsigned i = 0; i < 5; i++)
            if (field[i + 1])
                v[i] = strtoull(field[i + 1], NULL, 16);
        uint32_t insn = cases_bin[n++];
        seen[isa_op(insn)] = true;
        bad += !one_case(field[0], insn, v, v[3], v[4]);
    }
    for (op_e op = 1; op < OP_JOIN; op++) { /* the other formats have tests of their own */
        uint32_t elsewhere = 1u << FMT_L | 1u << FMT_S | 1u << FMT_B | 1u << FMT_J | 1u << FMT_JR | 1u << FMT_CSR
                             | 1u << FMT_CSRI | 1u << FMT_LR | 1u << FMT_AMO | 1u << FMT_CAS | 1u << FMT_FENCE
                             | 1u << FMT_NONE;
        if (seen[op] || elsewhere >> isa_rows[op].format & 1)
            continue;
        printf("no case for %s\n", isa_rows[op].mnemonic);
        bad++;
    }
    assert_int_equal(bad, 0);
}

static void step(ref_mem *m, uint32_t insn, const uint64_t x[3], ref_step *s)
{
    ref_bus_state state = {.mem = m, .hart = 3};
    ref_bus bus = ref_mem_bus(&state);
    ref_thread *t = calloc(1, ref_thread_size());
    ref_thread_init(t, BASE, &(ref_ident){0});
    for (unsigned i = 0; i < 3; i++)
        ref_thread_set_reg(t, 10 + i, x[i]);
    put_word(m, BASE, insn);
    ref_thread_step(t, &bus, s);
    free(t);
    if (s->event != REF_EV_FAULT)
        return;
    program p; /* the kernel runner must find the same fault */
    program_init(&p, 8, 8);
    emit(&p, encode_csr(OP_CSRRS, 5, CSR_VL_ARG, 0));
    for (unsigned i = 0; i < 3; i++)
        emit(&p, encode(OP_LD, 10 + i, 5, 0, 8 * (int32_t)i));
    ref_mem_write(m, BASE - 4 * p.n, p.code, 4 * p.n);
    ref_mem_write(m, DATA + 0x10000, x, 24);
    ref_launch l = launch(BASE - 4 * p.n, 1, 1);
    l.arg = DATA + 0x10000;
    program_free(&p);
    ref_result r;
    assert_int_equal(ref_run_kernel(m, &l, &r), REF_EFAULT);
    assert_int_equal(r.cause, s->cause);
    assert_int_equal(r.value, s->fault_value);
    assert_int_equal(r.pc, BASE);
    assert_int_equal(r.instructions, 4);
}

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

static void expect(ref_mem *m, uint64_t at, const uint64_t *want, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (load(m, at + 8 * i) != want[i])
            printf("result %u\n", i);
        assert_int_equal(load(m, at + 8 * i), want[i]);
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

static void jumps_link_and_clear_bit_0(void **state)
{
    ref_launch l = launch(K_jumps, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    expect(*state, DATA, (uint64_t[]){20, 56, 3}, 3);
}

static void float_csrs(void **state)
{
    ref_launch l = launch(K_fcsrs, 1, 1);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
    expect(*state, DATA, (uint64_t[]){0, 0xff, 7, 0x1f, 0x1f, 7, 7, 0x4e, 0x6f, 0x4e, 0x3f7fffff, 1, 0, 0x3f800000},
           14);
    assert_int_equal(r.cause, REF_FAULT_ILLEGAL);
    assert_int_equal(r.pc, K_fcsrs_bad);
    uint32_t word;
    ref_mem_read(*state, K_fcsrs_bad, &word, 4);
    assert_int_equal(r.value, word);
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

/* ---- kernels ------------------------------------------------------------------------------------------------------ */

static void identity_of_every_thread(void **state)
{
    ref_launch l = launch(K_identity, 2, 0);
    l.groups[0] = 2, l.groups[1] = 3, l.groups[2] = 1;
    l.local[0] = 3, l.local[1] = 2, l.local[2] = 2;
    l.offset[0] = 100, l.offset[1] = 0xffffffff, l.offset[2] = 7;
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(r.groups, 6);
    assert_int_equal(r.instructions, 6 * 12 * 60);
    for (uint32_t gx = 0; gx < 2; gx++)
        for (uint32_t i = 0; i < 12; i++) /* what is there was written by the last group in y */
            expect(*state, DATA + 160 * (64 * gx + 4 * (i / 4) + i % 4),
                   (uint64_t[]){i % 3, i / 3 % 2, i / 6, 100 + 3 * gx, 3, 7, gx, 2, 0, DATA,
                                0x48000000 + 1024 * (i + 1), i % 2, i % 4, i / 4, 0, i},
                   16);
}

static void registers_are_zero_at_entry(void **state)
{
    ref_launch l = launch(K_zeros, 3, 5);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(load(*state, DATA), 77);
}

static void barriers_and_scratchpad(void **state)
{
    ref_launch l = launch(K_reduce, 5, 64);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(r.barriers, 5 * 7);
    for (uint64_t g = 0; g < 5; g++)
        assert_int_equal(load(*state, DATA + 8 * g), 64 * 64 * g + 63 * 32);
    assert_int_equal(load(*state, REF_SPAD_BASE), 0); /* memory under the aperture is not touched */
    l.spad_bytes = 504;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
    assert_int_equal(r.cause, REF_FAULT_LOAD_ACCESS);
    assert_int_equal(r.local[0], 63);
    assert_int_equal(r.warp, 15);
    assert_int_equal(r.thread, 3);
}

static void threads_that_wait_for_others_get_there(void **state)
{
    ref_launch l = launch(K_flag, 1, 8);
    ref_result r;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_OK);
    assert_int_equal(load(*state, DATA), 7ull << 32 | 7);
}

static void barriers_that_cannot_complete(void **state)
{
    static const struct {
        uint64_t entry, pc;
        uint64_t value;
        uint32_t thread;
    } c[] = {{K_divergent, K_divergent_pc, 0, 1},
             {K_two_barriers, K_two_barriers_pc, 0, 0},
             {K_early_exit, K_early_exit_pc, 0, 0},
             {K_warp_ended, K_warp_ended_pc, 1, 0}};
    for (unsigned i = 0; i < 4; i++) {
        ref_launch l = launch(c[i].entry, 2, 8);
        ref_result r;
        assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EFAULT);
        assert_int_equal(r.cause, REF_FAULT_BARRIER);
        assert_int_equal(r.value, c[i].value);
        assert_int_equal(r.pc, c[i].pc);
        assert_int_equal(r.thread, c[i].thread);
        assert_int_equal(r.groups, 0);
    }
}

static bool stop_after_three(void *user, uint64_t done, uint64_t all)
{
    *(uint64_t *)user = all;
    return done == 3;
}

static void limits_and_wrong_arguments(void **state)
{
    ref_result r;
    ref_launch l = launch(K_forever, 1, 3);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_ELIMIT);
    assert_in_range(r.instructions, 1000000, 1000010);
    l = launch(K_zeros, 4, 4);
    uint64_t all = 0;
    l.poll = stop_after_three, l.user = &all;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINTR);
    assert_int_equal(r.groups, 3);
    assert_int_equal(all, 4);
    assert_int_equal(ref_run_kernel(*state, &(ref_launch){0}, &r), REF_EINVAL);
    l = launch(K_zeros, 0, 4);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
    l = launch(K_zeros, 1, 1);
    l.spad_bytes = REF_SPAD_MAX + 1;
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
    l = launch(BASE + 2, 1, 1);
    assert_int_equal(ref_run_kernel(*state, &l, &r), REF_EINVAL);
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

/* ---- the stepper on a bus of the caller's ------------------------------------------------------------------------- */

static ref_cause oracle_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    (void)addr, (void)size;
    *value = *(uint64_t *)user;
    return REF_FAULT_NONE;
}

static ref_cause oracle_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare,
                            uint64_t *old)
{
    (void)op, (void)operand, (void)compare;
    return oracle_load(user, addr, size, old);
}

static void values_can_come_from_outside(void **state)
{
    (void)state;
    uint64_t value = 0xfedcba98;
    ref_bus bus = {.user = &value, .load = oracle_load, .amo = oracle_amo};
    ref_thread *t = calloc(1, ref_thread_size());
    ref_thread_init(t, BASE, &(ref_ident){.lid = {3}});
    ref_insn d;
    ref_step s;
    ref_decode(encode(OP_LW, 7, 0, 0, 64), &d);
    ref_thread_exec(t, &d, &bus, &s);
    assert_int_equal(ref_thread_reg(t, 7), 0xfffffffffedcba98);
    assert_int_equal(s.loaded, value);
    value = 1;
    ref_decode(encode(OP_SC_D, 8, 0, 7, 0), &d);
    ref_thread_exec(t, &d, &bus, &s);
    assert_int_equal(ref_thread_reg(t, 8), 1);
    assert_int_equal(s.data, 0xfffffffffedcba98);
    ref_decode(encode_csr(OP_CSRRS, 9, CSR_VL_LID_X, 0), &d);
    ref_thread_exec(t, &d, &bus, &s);
    assert_int_equal(ref_thread_reg(t, 9), 3);
    assert_int_equal(ref_thread_pc(t), BASE + 12);
    static const struct {
        uint32_t insn;
        ref_event event;
    } events[] = {{0x0000000b, REF_EV_EXIT},  {0x0010000b, REF_EV_BARRIER}, {0x0020000b, REF_EV_FENCE_WG},
                  {0x0ff0000f, REF_EV_FENCE}, {0x8330000f, REF_EV_FENCE},   {0x0000100f, REF_EV_FENCE},
                  {0x00000013, REF_EV_NONE}};
    for (unsigned i = 0; i < 7; i++) {
        ref_decode(events[i].insn, &d);
        ref_thread_exec(t, &d, &bus, &s);
        assert_int_equal(s.event, events[i].event);
        assert_int_equal(s.rd, 0);
    }
    free(t);
}

/* The two ways to round: the host's, and by hand for ties away. Where both give the nearest they agree. */
static void host_arithmetic_is_left_as_it_was(void **state)
{
    (void)state;
    fp_saved host;
    uint32_t flags = 0;
    volatile float third = 1.0f, three = 3.0f;
    third = third / three; /* leaves "inexact" behind */
    fp_enter(&host);
    assert_int_equal(fp_add(0x3f800000, 0x3f800000, FP_RNE, &flags), 0x40000000);
    fp_collect(&flags);
    assert_int_equal(flags, 0);
    assert_int_equal(fp_div(0x3f800000, 0, FP_RUP, &flags), 0x7f800000);
    fp_collect(&flags);
    assert_int_equal(flags, FP_DZ);
    fp_leave(&host);
    fp_enter(&host);
    flags = 0;
    fp_collect(&flags);
    assert_int_equal(flags, 0);
    fp_leave(&host);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {T(every_instruction_does_what_the_specification_says),
                                       T(branches_take_the_right_side),
                                       T(loads_and_stores_of_every_size),
                                       T(accesses_outside_of_the_window_fault),
                                       T(atomics_return_the_old_value),
                                       T(reservations),
                                       T(a_reservation_belongs_to_one_hart),
                                       T(compare_and_swap),
                                       T(jumps_link_and_clear_bit_0),
                                       T(float_csrs),
                                       T(illegal_words_fault),
                                       T(fetches_outside_of_the_window_fault),
                                       T(identity_of_every_thread),
                                       T(registers_are_zero_at_entry),
                                       T(barriers_and_scratchpad),
                                       T(threads_that_wait_for_others_get_there),
                                       T(barriers_that_cannot_complete),
                                       T(limits_and_wrong_arguments),
                                       T(memory_is_sparse_and_bounded),
                                       T(values_can_come_from_outside),
                                       T(host_arithmetic_is_left_as_it_was)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int n = sizeof tests / sizeof *tests;
    printf("%d passed, %d failed\n", n - failed, failed);
    return failed != 0;
}
