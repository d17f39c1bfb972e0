/* The verilated RTL as a machine. */
#include "sim_c/top/machine_kind.h"
#include <stdlib.h>

typedef struct {
    vellum_out_t out;
    void *m;
} rtl_t;

static void rtl_close(void *self)
{
    rtl_t *s = self;
    vellum_rtl_free(s->m);
    free(s);
}

static int rtl_open(void **self)
{
    rtl_t *s = calloc(1, sizeof *s);
    if (!s)
        return SIM_ENOMEM;
    s->m = vellum_rtl_new(0);
    *self = s;
    return 0;
}

static void rtl_reset(void *self)
{
    vellum_rtl_reset(((rtl_t *)self)->m);
}

static const vellum_out_t *rtl_out(void *self)
{
    rtl_t *s = self;
    vellum_rtl_out(s->m, &s->out);
    return &s->out;
}

static int rtl_tick(void *self, const vellum_in_t *in, sim_error_t *err)
{
    (void)err;
    vellum_rtl_tick(((rtl_t *)self)->m, in, false);
    return 0;
}

static int rtl_fst(void *self, const char *path, const char *const *scopes)
{
    for (; scopes && *scopes; scopes++)
        vellum_rtl_scope(((rtl_t *)self)->m, *scopes);
    return vellum_rtl_trace(((rtl_t *)self)->m, path) ? 0 : SIM_ENOTSUP;
}

static void rtl_fst_end(void *self)
{
    vellum_rtl_trace(((rtl_t *)self)->m, NULL);
}

const machine_kind_t machine_kind = {
    .name = "rtl",
    .open = rtl_open,
    .close = rtl_close,
    .reset = rtl_reset,
    .out = rtl_out,
    .tick = rtl_tick,
    .fst = rtl_fst,
    .fst_end = rtl_fst_end,
};
