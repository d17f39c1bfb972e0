/* The page of walker (docs/blocks/walker.md, and the steps of docs/blocks/ptw.md that it takes over) as a program. The walks under way are a line of people, the oldest in front, whatever their
 * numbers; PTEs are numbered through all of memory (address / 8). What happened at an edge is noted for the bench's coverage, with how long a kernel that has a candidate has been passed over. */
#ifndef VERIF_MMU_WALKER_PAGE_H
#define VERIF_MMU_WALKER_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/mmu/pte.h"
#include "walker_ports.h"

enum {
    NOTE_PTE_SPACES, /* the same PTE awaited in two address spaces */
    NOTE_PTE_KERNELS, /* ... of two kernels in one */
    NOTE_PTE_LEAD, /* ready, with the leader's PTE, and of another kernel or address space */
    NOTE_ALONE, /* each kernel has at some time been the only one with walks; all have walks at once */
    NOTE_ALL_KERNELS,
    NOTE_FULL,
    NOTE_FULL_READS,
    NOTE_TURN,
    NOTE_PASSED,
    NOTE_WAITS,
    NOTE_WAITS_LEAD,
    NOTE_SHARED,
    NOTE_SHARED_MANY,
    NOTE_SHARED_ACCESS,
    NOTE_LINE, /* by level */
    NOTE_LINE_KEPT = NOTE_LINE + 4, /* over leaders of another kernel */
    NOTE_LINE_LOST,
    NOTE_OLDEST,
    NOTE_NAIVE_SAME,
    NOTE_NAIVE_LIMIT,
    NOTE_LIMIT,
    NOTE_LIMIT_OTHER,
    NOTE_LIMIT_JOINS,
    NOTE_LIMIT_OUTSIDE,
    NOTE_GIVEN_UP,
    NOTE_GIVEN_NEXT,
    NOTE_NO_READ,
    NOTE_OUT_WAITS,
    NOTE_INV, /* by scope, with reads awaited */
    NOTE_INV_BOTH = NOTE_INV + 3, /* INV_ASID with walks of that address space and others under way, waiting */
    NOTE_INV_RSP, /* an answer at its edge: concerned, not concerned */
    NOTE_INV_DONE = NOTE_INV_RSP + 2, /* a response in its cycle: void, given */
    NOTE_INV_DONE_OTHER = NOTE_INV_DONE + 2,
    NOTE_INV_LEAD, /* the leader: restarted, acts nonetheless, is given up nonetheless */
    NOTE_INV_PICKED = NOTE_INV_LEAD + 3, /* who is picked is restarted; another one's leader goes on */
    NOTE_INV_PICKED_OTHER,
    NOTE_INV_OUT, /* a read that waits for memory: dropped, stays awaited */
    NOTE_INV_REQ = NOTE_INV_OUT + 2,
    NOTE_INV_IDLE,
    NOTE_INV_BACK,
    NOTE_DROPPED,
    NOTE_DROPPED_AGAIN, /* while its PTE is read anew */
    NOTE_DONE_MANY,
    NOTE_AGAIN_SOON,
    NOTE_ROOT,
    NOTE_OWNER,
    NOTE_IDLE,
    NOTES
};

typedef enum { P_READY, P_WAITS, P_DONE } phase_e;
typedef struct {
    walk_req_t req;
    unsigned kernel, level, read;
    uint64_t table; /* frame */
    bool glob;
    phase_e phase;
    uint8_t result;
    leaf_t leaf;
    bool ready, restarts; /* of this edge */
} person_t;
typedef struct {
    bool valid, drop;
    uint64_t pte;
    uint16_t asid;
    unsigned kernel;
} wanted_t;
typedef struct {
    uint64_t pte;
    unsigned level;
} spot_t;

typedef struct {
    person_t line[WALKS + 1];
    unsigned n;
    wanted_t read[WALKS];
    struct {
        bool valid, nearby;
        unsigned walk, kernel;
        uint16_t asid;
        uint8_t access;
        spot_t at;
    } lead;
    came_t came;
    unsigned turn[KERNELS], first;
    spot_t last[KERNELS];
    /* for the bench */
    bool did[NOTES], busy;
    unsigned passed[KERNELS], alone, freed /* walk, one more */;
    bool away[KERNELS]; /* another kernel has led since this one did */
    root_t root[CORES];
    uint8_t owner[CORES];
    bool known;
    walker_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.rsp_valid = false;
    for (unsigned i = 0; i < p->n && !p->out.rsp_valid; i++)
        if (p->line[i].phase == P_DONE) {
            p->out.rsp_valid = true;
            p->out.rsp =
                (walk_rsp_t){.walk = p->line[i].req.walk, .result = p->line[i].result, .leaf = p->line[i].leaf};
        }
}

static void page_begin(page_t *p)
{
    page_show(p);
}

static uint64_t page_pte_of(const person_t *w)
{
    return w->table * 512 + (w->req.vpn >> 9 * w->level) % 512;
}

static void page_done(person_t *w, unsigned result, leaf_t leaf)
{
    w->phase = P_DONE;
    w->result = (uint8_t)result;
    w->leaf = leaf;
}

static bool page_concerns(const walker_in_t *in, uint16_t asid)
{
    return in->inv_valid && (in->inv.scope != INV_ASID || in->inv.asid == asid);
}

/* 2 of ptw: the walk reads this PTE. */
static void page_pte(person_t *w, uint64_t pte, const window_t *m)
{
    const meaning_t x = pte_means(pte, w->level, &w->glob, m);
    if (x.ends)
        page_done(w, x.result, x.leaf);
    else {
        w->level--;
        w->table = x.table;
        w->phase = P_READY;
    }
}

/* 1. */
static void page_request(page_t *p, const walker_in_t *in)
{
    if (!in->req_valid)
        return;
    const walk_req_t *r = &in->req;
    p->line[p->n++] = (person_t){.req = *r, .kernel = in->owner[r->core], .level = 3, .table = in->root[r->core].ppn};
    p->did[NOTE_AGAIN_SOON] = r->walk + 1u == p->freed;
}

/* 2. */
static void page_came(page_t *p, const walker_in_t *in)
{
    if (!p->came.valid)
        return;
    wanted_t *r = &p->read[p->came.read];
    const bool concerned = page_concerns(in, r->asid);
    r->valid = false;
    p->did[NOTE_DROPPED] |= r->drop;
    for (unsigned i = 0; i < WALKS; i++)
        p->did[NOTE_DROPPED_AGAIN] |=
            r->drop && p->read[i].valid && !p->read[i].drop && p->read[i].pte == r->pte && p->read[i].asid == r->asid;
    if (in->inv_valid && !r->drop)
        p->did[NOTE_INV_RSP + !concerned] = true;
    if (r->drop || concerned)
        return;
    for (unsigned i = 0; i < p->n; i++)
        if (p->line[i].phase == P_WAITS && p->line[i].read == p->came.read)
            page_pte(&p->line[i], p->came.pte, &in->window[r->kernel]);
}

static bool page_shares(const page_t *p, const person_t *w)
{
    return page_pte_of(w) == p->lead.at.pte && w->req.asid == p->lead.asid && w->kernel == p->lead.kernel;
}

typedef enum { STAYS, ACTS, GIVES_UP } act_e;

/* 3, the leader. */
static act_e page_act(page_t *p, const walker_in_t *in, const wanted_t *before, unsigned answered)
{
    unsigned free = WALKS, awaited = WALKS, mine = 0, others = 0, waiting = 0;
    for (unsigned r = WALKS; r-- > 0;) {
        const wanted_t *w = &before[r];
        if (!w->valid) {
            free = r;
            continue;
        }
        mine += w->kernel == p->lead.kernel;
        others += w->kernel != p->lead.kernel;
        if (w->pte == p->lead.at.pte && !w->drop && r != answered) {
            if (w->asid == p->lead.asid && w->kernel == p->lead.kernel)
                awaited = r;
            else
                p->did[w->asid == p->lead.asid ? NOTE_PTE_KERNELS : NOTE_PTE_SPACES] = true;
        }
    }
    const bool stalls = p->out.mem_req_valid && !in->mem_req_ready;
    p->did[NOTE_NO_READ] = !stalls && free == WALKS;
    p->did[NOTE_OUT_WAITS] = stalls;
    if (stalls || free == WALKS)
        return STAYS;
    const bool coalesce = in->policy.coalesce, full = in->policy.reads && mine >= in->policy.reads;
    const uint64_t line = p->lead.at.pte / (LINE_BYTES / 8);
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        if (w->req.walk != p->lead.walk)
            continue;
        if (pte_outside(&in->window[p->lead.kernel], line)) {
            page_done(w, WALK_ACCESS, (leaf_t){.r = true, .w = true, .x = true});
            p->did[NOTE_LIMIT_OUTSIDE] = coalesce && full;
            return ACTS;
        }
    }
    const bool joins = coalesce && awaited < WALKS;
    p->did[NOTE_LIMIT_JOINS] = joins && full;
    p->did[NOTE_NAIVE_LIMIT] = !coalesce && full;
    p->did[NOTE_NAIVE_SAME] = !coalesce && awaited < WALKS;
    if (coalesce && !joins && full) {
        p->did[NOTE_LIMIT] = true;
        return GIVES_UP;
    }
    p->did[NOTE_LIMIT_OTHER] = !joins && coalesce && in->policy.reads && mine + others >= in->policy.reads;
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        if (!w->ready || !(coalesce ? page_shares(p, w) : w->req.walk == p->lead.walk))
            continue;
        p->did[NOTE_SHARED_ACCESS] |= w->req.access != p->lead.access;
        w->phase = P_WAITS;
        w->read = joins ? awaited : free;
        waiting++;
    }
    const unsigned saved = waiting - !joins, level = p->lead.at.level;
    ev_walker_t *ev = &p->out.ev;
    ev->walker_shared = (uint8_t)saved;
    ev->walker_shared_l3 = level == 3 ? (uint8_t)saved : 0;
    ev->walker_shared_l2 = level == 2 ? (uint8_t)saved : 0;
    ev->walker_shared_l1 = level == 1 ? (uint8_t)saved : 0;
    p->did[NOTE_WAITS] = joins && saved == 1;
    p->did[NOTE_WAITS_LEAD] = joins && saved > 1;
    p->did[NOTE_SHARED] = !joins && saved == 1;
    p->did[NOTE_SHARED_MANY] = !joins && saved > 1;
    if (joins)
        return ACTS;
    *(level == 0   ? &ev->walker_reads_l0
      : level == 1 ? &ev->walker_reads_l1
      : level == 2 ? &ev->walker_reads_l2
                   : &ev->walker_reads_l3) = true;
    ev->walker_same_line = p->lead.nearby;
    p->did[NOTE_LINE + level] |= p->lead.nearby;
    p->read[free] = (wanted_t){true, false, p->lead.at.pte, p->lead.asid, p->lead.kernel};
    p->out.mem_req_valid = true;
    p->out.mem_req = (pte_read_t){.read = (uint8_t)free,
                                  .level = (uint8_t)level,
                                  .asid = p->lead.asid,
                                  .access = p->lead.access,
                                  .line = line,
                                  .place = (uint8_t)(p->lead.at.pte % (LINE_BYTES / 8))};
    return ACTS;
}

static bool page_near(const spot_t *last, const person_t *w)
{
    return page_pte_of(w) / (LINE_BYTES / 8) == last->pte / (LINE_BYTES / 8) && w->level == last->level;
}

/* Level, then line; age is the place in the line. */
static unsigned page_rank(const spot_t *last, const person_t *w)
{
    return 2 * w->level + page_near(last, w);
}

/* 3, the next leader: its place in the line, or -1. `given_up`: the kernel that gives up its leader at this edge, or KERNELS. */
static int page_pick(page_t *p, bool coalesce, unsigned given_up, spot_t last[KERNELS])
{
    bool candidate[WALKS + 1], has[KERNELS] = {0};
    unsigned kernels = 0, chosen = KERNELS;
    for (unsigned i = 0; i < p->n; i++) {
        const person_t *w = &p->line[i];
        const bool led = p->lead.valid && (coalesce ? page_shares(p, w) : w->req.walk == p->lead.walk);
        candidate[i] = w->ready && !led && w->kernel != given_up;
        has[w->kernel] |= candidate[i];
        p->did[NOTE_PTE_LEAD] |= candidate[i] && coalesce && p->lead.valid && page_pte_of(w) == p->lead.at.pte;
    }
    for (unsigned n = 0; n < KERNELS; n++) {
        const unsigned k = (p->first + n) % KERNELS;
        kernels += has[k];
        if (has[k] && chosen == KERNELS)
            chosen = k;
        p->did[NOTE_PASSED] |= chosen < KERNELS && n && chosen == k;
    }
    p->did[NOTE_TURN] |= kernels > 1;
    for (unsigned k = 0; k < KERNELS; k++)
        p->passed[k] = has[k] && k != chosen ? p->passed[k] + 1 : 0;
    if (chosen == KERNELS)
        return -1;
    p->first = (chosen + 1) % KERNELS;
    const bool plain = !coalesce || p->turn[chosen] == 63;
    int oldest = -1, ranked = -1;
    for (int i = 0; i < (int)p->n; i++) {
        const person_t *w = &p->line[i];
        if (!candidate[i] || w->kernel != chosen)
            continue;
        if (oldest < 0)
            oldest = i;
        if (ranked < 0 || page_rank(&last[chosen], w) > page_rank(&last[chosen], &p->line[ranked]))
            ranked = i;
    }
    const int best = plain ? oldest : ranked;
    p->did[NOTE_OLDEST] |= coalesce && plain && oldest != ranked;
    const bool nearby = page_near(&last[chosen], &p->line[best]);
    p->did[NOTE_LINE_KEPT] |= nearby && p->away[chosen];
    for (unsigned k = 0; k < KERNELS; k++)
        p->did[NOTE_LINE_LOST] |= k != chosen && !nearby && page_near(&last[k], &p->line[best]);
    return best;
}

static void page_note_inv(page_t *p, const walker_in_t *in)
{
    unsigned inside = 0, outside = 0, done[2] = {0}, reads = 0, first = p->n;
    for (unsigned i = 0; i < p->n; i++) {
        const person_t *w = &p->line[i];
        (w->restarts ? &inside : &outside)[0] += w->phase == P_WAITS;
        done[w->restarts] += w->phase == P_DONE;
        first = w->phase == P_DONE && first == p->n ? i : first;
    }
    for (unsigned r = 0; r < WALKS; r++)
        reads += p->read[r].valid && !p->read[r].drop && page_concerns(in, p->read[r].asid);
    p->did[NOTE_INV + in->inv.scope] = reads;
    p->did[NOTE_INV_BOTH] = in->inv.scope == INV_ASID && inside && outside;
    if (first < p->n) {
        p->did[NOTE_INV_DONE + !p->line[first].restarts] = true;
        p->did[NOTE_INV_DONE_OTHER] = !p->line[first].restarts && done[1];
    }
    if (p->out.mem_req_valid && !in->mem_req_ready && !p->read[p->out.mem_req.read].drop)
        p->did[NOTE_INV_OUT + !page_concerns(in, p->read[p->out.mem_req.read].asid)] = true;
    p->did[NOTE_INV_REQ] = in->req_valid && page_concerns(in, in->req.asid);
    p->did[NOTE_INV_IDLE] = !p->n;
    p->did[NOTE_INV_BACK] = p->out.inv_done;
}

static void page_note(page_t *p, const walker_in_t *in)
{
    bool walks[KERNELS] = {0};
    unsigned kernels = 0, reads = 0, done = 0, only = 0;
    for (unsigned i = 0; i < p->n; i++) {
        walks[p->line[i].kernel] = true;
        done += p->line[i].phase == P_DONE;
    }
    for (unsigned k = 0; k < KERNELS; k++)
        if (walks[k])
            kernels++, only = k;
    for (unsigned r = 0; r < WALKS; r++)
        reads += p->read[r].valid;
    if (kernels == 1)
        p->alone |= 1u << only;
    p->did[NOTE_ALONE] = p->alone == (1u << KERNELS) - 1;
    p->did[NOTE_ALL_KERNELS] = kernels == KERNELS;
    p->did[NOTE_FULL] = p->n == WALKS;
    p->did[NOTE_FULL_READS] = reads == WALKS;
    p->did[NOTE_DONE_MANY] = done > 2;
    for (unsigned c = 0; c < CORES; c++) {
        vl_diff_t d;
        p->did[NOTE_ROOT] |= p->known && p->n && root_t_diff(&p->root[c], &in->root[c], &d);
        p->did[NOTE_OWNER] |= p->known && p->n && p->owner[c] != in->owner[c];
        p->root[c] = in->root[c];
        p->owner[c] = in->owner[c];
    }
    p->known = true;
    const bool busy = p->n || reads || p->came.valid || p->out.mem_req_valid;
    p->did[NOTE_IDLE] = p->busy && !busy;
    p->busy = busy;
}

/* The numbered edge. */
static void page_expect(page_t *p, const walker_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    int ends = -1; /* 4, by the outputs shown */
    for (int i = (int)p->n; i-- > 0;)
        if (p->line[i].phase == P_DONE)
            ends = i;
    page_request(p, in);
    p->out.ev.walker_busy = (uint8_t)p->n;
    p->out.ev.walker_stall_mem = p->out.mem_req_valid && !in->mem_req_ready;
    bool walks[KERNELS] = {0};
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        w->ready = w->phase == P_READY;
        w->restarts = page_concerns(in, w->req.asid);
        walks[w->kernel] = true;
    }
    if (in->inv_valid)
        page_note_inv(p, in);

    wanted_t before[WALKS];
    memcpy(before, p->read, sizeof before);
    page_came(p, in);

    const bool concerned = p->lead.valid && page_concerns(in, p->lead.asid);
    const bool was_out = p->out.mem_req_valid;
    act_e act = STAYS;
    if (p->lead.valid && !concerned)
        act = page_act(p, in, before, p->came.valid ? p->came.read : WALKS);
    const bool sent = p->out.ev.walker_reads_l0 || p->out.ev.walker_reads_l1 || p->out.ev.walker_reads_l2
                      || p->out.ev.walker_reads_l3;
    p->out.mem_req_valid = sent || (was_out && !in->mem_req_ready);

    spot_t last[KERNELS];
    memcpy(last, p->last, sizeof last);
    if (p->lead.valid)
        last[p->lead.kernel] = p->lead.at;
    if (p->lead.valid && (act == ACTS || concerned))
        p->last[p->lead.kernel] = p->lead.at;
    int picked = -1;
    const bool picks = !p->lead.valid || act != STAYS;
    const unsigned given_up = act == GIVES_UP ? p->lead.kernel : KERNELS;
    if (picks)
        picked = page_pick(p, in->policy.coalesce, given_up, last);
    p->did[NOTE_GIVEN_UP] = act == GIVES_UP && picked < 0;
    p->did[NOTE_GIVEN_NEXT] = act == GIVES_UP && picked >= 0;
    if (in->inv_valid && p->lead.valid) {
        p->did[NOTE_INV_LEAD] = concerned;
        p->did[NOTE_INV_LEAD + 1] = !concerned && act == ACTS;
        p->did[NOTE_INV_LEAD + 2] = act == GIVES_UP;
    }
    const bool becomes = picked >= 0 && !p->line[picked].restarts;
    p->did[NOTE_INV_PICKED] = picked >= 0 && !becomes;
    p->did[NOTE_INV_PICKED_OTHER] = becomes && in->inv_valid;
    for (unsigned k = 0; k < KERNELS; k++) {
        unsigned t = p->turn[k] + (becomes && p->line[picked].kernel == k) + (given_up == k ? 63 : 0);
        p->turn[k] = walks[k] ? t % 64 : 0;
    }
    if (picks || concerned)
        p->lead.valid = becomes;
    if (becomes) {
        const person_t *w = &p->line[picked];
        p->lead.nearby = page_near(&last[w->kernel], w);
        p->lead.walk = w->req.walk;
        p->lead.kernel = w->kernel;
        p->lead.asid = w->req.asid;
        p->lead.access = w->req.access;
        p->lead.at = (spot_t){page_pte_of(w), w->level};
        for (unsigned k = 0; k < KERNELS; k++)
            p->away[k] = k != w->kernel;
    }

    p->freed = 0;
    if (ends >= 0 && !p->line[ends].restarts)
        p->freed = p->line[ends].req.walk + 1u;
    for (unsigned i = 0; i < p->n; i++) {
        person_t *w = &p->line[i];
        if (w->restarts) /* 5 */
            *w = (person_t){.req = w->req, .kernel = w->kernel, .level = 3, .table = in->root[w->req.core].ppn};
    }
    for (unsigned r = 0; r < WALKS; r++)
        p->read[r].drop |= p->read[r].valid && page_concerns(in, p->read[r].asid);
    if (p->freed)
        memmove(p->line + ends, p->line + ends + 1, (--p->n - (unsigned)ends) * sizeof *p->line);
    p->came.valid = in->mem_rsp_valid;
    if (in->mem_rsp_valid) {
        p->came.read = in->mem_rsp.id;
        p->came.pte = in->mem_rsp.data.w[p->read[in->mem_rsp.id].pte % (LINE_BYTES / 8)];
    }
    p->out.inv_done = in->inv_valid;
    page_note(p, in);
    page_show(p);
}
#endif
