/* Bench of l1d: a memory that answers in any order, lines that fight for few sets or spread over many. Besides the twin, every load is
 * held against the contents that the line has in program order (program.h). */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 50000
#include "verif/common/bench.h"
#include "verif/cache/l1d/early.h"
#include "verif/cache/l1d/left.h"
#include "verif/cache/l1d/page_cover.h"
#include "verif/cache/l1d/program.h"
#include "verif/cache/l1d/requests.h"

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    BENCH_COVER(b, COV_MERGE_SECTOR, SECTORS == 1);
    for (unsigned k = 0; k < POOL; k++) {
        uint64_t tag = vl_random_bits(&b->rng, 24);
        switch (b->mode) {
        case 0: e->addr[k] = 0x100 * SETS + k; break; /* many sets */
        case 1: e->addr[k] = (uint64_t)k * SETS + 3 % SETS; break; /* one set */
        case 2: e->addr[k] = (uint64_t)(k / 2) * SETS + k % 2; break; /* two sets */
        default: e->addr[k] = tag * SETS * POOL + (uint64_t)k * SETS + vl_below(&b->rng, SETS); break;
        }
        vl_random_wide(&b->rng, LINE_BITS, e->mem[k].w);
        e->prog[k] = e->mem[k];
    }
}

static void style(bench_t *b, env_t *e)
{
    e->valid = vl_below(&b->rng, 3) ? 250 : 40 + vl_below(&b->rng, 150);
    e->ready = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 200);
    e->mready = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 120);
    e->latency = vl_below(&b->rng, 2) ? 3 + vl_below(&b->rng, 8) : 20 + vl_below(&b->rng, 200);
    e->mix = vl_below(&b->rng, 6);
    e->span = 1 + vl_below(&b->rng, vl_below(&b->rng, 2) ? L1D_WAYS + 4 : 3);
    if (vl_below(&b->rng, 4) == 0)
        e->span = POOL;
    else if (vl_below(&b->rng, 4) == 0)
        e->span = L1D_WAYS; /* as many lines as a set has ways, so that they stay */
    e->base = vl_below(&b->rng, POOL);
    e->policy = vl_below(&b->rng, 5);
    e->policy = e->policy == 4 ? PREFETCH_STREAM : e->policy;
    e->streams = vl_below(&b->rng, 2);
    e->hold = vl_below(&b->rng, 2);
}

/* An answer on its way is that of a line fetched ahead which no load has asked for. */
static bool unasked(const env_t *e, unsigned flight)
{
    const unsigned id = e->flight[flight].rsp.id;
    return id < L1D_MSHRS && e->page.mshr[id].valid && !e->page.mshr[id].count;
}

static void stimulate(bench_t *b, env_t *e, const l1d_out_t *out, l1d_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    l1d_in_random(&b->rng, in);
    in->l1d_rsp_ready = vl_chance(&b->rng, e->ready);
    in->mem_req_ready = vl_chance(&b->rng, e->mready);
    in->mem_rsp_valid = false;
    in->prefetch = e->policy;

    left(b, e, &out->ev);
    bool inval_inside = e->offered && e->req.op == L1D_INVAL;
    for (unsigned i = 0; i < e->norder; i++)
        inval_inside |= e->order[i].op == L1D_INVAL;
    in->inval = !inval_inside && vl_below(&b->rng, e->mix == 4 ? 40 : 600) == 0;

    if (out->idle)
        for (unsigned i = 0; i < INSIDE; i++)
            BENCH_CHECK(b, !e->awaited[i].busy, "idle although a response is awaited");

    /* Requests. */
    const bool early_was = e->early;
    frame(b, e, out, in);
    e->pause -= e->pause != 0;
    if (!e->offered && !e->pause && vl_chance(&b->rng, e->valid)) {
        e->offered = make(b, e, &e->req);
        e->early_wanted = e->req.op == L1D_LOAD && vl_below(&b->rng, 2);
    }
    in->l1d_req_valid = e->offered;
    in->l1d_req = e->req;
    if (e->early_wanted) {
        in->l1d_req.early = true;
        in->l1d_req.line %= PAGE_LINES;
    }
    if (e->offered && out->l1d_req_ready) {
        BENCH_COVER(b, COV_EARLY_ROW, e->early_wanted && early_was);
        if (e->early_wanted) {
            e->early = true;
            e->early_req = e->req;
        } else {
            taken(b, e, &e->req, false);
        }
        if (e->req.op == L1D_INVAL)
            e->pause = vl_below(&b->rng, 6);
        e->offered = false;
    }

    /* Responses. */
    if (out->l1d_rsp_valid && in->l1d_rsp_ready) {
        const l1d_rsp_t *r = &out->l1d_rsp;
        bool known = false;
        for (unsigned i = 0; i < INSIDE && !known; i++) {
            awaited_t *a = &e->awaited[i];
            if (a->busy && a->tag.entry == r->tag.entry && a->tag.tmask == r->tag.tmask) {
                known = true;
                a->busy = false;
                BENCH_CHECK(b, !memcmp(a->want, r->data.w, SECTOR_BYTES),
                            "entry %u gets data that are not those of program order", r->tag.entry);
            }
        }
        BENCH_CHECK(b, known, "a response nobody waits for");
    }
    if (out->l1d_ack) {
        BENCH_CHECK(b, e->stores, "an acknowledgement of a store that has not been performed");
        e->stores--;
    }

    /* Memory: performs in the order sent, answers in any order. */
    if (out->mem_req_valid && out->mem_req.op == MEM_READ && !e->read_out[out->mem_req.id & 127]) {
        unsigned id = out->mem_req.id & 127;
        e->read_out[id] = true;
        e->poisoned[id] = false;
        e->mshr_targets[id] = !out->ev.l1d_prefetches;
        e->mshr_sectors[id] = out->ev.l1d_prefetches ? 0 : e->missed_sector;
        e->mshr_line[id] = find(e, out->mem_req.line);
    }
    if (out->mem_req_valid && in->mem_req_ready) {
        const mem_req_t *r = &out->mem_req;
        flight_t *f = &e->flight[e->flights++];
        unsigned k = find(e, r->line);
        BENCH_CHECK(b, e->flights < INSIDE, "too many memory requests");
        BENCH_CHECK(b, k < POOL || (r->op == MEM_READ && r->line % PAGE_LINES && find(e, r->line - 1) < POOL),
                    "a memory request for line 0x%" PRIx64, (uint64_t)r->line);
        memset(f, 0, sizeof *f);
        f->due = b->cycle + 1 + vl_below(&b->rng, e->latency);
        f->rsp.id = r->id;
        f->sent = e->id++;
        if (r->op == MEM_READ && k == POOL)
            vl_random_wide(&b->rng, LINE_BITS, f->rsp.data.w);
        else if (r->op == MEM_READ)
            f->rsp.data = e->mem[k];
        else if (r->op == MEM_AMO)
            f->rsp.data.w[0] = exchange(&e->mem[k], r->data.w[0], r->amo_off);
        else
            put(e->mem[k].w, r->be.w, r->data.w, LINE_BYTES);
    }
    if (e->flights && vl_chance(&b->rng, 230)) {
        unsigned i = vl_below(&b->rng, e->flights);
        bool held = e->hold && unasked(e, i) && b->cycle < e->flight[i].due + 200;
        for (unsigned j = 0; j < e->flights; j++) /* answer it at the edge of the first load that needs it */
            if (unasked(e, j) && e->page.s2_valid && e->page.s2_is == PG_REQUEST && e->page.s2.op == L1D_LOAD
                && e->page.s2.line == e->page.mshr[e->flight[j].rsp.id].line) {
                i = j;
                held = false;
            }
        if (!held && e->flight[i].due <= b->cycle) {
            flight_t *f = &e->flight[i];
            in->mem_rsp_valid = true;
            in->mem_rsp = f->rsp;
            for (unsigned j = 0; j < e->flights; j++)
                BENCH_COVER(b, COV_ORDER, e->flight[j].sent < f->sent);
            if ((f->rsp.id >> MEM_IDX_W) == 0) {
                e->fill_id = f->rsp.id & 127;
                e->fills_ready = 8;
            } else if ((f->rsp.id >> MEM_IDX_W) == 1) {
                e->stores++;
            } else if ((f->rsp.id >> MEM_IDX_W) == 2) {
                e->amos_ready = 8;
            }
            *f = e->flight[--e->flights];
        }
    }
    /* Fills and atomics that arrive while no answer can have been taken. */
    bool stalled = out->l1d_rsp_valid && !in->l1d_rsp_ready;
    if (!stalled) {
        e->fills_ready -= e->fills_ready != 0;
        e->amos_ready -= e->amos_ready != 0;
    }
    e->reads = 0;
    for (unsigned i = 0; i < L1D_MSHRS; i++)
        e->reads += e->read_out[i];
    BENCH_COVER(b, COV_BOTH_DONE, stalled && e->fills_ready == 8 && e->amos_ready == 8);
    BENCH_COVER(b, COV_RSP_STALL, stalled);
    BENCH_COVER(b, COV_MEM_STALL, out->ev.l1d_stall_mem);
    BENCH_COVER(b, COV_ST_STALL, out->ev.l1d_stall_store);
    BENCH_COVER(b, COV_SLOTS_FULL, out->ev.l1d_stall_atomic);
    BENCH_COVER(b, COV_MSHRS_FULL, out->ev.l1d_stall_mshr && e->reads >= L1D_MSHRS - 1);
    BENCH_COVER(b, COV_RESERVED, out->ev.l1d_stall_mshr && b->mode == 1);
    if (out->ev.l1d_stall_merge && e->norder)
        for (unsigned i = 0; i < L1D_MSHRS; i++)
            if (e->read_out[i] && e->mshr_line[i] == e->order[0].k) {
                BENCH_COVER(b, COV_MERGE_FULL, !e->poisoned[i] && e->mshr_targets[i] == L1D_TARGETS);
                BENCH_COVER(b, COV_POISON_WAIT, e->poisoned[i]);
            }
    BENCH_COVER(b, COV_ACKS, out->l1d_ack && e->last_ack);
    BENCH_COVER(b, COV_IDLE, out->idle);
    e->last_ack = out->l1d_ack;
    e->last_inval_i = in->inval;
}

SCOREBOARD_DRIVE_COVERED(l1d, env_t, stimulate, expect)
BENCH_MAIN(l1d, env_t, start, drive, cover, COV_N)
