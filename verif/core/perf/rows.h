/* The scoreboard of the counters: docs/blocks/perf.md as a program over the rows of rtl/common/counters.toml. Expressions are read here, from their text, and evaluated over the fields of the inputs, in every cycle; nothing of the
 * generator of RTL and twin is used. Each counter is a plain sum. */
#ifndef VERIF_CORE_PERF_ROWS_H
#define VERIF_CORE_PERF_ROWS_H
#include "verif/common/bench.h"
#include <ctype.h>
#include <stddef.h>

/* Values that are no input: a span under way, and the event of a read that ends. */
typedef struct {
    bool sync, sync_kept;
    struct {
        bool done;
        uint8_t cls, app;
        uint16_t latency;
    } read;
} extra_t;
typedef struct {
    const char *name, *of, *when;
    unsigned width, sure; /* sure: the family, if one of its members must count */
    bool detail;
} row_t;
typedef struct {
    const char *name;
    enum { CONSTANT, INPUT, EXTRA } from;
    size_t at, size;
    uint64_t value;
} name_t;

enum { ROWS_MOST = 256 };
/* The counters of one unit. */
typedef struct {
    uint64_t counter[ROWS_MOST], read; /* read: the value before the edge */
    extra_t extra;
} sums_t;
/* The rows of a unit, with all names. */
typedef struct {
    const row_t *row;
    const name_t *name;
    unsigned rows, names, kind;
} unit_t;
#define UNIT_OF(module, kind) {module##_rows, module##_names, sizeof module##_rows / sizeof *module##_rows, sizeof module##_names / sizeof *module##_names, kind}
enum { KIND_CORE, KIND_SLICE, KIND_CHANNEL, KIND_STACK, KIND_HOME, KIND_WIRE, KIND_SHARED };

/* ---- expressions: || && (== >) - ! bit(x, k) (x) number name ------------------------------------------------------------------------------- */

typedef struct {
    const unit_t *unit;
    const void *in;
    const extra_t *extra;
    const char *at; /* the rest of the text */
} reader_t;

static inline bool rows_next(reader_t *r, const char *sign)
{
    while (*r->at == ' ')
        r->at++;
    const size_t n = strlen(sign);
    const bool is = !strncmp(r->at, sign, n);
    r->at += is ? n : 0;
    return is;
}

static inline const name_t *rows_name(const unit_t *u, const char *text, size_t n)
{
    for (unsigned i = 0; i < u->names; i++)
        if (strlen(u->name[i].name) == n && !memcmp(u->name[i].name, text, n))
            return &u->name[i];
    printf("counters.toml: there is no %.*s\n", (int)n, text);
    exit(2);
}

static inline uint64_t rows_value(const reader_t *r, const name_t *n)
{
    const char *at = (const char *)(n->from == INPUT ? r->in : (const void *)r->extra) + n->at;
    if (n->from == CONSTANT)
        return n->value;
    return n->size == 1 ? *(const uint8_t *)at : n->size == 2 ? *(const uint16_t *)at : *(const uint64_t *)at;
}

static uint64_t rows_any(reader_t *r);

/* The same place of a text is the same name in every cycle, and is looked up once. */
static inline const name_t *rows_word(reader_t *r)
{
    static struct {
        const unit_t *unit; /* units may share a text */
        const char *from, *to;
        const name_t *name;
    } known[1 << 14], *k;
    rows_next(r, "");
    const char *from = r->at;
    k = &known[((uintptr_t)from + r->unit->kind * 97) % (sizeof known / sizeof *known)];
    if (k->from != from || k->unit != r->unit) {
        while (isalnum((unsigned char)*r->at) || (*r->at && strchr("_.[]", *r->at)))
            r->at++;
        k->unit = r->unit, k->from = from, k->to = r->at, k->name = rows_name(r->unit, from, (size_t)(r->at - from));
    }
    r->at = k->to;
    return k->name;
}

static inline uint64_t rows_atom(reader_t *r)
{
    if (rows_next(r, "!"))
        return !rows_atom(r);
    if (rows_next(r, "bit(")) {
        const uint64_t of = rows_atom(r);
        rows_next(r, ",");
        const uint64_t k = rows_atom(r);
        rows_next(r, ")");
        return of >> k & 1;
    }
    if (rows_next(r, "(")) {
        const uint64_t v = rows_any(r);
        rows_next(r, ")");
        return v;
    }
    if (isdigit((unsigned char)*r->at))
        return strtoull(r->at, (char **)&r->at, 10);
    return rows_value(r, rows_word(r));
}

static inline uint64_t rows_compare(reader_t *r)
{
    uint64_t v = rows_atom(r);
    if (rows_next(r, "- "))
        v -= rows_atom(r);
    if (rows_next(r, "=="))
        return v == rows_atom(r);
    if (rows_next(r, "> "))
        return v > rows_atom(r);
    return v;
}

static inline uint64_t rows_all(reader_t *r)
{
    uint64_t v = rows_compare(r);
    while (rows_next(r, "&&"))
        v = (rows_compare(r) != 0) & (v != 0);
    return v;
}

static uint64_t rows_any(reader_t *r)
{
    uint64_t v = rows_all(r);
    while (rows_next(r, "||"))
        v = (rows_all(r) != 0) | (v != 0);
    return v;
}

static inline uint64_t rows_evaluate(const unit_t *u, const char *text, const void *in, const extra_t *extra)
{
    reader_t r = {u, in, extra, text};
    const uint64_t v = rows_any(&r);
    if (*r.at) {
        printf("counters.toml: %s: what is '%s'?\n", text, r.at);
        exit(2);
    }
    return v;
}

/* The increment of row k in a cycle. To save time: what begins with a name that is 0 and an "&&" is 0, and an increment that is a name is its value. */
static inline uint64_t rows_increment(const unit_t *u, unsigned k, const void *in, const extra_t *extra)
{
    static struct {
        bool known;
        const name_t *first, *of;
    } quick[KIND_SHARED + 1][ROWS_MOST], *q;
    const row_t *row = &u->row[k];
    q = &quick[u->kind][k];
    if (!q->known) {
        const size_t n = strcspn(row->when, " "), m = strcspn(row->of, " ");
        q->known = true;
        q->first =
            isalpha((unsigned char)*row->when) && !strncmp(row->when + n, " &&", 3) ? rows_name(u, row->when, n) : NULL;
        q->of = isalpha((unsigned char)*row->of) && !row->of[m] ? rows_name(u, row->of, m) : NULL;
    }
    const reader_t r = {u, in, extra, ""};
    if ((row->detail && !DRAM_DETAIL) || (q->first && !rows_value(&r, q->first))
        || (*row->when && !rows_evaluate(u, row->when, in, extra)))
        return 0;
    return q->of ? rows_value(&r, q->of) : rows_evaluate(u, row->of, in, extra);
}

/* ---- the page's edge ------------------------------------------------------------------------------------------------------------------------ */

static inline void sums_edge(sums_t *s, const unit_t *u, const void *in, bool clear, unsigned number, unsigned rd_unit,
                             unsigned rd_idx)
{
    s->read = rd_unit == (u->kind << 8 | number) && rd_idx < u->rows ? s->counter[rd_idx] : 0;
    for (unsigned k = 0; k < u->rows; k++)
        s->counter[k] = clear ? 0 : (s->counter[k] + rows_increment(u, k, in, &s->extra)) & ((1ull << COUNTER_W) - 1);
}

/* Step 1 of a stack, before its edge. */
static inline void sums_span(sums_t *s, bool first, bool second)
{
    s->extra.sync = first || s->extra.sync_kept;
    s->extra.sync_kept = s->extra.sync && !second;
}
#endif
