/* The place of an address: the twin of rtl/common/map_pkg.sv (docs/memory-map.md), for the blocks and for code that loads memory. The judge and the benches
 * have copies of their own, written from the page. */
#ifndef VL_MEMORY_MAP_H
#define VL_MEMORY_MAP_H
#include "vl_dram.h"
#include "vl_types.h"

/* ---- windows ---- */

static inline bool in_memory(const kernel_t *k, uint64_t addr)
{
    return !(addr >> PA_W) && addr >= k->mem_base && addr < k->mem_limit;
}

static inline window_t window_of(const kernel_t *k)
{
    const uint64_t lines = (1ull << LINE_ADDR_W) - 1;
    return (window_t){.base = k->mem_base >> LINE_OFF_W & lines, .limit = k->mem_limit >> LINE_OFF_W & lines};
}

/* ---- channels and slices ---- */

/* Blocks go round 2^bits channels. */
static inline unsigned channel_among(unsigned bits, uint64_t line)
{
    return (unsigned)(line >> ILV_W) & ((1u << bits) - 1);
}

static inline unsigned channel_of(uint64_t line)
{
    return channel_among(CHANNEL_BITS, line);
}

static inline unsigned host_channel_of(uint64_t line)
{
    return channel_among(HOST_BITS, line);
}

/* The number of a line in its channel, one of 2^bits: the line address without the channel bits. */
static inline uint64_t local_among(unsigned bits, uint64_t line)
{
    return line >> (ILV_W + bits) << ILV_W | (line & ((1ull << ILV_W) - 1));
}

static inline uint64_t local_line(uint64_t line)
{
    return local_among(CHANNEL_BITS, line);
}

static inline unsigned slice_among(unsigned bits, uint64_t line)
{
    return channel_among(bits, line) << SUB_BITS | ((unsigned)local_among(bits, line) & (L2_SLICES - 1));
}

static inline unsigned slice_of(uint64_t line)
{
    return slice_among(CHANNEL_BITS, line);
}

/* l2_index = folded: the digits of a number above the lowest, which counts the sets of an L2 slice, are xored onto it. */
static inline uint64_t indexed(uint64_t number)
{
    uint64_t onto = 0;
    if (L2_INDEX == L2_INDEX_FOLDED && INDEX_BITS > 0)
        for (uint64_t above = number >> INDEX_BITS; above; above >>= INDEX_BITS)
            onto ^= above;
    return number ^ (onto & ((1ull << INDEX_BITS) - 1));
}

/* A slice's own number of a line, where lines go round 2^bits channels. */
static inline uint64_t number_among(unsigned bits, uint64_t line)
{
    return indexed(local_among(bits, line) >> SUB_BITS);
}

static inline uint64_t number_of(uint64_t line)
{
    return number_among(CHANNEL_BITS, line);
}

/* ---- devices and host (docs/blocks/memside.md, home = directory) ---- */

static inline unsigned device_of_core(unsigned core)
{
    return core / (CORES / DEVICES);
}

/* The slice, of all there are, that performs a source's requests for a line. As a source the host port has the number after the last core; its slices, one for each host channel, have
 * the numbers after those of the last device. */
static inline unsigned net_slice(unsigned source, uint64_t line)
{
    if (HOME == HOME_FLAT)
        return slice_of(line);
    return device_of_core(source) * DEVICE_SLICES + (source == CORES ? host_channel_of(line) : slice_of(line));
}

/* From a line to the one with its number in its host channel as local_line, and back: addresses of the chips of host memory (docs/blocks/hmd.md, Addresses). */
static inline uint64_t host_line(uint64_t line)
{
    const uint64_t low = line & ((1ull << (ILV_W + HOST_BITS)) - 1);
    return (line >> (ILV_W + HOST_BITS) << (ILV_W + CHANNEL_BITS) | low) & ((1ull << LINE_ADDR_W) - 1);
}

static inline uint64_t line_of_host(uint64_t at)
{
    const uint64_t low = at & ((1ull << (ILV_W + HOST_BITS)) - 1);
    return at >> (ILV_W + CHANNEL_BITS) << (ILV_W + HOST_BITS) | low;
}

/* The wire that a device has, up and down. */
static inline unsigned wire_of(unsigned device)
{
    return LINKS == LINKS_SHARED ? 0 : device;
}

/* Policies with which home memory is in stacks: then the device with the home stack of a line, and its place there (docs/blocks/smd.md, Addresses). */
static inline bool in_stacks(unsigned memory)
{
    return memory == MEMORY_MEMCPY || memory == MEMORY_MANAGED;
}

static inline unsigned home_device(unsigned memory, uint64_t line)
{
    return memory == MEMORY_MEMCPY ? (unsigned)(line >> (ILV_W + CHANNEL_BITS)) & (DEVICES - 1) : 0;
}

static inline uint64_t home_line(unsigned memory, uint64_t line)
{
    const uint64_t n = line >> (ILV_W + CHANNEL_BITS), h = memory == MEMORY_MEMCPY ? n / DEVICES : n,
                   low = (1ull << (ILV_W + CHANNEL_BITS)) - 1;
    return (h & (STACK_BYTES / INTERLEAVE_BYTES - 1)) << (ILV_W + CHANNEL_BITS) | (line & low);
}

/* ---- the chips of a channel ---- */

/* The kind of a channel's chips, of all that have some (docs/configuration.md). What follows is by kind; a machine of one kind has constants. */
static inline unsigned chip_kind(unsigned channel)
{
    return HOME != HOME_FLAT && channel >= DEVICES * CHANNELS ? DRAM_KINDS - 1 : 0;
}

static inline unsigned row_line_bits(unsigned kind)
{
    return DRAM_KINDS > 1 && kind ? HOST_ROW_LINE_BITS : ROW_LINE_BITS;
}

static inline uint64_t rows_of(unsigned kind)
{
    return DRAM_KINDS > 1 && kind ? HOST_DRAM_ROWS : DRAM_ROWS;
}

/* Bytes of a channel's chips. */
static inline uint64_t chip_bytes(unsigned kind)
{
    return CH_BANKS * rows_of(kind) * LINE_BYTES << row_line_bits(kind);
}

/* bank_map = permuted: the bits of a row that are xored onto the bank, and those of the bank in its group onto the group. */
static inline unsigned row_onto_bank(uint64_t row)
{
    uint64_t onto = 0;
    if (BANK_MAP == BANK_MAP_PERMUTED)
        for (; row; row >>= CH_BANK_W)
            onto ^= row;
    return (unsigned)onto & (CH_BANKS - 1);
}

static inline unsigned bank_onto_group(unsigned bank)
{
    return BANK_MAP == BANK_MAP_PERMUTED ? (bank & (DRAM_BANKS - 1)) << BANK_BITS & (CH_BANKS - 1) : 0;
}

static inline place_t place_in(unsigned kind, uint64_t line)
{
    const uint64_t l = local_line(line), up = l >> (GROUP_BITS + row_line_bits(kind)),
                   row = up >> BANK_BITS & (rows_of(kind) - 1);
    const unsigned bank = (unsigned)((l & (DRAM_BANK_GROUPS - 1)) << BANK_BITS | (up & (DRAM_BANKS - 1)));
    return (place_t){.bank = bank ^ bank_onto_group(bank) ^ row_onto_bank(row),
                     .row = row,
                     .line = l >> GROUP_BITS & ((1u << row_line_bits(kind)) - 1)};
}

/* The lowest line that has this place in this channel. */
static inline uint64_t line_at(unsigned kind, unsigned channel, unsigned bank, uint32_t row, unsigned row_line)
{
    bank ^= row_onto_bank(row);
    bank ^= bank_onto_group(bank);
    uint64_t l = (((uint64_t)row << BANK_BITS | (bank & (DRAM_BANKS - 1))) << row_line_bits(kind) | row_line)
                     << GROUP_BITS
                 | bank >> BANK_BITS;
    return l >> ILV_W << (ILV_W + CHANNEL_BITS) | (uint64_t)channel << ILV_W | (l & ((1ull << ILV_W) - 1));
}
#endif
