/* Sequences as docs/coherence.md has them: blocks from device to device, with marks, and line by line. All of it is let pass. */
#include "verif/ref/judge/coherence.h"

static void blocks_go_from_device_to_device(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_E, false);
    fill(A, HOME_READ, NMOESI_E);
    store(A, NMOESI_M, 0xf0);
    /* B reads: A is cleaned, and both share. */
    block_asked(B, SMD_READ, false, false);
    probed(A, PROBE_CLEAN, false, false);
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_M, 0x0f);
    ack(A, SMD_BYTES, 0, false, 0xff);
    ack(A, SMD_DONE, NMOESI_M, false, 0);
    home_grants(B, NMOESI_S);
    grant_comes(B, NMOESI_S);
    lines_come(B);
    ack(B, SMD_ARRIVED, 0, false, 0);
    is_legal();
    /* B n-stores, then owns: all others give up their copies. */
    fill(B, HOME_N_READ, NMOESI_N);
    store(B, NMOESI_N, 0xf00);
    block_asked(B, SMD_OWN, false, false);
    give_up(A, NMOESI_S, 0);
    give_up(B, NMOESI_N, 0xf00);
    home_grants(B, NMOESI_M);
    lines_come(B);
    grant_comes(B, NMOESI_M);
    ack(B, SMD_ARRIVED, 0, false, 0);
    is_legal();
    fill(B, HOME_READ_OWN, NMOESI_M);
    store(B, NMOESI_M, 0xf000);
    /* A reads from B, which stays the owner. */
    block_asked(A, SMD_READ, false, false);
    probed(B, PROBE_READ, true, false);
    line_probed(B, PROBE_CLEAN);
    line_given(B, NMOESI_M, 0);
    for (unsigned k = 0; k < LINES_A_BLOCK; k++)
        peer_line(B, BLOCK + k, 0);
    ack(B, SMD_DONE, NMOESI_M, true, 0);
    home_grants(A, NMOESI_S);
    lines_come(A);
    grant_comes(A, NMOESI_S);
    ack(A, SMD_ARRIVED, 0, false, 0);
    is_legal();
    /* B gives it back, so A must, too. */
    block_asked(B, SMD_EVICT, true, false);
    give_up(B, NMOESI_O, 0xf000);
    give_up(A, NMOESI_S, 0);
    home_grants(B, NMOESI_I);
    grant_comes(B, NMOESI_I);
    ack(B, SMD_ARRIVED, 0, false, 0);
    is_legal();
    fill(HOST, HOME_READ_OWN, NMOESI_M);
    store(HOST, NMOESI_M, 1);
    line_probed(HOST, PROBE_WRITE);
    line_given(HOST, NMOESI_M, 2);
    is_legal();
    /* A final flush of the only holder. */
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 1);
    block_asked(A, SMD_FLUSH, true, false);
    probed(A, PROBE_CLEAN, false, true);
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_M, 2);
    ack(A, SMD_BYTES, 0, false, 3);
    ack(A, SMD_DONE, NMOESI_M, false, 0);
    home_grants(A, NMOESI_I);
    grant_comes(A, NMOESI_I);
    ack(A, SMD_ARRIVED, 0, false, 0);
    is_legal();
}

static void a_peer_takes_over_with_marks(void **s)
{
    (void)s;
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    store(A, NMOESI_M, 5);
    block_asked(B, SMD_OWN, false, false);
    probed(A, PROBE_WRITE, true, false);
    line_probed(A, PROBE_WRITE);
    line_given(A, NMOESI_I, 0);
    for (unsigned k = 0; k < LINES_A_BLOCK; k++) {
        peer_line(A, BLOCK + k, BLOCK + k == LINE ? 5 : 0);
        line_comes(B, BLOCK + k, BLOCK + k == LINE ? 5 : 0);
    }
    ack(A, SMD_DONE, NMOESI_M, true, 0);
    home_grants(B, NMOESI_M);
    grant_comes(B, NMOESI_M);
    ack(B, SMD_ARRIVED, 0, false, 0);
    is_legal();
    give_up(B, NMOESI_M, 5);
}

static void lines_come_one_by_one_with_zerocopy(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, true);
    fetch(B, SMD_READ, NMOESI_S, true);
    for (unsigned who = A; who <= B; who++) {
        line_asked(who, HOME_N_READ);
        ack(who, SMD_GET, 0, false, 0);
        line_comes(who, LINE, 0);
        line_granted(who, NMOESI_N);
        is_legal();
        store(who, NMOESI_N, 1u << who);
        ack(who, SMD_BYTES, 0, false, 1u << who);
        is_legal();
    }
    give_up(A, NMOESI_N, 0);
    give_up(B, NMOESI_N, 0);
}

const struct CMUnitTest legal_tests[] = {
    TEST(blocks_go_from_device_to_device),
    TEST(a_peer_takes_over_with_marks),
    TEST(lines_come_one_by_one_with_zerocopy),
};
const size_t n_legal_tests = sizeof legal_tests / sizeof *legal_tests;
