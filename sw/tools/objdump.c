/* vellum objdump: the instructions of an image, with the lines that they come from and the points where divergent paths meet. */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa_gen.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/lines.h"
#include "sw/tools/tool.h"

typedef struct symbol {
    uint64_t at;
    char name[120];
} symbol;

typedef struct dump {
    const vl_image *image;
    const vl_segment *text;
    vl_lines *lines; /* NULL: not compiled with -g */
    symbol *symbols;
    size_t n_symbols;
    const vl_reconv *meet;
    size_t n_meet;
    const vl_reconv *table; /* those that fit into the configuration's table */
    uint32_t entries;
    const char *config;
    vl_source last; /* the line above */
    char *source_name, **source; /* the file of that line, and its lines */
    size_t n_source;
} dump;

/* ---- names ---- */

static void add_symbol(dump *d, uint64_t at, const char *name)
{
    symbol *more = realloc(d->symbols, (d->n_symbols + 1) * sizeof *more);
    if (!more)
        return;
    d->symbols = more;
    more[d->n_symbols].at = at;
    snprintf(more[d->n_symbols++].name, sizeof more->name, "%s", name);
}

/* Functions that were not inlined; kernels are known from the notes. */
static void read_symbols(dump *d, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    for (Elf_Scn *s = NULL; elf && (s = elf_nextscn(elf, s));) {
        GElf_Shdr h;
        Elf_Data *data = gelf_getshdr(s, &h) && h.sh_type == SHT_SYMTAB ? elf_getdata(s, NULL) : NULL;
        for (size_t i = 0; data && h.sh_entsize && i < h.sh_size / h.sh_entsize; i++) {
            GElf_Sym symbol;
            const char *name = gelf_getsym(data, (int)i, &symbol) && GELF_ST_TYPE(symbol.st_info) == STT_FUNC
                                   ? elf_strptr(elf, h.sh_link, symbol.st_name)
                                   : NULL;
            if (name && strncmp(name, "__vellum_entry_", 15))
                add_symbol(d, symbol.st_value, name);
        }
    }
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < vl_image_kernels(d->image); i++) {
        char name[120];
        const vl_kernel_info *k = vl_image_kernel(d->image, i);
        snprintf(name, sizeof name, "kernel %s", k->name);
        add_symbol(d, k->entry, name);
    }
}

/* ---- source lines ---- */

static void read_source(dump *d, const char *name)
{
    char *line = NULL;
    size_t room = 0;
    if (d->source_name && !strcmp(d->source_name, name))
        return;
    for (size_t i = 0; i < d->n_source; i++)
        free(d->source[i]);
    d->n_source = 0;
    free(d->source_name);
    d->source_name = strdup(name);
    FILE *f = fopen(name, "re");
    for (ssize_t n; f && (n = getline(&line, &room, f)) >= 0;) {
        char **more = realloc(d->source, (d->n_source + 1) * sizeof *more);
        if (!more)
            break;
        line[strcspn(line, "\r\n")] = 0;
        d->source = more;
        d->source[d->n_source++] = strdup(line);
    }
    free(line);
    if (f)
        fclose(f);
}

static void show_line(dump *d, uint64_t pc)
{
    vl_source s;
    if (!vl_lines_find(d->lines, pc, &s)
        || (s.line == d->last.line && !strcmp(s.file, d->last.file) && !strcmp(s.function, d->last.function)))
        return;
    d->last = s;
    read_source(d, s.file);
    const char *text = s.line <= d->n_source && d->source[s.line - 1] ? d->source[s.line - 1] : "";
    printf("; %s:%u %s%s%s\n", s.file, s.line, s.function, *text ? ": " : "", text + strspn(text, " \t"));
}

/* ---- instructions ---- */

static bool held(const dump *d, uint64_t pc)
{
    for (uint32_t i = 0; i < d->entries; i++)
        if (d->table[i].pc == pc)
            return true;
    return false;
}

static void show_instruction(dump *d, uint64_t pc, uint32_t word)
{
    char text[80];
    isa_disasm(word, pc, text, sizeof text);
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    bool any = false;
    printf("  %8" PRIx64 ":  %08x  ", pc, word);
    for (size_t i = 0; i < d->n_meet; i++)
        any |= d->meet[i].pc == pc || d->meet[i].target == pc;
    printf(any ? "%-32s" : "%s", text);
    const char *before = " ; paths of";
    for (size_t i = 0; i < d->n_meet; i++)
        if (d->meet[i].target == pc) {
            printf("%s %" PRIx64, before, d->meet[i].pc);
            before = ",";
        }
    if (before[0] == ',')
        fputs(" meet here", stdout);
    for (size_t i = 0; i < d->n_meet; i++)
        if (d->meet[i].pc == pc)
            printf(" ; meets at %" PRIx64 "%s%s%s", d->meet[i].target, held(d, pc) ? "" : ", not in the table of ",
                   held(d, pc) ? "" : d->config, d->meet[i].barrier ? ", before a barrier" : "");
    fputc('\n', stdout);
}

static void show_text(dump *d)
{
    for (uint64_t at = 0; at + 4 <= d->text->file_bytes; at += 4) {
        const uint64_t pc = d->text->addr + at;
        uint32_t word;
        memcpy(&word, d->text->data + at, 4);
        for (size_t i = 0; i < d->n_symbols; i++)
            if (d->symbols[i].at == pc)
                printf("\n%s:\n", d->symbols[i].name);
        show_line(d, pc);
        show_instruction(d, pc, word);
    }
}

static int show(dump *d, const char *path)
{
    vl_reconv *table = calloc(d->entries, sizeof *table);
    if (!table || vl_reconv_pack(d->meet, d->n_meet, d->entries, table) < 0) {
        free(table);
        return complain("objdump", EXIT_TOOL, "out of memory");
    }
    d->table = table;
    d->text = d->image->segments;
    while (!d->text->exec) /* there is exactly one */
        d->text++;
    d->lines = vl_lines_open(d->image->file, d->image->file_bytes);
    read_symbols(d, path);
    printf("%s: %u instructions reachable, %u branches, %u reconvergence points%s\n", path, d->image->info.instructions,
           d->image->info.branches, d->image->info.reconv,
           d->lines ? "" : "; without source lines, which vellum cc -g leaves in an image");
    show_text(d);
    vl_lines_close(d->lines);
    for (size_t i = 0; i < d->n_source; i++)
        free(d->source[i]);
    free(d->source);
    free(d->source_name);
    free(d->symbols);
    free(table);
    return fflush(stdout) || ferror(stdout) ? complain("objdump", EXIT_TOOL, "cannot write to standard output")
                                            : EXIT_OK;
}

int vellum_objdump_main(int argc, char **argv)
{
    static const option_spec specs[] = {{"config", true, false}, {NULL, false, false}};
    option_reader r = {.command = "objdump", .argc = argc, .at = 1, .argv = argv, .specs = specs};
    const char *v, *config = "small", *elf = NULL;
    vl_error err = {0};
    for (int o; (o = next_option(&r, &v)) != -2;) {
        if (o == -3)
            return EXIT_USAGE;
        if (o == 0)
            config = v;
        else if (elf)
            return complain("objdump", EXIT_USAGE, "two kernel files, %s and %s", elf, v);
        else
            elf = v;
    }
    if (!elf)
        return complain("objdump", EXIT_USAGE, "no kernel file (see vellum help objdump)");
    vl_image *image = NULL;
    vl_config c;
    int status = tool_config("objdump", config, &c);
    if (status)
        return status;
    if (vl_image_read(&image, elf, &err)) {
        vl_config_free(&c);
        return complain("objdump", status_of(err.code), "%s", err.text);
    }
    dump d = {.image = image, .entries = (uint32_t)vl_cfg_get(&c, "reconv_entries", 0), .config = c.name};
    d.meet = vl_image_reconv(image, &d.n_meet);
    status = show(&d, elf);
    vl_image_free(image);
    vl_config_free(&c);
    return status;
}
