/* Two contexts at once: kernels of two address spaces, each on its own cores. One of them, even if it tries every address there is or never ends,
 * changes neither the results nor the memory of the other, and does not keep it from its end.
 *
 *     contexts IMAGE1 IMAGE2 BACKEND CONFIG SEED LAUNCHES ROUNDS [MEMORY]      last line: N passed, N failed
 *
 * MEMORY is as of vellum run; by default all pages are there, in random frames.
 */
#include "verif/system/contexts/contexts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, LOCAL = 16, SPIN_PAGES = 96, LIMIT = 3000000 };

struct access {
    uint64_t address;
    uint32_t kind, survived;
};

typedef struct {
    vl_space *space;
    vl_image *image;
    vl_kernel *work, *wild, *spin;
    uint64_t cores;
    uint32_t who, rounds, *in, *out, *own;
    uint8_t *guard; /* must not change */
    struct access *list;
} context_t;

typedef struct {
    vl_device *dev;
    vl_error err;
    rng random;
    bool timed, disturbed;
    unsigned threads, wild_threads;
    context_t c[2];
    uint64_t alone[2];
} test_t;

static void must(test_t *t, int e, const char *what)
{
    check_call(t->dev, &t->err, e, what);
}

/* ---- expected results -------------------------------------------------------------------------------------------------- */

static uint32_t host_thread(const context_t *c, uint32_t id)
{
    uint32_t s = c->in[id];
    for (uint32_t r = 0; r < c->rounds; r++) {
        s = s * T_OF(c->who, s >> 3 & (TABLE - 1)) + c->in[(id * 7 + r * 13) % N];
        if (s & 1)
            s ^= s >> SHIFT(c->who);
    }
    return s;
}

static bool right(const context_t *c)
{
    for (uint32_t id = 0; id < N; id++)
        if (c->out[id] != host_thread(c, id) + host_thread(c, id / LOCAL * LOCAL + (id + 1) % LOCAL))
            return false;
    return true;
}

/* ---- contexts ------------------------------------------------------------------------------------------------------------ */

static void make_context(test_t *t, context_t *c, const char *path)
{
    uint32_t n = N, pages = SPIN_PAGES;
    new_space(t->dev, &t->err, path, &c->space, &c->image);
    must(t, vl_kernel_open(&c->work, c->image, "work", &t->err), "work");
    must(t, vl_kernel_open(&c->wild, c->image, "wild", &t->err), "wild");
    must(t, vl_kernel_open(&c->spin, c->image, "spin", &t->err), "spin");
    c->in = new_buffer(t->dev, &t->err, sizeof(uint32_t) * N);
    c->out = new_buffer(t->dev, &t->err, sizeof(uint32_t) * N);
    c->own = new_buffer(t->dev, &t->err, 4096ull * SPIN_PAGES);
    c->guard = new_buffer(t->dev, &t->err, GUARD);
    c->list = new_buffer(t->dev, &t->err, sizeof *c->list * t->wild_threads);
    for (unsigned i = 0; i < N; i++)
        c->in[i] = (uint32_t)rng_u64(&t->random);
    lay_guard(c->guard, c->who);
    int e = vl_kernel_set_ptr(c->work, 0, as_ptr(c->in), &t->err);
    e = e ? e : vl_kernel_set_ptr(c->work, 1, as_ptr(c->out), &t->err);
    e = e ? e : vl_kernel_set(c->work, 2, &n, 4, &t->err);
    e = e ? e : vl_kernel_set(c->work, 3, &c->rounds, 4, &t->err);
    e = e ? e : vl_kernel_set_local(c->work, 4, LOCAL * 4, &t->err);
    e = e ? e : vl_kernel_set_ptr(c->wild, 0, as_ptr(c->list), &t->err);
    e = e ? e : vl_kernel_set_ptr(c->spin, 0, as_ptr(c->own), &t->err);
    e = e ? e : vl_kernel_set(c->spin, 1, &pages, 4, &t->err);
    must(t, e, "arguments");
}

static vl_job job(const context_t *c, vl_kernel *k, uint64_t threads, uint64_t local)
{
    return (vl_job){
        .space = c->space, .kernel = k, .range = {.dims = 1, .global = {threads}, .local = {local}}, .cores = c->cores};
}

static vl_job work_of(test_t *t, unsigned i)
{
    memset(t->c[i].out, 0xee, sizeof(uint32_t) * N);
    return job(&t->c[i], t->c[i].work, N, LOCAL);
}

static void swap_cores(test_t *t)
{
    uint64_t a = t->c[0].cores;
    t->c[0].cores = t->c[1].cores;
    t->c[1].cores = a;
}

/* The context's work, beside whatever: ended well, with the right result, nothing else of it changed. */
static void check_work(test_t *t, unsigned i, const vl_job *j, const char *beside)
{
    const context_t *c = &t->c[i];
    const vl_fault *f = &j->result.fault;
    check(j->result.code == 0,
          "%s: the work of context %u: %s (cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ", core %u, warp %u)", beside,
          i, vl_strerror(j->result.code), f->cause, f->value, f->pc, f->core, f->warp);
    check(right(c), "%s: context %u has a wrong result", beside, i);
    check(guard_is_whole(t->c[0].guard, 1) && guard_is_whole(t->c[1].guard, 2),
          "%s: memory that nobody may write has changed", beside);
    if (t->timed && t->alone[i] && !t->disturbed)
        check(j->result.cycles < 4 * t->alone[i] && j->result.cycles > 0,
              "%s: the work of context %u takes %" PRIu64 " cycles, alone %" PRIu64, beside, i, j->result.cycles,
              t->alone[i]);
}

/* ---- the tests ------------------------------------------------------------------------------------------------------------ */

static void test_both(test_t *t)
{
    vl_job j[2];
    for (unsigned turn = 0; turn < 4;
         turn++) { /* cores change hands, and nothing is invalidated on the way: tags must tell the spaces apart */
        j[0] = work_of(t, 0), j[1] = work_of(t, 1);
        must(t, vl_launch_jobs(t->dev, j, 2), "two kernels");
        check_work(t, 0, &j[0], "two kernels");
        check_work(t, 1, &j[1], "two kernels");
        if (t->timed)
            printf("cores 0x%" PRIx64 " and 0x%" PRIx64 ": %" PRIu64 " and %" PRIu64 " cycles\n", j[0].cores,
                   j[1].cores, j[0].result.cycles, j[1].result.cycles);
        t->alone[0] = j[0].result.cycles, t->alone[1] = j[1].result.cycles;
        swap_cores(t);
    }
}

/* An address at which the context has nothing. Canonical ones are looked up in its tables, and the host receives the fault; others fault where they are. */
static uint64_t wild_address(test_t *t, const context_t *of, const context_t *other, uint32_t kind, bool canonical)
{
    const uint64_t r = rng_u64(&t->random), offset = rng_u64(&t->random);
    uint64_t a;
    switch (r % 8) {
    case 0: a = offset; break; /* anywhere */
    case 1: a = 1ull << offset % 64; break; /* powers of two, and next to them */
    case 2: a = (1ull << offset % 64) - (offset >> 8) % 9; break;
    case 3: a = as_ptr(other->guard) + offset % GUARD; break; /* the other's memory */
    case 4: a = as_ptr(other->in) + offset % (4 * N); break;
    case 5: a = as_ptr(other->out) + offset % (4 * N); break;
    case 6: a = 0x40000000 + offset % 0x30000000; break; /* where its frames are, were it not translated */
    default: a = offset >> 16; break; /* 48 bits */
    }
    if (canonical)
        a = (uint64_t)((int64_t)(a << 16) >> 16);
    if (kind == LOAD8 || kind == STORE8)
        a &= ~7ull;
    if (kind == ATOMIC || kind == JUMP)
        a &= ~3ull;
    /* its image, the scratchpad's aperture, and its own buffers' region are another matter */
    const uint64_t at = kind == JUMP ? a & 0xffffffffffff : a; /* a pc has 48 bits */
    const bool low = at >= 0x10000000 - 8 && at < 0x30010000, own = at - as_ptr(of->in) + (1ull << 37) < 1ull << 38;
    const bool mine = own && !(at - as_ptr(other->in) + (1ull << 30) < 1ull << 31);
    return low || mine ? as_ptr(other->guard) + (offset % GUARD & ~7ull) : a;
}

static bool fault_fits(const struct access *list, unsigned n, const vl_fault *f, bool same_value)
{
    static const uint32_t page[KINDS] = {VL_FAULT_LOAD_PAGE,  VL_FAULT_LOAD_PAGE,  VL_FAULT_STORE_PAGE,
                                         VL_FAULT_STORE_PAGE, VL_FAULT_STORE_PAGE, VL_FAULT_FETCH_PAGE};
    static const uint32_t access[KINDS] = {VL_FAULT_LOAD_ACCESS,  VL_FAULT_LOAD_ACCESS,  VL_FAULT_STORE_ACCESS,
                                           VL_FAULT_STORE_ACCESS, VL_FAULT_STORE_ACCESS, VL_FAULT_FETCH_ACCESS};
    for (unsigned i = 0; i < n; i++) {
        const uint64_t a = list[i].kind == JUMP ? list[i].address & ~1ull : list[i].address;
        if ((f->cause == page[list[i].kind] || f->cause == access[list[i].kind])
            && (!same_value || f->value == a || ((f->value ^ a) << 16) == 0))
            return true;
    }
    return false;
}

/* One context tries addresses, the other works. */
static void test_hostile(test_t *t, unsigned launches)
{
    unsigned long tried = 0;
    for (unsigned n = 0; n < launches; n++) {
        const unsigned h = n & 1, v = !h;
        context_t *c = &t->c[h];
        for (unsigned i = 0; i < t->wild_threads; i++) {
            uint32_t kind = n < KINDS ? n : (uint32_t)(rng_u64(&t->random) % KINDS);
            if (i % t->threads)
                kind = c->list[i - 1].kind; /* of a warp */
            c->list[i] = (struct access){.kind = kind, .address = wild_address(t, c, &t->c[v], kind, n / 2 % 2)};
        }
        vl_job j[2];
        j[h] = job(c, c->wild, t->wild_threads, t->threads);
        j[v] = work_of(t, v);
        must(t, vl_launch_jobs(t->dev, j, 2), "a hostile kernel");
        check_work(t, v, &j[v], "beside a hostile kernel");
        const vl_fault *f = &j[h].result.fault;
        check(j[h].result.code == VL_EFAULT, "launch %u: the hostile kernel: %s", n, vl_strerror(j[h].result.code));
        check(fault_fits(c->list, t->wild_threads, f, true),
              "launch %u: no access of the hostile kernel has fault %u, value 0x%" PRIx64, n, f->cause, f->value);
        check(c->cores >> f->core & 1 || !t->timed, "launch %u: the fault is core %u's, the kernel has 0x%" PRIx64, n,
              f->core, c->cores);
        for (unsigned i = 0; i < t->wild_threads; i++)
            if (c->list[i].survived) {
                check(false, "launch %u: access %u to 0x%" PRIx64 " (kind %u) went through", n, i, c->list[i].address,
                      c->list[i].kind);
                break;
            }
        tried += t->wild_threads;
        if (n % 3 == 2)
            swap_cores(t);
    }
    printf("hostile: %lu accesses in %u launches\n", tried, launches);
}

/* One never ends, and has memory busy: the other ends as ever. */
static void test_endless(test_t *t)
{
    for (unsigned h = 0; h < 2; h++) {
        vl_job j[2];
        j[h] = job(&t->c[h], t->c[h].spin, t->wild_threads, t->threads);
        j[!h] = work_of(t, !h);
        must(t, vl_set_max_cycles(t->dev, t->timed ? 6 * (t->alone[0] + t->alone[1]) : 1000000), "a limit");
        must(t, vl_launch_jobs(t->dev, j, 2), "an endless kernel");
        must(t, vl_set_max_cycles(t->dev, LIMIT), "a limit");
        check(j[h].result.code == VL_ELIMIT, "the endless kernel: %s", vl_strerror(j[h].result.code));
        check_work(t, !h, &j[!h], "beside an endless kernel");
        if (t->timed)
            printf("beside an endless kernel: %" PRIu64 " cycles\n", j[!h].result.cycles);
    }
}

/* Wrong use is refused before anything runs. And all cores for one kernel again. */
static void test_use(test_t *t)
{
    vl_job j[2];
    vl_sharing figures;
    const double alone[] = {2, 3}, shared[] = {1, 2}, none[] = {1, 0};
    uint16_t asid[2];
    check(!vl_space_asid(t->dev, t->c[0].space, &asid[0]) && !vl_space_asid(t->dev, t->c[1].space, &asid[1])
              && asid[0] != asid[1],
          "two spaces have one ASID");
    check(!vl_sharing_of(&figures, alone, shared, 2) && figures.weighted_speedup == 1 / 2.0 + 2 / 3.0
              && figures.throughput == 3 && figures.unfairness == 2,
          "two programs of IPC 2 and 3 alone, 1 and 2 shared: %f, %f, %f", figures.weighted_speedup, figures.throughput,
          figures.unfairness);
    check(vl_sharing_of(&figures, alone, none, 2) == VL_EINVAL
              && vl_sharing_of(&figures, alone, shared, 0) == VL_EINVAL,
          "figures of what is not known");
    for (unsigned i = 0; i < 7; i++) {
        j[0] = work_of(t, 0), j[1] = work_of(t, 1);
        uint32_t n = i == 4 ? 1000 : 2;
        if (i == 0)
            j[1].cores = j[0].cores;
        if (i == 1)
            j[1].cores = 0;
        if (i == 2)
            j[1].cores = 1ull << 63;
        if (i == 3)
            j[1].space = j[0].space, j[1].kernel = j[0].kernel;
        if (i == 5)
            j[1].again = &t->c[1].spin, j[1].n_again = 1; /* another kernel */
        if (i == 6)
            j[1].n_again = 1; /* none */
        check(vl_check_jobs(t->dev, j, n) == VL_EINVAL, "wrong use %u is not found", i);
        check(vl_launch_jobs(t->dev, j, n) == VL_EINVAL, "wrong use %u is not refused", i);
    }
    for (unsigned i = 0; i < 2; i++) {
        must(t, vl_use_space(t->dev, t->c[i].space), "a space");
        j[0] = work_of(t, i);
        vl_result r;
        must(t, vl_launch(t->dev, t->c[i].work, &j[0].range, &r), "a kernel by itself");
        check(right(&t->c[i]), "a kernel by itself has a wrong result");
        if (t->timed)
            printf("context %u on all cores: %" PRIu64 " cycles\n", i, r.cycles);
    }
}

int main(int argc, char **argv)
{
    static test_t t;
    if (argc != 8 && argc != 9) {
        fprintf(stderr, "usage: contexts IMAGE1 IMAGE2 BACKEND CONFIG SEED LAUNCHES ROUNDS [MEMORY]\n");
        return 2;
    }
    const uint64_t seed = strtoull(argv[5], NULL, 0);
    printf("seed %" PRIu64 "\n", seed);
    t.random.state = seed;
    vl_options opt = {.memory = {.mode = VL_PAGED, .random_frames = true, .frame_seed = seed}};
    if (argc == 9)
        must(&t, vl_memory_parse(&opt.memory, argv[8], &t.err), "memory");
    t.disturbed = opt.memory.disturb;
    must(&t, vl_open(&t.dev, argv[4], argv[3], &opt, &t.err), "a device");
    t.timed = strcmp(argv[3], "ref") != 0;
    t.threads = (unsigned)vl_config_value(t.dev, "threads", 8);
    t.wild_threads = t.threads * (unsigned)vl_config_value(t.dev, "warps", 8);
    const unsigned cores = (unsigned)vl_config_value(t.dev, "cores", 2);
    for (uint32_t i = 0; i < 2; i++) {
        t.c[i].who = i + 1;
        t.c[i].rounds = (uint32_t)atoi(argv[7]);
        t.c[i].cores = i ? ~0ull >> (64 - cores) & ~1ull : 1;
        make_context(&t, &t.c[i], argv[1 + i]);
    }
    must(&t, vl_set_max_cycles(t.dev, LIMIT), "a limit");
    test_both(&t);
    test_hostile(&t, (unsigned)atoi(argv[6]));
    test_endless(&t);
    test_use(&t);
    for (unsigned i = 0; i < 2; i++) {
        vl_kernel_close(t.c[i].work);
        vl_kernel_close(t.c[i].wild);
        vl_kernel_close(t.c[i].spin);
    }
    vl_close(t.dev);
    for (unsigned i = 0; i < 2; i++)
        vl_image_free(t.c[i].image);
    return check_verdict();
}
