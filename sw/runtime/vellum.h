/*
 * libvellum: load a kernel image, allocate device memory, launch kernels on a Vellum machine, read results and statistics.
 *
 *     vl_device *dev; vl_image *img; vl_kernel *k; vl_error err; vl_ptr x;
 *     vl_open(&dev, "small", "ref", NULL, &err);
 *     vl_image_read(&img, "vadd.elf", &err);
 *     vl_load(dev, img);
 *     vl_kernel_open(&k, img, "vadd", &err);
 *     vl_malloc(dev, bytes, &x);  vl_write(dev, x, host, bytes);
 *     vl_kernel_set_ptr(k, 0, x, &err);
 *     vl_launch(dev, k, &(vl_range){ .dims = 1, .global = {1000}, .local = {8} }, &result);
 *     vl_read(dev, x, host, bytes);
 *
 * Every function that can fail returns 0 or a negative code below. The sentence that says what exactly was wrong is in the
 * `vl_error` a function takes (may be NULL), or, for functions of a device, in vl_detail(dev). The library never prints,
 * never exits, and keeps no global state. A handle is to be used by one thread at a time.
 */
#ifndef VELLUM_H
#define VELLUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The libraries export these declarations alone. */
#pragma GCC visibility push(default)

/* ---- errors ---- */

enum {
    VL_OK = 0,
    VL_EINVAL = -1,   /* a wrong argument: null handle, index out of range, wrong size, bad work size */
    VL_ENOMEM = -2,   /* the host has no memory left */
    VL_EDEVMEM = -3,  /* the device heap cannot hold the request */
    VL_EIO = -4,      /* a file could not be read or written */
    VL_EELF = -5,     /* not a kernel image: malformed, truncated or foreign ELF */
    VL_ENOENT = -6,   /* no configuration, backend, kernel or policy has this name */
    VL_ECONFIG = -7,  /* the configuration is refused by the generator, or lacks a key the runtime needs */
    VL_EBACKEND = -8, /* the backend could not be built, loaded or started */
    VL_ENOTSUP = -9,  /* not possible with this backend (a kind of trace, for instance) */
    VL_ETOOBIG = -10, /* a workgroup does not fit a core: threads, warps or scratchpad */
    VL_EARG = -11,    /* a kernel argument was not set, or set as something it is not */
    VL_EACCESS = -12, /* a device address range is not (wholly) inside device memory */
    VL_ESTATE = -13,  /* calls out of order: no image loaded, kernel of another image */
    VL_EFAULT = -14,  /* the kernel faulted; vl_result.fault says where */
    VL_EDIFF = -15, /* the machines of a lockstep differ, or one broke a rule of the memory chips; see vl_detail() */
    VL_ELIMIT = -16, /* the cycle limit was reached before the kernel ended; on `ref` also: it would never end */
    VL_EINTR = -17, /* the progress callback asked to stop */
    VL_EDEAD = -18, /* an earlier launch did not end (fault, limit, difference): reopen the device to launch again */
};

/* The meaning of a code in a few words, for any int. Never NULL. */
const char *vl_strerror(int code);

/* What exactly was wrong, in one line without a final newline (a lockstep report has more: the events before the difference). */
typedef struct vl_error {
    int code;
    char text[8192];
} vl_error;

/* ---- devices ---- */

typedef struct vl_device vl_device; /* one opened machine */
typedef struct vl_image vl_image; /* a checked kernel image, independent of any device */
typedef struct vl_kernel vl_kernel; /* one kernel of an image, with its arguments */
typedef uint64_t vl_ptr; /* a device address */

/* How device memory is addressed (docs/host-memory.md). */
typedef enum vl_memory_mode {
    VL_BARE, /* addresses are physical */
    VL_PAGED, /* a buffer has the same address here and on the device */
    VL_DEMAND, /* the same, and its pages are mapped on the device when they are first touched */
} vl_memory_mode;

/* Where the bytes of lines are that devices hold, in a machine with directories (docs/umh.md, 9): the policy `memory`. */
typedef enum vl_home {
    VL_HOME_UNSAID, /* the policy decides */
    VL_HOME_UMH,
    VL_HOME_ZEROCOPY,
    VL_HOME_MEMCPY,
    VL_HOME_MANAGED
} vl_home;

typedef struct vl_memory {
    vl_memory_mode mode;
    vl_home home; /* VL_ENOTSUP: no directories, or the stacks have no room */
    uint64_t page_bytes; /* VL_PAGED: largest pages that vl_malloc uses: 4096 (also 0), 2 MB or 1 GB */
    bool shared; /* VL_BARE: vl_host works as well, at other addresses than the device's (in the other modes always) */
    bool random_frames; /* physical frames in random order instead of ascending */
    uint64_t frame_seed;
    uint64_t frames; /* VL_DEMAND: 4 KB pages in frames at once; 0: no limit */
    bool fifo; /* VL_DEMAND: the page that came first goes, instead of one not used lately (clock) */
    bool disturb; /* for tests: evictions and shootdowns at random times */
    uint64_t disturb_seed;
    uint32_t flush_every; /* of all address spaces, as vl_space_flush; 0: none */
} vl_memory;

/* From words: bare, paged or demand, then any of umh, zerocopy, memcpy, managed, shared, page=4k|2m|1g, order=linear|random:SEED, frames=N, evict=clock|fifo, disturb=SEED, flush=N,
 * separated by commas. VL_EINVAL. */
int vl_memory_parse(vl_memory *out, const char *text, vl_error *err);

typedef struct vl_options {
    /* source tree (rtl/config, build/cfg); NULL: $VELLUM_ROOT, or found upwards from the running program */
    const char *root;
    uint64_t mem_limit; /* end of device memory, exclusive; 0: 0x80000000, or less if the chips are smaller */
    bool waves; /* RTL: open a machine that can record .fst (a library of its own, and slower) */
    bool no_build; /* use a backend's library as it is, and never run make (also with VELLUM_NO_BUILD=1) */
    /* called before and during something slow, such as building a backend, with progress and the time left; may be NULL */
    void (*notice)(void *user, const char *text);
    void *notice_user;
    vl_memory memory;
} vl_options;

/* Opens backend `backend` ("ref", "model", "rtl", "lockstep"; NULL: "model") with configuration `config`: a name, or the path of a file that ends in .toml, with any of
 * +FIELD=VALUE behind it (docs/configuration.md; NULL: "small"). `opt` and `err` may be NULL. */
int vl_open(vl_device **dev, const char *config, const char *backend, const vl_options *opt, vl_error *err);
void vl_close(vl_device *dev);

/* The sentence of the device's last error; "" when there was none. Valid until the next call on the device. */
const char *vl_detail(const vl_device *dev);

/* The i-th backend's name and description, or NULL past the last. */
const char *vl_backend_name(size_t i);
const char *vl_backend_help(size_t i);

/* The name of the i-th policy, its values (names with commas between them, or a range of numbers such as 0..2047), its description; NULL past the last. */
const char *vl_policy_name(size_t i);
const char *vl_policy_values(size_t i);
const char *vl_policy_help(size_t i);

/* ---- samples ---- */

/* What happened in a part of a kernel's time: from the last sample on (or its start), up to this one. */
typedef struct vl_sample {
    uint64_t from, to; /* cycles since the kernel's start */
    int mark; /* the number of the mark that it was taken at; -1: by time, or at the kernel's end */
    size_t n;
    const struct vl_stat *stats; /* in the order of the names; a ratio without a value is NAN. Valid during the call */
} vl_sample;
/* Anything but 0 stops the kernel (VL_EINTR). */
typedef int (*vl_sample_fn)(void *user, const vl_sample *sample);

typedef struct vl_sampling_options {
    uint64_t every; /* cycles from one to the next; 0: at marks and at the end alone */
    const char *const *names; /* counters and derived figures, 64 at most */
    size_t n;
} vl_sampling_options;

/* Samples of all further launches of one kernel (docs/command.md, Time inside a kernel); opt NULL: no more. Reading takes the host some cycles a counter and unit, in
 * which the kernel goes on. VL_ENOENT: no such figure, or it has no value while a kernel runs; VL_ENOTSUP: this backend has no counters. */
int vl_set_sampling(vl_device *dev, const vl_sampling_options *opt, vl_sample_fn fn, void *user);

/* ---- where a result comes from ---- */

#define VL_VERSION "0.2.0"
/* VL_VERSION of the library that is linked. */
const char *vl_version(void);
/* The commit of the sources when they were last made: 40 hexadecimal digits, then " modified" if files differed from it. VL_ENOENT: not known, and the text
 * is "unknown". */
int vl_commit(char *text, size_t n);
/* The compiler of the library, and the host's system and processor. */
const char *vl_compiler(void);
void vl_host_name(char *text, size_t n);
/* An object of JSON: version, commit, compiler, host, memory, all fields of the configuration, all policies with their values. The caller frees it.
 * NULL: out of memory. */
char *vl_provenance(const vl_device *dev);

/* A value of the configuration, such as "cores", "warps", "threads", "lanes", "spad_bytes", "clock_khz" (of the cores); `missing` without such a value. */
int64_t vl_config_value(const vl_device *dev, const char *key, int64_t missing);

/* Where the buffers of vl_malloc lie (VL_BARE), and how many bytes they have together: from *from to below *end. */
void vl_heap_range(const vl_device *dev, vl_ptr *from, vl_ptr *end);

/* Policies are control registers: set by name and value (a name, or a number in decimal or 0x), for the launches that follow. VL_ENOENT, VL_EINVAL. */
int vl_set_policy(vl_device *dev, const char *name, const char *value);
/* The same from one word NAME=VALUE. */
int vl_set_policy_word(vl_device *dev, const char *word);

/* A launch ends with VL_ELIMIT after this many cycles (on the untimed `ref`: thread instructions); 0: no limit. */
int vl_set_max_cycles(vl_device *dev, uint64_t cycles);

/* Records a trace of all further launches in `path`, complete when the device is closed (or by vl_trace_end). The suffix chooses
 * what: .fst waves (of a device opened with `waves`), .kanata pipeline (Konata), .json timeline (Perfetto). VL_ENOTSUP, VL_EIO. */
int vl_trace_begin(vl_device *dev, const char *path);
/* The same where the file's name does not tell the kind: "fst", "kanata" or "json". */
int vl_trace_begin_as(vl_device *dev, const char *path, const char *kind);
/* ... and of a part of the run alone (docs/traces.md). VL_EINVAL: a window that is empty, a core or a block that does not exist. */
typedef struct vl_trace_part {
    uint64_t from, to; /* cycles from the begin of the first kernel on, from <= cycle < to; to 0: until the end */
    uint64_t cores; /* a bit each; 0: all */
    const char *blocks; /* names with commas between them; NULL: all */
} vl_trace_part;
int vl_trace_begin_part(vl_device *dev, const char *path, const char *kind, const vl_trace_part *part);
int vl_trace_end(vl_device *dev);

/* Which buffer misses: what kernels do to each of n buffers from now on is counted (docs/command.md, Buffers), on the backends `model` and `lockstep`; VL_ENOTSUP on others, and while
 * several programs run. Counting changes no cycle. n 0: no more. */
enum {
    VL_BUFFER_TLB_LOOKUPS,
    VL_BUFFER_TLB_MISSES,
    VL_BUFFER_L1D_LOADS,
    VL_BUFFER_L1D_STORES,
    VL_BUFFER_L2_READS,
    VL_BUFFER_L2_WRITES,
    VL_BUFFER_L2_MISSES,
    VL_BUFFER_L2_WRITE_BACKS,
    VL_BUFFER_COUNTS
};
typedef struct vl_buffer_use {
    const char *name;
    vl_ptr at;
    uint64_t bytes;
    uint64_t count[VL_BUFFER_COUNTS]; /* out */
} vl_buffer_use;
int vl_watch(vl_device *dev, const vl_buffer_use *use, uint32_t n);
/* Fills in the counts; use[n] (without a name) is the rest of memory. VL_ESTATE: fewer buffers are watched. Leaves vl_detail as it is. */
int vl_watched(vl_device *dev, vl_buffer_use *use, uint32_t n);
/* A count's name as in JSON, and one line of help; NULL past the last. */
const char *vl_buffer_count_name(uint32_t count);
const char *vl_buffer_count_help(uint32_t count);

/* Called now and then during a launch (a few times a second). Non-zero return: stop, the launch ends with VL_EINTR. */
typedef struct vl_progress {
    uint64_t cycles;
    uint64_t groups_done, groups_total;
} vl_progress;
typedef int (*vl_progress_fn)(void *user, const vl_progress *p);
int vl_set_progress(vl_device *dev, vl_progress_fn fn, void *user);

/* What kernels print (printf, docs/printf.md): called at the end of each launch that has printed, with all of it, work-item by work-item. `bytes`: of the buffer that takes it on the device; 0:
 * 1 MB. NULL, as a device is opened: nothing is printed, and printf returns -1 in kernels. */
typedef void (*vl_print_fn)(void *user, const char *text, size_t bytes);
int vl_set_print(vl_device *dev, vl_print_fn fn, void *user, uint64_t bytes);

/* ---- device memory ---- */

/* 128-byte aligned device memory, contents zero. VL_EINVAL for 0 bytes, VL_EDEVMEM when there is no room. */
int vl_malloc(vl_device *dev, uint64_t bytes, vl_ptr *out);
/* 0 is allowed and does nothing; anything else must come from vl_malloc (VL_EINVAL). */
int vl_free(vl_device *dev, vl_ptr p);
/* A buffer as this process sees it, to be read and written freely while no kernel runs (beside one that vl_launch_begin has started: see vl_sync): at the address itself where there are pages, elsewhere if
 * VL_BARE is shared; NULL if it is not shared, or p is not of a buffer. */
void *vl_host(vl_device *dev, vl_ptr p);
/* Any range inside device memory (heap or kernel image). VL_EACCESS. */
int vl_write(vl_device *dev, vl_ptr to, const void *from, uint64_t bytes);
int vl_read(vl_device *dev, vl_ptr from, void *to, uint64_t bytes);
int vl_fill(vl_device *dev, vl_ptr to, uint8_t byte, uint64_t bytes);
/* vl_write, vl_read, vl_fill and vl_load use the device's host port: requests like any other's, in simulated time, coherent with the
 * L2. With the back door open they go to the memory chips past it in no time (caches are written back first): for loading large inputs
 * before a run and dumping results after it. A launch writes its block of arguments through the port all the same: caches and stacks
 * keep the data of the launch before. */
int vl_set_back_door(vl_device *dev, bool open);
/* Caches hold nothing after this: a kernel that is launched next finds there only its block of arguments. */
int vl_empty_caches(vl_device *dev);
/* The device's time in cycles, which passes in calls alone: the difference around a call is its time. VL_ENOTSUP: a device without time (`ref`). */
int vl_now(vl_device *dev, uint64_t *cycles);

/* Kernels that are launched from now on may use the bytes of buffers alone: any other load or store is an access fault there, which names the nearest buffer.
 * Likewise in local memory, and in private memory each thread has its own alone. Red zones lie between buffers allocated from now on, and between __local arguments.
 * Where memory has no pages a store behind a buffer is otherwise not noticed. On `ref` and in VL_BARE alone: VL_ENOTSUP. */
int vl_check_buffers(vl_device *dev, bool on);

/* ---- pages (not VL_BARE: VL_ENOTSUP) ---- */

enum { VL_READ = 1, VL_WRITE = 2, VL_EXECUTE = 4 }; /* rights of the device; VL_WRITE includes VL_READ */

/* Addresses for a buffer, a multiple of page_bytes (0: 4096), with nothing behind them. vl_malloc is this and vl_map of all of it; vl_free
 * takes either away. VL_EDEVMEM. */
int vl_reserve(vl_device *dev, uint64_t bytes, uint64_t page_bytes, vl_ptr *out);
/* Memory, zero, behind whole pages of a buffer that have none, in pages of page_bytes where frames allow it, otherwise in smaller ones. VL_EINVAL,
 * VL_EACCESS, VL_EDEVMEM. */
int vl_map(vl_device *dev, vl_ptr p, uint64_t bytes, uint64_t page_bytes, unsigned rights);
/* Takes it away, contents included: neither side may touch it. */
int vl_unmap(vl_device *dev, vl_ptr p, uint64_t bytes);
/* The device's rights there; 0: none. This process may read and write all the same. */
int vl_protect(vl_device *dev, vl_ptr p, uint64_t bytes, unsigned rights);

/* Memory that this process already has, such as a structure with pointers from malloc: until vl_unregister kernels find `bytes` of it from p on, any number at any place, at the same
 * addresses as this process, in the address space in use. A kernel may read it, and write it where this process may. Its writes are there when the launch is over; meanwhile it
 * is the kernel's (docs/host-memory.md, Registered memory). Not to be freed before vl_unregister. VL_EINVAL: no bytes, a buffer of the device's, where its images are, registered already; VL_EACCESS:
 * not all of it is memory of this process; VL_ESTATE: a kernel runs; VL_EDEVMEM. A launch returns VL_EACCESS when some of it has gone. */
int vl_register(vl_device *dev, void *p, uint64_t bytes);
/* VL_EINVAL: p was not registered. VL_ESTATE: a kernel runs. */
int vl_unregister(vl_device *dev, void *p);

/* Further address spaces of a device, each with its own buffers, image and ASID. All calls are about the one in use (NULL: the device's own); a
 * pointer of one means nothing in another. A space in use is not freed. */
typedef struct vl_space vl_space;
int vl_space_new(vl_device *dev, vl_space **out);
int vl_space_free(vl_device *dev, vl_space *s);
int vl_use_space(vl_device *dev, vl_space *s);
/* Its ASID, by which the device tells spaces apart. */
int vl_space_asid(vl_device *dev, const vl_space *s, uint16_t *asid);
/* The channels (a bit each) that all of its memory and page tables will lie in, and so the L2 slices that it uses: spaces of different channels share neither. For a space
 * in which nothing is yet. VL_ENOTSUP: memory is not `paged` in pages of 4 KB, a page lies in several channels (interleave_bytes below 4096), or there are several devices. */
int vl_space_channels(vl_device *dev, vl_space *s, uint64_t channels);
/* Drops the translations that these cores (a bit each) have of a space, and the lines in their L1 caches, and leaves other cores alone; the shared L2 TLB and walk cache drop
 * those of the space (docs/shared-translation.md, A flush of some cores). No page is unmapped: later accesses walk again. At once, whether a kernel runs or not. VL_EINVAL: no core,
 * or one that the device has not. VL_ENOTSUP: bare memory, or a machine with a walker in each core (translation = core). */
int vl_flush(vl_device *dev, vl_space *s, uint64_t cores);
/* The same about every `cycles` cycles while kernels of the space run, in their cores; 0, the default: never. */
int vl_space_flush(vl_device *dev, vl_space *s, uint32_t every);

/* ---- images and kernels ---- */

/* Reads and checks a kernel image. VL_EIO, VL_EELF, VL_ENOMEM. `parse` keeps no pointer into `bytes`. */
int vl_image_read(vl_image **img, const char *path, vl_error *err);
int vl_image_parse(vl_image **img, const void *bytes, size_t size, vl_error *err);
/* The image's kernels must be closed, and devices that loaded it must not launch any more. */
void vl_image_free(vl_image *img);

typedef enum vl_arg_kind {
    VL_ARG_VALUE, /* by value: scalar, vector or structure */
    VL_ARG_GLOBAL, /* pointer to __global */
    VL_ARG_CONSTANT, /* pointer to __constant */
    VL_ARG_LOCAL, /* pointer to __local: the launch gives a size */
} vl_arg_kind;

typedef struct vl_arg_info {
    const char *name; /* as in the source; "" when unknown */
    const char *type; /* as in the source, such as "float*"; "" when unknown */
    vl_arg_kind kind;
    uint32_t size; /* bytes in the launch block */
    uint32_t align; /* natural alignment there */
    uint32_t offset; /* from the start of the launch block */
    uint32_t qualifiers; /* of a pointer's target, VL_ARG_CONST and so on; 0 of a value */
} vl_arg_info;

enum { VL_ARG_CONST = 1, VL_ARG_RESTRICT = 2, VL_ARG_VOLATILE = 4 };

typedef struct vl_kernel_info {
    const char *name;
    uint64_t entry;
    uint32_t local_bytes; /* static scratchpad a group */
    uint32_t stack_bytes; /* private stack a thread */
    uint32_t reqd_local[3]; /* reqd_work_group_size, or 0,0,0 */
    uint32_t block_bytes; /* of the launch block, arguments included */
    bool prints; /* it, or another kernel of its source, calls printf */
    uint32_t n_args;
    const vl_arg_info *args;
    const char *
        hints; /* attributes of OpenCL C that change nothing: "work_group_size_hint(8,1,1) vec_type_hint(float4)"; "": none */
} vl_kernel_info;

size_t vl_image_kernels(const vl_image *img);
/* NULL past the last. Valid as long as the image. */
const vl_kernel_info *vl_image_kernel(const vl_image *img, size_t i);

/* Where divergent paths meet again, derived from the binary. */
typedef struct vl_reconv {
    uint64_t pc; /* of the branch */
    uint64_t target; /* of the immediate post-dominator */
    uint32_t depth; /* loops around the branch */
    bool barrier; /* a barrier may follow the target: without this entry the warp might reach it divided, a fault */
} vl_reconv;
/* Sorted by pc. */
const vl_reconv *vl_image_reconv(const vl_image *img, size_t *n);

typedef struct vl_image_info {
    uint64_t text_base, text_bytes; /* executable segment */
    uint64_t image_base, image_bytes; /* all segments, from the first to the end of the last */
    uint32_t instructions; /* reachable from the kernels' entries */
    uint32_t branches; /* conditional branches among them */
    uint32_t reconv; /* of these, with a reconvergence point */
} vl_image_info;
void vl_image_get_info(const vl_image *img, vl_image_info *out);
/* The i-th source file's compiler and the options it was given, as `vellum cc` noted them. False past the last. */
bool vl_image_source(const vl_image *img, size_t i, const char **compiler, const char **options);

/* Where an instruction is in the source, of an image that was compiled with -g. */
typedef struct vl_source {
    char file[256]; /* as it was named to the compiler */
    uint32_t line;
    char function[128]; /* the innermost one, which may have been inlined; "" when unknown */
    char call_file[256]; /* where that was called, unless it is the kernel itself: line 0 */
    uint32_t call_line;
} vl_source;
bool vl_image_place(const vl_image *img, uint64_t pc, vl_source *out);

/* Those that fit into the hardware table of `entries` entries (2-way, set = (pc / 4) mod (entries / 2)). Writes 2 entries a set,
 * `table[2 * set + way]`, pc 0 where unused. Where more than two branches fall into a set, those followed by a barrier stay, then
 * those in the deepest loops.
 * Returns how many were left out, or VL_EINVAL (entries not an even number above 0). */
int vl_reconv_pack(const vl_reconv *list, size_t n, uint32_t entries, vl_reconv *table);

/* Writes the image into device memory and makes its kernels the ones that can be launched. One image is resident at a time;
 * loading it again restores its initial data. The image must outlive its use. */
int vl_load(vl_device *dev, const vl_image *img);

int vl_kernel_open(vl_kernel **k, const vl_image *img, const char *name, vl_error *err);
void vl_kernel_close(vl_kernel *k);
const vl_kernel_info *vl_kernel_get_info(const vl_kernel *k);

/* An argument by value: `size` must be the argument's size exactly. Also takes an 8-byte device pointer. */
int vl_kernel_set(vl_kernel *k, uint32_t index, const void *value, size_t size, vl_error *err);
/* A __global or __constant pointer (0 is allowed). */
int vl_kernel_set_ptr(vl_kernel *k, uint32_t index, vl_ptr p, vl_error *err);
/* A __local pointer: `bytes` of scratchpad for the group, more than 0. */
int vl_kernel_set_local(vl_kernel *k, uint32_t index, uint64_t bytes, vl_error *err);

/* ---- launching ---- */

typedef struct vl_range {
    uint32_t dims; /* 1..3; sizes of further dimensions are taken as 1, offsets as 0 */
    uint64_t global[3]; /* threads; a multiple of local in each dimension, below 2^32 */
    uint64_t local[3]; /* threads of a group; all 0: the library chooses */
    uint64_t offset[3];
} vl_range;

/* docs/isa.md, Faults */
enum {
    VL_FAULT_NONE = 0,
    VL_FAULT_ILLEGAL,
    VL_FAULT_FETCH_MISALIGNED,
    VL_FAULT_FETCH_ACCESS,
    VL_FAULT_LOAD_MISALIGNED,
    VL_FAULT_LOAD_ACCESS,
    VL_FAULT_STORE_MISALIGNED,
    VL_FAULT_STORE_ACCESS,
    VL_FAULT_BARRIER = 9,
    VL_FAULT_FETCH_PAGE, /* these three with address translation */
    VL_FAULT_LOAD_PAGE,
    VL_FAULT_STORE_PAGE,
};
const char *vl_fault_name(uint32_t cause);

typedef struct vl_fault {
    uint32_t cause; /* VL_FAULT_* */
    uint64_t value;
    uint64_t pc;
    uint32_t core, warp;
    uint64_t mask; /* faulting threads of the warp */
    bool has_item; /* the work-item is known (simulated machines only) */
    uint32_t group[3]; /* the workgroup, */
    uint64_t global[3]; /* and the global id of the lowest of the threads */
    char place
        [600]; /* the contents of the address, the place in the source, the work-item: in words, for vl_fault_text */
} vl_fault;

/* Where a kernel was that was stopped before its end, by a limit or by the progress callback: warps at the same instruction that wait for the same are one entry, the
 * entry with the most warps first. */
typedef enum vl_wait {
    VL_WAIT_ISSUE, /* instructions are there: for operands, a pipe or the scheduler. On `ref`: its turn */
    VL_WAIT_BARRIER, /* the other warps of its group */
    VL_WAIT_MEMORY, /* an answer from memory or the scratchpad. On `ref`: another thread's store */
    VL_WAIT_TRANSLATION, /* with pages: look-up, page walk or page fault */
    VL_WAIT_FETCH, /* instructions */
} vl_wait;
typedef struct vl_stopped {
    uint32_t warps; /* how many */
    uint32_t job; /* number of their kernel in vl_launch_jobs, else 0 */
    uint64_t pc; /* of the instruction issued last */
    vl_wait wait;
    uint64_t least, most; /* cycles since it was issued, of the warps; `ref`: 0 */
    /* of the first of them, by core and warp */
    uint32_t core, warp;
    uint64_t threads; /* of the warp, at this pc */
    uint32_t group[3];
} vl_stopped;
/* The entries of the last launch, at most `room` in `list` (NULL: none); returns how many there are. 0: all has ended, or the device cannot tell (a board). */
size_t vl_stopped_list(const vl_device *dev, vl_stopped *list, size_t room);
/* An entry in words: "12 warps wait for barrier for 21 to 300 cycles, at pc 0x10000040 (k.cl:8 in k): core 0, warp 3, threads 0xff, group 5,0,0 and others". The
 * source needs -g. At most VL_STOPPED_TEXT bytes. */
enum { VL_STOPPED_TEXT = 1000 };
void vl_stopped_text(const vl_image *img, const vl_stopped *s, char *text, size_t size);
const char *vl_wait_name(vl_wait wait);

/* Private memory (docs/private-memory.md), of the last launch that had any: where the doubleword of a thread's address lies, as vl_read takes
 * it, and the other way round. Any other address is itself. A fault's value is the thread's own address already. */
vl_ptr vl_private_place(const vl_device *dev, vl_ptr address);
vl_ptr vl_private_address(const vl_device *dev, vl_ptr place);

/* What went wrong, with which value, and where as far as it is known, for a user, in at most VL_FAULT_TEXT bytes: "store page fault, address 0x200000009000: in no buffer: 4096
 * bytes behind the buffer at 0x...". */
enum { VL_FAULT_TEXT = 800 };
void vl_fault_text(const vl_fault *fault, char *text, size_t size);

/* A counter or a figure derived from counters. */
typedef struct vl_stat {
    const char *name; /* as in JSON; the first is always "cycles" */
    const char *section; /* heading it belongs under: "run", "core", "memory", ... */
    const char *unit; /* "", "cycles", "instructions", "bytes", "%", ... */
    const char *help; /* one line */
    bool is_ratio; /* `ratio` counts, not `value` */
    uint64_t value;
    double ratio;
} vl_stat;

typedef struct vl_result {
    int code; /* the same as vl_launch returned */
    vl_fault fault; /* VL_EFAULT */
    uint64_t cycles;
    const vl_stat *stats; /* valid until the next launch or the close of the device */
    size_t n_stats;
} vl_result;

/* Runs the kernel to its end. VL_EFAULT, VL_EDIFF, VL_ELIMIT, VL_EINTR come with a filled result, everything else (VL_EINVAL,
 * VL_ETOOBIG, VL_EARG, VL_ESTATE, VL_EDEVMEM, ...) before anything ran. `result` may be NULL. */
int vl_launch(vl_device *dev, vl_kernel *k, const vl_range *range, vl_result *result);

/* The same in parts, for a host that works beside the kernel. Between begin and end the kernel runs, and vl_read, vl_write, vl_fill and vl_sync are accesses
 * beside its own (docs/memory-model.md, the host). Time passes for a simulated device in these calls and in vl_launch_pass. No kernel starts and no image is loaded meanwhile (VL_ESTATE).
 * VL_ENOTSUP: the memory has pages, or the backend is `ref`. */
int vl_launch_begin(vl_device *dev, vl_kernel *k, const vl_range *range);
/* Runs the device for `cycles` cycles, or fewer if the kernel ends. *running (may be NULL): it has not ended. An error (VL_EDIFF, VL_EINTR, ...) is returned by vl_launch_end as well. */
int vl_launch_pass(vl_device *dev, uint64_t cycles, bool *running);
/* Runs it to its end, as vl_launch. VL_ESTATE: none runs. */
int vl_launch_end(vl_device *dev, vl_result *result);
/* While a kernel runs: later vl_read calls see all that kernels on any device have stored into these bytes before this call; without it a read may see older bytes. Blocks of a device's
 * memory are brought home whole. With shared VL_BARE memory, the bytes behind vl_host change only in the ranges of these calls: first the program's changes there are stored
 * for kernels to see, then the bytes show what kernels have stored (docs/host-memory.md, S3). */
int vl_sync(vl_device *dev, vl_ptr from, uint64_t bytes);

/* One of several kernels that run at once, each on cores of its own and in an address space of its own. */
typedef struct vl_job {
    vl_space *space; /* NULL: the device's own */
    vl_kernel *kernel; /* of the image that is loaded there */
    vl_range range;
    uint64_t cores; /* a bit each; no core is in two jobs */
    /* Launched again whenever it has ended, until every job has ended once (docs/several-programs.md): handles of the same kernel, with the arguments of its second launch and
     * so on; the last one is for all that follow. It may be `kernel` itself: then a launch finds memory as the one before has left it. */
    vl_kernel *const *again;
    uint32_t n_again; /* 0: once */
    /* of its cores' counters only warp_instructions is read, so that the next launch begins at once (docs/several-programs.md) */
    bool brief;
    /* out */
    /* cycles: of its first launch; fault: of any launch; stats: of the machine, over all jobs */
    vl_result result;
    uint32_t launches; /* launches that have ended */
    uint64_t
        cycles_all; /* from the start of all jobs until the last of these had ended; 0: the backend knows no time */
    /* first launch: counters of its cores, if the backend has them, and page faults; valid as long as stats */
    const vl_stat *own;
    size_t n_own;
} vl_job;
/* Runs n kernels until each has ended once, at most as many as the configuration's field `kernels`; if n equals it, the jobs must have all cores. Jobs end independently: one that faults
 * or reaches the cycle limit is stopped, its cores become free, and the device stays usable. VL_OK when all have run; each `result.code` says how. Otherwise, as for vl_launch, an
 * error before anything ran, or VL_EDIFF or VL_EINTR. VL_EINVAL: no cores, cores that do not exist, that two jobs have, or that n = `kernels` jobs leave over; two jobs in one space; more jobs than
 * kernel slots; `again` of another kernel. VL_ENOTSUP: the memory is VL_BARE. */
int vl_launch_jobs(vl_device *dev, vl_job *jobs, uint32_t n);
/* The check that vl_launch_jobs makes first (VL_EINVAL and VL_ENOTSUP above); nothing is run. */
int vl_check_jobs(vl_device *dev, const vl_job *jobs, uint32_t n);

/* What sharing a machine costs programs (MASK, section 6), from the instructions a cycle of each, alone on the same cores and shared. */
typedef struct vl_sharing {
    double weighted_speedup; /* the sum of shared / alone: n if none slows another */
    double throughput; /* the sum of shared */
    double unfairness; /* the largest alone / shared: the maximum slowdown */
} vl_sharing;
/* VL_EINVAL: n is 0, or a number is not above 0. */
int vl_sharing_of(vl_sharing *out, const double *alone, const double *shared, uint32_t n);

/* The counter of that name, or `missing`. */
uint64_t vl_result_value(const vl_result *r, const char *name, uint64_t missing);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
