/* A path that has been found, printed cycle by cycle. */
#ifndef VERIF_COHERENCE_EXPLORE_PATHS_H
#define VERIF_COHERENCE_EXPLORE_PATHS_H
#include "known.h"

static void play(const uint16_t *by, unsigned n)
{
    static sys_t s, t;
    static outs_t o;
    sys_init(&s);
    canon(&s);
    for (unsigned k = 0; k < n; k++) {
        choice_t c = {.holds = now.holds};
        sys_outs(&s, &o);
        telling = false;
        for (unsigned b = 0; b < by[k]; b++) {
            t = s;
            sys_step(&t, &o, &c);
            if (!next_choice(&c)) {
                printf("cycle %u has no choice %u\n", k, by[k]);
                return;
            }
        }
        telling = true;
        *wrong = 0;
        printf("cycle %u\n", k);
        c.at = 0;
        c.holds = now.holds;
        sys_step(&s, &o, &c);
        canon(&s);
        rule_state(&s);
        if (*wrong)
            printf("    WRONG: %s\n", wrong);
    }
    telling = false;
}

/* How it came to `state`, and then by `by` (if it is not the end). */
static void trace(uint32_t state, int by)
{
    unsigned n = by >= 0;
    for (uint32_t k = state; k; k = known[k].from)
        n++;
    uint16_t *path = grown(NULL, (n + 1) * sizeof *path);
    unsigned at = n;
    if (by >= 0)
        path[--at] = (uint16_t)by;
    for (uint32_t k = state; k; k = known[k].from)
        path[--at] = known[k].by;
    printf("%s: WRONG after %u cycles: %s\n", name, n, wrong);
    if (told) {
        char was[sizeof wrong];
        memcpy(was, wrong, sizeof was);
        play(path, n);
        memcpy(wrong, was, sizeof was);
        printf("again with path=");
        for (unsigned k = 0; k < n; k++)
            printf("%s%u", k ? "," : "", path[k]);
        printf("\n");
    }
    free(path);
}
#endif
