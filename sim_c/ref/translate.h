/*
 * Address translation of the architectural reference: Sv48 with Svade, for user mode (docs/translation.md, "What a translation is").
 *
 * A function of the page tables alone: no TLB, no order, no time. The caller gives the value of a PTE, so the same function serves one
 * memory and a judge that tries each value which a PTE may have had. It is not for Bare addresses and the scratchpad aperture.
 */
#ifndef REF_TRANSLATE_H
#define REF_TRANSLATE_H
#include <stdbool.h>
#include <stdint.h>

enum { REF_LEVELS = 4 };

typedef enum { REF_USE_LOAD, REF_USE_STORE, REF_USE_FETCH } ref_use; /* LR is a load; SC and AMOs are stores */
typedef enum { REF_TRANSLATED, REF_PAGE_FAULT, REF_ACCESS_FAULT } ref_verdict;

/* An address space, and the memory window [base, limit) in bytes. */
typedef struct {
    uint64_t root; /* physical page number of the root table */
    uint64_t base, limit;
} ref_space;

/* The PTE at a physical address. Called for PTEs inside of the window only, from the root down. */
typedef uint64_t ref_read_pte(void *user, uint64_t addr);

typedef struct {
    ref_verdict verdict;
    /* With REF_TRANSLATED: */
    uint64_t pa;
    unsigned level; /* of the leaf: 0 4 KB, 1 2 MB, 2 1 GB, 3 512 GB */
    bool global;    /* by the leaf or a pointer on the way to it */
    /* Always: the PTEs that were read, the root's first; a page fault is that of the last one. None for an address that is not canonical. */
    unsigned reads;
    struct {
        uint64_t addr, value;
    } read[REF_LEVELS];
} ref_translation;

/* Translates va (a pc sign-extended from bit 47) for one use. */
ref_translation ref_translate(const ref_space *space, uint64_t va, ref_use use, ref_read_pte *read_pte, void *user);

#endif
