/* Allocations that fail: the n-th from a call on, for tests that go through all of them. Link with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc (what shared
 * libraries allocate does not count); one source of a program defines FAILING_HERE before it includes this.
 *
 *     for (uint64_t n = 0, failed = 1; failed; n++) { failing_from(n); ...; failed = failing_stop(); ... }
 */
#ifndef VERIF_COMMON_FAILING_H
#define VERIF_COMMON_FAILING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allocation after n more fails, and no other. */
void failing_from(uint64_t n);
/* None does any more. Whether it has. */
bool failing_stop(void);
/* For other calls that may fail: it is their turn. */
bool failing_now(void);

#ifdef FAILING_HERE
#include <errno.h>
#include <stdatomic.h>

static struct {
    atomic_bool on, failed; /* several threads allocate */
    atomic_uint_least64_t left;
} failing;

void failing_from(uint64_t n)
{
    failing.on = true;
    failing.failed = false;
    failing.left = n;
}

bool failing_stop(void)
{
    failing.on = false;
    return failing.failed;
}

bool failing_now(void)
{
    if (!failing.on || failing.failed || failing.left--)
        return false;
    errno = ENOMEM;
    return failing.failed = true;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return failing_now() ? NULL : __real_malloc(bytes);
}
void *__wrap_calloc(size_t n, size_t bytes)
{
    return failing_now() ? NULL : __real_calloc(n, bytes);
}
void *__wrap_realloc(void *p, size_t bytes)
{
    return failing_now() ? NULL : __real_realloc(p, bytes);
}
#endif
#endif
