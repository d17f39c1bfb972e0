/* Coverage of translations by the tables (view.h), of the benches of ptw and walker: each end of a walk at each level. */
#ifndef VERIF_PTW_VIEW_COVER_H
#define VERIF_PTW_VIEW_COVER_H
#include "verif/common/bench.h"
#include "verif/mmu/ptw/view.h"

enum {
    COV_WHY,
    COV_LEAF = COV_WHY + 4 * (WHYS - 1),
    COV_GLOB = COV_LEAF + 4,
    COV_GLOB_MANY = COV_GLOB + 4,
    COV_TWICE,
    COV_OLD,
    COV_NEW,
    COV_OF_VIEW
};

/* clang-format off */
#define AT_LEVELS(text) text ", level 0", text ", level 1", text ", level 2", text ", level 3"
#define COVER_OF_VIEW \
    AT_LEVELS("V = 0"), \
    AT_LEVELS("W without R"), \
    AT_LEVELS("reserved bit"), \
    AT_LEVELS("PPN beyond PA_W"), \
    AT_LEVELS("pointer with D"), \
    AT_LEVELS("pointer with A"), \
    AT_LEVELS("pointer with U"), \
    "pointer at the last level", \
    "-", \
    "-", \
    "-", \
    AT_LEVELS("leaf without U"), \
    AT_LEVELS("leaf without A"), \
    "-", \
    "misaligned in 8:0, level 1", \
    "misaligned in 8:0, level 2", \
    "misaligned in 8:0, level 3", \
    "-", \
    "-", \
    "misaligned in 17:9, level 2", \
    "misaligned in 17:9, level 3", \
    "-", \
    "-", \
    "-", \
    "misaligned in 26:18, level 3", \
    AT_LEVELS("PTE below the window"), \
    AT_LEVELS("PTE above the window"), \
    AT_LEVELS("frame below the window"), \
    AT_LEVELS("frame above the window"), \
    AT_LEVELS("frame across a limit"), \
    AT_LEVELS("leaf"), \
    AT_LEVELS("G"), \
    "G at several levels", \
    "a table at two levels of a walk", \
    "a walk that found what was, of a changed entry", \
    "a walk that found what is, of a changed entry"
/* clang-format on */

/* A walk has ended as outcome n of v says. */
static void cover_view(bench_t *b, const view_t *v, int n)
{
    const outcome_t *o = &v->o[n];
    if (v->n == 1) {
        BENCH_COVER(b, o->why ? COV_WHY + 4 * (o->why - 1) + o->level : COV_LEAF + o->level, true);
        BENCH_COVER(b, COV_TWICE, o->twice);
        for (unsigned l = 0; l < 4 && !o->why; l++)
            BENCH_COVER(b, COV_GLOB + l, o->globs == 1u << l);
        BENCH_COVER(b, COV_GLOB_MANY, !o->why && o->globs & (o->globs - 1u));
    }
    BENCH_COVER(b, COV_OLD, v->n > 1 && n == (int)v->n - 1);
    BENCH_COVER(b, COV_NEW, v->n > 1 && n == 0);
}
#endif
