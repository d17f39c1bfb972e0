/*
 * A key-value store: a hash table with chains of items as buckets. A thread serves a request, the text of memcached's protocol
 * behind an 8-byte frame; its last four bytes are the verb: "get KEY\r\n", "set KEY BYTES\r\nVALUE\r\n".
 *
 * An item has 16 doublewords: {hash, next item}, {key bytes, value bytes}, the key filled up with zeros, the value. Item 0 is none.
 * A set puts a new item in front of its chain; the one that it replaces stays behind it.
 */
enum { ITEM = 16, GET = 64, SET = 128, RESPONSE = 8, KEY = 8 };

/* Bytes of the key, which a blank or the end of the line ends. */
static uint key_bytes(__global const uchar *key)
{
    uint n = 0;
    while (key[n] > ' ')
        n++;
    return n;
}

#define KEY_BYTE __global const uchar
#include "hash.h"

/* The i-th doubleword of a key, zero behind its end. */
static ulong key_word(__global const uchar *key, uint bytes, uint i)
{
    ulong word = ((__global const ulong *)key)[i];
    uint left = bytes - 8 * i;
    return left < 8 ? word & ((1ul << 8 * left) - 1) : word;
}

static bool same_key(__global const ulong *item, __global const uchar *key, uint bytes)
{
    if ((uint)item[1] != bytes)
        return false;
    ulong differ = 0;
    for (uint i = 0; i < (bytes + 7) / 8; i++)
        differ |= item[2 + i] ^ key_word(key, bytes, i);
    return differ == 0;
}

__kernel void memcached_get(__global const uint *bucket, __global const ulong *items, __global const uchar *requests,
                            __global ulong *responses, uint mask, uint end)
{
    uint r = get_global_id(0);
    if (r >= end)
        return;
    __global const uchar *key = requests + (ulong)r * GET + KEY;
    uint bytes = key_bytes(key), hash = hash_of(key, bytes);

    uint at = bucket[hash & mask], found = 0;
    while (at) {
        __global const ulong *item = items + (ulong)at * ITEM;
        ulong link = item[0];
        if ((uint)link == hash && same_key(item, key, bytes))
            found = at;
        at = found ? 0 : link >> 32;
    }

    __global ulong *response = responses + (ulong)r * RESPONSE;
    if (found) {
        __global const ulong *item = items + (ulong)found * ITEM, *value = item + 2 + (bytes + 7) / 8;
        uint value_bytes = item[1] >> 32;
        response[0] = value_bytes;
        for (uint i = 0; i < (value_bytes + 7) / 8; i++)
            response[1 + i] = value[i];
    } else {
        response[0] = ~0ul;
    }
}

__kernel void memcached_set(__global uint *bucket, __global ulong *items, __global const uchar *requests, __global uint *used,
                            uint mask, uint end)
{
    uint r = get_global_id(0);
    if (r >= end)
        return;
    __global const uchar *key = requests + (ulong)r * SET + KEY;
    uint bytes = key_bytes(key), hash = hash_of(key, bytes), value_bytes = 0;
    __global const uchar *text = key + bytes + 1;
    for (; *text >= '0'; text++)
        value_bytes = 10 * value_bytes + (*text - '0');
    text += 2;

    uint mine = atomic_inc(used);
    __global ulong *item = items + (ulong)mine * ITEM;
    item[1] = bytes | (ulong)value_bytes << 32;
    for (uint i = 0; i < (bytes + 7) / 8; i++)
        item[2 + i] = key_word(key, bytes, i);
    __global uchar *value = (__global uchar *)(item + 2 + (bytes + 7) / 8);
    for (uint i = 0; i < value_bytes; i++)
        value[i] = text[i];

    uint old = bucket[hash & mask], next;
    do {
        next = old;
        item[0] = hash | (ulong)next << 32;
        old = atomic_cmpxchg(&bucket[hash & mask], next, mine);
    } while (old != next);
}
