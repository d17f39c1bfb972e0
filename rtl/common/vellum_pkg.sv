// Types shared by every unit. Counts come from the configuration (vl_cfg_pkg), widths are derived here and nowhere else.
package vellum_pkg;
  import vl_cfg_pkg::*;

  // Width of an index into n things, at least one bit.
  function automatic int unsigned idx_w(input int unsigned n);
    return (n <= 1) ? 1 : $clog2(n);
  endfunction
  function automatic int unsigned larger(input int unsigned a, input int unsigned b);
    return (a > b) ? a : b;
  endfunction

  localparam int unsigned BEATS = THREADS / LANES;       // issue cycles of one warp instruction
  localparam int unsigned PA_W = 48;                     // physical (and virtual) address bits
  localparam int unsigned LINE_BITS = 8 * LINE_BYTES;
  localparam int unsigned LINE_OFF_W = $clog2(LINE_BYTES);
  localparam int unsigned LINE_ADDR_W = PA_W - LINE_OFF_W;
  localparam int unsigned PAGE_LINES = 4096 / LINE_BYTES;      // of a page of 4 KB
  localparam int unsigned PAGE_LINE_W = 12 - LINE_OFF_W;       // of a line's number in its page
  localparam int unsigned PTE_OFF_W = idx_w(LINE_BYTES / 8);   // of a doubleword's number in its line, such as a PTE's
  // A sector is the part of a line that lsu and l1d exchange at a time: the bytes that a warp accesses with up to 8 bytes a thread, side by side.
  localparam int unsigned SECTOR_BYTES = (8 * THREADS < LINE_BYTES) ? 8 * THREADS : LINE_BYTES;
  localparam int unsigned SECTOR_BITS = 8 * SECTOR_BYTES;
  localparam int unsigned SECTOR_OFF_W = $clog2(SECTOR_BYTES);
  localparam int unsigned SECTORS = LINE_BYTES / SECTOR_BYTES;
  localparam int unsigned FETCH_W = 4;                   // instructions of one 16-byte fetch block
  localparam int unsigned WARP_W = idx_w(WARPS);
  localparam int unsigned BEAT_W = idx_w(BEATS);
  localparam int unsigned THREAD_W = idx_w(THREADS);
  localparam int unsigned CORE_W = idx_w(CORES);
  localparam int unsigned SLOT_W = idx_w(GROUPS);
  localparam int unsigned KSLOT_W = idx_w(KERNELS);
  localparam int unsigned HARTS = CORES * WARPS * THREADS;
  localparam int unsigned HART_W = idx_w(HARTS);
  localparam int unsigned ENTRY_W = idx_w(LSU_ENTRIES);
  localparam int unsigned SECTOR_W = idx_w(SECTORS);
  localparam int unsigned SPAD_W = $clog2(SPAD_BYTES);   // scratchpad byte address bits
  localparam int unsigned LID_W = 12;                    // one dimension of a local id

  // The scratchpad aperture (docs/abi.md): 64 KB at SPAD_BASE.
  localparam logic [63:0] SPAD_BASE = 64'h3000_0000;

  // Stacks of which sizes are interleaved (docs/private-memory.md).
  localparam int unsigned STACK_LOG2_MIN = 4;
  localparam int unsigned STACK_LOG2_MAX = 19;

  typedef logic [63:0] xlen_t;
  typedef logic [PA_W-1:0] pc_t;
  typedef logic [LINE_ADDR_W-1:0] line_addr_t;
  typedef logic [LINE_OFF_W-1:0] line_off_t;             // of a byte in its line
  typedef struct packed {                                // of physical memory (rtl/common/map_pkg.sv)
    line_addr_t base;                                    // its first line
    line_addr_t limit;                                   // the first line beyond
  } window_t;
  // The key that a cache compares, in tags and for awaited lines: the line, and whatever else distinguishes two lines. With caches = physical there is
  // nothing else: all lines are physical, and a key is as wide as a line address. Page: docs/memory-map.md.
  localparam int unsigned ASID_W = 16;
  typedef logic [ASID_W-1:0] asid_t;
  typedef enum logic {SPACE_PHYSICAL = 0, SPACE_VIRTUAL = 1} space_e;   // what kind of address it is
  localparam int unsigned KEY_W = LINE_ADDR_W + ((CACHES == CACHES_PHYSICAL) ? 0 : ASID_W + 1);
  typedef logic [KEY_W-1:0] line_key_t;
  function automatic line_key_t key_of(input line_addr_t line, input asid_t asid, input space_e space);
    return line_key_t'({space, asid, line});
  endfunction
  function automatic line_addr_t key_line(input line_key_t key);
    return key[LINE_ADDR_W-1:0];
  endfunction
  typedef logic [LINE_BITS-1:0] line_data_t;
  typedef logic [LINE_BYTES-1:0] line_be_t;
  // A mask says which bytes a cache has and its home has not, a bit for each grain. Page: docs/umh.md, Masks of four bytes.
  localparam int unsigned MASK_W = LINE_BYTES / MASK_GRAIN;
  typedef logic [MASK_W-1:0] line_mask_t;
  function automatic line_mask_t mask_of(input line_be_t be);          // of the grains of bytes
    line_mask_t mask;
    if (MASK_GRAIN == 1) mask = line_mask_t'(be);                      // no loop, for simulation
    else for (int unsigned g = 0; g < MASK_W; g++) mask[g] = be[MASK_GRAIN*g+:MASK_GRAIN] != '0;
    return mask;
  endfunction
  function automatic line_be_t mask_bytes(input line_mask_t mask);     // the bytes of its grains
    line_be_t be;
    if (MASK_GRAIN == 1) be = line_be_t'(mask);
    else for (int unsigned g = 0; g < MASK_W; g++) be[MASK_GRAIN*g+:MASK_GRAIN] = {MASK_GRAIN{mask[g]}};
    return be;
  endfunction
  function automatic logic mask_partial(input line_be_t be);           // some grain is written in part
    return MASK_GRAIN != 1 && mask_bytes(mask_of(be)) != be;
  endfunction
  typedef logic [SECTOR_W-1:0] sector_t;                 // of a line
  typedef logic [SECTOR_BITS-1:0] sector_data_t;
  typedef logic [SECTOR_BYTES-1:0] sector_be_t;
  typedef logic [WARP_W-1:0] warp_t;
  typedef logic [WARPS-1:0] warp_mask_t;
  typedef logic [BEAT_W-1:0] beat_t;
  typedef logic [LANES-1:0] lane_mask_t;
  typedef logic [THREADS-1:0] thread_mask_t;
  typedef logic [LANES-1:0][63:0] lane_data_t;
  typedef logic [SLOT_W-1:0] slot_t;
  typedef logic [3:0] kslot_t;                           // kernel slot (docs/blocks/ctrl.md); the low KSLOT_W bits count, the others are 0
  typedef logic [ENTRY_W-1:0] entry_t;
  typedef logic [HART_W-1:0] hart_t;
  typedef logic [CORE_W-1:0] core_t;
  typedef logic [4:0] reg_t;
  typedef logic [7:0] seq_t;                             // per-warp instruction number, gapless, wraps
  typedef logic [2:0][31:0] dim3_t;                      // [0] x, [1] y, [2] z
  typedef logic [2:0][LID_W-1:0] lid_t;

  // Fault causes (docs/isa.md).
  typedef enum logic [3:0] {
    FAULT_NONE = 0,
    FAULT_ILLEGAL = 1,
    FAULT_FETCH_MISALIGNED = 2,
    FAULT_FETCH_ACCESS = 3,
    FAULT_LOAD_MISALIGNED = 4,
    FAULT_LOAD_ACCESS = 5,
    FAULT_STORE_MISALIGNED = 6,
    FAULT_STORE_ACCESS = 7,
    FAULT_BARRIER = 9,
    FAULT_FETCH_PAGE = 10,
    FAULT_LOAD_PAGE = 11,
    FAULT_STORE_PAGE = 12
  } fault_e;

  typedef struct packed {
    fault_e cause;
    warp_t warp;
    pc_t pc;
    xlen_t value;
    thread_mask_t mask;    // the threads that fault (plain data: not a lane mask of other fields)
  } fault_t;

  // Settings of the host before a launch; constant while a kernel runs (control registers, docs/blocks/ctrl.md).
  typedef struct packed {
    pc_t entry_pc;
    xlen_t arg;                    // address of the launch block
    dim3_t groups;                 // workgroups in x, y, z
    lid_t local_size;              // threads of a workgroup in x, y, z
    dim3_t offset;                 // global offset
    logic [WARP_W:0] warps_per_group;
    thread_mask_t last_mask;       // threads of the last warp of a group
    logic [SLOT_W:0] slots;        // workgroups a core may hold at once
    logic [SPAD_W:0] spad_bytes;   // scratchpad of one workgroup, a multiple of 8
    xlen_t stack_base;
    logic [5:0] stack_log2;
    xlen_t mem_base;               // memory window [mem_base, mem_limit)
    xlen_t mem_limit;
  } kernel_t;
endpackage
