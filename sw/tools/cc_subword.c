/* Atomics of 8 and 16 bits, and nand, as loops of AMOCAS on the aligned word. The compiler's own are loops of LR and SC, which end only while no other warp of
 * the core uses LR (docs/isa.md, Progress of LR and SC), as each volatile load does. A loop of AMOCAS fails only where another has succeeded. */
#include "sw/tools/cc_text.h"

#include <stdlib.h>
#include <string.h>

/* $0: the word as it was, $1: its new value, $2: the comparison; $3: its address, $4: the operand in its place, $5: the mask, $6: how far the field is from bit 63, or
 * for compare-and-swap the bits that change. Bits outside of the mask stay, so an operation may change them. */
static const struct {
    const char *name, *text;
    bool top; /* the operand is at bit 63 */
} operations[] = {
    {"add ", "add $1, $0, $4", false},
    {"sub ", "sub $1, $0, $4", false},
    {"and ", "and $1, $0, $4", false},
    {"or ", "or $1, $0, $4", false},
    {"xor ", "xor $1, $0, $4", false},
    {"xchg ", "mv $1, $4", false},
    {"nand ", "and $1, $0, $4\\0Anot $1, $1", false},
    {"max ", "and $1, $0, $5\\0Asll $1, $1, $6\\0Amax $1, $1, $4\\0Asrl $1, $1, $6", true},
    {"min ", "and $1, $0, $5\\0Asll $1, $1, $6\\0Amin $1, $1, $4\\0Asrl $1, $1, $6", true},
    {"umax ", "and $1, $0, $5\\0Asll $1, $1, $6\\0Amaxu $1, $1, $4\\0Asrl $1, $1, $6", true},
    {"umin ", "and $1, $0, $5\\0Asll $1, $1, $6\\0Aminu $1, $1, $4\\0Asrl $1, $1, $6", true},
};
static const char compare_and_swap[] = "xor $1, $0, $4\\0Aand $1, $1, $5\\0Aczero.nez $1, $6, $1\\0Axor $1, $1, $0";

typedef struct {
    span_t result, space, address, value, other; /* value: the operand, or the expected value; other: the new value */
    span_t debug, order;
    const char *text;
    bool top;
    unsigned bits;
} atomic_t;

static bool read_atomic(const char *line, const char *end, atomic_t *a)
{
    const char *p = line + strspn(line, " ");
    if (*p != '%')
        return false;
    *a = (atomic_t){.result = cc_part(p, false), .debug = cc_debug(line, end)};
    p += a->result.n;
    const bool swap = cc_starts(&p, " = cmpxchg ");
    if (!swap && !cc_starts(&p, " = atomicrmw "))
        return false;
    cc_starts(&p, "weak ");
    cc_starts(&p, "volatile ");
    const bool nand = !strncmp(p, "nand ", 5);
    for (size_t i = 0; !swap && !a->text && i < sizeof operations / sizeof *operations; i++)
        if (cc_starts(&p, operations[i].name)) {
            a->text = operations[i].text;
            a->top = operations[i].top;
        }
    a->text = swap ? compare_and_swap : a->text;
    a->space = cc_pointer_type(&p);
    a->address = cc_part(p, *p != '%' && *p != '@');
    p += a->address.n;
    if (!a->text || !cc_starts(&p, ", i"))
        return false;
    char *behind;
    a->bits = (unsigned)strtoul(p, &behind, 10);
    p = behind + 1;
    a->value = cc_part(p, false);
    p += a->value.n;
    if (swap) {
        p = strchr(p + 2, ' ') + 1;
        a->other = cc_part(p, false);
        p += a->other.n;
    }
    a->order = (span_t){p, strcspn(p, ",\n")};
    return a->bits == 8 || a->bits == 16 || nand;
}

bool cc_write_subword(FILE *f, const char *line, const char *end, unsigned id)
{
    atomic_t a;
    if (!read_atomic(line, end, &a))
        return false;
    char n[24];
    snprintf(n, sizeof n, "%%vl.%u", id);
    const int dn = (int)a.debug.n, vn = (int)a.value.n, rn = (int)a.result.n;
    const char *d = a.debug.p, *v = a.value.p, *r = a.result.p;
    const bool wide = a.bits == 64, swap = a.other.n != 0;
    const char *to_wide = wide ? "bitcast" : "zext", *to_bits = wide ? "bitcast" : "trunc";
    const bool both = cc_contains(a.order, " acq_rel") || cc_contains(a.order, " seq_cst");
    if (both || cc_contains(a.order, " release"))
        fprintf(f, "  fence release%.*s\n", dn, d);
    fprintf(f, "  %s.a = ptrtoint %.*s %.*s to i64%.*s\n", n, (int)a.space.n, a.space.p, (int)a.address.n, a.address.p,
            dn, d);
    fprintf(f, "  %s.w = and i64 %s.a, %d%.*s\n  %s.c = and i64 %s.a, %d%.*s\n", n, n, wide ? -8 : -4, dn, d, n, n,
            wide ? 0 : 3, dn, d);
    fprintf(f, "  %s.s = shl i64 %s.c, 3%.*s\n  %s.m = shl i64 %lld, %s.s%.*s\n", n, n, dn, d, n,
            wide ? -1LL : (1LL << a.bits) - 1, n, dn, d);
    fprintf(f, "  %s.u = sub i64 %u, %s.s%.*s\n", n, 64 - a.bits, n, dn, d);
    fprintf(f, "  %s.z = %s i%u %.*s to i64%.*s\n", n, to_wide, a.bits, vn, v, dn, d);
    if (a.top)
        fprintf(f, "  %s.v = shl i64 %s.z, %u%.*s\n", n, n, 64 - a.bits, dn, d);
    else
        fprintf(f, "  %s.v = shl i64 %s.z, %s.s%.*s\n", n, n, n, dn, d);
    if (swap) {
        fprintf(f, "  %s.y = %s i%u %.*s to i64%.*s\n", n, to_wide, a.bits, (int)a.other.n, a.other.p, dn, d);
        fprintf(f, "  %s.x = xor i64 %s.y, %s.z%.*s\n  %s.d = shl i64 %s.x, %s.s%.*s\n", n, n, n, dn, d, n, n, n, dn,
                d);
    }
    const char size = wide ? 'd' : 'w';
    fprintf(f,
            "  %s.l = call { i64, i64, i64 } asm sideeffect \"lr.%c $0, ($3)\\0A1: mv $2, $0\\0A%s\\0Axor $1, $1, "
            "$0\\0Aand $1, $1, "
            "$5\\0Axor $1, $1, $0\\0Aamocas.%c $2, $1, ($3)\\0Axor $1, $2, $0\\0Amv $0, $2\\0Abnez $1, 1b\", "
            "\"=&r,=&r,=&r,r,r,r,r,~{memory}\"(i64 %s.w, i64 %s.v, i64 %s.m, i64 %s.%c)%.*s\n",
            n, size, a.text, size, n, n, n, n, swap ? 'd' : 'u', dn, d);
    if (both || cc_contains(a.order, " acquire"))
        fprintf(f, "  fence acquire%.*s\n", dn, d);
    fprintf(f, "  %s.o = extractvalue { i64, i64, i64 } %s.l, 0%.*s\n  %s.r = lshr i64 %s.o, %s.s%.*s\n", n, n, dn, d,
            n, n, n, dn, d);
    if (!swap) {
        fprintf(f, "  %.*s = %s i64 %s.r to i%u%.*s\n", rn, r, to_bits, n, a.bits, dn, d);
        return true;
    }
    fprintf(f, "  %s.f = %s i64 %s.r to i%u%.*s\n  %s.e = icmp eq i%u %s.f, %.*s%.*s\n", n, to_bits, n, a.bits, dn, d,
            n, a.bits, n, vn, v, dn, d);
    fprintf(f, "  %s.i = insertvalue { i%u, i1 } poison, i%u %s.f, 0%.*s\n", n, a.bits, a.bits, n, dn, d);
    fprintf(f, "  %.*s = insertvalue { i%u, i1 } %s.i, i1 %s.e, 1%.*s\n", rn, r, a.bits, n, n, dn, d);
    return true;
}
