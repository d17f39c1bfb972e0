/* A program of three files that uses the installed library: this one, arithmetic.c, and scale.cl. */
#include <stdio.h>
#include <string.h>
#include <vellum.h>

float fp_add(float a, float b); /* arithmetic.c */

int main(int argc, char **argv)
{
    vl_device *dev;
    vl_image *image;
    vl_kernel *kernel;
    vl_error err = {0};
    vl_ptr x;
    vl_result result;
    float data[64], by = 3;
    for (int i = 0; i < 64; i++)
        data[i] = (float)i;
    if (argc != 4 || vl_open(&dev, argv[2], argv[3], NULL, &err) || vl_image_read(&image, argv[1], &err)
        || vl_load(dev, image) || vl_kernel_open(&kernel, image, "scale", &err) || vl_malloc(dev, sizeof data, &x)
        || vl_write(dev, x, data, sizeof data) || vl_kernel_set_ptr(kernel, 0, x, &err)
        || vl_kernel_set(kernel, 1, &by, sizeof by, &err)
        || vl_launch(dev, kernel, &(vl_range){.dims = 1, .global = {64}, .local = {4}}, &result)
        || vl_read(dev, x, data, sizeof data)) {
        printf("%s\n", err.text);
        return 1;
    }
    float sum = 0;
    for (int i = 0; i < 64; i++)
        sum = fp_add(sum, data[i]);
    printf("%g %d\n", (double)sum, result.cycles > 0);
    vl_kernel_close(kernel);
    vl_image_free(image);
    vl_close(dev);
    return 0;
}
