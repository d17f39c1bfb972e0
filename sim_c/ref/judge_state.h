/* The state of the judge: types, and small functions of them. Each part has its functions in a header of its own (docs/judge.md, Parts); a part includes those of parts
 * below it only. */
#ifndef SIM_C_REF_JUDGE_STATE_H
#define SIM_C_REF_JUDGE_STATE_H
#include "sim_c/common/error.h"
#include "sim_c/common/job.h"
#include "sim_c/common/line_be.h"
#include "sim_c/ref/judge_waived.h"
#include "sim_c/ref/map.h"
#include "sim_c/ref/ref.h"
#include "sim_c/ref/translate.h"
#include "sim_c/ref/versions.h"
#include "vellum_ports.h"
#include "vl_perf.h"
#include "vl_regs.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct judge judge_t;

enum { NO_WARP = WARPS };
/* Who sees memory alike: with directories a device, and, behind them, the host; otherwise all. */
enum { VIEWERS = (int)HOME == (int)HOME_FLAT ? 1 : DEVICES + 1 };
enum { RING = 256 }; /* instructions of a warp that may be known but not finished: the range of seq */

/* One issued instruction until it has been stepped and all its results have been seen. */
typedef struct {
    bool used, stepped, last_seen, faulted;
    /* a barrier at which its threads wait for others of the warp; it will be issued again, for all of them */
    bool early;
    uint8_t pipe, op, rd;
    uint32_t instr;
    uint64_t pc, cycle, number; /* number: counts all instructions of the kernel */
    uint64_t begin; /* writes performed in memory, as its core sees it, when it was issued */
    uint64_t before; /* accesses that the LSUs had let go when it was issued */
    uint64_t resumed; /* cycle in which its faulted threads went on last */
    uint64_t went_on[3]; /* cycles in which they did, last and the two times before (or when it was issued) */
    uint64_t since; /* loads: memory as it was then is the oldest that may be seen */
    uint64_t tmask; /* threads that execute it */
    uint64_t traced; /* threads with an address that was seen */
    uint64_t sent; /* threads with a global access at the L1D */
    uint64_t gone; /* let go by the LSU: traced, and sent unless in the scratchpad */
    uint64_t written; /* threads with a result that was seen */
    uint64_t expected; /* threads that must write rd (after stepping) */
    uint64_t addr[THREADS], data[THREADS]; /* from the machine's trace; data: rs2 */
    uint64_t phys[THREADS]; /* global accesses: the physical address, or that of the line until the address is traced */
    uint64_t order_at[THREADS]; /* number of writes in LSU order when the LSU let it go */
    uint64_t went[THREADS]; /* its number among all accesses that the LSUs let go */
    /* loads and scratchpad atomics: what memory held when the LSU let it go; atomics: their answer */
    uint64_t seen[THREADS];
    uint64_t result[THREADS]; /* written by the machine */
    uint64_t value[THREADS]; /* computed by the reference */
    uint64_t compared[THREADS]; /* AMOCAS: the compare value, from the machine's trace */
    /* atomics in memory: threads with a request that has left the core; with an answer of the slice */
    uint64_t asked, performed;
    uint64_t performed_at; /* number of writes performed when the last of them was */
} insn_t;

typedef struct {
    bool active, waiting; /* waiting: at a barrier that the group has not passed */
    uint64_t live, running; /* threads with a vl.exit that has not been stepped; has not been issued */
    unsigned slot, spad_base;
    uint8_t head, tail; /* seq of the oldest unstepped instruction, and of the next one */
    uint64_t since; /* no load may see memory as it was before this write */
    bool fault; /* the reference has faulted: nothing more of this warp counts */
    sim_fault_t expected; /* the expected fault */
    uint64_t began; /* threads with which the warp began */
    uint64_t early, early_pc; /* threads that wait before the barrier there for others of the warp */
    uint64_t wait_pc, wait_mask;
    /* In a compacted group (judge_homes.h). runs: threads that run here (others only have their seat here); nested: threads wait at barriers with the group; seat, seat_since: home of the thread at each place, and its `since`. */
    uint64_t runs;
    bool nested;
    uint8_t seat[THREADS];
    uint64_t seat_since[THREADS], seat_pc[THREADS]; /* seat_pc: pc at which early threads wait */
    struct {
        uint64_t pc, mask;
        uint32_t word;
        bool fetch;
    } illegal; /* an issued instruction that cannot be executed; mask 0: none. fetch: bit 0 of `word` says page fault */
    insn_t ring[RING];
    unsigned char *threads;
} warp_state_t;

typedef struct {
    unsigned started, warps, arrived, ended; /* of the workgroup in this slot */
    unsigned spad_base;
    uint32_t grp[3];
    uint64_t barrier; /* number of the last barrier that the group has passed */
    bool crossed; /* an access behind that barrier has been let go */
    bool formed, gone; /* formed: the group's warps have been formed anew; gone: a thread has issued its exit */
    /* a thread has ended while others wait, or has reached a barrier after others have ended: a fault if the group is compacted */
    bool broken;
    unsigned back; /* threads that have not yet continued after a barrier at which all have arrived */
} group_state_t;

/* A sector's worth of an instruction's stores (what its LSU sends at a time) that has not been performed in memory. */
typedef struct {
    uint64_t line, number, pc, cycle;
    line_be_t be;
    uint64_t went; /* as of insn_t: its first access */
    uint32_t instr;
    unsigned warp, sector;
    uint8_t data[LINE_BYTES];
} pending_t;

typedef struct {
    pending_t *at;
    unsigned n, room;
} pending_list_t;

typedef struct {
    bool valid;
    uint64_t hart, where;
} reservation_t;

typedef struct {
    uint8_t spad[SPAD_BYTES];
    reservation_t spad_hold;
    warp_state_t warp[WARPS];
    warp_state_t *ghost[WARPS]; /* a warp that has ended, while its last stores wait in the LSU */
    group_state_t group[GROUPS];
    pending_list_t stores; /* let go by the LSU, not performed; in LSU order */
    pending_list_t early; /* performed, not seen at the LSU's trace port yet */
} core_state_t;

/* A request on its way: handed to the network, not answered by its slice. */
typedef struct {
    mem_req_t q;
    uint64_t cycle;
    uint64_t epoch; /* shootdowns asked for before it */
    insn_t *insn; /* atomics of a core */
    unsigned thread;
} request_t;

/* The requests of a core or the host port, in their order. */
typedef struct {
    request_t *at;
    unsigned n, room;
    reservation_t last; /* its last LR, unless an SC has ended the reservation */
    reservation_t hold[SLICES]; /* the reservation that each slice holds for it */
} source_state_t;

typedef struct judge_views judge_views_t;
typedef struct judge_shots judge_shots_t;
typedef struct judge_reads judge_reads_t;
typedef struct judge_pages judge_pages_t;
typedef struct judge_code judge_code_t;
typedef struct judge_walks judge_walks_t;
typedef struct judge_coherence judge_coherence_t;
typedef struct judge_messages judge_messages_t;
typedef struct judge_stacks judge_stacks_t;
typedef struct judge_slices judge_slices_t;

/* The queue of page faults as the host reads it. */
enum { FAULTS_KNOWN = 256 };
typedef struct {
    unsigned reading; /* register, 0: none */
    uint64_t asked; /* cycle in which it asked */
    reg_pf_what_t what; /* as read */
    uint64_t value, pc, threads;
    uint64_t popped, seen, looked; /* numbers of faults popped, and seen by some read; cycle of the last read */
    uint64_t after[FAULTS_KNOWN]; /* the fault was not in the queue before this cycle */
    uint64_t waits[CORES][WARPS]; /* number of the instruction of the fault served last */
    uint64_t fetch[CORES][2]; /* of each line fill: the address of the fault served last */
    uint64_t denied[CORES][2]; /* and the one that the host has denied, 0: none */
} fault_queue_t;

/* A kernel under way. */
typedef struct {
    sim_launch_t launch;
    uint64_t cores;
    uint64_t groups, groups_started;
    uint8_t *group_seen; /* a bit a workgroup */
} kernel_state_t;

/* The performance counters that the reference knows. */
#define REFERENCE_OF(k, name, who) REFERENCE_##name,
typedef enum { VL_REFERENCE_COUNTERS(REFERENCE_OF) REFERENCE_COUNTERS } reference_counter_e;
#undef REFERENCE_OF

typedef struct {
    uint64_t count[CORES][REFERENCE_COUNTERS]; /* since the machine's were cleared */
    reg_perf_sel_t selected;
    bool reading; /* the host has asked for the one that is selected */
    uint64_t compared; /* since the kernels began */
} counters_state_t;

struct judge {
    kernel_state_t kernel[KERNELS];
    uint8_t kernel_of[CORES]; /* KERNELS: none */
    uint64_t base, limit;
    ref_mem *order; /* memory in the order in which the cores' LSUs let accesses go */
    ref_mem *view[VIEWERS]; /* memory as performed at the memory side, as each viewer sees it */
    versions_t *let_go; /* writes to `order` */
    versions_t *performed[VIEWERS]; /* writes to its `view` */
    judge_views_t *views;
    uint64_t cycle, moved, instructions, races, words;
    uint64_t waived[WAIVERS];
    sim_error_t *err;
    int verdict;
    core_state_t *core; /* CORES of them */
    source_state_t source[SOURCES];
    uint64_t accesses; /* that the LSUs let go */
    uint64_t reset; /* cores that have been reset since the last kernel */
    judge_shots_t *shots;
    judge_reads_t *reads;
    judge_pages_t *pages;
    judge_code_t *code;
    judge_walks_t *walks;
    judge_coherence_t *coherence;
    judge_stacks_t *stacks;
    judge_slices_t *slices;
    judge_messages_t *messages; /* NULL: the machine shows no messages */
    fault_queue_t faults;
    counters_state_t counters;
    size_t thread_size;
    unsigned char *scratch; /* one thread */
    /* the access that is being stepped */
    core_state_t *in_core;
    insn_t *in_insn;
    warp_state_t *in_warp;
    unsigned in_thread, core_no, warp_no;
};

/* The launch of the core's kernel. */
static inline const sim_launch_t *judge_launch(const judge_t *j, unsigned core)
{
    return &j->kernel[j->kernel_of[core] % KERNELS].launch;
}

static inline ref_thread *judge_thread(judge_t *j, warp_state_t *w, unsigned t)
{
    return (ref_thread *)(void *)(w->threads + t * j->thread_size);
}

static inline bool in_spad(uint64_t addr)
{
    return addr >= REF_SPAD_BASE && addr < REF_SPAD_BASE + REF_SPAD_MAX;
}

/* Loads, stores and atomics alike tell their size in bits 13:12. */
static inline unsigned size_of(const insn_t *i)
{
    return 1u << (i->instr >> 12 & 3);
}

/* Bytes of a line as a number, for messages. */
typedef struct {
    char s[2 + LINE_BYTES / 4 + 1];
} judge_be_text_t;

static inline judge_be_text_t judge_be_text(const line_be_t *be)
{
    judge_be_text_t t = {"0x"};
    for (unsigned w = BE_WORDS, n = 2; w-- > 0; n += 16)
        snprintf(t.s + n, sizeof t.s - n, "%016" PRIx64, be->w[w]);
    return t;
}

/* The bytes that a mask of the machine's messages names, a bit of it for MASK_GRAIN bytes. Whatever the judge keeps is by byte. */
static inline line_be_t judge_bytes_of(const line_mask_t *mask)
{
    line_be_t be = {{0}}, bits = {{0}};
    memcpy(&bits, mask, sizeof *mask);
    if ((int)MASK_GRAIN == 1)
        return bits;
    for (unsigned k = 0; k < LINE_BYTES; k++)
        be.w[k / 64] |= (bits.w[0] >> k / MASK_GRAIN & 1) << k % 64;
    return be;
}

static inline uint64_t size_mask(unsigned size)
{
    return size == 8 ? ~0ull : (1ull << (8 * size)) - 1;
}

static inline bool is_atomic(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x2f;
}

static inline bool is_store(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x23;
}

static inline bool is_load(const insn_t *i)
{
    return (i->instr & 0x7f) == 0x03;
}

/* Its threads go to memory, or to the scratchpad. */
static inline bool accesses(const insn_t *i)
{
    return i->pipe == PIPE_LSU && (is_load(i) || is_store(i) || is_atomic(i));
}

static inline bool is_fence(const insn_t *i)
{
    return i->op == OP_FENCE || i->op == OP_FENCE_I;
}

/* A core's read for its instruction cache, by its id (docs/blocks/mem_arb.md): not the L1D's and not the walker's. */
static inline bool is_code(const mem_req_t *q)
{
    enum { KIND = 1 << MEM_IDX_W, SOURCE = 4 << MEM_IDX_W };
    return q->op == MEM_READ && (q->id & (SOURCE | KIND)) == SOURCE;
}

/* One walker for all cores (docs/shared-translation.md), a source of its own behind them. */
enum { SHARED_WALKER = HOST_SOURCE > CORES };
#define JUDGE_ALL_CORES (~0ull >> (64 - CORES))

/* Does this request read page tables? A core with a walker of its own marks them by class. */
static inline bool is_walk(unsigned source, const mem_req_t *q)
{
    return source != HOST_SOURCE && (source >= CORES || q->cls);
}

/* Which viewer a core is, or the host port. */
static inline unsigned viewer_of(unsigned source)
{
    return VIEWERS == 1 ? 0 : source / (CORES / DEVICES);
}

static inline uint64_t hart_of(unsigned core, unsigned warp, unsigned thread)
{
    return ((uint64_t)core * WARPS + warp) * THREADS + thread;
}

/* Of the thread that runs at a place of a warp. */
static inline uint64_t hart_at(unsigned core, unsigned warp, const warp_state_t *w, unsigned thread)
{
    return hart_of(core, COMPACTS ? w->seat[thread] : warp, thread);
}

#endif
