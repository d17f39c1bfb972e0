/* Two address spaces of one device in lockstep: two kernels in the first one, then one in the second, which is given a pointer of the first, after kernels in the first have used it, with no shootdown in
 * between (nothing was taken away). So the TLB still holds the page, under another ASID: it must fault. Argument: the kernels' image. Status 0: it did; 4: a difference, reported
 * twice. */
#include "sw/runtime/space.h"
#include <stdio.h>
#include <string.h>

static vl_device *device;
static vl_kernel *kernel;
static int failed; /* code of the last step */

static int done(int e, const char *what)
{
    if (e)
        fprintf(stderr, "%s: %s\n", what, vl_detail(device));
    failed = e;
    return e;
}

/* The kernel stores to a line of p for each of seven threads. */
static int run_on(vl_ptr p)
{
    vl_error err;
    vl_kernel_set(kernel, 0, &p, sizeof p, &err);
    return vl_launch(device, kernel, &(vl_range){.dims = 1, .global = {7}, .local = {7}}, NULL);
}

int main(int argc, char **argv)
{
    vl_options options = {0};
    vl_error err;
    vl_image *image;
    vl_space *other;
    vl_ptr mine, theirs;
    if (argc != 2 || vl_memory_parse(&options.memory, "paged", &err) || vl_image_read(&image, argv[1], &err)
        || vl_kernel_open(&kernel, image, "plain", &err) || vl_open(&device, "tiny", "lockstep", &options, &err)) {
        fprintf(stderr, "spaces: %s\n", err.text);
        return 1;
    }
    if (done(vl_load(device, image), "load") || done(vl_malloc(device, 4096, &mine), "malloc")
        || done(run_on(mine), "first space") || done(run_on(mine), "first space again")
        || done(vl_space_new(device, &other), "new space") || done(vl_use_space(device, other), "use")
        || done(vl_load(device, image), "load") || done(vl_malloc(device, 4096, &theirs), "malloc"))
        return failed == VL_EDIFF ? 4 : 1;
    if (device->memory.stale)
        return done(1, "nothing was taken away, but there will be a shootdown");
    int e = done(run_on(theirs), "second space");
    if (e)
        return 1;
    e = run_on(mine);
    fprintf(stderr, "spaces: %s\n", e ? vl_detail(device) : "no fault");
    if (e == VL_EDIFF) { /* whatever the host does then returns this difference again */
        const vl_error first = device->error;
        uint8_t byte;
        if (device->ops->read(device->self, VL_IMAGE_BASE, &byte, 1, &device->error) != VL_EDIFF
            || strcmp(vl_detail(device), first.text) != 0)
            return done(1, "another difference is told later");
    }
    vl_close(device);
    return e == VL_EDIFF ? 4 : e != VL_EFAULT;
}
