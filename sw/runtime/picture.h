/* The picture behind host pointers beside a kernel that the host begins in parts (docs/host-memory.md, S3). For devices with memory VL_BARE and shared. */
#ifndef VELLUM_PICTURE_H
#define VELLUM_PICTURE_H

#include "sw/runtime/backend.h"

struct vl_device;

/* From now on `memory.view` shows the buffers. */
int vl_picture_begin(struct vl_device *d);
/* An exchange of a range, while a kernel runs: the program's changes are stored, and the kernels' stores are shown. */
int vl_picture_sync(struct vl_device *d, uint64_t at, uint64_t bytes);
/* The host has stored these bytes (from NULL: `byte`) by a call. */
void vl_picture_put(struct vl_device *d, uint64_t at, const void *from, uint8_t byte, uint64_t bytes);
/* The kernel is over and the store has everything: the program's changes go there, and are shown again. */
int vl_picture_end(struct vl_device *d);

#endif
