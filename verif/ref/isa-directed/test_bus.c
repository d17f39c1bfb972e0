/* The stepper on a bus of the caller's. */
#include <stdlib.h>

#include "verif/ref/isa-directed/lib.h"

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

const struct CMUnitTest bus_tests[] = {TEST(values_can_come_from_outside)};
const size_t n_bus_tests = sizeof bus_tests / sizeof *bus_tests;
