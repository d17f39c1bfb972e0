/* `vellum cc`: OpenCL C or C to a kernel image, through stock clang and lld. docs/kernels.md describes it. */
#ifndef VELLUM_TOOLS_CC_H
#define VELLUM_TOOLS_CC_H

/* argv[0] is the word `cc`. Returns the exit status: 0, 1 when the kernel does not compile, 2 for wrong use. */
int vellum_cc_main(int argc, char **argv);

#endif
