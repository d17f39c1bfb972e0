/* Messages about a source: where in it a function is called, or double is used. Asked for only where there is something to tell, so it may be slow. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines, from the compiler's first pass with debugging information ---- */

/* Where line `!ID = ...` of the metadata is. */
static const char *metadata(const char *ir, unsigned id)
{
    char key[24];
    snprintf(key, sizeof key, "\n!%u = ", id);
    const char *p = strstr(ir, key);
    return p ? p + strlen(key) : NULL;
}

/* The number behind `key` in the line at p. */
static bool field(const char *p, const char *key, unsigned *value)
{
    const char *end = p ? strchr(p, '\n') : NULL, *at = p ? strstr(p, key) : NULL;
    return at && end && at < end && sscanf(at + strlen(key), "%u", value) == 1;
}

/* "a.cl:5", malloced, of a DILocation; NULL: not understood. */
static char *place_of(const char *ir, const char *source, unsigned location)
{
    unsigned line, scope, file;
    const char *p = metadata(ir, location);
    if (!field(p, "line: ", &line) || !field(p, "scope: !", &scope) || !field(metadata(ir, scope), "file: !", &file)
        || !(p = metadata(ir, file)) || !(p = strstr(p, "filename: \"")))
        return NULL;
    p += strlen("filename: \"");
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const size_t n = strcspn(p, "\"");
    if (strlen(name) == n && !strncmp(p, name, n)) /* name the source as the user did; its folder is not repeated */
        return cc_format("%s:%u", source, line);
    return cc_format("%.*s:%u", (int)n, p, line);
}

/* Does the line at p use @NAME? */
static bool uses(const char *p, const char *end, const char *name)
{
    const size_t n = strlen(name);
    for (; (p = memchr(p, '@', (size_t)(end - p))); p++)
        if ((size_t)(end - p) > n + 1 && !strncmp(p + 1, name, n) && !isalnum((unsigned char)p[n + 1])
            && p[n + 1] != '_' && p[n + 1] != '.')
            return true;
    return false;
}

/* The location of the first instruction that uses @NAME, in function `from` if that is not NULL. */
static bool find_use(const char *ir, const char *from, const char *name, unsigned *location)
{
    bool in = false;
    for (const char *p = ir, *end; *p; p = end + (*end != 0)) {
        end = p + strcspn(p, "\n");
        if (!strncmp(p, "define ", 7))
            in = !from || uses(p, end, from);
        else if (*p == '}')
            in = false;
        else if (in && uses(p, end, name) && field(p, "!dbg !", location))
            return true;
    }
    return false;
}

/* Arithmetic, a comparison or a function of double, and no conversion: one of a float to double may be for printf alone. */
static bool is_double_operation(const char *p, const char *end)
{
    static const char *const operations[] = {"fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp"};
    p = memmem(p, (size_t)(end - p), " = ", 3);
    if (!p || !memmem(p, (size_t)(end - p), "double", 6))
        return false;
    p += 3;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (!strncmp(p, operations[i], 4))
            return true;
    return !strncmp(p, "call", 4) && memmem(p, (size_t)(end - p), "@_Z", 3);
}

char *cc_module_with_lines(const cc_unit_t *u)
{
    char *path = cc_format("%s/where", u->dir);
    cc_strings_t c = {0};
    for (size_t i = 0; i < u->compiler.n; i++)
        cc_push(&c, u->compiler.items[i]);
    char *source = cc_format("%s%s", u->source[0] == '-' ? "./" : "", u->source);
    const char *const rest[] = {
        "-w", "-O0", "-S", "-emit-llvm", "-gline-tables-only", "-Xclang", "-disable-llvm-passes", "-o", path, source};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        cc_push(&c, rest[i]);
    char *ir = cc_run_quietly(&c) ? NULL : cc_read_file(path, NULL);
    free(path);
    free(source);
    return ir;
}

char *cc_where_double(const cc_unit_t *u)
{
    char *ir = cc_module_with_lines(u), *place = NULL;
    unsigned location;
    for (const char *p = ir, *end; p && *p && !place; p = end + (*end != 0)) {
        end = p + strcspn(p, "\n");
        if (is_double_operation(p, end) && field(p, "!dbg !", &location))
            place = place_of(ir, u->source, location);
    }
    free(ir);
    return place;
}

char *cc_where(const cc_unit_t *u, const char *from, const char *name)
{
    char *ir = cc_module_with_lines(u), *place = NULL;
    unsigned location;
    if (ir && ((from && find_use(ir, from, name, &location)) || find_use(ir, NULL, name, &location)))
        place = place_of(ir, u->source, location);
    free(ir);
    return place ? place : cc_format("%s", u->source);
}
