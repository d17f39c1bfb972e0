/* The first instructions of an entry, edited in the assembly of the second pass.
 *
 * `__vellum_entry_K` is a function to the compiler: it takes the stack pointer as given, and it saves the callee-saved registers that
 * it uses although it never returns. So the stack pointer is set up at its label, and the saves, eight bytes of private memory a thread and
 * register, are dropped. A save is recognised by its form: the store to the stack, in the first basic block, of a callee-saved register
 * that nothing has mentioned before. Its value is not used, and without a return nothing loads it again.
 * Where nothing else uses the frame, it goes as well; and without frame and calls nothing needs the stack pointer. */
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

static const char *next_line(const char *p)
{
    p = strchrnul(p, '\n');
    return p + (*p == '\n');
}

static bool is_instruction(const char *line)
{
    return line[0] == '\t' && isalpha((unsigned char)line[1]);
}

static bool moves_stack(const char *line)
{
    return !strncmp(line, "\taddi\tsp, sp, ", 14);
}

/* A call's stack is below this one. */
static bool calls(const char *line)
{
    return !strncmp(line, "\tcall", 5) || !strncmp(line, "\ttail", 5) || !strncmp(line, "\tjal", 4);
}

/* By either of its names. */
static bool mentions_sp(const char *line)
{
    for (const char *p = line + 1; *p && *p != '\n' && *p != '#'; p++)
        if (((p[0] == 's' && p[1] == 'p') || (p[0] == 'x' && p[1] == '2')) && !isalnum((unsigned char)p[-1])
            && !strchr("_.$", p[-1]) && !isalnum((unsigned char)p[2]) && !strchr("_.$", p[2]))
            return true;
    return false;
}

/* One entry, behind its label. Written to f unless that is NULL; without `frame` its stack frame is left out too. Returns whether anything
 * but saves uses the frame; *call becomes true when there is a call. */
static bool edit_entry(const char *p, const char *end, bool frame, FILE *f, bool *call)
{
    bool first_block = true, used = false, seen[REGISTERS] = {false};
    for (const char *next; p < end; p = next) {
        next = next_line(p);
        int r = first_block ? saves(p) : -1;
        if (r >= 0 && !seen[r])
            continue;
        bool instruction = is_instruction(p);
        if (instruction && moves_stack(p)) {
            if (!frame)
                continue;
        } else if (instruction) {
            used = used || mentions_sp(p);
            *call = *call || calls(p);
        }
        if (f)
            fwrite(p, 1, (size_t)(next - p), f);
        first_block = first_block && !ends_block(p);
        if (instruction)
            note_registers(p, seen);
    }
    return used;
}

int cc_finish_entries(const cc_unit_t *u, const char *from, const char *to)
{
    size_t bytes = 0;
    char *text = cc_read_file(from, &bytes);
    for (size_t i = 0; text && i < bytes; i++) /* debugging information is commented with the characters of its bytes */
        text[i] += text[i] ? 0 : ' ';
    FILE *f = text ? fopen(to, "we") : NULL;
    if (!f)
        return cc_error(CC_FAILED, "cannot turn %s into %s: %s", from, to, strerror(errno));
    for (const char *p = text, *next; *p; p = next) {
        next = next_line(p);
        fwrite(p, 1, (size_t)(next - p), f);
        if (!entry_of(u, p))
            continue;
        const char *end = next;
        while (*end && strncmp(end, ".Lfunc_end", 10))
            end = next_line(end);
        bool call = false, frame = edit_entry(next, end, true, NULL, &call);
        if (frame || call)
            fputs("\tcsrr\tsp, 0xccd\n", f);
        edit_entry(next, end, frame, f, &call);
        next = end;
    }
    free(text);
    bool bad = ferror(f) != 0;
    return fclose(f) || bad ? cc_error(CC_FAILED, "cannot write %s: %s", to, strerror(errno)) : CC_OK;
}
