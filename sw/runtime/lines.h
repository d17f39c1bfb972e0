/* Where an instruction comes from: source file, line and function, from the debugging information that `vellum cc -g` leaves in an image. */
#ifndef VELLUM_LINES_H
#define VELLUM_LINES_H

#include "sw/runtime/vellum.h"

typedef struct vl_lines vl_lines;

/* Of a whole ELF file in memory, which must stay. NULL: it has none, or there is no memory. */
vl_lines *vl_lines_open(const void *file, size_t bytes);
void vl_lines_close(vl_lines *l);
/* The place of the instruction at pc; false: unknown. */
bool vl_lines_find(vl_lines *l, uint64_t pc, vl_source *out);

#endif
