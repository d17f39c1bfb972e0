/* Volatile and atomic loads in C, where every pointer may be of global memory. */
#include "vellum.h"
#define ALL(F) F(signed char, 0) F(unsigned char, 1) F(short, 2) F(unsigned short, 3) F(int, 4) F(unsigned, 5) F(long, 6) F(unsigned long, 7) F(float, 8) F(double, 9) F(int *, 10) F(_Bool, 11)
#define MEMBER(T, N) T v##N;
typedef struct {
    ALL(MEMBER)
    unsigned : 0, low : 3, high : 20, last : 9;
} all_t;
VL_LOCAL int shared[4];
volatile int counter = 5;

#define COPY(T, N) out->v##N = in->v##N;
VL_KERNEL void copy(const volatile all_t *in, all_t *out)
{
    ALL(COPY)
    out->low = in->low, out->high = in->high, out->last = in->last;
}

#define ATOMIC(T, N) __atomic_load(&in->v##N, &out->v##N, N & 1 ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE);
VL_KERNEL void atomic(all_t *in, all_t *out)
{
    ALL(ATOMIC)
}

__attribute__((noinline)) static int anywhere(volatile int *p)
{
    return *p;
}

/* By way of one function: a variable of the stack, scratchpad, global memory. */
VL_KERNEL void generic(int *out, int n)
{
    int mine[4] = {n, n + 1, n + 2, n + 3};
    shared[n & 3] = 7 * n;
    out[0] = anywhere(&mine[n & 3]), out[1] = anywhere(&shared[n & 3]), out[2] = anywhere(&out[3]),
    out[4] = anywhere(&counter);
}

/* None of these is of global memory. */
VL_KERNEL void elsewhere(int *out, int n)
{
    volatile int mine[4];
    mine[n & 3] = n;
    shared[1] = n + 1;
    out[1] = mine[n & 3] + *(volatile int *)&shared[1] + __atomic_load_n(&shared[n & 3], __ATOMIC_RELAXED) + out[n];
}

/* Every atomic of 8 and 16 bits, and nand, beside what C makes of it: at each place in a word, which else keeps its bytes. Counts what differs. */
#define ONE(T, OP, NEW)                                                                                                \
    for (unsigned place = 0; place < 8 / sizeof(T); place++)                                                           \
        for (int n = 0; n < 12; n++) {                                                                                 \
            const T x = (T)values[n], v = (T)values[(n + 5) % 12];                                                     \
            T *at = (T *)word + place;                                                                                 \
            *word = filler;                                                                                            \
            *at = x;                                                                                                   \
            const T old = __atomic_##OP(at, v, n & 1 ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST);                           \
            const T got = *at;                                                                                         \
            *at = (T)(filler >> 8 * sizeof(T) % 64 * place);                                                           \
            bad += old != x || got != (T)(NEW) || *word != filler;                                                     \
        }
#define EACH(T)                                                                                                        \
    ONE(T, fetch_add, x + v)                                                                                           \
    ONE(T, fetch_sub, x - v)                                                                                           \
    ONE(T, fetch_and, x &v)                                                                                            \
    ONE(T, fetch_or, x | v)                                                                                            \
    ONE(T, fetch_xor, x ^ v)                                                                                           \
    ONE(T, fetch_nand, ~(x & v))                                                                                       \
    ONE(T, fetch_max, x > v ? x : v)                                                                                   \
    ONE(T, fetch_min, x < v ? x : v)                                                                                   \
    ONE(T, exchange_n, v)
#define SWAP(T)                                                                                                        \
    for (unsigned place = 0; place < 8 / sizeof(T); place++)                                                           \
        for (int n = 0; n < 12; n++) {                                                                                 \
            const T x = (T)values[n], v = (T)values[(n + 5) % 12];                                                     \
            T *at = (T *)word + place, expected = n & 2 ? x : (T)(x ^ 5);                                              \
            *word = filler;                                                                                            \
            *at = x;                                                                                                   \
            const int done = __atomic_compare_exchange_n(at, &expected, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);     \
            const T got = *at;                                                                                         \
            *at = (T)(filler >> 8 * sizeof(T) % 64 * place);                                                           \
            bad += done != (n >> 1 & 1) || expected != x || got != (done ? v : x) || *word != filler;                  \
        }
__attribute__((noinline)) static int subword(long *word, const long *values, long filler)
{
    int bad = 0;
    EACH(signed char)
    EACH(unsigned char)
    EACH(short)
    EACH(unsigned short)
    ONE(int, fetch_nand, ~(x & v))
    ONE(long, fetch_nand, ~(x & v)) SWAP(signed char) SWAP(unsigned char) SWAP(short) SWAP(unsigned short) return bad;
}
VL_LOCAL long spad[1];
VL_KERNEL void subwords(long *word, const long *values, int *out)
{
    out[0] = subword(word, values, 0x89abcdef01234567l);
    out[1] = subword(spad, values, 0x76543210fedcba98l);
}

/* Threads of many groups: no addition is lost, and no thread is held up by those that wait for the sum (docs/isa.md, Progress of LR and SC). */
VL_KERNEL void waited_for(unsigned char *bytes, volatile int *arrived, int *out, int each)
{
    for (int i = 0; i < each; i++)
        __atomic_fetch_add(bytes + (vl_global_id(0) + i) % 4, 1, __ATOMIC_RELAXED);
    vl_fence_global();
    __atomic_fetch_add((int *)arrived, 1, __ATOMIC_RELAXED);
    while (*arrived != (int)vl_global_size(0)) {
    }
    out[vl_global_id(0)] = *(volatile unsigned char *)(bytes + vl_global_id(0) % 4);
}
