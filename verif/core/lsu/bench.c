/* Bench of lsu: instructions of all kinds over address patterns, with caches and scratchpad that answer late, early, in parts and in any
 * order. Besides the twin, every result, fault and byte written is held against a memory that executes the instructions one after another,
 * thread by thread. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 12000
#include "verif/common/bench.h"
#include "sim_c/core/memop.h"
#include "lsu_ports.h"

enum {
    COV_OP, COV_FAULT = COV_OP + 40, COV_FAULT_HIGH = COV_FAULT + 8, COV_FAULT_SEVERAL, COV_FAULT_LAST_BEAT, COV_DROPPED, COV_RESTART, COV_ONE_LINE,
    COV_LINE_EACH, COV_LINE_BEATS, COV_BYTE_BEAT, COV_BYTE_BEATS, COV_MIX_LOAD, COV_MIX_STORE, COV_MIX_AMO, COV_BASE, COV_BELOW, COV_LIMIT_IN, COV_LIMIT_OUT,
    COV_SPAD_IN, COV_SPAD_OUT, COV_HIGH, COV_FULL, COV_ENTRIES, COV_L1D_STALL, COV_SPAD_STALL, COV_RES_STALL, COV_RSP_ONE, COV_RSP_ALL,
    COV_BOTH, COV_FENCE_NOW, COV_FENCE_WAIT, COV_RL, COV_AQ, COV_AQRL, COV_WG, COV_LIMIT, COV_EARLY, COV_IDLE, COV_HANDOVER, COV_FENCE_STORE, COV_FENCE_ATOMIC, COV_RL_STORE, COV_AQ_STORE, COV_LIMIT_WARPS, COV_SECTORS, COV_PAGES, COV_N = COV_PAGES + 5
};
static const char *cover[COV_N] = {
    [COV_FAULT] = "load misaligned", "load access", "store misaligned", "store access", "atomic misaligned", "atomic access", "LR misaligned", "LR access",
    "fault of the highest thread alone", "several threads fault", "fault in the last beat", "instruction of a dead warp dropped", "a new start after a fault",
    "all threads in one line", "a line a thread", "a line with threads in several beats", "two threads store one byte, same beat", "different beats",
    "load with scratchpad and global threads", "store with both", "atomic with both", "first address of the window", "address below the window",
    "last address of the window", "first address above it", "last address of the scratchpad", "first address behind it", "address above 48 bits",
    "all credits out", "no free entry", "cache stalls", "scratchpad stalls", "results stall", "line response with one beat", "line response with every beat",
    "line and scratchpad response in one cycle", "fence without stores outstanding", "fence with stores outstanding", "rl", "aq", "aq and rl", "vl.fence.wg",
    "stores at their limit", "response while the instruction still sends", "idle",
    "a new start while stores of the old warp wait", "fence waits for another warp's store alone", "for another warp's atomic alone",
    "rl waits for another warp's store alone", "aq for another warp's store alone", "stores of several warps at their limit", "several sectors of one line", "1 page", "2-3 pages", "4-7 pages", "8-15 pages", "16 or more pages"};
static const char *const op_names[38] = {
    "lb", "lh", "lw", "ld", "lbu", "lhu", "lwu", "sb", "sh", "sw", "sd", "fence", "fence.i", "vl.fence.wg", "lr.w", "sc.w", "amoswap.w", "amoadd.w", "amoxor.w",
    "amoand.w", "amoor.w", "amomin.w", "amomax.w", "amominu.w", "amomaxu.w", "amocas.w", "lr.d", "sc.d", "amoswap.d", "amoadd.d", "amoxor.d", "amoand.d",
    "amoor.d", "amomin.d", "amomax.d", "amominu.d", "amomaxu.d", "amocas.d"};

enum { IN_DEPTH = LSU_IN_DEPTH, BYTES = 1 << 17, INSNS = 64, FLIGHTS = 1024, CREDITS = 4 * IN_DEPTH };
#define ALL_LANES (LANES == 64 ? ~0ull : (1ull << (LANES % 64)) - 1)

typedef struct { unsigned char mem[BYTES], spad[SPAD_BYTES]; } memory_t;

typedef struct {
    bool busy, serial, rl, aq;
    uint8_t warp, seq, rd, op;
    uint64_t left;
    bool fence;
    uint64_t want[THREADS];
} insn_t;

typedef struct { uint64_t due; l1d_rsp_t rsp; bool atomic; } line_flight_t;
typedef struct { uint64_t due; spad_rsp_t rsp; } word_flight_t;
typedef struct { uint64_t due; uint8_t warp; } ack_flight_t;

/* A directed scene: one warp stores (or has an atomic), and until another warp's fence has waited for it a while it is not performed. */
typedef struct {
    enum { NO_SCENE, STORE_FENCE, ATOMIC_FENCE, STORE_RL, STORE_AQ } kind;
    enum { WRITE, ORDER, HOLD } step;
    unsigned writer;
    uint64_t end; /* at the latest */
} scene_t;

typedef struct {
    kernel_t kernel;
    uint64_t window;                    // where `program.mem` begins
    unsigned core;
    memory_t program, real; /* in program order; as the LSU's requests have changed it */
    /* instructions */
    bool building;
    unsigned beat;
    operands_t op;
    uint64_t tmask, addr[THREADS], rs2[THREADS], rs3[THREADS], rs1_less;
    insn_t insn[INSNS];
    bool alive[WARPS], started[WARPS];
    uint8_t seq[WARPS];
    uint32_t base[WARPS];
    unsigned outstanding[WARPS], rows[WARPS], blocked[WARPS];
    uint8_t inside[CREDITS];
    uint64_t last_beat[WARPS];
    unsigned ninside, held;
    fault_t fault[8];
    unsigned nfaults;
    unsigned long stores[WARPS];
    unsigned long lines_wanted, lines_counted; /* of loads and stores, and lsu_lines */
    /* the other side */
    line_flight_t line[FLIGHTS];
    unsigned lines;
    word_flight_t word[FLIGHTS];
    unsigned words;
    ack_flight_t ack[FLIGHTS];
    unsigned acks, atomics; /* atomics: at the cache and not answered */
    bool line_shown, line_atomic, word_shown;
    l1d_rsp_t line_rsp;
    spad_rsp_t word_rsp;
    unsigned issue, l1d_ready, spad_ready, res_ready, latency, where, kinds;
    bool hold_acks;
    scene_t scene;
} env_t;

/* ---- both memories ---- */

static uint64_t get(const unsigned char *p, unsigned size)
{
    uint64_t v = 0;
    memcpy(&v, p, size);
    return v;
}

/* What an atomic leaves; false if it writes nothing. SC succeeds when it would write an odd number. */
static bool atomic(unsigned amo, unsigned size, uint64_t m, uint64_t v, uint64_t cmp, uint64_t *now)
{
    int64_t a = size == 8 ? (int64_t)m : (int32_t)m, c = size == 8 ? (int64_t)v : (int32_t)v;
    *now = v;
    switch (amo) {
    case AMO_LR: return false;
    case AMO_SC: return v & 1;
    case AMO_CAS: return m == memop_low(cmp, size);
    case AMO_ADD: *now = m + v; break;
    case AMO_XOR: *now = m ^ v; break;
    case AMO_AND: *now = m & v; break;
    case AMO_OR: *now = m | v; break;
    case AMO_MIN: *now = a < c ? m : v; break;
    case AMO_MAX: *now = a > c ? m : v; break;
    case AMO_MINU: *now = m < memop_low(v, size) ? m : v; break;
    case AMO_MAXU: *now = m > memop_low(v, size) ? m : v; break;
    default: break;
    }
    return true;
}

/* Performs one thread's access at p. Returns the doubleword that the LSU must hear. */
static uint64_t access(unsigned op, uint64_t at, unsigned char *p, uint64_t v, uint64_t cmp)
{
    unsigned size = memop_size(op), kind = memop_kind(op), amo = memop_amo(op);
    uint64_t word = get(p - (at & 7), 8), m = get(p, size), now;
    if (kind == MEMOP_STORE) {
        memcpy(p, &v, size);
    } else if (kind == MEMOP_ATOMIC) {
        bool write = atomic(amo, size, m, v, cmp, &now);
        if (write)
            memcpy(p, &now, size);
        if (amo == AMO_SC)
            return write ? 0 : 0x100000001ull;
    }
    return word;
}

static bool in_spad(uint64_t a)
{
    return a >> 16 == SPAD_BASE >> 16;
}

/* ---- instructions ---- */

static unsigned op_index(unsigned op)
{
    if (op >= OP_LB && op <= OP_SD) return op - OP_LB;
    if (op == OP_FENCE || op == OP_FENCE_I) return 11 + (op == OP_FENCE_I);
    if (op == OP_VL_FENCE_WG) return 13;
    return 14 + op - OP_LR_W;
}

static void start(bench_t *b, env_t *e)
{
    for (unsigned i = 0; i < 38; i++)
        cover[COV_OP + i] = op_names[i];
    cover[COV_OP + 38] = cover[COV_OP + 39] = "";
    BENCH_COVER(b, COV_OP + 38, true);
    BENCH_COVER(b, COV_OP + 39, true);
    BENCH_COVER(b, COV_LINE_BEATS, BEATS == 1);
    BENCH_COVER(b, COV_BYTE_BEATS, BEATS == 1);
    for (unsigned i = COV_FENCE_STORE; i <= COV_LIMIT_WARPS; i++)
        BENCH_COVER(b, i, WARPS == 1);
    BENCH_COVER(b, COV_SECTORS, SECTORS == 1);
    for (unsigned i = 2; i < 5; i++) /* more pages than threads cannot be */
        BENCH_COVER(b, COV_PAGES + i, THREADS < 1u << i);
    e->core = vl_below(&b->rng, CORES);
    /* Also a window whose addresses have their highest bit, and one that reaches into the scratchpad's aperture (which wins there). */
    e->window = b->seed % 3 == 0 ? 0x40000000 : b->seed % 3 == 1 ? 1ull << 47 | 0x40000000 : SPAD_BASE + SPAD_BYTES / 2 - BYTES;
    e->kernel.mem_base = e->window + 8 * vl_below(&b->rng, 64);
    e->kernel.mem_limit = e->window + BYTES - 8 * vl_below(&b->rng, 64);
    e->kernel.spad_bytes = SPAD_BYTES / 2 + 8 * vl_below(&b->rng, SPAD_BYTES / 32);
    for (unsigned i = 0; i < BYTES; i += 8) {
        uint64_t v = vl_random(&b->rng);
        memcpy(e->program.mem + i, &v, 8);
    }
    for (unsigned i = 0; i < SPAD_BYTES; i += 8) {
        uint64_t v = vl_random(&b->rng);
        memcpy(e->program.spad + i, &v, 8);
    }
    e->real = e->program;
}

static void style(bench_t *b, env_t *e)
{
    e->issue = vl_below(&b->rng, 2) ? 256 : 30 + vl_below(&b->rng, 200);
    e->l1d_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->spad_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->res_ready = vl_below(&b->rng, 3) ? 256 : 30 + vl_below(&b->rng, 150);
    e->latency = vl_below(&b->rng, 2) ? 4 : 100;
    e->where = vl_below(&b->rng, 4);
    e->kinds = vl_below(&b->rng, 5);
    e->hold_acks = false;
    if (WARPS > 1 && !e->scene.kind && vl_below(&b->rng, 3) == 0)
        e->scene = (scene_t){.kind = 1 + vl_below(&b->rng, 4), .end = b->cycle + 200};
    if (b->mode == 1 && b->cycle / 1024 % 3 == 1) { /* one long run of stores nobody acknowledges */
        e->hold_acks = true;
        e->scene.kind = NO_SCENE;
        e->issue = e->l1d_ready = 256;
        e->kinds = 5;
        e->where = 0;
    }
}

static unsigned pick_op(bench_t *b, env_t *e)
{
    if (e->scene.kind && e->scene.step == WRITE)
        return e->scene.kind == ATOMIC_FENCE ? OP_AMOSWAP_W : OP_SB + vl_below(&b->rng, 4);
    if (e->scene.kind)
        return e->scene.kind >= STORE_RL ? OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1) : OP_FENCE + vl_below(&b->rng, 2);
    unsigned p = vl_below(&b->rng, 32);
    if (e->kinds == 5) return OP_SD;
    if (e->kinds == 0 && p < 28) return OP_LB + vl_below(&b->rng, 7);
    if (e->kinds == 1 && p < 28) return OP_SB + vl_below(&b->rng, 4);
    if (e->kinds == 2 && p < 28) return OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1);
    if (p == 0) return OP_FENCE + vl_below(&b->rng, 2);
    if (p == 1) return OP_VL_FENCE_WG;
    if (p < 14) return OP_LB + vl_below(&b->rng, 7);
    if (p < 24) return OP_SB + vl_below(&b->rng, 4);
    return OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1);
}

static void pick_addresses(bench_t *b, env_t *e, unsigned size)
{
    uint64_t lo = e->kernel.mem_base, hi = e->kernel.mem_limit, span = hi - lo, sb = e->kernel.spad_bytes;
    unsigned pattern = e->kinds == 5 ? 4 : vl_below(&b->rng, 8), pages = vl_below(&b->rng, 6);
    uint64_t at = vl_below(&b->rng, BYTES) & ~127ull, sat = vl_below(&b->rng, (unsigned)sb);
    for (unsigned t = 0; t < THREADS; t++) {
        uint64_t off;
        switch (pattern) {
        case 0: off = at + t * size; break;
        case 1: off = at; break;
        case 2: off = at + vl_below(&b->rng, 128); break;
        case 3: off = at + vl_below(&b->rng, 16); break;
        case 4: off = at + t * 128; break;
        case 5: off = at + vl_below(&b->rng, 512); break;
        case 6: off = (uint64_t)vl_below(&b->rng, 1u << pages) * 4096 + vl_below(&b->rng, 4096); break;
        default: off = vl_random(&b->rng); break;
        }
        bool spad = e->where == 1 || (e->where == 2 && vl_below(&b->rng, 2));
        if (e->scene.kind)
            spad = false;
        else if (e->where == 3)
            spad = vl_below(&b->rng, 16) == 0;
        uint64_t a = spad ? SPAD_BASE + (sat + off) % sb : lo + off % span;
        if (vl_below(&b->rng, 40) == 0) {
            const uint64_t edge[] = {lo, hi - size, SPAD_BASE + sb - size, SPAD_BASE};
            a = edge[vl_below(&b->rng, 4)];
        }
        e->addr[t] = a & ~(size - 1ull);
    }
    if (vl_below(&b->rng, 24) || e->kinds == 5)
        return;
    unsigned which = vl_below(&b->rng, 4);
    for (unsigned t = 0; t < THREADS; t++) {
        const uint64_t bad[] = {lo - 8, hi, SPAD_BASE + sb, SPAD_BASE + 0x8000 + sat, 1ull << 48 | lo, vl_random(&b->rng) | 1ull << 63, ~0ull << 40};
        if ((which == 0 && t == THREADS - 1) || (which == 1 && vl_below(&b->rng, 3) == 0) || (which == 2 && t >= THREADS - LANES) || (which == 3 && t == vl_below(&b->rng, THREADS)))
            e->addr[t] = vl_below(&b->rng, 2) && size > 1 ? e->addr[t] + 1 + vl_below(&b->rng, size - 1) : bad[vl_below(&b->rng, 7)] & ~(size - 1ull);
    }
}

/* Executes the instruction in program order; notes what it must give. */
static void execute(bench_t *b, env_t *e, insn_t *n, bool rl, bool aq)
{
    unsigned op = e->op.op, size = memop_size(op), kind = memop_kind(op), w = e->op.warp, amo = memop_amo(op);
    uint64_t bad = 0, mis = 0, lo = e->kernel.mem_base, hi = e->kernel.mem_limit, sb = e->kernel.spad_bytes;
    BENCH_COVER(b, COV_DROPPED, !e->alive[w]);
    if (!e->alive[w])
        return;
    *n = (insn_t){.warp = w, .seq = e->op.seq, .rd = e->op.rd, .op = op};
    if (kind == MEMOP_FENCE || kind == MEMOP_WG) {
        n->busy = n->fence = n->serial = true;
        BENCH_COVER(b, COV_OP + op_index(op), true);
        BENCH_COVER(b, COV_WG, kind == MEMOP_WG);
        BENCH_COVER(b, COV_FENCE_NOW, kind == MEMOP_FENCE && !e->stores[w]);
        BENCH_COVER(b, COV_FENCE_WAIT, kind == MEMOP_FENCE && e->stores[w]);
        e->outstanding[w]++;
        e->blocked[w] = 1;
        return;
    }
    for (uint64_t m = e->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        uint64_t a = e->addr[t];
        bool ok = in_spad(a) ? (a & 0xffff) < sb : a >= lo && a < hi;
        if (a % size) mis |= 1ull << t;
        if (a % size || !ok) bad |= 1ull << t;
        BENCH_COVER(b, COV_BASE, a == lo);
        BENCH_COVER(b, COV_BELOW, a == lo - 8);
        BENCH_COVER(b, COV_LIMIT_IN, a == hi - size);
        BENCH_COVER(b, COV_LIMIT_OUT, a == hi);
        BENCH_COVER(b, COV_SPAD_IN, a == SPAD_BASE + sb - size);
        BENCH_COVER(b, COV_SPAD_OUT, a == SPAD_BASE + sb);
        BENCH_COVER(b, COV_HIGH, a >> 48 == 1);
    }
    if (bad) {
        unsigned t = (unsigned)__builtin_ctzll(bad);
        bool load = kind == MEMOP_LOAD || (kind == MEMOP_ATOMIC && amo == AMO_LR), m = mis >> t & 1;
        e->fault[e->nfaults++] = (fault_t){
            .cause = load ? (m ? FAULT_LOAD_MISALIGNED : FAULT_LOAD_ACCESS) : m ? FAULT_STORE_MISALIGNED : FAULT_STORE_ACCESS,
            .warp = w, .pc = e->op.pc, .value = e->addr[t], .mask = bad};
        BENCH_COVER(b, COV_FAULT + 2 * (kind == MEMOP_LOAD ? 0 : kind == MEMOP_STORE ? 1 : amo == AMO_LR ? 3 : 2) + !m, true);
        BENCH_COVER(b, COV_FAULT_HIGH, bad == 1ull << (THREADS - 1) && (e->tmask & (e->tmask - 1)));
        BENCH_COVER(b, COV_FAULT_SEVERAL, bad & (bad - 1));
        BENCH_COVER(b, COV_FAULT_LAST_BEAT, t >= THREADS - LANES);
        e->alive[w] = false;
        return;
    }
    uint64_t line0 = 0, spad = 0;
    bool one = true, each = true, beats = false, byte_beat = false, byte_beats = false;
    for (uint64_t m = e->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        uint64_t a = e->addr[t];
        unsigned char *p = in_spad(a) ? e->program.spad + (e->base[w] + a) % SPAD_BYTES : e->program.mem + (a - e->window);
        uint64_t word = access(op, a, p, e->rs2[t], e->rs3[t]);
        unsigned s = kind == MEMOP_ATOMIC && amo == AMO_SC ? 4 : size;
        uint64_t v = memop_low(word >> 8 * (a & 7), s);
        n->want[t] = memop_unsigned(op) || s == 8 ? v : (uint64_t)((int64_t)(v << (64 - 8 * s)) >> (64 - 8 * s));
        spad |= in_spad(a) ? 1ull << t : 0;
        if (in_spad(a)) { one = each = false; continue; }
        bool new_line = true, new_sector = true;
        if (m == e->tmask) line0 = a >> 7;
        one &= a >> 7 == line0;
        for (unsigned u = 0; u < t; u++)
            if (e->tmask >> u & 1 && !(spad >> u & 1) && e->addr[u] >> 7 == a >> 7) {
                each = new_line = false;
                new_sector &= e->addr[u] / SECTOR_BYTES != a / SECTOR_BYTES;
                beats |= u / LANES != t / LANES;
                if (e->addr[u] == a)
                    *(u / LANES == t / LANES ? &byte_beat : &byte_beats) = true;
            }
        e->lines_wanted += new_line && kind != MEMOP_ATOMIC;
        BENCH_COVER(b, COV_SECTORS, !new_line && new_sector && kind != MEMOP_ATOMIC);
    }
    bool several = e->tmask & (e->tmask - 1);
    BENCH_COVER(b, COV_OP + op_index(op), true);
    BENCH_COVER(b, COV_ONE_LINE, kind != MEMOP_ATOMIC && one && several);
    BENCH_COVER(b, COV_LINE_EACH, kind != MEMOP_ATOMIC && each && several);
    BENCH_COVER(b, COV_LINE_BEATS, kind != MEMOP_ATOMIC && beats);
    BENCH_COVER(b, COV_BYTE_BEAT, kind == MEMOP_STORE && byte_beat);
    BENCH_COVER(b, COV_BYTE_BEATS, kind == MEMOP_STORE && byte_beats);
    bool mixed = spad && spad != e->tmask;
    BENCH_COVER(b, COV_MIX_LOAD, kind == MEMOP_LOAD && mixed);
    BENCH_COVER(b, COV_MIX_STORE, kind == MEMOP_STORE && mixed);
    BENCH_COVER(b, COV_MIX_AMO, kind == MEMOP_ATOMIC && mixed);
    BENCH_COVER(b, COV_RL, rl && !aq);
    BENCH_COVER(b, COV_AQ, aq && !rl);
    BENCH_COVER(b, COV_AQRL, aq && rl);
    if (kind == MEMOP_STORE)
        return;
    n->busy = true;
    n->left = e->tmask;
    n->serial = rl || aq;
    n->rl = rl;
    n->aq = aq;
    e->outstanding[w]++;
    e->blocked[w] = n->serial;
}

/* Begins an instruction, if a warp can have one. */
static void begin(bench_t *b, env_t *e)
{
    unsigned w = vl_below(&b->rng, WARPS);
    scene_t *scene = &e->scene;
    insn_t *n = NULL;
    if (scene->kind && (scene->step == HOLD || (scene->step == ORDER && w == scene->writer)))
        return;
    for (unsigned i = 0; i < INSNS; i++)
        if (!e->insn[i].busy)
            n = &e->insn[i];
    if (!n || !e->started[w] || e->blocked[w] || e->nfaults >= 7 || (!e->alive[w] && vl_below(&b->rng, 4)))
        return;
    operands_t *o = &e->op;
    operands_t_random(&b->rng, o);
    o->pipe = PIPE_LSU;
    o->warp = w;
    o->op = pick_op(b, e);
    unsigned size = memop_size(o->op), kind = memop_kind(o->op);
    bool rl = kind == MEMOP_ATOMIC && vl_below(&b->rng, 8) == 0, aq = kind == MEMOP_ATOMIC && vl_below(&b->rng, 8) == 0;
    if (scene->kind)
        rl = scene->kind == STORE_RL && scene->step == ORDER, aq = scene->kind == STORE_AQ && scene->step == ORDER;
    if (kind == MEMOP_ATOMIC) {
        o->imm = 0;
        o->instr = (o->instr & ~(3u << 25)) | (uint32_t)aq << 26 | (uint32_t)rl << 25;
    }
    if ((rl || aq || kind == MEMOP_FENCE || kind == MEMOP_WG) && e->outstanding[w])
        return;
    if (scene->kind && scene->step == WRITE) {
        scene->writer = w;
        scene->step = ORDER;
    } else if (scene->kind) {
        scene->step = HOLD;
        scene->end = b->cycle + 20 + vl_below(&b->rng, 60);
    }
    o->seq = e->seq[w]++;
    e->tmask = vl_random_bits(&b->rng, THREADS);
    if (vl_below(&b->rng, 3) == 0)
        e->tmask = vl_random_bits(&b->rng, THREADS) | 1ull << (THREADS - 1);
    if (vl_below(&b->rng, 3) == 0 || e->kinds == 5)
        e->tmask = THREADS == 64 ? ~0ull : (1ull << (THREADS % 64)) - 1;
    if (vl_below(&b->rng, 6) == 0)
        e->tmask &= -e->tmask;
    if (!e->tmask)
        e->tmask = 1;
    o->tmask = e->tmask;
    pick_addresses(b, e, size);
    for (unsigned t = 0; t < THREADS; t++) {
        e->rs2[t] = vl_random(&b->rng);
        e->rs3[t] = vl_random(&b->rng);
        uint64_t a = e->addr[t];
        bool ok = e->alive[w] && (in_spad(a) ? (a & 0xffff) < e->kernel.spad_bytes : a >= e->kernel.mem_base && a < e->kernel.mem_limit) && a % size == 0;
        if (ok && vl_below(&b->rng, 2)) /* so that AMOCAS finds what it compares with */
            e->rs3[t] = get(in_spad(a) ? e->program.spad + (e->base[w] + a) % SPAD_BYTES : e->program.mem + (a - e->window), size);
    }
    execute(b, e, n, rl, aq);
    e->building = true;
    e->beat = 0;
}

static void beat(env_t *e, operands_t *o)
{
    *o = e->op;
    o->beat = e->beat;
    o->first = e->beat == 0;
    o->last = e->beat == BEATS - 1;
    o->mask = e->tmask >> e->beat * LANES & ALL_LANES;
    for (unsigned l = 0; l < LANES; l++) {
        unsigned t = e->beat * LANES + l;
        o->rs1[l] = e->addr[t] - o->imm;
        o->rs2[l] = e->rs2[t];
        o->rs3[l] = e->rs3[t];
    }
    e->building = ++e->beat < BEATS;
}

/* ---- the cache's and the scratchpad's side ---- */

static void serve_line(bench_t *b, env_t *e, const l1d_req_t *r)
{
    uint64_t off = (r->line << 7) + r->sector * SECTOR_BYTES - e->window;
    line_flight_t *f = &e->line[e->lines];
    if (r->op == L1D_INVAL) {
        BENCH_CHECK(b, !e->acks && !e->atomics, "a fence is let through while %u stores and %u atomics of the core are not performed", e->acks, e->atomics);
        return;
    }
    BENCH_CHECK(b, off < BYTES && e->lines < FLIGHTS - 1 && e->acks < FLIGHTS - 1, "a line outside of the window");
    if (b->failed)
        return;
    unsigned char *p = e->real.mem + off;
    if (r->op == L1D_STORE) {
        BENCH_CHECK(b, r->sector * SECTOR_BYTES < LINE_BYTES, "a sector outside of its line");
        for (unsigned i = 0; i < SECTOR_BYTES; i++)
            if (((const uint8_t *)&r->be)[i / 8] >> i % 8 & 1)
                p[i] = ((const uint8_t *)r->data.w)[i];
        e->ack[e->acks++] = (ack_flight_t){b->cycle + 1 + vl_below(&b->rng, e->latency), r->warp};
        e->stores[r->warp]++;
        BENCH_COVER(b, COV_LIMIT, e->acks >= 254);
        BENCH_COVER(b, COV_LIMIT_WARPS, e->acks >= 254 && e->stores[r->warp] < e->acks);
        BENCH_CHECK(b, e->acks < 256, "more stores than the LSU may have unacknowledged");
        return;
    }
    f->due = b->cycle + 1 + vl_below(&b->rng, e->latency);
    f->rsp.tag = r->tag;
    f->atomic = r->op == L1D_AMO;
    e->atomics += f->atomic;
    if (r->op == L1D_LOAD) {
        memcpy(f->rsp.data.w, p, SECTOR_BYTES);
    } else {
        uint64_t now, m = get(p + r->amo_off, r->amo_dword ? 8 : 4), word = get(p + (r->amo_off & ~7u), 8);
        unsigned size = r->amo_dword ? 8 : 4;
        bool write = atomic(r->amo, size, m, r->data.w[0], r->data.w[1], &now);
        if (write)
            memcpy(p + r->amo_off, &now, size);
        if (r->amo == AMO_SC)
            word = write ? 0 : 0x100000001ull;
        else if (size == 4)
            word = m << 32 | m;
        memset(&f->rsp.data, 0, sizeof f->rsp.data);
        f->rsp.data.w[0] = word;
        unsigned t = (unsigned)__builtin_ctzll(r->tag.tmask);
        BENCH_CHECK(b, r->hart == (((e->core * WARPS + r->warp) * THREADS + t) & ((1u << HART_W) - 1)), "hart of an atomic");
    }
    e->lines++;
}

static void serve_word(bench_t *b, env_t *e, const spad_req_t *r)
{
    uint64_t data[LANES] = {0}, left = r->mask;
    uint64_t due = b->cycle + 1 + vl_below(&b->rng, e->latency / 4 + 1);
    for (unsigned l = 0; l < LANES; l++)
        if (r->mask >> l & 1)
            data[l] = access(r->op, r->addr[l], e->real.spad + r->addr[l], r->data[l], r->cmp[l]);
    BENCH_CHECK(b, r->mask, "scratchpad request without lanes");
    while (memop_kind(r->op) != MEMOP_STORE && left) {
        uint64_t part = vl_below(&b->rng, 2) ? left : left & vl_random(&b->rng);
        if (memop_kind(r->op) == MEMOP_ATOMIC)
            part = left & -left;
        if (!part)
            continue;
        BENCH_CHECK(b, e->words < FLIGHTS - 1, "too many scratchpad answers");
        word_flight_t *f = &e->word[e->words++];
        f->due = due;
        f->rsp = (spad_rsp_t){.entry = r->entry, .beat = r->beat, .mask = part};
        unsigned turn = vl_below(&b->rng, LANES); /* any bank will do */
        for (unsigned l = 0; l < LANES; l++) {
            f->rsp.bank[l] = (l + turn) % LANES;
            memcpy((uint8_t *)&f->rsp.data + 8 * ((l + turn) % LANES), &data[l], 8);
        }
        left &= ~part;
    }
}

static void result(bench_t *b, env_t *e, const result_t *r)
{
    insn_t *n = NULL;
    for (unsigned i = 0; i < INSNS; i++)
        if (e->insn[i].busy && e->insn[i].warp == r->warp && e->insn[i].seq == r->seq)
            n = &e->insn[i];
    BENCH_CHECK(b, n, "a result of warp %u seq %u that nobody waits for", r->warp, r->seq);
    if (!n)
        return;
    uint64_t threads = (uint64_t)r->mask << r->beat * LANES;
    BENCH_CHECK(b, !(threads & ~n->left) && r->rd == (n->fence ? 0 : n->rd) && !n->fence == (r->mask != 0), "a result for the wrong threads or register");
    for (unsigned l = 0; l < LANES; l++)
        BENCH_CHECK(b, !(r->mask >> l & 1) || r->data[l] == n->want[r->beat * LANES + l],
                    "op %u warp %u thread %u: %016" PRIx64 ", not %016" PRIx64, n->op, r->warp, (unsigned)r->beat * LANES + l, r->data[l],
                    n->want[r->beat * LANES + l]);
    n->left &= ~threads;
    BENCH_CHECK(b, r->last == !n->left, "last");
    if (!n->left) {
        n->busy = false;
        e->outstanding[n->warp]--;
        if (n->serial)
            e->blocked[n->warp] = 0;
    }
}

static void check_memory(bench_t *b, env_t *e)
{
    BENCH_CHECK(b, !memcmp(&e->program, &e->real, sizeof e->real), "memory differs from program order");
}

/* What a fence, rl or aq that waits waits for, when it is not its own warp's. */
static void waits(bench_t *b, env_t *e, const lsu_out_t *out)
{
    const insn_t *only = NULL;
    unsigned serial = 0;
    for (unsigned i = 0; i < INSNS; i++)
        if (e->insn[i].busy && e->insn[i].serial) {
            only = &e->insn[i];
            serial++;
        }
    if (!out->ev.lsu_stall_fence || serial != 1 || e->stores[only->warp] || out->l1d_req_valid)
        return;
    BENCH_COVER(b, COV_FENCE_STORE, only->fence && e->acks && !e->atomics);
    BENCH_COVER(b, COV_FENCE_ATOMIC, only->fence && e->atomics && !e->acks);
    BENCH_COVER(b, COV_RL_STORE, only->rl && e->acks && !e->atomics);
    BENCH_COVER(b, COV_AQ_STORE, only->aq && e->acks && !e->atomics);
}

static void drive(bench_t *b, env_t *e, const lsu_out_t *out, lsu_in_t *in)
{
    if (b->cycle % 1024 == 0 || (b->cycle % 128 == 0 && !e->hold_acks))
        style(b, e);
    bool drain = b->cycle % 4096 > 3200 || b->cycle + 1000 > b->cycles; /* now and then all comes to rest */
    lsu_in_random(&b->rng, in);
    in->kernel.mem_base = e->kernel.mem_base;
    in->kernel.mem_limit = e->kernel.mem_limit;
    in->kernel.spad_bytes = e->kernel.spad_bytes;
    in->core = e->core;
    in->ops.pipe = vl_below(&b->rng, PIPE_LSU);
    if (drain || b->cycle >= e->scene.end)
        e->scene.kind = NO_SCENE;
    bool held = e->scene.kind && e->scene.step != WRITE; /* what the scene's writer has sent */
    in->start_valid = false;

    /* Credits, starts, beats. */
    if (out->credit) {
        BENCH_CHECK(b, e->ninside, "a credit too many");
        e->rows[e->inside[0]]--;
        memmove(e->inside, e->inside + 1, --e->ninside);
        e->held--;
    }
    unsigned w = vl_below(&b->rng, WARPS);
    bool none = !e->alive[w] && !e->rows[w];
    bool stores = e->alive[w] && e->rows[w] && !e->outstanding[w] && b->cycle >= e->last_beat[w] + 2 && vl_chance(&b->rng, 32);
    if ((none || stores) && !e->nfaults && !(e->building && e->op.warp == w)) {
        BENCH_COVER(b, COV_RESTART, none && e->started[w]);
        BENCH_COVER(b, COV_HANDOVER, stores);
        in->start_valid = true;
        in->start.warp = w;
        in->start.spad_base = 8 * vl_below(&b->rng, SPAD_BYTES / 8);
        e->base[w] = in->start.spad_base % SPAD_BYTES;
        e->alive[w] = e->started[w] = true;
    } else if (!e->building && !drain && vl_chance(&b->rng, e->issue) && e->held + BEATS <= IN_DEPTH) {
        begin(b, e);
    }
    if (e->building && vl_chance(&b->rng, e->issue | 128)) {
        in->ops_valid = true;
        beat(e, &in->ops);
        e->rows[e->op.warp]++;
        e->inside[e->ninside++] = e->op.warp;
        e->last_beat[e->op.warp] = b->cycle;
        e->held++;
    }
    BENCH_COVER(b, COV_FULL, e->held == IN_DEPTH);

    /* Requests. */
    in->l1d_req_ready = vl_chance(&b->rng, e->l1d_ready);
    in->spad_req_ready = vl_chance(&b->rng, e->spad_ready);
    if (out->l1d_req_valid && in->l1d_req_ready)
        serve_line(b, e, &out->l1d_req);
    if (out->spad_req_valid && in->spad_req_ready)
        serve_word(b, e, &out->spad_req);

    /* Responses: lines in any order, the scratchpad in order. */
    if (!e->line_shown && e->lines) {
        unsigned i = vl_below(&b->rng, e->lines);
        if (e->line[i].due <= b->cycle && !(held && e->line[i].atomic && e->scene.kind == ATOMIC_FENCE)) {
            e->line_rsp = e->line[i].rsp;
            e->line_atomic = e->line[i].atomic;
            e->line[i] = e->line[--e->lines];
            e->line_shown = true;
        }
    }
    in->l1d_rsp_valid = e->line_shown;
    in->l1d_rsp = e->line_rsp;
    if (!e->word_shown && e->words && e->word[0].due <= b->cycle) {
        e->word_rsp = e->word[0].rsp;
        memmove(e->word, e->word + 1, --e->words * sizeof *e->word);
        e->word_shown = true;
    }
    in->spad_rsp_valid = e->word_shown;
    in->spad_rsp = e->word_rsp;
    bool line = e->line_shown && out->l1d_rsp_ready, word = e->word_shown && out->spad_rsp_ready;
    if (line) {
        uint64_t t = e->line_rsp.tag.tmask, first = (uint64_t)ALL_LANES << __builtin_ctzll(t) / LANES * LANES;
        unsigned beats = 0;
        for (unsigned k = 0; k < BEATS; k++)
            beats += (t >> k * LANES & ALL_LANES) != 0;
        BENCH_COVER(b, COV_RSP_ONE, !(t & ~first));
        BENCH_COVER(b, COV_RSP_ALL, beats == BEATS);
        BENCH_COVER(b, COV_EARLY, out->l1d_req_valid && out->l1d_req.op == L1D_LOAD && out->l1d_req.tag.entry == e->line_rsp.tag.entry);
        e->line_shown = false;
        e->atomics -= e->line_atomic;
    }
    if (word)
        e->word_shown = false;
    BENCH_COVER(b, COV_BOTH, line && word);
    in->l1d_ack = false;
    if (e->acks && (drain || !e->hold_acks) && !held && vl_chance(&b->rng, 200)) {
        unsigned i = vl_below(&b->rng, e->acks);
        if (e->ack[i].due <= b->cycle) {
            in->l1d_ack = true;
            e->stores[e->ack[i].warp]--;
            e->ack[i] = e->ack[--e->acks];
        }
    }

    /* Results and faults. */
    in->lsu_res_ready = vl_chance(&b->rng, e->res_ready);
    if (out->lsu_res_valid && in->lsu_res_ready)
        result(b, e, &out->lsu_res);
    if (out->fault_valid) {
        vl_diff_t d;
        BENCH_CHECK(b, e->nfaults, "a fault nobody made");
        BENCH_CHECK(b, !fault_t_diff(&out->fault, &e->fault[0], &d), "fault %s is %s, not %s", d.field, d.a, d.b);
        if (e->nfaults)
            memmove(e->fault, e->fault + 1, --e->nfaults * sizeof *e->fault);
    }
    waits(b, e, out);
    BENCH_COVER(b, COV_IDLE, out->idle);
    if (out->idle && !e->building && !in->ops_valid && b->cycle > 10)
        check_memory(b, e);
    e->lines_counted += out->ev.lsu_lines;
    BENCH_CHECK(b, !out->idle || e->building || in->ops_valid || b->cycle <= 10 || e->lines_wanted == e->lines_counted, "lsu_lines has counted %lu lines of %lu",
                e->lines_counted, e->lines_wanted);
    if (drain && b->cycle % 4096 == 4095)
        BENCH_CHECK(b, out->idle, "not at rest");
    BENCH_COVER(b, COV_ENTRIES, out->ev.lsu_stall_entry);
    BENCH_COVER(b, COV_L1D_STALL, out->ev.lsu_stall_l1d);
    BENCH_COVER(b, COV_SPAD_STALL, out->ev.lsu_stall_spad);
    BENCH_COVER(b, COV_RES_STALL, out->lsu_res_valid && !in->lsu_res_ready);
    BENCH_COVER(b, COV_PAGES, out->ev.page_div_1);
    BENCH_COVER(b, COV_PAGES + 1, out->ev.page_div_2_3);
    BENCH_COVER(b, COV_PAGES + 2, out->ev.page_div_4_7);
    BENCH_COVER(b, COV_PAGES + 3, out->ev.page_div_8_15);
    BENCH_COVER(b, COV_PAGES + 4, out->ev.page_div_16_up);
}

BENCH_MAIN(lsu, env_t, start, drive, cover, COV_N)
