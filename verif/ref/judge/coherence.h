/* Shared by the tests of the judge's table of legal transitions: messages one by one, as docs/coherence.md and docs/home-seam.md have them, and short sequences of them. Configuration
 * `umh2`: two devices; block X of channel 0, its SMDs 0 and CHANNELS, the host's slice SMDS. */
#ifndef VELLUM_VERIF_REF_JUDGE_COHERENCE_H
#define VELLUM_VERIF_REF_JUDGE_COHERENCE_H

#include "sim_c/ref/judge.h"
#include "sim_c/ref/judge_coherence.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "verif/ref/judge/setup.h"

enum { BLOCK = 0x10001000 / LINE_BYTES, LINE = BLOCK + 3, LINES_A_BLOCK = INTERLEAVE_BYTES / LINE_BYTES };
enum { A, B, HOST };
_Static_assert(DEVICES == 2, "two devices");

void is_legal(void);
/* The last message is illegal, and the judge reports it; its later reports do not count. */
void is_reported(const char *words);

/* The number of its SMD and slice. */
unsigned place(unsigned who);
line_be_t bytes(uint64_t low);

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

/* The slice's. */
void line_asked(unsigned who, unsigned op);
void line_granted(unsigned who, unsigned state);
void write_back(unsigned who, unsigned state, uint64_t be, bool keep);
void line_probed(unsigned who, unsigned kind);
void line_given(unsigned who, unsigned state, uint64_t be);

/* The SMD's. */
void block_asked(unsigned who, unsigned op, bool may_have_bytes, bool thin);
void probed(unsigned who, unsigned kind, bool to_peer, bool keep);
void ack(unsigned who, unsigned kind, unsigned state, bool sent, uint64_t mask);
void home_grants(unsigned who, unsigned state);
void grant_comes(unsigned who, unsigned state);
void line_comes(unsigned who, uint64_t line, uint64_t mask);
void lines_come(unsigned who);
void peer_line(unsigned who, uint64_t line, uint64_t mask);

/* ---- legal sequences -------------------------------------------------------------------------------------------------------- */

/* A device is granted the block. */
void fetch(unsigned who, unsigned op, unsigned state, bool thin);
/* Its slice is granted the line. */
void fill(unsigned who, unsigned op, unsigned state);
/* It gives the block up, with these bytes of the line, from that state. */
void give_up(unsigned who, unsigned state, uint64_t mask);
/* Bytes are stored into a line that may be stored into, and given back. */
void store(unsigned who, unsigned state, uint64_t be);

/* The judge reads messages off the blocks' outputs (judge_messages.h), which coherence_messages.c shows. */
void watch_outputs(void);

/* ---- the tests, a table a file ---------------------------------------------------------------------------------------------- */

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
extern const struct CMUnitTest legal_tests[], line_tests[], block_tests[], home_tests[], state_tests[], slice_tests[],
    message_tests[];
extern const size_t n_legal_tests, n_line_tests, n_block_tests, n_home_tests, n_state_tests, n_slice_tests,
    n_message_tests;

#endif
