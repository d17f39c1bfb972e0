#include <stdio.h>

#include "verif/sw/loader/tests.h"

int main(void)
{
    unsigned count = 0;
    int failed = flow_tests(&count);
    failed += image_tests(&count);
    failed += device_tests(&count);
    printf("%u passed, %d failed\n", count - (unsigned)failed, failed);
    return failed != 0;
}
