/*
 * How long the L1 data caches wait for lines: from the cycle in which a read is taken from a cache to the one in which its line comes.
 * Linked into a model with --wrap for each of the functions below, it changes nothing. Sum and number go to the file named by
 * VELLUM_MISS_LATENCY when the model is unloaded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "l1d_ports.h"
#include "scripts/experiments/cycles.h"

enum { CORES_MAX = 64, IDS = 1 << 12 };

static struct {
    const l1d_t *cache;
    uint64_t sent[IDS]; /* cycle + 1, 0: nothing is awaited */
} caches[CORES_MAX];

static uint64_t waited, lines;

static uint64_t *sent_by(const l1d_t *cache, unsigned id)
{
    for (unsigned i = 0; i < CORES_MAX; i++)
        if (caches[i].cache == cache || !caches[i].cache) {
            caches[i].cache = cache;
            return &caches[i].sent[id % IDS];
        }
    abort();
}

void __real_l1d_tick(l1d_t *s, const l1d_in_t *in);
void __wrap_l1d_tick(l1d_t *s, const l1d_in_t *in)
{
    if (in->mem_rsp_valid) {
        uint64_t *sent = sent_by(s, in->mem_rsp.id);
        if (*sent) {
            waited += now + 1 - *sent;
            lines++;
        }
        *sent = 0;
    }
    if (in->mem_req_ready) {
        l1d_out_t out;
        l1d_out(s, &out);
        if (out.mem_req_valid && out.mem_req.op == MEM_READ)
            *sent_by(s, out.mem_req.id) = now + 1;
    }
    __real_l1d_tick(s, in);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("VELLUM_MISS_LATENCY");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    fprintf(f, "{\"waited\": %llu, \"lines\": %llu}\n", (unsigned long long)waited, (unsigned long long)lines);
    fclose(f);
}
