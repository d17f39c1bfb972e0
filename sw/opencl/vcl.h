/*
 * libvellumcl, the OpenCL 1.2 driver (docs/opencl.md): what its files share.
 *
 * Functions of the standard have their own names, and the library exports only the two entry points of an ICD. Functions that the files share
 * begin with vcl_. Lock order: a machine's turn (machine.c) before the lock of all objects (object.c); the lock is held for moments only, and never
 * while a machine works, a compiler runs or a program's function is called.
 */
#ifndef VELLUM_OPENCL_VCL_H
#define VELLUM_OPENCL_VCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/runtime/vellum.h"

static inline size_t vcl_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- error.c: names of codes, and the log of refused calls (VELLUM_LOG) ---- */

const char *vcl_code_name(cl_int code);
cl_int vcl_fail(const char *who, cl_int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define FAIL(code, ...) vcl_fail(__func__, code, __VA_ARGS__)
/* A line of VELLUM_REPORT. */
void vcl_report_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something of the environment is wrong: a line in the log, or, since it would go unnoticed without one, on standard error, once in a process. */
void vcl_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line without a code. */
void vcl_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For functions that return a handle: `code` through errcode_ret, and NULL. */
void *vcl_none(cl_int *errcode_ret, cl_int code);
/* The OpenCL code for a code of libvellum; `no_memory` where the device has no room. */
cl_int vcl_code_of(int vl_code, cl_int no_memory);
/* CL_OUT_OF_HOST_MEMORY where the host has none, else `otherwise`. */
cl_int vcl_code_or(int vl_code, cl_int otherwise);

/* While a line of the log, the report or the statistics is written; taken after the lock of all objects. */
extern pthread_mutex_t vcl_file_mutex;

/* ---- settings.c: the environment, read once (again, where there was no memory for it) ---- */

typedef struct vcl_settings {
    const char *config, *backend, *stats, *memory, *log, *report;
    char **policies; /* NAME=VALUE each, NULL at the end */
    double report_every; /* seconds between lines of VELLUM_REPORT while a kernel runs */
    bool back_door, cold; /* the L2 is empty before each kernel */
    bool checks; /* accesses outside of every buffer fault */
    uint64_t max_cycles;
    uint64_t build_cache; /* most bytes of builds in files; 0: builds are not kept, nor in memory */
    char *root, *command; /* source tree; build/vellum in it. NULL: not found */
    char *wrong; /* a sentence about the first wrong value; NULL: all are right */
    bool lacking; /* there was no memory to read them */
} vcl_settings;

const vcl_settings *vcl_get_settings(void);

/* ---- object.c: handles ---- */

enum vcl_kind { VCL_CONTEXT, VCL_QUEUE, VCL_MEM, VCL_PROGRAM, VCL_KERNEL, VCL_EVENT, VCL_KINDS };

/* What every handle begins with. The loader reads `dispatch`, so it stays in memory that is free. */
typedef struct vcl_object {
    const cl_icd_dispatch *dispatch;
    _Atomic uint32_t magic;
    cl_uint held; /* references that the program has */
    uint32_t uses; /* references that other objects and commands have */
    uint64_t serial; /* unique among all handles that ever existed */
    struct vcl_object *next; /* next free handle */
} vcl_object;

extern const cl_icd_dispatch vcl_dispatch;

void vcl_lock(void);
void vcl_unlock(void);
extern pthread_mutex_t vcl_mutex;
/* An event or a list of commands has changed; with vcl_mutex. */
extern pthread_cond_t vcl_changed;

/* Zero except for its head; the program has one reference. NULL: no memory. */
void *vcl_new(enum vcl_kind kind);
bool vcl_is(const void *handle, enum vcl_kind kind);
cl_int vcl_retain(const char *who, void *handle, enum vcl_kind kind);
cl_int vcl_release(const char *who, void *handle, enum vcl_kind kind);
/* References of our own: taken under any circumstances, given back (NULL is allowed) without the lock and without a machine's turn. */
void vcl_use(void *handle);
void vcl_unuse(void *handle);
/* The same of a handle that may have gone, and its memory be another's: false, nothing is taken. */
bool vcl_use_again(void *handle, enum vcl_kind kind, uint64_t serial);
/* With the lock: the program did not get the reference that vcl_new made. */
void vcl_withhold(void *handle, enum vcl_kind kind);
cl_uint vcl_held(void *handle);
const char *vcl_kind_name(enum vcl_kind kind);
/* At the end of the process: objects that were not released, to VELLUM_LOG. */
void vcl_note_leaks(void);
/* In a child, with the lock: all handles become invalid, no context is left, and a worker that goes on here ends (fork.c). */
void vcl_forget_objects(void);
void vcl_forget_contexts(void);
void vcl_worker_forked(void);

/* Both where the caller asked: CL_INVALID_VALUE when there is no room. */
cl_int vcl_give(const char *who, const void *value, size_t bytes, size_t room, void *out, size_t *bytes_ret);

/* ---- once.c ---- */

/* Something that is read once in a process. */
typedef struct vcl_once {
    pthread_mutex_t lock;
    atomic_bool complete;
} vcl_once;
#define VCL_ONCE {.lock = PTHREAD_MUTEX_INITIALIZER}
/* Calls `read` until it has returned true, one thread at a time: false after a read that failed, which the next call repeats. */
bool vcl_read_once(vcl_once *once, bool (*read)(void));

/* ---- platform.c, device.c ---- */

struct _cl_platform_id {
    const cl_icd_dispatch *dispatch;
};
extern struct _cl_platform_id vcl_platform;

typedef struct vcl_facts {
    int code; /* code of libvellum if the machine is not available; `why` is the reason */
    char why[1200];
    cl_uint cores, warps, threads, line_bytes;
    uint64_t spad_bytes, cache_bytes, heap_bytes;
    uint32_t clock_khz;
    char name[96];
    vl_memory memory; /* VELLUM_MEMORY */
} vcl_facts;

struct _cl_device_id {
    const cl_icd_dispatch *dispatch;
};
extern struct _cl_device_id vcl_device;
const vcl_facts *vcl_get_facts(void);
/* Largest work-group. */
size_t vcl_group_limit(void);
cl_int vcl_check_type(const char *who, cl_device_type type); /* whether the device is of it */

enum { VCL_LINE = 128, VCL_ARGS_MOST = 32768, VCL_PRINTF_BYTES = 1 << 20 };

/* ---- machine.c: the device of libvellum that a context has ---- */

typedef struct vcl_machine {
    pthread_mutex_t mutex;
    pthread_cond_t turn;
    uint64_t next, serving; /* tickets: callers have their turn in the order in which they asked */
    vl_device *dev;
    const vl_image *loaded;
    atomic_bool dead, stop;
    char why[1200]; /* the reason if it is dead */
    atomic_uint_least64_t now_ns; /* device time at the end of the last turn that could read it */
    const char *kernel; /* the kernel that runs, for VELLUM_REPORT, */
    double begun, told; /* when it began, and when progress was last reported; host time in seconds */
} vcl_machine;

/* VELLUM_SET: each policy once, as with `vellum run --set`. */
int vcl_set_policies(vl_device *dev, vl_error *err);
int vcl_machine_open(vcl_machine *m, vl_error *err);
void vcl_machine_close(vcl_machine *m);
void vcl_machine_take(vcl_machine *m);
void vcl_machine_give(vcl_machine *m);
/* With its turn: nanoseconds of the device. */
uint64_t vcl_machine_now(vcl_machine *m);
uint64_t vcl_cycles_ns(uint64_t cycles);
/* The OpenCL code for the return of a libvellum call with its turn. When the device has ended its use by it, every further command fails. */
cl_int vcl_machine_result(vcl_machine *m, const char *what, int vl_code);

/* ---- context.c ---- */

typedef void(CL_CALLBACK *vcl_notify)(const char *, const void *, size_t, void *);

struct _cl_context {
    vcl_object object;
    cl_context_properties *properties; /* with its 0; NULL: none */
    size_t n_properties;
    vcl_notify notify;
    void *notify_user;
    vcl_machine machine;
    /* worker.c, under the lock */
    pthread_t worker;
    bool worker_runs, quit;
    struct vcl_command *first, **last; /* commands that have not ended, in order of their enqueueing */
    struct vcl_callback *calls, **calls_end; /* functions of the program to be called now */
    struct _cl_context *next_context; /* of the list of all */
};
void vcl_context_destroy(void *context);
/* The program's function for errors, if it gave one. */
void vcl_context_tell(cl_context c, const char *text);

/* ---- queue.c ---- */

struct _cl_command_queue {
    vcl_object object;
    cl_context context;
    cl_command_queue_properties properties;
    cl_uint pending; /* commands that have not ended */
    cl_int failed; /* code of a command that failed on the device since the last clFinish */
};
void vcl_queue_destroy(void *queue);

/* ---- buffer.c, mapping.c ---- */

typedef struct vcl_mapping {
    struct vcl_mapping *next;
    unsigned char *pointer;
    size_t offset, bytes;
    bool writes, owned; /* writes: copied back at unmap; owned: memory of this library */
} vcl_mapping;

typedef struct vcl_destructor {
    struct vcl_destructor *next;
    void(CL_CALLBACK *function)(cl_mem, void *);
    void *user;
} vcl_destructor;

struct _cl_mem {
    vcl_object object;
    cl_context context;
    cl_mem parent; /* of a sub-buffer */
    cl_mem_flags flags;
    size_t bytes, origin; /* origin: in the parent */
    vl_ptr at; /* on the device */
    unsigned char *host; /* USE_HOST_PTR */
    unsigned char *seen; /* the device's bytes as this process sees them, where memory is shared; else NULL */
    vcl_mapping *mappings; /* under the lock; of the parent for a sub-buffer as well as its own */
    cl_uint map_count;
    vcl_destructor *destructors;
};
void vcl_mem_destroy(void *mem);
void vcl_mapping_free(vcl_mapping *x);
/* A command may use these bytes. */
cl_int vcl_check_buffer(const char *who, cl_command_queue q, cl_mem m);
cl_int vcl_check_range(const char *who, cl_mem m, size_t offset, size_t bytes);

/* ---- program.c, build.c ---- */

struct _cl_program {
    vcl_object object;
    cl_context context;
    char *source; /* NULL: from a binary */
    char *options, *log;
    cl_build_status status;
    cl_program_binary_type type;
    unsigned char *binary; /* the image, or the compiled object */
    size_t binary_bytes;
    vl_image *image; /* of an executable */
    cl_uint kernels; /* kernel objects that are attached */
    bool arg_info; /* kernels have information on their arguments (not if made from a binary) */
    bool building;
};
void vcl_program_destroy(void *program);

typedef struct vcl_text {
    char *text;
    size_t n;
} vcl_text;
/* NULL-terminated words of an option string, in one allocation; NULL: no memory, or *wrong is the word that is no option of OpenCL 1.2. */
char **vcl_split_options(const char *options, char **wrong);
/* Those of a link; false: *wrong is the word that is none, or NULL where there is no memory. */
bool vcl_link_options(const char *options, bool *library, char **wrong);
/* Runs the compiler in a folder of its own, on a source with headers, or on objects that it made. Its exit status (docs/kernels.md), -1,
 * or VCL_NO_MEMORY. */
typedef struct vcl_header {
    const char *name, *text;
} vcl_header;
typedef struct vcl_job {
    const char *source; /* NULL: objects */
    const vcl_header *headers;
    const cl_program *objects;
    size_t n_headers, n_objects;
    bool object; /* make an object, not an image */
} vcl_job;
enum { VCL_NO_MEMORY = -2 };
int vcl_compile(const vcl_job *job, char *const *options, vcl_text *log, unsigned char **image, size_t *image_bytes);
/* False: no memory; the text is as it was. */
bool vcl_append(vcl_text *t, const char *bytes, size_t n);

/* ---- cache_key.c, cache.c: builds that were done before ---- */

/* What decides on the result of a build; false, with nothing in *key: the build cannot be kept, or there is no memory. */
bool vcl_cache_key(vcl_text *key, const vcl_job *job, char *const *options);
/* The image that it made, malloced, and its log added to *log. */
bool vcl_cache_get(const vcl_text *key, vcl_text *log, unsigned char **image, size_t *image_bytes);
void vcl_cache_put(const vcl_text *key, const vcl_text *log, const unsigned char *image, size_t image_bytes);
/* At the end of the process. */
void vcl_cache_forget(void);

/* The binary of a compiled program or a library: this many bytes that tell which, and the compiler's output. */
enum { VCL_MARK = 8 };

/* ---- kernel.c ---- */

typedef struct vcl_arg {
    bool set, used; /* used: holds a reference to `mem` (a command does, a kernel does not) */
    cl_mem mem; /* argument is a pointer to global or constant memory: the object, or NULL */
    uint64_t serial; /* serial number of `mem`, to notice that it has been released since */
    size_t local_bytes;
    unsigned char *value; /* argument passed by value */
} vcl_arg;

struct _cl_kernel {
    vcl_object object;
    cl_program program;
    const vl_kernel_info *info;
    vcl_arg *args;
};
void vcl_kernel_destroy(void *kernel);
/* Scratchpad of a group with the arguments as they are. */
uint64_t vcl_kernel_local(cl_kernel k);
void vcl_args_free(vcl_arg *args, cl_uint n);
/* For a command, which uses the memory objects; also after an error the copies are the caller's. */
cl_int vcl_args_copy(const char *who, vcl_arg **copies, const vcl_arg *args, const vl_kernel_info *info);

/* range.c: group sizes where the program leaves them open */
void vcl_choose_local(cl_uint dims, const size_t *global, const uint32_t *required, size_t limit, size_t warp,
                      size_t *local);

/* ---- event.c ---- */

typedef struct vcl_callback {
    struct vcl_callback *next;
    cl_event event;
    cl_int type, status; /* status asked for; status reported */
    void(CL_CALLBACK *function)(cl_event, cl_int, void *);
    void *user;
} vcl_callback;

struct _cl_event {
    vcl_object object;
    cl_context context;
    cl_command_queue queue; /* NULL: the program's own */
    cl_command_type type;
    cl_int status; /* under the lock */
    cl_ulong queued, submitted, started, ended;
    vcl_callback *callbacks;
};
void vcl_event_destroy(void *event);
/* With the lock held: sets the status, and wakes those who wait for it. */
void vcl_event_set(cl_event e, cl_int status);
/* Without the lock: returns when it has ended, with its status (0 or less). */
cl_int vcl_event_wait(cl_event e);

/* ---- worker.c: commands ---- */

typedef struct vcl_rect {
    size_t origin[3], row, slice; /* in bytes */
} vcl_rect;

typedef struct vcl_command {
    struct vcl_command *next;
    cl_event event;
    cl_event *waits;
    cl_uint n_waits;
    bool after_all; /* waits for everything before it in its queue */
    bool before_all; /* everything behind it in its queue waits for it */
    cl_int (*run)(struct vcl_command *c, vcl_machine *m); /* with the machine's turn; NULL: nothing to do */
    cl_mem mem, other; /* referenced while the command exists */
    void *to;
    const void *from;
    size_t offset, other_offset, bytes;
    vcl_rect here, there; /* region of the buffer (or the source); of host memory (or the destination) */
    size_t region[3];
    unsigned char pattern[128];
    size_t pattern_bytes;
    vcl_mapping *mapping;
    bool ends_mapping; /* it is freed with the command */
    cl_kernel kernel;
    vcl_arg *args;
    vl_range range;
    uint64_t cycles; /* of a kernel */
} vcl_command;

/* Checks queue and wait list; a command with its event. */
cl_int vcl_command_new(const char *who, vcl_command **out, cl_command_queue q, cl_command_type type, cl_uint n,
                       const cl_event *waits);
void vcl_command_free(vcl_command *c);
/* Takes the command. `event` may be NULL. */
cl_int vcl_command_submit(const char *who, vcl_command *c, bool blocking, cl_event *event);
/* With the lock: the worker will call the program's function. */
void vcl_worker_call(cl_context c, vcl_callback *call);
/* With the lock: the thread that vcl_worker_call needs. */
cl_int vcl_worker_start(cl_context c);
/* No worker from now on. */
void vcl_worker_end(cl_context c);

/* ---- stats.c, report.c ---- */

void vcl_stats_begin(void);
void vcl_stats_write(const vl_device *dev, const char *kernel, const vl_range *range, const vl_result *r);
const char *vcl_outcome_name(int code);
/* Data that the program moved to the device may be in the L2 when a kernel starts. */
bool vcl_l2_warm(void);
/* With the machine's turn, around a launch and within. */
void vcl_report_begin(vcl_machine *m, const char *kernel);
void vcl_report_progress(vcl_machine *m, const vl_progress *p);
void vcl_report_end(const vcl_machine *m, const vl_range *range, const vl_result *r);

/* ---- icd.c ---- */
void *vcl_function(const char *name);

#endif
