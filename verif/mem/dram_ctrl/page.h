/* The page of dram_ctrl (docs/blocks/dram_ctrl.md) as a program: which command in each cycle, every answer and event. Time is counted in ticks since the beginning, and
 * each wait is the tick from which on the command may go. */
#ifndef VERIF_MEM_DRAM_CTRL_PAGE_H
#define VERIF_MEM_DRAM_CTRL_PAGE_H
#include "dram_ctrl_ports.h"
#include "verif/common/scoreboard.h"
#include "vl_cfg.h"
#include "vl_dram.h"

enum {
    PG_GAP = DRAM_TCCD_S > DRAM_BURST_CLOCKS ? DRAM_TCCD_S : DRAM_BURST_CLOCKS,
    PG_FLIGHT = (DRAM_TCL + DRAM_BURST_CLOCKS) / PG_GAP + 8,
    PG_BURSTS = LINE_BYTES / DRAM_BURST_BYTES,
    PG_LIMIT = DRAM_DIR_LIMIT,
    PG_PATIENCE = 4,
    PG_QUIET = 15,
    PG_RD_TO_WR = DRAM_TCL + DRAM_BURST_CLOCKS + DRAM_TURNAROUND - DRAM_TCWL,
    PG_WR_END = DRAM_TCWL + DRAM_BURST_CLOCKS
};

typedef struct {
    txn_t queue[2];
    unsigned count, n, buf, row;
    bool open, acted;
    uint64_t act, rd, wr, pre; /* from these ticks on */
    uint64_t age; /* the oldest has the least */
} page_bank_t;
typedef struct {
    page_bank_t bank[CH_BANKS];
    struct {
        uint64_t act, rd, wr;
    } group[DRAM_BANK_GROUPS];
    uint64_t act, rd, wr, ref, faw[4], now, ages;
    unsigned faw_next, acc, last_group, streak, lost, due, quiet;
    bool dir, turn;
    enum { PG_RUN, PG_DRAIN, PG_REF } stage;
    int refi;
    struct {
        bool used;
        unsigned id;
        line_data_t line;
    } buffer[DRAM_READ_BUFS];
    struct {
        unsigned a, n;
        bool last;
    } flight[PG_FLIGHT];
    unsigned flights, done_buffer;
    bool done;
    dram_ctrl_out_t out;
} page_t;

static void page_show(page_t *p)
{
    dram_ctrl_out_t *o = &p->out;
    o->idle = !p->done && !o->rsp_valid && o->pins.op == PIN_NOP;
    for (unsigned b = 0; b < CH_BANKS; b++) {
        const page_bank_t *k = &p->bank[b];
        o->status[b] = (bank_status_t){.room = (uint8_t)(2 - k->count),
                                       .open = k->count || k->open,
                                       .row = (uint16_t)(k->count  ? k->queue[k->count - 1].row
                                                         : k->open ? k->row
                                                                   : 0)};
        o->idle &= !k->count;
    }
    for (unsigned a = 0; a < DRAM_READ_BUFS; a++)
        o->idle &= !p->buffer[a].used;
}

static void page_begin(page_t *p)
{
    for (unsigned b = 0; b < CH_BANKS; b++)
        p->bank[b].age = b;
    p->ages = CH_BANKS;
    p->refi = DRAM_TREFI;
    page_show(p);
}

static uint64_t page_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* From which tick on the bank's command `op` may go; false: it has none. */
static bool page_candidate(const page_t *p, unsigned b, unsigned op, bool closed_page, uint64_t *from)
{
    const page_bank_t *k = &p->bank[b];
    const unsigned g = b / DRAM_BANKS;
    const bool ready = k->count && k->open && k->row == k->queue[0].row;
    bool buffer = k->n > 0;
    for (unsigned a = 0; a < DRAM_READ_BUFS; a++)
        buffer |= !p->buffer[a].used;
    switch (op) {
    case PIN_RD:
        *from = page_later(k->rd, page_later(p->group[g].rd, p->rd));
        return ready && !k->queue[0].write && p->flights < PG_FLIGHT && buffer && !(p->turn && !p->dir);
    case PIN_WR:
        *from = page_later(k->wr, page_later(p->group[g].wr, p->wr));
        return ready && k->queue[0].write && !(p->turn && p->dir);
    case PIN_ACT:
        *from = page_later(page_later(k->act, p->group[g].act),
                           page_later(p->act, page_later(p->ref, p->faw[p->faw_next])));
        return k->count && !k->open;
    default: *from = k->pre; return k->open && (k->count ? k->row != k->queue[0].row : closed_page);
    }
}

/* The oldest bank with a command that is ready in this cycle, not of group `not`; -1. */
static int page_oldest(const page_t *p, unsigned op, bool closed_page, unsigned ticks, int not)
{
    int best = -1;
    uint64_t from;
    for (unsigned b = 0; b < CH_BANKS; b++)
        if ((int)(b / DRAM_BANKS) != not&&page_candidate(p, b, op, closed_page, &from)
            && page_later(from, p->now) < p->now + ticks && (best < 0 || p->bank[b].age < p->bank[best].age))
            best = (int)b;
    return best;
}

static int page_column(const page_t *p, unsigned ticks, int not, unsigned *op)
{
    const int r = page_oldest(p, PIN_RD, false, ticks, not), w = page_oldest(p, PIN_WR, false, ticks, not);
    *op = r < 0 || (w >= 0 && p->bank[w].age < p->bank[r].age) ? PIN_WR : PIN_RD;
    return *op == PIN_WR ? w : r;
}

static void page_wait(uint64_t *w, uint64_t until)
{
    *w = page_later(*w, until);
}

/* Step 4. */
static void page_waits(page_t *p, unsigned op, unsigned b, uint64_t t)
{
    page_bank_t *k = &p->bank[b];
    const unsigned g = b / DRAM_BANKS;
    switch (op) {
    case PIN_ACT:
        page_wait(&k->rd, t + DRAM_TRCD_RD);
        page_wait(&k->wr, t + DRAM_TRCD_WR);
        page_wait(&k->pre, t + DRAM_TRAS);
        page_wait(&k->act, t + DRAM_TRC);
        page_wait(&p->group[g].act, t + DRAM_TRRD_L);
        page_wait(&p->act, t + DRAM_TRRD_S);
        page_wait(&p->faw[p->faw_next], t + DRAM_TFAW);
        p->faw_next = (p->faw_next + 1) % 4;
        break;
    case PIN_RD:
        page_wait(&k->pre, t + DRAM_TRTP);
        page_wait(&p->group[g].rd, t + DRAM_TCCD_L);
        page_wait(&p->rd, t + PG_GAP);
        page_wait(&p->wr, t + PG_RD_TO_WR);
        break;
    case PIN_WR:
        page_wait(&k->pre, t + PG_WR_END + DRAM_TWR);
        page_wait(&p->group[g].wr, t + DRAM_TCCD_L);
        page_wait(&p->group[g].rd, t + PG_WR_END + DRAM_TWTR_L);
        page_wait(&p->wr, t + PG_GAP);
        page_wait(&p->rd, t + PG_WR_END + DRAM_TWTR_S);
        break;
    case PIN_PRE: page_wait(&k->act, t + DRAM_TRP); break;
    case PIN_PREA:
        for (unsigned i = 0; i < CH_BANKS; i++)
            page_wait(&p->bank[i].act, t + DRAM_TRP);
        break;
    case PIN_REF: page_wait(&p->ref, t + DRAM_TRFC); break;
    }
}

/* Steps 1 to 3: the command, its bank and its tick. */
static unsigned page_choose(page_t *p, const dram_ctrl_in_t *in, unsigned ticks, unsigned *bank, uint64_t *tick)
{
    const bool closed = in->page == PAGE_CLOSED;
    unsigned op = PIN_NOP;
    uint64_t from = p->ref;
    bool open = false;
    switch (p->stage) {
    case PG_RUN: {
        unsigned col_op;
        int col = page_column(p, ticks, (int)p->last_group, &col_op);
        if (col < 0)
            col = page_column(p, ticks, -1, &col_op);
        const int act = page_oldest(p, PIN_ACT, closed, ticks, -1), pre = page_oldest(p, PIN_PRE, closed, ticks, -1),
                  row = act >= 0 ? act : pre;
        const bool row_goes = row >= 0 && (col < 0 || act >= 0 || p->lost == PG_PATIENCE);
        if (row_goes)
            op = act >= 0 ? PIN_ACT : PIN_PRE, *bank = (unsigned)row;
        else if (col >= 0)
            op = col_op, *bank = (unsigned)col;
        p->lost = pre < 0 || op == PIN_PRE ? 0 : p->lost < PG_PATIENCE ? p->lost + 1 : PG_PATIENCE;
        if (op != PIN_NOP)
            page_candidate(p, *bank, op, closed, tick);
        *tick = page_later(*tick, p->now);
        return op;
    }
    case PG_DRAIN:
        from = 0;
        for (unsigned b = 0; b < CH_BANKS; b++) {
            open |= p->bank[b].open;
            from = page_later(from, p->bank[b].pre);
        }
        op = PIN_PREA;
        break;
    default:
        for (unsigned b = 0; b < CH_BANKS; b++)
            from = page_later(from, p->bank[b].act);
        open = true;
        op = PIN_REF;
    }
    p->lost = 0;
    *tick = page_later(from, p->now);
    return open && *tick < p->now + ticks ? op : PIN_NOP;
}

static void page_expect(page_t *p, const dram_ctrl_in_t *in)
{
    unsigned ticks = 0, bank = 0;
    uint64_t tick = 0;
    dram_ctrl_out_t o = {0};
    bool busy = false, other = false, waited[CH_BANKS], used[DRAM_READ_BUFS];
    for (unsigned b = 0; b < CH_BANKS; b++) {
        const page_bank_t *k = &p->bank[b];
        busy |= k->count != 0;
        waited[b] = k->count > 1;
        other |= k->count && k->open && k->row == k->queue[0].row && k->queue[0].write != p->dir;
    }
    for (unsigned a = 0; a < DRAM_READ_BUFS; a++)
        used[a] = p->buffer[a].used;
    for (p->acc += DRAM_CLK_NUM; p->acc >= DRAM_CLK_DEN; p->acc -= DRAM_CLK_DEN)
        ticks++;

    const unsigned op = page_choose(p, in, ticks, &bank, &tick);
    page_bank_t *k = &p->bank[bank];
    const txn_t head = k->queue[0];
    const bool column = op == PIN_RD || op == PIN_WR, turns = column && (op == PIN_WR) != p->dir;

    /* Events and pins. */
    o.ev = (ev_dram_ctrl_t){.dram_acts = op == PIN_ACT,
                            .dram_reads = op == PIN_RD,
                            .dram_writes = op == PIN_WR,
                            .dram_pres = op == PIN_PRE,
                            .dram_prea = op == PIN_PREA,
                            .dram_refs = op == PIN_REF,
                            .dram_row_hits = column && !k->n && !k->acted,
                            .dram_row_misses = column && !k->n && k->acted,
                            .dram_turnarounds = turns,
                            .dram_busy = busy,
                            .dram_refreshing = busy && p->stage != PG_RUN};
    o.pins.ticks = (uint8_t)ticks;
    o.pins.op = (uint8_t)op;
    if (op != PIN_NOP)
        o.pins.phase = tick - p->now;
    if (column || op == PIN_ACT || op == PIN_PRE) {
        o.pins.group = (uint8_t)(bank / DRAM_BANKS);
        o.pins.bank = (uint8_t)(bank % DRAM_BANKS);
    }
    if (op == PIN_ACT)
        o.pins.row = head.row;
    if (column)
        o.pins.col = (uint16_t)((head.line * PG_BURSTS + k->n) * DRAM_BURST);
    if (op == PIN_WR) {
        memcpy(&o.pins.be, (const uint8_t *)head.be.w + k->n * (DRAM_BURST_BYTES / 8), DRAM_BURST_BYTES / 8);
        memcpy(&o.pins.data, (const uint8_t *)head.data.w + k->n * DRAM_BURST_BYTES, DRAM_BURST_BYTES);
    }
    if (op != PIN_NOP)
        page_waits(p, op, bank, tick);

    /* 3. */
    if (DRAM_TREFI > 0) {
        const unsigned due = p->due;
        bool open = false;
        for (unsigned b = 0; b < CH_BANKS; b++)
            open |= p->bank[b].open;
        if (p->stage == PG_RUN) {
            if (due >= DRAM_REFRESH_POSTPONE || (due && p->quiet == PG_QUIET))
                p->stage = PG_DRAIN;
        } else if (p->stage == PG_DRAIN) {
            if (!open || op == PIN_PREA)
                p->stage = PG_REF;
        } else if (op == PIN_REF) {
            p->stage = PG_RUN;
            p->due--;
        }
        p->refi -= (int)ticks;
        if (p->refi <= 0) {
            p->refi += DRAM_TREFI;
            p->due++;
        }
        p->quiet = busy ? 0 : p->quiet < PG_QUIET ? p->quiet + 1 : PG_QUIET;
    }

    /* 7, the part that needs the head. */
    p->turn = p->streak == PG_LIMIT && !turns && other;
    if (column) {
        p->streak = turns ? 1 : p->streak < PG_LIMIT ? p->streak + 1 : PG_LIMIT;
        p->dir = op == PIN_WR;
        p->last_group = bank / DRAM_BANKS;
    }
    if (op == PIN_RD) {
        if (!k->n) {
            k->buf = 0;
            while (used[k->buf])
                k->buf++;
            p->buffer[k->buf].used = true;
            p->buffer[k->buf].id = head.id;
        }
    }

    /* 8, 9. */
    const bool done = p->done;
    p->done = false;
    o.rsp_valid = done;
    if (done) {
        o.rsp = (txn_rsp_t){(uint8_t)p->buffer[p->done_buffer].id, p->buffer[p->done_buffer].line};
        p->buffer[p->done_buffer].used = false;
    }
    if (in->rd_valid) {
        memcpy((uint8_t *)p->buffer[p->flight[0].a].line.w + p->flight[0].n * DRAM_BURST_BYTES, &in->rd,
               DRAM_BURST_BYTES);
        p->done = p->flight[0].last;
        p->done_buffer = p->flight[0].a;
        memmove(p->flight, p->flight + 1, --p->flights * sizeof *p->flight);
    }
    if (op == PIN_RD) {
        p->flight[p->flights].a = k->buf;
        p->flight[p->flights].n = k->n;
        p->flight[p->flights++].last = k->n + 1 == PG_BURSTS;
    }

    /* 5, 6. */
    if (op == PIN_ACT)
        k->open = k->acted = true, k->row = head.row;
    else if (op == PIN_PRE)
        k->open = false;
    for (unsigned b = 0; op == PIN_PREA && b < CH_BANKS; b++)
        p->bank[b].open = false;
    if (column && ++k->n == PG_BURSTS) {
        k->queue[0] = k->queue[1];
        k->count--;
        k->n = 0;
        k->acted = false;
        if (waited[bank])
            k->age = p->ages++;
    }
    if (in->txn_valid) {
        page_bank_t *to = &p->bank[in->txn.bank];
        if (!to->count)
            to->age = p->ages++;
        if (to->count < 2)
            to->queue[to->count++] = in->txn;
    }
    p->now += ticks;
    p->out = o;
    page_show(p);
}
#endif
