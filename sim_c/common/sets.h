/* Sets of ports, a bit each: a word, and where there are more than 64 (64 cores and the host) two. */
#ifndef VL_SETS_H
#define VL_SETS_H
#include <stdint.h>

typedef unsigned __int128 vl_set_t;

/* The first member of a set that is not empty. */
static inline unsigned vl_first_of_word(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned vl_first_of_two(vl_set_t set)
{
    return (uint64_t)set ? vl_first_of_word((uint64_t)set) : 64 + vl_first_of_word((uint64_t)(set >> 64));
}

#ifndef __cplusplus
#define vl_first(set) _Generic((set), vl_set_t: vl_first_of_two, default: vl_first_of_word)(set)
#endif
#endif
