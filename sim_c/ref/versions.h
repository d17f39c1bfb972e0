/* What memory held, and when: a list of writes that the judge of the lockstep asks when a load and a store race (judge.c).
 *
 * Writes are numbered from 1 on. The list keeps the last VERSIONS of them; a search that would need an older one reports it.
 */
#ifndef SIM_C_REF_VERSIONS_H
#define SIM_C_REF_VERSIONS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t dword; /* address, a multiple of 8 */
    uint64_t old, now; /* before and after */
    uint64_t previous; /* number of an older write to a doubleword of the same bucket, 0: none */
    uint64_t insn; /* who wrote: the number of the instruction */
    uint64_t went; /* atomics: number among all accesses that the LSUs let go */
    uint32_t core; /* HOST_SOURCE: the host port */
    uint8_t bytes; /* which of the eight were written */
    bool atomic;
} version_t;

typedef struct versions versions_t;

versions_t *versions_new(void); /* NULL: no memory */
void versions_free(versions_t *v);
void versions_clear(versions_t *v);
/* `w` without `previous`. */
void versions_add(versions_t *v, const version_t *w);
/* The number of the newest write; 0: none. */
uint64_t versions_count(const versions_t *v);

/* Walks the writes to one doubleword that are younger than `since`, the newest first. */
typedef struct {
    const versions_t *v;
    uint64_t dword, since, next, at; /* at: number of the write that versions_walk has returned */
    bool lost; /* the walk ended because older writes are no longer known */
} version_walk_t;
version_walk_t versions_of(const versions_t *v, uint64_t addr, uint64_t since);
/* NULL at the end. */
const version_t *versions_walk(version_walk_t *w);
#endif
