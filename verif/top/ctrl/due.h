/* Dead time: the promises of ctrl_due, ctrl_count and ctrl_idle */
#ifndef VERIF_CTRL_DUE_H
#define VERIF_CTRL_DUE_H
#include "ctrl_ports.h"
#include "sim_c/top/ctrl.h"
#include "verif/top/ctrl/cover.h"

/* ctrl_due, ctrl_count and ctrl_idle: a second twin with the same past, clocked through dead time and brought over it. */
static union {
    max_align_t align;
    unsigned char bytes[4096];
} shadow, clocked, counted;

static void check_due(bench_t *b, const ctrl_in_t *in)
{
    ctrl_t *s = (ctrl_t *)shadow.bytes, *t = (ctrl_t *)clocked.bytes, *u = (ctrl_t *)counted.bytes;
    ctrl_tick(s, in);
    uint64_t due = ctrl_due(s), n = 1 + vl_below(&b->rng, 40);
    if (n > due || due < 60)
        n = due;
    memcpy(t, s, ctrl_size());
    memcpy(u, s, ctrl_size());
    ctrl_in_t same = *in;
    same.ctl_req_valid = false;
    same.maint_done = 0;
    same.vm_rsp_valid = false;
    for (uint64_t i = 0; i < n; i++)
        ctrl_tick(t, &same);
    ctrl_count(u, n);
    BENCH_CHECK(b, !memcmp(t, u, ctrl_size()), "%" PRIu64 " cycles counted, %" PRIu64 " clocked: they differ", n, n);
    BENCH_CHECK(b, !ctrl_idle(s) || !memcmp(t, s, ctrl_size()), "not idle");
    BENCH_COVER(b, COV_DUE, n > 1);
    if (n && n == due) {
        ctrl_out_t o = {0};
        ctrl_tick(t, &same);
        ctrl_out(t, &o);
        BENCH_CHECK(b, o.epoch, "no pulse after %" PRIu64 " cycles", due);
        BENCH_COVER(b, COV_DUE_EPOCH, true);
    }
}
#endif
