/* Addresses of private stacks and their places (docs/private-memory.md). */
#include "sw/runtime/internal.h"

static unsigned log2_of(uint64_t n)
{
    unsigned k = 0;
    while (1ull << k < n)
        k++;
    return k;
}

unsigned vl_stacks_log2(const vl_device *d, unsigned stack_log2)
{
    const uint64_t harts = (uint64_t)d->env.cores * d->env.warps * d->env.threads;
    return stack_log2 + (harts > 1 ? log2_of(harts) : 1);
}

/* Whether an address is private, the bits of the thread and of the doubleword in a stack. */
static bool fields(const vl_device *d, vl_ptr base, unsigned log2, vl_ptr p, unsigned *threads, unsigned *slots)
{
    if (log2 < VL_PRIVATE_LEAST || log2 > VL_PRIVATE_MOST || (p ^ base) >> vl_stacks_log2(d, log2))
        return false;
    *threads = log2_of(d->env.threads);
    *slots = log2 - 3;
    return true;
}

/* The fields of n and m bits above the byte, each in the other's place. */
static vl_ptr exchange(vl_ptr p, unsigned n, unsigned m)
{
    const vl_ptr low = p >> 3 & ((1ull << n) - 1), high = p >> (3 + n) & ((1ull << m) - 1);
    return (p & ~((1ull << (3 + n + m)) - 1)) | low << (3 + m) | high << 3 | (p & 7);
}

vl_ptr vl_stack_address(const vl_device *d, vl_ptr base, unsigned stack_log2, vl_ptr place)
{
    unsigned threads, slots;
    return fields(d, base, stack_log2, place, &threads, &slots) ? exchange(place, threads, slots) : place;
}

vl_ptr vl_private_address(const vl_device *d, vl_ptr place)
{
    return d ? vl_stack_address(d, d->stack, d->stack_log2, place) : place;
}

vl_ptr vl_private_place(const vl_device *d, vl_ptr address)
{
    unsigned threads, slots;
    return d && fields(d, d->stack, d->stack_log2, address, &threads, &slots) ? exchange(address, slots, threads)
                                                                              : address;
}
