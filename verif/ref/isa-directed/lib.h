/* Shared by the directed tests of the reference: memory with the kernels of kernels.S, launches, single steps, and results in memory. */
#ifndef VERIF_REF_ISA_DIRECTED_LIB_H
#define VERIF_REF_ISA_DIRECTED_LIB_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa_gen.h"
#include "sim_c/ref/ref.h"
#include "verif/ref/lib/code.h"

#define LOW 0x0f000000ull
#define HIGH 0x50000000ull
#define DATA 0x40000000ull
#define EXIT 0x0000000b

extern const uint8_t kernels_bin[], kernels_bin_end[];
extern const uint32_t cases_bin[];
extern const char cases_txt[];

/* Of each test: *state is its memory, from LOW to HIGH, with the kernels at BASE. */
int setup(void **state);
int teardown(void **state);

uint64_t load(ref_mem *m, uint64_t addr);
void put_word(ref_mem *m, uint64_t addr, uint32_t word);
/* Groups in one dimension, with the argument DATA. */
ref_launch launch(uint64_t entry, uint32_t groups, uint32_t local);
/* One instruction, with a0, a1 and a2 as given. If it faults, it must do so as a kernel, too. */
void step(ref_mem *m, uint32_t insn, const uint64_t x[3], ref_step *s);
/* These n doublewords are in memory. */
void expect(ref_mem *m, uint64_t at, const uint64_t *want, unsigned n);

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
extern const struct CMUnitTest case_tests[], jump_tests[], memory_tests[], atomic_tests[], float_tests[], fault_tests[],
    kernel_tests[], bus_tests[];
extern const size_t n_case_tests, n_jump_tests, n_memory_tests, n_atomic_tests, n_float_tests, n_fault_tests,
    n_kernel_tests, n_bus_tests;

#endif
