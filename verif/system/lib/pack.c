#include "verif/system/lib/pack.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_AT = 0x1000, ARG = 24, HEAD = 0x30, MOST_ARGS = 8 };

static uint8_t *put32(uint8_t *p, uint64_t v)
{
    for (unsigned k = 0; k < 4; k++)
        *p++ = (uint8_t)(v >> (8 * k));
    return p;
}

/* The note of the kernel; returns its size. All arguments share one name and one type. */
static size_t note(uint8_t *p, uint64_t entry, unsigned pointers, int local)
{
    const uint8_t *begin = p;
    unsigned n = pointers + (local != 0), strings = HEAD + ARG * n, block = 0x80 + 8 * n;
    p = put32(p, 7);
    p = put32(p, strings + 12);
    p = put32(p, 1);
    memcpy(p, "Vellum\0", 8);
    p += 8;
    const uint64_t head[] = {1, 1, entry & 0xffffffff, entry >> 32, 0, 0, 0, 0, 0, n, block, strings};
    for (unsigned k = 0; k < sizeof head / sizeof *head; k++)
        p = put32(p, head[k]);
    for (unsigned k = 0; k < n; k++) {
        const uint64_t arg[] = {strings + 2, strings + 4, k < pointers ? 1 : 3, 8, 8, 0x80 + 8 * k};
        for (unsigned i = 0; i < sizeof arg / sizeof *arg; i++)
            p = put32(p, arg[i]);
    }
    memcpy(p, "k\0p\0long*\0", 12);
    return (size_t)(p + 12 - begin);
}

uint8_t *pack_image(const uint32_t *text, size_t words, uint64_t entry, unsigned pointers, int local, size_t *bytes)
{
    size_t text_bytes = 4 * words, note_at = TEXT_AT + text_bytes, note_bytes = 20 + HEAD + ARG * MOST_ARGS + 12;
    if (pointers + (local != 0) > MOST_ARGS)
        abort();
    uint8_t *image = calloc(1, note_at + note_bytes);
    if (!image)
        abort();
    memcpy(image + TEXT_AT, text, text_bytes);
    note_bytes = note(image + note_at, entry, pointers, local);
    const Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                          .e_type = ET_EXEC,
                          .e_machine = EM_RISCV,
                          .e_version = EV_CURRENT,
                          .e_entry = entry,
                          .e_phoff = sizeof h,
                          .e_ehsize = sizeof h,
                          .e_phentsize = sizeof(Elf64_Phdr),
                          .e_phnum = 2};
    const Elf64_Phdr ph[2] = {{.p_type = PT_LOAD,
                               .p_flags = PF_R | PF_X,
                               .p_offset = TEXT_AT,
                               .p_vaddr = 0x10000000,
                               .p_paddr = 0x10000000,
                               .p_filesz = text_bytes,
                               .p_memsz = text_bytes,
                               .p_align = 0x1000},
                              {.p_type = PT_NOTE,
                               .p_flags = PF_R,
                               .p_offset = note_at,
                               .p_filesz = note_bytes,
                               .p_memsz = note_bytes,
                               .p_align = 4}};
    memcpy(image, &h, sizeof h);
    memcpy(image + sizeof h, ph, sizeof ph);
    *bytes = note_at + note_bytes;
    return image;
}
