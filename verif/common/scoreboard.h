/* Scoreboards: a block's outputs by its page, beside the real ones.
 *
 * RTL and twin may share a bug, and then nothing differs. So a bench holds the block against a program of its own, written from the block's page (docs/blocks/)
 * with other data than the twin's, and without its headers: verif/UNIT/BLOCK/page.h. It has the state of the page's section "State", and
 *
 *     page_expect(page, in)     // the page's numbered edge: `in` as the bench has set it; page->out: the outputs expected in the next cycle
 *
 * with page_t, which has this `out`, and page_begin(page), the state after reset (of a zeroed page). The bench keeps a page_t `page` in its env, calls page_begin in
 * start(), and SCOREBOARD_DRIVE(BLOCK, env_t, stimulate) makes its drive() of `stimulate`, which sets the inputs: the outputs of each cycle are held against the page before.
 * Payloads are compared while they are valid, events (ev) in every cycle. SCOREBOARD_OF(b, TYPE, seen, expected) compares one struct, for a scoreboard that knows
 * only the events.
 *
 * SCOREBOARD_DRIVE_COVERED(BLOCK, env_t, stimulate, expect) is the same for a bench that reads coverage off the page's state: expect(b, page, in) calls page_expect and looks at the
 * state before and after it. Without the page (--no-page) no coverage is demanded.
 *
 * A page that leaves a choice open (which of several is taken) gives a scoreboard that checks the choice instead of making it.
 *
 * Ranges: near() draws a value for a register, a bound or a count so that every neighbourhood comes up (docs/conventions.md, Tests). */
#ifndef VL_SCOREBOARD_H
#define VL_SCOREBOARD_H
#include "verif/common/bench.h"

#define SCOREBOARD(b, B, seen, expected) do { vl_diff_t d_; if (!(b)->failed && B##_out_diff(seen, expected, &d_)) \
    BENCH_CHECK(b, false, #B " %s is %s, the page says %s", d_.field, d_.a, d_.b); } while (0)
#define SCOREBOARD_OF(b, TYPE, seen, expected) do { vl_diff_t d_; if (!(b)->failed && TYPE##_diff(seen, expected, &d_)) \
    BENCH_CHECK(b, false, #TYPE " %s is %s, the page says %s", d_.field, d_.a, d_.b); } while (0)

/* start() of a bench with an environment that begins with nothing but the page. */
#define SCOREBOARD_START(ENV)                     \
    static void start(bench_t *b, ENV *e)        \
    {                                             \
        (void)b;                                  \
        page_begin(&e->page);                     \
    }
#define SCOREBOARD_DRIVE(B, ENV, STIMULATE) SCOREBOARD_DRIVE_COVERED(B, ENV, STIMULATE, SCOREBOARD_EXPECT)
#define SCOREBOARD_EXPECT(b, page, in) page_expect(page, in)
#define SCOREBOARD_DRIVE_COVERED(B, ENV, STIMULATE, EXPECT)                              \
    static void drive(bench_t *b, ENV *e, const B##_out_t *out, B##_in_t *in)           \
    {                                                                                   \
        if (b->no_page) {                                                               \
            STIMULATE(b, e, out, in);                                                   \
            return;                                                                     \
        }                                                                               \
        SCOREBOARD(b, B, out, &e->page.out);                                            \
        if (b->failed)                                                                  \
            return;                                                                     \
        STIMULATE(b, e, out, in);                                                       \
        EXPECT(b, &e->page, in);                                                        \
    }

/* A value of 0..max near one that matters: the ends, those of `points` (n of them: a default, a depth, where something wraps) and one more or less, a power of two
 * and one more or less, or any. */
static inline uint64_t near(vl_rng_t *r, uint64_t max, const uint64_t *points, unsigned n)
{
    uint64_t v;
    switch (vl_below(r, 4)) {
    case 0: v = vl_below(r, 2) ? max - vl_below(r, 3) : vl_below(r, 3); break;
    case 1: v = n ? points[vl_below(r, n)] + vl_below(r, 3) - 1 : vl_random(r); break;
    case 2: v = (1ull << vl_below(r, 64)) + vl_below(r, 3) - 1; break;
    default: v = vl_random(r); break;
    }
    return v <= max ? v : max == ~0ull ? v : v % (max + 1);
}
#endif
