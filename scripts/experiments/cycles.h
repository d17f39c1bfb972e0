/* Cycles of the model, counted beside it: for a probe that the model is linked with --wrap for vellum_tick and vellum_skip. */
#ifndef VELLUM_EXPERIMENTS_CYCLES_H
#define VELLUM_EXPERIMENTS_CYCLES_H

#include "vellum_ports.h"

static uint64_t now;

void __real_vellum_tick(vellum_t *s, const vellum_in_t *in);
void __wrap_vellum_tick(vellum_t *s, const vellum_in_t *in)
{
    __real_vellum_tick(s, in);
    now++;
}

void __real_vellum_skip(vellum_t *s, uint64_t cycles);
void __wrap_vellum_skip(vellum_t *s, uint64_t cycles)
{
    __real_vellum_skip(s, cycles);
    now += cycles;
}

#endif
