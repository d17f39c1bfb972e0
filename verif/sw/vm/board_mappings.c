/* A process that runs out of mappings (A6): it has them for a given number of pages in frames and not one more. libvellum's vl_show is linked behind this one (--wrap). */
#include "verif/common/failing.h"
#include "verif/sw/vm/board_state.h"

int __real_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err);
int __wrap_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err);
int __wrap_vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err)
{
    if (failing_now())
        return vl_fail(err, VL_ENOMEM, "no mapping is left");
    uint64_t from = (uint64_t)(uintptr_t)at, n = 0;
    bool frame = b.most_shown && b.d && fd == b.d->memory.fd;
    for (uint64_t i = 0; i < b.n_shown; i++)
        n += b.shown[i] - from >= bytes;
    if (frame && n == b.most_shown)
        return vl_fail(err, VL_ENOMEM, "no mapping is left");
    n = 0;
    for (uint64_t i = 0; i < b.n_shown; i++)
        if (b.shown[i] - from >= bytes)
            b.shown[n++] = b.shown[i];
    b.n_shown = n;
    if (frame)
        b.shown[b.n_shown++] = from;
    return __real_vl_show(at, bytes, fd, offset, err);
}
