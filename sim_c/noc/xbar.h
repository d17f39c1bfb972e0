/* Twin of rtl/noc/xbar.sv without the words themselves: which word moves where (docs/blocks/req_net.md). The networks keep their words
 * in arrays of their own, in[source][slot] and out[destination], and copy one only when it moves. Sets of ports are bit masks, of one word where a
 * file that has more than 64 does not say so (XBAR_PORTS). */
#ifndef VL_XBAR_H
#define VL_XBAR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "sim_c/common/sets.h"

#ifndef XBAR_PORTS
#define XBAR_PORTS 64
#endif
#if XBAR_PORTS > 64
typedef vl_set_t xbar_set_t;
#else
typedef uint64_t xbar_set_t;
#endif
enum { XBAR_QUEUE = 2 };
#define XBAR_BIT(p) ((xbar_set_t)1 << (p))

typedef struct {
    xbar_set_t waiting, full; /* sources with a word in their queue; with a full one */
    xbar_set_t valid; /* destinations with a word in their register */
    xbar_set_t all; /* every source */
    xbar_set_t from[XBAR_PORTS]; /* by destination: the sources at its pointer and above */
    uint8_t src[XBAR_PORTS]; /* by destination: the source of its word */
    uint8_t first[XBAR_PORTS]; /* by source: the slot of the head */
    uint8_t dest[XBAR_PORTS][XBAR_QUEUE];
} xbar_t;

typedef struct {
    uint8_t dest, src, slot;
} xbar_move_t;

/* `x` is all zero. */
static inline void xbar_reset(xbar_t *x, unsigned sources, unsigned dests)
{
    x->all = ~(xbar_set_t)0 >> (8 * sizeof(xbar_set_t) - sources);
    for (unsigned d = 0; d < dests; d++)
        x->from[d] = x->all;
}

static inline bool xbar_idle(const xbar_t *x)
{
    return !x->waiting && !x->valid;
}

/* Nothing moves until a word comes or one that is shown is taken: every head waits for a register that holds a word. */
static inline bool xbar_waits(const xbar_t *x)
{
    for (xbar_set_t w = x->waiting; w; w &= w - 1) {
        unsigned s = vl_first(w);
        if (!(x->valid >> x->dest[s][x->first[s]] & 1))
            return false;
    }
    return true;
}

static inline void xbar_pop(xbar_t *x, unsigned s)
{
    if (x->full >> s & 1)
        x->full &= ~XBAR_BIT(s);
    else
        x->waiting &= ~XBAR_BIT(s);
    x->first[s] ^= 1;
}

/* Step 1: fills the registers that are empty or taken (`ready`) from the heads. Lists the moves and returns how many. */
static inline unsigned xbar_move(xbar_t *x, xbar_set_t ready, xbar_move_t *move)
{
    xbar_set_t load = ~x->valid | ready, asked = 0, want[XBAR_PORTS];
    for (xbar_set_t w = x->waiting; w; w &= w - 1) {
        unsigned s = vl_first(w), d = x->dest[s][x->first[s]];
        if (!(load >> d & 1))
            continue;
        want[d] = (asked >> d & 1 ? want[d] : 0) | XBAR_BIT(s);
        asked |= XBAR_BIT(d);
    }
    x->valid &= ~load;
    x->valid |= asked;
    unsigned n = 0;
    for (; asked; asked &= asked - 1) {
        unsigned d = vl_first(asked);
        xbar_set_t high = want[d] & x->from[d];
        unsigned s = vl_first(high ? high : want[d]);
        xbar_set_t above = x->all & ~(XBAR_BIT(s) | (XBAR_BIT(s) - 1));
        x->from[d] = above ? above : x->all;
        x->src[d] = (uint8_t)s;
        move[n++] = (xbar_move_t){.dest = (uint8_t)d, .src = (uint8_t)s, .slot = x->first[s]};
        xbar_pop(x, s);
    }
    return n;
}

/* Step 2: a word of source s, which had room in its queue before this edge; returns its slot. */
static inline unsigned xbar_put(xbar_t *x, unsigned s, unsigned dest)
{
    bool second = x->waiting >> s & 1;
    unsigned slot = x->first[s] ^ second;
    x->dest[s][slot] = (uint8_t)dest;
    if (second)
        x->full |= XBAR_BIT(s);
    x->waiting |= XBAR_BIT(s);
    return slot;
}

/* Step 1 with the words of a network: each has `size` bytes. */
static inline void xbar_carry(xbar_t *x, xbar_set_t ready, void *out, const void *in, size_t size)
{
    xbar_move_t move[XBAR_PORTS];
    for (unsigned n = xbar_move(x, ready, move), i = 0; i < n; i++)
        memcpy((char *)out + move[i].dest * size,
               (const char *)in + (move[i].src * (size_t)XBAR_QUEUE + move[i].slot) * size, size);
}

/* The words that are shown, each at its destination. */
static inline void xbar_show(const xbar_t *x, void *to, const void *out, size_t size)
{
    for (xbar_set_t v = x->valid; v; v &= v - 1) {
        unsigned d = vl_first(v);
        memcpy((char *)to + d * size, (const char *)out + d * size, size);
    }
}

/* Of a network, a struct with its crossbar x and its words in[source][slot] and out[destination]: sources that may send; steps 1 and 2; the words shown. */
#define XBAR_ROOM(net) ((net).x.all & ~(net).x.full)
#define XBAR_SHOW(net, to) xbar_show(&(net).x, to, (net).out, sizeof *(net).out)
#define XBAR_CARRY(net, ready) xbar_carry(&(net).x, ready, (net).out, (net).in, sizeof *(net).out)
#define XBAR_PUT(net, source, dest) (net).in[source][xbar_put(&(net).x, source, dest)]
#endif
