/* Is it true that fields which become 0 are never read? */
#ifndef VERIF_COHERENCE_EXPLORE_WALK_H
#define VERIF_COHERENCE_EXPLORE_WALK_H
#include "known.h"

/* One of its choices, at random: `v` counts down as they are tried in their order; how many there are, if less. */
static unsigned step_by(sys_t *s, const outs_t *o, unsigned by)
{
    static sys_t t;
    choice_t c = {.holds = now.holds};
    for (unsigned k = 0;; k++) {
        t = *s;
        sys_step(&t, o, &c);
        if (k == by) {
            *s = t;
            return by;
        }
        if (!next_choice(&c))
            return k + 1;
    }
}

static int walk(uint64_t cycles)
{
    static sys_t raw, s;
    static outs_t o;
    static uint8_t one[PACKED], two[PACKED];
    struct vl_rng r = {0};
    uint64_t paths = 0, done = 0;
    unsigned left = 0;

    for (; done < cycles && !*wrong; done++, left--) {
        if (!left || raw.end == 3) {
            sys_init(&raw);
            s = raw;
            left = 1000;
            paths++;
        }
        /* Most of the time no stream is held, and nothing is begun. */
        unsigned by = vl_chance(&r, 128) ? vl_below(&r, 12) : 0;
        sys_outs(&raw, &o);
        while (step_by(&raw, &o, by) != by)
            by = 0;
        sys_outs(&s, &o);
        if (step_by(&s, &o, by) != by)
            blame("canon: other choices");
        canon(&s);
        const size_t n = canon_pack(&s, one);
        canon_unpack(&s, one);
        sys_t *c = grown(NULL, sizeof *c);
        *c = raw;
        canon(c);
        if (canon_pack(c, two) != n || memcmp(one, two, n))
            blame("canon: what became 0 is read");
        free(c);
        rule_state(&s);
    }
    if (*wrong)
        printf("%s: WRONG after %llu cycles: %s\n", name, (unsigned long long)done, wrong);
    else
        printf("%s: %llu cycles on %llu paths: nothing wrong\n", name, (unsigned long long)done,
               (unsigned long long)paths);
    return *wrong != 0;
}
#endif
