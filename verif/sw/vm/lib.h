/* Shared by the tests of host memory: a device on the reference machine with the test's kernels, and launches in one line. */
#ifndef VERIF_SW_VM_LIB_H
#define VERIF_SW_VM_LIB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"

typedef struct probe {
    uint64_t address;
    uint32_t kind, value; /* 0 load, 1 store, 2 add */
} probe;
enum { LOAD, STORE, ADD };

extern const char *elf_path, *machine_name, *config_name;

/* A device opened with these words (vl_memory_parse); mem_limit 0: as usual. */
vl_device *open_device(const char *memory, uint64_t mem_limit);
void close_device(vl_device *d);
/* Loads the test's image in the space in use. */
void load_image(vl_device *d);

/* A kernel of the image; further arguments are uint64_t, one for each of the kernel's, cut to its size (a __local argument: bytes). */
int launch(vl_device *d, const char *kernel, uint64_t global, uint64_t local, vl_result *r, const uint64_t *args,
           unsigned n);
#define LAUNCH(d, kernel, global, local, r, ...) \
  launch(d, kernel, global, local, r, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

vl_ptr buffer(vl_device *d, uint64_t bytes);
/* One access by one thread, in a buffer of its own: the value found. A code other than `code` fails the test. */
uint32_t access_one(vl_device *d, vl_ptr p, unsigned kind, uint32_t value, int code, vl_result *r);

/* Every count of frames, slots, tables and mappings agrees with every other. */
void check_consistent(vl_device *d);

extern const struct CMUnitTest page_tests[], pager_tests[], space_tests[], order_tests[], register_tests[],
    place_tests[], random_tests[], board_tests[], failure_tests[];
extern const size_t n_page_tests, n_pager_tests, n_space_tests, n_order_tests, n_register_tests, n_place_tests,
    n_random_tests, n_board_tests, n_failure_tests;
extern uint64_t random_seed;

#endif
