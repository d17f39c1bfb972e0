/* See memside.h. Which block drives which input, and when a block is clocked, is generated from rtl/mem/memside.sv (memside_nets.inc; docs/conventions.md).
 * A controller without work sleeps until its next refresh: it would only keep time, and the ticks are added when it wakes. */
#include "sim_c/mem/memside.h"
#include "perf/perf_channel_twin.h"
#include "perf/perf_stack_twin.h"
#include "sim_c/cache/l2.h"
#include "sim_c/coherence/l2c.h"
#include "sim_c/common/memory_map.h"
#include "sim_c/mem/dram_ctrl.h"
#include "sim_c/mem/mem_sched.h"
#include "vl_regs.h"
#include <string.h>

#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#undef NUMBER

/* Which kind of slice there is depends on the home (docs/home-seam.md). */
#define SLICE(foo, s) _Generic((s), l2_t *: l2_##foo, l2c_t *: l2c_##foo)(s)

_Static_assert(SLICES <= 64 && MEM_CHANNELS <= 64, "sets of slices and of channels are words");
#define ALL(n) (~0ull >> (64 - (n)))

struct memside {
    uint64_t edge; /* edges so far; it is not advanced while nothing is timed */
    uint64_t until; /* the next edge at which a block must be clocked even without input */
    uint32_t acc[DRAM_KINDS]; /* clock accumulator of a kind of chips, the same for each of its controllers */
    uint8_t ticks[DRAM_KINDS]; /* ticks of that clock that the pins show */
    /* of the last edge: the policy had changed; a block was clocked; no block showed an event before it */
    bool control_changed, moved, rest;
    mem_ctl_t ctl;
#define STATE(name, b) b##_t *name; b##_in_t name##_in; b##_out_t name##_o; bool name##_rest, name##_clocked;
    MEMSIDE_BLOCKS(STATE)
#undef STATE
    /* Sets over the blocks of a loop: busy: not at rest; clocked: at this edge; ask: at the next edge their inputs are examined, as they or a neighbour were
     * clocked at the last one (the inputs of the others have not changed); settled: reading the counter again would give the same. */
#define STATE(name, b, n) b##_t *name[n]; b##_in_t name##_in[n]; b##_out_t name##_o[n]; uint64_t name##_busy, name##_clocked, name##_ask, name##_settled;
    MEMSIDE_ARRAYS(STATE)
#undef STATE
    memside_joined_t joined;
    /* sets of slices; waiting: only for a ready, so they are not clocked, but show their stalls */
    uint64_t idle, waiting;
    /* clocks and cycles that a channel's counters do not contain yet */
    uint64_t pending[MEM_CHANNELS], uncounted[MEM_CHANNELS];
    uint16_t thresh[APPS]; /* the quotas in these cycles */
    uint16_t perf_unit; /* the selected counter */
    uint8_t perf_idx;
    uint64_t slices_settled, channels_settled; /* reading the counter again would give the same */
    uint64_t slices_counted, channels_counted; /* counter blocks that were clocked at the last edge */
    bool syncs; /* some stack does maintenance; its cycles are counted */
    /* of a controller at rest: the edge since which it has not been clocked, and the edge at which it must be */
    uint64_t since[MEM_CHANNELS], wake[MEM_CHANNELS];
    unsigned char arena[];
};

static uint64_t take(uint64_t *set)
{
    const uint64_t all = *set;
    *set = 0;
    return all;
}

static bool slice_rests(memside_t *m, unsigned k);
static bool channel_rests(memside_t *m, unsigned k);
static void channel_tick(memside_t *m, unsigned k);

/* A block is clocked unless it is at rest and none of its inputs is active. */
#define WAKES(name, b, moves) ((moves) || c->control_changed || !c->name##_rest)
#define MARK(name) (c->name##_clocked = true)
#define WAKES_AT(name, b, k, moves) ((moves) || c->control_changed || c->name##_busy >> (k) & 1)
#define MARK_AT(name, k) (c->name##_clocked |= 1ull << (k))
#define ASKED(name, n) (take(&c->name##_ask) | c->name##_busy | (c->control_changed ? ALL(n) : 0))
typedef struct memside memside_self_t;
#include "memside_nets.inc"

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t memside_size(void)
{
    size_t n = sizeof(struct memside) + 64;
#define ADD(name, b) n += align(b##_size());
    MEMSIDE_BLOCKS(ADD)
#undef ADD
#define ADD(name, b, rounds) n += (rounds) * align(b##_size());
    MEMSIDE_ARRAYS(ADD)
#undef ADD
    return n;
}

static void publish(memside_t *m);

void memside_reset(memside_t *m)
{
    memset(m, 0, sizeof *m);
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
#define PLACE(name, b) m->name = (b##_t *)p; p += align(b##_size()); b##_reset(m->name); m->name##_clocked = true;
    MEMSIDE_BLOCKS(PLACE)
#undef PLACE
#define PLACE(name, b, n) \
    for (unsigned k = 0; k < (n); k++) { \
        m->name[k] = (b##_t *)p, p += align(b##_size()); \
        b##_reset(m->name[k]), m->name##_clocked |= 1ull << k; \
    }
    MEMSIDE_ARRAYS(PLACE)
#undef PLACE
    for (unsigned k = SMDS; (int)HOME == (int)HOME_DIRECTORY && k < SLICES; k++)
        l2c_last_level((l2c_t *)(void *)m->l2[k]);
    for (unsigned c = 0; c < MEM_CHANNELS; c++)
        mem_sched_kind(m->sched[c], chip_kind(c)), dram_ctrl_kind(m->ctrl[c], chip_kind(c));
    memside_constants(m);
    m->control_changed = m->moved = true;
    publish(m);
    memside_publish_always(m);
}

void memside_view(const memside_t *m, memside_view_t *v)
{
    memside_outputs(m, v);
}

static bool policy_equal(const sched_policy_t *a, const sched_policy_t *b)
{
    return a->mode == b->mode && a->bound == b->bound && a->write_high == b->write_high && a->write_low == b->write_low
           && a->app_valid == b->app_valid && !memcmp(a->app_asid, b->app_asid, sizeof a->app_asid)
           && a->turn_skip == b->turn_skip && a->thresh_max == b->thresh_max;
}

void memside_control(memside_t *m, const mem_ctl_t *ctl)
{
    /* con_ptw and warps change with every walk, but have an effect at the end of an epoch only. */
    m->control_changed |= !policy_equal(&m->ctl.sched, &ctl->sched) || m->ctl.page != ctl->page
                          || m->ctl.peers != ctl->peers || m->ctl.memory != ctl->memory;
    m->ctl = *ctl;
    memside_hold_ctl(m, ctl);
}

static bool selects_anew(const memside_t *m, const memside_wires_t *w)
{
    return w->perf_idx != m->perf_idx || w->perf_unit != m->perf_unit;
}

/* Whether block `b` is one of the counters that only directories have. (A constant, so nothing is left of what stands behind it in a machine without.) */
#define IS_NAMED(text, which) (sizeof text == sizeof which && !memcmp(text, which, sizeof which))
#define IS(b, which) IS_NAMED(#b, which)
#define IS_PERF(b) (sizeof #b > 5 && !memcmp(#b "     ", "perf_", 5))
#define IS_OTHER(b) (IS(b, "perf_stack") || IS(b, "perf_home") || IS(b, "perf_wire"))

static bool in_maintenance(const memside_t *m)
{
    bool any = false;
#define ASK(name, b, n) \
    for (unsigned k = 0; IS(b, "perf_stack") && k < (n); k++) \
        any |= perf_stack_spans((const perf_stack_t *)(const void *)m->name[k]);
    MEMSIDE_ARRAYS(ASK)
#undef ASK
    return any;
}

/* Their counters in a cycle, or in several at rest: those of a block that may show an event, count a maintenance, or has a new answer. */
static void count_others(memside_t *m, const memside_wires_t *w)
{
    uint64_t stacks = ~m->idle, homes = ~m->idle >> SMDS, ups = 0, downs = 0;
#define MAY_SHOW(name, b, n) \
    stacks |= IS_NAMED(#name, "smd") ? m->name##_busy : 0, homes |= IS_NAMED(#name, "hmd") ? m->name##_busy : 0; \
    ups |= IS_NAMED(#name, "up") ? m->name##_busy : 0, downs |= IS_NAMED(#name, "down") ? m->name##_busy : 0;
    MEMSIDE_ARRAYS(MAY_SHOW)
#undef MAY_SHOW
    m->syncs |= w->maint_valid;
    if (m->syncs)
        stacks = ~0ull;
    const bool anew = selects_anew(m, w) || w->perf_clear;
#define CLOCK(name, b, n) \
    if (IS_OTHER(b)) { \
        const uint64_t shows = IS(b, "perf_stack") ? stacks : IS(b, "perf_home") ? homes : IS_NAMED(#name, "up_perf") ? ups : downs; \
        m->name##_clocked = ALL(n) & (shows | ~m->name##_settled | (anew ? ~0ull : 0)); \
        for (uint64_t v = m->name##_clocked; v; v &= v - 1) \
            clock_##name(m, w, (unsigned)__builtin_ctzll(v)); \
        m->name##_settled = w->perf_clear ? 0 : ~shows; \
    }
    MEMSIDE_ARRAYS(CLOCK)
#undef CLOCK
    if (m->syncs)
        m->syncs = in_maintenance(m);
}

static void publish_others(memside_t *m)
{
#define PUBLISH(name, b, n) \
    if (IS_OTHER(b)) { \
        for (uint64_t v = m->name##_clocked; v; v &= v - 1) \
            publish_##name(m, (unsigned)__builtin_ctzll(v)); \
        m->name##_clocked = 0; \
    }
    MEMSIDE_ARRAYS(PUBLISH)
#undef PUBLISH
}

/* Events that a channel's counters do not have yet. */
static void make_up(memside_t *m, unsigned c)
{
    perf_channel_in_t in = {.clear = false};
    memcpy(in.thresh, m->thresh, sizeof in.thresh);
    if (m->uncounted[c])
        perf_channel_count(m->perf_channel[c], &in, m->uncounted[c]);
    perf_channel_add(m->perf_channel[c], N_dram_ticks, m->pending[c]);
    m->pending[c] = 0;
    m->uncounted[c] = 0;
}

/* The counters in some cycles with `ticks` DRAM clocks, by kind; the pins show those of the last cycle. More than one cycle only at rest. A slice or a channel at
 * rest shows no event; if the selected counter stands too, only clocks and cycles are left, which may be counted later. */
static void count(memside_t *m, const memside_wires_t *w, uint64_t cycles, const uint64_t ticks[DRAM_KINDS])
{
    if ((int)HOME == (int)HOME_DIRECTORY)
        count_others(m, w);
    const uint64_t slices =
        m->idle & ~((uint64_t)m->req_net_o.ev_taken | m->req_net_o.ev_blocked | m->rsp_net_o.ev_stalled);
    const uint64_t channels = ALL(MEM_CHANNELS) & ~(m->sched_busy | m->ctrl_busy);
    if (selects_anew(m, w) || w->perf_clear)
        m->slices_settled = m->channels_settled = 0;
    if (w->perf_unit >> 8 == PERF_SEL_KIND_CHANNEL
        && (w->perf_idx == N_dram_ticks
            || (w->perf_idx >= N_quota_app0 && w->perf_idx <= N_channel_cycles))) /* these counters grow at rest, too */
        m->channels_settled = 0;
    if (memcmp(m->thresh, m->quota_o.thresh, sizeof m->thresh)) {
        for (unsigned c = 0; c < MEM_CHANNELS; c++)
            make_up(m, c);
        memcpy(m->thresh, m->quota_o.thresh, sizeof m->thresh);
    }
    m->perf_unit = w->perf_unit, m->perf_idx = w->perf_idx;
    m->slices_counted = ALL(SLICES) & ~(slices & m->slices_settled);
    m->channels_counted = ALL(MEM_CHANNELS) & ~(channels & m->channels_settled);
    for (uint64_t v = m->slices_counted; v; v &= v - 1)
        clock_perf_slice(m, w, (unsigned)__builtin_ctzll(v));
    for (unsigned c = 0; c < MEM_CHANNELS; c++) {
        m->pending[c] += ticks[chip_kind(c)];
        m->uncounted[c] += cycles;
        if (!(m->channels_counted >> c & 1))
            continue;
        m->pending[c] -= m->ctrl_o[c].pins.ticks;
        m->uncounted[c]--;
        make_up(m, c);
        clock_perf_channel(m, w, c);
    }
    m->slices_settled = w->perf_clear ? 0 : slices;
    m->channels_settled = w->perf_clear ? 0 : channels;
}

static void publish_counters(memside_t *m)
{
    if ((int)HOME == (int)HOME_DIRECTORY)
        publish_others(m);
    for (uint64_t v = m->slices_counted; v; v &= v - 1)
        publish_perf_slice(m, (unsigned)__builtin_ctzll(v));
    for (uint64_t v = m->channels_counted; v; v &= v - 1)
        publish_perf_channel(m, (unsigned)__builtin_ctzll(v));
    m->slices_counted = m->channels_counted = 0;
    uint64_t any = 0;
#define ANSWER(name, b, n) \
    for (unsigned k = 0; IS_PERF(b) && k < (n); k++) \
        any |= *(const uint64_t *)(const void *)&m->name##_o[k]; /* its only output */
    MEMSIDE_ARRAYS(ANSWER)
#undef ANSWER
    m->joined.perf_data = any;
}

/* Edges at which every block stays as it is. Without a block that waits for an edge, and with equal ticks in all edges, edges are not counted. */
static void pass_time(memside_t *m, uint64_t edges)
{
    bool uneven = false;
    for (unsigned k = 0; k < DRAM_KINDS; k++) {
        m->ticks[k] = (uint8_t)dram_ticks(k, dram_acc(k, m->acc[k], edges - 1), 1);
        m->acc[k] = dram_acc(k, m->acc[k], edges);
        uneven |= dram_clk_num(k) % dram_clk_den(k) != 0;
    }
    if (m->until != UINT64_MAX || uneven)
        m->edge += edges;
}

static void show_ticks(memside_t *m, const uint8_t ticks[DRAM_KINDS])
{
    for (unsigned c = 0; c < MEM_CHANNELS; c++)
        m->ctrl_o[c].pins.ticks = ticks[chip_kind(c)];
}

/* A slice that waits needs no clock either. */
static bool slice_rests(memside_t *m, unsigned k)
{
    const bool idle = SLICE(idle, m->l2[k]), waits = !idle && SLICE(waits, m->l2[k]);
    m->idle = (m->idle & ~(1ull << k)) | (uint64_t)idle << k;
    m->waiting = (m->waiting & ~(1ull << k)) | (uint64_t)waits << k;
    return idle || waits;
}

/* A controller's rest ends by itself. */
static bool channel_rests(memside_t *m, unsigned k)
{
    const uint64_t due = dram_ctrl_due(m->ctrl[k], m->ctl.page);
    m->since[k] = m->edge;
    m->wake[k] = due == UINT64_MAX ? due : m->edge + due;
    return due != 0;
}

static void channel_tick(memside_t *m, unsigned k)
{
    if (m->edge != m->since[k])
        dram_ctrl_skip(m->ctrl[k], m->edge - m->since[k]);
    dram_ctrl_tick(m->ctrl[k], &m->ctrl_in[k]);
}

void memside_clock(memside_t *m, const memside_wires_t *w)
{
    m->rest = m->edge < m->until;
    m->moved = m->control_changed || !m->rest || memside_called(m, w);
    uint64_t ticks[DRAM_KINDS];
    for (unsigned k = 0; k < DRAM_KINDS; k++)
        ticks[k] = m->ticks[k];
    count(m, w, 1, ticks);
    if (m->moved) {
        for (unsigned c = 0; c < MEM_CHANNELS; c++)
            m->ctrl_busy |= (uint64_t)(m->edge >= m->wake[c]) << c;
        memside_clock_blocks(m, w);
        m->control_changed = false;
        m->until = m->edge + 1; /* memside_publish may move it further */
    }
    pass_time(m, 1);
}

static void publish(memside_t *m)
{
    if (m->moved) {
        /* never during maintenance: messages to a directory are on their way */
        const bool rest = memside_publish_blocks(m) && !m->waiting && !memside_offers(m);
        uint64_t until = UINT64_MAX;
        for (unsigned c = 0; c < MEM_CHANNELS; c++)
            until = m->wake[c] < until ? m->wake[c] : until;
        m->until = rest ? until : m->edge;
    }
    show_ticks(m, m->ticks);
}

void memside_publish(memside_t *m)
{
    publish(m);
    publish_counters(m);
}

uint64_t memside_due(const memside_t *m)
{
    return m->control_changed ? 0 : m->until == UINT64_MAX ? m->until : m->until - m->edge;
}

void memside_skip(memside_t *m, uint64_t edges)
{
    if (!edges)
        return;
    const memside_wires_t w = {.perf_unit = m->perf_unit, .perf_idx = m->perf_idx};
    uint64_t ticks[DRAM_KINDS];
    uint8_t last[DRAM_KINDS]; /* ticks of the last of these edges */
    for (unsigned k = 0; k < DRAM_KINDS; k++) {
        ticks[k] = memside_ticks(m, k, edges);
        last[k] = (uint8_t)(ticks[k] - memside_ticks(m, k, edges - 1));
    }
    m->rest = true;
    show_ticks(m, last);
    count(m, &w, edges, ticks);
    pass_time(m, edges);
    m->moved = false;
    memside_publish(m);
}

uint64_t memside_ticks(const memside_t *m, unsigned kind, uint64_t cycles)
{
    return cycles ? m->ticks[kind] + dram_ticks(kind, m->acc[kind], cycles - 1) : 0;
}

bool memside_idle(const memside_t *m)
{
    bool idle = memside_due(m) == UINT64_MAX;
    for (unsigned c = 0; c < MEM_CHANNELS; c++)
        idle &= dram_ctrl_idle(m->ctrl[c]);
    return idle;
}

const void *memside_block_out(const memside_t *m, const char *block, const char *name, unsigned index)
{
#define FIND(place, b) if (!strcmp(block, #b) && !strcmp(name, #place)) return &m->place##_o;
    MEMSIDE_BLOCKS(FIND)
#undef FIND
#define FIND(place, b, n) if (!strcmp(block, #b) && !strcmp(name, #place) && index < (n)) return &m->place##_o[index];
    MEMSIDE_ARRAYS(FIND)
#undef FIND
    return NULL;
}

void memside_out(const memside_t *m, memside_out_t *o)
{
    memside_show(m, o);
}

void memside_tick(memside_t *m, const memside_in_t *in)
{
    memside_wires_t w;
    memside_wires_of(in, &w);
    memside_control(m, &in->ctl);
    memside_clock(m, &w);
    memside_publish(m);
}
