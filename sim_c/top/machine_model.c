/* The golden model as a machine. */
#include "sim_c/top/machine_kind.h"
#include "sim_c/top/vellum.h"
#include <stdlib.h>

#ifdef AT_RUN_TIME
/* The values of fields that are taken at run time. A sweep writes those of a machine into this section of a copy of the library. */
unsigned vl_at_run_time[] __attribute__((section("at_run_time"))) = {AT_RUN_TIME};
#endif

typedef struct {
    vellum_out_t out;
    vellum_t *m;
} model_t;

static void model_close(void *self)
{
    model_t *s = self;
    free(s->m);
    free(s);
}

static int model_open(void **self)
{
    model_t *s = calloc(1, sizeof *s);
    if (!s || !(s->m = calloc(1, vellum_size()))) {
        free(s);
        return SIM_ENOMEM;
    }
    *self = s;
    return 0;
}

static void model_reset(void *self)
{
    vellum_reset(((model_t *)self)->m);
}

static const vellum_out_t *model_out(void *self)
{
    model_t *s = self;
    vellum_out(s->m, &s->out);
    return &s->out;
}

static int model_tick(void *self, const vellum_in_t *in, sim_error_t *err)
{
    (void)err;
    vellum_tick(((model_t *)self)->m, in);
    return 0;
}

static uint64_t model_due(void *self)
{
    return vellum_due(((model_t *)self)->m);
}

static uint64_t model_dram_ticks(void *self, unsigned chips, uint64_t cycles)
{
    return vellum_dram_ticks(((model_t *)self)->m, chips, cycles);
}

static void model_skip(void *self, uint64_t cycles)
{
    vellum_skip(((model_t *)self)->m, cycles);
}

static vellum_inside_t model_inside(void *self)
{
    return (vellum_inside_t){((model_t *)self)->m, vellum_block_out, vellum_lsu};
}

const machine_kind_t machine_kind = {
    .name = "model",
    .open = model_open,
    .close = model_close,
    .reset = model_reset,
    .out = model_out,
    .tick = model_tick,
    .due = model_due,
    .dram_ticks = model_dram_ticks,
    .skip = model_skip,
    .inside = model_inside,
};
