/*
 * The architectural reference: executes docs/isa.md, a thread at a time, without a notion of time.
 *
 * Two uses. ref_run_kernel() runs a whole launch on a memory of its own. ref_thread_step() executes one instruction of one
 * thread on the memory that the caller offers through ref_bus, and reports its effects: the judge of the lockstep uses it.
 *
 * The library never prints and keeps no global state; separate objects may be used from separate threads.
 */
#ifndef REF_H
#define REF_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What functions return. */
enum {
    REF_OK = 0,
    REF_EFAULT = -1, /* the program faulted */
    REF_ELIMIT = -2, /* the instruction limit was reached */
    REF_ENOMEM = -3, /* the host has no memory left */
    REF_EINVAL = -4, /* an argument makes no sense */
    REF_EINTR = -5,  /* the caller's poll function asked for the end */
    REF_ESTUCK = -6, /* it would never end: all resident groups wait, and memory does not change */
};

/* Causes, numbered as in docs/isa.md. */
typedef enum {
    REF_FAULT_NONE = 0,
    REF_FAULT_ILLEGAL = 1,
    REF_FAULT_FETCH_MISALIGNED = 2,
    REF_FAULT_FETCH_ACCESS = 3,
    REF_FAULT_LOAD_MISALIGNED = 4,
    REF_FAULT_LOAD_ACCESS = 5,
    REF_FAULT_STORE_MISALIGNED = 6,
    REF_FAULT_STORE_ACCESS = 7,
    REF_FAULT_BARRIER = 9,
    REF_FAULT_FETCH_PAGE = 10, /* these three only where addresses are translated */
    REF_FAULT_LOAD_PAGE = 11,
    REF_FAULT_STORE_PAGE = 12,
} ref_cause;

#define REF_SPAD_BASE 0x30000000ull
#define REF_SPAD_MAX 0x10000u
#define REF_PC_MASK 0xffffffffffffull /* a pc has 48 bits */

/* ---- memory: sparse, zero until written ------------------------------------------------------------------------- */

typedef struct ref_mem ref_mem;

/* The window [base, limit). NULL if it is empty, goes beyond 2^48, or there is no memory. */
ref_mem *ref_mem_new(uint64_t base, uint64_t limit);
/* The same on memory of the caller's: bytes[a - base] is the byte of address a. It must outlive the ref_mem. */
ref_mem *ref_mem_over(uint64_t base, uint64_t limit, uint8_t *bytes);
void ref_mem_free(ref_mem *m);

/* Forgets all writes; from now on memory takes its contents from `bytes` (of the window) when a part of it is first touched. */
void ref_mem_forget(ref_mem *m, const uint8_t *bytes);

/* ref_run_kernel translates addresses by the tables at `root` (physical page number), or takes them as physical: as at first. */
void ref_mem_translate(ref_mem *m, bool sv48, uint64_t root);
/* From now on a thread's load, store or atomic in memory or in the scratchpad is an access fault unless all of its bytes are in one of these ranges, which are by address, apart, and the caller's. NULL: all of
 * the window may be used, as at the beginning. Of addresses as threads have them. */
typedef struct {
    uint64_t addr, bytes;
} ref_range;
void ref_mem_allow(ref_mem *m, const ref_range *range, uint64_t n);

/* Tables have changed: nothing that was fetched by the old ones is used any more. */
void ref_mem_invalidate(ref_mem *m);

/* Ranges must lie in the window: REF_EINVAL otherwise, and nothing is done. REF_ENOMEM. */
int ref_mem_write(ref_mem *m, uint64_t addr, const void *data, uint64_t bytes);
int ref_mem_read(ref_mem *m, uint64_t addr, void *data, uint64_t bytes);
int ref_mem_fill(ref_mem *m, uint64_t addr, uint8_t byte, uint64_t bytes);

/* ---- a whole kernel --------------------------------------------------------------------------------------------- */

/* A thread's page fault. Nothing of the instruction has happened. */
typedef struct {
    ref_cause cause;
    uint64_t address, pc;
    uint32_t core, warp, thread; /* as in ref_result */
} ref_page_fault;

/* A warp that has not ended: its lowest thread that has not, and those that are where this one is. */
typedef struct {
    uint64_t pc, threads;
    uint32_t core, warp, group[3];
    bool barrier; /* it waits at one, */
    bool stuck; /* or for another's store */
} ref_left;

typedef struct {
    uint64_t entry; /* pc of every thread's first instruction */
    uint64_t arg; /* vl_arg */
    uint64_t stack_base; /* vl_sp = stack_base + ((hartid + 1) << stack_log2) */
    uint32_t stack_log2;
    uint32_t
        harts; /* of the machine: the number of stacks, which decides the private addresses (docs/private-memory.md). 0: none */
    uint32_t
        private_bytes; /* with ref_mem_allow: upper bytes of a stack that its thread, and no other, may use; 0: all of each */
    uint32_t spad_bytes; /* scratchpad of a group, at most REF_SPAD_MAX */
    uint32_t groups[3]; /* number of groups */
    uint32_t local[3]; /* threads of a group */
    uint32_t offset[3]; /* global offset */
    uint32_t threads; /* threads of a warp */
    uint32_t lanes; /* for vl_lane alone */
    uint32_t cores, warps; /* number of cores, and of warps in each: they limit the groups in flight. 0: one group */
    uint32_t core_groups; /* the most that a core holds, whatever warps it has; 0: no such bound */
    uint64_t limit; /* of thread instructions, seen at jumps; 0: none */
    bool (*poll)(void *user, uint64_t groups_done,
                 uint64_t groups); /* after every group, and now and then; true ends the run; may be NULL */
    /* Page faults: true, and the thread does the instruction again at once. NULL, false: the fault ends the run. The tables may be
     * changed in it (ref_mem_invalidate), and so in `pause`, which comes after every turn of a thread; true ends the run. */
    bool (*page_fault)(void *user, const ref_page_fault *f);
    bool (*pause)(void *user);
    /* Called before the return for each warp that has not ended, unless a fault has ended the run; may be NULL. */
    void (*left)(void *user, const ref_left *w);
    uint32_t turn; /* instructions of a thread's turn, about; 0: 100000 */
    void *user;
} ref_launch;

typedef struct {
    uint64_t instructions; /* thread instructions, those that fault not counted */
    uint64_t groups; /* groups that ended */
    uint64_t barriers; /* barriers that a group passed */
    uint64_t atomics, spad_atomics; /* of threads in memory, in scratchpads; LR and SC too */
    /* The fault, when REF_EFAULT was returned. */
    ref_cause cause;
    uint64_t value, pc;
    uint32_t group[3], local[3]; /* ids of the faulting thread */
    uint32_t core, warp, thread; /* its core, its warp there, its index in the warp */
    uint32_t group_thread; /* its index in the group */
    uint32_t resident; /* REF_ESTUCK: groups that wait, and cannot be more */
} ref_result;

/* Runs the groups one after the other, x fastest, each as if alone on core 0 from warp slot 0 up, its scratchpad zero at first.
 * Threads take turns, from barrier to barrier, or for some 100000 instructions when one waits for another.
 *
 * A group that waits for another one lets later ones begin, as many as can be resident, each in warps of its own. A thread waits if it comes to a
 * place again with the same registers, and memory has not changed meanwhile: groups that do not wait are not affected. A
 * group that changes memory or registers as it waits (a loop that counts) gets turns with later ones after long: LONG rounds of
 * turns in which no thread has ended or passed a barrier.
 *
 * A divergent barrier is seen from the outside: live threads of a warp that wait at different barriers, or threads of a warp
 * that leave through the same exit having passed different numbers of barriers. */
int ref_run_kernel(ref_mem *m, const ref_launch *l, ref_result *r);

/* ---- one thread, one instruction -------------------------------------------------------------------------------- */

/* Which addresses of a thread are private, and how they are interleaved (docs/private-memory.md). Zero: none. */
typedef struct {
    uint64_t base; /* of the first stack */
    uint8_t thread_bits; /* log2 of the threads of a warp */
    uint8_t stack_bits; /* log2 of the bytes of a stack */
    uint8_t all_bits; /* of all stacks */
} ref_private;
/* Of `harts` stacks of 2^stack_log2 bytes from `base` on, in warps of `threads`. */
ref_private ref_private_of(uint64_t base, uint32_t stack_log2, uint32_t harts, uint32_t threads);

/* The values of the identity CSRs; and the thread's private memory. */
typedef struct {
    uint32_t lid[3], gbase[3], grp[3];
    uint64_t arg, sp;
    uint32_t lane, thread, warp, core, hartid;
    uint32_t private_bytes; /* as in ref_launch */
    ref_private private;
} ref_ident;

typedef struct ref_thread ref_thread;

/* Bytes of a ref_thread, a multiple of 8; the caller provides them, aligned to 8. */
size_t ref_thread_size(void);
void ref_thread_init(ref_thread *t, uint64_t pc, const ref_ident *id);

uint64_t ref_thread_pc(const ref_thread *t);
void ref_thread_set_pc(ref_thread *t, uint64_t pc);
uint64_t ref_thread_reg(const ref_thread *t, unsigned r);
void ref_thread_set_reg(ref_thread *t, unsigned r, uint64_t value);
/* Where an access of the thread to addr lies. */
uint64_t ref_thread_place(const ref_thread *t, uint64_t addr);
uint32_t ref_thread_fcsr(const ref_thread *t);
void ref_thread_set_fcsr(ref_thread *t, uint32_t fcsr);

/* Memory as the thread sees it; the place where a judge supplies the values that the machine under test has read. Addresses are where things lie, aligned, and
 * size is 1, 2, 4 or 8; values are the raw bytes, zero-extended. Each returns REF_FAULT_NONE or the access fault to raise. */
typedef struct {
    void *user;
    ref_cause (*fetch)(void *user, uint64_t pc, uint32_t *insn);
    ref_cause (*load)(void *user, uint64_t addr, unsigned size, uint64_t *value);
    ref_cause (*store)(void *user, uint64_t addr, unsigned size, uint64_t value);
    /* AMO, LR, SC, AMOCAS (op is its op_e). *old: what memory held before; of SC: 0 if it stored, 1 if not. */
    ref_cause (*amo)(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare,
                     uint64_t *old);
} ref_bus;

/* A bus straight onto `m`. spad (spad_bytes long) may be NULL; hart is who holds reservations. The bus keeps its state in *s. */
typedef struct {
    ref_mem *mem;
    uint8_t *spad;
    uint32_t spad_bytes, hart;
} ref_bus_state;
ref_bus ref_mem_bus(ref_bus_state *s);

/* The new value in memory after an AMO or AMOCAS of operation `op`, given the old one (4-byte ones: in the low half). */
uint64_t ref_amo_result(int op, uint64_t old, uint64_t operand, uint64_t compare);

typedef enum { REF_MEM_NONE, REF_MEM_LOAD, REF_MEM_STORE, REF_MEM_AMO } ref_access; /* AMO: also LR, SC, AMOCAS */
typedef enum { REF_EV_NONE, REF_EV_EXIT, REF_EV_BARRIER, REF_EV_FENCE, REF_EV_FENCE_WG, REF_EV_FAULT } ref_event;

/* The effects of one step. After a fault the thread is as before it. */
typedef struct {
    uint64_t pc, next_pc;
    uint32_t insn;
    uint16_t op; /* op_e; OP_ILLEGAL also when the fetch failed */
    ref_event event; /* FENCE: fence, fence.i */
    uint8_t rd; /* 0: no register was written */
    uint8_t fflags; /* exceptions this instruction raised */
    uint64_t value; /* of rd */
    ref_access access;
    uint8_t size; /* of the access */
    uint64_t addr;
    uint64_t data; /* STORE: stored, zero-extended. AMO: operand */
    uint64_t loaded; /* LOAD, AMO: the bus's data */
    ref_cause cause; /* event FAULT */
    uint64_t fault_value;
} ref_step;

/* An instruction taken apart, so that it can be done once for all threads of a warp. */
typedef struct {
    const void *go; /* go, rel: the kernel runner's own */
    uint32_t insn;
    int32_t imm, rel;
    uint8_t op, rd, rs1, rs2, rs3, rm; /* rd 32: none; rm: bits 14:12 */
} ref_insn;
void ref_decode(uint32_t insn, ref_insn *d);

/* Executes `d` as the instruction at the thread's pc (no fetch). */
void ref_thread_exec(ref_thread *t, const ref_insn *d, const ref_bus *bus, ref_step *s);

/* Fetches, decodes and executes. */
void ref_thread_step(ref_thread *t, const ref_bus *bus, ref_step *s);

#endif
