/* A volatile load of every type goes past the L1D (docs/memory-model.md): test.py compares the bytes, verif/sw/cc the instructions. */
#define SCALARS(F) F(char, 0) F(uchar, 1) F(short, 2) F(ushort, 3) F(int, 4) F(uint, 5) F(long, 6) F(ulong, 7) F(float, 8) F(double, 9) F(size_t, 10)
#define VECTORS(F, N) F(char##N, N##0) F(ushort##N, N##1) F(int##N, N##2) F(ulong##N, N##3) F(float##N, N##4) F(double##N, N##5)
#define ALL(F) SCALARS(F) VECTORS(F, 2) VECTORS(F, 4) VECTORS(F, 8) VECTORS(F, 16)
#define MEMBER(T, N) T v##N;
typedef struct __attribute__((packed)) {
    char c;
    int i;
    short s;
    long l;
    float f;
    char end[3];
} packed_t;
typedef struct {
    ALL(MEMBER)
    __global int *pointer;
    packed_t p;
} all_t;

__kernel void copy(__global const volatile all_t *in, __global all_t *out)
{
#define COPY(T, N) out->v##N = in->v##N;
    ALL(COPY)
    out->pointer = in->pointer;
    out->p.c = in->p.c, out->p.i = in->p.i, out->p.s = in->p.s, out->p.l = in->p.l, out->p.f = in->p.f, out->p.end[2] = in->p.end[2];
}

/* These are not of global memory, or not volatile. */
__kernel void elsewhere(__global int *out, __local volatile int *l, __constant volatile int *c, int n)
{
    volatile int mine[4];
    mine[n & 3] = n;
    l[0] = n + 1;
    out[1] = mine[n & 3] + l[0] + c[n] + out[n];
}

/* Each group waits for the one before it, as prefix sums in one pass do. */
__kernel void chain(__global volatile int *ready, __global volatile int *carry, __global int *out)
{
    int w = get_group_id(0);
    if (get_local_id(0) != 0)
        return;
    int c = 0;
    if (w > 0) {
        while (!ready[w - 1]) { }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        c = carry[w - 1];
    }
    carry[w] = c * 3 + w + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ready[w] = 1;
    out[w] = c;
}

/* The last byte's word goes beyond its buffer. */
__kernel void last(__global volatile uchar *in, __global uchar *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}
