/* Every change of a block's state that an SMD makes, for every message that it may be at; and every state that a probe leaves. */
#include <string.h>
#include "verif/ref/judge/coherence.h"

/* Every change of state, for every message that an SMD may be at: from, to. */
static void changes_of_state(void **s)
{
    (void)s;
    static const char *const names = "INSEOM";
    static const struct {
        const char *legal; /* besides those by bytes of the slice: S to N, E to M */
        unsigned kind;
        bool keep;
    } at[] = {
        {"", 3, false}, /* none */
        {"ES EO MO", PROBE_READ, false},
        {"NI SI EI OI MI", PROBE_WRITE, false},
        {"NS ES OS MS", PROBE_CLEAN, false},
        {"NS ES OS MS ME", PROBE_CLEAN, true},
        {"IN IS IE IM", 4, false}, /* a fetch after its grant */
    };
    for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
        for (unsigned from = 0; from <= NMOESI_M; from++)
            for (unsigned to = 0; to <= NMOESI_M; to++) {
                const char change[] = {names[from], names[to], 0};
                judge_coherence_reset(j);
                if (at[k].kind <= PROBE_CLEAN)
                    probed(A, at[k].kind, false, at[k].keep);
                if (at[k].kind == 4) {
                    block_asked(A, SMD_READ, false, false);
                    grant_comes(A, NMOESI_S);
                }
                is_legal();
                judge_block_moved(j, place(A), from, to);
                if (strstr(at[k].legal, change) || !strcmp(change, "SN") || !strcmp(change, "EM"))
                    is_legal();
                else
                    is_reported("its SMD 0 changes a block from ");
            }
}

/* A holds the block in that state, and its slice nothing; in N with a byte that the home has not. */
static void hold(unsigned state)
{
    judge_coherence_reset(j);
    if (state == NMOESI_I)
        return;
    if (state == NMOESI_O || state == NMOESI_M)
        fetch(A, SMD_OWN, NMOESI_M, false);
    else
        fetch(A, SMD_READ, state == NMOESI_E ? NMOESI_E : NMOESI_S, false);
    if (state == NMOESI_N) {
        fill(A, HOME_N_READ, NMOESI_N);
        write_back(A, NMOESI_N, 1, false);
    } else if (state == NMOESI_O) {
        probed(A, PROBE_READ, false, false);
        ack(A, SMD_DONE, NMOESI_M, false, 0);
    }
    is_legal();
}

/* The state after each probe, from each state: docs/coherence.md, Transitions and S3. */
static void states_after_probes(void **s)
{
    (void)s;
    static const unsigned I = NMOESI_I, N = NMOESI_N, S = NMOESI_S, E = NMOESI_E, O = NMOESI_O;
    const struct {
        unsigned kind;
        bool keep;
        unsigned after[6];
    } at[] = {
        {PROBE_READ,
         false,
         {[NMOESI_I] = I, [NMOESI_N] = N, [NMOESI_S] = S, [NMOESI_E] = S, [NMOESI_O] = O, [NMOESI_M] = O}},
        {PROBE_WRITE,
         false,
         {[NMOESI_I] = I, [NMOESI_N] = I, [NMOESI_S] = I, [NMOESI_E] = I, [NMOESI_O] = I, [NMOESI_M] = I}},
        {PROBE_CLEAN,
         false,
         {[NMOESI_I] = I, [NMOESI_N] = S, [NMOESI_S] = S, [NMOESI_E] = S, [NMOESI_O] = S, [NMOESI_M] = S}},
        {PROBE_CLEAN,
         true,
         {[NMOESI_I] = I, [NMOESI_N] = S, [NMOESI_S] = S, [NMOESI_E] = E, [NMOESI_O] = S, [NMOESI_M] = E}},
    };
    for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
        for (unsigned from = NMOESI_I; from <= NMOESI_M; from++)
            for (unsigned said = NMOESI_I; said <= NMOESI_M; said++) {
                hold(from);
                probed(A, at[k].kind, false, at[k].keep);
                if (from == NMOESI_N && at[k].kind != PROBE_READ)
                    ack(A, SMD_BYTES, 0, false, 1);
                ack(A, SMD_DONE, from, false, 0);
                is_legal();
                probed(A, PROBE_READ, false, false);
                ack(A, SMD_DONE, said, false, 0);
                if (said == at[k].after[from])
                    is_legal();
                else
                    is_reported("device 0: answers PROBE_READ in ");
            }
}

const struct CMUnitTest state_tests[] = {
    TEST(changes_of_state),
    TEST(states_after_probes),
};
const size_t n_state_tests = sizeof state_tests / sizeof *state_tests;
