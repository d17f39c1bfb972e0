/* Protocol errors, the pins, the back door, statistics and reports. */
#include "verif/dram/device/tests.h"
#include <stdlib.h>
#include <string.h>

static void refused(driver_t *v, dram_cmd_t cmd, dram_rule_t rule)
{
    uint64_t clock = dram_clock(v->d);
    assert_int_equal(driver_tick(v, cmd), DRAM_EVIOLATION);
    const dram_violation_t *w = dram_violation(v->d);
    if (w->rule != rule || w->broken != 1ull << rule)
        fail_msg("%s: expected %s, got %s", dram_op_name(cmd.op), dram_rule_name(rule), dram_rule_name(w->rule));
    assert_int_equal(w->clock, clock);
    assert_int_equal(dram_clock(v->d), clock);
}

static void act_to_an_open_bank_is_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        driver_t v;
        driver_open(&v, &s);
        driver_at(&v, 0, ACT(0, 1));
        driver_until(&v, 300);
        dram_cmd_t other = ACT(0, 1);
        other.row = 5;
        refused(&v, ACT(0, 1), DRAM_RULE_ACT_OPEN);
        refused(&v, other, DRAM_RULE_ACT_OPEN);
        driver_at(&v, 300, ACT(0, 2)); /* another bank is not affected */
        driver_close(&v);
    }
}

static void columns_of_a_closed_bank_are_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        driver_t v;
        driver_open(&v, &s);
        refused(&v, RD(0, 1), DRAM_RULE_CLOSED); /* never opened */
        refused(&v, WR(0, 1), DRAM_RULE_CLOSED);
        driver_at(&v, 0, ACT(0, 1));
        driver_until(&v, 300);
        refused(&v, RD(0, 2), DRAM_RULE_CLOSED); /* its neighbour is open */
        driver_at(&v, 300, PRE(0, 1));
        driver_until(&v, 600);
        refused(&v, RD(0, 1), DRAM_RULE_CLOSED); /* closed again */
        refused(&v, WR(0, 1), DRAM_RULE_CLOSED);
        driver_at(&v, 600, ACT(0, 1));
        driver_at(&v, 900, PREA);
        driver_until(&v, 1000);
        refused(&v, RD(0, 1), DRAM_RULE_CLOSED);
        driver_close(&v);
    }
}

static void refresh_with_an_open_bank_is_refused(void **state)
{
    (void)state;
    dram_set_t s = set_of("ddr4_2400");
    for (unsigned g = 0; g < s.bank_groups; g++)
        for (unsigned b = 0; b < s.banks; b++) {
            driver_t v;
            driver_open(&v, &s);
            driver_at(&v, 0, ACT(g, b));
            driver_until(&v, 300);
            refused(&v, REF, DRAM_RULE_REF_OPEN);
            assert_int_equal(dram_violation(v.d)->group, g);
            assert_int_equal(dram_violation(v.d)->bank, b);
            driver_at(&v, 300, PRE(g, b));
            driver_at(&v, 600, REF);
            driver_close(&v);
        }
}

static void addresses_outside_are_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        driver_t v;
        driver_open(&v, &s);
        dram_cmd_t c = ACT(s.bank_groups - 1, s.banks - 1);
        c.row = s.rows;
        refused(&v, c, DRAM_RULE_ADDRESS);
        c.row = s.rows - 1;
        driver_at(&v, 0, c);
        driver_until(&v, 300);
        const dram_op_t ops[] = {DRAM_CMD_ACT, DRAM_CMD_RD, DRAM_CMD_WR, DRAM_CMD_PRE};
        for (unsigned o = 0; o < 4; o++) {
            refused(&v, command(ops[o], s.bank_groups, 0), DRAM_RULE_ADDRESS);
            refused(&v, command(ops[o], 0, s.banks), DRAM_RULE_ADDRESS);
            refused(&v, command(ops[o], 255, 255), DRAM_RULE_ADDRESS);
        }
        for (unsigned o = DRAM_CMD_RD; o <= DRAM_CMD_WR; o++) {
            c = command(o, s.bank_groups - 1, s.banks - 1);
            const uint32_t bad[] = {s.columns, 1, s.burst - 1, s.burst / 2, s.columns - 1};
            for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
                c.col = (uint16_t)bad[k];
                refused(&v, c, DRAM_RULE_ADDRESS);
            }
            c.col = (uint16_t)(s.columns - s.burst);
            driver_at(&v, dram_clock(v.d) + 100, c);
        }
        driver_close(&v);
    }
}

static void commands_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    dram_set_t s = set_of("hbm2");
    driver_t v;
    driver_open(&v, &s);
    refused(&v, command(DRAM_CMDS, 0, 0), DRAM_RULE_COMMAND);
    refused(&v, command(255, 0, 0), DRAM_RULE_COMMAND);
    driver_close(&v);
}

static void fields_that_a_command_does_not_use_mean_nothing(void **state)
{
    (void)state;
    dram_set_t s = set_of("hbm2");
    driver_t v;
    driver_open(&v, &s);
    const dram_op_t ops[] = {DRAM_CMD_NOP, DRAM_CMD_PREA, DRAM_CMD_REF};
    for (unsigned o = 0; o < 3; o++)
        driver_at(&v, 400 * o,
                  (dram_cmd_t){.op = (uint8_t)ops[o], .group = 255, .bank = 255, .col = 65535, .row = ~0u});
    driver_close(&v);
}

static void write_pins_are_driven_in_the_clocks_of_a_write_only(void **state)
{
    (void)state;
    bool valid;
    uint8_t rd[DRAM_BEAT_MAX];
    const dram_beat_t beat = {.mask = ~0ull};
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        dram_t *d;
        assert_int_equal(dram_create(&d, &s), 0);
        dram_cmd_t act = ACT(0, 0), wr = WR(0, 0), rdc = RD(0, 0);
        assert_int_equal(dram_tick(d, NULL, &beat, &valid, rd), DRAM_EVIOLATION);
        assert_int_equal(dram_violation(d)->rule, DRAM_RULE_WRITE_STRAY);
        assert_int_equal(dram_tick(d, &act, NULL, &valid, rd), 0);
        assert_int_equal(dram_skip(d, 99), 0);
        for (uint64_t t = 100; t < 100 + s.tcwl + s.burst_clocks + 4; t++) {
            const dram_cmd_t *c = t == 100 ? &wr : NULL;
            bool wanted = t >= 100 + s.tcwl && t < 100 + s.tcwl + s.burst_clocks;
            assert_int_equal(dram_clock(d), t);
            assert_int_equal(dram_tick(d, c, wanted ? NULL : &beat, &valid, rd), DRAM_EVIOLATION);
            assert_int_equal(dram_violation(d)->rule, wanted ? DRAM_RULE_WRITE_MISSING : DRAM_RULE_WRITE_STRAY);
            assert_int_equal(dram_tick(d, c, wanted ? &beat : NULL, &valid, rd), 0);
            assert_false(valid);
        }
        assert_int_equal(dram_skip(d, 100), 0);
        uint64_t start = dram_clock(d) + s.tcl;
        for (uint64_t t = dram_clock(d); t < start + s.burst_clocks + 4; t++) {
            bool wanted = t >= start && t < start + s.burst_clocks;
            assert_int_equal(dram_tick(d, t == start - s.tcl ? &rdc : NULL, &beat, &valid, rd), DRAM_EVIOLATION);
            assert_int_equal(dram_tick(d, t == start - s.tcl ? &rdc : NULL, NULL, &valid, rd), 0);
            assert_int_equal(valid, wanted);
        }
        dram_destroy(d);
    }
}

static void masked_bytes_keep_what_they_held(void **state)
{
    (void)state;
    dram_set_t s = set_of("gddr5_1674");
    dram_t *d;
    bool valid;
    uint8_t rd[DRAM_BEAT_MAX], row[32], want[32];
    for (unsigned i = 0; i < 32; i++)
        want[i] = row[i] = (uint8_t)(i + 1);
    dram_cmd_t act = {.op = DRAM_CMD_ACT, .row = 9}, wr = {.op = DRAM_CMD_WR, .col = 16};
    assert_int_equal(dram_create(&d, &s), 0);
    assert_int_equal(dram_load(d, 0, 0, 9, 64, row, 32), 0);
    assert_int_equal(dram_tick(d, &act, NULL, &valid, rd), 0);
    assert_int_equal(dram_skip(d, 50), 0);
    assert_int_equal(dram_tick(d, &wr, NULL, &valid, rd), 0);
    assert_int_equal(dram_skip(d, s.tcwl - 1), 0);
    dram_beat_t beat[2] = {{.mask = 0xa001}, {.mask = ~0xffffull}}; /* bits beyond the beat mean nothing */
    memset(beat[0].data, 0xee, DRAM_BEAT_MAX);
    memset(beat[1].data, 0xdd, DRAM_BEAT_MAX);
    want[0] = want[13] = want[15] = 0xee;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(dram_tick(d, NULL, &beat[i], &valid, rd), 0);
    assert_int_equal(dram_dump(d, 0, 0, 9, 64, row, 32), 0);
    assert_memory_equal(row, want, 32);
    dram_destroy(d);
}

static void back_door_reaches_every_byte_and_no_other(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        dram_set_t s = set_of(set_names[i]);
        dram_t *d;
        uint32_t bytes = dram_row_bytes(&s);
        uint8_t *row = malloc(bytes + 1), *got = malloc(bytes + 1);
        assert_int_equal(dram_create(&d, &s), 0);
        const uint32_t rows[] = {0, 1, s.rows - 1};
        /* all are written before any is read, so that two addresses in one place would show */
        for (unsigned pass = 0; pass < 2; pass++)
            for (unsigned g = 0; g < s.bank_groups; g++)
                for (unsigned b = 0; b < s.banks; b++)
                    for (unsigned r = 0; r < 3; r++) {
                        memset(row, (int)(1 + 3 * (g * s.banks + b) + r), bytes);
                        if (pass) {
                            assert_int_equal(dram_dump(d, g, b, rows[r], 0, got, bytes), 0);
                            assert_memory_equal(row, got, bytes);
                        } else {
                            assert_int_equal(dram_dump(d, g, b, rows[r], bytes - 1, got, 1), 0);
                            assert_int_equal(got[0], 0);
                            assert_int_equal(dram_load(d, g, b, rows[r], 0, row, bytes / 2), 0);
                            assert_int_equal(dram_load(d, g, b, rows[r], bytes / 2, row, bytes - bytes / 2), 0);
                        }
                    }
        assert_int_equal(dram_load(d, 0, 0, 0, 0, row, bytes + 1), SIM_EINVAL);
        assert_int_equal(dram_load(d, 0, 0, 0, bytes, row, 1), SIM_EINVAL);
        assert_int_equal(dram_load(d, 0, 0, 0, bytes + 1, row, 0), SIM_EINVAL);
        assert_int_equal(dram_load(d, 0, 0, 0, 1, row, ~0u), SIM_EINVAL);
        assert_int_equal(dram_dump(d, s.bank_groups, 0, 0, 0, row, 1), SIM_EINVAL);
        assert_int_equal(dram_dump(d, 0, s.banks, 0, 0, row, 1), SIM_EINVAL);
        assert_int_equal(dram_dump(d, 0, 0, s.rows, 0, row, 1), SIM_EINVAL);
        dram_destroy(d);
        free(row);
        free(got);
    }
}

static void back_door_is_shut_while_data_move(void **state)
{
    (void)state;
    dram_set_t s = set_of("ddr4_2400");
    driver_t v;
    uint8_t byte = 7;
    driver_open(&v, &s);
    driver_at(&v, 0, ACT(0, 0));
    assert_int_equal(dram_load(v.d, 0, 0, 0, 0, &byte, 1), 0); /* the back door works with an open row */
    driver_at(&v, 100, RD(0, 0));
    uint64_t last = 100 + s.tcl + s.burst_clocks - 1;
    while (dram_clock(v.d) <= last) {
        assert_int_equal(dram_load(v.d, 0, 0, 0, 0, &byte, 1), SIM_ESTATE);
        assert_int_equal(dram_dump(v.d, 0, 0, 0, 0, &byte, 1), SIM_ESTATE);
        driver_until(&v, dram_clock(v.d) + 1);
    }
    assert_int_equal(dram_dump(v.d, 0, 0, 0, 0, &byte, 1), 0);
    assert_int_equal(byte, 7);
    driver_close(&v);
}

static void skip_stops_before_data(void **state)
{
    (void)state;
    dram_set_t s = set_of("hbm2");
    driver_t v;
    driver_open(&v, &s);
    assert_true(dram_due(v.d) == UINT64_MAX);
    driver_at(&v, 0, ACT(0, 0));
    driver_at(&v, 50, RD(0, 0));
    assert_int_equal(dram_due(v.d), s.tcl - 1);
    assert_int_equal(dram_skip(v.d, s.tcl), SIM_EINVAL);
    assert_int_equal(dram_skip(v.d, UINT64_MAX), SIM_EINVAL);
    assert_int_equal(dram_clock(v.d), 51);
    assert_int_equal(dram_skip(v.d, s.tcl - 1), 0);
    for (unsigned i = 0; i < s.burst_clocks; i++) {
        assert_int_equal(dram_due(v.d), 0);
        assert_int_equal(dram_skip(v.d, 1), SIM_EINVAL);
        assert_int_equal(dram_skip(v.d, 0), 0);
        driver_until(&v, dram_clock(v.d) + 1);
        assert_true(v.rd_valid);
    }
    assert_true(dram_due(v.d) == UINT64_MAX);
    assert_int_equal(dram_skip(v.d, UINT64_MAX), SIM_EINVAL); /* beyond the end of time */
    driver_close(&v);
}

static void statistics_count_what_happened(void **state)
{
    (void)state;
    dram_set_t s = set_of("ddr4_2400");
    driver_t v;
    dram_stats_t t;
    driver_open(&v, &s);
    driver_at(&v, 10, ACT(0, 0));
    driver_at(&v, 100, RD(0, 0));  /* first of its row: no hit */
    driver_at(&v, 200, WR(0, 0));  /* hit */
    driver_at(&v, 300, RD(0, 0));  /* hit */
    driver_at(&v, 400, PRE(0, 0));
    driver_at(&v, 500, ACT(0, 0));
    driver_at(&v, 600, WR(0, 0));
    driver_at(&v, 700, PREA);
    driver_at(&v, 800, REF);
    driver_until(&v, 1300);
    dram_stats(v.d, &t);
    assert_int_equal(t.clocks, 1300);
    const uint64_t want[DRAM_CMDS] = {1300 - 9, 2, 2, 2, 1, 1, 1};
    assert_memory_equal(t.commands, want, sizeof want);
    assert_int_equal(t.row_hits, 2);
    assert_int_equal(t.read_clocks, 2 * s.burst_clocks);
    assert_int_equal(t.write_clocks, 2 * s.burst_clocks);
    dram_stats_clear(v.d);
    driver_at(&v, 1400, ACT(0, 0));
    dram_stats(v.d, &t);
    assert_int_equal(t.clocks, 101);
    assert_int_equal(t.commands[DRAM_CMD_NOP], 100);
    assert_int_equal(t.commands[DRAM_CMD_ACT], 1);
    assert_int_equal(t.row_hits + t.read_clocks + t.write_clocks, 0);
    driver_close(&v);
}

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("the report lacks '%s':\n%s", part, text);
}

static void report_tells_rule_clocks_and_history(void **state)
{
    (void)state;
    dram_set_t s = set_of("ddr4_2400");
    driver_t v;
    char text[8192], small[40];
    driver_open(&v, &s);
    dram_report(v.d, text, sizeof text);
    expect_text(text, "no DRAM rule was broken");
    dram_cmd_t act = ACT(2, 3), rd = RD(2, 3);
    act.row = 0x1abc;
    rd.col = 0x18;
    driver_at(&v, 20, act);
    driver_at(&v, 26, ACT(1, 1));
    driver_until(&v, 31);
    assert_int_equal(driver_tick(&v, rd), DRAM_EVIOLATION);
    size_t n = dram_report(v.d, text, sizeof text);
    assert_int_equal(n, strlen(text));
    expect_text(text, "DDR4");
    expect_text(text, "rule tRCD (RD) broken at clock 31 by RD group 2 bank 3 column 0x18");
    expect_text(text, "required 16 clocks, actual 11");
    expect_text(text, "row 0x1abc open, ACT at 20, RD never");
    expect_text(text, "clock 20: ACT group 2 bank 3 row 0x1abc");
    expect_text(text, "clock 26: ACT group 1 bank 1");
    char *bank = strstr(text, "group 2 bank 3: "), *channel = strstr(text, "channel: ");
    assert_true(bank && channel && bank < channel);
    assert_true(strstr(bank, "clock 26") > channel); /* the other bank's command is in the channel's list alone */
    assert_int_equal(dram_report(v.d, small, sizeof small), n);
    assert_int_equal(strlen(small), sizeof small - 1);
    assert_memory_equal(small, text, sizeof small - 1);
    assert_int_equal(dram_report(v.d, NULL, 0), n);

    assert_int_equal(driver_tick(&v, ACT(2, 3)), DRAM_EVIOLATION);
    dram_report(v.d, text, sizeof text);
    expect_text(text, "rule ACT to open bank broken");
    driver_until(&v, 34);
    /* of the two ACTs, the later one determines when PREA may come */
    assert_int_equal(driver_tick(&v, PREA), DRAM_EVIOLATION);
    assert_int_equal(dram_violation(v.d)->group, 1);
    assert_int_equal(dram_violation(v.d)->bank, 1);
    assert_int_equal(dram_violation(v.d)->actual, 8);
    dram_report(v.d, text, sizeof text);
    expect_text(text, "by PREA\n");
    expect_text(text, "group 1 bank 1: row 0x0 open");
    assert_int_equal(driver_tick(&v, command(DRAM_CMD_ACT, 200, 200)), DRAM_EVIOLATION);
    dram_report(v.d, text, sizeof text);
    expect_text(text, "rule address broken");
    driver_close(&v);
}

/* Of several broken rules the one that holds the command back longest is named, the others are listed. */
static void report_names_the_strictest_rule_first(void **state)
{
    (void)state;
    dram_set_t s = set_of("gddr5_1674");
    driver_t v;
    char text[8192];
    driver_open(&v, &s);
    driver_at(&v, 0, ACT(0, 0));
    driver_at(&v, 47, PRE(0, 0));
    driver_until(&v, 60);
    assert_int_equal(driver_tick(&v, ACT(0, 0)), DRAM_EVIOLATION);
    const dram_violation_t *w = dram_violation(v.d);
    assert_int_equal(w->rule, DRAM_RULE_TRP);
    assert_int_equal(w->required, 21);
    assert_int_equal(w->actual, 13);
    assert_true(w->broken == (1ull << DRAM_RULE_TRP | 1ull << DRAM_RULE_TRC));
    dram_report(v.d, text, sizeof text);
    expect_text(text, "also broken: tRC\n");
    driver_close(&v);
}

static void history_keeps_the_last_of_very_many_commands(void **state)
{
    (void)state;
    dram_set_t s = set_of("sdr_sdram");
    driver_t v;
    char text[8192];
    driver_open(&v, &s);
    driver_at(&v, 0, ACT(0, 0));
    for (unsigned i = 1; i <= 1000; i++)
        driver_at(&v, 8 * i, RD(0, 0));
    assert_int_equal(driver_tick(&v, RD(0, 0)), DRAM_EVIOLATION);
    dram_report(v.d, text, sizeof text);
    expect_text(text, "clock 8000: RD");
    expect_text(text, "clock 7816: RD"); /* 24 back, the oldest that is reported */
    assert_null(strstr(text, "clock 7808: RD"));
    driver_close(&v);
}

int protocol_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(act_to_an_open_bank_is_refused),
        cmocka_unit_test(columns_of_a_closed_bank_are_refused),
        cmocka_unit_test(refresh_with_an_open_bank_is_refused),
        cmocka_unit_test(addresses_outside_are_refused),
        cmocka_unit_test(commands_that_do_not_exist_are_refused),
        cmocka_unit_test(fields_that_a_command_does_not_use_mean_nothing),
        cmocka_unit_test(write_pins_are_driven_in_the_clocks_of_a_write_only),
        cmocka_unit_test(masked_bytes_keep_what_they_held),
        cmocka_unit_test(back_door_reaches_every_byte_and_no_other),
        cmocka_unit_test(back_door_is_shut_while_data_move),
        cmocka_unit_test(skip_stops_before_data),
        cmocka_unit_test(statistics_count_what_happened),
        cmocka_unit_test(report_tells_rule_clocks_and_history),
        cmocka_unit_test(report_names_the_strictest_rule_first),
        cmocka_unit_test(history_keeps_the_last_of_very_many_commands),
    };
    return RUN_TESTS("protocol, pins, reports", tests, count);
}
