/* An address space, for the files of host memory. */
#ifndef VELLUM_SPACE_H
#define VELLUM_SPACE_H

#include "sw/runtime/internal.h"

/* What a device keeps of a space while it uses another. */
struct vl_kept {
  const vl_image *image;
  vl_ptr block, stack;
  uint64_t block_bytes, stack_bytes;
};

struct vl_space {
  vl_device *dev;
  vl_space *next;
  uint16_t asid;
  page_table *table;
  uint8_t *region; /* of this process; device addresses as well */
  uint64_t region_bytes;
  int home_fd;   /* demand: the region, then the image's addresses */
  uint8_t *home; /* all of it */
  vl_heap heap;
  vl_area *areas; /* by address */
  size_t n, room;
  uint64_t *retired; /* tables that a walker may still read */
  size_t n_retired, room_retired;
  vl_kept kept;
};

#endif
