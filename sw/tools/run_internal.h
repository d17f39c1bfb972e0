/* Declarations that the files of `vellum run` share. */
#ifndef VELLUM_RUN_INTERNAL_H
#define VELLUM_RUN_INTERNAL_H

#include <jansson.h>

#include "sw/tools/copies.h"
#include "sw/tools/tool.h"

enum { MAX_ARGS = 64, MAX_POLICIES = 64, MAX_APPS = 16, MAX_FRESH = 16 };

/* One kernel of the command line. */
typedef struct run_app {
    const char *elf, *kernel_name, *cores_text;
    const char *local_text, *offset_text;
    unsigned n_args;
    arg_spec args[MAX_ARGS];
    vl_range range;
    uint64_t cores; /* of several programs: its own */
    uint64_t channels; /* likewise; 0: all */
    vl_image *image;
    vl_kernel *kernel;
    /* of several programs, on the device that is open */
    vl_space *space;
    vl_kernel *again[MAX_FRESH];
    /* how it ended: together with the others, and alone */
    vl_result result;
    uint32_t launches;
    uint64_t cycles_all;
    const vl_stat *own;
    size_t n_own;
    uint64_t instructions, alone_instructions, alone_cycles;
    int alone_code;
} run_app;

enum { RUN_FIGURES = 64 };
/* Figures that are sampled while the kernel runs. */
typedef struct run_samples {
    bool on;
    uint64_t every;
    const char *figures, *path; /* as given */
    char *text; /* `figures`, cut into */
    const char *name[RUN_FIGURES];
    json_t *rows; /* NULL: none yet */
} run_samples;

typedef struct run_job {
    const char *backend, *config, *stats, *trace;
    const char *policies[MAX_POLICIES];
    unsigned n_policies, n_apps, fresh;
    run_app app[MAX_APPS]; /* without --app: the first */
    bool several, memory_given, once, no_alone, brief; /* several: --app was given */
    uint64_t max_cycles, print_bytes;
    vl_trace_part part; /* of the trace */
    vl_memory memory;
    vl_device *dev;
    run_samples samples;
    uint64_t warm_up; /* launches before the one that counts */
    out_file stats_file, trace_file, samples_file;
    bool bar, back_door, quiet, cold, checks, first,
        stats_out; /* first: on ref, for --check-buffers; stats_out: --stats - */
    vl_buffer_use buffers[MAX_ARGS + 1]; /* that are watched, and the rest of memory */
    char buffer_names[MAX_ARGS][24]; /* of arguments without a name */
    uint32_t n_buffers;
    enum copies copies;
    uint64_t copied_to, copied_back; /* cycles */
    double begun; /* the launch, in seconds of the host */
    char with[1024], config_word[2048];
    int argc;
    char **argv; /* as given, for the command that repeats a difference */
} run_job;

/* Complains of wrong use. */
int run_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The figures of --copies; their values are the job's. */
enum { COPY_FIGURES = 3 };
void run_copy_figures(const run_job *j, vl_stat figure[COPY_FIGURES]);

/* ---- run_options.c ---- */
int run_take_options(run_job *j, int argc, char **argv);

/* ---- run.c ---- */
/* A device, with policies, limit and progress bar. */
int run_open(run_job *j, bool waves);
/* Kernels can print from here on; their text is shown, or not. */
void run_show_print(run_job *j, bool show);
/* The image and the buffers of an application, in the address space in use; arguments are set in the kernel. */
int run_place(run_job *j, run_app *a);
int run_begin_trace(run_job *j);
/* The counts of buffers, with a backend that has them. */
void run_watch(run_job *j);
/* A run that can be interrupted begins, and has ended. */
void run_begin(run_job *j);
void run_end(run_job *j);
/* Everything is written under temporary names first, then all names appear. `codes`: how each application ended. */
int run_finish(run_job *j, int code);
/* The one command that shows a difference again. */
void run_print_again(const run_job *j);

/* ---- run_samples.c ---- */
/* From now on launches are sampled. */
int run_begin_samples(run_job *j);
int run_write_samples(run_job *j);
void run_drop_samples(run_job *j);

/* ---- run_report.c ---- */
void run_report_fault(const run_job *j, const run_app *a, const vl_fault *f);
/* Where the warps are of a kernel that was stopped, a line a place. */
void run_report_stopped(const run_job *j);
int run_write_stats(run_job *j, int code);
void run_print_table(const run_job *j);
const char *run_outcome_name(int code);

/* ---- run_apps.c ---- */
int run_several(run_job *j);
/* Instructions a cycle; 0: not known. */
double run_ipc_shared(const run_app *a);
double run_ipc_alone(const run_app *a);
/* False: some of them is not known. */
bool run_sharing(const run_job *j, vl_sharing *s);

#endif
