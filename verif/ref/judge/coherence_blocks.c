/* Illegal steps of an SMD with a block: requests, answers to probes, bytes and lines that it gives and gets. */
#include "sim_c/ref/judge_stacks.h"
#include "vellum_ports.h"
#include "vl_regs.h"
#include "verif/ref/judge/coherence.h"

static void what_an_smd_asks_for(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(A, SMD_READ, false, false);
    is_reported("requests READ in S");
    ack(A, SMD_ARRIVED, 0, false, 0);
    j->verdict = 0;
    fetch(B, SMD_READ, NMOESI_S, false);
    block_asked(B, SMD_FLUSH, true, true);
    is_reported("requests FLUSH in S");
    judge_coherence_reset(j);
    fetch(A, SMD_OWN, NMOESI_M, false);
    block_asked(A, SMD_OWN, false, false);
    is_reported("requests OWN in M");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_E, false);
    fill(A, HOME_READ, NMOESI_E);
    block_asked(A, SMD_EVICT, false, false);
    is_reported("requests EVICT without bytes in E, though there are some");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    block_asked(A, SMD_EVICT, false, false);
    is_reported("requests EVICT without bytes in I");
}

static void bytes_that_leave_a_stack(void **s)
{
    (void)s;
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 0xff);
    probed(A, PROBE_WRITE, false, false);
    line_probed(A, PROBE_WRITE);
    line_given(A, NMOESI_I, 0);
    ack(A, SMD_BYTES, 0, false, 0x1ff);
    is_reported(
        "gives bytes 0x000000000000000000000000000001ff of line 3 to the home; 0x000000000000000000000000000000ff "
        "were stored");
    write_back(A, NMOESI_M, 0, false);
    j->verdict = 0;
    judge_coherence_reset(j);
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 0xff);
    probed(A, PROBE_WRITE, true, false);
    peer_line(A, LINE, 0x7f);
    is_reported("of line 3 to a peer; ");
    judge_coherence_reset(j);
    /* Bytes that never leave: DONE comes without them. */
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 0xff);
    probed(A, PROBE_CLEAN, false, false);
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_M, 0);
    ack(A, SMD_DONE, NMOESI_M, false, 0);
    is_reported("gives bytes 0x00000000000000000000000000000000 of line 3 to the home");
}

static void answers_to_probes(void **s)
{
    (void)s;
    ack(A, SMD_DONE, NMOESI_I, false, 0);
    is_reported("answers a probe that was not sent in I; it was in I");
    fetch(A, SMD_READ, NMOESI_S, false);
    probed(A, PROBE_WRITE, false, false);
    ack(A, SMD_DONE, NMOESI_M, false, 0);
    is_reported("answers PROBE_WRITE in M; it was in S");
    probed(A, PROBE_READ, true, false);
    ack(A, SMD_DONE, NMOESI_S, true, 0);
    is_reported("answers PROBE_READ in S, sent to a peer; it was in S");
    probed(A, PROBE_CLEAN, false, false);
    ack(A, SMD_DONE, 7, false, 0);
    is_reported("answers PROBE_CLEAN in an unknown state; it was in S");
    fill(A, HOME_READ, NMOESI_S);
    probed(A, PROBE_WRITE, false, false);
    ack(A, SMD_DONE, NMOESI_S, false, 0);
    is_reported("goes from S to I, but has not probed its slice for all lines");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_E, false);
    fill(A, HOME_READ, NMOESI_E);
    probed(A, PROBE_CLEAN, false, false);
    ack(A, SMD_DONE, NMOESI_E, false, 0);
    is_reported("goes from E to S, but has not probed its slice for all lines");
}

static void lines_by_themselves(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    ack(A, SMD_GET, 0, false, 0);
    is_reported("sends GET for line 3, in S");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_S, true);
    ack(A, SMD_GET, 0, false, 0);
    is_legal();
    ack(A, SMD_GET, 0, false, 0);
    is_reported("sends GET for line 3 again, in S");
    judge_coherence_reset(j);
    /* In stacks, blocks in turn: this one is at home in device 0. */
    const vellum_out_t taken = {.ctl_req_ready = true};
    const vellum_in_t written = {
        .ctl_req_valid = true,
        .ctl_req = {.write = true,
                    .addr = REG_HOME_POLICY,
                    .data = reg_home_policy_put((reg_home_policy_t){.memory = HOME_POLICY_MEMORY_MEMCPY})}};
    judge_stacks_register(j, &taken, &written);
    fetch(B, SMD_READ, NMOESI_S, true);
    ack(B, SMD_GET, 0, false, 0);
    is_legal();
    fetch(A, SMD_READ, NMOESI_S, true);
    ack(A, SMD_GET, 0, false, 0);
    is_reported("sends GET for line 3, which is at home there, in S");
    judge_stacks_reset(j);
}

static void what_comes_to_an_smd(void **s)
{
    (void)s;
    line_comes(A, LINE, 0);
    is_reported("gets a line that it has not requested");
    grant_comes(A, NMOESI_S);
    is_reported("gets a grant that it has not requested");
    block_asked(A, SMD_READ, false, false);
    line_comes(A, LINE, 0);
    is_legal();
    line_comes(A, LINE, 0);
    is_reported("gets a line that it has not requested");
    line_comes(A, LINE + 1, 4);
    is_reported("gets line 4 with other marks than were sent");
    home_grants(A, NMOESI_S);
    grant_comes(A, NMOESI_S);
    is_legal();
    ack(A, SMD_ARRIVED, 0, false, 0);
    is_reported("sends ARRIVED with 2 of 32 lines");
    judge_coherence_reset(j);
    /* Thin: no line comes that was not asked for. */
    fetch(A, SMD_READ, NMOESI_S, true);
    line_comes(A, LINE, 0);
    is_reported("gets a line that it has not requested");
}

static void lines_to_a_peer(void **s)
{
    (void)s;
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 1);
    probed(A, PROBE_READ, true, false);
    peer_line(A, LINE, 0);
    is_legal();
    peer_line(A, LINE, 1);
    is_reported("sends line 3 with marks to a peer that only reads");
}

const struct CMUnitTest block_tests[] = {
    TEST(what_an_smd_asks_for), TEST(bytes_that_leave_a_stack), TEST(answers_to_probes),
    TEST(lines_by_themselves),  TEST(what_comes_to_an_smd),     TEST(lines_to_a_peer),
};
const size_t n_block_tests = sizeof block_tests / sizeof *block_tests;
