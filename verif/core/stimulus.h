/* Stimulus shared by the benches of the pipes: operands with corners, instruction words of the table, masks. */
#ifndef VERIF_CORE_STIMULUS_H
#define VERIF_CORE_STIMULUS_H
#include "isa_gen.h"
#include "sim_c/common/vl_bits.h"
#include "vl_types.h"

#define ALL_THREADS ((1ull << (THREADS - 1)) * 2 - 1)
#define ALL_LANES ((1ull << (LANES - 1)) * 2 - 1)

/* A number that is a corner more often than not. */
static inline uint64_t stim_value(struct vl_rng *r)
{
    static const uint64_t corner[] = {0,
                                      1,
                                      ~0ull,
                                      2,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0xffffffff80000000,
                                      0x100000000,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      31,
                                      32,
                                      33,
                                      63,
                                      64,
                                      0xff,
                                      0x80,
                                      0x8000,
                                      0xffff};
    uint64_t v = vl_random(r);
    switch (vl_below(r, 8)) {
    case 0:
    case 1: return corner[vl_below(r, sizeof corner / sizeof *corner)];
    case 2: return 1ull << (v & 63);
    case 3: return v >> (v & 63);
    case 4: return (uint64_t)(int64_t)(int32_t)v;
    case 5: return v & 0xff << (v >> 58 & 0x38);
    default: return v;
    }
}

/* Threads of a warp: all, one, some. */
static inline uint64_t stim_mask(struct vl_rng *r, uint64_t all)
{
    uint64_t m = vl_random(r);
    switch (vl_below(r, 4)) {
    case 0: return all;
    case 1: return 1ull << (m % (unsigned)__builtin_popcountll(all));
    case 2: return m & all ? m & all : all;
    default: m &= vl_random(r) & all; return m ? m : 1;
    }
}

/* A row of the table that runs in `pipe`. */
static inline op_e stim_op(struct vl_rng *r, pipe_e pipe)
{
    for (;;) {
        unsigned op = 1 + vl_below(r, ISA_OPS - 1);
        if (isa_rows[op].mask && isa_rows[op].pipe == pipe)
            return (op_e)op;
    }
}

/* A legal word of that row. */
static inline uint32_t stim_word(struct vl_rng *r, op_e op)
{
    for (;;) {
        uint32_t w = isa_rows[op].match | ((uint32_t)vl_random(r) & ~isa_rows[op].mask);
        unsigned f = isa_rows[op].format;
        if (f == FMT_CSR || f == FMT_CSRI)
            w = (w & 0xfffff) | (CSR_VL_LID_X + vl_below(r, 0x14)) << 20;
        if ((f == FMT_CSR || f == FMT_CSRI) && op != OP_CSRRW && op != OP_CSRRWI)
            w &= ~(31u << 15); /* no write */
        if (f == FMT_CSR || f == FMT_CSRI || isa_op(w) == op)
            return w;
    }
}

/* The fields of a beat that only travel along. */
static inline void stim_beat(struct vl_rng *r, operands_t *p, uint64_t tmask, unsigned beat)
{
    p->warp = (uint8_t)vl_below(r, WARPS);
    p->seq = (uint8_t)vl_random(r);
    p->beat = beat;
    p->first = beat == 0;
    p->last = beat == BEATS - 1;
    p->tmask = tmask;
    p->mask = tmask >> beat * LANES & ALL_LANES;
}

/* Beat `beat` of an instruction. Where an instruction is one beat, it may have no active lane. */
static inline void stim_beat_of(struct vl_rng *r, operands_t *p, const operands_t *whole, unsigned beat)
{
    *p = *whole;
    p->beat = beat;
    p->first = beat == 0;
    p->last = beat == BEATS - 1;
    p->mask = p->tmask >> beat * LANES & ALL_LANES;
    if (BEATS == 1 && vl_chance(r, 8))
        p->mask = 0;
}
#endif
