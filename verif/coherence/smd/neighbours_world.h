/* All that stands around the SMD: how it behaves for a while, its state, and lines and bytes at random. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_WORLD_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_WORLD_H
#include "verif/common/halves.h"
#include "verif/coherence/smd/scoreboard.h"

enum { STACK_DEPTH = 16, ACKS = 4 * SB_LPB, PROBES = 4, MEMS = 16 };
/* How they behave for a while; chances are of 256. */
typedef struct {
    unsigned ask, store, drop, write, keep, own, n_read, reads; /* slice: reads at most */
    unsigned rsp_ready, ack, ack_latency; /* takes probes; offers acknowledgements */
    unsigned stack_ready, stack_depth, stack_latency;
    unsigned rq, kq, eq; /* the HMD and peers take */
    /* HMD: begins a grant, sends lines, the requested line first; probes; probes that no HMD would send */
    unsigned begin, data, first, probe, wild;
    unsigned peers, others;
    unsigned mem, mem_reads; /* the HMD reads and writes lines that are at home here */
    unsigned base, span; /* blocks */
    unsigned maint; /* its period in cycles, 0: none; */
    unsigned walks; /* one in `walks` of these is of all blocks */
    bool no_grants, drain, chain, eager; /* eager: a granted line is stored into and given back at once */
} style_t;
typedef struct {
    sb_t sb;
    style_t style;
    bool req_valid, ack_valid, probe_valid, data_valid;
    /* at this edge bytes were given that the table does not have yet: of a block in E, or of one being fetched */
    bool gave;
    home_req_t req;
    home_ack_t ack;
    smd_probe_t probe;
    smd_data_t data;
    struct {
        sb_line_t *line;
        uint8_t kind;
        uint64_t due;
    } asked[ACKS];
    unsigned asks;
    sb_line_t *chain; /* was given back to be owned */
    sb_line_t *fresh; /* has just been granted */
    struct {
        stack_req_t req;
        uint64_t due;
    } stack[STACK_DEPTH];
    unsigned stacked;
    /* The stack's lines, by block of the bench: those of one place are one. */
    sb_data_t held[SB_LINES];
    sb_mask_t marks[SB_LINES];
    smd_probe_t probes[PROBES];
    unsigned to_probe;
    sb_line_t *get[L2_MSHRS]; /* far: lines that were asked for */
    unsigned gets;
    smd_data_t mem[MEMS]; /* to be read and written in the stack, in this order */
    unsigned mems;
    bool reading[HOST_READERS]; /* ids of reads under way */
} world_t;

static sb_line_t *some_line(bench_t *b, world_t *w)
{
    unsigned k = (w->style.base + vl_below(&b->rng, w->style.span)) % SB_BLOCKS;
    while (w->sb.block[k].out)
        k = (k + 1) % SB_BLOCKS;
    return &w->sb.line[k * SB_LPB + vl_below(&b->rng, SB_LPB)];
}

/* Bytes at random: a few, half, all, one. */
static sb_mask_t some_bytes(bench_t *b)
{
    sb_mask_t m = {{0}};
    switch (vl_below(&b->rng, 4)) {
    case 0: m = be_all(); break;
    case 1: m.w[vl_below(&b->rng, BE_WORDS)] = 1ull << vl_below(&b->rng, 64); break;
    case 2: m = be_halves(1u << vl_below(&b->rng, 2)); break;
    default:
        for (unsigned w = 0; w < BE_WORDS; w++)
            m.w[w] = vl_random(&b->rng);
    }
    return m;
}

/* ... and whole grains. */
static sb_mask_t some_whole(bench_t *b)
{
    return whole_grains(some_bytes(b));
}
#endif
