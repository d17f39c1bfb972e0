/* The state of the twin of rtl/coherence/hmd_net.sv (sim_c/coherence/hmd_net.c, docs/blocks/hmd_net.md): four crossbars. Plain data; of `in` and `out`
 * only the words that x counts are valid. */
#ifndef VL_HMD_NET_STATE_H
#define VL_HMD_NET_STATE_H
#include "hmd_net_ports.h"
#include "sim_c/noc/xbar.h"

struct hmd_net {
    struct {
        xbar_t x;
        hmd_req_t in[WIRES][XBAR_QUEUE], out[HMDS];
    } req;
    struct {
        xbar_t x;
        hmd_ack_t in[WIRES][XBAR_QUEUE], out[HMDS];
    } ack;
    struct {
        xbar_t x;
        hmd_probe_t in[HMDS][XBAR_QUEUE], out[WIRES];
    } probe;
    struct {
        xbar_t x;
        hmd_data_t in[HMDS + WIRES][XBAR_QUEUE],
            out[WIRES + HMDS]; /* from, to: of the HMDs, then of the wires; to the wires, then to the HMDs */
    } data;
};
#endif
