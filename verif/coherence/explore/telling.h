/* Names of the messages that are offered and taken in a cycle. */
#ifndef VERIF_COHERENCE_EXPLORE_TELLING_H
#define VERIF_COHERENCE_EXPLORE_TELLING_H
#include "explore.h"

static const char *const home_op[] = {"READ", "READ_OWN", "N_READ", "WRITE_BACK"},
                         *const smd_op[] = {"READ", "OWN", "EVICT", "FLUSH"},
                         *const probe[] = {"PROBE_READ", "PROBE_WRITE", "PROBE_CLEAN"},
                         *const what[OPS] = {"loads",
                                             "stores non-coherently",
                                             "does an atomic",
                                             "stores coherently",
                                             "gives back its blocks",
                                             "flushes its blocks",
                                             "gives back its lines"},
                         *const ack[] = {"BYTES", "DONE", "ARRIVED", "GET"};

static void tell_seam(const char *who, unsigned d, const l2c_out_t *l, bool req, bool rsp, const home_rsp_t *r, bool p,
                      const home_probe_t *pr, bool a)
{
    if (!telling)
        return;
    if (req)
        tell("%s %u: %s line %llu%s%s mask %llx data %llx", who, d, home_op[l->home_req.op],
             (unsigned long long)l->home_req.line, l->home_req.op == HOME_WRITE_BACK ? " held in " : "",
             l->home_req.op == HOME_WRITE_BACK ? state_names[l->home_req.state] : "",
             (unsigned long long)l->home_req.be.w[0], (unsigned long long)l->home_req.data.w[0]);
    if (rsp)
        tell("%s %u: is granted %s, data %llx", who, d, state_names[r->state], (unsigned long long)r->data.w[0]);
    if (p)
        tell("%s %u: is asked %s line %llu", who, d, probe[pr->kind], (unsigned long long)pr->line);
    if (a)
        tell("%s %u: acknowledges line %llu, held in %s, mask %llx data %llx", who, d,
             (unsigned long long)l->home_ack.line, state_names[l->home_ack.state],
             (unsigned long long)l->home_ack.be.w[0], (unsigned long long)l->home_ack.data.w[0]);
}

static void tell_data(unsigned d, const char *from, const smd_data_t *v)
{
    if (!telling)
        return;
    if (v->mem != SMD_MEM_NONE)
        tell("device %u: its stack is %s line %llu, mask %llx data %llx", d,
             v->mem == SMD_MEM_READ ? "read," : "written,", (unsigned long long)v->line,
             (unsigned long long)named(&v->mask), (unsigned long long)v->data.w[0]);
    else if (v->grant)
        tell("device %u: is granted %s, block of line %llu", d, state_names[v->state], (unsigned long long)v->line);
    else
        tell("device %u: line %llu comes from %s, mask %llx data %llx", d, (unsigned long long)v->line, from,
             (unsigned long long)named(&v->mask), (unsigned long long)v->data.w[0]);
}

static void tell_ack(unsigned d, const smd_ack_t *v)
{
    if (telling)
        tell("device %u: %s, line %llu%s%s%s mask %llx data %llx", d, ack[v->kind], (unsigned long long)v->line,
             v->kind == SMD_DONE ? " was held in " : "", v->kind == SMD_DONE ? state_names[v->state] : "",
             v->sent ? ", sent to the peer" : "", (unsigned long long)named(&v->mask),
             (unsigned long long)v->data.w[0]);
}
#endif
