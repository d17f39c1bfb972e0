/* Twin of rtl/mem/dram_ctrl.sv: the commands of one memory channel (docs/blocks/dram_ctrl.md; step numbers are the page's).
 * Because waits are times, nothing has to be counted down, and a cycle in which nothing can happen costs the accumulator and the refresh
 * counter. */
#include "sim_c/mem/dram_ctrl.h"
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"
#include "vl_dram.h"
#include <string.h>

typedef enum { DRAM_RUN, DRAM_DRAIN, DRAM_REF } dram_stage_t;

typedef struct {
    uint16_t row;
    bool write;
} dram_first_t;

typedef struct {
    uint64_t act, rd, wr, pre; /* the first tick at which each command is allowed */
    uint16_t row;
    dram_first_t head; /* of q[first], at hand */
    uint8_t n, buf, first; /* first: the head's place in q */
    bool acted;
    txn_t q[2];
} dram_bank_t;

struct dram_ctrl {
    uint64_t now; /* the first tick of the present cycle */
    uint64_t latest; /* from this tick on no wait holds a command back */
    /* while transactions, buffers and direction stay as they are, no command can go in stage RUN before this tick */
    uint64_t none_until;
    bool closed; /* the page policy for which none_until was computed */
    /* same: the last edge has changed neither banks nor direction, so `other` of step 1 is as it was */
    bool same, other;
    uint32_t acc, refi;
    uint32_t busy, two, open; /* sets of banks: a transaction waits, two wait, a row is open */
    uint8_t kind, stage, due, quiet, lost, last_group, faw_next, rd_first, rd_count, done_buf, rsp_id;
    uint16_t streak;
    bool dir, turn, done, rsp;
    uint32_t used;
    uint64_t group_act[DRAM_BANK_GROUPS], group_rd[DRAM_BANK_GROUPS], group_wr[DRAM_BANK_GROUPS];
    uint64_t chan_act, chan_rd, chan_wr, chan_ref, faw[4];
    uint8_t order[CH_BANKS];
    bank_status_t status[CH_BANKS];
    dram_bank_t bank[CH_BANKS];
    uint8_t id[DRAM_READ_BUFS];
    struct {
        uint8_t buf, n;
        bool last;
    } flight[DRAM_FLIGHT > HOST_DRAM_FLIGHT ? DRAM_FLIGHT : HOST_DRAM_FLIGHT];
    dram_pins_t pins;
    ev_dram_ctrl_t ev;
    line_data_t rsp_data, data[DRAM_READ_BUFS];
};

enum { QUIET = 15 };
_Static_assert(CH_BANKS <= 32, "sets of banks are words");
_Static_assert(DRAM_BURST_BYTES >= 8 && HOST_DRAM_BURST_BYTES >= 8, "the mask of a burst is whole bytes");

/* What depends on the kind of chips. A machine of one kind has constants. */
static bool of_host(const dram_ctrl_t *s)
{
    return DRAM_KINDS > 1 && s->kind;
}

static const dram_numbers_t *numbers(const dram_ctrl_t *s)
{
    return &dram_numbers[of_host(s)];
}

static bool has_refresh(const dram_ctrl_t *s)
{
    return numbers(s)->trefi > 0;
}

/* Column commands of a line; reads on their way, at most. */
static unsigned bursts(const dram_ctrl_t *s)
{
    return of_host(s) ? HOST_LINE_BURSTS : LINE_BURSTS;
}

static unsigned flight_most(const dram_ctrl_t *s)
{
    return of_host(s) ? HOST_DRAM_FLIGHT : DRAM_FLIGHT;
}

size_t dram_ctrl_size(void)
{
    return sizeof(struct dram_ctrl);
}

void dram_ctrl_reset(dram_ctrl_t *s)
{
    const dram_numbers_t *d = numbers(s);
    memset(s, 0, offsetof(struct dram_ctrl, rsp_data));
    for (unsigned b = 0; b < CH_BANKS; b++) {
        s->order[b] = (uint8_t)b;
        s->status[b].room = 2;
    }
    s->refi = d->trefi;
}

void dram_ctrl_kind(dram_ctrl_t *s, unsigned kind)
{
    s->kind = (uint8_t)kind;
    s->refi = numbers(s)->trefi;
}

static bool calm(const dram_ctrl_t *s)
{
    return !s->busy && !s->used && !s->done && !s->rsp && s->pins.op == PIN_NOP;
}

void dram_ctrl_out(const dram_ctrl_t *s, dram_ctrl_out_t *o)
{
    memcpy(o->status, s->status, sizeof o->status);
    o->rsp_valid = s->rsp;
    if (s->rsp) {
        o->rsp.id = s->rsp_id;
        o->rsp.data = s->rsp_data;
    }
    o->pins = s->pins;
    o->idle = calm(s);
    o->ev = s->ev;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void hold(uint64_t *from, uint64_t until)
{
    if (*from < until)
        *from = until;
}

/* The bank's state for a transaction pushed now. */
static void show(dram_ctrl_t *s, unsigned b)
{
    const dram_bank_t *k = &s->bank[b];
    bool busy = s->busy >> b & 1, two = s->two >> b & 1, open = s->open >> b & 1;
    s->status[b].room = (uint8_t)(2 - busy - two);
    s->status[b].open = busy || open;
    s->status[b].row = busy ? k->q[k->first ^ two].row : open ? k->row : 0;
}

static void new_head(dram_bank_t *k)
{
    k->head = (dram_first_t){k->q[k->first].row, k->q[k->first].write};
}

static void youngest(dram_ctrl_t *s, unsigned b)
{
    unsigned i = 0;
    while (s->order[i] != b)
        i++;
    memmove(s->order + i, s->order + i + 1, CH_BANKS - 1 - i);
    s->order[CH_BANKS - 1] = (uint8_t)b;
}

typedef struct {
    uint8_t op, bank;
    uint64_t at;
} choice_t;

/* Steps 1 and 2 in stage RUN. `end`: the tick after the last of this cycle; 0 when it has none, so that nothing is ready. */
static choice_t choose(dram_ctrl_t *s, bool close, uint64_t end)
{
    choice_t none = {PIN_NOP, 0, 0}, col = none, act = none, pre = none;
    bool col_other = false;
    uint32_t look = close ? s->busy | s->open : s->busy;
    uint64_t first = UINT64_MAX;
    bool rd_room = s->rd_count < flight_most(s), buf_room = s->used != (1u << DRAM_READ_BUFS) - 1;
    uint64_t act_from = later(later(s->chan_act, s->chan_ref), s->faw[s->faw_next]);

    for (unsigned i = 0; i < CH_BANKS; i++) {
        unsigned b = s->order[i], g = b / DRAM_BANKS;
        if (!(look >> b & 1))
            continue;
        const dram_bank_t *k = &s->bank[b];
        const dram_first_t *t = &k->head;
        bool busy = s->busy >> b & 1, open = s->open >> b & 1;
        if (busy && open && k->row == t->row) {
            if (s->turn && t->write == s->dir)
                continue;
            if (!t->write && !(rd_room && (k->n || buf_room)))
                continue;
            uint64_t from = t->write ? later(later(k->wr, s->group_wr[g]), s->chan_wr)
                                     : later(later(k->rd, s->group_rd[g]), s->chan_rd);
            bool other = g != s->last_group;
            first = from < first ? from : first;
            if (from < end && (col.op == PIN_NOP || (other && !col_other))) {
                col = (choice_t){t->write ? PIN_WR : PIN_RD, (uint8_t)b, from};
                col_other = other;
            }
        } else if (open) {
            first = k->pre < first ? k->pre : first;
            if (pre.op == PIN_NOP && k->pre < end)
                pre = (choice_t){PIN_PRE, (uint8_t)b, k->pre};
        } else if (act.op == PIN_NOP) {
            uint64_t from = later(later(k->act, s->group_act[g]), act_from);
            first = from < first ? from : first;
            if (from < end)
                act = (choice_t){PIN_ACT, (uint8_t)b, from};
        }
    }
    choice_t row = act.op != PIN_NOP ? act : pre;
    bool row_goes = row.op != PIN_NOP && (col.op == PIN_NOP || row.op == PIN_ACT || s->lost == DRAM_ROW_PATIENCE);
    choice_t go = row_goes ? row : col;
    if (pre.op == PIN_NOP || go.op == PIN_PRE)
        s->lost = 0;
    else if (s->lost < DRAM_ROW_PATIENCE)
        s->lost++;
    if (go.op == PIN_NOP)
        s->none_until = first;
    return go;
}

/* Step 3: the command of stages DRAIN and REF, and the stage that follows. */
static choice_t refresh(dram_ctrl_t *s, uint64_t end)
{
    choice_t go = {PIN_NOP, 0, 0};
    uint64_t from = s->stage == DRAM_REF ? s->chan_ref : 0;
    for (unsigned b = 0; b < CH_BANKS; b++)
        from = later(from, s->stage == DRAM_REF ? s->bank[b].act : s->bank[b].pre);
    s->lost = 0;
    if (s->stage == DRAM_DRAIN && !s->open) {
        s->stage = DRAM_REF;
    } else if (from < end) {
        go = (choice_t){s->stage == DRAM_REF ? PIN_REF : PIN_PREA, 0, from};
        s->stage = s->stage == DRAM_REF ? DRAM_RUN : DRAM_REF;
    }
    return go;
}

/* Steps 4, 5, 7, 10 for ACT, PRE, PREA, REF in tick t. */
static void row_command(dram_ctrl_t *s, unsigned op, unsigned b, uint64_t t)
{
    const dram_numbers_t *d = numbers(s);
    dram_bank_t *k = &s->bank[b];
    unsigned g = b / DRAM_BANKS;
    switch (op) {
    case PIN_ACT:
        k->row = k->q[k->first].row;
        k->acted = true;
        s->open |= 1u << b;
        hold(&k->rd, t + d->trcd_rd);
        hold(&k->wr, t + d->trcd_wr);
        hold(&k->pre, t + d->tras);
        hold(&k->act, t + d->trc);
        hold(&s->group_act[g], t + d->trrd_l);
        hold(&s->chan_act, t + d->trrd_s);
        hold(&s->faw[s->faw_next], t + d->tfaw);
        s->faw_next = (s->faw_next + 1) & 3;
        s->pins.row = k->row;
        s->ev.dram_acts = true;
        break;
    case PIN_PRE:
        s->open &= ~(1u << b);
        hold(&k->act, t + d->trp);
        show(s, b);
        s->ev.dram_pres = true;
        break;
    case PIN_PREA: {
        uint32_t was = s->open;
        s->open = 0;
        for (unsigned i = 0; i < CH_BANKS; i++) {
            hold(&s->bank[i].act, t + d->trp);
            if (was >> i & 1)
                show(s, i);
        }
        s->ev.dram_prea = true;
        break;
    }
    default:
        hold(&s->chan_ref, t + d->trfc);
        s->due--;
        s->ev.dram_refs = true;
        break;
    }
}

/* The same for RD and WR, with step 6 for the bank of the head that leaves. */
static void column_command(dram_ctrl_t *s, bool write, unsigned b, uint64_t t)
{
    const dram_numbers_t *d = numbers(s);
    dram_bank_t *k = &s->bank[b];
    const txn_t *x = &k->q[k->first];
    unsigned g = b / DRAM_BANKS, n = k->n;
    bool last = n + 1 == bursts(s);
    if (write) {
        hold(&k->pre, t + d->wr_to_pre);
        hold(&s->group_wr[g], t + d->tccd_l);
        hold(&s->group_rd[g], t + d->wr_to_rd_l);
        hold(&s->chan_wr, t + d->col_gap);
        hold(&s->chan_rd, t + d->wr_to_rd_s);
        memcpy(&s->pins.be, (const uint8_t *)x->be.w + n * d->burst_bytes / 8, d->burst_bytes / 8);
        memcpy(&s->pins.data, (const uint8_t *)x->data.w + n * d->burst_bytes, d->burst_bytes);
        s->ev.dram_writes = true;
    } else {
        hold(&k->pre, t + d->trtp);
        hold(&s->group_rd[g], t + d->tccd_l);
        hold(&s->chan_rd, t + d->col_gap);
        hold(&s->chan_wr, t + d->rd_to_wr);
        if (!n) {
            k->buf = (uint8_t)__builtin_ctz(~s->used);
            s->used |= 1u << k->buf;
            s->id[k->buf] = x->id;
        }
        unsigned tail = (s->rd_first + s->rd_count++) % flight_most(s);
        s->flight[tail].buf = k->buf;
        s->flight[tail].n = (uint8_t)n;
        s->flight[tail].last = last;
        s->ev.dram_reads = true;
    }
    s->pins.col = (uint16_t)((x->line * bursts(s) + n) * d->burst);
    s->ev.dram_row_hits = !n && !k->acted;
    s->ev.dram_row_misses = !n && k->acted;
    s->ev.dram_turnarounds = write != s->dir;
    s->streak = (uint16_t)(write != s->dir ? 1 : s->streak < DRAM_DIR_LIMIT ? s->streak + 1 : DRAM_DIR_LIMIT);
    s->dir = write;
    s->last_group = (uint8_t)g;
    k->n++;
    if (last) {
        k->n = 0;
        k->acted = false;
        k->first ^= 1;
        if (s->two >> b & 1) {
            s->two &= ~(1u << b);
            new_head(k);
            youngest(s, b);
        } else {
            s->busy &= ~(1u << b);
        }
        show(s, b);
    }
}

/* Steps 8 and 9. A buffer given up at this edge is seen free from the next one on. */
static uint32_t read_data(dram_ctrl_t *s, const dram_ctrl_in_t *in)
{
    const dram_numbers_t *d = numbers(s);
    uint32_t give = 0;
    s->rsp = s->done;
    if (s->done) {
        s->rsp_id = s->id[s->done_buf];
        s->rsp_data = s->data[s->done_buf];
        give = 1u << s->done_buf;
    }
    s->done = false;
    if (in->rd_valid) {
        unsigned f = s->rd_first;
        memcpy((uint8_t *)s->data[s->flight[f].buf].w + s->flight[f].n * d->burst_bytes, &in->rd, d->burst_bytes);
        s->done = s->flight[f].last;
        s->done_buf = s->flight[f].buf;
        s->rd_first = (uint8_t)((f + 1) % flight_most(s));
        s->rd_count--;
    }
    return give;
}

/* Some bank could go on in the direction that is not `dir`. */
static bool other_waits(const dram_ctrl_t *s)
{
    for (uint32_t m = s->busy & s->open; m; m &= m - 1) {
        const dram_bank_t *k = &s->bank[__builtin_ctz(m)];
        if (k->head.write != s->dir && k->head.row == k->row)
            return true;
    }
    return false;
}

static unsigned ticks_of(const dram_ctrl_t *s)
{
    uint32_t sum = s->acc + dram_clk_num(s->kind);
    return sum >= 2u * dram_clk_den(s->kind) ? 2 : sum >= (uint32_t)dram_clk_den(s->kind);
}

/* True when ticks alone pass: no transaction, nothing shown, awaited, to be closed or refreshed. */
static bool still(const dram_ctrl_t *s, bool close)
{
    static const ev_dram_ctrl_t none;
    return calm(s) && s->stage == DRAM_RUN && !s->due && !(close && s->open) && !s->lost
           && !memcmp(&s->ev, &none, sizeof none);
}

static void pass(dram_ctrl_t *s, unsigned ticks)
{
    const dram_numbers_t *d = numbers(s);
    s->acc += dram_clk_num(s->kind) - ticks * dram_clk_den(s->kind);
    s->pins.ticks = (uint8_t)ticks;
    if (s->now < s->latest || has_refresh(s))
        s->now += ticks;
    if (has_refresh(s)) {
        s->refi -= ticks;
        if ((int32_t)s->refi <= 0) {
            s->refi += d->trefi;
            s->due++;
        }
    }
}

void dram_ctrl_tick(dram_ctrl_t *s, const dram_ctrl_in_t *in)
{
    const dram_numbers_t *d = numbers(s);
    unsigned ticks = ticks_of(s);
    bool close = in->page == PAGE_CLOSED;
    if (!in->txn_valid && !in->rd_valid && still(s, close)) {
        s->quiet += has_refresh(s) && s->quiet < QUIET;
        s->turn = false;
        pass(s, ticks);
        return;
    }

    bool forced =
        s->stage == DRAM_RUN && has_refresh(s) && (s->due >= d->refresh_postpone || (s->due && s->quiet == QUIET));
    if (!s->same)
        s->other = s->streak == DRAM_DIR_LIMIT && other_waits(s);
    const bool other = s->other, flight_full = s->rd_count == flight_most(s),
               bufs_full = s->used == (1u << DRAM_READ_BUFS) - 1;
    uint64_t now = s->now, end = ticks ? now + ticks : 0;
    if (has_refresh(s))
        s->quiet = s->busy ? 0 : (uint8_t)(s->quiet + (s->quiet < QUIET));
    s->ev = (ev_dram_ctrl_t){.dram_busy = s->busy != 0, .dram_refreshing = s->busy && s->stage != DRAM_RUN};

    choice_t go = {PIN_NOP, 0, 0};
    if (s->stage != DRAM_RUN)
        go = refresh(s, end);
    else if (end > s->none_until || close != s->closed)
        go = choose(s, close, end);
    else
        s->lost = 0;
    s->closed = close;
    if (forced)
        s->stage = DRAM_DRAIN;
    if (s->pins.op != PIN_NOP)
        memset(&s->pins, 0, sizeof s->pins);
    uint32_t give = read_data(s, in);
    if (go.op != PIN_NOP) {
        uint64_t t = later(go.at, now);
        s->latest = t + d->trfc + d->trc + d->wr_to_pre + d->wr_to_rd_l + d->rd_to_wr + d->tfaw + d->col_gap;
        s->pins.op = go.op;
        s->pins.phase = t != now;
        if (go.op != PIN_PREA && go.op != PIN_REF) {
            s->pins.group = go.bank / DRAM_BANKS;
            s->pins.bank = go.bank % DRAM_BANKS;
        }
        if (go.op == PIN_RD || go.op == PIN_WR)
            column_command(s, go.op == PIN_WR, go.bank, t);
        else
            row_command(s, go.op, go.bank, t);
    }
    s->used &= ~give;
    const bool turn = other && !s->ev.dram_turnarounds;
    s->same = go.op == PIN_NOP && !in->txn_valid;
    if (s->stage != DRAM_RUN || !s->same || (in->rd_valid && flight_full) || (give && bufs_full) || turn != s->turn)
        s->none_until = 0;
    s->turn = turn;

    if (in->txn_valid) {
        unsigned b = in->txn.bank;
        dram_bank_t *k = &s->bank[b];
        bool behind = s->busy >> b & 1;
        k->q[k->first ^ behind] = in->txn;
        if (behind) {
            s->two |= 1u << b;
        } else {
            s->busy |= 1u << b;
            new_head(k);
            youngest(s, b);
        }
        show(s, b);
    }
    pass(s, ticks);
}

/* As long as no refresh becomes due. */
uint64_t dram_ctrl_due(const dram_ctrl_t *s, bool page)
{
    if (!still(s, page == PAGE_CLOSED) || (!has_refresh(s) && s->now < s->latest))
        return 0;
    return has_refresh(s) ? ((uint64_t)s->refi * dram_clk_den(s->kind) - 1 - s->acc) / dram_clk_num(s->kind)
                          : UINT64_MAX;
}

void dram_ctrl_skip(dram_ctrl_t *s, uint64_t edges)
{
    if (!edges)
        return;
    uint64_t ticks = dram_ticks(s->kind, s->acc, edges), before = dram_ticks(s->kind, s->acc, edges - 1);
    s->acc = dram_acc(s->kind, s->acc, edges);
    s->pins.ticks = (uint8_t)(ticks - before);
    s->turn = false;
    if (has_refresh(s)) {
        s->now += ticks;
        s->quiet = edges < QUIET && s->quiet + edges < QUIET ? (uint8_t)(s->quiet + edges) : QUIET;
        s->refi -= (uint32_t)ticks;
    }
}

/* The accumulator stands only at one or two ticks in every cycle, and the refresh counter never, where there is one. */
bool dram_ctrl_idle(const dram_ctrl_t *s)
{
    bool steady = !has_refresh(s) && dram_clk_num(s->kind) % dram_clk_den(s->kind) == 0;
    return steady && still(s, s->open != 0) && !s->turn && s->now >= s->latest && s->pins.ticks == ticks_of(s);
}
