#include "verif/sw/loader/image_maker.h"

#include <stdlib.h>
#include <string.h>

uint32_t a_beq(int distance)
{
    uint32_t o = (uint32_t)distance * 4;
    return 0x63 | 1u << 15 | 2u << 20 | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | (o >> 5 & 63) << 25
           | (o >> 12 & 1) << 31;
}
uint32_t a_jal(unsigned rd, int distance)
{
    uint32_t o = (uint32_t)distance * 4;
    return 0x6f | rd << 7 | (o & 0xff000) | (o >> 11 & 1) << 20 | (o >> 1 & 1023) << 21 | (o >> 20 & 1) << 31;
}
uint32_t a_jalr(unsigned rd, unsigned rs1, int imm)
{
    return 0x67 | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}
uint32_t a_auipc(unsigned rd, int pages)
{
    return 0x17 | rd << 7 | (uint32_t)pages << 12;
}

static void put32(unsigned char **p, uint32_t v)
{
    memcpy(*p, &v, 4);
    *p += 4;
}
static void put_arg(unsigned char **p, uint32_t name, uint32_t type, uint32_t kind, uint32_t size, uint32_t align,
                    uint32_t offset)
{
    const uint32_t v[6] = {name, type, kind, size, align, offset};
    for (int i = 0; i < 6; i++)
        put32(p, v[i]);
}
/* Header of a note; its descriptor must be a multiple of 4 bytes. */
static void put_note(unsigned char **p, uint32_t desc, uint32_t type)
{
    put32(p, 7);
    put32(p, desc);
    put32(p, type);
    memcpy(*p, "Vellum\0", 8);
    *p += 8;
}
static void put_kernel(unsigned char **p, uint64_t entry, uint32_t local, uint32_t stack, const uint32_t reqd[3],
                       uint32_t n_args, uint32_t block, uint32_t name)
{
    put32(p, 1);
    put32(p, 0);
    put32(p, (uint32_t)entry);
    put32(p, (uint32_t)(entry >> 32));
    put32(p, local);
    put32(p, stack);
    for (int i = 0; i < 3; i++)
        put32(p, reqd[i]);
    put32(p, n_args);
    put32(p, block);
    put32(p, name);
}

made make_image(const uint32_t *text, uint32_t n, uint32_t second_entry)
{
    made m = {.bytes = calloc(1, 0x4000)};
    unsigned char *notes = m.bytes + MAKER_NOTE_AT, *p = notes;
    memcpy(m.bytes + MAKER_TEXT_AT, text, 4ul * n);
    for (int i = 0; i < MAKER_DATA_BYTES; i++)
        m.bytes[MAKER_DATA_AT + i] = (unsigned char)(0xd0 + i);

    static const char strings[] = "first\0x\0float*\0n\0int\0s\0v\0float4\0"; /* 34 bytes with the last NUL */
    put_note(&p, 0x30 + 4 * 24 + 36, 1);
    m.kernel_note[0] = (size_t)(p - m.bytes);
    put_kernel(&p, MAKER_TEXT, 0, 0, (uint32_t[3]){0, 0, 0}, 4, 0xb0, 0x90);
    put_arg(&p, 0x96, 0x98, 1, 8, 8, 0x80);
    put_arg(&p, 0x9f, 0xa1, 0, 4, 4, 0x88);
    put_arg(&p, 0xa5, 0x98, 3, 8, 8, 0x90);
    put_arg(&p, 0xa7, 0xa9, 0, 16, 16, 0xa0);
    memcpy(p, strings, sizeof strings);
    p += 36;

    put_note(&p, 0x30 + 8, 1);
    m.kernel_note[1] = (size_t)(p - m.bytes);
    put_kernel(&p, MAKER_TEXT + 4ull * second_entry, 32, 48, (uint32_t[3]){4, 2, 1}, 0, 0x80, 0x30);
    memcpy(p, "second\0", 8);
    p += 8;

    put_note(&p, 20, 2);
    memcpy(p, "clang 19\0-O2 -x cl\0", 20);
    p += 20;
    m.note_bytes = (size_t)(p - notes);

    const Elf64_Phdr ph[MAKER_PHNUM] = {
        {PT_LOAD, PF_R | PF_X, MAKER_TEXT_AT, MAKER_TEXT, MAKER_TEXT, 4ull * n, 4ull * n, 0x1000},
        {PT_LOAD, PF_R | PF_W, MAKER_DATA_AT, MAKER_DATA, MAKER_DATA, MAKER_DATA_BYTES,
         MAKER_DATA_BYTES + MAKER_BSS_BYTES, 0x1000},
        {PT_NOTE, PF_R, MAKER_NOTE_AT, 0, 0, m.note_bytes, m.note_bytes, 4},
    };
    memcpy(m.bytes + MAKER_PHOFF, ph, sizeof ph);
    size_t shoff = (MAKER_NOTE_AT + m.note_bytes + 15) & ~15ul;
    const Elf64_Shdr sh[2] = {{0},
                              {.sh_name = 0,
                               .sh_type = SHT_PROGBITS,
                               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                               .sh_addr = MAKER_TEXT,
                               .sh_offset = MAKER_TEXT_AT,
                               .sh_size = 4ull * n,
                               .sh_addralign = 4}};
    memcpy(m.bytes + shoff, sh, sizeof sh);
    m.size = shoff + sizeof sh;
    Elf64_Ehdr eh = {.e_type = ET_EXEC,
                     .e_machine = EM_RISCV,
                     .e_version = EV_CURRENT,
                     .e_phoff = MAKER_PHOFF,
                     .e_shoff = shoff,
                     .e_ehsize = sizeof eh,
                     .e_phentsize = sizeof *ph,
                     .e_phnum = MAKER_PHNUM,
                     .e_shentsize = sizeof *sh,
                     .e_shnum = 2,
                     .e_shstrndx = 0};
    memcpy(eh.e_ident, "\177ELF\2\1\1", 7);
    memcpy(m.bytes, &eh, sizeof eh);
    return m;
}
