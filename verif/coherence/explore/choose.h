/* Choices of the environment. */
#ifndef VERIF_COHERENCE_EXPLORE_CHOOSE_H
#define VERIF_COHERENCE_EXPLORE_CHOOSE_H
#include "explore.h"

/* One of these (a bit each), or none: 32. */
static unsigned pick(choice_t *c, unsigned these, unsigned held)
{
    if (!these)
        return 32;
    const unsigned n = (unsigned)__builtin_popcount(these);
    unsigned v = choose(c, now.held & held ? n + 1 : n, true);
    if (v == n)
        return 32;
    while (v--)
        these &= these - 1;
    return (unsigned)__builtin_ctz(these);
}

static bool goes(choice_t *c, bool may, unsigned held)
{
    return may && !(now.held & held && choose(c, 2, true));
}
#endif
