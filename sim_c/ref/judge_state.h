/* What the parts of the judge share: judge.c (instructions), judge_memory.c (what memory may hold), judge_requests.c (what is asked of the
 * memory side and answered by it), judge_pages.c (translations), judge_faults.c (page faults), judge_walks.c (reads of page tables). */
#ifndef SIM_C_REF_JUDGE_STATE_H
#define SIM_C_REF_JUDGE_STATE_H
#include "sim_c/ref/judge.h"
#include "sim_c/ref/ref.h"
#include "sim_c/ref/translate.h"
#include "sim_c/ref/versions.h"

enum { RING = 256 }; /* instructions of a warp that may be known but not finished: the range of seq */

/* One issued instruction until it has been stepped and all its results have been seen. */
typedef struct {
    bool used, stepped, last_seen, faulted;
    bool early; /* a barrier before which its threads wait for others of the warp: it will be issued again, for all of them */
    uint8_t pipe, op, rd;
    uint32_t instr;
    uint64_t pc, cycle, number; /* number: counts all instructions of the kernel */
    uint64_t begin;    /* writes performed in memory when it was issued */
    uint64_t before;   /* accesses that the LSUs had let go when it was issued */
    uint64_t resumed;  /* cycle in which its faulted threads went on last */
    uint64_t went_on[2]; /* writes performed when they did, last and the time before (or when it was issued) */
    uint64_t since;    /* loads: memory as it was then is the oldest that may be seen */
    uint64_t tmask;    /* threads that execute it */
    uint64_t traced;   /* threads whose address has been seen */
    uint64_t sent;     /* threads whose global access has gone to the L1D */
    uint64_t gone;     /* let go by the LSU: traced, and sent unless in the scratchpad */
    uint64_t written;  /* threads whose result has been seen */
    uint64_t expected; /* threads that must write rd (after stepping) */
    uint64_t addr[THREADS], data[THREADS]; /* as the machine says; data: rs2 */
    uint64_t phys[THREADS];                /* global: the physical address; before it is traced that of its line */
    uint64_t order_at[THREADS];            /* writes in LSU order when the LSU let it go */
    uint64_t went[THREADS];                /* it was this access of all that the LSUs let go */
    uint64_t seen[THREADS];                /* loads, scratchpad atomics: what memory held when the LSU let it go; atomics: what they answer */
    uint64_t result[THREADS];              /* written by the machine */
    uint64_t value[THREADS];               /* computed by the reference */
    uint64_t compared[THREADS];            /* AMOCAS: what it compared with, as the machine says */
    uint64_t asked, performed;             /* atomics in memory: threads whose request has left the core, has been answered by its slice */
    uint64_t performed_at;                 /* writes performed when the last of them was */
} insn_t;

typedef struct {
    bool active, waiting; /* waiting: at a barrier that the group has not passed */
    uint64_t live, running; /* threads whose vl.exit has not been stepped; has not been issued */
    unsigned slot, spad_base;
    uint8_t head, tail;   /* seq of the oldest unstepped instruction, and of the next one */
    uint64_t since;       /* no load may see memory as it was before this write */
    bool fault;           /* the reference has faulted: nothing more of this warp counts */
    vl_fault expected;    /* so */
    uint64_t began;       /* its threads */
    uint64_t early, early_pc; /* threads that wait before the barrier there for others of the warp */
    uint64_t wait_pc, wait_mask, illegal_mask;
    insn_t ring[RING];
    unsigned char *threads;
} warp_state_t;

typedef struct {
    unsigned started, warps, arrived, ended; /* of the workgroup in this slot */
    unsigned spad_base;
    uint32_t grp[3];
    uint64_t barrier; /* number of the last one that the group has passed */
    bool crossed;     /* some access from beyond it has been let go */
} group_state_t;

/* A sector's worth of an instruction's stores (what its LSU sends at a time) that has not been performed in memory. */
typedef struct {
    uint64_t line, number, pc, cycle, be[2];
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
    pending_list_t early;  /* performed, not seen at the LSU's trace port yet */
} core_state_t;

/* A request on its way: handed to the network, not answered by its slice. */
typedef struct {
    mem_req_t q;
    uint64_t cycle;
    insn_t *insn; /* atomics of a core */
    unsigned thread;
} request_t;

/* What a core or the host port has asked for, in the order in which it did. */
typedef struct {
    request_t *at;
    unsigned n, room;
    reservation_t last;         /* its last LR that no SC has ended */
    reservation_t hold[SLICES]; /* what each slice holds for it */
} source_state_t;

typedef struct judge_pages judge_pages_t;
typedef struct judge_walks judge_walks_t;

/* The queue of page faults as the host reads it. */
enum { FAULTS_KNOWN = 256 };
typedef struct {
    unsigned reading;                     /* register, 0: none */
    uint64_t asked;                       /* cycle of that */
    uint64_t what, value, pc, threads;    /* as read */
    uint64_t popped, seen, looked;        /* faults; that some look has shown; cycle of the last look */
    uint64_t after[FAULTS_KNOWN];         /* not in the queue before this cycle */
    uint64_t waits[CORES][WARPS];         /* number of the instruction whose fault was served last */
} fault_queue_t;

/* A kernel under way. */
typedef struct {
    vl_backend_launch launch;
    uint64_t cores;
    uint64_t groups, groups_started;
    uint8_t *group_seen;    /* a bit a workgroup; NULL: too many */
} kernel_state_t;

struct judge {
    kernel_state_t kernel[KERNELS];
    uint8_t kernel_of[CORES]; /* KERNELS: none */
    uint64_t base, limit;
    ref_mem *order;         /* memory in the order in which the cores' LSUs let accesses go */
    ref_mem *coherence;     /* memory as performed at the memory side */
    versions_t *let_go;     /* writes to `order` */
    versions_t *performed;  /* writes to `coherence` */
    uint64_t cycle, moved, instructions, races, unknown;
    vl_error *err;
    int verdict;
    core_state_t *core; /* CORES of them */
    source_state_t source[SOURCES];
    uint64_t accesses;  /* that the LSUs let go */
    uint64_t reset;     /* cores that have been since the last kernel */
    judge_pages_t *pages;
    judge_walks_t *walks;
    fault_queue_t faults;
    size_t thread_size;
    /* the access that is being stepped */
    core_state_t *in_core;
    insn_t *in_insn;
    warp_state_t *in_warp;
    unsigned in_thread, core_no, warp_no;
};

/* Notes the first difference. Core number CORES is the host port, warp number WARPS is no warp. Returns VL_EDIFF. */
__attribute__((format(printf, 5, 6)))
int judge_differ(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *fmt, ...);

/* An array with room for one more than `n`, `room` being what it has. NULL, and told: there is no memory left. */
void *judge_room(judge_t *j, void *at, unsigned n, unsigned *room, size_t size);

/* What the kernel of the core was launched with. */
static inline const vl_backend_launch *judge_launch(const judge_t *j, unsigned core)
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

static inline bool is_fence(const insn_t *i)
{
    return i->op == OP_FENCE || i->op == OP_FENCE_I;
}

static inline uint64_t hart_of(unsigned core, unsigned warp, unsigned thread)
{
    return ((uint64_t)core * WARPS + warp) * THREADS + thread;
}

/* ---- judge_memory.c ---- */

/* A thread's access as the LSU lets it go, in LSU order: loads and scratchpad atomics note what they see, stores write. */
void judge_access(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t);
/* May this load have given `raw`? */
bool judge_load_legal(judge_t *j, unsigned core, const insn_t *i, unsigned t, uint64_t raw);
/* An access of the warp, or its fence, takes effect: nothing from before a barrier does so after something from beyond it. */
void judge_barrier_kept(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const insn_t *i);
/* A write is performed now. */
void judge_written(judge_t *j, unsigned source, const mem_req_t *q);
/* An atomic is performed now. Returns what it must answer. `i`: its instruction, NULL: the host's. */
uint64_t judge_atomic(judge_t *j, unsigned source, const mem_req_t *q, insn_t *i, unsigned t);
/* Does the line hold these bytes now? Otherwise `at` is the first byte that it does not hold, `want` what it holds there. */
bool judge_holds(const judge_t *j, uint64_t line, const vl_bits_1024 *data, uint64_t *at, uint8_t *want);
/* Every store and atomic of the warp that was issued before must have been performed, and of the core's others what their LSU had let go before this
 * instruction was issued: what its thread can have seen, and what a barrier puts before it. */
void judge_earlier_done(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *why);
/* Once in a while: nothing that was performed may stay unexplained. `end`: of the kernel, nothing may be left at all. */
void judge_memory_check(judge_t *j, bool end);
/* Is there memory for this access of the warp? */
bool judge_reachable(const judge_t *j, unsigned core, uint64_t addr);

/* ---- judge_pages.c ---- */

judge_pages_t *judge_pages_new(void); /* NULL: no memory */
void judge_pages_free(judge_pages_t *p);
void judge_pages_begin(judge_t *j);
/* Register accesses of the host that concern translation, and what they read. */
void judge_pages_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
/* Memory has been written by the host: page tables may have changed. */
void judge_pages_written(judge_t *j);
bool judge_sv48(const judge_t *j, unsigned core);
const root_t *judge_root(const judge_t *j, unsigned core);
/* May a core have found `va` in that frame, by what page tables have held since the last acknowledged shootdown that covers it? Bare: va itself. */
bool judge_frame_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, uint64_t ppn);
/* May its translation have failed so, in `cycle` or later (UINT64_MAX: now), by what PTEs have been since the write `since`? */
bool judge_fault_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, ref_verdict verdict, uint64_t cycle, uint64_t since);
/* May the core execute this word at pc? Otherwise *there says what memory holds (0 when there is none). */
bool judge_word_legal(judge_t *j, unsigned core, uint64_t pc, uint32_t word, uint32_t *there);

/* ---- judge_faults.c ---- */

void judge_faults_begin(judge_t *j);
/* Register accesses of the host that concern page faults, and what they read. */
void judge_faults_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);

/* ---- judge_walks.c ---- */

judge_walks_t *judge_walks_new(void); /* NULL: no memory; free() it */
void judge_walks_begin(judge_t *j);
/* A core's read of class 1 and up: handed over, and answered with that line. */
void judge_walk_asked(judge_t *j, unsigned core, const mem_req_t *q);
void judge_walk_answered(judge_t *j, unsigned core, const mem_req_t *q, const vl_bits_1024 *line);

/* ---- judge_requests.c ---- */

/* A core or the host port hands over a request. */
void judge_asked(judge_t *j, unsigned source, const mem_req_t *q);
/* A slice answers a request for that line, and so performs it. Slices in ascending order; in one cycle they perform requests of different lines. */
void judge_answered(judge_t *j, unsigned slice, const net_rsp_t *a, uint64_t line);
/* No core awaits anything. */
void judge_all_answered(judge_t *j);
/* The slice that has the line of this address. */
unsigned judge_slice(uint64_t addr);
#endif
