/* The passes of `vellum cc` through clang, and the link. */
#include "sw/runtime/internal.h"
#include "sw/tools/cc_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_EXTENSIONS                                                                                                                                          \
  "-cl-ext=+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,"                                          \
  "+cl_khr_local_int32_extended_atomics,+cl_khr_byte_addressable_store,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"
#define CL_VERSION "-D__OPENCL_VERSION__=120" /* of the device; clang knows the language's alone */
#define CL_DOUBLE "-cl-ext=+cl_khr_fp64"

/* The version line, and from it the number: clang-19 knows Zacas as experimental only. (amocas.q, which the machine does not have, is never
 * made of C: a 16-byte atomic is a call.) */
int cc_ask_version(cc_unit_t *u, const char *clang)
{
    char *path = cc_format("%s/version", u->dir);
    cc_strings_t c = cc_command(clang);
    cc_push(&c, "--version");
    int status = cc_run(&c, path);
    if (status < 0)
        return cc_error(CC_USAGE, "cannot run %s: %s", clang, strerror(errno));
    if (cc_disk_is_full())
        return CC_FAILED;
    char *text = cc_read_file(path, NULL);
    const char *found = text ? strstr(text, "clang version ") : NULL;
    if (status || !found || sscanf(found, "clang version %u", &u->clang_number) != 1)
        return status > 128 ? status : cc_error(CC_USAGE, "%s is not a clang", clang);
    if (u->clang_number < 19)
        return cc_error(CC_USAGE, "%s is version %u; 19 or later is needed", clang, u->clang_number);
    text[strcspn(text, "\n")] = 0;
    u->version = text;
    free(path);
    return CC_OK;
}

cc_strings_t cc_common_options(const cc_unit_t *u, const cc_options_t *o, const char *device)
{
    cc_strings_t s = {0};
    static const char *const both[] = {"--target=riscv64-unknown-elf", "-mabi=lp64", "-ffreestanding",
                                       "-fno-math-errno", NULL};
    static const char *const opencl[] = {"-x",
                                         "cl",
                                         "-cl-std=CL1.2",
                                         "-cl-kernel-arg-info",
                                         "-Xclang",
                                         "-finclude-default-header",
                                         "-Xclang",
                                         "-ffake-address-space-map",
                                         "-Xclang",
                                         CL_EXTENSIONS,
                                         "-Xclang",
                                         CL_DOUBLE,
                                         CL_VERSION,
                                         "-fgnu89-inline",
                                         NULL};
    static const char *const c[] = {"-x",
                                    "c",
                                    "-std=gnu17",
                                    "-fconvergent-functions",
                                    "-Werror=vla",
                                    "-Werror=implicit-function-declaration",
                                    "-Wdouble-promotion",
                                    NULL};
    cc_push_all(&s, both);
    cc_push_all(&s, u->opencl ? opencl : c);
    if (u->clang_number < 20) {
        cc_push(&s, "-march=rv64ima_zfinx_zicond_zba_zbb_zbs_zacas1p0");
        cc_push(&s, "-menable-experimental-extensions");
    } else {
        cc_push(&s, "-march=rv64ima_zfinx_zicond_zba_zbb_zbs_zacas");
    }
    for (size_t i = 0; i < o->user.n; i++)
        cc_push(&s, o->user.items[i]);
    if (!u->opencl) {
        cc_push(&s, "-isystem");
        cc_push(&s, device);
    }
    return s;
}

int cc_check_kernels(const cc_unit_t *u)
{
    const int status = u->empty ? CC_OK : CC_FAILED; /* the message is printed in any case */
    if (u->nkernels || u->object)
        return CC_OK;
    if (u->objects.n)
        return cc_error(status, "%s: there is no kernel in the linked program", u->source);
    return cc_error(status, "%s: there is no kernel in it (%s)%s", u->source,
                    u->opencl ? "__kernel void NAME(...)" : "VL_KERNEL void NAME(...) of vellum.h",
                    cc_mentions(u->source, "cl_khr_fp16") ? "; what stands under #ifdef cl_khr_fp16 is left out" : "");
}

static bool has(const cc_strings_t *s, const char *word)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->items[i], word))
            return true;
    return false;
}

int cc_first_pass(cc_unit_t *u, const char *clang, const cc_strings_t *options)
{
    char *result = cc_format("%s/pass1", u->dir);
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        cc_push(&c, options->items[i]);
    for (size_t i = 0; i < c.n; i++)
        cc_push(&u->compiler, c.items[i]);
    static const char *const ir[] = {"-O0", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", NULL};
    static const char *const ast[] = {"-fsyntax-only", "-Xclang", "-ast-dump=json", NULL};
    cc_push_all(&c, u->opencl ? ir : ast);
    if (u->opencl)
        cc_push(&c, result);
    /* a path that begins with '-' would be an option */
    char *source = cc_format("%s%s", u->source[0] == '-' ? "./" : "", u->source);
    cc_push(&c, source);
    int status = cc_run_step(&c, u->opencl ? NULL : result);
    if (status == CC_FAILED && u->opencl)
        cc_tell_absent(u, &c);
    status = status ? status : u->opencl ? cc_read_ir(u, result) : cc_read_ast(u, result);
    /* a syntax tree is all that C has up to here */
    char *text = status ? NULL : u->opencl ? cc_read_file(result, NULL) : cc_module_with_lines(u);
    if (text && !u->opencl)
        cc_read_module(u, text);
    if (text)
        status = cc_find_own_names(u, text, has(options, "-w"));
    free(text);
    return status ? status : cc_check_kernels(u);
}

static int assemble(const char *clang, const cc_strings_t *options, const char *assembly, const char *object)
{
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        if (!strncmp(options->items[i], "-m", 2) || !strncmp(options->items[i], "--target", 8))
            cc_push(&c, options->items[i]);
    const char *const rest[] = {"-x", "assembler", "-c", assembly, "-o", object, NULL};
    cc_push_all(&c, rest);
    return cc_run_step(&c, NULL);
}

/* Whether the loop step comes between: where clang unrolls by itself, and the step's library reads this clang's bitcode. */
static bool with_loop_step(const cc_unit_t *u, const cc_options_t *o)
{
    return !o->no_unroll && (!o->level || !strcmp(o->level, "-O2") || !strcmp(o->level, "-O3"))
           && u->clang_number == 19;
}

/* The first line of a file of messages that names an error, else its first; NULL: no line. Malloced. */
static char *first_message(const char *path)
{
    char *text = cc_read_file(path, NULL);
    const char *at = text ? strstr(text, "error: ") : NULL;
    at = at ? at + strlen("error: ") : text;
    char *line = at && *at ? cc_format("%.*s", (int)strcspn(at, "\n"), at) : NULL;
    free(text);
    return line;
}

/* The second pass in steps: clang up to a module, the loop step, loads past the L1D, and clang's code generator. Assembly that an assembler refuses would have lost its
 * line by then, so messages of the code generator are not shown: false and why, and the caller compiles in one go. */
static int in_steps(const cc_unit_t *u, const char *device, bool loops, const cc_strings_t *front,
                    const cc_strings_t *back, const char *wrapper, const char *raw, bool *generated, char **why)
{
    const char *kind = u->volatiles ? "ll" : "bc"; /* bitcode is faster, text can be edited */
    char *before = cc_format("%s/before.%s", u->dir, loops ? "bc" : "ll"),
         *after = cc_format("%s/after.%s", u->dir, kind), *report = cc_format("%s/loops", u->dir),
         *program = cc_format("%s/vellum-loops", device);
    cc_strings_t c = {0}, g = {0}, l = cc_command(program);
    for (size_t i = 0; i < front->n; i++)
        cc_push(&c, front->items[i]);
    const char *const to_module[] = {"-emit-llvm", loops ? "-c" : "-S", wrapper, "-o", before, NULL};
    cc_push_all(&c, to_module);
    int status = cc_run_step(&c, NULL);
    const char *const files[] = {before, after, NULL};
    cc_push_all(&l, files);
    if (loops)
        status = status ? status : cc_run_step(&l, report);
    else
        after = before;
    if (!status && u->volatiles) {
        char *loads = cc_format("%s/loads.ll", u->dir);
        status = cc_bypass_l1d(u, after, loads);
        after = loads;
    }
    if (status)
        return status;
    for (size_t i = 0; i < back->n; i++)
        cc_push(&g, back->items[i]);
    /* Where the step has unrolled, pointers already advance as they should; LLVM's strength reduction would spend more registers on them. */
    const char *decisions = loops ? cc_read_file(report, NULL) : NULL;
    if (decisions && strstr(decisions, ": unrolled,")) {
        cc_push(&g, "-mllvm");
        cc_push(&g, "-disable-lsr");
    }
    const char *const to_assembly[] = {"-x", "ir", "-Xclang", "-disable-llvm-passes", "-S", after, "-o", raw, NULL};
    cc_push_all(&g, to_assembly);
    char *messages = cc_format("%s/messages", u->dir);
    status = cc_run_messages(&g, messages);
    *generated = status == 0;
    *why = status > 128 ? cc_format("it died of signal %d", status - 128) : status ? first_message(messages) : NULL;
    free(messages);
    return cc_caught_signal() ? status : CC_OK;
}

/* What of the options is the machine's: all that bitcode and assembly are compiled with. */
cc_strings_t cc_machine_options(const cc_strings_t *options)
{
    cc_strings_t s = {0};
    for (size_t i = 0; i < options->n; i++)
        if (!strncmp(options->items[i], "-m", 2) || !strncmp(options->items[i], "--target", 8)
            || !strcmp(options->items[i], "-ffreestanding"))
            cc_push(&s, options->items[i]);
    return s;
}

/* The options in the image's note: without the library's folder, and with those for double only if a kernel uses it (so that the note of other kernels, and with it the
 * place of their constants, does not change). */
static void note_options(cc_unit_t *u, const cc_strings_t *front, const char *device)
{
    for (size_t i = 1; i < front->n; i++) {
        const char *item = front->items[i];
        if (!strcmp(item, "-isystem") || !strcmp(item, device) || !strcmp(item, "-Wdouble-promotion")
            || !strcmp(item, CL_VERSION))
            continue;
        if (u->opencl && !u->doubles && i + 1 < front->n && !strcmp(front->items[i + 1], CL_DOUBLE)) {
            i++;
            continue;
        }
        cc_push(&u->note, item);
    }
}

int cc_second_pass(cc_unit_t *u, const cc_options_t *o, const char *clang, const cc_strings_t *options,
                   const char *device, const char *object)
{
    char *wrapper = cc_format("%s/%s", u->dir,
                              u->objects.n ? "linked.ll"
                              : u->opencl  ? "kernel.cl"
                                           : "kernel.c"),
         *raw = cc_format("%s/pass2.s", u->dir), *assembly = cc_format("%s/kernel.s", u->dir);
    int status = u->objects.n ? CC_OK : cc_write_wrapper(u, device, wrapper);
    if (status)
        return status;
    char *bitcode = cc_format("%s/vellum-clang19.bc", device),
         *doubles = cc_format("%s/vellum-double-clang19.bc", device);
    const char *level = o->level ? o->level : "-O2";
    cc_strings_t front = cc_command(clang), back = cc_command(clang);
    /* jump tables bring indirect jumps, tail duplication breaks post-dominators and doubles the exit, and a float constant is better made by two
     * instructions than loaded */
    static const char *const code[] = {"-fno-jump-tables",
                                       "-msmall-data-limit=0",
                                       "-ffunction-sections",
                                       "-fdata-sections",
                                       "-fno-optimize-sibling-calls",
                                       "-fstack-size-section",
                                       "-fno-asynchronous-unwind-tables",
                                       "-mllvm",
                                       "-disable-tail-duplicate",
                                       "-mllvm",
                                       "-tail-dup-placement=false",
                                       "-mllvm",
                                       "-enable-shrink-wrap=false",
                                       "-mllvm",
                                       "-riscv-lower-fpimm-cost=3",
                                       NULL};
    for (size_t i = 0; i < options->n; i++)
        cc_push(&front, options->items[i]);
    cc_push(&front, level);
    cc_push_all(&front, code);
    note_options(u, &front, device);
    const char *const of_double[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", doubles, NULL};
    if (u->doubles)
        cc_push_all(&front, of_double);
    const char *const sources[] = {"-w", /* the first pass has shown the warnings */
                                   "-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode,
                                   "-iquote", cc_source_dir(u),         NULL};
    cc_push_all(&front, sources);
    /* Version 5 has checksums of files, and warns that the files that vellum cc writes have none. Their folder is left out. */
    if (has(&o->user, "-g")) {
        char *map = cc_format("-fdebug-prefix-map=%s=.", u->dir);
        const char *const debug[] = {"-gdwarf-4", map, NULL};
        cc_push_all(&front, debug);
        free(map);
    }
    const cc_strings_t machine = cc_machine_options(options);
    for (size_t i = 0; i < machine.n; i++)
        cc_push(&back, machine.items[i]);
    cc_push(&back, level);
    cc_push_all(&back, code);

    const bool stepped = with_loop_step(u, o);
    bool generated = false;
    char *why = NULL, *whose = NULL;
    if (stepped)
        status = in_steps(u, device, true, &front, &back, wrapper, raw, &generated, &why);
    const bool spoiled = stepped && !generated;
    if (!status && !generated && u->volatiles)
        status = in_steps(u, device, false, &front, &back, wrapper, raw, &generated, &whose);
    if (!status && !generated) {
        const char *const whole[] = {"-S", wrapper, "-o", raw, NULL};
        cc_push_all(&front, whole);
        status = cc_run_step(&front, NULL); /* errors of the source are reported here, with their line */
        if (!status && u->volatiles)
            status = cc_error(CC_FAILED, "%s: %s did not take its volatile loads (%s)", u->source, clang,
                              whose ? whose : "without a message");
    }
    if (!status && spoiled && !has(&o->user, "-w"))
        fprintf(stderr,
                "%s: warning: %s did not take what the loop step made of it (%s): compiled without the step, so "
                "loops are unrolled by clang alone\n",
                u->source, clang, why ? why : "without a message");
    free(whose);
    free(why);
    status = status ? status : cc_finish_entries(u, raw, assembly);
    return status ? status : assemble(clang, options, assembly, object);
}

/* The linker of the compiler's version, else any. */
int cc_link_image(const cc_unit_t *u, const char *clang, const cc_strings_t *options, const char *device,
                  const char *object, const char *output)
{
    char *notes = cc_format("%s/notes.s", u->dir), *notes_object = cc_format("%s/notes.o", u->dir),
         *locals = cc_format("%s/vl_local.ld", u->dir);
    int status = cc_write_notes(u, notes);
    status = status ? status : cc_write_locals(u, locals);
    if (status)
        return status;
    if ((status = assemble(clang, options, notes, notes_object)))
        return status;
    const char *base = strrchr(clang, '/') ? strrchr(clang, '/') + 1 : clang, *dash = strrchr(base, '-');
    char *linkers[] = {cc_format("ld.lld%s", dash ? dash : ""), "ld.lld-19", "ld.lld"};
    char *script = cc_format("%s/kernel.ld", device), *memory = cc_format("%s/memory.o", device),
         *doubles = cc_format("%s/double.o", device);
    for (size_t i = 0; i < sizeof linkers / sizeof *linkers; i++) {
        cc_strings_t c = cc_command(linkers[i]);
        const char *const arguments[] = {"-m",
                                         "elf64lriscv",
                                         "-static",
                                         "--gc-sections",
                                         "--no-mmap-output-file",
                                         "--no-check-sections",
                                         "-X",
                                         "-e",
                                         "0",
                                         "-L",
                                         u->dir,
                                         "-T",
                                         script,
                                         object,
                                         notes_object,
                                         memory,
                                         doubles,
                                         "-o",
                                         output,
                                         NULL};
        cc_push_all(&c, arguments);
        status = cc_run(&c, NULL);
        if (status >= 0 || errno != ENOENT)
            break;
    }
    if (status < 0)
        return cc_error(CC_USAGE, "cannot run ld.lld: %s", strerror(errno));
    return status > 128 ? status : status ? CC_FAILED : CC_OK;
}
