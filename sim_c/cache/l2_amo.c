/* An atomic of a slice, with its doubleword at hand (docs/blocks/l2.md). */
#include "sim_c/cache/l2_amo.h"

/* The arithmetic (rtl/common/amo_alu.sv). Word operations use the low halves. */
static uint64_t l2_amo_new(unsigned op, bool dword, uint64_t old, uint64_t src)
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

static bool l2_amo_equal(bool dword, uint64_t old, uint64_t cmp)
{
    return dword ? old == cmp : (uint32_t)old == (uint32_t)cmp;
}

l2_amo_t l2_amo_perform(const mem_req_t *r, uint64_t dword, bool reserved)
{
    uint64_t old = r->amo_dword || !(r->amo_off & 4) ? dword : dword >> 32, src = r->data.w[0];
    uint64_t now = l2_amo_new(r->amo, r->amo_dword, old, src), answer = old;
    bool stores = r->amo != AMO_LR;
    if (r->amo == AMO_SC) {
        stores = !r->sc_fail && reserved;
        answer = !stores;
    } else if (r->amo == AMO_CAS) {
        stores = l2_amo_equal(r->amo_dword, old, r->data.w[1]);
    }
    return (l2_amo_t){.image = r->amo_dword ? answer : (answer & 0xffffffff) * 0x100000001ull,
                      .put = r->amo_dword ? now : (now & 0xffffffff) * 0x100000001ull,
                      .stores = stores};
}
