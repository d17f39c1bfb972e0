/* Faults, first touch, eviction (docs/host-memory.md, Faults and demand paging). */
#include <stdio.h>
#include <stdlib.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"

enum { MOST_SPURIOUS = 100 }; /* D4 */
enum { TABLE_RESERVE = 8 };   /* frames that pages leave for the tables of one of them */

int vl_pager_init(vl_device *d, vl_error *err)
{
    vl_memory_state *m = &d->memory;
    vl_pager *p = &m->pager;
    uint64_t least = d->env.threads + 4; /* F3 */
    if (m->options.frames > m->frames.n)
        return vl_fail(err, VL_EINVAL, "%llu frames: the device's memory has %llu",
                       (unsigned long long)m->options.frames, (unsigned long long)m->frames.n);
    p->limit = m->options.frames && m->options.frames < m->frames.n ? m->options.frames : m->frames.n;
    p->random = m->options.disturb_seed;
    p->spurious = calloc((size_t)d->env.cores * d->env.warps, sizeof *p->spurious);
    if (!p->spurious)
        return vl_fail(err, VL_ENOMEM, "out of memory");
    if (p->limit < least)
        return vl_fail(err, VL_EINVAL, "%llu frames: an instruction of a warp of %u threads may need %llu at once",
                       (unsigned long long)p->limit, d->env.threads, (unsigned long long)least);
    return 0;
}

void vl_pager_done(vl_pager *p)
{
    free(p->slots);
    free(p->open);
    free(p->spurious);
    *p = (vl_pager){0};
}

/* D8 */
void vl_pager_share(vl_device *d, uint32_t kernels)
{
    vl_pager *p = &d->memory.pager;
    p->share = kernels > 1 && p->limit / kernels >= d->env.threads + 4 ? p->limit / kernels : 0;
}

/* ---- slots ---- */

/* Before anything is done for a page that comes in: from then on nothing of the ring can fail. */
static int make_room(vl_pager *p)
{
    if (p->n_open || p->n < p->room)
        return 0;
    uint64_t room = p->room ? 2 * p->room : 64;
    vl_slot *x = realloc(p->slots, room * sizeof *x);
    if (!x)
        return VL_ENOMEM;
    p->slots = x;
    uint64_t *y = realloc(p->open, room * sizeof *y); /* room for all slots, so that giving one back cannot fail */
    if (!y)
        return VL_ENOMEM;
    p->open = y;
    p->room = room;
    return 0;
}

static void add_slot(vl_pager *p, vl_space *s, uint64_t va, vl_page *page)
{
    uint64_t at = p->n_open ? p->open[--p->n_open] : p->n++;
    p->slots[at] = (vl_slot){s, va, p->came++};
    p->used++;
    s->held++;
    page->slot = (uint32_t)at;
}

void vl_pager_forget(vl_pager *p, vl_page *page)
{
    if (page->slot == VL_NO_SLOT)
        return;
    p->slots[page->slot].space->held--;
    p->slots[page->slot].space = NULL;
    p->open[p->n_open++] = page->slot;
    p->used--;
    page->slot = VL_NO_SLOT;
}

void vl_pager_host_wrote(vl_device *d)
{
    vl_pager *p = &d->memory.pager;
    for (uint64_t i = 0; i < p->n; i++)
        if (p->slots[i].space)
            vl_space_page(p->slots[i].space, p->slots[i].va, NULL)->clean = false;
}

/* ---- eviction (D5) ---- */

/* Other A and D of a page; true if one was taken away. */
static int set_flags(vl_space *s, uint64_t va, unsigned set, unsigned clear, bool *less)
{
    uint64_t pte;
    unsigned level;
    if (!page_table_walk(s->table, va, &pte, &level))
        return 0;
    if (less && (pte & clear))
        *less = true;
    unsigned flags = ((unsigned)(pte & PT_FLAGS) | set) & ~clear;
    return flags == (pte & PT_FLAGS) ? 0 : page_table_protect(s->table, va, VL_PAGE, flags);
}

/* Which PTEs have lost rights that are still to be shot down: that of the page which goes; others of its space; any. */
typedef enum { OF_THE_PAGE, OF_THE_SPACE, OF_ANY } rights_lost;

static int evict_page(vl_device *d, uint64_t slot, rights_lost lost)
{
    vl_memory_state *m = &d->memory;
    vl_space *s = m->pager.slots[slot].space;
    uint64_t va = m->pager.slots[slot].va, pte = 0;
    unsigned level;
    const vl_area *a;
    vl_page *p = vl_space_page(s, va, &a);
    bool written = page_table_walk(s->table, va, &pte, &level) ? (pte & PT_D) != 0 : true;
    int e = page_table_unmap(s->table, va, VL_PAGE);
    if (!e)
        e = lost == OF_ANY ? vl_shootdown_all(d) : vl_shootdown(s, va, lost == OF_THE_PAGE ? VL_PAGE : 0);
    if (!e && (written || !p->clean)) {
        e = a->pins ? vl_registered_out(s, va, p->frame) : vl_physical_read(d, p->frame, vl_space_home(s, va), VL_PAGE);
        m->pager.counts.written++;
    }
    if (e)
        return e;
    uint64_t frame = p->frame;
    p->frame = 0;
    p->clean = false;
    vl_pager_forget(&m->pager, p);
    m->pager.counts.pages_out++;
    e = vl_space_show(s, va, p);
    vl_frames_give(&m->frames, frame);
    return e;
}

static int evict(vl_device *d, uint64_t slot, rights_lost lost)
{
    char what[48];
    snprintf(what, sizeof what, "page %#llx", (unsigned long long)d->memory.pager.slots[slot].va);
    if (d->tracing && d->ops->trace_mark)
        d->ops->trace_mark(d->self, what);
    int e = evict_page(d, slot, lost);
    if (d->tracing && d->ops->trace_mark)
        d->ops->trace_mark(d->self, NULL);
    return e;
}

/* May a page of this slot go for one of s (NULL: for any)? */
static bool may_go(const vl_slot *x, const vl_space *s, uint64_t share)
{
    if (!x->space || !s)
        return x->space != NULL;
    return s->held >= share ? x->space == s : !x->space->runs || x->space->held > share;
}

/* The space of the page to evict (D8); NULL: a page of any space. */
static const vl_space *taker(const vl_pager *p, const vl_space *s)
{
    for (uint64_t i = 0; p->share && i < p->n; i++)
        if (may_go(&p->slots[i], s, p->share))
            return s;
    return NULL;
}

/* Slots are reused in any order, so their order in the ring does not matter. */
static uint64_t first_in(const vl_pager *p, const vl_space *s)
{
    uint64_t first = p->n;
    for (uint64_t i = 0; i < p->n; i++)
        if (may_go(&p->slots[i], s, p->share) && (first == p->n || p->slots[i].came < p->slots[first].came))
            first = i;
    return first;
}

/* A page goes, for one of space s. */
static int evict_one(vl_device *d, const vl_space *s)
{
    vl_pager *p = &d->memory.pager;
    s = taker(p, s);
    if (d->memory.options.fifo)
        return evict(d, first_in(p, s), OF_THE_PAGE);
    const vl_space *swept = NULL;
    rights_lost lost = OF_THE_PAGE;
    for (;;) {
        uint64_t at = p->hand++ % p->n;
        vl_slot *x = &p->slots[at];
        if (!may_go(x, s, p->share))
            continue;
        bool used = false;
        int e = set_flags(x->space, x->va, 0, PT_A, &used);
        if (e)
            return e;
        if (!used)
            return evict(d, at, lost == OF_THE_SPACE && swept != x->space ? OF_ANY : lost);
        /* A storm of page faults in one space must not slow the others (D8). */
        lost = p->share && lost != OF_ANY && (!swept || swept == x->space) ? OF_THE_SPACE : OF_ANY;
        swept = x->space;
    }
}

/* ---- faults ---- */

/* The page is none of the ring, and so cannot be the one to go, until its PTE is written. If that fails it is at home as before. */
static int bring_in(vl_device *d, vl_space *s, uint64_t va, vl_page *page, bool store)
{
    vl_memory_state *m = &d->memory;
    int e = make_room(&m->pager);
    while (!e && m->pager.used && (m->pager.used >= m->pager.limit || m->frames.free < TABLE_RESERVE))
        e = evict_one(d, s);
    if (e)
        return e;
    uint64_t frame;
    if (!vl_frames_take(&m->frames, 0, &frame, NULL))
        return vl_fail(&d->error, VL_EDEVMEM, "no frame is left");
    e = vl_area_of(s, va)->pins ? vl_registered_in(s, va, frame)
                                : vl_physical_write(d, frame, vl_space_home(s, va), VL_PAGE);
    page->frame = frame;
    page->level = 0;
    page->clean = true;
    if (!e) /* A6: pages at home share a mapping */
        while ((e = vl_space_show(s, va, page)) == VL_ENOMEM && m->pager.used >= d->env.threads + 4)
            if ((e = evict_one(d, s)))
                break;
    if (!e)
        e = page_table_map(s->table, va, VL_PAGE, frame, 0, vl_page_flags(page->rights) | PT_A | (store ? PT_D : 0u));
    if (!e) {
        add_slot(&m->pager, s, va, page);
        m->pager.counts.pages_in++;
        return 0;
    }
    page->frame = 0;
    page->clean = false;
    (void)vl_space_show(s, va, page);
    vl_frames_give(&m->frames, frame);
    return e;
}

static vl_spurious *spurious_of(vl_device *d, const vl_page_fault *f)
{
    return &d->memory.pager.spurious[f->core % d->env.cores * d->env.warps + f->warp % d->env.warps];
}

/* A spurious fault: the page is mapped already. That is right if it was mapped for another warp meanwhile, or if the fault comes from a PTE that was read for another requester before (translation = shared).
 * But a machine that repeats such a fault for ever would hang, so repetitions are counted. */
static int spurious(vl_device *d, const vl_page_fault *f)
{
    vl_spurious *v = spurious_of(d, f);
    if (v->address != f->address || v->pc != f->pc)
        *v = (vl_spurious){.address = f->address, .pc = f->pc};
    return v->times++ < MOST_SPURIOUS ? 0 : VL_EFAULT;
}

/* D3, D4 */
static int handle(vl_device *d, const vl_page_fault *f)
{
    static const unsigned needs[] = {
        [VL_ACCESS_LOAD] = VL_READ, [VL_ACCESS_STORE] = VL_WRITE, [VL_ACCESS_FETCH] = VL_EXECUTE};
    vl_space *s = d->memory.on_core[f->core % d->env.cores];
    uint64_t va = f->address & ~(VL_PAGE - 1);
    vl_page *p = vl_space_page(s, va, NULL);
    unsigned has = p && p->mapped ? p->rights : 0;
    if (has & VL_WRITE)
        has |= VL_READ;
    if (d->memory.options.mode == VL_BARE || f->access > VL_ACCESS_FETCH || !(has & needs[f->access]))
        return VL_EFAULT;
    uint64_t pte = 0;
    unsigned level, want = f->access == VL_ACCESS_STORE ? PT_A | PT_D : PT_A;
    if (page_table_walk(s->table, va, &pte, &level) && (pte & want) == want)
        return spurious(d, f);
    if (d->memory.options.mode != VL_DEMAND)
        return VL_EFAULT;
    spurious_of(d, f)->times = 0;
    if (!p->frame)
        return bring_in(d, s, va, p, f->access == VL_ACCESS_STORE);
    d->memory.pager.counts.flags_set++;
    return set_flags(s, va, want, 0, NULL);
}

/* ---- disturbance (D7) ---- */

static int disturb(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    vl_pager *p = &m->pager;
    uint64_t r = vl_random(&p->random), what = r % 8;
    uint64_t at = p->n ? (r >> 8) % p->n : 0;
    vl_space *s = p->n ? p->slots[at].space : NULL;
    if (what == 0)
        return vl_shootdown_all(d);
    if (what == 1)
        return vl_shootdown(d->space, 0, 0);
    if (!s)
        return 0;
    uint64_t va = p->slots[at].va;
    if (what == 2)
        return vl_shootdown(s, va, VL_PAGE);
    if (what < 6)
        return evict(d, at, OF_THE_PAGE);
    vl_page *page = vl_space_page(s, va, NULL); /* take rights away, so that the machine must ask for them again */
    bool less = false;
    int e = set_flags(s, va, 0, PT_D, &less);
    if (less)
        page->clean = false;
    if (!e)
        e = set_flags(s, va, 0, PT_A, &less);
    return e ? e : vl_shootdown(s, va, VL_PAGE);
}

/* The error of the device is the one that launches report. */
static int answered(vl_device *d, int e, vl_error *err)
{
    if (e && e != VL_EFAULT && err != &d->error)
        *err = d->error;
    return e;
}

int vl_pager_interrupt(void *device, vl_error *err)
{
    vl_device *d = device;
    int e = d->memory.options.disturb ? disturb(d) : 0;
    return answered(d, e ? e : vl_flush_due(d, d->memory.interrupted), err);
}

int vl_pager_fault(void *device, const vl_page_fault *f, vl_error *err)
{
    vl_device *d = device;
    vl_pager_counts *all = &d->memory.pager.counts, before = *all;
    all->faults++;
    int e = handle(d, f);
    if (!f->again) { /* only the first launch of its kernel counts for the space */
        vl_pager_counts *own = &d->memory.on_core[f->core % d->env.cores]->counts;
        own->faults++;
        own->flags_set += all->flags_set - before.flags_set;
        own->pages_in += all->pages_in - before.pages_in;
    }
    if (!e && d->memory.options.disturb && vl_random(&d->memory.pager.random) % 4 == 0)
        e = disturb(d);
    return answered(d, e, err);
}
