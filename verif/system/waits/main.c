/* `wait` of the host seam on a simulated machine (docs/host-seam.md, 5) ends in the first cycle in which a page fault waits or a kernel slot is at rest. The model jumps over
 * cycles without an event, and returns at the cycle of the RTL all the same.
 *
 *     waits KERNEL BACKEND CONFIG      last line: N passed, N failed
 */
#include "sw/runtime/host.h"
#include "sw/runtime/internal.h"
#include "verif/common/check.h"
#include "vl_regs.h"
#include <inttypes.h>
#include <string.h>

enum { LONG = 1000, SETTLED = 300, THREADS = 8 };
#define AT_REST (1ull << 40) /* no kernel slot has this number */

static const vl_host_ops *inner;
static vl_host_ops ops;
static unsigned faults, answers; /* waits that ended at once */

/* Cycles of one more wait. */
static uint64_t waited(void *self, uint64_t most, uint64_t running, vl_host_levels *levels)
{
    vl_error err;
    const uint64_t begin = inner->now(self);
    check_call(NULL, &err, inner->wait(self, most, running, levels, &err), "a wait");
    return inner->now(self) - begin;
}

/* Waits that are over as they begin: for a kernel slot at rest, or while a page fault waits. */
static void wait_often(void *self, unsigned *ended, const char *when)
{
    vl_host_levels levels = {0};
    uint64_t cycles = 1;
    for (unsigned i = 0; i < SETTLED && cycles == 1; i++, ++*ended)
        cycles = waited(self, LONG, AT_REST, &levels);
    check(cycles == 1, "%s a wait that is over as it begins takes %" PRIu64 " cycles, not 1", when, cycles);
}

static int wait(void *self, uint64_t most, uint64_t running, vl_host_levels *levels, vl_error *err)
{
    const int r = inner->wait(self, most, running, levels, err);
    if (!r && levels->attention)
        wait_often(self, &faults, "with a page fault");
    return r;
}

/* The driver has taken the page fault out of the queue, and answers it. Until then nothing moves in the machine. */
static int write_register(void *self, uint32_t addr, uint64_t value, vl_error *err)
{
    if (addr == REG_RESUME) {
        vl_host_levels levels;
        for (unsigned i = 0; i < SETTLED; i++)
            waited(self, 1, 1, &levels);
        wait_often(self, &answers, "before an answer");
        const uint64_t cycles = waited(self, LONG, 1, &levels);
        check(cycles == LONG || levels.attention, "before an answer a wait of %u cycles takes %" PRIu64, LONG, cycles);
    }
    return inner->write_register(self, addr, value, err);
}

static int connect(vl_host_if *host, const vl_backend_env *env, vl_error *err)
{
    const int r = vl_host_machine(host, env, err);
    if (r)
        return r;
    inner = host->ops;
    ops = *inner;
    ops.wait = wait;
    ops.write_register = write_register;
    host->ops = &ops;
    vl_host_levels levels;
    uint64_t cycles = waited(host->self, LONG, 1, &levels);
    check(cycles == 1 && !(levels.running & 1), "a wait for a kernel slot at rest takes %" PRIu64 " cycles, not 1",
          cycles);
    cycles = waited(host->self, LONG, 0, &levels);
    check(cycles == LONG, "a wait for nothing takes %" PRIu64 " cycles, not %u", cycles, LONG);
    cycles = waited(host->self, 1, 0, &levels);
    check(cycles == 1, "a wait of one cycle takes %" PRIu64, cycles);
    return r;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    vl_error err = {0};
    vl_backend b;
    vl_config c;
    vl_device *d;
    vl_image *image;
    vl_kernel *k;
    vl_ptr in, out;
    char *root = vl_find_root(NULL, NULL);
    const vl_memory memory = {.mode = VL_DEMAND};
    const vl_range range = {.dims = 1, .global = {THREADS}, .local = {THREADS}};
    const uint32_t data[THREADS] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t got[THREADS];
    vl_result result;
    if (!root)
        return 2;
    check_call(NULL, &err, vl_config_load(&c, root, argv[3], &err), argv[3]);
    check_call(NULL, &err, vl_backend_find(argv[2], root, vl_cfg_name(&c), NULL, &b, &err), argv[2]);
    b.connect = connect;
    check_call(NULL, &err, vl_open_memory(&d, argv[2], root, &c, &b, 0, &memory, &err), "a device");
    check_call(NULL, &err, vl_image_read(&image, argv[1], &err), argv[1]);
    check_call(NULL, &err, vl_kernel_open(&k, image, "turn", &err), "a kernel");
    check_call(d, &err, vl_load(d, image), "its load");
    check_call(d, &err, vl_malloc(d, sizeof data, &in), "a buffer");
    check_call(d, &err, vl_malloc(d, sizeof data, &out), "a buffer");
    check_call(d, &err, vl_write(d, in, data, sizeof data), "a write");
    check_call(NULL, &err, vl_kernel_set_ptr(k, 0, in, &err), "an argument");
    check_call(NULL, &err, vl_kernel_set_ptr(k, 1, out, &err), "an argument");
    check_call(d, &err, vl_launch(d, k, &range, &result), "a launch");
    check_call(d, &err, vl_read(d, out, got, sizeof got), "a read");
    check(got[0] == 9 && got[THREADS - 1] == 2, "the kernel's words are %u and %u", got[0], got[THREADS - 1]);
    check(faults > 0 && answers > 0, "%u waits with a page fault, %u before an answer", faults, answers);
    vl_kernel_close(k);
    vl_image_free(image);
    vl_close(d);
    vl_config_free(&c);
    free(root);
    return check_verdict();
}
