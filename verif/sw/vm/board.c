/* The machine: a translation is kept until a shootdown takes it away, a store is performed when a shootdown or a load asks for it, or at some time. The
 * scoreboard: tables are walked as they stand in memory, at every write, read and invalidation of the host while a kernel runs; what a frame may be used for
 * next follows from what it was used for (enum use). Nothing here looks at what libvellum keeps, but for which spaces there are, and which frames pages without any right have. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/ref/lib/rng.h"
#include "verif/sw/vm/board.h"

enum { CORES = 64, SPACES = 64, ENTRIES = 48, LATE = 12, WARP = 8, ROUNDS = 64, ROUNDS_DISTURBED = 4000 };
enum { RWX = PT_R | PT_W | PT_X };

/* What is done with a frame. */
enum use {
    NOBODY, /* free, as far as the machine can see */
    WRITTEN, /* whole, by the host: to become a page or a table */
    PAGE, /* a leaf maps it */
    UNMAPPED, /* a page, until its shootdown */
    HIDDEN, /* a page without rights, and so without a leaf: only libvellum's lists have it */
    GONE, /* a page after its shootdown */
    TABLE, /* a pointer leads to it */
    TABLE_GONE, /* a table, until a shootdown */
};

typedef struct frame {
    enum use use;
    uint32_t look; /* number of the last look that found it */
    uint64_t asid, va;
    uint8_t flags; /* of its leaf */
    bool stored; /* since it was written */
    bool read; /* since its shootdown */
} frame;

/* The page that came into a frame last, and its number among all that came. Kept from one run to the next, as frames are not. */
typedef struct arrival {
    uint64_t asid, va, n;
} arrival;

/* A page that a kernel has had in this run. */
typedef struct last {
    uint64_t asid, va, hash;
} last;

typedef struct translation {
    bool valid;
    uint64_t asid, va, pa;
    uint8_t flags;
} translation;

typedef struct late_store {
    uint64_t asid, va, pa;
    uint32_t value;
} late_store;

static struct board {
    rng r;
    board_rights rights;
    void *user;
    vl_device *d;
    uint64_t limit; /* of pages in frames; 0: none */
    bool demand, disturbed, fifo;
    arrival *arrivals; /* by frame */
    uint64_t n_arrivals;
    vl_store store;
    uint64_t root[CORES], asid[CORES];
    uint64_t space_root[SPACES], space_asid[SPACES];
    unsigned n_spaces;
    frame *frames;
    uint64_t n_frames;
    uint64_t *held; /* frames that may be in another state than NOBODY */
    uint64_t n_held;
    uint32_t look;
    uint64_t leaves;
    last *lasts;
    uint64_t n_lasts, room_lasts;
    translation kept[ENTRIES];
    late_store late[LATE];
    unsigned n_late;
    bool running, asking;
    uint64_t share; /* D8: of each of the kernels that run at once; 0: there are none */
    uint64_t at_work[CORES]; /* ASIDs of these kernels, one a core */
    uint64_t asked_asid, asked_va; /* the page of the fault that the host is about to answer */
    vl_access asked;
    bool has_home;
    uint64_t home; /* hash of the bytes that the host sees there */
    const vl_backend_launch *launch;
    vl_error *err;
    uint64_t until; /* the next interrupt */
    uint64_t *shown, n_shown, most_shown; /* host addresses that show frames */
    vl_counter counters[1];
    board_seen saw;
} b;

#define WRONG(...) fail_msg("scoreboard of the pager: " __VA_ARGS__)
typedef unsigned long long ull;

static uint64_t below(uint64_t n)
{
    return rng_u64(&b.r) % n;
}

static uint8_t *memory(uint64_t pa)
{
    if (pa < b.store.base || pa >= b.store.limit)
        WRONG("physical address %#llx is outside of the memory", (ull)pa);
    return b.store.bytes + (pa - b.store.base);
}

static frame *frame_of(uint64_t pa)
{
    (void)memory(pa);
    return &b.frames[(pa - b.store.base) / VL_PAGE];
}

static uint64_t hash(const void *page)
{
    const uint64_t *p = page;
    uint64_t h = 1;
    for (unsigned i = 0; i < VL_PAGE / 8; i++)
        h = (h ^ p[i]) * 0x100000001b3ull, h ^= h >> 29;
    return h;
}

static uint64_t hash_of(uint64_t pa)
{
    return hash(memory(pa & ~(VL_PAGE - 1)));
}

static last *last_of(uint64_t asid, uint64_t va)
{
    for (uint64_t i = 0; i < b.n_lasts; i++)
        if (b.lasts[i].asid == asid && b.lasts[i].va == va)
            return &b.lasts[i];
    return NULL;
}

/* ---- a look at all tables ---- */

static void hold(uint64_t pa, enum use use, uint64_t asid, uint64_t va, uint64_t flags)
{
    frame *f = frame_of(pa);
    if (pa >= VL_SPAD_BASE && pa < VL_SPAD_BASE + VL_SPAD_MAX)
        WRONG("frame %#llx lies in the scratchpad's addresses", (ull)pa);
    if (f->look == b.look)
        WRONG("frame %#llx is used twice: %s %#llx of ASID %llu, %s %#llx of ASID %llu", (ull)pa,
              f->use == PAGE ? "page" : "table of", (ull)f->va, (ull)f->asid, use == PAGE ? "page" : "table of",
              (ull)va, (ull)asid);
    bool same = f->use == use && f->asid == asid && f->va == va, known = b.look == 1;
    if (!same && !known && b.running && f->use != WRITTEN)
        WRONG("frame %#llx becomes %s %#llx without having been written whole for it", (ull)pa,
              use == PAGE ? "page" : "table of", (ull)va);
    if (f->use == NOBODY || known)
        b.held[b.n_held++] = (pa - b.store.base) / VL_PAGE;
    if (use == PAGE) {
        uint64_t more = same ? flags & ~f->flags : flags;
        bool its = b.asking && asid == b.asked_asid && va == b.asked_va;
        if (!known && b.demand && b.running && more & (PT_V | PT_A) && !its)
            WRONG("page %#llx of ASID %llu gets flags %#llx, but %#llx of ASID %llu is asked for", (ull)va, (ull)asid,
                  (ull)more, (ull)b.asked_va, (ull)b.asked_asid);
        if (!known && b.demand && more & PT_D && (!its || b.asked != VL_ACCESS_STORE))
            WRONG("page %#llx of ASID %llu gets D without a store", (ull)va, (ull)asid);
        const last *was = same || known ? NULL : last_of(asid, va);
        if (was && was->hash != hash_of(pa))
            WRONG("page %#llx of ASID %llu comes back with other contents than it left with", (ull)va, (ull)asid);
        if (!same && !known && its && b.has_home && b.home != hash_of(pa))
            WRONG("page %#llx of ASID %llu comes in with other contents than the host sees", (ull)va, (ull)asid);
        b.saw.came += !same && !known;
        if (!same && !known && its)
            b.arrivals[f - b.frames] = (arrival){asid, va, ++b.n_arrivals};
        f->flags = (uint8_t)flags;
    }
    if (!same)
        f->stored = f->read = false;
    f->use = use, f->asid = asid, f->va = va, f->look = b.look;
}

static void look_at(uint64_t table, unsigned level, uint64_t asid, uint64_t va)
{
    hold(table, TABLE, asid, va, 0);
    const uint64_t *pte = (const uint64_t *)(const void *)memory(table);
    for (uint64_t i = 0; i < PT_ENTRIES; i++) {
        uint64_t x = pte[i], at = va + i * pt_page_bytes(level), pages = 1ull << 9 * level;
        if (!(x & PT_V))
            continue;
        if (level == 3 && i >= 256)
            at |= ~0ull << 48;
        if (!(x & RWX)) {
            if (level == 0 || x & (PT_A | PT_D | PT_U | PT_G))
                WRONG("the entry of %#llx, %#llx, is neither a pointer nor a leaf", (ull)at, (ull)x);
            look_at(pt_frame(x), level - 1, asid, at);
            continue;
        }
        if (level == 3 || (x & (PT_U | PT_G)) != PT_U || (x & (PT_R | PT_W)) == PT_W || x >> 46)
            WRONG("the leaf of %#llx is %#llx", (ull)at, (ull)x);
        for (uint64_t k = 0; k < pages; k++) {
            unsigned may = vl_page_flags(b.rights(b.user, asid, at + k * VL_PAGE)) & RWX;
            if (x & RWX & ~may)
                WRONG("page %#llx of ASID %llu has flags %#llx, its rights are %#x", (ull)(at + k * VL_PAGE), (ull)asid,
                      (ull)x, may);
            hold(pt_frame(x) + k * VL_PAGE, PAGE, asid, at + k * VL_PAGE, x & PT_FLAGS);
        }
        b.leaves += pages;
    }
}

static void look(void)
{
    uint64_t n = b.n_held;
    b.look++;
    b.leaves = 0;
    b.saw.steps++;
    for (unsigned s = 0; s < b.n_spaces; s++)
        look_at(b.space_root[s] * VL_PAGE, 3, b.space_asid[s], 0);
    for (uint64_t i = 0; i < b.n_held; i++)
        b.leaves += b.frames[b.held[i]].use == HIDDEN;
    if (b.limit && b.leaves > b.limit)
        WRONG("%llu pages are in frames, the limit is %llu", (ull)b.leaves, (ull)b.limit);
    for (uint64_t i = 0; i < n; i++) { /* what is not there any more */
        frame *f = &b.frames[b.held[i]];
        if (f->look == b.look)
            continue;
        f->use = f->use == PAGE ? UNMAPPED : f->use == TABLE ? TABLE_GONE : f->use;
    }
}

/* ---- translation ---- */

/* What the tables say now; false: nothing. */
static bool walk(uint64_t root, uint64_t va, uint64_t *pa, uint64_t *flags)
{
    uint64_t table = root * VL_PAGE;
    for (unsigned level = 4; level-- > 0;) {
        uint64_t pte = ((const uint64_t *)(const void *)memory(table))[va / pt_page_bytes(level) % PT_ENTRIES];
        if (!(pte & PT_V))
            return false;
        table = pt_frame(pte);
        if (!(pte & RWX))
            continue;
        *pa = table + va % pt_page_bytes(level);
        *flags = pte & PT_FLAGS;
        return true;
    }
    return false;
}

static bool allows(uint64_t flags, vl_access access)
{
    unsigned need = access == VL_ACCESS_LOAD    ? PT_R | PT_A
                    : access == VL_ACCESS_STORE ? PT_W | PT_A | PT_D
                                                : PT_X | PT_A;
    return (flags & need) == need;
}

static uint64_t root_of(uint64_t asid)
{
    for (unsigned s = 0; s < b.n_spaces; s++)
        if (b.space_asid[s] == asid)
            return b.space_root[s];
    WRONG("a translation of ASID %llu, which no space has, is left", (ull)asid);
    return 0;
}

/* Nothing that the machine keeps says more than the tables. */
static void nothing_is_stale(const char *when)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        const translation *t = &b.kept[i];
        uint64_t pa, flags;
        if (t->valid && (!walk(root_of(t->asid), t->va, &pa, &flags) || pa != t->pa || t->flags & ~flags))
            WRONG("%s, the machine still has page %#llx of ASID %llu as it was: no shootdown", when, (ull)t->va,
                  (ull)t->asid);
    }
}

static void perform(unsigned i)
{
    const late_store *s = &b.late[i];
    frame *f = frame_of(s->pa);
    if (b.running && f->use != PAGE && f->use != UNMAPPED)
        WRONG("a store to %#llx of ASID %llu is performed in a frame that is no page any more", (ull)s->va,
              (ull)s->asid);
    memcpy(memory(s->pa), &s->value, 4);
    f->stored = true;
    memmove(&b.late[i], &b.late[i + 1], (--b.n_late - i) * sizeof *s);
}

static void perform_page(uint64_t asid, uint64_t va)
{
    for (unsigned i = 0; i < b.n_late;)
        if (b.late[i].asid == asid && (b.late[i].va ^ va) < VL_PAGE)
            perform(i);
        else
            i++;
}

/* After the host's answer: the frames of pages that went, or came. */
static void nothing_is_left_over(void)
{
    for (uint64_t i = 0; i < b.n_held; i++) {
        frame *f = &b.frames[b.held[i]];
        uint64_t pa = b.store.base + b.held[i] * VL_PAGE;
        if (f->use == WRITTEN)
            WRONG("frame %#llx was filled, but no page is mapped there", (ull)pa);
        if (f->use == UNMAPPED)
            WRONG("page %#llx of ASID %llu was unmapped without a shootdown", (ull)f->va, (ull)f->asid);
        if (f->use == GONE && f->stored && !f->read)
            WRONG("page %#llx of ASID %llu went, and what was stored there is lost", (ull)f->va, (ull)f->asid);
    }
}

/* Calls the host, and looks at what it did. */
static int ask(const vl_page_fault *f, uint64_t asid)
{
    b.asking = f != NULL;
    if (f)
        b.asked_asid = asid, b.asked_va = f->address & ~(VL_PAGE - 1), b.asked = f->access;
    /* A1: the host has it at the same address */
    b.has_home = f && b.asked_va >> 45 && b.rights(b.user, asid, b.asked_va);
    if (b.has_home)
        b.home = hash((const void *)(uintptr_t)b.asked_va);
    int e =
        f ? b.launch->page_fault(b.launch->memory_user, f, b.err) : b.launch->interrupt(b.launch->memory_user, b.err);
    look();
    nothing_is_stale(f ? "after a page fault" : "after an interrupt");
    nothing_is_left_over();
    b.asking = false;
    return e;
}

static bool may(uint64_t asid, uint64_t va, vl_access access)
{
    static const unsigned needs[] = {[VL_ACCESS_LOAD] = PT_R, [VL_ACCESS_STORE] = PT_W, [VL_ACCESS_FETCH] = PT_X};
    return b.demand && vl_page_flags(b.rights(b.user, asid, va)) & needs[access];
}

/* A translation of its own, or that of the tables. Then the host is asked (*asked): its refusal, or an error, is returned. */
static int translate(unsigned core, unsigned warp, uint64_t va, vl_access access, uint64_t *pa, bool *asked,
                     vl_fault *fault)
{
    static const uint32_t causes[] = {[VL_ACCESS_LOAD] = VL_FAULT_LOAD_PAGE,
                                      [VL_ACCESS_STORE] = VL_FAULT_STORE_PAGE,
                                      [VL_ACCESS_FETCH] = VL_FAULT_FETCH_PAGE};
    uint64_t asid = b.asid[core], page = va & ~(VL_PAGE - 1), flags = 0, at = 0;
    translation *mine = NULL;
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && b.kept[i].asid == asid && b.kept[i].va == page)
            mine = &b.kept[i];
    if (mine && allows(mine->flags, access)) {
        *pa = mine->pa + va % VL_PAGE;
        return 0;
    }
    bool canonical = va >> 47 == 0 || va >> 47 == (1u << 17) - 1,
         there = canonical && walk(b.root[core], page, &at, &flags);
    if (there && allows(flags, access)) {
        if (!mine)
            mine = &b.kept[below(ENTRIES)];
        *mine = (translation){true, asid, page, at, (uint8_t)flags};
        *pa = at + va % VL_PAGE;
        return 0;
    }
    vl_page_fault f = {.cause = causes[access],
                       .access = access,
                       .address = va,
                       .pc = b.launch->entry,
                       .core = core,
                       .warp = warp,
                       .threads = 1};
    bool right = canonical && may(asid, va, access);
    int e = canonical ? ask(&f, asid) : VL_EFAULT;
    if (e && e != VL_EFAULT)
        return e;
    if ((e == 0) != right)
        WRONG("an access of kind %u to %#llx of ASID %llu is %s", access, (ull)va, (ull)asid,
              e ? "refused" : "not refused");
    *asked = true;
    if (e) {
        b.saw.refused++;
        *fault = (vl_fault){.cause = f.cause, .value = va, .pc = f.pc, .core = core, .warp = warp, .mask = 1};
        return e;
    }
    if (b.disturbed)
        return 0;
    if (!walk(b.root[core], page, &at, &flags) || !allows(flags, access))
        WRONG("the host has brought in page %#llx of ASID %llu, and it is not there", (ull)page, (ull)asid);
    f.warp = (warp + 1) % b.d->env.warps;
    if (below(8) == 0 && ask(&f, asid)) /* two at the same page */
        WRONG("the second fault at page %#llx of ASID %llu is refused", (ull)page, (ull)asid);
    return 0;
}

/* ---- the machine ---- */

static int maybe_interrupt(void)
{
    if (!b.launch->interrupt || b.until-- > 0)
        return 0;
    b.until = below(b.launch->interrupt_every / 50 + 1);
    return ask(NULL, 0);
}

/* All accesses of one instruction, whose pages must be mapped at the same time. */
static int together(unsigned core, unsigned warp, const uint64_t *va, const vl_access *access, unsigned n, uint64_t *pa,
                    vl_fault *fault)
{
    bool asked = true;
    for (unsigned round = 0; asked; round++) {
        asked = false;
        if (round > (b.disturbed ? ROUNDS_DISTURBED : ROUNDS))
            WRONG("an instruction of %u accesses never has all its pages", n);
        int e = maybe_interrupt();
        for (unsigned i = 0; i < n && !e; i++)
            e = translate(core, warp, va[i], access[i], &pa[i], &asked, fault);
        if (e)
            return e;
    }
    return 0;
}

static uint32_t load(unsigned core, uint64_t va, uint64_t pa)
{
    uint32_t v;
    perform_page(b.asid[core], va);
    memcpy(&v, memory(pa), 4);
    return v;
}

static void store(unsigned core, uint64_t va, uint64_t pa, uint32_t value)
{
    if (b.n_late == LATE)
        perform(0);
    b.late[b.n_late++] = (late_store){b.asid[core], va, pa, value};
}

static int load_words(unsigned core, uint64_t va, uint32_t *to, unsigned n, vl_fault *fault)
{
    uint64_t pa;
    vl_access load_it = VL_ACCESS_LOAD;
    for (unsigned i = 0; i < n; i++) {
        int e = together(core, 0, &(uint64_t){va + 4 * i}, &load_it, 1, &pa, fault);
        if (e)
            return e;
        to[i] = load(core, va + 4 * i, pa);
    }
    return 0;
}

/* A warp's part of the kernel `probe`: threads `first` to first + n - 1. */
static int warp_of(unsigned core, unsigned warp, uint64_t list, unsigned first, unsigned n, vl_fault *fault)
{
    probe q[WARP];
    uint64_t va[WARP], pa[WARP];
    vl_access access[WARP];
    int e = 0;
    for (unsigned i = 0; i < n && !e; i++)
        e = load_words(core, list + (first + i) * sizeof *q, (uint32_t *)(void *)&q[i], sizeof *q / 4, fault);
    uint64_t entry = b.launch->entry;
    if (!e)
        e = together(core, warp, &entry, &(vl_access){VL_ACCESS_FETCH}, 1, pa, fault);
    for (unsigned i = 0; i < n && !e; i++)
        va[i] = q[i].address, access[i] = q[i].kind == LOAD ? VL_ACCESS_LOAD : VL_ACCESS_STORE;
    if (!e)
        e = together(core, warp, va, access, n, pa, fault);
    for (unsigned i = 0; i < n && !e; i++) {
        if (q[i].kind == STORE) {
            store(core, va[i], pa[i], q[i].value);
            continue;
        }
        uint32_t was = load(core, va[i], pa[i]);
        if (q[i].kind == ADD)
            store(core, va[i], pa[i], was + q[i].value);
        q[i].value = was;
    }
    vl_access store_it = VL_ACCESS_STORE;
    for (unsigned i = 0; i < n && !e; i++) {
        uint64_t to = list + (first + i) * sizeof *q + offsetof(probe, value), at;
        if (q[i].kind != STORE && !(e = together(core, warp, &to, &store_it, 1, &at, fault)))
            store(core, to, at, q[i].value);
    }
    return e;
}

/* What a kernel may not do. */
static int pry(unsigned core, uint64_t near)
{
    uint64_t va = below(4) ? (near & ~(VL_PAGE - 1)) + below(64) * VL_PAGE - 32 * VL_PAGE : below(1ull << 47);
    vl_access access = (vl_access)below(3);
    if (vl_page_flags(b.rights(b.user, b.asid[core], va))
        & (access == VL_ACCESS_LOAD    ? PT_R
           : access == VL_ACCESS_STORE ? PT_W
                                       : PT_X))
        return 0;
    vl_fault f;
    uint64_t pa;
    bool asked = false;
    int e = translate(core, (unsigned)below(4), va & ~3ull, access, &pa, &asked, &f);
    if (!e)
        WRONG("an access of kind %u to %#llx of ASID %llu is let through", access, (ull)va, (ull)b.asid[core]);
    return e == VL_EFAULT ? 0 : e;
}

/* Between kernels all is the host's: it starts from what it finds. */
static void begin(const vl_backend_launch *l, vl_error *err)
{
    b.launch = l;
    b.err = err;
    b.n_spaces = 0;
    for (const vl_space *s = b.d->memory.spaces; s; s = s->next, b.n_spaces++) {
        assert_true(b.n_spaces < SPACES);
        b.space_root[b.n_spaces] = page_table_root(s->table), b.space_asid[b.n_spaces] = s->asid;
        for (unsigned o = 0; o < b.n_spaces; o++)
            if (b.space_asid[o] == s->asid || !s->asid)
                WRONG("two spaces have ASID %u", s->asid);
    }
    for (unsigned c = 0; c < b.d->env.cores; c++)
        if (root_of(b.asid[c]) != b.root[c])
            WRONG("core %u has another root than ASID %llu", c, (ull)b.asid[c]);
    memset(b.frames, 0, b.n_frames * sizeof *b.frames);
    b.n_held = b.look = 0;
    b.n_lasts = 0;
    b.running = true;
    look();
    for (const vl_space *s = b.d->memory.spaces; s; s = s->next)
        for (size_t i = 0; i < s->n; i++)
            for (uint64_t k = 0; k < s->areas[i].bytes / VL_PAGE; k++) {
                const vl_page *p = &s->areas[i].pages[k];
                if (!p->frame || p->rights)
                    continue;
                frame *f = frame_of(p->frame);
                if (f->use != NOBODY)
                    WRONG("frame %#llx is used twice: page %#llx has no rights, page %#llx some", (ull)p->frame,
                          (ull)(s->areas[i].va + k * VL_PAGE), (ull)f->va);
                *f = (frame){.use = HIDDEN, .asid = s->asid, .va = s->areas[i].va + k * VL_PAGE};
                b.held[b.n_held++] = (p->frame - b.store.base) / VL_PAGE;
            }
    nothing_is_stale("at the beginning of a kernel");
}

static void end(void)
{
    while (b.n_late)
        perform(0);
    look();
    b.running = false;
}

static int run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    (void)self;
    struct {
        uint64_t list;
        uint32_t n, next;
        bool started, done;
    } at[16] = {0};
    b.share = n > 1 && b.limit / n >= b.d->env.threads + 4u ? b.limit / n : 0;
    for (unsigned c = 0; c < CORES; c++)
        b.at_work[c] = ~0ull;
    for (uint32_t k = 0; k < n; k++)
        for (unsigned c = 0; c < CORES; c++)
            if (jobs[k].cores >> c & 1)
                b.at_work[c] = b.asid[c];
    begin(jobs[0].launch, err);
    for (uint32_t left = n; left;) {
        uint32_t k = (uint32_t)below(n);
        if (at[k].done)
            continue;
        const vl_backend_launch *l = b.launch = jobs[k].launch;
        unsigned core, warp = (unsigned)below(b.d->env.warps),
                       many = (unsigned)(1 + below(WARP < b.d->env.threads ? WARP : b.d->env.threads));
        do
            core = (unsigned)below(b.d->env.cores);
        while (!(jobs[k].cores >> core & 1));
        vl_fault fault = {0};
        int e = 0;
        if (!at[k].started) {
            uint32_t words[3];
            e = load_words(core, l->arg + VL_BLOCK_ARGS, words, 3, &fault);
            at[k].list = words[0] | (uint64_t)words[1] << 32, at[k].n = words[2], at[k].started = true;
        } else if (below(4) == 0) {
            e = pry(core, below(2) ? at[k].list : l->entry);
        } else {
            many = many < at[k].n - at[k].next ? many : at[k].n - at[k].next;
            e = warp_of(core, warp, at[k].list, at[k].next, many, &fault);
            at[k].next += many;
        }
        if (e && e != VL_EFAULT)
            return e;
        if (e || (at[k].started && at[k].next == at[k].n))
            jobs[k].code = e, jobs[k].fault = fault, jobs[k].cut = false, at[k].done = true, left--;
        if (b.n_late && below(4) == 0)
            perform(0);
    }
    end();
    return 0;
}

static int run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err)
{
    vl_backend_job one = {.launch = l, .cores = ~0ull};
    int e = run_jobs(self, &one, 1, err);
    *fault = one.fault;
    return e ? e : one.code;
}

/* ---- what the host asks of it ---- */

static int host_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    (void)self, (void)err;
    frame *f = frame_of(addr);
    uint64_t pa = addr & ~(VL_PAGE - 1);
    if (!b.running)
        WRONG("the host writes %#llx through the host port, but no kernel runs", (ull)addr);
    if (f->use == PAGE || f->use == UNMAPPED)
        WRONG("frame %#llx is written, but page %#llx of ASID %llu %s", (ull)pa, (ull)f->va, (ull)f->asid,
              f->use == PAGE ? "is mapped there" : "has not been shot down");
    if (f->use == TABLE_GONE)
        WRONG("frame %#llx is written, but a walker may still read the table of %#llx there", (ull)pa, (ull)f->va);
    if (f->use == WRITTEN)
        WRONG("frame %#llx is written twice before anything is there: a page that comes in has lost its frame",
              (ull)pa);
    if (f->use == HIDDEN || (f->use == GONE && f->stored && !f->read))
        WRONG("page %#llx of ASID %llu went, and what was stored there is lost", (ull)f->va, (ull)f->asid);
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && b.kept[i].pa == pa)
            WRONG("frame %#llx is written, but the machine still has page %#llx of ASID %llu there", (ull)pa,
                  (ull)b.kept[i].va, (ull)b.kept[i].asid);
    memcpy(memory(addr), data, bytes);
    if (f->use != TABLE) {
        if (bytes != VL_PAGE || addr != pa)
            WRONG("%llu bytes at %#llx are written, where there is no table", (ull)bytes, (ull)addr);
        b.saw.again += f->use == GONE;
        if (f->use == NOBODY)
            b.held[b.n_held++] = (pa - b.store.base) / VL_PAGE;
        f->use = WRITTEN;
    } else if (bytes % 8 || addr % 8) {
        WRONG("a part of an entry is written at %#llx", (ull)addr);
    }
    look();
    return 0;
}

static int host_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    (void)self, (void)err;
    frame *f = frame_of(addr);
    if (!b.running)
        WRONG("the host reads %#llx through the host port, but no kernel runs", (ull)addr);
    if (f->use == WRITTEN)
        WRONG("frame %#llx is read: a page goes that is just coming in", (ull)addr);
    if (f->use == PAGE || f->use == UNMAPPED)
        WRONG("page %#llx of ASID %llu is copied home, but it %s", (ull)f->va, (ull)f->asid,
              f->use == PAGE ? "is mapped" : "has not been shot down");
    if (f->use == HIDDEN)
        f->use = GONE;
    if (f->use != GONE || bytes != VL_PAGE || addr % VL_PAGE)
        WRONG("the host reads %llu bytes at %#llx, where no page went", (ull)bytes, (ull)addr);
    memcpy(data, memory(addr), bytes);
    f->read = true;
    b.saw.written++;
    return 0;
}

static bool concerns(vl_scope scope, uint64_t asid, uint64_t va, uint64_t its_asid, uint64_t its_va)
{
    return scope == VL_INV_ALL || (asid == its_asid && (scope == VL_INV_ASID || (va ^ its_va) < VL_PAGE));
}

/* 0: its arrival was not seen. */
static uint64_t arrival_of(const frame *f)
{
    const arrival *a = &b.arrivals[f - b.frames];
    return a->asid == f->asid && a->va == f->va ? a->n : 0;
}

static bool in_frame(const frame *f)
{
    return f->use == PAGE || f->use == HIDDEN;
}

/* Pages of an address space in frames, that which has just gone among them. */
static uint64_t pages_of(uint64_t asid, const frame *gone)
{
    uint64_t n = gone->asid == asid;
    for (uint64_t i = 0; i < b.n_held; i++)
        n += in_frame(&b.frames[b.held[i]]) && b.frames[b.held[i]].asid == asid;
    return n;
}

/* D8: may a page of this address space go for the one that is asked for? */
static bool may_go(uint64_t asid, const frame *gone)
{
    if (!b.share)
        return true;
    if (pages_of(b.asked_asid, gone) >= b.share)
        return asid == b.asked_asid;
    bool works = false;
    for (unsigned c = 0; c < CORES; c++)
        works |= b.at_work[c] == asid;
    return !works || pages_of(asid, gone) > b.share;
}

/* D8, and D5 with evict=fifo: who goes may go, and came before all others that may. When none may, all may. */
static void first_out(const frame *f)
{
    const uint64_t n = arrival_of(f);
    if (b.disturbed || !b.asking)
        return;
    const bool may = may_go(f->asid, f);
    for (uint64_t i = 0; i < b.n_held; i++) {
        const frame *other = &b.frames[b.held[i]];
        if (!in_frame(other) || (may && !may_go(other->asid, f)))
            continue;
        if (!may && may_go(other->asid, f))
            WRONG("page %#llx of ASID %llu goes for one of ASID %llu, but shares of %llu frames are for a page of "
                  "ASID %llu to go",
                  (ull)f->va, (ull)f->asid, (ull)b.asked_asid, (ull)b.share, (ull)other->asid);
        if (b.fifo && arrival_of(other) < n)
            WRONG("page %#llx of ASID %llu goes, but %#llx of ASID %llu came before it", (ull)f->va, (ull)f->asid,
                  (ull)other->va, (ull)other->asid);
    }
}

static int host_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t va, vl_error *err)
{
    (void)self, (void)err;
    for (unsigned i = 0; i < b.n_late;)
        if (concerns(scope, asid, va, b.late[i].asid, b.late[i].va))
            perform(i), b.saw.late++;
        else
            i++;
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && concerns(scope, asid, va, b.kept[i].asid, b.kept[i].va))
            b.kept[i].valid = false;
    for (uint64_t i = 0; b.running && i < b.n_held; i++) {
        frame *f = &b.frames[b.held[i]];
        uint64_t pa = b.store.base + b.held[i] * VL_PAGE;
        if (f->use == TABLE_GONE && (scope == VL_INV_ALL || f->asid == asid)) {
            f->use = NOBODY;
            b.held[i--] = b.held[--b.n_held];
        } else if (f->use == UNMAPPED && concerns(scope, asid, va, f->asid, f->va)) {
            f->use = GONE;
            f->read = false;
            b.saw.left++;
            first_out(f);
            last *x = last_of(f->asid, f->va);
            if (!x && b.n_lasts == b.room_lasts)
                b.lasts = realloc(b.lasts, (b.room_lasts = 2 * b.room_lasts + 64) * sizeof *x);
            if (!x)
                x = &b.lasts[b.n_lasts++];
            *x = (last){f->asid, f->va, hash_of(pa)};
        }
    }
    if (b.running)
        look();
    return 0;
}

static int host_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    (void)self, (void)addr, (void)byte, (void)bytes, (void)err;
    WRONG("the host fills memory through the host port");
    return VL_EINVAL;
}

static int use_store(void *self, const vl_store *store, vl_error *err)
{
    (void)self, (void)err;
    b.store = *store;
    b.n_frames = (store->limit - store->base) / VL_PAGE + 1;
    b.frames = calloc(b.n_frames, sizeof *b.frames);
    b.held = calloc(2 * b.n_frames, sizeof *b.held);
    b.arrivals = calloc(b.n_frames, sizeof *b.arrivals);
    return 0;
}

static int set_root(void *self, uint32_t core, const vl_root *root, vl_error *err)
{
    (void)self, (void)err;
    if (b.running || !root->sv48 || core >= b.d->env.cores)
        WRONG("core %u gets a root %s", core, b.running ? "while it runs" : "that is none");
    b.root[core] = root->ppn, b.asid[core] = root->asid;
    return 0;
}

static int set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    (void)self, (void)err;
    assert_true(base == b.store.base && limit == b.store.limit);
    return 0;
}

static int set_policy(void *self, enum vl_policy policy, uint32_t value, vl_error *err)
{
    (void)self, (void)policy, (void)value, (void)err;
    return 0;
}

static int set_reconv(void *self, uint32_t kernel, const vl_reconv *table, uint32_t entries, vl_error *err)
{
    (void)self, (void)kernel, (void)table, (void)entries, (void)err;
    return 0;
}

static const vl_counter *counters(void *self, size_t *n)
{
    (void)self;
    *n = 1;
    b.counters[0] = (vl_counter){"cycles", "run", "cycles", "none", 0};
    return b.counters;
}

static int open_it(void **self, const vl_backend_env *env, vl_error *err)
{
    (void)env, (void)err;
    *self = &b;
    return 0;
}

static void close_it(void *self)
{
    (void)self;
    free(b.frames);
    free(b.held);
    free(b.arrivals);
    free(b.lasts);
    free(b.shown);
    b.most_shown = b.n_shown = 0;
    b.frames = NULL, b.held = NULL, b.lasts = NULL, b.room_lasts = 0;
}

/* libvellum's vl_show is linked behind this one (--wrap): the process has mappings for so many pages in frames and not one more (A6). */
int __real_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err);
int __wrap_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err);
int __wrap_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err)
{
    uint64_t from = (uint64_t)(uintptr_t)at, n = 0;
    bool frame = b.most_shown && b.d && fd == b.d->memory.fd;
    for (uint64_t i = 0; i < b.n_shown; i++)
        n += b.shown[i] - from >= bytes;
    if (frame && n == b.most_shown)
        return vl_fail(err, VL_ENOMEM, "no mapping is left");
    n = 0;
    for (uint64_t i = 0; i < b.n_shown; i++)
        if (b.shown[i] - from >= bytes)
            b.shown[n++] = b.shown[i];
    b.n_shown = n;
    if (frame)
        b.shown[b.n_shown++] = from;
    return __real_vl_show(at, bytes, fd, offset, err);
}

const board_seen *board_saw(void)
{
    return &b.saw;
}

vl_device *open_board(const char *memory, uint64_t frames, uint64_t mappings, uint64_t seed, board_rights rights,
                      void *user)
{
    static const vl_backend_ops ops = {.open = open_it,
                                       .close = close_it,
                                       .set_policy = set_policy,
                                       .set_window = set_window,
                                       .write = host_write,
                                       .read = host_read,
                                       .fill = host_fill,
                                       .set_reconv = set_reconv,
                                       .run = run,
                                       .run_jobs = run_jobs,
                                       .counters = counters,
                                       .use_store = use_store,
                                       .set_root = set_root,
                                       .invalidate = host_invalidate};
    vl_memory options;
    vl_error err;
    vl_config config;
    vl_device *d;
    char *root = vl_find_root(NULL);
    b = (struct board){.r = {seed}, .rights = rights, .user = user, .most_shown = mappings};
    b.shown = calloc(mappings + 1, sizeof *b.shown);
    if (!root || vl_memory_parse(&options, memory, &err) || vl_config_load(&config, root, "small", &err))
        fail_msg("%s", root ? err.text : "no source tree");
    b.demand = options.mode == VL_DEMAND, b.disturbed = options.disturb,
    b.limit = options.mode == VL_DEMAND ? options.frames : 0;
    b.fifo = b.demand && options.fifo;
    for (size_t i = 0; i < config.n; i++)
        if (!strcmp(config.values[i].key, "memory_bytes"))
            config.values[i].value = (int64_t)(frames * VL_PAGE);
    if (vl_open_memory(&d, "board", root, &config, &(vl_backend){.ops = &ops}, 0, &options, &err))
        fail_msg("%s", err.text);
    vl_config_free(&config);
    free(root);
    b.d = d;
    load_image(d);
    return d;
}
