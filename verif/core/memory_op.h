/* What memory operations are, for scoreboards: read off the instruction's encoding (opcode, funct3, funct5) as the RISC-V specification has it, not off lists of names. */
#ifndef VERIF_CORE_MEMORY_OP_H
#define VERIF_CORE_MEMORY_OP_H
#include "isa_gen.h"
#include "vl_types.h"

enum memop_kind { MEMOP_NONE, MEMOP_LOAD, MEMOP_STORE, MEMOP_ATOMIC, MEMOP_FENCE, MEMOP_WG };

static inline unsigned memop_funct3(unsigned op)
{
    return isa_rows[op].match >> 12 & 7;
}

static inline enum memop_kind memop_kind(unsigned op)
{
    if (op == OP_VL_FENCE_WG)
        return MEMOP_WG;
    switch (isa_rows[op].match & 0x7f) {
    case 0x03: return MEMOP_LOAD;
    case 0x23: return MEMOP_STORE;
    case 0x2f: return MEMOP_ATOMIC;
    case 0x0f: return MEMOP_FENCE;
    default: return MEMOP_NONE;
    }
}

/* Bytes of the datum. */
static inline unsigned memop_size(unsigned op)
{
    const enum memop_kind k = memop_kind(op);
    return k == MEMOP_LOAD || k == MEMOP_STORE || k == MEMOP_ATOMIC ? 1u << (memop_funct3(op) & 3) : 4;
}

static inline bool memop_unsigned(unsigned op)
{
    return memop_kind(op) == MEMOP_LOAD && memop_funct3(op) & 4;
}

/* The atomic operation, by funct5. */
static inline enum amo_e memop_amo(unsigned op)
{
    static const enum amo_e of[32] = {
        [0] = AMO_ADD, [1] = AMO_SWAP, [2] = AMO_LR,   [3] = AMO_SC,   [4] = AMO_XOR,   [5] = AMO_CAS,
        [8] = AMO_OR,  [12] = AMO_AND, [16] = AMO_MIN, [20] = AMO_MAX, [24] = AMO_MINU, [28] = AMO_MAXU};
    return memop_kind(op) == MEMOP_ATOMIC ? of[isa_rows[op].match >> 27] : AMO_SWAP;
}

/* The low bytes of a value. */
static inline uint64_t memop_low(uint64_t v, unsigned size)
{
    return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}
#endif
