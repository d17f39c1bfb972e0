/* The page's section "State" (docs/blocks/lsu.md), without data. */
#ifndef LSU_BENCH_PAGE_STATE_H
#define LSU_BENCH_PAGE_STATE_H
#include "lsu_ports.h"

enum { PAGE_SLOTS = TLB_MSHRS + 1, NO_ROW = LSU_ROWS, NO_ENTRY = LSU_ENTRIES };

typedef struct {
    bool valid, complete, rl, aq, write, traced, seen, reported;
    unsigned warp, seq, op, kind, size, rd, entry, pages;
    uint64_t pc, age;
    uint64_t active, spad, global, bad; /* threads, and the outcomes of their checks */
    uint64_t unsent, todo, wait, ans, ok, flt, facc;
    uint64_t walked; /* their frames came of walks */
    uint64_t addr[THREADS], frame[THREADS];
    uint8_t id[THREADS];
} page_row_t;
/* A look-up: of a row, and for each port its page and threads. */
typedef struct {
    unsigned ports, row, warp;
    bool write, left, early;
    uint64_t vpn[TLB_PORTS], mask[TLB_PORTS];
} page_look_t;
typedef struct {
    unsigned row;
    uint64_t threads;
} page_asked_t;
typedef struct {
    bool valid, final, atomic;
    unsigned warp, entry, sector;
    uint64_t line, threads;
} page_st_t;
typedef struct {
    bool valid, atomic;
    unsigned warp, seq, rd;
    uint64_t left;
} page_entry_t;
typedef struct {
    bool valid;
    unsigned entry, beat;
    uint64_t threads;
} page_rsp_t;
typedef struct {
    bool valid;
    unsigned entry, row;
    uint64_t threads, line;
} page_ek_t;
typedef struct {
    page_row_t row[LSU_ROWS + 1];
    uint64_t ages;
    operands_t in;
    bool in_valid, dead[WARPS], early, pre, post, sd, fr;
    unsigned filling, front, tbeat, lrow, ap, pending, held;
    uint64_t words, lmask, lseen, pseen; /* words: scratchpad threads of beats not in sdone */
    uint64_t unacked, loads, amos;
    page_look_t lk, fk, mq[3];
    unsigned mqs;
    page_asked_t asked;
    walked_t slot[PAGE_SLOTS];
    unsigned slot_head, slots;
    page_st_t st, st_next;
    page_entry_t entry[LSU_ENTRIES];
    page_ek_t ek;
    page_rsp_t l, sp;
    unsigned fr_warp, fr_seq, x;
    result_t record[3];
    lsu_out_t out; /* expected outputs of the next cycle */
} lsu_page_t;
#endif
