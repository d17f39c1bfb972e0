/* Declarations that the parts of the `vellum` command share. */
#ifndef VELLUM_TOOL_H
#define VELLUM_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/runtime/vellum.h"
#include "sw/runtime/words.h"

/* Exit statuses, docs/command.md */
enum {
    EXIT_OK = 0,
    EXIT_TOOL = 1, /* a kernel does not compile, or the environment failed: compiler, backend build, memory, disk */
    EXIT_USAGE = 2, /* wrong use: options, arguments, input files */
    EXIT_FAULT = 3,
    EXIT_DIFF = 4,
    EXIT_LIMIT = 5,
    EXIT_SIGNAL = 130,
};

int vellum_run_main(int argc, char **argv);
int vellum_info_main(int argc, char **argv);
int vellum_objdump_main(int argc, char **argv);

/* One line on standard error, "vellum COMMAND: ...". Returns `status`. */
int complain(const char *command, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The configuration of a word (docs/configuration.md). An exit status, after a complaint. */
struct vl_config;
int tool_config(const char *command, const char *word, struct vl_config *c);

/* The exit status of a libvellum error. */
int status_of(int code);

/* ---- options: --name VALUE or --name=VALUE, in any order; `--` ends them ---- */

typedef struct option_spec {
    const char *name; /* without the dashes */
    bool takes_value, repeats;
} option_spec;

typedef struct option_reader {
    const char *command;
    int argc, at;
    char **argv;
    const option_spec *specs; /* ends with a NULL name */
    uint64_t seen;
    bool only_words;
} option_reader;

/* The next option's index in specs with its value, -1 for a plain word (in *value), -2 at the end, -3 after a complaint. */
int next_option(option_reader *r, const char **value);

/* ---- numbers (sw/runtime/words.h) ---- */
/* X[,Y[,Z]]; how many, 0 when wrong. */
uint32_t parse_triple(const char *s, uint64_t max, uint64_t out[3]);

/* ---- files that are whole or not there ---- */

typedef struct out_file {
    char *path; /* where it goes in the end */
    char *temp; /* where it is written; NULL: path is a device or a pipe and is written directly */
    int fd;
} out_file;

/* Creates the temporary file beside `path`. False with a sentence in why. */
bool out_open(out_file *f, const char *path, char *why, size_t n);
bool out_write(out_file *f, const void *data, size_t bytes, char *why, size_t n);
/* 0, or the errno of a file that somebody else writes and that cannot become 64 KB longer. The file is longer then. */
int out_room(const out_file *f);
/* Makes the content appear under its name. */
bool out_commit(out_file *f, char *why, size_t n);
/* Removes the written file; no effect when committed or never opened. */
void out_drop(out_file *f);

/* ---- kernel arguments from the command line ---- */

typedef struct arg_spec {
    const char *text; /* as given */
    enum { ARG_SCALAR, ARG_BYTES, ARG_LOCAL, ARG_BUF } kind;
    char scalar; /* 'i', 'u', 'f' */
    uint32_t bits, count; /* of a scalar: width, and elements of a vector */
    unsigned char value[128];
    unsigned char *raw; /* ARG_BYTES: `bytes` of them */
    uint64_t bytes; /* bytes, local, buf */
    char *in, *out; /* buf */
    int fill; /* buf: byte, -1: none */
    bool has_rand, of_floats; /* of_floats: rand is the seed of floats from low to high */
    float low, high;
    uint64_t rand;
    uint64_t in_bytes;
    vl_ptr at; /* once allocated */
    out_file file;
} arg_spec;

/* Parses and checks one --arg; false with a sentence in why. `text` must outlive the result. */
bool parse_arg(const char *text, arg_spec *a, char *why, size_t n);
void free_arg(arg_spec *a);
/* Whether it fits the kernel's argument. */
bool fits_arg(const arg_spec *a, const vl_arg_info *info, char *why, size_t n);
/* Allocates and fills a buffer, and sets the argument. 0 or a VL_E* code. */
int place_arg(vl_device *dev, vl_kernel *k, uint32_t index, arg_spec *a, char *why, size_t n);

#endif
