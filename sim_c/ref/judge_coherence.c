/* See judge_coherence.h.
 *
 * Of every block there is a record: the states in which each device may hold it, the lines that each slice may hold, the bytes that a stack has and the home does not have.
 * Mostly one state is possible. S may have become N and E become M without a message (the slice gives bytes back, or is granted a line to n-store into), and the
 * next DONE says which it was. A message is transferred later than the block's edge at which it counts: a message that reaches an SMD before its DONE is out may have
 * come after the state that the DONE reports. So bytes that a slice writes back while its block is cleaned may be sent home with the others, or stay: `can`.
 * With memory = zerocopy, memcpy, managed (U12) a block is asked for without its lines (`thin`); then each line comes for a GET, and lines that the slice gives back go home
 * at once. Neither holds in the home device of a line: lines that its slice gives back are at home already (judge_stacks.h).
 */
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_stacks.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTIES = DEVICES + 1, HOST = DEVICES, WORDS = (BLOCK_LINES + 63) / 64, READS = 1 << HOME_ID_W };
#define OF(state) (1u << NMOESI_##state)
enum { ALONE = OF(E) | OF(M), OWNERS = OF(E) | OF(M) | OF(O) };

/* A block's state after a probe: what another's reading or storing does to it (paper, NMOESI table; O stays O, docs/coherence.md), and the home's asking for bytes. */
static const uint8_t after_probe[3][6] = {
    [PROBE_READ] = {[NMOESI_I] = NMOESI_I,
                    [NMOESI_N] = NMOESI_N,
                    [NMOESI_S] = NMOESI_S,
                    [NMOESI_E] = NMOESI_S,
                    [NMOESI_O] = NMOESI_O,
                    [NMOESI_M] = NMOESI_O},
    [PROBE_WRITE] = {[NMOESI_I] = NMOESI_I,
                     [NMOESI_N] = NMOESI_I,
                     [NMOESI_S] = NMOESI_I,
                     [NMOESI_E] = NMOESI_I,
                     [NMOESI_O] = NMOESI_I,
                     [NMOESI_M] = NMOESI_I},
    [PROBE_CLEAN] = {[NMOESI_I] = NMOESI_I,
                     [NMOESI_N] = NMOESI_S,
                     [NMOESI_S] = NMOESI_S,
                     [NMOESI_E] = NMOESI_S,
                     [NMOESI_O] = NMOESI_S,
                     [NMOESI_M] = NMOESI_S},
};

/* For which message a block may go from one state to another; nothing else is a change of state. */
enum { BY_READ = 1, BY_WRITE = 2, BY_CLEAN = 4, BY_KEEP = 8, BY_GRANT = 16, BY_BYTES = 32 };
static const uint8_t moves[6][6] = {
    [NMOESI_I] = {[NMOESI_S] = BY_GRANT, [NMOESI_E] = BY_GRANT, [NMOESI_M] = BY_GRANT, [NMOESI_N] = BY_GRANT},
    [NMOESI_N] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN | BY_KEEP},
    [NMOESI_S] = {[NMOESI_I] = BY_WRITE, [NMOESI_N] = BY_BYTES},
    [NMOESI_E] = {[NMOESI_I] = BY_WRITE,
                  [NMOESI_S] = BY_READ | BY_CLEAN,
                  [NMOESI_M] = BY_BYTES,
                  [NMOESI_O] = BY_READ}, /* O: the slice has given bytes */
    [NMOESI_O] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN | BY_KEEP},
    [NMOESI_M] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN, [NMOESI_E] = BY_KEEP, [NMOESI_O] = BY_READ},
};

typedef struct {
    uint64_t w[WORDS];
} lines_t;

/* What a device has of a block, and is doing with it. */
typedef struct {
    uint8_t may; /* a bit a state */
    /* a request is under way; its grant has arrived; bytes of the slice arrived before the grant */
    bool asks, granted, touched;
    uint8_t op;
    bool gone, gone_fetch; /* the ARRIVED of the previous request is not sent yet; that request was READ or OWN */
    bool thin; /* the last request asked for no lines */
    lines_t come, gets; /* lines that have arrived with the block; lines that are asked for one by one */
    /* a probe's DONE is not sent yet; meanwhile bytes of the slice may have turned S into N or E into M */
    bool probed, late;
    smd_probe_t probe; /* the last one */
    vl_bits_128 must[BLOCK_LINES], can[BLOCK_LINES]; /* bytes that the home certainly lacks; bytes that it may lack */
} holder_t;

typedef struct {
    uint64_t block;
    holder_t of[DEVICES];
    /* lines that the slice may hold; that were granted in E or M; that it was probed for */
    lines_t held[PARTIES], alone[PARTIES], asked[PARTIES];
    uint8_t kind[PARTIES]; /* kind of that probe */
    vl_bits_128 moving[BLOCK_LINES]; /* bytes on their way from peer to peer */
    uint8_t granting; /* device whose grant has not arrived, plus 1 */
    uint8_t gave; /* devices whose bytes have come home since the last grant, a bit each */
    uint8_t sharers, owner; /* the home's entry as last written, a bit a device */
    bool told; /* the entry has been written since the last grant to a device */
} block_t;

struct judge_coherence {
    map_t of; /* number of the record by block; 0: none */
    block_t *block; /* number n: block[n - 1] */
    unsigned blocks, room;
    struct {
        uint8_t op;
        uint64_t line;
    } read[SMDS + HMDS][READS];
    uint64_t job[SMDS]; /* block of the last probe */
    uint8_t cause[SMDS], fetches[SMDS]; /* the probe that it works on; number of fetches granted */
    bool tells; /* homes report the entries that they write */
};

judge_coherence_t *judge_coherence_new(void)
{
    return calloc(1, sizeof(judge_coherence_t));
}

void judge_coherence_free(judge_coherence_t *c)
{
    if (!c)
        return;
    map_free(&c->of);
    free(c->block);
    free(c);
}

void judge_coherence_reset(judge_t *j)
{
    judge_coherence_t *c = j->coherence;
    map_clear(&c->of);
    c->blocks = 0;
    memset(c->read, 0, sizeof c->read);
    memset(c->cause, 0, sizeof c->cause);
    memset(c->fetches, 0, sizeof c->fetches);
    c->tells = false;
}

/* ---- small things ---------------------------------------------------------------------------------------------------- */

static block_t *block_of(judge_t *j, uint64_t line)
{
    judge_coherence_t *c = j->coherence;
    uint64_t *number = map_put(&c->of, line / BLOCK_LINES);
    if (number && !*number) {
        block_t *at = judge_room(j, c->block, c->blocks, &c->room, sizeof *at);
        if (at) {
            c->block = at;
            *number = ++c->blocks;
            memset(&at[*number - 1], 0, sizeof *at);
            at[*number - 1].block = line / BLOCK_LINES;
            for (unsigned d = 0; d < DEVICES; d++)
                at[*number - 1].of[d].may = OF(I);
        }
    } else if (!number) {
        judge_out_of_memory(j);
    }
    return number && *number ? &c->block[*number - 1] : NULL;
}

static unsigned off_of(uint64_t line)
{
    return line % BLOCK_LINES;
}

static bool has(const lines_t *l, uint64_t line)
{
    return l->w[off_of(line) / 64] >> off_of(line) % 64 & 1;
}

static void put(lines_t *l, uint64_t line, bool to)
{
    const uint64_t b = 1ull << off_of(line) % 64;
    l->w[off_of(line) / 64] = to ? l->w[off_of(line) / 64] | b : l->w[off_of(line) / 64] & ~b;
}

static unsigned count(const lines_t *l)
{
    unsigned n = 0;
    for (unsigned k = 0; k < WORDS; k++)
        n += (unsigned)__builtin_popcountll(l->w[k]);
    return n;
}

static bool some(const vl_bits_128 *m)
{
    return m->w[0] | m->w[1];
}

static void add(vl_bits_128 *to, const vl_bits_128 *m)
{
    to->w[0] |= m->w[0];
    to->w[1] |= m->w[1];
}

/* a has a byte that b has not. */
static bool more(const vl_bits_128 *a, const vl_bits_128 *b)
{
    return (a->w[0] & ~b->w[0]) | (a->w[1] & ~b->w[1]);
}

static const char *state(unsigned s)
{
    static const char *const name[] = {"I", "N", "S", "E", "O", "M"};
    return s < 6 ? name[s] : "an unknown state";
}

/* The states of a set: "S or N". Kept until the eighth call after it. */
static const char *states(unsigned set)
{
    static _Thread_local char text[8][32];
    static _Thread_local unsigned k;
    char *to = text[k++ % 8];
    unsigned n = 0;
    to[0] = 0;
    for (unsigned s = 0; s < 6; s++)
        if (set >> s & 1)
            n += (unsigned)snprintf(to + n, sizeof text[0] - n, "%s%s", n ? " or " : "", state(s));
    return to;
}

static unsigned party_of(unsigned slice)
{
    return slice < SMDS ? slice / CHANNELS : HOST;
}

/* The states of all holders, for a message. */
static const char *everybody(const block_t *b)
{
    static _Thread_local char text[64 * PARTIES];
    unsigned n = 0;
    for (unsigned d = 0; d < DEVICES; d++)
        n += (unsigned)snprintf(text + n, sizeof text - n, "device %u has it in %s, its slice %u lines; ", d,
                                states(b->of[d].may), count(&b->held[d]));
    snprintf(text + n, sizeof text - n, "the host %u lines", count(&b->held[HOST]));
    return text;
}

/* ---- who may hold it together ---------------------------------------------------------------------------------------- */

/* One who may store coherently is alone, over all devices and the host; and where there is an owner the host has nothing. */
static void check_alone(judge_t *j, const block_t *b, unsigned party, const char *why)
{
    unsigned holders = 0, owners = 0, exclusive = 0;
    for (unsigned d = 0; d < DEVICES; d++) {
        holders += b->of[d].may != OF(I);
        owners += (b->of[d].may & OWNERS) != 0;
        exclusive += (b->of[d].may & ALONE) != 0;
    }
    const bool host = count(&b->held[HOST]), host_alone = count(&b->alone[HOST]);
    if ((exclusive && (holders > 1 || host)) || owners > 1 || (owners && host) || (host_alone && holders))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "%s: %s", why, everybody(b));
}

/* Bytes come home from an agent that holds the block alone, or from all holders (docs/coherence.md): a copy that stays beside them lacks them, and a home that has forgotten who holds it lets it
 * stay. Where lines are in host memory (`thin`) they come at any time, and no copy is used again without them. */
static void check_home(judge_t *j, block_t *b)
{
    const bool several = b->gave & (b->gave - 1);
    for (unsigned d = 0; d < DEVICES && b->gave; d++)
        if (b->of[d].may != OF(I) && (several || !(b->gave >> d & 1)))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "holds the block, but bytes of %s have come home: %s",
                               several ? "several devices" : "another device", everybody(b));
    b->gave = 0;
}

/* Bytes of the slice are in the stack, or it may store. */
static uint8_t touched(uint8_t may)
{
    return (uint8_t)(may | (may & OF(S) ? OF(N) : 0) | (may & OF(E) ? OF(M) : 0));
}

static void touch(holder_t *h)
{
    h->may = touched(h->may);
    h->touched |= h->asks && !h->granted;
    h->late |= h->probed;
}

/* ---- slices ---------------------------------------------------------------------------------------------------------- */

static void written_back(judge_t *j, unsigned party, block_t *b, const home_req_t *q)
{
    const bool right = has(&b->held[party], q->line)
                       && (q->state == NMOESI_N || (q->state == NMOESI_M && has(&b->alone[party], q->line)));
    if (!right)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "its slice writes line %u back in %s, but holds it in %s at most", off_of(q->line),
                           state(q->state), !has(&b->held[party], q->line) ? "I" : "S");
    if (!q->keep)
        put(&b->held[party], q->line, false);
    if (!q->keep || q->state == NMOESI_N)
        put(&b->alone[party], q->line, false);
    if (party == HOST || !some(&q->be))
        return;
    holder_t *h = &b->of[party];
    touch(h);
    if (judge_at_home(j, party, q->line))
        return;
    add(h->probed && h->probe.kind == PROBE_CLEAN ? &h->can[off_of(q->line)] : &h->must[off_of(q->line)], &q->be);
}

void judge_line_asked(judge_t *j, unsigned slice, const home_req_t *q)
{
    block_t *b = block_of(j, q->line);
    if (!b)
        return;
    if (q->op == HOME_WRITE_BACK) {
        written_back(j, party_of(slice), b, q);
        return;
    }
    j->coherence->read[slice][q->id % READS].op = q->op;
    j->coherence->read[slice][q->id % READS].line = q->line;
}

/* Does this device hold more than is allowed when another's slice is granted a line? A device that sends its lines to the other has already given up the state that its DONE will name,
 * for the DONE comes behind the lines; so has its slice. */
static bool beside(const block_t *b, unsigned device, bool alone)
{
    const holder_t *h = &b->of[device];
    const bool gives = h->probed && h->probe.to_peer;
    unsigned may = gives ? 0 : h->may;
    for (unsigned s = 0; gives && s <= NMOESI_M; s++)
        if (h->may >> s & 1)
            may |= OF(I) << after_probe[h->probe.kind][s];
    return alone ? may != OF(I) || count(&b->held[device]) : may & ALONE || count(&b->alone[device]);
}

void judge_line_granted(judge_t *j, unsigned slice, const home_rsp_t *a)
{
    const unsigned party = party_of(slice), op = j->coherence->read[slice][a->id % READS].op;
    const uint64_t line = j->coherence->read[slice][a->id % READS].line;
    const bool alone = a->state == NMOESI_E || a->state == NMOESI_M;
    block_t *b = block_of(j, line);
    if (!b)
        return;
    bool right = a->state != NMOESI_I && a->state != NMOESI_O && (op != HOME_READ_OWN || alone);
    /* the stack must hold the block in such a state, or the line must have arrived for the request that is being granted */
    if (party != HOST) {
        const holder_t *h = &b->of[party];
        const bool comes = h->asks && h->op <= SMD_OWN && has(&h->come, line);
        right &= alone ? !(h->may & ~(unsigned)ALONE) || (comes && h->op == SMD_OWN) : !(h->may & OF(I)) || comes;
    }
    if (!right)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "its slice may not be granted line %u in %s: %s",
                           off_of(line), state(a->state), everybody(b));
    put(&b->held[party], line, true);
    put(&b->alone[party], line, alone);
    if (party == HOST) {
        check_home(j, b);
        check_alone(j, b, party, "a line is granted beside other holders");
        return;
    }
    bool others = count(alone ? &b->held[HOST] : &b->alone[HOST]);
    for (unsigned d = 0; d < DEVICES; d++)
        others |= d != party && beside(b, d, alone);
    if (others)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "a line is granted beside other holders: %s",
                           everybody(b));
    if (a->state == NMOESI_N)
        touch(&b->of[party]);
}

void judge_line_probed(judge_t *j, unsigned slice, const home_probe_t *p)
{
    block_t *b = block_of(j, p->line);
    if (!b)
        return;
    put(&b->asked[party_of(slice)], p->line, true);
    b->kind[party_of(slice)] = p->kind;
}

void judge_line_given(judge_t *j, unsigned slice, const home_ack_t *a)
{
    const unsigned party = party_of(slice), s = a->state;
    block_t *b = block_of(j, a->line);
    if (!b)
        return;
    const bool held = has(&b->held[party], a->line), alone = has(&b->alone[party], a->line);
    const bool can =
        s == NMOESI_I || (held && (s == NMOESI_N || s == NMOESI_S)) || (alone && (s == NMOESI_E || s == NMOESI_M));
    if (!can || !has(&b->asked[party], a->line) || (some(&a->be) && s != NMOESI_N && s != NMOESI_M))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "its slice answers %s line %u in %s%s; it holds the line in %s at most",
                           has(&b->asked[party], a->line) ? "a probe of" : "without a probe of", off_of(a->line),
                           state(s), some(&a->be) ? " with bytes" : "",
                           alone  ? "E"
                           : held ? "S"
                                  : "I");
    put(&b->asked[party], a->line, false);
    if (b->kind[party] == PROBE_WRITE || s == NMOESI_I)
        put(&b->held[party], a->line, false);
    put(&b->alone[party], a->line, false);
    if (party == HOST || !some(&a->be))
        return;
    touch(&b->of[party]);
    b->of[party].late = false; /* the SMD receives these bytes before it reads the block's state */
    if (!judge_at_home(j, party, a->line))
        add(&b->of[party].must[off_of(a->line)], &a->be);
}

bool judge_line_alone(judge_t *j, unsigned slice, uint64_t line)
{
    const block_t *b = block_of(j, line);
    return b && has(&b->alone[party_of(slice)], line);
}

bool judge_line_read(judge_t *j, unsigned slice, uint64_t line)
{
    const block_t *b = block_of(j, line);
    return b && b->kind[party_of(slice)] == PROBE_READ;
}

/* ---- SMDs ------------------------------------------------------------------------------------------------------------ */

static bool whole(const holder_t *h)
{
    return h->granted && (h->op > SMD_OWN || h->thin || count(&h->come) == BLOCK_LINES);
}

void judge_block_asked(judge_t *j, unsigned smd, const smd_req_t *q)
{
    const unsigned party = party_of(smd);
    block_t *b = block_of(j, q->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    bool bytes = count(&b->held[party]);
    for (unsigned k = 0; k < BLOCK_LINES; k++)
        bytes |= some(&h->must[k]);
    /* Before the DONE of a probe is sent, the request may be from before or after the probe. */
    const bool right = h->probed || (q->op == SMD_READ ? h->may == OF(I) : q->op != SMD_OWN || !(h->may & ALONE));
    if (!right || (q->thin && q->op > SMD_OWN) || (h->asks && !whole(h))
        || (q->op == SMD_EVICT && bytes && !q->bytes && !h->probed))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "requests %s%s in %s%s",
                           q->op == SMD_READ    ? "READ"
                           : q->op == SMD_OWN   ? "OWN"
                           : q->op == SMD_EVICT ? "EVICT"
                                                : "FLUSH",
                           q->op == SMD_EVICT && !q->bytes ? " without bytes" : "", states(h->may),
                           bytes ? ", though there are some" : "");
    h->gone = h->asks;
    h->gone_fetch = h->asks && h->op <= SMD_OWN;
    h->asks = true;
    h->op = q->op;
    h->granted = h->touched = false;
    if (q->op <= SMD_OWN)
        h->thin = q->thin;
    h->come = (lines_t){{0}};
}

void judge_block_probed(judge_t *j, unsigned smd, const smd_probe_t *p)
{
    block_t *b = block_of(j, p->line);
    if (!b)
        return;
    holder_t *h = &b->of[party_of(smd)];
    h->probed = true;
    h->late = false;
    h->probe = *p;
    j->coherence->job[smd] = b->block;
    j->coherence->cause[smd] = p->kind == PROBE_READ    ? BY_READ
                               : p->kind == PROBE_WRITE ? BY_WRITE
                               : p->keep                ? BY_KEEP | BY_CLEAN
                                                        : BY_CLEAN;
}

/* Bytes leave a stack, for the home or for a peer: all that it must give, and no byte that was not stored. In a block without lines the
 * slice has given them just before; they may overlap with those that it gives next. */
static void give(judge_t *j, block_t *b, unsigned party, uint64_t line, const vl_bits_128 *mask, const char *where)
{
    holder_t *h = &b->of[party];
    vl_bits_128 *must = &h->must[off_of(line)], all = h->can[off_of(line)];
    const bool part = h->thin && some(mask);
    add(&all, must);
    if ((!part && more(must, mask)) || more(mask, &all))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "gives bytes 0x%016" PRIx64 "%016" PRIx64 " of line %u %s; 0x%016" PRIx64 "%016" PRIx64
                           " were stored",
                           mask->w[1], mask->w[0], off_of(line), where, must->w[1], must->w[0]);
    if (part) {
        add(&h->can[off_of(line)], mask);
        must->w[0] &= ~mask->w[0];
        must->w[1] &= ~mask->w[1];
    } else {
        *must = (vl_bits_128){{0}};
    }
}

/* The DONE of a probe: the state that was held, and what has become of it. */
static void done(judge_t *j, block_t *b, unsigned smd, const smd_ack_t *a)
{
    const unsigned party = party_of(smd), kind = b->of[party].probe.kind % 3;
    holder_t *h = &b->of[party];
    const bool sends = h->probe.to_peer && kind != PROBE_CLEAN && a->state < 6 && OF(I) << a->state & OWNERS;
    if (!h->probed || a->state > NMOESI_M || !(h->may >> a->state & 1) || a->sent != sends) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "answers %s in %s%s; it was in %s",
                           !h->probed            ? "a probe that was not sent"
                           : kind == PROBE_READ  ? "PROBE_READ"
                           : kind == PROBE_WRITE ? "PROBE_WRITE"
                                                 : "PROBE_CLEAN",
                           state(a->state), a->sent ? ", sent to a peer" : "", states(h->may));
        return;
    }
    const bool stays = kind == PROBE_CLEAN && h->probe.keep && (a->state == NMOESI_E || a->state == NMOESI_M);
    const unsigned to = stays ? NMOESI_E : after_probe[kind][a->state];
    if (count(&b->asked[party]) || (to == NMOESI_I ? count(&b->held[party]) : !stays && count(&b->alone[party])))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "goes from %s to %s, but has not probed its slice for all lines", state(a->state),
                           state(to));
    for (unsigned k = 0; k < BLOCK_LINES && kind != PROBE_READ && !sends; k++)
        if (some(&h->must[k]))
            give(j, b, party, k, &(vl_bits_128){{0}}, "to the home");
    h->may = (uint8_t)(OF(I) << to);
    if (h->late)
        h->may = touched(h->may);
    h->probed = false;
    if (j->coherence->job[smd] == b->block) /* unless the next probe was taken before this DONE was sent */
        j->coherence->cause[smd] = 0;
}

void judge_block_answered(judge_t *j, unsigned smd, const smd_ack_t *a)
{
    const unsigned party = party_of(smd);
    block_t *b = block_of(j, a->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    if (a->kind == SMD_BYTES) {
        const vl_bits_128 mask = judge_bytes_of(&a->mask);
        give(j, b, party, a->line, &mask, "to the home");
        if (some(&mask) && !h->thin)
            b->gave |= (uint8_t)(1u << party);
    } else if (a->kind == SMD_DONE) {
        done(j, b, smd, a);
    } else if (a->kind == SMD_GET) {
        const bool here = judge_at_home(j, party, a->line);
        if (!h->thin || h->may == OF(I) || has(&h->gets, a->line) || here)
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends GET for line %u%s, in %s", off_of(a->line),
                               here                     ? ", which is at home there"
                               : has(&h->gets, a->line) ? " again"
                                                        : "",
                               states(h->may));
        put(&h->gets, a->line, true);
    } else {
        const bool fetch = h->gone ? h->gone_fetch : h->op <= SMD_OWN;
        j->coherence->fetches[smd] -= fetch && j->coherence->fetches[smd];
    }
    if (a->kind == SMD_ARRIVED && h->gone) {
        h->gone = false;
    } else if (a->kind == SMD_ARRIVED) {
        if (!h->asks || !whole(h))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends ARRIVED with %u of %u lines",
                               count(&h->come), BLOCK_LINES);
        h->asks = false;
    }
}

void judge_block_peer(judge_t *j, unsigned smd, const smd_peer_t *p)
{
    const unsigned party = party_of(smd);
    block_t *b = block_of(j, p->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    const vl_bits_128 mask = judge_bytes_of(&p->mask);
    if (h->probe.kind == PROBE_WRITE) {
        give(j, b, party, p->line, &mask, "to a peer");
        b->moving[off_of(p->line)] = mask;
    } else if (some(&mask) || !h->probe.to_peer) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends line %u with marks to a peer that only reads",
                           off_of(p->line));
    }
}

void judge_block_came(judge_t *j, unsigned smd, const smd_data_t *d)
{
    const unsigned party = party_of(smd);
    block_t *b = block_of(j, d->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    const vl_bits_128 mask = judge_bytes_of(&d->mask);
    vl_bits_128 *moving = &b->moving[off_of(d->line)];
    if (!d->grant && h->thin && has(&h->gets, d->line) && !some(&mask)) {
        put(&h->gets, d->line, false);
        return;
    }
    if (!h->asks || (d->grant ? h->granted : h->op > SMD_OWN || h->thin || has(&h->come, d->line))) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "gets %s that it has not requested",
                           d->grant ? "a grant" : "a line");
    } else if (d->grant) {
        h->granted = true;
        if (h->op <= SMD_OWN) {
            if (h->thin)
                memset(h->can, 0, sizeof h->can);
            h->may = (uint8_t)(OF(I) << d->state);
            if (h->touched)
                h->may = touched(h->may);
            j->coherence->fetches[smd]++;
            check_alone(j, b, party, "a grant arrives beside other holders");
        }
    } else {
        put(&h->come, d->line, true);
        if (more(&mask, moving) || more(moving, &mask))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "gets line %u with other marks than were sent",
                               off_of(d->line));
        h->must[off_of(d->line)] = mask;
        h->can[off_of(d->line)] = *moving = (vl_bits_128){{0}};
    }
}

void judge_block_moved(judge_t *j, unsigned smd, unsigned from, unsigned to)
{
    const unsigned cause = j->coherence->cause[smd] | (j->coherence->fetches[smd] ? BY_GRANT : 0) | BY_BYTES;
    if (from > NMOESI_M || to > NMOESI_M || !(moves[from][to] & cause))
        judge_differ_block(j, 0, party_of(smd), "its SMD %u changes a block from %s to %s%s, which nothing permits",
                           smd, state(from), state(to), cause & BY_WRITE ? " for PROBE_WRITE" : "");
}

/* ---- HMDs ------------------------------------------------------------------------------------------------------------ */

void judge_home_grants(judge_t *j, const hmd_data_t *d)
{
    if (!d->data.grant)
        return;
    const unsigned s = d->data.state;
    block_t *b = block_of(j, d->data.line);
    if (!b)
        return;
    holder_t *h = &b->of[d->device], before = *h;
    const bool right = h->op == SMD_READ  ? s == NMOESI_S || s == NMOESI_E
                       : h->op == SMD_OWN ? s == NMOESI_M
                                          : s == NMOESI_I;
    bool left = count(&b->held[d->device]) || h->may != OF(I);
    for (unsigned k = 0; k < BLOCK_LINES; k++)
        left |= some(&h->must[k]);
    if (!h->asks || !right || b->granting || (h->op == SMD_EVICT && left))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, d->device, "is granted %s %s: %s", state(s),
                           !h->asks      ? "without a request"
                           : b->granting ? "before another grant has arrived"
                           : right       ? "for EVICT, but has not given the block up"
                                         : "for a request of another kind",
                           everybody(b));
    b->granting = (uint8_t)(d->device + 1);
    check_home(j, b);
    const unsigned knows = b->owner | ((unsigned)OF(I) << s & ALONE ? 0 : b->sharers);
    if (j->coherence->tells && (!b->told || (h->op <= SMD_OWN && !(knows >> d->device & 1))))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, d->device, "is granted %s, but the home's entry %s",
                           state(s), b->told ? "does not name it as holder" : "has not been written");
    b->told = false;
    if (h->op > SMD_OWN)
        return;
    h->may = (uint8_t)(OF(I) << s);
    check_alone(j, b, d->device, "is granted the block beside other holders");
    *h = before;
}

void judge_home_probes(judge_t *j, const hmd_probe_t *p)
{
    block_t *b = block_of(j, p->probe.line);
    if (b && b->granting)
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, p->device,
                           "is probed while a grant of device %u is under way", b->granting - 1);
}

void judge_home_done(judge_t *j, const hmd_ack_t *a)
{
    block_t *b = a->ack.kind == SMD_ARRIVED ? block_of(j, a->ack.line) : NULL;
    if (b)
        b->granting = 0;
}

/* The home's entry when a transaction has all its answers and its grant is not sent yet. Sharers and owner must be exactly the devices that hold the block, besides the requester, which may
 * hold nothing of it any more; the device that must be the owner is; and the entry says where the last-level cache may have lines. */
void judge_home_knows(judge_t *j, const hmd_dir_t *e)
{
    block_t *b = block_of(j, e->line);
    if (!b)
        return;
    j->coherence->tells = b->told = true;
    b->sharers = e->sharers;
    b->owner = e->owner;
    for (unsigned d = 0; d < DEVICES; d++) {
        const holder_t *h = &b->of[d];
        const bool owner = e->owner >> d & 1, known = (e->owner | e->sharers) >> d & 1, holds = h->may != OF(I),
                   asks = h->asks && !h->granted && h->op <= SMD_OWN;
        if (known ? !holds && !asks : holds)
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "%s: %s",
                               holds ? "holds the block, but the home's entry does not name it"
                                     : "holds nothing of the block, but the home's entry names it",
                               everybody(b));
        else if (holds && (owner ? !(h->may & OWNERS) : !(h->may & ~(unsigned)OWNERS)))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "%s: %s",
                               owner ? "does not own the block, but the home's entry names it as owner"
                                     : "owns the block, but the home's entry does not name it as owner",
                               everybody(b));
    }
    if (e->llc ? e->owner : count(&b->held[HOST]))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, HOST, "%s: %s",
                           e->llc ? "the home's entry has llc beside an owner"
                                  : "holds lines, but the home's entry has no llc",
                           everybody(b));
}
