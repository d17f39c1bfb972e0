/* Values of 64 bits of which only the lower 32 are used, some as a number of 32 bits and some as an index. clang makes such of `uint i = get_global_id(0)`
 * and of `i += get_global_size(0)`: the number is compared (addw), the index is extended from the sum of 64 bits (add, sh2add.uw), so the sum is there
 * twice. With 32 bits it is one addw for both. An index of 32 bits is then extended where it is used, which costs nothing in the address (sh2add.uw). */
#include "sw/tools/loops/loops.h"

#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    LLVMValueRef wide, narrow;
    size_t group; /* the number of another value of the same group, or its own (union-find) */
    bool out, number, index; /* for the head of a group: used in other ways; as a number; as an index */
} value_t;

typedef struct {
    LLVMTypeRef int32, int64;
    value_t *values;
    size_t n;
    loops_map_t place; /* wide -> number + 1 */
} narrow_t;

static const unsigned long long LOW = 0xffffffff;

/* Its lower bits are made of its operands' lower bits alone. */
static bool works_in_lower_bits(LLVMValueRef v)
{
    if (LLVMIsAPHINode(v))
        return true;
    if (!LLVMIsABinaryOperator(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return true;
    default: return false;
    }
}

static bool keeps_lower_bits(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd
           && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == LOW;
}

static bool is_number(LLVMValueRef user)
{
    return LLVMIsATruncInst(user) && LLVMGetIntTypeWidth(LLVMTypeOf(user)) == 32;
}

static value_t *find(narrow_t *s, LLVMValueRef v)
{
    size_t k = (size_t)(uintptr_t)loops_get(&s->place, v);
    return k ? &s->values[k - 1] : NULL;
}

static value_t *head(narrow_t *s, value_t *v)
{
    while (v->group != (size_t)(v - s->values))
        v = &s->values[v->group];
    return v;
}

static void join(narrow_t *s, value_t *v, value_t *w)
{
    v = head(s, v);
    w = head(s, w);
    if (v == w)
        return;
    w->group = (size_t)(v - s->values);
    v->out |= w->out;
    v->number |= w->number;
    v->index |= w->index;
}

static void collect(narrow_t *s, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMTypeOf(i) == s->int64 && works_in_lower_bits(i)) {
                s->values = cc_grow(s->values, s->n, sizeof *s->values);
                s->values[s->n] = (value_t){.wide = i, .group = s->n};
                loops_put(&s->place, i, (void *)(uintptr_t)++s->n);
            }
    for (size_t k = 0; k < s->n; k++)
        for (LLVMUseRef u = LLVMGetFirstUse(s->values[k].wide); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            value_t *h = head(s, &s->values[k]), *other = find(s, user);
            if (other)
                join(s, h, other);
            else if (is_number(user))
                h->number = true;
            else if (keeps_lower_bits(user))
                h->index = true;
            else
                h->out = true;
        }
    /* A mask between two of them is dropped: its users see the lower bits. */
    for (size_t k = 0; k < s->n; k++)
        for (int o = 0; o < LLVMGetNumOperands(s->values[k].wide); o++) {
            LLVMValueRef v = LLVMGetOperand(s->values[k].wide, (unsigned)o);
            value_t *before = keeps_lower_bits(v) ? find(s, LLVMGetOperand(v, 0)) : NULL;
            if (before)
                join(s, &s->values[k], before);
        }
}

static bool chosen(narrow_t *s, value_t *v)
{
    const value_t *h = head(s, v);
    return h->number && !h->out;
}

static void make(narrow_t *s, LLVMBuilderRef b, value_t *v);

/* A value in 32 bits, made before `user` if it is not ours. */
static LLVMValueRef lower(narrow_t *s, LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef user)
{
    value_t *known = find(s, keeps_lower_bits(v) ? LLVMGetOperand(v, 0) : v);
    if (known && chosen(s, known)) {
        make(s, b, known);
        return known->narrow;
    }
    if (LLVMIsAZExtInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == s->int32)
        return LLVMGetOperand(v, 0);
    LLVMPositionBuilderBefore(b, user);
    return LLVMBuildTrunc(b, v, s->int32, "");
}

/* Operands come first. A phi, which may close a circle, is empty until all are there. */
static void make(narrow_t *s, LLVMBuilderRef b, value_t *v)
{
    if (v->narrow)
        return;
    if (LLVMIsAPHINode(v->wide)) {
        LLVMPositionBuilderBefore(b, v->wide);
        v->narrow = LLVMBuildPhi(b, s->int32, "");
        return;
    }
    LLVMValueRef first = lower(s, b, LLVMGetOperand(v->wide, 0), v->wide),
                 second = lower(s, b, LLVMGetOperand(v->wide, 1), v->wide);
    LLVMPositionBuilderBefore(b, v->wide);
    v->narrow = LLVMBuildBinOp(b, LLVMGetInstructionOpcode(v->wide), first, second, "");
}

static void connect(narrow_t *s, LLVMBuilderRef b, const value_t *v)
{
    unsigned n = LLVMCountIncoming(v->wide);
    for (unsigned k = 0; k < n; k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v->wide, k);
        LLVMValueRef value = NULL;
        /* a block with two edges to here brings the same value */
        for (unsigned before = 0; before < k && !value; before++)
            if (LLVMGetIncomingBlock(v->narrow, before) == from)
                value = LLVMGetIncomingValue(v->narrow, before);
        if (!value)
            value = lower(s, b, LLVMGetIncomingValue(v->wide, k), LLVMGetBasicBlockTerminator(from));
        LLVMAddIncoming(v->narrow, &value, &from, 1);
    }
}

/* All users of the lower bits use the value of 32 bits. */
static void replace(narrow_t *s, LLVMBuilderRef b, const value_t *v)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v->wide), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (find(s, user))
            continue;
        LLVMValueRef is = v->narrow;
        if (keeps_lower_bits(user)) {
            LLVMPositionBuilderBefore(b, user);
            is = LLVMBuildZExt(b, is, s->int64, "");
        } else if (!is_number(user)) {
            continue;
        }
        LLVMReplaceAllUsesWith(user, is);
        LLVMInstructionEraseFromParent(user);
    }
}

void loops_narrow(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    narrow_t s = {.int32 = LLVMInt32TypeInContext(context), .int64 = LLVMInt64TypeInContext(context)};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    collect(&s, function);
    for (size_t k = 0; k < s.n; k++)
        if (chosen(&s, &s.values[k]))
            make(&s, b, &s.values[k]);
    for (size_t k = 0; k < s.n; k++)
        if (s.values[k].narrow && LLVMIsAPHINode(s.values[k].wide))
            connect(&s, b, &s.values[k]);
    for (size_t k = 0; k < s.n; k++)
        if (s.values[k].narrow)
            replace(&s, b, &s.values[k]);
    for (size_t k = 0; k < s.n; k++)
        if (s.values[k].narrow)
            LLVMReplaceAllUsesWith(s.values[k].wide, LLVMGetUndef(s.int64));
    for (size_t k = 0; k < s.n; k++)
        if (s.values[k].narrow)
            LLVMInstructionEraseFromParent(s.values[k].wide);
    LLVMDisposeBuilder(b);
    loops_forget(&s.place);
    free(s.values);
}

/* Sizes of elements that an address takes as a shift of its index (add.uw, sh1add.uw to sh3add.uw). */
static bool shifts(LLVMTargetDataRef layout, LLVMValueRef user, LLVMValueRef index)
{
    if (!LLVMIsAGetElementPtrInst(user) || LLVMGetNumOperands(user) != 2 || LLVMGetOperand(user, 1) != index)
        return false;
    unsigned long long size = LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(user));
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* A copy in each block that uses it. */
static void spread(LLVMBuilderRef b, LLVMValueRef index)
{
    loops_map_t copies = {0};
    LLVMBasicBlockRef home = LLVMGetInstructionParent(index);
    for (LLVMUseRef u = LLVMGetFirstUse(index), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
        next = LLVMGetNextUse(u);
        if (block == home)
            continue;
        LLVMValueRef copy = loops_get(&copies, block);
        if (!copy) {
            LLVMValueRef i = LLVMGetFirstInstruction(block);
            while (LLVMIsAPHINode(i))
                i = LLVMGetNextInstruction(i);
            copy = LLVMInstructionClone(index);
            LLVMPositionBuilderBefore(b, i);
            LLVMInsertIntoBuilder(b, copy);
            loops_put(&copies, block, copy);
        }
        LLVMSetOperand(user, 1, copy);
    }
    loops_forget(&copies);
}

void loops_extend_late(LLVMValueRef function)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMTypeRef int32 = LLVMInt32TypeInContext(context), int64 = LLVMInt64TypeInContext(context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMTypeOf(i) != int64
                || !(keeps_lower_bits(i) || (LLVMIsAZExtInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == int32)))
                continue;
            bool all = LLVMGetFirstUse(i);
            for (LLVMUseRef u = LLVMGetFirstUse(i); u && all; u = LLVMGetNextUse(u))
                all = shifts(layout, LLVMGetUser(u), i);
            if (!all)
                continue;
            spread(b, i);
            if (!LLVMGetFirstUse(i))
                LLVMInstructionEraseFromParent(i);
        }
    LLVMDisposeBuilder(b);
}
