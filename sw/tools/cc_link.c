/* Kernels from several sources, as clCompileProgram and clLinkProgram have them. An object is unoptimised LLVM bitcode: linked objects are optimised as
 * if it had been one source, so functions of another source are inlined like one's own. */
#include "sw/tools/cc_internal.h"

#include <string.h>

/* Where its own includes are looked for, since the wrapper lies elsewhere. */
char *cc_source_dir(const cc_unit_t *u)
{
    char *dir = cc_format("%s", u->source), *slash = strrchr(dir, '/');
    if (!slash)
        return cc_format(".");
    slash[slash == dir] = 0;
    return dir;
}

int cc_compile_object(const cc_unit_t *u, const char *clang, const cc_strings_t *options, const char *level,
                      const char *device, const char *output)
{
    char *wrapper = cc_format("%s/kernel.cl", u->dir);
    int status = cc_write_wrapper(u, device, wrapper);
    if (status)
        return status;
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        cc_push(&c, options->items[i]);
    const char *const rest[] = {level,
                                "-w",
                                "-Xclang",
                                "-disable-llvm-passes",
                                "-ffunction-sections",
                                "-fdata-sections",
                                "-emit-llvm",
                                "-c",
                                "-iquote",
                                cc_source_dir(u),
                                wrapper,
                                "-o",
                                output,
                                NULL};
    cc_push_all(&c, rest);
    return cc_run_step(&c, NULL);
}

int cc_merge_objects(const cc_unit_t *u, const char *clang, const cc_strings_t *options, bool text, const char *output)
{
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        cc_push(&c, options->items[i]);
    for (size_t i = 1; i < u->objects.n; i++) {
        const char *const other[] = {"-Xclang", "-mlink-bitcode-file", "-Xclang", u->objects.items[i], NULL};
        cc_push_all(&c, other);
    }
    const char *const rest[] = {"-Xclang", "-disable-llvm-passes", "-emit-llvm", text ? "-S" : "-c", "-o", output, "-x",
                                "ir",      u->objects.items[0],    NULL};
    cc_push_all(&c, rest);
    return cc_run_step(&c, NULL);
}
