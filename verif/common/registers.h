/* The registers of rtl/common/registers.toml, for tests: the bits that each keeps, and its reset value.
 * The configuration's names that are used in expressions there (VL_REGISTER_KEYS) must be known where this is included. */
#ifndef VERIF_COMMON_REGISTERS_H
#define VERIF_COMMON_REGISTERS_H
#include "vl_regs.h"
#include <string.h>

typedef struct {
    const char *name;
    unsigned addr; /* of the first, where there are several */
    bool vm_ctl; /* its block; else ctrl */
    bool of_kernel; /* one a kernel slot */
    bool of_core; /* one a core */
    uint64_t kept; /* bits that read as they were written */
    uint64_t reset; /* reset values of these bits, and of bits that cannot be written */
    uint64_t shown; /* bits of RO fields, and of RW fields that do not simply keep the written value */
    uint64_t taken; /* bits of WO fields */
} known_register_t;

enum { KNOWN_RW, KNOWN_RO, KNOWN_WO };
#define KNOWN_ONE(...) +1
#define KNOWN_NONE(...)
enum { KNOWN_REGISTERS = 0 VL_REGISTERS(KNOWN_ONE, KNOWN_NONE) };

static inline void known_field(known_register_t *r, unsigned low, unsigned width, uint64_t reset, int access, bool kept,
                               unsigned count, unsigned stride)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t bits = (~0ull >> (64 - width)) << (low + i * stride);
        *(access == KNOWN_WO ? &r->taken : access == KNOWN_RW && kept ? &r->kept : &r->shown) |= bits;
        r->reset |= reset << (low + i * stride);
    }
}

static inline void known_registers(known_register_t r[KNOWN_REGISTERS])
{
    known_register_t *at = r - 1;
    memset(r, 0, KNOWN_REGISTERS * sizeof *r);
#define KNOWN_R(reg, address, block, per, help) \
    *++at = (known_register_t){.name = #reg, .addr = address, .vm_ctl = !strcmp(#block, "vm_ctl"), .of_kernel = !strcmp(#per, "kernel"), .of_core = !strcmp(#per, "core")};
#define KNOWN_F(reg, field, low, room, width, reset, access, kept, count, stride, help) \
    known_field(at, low, (unsigned)(width), (uint64_t)(reset), KNOWN_##access, kept, count, stride);
    VL_REGISTERS(KNOWN_R, KNOWN_F)
#undef KNOWN_R
#undef KNOWN_F
}
#endif
