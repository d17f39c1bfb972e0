/* Bench of ctrl: register traffic at every address (requests.h); kernels that start, end and fault; cores that are stopped; epochs and maintenance.
 * The bench also works out each read's value and the cycle in which each signal rises, from docs/blocks/ctrl.md and apart from the twin (reads.h, writes.h, expect.h, checks.h). */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "verif/top/ctrl/checks.h"
#include "verif/top/ctrl/due.h"
#include "verif/top/ctrl/expect.h"
#include "verif/top/ctrl/reads.h"
#include "verif/top/ctrl/requests.h"

/* Over all runs: registers that were read before they were written; bits that were 0, 1 in a read. */
static uint64_t read_fresh, read_as[2][REGS];

static void start(bench_t *b, env_t *e)
{
    BENCH_CHECK(b, ctrl_size() <= sizeof shadow, "a larger twin than the bench has room for");
    memset(&shadow, 0, sizeof shadow);
    ctrl_reset((ctrl_t *)shadow.bytes);
    for (unsigned k = 0; k < KERNELS; k++)
        e->kernel[k].rst = 3;
    e->pulse = NEVER;
    know();
    for (unsigned reg = 0; reg < REGS; reg++)
        if (of_machine(reg))
            e->reg[reg] = known[reg].reset;
        else
            for (unsigned k = 0; k < KERNELS; k++)
                e->kernel[k].reg[reg] = known[reg].reset;
    memset(e->fresh, 0xff, sizeof e->fresh);
    e->answer = (uint8_t[]){255, 40, 4}[vl_below(&b->rng, 3)];
}

static void drive(bench_t *b, env_t *e, const ctrl_out_t *out, ctrl_in_t *in)
{
    check_outputs(b, e, out);
    ctrl_in_random(&b->rng, in);
    in->perf_data = vl_chance(&b->rng, 200) ? in->perf_data : 0;
    in->vm_rsp_valid = e->vm_wait && !e->vm && vl_chance(&b->rng, 100);
    if (!e->holding && vl_chance(&b->rng, 100)) /* a request stays until it is taken */
        new_request(b, e);
    in->ctl_req_valid = e->holding;
    if (e->holding)
        in->ctl_req = e->req;
    in->ctl_rsp_ready = vl_chance(&b->rng, b->mode == 1 ? 40 : 220);
    in->faulted = b->mode >= 2 && b->cycle % 1024 > 600 ? in->faulted : 0;
    if (vl_chance(&b->rng, 100)) /* of one core alone */
        in->faulted &= 1ull << vl_below(&b->rng, CORES);
    for (uint64_t s = 0; s < SLICES; s++)
        if (!vl_chance(&b->rng, e->answer))
            in->maint_done &= ~(1ull << s);
    if (vl_chance(&b->rng, 128)) { /* the memory side is not always busy */
        in->slice_idle = LOW(SLICES);
        in->sched_idle = LOW(MEM_CHANNELS);
        in->dram_idle = LOW(MEM_CHANNELS);
        if (vl_chance(&b->rng, 128)) /* one block alone is */
            *(uint8_t *[]){(uint8_t *)&in->slice_idle, (uint8_t *)&in->sched_idle,
                           (uint8_t *)&in->dram_idle}[vl_below(&b->rng, 3)] &= ~1;
    }
    /* Stretches of rest, so that kernels and stops can end, and of a core that is not quiet. */
    if (e->calm)
        e->calm--;
    else if (e->busy)
        e->busy--;
    else if (vl_chance(&b->rng, 8))
        e->calm = 5 + vl_below(&b->rng, 30), e->rests = vl_below(&b->rng, KERNELS + 1);
    else if (vl_chance(&b->rng, 1))
        e->busy = 50 + vl_below(&b->rng, 100);
    if (e->calm) {
        const uint64_t cores = e->rests == KERNELS ? LOW(CORES) : cores_of(e, e->rests);
        in->quiet |= cores;
        in->dispatch_done |= e->rests == KERNELS ? LOW(KERNELS) : 1ull << e->rests;
        if (e->rests < KERNELS) /* the others go on */
            in->quiet &= cores | vl_random(&b->rng) << 1;
    } else if (e->busy) {
        in->quiet &= (uint64_t)in->quiet - 1;
    }
    if (in->ctl_req_valid && out->ctl_req_ready) {
        e->holding = false;
        BENCH_COVER(b, COV_READ, !e->req.write);
        const unsigned slot = in->ctl_req.addr / REG_KERNEL_STRIDE, reg = in->ctl_req.addr % REG_KERNEL_STRIDE / 8;
        if (!slot && reg < REGS)
            *(e->req.write ? &e->writes : &e->reads) |= 1ull << reg;
        if (slot < KERNELS && reg < REGS && e->req.write)
            e->fresh[slot] &= ~(1ull << reg);
        if (slot < KERNELS && reg < REGS && !e->req.write && (!slot || known[reg].of_kernel)) {
            const uint64_t reads = expected(e, in, slot * SLOT_REGS + reg);
            read_fresh |= e->fresh[slot] & 1ull << reg;
            read_as[0][reg] |= ~reads;
            read_as[1][reg] |= reads;
        }
        bool all_bits = true;
        for (unsigned r = 0; r < REGS; r++)
            all_bits &= !(kept(r) & ~(read_as[0][r] & read_as[1][r]));
        BENCH_COVER(b, COV_FRESH, (read_fresh & there) == there);
        BENCH_COVER(b, COV_BITS, all_bits);
        BENCH_COVER(b, COV_READS, (e->reads & there) == there);
        BENCH_COVER(b, COV_WRITES, (e->writes & there) == there);
        const uint64_t faulted = slot < KERNELS ? in->faulted & cores_of(e, slot) : 0;
        bool fault = faulted && reg == R_FAULT_CAUSE && !in->ctl_req.write;
        BENCH_COVER(b, COV_FAULT, fault);
        if (fault)
            e->faults |= faulted & -faulted;
        BENCH_COVER(b, COV_FAULTS, e->faults == LOW(CORES));
    }
    BENCH_COVER(b, COV_STALL, out->ctl_rsp_valid && !in->ctl_rsp_ready);
    BENCH_COVER(b, COV_RECONV, out->reconv_valid);
    expect(b, e, out, in);
    check_due(b, in);
}

BENCH_MAIN(ctrl, env_t, start, drive, cover, COV_N)
