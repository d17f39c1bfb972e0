/* Inputs and the counters that go up with them, all others staying 0: written by hand from the words of docs/blocks and docs/counters.md, for errors of the description itself. */
#ifndef VERIF_CORE_PERF_SPOTS_H
#define VERIF_CORE_PERF_SPOTS_H

static const struct {
    unsigned kind;
    const char *in, *counts; /* NAME=VALUE ... */
} spot[] = {
    {KIND_CORE, "ev.issue.warp_instructions=1 ev.issue.thread_instructions=32 ev.tlb.tlb_hits=63",
     "warp_instructions=1 thread_instructions=32 tlb_hits=63"},
    {KIND_SLICE, "ev_l2.l2_access=1 ev_l2.l2_cls=3 ev_l2.l2_hit=1",
     "l2_access=1 l2_hit=1 l2_access_cls3=1 l2_hit_cls3=1"},
    {KIND_SLICE,
     "ev_l2.l2_access=1 ev_l2.l2_asid=5 ctl.sched.app_valid=12 ctl.sched.app_asid[2]=5 ctl.sched.app_asid[1]=5",
     "l2_access=1 l2_access_cls0=1 l2_access_app2=1"},
    {KIND_SLICE, "ev_l2.l2_cls=7 ev_l2.l2_hit=1 taken=1 blocked=1 stalled=1",
     "l2_hit=1 l2_req_taken=1 l2_req_blocked=1 l2_rsp_stalled=1"},
    {KIND_CHANNEL, "ev_mem_sched.occ_golden=511 ev_dram_ctrl.dram_acts=1 ticks=3",
     "occ_golden=511 dram_acts=1 dram_ticks=3"},
    {KIND_STACK, "ev_l2c.l2_moved=1 ev_l2c.l2_from=NMOESI_E ev_l2c.l2_to=NMOESI_N ev_l2c.l2_upgrade=1",
     "l2_e_to_n=1 l2c_upgrade=1"},
    {KIND_STACK,
     "ev_smd.smd_moved=1 ev_smd.smd_from=NMOESI_M ev_smd.smd_to=NMOESI_O ev_smd.smd_probe=1 "
     "ev_smd.smd_probe_kind=PROBE_CLEAN",
     "smd_m_to_o=1 smd_probe_clean=1"},
    {KIND_STACK, "maint_valid=1 ev_smd.smd_from=NMOESI_M ev_smd.smd_to=NMOESI_I", "smd_syncs=1 smd_sync_cycles=1"},
    {KIND_HOME, "ev_hmd.hmd_grant=1 ev_hmd.hmd_state=NMOESI_E ev_l2c.l2_n_read=1", "hmd_grant_e=1 llc_n_read=1"},
    {KIND_HOME, "ev_l2c.l2_moved=1 ev_l2c.l2_from=NMOESI_I ev_l2c.l2_to=NMOESI_S", "llc_i_to_s=1"},
    {KIND_WIRE, "ev_link.link_sent=1 ev_link.link_kind=LINK_DATA ev_link.link_flits=LINK_BARE_FLITS",
     "link_lines=1 link_line_flits=LINK_BARE_FLITS"},
    {KIND_WIRE, "ev_link.link_sent=1 ev_link.link_kind=LINK_ACK ev_link.link_flits=1 ev_link.link_busy=1",
     "link_acks=1 link_busy=1"},
    {KIND_WIRE, "ev_link.link_kind=LINK_REQ ev_link.link_flits=1", ""},
    {KIND_SHARED, "ev.l2_tlb_mshr.l2m_waits=8191 ev.fill_tokens.tokens_k3=64", "l2m_waits=8191 tokens_k3=64"},
};

/* The value behind "name=" in a list; 0 if it is not there. */
static uint64_t spot_value(const char *list, const char *name)
{
    static const struct {
        const char *name;
        unsigned value;
    } known[] = {{"NMOESI_I", NMOESI_I},
                 {"NMOESI_N", NMOESI_N},
                 {"NMOESI_S", NMOESI_S},
                 {"NMOESI_E", NMOESI_E},
                 {"NMOESI_M", NMOESI_M},
                 {"NMOESI_O", NMOESI_O},
                 {"PROBE_CLEAN", PROBE_CLEAN},
                 {"LINK_DATA", LINK_DATA},
                 {"LINK_ACK", LINK_ACK},
                 {"LINK_REQ", LINK_REQ},
                 {"LINK_BARE_FLITS", 1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES}};
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if (at[n] == '=' && (at == list || at[-1] == ' ')) {
            for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
                if (!strncmp(at + n + 1, known[i].name, strlen(known[i].name)))
                    return known[i].value;
            return strtoull(at + n + 1, NULL, 10);
        }
    return 0;
}

static void spots(bench_t *b, twin_t *t)
{
    for (unsigned i = 0; i < sizeof spot / sizeof *spot; i++) {
        if (spot[i].kind != KIND)
            continue;
        in_t in = {0}, none = {.rd_unit = KIND << 8};
        for (unsigned k = 0; k < unit.names; k++)
            put(&in, &unit.name[k], spot_value(spot[i].in, unit.name[k].name));
        NAME(_reset)(t);
        NAME(_tick)(t, &in);
        for (unsigned k = 0; k < unit.rows; k++) {
            out_t o;
            const char *name = unit.row[k].name;
            none.rd_idx = (uint8_t)k;
            NAME(_tick)(t, &none);
            NAME(_out)(t, &o);
            const bool still = strcmp(name, "smd_sync_cycles")
                               && strcmp(name, "channel_cycles"); /* the others do not count while they are read */
            BENCH_CHECK(b, !still || o.rd_data == spot_value(spot[i].counts, name), "with %s counter %s is %" PRIu64,
                        spot[i].in, name, o.rd_data);
        }
    }
}
#endif
