/* vellum info: the values of a configuration, and the contents of a kernel file. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "sw/tools/run_internal.h"
#include "vl_fields.h"
#include "vl_regs.h"
#include <sys/ioctl.h>
#include <unistd.h>

/* Columns of the terminal; of anything else as many as it takes (COLUMNS says otherwise). */
static size_t columns(void)
{
    struct winsize w;
    const char *given = getenv("COLUMNS");
    uint64_t n;
    if (given && vl_parse_u64(given, 10000, &n) && n >= 40)
        return n;
    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= 40 ? w.ws_col : SIZE_MAX;
}

/* A line that goes on, indented, where the terminal's ends: between words, and in lists behind commas. */
static void put(size_t indent, const char *format, ...)
{
    char text[4096];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    const size_t most = columns();
    size_t used = 0;
    for (const char *p = text; *p;) {
        size_t spaces = strspn(p, " "), word = strcspn(p + spaces, " ,");
        word += p[spaces + word] == ',';
        if (used && used + spaces + word > most) {
            printf("\n%*s", (int)indent, "");
            used = indent;
            spaces = p[0] == ' ' ? strspn(p, " ") : 0;
            p += spaces;
            spaces = 0;
        }
        printf("%.*s", (int)(spaces + word), p);
        used += spaces + word;
        p += spaces + word;
    }
    putchar('\n');
}

/* A field of a configuration, or a number that follows from fields. */
static void show_value(const struct vl_config_value *v)
{
    static const struct {
        const char *name, *accepted, *needs, *help;
    } fields[] = {
#define X(name, accepted, needs, help) {name, accepted, needs, help},
        VL_FIELDS(X)
#undef X
    };
    char number[24];
    size_t k = 0;
    snprintf(number, sizeof number, "%" PRId64, v->value);
    while (k < sizeof fields / sizeof *fields && strcmp(fields[k].name, v->key))
        k++;
    const char *value = *v->word ? v->word : number;
    if (k == sizeof fields / sizeof *fields)
        put(40, "  %-24s %12s", v->key, value);
    else
        put(40, "  %-24s %12s  %s [%s]%s%s", v->key, value, fields[k].help, fields[k].accepted,
            v->without_effect  ? "; no effect without "
            : *fields[k].needs ? "; effect with "
                               : "",
            fields[k].needs);
}

static void show_config(const vl_config *c)
{
    int64_t cores = vl_cfg_get(c, "cores", 0), warps = vl_cfg_get(c, "warps", 0), threads = vl_cfg_get(c, "threads", 0),
            lanes = vl_cfg_get(c, "lanes", 1);
    put(4,
        "configuration %s: %" PRId64 " core%s x %" PRId64 " warps x %" PRId64 " threads, %" PRId64 " lanes (%" PRId64
        " beat%s a warp), %" PRId64 " threads in all",
        c->name, cores, cores == 1 ? "" : "s", warps, threads, lanes, threads / lanes, threads == lanes ? "" : "s",
        cores * warps * threads);
    for (size_t i = 0; i < c->n; i++)
        show_value(&c->values[i]);
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

/* What --set says of policies: by their numbers. */
typedef struct {
    bool set[VL_N_POLICIES];
    uint32_t value[VL_N_POLICIES];
} settings;

/* A policy with its value after reset, or that of --set. */
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
    put(30, "  %-16s %-10s %s [%s]", name, value, help, all);
}

static void show_machine(const vl_config *c, const settings *s)
{
    know(c);
    printf("\nbackends\n");
    for (size_t i = 0; vl_backend_name(i); i++)
        put(27, "  %-24s %s", vl_backend_name(i), vl_backend_help(i));
    putchar('\n'), put(2, "policies (--set NAME=VALUE): the value unless set [all values]");
#define X(id, name, values, help, names, most, preset, ...) \
    show_policy(name, values, names, s->set[id] ? s->value[id] : preset, help);
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
    put(43, "         %-7s %-12s %s  %-8s %s%s", bits, name, access, value, help, from);
}

static void show_registers(void)
{
    putchar('\n'),
        put(2, "registers (docs/registers.md): address, name, of what; bits, field, access, value after reset");
#define R(name, address, block, per, help) put(42, "  0x%03x  %-22s %-8s %s", address, #name, #per, help);
#define F(reg, name, low, room, width, reset, access, kept, count, stride, help) show_field(#name, low, width, (uint64_t)(reset), #access, count, stride, help);
    VL_REGISTERS(R, F)
#undef R
#undef F
}

static void show_kernel(const vl_kernel_info *k)
{
    static const char *const kinds[] = {"value", "global pointer", "constant pointer", "local pointer"};
    printf("\nkernel %s\n", k->name);
    put(40, "  %-24s %#12" PRIx64 "", "entry", k->entry);
    put(40, "  %-24s %12u  bytes a group, without __local arguments", "scratchpad", k->local_bytes);
    put(40, "  %-24s %12u  bytes a thread", "stack", k->stack_bytes);
    if (k->prints)
        put(40, "  %-24s %12s", "printf", "yes");
    put(40, "  %-24s %12u  bytes", "launch block", k->block_bytes);
    if (k->reqd_local[0])
        put(40, "  %-24s %u,%u,%u", "required group size", k->reqd_local[0], k->reqd_local[1], k->reqd_local[2]);
    for (uint32_t i = 0; i < k->n_args; i++) {
        const vl_arg_info *a = &k->args[i];
        put(40, "  argument %-3u %-24s %-16s %-16s %4u bytes at %#x", i, a->type, a->name, kinds[a->kind], a->size,
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
    put(40, "  %-24s %#12" PRIx64 "  %" PRIu64 " bytes", "memory", x.image_base, x.image_bytes);
    put(40, "  %-24s %#12" PRIx64 "  %" PRIu64 " bytes", "text", x.text_base, x.text_bytes);
    put(40, "  %-24s %12u  reachable", "instructions", x.instructions);
    put(40, "  %-24s %12u", "branches", x.branches);
    put(40, "  %-24s %12u  branches whose paths meet again", "reconvergence points", x.reconv);
    put(40, "  %-24s %12u  of %u entries in configuration %s, %d branch%s left out", "reconvergence table",
        x.reconv - (uint32_t)out, entries, vl_cfg_name(c), out, out == 1 ? "" : "es");
    const char *compiler, *options;
    for (size_t i = 0; vl_image_source(img, i, &compiler, &options); i++)
        put(4, "  compiled by %s", compiler), put(4, "  with %s", options);
    for (size_t i = 0; i < vl_image_kernels(img); i++)
        show_kernel(vl_image_kernel(img, i));
    vl_image_free(img);
    return 0;
}

int tool_config(const char *command, const char *word, vl_config *c)
{
    vl_error err = {0};
    char *name = NULL, *root = vl_find_root(NULL, &err);
    if (!root)
        return complain(command, EXIT_USAGE, "%s", err.text);
    int e = vl_config_read(c, &root, &name, word, &err);
    free(root);
    free(name);
    return e ? complain(command, status_of(e), "%s", err.text) : 0;
}

/* Each counter and figure by name, with its section, unit and help: what --y of a sweep may be. */
static void show_figures(void)
{
    vl_stat f;
    for (size_t i = 0; vl_figure(i, &f); i++)
        put(56, "%-26s %-18s %-12s %s", f.name, f.section, f.unit, f.help);
    vl_stat copies[COPY_FIGURES];
    run_copy_figures(NULL, copies);
    for (size_t i = 0; i < COPY_FIGURES; i++)
        put(56, "%-26s %-18s %-12s %s", copies[i].name, copies[i].section, copies[i].unit, copies[i].help);
}

/* --set and --memory of a configuration, without a machine. */
static int take_settings(const vl_config *c, const char *const *words, size_t n, const char *memory, settings *s)
{
    vl_error err = {0};
    vl_memory m = {0};
    char name[64];
    const char *value;
    int e = memory ? vl_memory_parse(&m, memory, &err) : 0;
    for (size_t i = 0; i < n && !e; i++) {
        enum vl_policy p;
        uint32_t v;
        e = vl_policy_split(words[i], name, sizeof name, &value, &err);
        e = e ? e : vl_config_policy(c, name, value, &p, &v, &err);
        if (!e)
            s->set[p] = true, s->value[p] = v;
    }
    if (!e && memory)
        e = vl_config_memory(c, &m, &err);
    return e ? complain("info", status_of(e), "%s", err.text) : 0;
}

int vellum_info_main(int argc, char **argv)
{
    enum { CONFIG, SET, MEMORY, FIGURES };
    static const option_spec specs[] = {[CONFIG] = {"config", true, false},
                                        [SET] = {"set", true, true},
                                        [MEMORY] = {"memory", true, false},
                                        [FIGURES] = {"figures", false, false},
                                        {NULL, false, false}};
    option_reader r = {.command = "info", .argc = argc, .at = 1, .argv = argv, .specs = specs};
    const char *v, *config = "small", *elf = NULL, *memory = NULL;
    const char **words = calloc((size_t)argc, sizeof *words);
    size_t n = 0;
    bool figures = false;
    int status = words ? 0 : complain("info", EXIT_TOOL, "out of memory");
    for (int o; !status && (o = next_option(&r, &v)) != -2;) {
        if (o == -3)
            status = EXIT_USAGE;
        else if (o == CONFIG)
            config = v;
        else if (o == SET)
            words[n++] = v;
        else if (o == MEMORY)
            memory = v;
        else if (o == FIGURES)
            figures = true;
        else if (elf)
            status = complain("info", EXIT_USAGE, "two kernel files, %s and %s", elf, v);
        else
            elf = v;
    }
    vl_config c = {0};
    settings s = {0};
    if (!status)
        status = tool_config("info", config, &c);
    if (!status)
        status = take_settings(&c, words, n, memory, &s);
    free(words);
    if (!status && figures) {
        show_figures();
    } else if (!status && elf) {
        status = show_image(elf, &c);
    } else if (!status) {
        show_config(&c);
        show_machine(&c, &s);
        show_registers();
    }
    vl_config_free(&c);
    if (!status && (fflush(stdout) || ferror(stdout)))
        status = complain("info", EXIT_TOOL, "cannot write to standard output");
    return status;
}
