/* The search, breadth first. */
#ifndef VERIF_COHERENCE_EXPLORE_SEARCH_H
#define VERIF_COHERENCE_EXPLORE_SEARCH_H
#include "paths.h"

#include <sys/resource.h>
#include <time.h>

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

/* Progress: each request ends, if no stream is held from some state on. Each state has one `next`; a cycle of them with a pending request is an error. */
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

static void stop(int number)
{
    (void)number;
    stopped = 1;
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
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    while (!*wrong && at < states && !stopped) {
        if (at == level_end) {
            level_end = states;
            depth++;
        }
        canon_unpack(&s, pop());
        if (!expand(at, &s, &by))
            break;
        if (!(++at & 0xfffff)) {
            fprintf(stderr, "%s: %u of %u states, %u cycles deep, %.0f s\n", name, at, states, depth, cpu());
            stopped |= seconds > 0 && cpu() > seconds;
        }
    }
    const uint32_t expanded = at;
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
    if (!*wrong && stopped)
        printf("%s: stopped after all that %u states become\n", name, expanded);
    printf("%s: %u states%s, %llu steps, %u cycles deep, %llu ends, at most %llu choices, %.1f s, %ld MB: %s\n", name,
           states,
           *wrong                                ? ""
           : states == most || expanded < states ? ", not all there are"
                                                 : ", all there are",
           (unsigned long long)steps, depth, (unsigned long long)ends, (unsigned long long)choices_most, cpu(),
           u.ru_maxrss / 1024, *wrong ? wrong : "nothing wrong");
    return *wrong != 0;
}
#endif
