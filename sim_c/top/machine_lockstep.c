/* The verilated RTL, clocked together with the golden model and the judge. Compared in every cycle: the device's ports and
 * the outputs of every block inside (taps); the judge checks every instruction (judge.h). VELLUM_LOCKSTEP chooses the parts: a comma-separated list
 * of `model`, `blocks`, `judge`; all three when unset. The first difference ends the run with a report. */
#include "sim_c/top/machine.h"
#include "sim_c/top/machine_kind.h"
#include "sim_c/top/taps.h"
#include "sim_c/top/vellum.h"
#include "sim_c/ref/judge.h"
#include "sim_c/top/recorder.h"
#include "sim_c/common/vl_bits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    vellum_out_t rtl_out, model_out;
    void *rtl;
    vellum_t *model; /* NULL: does not take part */
    judge_t *judge; /* NULL: does not take part */
    const void **outputs; /* of the model's blocks; NULL: they are not compared */
    int deaf; /* SIM_ENOMEM: the judge has no memory for the machine's messages */
    uint64_t cycle;
    recorder_t recorder;
} lockstep_t;

static void ls_close(void *self)
{
    lockstep_t *s = self;
    judge_free(s->judge);
    if (s->rtl)
        vellum_rtl_free(s->rtl);
    free(s->outputs);
    free(s->model);
    free(s);
}

static bool wanted(const char *list, const char *what)
{
    return !list || strstr(list, what);
}

static int ls_open(void **self)
{
    const char *list = getenv("VELLUM_LOCKSTEP");
    lockstep_t *s = calloc(1, sizeof *s);
    if (!s)
        return SIM_ENOMEM;
    s->rtl = vellum_rtl_new(0);
    if (wanted(list, "blocks"))
        s->outputs = calloc(taps_count(), sizeof *s->outputs);
    if (wanted(list, "model") || s->outputs)
        s->model = calloc(1, vellum_size());
    if (wanted(list, "judge"))
        s->judge = judge_new();
    *self = s;
    return 0;
}

static void ls_reset(void *self)
{
    lockstep_t *s = self;
    vellum_rtl_reset(s->rtl);
    if (s->model)
        vellum_reset(s->model);
    if (s->outputs)
        taps_find(s->model, s->outputs);
    if (s->model)
        recorder_watch(&s->recorder, s->model);
    if (s->judge && s->model)
        s->deaf = judge_watch(s->judge, s->model, vellum_block_out);
}

static const vellum_out_t *ls_out(void *self)
{
    lockstep_t *s = self;
    vellum_rtl_out(s->rtl, &s->rtl_out);
    return &s->rtl_out;
}

/* Of a block that translates: what its core has looked up last. */
static void say_page(const lockstep_t *s, const char *where, const char *field, sim_error_t *err)
{
    static const char *const blocks[] = {"lsu", "tlb", "tlb_mshr", "ptw", "seam_port"};
    const size_t n = strlen(err->text);
    const char *index = strchr(field, '[');
    unsigned core, port = 0;
    char block[64], page[96];
    if (index)
        (void)sscanf(index, "[%u]", &port);
    if (sscanf(where, "core %u, %63s", &core, block) != 2
        || !recorder_look_up(&s->recorder, core, port, page, sizeof page))
        return;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        if (!strcmp(block, blocks[k]))
            snprintf(err->text + n, sizeof err->text - n, " (looked up last: %s)", page);
}

static int report(lockstep_t *s, const vl_diff_t *d, const char *where, sim_error_t *err)
{
    snprintf(err->text, sizeof err->text, "lockstep: cycle %llu: %s %s: rtl %s, model %s", (unsigned long long)s->cycle,
             where, d->field, d->a, d->b);
    say_page(s, where, d->field, err);
    recorder_append(&s->recorder, err->text, sizeof err->text);
    return SIM_EDIFF;
}

/* The judge's report with what happened before. */
static int judged(lockstep_t *s, int r, sim_error_t *err)
{
    if (r == SIM_EDIFF)
        recorder_append(&s->recorder, err->text, sizeof err->text);
    return r;
}

static int ls_tick(void *self, const vellum_in_t *in, sim_error_t *err)
{
    lockstep_t *s = self;
    vl_diff_t d;
    char where[64];
    recorder_cycle(&s->recorder, s->cycle, &s->rtl_out);
    if (s->model) {
        vellum_out(s->model, &s->model_out);
        if (s->outputs && taps_diff(s->rtl, s->outputs, where, sizeof where, &d))
            return report(s, &d, where, err);
        if (vellum_out_diff(&s->rtl_out, &s->model_out, &d))
            return report(s, &d, "vellum", err);
        vellum_tick(s->model, in);
    }
    if (s->judge) {
        int r = s->deaf ? s->deaf : judge_cycle(s->judge, s->cycle, &s->rtl_out, in, err);
        if (r)
            return judged(s, r, err);
    }
    vellum_rtl_tick(s->rtl, in, false);
    s->cycle++;
    return 0;
}

static int ls_begin(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    lockstep_t *s = self;
    return s->judge ? judge_begin(s->judge, s->cycle, jobs, n, err) : 0;
}

static int ls_end(void *self, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    lockstep_t *s = self;
    int r = 0;
    if (!s->judge)
        return 0;
    for (uint32_t k = 0; k < n; k++)
        if (jobs[k].cut)
            judge_cut(s->judge, jobs[k].cores);
    for (uint32_t k = 0; k < n && !r; k++) {
        if (!jobs[k].cut && jobs[k].code == SIM_EFAULT)
            r = judged(s, judge_fault(s->judge, &jobs[k].fault, err), err);
    }
    return r ? r : judged(s, judge_end(s->judge, jobs, n, err), err);
}

static int ls_again(void *self, uint32_t k, const sim_job_t *job, sim_error_t *err)
{
    lockstep_t *s = self;
    return s->judge ? judged(s, judge_again(s->judge, s->cycle, k, job, err), err) : 0;
}

static uint32_t ls_figures(void *self, machine_figure_t *to)
{
    const judge_t *j = ((lockstep_t *)self)->judge;
    if (!j)
        return 0;
    const machine_figure_t figures[] = {
        {"judge_words", "words", "words of code fetched, each judged", judge_words(j)},
        {"judge_counters", "counters", "counters of cores, each compared with the reference's", judge_compared(j)},
        {"judge_races", "loads", "loads that race, each with a value that memory has held", judge_races(j)},
        {"judge_waived_loads", "loads", "of these, not judged: older than the writes that are kept",
         judge_waived(j, WAIVED_LOADS)},
        {"judge_waived_shootdowns", "shootdowns",
         "not judged: asked for before the last one was known to be acknowledged", judge_waived(j, WAIVED_SHOOTDOWNS)},
        {"judge_scs", "SCs", "failed, and not judged: their line may have been taken away (home = directory)",
         judge_waived(j, WAIVED_SCS)},
    };
    enum { FIGURES = sizeof figures / sizeof *figures - ((int)HOME == (int)HOME_FLAT) };
    _Static_assert(sizeof figures / sizeof *figures <= MACHINE_FIGURES, "room");
    memcpy(to, figures, FIGURES * sizeof *figures);
    return FIGURES;
}

static int ls_window(void *self, uint64_t base, uint64_t limit)
{
    lockstep_t *s = self;
    return s->judge ? judge_window(s->judge, base, limit) : 0;
}

static void ls_write(void *self, uint64_t addr, const void *data, uint64_t bytes)
{
    lockstep_t *s = self;
    if (s->judge)
        judge_write(s->judge, addr, data, bytes);
}

static void ls_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    lockstep_t *s = self;
    if (s->judge)
        judge_fill(s->judge, addr, byte, bytes);
}

static void ls_share(void *self, const uint8_t *bytes)
{
    lockstep_t *s = self;
    if (s->judge)
        judge_share(s->judge, bytes);
}

static vellum_inside_t ls_inside(void *self)
{
    return (vellum_inside_t){((lockstep_t *)self)->model, vellum_block_out, vellum_lsu};
}

static int ls_fst(void *self, const char *path, const char *const *scopes)
{
    for (; scopes && *scopes; scopes++)
        vellum_rtl_scope(((lockstep_t *)self)->rtl, *scopes);
    return vellum_rtl_trace(((lockstep_t *)self)->rtl, path) ? 0 : SIM_ENOTSUP;
}

static void ls_fst_end(void *self)
{
    vellum_rtl_trace(((lockstep_t *)self)->rtl, NULL);
}

const machine_kind_t machine_kind = {
    .name = "lockstep",
    .open = ls_open,
    .close = ls_close,
    .reset = ls_reset,
    .out = ls_out,
    .tick = ls_tick,
    .fst = ls_fst,
    .fst_end = ls_fst_end,
    .inside = ls_inside,
    .begin = ls_begin,
    .end = ls_end,
    .again = ls_again,
    .figures = ls_figures,
    .window = ls_window,
    .write = ls_write,
    .fill = ls_fill,
    .share = ls_share,
};
