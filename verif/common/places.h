/* Where a line lives, for the benches: worked out here from the words of docs/memory-map.md, by division instead of shifts. The twins' map is not used. */
#ifndef VERIF_COMMON_PLACES_H
#define VERIF_COMMON_PLACES_H
#include "vl_cfg.h"
#include "vl_dram.h"
#include "vl_types.h"

enum {
    RUN_LINES = INTERLEAVE_BYTES / LINE_BYTES, /* lines of a channel before the next channel's */
    ROW_LINES = DRAM_ROW_BYTES / LINE_BYTES,
    HOST_CHIPS = HOME == HOME_FLAT ? MEM_CHANNELS : DEVICES * CHANNELS, /* the first of the chips of `host_dram` */
};

typedef struct {
    unsigned channel, slice, group, bank;
    uint32_t row;
    unsigned line;
} where_t;

static inline uint64_t address_of(unsigned channel, uint64_t local)
{
    return (local / RUN_LINES * CHANNELS + channel) * RUN_LINES + local % RUN_LINES;
}

static inline uint64_t local_of(uint64_t line)
{
    return line / RUN_LINES / CHANNELS * RUN_LINES + line % RUN_LINES;
}

/* bank_map = permuted: the XOR of a row's digits, which displaces all banks. */
static inline unsigned row_displaces(uint32_t row)
{
    unsigned all = 0;
    for (; row && BANK_MAP == BANK_MAP_PERMUTED; row /= DRAM_BANK_GROUPS * DRAM_BANKS)
        all ^= row % (DRAM_BANK_GROUPS * DRAM_BANKS);
    return all;
}

static inline uint64_t local_at(const where_t *w)
{
    const unsigned moved = row_displaces(w->row), bank = w->bank ^ moved % DRAM_BANKS,
                   group =
                       w->group ^ moved / DRAM_BANKS ^ (BANK_MAP == BANK_MAP_PERMUTED ? bank % DRAM_BANK_GROUPS : 0);
    return (((uint64_t)w->row * DRAM_BANKS + bank) * ROW_LINES + w->line) * DRAM_BANK_GROUPS + group;
}

/* l2_index = folded: a number in a slice is written in digits, each of as many values as an L2 slice has sets; the lowest becomes the xor of all. The same way back. */
static inline uint64_t folded(uint64_t n)
{
    const uint64_t sets = L2_BYTES / (LINE_BYTES * L2_WAYS);
    uint64_t low = 0;
    if (L2_INDEX != L2_INDEX_FOLDED || sets == 1)
        return n;
    for (uint64_t rest = n; rest; rest /= sets)
        low ^= rest % sets;
    return n / sets * sets + low;
}

/* In chips with `row_lines` lines a row and `rows` rows a bank. */
static inline where_t where_in(uint64_t line, unsigned row_lines, uint64_t rows)
{
    where_t w = {.channel = (unsigned)(line / RUN_LINES % CHANNELS)};
    uint64_t l = local_of(line);
    w.slice = w.channel * L2_SLICES + (unsigned)(l % L2_SLICES);
    w.group = (unsigned)(l % DRAM_BANK_GROUPS);
    l /= DRAM_BANK_GROUPS;
    w.line = (unsigned)(l % row_lines);
    l /= row_lines;
    w.bank = (unsigned)(l % DRAM_BANKS);
    w.row = (uint32_t)(l / DRAM_BANKS % rows);
    if (BANK_MAP == BANK_MAP_PERMUTED) {
        w.group ^= w.bank % DRAM_BANK_GROUPS ^ row_displaces(w.row) / DRAM_BANKS;
        w.bank ^= row_displaces(w.row) % DRAM_BANKS;
    }
    return w;
}

static inline where_t where(uint64_t line)
{
    return where_in(line, ROW_LINES, DRAM_ROWS);
}

static inline where_t where_in_host(uint64_t line)
{
    return where_in(line, HOST_DRAM_ROW_BYTES / LINE_BYTES, HOST_DRAM_ROWS);
}

/* The channel of the host that has a line, and where it stands in that channel's memory (docs/blocks/hmd.md, Addresses). */
static inline unsigned host_channel(uint64_t line)
{
    return (unsigned)(line / RUN_LINES % HOST_CHANNELS);
}

static inline uint64_t host_place(uint64_t line)
{
    const uint64_t block = line / RUN_LINES;
    return ((block / HOST_CHANNELS * CHANNELS + host_channel(line)) * RUN_LINES + line % RUN_LINES)
           % (1ull << LINE_ADDR_W);
}

/* The chips that have a line while no cache holds it, and their number for it (docs/umh.md, 9): of its channel; with directories of its host channel, which stand behind all stacks, or of the
 * stack of its home device. */
typedef struct {
    unsigned chips;
    uint64_t line;
} home_t;

static inline home_t home_of(unsigned memory, uint64_t line)
{
    const unsigned channel = where(line).channel;
    if (HOME == HOME_FLAT)
        return (home_t){channel, line};
    if (memory != MEMORY_MEMCPY && memory != MEMORY_MANAGED)
        return (home_t){DEVICES * CHANNELS + host_channel(line), host_place(line)};
    const uint64_t places = STACK_BYTES / INTERLEAVE_BYTES, block = local_of(line) / RUN_LINES,
                   turns = memory == MEMORY_MEMCPY ? DEVICES : 1;
    return (home_t){(unsigned)(block % turns) * CHANNELS + channel,
                    address_of(channel, block / turns % places * RUN_LINES + line % RUN_LINES)};
}

/* Stacks have room for all of host memory. */
static inline bool home_fits(unsigned memory)
{
    const uint64_t stacks = (uint64_t)STACK_BYTES * (memory == MEMORY_MEMCPY ? DEVICES : 1);
    return memory < MEMORY_MEMCPY || stacks * CHANNELS >= (uint64_t)HOST_BYTES * HOST_CHANNELS;
}

/* Who asks at a source (docs/blocks/memside.md): with home = directory a device's cores, device by device, then the host; else all are one. Each has slices of its own. */
static inline unsigned agent_of(unsigned source)
{
    return HOME == HOME_FLAT ? 0 : source == HOST_SOURCE ? DEVICES : source / (CORES / DEVICES);
}

static inline unsigned slice_asked(unsigned source, uint64_t line)
{
    const unsigned agent = agent_of(source);
    return agent * CHANNELS * L2_SLICES
           + (agent == DEVICES && HOME != HOME_FLAT ? host_channel(line) : where(line).slice);
}
#endif
