/* The cost of the device model: a channel that has a command or data in nearly every clock, and one that idles. Prints nanoseconds;
 * fails above 100 ns for an active clock, or when idle clocks cost anything. */
#include "sim_c/dram/dram.h"
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The command as soon as it is legal: refused attempts are part of the cost. Gives up when nothing will ever be. */
static bool soon(dram_t *d, dram_cmd_t c, bool writing)
{
    static const dram_beat_t beat = {.mask = ~0ull, .data = {1, 2, 3}};
    bool valid, at_once = c.op == DRAM_CMD_WR && !dram_set(d)->tcwl;
    uint8_t rd[DRAM_BEAT_MAX];
    while (dram_tick(d, &c, writing && (at_once || !dram_due(d)) ? &beat : NULL, &valid, rd))
        if (dram_tick(d, NULL, writing && !dram_due(d) ? &beat : NULL, &valid, rd))
            return false;
    return true;
}

/* Streams bursts over all bank groups, reads and writes in turns, refreshes paid in between; the fewest ns a clock of several rounds, of
 * the dearer kind. */
static double stream(dram_t *d, const dram_set_t *s, double *busy)
{
    double best[2] = {1e9, 1e9}; /* reads, writes */
    for (unsigned round = 0; round < 8; round++) {
        uint64_t from = dram_clock(d), most = s->trefi ? 7 * (uint64_t)s->trefi : 60000;
        bool good = true, writing = round & 1;
        double begin = now();
        dram_stats_clear(d);
        for (unsigned g = 0; g < s->bank_groups; g++)
            good &= soon(d, (dram_cmd_t){.op = DRAM_CMD_ACT, .group = (uint8_t)g, .row = round / 2}, false);
        for (unsigned i = 0; good && dram_clock(d) - from < most; i++)
            good = soon(d,
                        (dram_cmd_t){.op = writing ? DRAM_CMD_WR : DRAM_CMD_RD,
                                     .group = (uint8_t)(i % s->bank_groups),
                                     .col = (uint16_t)(i / s->bank_groups * s->burst % s->columns)},
                        writing);
        good = good && soon(d, (dram_cmd_t){.op = DRAM_CMD_PREA}, writing);
        double ns = (now() - begin) / (double)(dram_clock(d) - from);
        best[writing] = ns < best[writing] ? ns : best[writing];
        dram_stats_t stats;
        dram_stats(d, &stats);
        *busy = (double)(stats.read_clocks + stats.write_clocks) / (double)stats.clocks;
        for (unsigned i = 0; s->trefi && i < 8; i++)
            good = good && soon(d, (dram_cmd_t){.op = DRAM_CMD_REF}, false);
        if (!good)
            return 1e9;
    }
    return best[0] > best[1] ? best[0] : best[1];
}

int main(void)
{
    static const char *const names[] = {"gddr5_1674", "ddr4_2400", "hbm2", "gtx480", "sdr_sdram"};
    unsigned failed = 0;
    for (unsigned i = 0; i < 5; i++) {
        char path[128], why[256];
        dram_set_t s;
        dram_t *d;
        double busy;
        snprintf(path, sizeof path, "rtl/config/dram/%s.toml", names[i]);
        if (dram_set_read(&s, path, why, sizeof why) || dram_create(&d, &s))
            return 1;
        double ns = stream(d, &s, &busy), begin = now();
        for (unsigned k = 0; k < 1000; k++)
            dram_skip(d, s.trefi ? 1 : 1000000);
        double skip = (now() - begin) / 1000;
        printf("%-10s %5.1f ns an active clock (data pins busy %2.0f %%), %4.1f ns a skip\n", names[i], ns, 100 * busy,
               skip);
        failed += ns > 100 || skip > 1000;
        dram_destroy(d);
    }
    printf("%u passed, %u failed\n", 5 - failed, failed);
    return failed != 0;
}
