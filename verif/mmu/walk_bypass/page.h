/* The page of walk_bypass (docs/blocks/walk_bypass.md) as a program: the counts of a sample, and a comparison as four verdicts with the edges at which they are there. Events of an edge are
 * noted for the bench's coverage. */
#ifndef VERIF_MMU_WALK_BYPASS_PAGE_H
#define VERIF_MMU_WALK_BYPASS_PAGE_H
#include "verif/common/scoreboard.h"
#include "walk_bypass_ports.h"

enum {
    NOTE_ALONE, /* by level: it alone is bypassed; all others are */
    NOTE_BUT = NOTE_ALONE + 4,
    NOTE_ALL = NOTE_BUT + 4,
    NOTE_NONE,
    NOTE_EQUAL,
    NOTE_JUST_LESS,
    NOTE_JUST_MORE,
    NOTE_RATE_0,
    NOTE_RATE_1,
    NOTE_DATA_0,
    NOTE_DATA_1,
    NOTE_NO_LEVEL, /* nothing of a class: as before */
    NOTE_NO_LEVEL_KEPT,
    NOTE_NO_DATA,
    NOTE_NO_DATA_KEPT,
    NOTE_HALVED,
    NOTE_HALVED_WALK, /* since a walk's class is full */
    NOTE_HALVED_ODD,
    NOTE_HALVED_LOOK,
    NOTE_MOST,
    NOTE_HIGH_CLASS,
    NOTE_SLICES,
    NOTE_SLICES_CLASS,
    NOTE_LAST_EDGE,
    NOTE_AFTER,
    NOTE_BEFORE,
    NOTE_EPOCH_LOOK,
    NOTE_WITHIN_SAMPLE,
    NOTE_AT_SAMPLE_END,
    NOTE_WITHIN, /* the comparison, by class */
    NOTE_AT_VERDICT = NOTE_WITHIN + 4,
    NOTE_SAMPLE_0 = NOTE_AT_VERDICT + 4,
    NOTE_SAMPLE_1,
    NOTE_SAMPLE_BELOW_1,
    NOTE_LONG,
    NOTE_OFF,
    NOTE_OFF_DECIDED,
    NOTE_ON,
    NOTE_BACK, /* a level that was bypassed no longer is */
    NOTE_AGAIN,
    NOTE_NEXT,
    NOTE_IDLE,
    NOTES
};

enum { CLASSES = 5, BITS = 16, DATA = 0 };

typedef struct {
    uint32_t access[CLASSES], hits[CLASSES];
    uint64_t left;
    bool decided[CLASSES];
    unsigned judge; /* class of the next verdict; 0: none */
    uint64_t due, now;
    bool was_on, was_epoch, rests, began;
    unsigned shown;
    bool did[NOTES];
    walk_bypass_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static unsigned page_decided(const page_t *p)
{
    unsigned set = 0;
    for (unsigned c = 1; c < CLASSES; c++)
        set |= (unsigned)p->decided[c] << (c - 1);
    return set;
}

static void page_note_looks(page_t *p, const walk_bypass_in_t *in)
{
    unsigned n[8] = {0}, all = 0;
    for (unsigned k = 0; k < SLICES; k++)
        if (in->l2[k].l2_access) {
            p->did[NOTE_SLICES_CLASS] |= n[in->l2[k].l2_cls]++ != 0;
            all++;
        }
    p->did[NOTE_SLICES] = all == SLICES;
    p->did[NOTE_EPOCH_LOOK] = in->epoch && all;
    p->did[NOTE_AFTER] = !p->left && all && p->began && !in->epoch;
    p->did[NOTE_BEFORE] = all && !p->began && !in->epoch;
}

/* 2. */
static void page_sample(page_t *p, const walk_bypass_in_t *in)
{
    bool full = false, odd = false;
    for (unsigned c = 0; c < CLASSES; c++) {
        full |= p->access[c] >= 1u << (BITS - 1);
        odd |= p->access[c] & 1 && p->hits[c] & 1;
        p->did[NOTE_HALVED_WALK] |= c && p->access[c] >= 1u << (BITS - 1) && p->access[DATA] < 1u << (BITS - 1);
    }
    p->did[NOTE_HALVED] = full;
    p->did[NOTE_HALVED_ODD] = full && odd;
    for (unsigned c = 0; full && c < CLASSES; c++) {
        p->access[c] /= 2;
        p->hits[c] /= 2;
    }
    for (unsigned k = 0; k < SLICES; k++) {
        const unsigned c = in->l2[k].l2_cls;
        if (!in->l2[k].l2_access)
            continue;
        p->did[NOTE_HALVED_LOOK] |= full;
        p->did[NOTE_HIGH_CLASS] |= c >= CLASSES;
        p->did[NOTE_LAST_EDGE] |= p->left == 1 && c < CLASSES;
        if (c >= CLASSES)
            continue;
        p->access[c]++;
        p->hits[c] += in->l2[k].l2_hit;
        p->did[NOTE_MOST] |= p->access[c] == 1u << (BITS - 1);
    }
    if (--p->left)
        return;
    p->judge = 1;
    p->due = p->now + BITS;
}

/* 3: the verdict of a class, as one looks at two quotients. */
static void page_verdict(page_t *p, unsigned c)
{
    const uint64_t level = (uint64_t)p->hits[c] * p->access[DATA], data = (uint64_t)p->hits[DATA] * p->access[c];
    const bool was = p->decided[c];
    if (!p->access[c] || !p->access[DATA]) {
        p->did[NOTE_NO_LEVEL] |= !p->access[c];
        p->did[NOTE_NO_DATA] |= !p->access[DATA];
        p->did[NOTE_NO_LEVEL_KEPT] |= !p->access[c] && p->access[DATA] && was;
        p->did[NOTE_NO_DATA_KEPT] |= !p->access[DATA] && p->access[c] && was;
        return;
    }
    p->decided[c] = level < data;
    p->did[NOTE_EQUAL] |= level == data && level;
    p->did[NOTE_JUST_LESS] |= level < data && level + p->access[DATA] >= data && level;
    p->did[NOTE_JUST_MORE] |= level > data && data + p->access[DATA] >= level && data;
    p->did[NOTE_RATE_0] |= !p->hits[c];
    p->did[NOTE_RATE_1] |= p->hits[c] == p->access[c];
    p->did[NOTE_DATA_0] |= !p->hits[DATA];
    p->did[NOTE_DATA_1] |= p->hits[DATA] == p->access[DATA];
    p->did[NOTE_BACK] |= was && !p->decided[c];
    p->did[NOTE_AGAIN] |= was && p->decided[c];
}

static void page_epoch(page_t *p, const walk_bypass_in_t *in)
{
    const uint64_t sample = in->epoch_cycles >> in->policy.sample;
    p->did[NOTE_WITHIN_SAMPLE] = p->left > 1;
    p->did[NOTE_AT_SAMPLE_END] = p->left == 1;
    if (p->judge) {
        p->did[NOTE_WITHIN + p->judge - 1] |= p->now < p->due;
        p->did[NOTE_AT_VERDICT + p->judge - 1] |= p->now == p->due;
    }
    p->did[NOTE_SAMPLE_0] = in->policy.sample == 0;
    p->did[NOTE_SAMPLE_1] = sample == 1;
    p->did[NOTE_SAMPLE_BELOW_1] = sample == 0;
    p->did[NOTE_LONG] = sample > 1u << 15;
    p->did[NOTE_NEXT] = p->was_epoch;
    memset(p->access, 0, sizeof p->access);
    memset(p->hits, 0, sizeof p->hits);
    p->left = sample ? sample : 1;
    p->judge = 0;
    p->began = true;
}

/* The numbered edge. */
static void page_expect(page_t *p, const walk_bypass_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    page_note_looks(p, in);
    const bool quiet = !p->left && !p->judge && !in->epoch;
    const unsigned decided = page_decided(p), shown = in->policy.on && quiet ? decided : 0;
    p->out.ev.bypass_decided = false;
    if (in->epoch) {
        page_epoch(p, in);
    } else if (p->left) {
        page_sample(p, in);
    } else if (p->judge && p->now == p->due) {
        page_verdict(p, p->judge);
        p->due = p->now + BITS;
        p->judge = (p->judge + 1) % CLASSES;
        p->out.ev.bypass_decided = !p->judge;
    }
    p->out.bypass = (uint8_t)shown;
    p->out.ev.bypass_l3 = shown & 1;
    p->out.ev.bypass_l2 = shown >> 1 & 1;
    p->out.ev.bypass_l1 = shown >> 2 & 1;
    p->out.ev.bypass_l0 = shown >> 3 & 1;
    for (unsigned l = 0; l < 4; l++) {
        p->did[NOTE_ALONE + l] = shown == 1u << l;
        p->did[NOTE_BUT + l] = shown == (15u ^ 1u << l);
    }
    p->did[NOTE_ALL] = shown == 15;
    p->did[NOTE_NONE] = quiet && in->policy.on && !decided && p->began;
    p->did[NOTE_OFF] = !in->policy.on && p->shown;
    p->did[NOTE_OFF_DECIDED] = !in->policy.on && p->out.ev.bypass_decided;
    p->did[NOTE_ON] = in->policy.on && !p->was_on && shown;
    p->did[NOTE_IDLE] = quiet && !p->rests;
    p->rests = quiet;
    p->shown = shown;
    p->was_on = in->policy.on;
    p->was_epoch = in->epoch;
    p->now++;
}
#endif
