/* The judge's views of memory: as each device and the host see it (docs/coherence.md, What software may rely on). */
#ifndef SIM_C_REF_JUDGE_VIEWS_H
#define SIM_C_REF_JUDGE_VIEWS_H
#include "sim_c/ref/judge_state.h"

/* False: there is no memory left. */
bool judge_views_open(judge_t *j, uint64_t base, uint64_t limit);
void judge_views_free(judge_t *j);
/* Writes of before are not known any more. */
void judge_views_begin(judge_t *j);
/* Memory is written by the back door, the machine being at rest: every viewer sees it. `bytes`: all of it, as of judge_share. */
void judge_views_set(judge_t *j, uint64_t addr, const void *data, uint64_t bytes);
void judge_views_fill(judge_t *j, uint64_t addr, uint8_t byte, uint64_t bytes);
void judge_views_share(judge_t *j, const uint8_t *bytes);

/* The bytes of one doubleword (v->dword, v->bytes) become those of `now`, for the viewer alone or, `all`, for every viewer: no other has a copy. */
void judge_view_store(judge_t *j, unsigned viewer, bool all, version_t v, uint64_t now);
/* An agent holds the block of the line alone: it has all that others have stored into it. */
void judge_view_owns(judge_t *j, uint64_t line);
/* The viewer is reported to read a value at `addr` that differs from its view: if others have stored it, the viewer sees it from now on. `alone`: every viewer does. */
void judge_view_adopt(judge_t *j, unsigned viewer, uint64_t addr, const uint8_t *claimed, unsigned bytes, bool alone);
/* A final flush is over: all viewers see the same. */
void judge_views_flushed(judge_t *j);
/* The host's writes to the control registers, for the end of a final flush. */
void judge_views_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
#endif
