/* How much code there is when every call of a function of the source is replaced by the function (docs/kernels.md): calls on many levels multiply. */
#include "sw/tools/cc_internal.h"
#include "sw/tools/cc_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *name;
    const char *body;
    size_t total; /* with all that it calls */
    enum { NEW, OPEN, DONE } state;
} function_t;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const function_t *)a)->name, ((const function_t *)b)->name);
}

/* The name behind '@' at p, malloced. */
static char *name_at(const char *p)
{
    size_t n = 1;
    if (*p == '"')
        n += strcspn(p + 1, "\"") + 1;
    else
        while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.$-", p[n])))
            n++;
    return cc_format("%.*s", (int)n, p);
}

static size_t total(function_t *f, function_t *all, size_t n)
{
    if (f->state != NEW) /* one that is open is recursive, and is refused later */
        return f->total;
    f->state = OPEN;
    size_t sum = 0;
    for (const char *p = f->body, *end; *p && *p != '}'; p = end + (*end != 0)) {
        end = p + strcspn(p, "\n");
        const char *call = *p == ' ' ? memmem(p, (size_t)(end - p), "call ", 5) : NULL,
                   *at = call ? memchr(call, '@', (size_t)(end - call)) : NULL;
        sum += *p == ' ';
        if (!at)
            continue;
        const function_t key = {.name = name_at(at + 1)};
        function_t *called = bsearch(&key, all, n, sizeof *all, by_name);
        free(key.name);
        const size_t more = called ? total(called, all, n) : 0;
        sum = sum + more < sum ? SIZE_MAX : sum + more;
    }
    f->state = DONE;
    return f->total = sum;
}

size_t cc_inlined_size(const char *ir)
{
    function_t *all = NULL;
    size_t n = 0, sum = 0;
    for (const char *p = ir; p; p = strstr(p + 1, "\ndefine ")) {
        const char *at = strncmp(p, "\ndefine ", 8) ? NULL : strchr(p, '@'), *body = at ? strchr(at, '\n') : NULL;
        if (!body)
            continue;
        all = cc_grow(all, n, sizeof *all);
        all[n++] = (function_t){.name = name_at(at + 1), .body = body + 1};
    }
    if (n)
        qsort(all, n, sizeof *all, by_name);
    for (size_t i = 0; i < n; i++) {
        const size_t t = total(&all[i], all, n);
        sum = sum + t < sum ? SIZE_MAX : sum + t;
    }
    for (size_t i = 0; i < n; i++)
        free(all[i].name);
    free(all);
    return sum;
}

/* Functions of objects are marked before the other objects of the link are known. */
int cc_inline_by_size(const char *path)
{
    char *text = cc_read_file(path, NULL);
    const bool read = text != NULL;
    for (char *p = text; p && (p = strstr(p, "\nattributes #"));) {
        char *end = p + 1 + strcspn(p + 1, "\n"), *mark = memmem(p, (size_t)(end - p), "{ alwaysinline ", 15);
        if (mark
            && memmem(p, (size_t)(end - p), "\"target-cpu\"",
                      12)) /* of a function; an entry's call of its kernel stays */
            memset(mark + 2, ' ', 12);
        p = end;
    }
    const bool good = read && cc_write_file(path, text, strlen(text));
    free(text);
    return good ? CC_OK : cc_error(CC_FAILED, "cannot write %s: %s", path, strerror(errno));
}
