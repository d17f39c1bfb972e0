/* Writes small images of many shapes into a folder: where the fuzzer begins. */
#include <stdio.h>
#include <stdlib.h>

#include "verif/sw/loader/image_maker.h"

int main(int argc, char **argv)
{
    static const struct {
        uint32_t n, text[12];
    } shapes[] = {
        {4, {0x00208463, A_NOP, A_EXIT, A_EXIT}},                                       /* if */
        {4, {A_NOP, 0xfe208ee3, A_EXIT, A_EXIT}},                                       /* loop */
        {8, {0x00208463, A_NOP, A_BARRIER, 0xfe208ee3, A_EXIT, A_EXIT, 0x00008067, A_EXIT}}, /* barrier in a loop */
        {3, {0x0000006f, A_EXIT, A_EXIT}},                                              /* for ever */
    };
    if (argc != 2)
        return 2;
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char path[4096];
        made m = make_image(shapes[i].text, shapes[i].n, shapes[i].n - 1);
        snprintf(path, sizeof path, "%s/made%u.elf", argv[1], i);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(m.bytes, 1, m.size, f) != m.size || fclose(f))
            return 1;
        free(m.bytes);
    }
    return 0;
}
