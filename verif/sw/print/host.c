/* The texts that formats.inc must give. */
#include <stdio.h>

#define P(format, ...) printf(format "\n", __VA_ARGS__);
#define ZERO zero

int main(void)
{
    volatile float zero = 0;
#include "formats.inc"
    printf("nothing to convert\n");
    return 0;
}
