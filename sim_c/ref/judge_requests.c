/* The judge's view of requests between cores and memory (judge_state.h): every request that a core or the host port transfers is answered
 * once, by the L2 slice that has its line, after all older requests of its source to that line, and with the right bytes. The answer is the
 * moment at which it is performed (judge_memory.c), so a line that is read must be what memory holds then, byte for byte.
 *
 * An answer has source, id and line: all stores of a warp have one id, and a slice may answer those of different lines in another order.
 */
#include "sim_c/ref/judge_requests.h"
#include "sim_c/ref/judge_homes.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_shots.h"
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_walks.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind[] = {
    [MEM_READ] = "read", [MEM_WRITE] = "write", [MEM_AMO] = "atomic", [MEM_STORE] = "store"};

/* ---- asked ----------------------------------------------------------------------------------------------------------- */

static request_t *request_new(judge_t *j, source_state_t *s)
{
    request_t *at = judge_room(j, s->at, s->n, &s->room, sizeof *at);
    if (!at)
        return NULL;
    s->at = at;
    return &at[s->n++];
}

/* The oldest atomic of the thread that has gone to memory, without a request so far. */
static insn_t *atomic_of(warp_state_t *w, unsigned t)
{
    for (uint8_t k = w->head; k != w->tail; k++) {
        insn_t *i = &w->ring[k];
        if (is_atomic(i) && i->sent & ~i->asked & 1ull << t)
            return i;
    }
    return NULL;
}

/* LR and SC in the order of a core's requests: only its last LR counts, in any slice. Its slice adds the fate of the line. */
static void check_reservation(judge_t *j, unsigned source, const mem_req_t *q)
{
    reservation_t *last = &j->source[source].last;
    bool mine = last->valid && last->hart == q->hart;
    if (q->amo == AMO_LR) {
        *last = (reservation_t){true, q->hart, q->line};
    } else if (q->amo == AMO_SC) {
        if (q->sc_fail != !(mine && last->where == q->line))
            judge_differ(j, source, NO_WARP, NULL,
                         "an SC of hart %u to 0x%" PRIx64 " is marked to %s; the last LR was hart %" PRIu64
                         "'s, of the line at 0x%" PRIx64 "%s",
                         q->hart, q->line * LINE_BYTES + q->amo_off, q->sc_fail ? "fail" : "succeed", last->hart,
                         last->where * LINE_BYTES, last->valid ? "" : ", and its reservation has ended");
        if (mine)
            last->valid = false;
    }
}

/* Before the beat of the thread is shown the request has its operands, and the trace must agree (judge_events.c). Nothing of its core that the
 * LSU lets go in between is younger. */
static void asked_early(judge_t *j, const mem_req_t *q, insn_t *i, unsigned t)
{
    i->phys[t] |= q->amo_off;
    i->data[t] = q->data.w[0];
    i->went[t] = ++j->accesses;
}

/* An atomic of a core: the instruction that sent it, as the LSU sent it. */
static void check_atomic(judge_t *j, unsigned core, request_t *r)
{
    const mem_req_t *q = &r->q;
    uint64_t addr = q->line * LINE_BYTES + q->amo_off, mask = size_mask(q->amo_dword ? 8 : 4);
    unsigned local = (unsigned)(q->hart - hart_of(core, 0, 0)), home = local / THREADS, t = r->thread = local % THREADS;
    unsigned warp = home < WARPS ? judge_seat(&j->core[core], home, t) : home;
    insn_t *i = r->insn = warp < WARPS ? atomic_of(&j->core[core].warp[warp], t) : NULL;
    if (!i) {
        judge_differ(j, core, NO_WARP, NULL,
                     "atomic %u of hart %u at 0x%" PRIx64 ", which no instruction in flight requests", q->amo, q->hart,
                     addr);
        return;
    }
    if (!(i->traced >> t & 1))
        asked_early(j, q, i, t);
    i->asked |= 1ull << t;
    i->compared[t] = q->data.w[1] & mask;
    bool lr = i->op == OP_LR_W || i->op == OP_LR_D;
    static const uint8_t funct5[] = {
        [AMO_SWAP] = 1, [AMO_ADD] = 0,   [AMO_XOR] = 4,   [AMO_AND] = 12, [AMO_OR] = 8, [AMO_MIN] = 16,
        [AMO_MAX] = 20, [AMO_MINU] = 24, [AMO_MAXU] = 28, [AMO_CAS] = 5,  [AMO_LR] = 2, [AMO_SC] = 3};
    if (addr != i->phys[t] || funct5[q->amo] != i->instr >> 27 || (q->amo_dword ? 8 : 4) != size_of(i))
        judge_differ(j, core, warp, i,
                     "thread %u requests atomic %u of %u bytes at 0x%" PRIx64 ", its address is 0x%" PRIx64, t, q->amo,
                     q->amo_dword ? 8 : 4, addr, i->phys[t]);
    else if (!lr && (q->data.w[0] ^ i->data[t]) & mask)
        judge_differ(j, core, warp, i, "thread %u requests an atomic with operand 0x%" PRIx64 ", it has 0x%" PRIx64, t,
                     q->data.w[0] & mask, i->data[t] & mask);
    /* rl: a fence for older accesses; its core must have received their acknowledgements */
    else if (i->instr >> 25 & 1)
        judge_earlier_done(j, core, warp, i, "is not performed when a later release is requested");
}

void judge_asked(judge_t *j, unsigned source, const mem_req_t *q)
{
    source_state_t *s = &j->source[source];
    const bool known = q->op <= MEM_AMO || (q->op == MEM_STORE && VIEWERS > 1 && source == HOST_SOURCE);
    if (!known || (q->op == MEM_AMO && (q->amo > AMO_SC || q->amo_off & (q->amo_dword ? 7 : 3)))) {
        judge_differ(j, source, NO_WARP, NULL, "a request that does not exist: kind %u (atomic %u, byte %u)", q->op,
                     q->amo, q->amo_off);
        return;
    }
    if (q->line * LINE_BYTES < j->base || q->line * LINE_BYTES + LINE_BYTES > j->limit) {
        judge_differ(j, source, NO_WARP, NULL, "a request for the line at 0x%" PRIx64 ", which is outside of memory",
                     q->line * LINE_BYTES);
        return;
    }
    for (unsigned k = 0; k < s->n; k++)
        if (s->at[k].q.id == q->id && (s->at[k].q.op != MEM_WRITE || q->op != MEM_WRITE)) {
            judge_differ(j, source, NO_WARP, NULL,
                         "a %s with id 0x%x, which the %s requested in cycle %" PRIu64 " still uses", kind[q->op],
                         q->id, kind[s->at[k].q.op], s->at[k].cycle);
            return;
        }
    request_t *r = request_new(j, s);
    if (!r)
        return;
    *r = (request_t){.q = *q, .cycle = j->cycle, .epoch = judge_epoch(j)};
    if (is_walk(source, q))
        judge_walk_asked(j, source, q);
    if (q->op != MEM_AMO)
        return;
    if (source < CORES) {
        check_reservation(j, source, q);
        check_atomic(j, source, r);
    }
}

/* ---- answered -------------------------------------------------------------------------------------------------------- */

/* Performs it, and checks the answer. */
static void perform(judge_t *j, unsigned slice, unsigned source, const request_t *r, const line_data_t *data)
{
    const mem_req_t *q = &r->q;
    line_data_t expected = {{0}};
    if (q->op == MEM_READ) {
        uint64_t at;
        uint8_t want;
        if (!judge_holds(j, source, q->line, data, &at, &want))
            judge_differ(j, source, NO_WARP, NULL,
                         "slice %u answers the read requested in cycle %" PRIu64 " with byte 0x%" PRIx64
                         " = 0x%02x, memory holds 0x%02x",
                         slice, r->cycle, at, ((const uint8_t *)data->w)[at % LINE_BYTES], want);
        if (is_walk(source, q))
            judge_walk_answered(j, source, q, data);
        if (is_walk(source, q) || (source < CORES && is_code(q)))
            judge_read_answered(j, source, is_walk(source, q) ? READ_TABLE : READ_CODE, r, data->w);
        return;
    }
    judge_slice_stored(j, slice, q, data->w[0]);
    if (q->op != MEM_AMO)
        judge_written(j, source, q);
    else
        expected.w[0] = judge_atomic(j, source, q, r->insn, r->thread, data->w[0]);
    if (q->op == MEM_AMO && !q->amo_dword)
        expected.w[0] |= expected.w[0] << 32;
    for (unsigned k = 0; k < LINE_BYTES / 8; k++)
        if (data->w[k] != expected.w[k]) {
            judge_differ(j, source, NO_WARP, NULL,
                         "slice %u answers the %s requested in cycle %" PRIu64 " with doubleword %u = 0x%" PRIx64
                         ", it must be 0x%" PRIx64,
                         slice, kind[q->op], r->cycle, k, data->w[k], expected.w[k]);
            return;
        }
}

/* An SC that fails touches nothing, and where a slice must own a line it fails at once if the slice does not: before an LR, say, that waits for the line
 * (docs/blocks/l2c.md, 6d). Whether it had a reservation by then judge_atomic knows. */
static bool fails_at_once(const request_t *r, const line_data_t *data)
{
    return VIEWERS > 1 && r->q.op == MEM_AMO && r->q.amo == AMO_SC && data->w[0] & 1;
}

void judge_answered(judge_t *j, unsigned slice, const net_rsp_t *a, uint64_t line)
{
    unsigned src = a->src, k = 0;
    source_state_t *s = src < SOURCES ? &j->source[src] : NULL;
    while (s && k < s->n && (s->at[k].q.id != a->rsp.id || s->at[k].q.line != line))
        k++;
    if (!s || k == s->n) {
        judge_differ(j, s ? src : 0, NO_WARP, NULL,
                     "slice %u answers source %u's request 0x%x for the line at 0x%" PRIx64
                     ", which is not outstanding",
                     slice, src, a->rsp.id, line * LINE_BYTES);
        return;
    }
    for (unsigned o = 0; o < k; o++)
        if (s->at[o].q.line == line && !fails_at_once(&s->at[k], &a->rsp.data)) {
            judge_differ(j, src, NO_WARP, NULL,
                         "slice %u answers the %s of the line at 0x%" PRIx64 " requested in cycle %" PRIu64
                         " before the %s of cycle %" PRIu64,
                         slice, kind[s->at[k].q.op], line * LINE_BYTES, s->at[k].cycle, kind[s->at[o].q.op],
                         s->at[o].cycle);
            return;
        }
    if (slice != judge_slice(src, line * LINE_BYTES))
        judge_differ(j, src, NO_WARP, NULL,
                     "slice %u answers a request for the line at 0x%" PRIx64 ", which belongs to slice %u", slice,
                     line * LINE_BYTES, judge_slice(src, line * LINE_BYTES));
    perform(j, slice, src, &s->at[k], &a->rsp.data);
    memmove(&s->at[k], &s->at[k + 1], (--s->n - k) * sizeof *s->at);
}

void judge_all_answered(judge_t *j)
{
    for (unsigned c = 0; c < CORES; c++)
        if (j->source[c].n) {
            const request_t *r = &j->source[c].at[0];
            judge_differ(j, c, NO_WARP, NULL,
                         "the kernel has ended, but the %s of the line at 0x%" PRIx64 " requested in cycle %" PRIu64
                         " has not been answered",
                         kind[r->q.op], r->q.line * LINE_BYTES, r->cycle);
            return;
        }
}
