/* c = a + b: the whole way in plain libvellum calls. The other workloads use the shorthand of wl.h. */
#include "sw/workloads/wl.h"

#define TRY(call)                                                                                                               \
  do {                                                                                                                          \
    int code_ = (call);                                                                                                         \
    if (code_) {                                                                                                                \
      wl_fail(w, "%s: %s %s", #call, vl_strerror(code_), vl_detail(dev));                                                       \
      goto done;                                                                                                                \
    }                                                                                                                           \
  } while (0)

static void run(wl *w, uint32_t n)
{
    vl_device *dev = wl_device(w); /* opened by vl_open(&dev, config, backend, NULL, &err) */
    vl_image *image = NULL;
    vl_kernel *kernel = NULL;
    vl_ptr a = 0, b = 0, c = 0;
    vl_error err;
    vl_result result;

    float *host_a = wl_floats(w, n, -100.0f, 100.0f), *host_b = wl_floats(w, n, -100.0f, 100.0f);
    float *host_c = wl_host(w, n, sizeof(float)), *want = wl_host(w, n, sizeof(float));
    for (uint32_t i = 0; i < n; i++)
        want[i] = host_a[i] + host_b[i];

  /* The kernel image, as `vellum cc vecadd.cl -o vecadd.elf` leaves it. */
    char elf[1300];
    if (!wl_compile(w, NULL, elf, sizeof elf))
        return;
    TRY(vl_image_read(&image, elf, &err));
    TRY(vl_load(dev, image));
    TRY(vl_kernel_open(&kernel, image, "vecadd", &err));

  /* Buffers, and their contents. */
    TRY(vl_malloc(dev, n * sizeof(float), &a));
    TRY(vl_malloc(dev, n * sizeof(float), &b));
    TRY(vl_malloc(dev, n * sizeof(float), &c));
    TRY(vl_write(dev, a, host_a, n * sizeof(float)));
    TRY(vl_write(dev, b, host_b, n * sizeof(float)));

    /* Arguments by position, then enough groups of `local` threads to cover n; the kernel ignores the threads beyond. */
    TRY(vl_kernel_set_ptr(kernel, 0, a, &err));
    TRY(vl_kernel_set_ptr(kernel, 1, b, &err));
    TRY(vl_kernel_set_ptr(kernel, 2, c, &err));
    TRY(vl_kernel_set(kernel, 3, &n, sizeof n, &err));
    uint64_t local = wl_local(w);
    vl_range range = {.dims = 1, .global = {(n + local - 1) / local * local}, .local = {local}};
    TRY(vl_launch(dev, kernel, &range, &result));
    wl_account(w, &result);

    TRY(vl_read(dev, c, host_c, n * sizeof(float)));
    wl_same_f32(w, "c", host_c, want, n);

done:
    vl_free(dev, a);
    vl_free(dev, b);
    vl_free(dev, c);
    vl_kernel_close(kernel);
    vl_image_free(image);
}

const workload workload_vecadd = {"vecadd", "c = a + b", run, {1, 1000, 40003}, 333};
