/* Names that the source and the device library both define. The compiler itself emits calls of the library's (memcpy, __adddf3), so the source's get other names. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is `name` a line of the text? */
static bool is_listed(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = names; (p = strstr(p, name)); p += n)
        if ((p == names || p[-1] == '\n') && p[n] == '\n')
            return true;
    return false;
}

/* "_Z3sinf": the program has a function of OpenCL C's own name and arguments. */
static void tell_builtin(const cc_unit_t *u, const char *mangled)
{
    char *name;
    const unsigned long n = strtoul(mangled + 2, &name, 10);
    fprintf(stderr,
            "%s: note: OpenCL C has a function %.*s with these arguments; this program's own takes its place, in the "
            "library's functions too\n",
            u->source, (int)n, name);
}

int cc_find_own_names(cc_unit_t *u, const char *text, bool quiet)
{
    char *path = cc_format("%s/names", u->device), *names = cc_read_file(path, NULL);
    if (!names)
        return cc_error(CC_FAILED, "cannot read %s: %s", path, strerror(errno));
    for (const char *p = text, *end; *p; p = end + (*end != 0)) {
        end = p + strcspn(p, "\n");
        /* An object of OpenCL C may use a function of another that is named so. */
        const bool function = !strncmp(p, "define ", 7), other = u->opencl && !strncmp(p, "declare ", 8);
        const char *at = function || other || *p == '@' ? memchr(p, '@', (size_t)(end - p)) : NULL;
        size_t n = 0;
        while (at && (isalnum((unsigned char)at[n + 1]) || at[n + 1] == '_'))
            n++;
        char *name = n ? cc_format("%.*s", (int)n, at + 1) : NULL;
        const bool mangled = name && !strncmp(name, "_Z", 2);
        if (name && !(mangled && other) && is_listed(names, name)) {
            if (!mangled)
                cc_push(&u->own, name);
            else if (!quiet)
                tell_builtin(u, name);
        }
        free(name);
    }
    free(names);
    free(path);
    return CC_OK;
}
