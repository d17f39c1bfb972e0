/* Functional coverage of the memory side: the points that the page lists, read off its outputs. */
#ifndef VERIF_MEMSIDE_COVER_H
#define VERIF_MEMSIDE_COVER_H
#include "verif/mem/memside/leap.h"
#include "verif/mem/memside/traffic.h"

enum {
    COV_ALL_ANSWERED,
    COV_RSP_BURST,
    COV_STALLED,
    COV_BLOCKED,
    COV_RSP_STALLED,
    COV_SLICES,
    COV_CHANNELS,
    COV_TWO,
    COV_EVERYONE,
    COV_MERGE,
    COV_EVICT,
    COV_BYPASS,
    COV_ATOMIC,
    COV_UPGRADE,
    COV_PROBE,
    COV_MSHR,
    COV_REPLAY,
    COV_WMERGE,
    COV_FORWARD,
    COV_DRAIN,
    COV_LATE,
    COV_URGENT,
    COV_GOLDEN,
    COV_SILVER,
    COV_NORMAL,
    COV_TURN,
    COV_WRITES_FULL,
    COV_ORDER,
    COV_ROW_HIT,
    COV_ROW_MISS,
    COV_TURNAROUND,
    COV_REFRESH_BUSY,
    COV_REFRESH_REST,
    COV_PREA,
    COV_CLOSED,
    COV_MODE,
    COV_PAGE,
    COV_PEERS,
    COV_MEMORY,
    COV_STACKS,
    COV_EPOCH = COV_STACKS + 2,
    COV_EPOCH_AGAIN,
    COV_MAINT_BUSY,
    COV_MAINT_APART,
    COV_CLEARING,
    COV_REST,
    COV_LEAP,
    COV_LEAP_REFRESH,
    COV_MAINT_LOAD,
    COV_MAINT_REST = COV_MAINT_LOAD + 6,
    COV_SC = COV_MAINT_REST + 6,
    COV_COHERENT = COV_SC + SC_N,
    COV_N = COV_COHERENT + COHERENT_N
};
static const char *const cover[] = {"every source was answered",
                                    "every source is answered in one cycle",
                                    "a request waits at its port",
                                    "a slice does not take",
                                    "an answer waits at its slice",
                                    "every slice takes a request at one edge",
                                    "bursts move in every channel at once",
                                    "two sources want one line",
                                    "all sources want one line",
                                    "a line's requests merge",
                                    "a line is evicted for another",
                                    "a read bypasses",
                                    "an atomic",
                                    "a bypassed line is wanted after all",
                                    "a line that lacks bytes is read",
                                    "all MSHRs busy",
                                    "replay",
                                    "writes of one line merge",
                                    "a read is answered by a write held back",
                                    "writes drain",
                                    "a request goes because it is late",
                                    "a write goes because its line is read",
                                    "Golden",
                                    "Silver",
                                    "Normal",
                                    "the turn passes",
                                    "WRITES full",
                                    "a request waits for the one before",
                                    "row hit",
                                    "row miss",
                                    "turnaround",
                                    "refresh while requests wait",
                                    "refresh at rest",
                                    "PREA",
                                    "a bank is closed by policy",
                                    "scheduling policy changes under load",
                                    "page policy changes while rows are open",
                                    "peers change under load",
                                    "load with memory = zerocopy",
                                    "load with memory = memcpy",
                                    "load with memory = managed",
                                    "epoch under load",
                                    "epoch while the last one's quotas are computed",
                                    "maintenance while requests wait",
                                    "slices done at different times",
                                    "requests while the slices clear their directories",
                                    "everything rests",
                                    "a leap over more than a thousand cycles",
                                    "a leap ends at a refresh",
                                    "FLUSH_LINE under load",
                                    "FLUSH_PAGE under load",
                                    "FLUSH_ALL under load",
                                    "INVAL_LINE under load",
                                    "INVAL_PAGE under load",
                                    "INVAL_ALL under load",
                                    "FLUSH_LINE, then the chips are read",
                                    "FLUSH_PAGE, then the chips are read",
                                    "FLUSH_ALL, then the chips are read",
                                    "INVAL_LINE, then the chips are changed",
                                    "INVAL_PAGE, then the chips are changed",
                                    "INVAL_ALL, then the chips are changed",
                                    SC_NAMES,
                                    "what others stored is loaded after a coherent access, or a flush",
                                    "a device loads an old byte that another has n-stored into",
                                    "a device loads what another has n-stored, without a coherent access",
                                    "a flush finds the byte that one device n-stored",
                                    "a flush finds a byte that several n-stored",
                                    "a coherent access after n-stores",
                                    "a block is stored into coherently by one agent after another",
                                    "an SC that must succeed",
                                    "an SC whose block another had in between",
                                    "a coherent store of no bytes",
                                    "a plain store of a part of a grain",
                                    "the host n-stores",
                                    "a flush leaves in the host's cache what the host has stored"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

/* Sources that wait for line k. */
static unsigned scoreboard_wanted(const scoreboard_t *sb, unsigned k)
{
    unsigned n = 0;
    for (unsigned s = 0; s < SOURCES; s++)
        n += sb->wanted[k][s] != 0;
    return n;
}

static void cover_maint(bench_t *b, unsigned base, unsigned op)
{
    BENCH_COVER(b, base + op - op / 4, true);
}

/* Of home = flat alone: a slice has no such thing with directories, or the sum of its events does not have it. */
static const bool other_home = HOME != HOME_FLAT;

static void cover_slices(bench_t *b, const memside_out_t *o)
{
    unsigned taken = 0;
    for (unsigned k = 0; k < SLICES; k++) {
        const ev_l2_t *v = &o->ev_l2[k];
        taken += (uint64_t)o->ev_req_taken >> k & 1;
        BENCH_COVER(b, COV_MERGE, v->l2_merge);
        BENCH_COVER(b, COV_EVICT, v->l2_evict);
        BENCH_COVER(b, COV_BYPASS, v->l2_bypass || other_home);
        BENCH_COVER(b, COV_ATOMIC, v->l2_atomic);
        BENCH_COVER(b, COV_UPGRADE, v->l2_upgrade || other_home);
        BENCH_COVER(b, COV_PROBE, v->l2_probe || other_home);
        BENCH_COVER(b, COV_MSHR, v->l2_stall_mshr);
        BENCH_COVER(b, COV_REPLAY, v->l2_replay);
    }
    BENCH_COVER(b, COV_SLICES, taken == (SLICES < SOURCES ? SLICES : SOURCES));
}

static void cover_channels(bench_t *b, const memside_out_t *o, const memside_in_t *in)
{
    bool all = true, any = false, closed = in->ctl.page == PAGE_CLOSED;
    static bool was_closed, was_peers;
    for (unsigned c = 0; c < MEM_CHANNELS; c++) {
        const ev_mem_sched_t *v = &o->ev_sched[c];
        const ev_dram_ctrl_t *d = &o->ev_dram[c];
        all &= d->dram_reads || d->dram_writes;
        any |= d->dram_busy;
        BENCH_COVER(b, COV_WMERGE, v->sched_merges || other_home);
        BENCH_COVER(b, COV_FORWARD, v->sched_forwards);
        BENCH_COVER(b, COV_DRAIN, v->sched_drain);
        BENCH_COVER(b, COV_LATE, v->sched_late);
        BENCH_COVER(b, COV_URGENT, v->sched_urgent);
        BENCH_COVER(b, COV_GOLDEN, v->sched_golden || other_home);
        BENCH_COVER(b, COV_SILVER, v->sched_silver || other_home);
        BENCH_COVER(b, COV_NORMAL, v->sched_normal);
        BENCH_COVER(b, COV_TURN, v->sched_turns);
        BENCH_COVER(b, COV_WRITES_FULL, v->occ_writes == SCHED_WRITES || other_home);
        BENCH_COVER(b, COV_ORDER, v->sched_order);
        BENCH_COVER(b, COV_ROW_HIT, d->dram_row_hits);
        BENCH_COVER(b, COV_ROW_MISS, d->dram_row_misses);
        BENCH_COVER(b, COV_TURNAROUND, d->dram_turnarounds);
        BENCH_COVER(b, COV_REFRESH_BUSY, d->dram_refs && d->dram_busy);
        BENCH_COVER(b, COV_REFRESH_REST, d->dram_refs && !d->dram_busy);
        BENCH_COVER(b, COV_PREA, d->dram_prea);
        BENCH_COVER(b, COV_CLOSED, d->dram_pres && closed && !d->dram_busy);
        BENCH_COVER(b, COV_PAGE, was_closed != closed && d->dram_busy);
    }
    BENCH_COVER(b, COV_PEERS, DEVICES == 1 || (was_peers != in->ctl.peers && any));
    BENCH_COVER(b, COV_MEMORY, HOME != HOME_DIRECTORY || (in->ctl.memory == MEMORY_ZEROCOPY && any));
    for (unsigned m = MEMORY_MEMCPY; m <= MEMORY_MANAGED; m++)
        BENCH_COVER(b, COV_STACKS + m - MEMORY_MEMCPY,
                    HOME != HOME_DIRECTORY || !home_fits(m) || (in->ctl.memory == m && any));
    was_closed = closed;
    was_peers = in->ctl.peers;
    BENCH_COVER(b, COV_CHANNELS, all || MEM_CHANNELS > 4);
}

/* With this cycle's outputs and inputs. */
static void cover_cycle(bench_t *b, const scoreboard_t *sb, const coherent_t *c, const memside_out_t *o,
                        const memside_in_t *in)
{
    static bool mode;
    bool answered = true, load = scoreboard_inside(sb) != 0;
    for (unsigned s = 0; s < SOURCES; s++) {
        answered &= sb->answers[s] != 0;
        if ((uint64_t)in->req_valid >> s & 1 && sb->count[s]) {
            unsigned n = scoreboard_wanted(sb, sb->asked[s][sb->inside[s][sb->count[s] - 1]].line);
            BENCH_COVER(b, COV_TWO, n > 1);
            BENCH_COVER(b, COV_EVERYONE, n == SOURCES);
        }
    }
    BENCH_COVER(b, COV_ALL_ANSWERED, answered);
    BENCH_COVER(b, COV_RSP_BURST,
                o->rsp_valid == (1ull << SOURCES) - 1 || SLICES < SOURCES /* a slice gives one answer a cycle */
                    || (other_home && (o->rsp_valid & (o->rsp_valid - 1)))); /* agents answer each at its own time */
    BENCH_COVER(b, COV_STALLED, o->ev_req_stalled);
    BENCH_COVER(b, COV_BLOCKED, o->ev_req_blocked);
    BENCH_COVER(b, COV_RSP_STALLED,
                o->ev_rsp_stalled || CHANNELS * L2_SLICES == 1
                    || other_home); /* one slice has the network for itself */
    cover_slices(b, o);
    cover_channels(b, o, in);
    BENCH_COVER(b, COV_MODE, load && mode != in->ctl.sched.mode);
    mode = in->ctl.sched.mode;
    BENCH_COVER(b, COV_EPOCH, in->epoch && load);
    BENCH_COVER(b, COV_EPOCH_AGAIN, in->epoch && !o->quota_idle);
    BENCH_COVER(b, COV_MAINT_BUSY, in->maint_valid && load);
    BENCH_COVER(b, COV_MAINT_APART, SLICES == 1 || (o->maint_done && o->maint_done != (1ull << SLICES) - 1));
    BENCH_COVER(b, COV_CLEARING, b->cycle < SETS && load);
    for (unsigned i = 0; i < SC_N; i++)
        BENCH_COVER(b, COV_SC + i, sb->sc[i]);
    for (unsigned i = 0; i < COHERENT_N; i++)
        BENCH_COVER(b, COV_COHERENT + i, c->seen[i] || HOME == HOME_FLAT || (i == STORE_PART && MASK_GRAIN == 1));
}

/* Of the second twin: `pending` and `due` before this cycle. */
static void cover_leap(bench_t *b, uint64_t pending, uint64_t due)
{
    BENCH_COVER(b, COV_REST, leap.rested);
    BENCH_COVER(b, COV_LEAP, !leap.pending && pending > 1000);
    BENCH_COVER(b, COV_LEAP_REFRESH, DRAM_TREFI == 0 || (!leap.pending && pending && pending == due));
}
#endif
