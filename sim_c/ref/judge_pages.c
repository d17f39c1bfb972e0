/* The judge's view of address translation (judge_state.h): which frame a page may be found in.
 *
 * Nothing says when a core has read a PTE whose translation it uses: it may be as old as the last shootdown that covers the page and has been acknowledged. So every value that
 * the PTE has held since that shootdown was asked for counts, each level by itself, and an access is right if some choice of them gives its frame. Mostly there is one value a level.
 * What is read of the tables on the way is checked elsewhere: every read is answered with what memory holds (judge_requests.c).
 */
#include "sim_c/ref/judge_state.h"
#include <stdlib.h>
#include <string.h>

enum { SHOTS = 256, KNOWN = 1024, WORDS = 1 << 14, MOST_VALUES = 16 };

/* A shootdown. */
typedef struct {
    uint64_t vpn, since, acknowledged; /* since: writes performed when it was asked for; acknowledged: in this cycle */
    uint16_t asid;
    uint8_t scope;
} shot_t;

typedef struct {
    uint64_t key, ppn, stamp; /* key: page, use, core; stamp: of the tables as they were */
} known_t;

struct judge_pages {
    root_t root[CORES];
    /* shootdowns: writes performed when they were asked for */
    uint64_t all, asid[CORES]; /* asid: of the core's */
    shot_t shot[SHOTS];        /* of every scope, the newest over the oldest */
    unsigned shots, pages;     /* pages: of single ones among them */
    bool asked, reading;       /* one is not acknowledged; the host reads whether it is */
    uint64_t asked_at, page;
    inv_t inv;
    /* what has been found legal since something last changed */
    uint64_t stamp;
    known_t known[KNOWN];
    struct { uint64_t pc, root; uint32_t word; bool valid; } word[WORDS]; /* executed, where it still was to be found */
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
    judge_pages_t *p = j->pages;
    p->all = 0;
    memset(p->asid, 0, sizeof p->asid);
    p->shots = p->pages = 0;
    p->stamp++;
    memset(p->word, 0, sizeof p->word);
}

void judge_pages_written(judge_t *j)
{
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

static void acknowledged(judge_pages_t *p, uint64_t cycle)
{
    shot_t *shot = &p->shot[p->shots++ % SHOTS];
    p->pages -= p->shots > SHOTS && shot->scope == INV_PAGE;
    *shot = (shot_t){.vpn = p->inv.vpn, .since = p->asked_at, .acknowledged = cycle, .asid = p->inv.asid, .scope = p->inv.scope};
    p->asked = false;
    p->stamp++;
    switch (p->inv.scope) {
    case INV_ALL: p->all = p->asked_at; break;
    case INV_ASID: /* global leaves stay, and libvellum makes none: they would have to be told apart here */
        for (unsigned c = 0; c < CORES; c++)
            if (p->root[c].asid == p->inv.asid)
                p->asid[c] = p->asked_at;
        break;
    default: p->pages++;
    }
}

void judge_pages_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    judge_pages_t *p = j->pages;
    if (p->reading && o->ctl_rsp_valid) {
        p->reading = false;
        if (p->asked && !reg_inv_read_get(o->ctl_rsp.data).busy)
            acknowledged(p, j->cycle);
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
    } else if (addr == REG_INV && reg_inv_get(d).scope <= INV_PAGE && !p->asked) {
        p->asked = true;
        p->asked_at = versions_count(j->performed);
        p->inv = (inv_t){.scope = reg_inv_get(d).scope, .asid = reg_inv_get(d).asid, .vpn = p->page};
    }
}

/* ---- every translation that may be -------------------------------------------------------------------------------------- */

/* Of a page, PTEs may be as old as this. (A shootdown by page does not tell how large the page was: of other pages of it nothing is concluded.) */
static uint64_t oldest_of(const judge_pages_t *p, unsigned core, uint64_t va)
{
    const uint64_t vpn = va >> 12 & ((1ull << VPN_W) - 1);
    uint64_t since = p->all > p->asid[core] ? p->all : p->asid[core];
    for (unsigned k = 0; p->pages && k < SHOTS && k < p->shots; k++)
        if (p->shot[k].scope == INV_PAGE && p->shot[k].vpn == vpn && p->shot[k].asid == p->root[core].asid && p->shot[k].since > since)
            since = p->shot[k].since;
    return since;
}

/* The same for what came about in that cycle or later. */
static uint64_t oldest_at(const judge_pages_t *p, unsigned core, uint64_t va, uint64_t cycle)
{
    const uint64_t vpn = va >> 12 & ((1ull << VPN_W) - 1);
    uint64_t since = 0;
    for (unsigned k = 0; k < SHOTS && k < p->shots; k++) {
        const shot_t *s = &p->shot[k];
        bool covers = s->scope == INV_ALL || (s->asid == p->root[core].asid && (s->scope == INV_ASID || s->vpn == vpn));
        if (covers && s->acknowledged <= cycle && s->since > since)
            since = s->since;
    }
    return since;
}

typedef struct {
    judge_t *j;
    uint64_t since;
    unsigned level, choice[REF_LEVELS], values[REF_LEVELS];
    bool lost; /* older values are no longer known */
} search_t;

static uint64_t read_choice(void *user, uint64_t addr)
{
    search_t *s = user;
    uint64_t value[MOST_VALUES];
    unsigned n = 1, level = s->level++;
    (void)ref_mem_read(s->j->coherence, addr, &value[0], 8);
    version_walk_t walk = versions_of(s->j->performed, addr);
    const version_t *v;
    while ((v = versions_walk(&walk)) && walk.at > s->since) {
        bool known = false;
        for (unsigned k = 0; k < n; k++)
            known |= value[k] == v->old;
        if (!known && n < MOST_VALUES)
            value[n++] = v->old;
        s->lost |= n == MOST_VALUES;
    }
    s->lost |= walk.lost;
    s->values[level] = n;
    return value[s->choice[level] < n ? s->choice[level] : 0];
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

/* Goes through all translations of va by PTEs that are as old as the write `since`; stops where `right` says so. */
static bool some_translation(judge_t *j, unsigned core, uint64_t va, ref_use use, uint64_t since, bool (*right)(const ref_translation *t, void *with), void *with)
{
    const ref_space space = {.root = j->pages->root[core].ppn, .base = j->base, .limit = j->limit};
    search_t s = {.j = j, .since = since};
    do {
        s.level = 0;
        ref_translation t = ref_translate(&space, va, use, read_choice, &s);
        if (right(&t, with))
            return true;
    } while (next_choice(&s));
    j->unknown += s.lost;
    return s.lost;
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
    uint64_t key = ((va >> 12) * 4 + use) * CORES + core;
    known_t *k = &p->known[(key * 0x9e3779b97f4a7c15u) >> 54];
    if (k->stamp == p->stamp && k->key == key && k->ppn == ppn)
        return true;
    if (!some_translation(j, core, va, use, oldest_of(p, core, va), has_frame, &ppn))
        return false;
    *k = (known_t){.key = key, .ppn = ppn, .stamp = p->stamp};
    return true;
}

static bool has_verdict(const ref_translation *t, void *with)
{
    return t->verdict == *(const ref_verdict *)with;
}

bool judge_fault_legal(judge_t *j, unsigned core, uint64_t va, ref_use use, ref_verdict verdict, uint64_t cycle, uint64_t since)
{
    const uint64_t shot = oldest_at(j->pages, core, va, cycle);
    return some_translation(j, core, va, use, shot > since ? shot : since, has_verdict, &verdict);
}

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

typedef struct {
    judge_t *j;
    uint32_t word, there;
    bool found;
} fetch_t;

static bool has_word(const ref_translation *t, void *with)
{
    fetch_t *f = with;
    if (t->verdict != REF_TRANSLATED)
        return false;
    f->found = true;
    (void)ref_mem_read(f->j->order, t->pa, &f->there, 4);
    return f->there == f->word;
}

bool judge_word_legal(judge_t *j, unsigned core, uint64_t pc, uint32_t word, uint32_t *there)
{
    *there = 0;
    if (!judge_sv48(j, core)) {
        if (pc < j->base || pc >= j->limit)
            return false;
        (void)ref_mem_read(j->order, pc, there, 4);
        return *there == word;
    }
    judge_pages_t *p = j->pages;
    fetch_t f = {.j = j, .word = word};
    unsigned at = pc / 4 % WORDS;
    const uint64_t root = p->root[core].ppn;
    if (p->word[at].valid && p->word[at].pc == pc && p->word[at].root == root) { /* code does not change while a kernel runs */
        *there = p->word[at].word;
        return *there == word;
    }
    bool right = some_translation(j, core, pc, REF_USE_FETCH, oldest_of(p, core, pc), has_word, &f);
    *there = f.there;
    if (right && f.found) {
        p->word[at].valid = true;
        p->word[at].pc = pc;
        p->word[at].root = root;
        p->word[at].word = word;
    }
    if (!right && !f.found) { /* its page has gone since it was fetched */
        j->unknown++;
        return true;
    }
    return right;
}
