/* Bench of dram_ctrl. Behind the pins is the device model, which refuses every command that breaks a rule; scoreboard.h checks
 * the transactions, cover.h has the coverage. Of four seeds one streams and measures bandwidth, one never pauses, so that refreshes are forced, and one
 * pauses only when several refreshes are pending. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 60000
#include "sim_c/common/line_be.h"
#include "verif/common/bench.h"
#include "verif/mem/dram_ctrl/cover.h"
#include "verif/mem/dram_ctrl/scoreboard.h"
#include "verif/mem/dram_ctrl/page.h"

enum { STREAM, LOADED, PAUSES, CATCH_UP }; /* modes */
enum { ANY_BANK, ONE_BANK, ONE_GROUP, TWO_GROUPS, ROUND, WALK, PLACES }; /* which bank next */
enum { ONE_ROW, PING_PONG, FEW_ROWS, SELDOM, ROW_STYLES }; /* which of its rows */
enum { WARM_UP = 2000 };
_Static_assert(LINE_BURSTS > 1, "a line has a burst before its last");
/* A style lasts long enough for a streak of DRAM_DIR_LIMIT columns. */
enum { STYLE_CYCLES = 3 * DRAM_DIR_LIMIT / 2 * DRAM_COL_GAP * DRAM_CLK_DEN / DRAM_CLK_NUM };
/* Core cycles that a column command takes on the pins, and a line. */
enum { COLUMN_CYCLES = DRAM_COL_GAP * DRAM_CLK_DEN / DRAM_CLK_NUM + 1, LINE_CYCLES = LINE_BURSTS * COLUMN_CYCLES };
/* Per cent of the peak, less refresh, that streaming must reach. Few read buffers (verif/mem/dram-sets) cannot hold all bursts under way at full rate. */
enum { STREAM_PERCENT = DRAM_READ_BUFS < 8 ? 70 : 90 };

typedef struct {
    scoreboard_t scoreboard;
    unsigned place, rows, writes, valid, bank, slow, hold, pause, walk;
    unsigned near, near_bank; /* the head of this bank is about to leave */
    bool closed, fickle, thin, holding, streams_writes; /* thin: about as many transactions as the pins can take */
    uint8_t row_now[CH_BANKS];
    uint64_t ticks0, bursts0;
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    scoreboard_start(b, &e->scoreboard);
    e->streams_writes = b->seed / 4 % 2;
    for (unsigned p = 0; p < COV_N; p++)
        BENCH_COVER(b, p, !cover_possible(p));
}

static void style(bench_t *b, env_t *e)
{
    static const unsigned writes[] = {0, 3, 8, 64, 128, 192, 250, 256};
    e->place = vl_below(&b->rng, 3) ? vl_below(&b->rng, PLACES) : ANY_BANK;
    e->rows = vl_below(&b->rng, ROW_STYLES);
    e->writes = writes[vl_below(&b->rng, 8)];
    e->valid = b->mode != PAUSES || vl_below(&b->rng, 3) ? 256 : 4 + vl_below(&b->rng, 120);
    e->bank = vl_below(&b->rng, CH_BANKS);
    e->closed = vl_below(&b->rng, 3) == 0;
    e->fickle = vl_below(&b->rng, 6) == 0;
    e->slow = vl_below(&b->rng, 4) ? 256 : 20 + vl_below(&b->rng, 200);
    e->hold = vl_below(&b->rng, 5) ? 0 : DRAM_FLIGHT;
    e->thin = b->mode == PAUSES && vl_below(&b->rng, 4) == 0;
    if (b->mode == PAUSES)
        e->pause = vl_below(&b->rng, 16) == 0  ? vl_below(&b->rng, 9000)
                   : vl_below(&b->rng, 3) == 0 ? vl_below(&b->rng, 400)
                                               : 0;
    else if (b->mode == CATCH_UP && scoreboard_refreshes_pending(&e->scoreboard) > 2)
        e->pause = 1500;
}

/* Lines in the order of their addresses: bank group, line of the row, bank, row. */
static void walk(env_t *e, txn_t *t, unsigned *r)
{
    unsigned k = e->walk;
    unsigned group = k % DRAM_BANK_GROUPS, line = k / DRAM_BANK_GROUPS % CH_LINES,
             bank = k / (DRAM_BANK_GROUPS * CH_LINES) % DRAM_BANKS;
    t->bank = (uint8_t)(group * DRAM_BANKS + bank);
    t->line = (uint8_t)line;
    *r = k / (CH_BANKS * CH_LINES) % SCOREBOARD_ROWS;
}

static unsigned bank_of(bench_t *b, env_t *e)
{
    unsigned group = e->bank / DRAM_BANKS, bank = e->bank % DRAM_BANKS, any = vl_below(&b->rng, CH_BANKS);
    switch (e->place) {
    case ONE_BANK: return e->bank;
    case ONE_GROUP: return group * DRAM_BANKS + any % DRAM_BANKS;
    case TWO_GROUPS: return (group + (e->walk & 1)) % DRAM_BANK_GROUPS * DRAM_BANKS + bank;
    case ROUND: return e->walk * DRAM_BANKS % CH_BANKS + e->walk / DRAM_BANK_GROUPS % DRAM_BANKS;
    default: return any;
    }
}

static void make(bench_t *b, env_t *e, txn_t *t, unsigned *r)
{
    bool stream = b->mode == STREAM;
    if (stream || e->place == WALK) {
        walk(e, t, r);
    } else {
        t->bank = (uint8_t)(e->thin && e->near && vl_below(&b->rng, 2) ? e->near_bank : bank_of(b, e));
        uint8_t *now = &e->row_now[t->bank];
        if (e->rows == PING_PONG)
            *now ^= 1;
        else if (e->rows == FEW_ROWS || (e->rows == SELDOM && vl_below(&b->rng, 16) == 0))
            *now = (uint8_t)vl_below(&b->rng, SCOREBOARD_ROWS);
        *r = *now % SCOREBOARD_ROWS;
        t->line = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 2) ? 2 : CH_LINES);
    }
    t->row = e->scoreboard.row[*r];
    t->write = stream ? e->streams_writes : vl_chance(&b->rng, e->writes);
    t->id = (uint8_t)vl_below(&b->rng, IDS);
    if (!t->write) {
        for (unsigned n = 0; n < IDS && e->scoreboard.awaited[t->id]; n++)
            t->id = (uint8_t)((t->id + 1) % IDS);
        if (!e->scoreboard.awaited[t->id])
            return;
        t->write = true; /* as many reads inside as there are ids */
    }
    vl_random_wide(&b->rng, 8 * LINE_BYTES, t->data.w);
    unsigned kind = vl_below(&b->rng, 4);
    for (unsigned h = 0; h < BE_WORDS; h++)
        t->be.w[h] = kind == 0 ? ~0ull : kind == 1 ? 1ull << vl_below(&b->rng, 64) : vl_random(&b->rng);
}

/* Bursts from the chips, at once or by a slow PHY. */
static void bursts(bench_t *b, env_t *e, dram_ctrl_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    const uint8_t *data = dram_phy_read(scoreboard_phy);
    if (data) {
        BENCH_CHECK(b, sb->held_count < HELD, "more reads on their way than there can be");
        memcpy(sb->held[(sb->held_first + sb->held_count++) % HELD], data, DRAM_BURST_BYTES);
    }
    if (!e->hold)
        e->holding = false;
    else if (sb->held_count <= 1)
        e->holding = true;
    else if (sb->held_count >= e->hold || vl_below(&b->rng, 256) == 0)
        e->holding = false;
    if (!sb->held_count || e->holding || (b->mode != STREAM && !vl_chance(&b->rng, e->slow)))
        return;
    in->rd_valid = true;
    memcpy(&in->rd, sb->held[sb->held_first], DRAM_BURST_BYTES);
    sb->held_first = (sb->held_first + 1) % HELD;
    sb->held_count--;
}

/* Streaming: the bytes moved, of those that the pins could have moved while no refresh was due. */
static void bandwidth(bench_t *b, env_t *e)
{
    scoreboard_t *sb = &e->scoreboard;
    if (b->cycle == WARM_UP) {
        e->ticks0 = sb->ticks;
        e->bursts0 = sb->bursts;
    }
    if (b->cycle + 1 != b->cycles || b->cycles < 10 * WARM_UP)
        return;
    uint64_t ticks = sb->ticks - e->ticks0, peak = ticks / DRAM_COL_GAP, n = sb->bursts - e->bursts0;
    double share = 100.0 * (double)n / (double)peak,
           refresh = DRAM_TREFI > 0 ? 100.0 * DRAM_TRFC / (DRAM_TREFI + !DRAM_TREFI) : 0;
    printf("streaming %s: %.1f %% of peak, refresh takes %.1f %%\n", e->streams_writes ? "writes" : "reads", share,
           refresh);
    BENCH_CHECK(b, share >= STREAM_PERCENT * (1 - refresh / 100), "streaming reaches %.1f %% of peak", share);
}

static void stimulate(bench_t *b, env_t *e, const dram_ctrl_out_t *out, dram_ctrl_in_t *in)
{
    scoreboard_t *sb = &e->scoreboard;
    if (b->mode != STREAM && b->cycle % STYLE_CYCLES == 0)
        style(b, e);
    dram_ctrl_in_random(&b->rng, in);
    in->txn_valid = in->rd_valid = false;
    in->page = b->mode != STREAM && (e->fickle ? vl_below(&b->rng, 2) : e->closed);

    scoreboard_outputs(b, sb, out);
    bursts(b, e, in);
    scoreboard_pins(b, sb, &out->pins);
    scoreboard_refresh(b, sb, out->idle);
    if (b->mode == STREAM)
        bandwidth(b, e);

    bool column = out->pins.op == PIN_RD || out->pins.op == PIN_WR;
    e->near -= e->near != 0;
    if (column && out->pins.col / DRAM_BURST % LINE_BURSTS == LINE_BURSTS - 2) {
        e->near = COLUMN_CYCLES;
        e->near_bank = out->pins.group * DRAM_BANKS + out->pins.bank;
    }
    if (e->pause) {
        e->pause--;
        return;
    }
    if (b->mode != STREAM
        && (!vl_chance(&b->rng, e->valid) || (e->thin && vl_below(&b->rng, e->near ? COLUMN_CYCLES : LINE_CYCLES))))
        return;
    txn_t t = {0};
    unsigned r;
    make(b, e, &t, &r);
    const bank_status_t *s = &out->status[t.bank];
    if (!s->room) {
        if (b->mode != STREAM && e->place != WALK)
            e->walk++;
        return;
    }
    e->walk++;
    in->txn_valid = true;
    in->txn = t;
    scoreboard_push(b, sb, &t, r);
}

SCOREBOARD_DRIVE_COVERED(dram_ctrl, env_t, stimulate, cover_expect)
BENCH_MAIN(dram_ctrl, env_t, start, drive, cover, COV_N)
