/* See judge_pages.h.
 *
 * The time at which a core has read the PTE of a translation that it uses is not visible: it may be as old as the last shootdown that covers the translation and has been acknowledged. So every
 * value of the PTE counts that the core was answered with since that shootdown was asked for, each level by itself, and an access is right if some choice of
 * them gives its frame. Mostly there is one value a level. The choice also gives the size of the page and whether it is global, and so which shootdowns cover it.
 */
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include <stdlib.h>
#include <string.h>

enum { KNOWN = 1024 };

typedef struct {
    /* key: page, use, core; stamp: state of reads and shootdowns for which the answer holds */
    uint64_t key, ppn, stamp;
} known_t;

struct judge_pages {
    root_t root[CORES];
    bool reading;  /* the host reads whether a shootdown is acknowledged */
    uint64_t page, cores; /* INV_PAGE, INV_CORES */
    uint64_t stamp;
    known_t known[KNOWN]; /* a cache of answers that were found legal */
};

judge_pages_t *judge_pages_new(void)
{
    return calloc(1, sizeof(judge_pages_t));
}

void judge_pages_free(judge_pages_t *p)
{
    free(p);
}

void judge_pages_begin(judge_t *j)
{
    /* after a shootdown of everything no earlier read counts; otherwise reads stay, since TLBs outlive a kernel */
    if (judge_shots_all(j) > judge_reads_epoch(j)) {
        judge_shots_forget(j);
        judge_reads_forget(j);
    }
    j->pages->stamp++;
}

bool judge_sv48(const judge_t *j, unsigned core)
{
    return j->pages->root[core].sv48;
}

const root_t *judge_root(const judge_t *j, unsigned core)
{
    return &j->pages->root[core];
}

uint64_t judge_pages_stamp(const judge_t *j)
{
    return j->pages->stamp;
}

void judge_pages_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    judge_pages_t *p = j->pages;
    if (p->reading && o->ctl_rsp_valid) {
        p->reading = false;
        if (judge_shots_pending(j) && !reg_inv_read_get(o->ctl_rsp.data).busy) {
            judge_shots_acknowledge(j);
            p->stamp++;
        }
    }
    if (!in->ctl_req_valid || !o->ctl_req_ready)
        return;
    const unsigned addr = in->ctl_req.addr & ~7u;
    const uint64_t d = in->ctl_req.data;
    if (!in->ctl_req.write) {
        p->reading = addr == REG_INV;
    } else if (addr >= REG_ROOT && addr < REG_ROOT + REG_CORE_STRIDE * CORES) {
        const reg_root_t r = reg_root_get(d);
        p->root[(addr - REG_ROOT) / REG_CORE_STRIDE] = (root_t){.sv48 = r.sv48, .asid = r.asid, .ppn = r.ppn};
        p->stamp++;
    } else if (addr == REG_INV_PAGE) {
        p->page = reg_inv_page_get(d).vpn;
    } else if (addr == REG_INV_CORES) {
        p->cores = d & JUDGE_ALL_CORES;
    } else if (addr == REG_INV && reg_inv_get(d).scope <= INV_PAGE) {
        const reg_inv_t r = reg_inv_get(d);
        const uint64_t cores = SHARED_WALKER && r.some ? p->cores : JUDGE_ALL_CORES;
        if (cores && judge_shots_pending(j))
            judge_waive(j, WAIVED_SHOOTDOWNS);
        else if (cores)
            judge_shots_ask(j, &(inv_t){.scope = r.scope, .asid = r.asid, .vpn = p->page}, cores);
    }
}

/* ---- every translation that may be ---------------------------------------------------------------------------------- */

typedef struct {
    const judge_t *j;
    const asked_t *a;
    uint64_t since; /* PTEs read since this epoch count */
    unsigned level, choice[REF_LEVELS], values[REF_LEVELS]; /* in the order of the walk, from the root on */
    bool unread; /* the choice needs a PTE that the core has not read */
    uint64_t value,
        answered; /* of the last PTE of the choice: its value, and the time of the last read with this value */
} search_t;

/* Have the contents a value that differs from those of all before? */
static bool fresh(const search_t *s, unsigned first, const content_t *c, unsigned at)
{
    for (unsigned k = first; k && judge_content(s->j, k) != c; k = judge_content(s->j, k)->next)
        if (!memcmp(judge_content(s->j, k)->data + at, c->data + at, 8)
            && judge_read_between(s->j, judge_content(s->j, k), s->since, s->a->until)
            && (judge_reads_kept(s->j) || judge_content(s->j, k)->answered > s->a->after))
            return false;
    return true;
}

/* When the reader was answered with that value last. */
static uint64_t last_read(const search_t *s, unsigned first, unsigned at, uint64_t value)
{
    uint64_t last = 0;
    for (unsigned k = first; k; k = judge_content(s->j, k)->next) {
        const content_t *c = judge_content(s->j, k);
        if (!memcmp(c->data + at, &value, 8) && c->answered > last)
            last = c->answered;
    }
    return last;
}

/* A failure that is older than the access in question: such a PTE is kept nowhere. (A leaf that does not allow one access may be kept for another one by a walk cache; a core keeps none.) */
static bool too_old(const search_t *s, const ref_translation *t)
{
    enum { V = 1, RX = 2 | 8 };
    const bool leaf = SHARED_WALKER && s->value & V && s->value & RX;
    return judge_reads_kept(s->j) && t->verdict == REF_PAGE_FAULT && !leaf && s->answered <= s->a->after && s->a->after;
}

static uint64_t read_choice(void *user, uint64_t addr)
{
    search_t *s = user;
    const unsigned level = s->level++, at = addr % LINE_BYTES, core = s->a->core,
                   reader = SHARED_WALKER ? judge_root(s->j, core)->asid : core,
                   first = judge_contents(s->j, reader, READ_TABLE, addr / LINE_BYTES);
    uint64_t value = 0;
    unsigned n = 0;
    for (unsigned k = first; k; k = judge_content(s->j, k)->next) {
        const content_t *c = judge_content(s->j, k);
        if (!judge_read_between(s->j, c, s->since, s->a->until)
            || (!judge_reads_kept(s->j) && c->answered <= s->a->after) || !fresh(s, first, c, at))
            continue;
        if (n++ == s->choice[level])
            memcpy(&value, c->data + at, 8);
    }
    s->value = value;
    s->answered = judge_reads_kept(s->j) && s->a->after ? last_read(s, first, at, value) : 0;
    s->values[level] = n;
    s->unread |= !n;
    return value;
}

/* The next choice of values; false when all have been tried. */
static bool next_choice(search_t *s)
{
    for (unsigned k = s->level; k-- > 0;) {
        if (++s->choice[k] < s->values[k])
            return true;
        s->choice[k] = 0;
    }
    return false;
}

uint64_t judge_covering(const judge_t *j, const asked_t *a, const ref_translation *t)
{
    const bool leaf = t && t->verdict == REF_TRANSLATED;
    const covered_t c = {.core = a->core,
                         .vpn = a->va >> 12 & ((1ull << VPN_W) - 1),
                         .asid = judge_root(j, a->core)->asid,
                         .level = leaf ? t->level : 0,
                         .global = leaf && t->global};
    return a->old ? 0 : judge_shot_of(j, &c, a->shot);
}

bool judge_some_translation(const judge_t *j, const asked_t *a, bool (*right)(const ref_translation *t, void *with),
                            void *with)
{
    const ref_space space = {.root = j->pages->root[a->core].ppn, .base = j->base, .limit = j->limit};
    /* From when on PTEs count depends on the shootdowns that cover their translation, and so on their values. So the search tries a time; a translation found is right if no newer shootdown covers it, and otherwise that shootdown's time is tried next. */
    enum { TIMES = 2 + 2 * REF_LEVELS };
    const ref_translation global = {.verdict = REF_TRANSLATED, .global = true};
    uint64_t since[TIMES] = {judge_covering(j, a, NULL), judge_covering(j, a, &global)};
    unsigned times = since[0] == since[1] ? 1 : 2;
    for (unsigned k = 0; k < times; k++) {
        search_t s = {.j = j, .a = a, .since = since[k]};
        do {
            s.level = 0;
            s.unread = false;
            const ref_translation t = ref_translate(&space, a->va, a->use, read_choice, &s);
            if (s.unread || too_old(&s, &t) || !right(&t, with))
                continue;
            const uint64_t covering = judge_covering(j, a, &t);
            bool tried = false;
            for (unsigned n = 0; n < times; n++)
                tried |= since[n] == covering;
            if (covering <= since[k])
                return true;
            if (!tried)
                since[times++] = covering;
        } while (next_choice(&s));
    }
    return false;
}

static bool has_frame(const ref_translation *t, void *with)
{
    return t->verdict == REF_TRANSLATED && t->pa >> 12 == *(const uint64_t *)with;
}

bool judge_frame_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, uint64_t ppn)
{
    if (!judge_sv48(j, core))
        return va >> 12 == ppn;
    judge_pages_t *p = j->pages;
    const uint64_t key = ((va >> 12) * 4 + use) * CORES + core;
    known_t *k = &p->known[(key * 0x9e3779b97f4a7c15u) >> 54];
    if (k->stamp == p->stamp && k->key == key && k->ppn == ppn)
        return true;
    const asked_t a = {.core = core, .va = va, .use = use, .shot = UINT64_MAX, .until = UINT64_MAX};
    if (!judge_some_translation(j, &a, has_frame, &ppn))
        return false;
    *k = (known_t){.key = key, .ppn = ppn, .stamp = p->stamp};
    return true;
}

static bool has_verdict(const ref_translation *t, void *with)
{
    return t->verdict == *(const ref_verdict *)with;
}

bool judge_fault_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, ref_verdict verdict, uint64_t shot,
                       uint64_t after)
{
    const asked_t a = {.core = core, .va = va, .use = use, .shot = shot, .after = after, .until = UINT64_MAX};
    return judge_some_translation(j, &a, has_verdict, &verdict);
}
