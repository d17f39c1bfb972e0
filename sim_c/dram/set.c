/* See set.h. */
#include "sim_c/dram/set.h"
#include "sim_c/common/error.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    uint32_t least, most;
} field[] = {
#define F(f, least, most) {#f, offsetof(dram_set_t, f), least, most},
    DRAM_SET_FIELDS(F)
#undef F
};
#define FIELDS (sizeof field / sizeof *field)

static uint32_t *at(dram_set_t *set, size_t i)
{
    return (uint32_t *)((char *)set + field[i].offset);
}

__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t size, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    if (size)
        vsnprintf(why, size, format, ap);
    va_end(ap);
    return SIM_ECONFIG;
}

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

int dram_set_check(const dram_set_t *s, char *why, size_t size)
{
    for (size_t i = 0; i < FIELDS; i++) {
        uint32_t v = *at((dram_set_t *)s, i);
        if (v < field[i].least || v > field[i].most)
            return refuse(why, size, "field '%s' is %u, must be %u..%u", field[i].name, v, field[i].least,
                          field[i].most);
    }
    const struct {
        const char *name;
        uint32_t value;
    } sizes[] = {{"bank_groups", s->bank_groups},  {"banks", s->banks},       {"rows", s->rows},
                 {"columns", s->columns},          {"bus_bits", s->bus_bits}, {"burst", s->burst},
                 {"burst_clocks", s->burst_clocks}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!power_of_two(sizes[i].value))
            return refuse(why, size, "field '%s' is %u, must be a power of two", sizes[i].name, sizes[i].value);
    if (s->bank_groups * s->banks > DRAM_BANKS_MAX)
        return refuse(why, size, "field 'banks' is impossible: more than %d banks in all", DRAM_BANKS_MAX);
    if (s->columns < s->burst)
        return refuse(why, size, "field 'burst' is impossible: longer than a row");
    if (dram_burst_bytes(s) < s->burst_clocks || dram_beat_bytes(s) > DRAM_BEAT_MAX)
        return refuse(why, size, "field 'burst_clocks' is impossible: a clock must move 1..%d bytes", DRAM_BEAT_MAX);
    if (s->tccd_s > s->tccd_l || s->trrd_s > s->trrd_l || s->twtr_s > s->twtr_l)
        return refuse(why, size, "field '%s' is impossible: shorter than the one between bank groups",
                      s->tccd_s > s->tccd_l   ? "tccd_l"
                      : s->trrd_s > s->trrd_l ? "trrd_l"
                                              : "twtr_l");
    if (!s->trefi != !s->trfc || (s->trefi && s->trefi <= s->trfc))
        return refuse(why, size, "field 'trfc' is impossible: shorter than trefi, or both 0");
    return 0;
}

/* One `key = value` at p, which ends at a zero byte. */
static int assign(dram_set_t *set, bool *seen, const char *p, unsigned line, char *why, size_t size)
{
    char key[32], word[16];
    int used = 0, end = 0;
    if (sscanf(p, "%31[a-z_] = %n", key, &used) != 1 || !used)
        return refuse(why, size, "line %u: not `key = value`", line);
    p += used;
    if (!strcmp(key, "standard")) {
        if (seen[FIELDS])
            return refuse(why, size, "line %u: '%s' a second time", line, key);
        if (sscanf(p, "\"%15[^\"]\" %n", word, &end) != 1 || !end || (p[end] && p[end] != '#'))
            return refuse(why, size, "line %u: field 'standard' must be a word of up to 15 letters in quotes", line);
        strcpy(set->standard, word);
        seen[FIELDS] = true;
        return 0;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        if (strcmp(key, field[i].name))
            continue;
        if (seen[i])
            return refuse(why, size, "line %u: '%s' a second time", line, key);
        char *rest;
        errno = 0;
        unsigned long v = strtoul(p, &rest, 10);
        if (!isdigit((unsigned char)*p) || errno || v > UINT32_MAX)
            return refuse(why, size, "line %u: field '%s' must be an integer", line, key);
        while (isspace((unsigned char)*rest))
            rest++;
        if (*rest && *rest != '#')
            return refuse(why, size, "line %u: field '%s' must be an integer", line, key);
        *at(set, i) = (uint32_t)v;
        seen[i] = true;
        return 0;
    }
    return refuse(why, size, "line %u: unknown field '%s'", line, key);
}

int dram_set_parse(dram_set_t *set, const char *text, size_t bytes, char *why, size_t size)
{
    bool seen[FIELDS + 1] = {0};
    memset(set, 0, sizeof *set);
    unsigned line = 1;
    for (const char *p = text, *limit = text + bytes; p < limit; line++) {
        const char *end = memchr(p, '\n', (size_t)(limit - p));
        size_t n = (size_t)((end ? end : limit) - p);
        char copy[256];
        size_t skip = 0;
        while (skip < n && isspace((unsigned char)p[skip]))
            skip++;
        if (skip < n && p[skip] != '#') {
            if (n - skip >= sizeof copy || memchr(p, 0, n))
                return refuse(why, size, "line %u: not text, or too long", line);
            memcpy(copy, p + skip, n - skip);
            copy[n - skip] = 0;
            int e = assign(set, seen, copy, line, why, size);
            if (e)
                return e;
        }
        p += n + 1;
    }
    for (size_t i = 0; i <= FIELDS; i++)
        if (!seen[i])
            return refuse(why, size, "field '%s' is missing", i < FIELDS ? field[i].name : "standard");
    return dram_set_check(set, why, size);
}

int dram_set_read(dram_set_t *set, const char *path, char *why, size_t size)
{
    enum { MOST = 1 << 16 }; /* far beyond any set */
    FILE *f = fopen(path, "rb");
    if (!f) {
        refuse(why, size, "%s: %s", path, strerror(errno));
        return SIM_EIO;
    }
    char *text = malloc(MOST);
    size_t n = text ? fread(text, 1, MOST, f) : 0;
    int e = text ? 0 : SIM_ENOMEM;
    if (!e && (ferror(f) || n == MOST)) {
        refuse(why, size, "%s: cannot be read, or is no timing set", path);
        e = SIM_EIO;
    }
    fclose(f);
    if (!e)
        e = dram_set_parse(set, text, n, why, size);
    free(text);
    return e;
}
