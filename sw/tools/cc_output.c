/* The text that `vellum cc` generates: the wrapper around the user's source with an entry a kernel, the kernel notes, and the placement of
 * the __local arrays for the linker script. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < 32 || (unsigned char)*s > 126)
            fprintf(f, "\\%03o", (unsigned char)*s);
        else
            fputc(*s, f);
    }
    fputc('"', f);
}

static FILE *begin(const char *path)
{
    FILE *f = fopen(path, "we");
    if (!f)
        cc_error(CC_FAILED, "cannot write %s: %s", path, strerror(errno));
    return f;
}

static int end(FILE *f, const char *path)
{
    bool bad = ferror(f) != 0;
    return fclose(f) || bad ? cc_error(CC_FAILED, "cannot write %s: %s", path, strerror(errno)) : CC_OK;
}

#define OWN "vl_own_" /* before names that the device library has too */

/* Macros of the source end with it: none of the words below, of the types of arguments or of the kernels is one. `bool` may be a macro where it is a type. */
static void undo_macros(FILE *f, const cc_unit_t *u)
{
    static const char *const words[] = {"struct",
                                        "const",
                                        "unsigned",
                                        "long",
                                        "void",
                                        "sizeof",
                                        "volatile",
                                        "used",
                                        "section",
                                        "noreturn",
                                        "clang",
                                        "__global",
                                        "__local",
                                        "__constant",
                                        "__asm__",
                                        "__attribute__",
                                        "__alignof__",
                                        "__builtin_offsetof",
                                        "__builtin_unreachable",
                                        "internal_linkage",
                                        "always_inline",
                                        "__vl_block",
                                        "__vl_args"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fprintf(f, "#undef %s\n", words[i]);
    for (size_t k = 0; k < u->nkernels; k++) {
        fprintf(f, "#undef %s\n", u->kernels[k].name);
        for (size_t i = 0; i < u->kernels[k].nargs; i++)
            for (const char *p = u->kernels[k].args[i].type; *p;) {
                size_t n = 0;
                while (isalnum((unsigned char)p[n]) || p[n] == '_')
                    n++;
                if (n && !isdigit((unsigned char)*p) && !(n == 4 && !strncmp(p, "bool", 4)))
                    fprintf(f, "#undef %.*s\n", (int)n, p);
                p += n + !n;
            }
    }
    fputs("#pragma pack()\n", f);
}

static bool is_own(const cc_unit_t *u, const char *name)
{
    for (size_t i = 0; i < u->own.n; i++)
        if (!strcmp(u->own.items[i], name))
            return true;
    return false;
}

/* The entry of one kernel. The launch block's arguments are a struct: its layout is the ABI's, each member at its natural alignment.
 * Pointers go through `void *`, so only value types are named. */
static void write_entry(FILE *f, const cc_unit_t *u, const cc_kernel_t *k)
{
    static const char *const opencl_space[] = {"", "__global ", "__constant ", "__local "};
    const char *constant = u->opencl ? "__constant " : "";
    if (k->nargs) {
        fprintf(f, "struct __vellum_args_%s {\n", k->name);
        for (size_t i = 0; i < k->nargs; i++) {
            const cc_arg_t *a = &k->args[i];
            if (a->kind == CC_VALUE)
                fprintf(f, "    %s __vl_%zu;\n", a->type, i);
            else
                fprintf(f, "    %svoid *__vl_%zu;\n", u->opencl ? opencl_space[a->kind] : "", i);
        }
        fprintf(f,
                "};\n%sconst unsigned long __vellum_layout_%s[] __attribute__((internal_linkage, used, "
                "section(\".vellum.layout\"))) = {\n", /* OpenCL C 1.0 and 1.1 have no static */
                constant, k->name);
        for (size_t i = 0; i < k->nargs; i++)
            fprintf(f,
                    "    sizeof(((struct __vellum_args_%s *)0)->__vl_%zu), __alignof__(((struct __vellum_args_%s "
                    "*)0)->__vl_%zu), "
                    "__builtin_offsetof(struct __vellum_args_%s, __vl_%zu),\n",
                    k->name, i, k->name, i, k->name, i);
        fputs("};\n", f);
    }
    fprintf(f, "__attribute__((noreturn, used)) void __vellum_entry_%s(void)\n{\n", k->name);
    if (k->nargs)
        fprintf(f,
                "    unsigned long __vl_block;\n    __asm__(\"csrr %%0, 0xccc\" : \"=r\"(__vl_block));\n"
                "    %sconst struct __vellum_args_%s *__vl_args = (%sconst struct __vellum_args_%s *)(__vl_block + "
                "0x80);\n",
                constant, k->name, constant, k->name);
    fprintf(f, "    [[clang::always_inline]] %s%s(", is_own(u, k->name) ? OWN : "", k->name);
    for (size_t i = 0; i < k->nargs; i++)
        fprintf(f, "%s__vl_args->__vl_%zu", i ? ", " : "", i);
    fputs(");\n    __asm__ volatile(\".insn 0x0000000b\" ::: \"memory\");\n    __builtin_unreachable();\n}\n", f);
}

int cc_write_wrapper(const cc_unit_t *u, const char *device, const char *path)
{
    size_t bytes;
    char *text = cc_read_file(u->source, &bytes);
    if (!text)
        return cc_error(CC_USAGE, "cannot read %s: %s", u->source, strerror(errno));
    FILE *f = begin(path);
    if (!f)
        return CC_FAILED;
    for (size_t i = 0; i < u->own.n; i++)
        fprintf(f, "#define %s " OWN "%s\n", u->own.items[i], u->own.items[i]);
    if (u->opencl && u->prints) { /* in C, vellum.h has it */
        char *header = cc_format("%s/vellum_print.h", device);
        fputs("#include ", f);
        quoted(f, header);
        fputc('\n', f);
        free(header);
    }
    if (!u->large)
        fputs("#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)\n", f);
    fputs("#line 1 ", f);
    quoted(f, u->source);
    fputc('\n', f);
    /* A byte order mark counts at the start of a file only. */
    size_t skip = bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    fwrite(text + skip, 1, bytes - skip, f);
    fprintf(f, "\n\n#line 1 \"<entries of vellum cc>\"\n%s", u->large ? "" : "#pragma clang attribute pop\n");
    undo_macros(f, u);
    for (size_t i = 0; i < u->nkernels; i++)
        write_entry(f, u, &u->kernels[i]);
    free(text);
    return end(f, path);
}

/* One note: header, name, and a descriptor between two labels. */
static void note_begin(FILE *f, size_t id, unsigned type)
{
    fprintf(f,
            "    .balign 4\n    .word 7, .Lend%zu - .Ldesc%zu, %u\n    .asciz \"Vellum\"\n    .balign 4\n.Ldesc%zu:\n",
            id, id, type, id);
}

static void note_end(FILE *f, size_t id)
{
    fprintf(f, "    .balign 4\n.Lend%zu:\n", id);
}

int cc_write_notes(const cc_unit_t *u, const char *path)
{
    FILE *f = begin(path);
    if (!f)
        return CC_FAILED;
    if (!u->nkernels) /* an image of functions alone (--no-kernels) has one instruction, and nothing leads there */
        fputs("    .section .text.__vellum_entry_, \"ax\"\n    .insn 0x0000000b\n", f);
    fputs("    .section .note.vellum, \"a\", @note\n", f);
    for (size_t i = 0; i < u->nkernels; i++) {
        const cc_kernel_t *k = &u->kernels[i];
        note_begin(f, i, 1);
        fprintf(f, "    .word 1, %u\n    .quad __vellum_entry_%s\n    .word ",
                (k->barrier ? 1u : 0u) | (u->prints ? 2u : 0u) | (k->hints ? 4u : 0u), k->name);
        if (k->overlay)
            fprintf(f, "__vellum_local_%zu", k->overlay);
        else
            fputs("0", f);
        fprintf(f, ", %u, %u, %u, %u\n    .word %zu, %u, .Lname%zu - .Ldesc%zu\n", k->stack, k->reqd[0], k->reqd[1],
                k->reqd[2], k->nargs, k->end, i, i);
        for (size_t a = 0; a < k->nargs; a++)
            fprintf(f, "    .word .Larg%zu_%zu - .Ldesc%zu, .Ltype%zu_%zu - .Ldesc%zu, %u, %u, %u, %u\n", i, a, i, i, a,
                    i, (unsigned)k->args[a].kind | k->args[a].qualifiers << 8, k->args[a].size, k->args[a].align,
                    k->args[a].offset);
        fprintf(f, ".Lname%zu: .asciz ", i);
        quoted(f, k->name);
        if (k->hints) {
            fputs("\n    .asciz ", f);
            quoted(f, k->hints);
        }
        for (size_t a = 0; a < k->nargs; a++) {
            fprintf(f, "\n.Larg%zu_%zu: .asciz ", i, a);
            quoted(f, k->args[a].name);
            fprintf(f, "\n.Ltype%zu_%zu: .asciz ", i, a);
            quoted(f, k->args[a].type);
        }
        fputc('\n', f);
        note_end(f, i);
    }
    note_begin(f, u->nkernels, 2);
    fputs("    .asciz ", f);
    quoted(f, u->version);
    fputs("\n    .ascii \"\"", f);
    for (size_t i = 0; i < u->note.n; i++) {
        fputs("\n    .ascii ", f);
        quoted(f, u->note.items[i]);
        if (i + 1 < u->note.n)
            fputs("\n    .ascii \" \"", f);
    }
    fputs("\n    .byte 0\n", f);
    note_end(f, u->nkernels);
    return end(f, path);
}

int cc_write_locals(const cc_unit_t *u, const char *path)
{
    FILE *f = begin(path);
    if (!f)
        return CC_FAILED;
    size_t last = 0;
    for (size_t i = 0; i < u->nlocals; i++)
        last = u->locals[i].overlay > last ? u->locals[i].overlay : last;
    for (size_t o = 1; o <= last; o++) {
        fprintf(f, ".vl_local.%zu 0x30000000 (NOLOAD) : {", o);
        for (size_t i = 0; i < u->nlocals; i++)
            if (u->locals[i].overlay == o)
                fprintf(f, " *(%s)", u->locals[i].section);
        fprintf(f, " } :NONE\n__vellum_local_%zu = SIZEOF(.vl_local.%zu);\n", o, o);
    }
    return end(f, path);
}
