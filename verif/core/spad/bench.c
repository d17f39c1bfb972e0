/* Bench of spad: loads, stores and atomics over address patterns that do and do not conflict. The twin's answers are also held against a
 * memory of the bench's own, thread by thread in order (docs/isa.md: later threads overwrite earlier ones). */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "verif/core/memory_op.h"
#include "spad_ports.h"
#include "verif/core/spad/page.h"

enum {
    COV_STREAM,
    COV_FULL,
    COV_CONFLICT2,
    COV_CONFLICT_ALL,
    COV_SAME_LOAD,
    COV_SAME_ST1,
    COV_SAME_ST2,
    COV_SAME_ST4,
    COV_SAME_ST8,
    COV_HALVES,
    COV_STALL_LOAD,
    COV_STALL_STORE,
    COV_STALL_AMO,
    COV_AMO,
    COV_SC_OK = COV_AMO + 40,
    COV_SC_NONE,
    COV_SC_HART,
    COV_SC_ADDR,
    COV_SC_STORE,
    COV_SC_AMO,
    COV_CAS_EQ,
    COV_CAS_NE,
    COV_CAS_NE_KEEPS,
    COV_N
};
static const char *const amo_cover[40] = {
    "swap.w low", "swap.w high", "swap.d", "", "add.w low",  "add.w high",  "add.d",  "",
    "xor.w low",  "xor.w high",  "xor.d",  "", "and.w low",  "and.w high",  "and.d",  "",
    "or.w low",   "or.w high",   "or.d",   "", "min.w low",  "min.w high",  "min.d",  "",
    "max.w low",  "max.w high",  "max.d",  "", "minu.w low", "minu.w high", "minu.d", "",
    "maxu.w low", "maxu.w high", "maxu.d", "", "cas.w low",  "cas.w high",  "cas.d",  ""};
static const char *cover[COV_N] = {"a load taken in every cycle",
                                   "queue full",
                                   "2-way conflict",
                                   "LANES-way conflict",
                                   "lanes load one doubleword",
                                   "lanes store one doubleword, 1 byte",
                                   "2 bytes",
                                   "4 bytes",
                                   "8 bytes",
                                   "lanes store the two halves of a doubleword",
                                   "response stalled, load at the head",
                                   "store at the head",
                                   "atomic at the head",
                                   [COV_SC_OK] = "SC succeeds",
                                   "SC without reservation",
                                   "SC of another hart",
                                   "SC to another address",
                                   "SC after a store",
                                   "SC after an AMO",
                                   "AMOCAS equal",
                                   "AMOCAS unequal",
                                   "AMOCAS unequal leaves the reservation"};

enum { WORDS = SPAD_BYTES / 8, PENDING = 8 };
typedef struct {
    spad_req_t req;
    uint32_t left;
    uint64_t want[LANES];
} pending_t;
typedef struct {
    bool offered;
    spad_req_t req;
    uint32_t init;
    unsigned streak, ready, valid, pool, ops;
    bool hunt; /* a store has taken the reservation: now its SC */
    /* the bench's own memory, with requests performed in order */
    unsigned char mem[SPAD_BYTES];
    bool r_valid, r_stolen, r_amo;
    uint32_t r_hart, r_dw;
    pending_t p[PENDING];
    unsigned np, queued[3], nq; /* kinds of the requests inside */
    page_t page;
} env_t;

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    for (unsigned i = 0; i < 40; i++)
        cover[COV_AMO + i] = amo_cover[i];
    e->valid = b->mode == 0 ? 256 : 40 + vl_below(&b->rng, 200);
    e->ready = b->mode == 0 ? 256 : 30 + vl_below(&b->rng, 220);
    /* points of the table that do not exist */
    for (unsigned i = 3; i < 40; i += 4)
        BENCH_COVER(b, COV_AMO + i, true);
    if (LANES == 1)
        for (unsigned i = COV_CONFLICT2; i <= COV_HALVES; i++)
            BENCH_COVER(b, i, true);
}

/* Performs a request on the bench's memory as it is taken: requests are served in order, atomics in thread order. */
static void perform(bench_t *b, env_t *e, const spad_req_t *r)
{
    unsigned size = memop_size(r->op), kind = memop_kind(r->op), amo = memop_amo(r->op);
    pending_t p = {.req = *r, .left = kind == MEMOP_STORE ? 0 : r->mask};
    for (unsigned l = 0; l < LANES; l++) {
        if (!(r->mask >> l & 1))
            continue;
        unsigned at = r->addr[l], d = at >> 3, hart = (r->hart0 + page_home(r, l) * THREADS + l) & ((1u << HART_W) - 1);
        uint64_t word, m = 0;
        memcpy(&word, e->mem + (at & ~7u), 8);
        memcpy(&m, e->mem + at, size);
        p.want[l] = word;
        bool write = false, same = d == e->r_dw;
        uint64_t v = r->data[l];
        if (kind == MEMOP_STORE) {
            write = true;
        } else if (kind == MEMOP_ATOMIC && amo == AMO_LR) {
            e->r_valid = true, e->r_hart = hart, e->r_dw = d, e->r_stolen = e->r_amo = false;
        } else if (kind == MEMOP_ATOMIC && amo == AMO_SC) {
            write = e->r_valid && e->r_hart == hart && same;
            BENCH_COVER(b, COV_SC_OK, write);
            BENCH_COVER(b, COV_SC_NONE, !e->r_valid);
            BENCH_COVER(b, COV_SC_HART, e->r_valid && same && e->r_hart != hart);
            BENCH_COVER(b, COV_SC_ADDR, e->r_valid && !same && e->r_hart == hart);
            BENCH_COVER(b, COV_SC_STORE, !e->r_valid && e->r_stolen && same && e->r_hart == hart);
            BENCH_COVER(b, COV_SC_AMO, !e->r_valid && e->r_amo && same && e->r_hart == hart);
            p.want[l] = write ? 0 : 0x100000001ull;
            if (e->r_hart == hart)
                e->r_valid = e->r_stolen = e->r_amo = false;
        } else if (kind == MEMOP_ATOMIC && amo == AMO_CAS) {
            write = m == memop_low(r->cmp[l], size);
            BENCH_COVER(b, COV_CAS_EQ, write);
            BENCH_COVER(b, COV_CAS_NE, !write);
            BENCH_COVER(b, COV_CAS_NE_KEEPS, !write && e->r_valid && same);
        } else if (kind == MEMOP_ATOMIC) {
            v = amo_value(amo, size, m, v);
            write = true;
        }
        if (kind == MEMOP_ATOMIC && amo < AMO_LR)
            BENCH_COVER(b, COV_AMO + 4 * amo + (size == 8 ? 2 : at >> 2 & 1), true);
        if (write) {
            memcpy(e->mem + at, &v, size);
            if (same && e->r_valid) {
                e->r_valid = false;
                e->r_stolen = kind == MEMOP_STORE;
                e->r_amo = kind == MEMOP_ATOMIC && amo != AMO_SC;
            }
        }
    }
    if (p.left) {
        BENCH_CHECK(b, e->np < PENDING, "too many requests inside");
        e->p[e->np < PENDING ? e->np++ : 0] = p;
    }
}

static void note(bench_t *b, const spad_req_t *r)
{
    unsigned per_bank[LANES] = {0}, most = 0, size = memop_size(r->op), kind = memop_kind(r->op);
    bool same = false, halves = false;
    uint32_t first[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        if (!(r->mask >> l & 1))
            continue;
        uint32_t d = r->addr[l] >> 3;
        unsigned k = d % LANES, m = 0;
        for (unsigned i = 0; i < l; i++)
            if (r->mask >> i & 1 && r->addr[i] >> 3 == d) {
                same = m = 1;
                halves |= (r->addr[i] ^ r->addr[l]) & 4;
            }
        first[k] = d;
        per_bank[k] += !m;
        most = per_bank[k] > most ? per_bank[k] : most;
    }
    (void)first;
    bool ls = kind == MEMOP_LOAD || kind == MEMOP_STORE;
    BENCH_COVER(b, COV_CONFLICT2, ls && most == 2);
    BENCH_COVER(b, COV_CONFLICT_ALL, ls && most == LANES);
    BENCH_COVER(b, COV_SAME_LOAD, kind == MEMOP_LOAD && same);
    BENCH_COVER(b, COV_SAME_ST1, kind == MEMOP_STORE && same && size == 1);
    BENCH_COVER(b, COV_SAME_ST2, kind == MEMOP_STORE && same && size == 2);
    BENCH_COVER(b, COV_SAME_ST4, kind == MEMOP_STORE && same && size == 4);
    BENCH_COVER(b, COV_SAME_ST8, kind == MEMOP_STORE && same && size == 8);
    BENCH_COVER(b, COV_HALVES, kind == MEMOP_STORE && halves && size < 8);
}

static unsigned pick_op(bench_t *b)
{
    unsigned k = vl_below(&b->rng, 8);
    if (b->mode == 0 && b->cycle % 1024 < 512)
        return OP_LB + vl_below(&b->rng, 7);
    if (k < 3)
        return OP_LB + vl_below(&b->rng, 7);
    if (k < 5)
        return OP_SB + vl_below(&b->rng, 4);
    if (k < 6 && b->mode >= 2)
        return (vl_below(&b->rng, 2) ? OP_LR_W : OP_LR_D) + vl_below(&b->rng, 2);
    return OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1);
}

static void make(bench_t *b, env_t *e, spad_req_t *r)
{
    spad_req_t_random(&b->rng, r);
    if (e->init < WORDS) { /* power-up contents are undefined: write everything once */
        r->op = OP_SD;
        r->mask = LANES == 32 ? ~0u : (1u << LANES % 32) - 1;
        for (unsigned l = 0; l < LANES; l++)
            r->addr[l] = 8 * (e->init + l);
        e->init += LANES;
        return;
    }
    if (b->cycle % 512 == 0)
        e->pool = vl_below(&b->rng, 6);
    if (e->hunt
        || (e->r_valid
            && vl_chance(&b->rng, 20))) { /* LR, store to its doubleword, SC by its hart with nothing between */
        unsigned l = e->hunt ? e->r_hart % LANES : vl_below(&b->rng, LANES);
        r->op = e->hunt ? OP_SC_W : OP_SB + vl_below(&b->rng, 4);
        r->mask = 1u << l;
        r->addr[l] = e->r_dw * 8;
        r->hart0 = e->r_hart / LANES * LANES;
        r->home[l % HOME_LANES] = 0;
        e->hunt = !e->hunt;
        return;
    }
    r->op = pick_op(b);
    r->hart0 = vl_below(&b->rng, 2) * LANES;
    for (unsigned l = 0; l < HOME_LANES; l++) /* few, so that they meet again */
        r->home[l] = COMPACTS ? vl_below(&b->rng, 2) : 0;
    if (LANES > 1 && memop_kind(r->op) == MEMOP_ATOMIC && vl_below(&b->rng, 2))
        r->mask &= 1u << vl_below(&b->rng, LANES);
    if (!r->mask)
        r->mask = 1u << vl_below(&b->rng, LANES);
    unsigned size = memop_size(r->op), base = vl_below(&b->rng, WORDS) & ~(LANES - 1u);
    if (b->mode == 0 && b->cycle % 1024 < 512)
        e->pool = 0;
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t d;
        switch (e->pool) {
        case 0: d = base + l; break; /* no conflict */
        case 1: d = base + l * LANES; break; /* one bank */
        case 2: d = base; break; /* one doubleword */
        case 3: d = vl_below(&b->rng, 3) * LANES; break; /* few, one bank */
        case 4: d = base + vl_below(&b->rng, 2 * LANES); break;
        default: d = vl_below(&b->rng, WORDS); break;
        }
        if (memop_kind(r->op) == MEMOP_ATOMIC && vl_below(&b->rng, 4))
            d = vl_below(&b->rng, 2);
        r->addr[l] = d % WORDS * 8 + vl_below(&b->rng, 8 / size) * size;
        uint64_t m = 0;
        memcpy(&m, e->mem + r->addr[l], size);
        if (vl_below(&b->rng, 2))
            r->cmp[l] = m | (size == 4 ? (uint64_t)r->cmp[l] << 32 : 0);
        if (vl_below(&b->rng, 2))
            r->data[l] = (uint64_t)((int64_t)r->data[l] >> vl_below(&b->rng, 64));
    }
}

static void stimulate(bench_t *b, env_t *e, const spad_out_t *out, spad_in_t *in)
{
    spad_in_random(&b->rng, in);
    in->spad_rsp_ready = vl_chance(&b->rng, e->ready);
    if (!e->offered && vl_chance(&b->rng, e->valid)) {
        make(b, e, &e->req);
        e->offered = true;
    }
    in->spad_req_valid = e->offered;
    in->spad_req = e->req;

    if (out->spad_rsp_valid && in->spad_rsp_ready) {
        const spad_rsp_t *r = &out->spad_rsp;
        pending_t *p = &e->p[0];
        BENCH_CHECK(b,
                    e->np && r->mask && (r->mask & ~p->left) == 0 && r->entry == p->req.entry && r->beat == p->req.beat,
                    "a response nobody waits for");
        for (unsigned l = 0; l < LANES && e->np; l++) {
            uint64_t word;
            memcpy(&word, (const uint8_t *)&r->data + 8 * r->bank[l], sizeof word);
            BENCH_CHECK(b, !(r->mask >> l & 1) || word == p->want[l],
                        "lane %u reads %016" PRIx64 ", not %016" PRIx64 " (op %u)", l, word, p->want[l], p->req.op);
        }
        p->left &= ~(uint32_t)r->mask;
        if (!p->left && e->np)
            memmove(e->p, e->p + 1, --e->np * sizeof *e->p);
    }
    bool stalled = out->spad_rsp_valid && !in->spad_rsp_ready;
    BENCH_COVER(b, COV_FULL, !out->spad_req_ready);
    /* What stands at the head while a response is stalled: the oldest that is not answered, or a store behind it. */
    if (stalled && e->np) {
        unsigned kind = e->np > 1 ? memop_kind(e->p[1].req.op) : memop_kind(e->p[0].req.op);
        BENCH_COVER(b, COV_STALL_LOAD, kind == MEMOP_LOAD);
        BENCH_COVER(b, COV_STALL_AMO, kind == MEMOP_ATOMIC);
        BENCH_COVER(b, COV_STALL_STORE,
                    e->np == 1 && !(e->p[0].left & ~(uint32_t)out->spad_rsp.mask) && out->ev.spad_stalls);
    }
    bool put = e->offered && out->spad_req_ready;
    e->streak = put && memop_kind(e->req.op) == MEMOP_LOAD ? e->streak + 1 : 0;
    BENCH_COVER(b, COV_STREAM, e->streak >= 16);
    if (put) {
        note(b, &e->req);
        perform(b, e, &e->req);
        e->offered = false;
    }
}

SCOREBOARD_DRIVE(spad, env_t, stimulate)
BENCH_MAIN(spad, env_t, start, drive, cover, COV_N)
