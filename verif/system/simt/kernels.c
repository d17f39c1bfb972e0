/* Warps with divergence of every kind: more branches than the reconvergence table can hold, barriers that warps reach in parts, a stack as deep as it can be; and
 * barriers that some thread never reaches. Each good kernel leaves words that the run computes. */
#include "vellum.h"

/* Branches 1 KB apart fall on one set of a table of 512 entries, which has two places. */
#define APART(bit)                                                                                                     \
    __asm__ volatile(".balign 1024\n"                                                                                  \
                     "beqz %1, 1f\n"                                                                                   \
                     "addi %0, %0, 1\n"                                                                                \
                     "j 2f\n"                                                                                          \
                     "1: addi %0, %0, 16\n"                                                                            \
                     "2: nop" : "+r"(v) : "r"(lid & (bit)));                                                           \
    words[lid] = v;                                                                                                    \
    vl_barrier();                                                                                                      \
    v += words[(lid + (bit)) % (unsigned)vl_local_size(0)];                                                            \
    vl_barrier();

VL_KERNEL void apart(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    unsigned lid = (unsigned)vl_local_id(0), v = zero;
    APART(1)
    APART(2)
    APART(4)
    APART(1)
    out[vl_global_id(0)] = v;
}

/* All threads come to the barrier, but a way around it keeps the paths' meeting point behind it: no table can help. */
VL_KERNEL void around(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    unsigned lid = (unsigned)vl_local_id(0), v = lid + 1;
    for (unsigned k = 0; k < 3; k++) {
        words[lid] = v;
        __asm__ volatile("andi t0, %2, 1\n"
                         "beqz t0, 1f\n"
                         "addi %0, %0, 3\n"
                         "bnez %1, 3f\n"
                         "andi t0, %2, 2\n"
                         "beqz t0, 1f\n"
                         "addi %0, %0, 5\n"
                         "bnez %1, 3f\n"
                         "1: .word 0x0010000b\n"
                         "addi %0, %0, 1\n"
                         "3: nop"
                         : "+r"(v)
                         : "r"(zero), "r"(lid)
                         : "t0", "memory");
        v += words[(lid + 1) % (unsigned)vl_local_size(0)];
        vl_barrier();
    }
    out[vl_global_id(0)] = v;
}

/* Thread k of a warp leaves the others at level k, each level with two sides and a meeting point of its own: two entries of the stack a level. */
#define LEVEL(k) "addi t1, t1, -1\nbeqz t1, 1" #k "f\naddi t2, t2, 1\n"
#define END(k) "j 2" #k "f\n1" #k ": addi t2, t2, 2\n2" #k ": addi t2, t2, 3\n"
VL_KERNEL void deep(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    unsigned v, lid = (unsigned)vl_local_id(0);
    __asm__ volatile(
        "csrr t1, 0xcd1\naddi t1, t1, 1\nli t2, 0\n" LEVEL(0) LEVEL(1) LEVEL(2) LEVEL(3) LEVEL(4) LEVEL(5) LEVEL(6)
            LEVEL(7) LEVEL(8) LEVEL(9) LEVEL(10) LEVEL(11) LEVEL(12) LEVEL(13) LEVEL(14) LEVEL(15) LEVEL(16) LEVEL(17)
                LEVEL(18) LEVEL(19) LEVEL(20) LEVEL(21) LEVEL(22) LEVEL(23) LEVEL(24) LEVEL(25) LEVEL(26) LEVEL(27)
                    LEVEL(28) LEVEL(29) LEVEL(30) LEVEL(31) LEVEL(32) LEVEL(33) LEVEL(34) LEVEL(35) LEVEL(36) LEVEL(37)
                        LEVEL(38) LEVEL(39) LEVEL(40) LEVEL(41) LEVEL(42) LEVEL(43) LEVEL(44) LEVEL(45) LEVEL(46)
                            LEVEL(47) LEVEL(48) LEVEL(49) LEVEL(50) LEVEL(51) LEVEL(52) LEVEL(53) LEVEL(54) LEVEL(55)
                                LEVEL(56) LEVEL(57) LEVEL(58) LEVEL(59) LEVEL(60) LEVEL(61) LEVEL(62) END(62) END(61)
                                    END(60) END(59) END(58) END(57) END(56) END(55) END(54) END(53) END(52) END(51)
                                        END(50) END(49) END(48) END(47) END(46) END(45) END(44) END(43) END(42) END(41)
                                            END(40) END(39) END(38) END(37) END(36) END(35) END(34) END(33) END(32)
                                                END(31) END(30) END(29) END(28) END(27) END(26) END(25) END(24) END(23)
                                                    END(22) END(21) END(20) END(19) END(18) END(17) END(16) END(15)
                                                        END(14) END(13) END(12) END(11) END(10) END(9) END(8) END(7)
                                                            END(6) END(5) END(4) END(3) END(2) END(1) END(0) "mv %0, t2"
        : "=r"(v)::"t0", "t1", "t2");
    words[lid] = v + zero;
    vl_barrier();
    out[vl_global_id(0)] = v + words[0];
}

/* Switches in loops in switches. */
VL_KERNEL void nested(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    unsigned i = (unsigned)vl_global_id(0), v = i, (*volatile keep) = out;
    (void)words;
    for (unsigned a = 0; a <= (i & 3); a++)
        switch ((v + a) % 5) {
        case 0:
            for (unsigned b = 0; b < (v & 7); b++)
                switch (v >> b & 3) {
                case 0: v = v * 3 + keep[i]; break;
                case 1:
                    while (v % 11 > 4)
                        v = v * 5 + 1;
                    break;
                case 2:
                    if (v & 8)
                        break;
                    v += b;
                    /* fall through */
                default: v ^= b << 4;
                }
            break;
        case 1: v = v * 7 + 1; break;
        case 2:
            for (unsigned b = v & 15; b; b &= b - 1)
                v += b & 1 ? a : 9;
            /* fall through */
        case 3: v ^= 0x55; break;
        default: v += a + zero;
        }
    out[i] = v;
}

VL_KERNEL void two_places(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    (void)zero, (void)words;
    __asm__ volatile("andi t0, %0, 1\nbeqz t0, 1f\n.word 0x0010000b\nj 2f\n1: .word 0x0010000b\n2: nop" ::"r"(
                         (unsigned)vl_local_id(0))
                     : "t0", "memory");
    out[vl_global_id(0)] = 1;
}

VL_KERNEL void some_end(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    (void)zero, (void)words;
    __asm__ volatile(
        "andi t0, %0, 1\nbeqz t0, 1f\n.word 0x0000000b\n1: .word 0x0010000b" ::"r"((unsigned)vl_local_id(0))
        : "t0", "memory");
    out[vl_global_id(0)] = 1;
}

VL_KERNEL void some_skip(unsigned *out, unsigned zero, VL_LOCAL_ARG unsigned *words)
{
    (void)zero, (void)words;
    if (vl_local_id(0) % 2)
        __asm__ volatile(".word 0x0010000b" ::: "memory");
    out[vl_global_id(0)] = 1;
}
