/* A copy of a loop's blocks. */
#include "sw/tools/loops/loops.h"

LLVMValueRef loops_copied(const loops_map_t *map, LLVMValueRef v)
{
    LLVMValueRef copy = loops_get(map, v);
    return copy ? copy : v;
}

/* Phis are built anew: the blocks of one cannot be exchanged. */
static LLVMValueRef copy_of(LLVMBuilderRef b, LLVMValueRef i)
{
    if (!LLVMIsAPHINode(i)) {
        LLVMValueRef copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(b, copy);
        return copy;
    }
    LLVMValueRef copy = LLVMBuildPhi(b, LLVMTypeOf(i), "");
    if (LLVMCanValueUseFastMathFlags(i))
        LLVMSetFastMathFlags(copy, LLVMGetFastMathFlags(i));
    return copy;
}

static void connect(const loops_map_t *map, LLVMValueRef i, LLVMValueRef copy)
{
    for (unsigned e = 0; LLVMIsAPHINode(i) && e < LLVMCountIncoming(i); e++) {
        LLVMBasicBlockRef from = loops_get(map, LLVMGetIncomingBlock(i, e));
        LLVMValueRef value = loops_copied(map, LLVMGetIncomingValue(i, e));
        if (from)
            LLVMAddIncoming(copy, &value, &from, 1);
    }
    for (int o = 0; !LLVMIsAPHINode(i) && o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)o), to;
        if (LLVMValueIsBasicBlock(operand)) {
            LLVMBasicBlockRef block = loops_get(map, LLVMValueAsBasicBlock(operand));
            to = block ? LLVMBasicBlockAsValue(block) : NULL;
        } else {
            to = loops_get(map, operand);
        }
        if (to)
            LLVMSetOperand(copy, (unsigned)o, to);
    }
}

void loops_copy(const loops_function_t *f, const loops_loop_t *l, loops_map_t *map, LLVMBasicBlockRef before,
                bool straight)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f->function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef end = straight ? LLVMGetBasicBlockTerminator(f->blocks[l->latch].block) : NULL;
    for (size_t k = 0; k < f->nblocks; k++)
        if (l->has[k])
            loops_put(map, f->blocks[k].block, LLVMInsertBasicBlockInContext(context, before, ""));
    /* the map distinguishes the original from its copies: header phis of a straight copy are in it already */
    for (size_t k = 0; k < f->nblocks; k++) {
        if (!l->has[k])
            continue;
        LLVMPositionBuilderAtEnd(b, loops_get(map, f->blocks[k].block));
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[k].block); i; i = LLVMGetNextInstruction(i))
            if (i != end && !(straight && k == l->header && LLVMIsAPHINode(i)))
                loops_put(map, i, copy_of(b, i));
    }
    for (size_t k = 0; k < f->nblocks; k++)
        for (LLVMValueRef i = l->has[k] ? LLVMGetFirstInstruction(f->blocks[k].block) : NULL; i;
             i = LLVMGetNextInstruction(i))
            if (i != end && !(straight && k == l->header && LLVMIsAPHINode(i)))
                connect(map, i, loops_get(map, i));
    LLVMDisposeBuilder(b);
}
