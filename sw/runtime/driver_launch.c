/* The driver: everything up to the start of kernels: cores, registers, policies, reconvergence tables; and the stop of what was started. */
#include <string.h>

#include "sw/runtime/driver.h"

/* ---- reconvergence tables ---- */

int driver_set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err) {
  driver *d = self;
  const vl_host_facts *f = d->facts;
  if (kernel >= f->kernels) return vl_fail(err, VL_EINVAL, "kernel %u of a machine that runs %u at once", kernel, f->kernels);
  if (entries != f->reconv_entries) return vl_fail(err, VL_EINVAL, "a reconvergence table of %u entries for %u", entries, f->reconv_entries);
  memcpy(d->slot[kernel].wanted, table, entries * sizeof *table);
  return 0;
}

/* Brings the tables of a slot's cores to what is wanted, writing only what changes. */
static int load_reconv(driver *d, unsigned slot, vl_error *err) {
  driver_slot *s = &d->slot[slot];
  for (uint32_t i = 0; i < d->facts->reconv_entries; i++) {
    const vl_reconv *w = &s->wanted[i], *held = &s->held[i];
    if (!s->table_unknown && w->pc == held->pc && w->target == held->target) continue;
    int e = driver_put(d, slot * R_SLOT + R_RECONV_PC, w->pc, err);
    if (!e) e = driver_put(d, slot * R_SLOT + R_RECONV_TARGET, (w->target & ((1ull << 48) - 1)) | (uint64_t)i << 48 | (w->pc ? 1ull << 63 : 0), err);
    if (e) return e;
    s->held[i] = *w;
  }
  s->table_unknown = false;
  return 0;
}

/* ---- registers ---- */

/* Workgroups of this launch that fit a core at once. */
static uint32_t groups_at_once(const vl_host_facts *f, const vl_backend_launch *l) {
  uint32_t n = f->warps / l->group_warps;
  if (n > f->groups) n = f->groups;
  if (l->spad_bytes && n > f->spad_bytes / l->spad_bytes) n = f->spad_bytes / l->spad_bytes;
  return n;
}

static int set_policies(driver *d, vl_error *err) {
  uint64_t sched;
  int e = driver_get(d, R_SCHED, &sched, err);
  if (!e) e = driver_put(d, R_SCHED, (sched & ~1ull) | d->policy[VL_POLICY_MEM_SCHED], err);
  if (!e) e = driver_put(d, R_PAGE_POLICY, d->policy[VL_POLICY_PAGE], err);
  if (!e) e = driver_put(d, R_TLB_MODE, TLB_OVERLAP - d->policy[VL_POLICY_TLB], err);
  uint32_t walkers = d->policy[VL_POLICY_WALKS];
  return e ? e : driver_put(d, R_WALK, walkers ? walkers << 4 : 1 | 1 << 4, err);
}

static int set_up(driver *d, unsigned slot, const vl_backend_launch *l, vl_error *err) {
  const uint32_t threads = d->facts->threads, rest = l->group_threads % threads;
  const uint64_t regs[][2] = {
      {R_POLICY, d->policy[VL_POLICY_WARP_SCHED]},
      {R_ENTRY_PC, l->entry},
      {R_ARG, l->arg},
      {R_GROUPS_XY, l->groups[0] | (uint64_t)l->groups[1] << 32},
      {R_GROUPS_Z, l->groups[2]},
      {R_LOCAL, l->local[0] | (uint64_t)l->local[1] << 16 | (uint64_t)l->local[2] << 32},
      {R_OFFSET_XY, l->offset[0] | (uint64_t)l->offset[1] << 32},
      {R_OFFSET_Z, l->offset[2]},
      {R_WARPS_PER_GROUP, l->group_warps},
      {R_LAST_MASK, ~0ull >> (64 - (rest ? rest : threads))},
      {R_SLOTS, groups_at_once(d->facts, l)},
      {R_SPAD_BYTES, l->spad_bytes},
      {R_STACK_BASE, l->stack_base},
      {R_STACK_LOG2, l->stack_log2},
      {R_MEM_BASE, d->base},
      {R_MEM_LIMIT, d->limit},
  };
  int e = 0;
  for (size_t i = 0; i < sizeof regs / sizeof *regs && !e; i++) e = driver_put(d, (uint32_t)regs[i][0] + (regs[i][0] == R_POLICY ? 0 : slot * R_SLOT), regs[i][1], err);
  if (!e) e = set_policies(d, err);
  return e ? e : load_reconv(d, slot, err);
}

/* ---- cores ---- */

int driver_stop(driver *d, unsigned slot, vl_error *err) {
  int e = driver_put(d, slot * R_SLOT + R_CMD, CMD_RESET, err);
  if (!e) e = driver_await(d, slot * R_SLOT + R_KERNEL_STATUS, STATUS_STOPPING, 0, "the stop of the cores has not ended", err);
  if (!e) e = d->host.ops->pass(d->host.self, 8, err);
  d->slot[slot].table_unknown = true;
  d->slot[slot].dirty = false;
  return e;
}

/* Gives each slot its job's cores. Those of no job go to a slot without one. */
static int divide_cores(driver *d, const driver_jobs *all, vl_error *err) {
  const uint32_t kernels = d->facts->kernels;
  uint64_t left = d->all_cores;
  for (uint32_t k = 0; k < all->n; k++) {
    const uint64_t want = all->job[k].cores;
    if (!want || want & ~left)
      return vl_fail(err, VL_EINVAL, "kernel %u has no core, or one that another has, or that there is not (cores 0x%llx)", k, (unsigned long long)want);
    left &= ~want;
  }
  if (left && all->n == kernels)
    return vl_fail(err, VL_EINVAL, "cores 0x%llx have no kernel: as many kernels as the machine can run share all its cores", (unsigned long long)left);
  for (uint32_t k = 0; k < kernels; k++) {
    const uint64_t mine = k < all->n ? all->job[k].cores : k == all->n ? left : 0, more = mine & ~d->slot[k].cores;
    int e = more ? driver_put(d, k * R_SLOT + R_CORES, more, err) : 0;
    if (e) return e;
    for (uint32_t o = 0; o < kernels; o++) d->slot[o].cores &= o == k ? ~0ull : ~more;
    d->slot[k].cores |= more;
    d->slot[k].table_unknown |= more != 0;
  }
  return 0;
}

int driver_prepare(driver *d, const driver_jobs *all, vl_error *err) {
  const vl_host_ops *h = d->host.ops;
  const bool shared = all->job[0].launch->shared;
  int e = 0;
  if (all->n > d->facts->kernels) return vl_fail(err, VL_EINVAL, "%u kernels for a machine that runs %u at once", all->n, d->facts->kernels);
  for (uint32_t k = 0; k < d->facts->kernels && !e; k++) e = d->slot[k].dirty ? driver_stop(d, k, err) : 0;
  if (!e && shared && !(e = driver_empty_caches(d, err)) && h->share) e = h->share(d->host.self, err);
  d->cached = true;
  if (!e) e = divide_cores(d, all, err);
  for (uint32_t k = 0; k < all->n && !e; k++) e = set_up(d, k, all->job[k].launch, err);
  if (!e) e = driver_drop_faults(d, err);
  return e || !h->begin ? e : h->begin(d->host.self, all->job, all->n, err);
}
