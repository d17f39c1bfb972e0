/* Workloads two at a time, each in an address space and on cores of its own, on one machine: the results of both are right, and nothing of it went unjudged.
 *
 *     pairs BACKEND CONFIG MEMORY SEED [POLICY=VALUE]... A+B...      last line: N passed, N failed
 *     pairs BACKEND CONFIG MEMORY SEED [POLICY=VALUE]... FIRST..LAST  all pairs in order of the list of workloads, those of these numbers (from 0)
 *
 * A workload is a function that launches a kernel and waits. Here each of two runs in a thread of its own, of which one at a time goes on: until both stand at a launch, which is then done for both at once
 * (vl_launch is wrapped by the linker). The one that ends first is run again, until the other one has ended once. */
#include "sw/workloads/wl.h"
#include "sw/workloads/wl_internal.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDES = 2, NOBODY = SIDES, RUNS_AT_MOST = 64 };

typedef struct pair pair_t;

typedef struct {
    pair_t *pair;
    unsigned number;
    const workload *work;
    vl_space *space;
    pthread_t thread;
    bool over, waits, once; /* the thread has ended; it stands at a launch; the workload has ended once */
    vl_job job; /* of that launch */
    int code; /* the launch's return code */
    wl w;
    vl_image *image[RUNS_AT_MOST];
    unsigned runs, launches, beside; /* beside: those that ran together with one of the other side */
    char why[sizeof((wl *)0)->why];
    uint64_t waived;
} side_t;

struct pair {
    vl_device *dev;
    uint64_t seed, cycles;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    unsigned turn; /* the side that goes on; NOBODY: the one that launches */
    side_t side[SIDES];
};

static _Thread_local side_t *self;
static char build[900];

/* ---- one at a time -------------------------------------------------------------------------------------------------- */

static void give(pair_t *p, unsigned to)
{
    pthread_mutex_lock(&p->lock);
    p->turn = to;
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

static void await(pair_t *p, unsigned who)
{
    pthread_mutex_lock(&p->lock);
    while (p->turn != who)
        pthread_cond_wait(&p->moved, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static bool other_has_ended(const side_t *s)
{
    return s->pair->side[!s->number].once;
}

/* Called by the workloads (-Wl,--wrap=vl_launch). */
int __wrap_vl_launch(vl_device *dev, vl_kernel *k, const vl_range *range, vl_result *result);
int __wrap_vl_launch(vl_device *dev, vl_kernel *k, const vl_range *range, vl_result *result)
{
    side_t *s = self;
    (void)dev;
    if (s->once && other_has_ended(s))
        return VL_EINTR;
    const uint64_t cores = (uint64_t)vl_config_value(s->pair->dev, "cores", 2);
    s->job = (vl_job){
        .space = s->space, .kernel = k, .range = *range, .cores = s->number ? ~0ull >> (64 - cores) & ~1ull : 1};
    s->waits = true;
    give(s->pair, NOBODY);
    await(s->pair, s->number);
    *result = s->job.result;
    s->launches++;
    return s->code;
}

static void *work(void *of)
{
    side_t *s = self = of;
    await(s->pair, s->number);
    do {
        s->w =
            (wl){.work = s->work, .build = build, .random = s->pair->seed * 1000003u + s->number, .dev = s->pair->dev};
        s->work->run(&s->w, s->work->quick);
        if (!wl_ok(&s->w) && !(s->once && other_has_ended(s)) && !*s->why)
            snprintf(s->why, sizeof s->why, "%s", s->w.why);
        s->waived += s->w.waived;
        s->image[s->runs++] = s->w.image;
        wl_finish(&s->w);
        s->once = true;
    } while (!*s->why && !other_has_ended(s) && s->runs < RUNS_AT_MOST);
    s->over = true;
    give(s->pair, NOBODY);
    return NULL;
}

/* ---- a pair ----------------------------------------------------------------------------------------------------------- */

static void launch(pair_t *p, unsigned n)
{
    vl_job jobs[SIDES];
    side_t *of[SIDES];
    unsigned k = 0;
    for (unsigned i = 0; i < SIDES; i++)
        if (p->side[i].waits) {
            jobs[k] = p->side[i].job;
            of[k++] = &p->side[i];
        }
    const int code = vl_launch_jobs(p->dev, jobs, n);
    uint64_t longest = 0;
    for (k = 0; k < n; k++) {
        of[k]->job = jobs[k];
        of[k]->code = code ? code : jobs[k].result.code;
        of[k]->waits = false;
        of[k]->beside += n == SIDES;
        longest = jobs[k].result.cycles > longest ? jobs[k].result.cycles : longest;
    }
    p->cycles += longest;
}

/* Side i, in an address space of its own, which the memory scheduler knows as application i. */
static int begin(pair_t *p, unsigned i, const workload *of)
{
    side_t *s = &p->side[i];
    char word[40];
    uint16_t asid;
    *s = (side_t){.pair = p, .number = i, .work = of};
    int e = vl_space_new(p->dev, &s->space);
    e = e ? e : vl_space_asid(p->dev, s->space, &asid);
    if (e)
        return e;
    snprintf(word, sizeof word, "mem_app%u_asid=%u", i, asid);
    e = vl_set_policy_word(p->dev, word);
    return e ? e : pthread_create(&s->thread, NULL, work, s);
}

static bool run_pair(pair_t *p, const workload *const works[SIDES])
{
    for (unsigned i = 0; i < SIDES; i++)
        if (begin(p, i, works[i])) {
            printf("no address spaces, or no threads: %s\n", vl_detail(p->dev));
            exit(1);
        }
    for (;;) {
        unsigned n = 0;
        for (unsigned i = 0; i < SIDES; i++) {
            if (!p->side[i].over) {
                vl_use_space(p->dev, p->side[i].space);
                give(p, i);
                await(p, NOBODY);
            }
        }
        for (unsigned i = 0; i < SIDES; i++)
            n += p->side[i].waits;
        if (!n)
            break;
        launch(p, n);
    }
    for (unsigned i = 0; i < SIDES; i++)
        pthread_join(p->side[i].thread, NULL);
    bool right = true;
    printf("%-18s %-18s", works[0]->name, works[1]->name);
    for (unsigned i = 0; i < SIDES; i++) {
        const side_t *s = &p->side[i];
        printf(" %3u launch%s", s->launches, s->launches == 1 ? "  " : "es");
        right &= !*s->why && s->beside && !s->waived;
    }
    printf(" %3u at once %9llu cycles  %s\n", p->side[0].beside, (unsigned long long)p->cycles,
           right ? "ok" : "FAILED");
    for (unsigned i = 0; i < SIDES; i++) {
        const side_t *s = &p->side[i];
        if (*s->why)
            printf("    %s: %s\n", s->work->name, s->why);
        if (*s->why && i == 0 && *vl_detail(p->dev))
            printf("    %s\n", vl_detail(p->dev));
        if (s->waived)
            printf("    %llu not judged\n", (unsigned long long)s->waived);
    }
    fflush(stdout);
    return right;
}

/* A fresh machine for every pair. */
static bool try_pair(char **argv, unsigned n_policies, const workload *const works[SIDES])
{
    pair_t p = {.seed = strtoull(argv[4], NULL, 0),
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .moved = PTHREAD_COND_INITIALIZER,
                .turn = NOBODY};
    vl_options opt = {0};
    vl_error err = {0};
    int e = vl_memory_parse(&opt.memory, argv[3], &err);
    e = e ? e : vl_open(&p.dev, argv[2], argv[1], &opt, &err);
    for (unsigned i = 0; i < n_policies && !e; i++)
        e = vl_set_policy_word(p.dev, argv[5 + i]);
    e = e ? e : vl_set_max_cycles(p.dev, 3000000);
    if (e) {
        printf("%s\n", p.dev ? vl_detail(p.dev) : err.text);
        exit(2);
    }
    const bool right = run_pair(&p, works);
    vl_close(p.dev);
    for (unsigned i = 0; i < SIDES; i++)
        for (unsigned k = 0; k < p.side[i].runs; k++)
            vl_image_free(p.side[i].image[k]);
    return right;
}

static const workload *find(const char *name, size_t length)
{
    for (unsigned k = 0; workloads[k]; k++)
        if (strlen(workloads[k]->name) == length && !strncmp(workloads[k]->name, name, length))
            return workloads[k];
    printf("no workload %.*s\n", (int)length, name);
    exit(2);
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0, n_policies = 0;
    if (argc < 6) {
        fprintf(stderr, "usage: pairs BACKEND CONFIG MEMORY SEED [POLICY=VALUE]... A+B... or FIRST..LAST\n");
        return 2;
    }
    const ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);
    for (unsigned up = 0; n > 0 && up < 2; up++) /* build/test/pairs */
        *strrchr(build, '/') = '\0';
    while (5 + (int)n_policies < argc && strchr(argv[5 + n_policies], '='))
        n_policies++;
    for (int i = 5 + (int)n_policies; i < argc; i++) {
        const workload *works[SIDES];
        const char *plus = strchr(argv[i], '+');
        unsigned first, last, number = 0;
        if (plus) {
            works[0] = find(argv[i], (size_t)(plus - argv[i]));
            works[1] = find(plus + 1, strlen(plus + 1));
            const bool right = try_pair(argv, n_policies, works);
            passed += right;
            failed += !right;
        } else if (sscanf(argv[i], "%u..%u", &first, &last) == 2) {
            for (unsigned a = 0; workloads[a]; a++)
                for (unsigned b = a + 1; workloads[b]; b++, number++)
                    if (number >= first && number <= last) {
                        const bool right =
                            try_pair(argv, n_policies, (const workload *const[]){workloads[a], workloads[b]});
                        passed += right;
                        failed += !right;
                    }
        }
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
