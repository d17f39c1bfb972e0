/*
 * libFuzzer over the image loader. Every input is parsed, and the contents of an accepted image are checked against the loader's
 * promises. The mutator knows where the fields of an ELF file and of the kernel notes are; without it nearly all inputs would end at
 * the first check.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "verif/sw/loader/image_maker.h"

#define MUST(x) \
  do { \
    if (!(x)) abort(); \
  } while (0)

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static void check_kernel(const vl_image *img, const vl_kernel_info *k)
{
    MUST(k->entry % 4 == 0 && k->entry >= img->info.text_base && k->entry < img->info.text_base + img->info.text_bytes);
    MUST(*k->name && k->local_bytes <= VL_SPAD_MAX && k->stack_bytes <= VL_STACK_MAX && k->block_bytes <= VL_BLOCK_MAX);
    uint32_t end = VL_BLOCK_ARGS;
    for (uint32_t i = 0; i < k->n_args; i++) {
        const vl_arg_info *a = &k->args[i];
        MUST(a->offset >= end && a->offset % a->align == 0 && a->size);
        MUST(strlen(a->name) + strlen(a->type) < img->info.image_bytes + (1u << 20));
        end = a->offset + a->size;
    }
    MUST(k->block_bytes == end);
    vl_kernel *open;
    MUST(vl_kernel_open(&open, img, k->name, NULL) == 0);
    unsigned char value[VL_LINE] = {0};
    for (uint32_t i = 0; i < k->n_args; i++) {
        const vl_arg_info *a = &k->args[i];
        if (a->kind == VL_ARG_LOCAL)
            MUST(vl_kernel_set_local(open, i, 4, NULL) == 0);
        else if (a->size <= sizeof value)
            MUST(vl_kernel_set(open, i, value, a->size, NULL) == 0);
    }
    vl_kernel_close(open);
}

static void check_image(const vl_image *img)
{
    const vl_image_info *x = &img->info;
    MUST(x->image_base >= VL_IMAGE_BASE && x->image_base + x->image_bytes <= VL_IMAGE_END && x->text_bytes);
    for (size_t i = 0; i < img->n_segments; i++) {
        const vl_segment *s = &img->segments[i];
        MUST(s->file_bytes <= s->mem_bytes);
        volatile unsigned char sum = 0;
        for (uint64_t b = 0; b < s->file_bytes; b += 97)
            sum = (unsigned char)(sum + s->data[b]);
    }
    MUST(x->reconv <= x->branches && x->branches <= x->instructions && x->instructions <= x->text_bytes / 4);
    for (size_t i = 0; i < img->n_reconv; i++) {
        const vl_reconv *r = &img->reconv[i];
        MUST(r->pc - x->text_base < x->text_bytes && r->target - x->text_base < x->text_bytes && r->target != r->pc);
        MUST(i == 0 || img->reconv[i - 1].pc < r->pc);
    }
    vl_reconv table[32];
    int out = vl_reconv_pack(img->reconv, img->n_reconv, 32, table);
    MUST(out >= 0 && (size_t)out + 32 >= img->n_reconv);
    MUST(img->n_kernels || img->n_sources); /* a kernel, or functions alone that vellum cc made */
    for (size_t i = 0; i < img->n_kernels; i++)
        check_kernel(img, &img->kernels[i]);
    const char *compiler, *options;
    for (size_t i = 0; vl_image_source(img, i, &compiler, &options); i++)
        MUST(strlen(compiler) + strlen(options) < 1u << 30);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vl_image *img;
    vl_error err = {0};
    int e = vl_image_parse(&img, data, size, &err);
    if (e) {
        MUST(e == VL_EELF && !img && *err.text && err.code == e);
        return 0;
    }
    check_image(img);
    vl_image_free(img);
    return 0;
}

/* ---- the mutator ---- */

static uint64_t state;
static uint64_t rnd(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 29) % below;
}

static uint64_t interesting(uint64_t was, size_t size)
{
    static const uint64_t addresses[] = {VL_IMAGE_BASE, VL_IMAGE_BASE + 4,  VL_IMAGE_BASE + 0x1000,
                                         VL_IMAGE_END,  VL_IMAGE_END - 4,   VL_HEAP_BASE,
                                         UINT64_MAX,    UINT64_MAX - 0xfff, 1ull << 63};
    switch (rnd(8)) {
    case 0: return 0;
    case 1: return was + 1 + rnd(16);
    case 2: return was - 1 - rnd(16);
    case 3: return was ^ 1ull << rnd(64);
    case 4: return size + rnd(33) - 16;
    case 5: return addresses[rnd(sizeof addresses / sizeof *addresses)];
    case 6: return UINT64_MAX >> rnd(64);
    default: return 1ull << rnd(64);
    }
}

static void bend(uint8_t *data, size_t size, size_t at, unsigned bytes)
{
    uint64_t v = 0;
    if (at > size || bytes > size - at)
        return;
    memcpy(&v, data + at, bytes);
    v = interesting(v, size);
    memcpy(data + at, &v, bytes);
}

static void bend_header(uint8_t *data, size_t size)
{
    static const struct {
        uint8_t at, bytes;
    } fields[] = {{4, 1},  {5, 1},  {6, 1},  {7, 1},  {16, 2}, {18, 2}, {20, 4}, {24, 8}, {32, 8},
                  {40, 8}, {48, 4}, {52, 2}, {54, 2}, {56, 2}, {58, 2}, {60, 2}, {62, 2}};
    size_t i = rnd(sizeof fields / sizeof *fields);
    bend(data, size, fields[i].at, fields[i].bytes);
}

static bool program_header(const uint8_t *data, size_t size, uint32_t type, Elf64_Phdr *p, size_t *at)
{
    Elf64_Ehdr h;
    if (size < sizeof h)
        return false;
    memcpy(&h, data, sizeof h);
    for (unsigned k = 0, first = (unsigned)rnd(h.e_phnum ? h.e_phnum : 1); k < h.e_phnum && k < 64; k++) {
        *at = h.e_phoff + (k + first) % h.e_phnum * sizeof *p;
        if (*at > size || sizeof *p > size - *at)
            return false;
        memcpy(p, data + *at, sizeof *p);
        if (type == PT_NULL || p->p_type == type)
            return true;
    }
    return false;
}

static void bend_program_header(uint8_t *data, size_t size)
{
    static const struct {
        uint8_t at, bytes;
    } fields[] = {{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}};
    Elf64_Phdr p;
    size_t at, i = rnd(sizeof fields / sizeof *fields);
    if (!program_header(data, size, PT_NULL, &p, &at))
        return;
    bend(data, size, at + fields[i].at, fields[i].bytes);
}

static void bend_note(uint8_t *data, size_t size)
{
    Elf64_Phdr p;
    size_t at;
    if (!program_header(data, size, PT_NOTE, &p, &at) || p.p_offset > size || p.p_filesz > size - p.p_offset
        || p.p_filesz < 4)
        return;
    if (rnd(4) == 0)
        data[p.p_offset + rnd(p.p_filesz)] = (uint8_t)rnd(256);
    else
        bend(data, size, p.p_offset + 4 * rnd(p.p_filesz / 4), 4);
}

static void bend_text(uint8_t *data, size_t size)
{
    Elf64_Phdr p;
    size_t at;
    if (!program_header(data, size, PT_LOAD, &p, &at) || p.p_offset > size || p.p_filesz > size - p.p_offset
        || p.p_filesz < 4)
        return;
    uint32_t n = (uint32_t)(p.p_filesz / 4), to = (uint32_t)rnd(n), i = (uint32_t)rnd(n), insn;
    int d = (int)to - (int)i;
    switch (rnd(8)) {
    case 0: insn = A_EXIT; break;
    case 1: insn = A_RET; break;
    case 2: insn = A_BARRIER; break;
    case 3: insn = a_jal(0, d); break;
    case 4: insn = a_jal(1, d); break;
    case 5: insn = (uint32_t)rnd(1ull << 32); break;
    default: insn = a_beq(d); break;
    }
    memcpy(data + p.p_offset + 4ull * i, &insn, 4);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    state = seed * 0x9e3779b97f4a7c15ull + 1;
    rnd(2);
    for (uint64_t n = 1 + rnd(3); n; n--) {
        switch (rnd(8)) {
        case 0: bend_header(data, size); break;
        case 1:
        case 2: bend_program_header(data, size); break;
        case 3:
        case 4: bend_note(data, size); break;
        case 5:
        case 6: bend_text(data, size); break;
        default: size = LLVMFuzzerMutate(data, size, max); break;
        }
    }
    return size;
}
