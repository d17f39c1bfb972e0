/* See judge_messages.h. */
#include "sim_c/ref/judge_messages.h"
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_stacks.h"
#include "hmd_net_ports.h"
#include "hmd_ports.h"
#include "l2c_ports.h"
#include "smd_net_ports.h"
#include "smd_ports.h"
#include "stack_port_ports.h"
#include <stdlib.h>

struct judge_messages {
    const l2c_out_t *slice[SMDS + HMDS];
    const smd_out_t *smd[SMDS];
    const stack_port_out_t *port[SMDS];
    const hmd_out_t *hmd[HMDS];
    const smd_net_out_t *smd_net;
    const hmd_net_out_t *hmd_net;
};

bool judge_messages_watch(judge_t *j, const vellum_t *m,
                          const void *(*out)(const vellum_t *m, int index, const char *block, const char *name))
{
    if ((int)HOME == (int)HOME_FLAT)
        return true;
    judge_messages_t *w = j->messages ? j->messages : calloc(1, sizeof *w);
    if (!(j->messages = w))
        return false;
    for (int k = 0; k < SMDS + HMDS; k++)
        w->slice[k] = out(m, k, "l2c", "l2");
    for (int k = 0; k < SMDS; k++)
        w->smd[k] = out(m, k, "smd", "smd");
    for (int k = 0; k < SMDS; k++)
        w->port[k] = out(m, k, "stack_port", "port");
    for (int k = 0; k < HMDS; k++)
        w->hmd[k] = out(m, k, "hmd", "hmd");
    w->smd_net = out(m, -1, "smd_net", "smd_net");
    w->hmd_net = out(m, -1, "hmd_net", "hmd_net");
    judge_coherence_reset(j);
    judge_stacks_reset(j);
    judge_slices_reset(j);
    return true;
}

void judge_messages_free(judge_messages_t *w)
{
    free(w);
}

/* A slice's messages to its home; those of the home come behind. */
static void from_slice(judge_t *j, unsigned k, const l2c_out_t *s, bool req_ready, bool ack_ready)
{
    const home_req_t *q = &s->home_req;
    const home_ack_t *a = &s->home_ack;
    if (s->home_req_valid && req_ready) {
        judge_line_asked(j, k, q);
        if (q->op == HOME_WRITE_BACK)
            judge_slice_gives(j, k, q->line, q->state, &q->be, false);
    }
    if (s->home_ack_valid && ack_ready) {
        judge_slice_gives(j, k, a->line, a->state, &a->be, judge_line_read(j, k, a->line));
        judge_line_given(j, k, a);
    }
}

/* Bytes of a slice that are at home in its device's stack. */
static void to_stack(judge_t *j, unsigned k, const l2c_out_t *s, const smd_out_t *o)
{
    if (s->home_req_valid && o->home_req_ready && s->home_req.op == HOME_WRITE_BACK)
        judge_stack_given(j, k, s->home_req.line, &s->home_req.be, &s->home_req.data);
    if (s->home_ack_valid && o->home_ack_ready)
        judge_stack_given(j, k, s->home_ack.line, &s->home_ack.be, &s->home_ack.data);
    if (o->stack_req_valid && j->messages->port[k]->stack_req_ready)
        judge_stack_request(j, k, &o->stack_req);
    if (j->messages->port[k]->stack_rsp_valid)
        judge_stack_answer(j, k, &j->messages->port[k]->stack_rsp);
}

static void of_peer(judge_t *j, unsigned k, const smd_peer_t *p)
{
    judge_stack_line(j, k, p);
    if (p->mem == SMD_MEM_NONE)
        judge_block_peer(j, k, p);
}

static void of_data(judge_t *j, unsigned k, const smd_data_t *d)
{
    judge_stack_served(j, k, d);
    if (d->mem == SMD_MEM_NONE)
        judge_block_came(j, k, d);
}

static void of_smd(judge_t *j, unsigned k)
{
    const judge_messages_t *w = j->messages;
    const smd_out_t *o = w->smd[k];
    const smd_net_out_t *n = w->smd_net;
    if (o->ev.smd_moved)
        judge_block_moved(j, k, o->ev.smd_from, o->ev.smd_to);
    if (o->smd_peer_valid && (uint64_t)n->smd_peer_ready >> k & 1)
        of_peer(j, k, &o->smd_peer);
    if (o->smd_ack_valid && (uint64_t)n->smd_ack_ready >> k & 1)
        judge_block_answered(j, k, &o->smd_ack);
    if (o->smd_req_valid && (uint64_t)n->smd_req_ready >> k & 1)
        judge_block_asked(j, k, &o->smd_req);
    from_slice(j, k, w->slice[k], o->home_req_ready, o->home_ack_ready);
    to_stack(j, k, w->slice[k], o);
    if (o->home_rsp_valid)
        judge_line_granted(j, k, &o->home_rsp);
    if (o->home_probe_valid && w->slice[k]->home_probe_ready)
        judge_line_probed(j, k, &o->home_probe);
    if ((uint64_t)n->smd_data_valid >> k & 1 && o->smd_data_ready)
        of_data(j, k, &n->smd_data[k]);
    if ((uint64_t)n->smd_probe_valid >> k & 1 && o->smd_probe_ready)
        judge_block_probed(j, k, &n->smd_probe[k]);
}

static void of_hmd(judge_t *j, unsigned k)
{
    const judge_messages_t *w = j->messages;
    const hmd_out_t *o = w->hmd[k];
    const hmd_net_out_t *n = w->hmd_net;
    if (o->dir_valid)
        judge_home_knows(j, &o->dir);
    if ((uint64_t)n->hmd_ack_valid >> k & 1 && o->smd_ack_ready)
        judge_home_done(j, &n->hmd_ack[k]);
    from_slice(j, SMDS + k, w->slice[SMDS + k], o->home_req_ready, o->home_ack_ready);
    if (o->home_rsp_valid)
        judge_line_granted(j, SMDS + k, &o->home_rsp);
    if (o->home_probe_valid && w->slice[SMDS + k]->home_probe_ready)
        judge_line_probed(j, SMDS + k, &o->home_probe);
    if (o->smd_probe_valid && (uint64_t)n->hmd_probe_ready >> k & 1)
        judge_home_probes(j, &o->smd_probe);
    if (o->smd_data_valid && (uint64_t)n->hmd_data_ready >> k & 1) {
        judge_stack_asked(j, k, &o->smd_data);
        judge_home_grants(j, &o->smd_data);
    }
    if ((uint64_t)n->hmd_mem_valid >> k & 1)
        judge_stack_came(j, k, &n->hmd_mem[k]);
}

void judge_messages_cycle(judge_t *j)
{
    if (!j->messages)
        return;
    for (unsigned k = 0; k < SMDS && !j->verdict; k++)
        of_smd(j, k);
    for (unsigned k = 0; k < HMDS && !j->verdict; k++)
        of_hmd(j, k);
}
