/* Kernels for the controls of the lockstep: something of every check that the judge makes, in few cycles. Each thread has a line of its own
 * where the arrival of a single store matters. */
#include "vellum.h"

/* All pipes, divergence, scratchpad, barriers, atomics in scratchpad and memory, fences. */
VL_KERNEL void all(const unsigned *in, unsigned *out, unsigned *shared, unsigned n, VL_LOCAL_ARG unsigned *tree)
{
    unsigned i = (unsigned)vl_global_id(0), lid = (unsigned)vl_local_id(0), a = in[i % n], b = i + 1, old;
    float f = (float)(a & 255);
    for (unsigned k = 0; k < (a & 3) + 1; k++) {
        if (a >> k & 1)
            b = b * (a | 3) + a / (b | 1);
        else
            f = f * 1.5f + sqrtf(f + 1.0f) / 3.0f;
    }
    tree[lid] = b;
    vl_barrier();
    b -= tree[vl_local_size(0) - 1 - lid];
    vl_barrier();
    b ^= __atomic_fetch_add(&tree[0], b, __ATOMIC_RELAXED);
    unsigned was = lid;
    __atomic_compare_exchange_n(&tree[1], &was, b, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    b += __atomic_fetch_add(&shared[0], b + was, __ATOMIC_RELAXED);
    was = 0;
    __atomic_compare_exchange_n(&shared[1], &was, b, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __asm__ volatile("lr.w %0, (%1)\nsc.w %0, %2, (%1)" : "=&r"(old) : "r"(&shared[2]), "r"(b) : "memory");
    ((unsigned char *)out)[128 * i + 5] = (unsigned char)b;
    vl_fence_global();
    out[32 * i + 2] = out[32 * i + 1] + b + old + was;
    out[32 * i] = b ^ (unsigned)(int)f;
}

VL_KERNEL void plain(unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0);
    out[32 * i] = i + 1;
}

VL_KERNEL void copy(const unsigned *in, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0);
    out[32 * i] = in[i];
}

/* Stores, but only in the first workgroups; otherwise touches no memory. */
VL_KERNEL void once(void)
{
    if (vl_group_id(0) < 2)
        *(volatile unsigned *)(0x18000000 + 128 * vl_global_id(0)) = 1;
}

/* More instructions than there are sequence numbers. */
VL_KERNEL void sum(const unsigned *in, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), s = 0;
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < 80; k++)
        s += in[k] ^ i;
    out[32 * i] = s;
}

VL_KERNEL void fenced(unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0);
    out[32 * i] = i + 1;
    vl_fence_global();
    out[32 * i + 1] = i;
}

/* What all warps of a workgroup have stored is published by each one's fence behind the barrier. Again and again: the first time the stores may be
 * done before the instruction cache has the fence. */
VL_KERNEL void published(unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0);
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < 3; k++) {
        out[32 * i + k] = i + 1;
        vl_barrier();
        vl_fence_global();
    }
}

/* Atomics for which only the fence waits. */
VL_KERNEL void awaited(unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), old = __atomic_fetch_add(&out[32 * i], i + 1, __ATOMIC_RELAXED);
    vl_fence_global();
    out[32 * i + 1] = old;
}

VL_KERNEL void released(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0), old;
    out[32 * i] = i + 1;
    __asm__ volatile("amoadd.w.rl %0, %1, (%2)" : "=&r"(old) : "r"(i), "r"(shared) : "memory");
    out[32 * i + 1] = old;
}

/* Threads of a warp jump to different places, with or without an atomic before that is not complete. run puts jalr ra, 16(t0) in the
 * place of the nop (vellum cc refuses jumps through pointers). */
VL_KERNEL void jumps(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0);
    __asm__ volatile("andi t1, %0, 1\nslli t1, t1, 2\nauipc t0, 0\nadd t0, t0, t1\nlui zero, 1\nnop\nnop\nnop" ::"r"(i)
                     : "t0", "t1", "ra", "memory");
    out[32 * i] = i;
    (void)shared;
}

VL_KERNEL void late_jumps(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0), old;
    __asm__ volatile(
        "andi t1, %1, 1\nslli t1, t1, 2\namoadd.w %0, %1, (%2)\nauipc t0, 0\nadd t0, t0, t1\nlui zero, 1\nnop\nnop\nnop"
        : "=&r"(old)
        : "r"(i), "r"(shared)
        : "t0", "t1", "ra", "memory");
    out[32 * i] = old;
}

/* Every thread comes to the barrier, but a way around it keeps the place where their paths meet behind it: a warp comes in parts. */
VL_KERNEL void parts(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0), v = i;
    __asm__ volatile("andi t0, %2, 1\nbeqz t0, 1f\naddi %0, %0, 3\nbnez %1, 2f\n1: .word 0x0010000b\n2: nop"
                     : "+r"(v)
                     : "r"(*shared), "r"(i)
                     : "t0", "memory");
    out[32 * i] = v;
}

/* Threads of a warp wait at two barriers. */
VL_KERNEL void two_barriers(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0);
    (void)shared;
    __asm__ volatile("andi t0, %0, 1\nbeqz t0, 1f\n.word 0x0010000b\nj 2f\n1: .word 0x0010000b\n2: nop" ::"r"(i)
                     : "t0", "memory");
    out[32 * i] = i;
}

/* Some have ended when the others come to a barrier. */
VL_KERNEL void ended_threads(unsigned *out, unsigned *shared)
{
    unsigned i = (unsigned)vl_global_id(0);
    (void)shared;
    __asm__ volatile("andi t0, %0, 1\nbeqz t0, 1f\n.word 0x0000000b\n1: .word 0x0010000b" ::"r"(i) : "t0", "memory");
    out[32 * i] = i;
}

/* Jumps into a buffer: run puts jalr ra, 16(t0) in the place of the nop. Its page may not be executed. */
VL_KERNEL void into_data(unsigned *data)
{
    __asm__ volatile("addi t0, %0, -16\nlui zero, 1\nnop" ::"r"(data) : "t0", "ra", "memory");
}

/* Each thread has a word of its own in each of 32 pages, which it reads and writes in another order than its neighbours: more pages than a small TLB
 * holds, first loads, then stores to a page, and pages that come back. */
VL_KERNEL void pages(unsigned *data, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), s = i;
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < 20; k++) {
        unsigned *word = data + 1024 * ((5 * i + 7 * k) % 32) + 32 * (i % 32);
        s += *word;
        if (k % 3 == 2)
            *word = s;
    }
    out[32 * i] = s;
}

/* Stores to pages that come late, a barrier, and loads from present pages: a page for each thread, and one for all. */
VL_KERNEL void behind(unsigned *data, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), lid = (unsigned)vl_local_id(0), n = (unsigned)vl_local_size(0),
             s = data[lid];
    vl_barrier();
    data[1024 * (1 + i)] = s;
    vl_barrier();
    s += data[n - 1 - lid];
    vl_barrier();
    s += data[1024 * (1 + i - lid + (n - 1 - lid))];
    out[32 * i] = s;
}

/* All pages of a round are of one set of a small TLB, and more than it has ways. */
VL_KERNEL void one_set(unsigned *data, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), s = 0;
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < 6; k++)
        s += data[8 * 1024 * ((i + 11 * k) % 64)];
    out[32 * i] = s;
}

/* A message from one core to the other: a thread that reads the flag sees the stores before it. mail[0]: the flag, mail[64]: the letter. */
VL_KERNEL void message(unsigned *mail, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0);
    volatile unsigned *letter = mail + 64;
    if (i & 1) {
        out[32 * i] = *letter; /* now this core's cache has the line */
        __atomic_fetch_add(&mail[32], 1u, __ATOMIC_RELAXED);
        while (!__atomic_fetch_add(&mail[0], 0u, __ATOMIC_RELAXED))
            ;
        vl_fence_global();
        out[32 * i + 1] = *letter;
    } else {
        while (!__atomic_fetch_add(&mail[32], 0u, __ATOMIC_RELAXED))
            ;
        *letter = 7;
        vl_fence_global();
        __atomic_fetch_add(&mail[0], 1u, __ATOMIC_RELAXED);
    }
}

/* A private array at places that the data gives. */
VL_KERNEL void stacked(const unsigned *in, unsigned *out)
{
    unsigned i = (unsigned)vl_global_id(0), s = 0, a[8];
    for (unsigned k = 0; k < 8; k++)
        a[(in[0] + k) & 7] = i + k;
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < 8; k++)
        s += a[in[k] & 7];
    out[32 * i] = s;
}
