#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/tools/tool.h"

int complain(const char *command, int status, const char *format, ...)
{
    va_list ap;
    fprintf(stderr, "vellum%s%s: ", *command ? " " : "", command);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    return status;
}

int status_of(int code)
{
    switch (code) {
    case VL_OK: return EXIT_OK;
    case VL_EFAULT: return EXIT_FAULT;
    case VL_EDIFF: return EXIT_DIFF;
    case VL_ELIMIT: return EXIT_LIMIT;
    case VL_EINTR: return EXIT_SIGNAL;
    case VL_ENOMEM:
    case VL_EBACKEND: return EXIT_TOOL;
    default: return EXIT_USAGE;
    }
}

int next_option(option_reader *r, const char **value)
{
    if (r->at >= r->argc)
        return -2;
    const char *word = r->argv[r->at++];
    if (!r->only_words && !strcmp(word, "--")) {
        r->only_words = true;
        return next_option(r, value);
    }
    if (r->only_words || word[0] != '-' || !word[1]) {
        *value = word;
        return -1;
    }
    const char *eq = strchr(word, '=');
    size_t n = eq ? (size_t)(eq - word) : strlen(word);
    for (int i = 0; r->specs[i].name; i++) {
        const option_spec *s = &r->specs[i];
        if (n != strlen(s->name) + 2 || strncmp(word, "--", 2) || strncmp(word + 2, s->name, n - 2))
            continue;
        if (!s->repeats && r->seen >> i & 1) {
            complain(r->command, 0, "--%s is given twice", s->name);
            return -3;
        }
        r->seen |= 1ull << i;
        *value = NULL;
        if (!s->takes_value) {
            if (!eq)
                return i;
            complain(r->command, 0, "--%s takes no value", s->name);
            return -3;
        }
        if (eq)
            *value = eq + 1;
        else if (r->at < r->argc)
            *value = r->argv[r->at++];
        if (*value && **value)
            return i;
        complain(r->command, 0, "--%s needs a value", s->name);
        return -3;
    }
    complain(r->command, 0, "unknown option %.*s (see vellum help %s)", (int)n, word, r->command);
    return -3;
}

uint32_t parse_triple(const char *s, uint64_t max, uint64_t out[3])
{
    char part[32];
    for (uint32_t n = 0; n < 3; n++) {
        size_t len = strcspn(s, ",");
        if (len >= sizeof part)
            return 0;
        memcpy(part, s, len);
        part[len] = 0;
        if (!vl_parse_u64(part, max, &out[n]))
            return 0;
        if (!s[len])
            return n + 1;
        s += len + 1;
    }
    return 0;
}
