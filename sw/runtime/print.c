/* The buffer that kernels print into (docs/printf.md, H1 to H3 and H7): made before a launch, read and put in order after it. */
#include "sw/runtime/print.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_WORDS = 5, STRING_MOST = 1 << 16 };

/* A record, in the order of the buffer. */
typedef struct call {
    uint64_t item;
    const uint32_t *words; /* from the address of the format on */
    const uint32_t *end;
} call;

int vl_set_print(vl_device *d, vl_print_fn fn, void *user, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (bytes > UINT32_MAX)
        return vl_fail(&d->error, VL_EINVAL, "a buffer of %" PRIu64 " bytes for printf", bytes);
    d->print = fn;
    d->print_user = user;
    d->print_room = vl_align(bytes ? bytes : VL_PRINT_ROOM, 4);
    return 0;
}

int vl_print_prepare(vl_device *d, const vl_kernel_info *k, unsigned char *block)
{
    if (!k->prints || !d->print)
        return 0;
    uint64_t head[2] = {0, d->print_room};
    if (d->print_bytes < VL_PRINT_HEAD + d->print_room) {
        if (d->print_at)
            (void)vl_give(d, d->print_at);
        d->print_at = d->print_bytes = 0;
        int e = vl_malloc_aligned(d, VL_PRINT_HEAD + d->print_room, VL_LINE, &d->print_at);
        if (e)
            return vl_fail(&d->error, VL_EDEVMEM, "no room for what the kernel prints: %" PRIu64 " bytes",
                           d->print_room);
        d->print_bytes = VL_PRINT_HEAD + d->print_room;
    }
    memcpy(block + VL_PRINT_BLOCK, &d->print_at, sizeof d->print_at); /* a host of little end, as the device */
    return vl_write(d, d->print_at, head, sizeof head);
}

/* A string of the program: of its image, or of device memory. */
static char *string_at(void *user, uint64_t address)
{
    vl_device *d = user;
    char *text = malloc(STRING_MOST);
    size_t n = 0;
    for (size_t i = 0; text && d->image && i < d->image->n_segments; i++) {
        const vl_segment *s = &d->image->segments[i];
        if (s->write || address < s->addr || address - s->addr >= s->file_bytes)
            continue;
        const size_t left = s->file_bytes - (address - s->addr);
        n = strnlen((const char *)s->data + (address - s->addr), left < STRING_MOST ? left : STRING_MOST - 1);
        memcpy(text, s->data + (address - s->addr), n);
        text[n] = 0;
        return text;
    }
    for (; text && n < STRING_MOST - 1; n++) {
        if (vl_read(d, address + n, text + n, 1)) {
            free(text);
            return NULL;
        }
        if (!text[n])
            return text;
    }
    if (text)
        text[n] = 0;
    return text;
}

/* H2: records up to the first hole, which is where the buffer was full, or where a kernel was stopped. */
static size_t find_calls(const uint32_t *words, size_t n, call *calls)
{
    size_t found = 0;
    for (size_t at = 0; at + HEAD_WORDS <= n;) {
        const size_t length = words[at];
        if (length < HEAD_WORDS || length > n - at)
            break;
        if (calls)
            calls[found] = (call){words[at + 1] | (uint64_t)words[at + 2] << 32, words + at + 3, words + at + length};
        found++;
        at += length;
    }
    return found;
}

/* H3: by work-item, and of one in the order of its calls, which is that of their places. */
static int by_item(const void *a, const void *b)
{
    const call *x = a, *y = b;
    return x->item != y->item ? (x->item < y->item ? -1 : 1) : x->words < y->words ? -1 : x->words > y->words;
}

static int put_calls(vl_device *d, const uint32_t *words, size_t n, uint64_t used)
{
    const size_t count = find_calls(words, n, NULL);
    call *calls = malloc((count + 1) * sizeof *calls);
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = calls ? open_memstream(&text, &bytes) : NULL;
    if (!to) {
        free(calls);
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    }
    find_calls(words, n, calls);
    /* Elements of a vector are separated by commas, so no number has one, whatever the program's locale. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    qsort(calls, count, sizeof *calls, by_item);
    for (size_t i = 0; i < count; i++) {
        char *format = string_at(d, calls[i].words[0] | (uint64_t)calls[i].words[1] << 32);
        vl_print_call(to, format ? format : "(no format)\n", calls[i].words + 2, calls[i].end, string_at, d);
        free(format);
    }
    if (used > d->print_room) /* H7 */
        fprintf(to, "(printf: the buffer of %" PRIu64 " bytes was full; the calls made %" PRIu64 " bytes)\n",
                d->print_room, used);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    const bool bad = ferror(to) != 0;
    if (!fclose(to) && !bad)
        d->print(d->print_user, text, bytes);
    free(text);
    free(calls);
    return bad ? vl_fail(&d->error, VL_ENOMEM, "out of memory") : 0;
}

int vl_print_collect(vl_device *d, const vl_kernel_info *k)
{
    uint64_t used = 0;
    if (!k->prints || !d->print || !d->print_at)
        return 0;
    vl_error *kept = malloc(sizeof *kept);
    if (!kept)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    *kept = d->error;
    int e = vl_read(d, d->print_at, &used, sizeof used);
    const uint64_t bytes = used < d->print_room ? used & ~3ull : d->print_room;
    uint32_t *words = !e && bytes ? malloc(bytes) : NULL;
    if (!e && bytes && !words)
        e = vl_fail(&d->error, VL_ENOMEM, "out of memory");
    if (words) {
        e = vl_read(d, d->print_at + VL_PRINT_HEAD, words, bytes);
        if (!e)
            e = put_calls(d, words, bytes / 4, used);
        if (!e) /* a hole reads zero at the next launch, too */
            e = vl_fill(d, d->print_at + VL_PRINT_HEAD, 0, bytes);
    }
    if (!e)
        d->error = *kept;
    free(words);
    free(kept);
    return e;
}
