/* Results of the requests, whatever the scheduler does inside: each read is answered once, with the bytes that the requests to its line that were
 * taken before it have left; each write reaches memory once, alone or merged; walks of a slice keep their order in Golden; idle means nothing is inside. */
#ifndef VERIF_MEM_SCHED_SCOREBOARD_H
#define VERIF_MEM_SCHED_SCOREBOARD_H
#include "verif/mem/mem_sched/dram.h"

enum { IDS = 1 << HOME_ID_W };
typedef struct {
    bool busy, sent, golden;
    unsigned line;
    uint64_t number, since;
    line_data_t want;
} awaited_t;
typedef struct {
    line_data_t prog[POOL]; /* contents after all requests taken */
    awaited_t awaited[L2_SLICES][IDS];
    unsigned reads;
    uint64_t number, writes, written; /* written: merged or sent */
    bool last_txn;
    unsigned inside[3][2]; /* reads, writes in the queues: in this cycle, the one before, and that before it */
    bool draining; /* in the cycle before the last, when the entry that goes now was chosen */
} scoreboard_t;

static void scoreboard_take(bench_t *b, scoreboard_t *sb, const dram_t *d, unsigned slice, const home_req_t *r,
                            unsigned line, bool mask)
{
    (void)d;
    if (r->op == HOME_WRITE_BACK) {
        put_bytes(&sb->prog[line], &r->data, &r->be);
        sb->writes++;
        return;
    }
    awaited_t *a = &sb->awaited[slice][r->id];
    BENCH_CHECK(b, !a->busy, "the bench uses an id twice");
    *a = (awaited_t){.busy = true,
                     .golden = mask && r->cls,
                     .line = line,
                     .number = ++sb->number,
                     .since = b->cycle,
                     .want = sb->prog[line]};
    sb->reads++;
}

/* The policy's mode moves: which queue the walks inside go to cannot be known from outside. */
static void scoreboard_mode(scoreboard_t *sb)
{
    for (unsigned s = 0; s < L2_SLICES; s++)
        for (unsigned i = 0; i < IDS; i++)
            sb->awaited[s][i].golden = false;
}

static bool scoreboard_clear(const scoreboard_t *sb)
{
    return !sb->reads && sb->writes == sb->written;
}

static void scoreboard_outputs(bench_t *b, scoreboard_t *sb, const dram_t *d, const mem_sched_out_t *out)
{
    static const line_be_t no_be;
    static const line_data_t no_data;
    BENCH_CHECK(b, !(out->txn_valid && sb->last_txn), "transactions in two cycles, one after the other");
    sb->last_txn = out->txn_valid;
    sb->written += out->ev.sched_merges + (out->txn_valid && out->txn.write);
    BENCH_CHECK(b, sb->written <= sb->writes, "a write too many");
    const ev_mem_sched_t *v = &out->ev;
    memmove(sb->inside + 1, sb->inside, 2 * sizeof *sb->inside);
    sb->inside[0][0] += v->sched_golden + v->sched_silver + v->sched_normal - v->sched_reads_out;
    sb->inside[0][1] += v->sched_writes - v->sched_writes_out;
    BENCH_CHECK(b,
                sb->inside[1][0] == (unsigned)(v->occ_golden + v->occ_silver + v->occ_normal)
                    && sb->inside[1][1] == v->occ_writes,
                "entries that nobody sent, or too few");
    BENCH_CHECK(b,
                out->txn_valid == (v->sched_reads_out || v->sched_writes_out)
                    && (!out->txn_valid || out->txn.write == v->sched_writes_out),
                "events and transaction differ");
    BENCH_CHECK(b, !v->sched_writes_out || v->sched_late || v->sched_urgent || sb->draining || !sb->inside[2][0],
                "a write goes before reads");
    sb->draining = v->sched_drain;
    if (out->txn_valid && !out->txn.write) {
        const txn_t *t = &out->txn;
        unsigned slice = t->id >> HOME_ID_W, line = dram_find(d, t->bank, t->row, t->line);
        BENCH_CHECK(b, slice < L2_SLICES, "an id of no slice");
        awaited_t *a = &sb->awaited[slice % L2_SLICES][t->id % IDS];
        BENCH_CHECK(b, a->busy && !a->sent && a->line == line, "a read that nobody waits for: id 0x%x", t->id);
        BENCH_CHECK(b, !memcmp(&t->be, &no_be, sizeof no_be) && !memcmp(&t->data, &no_data, sizeof no_data),
                    "a read with bytes");
        for (unsigned i = 0; i < IDS && a->golden; i++) {
            const awaited_t *o = &sb->awaited[slice % L2_SLICES][i];
            BENCH_CHECK(b, !(o->busy && !o->sent && o->golden && o->number < a->number), "a walk overtakes a walk");
        }
        a->sent = true;
    }
    for (unsigned s = 0; s < L2_SLICES; s++) {
        if (!(out->home_rsp_valid >> s & 1))
            continue;
        awaited_t *a = &sb->awaited[s][out->home_rsp[s].id];
        BENCH_CHECK(b, a->busy, "an answer nobody waits for");
        BENCH_CHECK(b, out->home_rsp[s].state == NMOESI_E, "flat memory grants a line in another state than E");
        BENCH_CHECK(b, !memcmp(&a->want, &out->home_rsp[s].data, sizeof a->want),
                    "slice %u id %u: not the bytes that the line has by then", s, out->home_rsp[s].id);
        BENCH_CHECK(b, a->sent != out->ev.sched_forwards, "an answer to a read that was not sent, or was");
        a->busy = false;
        sb->reads--;
    }
    if (out->idle)
        BENCH_CHECK(b, scoreboard_clear(sb), "idle with %u reads and %" PRIu64 " writes inside", sb->reads,
                    sb->writes - sb->written);
}

/* Nothing is inside, and dram_ctrl has nothing. */
static void scoreboard_memory(bench_t *b, const scoreboard_t *sb, const dram_t *d)
{
    BENCH_CHECK(b, scoreboard_clear(sb), "something was lost");
    for (unsigned k = 0; k < POOL; k++)
        BENCH_CHECK(b, !memcmp(&sb->prog[k], &d->mem[k], sizeof sb->prog[k]),
                    "line %u: memory does not hold what was written", k);
}
#endif
