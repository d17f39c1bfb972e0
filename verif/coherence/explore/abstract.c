/* A device in abstract: an SMD and the slice above it as docs/coherence.md permits them, each step in no time (docs/explore.md). A block has one state. */
#include "explore.h"

static unsigned index_of(uint64_t line)
{
    return line_index(line & ~(uint64_t)(BLOCK_LINES - 1));
}

static uint64_t first_of(unsigned k)
{
    return now.line[k] & ~(uint64_t)(BLOCK_LINES - 1);
}

/* Lines may be stored into before the block's end, once they have come (S2). */
static bool early(const abstract_t *b, unsigned off)
{
    return (b->asked == 1 + SMD_READ || b->asked == 1 + SMD_OWN) && b->state == NMOESI_I && b->come >> off & 1;
}

/* `bytes`: it may have bytes that the home has not, or get some; else it gets none. */
static void ask(sys_t *s, unsigned d, unsigned k, unsigned op, bool bytes)
{
    net_t *n = &s->dev[d].net;
    s->dev[d].block[k].asked = (uint8_t)(1 + op);
    s->dev[d].block[k].still = op == SMD_EVICT && !bytes;
    n->req[n->reqs++] = (smd_req_t){.op = (uint8_t)op, .bytes = bytes, .line = first_of(k)};
}

/* Its place is another's. */
static bool taken(const sys_t *s, unsigned d, unsigned k)
{
    for (unsigned j = 0; j < now.lines; j++) {
        const abstract_t *b = &s->dev[d].block[j];
        if (j != k && smd_place(now.line[j]) == smd_place(now.line[k]) && (b->state != NMOESI_I || b->asked))
            return true;
    }
    return false;
}

static void store(sys_t *s, unsigned a, unsigned op, unsigned li, unsigned value)
{
    const unsigned k = index_of(now.line[li]), off = smd_off(now.line[li]), byte = op == OP_AMO ? (unsigned)COMMON : a;
    abstract_t *b = &s->dev[now.at[a]].block[k];
    agent_t *g = &s->agent[a];
    const uint64_t was = b->data[off];
    g->line = (uint8_t)li;
    g->value = op == OP_AMO ? (uint8_t)(now.ever ? value : s->last[li][COMMON] + 1u) : next_value(s, a, li, value);
    b->data[off] = with_byte(was, byte, g->value);
    b->mask[off] |= (uint8_t)(1u << byte);
    tell("agent %u: stores %s line %u of device %u", a, op == OP_AMO ? "coherently into" : "into",
         (unsigned)now.line[li], now.at[a]);
    if (b->state == NMOESI_I)
        b->touched = true;
    else
        b->state = (uint8_t)(op == OP_AMO ? (unsigned)NMOESI_M : smd_touched(b->state));
    rule_answer(s, a, op, op == OP_AMO ? was : b->data[off]);
    g->line = g->value = 0;
}

bool abstract_starts(sys_t *s, unsigned a, unsigned op, unsigned li, unsigned value, bool really)
{
    const unsigned d = now.at[a], k = index_of(now.line[li]), off = smd_off(now.line[li]);
    abstract_t *b = &s->dev[d].block[k];
    const bool room = s->dev[d].net.reqs < NET && !b->asked;
    unsigned asks = 4;
    switch (op) {
    case OP_LOAD:
        if (b->state != NMOESI_I || !room || taken(s, d, k))
            return false;
        asks = SMD_READ;
        break;
    case OP_N_STORE:
        if (b->still || (b->state == NMOESI_I && !early(b, off)))
            return false;
        break;
    case OP_AMO:
        if ((smd_alone(b->state) && !b->still) || (early(b, off) && b->asked == 1 + SMD_OWN))
            break;
        if (value || !room || taken(s, d, k))
            return false;
        asks = SMD_OWN;
        break;
    case OP_EVICT:
    case OP_FLUSH:
        if (!room || off || b->state == NMOESI_I || (value && (op == OP_FLUSH || smd_dirty(b->state)))
            || (op == OP_FLUSH && !smd_dirty(b->state)))
            return false;
        asks = op == OP_EVICT ? SMD_EVICT : SMD_FLUSH;
        break;
    default: return false;
    }
    if (!really)
        return true;
    if (asks == 4)
        store(s, a, op, li, value);
    else
        ask(s, d, k, asks,
            asks >= SMD_EVICT && (smd_dirty(b->state) || (now.ever ? value : s->agent[a].left[OP_N_STORE])));
    if (!now.ever && !(op == OP_AMO && asks != 4))
        s->agent[a].left[op]--;
    return true;
}

static void acknowledge(net_t *n, const smd_ack_t *k)
{
    n->ack[n->acks++] = *k;
}

/* S3, if there is room for all that it gives. */
static void probe(sys_t *s, unsigned d, choice_t *c)
{
    net_t *n = &s->dev[d].net, *to = NULL;
    if (!n->probes || n->acks + BLOCK_LINES + 1u > NET)
        return;
    const smd_probe_t p = n->probe[0];
    abstract_t *b = &s->dev[d].block[line_index(p.line)];
    const unsigned st = b->state;
    const bool peer = p.to_peer && p.kind != PROBE_CLEAN && (smd_alone(st) || st == NMOESI_O);
    if (peer && (to = &s->dev[p.peer].net)->peers + BLOCK_LINES > NET)
        return;
    if (now.held & HOLD_PROBE && choose(c, 2, true))
        return;
    for (unsigned off = 0; off < BLOCK_LINES; off++) {
        const uint64_t line = p.line | off;
        if (peer)
            to->peer[to->peers++] = (smd_data_t){
                .line = line, .mask = naming(p.kind == PROBE_READ ? 0 : b->mask[off]), .data = {{b->data[off]}}};
        else if (p.kind != PROBE_READ && smd_dirty(st) && b->mask[off])
            acknowledge(n, &(smd_ack_t){.kind = SMD_BYTES,
                                        .line = line,
                                        .mask = naming(b->mask[off]),
                                        .data = {{b->data[off] & wide(b->mask[off])}}});
    }
    tell("device %u: is asked %u of line %u, held in %u", d, p.kind, (unsigned)p.line, st);
    acknowledge(n, &(smd_ack_t){.kind = SMD_DONE, .line = p.line, .state = (uint8_t)st, .sent = peer});
    if (p.kind != PROBE_READ)
        memset(b->mask, 0, sizeof b->mask);
    if (p.kind == PROBE_WRITE) {
        b->state = NMOESI_I;
        if (!b->come)
            memset(b->data, 0, sizeof b->data);
    } else if (p.kind == PROBE_CLEAN) {
        b->state = (uint8_t)(smd_alone(st) && p.keep ? (unsigned)NMOESI_E : nmoesi_next(st, NM_CLEAN));
    } else {
        b->state = (uint8_t)nmoesi_next(st, NM_READ_REQUEST);
    }
    memmove(n->probe, n->probe + 1, --n->probes * sizeof *n->probe);
    memset(n->probe + n->probes, 0, sizeof *n->probe);
}

/* S2. */
static void data(sys_t *s, unsigned d, smd_data_t *q, uint8_t *count)
{
    const smd_data_t v = *q;
    abstract_t *b = &s->dev[d].block[index_of(v.line)];
    if (v.grant)
        b->granted = (uint8_t)(1 + v.state);
    else {
        const unsigned off = smd_off(v.line);
        if (b->come >> off & 1)
            blame("fits: a line came twice to device %u", d);
        b->data[off] = v.data.w[0];
        b->mask[off] = named(&v.mask);
        b->come |= (uint8_t)(1u << off);
    }
    tell("device %u: %s of line %u comes", d, v.grant ? "the grant" : "data", (unsigned)v.line);
    if (!b->asked)
        blame("fits: device %u has asked for nothing", d);
    memmove(q, q + 1, --*count * sizeof *q);
    memset(q + *count, 0, sizeof *q);
}

/* A transaction ends when it has its grant and its lines. */
static void end(sys_t *s, unsigned d, unsigned k)
{
    net_t *n = &s->dev[d].net;
    abstract_t *b = &s->dev[d].block[k];
    const bool fetch = b->asked == 1 + SMD_READ || b->asked == 1 + SMD_OWN;
    if (!b->granted || (fetch && b->come != (1u << BLOCK_LINES) - 1) || n->acks == NET)
        return;
    if (fetch) {
        const unsigned g = b->granted - 1u;
        b->state = (uint8_t)(b->touched ? smd_touched(g) : g);
    }
    if (b->asked == 1 + SMD_EVICT && b->state != NMOESI_I)
        blame("fits: device %u holds what it has given back", d);
    b->asked = b->granted = b->come = 0;
    b->touched = b->still = false;
    acknowledge(n, &(smd_ack_t){.kind = SMD_ARRIVED, .line = first_of(k)});
}

void abstract_step(sys_t *s, unsigned d, choice_t *c)
{
    net_t *n = &s->dev[d].net;
    for (unsigned k = 0; k < now.lines; k++)
        if (first_of(k) == now.line[k]) {
            end(s, d, k);
            if (s->end == 2 && smd_dirty(s->dev[d].block[k].state) && !s->dev[d].block[k].asked && n->reqs < NET)
                ask(s, d, k, SMD_FLUSH, true);
        }
    probe(s, d, c);
    const unsigned of = (unsigned)!!n->datas | (unsigned)!!n->peers << 1, v = choose(c,
                                                                                     !of       ? 0
                                                                                     : of == 3 ? 3
                                                                                               : 2,
                                                                                     true);
    if (!of || (of != 3 && v) || v == 2 || (v && !(now.held & HOLD_DATA)))
        return;
    if (of == 2 || v)
        data(s, d, n->peer, &n->peers);
    else
        data(s, d, n->data, &n->datas);
}
