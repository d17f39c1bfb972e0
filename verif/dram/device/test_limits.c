/* Every constraint of every set, one clock too early and in time. Twice: with the set as it is, and with that constraint stretched until
 * it alone decides. */
#include "verif/dram/device/tests.h"
#include <string.h>

enum { FAR = 700 /* clocks after which no constraint is left */, STEPS = 12 };

typedef struct {
    uint64_t clock;
    dram_cmd_t cmd;
} step_t;

/* What leads up to a constraint, and the command that must come `distance` after clock `from`. */
typedef struct {
    step_t step[STEPS];
    unsigned steps;
    uint64_t from, distance;
    dram_cmd_t probe;
} scene_t;

static void step(scene_t *c, uint64_t clock, dram_cmd_t cmd)
{
    assert_true(c->steps < STEPS);
    c->step[c->steps++] = (step_t){clock, cmd};
    c->from = clock;
}

/* Two commands of a bank group, or of two. */
static void opened(scene_t *c, unsigned g1, unsigned b1, unsigned g2, unsigned b2)
{
    step(c, 0, ACT(g1, b1));
    if (g1 != g2 || b1 != b2)
        step(c, FAR, ACT(g2, b2));
}

static void column_pair(scene_t *c, dram_cmd_t first, dram_cmd_t second, uint64_t distance)
{
    opened(c, first.group, first.bank, second.group, second.bank);
    step(c, 2 * FAR, first);
    c->probe = second;
    c->distance = distance;
}

/* The variant-th way to run into the constraint; false: there are no more. */
static bool scene(scene_t *c, dram_rule_t rule, unsigned variant, const dram_set_t *s)
{
    *c = (scene_t){0};
    uint64_t written = s->tcwl + s->burst_clocks;
    switch (rule) {
    case DRAM_RULE_TRCD_RD:
        step(c, 0, ACT(0, 1));
        c->probe = RD(0, 1);
        c->distance = s->trcd_rd;
        return variant < 1;
    case DRAM_RULE_TRCD_WR:
        step(c, 0, ACT(0, 1));
        c->probe = WR(0, 1);
        c->distance = s->trcd_wr;
        return variant < 1;
    case DRAM_RULE_TRP: /* by PRE and PREA; before ACT and REF */
        step(c, 0, ACT(0, 1));
        step(c, FAR, variant & 1 ? PREA : PRE(0, 1));
        c->probe = variant & 2 ? REF : ACT(0, 1);
        c->distance = s->trp;
        return variant < (s->trefi ? 4 : 2);
    case DRAM_RULE_TRAS:
        step(c, 0, ACT(0, 1));
        c->probe = variant ? PREA : PRE(0, 1);
        c->distance = s->tras;
        return variant < 2;
    case DRAM_RULE_TRC:
        step(c, 0, ACT(0, 1));
        step(c, s->tras, PRE(0, 1));
        c->from = 0;
        c->probe = variant ? REF : ACT(0, 1);
        c->distance = s->trc;
        return variant < (s->trefi ? 2 : 1);
    case DRAM_RULE_TCCD_S:
        if (s->bank_groups > 1)
            column_pair(c, variant ? WR(0, 0) : RD(0, 0), variant ? WR(1, 0) : RD(1, 0), s->tccd_s);
        return s->bank_groups > 1 && variant < 2;
    case DRAM_RULE_TCCD_L: /* another bank of the group, and the same */
        column_pair(c, variant & 1 ? WR(0, 0) : RD(0, 0), variant & 1 ? WR(0, variant >> 1) : RD(0, variant >> 1),
                    s->tccd_l);
        return variant < 4;
    case DRAM_RULE_TRRD_S:
        if (s->bank_groups > 1) {
            step(c, 0, ACT(0, 1));
            c->probe = ACT(1, 0);
            c->distance = s->trrd_s;
        }
        return s->bank_groups > 1 && variant < 1;
    case DRAM_RULE_TRRD_L:
        step(c, 0, ACT(0, 1));
        c->probe = ACT(0, 0);
        c->distance = s->trrd_l;
        return variant < 1;
    case DRAM_RULE_TFAW: { /* groups in turn, closely; the fifth ACT needs a fifth bank */
        if (!s->tfaw || s->bank_groups * s->banks < 5)
            return false;
        uint64_t apart = s->bank_groups > 1 ? s->trrd_s : s->trrd_l;
        if (s->bank_groups == 2 && 2 * apart < s->trrd_l)
            apart = s->trrd_l;
        for (unsigned i = 0; i < 4; i++)
            step(c, i * apart, ACT(i % s->bank_groups, i / s->bank_groups));
        c->from = 0;
        c->probe = ACT(4 % s->bank_groups, 4 / s->bank_groups);
        c->distance = s->tfaw;
        return variant < 1;
    }
    case DRAM_RULE_TWR:
        step(c, 0, ACT(0, 1));
        step(c, FAR, WR(0, 1));
        c->probe = variant ? PREA : PRE(0, 1);
        c->distance = written + s->twr;
        return variant < 2;
    case DRAM_RULE_TWTR_S:
        if (s->bank_groups > 1)
            column_pair(c, WR(0, 0), RD(1, 0), written + s->twtr_s);
        return s->bank_groups > 1 && variant < 1;
    case DRAM_RULE_TWTR_L: column_pair(c, WR(0, 0), RD(0, variant), written + s->twtr_l); return variant < 2;
    case DRAM_RULE_TRTP:
        step(c, 0, ACT(0, 1));
        step(c, FAR, RD(0, 1));
        c->probe = variant ? PREA : PRE(0, 1);
        c->distance = s->trtp;
        return variant < 2;
    case DRAM_RULE_TURNAROUND: /* same bank, same group, other group */
        if (variant == 2 && s->bank_groups == 1)
            return false;
        column_pair(c, RD(0, 0), WR(variant == 2, variant == 1), s->tcl + s->burst_clocks + s->turnaround - s->tcwl);
        return variant < 3;
    case DRAM_RULE_TRFC: {
        const dram_cmd_t probe[] = {ACT(0, 1), PRE(0, 1), PREA, REF};
        if (!s->trefi || variant >= 4)
            return false;
        step(c, 0, REF);
        c->probe = probe[variant];
        c->distance = s->trfc;
        return true;
    }
    case DRAM_RULE_REF_BURST:
        /* As soon as possible after each other; the first after the start, at once. */
        if (!s->refresh_burst || variant)
            return false;
        c->probe = REF;
        c->distance = 2 * (uint64_t)s->trefi;
        return true;
    default: return false;
    }
}

/* Where other constraints of the set as it is hold the probe back longer, or as long: in these the probe is refused at the limit too. */
static bool shadowed(unsigned set, dram_rule_t rule)
{
    switch (set) {
    case 0: return rule == DRAM_RULE_TRC || rule == DRAM_RULE_TFAW; /* tRAS + tRP = tRC + 1; 4 tRRD = tFAW + 1 */
    case 2: return rule == DRAM_RULE_TFAW; /* 4 tRRD = tFAW + 1 */
    default: return false;
    }
}

static void expect_broken(driver_t *v, const scene_t *c, dram_rule_t rule, bool alone, const char *where)
{
    const dram_violation_t *w = dram_violation(v->d);
    int e = driver_tick(v, c->probe);
    if (e != DRAM_EVIOLATION || !(w->broken >> rule & 1))
        fail_msg("%s: %s after %llu clocks is not caught as %s", where, dram_op_name(c->probe.op),
                 (unsigned long long)(c->distance - 1), dram_rule_name(rule));
    if (!alone)
        return;
    if (w->rule != rule || w->broken != 1ull << rule || w->required != c->distance || w->actual != c->distance - 1) {
        char text[4096];
        dram_report(v->d, text, sizeof text);
        fail_msg("%s: expected %s alone, required %llu: %s", where, dram_rule_name(rule),
                 (unsigned long long)c->distance, text);
    }
    assert_int_equal(w->clock, c->from + c->distance - 1);
    assert_int_equal(w->cmd.op, c->probe.op);
}

static void play(driver_t *v, const scene_t *c, dram_rule_t rule, const dram_set_t *s)
{
    for (unsigned i = 0; i < c->steps; i++)
        driver_at(v, c->step[i].clock, c->step[i].cmd);
    if (rule == DRAM_RULE_REF_BURST)
        for (unsigned i = 0; i < s->refresh_burst; i++)
            driver_at(v, i * (uint64_t)s->trfc, REF);
}

/* One clock early, then in time, on one device. `alone`: this rule and no other refuses. */
static void limit(const dram_set_t *s, dram_rule_t rule, unsigned variant, bool alone, bool accepted, const char *name)
{
    scene_t c;
    driver_t v;
    char where[96];
    snprintf(where, sizeof where, "%s, %s, variant %u", name, dram_rule_name(rule), variant);
    assert_true(scene(&c, rule, variant, s));
    driver_open(&v, s);
    play(&v, &c, rule, s);
    driver_until(&v, c.from + c.distance - 1);
    expect_broken(&v, &c, rule, alone, where);
    assert_int_equal(driver_tick(&v, NOP), 0);
    int e = driver_tick(&v, c.probe);
    if (accepted ? e : e != DRAM_EVIOLATION || dram_violation(v.d)->broken >> rule & 1) {
        char text[4096];
        dram_report(v.d, text, sizeof text);
        fail_msg("%s: at the limit: %d, %s", where, e, text);
    }
    driver_close(&v);
}

static const dram_rule_t timed[] = {
    DRAM_RULE_TRCD_RD, DRAM_RULE_TRCD_WR, DRAM_RULE_TRP,        DRAM_RULE_TRAS, DRAM_RULE_TRC,      DRAM_RULE_TCCD_S,
    DRAM_RULE_TCCD_L,  DRAM_RULE_TRRD_S,  DRAM_RULE_TRRD_L,     DRAM_RULE_TFAW, DRAM_RULE_TWR,      DRAM_RULE_TWTR_S,
    DRAM_RULE_TWTR_L,  DRAM_RULE_TRTP,    DRAM_RULE_TURNAROUND, DRAM_RULE_TRFC, DRAM_RULE_REF_BURST};
enum { TIMED = sizeof timed / sizeof *timed };

static void set_as_it_is(unsigned i)
{
    dram_set_t s = set_of(set_names[i]);
    unsigned run = 0;
    for (unsigned r = 0; r < TIMED; r++) {
        scene_t c;
        for (unsigned variant = 0; scene(&c, timed[r], variant, &s); variant++, run++)
            limit(&s, timed[r], variant, false, !shadowed(i, timed[r]), set_names[i]);
    }
    assert_true(run >= 20); /* of about 30 */
}

/* The set with this constraint so long that no other matters. Parts without bank groups or refresh get some. */
static dram_set_t stretched(unsigned i, dram_rule_t rule)
{
    dram_set_t s = set_of(set_names[i]);
    if (s.bank_groups == 1) {
        s.bank_groups = 2;
        s.banks = 4;
    }
    if (!s.trefi) {
        s.trefi = 5000;
        s.trfc = 100;
        s.refresh_postpone = 8;
    }
    s.refresh_burst = 0;
    enum { MORE = 97 };
    switch (rule) {
    case DRAM_RULE_TRCD_RD: s.trcd_rd += MORE; break;
    case DRAM_RULE_TRCD_WR: s.trcd_wr += MORE; break;
    case DRAM_RULE_TRP: s.trp += MORE; break;
    case DRAM_RULE_TRAS: s.tras += MORE; break;
    case DRAM_RULE_TRC: s.trc += MORE; break;
    case DRAM_RULE_TCCD_S: s.tccd_l = (s.tccd_s += MORE) + 1; break;
    case DRAM_RULE_TCCD_L: s.tccd_l += MORE; break;
    case DRAM_RULE_TRRD_S: s.trrd_l = (s.trrd_s += MORE) + 1; break;
    case DRAM_RULE_TRRD_L: s.trrd_l += MORE; break;
    case DRAM_RULE_TFAW: s.tfaw += MORE; break;
    case DRAM_RULE_TWR: s.twr += MORE; break;
    case DRAM_RULE_TWTR_S: s.twtr_l = (s.twtr_s += MORE) + 1; break;
    case DRAM_RULE_TWTR_L: s.twtr_l += MORE; break;
    case DRAM_RULE_TRTP: s.trtp += MORE; break;
    case DRAM_RULE_TURNAROUND: s.turnaround += MORE; break;
    case DRAM_RULE_TRFC: s.trfc += MORE; break;
    case DRAM_RULE_REF_BURST: s.refresh_burst = 3; break;
    default: break;
    }
    return s;
}

static void set_stretched(unsigned i)
{
    for (unsigned r = 0; r < TIMED; r++) {
        dram_set_t s = stretched(i, timed[r]);
        unsigned variant = 0;
        for (scene_t c; scene(&c, timed[r], variant, &s); variant++)
            limit(&s, timed[r], variant, true, true, set_names[i]);
        if (!variant)
            fail_msg("%s: %s was not tried", set_names[i], dram_rule_name(timed[r]));
    }
}

/* Bursts that would overlap, which in every set a longer tCCD forbids first; and other pairs the pins must keep apart. */
static void bursts_never_overlap_on_the_pins(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        s.tccd_s = s.tccd_l = 1;
        for (unsigned write = 0; write < 2; write++) {
            scene_t c = {0};
            driver_t v;
            column_pair(&c, write ? WR(0, 0) : RD(0, 0), write ? WR(0, 1) : RD(0, 1), s.burst_clocks);
            driver_open(&v, &s);
            play(&v, &c, DRAM_RULE_BUS, &s);
            driver_until(&v, c.from + c.distance - 1);
            expect_broken(&v, &c, DRAM_RULE_BUS, true, set_names[i]);
            driver_at(&v, c.from + c.distance, c.probe);
            driver_close(&v);
        }
    }
}

static void write_to_read_needs_no_turnaround(void **state)
{
    (void)state;
    dram_set_t s = set_of("ddr4_2400");
    s.turnaround = 500;
    driver_t v;
    driver_open(&v, &s);
    driver_at(&v, 0, ACT(0, 0));
    driver_at(&v, 100, WR(0, 0));
    driver_at(&v, 100 + s.tcwl + s.burst_clocks + s.twtr_l, RD(0, 0));
    driver_close(&v);
}

/* PRE of a closed bank is legal, and tRP counts from it (JEDEC: from the last PRE). */
static void precharge_of_a_closed_bank_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++)
        for (unsigned all = 0; all < 2; all++) {
            dram_set_t s = set_of(set_names[i]);
            driver_t v;
            driver_open(&v, &s);
            driver_at(&v, 50, all ? PREA : PRE(0, 1));
            driver_until(&v, 50 + s.trp - 1);
            assert_int_equal(driver_tick(&v, ACT(0, 1)), DRAM_EVIOLATION);
            assert_int_equal(dram_violation(v.d)->rule, DRAM_RULE_TRP);
            driver_at(&v, 50 + s.trp, ACT(0, 1));
            driver_close(&v);
        }
}

#define SET_TESTS(i, name) \
    static void every_limit_of_##name(void **state) { (void)state; set_as_it_is(i); } \
    static void every_limit_alone_of_##name(void **state) { (void)state; set_stretched(i); }
SET_TESTS(0, gddr5_1674)
SET_TESTS(1, ddr4_2400)
SET_TESTS(2, hbm2)
SET_TESTS(3, gtx480)
SET_TESTS(4, sdr_sdram)

int limit_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_of_gddr5_1674),
        cmocka_unit_test(every_limit_alone_of_gddr5_1674),
        cmocka_unit_test(every_limit_of_ddr4_2400),
        cmocka_unit_test(every_limit_alone_of_ddr4_2400),
        cmocka_unit_test(every_limit_of_hbm2),
        cmocka_unit_test(every_limit_alone_of_hbm2),
        cmocka_unit_test(every_limit_of_gtx480),
        cmocka_unit_test(every_limit_alone_of_gtx480),
        cmocka_unit_test(every_limit_of_sdr_sdram),
        cmocka_unit_test(every_limit_alone_of_sdr_sdram),
        cmocka_unit_test(bursts_never_overlap_on_the_pins),
        cmocka_unit_test(write_to_read_needs_no_turnaround),
        cmocka_unit_test(precharge_of_a_closed_bank_counts),
    };
    return RUN_TESTS("limits", tests, count);
}
