/* The driver: everything up to the start of kernels: cores, registers, policies, reconvergence tables; and the stop of kernels. */
#include <string.h>

#include "sw/runtime/driver.h"

/* ---- reconvergence tables ---- */

int driver_set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    driver *d = self;
    const vl_host_facts *f = d->facts;
    if (kernel >= f->kernels)
        return vl_fail(err, VL_EINVAL, "kernel %u of a machine that runs %u at once", kernel, f->kernels);
    if (entries != f->reconv_entries)
        return vl_fail(err, VL_EINVAL, "a reconvergence table of %u entries for %u", entries, f->reconv_entries);
    memcpy(d->slot[kernel].wanted, table, entries * sizeof *table);
    return 0;
}

/* Writes those entries of the tables of a slot's cores that differ from the new ones. */
static int load_reconv(driver *d, unsigned slot, vl_error *err)
{
    driver_slot *s = &d->slot[slot];
    for (uint32_t i = 0; i < d->facts->reconv_entries; i++) {
        const vl_reconv *w = &s->wanted[i], *held = &s->held[i];
        if (!s->table_unknown && w->pc == held->pc && w->target == held->target)
            continue;
        const reg_reconv_target_t target = {
            .pc = w->target, .way = i % 2, .index = (uint16_t)(i / 2), .valid = w->pc != 0};
        int e =
            driver_put(d, driver_in_slot(slot, REG_RECONV_PC), reg_reconv_pc_put((reg_reconv_pc_t){.pc = w->pc}), err);
        if (!e)
            e = driver_put(d, driver_in_slot(slot, REG_RECONV_TARGET), reg_reconv_target_put(target), err);
        if (e)
            return e;
        s->held[i] = *w;
    }
    s->table_unknown = false;
    return 0;
}

/* ---- registers ---- */

/* Workgroups of this launch that a core may hold at once. Whether it has warps for them is the core's affair: it begins a workgroup
 * while warps of older ones are still there. */
static uint32_t groups_at_once(const vl_host_facts *f, const vl_backend_launch *l)
{
    uint32_t n = f->groups;
    if (l->spad_bytes && n > f->spad_bytes / l->spad_bytes)
        n = f->spad_bytes / l->spad_bytes;
    return n;
}

/* A number for each policy: of the bits of its register, or of the words that its names stand for. */
#define ROW(id, name, values, help, names, most, preset, reg, low, mask, ...) [id] = {reg, low, names != 0, mask, (const uint64_t[]){__VA_ARGS__}},
static const struct {
    uint16_t reg;
    uint8_t low;
    bool named;
    uint64_t mask;
    const uint64_t *words;
} policies[] = {VL_POLICIES(ROW)};
#undef ROW

/* A register's word with the policies set in it. */
static uint64_t with_policies(const driver *d, uint32_t reg, uint64_t word)
{
    for (unsigned p = 0; p < VL_N_POLICIES; p++)
        if (policies[p].reg == reg && d->policy[p].set)
            word = (word & ~policies[p].mask) | d->policy[p].word;
    return word;
}

static int change(driver *d, uint32_t reg, vl_error *err)
{
    uint64_t word;
    int e = driver_get(d, reg, &word, err);
    return e ? e : driver_put(d, reg, with_policies(d, reg, word), err);
}

/* Where bytes are may change only while directories hold nothing. */
static int change_home(driver *d, vl_error *err)
{
    uint64_t word;
    int e = driver_get(d, REG_HOME_POLICY, &word, err);
    const uint64_t then = with_policies(d, REG_HOME_POLICY, word);
    if (!e && reg_home_policy_get(then).memory != reg_home_policy_get(word).memory)
        e = driver_empty_caches(d, err);
    return e ? e : driver_put(d, REG_HOME_POLICY, then, err);
}

/* Where memory is: in the host's chips (0), in stacks by turns, in those of device 0. */
static unsigned place_of(uint64_t word)
{
    const unsigned memory = reg_home_policy_get(word).memory;
    return memory == HOME_POLICY_MEMORY_MEMCPY || memory == HOME_POLICY_MEMORY_MANAGED ? memory : 0;
}

int driver_memory_fits(const vl_host_facts *f, unsigned memory, vl_error *err)
{
    const bool managed = memory == HOME_POLICY_MEMORY_MANAGED;
    const uint64_t room = f->stack_bytes * (managed ? f->stacks / f->devices : f->stacks);
    if (!f->block_bytes)
        return vl_fail(err, VL_ENOTSUP, "policy memory: configuration %s has no directories (home = flat)", f->config);
    if ((managed || memory == HOME_POLICY_MEMORY_MEMCPY) && room < f->memory_bytes)
        return vl_fail(err, VL_ENOTSUP,
                       "policy memory=%s: the stacks of %s configuration %s have %llu bytes, host memory has %llu",
                       managed ? "managed" : "memcpy", managed ? "one device of" : "all devices of", f->config,
                       (unsigned long long)room, (unsigned long long)f->memory_bytes);
    return 0;
}

/* Another place for memory: at once, so that all that is written goes there. */
static int place_memory(driver *d, uint64_t word, vl_error *err)
{
    const unsigned memory = reg_home_policy_get(word).memory, place = place_of(word);
    struct driver_policy *p = &d->policy[VL_POLICY_MEMORY], was = *p;
    int e = driver_memory_fits(d->facts, memory, err);
    if (e)
        return e;
    const bool moves = place != (p->set ? place_of(p->word) : 0);
    if (moves && d->used)
        return vl_fail(err, VL_ESTATE, "policy memory: it cannot change while memory is in use");
    *p = (struct driver_policy){.word = word, .set = true, .changed = !moves};
    if (!moves)
        return 0;
    e = change_home(d, err);
    if (!e && d->host.ops->home)
        e = d->host.ops->home(d->host.self, memory, err);
    if (e)
        *p = was;
    return e;
}

int driver_set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err)
{
    driver *d = self;
    const uint64_t word =
        policies[policy].named ? policies[policy].words[value] : (uint64_t)value << policies[policy].low;
    if (policy == VL_POLICY_MEMORY)
        return place_memory(d, word, err);
    d->policy[policy] = (struct driver_policy){.word = word, .set = true, .changed = true};
    return 0;
}

/* Registers that every launch writes. The driver has the reset value of a register where all configurations have the same. */
static bool of_every_launch(uint32_t reg)
{
    return reg == REG_POLICY || reg == REG_SCHED || reg == REG_PAGE_POLICY || reg == REG_TLB_MODE || reg == REG_WALK;
}

static int set_policies(driver *d, vl_error *err)
{
    int e = change(d, REG_SCHED, err);
    if (!e)
        e = driver_put(d, REG_PAGE_POLICY, with_policies(d, REG_PAGE_POLICY, RESET_PAGE_POLICY), err);
    if (!e)
        e = driver_put(d, REG_TLB_MODE, with_policies(d, REG_TLB_MODE, RESET_TLB_MODE), err);
    return e ? e : driver_put(d, REG_WALK, with_policies(d, REG_WALK, RESET_WALK), err);
}

/* The others, in order of their addresses, when some of it has been set since the last launch. */
static int set_changed(driver *d, vl_error *err)
{
    int e = 0;
    for (unsigned p = 0; p < VL_N_POLICIES && !e; p++) {
        if (!d->policy[p].changed || of_every_launch(policies[p].reg))
            continue;
        e = policies[p].reg == REG_HOME_POLICY ? change_home(d, err) : change(d, policies[p].reg, err);
        for (unsigned o = p; o < VL_N_POLICIES && !e; o++)
            d->policy[o].changed &= policies[o].reg != policies[p].reg;
    }
    return e;
}

static int set_up(driver *d, unsigned slot, const vl_backend_launch *l, vl_error *err)
{
    const uint32_t threads = d->facts->threads, rest = l->group_threads % threads;
    const struct {
        uint32_t reg;
        uint64_t word;
    } regs[] = {
        {REG_ENTRY_PC, reg_entry_pc_put((reg_entry_pc_t){.pc = l->entry})},
        {REG_ARG, l->arg},
        {REG_GROUPS_XY, reg_groups_xy_put((reg_groups_xy_t){.x = l->groups[0], .y = l->groups[1]})},
        {REG_GROUPS_Z, reg_groups_z_put((reg_groups_z_t){.z = l->groups[2]})},
        {REG_LOCAL, reg_local_put((reg_local_t){
                        .x = (uint16_t)l->local[0], .y = (uint16_t)l->local[1], .z = (uint16_t)l->local[2]})},
        {REG_OFFSET_XY, reg_offset_xy_put((reg_offset_xy_t){.x = l->offset[0], .y = l->offset[1]})},
        {REG_OFFSET_Z, reg_offset_z_put((reg_offset_z_t){.z = l->offset[2]})},
        {REG_WARPS_PER_GROUP, reg_warps_per_group_put((reg_warps_per_group_t){.warps = (uint8_t)l->group_warps})},
        {REG_LAST_MASK, ~0ull >> (64 - (rest ? rest : threads))},
        {REG_SLOTS, reg_slots_put((reg_slots_t){.groups = (uint8_t)groups_at_once(d->facts, l)})},
        {REG_SPAD_BYTES, reg_spad_bytes_put((reg_spad_bytes_t){.bytes = l->spad_bytes})},
        {REG_STACK_BASE, l->stack_base},
        {REG_STACK_LOG2, reg_stack_log2_put((reg_stack_log2_t){.log2 = (uint8_t)l->stack_log2})},
        {REG_MEM_BASE, d->base},
        {REG_MEM_LIMIT, d->limit},
    };
    int e = driver_put(d, REG_POLICY, with_policies(d, REG_POLICY, RESET_POLICY), err);
    for (size_t i = 0; i < sizeof regs / sizeof *regs && !e; i++)
        e = driver_put(d, driver_in_slot(slot, regs[i].reg), regs[i].word, err);
    if (!e)
        e = set_policies(d, err);
    return e ? e : load_reconv(d, slot, err);
}

/* ---- cores ---- */

int driver_stop(driver *d, unsigned slot, vl_error *err)
{
    const uint64_t stopping = reg_kernel_status_put((reg_kernel_status_t){.stopping = true});
    int e = driver_put(d, driver_in_slot(slot, REG_CMD), reg_cmd_put((reg_cmd_t){.stop = true}), err);
    if (!e)
        e = driver_await(d, driver_in_slot(slot, REG_KERNEL_STATUS), stopping, 0, "the stop of the cores has not ended",
                         err);
    if (!e)
        e = d->host.ops->pass(d->host.self, 8, err);
    d->slot[slot].table_unknown = true;
    d->slot[slot].dirty = false;
    return e;
}

/* Gives each slot its job's cores. Those of no job go to a slot without one. */
static int divide_cores(driver *d, const driver_jobs *all, vl_error *err)
{
    const uint32_t kernels = d->facts->kernels;
    uint64_t left = d->all_cores;
    for (uint32_t k = 0; k < all->n; k++) {
        const uint64_t want = all->job[k].cores;
        if (!want || want & ~left)
            return vl_fail(err, VL_EINVAL,
                           "kernel %u: its cores 0x%llx are none, belong to another kernel, or do not exist", k,
                           (unsigned long long)want);
        left &= ~want;
    }
    if (left && all->n == kernels)
        return vl_fail(err, VL_EINVAL,
                       "cores 0x%llx have no kernel: as many kernels as the machine can run share all its cores",
                       (unsigned long long)left);
    for (uint32_t k = 0; k < kernels; k++) {
        const uint64_t mine = k < all->n ? all->job[k].cores : k == all->n ? left : 0, more = mine & ~d->slot[k].cores;
        int e = more ? driver_put(d, driver_in_slot(k, REG_CORES), more, err) : 0;
        if (e)
            return e;
        for (uint32_t o = 0; o < kernels; o++)
            d->slot[o].cores &= o == k ? ~0ull : ~more;
        d->slot[k].cores |= more;
        d->slot[k].table_unknown |= more != 0;
    }
    return 0;
}

int driver_prepare(driver *d, const driver_jobs *all, vl_error *err)
{
    const vl_host_ops *h = d->host.ops;
    const bool shared = all->job[0].launch->shared;
    int e = 0;
    if (all->n > d->facts->kernels)
        return vl_fail(err, VL_EINVAL, "%u kernels for a machine that runs %u at once", all->n, d->facts->kernels);
    for (uint32_t k = 0; k < d->facts->kernels && !e; k++)
        e = d->slot[k].dirty ? driver_stop(d, k, err) : 0;
    if (!e && shared && !(e = driver_empty_caches(d, err)) && h->share)
        e = h->share(d->host.self, err);
    if (!e)
        e = set_changed(d, err);
    d->cached = d->used = true;
    if (!e)
        e = divide_cores(d, all, err);
    for (uint32_t k = 0; k < all->n && !e; k++)
        e = set_up(d, k, all->job[k].launch, err);
    if (!e)
        e = driver_drop_faults(d, err);
    return e || !h->begin ? e : h->begin(d->host.self, all->job, all->n, err);
}
