/* The first instructions of a kernel, for a warp that waits for them alone: the launch block's address is read once, and arguments are loaded before
 * the first branch, one behind the other, not each where it is needed first. The block is always there, and nothing writes it. */
#include "sw/tools/loops/loops.h"

#include <stdlib.h>
#include <string.h>

enum { EARLY = 8 }; /* arguments that are loaded early, at most: each takes a register from there on */

static bool reads_block(LLVMValueRef i)
{
    size_t n;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAInlineAsm(callee) && !strcmp(LLVMGetInlineAsmAsmString(callee, &n), "csrr $0, 0xccc");
}

/* An address in the launch block: made of the block's address and constants. */
static bool in_block(LLVMValueRef v, LLVMValueRef block)
{
    while (v != block) {
        if (LLVMIsAGetElementPtrInst(v)) {
            if (LLVMGetNumOperands(v) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
                return false;
        } else if (LLVMIsABinaryOperator(v)) {
            if (LLVMGetInstructionOpcode(v) != LLVMAdd || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
                return false;
        } else if (!LLVMIsAIntToPtrInst(v)) {
            return false;
        }
        v = LLVMGetOperand(v, 0);
    }
    return true;
}

/* Moves v and its operands to the builder's place. */
static void move(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef block, LLVMBasicBlockRef entry)
{
    if (v == block || (LLVMGetInstructionParent(v) == entry && !LLVMIsALoadInst(v)))
        return;
    move(b, LLVMGetOperand(v, 0), block, entry);
    LLVMInstructionRemoveFromParent(v);
    LLVMInsertIntoBuilder(b, v);
}

void loops_tidy_entry(LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef block = NULL, early[EARLY];
    size_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && !block; i = LLVMGetNextInstruction(i))
        block = reads_block(i) ? i : NULL;
    if (!block)
        return;
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (i != block && reads_block(i)) {
                LLVMReplaceAllUsesWith(i, block);
                LLVMInstructionEraseFromParent(i);
            }
        }
    for (LLVMBasicBlockRef b = LLVMGetNextBasicBlock(entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && !LLVMGetVolatile(i) && n < EARLY && in_block(LLVMGetOperand(i, 0), block))
                early[n++] = i;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
    LLVMValueRef place = LLVMGetBasicBlockTerminator(entry);
    LLVMPositionBuilderBefore(b, place);
    for (size_t i = 0; i < n; i++)
        move(b, early[i], block, entry);
    LLVMDisposeBuilder(b);
}
