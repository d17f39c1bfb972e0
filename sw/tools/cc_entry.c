/* The first instructions of an entry, edited in the assembly of the second pass.
 *
 * `__vellum_entry_K` is a function to the compiler: it takes the stack pointer as given, and it saves the callee-saved registers that
 * it uses although it never returns. So the stack pointer is set up at its label, and the saves, eight bytes of private memory a thread and
 * register, are dropped. A save is recognised by what it is: the store to the stack, in the first basic block, of a callee-saved register
 * that nothing has mentioned before. Its value is nobody's, and without a return nothing loads it again. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RA = 12, REGISTERS = 13 }; /* s0..s11, ra */

/* The number of the callee-saved register at p, or -1; `end` goes behind it. */
static int saved_register(const char *p, const char **end)
{
    if (p[0] == 'r' && p[1] == 'a' && !isalnum((unsigned char)p[2])) {
        *end = p + 2;
        return RA;
    }
    if (p[0] != 's' || !isdigit((unsigned char)p[1]))
        return -1;
    char *behind;
    long n = strtol(p + 1, &behind, 10);
    *end = behind;
    return n <= 11 && !isalnum((unsigned char)*behind) ? (int)n : -1;
}

/* "sd REGISTER, OFFSET(sp)": the register, or -1. */
static int saves(const char *line)
{
    const char *p = line + strspn(line, " \t");
    if (strncmp(p, "sd", 2) || !isspace((unsigned char)p[2]))
        return -1;
    p += 2;
    p += strspn(p, " \t");
    int r = saved_register(p, &p);
    if (r < 0 || *p != ',')
        return -1;
    p += 1 + strspn(p + 1, " \t");
    p += strspn(p, "-0123456789");
    return strncmp(p, "(sp)", 4) ? -1 : r;
}

static void note_registers(const char *line, bool *seen)
{
    for (const char *p = line; *p && *p != '\n' && *p != '#'; p++) {
        const char *end;
        int r = p > line && (isalnum((unsigned char)p[-1]) || strchr("_.$", p[-1])) ? -1 : saved_register(p, &end);
        if (r >= 0)
            seen[r] = true;
    }
}

/* Whether control can enter or leave here, so that the first basic block ends. */
static bool ends_block(const char *line)
{
    const char *p = line + strspn(line, " \t");
    if (p == line)
        return !strncmp(p, ".LBB", 4);
    return *p == 'b' || *p == 'j' || !strncmp(p, "call", 4) || !strncmp(p, "tail", 4) || !strncmp(p, "ret", 3);
}

static const cc_kernel_t *entry_of(const cc_unit_t *u, const char *line)
{
    if (strncmp(line, "__vellum_entry_", 15))
        return NULL;
    for (size_t i = 0; i < u->nkernels; i++) {
        size_t n = strlen(u->kernels[i].name);
        if (!strncmp(line + 15, u->kernels[i].name, n) && line[15 + n] == ':')
            return &u->kernels[i];
    }
    return NULL;
}

int cc_finish_entries(const cc_unit_t *u, const char *from, const char *to)
{
    char *text = cc_read_file(from, NULL);
    FILE *f = text ? fopen(to, "we") : NULL;
    if (!f)
        return cc_error(CC_FAILED, "cannot turn %s into %s: %s", from, to, strerror(errno));
    bool inside = false, seen[REGISTERS];
    for (const char *p = text, *next; *p; p = next) {
        next = strchrnul(p, '\n');
        next += *next == '\n';
        int r = inside ? saves(p) : -1;
        if (r >= 0 && !seen[r])
            continue;
        fwrite(p, 1, (size_t)(next - p), f);
        if (entry_of(u, p)) {
            fputs("\tcsrr\tsp, 0xccd\n", f);
            inside = true;
            memset(seen, 0, sizeof seen);
        } else if (inside) {
            inside = !ends_block(p);
            if (p[strspn(p, " \t")] != '.')
                note_registers(p, seen);
        }
    }
    free(text);
    bool bad = ferror(f) != 0;
    return fclose(f) || bad ? cc_error(CC_FAILED, "cannot write %s: %s", to, strerror(errno)) : CC_OK;
}
