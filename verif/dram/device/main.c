/* The tests of the DRAM device model (docs/dram-device.md). Arguments: SEED [HOW MANY] of the random tests, or
 * `--set NAME`: prints the device model's figures of a set, for comparison with the generator. */
#include "verif/dram/device/tests.h"
#include <stdlib.h>
#include <string.h>

uint64_t first_seed, seeds = 1;

static int print_set(const char *name)
{
    dram_set_t s;
    char path[256], why[256];
    snprintf(path, sizeof path, "rtl/config/dram/%s.toml", name);
    if (dram_set_read(&s, path, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
#define F(field, least, most) printf(#field " %u\n", s.field);
    DRAM_SET_FIELDS(F)
#undef F
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--set"))
        return print_set(argv[2]);
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        seeds = strtoull(argv[2], NULL, 0);
    unsigned count = 0;
    int failed = set_tests(&count);
    failed += limit_tests(&count);
    failed += refresh_tests(&count);
    failed += protocol_tests(&count);
    failed += random_tests(&count);
    failed += trace_tests(&count);
    printf("%u passed, %d failed\n", count - (unsigned)failed, failed);
    return failed != 0;
}
