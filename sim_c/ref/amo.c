/* Atomics: performed one at a time, so they are plain arithmetic plus the reservation. */
#include "sim_c/ref/internal.h"

uint64_t ref_amo_result(int op, uint64_t old, uint64_t operand, uint64_t compare)
{
    int64_t so = (int64_t)old, sv = (int64_t)operand;
    int32_t wo = (int32_t)old, wv = (int32_t)operand;
    uint32_t uo = (uint32_t)old, uv = (uint32_t)operand;
    switch (op) {
    case OP_AMOSWAP_W:
    case OP_AMOSWAP_D: return operand;
    case OP_AMOADD_W:
    case OP_AMOADD_D: return old + operand;
    case OP_AMOXOR_W:
    case OP_AMOXOR_D: return old ^ operand;
    case OP_AMOAND_W:
    case OP_AMOAND_D: return old & operand;
    case OP_AMOOR_W:
    case OP_AMOOR_D: return old | operand;
    case OP_AMOMIN_W: return wv < wo ? operand : old;
    case OP_AMOMAX_W: return wv > wo ? operand : old;
    case OP_AMOMINU_W: return uv < uo ? operand : old;
    case OP_AMOMAXU_W: return uv > uo ? operand : old;
    case OP_AMOMIN_D: return sv < so ? operand : old;
    case OP_AMOMAX_D: return sv > so ? operand : old;
    case OP_AMOMINU_D: return operand < old ? operand : old;
    case OP_AMOMAXU_D: return operand > old ? operand : old;
    case OP_AMOCAS_W: return (uint32_t)old == (uint32_t)compare ? operand : old;
    case OP_AMOCAS_D: return old == compare ? operand : old;
    default: return old;
    }
}

uint64_t mem_amo(reservation *r, uint64_t line, uint32_t hart, op_e op, unsigned size, uint8_t *p, uint64_t operand,
                 uint64_t compare)
{
    uint64_t old = 0;
    memcpy(&old, p, size);
    switch (op) {
    case OP_LR_W:
    case OP_LR_D: *r = (reservation){line, hart}; return old;
    case OP_SC_W:
    case OP_SC_D: {
        bool holds = r->line == line && r->hart == hart;
        if (r->hart == hart)
            r->line = NO_LINE; /* a store-conditional ends the thread's reservation either way */
        if (holds)
            memcpy(p, &operand, size);
        return !holds;
    }
    default: {
        uint64_t now = ref_amo_result(op, old, operand, compare), mask = size == 8 ? ~0ull : 0xffffffffull;
        bool cas = op == OP_AMOCAS_W || op == OP_AMOCAS_D;
        if (cas && ((old ^ compare) & mask))
            return old; /* no write happens, so reservations stay */
        memcpy(p, &now, size);
        mem_break(r, line);
        return old;
    }
    }
}
