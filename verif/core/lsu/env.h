/* State of the bench of lsu. The memory that instructions see is a list of pages, a part of it each warp's own: warps go in any order, so
 * the order of a warp's instructions determines bytes of its own part only. */
#ifndef LSU_BENCH_ENV_H
#define LSU_BENCH_ENV_H
#include "verif/common/bench.h"
#include "verif/core/homes.h"
#include "verif/core/memory_op.h"
#include "lsu_ports.h"
#include "verif/core/lsu/cover.h"
#include "verif/core/lsu/page_state.h"

enum {
    IN_DEPTH = LSU_IN_DEPTH,
    INSNS = 128,
    FLIGHTS = 1024,
    WARP_PAGES = THREADS > 16 ? 32 : 16,
    PAGES = WARPS * WARP_PAGES,
    WARP_BYTES = WARP_PAGES * 4096,
    BYTES = PAGES * 4096,
    WARP_SPAD = SPAD_BYTES / WARPS / 8 * 8
};
#define ALL_LANES (LANES == 64 ? ~0ull : (1ull << (LANES % 64)) - 1)
#define ALL_THREADS (THREADS == 64 ? ~0ull : (1ull << (THREADS % 64)) - 1)
#define EACH(k, set) (uint64_t k##_left = (set), k; k##_left && (k = (uint64_t)__builtin_ctzll(k##_left), true); k##_left &= k##_left - 1)
#define BIT(k) (1ull << (k))

typedef struct {
    unsigned char mem[BYTES], spad[SPAD_BYTES];
} memory_t;

typedef struct {
    bool busy, fence, serial, rl, aq, faulty, write;
    bool dropped; /* an early request of it was dropped */
    bool pre, post, reported; /* pre, post: an L1D invalidation was made for it, before or after its accesses */
    uint8_t warp, seq, rd, op, kind, size;
    unsigned tbeat;
    uint64_t pc, issued, resumed, first; /* cycles; first: that something went to the L1D */
    /* unsent: global accesses; words: scratchpad accesses not sent; left: without a result; told: reported at `sent` */
    uint64_t threads, unsent, words, left, told;
    uint64_t again; /* threads that were resumed */
    uint64_t addr[THREADS], rs2[THREADS], rs3[THREADS], want[THREADS];
    uint32_t base;
    fault_t fault;
} insn_t;

typedef struct {
    uint64_t due;
    l1d_rsp_t rsp;
    bool atomic;
} line_flight_t;
typedef struct {
    uint64_t due;
    spad_rsp_t rsp;
} word_flight_t;
typedef struct {
    uint64_t due;
    uint8_t warp;
} ack_flight_t;

/* A directed scene: one warp stores (or has an atomic), and until another warp's fence has waited for it a while it is not performed. */
typedef struct {
    enum { NO_SCENE, STORE_FENCE, ATOMIC_FENCE, STORE_RL, STORE_AQ } kind;
    enum { WRITE, ORDER, HOLD } step;
    unsigned writer;
    uint64_t end; /* at the latest */
} scene_t;

/* The mapping of a page, now or before: until a shootdown has ended either may be used. */
typedef struct {
    bool mapped, access, r, w; /* access: a walk ends with WALK_ACCESS, else, not mapped, with WALK_PAGE */
    uint8_t level;
    uint64_t frame;
} map_t;
typedef struct {
    map_t now, old;
    enum { CALM, CHANGED, SHOT } change; /* SHOT: the invalidation has been sent */
    uint64_t granted[2],
        denied
            [2]
            [2]; /* cycle of the last translation for a load, a store; of the last refusal of it, as page or access fault */
    bool ghost[2]; /* rows of a dead warp may ask for it */
} page_t;

typedef struct {
    bool valid, mine, orphan;
    uint16_t page;
    uint64_t due, since;
} walk_slot_t;

typedef struct {
    bool sv48, kill, no_hits; /* no_hits: each TLB entry is evicted before it is used */
    enum {
        NO_LIMIT,
        STORES,
        LOADS,
        ATOMICS,
        ANSWERS
    } limit; /* these alone, a line a thread, and not answered until as many as can be are outstanding; ANSWERS: loads of one warp, each of the same pages */
    bool full; /* that number was reached */
    unsigned warp; /* that one */
    uint8_t mode;
    uint64_t window, end; /* window: address of the first page */
    bool drain, killing;
    uint64_t since; /* drain */
} phase_t;

typedef struct {
    lsu_page_t block;
    kernel_t kernel;
    unsigned core;
    uint32_t spad_shift;
    root_t root;
    phase_t phase;
    bool killed; /* a kernel has been killed since everything was at rest for two cycles */
    memory_t program, real; /* in program order of each warp; as the LSU's requests have changed it */
    /* instructions */
    bool building;
    unsigned beat;
    operands_t op;
    uint64_t tmask, addr[THREADS], rs2[THREADS], rs3[THREADS];
    insn_t insn[INSNS];
    uint8_t queue[WARPS][INSNS]; /* of each warp: instructions not sent to the end, in program order */
    unsigned queued[WARPS];
    bool alive[WARPS], started[WARPS], blocked[WARPS], pause; /* pause: nothing is issued until all is given back */
    uint8_t seq[WARPS];
    unsigned follow, followed; /* follow: instructions still to be sent for warp `followed`, which has just died */
    uint32_t base[WARPS];
    unsigned outstanding[WARPS], held;
    uint64_t last_beat[WARPS];
    bool loads_after[WARPS]; /* a dead warp has issued other than stores */
    unsigned handed; /* the slot that was given to a new warp last, while stores of a dead one waited; and when */
    uint64_t handed_at;
    unsigned long stores[WARPS];
    /* caches and scratchpad */
    line_flight_t line[FLIGHTS];
    unsigned lines;
    word_flight_t word[FLIGHTS];
    unsigned words;
    ack_flight_t ack[FLIGHTS];
    unsigned acks, atomics; /* atomics: at the cache and not answered */
    bool line_shown, line_atomic, word_shown;
    l1d_rsp_t line_rsp;
    spad_rsp_t word_rsp;
    bool inval_taken; /* in the last cycle */
    unsigned inval_warp, inval_loads;
    /* translation */
    page_t page[PAGES];
    walk_slot_t walk[TLB_MSHRS];
    bool asked, looked;
    unsigned asked_walk, looked_ports;
    uint16_t looked_page[TLB_PORTS];
    bool looked_store;
    bool early; /* an early request was taken in the last cycle */
    l1d_req_t early_req;
    uint64_t early_at;
    found_t found[TLB_PORTS];
    uint64_t looked_at, walked_at;
    bool pf_shown;
    bool inv_wanted, inv_pending;
    /* of the last invalidation; of the last one that is done: nothing from before may be used */
    uint64_t inv_at, inv_limit;
    struct {
        bool wait;
        uint64_t due, threads;
    } faulted[WARPS]; /* the host has the fault's record */
    /* styles */
    unsigned issue, l1d_ready, spad_ready, res_ready, latency, where, kinds;
    unsigned hit, walk_latency, look_ready, miss_ready, pf_ready, patience, evict, spoil;
    bool hold_acks, rested;
    scene_t scene;
    bench_homes_t homes; /* the home of the thread at each place of each warp */
    uint64_t now, rows; /* the cycle; warps with rows in it */
} env_t;

static inline bool in_spad(uint64_t a)
{
    return a >> 16 == SPAD_BASE >> 16;
}

static inline unsigned lowest(uint64_t m)
{
    return (unsigned)__builtin_ctzll(m);
}

/* In the private aperture, where stacks are interleaved (docs/private-memory.md). The addresses of this bench are where things lie. */
static inline bool in_private(const kernel_t *k, uint64_t a)
{
    uint64_t size = 1ull << k->stack_log2;
    if (k->stack_log2 < 4 || k->stack_log2 > 19)
        return false;
    for (uint64_t harts = 1; harts < CORES * WARPS * THREADS || harts == 1; harts *= 2)
        size *= 2;
    return a / size == k->stack_base / size;
}

/* Offset of a global address in the list of pages. */
static inline uint64_t place(const env_t *e, uint64_t a)
{
    return a - e->phase.window;
}

static inline page_t *page_of(env_t *e, uint64_t a)
{
    return &e->page[place(e, a) >> 12];
}
#endif
