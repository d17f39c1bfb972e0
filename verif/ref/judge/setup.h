/* Shared by the tests of the judge without a machine, those of configuration `umh2`: a judge, at the beginning of a job on both devices. */
#ifndef VELLUM_VERIF_REF_JUDGE_SETUP_H
#define VELLUM_VERIF_REF_JUDGE_SETUP_H

#include "sim_c/ref/judge.h"
#include <stdint.h>

static const uint64_t BASE = 0x10000000, LIMIT = 0x10100000; /* of memory */
extern judge_t *j;
extern sim_error_t report; /* its report */

int setup(void **state);
int teardown(void **state);

#endif
