/* Two applications on one machine, one of them hostile: its load on the TLBs, the walker and the pager changes neither the results nor the memory of the other, and
 * delays it by a bounded factor; and no counter of one depends on the secret data of the other.
 *
 *     isolation IMAGE1 IMAGE2 BACKEND CONFIG SEED ROUNDS [thrash|storm|secrets]      last line: N passed, N failed
 *
 * The addresses that are tried, faults and endless loops are those of verif/system/contexts.
 */
#include "verif/system/contexts/contexts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The victim's pages are more than its L1 TLB holds and fit the L2 TLB; the hostile one's fit neither. */
enum { N = 256, LOCAL = 64, PAGES = 20, HOSTILE_PAGES = 160, SECRET = 1024 };
/* How much longer the victim may take beside a hostile kernel, in hundredths (measurements: docs/several-programs.md, Isolation). */
enum { MOST_THRASHED = 200, MOST_STORMED = 150 };

typedef struct {
    vl_space *space;
    vl_image *image;
    vl_kernel *victim, *thrash, *keep;
    uint64_t cores;
    uint32_t who, *in, *out, *own, *secret, *kept;
    uint8_t *guard; /* must not change */
} context_t;

typedef struct {
    const char *const *argv;
    vl_device *dev;
    vl_error err;
    rng random;
    bool timed;
    uint32_t rounds;
    context_t c[2];
} test_t;

static void must(test_t *t, int e, const char *what)
{
    check_call(t->dev, &t->err, e, what);
}

/* ---- expected results -------------------------------------------------------------------------------------------------- */

static uint32_t host_victim(const test_t *t, const context_t *c, uint32_t id)
{
    uint32_t s = id;
    for (uint32_t r = 0; r < t->rounds; r++)
        s = s * T_OF(c->who, r & (TABLE - 1)) + c->in[((id / 8 * 5 + r * 7) % 32 * PAGES >> 5) * 1024 + id % 1024];
    return s ^ s >> SHIFT(c->who);
}

/* Right, and nothing else of anybody has changed. */
static void check_victim(test_t *t, unsigned v, const vl_job *j, const char *beside)
{
    const context_t *c = &t->c[v];
    const vl_fault *f = &j->result.fault;
    check(j->result.code == 0, "%s: the victim: %s (cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ")", beside,
          vl_strerror(j->result.code), f->cause, f->value, f->pc);
    bool right = true;
    for (uint32_t id = 0; id < N; id++)
        right &= c->out[id] == host_victim(t, c, id);
    check(right, "%s: the victim has a wrong result", beside);
    check(guard_is_whole(t->c[0].guard, 1) && guard_is_whole(t->c[1].guard, 2),
          "%s: memory that nobody may write has changed", beside);
}

/* ---- contexts ------------------------------------------------------------------------------------------------------------ */

static void make_context(test_t *t, unsigned i)
{
    context_t *c = &t->c[i];
    const uint32_t pages = PAGES, hostile = HOSTILE_PAGES, n = SECRET, few = t->rounds / 2 + 1;
    c->who = i + 1;
    new_space(t->dev, &t->err, t->argv[1 + i], &c->space, &c->image);
    must(t, vl_kernel_open(&c->victim, c->image, "victim", &t->err), "victim");
    must(t, vl_kernel_open(&c->thrash, c->image, "thrash", &t->err), "thrash");
    must(t, vl_kernel_open(&c->keep, c->image, "keep", &t->err), "keep");
    c->in = new_buffer(t->dev, &t->err, 4096ull * PAGES);
    c->out = new_buffer(t->dev, &t->err, sizeof(uint32_t) * N);
    c->own = new_buffer(t->dev, &t->err, 4096ull * HOSTILE_PAGES);
    c->secret = new_buffer(t->dev, &t->err, sizeof(uint32_t) * SECRET);
    c->kept = new_buffer(t->dev, &t->err, sizeof(uint32_t) * SECRET);
    c->guard = new_buffer(t->dev, &t->err, GUARD);
    for (unsigned k = 0; k < 1024 * PAGES; k++)
        c->in[k] = (uint32_t)rng_u64(&t->random);
    lay_guard(c->guard, c->who);
    int e = vl_kernel_set_ptr(c->victim, 0, as_ptr(c->in), &t->err);
    e = e ? e : vl_kernel_set_ptr(c->victim, 1, as_ptr(c->out), &t->err);
    e = e ? e : vl_kernel_set(c->victim, 2, &pages, 4, &t->err);
    e = e ? e : vl_kernel_set(c->victim, 3, &t->rounds, 4, &t->err);
    e = e ? e : vl_kernel_set_ptr(c->thrash, 0, as_ptr(c->own), &t->err);
    e = e ? e : vl_kernel_set(c->thrash, 1, &hostile, 4, &t->err);
    e = e ? e : vl_kernel_set(c->thrash, 2, &few, 4, &t->err);
    e = e ? e : vl_kernel_set_ptr(c->keep, 0, as_ptr(c->secret), &t->err);
    e = e ? e : vl_kernel_set_ptr(c->keep, 1, as_ptr(c->kept), &t->err);
    e = e ? e : vl_kernel_set(c->keep, 2, &n, 4, &t->err);
    e = e ? e : vl_kernel_set(c->keep, 3, &few, 4, &t->err);
    must(t, e, "arguments");
}

/* A machine as it is after reset, with both contexts in it. */
static void open_machine(test_t *t, const char *memory, uint64_t seed)
{
    vl_options opt = {0};
    t->random.state = seed;
    must(t, vl_memory_parse(&opt.memory, memory, &t->err), "memory");
    must(t, vl_open(&t->dev, t->argv[4], t->argv[3], &opt, &t->err), "a device");
    const unsigned cores = (unsigned)vl_config_value(t->dev, "cores", 2);
    t->c[0].cores = 1;
    t->c[1].cores = ~0ull >> (64 - cores) & ~1ull;
    for (unsigned i = 0; i < 2; i++)
        make_context(t, i);
}

static void close_machine(test_t *t)
{
    for (unsigned i = 0; i < 2; i++) {
        vl_kernel_close(t->c[i].victim);
        vl_kernel_close(t->c[i].thrash);
        vl_kernel_close(t->c[i].keep);
    }
    vl_close(t->dev);
    for (unsigned i = 0; i < 2; i++)
        vl_image_free(t->c[i].image);
    t->dev = NULL;
}

static vl_job job(const context_t *c, vl_kernel *k, uint64_t threads)
{
    return (vl_job){
        .space = c->space, .kernel = k, .range = {.dims = 1, .global = {threads}, .local = {LOCAL}}, .cores = c->cores};
}

static vl_job victim_of(test_t *t, unsigned v)
{
    memset(t->c[v].out, 0xee, sizeof(uint32_t) * N);
    return job(&t->c[v], t->c[v].victim, N);
}

/* ---- the tests ------------------------------------------------------------------------------------------------------------ */

/* Each is the victim once. The hostile one is launched again until the victim has ended, and then stopped. */
static void test_thrashing(test_t *t, const char *memory, unsigned most, const char *name)
{
    open_machine(t, memory, (uint64_t)strtoull(t->argv[5], NULL, 0));
    for (unsigned v = 0; v < 2; v++) {
        vl_job j[2];
        j[0] = victim_of(t, v);
        must(t, vl_launch_jobs(t->dev, j, 1), "the victim alone");
        check_victim(t, v, &j[0], "alone");
        const uint64_t alone = j[0].result.cycles;
        const context_t *h = &t->c[!v];
        j[0] = victim_of(t, v);
        j[1] = job(h, h->thrash, N);
        j[1].again = &h->thrash;
        j[1].n_again = 1;
        must(t, vl_launch_jobs(t->dev, j, 2), "both");
        check_victim(t, v, &j[0], name);
        check(j[1].result.code == 0, "%s: the hostile kernel: %s", name, vl_strerror(j[1].result.code));
        if (!t->timed)
            continue;
        const uint64_t beside = j[0].result.cycles;
        printf("%s: context %u alone %" PRIu64 " cycles, beside it %" PRIu64 " (%.2f times), %u launches of it\n", name,
               v, alone, beside, (double)beside / (double)alone, j[1].launches);
        check(beside * 100 <= alone * most, "%s: the victim takes %" PRIu64 " cycles, alone %" PRIu64, name, beside,
              alone);
    }
    close_machine(t);
}

/* Whatever context 1 knows: the same of context 0, in every cycle and every counter; and of context 1 but its results. */
typedef struct {
    uint64_t cycles[2], counts[2][256];
    size_t n[2];
    uint32_t launches;
} seen_t;

static void look(test_t *t, uint64_t seed, unsigned kind, seen_t *s)
{
    open_machine(t, "paged", (uint64_t)strtoull(t->argv[5], NULL, 0));
    rng secret = {.state = seed};
    for (unsigned i = 0; i < SECRET; i++)
        t->c[1].secret[i] = kind == 0 ? 0 : kind == 1 ? ~0u : (uint32_t)rng_u64(&secret);
    vl_job j[2];
    j[0] = victim_of(t, 0);
    j[1] = job(&t->c[1], t->c[1].keep, N);
    j[1].again = &t->c[1].keep;
    j[1].n_again = 1;
    must(t, vl_launch_jobs(t->dev, j, 2), "both");
    check_victim(t, 0, &j[0], "beside a secret");
    check(j[1].result.code == 0, "who keeps a secret: %s", vl_strerror(j[1].result.code));
    *s = (seen_t){.launches = j[1].launches};
    for (unsigned k = 0; k < 2; k++) {
        s->cycles[k] = j[k].result.cycles;
        s->n[k] = j[k].n_own;
        for (size_t i = 0; i < j[k].n_own && i < 256; i++)
            s->counts[k][i] = j[k].own[i].value;
    }
    close_machine(t);
}

static void test_secrets(test_t *t)
{
    seen_t first, other;
    look(t, 0, 0, &first);
    for (unsigned kind = 1; kind < 4; kind++) {
        look(t, kind * 7919, kind, &other);
        for (unsigned k = 0; k < 2; k++) {
            check(first.cycles[k] == other.cycles[k],
                  "secret %u: context %u takes %" PRIu64 " cycles, with another secret %" PRIu64, kind, k,
                  other.cycles[k], first.cycles[k]);
            check(first.n[k] == other.n[k] && !memcmp(first.counts[k], other.counts[k], sizeof first.counts[k]),
                  "secret %u: a counter of context %u is another than with another secret", kind, k);
        }
        check(first.launches == other.launches, "secret %u: %u launches instead of %u", kind, other.launches,
              first.launches);
    }
    check(!t->timed || first.n[0] > 20, "%zu counters are compared", first.n[0]);
}

int main(int argc, char **argv)
{
    static test_t t;
    const char *only = argc == 8 ? argv[7] : "";
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "usage: isolation IMAGE1 IMAGE2 BACKEND CONFIG SEED ROUNDS [thrash|storm|secrets]\n");
        return 2;
    }
    t.argv = (const char *const *)argv;
    t.timed = strcmp(argv[3], "ref") != 0;
    t.rounds = (uint32_t)atoi(argv[6]);
    printf("seed %s\n", argv[5]);
    if (!*only || !strcmp(only, "thrash"))
        test_thrashing(&t, "paged,order=random:1", MOST_THRASHED, "TLB thrashing");
    if (!*only || !strcmp(only, "storm"))
        test_thrashing(&t, "demand,frames=60", MOST_STORMED, "shootdown storm");
    if (!*only || !strcmp(only, "secrets"))
        test_secrets(&t);
    return check_verdict();
}
