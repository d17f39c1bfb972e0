/* Bodies of lib.h: memory with the kernels, launches, and single steps. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/ref/isa-directed/lib.h"

int setup(void **state)
{
    ref_mem *m = ref_mem_new(LOW, HIGH);
    *state = m;
    return !m || ref_mem_write(m, BASE, kernels_bin, (uint64_t)(kernels_bin_end - kernels_bin));
}

int teardown(void **state)
{
    ref_mem_free(*state);
    return 0;
}

uint64_t load(ref_mem *m, uint64_t addr)
{
    uint64_t v;
    assert_int_equal(ref_mem_read(m, addr, &v, 8), REF_OK);
    return v;
}

void put_word(ref_mem *m, uint64_t addr, uint32_t word)
{
    assert_int_equal(ref_mem_write(m, addr, &word, 4), REF_OK);
}

ref_launch launch(uint64_t entry, uint32_t groups, uint32_t local)
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

void expect(ref_mem *m, uint64_t at, const uint64_t *want, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (load(m, at + 8 * i) != want[i])
            printf("result %u\n", i);
        assert_int_equal(load(m, at + 8 * i), want[i]);
    }
}

void step(ref_mem *m, uint32_t insn, const uint64_t x[3], ref_step *s)
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
