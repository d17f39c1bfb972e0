/* The page of l1i (docs/blocks/l1i.md) as a program: hit or miss, the victim by the tree, both fills state by state, every answer and event. The step numbers
 * are the page's. */
#ifndef VERIF_CACHE_L1I_PAGE_H
#define VERIF_CACHE_L1I_PAGE_H
#include "l1i_ports.h"
#include "verif/common/scoreboard.h"

enum { PG_SETS = L1I_BYTES / (LINE_BYTES * L1I_WAYS) };
typedef enum { PG_FREE, PG_LOOK, PG_ASKED, PG_SEND, PG_WAIT, PG_HAVE, PG_TELL, PG_TOLD, PG_FAULT } page_state_t;
typedef struct {
    bool valid;
    uint64_t line;
    uint32_t word[32];
} page_line_t;
typedef struct {
    page_state_t state;
    uint64_t line, frame;
    bool killed, access;
    uint8_t warp;
} page_fill_t;

typedef struct {
    page_line_t cache[PG_SETS][L1I_WAYS],
        tags_then[L1I_WAYS]; /* tags_then: of s1's set, at the end of the cycle in which its request was taken */
    bool node[PG_SETS][L1I_WAYS];
    page_fill_t fill[2];
    bool s1_valid, s2_valid, s2_absent, last_alloc, tell, wake1;
    fetch_req_t s1, s2;
    unsigned wr_way;
    l1i_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->out.req_ready = true;
}

/* The tree of a set: node n has children 2n + 1 and 2n + 2; a node points to the half that is to go first. */
static unsigned page_victim(const page_t *p, unsigned set)
{
    unsigned low = 0, ways = L1I_WAYS, n = 0;
    while (ways > 1) {
        ways /= 2;
        low += p->node[set][n] ? ways : 0;
        n = 2 * n + 1 + p->node[set][n];
    }
    return low;
}

static void page_touch(page_t *p, unsigned set, unsigned way)
{
    unsigned low = 0, ways = L1I_WAYS, n = 0;
    while (ways > 1) {
        ways /= 2;
        const bool upper = way >= low + ways;
        p->node[set][n] = !upper;
        low += upper ? ways : 0;
        n = 2 * n + 1 + upper;
    }
}

static int page_only(const page_t *p, page_state_t state, unsigned both)
{
    const bool f[2] = {p->fill[0].state == state, p->fill[1].state == state};
    return f[0] && f[1] ? (int)both : f[0] ? 0 : f[1] ? 1 : -1;
}

static void page_show(page_t *p)
{
    l1i_out_t *o = &p->out;
    const int send = page_only(p, PG_SEND, !p->last_alloc), tell = page_only(p, PG_TELL, p->tell),
              look = page_only(p, PG_LOOK, 0);
    o->req_ready = true;
    o->mem_req_valid = send >= 0;
    if (send >= 0)
        o->mem_req = (mem_req_t){.op = MEM_READ,
                                 .id = (uint16_t)send,
                                 .line = p->fill[send].frame * PAGE_LINES + p->fill[send].line % PAGE_LINES};
    o->pf_valid = tell >= 0;
    if (tell >= 0)
        o->pf = (page_fault_t){.fetch = true,
                               .warp = (uint8_t)tell,
                               .pc = p->fill[tell].line * LINE_BYTES,
                               .value = p->fill[tell].line * LINE_BYTES};
    o->look_valid = look >= 0;
    if (look >= 0)
        o->look = (itlb_look_t){.fill = look, .vpn = p->fill[look].line / PAGE_LINES, .warp = p->fill[look].warp};
}

static bool page_has(const page_fill_t *f, uint64_t line)
{
    return f->state != PG_FREE && f->line == line;
}

static void page_expect(page_t *p, const l1i_in_t *in)
{
    const l1i_out_t was = p->out;
    const page_fill_t before[2] = {p->fill[0], p->fill[1]};
    const bool forget = in->inval || in->inv_valid;
    const int writes = in->mem_rsp_valid ? in->mem_rsp.id & 1 : -1; /* the fill that gets its line (step 4) */
    const bool write = writes >= 0 && !before[writes].killed;
    const unsigned w_set = writes >= 0 ? (unsigned)(before[writes].line % PG_SETS) : 0;
    bool wake1 = false, found = false, hit = false;
    l1i_out_t o = {0};

    /* 1. The lookup of the request in s1. */
    const uint64_t line = p->s1.pc / LINE_BYTES;
    const unsigned set = (unsigned)(line % PG_SETS), block = (unsigned)(p->s1.pc % LINE_BYTES / 16);
    unsigned way = 0;
    for (unsigned w = 0; p->s1_valid && w < L1I_WAYS; w++)
        if (p->cache[set][w].valid && p->tags_then[w].line == line)
            found = true, way = w;
    hit = found && !(write && w_set == set);
    int faulty = -1;
    for (int f = 1; p->s1_valid && !found && f >= 0; f--)
        if (before[f].state == PG_FAULT && before[f].line == line)
            faulty = f;
    o.rsp_valid = p->s1_valid;
    o.rsp = (fetch_rsp_t){.warp = p->s1.warp, .epoch = p->s1.epoch, .pc = p->s1.pc, .hit = hit, .fault = faulty >= 0};
    if (hit)
        memcpy(o.rsp.instr, p->cache[set][way].word + 4 * block, 16);
    if (faulty >= 0) {
        o.rsp.instr[0] = !before[faulty].access;
        p->fill[faulty].state = PG_FREE;
    }
    if (hit && !write) /* 2 */
        page_touch(p, set, way);
    o.ev.l1i_hits = hit;
    o.ev.l1i_misses = p->s1_valid && !hit;

    /* 3. */
    const uint64_t missed = p->s2.pc / LINE_BYTES;
    int allocated = -1;
    if (p->s2_valid && p->s2_absent && !page_has(&before[0], missed) && !page_has(&before[1], missed)) {
        for (int f = 1; f >= 0; f--)
            if (before[f].state == PG_FAULT)
                allocated = f;
        for (int f = 1; f >= 0; f--)
            if (before[f].state == PG_FREE)
                allocated = f;
        if (allocated >= 0) {
            p->fill[allocated] =
                (page_fill_t){in->root.sv48 ? PG_LOOK : PG_SEND, missed, missed / PAGE_LINES, false, false, p->s2.warp};
            p->last_alloc = allocated;
        }
    }
    const bool absent = !found && !page_has(&before[0], line) && !page_has(&before[1], line);

    /* 4, 5. */
    const unsigned have_way = p->wr_way;
    int cleared = -1;
    if (writes >= 0) {
        p->fill[writes].state = PG_HAVE;
        if (write) {
            const unsigned v = page_victim(p, w_set);
            page_line_t *l = &p->cache[w_set][v];
            l->valid = false;
            l->line = before[writes].line;
            memcpy(l->word, in->mem_rsp.data.w, LINE_BYTES);
            page_touch(p, w_set, v);
            p->wr_way = v;
            cleared = (int)v;
        }
    }
    for (int f = 0; f < 2; f++)
        if (before[f].state == PG_HAVE) {
            const unsigned s = (unsigned)(before[f].line % PG_SETS);
            p->fill[f].state = PG_FREE;
            wake1 = true;
            if (before[f].killed || forget)
                continue;
            o.ev.l1i_fills = true;
            if (!(write && w_set == s && cleared == (int)have_way))
                p->cache[s][have_way].valid = true;
        }

    /* 6. */
    if (was.look_valid)
        p->fill[was.look.fill].state = PG_ASKED;
    bool tells[2] = {false, false};
    for (int f = 0; f < 2; f++) {
        if (!(in->found_valid >> f & 1))
            continue;
        page_fill_t *x = &p->fill[f];
        if (before[f].killed || forget) {
            x->state = PG_FREE;
            wake1 = true;
        } else if (in->found[f].result == WALK_OK) {
            x->state = PG_SEND;
            x->frame = in->found[f].ppn;
        } else if (in->found[f].result == WALK_PAGE) {
            x->state = PG_TELL;
            tells[f] = true;
        } else {
            x->state = PG_FAULT;
            x->access = true;
            wake1 = true;
        }
    }
    const bool sent = was.mem_req_valid && in->mem_req_ready, reported = was.pf_valid && in->pf_ready;
    for (int f = 0; f < 2; f++)
        if (tells[f] && before[!f].state != PG_TELL && !(f == 1 && tells[0]))
            p->tell = f;
    if (reported) {
        p->fill[was.pf.warp & 1].state = PG_TOLD;
        p->tell = !(was.pf.warp & 1);
    }
    if (in->resume_valid && before[in->resume_fill].state == PG_TOLD) {
        page_fill_t *x = &p->fill[in->resume_fill];
        x->state = x->killed ? PG_FREE : in->resume_deny ? PG_FAULT : PG_LOOK;
        wake1 |= x->killed;
        if (x->state == PG_FAULT) {
            x->access = false;
            wake1 = true;
        }
    }
    if (sent)
        p->fill[was.mem_req.id & 1].state = PG_WAIT;

    /* 7. */
    if (forget) {
        for (unsigned s = 0; s < PG_SETS; s++)
            for (unsigned w = 0; w < L1I_WAYS; w++)
                p->cache[s][w].valid = false;
        for (int f = 0; f < 2; f++) {
            if (f == allocated || before[f].state == PG_FREE)
                continue;
            p->fill[f].killed = true;
            const bool shown = was.look_valid && was.look.fill == f;
            const bool queued = p->fill[f].state == PG_TOLD && !in->inval; /* the host's answer is still to come */
            if ((before[f].state == PG_LOOK && !shown)
                || ((before[f].state == PG_TELL || before[f].state == PG_TOLD) && !queued)
                || (before[f].state == PG_FAULT && f != faulty)) {
                p->fill[f].state = PG_FREE;
                wake1 = true;
            }
        }
        if (allocated >= 0 && in->inv_valid)
            p->fill[allocated].killed = true;
    }

    o.wake = p->wake1;
    p->wake1 = wake1;
    p->s2_valid = p->s1_valid;
    p->s2 = p->s1;
    p->s2_absent = absent;
    p->s1_valid = in->req_valid;
    p->s1 = in->req;
    memcpy(p->tags_then, p->cache[(in->req.pc / LINE_BYTES) % PG_SETS], sizeof p->tags_then);
    if (write
        && w_set
               == (in->req.pc / LINE_BYTES)
                      % PG_SETS) /* before any write of that edge; a way being written is not valid, so only its old tag could be seen */
        p->tags_then[cleared].line = ~0ull;
    p->out = o;
    page_show(p);
}
#endif
