/* The picture behind host pointers beside a kernel that the host begins in parts (docs/host-memory.md, S3). For devices whose memory is VL_BARE and shared. */
#ifndef VELLUM_PICTURE_H
#define VELLUM_PICTURE_H

#include "sw/runtime/backend.h"

struct vl_device;

/* From now on `memory.view` shows what the buffers are. */
int vl_picture_begin(struct vl_device *d);
/* An exchange of a range, while a kernel runs: what the program has changed is stored, and what kernels have stored is shown. */
int vl_picture_sync(struct vl_device *d, uint64_t at, uint64_t bytes);
/* The host has stored these bytes (from NULL: `byte`) by a call. */
void vl_picture_put(struct vl_device *d, uint64_t at, const void *from, uint8_t byte, uint64_t bytes);
/* The kernel is over and the store has everything: what the program has changed goes there, and is shown again. */
int vl_picture_end(struct vl_device *d);

#endif
