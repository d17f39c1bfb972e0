/* The rules that must hold, stated without the protocol (docs/explore.md). */
#include "explore.h"

unsigned line_index(uint64_t line)
{
    for (unsigned k = 0; k < now.lines; k++)
        if (now.line[k] == line)
            return k;
    blame("line %llu is nobody's", (unsigned long long)line);
    return 0;
}

uint8_t next_value(const sys_t *s, unsigned a, unsigned li, unsigned value)
{
    return (uint8_t)(now.ever ? value : s->last[li][a] + 1u);
}

/* An agent has its answer; `data`: the line's first word; for an atomic the common byte has its old value. */
void rule_answer(sys_t *s, unsigned a, unsigned op, uint64_t data)
{
    const unsigned li = s->agent[a].line;
    uint8_t *last = s->last[li];
    if (op == OP_AMO && byte_of(data, COMMON) != last[COMMON])
        blame("own: agent %u has %u of the common byte, which is %u", a, byte_of(data, COMMON), last[COMMON]);
    if (op == OP_N_STORE || op == OP_STORE)
        last[a] = s->agent[a].value;
    if (op == OP_AMO)
        last[COMMON] = now.ever ? s->agent[a].value : (uint8_t)(last[COMMON] + 1);
    if (byte_of(data, a) != last[a])
        blame("own: agent %u loads %u, and has stored %u", a, byte_of(data, a), last[a]);
    for (unsigned b = 0; b < now.agents; b++) {
        const uint8_t v = byte_of(data, b);
        if ((op == OP_AMO || op == OP_STORE || (op == OP_N_STORE && MASK_GRAIN > 1)) && v != last[b])
            blame("merged: agent %u may store, and has %u of agent %u, who has stored %u", a, v, b, last[b]);
        if (!now.ever && v > last[b])
            blame("forward: agent %u sees %u of agent %u, who has stored %u", a, v, b, last[b]);
        if (now.forward) {
            if (v < s->seen[a][li][b])
                blame("forward: agent %u sees %u of agent %u, after %u", a, v, b, s->seen[a][li][b]);
            s->seen[a][li][b] = v;
        }
    }
}

static bool alone(unsigned state)
{
    return state == NMOESI_E || state == NMOESI_M;
}

static unsigned slice_state(const l2c_t *l, uint64_t line)
{
    const line_key_t key = l2_key_at(line);
    const int way = l2c_find_way(l, l2c_set_of(l, key), key);
    return way < 0 ? (unsigned)NMOESI_I : l->state[l2c_set_of(l, key) * L2_WAYS + (unsigned)way];
}

/* A block in abstract has the number of its first line. */
static const abstract_t *block_of(const sys_t *s, unsigned d, uint64_t line)
{
    return &s->dev[d].block[line_index(line & ~(uint64_t)(BLOCK_LINES - 1))];
}

static unsigned block_state(const sys_t *s, unsigned d, uint64_t line)
{
    if (now.device[d] == ABSTRACT)
        return block_of(s, d, line)->state;
    if (now.device[d] == NONE)
        return NMOESI_I;
    const smd_entry_t *t = &s->dev[d].smd.table[smd_place(line)];
    return t->tag == smd_tag(line) ? t->state : (unsigned)NMOESI_I;
}

static bool in_transaction(const sys_t *s, uint64_t line)
{
    for (unsigned v = s->hmd.valid; v; v &= v - 1)
        if (hmd_same_block(s->hmd.x[__builtin_ctz(v)].line, line))
            return true;
    return false;
}

/* A slice or device that has a line or its block in E or M is the only holder. */
static void single(const sys_t *s, uint64_t line)
{
    unsigned slices = 0, blocks = 0, one = 0, cached = 0;
    for (unsigned d = 0; d < DEVICES; d++) {
        const unsigned b = block_state(s, d, line),
                       l = now.device[d] == REAL ? slice_state(&s->dev[d].l2c, line) : (unsigned)NMOESI_I;
        slices += l != NMOESI_I;
        blocks += b != NMOESI_I;
        one |= alone(l) ? 1u : 0;
        one |= alone(b) ? 2u : 0;
    }
    if (now.host) {
        cached = slice_state(&s->cache, line);
        slices += cached != NMOESI_I;
        one |= alone(cached) ? 1u : 0;
    }
    if (one & 1 && slices > 1)
        blame("single: line %llu is in E or M in a slice, and in another", (unsigned long long)line);
    if (one & 2 && (blocks > 1 || cached != NMOESI_I))
        blame("single: the block of line %llu is in E or M in a device, and held elsewhere", (unsigned long long)line);
    if (alone(cached) && blocks)
        blame("single: line %llu is in E or M in the host's cache, and its block in a device",
              (unsigned long long)line);
}

/* The home's entry has the holders of a line's block, between transactions. */
static void known(const sys_t *s, uint64_t line)
{
    if (in_transaction(s, line))
        return;
    const hmd_entry_t *t = &s->hmd.table[(line >> ILV_W) & (HMD_ENTRIES - 1)];
    for (unsigned d = 0; d < DEVICES; d++) {
        const unsigned b = block_state(s, d, line);
        const bool owner = t->owner == d + 1, sharer = t->sharers >> d & 1;
        if (now.device[d] != NONE && (b != NMOESI_I) != (owner || sharer))
            blame("known: device %u has line %llu in %s, and the home thinks it is %s", d, (unsigned long long)line,
                  state_names[b],
                  owner    ? "the owner"
                  : sharer ? "a sharer"
                           : "neither owner nor sharer");
        if (sharer && (alone(b) || b == NMOESI_O))
            blame("known: device %u is no owner of line %llu, and has it in %s", d, (unsigned long long)line,
                  state_names[b]);
    }
    if (now.host && slice_state(&s->cache, line) != NMOESI_I && !t->llc)
        blame("known: the host's cache has line %llu, and the home does not know", (unsigned long long)line);
}

/* Of a block: nothing has more in it than fits. */
static void fits(const sys_t *s)
{
    for (unsigned d = 0; d < DEVICES; d++) {
        const smd_t *m = &s->dev[d].smd;
        for (unsigned q = 0; q < SMD_QUEUES; q++)
            if (m->count[q] > 2)
                blame("fits: queue %u of the directory of device %u has %u", q, d, m->count[q]);
        if (m->job.out > BLOCK_LINES)
            blame("fits: device %u awaits %u acknowledgements", d, m->job.out);
        if (s->dev[d].l2c.rqcount > L2_MSHRS || s->dev[d].l2c.lists.targets > L2_TARGETS)
            blame("fits: slice of device %u", d);
        for (unsigned v = m->at[SMD_T_WAIT]; v; v &= v - 1)
            if (m->x[__builtin_ctz(v)].missing > BLOCK_LINES)
                blame("fits: a line came twice to device %u", d);
    }
    for (unsigned q = 0; q < HMD_QUEUES; q++)
        if (s->hmd.count[q] > 2)
            blame("fits: queue %u of the home has %u", q, s->hmd.count[q]);
    if (s->hmd.jobs > HMD_POOL)
        blame("fits: pool");
    for (unsigned v = s->hmd.valid; v; v &= v - 1)
        if (s->hmd.x[__builtin_ctz(v)].lwait > BLOCK_LINES)
            blame("fits: acknowledgements of the host's cache");
}

/* Devices in abstract have their own stores. */
static void own(const sys_t *s, unsigned k)
{
    for (unsigned a = 0; a < now.agents; a++) {
        const unsigned d = now.at[a];
        if (d == HOST || now.device[d] != ABSTRACT || block_state(s, d, now.line[k]) == NMOESI_I)
            continue;
        const uint8_t v = byte_of(block_of(s, d, now.line[k])->data[smd_off(now.line[k])], a);
        if (v != s->last[k][a])
            blame("own: device %u has %u of agent %u, who has stored %u", d, v, a, s->last[k][a]);
    }
}

/* A line that a slice holds in S or E has no bytes that its home lacks, except lines in s2 or s3. */
static void clean(const l2c_t *l)
{
    for (unsigned r = 0; r < l->sets * L2_WAYS; r++)
        if ((l->state[r] == NMOESI_S || l->state[r] == NMOESI_E) && !mask_none(&l->mask[r])
            && !(l->s2_valid && l->s2_row == r) && !(l->s3_valid && l->s3_row == r))
            blame("clean: a line in %s has bytes of its own", state_names[l->state[r]]);
}

void rule_state(const sys_t *s)
{
    for (unsigned d = 0; d < DEVICES; d++)
        if (now.device[d] == REAL)
            clean(&s->dev[d].l2c);
    if (now.host)
        clean(&s->cache);
    for (unsigned k = 0; k < now.lines; k++) {
        own(s, k);
        single(s, now.line[k]);
        known(s, now.line[k]);
    }
    fits(s);
}

/* A line as memory has it, wherever that is. */
static uint64_t in_memory_of(const sys_t *s, uint64_t line)
{
    return in_stacks(now.memory) ? s->dev[home_device(now.memory, line)].stack[home_line(now.memory, line)]
                                 : s->host[line];
}

/* A copy of a line: `mask`, bytes that the home has not. */
static void same(const sys_t *s, const char *who, unsigned d, unsigned k, uint64_t data, uint64_t mask)
{
    if (mask & 0xff)
        blame("end: %s %u has bytes of line %u that memory has not", who, d, k);
    else if (data != in_memory_of(s, now.line[k]))
        blame("end: %s %u has %llx of line %u, memory %llx", who, d, (unsigned long long)data, k,
              (unsigned long long)in_memory_of(s, now.line[k]));
}

/* After the final flush: memory has every byte, except those that the host's cache holds alone, and every copy equals memory. */
void rule_end(const sys_t *s)
{
    for (unsigned k = 0; k < now.lines; k++) {
        const uint64_t line = now.line[k];
        const line_key_t key = l2_key_at(line);
        uint64_t memory = in_memory_of(s, line);
        if (now.host && slice_state(&s->cache, line) != NMOESI_I) {
            const unsigned row = l2c_set_of(&s->cache, key) * L2_WAYS
                                 + (unsigned)l2c_find_way(&s->cache, l2c_set_of(&s->cache, key), key);
            const uint64_t mine = wide(named(&s->cache.mask[row])), data = s->cache.data[row].w[0];
            if ((data ^ memory) & ~mine)
                blame("end: the host's cache has %llx of line %u, memory %llx", (unsigned long long)data, k,
                      (unsigned long long)memory);
            memory = (memory & ~mine) | (data & mine);
        }
        for (unsigned a = 0; a <= AGENTS; a++)
            if ((a == COMMON || a < now.agents) && byte_of(memory, a) != s->last[k][a])
                blame("nothing lost: memory has %u of byte %u of line %u, stored was %u", byte_of(memory, a), a, k,
                      s->last[k][a]);
        for (unsigned d = 0; d < DEVICES; d++) {
            const device_t_ *v = &s->dev[d];
            if (block_state(s, d, line) == NMOESI_I)
                continue;
            if (now.device[d] == ABSTRACT) {
                same(s, "device", d, k, block_of(s, d, line)->data[smd_off(line)],
                     block_of(s, d, line)->mask[smd_off(line)]);
                continue;
            }
            const uint64_t at = smd_stack_line(line, 0);
            if (now.memory == MEMORY_UMH)
                same(s, "stack", d, k, v->stack[at], named(&v->port.marks[at]));
            if (slice_state(&v->l2c, line) != NMOESI_I) {
                const unsigned row =
                    l2c_set_of(&v->l2c, key) * L2_WAYS + (unsigned)l2c_find_way(&v->l2c, l2c_set_of(&v->l2c, key), key);
                same(s, "slice", d, k, v->l2c.data[row].w[0], named(&v->l2c.mask[row]));
            }
        }
    }
}
