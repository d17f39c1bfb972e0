/* Sparse memory: chunks in a hash table, with a small cache in front. */
#include <stdlib.h>

#include "sim_c/ref/internal.h"

static uint64_t slot_of(const ref_mem *m, uint64_t number)
{
    uint64_t i = number * 0x9e3779b97f4a7c15u >> 20;
    for (;; i++) {
        const chunk *c = &m->table[i & (m->table_size - 1)];
        if (!c->bytes || c->number == number)
            return i & (m->table_size - 1);
    }
}

ref_mem *ref_mem_over(uint64_t base, uint64_t limit, uint8_t *bytes)
{
    ref_mem *m = ref_mem_new(base, limit);
    if (m)
        m->over = bytes;
    return m;
}

void ref_mem_forget(ref_mem *m, const uint8_t *bytes)
{
    m->behind = bytes;
    for (uint64_t i = 0; i < m->table_size; i++) {
        free(m->table[i].bytes);
        m->table[i].bytes = NULL;
    }
    m->chunks = 0;
    for (unsigned i = 0; i < MEM_CACHE; i++)
        m->cache[i].number = UINT64_MAX;
}

/* Of the bytes behind, those that lie in the window. */
static void load_chunk(const ref_mem *m, uint64_t number, uint8_t *bytes)
{
    uint64_t first = number << CHUNK_LOG2, from = first > m->base ? first : m->base, to = first + CHUNK_BYTES;
    if (to > m->limit)
        to = m->limit;
    if (from < to)
        memcpy(bytes + (from - first), m->behind + (from - m->base), to - from);
}

void ref_mem_translate(ref_mem *m, bool sv48, uint64_t root)
{
    m->sv48 = sv48;
    m->space = (ref_space){.root = root, .base = m->base, .limit = m->limit};
    m->changes++;
}

void ref_mem_allow(ref_mem *m, const ref_range *range, uint64_t n)
{
    m->allowed = range;
    m->n_allowed = n;
}

bool mem_is_allowed(const ref_mem *m, const ref_ident *id, uint64_t addr, unsigned bytes)
{
    const ref_private *p = &id->private;
    if (id->private_bytes && p->all_bits && !((addr ^ p->base) >> p->all_bits))
        return addr >= id->sp - id->private_bytes && addr <= id->sp - bytes;
    uint64_t low = 0, high = m->n_allowed; /* the first range above addr is one of these */
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (m->allowed[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return false;
    const ref_range *r = &m->allowed[low - 1];
    return addr - r->addr < r->bytes && bytes <= r->bytes - (addr - r->addr);
}

void ref_mem_invalidate(ref_mem *m)
{
    m->changes++;
}

static uint64_t read_pte(void *user, uint64_t addr)
{
    uint64_t pte = 0; /* stays 0 if the host has no memory left; no_memory then says that it is not a fault */
    const uint8_t *p = mem_slow(user, addr);
    if (p)
        memcpy(&pte, p, sizeof pte);
    return pte;
}

ref_cause mem_translate(ref_mem *m, ref_use use, uint64_t va, uint64_t *pa)
{
    static const ref_cause cause[][3] = {
        [REF_USE_LOAD] = {REF_FAULT_NONE, REF_FAULT_LOAD_PAGE, REF_FAULT_LOAD_ACCESS},
        [REF_USE_STORE] = {REF_FAULT_NONE, REF_FAULT_STORE_PAGE, REF_FAULT_STORE_ACCESS},
        [REF_USE_FETCH] = {REF_FAULT_NONE, REF_FAULT_FETCH_PAGE, REF_FAULT_FETCH_ACCESS},
    };
    ref_translation t = ref_translate(&m->space, va, use, read_pte, m);
    *pa = t.pa;
    return cause[use][t.verdict];
}

ref_mem *ref_mem_new(uint64_t base, uint64_t limit)
{
    if (base >= limit || limit > REF_PC_MASK + 1)
        return NULL;
    ref_mem *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->base = base, m->limit = limit;
    m->table_size = 64;
    m->table = calloc(m->table_size, sizeof *m->table);
    for (unsigned i = 0; i < MEM_CACHE; i++)
        m->cache[i].number = UINT64_MAX;
    m->global.line = m->spad.line = NO_LINE;
    if (m->table)
        return m;
    free(m);
    return NULL;
}

void ref_mem_free(ref_mem *m)
{
    if (!m)
        return;
    for (uint64_t i = 0; i < m->table_size; i++)
        free(m->table[i].bytes);
    free(m->table);
    free(m);
}

static bool grow(ref_mem *m)
{
    chunk *old = m->table, *table = calloc(2 * m->table_size, sizeof *table);
    uint64_t n = m->table_size;
    if (!table)
        return false;
    m->table = table, m->table_size = 2 * n;
    for (uint64_t i = 0; i < n; i++)
        if (old[i].bytes)
            table[slot_of(m, old[i].number)] = old[i];
    free(old);
    return true;
}

/* The chunk of that number; NULL if it does not exist and create is false, or there is no host memory. */
static uint8_t *chunk_of(ref_mem *m, uint64_t number, bool create)
{
    if (m->over)
        return m->over + ((number << CHUNK_LOG2) - m->base);
    chunk *c = &m->table[slot_of(m, number)];
    if (c->bytes || (!create && !m->behind))
        return c->bytes;
    if (2 * (m->chunks + 1) > m->table_size) {
        if (!grow(m)) {
            m->no_memory = true;
            return NULL;
        }
        c = &m->table[slot_of(m, number)];
    }
    uint8_t *bytes = calloc(1, CHUNK_BYTES);
    if (!bytes) {
        m->no_memory = true;
        return NULL;
    }
    if (m->behind)
        load_chunk(m, number, bytes);
    *c = (chunk){number, bytes};
    m->chunks++;
    return bytes;
}

uint8_t *mem_slow(ref_mem *m, uint64_t addr)
{
    uint64_t number = addr >> CHUNK_LOG2, first = number << CHUNK_LOG2, last = first + CHUNK_BYTES - 1;
    uint8_t *bytes = chunk_of(m, number, true);
    if (!bytes)
        return NULL;
    bool aperture = first < REF_SPAD_BASE + REF_SPAD_MAX && last >= REF_SPAD_BASE;
    if (first >= m->base && last < m->limit && !aperture)
        m->cache[number & (MEM_CACHE - 1)] = (chunk){number, bytes};
    return bytes + (addr - first);
}

uint8_t *mem_data(ref_mem *m, uint8_t *spad, uint32_t spad_bytes, uint64_t addr)
{
    if (addr - REF_SPAD_BASE < REF_SPAD_MAX)
        return addr - REF_SPAD_BASE < spad_bytes ? spad + (addr - REF_SPAD_BASE) : NULL;
    if (!mem_in_window(m, addr))
        return NULL;
    return mem_slow(m, addr);
}

static bool in_window(const ref_mem *m, uint64_t addr, uint64_t bytes)
{
    return addr >= m->base && addr <= m->limit && bytes <= m->limit - addr;
}

static uint64_t piece(uint64_t addr, uint64_t bytes)
{
    uint64_t rest = CHUNK_BYTES - (addr & (CHUNK_BYTES - 1));
    return rest < bytes ? rest : bytes;
}

int ref_mem_write(ref_mem *m, uint64_t addr, const void *data, uint64_t bytes)
{
    if (!in_window(m, addr, bytes))
        return REF_EINVAL;
    for (uint64_t n; bytes; addr += n, bytes -= n, data = (const uint8_t *)data + n) {
        uint8_t *p = mem_slow(m, addr);
        n = piece(addr, bytes);
        if (!p)
            return REF_ENOMEM;
        memcpy(p, data, n);
    }
    return REF_OK;
}

int ref_mem_read(ref_mem *m, uint64_t addr, void *data, uint64_t bytes)
{
    if (!in_window(m, addr, bytes))
        return REF_EINVAL;
    for (uint64_t n; bytes; addr += n, bytes -= n, data = (uint8_t *)data + n) {
        const uint8_t *p = chunk_of(m, addr >> CHUNK_LOG2, false);
        n = piece(addr, bytes);
        if (p)
            memcpy(data, p + (addr & (CHUNK_BYTES - 1)), n);
        else
            memset(data, 0, n);
    }
    return REF_OK;
}

int ref_mem_fill(ref_mem *m, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    if (!in_window(m, addr, bytes))
        return REF_EINVAL;
    for (uint64_t n; bytes; addr += n, bytes -= n) {
        uint8_t *p = chunk_of(m, addr >> CHUNK_LOG2, byte != 0);
        n = piece(addr, bytes);
        if (p)
            memset(p + (addr & (CHUNK_BYTES - 1)), byte, n);
        else if (byte)
            return REF_ENOMEM;
    }
    return REF_OK;
}
