/* The compiler as a program of its own (build/vellum-cc), for the tests of sw/device. */
#include "sw/tools/cc.h"

int main(int argc, char **argv)
{
    return vellum_cc_main(argc, argv);
}
