// Coherent memory over several devices: messages between its blocks, and their events. Pages: docs/coherence.md, docs/blocks/l2c.md, docs/blocks/smd.md.
package coherence_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import policy_pkg::*;
  import map_pkg::*;
  import mem_pkg::*;
  import home_pkg::*;
  import nmoesi_pkg::*;
  import memside_pkg::*;

  // Events of a coherent L2 slice at the last edge (docs/blocks/l2c.md).
  typedef struct packed {
    logic l2_access;           // a request was looked up; of it:
    logic l2_hit;
    logic l2_merge;            // waits for a line that is awaited already
    logic l2_atomic;
    logic l2_sc_lost;          // an SC to a line that is not owned: it fails
    logic l2_upgrade;          // a line held to be read is given back, to be owned
    logic l2_evict;            // its victim needs a write-back
    logic l2_own;              // asks to own
    logic l2_n_read;           // asks to store non-coherently
    mem_class_t l2_cls;
    asid_t l2_asid;
    logic l2_probe;            // a probe was looked up; of it:
    logic l2_probe_hit;        // the line is held
    logic l2_probe_gives;      // and gives bytes
    logic l2_moved;            // the state of a line changed,
    nmoesi_e l2_from;          // from
    nmoesi_e l2_to;            // to
    logic l2_read;             // line asked for, written back
    logic l2_write;
    logic l2_ack;
    logic l2_fill;
    logic l2_replay;
    logic l2_stall_probe;      // a request waited for a probe,
    logic l2_stall_pipe;       // for the pipeline,
    logic l2_stall_own;        // for a line that is asked for to be read only,
    logic l2_stall_mshr;       // for an MSHR or a target entry,
    logic l2_stall_way;        // for a way
  } ev_l2c_t;
  // What both kinds of slice do, for the counters of a slice.
  function automatic ev_l2_t l2_events(input ev_l2c_t ev);
    return '{
        l2_access: ev.l2_access,
        l2_hit: ev.l2_hit,
        l2_merge: ev.l2_merge,
        l2_atomic: ev.l2_atomic,
        l2_evict: ev.l2_evict,
        l2_cls: ev.l2_cls,
        l2_asid: ev.l2_asid,
        l2_read: ev.l2_read,
        l2_write: ev.l2_write,
        l2_fill: ev.l2_fill,
        l2_replay: ev.l2_replay,
        l2_stall_pipe: ev.l2_stall_pipe,
        l2_stall_mshr: ev.l2_stall_mshr,
        l2_stall_way: ev.l2_stall_way,
        default: '0
    };
  endfunction

  // ---- between stacked memory directories (SMD) and host memory directories (HMD): docs/coherence.md, Messages ------------------------------------
  // A block is named by one of its lines.
  localparam int unsigned BLOCK_LINES = INTERLEAVE_BYTES / LINE_BYTES;
  localparam int unsigned BLOCK_LINE_W = idx_w(BLOCK_LINES);
  localparam int unsigned DEVICE_W = idx_w(DEVICES);
  typedef logic [BLOCK_LINES-1:0] block_mask_t;          // a bit a line of a block
  typedef logic [BLOCK_LINE_W-1:0] block_line_t;         // a line's number in its block
  typedef logic [DEVICE_W-1:0] device_t;
  localparam int unsigned SMDS = DEVICES * CHANNELS;     // number k: of channel k mod CHANNELS in device k / CHANNELS
  localparam int unsigned HMDS = HOST_CHANNELS;

  // Block and place of a line in its stack (docs/blocks/smd.md, Addresses). From the lowest bit of a line address: line of the block, channel, place, tag.
  localparam int unsigned SMD_PLACES = STACK_BYTES / INTERLEAVE_BYTES;
  localparam int unsigned SMD_TAG_SHIFT = ILV_W + CHANNEL_BITS + $clog2(SMD_PLACES);
  function automatic line_addr_t block_of(input line_addr_t line);
    return line >> ILV_W;
  endfunction
  function automatic block_line_t block_off(input line_addr_t line);
    return block_line_t'(line & line_addr_t'(32'(BLOCK_LINES - 1)));
  endfunction
  function automatic line_addr_t block_first(input line_addr_t line);
    return block_of(line) << ILV_W;
  endfunction
  function automatic line_addr_t smd_place(input line_addr_t line);
    return (local_line(line) >> ILV_W) & line_addr_t'(32'(SMD_PLACES - 1));
  endfunction
  function automatic line_addr_t smd_tag(input line_addr_t line);
    return line >> SMD_TAG_SHIFT;
  endfunction
  // The line with another tag; with tag 0 it is the line number in the stack.
  function automatic line_addr_t smd_line_at(input line_addr_t tag, input line_addr_t line);
    return (tag << SMD_TAG_SHIFT) | (line & ~(~line_addr_t'(0) << SMD_TAG_SHIFT));
  endfunction
  function automatic line_addr_t stack_line(input line_addr_t line);
    return smd_line_at('0, line);
  endfunction
  // Policies with which home memory is in stacks: the home device of a line, and the line's number in that device's stack.
  function automatic logic in_stacks(input memory_e memory);
    return memory inside {MEMORY_MEMCPY, MEMORY_MANAGED};
  endfunction
  function automatic device_t home_device(input memory_e memory, input line_addr_t line);
    return (memory == MEMORY_MEMCPY) ? device_t'((local_line(line) >> ILV_W) % line_addr_t'(DEVICES)) : '0;
  endfunction
  function automatic line_addr_t home_line(input memory_e memory, input line_addr_t line);
    line_addr_t n, h;
    n = local_line(line) >> ILV_W;
    h = (memory == MEMORY_MEMCPY) ? n / line_addr_t'(DEVICES) : n;
    return stack_line((h << (ILV_W + CHANNEL_BITS)) | (line & ~(~line_addr_t'(0) << (ILV_W + CHANNEL_BITS))));
  endfunction
  // The state of a block after bytes of the slice have arrived; its lines may have been granted in E.
  function automatic nmoesi_e touched(input nmoesi_e state);
    return (state == NMOESI_S) ? NMOESI_N : (state == NMOESI_E) ? NMOESI_M : state;
  endfunction

  // SMD -> HMD: requests.
  typedef enum logic [1:0] {
    SMD_READ = 0,              // the block, to read or to store non-coherently
    SMD_OWN = 1,               // ... to store coherently
    SMD_EVICT = 2,             // gives the block back
    SMD_FLUSH = 3              // gives the home the bytes that it does not have
  } smd_op_e;
  typedef struct packed {
    smd_op_e op;
    logic bytes;               // EVICT, FLUSH: the block may have bytes that the home does not have. Else 0
    line_addr_t line;          // READ, OWN: the line asked for. EVICT, FLUSH: the block's first
    logic thin;                // READ, OWN: without lines (any policy memory but umh). Else 0
  } smd_req_t;

  // HMD -> SMD: probes.
  typedef struct packed {
    probe_e kind;
    line_addr_t line;          // the block's first
    logic to_peer;             // its lines go to the SMD of this channel in device `peer`
    device_t peer;
    logic keep;                // PROBE_CLEAN: a sole holder may keep the block in E
  } smd_probe_t;

  // SMD -> HMD: what probes bring, and the end of a transaction.
  typedef enum logic [1:0] {
    SMD_BYTES = 0,             // of a line: the bytes of `mask`
    SMD_DONE = 1,              // the probe is answered: the state held, and whether the lines went to the peer
    SMD_ARRIVED = 2,           // the grant has arrived
    SMD_GET = 3                // a line is asked for (any policy memory but umh)
  } smd_ack_e;
  typedef struct packed {
    smd_ack_e kind;
    line_addr_t line;
    nmoesi_e state;            // DONE, else I
    logic sent;                // DONE
    line_mask_t mask;          // BYTES, else 0
    line_data_t data;          // BYTES: bytes outside of the mask do not matter. Else 0
  } smd_ack_t;

  // HMD -> the memory of its host channel: reads that may be under way, no more than home_id_t names.
  localparam int unsigned HOST_READERS = (L2_MSHRS < 4) ? 2 * L2_MSHRS : 8;
  localparam int unsigned HOST_ID_W = idx_w(HOST_READERS);
  typedef logic [HOST_ID_W-1:0] host_id_t;

  // HMD -> SMD: lines and grants. From another SMD: lines. With the policies memcpy and managed also an HMD's reads and writes of a stack, and lines that it has read.
  typedef enum logic [1:0] {
    SMD_MEM_NONE = 0,
    SMD_MEM_READ = 1,          // of `line`, with `id`
    SMD_MEM_WRITE = 2,         // the bytes of `mask`; 0: all
    SMD_MEM_LINE = 3           // SMD -> HMD: data of a read
  } smd_mem_e;
  typedef struct packed {
    logic grant;               // 0: a line, with the bytes that the home does not have; 1: a grant
    line_addr_t line;          // grant: any of the block
    nmoesi_e state;            // grant: I, S, E or M
    line_mask_t mask;
    line_data_t data;
    smd_mem_e mem;             // else a line or a grant
    host_id_t id;              // of SMD_MEM_READ and its SMD_MEM_LINE, else 0
  } smd_data_t;

  // SMD -> SMD, over the link; SMD_MEM_LINE: SMD -> HMD.
  typedef struct packed {
    device_t device;
    line_addr_t line;
    line_mask_t mask;
    line_data_t data;
    smd_mem_e mem;             // SMD_MEM_NONE or SMD_MEM_LINE
    host_id_t id;
  } smd_peer_t;

  // To an HMD: a line that it has read from a stack.
  typedef struct packed {
    host_id_t id;
    line_data_t data;
  } smd_mem_t;

  // SMD -> its stack: lines with a mark a grain, set for those that the home does not have.
  localparam int unsigned STACK_READERS = L2_MSHRS + 4;  // reads that may be under way: the slice's, and four of a probe
  localparam int unsigned STACK_ID_W = idx_w(STACK_READERS);
  typedef logic [STACK_ID_W-1:0] stack_id_t;
  typedef struct packed {
    logic write;
    stack_id_t id;             // of a read, else 0
    line_addr_t line;          // in the stack
    line_be_t be;              // write: bytes, and the marks of their grains, that are written; read: 0
    line_mask_t marks;         // write
    line_data_t data;          // write
  } stack_req_t;
  typedef struct packed {
    stack_id_t id;
    line_mask_t marks;
    line_data_t data;
  } stack_rsp_t;

  // At an HMD: the same messages, with the device that they come from or go to.
  typedef struct packed {
    device_t device;
    smd_req_t req;
  } hmd_req_t;
  typedef struct packed {
    device_t device;
    smd_probe_t probe;
  } hmd_probe_t;
  typedef struct packed {
    device_t device;
    smd_ack_t ack;
  } hmd_ack_t;
  typedef struct packed {
    device_t device;
    smd_data_t data;
  } hmd_data_t;

  // On a link. Data go to a device, from the host or from another device.
  localparam int unsigned LINK_MASK_BYTES = (MASK_W > 64) ? MASK_W / 8 : 0;  // beside a line; a mask of up to 8 bytes stands in the head
  localparam int unsigned LINK_FLITS = 1 + (LINE_BYTES + LINK_MASK_BYTES + LINK_BYTES - 1) / LINK_BYTES;  // of the longest message: head, mask, line
  localparam int unsigned LINK_BARE_FLITS = 1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES;  // of a line without a mask
  localparam int unsigned LINK_FLIT_W = idx_w(LINK_FLITS + 1);
  typedef enum logic [1:0] {
    LINK_DATA = 0,             // each kind waits only for kinds above it (docs/coherence.md, Why no circle of waiting exists)
    LINK_ACK = 1,
    LINK_PROBE = 2,
    LINK_REQ = 3
  } link_kind_e;
  // Wires between devices and host, up and down each: one pair for all devices, or a pair a device.
  localparam int unsigned WIRES = (LINKS == LINKS_SHARED) ? 1 : DEVICES;
  typedef logic [idx_w(WIRES)-1:0] wire_t;
  function automatic wire_t wire_of(input device_t device);
    return (LINKS == LINKS_SHARED) ? '0 : wire_t'(device);
  endfunction
  // Events of a wire at the last edge (docs/blocks/link.md).
  typedef struct packed {
    logic link_sent;           // a message began:
    link_kind_e link_kind;     // its kind,
    logic [LINK_FLIT_W-1:0] link_flits;  // the cycles that it occupies the wire
    logic link_busy;           // the wire is occupied
    logic link_blocked;        // a message waits, the wire is free, and there is no credit
  } ev_link_t;

  // Requests to an HMD: of an SMD, or of the host's last-level cache.
  typedef enum logic [2:0] {
    HMD_READ = 0, HMD_OWN = 1, HMD_EVICT = 2, HMD_FLUSH = 3, HMD_L_READ = 4, HMD_L_OWN = 5
  } hmd_op_e;
  localparam int unsigned HMD_POOL = DEVICES * (CHANNELS / HOST_CHANNELS) * SMD_TRANSACTIONS + 2 * L2_MSHRS;
  typedef struct packed {
    hmd_op_e op;
    device_t device;           // of an SMD
    home_id_t id;              // of the last-level cache
    line_addr_t line;
    logic bytes;               // of an SMD: its block may have bytes that memory has not
    logic thin;                // ... without lines
  } hmd_job_t;
  typedef logic [DEVICES-1:0] device_mask_t;

  // An entry of an HMD as it has been written, for the judge.
  typedef struct packed {
    line_addr_t line;          // of the block
    device_mask_t sharers;
    device_mask_t owner;       // one, or 0
    logic llc;                 // the last-level cache may have lines of it
  } hmd_dir_t;

  // Events of an SMD at the last edge (docs/blocks/smd.md).
  typedef struct packed {
    logic smd_read;            // a read of the slice was looked up for the first time; of it:
    logic smd_hit;             // performed at once
    logic smd_write;           // a write-back was performed
    logic smd_fetch;           // the HMD was asked to read a block,
    logic smd_own;             // to own,
    logic smd_evict;           // to take a block back,
    logic smd_flush;           // to take the bytes of a block
    logic smd_line;            // a line of a block has come
    logic smd_get;             // a line was asked for (any policy memory but umh)
    logic smd_put;             // bytes of the slice went on to the HMD (likewise)
    logic smd_near;            // a line of the slice was read or written where it is at home, here (policies memcpy, managed)
    logic smd_mem_read;        // the HMD read a line of this stack (likewise)
    logic smd_mem_write;       // the HMD wrote one (likewise)
    logic smd_probe;           // a probe was taken
    probe_e smd_probe_kind;
    logic smd_ask;             // the slice was probed
    logic smd_bytes;           // bytes of a line went to the HMD
    logic smd_peer;            // a line went to another device
    logic smd_moved;           // the state of a block changed,
    nmoesi_e smd_from;         // from
    nmoesi_e smd_to;           // to
    logic smd_stall;           // a write-back waits for a probe of its block
  } ev_smd_t;

  // Events of an HMD at the last edge (docs/blocks/hmd.md).
  typedef struct packed {
    logic hmd_read;            // a transaction began: an SMD reads,
    logic hmd_own;             // owns,
    logic hmd_evict;           // gives back,
    logic hmd_flush;           // gives its bytes;
    logic hmd_host_read;       // the host's cache reads,
    logic hmd_host_own;        // owns
    logic hmd_wait;            // requests wait, and none begins
    logic hmd_probe;           // an SMD was probed,
    logic hmd_host_probe;      // a line of the host's cache was probed
    logic hmd_bytes;           // bytes were merged into memory
    logic hmd_line;            // a line was read for the requester
    logic hmd_get;             // an SMD asked for one line
    logic hmd_stack;           // a line of a stack was read or written, in place of memory
    logic hmd_peer;            // a probe was answered by lines to a peer
    logic hmd_grant;           // a block was granted
    nmoesi_e hmd_state;        // in this state
  } ev_hmd_t;
endpackage
