/* Explores a case breadth first: every state that it can come to, or as many as are allowed (docs/explore.md).
 *
 *   explore FIELD=VALUE...                  all states; the fields are below
 *   explore FIELD=VALUE... path=0,3,0,1     one path, told cycle by cycle
 *   explore FIELD=VALUE... walk=N           N cycles of random choices, with states as they are beside states in which what no edge reads is 0: they are one
 */
#include "explore.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { CHUNK = 1 << 20, UNKNOWN = 0xffffffff };

/* What is known of a state, by its number. Numbers are in the order in which states are found. */
typedef struct {
    uint64_t hash;
    uint32_t from; /* the state that it was found from, */
    uint32_t next; /* its successor when no stream is held and no agent begins anything */
    uint16_t by; /* by this choice */
    uint8_t waits;
} __attribute__((packed)) known_t;
typedef struct chunk {
    struct chunk *next;
    size_t used;
    uint8_t of[CHUNK];
} chunk_t;

static known_t *known;
static uint32_t *table, states, room;
static uint64_t slots, most = 20000000;
static chunk_t *first, *last;
static size_t first_at, frontier, frontier_most;
static const char *name = "explore";
static bool told = true;
static uint64_t steps, ends, choices_most;
static uint32_t seen_moves[2], seen_probes;

void tell(const char *format, ...)
{
    if (!telling)
        return;
    va_list v;
    va_start(v, format);
    printf("    ");
    vprintf(format, v);
    printf("\n");
    va_end(v);
}

void blame(const char *format, ...)
{
    va_list v;
    if (*wrong)
        return;
    va_start(v, format);
    vsnprintf(wrong, sizeof wrong, format, v);
    va_end(v);
}

static void *grown(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p) {
        fprintf(stderr, "explore: no memory\n");
        exit(2);
    }
    return p;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    const unsigned __int128 m = (unsigned __int128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static uint64_t hash_of(const uint8_t *p, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15ull ^ n;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = mix(h ^ w, 0xd6e8feb86659fd93ull) + 0xa0761d6478bd642full;
    }
    uint64_t w = 0;
    memcpy(&w, p, n);
    h = mix(h ^ w, 0xe7037ed1a0b428dbull);
    return mix(h ^ h >> 29, 0x8ebc6af09c88c6e3ull);
}

/* ---- known states ---- */

static void table_grow(void)
{
    slots = slots ? 2 * slots : 1 << 16;
    table = grown(table, slots * sizeof *table);
    memset(table, 0xff, slots * sizeof *table);
    for (uint32_t k = 0; k < states; k++) {
        uint64_t at = known[k].hash & (slots - 1);
        while (table[at] != UNKNOWN)
            at = (at + 1) & (slots - 1);
        table[at] = k;
    }
}

/* The number of a state, and whether it is new. */
static uint32_t number_of_state(uint64_t hash, bool *new)
{
    uint64_t at = hash & (slots - 1);
    for (; table[at] != UNKNOWN; at = (at + 1) & (slots - 1))
        if (known[table[at]].hash == hash) {
            *new = false;
            return table[at];
        }
    *new = true;
    if (states == most)
        return UNKNOWN;
    if (states == room) {
        room = room ? room + room / 2 : 1 << 16;
        known = grown(known, room * sizeof *known);
    }
    known[states].hash = hash;
    known[states].next = UNKNOWN;
    table[at] = states++;
    if (states > slots - slots / 4)
        table_grow();
    return states - 1;
}

/* ---- states that are to be expanded ---- */

static void push(const uint8_t *p, size_t n)
{
    if (!last || last->used + n + 2 > CHUNK) {
        chunk_t *c = grown(NULL, sizeof *c);
        c->next = NULL;
        c->used = 0;
        *(last ? &last->next : &first) = c;
        last = c;
        frontier += CHUNK;
        frontier_most = frontier > frontier_most ? frontier : frontier_most;
    }
    last->of[last->used] = (uint8_t)n;
    last->of[last->used + 1] = (uint8_t)(n >> 8);
    memcpy(last->of + last->used + 2, p, n);
    last->used += n + 2;
}

static const uint8_t *pop(void)
{
    if (first_at == first->used) {
        chunk_t *c = first;
        first = c->next;
        first_at = 0;
        free(c);
        frontier -= CHUNK;
    }
    const uint8_t *p = first->of + first_at;
    first_at += (size_t)p[0] + ((size_t)p[1] << 8) + 2;
    return p + 2;
}

/* ---- choices ---- */

static bool next_choice(choice_t *c)
{
    while (c->count && ++c->v[c->count - 1] == c->n[c->count - 1])
        c->count--;
    c->at = 0;
    c->holds = now.holds;
    return c->count;
}

/* ---- paths ---- */

static void play(const uint16_t *by, unsigned n)
{
    static sys_t s, t;
    static outs_t o;
    sys_init(&s);
    canon(&s);
    for (unsigned k = 0; k < n; k++) {
        choice_t c = {.holds = now.holds};
        sys_outs(&s, &o);
        telling = false;
        for (unsigned b = 0; b < by[k]; b++) {
            t = s;
            sys_step(&t, &o, &c);
            if (!next_choice(&c)) {
                printf("cycle %u has no choice %u\n", k, by[k]);
                return;
            }
        }
        telling = true;
        *wrong = 0;
        printf("cycle %u\n", k);
        c.at = 0;
        c.holds = now.holds;
        sys_step(&s, &o, &c);
        canon(&s);
        rule_state(&s);
        if (*wrong)
            printf("    WRONG: %s\n", wrong);
    }
    telling = false;
}

/* How it came to `state`, and then by `by` (if it is not the end). */
static void trace(uint32_t state, int by)
{
    unsigned n = by >= 0;
    for (uint32_t k = state; k; k = known[k].from)
        n++;
    uint16_t *path = grown(NULL, (n + 1) * sizeof *path);
    unsigned at = n;
    if (by >= 0)
        path[--at] = (uint16_t)by;
    for (uint32_t k = state; k; k = known[k].from)
        path[--at] = known[k].by;
    printf("%s: WRONG after %u cycles: %s\n", name, n, wrong);
    if (told) {
        char was[sizeof wrong];
        memcpy(was, wrong, sizeof was);
        play(path, n);
        memcpy(wrong, was, sizeof was);
        printf("again with path=");
        for (unsigned k = 0; k < n; k++)
            printf("%s%u", k ? "," : "", path[k]);
        printf("\n");
    }
    free(path);
}

/* ---- the search ---- */

static void look(const sys_t *s)
{
    for (unsigned d = 0; d < DEVICES; d++) {
        const ev_smd_t *e = &s->dev[d].smd.ev;
        const ev_l2c_t *l = &s->dev[d].l2c.ev;
        if (e->smd_moved)
            seen_moves[0] |= 1u << (e->smd_from * 6 + e->smd_to) % 32;
        if (l->l2_moved)
            seen_moves[1] |= 1u << (l->l2_from * 6 + l->l2_to) % 32;
        if (e->smd_probe)
            seen_probes |= 1u << e->smd_probe_kind;
    }
}

/* All that a state may become. False: something is wrong, after choice *by. */
static bool expand(uint32_t number, const sys_t *s, int *by)
{
    static outs_t o;
    static sys_t t;
    static uint8_t packed[PACKED];
    choice_t c = {.holds = now.holds};
    unsigned k = 0;
    sys_outs(s, &o);
    do {
        t = *s;
        sys_step(&t, &o, &c);
        steps++;
        look(&t);
        canon(&t);
        const size_t n = canon_pack(&t, packed);
        bool new = false;
        *by = (int)k;
        if (*wrong)
            return false;
        const uint32_t to = number_of_state(hash_of(packed, n), &new);
        if (!k)
            known[number].next = to;
        if (new && to != UNKNOWN) {
            known[to].from = number;
            known[to].by = (uint16_t)k;
            known[to].waits = sys_waits(&t);
            ends += t.end == 3;
            push(packed, n);
        }
        if (new)
            rule_state(&t);
        if (!k && to == number && sys_waits(s))
            blame("deadlock: nothing moves, and somebody waits");
        if (*wrong)
            return false;
        k++;
        choices_most = k > choices_most ? k : choices_most;
    } while (next_choice(&c));
    return true;
}

/* Does everything that is asked for end, if nothing is held from some state on? Each state has one `next`; a circle of them in which somebody waits is wrong. */
static bool progress(uint32_t *where)
{
    uint8_t *mark = grown(NULL, (size_t)states + 1);
    uint32_t *path = grown(NULL, ((size_t)states + 1) * sizeof *path);
    bool good = true;
    memset(mark, 0, states);
    for (uint32_t k = 0; k < states && good; k++) {
        uint32_t n = 0, at = k;
        while (at != UNKNOWN && !mark[at]) {
            mark[at] = 1;
            path[n++] = at;
            at = known[at].next;
        }
        if (at != UNKNOWN && mark[at] == 1)
            for (uint32_t j = n; j-- && good;) {
                if (known[path[j]].waits) {
                    good = false;
                    *where = path[j];
                }
                if (path[j] == at)
                    break;
            }
        while (n)
            mark[path[--n]] = 2;
    }
    free(mark);
    free(path);
    return good;
}

static double cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6 + (double)u.ru_stime.tv_sec
           + (double)u.ru_stime.tv_usec / 1e6;
}

static int search(void)
{
    static sys_t s;
    static uint8_t packed[PACKED];
    uint32_t at = 0, level_end = 1, depth = 0;
    int by = -1;
    bool new;
    table_grow();
    sys_init(&s);
    canon(&s);
    const size_t n = canon_pack(&s, packed);
    number_of_state(hash_of(packed, n), &new);
    known[0].from = 0;
    known[0].by = 0;
    known[0].waits = sys_waits(&s);
    push(packed, n);
    rule_state(&s);
    while (!*wrong && at < states) {
        if (at == level_end) {
            level_end = states;
            depth++;
        }
        canon_unpack(&s, pop());
        if (!expand(at, &s, &by))
            break;
        if (!(++at & 0xfffff))
            fprintf(stderr, "%s: %u of %u states, %u cycles deep, %.0f s\n", name, at, states, depth, cpu());
    }
    if (!*wrong) {
        uint32_t where = 0;
        if (!progress(&where)) {
            blame("progress: somebody waits for ever, though nothing is held");
            at = where;
            by = -1;
        }
    }
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    if (*wrong)
        trace(at, by);
    printf("%s: %u states%s, %llu steps, %u cycles deep, %llu ends, at most %llu choices, %.1f s, %ld MB: %s\n", name,
           states,
           *wrong           ? ""
           : states == most ? ", not all there are"
                            : ", all there are",
           (unsigned long long)steps, depth, (unsigned long long)ends, (unsigned long long)choices_most, cpu(),
           u.ru_maxrss / 1024, *wrong ? wrong : "nothing wrong");
    return *wrong != 0;
}

/* ---- is it true that fields which become 0 are never read? ---- */

/* One of its choices, at random: `v` counts down as they are tried in their order; how many there are, if less. */
static unsigned step_by(sys_t *s, const outs_t *o, unsigned by)
{
    static sys_t t;
    choice_t c = {.holds = now.holds};
    for (unsigned k = 0;; k++) {
        t = *s;
        sys_step(&t, o, &c);
        if (k == by) {
            *s = t;
            return by;
        }
        if (!next_choice(&c))
            return k + 1;
    }
}

static int walk(uint64_t cycles)
{
    static sys_t raw, s;
    static outs_t o;
    static uint8_t one[PACKED], two[PACKED];
    struct vl_rng r = {0};
    uint64_t paths = 0, done = 0;
    unsigned left = 0;

    for (; done < cycles && !*wrong; done++, left--) {
        if (!left || raw.end == 3) {
            sys_init(&raw);
            s = raw;
            left = 1000;
            paths++;
        }
        /* Most of the time no stream is held, and nothing is begun. */
        unsigned by = vl_chance(&r, 128) ? vl_below(&r, 12) : 0;
        sys_outs(&raw, &o);
        while (step_by(&raw, &o, by) != by)
            by = 0;
        sys_outs(&s, &o);
        if (step_by(&s, &o, by) != by)
            blame("canon: other choices");
        canon(&s);
        const size_t n = canon_pack(&s, one);
        canon_unpack(&s, one);
        sys_t *c = grown(NULL, sizeof *c);
        *c = raw;
        canon(c);
        if (canon_pack(c, two) != n || memcmp(one, two, n))
            blame("canon: what became 0 is read");
        free(c);
        rule_state(&s);
    }
    if (*wrong)
        printf("%s: WRONG after %llu cycles: %s\n", name, (unsigned long long)done, wrong);
    else
        printf("%s: %llu cycles on %llu paths: nothing wrong\n", name, (unsigned long long)done,
               (unsigned long long)paths);
    return *wrong != 0;
}

/* ---- the case ---- */

/* Numbers between commas; how many. */
static unsigned numbers(const char *text, unsigned *to, unsigned most_of_them)
{
    unsigned n = 0;
    for (char *end; *text && n < most_of_them; text = *end ? end + 1 : end) {
        to[n++] = (unsigned)strtoul(text, &end, 0);
        if (end == text || (*end && *end != ','))
            return 0;
    }
    return *text ? 0 : n;
}

static bool letters(const char *text, const char *of, unsigned *mask)
{
    for (*mask = 0; *text; text++) {
        const char *at = strchr(of, *text);
        if (!at)
            return false;
        *mask |= 1u << (at - of);
    }
    return true;
}

/* agent=WHERE:OPS...: at a device's number or h; of each letter of l n a s e f i w as many as stand behind it, or one. */
static bool agent(const char *v)
{
    static const char ops[] = "lnasefiw";
    const unsigned a = now.agents;
    if (a == AGENTS || v[1] != ':')
        return false;
    now.at[a] = v[0] == 'h' ? HOST : (uint8_t)(v[0] - '0');
    if (now.at[a] > HOST || (now.at[a] < HOST && now.device[now.at[a]] == NONE))
        return false;
    for (v += 2; *v;) {
        const char *at = strchr(ops, *v++);
        if (!at)
            return false;
        now.bound[a][at - ops] = *v >= '0' && *v <= '9' ? (uint8_t)(*v++ - '0') : 1;
    }
    now.host |= now.at[a] == HOST;
    now.agents++;
    return true;
}

static const char *path_text;
static uint64_t walks;

static bool field(char *text)
{
    unsigned n[LINES], k = 0;
    char *v = strchr(text, '=');
    if (!v)
        return false;
    *v++ = 0;
    if (!strcmp(text, "name"))
        name = v;
    else if (!strcmp(text, "path"))
        path_text = v;
    else if (!strcmp(text, "brief"))
        told = false;
    else if (!strcmp(text, "walk"))
        walks = strtoull(v, NULL, 0);
    else if (!strcmp(text, "states"))
        most = strtoull(v, NULL, 0);
    else if (!strcmp(text, "devices")) { /* r: the twins, a: in abstract, -: none */
        for (; v[k] && k < DEVICES; k++)
            now.device[k] = v[k] == 'r' ? REAL : v[k] == 'a' ? ABSTRACT : NONE;
        return !v[k];
    } else if (!strcmp(text, "agent"))
        return agent(v);
    else if (!strcmp(text, "lines")) {
        now.lines = (uint8_t)numbers(v, n, LINES);
        for (k = 0; k < now.lines; k++)
            now.line[k] = n[k];
        return now.lines;
    } else if (
        !strcmp(text,
                "held")) { /* requests, probes, acknowledgements, data, stack, memory, host's cache, answers to cores */
        const bool good = letters(v, "rpadsmhc", &k);
        now.held = (uint16_t)k;
        return good;
    } else if (
        !strcmp(text,
                "with")) { /* peers, reorder, ends, forward; values are 0 and 1 for ever; zerocopy, memcpy, managed */
        const bool good = letters(v, "prefvzcg", &k);
        now.peers = k & 1;
        now.reorder = k & 2;
        now.ends = k & 4;
        now.forward = k & 8;
        now.ever = k & 16;
        now.memory = (uint8_t)(k & 32    ? MEMORY_ZEROCOPY
                               : k & 64  ? MEMORY_MEMCPY
                               : k & 128 ? MEMORY_MANAGED
                                         : MEMORY_UMH);
        return good;
    } else if (!strcmp(text, "holds"))
        now.holds = (uint8_t)strtoul(v, NULL, 0);
    else if (!strcmp(text, "net"))
        now.net = (uint8_t)strtoul(v, NULL, 0);
    else if (!strcmp(text, "pending"))
        now.pending = (uint8_t)strtoul(v, NULL, 0);
    else
        return false;
    return true;
}

static int replay(void)
{
    unsigned n = 1;
    for (const char *p = path_text; *p; p++)
        n += *p == ',';
    unsigned *path = grown(NULL, n * sizeof *path);
    uint16_t *by = grown(NULL, n * sizeof *by);
    if (numbers(path_text, path, n) != n)
        return 2;
    for (unsigned k = 0; k < n; k++)
        by[k] = (uint16_t)path[k];
    play(by, n);
    free(path);
    free(by);
    return *wrong != 0;
}

int main(int argc, char **argv)
{
    now = (case_t){.device = {REAL}, .lines = 1, .net = 1, .pending = PENDING, .holds = 1, .held = 255};
    for (int k = 1; k < argc; k++)
        if (!field(argv[k])) {
            fprintf(stderr, "explore: %s: no such field, or not with this value\n", argv[k]);
            return 2;
        }
    if (!now.agents || !most || most >= UNKNOWN || !now.net || !now.pending || now.pending > PENDING
        || now.net > NET - DEVICES + 1 || (now.ever && now.forward)) {
        fprintf(stderr, "explore: no such case\n");
        return 2;
    }
    canon_init();
    return path_text ? replay() : walks ? walk(walks) : search();
}
