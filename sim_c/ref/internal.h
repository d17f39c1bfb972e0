/* Declarations that the files of the reference share. */
#ifndef REF_INTERNAL_H
#define REF_INTERNAL_H
#include <string.h>

#include "isa_gen.h"
#include "sim_c/ref/fp.h"
#include "sim_c/ref/ref.h"
#include "sim_c/ref/translate.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory is copied as the host holds it");

#define LINE_LOG2 7 /* a reservation covers a line of memory, a doubleword of the scratchpad */

struct ref_thread {
    uint64_t x[33]; /* x[32] takes writes to x0 */
    uint64_t pc;
    uint32_t fflags, frm;
    ref_ident id;
};

/* ---- memory ---- */
#define CHUNK_LOG2 15
#define CHUNK_BYTES (1ull << CHUNK_LOG2)
#define MEM_CACHE 2048 /* chunks found lately, by the low bits of their number */

typedef struct {
    uint64_t line; /* number of the line or doubleword, NO_LINE: none */
    uint32_t hart;
} reservation;
#define NO_LINE UINT64_MAX

typedef struct {
    uint64_t number; /* addr >> CHUNK_LOG2 */
    uint8_t *bytes;
} chunk;

struct ref_mem {
    uint64_t base, limit;
    uint8_t *over;          /* the caller's bytes; NULL: chunks of our own */
    const uint8_t *behind;  /* initial contents of a new chunk; NULL: zero */
    bool sv48;              /* kernels use virtual addresses */
    ref_space space;
    uint64_t changes;       /* number of changes of tables and roots */
    const ref_range *allowed; /* where accesses may go; NULL: anywhere */
    uint64_t n_allowed;
    chunk cache[MEM_CACHE]; /* only chunks that are wholly in the window and outside of the private aperture */
    chunk
        plain[MEM_CACHE]; /* of these, those in which a thread's address is that of a byte for all: see mem_see_plain */
    chunk *table; /* open addressing; bytes NULL: free */
    uint64_t table_size, chunks;
    reservation global, spad; /* of the single core */
    bool no_memory; /* an access failed because the host has none */
};

static inline bool mem_in_window(const ref_mem *m, uint64_t addr)
{
    return addr >= m->base && addr < m->limit;
}

/* The bytes at addr, which is in the window; they stay contiguous up to the end of the chunk. NULL: no host memory. */
uint8_t *mem_slow(ref_mem *m, uint64_t addr);

static inline uint8_t *mem_at(ref_mem *m, uint64_t addr)
{
    chunk *c = &m->cache[addr >> CHUNK_LOG2 & (MEM_CACHE - 1)];
    if (c->number == addr >> CHUNK_LOG2)
        return c->bytes + (addr & (CHUNK_BYTES - 1));
    return NULL;
}

static inline bool mem_in_aperture(uint64_t addr)
{
    return addr - REF_SPAD_BASE < REF_SPAD_MAX;
}

/* The physical address of a virtual one, which is not in the aperture; or the fault of that use. */
ref_cause mem_translate(ref_mem *m, ref_use use, uint64_t va, uint64_t *pa);

/* A thread may use these bytes, by the address that it has for them (ref_mem_allow). */
bool mem_is_allowed(const ref_mem *m, const ref_ident *id, uint64_t addr, unsigned bytes);

/* Where an access to addr lies (docs/private-memory.md, P4). */
static inline uint64_t mem_interleave(const ref_private *p, uint64_t addr)
{
    if (!p->all_bits || (addr ^ p->base) >> p->all_bits)
        return addr;
    /* A warp's stacks interleaved: a row has one doubleword of each thread, and a thread's stack is a column. */
    const uint64_t warp_bytes = 1ull << (p->stack_bits + p->thread_bits), in_warp = addr & (warp_bytes - 1);
    const uint64_t thread = in_warp >> p->stack_bits, row = (in_warp & ((1ull << p->stack_bits) - 1)) / 8;
    return addr - in_warp + ((row << p->thread_bits) + thread) * 8 + addr % 8;
}

/* Where a data access of a thread goes: NULL if nowhere. */
uint8_t *mem_data(ref_mem *m, uint8_t *spad, uint32_t spad_bytes, uint64_t addr);

/* To be called for every write, with the reservation of the place written. */
static inline void mem_break(reservation *r, uint64_t line)
{
    if (r->line == line)
        r->line = NO_LINE;
}

/* LR, SC, AMO, AMOCAS at p; returns the result for rd before sign extension. */
uint64_t mem_amo(reservation *r, uint64_t line, uint32_t hart, op_e op, unsigned size, uint8_t *p, uint64_t operand,
                 uint64_t compare);

/* ---- CSRs ---- */
/* Reads; the number is one of the machine's. */
uint64_t csr_read(ref_thread *t, unsigned csr);
/* fflags, frm, fcsr. */
void csr_write(ref_thread *t, unsigned csr, uint64_t value);

/* ---- running a thread (run.c) ---- */
#define PAGE_LOG2 12
#define PAGE_INSNS (1 << (PAGE_LOG2 - 2))
#define PAGES 64 /* decoded pages, by the low bits of their number */

typedef struct {
    uint64_t number;
    ref_insn insns[PAGE_INSNS + 1]; /* the last one leads to the next page */
} page;

typedef struct {
    ref_mem *mem;
    uint8_t *spad;
    uint32_t spad_bytes;
    uint64_t changes; /* of the memory's tables, when the pages were decoded */
    page *pages[PAGES]; /* by virtual address */
    uint64_t atomics[2]; /* numbers of atomics done in memory, in the scratchpad */
    uint64_t writes; /* another number whenever memory or a scratchpad has changed */
} runner;

typedef enum { RUN_EXIT, RUN_BARRIER, RUN_TURN, RUN_FAULT, RUN_STUCK } run_end;

/* To be called between fp_enter and fp_leave. Runs until the thread ends, waits, faults, or (seen at jumps) has had its turn: *left is counted down by the instructions done.
 * The pc is then that of the vl.exit, the vl.barrier, the next or the faulting instruction. */
run_end run_thread(runner *r, ref_thread *t, int64_t *left, ref_cause *cause, uint64_t *value);

/* ---- a group in flight (group.c) ---- */
typedef enum { RUNNING, WAITING, ENDED } progress;

typedef struct {
    ref_thread *threads; /* NULL: the slot was never used */
    progress *progress;
    uint64_t *stuck; /* the runner's `writes` when the thread was found to wait for memory to change; NOT_STUCK */
    uint8_t *spad;
    uint32_t n, warps;
    uint32_t core, warp; /* where it is: its first warp */
    uint32_t rounds; /* of turns since a thread has ended or a barrier was passed */
    bool busy; /* it has begun, and has not ended */
} group;
#define NOT_STUCK UINT64_MAX

typedef struct {
    runner run;
    const ref_launch *launch;
    ref_result *result;
    fp_saved host; /* the host's floating-point state, which its functions are called in */
    uint64_t polled; /* the number of instructions when poll was called last */
} launch_state;

typedef enum { GROUP_ENDED, GROUP_STUCK, GROUP_SLOW } group_end;

bool group_make(group *g, const ref_launch *l);
void group_free(group *g);
void group_start(launch_state *s, group *g, const uint32_t grp[3]);
/* Runs the group until it has ended, or every thread that could go on waits for another group to change memory (STUCK), or has made no
 * progress for long (SLOW). Otherwise a REF_E code. */
int group_run(launch_state *s, group *g, group_end *end);
/* Nothing can happen in it until memory changes. */
bool group_is_stuck(const launch_state *s, const group *g);
/* Its warps that have not ended, for the caller's `left`. */
void group_left(const launch_state *s, const group *g);
/* The caller's poll function asks for the end. */
bool launch_polled(launch_state *s);

#endif
