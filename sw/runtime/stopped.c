/* Where a kernel was that was stopped before its end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"

const char *vl_wait_name(vl_wait wait)
{
    static const char *const names[] = {[VL_WAIT_ISSUE] = "issue",
                                        [VL_WAIT_BARRIER] = "barrier",
                                        [VL_WAIT_MEMORY] = "memory",
                                        [VL_WAIT_TRANSLATION] = "translation",
                                        [VL_WAIT_FETCH] = "instruction fetch"};
    return wait <= VL_WAIT_FETCH ? names[wait] : NULL;
}

static int by_warps(const void *a, const void *b)
{
    const vl_stopped *x = a, *y = b;
    if (x->warps != y->warps)
        return x->warps < y->warps ? 1 : -1;
    return x->core != y->core ? (x->core < y->core ? -1 : 1) : x->warp < y->warp ? -1 : x->warp > y->warp;
}

/* One more warp: of an entry that there is, or the first of a new one. */
static void add(vl_device *d, vl_stopped w)
{
    if (w.wait == VL_WAIT_TRANSLATION && d->memory.options.mode == VL_BARE)
        w.wait = VL_WAIT_MEMORY;
    w.most = w.least;
    w.warps = 1;
    for (size_t i = 0; i < d->n_stopped; i++) {
        vl_stopped *s = &d->stopped[i];
        if (s->pc != w.pc || s->wait != w.wait || s->job != w.job)
            continue;
        s->warps++;
        s->least = s->least < w.least ? s->least : w.least;
        s->most = s->most > w.most ? s->most : w.most;
        return;
    }
    d->stopped[d->n_stopped++] = w;
}

void vl_stopped_collect(vl_device *d)
{
    const vl_stopped *from = NULL;
    const size_t n = d->ops->stopped ? d->ops->stopped(d->self, &from) : 0;
    vl_stopped *room = n ? realloc(d->stopped, n * sizeof *room) : NULL;
    d->n_stopped = 0;
    if (!room)
        return; /* without memory there is no list: the run has ended in any case */
    d->stopped = room;
    for (size_t i = 0; i < n; i++)
        add(d, from[i]);
    qsort(d->stopped, d->n_stopped, sizeof *d->stopped, by_warps);
}

size_t vl_stopped_list(const vl_device *d, vl_stopped *list, size_t room)
{
    if (!d)
        return 0;
    const size_t n = d->n_stopped < room ? d->n_stopped : room;
    if (list && n)
        memcpy(list, d->stopped, n * sizeof *list);
    return d->n_stopped;
}

void vl_stopped_text(const vl_image *img, const vl_stopped *s, char *text, size_t size)
{
    char source[700] = "", cycles[80] = "";
    vl_source at;
    if (vl_image_place(img, s->pc, &at))
        snprintf(source, sizeof source, " (%s:%u%s%s)", at.file, at.line, *at.function ? " in " : "", at.function);
    if (s->most > s->least)
        snprintf(cycles, sizeof cycles, " for %" PRIu64 " to %" PRIu64 " cycles", s->least, s->most);
    else if (s->most)
        snprintf(cycles, sizeof cycles, " for %" PRIu64 " cycle%s", s->most, s->most == 1 ? "" : "s");
    snprintf(text, size,
             "%u warp%s for %s%s, at pc %#" PRIx64 "%s: core %u, warp %u, threads %#" PRIx64 ", group %u,%u,%u%s",
             s->warps, s->warps == 1 ? " waits" : "s wait", vl_wait_name(s->wait), cycles, s->pc, source, s->core,
             s->warp, s->threads, s->group[0], s->group[1], s->group[2], s->warps > 1 ? " and others" : "");
}
