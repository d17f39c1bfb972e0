/* In place of schedulers, controllers and chips: memories that perform requests after any time, lines in any order, requests of one line in theirs. Twins of mem_sched and
 * dram_ctrl as the composition knows them, and the chips as the scoreboard does. */
#ifndef VERIF_RANDOM_MEMORY_H
#define VERIF_RANDOM_MEMORY_H
#include <stdlib.h>
#include "sim_c/mem/dram_ctrl.h"
#include "sim_c/mem/mem_sched.h"
#include "verif/common/bench.h"
#include "verif/common/places.h"
#include "mem_sched_ports.h"
#include "memside_ports.h"
#include "vl_nmoesi.h"

enum { SETS = L2_BYTES / (LINE_BYTES * L2_WAYS) };
enum { PENDING = 12, CELLS = 8192 };
/* Used by the windows of home = flat alone. */
static const uint64_t channel_lines = (uint64_t)DRAM_BANK_GROUPS * DRAM_BANKS * DRAM_ROWS * ROW_LINES;

typedef struct {
    uint64_t key; /* 1 + line; 0: none */
    uint8_t data[LINE_BYTES];
} cell_t;
struct mem_sched {
    cell_t *cells;
    unsigned count;
    home_req_t q[PENDING];
    bool rsp_valid;
    home_rsp_t rsp;
};
struct dram_ctrl {
    char none;
};

static struct {
    vl_rng_t rng;
    unsigned rate; /* of 256: a request is performed in a cycle */
    unsigned made; /* memories reset since the run began; the next one has this number */
    struct mem_sched *of[MEM_CHANNELS];
    cell_t *cells[MEM_CHANNELS];
} memory;

static unsigned chips_memory; /* policy `memory`: which of them have a line */

static void memory_start(uint64_t seed)
{
    chips_memory = MEMORY_UMH;
    memory.rng.s = seed;
    memory.rate = 128;
    memory.made = 0;
    for (unsigned c = 0; c < MEM_CHANNELS; c++) {
        if (!memory.cells[c] && !(memory.cells[c] = malloc(CELLS * sizeof(cell_t))))
            abort();
        for (unsigned k = 0; k < CELLS; k++)
            memory.cells[c][k].key = 0;
    }
}

/* Lines that have not been written may hold anything. */
static uint8_t *memory_at(cell_t *cells, uint64_t line)
{
    uint64_t at = line * 0x9e3779b97f4a7c15u >> 40;
    for (unsigned tries = 0; tries < CELLS; tries++) {
        cell_t *c = &cells[(at + tries) % CELLS];
        if (c->key == line + 1)
            return c->data;
        if (c->key)
            continue;
        c->key = line + 1;
        for (unsigned i = 0; i < LINE_BYTES; i++)
            c->data[i] = (uint8_t)vl_random(&memory.rng);
        return c->data;
    }
    printf("a memory of the tester has no room for another line\n");
    exit(1);
}

size_t mem_sched_size(void)
{
    return sizeof(mem_sched_t);
}

void mem_sched_reset(mem_sched_t *s)
{
    memset(s, 0, sizeof *s);
    s->cells = memory.cells[memory.made % MEM_CHANNELS];
    memory.made++;
}

/* One kind of memory serves for chips of any. */
void mem_sched_kind(mem_sched_t *s, unsigned kind)
{
    (void)s, (void)kind;
}

void mem_sched_out(const mem_sched_t *s, mem_sched_out_t *o)
{
    o->home_req_ready = s->count < PENDING;
    if ((o->home_rsp_valid = s->rsp_valid))
        o->home_rsp[0] = s->rsp;
    o->idle = !s->count && !s->rsp_valid;
}

bool mem_sched_idle(const mem_sched_t *s)
{
    return !s->count && !s->rsp_valid;
}

static void perform(mem_sched_t *s, unsigned k)
{
    const home_req_t r = s->q[k];
    uint8_t *at = memory_at(s->cells, r.line);
    memmove(s->q + k, s->q + k + 1, (--s->count - k) * sizeof *s->q);
    if (r.op == HOME_WRITE_BACK) {
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (r.be.w[i / 64] >> i % 64 & 1)
                at[i] = ((const uint8_t *)r.data.w)[i];
        return;
    }
    s->rsp_valid = true;
    s->rsp = (home_rsp_t){.id = r.id, .state = NMOESI_E};
    memcpy(s->rsp.data.w, at, LINE_BYTES);
}

void mem_sched_tick(mem_sched_t *s, const mem_sched_in_t *in)
{
    const bool takes = in->home_req_valid && s->count < PENDING;
    s->rsp_valid = false;
    if (s->count && vl_chance(&memory.rng, memory.rate)) {
        unsigned k = vl_below(&memory.rng, s->count);
        for (unsigned j = 0; j < k; j++)
            if (s->q[j].line == s->q[k].line)
                k = j;
        perform(s, k);
    }
    if (takes)
        s->q[s->count++] = in->home_req[0];
}

size_t dram_ctrl_size(void)
{
    return sizeof(dram_ctrl_t);
}

void dram_ctrl_reset(dram_ctrl_t *s)
{
    s->none = 0;
}

void dram_ctrl_kind(dram_ctrl_t *s, unsigned kind)
{
    (void)s, (void)kind;
}

void dram_ctrl_out(const dram_ctrl_t *s, dram_ctrl_out_t *o)
{
    (void)s;
    o->rsp_valid = false;
    o->idle = true;
}

void dram_ctrl_tick(dram_ctrl_t *s, const dram_ctrl_in_t *in)
{
    (void)s, (void)in;
}

bool dram_ctrl_idle(const dram_ctrl_t *s)
{
    (void)s;
    return true;
}

uint64_t dram_ctrl_due(const dram_ctrl_t *s, bool page)
{
    (void)s, (void)page;
    return UINT64_MAX;
}

void dram_ctrl_skip(dram_ctrl_t *s, uint64_t edges)
{
    (void)s, (void)edges;
}

static uint8_t *chips_at(uint64_t line)
{
    const home_t h = home_of(chips_memory, line);
    return memory_at(memory.cells[h.chips], h.line);
}

static void chips_load(uint64_t line, const uint8_t *from)
{
    memcpy(chips_at(line), from, LINE_BYTES);
}

static bool chips_read(uint64_t line, uint8_t *to)
{
    memcpy(to, chips_at(line), LINE_BYTES);
    return true;
}

static bool chips_hold(uint64_t line, const uint8_t *data)
{
    return !memcmp(chips_at(line), data, LINE_BYTES);
}

static bool chips_rest(void)
{
    return true;
}
#endif
