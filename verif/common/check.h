/* Checks of a test program of the library: they are counted, and one that fails prints the error. The program's last line is that of check_verdict. */
#ifndef VELLUM_VERIF_CHECK_H
#define VELLUM_VERIF_CHECK_H

#include "sw/runtime/vellum.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned passed, failed;
static char check_name[128]; /* the subject of the checks, for the messages; may be empty */
static bool check_first; /* the first check that fails ends the program: a bug is planted, and one message is enough */

__attribute__((format(printf, 2, 3))) static inline void check(bool ok, const char *fmt, ...)
{
    va_list ap;
    passed += ok;
    failed += !ok;
    if (ok)
        return;
    va_start(ap, fmt);
    printf("FAILED: %s%s", check_name, *check_name ? ": " : "");
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
    if (check_first)
        exit(1);
}

/* An error of the library without which the test cannot go on. */
static inline void check_call(vl_device *dev, const vl_error *err, int e, const char *what)
{
    if (!e)
        return;
    printf("FAILED: %s%s%s: %s\n%u passed, %u failed\n", check_name, *check_name ? ": " : "", what,
           dev && *vl_detail(dev) ? vl_detail(dev) : err->text, passed, failed + 1);
    exit(1);
}

static inline int check_verdict(void)
{
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}

#endif
