/* reopen BACKEND CONFIG KERNELS.elf: after a fault and after the cycle limit a device launches nothing more; closed and opened anew it
 * does, in the same process. Also with a good launch before the fault: its results stay readable after it. */
#include <stdio.h>
#include <string.h>

#include "sw/runtime/vellum.h"

enum { N = 24 };

static vl_device *dev;
static vl_image *image;
static vl_ptr out;

static int fail(const char *what, int code)
{
    printf("%s: %s: %s\n", what, vl_strerror(code), vl_detail(dev));
    return 1;
}

static int open_device(const char *backend, const char *config)
{
    vl_error err;
    int e = vl_open(&dev, config, backend, NULL, &err);
    if (!e)
        e = vl_load(dev, image);
    if (!e)
        e = vl_malloc(dev, N * 4, &out);
    return e;
}

static int launch(const char *kernel, unsigned lo, unsigned hi)
{
    vl_kernel *k;
    vl_error err;
    uint64_t address = 0;
    int e = vl_kernel_open(&k, image, kernel, &err);
    if (e)
        return e;
    vl_kernel_set_ptr(k, 0, out, &err);
    vl_kernel_set(k, 1, &lo, 4, &err);
    vl_kernel_set(k, 2, &hi, 4, &err);
    vl_kernel_set(k, 3, &address, 8, &err);
    vl_result r;
    e = vl_launch(dev, k, &(vl_range){.dims = 1, .global = {N}, .local = {N / 3}}, &r);
    if (e == VL_EFAULT && r.fault.cause != VL_FAULT_LOAD_ACCESS)
        e = VL_EINVAL;
    vl_kernel_close(k);
    return e;
}

static int complete(void)
{
    uint32_t v[N];
    int e = vl_read(dev, out, v, sizeof v);
    for (unsigned i = 0; !e && i < N; i++)
        if (v[i] != i + 1)
            e = VL_EINVAL;
    return e;
}

int main(int argc, char **argv)
{
    vl_error err;
    int e;
    if (argc != 4 || vl_image_read(&image, argv[3], &err))
        return 2;
    for (unsigned round = 0; round < 3; round++) {
        if ((e = open_device(argv[1], argv[2])))
            return fail("open", e);
        if ((e = launch("lb_access", 0, 0)) || (e = complete()))
            return fail("good launch", e);
        vl_set_max_cycles(dev, 100000);
        if (round == 1) {
            if ((e = launch("spin", 5, 6)) != VL_ELIMIT)
                return fail("launch that spins", e);
        } else {
            if ((e = launch("lb_access", 5, 6)) != VL_EFAULT)
                return fail("launch that faults", e);
        }
        if ((e = launch("lb_access", 0, 0)) != VL_EDEAD)
            return fail("launch after the end", e);
        vl_close(dev);
    }
    vl_image_free(image);
    puts("fine");
    return 0;
}
