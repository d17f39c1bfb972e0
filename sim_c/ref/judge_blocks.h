/* Blocks in the judge's table of legal changes (judge_coherence.h), for the parts with their messages: slices (judge_lines.c), SMDs (judge_smds.c), HMDs (judge_hmds.c).
 *
 * Of every block there is a record: the states in which each device may hold it, the lines that each slice may hold, the bytes that a stack has and the home does not have.
 * Mostly one state is possible. S may have become N and E become M without a message (the slice gives bytes back, or is granted a line to n-store into), and the
 * next DONE says which it was. A message is transferred later than the block's edge at which it counts: a message that reaches an SMD before its DONE is out may have
 * come after the state that the DONE reports. So bytes that a slice writes back while its block is cleaned may be sent home with the others, or stay: `can`.
 * With memory = zerocopy, memcpy, managed (U12) a block is asked for without its lines (`thin`); then each line comes for a GET, and lines that the slice gives back go home
 * at once. Neither holds in the home device of a line: lines that its slice gives back are at home already (judge_stacks.h).
 */
#ifndef SIM_C_REF_JUDGE_BLOCKS_H
#define SIM_C_REF_JUDGE_BLOCKS_H
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_stacks.h"

enum { PARTIES = DEVICES + 1, HOST = DEVICES, WORDS = (BLOCK_LINES + 63) / 64, READS = 1 << HOME_ID_W };
#define OF(state) (1u << NMOESI_##state)
enum { ALONE = OF(E) | OF(M), OWNERS = OF(E) | OF(M) | OF(O) };

typedef struct {
    uint64_t w[WORDS];
} lines_t;

/* A device's state of a block, and its activity. */
typedef struct {
    uint8_t may; /* a bit a state */
    /* a request is under way; its grant has arrived; bytes of the slice arrived before the grant */
    bool asks, granted, touched;
    uint8_t op;
    bool gone, gone_fetch; /* the ARRIVED of the previous request is not sent yet; that request was READ or OWN */
    bool thin; /* the last request asked for no lines */
    lines_t come, gets; /* lines that have arrived with the block; lines that are asked for one by one */
    /* a probe's DONE is not sent yet; meanwhile bytes of the slice may have turned S into N or E into M */
    bool probed, late;
    smd_probe_t probe; /* the last one */
    line_be_t must[BLOCK_LINES], can[BLOCK_LINES]; /* bytes that the home certainly lacks; bytes that it may lack */
} holder_t;

typedef struct {
    uint64_t block;
    holder_t of[DEVICES];
    /* lines that the slice may hold; that were granted in E or M; that it was probed for */
    lines_t held[PARTIES], alone[PARTIES], asked[PARTIES];
    uint8_t kind[PARTIES]; /* kind of that probe */
    line_be_t moving[BLOCK_LINES]; /* bytes on their way from peer to peer */
    uint8_t granting; /* device with a grant on its way, plus 1 */
    uint8_t gave; /* devices with bytes that have come home since the last grant, a bit each */
    uint8_t sharers, owner; /* the home's entry as last written, a bit a device */
    bool told; /* the entry has been written since the last grant to a device */
} block_t;

struct judge_coherence {
    map_t of; /* number of the record by block; 0: none */
    block_t *block; /* number n: block[n - 1] */
    unsigned blocks, room;
    struct {
        uint8_t op;
        uint64_t line;
    } read[SMDS + HMDS][READS];
    uint64_t job[SMDS]; /* block of the last probe */
    uint8_t cause[SMDS], fetches[SMDS]; /* the probe that it works on; number of fetches granted */
    bool tells; /* homes report the entries that they write */
};

/* A block's state after a probe, by the probe's kind. */
extern const uint8_t judge_after_probe[3][6];

/* The record of a line's block; NULL: out of memory, and said so. */
block_t *judge_record_of(judge_t *j, uint64_t line);

/* For messages: a state; the states of a set, "S or N", kept until the eighth call after it; the states of all holders. */
const char *judge_state_name(unsigned s);
const char *judge_states(unsigned set);
const char *judge_everybody(const block_t *b);

/* One who may store coherently is alone, over all devices and the host; and where there is an owner the host has nothing. */
void judge_check_alone(judge_t *j, const block_t *b, unsigned party, const char *why);
/* Bytes come home from an agent that holds the block alone, or from all holders (docs/coherence.md): a copy that stays beside them lacks them, and a home that has forgotten who holds it lets it
 * stay. Where lines are in host memory (`thin`) they come at any time, and no copy is used again without them. */
void judge_check_home(judge_t *j, block_t *b);

static inline unsigned off_of(uint64_t line)
{
    return line % BLOCK_LINES;
}

static inline bool has(const lines_t *l, uint64_t line)
{
    return l->w[off_of(line) / 64] >> off_of(line) % 64 & 1;
}

static inline void put(lines_t *l, uint64_t line, bool to)
{
    const uint64_t b = 1ull << off_of(line) % 64;
    l->w[off_of(line) / 64] = to ? l->w[off_of(line) / 64] | b : l->w[off_of(line) / 64] & ~b;
}

static inline unsigned count(const lines_t *l)
{
    unsigned n = 0;
    for (unsigned k = 0; k < WORDS; k++)
        n += (unsigned)__builtin_popcountll(l->w[k]);
    return n;
}

static inline unsigned party_of(unsigned slice)
{
    return slice < SMDS ? slice / CHANNELS : HOST;
}

/* Bytes of the slice are in the stack, or it may store. */
static inline uint8_t touched(uint8_t may)
{
    return (uint8_t)(may | (may & OF(S) ? OF(N) : 0) | (may & OF(E) ? OF(M) : 0));
}

static inline void touch(holder_t *h)
{
    h->may = touched(h->may);
    h->touched |= h->asks && !h->granted;
    h->late |= h->probed;
}
#endif
