/* Checks of the outputs of ctrl: levels show their registers, and a signal rises in the cycle in which it must */
#ifndef VERIF_CTRL_CHECKS_H
#define VERIF_CTRL_CHECKS_H
#include "verif/top/ctrl/cover.h"
#include "verif/top/ctrl/env.h"

/* The levels of the memory side show their registers. */
static void check_levels(bench_t *b, const env_t *e, const mem_ctl_t *m)
{
    const sched_policy_t *p = &m->sched;
    const reg_sched_t sched = reg_sched_get(e->reg[REG_SCHED / 8]);
    const reg_quota_t quota = reg_quota_get(e->reg[REG_QUOTA / 8]);
    const reg_app_asids_t asids = reg_app_asids_get(e->reg[REG_APP_ASIDS / 8]);
    const reg_quota_in_t in = reg_quota_in_get(e->reg[REG_QUOTA_IN / 8]);
    BENCH_CHECK(b,
                p->mode == sched.mode && p->bound == sched.bound && p->write_high == sched.write_high
                    && p->write_low == sched.write_low && p->turn_skip == sched.turn_skip,
                "SCHED and its levels differ");
    BENCH_CHECK(b, p->app_valid == quota.app_valid && p->thresh_max == quota.thresh_max && m->inputs == quota.inputs,
                "QUOTA and its levels differ");
    for (unsigned i = 0; i < APPS; i++) {
        BENCH_CHECK(b, p->app_asid[i] == asids.app[i].asid, "address space of application %u", i);
        BENCH_CHECK(b, m->con_ptw[i] == in.app[i].con_ptw && m->warps[i] == in.app[i].warps, "walks of application %u",
                    i);
    }
    BENCH_CHECK(b, m->page == reg_page_policy_get(e->reg[REG_PAGE_POLICY / 8]).page,
                "PAGE_POLICY and its level differ");
    const reg_home_policy_t home = reg_home_policy_get(e->reg[REG_HOME_POLICY / 8]);
    BENCH_CHECK(b, m->peers == home.peers && m->memory == home.memory, "HOME_POLICY and its levels differ");
}

/* A kernel slot shows its registers. */
static void check_kernel(bench_t *b, unsigned slot, const uint64_t reg[REGS], const kernel_t *o)
{
    const reg_groups_xy_t groups = reg_groups_xy_get(reg[REG_GROUPS_XY / 8]);
    const reg_offset_xy_t offset = reg_offset_xy_get(reg[REG_OFFSET_XY / 8]);
    const reg_local_t local = reg_local_get(reg[REG_LOCAL / 8]);
    BENCH_CHECK(
        b, o->entry_pc == reg_entry_pc_get(reg[REG_ENTRY_PC / 8]).pc && o->arg == reg_arg_get(reg[REG_ARG / 8]).address,
        "where kernel %u begins", slot);
    BENCH_CHECK(b,
                o->groups[0] == groups.x && o->groups[1] == groups.y
                    && o->groups[2] == reg_groups_z_get(reg[REG_GROUPS_Z / 8]).z,
                "groups of kernel %u", slot);
    BENCH_CHECK(b,
                o->offset[0] == offset.x && o->offset[1] == offset.y
                    && o->offset[2] == reg_offset_z_get(reg[REG_OFFSET_Z / 8]).z,
                "offset of kernel %u", slot);
    BENCH_CHECK(b, o->local_size[0] == local.x && o->local_size[1] == local.y && o->local_size[2] == local.z,
                "threads of a group of kernel %u", slot);
    BENCH_CHECK(b,
                o->warps_per_group == reg_warps_per_group_get(reg[REG_WARPS_PER_GROUP / 8]).warps
                    && o->last_mask == reg_last_mask_get(reg[REG_LAST_MASK / 8]).threads,
                "warps of a group of kernel %u", slot);
    BENCH_CHECK(b,
                o->slots == reg_slots_get(reg[REG_SLOTS / 8]).groups
                    && o->spad_bytes == reg_spad_bytes_get(reg[REG_SPAD_BYTES / 8]).bytes,
                "what a group of kernel %u takes", slot);
    BENCH_CHECK(b,
                o->stack_base == reg_stack_base_get(reg[REG_STACK_BASE / 8]).address
                    && o->stack_log2 == reg_stack_log2_get(reg[REG_STACK_LOG2 / 8]).log2,
                "stacks of kernel %u", slot);
    BENCH_CHECK(b,
                o->mem_base == reg_mem_base_get(reg[REG_MEM_BASE / 8]).address
                    && o->mem_limit == reg_mem_limit_get(reg[REG_MEM_LIMIT / 8]).address,
                "memory window of kernel %u", slot);
}

static void check_locality(bench_t *b, const locality_policy_t *o, reg_locality_t r, unsigned cutoff)
{
    BENCH_CHECK(b,
                o->mode == r.mode && o->tlb_weight == r.tlb_weight && o->entries == r.entries && o->gain == r.gain
                    && o->base == r.base && o->decay == r.decay && o->hold == r.hold && o->cutoff == cutoff
                    && o->depths[0] == r.depth0 && o->depths[1] == r.depth1 && o->depths[2] == r.depth2
                    && o->depths[3] == r.depth3,
                "LOCALITY and its levels differ");
}

static void check_outputs(bench_t *b, const env_t *e, const ctrl_out_t *o)
{
    BENCH_CHECK(b, o->ctl_req_ready == (!e->wait && !e->rsp && !e->vm_wait), "ready %d", o->ctl_req_ready);
    const reg_perf_sel_t sel = reg_perf_sel_get(e->reg[R_PERF_SEL]);
    BENCH_CHECK(b, o->perf_idx == sel.counter && o->perf_unit == sel.kind * 256 + sel.unit,
                "PERF_SEL and its levels differ");
    const reg_policy_t policy = reg_policy_get(e->reg[REG_POLICY / 8]);
    BENCH_CHECK(b,
                o->policy.sched == policy.sched && o->policy.tlb_replace == policy.tlb_replace
                    && o->policy.prefetch == policy.prefetch && o->policy.compaction == policy.compaction
                    && o->policy.cpm.bits == policy.cpm_bits && o->policy.cpm.period == policy.cpm_period,
                "POLICY and its levels differ");
    check_locality(b, &o->policy.locality, reg_locality_get(e->reg[REG_LOCALITY / 8]),
                   reg_locality_cutoff_get(e->reg[REG_LOCALITY_CUTOFF / 8]).cutoff);
    BENCH_CHECK(b, o->ctl_rsp_valid == e->rsp, "a read is answered when it was asked, and until the answer is taken");
    BENCH_CHECK(b, !e->rsp || o->ctl_rsp.data == e->rsp_data, "read 0x%" PRIx64 ", expected 0x%" PRIx64,
                o->ctl_rsp.data, e->rsp_data);
    uint64_t running = 0;
    for (unsigned k = 0; k < KERNELS; k++) {
        const kernel_env_t *q = &e->kernel[k];
        const uint64_t cores = cores_of(e, k);
        running |= (uint64_t)q->running << k;
        BENCH_CHECK(b, (o->running >> k & 1) == q->running, "running of kernel %u %d, expected %d", k,
                    o->running >> k & 1, q->running);
        BENCH_CHECK(b, (o->kernel_start >> k & 1) == q->start, "kernel_start of kernel %u, expected %d", k, q->start);
        BENCH_CHECK(b, (o->halt >> k & 1) == q->halt, "halt of kernel %u, expected %d", k, q->halt);
        BENCH_CHECK(b, (o->kernel_rst >> k & 1) == (q->rst != 0), "reset of kernel %u, expected %d", k, q->rst != 0);
        BENCH_CHECK(
            b,
            (o->core_running & cores) == (q->running ? cores : 0) && (o->core_start & cores) == (q->start ? cores : 0)
                && (o->core_halt & cores) == (q->halt ? cores : 0) && (o->core_rst & cores) == (q->rst ? cores : 0),
            "a core of kernel %u hears another's", k);
        check_kernel(b, k, q->reg, &o->kernel[k]);
    }
    for (unsigned c = 0; c < CORES; c++)
        BENCH_CHECK(b, o->owner[c] == e->owner[c], "core %u belongs to kernel %u, expected %u", c, o->owner[c],
                    e->owner[c]);
    BENCH_CHECK(b, o->perf_clear == e->clear, "perf_clear %d, expected %d", o->perf_clear, e->clear);
    BENCH_CHECK(b, o->reconv_valid == e->reconv, "tables of cores 0x%x are written", (unsigned)o->reconv_valid);
    BENCH_CHECK(b,
                !e->reconv
                    || (o->reconv.index == e->reconv_want.index && o->reconv.way == e->reconv_want.way
                        && o->reconv.valid == e->reconv_want.valid && o->reconv.pc == e->reconv_want.pc
                        && o->reconv.target == e->reconv_want.target),
                "another entry of the tables than written");
    BENCH_COVER(b, COV_BOTH_RUN, running == LOW(KERNELS));
    BENCH_CHECK(b, o->epoch == (b->cycle == e->pulse), "epoch %d in a cycle that has %d", o->epoch,
                b->cycle == e->pulse);
    BENCH_CHECK(b, o->epoch_cycles == e->period, "epochs of %u cycles, EPOCH has %" PRIu64, o->epoch_cycles, e->period);
    BENCH_CHECK(b, o->maint_valid == e->maint, "maintenance %d, expected %d", o->maint_valid, e->maint);
    BENCH_CHECK(b, !e->maint || (o->maint.op == e->maint_want.op && o->maint.line == e->maint_want.line),
                "another maintenance than written");
    BENCH_CHECK(b, o->vm_reg_valid == e->vm, "access of vm_ctl %d, expected %d", o->vm_reg_valid, e->vm);
    BENCH_CHECK(b,
                !e->vm
                    || (o->vm_reg.write == e->vm_want.write && o->vm_reg.addr == e->vm_want.addr >> 3
                        && o->vm_reg.data == e->vm_want.data),
                "another access than asked for");
    check_levels(b, e, &o->mem_ctl);
}
#endif
