/* Shared memory of host and device: the store, and address ranges of this process into which parts of it are mapped. */
#ifndef VELLUM_STORE_H
#define VELLUM_STORE_H

#include "sw/runtime/backend.h"

#define VL_STORE_MAX (1ull << 40) /* a larger window has no store */

/* A file of memory alone, of the given size, all zero and costing nothing until written. -1: VL_ENOMEM in err. */
int vl_memory_file(const char *name, uint64_t bytes, vl_error *err);
/* All of it, or a part, somewhere in this process. NULL: VL_ENOMEM in err. */
uint8_t *vl_memory_view(int fd, uint64_t offset, uint64_t bytes, vl_error *err);

/* Addresses of this process without access, at a multiple of `bytes`, below 2^47, the same in every run where that is possible. */
uint8_t *vl_addresses(uint64_t bytes, vl_error *err);
/* The contents of a part of them: the file's bytes from `offset` on, or (fd -1) nothing. */
int vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err);
/* Separate mappings that shared memory may have in this process. */
uint64_t vl_most_mappings(void);
/* The file's bytes read zero again, and cost nothing. */
/* Copies between here and addresses of this process that may not be there: by way of a file of at least a page, so that it fails instead of ending the process.
 * VL_EACCESS. */
int vl_host_get(int file, void *to, uint64_t from, uint64_t bytes);
int vl_host_put(int file, uint64_t to, const void *from, uint64_t bytes);
/* This process's rights in all of a range (VL_READ, VL_WRITE). VL_EACCESS: not all of it is memory that can be read. */
int vl_host_rights(uint64_t at, uint64_t bytes, unsigned *rights);
void vl_punch(int fd, uint64_t offset, uint64_t bytes);

#endif
