/* Twin of rtl/top/kernel_ctl.sv. See kernel_ctl.h. */
#include "sim_c/top/kernel_ctl.h"
#include <string.h>

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

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
    case 0x018: return s->cycles;
    case 0x040: return k->entry_pc;
    case 0x048: return k->arg;
    case 0x050: return k->groups[0] | (uint64_t)k->groups[1] << 32;
    case 0x058: return k->groups[2];
    case 0x060: return k->local_size[0] | (uint64_t)k->local_size[1] << 16 | (uint64_t)k->local_size[2] << 32;
    case 0x068: return k->offset[0] | (uint64_t)k->offset[1] << 32;
    case 0x070: return k->offset[2];
    case 0x078: return k->warps_per_group;
    case 0x080: return k->last_mask;
    case 0x088: return k->slots;
    case 0x090: return k->spad_bytes;
    case 0x098: return k->stack_base;
    case 0x0a0: return k->stack_log2;
    case 0x0a8: return k->mem_base;
    case 0x0b0: return k->mem_limit;
    case 0x0b8: return cores;
    case 0x0c0: return s->reconv_pc;
    case 0x0d0: return (uint64_t)s->running | (uint64_t)faulted << 1 | (uint64_t)kernel_ctl_stopping(s) << 3;
    default: return 0;
    }
}

static bool command(kernel_ctl_t *s, uint64_t d, uint64_t cores)
{
    if (d & 2) {
        s->stop = true;
        s->settle = 0;
    } else if (d & 1 && cores) { /* step 6 */
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
    case 0x008: return !refused && command(s, d, cores);
    case 0x040: k->entry_pc = d & low(PA_W); break;
    case 0x048: k->arg = d; break;
    case 0x050: k->groups[0] = (uint32_t)d, k->groups[1] = (uint32_t)(d >> 32); break;
    case 0x058: k->groups[2] = (uint32_t)d; break;
    case 0x060:
        for (unsigned i = 0; i < 3; i++)
            k->local_size[i] = (uint16_t)(d >> (16 * i) & low(LID_W));
        break;
    case 0x068: k->offset[0] = (uint32_t)d, k->offset[1] = (uint32_t)(d >> 32); break;
    case 0x070: k->offset[2] = (uint32_t)d; break;
    case 0x078: k->warps_per_group = d & low(WARP_W + 1); break;
    case 0x080: k->last_mask = d & low(THREADS); break;
    case 0x088: k->slots = d & low(SLOT_W + 1); break;
    case 0x090: k->spad_bytes = d & low(SPAD_W + 1); break;
    case 0x098: k->stack_base = d; break;
    case 0x0a0: k->stack_log2 = d & 63; break;
    case 0x0a8: k->mem_base = d; break;
    case 0x0b0: k->mem_limit = d; break;
    case 0x0c0: s->reconv_pc = d & low(PA_W); break;
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
