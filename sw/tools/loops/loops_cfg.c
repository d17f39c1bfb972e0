/* Blocks, dominators and natural loops of a function: LLVM's C API gives none of its analyses away. */
#include "sw/tools/loops/loops.h"

#include <stdint.h>
#include <stdlib.h>

static size_t number_of(const loops_function_t *f, LLVMBasicBlockRef b)
{
    return (size_t)(uintptr_t)loops_get(&f->number, b) - 1;
}

static void add_edge(size_t *list, size_t *n, size_t to)
{
    for (size_t i = 0; i < *n; i++)
        if (list[i] == to)
            return;
    list[(*n)++] = to;
}

/* Blocks in reverse post-order, by a depth-first walk with a stack of its own. */
static void order(loops_function_t *f)
{
    size_t n = LLVMCountBasicBlocks(f->function), depth = 0, done = 0;
    LLVMBasicBlockRef *stack = cc_alloc(n * sizeof *stack), *post = cc_alloc(n * sizeof *post);
    unsigned *next = cc_alloc(n * sizeof *next);
    loops_map_t seen = {0};
    stack[depth++] = LLVMGetEntryBasicBlock(f->function);
    loops_put(&seen, stack[0], stack[0]);
    while (depth) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1]);
        if (next[depth - 1] == LLVMGetNumSuccessors(end)) {
            post[done++] = stack[--depth];
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, next[depth - 1]++);
        if (loops_get(&seen, to))
            continue;
        loops_put(&seen, to, to);
        next[depth] = 0;
        stack[depth++] = to;
    }
    f->nblocks = done;
    f->blocks = cc_alloc(done * sizeof *f->blocks);
    for (size_t i = 0; i < done; i++) {
        f->blocks[i].block = post[done - 1 - i];
        loops_put(&f->number, post[done - 1 - i], (void *)(uintptr_t)(i + 1));
    }
    loops_forget(&seen);
    free(stack);
    free(post);
    free(next);
}

static void connect(loops_function_t *f)
{
    for (size_t i = 0; i < f->nblocks; i++) {
        f->blocks[i].preds = cc_alloc(f->nblocks * sizeof(size_t));
        f->blocks[i].succs = cc_alloc(f->nblocks * sizeof(size_t));
    }
    for (size_t i = 0; i < f->nblocks; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[i].block);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            size_t to = number_of(f, LLVMGetSuccessor(end, s));
            add_edge(f->blocks[i].succs, &f->blocks[i].nsuccs, to);
            add_edge(f->blocks[to].preds, &f->blocks[to].npreds, i);
        }
    }
}

/* Immediate dominators by iteration over the reverse post-order. The entry is its own. */
static void dominate(loops_function_t *f)
{
    for (size_t i = 1; i < f->nblocks; i++)
        f->blocks[i].idom = SIZE_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < f->nblocks; i++) {
            size_t dom = SIZE_MAX;
            for (size_t k = 0; k < f->blocks[i].npreds; k++) {
                size_t p = f->blocks[i].preds[k];
                if (f->blocks[p].idom == SIZE_MAX)
                    continue;
                while (dom != SIZE_MAX && p != dom)
                    if (p > dom)
                        p = f->blocks[p].idom;
                    else
                        dom = f->blocks[dom].idom;
                dom = p;
            }
            changed = changed || f->blocks[i].idom != dom;
            f->blocks[i].idom = dom;
        }
    }
}

static bool dominates(const loops_function_t *f, size_t a, size_t b)
{
    while (b > a)
        b = f->blocks[b].idom;
    return a == b;
}

/* Into the loop goes what reaches a latch without the header. */
static void fill(const loops_function_t *f, loops_loop_t *l, size_t block)
{
    if (l->has[block])
        return;
    l->has[block] = true;
    for (size_t k = 0; k < f->blocks[block].npreds; k++)
        fill(f, l, f->blocks[block].preds[k]);
}

static void find_loops(loops_function_t *f)
{
    f->loops = cc_alloc(f->nblocks * sizeof *f->loops);
    for (size_t i = 0; i < f->nblocks; i++) {
        loops_loop_t l = {.header = i, .innermost = true};
        for (size_t k = 0; k < f->blocks[i].npreds; k++) {
            size_t p = f->blocks[i].preds[k];
            if (!dominates(f, i, p))
                continue;
            if (!l.nlatches++) {
                l.latch = p;
                l.has = cc_alloc(f->nblocks * sizeof *l.has);
                l.has[i] = true;
            }
            fill(f, &l, p);
        }
        if (l.nlatches)
            f->loops[f->nloops++] = l;
    }
    /* headers come in order, so a loop's number is larger than that of the loops around it */
    for (size_t i = 0; i < f->nloops; i++) {
        loops_loop_t *l = &f->loops[i];
        for (size_t b = 0; b < f->nblocks; b++) {
            if (!l->has[b])
                continue;
            if (f->blocks[b].loop)
                f->loops[f->blocks[b].loop - 1].innermost = false;
            f->blocks[b].loop = i + 1;
            for (size_t k = 0; k < f->blocks[b].nsuccs; k++)
                l->nexits += !l->has[f->blocks[b].succs[k]];
        }
    }
}

void loops_read(loops_function_t *f, LLVMValueRef function)
{
    *f = (loops_function_t){.function = function};
    order(f);
    connect(f);
    dominate(f);
    find_loops(f);
}

void loops_drop(loops_function_t *f)
{
    for (size_t i = 0; i < f->nloops; i++)
        free(f->loops[i].has);
    for (size_t i = 0; i < f->nblocks; i++) {
        free(f->blocks[i].preds);
        free(f->blocks[i].succs);
    }
    free(f->loops);
    free(f->blocks);
    loops_forget(&f->number);
    loops_forget(&f->divergent);
}

bool loops_inside(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v))
        return false;
    size_t n = number_of(f, LLVMGetInstructionParent(v));
    return n < f->nblocks && l->has[n];
}

LLVMBasicBlockRef loops_preheader(const loops_function_t *f, const loops_loop_t *l)
{
    const loops_block_t *h = &f->blocks[l->header];
    if (l->nlatches != 1 || h->npreds != 2)
        return NULL;
    const loops_block_t *p = &f->blocks[h->preds[h->preds[0] == l->latch]];
    return p->nsuccs == 1 ? p->block : NULL;
}

LLVMBasicBlockRef loops_exit(const loops_function_t *f, const loops_loop_t *l)
{
    const loops_block_t *latch = &f->blocks[l->latch];
    for (size_t k = 0; k < latch->nsuccs; k++) {
        const loops_block_t *to = &f->blocks[latch->succs[k]];
        if (!l->has[latch->succs[k]])
            return to->npreds == 1 ? to->block : NULL;
    }
    return NULL;
}
