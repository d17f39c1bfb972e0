/* The loop step of `vellum cc` as a program of its own, so that the command itself does not load LLVM's library: `vellum-loops IN OUT`.
 * Its standard output has a line for each innermost loop: the decision, and the reason. */
#include "sw/tools/loops/loops.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const char *text)
{
    fprintf(stderr, "vellum cc: the loop step cannot %s: %s\n", what, text);
    return 1;
}

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Instructions that may not be repeated: calls that stay calls, and convergent operations (barriers, assembly of OpenCL C). */
static bool repeatable(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    unsigned convergent = kind_of("convergent");
    if (LLVMGetCallSiteEnumAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, convergent))
        return false;
    if (LLVMIsAInlineAsm(callee))
        return true;
    if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee) || LLVMIsAMemIntrinsic(i))
        return false;
    return !LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, convergent);
}

static bool is_debug(LLVMValueRef i)
{
    return LLVMIsADbgInfoIntrinsic(i) != NULL;
}

/* Instructions of a round, about; 0: it may not be repeated. Extensions and truncations mostly cost nothing. */
static size_t size_of(const loops_function_t *f, const loops_loop_t *l)
{
    size_t n = 0;
    for (size_t k = 0; k < f->nblocks; k++)
        for (LLVMValueRef i = l->has[k] ? LLVMGetFirstInstruction(f->blocks[k].block) : NULL; i;
             i = LLVMGetNextInstruction(i)) {
            if (!repeatable(i))
                return 0;
            n += !LLVMIsAPHINode(i) && !LLVMIsACastInst(i) && !is_debug(i);
        }
    return n;
}

#define UNROLL "llvm.loop.unroll." /* the user, or a pass before, has decided */
#define DISABLE UNROLL "disable"
#define NUMBER "vellum.loop"

/* The operand of the first entry of a latch's loop id with this prefix, or the entry itself without an operand. NULL: no such entry. */
static LLVMValueRef id_operand(LLVMContextRef context, LLVMValueRef end, const char *begin)
{
    LLVMValueRef id = LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, "llvm.loop", 9)), found = NULL;
    unsigned n = id ? (unsigned)LLVMGetMDNodeNumOperands(id) : 0, length;
    LLVMValueRef *list = cc_alloc(n * sizeof *list);
    if (id)
        LLVMGetMDNodeOperands(id, list);
    for (unsigned k = 1; k < n && !found; k++) {
        LLVMValueRef part[4];
        unsigned parts = list[k] && LLVMIsAMDNode(list[k]) ? (unsigned)LLVMGetMDNodeNumOperands(list[k]) : 0;
        if (!parts || parts > 4)
            continue;
        LLVMGetMDNodeOperands(list[k], part);
        const char *text = part[0] && LLVMIsAMDString(part[0]) ? LLVMGetMDString(part[0], &length) : "";
        if (!strncmp(text, begin, strlen(begin)))
            found = parts > 1 ? part[1] : list[k];
    }
    free(list);
    return found;
}

static bool is_entry(LLVMValueRef function)
{
    return !strncmp(LLVMGetValueName(function), "__vellum_entry_", 15);
}

static bool decided(LLVMContextRef context, LLVMValueRef end)
{
    return id_operand(context, end, UNROLL) != NULL;
}

/* A loop id of its own for a latch, with one entry. Such a node has itself as its first operand. */
static void set_id(LLVMContextRef context, LLVMValueRef end, const char *name, unsigned value)
{
    LLVMMetadataRef pair[2] = {
        LLVMMDStringInContext2(context, name, strlen(name)),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), value, false)),
    };
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef whole[2] = {self, LLVMMDNodeInContext2(context, pair, strcmp(name, DISABLE) ? 2 : 1)};
    LLVMMetadataRef id = LLVMMDNodeInContext2(context, whole, 2);
    LLVMMetadataReplaceAllUsesWith(self, id);
    LLVMSetMetadata(end, LLVMGetMDKindIDInContext(context, "llvm.loop", 9), LLVMMetadataAsValue(context, id));
}

static unsigned factor_for(size_t size, long long known)
{
    unsigned factor = size <= 12 ? 8 : size <= 28 ? 4 : size <= 40 ? 2 : 1;
    if (known >= 0 && known < factor)
        return 1;
    while (known >= 0 && factor > 1 && known % factor)
        factor /= 2;
    return factor;
}

/* A prepared loop is known again after LLVM's passes by the number in its loop id. How often it goes round is the operand of an assembly
 * before it that is never assembled: nothing else holds a value that the loop itself does not need. */
typedef struct {
    unsigned factor;
    unsigned marks; /* found after the passes; a loop with another number than one is left alone */
    LLVMValueRef rounds;
} prepared_t;

typedef struct {
    LLVMContextRef context;
    prepared_t *loops;
    size_t n;
} step_t;

static const char mark_text[] = "vellum.rounds";

static void set_mark(step_t *s, LLVMBasicBlockRef before, LLVMValueRef rounds)
{
    LLVMTypeRef int32 = LLVMInt32TypeInContext(s->context), types[2] = {LLVMTypeOf(rounds), int32};
    LLVMTypeRef function = LLVMFunctionType(LLVMVoidTypeInContext(s->context), types, 2, false);
    LLVMValueRef operands[2] = {rounds, LLVMConstInt(int32, s->n, false)};
    LLVMValueRef text =
        LLVMGetInlineAsm(function, mark_text, strlen(mark_text), "r,i", 3, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(s->context);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(before));
    LLVMBuildCall2(b, function, text, operands, 2, "");
    LLVMDisposeBuilder(b);
}

static void take_marks(step_t *s, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            size_t n;
            next = LLVMGetNextInstruction(i);
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (!callee || !LLVMIsAInlineAsm(callee) || strcmp(LLVMGetInlineAsmAsmString(callee, &n), mark_text) != 0)
                continue;
            prepared_t *p = &s->loops[LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1))];
            p->marks++;
            p->rounds = LLVMGetOperand(i, 0);
            LLVMInstructionEraseFromParent(i);
        }
}

static void choose(step_t *s, LLVMValueRef function)
{
    loops_function_t f;
    loops_count_t c;
    loops_read(&f, function);
    const char *name = LLVMGetValueName(function);
    loops_find_divergent(&f, is_entry(function));
    for (size_t i = 0; i < f.nloops; i++) {
        const loops_loop_t *l = &f.loops[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f.blocks[l->latch].block);
        const char *verdict = "unrolled";
        unsigned factor = 1;
        size_t size = 0;
        loops_plan_t plan = {0};
        if (!l->innermost)
            continue;
        if (decided(s->context, end))
            verdict = "decided";
        else if (!loops_find_count(&f, l, &c) || !loops_preheader(&f, l) || !loops_exit(&f, l))
            verdict = "not counted";
        else if (!loops_is_uniform(&f, c.compare))
            verdict = "divergent";
        else if (!(size = size_of(&f, l)))
            verdict = "not repeatable";
        else if ((factor = factor_for(size, loops_known_rounds(&c))) == 1)
            verdict = "too large or too short";
        else if (!loops_prepare(&f, l, &c, &plan))
            verdict = "not counted";
        else {
            s->loops = cc_grow(s->loops, s->n, sizeof *s->loops);
            s->loops[s->n].factor = factor;
            set_mark(s, plan.fast, plan.rounds);
            set_id(s->context, end, NUMBER, (unsigned)s->n++);
            if (plan.slow_latch)
                set_id(s->context, LLVMGetBasicBlockTerminator(plan.slow_latch), DISABLE, 0);
        }
        printf("%s: loop %zu: %s, %zu instructions, by %u, %zu plain indices\n", name, i, verdict, size, factor,
               plan.plain);
    }
    loops_drop(&f);
}

static void unroll(step_t *s, LLVMValueRef function)
{
    loops_function_t f;
    take_marks(s, function);
    loops_read(&f, function);
    for (size_t i = 0; i < f.nloops; i++) {
        const loops_loop_t *l = &f.loops[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f.blocks[l->latch].block);
        LLVMValueRef number = l->innermost ? id_operand(s->context, end, NUMBER) : NULL;
        if (!number || l->nlatches != 1 || l->nexits != 1 || !loops_preheader(&f, l) || !loops_exit(&f, l))
            continue;
        const prepared_t *p = &s->loops[LLVMConstIntGetZExtValue(number)];
        if (p->marks == 1)
            set_id(s->context, loops_unroll(&f, l, p->rounds, p->factor), DISABLE, 0);
    }
    loops_drop(&f);
}

static int passes(LLVMModuleRef m, LLVMTargetMachineRef machine, const char *list)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m, list, machine, options);
    LLVMDisposePassBuilderOptions(options);
    return error ? fail("run its passes", LLVMGetErrorMessage(error)) : 0;
}

static int run(LLVMContextRef context, LLVMModuleRef m)
{
    char *message = NULL;
    LLVMTargetRef target;
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    if (LLVMGetTargetFromTriple(LLVMGetTarget(m), &target, &message))
        return fail("find the target", message);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, LLVMGetTarget(m), "generic-rv64", "", LLVMCodeGenLevelDefault, LLVMRelocStatic, LLVMCodeModelDefault);
    /* preheaders, one latch, exits of their own, and a phi for each value used behind a loop */
    static const char simplify[] =
        "function(loop-simplify,lcssa)"; /* preheaders, one latch, exits of their own, and a phi for each value used behind a loop */
    step_t s = {.context = context};
    int status = passes(m, machine, simplify);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !status; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            choose(&s, f);
    /* pointers that move instead of indices */
    if (!status && s.n)
        status = passes(m, machine,
                        "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
                        "loop(indvars,loop-reduce))");
    status = status ? status : passes(m, machine, simplify);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !status; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            unroll(&s, f);
    if (!status)
        status = passes(m, machine, "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)");
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !status; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            loops_narrow(f);
            loops_extend_late(f);
        }
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !status; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_entry(f))
            loops_tidy_entry(f);
    free(s.loops);
    LLVMDisposeTargetMachine(machine);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fail("start", "it takes two files, in and out");
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message))
        return fail("read", message);
    if (LLVMParseBitcodeInContext2(context, buffer, &m))
        return fail("read", argv[1]);
    int status = run(context, m);
    const size_t length = strlen(argv[2]);
    const bool text = length > 3 && !strcmp(argv[2] + length - 3, ".ll");
    if (!status && (text ? LLVMPrintModuleToFile(m, argv[2], &message) : LLVMWriteBitcodeToFile(m, argv[2])))
        status = fail("write", argv[2]);
    LLVMDisposeModule(m);
    LLVMDisposeMemoryBuffer(buffer);
    LLVMContextDispose(context);
    if (fflush(stdout))
        status = fail("write", strerror(errno));
    return status;
}
