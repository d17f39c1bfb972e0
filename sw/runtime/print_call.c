/* One call of printf as text: the format of OpenCL 1.2, 6.12.13, with the arguments of a record (docs/printf.md, H4 to H6). */
#include "sw/runtime/print.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNED = 1, UNSIGNED, FLOAT, POINTER }; /* kinds of arguments, as sw/device/vellum_print.h has them */

typedef struct argument {
    unsigned kind, words, n;
    const uint32_t *at;
} argument;

typedef struct conversion {
    char flags[8];
    int width, precision; /* -1: none */
    unsigned vector; /* 0: a scalar */
    enum { PLAIN, HH, H, L, HL } length; /* L: C's ll, j, z, t and L as well */
    char letter;
} conversion;

/* The next argument. False: no more, or not an argument. */
static bool take(const uint32_t **args, const uint32_t *end, argument *a)
{
    if (*args >= end)
        return false;
    const uint32_t tag = **args;
    *a = (argument){tag & 0xff, tag >> 8 & 0xff, tag >> 16, *args + 1};
    if (a->kind < SIGNED || a->kind > POINTER || a->words < 1 || a->words > 2 || a->n < 1 || a->n > 16
        || (size_t)(end - a->at) < (size_t)a->words * a->n)
        return false;
    *args = a->at + a->words * a->n;
    return true;
}

static uint64_t bits_of(const argument *a, unsigned i)
{
    const uint32_t *p = a->at + i * a->words;
    return a->words == 2 ? p[0] | (uint64_t)p[1] << 32 : a->kind == SIGNED ? (uint64_t)(int64_t)(int32_t)p[0] : p[0];
}

static double float_of(const argument *a, unsigned i)
{
    const uint64_t bits = bits_of(a, i);
    if (a->kind != FLOAT)
        return a->kind == SIGNED ? (double)(int64_t)bits : (double)bits;
    if (a->words == 2) {
        double v;
        memcpy(&v, &bits, sizeof v);
        return v;
    }
    const uint32_t low = (uint32_t)bits;
    float v;
    memcpy(&v, &low, sizeof v);
    return (double)v;
}

/* H5: as wide as the length says. */
static uint64_t integer_of(const argument *a, unsigned i, const conversion *c)
{
    const bool is_signed = c->letter == 'd' || c->letter == 'i';
    uint64_t v = bits_of(a, i);
    if (a->kind == FLOAT) {
        const double x = float_of(a, i);
        v = x > -9.2e18 && x < 9.2e18 ? (uint64_t)(int64_t)x : 0;
    }
    const unsigned bits = c->length == HH                   ? 8
                          : c->length == H                  ? 16
                          : c->length == L                  ? 64
                          : c->length == PLAIN && c->vector ? 32 * a->words
                                                            : 32;
    const uint64_t top = 1ull << (bits - 1), mask = top | (top - 1);
    v &= mask;
    return is_signed && v & top ? v | ~mask : v;
}

static void put_element(FILE *to, const conversion *c, const argument *a, unsigned i, vl_string_fn string, void *user)
{
    char host[24];
    const bool integer = strchr("diouxX", c->letter) != NULL;
    snprintf(host, sizeof host, "%%%s*%s%s%c", c->flags, c->precision >= 0 ? ".*" : "", integer ? "ll" : "", c->letter);
    const int width = c->width < 0 ? 0 : c->width;
#define PUT(value)                                                                                                     \
    (void)(c->precision >= 0 ? fprintf(to, host, width, c->precision, (value)) : fprintf(to, host, width, (value)))
    if (integer) {
        PUT((long long)integer_of(a, i, c));
    } else if (c->letter == 'c') {
        PUT((int)bits_of(a, i));
    } else if (c->letter == 'p') {
        PUT((void *)(uintptr_t)bits_of(a, i));
    } else if (c->letter == 's') {
        char *text = a->kind == POINTER ? string(user, bits_of(a, i)) : NULL;
        PUT(text ? text : "(no string)");
        free(text);
    } else {
        PUT(float_of(a, i));
    }
#undef PUT
}

static int number(const char **p)
{
    int n = 0;
    for (; isdigit((unsigned char)**p); (*p)++)
        n = n < 4096 ? 10 * n + (**p - '0') : n;
    return n < 4096 ? n : 4096;
}

/* A width or precision at *p: digits, or an argument for a star. */
static int size(const char **p, const uint32_t **args, const uint32_t *end)
{
    argument a;
    if (**p != '*')
        return number(p);
    ++*p;
    if (!take(args, end, &a))
        return 0;
    const int n = (int)(int32_t)bits_of(&a, 0);
    return n > 4096 ? 4096 : n < -4096 ? -4096 : n;
}

/* C's words for a length, of which OpenCL C has the first four, longest first. */
static const char *length(const char *p, conversion *c)
{
    static const struct {
        const char *word;
        int length;
    } lengths[] = {{"hh", HH}, {"hl", HL}, {"h", H}, {"ll", L}, {"l", L}, {"j", L}, {"z", L}, {"t", L}, {"L", L}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!strncmp(p, lengths[i].word, strlen(lengths[i].word))) {
            c->length = lengths[i].length;
            return p + strlen(lengths[i].word);
        }
    return p;
}

/* H4: behind a %. NULL: it is no conversion. */
static const char *parse(const char *p, conversion *c, const uint32_t **args, const uint32_t *end)
{
    *c = (conversion){.width = -1, .precision = -1};
    size_t n = 0;
    for (; *p && strchr("-+ #0", *p); p++)
        if (!strchr(c->flags, *p) && n < sizeof c->flags - 1)
            c->flags[n++] = *p;
    if (isdigit((unsigned char)*p) || *p == '*')
        c->width = size(&p, args, end);
    if (c->width < -1) { /* of a star: to the left */
        c->width = -c->width;
        if (!strchr(c->flags, '-') && n < sizeof c->flags - 1)
            c->flags[n++] = '-';
    }
    if (*p == '.') {
        p++;
        c->precision = size(&p, args, end);
    }
    if (*p == 'v') {
        p++;
        c->vector = (unsigned)number(&p);
        if (c->vector != 2 && c->vector != 3 && c->vector != 4 && c->vector != 8 && c->vector != 16)
            return NULL;
    }
    p = length(p, c);
    c->letter = *p;
    return *p && strchr("diouxXfFeEgGaAcsp", *p) ? p + 1 : NULL;
}

void vl_print_call(FILE *to, const char *format, const uint32_t *args, const uint32_t *end, vl_string_fn string,
                   void *user)
{
    for (const char *p = format; *p;) {
        conversion c;
        argument a;
        const char *behind;
        const uint32_t *rest = args; /* stays, if it is no conversion */
        if (*p != '%') {
            fputc(*p++, to);
        } else if (p[1] == '%') {
            fputc('%', to);
            p += 2;
        } else if (!(behind = parse(p + 1, &c, &rest, end)) || !take(&rest, end, &a)) {
            fputc(*p++, to); /* H6: not a conversion, or one without an argument, is printed as it is */
        } else {
            args = rest;
            for (unsigned i = 0; i < (c.vector ? a.n : 1); i++) {
                if (i)
                    fputc(',', to);
                put_element(to, &c, &a, i, string, user);
            }
            p = behind;
        }
    }
}
