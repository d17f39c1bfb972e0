/* Messages read off the blocks' outputs (judge_messages.h): each counts when it is offered and taken. */
#include "sim_c/ref/judge_messages.h"
#include "hmd_net_ports.h"
#include "hmd_ports.h"
#include "l2c_ports.h"
#include "smd_net_ports.h"
#include "smd_ports.h"
#include "stack_port_ports.h"
#include <string.h>
#include "verif/ref/judge/coherence.h"

static struct {
    l2c_out_t slice[SMDS + HMDS];
    smd_out_t smd[SMDS];
    stack_port_out_t port[SMDS];
    hmd_out_t hmd[HMDS];
    smd_net_out_t smd_net;
    hmd_net_out_t hmd_net;
} shown;

static const void *out(const vellum_t *m, int index, const char *block, const char *name)
{
    (void)m, (void)name;
    return !strcmp(block, "l2c")          ? (const void *)&shown.slice[index]
           : !strcmp(block, "smd")        ? (const void *)&shown.smd[index]
           : !strcmp(block, "hmd")        ? (const void *)&shown.hmd[index]
           : !strcmp(block, "smd_net")    ? (const void *)&shown.smd_net
           : !strcmp(block, "hmd_net")    ? (const void *)&shown.hmd_net
           : !strcmp(block, "stack_port") ? (const void *)&shown.port[index]
                                          : NULL;
}

void watch_outputs(void)
{
    assert_true(judge_messages_watch(j, NULL, out));
}

enum { K = 3, H = 1, KL = SMDS + H }; /* an SMD and its slice, of device 1; an HMD and its slice */

static void cycle(const char *words)
{
    judge_messages_cycle(j);
    if (words)
        is_reported(words);
    else
        is_legal();
}

/* It is a message when it is offered and taken: not when only one of these shows. */
#define HANDED_OVER(valid, ready, words) \
    do { \
        (valid), cycle(NULL); \
        memset(&shown, 0, sizeof shown); \
        (ready), cycle(NULL); \
        (valid), cycle(words); \
        memset(&shown, 0, sizeof shown); \
    } while (0)
#define BIT(k) (1u << (k))

static void messages_are_what_is_handed_over(void **s)
{
    (void)s;
    l2c_out_t *l = &shown.slice[K], *host = &shown.slice[KL];
    smd_out_t *d = &shown.smd[K];
    hmd_out_t *h = &shown.hmd[H];
    smd_net_out_t *sn = &shown.smd_net;
    hmd_net_out_t *hn = &shown.hmd_net;
    const home_req_t back = {.op = HOME_WRITE_BACK, .line = LINE, .state = NMOESI_N};
    const home_ack_t gives = {.line = LINE, .state = NMOESI_S}, nothing = {.line = LINE, .state = NMOESI_I};
    const smd_ack_t done = {.kind = SMD_DONE, .line = LINE};
    watch_outputs();
    HANDED_OVER((l->home_req_valid = 1, l->home_req = back), d->home_req_ready = 1,
                "device 1: its slice writes line 3 back in N");
    HANDED_OVER((host->home_req_valid = 1, host->home_req = back), h->home_req_ready = 1,
                "the host: its slice writes line 3 back in N");
    HANDED_OVER((l->home_ack_valid = 1, l->home_ack = gives), d->home_ack_ready = 1,
                "device 1: its slice answers without a probe of line 3 in S");
    HANDED_OVER((host->home_ack_valid = 1, host->home_ack = gives), h->home_ack_ready = 1,
                "the host: its slice answers without a probe of line 3 in S");
    HANDED_OVER((d->smd_peer_valid = 1, d->smd_peer = (smd_peer_t){.line = LINE, .mask = bytes(1)}),
                sn->smd_peer_ready = BIT(K), "device 1: sends line 3 with marks to a peer");
    HANDED_OVER((d->smd_ack_valid = 1, d->smd_ack = done), sn->smd_ack_ready = BIT(K),
                "device 1: answers a probe that was not sent");
    HANDED_OVER((d->smd_req_valid = 1, d->smd_req = (smd_req_t){.op = SMD_FLUSH, .line = LINE, .thin = true}),
                sn->smd_req_ready = BIT(K), "device 1: requests FLUSH");
    judge_coherence_reset(j);
    HANDED_OVER((sn->smd_data_valid = BIT(K), sn->smd_data[K] = (smd_data_t){.line = LINE}), d->smd_data_ready = 1,
                "device 1: gets a line");
    HANDED_OVER((h->smd_data_valid = 1,
                 h->smd_data = (hmd_data_t){.device = 1, .data = {.grant = true, .line = LINE, .state = NMOESI_S}}),
                hn->hmd_data_ready = BIT(H), "device 1: is granted S without a request");
    HANDED_OVER((h->smd_probe_valid = 1, h->smd_probe = (hmd_probe_t){.device = 0, .probe = {.line = LINE}}),
                hn->hmd_probe_ready = BIT(H), "device 0: is probed while a grant of device 1 is under way");
    /* Shown without being taken: an answer, and a change of state. */
    d->home_rsp_valid = 1, d->home_rsp = (home_rsp_t){.state = NMOESI_S},
    cycle("device 1: its slice may not be granted line 0 in S");
    memset(&shown, 0, sizeof shown);
    h->home_rsp_valid = 1, h->home_rsp = (home_rsp_t){.state = NMOESI_O},
    cycle("the host: its slice may not be granted line 0 in O");
    memset(&shown, 0, sizeof shown);
    d->ev.smd_moved = 1, d->ev.smd_from = NMOESI_I, d->ev.smd_to = NMOESI_O,
    cycle("device 1: its SMD 3 changes a block from I to O");
    memset(&shown, 0, sizeof shown);
    /* Messages that make another one legal. */
    judge_coherence_reset(j);
    for (unsigned taken = 0; taken < 2; taken++) {
        sn->smd_probe_valid = BIT(K), sn->smd_probe[K] = (smd_probe_t){.line = LINE, .kind = PROBE_WRITE},
        d->smd_probe_ready = taken, cycle(NULL);
        memset(&shown, 0, sizeof shown);
        d->smd_ack_valid = 1, d->smd_ack = done, sn->smd_ack_ready = BIT(K),
        cycle(taken ? NULL : "answers a probe that was not sent");
        memset(&shown, 0, sizeof shown);
        d->home_probe_valid = h->home_probe_valid = 1, d->home_probe = h->home_probe = (home_probe_t){.line = LINE},
        l->home_probe_ready = host->home_probe_ready = taken, cycle(NULL);
        memset(&shown, 0, sizeof shown);
        l->home_ack_valid = 1, l->home_ack = nothing, d->home_ack_ready = 1,
        cycle(taken ? NULL : "its slice answers without a probe of line 3 in I");
        memset(&shown, 0, sizeof shown);
        host->home_ack_valid = 1, host->home_ack = nothing, h->home_ack_ready = 1,
        cycle(taken ? NULL : "its slice answers without a probe of line 3 in I");
        memset(&shown, 0, sizeof shown);
    }
    home_grants(A, NMOESI_S), is_reported("is granted S without a request");
    memset(&shown, 0, sizeof shown);
    h->dir_valid = 1, h->dir = (hmd_dir_t){.line = LINE, .llc = 1, .owner = 1},
    cycle("holds nothing of the block, but the home's entry names it");
    memset(&shown, 0, sizeof shown);
    h->dir = (hmd_dir_t){.line = LINE, .llc = 1, .owner = 1}, cycle(NULL);
    for (unsigned taken = 0; taken < 2; taken++) {
        hn->hmd_ack_valid = BIT(H), hn->hmd_ack[H] = (hmd_ack_t){.ack = {.kind = SMD_ARRIVED, .line = LINE}},
        h->smd_ack_ready = taken, cycle(NULL);
        memset(&shown, 0, sizeof shown);
        h->smd_probe_valid = 1, h->smd_probe = (hmd_probe_t){.device = 0, .probe = {.line = LINE}},
        hn->hmd_probe_ready = BIT(H);
        cycle(taken ? NULL : "is probed while a grant of device 0 is under way");
        memset(&shown, 0, sizeof shown);
    }
}

const struct CMUnitTest message_tests[] = {
    TEST(messages_are_what_is_handed_over),
};
const size_t n_message_tests = sizeof message_tests / sizeof *message_tests;
