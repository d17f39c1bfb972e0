/* Sets as bits of a word, and loops over their members from the lowest on: for EACH(k, set). */
#ifndef SIM_C_COMMON_BITS_H
#define SIM_C_COMMON_BITS_H
#include <stdbool.h>
#include <stdint.h>

#define EACH(k, set) (uint64_t k##_left = (set), k; k##_left && (k = (uint64_t)__builtin_ctzll(k##_left), true); k##_left &= k##_left - 1)
#define BIT(k) (1ull << (k))
#endif
