// The memory side below the cores: payloads between networks, L2 slices, memory schedulers and DRAM controllers.
// Page: docs/memory-side.md.
package memside_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import map_pkg::*;
  import mem_pkg::*;
  import home_pkg::*;
  import vl_dram_pkg::*;

  // Core or host -> slice, and back.
  typedef struct packed {
    src_t src;
    logic bypass;              // do not look into the L2 for a place: neither probe for a hit's sake nor fill (L2 page)
    mem_req_t req;
  } net_req_t;

  typedef struct packed {
    src_t src;
    mem_rsp_t rsp;
  } net_rsp_t;

  // Whose slices a source asks: those of the core's device; DEVICES: the host port, the last-level cache's.
  function automatic int unsigned net_device(input int unsigned source);
    return (HOME == HOME_FLAT) ? 0 : source / (CORES / DEVICES);
  endfunction
  // The slice, of all, that performs a source's requests for a line.
  typedef logic [idx_w(SLICES)-1:0] net_slice_t;
  function automatic net_slice_t net_slice(input src_t source, input line_addr_t line);
    slice_t slice = (HOME != HOME_FLAT && 32'(source) == CORES) ? slice_among(HOST_BITS, line) : slice_of(line);
    return net_slice_t'(net_device(32'(source)) * DEVICE_SLICES + 32'(slice));
  endfunction

  // Events of an L2 slice at the last edge (docs/blocks/l2.md).
  typedef struct packed {
    logic l2_access;           // a request was looked up; of it:
    logic l2_hit;
    logic l2_merge;            // waits for a line that is awaited already
    logic l2_bypass;           // a read that is not to be cached
    logic l2_atomic;
    logic l2_probe;            // found a line that may lack bytes
    logic l2_upgrade;          // a bypassed line gets a place after all
    logic l2_evict;            // its place costs a write-back
    mem_class_t l2_cls;
    asid_t l2_asid;
    logic l2_read;             // line read from, written back to memory
    logic l2_write;
    logic l2_fill;
    logic l2_replay;
    logic l2_stall_pipe;       // a request waits: for the pipeline,
    logic l2_stall_drain;      // for a bypassed line's readers,
    logic l2_stall_mshr;       // for an MSHR or a target entry,
    logic l2_stall_way;        // for a way
  } ev_l2_t;

  // Maintenance of all L2 slices at once (from ctrl).
  typedef enum logic [2:0] {
    L2_FLUSH_LINE = 0, L2_FLUSH_PAGE = 1, L2_FLUSH_ALL = 2,    // write dirty lines back, keep them
    L2_INVAL_LINE = 4, L2_INVAL_PAGE = 5, L2_INVAL_ALL = 6     // write dirty lines back, then drop all
  } maint_e;
  typedef struct packed {
    maint_e op;
    line_addr_t line;          // LINE: the line. PAGE: any line of the 4 KB page. ALL: 0
  } maint_t;

  // ---- one channel: mem_sched -> dram_ctrl -> pins (docs/blocks/dram_ctrl.md) ----------------------------------

  // Types are as wide as the larger of two kinds of chips asks.
  localparam int unsigned CH_COL_W = idx_w(larger(DRAM_COLUMNS, HOST_DRAM_COLUMNS));
  localparam int unsigned CH_GROUP_W = idx_w(DRAM_BANK_GROUPS);
  localparam int unsigned CH_LOCAL_W = idx_w(DRAM_BANKS);              // a bank in its group

  // What mem_sched keeps of a slice's request: it grants everything and sends no probes, so it keeps no states.
  typedef struct packed {
    logic write;
    home_id_t id;              // of a read
    mem_class_t cls;
    asid_t asid;
    line_addr_t line;
    line_be_t be;
    line_data_t data;
  } sched_req_t;

  // mem_sched -> dram_ctrl: one line. The id is mem_sched's own (the slice's sub number above its home_id_t); reads give it back.
  localparam int unsigned SUB_W = idx_w(L2_SLICES);
  typedef logic [SUB_W+HOME_ID_W-1:0] txn_id_t;
  typedef struct packed {
    logic write;
    txn_id_t id;
    bank_t bank;
    row_t row;
    row_line_t line;           // of the row
    line_be_t be;              // write: bytes to write; read: 0
    line_data_t data;          // write; read: 0
  } txn_t;

  typedef struct packed {
    txn_id_t id;
    line_data_t data;
  } txn_rsp_t;

  // The state of a bank for a transaction pushed now: how many it may take, and the row it leaves open for the next one.
  typedef struct packed {
    logic [1:0] room;
    logic open;
    row_t row;                 // 0 when not open
  } bank_status_t;

  // Run-time policy of the controller.

  // The pins, once a core cycle.
  localparam int unsigned BURST_BYTES = larger(DRAM_BURST_BYTES, HOST_DRAM_BURST_BYTES);
  localparam int unsigned BURST_BITS = 8 * BURST_BYTES;
  localparam int unsigned LINE_BURSTS = LINE_BYTES / DRAM_BURST_BYTES; // column commands of a line
  localparam int unsigned HOST_LINE_BURSTS = LINE_BYTES / HOST_DRAM_BURST_BYTES;
  typedef logic [BURST_BITS-1:0] burst_data_t;
  typedef enum logic [2:0] {
    PIN_NOP = 0, PIN_ACT = 1, PIN_RD = 2, PIN_WR = 3, PIN_PRE = 4, PIN_PREA = 5, PIN_REF = 6
  } pin_op_e;
  typedef struct packed {
    logic [1:0] ticks;                     // DRAM clocks in this core cycle
    pin_op_e op;
    logic phase;                           // in which of them the command goes
    logic [CH_GROUP_W-1:0] group;          // ACT, RD, WR, PRE
    logic [CH_LOCAL_W-1:0] bank;
    row_t row;                             // ACT
    logic [CH_COL_W-1:0] col;              // RD, WR: first column of the burst
    logic [BURST_BYTES-1:0] be;            // WR
    burst_data_t data;                     // WR
  } dram_pins_t;

  // Events of the controller at the last edge.
  typedef struct packed {
    logic dram_acts;           // commands
    logic dram_reads;
    logic dram_writes;
    logic dram_pres;           // PRE, one each
    logic dram_prea;
    logic dram_refs;
    logic dram_row_hits;       // first burst of a line with an open row when it became the head of its bank
    logic dram_row_misses;     // ... that needed an ACT
    logic dram_turnarounds;    // column command in the other direction than the last one
    logic dram_busy;           // transactions wait
    logic dram_refreshing;     // held up for a refresh
  } ev_dram_ctrl_t;

  // ---- inside dram_ctrl, shared by its leaves -------------------------------------------------------------------

  localparam int unsigned DRAM_READ_BUFS = 16;
  localparam int unsigned DRAM_FLIGHT = (DRAM_TCL + DRAM_BURST_CLOCKS) / DRAM_COL_GAP + 8;
  localparam int unsigned HOST_DRAM_FLIGHT = (HOST_DRAM_TCL + HOST_DRAM_BURST_CLOCKS) / HOST_DRAM_COL_GAP + 8;
  localparam int unsigned DRAM_ROW_PATIENCE = 4;

  typedef logic [idx_w(DRAM_READ_BUFS)-1:0] dram_rbuf_t;
  typedef logic [idx_w(larger(LINE_BURSTS, HOST_LINE_BURSTS))-1:0] dram_burst_t;

  // A transaction without its data.
  typedef struct packed {
    logic write;
    txn_id_t id;
    row_t row;
    row_line_t line;
  } dram_entry_t;

  // The head of a bank's queue.
  typedef struct packed {
    dram_entry_t entry;
    logic slot;            // which of the bank's two places its data have
    dram_burst_t n;        // bursts commanded
    dram_rbuf_t rbuf;      // a read that has begun: its buffer
    logic acted;
  } dram_head_t;

  // One bit for each command of a bank.
  typedef struct packed {
    logic act;
    logic rd;
    logic wr;
    logic pre;
  } dram_waits_t;

  // A RD on its way.
  typedef struct packed {
    dram_rbuf_t rbuf;
    dram_burst_t n;
    logic last;
  } dram_flight_t;

  // ---- mem_sched and mem_quota (docs/blocks/mem_sched.md) -------------------------------------------------------

  localparam int unsigned APPS = 4;          // applications that take turns
  typedef logic [9:0] quota_t;

  // Events of the scheduler at the last edge.
  typedef struct packed {
    logic sched_golden;        // a read entered the queue
    logic sched_silver;
    logic sched_normal;
    logic sched_writes;        // a write entered
    logic sched_merges;        // a write joined one of its line
    logic sched_forwards;      // a read was answered from a write held back
    logic sched_turns;         // the turn passed
    logic sched_hits;          // a transaction went: row hit when chosen,
    logic sched_late;          // older than the bound,
    logic sched_urgent;        // a write for which a read waits
    logic sched_reads_out;     // read, write transactions
    logic sched_writes_out;
    logic sched_drain;         // writes go first
    logic sched_none;          // something waits and nothing can be chosen
    logic sched_wait_g;        // an input register waits
    logic sched_wait_d;
    logic sched_wait_w;
    logic sched_order;         // ... for an older request to its line
    logic [8:0] occ_golden;    // entries
    logic [8:0] occ_silver;
    logic [8:0] occ_normal;
    logic [8:0] occ_writes;
    logic [L2_SLICES-1:0] read_in;           // a slice's read was taken (DRAM_DETAIL, as all that follow): who it is,
    home_id_t [L2_SLICES-1:0] read_id;
    mem_class_t [L2_SLICES-1:0] read_cls;
    logic [L2_SLICES-1:0][APPS-1:0] read_app;
    logic read_done;                         // the controller answered a read
    txn_id_t read_done_id;
  } ev_mem_sched_t;

  // A read that ended, for the counters of a channel with DRAM_DETAIL (docs/blocks/perf.md, Times of reads).
  typedef struct packed {
    logic done;
    mem_class_t cls;
    logic [APPS-1:0] app;
    logic [12:0] latency;
  } ev_read_times_t;
endpackage
