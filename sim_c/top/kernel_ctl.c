/* Twin of rtl/top/kernel_ctl.sv. See kernel_ctl.h. */
#include "sim_c/top/kernel_ctl.h"
#include "vl_regs.h"
#include <string.h>

void kernel_ctl_reset(kernel_ctl_t *s)
{
    memset(s, 0, sizeof *s);
    s->rst = 3;
}

bool kernel_ctl_stopping(const kernel_ctl_t *s)
{
    return s->stop || s->rst;
}

uint64_t kernel_ctl_read(const kernel_ctl_t *s, unsigned reg, uint64_t cores, bool faulted)
{
    const kernel_t *k = &s->kernel;
    switch (reg) {
    case REG_CYCLES: return s->cycles;
    case REG_ENTRY_PC: return reg_entry_pc_put((reg_entry_pc_t){.pc = k->entry_pc});
    case REG_ARG: return k->arg;
    case REG_GROUPS_XY: return reg_groups_xy_put((reg_groups_xy_t){.x = k->groups[0], .y = k->groups[1]});
    case REG_GROUPS_Z: return reg_groups_z_put((reg_groups_z_t){.z = k->groups[2]});
    case REG_LOCAL:
        return reg_local_put((reg_local_t){.x = k->local_size[0], .y = k->local_size[1], .z = k->local_size[2]});
    case REG_OFFSET_XY: return reg_offset_xy_put((reg_offset_xy_t){.x = k->offset[0], .y = k->offset[1]});
    case REG_OFFSET_Z: return reg_offset_z_put((reg_offset_z_t){.z = k->offset[2]});
    case REG_WARPS_PER_GROUP: return reg_warps_per_group_put((reg_warps_per_group_t){.warps = k->warps_per_group});
    case REG_LAST_MASK: return reg_last_mask_put((reg_last_mask_t){.threads = k->last_mask});
    case REG_SLOTS: return reg_slots_put((reg_slots_t){.groups = k->slots});
    case REG_SPAD_BYTES: return reg_spad_bytes_put((reg_spad_bytes_t){.bytes = k->spad_bytes});
    case REG_STACK_BASE: return k->stack_base;
    case REG_STACK_LOG2: return reg_stack_log2_put((reg_stack_log2_t){.log2 = k->stack_log2});
    case REG_MEM_BASE: return k->mem_base;
    case REG_MEM_LIMIT: return k->mem_limit;
    case REG_CORES: return cores;
    case REG_RECONV_PC: return reg_reconv_pc_put((reg_reconv_pc_t){.pc = s->reconv_pc});
    case REG_KERNEL_STATUS:
        return reg_kernel_status_put(
            (reg_kernel_status_t){.running = s->running, .fault = faulted, .stopping = kernel_ctl_stopping(s)});
    default: return 0;
    }
}

static bool command(kernel_ctl_t *s, reg_cmd_t cmd, uint64_t cores)
{
    if (cmd.stop) {
        s->stop = true;
        s->settle = 0;
    } else if (cmd.start && cores) { /* step 6 */
        s->start = s->running = true;
        s->cycles = 0;
        s->settle = 0;
        return true;
    }
    return false;
}

bool kernel_ctl_write(kernel_ctl_t *s, unsigned reg, uint64_t d, uint64_t cores, bool refused) /* step 3 */
{
    kernel_t *k = &s->kernel;
    switch (reg) {
    case REG_CMD: return !refused && command(s, reg_cmd_get(d), cores);
    case REG_ENTRY_PC: k->entry_pc = reg_entry_pc_get(d & MASK_ENTRY_PC).pc; break;
    case REG_ARG: k->arg = d & MASK_ARG; break;
    case REG_GROUPS_XY:
        k->groups[0] = reg_groups_xy_get(d & MASK_GROUPS_XY).x, k->groups[1] = reg_groups_xy_get(d & MASK_GROUPS_XY).y;
        break;
    case REG_GROUPS_Z: k->groups[2] = reg_groups_z_get(d & MASK_GROUPS_Z).z; break;
    case REG_LOCAL: {
        const reg_local_t l = reg_local_get(d & MASK_LOCAL);
        k->local_size[0] = l.x, k->local_size[1] = l.y, k->local_size[2] = l.z;
        break;
    }
    case REG_OFFSET_XY:
        k->offset[0] = reg_offset_xy_get(d & MASK_OFFSET_XY).x, k->offset[1] = reg_offset_xy_get(d & MASK_OFFSET_XY).y;
        break;
    case REG_OFFSET_Z: k->offset[2] = reg_offset_z_get(d & MASK_OFFSET_Z).z; break;
    case REG_WARPS_PER_GROUP: k->warps_per_group = reg_warps_per_group_get(d & MASK_WARPS_PER_GROUP).warps; break;
    case REG_LAST_MASK: k->last_mask = reg_last_mask_get(d & MASK_LAST_MASK).threads; break;
    case REG_SLOTS: k->slots = reg_slots_get(d & MASK_SLOTS).groups; break;
    case REG_SPAD_BYTES: k->spad_bytes = reg_spad_bytes_get(d & MASK_SPAD_BYTES).bytes; break;
    case REG_STACK_BASE: k->stack_base = d & MASK_STACK_BASE; break;
    case REG_STACK_LOG2: k->stack_log2 = reg_stack_log2_get(d & MASK_STACK_LOG2).log2; break;
    case REG_MEM_BASE: k->mem_base = d & MASK_MEM_BASE; break;
    case REG_MEM_LIMIT: k->mem_limit = d & MASK_MEM_LIMIT; break;
    case REG_RECONV_PC: s->reconv_pc = reg_reconv_pc_get(d & MASK_RECONV_PC).pc; break;
    default: break;
    }
    return false;
}

static bool resting(const kernel_ctl_t *s)
{
    return !s->start && s->quiet && (s->stop ? s->halt : s->running && (s->done || s->faulted));
}

static bool next_halt(const kernel_ctl_t *s) /* step 4 */
{
    return (s->faulted || s->stop) && s->rst == 0;
}

void kernel_ctl_tick(kernel_ctl_t *s) /* steps 4, 5 */
{
    bool rest = resting(s), ended = rest && s->settle == 7;
    s->halt = next_halt(s);
    s->settle = !rest ? 0 : ended ? 7 : (uint8_t)(s->settle + 1);
    s->rst -= s->rst != 0;
    if (s->running)
        s->cycles++;
    if (ended) {
        s->running = false;
        if (s->stop)
            s->rst = 3;
        s->stop = false;
    }
    s->start = false;
}

bool kernel_ctl_moves(const kernel_ctl_t *s)
{
    return s->start || s->rst || s->settle || resting(s) || s->halt != next_halt(s);
}
