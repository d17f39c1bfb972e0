/* The state of the twin of rtl/coherence/smd_net.sv (sim_c/coherence/smd_net.c, docs/blocks/smd_net.md): five crossbars. Plain data; of `in` and `out`
 * only the words that x counts are valid. */
#ifndef VL_SMD_NET_STATE_H
#define VL_SMD_NET_STATE_H
#include "smd_net_ports.h"
#include "sim_c/noc/xbar.h"

struct smd_net {
    struct {
        xbar_t x;
        hmd_req_t in[SMDS][XBAR_QUEUE], out[WIRES];
    } req;
    struct {
        xbar_t x;
        hmd_ack_t in[SMDS][XBAR_QUEUE], out[WIRES];
    } ack;
    struct {
        xbar_t x;
        hmd_data_t in[SMDS][XBAR_QUEUE], out[WIRES];
    } peer;
    struct {
        xbar_t x;
        smd_probe_t in[WIRES][XBAR_QUEUE], out[SMDS];
    } probe;
    struct {
        xbar_t x;
        smd_data_t in[WIRES][XBAR_QUEUE], out[SMDS];
    } data;
};
#endif
