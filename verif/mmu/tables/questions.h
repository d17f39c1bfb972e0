/* The load/store unit, the instruction cache and the memory: requests, and reads. */
#ifndef VERIF_MMU_TABLES_QUESTIONS_H
#define VERIF_MMU_TABLES_QUESTIONS_H
#include "verif/mmu/tables/env.h"

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
#endif
