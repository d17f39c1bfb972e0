/* Every instruction on edge operands: a case a line of cases.txt, with the result worked out by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verif/ref/isa-directed/lib.h"

/* Both ways of the reference on one case: by step, and as a kernel with its prologue right before BASE. */
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

const struct CMUnitTest case_tests[] = {TEST(every_instruction_does_what_the_specification_says)};
const size_t n_case_tests = sizeof case_tests / sizeof *case_tests;
