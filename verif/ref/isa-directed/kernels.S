# Small kernels, each from its own symbol on. test.c checks their results in memory and how they end.
        .macro  vl_exit
        .insn   i 0x0b, 0, x0, x0, 0
        .endm
        .macro  vl_barrier
        .insn   i 0x0b, 0, x0, x0, 1
        .endm
        .macro  vl_fence_wg
        .insn   i 0x0b, 0, x0, x0, 2
        .endm
#define lid_x 0xcc0
#define gbase_x 0xcc4
#define grp_x 0xcc8
#define arg 0xccc
        .text

# Every identity CSR, 20 doublewords a thread at arg + 160 * (index of the thread in the launch, in grp_z as base).
        .globl  identity
identity:
        csrr    a0, arg
        csrr    a1, 0xcc8               # group x
        csrr    a2, 0xcd2               # warp
        csrr    a3, 0xcd1               # thread
        slli    a1, a1, 6
        slli    a2, a2, 2
        add     a1, a1, a2
        add     a1, a1, a3
        li      a4, 160
        mul     a1, a1, a4
        add     a0, a0, a1
        .irp    n, 0xcc0, 0xcc1, 0xcc2, 0xcc4, 0xcc5, 0xcc6, 0xcc8, 0xcc9, 0xcca, 0xccc, 0xccd, 0xcd0, 0xcd1, 0xcd2, 0xcd3, 0xf14
        csrr    a5, \n
        sd      a5, 0(a0)
        addi    a0, a0, 8
        .endr
        vl_exit

# Registers are zero at entry: their or.
        .globl  zeros
zeros:
        or      x1, x1, x2
        .irp    n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        or      x1, x1, x\n
        .endr
        csrr    x2, fcsr
        or      x1, x1, x2
        csrr    x3, arg
        addi    x1, x1, 77
        sd      x1, 0(x3)
        vl_exit

# Reduction over a group through the scratchpad: arg[group] = sum of global ids.
        .globl  reduce
reduce:
        csrr    a0, lid_x
        csrr    a1, gbase_x
        add     a1, a1, a0
        li      a2, 0x30000000
        sh3add  a3, a0, a2
        ld      a4, 0(a3)               # zero at first
        add     a1, a1, a4
        sd      a1, 0(a3)
        vl_fence_wg
        li      t0, 32
1:      vl_barrier
        bgeu    a0, t0, 2f
        sh3add  a4, t0, a3
        ld      a5, 0(a4)
        ld      a6, 0(a3)
        add     a6, a6, a5
        sd      a6, 0(a3)
2:      srli    t0, t0, 1
        bnez    t0, 1b
        vl_barrier
        bnez    a0, 3f
        csrr    a1, arg
        csrr    a3, grp_x
        sh3add  a1, a3, a1
        ld      a4, 0(a2)
        sd      a4, 0(a1)
3:      vl_exit

# The second thread waits for a flag that the last one sets.
        .globl  flag
flag:
        csrr    a0, lid_x
        csrr    a1, arg
        li      a2, 1
        bne     a0, a2, 2f
1:      lw      a3, 0(a1)
        beqz    a3, 1b
        sw      a3, 4(a1)
        j       3f
2:      li      a2, 7
        bne     a0, a2, 3f
        amoswap.w.aqrl zero, a2, (a1)
3:      vl_exit

# Odd threads alone come to a barrier; everybody leaves through one exit.
        .globl  divergent
divergent:
        csrr    a0, lid_x
        andi    a0, a0, 1
        beqz    a0, 1f
        .globl  divergent_pc
divergent_pc:
        vl_barrier
1:      vl_exit

# Odd and even threads wait at barriers of their own.
        .globl  two_barriers
two_barriers:
        csrr    a0, lid_x
        andi    a0, a0, 1
        beqz    a0, 1f
        vl_barrier
        vl_exit
        .globl  two_barriers_pc
two_barriers_pc:
1:      vl_barrier
        vl_exit

# Some threads leave early through an exit of their own: they never come to the barrier of the others.
        .globl  early_exit
early_exit:
        csrr    a0, lid_x
        andi    a0, a0, 1
        beqz    a0, 1f
        vl_exit
        .globl  early_exit_pc
early_exit_pc:
1:      vl_barrier
        csrr    a1, arg
        amoadd.d zero, a1, (a1)
        vl_exit

# Warp 0 (threads below 4) leaves, the other waits.
        .globl  warp_ended
warp_ended:
        csrr    a0, 0xcd2
        beqz    a0, 1f
        .globl  warp_ended_pc
warp_ended_pc:
        vl_barrier
1:      vl_exit

        .globl  forever
forever:
        j       forever
        .globl  counting
counting:
        addi    t0, t0, 1
        j       counting

# LR and SC, all that can happen, results at arg + 64 on, data at arg, arg + 8 and arg + 128 (another line).
        .globl  lrsc
lrsc:
        csrr    a0, arg
        addi    a1, a0, 8
        addi    a2, a0, 128
        addi    s0, a0, 256
        .macro  result r
        sd      \r, 0(s0)
        addi    s0, s0, 8
        .endm
        li      t0, 0x1122334455667788
        sd      t0, 0(a0)
        li      t1, 5
        sc.d    t2, t1, (a0)            # 0: no reservation, 1
        result  t2
        lr.d    t2, (a0)                # 1: 1122334455667788
        result  t2
        sc.d    t2, t1, (a0)            # 2: 0
        result  t2
        ld      t2, 0(a0)               # 3: 5
        result  t2
        sc.d    t2, t1, (a0)            # 4: it is used up, 1
        result  t2
        lr.w    t2, (a0)
        sw      t1, 0(a1)               # same line
        sc.w    t2, t1, (a0)            # 5: 1
        result  t2
        lr.w    t2, (a0)
        sw      t1, 0(a2)               # another line
        li      t3, -2
        sc.w    t2, t3, (a0)            # 6: 0
        result  t2
        ld      t2, 0(a0)               # 7: fffffffe
        result  t2
        lr.w    t2, (a0)                # 8: fffffffffffffffe
        result  t2
        lr.w    t2, (a2)                # replaces it
        sc.w    t2, t1, (a0)            # 9: 1
        result  t2
        lr.w    t2, (a0)
        sc.w    t2, t1, (a1)            # 10: another word of the line, 0
        result  t2
        lr.w    t2, (a0)
        amoadd.w zero, t1, (a1)         # a write to the line
        sc.w    t2, t1, (a0)            # 11: 1
        result  t2
        li      a3, 0x30000000          # the scratchpad has a reservation of its own, of a doubleword
        lr.d    t2, (a3)
        lr.d    t2, (a0)
        sd      t1, 8(a3)
        sc.d    t2, t1, (a3)            # 12: 0
        result  t2
        sc.d    t2, t1, (a0)            # 13: 0
        result  t2
        lr.w    t2, (a3)
        sw      t1, 4(a3)
        sc.w    t2, t1, (a3)            # 14: 1
        result  t2
        vl_exit

# Compare and swap; results at arg + 64 on.
        .globl  cas
cas:
        csrr    a0, arg
        addi    s0, a0, 64
        li      t0, 0x80000001
        sd      t0, 0(a0)
        li      t1, 0x80000001          # equal in 31:0
        li      t2, 0x1234
        amocas.w t1, t2, (a0)
        result  t1                      # 0: ffffffff80000001
        ld      t1, 0(a0)
        result  t1                      # 1: 1234
        li      t1, 5
        amocas.w.aq t1, t0, (a0)
        result  t1                      # 2: 1234
        ld      t1, 0(a0)
        result  t1                      # 3: 1234
        li      t1, 0x5500001234
        amocas.w t1, t0, (a0)           # bits 63:32 do not matter
        result  t1                      # 4: 1234
        ld      t1, 0(a0)
        result  t1                      # 5: 80000001
        li      t1, 0x80000001
        li      t2, -3
        amocas.d.aqrl t1, t2, (a0)
        result  t1                      # 6: 80000001
        li      t1, 0xfffffffd
        amocas.d t1, t0, (a0)
        result  t1                      # 7: fffffffffffffffd
        ld      t1, 0(a0)
        result  t1                      # 8: fffffffffffffffd
        li      t0, -3
        amocas.d zero, t2, (a0)         # compares with zero, writes no register
        amocas.d t0, zero, (a0)
        ld      t1, 0(a0)
        result  t1                      # 9: 0
        amocas.d zero, t2, (a0)
        ld      t1, 0(a0)
        result  t1                      # 10: fffffffffffffffd
        result  zero                    # 11: 0
        vl_exit

# Jumps: link, bit 0 of the target, and far ones over page ends.
        .globl  jumps
jumps:
        csrr    a0, arg
        la      t0, 1f
        addi    t0, t0, 1
        jalr    t1, 0(t0)               # bit 0 goes
        vl_exit
1:      la      t2, jumps
        sub     t1, t1, t2
        sd      t1, 0(a0)
        la      t0, far
        mv      t3, t0
        jalr    t0, 0(t0)               # rd = rs1
        vl_exit
        .globl  back
back:   sub     t0, t0, t2
        sd      t0, 8(a0)
        sd      t1, 16(a0)
        vl_exit
        .p2align 12
        .space  4096 - 8
far:    li      t1, 1                   # runs over the page end
        addi    t1, t1, 1
        addi    t1, t1, 1
        jal     t4, back

# Control and status registers of floating point
        .globl  fcsrs
fcsrs:
        csrr    a0, arg
        mv      s0, a0
        li      t0, -1
        csrrw   t1, fcsr, t0
        result  t1                      # 0: 0
        csrr    t1, fcsr
        result  t1                      # 1: ff
        csrr    t1, frm
        result  t1                      # 2: 7
        csrr    t1, fflags
        result  t1                      # 3: 1f
        csrrci  t1, fflags, 0x11
        result  t1                      # 4: 1f
        csrrsi  t1, frm, 0
        result  t1                      # 5: 7
        csrrwi  t1, frm, 2
        result  t1                      # 6: 7
        csrr    t1, fcsr
        result  t1                      # 7: 4e
        li      t0, 0x21
        csrrs   t1, fcsr, t0
        csrr    t1, fcsr
        result  t1                      # 8: 6f
        csrrc   t1, fcsr, t0
        csrr    t1, fcsr
        result  t1                      # 9: 4e
        csrwi   fflags, 0
        li      t0, 0x3f800000
        li      t2, 0xb3000000
        fadd.s  t1, t0, t2, dyn         # rounds down
        result  t1                      # 10: 3f7fffff
        csrrw   t1, fflags, zero
        result  t1                      # 11: 1
        csrr    t1, fflags
        result  t1                      # 12: 0
        csrwi   frm, 5
        fmin.s  t1, t0, t2              # no rounding, no fault
        fadd.s  t1, t0, t2, rne
        result  t1                      # 13: 3f800000
        .globl  fcsrs_bad
fcsrs_bad:
        fadd.s  t1, t0, t2, dyn         # illegal
        vl_exit
