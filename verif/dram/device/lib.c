/* See tests.h. */
#include "verif/dram/device/tests.h"
#include <string.h>

const char *const set_names[SETS] = {"gddr5_1674", "ddr4_2400", "hbm2", "gtx480", "sdr_sdram"};

dram_set_t set_of(const char *name)
{
    char path[128], why[256];
    dram_set_t set;
    snprintf(path, sizeof path, "rtl/config/dram/%s.toml", name);
    if (dram_set_read(&set, path, why, sizeof why))
        fail_msg("%s: %s", path, why);
    return set;
}

void driver_open(driver_t *v, const dram_set_t *set)
{
    memset(v, 0, sizeof *v);
    v->set = *set;
    assert_int_equal(dram_create(&v->d, set), 0);
}

void driver_close(driver_t *v)
{
    dram_destroy(v->d);
    v->d = NULL;
}

int driver_tick(driver_t *v, dram_cmd_t cmd)
{
    uint64_t now = dram_clock(v->d);
    if (cmd.op == DRAM_CMD_WR) {
        assert_true(v->writes < sizeof v->write / sizeof *v->write);
        v->write[v->writes].start = now + v->set.tcwl;
        v->write[v->writes++].seed = v->seed;
    }
    dram_beat_t beat = {.mask = ~0ull}, *wr = NULL;
    if (v->writes && now >= v->write[0].start) {
        uint32_t bytes = dram_beat_bytes(&v->set), first = (uint32_t)(now - v->write[0].start) * bytes;
        for (uint32_t i = 0; i < bytes; i++)
            beat.data[i] = (uint8_t)(v->write[0].seed + first + i);
        wr = &beat;
    }
    int e = dram_tick(v->d, &cmd, wr, &v->rd_valid, v->rd);
    if (e) {
        v->writes -= cmd.op == DRAM_CMD_WR;
        return e;
    }
    if (wr && now == v->write[0].start + v->set.burst_clocks - 1)
        memmove(v->write, v->write + 1, --v->writes * sizeof *v->write);
    return 0;
}

static void expect_accepted(driver_t *v, int e)
{
    if (!e)
        return;
    char text[4096];
    dram_report(v->d, text, sizeof text);
    fail_msg("refused (%d): %s", e, text);
}

void driver_until(driver_t *v, uint64_t clock)
{
    assert_true(dram_clock(v->d) <= clock);
    while (dram_clock(v->d) < clock)
        expect_accepted(v, driver_tick(v, NOP));
}

void driver_at(driver_t *v, uint64_t clock, dram_cmd_t cmd)
{
    driver_until(v, clock);
    expect_accepted(v, driver_tick(v, cmd));
}
