/* Random page tables with broken PTEs: ref_translate() against a list of mappings. */
#ifndef VERIF_REF_TRANSLATE_RANDOM_H
#define VERIF_REF_TRANSLATE_RANDOM_H
#include <stdbool.h>
#include <stdint.h>

/* That many address spaces. False, with a message, if an address means something else, or an outcome never came. */
bool random_tables(uint64_t seed, uint64_t rounds);

#endif
