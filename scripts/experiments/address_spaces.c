/*
 * The use of shared parts by each address space: look-ups and hits of the L2 TLB, and requests to memory, page tables and data apart: lines, and the cycles from a request's
 * entry into the memory scheduler to its answer. Linked into a model with --wrap for each of the functions below, it changes nothing. The sums go to the file named by
 * VELLUM_ADDRESS_SPACES when the model is unloaded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "l2_tlb_ports.h"
#include "mem_sched_ports.h"
#include "scripts/experiments/cycles.h"

enum {
    SPACES = 16,
    CHANNELS_MAX = 64,
    PORTS = sizeof(((mem_sched_in_t *)NULL)->home_req) / sizeof(home_req_t),
    IDS = 1 << 8
};

typedef struct {
    uint64_t reads, waited; /* waited: of those that have been answered */
} traffic_t;

static struct {
    uint64_t lookups, hits;
    traffic_t walks, data;
} spaces[SPACES];

static struct {
    const mem_sched_t *sched;
    struct {
        uint64_t since; /* cycle + 1, 0: nothing is awaited */
        traffic_t *of;
    } read[PORTS][IDS];
} channels[CHANNELS_MAX];

static uint64_t writes;

void __real_l2_tlb_tick(l2_tlb_t *s, const l2_tlb_in_t *in);
void __wrap_l2_tlb_tick(l2_tlb_t *s, const l2_tlb_in_t *in)
{
    l2_tlb_out_t out;
    l2_tlb_out(s, &out);
    for (unsigned p = 0; p < sizeof out.look / sizeof *out.look; p++)
        if (out.look_valid >> p & 1) {
            spaces[out.look[p].asid % SPACES].lookups++;
            spaces[out.look[p].asid % SPACES].hits += out.look[p].hit;
        }
    __real_l2_tlb_tick(s, in);
}

static unsigned channel_of(const mem_sched_t *s)
{
    for (unsigned i = 0; i < CHANNELS_MAX; i++)
        if (channels[i].sched == s || !channels[i].sched) {
            channels[i].sched = s;
            return i;
        }
    abort();
}

void __real_mem_sched_tick(mem_sched_t *s, const mem_sched_in_t *in);
void __wrap_mem_sched_tick(mem_sched_t *s, const mem_sched_in_t *in)
{
    const unsigned c = channel_of(s);
    mem_sched_out_t out;
    mem_sched_out(s, &out);
    for (unsigned k = 0; k < sizeof out.home_rsp / sizeof *out.home_rsp; k++) {
        if (out.home_rsp_valid >> k & 1 && channels[c].read[k][out.home_rsp[k].id].since) {
            traffic_t *of = channels[c].read[k][out.home_rsp[k].id].of;
            of->waited += now + 1 - channels[c].read[k][out.home_rsp[k].id].since;
            of->reads++;
            channels[c].read[k][out.home_rsp[k].id].since = 0;
        }
        if (in->home_req_valid >> k & out.home_req_ready >> k & 1) {
            const home_req_t *req = &in->home_req[k];
            writes += req->op == HOME_WRITE_BACK;
            if (req->op != HOME_WRITE_BACK) {
                channels[c].read[k][req->id].since = now + 1;
                channels[c].read[k][req->id].of =
                    req->cls ? &spaces[req->asid % SPACES].walks : &spaces[req->asid % SPACES].data;
            }
        }
    }
    __real_mem_sched_tick(s, in);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("VELLUM_ADDRESS_SPACES"), *comma = "";
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    fprintf(f, "{\"writes\": %llu, \"spaces\": {", (unsigned long long)writes);
    for (unsigned a = 0; a < SPACES; a++)
        if (spaces[a].lookups || spaces[a].data.reads || spaces[a].walks.reads) {
            fprintf(f, "%s\"%u\": {\"lookups\": %llu, \"hits\": %llu", comma, a, (unsigned long long)spaces[a].lookups,
                    (unsigned long long)spaces[a].hits);
            fprintf(f, ", \"walk_lines\": %llu, \"walk_cycles\": %llu", (unsigned long long)spaces[a].walks.reads,
                    (unsigned long long)spaces[a].walks.waited);
            fprintf(f, ", \"data_lines\": %llu, \"data_cycles\": %llu}", (unsigned long long)spaces[a].data.reads,
                    (unsigned long long)spaces[a].data.waited);
            comma = ", ";
        }
    fprintf(f, "}}\n");
    fclose(f);
}
