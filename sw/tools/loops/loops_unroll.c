/* Unrolling by a power of two, for a number of rounds that is known before the loop but not when compiling. For a factor of 8, with T rounds to go:
 *
 *     if (T & 1) one round
 *     if (T & 2) two rounds
 *     if (T & 4) four rounds
 *     if (T >= 8) do eight rounds while (the loop's own condition)
 *
 * All threads of a warp have the same T, so no branch diverges, and a loop of few rounds costs three tests instead of a remainder loop.
 * The rest comes first: then the loop's own condition ends it, and T may even be 2^64 (T is the rounds + 1 modulo 2^64, its low bits are right). */
#include "sw/tools/loops/loops.h"

#include <stdlib.h>

/* Values that go from round to round: the header's phis, and the values of a round in the exit's phis. */
typedef struct {
    LLVMValueRef phi, from; /* a header phi and its next value; or, without phi, a value that is used behind the loop */
    LLVMValueRef now;
} carried_t;

typedef struct {
    const loops_function_t *f;
    const loops_loop_t *l;
    LLVMContextRef context;
    LLVMBuilderRef build;
    LLVMBasicBlockRef exit;
    carried_t *carried;
    size_t n;
} unroll_t;

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned e = 0; e < LLVMCountIncoming(phi); e++)
        if (LLVMGetIncomingBlock(phi, e) == from)
            return LLVMGetIncomingValue(phi, e);
    return NULL;
}

static void find_carried(unroll_t *u, LLVMBasicBlockRef preheader)
{
    LLVMBasicBlockRef header = u->f->blocks[u->l->header].block, latch = u->f->blocks[u->l->latch].block;
    size_t room = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        room++;
    for (LLVMValueRef i = LLVMGetFirstInstruction(u->exit); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        room++;
    u->carried = cc_alloc(room * sizeof *u->carried);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        u->carried[u->n++] = (carried_t){i, incoming(i, latch), incoming(i, preheader)};
    for (LLVMValueRef i = LLVMGetFirstInstruction(u->exit); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        u->carried[u->n++] = (carried_t){NULL, incoming(i, latch), LLVMGetPoison(LLVMTypeOf(i))};
}

static LLVMBasicBlockRef new_block(const unroll_t *u, const char *name)
{
    return LLVMInsertBasicBlockInContext(u->context, u->exit, name);
}

/* `count` rounds one behind the other, entered from where the builder stands; afterwards it stands at their end. The last round's copies stay in *last. */
static void rounds(unroll_t *u, unsigned count, loops_map_t *last)
{
    for (unsigned k = 0; k < count; k++) {
        loops_map_t map = {0};
        for (size_t i = 0; i < u->n; i++)
            if (u->carried[i].phi)
                loops_put(&map, u->carried[i].phi, u->carried[i].now);
        loops_copy(u->f, u->l, &map, u->exit, true);
        LLVMBuildBr(u->build, loops_get(&map, u->f->blocks[u->l->header].block));
        LLVMPositionBuilderAtEnd(u->build, loops_get(&map, u->f->blocks[u->l->latch].block));
        for (size_t i = 0; i < u->n; i++)
            u->carried[i].now = loops_copied(&map, u->carried[i].from);
        loops_forget(last);
        *last = map;
    }
}

/* if (T & count) count rounds */
static void rest(unroll_t *u, LLVMValueRef t, unsigned count)
{
    LLVMTypeRef wide = LLVMTypeOf(t);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(u->build), some = new_block(u, "rest"), behind = new_block(u, "behind");
    LLVMValueRef bit = LLVMBuildAnd(u->build, t, LLVMConstInt(wide, count, false), "");
    LLVMBuildCondBr(u->build, LLVMBuildICmp(u->build, LLVMIntNE, bit, LLVMConstInt(wide, 0, false), ""), some, behind);
    LLVMValueRef *before = cc_alloc(u->n * sizeof *before);
    for (size_t i = 0; i < u->n; i++)
        before[i] = u->carried[i].now;
    LLVMPositionBuilderAtEnd(u->build, some);
    loops_map_t last = {0};
    rounds(u, count, &last);
    loops_forget(&last);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(u->build);
    LLVMBuildBr(u->build, behind);
    LLVMMoveBasicBlockBefore(behind, u->exit);
    LLVMPositionBuilderAtEnd(u->build, behind);
    for (size_t i = 0; i < u->n; i++) {
        LLVMValueRef phi = LLVMBuildPhi(u->build, LLVMTypeOf(before[i]), "");
        LLVMAddIncoming(phi, &before[i], &from, 1);
        LLVMAddIncoming(phi, &u->carried[i].now, &end, 1);
        u->carried[i].now = phi;
    }
    free(before);
}

/* The loop's own blocks: nothing reaches them any more, but they use each other. */
static void delete_blocks(const unroll_t *u)
{
    for (size_t k = 0; k < u->f->nblocks; k++)
        for (LLVMValueRef i = u->l->has[k] ? LLVMGetFirstInstruction(u->f->blocks[k].block) : NULL; i;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    for (size_t k = 0; k < u->f->nblocks; k++)
        if (u->l->has[k])
            LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(u->f->blocks[k].block));
    for (size_t k = 0; k < u->f->nblocks; k++)
        if (u->l->has[k])
            LLVMDeleteBasicBlock(u->f->blocks[k].block);
}

/* The exit's phis without the old latch, with the two ways that lead there now. */
static void rebuild_exit(const unroll_t *u, LLVMBasicBlockRef old, LLVMBasicBlockRef around,
                         const LLVMValueRef *skipped, LLVMBasicBlockRef latch)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    size_t n = 0;
    while (u->carried[n].phi && n < u->n)
        n++;
    LLVMValueRef phi = LLVMGetFirstInstruction(u->exit), next;
    for (size_t i = n; i < u->n; i++, phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMPositionBuilderBefore(b, phi);
        LLVMValueRef fresh = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
        if (LLVMCanValueUseFastMathFlags(phi))
            LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(phi));
        for (unsigned e = 0; e < LLVMCountIncoming(phi); e++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, e);
            LLVMValueRef value = LLVMGetIncomingValue(phi, e);
            if (from != old)
                LLVMAddIncoming(fresh, &value, &from, 1);
        }
        LLVMValueRef value = skipped[i];
        LLVMAddIncoming(fresh, &value, &around, 1);
        value = u->carried[i].now;
        LLVMAddIncoming(fresh, &value, &latch, 1);
        LLVMReplaceAllUsesWith(phi, fresh);
        LLVMInstructionEraseFromParent(phi);
    }
    LLVMDisposeBuilder(b);
}

LLVMValueRef loops_unroll(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef all, unsigned factor)
{
    LLVMBasicBlockRef header = f->blocks[l->header].block, latch = f->blocks[l->latch].block;
    unroll_t u = {.f = f, .l = l, .context = LLVMGetTypeContext(LLVMTypeOf(all)), .exit = loops_exit(f, l)};
    LLVMTypeRef wide = LLVMTypeOf(all);
    u.build = LLVMCreateBuilderInContext(u.context);
    find_carried(&u, loops_preheader(f, l));
    LLVMBasicBlockRef preheader = loops_preheader(f, l);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(preheader));
    LLVMPositionBuilderAtEnd(u.build, preheader);
    LLVMValueRef t = LLVMBuildAdd(u.build, all, LLVMConstInt(wide, 1, false), "");
    for (unsigned count = 1; count < factor; count *= 2)
        rest(&u, t, count);

    /* the loop of whole rounds */
    LLVMBasicBlockRef around = LLVMGetInsertBlock(u.build), enter = new_block(&u, "enter"),
                      top = new_block(&u, "rounds");
    LLVMValueRef many = LLVMBuildICmp(u.build, LLVMIntUGE, all, LLVMConstInt(wide, factor - 1, false), "");
    LLVMBuildCondBr(u.build, many, enter, u.exit);
    LLVMPositionBuilderAtEnd(u.build, enter);
    LLVMBuildBr(u.build, top);
    LLVMPositionBuilderAtEnd(u.build, top);
    LLVMValueRef *skipped = cc_alloc(u.n * sizeof *skipped), *phis = cc_alloc(u.n * sizeof *phis);
    for (size_t i = 0; i < u.n; i++) {
        skipped[i] = u.carried[i].now;
        if (!u.carried[i].phi)
            continue;
        phis[i] = LLVMBuildPhi(u.build, LLVMTypeOf(u.carried[i].now), "");
        LLVMAddIncoming(phis[i], &u.carried[i].now, &enter, 1);
        u.carried[i].now = phis[i];
    }
    loops_map_t last = {0};
    rounds(&u, factor, &last);
    LLVMBasicBlockRef bottom = LLVMGetInsertBlock(u.build);
    for (size_t i = 0; i < u.n; i++)
        if (phis[i])
            LLVMAddIncoming(phis[i], &u.carried[i].now, &bottom, 1);
    LLVMValueRef old = LLVMGetBasicBlockTerminator(latch), again = LLVMInstructionClone(old);
    LLVMInsertIntoBuilder(u.build, again);
    LLVMSetCondition(again, loops_copied(&last, LLVMGetCondition(old)));
    LLVMSetSuccessor(again, LLVMGetSuccessor(old, 0) != header, top);
    rebuild_exit(&u, latch, around, skipped, bottom);
    loops_forget(&last);
    delete_blocks(&u);
    LLVMDisposeBuilder(u.build);
    free(skipped);
    free(phis);
    free(u.carried);
    return again;
}
