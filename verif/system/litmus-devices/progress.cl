/* Every thread adds 1 to one word by LR and SC, `rounds` times; most[i]: how many tries one of them took at most (docs/isa.md, Progress of LR and SC). */
__kernel void progress(__global int *at, __global int *most, int rounds)
{
    int longest = 0;
    for (int k = 0; k < rounds; k++) {
        int failed = 1, tries = 0;
        while (failed) {
            int old;
            __asm__ volatile("lr.w %0, (%2)\n addi %0, %0, 1\n sc.w %1, %0, (%2)"
                             : "=&r"(old), "=&r"(failed)
                             : "r"(at)
                             : "memory");
            tries++;
        }
        longest = tries > longest ? tries : longest;
    }
    most[get_global_id(0)] = longest;
}
