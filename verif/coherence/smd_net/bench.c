/* Bench of smd_net: messages of every kind between all SMDs and all wires; SMDs and wires that do not take for long. verif/coherence/nets.h has the page and the user's promises. */
#define BENCH_SEEDS 6
#include "verif/common/bench.h"
#include "smd_net_ports.h"
#include "verif/coherence/message.h"

enum { REQ, ACK, PEER, PROBE, DATA, KINDS };
static const char *const kind_name[] = {"request", "acknowledge", "peer", "probe", "data"};
typedef smd_net_out_t net_out_t;
typedef smd_net_in_t net_in_t;
/* clang-format off */
#define IN_STREAMS(X) X(REQ, smd_req, 0, N_SMDS, smd_req) X(ACK, smd_ack, 0, N_SMDS, smd_ack) X(PEER, smd_peer, 0, N_SMDS, smd_peer) \
    X(PROBE, down_probe, 0, N_WIRES, hmd_probe) X(DATA, down_data, 0, N_WIRES, hmd_data)
#define OUT_STREAMS(X) X(REQ, up_req, N_WIRES, hmd_req) X(ACK, up_ack, N_WIRES, hmd_ack) X(PEER, up_data, N_WIRES, hmd_data) \
    X(PROBE, smd_probe, N_SMDS, smd_probe) X(DATA, smd_data, N_SMDS, smd_data)
#define OUT_CREDITED(X)
/* clang-format on */

static unsigned net_sources(unsigned k)
{
    return k < PROBE ? N_SMDS : N_WIRES;
}

static unsigned net_dests(unsigned k)
{
    return k < PROBE ? N_WIRES : N_SMDS;
}

static bool net_way(unsigned k, unsigned s, unsigned d)
{
    return k < PROBE ? wire_to(s / CHANNELS) == d : wire_to(d / CHANNELS) == s;
}

static bool net_fills(unsigned k, unsigned s)
{
    (void)k, (void)s;
    return true;
}

static void net_random(vl_rng_t *r, unsigned k, unsigned s, message_t *m)
{
    memset(m, 0, sizeof *m);
    switch (k) {
    case REQ: smd_req_t_random(r, &m->smd_req); break;
    case ACK: smd_ack_t_random(r, &m->smd_ack); break;
    case PEER:
        smd_peer_t_random(r, &m->smd_peer);
        m->smd_peer.mem =
            DEVICES == 1 || vl_below(r, 2) ? SMD_MEM_LINE : SMD_MEM_NONE; /* to the HMD, or a peer: another device */
        m->smd_peer.device = m->smd_peer.mem == SMD_MEM_LINE ? 0 : some_device(r, -1, (int)(s / CHANNELS));
        break;
    case PROBE:
        hmd_probe_t_random(r, &m->hmd_probe);
        m->hmd_probe.device = some_device(r, (int)s, -1);
        m->hmd_probe.probe.line = some_line(r);
        break;
    default:
        hmd_data_t_random(r, &m->hmd_data);
        m->hmd_data.device = some_device(r, (int)s, -1);
        m->hmd_data.data.line = some_line(r);
        break;
    }
}

static unsigned net_dest(unsigned k, unsigned s, const message_t *m)
{
    switch (k) {
    case PROBE: return m->hmd_probe.device * CHANNELS + channel_of_block(m->hmd_probe.probe.line, CHANNELS);
    case DATA: return m->hmd_data.device * CHANNELS + channel_of_block(m->hmd_data.data.line, CHANNELS);
    default: return wire_to(s / CHANNELS);
    }
}

static message_t net_becomes(unsigned k, unsigned s, const message_t *m)
{
    message_t out;
    memset(&out, 0, sizeof out);
    switch (k) {
    case REQ: out.hmd_req = (hmd_req_t){.device = (uint8_t)(s / CHANNELS), .req = m->smd_req}; break;
    case ACK: out.hmd_ack = (hmd_ack_t){.device = (uint8_t)(s / CHANNELS), .ack = m->smd_ack}; break;
    case PEER:
        out.hmd_data = (hmd_data_t){.device = m->smd_peer.device,
                                    .data = {.grant = 0,
                                             .mem = m->smd_peer.mem,
                                             .id = m->smd_peer.id,
                                             .line = m->smd_peer.line,
                                             .state = NMOESI_I,
                                             .mask = m->smd_peer.mask,
                                             .data = m->smd_peer.data}};
        break;
    case PROBE: out.smd_probe = m->hmd_probe.probe; break;
    default: out.smd_data = m->hmd_data.data; break;
    }
    return out;
}

static bool net_diff(unsigned k, unsigned dest, const message_t *x, const message_t *y, vl_diff_t *d)
{
    (void)dest;
    switch (k) {
    case REQ: return hmd_req_t_diff(&x->hmd_req, &y->hmd_req, d);
    case ACK: return hmd_ack_t_diff(&x->hmd_ack, &y->hmd_ack, d);
    case PEER: return hmd_data_t_diff(&x->hmd_data, &y->hmd_data, d);
    case PROBE: return smd_probe_t_diff(&x->smd_probe, &y->smd_probe, d);
    default: return smd_data_t_diff(&x->smd_data, &y->smd_data, d);
    }
}

#define EACH(x) "requests: " x, "acknowledgements: " x, "lines to a peer: " x, "probes: " x, "lines and grants: " x
#include "verif/coherence/nets.h"

SCOREBOARD_DRIVE(smd_net, env_t, stimulate)
BENCH_MAIN(smd_net, env_t, start, drive, cover, COV_N)
