/* Coverage of l2c: probes, and the requests that they pass or wait for. */
#ifndef VERIF_COHERENCE_L2C_COVER_PROBE_H
#define VERIF_COHERENCE_L2C_COVER_PROBE_H
#include "verif/coherence/l2c/cover_stages.h"

/* What s1 waited for before a probe came by. */
enum { WAIT_MSHR, WAIT_TARGET, WAIT_WAY, WAIT_OWN };
static unsigned cover_waited; /* a bit each */

/* A probe in p1 that leaves, and the line that it found. */
static void cover_probe(bench_t *b, const home_probe_t *probe, char state, bool awaited, bool passes)
{
    static uint64_t lost;
    BENCH_COVER(b, COV_PROBED + probe->kind * STATES + page_place(state), true);
    BENCH_COVER(b, COV_PROBE_AWAITED, awaited);
    for (unsigned i = 0; i < WAITS; i++)
        BENCH_COVER(b, COV_PROBE_PASSES + i, passes && cover_waited >> i & 1);
    BENCH_COVER(b, COV_PROBE_PASSES + WAIT_WAY, !COVER_WAYS);
    const bool held = page_place(state);
    BENCH_COVER(b, COV_PROBE_AGAIN, !held && lost == probe->line);
    lost = held && probe->kind == PROBE_WRITE ? probe->line : 0;
}

static void cover_probe_waits(bench_t *b, const page_t *p, const l2c_in_t *in, bool clear)
{
    const bool taken = in->home_probe_valid && p->out.home_probe_ready;
    BENCH_COVER(b, COV_PROBE_CLEARING, in->home_probe_valid && !clear);
    BENCH_COVER(b, COV_PROBE_POP, taken && !p->s1_valid && p->maint == PG_NONE && cover_ripe(p));
    if (taken && p->maint != PG_NONE)
        BENCH_COVER(b, COV_PROBE_MAINT + (p->maint == PG_WAIT ? 0 : p->maint == PG_WALK ? 1 : 2), true);
    BENCH_COVER(b, COV_PROBE_DEFERRED + p->s1_step, in->home_probe_valid && !p->p1_valid && p->deferred);
    if (!p->p1_valid)
        return;
    const uint64_t line = p->p1.line;
    BENCH_COVER(b, COV_PROBE_LIST, cover_mshr(p, line, true) >= 0);
    BENCH_COVER(b, COV_PROBE_S2,
                p->s2.valid && (p->s2.kind == PG_READ || p->s2.kind == PG_WRITE || p->s2.kind == PG_AMO)
                    && p->s2.n.req.line == line);
    BENCH_COVER(b, COV_PROBE_S3,
                p->s3.valid && (p->s3.kind == PG_READ || p->s3.kind == PG_WRITE || p->s3.kind == PG_AMO)
                    && p->s3.n.req.line == line);
    BENCH_COVER(b, COV_PROBE_SAME, p->s2.valid && p->s2.kind == PG_PROBE && p->s2.victim == line);
}
#endif
