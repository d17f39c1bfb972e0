/* Reads a kernel image: an ELF file as docs/abi.md describes it. Nothing in the file is trusted; allocations are bounded by
 * the file's size. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/runtime/flow.h"
#include "sw/runtime/internal.h"

#define MAX_SEGMENTS 64
#define MAX_FILE (1ull << 30)
#define MAX_TEXT (16u << 20)
#define NOTE_KERNEL 1
#define NOTE_SOURCE 2
#define NOTE_VERSION 1
#define NOTE_HEAD 0x30u /* bytes of a kernel note before its arguments */
#define NOTE_ARG 24u

typedef struct reader {
    const unsigned char *bytes;
    size_t size;
    Elf *elf;
    GElf_Ehdr ehdr;
    vl_image *img;
    size_t room; /* for kernels */
    vl_error *err;
} reader;

static uint32_t get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint64_t get64(const unsigned char *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

#define BAD(...) return vl_fail(r->err, VL_EELF, __VA_ARGS__)
#define NOMEM() return vl_fail(r->err, VL_ENOMEM, "out of memory")

/* The file's header, checked before libelf reads the file. */
static int check_ident(reader *r)
{
    const unsigned char *b = r->bytes;
    if (r->size < 4 || memcmp(b, ELFMAG, 4))
        BAD("not an ELF file");
    if (r->size < sizeof(Elf64_Ehdr))
        BAD("truncated: %zu bytes are less than an ELF header", r->size);
    if (b[EI_CLASS] != ELFCLASS64)
        BAD("not a 64-bit ELF file (class %u)", b[EI_CLASS]);
    if (b[EI_DATA] != ELFDATA2LSB)
        BAD("not little-endian (data encoding %u)", b[EI_DATA]);
    if (b[EI_VERSION] != EV_CURRENT)
        BAD("unknown ELF version %u", b[EI_VERSION]);
    if (b[EI_OSABI] != ELFOSABI_NONE || b[EI_ABIVERSION])
        BAD("for another system (OS ABI %u.%u)", b[EI_OSABI], b[EI_ABIVERSION]);
    return 0;
}

/* True when [at, at + count * each) lies in the file. */
static bool in_file(const reader *r, uint64_t at, uint64_t count, uint64_t each)
{
    return at <= r->size && count * each <= r->size - at; /* count and each are at most 16 bits, or each is 1 */
}

static int check_header(reader *r)
{
    const GElf_Ehdr *h = &r->ehdr;
    if (h->e_machine != EM_RISCV)
        BAD("not for RISC-V (machine %u)", h->e_machine);
    if (h->e_type != ET_EXEC)
        BAD("not a linked executable (type %u)%s", h->e_type, h->e_type == ET_REL ? ": an object file" : "");
    if (h->e_version != EV_CURRENT)
        BAD("unknown object version %u", h->e_version);
    if (h->e_flags & EF_RISCV_RVC)
        BAD("uses compressed instructions (flags %#x)", h->e_flags);
    if (h->e_flags & EF_RISCV_FLOAT_ABI)
        BAD("not the soft-float ABI lp64 (flags %#x)", h->e_flags);
    if (h->e_flags)
        BAD("unknown flags %#x", h->e_flags);
    if (h->e_ehsize != sizeof(Elf64_Ehdr))
        BAD("header size %u, not %zu", h->e_ehsize, sizeof(Elf64_Ehdr));
    if (h->e_phnum == 0)
        BAD("no program headers");
    if (h->e_phnum > MAX_SEGMENTS)
        BAD("%u program headers, more than %u", h->e_phnum, MAX_SEGMENTS);
    if (h->e_phentsize != sizeof(Elf64_Phdr))
        BAD("program header size %u, not %zu", h->e_phentsize, sizeof(Elf64_Phdr));
    if (!in_file(r, h->e_phoff, h->e_phnum, sizeof(Elf64_Phdr)))
        BAD("truncated: program headers at %#" PRIx64 " lie beyond the file's end", h->e_phoff);
    if (h->e_shoff == 0 ? h->e_shnum != 0 : h->e_shnum == 0)
        BAD("section headers at %#" PRIx64 " but %u of them", h->e_shoff, h->e_shnum);
    if (h->e_shnum) {
        if (h->e_shentsize != sizeof(Elf64_Shdr))
            BAD("section header size %u, not %zu", h->e_shentsize, sizeof(Elf64_Shdr));
        if (!in_file(r, h->e_shoff, h->e_shnum, sizeof(Elf64_Shdr)))
            BAD("truncated: section headers at %#" PRIx64 " lie beyond the file's end", h->e_shoff);
        if (h->e_shstrndx >= h->e_shnum)
            BAD("section name table %u of %u sections", h->e_shstrndx, h->e_shnum);
    } else if (h->e_shstrndx) {
        BAD("section name table %u without sections", h->e_shstrndx);
    }
    return 0;
}

static int take_segment(reader *r, unsigned i, const GElf_Phdr *p)
{
    uint64_t end = p->p_vaddr + p->p_memsz;
    if (p->p_filesz > p->p_memsz)
        BAD("segment %u: %#" PRIx64 " bytes in the file but %#" PRIx64 " in memory", i, p->p_filesz, p->p_memsz);
    if (p->p_memsz == 0)
        return 0;
    if (p->p_vaddr < VL_IMAGE_BASE || end > VL_IMAGE_END || end < p->p_vaddr)
        BAD("segment %u: addresses %#" PRIx64 " + %#" PRIx64 " outside of the image range %#llx..%#llx", i, p->p_vaddr,
            p->p_memsz, VL_IMAGE_BASE, VL_IMAGE_END - 1);
    if (p->p_align > 1) {
        if (p->p_align & (p->p_align - 1))
            BAD("segment %u: alignment %#" PRIx64 " is no power of two", i, p->p_align);
        if ((p->p_vaddr ^ p->p_offset) & (p->p_align - 1))
            BAD("segment %u: address and file offset disagree with its alignment", i);
    }
    if (p->p_flags & ~(PF_R | PF_W | PF_X))
        BAD("segment %u: unknown flags %#x", i, p->p_flags);
    if (!(p->p_flags & PF_R))
        BAD("segment %u: not readable (flags %#x)", i, p->p_flags);
    if (p->p_flags & PF_X) {
        if (p->p_flags & PF_W)
            BAD("segment %u: both writable and executable", i);
        if (p->p_vaddr % 4 || p->p_memsz % 4)
            BAD("segment %u: text is not a whole number of instructions", i);
        if (p->p_filesz != p->p_memsz)
            BAD("segment %u: text is not wholly in the file", i);
        if (p->p_filesz > MAX_TEXT)
            BAD("segment %u: %" PRIu64 " bytes of text, more than %u", i, p->p_filesz, MAX_TEXT);
        if (r->img->info.text_bytes)
            BAD("segment %u: a second text segment", i);
        r->img->info.text_base = p->p_vaddr;
        r->img->info.text_bytes = p->p_memsz;
    }
    vl_segment *s = &r->img->segments[r->img->n_segments];
    r->img->n_segments++;
    s->offset = p->p_offset;
    s->addr = p->p_vaddr;
    s->file_bytes = p->p_filesz;
    s->mem_bytes = p->p_memsz;
    s->exec = p->p_flags & PF_X;
    s->write = p->p_flags & PF_W;
    return 0;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = ((const vl_segment *)a)->addr, y = ((const vl_segment *)b)->addr;
    return x < y ? -1 : x > y;
}

static int read_segments(reader *r)
{
    r->img->segments = calloc(r->ehdr.e_phnum, sizeof *r->img->segments);
    if (!r->img->segments)
        NOMEM();
    for (unsigned i = 0; i < r->ehdr.e_phnum; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(r->elf, (int)i, &p))
            BAD("program header %u: %s", i, elf_errmsg(-1));
        if (p.p_type == PT_INTERP || p.p_type == PT_DYNAMIC)
            BAD("program header %u: dynamically linked", i);
        if (p.p_type == PT_TLS)
            BAD("program header %u: thread-local storage", i);
        if ((p.p_type == PT_LOAD || p.p_type == PT_NOTE) && !in_file(r, p.p_offset, p.p_filesz, 1))
            BAD("truncated: segment %u at %#" PRIx64 " + %#" PRIx64 " lies beyond the file's end", i, p.p_offset,
                p.p_filesz);
        int e = p.p_type == PT_LOAD ? take_segment(r, i, &p) : 0;
        if (e)
            return e;
    }
    vl_image *m = r->img;
    if (!m->info.text_bytes)
        BAD("no text segment");
    qsort(m->segments, m->n_segments, sizeof *m->segments, by_address);
    for (size_t i = 1; i < m->n_segments; i++)
        if (m->segments[i - 1].addr + m->segments[i - 1].mem_bytes > m->segments[i].addr)
            BAD("segments overlap at %#" PRIx64, m->segments[i].addr);
    for (size_t i = 0; i < m->n_segments; i++) { /* only now: the sizes of segments that do not overlap are bounded */
        vl_segment *s = &m->segments[i];
        s->data = malloc(s->file_bytes ? s->file_bytes : 1);
        if (!s->data)
            NOMEM();
        memcpy(s->data, r->bytes + s->offset, s->file_bytes);
    }
    m->info.image_base = m->segments[0].addr;
    const vl_segment *last = &m->segments[m->n_segments - 1];
    m->info.image_bytes = last->addr + last->mem_bytes - m->info.image_base;
    uint64_t entry = r->ehdr.e_entry;
    if (entry && (entry % 4 || entry - m->info.text_base >= m->info.text_bytes))
        BAD("entry point %#" PRIx64 " outside of the text", entry);
    return 0;
}

/* A string of the descriptor, or NULL when it does not end inside. */
static const char *string_at(const unsigned char *d, size_t size, uint32_t at)
{
    return at >= NOTE_HEAD && at < size && memchr(d + at, 0, size - at) ? (const char *)d + at : NULL;
}

static bool printable(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == 0x7f)
            return false;
    return true;
}

static bool identifier(const char *s)
{
    if (!*s || (*s >= '0' && *s <= '9'))
        return false;
    for (; *s; s++)
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') || *s == '_' || *s == '$'
              || *s == '.'))
            return false;
    return true;
}

static int read_args(reader *r, const unsigned char *d, size_t size, vl_kernel_info *k, vl_arg_info *args)
{
    uint32_t end = VL_BLOCK_ARGS;
    for (uint32_t i = 0; i < k->n_args; i++) {
        const unsigned char *a = d + NOTE_HEAD + NOTE_ARG * i;
        vl_arg_info *x = &args[i];
        uint32_t kind = get32(a + 8) & 0xff, qualifiers = get32(a + 8) >> 8;
        x->name = string_at(d, size, get32(a));
        x->type = string_at(d, size, get32(a + 4));
        if (!x->name || !printable(x->name))
            BAD("kernel %s: argument %u has no proper name", k->name, i);
        if (!x->type || !printable(x->type))
            BAD("kernel %s: argument %u has no proper type name", k->name, i);
        if (kind > VL_ARG_LOCAL)
            BAD("kernel %s: argument %u is of unknown kind %u", k->name, i, kind);
        if (qualifiers > (kind == VL_ARG_VALUE ? 0 : VL_ARG_CONST | VL_ARG_RESTRICT | VL_ARG_VOLATILE))
            BAD("kernel %s: argument %u has unknown qualifiers %#x", k->name, i, qualifiers);
        x->kind = (vl_arg_kind)kind;
        x->qualifiers = qualifiers;
        x->size = get32(a + 12);
        x->align = get32(a + 16);
        x->offset = get32(a + 20);
        if (x->size == 0 || x->size > VL_BLOCK_MAX)
            BAD("kernel %s: argument %u has %u bytes", k->name, i, x->size);
        if (x->align == 0 || x->align & (x->align - 1) || x->align > VL_LINE)
            BAD("kernel %s: argument %u has alignment %u", k->name, i, x->align);
        if (kind != VL_ARG_VALUE && (x->size != 8 || x->align != 8))
            BAD("kernel %s: argument %u is a pointer of %u bytes", k->name, i, x->size);
        if (x->offset != vl_align(end, x->align))
            BAD("kernel %s: argument %u at offset %#x, not %#x", k->name, i, x->offset,
                (unsigned)vl_align(end, x->align));
        end = x->offset + x->size;
        if (end > VL_BLOCK_MAX)
            BAD("kernel %s: its arguments take more than %u bytes", k->name, VL_BLOCK_MAX);
    }
    if (k->block_bytes != end)
        BAD("kernel %s: launch block of %#x bytes, not %#x", k->name, k->block_bytes, end);
    return 0;
}

static int read_kernel(reader *r, const unsigned char *note, size_t size)
{
    vl_image *m = r->img;
    if (size < NOTE_HEAD)
        BAD("kernel note of %zu bytes, fewer than %u", size, NOTE_HEAD);
    uint32_t version = get32(note), flags = get32(note + 4), n_args = get32(note + 0x24);
    if (version != NOTE_VERSION)
        BAD("kernel note of version %u: made by another vellum cc", version);
    if (flags & ~7u)
        BAD("kernel note with unknown flags %#x", flags);
    if (n_args > (size - NOTE_HEAD) / NOTE_ARG)
        BAD("kernel note too short for %u arguments", n_args);

    if (m->n_kernels == r->room) {
        size_t room = r->room ? 2 * r->room : 8;
        void *k = realloc(m->kernels, room * sizeof *m->kernels);
        if (k)
            m->kernels = k;
        void *d = realloc(m->descriptors, room * sizeof *m->descriptors);
        if (d)
            m->descriptors = d;
        if (!k || !d)
            NOMEM();
        r->room = room;
    }
    vl_arg_info *args = malloc(n_args * sizeof *args + size);
    if (!args)
        NOMEM();
    unsigned char *d = (unsigned char *)(args + n_args);
    memcpy(d, note, size);
    m->descriptors[m->n_kernels] = args;
    vl_kernel_info *k = &m->kernels[m->n_kernels++];
    *k = (vl_kernel_info){.name = string_at(d, size, get32(d + 0x2c)),
                          .entry = get64(d + 8),
                          .local_bytes = get32(d + 0x10),
                          .stack_bytes = get32(d + 0x14),
                          .reqd_local = {get32(d + 0x18), get32(d + 0x1c), get32(d + 0x20)},
                          .block_bytes = get32(d + 0x28),
                          .prints = flags & 2,
                          .hints = "",
                          .n_args = n_args,
                          .args = args};
    if (!k->name || !identifier(k->name))
        BAD("kernel without a proper name");
    if (flags & 4) /* behind the name */
        k->hints = string_at(d, size, get32(d + 0x2c) + (uint32_t)strlen(k->name) + 1);
    if (!k->hints || !printable(k->hints))
        BAD("kernel %s: no proper hints", k->name);
    if (k->entry % 4)
        BAD("kernel %s: entry %#" PRIx64 " is no multiple of 4", k->name, k->entry);
    if (k->entry < m->info.text_base || k->entry - m->info.text_base >= m->info.text_bytes)
        BAD("kernel %s: entry %#" PRIx64 " outside of the text", k->name, k->entry);
    if (k->local_bytes > VL_SPAD_MAX)
        BAD("kernel %s: %u bytes of scratchpad, more than %u", k->name, k->local_bytes, VL_SPAD_MAX);
    if (k->stack_bytes > VL_STACK_MAX)
        BAD("kernel %s: %u bytes of stack, more than %u", k->name, k->stack_bytes, VL_STACK_MAX);
    if (k->stack_bytes % 16)
        BAD("kernel %s: %u bytes of stack, no multiple of 16", k->name, k->stack_bytes);
    const uint32_t *q = k->reqd_local;
    if ((q[0] || q[1] || q[2]) && (!q[0] || !q[1] || !q[2]))
        BAD("kernel %s: required group size %u,%u,%u", k->name, q[0], q[1], q[2]);
    return read_args(r, d, size, k, args);
}

/* How a source file was compiled: two strings. */
static int read_source(reader *r, const unsigned char *d, size_t size)
{
    vl_image *m = r->img;
    const unsigned char *second = size ? memchr(d, 0, size) : NULL;
    if (!second || !memchr(second + 1, 0, size - (size_t)(second + 1 - d)))
        BAD("source note without two strings");
    if (!printable((const char *)d) || !printable((const char *)second + 1))
        BAD("source note with control characters");
    void *p = realloc(m->sources, (m->n_sources + 1) * sizeof *m->sources);
    if (!p)
        NOMEM();
    m->sources = p;
    if (!(m->sources[m->n_sources] = malloc(size)))
        NOMEM();
    memcpy(m->sources[m->n_sources++], d, size);
    return 0;
}

/* One PT_NOTE segment. Every length is checked against the segment's end before it is used. */
static int read_notes(reader *r, unsigned segment, const unsigned char *p, uint64_t left)
{
    while (left) {
        if (left < 12)
            BAD("truncated note in segment %u", segment);
        uint64_t name_bytes = get32(p), desc_bytes = get32(p + 4);
        uint32_t type = get32(p + 8);
        uint64_t desc_at = 12 + vl_align(name_bytes, 4), end = desc_at + vl_align(desc_bytes, 4);
        if (end > left)
            BAD("note in segment %u is longer than the segment", segment);
        const char *name = (const char *)p + 12;
        if (name_bytes && name[name_bytes - 1])
            BAD("note in segment %u: its name has no end", segment);
        if (name_bytes == 7 && !memcmp(name, "Vellum", 7)) {
            int e = type == NOTE_KERNEL   ? read_kernel(r, p + desc_at, desc_bytes)
                    : type == NOTE_SOURCE ? read_source(r, p + desc_at, desc_bytes)
                                          : 0;
            if (e)
                return e;
        }
        p += end;
        left -= end;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const vl_kernel_info *)a)->name, ((const vl_kernel_info *)b)->name);
}

static int read_kernels(reader *r)
{
    vl_image *m = r->img;
    for (unsigned i = 0; i < r->ehdr.e_phnum; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(r->elf, (int)i, &p))
            BAD("program header %u: %s", i, elf_errmsg(-1));
        int e = p.p_type == PT_NOTE ? read_notes(r, i, r->bytes + p.p_offset, p.p_filesz) : 0;
        if (e)
            return e;
    }
    if (m->n_kernels == 0
        && m->n_sources == 0) /* an OpenCL program may have functions only; vellum cc notes their source */
        BAD("no kernels: not made by vellum cc");
    if (m->n_kernels)
        qsort(m->kernels, m->n_kernels, sizeof *m->kernels, by_name);
    for (size_t i = 1; i < m->n_kernels; i++)
        if (!strcmp(m->kernels[i - 1].name, m->kernels[i].name))
            BAD("two kernels named %s", m->kernels[i].name);
    return 0;
}

static int read_flow(reader *r)
{
    vl_image *m = r->img;
    const vl_segment *text = m->segments;
    while (!text->exec)
        text++;
    uint32_t n = (uint32_t)(text->file_bytes / 4);
    uint32_t *words = malloc(text->file_bytes);
    uint64_t *entries = malloc((m->n_kernels + 1) * sizeof *entries);
    vl_flow flow = {0};
    int e = VL_ENOMEM;
    if (words && entries) {
        for (uint32_t i = 0; i < n; i++)
            words[i] = get32(text->data + 4ull * i);
        for (size_t i = 0; i < m->n_kernels; i++)
            entries[i] = m->kernels[i].entry;
        e = vl_flow_analyse(words, text->addr, n, entries, m->n_kernels, &flow);
    }
    free(words);
    free(entries);
    if (e)
        NOMEM();
    m->reconv = flow.reconv;
    m->n_reconv = flow.n_reconv;
    m->info.instructions = flow.instructions;
    m->info.branches = flow.branches;
    m->info.reconv = (uint32_t)flow.n_reconv;
    return 0;
}

static int read_all(reader *r)
{
    int e = check_ident(r);
    if (e)
        return e;
    if (elf_version(EV_CURRENT) == EV_NONE)
        BAD("libelf is too old");
    /* libelf does not write to memory that it was given for reading. */
    r->elf = elf_memory((char *)(uintptr_t)r->bytes, r->size);
    if (!r->elf)
        BAD("%s", elf_errmsg(-1));
    if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &r->ehdr))
        BAD("damaged ELF header: %s", elf_errmsg(-1));
    if ((e = check_header(r)) || (e = read_segments(r)) || (e = read_kernels(r)))
        return e;
    return read_flow(r);
}

int vl_image_parse(vl_image **img, const void *bytes, size_t size, vl_error *err)
{
    if (!img || (!bytes && size))
        return vl_fail(err, VL_EINVAL, "null argument");
    *img = NULL;
    vl_image *m = calloc(1, sizeof *m);
    if (!m)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    reader r = {.bytes = bytes, .size = size, .img = m, .err = err};
    int e = read_all(&r);
    if (r.elf)
        elf_end(r.elf);
    static const char lines[] = ".debug_line";
    /* The name of the section occurs; its reader finds out whether the section exists. */
    if (!e && memmem(bytes, size, lines, sizeof lines)) {
        m->file = malloc(size);
        if (m->file)
            memcpy(m->file, bytes, size);
        m->file_bytes = m->file ? size : 0;
    }
    if (e)
        vl_image_free(m);
    else
        *img = m;
    return e;
}

static int read_file(const char *path, unsigned char **bytes, size_t *size, vl_error *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a FIFO without a writer must not hang */
    if (fd < 0)
        return vl_fail(err, VL_EIO, "%s: %s", path, strerror(errno));
    int e = 0;
    *bytes = NULL;
    *size = 0;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        e = vl_fail(err, VL_EIO, "%s: not a regular file", path);
    else if ((uint64_t)st.st_size > MAX_FILE)
        e = vl_fail(err, VL_EELF, "%s: %lld bytes, too big for a kernel image", path, (long long)st.st_size);
    else if (!(*bytes = malloc((size_t)st.st_size + 1)))
        e = vl_fail(err, VL_ENOMEM, "%s: out of memory", path);
    while (!e && *size < (size_t)st.st_size) {
        ssize_t n = read(fd, *bytes + *size, (size_t)st.st_size - *size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            e = vl_fail(err, VL_EIO, "%s: %s", path, strerror(errno));
        if (n <= 0)
            break;
        *size += (size_t)n;
    }
    close(fd);
    if (e)
        free(*bytes);
    return e;
}

int vl_image_read(vl_image **img, const char *path, vl_error *err)
{
    if (!img || !path)
        return vl_fail(err, VL_EINVAL, "null argument");
    *img = NULL;
    unsigned char *bytes;
    size_t size;
    int e = read_file(path, &bytes, &size, err);
    if (e)
        return e;
    vl_error why = {0};
    e = vl_image_parse(img, bytes, size, &why);
    free(bytes);
    return e ? vl_fail(err, e, "%s: %s", path, why.text) : 0;
}

void vl_image_free(vl_image *img)
{
    if (!img)
        return;
    for (size_t i = 0; i < img->n_segments; i++)
        free(img->segments[i].data);
    for (size_t i = 0; i < img->n_kernels; i++)
        free(img->descriptors[i]);
    for (size_t i = 0; i < img->n_sources; i++)
        free(img->sources[i]);
    free(img->sources);
    free(img->file);
    free(img->segments);
    free(img->kernels);
    free(img->descriptors);
    free(img->reconv);
    free(img);
}

size_t vl_image_kernels(const vl_image *img)
{
    return img ? img->n_kernels : 0;
}

const vl_kernel_info *vl_image_kernel(const vl_image *img, size_t i)
{
    return img && i < img->n_kernels ? &img->kernels[i] : NULL;
}

const vl_reconv *vl_image_reconv(const vl_image *img, size_t *n)
{
    *n = img ? img->n_reconv : 0;
    return img ? img->reconv : NULL;
}

void vl_image_get_info(const vl_image *img, vl_image_info *out)
{
    *out = img->info;
}

bool vl_image_source(const vl_image *img, size_t i, const char **compiler, const char **options)
{
    if (!img || i >= img->n_sources)
        return false;
    *compiler = img->sources[i];
    *options = *compiler + strlen(*compiler) + 1;
    return true;
}
