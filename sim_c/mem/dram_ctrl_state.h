/* State of the twin of dram_ctrl, for itself and for the coverage of its bench. The page's waits are times here: the tick of the channel's
 * clock from which on a command may go. */
#ifndef SIM_C_MEM_DRAM_CTRL_STATE_H
#define SIM_C_MEM_DRAM_CTRL_STATE_H
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"
#include "vl_dram.h"

typedef enum { DRAM_RUN, DRAM_DRAIN, DRAM_REF } dram_stage_t;

typedef struct {
    uint16_t row;
    bool write;
} dram_first_t;

typedef struct {
    uint64_t act, rd, wr, pre; /* from when on */
    uint16_t row;
    dram_first_t head; /* of q[first], at hand */
    uint8_t n, buf, first; /* first: the head's place in q */
    bool acted;
    txn_t q[2];
} dram_bank_t;

struct dram_ctrl {
    uint64_t now; /* the first tick of the present cycle */
    uint64_t latest; /* nothing is held back from here on */
    uint64_t
        none_until; /* as the transactions, buffers and direction are, no command can go in stage RUN before this tick */
    bool closed; /* the page policy that none_until is for */
    bool same, other; /* banks and direction are as before the last edge; then step 1's `other` is, too */
    uint32_t acc, refi;
    uint32_t busy, two, open; /* sets of banks: a transaction waits, two wait, a row is open */
    uint8_t stage, due, quiet, lost, last_group, faw_next, rd_first, rd_count, done_buf, rsp_id;
    uint16_t streak;
    bool dir, turn, done, rsp;
    uint32_t used;
    uint64_t group_act[DRAM_BANK_GROUPS], group_rd[DRAM_BANK_GROUPS], group_wr[DRAM_BANK_GROUPS];
    uint64_t chan_act, chan_rd, chan_wr, chan_ref, faw[4];
    uint8_t order[CH_BANKS];
    bank_status_t status[CH_BANKS];
    dram_bank_t bank[CH_BANKS];
    uint8_t id[DRAM_READ_BUFS];
    struct {
        uint8_t buf, n;
        bool last;
    } flight[DRAM_FLIGHT];
    dram_pins_t pins;
    ev_dram_ctrl_t ev;
    vl_bits_1024 rsp_data, data[DRAM_READ_BUFS];
};
#endif
