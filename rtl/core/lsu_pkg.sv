// Signals between the parts of the load/store unit. Page: docs/blocks/lsu.md; the names are those of its "State".
package lsu_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import mem_pkg::*;
  import isa_pkg::*;
  import core_pkg::*;

  // A row of the pool; a slot of the answers (as many as misses may be under way, and one that has just ended).
  localparam int unsigned LSU_ANSWERS = TLB_MSHRS + 1;
  typedef logic [idx_w(LSU_ROWS)-1:0] lsu_row_t;
  typedef logic [idx_w(LSU_ANSWERS)-1:0] lsu_slot_t;
  typedef logic [BEATS-1:0] beats_t;

  // ---- an instruction, as it came: operands, addresses, outcome of the check ------------------------------------------
  typedef struct packed {        // the kind, which the front keeps in registers: one of the first five, and aq and rl of an atomic
    logic load, store, atomic, fence, wg;
    logic aq, rl;
  } lsu_kind_t;

  typedef struct packed {        // fields that its beats share, besides kind and warp
    op_e op;
    amo_e amo;
    logic sc, is_unsigned, write;
    logic [1:0] size;
    seq_t seq;
    pc_t pc;
    reg_t rd;
    logic [SPAD_W-1:0] base;     // of the warp's scratchpad when the row came: the warp may end, and another begin, while stores wait here
  } lsu_head_t;

  typedef struct packed {        // one of its beats
    lane_mask_t active, spad, glob, misaligned, access, page;
    xlen_t value;                // address of the lowest faulting lane
    logic [LANES-1:0][15:0] low; // of the addresses
    lane_data_t rs2, rs3;
  } lsu_beat_t;

  // ---- rows ---------------------------------------------------------------------------------------------------------
  typedef struct packed {        // lsu_operands -> lsu_rows: a beat comes
    logic first, last;
    warp_t warp;
    lsu_kind_t kind;
    logic write;
    thread_mask_t glob;
    logic spad, fault;           // some lane
  } lsu_arrive_t;

  typedef struct packed {        // lsu_rows -> lsu_front: the front's row, as it is in the registers
    logic valid;                 // there is one, and the front works on it,
    logic early;                 // or visits it early
    lsu_row_t row;
    warp_t warp;
    lsu_kind_t kind;
    logic seen;
    logic fault;                 // some thread fails the check
    logic spad;                  // some thread is in the scratchpad
    logic reported;
    logic look;                  // some thread is in look-up
    thread_mask_t ok, flt, unsent;
    thread_mask_t pend;          // P
  } lsu_front_t;

  typedef struct packed {        // lsu_front -> lsu_rows: the front's step with it at this edge
    thread_mask_t take;          // threads that are sent
    logic start;
    logic report;
    logic leave;
    logic pass;                  // an early visit ends
    logic pop;
    logic drop;                  // a pop that drops threads; known earlier than other pops
  } lsu_visit_t;

  typedef struct packed {        // lsu_rows -> lsu_front: it makes a choice at this edge,
    logic valid;
    logic traced;                // of a row that is traced
  } lsu_next_t;

  // ---- look-ups, answers ----------------------------------------------------------------------------------------------
  typedef struct packed {        // threads of one row
    lsu_row_t row;
    thread_mask_t threads;
  } lsu_threads_t;

  typedef struct packed {        // lsu_rows -> lsu_lookup: the row that is looked up
    logic may;                   // it may be
    lsu_row_t row;
    warp_t warp;
    logic write;
    thread_mask_t todo;
  } lsu_look_t;

  typedef struct packed {        // lsu_lookup -> lsu_rows: the queue of answers
    logic any;
    lsu_slot_t head, tail;
    logic act;                   // its head may be given to a row: nothing is found in this cycle
  } lsu_answers_t;

  typedef struct packed {        // lsu_rows -> lsu_lookup: the row that is answered
    lsu_row_t row;
    logic write;
  } lsu_answered_t;

  // ---- the front ----------------------------------------------------------------------------------------------------
  typedef struct packed {        // lsu_front -> lsu_store, l1d_req: threads of the front's row that go to one sector
    entry_t entry;
    line_addr_t line;
    sector_t sector;
    thread_mask_t leader;        // one-hot, or 0
    thread_mask_t threads;
    beats_t beat;                // the lowest with such threads: one-hot, or 0
    hart_t hart;                 // of the warp's thread 0; where warps are formed of the leader's home
  } lsu_group_t;

  typedef struct packed {        // lsu_front -> lsu: what happens at this edge, for events and counts
    logic load, store, atomic;   // such an instruction starts
    logic fence;                 // one is done
    logic line, page;            // a new one, of this visit
    logic complete;              // all of a memory instruction with global threads has gone
    logic no_entry;              // it cannot start
    logic fence_waits;
    logic parked;
  } lsu_events_t;

  typedef struct packed {        // lsu_store -> l1d_req: of a store, or an atomic
    logic atomic;
    warp_t warp;
    line_addr_t line;
    sector_t sector;
    entry_t entry;
    thread_mask_t thread;
    amo_e amo;
    logic dword;
    line_off_t off;
    hart_t hart;
  } lsu_store_t;
endpackage
