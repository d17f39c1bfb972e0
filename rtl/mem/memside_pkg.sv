// The memory side below the cores: payloads between networks, L2 slices, memory schedulers and DRAM controllers.
// Page: docs/memory-side.md.
package memside_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import mem_pkg::*;

  // Requesters on the networks: the cores, then the host port.
  localparam int unsigned SOURCES = CORES + 1;
  localparam int unsigned SRC_W = idx_w(SOURCES);
  typedef logic [SRC_W-1:0] src_t;

  // Where a line lives. From the lowest bit of a line address: ILV bits inside a channel's run, channel, the rest. Without the
  // channel bits it is the channel's own line number; the slice of a channel's L2 is the lowest bits of that.
  localparam int unsigned SLICES = CHANNELS * L2_SLICES;
  localparam int unsigned SLICE_W = idx_w(SLICES);
  localparam int unsigned ILV_W = $clog2(INTERLEAVE_BYTES / LINE_BYTES);
  localparam int unsigned CHANNEL_BITS = $clog2(CHANNELS);
  localparam int unsigned SUB_BITS = $clog2(L2_SLICES);
  typedef logic [SLICE_W-1:0] slice_t;

  // The channel's own number of a line: the line address without the channel bits (same width, zeros on top).
  function automatic line_addr_t local_line(input line_addr_t line);
    line_addr_t low = line & line_addr_t'((1 << ILV_W) - 1);
    return ((line >> (ILV_W + CHANNEL_BITS)) << ILV_W) | low;
  endfunction

  // Slice number: channel * L2_SLICES + sub-slice.
  function automatic slice_t slice_of(input line_addr_t line);
    line_addr_t channel = (line >> ILV_W) & line_addr_t'(32'(CHANNELS - 1));
    line_addr_t sub = local_line(line) & line_addr_t'(32'(L2_SLICES - 1));
    return slice_t'((channel << SUB_BITS) | sub);
  endfunction

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

  // L2 slice -> memory scheduler. Reads are answered with their id; writes are not answered: a read of the line that comes later
  // sees them. `line` is the full line address.
  localparam int unsigned DRAM_ID_W = idx_w(L2_MSHRS) + 1;
  typedef logic [DRAM_ID_W-1:0] dram_id_t;
  typedef struct packed {
    logic write;
    dram_id_t id;              // read: chosen by the slice
    mem_class_t cls;
    asid_t asid;
    line_addr_t line;
    line_be_t be;              // write: bytes to write
    line_data_t data;          // write
  } dram_req_t;

  typedef struct packed {
    dram_id_t id;
    line_data_t data;
  } dram_rsp_t;

  // Maintenance of all L2 slices at once (from ctrl).
  typedef enum logic [2:0] {
    L2_FLUSH_LINE = 0, L2_FLUSH_PAGE = 1, L2_FLUSH_ALL = 2,    // write back what is dirty, keep it
    L2_INVAL_LINE = 4, L2_INVAL_PAGE = 5, L2_INVAL_ALL = 6     // write back what is dirty, then forget
  } maint_e;
  typedef struct packed {
    maint_e op;
    line_addr_t line;          // LINE: the line. PAGE: any line of the 4 KB page. ALL: 0
  } maint_t;
endpackage
