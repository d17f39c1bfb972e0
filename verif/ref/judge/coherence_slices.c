/* What slices store and give (judge_slices.h): the bytes that a line's home gets are those that were stored. */
#include "sim_c/ref/judge_slices.h"
#include "verif/ref/judge/coherence.h"

static void stored(unsigned who, unsigned op, uint64_t be)
{
    judge_slice_stored(j, place(who), &(mem_req_t){.op = (uint8_t)op, .line = LINE, .be = bytes(be)}, 0);
}

/* An atomic of 4 bytes, and its answer. */
static void atomic(unsigned who, unsigned amo, unsigned off, uint64_t compared, uint64_t answer)
{
    const mem_req_t q = {
        .op = MEM_AMO, .amo = (uint8_t)amo, .line = LINE, .amo_off = (uint8_t)off, .data = {{0, compared}}};
    judge_slice_stored(j, place(who), &q, answer);
}

static void gives(unsigned who, unsigned state, uint64_t be, bool keeps)
{
    const line_be_t b = bytes(be);
    judge_slice_gives(j, place(who), LINE, state, &b, keeps);
}

static void slices_give_what_they_have_stored(void **s)
{
    (void)s;
    watch_outputs();
    /* In N it gives stored bytes, and once. */
    fetch(A, SMD_READ, NMOESI_S, false);
    fill(A, HOME_N_READ, NMOESI_N);
    gives(A, NMOESI_N, 0, false);
    stored(A, MEM_WRITE, 0xf0);
    stored(A, MEM_WRITE, 0xf000);
    is_legal();
    gives(A, NMOESI_N, 0xf0, false);
    is_reported("gives bytes 0x000000000000000000000000000000f0 of line 3, held in N, with others; it has stored "
                "0x0000000000000000000000000000f0f0");
    stored(A, MEM_WRITE, 0xf0);
    gives(A, NMOESI_N, 0xff, false);
    is_reported("gives bytes");
    stored(A, MEM_WRITE, 0xf);
    gives(A, NMOESI_N, 0xf, false);
    is_legal();
    gives(A, NMOESI_N, 0xf, false);
    is_reported("it has stored 0x00000000000000000000000000000000");
    /* Another's are another's. */
    stored(A, MEM_WRITE, 0xf);
    judge_slice_gives(j, place(A) + 1, LINE, NMOESI_N, &(line_be_t){{0xf}}, false);
    is_reported("gives bytes");
    /* Coherently only alone. */
    stored(A, MEM_STORE, 1);
    is_reported("device 0: its slice stores coherently into line 3, which it does not hold alone");
    atomic(A, AMO_ADD, 8, 0, 0);
    is_reported("stores coherently");
    atomic(A, AMO_LR, 8, 0, 0);
    atomic(A, AMO_SC, 8, 0, 1);
    atomic(A, AMO_CAS, 8, 5, 6);
    is_legal();
    stored(A, MEM_WRITE, 3);
    if (MASK_GRAIN == 1)
        is_legal();
    else
        is_reported("stores coherently");
    judge_coherence_reset(j);
    judge_slices_reset(j);
    /* Alone: grains of which a byte was stored, and operands of atomics, whether they have stored or not. */
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    stored(A, MEM_STORE, 1);
    atomic(A, AMO_CAS, 8, 5, 5);
    atomic(A, AMO_CAS, 16, 5, 6);
    gives(A, NMOESI_M, MASK_GRAIN == 1 ? 0xf0f01 : 0xf0f0f, true);
    is_legal();
    gives(A, NMOESI_M, MASK_GRAIN == 1 ? 0xf01 : 0xf0f, false);
    is_legal();
    stored(A, MEM_STORE, 1);
    gives(A, NMOESI_M, 0xf1, false);
    is_reported("held in another state than N");
    stored(A, MEM_WRITE, 3);
    gives(A, NMOESI_M, MASK_GRAIN == 1 ? 3 : 15, false);
    is_legal();
    atomic(A, AMO_CAS, 8, 5, 5);
    gives(A, NMOESI_M, 0, false);
    is_reported("gives bytes");
    /* A line in S or E has none. */
    stored(A, MEM_STORE, 1);
    gives(A, NMOESI_E, 0, false);
    is_reported("gives bytes");
}

const struct CMUnitTest slice_tests[] = {
    TEST(slices_give_what_they_have_stored),
};
const size_t n_slice_tests = sizeof slice_tests / sizeof *slice_tests;
