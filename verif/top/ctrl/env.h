/* The bench's state: registers by their numbers, the stimulus, and the expected outputs of this cycle, of the machine and of each kernel slot */
#ifndef VERIF_CTRL_ENV_H
#define VERIF_CTRL_ENV_H
#include "ctrl_ports.h"
#include "verif/common/bench.h"
#include "verif/common/registers.h"

enum {
    R_CMD = REG_CMD / 8,
    R_STATUS = REG_STATUS / 8,
    R_CORES = REG_CORES / 8,
    R_RECONV_TARGET = REG_RECONV_TARGET / 8,
    R_PERF_SEL = REG_PERF_SEL / 8,
    R_PERF_DATA = REG_PERF_DATA / 8,
    R_FAULT_CAUSE = REG_FAULT_CAUSE / 8,
    R_EPOCH = REG_EPOCH / 8,
    R_MAINT = REG_MAINT / 8,
    REGS = REG_FIRST_VM_CTL / 8,
    SLOT_REGS = REG_KERNEL_STRIDE / 8
};
enum {
    OPS = 1 << L2_FLUSH_LINE | 1 << L2_FLUSH_PAGE | 1 << L2_FLUSH_ALL | 1 << L2_INVAL_LINE | 1 << L2_INVAL_PAGE
          | 1 << L2_INVAL_ALL
};
#define NEVER UINT64_MAX
#define LOW(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)

/* The expected state of a kernel slot in this cycle. */
typedef struct {
    uint64_t reg[REGS]; /* values of registers that keep their writes */
    uint64_t cycles, taken; /* taken: cores that it took */
    bool running, start, stop, halt;
    unsigned rst, settle, waited;
} kernel_env_t;

typedef struct {
    /* stimulus */
    bool holding;
    ctl_req_t req;
    /* cycles for which the cores of one kernel, or of all, are quiet yet, or one is not; which: KERNELS: all */
    unsigned calm, busy, rests;
    uint8_t answer; /* rate at which slices answer */
    uint64_t reads, writes, faults, ops; /* seen in this run */
    uint64_t fresh[KERNELS]; /* registers that have not been written since the reset, by number */
    /* expected values of this cycle */
    uint64_t reg[REGS]; /* of the machine, likewise */
    kernel_env_t kernel[KERNELS];
    unsigned owner[CORES];
    bool clear;
    uint64_t reconv; /* cores with a write of their table, */
    reconv_write_t reconv_want;
    uint64_t counter; /* PERF_DATA */
    uint64_t pulse, period; /* cycle of the next epoch pulse */
    uint64_t pending;
    bool rsp, maint;
    unsigned wait;
    uint64_t rsp_data;
    maint_t maint_want;
    bool vm, vm_wait; /* an access is passed on in this cycle; a read has not been answered */
    ctl_req_t vm_want;
} env_t;

/* By number. */
static known_register_t known[REGS];
static uint64_t there; /* numbers of registers */

static void know(void)
{
    known_register_t all[KNOWN_REGISTERS];
    known_registers(all);
    there = 0;
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        if (!all[i].vm_ctl) {
            known[all[i].addr / 8] = all[i];
            there |= 1ull << all[i].addr / 8;
        }
}

/* Bits that a register keeps; 0 where nothing is kept. */
static uint64_t kept(unsigned reg)
{
    return reg < REGS ? known[reg].kept : 0;
}

static bool of_machine(unsigned reg)
{
    return reg < REGS && known[reg].name && !known[reg].of_kernel;
}

static bool stopping(const kernel_env_t *k)
{
    return k->stop || k->rst;
}

static uint64_t cores_of(const env_t *e, unsigned slot)
{
    uint64_t cores = 0;
    for (unsigned c = 0; c < CORES; c++)
        cores |= (uint64_t)(e->owner[c] == slot) << c;
    return cores;
}
#endif
