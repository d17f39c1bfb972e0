/* How often a loop goes round, when that can be worked out before it: one exit, at the latch, on a comparison of a counter with something that the loop does not change. */
#include "sw/tools/loops/loops.h"

#include <stdint.h>

static bool is_header_phi(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef v)
{
    return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == f->blocks[l->header].block;
}

/* v is `phi + constant` of a header phi, and the phi's next value. */
static bool counts(const loops_function_t *f, const loops_loop_t *l, LLVMValueRef v, loops_count_t *c)
{
    c->behind = !is_header_phi(f, l, v);
    LLVMValueRef phi = c->behind && LLVMIsABinaryOperator(v) ? LLVMGetOperand(v, 0) : v;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || !is_header_phi(f, l, phi)
        || LLVMCountIncoming(phi) != 2)
        return false;
    unsigned from_latch = LLVMGetIncomingBlock(phi, 1) == f->blocks[l->latch].block;
    LLVMValueRef next = LLVMGetIncomingValue(phi, from_latch);
    if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi
        || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) || (c->behind && next != v))
        return false;
    c->bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (c->bits > 64)
        return false;
    c->phi = phi;
    c->start = LLVMGetIncomingValue(phi, !from_latch);
    c->step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    c->nuw = LLVMGetNUW(next);
    c->nsw = LLVMGetNSW(next);
    c->moving = v;
    return c->step != 0 && c->step > INT32_MIN && c->step < INT32_MAX;
}

static LLVMIntPredicate inverse(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGE;
    default: return LLVMIntSGT;
    }
}

static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    default: return p;
    }
}

/* The comparisons that end: up to a bound with a positive step, down with a negative one, or until equal. */
static bool ends(const loops_count_t *c)
{
    switch (c->again) {
    case LLVMIntNE: return (c->step & -c->step) == c->step || (-c->step & c->step) == -c->step;
    case LLVMIntULT:
    case LLVMIntSLT: return c->step > 0;
    case LLVMIntUGT:
    case LLVMIntSGT: return c->step < 0;
    case LLVMIntULE:
    case LLVMIntSLE: return c->step > 0 && c->bits <= 32;
    case LLVMIntUGE:
    case LLVMIntSGE: return c->step < 0 && c->bits <= 32;
    default: return false;
    }
}

bool loops_find_count(const loops_function_t *f, const loops_loop_t *l, loops_count_t *c)
{
    *c = (loops_count_t){0};
    if (l->nlatches != 1 || l->nexits != 1)
        return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[l->latch].block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return false;
    c->compare = LLVMGetCondition(end);
    c->again = LLVMGetICmpPredicate(c->compare);
    if (LLVMGetSuccessor(end, 0) != f->blocks[l->header].block)
        c->again = inverse(c->again);
    LLVMValueRef a = LLVMGetOperand(c->compare, 0), b = LLVMGetOperand(c->compare, 1);
    if (!loops_inside(f, l, b) && counts(f, l, a, c)) {
        c->bound = b;
    } else if (!loops_inside(f, l, a) && counts(f, l, b, c)) {
        c->bound = a;
        c->again = swapped(c->again);
    } else {
        return false;
    }
    return ends(c);
}

long long loops_known_rounds(const loops_count_t *c)
{
    if (!LLVMIsAConstantInt(c->start) || !LLVMIsAConstantInt(c->bound) || c->bits > 32)
        return -1;
    bool is_signed = c->again >= LLVMIntSGT;
    uint64_t mask = (1ull << c->bits) - 1;
    uint64_t step = (uint64_t)c->step;
    uint64_t at = LLVMConstIntGetZExtValue(c->start), bound = LLVMConstIntGetZExtValue(c->bound);
    at += c->behind ? step : 0;
    for (long long n = 1; n <= 4096; n++, at += step) {
        int64_t x = (int64_t)(at & mask), y = (int64_t)bound;
        if (is_signed) {
            x = (int64_t)((uint64_t)x << (64 - c->bits)) >> (64 - c->bits);
            y = (int64_t)((uint64_t)y << (64 - c->bits)) >> (64 - c->bits);
        }
        bool again = c->again == LLVMIntNE                              ? x != y
                     : c->again == LLVMIntULT || c->again == LLVMIntSLT ? x < y
                     : c->again == LLVMIntUGT || c->again == LLVMIntSGT ? x > y
                     : c->again == LLVMIntULE || c->again == LLVMIntSLE ? x <= y
                                                                        : x >= y;
        if (!again)
            return n;
    }
    return -1;
}
