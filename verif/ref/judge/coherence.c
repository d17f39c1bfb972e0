/* The judge's table of legal transitions (judge_coherence.h), without a machine: messages one by one, as docs/coherence.md and docs/home-seam.md have them, are let pass; one that is
 * not legal is told. Of the configuration `umh2`: two devices; block X of channel 0, its SMDs 0 and CHANNELS, the host's slice SMDS. What the judge says goes to standard output:
 * run looks whether all that it can say was said. */
#include "sim_c/ref/judge.h"
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_messages.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_stacks.h"
#include "hmd_net_ports.h"
#include "hmd_ports.h"
#include "l2c_ports.h"
#include "smd_net_ports.h"
#include "smd_ports.h"
#include "stack_port_ports.h"
#include "vellum_ports.h"
#include "vl_regs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "verif/ref/judge/setup.h"

enum { BLOCK = 0x10001000 / LINE_BYTES, LINE = BLOCK + 3, LINES_A_BLOCK = INTERLEAVE_BYTES / LINE_BYTES };
enum { A, B, HOST };
_Static_assert(DEVICES == 2, "two devices");

static void is_legal(void)
{
    if (j->verdict)
        fail_msg("%s", err.text);
}

/* What has just been told is illegal, and is reported; what it reports after that does not count. */
static void is_reported(const char *words)
{
    if (!j->verdict)
        fail_msg("'%s' is not reported", words);
    puts(err.text);
    if (!strstr(err.text, words))
        fail_msg("'%s' is reported, not '%s'", err.text, words);
    j->verdict = 0;
}

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

static unsigned place(unsigned who)
{
    return who == HOST ? SMDS : who * CHANNELS;
}

static vl_bits_128 bytes(uint64_t low)
{
    return (vl_bits_128){{low}};
}

/* The slice's. */
static void line_asked(unsigned who, unsigned op)
{
    judge_line_asked(j, place(who), &(home_req_t){.op = (uint8_t)op, .id = 1, .line = LINE});
}

static void line_granted(unsigned who, unsigned state)
{
    judge_line_granted(j, place(who), &(home_rsp_t){.id = 1, .state = (uint8_t)state});
}

static void write_back(unsigned who, unsigned state, uint64_t be, bool keep)
{
    judge_line_asked(
        j, place(who),
        &(home_req_t){.op = HOME_WRITE_BACK, .line = LINE, .state = (uint8_t)state, .be = bytes(be), .keep = keep});
}

static void line_probed(unsigned who, unsigned kind)
{
    judge_line_probed(j, place(who), &(home_probe_t){.kind = (uint8_t)kind, .line = LINE});
}

static void line_given(unsigned who, unsigned state, uint64_t be)
{
    judge_line_given(j, place(who), &(home_ack_t){.line = LINE, .state = (uint8_t)state, .be = bytes(be)});
}

/* The SMD's. */
static void block_asked(unsigned who, unsigned op, bool may_have_bytes, bool thin)
{
    judge_block_asked(j, place(who),
                      &(smd_req_t){.op = (uint8_t)op, .bytes = may_have_bytes, .line = LINE, .thin = thin});
}

static void probed(unsigned who, unsigned kind, bool to_peer, bool keep)
{
    judge_home_probes(j, &(hmd_probe_t){.device = who, .probe = {.kind = (uint8_t)kind, .line = LINE}});
    judge_block_probed(j, place(who),
                       &(smd_probe_t){.kind = (uint8_t)kind, .line = LINE, .to_peer = to_peer, .keep = keep});
}

static void ack(unsigned who, unsigned kind, unsigned state, bool sent, uint64_t mask)
{
    const smd_ack_t a = {
        .kind = (uint8_t)kind, .line = LINE, .state = (uint8_t)state, .sent = sent, .mask = bytes(mask)};
    judge_block_answered(j, place(who), &a);
    if (!j->verdict)
        judge_home_done(j, &(hmd_ack_t){.device = who, .ack = a});
}

static void home_grants(unsigned who, unsigned state)
{
    judge_home_grants(j, &(hmd_data_t){.device = who, .data = {.grant = true, .line = LINE, .state = (uint8_t)state}});
}

static void grant_comes(unsigned who, unsigned state)
{
    judge_block_came(j, place(who), &(smd_data_t){.grant = true, .line = LINE, .state = (uint8_t)state});
}

static void line_comes(unsigned who, uint64_t line, uint64_t mask)
{
    judge_block_came(j, place(who), &(smd_data_t){.line = line, .mask = bytes(mask)});
}

static void lines_come(unsigned who)
{
    for (unsigned k = 0; k < LINES_A_BLOCK; k++)
        line_comes(who, BLOCK + k, 0);
}

static void peer_line(unsigned who, uint64_t line, uint64_t mask)
{
    judge_block_peer(j, place(who), &(smd_peer_t){.device = !who, .line = line, .mask = bytes(mask)});
}

/* ---- legal sequences -------------------------------------------------------------------------------------------------------- */

/* A device is granted the block. */
static void fetch(unsigned who, unsigned op, unsigned state, bool thin)
{
    block_asked(who, op, false, thin);
    home_grants(who, state);
    grant_comes(who, state);
    if (!thin)
        lines_come(who);
    ack(who, SMD_ARRIVED, 0, false, 0);
    is_legal();
}

/* Its slice is granted the line. */
static void fill(unsigned who, unsigned op, unsigned state)
{
    line_asked(who, op);
    line_granted(who, state);
    is_legal();
}

/* It gives the block up, with these bytes of the line, from that state. */
static void give_up(unsigned who, unsigned state, uint64_t mask)
{
    probed(who, PROBE_WRITE, false, false);
    line_probed(who, PROBE_WRITE);
    line_given(who, NMOESI_I, 0);
    if (mask)
        ack(who, SMD_BYTES, 0, false, mask);
    ack(who, SMD_DONE, state, false, 0);
    is_legal();
}

/* Bytes are stored into a line that may be stored into, and given back. */
static void store(unsigned who, unsigned state, uint64_t be)
{
    write_back(who, state, be, true);
    is_legal();
}

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
    /* B n-stores, then owns: everybody gives up what he has. */
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
    /* A reads from B, who stays the owner. */
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
    /* A final flush of who holds it alone. */
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

/* ---- illegal ones ------------------------------------------------------------------------------------------------------------ */

static void what_a_slice_gives_back(void **s)
{
    (void)s;
    write_back(A, NMOESI_N, 1, false);
    is_reported("its slice writes line 3 back in N, which was granted I");
    fetch(A, SMD_READ, NMOESI_S, false);
    fill(A, HOME_READ, NMOESI_S);
    write_back(A, NMOESI_M, 1, false);
    is_reported("its slice writes line 3 back in M, which was granted S");
}

static void what_a_slice_is_granted(void **s)
{
    (void)s;
    line_asked(A, HOME_READ);
    line_granted(A, NMOESI_S);
    is_reported("its slice is granted line 3 in S");
    fetch(B, SMD_READ, NMOESI_S, false);
    line_asked(B, HOME_READ_OWN);
    line_granted(B, NMOESI_S);
    is_reported("its slice is granted line 3 in S");
    line_asked(B, HOME_READ);
    line_granted(B, NMOESI_E);
    is_reported("its slice is granted line 3 in E");
    line_asked(B, HOME_READ);
    line_granted(B, NMOESI_O);
    is_reported("its slice is granted line 3 in O");
}

static void lines_beside_others(void **s)
{
    (void)s;
    fetch(A, SMD_OWN, NMOESI_M, false);
    fill(A, HOME_READ_OWN, NMOESI_M);
    line_asked(HOST, HOME_READ);
    line_granted(HOST, NMOESI_S);
    is_reported("the host: a line is granted beside other holders: device 0 has it in M");
    line_asked(A, HOME_READ_OWN);
    line_granted(A, NMOESI_M);
    is_reported("device 0: a line is granted beside other holders");
}

static void what_a_slice_answers(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    fill(A, HOME_READ, NMOESI_S);
    line_given(A, NMOESI_S, 0);
    is_reported("its slice answers a probe of line 3 in S, which was granted S"); /* no probe was sent */
    fill(A, HOME_READ, NMOESI_S);
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_M, 1);
    is_reported("its slice answers a probe of line 3 in M with bytes, which was granted S");
    line_probed(A, PROBE_CLEAN);
    line_given(A, NMOESI_S, 1);
    is_reported("its slice answers a probe of line 3 in S with bytes");
}

static void what_an_smd_asks_for(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(A, SMD_READ, false, false);
    is_reported("asks for READ in S");
    ack(A, SMD_ARRIVED, 0, false, 0);
    j->verdict = 0;
    fetch(B, SMD_READ, NMOESI_S, false);
    block_asked(B, SMD_FLUSH, true, true);
    is_reported("asks for FLUSH in S");
    judge_coherence_reset(j);
    fetch(A, SMD_OWN, NMOESI_M, false);
    block_asked(A, SMD_OWN, false, false);
    is_reported("asks for OWN in M");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_E, false);
    fill(A, HOME_READ, NMOESI_E);
    block_asked(A, SMD_EVICT, false, false);
    is_reported("asks for EVICT without bytes in E, and there are some");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    block_asked(A, SMD_EVICT, false, false);
    is_reported("asks for EVICT without bytes in I");
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
    is_reported("answers PROBE_CLEAN in a state that is none; it was in S");
    fill(A, HOME_READ, NMOESI_S);
    probed(A, PROBE_WRITE, false, false);
    ack(A, SMD_DONE, NMOESI_S, false, 0);
    is_reported("goes from S to I, and has not asked its slice for all lines");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_E, false);
    fill(A, HOME_READ, NMOESI_E);
    probed(A, PROBE_CLEAN, false, false);
    ack(A, SMD_DONE, NMOESI_E, false, 0);
    is_reported("goes from E to S, and has not asked its slice for all lines");
}

static void lines_by_themselves(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    ack(A, SMD_GET, 0, false, 0);
    is_reported("asks for line 3 by itself, in S");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_S, true);
    ack(A, SMD_GET, 0, false, 0);
    is_legal();
    ack(A, SMD_GET, 0, false, 0);
    is_reported("asks for line 3 by itself again, in S");
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
    is_reported("asks for line 3 by itself, which is at home there, in S");
    judge_stacks_reset(j);
}

static void what_comes_to_an_smd(void **s)
{
    (void)s;
    line_comes(A, LINE, 0);
    is_reported("gets a line that it does not wait for");
    grant_comes(A, NMOESI_S);
    is_reported("gets a grant that it does not wait for");
    block_asked(A, SMD_READ, false, false);
    line_comes(A, LINE, 0);
    is_legal();
    line_comes(A, LINE, 0);
    is_reported("gets a line that it does not wait for");
    line_comes(A, LINE + 1, 4);
    is_reported("gets line 4 with other marks than it was sent");
    home_grants(A, NMOESI_S);
    grant_comes(A, NMOESI_S);
    is_legal();
    ack(A, SMD_ARRIVED, 0, false, 0);
    is_reported("says that its grant has arrived, with 2 of 32 lines");
    judge_coherence_reset(j);
    /* Thin: no line comes that was not asked for. */
    fetch(A, SMD_READ, NMOESI_S, true);
    line_comes(A, LINE, 0);
    is_reported("gets a line that it does not wait for");
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
    is_reported("gives line 3 to a peer, which only reads, with its marks");
}

static void grants_beside_others(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(B, SMD_OWN, false, false);
    home_grants(B, NMOESI_M);
    is_reported("device 1: is granted it beside other holders: device 0 has it in S");
    grant_comes(B, NMOESI_M);
    is_reported("device 1: a grant arrives beside other holders");
}

static void grants_of_a_home(void **s)
{
    (void)s;
    home_grants(A, NMOESI_S);
    is_reported("is granted S without having asked");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    home_grants(A, NMOESI_M);
    is_reported("is granted M for another request");
    home_grants(A, NMOESI_S);
    is_reported("is granted S before another grant has arrived");
    judge_home_probes(j, &(hmd_probe_t){.device = B, .probe = {.line = LINE}});
    is_reported("device 1: is probed while a grant of device 0 is on its way");
    judge_coherence_reset(j);
    fetch(A, SMD_READ, NMOESI_S, false);
    block_asked(A, SMD_EVICT, false, false);
    home_grants(A, NMOESI_I);
    is_reported("is granted I for EVICT, and has not given it up");
}

/* The home has forgotten who holds it: a copy stays while bytes of another come home. */
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
    is_reported("device 0: it holds the block, and bytes of another device have come home");
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
    is_reported("device 0: it holds the block, and bytes of several devices have come home");
}

static void home_knows(unsigned sharers, unsigned owner, bool llc)
{
    judge_home_knows(j, &(hmd_dir_t){.line = LINE, .sharers = (uint8_t)sharers, .owner = (uint8_t)owner, .llc = llc});
}

/* Sharers and owner are who holds the block, no more and no fewer, but for who is being granted it. */
static void what_a_home_knows(void **s)
{
    (void)s;
    fetch(A, SMD_READ, NMOESI_S, false);
    home_knows(1u << A, 0, true);
    is_legal();
    home_knows(0, 0, false);
    is_reported("device 0: holds the block, and the home does not know");
    home_knows(0, 1u << A, false);
    is_reported("device 0: does not own the block, and the home thinks it does");
    home_knows(1u << A | 1u << B, 0, false);
    is_reported("device 1: holds nothing of the block, and the home thinks it does");
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
    is_reported("device 1: holds nothing of the block, and the home thinks it does");
    judge_coherence_reset(j);
    fetch(A, SMD_OWN, NMOESI_M, false);
    home_knows(0, 1u << A, false);
    is_legal();
    home_knows(1u << A, 0, false);
    is_reported("device 0: owns the block, and the home does not know");
    home_knows(0, 1u << A, true);
    is_reported("the host: the home thinks that it has lines beside an owner");
    judge_coherence_reset(j);
    line_asked(HOST, HOME_READ);
    line_granted(HOST, NMOESI_S);
    home_knows(0, 0, true);
    is_legal();
    home_knows(0, 0, false);
    is_reported("the host: it has lines, and the home does not know");
}

/* A grant is what the entry has become. */
static void grants_and_entries(void **s)
{
    (void)s;
    block_asked(A, SMD_READ, false, false);
    home_knows(1u << A, 0, false);
    home_grants(A, NMOESI_E);
    is_reported("is granted E, and the home's entry does not say so");
    judge_coherence_reset(j);
    block_asked(A, SMD_READ, false, false);
    home_knows(0, 0, false);
    home_grants(A, NMOESI_S);
    is_reported("is granted S, and the home's entry does not say so");
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
    is_reported("is granted I, and the home's entry has not been written");
}

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
        {"IN IS IE IM", 4, false}, /* a fetch whose grant has come */
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

/* What each probe leaves of each state: docs/coherence.md, Transitions and S3. */
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

/* ---- messages read off the blocks' outputs (judge_messages.h) ------------------------------------------------------------------ */

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

/* ---- what slices store and give (judge_slices.h) ----------------------------------------------------------------------------- */

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
    const vl_bits_128 b = bytes(be);
    judge_slice_gives(j, place(who), LINE, state, &b, keeps);
}

static void slices_give_what_they_have_stored(void **s)
{
    (void)s;
    assert_true(judge_messages_watch(j, NULL, out));
    /* In N what was stored, and once. */
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
    judge_slice_gives(j, place(A) + 1, LINE, NMOESI_N, &(vl_bits_128){{0xf}}, false);
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
    assert_true(judge_messages_watch(j, NULL, out));
    HANDED_OVER((l->home_req_valid = 1, l->home_req = back), d->home_req_ready = 1,
                "device 1: its slice writes line 3 back in N");
    HANDED_OVER((host->home_req_valid = 1, host->home_req = back), h->home_req_ready = 1,
                "the host: its slice writes line 3 back in N");
    HANDED_OVER((l->home_ack_valid = 1, l->home_ack = gives), d->home_ack_ready = 1,
                "device 1: its slice answers a probe of line 3 in S");
    HANDED_OVER((host->home_ack_valid = 1, host->home_ack = gives), h->home_ack_ready = 1,
                "the host: its slice answers a probe of line 3 in S");
    HANDED_OVER((d->smd_peer_valid = 1, d->smd_peer = (smd_peer_t){.line = LINE, .mask = bytes(1)}),
                sn->smd_peer_ready = BIT(K), "device 1: gives line 3 to a peer");
    HANDED_OVER((d->smd_ack_valid = 1, d->smd_ack = done), sn->smd_ack_ready = BIT(K),
                "device 1: answers a probe that was not sent");
    HANDED_OVER((d->smd_req_valid = 1, d->smd_req = (smd_req_t){.op = SMD_FLUSH, .line = LINE, .thin = true}),
                sn->smd_req_ready = BIT(K), "device 1: asks for FLUSH");
    judge_coherence_reset(j);
    HANDED_OVER((sn->smd_data_valid = BIT(K), sn->smd_data[K] = (smd_data_t){.line = LINE}), d->smd_data_ready = 1,
                "device 1: gets a line");
    HANDED_OVER((h->smd_data_valid = 1,
                 h->smd_data = (hmd_data_t){.device = 1, .data = {.grant = true, .line = LINE, .state = NMOESI_S}}),
                hn->hmd_data_ready = BIT(H), "device 1: is granted S without having asked");
    HANDED_OVER((h->smd_probe_valid = 1, h->smd_probe = (hmd_probe_t){.device = 0, .probe = {.line = LINE}}),
                hn->hmd_probe_ready = BIT(H), "device 0: is probed while a grant of device 1 is on its way");
    /* Shown without being taken: an answer, and a change of state. */
    d->home_rsp_valid = 1, d->home_rsp = (home_rsp_t){.state = NMOESI_S},
    cycle("device 1: its slice is granted line 0 in S");
    memset(&shown, 0, sizeof shown);
    h->home_rsp_valid = 1, h->home_rsp = (home_rsp_t){.state = NMOESI_O},
    cycle("the host: its slice is granted line 0 in O");
    memset(&shown, 0, sizeof shown);
    d->ev.smd_moved = 1, d->ev.smd_from = NMOESI_I, d->ev.smd_to = NMOESI_O,
    cycle("device 1: its SMD 3 changes a block from I to O");
    memset(&shown, 0, sizeof shown);
    /* What makes another message legal. */
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
        cycle(taken ? NULL : "its slice answers a probe of line 3 in I");
        memset(&shown, 0, sizeof shown);
        host->home_ack_valid = 1, host->home_ack = nothing, h->home_ack_ready = 1,
        cycle(taken ? NULL : "its slice answers a probe of line 3 in I");
        memset(&shown, 0, sizeof shown);
    }
    home_grants(A, NMOESI_S), is_reported("is granted S without having asked");
    memset(&shown, 0, sizeof shown);
    h->dir_valid = 1, h->dir = (hmd_dir_t){.line = LINE, .llc = 1, .owner = 1},
    cycle("holds nothing of the block, and the home thinks it does");
    memset(&shown, 0, sizeof shown);
    h->dir = (hmd_dir_t){.line = LINE, .llc = 1, .owner = 1}, cycle(NULL);
    for (unsigned taken = 0; taken < 2; taken++) {
        hn->hmd_ack_valid = BIT(H), hn->hmd_ack[H] = (hmd_ack_t){.ack = {.kind = SMD_ARRIVED, .line = LINE}},
        h->smd_ack_ready = taken, cycle(NULL);
        memset(&shown, 0, sizeof shown);
        h->smd_probe_valid = 1, h->smd_probe = (hmd_probe_t){.device = 0, .probe = {.line = LINE}},
        hn->hmd_probe_ready = BIT(H);
        cycle(taken ? NULL : "is probed while a grant of device 0 is on its way");
        memset(&shown, 0, sizeof shown);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(blocks_go_from_device_to_device),
        TEST(a_peer_takes_over_with_marks),
        TEST(lines_come_one_by_one_with_zerocopy),
        TEST(what_a_slice_gives_back),
        TEST(what_a_slice_is_granted),
        TEST(lines_beside_others),
        TEST(what_a_slice_answers),
        TEST(what_an_smd_asks_for),
        TEST(bytes_that_leave_a_stack),
        TEST(answers_to_probes),
        TEST(lines_by_themselves),
        TEST(what_comes_to_an_smd),
        TEST(lines_to_a_peer),
        TEST(grants_beside_others),
        TEST(grants_of_a_home),
        TEST(a_home_that_forgets_a_sharer),
        TEST(what_a_home_knows),
        TEST(grants_and_entries),
        TEST(states_after_probes),
        TEST(changes_of_state),
        TEST(slices_give_what_they_have_stored),
        TEST(messages_are_what_is_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
