/* vellum info: what a configuration is made of, and what is in a kernel file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/tools/tool.h"
#include "vl_regs.h"

static void show_config(const vl_config *c)
{
    int64_t cores = vl_cfg_get(c, "cores", 0), warps = vl_cfg_get(c, "warps", 0), threads = vl_cfg_get(c, "threads", 0),
            lanes = vl_cfg_get(c, "lanes", 1);
    printf("configuration %s: %" PRId64 " core%s x %" PRId64 " warps x %" PRId64 " threads, %" PRId64 " lanes (%" PRId64
           " beat%s a warp), %" PRId64 " threads in all\n",
           c->name, cores, cores == 1 ? "" : "s", warps, threads, lanes, threads / lanes, threads == lanes ? "" : "s",
           cores * warps * threads);
    for (size_t i = 0; i < c->n; i++) {
        if (*c->values[i].word)
            printf("  %-24s %12s\n", c->values[i].key, c->values[i].word);
        else
            printf("  %-24s %12" PRId64 "\n", c->values[i].key, c->values[i].value);
    }
}

/* What configurations can differ in of registers: names as in the descriptions, values of this one. */
#define X(NAME, key) static int64_t NAME;
VL_REGISTER_KEYS(X)
#undef X

static void know(const vl_config *c)
{
#define X(NAME, key) NAME = vl_cfg_get(c, key, 1);
    VL_REGISTER_KEYS(X)
#undef X
}

/* A policy with what it is after reset. */
static void show_policy(const char *name, const char *values, uint32_t names, int64_t preset, const char *help)
{
    const char *all = values;
    char value[32];
    for (int64_t i = 0; names && i < preset; i++)
        values += strcspn(values, ",") + 1;
    if (names)
        snprintf(value, sizeof value, "%.*s", (int)strcspn(values, ","), values);
    else
        snprintf(value, sizeof value, "%" PRId64, preset);
    printf("  %-16s %-10s %s [%s]\n", name, value, help, all);
}

static void show_machine(const vl_config *c)
{
    know(c);
    printf("\nbackends\n");
    for (size_t i = 0; vl_backend_name(i); i++)
        printf("  %-24s %s\n", vl_backend_name(i), vl_backend_help(i));
    printf("\npolicies (--set NAME=VALUE), what each is unless set [its values]\n");
#define X(id, name, values, help, names, most, preset, ...) show_policy(name, values, names, preset, help);
    VL_POLICIES(X)
#undef X
}

static void show_field(const char *name, unsigned low, int64_t width, uint64_t reset, const char *access,
                       unsigned count, unsigned stride, const char *help)
{
    char bits[32], from[32] = "";
    if (width == 1)
        snprintf(bits, sizeof bits, "%u", low);
    else
        snprintf(bits, sizeof bits, "%u:%u", low + (unsigned)width - 1, low);
    if (count > 1)
        snprintf(from, sizeof from, " (%u, %u apart)", count, stride);
    char value[32] = "";
    if (strcmp(access, "WO"))
        snprintf(value, sizeof value, "%#" PRIx64, reset);
    printf("         %-7s %-12s %s  %-8s %s%s\n", bits, name, access, value, help, from);
}

static void show_registers(void)
{
    printf("\nregisters (docs/registers.md): address, name, of what; bits, field, access, value after reset\n");
#define R(name, address, block, per, help) printf("  0x%03x  %-22s %-8s %s\n", address, #name, #per, help);
#define F(reg, name, low, room, width, reset, access, kept, count, stride, help) show_field(#name, low, width, (uint64_t)(reset), #access, count, stride, help);
    VL_REGISTERS(R, F)
#undef R
#undef F
}

static void show_kernel(const vl_kernel_info *k)
{
    static const char *const kinds[] = {"value", "global pointer", "constant pointer", "local pointer"};
    printf("\nkernel %s\n", k->name);
    printf("  %-24s %#12" PRIx64 "\n", "entry", k->entry);
    printf("  %-24s %12u  bytes a group, without __local arguments\n", "scratchpad", k->local_bytes);
    printf("  %-24s %12u  bytes a thread\n", "stack", k->stack_bytes);
    if (k->prints)
        printf("  %-24s %12s\n", "printf", "yes");
    printf("  %-24s %12u  bytes\n", "launch block", k->block_bytes);
    if (k->reqd_local[0])
        printf("  %-24s %u,%u,%u\n", "required group size", k->reqd_local[0], k->reqd_local[1], k->reqd_local[2]);
    for (uint32_t i = 0; i < k->n_args; i++) {
        const vl_arg_info *a = &k->args[i];
        printf("  argument %-3u %-24s %-16s %-16s %4u bytes at %#x\n", i, a->type, a->name, kinds[a->kind], a->size,
               a->offset);
    }
}

static int show_image(const char *path, const vl_config *c)
{
    vl_error err = {0};
    vl_image *img;
    int e = vl_image_read(&img, path, &err);
    if (e)
        return complain("info", status_of(e), "%s", err.text);
    vl_image_info x;
    size_t n;
    vl_image_get_info(img, &x);
    const vl_reconv *list = vl_image_reconv(img, &n);
    uint32_t entries = (uint32_t)vl_cfg_get(c, "reconv_entries", 0);
    vl_reconv *table = calloc(entries, sizeof *table);
    int out = table ? vl_reconv_pack(list, n, entries, table) : VL_ENOMEM;
    free(table);
    if (out < 0) {
        vl_image_free(img);
        return complain("info", EXIT_TOOL, "%s", vl_strerror(out));
    }
    printf("image %s\n", path);
    printf("  %-24s %#12" PRIx64 "  %" PRIu64 " bytes\n", "memory", x.image_base, x.image_bytes);
    printf("  %-24s %#12" PRIx64 "  %" PRIu64 " bytes\n", "text", x.text_base, x.text_bytes);
    printf("  %-24s %12u  reachable\n", "instructions", x.instructions);
    printf("  %-24s %12u\n", "branches", x.branches);
    printf("  %-24s %12u  branches whose paths meet again\n", "reconvergence points", x.reconv);
    printf("  %-24s %12u  of %u entries in configuration %s, %d branch%s left out\n", "reconvergence table",
           x.reconv - (uint32_t)out, entries, vl_cfg_name(c), out, out == 1 ? "" : "es");
    const char *compiler, *options;
    for (size_t i = 0; vl_image_source(img, i, &compiler, &options); i++)
        printf("  compiled by %s\n  with %s\n", compiler, options);
    for (size_t i = 0; i < vl_image_kernels(img); i++)
        show_kernel(vl_image_kernel(img, i));
    vl_image_free(img);
    return 0;
}

int tool_config(const char *command, const char *word, vl_config *c)
{
    vl_error err = {0};
    char *name = NULL, *root = vl_find_root(NULL);
    if (!root)
        return complain(command, EXIT_USAGE, "the Vellum source tree was not found (set VELLUM_ROOT)");
    int e = vl_config_place(&root, &name, word, &err);
    if (!e)
        e = vl_config_load(c, root, name, &err);
    free(root);
    free(name);
    return e ? complain(command, status_of(e), "%s", err.text) : 0;
}

int vellum_info_main(int argc, char **argv)
{
    static const option_spec specs[] = {{"config", true, false}, {NULL, false, false}};
    option_reader r = {.command = "info", .argc = argc, .at = 1, .argv = argv, .specs = specs};
    const char *v, *config = "small", *elf = NULL;
    for (int o; (o = next_option(&r, &v)) != -2;) {
        if (o == -3)
            return EXIT_USAGE;
        if (o == 0)
            config = v;
        else if (elf)
            return complain("info", EXIT_USAGE, "two kernel files, %s and %s", elf, v);
        else
            elf = v;
    }
    vl_config c;
    int status = tool_config("info", config, &c);
    if (status)
        return status;
    if (elf) {
        status = show_image(elf, &c);
    } else {
        show_config(&c);
        show_machine(&c);
        show_registers();
    }
    vl_config_free(&c);
    if (!status && (fflush(stdout) || ferror(stdout)))
        status = complain("info", EXIT_TOOL, "cannot write to standard output");
    return status;
}
