/* Sustained bandwidth of the memory side: streams and random reads from all its sources at once, measured at the pins of the chips.
 *
 *   bandwidth [--lines N] [--outstanding N] [--gap N] [--closed] [--bound N] [--high N] [--low N] [--seed N] [--trace FILE] PATTERN...
 *
 * --lines: of each array, for each channel. --outstanding: requests under way for each channel. --gap: lines between the arrays, for each channel. --closed: closed-row
 * policy. --bound: on starvation. --trace: of the last pattern, the requests to channel 0 as they come to its scheduler (docs/dram-device.md, Traces); twin only.
 *
 * The sources take work as a device's workgroups do: one with room takes the next CHUNK lines of the stream. Patterns: `read`, `copy`, `triad` are streams. `random` reads
 * lines all over the chips, `gups` reads and then writes each of them. `rows` reads two arrays with the stride of a chip's row in each channel; `transpose` reads one in order
 * and writes the other with that stride. Each line read must hold the pattern of its address; lines written are looked for in the chips at the end. One line of JSON a pattern. */
#include "memside_ports.h"
#include "vl_regs.h"
#include "sim_c/dram/trace.h"
#include "verif/mem/bandwidth/device.h"
#include "verif/mem/bandwidth/chips.h"
#include <getopt.h>
#include <inttypes.h>

enum { CHUNK = 8, IDS = 256, PATIENCE = 100000 };

/* `strided`: the first of the arrays that are gone through with a row's stride; those before it go in order. */
static const struct pattern {
    const char *name;
    unsigned reads, writes; /* lines of an element */
    bool random;
    unsigned strided;
} patterns[] = {{"read", 1, 0, false, 9},     {"copy", 1, 1, false, 9}, {"triad", 2, 1, false, 9},
                {"random", 1, 0, true, 9},    {"gups", 1, 1, true, 9},  {"rows", 2, 0, false, 0},
                {"transpose", 1, 1, false, 1}};

typedef struct {
    uint64_t element;
    uint8_t array;
    bool busy, write;
} request_t;

/* Requests by id; the ids that are still to be sent, in order; its chunk of the stream. */
typedef struct {
    request_t id[IDS];
    uint8_t queue[IDS];
    unsigned first, count, used;
    uint64_t next, end;
} source_t;

typedef struct {
    uint64_t cycles, clocks, read_clocks, write_clocks, row_hits, acts, refs, turnarounds, none, mshr, way, pipe,
        blocked;
} figures_t;

static struct {
    const struct pattern *pattern;
    uint64_t elements, gap, given, seed;
    unsigned limit, inside; /* requests of all sources, at most and now */
    bool open;
    source_t source[SOURCES];
    memside_in_t in;
    memside_out_t out;
    figures_t now, start, end;
    dram_trace_t *trace;
} r;

static uint64_t mix(uint64_t z)
{
    z *= 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Element k of a channel's part of an array, when that is a matrix with rows as long as a row of the chips: columns first. */
static uint64_t by_columns(uint64_t k)
{
    const uint64_t rows = r.elements / CHANNELS / ROW_LINES;
    return k % rows * ROW_LINES + k / rows;
}

static uint64_t line_of(unsigned array, uint64_t element)
{
    if (r.pattern->random)
        return mix(r.seed + element) % chips_lines();
    const uint64_t start = array * (r.elements + r.gap);
    if (array < r.pattern->strided)
        return start + element;
    return address_of((unsigned)(element % CHANNELS), local_of(start) + by_columns(element / CHANNELS));
}

/* What its first word is, of a line that was read or written. Of random lines it is that of their place, once written: two elements may have the same. */
static uint64_t word_of(unsigned array, uint64_t element)
{
    return r.pattern->random ? line_of(array, element) + 1 : array * r.elements + element + 1;
}

static bool right(unsigned array, uint64_t element, uint64_t word)
{
    return word == word_of(array, element) || (r.pattern->random && !word);
}

static void add(source_t *s, unsigned array, uint64_t element, bool write)
{
    unsigned id = 0;
    while (s->id[id].busy)
        id++;
    s->id[id] = (request_t){.element = element, .array = (uint8_t)array, .busy = true, .write = write};
    s->queue[(s->first + s->count++) % IDS] = (uint8_t)id;
    s->used++;
    r.inside++;
}

/* A source that has nothing to send takes an element, if the limits have room for all its requests. */
static void take(source_t *s)
{
    const unsigned all = r.pattern->reads + r.pattern->writes;
    if (!r.open || s->count || s->used + all > IDS || r.inside + r.pattern->reads > r.limit)
        return;
    if (s->next == s->end) {
        uint64_t left = r.elements - r.given, chunk = r.pattern->random ? 1 : CHUNK;
        s->next = r.given;
        s->end = r.given += left < chunk ? left : chunk;
        if (!left)
            return;
    }
    for (unsigned a = 0; a < r.pattern->reads; a++)
        add(s, a, s->next, false);
    s->next++;
}

static void answer(source_t *s, const mem_rsp_t *rsp)
{
    if (rsp->id >= IDS || !s->id[rsp->id].busy)
        die("an answer that nobody waits for");
    request_t q = s->id[rsp->id];
    if (!q.write && !right(q.array, q.element, rsp->data.w[0]))
        die("a line read is not the one asked for");
    s->id[rsp->id].busy = false;
    s->used--;
    r.inside--;
    if (q.write || !r.pattern->writes)
        return;
    for (unsigned i = 0; i < IDS; i++) /* the element's other reads */
        if (s->id[i].busy && s->id[i].element == q.element)
            return;
    add(s, r.pattern->reads, q.element, true);
}

static void offer(void)
{
    uint64_t valid = 0;
    for (unsigned i = 0; i < SOURCES; i++) {
        source_t *s = &r.source[(i + r.now.cycles) % SOURCES]; /* the limit serves all of them alike */
        take(s);
    }
    for (unsigned i = 0; i < SOURCES; i++) {
        source_t *s = &r.source[i];
        if (!s->count)
            continue;
        valid |= 1ull << i;
        unsigned id = s->queue[s->first];
        const request_t *q = &s->id[id];
        mem_req_t *n = &r.in.req[i];
        memset(n, 0, sizeof *n);
        n->op = q->write ? MEM_WRITE : MEM_READ;
        n->id = (uint16_t)id;
        n->line = line_of(q->array, q->element);
        if (q->write) {
            memset(&n->be, 0xff, sizeof n->be);
            n->data.w[0] = word_of(q->array, q->element);
        }
    }
    r.in.req_valid = (__typeof__(r.in.req_valid))valid;
}

static void accepted(void)
{
    for (uint64_t v = (uint64_t)r.in.req_valid & r.out.req_ready; v; v &= v - 1) {
        source_t *s = &r.source[__builtin_ctzll(v)];
        s->first = (s->first + 1) % IDS;
        s->count--;
    }
}

static void count(void)
{
    figures_t *f = &r.now;
    for (unsigned k = 0; k < SLICES; k++) {
        f->mshr += r.out.ev_l2[k].l2_stall_mshr;
        f->way += r.out.ev_l2[k].l2_stall_way;
        f->pipe += r.out.ev_l2[k].l2_stall_pipe;
        f->blocked += (uint64_t)r.out.ev_req_blocked >> k & 1;
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        f->turnarounds += r.out.ev_dram[c].dram_turnarounds;
        f->none += r.out.ev_sched[c].sched_none;
    }
    f->cycles++;
}

static figures_t snapshot(void)
{
    figures_t f = r.now;
    for (unsigned c = 0; c < CHANNELS; c++) {
        dram_stats_t s;
        dram_stats(chip[c].device, &s);
        f.clocks += s.clocks;
        f.read_clocks += s.read_clocks;
        f.write_clocks += s.write_clocks;
        f.row_hits += s.row_hits;
        f.acts += s.commands[DRAM_CMD_ACT];
        f.refs += s.commands[DRAM_CMD_REF];
    }
    return f;
}

/* One core cycle. */
static void cycle(void)
{
    device_out(&r.out);
    for (unsigned i = 0; i < SOURCES; i++)
        if ((uint64_t)r.out.rsp_valid >> i & 1)
            answer(&r.source[i], &r.out.rsp[i]);
    offer();
    for (unsigned sub = 0; r.trace && sub < L2_SLICES; sub++) {
        uint64_t line;
        bool write;
        if (device_request(sub, &line, &write))
            dram_trace_add(r.trace, local_of(line) * LINE_BYTES, write, dram_clock(chip[0].device));
    }
    chips_read(&r.in);
    chips_cycle(&r.out);
    count();
    device_tick(&r.in);
    accepted();
    r.in.maint_valid = false;
}

static void settle(void)
{
    for (uint64_t from = r.now.cycles;; cycle()) {
        bool rest = !r.inside;
        for (unsigned k = 0; k < SLICES; k++)
            rest &= (uint64_t)r.out.l2_idle >> k & 1;
        for (unsigned c = 0; c < CHANNELS; c++)
            rest &= (uint64_t)r.out.sched_idle >> c & r.out.dram_idle >> c & dram_phy_idle(chip[c].phy) & 1;
        if (rest && r.now.cycles > from + 2)
            return;
        if (r.now.cycles - from > (uint64_t)PATIENCE * SLICES)
            die("it does not come to rest");
    }
}

static void measure(void)
{
    const unsigned last = r.pattern->reads;
    chips_open();
    device_new();
    for (unsigned a = 0; a < last && !r.pattern->random; a++)
        for (uint64_t i = 0; i < r.elements; i++)
            chips_load(line_of(a, i), word_of(a, i));
    settle();
    r.open = true;
    /* The first quarter fills caches and queues. */
    for (uint64_t from = r.now.cycles; r.given < r.elements; cycle()) {
        if (!r.start.clocks && r.given > r.elements / 4)
            r.start = snapshot();
        if (r.now.cycles - from > (uint64_t)PATIENCE * 1000)
            die("it takes for ever");
    }
    r.end = snapshot();
    settle();
    r.in.maint_valid = true;
    r.in.maint = (maint_t){.op = L2_FLUSH_ALL};
    settle();
    for (uint64_t i = 0; i < r.elements && r.pattern->writes; i++)
        if (chips_word(line_of(last, i)) != word_of(last, i))
            die("a line that was written is not in the chips");
}

static void report(void)
{
#define D(f) ((double)(r.end.f - r.start.f))
    /* Refreshes may be postponed past the end: those that were done count. */
    const double refresh = 1 - D(refs) * DRAM_TRFC / D(clocks);
    double moved = D(read_clocks) + D(write_clocks), bursts = moved / DRAM_BURST_CLOCKS;
    printf("{\"set\": \"" VL_DRAM_SET_NAME "\", \"device\": \"%s\", \"pattern\": \"%s\", \"channels\": %u, "
           "\"outstanding\": %u, \"clocks\": %.0f, \"bytes\": %.0f, "
           "\"bytes_a_clock\": %.3f, \"of_peak\": %.4f, \"of_peak_less_refresh\": %.4f, \"reads\": %.4f, "
           "\"row_hit_rate\": %.4f, \"lines_a_turnaround\": %.1f, "
           "\"acts_a_line\": %.3f, \"idle_scheduler\": %.4f, \"stall_mshr\": %.4f, \"stall_way\": %.4f, "
           "\"stall_pipe\": %.4f, \"slice_full\": %.4f}\n",
           device_name, r.pattern->name, CHANNELS, r.limit / CHANNELS, D(clocks), bursts * DRAM_BURST_BYTES,
           bursts * DRAM_BURST_BYTES / D(clocks), moved / D(clocks), moved / D(clocks) / refresh,
           D(read_clocks) / moved, D(row_hits) / bursts, D(turnarounds) ? bursts / (D(turnarounds) * LINE_BURSTS) : 0,
           D(acts) / bursts * LINE_BURSTS, D(none) / D(cycles) / CHANNELS, D(mshr) / D(cycles) / SLICES,
           D(way) / D(cycles) / SLICES, D(pipe) / D(cycles) / SLICES, D(blocked) / D(cycles) / SLICES);
#undef D
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"lines", 1, 0, 'n'},  {"outstanding", 1, 0, 'o'}, {"gap", 1, 0, 'g'},
                                            {"closed", 0, 0, 'c'}, {"seed", 1, 0, 's'},        {"high", 1, 0, 'H'},
                                            {"low", 1, 0, 'L'},    {"trace", 1, 0, 't'},       {"bound", 1, 0, 'b'},
                                            {0, 0, 0, 0}};
    uint64_t lines = 16384, gap = 0, seed = 1;
    unsigned outstanding = 64, bound = (unsigned)reg_sched_get(RESET_SCHED).bound, high = SCHED_WRITES * 3 / 4,
             low = SCHED_WRITES / 4;
    bool closed = false;
    const char *trace = NULL;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'n': lines = strtoull(optarg, NULL, 0); break;
        case 'o': outstanding = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'g': gap = strtoull(optarg, NULL, 0); break;
        case 's': seed = strtoull(optarg, NULL, 0); break;
        case 'H': high = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'L': low = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'b': bound = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'c': closed = true; break;
        case 't': trace = optarg; break;
        default: return 2;
        }
    for (; optind < argc; optind++) {
        memset(&r, 0, sizeof r);
        for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++)
            if (!strcmp(patterns[p].name, argv[optind]))
                r.pattern = &patterns[p];
        if (!r.pattern || !lines || lines % ROW_LINES || !outstanding)
            return 2;
        r.elements = lines * CHANNELS;
        r.gap = gap * CHANNELS;
        r.seed = seed << 32;
        r.limit = outstanding * CHANNELS;
        /* ctrl's values after reset (docs/blocks/ctrl.md). */
        r.in.ctl.sched = (sched_policy_t){
            .mode = SCHED_FRFCFS, .bound = (uint16_t)bound, .write_high = (uint16_t)high, .write_low = (uint16_t)low};
        r.in.ctl.page = closed ? PAGE_CLOSED : PAGE_OPEN;
        if (trace && optind + 1 == argc && dram_trace_open(&r.trace, trace))
            die("no trace");
        measure();
        if (dram_trace_close(r.trace))
            die("the trace cannot be written");
        report();
    }
    return 0;
}
