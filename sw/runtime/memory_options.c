/* How device memory is addressed, in words (vl_memory_parse). */
#include <stdio.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/words.h"

/* Where bytes are, in the order of vl_home. */
static const char *const homes[] = {"umh", "zerocopy", "memcpy", "managed"};

static int home_of(const char *text, size_t n)
{
    int k = sizeof homes / sizeof *homes;
    while (--k >= 0 && (strlen(homes[k]) != n || strncmp(text, homes[k], n)))
        ;
    return k;
}

static int take_word(vl_memory *m, const char *word, vl_error *err)
{
    const char *value = strchr(word, '=');
    size_t n = value ? (size_t)(value++ - word) : strlen(word);
    if (!strcmp(word, "shared")) {
        m->shared = true;
        return 0;
    }
    const int home = home_of(word, strlen(word));
    if (home >= 0 && m->home != VL_HOME_UNSAID)
        return vl_fail(err, VL_EINVAL, "%s: where memory is (umh, zerocopy, memcpy, managed) is given twice", word);
    if (home >= 0) {
        m->home = (vl_home)(home + 1);
        return 0;
    }
#define KEY(name) (value && n == strlen(name) && !strncmp(word, name, n))
    if (KEY("page")) {
        m->page_bytes = !strcmp(value, "4k")   ? 4096
                        : !strcmp(value, "2m") ? 1ull << 21
                        : !strcmp(value, "1g") ? 1ull << 30
                                               : 0;
        return m->page_bytes ? 0 : vl_fail(err, VL_EINVAL, "page=%.40s: there are 4k, 2m, 1g", value);
    }
    if (KEY("order")) {
        m->random_frames = !strncmp(value, "random:", 7);
        if (m->random_frames ? vl_parse_u64(value + 7, UINT64_MAX, &m->frame_seed) : !strcmp(value, "linear"))
            return 0;
        return vl_fail(err, VL_EINVAL, "order=%.40s: linear or random:SEED", value);
    }
    if (KEY("frames"))
        return vl_parse_u64(value, UINT64_MAX, &m->frames) && m->frames
                   ? 0
                   : vl_fail(err, VL_EINVAL, "frames=%.40s: no number above 0", value);
    if (KEY("evict")) {
        m->fifo = !strcmp(value, "fifo");
        return m->fifo || !strcmp(value, "clock") ? 0 : vl_fail(err, VL_EINVAL, "evict=%.40s: clock or fifo", value);
    }
    if (KEY("disturb"))
        return (m->disturb = vl_parse_u64(value, UINT64_MAX, &m->disturb_seed))
                   ? 0
                   : vl_fail(err, VL_EINVAL, "disturb=%.40s: no seed", value);
    if (KEY("flush")) {
        uint64_t every;
        m->flush_every = vl_parse_u64(value, UINT64_MAX, &every) && every <= UINT32_MAX ? (uint32_t)every : 0;
        return m->flush_every ? 0 : vl_fail(err, VL_EINVAL, "flush=%.40s: no number of cycles", value);
    }
#undef KEY
    return vl_fail(
        err, VL_EINVAL,
        "'%.40s': there are umh, zerocopy, memcpy, managed, shared, page=, order=, frames=, evict=, disturb=, flush=",
        word);
}

int vl_memory_parse(vl_memory *out, const char *text, vl_error *err)
{
    static const char *const modes[] = {"bare", "paged", "demand"};
    static const char *const keys[] = {"shared", "page=", "order=", "frames=", "evict=", "disturb=", "flush="};
    unsigned seen = 0;
    if (!out || !text)
        return vl_fail(err, VL_EINVAL, "null argument");
    *out = (vl_memory){0};
    size_t n = strcspn(text, ",");
    bool none = home_of(text, n) >= 0; /* no mode is named */
    unsigned mode = 0;
    while (!none && mode < 3 && (strlen(modes[mode]) != n || strncmp(text, modes[mode], n)))
        mode++;
    if (mode == 3)
        return vl_fail(err, VL_EINVAL, "no mode '%.*s' (there are: bare, paged, demand)", (int)(n < 40 ? n : 40), text);
    out->mode = (vl_memory_mode)mode;
    for (text += none ? 0 : n; *text; none = false) {
        char word[80];
        text += !none;
        n = strcspn(text, ",");
        if (!n || n >= sizeof word)
            return vl_fail(err, VL_EINVAL, "'%.40s' is not of the form KEY=VALUE", text);
        memcpy(word, text, n);
        word[n] = 0;
        text += n;
        int e = take_word(out, word, err);
        if (e)
            return e;
        for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strncmp(word, keys[k], strlen(keys[k]))) {
                if (seen >> k & 1)
                    return vl_fail(err, VL_EINVAL, "%s is given twice", keys[k]);
                seen |= 1u << k;
            }
    }
    if (out->mode == VL_BARE && seen & ~1u)
        return vl_fail(err, VL_EINVAL, "bare memory has no pages: only shared applies to it");
    if (out->mode == VL_PAGED && seen & 0x18u)
        return vl_fail(err, VL_EINVAL, "frames= and evict= are for demand paging");
    if (out->mode != VL_BARE && seen & 1u)
        return vl_fail(err, VL_EINVAL, "shared is for bare memory: memory with pages is always shared");
    if (out->mode == VL_DEMAND && seen & 2u)
        return vl_fail(err, VL_EINVAL, "demand paging is by pages of 4 KB");
    return 0;
}

void vl_memory_words(const vl_memory *m, char *text, size_t n)
{
    static const char *const modes[] = {"bare", "paged", "demand"};
    char order[32] = "", frames[40] = "", disturb[40] = "", flush[32] = "";
    if (m->random_frames)
        snprintf(order, sizeof order, ",order=random:%llu", (unsigned long long)m->frame_seed);
    if (m->frames)
        snprintf(frames, sizeof frames, ",frames=%llu", (unsigned long long)m->frames);
    if (m->disturb)
        snprintf(disturb, sizeof disturb, ",disturb=%llu", (unsigned long long)m->disturb_seed);
    if (m->flush_every)
        snprintf(flush, sizeof flush, ",flush=%u", m->flush_every);
    const char *page = m->page_bytes == 1ull << 30 ? ",page=1g" : m->page_bytes == 1ull << 21 ? ",page=2m" : "";
    snprintf(text, n, "%s%s%s%s%s%s%s%s%s%s", modes[m->mode], m->home == VL_HOME_UNSAID ? "" : ",",
             m->home == VL_HOME_UNSAID ? "" : homes[m->home - VL_HOME_UMH], m->shared ? ",shared" : "", page, order,
             frames, m->fifo ? ",evict=fifo" : "", disturb, flush);
}
