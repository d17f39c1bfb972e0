/* VELLUM_REPORT: the report of `vellum run` on a kernel without its counters, a line each: progress and the time left, its time, and whether the L2 was warm. */
#include "sw/opencl/vcl.h"
#include "sw/runtime/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool vcl_l2_warm(void)
{
    const vcl_settings *s = vcl_get_settings();
    return strcmp(s->backend, "ref") != 0 && !s->cold && !s->back_door && !strcmp(s->memory, "bare");
}

void vcl_report_begin(vcl_machine *m, const char *kernel)
{
    m->kernel = kernel;
    m->begun = vl_seconds();
    m->told = m->begun;
}

void vcl_report_progress(vcl_machine *m, const vl_progress *p)
{
    const double at = vl_seconds();
    char cycle[40] = "", left[VL_LEFT];
    if (!vcl_get_settings()->report || at - m->told < vcl_get_settings()->report_every)
        return;
    m->told = at;
    if (p->cycles)
        snprintf(cycle, sizeof cycle, ", cycle %" PRIu64, p->cycles);
    vcl_report_line("%s: %" PRIu64 " of %" PRIu64 " groups%s%s", m->kernel, p->groups_done, p->groups_total, cycle,
                    vl_time_left(left, m->begun, p));
}

void vcl_report_end(const vcl_machine *m, const vl_range *range, const vl_result *r)
{
    uint64_t items = 1, groups = 1;
    char cycles[40] = "";
    for (uint32_t i = 0; i < range->dims; i++) {
        items *= range->global[i];
        groups *= range->global[i] / range->local[i];
    }
    const uint64_t hundredths =
        (uint64_t)((vl_seconds() - m->begun) * 100 + 0.5); /* a locale would have its own decimal point */
    if (r->cycles)
        snprintf(cycles, sizeof cycles, ", %" PRIu64 " cycles", r->cycles);
    vcl_report_line("%s: %s, %" PRIu64 " work-items in %" PRIu64 " groups%s, %" PRIu64 ".%02u s%s", m->kernel,
                    vcl_outcome_name(r->code), items, groups, cycles, hundredths / 100, (unsigned)(hundredths % 100),
                    vcl_l2_warm() ? "; what was uploaded or written before it began may still be in the L2 "
                                    "(VELLUM_COLD=1: not)"
                                  : "");
}
