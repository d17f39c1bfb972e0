/* Functional coverage of dram_ctrl, read off the state of its page (page.h): the points that the page lists. */
#ifndef VERIF_DRAM_CTRL_COVER_H
#define VERIF_DRAM_CTRL_COVER_H
#include "verif/mem/dram_ctrl/page.h"

enum {
    COV_PHASE0,
    COV_PHASE1 = COV_PHASE0 + 6, /* ACT, RD, WR, PRE, PREA, REF */
    COV_RD_BANK = COV_PHASE1 + 6,
    COV_RD_GROUP,
    COV_RD_CHAN,
    COV_WR_BANK,
    COV_WR_GROUP,
    COV_WR_CHAN, /* waits that hold alone */
    COV_ACT_BANK,
    COV_ACT_GROUP,
    COV_ACT_CHAN,
    COV_ACT_REF,
    COV_ACT_FAW,
    COV_PRE,
    COV_PREA,
    COV_REF_BANK,
    COV_REF_CHAN,
    COV_QUEUES,
    COV_POP_PUSH,
    COV_TWO_YOUNGEST,
    COV_SAME_GROUP,
    COV_OTHER_GROUP,
    COV_RD_WR,
    COV_WR_RD,
    COV_TURN_RD,
    COV_TURN_WR,
    COV_BUFFERS,
    COV_BUFFERS_STALL,
    COV_FLIGHT,
    COV_LOST,
    COV_ACT_FIRST,
    COV_REF_QUIET,
    COV_REF_FORCED,
    COV_REF_OPEN,
    COV_REF_CLOSED,
    COV_REF_LINE,
    COV_TXN_RUN,
    COV_TXN_DRAIN,
    COV_TXN_REF,
    COV_OPEN_HIT,
    COV_CLOSED_PRE,
    COV_POLICY,
    COV_TICKS,
    COV_RD_COMES = COV_TICKS + 3,
    COV_N
};
static const char *const cover[] = {"ACT at phase 0",
                                    "RD at phase 0",
                                    "WR at phase 0",
                                    "PRE at phase 0",
                                    "PREA at phase 0",
                                    "REF at phase 0",
                                    "ACT at phase 1",
                                    "RD at phase 1",
                                    "WR at phase 1",
                                    "PRE at phase 1",
                                    "PREA at phase 1",
                                    "REF at phase 1",
                                    "RD: the bank's wait alone",
                                    "RD: the group's wait alone",
                                    "RD: the channel's wait alone",
                                    "WR: the bank's wait alone",
                                    "WR: the group's wait alone",
                                    "WR: the channel's wait alone",
                                    "ACT: the bank's wait alone",
                                    "ACT: the group's wait alone",
                                    "ACT: the channel's wait alone",
                                    "ACT: the wait for a refresh alone",
                                    "ACT: tFAW alone",
                                    "PRE waits",
                                    "PREA waits",
                                    "REF: a bank's wait alone",
                                    "REF: the wait for a refresh alone",
                                    "two transactions in every bank at once",
                                    "pop and push of a bank at one edge",
                                    "a head leaves and another bank gets its first at one edge",
                                    "column in the same group",
                                    "column in another group",
                                    "RD to WR",
                                    "WR to RD",
                                    "turn: reads give way",
                                    "turn: writes give way",
                                    "all read buffers used",
                                    "RD without a free buffer",
                                    "flight full",
                                    "PRE lost its patience and displaces a column",
                                    "ACT displaces a column",
                                    "refresh when quiet",
                                    "refresh forced",
                                    "refresh with rows open",
                                    "refresh with none open",
                                    "refresh in the middle of a line",
                                    "transaction in RUN",
                                    "transaction in DRAIN",
                                    "transaction in REF",
                                    "hit in a row that stayed open",
                                    "row closed because nothing waits",
                                    "policy changes under way",
                                    "a cycle of no tick",
                                    "a cycle of one tick",
                                    "a cycle of two ticks",
                                    "burst in the cycle of a RD"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

/* Points that the timing set or the clocks exclude: two waits that always end together never hold alone. verif/mem/dram-sets runs other sets. */
static bool cover_possible(unsigned p)
{
    const int groups = DRAM_BANK_GROUPS, num = DRAM_CLK_NUM, den = DRAM_CLK_DEN, refresh = DRAM_TREFI,
              rrd = DRAM_TRRD_L - DRAM_TRRD_S, ccd = DRAM_TCCD_L - DRAM_COL_GAP;
    const int wtr = DRAM_WR_TO_RD_L - DRAM_WR_TO_RD_S, faw = DRAM_TFAW - 4 * DRAM_TRRD_S;
    if (p == COV_PHASE0 + 4 || p == COV_PHASE0 + 5 || p == COV_ACT_REF || (p >= COV_PREA && p <= COV_REF_CHAN)
        || (p >= COV_REF_QUIET && p <= COV_REF_LINE) || p == COV_TXN_DRAIN || p == COV_TXN_REF)
        return refresh > 0;
    if (p >= COV_PHASE1 && p < COV_RD_BANK)
        return num > den && (refresh > 0 || p < COV_PHASE1 + 4);
    switch (p) {
    case COV_BUFFERS:
    case COV_BUFFERS_STALL: return DRAM_READ_BUFS < 8; /* `flight` is full before sixteen are used */
    case COV_FLIGHT: return DRAM_READ_BUFS * LINE_BURSTS >= DRAM_FLIGHT;
    case COV_LOST: return 4 * DRAM_COL_GAP * den <= 5 * num; /* columns in 4 of 5 cycles */
    case COV_RD_GROUP: return ccd > 0 || wtr > 0;
    case COV_WR_GROUP: return ccd > 0;
    case COV_RD_CHAN: return groups > 1 || ccd < 0 || wtr < 0;
    case COV_ACT_GROUP: return rrd > 0;
    case COV_ACT_CHAN: return groups > 1 || rrd < 0;
    case COV_ACT_FAW: return faw > 0;
    case COV_OTHER_GROUP: return groups > 1;
    case COV_TICKS: return num < den;
    case COV_TICKS + 1: return num < 2 * den;
    case COV_TICKS + 2: return num > den;
    default: return true;
    }
}

/* Exactly one of the times lies behind this cycle: which, or -1. */
static int cover_alone(uint64_t end, unsigned n, const uint64_t *from)
{
    int k = -1;
    for (unsigned i = 0; i < n; i++)
        if (from[i] >= end) {
            if (k >= 0)
                return -1;
            k = (int)i;
        }
    return k;
}

static void cover_wait(bench_t *b, unsigned first, uint64_t end, unsigned n, const uint64_t *from)
{
    int k = cover_alone(end, n, from);
    BENCH_COVER(b, first + (unsigned)k, k >= 0);
}

static uint32_t cover_buffers(const page_t *s)
{
    uint32_t used = 0;
    for (unsigned a = 0; a < DRAM_READ_BUFS; a++)
        used |= (uint32_t)s->buffer[a].used << a;
    return used;
}

/* page_expect, and the coverage of that edge. */
static void cover_expect(bench_t *b, page_t *s, const dram_ctrl_in_t *in)
{
    static bool page;
    uint32_t sum = s->acc + DRAM_CLK_NUM;
    unsigned ticks = (sum >= DRAM_CLK_DEN) + (sum >= 2 * DRAM_CLK_DEN);
    uint64_t end = ticks ? s->now + ticks : 0, act_max = 0, pre_max = 0;
    const uint32_t every = CH_BANKS == 32 ? ~0u : (1u << CH_BANKS) - 1, buffers = (1u << DRAM_READ_BUFS) - 1,
                   taken = cover_buffers(s);
    uint32_t column = 0, middle = 0, busy = 0, two = 0, open = 0;
    for (unsigned i = 0; i < CH_BANKS; i++) {
        const page_bank_t *k = &s->bank[i];
        busy |= (uint32_t)(k->count != 0) << i;
        two |= (uint32_t)(k->count > 1) << i;
        open |= (uint32_t)k->open << i;
    }
    for (unsigned i = 0; i < CH_BANKS; i++) {
        const page_bank_t *k = &s->bank[i];
        const txn_t *t = &k->queue[0];
        unsigned g = i / DRAM_BANKS;
        act_max = k->act > act_max ? k->act : act_max;
        pre_max = k->pre > pre_max ? k->pre : pre_max;
        middle |= (uint32_t)(k->n != 0) << i;
        if (s->stage != PG_RUN || !(k->count || (k->open && in->page == PAGE_CLOSED)))
            continue;
        if (k->open && !(k->count && k->row == t->row)) {
            BENCH_COVER(b, COV_PRE, k->pre >= end);
        } else if (!k->open) {
            cover_wait(b, COV_ACT_BANK, end, 5,
                       (uint64_t[]){k->act, s->group[g].act, s->act, s->ref, s->faw[s->faw_next]});
        } else if (!(s->turn && t->write == s->dir)) {
            uint64_t wr[] = {k->wr, s->group[g].wr, s->wr}, rd[] = {k->rd, s->group[g].rd, s->rd};
            const uint64_t *w = t->write ? wr : rd;
            cover_wait(b, t->write ? COV_WR_BANK : COV_RD_BANK, end, 3, w);
            BENCH_COVER(b, COV_BUFFERS_STALL, !t->write && !k->n && taken == buffers);
            if (w[0] < end && w[1] < end && w[2] < end
                && (t->write || (s->flights < PG_FLIGHT && (k->n || taken != buffers))))
                column |= 1u << i;
        }
    }
    BENCH_COVER(b, COV_TICKS + ticks, true);
    BENCH_COVER(b, COV_QUEUES, two == every);
    BENCH_COVER(b, COV_BUFFERS, taken == buffers);
    BENCH_COVER(b, COV_FLIGHT, s->flights == PG_FLIGHT);
    BENCH_COVER(b, COV_TXN_RUN + s->stage, in->txn_valid);
    BENCH_COVER(b, COV_POLICY, in->page != page && busy);
    page = in->page;
    if (s->stage == PG_DRAIN) {
        BENCH_COVER(b, COV_REF_CLOSED, !open);
        BENCH_COVER(b, COV_PREA, open && pre_max >= end);
    }
    if (s->stage == PG_REF)
        cover_wait(b, COV_REF_BANK, end, 2, (uint64_t[]){act_max, s->ref});

    const bool dir = s->dir, turn = s->turn, quiet = s->quiet == PG_QUIET;
    const unsigned stage = s->stage, lost = s->lost, group = s->last_group, due = s->due;
    page_expect(s, in);
    const ev_dram_ctrl_t *v = &s->out.ev;
    unsigned op = s->out.pins.op, bank = s->out.pins.group * DRAM_BANKS + s->out.pins.bank;
    bool col = v->dram_reads || v->dram_writes, pop = col && s->bank[bank].n == 0;
    BENCH_COVER(b, (s->out.pins.phase ? COV_PHASE1 : COV_PHASE0) + op - 1, op != PIN_NOP);
    BENCH_COVER(b, COV_POP_PUSH, pop && in->txn_valid && in->txn.bank == bank);
    BENCH_COVER(b, COV_TWO_YOUNGEST,
                pop && two >> bank & 1 && in->txn_valid && in->txn.bank != bank && !(busy >> in->txn.bank & 1));
    BENCH_COVER(b, COV_SAME_GROUP, col && s->last_group == group);
    BENCH_COVER(b, COV_OTHER_GROUP, col && s->last_group != group);
    BENCH_COVER(b, COV_RD_WR, v->dram_turnarounds && !dir);
    BENCH_COVER(b, COV_WR_RD, v->dram_turnarounds && dir);
    BENCH_COVER(b, COV_TURN_RD, v->dram_turnarounds && turn && !dir);
    BENCH_COVER(b, COV_TURN_WR, v->dram_turnarounds && turn && dir);
    BENCH_COVER(b, COV_LOST, v->dram_pres && column && lost == PG_PATIENCE);
    BENCH_COVER(b, COV_ACT_FIRST, v->dram_acts && column);
    BENCH_COVER(b, COV_OPEN_HIT, v->dram_row_hits);
    BENCH_COVER(b, COV_CLOSED_PRE, v->dram_pres && !(busy >> bank & 1));
    BENCH_COVER(b, COV_RD_COMES, v->dram_reads && in->rd_valid);
    if (stage == PG_RUN && s->stage == PG_DRAIN) {
        BENCH_COVER(b, COV_REF_QUIET, quiet && due < DRAM_REFRESH_POSTPONE);
        BENCH_COVER(b, COV_REF_FORCED, due >= DRAM_REFRESH_POSTPONE);
    }
    BENCH_COVER(b, COV_REF_OPEN, v->dram_prea && open);
    BENCH_COVER(b, COV_REF_LINE, v->dram_refs && middle);
}
#endif
