/* Facts that only the object file has. Functions have a section each, so the graph of uses is a graph of sections, and its edges are
 * the relocations. From it: private stack, __local arrays, barriers, and the refusal of features that the machine or the ABI has not. */
#include "sw/tools/cc_internal.h"

#include "isa_gen.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RET = 0x00008067, CSRR_SP = 0xccd02173 /* csrr sp, vl_sp */, BARRIER = 0x0010000b, OPCODE_JALR = 0x67, SP = 2 };
enum { FILES = 3 };

typedef struct {
    size_t to; /* a node, or NODE_NONE: undefined */
    const char *name; /* of the symbol */
    uint64_t offset;
    bool call;
} edge_t;

typedef struct {
    const char *name;
    Elf_Scn *section;
    GElf_Shdr header;
    const uint8_t *data; /* NULL for bss */
    uint64_t stack; /* its frame */
    edge_t *edges;
    size_t nedges;
    size_t local; /* 1 + index in u->locals */
    uint64_t bound; /* stack with all calls; valid when visit is 2 */
    int visit; /* 0 not yet, 1 being visited, 2 done */
    size_t seen; /* last kernel (1 + index) that reached it */
} node_t;

typedef struct {
    Elf *elf;
    int fd;
    size_t first, shnum; /* its sections are the nodes first .. first + shnum - 1 */
    Elf_Data *symbols;
    size_t nsymbols;
    size_t strings;
} file_t;

typedef struct {
    cc_unit_t *u;
    file_t file[FILES]; /* the user's object, the library's */
    node_t *nodes;
    size_t n;
} graph_t;

#define NODE_NONE ((size_t)-1)

static bool open_file(graph_t *g, file_t *f, const char *path)
{
    f->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0)
        return false;
    f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
    size_t names;
    if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || elf_getshdrnum(f->elf, &f->shnum)
        || elf_getshdrstrndx(f->elf, &names))
        return false;
    f->first = g->n;
    for (size_t i = 0; i < f->shnum; i++) {
        g->nodes = cc_grow(g->nodes, g->n, sizeof *g->nodes);
        node_t *node = &g->nodes[g->n++];
        *node = (node_t){.section = elf_getscn(f->elf, i)};
        if (!node->section || !gelf_getshdr(node->section, &node->header))
            return false;
        node->name = elf_strptr(f->elf, names, node->header.sh_name);
        Elf_Data *d = node->header.sh_type == SHT_NOBITS || node->header.sh_type == SHT_NULL
                          ? NULL
                          : elf_getdata(node->section, NULL);
        node->data = d ? d->d_buf : NULL;
        node->name = node->name ? node->name : "";
        if (node->header.sh_type == SHT_SYMTAB && d) {
            f->symbols = d;
            f->nsymbols = node->header.sh_size / node->header.sh_entsize;
            f->strings = node->header.sh_link;
        }
    }
    return f->symbols != NULL;
}

static const char *symbol_name(const file_t *f, const GElf_Sym *s)
{
    const char *name = elf_strptr(f->elf, f->strings, s->st_name);
    return name ? name : "";
}

/* The defined symbol of this name: its node, and its value. */
static size_t find_symbol(const graph_t *g, const char *name, uint64_t *value, uint64_t *size)
{
    for (size_t i = 0; i < FILES; i++) {
        const file_t *f = &g->file[i];
        for (size_t s = 1; s < f->nsymbols; s++) {
            GElf_Sym symbol;
            if (!gelf_getsym(f->symbols, (int)s, &symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= f->shnum
                || strcmp(symbol_name(f, &symbol), name))
                continue;
            if (value)
                *value = symbol.st_value;
            if (size)
                *size = symbol.st_size;
            return f->first + symbol.st_shndx;
        }
    }
    return NODE_NONE;
}

static void read_relocations(graph_t *g, const file_t *f, const node_t *table)
{
    node_t *from = &g->nodes[f->first + table->header.sh_info];
    Elf_Data *d = elf_getdata(table->section, NULL);
    size_t n = table->header.sh_entsize ? table->header.sh_size / table->header.sh_entsize : 0;
    for (size_t i = 0; d && i < n; i++) {
        GElf_Rela r;
        GElf_Sym symbol;
        if (!gelf_getrela(d, (int)i, &r) || !gelf_getsym(f->symbols, (int)GELF_R_SYM(r.r_info), &symbol))
            continue;
        unsigned type = (unsigned)GELF_R_TYPE(r.r_info);
        if (type == R_RISCV_RELAX || type == R_RISCV_ALIGN || GELF_R_SYM(r.r_info) == 0)
            continue;
        edge_t e = {.to = NODE_NONE, .name = symbol_name(f, &symbol), .offset = r.r_offset};
        e.call = type == R_RISCV_CALL || type == R_RISCV_CALL_PLT || type == R_RISCV_JAL;
        if (symbol.st_shndx == SHN_UNDEF)
            e.to = find_symbol(g, e.name, NULL, NULL);
        else if (symbol.st_shndx < f->shnum)
            e.to = f->first + symbol.st_shndx;
        if (e.call && e.to == (size_t)(from - g->nodes) && type == R_RISCV_JAL)
            continue; /* a jump within the function */
        from->edges = cc_grow(from->edges, from->nedges, sizeof *from->edges);
        from->edges[from->nedges++] = e;
    }
}

/* .stack_sizes: for each function 8 bytes of address, then the size as ULEB128; sh_link names the function's section. */
static void read_stack_sizes(graph_t *g, const file_t *f, const node_t *table)
{
    const uint8_t *p = table->data, *end = p + table->header.sh_size;
    if (!p || table->header.sh_link >= f->shnum)
        return;
    node_t *function = &g->nodes[f->first + table->header.sh_link];
    while (end - p > 8) {
        uint64_t size = 0;
        unsigned shift = 0;
        p += 8;
        do
            size |= (uint64_t)(*p & 0x7f) << shift;
        while ((shift += 7) < 64 && (*p++ & 0x80) && p < end);
        function->stack = size > function->stack ? size : function->stack;
    }
}

/* `__local` arrays: .bss.KERNEL.NAME from OpenCL C, .bss.vl_local.N from VL_LOCAL in C. */
static bool is_local(const cc_unit_t *u, const char *section)
{
    if (strncmp(section, ".bss.", 5))
        return false;
    const char *owner = section + 5, *dot = strchr(owner, '.');
    if (!dot)
        return false;
    if (!u->opencl)
        return !strncmp(owner, "vl_local.", 9);
    for (size_t i = 0; i < u->nkernels; i++)
        if (strlen(u->kernels[i].name) == (size_t)(dot - owner)
            && !strncmp(owner, u->kernels[i].name, (size_t)(dot - owner)))
            return true;
    return false;
}

static void find_locals(graph_t *g)
{
    cc_unit_t *u = g->u;
    for (size_t i = 0; i < g->file[0].shnum; i++) {
        node_t *node = &g->nodes[i];
        if (node->header.sh_type != SHT_NOBITS || !is_local(u, node->name))
            continue;
        u->locals = cc_grow(u->locals, u->nlocals, sizeof *u->locals);
        u->locals[u->nlocals] = (cc_local_t){.section = cc_format("%s", node->name)};
        node->local = ++u->nlocals;
    }
}

/* The name of a missing function in the source. */
static int missing(const cc_unit_t *u, const cc_kernel_t *k, const char *name)
{
    size_t length = strlen(name), n;
    int at;
    if (!strncmp(name, "__", 2) && length > 4 && strstr(name, "tf"))
        return cc_error(CC_FAILED,
                        "%s: kernel %s needs more than double precision (%s), which the device library does not have",
                        u->source, k->name, name);
    char *where = cc_where(u, NULL, name);
    if (!strcmp(name, "__translate_sampler_initializer"))
        cc_error(CC_FAILED,
                 "%s: sampler_t: the device is one of OpenCL 1.2; this needs images, which it does not have "
                 "(CL_DEVICE_IMAGE_SUPPORT is false)",
                 where);
    else if (sscanf(name, "_Z%zu%n", &n, &at) == 1 && n <= length - (size_t)at)
        cc_error(CC_FAILED, "%s: kernel %s calls %.*s (%s), which the device library does not have", where, k->name,
                 (int)n, name + at, name);
    else
        cc_error(CC_FAILED, "%s: kernel %s uses %s, which is not defined", where, k->name, name);
    free(where);
    return CC_FAILED;
}

static bool is_text(const node_t *node)
{
    return (node->header.sh_flags & SHF_EXECINSTR) != 0;
}

/* A jump through a register that is neither a return nor the second half of a direct call. */
static int check_text(const cc_unit_t *u, cc_kernel_t *k, const node_t *node)
{
    for (uint64_t at = 0; node->data && at + 4 <= node->header.sh_size; at += 4) {
        uint32_t word;
        memcpy(&word, node->data + at, 4);
        k->barrier |= word == BARRIER;
        if ((word & 0x7f) != OPCODE_JALR || word == RET)
            continue;
        bool direct = false;
        for (size_t e = 0; e < node->nedges; e++)
            direct = direct || (node->edges[e].call && node->edges[e].offset + 4 == at);
        if (!direct)
            return cc_error(CC_FAILED, "%s: kernel %s jumps through a pointer (in %s), which is not supported",
                            u->source, k->name, node->name);
    }
    return CC_OK;
}

/* Marks everything that kernel number `id` reaches; merges overlays of kernels that reach the same array. */
static int reach(graph_t *g, size_t at, size_t id)
{
    cc_unit_t *u = g->u;
    cc_kernel_t *k = &u->kernels[id - 1];
    node_t *node = &g->nodes[at];
    if (node->seen == id)
        return CC_OK;
    node->seen = id;
    int status = is_text(node) ? check_text(u, k, node) : CC_OK;
    if (node->local) {
        cc_local_t *l = &u->locals[node->local - 1];
        if (!l->overlay)
            l->overlay = id;
        size_t from = k->overlay, to = l->overlay;
        k->overlay = to;
        for (size_t i = 0; from && from != to && i < u->nkernels; i++)
            if (u->kernels[i].overlay == from)
                u->kernels[i].overlay = to;
        for (size_t i = 0; from && from != to && i < u->nlocals; i++)
            if (u->locals[i].overlay == from)
                u->locals[i].overlay = to;
    }
    for (size_t i = 0; i < node->nedges && !status; i++) {
        if (node->edges[i].to == NODE_NONE)
            status = missing(u, k, node->edges[i].name);
        else
            status = reach(g, node->edges[i].to, id);
    }
    return status;
}

/* An entry saves nothing (cc_entry.c), so its frame may be left without any use. */
static bool uses_stack(const node_t *node, uint64_t from)
{
    for (uint64_t at = from; at + 4 <= node->header.sh_size; at += 4) {
        uint32_t w;
        memcpy(&w, node->data + at, 4);
        const predec_t use = isa_predecode(w);
        if ((use.use_rd && (w >> 7 & 31) == SP) || (use.use_rs1 && (w >> 15 & 31) == SP)
            || (use.use_rs2 && (w >> 20 & 31) == SP) || (use.use_rs3 && isa_rs3(w, use.op) == SP))
            return true;
    }
    return false;
}

static bool makes_calls(const node_t *node)
{
    for (size_t i = 0; i < node->nedges; i++)
        if (node->edges[i].call)
            return true;
    return false;
}

/* Function `to` is called again, by `from` in the end; functions have sections of their names. */
static int recursive(const cc_unit_t *u, const cc_kernel_t *k, const char *from, const char *to)
{
    static const char text[] = ".text.";
    from += strncmp(from, text, sizeof text - 1) ? 0 : sizeof text - 1;
    to += strncmp(to, text, sizeof text - 1) ? 0 : sizeof text - 1;
    char *where = cc_where(u, from, to);
    cc_error(CC_FAILED, "%s: kernel %s is recursive (%s): a thread's stack would have no bound", where, k->name, to);
    free(where);
    return CC_FAILED;
}

static int stack_bound(graph_t *g, const cc_kernel_t *k, size_t at)
{
    node_t *node = &g->nodes[at];
    if (node->visit == 2)
        return CC_OK;
    node->visit = 1;
    uint64_t deepest = 0;
    int status = CC_OK;
    for (size_t i = 0; i < node->nedges && !status; i++) {
        size_t to = node->edges[i].to;
        if (to == NODE_NONE || !node->edges[i].call)
            continue;
        status = g->nodes[to].visit == 1 ? recursive(g->u, k, node->name, g->nodes[to].name) : stack_bound(g, k, to);
        deepest = g->nodes[to].bound > deepest ? g->nodes[to].bound : deepest;
    }
    node->bound = node->stack + deepest;
    node->visit = 2;
    return status;
}

static int read_layout(const graph_t *g, cc_kernel_t *k)
{
    k->end = 0x80;
    if (!k->nargs)
        return CC_OK;
    uint64_t value, size;
    char *name = cc_format("__vellum_layout_%s", k->name);
    size_t at = find_symbol(g, name, &value, &size);
    free(name);
    if (at == NODE_NONE || !g->nodes[at].data || size != k->nargs * 24 || value + size > g->nodes[at].header.sh_size)
        return cc_error(CC_FAILED, "%s: the object lacks the argument layout of kernel %s", g->u->source, k->name);
    for (size_t i = 0; i < k->nargs; i++) {
        uint64_t v[3];
        memcpy(v, g->nodes[at].data + value + 24 * i, sizeof v);
        k->args[i].size = (uint32_t)v[0];
        k->args[i].align = (uint32_t)v[1];
        k->args[i].offset = 0x80 + (uint32_t)v[2];
        k->end = k->args[i].offset + k->args[i].size;
    }
    return CC_OK;
}

static int read_kernel(graph_t *g, size_t id)
{
    cc_kernel_t *k = &g->u->kernels[id - 1];
    char *name = cc_format("__vellum_entry_%s", k->name);
    uint64_t value;
    size_t at = find_symbol(g, name, &value, NULL);
    free(name);
    uint32_t word = 0;
    if (at != NODE_NONE && g->nodes[at].data && value + 4 <= g->nodes[at].header.sh_size)
        memcpy(&word, g->nodes[at].data + value, 4);
    int status = read_layout(g, k);
    if (status || (status = reach(g, at, id)))
        return status;
    bool has = word == CSRR_SP, used = uses_stack(&g->nodes[at], value + (has ? 4 : 0));
    if (!has && (used || makes_calls(&g->nodes[at])))
        return cc_error(CC_FAILED, "%s: the entry of kernel %s does not begin with its stack pointer", g->u->source,
                        k->name);
    if (!used)
        g->nodes[at].stack = 0;
    if ((status = stack_bound(g, k, at)))
        return status;
    k->stack = (uint32_t)((g->nodes[at].bound + 15) & ~UINT64_C(15));
    return CC_OK;
}

/* Overlay numbers become 1, 2, ... without gaps; an array that no kernel uses is dropped by the linker and keeps 0. */
static void number_overlays(cc_unit_t *u)
{
    size_t next = 0;
    for (size_t id = 1; id <= u->nkernels; id++) {
        bool used = false;
        for (size_t i = 0; i < u->nlocals; i++)
            used = used || u->locals[i].overlay == id;
        if (!used)
            continue;
        next++;
        for (size_t i = 0; i < u->nlocals; i++)
            if (u->locals[i].overlay == id)
                u->locals[i].overlay = next;
        for (size_t i = 0; i < u->nkernels; i++)
            if (u->kernels[i].overlay == id)
                u->kernels[i].overlay = next;
    }
}

/* The __local arrays of a group, as the linker will lay them out; no machine has more scratchpad than the aperture. */
static int check_locals(const graph_t *g)
{
    const cc_unit_t *u = g->u;
    for (size_t id = 0; id < u->nkernels; id++) {
        const cc_kernel_t *k = &u->kernels[id];
        uint64_t bytes = 0;
        for (size_t i = 0; i < g->file[0].shnum && k->overlay; i++) {
            const node_t *node = &g->nodes[i];
            const uint64_t align = node->header.sh_addralign ? node->header.sh_addralign : 1;
            if (node->local && u->locals[node->local - 1].overlay == k->overlay)
                bytes = (bytes + align - 1) / align * align + node->header.sh_size;
        }
        if (bytes > 0x10000)
            return cc_error(CC_FAILED,
                            "%s: kernel %s has %llu bytes of __local arrays, and no core has more than 65536",
                            u->source, k->name, (unsigned long long)bytes);
        if (u->config && bytes > u->spad_bytes)
            return cc_error(CC_FAILED, "%s: kernel %s has %llu bytes of __local arrays, and a core of %s has %llu",
                            u->source, k->name, (unsigned long long)bytes, u->config,
                            (unsigned long long)u->spad_bytes);
    }
    return CC_OK;
}

int cc_read_object(cc_unit_t *u, const char *object, const char *device)
{
    graph_t g = {.u = u, .file = {{.fd = -1}, {.fd = -1}, {.fd = -1}}};
    const char *const names[FILES] = {object, cc_format("%s/memory.o", device), cc_format("%s/double.o", device)};
    int status = CC_OK;
    elf_version(EV_CURRENT);
    for (size_t i = 0; i < FILES && !status; i++)
        if (!open_file(&g, &g.file[i], names[i]))
            status = cc_error(CC_FAILED, "cannot read the object %s", names[i]);
    for (size_t i = 0; i < FILES && !status; i++)
        for (size_t s = 0; s < g.file[i].shnum; s++) {
            node_t *node = &g.nodes[g.file[i].first + s];
            if (node->header.sh_type == SHT_RELA && node->header.sh_info < g.file[i].shnum)
                read_relocations(&g, &g.file[i], node);
            else if (!strcmp(node->name, ".stack_sizes"))
                read_stack_sizes(&g, &g.file[i], node);
        }
    if (!status)
        find_locals(&g);
    for (size_t id = 1; id <= u->nkernels && !status; id++)
        status = read_kernel(&g, id);
    number_overlays(u);
    status = status ? status : check_locals(&g);
    for (size_t i = 0; i < g.n; i++)
        free(g.nodes[i].edges);
    free(g.nodes);
    for (size_t i = 0; i < FILES; i++) {
        if (g.file[i].elf)
            elf_end(g.file[i].elf);
        if (g.file[i].fd >= 0)
            close(g.file[i].fd);
    }
    return status;
}
