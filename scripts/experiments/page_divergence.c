/*
 * Counts the pages that each memory instruction of a warp touches: how many instructions touch 1, 2, ... pages of 4 KB, and of 2 MB.
 * Linked into a model with --wrap=lsu_tick, it looks at the operands on their way into the load/store unit and changes nothing. The
 * counts go to the file named by VELLUM_PAGE_DIVERGENCE when the model is unloaded. Only addresses outside of the scratchpad count,
 * as in the counters page_div_*.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lsu_ports.h"
#include "sim_c/core/memop.h"

enum { CORES_MAX = 64, SIZES = 2 };
static const unsigned page_bits[SIZES] = {12, 21};

static struct watched {
    const lsu_t *lsu;
    unsigned n; /* addresses of the instruction so far */
    uint64_t address[THREADS];
} cores[CORES_MAX];

static uint64_t instructions[SIZES][THREADS + 1];

static struct watched *watched_core(const lsu_t *lsu)
{
    for (unsigned i = 0; i < CORES_MAX; i++)
        if (cores[i].lsu == lsu || !cores[i].lsu) {
            cores[i].lsu = lsu;
            return &cores[i];
        }
    abort();
}

static unsigned pages_of(const struct watched *c, unsigned bits)
{
    unsigned pages = 0;
    for (unsigned i = 0; i < c->n; i++) {
        unsigned k = 0;
        while (k < i && c->address[k] >> bits != c->address[i] >> bits)
            k++;
        pages += k == i;
    }
    return pages;
}

static void beat(struct watched *c, const operands_t *o)
{
    const enum memop_kind kind = memop_kind(o->op);
    if (kind != MEMOP_LOAD && kind != MEMOP_STORE && kind != MEMOP_ATOMIC)
        return;
    if (o->first)
        c->n = 0;
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t address = o->rs1[l] + o->imm;
        if (o->mask >> l & 1 && address >> 16 != SPAD_BASE >> 16)
            c->address[c->n++] = address;
    }
    if (o->last && c->n > 0)
        for (unsigned s = 0; s < SIZES; s++)
            instructions[s][pages_of(c, page_bits[s])]++;
}

void __real_lsu_tick(lsu_t *s, const lsu_in_t *in);
void __wrap_lsu_tick(lsu_t *s, const lsu_in_t *in)
{
    if (in->ops_valid && in->ops.pipe == PIPE_LSU)
        beat(watched_core(s), &in->ops);
    __real_lsu_tick(s, in);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("VELLUM_PAGE_DIVERGENCE");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    for (unsigned s = 0; s < SIZES; s++) {
        fprintf(f, "%s\"%s\": [", s ? ", " : "{", s ? "2M" : "4K");
        for (unsigned n = 0; n <= THREADS; n++)
            fprintf(f, "%s%llu", n ? ", " : "", (unsigned long long)instructions[s][n]);
        fputc(']', f);
    }
    fputs("}\n", f);
    fclose(f);
}
