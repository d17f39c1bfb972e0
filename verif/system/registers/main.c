/* Every control register of a whole machine, through the host: its reset value, the bits that it keeps, that nothing else moves. And every policy, through
 * libvellum: the register's value after a launch for which it was set.
 *
 *     registers KERNEL BACKEND CONFIG SEED      last line: N passed, N failed
 */
#include "sw/runtime/host.h"
#include "sw/runtime/internal.h"
#include "verif/ref/lib/rng.h"
#include "vl_regs.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The configuration's values that registers.toml uses. */
#define X(NAME, key) static int64_t NAME;
VL_REGISTER_KEYS(X)
#undef X
#include "verif/common/registers.h"

enum { MOST_PLACES = 64, PATIENCE = 100000 };

static unsigned passed, failed;
static vl_error err;

__attribute__((format(printf, 2, 3))) static bool check(bool ok, const char *fmt, ...)
{
    va_list ap;
    passed += ok;
    failed += !ok;
    if (ok || failed > 20)
        return ok;
    va_start(ap, fmt);
    printf("FAILED: ");
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
    return ok;
}

static void must(int e, const char *what)
{
    if (!e)
        return;
    printf("FAILED: %s: %s\n%u passed, %u failed\n", what, *err.text ? err.text : vl_strerror(e), passed, failed + 1);
    exit(1);
}

/* ---- a machine's registers ---- */

static vl_host_if host;
static const vl_host_facts *facts;
static known_register_t known[KNOWN_REGISTERS];

static uint64_t get(uint32_t addr)
{
    uint64_t v = 0;
    must(host.ops->read_register(host.self, addr, &v, &err), "read of a register");
    return v;
}

static void put(uint32_t addr, uint64_t v)
{
    must(host.ops->write_register(host.self, addr, v, &err), "write of a register");
}

static unsigned places(const known_register_t *r)
{
    return r->of_kernel ? facts->kernels : r->of_core ? facts->cores : 1;
}

static uint32_t address(const known_register_t *r, unsigned place)
{
    return r->addr + place * (r->of_kernel ? REG_KERNEL_STRIDE : REG_CORE_STRIDE);
}

static void await(uint32_t addr, uint64_t mask, uint64_t want)
{
    unsigned n = 0;
    while ((get(addr) & mask) != want && n < PATIENCE)
        n++;
    check(n < PATIENCE, "register 0x%03x never has bits 0x%" PRIx64 " as 0x%" PRIx64, addr, mask, want);
}

/* All that can be read, by register and place. What moves by itself, or tells how long something took, is left out. */
static void snapshot(uint64_t seen[KNOWN_REGISTERS][MOST_PLACES])
{
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        for (unsigned k = 0; k < places(&known[i]); k++)
            seen[i][k] = known[i].addr == REG_PERF_DATA || known[i].addr == REG_STATUS || known[i].addr == REG_INV
                             ? 0
                             : get(address(&known[i], k));
}

static uint64_t before[KNOWN_REGISTERS][MOST_PLACES], after[KNOWN_REGISTERS][MOST_PLACES];

/* Nothing but register `but` at `place` has changed. */
static void check_neighbours(const known_register_t *but, unsigned place, uint64_t written)
{
    snapshot(after);
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        for (unsigned k = 0; k < places(&known[i]); k++)
            if (&known[i] != but || k != place)
                check(after[i][k] == before[i][k],
                      "a write of 0x%" PRIx64 " to %s %u changes %s %u from 0x%" PRIx64 " to 0x%" PRIx64, written,
                      but->name, place, known[i].name, k, before[i][k], after[i][k]);
}

static void reset_values(void)
{
    snapshot(before);
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++) {
        const known_register_t *r = &known[i];
        for (unsigned k = 0; k < places(r); k++) {
            const uint64_t want = r->addr == REG_CORES && k == 0 ? ~0ull >> (64 - facts->cores) : r->reset;
            check(before[i][k] == want || r->addr == REG_PERF_DATA || r->addr == REG_STATUS,
                  "%s %u is 0x%" PRIx64 " after reset, not 0x%" PRIx64, r->name, k, before[i][k], want);
        }
    }
    for (unsigned k = 0; facts->block_bytes && k < 100000 && !reg_status_get(get(REG_STATUS)).rest; k++)
        ; /* directories are cleared first */
    check(reg_status_get(get(REG_STATUS)).rest && !(get(REG_STATUS) & ~reg_status_put((reg_status_t){.rest = true})),
          "STATUS is 0x%" PRIx64 " after reset", get(REG_STATUS));
    check(!get(REG_INV), "INV is 0x%" PRIx64 " after reset", get(REG_INV));
}

/* Between them, and beyond the last kernel slot. */
static void nobodys_addresses(void)
{
    for (uint32_t addr = 0; addr < 0x10000; addr += 8) {
        bool there = false;
        for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
            for (unsigned k = 0; k < places(&known[i]); k++)
                there |= address(&known[i], k) == addr;
        if (there || (addr > REG_KERNEL_STRIDE && addr / 8 % 16)) /* of the other slots' some */
            continue;
        put(addr, ~0ull);
        check(!get(addr), "there is no register at 0x%03x, but it reads 0x%" PRIx64, addr, get(addr));
    }
    snapshot(after);
    check(!memcmp(before, after, sizeof before), "writes where no register is have changed some");
}

/* The value of a register that keeps its writes, after a write of `v`. */
static uint64_t as_kept(const known_register_t *r, uint64_t v)
{
    if (r->addr == REG_TLB_MODE && reg_tlb_mode_get(v).mode > TLB_MODE_MODE_OVERLAP)
        return reg_tlb_mode_put((reg_tlb_mode_t){.mode = TLB_MODE_MODE_OVERLAP});
    return v & r->kept;
}

static void write_one(const known_register_t *r, unsigned place, uint64_t v, bool neighbours)
{
    const uint32_t addr = address(r, place);
    put(addr, v);
    if (r->of_core)
        await(addr, reg_root_put((reg_root_t){.pending = true}), 0);
    const uint64_t is = get(addr);
    check(is == as_kept(r, v), "%s %u reads 0x%" PRIx64 " after a write of 0x%" PRIx64 ", not 0x%" PRIx64, r->name,
          place, is, v, as_kept(r, v));
    if (neighbours)
        check_neighbours(r, place, v);
}

static void kept_registers(rng *random)
{
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++) {
        const known_register_t *r = &known[i];
        if (!r->kept)
            continue;
        for (unsigned k = 0; k < places(r); k++) {
            const uint32_t addr = address(r, k);
            for (unsigned bit = 0; bit < 64; bit++) {
                write_one(r, k, 1ull << bit, false);
                write_one(r, k, ~(1ull << bit), false);
            }
            write_one(r, k, rng_u64(random), false);
            write_one(r, k, 0, false);
            write_one(r, k, ~0ull, true);
            before[i][k] = get(addr); /* it must keep this value while its neighbours are written */
        }
    }
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        for (unsigned k = 0; known[i].kept && k < places(&known[i]); k++) {
            write_one(&known[i], k, known[i].reset, true);
            before[i][k] = get(address(&known[i], k));
        }
}

/* Read-only registers: they cannot be written. */
static void told_registers(void)
{
    for (unsigned i = 0; i < KNOWN_REGISTERS; i++)
        for (unsigned k = 0; !known[i].kept && !known[i].taken && known[i].addr != REG_CORES && k < places(&known[i]);
             k++) {
            put(address(&known[i], k), ~0ull);
            put(address(&known[i], k), 0);
        }
    check_neighbours(NULL, 0, 0);
}

/* Commands read 0, or their effect. */
static void commands(void)
{
    const unsigned kernels = facts->kernels;
    const uint64_t all = ~0ull >> (64 - facts->cores),
                   stopping = reg_kernel_status_put((reg_kernel_status_t){.stopping = true});
    for (unsigned k = kernels; k-- > 0;) {
        put(k * REG_KERNEL_STRIDE + REG_CORES, ~0ull);
        for (unsigned o = 0; o < kernels; o++)
            check(get(o * REG_KERNEL_STRIDE + REG_CORES) == (o == k ? all : 0),
                  "cores of kernel %u when kernel %u has taken all", o, k);
        put(k * REG_KERNEL_STRIDE + REG_CORES, 0);
        check(get(k * REG_KERNEL_STRIDE + REG_CORES) == all, "kernel %u gives cores away", k);
        put(k * REG_KERNEL_STRIDE + REG_CMD, reg_cmd_put((reg_cmd_t){.stop = true}));
        check(get(k * REG_KERNEL_STRIDE + REG_KERNEL_STATUS) == stopping && reg_status_get(get(REG_STATUS)).stopping,
              "a stop of kernel %u does not show", k);
        await(k * REG_KERNEL_STRIDE + REG_KERNEL_STATUS, stopping, 0);
        check(!get(k * REG_KERNEL_STRIDE + REG_CMD), "CMD reads 0");
        put(k * REG_KERNEL_STRIDE + REG_RECONV_TARGET, ~0ull);
        put(k * REG_KERNEL_STRIDE + REG_RECONV_TARGET, reg_reconv_target_put((reg_reconv_target_t){.valid = false}));
        check(!get(k * REG_KERNEL_STRIDE + REG_RECONV_TARGET), "RECONV_TARGET reads 0");
    }
    for (unsigned op = MAINT_OP_FLUSH_LINE; op <= MAINT_OP_INVAL_ALL; op++) {
        put(REG_MAINT, reg_maint_put((reg_maint_t){.op = (uint8_t)op, .line = 0x1234}));
        await(REG_MAINT, ~0ull, 0);
        await(REG_STATUS, reg_status_put((reg_status_t){.maint = true, .rest = true}),
              reg_status_put((reg_status_t){.rest = true}));
    }
    for (unsigned scope = INV_SCOPE_ALL; scope <= INV_SCOPE_PAGE; scope++) {
        put(REG_INV, reg_inv_put((reg_inv_t){.scope = (uint8_t)scope, .asid = 0xffff}));
        await(REG_INV, reg_inv_read_put((reg_inv_read_t){.busy = true}), 0);
        check(reg_inv_read_get(get(REG_INV)).cycles > 0 && reg_inv_read_get(get(REG_INV)).cycles < PATIENCE,
              "a shootdown takes time");
    }
    put(REG_PF_POP, ~0ull);
    put(REG_RESUME, ~0ull);
    check(!get(REG_PF_POP) && !get(REG_RESUME) && !get(REG_PF_WHAT), "no page fault, and PF_POP and RESUME read 0");
    check_neighbours(NULL, 0, 0);
}

static void registers(const char *root, const vl_config *c, const char *backend, rng *random)
{
    vl_backend b;
    must(vl_backend_find(backend, root, vl_cfg_name(c), NULL, &b, &err), backend);
    const vl_backend_env env = {.root = root,
                                .config = vl_cfg_name(c),
                                .cores = (uint32_t)CORES,
                                .warps = (uint32_t)WARPS,
                                .threads = (uint32_t)THREADS,
                                .lanes = (uint32_t)vl_cfg_get(c, "lanes", 0),
                                .spad_bytes = (uint32_t)SPAD_BYTES,
                                .reconv_entries = (uint32_t)RECONV_ENTRIES,
                                .cfg = c,
                                .connect = b.connect,
                                .machine = b.machine};
    must(b.connect(&host, &env, &err), "the machine");
    facts = host.ops->facts(host.self);
    known_registers(known);
    reset_values();
    nobodys_addresses();
    kept_registers(random);
    told_registers();
    commands();
    host.ops->close(host.self);
}

/* ---- policies, through libvellum ---- */

/* A policy and its place in a register. The rows of `all` below are written by hand; a policy without a row is taken from VL_POLICIES. */
typedef struct {
    const char *name;
    uint32_t reg;
    uint64_t mask;
    uint32_t most; /* numbers 0 to this; 0: names */
    struct {
        const char *name;
        uint64_t word;
    } named[9];
} row_t;

/* A row of VL_POLICIES. */
static row_t described(const char *name, unsigned names, uint32_t most, uint32_t reg, uint64_t mask, const char *values,
                       const uint64_t *words)
{
    static char text[1024]; /* names of all policies described */
    static size_t used;
    row_t row = {.name = name, .reg = reg, .mask = mask, .most = names ? 0 : most};
    for (unsigned i = 0; i < names && i < 9; i++) {
        const size_t n = strcspn(values, ",");
        row.named[i].name = text + used;
        row.named[i].word = words[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s", (int)n, values) + 1;
        values += n + (values[n] == ',');
    }
    return row;
}

static unsigned add_described(row_t *all, unsigned n)
{
#define ADD(id, NAME, values, help, names, most, init, reg, low, mask, ...) \
    do { \
        bool there = false; \
        for (unsigned p = 0; p < n; p++) \
            there |= !strcmp(all[p].name, NAME); \
        if (!there) \
            all[n++] = described(NAME, names, most, reg, mask, values, (const uint64_t[]){__VA_ARGS__}); \
    } while (0);
    VL_POLICIES(ADD)
#undef ADD
    return n;
}

enum { MOST_POLICIES = 64 };

static uint64_t app_asid(unsigned i)
{
    reg_app_asids_t r = {0};
    r.app[i].asid = 0xffff;
    return reg_app_asids_put(r);
}
static uint64_t app_walks(unsigned i)
{
    reg_quota_in_t r = {0};
    r.app[i].con_ptw = 63;
    return reg_quota_in_put(r);
}
static uint64_t app_warps(unsigned i)
{
    reg_quota_in_t r = {0};
    r.app[i].warps = 63;
    return reg_quota_in_put(r);
}
static uint64_t depths(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    return reg_locality_put((reg_locality_t){.depth0 = a, .depth1 = b, .depth2 = c, .depth3 = d});
}

static uint64_t walkers(bool coalesce, unsigned n)
{
    return reg_walk_put((reg_walk_t){.coalesce = coalesce, .walkers = (uint8_t)n});
}

static const vl_host_ops *seen_ops;
static void *seen_host;

static int connect_seen(vl_host_if *h, const vl_backend_env *env, vl_error *e)
{
    int r = vl_host_machine(h, env, e);
    seen_ops = h->ops;
    seen_host = h->self;
    return r;
}

static uint64_t seen(uint32_t reg)
{
    uint64_t v = 0;
    must(seen_ops->read_register(seen_host, reg, &v, &err), "read of a register");
    return v;
}

static void launch(vl_device *d, vl_kernel *k, vl_ptr out, unsigned n)
{
    const vl_range range = {.dims = 1, .global = {n}, .local = {n / 2}};
    uint32_t got[64];
    vl_result r;
    memset(got, 0, sizeof got);
    must(vl_write(d, out, got, n * sizeof *got), "write");
    int e = vl_launch(d, k, &range, &r);
    if (e)
        snprintf(err.text, sizeof err.text, "%s", vl_detail(d));
    must(e, "launch");
    must(vl_read(d, out, got, n * sizeof *got), "read");
    bool right = true;
    for (unsigned i = 0; i < n; i++)
        right &= got[i] == n - i;
    check(right, "the kernel gives something else under a policy");
}

/* A policy switches on a mechanism that the machine has not: it is refused. */
static bool is_absent(const vl_config *c, const char *policy)
{
    const bool shared = !strcmp(vl_cfg_word(c, "translation"), "shared");
    return (!strcmp(policy, "compaction") && strcmp(vl_cfg_word(c, "compaction"), "block"))
           || (!strcmp(policy, "locality") && !vl_cfg_get(c, "locality_entries", 0))
           || (!strcmp(policy, "walk_cache") && !shared && !vl_cfg_get(c, "walk_pointers", 0))
           || ((!strcmp(policy, "tokens") || !strcmp(policy, "walk_bypass")) && !shared);
}

static void policies(const char *root, const vl_config *c, const char *backend, const char *elf, rng *random)
{
    row_t all[MOST_POLICIES] = {
        {"warp_sched", REG_POLICY, reg_policy_put((reg_policy_t){.sched = 1}), 0, {{"gto", 1}, {"lrr", 0}}},
        {"l1d_prefetch",
         REG_POLICY,
         reg_policy_put((reg_policy_t){.prefetch = 3}),
         0,
         {{"stream", reg_policy_put((reg_policy_t){.prefetch = POLICY_PREFETCH_STREAM})},
          {"off", reg_policy_put((reg_policy_t){.prefetch = POLICY_PREFETCH_OFF})},
          {"next", reg_policy_put((reg_policy_t){.prefetch = POLICY_PREFETCH_NEXT})}}},
        {"mem_sched",
         REG_SCHED,
         reg_sched_put((reg_sched_t){.mode = 1}),
         0,
         {{"mask", reg_sched_put((reg_sched_t){.mode = 1})}, {"frfcfs", 0}}},
        {"mem_bound", REG_SCHED, reg_sched_put((reg_sched_t){.bound = 2047}), 2047, {{0}}},
        {"mem_write_high", REG_SCHED, reg_sched_put((reg_sched_t){.write_high = 511}), 511, {{0}}},
        {"mem_write_low", REG_SCHED, reg_sched_put((reg_sched_t){.write_low = 511}), 511, {{0}}},
        {"mem_turn_skip", REG_SCHED, reg_sched_put((reg_sched_t){.turn_skip = 1023}), 1023, {{0}}},
        {"mem_apps", REG_QUOTA, reg_quota_put((reg_quota_t){.app_valid = 15}), 15, {{0}}},
        {"mem_thresh_max", REG_QUOTA, reg_quota_put((reg_quota_t){.thresh_max = 1023}), 1023, {{0}}},
        {"mem_app0_asid", REG_APP_ASIDS, app_asid(0), 65535, {{0}}},
        {"mem_app1_asid", REG_APP_ASIDS, app_asid(1), 65535, {{0}}},
        {"mem_app2_asid", REG_APP_ASIDS, app_asid(2), 65535, {{0}}},
        {"mem_app3_asid", REG_APP_ASIDS, app_asid(3), 65535, {{0}}},
        {"mem_app0_walks", REG_QUOTA_IN, app_walks(0), 63, {{0}}},
        {"mem_app1_walks", REG_QUOTA_IN, app_walks(1), 63, {{0}}},
        {"mem_app2_walks", REG_QUOTA_IN, app_walks(2), 63, {{0}}},
        {"mem_app3_walks", REG_QUOTA_IN, app_walks(3), 63, {{0}}},
        {"mem_app0_warps", REG_QUOTA_IN, app_warps(0), 63, {{0}}},
        {"mem_app1_warps", REG_QUOTA_IN, app_warps(1), 63, {{0}}},
        {"mem_app2_warps", REG_QUOTA_IN, app_warps(2), 63, {{0}}},
        {"mem_app3_warps", REG_QUOTA_IN, app_warps(3), 63, {{0}}},
        {"mem_epoch", REG_EPOCH, 0xffffffff, 0xffffffff, {{0}}},
        {"dram_page", REG_PAGE_POLICY, 1, 0, {{"closed", 1}, {"open", 0}}},
        {"peers", REG_HOME_POLICY, 1, 0, {{"off", 0}, {"on", 1}}},
        {"memory",
         REG_HOME_POLICY,
         reg_home_policy_put((reg_home_policy_t){.memory = 3}),
         0,
         {{"zerocopy", reg_home_policy_put((reg_home_policy_t){.memory = 1})}, {"umh", 0}}},
        {"tlb", REG_TLB_MODE, 3, 0, {{"blocking", 0}, {"under_miss", 1}, {"overlap", 2}}},
        {"walks",
         REG_WALK,
         walkers(true, 15),
         0,
         {{"naive1", walkers(false, 1)},
          {"naive2", walkers(false, 2)},
          {"naive3", walkers(false, 3)},
          {"naive4", walkers(false, 4)},
          {"naive5", walkers(false, 5)},
          {"naive6", walkers(false, 6)},
          {"naive7", walkers(false, 7)},
          {"naive8", walkers(false, 8)},
          {"coalesced", walkers(true, 1)}}},
        {"walk_reads", REG_WALK, reg_walk_put((reg_walk_t){.reads = 127}), 127, {{0}}},
        {"compaction",
         REG_POLICY,
         reg_policy_put((reg_policy_t){.compaction = 3}),
         0,
         {{"tbc", reg_policy_put((reg_policy_t){.compaction = 1})},
          {"tlb", reg_policy_put((reg_policy_t){.compaction = 2})},
          {"off", 0}}},
        {"cpm_bits", REG_POLICY, reg_policy_put((reg_policy_t){.cpm_bits = 3}), 3, {{0}}},
        {"cpm_period", REG_POLICY, reg_policy_put((reg_policy_t){.cpm_period = 65535}), 65535, {{0}}},
        {"locality", REG_LOCALITY, 3, 0, {{"tcws", LOCALITY_MODE_TCWS}, {"off", 0}, {"ccws", LOCALITY_MODE_CCWS}}},
        {"locality_depths",
         REG_LOCALITY,
         depths(15, 15, 15, 15),
         0,
         {{"none", 0},
          {"lru1248", depths(1, 2, 4, 8)},
          {"lru1234", depths(1, 2, 3, 4)},
          {"lru1369", depths(1, 3, 6, 9)}}},
        {"locality_tlb_weight", REG_LOCALITY, reg_locality_put((reg_locality_t){.tlb_weight = 3}), 3, {{0}}},
        {"locality_entries", REG_LOCALITY, reg_locality_put((reg_locality_t){.entries = 3}), 3, {{0}}},
        {"locality_gain", REG_LOCALITY, reg_locality_put((reg_locality_t){.gain = 255}), 255, {{0}}},
        {"locality_base", REG_LOCALITY, reg_locality_put((reg_locality_t){.base = 255}), 255, {{0}}},
        {"locality_decay", REG_LOCALITY, reg_locality_put((reg_locality_t){.decay = 255}), 255, {{0}}},
        {"locality_hold", REG_LOCALITY, reg_locality_put((reg_locality_t){.hold = 255}), 255, {{0}}},
        {"locality_cutoff", REG_LOCALITY_CUTOFF, 65535, 65535, {{0}}},
        {"l2_tlb",
         REG_WALK,
         reg_walk_put((reg_walk_t){.l2_tlb = 1}),
         0,
         {{"off", 0}, {"on", reg_walk_put((reg_walk_t){.l2_tlb = 1})}}},
        {"walk_cache",
         REG_WALK,
         reg_walk_put((reg_walk_t){.walk_cache = 1}),
         0,
         {{"on", reg_walk_put((reg_walk_t){.walk_cache = 1})}, {"off", 0}}},
        {"tokens", REG_TOKENS, 1, 0, {{"on", 1}, {"off", 0}}},
        {"token_share", REG_TOKENS, reg_tokens_put((reg_tokens_t){.share = 127}), 127, {{0}}},
        {"token_delta", REG_TOKENS, reg_tokens_put((reg_tokens_t){.delta = 127}), 127, {{0}}},
        {"token_step", REG_TOKENS, reg_tokens_put((reg_tokens_t){.step = 63}), 63, {{0}}},
        {"walk_bypass", REG_WALK_BYPASS, 1, 0, {{"on", 1}, {"off", 0}}},
        {"walk_bypass_sample", REG_WALK_BYPASS, reg_walk_bypass_put((reg_walk_bypass_t){.sample = 15}), 15, {{0}}},
        {"mem_inputs",
         REG_QUOTA,
         reg_quota_put((reg_quota_t){.inputs = QUOTA_INPUTS_COUNTED}),
         0,
         {{"counted", reg_quota_put((reg_quota_t){.inputs = QUOTA_INPUTS_COUNTED})}, {"registers", 0}}},
    };
    uint64_t want[MOST_POLICIES];
    unsigned n_policies = 0;
    while (all[n_policies].name)
        n_policies++;
    n_policies = add_described(all, n_policies);
    vl_backend b;
    vl_device *d;
    vl_image *img;
    vl_kernel *k;
    vl_ptr in, out;
    must(vl_backend_find(backend, root, vl_cfg_name(c), NULL, &b, &err), backend);
    b.connect = connect_seen;
    must(vl_open_memory(&d, backend, root, c, &b, 0, NULL, &err), "open");
    must(vl_image_read(&img, elf, &err), elf);
    const unsigned n = 2 * (unsigned)THREADS < 64 ? 2 * (unsigned)THREADS : 64;
    uint32_t data[64];
    for (unsigned i = 0; i < n; i++)
        data[i] = i;
    must(vl_kernel_open(&k, img, "turn", &err), "kernel");
    must(vl_load(d, img), "load");
    must(vl_malloc(d, n * sizeof *data, &in), "memory");
    must(vl_malloc(d, n * sizeof *data, &out), "memory");
    must(vl_write(d, in, data, n * sizeof *data), "write");
    must(vl_kernel_set_ptr(k, 0, in, &err), "argument");
    must(vl_kernel_set_ptr(k, 1, out, &err), "argument");
    for (size_t i = 0; vl_policy_name(i); i++) {
        bool there = false;
        for (unsigned p = 0; p < n_policies; p++)
            there |= !strcmp(all[p].name, vl_policy_name(i));
        check(there, "policy %s is set by nobody here", vl_policy_name(i));
    }
    for (unsigned p = 0; p < n_policies; p++) /* values before the first launch */
        want[p] = seen(all[p].reg) & all[p].mask;
    launch(d, k, out, n);
    for (unsigned p = 0; p < n_policies; p++)
        check((seen(all[p].reg) & all[p].mask) == want[p], "%s is not what it is after reset when nobody sets it",
              all[p].name);
    for (unsigned round = 0; round < 4 + 5; round++) {
        for (unsigned p = 0; p < n_policies; p++) {
            const row_t *a = &all[p];
            const uint32_t numbers[] = {a->most, 0, 1, a->most - 1,
                                        (uint32_t)(rng_u64(random) % ((uint64_t)a->most + 1))};
            char value[32];
            const unsigned low = (unsigned)__builtin_ctzll(a->mask);
            unsigned names = 0;
            while (names < 9 && a->named[names].name)
                names++;
            if (a->most) {
                const uint32_t v = numbers[round % 5];
                snprintf(value, sizeof value, round & 1 ? "0x%x" : "%u", v);
                want[p] = (uint64_t)v << low;
            } else {
                snprintf(value, sizeof value, "%s", a->named[round % names].name);
                want[p] = a->named[round % names].word;
            }
            if (!strcmp(a->name, "memory") && !seen_ops->facts(seen_host)->block_bytes) { /* of directories */
                check(vl_set_policy(d, a->name, value) == VL_ENOTSUP && strstr(vl_detail(d), "home = flat"),
                      "memory=%s in a machine without directories: %s", value, vl_detail(d));
                want[p] = 0;
                continue;
            }
            if (is_absent(c, a->name) && strcmp(value, "off")) {
                check(vl_set_policy(d, a->name, value) == VL_EINVAL && strstr(vl_detail(d), a->name),
                      "%s=%s in a machine without it: %s", a->name, value, vl_detail(d));
                want[p] &= ~a->mask;
                continue;
            }
            const int walkers_here = (int)vl_cfg_get(c, "walkers", 8);
            if (!strncmp(value, "naive", 5) && atoi(value + 5) > walkers_here) { /* more walkers than there are */
                check(vl_set_policy(d, a->name, value) == VL_EINVAL && strstr(vl_detail(d), "walker"),
                      "walks=%s with %d walkers: %s", value, walkers_here, vl_detail(d));
                snprintf(value, sizeof value, "naive1");
                want[p] = a->named[0].word;
            }
            must(vl_set_policy(d, a->name, value), a->name);
            if (a->most) {
                snprintf(value, sizeof value, "%" PRIu64, (uint64_t)a->most + 1);
                check(vl_set_policy(d, a->name, value) == VL_EINVAL && strstr(vl_detail(d), a->name)
                          && strstr(vl_detail(d), "a number from 0 to"),
                      "%s takes %s: %s", a->name, value, vl_detail(d));
            }
            if (round == 0) { /* one after the other: the others stay */
                launch(d, k, out, n);
                for (unsigned o = 0; o < n_policies; o++)
                    check((seen(all[o].reg) & all[o].mask) == want[o],
                          "%s=%s: %s has bits 0x%" PRIx64 ", not 0x%" PRIx64, a->name, value, all[o].name,
                          seen(all[o].reg) & all[o].mask, want[o]);
            }
        }
        launch(d, k, out, n); /* all at once */
        for (unsigned o = 0; o < n_policies; o++)
            check((seen(all[o].reg) & all[o].mask) == want[o], "all set: %s has bits 0x%" PRIx64 ", not 0x%" PRIx64,
                  all[o].name, seen(all[o].reg) & all[o].mask, want[o]);
    }
    vl_kernel_close(k);
    vl_image_free(img);
    vl_close(d);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: registers KERNEL BACKEND CONFIG SEED\n");
        return 2;
    }
    char *root = vl_find_root(NULL, NULL);
    vl_config c;
    if (!root)
        return 2;
    must(vl_config_load(&c, root, argv[3], &err), argv[3]);
#define X(NAME, key) NAME = vl_cfg_get(&c, key, 1);
    VL_REGISTER_KEYS(X)
#undef X
    rng random = {strtoull(argv[4], NULL, 0)};
    registers(root, &c, argv[2], &random);
    policies(root, &c, argv[2], argv[1], &random);
    vl_config_free(&c);
    free(root);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
