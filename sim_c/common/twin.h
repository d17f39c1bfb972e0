/* What most twins have in common (docs/conventions.md, The twin). */
#ifndef SIM_C_COMMON_TWIN_H
#define SIM_C_COMMON_TWIN_H
#include <stddef.h>
#include <string.h>

/* The size and the reset of a block with an all-zero state after reset. */
#define TWIN_STATE(foo)            \
    size_t foo##_size(void)        \
    {                              \
        return sizeof(struct foo); \
    }                              \
    void foo##_reset(foo##_t *s)   \
    {                              \
        memset(s, 0, sizeof *s);   \
    }
#endif
