/* Declarations that the parts of `vellum cc` share. One translation: a source file, its kernels, and the files on the way to the image. */
#ifndef VELLUM_TOOLS_CC_INTERNAL_H
#define VELLUM_TOOLS_CC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/tools/cc_memory.h"

enum { CC_OK = 0, CC_FAILED = 1, CC_USAGE = 2 }; /* exit statuses */
enum cc_kind { CC_VALUE = 0, CC_GLOBAL = 1, CC_CONSTANT = 2, CC_LOCAL = 3 }; /* as in the kernel note */

typedef struct {
    char *name, *type;
    enum cc_kind kind;
    uint32_t qualifiers; /* as in the kernel note: 1 const, 2 restrict, 4 volatile */
    uint32_t size, align, offset; /* in the launch block; known after the second pass */
} cc_arg_t;

typedef struct {
    char *name;
    cc_arg_t *args;
    size_t nargs;
    uint32_t reqd[3];
    char *hints; /* attributes that change nothing but what OpenCL tells; NULL: none */
    bool barrier;
    uint32_t stack;
    uint32_t end; /* of the last argument in the launch block */
    size_t overlay; /* kernels that share local arrays have the same overlay number */
} cc_kernel_t;

/* A `__local` array: an input section of the object, and the overlay that it goes to. */
typedef struct {
    char *section;
    size_t overlay;
} cc_local_t;

typedef struct {
    char **items;
    size_t n;
} cc_strings_t;

typedef struct {
    const char *source;
    cc_strings_t objects; /* instead of a source: what -c made */
    bool object, empty; /* -c: make such an object; an image may have no kernel */
    bool opencl, prints, doubles; /* opencl: the language; prints: calls printf; doubles: uses double */
    bool large; /* too much code if every call is inlined */
    bool volatiles; /* it may have volatile loads or atomics of C */
    cc_strings_t own; /* names of the program that the device library has too */
    const char *device; /* the library's folder */
    char *dir; /* for intermediate files */
    cc_kernel_t *kernels;
    size_t nkernels;
    cc_local_t *locals;
    size_t nlocals;
    char *version; /* the compiler's version line, */
    unsigned clang_number; /* and the number in it */
    cc_strings_t note; /* the options, for the note */
    cc_strings_t compiler; /* the first pass, without its output */
    const char *config; /* the configuration that it is for, and a core's scratchpad; NULL: any */
    uint64_t spad_bytes;
} cc_unit_t;

/* cc_run.c: strings, files and processes. Memory is never exhausted in a way worth handling: xmalloc and friends end the program. */
char *cc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cc_push(cc_strings_t *s, const char *item);
char *cc_read_file(const char *path, size_t *bytes); /* NULL with errno; NUL-terminated */
bool cc_write_file(const char *path, const char *text, size_t bytes);
int cc_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs argv; its standard output goes to the file `out` when that is not NULL. Returns its exit status, -1 when it cannot be run (errno), or 128 + signal. */
int cc_run(const cc_strings_t *argv, const char *out);
int cc_run_quietly(const cc_strings_t *argv); /* the same without output and messages */
int cc_run_messages(const cc_strings_t *argv, const char *path); /* the same with its messages in a file */
cc_strings_t cc_command(const char *program);
void cc_push_all(cc_strings_t *s, const char *const *items); /* NULL at their end */
int cc_run_step(const cc_strings_t *argv,
                const char *out); /* a compiler's run: CC_OK, CC_FAILED, CC_USAGE with a message, 128 + signal */
bool cc_disk_is_full(void); /* that a run failed for this, and it has been told */
void cc_catch_signals(void);
int cc_caught_signal(void); /* 0 or the signal that asked us to end */
void cc_remove_dir(const char *path);

/* cc_source.c: facts of the source's text. */
bool cc_mentions(const char *path, const char *word);
bool cc_uses_double(const char *ir); /* of a module's text */
void cc_tell_double(const cc_unit_t *u,
                    const cc_strings_t *user); /* a line, where a constant alone brings double; the user's options */
/* For a source that does not compile, with the compiler's words: a line, if it uses a feature that the device has not. */
void cc_tell_absent(const cc_unit_t *u, const cc_strings_t *argv);

/* cc_meta.c: kernels and their arguments from the compiler's first pass. */
int cc_read_ir(cc_unit_t *u, const char *path);
void cc_read_module(cc_unit_t *u, const char *text); /* what there is in it, of either language */

/* cc_names.c: sets u->own from a module's text. Unless quiet, warns of functions that replace OpenCL C's. */
int cc_find_own_names(cc_unit_t *u, const char *text, bool quiet);
int cc_read_ast(cc_unit_t *u, const char *path);

/* cc_link.c: kernels from several sources. An object is LLVM bitcode, with the entries of its kernels. */
char *cc_source_dir(const cc_unit_t *u);
int cc_compile_object(const cc_unit_t *u, const char *clang, const cc_strings_t *options, const char *level,
                      const char *device, const char *output);
int cc_merge_objects(const cc_unit_t *u, const char *clang, const cc_strings_t *options, bool text, const char *output);

/* cc_output.c: generated text. */
int cc_write_wrapper(const cc_unit_t *u, const char *device, const char *path); /* device: the library's folder */
int cc_write_notes(const cc_unit_t *u, const char *path);
int cc_write_locals(const cc_unit_t *u, const char *path);

/* cc_inline.c: instructions of a module's text (at -O0) if every call of its functions is inlined, in all functions together. */
size_t cc_inlined_size(const char *ir);
int cc_inline_by_size(const char *path); /* a module's text: leaves it to the optimiser which calls are inlined */
enum { CC_INLINE_BUDGET = 20000 }; /* some seconds of compilation; kernels as they are written have a thousand */

/* cc_volatile.c: a module's text, with volatile and atomic loads of global memory that go past the L1D. */
int cc_bypass_l1d(const cc_unit_t *u, const char *from, const char *to);

/* cc_entry.c: the entries' first instructions, in the assembly that the second pass wrote. */
int cc_finish_entries(const cc_unit_t *u, const char *from, const char *to);

/* cc_where.c. Where the source uses `name`, in function `from` if it does there (NULL: anywhere): "a.cl:5", or its name alone; malloced. */
char *cc_where(const cc_unit_t *u, const char *from, const char *name);
/* The first pass's module with lines, as text; NULL: it does not compile. Malloced. */
char *cc_module_with_lines(const cc_unit_t *u);
/* The first operation of double; NULL without any. Malloced. */
char *cc_where_double(const cc_unit_t *u);

/* cc_object.c: what only the object knows: layout, stack, locals, barriers. */
int cc_read_object(cc_unit_t *u, const char *object, const char *device); /* device: the library's folder */

/* cc_options.c: the command line. CC_OK, or an error that has been told. */
typedef struct {
    char *output, *clang, *level, *config;
    bool save_temps, help, no_unroll;
    cc_strings_t user; /* options handed to the compiler */
} cc_options_t;

int cc_parse(cc_options_t *o, cc_unit_t *u, int argc, char **argv);
void cc_usage(void); /* to standard output */
int cc_check_source(cc_unit_t *u);
/* The configuration that it is for. */
int cc_read_config(cc_unit_t *u, const cc_options_t *o);
/* The source's name with .elf or .bc, without its folder. */
char *cc_default_output(const char *source, bool object);

/* cc_passes.c: through clang, and the link. CC_OK, or an error that has been told. */
int cc_ask_version(cc_unit_t *u, const char *clang);
cc_strings_t cc_common_options(const cc_unit_t *u, const cc_options_t *o, const char *device);
/* Of these, those that are of the machine. */
cc_strings_t cc_machine_options(const cc_strings_t *options);
int cc_check_kernels(const cc_unit_t *u);
int cc_first_pass(cc_unit_t *u, const char *clang, const cc_strings_t *options);
int cc_second_pass(cc_unit_t *u, const cc_options_t *o, const char *clang, const cc_strings_t *options,
                   const char *device, const char *object);
int cc_link_image(const cc_unit_t *u, const char *clang, const cc_strings_t *options, const char *device,
                  const char *object, const char *output);
#endif
