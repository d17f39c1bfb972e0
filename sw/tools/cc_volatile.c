/* Volatile and atomic loads of global memory go past the L1D, which may keep an old line for ever (docs/memory-model.md). LR does so: it is performed at the
 * L2, and needs permission to read alone. In the text of the optimised module each such load becomes one LR for 4 or 8 aligned bytes of it; a byte or a
 * half comes out of its aligned word. The text is understood by every version of clang, which a library of LLVM is not. */
#include "sw/tools/cc_internal.h"
#include "sw/tools/cc_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    span_t result, type, space, operand; /* "%5", "<4 x float>", "ptr addrspace(1)", "%4" */
    span_t debug; /* ", !dbg !7", or nothing */
    bool acquire, sequential; /* what orders it */
    unsigned align;
} load_t;

bool cc_starts(const char **p, const char *word)
{
    const size_t n = strlen(word);
    const bool is = !strncmp(*p, word, n);
    *p += is ? n : 0;
    return is;
}

bool cc_contains(span_t s, const char *word)
{
    return memmem(s.p, s.n, word, strlen(word)) != NULL;
}

span_t cc_part(const char *p, bool blanks)
{
    const char *q = p;
    bool quoted = false;
    for (int depth = 0; *q && *q != '\n'; q++) {
        quoted = quoted != (*q == '"');
        depth += !quoted && strchr("([{<", *q) ? 1 : !quoted && strchr(")]}>", *q) ? -1 : 0;
        if (depth < 0 || (!quoted && !depth && (*q == ',' || (!blanks && *q == ' '))))
            break;
    }
    return (span_t){p, (size_t)(q - p)};
}

span_t cc_pointer_type(const char **p)
{
    span_t s = {*p, 0};
    if (!cc_starts(p, "ptr"))
        return s;
    if (!strncmp(*p, " addrspace(", 11))
        *p += strcspn(*p, ")") + 1;
    s.n = (size_t)(*p - s.p);
    *p += **p == ' ';
    return s;
}

span_t cc_debug(const char *p, const char *end)
{
    const char *debug = memmem(p, (size_t)(end - p), ", !dbg ", 7);
    return debug ? (span_t){debug, cc_part(debug + 1, true).n + 1} : (span_t){"", 0};
}

/* `  %5 = load atomic volatile i32, ptr addrspace(1) %4 syncscope("x") acquire, align 4, !dbg !7` */
static bool read_load(const char *line, const char *end, load_t *l)
{
    const char *p = line + strspn(line, " ");
    if (*p != '%')
        return false;
    *l = (load_t){.result = cc_part(p, false)};
    p += l->result.n;
    if (!cc_starts(&p, " = load "))
        return false;
    const bool atomic = cc_starts(&p, "atomic "), is_volatile = cc_starts(&p, "volatile ");
    l->type = cc_part(p, true);
    p += l->type.n;
    if ((!atomic && !is_volatile) || !cc_starts(&p, ", "))
        return false;
    l->space = cc_pointer_type(&p);
    l->operand = cc_part(p, *p != '%' && *p != '@');
    p += l->operand.n;
    const span_t rest = {p, (size_t)(end - p)};
    const char *align = memmem(p, rest.n, ", align ", 8);
    l->align = align ? (unsigned)strtoul(align + 8, NULL, 10) : 1;
    l->debug = cc_debug(p, end);
    l->sequential = atomic && cc_contains((span_t){p, strcspn(p, ",\n")}, " seq_cst");
    l->acquire = l->sequential || (atomic && cc_contains((span_t){p, strcspn(p, ",\n")}, " acquire"));
    return l->space.n && l->operand.n;
}

/* The size in bytes of a type; 0: of none that has to be loaded. */
static unsigned size_of(span_t t)
{
    unsigned n;
    const char *p = t.p;
    if (*p == 'i')
        return ((unsigned)strtoul(p + 1, NULL, 10) + 7) / 8;
    if (sscanf(p, "<%u x ", &n) == 1)
        return n * size_of((span_t){strstr(p, " x ") + 3, 0});
    return cc_starts(&p, "ptr") || cc_starts(&p, "double")    ? 8
           : cc_starts(&p, "float")                           ? 4
           : cc_starts(&p, "half") || cc_starts(&p, "bfloat") ? 2
           : cc_starts(&p, "fp128")                           ? 16
                                                              : 0;
}

/* The pointer that an address is counted from, in the definition of a value at p. */
static span_t base_of(const char *p, const char *end)
{
    for (; (p = memmem(p, (size_t)(end - p), "ptr", 3)); p++) {
        const char *q = p;
        const span_t type = cc_pointer_type(&q);
        if (p[-1] != '%' && type.n && strchr("%@g", *q))
            return cc_part(q, *q == 'g');
    }
    return (span_t){"", 0};
}

/* Is it known that the address is not of global memory: a variable of the stack, an array of the scratchpad, a constant? Where it is not known it may be. */
static bool is_elsewhere(const char *module, span_t function, span_t address)
{
    for (int depth = 0; depth < 100; depth++) {
        const char *at = address.n ? memchr(address.p, '@', address.n) : NULL;
        if (!address.n || (*address.p != '%' && !at))
            return false;
        if (*address.p != '%')
            address = (span_t){at, cc_part(at, false).n};
        char *key = cc_format("\n%s%.*s = ", *address.p == '@' ? "" : "  ", (int)address.n, address.p);
        const char *found = *address.p == '@' ? strstr(module, key) : memmem(function.p, function.n, key, strlen(key));
        const char *p = found ? found + strlen(key) : NULL;
        free(key);
        if (!p)
            return false;
        const span_t line = {p, strcspn(p, "\n")};
        if (*address.p == '@')
            return cc_contains(line, " constant ") || cc_contains(line, "section \".bss.vl_local.")
                   || !strncmp(p, "constant ", 9);
        if (cc_starts(&p, "alloca"))
            return true;
        if (!cc_starts(&p, "getelementptr") && !cc_starts(&p, "freeze") && !cc_starts(&p, "addrspacecast"))
            return false;
        address = base_of(p, line.p + line.n);
    }
    return false;
}

/* One LR, or a byte or half out of one, at `offset`: the value %vl.ID.OFFSET.v, of `bytes`. */
static void write_piece(FILE *f, const load_t *l, unsigned id, unsigned offset, unsigned bytes)
{
    const int dn = (int)l->debug.n, sn = (int)l->space.n;
    const char *d = l->debug.p, *s = l->space.p;
    char name[40];
    snprintf(name, sizeof name, "%%vl.%u.%u", id, offset);
    fprintf(f, "  %s = getelementptr i8, %.*s %.*s, i64 %u%.*s\n", name, sn, s, (int)l->operand.n, l->operand.p, offset,
            dn, d);
    if (bytes >= 4) {
        fprintf(f, "  %s.v = call i%u asm sideeffect \"lr.%c $0, ($1)\", \"=r,r,~{memory}\"(%.*s %s)%.*s\n", name,
                8 * bytes, bytes == 8 ? 'd' : 'w', sn, s, name, dn, d);
        return;
    }
    fprintf(f, "  %s.a = ptrtoint %.*s %s to i64%.*s\n  %s.b = and i64 %s.a, -4%.*s\n", name, sn, s, name, dn, d, name,
            name, dn, d);
    fprintf(f, "  %s.w = call i64 asm sideeffect \"lr.w $0, ($1)\", \"=r,r,~{memory}\"(i64 %s.b)%.*s\n", name, name, dn,
            d);
    fprintf(f, "  %s.c = and i64 %s.a, 3%.*s\n  %s.s = shl i64 %s.c, 3%.*s\n  %s.x = lshr i64 %s.w, %s.s%.*s\n", name,
            name, dn, d, name, name, dn, d, name, name, name, dn, d);
    fprintf(f, "  %s.v = trunc i64 %s.x to i%u%.*s\n", name, name, 8 * bytes, dn, d);
}

/* `result`, of `type` and `size`, from its pieces: their bits side by side. */
static void write_scalar(FILE *f, const load_t *l, unsigned id, unsigned from, unsigned size, span_t type,
                         const char *result)
{
    const int dn = (int)l->debug.n;
    const char *d = l->debug.p;
    const unsigned bits = 8 * size;
    char sum[40] = "0";
    for (unsigned at = from, bytes; at < from + size; at += bytes) {
        for (bytes = 8; bytes > 1 && (at + bytes > from + size || (at | l->align) & (bytes - 1));)
            bytes /= 2;
        write_piece(f, l, id, at, bytes);
        char name[40];
        snprintf(name, sizeof name, "%%vl.%u.%u", id, at);
        fprintf(f, "  %s.z = %s i%u %s.v to i%u%.*s\n", name, bytes == size ? "bitcast" : "zext", 8 * bytes, name, bits,
                dn, d);
        fprintf(f, "  %s.m = shl i%u %s.z, %u%.*s\n", name, bits, name, 8 * (at - from), dn, d);
        fprintf(f, "  %s.o = or i%u %s, %s.m%.*s\n", name, bits, sum, name, dn, d);
        snprintf(sum, sizeof sum, "%s.o", name);
    }
    fprintf(f, "  %s = %s i%u %s to %.*s%.*s\n", result, strncmp(type.p, "ptr", 3) ? "bitcast" : "inttoptr", bits, sum,
            (int)type.n, type.p, dn, d);
}

static void write_load(FILE *f, const load_t *l, unsigned id, unsigned size)
{
    const int dn = (int)l->debug.n, tn = (int)l->type.n;
    const char *d = l->debug.p, *t = l->type.p;
    char *result = cc_format("%.*s", (int)l->result.n, l->result.p), sum[40] = "poison";
    unsigned n;
    if (l->sequential)
        fprintf(f, "  fence seq_cst%.*s\n", dn, d);
    if (sscanf(t, "<%u x ", &n) == 1
        && size / n >= 4) { /* elements one by one: as one number they would pass through the stack */
        const span_t element = cc_part(strstr(t, " x ") + 3, false);
        for (unsigned i = 0; i < n; i++) {
            char name[40];
            snprintf(name, sizeof name, "%%vl.%u.e%u", id, i);
            write_scalar(f, l, id, i * (size / n), size / n, element, name);
            fprintf(f, "  %s%s = insertelement %.*s %s, %.*s %s, i64 %u%.*s\n", i + 1 == n ? result : name,
                    i + 1 == n ? "" : ".n", tn, t, sum, (int)element.n, element.p, name, i, dn, d);
            snprintf(sum, sizeof sum, "%s.n", name);
        }
    } else {
        write_scalar(f, l, id, 0, size, l->type, result);
    }
    if (l->acquire)
        fprintf(f, "  fence acquire%.*s\n", dn, d);
    free(result);
}

int cc_bypass_l1d(const cc_unit_t *u, const char *from, const char *to)
{
    char *text = cc_read_file(from, NULL);
    FILE *f = text ? fopen(to, "we") : NULL;
    if (!f)
        return cc_error(CC_FAILED, "cannot turn %s into %s: %s", from, to, strerror(errno));
    span_t function = {text, 0};
    unsigned id = 0;
    for (const char *p = text, *next; *p; p = next) {
        const char *end = p + strcspn(p, "\n");
        next = end + (*end != 0);
        if (!strncmp(p, "define ", 7)) {
            const char *last = strstr(p, "\n}");
            function = (span_t){p, last ? (size_t)(last - p) : strlen(p)};
        }
        load_t l;
        const bool is = read_load(p, end, &l);
        const unsigned size = is ? size_of(l.type) : 0;
        /* Address spaces are OpenCL C's: in C all pointers may be of global memory. */
        const bool global = is && (!u->opencl || cc_contains(l.space, "(1)") || cc_contains(l.space, "(4)"));
        if (size && global && !is_elsewhere(text, function, l.operand))
            write_load(f, &l, id++, size);
        else if (!cc_write_subword(f, p, end, id++))
            fwrite(p, 1, (size_t)(next - p), f);
    }
    free(text);
    const bool bad = ferror(f) != 0;
    return fclose(f) || bad ? cc_error(CC_FAILED, "cannot write %s: %s", to, strerror(errno)) : CC_OK;
}
