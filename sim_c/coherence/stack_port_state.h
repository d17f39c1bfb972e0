/* The state of the twin of rtl/coherence/stack_port.sv (sim_c/coherence/stack_port.c, docs/blocks/stack_port.md): plain data,
 * without a pointer; fields that are not valid are 0. */
#ifndef VL_STACK_PORT_STATE_H
#define VL_STACK_PORT_STATE_H
#include "sim_c/common/memory_map.h"
#include "stack_port_ports.h"

enum { STACK_LINES = STACK_BYTES / LINE_BYTES };

struct stack_port {
    uint8_t count; /* of q */
    bool b_valid, rsp_valid;
    home_req_t q[2]; /* as they are offered */
    stack_req_t b;
    stack_rsp_t rsp;
    line_mask_t m[STACK_READERS];
    line_mask_t marks[STACK_LINES];
};
#endif
