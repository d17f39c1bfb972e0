/* Which values are the same in all threads of a warp that execute the instruction together.
 *
 * Sources of difference: local ids and everything that depends on them, loads from an address that differs or from private memory, the result of an
 * atomic, unknown assembly, and the arguments of a function. They spread over operands, and by control: where two paths from a branch on a differing
 * condition meet, a phi differs, and the results of a loop differ behind it when threads leave it in different rounds.
 * Threads that do not execute a loop do not matter: behind `if (i < n)` it is still uniform for the threads that run it. */
#include "sw/tools/loops/loops.h"

#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

bool loops_is_uniform(const loops_function_t *f, LLVMValueRef v)
{
    return !loops_get(&f->divergent, v);
}

/* CSRs that a warp's threads share: group ids, the group's first global id, the launch block; and the launch block's fields. docs/isa.md has the numbers. */
static bool shared_assembly(LLVMValueRef callee)
{
    static const char *const shared[] = {"csrr $0, 0xcc4", "csrr $0, 0xcc5", "csrr $0, 0xcc6", "csrr $0, 0xcc8",
                                         "csrr $0, 0xcc9", "csrr $0, 0xcca", "csrr $0, 0xccc"};
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(callee, &n);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (n == strlen(shared[i]) && !memcmp(text, shared[i], n))
            return true;
    unsigned long offset;
    char word[64] = "", close[2] = "";
    if (n >= sizeof word)
        return false;
    memcpy(word, text, n);
    return sscanf(word, "l%*1[wd] $0, %lx($1%1[)]", &offset, close) == 2;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
    for (;;) {
        LLVMValueRef gep = LLVMIsAGetElementPtrInst(pointer), cast = LLVMIsACastInst(pointer);
        if (!gep && !cast)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

static bool operands_differ(const loops_function_t *f, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!loops_is_uniform(f, LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

static bool differs(const loops_function_t *f, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMInvoke:
    case LLVMVAArg: return true;
    case LLVMLoad: return operands_differ(f, i) || LLVMIsAAllocaInst(base_of(LLVMGetOperand(i, 0)));
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(i);
        if (LLVMIsAInlineAsm(callee) ? !shared_assembly(callee)
                                     : !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
            return true;
        return operands_differ(f, i);
    }
    default: return operands_differ(f, i);
    }
}

static bool mark(loops_function_t *f, LLVMValueRef v)
{
    if (!loops_is_uniform(f, v))
        return false;
    loops_put(&f->divergent, v, v);
    return true;
}

static bool mark_phis(loops_function_t *f, size_t block)
{
    bool any = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        any |= mark(f, i);
    return any;
}

/* Where two ways from the branch at the end of `from` meet. Each way carries the name of the block where it began; a block that sees two names is a
 * meeting, and its own name goes on. */
static bool meet(loops_function_t *f, size_t from)
{
    size_t *name = cc_alloc(f->nblocks * sizeof *name); /* + 1; 0: not reached */
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = 0; b < f->nblocks; b++) {
            size_t have = 0;
            for (size_t k = 0; k < f->blocks[b].npreds; k++) {
                size_t p = f->blocks[b].preds[k], comes = p == from ? b + 1 : name[p];
                if (!comes || (p == from && b == from))
                    continue;
                have = !have || have == comes ? comes : b + 1;
                if (have != comes)
                    any |= mark_phis(f, b);
            }
            if (b != from && have != name[b]) {
                name[b] = have;
                changed = true;
            }
        }
    }
    free(name);
    return any;
}

/* A branch on a differing condition: meetings, and values of the loops that it leaves, as they are seen outside. (Those pass a phi at the exit: LCSSA.) */
static bool branch_differs(loops_function_t *f, size_t b)
{
    bool any = meet(f, b);
    for (size_t i = 0; i < f->nloops; i++) {
        loops_loop_t *l = &f->loops[i];
        bool leaves = false;
        for (size_t k = 0; l->has[b] && k < f->blocks[b].nsuccs; k++)
            leaves = leaves || !l->has[f->blocks[b].succs[k]];
        if (!leaves)
            continue;
        any |= !l->divergent_exit;
        l->divergent_exit = true;
        for (size_t from = 0; from < f->nblocks; from++)
            for (size_t k = 0; l->has[from] && k < f->blocks[from].nsuccs; k++)
                if (!l->has[f->blocks[from].succs[k]])
                    any |= mark_phis(f, f->blocks[from].succs[k]);
    }
    return any;
}

void loops_find_divergent(loops_function_t *f, bool entry)
{
    if (!entry)
        for (LLVMValueRef p = LLVMGetFirstParam(f->function); p; p = LLVMGetNextParam(p))
            mark(f, p);
    bool *done = cc_alloc(f->nblocks * sizeof *done);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = 0; b < f->nblocks; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[b].block);
            for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b].block); i; i = LLVMGetNextInstruction(i))
                if (i != end && loops_is_uniform(f, i) && differs(f, i))
                    changed |= mark(f, i);
            if (!done[b] && f->blocks[b].nsuccs > 1 && operands_differ(f, end)) {
                done[b] = true;
                branch_differs(f, b);
                changed = true;
            }
        }
    }
    free(done);
}
