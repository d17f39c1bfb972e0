/* Host pointers, rights and sizes of pages, faults. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verif/sw/vm/lib.h"

/* Does this process come through a write to p? */
static bool host_may(void *p, bool write)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        volatile char *c = p;
        if (write)
            *c = *c; /* it is shared with us */
        else
            (void)*c;
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void pointers_are_shared(void **state)
{
    (void)state;
    static const char *const modes[] = {
        "paged", "paged,page=2m", "paged,order=random:5", "demand", "demand,frames=20,order=random:6", "bare,shared"};
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
        vl_device *d = open_device(modes[m], 0);
        enum { N = 3 << 18 }; /* 3 MB */
        vl_ptr p = buffer(d, N * 4);
        uint32_t *h = vl_host(d, p), word, more[2] = {7, 8};
        assert_true(d->space ? (vl_ptr)(uintptr_t)h == p : (h && (vl_ptr)(uintptr_t)h != p));
        for (uint32_t i = 0; i < N; i += 997)
            assert_int_equal(h[i], 0);
        for (uint32_t i = 0; i < N; i += 997)
            h[i] = i;
        assert_int_equal(access_one(d, p + 997 * 4, LOAD, 0, 0, NULL), 997);
        assert_int_equal(access_one(d, p + 997 * 4, ADD, 5, 0, NULL), 997);
        assert_int_equal(h[997], 1002);
        access_one(d, p + N * 4 - 4, STORE, 77, 0, NULL);
        assert_int_equal(h[N - 1], 77);
        h[N - 1] = 78; /* both sides of the same page in turn */
        assert_int_equal(access_one(d, p + N * 4 - 4, ADD, 1, 0, NULL), 78);
        assert_int_equal(vl_read(d, p + N * 4 - 4, &word, 4), 0);
        assert_int_equal(word, 79);
        assert_int_equal(vl_write(d, p + 4092, more, 8), 0); /* over the end of a page */
        assert_int_equal(access_one(d, p + 4096, LOAD, 0, 0, NULL), 8);
        assert_int_equal(vl_fill(d, p + 4000, 0xab, 200), 0);
        assert_int_equal(h[1024], 0xabababab);
        assert_int_equal(vl_free(d, p), 0);
        if (d->space)
            assert_null(vl_host(d, p));
        if (d->space)
            assert_false(host_may((void *)(uintptr_t)p, false));
        p = buffer(d, N * 4); /* the same frames, zero again */
        h = vl_host(d, p);
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(h[i], 0);
        assert_int_equal(access_one(d, p + N * 2, LOAD, 0, 0, NULL), 0);
        close_device(d);
    }
}

static void leaves_have_the_size_asked_for(void **state)
{
    (void)state;
    config_name = "pichai"; /* 4 GB */
    const char *machine = machine_name;
    machine_name = "ref";
    vl_device *d = open_device("paged,page=1g", 0x110000000);
    config_name = "tiny";
    machine_name = machine;
    vl_ptr p = buffer(d, 1ull << 30), q = buffer(d, 5 << 20), r = buffer(d, 100);
    uint64_t pte;
    unsigned level;
    assert_true(page_table_walk(d->space->table, p, &pte, &level) && level == 2);
    assert_true(page_table_walk(d->space->table, q + (4 << 20), &pte, &level) && level == 1);
    assert_true(page_table_walk(d->space->table, r, &pte, &level) && level == 0);
    assert_int_equal(vl_protect(d, q, 4 << 20, VL_READ), 0); /* whole leaves stay whole */
    assert_true(page_table_walk(d->space->table, q + (2 << 20), &pte, &level) && level == 1 && !(pte & PT_W));
    assert_true(page_table_walk(d->space->table, q + (4 << 20), &pte, &level) && level == 1 && (pte & PT_W));
    ((uint32_t *)vl_host(d, p))[(1 << 28) - 1] = 9;
    assert_int_equal(access_one(d, p + (1 << 30) - 4, ADD, 1, 0, NULL), 9);
    assert_int_equal(vl_protect(d, p + (1 << 29), 4096, VL_READ), 0); /* a hole in the large page: split twice */
    assert_true(page_table_walk(d->space->table, p + (1 << 29), &pte, &level) && level == 0);
    assert_true(page_table_walk(d->space->table, p + (1 << 29) + (2 << 20), &pte, &level) && level == 1);
    assert_true(page_table_walk(d->space->table, p + (1 << 29) + 4096, &pte, &level) && level == 0 && (pte & PT_W));
    assert_int_equal(access_one(d, p + (1 << 30) - 4, LOAD, 0, 0, NULL), 10);
    check_consistent(d);
    access_one(d, p + (1 << 29) + 4096, STORE, 3, 0, NULL);
    access_one(d, p + (1 << 29), STORE, 3, VL_EFAULT, NULL);
    close_device(d);
}

/* Opens, makes three pages, does `change` with the middle one, and expects of an access there what `want` says (0: fine). */
static void expect(const char *mode, int (*change)(vl_device *, vl_ptr), unsigned kind, uint32_t want)
{
    vl_device *d = open_device(mode, 0);
    vl_ptr p = buffer(d, 3 * 4096), at = p + 4096 + 64;
    vl_result r;
    *(uint32_t *)vl_host(d, at) = 5;
    access_one(d, at, LOAD, 0, 0, NULL); /* there once */
    if (change && change(d, p + 4096))
        fail_msg("%s", vl_detail(d));
    access_one(d, p + 4092, STORE, 1, 0, NULL); /* the neighbours do not care */
    access_one(d, p + 8192, ADD, 1, 0, NULL);
    access_one(d, at, kind, 1, want ? VL_EFAULT : 0, &r);
    if (want) {
        assert_int_equal(r.fault.cause, want);
        assert_true(r.fault.value == at);
        assert_int_equal(r.fault.mask, 1);
        assert_true(vl_result_value(&r, "page_faults", 1000)
                    < 50); /* given up at once, not after having tried again and again */
        assert_int_equal(access_one(d, p, LOAD, 0, VL_EDEAD, NULL), 0);
    }
    close_device(d);
}

static int read_only(vl_device *d, vl_ptr p)
{
    return vl_protect(d, p, 4096, VL_READ);
}
static int execute_only(vl_device *d, vl_ptr p)
{
    return vl_protect(d, p, 4096, VL_EXECUTE);
}
static int nothing(vl_device *d, vl_ptr p)
{
    return vl_protect(d, p, 4096, 0);
}
static int away(vl_device *d, vl_ptr p)
{
    return vl_unmap(d, p, 4096);
}
static int away_and_back(vl_device *d, vl_ptr p)
{
    int e = vl_unmap(d, p, 4096);
    return e ? e : vl_map(d, p, 4096, 0, VL_READ | VL_WRITE);
}
static int nothing_and_back(vl_device *d, vl_ptr p)
{
    int e = vl_protect(d, p, 4096, 0);
    return e ? e : vl_protect(d, p, 4096, VL_WRITE);
}

static void rights_are_kept(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand", "demand,frames=12,disturb=3",
                                        "paged,order=random:1,disturb=2"};
    for (unsigned m = 0; m < 4; m++) {
        expect(modes[m], NULL, STORE, 0);
        expect(modes[m], read_only, LOAD, 0);
        expect(modes[m], read_only, STORE, VL_FAULT_STORE_PAGE);
        expect(modes[m], read_only, ADD, VL_FAULT_STORE_PAGE);
        expect(modes[m], execute_only, LOAD, VL_FAULT_LOAD_PAGE);
        expect(modes[m], nothing, LOAD, VL_FAULT_LOAD_PAGE);
        expect(modes[m], nothing, STORE, VL_FAULT_STORE_PAGE);
        expect(modes[m], away, LOAD, VL_FAULT_LOAD_PAGE);
        expect(modes[m], away_and_back, ADD, 0);
        expect(modes[m], nothing_and_back, STORE, 0);
    }
}

static void the_host_keeps_what_the_device_may_not(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0);
    vl_ptr p = buffer(d, 3 * 4096);
    uint32_t *h = vl_host(d, p);
    h[1024] = 4;
    assert_int_equal(vl_protect(d, p + 4096, 4096, 0), 0);
    assert_true(host_may(h + 1024, true));
    h[1025] = 6;
    assert_int_equal(vl_protect(d, p + 4096, 4096, VL_READ), 0);
    assert_int_equal(access_one(d, p + 4096, LOAD, 0, 0, NULL), 4);
    assert_int_equal(access_one(d, p + 4100, LOAD, 0, 0, NULL), 6);
    assert_int_equal(vl_unmap(d, p + 4096, 4096), 0);
    assert_false(host_may(h + 1024, false));
    assert_true(host_may(h + 1023, true));
    assert_true(host_may(h + 2048, true));
    assert_null(vl_host(d, p + 4096));
    assert_int_equal(vl_map(d, p + 4096, 4096, 0, VL_READ), 0);
    assert_int_equal(h[1024], 0);
    close_device(d);
}

static void what_is_no_buffer_faults(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand"};
    for (unsigned m = 0; m < 2; m++) {
        vl_result r;
        const struct {
            uint64_t address;
            unsigned kind;
            uint32_t cause;
        } cases[] = {
            {0, LOAD, VL_FAULT_LOAD_PAGE},
            {0x10000000, STORE, VL_FAULT_STORE_PAGE}, /* the kernel's text */
            {0x2ffff000, LOAD, VL_FAULT_LOAD_PAGE},
            {0x40000000, LOAD, VL_FAULT_LOAD_PAGE}, /* physical memory is not seen */
            {0x7ffffffff000, LOAD, VL_FAULT_LOAD_PAGE},
            {0x800000000000, LOAD, VL_FAULT_LOAD_PAGE}, /* not canonical */
            {0xffff7ffffffffffc, STORE, VL_FAULT_STORE_PAGE},
            {0xffffffff80000000, ADD, VL_FAULT_STORE_PAGE},
            {2, LOAD, VL_FAULT_LOAD_MISALIGNED}, /* before any translation */
            {0x3000f000, LOAD, VL_FAULT_LOAD_ACCESS}, /* the aperture, where the group has no scratchpad */
        };
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            vl_device *d = open_device(modes[m], 0);
            access_one(d, cases[i].address, cases[i].kind, 0, VL_EFAULT, &r);
            assert_int_equal(r.fault.cause, cases[i].cause);
            assert_true(r.fault.value == cases[i].address);
            close_device(d);
        }
        vl_device *d = open_device(modes[m], 0); /* text can be read */
        assert_int_not_equal(access_one(d, 0x10000000, LOAD, 0, 0, NULL), 0);
        vl_ptr p = buffer(d, 4096); /* but data is no code */
        *(uint32_t *)vl_host(d, p) = 0x13;
        assert_int_equal(LAUNCH(d, "jump", 1, 1, &r, p), VL_EFAULT);
        assert_int_equal(r.fault.cause, VL_FAULT_FETCH_PAGE);
        assert_true(r.fault.value == p && r.fault.pc == p);
        close_device(d);
        d = open_device(modes[m], 0); /* until vl_protect makes it code */
        p = buffer(d, 8192);
        uint32_t *code = vl_host(d, p);
        code[1023] = 0x13; /* nop, the last word of the page */
        code[1024] = 0; /* illegal, the first of the next */
        assert_int_equal(vl_protect(d, p, 8192, VL_READ | VL_EXECUTE), 0);
        assert_int_equal(LAUNCH(d, "jump", 1, 1, &r, p + 4092), VL_EFAULT);
        assert_int_equal(r.fault.cause, VL_FAULT_ILLEGAL);
        assert_true(r.fault.pc == p + 4096);
        close_device(d);
    }
}

/* What came before the faulting instruction was done once; nothing after it. */
static void faults_are_precise(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand,frames=10,order=random:2",
                                        "demand,frames=8,disturb=9,evict=fifo"};
    for (unsigned m = 0; m < 3; m++) {
        vl_device *d = open_device(modes[m], 0);
        vl_ptr counts = buffer(d, 32 * 4);
        vl_result r;
        assert_int_equal(LAUNCH(d, "count", 32, 4, &r, counts, counts + 31 * 4 + 0x100, 5), 0);
        uint32_t *c = vl_host(d, counts);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(c[i], 17);
        assert_int_equal(LAUNCH(d, "count", 32, 4, &r, counts, 64, 5), VL_EFAULT);
        assert_int_equal(r.fault.cause, VL_FAULT_STORE_PAGE);
        assert_true(r.fault.value == 64);
        assert_int_equal(c[5], 18);
        for (unsigned i = 0; i < 32; i++)
            assert_true(c[i] == 17 || c[i] == 18 || c[i] == 34);
        close_device(d);
    }
}

static void the_scratchpad_is_not_translated(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand,disturb=4"};
    for (unsigned m = 0; m < 2; m++) {
        vl_device *d = open_device(modes[m], 0);
        vl_ptr in = buffer(d, 64 * 4), out = buffer(d, 16 * 4);
        for (uint32_t i = 0; i < 64; i++)
            ((uint32_t *)vl_host(d, in))[i] = i;
        vl_result r;
        if (LAUNCH(d, "local_sum", 64, 8, &r, in, out, 32))
            fail_msg("%s", vl_detail(d));
        for (uint32_t g = 0; g < 8; g++)
            assert_int_equal(((uint32_t *)vl_host(d, out))[g], 8 * (8 * g) + 28);
        close_device(d);
    }
}

static void refused(vl_device *d, int e, int code, const char *says)
{
    if (e != code || !strstr(vl_detail(d), says) || strchr(vl_detail(d), '\n'))
        fail_msg("%d (%s), wanted %d with '%s'", e, vl_detail(d), code, says);
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    vl_device *d = open_device("paged", 0);
    vl_ptr p = buffer(d, 4 * 4096), q;
    refused(d, vl_map(d, p, 4096, 0, VL_READ), VL_EINVAL, "mapped already");
    refused(d, vl_map(d, p, 100, 0, VL_READ), VL_EINVAL, "whole pages");
    refused(d, vl_map(d, p, 4096, 8192, VL_READ), VL_EINVAL, "there are 4 KB");
    refused(d, vl_map(d, p, 4096, 0, 8), VL_EINVAL, "rights");
    refused(d, vl_map(d, p + 4096, 1 << 21, 1 << 21, VL_READ), VL_EINVAL, "whole pages");
    refused(d, vl_map(d, 0x10000000, 4096, 0, VL_READ), VL_EACCESS, "one buffer");
    refused(d, vl_unmap(d, p, 5 * 4096), VL_EACCESS, "one buffer");
    refused(d, vl_unmap(d, p, 0), VL_EINVAL, "whole pages");
    refused(d, vl_protect(d, p, 4096, 16), VL_EINVAL, "rights");
    refused(d, vl_unmap(d, p, 4096), 0, "");
    refused(d, vl_protect(d, p, 8192, VL_READ), VL_EACCESS, "not mapped");
    refused(d, vl_read(d, p, &q, 8), VL_EACCESS, "outside");
    refused(d, vl_read(d, p + 4096, &q, 8), 0, "");
    refused(d, vl_write(d, p + 4 * 4096 - 4, &q, 8), VL_EACCESS, "outside");
    refused(d, vl_read(d, ~0ull - 4, &q, 8), VL_EACCESS, "outside");
    refused(d, vl_fill(d, 0x40000000, 1, 8), VL_EACCESS, "outside");
    refused(d, vl_free(d, p + 4096), VL_EINVAL, "not a buffer");
    refused(d, vl_free(d, 0x10000000), VL_EINVAL, "not a buffer");
    refused(d, vl_malloc(d, 0, &q), VL_EINVAL, "0 bytes");
    refused(d, vl_malloc(d, 1ull << 33, &q), VL_EDEVMEM, "no room");
    refused(d, vl_malloc(d, ~0ull, &q), VL_EDEVMEM, "no room");
    refused(d, vl_reserve(d, 1ull << 60, 0, &q), VL_EDEVMEM, "no room");
    refused(d, vl_reserve(d, 1, 3, &q), VL_EINVAL, "4 KB");
    refused(d, vl_free(d, p), 0, "");
    refused(d, vl_free(d, p), VL_EINVAL, "not a buffer");
    check_consistent(d);
    refused(d, vl_reserve(d, 1 << 20, 0, &p), 0, ""); /* addresses alone */
    assert_null(vl_host(d, p));
    refused(d, vl_map(d, p + 8192, 4096, 0, VL_WRITE), 0, "");
    access_one(d, p + 8192, ADD, 1, 0, NULL);
    access_one(d, p + 4096, LOAD, 0, VL_EFAULT, NULL);
    close_device(d);

    d = open_device("demand", 0);
    p = buffer(d, 2 << 20);
    refused(d, vl_unmap(d, p, 4096), 0, "");
    refused(d, vl_map(d, p, 2 << 20, 2 << 20, VL_READ), VL_ENOTSUP, "4 KB");
    close_device(d);

    d = open_device("bare", 0);
    p = buffer(d, 4096);
    assert_null(vl_host(d, p));
    vl_space *s;
    refused(d, vl_map(d, p, 4096, 0, VL_READ), VL_ENOTSUP, "bare");
    refused(d, vl_unmap(d, p, 4096), VL_ENOTSUP, "bare");
    refused(d, vl_protect(d, p, 4096, VL_READ), VL_ENOTSUP, "bare");
    refused(d, vl_reserve(d, 4096, 0, &p), VL_ENOTSUP, "bare");
    refused(d, vl_space_new(d, &s), VL_ENOTSUP, "bare");
    refused(d, vl_use_space(d, NULL), VL_ENOTSUP, "bare");
    vl_close(d);

    vl_error err;
    vl_options opt = {.memory = {.mode = VL_PAGED}, .mem_limit = 1ull << 47};
    assert_int_equal(vl_open(&d, "tiny", "ref", &opt, &err), VL_EINVAL);
    opt = (vl_options){.memory = {.mode = VL_PAGED, .page_bytes = 12345}};
    assert_int_equal(vl_open(&d, "tiny", "ref", &opt, &err), VL_EINVAL);
    opt = (vl_options){.memory = {.mode = VL_DEMAND, .page_bytes = 1 << 21}};
    assert_int_equal(vl_open(&d, "tiny", "ref", &opt, &err), VL_ENOTSUP);
    opt = (vl_options){.memory = {.mode = VL_DEMAND, .frames = 3}};
    assert_int_equal(vl_open(&d, "tiny", "ref", &opt, &err), VL_EINVAL);
    assert_non_null(strstr(err.text, "at once"));
    opt = (vl_options){.mem_limit = 1ull << 47};
    assert_int_equal(vl_open(&d, "tiny", "ref", &opt, &err), VL_EINVAL); /* beyond the chips */
}

/* Frames in random order are a mapping each, and a process has a limited number of mappings. */
static void too_many_mappings_are_said(void **state)
{
    (void)state;
    vl_device *d = open_device("paged,order=random:1", 0);
    vl_ptr p, q = buffer(d, 1 << 20);
    int e = vl_malloc(d, 70000ull * 4096, &p);
    if (e == 0)
        assert_int_equal(vl_free(d, p), 0); /* a host that allows more */
    else
        refused(d, e, VL_ENOMEM, "vm.max_map_count");
    check_consistent(d);
    p = buffer(d, 1 << 20);
    access_one(d, p, ADD, 1, 0, NULL);
    access_one(d, q, ADD, 1, 0, NULL);
    close_device(d);
}

/* vl_memory_parse: the settings of each word, and each refusal by a word of its message. */
static void memory_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        vl_memory want;
    } good[] = {
        {"bare", {.mode = VL_BARE}},
        {"bare,shared", {.mode = VL_BARE, .shared = true}},
        {"umh", {.mode = VL_BARE, .home = VL_HOME_UMH}},
        {"memcpy", {.mode = VL_BARE, .home = VL_HOME_MEMCPY}},
        {"paged,managed", {.mode = VL_PAGED, .home = VL_HOME_MANAGED}},
        {"zerocopy,shared", {.mode = VL_BARE, .shared = true, .home = VL_HOME_ZEROCOPY}},
        {"demand,frames=7,zerocopy", {.mode = VL_DEMAND, .frames = 7, .home = VL_HOME_ZEROCOPY}},
        {"paged", {.mode = VL_PAGED}},
        {"paged,page=4k", {.mode = VL_PAGED, .page_bytes = 4096}},
        {"paged,page=2m,order=linear", {.mode = VL_PAGED, .page_bytes = 1 << 21}},
        {"paged,page=1g,order=random:18446744073709551615",
         {.mode = VL_PAGED, .page_bytes = 1 << 30, .random_frames = true, .frame_seed = UINT64_MAX}},
        {"paged,disturb=0", {.mode = VL_PAGED, .disturb = true}},
        {"demand,frames=1,evict=fifo,disturb=190",
         {.mode = VL_DEMAND, .frames = 1, .fifo = true, .disturb = true, .disturb_seed = 190}},
        {"demand,evict=clock,order=random:9", {.mode = VL_DEMAND, .random_frames = true, .frame_seed = 9}},
    };
    static const char *const bad[][2] = {
        {"", "no mode ''"},
        {"pag", "no mode"},
        {"managed,memcpy", "given twice"},
        {"umh,zerocopy", "given twice"},
        {"zerocopy,", "KEY=VALUE"},
        {"zerocopy,demand", "'demand'"},
        {"umhx", "no mode"},
        {"pagedx", "no mode"},
        {"paged,", "KEY=VALUE"},
        {"paged,,page=4k", "KEY=VALUE"},
        {"paged,page", "'page'"},
        {"paged,pag=4k", "'pag=4k'"},
        {"paged,page=3m", "page=3m"},
        {"paged,order=up", "order=up"},
        {"paged,order=random", "order=random"},
        {"paged,order=random:", "order=random:"},
        {"paged,order=random:1x", "order=random:1x"},
        {"paged,order=random:18446744073709551616", "order=random:184"},
        {"paged,disturb=", "no seed"},
        {"paged,disturb=-1", "no seed"},
        {"paged,page=4k,page=4k", "page= is given twice"},
        {"paged,disturb=1,disturb=1", "disturb= is given twice"},
        {"paged,frames=9", "demand paging"},
        {"paged,evict=fifo", "demand paging"},
        {"paged,shared", "bare memory"},
        {"demand,shared", "bare memory"},
        {"demand,frames=0", "above 0"},
        {"demand,frames=x", "above 0"},
        {"demand,evict=lru", "evict=lru"},
        {"demand,page=4k", "4 KB"},
        {"bare,order=linear", "no pages"},
        {"bare,frames=3", "no pages"},
        {"paged,order=linearlinearlinearlinearlinearlinearlinearlinearlinearlinearlinearlinearline", "KEY=VALUE"}};
    vl_error err;
    vl_memory m;
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        const vl_memory *w = &good[i].want;
        if (vl_memory_parse(&m, good[i].text, &err))
            fail_msg("%s: %s", good[i].text, err.text);
        if (m.mode != w->mode || m.home != w->home || m.page_bytes != w->page_bytes || m.shared != w->shared
            || m.random_frames != w->random_frames || m.frame_seed != w->frame_seed || m.frames != w->frames
            || m.fifo != w->fifo || m.disturb != w->disturb || m.disturb_seed != w->disturb_seed)
            fail_msg("%s is taken as something else", good[i].text);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(vl_memory_parse(&m, bad[i][0], &err), VL_EINVAL);
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], err.text);
    }
    assert_int_equal(vl_memory_parse(NULL, "bare", &err), VL_EINVAL);
    assert_int_equal(vl_memory_parse(&m, NULL, &err), VL_EINVAL);
}

const struct CMUnitTest page_tests[] = {
    cmocka_unit_test(memory_in_words),
    cmocka_unit_test(pointers_are_shared),
    cmocka_unit_test(leaves_have_the_size_asked_for),
    cmocka_unit_test(rights_are_kept),
    cmocka_unit_test(the_host_keeps_what_the_device_may_not),
    cmocka_unit_test(what_is_no_buffer_faults),
    cmocka_unit_test(faults_are_precise),
    cmocka_unit_test(the_scratchpad_is_not_translated),
    cmocka_unit_test(wrong_use_is_refused),
    cmocka_unit_test(too_many_mappings_are_said),
};
const size_t n_page_tests = sizeof page_tests / sizeof *page_tests;
