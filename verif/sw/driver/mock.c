#include "verif/sw/driver/mock.h"

#include <unistd.h>

mock m;
driver *d;

static void note(int what, uint64_t addr, uint64_t value)
{
    assert_true(m.n_log < MOST_LOG);
    m.log[m.n_log++] = (asked_for){what, addr, value};
}

static int fails(vl_error *err)
{
    if (++m.accesses != (unsigned)m.fail_at)
        return 0;
    strcpy(err->text, "the wire is cut");
    return m.fail_code;
}

static bool attention(void)
{
    return m.first_fault < m.n_faults && m.fault[m.first_fault].at <= m.now;
}

static void spend(uint64_t cycles)
{
    m.now += cycles;
    for (unsigned k = 0; k < SLOTS; k++)
        if (m.running >> k & 1 && m.takes[k] != NEVER && m.now - m.started[k] >= (uint64_t)m.takes[k]) {
            m.running &= ~(1ull << k);
            m.reg[(k * REG_KERNEL_STRIDE + REG_CYCLES) / 8] = (uint64_t)m.takes[k];
            m.warps_ended++;
            if (k == 0 && m.fault_cause && m.now >= m.fault_at)
                m.reg[REG_FAULT_CAUSE / 8] = m.fault_cause;
            if (k == 0 && m.late_fault)
                m.fault[0].at = m.now, m.late_fault = false;
        }
}

/* True while a bit is still up. */
static bool busy(int *left)
{
    if (*left == NEVER)
        return true;
    return *left && (*left)--;
}

static int read_register(void *self, uint32_t addr, uint64_t *value, vl_error *err)
{
    (void)self;
    spend(m.cost);
    m.popping = false;
    assert_true(addr < 65536 && addr % 8 == 0);
    note(READ_REG, addr, 0);
    int e = fails(err);
    if (e)
        return e;
    const unsigned slot = addr / REG_KERNEL_STRIDE;
    *value = m.reg[addr / 8];
    if (addr == REG_STATUS)
        *value = reg_status_put((reg_status_t){.maint = busy(&m.left_maintenance), .rest = !busy(&m.left_rest)});
    else if (addr % REG_KERNEL_STRIDE == REG_KERNEL_STATUS)
        *value = reg_kernel_status_put((reg_kernel_status_t){.stopping = busy(&m.left_stop[slot])});
    else if (addr >= REG_ROOT && addr < REG_TLB_MODE)
        *value |= reg_root_put((reg_root_t){.pending = busy(&m.left_root)});
    else if (addr == REG_INV)
        *value = reg_inv_read_put((reg_inv_read_t){.busy = busy(&m.left_shootdown)});
    else if (addr == REG_PERF_DATA)
        *value = m.reg[REG_PERF_SEL / 8] + 1; /* each counter of each unit has another value */
    else if (addr % REG_KERNEL_STRIDE == REG_CYCLES && m.running >> slot & 1)
        *value = m.now - m.started[slot];
    else if (addr >= REG_PF_WHAT && addr <= REG_PF_THREADS)
        *value = attention() ? m.fault[m.first_fault].reg[(addr - REG_PF_WHAT) / 8] : 0;
    return 0;
}

static int write_register(void *self, uint32_t addr, uint64_t value, vl_error *err)
{
    (void)self;
    spend(m.cost);
    m.popping = false;
    assert_true(addr < 65536 && addr % 8 == 0);
    note(WRITE_REG, addr, value);
    if (m.fail_on_stop && addr % REG_KERNEL_STRIDE == REG_CMD && value == reg_cmd_put((reg_cmd_t){.stop = true}))
        m.fail_at = (int)m.accesses + 1;
    int e = fails(err);
    if (e)
        return e;
    const unsigned slot = addr / REG_KERNEL_STRIDE;
    m.reg[addr / 8] = value;
    if (addr == REG_MAINT)
        m.left_maintenance = m.maintenance, m.left_rest = m.rest;
    else if (addr == REG_INV)
        m.left_shootdown = m.shootdown;
    else if (addr >= REG_ROOT && addr < REG_TLB_MODE)
        m.left_root = m.root;
    else if (addr == REG_PF_POP && attention())
        m.first_fault++, m.popping = true;
    else if (addr % REG_KERNEL_STRIDE == REG_CMD && value == reg_cmd_put((reg_cmd_t){.start = true}))
        m.running |= 1ull << slot, m.started[slot] = m.now;
    else if (addr % REG_KERNEL_STRIDE == REG_CMD && value == reg_cmd_put((reg_cmd_t){.stop = true}))
        m.running &= ~(1ull << slot), m.left_stop[slot] = m.stop;
    return 0;
}

static int mem(int what, uint64_t addr, uint64_t bytes, vl_error *err)
{
    spend(m.cost);
    note(what, addr, bytes);
    return fails(err);
}

static int mem_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)data, mem(MEM_WRITE, addr, bytes, err);
}
static int mem_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)data, mem(MEM_READ, addr, bytes, err);
}
static int mem_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)byte, mem(MEM_FILL, addr, bytes, err);
}
static int mem_load(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)data, mem(MEM_LOAD, addr, bytes, err);
}
static int mem_dump(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)data, mem(MEM_DUMP, addr, bytes, err);
}
static int mem_clear(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    return (void)self, (void)byte, mem(MEM_CLEAR, addr, bytes, err);
}

static int mem_sync(void *self, uint64_t addr, uint64_t bytes, vl_error *err)
{
    return (void)self, mem(MEM_SYNC, addr, bytes, err);
}

static int wait(void *self, uint64_t most, uint64_t running, vl_host_levels *levels, vl_error *err)
{
    (void)self;
    m.most_asked = most;
    m.waits++;
    if (m.sleep_ms)
        usleep(m.sleep_ms * 1000);
    uint64_t begin = m.now;
    do
        spend(1);
    while (!m.popping && !attention() && !(running & ~m.running) && m.now - begin < most && m.now - begin < 4096);
    *levels =
        (vl_host_levels){.attention = m.popping || attention(), .running = m.running, .warps_ended = m.warps_ended};
    m.popping = false;
    return fails(err);
}

static int pass(void *self, uint64_t cycles, vl_error *err)
{
    (void)self;
    note(PASS, 0, cycles);
    spend(cycles);
    return fails(err);
}

static uint64_t now(void *self)
{
    return (void)self, m.now;
}

static int place(void *self, unsigned memory, vl_error *err)
{
    (void)self;
    note(PLACE, 0, memory);
    return fails(err);
}

static int share(void *self, vl_error *err)
{
    return (void)self, note(SHARE, 0, 0), fails(err);
}

static int begin(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    (void)self;
    note(BEGIN, 0, n);
    memcpy(m.seen_begin, jobs, n * sizeof *jobs);
    return fails(err);
}

static int end(void *self, const vl_backend_job *jobs, uint32_t n, vl_error *err)
{
    (void)self;
    note(END, 0, n);
    memcpy(m.seen_end, jobs, n * sizeof *jobs);
    return fails(err);
}

static int again(void *self, uint32_t k, const vl_backend_job *job, vl_error *err)
{
    (void)self;
    note(AGAIN, 0, k);
    m.seen_again.slot = k;
    m.seen_again.launch_arg = job->launch->arg;
    return fails(err);
}

static const vl_host_facts *facts(void *self)
{
    return (void)self, &m.facts;
}

static void mock_close(void *self)
{
    (void)self;
    m.closed++;
}

vl_host_ops mock_ops;
static const vl_host_ops all_ops = {.close = mock_close,
                                    .facts = facts,
                                    .read_register = read_register,
                                    .write_register = write_register,
                                    .write = mem_write,
                                    .read = mem_read,
                                    .fill = mem_fill,
                                    .sync = mem_sync,
                                    .wait = wait,
                                    .pass = pass,
                                    .now = now,
                                    .load = mem_load,
                                    .dump = mem_dump,
                                    .clear = mem_clear,
                                    .home = place,
                                    .share = share,
                                    .begin = begin,
                                    .end = end,
                                    .again = again};

static int connect(vl_host_if *host, const vl_backend_env *e, vl_error *err)
{
    (void)e, (void)err;
    *host = (vl_host_if){&mock_ops, &m};
    return 0;
}

#define ONE(...) +1
#include "vl_perf.h"

vl_backend_env env;

void mock_reset(void)
{
    memset(&m, 0, sizeof m);
    mock_ops = all_ops;
    env = (vl_backend_env){.root = ".",
                           .config = "mock",
                           .cores = 4,
                           .warps = 8,
                           .threads = 4,
                           .lanes = 2,
                           .spad_bytes = 4096,
                           .reconv_entries = 8,
                           .connect = connect};
    m.facts = (vl_host_facts){.name = "mock",
                              .config = "mock",
                              .cores = 4,
                              .warps = 8,
                              .threads = 4,
                              .lanes = 2,
                              .groups = 6,
                              .spad_bytes = 4096,
                              .reconv_entries = 8,
                              .kernels = 2,
                              .page_faults = 5,
                              .devices = 1,
                              .slices = 2,
                              .channels = 1,
                              .memory_bytes = 0x10000000,
                              .counters = {0 VL_COUNTERS(ONE), 0 VL_SLICE_COUNTERS(ONE), 0 VL_CHANNEL_COUNTERS(ONE),
                                           0 VL_STACK_COUNTERS(ONE), 0 VL_HOME_COUNTERS(ONE), 0 VL_WIRE_COUNTERS(ONE),
                                           0 VL_SHARED_COUNTERS(ONE)}};
    m.cost = 3;
    m.maintenance = m.rest = m.stop = m.root = m.shootdown = 1;
    for (unsigned k = 0; k < SLOTS; k++)
        m.takes[k] = 100;
}

int mock_open(vl_error *err)
{
    void *self = NULL;
    int e = vl_driver.open(&self, &env, err);
    d = e ? NULL : self;
    return e;
}

int mock_setup(void **state)
{
    (void)state;
    static vl_error err;
    mock_reset();
    return mock_open(&err) || vl_driver.set_window(d, 0x10000000, 0x20000000, &err);
}

#define IS_OF(k, name, block, help) +!strcmp(#block, of)
size_t rows_of(const char *of)
{
    return 0 VL_COUNTERS(IS_OF);
}

size_t channel_rows_of(const char *of)
{
    return 0 VL_CHANNEL_COUNTERS(IS_OF);
}

size_t absent_rows(void)
{
    return (m.facts.shared ? 0 : rows_of("seam_port")) + (m.facts.locality ? 0 : rows_of("warp_locality"))
           + (m.facts.compaction ? 0 : rows_of("compactor")) + (m.facts.cpm_bits ? 0 : rows_of("common_page"))
           + (m.facts.walk_pointers ? 0 : 1 /* ptw_kept */);
}

size_t absent_channel_rows(void)
{
    return m.facts.dram_detail ? 0 : channel_rows_of("perf_channel");
}

int mock_setup_directory(void **state)
{
    (void)state;
    static vl_error err;
    mock_reset();
    m.facts.block_bytes = 4096;
    m.facts.stacks = 3;
    m.facts.homes = 2;
    m.facts.wires = 2;
    m.facts.link_bytes = 32;
    return mock_open(&err) || vl_driver.set_window(d, 0x10000000, 0x20000000, &err);
}

int mock_teardown(void **state)
{
    (void)state;
    if (d)
        vl_driver.close(d);
    d = NULL;
    return m.closed != 1;
}

void forget(void)
{
    m.n_log = 0;
}

unsigned writes(uint32_t reg)
{
    unsigned n = 0;
    while (nth_write(reg, n))
        n++;
    return n;
}

unsigned count(int what)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m.n_log; i++)
        n += (int)m.log[i].what == what;
    return n;
}

const asked_for *nth_write(uint32_t reg, unsigned n)
{
    for (unsigned i = 0; i < m.n_log; i++)
        if (m.log[i].what == WRITE_REG && m.log[i].addr == reg && !n--)
            return &m.log[i];
    return NULL;
}

int place_of(int what, uint64_t addr)
{
    for (unsigned i = 0; i < m.n_log; i++)
        if ((int)m.log[i].what == what && m.log[i].addr == addr)
            return (int)i;
    return -1;
}

void raise_fault(uint64_t at, unsigned core, unsigned warp, bool fetch, bool access, bool store, uint64_t value)
{
    assert_true(m.n_faults < MOST_FAULTS);
    m.fault[m.n_faults++] = (struct mock_fault){at,
                                                {reg_pf_what_put((reg_pf_what_t){.valid = true,
                                                                                 .core = (uint8_t)core,
                                                                                 .warp = (uint8_t)warp,
                                                                                 .store = store,
                                                                                 .access = access,
                                                                                 .fetch = fetch}),
                                                 value, 4096 + value, 5}};
}

vl_backend_launch launch(uint32_t groups)
{
    return (vl_backend_launch){.entry = 0x10000000,
                               .arg = 0x12345000,
                               .stack_base = 0x18000000,
                               .stack_log2 = 9,
                               .spad_bytes = 1024,
                               .groups = {groups, 1, 1},
                               .local = {3, 1, 1},
                               .offset = {7, 8, 9},
                               .group_threads = 3,
                               .group_warps = 1};
}

int run_groups(uint32_t groups, vl_fault *fault, vl_error *err)
{
    vl_backend_launch l = launch(groups);
    return driver_run(d, &l, fault, err);
}

int run_two_jobs(uint64_t cores0, uint64_t cores1, vl_backend_job job[2], vl_error *err)
{
    static vl_backend_launch l[2];
    l[0] = launch(3), l[1] = launch(5);
    l[1].entry = 0x10008000;
    job[0] = (vl_backend_job){.launch = &l[0], .cores = cores0};
    job[1] = (vl_backend_job){.launch = &l[1], .cores = cores1};
    return driver_run_jobs(d, job, 2, err);
}
