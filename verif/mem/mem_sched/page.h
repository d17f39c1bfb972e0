/* The page of mem_sched (docs/blocks/mem_sched.md) as a program: which transaction goes in each cycle, every answer, turn, wait and event. Queues are lists that are
 * gone through whole, entry by entry and rule by rule; places are worked out with divisions. The step numbers are the page's. */
#ifndef VERIF_MEM_SCHED_PAGE_H
#define VERIF_MEM_SCHED_PAGE_H
#include "sim_c/common/line_be.h"
#include "mem_sched_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"
#include "vl_dram.h"

/* The names of the ports towards the slices, once. */
typedef home_req_t page_req_t;
typedef home_rsp_t page_rsp_t;
#define PAGE_REQ(in, s) ((in)->home_req[s])
#define PAGE_REQ_VALID(in, s) ((uint64_t)(in)->home_req_valid >> (s) & 1)
#define PAGE_READY(out) ((out)->home_req_ready)
#define PAGE_RSP(out, s) ((out)->home_rsp[s])
#define PAGE_RSP_VALID(out) ((out)->home_rsp_valid)

enum {
    PG_GOLDEN,
    PG_SILVER,
    PG_NORMAL,
    PG_WRITES,
    PG_QUEUES,
    PG_MOST = SCHED_GOLDEN > SCHED_SILVER ? SCHED_GOLDEN : SCHED_SILVER,
    PG_MORE = SCHED_NORMAL > SCHED_WRITES ? SCHED_NORMAL : SCHED_WRITES,
    PG_DEPTH = PG_MOST > PG_MORE ? PG_MOST : PG_MORE
};
static const unsigned page_depth[PG_QUEUES] = {SCHED_GOLDEN, SCHED_SILVER, SCHED_NORMAL, SCHED_WRITES};

typedef struct {
    unsigned bank, row, line;
} page_place_t;
typedef struct {
    page_place_t at;
    unsigned stamp, id, slot;
} page_entry_t;
typedef struct {
    bool valid, first;
    page_place_t at;
    unsigned id, asid;
} page_read_t;

typedef struct {
    page_req_t in[L2_SLICES][2];
    unsigned in_n[L2_SLICES], rr;
    page_read_t g, d;
    bool w, w_known;
    page_place_t w_at;
    line_be_t w_be, slot_be[SCHED_WRITES];
    line_data_t w_data, slot_data[SCHED_WRITES];
    bool slot_used[SCHED_WRITES];
    page_entry_t queue[PG_QUEUES][PG_DEPTH];
    unsigned n[PG_QUEUES];
    unsigned time, row[CH_BANKS], turn, left, skipped, reads_out;
    bool choice, looked, drain, choice_hit, choice_late, choice_urgent;
    unsigned choice_queue, choice_entry;
    mem_sched_out_t out;
} page_t;

static page_place_t page_place(uint64_t line)
{
    const where_t w = where(line);
    return (page_place_t){.bank = w.group * DRAM_BANKS + w.bank, .row = w.row, .line = w.line};
}

static bool page_same(page_place_t a, page_place_t b)
{
    return a.bank == b.bank && a.row == b.row && a.line == b.line;
}

/* The entry of a queue with this line, or -1. */
static int page_find(const page_t *p, unsigned q, page_place_t at)
{
    for (unsigned i = 0; i < p->n[q]; i++)
        if (page_same(p->queue[q][i].at, at))
            return (int)i;
    return -1;
}

static void page_show(page_t *p)
{
    mem_sched_out_t *o = &p->out;
    bool inside = p->g.valid || p->d.valid || p->w || p->choice || o->txn_valid || PAGE_RSP_VALID(o) || p->reads_out;
    PAGE_READY(o) = 0;
    for (unsigned s = 0; s < L2_SLICES; s++) {
        PAGE_READY(o) |= (unsigned)(p->in_n[s] < 2) << s;
        inside |= p->in_n[s] != 0;
    }
    for (unsigned q = 0; q < PG_QUEUES; q++)
        inside |= p->n[q] != 0;
    o->idle = !inside;
}

static void page_begin(page_t *p)
{
    page_show(p);
}

/* Step 6: the bank can take one more, whether the place hits. */
static bool page_free(const page_t *p, const mem_sched_in_t *in, unsigned bank)
{
    return in->status[bank].room > (unsigned)(p->out.txn_valid && p->out.txn.bank == bank);
}

static bool page_hits(const page_t *p, const mem_sched_in_t *in, page_place_t at)
{
    const bool mine = p->out.txn_valid && p->out.txn.bank == at.bank;
    return page_free(p, in, at.bank) && (mine || in->status[at.bank].open)
           && (mine ? p->out.txn.row : p->row[at.bank]) == at.row;
}

/* The oldest of a queue that hits, else the oldest that can go, else -1. */
static int page_oldest(const page_t *p, const mem_sched_in_t *in, unsigned q)
{
    for (unsigned i = 0; i < p->n[q]; i++)
        if (page_hits(p, in, p->queue[q][i].at))
            return (int)i;
    for (unsigned i = 0; i < p->n[q]; i++)
        if (page_free(p, in, p->queue[q][i].at.bank))
            return (int)i;
    return -1;
}

static void page_take_choice(page_t *p, unsigned q, int entry)
{
    p->choice = true;
    p->choice_queue = q;
    p->choice_entry = (unsigned)entry;
}

/* urgent: of WRITES, by g and by d, or -1. */
static void page_look(page_t *p, const mem_sched_in_t *in, const int urgent[2])
{
    unsigned greatest = 0;
    p->choice_late = p->choice_urgent = false;
    for (unsigned q = 0; q < PG_QUEUES; q++) {
        if (!p->n[q] || !in->policy.bound || !page_free(p, in, p->queue[q][0].at.bank))
            continue;
        const unsigned age = (p->time / 16 + 4096 - p->queue[q][0].stamp) % 4096;
        if (age < in->policy.bound || (p->choice_late && age <= greatest))
            continue;
        greatest = age;
        p->choice_late = true;
        page_take_choice(p, q, 0);
    }
    if (p->choice)
        return;
    for (unsigned i = 0; i < p->n[PG_WRITES]; i++)
        if (((int)i == urgent[0] || (int)i == urgent[1]) && page_free(p, in, p->queue[PG_WRITES][i].at.bank)) {
            p->choice_urgent = true;
            page_take_choice(p, PG_WRITES, (int)i);
            return;
        }
    if (p->n[PG_GOLDEN] && page_free(p, in, p->queue[PG_GOLDEN][0].at.bank)) {
        page_take_choice(p, PG_GOLDEN, 0);
        return;
    }
    unsigned order[3] = {PG_WRITES}, orders = 1;
    if (!p->drain) {
        order[0] = PG_SILVER, order[1] = PG_NORMAL, order[2] = PG_WRITES;
        orders = p->n[PG_GOLDEN] || p->n[PG_SILVER] || p->n[PG_NORMAL] ? 2 : 3;
    }
    for (unsigned k = 0; k < orders; k++) {
        const int i = page_oldest(p, in, order[k]);
        if (i >= 0) {
            page_take_choice(p, order[k], i);
            return;
        }
    }
}

static void page_enter(page_t *p, unsigned q, page_entry_t e)
{
    e.stamp = p->time / 16;
    p->queue[q][p->n[q]++] = e;
}

/* Step 3: whether d's read is Silver; the effect of its entry on the turn (true: it passes to another application). */
static bool page_silver(const page_t *p, const sched_policy_t *policy)
{
    unsigned a = 0;
    while (a < APPS && !(policy->app_valid >> a & 1 && policy->app_asid[a] == p->d.asid))
        a++;
    return policy->mode == SCHED_MASK && a < APPS && a == p->turn && p->left;
}

static bool page_turn(page_t *p, const mem_sched_in_t *in, bool silver)
{
    const sched_policy_t *policy = &in->policy;
    if (silver)
        p->left--, p->skipped = 0;
    else if (p->skipped < 1023)
        p->skipped++;
    const bool ends =
        !(policy->app_valid >> p->turn & 1) || !p->left || (policy->turn_skip && p->skipped >= policy->turn_skip);
    if (!ends)
        return false;
    for (unsigned k = 1; k <= 4; k++) {
        const unsigned a = (p->turn + k) % 4;
        if (!(policy->app_valid >> a & 1) || !in->thresh[a])
            continue;
        p->turn = a;
        p->left = in->thresh[a];
        p->skipped = 0;
        return true;
    }
    p->left = p->skipped = 0;
    return false;
}

/* Events: a request of slice s is taken, and is a read. */
static void page_read_event(ev_mem_sched_t *ev, const sched_policy_t *policy, unsigned s, bool read, unsigned id,
                            unsigned cls, unsigned asid)
{
    if (!read || !DRAM_DETAIL)
        return;
    ev->read_in |= 1u << s, ev->read_id[s] = (uint8_t)id, ev->read_cls[s] = (uint8_t)cls;
    for (unsigned a = 0; a < APPS; a++)
        if (policy->app_valid >> a & 1 && policy->app_asid[a] == asid)
            ev->read_app[s] |= 1u << a;
}

static void page_expect(page_t *p, const mem_sched_in_t *in)
{
    const sched_policy_t *policy = &in->policy;
    const bool mask = policy->mode == SCHED_MASK, goes = p->choice, write_goes = goes && p->choice_queue == PG_WRITES;
    const bool empty = !p->n[0] && !p->n[1] && !p->n[2] && !p->n[3];
    const unsigned writes = p->n[PG_WRITES];
    mem_sched_out_t o = {0};
    ev_mem_sched_t *ev = &o.ev;
    ev->occ_golden = (uint16_t)p->n[PG_GOLDEN], ev->occ_silver = (uint16_t)p->n[PG_SILVER],
    ev->occ_normal = (uint16_t)p->n[PG_NORMAL], ev->occ_writes = (uint16_t)writes;
    ev->sched_drain = p->drain;
    ev->sched_none = !goes && p->looked;

    /* 2. Reads. */
    page_read_t *read[2] = {&p->g, &p->d};
    const unsigned into[2] = {PG_GOLDEN, page_silver(p, policy) ? PG_SILVER : PG_NORMAL};
    int urgent[2] = {-1, -1}, answer = -1, found[2];
    bool enters[2] = {false, false};
    for (unsigned k = 0; k < 2; k++) {
        if (!read[k]->valid)
            continue;
        found[k] = page_find(p, PG_WRITES, read[k]->at);
        if (p->w && read[k]->first && page_same(p->w_at, read[k]->at)) {
            ev->sched_order = true;
        } else if (found[k] >= 0) {
            const line_be_t *be = &p->slot_be[p->queue[PG_WRITES][found[k]].slot];
            if (!be_whole(be)) {
                urgent[k] = found[k];
                ev->sched_order = true;
            } else if (!in->txn_rsp_valid && !write_goes && answer < 0) {
                answer = (int)k;
            }
        } else {
            enters[k] = p->n[into[k]] < page_depth[into[k]];
        }
    }
    ev->sched_wait_g = p->g.valid && !enters[0] && answer != 0;
    ev->sched_wait_d = p->d.valid && !enters[1] && answer != 1;

    /* 4. The write. */
    bool leaves = false;
    int merges = -1;
    if (p->w) {
        bool held = false;
        for (unsigned q = PG_GOLDEN; q <= PG_NORMAL; q++)
            held |= page_find(p, q, p->w_at) >= 0;
        for (unsigned k = 0; k < 2; k++)
            held |= read[k]->valid && !read[k]->first && page_same(read[k]->at, p->w_at);
        merges = page_find(p, PG_WRITES, p->w_at);
        leaves = p->w_known && !held && (merges >= 0 ? !write_goes : writes < SCHED_WRITES);
        ev->sched_order |= held;
        ev->sched_wait_w = !leaves;
    }

    /* 1. The slice that is taken. */
    int slice = -1;
    for (unsigned k = 0; k < L2_SLICES && slice < 0; k++) {
        const unsigned s = (p->rr + k) % L2_SLICES;
        const page_req_t *r = &p->in[s][0];
        if (p->in_n[s] && !(r->op == HOME_WRITE_BACK ? p->w : mask && r->cls ? p->g.valid : p->d.valid))
            slice = (int)s;
    }

    /* 6. From the values before the edge; the entry of step 5 is kept. */
    const unsigned q = p->choice_queue, entry = p->choice_entry;
    const bool hit = p->choice_hit, late = p->choice_late, by_read = p->choice_urgent;
    p->choice = false;
    if (!goes)
        page_look(p, in, urgent);
    if (p->choice)
        p->choice_hit = page_hits(p, in, p->queue[p->choice_queue][p->choice_entry].at);
    p->looked = !goes && !empty;

    /* 7, the part that needs the values before the edge. */
    if (p->out.txn_valid)
        p->row[p->out.txn.bank] = p->out.txn.row;
    if (writes == SCHED_WRITES || (writes && writes >= policy->write_high))
        p->drain = true;
    else if (writes <= policy->write_low)
        p->drain = false;

    /* 2. Answers. */
    if (in->txn_rsp_valid || answer >= 0) {
        const unsigned id = in->txn_rsp_valid ? in->txn_rsp.id : read[answer]->id;
        const line_data_t *data =
            in->txn_rsp_valid ? &in->txn_rsp.data : &p->slot_data[p->queue[PG_WRITES][found[answer]].slot];
        PAGE_RSP_VALID(&o) = (uint8_t)(1u << (id >> HOME_ID_W));
        for (unsigned s = 0; s < L2_SLICES; s++)
            PAGE_RSP(&o, s) = (page_rsp_t){(uint8_t)(id & ((1u << HOME_ID_W) - 1)), NMOESI_E, *data};
        if (answer >= 0) {
            ev->sched_forwards = true;
            read[answer]->valid = false;
        }
    }

    /* 5. Go. The bytes that go are those of before this edge: a merge waits while a write goes. */
    if (goes) {
        const page_entry_t e = p->queue[q][entry];
        o.txn_valid = true;
        o.txn = (txn_t){
            .write = write_goes, .bank = (uint8_t)e.at.bank, .row = (uint16_t)e.at.row, .line = (uint8_t)e.at.line};
        if (write_goes) {
            o.txn.be = p->slot_be[e.slot];
            o.txn.data = p->slot_data[e.slot];
        } else {
            o.txn.id = (uint8_t)e.id;
            p->reads_out++;
        }
        ev->sched_hits = hit, ev->sched_late = late, ev->sched_urgent = by_read;
        ev->sched_writes_out = write_goes, ev->sched_reads_out = !write_goes;
    }
    p->reads_out -= in->txn_rsp_valid;
    if (in->txn_rsp_valid && DRAM_DETAIL)
        ev->read_done = true, ev->read_done_id = in->txn_rsp.id;

    /* 3, 4. Entries into queues; places of before the edge stay, so it comes before the entry that goes leaves. */
    for (unsigned k = 0; k < 2; k++)
        if (enters[k]) {
            page_enter(p, into[k], (page_entry_t){.at = read[k]->at, .id = read[k]->id});
            read[k]->valid = false;
            ev->sched_golden |= into[k] == PG_GOLDEN;
            ev->sched_silver |= into[k] == PG_SILVER;
            ev->sched_normal |= into[k] == PG_NORMAL;
            if (k == 1 && mask)
                ev->sched_turns = page_turn(p, in, into[k] == PG_SILVER);
        }
    if (leaves) {
        unsigned slot = 0;
        if (merges >= 0) {
            slot = p->queue[PG_WRITES][merges].slot;
            for (unsigned i = 0; i < LINE_BYTES; i++)
                if (p->w_be.w[i / 64] >> i % 64 & 1)
                    ((uint8_t *)p->slot_data[slot].w)[i] = ((const uint8_t *)p->w_data.w)[i];
            be_add(&p->slot_be[slot], &p->w_be);
            ev->sched_merges = true;
        } else {
            while (p->slot_used[slot])
                slot++;
            p->slot_used[slot] = true;
            p->slot_be[slot] = p->w_be;
            p->slot_data[slot] = p->w_data;
            page_enter(p, PG_WRITES, (page_entry_t){.at = p->w_at, .slot = slot});
            ev->sched_writes = true;
        }
        p->w = p->g.first = p->d.first = false;
    }
    if (goes) {
        if (write_goes)
            p->slot_used[p->queue[q][entry].slot] = false;
        memmove(&p->queue[q][entry], &p->queue[q][entry + 1], (--p->n[q] - entry) * sizeof **p->queue);
    }

    /* 1. Take. */
    p->w_known = p->w;
    if (slice >= 0) {
        const page_req_t *r = &p->in[slice][0];
        const page_place_t at = page_place(r->line);
        if (r->op == HOME_WRITE_BACK)
            p->w = true, p->w_at = at, p->w_be = r->be, p->w_data = r->data;
        else
            *(mask && r->cls ? &p->g : &p->d) =
                (page_read_t){true, p->w, at, (unsigned)slice << HOME_ID_W | r->id, r->asid};
        p->rr = ((unsigned)slice + 1) % L2_SLICES;
        p->in[slice][0] = p->in[slice][1];
        p->in_n[slice]--;
    }
    for (unsigned s = 0; s < L2_SLICES; s++)
        if (PAGE_REQ_VALID(in, s) && PAGE_READY(&p->out) >> s & 1) {
            const page_req_t *r = &PAGE_REQ(in, s);
            page_read_event(ev, policy, s, r->op != HOME_WRITE_BACK, r->id, r->cls, r->asid);
            p->in[s][p->in_n[s]++] = *r;
        }
    p->time = (p->time + !empty) % 65536;
    p->out = o;
    page_show(p);
}
#endif
