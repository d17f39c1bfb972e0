/* The scoreboard of the SMD bench: bytes, and who may do what, without a directory. It knows the seam (docs/home-seam.md), the protocol (docs/coherence.md) and
 * that a stack performs the requests of a line in their order; of the page only where a line stands in the stack.
 *
 * Each line has the bytes that were given to the SMD and are not written to the stack yet (`given`, in their order), what stands in the stack (`cell`, `marks`), what
 * the home has (`home`), what it must have when nobody else holds bytes (`truth`), and the slice's copy. A write into the stack is the oldest of what was given for its
 * line, or clears the marks of bytes that go to the home. What a probe must bring is known when the last acknowledgement of the line has come: all that was given by then.
 *
 * With memory = zerocopy nothing goes to the stack: what is given goes home once, in its order (BYTES); a line is asked for once (GET), with the right to its block and
 * behind its bytes, and has what home had at that moment. Bytes that went home since the block was asked for them last are `shared`: copies of other devices lack them.
 *
 * With memcpy and managed the same holds of blocks that are at home elsewhere. Of a block that is *near* (at home here) no message speaks: the slice's bytes and reads go to the stack,
 * and so do the HMD's (`mem`), each once. Of two requests for a line the older is performed first: of the HMD's among themselves; of one of the HMD's and one of the slice's that was
 * taken later, or that had to wait for a grant behind it; and of bytes that DONE has spoken of and one of the HMD's that came after that. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_H
#include "smd_ports.h"
#include "sim_c/common/vl_bits.h"
#include "verif/coherence/grains.h"
#include "verif/common/places.h"

enum {
    SB_BLOCKS = 24,
    SB_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    SB_LINES = SB_BLOCKS * SB_LPB,
    SB_GIVEN = 16,
    SB_PEERS = 64,
    SB_MEMS = 16
};
typedef vl_bits_128 sb_mask_t;
typedef vl_bits_1024 sb_data_t;

static bool mask_none(sb_mask_t m)
{
    return !(m.w[0] | m.w[1]);
}
static bool mask_same(sb_mask_t a, sb_mask_t b)
{
    return a.w[0] == b.w[0] && a.w[1] == b.w[1];
}
static sb_mask_t mask_or(sb_mask_t a, sb_mask_t b)
{
    return (sb_mask_t){{a.w[0] | b.w[0], a.w[1] | b.w[1]}};
}
static sb_mask_t mask_without(sb_mask_t a, sb_mask_t b)
{
    return (sb_mask_t){{a.w[0] & ~b.w[0], a.w[1] & ~b.w[1]}};
}
static bool mask_within(sb_mask_t a, sb_mask_t b)
{
    return mask_none(mask_without(a, b));
}

/* Bytes of `from` where m has a 1. */
static void bytes_put(sb_data_t *to, const sb_data_t *from, sb_mask_t m)
{
    for (unsigned i = 0; i < LINE_BYTES / 8; i++) {
        uint64_t bits = m.w[i / 8] >> i % 8 * 8 & 255, wide = 0;
        for (unsigned k = 0; bits && k < 8; k++)
            wide |= (bits >> k & 1) * 255ull << 8 * k;
        to->w[i] = (to->w[i] & ~wide) | (from->w[i] & wide);
    }
}
static bool bytes_same(const sb_data_t *a, const sb_data_t *b, sb_mask_t m)
{
    sb_data_t x = {{0}}, y = {{0}};
    bytes_put(&x, a, m);
    bytes_put(&y, b, m);
    return !memcmp(&x, &y, sizeof x);
}

typedef struct {
    bool whole; /* a whole line, of which `marks` says the stored bytes; else only stored bytes */
    uint64_t when, known; /* known: near, when DONE spoke of it; 0: not yet */
    sb_mask_t be, marks;
    sb_data_t data;
} sb_given_t;
typedef enum { GET_NONE, GET_ASKED, GET_COME } sb_get_e;
typedef struct {
    uint64_t addr;
    unsigned block;
    sb_data_t home, truth, cell;
    sb_mask_t marks;
    sb_given_t given[SB_GIVEN];
    unsigned first, count;
    /* the slice */
    uint8_t st, op, id;
    /* a read under way; a write-back that the home has not taken; a probe without acknowledgement */
    bool awaited, offered, probed;
    uint64_t asked_since;
    sb_mask_t own;
    sb_data_t bytes;
    /* the probe of its block that is being answered */
    bool ask, asked, got_valid;
    sb_mask_t must, got, sent;
    uint64_t must_when;
    sb_data_t got_data;
    sb_mask_t to_clear; /* their marks are still to be cleared in the stack */
    sb_mask_t flush; /* to be sent before maintenance is done; */
    /* of these, bytes that the probe being answered does not bring, as they were written back after the stack was read */
    sb_mask_t late;
    bool here; /* has arrived since the SMD held nothing of the block */
    /* far */
    sb_get_e get; /* of the read that is awaited */
    uint64_t taken_since; /* cycle in which the SMD took it */
    sb_data_t fetched; /* what home had */
    uint64_t shared; /* when the oldest such bytes were given; 0: none */
    bool share; /* maintenance must bring them home */
} sb_line_t;
/* What the HMD knows of a block. */
typedef enum { HELD_NONE, HELD_SHARED, HELD_OWNED, HELD_ALONE } sb_held_e;
typedef enum { TX_NONE, TX_ASKED, TX_SELF, TX_LINES, TX_GRANTED } sb_tx_e; /* SELF: i itself is asked first */
typedef struct {
    uint64_t block; /* of the channel */
    unsigned place;
    sb_held_e held;
    sb_tx_e tx;
    smd_req_t req;
    bool granted; /* LINES: the grant has been given */
    uint8_t grant;
    bool more; /* GRANTED: the next request has overtaken ARRIVED */
    smd_req_t next;
    bool probing; /* a probe is on its way or being answered */
    bool job; /* the SMD has taken it, and DONE has not come */
    smd_probe_t probe;
    uint64_t job_since;
    /* EVICT had been sent when it was taken, and said that the block has no bytes: others may keep their copies */
    bool none;
    unsigned sent_peer; /* lines of it that were read for the peer */
    bool held_before; /* INVAL: it must be taken before the end */
    bool near; /* at home in this stack; */
    /* in the place of a block with a lower number: a machine has room for all, so the bench does not use it */
    bool out;
    uint64_t granted_since, done_since; /* the last grant, the last DONE */
} sb_block_t;
/* A read or write of the HMD's that the SMD has taken: until the stack performs it, or it is answered. */
typedef struct {
    sb_line_t *line;
    smd_data_t ask;
    uint64_t when;
    bool performed;
    sb_data_t got;
} sb_mem_t;
typedef struct {
    sb_line_t line[SB_LINES];
    sb_block_t block[SB_BLOCKS];
    unsigned channel, device;
    uint8_t memory;
    bool far; /* memory is not umh */
    sb_mem_t mem[SB_MEMS]; /* oldest first */
    unsigned mems;
    sb_line_t *answered; /* last */
    uint64_t now, maint_since;
    unsigned job_block; /* of the last probe that the SMD took; DONE of those before it may still be on the way */
    struct {
        smd_peer_t line;
        uint64_t since;
    } peer[SB_PEERS]; /* still to be seen */
    unsigned peers;
    bool maint;
    maint_t order;
} sb_t;

static uint64_t sb_stack_line(const sb_t *s, const sb_line_t *l)
{
    return ((uint64_t)s->block[l->block].place * CHANNELS + s->channel) * SB_LPB + l->addr % SB_LPB;
}

/* Where a near line stands in the stack of its home device. */
static uint64_t sb_home_line(const sb_t *s, const sb_line_t *l)
{
    const uint64_t n = s->block[l->block].block, h = s->memory == MEMORY_MEMCPY ? n / DEVICES : n;
    return (h % (STACK_BYTES / INTERLEAVE_BYTES) * CHANNELS + s->channel) * SB_LPB + l->addr % SB_LPB;
}

/* A line stands at this line of the stack. */
static bool sb_stands(const sb_t *s, const sb_line_t *l, uint64_t stack_line)
{
    const sb_block_t *b = &s->block[l->block];
    return s->far ? b->near && !b->out && sb_home_line(s, l) == stack_line : sb_stack_line(s, l) == stack_line;
}

/* Another policy, when nothing is held: what memory has stays so. */
static void sb_policy(sb_t *s, uint8_t memory)
{
    for (unsigned i = 0; i < SB_LINES; i++)
        if (s->block[s->line[i].block].near)
            s->line[i].home = s->line[i].truth = s->line[i].cell;
    s->memory = memory;
    s->far = memory != MEMORY_UMH;
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        sb_block_t *b = &s->block[k];
        b->near = (memory == MEMORY_MEMCPY && b->block % DEVICES == s->device)
                  || (memory == MEMORY_MANAGED && s->device == 0);
        b->out = false;
        for (unsigned i = 0; i < k && b->near; i++)
            b->out |=
                s->block[i].near && sb_home_line(s, &s->line[i * SB_LPB]) == sb_home_line(s, &s->line[k * SB_LPB]);
    }
    for (unsigned i = 0; i < SB_LINES; i++)
        if (s->block[s->line[i].block].near) {
            s->line[i].cell = s->line[i].home;
            s->line[i].marks = s->line[i].to_clear = (sb_mask_t){{0}};
        }
}

static sb_line_t *sb_find(sb_t *s, uint64_t addr)
{
    for (unsigned b = 0; b < SB_BLOCKS; b++)
        if (s->line[b * SB_LPB].addr / SB_LPB == addr / SB_LPB)
            return &s->line[b * SB_LPB + addr % SB_LPB];
    return NULL;
}

static bool sb_alone(const sb_block_t *b)
{
    return b->held == HELD_ALONE || ((b->tx == TX_LINES || b->tx == TX_GRANTED) && b->req.op == SMD_OWN);
}

/* The marks when all that was given will have been written. */
static sb_mask_t sb_fold(const sb_line_t *l)
{
    sb_mask_t m = mask_without(l->marks, l->to_clear);
    for (unsigned i = 0; i < l->count; i++) {
        const sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        m = g->whole ? g->marks : mask_or(m, g->marks);
    }
    return m;
}

static const char *sb_give(sb_t *s, sb_line_t *l, bool whole, sb_mask_t be, sb_mask_t marks, const sb_data_t *data)
{
    if (l->count == SB_GIVEN)
        return "bytes are taken, and never written to the stack";
    l->given[(l->first + l->count++) % SB_GIVEN] =
        (sb_given_t){.whole = whole, .when = s->now, .be = be, .marks = marks, .data = *data};
    bytes_put(&l->truth, data, be);
    return NULL;
}

/* ---- the slice's side ------------------------------------------------------------------------------------------------------------------ */

static const char *sb_request(sb_t *s, const home_req_t *r)
{
    sb_line_t *l = sb_find(s, r->line);
    if (r->op != HOME_WRITE_BACK) {
        l->get = GET_NONE;
        l->taken_since = s->now;
        return NULL;
    }
    l->offered = false;
    if (l->st == NMOESI_I)
        l->ask = false;
    return mask_none(r->be) ? NULL : sb_give(s, l, false, r->be, r->be, &r->data);
}

static const char *sb_response(sb_t *s, const home_rsp_t *r)
{
    sb_line_t *l = NULL;
    for (unsigned i = 0; i < SB_LINES && !l; i++)
        if (s->line[i].awaited && s->line[i].id == r->id)
            l = &s->line[i];
    if (!l)
        return "an answer that nobody waits for";
    if (l->probed)
        return "a line is granted while a probe of it has no acknowledgement";
    if (s->far ? l->get != GET_COME : !l->here)
        return "a line is granted that the SMD does not hold";
    if (r->state == NMOESI_I || r->state == NMOESI_O || r->state > NMOESI_M)
        return "a grant of I or O";
    if (l->op == HOME_READ_OWN && r->state != NMOESI_E && r->state != NMOESI_M)
        return "READ_OWN is answered with less than E";
    if ((r->state == NMOESI_E || r->state == NMOESI_M) && !sb_alone(&s->block[l->block]))
        return "E is granted, and the SMD does not hold the block alone";
    if (l->count)
        return "a line is granted without bytes that were given before";
    if (memcmp(&r->data, s->far ? &l->fetched : &l->cell, sizeof l->cell))
        return "a line is granted with other bytes than it has";
    l->awaited = false;
    l->st = l->op == HOME_READ_OWN ? NMOESI_M : r->state;
    l->own = (sb_mask_t){{0}};
    l->bytes = r->data;
    s->answered = l;
    return NULL;
}

static const char *sb_asked(sb_t *s, const home_probe_t *p)
{
    sb_line_t *l = sb_find(s, p->line);
    if (!l || l->block != s->job_block || !s->block[l->block].job)
        return "the slice is asked for a line that nobody asked for";
    if (l->asked)
        return "the slice is asked twice";
    if (p->kind != (s->block[l->block].probe.kind == PROBE_WRITE ? PROBE_WRITE : PROBE_CLEAN))
        return "the slice is asked for something else";
    l->asked = l->probed = true;
    return NULL;
}

static const char *sb_acked(sb_t *s, const home_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    l->probed = false;
    const char *why = mask_none(a->be) ? NULL : sb_give(s, l, false, a->be, a->be, &a->data);
    l->must = sb_fold(l);
    l->must_when = s->now;
    return why;
}

/* ---- the stack -------------------------------------------------------------------------------------------------------------------------- */

static const char *sb_clears(sb_line_t *l, const stack_req_t *r)
{
    if (!mask_same(r->be, l->to_clear))
        return "marks are cleared of other bytes than were sent";
    if (!bytes_same(&r->data, &l->cell, r->be))
        return "clearing marks changes bytes";
    l->marks = mask_without(l->marks, r->be);
    l->to_clear = (sb_mask_t){{0}};
    return NULL;
}

/* A line is asked for or read where it is at home: what is wrong. */
static const char *sb_reads(const sb_t *s, const sb_line_t *l)
{
    const sb_block_t *b = &s->block[l->block];
    if (l->get != GET_NONE)
        return "a line is read at home that was read before";
    if (b->held == HELD_NONE || (l->op == HOME_READ_OWN && b->held != HELD_ALONE))
        return "a line is read at home without the right to the block";
    if (l->probed)
        return "a line is read at home while the slice is asked for it";
    const smd_req_t *r = b->more ? &b->next : &b->req;
    if ((b->more || b->tx == TX_ASKED || b->tx == TX_SELF) && r->op == SMD_EVICT && !r->bytes)
        return "a line is read at home of a block whose EVICT said that it has no bytes";
    return l->count ? "a line is read at home before bytes that were given earlier" : NULL;
}

/* Bytes of the slice are home. */
static const char *sb_home(const sb_t *s, sb_line_t *l)
{
    const sb_given_t *g = &l->given[l->first];
    const sb_block_t *b = &s->block[l->block];
    if (b->job && b->none && g->when > b->job_since)
        return "bytes come home of a block whose EVICT said that it has none";
    bytes_put(&l->home, &g->data, g->be);
    if (!l->shared && (!b->near || (!g->known && g->when > b->done_since)))
        l->shared = g->when;
    l->first = (l->first + 1) % SB_GIVEN;
    l->count--;
    return NULL;
}

/* Bytes are on their way that no DONE has spoken of: near, in the stack. (Of those that came beside the last DONE nobody knows.) */
static bool sb_news(const sb_t *s, const sb_line_t *l, uint64_t until)
{
    const sb_block_t *b = &s->block[l->block];
    bool news = false;
    for (unsigned i = 0; i < l->count; i++) {
        const sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        news |= !b->near || (!g->known && g->when > b->done_since && g->when <= until);
    }
    return news;
}

/* Bytes of the slice that DONE had spoken of by then are not in the stack. */
static bool sb_known(const sb_line_t *l, uint64_t when)
{
    return l->count && l->given[l->first].known && l->given[l->first].known <= when;
}

static sb_mask_t sb_all(sb_mask_t m)
{
    return mask_none(m) ? (sb_mask_t){{~0ull, ~0ull}} : m;
}

/* The stack has taken a request, and is home of the line. */
static const char *sb_near(sb_t *s, const stack_req_t *r)
{
    sb_line_t *l = NULL;
    sb_mem_t *m = NULL; /* the oldest that the HMD asks of the line */
    for (unsigned i = 0; i < SB_LINES && !l; i++)
        l = sb_stands(s, &s->line[i], r->line) ? &s->line[i] : NULL;
    if (!l)
        return "the stack is used for a line that is not at home here";
    for (unsigned i = 0; i < s->mems && !m; i++)
        m = s->mem[i].line == l && !s->mem[i].performed ? &s->mem[i] : NULL;
    const sb_given_t *g = &l->given[l->first];
    const sb_block_t *b = &s->block[l->block];
    if (!r->write && r->id < L2_MSHRS) {
        const uint64_t since = b->granted_since > l->taken_since ? b->granted_since : l->taken_since;
        if (!l->awaited || (l->id & ((1u << (HOME_ID_W - 1)) - 1)) != r->id)
            return "the stack is read for the slice, which did not ask for that line";
        if (m && m->when <= since)
            return "a read of the slice passes what the HMD asked for before";
        const char *why = sb_reads(s, l);
        l->get = GET_COME;
        l->fetched = l->cell;
        return why;
    }
    if (!r->write) {
        if (!m || m->ask.mem != SMD_MEM_READ)
            return "the stack is read for the HMD, which did not ask for that line, or for something else before";
        if (sb_known(l, m->when))
            return "a read of the HMD passes bytes that it had been told of";
        m->performed = true;
        m->got = l->cell;
        return NULL;
    }
    if (mask_any(&r->marks))
        return "bytes that are home are marked";
    if (mask_none(r->be))
        return NULL; /* a write-back without bytes */
    if (l->count && mask_same(g->be, r->be) && bytes_same(&g->data, &r->data, r->be)) {
        if (m && m->when <= g->when)
            return "bytes of the slice pass what the HMD asked for before";
        bytes_put(&l->cell, &r->data, r->be);
        return sb_home(s, l);
    }
    if (!m || m->ask.mem != SMD_MEM_WRITE || !mask_same(sb_all(be_of_mask(&m->ask.mask)), r->be)
        || !bytes_same(&m->ask.data, &r->data, r->be))
        return "something is written where it is at home that nobody gave, or before what was given earlier";
    if (sb_known(l, m->when))
        return "a write of the HMD passes bytes that it had been told of";
    bytes_put(&l->cell, &r->data, r->be);
    memmove(m, m + 1, (size_t)(s->mem + --s->mems - m) * sizeof *m);
    return NULL;
}

/* The HMD reads or writes the stack. */
static const char *sb_hmd_asks(sb_t *s, const smd_data_t *d)
{
    if (s->mems == SB_MEMS)
        return "reads and writes of the HMD are taken, and never performed";
    s->mem[s->mems++] = (sb_mem_t){.line = sb_find(s, d->line), .ask = *d, .when = s->now};
    return NULL;
}

/* The stack has taken a request. */
static const char *sb_stack(sb_t *s, const stack_req_t *r)
{
    if (s->memory == MEMORY_MEMCPY || s->memory == MEMORY_MANAGED)
        return sb_near(s, r);
    if (s->far)
        return "the stack is used";
    for (unsigned i = 0; i < SB_LINES; i++) {
        sb_line_t *l = &s->line[i];
        if (sb_stack_line(s, l) != r->line)
            continue;
        if (!r->write) {
            if (r->id < L2_MSHRS || l->block != s->job_block || !s->block[l->block].job)
                continue;
            if (l->count && l->given[l->first].when <= l->must_when)
                return "the stack is read for a probe before older bytes are written";
            if (!mask_within(l->must, l->marks) || !mask_none(l->to_clear) || l->got_valid)
                return "the stack is read for a probe too soon, or twice";
            l->got_valid = true;
            l->got = l->marks;
            l->got_data = l->cell;
            for (unsigned k = 0; k < l->count; k++) {
                const sb_given_t *g = &l->given[(l->first + k) % SB_GIVEN];
                if (s->maint && g->when <= s->maint_since)
                    l->late = mask_or(l->late, mask_without(l->flush, mask_without(l->flush, g->be)));
            }
            sb_block_t *b = &s->block[l->block];
            const sb_held_e held = b->held;
            static const sb_mask_t none;
            if (b->probe.to_peer && b->probe.kind != PROBE_CLEAN && (held == HELD_ALONE || held == HELD_OWNED)) {
                if (s->peers == SB_PEERS)
                    return "lines for peers are read, and never sent";
                s->peer[s->peers].since = s->now;
                s->peer[s->peers++].line =
                    (smd_peer_t){.device = b->probe.peer,
                                 .line = l->addr,
                                 .mask = mask_of_be(b->probe.kind == PROBE_READ ? &none : &l->got),
                                 .data = l->got_data};
                b->sent_peer++;
            } else if (b->probe.kind == PROBE_CLEAN) {
                l->to_clear = l->got;
            }
            return NULL;
        }
        const sb_given_t *g = &l->given[l->first];
        if (!mask_none(l->to_clear) && !mask_any(&r->marks) && mask_same(r->be, l->to_clear))
            return sb_clears(l, r); /* checked before writes of the same form */
        if (l->count && mask_same(g->be, r->be) && mask_same(g->marks, be_of_mask(&r->marks))
            && bytes_same(&g->data, &r->data, r->be)) {
            if (!mask_none(l->to_clear))
                return "bytes are written to the stack between those that were sent and their clearing";
            bytes_put(&l->cell, &r->data, r->be);
            l->marks = g->whole ? g->marks : mask_or(l->marks, g->marks);
            l->first = (l->first + 1) % SB_GIVEN;
            l->count--;
            return NULL;
        }
        if (!mask_none(l->to_clear) && !mask_any(&r->marks))
            return sb_clears(l, r);
        if (r->write && mask_none(r->be))
            return NULL; /* a write-back without bytes */
    }
    return r->write           ? "something is written to the stack that nobody gave, or before what was given earlier"
           : r->id < L2_MSHRS ? NULL
                              : "the stack is read for a probe of another block";
}

/* ---- the HMD's side --------------------------------------------------------------------------------------------------------------------- */

static bool sb_in_scope(const sb_t *s, uint64_t block_first)
{
    switch (s->order.op) {
    case L2_FLUSH_ALL:
    case L2_INVAL_ALL: return true;
    case L2_FLUSH_LINE:
    case L2_INVAL_LINE: return s->order.line / SB_LPB == block_first / SB_LPB;
    default: {
        const uint64_t page = 4096 / LINE_BYTES, p = s->order.line / page;
        return SB_LPB >= page ? p * page / SB_LPB == block_first / SB_LPB : block_first / page == p;
    }
    }
}

/* The SMD asks. */
static const char *sb_asks(sb_t *s, const smd_req_t *r)
{
    sb_line_t *l = sb_find(s, r->line);
    if (!l)
        return "a request for a block that nobody named";
    sb_block_t *b = &s->block[l->block];
    if ((b->tx != TX_NONE && b->tx != TX_GRANTED) || b->more)
        return "a second request for a block";
    unsigned under_way = 1;
    for (unsigned i = 0; i < SB_BLOCKS; i++)
        under_way += (s->block[i].tx != TX_NONE && s->block[i].tx != TX_GRANTED) + s->block[i].more;
    if (under_way > SMD_TRANSACTIONS)
        return "more requests than there are places for them";
    if (r->op < SMD_EVICT ? r->bytes : r->op == SMD_FLUSH && !r->bytes)
        return "a block that is fetched has bytes, or one that is flushed has none";
    if (r->thin != (s->far && r->op <= SMD_OWN))
        return "a block is fetched with lines that nobody asked for, or without";
    for (unsigned i = 0; i < SB_LPB && r->op == SMD_EVICT && !r->bytes; i++) {
        const sb_line_t *x = &s->line[l->block * SB_LPB + i];
        const bool given = b->near && sb_news(s, x, s->now);
        if (x->st != NMOESI_I || ((x->shared || given) && !b->job))
            return "EVICT says that the block has no bytes, and it may have some, or has given some";
    }
    if (r->op >= SMD_EVICT && r->line % SB_LPB)
        return "EVICT and FLUSH name the first line of a block";
    if (r->op == SMD_FLUSH && !(s->maint && s->order.op <= L2_FLUSH_ALL && sb_in_scope(s, r->line)))
        return "FLUSH without maintenance";
    if (r->op <= SMD_OWN && (!l->awaited || (l->op == HOME_READ_OWN) != (r->op == SMD_OWN)))
        return "a block is fetched that nobody waits for in this way";
    b->more = b->tx == TX_GRANTED;
    b->next = *r;
    if (!b->more) {
        b->tx = TX_ASKED;
        b->req = *r;
    }
    return NULL;
}

/* The HMD begins with it: all probes of the block have been answered. */
static const char *sb_begins(const sb_t *s, unsigned k)
{
    const sb_block_t *b = &s->block[k];
    if (b->req.op > SMD_OWN)
        return NULL;
    if (b->req.op == SMD_READ ? b->held != HELD_NONE : b->held == HELD_ALONE)
        return "a block is fetched that is held";
    for (unsigned i = 0; i < SB_BLOCKS; i++)
        if (i != k && s->block[i].place == b->place && s->block[i].held != HELD_NONE && !s->block[i].probing)
            return "a block is fetched, and another one is still held in its place";
    return NULL;
}

/* A probe was taken by the SMD. */
static void sb_probed(sb_t *s, const smd_probe_t *p)
{
    const sb_line_t *l = sb_find(s, p->line);
    sb_block_t *b = &s->block[l->block];
    s->job_block = l->block;
    b->job = true;
    b->probe = *p;
    b->job_since = s->now;
    b->sent_peer = 0;
    b->none = b->tx == TX_ASKED || b->tx == TX_SELF ? b->req.op == SMD_EVICT && !b->req.bytes
                                                    : b->more && b->next.op == SMD_EVICT && !b->next.bytes;
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *x = &s->line[l->block * SB_LPB + i];
        x->ask = x->st != NMOESI_I;
        x->asked = x->got_valid = false;
        x->sent = x->late = (sb_mask_t){{0}};
        x->must = sb_fold(x);
        x->must_when = s->now;
    }
}

static const char *sb_bytes(sb_t *s, const smd_ack_t *a)
{
    const sb_mask_t mask = be_of_mask(&a->mask);
    sb_line_t *l = sb_find(s, a->line);
    if (l && s->block[l->block].none)
        return "BYTES of a block whose EVICT said that it has none";
    if (!l || !s->block[l->block].job || s->block[l->block].probe.kind == PROBE_READ)
        return "BYTES that nobody asked for";
    if (!l->got_valid || mask_none(mask) || !mask_none(l->sent) || !mask_same(mask, l->got))
        return "BYTES with another mask than the line has";
    if (!bytes_same(&a->data, &l->got_data, mask))
        return "BYTES with other bytes than the line has";
    l->sent = mask;
    l->flush = mask_or(mask_without(l->flush, mask), l->late);
    bytes_put(&l->home, &a->data, mask);
    return NULL;
}

/* GET: home's bytes of this moment are the answer's. */
static const char *sb_get(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    if (!s->far || !l || !l->awaited || s->block[l->block].near)
        return "GET of a line that nobody waits for, or that is at home here";
    const char *why = sb_reads(s, l);
    l->get = GET_ASKED;
    l->fetched = l->home;
    return why;
}

/* BYTES of a far line: the oldest of what was given. */
static const char *sb_put(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    if (!l || !l->count || s->block[l->block].near)
        return "BYTES that nobody gave, or that are at home here";
    const sb_given_t *g = &l->given[l->first];
    if (!mask_same(be_of_mask(&a->mask), g->be) || !bytes_same(&a->data, &g->data, g->be))
        return "other BYTES than the oldest that were given";
    return sb_home(s, l);
}

/* ... and DONE of it: all that was given before the last acknowledgement is home, or before whatever the HMD asks the stack from now on. */
static const char *sb_put_all(sb_t *s, sb_line_t *l, bool takes)
{
    bool late = false;
    for (unsigned i = 0; i < l->count; i++) {
        sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        const bool spoken = takes || g->when <= l->must_when;
        if (spoken && !s->block[l->block].near)
            return "DONE before all bytes have been sent";
        g->known = g->known || !spoken ? g->known : s->now;
        late |= !g->known && g->when <= s->maint_since;
    }
    l->shared = 0;
    l->share &= late;
    return NULL;
}

/* DONE: returns what is wrong; the state that the HMD then knows is set. */
static const char *sb_done(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *first = sb_find(s, a->line);
    if (!first || a->line % SB_LPB || !s->block[first->block].job)
        return "DONE that nobody asked for";
    sb_block_t *b = &s->block[first->block];
    const smd_probe_t *p = &b->probe;
    bool dirty = false;
    for (unsigned i = 0; i < SB_LPB; i++)
        dirty |= !s->far   ? !mask_none(first[i].must)
                 : b->near ? (first[i].shared && first[i].shared <= first[i].must_when)
                                 || sb_news(s, &first[i], first[i].must_when)
                           : first[i].shared != 0;
    const bool alone = b->held == HELD_ALONE, owned = b->held == HELD_OWNED,
               to_peer = p->to_peer && p->kind != PROBE_CLEAN && (alone || owned);
    const bool right = b->held == HELD_NONE ? a->state == NMOESI_I
                       : owned              ? a->state == NMOESI_O
                       : alone              ? a->state == NMOESI_M || (a->state == NMOESI_E && !dirty)
                                            : a->state == NMOESI_N || (a->state == NMOESI_S && !dirty);
    if (!right)
        return "DONE with a state that cannot be";
    if (a->sent != to_peer || (to_peer && b->sent_peer != SB_LPB))
        return "DONE that is wrong about the lines for the peer";
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *l = &first[i];
        const bool writable = l->st == NMOESI_E || l->st == NMOESI_M;
        if (l->ask && !l->asked)
            return "DONE, and the slice was not asked for a line that it holds";
        if (l->probed)
            return "DONE before the slice has answered";
        if (p->kind == PROBE_WRITE ? l->st != NMOESI_I : writable && !(p->kind == PROBE_CLEAN && p->keep && alone))
            return "DONE, and the slice holds a line that it may not";
        const char *why = s->far ? sb_put_all(s, l, p->kind == PROBE_WRITE) : NULL;
        if (why)
            return why;
        if (!s->far && p->kind != PROBE_READ && !to_peer
            && (!mask_within(l->must, l->sent) || (l->got_valid && !mask_same(l->got, l->sent))))
            return "DONE before all bytes have been sent";
        if (p->kind == PROBE_WRITE) {
            l->here = false;
            l->flush = l->late = (sb_mask_t){{0}};
            l->marks = l->to_clear; /* of the probe before, when the stack is slow */
            for (unsigned g = 0; g < l->count; g++) { /* lines without marks may be late */
                const sb_given_t *x = &l->given[(l->first + g) % SB_GIVEN];
                if (!b->near && (!x->whole || !mask_none(x->marks)))
                    return "DONE, and bytes of the block are still on their way to the stack";
            }
        }
    }
    b->held = b->held == HELD_NONE || p->kind == PROBE_WRITE ? HELD_NONE
              : p->kind == PROBE_CLEAN                       ? (alone && p->keep ? HELD_ALONE : HELD_SHARED)
              : a->state == NMOESI_M || a->state == NMOESI_O ? HELD_OWNED
                                                             : HELD_SHARED;
    if (p->kind == PROBE_WRITE)
        b->held_before = false;
    b->probing = b->job = false;
    b->done_since = s->now;
    return NULL;
}

static const char *sb_arrived(sb_t *s, const smd_ack_t *a)
{
    const sb_line_t *l = sb_find(s, a->line);
    if (!l || s->block[l->block].tx != TX_GRANTED)
        return "ARRIVED before the grant and all lines";
    sb_block_t *b = &s->block[l->block];
    b->tx = b->more ? TX_ASKED : TX_NONE;
    b->req = b->next;
    b->more = false;
    return NULL;
}

static const char *sb_acknowledged(sb_t *s, const smd_ack_t *a)
{
    const bool bytes = a->kind == SMD_BYTES, done = a->kind == SMD_DONE;
    static const sb_data_t zero;
    if ((!done && (a->state != NMOESI_I || a->sent))
        || (!bytes && (mask_any(&a->mask) || memcmp(&a->data, &zero, sizeof zero))))
        return "an acknowledgement that says more than that";
    if (a->kind == SMD_GET)
        return sb_get(s, a);
    return bytes ? (s->far ? sb_put(s, a) : sb_bytes(s, a)) : done ? sb_done(s, a) : sb_arrived(s, a);
}

/* The answer to a read of the HMD's. */
static const char *sb_answers(sb_t *s, const smd_peer_t *a)
{
    for (unsigned i = 0; i < s->mems; i++) {
        sb_mem_t *m = &s->mem[i];
        if (!m->performed || m->ask.id != a->id)
            continue;
        if (a->line != m->line->addr || a->device || mask_any(&a->mask) || memcmp(&a->data, &m->got, sizeof m->got))
            return "the HMD's read is answered with another line than the stack had";
        memmove(m, m + 1, (--s->mems - i) * sizeof *m);
        return NULL;
    }
    return "an answer to the HMD, which did not ask, or before the stack has been read";
}

static const char *sb_peer(sb_t *s, const smd_peer_t *a)
{
    if (a->mem != SMD_MEM_NONE)
        return a->mem == SMD_MEM_LINE ? sb_answers(s, a) : "another message to the HMD than an answer";
    for (unsigned i = 0; i < s->peers && !s->far; i++) {
        const smd_peer_t *x = &s->peer[i].line;
        if (x->line != a->line || x->device != a->device || memcmp(&x->mask, &a->mask, sizeof a->mask)
            || memcmp(&x->data, &a->data, sizeof a->data))
            continue;
        sb_line_t *l = sb_find(s, a->line);
        if (s->block[l->block].none && mask_any(&a->mask))
            return "bytes for a peer of a block whose EVICT said that it has none";
        bytes_put(&l->home, &a->data, be_of_mask(&a->mask)); /* they will be taken from the peer later */
        s->peer[i] = s->peer[--s->peers];
        return NULL;
    }
    return "a line goes to a peer that nobody asked for, or with other bytes or marks than it has";
}

/* Lines of the block are still on their way to a peer: the home does not have their bytes. */
static bool sb_peers_of(const sb_t *s, unsigned block)
{
    for (unsigned i = 0; i < s->peers; i++)
        if (s->peer[i].line.line / SB_LPB == s->line[block * SB_LPB].addr / SB_LPB)
            return true;
    return false;
}

/* ---- maintenance ------------------------------------------------------------------------------------------------------------------------ */

static void sb_maintain(sb_t *s, const maint_t *m)
{
    s->maint = true;
    s->maint_since = s->now;
    s->order = *m;
    for (unsigned b = 0; b < SB_BLOCKS; b++) {
        sb_block_t *k = &s->block[b];
        const bool in = sb_in_scope(s, s->line[b * SB_LPB].addr), flush = m->op <= L2_FLUSH_ALL;
        k->held_before = in && !flush && (k->held != HELD_NONE || (k->tx != TX_NONE && k->req.op <= SMD_OWN));
        for (unsigned i = 0; i < SB_LPB; i++) {
            sb_line_t *l = &s->line[b * SB_LPB + i];
            l->flush = l->late = (sb_mask_t){{0}};
            l->share = s->far && in && flush && (l->shared || sb_news(s, l, s->now));
            if (!in || !flush || s->far)
                continue;
            const bool read = k->job && l->got_valid;
            l->flush = mask_same(l->sent, l->to_clear) ? mask_without(l->marks, l->to_clear) : l->marks;
            for (unsigned g = 0; g < l->count; g++) {
                const sb_given_t *x = &l->given[(l->first + g) % SB_GIVEN];
                l->flush = x->whole ? x->marks : mask_or(l->flush, x->be);
                l->late = read ? mask_or(l->late, x->be) : l->late;
            }
        }
    }
}

static const char *sb_maintained(sb_t *s)
{
    if (!s->maint)
        return "maintenance done that nobody asked for";
    s->maint = false;
    for (unsigned i = 0; i < SB_LINES; i++) {
        const sb_line_t *l = &s->line[i];
        if (l->share && !(s->block[l->block].job && !l->probed)) /* DONE may be on its way */
            return "others may have copies without bytes that were given before maintenance";
        const bool going = s->block[l->block].job && l->got_valid; /* BYTES may be on their way */
        if (!mask_none(mask_or(going ? mask_without(l->flush, l->got) : l->flush, l->late)))
            return "bytes are not at home after maintenance";
    }
    for (unsigned b = 0; b < SB_BLOCKS; b++)
        if (s->block[b].held_before
            && !(s->block[b].job && s->block[b].probe.kind == PROBE_WRITE)) /* DONE may be on its way */
            return "a block is still held after maintenance";
    return NULL;
}
#endif
