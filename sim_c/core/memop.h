/* Common properties of the memory operations of op_e, for the twins of lsu and spad. */
#ifndef SIM_C_CORE_MEMOP_H
#define SIM_C_CORE_MEMOP_H
#include "vl_types.h"

enum memop_kind { MEMOP_NONE, MEMOP_LOAD, MEMOP_STORE, MEMOP_ATOMIC, MEMOP_FENCE, MEMOP_WG };

static inline enum memop_kind memop_kind(unsigned op)
{
    if (op >= OP_LB && op <= OP_LWU)
        return MEMOP_LOAD;
    if (op >= OP_SB && op <= OP_SD)
        return MEMOP_STORE;
    if (op >= OP_LR_W && op <= OP_AMOCAS_D)
        return MEMOP_ATOMIC;
    if (op == OP_FENCE || op == OP_FENCE_I)
        return MEMOP_FENCE;
    return op == OP_VL_FENCE_WG ? MEMOP_WG : MEMOP_NONE;
}

/* Bytes of the datum. */
static inline unsigned memop_size(unsigned op)
{
    switch (op) {
    case OP_LB:
    case OP_LBU:
    case OP_SB: return 1;
    case OP_LH:
    case OP_LHU:
    case OP_SH: return 2;
    case OP_LD:
    case OP_SD: return 8;
    default: return op >= OP_LR_D && op <= OP_AMOCAS_D ? 8 : 4;
    }
}

static inline bool memop_unsigned(unsigned op)
{
    return op == OP_LBU || op == OP_LHU || op == OP_LWU;
}

/* The atomic operation, without its size. */
static inline enum amo_e memop_amo(unsigned op)
{
    switch (op) {
    case OP_LR_W:
    case OP_LR_D: return AMO_LR;
    case OP_SC_W:
    case OP_SC_D: return AMO_SC;
    case OP_AMOADD_W:
    case OP_AMOADD_D: return AMO_ADD;
    case OP_AMOXOR_W:
    case OP_AMOXOR_D: return AMO_XOR;
    case OP_AMOAND_W:
    case OP_AMOAND_D: return AMO_AND;
    case OP_AMOOR_W:
    case OP_AMOOR_D: return AMO_OR;
    case OP_AMOMIN_W:
    case OP_AMOMIN_D: return AMO_MIN;
    case OP_AMOMAX_W:
    case OP_AMOMAX_D: return AMO_MAX;
    case OP_AMOMINU_W:
    case OP_AMOMINU_D: return AMO_MINU;
    case OP_AMOMAXU_W:
    case OP_AMOMAXU_D: return AMO_MAXU;
    case OP_AMOCAS_W:
    case OP_AMOCAS_D: return AMO_CAS;
    default: return AMO_SWAP;
    }
}

/* The low bytes of a value. */
static inline uint64_t memop_low(uint64_t v, unsigned size)
{
    return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}
#endif
