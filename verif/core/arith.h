/* The result of an instruction of one thread, for the scoreboards of the pipes: computed by the architectural reference (sim_c/ref), which shares nothing with RTL or twin. */
#ifndef VERIF_CORE_ARITH_H
#define VERIF_CORE_ARITH_H
#include <stdlib.h>
#include "isa_gen.h"
#include "sim_c/ref/ref.h"
#include "vl_types.h"

typedef struct {
    uint64_t value;
    unsigned flags;
} arith_t;

/* Of lane l of a beat, with the thread's frm. Not for jumps, branches and CSR instructions. */
static inline arith_t arith(const operands_t *p, unsigned l, unsigned frm)
{
    static _Alignas(16) unsigned char room[1024];
    ref_thread *t = (ref_thread *)room;
    if (ref_thread_size() > sizeof room)
        abort();
    const ref_ident id = {0};
    ref_thread_init(t, p->pc, &id);
    ref_thread_set_reg(t, 1, p->rs1[l]);
    ref_thread_set_reg(t, 2, p->rs2[l]);
    ref_thread_set_reg(t, 3, p->rs3[l]);
    ref_thread_set_fcsr(t, frm << 5);
    const ref_insn d = {.insn = p->instr,
                        .imm = (int32_t)p->imm,
                        .op = (uint8_t)p->op,
                        .rd = 4,
                        .rs1 = 1,
                        .rs2 = 2,
                        .rs3 = 3,
                        .rm = p->instr >> 12 & 7};
    ref_step s;
    ref_thread_exec(t, &d, NULL, &s);
    return (arith_t){s.value, s.fflags};
}

static inline result_t arith_result(const operands_t *p, uint64_t mask)
{
    return (result_t){.warp = p->warp, .seq = p->seq, .beat = p->beat, .rd = p->rd, .last = p->last, .mask = mask};
}
#endif
