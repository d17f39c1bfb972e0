/*
 * Runs the litmus kernels (generate.py) and counts outcomes; `run` judges them.
 *   system-litmus TESTS.txt KERNELS.elf CONFIG BACKEND SEED INSTANCES [ROOT [NAME]...]
 * For each test (or those named) and each outcome seen, a line: name, values of the registers and locations, times. Then `name cycles N`.
 * BACKEND may have host memory behind it: BACKEND@WORDS (vl_memory_parse). A test that needs more cores than there are: `name skipped`. ROOT: a tree with other machines in it, `-`: this one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/vellum.h"
#include "verif/ref/lib/rng.h"

enum {
    WARPS_MAX = 8,  /* as in the kernels */
    CORES_USED = 4, /* more take part in no test */
    ROLES = 4,
    LOCS = 3,
    REGS = 4,
    ROUNDS = 32,
    LINE = 128,
    POOL_LINES = 1 << 14,
    POOL_LEAST = 1 << 10,
    HOST = 9, /* the place of a thread that is the host's */
    HOST_OPS = 8,
};

typedef struct {
    char name[64], kernel[64], spaces[LOCS + 1];
    unsigned regs, locs, roles, place[ROLES];
    bool shared, reserves;
    char layout[8]; /* any; block: in one block; apart: each in a block of its own */
    /* The host's thread: W (store `value`), 0 to 3 (store it to this byte), R (load into register `value`), Y (synchronise). */
    int host; /* its thread; -1: no host thread */
    struct host_op {
        char what;
        unsigned loc, value;
    } op[HOST_OPS];
    unsigned ops;
} test_t;

typedef struct {
    vl_device *dev;
    vl_image *image;
    uint32_t cores, warps, threads, spad_bytes;
    unsigned step
        [5]; /* in lines, to a line of the same slice, another slice or channel, the same set of the L1D, of the L2 */
    unsigned block; /* lines of a block, that devices keep one state for */
    unsigned lines; /* of the pool: POOL_LINES, or fewer where memory is small */
    vl_ptr pool, where, plan, wait, out, meet, left, go;
} machine;

/* One launch: sizes and arguments. */
typedef struct {
    unsigned rounds, rows, lanes, instances, spad_words;
    bool calm; /* one team of warps, and results are in memory before the next round: no other stores under way */
    int plan[64 * WARPS_MAX];
    unsigned home[WARPS_MAX * CORES_USED]; /* core of a row's first thread */
    uint32_t *where;
    uint32_t *host_out; /* [instance][register] that the host has loaded */
} launch_t;

typedef struct {
    int value[REGS + LOCS];
    uint64_t times;
} outcome_t;
typedef struct {
    outcome_t seen[512];
    unsigned n;
} histogram;

__attribute__((noreturn)) static void give_up(const char *what, const char *why)
{
    printf("FAILED: %s: %s\n", what, why);
    exit(1);
}

static void *room(size_t n)
{
    void *p = calloc(n ? n : 1, 1);
    if (!p)
        abort();
    return p;
}

static void must(machine *m, int e, const char *what)
{
    if (e)
        give_up(what, vl_detail(m->dev));
}

static vl_ptr device_memory(machine *m, size_t bytes)
{
    vl_ptr p;
    must(m, vl_malloc(m->dev, bytes, &p), "vl_malloc");
    return p;
}

static machine open_machine(const char *config, const char *backend, const char *root, const char *elf)
{
    machine m = {0};
    vl_error err;
    vl_options opt = {.no_build = true, .root = root};
    char name[64];
    const char *words = strchr(backend, '@');
    snprintf(name, sizeof name, "%.*s", words ? (int)(words - backend) : 63, backend);
    if (words && vl_memory_parse(&opt.memory, words + 1, &err))
        give_up(words + 1, err.text);
    if (vl_open(&m.dev, config, name, &opt, &err))
        give_up(backend, err.text);
    if (vl_image_read(&m.image, elf, &err))
        give_up(elf, err.text);
    must(&m, vl_set_back_door(m.dev, true), "back door");
    must(&m, vl_load(m.dev, m.image), "vl_load");
    must(&m, vl_set_max_cycles(m.dev, 4000000), "cycle limit");
    m.cores = (uint32_t)vl_config_value(m.dev, "cores", 1);
    m.warps = (uint32_t)vl_config_value(m.dev, "warps", 1);
    m.threads = (uint32_t)vl_config_value(m.dev, "threads", 1);
    m.spad_bytes = (uint32_t)vl_config_value(m.dev, "spad_bytes", 0);
    if (m.warps > WARPS_MAX)
        m.warps = WARPS_MAX;
    unsigned run = (unsigned)vl_config_value(m.dev, "interleave_bytes", 256) / LINE,
             channels = (unsigned)vl_config_value(m.dev, "channels", 1);
    unsigned slices = channels * (unsigned)vl_config_value(m.dev, "l2_slices", 1);
    m.block = run;
    m.step[0] = run * slices * 2;
    m.step[1] = 1;
    m.step[2] = run;
    m.step[3] = (unsigned)(vl_config_value(m.dev, "l1d_bytes", 0) / vl_config_value(m.dev, "l1d_ways", 1)) / LINE;
    m.step[4] =
        (unsigned)(vl_config_value(m.dev, "l2_bytes", 0) / vl_config_value(m.dev, "l2_ways", 1)) / LINE * slices;
    size_t most = ROUNDS * WARPS_MAX * CORES_USED;
    m.lines = POOL_LINES;
    if (vl_malloc(m.dev, m.lines * LINE, &m.pool))
        m.pool = device_memory(&m, (m.lines = POOL_LEAST) * LINE);
    m.where = device_memory(&m, most * m.threads * LOCS * 4);
    m.plan = device_memory(&m, m.cores * WARPS_MAX * 4);
    m.wait = device_memory(&m, most * ROLES * 4);
    m.out = device_memory(&m, most * m.threads * REGS * 4);
    m.meet = device_memory(&m, WARPS_MAX * CORES_USED * LINE);
    m.left = device_memory(&m, m.cores * m.spad_bytes);
    m.go = device_memory(&m, LINE);
    return m;
}

/* Threads of an instance on one core are neighbouring warps; the instances' cores turn from team to team of warps. */
static void plan(const machine *m, const test_t *t, launch_t *l)
{
    unsigned on[ROLES] = {0}, who[ROLES][ROLES], cores = m->cores < CORES_USED ? m->cores : CORES_USED, slots = 0,
             most = 0;
    for (unsigned r = 0; r < t->roles; r++) {
        unsigned s = t->place[r];
        if (s == HOST)
            continue;
        who[s][on[s]++] = r;
        if (s >= slots)
            slots = s + 1;
        if (on[s] > most)
            most = on[s];
    }
    unsigned teams = l->calm || t->host >= 0 ? 1 : m->warps / most, copies = cores / slots;
    l->rows = teams * copies;
    for (unsigned c = 0; c < m->cores; c++)
        for (unsigned w = 0; w < WARPS_MAX; w++) {
            unsigned team = w / most, seat = w % most, q = (c + cores - team % cores) % cores, slot = q % slots,
                     copy = q / slots;
            bool in = c < cores && team < teams && copy < copies && seat < on[slot];
            unsigned row = team * copies + copy;
            l->plan[c * WARPS_MAX + w] = in ? (int)(row << 8 | who[slot][seat]) : -1;
            if (in && slot == 0)
                l->home[row] = c;
        }
}

/* An unused line, `step` lines from `from` if possible. */
static unsigned line_at(const machine *m, rng *r, bool *taken, unsigned from, unsigned step)
{
    unsigned at = step && rng_below(r, 2) ? from + step : from - step;
    while (!step || at >= m->lines || taken[at]) {
        at = rng_below(r, m->lines);
        if (!taken[at])
            break;
    }
    taken[at] = true;
    return at;
}

/* A line for a location that comes after `from`'s, of the same block (perhaps the same line) or of another one. */
static unsigned line_by_block(const machine *m, rng *r, bool *taken, unsigned from, bool same)
{
    for (unsigned tries = 0;; tries++) {
        unsigned at = same ? from - from % m->block + rng_below(r, m->block) : rng_below(r, m->lines);
        if (same && tries == 100)
            return from;
        if (!taken[at] && (same || at / m->block != from / m->block)) {
            taken[at] = true;
            return at;
        }
    }
}

/* Locations of every instance, and who has them cached before. */
static void choose_locations(const machine *m, const test_t *t, launch_t *l, rng *r)
{
    bool *taken = room(m->lines);
    unsigned n = l->instances * t->locs, next = 0;
    if (m->lines < POOL_LINES && n > m->lines / 2)
        give_up(t->name, "more instances in a launch than this memory has lines for");
    uint32_t *words = room((l->spad_words + 1) * 4), warmth = 1 + 3 * rng_below(r, 3); /* of 8 */
    for (unsigned k = 0; k < l->spad_words; k++)
        words[k] = k;
    for (unsigned k = l->spad_words; k > 1; k--) {
        unsigned o = rng_below(r, k);
        uint32_t x = words[k - 1];
        words[k - 1] = words[o], words[o] = x;
    }
    l->where = room(n * 4);
    for (unsigned i = 0; i < l->instances; i++) {
        uint32_t *at = l->where + i * t->locs;
        if (t->shared && i % l->lanes) {
            memcpy(at, at - t->locs, t->locs * 4);
            continue;
        }
        unsigned layout = rng_below(r, t->reserves ? 6 : 7);
        if (t->layout[1] != 'n') /* not any: by block, or all in a line */
            layout = t->layout[0] == 'b' && rng_below(r, 3) == 0 ? 6 : 7;
        unsigned first = line_at(m, r, taken, 0, 0); /* 5: any line, 6: the same line */
        for (unsigned k = 0; k < t->locs; k++) {
            if (t->spaces[k] == 's') {
                at[k] = 1u << 31 | words[next++] * 4;
                continue;
            }
            unsigned line = k && layout == 7
                                ? line_by_block(m, r, taken, at[k - 1] / LINE % POOL_LINES, t->layout[0] == 'b')
                            : k == 0 || layout == 6 ? first
                                                    : line_at(m, r, taken, first, layout < 5 ? m->step[layout] : 0);
            at[k] = line * LINE + (layout == 6 ? (first + k) % 32 : rng_below(r, 32)) * 4;
            for (unsigned role = 0; role < t->roles; role++)
                at[k] |= (uint32_t)(rng_below(r, 8) < warmth) << (24 + role);
        }
    }
    free(taken), free(words);
}

/* `late`: turns that this thread of the shape begins after others. */
static uint32_t delays(rng *r, unsigned lanes, unsigned late)
{
    uint32_t w = (rng_below(r, 2) ? 0 : rng_below(r, rng_below(r, 6) ? 6 : 60)) + late;
    for (unsigned k = 1; k < 3; k++)
        w |= (rng_below(r, 3) ? 0 : rng_below(r, rng_below(r, 6) ? 4 : 40)) << 8 * k;
    return w | (rng_below(r, 2) ? 0 : rng_below(r, lanes)) << 24;
}

static void count(histogram *h, const int value[REGS + LOCS])
{
    for (unsigned k = 0; k < h->n; k++)
        if (!memcmp(h->seen[k].value, value, sizeof h->seen[k].value)) {
            h->seen[k].times++;
            return;
        }
    if (h->n == sizeof h->seen / sizeof *h->seen)
        give_up("outcomes", "more kinds than can be");
    memcpy(h->seen[h->n].value, value, sizeof h->seen[h->n].value);
    h->seen[h->n++].times = 1;
}

static void collect(machine *m, const test_t *t, const launch_t *l, histogram *h)
{
    uint32_t *out = room(l->instances * REGS * 4), *left = room(m->cores * m->spad_bytes);
    uint8_t *pool = room(m->lines * LINE);
    must(m, vl_read(m->dev, m->out, out, l->instances * REGS * 4), "vl_read");
    must(m, vl_read(m->dev, m->pool, pool, m->lines * LINE), "vl_read");
    must(m, vl_read(m->dev, m->left, left, m->cores * m->spad_bytes), "vl_read");
    for (unsigned i = 0; i < l->instances; i++) {
        int value[REGS + LOCS] = {0};
        unsigned lane = i % l->lanes;
        for (unsigned k = 0; k < t->ops; k++)
            if (t->op[k].what == 'R')
                out[i * t->regs + t->op[k].value] = l->host_out[i * t->regs + t->op[k].value];
        for (unsigned k = 0; k < t->regs; k++)
            value[k] = (int)(out[i * t->regs + k] - (t->shared ? lane : 0));
        for (unsigned k = 0; k < t->locs; k++) {
            uint32_t w = l->where[i * t->locs + k], v;
            if (w >> 31)
                v = left[l->home[i / l->lanes % l->rows] * l->spad_words + (w & 0xffffff) / 4];
            else
                memcpy(&v, pool + (w & 0xffffff), 4);
            value[t->regs + k] = (int)(v - (t->shared ? l->lanes : 0));
        }
        count(h, value);
    }
    free(out), free(left), free(pool);
}

/* ---- the host's thread ---- */

static bool idle(machine *m, uint64_t cycles)
{
    bool running;
    must(m, vl_launch_pass(m->dev, cycles, &running), "vl_launch_pass");
    return running;
}

static uint64_t counter(machine *m, vl_ptr at)
{
    uint64_t v;
    must(m, vl_sync(m->dev, at, sizeof v), "vl_sync");
    must(m, vl_read(m->dev, at, &v, sizeof v), "vl_read");
    return v;
}

static void do_host_part(machine *m, const test_t *t, launch_t *l, rng *r, unsigned instance)
{
    for (unsigned k = 0; k < t->ops; k++) {
        const struct host_op *o = &t->op[k];
        const vl_ptr at = m->pool + (l->where[instance * t->locs + o->loc] & 0xffffff);
        idle(m, rng_below(r, 2) ? 0 : rng_below(r, rng_below(r, 3) ? 200 : 1500));
        if (o->what == 'W')
            must(m, vl_write(m->dev, at, &o->value, 4), "vl_write");
        else if (o->what >= '0' && o->what <= '3')
            must(m, vl_write(m->dev, at + (unsigned)(o->what - '0'), &o->value, 1), "vl_write");
        else if (o->what == 'Y')
            must(m, vl_sync(m->dev, at, 4), "vl_sync");
        else
            must(m, vl_read(m->dev, at, &l->host_out[instance * t->regs + o->value], 4), "vl_read");
    }
}

/* Round by round: the devices' threads are all there, the host lets them go, and does its own part of each instance. */
static void be_the_host(machine *m, const test_t *t, launch_t *l, rng *r)
{
    const unsigned per_round = l->rows * l->lanes;
    for (unsigned round = 0; round < l->rounds; round++) {
        const unsigned first = round * per_round;
        for (unsigned k = first * t->locs; k < (first + per_round) * t->locs; k++)
            if (l->where[k] >> (24 + t->host) & 1) {
                uint32_t before;
                must(m, vl_read(m->dev, m->pool + (l->where[k] & 0xffffff), &before, 4), "vl_read");
            }
        for (unsigned row = 0; row < l->rows; row++)
            while (counter(m, m->meet + row * LINE) < (uint64_t)(round + 1) * (t->roles - 1))
                if (!idle(m, 200))
                    give_up(t->name, "the kernel has ended, or reached its limit, before all threads came");
        const uint64_t go = round + 1;
        must(m, vl_write(m->dev, m->go, &go, sizeof go), "vl_write");
        for (unsigned k = 0, turn = rng_below(r, per_round); k < per_round; k++)
            do_host_part(m, t, l, r, first + (k + turn) % per_round);
    }
}

static void launch(machine *m, const test_t *t, rng *r, histogram *h, unsigned wanted, uint64_t *instances,
                   uint64_t *cycles)
{
    launch_t l = {.lanes = rng_below(r, 3) ? m->threads < 8 ? m->threads : 8 : 1 + rng_below(r, 2),
                  .calm = rng_below(r, 3) == 0};
    if (t->host >= 0)
        l.lanes = 1 + rng_below(r, 2);
    plan(m, t, &l);
    unsigned in_spad = (unsigned)(strchr(t->spaces, 's') ? t->locs : 0), per_round = l.rows * l.lanes;
    l.rounds = wanted / per_round + 1;
    if (l.rounds > ROUNDS)
        l.rounds = ROUNDS;
    uint32_t local = m->spad_bytes * 3 / 4; /* one workgroup a core */
    while (in_spad && l.rounds * per_round * in_spad * 4 > local)
        l.rounds--;
    l.instances = l.rounds * per_round;
    l.spad_words = l.instances * in_spad;
    choose_locations(m, t, &l, r);
    uint32_t n = l.rounds * l.rows * t->roles, *wait = room(n * 4);
    bool backwards = false;
    for (uint32_t k = 0, late = 0; k < n; k++) {
        unsigned role = k % t->roles;
        if (!role) {
            late = rng_below(r, 2) ? 0 : rng_below(r, rng_below(r, 2) ? 10 : 50);
            backwards = rng_below(r, 3) == 0;
        }
        if (t->host >= 0 && role == 0)
            late = rng_below(r, 2) ? late : rng_below(r, 60);
        wait[k] = delays(r, l.lanes, late * (backwards ? t->roles - 1 - role : role));
    }

    vl_error err;
    vl_kernel *k;
    vl_result result;
    must(m, vl_fill(m->dev, m->pool, 0, m->lines * LINE), "vl_fill");
    must(m, vl_fill(m->dev, m->out, 0xee, l.instances * REGS * 4), "vl_fill");
    must(m, vl_fill(m->dev, m->meet, 0, WARPS_MAX * CORES_USED * LINE), "vl_fill");
    must(m, vl_write(m->dev, m->where, l.where, l.instances * t->locs * 4), "vl_write");
    must(m, vl_write(m->dev, m->plan, l.plan, m->cores * WARPS_MAX * 4), "vl_write");
    must(m, vl_write(m->dev, m->wait, wait, n * 4), "vl_write");
    if (vl_kernel_open(&k, m->image, t->kernel, &err))
        give_up(t->name, err.text);
    const vl_ptr pointers[] = {m->pool, m->where, m->plan, m->wait, m->out, m->meet, m->left, m->go};
    const uint32_t numbers[] = {l.rounds, l.rows, l.lanes, l.spad_words, l.calm};
    int e = 0;
    for (uint32_t i = 0; i < 8; i++)
        e |= vl_kernel_set_ptr(k, i, pointers[i], &err);
    for (uint32_t i = 0; i < 5; i++)
        e |= vl_kernel_set(k, 8 + i, &numbers[i], 4, &err);
    if (e || vl_kernel_set_local(k, 13, local, &err))
        give_up(t->name, err.text);
    uint64_t group = (uint64_t)m->warps * m->threads;
    const vl_range range = {.dims = 1, .global = {group * m->cores}, .local = {group}};
    l.host_out = room(l.instances * t->regs * 4);
    if (t->host < 0) {
        must(m, vl_launch(m->dev, k, &range, &result), t->name);
    } else {
        must(m, vl_fill(m->dev, m->go, 0, LINE), "vl_fill");
        must(m, vl_launch_begin(m->dev, k, &range), t->name);
        be_the_host(m, t, &l, r);
        must(m, vl_launch_end(m->dev, &result), t->name);
    }
    vl_kernel_close(k);
    *cycles += result.cycles;
    *instances += l.instances;
    collect(m, t, &l, h);
    free(wait), free(l.where), free(l.host_out);
}

static void run_test(machine *m, const test_t *t, uint64_t seed, uint64_t wanted)
{
    unsigned slots = 0;
    for (unsigned k = 0; k < t->roles; k++)
        slots = t->place[k] >= slots && t->place[k] != HOST ? t->place[k] + 1 : slots;
    if (slots > m->cores) {
        printf("%s skipped\n", t->name);
        return;
    }
    rng r = {seed};
    for (const char *c = t->name; *c; c++)
        r.state = r.state * 1000003 + (unsigned char)*c;
    histogram *h = room(sizeof *h);
    uint64_t instances = 0, cycles = 0;
    while (instances < wanted)
        launch(m, t, &r, h, (unsigned)(wanted - instances), &instances, &cycles);
    for (unsigned k = 0; k < h->n; k++) {
        printf("%s ", t->name);
        for (unsigned v = 0; v < t->regs + t->locs; v++)
            printf("%s%d", v ? "," : "", h->seen[k].value[v]);
        printf(" %llu\n", (unsigned long long)h->seen[k].times);
    }
    printf("%s cycles %llu\n", t->name, (unsigned long long)cycles);
    fflush(stdout);
    free(h);
}

/* "W0=1,20=3,R1=0,Y0": operation (a digit: a store to this byte), location, value or register; "-": there is no host's
 * thread. */
static void parse_host(test_t *t, const char *text)
{
    t->host = -1;
    for (unsigned k = 0; k < t->roles; k++)
        if (t->place[k] == HOST)
            t->host = (int)k;
    for (const char *p = text; t->host >= 0 && *p && t->ops < HOST_OPS; p += p[4] ? 5 : 4)
        t->op[t->ops++] = (struct host_op){p[0], (unsigned)(p[1] - '0'), (unsigned)(p[3] - '0')};
}

int main(int argc, char **argv)
{
    if (argc < 7)
        give_up("usage", "system-litmus TESTS.txt KERNELS.elf CONFIG BACKEND SEED INSTANCES [ROOT [NAME]...]");
    FILE *f = fopen(argv[1], "r");
    if (!f)
        give_up(argv[1], "cannot be read");
    machine m = open_machine(argv[3], argv[4], argc > 7 && strcmp(argv[7], "-") ? argv[7] : NULL, argv[2]);
    test_t t;
    unsigned shared, reserves;
    char place[32], host[64];
    while (t = (test_t){0}, fscanf(f, "%63s %63s %u %3s %u %u %31s %7s %63s", t.name, t.kernel, &t.regs, t.spaces,
                                   &shared, &reserves, place, t.layout, host)
                                == 9) {
        t.shared = shared, t.reserves = reserves, t.locs = (unsigned)strlen(t.spaces);
        for (const char *p = place; *p && t.roles < ROLES; p += 1 + (p[1] == ','))
            t.place[t.roles++] = (unsigned)(*p - '0');
        parse_host(&t, host);
        bool chosen = argc <= 8;
        for (int k = 8; k < argc; k++)
            chosen |= !strcmp(argv[k], t.name);
        if (chosen)
            run_test(&m, &t, strtoull(argv[5], NULL, 0), strtoull(argv[6], NULL, 0));
    }
    fclose(f);
    vl_close(m.dev);
    vl_image_free(m.image);
    return 0;
}
