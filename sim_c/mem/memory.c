/* See memory.h. */
#include "sim_c/mem/memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    uint64_t due;
    mem_rsp_t rsp;
} slot_entry_t;

/* A port answers in order, at most one a cycle, so `latency` + 1 places are enough. */
typedef struct {
    slot_entry_t *ring;
    unsigned head, count;
    bool reserved; /* the core's reservation for LR/SC */
    uint32_t hart;
    uint64_t line;
} port_t;

struct memory {
    uint64_t base, limit, now;
    uint8_t *bytes;
    unsigned latency, places;
    port_t port[CORES];
};

memory_t *memory_new(unsigned latency)
{
    memory_t *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->latency = latency;
    m->places = latency + 1;
    for (unsigned p = 0; p < CORES; p++)
        if (!(m->port[p].ring = calloc(m->places, sizeof *m->port[p].ring))) {
            memory_free(m);
            return NULL;
        }
    return m;
}

void memory_free(memory_t *m)
{
    if (!m)
        return;
    if (m->bytes)
        munmap(m->bytes, m->limit - m->base);
    for (unsigned p = 0; p < CORES; p++)
        free(m->port[p].ring);
    free(m);
}

int memory_window(memory_t *m, uint64_t base, uint64_t limit)
{
    void *p = mmap(NULL, limit - base, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return -1;
    m->bytes = p;
    m->base = base;
    m->limit = limit;
    return 0;
}

uint8_t *memory_at(memory_t *m, uint64_t addr, uint64_t bytes)
{
    if (addr < m->base || addr > m->limit || bytes > m->limit - addr)
        return NULL;
    return m->bytes + (addr - m->base);
}

void memory_reset(memory_t *m)
{
    for (unsigned p = 0; p < CORES; p++) {
        m->port[p].head = m->port[p].count = 0;
        m->port[p].reserved = false;
    }
}

const mem_rsp_t *memory_response(const memory_t *m, unsigned port)
{
    const port_t *p = &m->port[port];
    return p->count && p->ring[p->head].due <= m->now ? &p->ring[p->head].rsp : NULL;
}

/* A write to a line ends every core's reservation of it. */
static void written(memory_t *m, uint64_t line)
{
    for (unsigned p = 0; p < CORES; p++)
        if (m->port[p].line == line)
            m->port[p].reserved = false;
}

static uint64_t combine(unsigned op, uint64_t old, uint64_t operand, uint64_t compare, bool dword)
{
    int64_t so = dword ? (int64_t)old : (int32_t)old, sb = dword ? (int64_t)operand : (int32_t)operand;
    uint64_t mask = dword ? ~0ull : 0xffffffffull, uo = old & mask, ub = operand & mask;
    switch (op) {
    case AMO_SWAP: return operand;
    case AMO_ADD: return old + operand;
    case AMO_XOR: return old ^ operand;
    case AMO_AND: return old & operand;
    case AMO_OR: return old | operand;
    case AMO_MIN: return so < sb ? old : operand;
    case AMO_MAX: return so > sb ? old : operand;
    case AMO_MINU: return uo < ub ? old : operand;
    case AMO_MAXU: return uo > ub ? old : operand;
    case AMO_CAS: return uo == (compare & mask) ? operand : old;
    default: return old;
    }
}

/* Performs one atomic; the aligned doubleword image of the answer. */
static uint64_t atomic(memory_t *m, unsigned port, const mem_req_t *q, uint8_t *line)
{
    port_t *p = &m->port[port];
    unsigned size = q->amo_dword ? 8 : 4;
    uint64_t old = 0, answer;
    memcpy(&old, line + q->amo_off, size);
    answer = old;
    if (q->amo == AMO_LR) {
        p->reserved = true;
        p->hart = q->hart;
        p->line = q->line;
    } else {
        bool store = true;
        uint64_t value = combine(q->amo, old, q->data.w[0], q->data.w[1], q->amo_dword);
        if (q->amo == AMO_SC) {
            store = !q->sc_fail && p->reserved && p->hart == q->hart && p->line == q->line;
            if (p->hart == q->hart) /* it ends the thread's reservation either way */
                p->reserved = false;
            value = q->data.w[0];
            answer = !store;
        } else if (q->amo == AMO_CAS) {
            store = ((old ^ q->data.w[1]) & (size == 8 ? ~0ull : 0xffffffffull)) == 0;
        }
        if (store) {
            memcpy(line + q->amo_off, &value, size);
            written(m, q->line);
        }
    }
    return q->amo_dword ? answer : (answer & 0xffffffff) | answer << 32;
}

void memory_request(memory_t *m, unsigned port, const mem_req_t *q)
{
    port_t *p = &m->port[port];
    uint8_t *line = memory_at(m, q->line << 7, LINE_BYTES);
    slot_entry_t *e = &p->ring[(p->head + p->count++) % m->places];
    e->due = m->now + m->latency;
    memset(&e->rsp, 0, sizeof e->rsp);
    e->rsp.id = q->id;
    if (!line) /* cores check the window; a line outside reads zero */
        return;
    switch (q->op) {
    case MEM_READ:
        memcpy(&e->rsp.data, line, LINE_BYTES);
        break;
    case MEM_WRITE:
        for (unsigned w = 0; w < LINE_BYTES / 64; w++) {
            const uint8_t *data = (const uint8_t *)q->data.w;
            for (uint64_t be = q->be.w[w]; be; be &= be - 1) {
                unsigned i = 64 * w + (unsigned)__builtin_ctzll(be);
                line[i] = data[i];
            }
        }
        written(m, q->line);
        break;
    default:
        e->rsp.data.w[0] = atomic(m, port, q, line);
        break;
    }
}

void memory_tick(memory_t *m)
{
    for (unsigned i = 0; i < CORES; i++) {
        port_t *p = &m->port[i];
        if (p->count && p->ring[p->head].due <= m->now) {
            p->head = (p->head + 1) % m->places;
            p->count--;
        }
    }
    m->now++;
}

uint64_t memory_due(const memory_t *m)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < CORES; i++) {
        const port_t *p = &m->port[i];
        if (p->count) {
            uint64_t due = p->ring[p->head].due;
            uint64_t wait = due > m->now ? due - m->now : 0;
            next = wait < next ? wait : next;
        }
    }
    return next;
}

void memory_skip(memory_t *m, uint64_t cycles)
{
    m->now += cycles;
}
