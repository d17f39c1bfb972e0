/* Streams between the blocks of the memory side that are held up for a while: in a cycle in which a stream is held, neither end sees the other. Each stream by itself, of every net: how
 * often and how long changes with the kind of stream every few hundred cycles. (Streams that are always taken cannot be held; answers of memories take their time there.) */
#ifndef VERIF_RANDOM_HOLDS_H
#define VERIF_RANDOM_HOLDS_H

enum { KINDS = 24, MOST = 64 };
static struct {
    vl_rng_t rng;
    bool none; /* no stream is held */
    unsigned rate[KINDS], length[KINDS];
    uint64_t until[KINDS][MOST];
    uint64_t held, trace; /* how often; answers of slices that are held in this cycle */
    unsigned undos;
    struct {
        void *at;
        uint64_t was;
        uint8_t size;
    } undo[2 * KINDS * MOST];
} holds;

static void holds_start(uint64_t seed)
{
    memset(holds.until, 0, sizeof holds.until);
    holds.rng.s = seed;
    holds.none = false;
    holds.undos = 0;
}

static void holds_style(void)
{
    const unsigned busy = vl_below(&holds.rng, 4);
    for (unsigned k = 0; k < KINDS; k++) {
        const unsigned p = vl_below(&holds.rng, 6);
        holds.rate[k] = busy == 0 || p < 3 - (busy == 3) ? 0 : p == 5 ? 200 : 1 + vl_below(&holds.rng, 60);
        holds.length[k] = vl_below(&holds.rng, 3) ? 1 + vl_below(&holds.rng, 8) : vl_below(&holds.rng, 3) ? 40 : 400;
        if (holds.length[k] > 8 && holds.rate[k] > 8)
            holds.rate[k] = 8;
    }
    /* messages of two kinds alone are held back; the second is often a request to a stack or memory */
    if (vl_below(&holds.rng, 2)) {
        memset(holds.rate, 0, sizeof holds.rate);
        for (unsigned n = 0; n < 2; n++) {
            const unsigned k = n && vl_below(&holds.rng, 2) ? 5 + vl_below(&holds.rng, 2) : vl_below(&holds.rng, KINDS);
            holds.rate[k] = 8 + vl_below(&holds.rng, 60);
            holds.length[k] = 30 + vl_below(&holds.rng, 100);
        }
    }
    memory.rate = vl_below(&holds.rng, 3) ? 200 : 4 + vl_below(&holds.rng, 100);
}

static bool holds_now(unsigned kind, unsigned k, uint64_t cycle)
{
    if (cycle < holds.until[kind][k])
        return true;
    if (!vl_chance(&holds.rng, holds.rate[kind]))
        return false;
    holds.until[kind][k] = cycle + 1 + vl_below(&holds.rng, holds.length[kind]);
    return true;
}

static void holds_clear(void *at, size_t size, uint64_t was)
{
    holds.undo[holds.undos].at = at;
    holds.undo[holds.undos].was = was;
    holds.undo[holds.undos++].size = (uint8_t)size;
}

/* Bit i of valid, bit j of ready: of instance n of this kind. */
#define CLEAR(x, i) (holds_clear(&(x), sizeof(x), (uint64_t)(x)), (x) = (__typeof__(x))((uint64_t)(x) & ~(1ull << (i))))
#define HOLD(kind, n, valid, i, ready, j)                                                    \
    if ((uint64_t)(valid) >> (i) & (uint64_t)(ready) >> (j) & 1 && holds_now(kind, n, cycle)) { \
        CLEAR(valid, i);                                                                     \
        CLEAR(ready, j);                                                                     \
        holds.held++;                                                                        \
        if ((kind) == 1)                                                                     \
            holds.trace |= 1ull << (n);                                                      \
    }
/* Between slice k and its home, an SMD or an HMD. */
#define HOLD_HOME(k, home)                                                       \
    HOLD(2, k, c->l2_o[k].home_req_valid, 0, (home).home_req_ready, 0) \
    HOLD(3, k, c->l2_o[k].home_ack_valid, 0, (home).home_ack_ready, 0) \
    HOLD(4, k, (home).home_probe_valid, 0, c->l2_o[k].home_probe_ready, 0)

/* Before the edge; twins are asked all, since a hold ends without a word. */
static void holds_begin(struct memside *c, uint64_t cycle)
{
    holds.undos = 0;
    holds.trace = 0;
#define ASK(name, b, n) c->name##_ask = ALL(n);
    MEMSIDE_ARRAYS(ASK)
#undef ASK
    if (holds.none)
        return;
    for (unsigned k = 0; k < SLICES; k++) {
        HOLD(0, k, c->req_net_o.slice_req_valid, k, c->l2_o[k].net_req_ready, 0)
        HOLD(1, k, c->l2_o[k].net_rsp_valid, 0, c->rsp_net_o.slice_rsp_ready, k)
    }
    for (unsigned k = 0; k < SMDS; k++) {
        HOLD_HOME(k, c->smd_o[k])
        HOLD(5, k, c->smd_o[k].stack_req_valid, 0, c->port_o[k].stack_req_ready, 0)
        HOLD(6, k, c->port_o[k].home_req_valid, 0, c->sched_o[k].home_req_ready, 0)
        HOLD(7, k, c->smd_o[k].smd_req_valid, 0, c->smd_net_o.smd_req_ready, k)
        HOLD(8, k, c->smd_o[k].smd_ack_valid, 0, c->smd_net_o.smd_ack_ready, k)
        HOLD(9, k, c->smd_o[k].smd_peer_valid, 0, c->smd_net_o.smd_peer_ready, k)
        HOLD(10, k, c->smd_net_o.smd_probe_valid, k, c->smd_o[k].smd_probe_ready, 0)
        HOLD(11, k, c->smd_net_o.smd_data_valid, k, c->smd_o[k].smd_data_ready, 0)
    }
    for (unsigned h = 0; h < HMDS; h++) {
        const unsigned k = SMDS + h;
        HOLD_HOME(k, c->hmd_o[h])
        HOLD(6, k, c->hmd_o[h].host_req_valid, 0, c->sched_o[k].home_req_ready, 0)
        HOLD(12, h, c->hmd_o[h].smd_probe_valid, 0, c->hmd_net_o.hmd_probe_ready, h)
        HOLD(13, h, c->hmd_o[h].smd_data_valid, 0, c->hmd_net_o.hmd_data_ready, h)
        HOLD(14, h, c->hmd_net_o.hmd_req_valid, h, c->hmd_o[h].smd_req_ready, 0)
        HOLD(15, h, c->hmd_net_o.hmd_ack_valid, h, c->hmd_o[h].smd_ack_ready, 0)
    }
    for (unsigned w = 0; w < WIRES; w++) {
        HOLD(16, w, c->smd_net_o.up_req_valid, w, c->up_o[w].req_in_ready, 0)
        HOLD(17, w, c->smd_net_o.up_ack_valid, w, c->up_o[w].ack_in_ready, 0)
        HOLD(18, w, c->smd_net_o.up_data_valid, w, c->up_o[w].data_in_ready, 0)
        HOLD(19, w, c->up_o[w].req_out_valid, 0, c->hmd_net_o.up_req_ready, w)
        HOLD(20, w, c->up_o[w].ack_out_valid, 0, c->hmd_net_o.up_ack_ready, w)
        HOLD(21, w, c->up_o[w].data_out_valid, 0, c->hmd_net_o.up_data_ready, w)
        HOLD(22, w, c->hmd_net_o.down_probe_valid, w, c->down_o[w].probe_in_ready, 0)
        HOLD(23, w, c->hmd_net_o.down_data_valid, w, c->down_o[w].data_in_ready, 0)
        HOLD(22, WIRES + w, c->down_o[w].probe_out_valid, 0, c->smd_net_o.down_probe_ready, w)
        HOLD(23, WIRES + w, c->down_o[w].data_out_valid, 0, c->smd_net_o.down_data_ready, w)
    }
}

/* After the edge: a block that was not clocked keeps its outputs. */
static void holds_end(void)
{
    while (holds.undos) {
        holds.undos--;
        memcpy(holds.undo[holds.undos].at, &holds.undo[holds.undos].was, holds.undo[holds.undos].size);
    }
}
#endif
