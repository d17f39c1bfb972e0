/* See memside.h. The nets are those of rtl/mem/memside.sv. A block is clocked unless it is at rest and hears nothing new; a payload moves only
 * when it is taken. A controller without work sleeps until its next refresh: all it would do is keep time, and that is made up for. */
#include "sim_c/mem/memside.h"
#include "sim_c/cache/l2.h"
#include "sim_c/mem/dram_ctrl.h"
#include "sim_c/mem/perf_channel.h"
#include "vl_dram.h"
#include "vl_perf.h"
#include <string.h>

#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#undef NUMBER
#define NODE(b) struct { b##_t *s; b##_in_t in; b##_out_t o; bool rest, clocked; }

/* What stands below the slices (docs/home-seam.md): a scheduler and a controller a channel, which never probe. */
_Static_assert((int)HOME == (int)HOME_FLAT, "no other home has a twin");

struct memside {
    uint64_t edge; /* edges so far; it stands when nothing is timed */
    uint64_t until; /* the next edge at which a block must be clocked even without input */
    uint32_t acc; /* of the chips' clock: that of every controller */
    uint8_t ticks; /* what the pins show of it */
    uint8_t ticked; /* ... and showed before the edge */
    bool control_changed, moved, rest; /* of the last edge: a block was clocked; no block showed an event before it */
    mem_ctl_t ctl;
    NODE(req_net) req_net;
    NODE(rsp_net) rsp_net;
    NODE(mem_quota) quota;
    NODE(l2) l2[SLICES];
    NODE(mem_sched) sched[CHANNELS];
    NODE(dram_ctrl) dram[CHANNELS];
    struct {
        perf_slice_t *s;
        perf_slice_in_t in;
    } perf_slice[SLICES];
    struct {
        perf_channel_t *s;
        perf_channel_in_t in;
    } perf_channel[CHANNELS];
    uint64_t slice_perf[SLICES], channel_perf[CHANNELS];
    uint64_t pending; /* clocks that the channels' counters do not have yet */
    uint8_t perf_idx, perf_shown; /* the counter asked for, that was read */
    bool perf_clear, settled; /* settled: reading again would bring the same */
    uint64_t since[CHANNELS],
        wake[CHANNELS]; /* a controller at rest: its edges since then are not made up for yet; when it must be clocked */
    unsigned char arena[];
};

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

size_t memside_size(void)
{
    return sizeof(struct memside) + 64 + align(req_net_size()) + align(rsp_net_size()) + align(mem_quota_size())
           + SLICES * (align(l2_size()) + align(perf_slice_size()))
           + CHANNELS * (align(mem_sched_size()) + align(dram_ctrl_size()) + align(perf_channel_size()));
}

static void publish(memside_t *m);

#define PLACE(b, n) do { \
        (n)->s = (b##_t *)p; \
        p += align(b##_size()); \
        b##_reset((n)->s); \
    } while (0)
#define PLACE_BLOCK(b, n) do { \
        PLACE(b, n); \
        (n)->clocked = true; \
    } while (0)

void memside_reset(memside_t *m)
{
    memset(m, 0, sizeof *m);
    unsigned char *p = (unsigned char *)align((size_t)m->arena);
    PLACE_BLOCK(req_net, &m->req_net);
    PLACE_BLOCK(rsp_net, &m->rsp_net);
    PLACE_BLOCK(mem_quota, &m->quota);
    for (unsigned k = 0; k < SLICES; k++) {
        PLACE_BLOCK(l2, &m->l2[k]);
        m->l2[k].in.slice = k;
        PLACE(perf_slice, &m->perf_slice[k]);
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        PLACE_BLOCK(mem_sched, &m->sched[c]);
        PLACE_BLOCK(dram_ctrl, &m->dram[c]);
        PLACE(perf_channel, &m->perf_channel[c]);
    }
    m->control_changed = m->moved = true;
    publish(m);
}

void memside_view(const memside_t *m, memside_view_t *v)
{
    *v = (memside_view_t){.req_net = &m->req_net.o,
                          .rsp_net = &m->rsp_net.o,
                          .mem_quota = &m->quota.o,
                          .slice_perf = m->slice_perf,
                          .channel_perf = m->channel_perf};
    for (unsigned k = 0; k < SLICES; k++)
        v->l2[k] = &m->l2[k].o;
    for (unsigned c = 0; c < CHANNELS; c++) {
        v->mem_sched[c] = &m->sched[c].o;
        v->dram_ctrl[c] = &m->dram[c].o;
    }
}

static bool policy_equal(const sched_policy_t *a, const sched_policy_t *b)
{
    return a->mode == b->mode && a->bound == b->bound && a->write_high == b->write_high && a->write_low == b->write_low
           && a->app_valid == b->app_valid && !memcmp(a->app_asid, b->app_asid, sizeof a->app_asid)
           && a->turn_skip == b->turn_skip && a->thresh_max == b->thresh_max;
}

void memside_control(memside_t *m, const mem_ctl_t *ctl)
{
    /* con_ptw and warps change with every walk, and count only at an epoch. */
    if (!policy_equal(&m->ctl.sched, &ctl->sched) || m->ctl.page != ctl->page) {
        m->control_changed = true;
        m->quota.in.policy = ctl->sched;
        for (unsigned c = 0; c < CHANNELS; c++) {
            m->sched[c].in.policy = ctl->sched;
            m->dram[c].in.page = ctl->page;
        }
    }
    m->ctl = *ctl;
    for (unsigned k = 0; k < SLICES; k++)
        m->perf_slice[k].in.ctl = *ctl;
}

/* Counts the events that the blocks show; `ticks`: the DRAM clocks of the cycle that ends. */
static void count_all(memside_t *m, uint64_t ticks)
{
    for (unsigned k = 0; k < SLICES; k++) {
        perf_slice_in_t *in = &m->perf_slice[k].in;
        perf_slice_out_t o;
        in->ev = m->l2[k].o.ev;
        in->ev_taken = (uint64_t)m->req_net.o.ev_taken >> k & 1;
        in->ev_blocked = (uint64_t)m->req_net.o.ev_blocked >> k & 1;
        in->ev_rsp_stalled = (uint64_t)m->rsp_net.o.ev_stalled >> k & 1;
        in->clear = m->perf_clear;
        in->rd_idx = m->perf_idx;
        perf_slice_tick(m->perf_slice[k].s, in);
        perf_slice_out(m->perf_slice[k].s, &o);
        m->slice_perf[k] = o.rd_data;
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        perf_channel_in_t *in = &m->perf_channel[c].in;
        perf_channel_out_t o;
        if (m->pending)
            perf_channel_skip(m->perf_channel[c].s, &(perf_channel_in_t){.rd_idx = m->perf_idx}, 1, m->pending);
        in->ev_sched = m->sched[c].o.ev;
        in->ev_dram = m->dram[c].o.ev;
        in->ticks = (uint8_t)ticks;
        in->clear = m->perf_clear;
        in->rd_idx = m->perf_idx;
        perf_channel_tick(m->perf_channel[c].s, in);
        perf_channel_out(m->perf_channel[c].s, &o);
        m->channel_perf[c] = o.rd_data;
    }
    m->pending = 0;
}

/* The counters in some cycles that have `ticks` DRAM clocks, `last` of them in the last one; more than one only at rest. At rest no block shows an event;
 * when what is read stands too, nothing is left but the clocks, which may be counted later. */
static void count(memside_t *m, uint64_t ticks, uint64_t last)
{
    if (m->rest && m->settled && m->perf_idx == m->perf_shown && !m->perf_clear && m->perf_idx != N_dram_ticks) {
        m->pending += ticks;
        return;
    }
    m->pending += ticks - last;
    count_all(m, last);
    m->perf_shown = m->perf_idx;
    m->settled = m->rest && !m->perf_clear;
}

/* Edges at which every block stays as it is. Where no block waits for an edge and all edges have as many ticks, none is counted. */
static void pass_time(memside_t *m, uint64_t edges)
{
    m->ticks = (uint8_t)dram_ticks(dram_acc(m->acc, edges - 1), 1);
    m->acc = dram_acc(m->acc, edges);
    const bool uneven = DRAM_CLK_NUM % DRAM_CLK_DEN != 0;
    if (m->until != UINT64_MAX || uneven)
        m->edge += edges;
}

#define CLOCK(b, n, quiet) do { \
        (n)->clocked = !((quiet) && (n)->rest) || m->control_changed; \
        if ((n)->clocked) \
            b##_tick((n)->s, &(n)->in); \
    } while (0)

static void clock_networks(memside_t *m, const memside_wires_t *w)
{
    req_net_in_t *rq = &m->req_net.in;
    rq->req_valid = w->req_valid;
    for (uint64_t v = w->req_valid & m->req_net.o.req_ready; v; v &= v - 1) {
        unsigned k = (unsigned)__builtin_ctzll(v);
        rq->req[k].req = *w->req[k];
        rq->req[k].bypass = w->bypass >> k & 1;
    }
    rsp_net_in_t *rp = &m->rsp_net.in;
    uint64_t ready = 0, valid = 0;
    for (unsigned k = 0; k < SLICES; k++) {
        ready |= (uint64_t)m->l2[k].o.net_req_ready << k;
        if (!m->l2[k].o.net_rsp_valid)
            continue;
        valid |= 1ull << k;
        if ((uint64_t)m->rsp_net.o.slice_rsp_ready >> k & 1)
            rp->slice_rsp[k] = m->l2[k].o.net_rsp;
    }
    rq->slice_req_ready = ready;
    rp->slice_rsp_valid = valid;
    CLOCK(req_net, &m->req_net, !w->req_valid);
    CLOCK(rsp_net, &m->rsp_net, !valid);
}

static void clock_l2(memside_t *m, unsigned k, const memside_wires_t *w)
{
    const mem_sched_out_t *so = &m->sched[k / L2_SLICES].o;
    unsigned sub = k % L2_SLICES;
    l2_in_t *in = &m->l2[k].in;
    in->net_req_valid = (uint64_t)m->req_net.o.slice_req_valid >> k & 1;
    if (in->net_req_valid && m->l2[k].o.net_req_ready)
        in->net_req = m->req_net.o.slice_req[k];
    in->net_rsp_ready = (uint64_t)m->rsp_net.o.slice_rsp_ready >> k & 1;
    in->home_req_ready = (unsigned)so->home_req_ready >> sub & 1;
    in->home_rsp_valid = (unsigned)so->home_rsp_valid >> sub & 1;
    if (in->home_rsp_valid)
        in->home_rsp = so->home_rsp[sub];
    in->maint_valid = w->maint_valid;
    if (w->maint_valid)
        in->maint = w->maint;
    const l2_out_t *o = &m->l2[k].o;
    bool moves = (in->net_req_valid && o->net_req_ready) || (o->net_rsp_valid && in->net_rsp_ready)
                 || (o->home_req_valid && in->home_req_ready);
    if (!moves && !in->home_rsp_valid && !in->maint_valid && l2_waits(m->l2[k].s))
        m->l2[k].clocked = false;
    else
        CLOCK(l2, &m->l2[k], !in->net_req_valid && !in->home_rsp_valid && !in->maint_valid);
}

static void clock_sched(memside_t *m, unsigned c)
{
    const dram_ctrl_out_t *dc = &m->dram[c].o;
    mem_sched_in_t *in = &m->sched[c].in;
    unsigned valid = 0;
    for (unsigned sub = 0; sub < L2_SLICES; sub++) {
        const l2_out_t *lo = &m->l2[c * L2_SLICES + sub].o;
        if (!lo->home_req_valid)
            continue;
        valid |= 1u << sub;
        if ((unsigned)m->sched[c].o.home_req_ready >> sub & 1)
            in->home_req[sub] = lo->home_req;
    }
    in->home_req_valid = valid;
    in->txn_rsp_valid = dc->rsp_valid;
    if (dc->rsp_valid)
        in->txn_rsp = dc->rsp;
    bool quiet = !valid && !dc->rsp_valid;
    if (!quiet || !m->sched[c].rest) {
        memcpy(in->status, dc->status, sizeof in->status);
        memcpy(in->thresh, m->quota.o.thresh, sizeof in->thresh);
    }
    CLOCK(mem_sched, &m->sched[c], quiet);
}

static void clock_dram(memside_t *m, unsigned c, const void *rd)
{
    dram_ctrl_in_t *in = &m->dram[c].in;
    in->txn_valid = m->sched[c].o.txn_valid;
    if (in->txn_valid)
        in->txn = m->sched[c].o.txn;
    in->rd_valid = rd != NULL;
    if (rd)
        memcpy(&in->rd, rd, DRAM_BURST_BYTES);
    bool quiet = !in->txn_valid && !rd && m->edge < m->wake[c];
    if (m->dram[c].rest && (!quiet || m->control_changed))
        dram_ctrl_skip(m->dram[c].s, m->edge - m->since[c]);
    CLOCK(dram_ctrl, &m->dram[c], quiet);
}

void memside_clock(memside_t *m, const memside_wires_t *w)
{
    bool rd = false;
    m->rest = m->edge < m->until;
    for (unsigned c = 0; c < CHANNELS; c++)
        rd |= w->rd[c] != NULL;
    m->moved = m->control_changed || w->req_valid || rd || w->epoch || w->maint_valid || !m->rest;
    if (m->moved) {
        clock_networks(m, w);
        mem_quota_in_t *qi = &m->quota.in;
        qi->epoch = w->epoch;
        if (w->epoch) {
            memcpy(qi->con_ptw, m->ctl.con_ptw, sizeof qi->con_ptw);
            memcpy(qi->warps, m->ctl.warps, sizeof qi->warps);
        }
        for (unsigned k = 0; k < SLICES; k++)
            clock_l2(m, k, w);
        for (unsigned c = 0; c < CHANNELS; c++) {
            clock_sched(m, c);
            clock_dram(m, c, w->rd[c]);
        }
        CLOCK(mem_quota, &m->quota, !w->epoch);
        m->control_changed = false;
        m->until = m->edge + 1; /* until memside_publish knows better */
    }
    m->perf_clear = w->perf_clear;
    m->perf_idx = w->perf_idx;
    m->ticked = m->ticks;
    pass_time(m, 1);
}

#define PUBLISH(b, n) do { \
        if ((n)->clocked) { \
            b##_out((n)->s, &(n)->o); \
            (n)->rest = b##_idle((n)->s); \
        } \
        rest &= (n)->rest; \
    } while (0)

/* A controller's rest ends by itself. */
static uint64_t publish_dram(memside_t *m, unsigned c)
{
    if (m->dram[c].clocked) {
        dram_ctrl_out(m->dram[c].s, &m->dram[c].o);
        uint64_t due = dram_ctrl_due(m->dram[c].s, m->ctl.page);
        m->dram[c].rest = due != 0;
        m->since[c] = m->edge;
        m->wake[c] = due == UINT64_MAX ? due : m->edge + due;
    }
    return m->wake[c];
}

static void publish(memside_t *m)
{
    if (m->moved) {
        bool rest = true;
        uint64_t until = UINT64_MAX;
        PUBLISH(req_net, &m->req_net);
        PUBLISH(rsp_net, &m->rsp_net);
        PUBLISH(mem_quota, &m->quota);
        for (unsigned k = 0; k < SLICES; k++)
            PUBLISH(l2, &m->l2[k]);
        for (unsigned c = 0; c < CHANNELS; c++) {
            PUBLISH(mem_sched, &m->sched[c]);
            uint64_t wake = publish_dram(m, c);
            until = wake < until ? wake : until;
        }
        m->until = rest ? until : m->edge;
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        m->dram[c].o.pins.ticks = m->ticks;
}

void memside_publish(memside_t *m)
{
    count(m, m->ticked, m->ticked);
    publish(m);
}

uint64_t memside_due(const memside_t *m)
{
    return m->control_changed ? 0 : m->until == UINT64_MAX ? m->until : m->until - m->edge;
}

void memside_skip(memside_t *m, uint64_t edges)
{
    if (!edges)
        return;
    uint64_t ticks = memside_ticks(m, edges);
    m->rest = true;
    m->perf_clear = false;
    count(m, ticks, ticks - memside_ticks(m, edges - 1));
    pass_time(m, edges);
    m->moved = false;
    publish(m);
}

uint64_t memside_ticks(const memside_t *m, uint64_t cycles)
{
    return cycles ? m->ticks + dram_ticks(m->acc, cycles - 1) : 0;
}

bool memside_idle(const memside_t *m)
{
    bool idle = memside_due(m) == UINT64_MAX;
    for (unsigned c = 0; c < CHANNELS; c++)
        idle &= dram_ctrl_idle(m->dram[c].s);
    return idle;
}

const void *memside_block_out(const memside_t *m, const char *block, unsigned index)
{
    if (!strcmp(block, "req_net"))
        return &m->req_net.o;
    if (!strcmp(block, "rsp_net"))
        return &m->rsp_net.o;
    if (!strcmp(block, "mem_quota"))
        return &m->quota.o;
    if (!strcmp(block, "perf_slice") && index < SLICES)
        return &m->slice_perf[index];
    if (!strcmp(block, "perf_channel") && index < CHANNELS)
        return &m->channel_perf[index];
    if (!strcmp(block, "l2") && index < SLICES)
        return &m->l2[index].o;
    if (!strcmp(block, "mem_sched") && index < CHANNELS)
        return &m->sched[index].o;
    if (!strcmp(block, "dram_ctrl") && index < CHANNELS)
        return &m->dram[index].o;
    return NULL;
}

void memside_out(const memside_t *m, memside_out_t *o)
{
    uint64_t maint_done = 0, l2_idle_bits = 0, trace_rsp = 0, sched_idle = 0, dram_idle = 0;
    const uint64_t rsp_valid = m->rsp_net.o.rsp_valid;
    o->req_ready = m->req_net.o.req_ready;
    o->ev_req_stalled = m->req_net.o.ev_stalled;
    o->ev_req_taken = m->req_net.o.ev_taken;
    o->ev_req_blocked = m->req_net.o.ev_blocked;
    o->rsp_valid = m->rsp_net.o.rsp_valid;
    for (unsigned k = 0; k < SOURCES; k++)
        if (rsp_valid >> k & 1)
            o->rsp[k] = m->rsp_net.o.rsp[k];
    o->ev_rsp_stalled = m->rsp_net.o.ev_stalled;
    o->quota_idle = m->quota.o.idle;
    for (unsigned k = 0; k < SLICES; k++) {
        maint_done |= (uint64_t)m->l2[k].o.maint_done << k;
        l2_idle_bits |= (uint64_t)m->l2[k].o.idle << k;
        o->ev_l2[k] = m->l2[k].o.ev;
        o->trace_rsp_line[k] = m->l2[k].o.trace_line;
        if (m->l2[k].o.net_rsp_valid && ((uint64_t)m->rsp_net.o.slice_rsp_ready >> k & 1)) {
            trace_rsp |= 1ull << k;
            o->trace_rsp[k] = m->l2[k].o.net_rsp;
        }
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        o->pins[c] = m->dram[c].o.pins;
        sched_idle |= (uint64_t)m->sched[c].o.idle << c;
        dram_idle |= (uint64_t)m->dram[c].o.idle << c;
        o->ev_sched[c] = m->sched[c].o.ev;
        o->ev_dram[c] = m->dram[c].o.ev;
    }
    memcpy(o->slice_perf, m->slice_perf, sizeof o->slice_perf);
    memcpy(o->channel_perf, m->channel_perf, sizeof o->channel_perf);
    o->maint_done = maint_done;
    o->l2_idle = l2_idle_bits;
    o->trace_rsp_valid = trace_rsp;
    o->sched_idle = sched_idle;
    o->dram_idle = dram_idle;
}

void memside_tick(memside_t *m, const memside_in_t *in)
{
    memside_wires_t w = {.req_valid = in->req_valid,
                         .epoch = in->epoch,
                         .maint_valid = in->maint_valid,
                         .maint = in->maint,
                         .perf_clear = in->perf_clear,
                         .perf_idx = in->perf_idx};
    for (unsigned k = 0; k < SOURCES; k++) {
        w.req[k] = &in->req[k].req;
        w.bypass |= (uint64_t)in->req[k].bypass << k;
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        w.rd[c] = (uint64_t)in->rd_valid >> c & 1 ? &in->rd[c] : NULL;
    memside_control(m, &in->ctl);
    memside_clock(m, &w);
    memside_publish(m);
}
