/* The arithmetic of the twins: the short way through the host's binary64 against the integer way, and everything against the
 * reference's arithmetic (sim_c/ref/fp.c), results and flags, every rounding mode. Arguments: SEED ROUNDS. */
#include "sim_c/core/softfp.h"
#include "sim_c/ref/fp.h"
#include "verif/core/fp_stimulus.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHUNK 4096
typedef struct {
    uint64_t r;
    unsigned f;
} answer_t;
typedef struct {
    uint32_t a, b, c;
    uint64_t v;
    unsigned rm;
} work_t;

/* X(name, twin's, reference's), where r is the result and f the flags */
#define FUNCTIONS(X) \
    X(add, sf_add(w->a, w->b, w->rm, &f), fp_add(w->a, w->b, w->rm, &f)) \
    X(mul, sf_mul(w->a, w->b, w->rm, &f), fp_mul(w->a, w->b, w->rm, &f)) \
    X(fma, sf_fma(w->a, w->b, w->c, w->rm, &f), fp_fma(w->a, w->b, w->c, w->rm, &f)) \
    X(int_add, sf_int_add(w->a, w->b, w->rm, &f), fp_add(w->a, w->b, w->rm, &f)) \
    X(int_mul, sf_int_mul(w->a, w->b, w->rm, &f), fp_mul(w->a, w->b, w->rm, &f)) \
    X(int_fma, sf_int_fma(w->a, w->b, w->c, w->rm, &f), fp_fma(w->a, w->b, w->c, w->rm, &f)) \
    X(div, sf_div(w->a, w->b, w->rm, &f), fp_div(w->a, w->b, w->rm, &f)) \
    X(sqrt, sf_sqrt(w->a, w->rm, &f), fp_sqrt(w->a, w->rm, &f)) \
    X(min, sf_min(w->a, w->b, &f), fp_min(w->a, w->b, &f)) \
    X(max, sf_max(w->a, w->b, &f), fp_max(w->a, w->b, &f)) \
    X(eq, sf_eq(w->a, w->b, &f), fp_eq(w->a, w->b, &f)) \
    X(lt, sf_lt(w->a, w->b, &f), fp_lt(w->a, w->b, &f)) \
    X(le, sf_le(w->a, w->b, &f), fp_le(w->a, w->b, &f)) \
    X(class, sf_class(w->a), fp_class(w->a)) \
    X(to_w, sf_to_int(w->a, 32, true, w->rm, &f), (uint32_t)fp_to_w(w->a, w->rm, &f)) \
    X(to_wu, sf_to_int(w->a, 32, false, w->rm, &f), fp_to_wu(w->a, w->rm, &f)) \
    X(to_l, sf_to_int(w->a, 64, true, w->rm, &f), (uint64_t)fp_to_l(w->a, w->rm, &f)) \
    X(to_lu, sf_to_int(w->a, 64, false, w->rm, &f), fp_to_lu(w->a, w->rm, &f)) \
    X(from_l, sf_from_int(w->v, true, w->rm, &f), fp_from_l((int64_t)w->v, w->rm, &f)) \
    X(from_lu, sf_from_int(w->v, false, w->rm, &f), fp_from_lu(w->v, w->rm, &f))

#define COMPUTE(name, twins, refs) \
    static void twin_##name(const work_t *w, answer_t *a) \
    { for (unsigned i = 0; i < CHUNK; i++, w++) { unsigned f = 0; a[i].r = (twins); a[i].f = f; } } \
    static void ref_##name(const work_t *w, answer_t *a) \
    { for (unsigned i = 0; i < CHUNK; i++, w++) { uint32_t f = 0; a[i].r = (refs); fp_collect(&f); a[i].f = f; } }
FUNCTIONS(COMPUTE)

static const struct {
    const char *name;
    void (*twin)(const work_t *, answer_t *), (*ref)(const work_t *, answer_t *);
} function[] = {
#define ROW(name, twins, refs) {#name, twin_##name, ref_##name},
    FUNCTIONS(ROW)};
enum { FUNCTION_N = sizeof function / sizeof *function };

static work_t work[CHUNK];
static answer_t mine[CHUNK], theirs[CHUNK];

/* Compares function k on `work`; prints the first difference. */
static bool agrees(unsigned k, uint64_t seed)
{
    fp_saved host;
    function[k].twin(work, mine);
    fp_enter(&host);
    function[k].ref(work, theirs);
    fp_leave(&host);
    for (unsigned i = 0; i < CHUNK; i++)
        if (mine[i].r != theirs[i].r || mine[i].f != theirs[i].f) {
            const work_t *w = &work[i];
            printf("%s rm %u: a %08x b %08x c %08x v %016" PRIx64 ": twin %016" PRIx64
                   " flags %02x, reference %016" PRIx64 " flags %02x\n",
                   function[k].name, w->rm, w->a, w->b, w->c, w->v, mine[i].r, mine[i].f, theirs[i].r, theirs[i].f);
            printf("    again: build/verif/softfp %" PRIu64 "\n", seed);
            return false;
        }
    return true;
}

/* The short way against the integer way, nearest even, at speed. */
static bool ways_agree(struct vl_rng *r, uint64_t rounds)
{
    for (uint64_t n = 0; n < rounds; n++) {
        uint32_t a, b, c;
        if (n & 1) {
            stim_floats(r, &a, &b, &c);
        } else { /* everyday exponents */
            uint64_t v = vl_random(r), w = vl_random(r);
            a = (uint32_t)v & 0x87ffffff ? ((uint32_t)v & 0x83ffffff) + 0x3c000000 : 0;
            b = ((uint32_t)(v >> 32) & 0x83ffffff) + 0x3c000000;
            c = ((uint32_t)w & 0x8fffffff) + 0x3a000000;
        }
        unsigned f[6] = {0};
        uint32_t x[6] = {sf_add(a, b, SF_RNE, &f[0]),    sf_int_add(a, b, SF_RNE, &f[1]),
                         sf_mul(a, b, SF_RNE, &f[2]),    sf_int_mul(a, b, SF_RNE, &f[3]),
                         sf_fma(a, b, c, SF_RNE, &f[4]), sf_int_fma(a, b, c, SF_RNE, &f[5])};
        for (unsigned k = 0; k < 6; k += 2)
            if (x[k] != x[k + 1] || f[k] != f[k + 1]) {
                printf("%s: a %08x b %08x c %08x: short %08x flags %02x, integer %08x flags %02x\n",
                       k == 0   ? "add"
                       : k == 2 ? "mul"
                                : "fma",
                       a, b, c, x[k], f[k], x[k + 1], f[k + 1]);
                return false;
            }
    }
    return true;
}

/* ns a call on everyday operands. */
static void time_one(unsigned k)
{
    struct vl_rng r = {1};
    for (unsigned i = 0; i < CHUNK; i++) {
        uint64_t v = vl_random(&r), w = vl_random(&r);
        work[i] = (work_t){((uint32_t)v & 0x83ffffff) + 0x3c000000, ((uint32_t)(v >> 32) & 0x83ffffff) + 0x3c000000,
                           ((uint32_t)w & 0x83ffffff) + 0x3c000000, v, SF_RNE};
    }
    clock_t t = clock();
    for (unsigned i = 0; i < 400; i++)
        function[k].twin(work, mine);
    printf("%-8s %5.1f ns\n", function[k].name, (double)(clock() - t) / CLOCKS_PER_SEC * 1e9 / (400.0 * CHUNK));
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0, rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 2000000;
    struct vl_rng r = {seed * 104729 + 5};
    bool ok[FUNCTION_N + 1];
    memset(ok, true, sizeof ok);
    printf("seed %" PRIu64 "\n", seed);
    if (argc > 3)
        for (unsigned k = 0; k < FUNCTION_N; k++)
            time_one(k);
    for (uint64_t n = 0; n < rounds / CHUNK; n++) {
        for (unsigned i = 0; i < CHUNK; i++) {
            work_t *w = &work[i];
            stim_floats(&r, &w->a, &w->b, &w->c);
            uint64_t v = vl_random(&r), s = vl_random(&r);
            w->v = s & 1 ? v >> (s >> 1 & 63) : v & ~0ull << (s >> 1 & 63); /* of any length, or with few high bits */
            w->v += s & 1 ? 0 : (s >> 8) % 3 - 1;
            w->rm = (unsigned)((s >> 32) % 5);
        }
        for (unsigned k = 0; k < FUNCTION_N; k++)
            ok[k] = ok[k] && agrees(k, seed);
    }
    ok[FUNCTION_N] = ways_agree(&r, 4 * rounds);
    unsigned failed = 0;
    for (unsigned k = 0; k <= FUNCTION_N; k++)
        failed += !ok[k];
    printf("%u passed, %u failed\n", FUNCTION_N + 1 - failed, failed);
    return failed != 0;
}
