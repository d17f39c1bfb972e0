/* Promises of a channel, whatever its commands are: memory is an array of lines, a bank performs its transactions in the order in
 * which they came, each read is answered once. Behind the pins is the device model, which checks every command. */
#ifndef VERIF_DRAM_CTRL_SCOREBOARD_H
#define VERIF_DRAM_CTRL_SCOREBOARD_H
#include <stdlib.h>
#include <string.h>
#include "sim_c/dram/phy.h"
#include "verif/common/bench.h"
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"
#include "vl_dram.h"
#include "vl_dram_set.h"

enum { SCOREBOARD_ROWS = 4, IDS = 1 << (SUB_W + HOME_ID_W), HELD = 64, SCOREBOARD_PATIENCE = 20000 };

typedef struct {
    uint16_t row[SCOREBOARD_ROWS]; /* rows in use, in every bank */
    line_data_t line[CH_BANKS][SCOREBOARD_ROWS][CH_LINES]; /* as of the last transaction pushed */
    bool awaited[IDS];
    line_data_t want[IDS];
    uint64_t since[IDS];
    unsigned reads;
    uint64_t ticks, refs, bursts, writes_in, writes_out; /* writes_out: bursts */
    unsigned idle;
    uint64_t checked;
    /* bursts between the phy and the controller */
    uint8_t held[HELD][DRAM_BURST_BYTES];
    unsigned held_first, held_count;
} scoreboard_t;

/* Outlive the run's zeroed environment. */
static dram_t *scoreboard_device;
static dram_phy_t *scoreboard_phy;

static void scoreboard_start(bench_t *b, scoreboard_t *sb)
{
    dram_set_t set;
    char why[200];
    dram_phy_destroy(scoreboard_phy);
    dram_destroy(scoreboard_device);
    scoreboard_phy = NULL;
    scoreboard_device = NULL;
    bool ok = !dram_set_parse(&set, VL_DRAM_SET_TEXT, sizeof VL_DRAM_SET_TEXT - 1, why, sizeof why)
              && !dram_create(&scoreboard_device, &set) && !dram_phy_create(&scoreboard_phy, scoreboard_device);
    if (!ok) {
        printf("no device model for set %s\n", VL_DRAM_SET_NAME);
        exit(1);
    }
    sb->row[0] = (uint16_t)(DRAM_ROWS - 1);
    for (unsigned r = 1; r < SCOREBOARD_ROWS; r++)
        do
            sb->row[r] = (uint16_t)vl_below(&b->rng, DRAM_ROWS - 1);
        while (r > 1 && (sb->row[r] == sb->row[1] || sb->row[r] == sb->row[2 % r]));
    for (unsigned k = 0; k < CH_BANKS; k++)
        for (unsigned r = 0; r < SCOREBOARD_ROWS; r++) {
            vl_random_wide(&b->rng, sizeof sb->line[k][r] * 8, sb->line[k][r][0].w);
            dram_load(scoreboard_device, k / DRAM_BANKS, k % DRAM_BANKS, sb->row[r], 0, sb->line[k][r],
                      sizeof sb->line[k][r]);
        }
}

/* A transaction goes into the controller; `r` is its row's place in row[]. */
static void scoreboard_push(bench_t *b, scoreboard_t *sb, const txn_t *t, unsigned r)
{
    line_data_t *m = &sb->line[t->bank][r][t->line];
    if (t->write) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (t->be.w[i / 64] >> i % 64 & 1)
                ((uint8_t *)m->w)[i] = ((const uint8_t *)t->data.w)[i];
        sb->writes_in++;
    } else {
        sb->awaited[t->id] = true;
        sb->want[t->id] = *m;
        sb->since[t->id] = b->cycle;
        sb->reads++;
    }
}

/* The chips hold all writes. */
static void scoreboard_compare(bench_t *b, const scoreboard_t *sb)
{
    static uint8_t row[DRAM_ROW_BYTES];
    for (unsigned k = 0; k < CH_BANKS; k++)
        for (unsigned r = 0; r < SCOREBOARD_ROWS; r++) {
            int e =
                dram_dump(scoreboard_device, k / DRAM_BANKS, k % DRAM_BANKS, sb->row[r], 0, row, sizeof sb->line[k][r]);
            BENCH_CHECK(b, !e && !memcmp(row, sb->line[k][r], sizeof sb->line[k][r]),
                        "bank %u row %u: the chips do not hold what was written", k, sb->row[r]);
        }
}

static void scoreboard_outputs(bench_t *b, scoreboard_t *sb, const dram_ctrl_out_t *out)
{
    if (out->rsp_valid) {
        unsigned id = out->rsp.id;
        BENCH_CHECK(b, sb->awaited[id], "an answer with id %u, which nobody awaits", id);
        BENCH_CHECK(b, !memcmp(&sb->want[id], &out->rsp.data, LINE_BYTES),
                    "read %u gets other data than were written last", id);
        sb->awaited[id] = false;
        sb->reads--;
    }
    if (out->idle) {
        BENCH_CHECK(b, !sb->reads, "idle although a read is awaited");
        BENCH_CHECK(b, sb->writes_out == sb->writes_in * LINE_BURSTS, "idle although a write is not performed");
        if (dram_phy_idle(scoreboard_phy) && (!sb->checked || b->cycle - sb->checked > 1000)) {
            sb->checked = b->cycle;
            scoreboard_compare(b, sb);
        }
    }
    if (b->cycle % 256 == 0)
        for (unsigned i = 0; i < IDS; i++)
            BENCH_CHECK(b, !sb->awaited[i] || b->cycle - sb->since[i] < SCOREBOARD_PATIENCE, "read %u is not answered",
                        i);
}

/* The chips' side of a cycle. */
static void scoreboard_pins(bench_t *b, scoreboard_t *sb, const dram_pins_t *p)
{
    dram_phy_pins_t pins = {.ticks = p->ticks,
                            .phase = p->phase,
                            .cmd = {.op = p->op, .group = p->group, .bank = p->bank, .col = p->col, .row = p->row}};
    memcpy(pins.mask, &p->be, DRAM_BURST_BYTES / 8);
    memcpy(pins.data, &p->data, DRAM_BURST_BYTES);
    int e = dram_phy_cycle(scoreboard_phy, &pins);
    if (e) {
        static char text[4096];
        dram_report(scoreboard_device, text, sizeof text);
        BENCH_CHECK(b, false, "the chips refuse the command (%d): %s", e, text);
    }
    sb->ticks += p->ticks;
    sb->refs += p->op == PIN_REF;
    sb->bursts += p->op == PIN_RD || p->op == PIN_WR;
    sb->writes_out += p->op == PIN_WR;
}

/* Refreshes that are due and have not been seen. */
static uint64_t scoreboard_refreshes_pending(const scoreboard_t *sb)
{
    const uint64_t trefi = DRAM_TREFI;
    return trefi ? sb->ticks / trefi - sb->refs : 0;
}

/* Refreshes: none before its time, none later than allowed and the time to come to rest, and none pending after a long rest. */
static void scoreboard_refresh(bench_t *b, scoreboard_t *sb, bool idle)
{
    const uint64_t trefi = DRAM_TREFI;
    if (!trefi)
        return;
    uint64_t due = sb->ticks / trefi, slack = DRAM_TRFC + DRAM_TRC + DRAM_WR_TO_PRE + DRAM_TRP + 16;
    sb->idle = idle ? sb->idle + 1 : 0;
    BENCH_CHECK(b, sb->refs <= due, "a refresh before its time");
    BENCH_CHECK(b, sb->ticks < (sb->refs + DRAM_REFRESH_POSTPONE) * trefi + slack, "a refresh is overdue");
    if (sb->idle > 100 + (uint64_t)(DRAM_REFRESH_POSTPONE + 1) * (DRAM_TRFC + 8) * DRAM_CLK_DEN / DRAM_CLK_NUM)
        BENCH_CHECK(b, sb->ticks % trefi < 60 + slack || !scoreboard_refreshes_pending(sb),
                    "nothing to do, and a refresh is pending");
}
#endif
