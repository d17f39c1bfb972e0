#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sw/workloads/wl.h"

enum { ITEM = 16, GET = 64, SET = 128, RESPONSE = 8, KEY = 8, MOST_KEY = 40, MOST_VALUE = 32 }; /* as in memcached.cl */

typedef struct {
    uint32_t keys, buckets, used; /* used: items, item 0 with them */
    uint32_t *bucket;
    uint64_t *item;
    uint32_t *version; /* of each key's value: 0, or the number of the request that set it */
} store;

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The key of a number: 16 to 40 letters, the last eight of which tell the number. */
static uint32_t key_of(uint32_t number, uint8_t key[MOST_KEY])
{
    const uint32_t bytes = 16 + (uint32_t)(mix(number + 1u) % (MOST_KEY - 15));
    for (uint32_t i = 0; i + 8 < bytes; i++)
        key[i] = (uint8_t)('a' + mix((uint64_t)number << 8 | i) % 26);
    for (uint32_t i = 0; i < 8; i++)
        key[bytes - 8 + i] = (uint8_t)('a' + (number >> 4 * i & 15));
    return bytes;
}

/* The value of a key in a version: 8 to 32 bytes. */
static uint32_t value_of(uint32_t number, uint32_t version, uint8_t value[MOST_VALUE])
{
    const uint64_t which = (uint64_t)version << 32 | number;
    const uint32_t bytes = 8 + (uint32_t)(mix(which) % (MOST_VALUE - 7));
    for (uint32_t i = 0; i < bytes; i++)
        value[i] = (uint8_t)mix(which * MOST_VALUE + i);
    return bytes;
}

#define KEY_BYTE const uint8_t
#include "sw/workloads/memcached/hash.h"

/* All keys in version 0, and room for `sets` items more. */
static store random_store(wl *w, uint32_t keys, uint32_t sets)
{
    store s = {.keys = keys, .buckets = 1, .used = keys + 1};
    while (s.buckets < keys)
        s.buckets *= 2;
    s.bucket = wl_host(w, s.buckets, sizeof *s.bucket);
    s.item = wl_host(w, (size_t)(s.used + sets) * ITEM, sizeof *s.item);
    s.version = wl_host(w, keys, sizeof *s.version);
    for (uint32_t k = 0; k < keys; k++) {
        uint64_t *item = s.item + (size_t)(k + 1) * ITEM;
        const uint32_t bytes = key_of(k, (uint8_t *)(item + 2)), hash = hash_of((uint8_t *)(item + 2), bytes);
        uint32_t *chain = &s.bucket[hash & (s.buckets - 1)];
        item[0] = hash | (uint64_t)*chain << 32;
        item[1] = bytes | (uint64_t)value_of(k, 0, (uint8_t *)(item + 2 + (bytes + 7) / 8)) << 32;
        *chain = k + 1;
    }
    return s;
}

/* A key by Zipf's law of exponent 1: the logarithm of its rank is uniform. Ranks are scattered over the numbers. */
static uint32_t popular_key(wl *w, uint32_t keys)
{
    const double rank = exp2((double)wl_random(w) * 0x1p-32 * log2(keys + 1.0)) - 1.0;
    return (uint32_t)((uint64_t)rank * 2654435761u % keys);
}

static void write_request(uint8_t *text, uint32_t number, bool set, uint32_t version)
{
    memcpy(text + 4, set ? "set " : "get ", 4);
    uint32_t n = KEY + key_of(number, text + KEY);
    if (set) {
        uint8_t value[MOST_VALUE];
        const uint32_t bytes = value_of(number, version, value);
        n += (uint32_t)sprintf((char *)text + n, " %u\r\n", bytes);
        memcpy(text + n, value, bytes);
        n += bytes;
    }
    memcpy(text + n, "\r\n", 2);
}

static void expect(const store *s, uint64_t *response, uint32_t number)
{
    if (number >= s->keys)
        response[0] = UINT64_MAX;
    else
        response[0] = value_of(number, s->version[number], (uint8_t *)(response + 1));
}

/* The item of a key by the chains that the device left, 0: none. */
static uint32_t look_up(const store *s, uint32_t number)
{
    uint8_t key[MOST_KEY];
    const uint32_t bytes = key_of(number, key);
    uint32_t at = s->bucket[hash_of(key, bytes) & (s->buckets - 1)];
    for (uint32_t steps = 0; at != 0 && at < s->used && steps < s->used; steps++) {
        const uint64_t *item = s->item + (size_t)at * ITEM;
        if ((uint32_t)item[1] == bytes && memcmp(item + 2, key, bytes) == 0)
            return at;
        at = (uint32_t)(item[0] >> 32);
    }
    return 0;
}

static bool holds(const uint64_t *item, uint32_t number, uint32_t version)
{
    uint8_t key[MOST_KEY], value[MOST_VALUE];
    const uint32_t key_bytes = key_of(number, key), bytes = value_of(number, version, value);
    return item[1] == (key_bytes | (uint64_t)bytes << 32) && memcmp(item + 2 + (key_bytes + 7) / 8, value, bytes) == 0;
}

typedef struct {
    vl_ptr bucket, item, used, get, set, response;
} on_device;

/* Sets may have been done in any order: each key must have the value of one of its sets, or, if it has none, the one it had. The
 * host takes over which. */
static void check_sets(wl *w, store *s, const on_device *d, const uint32_t *number, uint32_t sets, uint32_t version)
{
    uint32_t used = 0;
    wl_read(w, &used, d->used, sizeof used);
    wl_same_u32(w, "used", &used, &s->used, 1);
    wl_read(w, s->bucket, d->bucket, s->buckets * sizeof *s->bucket);
    wl_read(w, s->item, d->item, (size_t)s->used * ITEM * sizeof *s->item);
    bool *awaited = wl_host(w, s->keys, sizeof *awaited);
    for (uint32_t i = 0; i < sets; i++)
        awaited[number[i]] = true;
    for (uint32_t i = 0; i < sets; i++)
        if (awaited[number[i]] && holds(s->item + (size_t)look_up(s, number[i]) * ITEM, number[i], version + i)) {
            s->version[number[i]] = version + i;
            awaited[number[i]] = false;
        }
    for (uint32_t k = 0; k < s->keys && wl_ok(w); k++)
        if (awaited[k] || !holds(s->item + (size_t)look_up(s, k) * ITEM, k, s->version[k]))
            wl_fail(w, "key %u has no value that the host has set", k);
}

/* One in sixteen is for a key that is not there. */
static void serve_gets(wl *w, const store *s, const on_device *d, uint32_t gets)
{
    uint8_t *text = wl_host(w, gets, GET);
    const size_t words = (size_t)gets * RESPONSE;
    uint64_t *want = wl_host(w, words, sizeof *want), *got = wl_host(w, words, sizeof *got);
    for (uint32_t r = 0; r < gets; r++) {
        const uint32_t number = wl_random(w) % 16 == 0 ? s->keys + wl_random(w) % 1000 : popular_key(w, s->keys);
        write_request(text + (size_t)r * GET, number, false, 0);
        expect(s, want + (size_t)r * RESPONSE, number);
    }
    wl_write(w, d->get, text, (size_t)gets * GET);
    wl_write(w, d->response, got, words * sizeof *got);
    wl_launch(w, "memcached_get", wl_range1(gets, wl_local(w)), WL_BUF(d->bucket), WL_BUF(d->item), WL_BUF(d->get),
              WL_BUF(d->response), WL_U32(s->buckets - 1), WL_U32(gets));
    wl_read(w, got, d->response, words * sizeof *got);
    wl_same_u32(w, "response", (uint32_t *)got, (uint32_t *)want, 2 * words);
}

/* The first is number `version`. */
static void serve_sets(wl *w, store *s, const on_device *d, uint32_t sets, uint32_t version)
{
    uint32_t *number = wl_host(w, sets, sizeof *number);
    uint8_t *text = wl_host(w, sets, SET);
    for (uint32_t r = 0; r < sets; r++) {
        number[r] = popular_key(w, s->keys);
        write_request(text + (size_t)r * SET, number[r], true, version + r);
    }
    wl_write(w, d->set, text, (size_t)sets * SET);
    wl_launch(w, "memcached_set", wl_range1(sets, wl_local(w)), WL_BUF(d->bucket), WL_BUF(d->item), WL_BUF(d->set),
              WL_BUF(d->used), WL_U32(s->buckets - 1), WL_U32(sets));
    s->used += sets;
    check_sets(w, s, d, number, sets, version);
}

/* `size` gets and a sixteenth of it sets, twice; or, in a store that fills the data, once. */
static void run(wl *w, uint32_t size)
{
    const bool much = wl_data(w) != 0;
    const uint32_t rounds = much ? 1 : 2, sets = size / 16 + 1;
    const uint32_t keys = much ? (uint32_t)(wl_data(w) / (ITEM * 8 + 4)) : size + 3;
    store s = random_store(w, keys, rounds * sets);

    wl_load(w, NULL);
    const on_device d = {wl_upload(w, s.bucket, s.buckets * sizeof *s.bucket),
                         wl_upload(w, s.item, (size_t)(s.used + rounds * sets) * ITEM * sizeof *s.item),
                         wl_upload(w, &s.used, sizeof s.used),
                         wl_buffer(w, (size_t)size * GET),
                         wl_buffer(w, (size_t)sets * SET),
                         wl_buffer(w, (size_t)size * RESPONSE * 8)};
    for (uint32_t r = 0; r < rounds && wl_ok(w); r++) {
        serve_gets(w, &s, &d, size);
        serve_sets(w, &s, &d, sets, 1 + r * sets);
    }
}

const workload workload_memcached = {
    "memcached", "gets and sets of a key-value store, keys by Zipf's law", run, {1, 301, 1501}, 37};
