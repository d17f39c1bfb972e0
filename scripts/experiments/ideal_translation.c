/*
 * Ideal (MASK 2018, section 7): every translation hits, from the first access on. The answers of a core's TLBs are read from the page tables in memory, in the cycle in which a hit would
 * be known; no page is walked for. Linked into a model with --wrap for each of the functions below. Only with memory `paged`: tables do not change while a kernel runs, and lie in the
 * store before it. A look-up that the tables do not permit stays a miss, which is walked for and faults as ever. The RTL has no such thing.
 */
#include <stdlib.h>
#include <string.h>

#include "itlb_ports.h"
#include "sim_c/core/core.h"
#include "sim_c/top/chips.h"
#include "tlb_ports.h"

enum { SPACES = 64, CORES_MOST = 64, PORTS = sizeof(((tlb_in_t *)NULL)->look) / sizeof(look_t) };

static chips_store_t memory;
static struct {
    bool sv48;
    uint16_t asid;
    uint64_t ppn;
} spaces[SPACES];

/* The look-ups of the last edge of a TLB. */
typedef struct {
    const void *tlb;
    uint32_t valid;
    found_t found[PORTS];
} found_here_t;
static found_here_t tlbs[CORES_MOST];

void __real_chips_use_store(chips_t *c, const chips_store_t *store);
void __wrap_chips_use_store(chips_t *c, const chips_store_t *store)
{
    memory = *store;
    __real_chips_use_store(c, store);
}

void __real_simt_core_vm(simt_core_t *c, const root_t *root, uint8_t tlb_mode, const walk_policy_t *walk);
void __wrap_simt_core_vm(simt_core_t *c, const root_t *root, uint8_t tlb_mode, const walk_policy_t *walk)
{
    for (unsigned i = 0; root->sv48 && i < SPACES; i++)
        if (!spaces[i].sv48 || spaces[i].asid == root->asid) {
            spaces[i].sv48 = true;
            spaces[i].asid = root->asid;
            spaces[i].ppn = root->ppn;
            break;
        }
    __real_simt_core_vm(c, root, tlb_mode, walk);
}

enum { R = 2, W = 4, X = 8, A = 64, D = 128 };

/* The frame of a page with a leaf that has all of `needs`. */
static bool translate(uint16_t asid, uint64_t vpn, unsigned needs, uint64_t *ppn)
{
    unsigned i = 0;
    while (i < SPACES && (!spaces[i].sv48 || spaces[i].asid != asid))
        i++;
    uint64_t table = i < SPACES ? spaces[i].ppn << 12 : 0;
    for (int level = 3; level >= 0; level--) {
        uint64_t at = table + (vpn >> 9 * level & 511) * 8, pte;
        if (!memory.bytes || at < memory.base || at + 8 > memory.limit)
            return false;
        memcpy(&pte, memory.bytes + (at - memory.base), sizeof pte);
        const uint64_t frame = pte >> 10 & ((1ull << 44) - 1), low = (1ull << 9 * level) - 1;
        if (!(pte & 1))
            return false;
        if (pte & (R | X)) {
            *ppn = (frame & ~low) | (vpn & low);
            return (pte & needs) == needs;
        }
        table = frame << 12;
    }
    return false;
}

static found_here_t *of_tlb(const void *tlb)
{
    for (unsigned i = 0; i < CORES_MOST; i++)
        if (tlbs[i].tlb == tlb || !tlbs[i].tlb) {
            tlbs[i].tlb = tlb;
            return &tlbs[i];
        }
    abort();
}

void __real_tlb_tick(tlb_t *s, const tlb_in_t *in);
void __wrap_tlb_tick(tlb_t *s, const tlb_in_t *in)
{
    found_here_t *f = of_tlb(s);
    tlb_out_t out = {0};
    f->valid = 0;
    if (in->look_valid) {
        tlb_out(s, &out);
        f->valid = out.look_ready ? in->look_valid : 0;
    }
    for (unsigned p = 0; p < PORTS; p++)
        if (f->valid >> p & 1)
            f->found[p].hit =
                translate(in->asid, in->look[p].vpn, in->look[p].store ? W | A | D : R | A, &f->found[p].ppn);
    __real_tlb_tick(s, in);
}

void __real_tlb_out(const tlb_t *s, tlb_out_t *o);
void __wrap_tlb_out(const tlb_t *s, tlb_out_t *o)
{
    const found_here_t *f = of_tlb(s);
    __real_tlb_out(s, o);
    for (unsigned p = 0; p < PORTS && f->valid; p++)
        if (f->valid >> p & o->found_valid >> p & 1 && f->found[p].hit && !o->found[p].hit) {
            o->found[p] = f->found[p];
            o->ev.tlb_hits++;
            o->ev.tlb_misses--;
        }
}

/* Pages looked up at the next edge are filled at this one. */
void __real_itlb_tick(itlb_t *s, const itlb_in_t *in);
void __wrap_itlb_tick(itlb_t *s, const itlb_in_t *in)
{
    itlb_in_t with = *in;
    uint64_t ppn;
    if (in->look_valid && !in->walked_valid && translate(in->asid, in->look.vpn, X | A, &ppn)) {
        with.walked_valid = true;
        with.walked = (walked_t){.vpn = in->look.vpn, .asid = in->asid, .result = WALK_OK};
        with.walked.leaf = (leaf_t){.ppn = ppn, .x = true};
    }
    __real_itlb_tick(s, &with);
}
