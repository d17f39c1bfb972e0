/* Coverage of docs/blocks/lsu.md, in its order. */
#ifndef LSU_BENCH_COVER_H
#define LSU_BENCH_COVER_H

enum { OPS = 38 };
#define COVER_POINTS(X) \
    X(LOAD_MISALIGNED, "load misaligned") X(LOAD_ACCESS, "load access") X(LOAD_PAGE, "load, address not canonical") \
    X(STORE_MISALIGNED, "store misaligned") X(STORE_ACCESS, "store access") X(STORE_PAGE, "store, address not canonical") \
    X(ATOMIC_MISALIGNED, "atomic misaligned") X(ATOMIC_ACCESS, "atomic access") X(ATOMIC_PAGE, "atomic, address not canonical") \
    X(LR_MISALIGNED, "LR misaligned") X(LR_ACCESS, "LR access") X(LR_PAGE, "LR, address not canonical") \
    X(FAULT_HIGH, "fault of the highest thread alone") X(FAULT_SEVERAL, "several threads fault") X(FAULT_LAST_BEAT, "fault in the last beat") \
    X(DROPPED, "instruction of a dead warp dropped") X(RESTART, "a new start after a fault") \
    X(ONE_LINE, "all threads in one line") X(LINE_EACH, "a line a thread") X(SECTORS, "several sectors of a line") X(SECTOR_BEATS, "a sector with threads in several beats") \
    X(BYTE_BEAT, "two threads store one byte, same beat") X(BYTE_BEATS, "different beats") \
    X(MIX_LOAD, "load with scratchpad and global threads") X(MIX_STORE, "store with both") X(MIX_AMO, "atomic with both") \
    X(BASE, "first address of the window") X(BELOW, "address below the window") X(LIMIT_IN, "last address of the window") X(LIMIT_OUT, "first address above it") \
    X(SPAD_IN, "last address of the scratchpad") X(SPAD_OUT, "first address behind it") X(SPAD_ABOVE, "first address of it with bit 63") X(HIGH, "address above 48 bits") \
    X(FULL, "all credits out") X(ENTRIES, "no free entry") X(L1D_STALL, "cache stalls") X(SPAD_STALL, "scratchpad stalls") X(RES_STALL, "results stall") \
    X(RSP_ONE, "line response with one beat") X(RSP_ALL, "line response with every beat") X(BOTH, "line and scratchpad response in one cycle") \
    X(FENCE_NOW, "fence without stores outstanding") X(FENCE_WAIT, "fence with stores outstanding") X(RL, "rl") X(AQ, "aq") X(AQRL, "aq and rl") X(WG, "vl.fence.wg") \
    X(LIMIT, "stores at their limit") X(EARLY, "response while the instruction still sends") X(IDLE, "idle") \
    X(HANDOVER, "a new start while stores of the old warp wait") \
    X(DOOM_BEFORE, "while one of them waits that faults") X(DOOM_NOW, "at the edge of its fault") X(DOOM_AFTER, "after it, while others wait") \
    X(FENCE_STORE, "fence waits for another warp's store alone") \
    X(FENCE_ATOMIC, "for another warp's atomic alone") X(RL_STORE, "rl waits for another warp's store alone") X(AQ_STORE, "aq for another warp's store alone") \
    X(LIMIT_WARPS, "stores of several warps at their limit") \
    X(LOADS, "a line outstanding for every thread of every entry, of loads") X(ATOMICS, "of atomics") \
    X(PAGES_1, "1 page") X(PAGES_2, "2-3 pages") X(PAGES_4, "4-7 pages") X(PAGES_8, "8-15 pages") X(PAGES_16, "16 or more pages") \
    X(V_ONE, "Sv48: one page") X(V_EACH, "a page a thread") X(V_PORTS, "more pages than ports") X(V_HIT_SOME, "hits in some ports only") \
    X(V_BEATS, "threads of a page in several beats") X(V_MERGE, "a miss of a page whose walk is under way") X(V_ORDER, "a walk ends before an older one") \
    X(V_ROW, "walks end in consecutive cycles") X(V_END_FOUND, "a walk ends while a page is found") X(V_SUPER_1, "2 MB leaf") X(V_SUPER_2, "1 GB leaf") \
    X(V_SUPER_3, "512 GB leaf") X(V_STALL_LOOK, "TLB stalls") X(V_STALL_WALK, "walker stalls") X(V_BLOCKED, "blocking mode holds another instruction back") \
    X(V_UNDER_SAME, "hit under miss: younger one of the warp looked up meanwhile") X(V_UNDER_OTHER, "another warp's") \
    X(V_OVER_SAME, "overlap: younger one of the warp looked up meanwhile") X(V_OVER_OTHER, "another warp's") X(V_OVER_SENT, "threads sent before others are translated") \
    X(V_GONE_ON, "a parked instruction gone on with") X(V_NO_R, "leaf without r") X(V_NO_W, "leaf without w") X(V_WALK_PAGE, "walk ends with WALK_PAGE") \
    X(V_WALK_ACCESS, "with WALK_ACCESS") X(V_SOME, "some threads fault only") X(V_PF_LOAD, "page fault of a load") X(V_PF_STORE, "of a store") \
    X(V_PF_AMO, "of an atomic") X(V_PF_LR, "of LR") X(V_PF_STALL, "page fault record waits") X(V_AGAIN, "resumed for nothing") X(V_RESUME, "resume while other warps are faulted") \
    X(V_RESUME_NONE, "resume of a warp that waits for none") X(V_KILL_REPORTED, "halt with reported instructions") X(V_KILL_WAITING, "with unreported ones") \
    X(V_KILL_STARTED, "with started ones") X(V_KILL_FRESH, "with ones not started") \
    X(I_LOOK, "invalidation while a look-up is shown") X(I_FOUND, "while a page is found") X(I_MISS, "while a miss is shown") X(I_ASKED, "while a walk is told") \
    X(I_WALK, "while walks are under way") X(I_WALKED, "while a walk ends") X(I_ANSWER, "the cycle after") X(I_ACT, "two cycles after") \
    X(I_LOAD, "while a load is shown") X(I_STORE, "while a store is shown") X(I_HALF, "while a store's sector is half taken") X(I_FENCE, "while a fence waits") \
    X(I_FAULTED, "while faulted ones wait") X(I_BARE, "Bare") X(I_REST, "at rest") \
    X(E_HIT, "early load: its page is found") X(E_MISS, "not found") X(E_PART, "its look-up is not taken") X(E_ROW, "early loads as fast as their beats come") \
    X(E_INV_TAKEN, "invalidation as it is taken") X(E_INV_FOUND, "as it is answered") X(E_BESIDE, "the front has taken something as well") \
    X(E_STORE, "a store in its way") X(E_AGAIN, "dropped, and sent later") X(E_FAULT, "dropped, and faulted later") \
    X(V_ENTRIES, "entries all held by parked instructions") X(V_ROWS, "every row waits for a walk") \
    X(V_CANON_LOW, "not canonical, bit 47 clear") X(V_CANON_HIGH, "not canonical, bit 47 set") X(V_UPPER, "an address of the upper half") X(V_MOVED, "a page that has moved is used") \
    X(W_ALL, "a load of threads that have waited for a walk") X(W_NONE, "a load of others, beside such") \
    X(P_ONE, "private: doublewords of several threads in one line") X(P_MIX, "threads inside of the private aperture and outside") \
    X(P_LEAST, "stacks of 16 bytes") X(P_MOST, "stacks of 512 KB") X(P_LESS, "of 8 bytes: not interleaved") X(P_MORE, "of 1 MB: not interleaved")
enum {
    COV_OP = 0,
    COV_FIRST_ = OPS - 1,
#define X(name, text) COV_##name,
    COVER_POINTS(X)
#undef X
        COV_N
};
static const char *const cover[COV_N] = {
    "lb",           "lh",       "lw",       "ld",        "lbu",       "lhu",         "lwu",      "sb",
    "sh",           "sw",       "sd",       "fence",     "fence.i",   "vl.fence.wg", "lr.w",     "sc.w",
    "amoswap.w",    "amoadd.w", "amoxor.w", "amoand.w",  "amoor.w",   "amomin.w",    "amomax.w", "amominu.w",
    "amomaxu.w",    "amocas.w", "lr.d",     "sc.d",      "amoswap.d", "amoadd.d",    "amoxor.d", "amoand.d",
    "amoor.d",      "amomin.d", "amomax.d", "amominu.d", "amomaxu.d", "amocas.d",
#define X(name, text) text,
    COVER_POINTS(X)
#undef X
};
#endif
