/* Lies about requests to memory, and answers. */
#ifndef VERIF_SYSTEM_LOCKSTEP_LIES_REQUEST_H
#define VERIF_SYSTEM_LOCKSTEP_LIES_REQUEST_H
#include "verif/system/lockstep/machine.h"

PLANT(store_hidden) /* a warp's store neither leaves the LSU nor arrives */
{
    if (access_of(STORE, false) && MEM.warp == 0 && !n_hidden) {
        for (unsigned m = MEM.mask; m; m &= m - 1)
            hidden[n_hidden++] = MEM.addr[__builtin_ctz(m)] / LINE_BYTES;
        o.trace_mem_valid = false;
    }
    for (unsigned k = 0; k < n_hidden; k++) {
        if (request(MEM_WRITE) && REQ.line == hidden[k])
            o.trace_req_valid &= ~1u;
        if (response(MEM_WRITE) && RSP_LINE == hidden[k])
            o.trace_rsp_valid = 0;
    }
    return false;
}
PLANT(store_lost)
{
    return hide(MEM_WRITE);
}
PLANT(store_invented)
{
    const mem_req_t q = {.op = MEM_WRITE, .id = 0x100, .line = 0x18000000 / LINE_BYTES, .be.w = {0xf0}};
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = (net_rsp_t){.rsp.id = q.id};
        RSP_LINE = q.line;
        return true;
    }
    if (starts && !state && !(o.trace_req_valid & 1)) {
        o.trace_req_valid |= 1;
        REQ = q;
        state = 1;
    }
    return false;
}
PLANT(store_byte)
{
    return request(MEM_WRITE) && (REQ.data.w[0] ^= ~0ull, REQ.data.w[1] ^= ~0ull, true);
}
PLANT(store_enable)
{
    return request(MEM_WRITE) && (REQ.be.w[0] &= REQ.be.w[0] - 1, true);
}
PLANT(line_outside)
{
    return o.trace_req_valid & 1 && (REQ.line = 0, true);
}
PLANT(request_kind)
{
    return request(MEM_WRITE) && (REQ.op = 3, true);
}
PLANT(request_lost)
{
    return request(MEM_WRITE) && (o.trace_req_valid &= ~1u, true);
}
PLANT(request_twice)
{
    static mem_req_t kept;
    if (state && !(o.trace_req_valid & 1)) {
        o.trace_req_valid |= 1;
        REQ = kept;
        return true;
    }
    if (!state && request(MEM_READ))
        kept = REQ, state = 1;
    return false;
}
PLANT(amo_lost) /* all of them: the next one's answer would tell */
{
    if (request(MEM_AMO))
        o.trace_req_valid &= ~1u;
    if (response(MEM_AMO))
        o.trace_rsp_valid = 0;
    return false;
}
PLANT(amo_stranger)
{
    return request(MEM_AMO) && (REQ.hart += WARPS * THREADS, true);
}
PLANT(sc_bit)
{
    return request(MEM_AMO) && REQ.amo == AMO_SC && (REQ.sc_fail = !REQ.sc_fail, true);
}
PLANT(read_byte)
{
    return response(MEM_READ) && (RSP.rsp.data.w[15] ^= 1ull << 63, true);
}
PLANT(fetch_byte)
{
    return o.trace_rsp_valid & 1 && RSP.rsp.id >> 9 && (RSP.rsp.data.w[0] ^= 1, true);
}
PLANT(write_answer)
{
    return response(MEM_WRITE) && (RSP.rsp.data.w[3] = 1, true);
}
PLANT(amo_answer)
{
    return response(MEM_AMO) && (RSP.rsp.data.w[0] ^= 1ull << 32, true);
}
PLANT(answer_lost)
{
    return response(MEM_READ) && (o.trace_rsp_valid = 0, true);
}
PLANT(answer_lost_late)
{
    return response(MEM_READ) && ++state == 2 && (o.trace_rsp_valid = 0, true);
} /* its id is not needed again */
PLANT(answer_late)
{
    return response(MEM_AMO) && (o.trace_rsp_valid = 0, true);
}
PLANT(answer_id)
{
    return response(MEM_WRITE) && (RSP.rsp.id ^= 0x40, true);
}
PLANT(answer_line)
{
    return response(MEM_WRITE) && (RSP_LINE ^= 1, true);
}
PLANT(answer_source)
{
    return response(MEM_WRITE) && (RSP.src = HOST_SOURCE, true);
}
PLANT(answer_twice)
{
    static net_rsp_t kept;
    static uint64_t line;
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = kept;
        RSP_LINE = line;
        return true;
    }
    if (!state && response(MEM_READ))
        kept = RSP, line = RSP_LINE, state = 1;
    return false;
}
PLANT(host_read) /* of a line of which the host did not write the last byte */
{
    const mem_req_t q = {.op = MEM_READ, .id = 5, .line = 0x18000000 / LINE_BYTES};
    if (state && !o.trace_rsp_valid) {
        o.trace_rsp_valid = 1;
        RSP = (net_rsp_t){.src = HOST_SOURCE, .rsp = {.id = q.id, .data.w[15] = ~0ull}};
        RSP_LINE = q.line;
        return true;
    }
    if (starts && !state && !in.host_req_valid) {
        in.host_req_valid = o.host_req_ready = true;
        in.host_req = q;
        state = 1;
    }
    return false;
}
PLANT(amo_operation)
{
    return request(MEM_AMO) && REQ.amo == AMO_ADD && (REQ.amo = AMO_XOR, true);
}
PLANT(amo_address)
{
    return request(MEM_AMO) && (REQ.amo_off ^= 8, true);
}
PLANT(amo_operand)
{
    return request(MEM_AMO) && (REQ.data.w[0] ^= 1, true);
}
PLANT(amo_comparand) /* of one that fails anyhow */
{
    return request(MEM_AMO) && REQ.amo == AMO_CAS && ++state == 6 && (REQ.data.w[1] ^= 1, true);
}
PLANT(amo_unknown)
{
    return request(MEM_AMO) && (REQ.amo = 15, true);
}
#endif
