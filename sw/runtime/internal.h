/* Declarations that the files of libvellum share; not for users of the library. */
#ifndef VELLUM_INTERNAL_H
#define VELLUM_INTERNAL_H

#include <stdarg.h>

#include "sw/runtime/memory_state.h"

/* Memory map, docs/abi.md */
#define VL_IMAGE_BASE 0x10000000ull
#define VL_IMAGE_END 0x30000000ull
#define VL_SPAD_BASE 0x30000000ull
#define VL_SPAD_MAX 0x10000u
#define VL_HEAP_BASE 0x40000000ull     /* where the chips hold less than up to here: after a quarter of them */
#define VL_DEFAULT_LIMIT 0x80000000ull /* or as much as the chips hold */
#define VL_MAX_LIMIT (1ull << 47)      /* the lower half of Sv48 */
#define VL_LINE 128u /* of the largest lines; an address aligned to them is aligned to smaller ones, too */
#define VL_BLOCK_ARGS 0x80u    /* offset of the first argument in the launch block */
#define VL_BLOCK_MAX 0x10000u  /* no launch block is larger */
#define VL_STACK_MAX 0x100000u /* nor a private stack */
#define VL_PRIVATE_LEAST 4 /* log2 of the bytes of stacks that are interleaved (docs/private-memory.md): from ... */
#define VL_PRIVATE_MOST 19 /* ... to */

/* Fills `err` (may be NULL) and returns `code`. */
int vl_fail(vl_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- the image ---- */

typedef struct vl_segment {
    uint64_t addr, offset, file_bytes, mem_bytes; /* offset: in the file */
    unsigned char *data;                          /* file_bytes */
    bool exec, write;
} vl_segment;

struct vl_image {
    size_t n_segments;
    vl_segment *segments; /* by address */
    size_t n_kernels;
    vl_kernel_info *kernels; /* by name */
    void **descriptors;      /* what their strings point into, and the arguments, one block a kernel */
    size_t n_reconv;
    vl_reconv *reconv;
    size_t n_sources;
    char **sources; /* of each: the compiler's version line, NUL, its options */
    unsigned char *file; /* the whole file, where it says of which source lines its code is; or NULL */
    size_t file_bytes;
    vl_image_info info;
};

/* ---- kernels and their arguments ---- */

struct vl_kernel {
    const vl_image *image;
    const vl_kernel_info *info;
    unsigned char *args;   /* the launch block from VL_BLOCK_ARGS on */
    uint64_t *local_bytes; /* of each argument of kind VL_ARG_LOCAL */
    bool *set;
};

/* ---- configuration ---- */

struct vl_config {
    char name[64];
    size_t n;
    struct vl_config_value {
        char key[48], word[48];
        int64_t value;
        bool without_effect; /* a field that changes nothing in this configuration */
    } *values; /* word: value of a field that is not a number, otherwise empty */
};
/* Of a word NAME or PATH.toml with any of +FIELD=VALUE behind it: its values, its name, malloced, and the tree that has it, in place of *root. */
int vl_config_read(vl_config *c, char **root, char **name, const char *word, vl_error *err);
int vl_config_load(vl_config *c, const char *root, const char *name, vl_error *err);
void vl_config_free(vl_config *c);
/* A policy of a configuration by name and value: its number and the value's. VL_ENOENT, VL_EINVAL; VL_ENOTSUP, VL_EINVAL: its fields forbid this value. */
int vl_config_policy(const vl_config *c, const char *name, const char *value, enum vl_policy *policy, uint32_t *number,
                     vl_error *err);
/* The value of a policy: as it was set, or after reset. */
void vl_policy_now(const vl_device *d, size_t policy, char *text, size_t n);
/* As vl_memory_parse reads it. */
void vl_memory_words(const vl_memory *m, char *text, size_t n);
/* The place of bytes that `m` names exists in this configuration. VL_ENOTSUP. */
int vl_config_memory(const vl_config *c, const vl_memory *m, vl_error *err);
/* NAME=VALUE: the name, of fewer than n characters, and the value in `word`. VL_EINVAL. */
int vl_policy_split(const char *word, char *name, size_t n, const char **value, vl_error *err);

/* The counters, joined by '+', that a derived figure of a machine is computed of. False: no derived figure. */
bool vl_figure_inputs(const vl_device *d, const char *name, const char **over, const char **under);
/* A counter, or a figure of these counters. False: it is not among them, or has no value. */
struct vl_counter;
bool vl_figure_of(const vl_device *d, const char *name, const struct vl_counter *c, size_t n, vl_stat *to);

/* The i-th counter or figure that a machine may have, in the order of reports; false past the last. Its value is no one's. */
bool vl_figure(size_t i, vl_stat *figure);

/* ---- device heap: addresses only, first fit, ranges kept sorted ---- */

typedef struct vl_range_of {
    uint64_t addr, bytes;
    uint64_t asked; /* of bytes, those that were asked for: the rest fills the last line */
} vl_range_of;
typedef struct vl_heap {
    uint64_t base, limit;
    uint64_t touched; /* nothing at or above it was ever handed out: it still reads zero */
    vl_range_of *used;
    size_t n, room;
    bool zones; /* a red zone follows each range, in which nothing lies (vl_check_buffers) */
} vl_heap;
void vl_heap_init(vl_heap *h, uint64_t base, uint64_t limit);
void vl_heap_done(vl_heap *h);
int vl_heap_take(vl_heap *h, uint64_t bytes, uint64_t align, uint64_t *addr); /* at least VL_LINE */
int vl_heap_take_aligned(vl_heap *h, uint64_t bytes, uint64_t align, uint64_t *addr); /* bytes: a multiple of VL_LINE */
bool vl_heap_has(const vl_heap *h, uint64_t addr); /* is it of a range that is taken? */
int vl_heap_give(vl_heap *h, uint64_t addr);

/* ---- the device ---- */

/* Gives the backend the memory that a kernel launched now may use (vl_check_buffers). */
int vl_allow(vl_device *d, const vl_kernel *k);

struct vl_device {
    const vl_backend_ops *ops;
    const char *name; /* of the backend */
    void *self;
    void *library; /* dlopen handle or NULL */
    vl_config config;
    vl_backend_env env;
    char *root;
    uint64_t heap_base, limit;
    vl_heap heap; /* mode bare; otherwise each space has its own */
    vl_memory_state memory;
    vl_space *space; /* in use; NULL: bare */
    bool policy_set[VL_N_POLICIES]; /* by vl_set_policy, or by the mode of memory, to this: */
    uint32_t policy_value[VL_N_POLICIES];
    uint64_t max_cycles;
    vl_progress_fn progress;
    void *progress_user;
    vl_print_fn print; /* what kernels print (docs/printf.md); NULL: they print nothing */
    void *print_user;
    uint64_t print_room;
    bool tracing, dead;
    uint32_t watched; /* number of buffers that are counted */
    bool checks; /* accesses are checked against the buffers (vl_check_buffers), which are these */
    vl_range_of *allowed;
    size_t n_allowed;
    bool back_door; /* open for data (vl_set_back_door) */
    bool launched; /* between vl_launch_begin and vl_launch_end, with this launch: */
    vl_backend_launch launch;
    const vl_kernel_info *launch_kernel;
    const vl_image *image;
    vl_ptr block, stack, print_at; /* the launch block, the stacks, what kernels print: kept from launch to launch */
    uint64_t block_bytes, stack_bytes, print_bytes;
    uint32_t stack_log2; /* of a stack of the last launch */
    bool table_shared; /* the table holds the branches of all kernels of the image */
    const vl_kernel_info *table_kernel; /* otherwise the branches of this kernel; NULL: of none yet */
    uint32_t job; /* number of the job that is being prepared (vl_launch_jobs), else 0 */
    uint32_t reconv_used, reconv_left_out;
    vl_stat *stats;
    size_t n_stats;
    vl_stat *own_stats; /* statistics of each job of its own */
    struct vl_sampler *sampler; /* vl_set_sampling; or NULL */
    vl_stopped *stopped; /* of the last launch (vl_stopped_list) */
    size_t n_stopped;
    vl_error error;
};

/* Opens a device on a table of functions that the caller has; vl_open looks the table up by name. `name` is for messages and
 * must outlive the device. Takes over nothing on failure. */
int vl_open_with(vl_device **dev, const char *name, const char *root, const vl_config *config,
                 const vl_backend_ops *ops, uint64_t limit, vl_error *err);
/* A backend that was found, and the arguments to open it (vl_backend_env). */
typedef struct vl_backend {
    const vl_backend_ops *ops;
    int (*connect)(struct vl_host_if *host, const vl_backend_env *env, vl_error *err);
    const struct machine_api *machine;
    void *library; /* dlopen handle or NULL */
} vl_backend;

/* The same on a backend, with pages; `memory` NULL: bare. */
int vl_open_memory(vl_device **dev, const char *name, const char *root, const vl_config *config,
                   const vl_backend *backend, uint64_t limit, const vl_memory *memory, vl_error *err);

/* vl_malloc, at a multiple of `align`, a power of two. */
int vl_malloc_aligned(vl_device *dev, uint64_t bytes, uint64_t align, vl_ptr *out);
/* log2 of the bytes of all stacks of a launch, to which the first one is aligned. */
unsigned vl_stacks_log2(const vl_device *dev, unsigned stack_log2);
/* The address in its stack, as the program has it, of what lies at `place`; of anything else `place`. */
vl_ptr vl_stack_address(const vl_device *dev, vl_ptr base, unsigned stack_log2, vl_ptr place);

/* Gives a buffer back. VL_EINVAL: no buffer. */
int vl_give(vl_device *dev, vl_ptr p);

/* A call of the backend or of host memory has returned e: the device's error is never without a text. Returns e. */
int vl_record_error(vl_device *dev, int e);

/* The backend `name`. A simulated machine is built first. */
int vl_backend_find(const char *name, const char *root, const char *config, const vl_options *opt, vl_backend *backend,
                    vl_error *err);
const vl_backend_ops *vl_backend_ref(void);
extern const vl_backend_ops vl_driver;

/* Writes the reconvergence table of a kernel of the loaded image. */
int vl_table_for(vl_device *dev, const vl_kernel_info *k);

/* Everything of a launch that is not the machine's: arguments, launch block and stacks in memory, the table. `l`: for the backend, all but what vl_memory_begin
 * adds. */
int vl_prepare(vl_device *dev, vl_kernel *k, const vl_range *range, vl_backend_launch *l);
/* The fault of this launch as the device's error; its value becomes the program's own address (docs/private-memory.md), and its place is put in words. */
int vl_record_fault(vl_device *dev, const vl_space *s, const vl_image *img, const vl_backend_launch *l, vl_fault *f);
/* f->place; and the work-item: of a warp that begins with thread `first` of a group (places.c). */
void vl_fault_place(vl_device *dev, const vl_space *s, const vl_image *img, const vl_backend_launch *l, vl_fault *f);
void vl_fault_item(vl_fault *f, const vl_backend_launch *l, const uint32_t group[3], uint32_t first);

/* Fills dev->stopped from the backend's state. */
void vl_stopped_collect(vl_device *dev);

/* A kernel is about to start: its samples begin at cycle 0. */
void vl_sampling_begin(vl_device *dev);

/* Fills dev->stats from the backend's counters. */
int vl_stats_collect(vl_device *dev);

/* A hash of the sources of machines now (0: unknown), and whether make found a library up to date with the same sources the last time (sources.c). */
uint64_t vl_sources_key(const char *root);
bool vl_sources_same(const char *library, uint64_t key);
void vl_sources_note(const char *library, uint64_t key);

/* ---- helpers ---- */

/* Seconds of a clock that only goes on. */
double vl_seconds(void);

/* Of a launch that began then: ", MINUTES:SECONDS left" by the groups that are done; empty before the first. */
enum { VL_LEFT = 40 };
const char *vl_time_left(char text[VL_LEFT], double begun, const vl_progress *p);

/* Runs a program (found in PATH) with the variables of make taken out of its environment. `out` gets its standard output (at most
 * out_size - 1 bytes), `tail` the end of its standard error. Exit status, or a VL_E* code when it could not be run or was killed. */
typedef struct vl_listener { /* of the lines on standard error that begin with `word`, as they come */
    const char *word;
    void (*line)(void *user, const char *line);
    void *user;
} vl_listener;
int vl_command(char *const argv[], char *out, size_t out_size, char *tail, size_t tail_size, const vl_listener *hears);

/* The source tree, malloced: `given`, $VELLUM_ROOT, or found upwards from the running program. NULL and a sentence if it is not found. */
char *vl_find_root(const char *given, vl_error *err);
/* The nearest folder above a file that is a tree, or has an installed one; malloced, or NULL. */
char *vl_root_above(const char *file);

static inline uint64_t vl_align(uint64_t x, uint64_t a)
{
    return (x + a - 1) & ~(a - 1);
}

#endif
