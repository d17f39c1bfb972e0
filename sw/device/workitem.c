/* Work-item functions (get_global_id and its family), from the identity CSRs and the launch block (docs/isa.md, docs/abi.md).
 *
 * Plain C, not OpenCL C: in OpenCL every inline assembly is convergent, and a convergent CSR read can be neither merged with
 * another nor moved out of a loop. The names are mangled as in OpenCL through `overloadable`.
 * The launch block is read by assembly too: it never changes, and a plain load would be repeated behind every store. */

#define FN __attribute__((overloadable, always_inline, const))
typedef unsigned uint;
typedef unsigned long ulong;

#define CSR(number)                                                                                                    \
    ({                                                                                                                 \
        ulong v_;                                                                                                      \
        __asm__("csrr %0, " #number : "=r"(v_));                                                                       \
        v_;                                                                                                            \
    })
#define BLOCK(load, offset)                                                                                            \
    ({                                                                                                                 \
        ulong v_;                                                                                                      \
        __asm__(#load " %0, " #offset "(%1)" : "=r"(v_) : "r"(CSR(0xccc)));                                            \
        v_;                                                                                                            \
    })
/* One value a dimension; `other` for a dimension that does not exist (OpenCL 1.2 section 6.12.1). */
#define BY_DIMENSION(d, x, y, z, other) ((d) == 0 ? (x) : (d) == 1 ? (y) : (d) == 2 ? (z) : (other))

FN uint get_work_dim(void)
{
    return (uint)BLOCK(lw, 0x00);
}

FN ulong get_global_size(uint d)
{
    return BY_DIMENSION(d, BLOCK(ld, 0x08), BLOCK(ld, 0x10), BLOCK(ld, 0x18), 1);
}

FN ulong get_global_offset(uint d)
{
    return BY_DIMENSION(d, BLOCK(ld, 0x20), BLOCK(ld, 0x28), BLOCK(ld, 0x30), 0);
}

FN ulong get_num_groups(uint d)
{
    return BY_DIMENSION(d, BLOCK(ld, 0x38), BLOCK(ld, 0x40), BLOCK(ld, 0x48), 1);
}

FN ulong get_local_size(uint d)
{
    return BY_DIMENSION(d, BLOCK(ld, 0x50), BLOCK(ld, 0x58), BLOCK(ld, 0x60), 1);
}

FN ulong get_local_id(uint d)
{
    ulong id = BY_DIMENSION(d, CSR(0xcc0), CSR(0xcc1), CSR(0xcc2), 0);
    __builtin_assume(id < 65536); /* a group fits a core; spares the sign extension of `int i = get_local_id(0)` */
    return id;
}

FN ulong get_group_id(uint d)
{
    return BY_DIMENSION(d, CSR(0xcc8), CSR(0xcc9), CSR(0xcca), 0);
}

FN ulong get_global_id(uint d)
{
    return BY_DIMENSION(d, CSR(0xcc4) + CSR(0xcc0), CSR(0xcc5) + CSR(0xcc1), CSR(0xcc6) + CSR(0xcc2), 0);
}
