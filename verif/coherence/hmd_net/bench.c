/* Bench of hmd_net: messages of every kind between all wires and all HMDs, lines of peers and of stacks beside those of HMDs; HMDs and wires that do not take for long. verif/coherence/nets.h has the page
 * and the user's promises. */
#define BENCH_SEEDS 6
#include "verif/common/bench.h"
#include "hmd_net_ports.h"
#include "verif/coherence/message.h"

enum { REQ, ACK, PROBE, DATA, KINDS };
static const char *const kind_name[] = {"request", "acknowledge", "probe", "data"};
typedef hmd_net_out_t net_out_t;
typedef hmd_net_in_t net_in_t;
/* clang-format off */
#define IN_STREAMS(X) X(REQ, up_req, 0, N_WIRES, hmd_req) X(ACK, up_ack, 0, N_WIRES, hmd_ack) X(PROBE, hmd_probe, 0, N_HMDS, hmd_probe) \
    X(DATA, hmd_data, 0, N_HMDS, hmd_data) X(DATA, up_data, N_HMDS, N_WIRES, hmd_data)
#define OUT_STREAMS(X) X(REQ, hmd_req, N_HMDS, hmd_req) X(ACK, hmd_ack, N_HMDS, hmd_ack) X(PROBE, down_probe, N_WIRES, hmd_probe) X(DATA, down_data, N_WIRES, hmd_data)
#define OUT_CREDITED(X) X(DATA, hmd_mem, N_WIRES, N_HMDS, smd_mem)
/* clang-format on */

static unsigned net_sources(unsigned k)
{
    return k < PROBE ? N_WIRES : k == PROBE ? N_HMDS : N_HMDS + N_WIRES;
}

static unsigned net_dests(unsigned k)
{
    return k < PROBE ? N_HMDS : k == PROBE ? N_WIRES : N_WIRES + N_HMDS;
}

/* A peer is another device: with a wire a device, its line goes down another wire. Lines that an HMD reads in a stack come up a wire. */
static bool net_way(unsigned k, unsigned s, unsigned d)
{
    if (k == DATA && d >= N_WIRES)
        return s >= N_HMDS;
    return k != DATA || s < N_HMDS || (DEVICES > 1 && (LINKS != LINKS_POINT || s - N_HMDS != d));
}

/* With one device there are no peers. */
static bool net_fills(unsigned k, unsigned s)
{
    return k != DATA || s < N_HMDS || DEVICES > 1;
}

static void net_random(vl_rng_t *r, unsigned k, unsigned s, message_t *m)
{
    memset(m, 0, sizeof *m);
    switch (k) {
    case REQ:
        hmd_req_t_random(r, &m->hmd_req);
        m->hmd_req.device = some_device(r, (int)s, -1);
        m->hmd_req.req.line = some_line(r);
        break;
    case ACK:
        hmd_ack_t_random(r, &m->hmd_ack);
        m->hmd_ack.device = some_device(r, (int)s, -1);
        m->hmd_ack.ack.line = some_line(r);
        break;
    case PROBE:
        hmd_probe_t_random(r, &m->hmd_probe);
        m->hmd_probe.device = some_device(r, -1, -1);
        break;
    default:
        hmd_data_t_random(r, &m->hmd_data);
        m->hmd_data.data.mem = s < N_HMDS                       ? vl_below(r, SMD_MEM_LINE)
                               : DEVICES == 1 || vl_below(r, 2) ? SMD_MEM_LINE
                                                                : SMD_MEM_NONE;
        m->hmd_data.data.line = some_line(r);
        if (s >= N_HMDS && m->hmd_data.data.mem == SMD_MEM_LINE) {
            m->hmd_data.device = 0;
            break;
        }
        m->hmd_data.device = some_device(r, -1, s < N_HMDS || LINKS != LINKS_POINT ? -1 : (int)(s - N_HMDS));
        break;
    }
}

static unsigned net_dest(unsigned k, unsigned s, const message_t *m)
{
    if (k == DATA && s >= N_HMDS && m->hmd_data.data.mem == SMD_MEM_LINE)
        return N_WIRES + channel_of_block(m->hmd_data.data.line, HOST_CHANNELS);
    switch (k) {
    case REQ: return channel_of_block(m->hmd_req.req.line, HOST_CHANNELS);
    case ACK: return channel_of_block(m->hmd_ack.ack.line, HOST_CHANNELS);
    case PROBE: return wire_to(m->hmd_probe.device);
    default: return wire_to(m->hmd_data.device);
    }
}

static message_t net_becomes(unsigned k, unsigned s, const message_t *m)
{
    message_t out = *m;
    if (net_dest(k, s, m) >= N_WIRES && k == DATA) {
        memset(&out, 0, sizeof out);
        out.smd_mem = (smd_mem_t){.id = m->hmd_data.data.id, .data = m->hmd_data.data.data};
    }
    return out;
}

static bool net_diff(unsigned k, unsigned dest, const message_t *x, const message_t *y, vl_diff_t *d)
{
    switch (k) {
    case REQ: return hmd_req_t_diff(&x->hmd_req, &y->hmd_req, d);
    case ACK: return hmd_ack_t_diff(&x->hmd_ack, &y->hmd_ack, d);
    case PROBE: return hmd_probe_t_diff(&x->hmd_probe, &y->hmd_probe, d);
    default:
        return dest >= N_WIRES ? smd_mem_t_diff(&x->smd_mem, &y->smd_mem, d)
                               : hmd_data_t_diff(&x->hmd_data, &y->hmd_data, d);
    }
}

#define EACH(x) "requests: " x, "acknowledgements: " x, "probes: " x, "lines and grants: " x
#include "verif/coherence/nets.h"

SCOREBOARD_DRIVE(hmd_net, env_t, stimulate)
BENCH_MAIN(hmd_net, env_t, start, drive, cover, COV_N)
