/* One hexadecimal word a line on standard input, one line of text on standard output; word i is at address 4 i. */
#include <stdio.h>

#include "isa_gen.h"

int main(void)
{
    unsigned word;
    char text[96];
    for (uint64_t pc = 0; scanf("%x", &word) == 1; pc += 4) {
        isa_disasm(word, pc, text, sizeof text);
        puts(text);
    }
}
