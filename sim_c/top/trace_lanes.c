/* See trace_lanes.h. The host is observed at the registers that it writes and reads, the chips at their pins: a track a bank, on it the time for which
 * each row is open, and in that the bursts. */
#include "sim_c/top/trace_lanes.h"
#include <inttypes.h>

#define NOBODY UINT64_MAX
enum { STACKS = HOME == HOME_FLAT ? 0 : DEVICES * CHANNELS };

static const struct {
    const char *lane, *category;
} host_lanes[] = {{"faults", "fault"}, {"shootdowns", "shootdown"}, {"evictions", "eviction"}};

void lanes_begin(lanes_t *t, FILE *f, const trace_view_t *view)
{
    t->f = f;
    t->view = view;
    t->asked = NOBODY;
    fprintf(f, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
}

bool lanes_has(const lanes_t *t, uint64_t from, uint64_t to)
{
    return from < t->view->to && (to > from ? to : from + 1) > t->view->from;
}

void lanes_slice(lanes_t *t, unsigned pid, unsigned tid, const char *name, const char *category, uint64_t from,
                 uint64_t to, const char *more)
{
    if (!lanes_has(t, from, to))
        return;
    fprintf(t->f,
            "%s\n{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
            "%s}",
            t->some ? "," : "", name, category, pid, tid, from, to - from, more);
    t->some = true;
}

void lanes_label(lanes_t *t, const char *what, unsigned pid, unsigned tid, const char *name)
{
    fprintf(t->f, "%s\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}",
            t->some ? "," : "", what, pid, tid, name);
    t->some = true;
}

void lanes_value(lanes_t *t, uint64_t cycle, const char *name, double value)
{
    if (!lanes_has(t, cycle, cycle + 1))
        return;
    fprintf(t->f, "%s\n{\"name\":\"%s\",\"ph\":\"C\",\"pid\":0,\"ts\":%" PRIu64 ",\"args\":{\"value\":%.6g}}",
            t->some ? "," : "", name, cycle, value);
    t->some = true;
}

/* ---- the host -------------------------------------------------------------------------------------------------------- */

static void host_ends(lanes_t *t, unsigned lane, uint64_t cycle)
{
    doing_t *d = &t->host[lane];
    if (!d->on)
        return;
    d->on = false;
    if (!trace_listed(t->view->blocks, host_lanes[lane].lane) || !lanes_has(t, d->begin, cycle))
        return;
    if (!t->host_named)
        lanes_label(t, "process_name", HOST_PID, 0, "host");
    if (!d->named)
        lanes_label(t, "thread_name", HOST_PID, lane, host_lanes[lane].lane);
    t->host_named = d->named = true;
    lanes_slice(t, HOST_PID, lane, d->name, host_lanes[lane].category, d->begin, cycle, "");
}

static doing_t *host_begins(lanes_t *t, unsigned lane, uint64_t begin, uint64_t cycle)
{
    doing_t *d = &t->host[lane];
    host_ends(t, lane, cycle);
    d->on = true;
    d->begin = begin;
    d->name[0] = 0;
    return d;
}

static void on_write(lanes_t *t, uint64_t cycle, uint32_t addr, uint64_t data)
{
    const reg_inv_t inv = reg_inv_get(data);
    if (addr == REG_INV_PAGE)
        t->page = data;
    if (addr == REG_INV_CORES)
        t->cores = data;
    if (addr == REG_RESUME && t->host[FAULTS].on) {
        host_ends(t, FAULTS, cycle);
        t->asked = cycle; /* the next fault, if there is one, waits for the host from now on */
    }
    if (addr != REG_INV)
        return;
    doing_t *d = host_begins(t, SHOOTDOWNS, cycle, cycle);
    if (inv.scope == INV_SCOPE_PAGE)
        snprintf(d->name, sizeof d->name, "page 0x%" PRIx64, t->page);
    else if (inv.scope == INV_SCOPE_ASID)
        snprintf(d->name, sizeof d->name, "address space %u", inv.asid);
    else
        snprintf(d->name, sizeof d->name, "all");
    const size_t n = strlen(d->name);
    if (HOST_SOURCE > CORES && inv.some)
        snprintf(d->name + n, sizeof d->name - n, ", cores 0x%" PRIx64, t->cores);
}

static void on_read(lanes_t *t, uint64_t cycle, uint64_t data)
{
    if (t->reads == REG_PF_WHAT && reg_pf_what_get(data).valid) {
        t->what = reg_pf_what_get(data);
        (void)host_begins(t, FAULTS, t->asked == NOBODY ? cycle : t->asked, cycle);
    }
    if (t->reads == REG_PF_VALUE && t->host[FAULTS].on)
        snprintf(t->host[FAULTS].name, sizeof t->host[FAULTS].name, "%s 0x%" PRIx64 ", core %u warp %u",
                 t->what.fetch   ? "fetch"
                 : t->what.store ? "store"
                                 : "load",
                 (uint64_t)((int64_t)(data << 16) >> 16), t->what.core, t->what.warp);
    if (t->reads == REG_INV && !reg_inv_read_get(data).busy)
        host_ends(t, SHOOTDOWNS, cycle);
}

static void host_cycle(lanes_t *t, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o)
{
    if (o->attention && t->asked == NOBODY)
        t->asked = cycle;
    if (!o->attention && !t->host[FAULTS].on)
        t->asked = NOBODY;
    if (o->ctl_rsp_valid && in->ctl_rsp_ready)
        on_read(t, cycle, o->ctl_rsp.data);
    if (!in->ctl_req_valid || !o->ctl_req_ready)
        return;
    if (in->ctl_req.write)
        on_write(t, cycle, in->ctl_req.addr, in->ctl_req.data);
    else
        t->reads = in->ctl_req.addr;
}

void lanes_mark(lanes_t *t, uint64_t cycle, const char *what)
{
    host_ends(t, EVICTIONS, cycle);
    if (!what)
        return;
    doing_t *d = host_begins(t, EVICTIONS, cycle, cycle);
    snprintf(d->name, sizeof d->name, "%s", what);
}

/* ---- the memory chips ------------------------------------------------------------------------------------------------ */

static void name_bank(lanes_t *t, unsigned k, unsigned b)
{
    char name[64];
    if (t->bank[k][b].named)
        return;
    if (!t->dram_named)
        lanes_label(t, "process_name", DRAM_PID, 0, "dram");
    t->dram_named = t->bank[k][b].named = true;
    snprintf(name, sizeof name, "%s %u, bank %u",
             !STACKS      ? "channel"
             : k < STACKS ? "stack"
                          : "host channel",
             k < STACKS ? k : k - STACKS, b);
    lanes_label(t, "thread_name", DRAM_PID, k << PINS_BANK_W | b, name);
}

static void close_row(lanes_t *t, unsigned k, unsigned b, uint64_t cycle)
{
    char name[32];
    bank_t *x = &t->bank[k][b];
    if (!x->open)
        return;
    x->open = false;
    if (lanes_has(t, x->begin, cycle))
        name_bank(t, k, b);
    snprintf(name, sizeof name, "row %" PRIu64, x->row);
    lanes_slice(t, DRAM_PID, k << PINS_BANK_W | b, name, "row", x->begin, cycle, "");
}

static void on_pins(lanes_t *t, unsigned k, uint64_t cycle, const dram_pins_t *p)
{
    const unsigned b = (unsigned)p->group << CH_LOCAL_W | p->bank;
    bank_t *x = &t->bank[k][b];
    switch (p->op) {
    case PIN_ACT: *x = (bank_t){.open = true, .named = x->named, .begin = cycle, .row = p->row}; break;
    case PIN_RD:
    case PIN_WR:
        if (lanes_has(t, cycle, cycle + 1))
            name_bank(t, k, b);
        lanes_slice(t, DRAM_PID, k << PINS_BANK_W | b, p->op == PIN_RD ? "read" : "write", "burst", cycle, cycle + 1,
                    "");
        break;
    case PIN_PRE: close_row(t, k, b, cycle); break;
    case PIN_PREA:
        for (unsigned i = 0; i < BANKS_OF_PINS; i++)
            close_row(t, k, i, cycle);
        break;
    case PIN_REF:
        if (lanes_has(t, cycle, cycle + 1))
            name_bank(t, k, 0);
        lanes_slice(t, DRAM_PID, k << PINS_BANK_W, "refresh", "refresh", cycle, cycle + 1, "");
        break;
    default: break;
    }
}

void lanes_cycle(lanes_t *t, uint64_t cycle, const vellum_in_t *in, const vellum_out_t *o)
{
    host_cycle(t, cycle, in, o);
    for (unsigned k = 0; k < MEM_CHANNELS && trace_listed(t->view->blocks, "dram"); k++)
        if (o->pins[k].op != PIN_NOP)
            on_pins(t, k, cycle, &o->pins[k]);
}

void lanes_end(lanes_t *t, uint64_t cycle)
{
    for (unsigned k = 0; k < HOST_LANES; k++)
        host_ends(t, k, cycle);
    for (unsigned k = 0; k < MEM_CHANNELS; k++)
        for (unsigned b = 0; b < BANKS_OF_PINS; b++)
            close_row(t, k, b, cycle);
    fprintf(t->f, "\n]}\n");
}
