/* The coherence protocol of docs/coherence.md (numbers in brackets are its steps) between SMDs, the host's last-level cache and an HMD, for one block, or for two that
 * have one place in each SMD.
 * The transitions of a cache are generated (nmoesi.pml), the rest is written here from the page. Every order in which messages can arrive is tried.
 *
 *   SMDS      devices (2 or 3)    BLOCKS   (1 or 2)      LLC       with the host's last-level cache (one block)
 *   N_STORES, STORES, EVICTIONS   how many of each every cache does, in any order      PEER      owners send to peers (MAY: or not, both are tried)
 *   OPS       each device does so many accesses, to any block and of any kind: loads, and at most N_STORES and STORES of a block
 *   ZEROCOPY  of memory = zerocopy: lines stay in host memory, and a slice gets them one by one (one block, its bytes are one line)
 *   STACKS    beside ZEROCOPY: memory = managed: memory is the stack of device 0; its SMD gets no lines and gives no bytes by messages; the HMD's reads and writes go to it among its grants
 *   FINAL     when all programs are over, all flush, and then all load: the next kernel
 *   BUG_...   planted bugs (run)
 *
 * A block is a number of bytes of two bits. Byte a belongs to agent a, who alone stores into it, non-coherently: 1, 2, ... The last byte is common to all:
 * each coherent store adds 1. So the rules do not depend on the protocol:
 *   own       an agent loads its own stores
 *   merged    an agent with a grant to store has the bytes of all stores to the block
 *   forward   no agent sees another's byte run backwards
 *   single    one that holds E or M holds it alone
 *   nothing_lost   in the end memory has every byte
 *   fresh     after the final flush a load sees every byte (FINAL)
 *   (and no deadlock: the checker looks for end states that are none)
 */
#include "nmoesi.pml"
#ifdef LLC
#define AGENTS (SMDS + 1)
#else
#define AGENTS SMDS
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
#ifndef LLC_N_STORES
#define LLC_N_STORES N_STORES
#endif
#define HOME 15
#define AS_IT_IS 7
#define ALL ((1 << (2 * (AGENTS + 1))) - 1)
#define COMMON AGENTS
#define BYTE(d, n) (((d) >> (2 * (n))) & 3)
#define PUT(d, n, v) (((d) & ~(3 << (2 * (n)))) | ((v) << (2 * (n))))
/* A bit a byte becomes two. */
#define WIDE(m) (3 * (((m) & 1) | (((m) & 2) << 1) | (((m) & 4) << 2) | (((m) & 8) << 3) | (((m) & 16) << 4)))
#define MERGE(d, new, m) (((d) & (ALL & ~WIDE(m))) | ((new) & WIDE(m)))
#define BIT(n) (1 << (n))

mtype = {READ, OWN, EVICT, FLUSH, PROBE_READ, PROBE_WRITE, PROBE_CLEAN, ACK, UNBLOCK, GRANT, PEER_DATA, GET, BYTES, LINE, MEM_READ, MEM_WRITE};

chan req[SMDS * BLOCKS] = [1] of {mtype, bit /* may have bytes */};
chan probe[SMDS * BLOCKS] = [1] of {mtype, byte /* to whom */, bit /* may stay exclusive */};
#ifdef ZEROCOPY
#define ACKS_OF(i) ack[i]             /* of each device, in its order */
#define LINES_OF(b) 0
chan ack[SMDS] = [4] of {mtype, byte, byte, bit, short, byte};
#ifdef BUG_GET_OVERTAKES
chan get[SMDS] = [1] of {mtype, byte, byte, bit, short, byte};
#define GETS_OF(i) get[i]
#else
#define GETS_OF(i) ack[i]
#endif
#else
#define ACKS_OF(i) ack[block]
#define LINES_OF(b) memory[b]
chan ack[BLOCKS] = [AGENTS + 1] of {mtype, byte /* who */, byte /* held */, bit /* sent to the peer */, short, byte};
#endif
chan data[SMDS * BLOCKS] = [2] of {mtype, byte /* state */, byte /* 0 nothing, 1 here, 2 from a peer */, short, byte};

#ifdef STACKS
chan up[SMDS] = [1] of {short};       /* a line that was read in the stack, by who asked for it */
chan lup = [1] of {short};            /* ... for the last-level cache */
#define TO_MEMORY if :: mask -> data[0]!MEM_WRITE, 0, 0, bytes, mask :: else fi
#ifdef BUG_GRANT_OVERTAKES
chan grants[SMDS] = [2] of {mtype, byte, byte, short, byte};
#define GRANTS_OF(i) grants[i]
#else
#define GRANTS_OF(i) data[i]
#endif
#define NEAR(i) (i == 0)
#else
#define TO_MEMORY memory[block] = MERGE(memory[block], bytes, mask)
#define GRANTS_OF(i) data[i]
#define NEAR(i) false
#endif

byte st[AGENTS * BLOCKS];             /* state */
short d[AGENTS * BLOCKS];             /* bytes */
byte m[AGENTS * BLOCKS];              /* mask: bytes that the home does not have */
short memory[BLOCKS];
byte done_n[AGENTS * BLOCKS];         /* n-stores done: the value of the agent's byte */
byte done_c[BLOCKS];                 /* coherent stores of all */
byte asked[AGENTS * BLOCKS];  /* the pending operation of an agent: 0 none, 1 load, 2 n-store, 3 store, 4 eviction, 5 flush, 6 load after the final flush */
byte finished;
#ifdef FINAL
byte ended;                           /* agents that do nothing more but flush, and load */
byte fresh;                           /* agents that have loaded then */
#define ALL_ENDED (ended == AGENTS * BLOCKS)
#define ALL_FLUSHED (finished == AGENTS * BLOCKS)
#endif
#define TOUCHED(s) ((s) == S_ -> N_ : ((s) == E_ -> M_ : (s)))
#define DIRTY(s) ((s) == N_ || (s) == O_ || (s) == M_)
#ifdef FORWARD
short seen[AGENTS * BLOCKS];          /* the last value seen of each byte */
#endif
#ifdef LLC
#define L SMDS
chan lread = [1] of {mtype};
chan lback = [1] of {short, byte};
chan lprobe = [1] of {mtype};
chan lack = [1] of {short, byte};
chan lgrant = [1] of {byte, short};
#endif

inline look(a) {
    assert(BYTE(d[base + a], a) == done_n[base + a]);                                  /* own */
#ifdef FORWARD
    for (x : 0 .. AGENTS - 1) { assert(BYTE(d[base + a], x) >= BYTE(seen[base + a], x)); }   /* forward */
    seen[base + a] = d[base + a];
#endif
}
inline look_again(a) {
#ifdef FINAL
    for (x : 0 .. AGENTS - 1) { assert(BYTE(d[base + a], x) == done_n[base + x]); }     /* fresh */
    assert(BYTE(d[base + a], COMMON) == (done_c[block] & 3));                           /* fresh */
    fresh++
#else
    skip
#endif
}
inline single(a) {
    assert(BYTE(d[base + a], COMMON) == (done_c[block] & 3));
    for (x : 0 .. AGENTS - 1) { assert(x == a || st[base + x] == I_); }
}
inline n_store(a) {
    done_n[base + a]++; d[base + a] = PUT(d[base + a], a, done_n[base + a]); m[base + a] = m[base + a] | BIT(a);
    st[base + a] = NEXT(st[base + a], NM_N_STORE);
    look(a);
}
inline store(a) {
    single(a);
    for (x : 0 .. AGENTS - 1) { assert(BYTE(d[base + a], x) == done_n[base + x]); }     /* merged */
    done_c[block]++; d[base + a] = PUT(d[base + a], COMMON, done_c[block] & 3); m[base + a] = m[base + a] | BIT(COMMON);
    st[base + a] = NEXT(st[base + a], NM_STORE);
}

/* A block that is not held needs the place of the other [S4]. */
#if BLOCKS > 1
#define PLACE (st[base + i] != I_ || (st[AGENTS - base + i] == I_ && !asked[AGENTS - base + i]))
#else
#define PLACE true
#endif
/* With OPS every program of OPS accesses a device is tried; the accesses of each are known at the end alone. */
#ifdef OPS
byte left[SMDS] = OPS;
#define MORE left[i]
#define ONE left[i]--
#define NO_MORE !left[i]
#define ALL_DONE(a) true
#define STORED(n) true
#else
#define MORE true
#define ONE skip
#define NO_MORE (!n && !s && !e && !loads)
#define ALL_DONE(a) (done_n[base + a] == (a < SMDS -> N_STORES : LLC_N_STORES))
#define STORED(n) (n == STORES * AGENTS)
#endif
#ifndef ZEROCOPY
proctype Smd(byte i; byte block) {
    byte base = AGENTS * block, ports = SMDS * block;
    byte n = N_STORES, s = STORES, e = EVICTIONS, x, state, where;
    mtype what;
    bit loads = 1, got, flushed, own;
    bit inside;                         /* an eviction was asked for, and the L2 has lines of the block: it may store into them until it is probed */
    byte to, granted = AS_IT_IS;
    short bytes; byte mask;
end:do
    /* What the program does: a hit at once, else its home is asked[base + i] [S1]. */
    :: atomic { !asked[base + i] && loads && PLACE && MORE -> loads = 0; ONE;
        if :: HIT(st[base + i], NM_LOAD) -> look(i)
           :: else -> asked[base + i] = 1; req[ports + i]!READ, 0 fi }
    :: atomic { !asked[base + i] && n && PLACE && MORE -> n--; ONE;
        if :: HIT(st[base + i], NM_N_STORE) -> n_store(i)
           :: else -> asked[base + i] = 2; req[ports + i]!READ, 0 fi }
    :: atomic { !asked[base + i] && s && PLACE && MORE -> s--; ONE;
        if :: HIT(st[base + i], NM_STORE) -> store(i)
           :: else -> asked[base + i] = 3; req[ports + i]!OWN, 0 fi }
    :: atomic { !asked[base + i] && e && st[base + i] != I_ -> e--; loads = 1; asked[base + i] = 4;
        if :: n -> inside = 1 :: inside = 0 fi;
#ifdef BUG_EVICT_BY_STATE
        req[ports + i]!EVICT, DIRTY(st[base + i]);
#else
        req[ports + i]!EVICT, (DIRTY(st[base + i]) || inside);
#endif
#ifdef BUG_RELEASE_NESTED
        ack[block]!ACK, i, st[base + i], 0, d[base + i], m[base + i]; st[base + i] = I_; m[base + i] = 0
#endif
        }
    :: atomic { asked[base + i] == 4 && inside && n && HIT(st[base + i], NM_N_STORE) -> n--; n_store(i) }
#if BLOCKS > 1
    :: atomic { !asked[base + i] && st[base + i] != I_ && !asked[AGENTS - base + i] -> asked[base + i] = 4; req[ports + i]!EVICT, DIRTY(st[base + i]) }
#endif
#ifdef FINAL
    :: atomic { !asked[base + i] && NO_MORE && !flushed -> flushed = 1; ended++; asked[base + i] = 7 }
    :: atomic { asked[base + i] == 7 && ALL_ENDED ->                                    /* [S5] */
        if :: DIRTY(st[base + i]) -> asked[base + i] = 5; req[ports + i]!FLUSH, 1 :: else -> asked[base + i] = 8; finished++ fi }
    :: atomic { asked[base + i] == 8 && ALL_FLUSHED ->
        if :: HIT(st[base + i], NM_LOAD) -> look_again(i); asked[base + i] = 9
           :: else -> asked[base + i] = 6; req[ports + i]!READ, 0 fi }
#else
    :: atomic { !asked[base + i] && NO_MORE && !flushed -> flushed = 1; asked[base + i] = 5; req[ports + i]!FLUSH, 1 }
#endif

    /* Its home asks [S3]. */
    :: atomic { probe[ports + i]?what, to, own ->
        if
        :: what == PROBE_READ ->
            if
            :: st[base + i] == E_ || st[base + i] == O_ || st[base + i] == M_ ->
                data[ports + to]!PEER_DATA, 0, 0, d[base + i], 0;
                ack[block]!ACK, i, st[base + i], 1, 0, 0;
#ifdef BUG_PRINTED_O
                st[base + i] = (st[base + i] == O_ -> I_ : NEXT(st[base + i], NM_READ_REQUEST))
#else
                st[base + i] = NEXT(st[base + i], NM_READ_REQUEST)
#endif
            :: else -> ack[block]!ACK, i, st[base + i], 0, 0, 0; st[base + i] = NEXT(st[base + i], NM_READ_REQUEST)
            fi
        :: what == PROBE_WRITE ->
            if
            :: to != HOME -> data[ports + to]!PEER_DATA, 0, 0, d[base + i], m[base + i]; ack[block]!ACK, i, st[base + i], 1, 0, 0
#ifdef BUG_ONLY_DIRTY_SENDS
            :: to == HOME -> ack[block]!ACK, i, st[base + i], 0, d[base + i], (st[base + i] == M_ || st[base + i] == O_ -> m[base + i] : 0)
#else
            :: to == HOME -> ack[block]!ACK, i, st[base + i], 0, d[base + i], m[base + i]
#endif
            fi;
            st[base + i] = NEXT(st[base + i], NM_WRITE_REQUEST); m[base + i] = 0
        :: what == PROBE_CLEAN ->
            ack[block]!ACK, i, st[base + i], 0, d[base + i], m[base + i];
#ifndef BUG_MASK_STAYS
            m[base + i] = 0;
#endif
            st[base + i] = (own && (st[base + i] == E_ || st[base + i] == M_) -> E_ : NEXT(st[base + i], NM_CLEAN))
        fi;
        if :: st[base + i] == I_ -> d[base + i] = 0; loads = 1 :: else fi; what = 0; to = 0; own = 0 }

    /* Answers [S2]. The grant and a peer's bytes come in any order. */
    :: atomic { data[ports + i]?what, state, where, bytes, mask ->
        if
        :: what == GRANT -> granted = state;
            if :: where == 1 -> d[base + i] = bytes; m[base + i] = 0; :: else fi;
            if :: where != 2 -> got = 1 :: else fi
        :: what == PEER_DATA -> d[base + i] = bytes; m[base + i] = mask; got = 1
        fi; bytes = 0; mask = 0; state = 0; where = 0; what = 0;
        if
        :: got && (granted != AS_IT_IS || asked[base + i] == 5) ->
            if :: granted != AS_IT_IS -> st[base + i] = granted :: else fi;
            if
            :: asked[base + i] == 1 -> look(i)
            :: asked[base + i] == 2 -> n_store(i)
            :: asked[base + i] == 3 -> st[base + i] = M_; store(i)
            :: asked[base + i] == 4 -> d[base + i] = 0; assert(st[base + i] == I_ && m[base + i] == 0)
            :: asked[base + i] == 5 -> assert(m[base + i] == 0); finished++
            :: asked[base + i] == 6 -> look_again(i)
            fi;
            granted = AS_IT_IS; got = 0; x = 0; inside = 0;
#ifndef BUG_NO_UNBLOCK
            ack[block]!UNBLOCK, i, 0, 0, 0, 0;
#endif
#ifdef FINAL
            asked[base + i] = (asked[base + i] == 5 -> 8 : (asked[base + i] == 6 -> 9 : 0))
#else
            asked[base + i] = 0
#endif
        :: else
        fi }
    od
}
#else
/* An SMD with memory = zerocopy, and its slice, which holds the line in a state of its own, or not. A grant brings no bytes; for those of a line it sends GET, and the
 * slice's bytes go up as BYTES at once, both among its acknowledgements. */
inline give_back() {
    if
    :: m[i] ->
        if :: NEAR(i) -> memory[0] = MERGE(memory[0], d[i], m[i]) :: else -> ack[i]!BYTES, i, 0, 0, d[i], m[i] fi;
        m[i] = 0;
#ifdef BUG_WRITE_BACK_UNTOUCHED
        st[i] = (st[i] == S_ -> S_ : TOUCHED(st[i]))
#else
        st[i] = TOUCHED(st[i])
#endif
    :: else
    fi;
    slice = (slice == N_ -> S_ : (slice == M_ -> E_ : slice))
}
inline drop() { slice = I_; d[i] = 0; loads = (flushed -> 0 : 1) }
inline slice_n_store() {
    done_n[i]++; d[i] = PUT(d[i], i, done_n[i]); m[i] = m[i] | BIT(i); slice = (slice == M_ -> M_ : N_); look(i)
}
inline slice_store() {
    single(i);
    for (x : 0 .. AGENTS - 1) { assert(BYTE(d[i], x) == done_n[x]); }                   /* merged */
    done_c[0]++; d[i] = PUT(d[i], COMMON, done_c[0] & 3); m[i] = m[i] | BIT(COMMON); slice = M_
}
inline line_comes() {
    assert(slice == I_ && m[i] == 0); gets = 0; d[i] = bytes; slice = (st[i] == E_ || st[i] == M_ -> E_ : S_);
    if
    :: asked[i] == 1 -> look(i)
    :: asked[i] == 2 -> slice_n_store()
    :: asked[i] == 3 -> assert(slice == E_); slice_store()
    :: asked[i] == 6 -> look_again(i)
    fi;
    asked[i] = (asked[i] == 6 -> 9 : 0)
}
inline ask_line() {
    if
    :: NEAR(i) -> bytes = memory[0]; line_comes(); bytes = 0; x = 0
    :: else -> GETS_OF(i)!GET, i, 0, 0, 0, 0; gets = 1
    fi
}
proctype Smd(byte i; byte block) {
    byte base = 0;
    byte n = N_STORES, s = STORES, e = EVICTIONS, x, state, slice = I_;
    mtype what;
    bit loads = 1, flushed, own, asks, gets; /* a request, a GET is under way */
    byte to, mask;
    short bytes;
#ifdef BUG_NEAR_LATE
    byte late_mask;
    short late;
#endif
end:do
    :: atomic { !asked[i] && loads -> loads = 0; if :: slice != I_ -> look(i) :: else -> asked[i] = 1 fi }
    :: atomic { !asked[i] && n -> n--; if :: slice != I_ -> slice_n_store() :: else -> asked[i] = 2 fi }
    :: atomic { !asked[i] && s -> s--;
        if :: slice == E_ || slice == M_ -> slice_store()
           :: else -> give_back(); drop(); asked[i] = 3 fi }                            /* a line that it may not store into goes back first */
    /* What the slice does whatever the SMD waits for: it stores into its line, gives bytes back, drops the line. */
    :: atomic { asked[i] == 4 && n && slice != I_ -> n--; slice_n_store() }
    :: atomic { asked[i] < 5 && m[i] && nfull(ack[i]) -> give_back(); if :: drop() :: skip fi; x = 0 }
    :: atomic { !asked[i] && (slice == S_ || slice == E_) && !m[i] && !loads && !flushed -> drop() }
    /* What it misses: the block's state permits it, or its home is asked. */
    :: atomic { (asked[i] == 1 || asked[i] == 2 || asked[i] == 3 || asked[i] == 6) && !asks && !gets ->
        if
        :: asked[i] == 3 && HIT(st[i], NM_STORE) -> ask_line()
        :: asked[i] == 3 && !HIT(st[i], NM_STORE) -> req[i]!OWN, 0; asks = 1
        :: asked[i] != 3 && st[i] != I_ -> st[i] = (asked[i] == 2 && st[i] == S_ -> N_ : st[i]); ask_line()
        :: asked[i] != 3 && st[i] == I_ -> req[i]!READ, 0; asks = 1
        fi }
    :: atomic { !asked[i] && e && st[i] != I_ -> e--; asked[i] = 4; asks = 1; req[i]!EVICT, (DIRTY(st[i]) || slice != I_) }
#ifdef FINAL
    :: atomic { !asked[i] && !n && !s && !e && !loads && !flushed -> flushed = 1; ended++; asked[i] = 7 }
    :: atomic { asked[i] == 7 && ALL_ENDED -> give_back();
        if :: DIRTY(st[i]) -> asked[i] = 5; asks = 1; req[i]!FLUSH, 1 :: else -> asked[i] = 8; finished++ fi }
    :: atomic { asked[i] == 8 && ALL_FLUSHED -> if :: slice != I_ -> look_again(i); asked[i] = 9 :: else -> asked[i] = 6 fi; x = 0 }
#else
    :: atomic { !asked[i] && !n && !s && !e && !loads && !flushed -> flushed = 1; give_back(); asked[i] = 5; asks = 1; req[i]!FLUSH, 1 }
#endif
    /* Its home asks. A line that is awaited is granted before. */
    :: atomic { !gets && nempty(probe[i]) -> probe[i]?what, to, own -> assert(what != PROBE_READ && to == HOME);
        state = (m[i] -> TOUCHED(st[i]) : st[i]);
        if
        :: NEAR(i) ->
#ifdef BUG_NEAR_LATE
            late = d[i]; late_mask = m[i];
#else
            memory[0] = MERGE(memory[0], d[i], m[i]);
#endif
            ack[i]!ACK, i, state, 0, 0, 0
        :: else -> ack[i]!ACK, i, state, 0, d[i], m[i]
        fi; m[i] = 0;
        if
        :: what == PROBE_WRITE -> st[i] = I_; drop()
        :: else -> st[i] = (own && (state == E_ || state == M_) -> E_ : NEXT(state, NM_CLEAN)); slice = (slice == I_ -> I_ : S_)
        fi; what = 0; to = 0; own = 0; state = 0 }
#ifdef BUG_NEAR_LATE
    :: atomic { late_mask -> memory[0] = MERGE(memory[0], late, late_mask); late = 0; late_mask = 0 }
#endif
#ifdef STACKS
    /* The HMD reads and writes this stack. */
    :: atomic { data[i]?MEM_WRITE, _, _, bytes, mask -> memory[0] = MERGE(memory[0], bytes, mask); bytes = 0; mask = 0 }
    :: atomic { data[i]?MEM_READ, state, _, _, _ ->
        if :: state < SMDS -> up[state]!memory[0] :: else -> lup!memory[0] fi; state = 0 }
#endif
    :: atomic { GRANTS_OF(i)?GRANT, state, _, _, _ ->
        if
        :: asked[i] == 4 -> assert(st[i] == I_ && slice == I_ && m[i] == 0); asked[i] = 0
        :: asked[i] == 5 -> assert(m[i] == 0); finished++; asked[i] = 8
        :: asked[i] != 4 && asked[i] != 5 -> st[i] = state
        fi;
        asks = 0; ack[i]!UNBLOCK, i, 0, 0, 0, 0; state = 0 }
    :: atomic { data[i]?LINE, _, _, bytes, _ -> line_comes(); bytes = 0; x = 0 }
    od
}
#endif

#ifdef LLC
/* The last-level cache is an L2 slice on the seam home: write-backs with their bytes, clean lines dropped without a word. */
proctype Llc() {
    byte base = 0, block = 0;
    byte n = LLC_N_STORES, s = STORES, e = EVICTIONS, x, granted;
    mtype what;
    bit loads = 1, flushed;
    short bytes;
end:do
    :: atomic { !asked[L] && loads -> loads = 0;
        if :: HIT(st[base + L], NM_LOAD) -> look(L)
           :: else -> asked[L] = 1; lread!READ fi }
    :: atomic { !asked[L] && n -> n--;
        if :: HIT(st[base + L], NM_N_STORE) -> n_store(L)
           :: else -> asked[L] = 2; lread!READ fi }
    /* A line that it may not store into goes back first. */
    :: atomic { !asked[L] && s && (st[base + L] == I_ || HIT(st[base + L], NM_STORE)) -> s--;
        if :: HIT(st[base + L], NM_STORE) -> store(L)
           :: else -> asked[L] = 3; lread!OWN fi }
    :: atomic { !asked[L] && s && st[base + L] != I_ && !HIT(st[base + L], NM_STORE) && (m[base + L] == 0 || nfull(lback)) ->
        if :: m[base + L] -> lback!d[base + L], m[base + L] :: else fi; st[base + L] = I_; m[base + L] = 0; d[base + L] = 0 }
    :: atomic { !asked[L] && e && st[base + L] != I_ && (m[base + L] == 0 || nfull(lback)) -> e--; loads = 1;
        if :: m[base + L] -> lback!d[base + L], m[base + L] :: else fi; st[base + L] = I_; m[base + L] = 0; d[base + L] = 0 }
#ifdef FINAL
    :: atomic { !asked[L] && !n && !s && !e && !loads && !flushed -> flushed = 1; ended++; asked[L] = 7 }
    :: atomic { asked[L] == 7 && ALL_ENDED && (m[base + L] == 0 || nfull(lback)) -> asked[L] = 10;
        if :: m[base + L] -> lback!d[base + L], m[base + L]; m[base + L] = 0; st[base + L] = (st[base + L] == M_ -> E_ : S_) :: else fi }
    :: atomic { asked[L] == 10 && empty(lback) && empty(lack) -> asked[L] = 8; finished++ }
    :: atomic { asked[L] == 8 && ALL_FLUSHED ->
        if :: HIT(st[base + L], NM_LOAD) -> look_again(L); asked[L] = 9
           :: else -> asked[L] = 6; lread!READ fi }
#else
    :: atomic { !asked[L] && !n && !s && !e && !loads && !flushed && (m[base + L] == 0 || nfull(lback)) -> flushed = 1;
        if :: m[base + L] -> lback!d[base + L], m[base + L]; m[base + L] = 0; st[base + L] = (st[base + L] == M_ -> E_ : S_) :: else fi }
    :: atomic { flushed == 1 && empty(lback) && asked[L] != 9 -> asked[L] = 9; finished++ }
#endif
    /* The acknowledgement comes after every write-back of its line, and a probe after the grants that went before it (home-seam.md, Order 2 and 3). */
    :: atomic { empty(lback) && empty(lgrant) && nempty(lprobe) -> lprobe?what; lack!d[base + L], m[base + L];
        m[base + L] = 0; st[base + L] = (what == PROBE_WRITE -> I_ : NEXT(st[base + L], NM_CLEAN));
        if :: st[base + L] == I_ -> d[base + L] = 0; loads = (flushed -> 0 : 1) :: else fi; what = 0 }
    :: atomic { lgrant?granted, bytes -> d[base + L] = bytes; m[base + L] = 0; st[base + L] = granted;
        if
        :: asked[L] == 1 -> look(L)
        :: asked[L] == 2 -> n_store(L)
        :: asked[L] == 3 -> store(L)
        :: asked[L] == 6 -> look_again(L)
        fi; asked[L] = (asked[L] == 6 -> 9 : 0); granted = 0; bytes = 0; x = 0 }
    od
}
#endif

#ifdef LLC
#define WRITE_BACKS :: atomic { lback?bytes, mask -> TO_MEMORY; bytes = 0; mask = 0 }
#else
#define WRITE_BACKS
#endif
/* BYTES and GET are performed whatever the HMD waits for. */
#ifdef ZEROCOPY
#ifdef STACKS
#define READ_FOR(j) data[0]!MEM_READ, j, 0, 0, 0
#define LINE_FOR(j) :: atomic { up[j]?bytes -> data[j]!LINE, 0, 0, bytes, 0; bytes = 0 }
#else
#define READ_FOR(j) data[j]!LINE, 0, 0, memory[block], 0
#define LINE_FOR(j)
#endif
#define FAR_OF(j) \
    :: atomic { ack[j]?BYTES, _, _, _, bytes, mask -> TO_MEMORY; bytes = 0; mask = 0 } \
    :: atomic { GETS_OF(j)?GET, _, _, _, _, _ -> READ_FOR(j) } \
    LINE_FOR(j)
#if SMDS > 2
#define FAR FAR_OF(0) FAR_OF(1) FAR_OF(2)
#else
#define FAR FAR_OF(0) FAR_OF(1)
#endif
#else
#define FAR
#endif
/* Probes one agent and takes its bytes. */
inline ask(who, what, where, stays) {
    probe[ports + who]!what, where, stays;
    do
    :: atomic { ACKS_OF(who)?ACK, eval(who), held, sent, bytes, mask -> TO_MEMORY; bytes = 0; mask = 0; break }
    WRITE_BACKS
    FAR
    od
}
inline ask_llc(what) {
#ifdef LLC
#ifndef BUG_LLC_FORGOTTEN
    if
    :: llc -> lprobe!what;
        do
        :: atomic { lack?bytes, mask -> TO_MEMORY; bytes = 0; mask = 0; break }
        WRITE_BACKS
        FAR
        od
    :: else
    fi
#endif
#endif
    skip
}
inline clean_owner() {
    ask(owner - 1, PROBE_CLEAN, HOME, 0);
    sharers = sharers | BIT(owner - 1); owner = 0
}
inline take_from_all(keep_peer) {
    peer = keep_peer && owner && (sharers == 0) && owner - 1 != i;
    sent = 0;
#ifdef BUG_OWNER_LAST
    j = 0;
    do
    :: j < SMDS -> if :: sharers & BIT(j) -> ask(j, PROBE_WRITE, HOME, 0) :: else fi; j++
    :: else -> break
    od;
    sharers = 0;
#endif
    /* [H4] The owner first: its bytes are older than the others'. */
    to = (peer -> i : HOME);
    if :: owner -> ask(owner - 1, PROBE_WRITE, to, 0) :: else fi;
    to = 0;
    j = 0;
    do
    :: j < SMDS ->
#ifdef BUG_STALE_UPGRADE
        if :: (sharers & BIT(j)) && j != i -> ask(j, PROBE_WRITE, HOME, 0); sent = 0 :: else fi;
#else
        if :: sharers & BIT(j) -> ask(j, PROBE_WRITE, HOME, 0); sent = 0 :: else fi;
#endif
        j++
    :: else -> break
    od;
    sharers = 0; owner = 0; j = 0
}

/* Somebody reads without a peer. [H2, H8] An owner beside others, in O, may have bytes that they have not and memory will have. */
inline for_memory() {
    if
#ifndef BUG_O_IS_CLEANED
    :: sharers -> take_from_all(0)
#endif
    :: else -> clean_owner()
    fi
}
/* Bytes come home, and another agent has a copy without them: all agents give the block up, and then none is left to probe. */
inline if_wide() {
    wide = has && (owner == i + 1 || (sharers & BIT(i))) && ((owner && owner != i + 1) || (sharers & (255 - BIT(i))) || llc);
#ifdef BUG_O_WHILE_MERGING
    wide = wide && (!owner || owner == i + 1);
#endif
#ifdef BUG_EVICT_LEAVES
    wide = wide && kind != EVICT;
    if :: kind == EVICT && owner && owner != i + 1 -> clean_owner() :: else fi;
#endif
#ifdef BUG_FLUSH_LEAVES
    wide = wide && kind != FLUSH;
    if :: kind == FLUSH && owner && owner != i + 1 -> clean_owner() :: else fi;
#endif
#ifdef BUG_EVICT_CLEANS
    if :: !wide && owner && owner != i + 1 -> clean_owner() :: else fi;
#endif
    if
    :: wide -> take_from_all(0);
#ifdef BUG_FLUSH_LEAVES_LLC
        if :: kind != FLUSH -> ask_llc(PROBE_WRITE); llc = 0 :: else fi
#else
        ask_llc(PROBE_WRITE); llc = 0
#endif
    :: else
    fi
}

/* A line for the last-level cache. */
inline for_cache(state) {
#ifdef STACKS
    data[0]!MEM_READ, L, 0, 0, 0;
    do
    :: atomic { lup?bytes -> lgrant!state, bytes; bytes = 0; break }
    WRITE_BACKS
    FAR
    od
#else
    lgrant!state, memory[block]
#endif
}

/* [H1] One transaction of a block at a time. */
proctype Hmd(byte block) {
    byte base = AGENTS * block, ports = SMDS * block;
    byte i, j, to, held, mask, sharers, owner /* + 1 */, grant;
    mtype kind;
    bit sent, peer, llc, own, has, peers, wide;
    short bytes;

end:do
    :: atomic { req[ports + 0]?kind, has -> i = 0; goto transaction }
    :: atomic { req[ports + 1]?kind, has -> i = 1; goto transaction }
#if SMDS > 2
    :: atomic { req[ports + 2]?kind, has -> i = 2; goto transaction }
#endif
#ifdef LLC
    :: atomic { empty(lback) && nempty(lread) -> lread?kind; i = L; goto for_llc }
    WRITE_BACKS
#endif
    FAR
    od;

transaction:
    atomic {
#ifdef PEER
    peers = 1;
#endif
#ifdef MAY
    if :: peers = 0 :: peers = 1 fi;
#endif
    if
    :: kind == READ -> sent = 0;                                                        /* [H2] */
        if
        :: owner && peers ->
            ask(owner - 1, PROBE_READ, i, 0);
            if :: held == O_ || held == M_ -> skip :: else -> sharers = sharers | BIT(owner - 1); owner = 0 fi
        :: owner && !peers -> for_memory()
        :: else
        fi;
        ask_llc(PROBE_CLEAN);
#ifdef BUG_E_BESIDE_SHARERS
            grant = (owner == 0 && !llc -> E_ : S_);
#else
            grant = (sharers == 0 && owner == 0 && !llc -> E_ : S_);
#endif
            GRANTS_OF(ports + i)!GRANT, grant, (sent -> 2 : 1), (sent -> 0 : LINES_OF(block)), 0;
            if :: grant == E_ -> owner = i + 1 :: else -> sharers = sharers | BIT(i) fi
    :: kind == OWN ->                                                                   /* [H3] */
        take_from_all(peers);
        ask_llc(PROBE_WRITE);
        llc = 0;
#ifdef BUG_STALE_UPGRADE
            GRANTS_OF(ports + i)!GRANT, M_, (sent -> 2 : (st[base + i] == I_ -> 1 : 0)), (sent -> 0 : memory[block]), 0;
#else
            GRANTS_OF(ports + i)!GRANT, M_, (sent -> 2 : 1), (sent -> 0 : LINES_OF(block)), 0;
#endif
        owner = i + 1
    :: kind == EVICT ->                                                                 /* [H5] */
#ifdef BUG_RELEASE_NESTED
        do :: atomic { ack[block]?ACK, eval(i), held, sent, bytes, mask -> memory[block] = MERGE(memory[block], bytes, mask); bytes = 0; mask = 0; break } WRITE_BACKS od;
        sharers = sharers & (255 - BIT(i)); if :: owner == i + 1 -> owner = 0 :: else fi;
#else
        if_wide();
        if
        :: owner == i + 1 -> ask(i, PROBE_WRITE, HOME, 0); owner = 0
        :: sharers & BIT(i) -> ask(i, PROBE_WRITE, HOME, 0); sharers = sharers & (255 - BIT(i))
        :: else
        fi;
#endif
        GRANTS_OF(ports + i)!GRANT, I_, 0, 0, 0
    :: kind == FLUSH ->                                                                 /* [H6] */
        if_wide();
        if
        :: owner == i + 1 -> ask(i, PROBE_CLEAN, HOME, 1);
            if :: held == O_ || held == N_ -> owner = 0; sharers = sharers | BIT(i) :: else fi
        :: sharers & BIT(i) -> ask(i, PROBE_CLEAN, HOME, 0)
        :: else
        fi;
        GRANTS_OF(ports + i)!GRANT, AS_IT_IS, 0, 0, 0
    fi;
    /* [H7] Until the requester has it all. */
#ifndef BUG_NO_UNBLOCK
    do
    :: atomic { ACKS_OF(i)?UNBLOCK, eval(i), _, _, _, _ -> break }
    WRITE_BACKS
    FAR
    od;
#endif
    kind = 0; i = 0; held = 0; sent = 0; peer = 0; grant = 0; has = 0; peers = 0; wide = 0;
    goto end }

#ifdef LLC
for_llc:                                                                                /* [H8] */
    atomic {
    if
    :: kind == READ ->
        if :: owner -> for_memory() :: else fi;
        for_cache((sharers == 0 -> E_ : S_))
    :: kind == OWN ->
        take_from_all(0);
        for_cache(M_)
    fi;
    llc = 1; kind = 0; i = 0; held = 0; sent = 0; peer = 0;
    goto end }
#endif
}

init {
    byte a, base, block;
    atomic {
        for (block : 0 .. BLOCKS - 1) {
            run Hmd(block);
            for (a : 0 .. SMDS - 1) { run Smd(a, block); }
        }
#ifdef LLC
        run Llc();
#endif
    }
#ifdef STACKS
#define WRITTEN && empty(data[0])
#else
#define WRITTEN
#endif
#ifdef FINAL
    (fresh == AGENTS * BLOCKS WRITTEN) ->
#else
#ifdef LLC
    (finished == AGENTS && empty(lack) WRITTEN) ->          /* an answer to a probe may hold the last bytes */
#else
    (finished == AGENTS * BLOCKS WRITTEN) ->
#endif
#endif
    atomic {
        for (block : 0 .. BLOCKS - 1) {
            base = AGENTS * block;
            for (a : 0 .. AGENTS - 1) { assert(BYTE(memory[block], a) == done_n[base + a] && ALL_DONE(a)); }    /* nothing_lost */
            assert(BYTE(memory[block], COMMON) == (done_c[block] & 3) && STORED(done_c[block]))
        }
    }
}
