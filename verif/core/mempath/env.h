/* The verilated blocks, the memory behind them, and the expected results. */
#ifndef VERIF_CORE_MEMPATH_ENV_H
#define VERIF_CORE_MEMPATH_ENV_H
#include "l1d_ports.h"
#include "lsu_ports.h"
#include "spad_ports.h"
#include "sim_c/common/vl_bits.h"

enum {
    IN_DEPTH = LSU_IN_DEPTH,
    WINDOW = 96 * 1024,
    GROUP_SPAD = 1024,
    GROUPS_USED = 2,
    PENDING = 4096,
    SEQS = 256,
};
#define BASE 0x10000000ull

typedef struct {
    bool live, serial;
    uint8_t rd;
    uint64_t todo; /* threads without a result */
    uint64_t value[THREADS];
} expect_t;

typedef struct {
    bool used;
    uint64_t due;
    mem_rsp_t rsp;
} pending_t;

typedef struct {
    bool valid;
    uint64_t id; /* hart for global; hart for scratchpad */
    uint64_t where;
} reservation_t;

/* An instruction with accesses, until its last beat is traced. Which warp's goes first is the LSU's choice: it is executed on the sequential machine when
 * its first beat is traced. */
typedef struct {
    unsigned op;
    uint64_t tmask, untraced; /* untraced: threads */
    uint64_t addr[THREADS], rs2[THREADS], rs3[THREADS];
} insn_t;

typedef struct {
    vl_rng_t rng;
    uint64_t seed, cycle;
    unsigned mode;
    bool failed;
    void *lsu, *spad, *l1d;
    lsu_out_t lo;
    spad_out_t so;
    l1d_out_t co;
    lsu_in_t li;
    spad_in_t si;
    l1d_in_t ci;
    uint8_t mem[WINDOW], ref[WINDOW], ref_spad[SPAD_BYTES];
    reservation_t mem_res, ref_res, ref_spad_res;
    pending_t pending[PENDING];
    unsigned npending;
    uint8_t seq[WARPS];
    bool dead[WARPS], blocked[WARPS];
    unsigned inflight[WARPS];
    expect_t expect[WARPS][SEQS];
    fault_t faults[WARPS]; /* with a mask: to come */
    insn_t insns[WARPS][SEQS];
    uint8_t order[WARPS][SEQS]; /* seq of each warp's instructions with accesses */
    unsigned order_w[WARPS], order_r[WARPS];
    unsigned credits;
    unsigned waking; /* the dead warp that restarts when all beats are given back, else WARPS */
    operands_t beat[BEATS];
    unsigned beat_at; /* BEATS: none */
    uint64_t instructions, results;
} env_t;

static void fail(env_t *e, const char *what, uint64_t a, uint64_t b)
{
    if (!e->failed)
        printf("seed %" PRIu64 " cycle %" PRIu64 ": %s: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", e->seed, e->cycle,
               what, a, b);
    e->failed = true;
}
#endif
