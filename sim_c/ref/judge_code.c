/* See judge_code.h.
 *
 * The instruction cache holds the answers to the core's reads of lines of code (judge_reads.c). Such a line may be used for a pc
 *   - from the start of the kernel on, and not longer than until the acknowledgement of a shootdown that covers the pc's page: it must have been asked for later than
 *     that shootdown;
 *   - if a translation for instruction fetch (X, U, A and all) gives it, by PTEs that the core had read when it asked for the line, since that shootdown as well.
 * The word at a pc is mostly the same before and after its page has moved, so its value alone proves little; it is the read that is judged. Instructions in a warp's
 * buffer were fetched before, and are executed (docs/translation.md, Shootdown).
 */
#include "sim_c/ref/judge_code.h"
#include "sim_c/ref/judge_faults.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1024 }; /* that are known, a core */
#define PC_MASK ((1ull << PA_W) - 1)

/* A warp's instruction buffer. */
typedef struct {
    uint64_t pc;      /* of the next word that is fetched */
    unsigned head, n; /* oldest, number */
    struct {
        uint32_t word;
        bool fault;
    } at[IBUF_DEPTH];
} buffer_t;

/* Contents that may be used for a line of pcs: found out at `stamp`. */
typedef struct {
    uint64_t line, stamp;
    unsigned content; /* number; 0: none */
} known_t;

struct judge_code {
    buffer_t buffer[CORES][WARPS];
    known_t known[CORES][LINES];
    uint64_t begin[CORES]; /* cycle in which the kernel of the core begins */
};

judge_code_t *judge_code_new(void)
{
    return calloc(1, sizeof(judge_code_t));
}

void judge_code_free(judge_code_t *c)
{
    free(c);
}

void judge_code_begin(judge_t *j)
{
    memset(j->code, 0, sizeof *j->code);
    for (unsigned c = 0; c < CORES; c++)
        j->code->begin[c] = j->cycle;
}

void judge_code_again(judge_t *j, uint64_t cores)
{
    judge_code_t *s = j->code;
    for (unsigned c = 0; c < CORES; c++)
        if (cores >> c & 1) {
            memset(s->buffer[c], 0, sizeof s->buffer[c]);
            memset(s->known[c], 0, sizeof s->known[c]);
            s->begin[c] = j->cycle;
        }
}

/* ---- which contents may be used ------------------------------------------------------------------------------------- */

typedef struct {
    judge_t *j;
    asked_t a;
    const uint32_t *word; /* the words that must be in the line */
    unsigned n;
    uint64_t line; /* physical */
    unsigned content; /* number of the content that was found */
    bool translated; /* some translation permits the fetch */
    uint32_t there; /* the first word that differs in the line of that translation, and its index */
    unsigned at;
    uint64_t frame;
    uint64_t before; /* cycle in which the line was read before the kernel began; 0: it was not */
    uint64_t covering; /* newest shootdown that covers a translation that was tried */
} fetch_t;

/* Has the line those words, and was it read since the kernel began? */
static bool has_words(fetch_t *f, const content_t *c)
{
    const uint8_t *there = c->data + f->a.va % LINE_BYTES;
    const bool same = !memcmp(there, f->word, 4 * f->n);
    if (same && c->asked < f->j->code->begin[f->a.core])
        f->before = c->asked;
    if (same)
        return c->asked >= f->j->code->begin[f->a.core];
    for (f->at = 0; !memcmp(there + 4 * f->at, &f->word[f->at], 4);)
        f->at++;
    memcpy(&f->there, there + 4 * f->at, 4);
    return false;
}

/* Did a translation of before the line was asked for give it? */
static bool gives_line(const ref_translation *t, void *with)
{
    return t->verdict == REF_TRANSLATED && t->pa / LINE_BYTES == ((const fetch_t *)with)->line;
}

/* Is there a line where this translation leads, with those words, that may be used? */
static bool leads_to_words(const ref_translation *t, void *with)
{
    fetch_t *f = with;
    if (t->verdict != REF_TRANSLATED)
        return false;
    f->translated = true;
    f->frame = t->pa >> 12;
    f->line = t->pa / LINE_BYTES;
    const uint64_t covering = judge_covering(f->j, &f->a, t);
    f->covering = covering > f->covering ? covering : f->covering;
    for (unsigned k = judge_contents(f->j, f->a.core, READ_CODE, f->line); k; k = judge_content(f->j, k)->next) {
        const content_t *c = judge_content(f->j, k);
        if (!has_words(f, c))
            continue;
        asked_t then = f->a;
        then.until = c->asked;
        if (f->a.old
            || judge_some_translation(f->j, &then, gives_line,
                                      f)) { /* then the line, like the PTEs, was asked for after the shootdown */
            f->content = k;
            return true;
        }
    }
    return false;
}

/* Bare: the line of the pc itself. */
static void find_bare(fetch_t *f)
{
    f->line = f->a.va / LINE_BYTES;
    f->frame = f->a.va >> 12;
    f->translated = f->a.va >= f->j->base && f->a.va < f->j->limit;
    for (unsigned k = f->translated ? judge_contents(f->j, f->a.core, READ_CODE, f->line) : 0; k && !f->content;
         k = judge_content(f->j, k)->next)
        if (has_words(f, judge_content(f->j, k)))
            f->content = k;
}

/* ---- errors -------------------------------------------------------------------------------------------------------- */

/* The shootdown in words. */
static void describe(const judge_t *j, uint64_t number, char *text, size_t size)
{
    if (!number) {
        snprintf(text, size, "the page was never shot down");
        return;
    }
    const shot_t *s = judge_shot(j, number);
    char what[64], cores[40] = "";
    if (s->cores != JUDGE_ALL_CORES)
        snprintf(cores, sizeof cores, " in cores 0x%" PRIx64, s->cores);
    if (s->inv.scope == INV_PAGE)
        snprintf(what, sizeof what, "of page 0x%" PRIx64 " of address space %u", (uint64_t)s->inv.vpn, s->inv.asid);
    else if (s->inv.scope == INV_ASID)
        snprintf(what, sizeof what, "of address space %u", s->inv.asid);
    else
        snprintf(what, sizeof what, "of everything");
    snprintf(text, size, "the shootdown %s%s, requested in cycle %" PRIu64 " and acknowledged in %" PRIu64, what, cores,
             s->asked, s->acknowledged);
}

static void report_words(judge_t *j, unsigned core, unsigned warp, fetch_t *f)
{
    const uint64_t unmade = judge_sv48(j, core) ? judge_covering(j, &f->a, NULL) : 0,
                   covering = f->covering > unmade ? f->covering : unmade;
    const bool translated = f->translated;
    fetch_t old = *f;
    char text[96], shot[200];
    old.a.old = true;
    describe(j, covering, shot, sizeof shot);
    if (covering && judge_some_translation(j, &old.a, leads_to_words, &old)) {
        const content_t *c = judge_content(j, old.content);
        isa_disasm(f->word[0], f->a.va, text, sizeof text);
        for (char *p = text; *p; p++)
            if (*p == '\t')
                *p = ' ';
        if (c->epoch < covering)
            judge_differ(j, core, warp, NULL,
                         "instruction side: 0x%08x (%s) is fetched at pc 0x%" PRIx64 ", page 0x%" PRIx64
                         ", from a line last read in cycle %" PRIu64 ", before %s",
                         f->word[0], text, f->a.va, f->a.va >> 12, c->asked, shot);
        else
            judge_differ(j, core, warp, NULL,
                         "instruction side: 0x%08x (%s) is fetched at pc 0x%" PRIx64 ", page 0x%" PRIx64
                         ", from frame 0x%" PRIx64 " by a translation from before %s",
                         f->word[0], text, f->a.va, f->a.va >> 12, old.frame, shot);
        return;
    }
    if (f->before)
        f->at = 0;
    const uint64_t pc = f->a.va + 4 * f->at;
    isa_disasm(f->word[f->at], pc, text, sizeof text);
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    if (f->before)
        judge_differ(j, core, warp, NULL,
                     "instruction side: 0x%08x (%s) is fetched at pc 0x%" PRIx64 ", page 0x%" PRIx64
                     ", from a line last read in cycle %" PRIu64 ", before the kernel began",
                     f->word[f->at], text, pc, pc >> 12, f->before);
    else if (translated)
        judge_differ(j, core, warp, NULL,
                     "instruction side: 0x%08x (%s) is fetched at pc 0x%" PRIx64 ", page 0x%" PRIx64
                     "; the line that was read has 0x%08x there (%s)",
                     f->word[f->at], text, pc, pc >> 12, f->there, shot);
    else
        judge_differ(j, core, warp, NULL,
                     "instruction side: 0x%08x (%s) is fetched at pc 0x%" PRIx64 ", page 0x%" PRIx64
                     ", which may not be executed (%s)",
                     f->word[f->at], text, pc, pc >> 12, shot);
}

/* ---- events --------------------------------------------------------------------------------------------------------- */

static void check_words(judge_t *j, unsigned core, const push_t *p, uint64_t pc)
{
    known_t *k = &j->code->known[core][pc / LINE_BYTES % LINES];
    fetch_t f = {.j = j,
                 .a = {.core = core, .va = pc, .use = REF_USE_FETCH, .shot = UINT64_MAX, .until = UINT64_MAX},
                 .word = p->instr,
                 .n = p->n};
    if (k->content && k->line == pc / LINE_BYTES && k->stamp == judge_pages_stamp(j)
        && has_words(&f, judge_content(j, k->content)))
        return;
    if (judge_sv48(j, core))
        (void)judge_some_translation(j, &f.a, leads_to_words, &f);
    else
        find_bare(&f);
    if (!f.content) {
        report_words(j, core, p->warp, &f);
        return;
    }
    *k = (known_t){.line = pc / LINE_BYTES, .stamp = judge_pages_stamp(j), .content = f.content};
}

/* Threads that come there cannot go on. */
static void check_fault(judge_t *j, unsigned core, const push_t *p, uint64_t pc)
{
    const bool page = p->instr[0] & 1;
    const bool right =
        !judge_sv48(j, core)
            ? !page && (pc < j->base || pc >= j->limit)
            : judge_fault_legal(j, core, pc, REF_USE_FETCH, page ? REF_PAGE_FAULT : REF_ACCESS_FAULT, UINT64_MAX, 0);
    if (!right)
        judge_differ(j, core, p->warp, NULL,
                     "instruction side: a fetch %s fault at pc 0x%" PRIx64 ", where a fetch is legal",
                     page ? "page" : "access", pc);
    else if (page && !(pc >> 47 & 1) && !judge_fetch_denied(j, core, pc))
        judge_differ(j, core, p->warp, NULL,
                     "instruction side: a fetch page fault at pc 0x%" PRIx64 ", which the host has not denied", pc);
}

void judge_pushed(judge_t *j, unsigned core, const push_t *p)
{
    buffer_t *b = &j->code->buffer[core][p->warp];
    if (!p->n || p->n > FETCH_W || b->n + p->n > IBUF_DEPTH || b->pc % LINE_BYTES + 4 * p->n > LINE_BYTES) {
        judge_differ(j, core, p->warp, NULL,
                     "instruction side: a push of %u words from pc 0x%" PRIx64
                     " on into a buffer with %u words is not legal",
                     p->n, b->pc, b->n);
        return;
    }
    j->words += p->n;
    if (p->fault)
        check_fault(j, core, p, b->pc);
    else
        check_words(j, core, p, b->pc);
    for (unsigned k = 0; k < p->n; k++, b->n++) {
        b->at[(b->head + b->n) % IBUF_DEPTH].word = p->instr[k];
        b->at[(b->head + b->n) % IBUF_DEPTH].fault = p->fault;
    }
    b->pc = (b->pc + 4 * p->n) & PC_MASK;
}

void judge_redirected(judge_t *j, unsigned core, const redirect_t *r)
{
    buffer_t *b = &j->code->buffer[core][r->warp];
    if (!r->flush && !r->stop)
        return;
    b->n = 0;
    b->pc = r->pc;
}

void judge_popped(judge_t *j, unsigned core, const issued_t *s, const insn_t *i)
{
    buffer_t *b = &j->code->buffer[core][s->warp];
    const uint64_t pc = (b->pc - 4 * b->n) & PC_MASK;
    if (!b->n) {
        judge_differ(j, core, s->warp, i, "issued before it was fetched");
        return;
    }
    const uint32_t word = b->at[b->head].word;
    const bool fault = b->at[b->head].fault;
    b->head = (b->head + 1) % IBUF_DEPTH;
    b->n--;
    if (s->pc != pc)
        judge_differ(j, core, s->warp, i, "issued instead of the instruction at pc 0x%" PRIx64, pc);
    else if (s->instr != word)
        judge_differ(j, core, s->warp, i, "issued, but the word fetched there is 0x%08x", word);
    else if (s->fetch_fault != fault)
        judge_differ(j, core, s->warp, i,
                     fault ? "issued as an instruction, but its fetch faulted"
                           : "issued as a fetch fault, but its fetch did not fault");
}
