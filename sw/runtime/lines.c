/* DWARF by way of elfutils' libdw. Functions are inlined into their kernels, so the function of an instruction is the innermost that was inlined there. */
#include "sw/runtime/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vl_lines {
    Elf *elf;
    Dwarf *dwarf;
};

vl_lines *vl_lines_open(const void *file, size_t bytes)
{
    vl_lines *l = file && elf_version(EV_CURRENT) != EV_NONE ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->elf = elf_memory((char *)(uintptr_t)file, bytes); /* read only: it is not written with ELF_C_READ */
    l->dwarf = l->elf ? dwarf_begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
    if (l->dwarf)
        return l;
    vl_lines_close(l);
    return NULL;
}

void vl_lines_close(vl_lines *l)
{
    if (!l)
        return;
    if (l->dwarf)
        dwarf_end(l->dwarf);
    if (l->elf)
        elf_end(l->elf);
    free(l);
}

/* A file as it was named to the compiler: without the folder that it ran in. */
static void put_file(Dwarf_Die *unit, const char *path, char *to, size_t size)
{
    Dwarf_Attribute a;
    const char *dir = dwarf_attr(unit, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
    const size_t n = dir ? strlen(dir) : 0;
    if (n && !strncmp(path, dir, n) && path[n] == '/')
        path += n + 1;
    snprintf(to, size, "%s", path);
}

/* The last line that is known before the end of pc's instruction: some are the compiler's own, and have line 0. */
static bool find_line(Dwarf_Die *unit, uint64_t pc, vl_source *out)
{
    Dwarf_Lines *lines;
    size_t n;
    const char *file = NULL;
    int line = 0;
    bool in = false; /* pc's sequence */
    if (dwarf_getsrclines(unit, &lines, &n))
        return false;
    for (size_t i = 0; i < n && !in; i++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i), *next = i + 1 < n ? dwarf_onesrcline(lines, i + 1) : NULL;
        Dwarf_Addr from, to = UINT64_MAX;
        bool end;
        int number;
        if (dwarf_lineaddr(at, &from) || dwarf_lineendsequence(at, &end) || dwarf_lineno(at, &number))
            return false;
        if (end) {
            line = 0;
            continue;
        }
        if (number)
            line = number, file = dwarf_linesrc(at, NULL, NULL);
        if (next)
            (void)dwarf_lineaddr(next, &to);
        in = from <= pc && pc < to;
    }
    if (!in || !line || !file)
        return false;
    put_file(unit, file, out->file, sizeof out->file);
    out->line = (uint32_t)line;
    return true;
}

/* Kernels are functions called by entry functions that `vellum cc` generates, which are not in the source. */
static bool is_entry(const char *name)
{
    return !strncmp(name, "__vellum_entry_", 15);
}

static void put_call(Dwarf_Die *unit, Dwarf_Die *inlined, vl_source *out)
{
    Dwarf_Attribute a;
    Dwarf_Word line = 0, index = 0;
    Dwarf_Files *files;
    size_t n;
    if (!dwarf_attr(inlined, DW_AT_call_line, &a) || dwarf_formudata(&a, &line)
        || !dwarf_attr(inlined, DW_AT_call_file, &a) || dwarf_formudata(&a, &index)
        || dwarf_getsrcfiles(unit, &files, &n) || index >= n)
        return;
    const char *file = dwarf_filesrc(files, index, NULL, NULL);
    if (!file)
        return;
    put_file(unit, file, out->call_file, sizeof out->call_file);
    out->call_line = (uint32_t)line;
}

/* The innermost function there, and where it was called from, unless by an entry. */
static void find_function(Dwarf_Die *unit, uint64_t pc, vl_source *out)
{
    Dwarf_Die *scopes = NULL, *around = NULL;
    int n = dwarf_getscopes(unit, pc, &scopes);
    if (n <= 0)
        return;
    n = dwarf_getscopes_die(&scopes[0], &around);
    const Dwarf_Die *inner = NULL;
    for (int i = 0; i < n; i++) {
        const int tag = dwarf_tag(&around[i]);
        const char *name =
            tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ? dwarf_diename(&around[i]) : NULL;
        if (!name || is_entry(name)) {
            if (name)
                break;
        } else if (inner) {
            put_call(unit, (Dwarf_Die *)(uintptr_t)inner, out);
            break;
        } else {
            snprintf(out->function, sizeof out->function, "%s", name);
            inner = &around[i];
        }
    }
    free(scopes);
    if (n > 0)
        free(around);
}

bool vl_lines_find(vl_lines *l, uint64_t pc, vl_source *out)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    *out = (vl_source){0};
    while (l && !dwarf_get_units(l->dwarf, cu, &cu, NULL, NULL, &unit, NULL)) {
        if (dwarf_haspc(&unit, pc) != 1 || !find_line(&unit, pc, out))
            continue;
        find_function(&unit, pc, out);
        return true;
    }
    return false;
}
