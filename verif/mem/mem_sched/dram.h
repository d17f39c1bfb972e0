/* A dram_ctrl of few words for the bench of mem_sched: two transactions a bank, performed in their order at random times on arrays of bytes; rows stay
 * open or are closed at random; answers in any order. It also holds the contents of memory. */
#ifndef VERIF_MEM_SCHED_DRAM_H
#define VERIF_MEM_SCHED_DRAM_H
#include "verif/common/bench.h"
#include "verif/common/places.h"
#include "mem_sched_ports.h"
#include "vl_dram.h"

/* Lines of the pool: RANDOM_LINES at random places, then a whole row and two lines of another row of its bank. */
enum {
    RANDOM_LINES = 64,
    POOL = RANDOM_LINES + ROW_LINES + 2,
    HIT_LINE = RANDOM_LINES,
    MISS_LINE = RANDOM_LINES + ROW_LINES
};
/* Reads of every kind are the same to flat memory. */
static uint8_t some_read(bench_t *b)
{
    static const uint8_t reads[] = {HOME_READ, HOME_READ_OWN, HOME_N_READ};
    return reads[vl_below(&b->rng, 3)];
}

enum { DRAM_ANSWERS = L2_SLICES << HOME_ID_W };

typedef struct {
    place_t place[POOL];
    uint64_t addr[POOL];
    line_data_t mem[POOL];
    struct {
        unsigned count;
        txn_t q[2];
        uint64_t since;
        bool open;
        uint16_t row;
    } bank[CH_BANKS];
    txn_rsp_t answer[DRAM_ANSWERS];
    unsigned answers;
    /* style */
    unsigned serve, answer_rate, close, pause; /* of 256; pause: cycles that a transaction is the head at least */
    uint64_t stuck; /* banks that do nothing */
    uint64_t blocked; /* banks that show no room */
    bool instant; /* transactions are served at once */
} dram_t;

static unsigned dram_find(const dram_t *d, unsigned bank, unsigned row, unsigned line)
{
    for (unsigned k = 0; k < POOL; k++)
        if (d->place[k].bank == bank && d->place[k].row == row && d->place[k].line == line)
            return k;
    return POOL;
}

static void put_bytes(line_data_t *to, const line_data_t *from, const line_be_t *be)
{
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (be->w[i / 64] >> i % 64 & 1)
            ((uint8_t *)to->w)[i] = ((const uint8_t *)from->w)[i];
}

static void dram_status(const dram_t *d, mem_sched_in_t *in)
{
    for (unsigned b = 0; b < CH_BANKS; b++) {
        bool open = d->bank[b].count || d->bank[b].open;
        in->status[b] =
            (bank_status_t){d->blocked >> b & 1 ? 0 : 2 - d->bank[b].count, open, open ? d->bank[b].row : 0};
    }
}

static bool dram_empty(const dram_t *d)
{
    for (unsigned b = 0; b < CH_BANKS; b++)
        if (d->bank[b].count)
            return false;
    return !d->answers;
}

/* One cycle: the status is that of before, then the transaction shown comes in. */
static void dram_cycle(bench_t *b, dram_t *d, const mem_sched_out_t *out, mem_sched_in_t *in)
{
    dram_status(d, in);
    if (d->answers && (d->instant || vl_chance(&b->rng, d->answer_rate))) {
        unsigned i = vl_below(&b->rng, d->answers);
        in->txn_rsp_valid = true;
        in->txn_rsp = d->answer[i];
        d->answer[i] = d->answer[--d->answers];
    }
    if (out->txn_valid) {
        unsigned k = out->txn.bank;
        BENCH_CHECK(b, d->bank[k].count < 2 && !(d->blocked >> k & 1), "a transaction for bank %u, which has no room",
                    k);
        if (b->failed)
            return;
        d->bank[k].since = d->bank[k].count ? d->bank[k].since : b->cycle;
        d->bank[k].q[d->bank[k].count++] = out->txn;
        d->bank[k].row = out->txn.row;
        d->bank[k].open = true;
    }
    for (unsigned k = 0; k < CH_BANKS; k++) {
        if (!d->bank[k].count) {
            if (d->close && vl_chance(&b->rng, d->close))
                d->bank[k].open = false;
            continue;
        }
        if (!d->instant
            && (d->stuck >> k & 1 || b->cycle < d->bank[k].since + d->pause || !vl_chance(&b->rng, d->serve)))
            continue;
        const txn_t *t = &d->bank[k].q[0];
        unsigned line = dram_find(d, t->bank, t->row, t->line);
        if (line == POOL) {
            BENCH_CHECK(b, false, "a transaction for a line that nobody asked for");
            return;
        }
        if (t->write) {
            put_bytes(&d->mem[line], &t->data, &t->be);
        } else {
            BENCH_CHECK(b, d->answers < DRAM_ANSWERS, "more reads than there are ids");
            if (d->answers < DRAM_ANSWERS)
                d->answer[d->answers++] = (txn_rsp_t){t->id, d->mem[line]};
        }
        d->bank[k].q[0] = d->bank[k].q[1];
        d->bank[k].count--;
        d->bank[k].since = b->cycle + 1;
    }
}
#endif
