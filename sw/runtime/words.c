#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

bool vl_parse_u64(const char *text, uint64_t max, uint64_t *out)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + 2 * hex;
    const size_t n = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (!n || digits[n])
        return false;
    errno = 0;
    const unsigned long long v = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno || v > max)
        return false;
    *out = v;
    return true;
}

bool vl_parse_i64(const char *text, int64_t min, int64_t max, int64_t *out)
{
    const bool negative = *text == '-';
    uint64_t v;
    if (!vl_parse_u64(text + negative, negative ? (uint64_t)0 - (uint64_t)min : (uint64_t)max, &v))
        return false;
    *out = (int64_t)(negative ? (uint64_t)0 - v : v);
    return true;
}

bool vl_parse_size(const char *text, uint64_t max, uint64_t *out)
{
    static const char units[] = "kmg";
    char number[32];
    const size_t n = strlen(text);
    const char *unit = n ? strchr(units, text[n - 1]) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    const size_t digits = n - !!unit;
    if (digits >= sizeof number)
        return false;
    memcpy(number, text, digits);
    number[digits] = 0;
    if (!vl_parse_u64(number, max >> shift, out))
        return false;
    *out <<= shift;
    return true;
}

bool vl_parse_seconds(const char *text, double *out)
{
    double v = 0, part = 1;
    bool any = false, point = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9')
            return false;
        any = true;
        if (point)
            v += (part /= 10) * (*text - '0');
        else
            v = v * 10 + (*text - '0');
    }
    if (!any || v > 1e9)
        return false;
    *out = v;
    return true;
}

int64_t vl_parse_name(const char *names, const char *text, size_t n)
{
    for (int64_t v = 0; *names; v++) {
        const size_t length = strcspn(names, ",");
        if (length == n && !strncmp(names, text, n))
            return v;
        names += length + (names[length] == ',');
    }
    return -1;
}

bool vl_parse_switch(const char *text, bool *out)
{
    const int64_t v = vl_parse_name("0,1,no,yes,off,on,false,true", text, strlen(text));
    if (v >= 0)
        *out = v & 1;
    return v >= 0;
}

const char *vl_env(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

int vl_env_u64(const char *name, uint64_t max, uint64_t *out, vl_error *err)
{
    const char *value = vl_env(name);
    if (!value || vl_parse_u64(value, max, out))
        return 0;
    return vl_fail(err, VL_EINVAL, "%s=%.80s: not a number from 0 to %" PRIu64 " (decimal, or hexadecimal behind 0x)",
                   name, value, max);
}

int vl_env_seconds(const char *name, double *out, vl_error *err)
{
    const char *value = vl_env(name);
    if (!value || vl_parse_seconds(value, out))
        return 0;
    return vl_fail(err, VL_EINVAL, "%s=%.80s: not a number of seconds, such as 0.5", name, value);
}

int vl_env_switch(const char *name, bool *out, vl_error *err)
{
    const char *value = vl_env(name);
    if (!value || vl_parse_switch(value, out))
        return 0;
    return vl_fail(err, VL_EINVAL, "%s=%.80s: 1, yes, on or true, or 0, no, off or false", name, value);
}

int vl_env_list(const char *name, const char *names, uint64_t *out, vl_error *err)
{
    const char *value = vl_env(name), *at = value;
    uint64_t bits = 0;
    while (at) {
        const size_t n = strcspn(at, ",");
        const int64_t v = vl_parse_name(names, at, n);
        if (v < 0 || bits >> v & 1)
            return vl_fail(err, VL_EINVAL, "%s=%.80s: not words of %s, each once, with commas between them", name,
                           value, names);
        bits |= 1ull << v;
        at = at[n] ? at + n + 1 : NULL;
    }
    if (value)
        *out = bits;
    return 0;
}
