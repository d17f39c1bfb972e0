/* The hash of a key, which host and device must agree on: Jenkins' one-at-a-time. KEY_BYTE says where the key's bytes are. */
static unsigned hash_of(KEY_BYTE *key, unsigned bytes)
{
    unsigned hash = 0;
    for (unsigned i = 0; i < bytes; i++) {
        hash += key[i];
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    hash += hash << 3;
    hash ^= hash >> 11;
    return hash + (hash << 15);
}
