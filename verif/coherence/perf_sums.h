/* The counters of home = directory as plain sums, one edge at a time: the lists of docs/blocks/perf_stack.md, perf_home.md and perf_wire.md. A change of
 * state is counted by the name of its counter, so nothing here says a second time which there are. */
#ifndef VERIF_COHERENCE_PERF_SUMS_H
#define VERIF_COHERENCE_PERF_SUMS_H
#include "perf_home_ports.h"
#include "perf_stack_ports.h"
#include "perf_wire_ports.h"
#include "vl_perf.h"
#include <string.h>

typedef struct {
    uint64_t counter[STACK_COUNTERS], read; /* read: the value before the edge */
    bool sync; /* a maintenance is under way */
} stack_sums_t;
typedef struct {
    uint64_t counter[HOME_COUNTERS], read;
} home_sums_t;
typedef struct {
    uint64_t counter[WIRE_COUNTERS], read;
} wire_sums_t;

static const char state_letters[] = {
    [NMOESI_I] = 'i', [NMOESI_N] = 'n', [NMOESI_S] = 's', [NMOESI_E] = 'e', [NMOESI_O] = 'o', [NMOESI_M] = 'm'};

/* Whether `name` is the counter of this change of a line or block, as "l2_i_to_n". */
static inline bool is_move(const char *name, const char *what, unsigned from, unsigned to)
{
    const char want[] = {'_', state_letters[from], '_', 't', 'o', '_', state_letters[to], 0};
    const size_t n = strlen(what);
    return !strncmp(name, what, n) && !strcmp(name + n, want);
}

/* ... or of any change? Then between these states. */
static inline bool some_move(const char *name, const char *what, unsigned *from, unsigned *to)
{
    for (*from = 0; *from < sizeof state_letters; ++*from)
        for (*to = 0; *to < sizeof state_letters; ++*to)
            if (is_move(name, what, *from, *to))
                return true;
    return false;
}

static inline uint64_t moved_line(const ev_l2c_t *ev, const char *name, const char *what)
{
    return ev->l2_moved && is_move(name, what, ev->l2_from, ev->l2_to);
}

static inline uint64_t stack_field(const perf_stack_in_t *in, const char *name, bool sync)
{
    const struct {
        const char *name;
        bool value;
    } own[] = {{"l2c_upgrade", in->ev_l2.l2_upgrade},
               {"l2c_probe", in->ev_l2.l2_probe},
               {"smd_probe_read", in->ev_smd.smd_probe && in->ev_smd.smd_probe_kind == PROBE_READ},
               {"smd_probe_write", in->ev_smd.smd_probe && in->ev_smd.smd_probe_kind == PROBE_WRITE},
               {"smd_probe_clean", in->ev_smd.smd_probe && in->ev_smd.smd_probe_kind == PROBE_CLEAN},
               {"smd_syncs", in->maint_valid},
               {"smd_sync_cycles", sync}};
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            return own[i].value;
    return moved_line(&in->ev_l2, name, "l2")
           + (in->ev_smd.smd_moved && is_move(name, "smd", in->ev_smd.smd_from, in->ev_smd.smd_to));
}

static inline void stack_sums(stack_sums_t *s, const perf_stack_in_t *in)
{
    const bool sync = s->sync || in->maint_valid;
    s->sync = sync && !in->maint_done;
    s->read = in->rd_idx < STACK_COUNTERS ? s->counter[in->rd_idx] : 0;
    if (in->clear) {
        memset(s->counter, 0, sizeof s->counter);
        return;
    }
    const bool any = sync || in->ev_l2.l2_upgrade || in->ev_l2.l2_probe || in->ev_l2.l2_moved || in->ev_smd.smd_probe
                     || in->ev_smd.smd_moved; /* names are compared only then */
#define FIELD_l2c(name) in->ev_l2.name
#define FIELD_smd(name) in->ev_smd.name
#define FIELD_perf_stack(name) (any ? stack_field(in, #name, sync) : 0)
#define ADD(k, name, block, help) s->counter[k] += FIELD_##block(name);
    VL_STACK_COUNTERS(ADD)
#undef ADD
}

static inline uint64_t home_field(const perf_home_in_t *in, const char *name)
{
    const struct {
        const char *name;
        bool value;
    } own[] = {{"hmd_grant_i", in->ev_hmd.hmd_grant && in->ev_hmd.hmd_state == NMOESI_I},
               {"hmd_grant_s", in->ev_hmd.hmd_grant && in->ev_hmd.hmd_state == NMOESI_S},
               {"hmd_grant_e", in->ev_hmd.hmd_grant && in->ev_hmd.hmd_state == NMOESI_E},
               {"hmd_grant_m", in->ev_hmd.hmd_grant && in->ev_hmd.hmd_state == NMOESI_M},
               {"llc_upgrade", in->ev_l2.l2_upgrade},
               {"llc_own", in->ev_l2.l2_own},
               {"llc_n_read", in->ev_l2.l2_n_read},
               {"llc_probe", in->ev_l2.l2_probe},
               {"llc_probe_hit", in->ev_l2.l2_probe_hit},
               {"llc_probe_gives", in->ev_l2.l2_probe_gives},
               {"llc_stall_probe", in->ev_l2.l2_stall_probe},
               {"llc_stall_own", in->ev_l2.l2_stall_own}};
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            return own[i].value;
    return moved_line(&in->ev_l2, name, "llc");
}

static inline void home_sums(home_sums_t *s, const perf_home_in_t *in)
{
    s->read = in->rd_idx < HOME_COUNTERS ? s->counter[in->rd_idx] : 0;
    if (in->clear) {
        memset(s->counter, 0, sizeof s->counter);
        return;
    }
#define FIELD_hmd(name) in->ev_hmd.name
#define FIELD_perf_home(name) home_field(in, #name)
#define ADD(k, name, block, help) s->counter[k] += FIELD_##block(name);
    VL_HOME_COUNTERS(ADD)
#undef ADD
}

static inline uint64_t wire_field(const ev_link_t *ev, const char *name)
{
    const bool sent = ev->link_sent, data = sent && ev->link_kind == LINK_DATA, ack = sent && ev->link_kind == LINK_ACK;
    const unsigned flits = ev->link_flits, line = 1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES;
    const struct {
        const char *name;
        uint64_t value;
    } own[] = {{"link_lines", data && flits != 1},
               {"link_line_flits", data && flits != 1 ? flits : 0},
               {"link_merges", ack && flits != 1},
               {"link_merge_flits", ack && flits != 1 ? flits : 0},
               {"link_mask_flits", (data || ack) && flits != 1 ? flits - line : 0},
               {"link_grants", data && flits == 1},
               {"link_acks", ack && flits == 1},
               {"link_probes", sent && ev->link_kind == LINK_PROBE},
               {"link_requests", sent && ev->link_kind == LINK_REQ}};
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            return own[i].value;
    return 0;
}

static inline void wire_sums(wire_sums_t *s, const perf_wire_in_t *in)
{
    s->read = in->rd_idx < WIRE_COUNTERS ? s->counter[in->rd_idx] : 0;
    if (in->clear) {
        memset(s->counter, 0, sizeof s->counter);
        return;
    }
#define FIELD_link(name) in->ev.name
#define FIELD_perf_wire(name) wire_field(&in->ev, #name)
#define ADD(k, name, block, help) s->counter[k] += FIELD_##block(name);
    VL_WIRE_COUNTERS(ADD)
#undef ADD
}
#endif
