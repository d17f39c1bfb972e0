/* What kernels print (docs/printf.md). Not for users of the library. */
#ifndef VELLUM_PRINT_INTERNAL_H
#define VELLUM_PRINT_INTERNAL_H

#include <stdio.h>

#include "sw/runtime/internal.h"

#define VL_PRINT_BLOCK 0x68u  /* of the launch block: where the buffer's address is */
#define VL_PRINT_HEAD 128u    /* bytes before its records */
#define VL_PRINT_ROOM 0x100000u /* bytes of records by default: OpenCL's minimum */

/* Where the strings of a program are. The text at `address`, malloced; NULL: it cannot be read. */
typedef char *(*vl_string_fn)(void *user, uint64_t address);

/* One call of printf: its format with its arguments, words `args` to `end`, as text. */
void vl_print_call(FILE *to, const char *format, const uint32_t *args, const uint32_t *end, vl_string_fn string,
                   void *user);

/* Before a launch: the buffer is there, empty, and its address is in the block. */
int vl_print_prepare(vl_device *d, const vl_kernel_info *k, unsigned char *block);
/* After it: the printed text, in order, goes to the function. Leaves the device's error as it is, unless it returns one. */
int vl_print_collect(vl_device *d, const vl_kernel_info *k);

#endif
