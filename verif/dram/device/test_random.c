/* Random commands against the scoreboard: each attempt is accepted or refused for the same rules; data come back as written, in command order; and
 * a second device that skips idle clocks and never sees a refused command does the same. */
#include "verif/dram/device/tests.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, PENDING = 64 };

typedef struct {
    uint64_t start;
    uint8_t *data; /* of the burst: to be written, or expected */
    uint64_t *mask; /* a beat each; NULL for a read */
} pending_t;

typedef struct {
    dram_set_t set;
    dram_t *d, *skipper;
    scoreboard_t scoreboard;
    uint64_t rng, seed, deadline, idle; /* idle: clocks the skipper is behind */
    uint8_t *shadow; /* of the rows in use */
    uint32_t rows[ROWS];
    pending_t reads[PENDING], writes[PENDING];
    unsigned n_reads, n_writes;
    unsigned accepted, refused;
    uint64_t seen; /* rules that refused something */
} world_t;

static uint64_t rnd(world_t *w, uint64_t n)
{
    w->rng ^= w->rng << 13;
    w->rng ^= w->rng >> 7;
    w->rng ^= w->rng << 17;
    return (w->rng >> 11) % n;
}

static uint8_t *cell(world_t *w, unsigned group, unsigned bank, uint32_t row, uint32_t col)
{
    unsigned r = 0;
    while (w->rows[r] != row)
        r++;
    size_t line = ((size_t)group * w->set.banks + bank) * ROWS + r;
    return w->shadow + line * dram_row_bytes(&w->set) + col * (w->set.bus_bits / 8);
}

static void pop(pending_t *list, unsigned *n)
{
    free(list[0].data);
    free(list[0].mask);
    memmove(list, list + 1, --*n * sizeof *list);
}

/* The expected effect of a column command accepted at `clock`, in the order of the commands. */
static void expect_column(world_t *w, uint64_t clock, dram_cmd_t c)
{
    const dram_set_t *s = &w->set;
    uint32_t bytes = dram_burst_bytes(s), beat = dram_beat_bytes(s);
    uint8_t *place = cell(w, c.group, c.bank, (uint32_t)scoreboard_row(&w->scoreboard, c.group, c.bank), c.col);
    pending_t *p;
    if (c.op == DRAM_CMD_RD) {
        assert_true(w->n_reads < PENDING);
        p = &w->reads[w->n_reads++];
        *p = (pending_t){.start = clock + s->tcl, .data = malloc(bytes)};
        memcpy(p->data, place, bytes);
        return;
    }
    p = &w->writes[w->n_writes - 1]; /* offered with the attempt */
    for (uint32_t i = 0; i < bytes; i++)
        if (p->mask[i / beat] >> i % beat & 1)
            place[i] = p->data[i];
}

static void offer_write(world_t *w)
{
    const dram_set_t *s = &w->set;
    assert_true(w->n_writes < PENDING);
    pending_t *p = &w->writes[w->n_writes++];
    *p =
        (pending_t){dram_clock(w->d) + s->tcwl, malloc(dram_burst_bytes(s)), malloc(s->burst_clocks * sizeof *p->mask)};
    for (uint32_t i = 0; i < dram_burst_bytes(s); i++)
        p->data[i] = (uint8_t)rnd(w, 256);
    for (uint32_t i = 0; i < s->burst_clocks; i++)
        p->mask[i] = rnd(w, 3) ? ~0ull : rnd(w, UINT64_MAX);
}

/* The write pins in this clock. */
static const dram_beat_t *pins(world_t *w, dram_beat_t *beat)
{
    uint64_t now = dram_clock(w->d);
    if (!w->n_writes || now < w->writes[0].start)
        return NULL;
    uint32_t bytes = dram_beat_bytes(&w->set), i = (uint32_t)(now - w->writes[0].start);
    memcpy(beat->data, w->writes[0].data + i * bytes, bytes);
    beat->mask = w->writes[0].mask[i];
    return beat;
}

/* The second device does the same clock: skipped when nothing happens in it. */
static void follow(world_t *w, dram_cmd_t c, const dram_beat_t *wr, bool valid, const uint8_t *rd)
{
    if (c.op == DRAM_CMD_NOP && !wr && !valid) {
        w->idle++;
        return;
    }
    bool valid2;
    uint8_t rd2[DRAM_BEAT_MAX];
    uint64_t due = dram_due(w->skipper);
    if ((wr || valid) && !(c.op == DRAM_CMD_WR && !w->set.tcwl) && due != w->idle)
        fail_msg("seed %llu: data move in %llu clocks, dram_due says %llu", (unsigned long long)w->seed,
                 (unsigned long long)w->idle, (unsigned long long)due);
    uint64_t part = w->idle ? rnd(w, w->idle + 1) : 0;
    assert_int_equal(dram_skip(w->skipper, part), 0);
    assert_int_equal(dram_skip(w->skipper, w->idle - part), 0);
    w->idle = 0;
    assert_int_equal(dram_clock(w->skipper) + 1, dram_clock(w->d));
    assert_int_equal(dram_tick(w->skipper, &c, wr, &valid2, rd2), 0);
    assert_int_equal(valid, valid2);
    if (valid)
        assert_memory_equal(rd, rd2, dram_beat_bytes(&w->set));
}

/* One attempt: true when the command was accepted and the clock has gone on. */
static bool attempt(world_t *w, dram_cmd_t c)
{
    uint64_t now = dram_clock(w->d), wait;
    uint64_t broken = now > w->deadline ? 1ull << DRAM_RULE_TREFI : scoreboard_broken(&w->scoreboard, now, c, &wait);
    dram_beat_t beat;
    bool valid, write = c.op == DRAM_CMD_WR;
    uint8_t rd[DRAM_BEAT_MAX];
    if (write)
        offer_write(w);
    const dram_beat_t *wr = pins(w, &beat), *driven = wr;
    if (!broken && !rnd(w, 50)) { /* the pins, wrongly */
        beat.mask = ~0ull;
        driven = wr ? NULL : &beat;
        broken = 1ull << (wr ? DRAM_RULE_WRITE_MISSING : DRAM_RULE_WRITE_STRAY);
        wait = 0;
    }
    int e = dram_tick(w->d, &c, driven, &valid, rd);
    if (e != (broken ? DRAM_EVIOLATION : 0) || (e && dram_violation(w->d)->broken != broken)) {
        char text[8192];
        dram_report(w->d, text, sizeof text);
        fail_msg("seed %llu clock %llu: %s: device %d (rules %llx), scoreboard rules %llx\n%s",
                 (unsigned long long)w->seed, (unsigned long long)now, dram_op_name(c.op), e,
                 (unsigned long long)dram_violation(w->d)->broken, (unsigned long long)broken, text);
    }
    if (e) {
        const dram_violation_t *v = dram_violation(w->d);
        assert_int_equal(v->clock, now);
        assert_true(broken >> v->rule & 1);
        if (broken != 1ull << DRAM_RULE_TREFI)
            assert_int_equal(v->required - v->actual, wait);
        if (write) {
            free(w->writes[w->n_writes - 1].data);
            free(w->writes[--w->n_writes].mask);
        }
        w->refused += c.op != DRAM_CMD_NOP;
        w->seen |= broken;
        return false;
    }
    if (c.op == DRAM_CMD_RD || write)
        expect_column(w, now, c);
    if (c.op != DRAM_CMD_NOP) {
        scoreboard_accept(&w->scoreboard, now, c);
        w->accepted++;
        if (c.op == DRAM_CMD_REF)
            w->deadline = scoreboard_deadline(&w->scoreboard);
    }
    bool due = w->n_reads && now >= w->reads[0].start;
    assert_int_equal(valid, due);
    if (due) {
        uint32_t bytes = dram_beat_bytes(&w->set), i = (uint32_t)(now - w->reads[0].start);
        if (memcmp(rd, w->reads[0].data + i * bytes, bytes))
            fail_msg("seed %llu clock %llu: wrong data in beat %u", (unsigned long long)w->seed,
                     (unsigned long long)now, i);
        if (i == w->set.burst_clocks - 1)
            pop(w->reads, &w->n_reads);
    }
    follow(w, c, wr, valid, rd);
    if (wr && now == w->writes[0].start + w->set.burst_clocks - 1)
        pop(w->writes, &w->n_writes);
    return true;
}

/* rows_only: many ACTs, no data. */
static dram_cmd_t choose(world_t *w, unsigned banks, bool rows_only)
{
    static const uint8_t mix[] = {DRAM_CMD_ACT, DRAM_CMD_ACT, DRAM_CMD_RD, DRAM_CMD_RD,  DRAM_CMD_RD,
                                  DRAM_CMD_WR,  DRAM_CMD_WR,  DRAM_CMD_WR, DRAM_CMD_PRE, DRAM_CMD_PRE};
    const dram_set_t *s = &w->set;
    uint64_t rare = rnd(w, 400);
    unsigned b = (unsigned)rnd(w, banks);
    dram_cmd_t c = {
        .op = mix[rnd(w, sizeof mix)], .group = (uint8_t)(b % s->bank_groups), .bank = (uint8_t)(b / s->bank_groups)};
    if (rows_only)
        c.op = rnd(w, 4) ? DRAM_CMD_ACT : DRAM_CMD_PRE;
    if (rare < 8)
        c.op = rare < 5 ? DRAM_CMD_PREA : rare < 7 ? DRAM_CMD_REF : DRAM_CMDS;
    c.row = rare == 8 ? s->rows : w->rows[rnd(w, ROWS)];
    c.col = (uint16_t)(s->burst * rnd(w, s->columns / s->burst)) & (rnd(w, 2) ? (uint16_t)(4 * s->burst - 1) : 0xffff);
    if (rare == 9)
        c.col += 1;
    if (rare == 10)
        c.bank = (uint8_t)s->banks;
    return c;
}

static void world_open(world_t *w, const dram_set_t *s, uint64_t seed)
{
    *w = (world_t){
        .set = *s, .seed = seed, .rng = seed * 0x9e3779b97f4a7c15ull + 0x1234567, .rows = {0, 1, s->rows - 1}};
    assert_int_equal(dram_create(&w->d, s), 0);
    assert_int_equal(dram_create(&w->skipper, s), 0);
    scoreboard_open(&w->scoreboard, s);
    w->deadline = scoreboard_deadline(&w->scoreboard);
    w->shadow = calloc((size_t)s->bank_groups * s->banks * ROWS, dram_row_bytes(s));
}

static void compare_ends(world_t *w)
{
    const dram_set_t *s = &w->set;
    uint32_t bytes = dram_row_bytes(s);
    uint8_t *a = malloc(bytes), *b = malloc(bytes);
    dram_stats_t sa, sb;
    assert_int_equal(dram_skip(w->skipper, w->idle), 0);
    w->idle = 0;
    assert_int_equal(dram_clock(w->d), dram_clock(w->skipper));
    dram_stats(w->d, &sa);
    dram_stats(w->skipper, &sb);
    assert_memory_equal(&sa, &sb, sizeof sa);
    uint64_t counted[DRAM_CMDS] = {0};
    for (size_t i = 0; i < w->scoreboard.count; i++)
        counted[w->scoreboard.past[i].cmd.op]++;
    assert_memory_equal(sa.commands + 1, counted + 1, sizeof counted - sizeof *counted);
    for (unsigned g = 0; g < s->bank_groups; g++)
        for (unsigned k = 0; k < s->banks; k++)
            for (unsigned r = 0; r < ROWS; r++) {
                assert_int_equal(dram_dump(w->d, g, k, w->rows[r], 0, a, bytes), 0);
                assert_int_equal(dram_dump(w->skipper, g, k, w->rows[r], 0, b, bytes), 0);
                assert_memory_equal(a, cell(w, g, k, w->rows[r], 0), bytes);
                assert_memory_equal(b, a, bytes);
            }
    free(a);
    free(b);
    /* Both run into the overdue refresh at the same clock, with the same words. */
    if (s->trefi) {
        char ta[8192], tb[8192];
        assert_int_equal(dram_skip(w->skipper, 1 << 30), DRAM_EVIOLATION);
        while (attempt(w, NOP) || dram_violation(w->d)->rule != DRAM_RULE_TREFI)
            ;
        assert_int_equal(dram_clock(w->d), dram_clock(w->skipper));
        dram_report(w->d, ta, sizeof ta);
        dram_report(w->skipper, tb, sizeof tb);
        assert_string_equal(ta, tb);
    }
}

static void world_close(world_t *w)
{
    while (w->n_reads)
        pop(w->reads, &w->n_reads);
    while (w->n_writes)
        pop(w->writes, &w->n_writes);
    dram_destroy(w->d);
    dram_destroy(w->skipper);
    scoreboard_close(&w->scoreboard);
    free(w->shadow);
}

static void idle_clock(world_t *w)
{
    while (!attempt(w, NOP)) /* refused only for wrong pins, of our own making */
        ;
}

/* `clocks` of random life. Refreshes come when the deadline is near, more often by chance. */
static uint64_t live(const dram_set_t *s, uint64_t seed, unsigned clocks, const char *name)
{
    world_t *w = malloc(sizeof *w);
    world_open(w, s, seed);
    unsigned all = s->bank_groups * s->banks, banks = all, busy = 1;
    bool rows_only = false;
    while (dram_clock(w->d) < clocks) {
        if (!rnd(w, 500)) { /* other habits: few banks or all, dense or sparse */
            banks = rnd(w, 2) ? all : 1 + (unsigned)rnd(w, 4);
            busy = 1 + (unsigned)rnd(w, rnd(w, 3) ? 3 : 60);
            rows_only = !rnd(w, 4);
        }
        if (w->deadline != UINT64_MAX && w->deadline - dram_clock(w->d) < 300) {
            while (!attempt(w, PREA))
                idle_clock(w);
            for (unsigned i = 1 + (unsigned)rnd(w, 9); i; i--)
                for (uint64_t rest = w->deadline; w->deadline == rest && w->deadline - dram_clock(w->d) > 1;)
                    if (!attempt(w, REF))
                        idle_clock(w);
        }
        if (rnd(w, busy) || !attempt(w, choose(w, banks, rows_only)))
            idle_clock(w);
    }
    while (w->n_reads || w->n_writes)
        idle_clock(w);
    if (seed == 0 && (w->accepted < clocks / 40 || w->refused < clocks / 40))
        fail_msg("%s: %u commands accepted, %u refused: too few", name, w->accepted, w->refused);
    compare_ends(w);
    uint64_t seen = w->seen;
    world_close(w);
    free(w);
    return seen;
}

/* The set, and a part of it with a refresh every few hundred clocks. */
static void random_life(unsigned i)
{
    for (uint64_t k = 0; k < seeds; k++) {
        uint64_t seed = first_seed + k, seen = 0;
        dram_set_t s = set_of(set_names[i]);
        printf("%s seed %llu (verif/dram/device/run %llu)\n", set_names[i], (unsigned long long)seed,
               (unsigned long long)seed);
        seen |= live(&s, seed, 12000, set_names[i]);
        if (!s.trefi)
            s.refresh_postpone = 8;
        s.trfc = 60;
        s.trefi = 350;
        s.refresh_burst = 4;
        s.tfaw = s.tfaw > 4 * s.trrd_s + 9 ? s.tfaw : 4 * s.trrd_s + 9;
        if (s.bank_groups == 1) {
            s.bank_groups = 2;
            s.trrd_l += 2;
            s.twtr_l += 3;
            s.tccd_l += 2;
        }
        s.rows = 64;
        seen |= live(&s, seed, 12000, set_names[i]);
        s.tccd_s = 1; /* the pins themselves */
        seen |= live(&s, seed, 6000, set_names[i]);
        if (seed)
            continue;
        uint64_t want = ((1ull << DRAM_RULE_COUNT) - 2) & ~(1ull << DRAM_RULE_TREFI) & ~(1ull << DRAM_RULE_REF_NONE);
        for (unsigned r = 1; r < DRAM_RULE_COUNT; r++)
            if ((want & ~seen) >> r & 1)
                fail_msg("%s: nothing was refused for %s", set_names[i], dram_rule_name((dram_rule_t)r));
    }
}

#define LIFE(i, name) static void random_life_of_##name(void **state) { (void)state; random_life(i); }
LIFE(0, gddr5_1674)
LIFE(1, ddr4_2400)
LIFE(2, hbm2)
LIFE(3, gtx480)
LIFE(4, sdr_sdram)

int random_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_life_of_gddr5_1674), cmocka_unit_test(random_life_of_ddr4_2400),
        cmocka_unit_test(random_life_of_hbm2),       cmocka_unit_test(random_life_of_gtx480),
        cmocka_unit_test(random_life_of_sdr_sdram),
    };
    return RUN_TESTS("random", tests, count);
}
