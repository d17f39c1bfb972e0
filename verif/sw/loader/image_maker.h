/* Makes kernel images in memory, as docs/abi.md describes them, so that tests can bend every field. */
#ifndef IMAGE_MAKER_H
#define IMAGE_MAKER_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#define MAKER_TEXT 0x10000000ull
#define MAKER_DATA 0x10002000ull

/* Where things are in the file that make_image() writes. */
enum {
    MAKER_PHNUM = 3, /* text, data + bss, notes */
    MAKER_PHOFF = 64,
    MAKER_TEXT_AT = 0x1000,
    MAKER_DATA_AT = 0x2000,
    MAKER_DATA_BYTES = 16,
    MAKER_BSS_BYTES = 48,
    MAKER_NOTE_AT = 0x3000,
};

typedef struct made {
    unsigned char *bytes; /* malloced */
    size_t size;
    size_t note_bytes;
    size_t kernel_note[4]; /* file offset of the descriptor of each kernel note */
} made;

/* Two kernels: `first` (entry at word 0) with arguments float* x, const int n, __local float* s, float4 v, and
 * `second` (entry at word `second_entry`) without arguments, 32 bytes of scratchpad and 48 of stack; and a source note. */
made make_image(const uint32_t *text, uint32_t n, uint32_t second_entry);

/* Instructions. Branch and jump distances are in instructions. */
uint32_t a_beq(int distance);
uint32_t a_jal(unsigned rd, int distance);
uint32_t a_jalr(unsigned rd, unsigned rs1, int imm);
uint32_t a_auipc(unsigned rd, int pages);
#define A_NOP 0x00000013u
#define A_EXIT 0x0000000bu
#define A_BARRIER 0x0010000bu
#define A_RET a_jalr(0, 1, 0)
#define A_ILLEGAL 0u

#endif
