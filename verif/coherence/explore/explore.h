/* The explorer of coherent memory (docs/explore.md): a state of the whole, which is the twins' own states and their surroundings here, and the step of it in a
 * cycle. */
#ifndef EXPLORE_H
#define EXPLORE_H
#include "sim_c/coherence/hmd_state.h"
#include "sim_c/coherence/l2c_state.h"
#include "sim_c/coherence/link_state.h"
#include "sim_c/coherence/smd_state.h"
#include "sim_c/coherence/stack_port_state.h"
#include "sim_c/common/mask.h"
#include "sim_c/common/vl_bits.h"
#include <stdio.h>
#include <string.h>

enum {
    HOST = DEVICES, /* where devices are counted: the host, with its last-level cache */
    AGENTS = 4, /* at most; each has a byte of every line */
    LINES = 2, /* at most, that agents access */
    NET = BLOCK_LINES + (DEVICES > 2 ? DEVICES : 2), /* places of a network's queue; the case says how many are used */
    PENDING = 2, /* requests that a memory has taken and not performed, at most */
    HOST_LINES = HOST_BYTES / LINE_BYTES,
    COMMON = 4 /* the byte of a line into which all agents store coherently */
};

/* Operations of an agent. The last four are maintenance: a directory gives back all, or all its bytes; a slice likewise. */
enum op { OP_LOAD, OP_N_STORE, OP_AMO, OP_STORE, OP_EVICT, OP_FLUSH, OP_INVAL, OP_CLEAN, OPS };
/* Streams that may be held, while others go on. */
enum hold {
    HOLD_REQ = 1,
    HOLD_PROBE = 2,
    HOLD_ACK = 4,
    HOLD_DATA = 8,
    HOLD_STACK = 16,
    HOLD_MEMORY = 32,
    HOLD_CACHE = 64,
    HOLD_CORE = 128
};
enum kind { NONE, REAL, ABSTRACT }; /* a device */

typedef struct {
    uint8_t device[DEVICES]; /* enum kind */
    /* ever: no bounds, and stores of 0 and 1 in any order; otherwise the values of a byte count up */
    bool host, peers, ever;
    bool forward; /* no agent sees a byte run backwards (not with `ever`) */
    uint8_t agents, at[AGENTS]; /* at: a device, or HOST */
    uint8_t bound[AGENTS][OPS]; /* how often each operation may occur; with `ever`, whether */
    uint8_t lines;
    uint64_t line[LINES];
    uint8_t net, pending; /* places that are used: of each queue of a network, of a memory */
    uint16_t held; /* streams that may be held */
    uint8_t holds; /* the most streams held in a cycle */
    bool reorder; /* memories take the lines in any order */
    bool ends; /* the final flush */
    uint8_t memory; /* memory_e: where lines are */
} case_t;

/* ---- choices of a cycle ---- */
typedef struct {
    uint8_t n[32], v[32];
    unsigned count, at;
    int holds;
} choice_t;
/* One of n. `hold`: all but 0 hold something. */
unsigned choose(choice_t *c, unsigned n, bool hold);

/* ---- a state ---- */
typedef struct {
    uint8_t busy, line, value; /* busy: 1 + its operation */
    bool answered; /* the answer is seen, and not taken */
    uint8_t left[OPS];
} agent_t;
typedef struct {
    uint8_t count;
    home_req_t q[PENDING];
} memory_t;
/* A device in abstract, of which each block is in one state. */
typedef struct {
    uint8_t state, asked, granted, come; /* asked: 1 + request; granted: 1 + state; come: a bit a line */
    bool touched, still; /* still: given back without bytes, and receives none */
    uint64_t data[BLOCK_LINES];
    uint8_t mask[BLOCK_LINES];
} abstract_t;
typedef struct {
    uint8_t reqs, probes, acks, datas, peers, mems;
    smd_req_t req[NET];
    smd_probe_t probe[NET];
    smd_ack_t ack[NET];
    smd_data_t data[NET], peer[NET];
    smd_mem_t mem[NET]; /* lines that the home reads in the stack */
} net_t;
typedef struct {
    struct l2c l2c;
    struct smd smd;
    struct stack_port port;
    memory_t sched;
    uint64_t stack[STACK_LINES];
    uint8_t maint; /* 0, or 1 + the operation that is under way */
    abstract_t block[LINES];
    net_t net;
} device_t_;
typedef struct {
    device_t_ dev[DEVICES];
    struct hmd hmd;
    struct l2c cache;
    memory_t sched;
    uint64_t host[HOST_LINES];
    agent_t agent[AGENTS];
    uint8_t end; /* the final flush: 0 not yet, 1 of slices, 2 of directories, 3 over */
    /* The last values stored: byte a by agent a, the common byte by any; and the values that an agent has seen. */
    uint8_t last[LINES][AGENTS + 1], seen[AGENTS][LINES][AGENTS];
} sys_t;
/* All outputs. */
typedef struct {
    l2c_out_t l2c[DEVICES];
    smd_out_t smd[DEVICES];
    stack_port_out_t port[DEVICES];
    hmd_out_t hmd;
    l2c_out_t cache;
} outs_t;

extern case_t now; /* the case that is explored */
extern bool telling; /* say what happens */
extern const char *const state_names[];
extern char wrong[200]; /* the first error; empty without one */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void blame(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* system.c */
void sys_init(sys_t *s);
void sys_outs(const sys_t *s, outs_t *o);
/* A cycle; `wrong` says whether something went wrong. */
void sys_step(sys_t *s, const outs_t *o, choice_t *c);
/* Somebody waits for something. */
bool sys_waits(const sys_t *s);

/* abstract.c: a device in abstract takes one step in this cycle, if it is chosen; the steps that it may take by itself. */
void abstract_step(sys_t *s, unsigned d, choice_t *c);
bool abstract_starts(sys_t *s, unsigned a, unsigned op, unsigned li, unsigned value, bool really);

/* rules.c */
uint8_t next_value(const sys_t *s, unsigned a, unsigned li, unsigned value);
void rule_answer(sys_t *s, unsigned a, unsigned op, uint64_t data);
void rule_state(const sys_t *s);
void rule_end(const sys_t *s);
unsigned line_index(uint64_t line);

/* canon.c: fields that no edge reads become 0; a state packed into few bytes, and back. */
void canon_init(void);
void canon(sys_t *s);
size_t canon_pack(const sys_t *s, uint8_t *to);
void canon_unpack(sys_t *s, const uint8_t *from);
enum { PACKED = sizeof(sys_t) / 8 * 10 };

static inline uint8_t byte_of(uint64_t word, unsigned n)
{
    return (uint8_t)(word >> 8 * n);
}
static inline uint64_t with_byte(uint64_t word, unsigned n, uint8_t v)
{
    return (word & ~(0xffull << 8 * n)) | (uint64_t)v << 8 * n;
}
/* The bytes of a line's first word that a mask names, a bit each. */
static inline uint8_t named(const line_mask_t *mask)
{
    return (uint8_t)mask_bytes(mask).w[0];
}

/* ... and the mask of such bytes. */
static inline line_mask_t naming(uint8_t bytes)
{
    return mask_of(&(line_be_t){{bytes}});
}

/* The bytes of a mask (a bit each) as bits of a word. */
static inline uint64_t wide(uint64_t be)
{
    return be_word((unsigned)be & 0xff);
}
#endif
