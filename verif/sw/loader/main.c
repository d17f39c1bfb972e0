/* Tests of libvellum without a machine: control flow, the image loader, and the device on a recorder. */
#include <stdio.h>

#include "verif/sw/loader/tests.h"

int main(void)
{
    unsigned count = 0;
    int failed = flow_tests(&count);
    failed += image_tests(&count);
    failed += source_tests(&count);
    failed += open_tests(&count);
    failed += setting_tests(&count);
    failed += memory_tests(&count);
    failed += load_tests(&count);
    failed += launch_tests(&count);
    failed += range_tests(&count);
    failed += argument_tests(&count);
    failed += fault_tests(&count);
    failed += beside_tests(&count);
    failed += word_tests(&count);
    printf("%u passed, %d failed\n", count - (unsigned)failed, failed);
    return failed != 0;
}
