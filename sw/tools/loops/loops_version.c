/* Computed before a loop: its number of rounds; and two versions of a loop with 32-bit indices that might wrap.
 *
 * `uint i` in `p[i * n + j]` is extended to 64 bits, and the sum in 32 bits may have wrapped: so each address is computed anew, where an index
 * that cannot wrap is a pointer that moves. An index is base + k * coefficient in round k. Before the loop both ends are computed in 64 bits: when both fit
 * 32 bits, so does all between, as the sequence is monotonic. Then the loop runs with 64-bit indices, otherwise as it was.
 *
 *     rounds  r = trip count - 1                     below 2^32, or the loop as it was
 *     index   zext(E): E = base + k * c (mod 2^32)   base zero-extended, c sign-extended
 *     check   base + r * c in 0 .. 2^32 - 1          |r * c| < 2^63: this sum cannot wrap
 *
 * A value that is poison outside must not decide about another index, so each end is frozen. The threads of a warp may take different sides:
 * both are right. */
#include "sw/tools/loops/loops.h"

#include <stdint.h>
#include <stdlib.h>

enum { DEPTH = 12, INDICES = 16 };

typedef struct {
    const loops_function_t *f;
    const loops_loop_t *l;
    LLVMBuilderRef build;
    LLVMTypeRef wide;
} version_t;

static LLVMValueRef from_latch(const version_t *v, LLVMValueRef phi, bool latch)
{
    unsigned one = LLVMGetIncomingBlock(phi, 1) == v->f->blocks[v->l->latch].block;
    return LLVMGetIncomingValue(phi, latch ? one : !one);
}

/* The step of a header phi: phi + invariant, or NULL. */
static LLVMValueRef step_of(const version_t *v, LLVMValueRef phi)
{
    if (LLVMGetInstructionParent(phi) != v->f->blocks[v->l->header].block || LLVMCountIncoming(phi) != 2)
        return NULL;
    LLVMValueRef next = from_latch(v, phi, true);
    if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(next, 0), b = LLVMGetOperand(next, 1);
    return a == phi && !loops_inside(v->f, v->l, b) ? b : b == phi && !loops_inside(v->f, v->l, a) ? a : NULL;
}

/* Whether x is base + k * coefficient, modulo its width. */
static bool affine(const version_t *v, LLVMValueRef x, int depth)
{
    if (!loops_inside(v->f, v->l, x))
        return true;
    if (!depth)
        return false;
    if (LLVMIsAPHINode(x))
        return step_of(v, x) != NULL;
    LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetNumOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMOr:
        if (!LLVMGetIsDisjoint(x))
            return false;
        return affine(v, a, depth - 1) && affine(v, b, depth - 1);
    case LLVMAdd:
    case LLVMSub: return affine(v, a, depth - 1) && affine(v, b, depth - 1);
    case LLVMMul:
        return (!loops_inside(v->f, v->l, a) && affine(v, b, depth - 1))
               || (!loops_inside(v->f, v->l, b) && affine(v, a, depth - 1));
    case LLVMShl: return LLVMIsAConstantInt(b) && affine(v, a, depth - 1);
    case LLVMTrunc: return affine(v, a, depth - 1);
    default: return false;
    }
}

/* x in round 0; or, with `step`, its increment a round (NULL: none). Without flags: poison there is any value here. */
static LLVMValueRef part(version_t *v, LLVMValueRef x, bool step)
{
    if (!loops_inside(v->f, v->l, x))
        return step ? NULL : x;
    if (LLVMIsAPHINode(x))
        return step ? step_of(v, x) : from_latch(v, x, false);
    LLVMBuilderRef b = v->build;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    LLVMValueRef l = LLVMGetOperand(x, 0), r = LLVMGetNumOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
    if (op == LLVMTrunc || op == LLVMShl) {
        LLVMValueRef a = part(v, l, step);
        return !a ? NULL : op == LLVMTrunc ? LLVMBuildTrunc(b, a, LLVMTypeOf(x), "") : LLVMBuildShl(b, a, r, "");
    }
    if (op == LLVMMul && step) {
        bool left = loops_inside(v->f, v->l, l);
        LLVMValueRef a = part(v, left ? l : r, true);
        return a ? LLVMBuildMul(b, a, left ? r : l, "") : NULL;
    }
    LLVMValueRef a = part(v, l, step), c = part(v, r, step);
    if (!c)
        return a;
    if (!a)
        return op == LLVMSub ? LLVMBuildNeg(b, c, "") : c;
    return op == LLVMMul   ? LLVMBuildMul(b, a, c, "")
           : op == LLVMSub ? LLVMBuildSub(b, a, c, "")
                           : LLVMBuildAdd(b, a, c, "");
}

/* The constant that an index adds, and the other operand: `i - 1`, `i` and `i + 1` then share a pointer. */
static LLVMValueRef without_constant(LLVMValueRef x, long long *constant)
{
    *constant = 0;
    while (
        LLVMIsAInstruction(x)
        && (LLVMGetInstructionOpcode(x) == LLVMAdd || (LLVMGetInstructionOpcode(x) == LLVMOr && LLVMGetIsDisjoint(x)))
        && LLVMIsAConstantInt(LLVMGetOperand(x, 1))) {
        *constant += LLVMConstIntGetSExtValue(LLVMGetOperand(x, 1));
        x = LLVMGetOperand(x, 0);
    }
    *constant = (int32_t)(uint32_t)*constant;
    return x;
}

static LLVMValueRef number(const version_t *v, long long n)
{
    return LLVMConstInt(v->wide, (unsigned long long)n, true);
}

static LLVMValueRef widened(const version_t *v, LLVMValueRef x, bool is_signed)
{
    if (LLVMTypeOf(x) == v->wide)
        return x;
    return is_signed ? LLVMBuildSExt(v->build, x, v->wide, "") : LLVMBuildZExt(v->build, x, v->wide, "");
}

static void both(const version_t *v, LLVMValueRef *ok, LLVMValueRef condition)
{
    *ok = *ok ? LLVMBuildAnd(v->build, *ok, condition, "") : condition;
}

/* The trip count less one, in 64 bits. *ok gets the condition under which it is right: that the counter does not wrap on the way. NULL: not known for this counter. */
static LLVMValueRef rounds(version_t *v, const loops_count_t *c, LLVMValueRef *ok)
{
    LLVMBuilderRef b = v->build;
    long long step = c->step < 0 ? -c->step : c->step;
    LLVMTypeRef narrow = LLVMTypeOf(c->start);
    LLVMValueRef first = c->start;
    if (c->behind)
        first = LLVMBuildAdd(b, first, LLVMConstInt(narrow, (unsigned long long)c->step, true), "");
    first = LLVMBuildFreeze(b, first, "");
    LLVMValueRef bound = LLVMBuildFreeze(b, c->bound, "");
    if (c->again == LLVMIntNE) { /* modulo the width: exact, when the step divides the way */
        LLVMValueRef way = c->step > 0 ? LLVMBuildSub(b, bound, first, "") : LLVMBuildSub(b, first, bound, "");
        way = widened(v, way, false);
        if (step == 1)
            return way;
        both(v, ok, LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, way, number(v, step - 1), ""), number(v, 0), ""));
        return LLVMBuildUDiv(b, way, number(v, step), "");
    }
    bool is_signed = c->again >= LLVMIntSGT;
    bool or_equal =
        c->again == LLVMIntULE || c->again == LLVMIntUGE || c->again == LLVMIntSLE || c->again == LLVMIntSGE;
    LLVMIntPredicate strict = c->step > 0 ? (is_signed ? LLVMIntSLT : LLVMIntULT) : is_signed ? LLVMIntSGT : LLVMIntUGT;
    bool flagged = is_signed ? c->nsw : c->nuw;
    if (c->bits > 32 && !flagged && step != 1)
        return NULL;
    first = widened(v, first, is_signed);
    bound = widened(v, bound, is_signed);
    if (or_equal)
        bound = LLVMBuildAdd(b, bound, number(v, c->step > 0 ? 1 : -1), "");
    if (c->bits <= 32) { /* 64 bits hold everything: from here on signed */
        strict = c->step > 0 ? LLVMIntSLT : LLVMIntSGT;
        if (!flagged && (step != 1 || or_equal)) {
            long long top = is_signed ? (1ll << (c->bits - 1)) - 1 : (1ll << c->bits) - 1;
            long long bottom = is_signed ? -(1ll << (c->bits - 1)) : 0;
            both(v, ok,
                 c->step > 0 ? LLVMBuildICmp(b, LLVMIntSLE, bound, number(v, top - (step - 1)), "")
                             : LLVMBuildICmp(b, LLVMIntSGE, bound, number(v, bottom + (step - 1)), ""));
        }
    }
    LLVMValueRef way = c->step > 0 ? LLVMBuildSub(b, bound, first, "") : LLVMBuildSub(b, first, bound, "");
    way = LLVMBuildAdd(b, way, number(v, step - 1), "");
    way = LLVMBuildUDiv(b, way, number(v, step), "");
    return LLVMBuildSelect(b, LLVMBuildICmp(b, strict, first, bound, ""), way, number(v, 0), "");
}

/* An index of the loop that is extended from 32 bits and moves with the rounds. LLVM writes zext(trunc(x) + c) as (x + c') & 0xffffffff. */
static bool is_index(const version_t *v, LLVMValueRef i)
{
    if (LLVMIsAPHINode(i) || LLVMTypeOf(i) != v->wide || !LLVMGetNumOperands(i))
        return false;
    LLVMValueRef x = LLVMGetOperand(i, 0);
    if (LLVMIsAZExtInst(i) || LLVMIsASExtInst(i)) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 32)
            return false;
    } else {
        LLVMValueRef mask = LLVMGetInstructionOpcode(i) == LLVMAnd ? LLVMGetOperand(i, 1) : NULL;
        if (!mask || !LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) != UINT32_MAX)
            return false;
    }
    return loops_inside(v->f, v->l, x) && affine(v, x, DEPTH);
}

/* The low 32 bits. */
static LLVMValueRef low(const version_t *v, LLVMValueRef x)
{
    LLVMTypeRef narrow = LLVMInt32TypeInContext(LLVMGetTypeContext(v->wide));
    return LLVMTypeOf(x) == narrow ? x : LLVMBuildTrunc(v->build, x, narrow, "");
}

static size_t find_indices(const version_t *v, LLVMValueRef *index)
{
    size_t n = 0;
    for (size_t k = 0; k < v->f->nblocks; k++)
        for (LLVMValueRef i = v->l->has[k] ? LLVMGetFirstInstruction(v->f->blocks[k].block) : NULL; i && n < INDICES;
             i = LLVMGetNextInstruction(i))
            if (is_index(v, i))
                index[n++] = i;
    return n;
}

/* The loop once more, as it is, for the rounds that do not fit. Returns its header. */
static LLVMBasicBlockRef slow_version(const version_t *v, LLVMBasicBlockRef preheader, LLVMBasicBlockRef exit,
                                      loops_plan_t *plan)
{
    loops_map_t map = {0};
    loops_copy(v->f, v->l, &map, exit, false);
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->f->blocks[v->l->header].block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef first = from_latch(v, i, false);
        LLVMAddIncoming(loops_get(&map, i), &first, &preheader, 1);
    }
    plan->slow_latch = loops_get(&map, v->f->blocks[v->l->latch].block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(exit); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value = loops_copied(&map, LLVMGetIncomingValue(i, 0));
        LLVMAddIncoming(i, &value, &plan->slow_latch, 1);
    }
    LLVMBasicBlockRef header = loops_get(&map, v->f->blocks[v->l->header].block);
    loops_forget(&map);
    return header;
}

/* A header phi that begins with `base` and grows by `step`: LLVM finds its way from there to pointers that move, in the loop and out of it. */
static LLVMValueRef moving(const version_t *v, LLVMBasicBlockRef preheader, LLVMValueRef base, LLVMValueRef step)
{
    LLVMBasicBlockRef header = v->f->blocks[v->l->header].block, latch = v->f->blocks[v->l->latch].block;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(v->wide));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(header));
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(base), "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(latch));
    LLVMValueRef next = LLVMBuildAdd(b, phi, step, "");
    LLVMAddIncoming(phi, &base, &preheader, 1);
    LLVMAddIncoming(phi, &next, &latch, 1);
    LLVMDisposeBuilder(b);
    return phi;
}

/* Products of the rounds become sums. */
static void reduce_products(version_t *v, LLVMBasicBlockRef preheader)
{
    for (size_t k = 0; k < v->f->nblocks; k++)
        for (LLVMValueRef i = v->l->has[k] ? LLVMGetFirstInstruction(v->f->blocks[k].block) : NULL, next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsAPHINode(i) || LLVMGetInstructionOpcode(i) != LLVMMul || LLVMTypeOf(i) != v->wide
                || !affine(v, i, DEPTH))
                continue;
            LLVMValueRef step = part(v, i, true);
            if (!step)
                continue;
            LLVMReplaceAllUsesWith(i, moving(v, preheader, part(v, i, false), step));
            LLVMInstructionEraseFromParent(i);
        }
}

/* The header's phis, with another block before them. */
static void exchange_way_in(const version_t *v, LLVMBasicBlockRef before, LLVMBasicBlockRef after)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(v->wide));
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->f->blocks[v->l->header].block); LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMPositionBuilderBefore(b, i);
        LLVMValueRef fresh = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        if (LLVMCanValueUseFastMathFlags(i))
            LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(i));
        for (unsigned e = 0; e < 2; e++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, e);
            LLVMValueRef value = LLVMGetIncomingValue(i, e);
            from = from == before ? after : from;
            LLVMAddIncoming(fresh, &value, &from, 1);
        }
        LLVMReplaceAllUsesWith(i, fresh);
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(b);
}

/* An end of an index's way is what its extension gives: unsigned below 2^32, signed within half of that. */
static LLVMValueRef must_fit(const version_t *v, bool is_signed, LLVMValueRef end, LLVMValueRef high)
{
    end = LLVMBuildFreeze(v->build, end, "");
    if (is_signed)
        end = LLVMBuildAdd(v->build, end, number(v, 1ll << 31), "");
    return LLVMBuildOr(v->build, high, end, "");
}

bool loops_prepare(const loops_function_t *f, const loops_loop_t *l, const loops_count_t *c, loops_plan_t *plan)
{
    LLVMBasicBlockRef preheader = loops_preheader(f, l), exit = loops_exit(f, l);
    LLVMValueRef index[INDICES], fits = NULL;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(c->moving));
    version_t v = {f, l, LLVMCreateBuilderInContext(context), LLVMInt64TypeInContext(context)};
    LLVMValueRef ends = LLVMGetBasicBlockTerminator(preheader), zero = number(&v, 0);
    LLVMPositionBuilderBefore(v.build, ends);
    *plan = (loops_plan_t){.rounds = rounds(&v, c, &fits)};
    if (!plan->rounds) {
        LLVMDisposeBuilder(v.build);
        return false;
    }
    plan->plain = find_indices(&v, index);
    LLVMBasicBlockRef slow = plan->plain || fits ? slow_version(&v, preheader, exit, plan) : NULL;
    LLVMValueRef high = plan->rounds; /* bits 32 and up of the ends and of the rounds: none may be set */
    for (size_t i = 0; i < plan->plain; i++) {
        LLVMValueRef x = LLVMGetOperand(index[i], 0);
        bool is_signed = LLVMIsASExtInst(index[i]) != NULL;
        long long constant;
        LLVMValueRef rest = without_constant(x, &constant);
        LLVMValueRef base = widened(&v, low(&v, part(&v, rest, false)), is_signed), step = part(&v, rest, true);
        step = step ? widened(&v, low(&v, step), true) : zero;
        LLVMValueRef first = LLVMBuildAdd(v.build, base, number(&v, constant), "");
        LLVMValueRef end = LLVMBuildAdd(v.build, first, LLVMBuildMul(v.build, step, plan->rounds, ""), "");
        high = must_fit(&v, is_signed, end, high);
        if (constant)
            high = must_fit(&v, is_signed, first, high);
        LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(b, index[i]);
        LLVMValueRef plain = moving(&v, preheader, base, step);
        LLVMReplaceAllUsesWith(index[i], constant ? LLVMBuildAdd(b, plain, number(&v, constant), "") : plain);
        LLVMInstructionEraseFromParent(index[i]);
        LLVMDisposeBuilder(b);
    }
    reduce_products(&v, preheader);
    if (slow) {
        if (plan->plain) {
            high = LLVMBuildLShr(v.build, high, number(&v, 32), "");
            both(&v, &fits, LLVMBuildICmp(v.build, LLVMIntEQ, high, zero, ""));
        }
        plan->fast = LLVMInsertBasicBlockInContext(context, slow, "fast");
        LLVMBuildCondBr(v.build, fits, plan->fast, slow);
        LLVMInstructionRemoveFromParent(ends);
        LLVMPositionBuilderAtEnd(v.build, plan->fast);
        LLVMInsertIntoBuilder(v.build, ends);
        exchange_way_in(&v, preheader, plan->fast);
    } else {
        plan->fast = preheader;
    }
    LLVMDisposeBuilder(v.build);
    return true;
}
