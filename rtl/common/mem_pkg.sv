// The line interface: requests of a core to the memory side, and their responses.
package mem_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;

  // READ returns a line; WRITE writes the bytes of `be` and is acknowledged when performed; AMO performs one atomic on
  // one naturally aligned word or doubleword and returns its old value. STORE is a coherent WRITE: no other agent holds the line when it is performed
  // (sent by the host alone, in a machine with home = directory).
  typedef enum logic [1:0] {MEM_READ = 0, MEM_WRITE = 1, MEM_AMO = 2, MEM_STORE = 3} mem_op_e;

  typedef enum logic [3:0] {
    AMO_SWAP = 0, AMO_ADD = 1, AMO_XOR = 2, AMO_AND = 3, AMO_OR = 4,
    AMO_MIN = 5, AMO_MAX = 6, AMO_MINU = 7, AMO_MAXU = 8, AMO_CAS = 9, AMO_LR = 10, AMO_SC = 11
  } amo_e;

  // Identifier chosen by the requester, returned with the response. The top bit distinguishes L1I and walker (1) from L1D (0), set by mem_arb,
  // and of those kind distinguishes the walker (1) from L1I (0). Below it the L1D uses kind (2 bits: 0 line fill, 1 store, 2 atomic) and an index wide enough for MSHR, warp or LSU entry.
  localparam int unsigned MEM_IDX_W = 7;
  typedef logic [MEM_IDX_W+2:0] mem_id_t;      // {source, kind, index}
  typedef logic [MEM_IDX_W+1:0] mem_cid_t;     // without the source bit: the id at a cache

  // The requester: a core, with translation = shared the walker behind them, or the host port, the last one.
  localparam int unsigned HOST_SOURCE = (TRANSLATION == TRANSLATION_SHARED) ? CORES + 1 : CORES;
  localparam int unsigned SOURCES = HOST_SOURCE + 1;
  localparam int unsigned SRC_W = idx_w(SOURCES);
  typedef logic [SRC_W-1:0] src_t;

  // Requester classes: 0 data (instructions too until translation exists), 1..6 walk level, 7 deeper.
  typedef logic [2:0] mem_class_t;

  typedef struct packed {
    mem_op_e op;
    mem_id_t id;
    mem_class_t cls;
    asid_t asid;
    line_addr_t line;
    line_be_t be;              // WRITE, STORE: bytes to write. Otherwise 0
    line_data_t data;          // WRITE, STORE: bytes at their place (those with `be` 0 do not matter). AMO: [63:0] operand, [127:64] compare value
                               // (AMO_CAS); bits above [127:0] do not matter. (Both from a core: one sector, repeated to fill the line.) READ: 0
    amo_e amo;                 // AMO only, otherwise AMO_SWAP
    logic amo_dword;           // AMO: 1 = 8 bytes, 0 = 4 bytes
    line_off_t amo_off;        // AMO: byte offset in the line
    hart_t hart;               // AMO: the hart (for reservations)
    logic sc_fail;             // AMO_SC: must fail, the core has lost its reservation (set by mem_arb). Otherwise 0
  } mem_req_t;

  // The fields that mem_arb keeps: of a read by a fetch or a walk, and of any request of the data cache (its data repeat one sector, so one is kept).
  typedef struct packed {
    mem_cid_t cid;
    mem_class_t cls;
    line_addr_t line;
  } kept_read_t;
  typedef struct packed {
    mem_op_e op;
    mem_cid_t cid;
    mem_class_t cls;
    line_addr_t line;
    line_be_t be;
    sector_data_t sector;
    amo_e amo;
    logic amo_dword;
    line_off_t amo_off;
    hart_t hart;
    logic sc_fail;
  } kept_req_t;

  typedef struct packed {
    mem_id_t id;
    line_data_t data;          // READ: the line. AMO: the aligned doubleword image in [63:0] (a word result stands in both halves), rest 0. WRITE: 0
  } mem_rsp_t;
endpackage
