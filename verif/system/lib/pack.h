/* A kernel image in memory around hand-made text: one kernel named `k`, with its note (docs/abi.md). */
#ifndef VERIF_SYSTEM_PACK_H
#define VERIF_SYSTEM_PACK_H
#include <stddef.h>
#include <stdint.h>

/* Arguments: `pointers` global pointers, then one local pointer if `local` is set. The text stands at 0x10000000. Malloced. */
uint8_t *pack_image(const uint32_t *text, size_t words, uint64_t entry, unsigned pointers, int local, size_t *bytes);
#endif
