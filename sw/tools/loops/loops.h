/* The loop step of `vellum cc` (docs/compiler.md): bitcode in, bitcode out, in C on LLVM's C API. What its parts share.
 *
 * The step decides, LLVM does the mechanical work: it finds the innermost loops with the same number of rounds for all threads of a warp,
 * gives each a factor as loop metadata, and makes two versions of those with 32-bit indices that might wrap. LLVM's own passes unroll.
 * A wrong answer about uniformity costs time; a wrong version would be a wrong program. */
#ifndef VELLUM_TOOLS_LOOPS_H
#define VELLUM_TOOLS_LOOPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "sw/tools/cc_memory.h"

/* A map from LLVM's pointers (values, blocks) to numbers or pointers. All zero is an empty one. */
typedef struct {
    const void **keys;
    void **items;
    size_t room, n;
} loops_map_t;

void loops_put(loops_map_t *m, const void *key, void *item);
void *loops_get(const loops_map_t *m, const void *key); /* NULL: not in it */
void loops_forget(loops_map_t *m);

typedef struct {
    LLVMBasicBlockRef block;
    size_t *preds, npreds, *succs, nsuccs; /* block numbers; a double edge is in the list once */
    size_t idom;
    size_t loop; /* the innermost loop around it: its number + 1, or 0 */
} loops_block_t;

typedef struct {
    size_t header, latch; /* latch: the first, if there are several */
    size_t nlatches, nexits; /* nexits: edges that leave */
    bool *has; /* which blocks are in it */
    bool innermost, divergent_exit;
} loops_loop_t;

/* A function: its reachable blocks in reverse post-order, and its natural loops. */
typedef struct {
    LLVMValueRef function;
    loops_block_t *blocks;
    size_t nblocks;
    loops_loop_t *loops;
    size_t nloops;
    loops_map_t number; /* block -> number + 1 */
    loops_map_t divergent; /* value -> itself, when threads of a warp may differ in it */
} loops_function_t;

/* loops_cfg.c: blocks, dominators, loops. */
void loops_read(loops_function_t *f, LLVMValueRef function);
void loops_drop(loops_function_t *f);
bool loops_inside(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef v); /* an instruction of the loop */
LLVMBasicBlockRef loops_preheader(const loops_function_t *f, const loops_loop_t *l); /* NULL: none */
LLVMBasicBlockRef loops_exit(
    const loops_function_t *f,
    const loops_loop_t *l); /* the block to which its latch exits; NULL: none, or other edges lead there */

/* loops_uniform.c: fills `divergent` and `divergent_exit`. `entry`: the function is a kernel's entry, not a callee with arguments of any kind. */
void loops_find_divergent(loops_function_t *f, bool entry);
bool loops_is_uniform(const loops_function_t *f, LLVMValueRef v);

/* loops_count.c: how often a loop with one exit at its latch goes round. */
typedef struct {
    LLVMValueRef compare, moving, bound; /* the loop continues while `moving again bound` holds */
    LLVMIntPredicate again;
    LLVMValueRef start; /* `moving` comes from a header phi with this first value and step */
    LLVMValueRef phi;
    long long step;
    unsigned bits;
    bool behind; /* `moving` is the phi plus its step, not the phi */
    bool nuw, nsw; /* flags of the addition */
} loops_count_t;
bool loops_find_count(const loops_function_t *f, const loops_loop_t *l, loops_count_t *c);
long long loops_known_rounds(const loops_count_t *c); /* -1: not known */

/* loops_copy.c: the loop's blocks once more, before `before`; `map` gets block -> copy and value -> copy. `straight`: a round of an unrolled loop; its header phis are
 * in the map already, and its latch has no terminator yet. Otherwise the header's phis lack the values from outside. */
void loops_copy(const loops_function_t *f, const loops_loop_t *l, loops_map_t *map, LLVMBasicBlockRef before,
                bool straight);
LLVMValueRef loops_copied(const loops_map_t *map, LLVMValueRef v); /* the copy; v itself if it is no part of the loop */

/* loops_version.c: facts known before the loop. */
typedef struct {
    LLVMValueRef rounds; /* the trip count less one */
    size_t plain; /* indices that can no longer wrap */
    LLVMBasicBlockRef fast; /* the block from which the loop is entered: the preheader, or where the check leads */
    LLVMBasicBlockRef slow_latch; /* of the version that is left as it was, or NULL */
} loops_plan_t;
/* False: nothing was changed, the rounds cannot be worked out. */
bool loops_prepare(const loops_function_t *f, const loops_loop_t *l, const loops_count_t *c, loops_plan_t *plan);

/* loops_unroll.c: the loop by `factor` (a power of two), when it goes round `all` + 1 times. Its own blocks are gone then; returns the new latch's
 * terminator. */
LLVMValueRef loops_unroll(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef all, unsigned factor);

/* loops_narrow.c: sums of 32 bits where only those are used, and indices extended beside their addresses. */
void loops_narrow(LLVMValueRef function);
void loops_extend_late(LLVMValueRef function);

/* loops_entry.c: the beginning of a kernel's entry. */
void loops_tidy_entry(LLVMValueRef function);

#endif
