/* Every fault of docs/isa.md, by the threads with lo <= global id < hi. Before the instruction that faults stands a hint, lui zero, 1. */
#include "vellum.h"

#define FAULT(name, ...)                                                                                               \
    VL_KERNEL void name(unsigned *out, unsigned lo, unsigned hi, unsigned long address)                                \
    {                                                                                                                  \
        unsigned i = (unsigned)vl_global_id(0);                                                                        \
        out[i] = i;                                                                                                    \
        if (i >= lo && i < hi)                                                                                         \
            __asm__ volatile(__VA_ARGS__ ::"r"(address) : "memory", "t0", "t1", "t2", "ra");                           \
        out[i] = i + 1;                                                                                                \
    }
#define AT(insn) "lui zero, 1\n" insn "\n"

FAULT(none, "nop")
FAULT(zero_word, AT(".word 0"))
FAULT(ones_word, AT(".word 0xffffffff"))
FAULT(ecall, AT("ecall"))
FAULT(ebreak, AT("ebreak"))
FAULT(amocas_q, AT(".word 0x29c5432f")) /* amocas.q t1, t3, (a0): of Zacas, and not here */
FAULT(custom, AT(".word 0x0030000b"))
FAULT(csr_unknown, AT("csrr t0, 0x300"))
FAULT(csr_read_only, AT("csrw 0xcc0, %0"))
FAULT(static_rm, AT(".word 0x00005053")) /* fadd.s with rm 5 */
FAULT(dynamic_rm, "csrwi 2, 5\n" AT(".word 0x006372d3")) /* fadd.s t0, t1, t1, dyn */
FAULT(dynamic_rm_div, "csrwi 2, 7\n" AT(".word 0x186372d3")) /* fdiv.s */
FAULT(jalr_misaligned, "auipc t0, 0\n" AT("nop")) /* run puts jalr ra, 14(t0) there */
FAULT(branch_misaligned, AT(".word 0x00000563")) /* beq zero, zero, . + 10 */
FAULT(jal_misaligned, AT(".word 0x00a000ef")) /* jal ra, . + 10 */
FAULT(jump_outside, "mv t0, %0\n" AT("nop")) /* and jalr zero, 0(t0): vellum cc refuses jumps through pointers */
FAULT(lh_misaligned, AT("lh t0, 1(%0)"))
FAULT(lw_misaligned, AT("lw t0, 2(%0)"))
FAULT(ld_misaligned, AT("ld t0, 4(%0)"))
FAULT(lr_misaligned, "addi t1, %0, 2\n" AT("lr.w t0, (t1)"))
FAULT(lb_access, AT("lb t0, 0(%0)"))
FAULT(lw_zero_access, AT("lw zero, 0(%0)")) /* a prefetch is a load */
FAULT(ld_access, AT("ld t0, 8(%0)"))
FAULT(lr_access, AT("lr.d t0, (%0)"))
FAULT(sh_misaligned, AT("sh t0, 3(%0)"))
FAULT(sd_misaligned, AT("sd t0, 1(%0)"))
FAULT(amo_misaligned, "addi t1, %0, 4\n" AT("amoadd.d t0, t0, (t1)"))
FAULT(sc_misaligned, "addi t1, %0, 1\n" AT("sc.w t0, t0, (t1)"))
FAULT(sb_access, AT("sb t0, 0(%0)"))
FAULT(sd_access, AT("sd t0, -8(%0)"))
FAULT(amo_access, AT("amoswap.w t0, t0, (%0)"))
FAULT(cas_access, AT("amocas.d t0, t0, (%0)"))
FAULT(divided_barrier, AT(".word 0x0010000b"))

/* The group's warps from lo on wait for one that has ended. */
VL_KERNEL void ended_barrier(unsigned *out, unsigned lo, unsigned hi, unsigned long address)
{
    (void)hi, (void)address;
    unsigned i = (unsigned)vl_global_id(0);
    out[i] = i;
    if (i < lo)
        return;
    __asm__ volatile(AT(".word 0x0010000b")::: "memory");
    out[i] = i + 1;
}

VL_KERNEL void spin(unsigned *out, unsigned lo, unsigned hi, unsigned long address)
{
    (void)address;
    unsigned i = (unsigned)vl_global_id(0);
    out[i] = i;
    if (i >= lo && i < hi)
        __asm__ volatile("1: j 1b" ::: "memory");
    out[i] = i + 1;
}
