/* Random use of host memory: buffers come, go and change by parts, both sides write, spaces change; a plain copy of the expected contents is kept
 * beside. At the end an access that must fault. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/ref/lib/rng.h"
#include "verif/sw/vm/board.h"

enum { BUFFERS = 10, SPACES = 3, ACCESSES = 48, STEPS = 1500, STEPS_LOOKED_AT = 500 };

uint64_t random_seed;

typedef struct {
    vl_ptr p;
    uint64_t pages;
    uint32_t *want;
    uint8_t *rights; /* by page; UNMAPPED */
} shadow;
enum { UNMAPPED = 0xff };

typedef struct {
    rng r;
    vl_device *d;
    vl_space *space[SPACES];
    unsigned at; /* the space in use */
    bool at_once; /* kernels of several spaces run at once */
    shadow buffer[SPACES][BUFFERS];
} world;

static uint64_t below(world *w, uint64_t n)
{
    return rng_u64(&w->r) % n;
}

static void fine(world *w, int e)
{
    if (e)
        fail_msg("%d: %s", e, vl_detail(w->d));
}

static void drop(world *w, shadow *b)
{
    fine(w, vl_free(w->d, b->p));
    free(b->want);
    free(b->rights);
    *b = (shadow){0};
}

static void make(world *w, shadow *b)
{
    b->pages = 1 + below(w, below(w, 4) ? 6 : 700);
    b->p = buffer(w->d, b->pages * 4096 - below(w, 4000));
    b->want = calloc(b->pages, 4096);
    b->rights = malloc(b->pages);
    memset(b->rights, VL_READ | VL_WRITE, b->pages);
}

static void change(world *w, shadow *b)
{
    uint64_t first = below(w, b->pages), n = 1 + below(w, b->pages - first);
    if (below(w, 3))
        n = n < 3 ? n : 3;
    bool none = true, all = true;
    for (uint64_t i = first; i < first + n; i++)
        if (b->rights[i] == UNMAPPED)
            all = false;
        else
            none = false;
    static const uint8_t some[] = {
        VL_READ, VL_READ | VL_WRITE, VL_WRITE, VL_READ | VL_EXECUTE, 0, VL_READ | VL_WRITE | VL_EXECUTE};
    uint8_t rights = some[below(w, 6)];
    vl_ptr at = b->p + first * 4096;
    unsigned what = (unsigned)below(w, 3);
    if (what == 0) {
        fine(w, vl_unmap(w->d, at, n * 4096));
        memset(b->rights + first, UNMAPPED, n);
        memset(b->want + first * 1024, 0, n * 4096);
    } else if (what == 1 && !none) {
        assert_int_equal(vl_map(w->d, at, n * 4096, 0, rights), VL_EINVAL);
    } else if (what == 1) {
        fine(w, vl_map(w->d, at, n * 4096, 0, rights));
        memset(b->rights + first, rights, n);
    } else if (all) {
        fine(w, vl_protect(w->d, at, n * 4096, rights));
        memset(b->rights + first, rights, n);
    } else {
        assert_int_equal(vl_protect(w->d, at, n * 4096, rights), VL_EACCESS);
    }
}

/* A word of a buffer, or none (false). */
static bool some_word(world *w, shadow **b, uint64_t *word)
{
    *b = &w->buffer[w->at][below(w, BUFFERS)];
    if (!(*b)->p)
        return false;
    *word = below(w, (*b)->pages) * 1024 + (below(w, 2) ? below(w, 1024) : below(w, 2) * 1023);
    return (*b)->rights[*word / 1024] != UNMAPPED;
}

static void host_uses(world *w)
{
    shadow *b;
    uint64_t i;
    for (unsigned n = 0; n < 30; n++) {
        if (!some_word(w, &b, &i))
            continue;
        uint32_t *h = (uint32_t *)(uintptr_t)b->p, v = (uint32_t)rng_u64(&w->r), got;
        switch (below(w, 4)) {
        case 0: b->want[i] = h[i] = v; break;
        case 1: fine(w, vl_write(w->d, b->p + i * 4, &v, 4)), b->want[i] = v; break;
        case 2:
            fine(w, vl_read(w->d, b->p + i * 4, &got, 4));
            assert_int_equal(got, b->want[i]);
            break;
        default: assert_int_equal(h[i], b->want[i]);
        }
    }
}

static bool may(uint8_t rights, unsigned kind)
{
    return rights != UNMAPPED && (kind == LOAD ? rights & (VL_READ | VL_WRITE) : rights & VL_WRITE);
}

/* Accesses for the space in use, in a buffer of their own: each word once, threads have no order. */
static vl_ptr choose_accesses(world *w, probe *asked, unsigned *n)
{
    vl_ptr list = buffer(w->d, ACCESSES * sizeof(probe));
    probe *q = (probe *)(uintptr_t)list;
    *n = 0;
    for (unsigned tries = 0; tries < 4 * ACCESSES && *n < ACCESSES; tries++) {
        shadow *b;
        uint64_t i;
        unsigned kind = (unsigned)below(w, 3), k = 0;
        if (!some_word(w, &b, &i) || !may(b->rights[i / 1024], kind))
            continue;
        while (k < *n && q[k].address != b->p + i * 4)
            k++;
        if (k == *n)
            q[k] = asked[k] = (probe){b->p + i * 4, kind, (uint32_t)rng_u64(&w->r)}, ++*n;
    }
    return list;
}

/* Checks the values returned, and updates the expected contents. */
static void check_accesses(world *w, vl_ptr list, const probe *asked, unsigned n)
{
    const probe *q = (probe *)(uintptr_t)list;
    for (unsigned k = 0; k < n; k++)
        for (unsigned x = 0; x < BUFFERS; x++) {
            shadow *b = &w->buffer[w->at][x];
            uint64_t i = (q[k].address - b->p) / 4;
            if (!b->p || q[k].address < b->p || i >= b->pages * 1024)
                continue;
            if (asked[k].kind != STORE)
                assert_int_equal(q[k].value, b->want[i]);
            if (asked[k].kind == STORE)
                b->want[i] = asked[k].value;
            if (asked[k].kind == ADD)
                b->want[i] += asked[k].value;
        }
    fine(w, vl_free(w->d, list));
}

static void device_uses(world *w)
{
    probe asked[ACCESSES];
    unsigned n;
    vl_ptr list = choose_accesses(w, asked, &n);
    if (n)
        fine(w, LAUNCH(w->d, "probe", (n + 3) / 4 * 4, 4, NULL, list, n));
    check_accesses(w, list, asked, n);
}

static void use(world *w, unsigned space)
{
    w->at = space;
    fine(w, vl_use_space(w->d, space ? w->space[space] : NULL));
}

/* Two spaces, a core each. */
static void device_uses_at_once(world *w)
{
    unsigned back = w->at, first = (unsigned)below(w, SPACES), space[2] = {first, (first + 1) % SPACES}, n[2];
    probe asked[2][ACCESSES];
    vl_ptr list[2];
    vl_job jobs[2] = {0};
    vl_error err;
    for (unsigned k = 0; k < 2; k++) {
        use(w, space[k]);
        list[k] = choose_accesses(w, asked[k], &n[k]);
        uint32_t threads = n[k];
        if (vl_kernel_open(&jobs[k].kernel, w->d->image, "probe", &err)
            || vl_kernel_set(jobs[k].kernel, 0, &list[k], 8, &err)
            || vl_kernel_set(jobs[k].kernel, 1, &threads, 4, &err))
            fail_msg("%s", err.text);
        jobs[k].space = space[k] ? w->space[space[k]] : NULL;
        jobs[k].cores = 1ull << k;
        jobs[k].range = (vl_range){.dims = 1, .global = {(n[k] + 4) / 4 * 4}, .local = {4}};
    }
    fine(w, vl_launch_jobs(w->d, jobs, 2));
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(jobs[k].result.code, 0);
        vl_kernel_close(jobs[k].kernel);
        use(w, space[k]);
        check_accesses(w, list[k], asked[k], n[k]);
    }
    use(w, back);
}

/* A space goes with all that is in it, and another comes: it may get the same ASID, the same addresses, the same frames. */
static void renew(world *w)
{
    unsigned s = 1 + (unsigned)below(w, SPACES - 1);
    use(w, 0);
    for (unsigned x = 0; x < BUFFERS; x++) {
        free(w->buffer[s][x].want);
        free(w->buffer[s][x].rights);
        w->buffer[s][x] = (shadow){0};
    }
    fine(w, vl_space_free(w->d, w->space[s]));
    fine(w, vl_space_new(w->d, &w->space[s]));
    use(w, s);
    load_image(w->d);
}

static void compare_all(world *w)
{
    for (unsigned s = 0; s < SPACES; s++)
        for (unsigned x = 0; x < BUFFERS; x++) {
            const shadow *b = &w->buffer[s][x];
            for (uint64_t i = 0; b->p && i < b->pages; i++)
                if (b->rights[i] != UNMAPPED && memcmp((void *)(uintptr_t)(b->p + i * 4096), b->want + i * 1024, 4096))
                    fail_msg("space %u, buffer %#llx, page %llu holds something else", s, (unsigned long long)b->p,
                             (unsigned long long)i);
        }
}

static void bad_end(world *w)
{
    shadow *b;
    uint64_t i;
    unsigned kind = (unsigned)below(w, 3);
    vl_ptr at = 0;
    switch (below(w, 4)) {
    case 0: at = rng_u64(&w->r) & ~3ull; break; /* anywhere: hardly ever anything */
    case 1:
        for (unsigned s = 0; s < SPACES; s++) /* another space's */
            if (s != w->at && w->buffer[s][0].p)
                at = w->buffer[s][0].p;
        break;
    default:
        for (unsigned tries = 0; tries < 1000 && !at; tries++) {
            (void)some_word(w, &b, &i);
            if (b->p && !may(b->rights[i / 1024], kind))
                at = b->p + i * 4;
        }
    }
    if (at - 0x30000000 < 0x10000)
        at = 0;
    vl_result r;
    access_one(w->d, at, kind, 1, VL_EFAULT, &r);
    assert_int_equal(r.fault.cause, kind == LOAD ? VL_FAULT_LOAD_PAGE : VL_FAULT_STORE_PAGE);
    assert_true(r.fault.value == at);
}

static void use_all(world *w, unsigned steps)
{
    w->space[0] = w->d->space;
    for (unsigned s = 1; s < SPACES; s++) {
        fine(w, vl_space_new(w->d, &w->space[s]));
        use(w, s);
        load_image(w->d);
    }
    for (unsigned n = 0; n < steps; n++) {
        shadow *b = &w->buffer[w->at][below(w, BUFFERS)];
        switch (below(w, 8)) {
        case 0:
        case 1:
            if (b->p)
                drop(w, b);
            else
                make(w, b);
            break;
        case 2:
        case 3:
            if (b->p)
                change(w, b);
            break;
        case 4: host_uses(w); break;
        case 5:
            if (below(w, 8))
                use(w, (unsigned)below(w, SPACES));
            else
                renew(w);
            break;
        default:
            if (w->at_once && below(w, 3) == 0)
                device_uses_at_once(w);
            else
                device_uses(w);
        }
        if (n % 16 == 0)
            compare_all(w);
        if (n % 16 == 0)
            check_consistent(w->d);
    }
    compare_all(w);
    bad_end(w);
    compare_all(w);
    close_device(w->d);
    for (unsigned s = 0; s < SPACES; s++)
        for (unsigned x = 0; x < BUFFERS; x++)
            free(w->buffer[s][x].want), free(w->buffer[s][x].rights);
    free(w);
}

static world *new_world(unsigned mode)
{
    world *w = calloc(1, sizeof *w);
    w->r = (rng){random_seed * 100 + mode};
    return w;
}

static void random_use(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged",
                                        "demand",
                                        "demand,frames=24,order=random:1",
                                        "demand,frames=24,evict=fifo,disturb=1",
                                        "paged,order=random:9,disturb=2",
                                        "demand,frames=100,disturb=5",
                                        "paged,page=2m"};
    printf("seed %llu\n", (unsigned long long)random_seed);
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
        world *w = new_world(m);
        w->d = open_device(modes[m], 0);
        use_all(w, STEPS);
    }
}

/* The device's rights on a page: those of the shadows, or those of libvellum's own pages. */
static unsigned rights_of(void *user, uint64_t asid, uint64_t va)
{
    const world *w = user;
    va &= ~(VL_PAGE - 1);
    for (unsigned s = 0; s < SPACES; s++)
        for (unsigned x = 0; w->space[s] && w->space[s]->asid == asid && x < BUFFERS; x++) {
            const shadow *b = &w->buffer[s][x];
            if (b->p && va - b->p < b->pages * VL_PAGE)
                return b->rights[(va - b->p) / VL_PAGE] == UNMAPPED ? 0 : b->rights[(va - b->p) / VL_PAGE];
        }
    unsigned rights = 0;
    for (size_t i = 0; w->d->image && i < w->d->image->n_segments; i++) {
        const vl_segment *g = &w->d->image->segments[i];
        if (g->addr < va + VL_PAGE && va < g->addr + g->mem_bytes)
            rights |= VL_READ | (g->write ? VL_WRITE : 0u) | (g->exec ? VL_EXECUTE : 0u);
    }
    for (const vl_space *s = w->d->memory.spaces; s; s = s->next) /* block, stacks, lists */
        if (s->asid == asid && vl_heap_has(&s->heap, va))
            rights = VL_READ | VL_WRITE;
    return rights;
}

/* The same on a machine that looks at every step of the pager. */
static void the_pager_looked_at(void **state)
{
    (void)state;
    static const struct {
        const char *memory;
        uint64_t frames, mappings;
    } modes[] = {{"demand,frames=12", 8192, 0},
                 {"demand,frames=16,evict=fifo,order=random:3", 8192, 0},
                 {"demand", 120, 0},
                 {"demand,order=random:4", 90, 0},
                 {"demand,frames=24", 8192, 16},
                 {"demand,frames=30,evict=fifo,order=random:6", 8192, 13},
                 {"demand,frames=24,disturb=1", 8192, 0},
                 {"demand,frames=40,evict=fifo,disturb=2", 100, 0},
                 {"paged,order=random:9,disturb=2", 32768, 0},
                 {"paged,page=2m", 32768, 0}};
    board_seen all = {0};
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
        world *w = new_world(m);
        w->at_once = true;
        w->d = open_board(modes[m].memory, modes[m].frames, modes[m].mappings, random_seed * 100 + m, rights_of, w);
        use_all(w, STEPS_LOOKED_AT);
        const board_seen *saw = board_saw();
        printf("%s: %llu looks, %llu pages came, %llu went (%llu copied home), %llu refusals, %llu late stores, %llu "
               "frames used again\n",
               modes[m].memory, (unsigned long long)saw->steps, (unsigned long long)saw->came,
               (unsigned long long)saw->left, (unsigned long long)saw->written, (unsigned long long)saw->refused,
               (unsigned long long)saw->late, (unsigned long long)saw->again);
        all.came += saw->came, all.left += saw->left, all.written += saw->written, all.refused += saw->refused,
            all.late += saw->late, all.again += saw->again;
    }
    assert_true(all.came > 1000 && all.left > 1000 && all.written > 300 && all.left > all.written && all.refused > 500
                && all.late > 100 && all.again > 500);
}

const struct CMUnitTest random_tests[] = {cmocka_unit_test(random_use)};
const size_t n_random_tests = 1;
const struct CMUnitTest board_tests[] = {cmocka_unit_test(the_pager_looked_at)};
const size_t n_board_tests = 1;
