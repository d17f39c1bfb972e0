/* --arg SPEC: a kernel argument in the user's words, checked, and stored as the kernel expects it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/tools/tool.h"

#define CHUNK (1u << 20)

static bool no(char *why, size_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool no(char *why, size_t n, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(why, n, format, ap);
    va_end(ap);
    return false;
}

static bool parse_float(const char *s, float *v)
{
    char *end;
    errno = 0;
    *v = strtof(s, &end);
    return end != s && !*end && !strchr(" \t\n\v\f\r+", *s) && !(errno == ERANGE && isinf(*v));
}

static bool parse_element(arg_spec *a, const char *s, unsigned char *to)
{
    uint64_t bytes = a->bits / 8;
    if (a->scalar == 'u') {
        uint64_t v;
        if (!vl_parse_u64(s, UINT64_MAX >> (64 - a->bits), &v))
            return false;
        memcpy(to, &v, bytes);
    } else if (a->scalar == 'i') {
        int64_t v, max = INT64_MAX >> (64 - a->bits);
        if (!vl_parse_i64(s, -max - 1, max, &v))
            return false;
        memcpy(to, &v, bytes);
    } else {
        float v;
        if (!parse_float(s, &v))
            return false;
        memcpy(to, &v, sizeof v);
    }
    return true;
}

static bool parse_scalar(arg_spec *a, const char *s, char *why, size_t n)
{
    char part[64];
    for (;;) {
        size_t len = strcspn(s, ",");
        if (a->count == 16)
            return no(why, n, "more than 16 elements");
        if (len >= sizeof part)
            return no(why, n, "'%.40s...' is no number", s);
        memcpy(part, s, len);
        part[len] = 0;
        if (!parse_element(a, part, a->value + a->count * a->bits / 8))
            return no(why, n, "'%s' is no %s of %u bits", part,
                      a->scalar == 'f'   ? "floating-point number"
                      : a->scalar == 'u' ? "unsigned number"
                                         : "number",
                      a->bits);
        a->count++;
        if (!s[len])
            break;
        s += len + 1;
    }
    if (a->count != 1 && a->count != 2 && a->count != 3 && a->count != 4 && a->count != 8 && a->count != 16)
        return no(why, n, "a vector has 2, 3, 4, 8 or 16 elements, not %u", a->count);
    if (a->count == 3)
        a->count = 4; /* kept as four, the last 0 */
    return true;
}

/* One KEY=VALUE of a buffer. */
static bool parse_buffer_key(arg_spec *a, char *part, char *why, size_t n)
{
    char *value = strchr(part, '=');
    uint64_t v;
    if (!value)
        return no(why, n, "'%s' is not of the form KEY=VALUE", part);
    *value++ = 0;
    if (!strcmp(part, "in") || !strcmp(part, "out")) {
        char **to = part[0] == 'i' ? &a->in : &a->out;
        if (*to)
            return no(why, n, "%s= is given twice", part);
        if (!*value)
            return no(why, n, "%s= needs a file", part);
        *to = strdup(value);
        return *to || no(why, n, "out of memory");
    }
    if (!strcmp(part, "fill")) {
        if (a->fill >= 0)
            return no(why, n, "fill= is given twice");
        if (!vl_parse_u64(value, 255, &v))
            return no(why, n, "fill=%s is no byte (0..255)", value);
        a->fill = (int)v;
        return true;
    }
    if (!strcmp(part, "rand")) {
        if (a->has_rand)
            return no(why, n, "rand= is given twice");
        if (!vl_parse_u64(value, UINT64_MAX, &a->rand))
            return no(why, n, "rand=%s is no seed", value);
        return a->has_rand = true;
    }
    if (!strcmp(part, "frand")) {
        if (a->has_rand)
            return no(why, n, "rand= or frand= is given twice");
        char *low = strchr(value, ':'), *high = low ? strchr(low + 1, ':') : NULL;
        if (high)
            *low++ = *high++ = 0;
        if (!high || !vl_parse_u64(value, UINT64_MAX, &a->rand) || !parse_float(low, &a->low)
            || !parse_float(high, &a->high) || !(a->low <= a->high) || isinf(a->high - a->low))
            return no(why, n, "frand= is SEED,LOW,HIGH: a seed and two numbers, the smaller first");
        if (a->bytes % sizeof(float))
            return no(why, n, "frand= of %" PRIu64 " bytes: no whole number of floats", a->bytes);
        return a->has_rand = a->of_floats = true;
    }
    return no(why, n, "unknown key '%s' (there are: in, out, fill, rand, frand)", part);
}

static bool check_in(arg_spec *a, char *why, size_t n)
{
    struct stat st;
    if (stat(a->in, &st))
        return no(why, n, "%s: %s", a->in, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return no(why, n, "%s: not a regular file", a->in);
    if (access(a->in, R_OK))
        return no(why, n, "%s: %s", a->in, strerror(errno));
    a->in_bytes = (uint64_t)st.st_size;
    if (a->in_bytes > a->bytes)
        return no(why, n, "%s has %" PRIu64 " bytes, the buffer only %" PRIu64, a->in, a->in_bytes, a->bytes);
    if (a->in_bytes < a->bytes && a->fill < 0 && !a->has_rand)
        return no(why, n, "%s has only %" PRIu64 " bytes of %" PRIu64 " (add fill=BYTE or rand=SEED for the rest)",
                  a->in, a->in_bytes, a->bytes);
    return true;
}

static bool parse_buffer(arg_spec *a, const char *s, char *why, size_t n)
{
    char *copy = strdup(s), *save = NULL, *part;
    if (!copy)
        return no(why, n, "out of memory");
    size_t len = strlen(copy);
    for (char *f = strstr(copy, "frand="), *c; f; f = NULL) /* its two commas are not between parts */
        for (int i = 0; i < 2 && (c = strchr(f, ',')) && !memchr(f + 6, '=', (size_t)(c - f - 6)); i++)
            *c = ':';
    bool ok = len && copy[len - 1] != ',' && copy[0] != ',' && !strstr(copy, ",,");
    if (!ok)
        no(why, n, "an empty part between commas");
    part = ok ? strtok_r(copy, ",", &save) : NULL;
    if (ok && (!vl_parse_u64(part, UINT64_MAX, &a->bytes) || a->bytes == 0))
        ok = no(why, n, "'%s' is no number of bytes", part);
    while (ok && (part = strtok_r(NULL, ",", &save)))
        ok = parse_buffer_key(a, part, why, n);
    free(copy);
    if (ok && a->fill >= 0 && a->has_rand)
        ok = no(why, n, "both fill= and rand=");
    return ok && (!a->in || check_in(a, why, n));
}

/* Bytes of a value, in order of addresses: hex:0100000000002040 is {1, 2.5f}. */
static bool parse_hex(arg_spec *a, const char *s, char *why, size_t n)
{
    const size_t len = strlen(s);
    if (!len || len % 2 || strspn(s, "0123456789abcdefABCDEF") != len)
        return no(why, n, "hex: has two hexadecimal digits for each byte");
    if (!(a->raw = malloc(len / 2)))
        return no(why, n, "out of memory");
    for (a->bytes = 0; a->bytes < len / 2; a->bytes++) {
        unsigned byte = 0;
        sscanf(s + 2 * a->bytes, "%2x", &byte);
        a->raw[a->bytes] = (unsigned char)byte;
    }
    return true;
}

enum { VALUE_MOST = 1 << 16 };

static bool read_bytes(arg_spec *a, const char *path, char *why, size_t n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return no(why, n, "%s: %s", path, strerror(errno));
    ssize_t k = 0;
    if ((a->raw = malloc(VALUE_MOST)))
        while (a->bytes < VALUE_MOST && (k = read(fd, a->raw + a->bytes, VALUE_MOST - a->bytes)) > 0)
            a->bytes += (uint64_t)k;
    close(fd);
    if (!a->raw || k < 0)
        return no(why, n, "%s: %s", path, strerror(errno));
    return a->bytes || no(why, n, "%s: it is empty", path);
}

bool parse_arg(const char *text, arg_spec *a, char *why, size_t n)
{
    static const struct {
        const char *word;
        char scalar;
        uint32_t bits;
    } kinds[] = {
        {"i8", 'i', 8},   {"u8", 'u', 8},   {"i16", 'i', 16}, {"u16", 'u', 16}, {"i32", 'i', 32},
        {"u32", 'u', 32}, {"i64", 'i', 64}, {"u64", 'u', 64}, {"f32", 'f', 32},
    };
    *a = (arg_spec){.text = text, .fill = -1, .file = {.fd = -1}};
    const char *colon = strchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : strlen(text);
    if (!colon)
        return no(why, n, "not of the form KIND:VALUE");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (len == strlen(kinds[i].word) && !strncmp(text, kinds[i].word, len)) {
            a->kind = ARG_SCALAR;
            a->scalar = kinds[i].scalar;
            a->bits = kinds[i].bits;
            return parse_scalar(a, colon + 1, why, n);
        }
    if ((len == 3 && !strncmp(text, "hex", len)) || (len == 4 && !strncmp(text, "file", len))) {
        a->kind = ARG_BYTES;
        return len == 3 ? parse_hex(a, colon + 1, why, n) : read_bytes(a, colon + 1, why, n);
    }
    if (len == 5 && !strncmp(text, "local", len)) {
        a->kind = ARG_LOCAL;
        return (vl_parse_u64(colon + 1, UINT32_MAX, &a->bytes) && a->bytes)
               || no(why, n, "'%s' is no number of bytes", colon + 1);
    }
    if (len == 3 && !strncmp(text, "buf", len)) {
        a->kind = ARG_BUF;
        return parse_buffer(a, colon + 1, why, n);
    }
    return no(why, n, "unknown kind '%.*s' (there are: i8 u8 i16 u16 i32 u32 i64 u64 f32 hex file local buf)",
              (int)(len < 40 ? len : 40), text);
}

void free_arg(arg_spec *a)
{
    out_drop(&a->file);
    free(a->raw);
    a->raw = NULL;
    free(a->in);
    free(a->out);
    a->in = a->out = NULL;
}

/* 'f' or 'i' by the name of a type, 0 for any other (a typedef, a struct). */
static char class_of(const char *type)
{
    static const char *const ints[] = {"char", "uchar", "short",  "ushort", "int", "uint",
                                       "long", "ulong", "size_t", "bool",   NULL};
    char base[32];
    size_t len = strcspn(type, "0123456789");
    if (len >= sizeof base || strspn(type + len, "0123456789") != strlen(type + len))
        return 0;
    memcpy(base, type, len);
    base[len] = 0;
    if (!strcmp(base, "float"))
        return 'f';
    for (size_t i = 0; ints[i]; i++)
        if (!strcmp(base, ints[i]))
            return 'i';
    return 0;
}

bool fits_arg(const arg_spec *a, const vl_arg_info *x, char *why, size_t n)
{
    const char *what = x->kind == VL_ARG_LOCAL   ? "needs local:BYTES"
                       : x->kind == VL_ARG_VALUE ? "is a value"
                                                 : "needs buf:BYTES";
    bool pointer = x->kind == VL_ARG_GLOBAL || x->kind == VL_ARG_CONSTANT;
    if (a->kind == ARG_BUF ? !pointer : a->kind == ARG_LOCAL ? x->kind != VL_ARG_LOCAL : x->kind == VL_ARG_LOCAL)
        return no(why, n, "%s %s %s", x->type, x->name, what);
    if (a->kind == ARG_BYTES && !pointer)
        return a->bytes == x->size
               || no(why, n, "%s %s has %u bytes, not %" PRIu64, x->type, x->name, x->size, a->bytes);
    if (a->kind == ARG_LOCAL || a->kind == ARG_BUF)
        return true;
    if (pointer)
        return (a->scalar == 'u' && a->bits == 64 && a->count == 1)
               || no(why, n, "%s %s %s (or u64:ADDRESS)", x->type, x->name, what);
    if (a->bits / 8 * a->count != x->size)
        return no(why, n, "%s %s has %u bytes, not %u", x->type, x->name, x->size, a->bits / 8 * a->count);
    char c = class_of(x->type);
    if (c && (c == 'f') != (a->scalar == 'f'))
        return no(why, n, "%s %s is %s", x->type, x->name, c == 'f' ? "floating point" : "an integer");
    return true;
}

/* ---- buffers ---- */

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static int copy_in(vl_device *dev, arg_spec *a, unsigned char *chunk, char *why, size_t n)
{
    int fd = open(a->in, O_RDONLY | O_CLOEXEC);
    int e = 0;
    uint64_t at = 0;
    if (fd < 0) {
        no(why, n, "%s: %s", a->in, strerror(errno));
        return VL_EIO;
    }
    while (!e && at < a->in_bytes) {
        ssize_t k = read(fd, chunk, a->in_bytes - at < CHUNK ? a->in_bytes - at : CHUNK);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            no(why, n, "%s: %s", a->in, k ? strerror(errno) : "became shorter");
            e = VL_EIO;
        } else {
            e = vl_write(dev, a->at + at, chunk, (uint64_t)k);
            if (e)
                no(why, n, "%s", vl_detail(dev));
            at += (uint64_t)k;
        }
    }
    close(fd);
    return e;
}

static int fill_buffer(vl_device *dev, arg_spec *a, unsigned char *chunk, char *why, size_t n)
{
    int e = a->in ? copy_in(dev, a, chunk, why, n) : 0;
    if (e)
        return e;
    uint64_t rest = a->in ? a->in_bytes : 0;
    if (a->fill > 0)
        e = vl_fill(dev, a->at + rest, (uint8_t)a->fill, a->bytes - rest);
    for (uint64_t state = a->rand; !e && a->has_rand && rest < a->bytes;) {
        uint64_t k = a->bytes - rest < CHUNK ? a->bytes - rest : CHUNK;
        for (uint64_t i = 0; i < k && a->of_floats; i += sizeof(float)) {
            const double unit = (double)(splitmix64(&state) >> 40) / 16777215.0; /* 0 to 1, both possible */
            const float v = (float)(a->low + unit * ((double)a->high - a->low));
            memcpy(chunk + i, &v, sizeof v);
        }
        for (uint64_t i = 0; i < k && !a->of_floats; i += 8) {
            uint64_t v = splitmix64(&state);
            memcpy(chunk + i, &v, 8); /* CHUNK is a multiple of 8 */
        }
        e = vl_write(dev, a->at + rest, chunk, k);
        rest += k;
    }
    if (e)
        no(why, n, "%s", vl_detail(dev));
    return e;
}

int place_arg(vl_device *dev, vl_kernel *k, uint32_t index, arg_spec *a, char *why, size_t n)
{
    vl_error err = {0};
    int e = 0;
    switch (a->kind) {
    case ARG_SCALAR: e = vl_kernel_set(k, index, a->value, a->bits / 8 * a->count, &err); break;
    case ARG_BYTES: e = vl_kernel_set(k, index, a->raw, a->bytes, &err); break;
    case ARG_LOCAL: e = vl_kernel_set_local(k, index, a->bytes, &err); break;
    case ARG_BUF:
        e = vl_malloc(dev, a->bytes, &a->at);
        if (e) {
            no(why, n, "%s", vl_detail(dev));
            return e;
        }
        unsigned char *chunk = malloc(CHUNK);
        e = chunk ? fill_buffer(dev, a, chunk, why, n) : VL_ENOMEM;
        free(chunk);
        if (!chunk) {
            no(why, n, "out of memory");
            return VL_ENOMEM;
        }
        if (e)
            return e;
        e = vl_kernel_set_ptr(k, index, a->at, &err);
        break;
    }
    if (e)
        no(why, n, "%s", err.text);
    return e;
}
