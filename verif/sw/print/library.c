/* printf of kernels by libvellum: launches one after the other, a full buffer, no receiver. `library IMAGE`; `library text IMAGE`
 * prints the texts of the kernels `formats`, `vectors` and `order`. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/vellum.h"

static char *said;
static int calls, passed, failed;

static void print(void *user, const char *text, size_t bytes)
{
    free(said);
    said = strndup(text, bytes);
    calls++;
    if (user != &passed)
        failed++;
}

static void check(const char *what, bool ok)
{
    passed += ok, failed += !ok;
    if (!ok)
        printf("FAILED: %s: %s\n", what, said ? said : "(nothing)");
}

static void show(void *user, const char *text, size_t bytes)
{
    (void)user;
    fwrite(text, 1, bytes, stdout);
}

static int texts(const char *path)
{
    static const char *const names[] = {"formats", "vectors", "order"};
    const vl_range ranges[] = {
        {.dims = 1, .global = {1}}, {.dims = 1, .global = {1}}, {.dims = 3, .global = {4, 5, 2}}};
    const float zero = 0, f[4] = {1, -2.5f, 3.25f, 1e6f};
    vl_device *dev;
    vl_image *image;
    vl_kernel *kernel;
    vl_ptr out;
    if (vl_open(&dev, "tiny", "model", NULL, NULL) || vl_image_read(&image, path, NULL) || vl_load(dev, image)
        || vl_malloc(dev, 16, &out) || vl_set_print(dev, show, NULL, 0))
        return 1;
    for (int i = 0; i < 3; i++)
        if (vl_kernel_open(&kernel, image, names[i], NULL) || vl_kernel_set_ptr(kernel, 0, out, NULL)
            || (i == 0 && vl_kernel_set(kernel, 1, &zero, sizeof zero, NULL))
            || (i == 1 && vl_kernel_set(kernel, 1, f, sizeof f, NULL)) || vl_launch(dev, kernel, &ranges[i], NULL))
            return 1;
        else
            vl_kernel_close(kernel);
    vl_image_free(image);
    vl_close(dev);
    return 0;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    if (argc == 3 && !strcmp(argv[1], "text")) {
        fprintf(stderr, "the program's locale has %.1f\n", 0.5);
        return texts(argv[2]);
    }
    vl_device *dev;
    vl_image *image;
    vl_kernel *kernel, *plain;
    vl_error err = {0};
    vl_ptr out, behind;
    int n = 1, values[12], guard;
    vl_range range = {.dims = 1, .global = {4}, .local = {2}};
    if (argc != 2 || vl_open(&dev, "tiny", "ref", NULL, &err) || vl_image_read(&image, argv[1], &err)
        || vl_load(dev, image) || vl_kernel_open(&kernel, image, "values", &err)
        || vl_kernel_open(&plain, image, "plain", &err) || vl_malloc(dev, sizeof values, &out)
        || vl_kernel_set_ptr(kernel, 0, out, &err)) {
        printf("%s\n0 passed, 1 failed\n", err.text);
        return 1;
    }
    check("the note tells that it prints", vl_kernel_get_info(kernel)->prints);
#define LAUNCH()                                                                                                       \
    (vl_kernel_set(kernel, 1, &n, sizeof n, &err) || vl_launch(dev, kernel, &range, NULL)                              \
     || vl_read(dev, out, values, sizeof values))
#define VALUES(a, b, c, d) (values[0] == (a) && values[1] == (b) && values[2] == (c) && values[3] == (d))
    check("nobody listens", !LAUNCH() && VALUES(-1, -1, -1, -1) && calls == 0);
    vl_set_print(dev, print, &passed, 36 + 36 + 20); /* a record has 9 words */
    check("a full buffer", !LAUNCH() && values[0] + values[1] + values[2] + values[3] == -2
                               && strstr(said, "buffer of 92 bytes was full; the calls made 144 bytes"));
    vl_set_print(dev, print, &passed, 144);
    check("what lies behind it", !vl_malloc(dev, 4, &behind) && !vl_fill(dev, behind, 0x5a, 4));
    check("one that just holds it", !LAUNCH() && !strcmp(said, "0 of 1\n1 of 1\n2 of 1\n3 of 1\n"));
    check("is another", !vl_read(dev, behind, &guard, 4) && guard == 0x5a5a5a5a);
    n = 2;
    check("another launch", !LAUNCH() && calls == 3 && !strcmp(said, "0 of 2\n1 of 2\n2 of 2\n3 of 2\n"));
    vl_set_print(dev, print, &passed, 0);
    check("the usual buffer", !LAUNCH() && VALUES(0, 0, 0, 0) && !strcmp(said, "0 of 2\n1 of 2\n2 of 2\n3 of 2\n"));
    range.global[0] = 12; /* records of 5 words; then five of 9, and a hole where a tenth of 5 was */
    check("many short ones", !vl_launch(dev, plain, &range, NULL) && strlen(said) == 24);
    vl_set_print(dev, print, &passed, 200);
    check("nothing of them is left", !LAUNCH() && !strchr(said, '-') && strstr(said, "200 bytes was full"));
    range.global[0] = 4;
    check("one that is too large", vl_set_print(dev, print, &passed, 1ull << 32) == VL_EINVAL);
    vl_set_print(dev, NULL, NULL, 0);
    calls = 0;
    check("nobody listens any more", !LAUNCH() && VALUES(-1, -1, -1, -1) && calls == 0);
    vl_kernel_close(kernel);
    vl_kernel_close(plain);
    vl_image_free(image);
    vl_close(dev);
    free(said);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
