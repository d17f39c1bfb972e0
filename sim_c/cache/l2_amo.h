/* The arithmetic of an atomic, as rtl/common/amo_alu.sv does it. Word operations use the low halves. */
#ifndef VL_L2_AMO_H
#define VL_L2_AMO_H
#include "vl_types.h"

static inline uint64_t l2_amo_new(unsigned op, bool dword, uint64_t old, uint64_t src)
{
    bool less; /* a word, shifted to the top, compares as a doubleword does */
    uint64_t a = dword ? old : old << 32, b = dword ? src : src << 32;
    less = op == AMO_MIN || op == AMO_MAX ? (int64_t)a < (int64_t)b : a < b;
    switch (op) {
    case AMO_ADD: return old + src;
    case AMO_XOR: return old ^ src;
    case AMO_AND: return old & src;
    case AMO_OR: return old | src;
    case AMO_MIN:
    case AMO_MINU: return less ? old : src;
    case AMO_MAX:
    case AMO_MAXU: return less ? src : old;
    default: return src;
    }
}

static inline bool l2_amo_equal(bool dword, uint64_t old, uint64_t cmp)
{
    return dword ? old == cmp : (uint32_t)old == (uint32_t)cmp;
}
#endif
