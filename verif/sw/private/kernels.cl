// Private memory as programs use it: docs/private-memory.md. Each kernel has an array with an index unknown to the compiler.

// Elements of every size, at places that the data gives.
#define ELEMENTS(type)                                                                                       \
    kernel void of_##type(global const uint *in, global type *out)                                           \
    {                                                                                                        \
        type a[16];                                                                                          \
        uint g = get_global_id(0);                                                                           \
        for (uint i = 0; i < 16; i++)                                                                        \
            a[in[i] & 15] = (type)(g * 16 + i);                                                              \
        for (uint i = 0; i < 16; i++)                                                                        \
            a[(in[g] + i) & 15] += a[(in[g + i] >> 4) & 15];                                                 \
        type sum = 0;                                                                                        \
        for (uint i = 0; i < 16; i++)                                                                        \
            sum = sum * 3 + a[i];                                                                            \
        out[g] = sum;                                                                                        \
    }
ELEMENTS(uchar)
ELEMENTS(ushort)
ELEMENTS(uint)
ELEMENTS(ulong)

// Vectors of every width, and a structure that is copied as a whole, behind calls that get pointers.
typedef struct {
    uchar head;
    ulong word[5];
    uint tail[3];
} record;

__attribute__((noinline)) void turn(private record *to, const private record *from, uint by)
{
    *to = *from;
    for (uint i = 0; i < 5; i++)
        to->word[i] = from->word[(i + by) % 5];
    to->head += by;
}

kernel void vectors(global const uint *in, global uint *out)
{
    uint g = get_global_id(0), a[48], k = in[g] % 16;
    record r, s;
    for (uint i = 0; i < 48; i++)
        a[i] = g * 48 + i;
    vstore2(vload2(k, a) + 1, (k + 1) % 16, a);
    vstore3(vload3(k, a) + 2, (k + 3) % 16, a);
    vstore4(vload4(k % 12, a) + 3, (k + 5) % 12, a);
    vstore8(vload8(k % 6, a) + 4, (k + 1) % 6, a);
    vstore16(vload16(k % 3, a) + 5, (k + 1) % 3, a);
    r.head = (uchar)k;
    for (uint i = 0; i < 5; i++)
        r.word[i] = a[i] * 0x100000001UL;
    for (uint i = 0; i < 3; i++)
        r.tail[i] = a[40 + i];
    turn(&s, &r, k);
    turn(&r, &s, 1);
    uint sum = r.head;
    for (uint i = 0; i < 5; i++)
        sum = sum * 5 + (uint)(r.word[i] >> 32) + (uint)r.word[i];
    for (uint i = 0; i < 3; i++)
        sum = sum * 5 + r.tail[i];
    for (uint i = 0; i < 48; i++)
        sum = sum * 5 + a[i];
    out[g] = sum;
}

// The library's memset, memcpy and memmove, with lengths and places of each thread: by doublewords, by bytes, overlapping both ways.
kernel void copies(global const uint *in, global uint *out)
{
    uchar a[64] __attribute__((aligned(8))), b[64] __attribute__((aligned(8)));
    uint g = get_global_id(0), k = in[g + 16], n = k % 40, odd = k >> 31;
    uint from = (k >> 8 & 7) * odd, to = (k >> 12 & 7) * odd, shift = k >> 16 & 15;
    for (uint i = 0; i < 64; i++)
        a[in[i & 15] | (i & 48)] = (uchar)(g * 7 + i);
    __builtin_memset(b, (int)g, 48);
    __builtin_memset(b + 48, (int)k, n < 16 ? n : 16);
    __builtin_memset(b + 48 + (n < 16 ? n : 16), 1, 16 - (n < 16 ? n : 16));
    __builtin_memcpy(b + to, a + from, n);
    __builtin_memmove(a + shift, a, n);
    __builtin_memmove(b, b + shift, n);
    uint sum = 0;
    for (uint i = 0; i < 64; i++)
        sum = sum * 5 + a[i] * 3 + b[i];
    out[g] = sum;
}

// Each thread reads the array of another one of its group, by a pointer that this one has passed on; and what lies `over` bytes beyond its own.
kernel void others(global const uint *in, global ulong *where, global uint *out, global uint *beyond, ulong over, local ulong *address)
{
    uint a[16], g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    for (uint i = 0; i < 16; i++)
        a[in[i] & 15] = g * 100 + i;
    where[g] = address[l] = (ulong)a;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const volatile private uint *theirs = (const volatile private uint *)address[(l + 1) % n];
    const volatile private uint *next = (const volatile private uint *)((ulong)a + (l + 1 < n ? over : 0));
    uint sum = 0, far = 0;
    for (uint i = 0; i < 16; i++) {
        sum = sum * 3 + theirs[i];
        far = far * 3 + next[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] = sum;
    beyond[g] = far;
    a[in[g] & 15] = sum;
    out[g] += a[3] - a[3];
}

// Thread 5 alone goes wrong: `how` 1 misaligned, 2 beyond all stacks; 0: no thread does. Each returns the address of its array.
kernel void wrong(global const uint *in, global ulong *where, uint how, ulong by)
{
    ulong a[16];
    uint g = get_global_id(0);
    for (uint i = 0; i < 16; i++)
        a[in[i] & 15] = g;
    volatile private ulong *p = a;
    where[g] = (ulong)p;
    if (how && g == 5)
        p = (volatile private ulong *)((ulong)p + by);
    p[in[0] & 15] = g;
    where[g] += a[2] - a[2];
}
