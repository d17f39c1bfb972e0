/* Illegal steps of a home: to grant a block beside others, to forget a holder, to name an agent that holds nothing. */
#include "verif/ref/judge/coherence.h"

static void grants_beside_others(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(B, SMD_OWN, false, false);
    home_grants(B, NMOESI_M);
    is_reported("device 1: is granted the block beside other holders: device 0 has it in S");
    grant_comes(B, NMOESI_M);
    is_reported("device 1: a grant arrives beside other holders");
}

static void grants_of_a_home(void **s)
{
    (void)s;
    home_grants(A, NMOESI_S);
    is_reported("is granted S without a request");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    home_grants(A, NMOESI_M);
    is_reported("is granted M for a request of another kind");
    home_grants(A, NMOESI_S);
    is_reported("is granted S before another grant has arrived");
    judge_home_probes(j, &(hmd_probe_t){.device = B, .probe = {.line = LINE}});
    is_reported("device 1: is probed while a grant of device 0 is under way");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(A, SMD_EVICT, false, false);
    home_grants(A, NMOESI_I);
    is_reported("is granted I for EVICT, but has not given the block up");
}

/* The home has forgotten a holder: a copy stays while bytes of another come home. */
static void a_home_that_forgets_a_sharer(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    fetch(B, SMD_READ, NMOESI_S, false);
    fill(B, HOME_N_READ, NMOESI_N);
    store(B, NMOESI_N, 1);
    block_asked(B, SMD_EVICT, true, false);
    give_up(B, NMOESI_N, 1);
    home_grants(B, NMOESI_I);
    is_reported("device 0: holds the block, but bytes of another device have come home");
    judge_coherence_reset(j);
    /* Nor may two be cleaned that each have bytes. */
    for (unsigned who = A; who <= B; who++) {
        fetch(who, SMD_READ, NMOESI_S, false);
        fill(who, HOME_N_READ, NMOESI_N);
        store(who, NMOESI_N, 1u << who);
    }
    for (unsigned who = A; who <= B; who++) {
        probed(who, PROBE_CLEAN, false, false);
        line_probed(who, PROBE_CLEAN);
        line_given(who, NMOESI_N, 0);
        ack(who, SMD_BYTES, 0, false, 1u << who);
        ack(who, SMD_DONE, NMOESI_N, false, 0);
        is_legal();
    }
    line_asked(HOST, HOME_READ);
    line_granted(HOST, NMOESI_S);
    is_reported("device 0: holds the block, but bytes of several devices have come home");
}

static void home_knows(unsigned sharers, unsigned owner, bool llc)
{
    judge_home_knows(j, &(hmd_dir_t){.line = LINE, .sharers = (uint8_t)sharers, .owner = (uint8_t)owner, .llc = llc});
}

/* Sharers and owner are the holders of the block, no more and no fewer, except an agent with a grant under way. */
static void what_a_home_knows(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    home_knows(1u << A, 0, true);
    is_legal();
    home_knows(0, 0, false);
    is_reported("device 0: holds the block, but the home's entry does not name it");
    home_knows(0, 1u << A, false);
    is_reported("device 0: does not own the block, but the home's entry names it as owner");
    home_knows(1u << A | 1u << B, 0, false);
    is_reported("device 1: holds nothing of the block, but the home's entry names it");
    block_asked(B, SMD_READ, false, false);
    home_knows(1u << A | 1u << B, 0, false);
    is_legal();
    home_grants(B, NMOESI_S);
    grant_comes(B, NMOESI_S);
    lines_come(B);
    ack(B, SMD_ARRIVED, 0, false, 0);
    block_asked(B, SMD_EVICT, false, false);
    home_knows(1u << A | 1u << B, 0, false);
    is_legal();
    give_up(B, NMOESI_S, 0);
    home_knows(1u << A | 1u << B, 0, false);
    is_reported("device 1: holds nothing of the block, but the home's entry names it");
    judge_coherence_reset(j);
    fetch(A, SMD_OWN, NMOESI_M, false);
    home_knows(0, 1u << A, false);
    is_legal();
    home_knows(1u << A, 0, false);
    is_reported("device 0: owns the block, but the home's entry does not name it as owner");
    home_knows(0, 1u << A, true);
    is_reported("the host: the home's entry has llc beside an owner");
    judge_coherence_reset(j);
    line_asked(HOST, HOME_READ);
    line_granted(HOST, NMOESI_S);
    home_knows(0, 0, true);
    is_legal();
    home_knows(0, 0, false);
    is_reported("the host: holds lines, but the home's entry has no llc");
}

/* A grant matches the new entry. */
static void grants_and_entries(void **s)
{
    (void)s;
    block_asked(A, SMD_READ, false, false);
    home_knows(1u << A, 0, false);
    home_grants(A, NMOESI_E);
    is_reported("is granted E, but the home's entry does not name it as holder");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    home_knows(0, 0, false);
    home_grants(A, NMOESI_S);
    is_reported("is granted S, but the home's entry does not name it as holder");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    home_knows(0, 1u << A, false);
    home_grants(A, NMOESI_E);
    grant_comes(A, NMOESI_E);
    lines_come(A);
    ack(A, SMD_ARRIVED, 0, false, 0);
    block_asked(A, SMD_EVICT, false, false);
    give_up(A, NMOESI_E, 0);
    is_legal();
    home_grants(A, NMOESI_I);
    is_reported("is granted I, but the home's entry has not been written");
}

const struct CMUnitTest home_tests[] = {
    TEST(grants_beside_others), TEST(grants_of_a_home),   TEST(a_home_that_forgets_a_sharer),
    TEST(what_a_home_knows),    TEST(grants_and_entries),
};
const size_t n_home_tests = sizeof home_tests / sizeof *home_tests;
