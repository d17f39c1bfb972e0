/* What must be true of a channel whatever its commands are: memory is an array of lines, a bank performs its transactions in the order in
 * which they came, each read is answered once. Behind the pins is the device model, which judges every command. */
#ifndef VERIF_DRAM_CTRL_JUDGE_H
#define VERIF_DRAM_CTRL_JUDGE_H
#include <stdlib.h>
#include <string.h>
#include "sim_c/dram/phy.h"
#include "verif/common/bench.h"
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"
#include "vl_dram.h"
#include "vl_dram_set.h"

enum { JUDGE_ROWS = 4, IDS = 1 << (SUB_W + HOME_ID_W), HELD = 64, JUDGE_PATIENCE = 20000 };

typedef struct {
    uint16_t row[JUDGE_ROWS]; /* rows in use, in every bank */
    vl_bits_1024 line[CH_BANKS][JUDGE_ROWS][CH_LINES]; /* as of the last transaction pushed */
    bool awaited[IDS];
    vl_bits_1024 want[IDS];
    uint64_t since[IDS];
    unsigned reads;
    uint64_t ticks, refs, bursts, writes_in, writes_out; /* writes_out: bursts */
    unsigned idle;
    uint64_t checked;
    /* bursts between the phy and the controller */
    uint8_t held[HELD][DRAM_BURST_BYTES];
    unsigned held_first, held_count;
} judge_t;

/* Outlive the run's zeroed environment. */
static dram_t *judge_device;
static dram_phy_t *judge_phy;

static void judge_start(bench_t *b, judge_t *j)
{
    dram_set_t set;
    char why[200];
    dram_phy_destroy(judge_phy);
    dram_destroy(judge_device);
    judge_phy = NULL;
    judge_device = NULL;
    bool ok = !dram_set_parse(&set, VL_DRAM_SET_TEXT, sizeof VL_DRAM_SET_TEXT - 1, why, sizeof why)
              && !dram_create(&judge_device, &set) && !dram_phy_create(&judge_phy, judge_device);
    if (!ok) {
        printf("no device model for set %s\n", VL_DRAM_SET_NAME);
        exit(1);
    }
    j->row[0] = (uint16_t)(DRAM_ROWS - 1);
    for (unsigned r = 1; r < JUDGE_ROWS; r++)
        do
            j->row[r] = (uint16_t)vl_below(&b->rng, DRAM_ROWS - 1);
        while (r > 1 && (j->row[r] == j->row[1] || j->row[r] == j->row[2 % r]));
    for (unsigned k = 0; k < CH_BANKS; k++)
        for (unsigned r = 0; r < JUDGE_ROWS; r++) {
            vl_random_wide(&b->rng, sizeof j->line[k][r] * 8, j->line[k][r][0].w);
            dram_load(judge_device, k / DRAM_BANKS, k % DRAM_BANKS, j->row[r], 0, j->line[k][r], sizeof j->line[k][r]);
        }
}

/* A transaction goes into the controller; `r` is its row's place in row[]. */
static void judge_push(bench_t *b, judge_t *j, const txn_t *t, unsigned r)
{
    vl_bits_1024 *m = &j->line[t->bank][r][t->line];
    if (t->write) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (t->be.w[i / 64] >> i % 64 & 1)
                ((uint8_t *)m->w)[i] = ((const uint8_t *)t->data.w)[i];
        j->writes_in++;
    } else {
        j->awaited[t->id] = true;
        j->want[t->id] = *m;
        j->since[t->id] = b->cycle;
        j->reads++;
    }
}

/* The chips hold what was written. */
static void judge_compare(bench_t *b, const judge_t *j)
{
    static uint8_t row[DRAM_ROW_BYTES];
    for (unsigned k = 0; k < CH_BANKS; k++)
        for (unsigned r = 0; r < JUDGE_ROWS; r++) {
            int e = dram_dump(judge_device, k / DRAM_BANKS, k % DRAM_BANKS, j->row[r], 0, row, sizeof j->line[k][r]);
            BENCH_CHECK(b, !e && !memcmp(row, j->line[k][r], sizeof j->line[k][r]),
                        "bank %u row %u: the chips do not hold what was written", k, j->row[r]);
        }
}

static void judge_outputs(bench_t *b, judge_t *j, const dram_ctrl_out_t *out)
{
    if (out->rsp_valid) {
        unsigned id = out->rsp.id;
        BENCH_CHECK(b, j->awaited[id], "an answer with id %u, which nobody awaits", id);
        BENCH_CHECK(b, !memcmp(&j->want[id], &out->rsp.data, LINE_BYTES),
                    "read %u gets other data than were written last", id);
        j->awaited[id] = false;
        j->reads--;
    }
    if (out->idle) {
        BENCH_CHECK(b, !j->reads, "idle although a read is awaited");
        BENCH_CHECK(b, j->writes_out == j->writes_in * LINE_BURSTS, "idle although a write is not performed");
        if (dram_phy_idle(judge_phy) && (!j->checked || b->cycle - j->checked > 1000)) {
            j->checked = b->cycle;
            judge_compare(b, j);
        }
    }
    if (b->cycle % 256 == 0)
        for (unsigned i = 0; i < IDS; i++)
            BENCH_CHECK(b, !j->awaited[i] || b->cycle - j->since[i] < JUDGE_PATIENCE, "read %u is not answered", i);
}

/* The chips' side of a cycle. */
static void judge_pins(bench_t *b, judge_t *j, const dram_pins_t *p)
{
    dram_phy_pins_t pins = {.ticks = p->ticks,
                            .phase = p->phase,
                            .cmd = {.op = p->op, .group = p->group, .bank = p->bank, .col = p->col, .row = p->row}};
    memcpy(pins.mask, &p->be, DRAM_BURST_BYTES / 8);
    memcpy(pins.data, &p->data, DRAM_BURST_BYTES);
    int e = dram_phy_cycle(judge_phy, &pins);
    if (e) {
        static char text[4096];
        dram_report(judge_device, text, sizeof text);
        BENCH_CHECK(b, false, "the chips refuse the command (%d): %s", e, text);
    }
    j->ticks += p->ticks;
    j->refs += p->op == PIN_REF;
    j->bursts += p->op == PIN_RD || p->op == PIN_WR;
    j->writes_out += p->op == PIN_WR;
}

/* Refreshes whose time has come and that have not been seen. */
static uint64_t judge_owed(const judge_t *j)
{
    const uint64_t trefi = DRAM_TREFI;
    return trefi ? j->ticks / trefi - j->refs : 0;
}

/* Refreshes: none before its time, none later than allowed and the time to come to rest, and none owed after a long rest. */
static void judge_refresh(bench_t *b, judge_t *j, bool idle)
{
    const uint64_t trefi = DRAM_TREFI;
    if (!trefi)
        return;
    uint64_t due = j->ticks / trefi, slack = DRAM_TRFC + DRAM_TRC + DRAM_WR_TO_PRE + DRAM_TRP + 16;
    j->idle = idle ? j->idle + 1 : 0;
    BENCH_CHECK(b, j->refs <= due, "a refresh before its time");
    BENCH_CHECK(b, j->ticks < (j->refs + DRAM_REFRESH_POSTPONE) * trefi + slack, "a refresh is overdue");
    if (j->idle > 100 + (uint64_t)(DRAM_REFRESH_POSTPONE + 1) * (DRAM_TRFC + 8) * DRAM_CLK_DEN / DRAM_CLK_NUM)
        BENCH_CHECK(b, j->ticks % trefi < 60 + slack || !judge_owed(j), "nothing to do, and a refresh is owed");
}
#endif
