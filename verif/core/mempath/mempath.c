/* The verilated lsu, spad and l1d, wired as in a core, in front of a memory that answers late and out of order: random memory instructions
 * of all warps must give the results of a sequential machine that executes them in the order of issue (one core: its cache is coherent with itself).
 *
 *   mempath [--seed N | --seeds N] [--cycles N] [--fst FILE] [--speed]
 *
 * --speed prints the cycles an instruction of each kind takes when nothing is in its way. */
#include <stdlib.h>
#include "verif/common/crash.h"
#include "verif/core/mempath/hits.h"

int main(int argc, char **argv)
{
    uint64_t seeds = 8, from = 0, cycles = 20000;
    const char *fst = NULL;
    static env_t e;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--speed")) {
            speed(&e, "scratchpad loads, no conflict", OP_LW, 0x30000000, 8, 0, 32);
            speed(&e, "scratchpad stores, no conflict", OP_SW, 0x30000000, 4, 0, 32);
            speed(&e, "scratchpad loads, one doubleword", OP_LD, 0x30000000, 0, 0, 32);
            speed(&e, "loads, all of one line", OP_LW, BASE, 4, 0, 32);
            speed(&e, "loads, a line each", OP_LW, BASE, 4, 128, 32);
            speed(&e, "stores, all to one line", OP_SW, BASE, 4, 0, 32);
            speed(&e, "loads, a line a thread", OP_LW, BASE, 128, 0, 8);
            speed(&e, "atomics", OP_AMOADD_W, BASE, 4, 0, 8);
            return 0;
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            from = strtoull(argv[++i], NULL, 0), seeds = from + 1;
        } else if (i + 1 < argc && !strcmp(argv[i], "--seeds")) {
            seeds = strtoull(argv[++i], NULL, 0);
        } else if (i + 1 < argc && !strcmp(argv[i], "--cycles")) {
            cycles = strtoull(argv[++i], NULL, 0);
        } else if (i + 1 < argc && !strcmp(argv[i], "--fst")) {
            fst = argv[++i];
        } else {
            fprintf(stderr, "usage: %s [--seed N | --seeds N] [--cycles N] [--fst FILE] [--speed]\n", argv[0]);
            return 2;
        }
    }
    unsigned passed = 0, failed = 0;
    if (!from)
        *(overlapped(&e) ? &passed : &failed) += 1;
    for (uint64_t s = from; s < seeds; s++) {
        char crashed[2048];
        snprintf(crashed, sizeof crashed,
                 "seed %" PRIu64 " FAILED: it crashed\n    again: %s --seed %" PRIu64 " --cycles %" PRIu64 "\n", s,
                 argv[0], s, cycles);
        crash_command(crashed);
        if (run(&e, s, cycles, fst))
            passed++;
        else
            failed++, printf("    again: BENCH_CONFIGS=" VL_CFG_NAME " scripts/bench mempath --seed %" PRIu64
                             " --cycles %" PRIu64 "\n",
                             s, cycles);
        crash_command(NULL);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
