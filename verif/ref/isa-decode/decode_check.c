/* Stimulus and comparison: isa_pkg (through decode_tb.sv) against isa_gen.c, over the fields that matter and random words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa_gen.h"

int next_word(uint32_t *word);
void check(uint32_t word, uint32_t op, uint32_t pipe, uint32_t flags, uint32_t rs3, uint64_t imm);
void finish_check(void);

#define RANDOM_WORDS 2000000

static uint64_t state;
static uint64_t checked, wrong, legal;
static uint32_t seen[ISA_OPS];

static uint32_t random_word(void)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32);
}

/* Every opcode, funct3, funct7 and rs2, with rd and rs1 zero and not; then every CSR number; then random words, half of them
 * with a legal opcode. */
int next_word(uint32_t *word)
{
    static uint32_t n, csr, k;
    static bool started;
    if (!started) {
        const char *seed = getenv("SEED");
        state = seed ? strtoull(seed, NULL, 0) : 0;
        printf("seed %" PRIu64 " (again: SEED=%" PRIu64 " make test-ref/isa-decode)\n", state, state);
        started = true;
    }
    if (n < 1u << 22) {
        uint32_t opcode = n & 31, f3 = n >> 5 & 7, top = n >> 8 & 4095, rd = n >> 20 & 1 ? 1 + random_word() % 31 : 0;
        uint32_t rs1 = n >> 21 & 1 ? 1 + random_word() % 31 : 0;
        *word = top << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode << 2 | 3;
        n++;
        return 1;
    }
    if (csr < 4096 * 8 * 4) {
        *word = (csr & 4095) << 20 | (csr >> 15 & 1) << 17 | (csr >> 12 & 7) << 12 | (csr >> 16 & 1) << 10 | 0x73;
        csr++;
        return 1;
    }
    if (k++ < RANDOM_WORDS) {
        *word = random_word();
        if (k & 1) {
            const isa_row_t *r = &isa_rows[1 + random_word() % (ISA_OPS - 1)];
            *word = (*word & ~r->mask) | r->match;
            if (random_word() % 4 == 0)
                *word ^= 1u << random_word() % 32; /* one bit beside it */
        }
        return 1;
    }
    return 0;
}

void check(uint32_t word, uint32_t op, uint32_t pipe, uint32_t flags, uint32_t rs3, uint64_t imm)
{
    predec_t p = isa_predecode(word);
    uint32_t want = (uint32_t)p.use_rs1 << 6 | (uint32_t)p.use_rs2 << 5 | (uint32_t)p.use_rs3 << 4
                    | (uint32_t)p.use_rd << 3 | (uint32_t)p.is_cf << 2 | (uint32_t)p.is_serial << 1
                    | (uint32_t)p.is_mem;
    uint64_t want_imm = (uint64_t)isa_imm(word, p.op);
    unsigned want_rs3 = isa_rs3(word, p.op);
    checked++;
    legal += p.op != OP_ILLEGAL;
    seen[p.op]++;
    if (op == p.op && pipe == (uint32_t)p.pipe && flags == want && rs3 == want_rs3 && imm == want_imm)
        return;
    char text[80];
    isa_disasm(word, 0, text, sizeof text);
    if (wrong++ < 10)
        printf("%08x %s: RTL op %u pipe %u flags %02x rs3 %u imm %" PRIx64
               ", C op %d pipe %d flags %02x rs3 %u imm %" PRIx64 "\n",
               word, text, op, pipe, flags, rs3, imm, p.op, p.pipe, want, want_rs3, want_imm);
}

void finish_check(void)
{
    unsigned unseen = 0;
    for (unsigned op = 0; op < ISA_OPS; op++)
        if (!seen[op] && op != OP_JOIN)
            printf("never seen: %s\n", isa_rows[op].mnemonic), unseen++;
    printf("%" PRIu64 " words, %" PRIu64 " legal, %" PRIu64 " decoded differently\n", checked, legal, wrong);
    printf("%d passed, %d failed\n", (wrong == 0) + (unseen == 0), (wrong != 0) + (unseen != 0));
}
