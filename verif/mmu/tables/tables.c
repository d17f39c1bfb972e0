/* The verilated tlb, itlb, tlb_mshr and ptw, wired as in a core, and their twins beside them, under random address spaces with every kind of broken PTE (spaces.h): every
 * answer to a load, a store or a fetch is what sim_c/ref/translate says of the tables, every question is answered, and RTL and twins are equal in every output of every cycle.
 *
 *   tables [--seed N | --seeds N] [--tables N] [--coverage] [--fst FILE]      --tables: spaces a seed; --fst: waves of ptw
 *
 * The load/store unit's part (docs/translation.md, "Who waits") is played here: instructions of several pages, misses one a cycle, answers to all that wait, the three modes, what
 * a shootdown looks up again. So is l1i's: two questions at a time. Memory answers late and out of order. */
#include <stdlib.h>
#include "itlb_ports.h"
#include "ptw_ports.h"
#include "tlb_mshr_ports.h"
#include "tlb_ports.h"
#include "verif/common/crash.h"
#include "verif/mmu/tables/spaces.h"

enum { INSNS = 6, PAGES = TLB_PORTS + 3, PATIENCE = 20000 };
typedef enum { NONE, TODO, LOOKED, MISSED, OFFERED, ASKED, WAITS, GOT } state_t; /* GOT: translated, and not sent */
typedef struct {
    state_t state;
    uint64_t vpn;
    ref_use use;
    uint8_t walk;
} access_t;
typedef struct {
    bool valid;
    uint64_t due, line;
    uint16_t id;
    vl_bits_1024 data;
} read_t;

enum {
    COV_KIND,
    COV_KIND_FETCH = COV_KIND + KINDS * (LEVELS + 1),
    COV_OK = COV_KIND_FETCH + KINDS,
    COV_HIT = COV_OK + 3 * LEVELS,
    COV_MODE = COV_HIT + LEVELS,
    COV_NAIVE = COV_MODE + 3,
    COV_WALKERS,
    COV_LIMIT = COV_WALKERS + WALKERS,
    COV_INV,
    COV_INV_FETCH = COV_INV + 3,
    COV_OTHER,
    COV_BACK,
    COV_KEPT,
    COV_SHARED,
    COV_ORDER,
    COV_FULL,
    COV_AGAIN,
    COV_ROOT,
    COV_POINTER,
    COV_POINTER_INV,
    COV_MAPPED,
    COV_N
};

typedef struct {
    vl_rng_t rng;
    uint64_t seed, cycle, tables, *cover;
    bool failed;
    void *tlb, *itlb, *tlb_mshr, *ptw;
    tlb_t *tlb_twin;
    itlb_t *itlb_twin;
    tlb_mshr_t *tlb_mshr_twin;
    ptw_t *ptw_twin;
    tlb_out_t to;
    itlb_out_t io;
    tlb_mshr_out_t mo;
    ptw_out_t po;
    tlb_in_t ti;
    itlb_in_t ii;
    tlb_mshr_in_t mi;
    ptw_in_t pi;
    spaces_t spaces;
    spaces_t before; /* the last invalidation */
    uint64_t inv_cycle, last; /* last: when something went on */
    bool inv_busy;
    access_t access[INSNS * PAGES], fetch[2]; /* instructions of PAGES each */
    access_t *port[TLB_PORTS], *offered, *asked;
    bool fetch_taken;
    unsigned walks; /* named, by bits */
    unsigned walk_ports[TLB_MSHRS];
    read_t read[TLB_MSHRS];
    uint64_t sent, order[TLB_MSHRS];
    /* until the next change */
    unsigned left, next;
    walk_policy_t policy;
    uint8_t mode;
    unsigned latency, ready, rate, fetch_rate, span;
} env_t;

#define COVER(e, point, cond) do { if (cond) (e)->cover[point]++; } while (0)

__attribute__((format(printf, 2, 3))) static void fail(env_t *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!e->failed) {
        printf("seed %" PRIu64 " cycle %" PRIu64 " table %" PRIu64 ": check failed: ", e->seed, e->cycle, e->tables);
        vprintf(fmt, ap);
        printf("\n");
    }
    e->failed = true;
    va_end(ap);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */
/* An access has its answer. `kept`: it may be of an entry that was kept, not of a walk. */
static void check(env_t *e, const access_t *a, ref_verdict verdict, uint64_t ppn, bool kept)
{
    static const char *const verdicts[] = {"translated", "page fault", "access fault"}, *const uses[] = {
                                                                                            "load", "store", "fetch"};
    const space_t *now = &e->spaces.space[e->spaces.now];
    ref_translation t = by_the_tables(&e->spaces, now, a->vpn, a->use);
    e->last = e->cycle;
    if (t.verdict == verdict && (verdict != REF_TRANSLATED || t.pa >> 12 == ppn)) {
        unsigned level;
        if (verdict == REF_TRANSLATED) {
            COVER(e, COV_OK + a->use * LEVELS + t.level, true);
            COVER(e, COV_HIT + t.level, kept && a->use != REF_USE_FETCH);
        } else {
            kind_t k = kind_of(&t, a->use, &level);
            COVER(e, COV_KIND + k * (LEVELS + 1) + level, true);
            COVER(e, COV_KIND_FETCH + k, a->use == REF_USE_FETCH);
        }
        for (unsigned i = 1; i < t.reads; i++)
            for (unsigned j = 0; j < i; j++)
                COVER(e, COV_KIND + K_LOOP * (LEVELS + 1) + LEVELS - i, t.read[i].addr / 4096 == t.read[j].addr / 4096);
        return;
    }
    /* Of before the invalidation, or not covered by it. */
    if (verdict == REF_TRANSLATED && kept) {
        if (may_be_kept(&e->spaces, a->vpn, a->use, ppn)) {
            COVER(e, COV_KEPT, true);
            return;
        }
        if (e->cycle == e->inv_cycle + 1) {
            ref_translation was = by_the_tables(&e->before, &e->before.space[e->before.now], a->vpn, a->use);
            if ((was.verdict == REF_TRANSLATED && was.pa >> 12 == ppn) || may_be_kept(&e->before, a->vpn, a->use, ppn))
                return;
        }
    }
    fail(e,
         "%s of page 0x%" PRIx64 ": %s 0x%" PRIx64 ", the tables say %s 0x%" PRIx64 " (%u PTEs, the last 0x%" PRIx64
         ")",
         uses[a->use], a->vpn, verdicts[verdict], ppn, verdicts[t.verdict],
         t.verdict == REF_TRANSLATED ? t.pa >> 12 : 0, t.reads, t.reads ? t.read[t.reads - 1].value : 0);
}

static void got(env_t *e, access_t *a)
{
    a->state = e->mode == TLB_OVERLAP ? NONE : GOT;
}

static void found(env_t *e)
{
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        access_t *a = e->port[p];
        if ((e->to.found_valid >> p & 1) != (a != NULL))
            fail(e, "port %u: %s", p, a ? "no answer" : "an answer to nothing");
        if (a && e->to.found[p].hit) {
            check(e, a, REF_TRANSLATED, e->to.found[p].ppn, true);
            got(e, a);
        } else if (a) {
            a->state = MISSED;
        }
        if (a && e->cycle == e->inv_cycle + 1) { /* found at the edge of an invalidation: not used */
            COVER(e, COV_AGAIN, true);
            a->state = TODO;
        }
        e->port[p] = NULL;
    }
}

/* Who asked looks at the result (docs/translation.md, "What a translation is"). */
static void walked(env_t *e)
{
    const walked_t *w = &e->mo.walked;
    if (!e->mo.walked_valid)
        return;
    if (!(e->walks >> w->walk & 1))
        fail(e, "walk %u ended, and nobody waits for it", w->walk);
    e->walks &= ~(1u << w->walk);
    for (unsigned k = 0; k < INSNS * PAGES; k++) {
        access_t *a = &e->access[k];
        if (a->state != WAITS || a->walk != w->walk)
            continue;
        bool allows = a->use == REF_USE_STORE ? w->leaf.w : w->leaf.r;
        uint64_t low = (1ull << 9 * w->leaf.level) - 1;
        if (w->vpn != a->vpn)
            fail(e, "walk %u is of page 0x%" PRIx64 ", 0x%" PRIx64 " waits for it", w->walk, w->vpn, a->vpn);
        if (w->result == WALK_PAGE || !allows) {
            check(e, a, REF_PAGE_FAULT, 0, false);
            a->state = NONE;
        } else if (w->result == WALK_ACCESS) {
            check(e, a, REF_ACCESS_FAULT, 0, false);
            a->state = NONE;
        } else {
            check(e, a, REF_TRANSLATED, (w->leaf.ppn & ~low) | (a->vpn & low), false);
            got(e, a);
        }
    }
}

static void named(env_t *e)
{
    const bool taken[2] = {e->asked != NULL, e->fetch_taken};
    for (unsigned p = 0; p < 2; p++) {
        if ((e->mo.walk_valid >> p & 1) != taken[p])
            fail(e, "miss port %u: %s", p,
                 taken[p] ? "a miss was taken, and no walk is named" : "a walk is named for nothing");
        if (!taken[p])
            continue;
        unsigned k = e->mo.walk[p];
        if (k >= TLB_MSHRS) {
            fail(e, "walk %u", k);
            return;
        }
        if (!(e->walks >> k & 1))
            e->walk_ports[k] = 0;
        e->walks |= 1u << k;
        e->walk_ports[k] |= 1u << p;
        COVER(e, COV_SHARED, e->walk_ports[k] == 3);
        if (p == 0) {
            e->asked->state = WAITS;
            e->asked->walk = (uint8_t)k;
            e->asked = NULL;
        }
    }
    COVER(e, COV_FULL, e->walks == (1u << TLB_MSHRS) - 1);
}

static void fetched(env_t *e)
{
    for (unsigned f = 0; f < 2; f++) {
        if (!(e->io.found_valid >> f & 1))
            continue;
        static const ref_verdict verdict[] = {
            [WALK_OK] = REF_TRANSLATED, [WALK_PAGE] = REF_PAGE_FAULT, [WALK_ACCESS] = REF_ACCESS_FAULT};
        if (e->fetch[f].state != LOOKED)
            fail(e, "fetch %u: an answer to nothing", f);
        else
            check(e, &e->fetch[f], verdict[e->io.found[f].result % 3], e->io.found[f].ppn, true);
        e->fetch[f].state = NONE;
    }
}

/* ---- questions -------------------------------------------------------------------------------------------------- */
static bool any(const env_t *e, state_t from, state_t to)
{
    for (unsigned k = 0; k < INSNS * PAGES; k++)
        if (e->access[k].state >= from && e->access[k].state <= to)
            return true;
    return false;
}

static bool quiet(const env_t *e)
{
    return !any(e, TODO, GOT) && e->fetch[0].state == NONE && e->fetch[1].state == NONE;
}

static void load_store(env_t *e)
{
    bool walking = any(e, MISSED, WAITS);
    access_t *todo[INSNS] = {0};
    unsigned todos = 0;
    for (unsigned i = 0; i < INSNS; i++) {
        access_t *a = &e->access[i * PAGES];
        unsigned of[GOT + 1] = {0};
        for (unsigned k = 0; k < PAGES; k++)
            of[a[k].state]++;
        if (of[NONE] + of[GOT] == PAGES) { /* all are translated: they are sent, and another comes */
            unsigned pages = e->left && vl_chance(&e->rng, e->rate) ? 1 + vl_below(&e->rng, PAGES) : 0;
            for (unsigned k = 0; k < PAGES; k++) {
                a[k] = (access_t){0};
                if (k < pages && e->left) {
                    a[k] = (access_t){.state = TODO,
                                      .vpn = random_page(&e->spaces, &e->rng, e->span),
                                      .use = vl_below(&e->rng, 3) ? REF_USE_LOAD : REF_USE_STORE};
                    e->left--;
                }
            }
        } else if (of[TODO]) {
            todo[todos++] = a;
        }
    }
    if (todos && !(e->mode == TLB_BLOCKING && walking)) {
        access_t *a = todo[vl_below(&e->rng, todos)];
        unsigned first = vl_below(&e->rng, TLB_PORTS), n = 0;
        for (unsigned k = 0; k < PAGES && n < TLB_PORTS; k++)
            if (a[k].state == TODO) {
                unsigned p = (first + n++) % TLB_PORTS;
                e->ti.look_valid |= (__typeof__(e->ti.look_valid))(1u << p);
                e->ti.look[p] = (look_t){.vpn = a[k].vpn, .store = a[k].use == REF_USE_STORE};
                if (e->to.look_ready) {
                    a[k].state = LOOKED;
                    e->port[p] = &a[k];
                }
            }
        COVER(e, COV_MODE + e->mode, walking);
    }
    /* Misses, one a cycle. */
    if (!e->offered && vl_below(&e->rng, 4)) {
        unsigned at = vl_below(&e->rng, INSNS * PAGES);
        for (unsigned k = 0; k < INSNS * PAGES && !e->offered; k++) {
            access_t *a = &e->access[(at + k) % (INSNS * PAGES)];
            if (a->state == MISSED) {
                e->offered = a;
                a->state = OFFERED;
            }
        }
    }
    if (e->offered) {
        e->mi.miss_valid |= 1;
        e->mi.miss[0] =
            (miss_t){.vpn = e->offered->vpn, .access = e->offered->use == REF_USE_STORE ? ACC_STORE : ACC_LOAD};
        if (e->mo.miss_ready & 1) {
            e->asked = e->offered;
            e->asked->state = ASKED;
            e->offered = NULL;
        }
    }
}

static void fetch(env_t *e)
{
    unsigned f = vl_below(&e->rng, 2);
    if (e->left && e->fetch[f].state == NONE && vl_chance(&e->rng, e->fetch_rate)) {
        e->fetch[f] =
            (access_t){.state = LOOKED, .vpn = random_page(&e->spaces, &e->rng, e->span), .use = REF_USE_FETCH};
        e->ii.look_valid = true;
        e->ii.look = (itlb_look_t){.fill = f, .vpn = e->fetch[f].vpn};
        e->left--;
    }
}

static void memory(env_t *e)
{
    const mem_req_t *r = &e->po.mem_req;
    e->pi.mem_req_ready = vl_chance(&e->rng, e->ready);
    if (e->po.mem_req_valid && e->pi.mem_req_ready) {
        read_t *to = &e->read[r->id % TLB_MSHRS];
        if (r->id >= TLB_MSHRS || to->valid)
            fail(e, "a read with the number %u, which is not free", r->id);
        if (r->op != MEM_READ || r->line < e->spaces.window.base || r->line >= e->spaces.window.limit)
            fail(e, "a read outside of memory: line 0x%" PRIx64, r->line);
        *to =
            (read_t){.valid = true, .due = e->cycle + 1 + vl_below(&e->rng, e->latency), .line = r->line, .id = r->id};
        for (unsigned k = 0; k < LINE_PTES; k++)
            to->data.w[k] = memory_pte(&e->spaces, r->line * LINE_BYTES + 8 * k);
        e->order[r->id % TLB_MSHRS] = e->sent++;
    }
    unsigned at = vl_below(&e->rng, TLB_MSHRS);
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        unsigned n = (at + k) % TLB_MSHRS;
        if (!e->read[n].valid || e->read[n].due > e->cycle)
            continue;
        for (unsigned i = 0; i < TLB_MSHRS; i++)
            COVER(e, COV_ORDER, e->read[i].valid && e->order[i] < e->order[n]);
        e->pi.mem_rsp_valid = true;
        e->pi.mem_rsp = (mem_rsp_t){.id = e->read[n].id, .data = e->read[n].data};
        e->read[n].valid = false;
        return;
    }
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */
static void style(env_t *e)
{
    vl_rng_t *r = &e->rng;
    e->left = vl_below(r, 8) ? 4 + vl_below(r, 12) : 60;
    e->next = vl_below(r, 19);
    e->ready = vl_below(r, 4) ? 256 : 100;
    e->rate = vl_below(r, 4) ? 256 : 60;
    e->fetch_rate = vl_below(r, 3) ? 60 : vl_below(r, 2) ? 0 : 256;
    e->latency = vl_below(r, 16) ? 1 + vl_below(r, 8) : 80;
    e->span = vl_below(r, 3) ? SLOTS : 1 + vl_below(r, SLOTS);
}

/* The host has written tables, and says so. What is not sent is looked up again. */
static void invalidate(env_t *e, inv_t inv)
{
    e->ti.inv_valid = e->ii.inv_valid = e->mi.inv_valid = e->pi.inv_valid = true;
    e->ti.inv = e->ii.inv = e->mi.inv = e->pi.inv = inv;
    e->inv_busy = true;
    e->inv_cycle = e->cycle;
    spaces_invalidated(&e->spaces, &inv);
    COVER(e, COV_INV + inv.scope, any(e, WAITS, WAITS));
    COVER(e, COV_INV_FETCH, e->fetch[0].state == LOOKED && e->fetch[1].state == LOOKED);
    for (unsigned k = 0; k < INSNS * PAGES; k++)
        if (e->access[k].state == GOT)
            e->access[k].state = TODO;
}

/* Space k with other tables. */
static void renew(env_t *e, unsigned k, bool all)
{
    spaces_t *s = &e->spaces;
    all |= spaces_full(s);
    e->before = *s;
    if (!all)
        spaces_keep(s, k);
    space_renew(s, &e->rng, k);
    e->tables++;
    invalidate(
        e, (inv_t){.scope = all ? INV_ALL : INV_ASID, .asid = s->space[k].asid, .vpn = vl_random_bits(&e->rng, VPN_W)});
}

/* The PTE that was read at this address for a page of this space, or NULL. */
static uint64_t *pte_at(space_t *a, const spaces_t *s, uint64_t addr, unsigned *table)
{
    for (*table = 0; *table < TABLES; ++*table)
        if (a->frame[*table] == addr / 4096)
            return &a->pte[*table][(int)s->slot[addr / 8 % 512]];
    return NULL;
}

/* One PTE with another value, the last or a pointer on the way; then the page that was found by it is invalidated. */
static void change_page(env_t *e)
{
    spaces_t *s = &e->spaces;
    space_t *a = &s->space[s->now];
    uint64_t vpn = random_page(s, &e->rng, e->span);
    ref_translation t = by_the_tables(s, a, vpn, REF_USE_LOAD);
    if (!t.reads || spaces_full(s))
        return;
    const unsigned r = vl_below(&e->rng, 2) ? t.reads - 1 : vl_below(&e->rng, t.reads);
    unsigned table;
    uint64_t *pte = pte_at(a, s, t.read[r].addr, &table);
    if (!pte)
        return;
    e->before = *s;
    spaces_keep(s, s->now);
    *pte = random_pte(s, a, &e->rng, table);
    COVER(e, COV_POINTER_INV, r + 1 < t.reads);
    invalidate(e, (inv_t){.scope = INV_PAGE, .asid = a->asid, .vpn = vpn});
}

/* A PTE that was not valid, of a page that was asked for perhaps: nobody keeps it, and nobody is told. */
static void map_page(env_t *e)
{
    spaces_t *s = &e->spaces;
    space_t *a = &s->space[s->now];
    ref_translation t = by_the_tables(s, a, random_page(s, &e->rng, e->span), REF_USE_LOAD);
    unsigned table;
    uint64_t *pte = t.reads ? pte_at(a, s, t.read[t.reads - 1].addr, &table) : NULL;
    if (!pte || *pte & PTE_V)
        return;
    *pte = random_pte(s, a, &e->rng, table);
    COVER(e, COV_MAPPED, *pte & PTE_V);
}

static void another_memory(env_t *e)
{
    e->before = e->spaces;
    spaces_start(&e->spaces, &e->rng);
    for (unsigned k = 0; k < SPACES; k++)
        space_renew(&e->spaces, &e->rng, k);
    e->tables += SPACES;
    invalidate(e, (inv_t){.scope = INV_ALL});
}

/* Once the questions of this space have been asked: some changes come at once, some wait until all is answered. */
static void change(env_t *e)
{
    bool drained = quiet(e) && e->mo.idle && e->po.idle && e->io.idle && !e->inv_busy;
    spaces_t *s = &e->spaces;
    if (!e->cycle) {
        another_memory(e);
        return;
    }
    if (e->left || e->inv_busy)
        return;
    if (e->next >= 8 && !drained)
        return;
    switch (e->next) {
    case 0:
    case 1: renew(e, s->now, true); break;
    case 2:
    case 3:
    case 4: renew(e, s->now, false); break;
    case 5:
    case 6: change_page(e); break;
    case 7:
        COVER(e, COV_OTHER, any(e, WAITS, WAITS));
        renew(e, (s->now + 1 + vl_below(&e->rng, SPACES - 1)) % SPACES, false);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
    case 12: /* to another space, new or as it was */
        s->now = (s->now + 1 + vl_below(&e->rng, SPACES - 1)) % SPACES;
        if (e->next < 11)
            renew(e, s->now, e->next == 8);
        else
            COVER(e, COV_BACK, true);
        break;
    case 13:
    case 14: /* other policies */
        e->policy = (walk_policy_t){.coalesce = vl_below(&e->rng, 3) != 0,
                                    .walkers = (uint8_t)vl_below(&e->rng, WALKERS + 2),
                                    .reads = (uint8_t)(vl_below(&e->rng, 2) ? 0 : 1 + vl_below(&e->rng, TLB_MSHRS)),
                                    .pointers = vl_below(&e->rng, 2)};
        e->mode = (uint8_t)vl_below(&e->rng, 3);
        COVER(e, COV_NAIVE, !e->policy.coalesce);
        COVER(e, COV_WALKERS + (e->policy.walkers ? e->policy.walkers > WALKERS ? WALKERS : e->policy.walkers : 1) - 1,
              !e->policy.coalesce);
        COVER(e, COV_LIMIT, e->policy.coalesce && e->policy.reads);
        break;
    case 15:
    case 16:
    case 17: map_page(e); break;
    default: another_memory(e); break;
    }
    COVER(e, COV_ROOT, s->space[s->now].root != s->space[s->now].frame[0]);
    style(e);
}

/* ---- a cycle ---------------------------------------------------------------------------------------------------- */
#define OUT(B, o)                                                                                                                                       \
    do {                                                                                                                                                \
        static B##_out_t rtl;                                                                                                                           \
        vl_diff_t d;                                                                                                                                    \
        B##_rtl_out(e->B, &rtl);                                                                                                                        \
        memset(&(o), 0, sizeof (o));                                                                                                                    \
        B##_out(e->B##_twin, &(o));                                                                                                                     \
        if (!e->failed && B##_out_diff(&rtl, &(o), &d)) {                                                                                               \
            printf("seed %" PRIu64 " cycle %" PRIu64 ": " #B " %s: rtl %s twin %s\n", e->seed, e->cycle, d.field, d.a, d.b);                            \
            e->failed = true;                                                                                                                           \
        }                                                                                                                                               \
    } while (0)

static void cycle(env_t *e)
{
    OUT(tlb, e->to);
    OUT(itlb, e->io);
    OUT(tlb_mshr, e->mo);
    OUT(ptw, e->po);
    if (e->failed)
        return;
    COVER(e, COV_POINTER, e->po.ev.ptw_kept);
    e->inv_busy &= !e->to.inv_done; /* the others are done after one cycle */
    walked(e);
    named(e);
    found(e);
    fetched(e);
    memset(&e->ti, 0, sizeof e->ti);
    memset(&e->ii, 0, sizeof e->ii);
    memset(&e->mi, 0, sizeof e->mi);
    memset(&e->pi, 0, sizeof e->pi);
    load_store(e);
    fetch(e);
    memory(e);
    change(e);
    if (quiet(e) && e->mo.idle && e->po.idle)
        e->last = e->cycle;
    if (e->cycle - e->last > PATIENCE)
        fail(e, "nothing goes on (walks under way: 0x%x)", e->walks);
    /* Between the blocks. */
    const space_t *now = &e->spaces.space[e->spaces.now];
    e->pi.root = (root_t){.sv48 = true, .asid = now->asid, .ppn = now->root};
    e->pi.window = e->spaces.window;
    e->pi.policy = e->policy;
    e->ti.asid = e->ii.asid = e->mi.asid = now->asid;
    e->ti.fill_valid = e->ii.walked_valid = e->mo.walked_valid;
    e->ti.fill = e->ii.walked = e->mo.walked;
    e->mi.miss_valid |= (uint8_t)(e->io.miss_valid << 1);
    e->mi.miss[1] = e->io.miss;
    e->mi.rsp_valid = e->po.rsp_valid;
    e->mi.rsp = e->po.rsp;
    e->mi.closed = e->po.closed;
    e->pi.req_valid = e->mo.req_valid;
    memcpy(e->pi.req, e->mo.req, sizeof e->pi.req);
    e->ii.miss_ready = e->mo.miss_ready >> 1 & 1;
    e->fetch_taken = e->io.miss_valid && e->ii.miss_ready;
    e->ii.walk_valid = e->mo.walk_valid >> 1 & 1;
    e->ii.walk = e->mo.walk[1];
    tlb_rtl_tick(e->tlb, &e->ti, false);
    itlb_rtl_tick(e->itlb, &e->ii, false);
    tlb_mshr_rtl_tick(e->tlb_mshr, &e->mi, false);
    ptw_rtl_tick(e->ptw, &e->pi, false);
    tlb_tick(e->tlb_twin, &e->ti);
    itlb_tick(e->itlb_twin, &e->ii);
    tlb_mshr_tick(e->tlb_mshr_twin, &e->mi);
    ptw_tick(e->ptw_twin, &e->pi);
}

#define OPEN(B)                                                                                                                                         \
    do {                                                                                                                                                \
        static const B##_in_t none;                                                                                                                     \
        e->B = B##_rtl_new(e->seed + 1);                                                                                                                \
        B##_rtl_tick(e->B, &none, false);                                                                                                               \
        B##_rtl_reset(e->B);                                                                                                                            \
        e->B##_twin = malloc(B##_size());                                                                                                               \
        if (!e->B##_twin)                                                                                                                               \
            abort();                                                                                                                                    \
        B##_reset(e->B##_twin);                                                                                                                         \
    } while (0)
#define CLOSE(B) (B##_rtl_free(e->B), free(e->B##_twin))

static bool run(env_t *e, uint64_t tables, const char *fst)
{
    OPEN(tlb);
    OPEN(itlb);
    OPEN(tlb_mshr);
    OPEN(ptw);
    if (fst)
        ptw_rtl_trace(e->ptw, fst);
    e->policy = (walk_policy_t){.coalesce = true, .pointers = true};
    e->mode = TLB_OVERLAP;
    style(e);
    for (e->cycle = 0; e->tables < tables && !e->failed; e->cycle++)
        cycle(e);
    printf("seed %" PRIu64 " %s (%" PRIu64 " spaces, %" PRIu64 " cycles)\n", e->seed, e->failed ? "FAILED" : "ok",
           e->tables, e->cycle);
    CLOSE(tlb);
    CLOSE(itlb);
    CLOSE(tlb_mshr);
    CLOSE(ptw);
    return !e->failed;
}

static void name(unsigned k, char *to, size_t n)
{
    static const char *const uses[] = {"load", "store", "fetch"},
                             *const modes[] = {"blocking", "hit under miss", "overlap"},
                             *const scopes[] = {"INV_ALL", "INV_ASID", "INV_PAGE"};
    static const char *const rest[] = {"both fetches under way at an invalidation",
                                       "another space is changed and invalidated while walks are under way",
                                       "back to a space of before, without an invalidation",
                                       "an entry that an invalidation has left",
                                       "a walk for data and fetch",
                                       "answers out of order",
                                       "all MSHRs taken",
                                       "a look-up at the edge of an invalidation",
                                       "a root that is not memory",
                                       "a PTE that need not be read since its pointer was kept",
                                       "a pointer on the way to a page is another, and the page is invalidated",
                                       "a PTE that was not valid is now, without an invalidation"};
    if (k < COV_KIND_FETCH)
        snprintf(to, n, "%s, level %u", kind_name[k / (LEVELS + 1)], k % (LEVELS + 1));
    else if (k < COV_OK)
        snprintf(to, n, "%s, fetched", kind_name[k - COV_KIND_FETCH]);
    else if (k < COV_HIT)
        snprintf(to, n, "%s translated, level %u", uses[(k - COV_OK) / LEVELS], (k - COV_OK) % LEVELS);
    else if (k < COV_MODE)
        snprintf(to, n, "hit, level %u", k - COV_HIT);
    else if (k < COV_NAIVE)
        snprintf(to, n, "looked up while walks are under way, %s", modes[k - COV_MODE]);
    else if (k == COV_NAIVE)
        snprintf(to, n, "naive walks");
    else if (k < COV_LIMIT)
        snprintf(to, n, "%u walkers", k - COV_WALKERS + 1);
    else if (k == COV_LIMIT)
        snprintf(to, n, "a limit of reads");
    else if (k < COV_INV_FETCH)
        snprintf(to, n, "%s with walks under way", scopes[k - COV_INV]);
    else
        snprintf(to, n, "%s", rest[k - COV_INV_FETCH]);
}

/* Points that cannot be. */
static bool impossible(unsigned k)
{
    if (k < COV_KIND_FETCH) {
        kind_t kind = k / (LEVELS + 1);
        unsigned level = k % (LEVELS + 1);
        return !kind_has_level(kind, level) || (level == LEVELS && kind != K_TABLE); /* K_TABLE of level 4: the root */
    }
    unsigned f = k - COV_KIND_FETCH;
    if (k == COV_POINTER)
        return WALK_POINTERS == 0;
    return k == COV_MODE + TLB_BLOCKING || (k < COV_OK && (f == K_R || f == K_W || f == K_D || f == K_LOOP));
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, seeds = 4, tables = 5000;
    bool one = false, coverage = false;
    const char *fst = NULL;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--seed"))
            seed = strtoull(argv[++i], NULL, 0), one = true;
        else if (i + 1 < argc && !strcmp(argv[i], "--seeds"))
            seeds = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--tables"))
            tables = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--fst"))
            fst = argv[++i];
        else if (!strcmp(argv[i], "--coverage"))
            coverage = true;
        else {
            fprintf(stderr, "usage: %s [--seed N | --seeds N] [--tables N] [--coverage] [--fst FILE]\n", argv[0]);
            return 2;
        }
    }
    static uint64_t cover[COV_N];
    unsigned passed = 0, failed = 0;
    for (uint64_t s = one ? seed : 0; s < (one ? seed + 1 : seeds); s++) {
        static env_t env;
        env = (env_t){.rng = {s * 7919 + 31}, .seed = s, .cover = cover, .inv_cycle = UINT64_MAX - 1};
        char crashed[2048];
        snprintf(crashed, sizeof crashed,
                 "seed %" PRIu64 " FAILED: it crashed\n    again: %s --seed %" PRIu64 " --tables %" PRIu64 "\n", s,
                 argv[0], s, tables);
        crash_command(crashed);
        if (run(&env, tables, fst)) {
            passed++;
        } else {
            failed++;
            printf("    again: BENCH_CONFIGS=" VL_CFG_NAME " scripts/bench tables --seed %" PRIu64 " --tables %" PRIu64
                   "\n",
                   s, tables);
        }
        crash_command(NULL);
    }
    for (unsigned k = 0; k < COV_N; k++) {
        char text[128];
        name(k, text, sizeof text);
        if (coverage)
            printf("coverage: %12" PRIu64 "  %s%s\n", cover[k], text, impossible(k) ? " (cannot be)" : "");
        if (one || failed)
            continue;
        if (impossible(k) ? cover[k] != 0 : !cover[k])
            printf("coverage: '%s' was %s\n", text, impossible(k) ? "reached, and cannot be" : "never reached"),
                failed++;
        else
            passed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
