// Payloads of the streams inside a SIMT core (docs/blocks/core.md draws them).
package core_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import mem_pkg::*;
  import isa_pkg::*;

  // ---- front end -------------------------------------------------------------------------------------------------
  typedef struct packed {        // fetch -> l1i
    warp_t warp;
    logic epoch;                 // fetch's epoch of the warp, returned with the response
    pc_t pc;
  } fetch_req_t;

  typedef struct packed {        // l1i -> fetch: the 16-byte block that holds pc, or a miss
    warp_t warp;
    logic epoch;
    pc_t pc;
    logic hit;                   // 0: not in the cache; ask again after the next wake
    logic fault;                 // with hit 0: its page cannot be fetched from; instr[0] bit 0: page fault, else access fault
    logic [FETCH_W-1:0][31:0] instr;   // 0 when hit is 0 (but with fault)
  } fetch_rsp_t;

  typedef struct packed {        // fetch -> issue: consecutive instructions of one warp, from its fetch pc on
    warp_t warp;
    logic fault;                 // the pc cannot be fetched from: counts as one instruction (n = 1) that faults; instr[0] bit 0: page fault, else access fault
    logic [2:0] n;               // 1..4 instructions, in instr[0..n-1]; the rest is 0
    logic [FETCH_W-1:0][31:0] instr;
  } push_t;

  typedef struct packed {        // simt -> fetch, issue
    warp_t warp;
    logic stop;                  // the warp has ended: forget it
    logic flush;                 // drop buffered instructions, continue at pc
    logic start;                 // a new warp begins (flush is set as well)
    pc_t pc;
    thread_mask_t tmask;         // threads active from now on
    logic rpc_valid;             // reconverge (issue JOIN) when pc = rpc is reached
    pc_t rpc;                    // 0 when not valid
    logic at_rpc;                // reached already: rpc_valid and pc = rpc
  } redirect_t;

  // Beats the input queue of lsu takes (issue holds the credits).
  localparam int unsigned LSU_IN_DEPTH = LSU_ROWS * BEATS;

  typedef struct packed {        // an instruction in the buffer, with its facts for the scheduler (predecode())
    logic [31:0] instr;
    pipe_e pipe;
    logic fault;                 // fetch fault
    logic use_rs1;
    logic use_rs2;
    logic use_rs3;               // register field 31:27 is read
    logic use_rd;
    logic rd_read;               // amocas: rd is read too
    logic is_cf;
    logic is_serial;
    logic is_exit;
    logic is_barrier;
    logic tracked;               // a release will follow
  } ibuf_entry_t;

  typedef enum logic [1:0] {CTL_ILLEGAL = 0, CTL_BARRIER = 1, CTL_EXIT = 2, CTL_JOIN = 3} ctl_e;

  typedef struct packed {        // issue -> regfile, simt (CTL operations only), trace
    warp_t warp;
    seq_t seq;
    pc_t pc;
    logic [31:0] instr;
    op_e op;
    pipe_e pipe;
    ctl_e ctl;                   // the CTL operation (op has it as well, but later in the cycle); else CTL_ILLEGAL
    beat_t beat;
    logic first;
    logic last;
    logic rd_we;                 // writes rd (rd != x0)
    lane_mask_t mask;            // active lanes of this beat
    thread_mask_t tmask;         // active threads of the whole warp
    logic fetch_fault;           // OP_ILLEGAL because the pc cannot be fetched from: instr bit 0 says page fault, else access fault
  } issued_t;

  // Entries of a warp's SIMT stack: as many as there can be (docs/blocks/simt.md, "The depth of the stack").
  localparam int unsigned SIMT_DEPTH = 2 * (THREADS - 1);

  localparam int unsigned RECONV_SETS = RECONV_ENTRIES / 2;
  localparam int unsigned RECONV_SET_W = idx_w(RECONV_SETS);

  typedef struct packed {        // ctrl -> simt: one entry of the reconvergence table (2-way)
    logic [RECONV_SET_W-1:0] index;
    logic way;
    logic valid;
    pc_t pc;                     // of the branch
    pc_t target;                 // where its paths meet
  } reconv_write_t;

  // ---- operands and results --------------------------------------------------------------------------------------
  typedef struct packed {        // regfile -> alu, mul, div, fpu, fdiv, lsu (each takes its own `pipe`)
    pipe_e pipe;
    op_e op;
    warp_t warp;
    seq_t seq;
    pc_t pc;
    logic [31:0] instr;          // for rm, aq, rl
    beat_t beat;
    logic first;
    logic last;
    reg_t rd;                    // 0 when nothing is written
    lane_mask_t mask;
    thread_mask_t tmask;
    xlen_t imm;
    lane_data_t rs1;             // CSR reads of PIPE_ALU: rs1 + rs2 is the identity CSR; immediate CSR forms of PIPE_FPU: zimm; AUIPC: pc
    lane_data_t rs2;
    lane_data_t rs3;
  } operands_t;

  typedef struct packed {        // inside a pipe: where a record goes
    warp_t warp;
    seq_t seq;
    beat_t beat;
    reg_t rd;
    logic last;
  } dest_t;
  typedef struct packed {        // a pipe -> regfile. One record a beat (LSU: one or more a beat, partial masks)
    warp_t warp;
    seq_t seq;
    beat_t beat;
    reg_t rd;                    // 0: write nothing, bookkeeping only
    logic last;                  // the last record of this instruction
    lane_mask_t mask;
    lane_data_t data;
  } result_t;

  typedef struct packed {        // regfile -> issue (release), trace: a write, one cycle after it
    pipe_e pipe;
    result_t res;
  } wb_t;

  typedef struct packed {        // regfile -> issue: a beat left the result queue of this pipe
    logic div;
    logic fpu;                   // of FPU and MUL, which share a queue
    logic fdiv;
  } credit_t;

  typedef struct packed {        // alu -> simt: a branch or jump, once per instruction (after its last beat)
    warp_t warp;
    seq_t seq;
    pc_t pc;
    logic indirect;              // JALR
    thread_mask_t tmask;         // threads that executed it
    thread_mask_t taken;         // conditional branch: those that take it. JAL: all of tmask. JALR: those with `target` as their target
    pc_t target;
    logic misaligned;            // target (of a taken branch) is not a multiple of 4
  } cf_t;

  typedef struct packed {        // fdiv -> fpu: exceptions raised by one beat (docs/isa.md: NV 4, DZ 3, OF 2, UF 1, NX 0)
    warp_t warp;
    beat_t beat;
    lane_mask_t mask;
    logic [LANES-1:0][4:0] flags;
  } fflags_t;

  typedef struct packed {        // fpu -> fdiv: rounding modes written by a CSR instruction
    warp_t warp;
    beat_t beat;
    lane_mask_t mask;
    logic [LANES-1:0][2:0] frm;
  } frm_t;

  // ---- inside alu: controls of a lane for an operation (alu_decode -> alu_lane) -----------------------------------
  typedef enum logic [1:0] {BITS_ZERO = 0, BITS_AND = 1, BITS_XOR = 2, BITS_NOT = 3} alu_bits_e;   // functions of rs1 and z; NOT: of z alone
  typedef enum logic [2:0] {PICK_ALL = 0, PICK_NONE = 1, PICK_MIN = 2, PICK_MAX = 3, PICK_EQZ = 4, PICK_NEZ = 5} alu_pick_e;
  typedef enum logic [1:0] {KEEP_UP_TO = 0, KEEP_FROM = 1, KEEP_OTHERS = 2} alu_keep_e;

  typedef struct packed {
    logic word;                  // the result is the sign-extended low half
    // main: the sum of a and z, or bitwise functions
    logic a_uw;                  // a, and the value to shift, are the low half of rs1, zero-extended
    logic [1:0] a_shift;         // a is shifted left by this number of bits
    logic b_imm;                 // b is rs2 or imm, one of them 0; else rs2
    logic b_inv;                 // z is the complement of b, for a - b; otherwise b
    logic add;                   // main is the sum
    alu_bits_e bits;             // otherwise main is this function, or
    logic swap;                  // the bytes of rs1 in reverse order
    logic uns;                   // unsigned comparison
    logic less;                  // the result is that of the comparison
    // shift: rs1 rotated, of which some bits stay
    alu_pick_e pick;             // when this result is kept: MIN, MAX: this or main, by the comparison; EQZ, NEZ: by rs2
    logic still;                 // shift by 0
    logic left;
    logic arith;                 // the fill is the sign
    alu_keep_e keep;             // which bits stay: those up to an edge, those from it on, or all but the edge's. The edge is the amount if `left`, else
    logic [5:0] edge_and;        // 63 less the amount; where edge_and is 0 it is edge_or: all bits stay, bit 0, a byte, two bytes
    logic [5:0] edge_or;
    logic ext_b;                 // a byte stays, the fill is its sign if arith
    logic ext_h;                 // likewise, two bytes
    logic fill;                  // the fill is 1
    logic flip;                  // the fill is the complement of the bit
    logic orc;                   // ORC: ones in bytes that are not 0
    // counts
    logic count;                 // the result is a count:
    logic ones;                  // of the ones,
    logic low;                   // else of the zeros below the lowest one; else of those above the highest
  } alu_ctl_t;

  typedef struct packed {        // alu_lane -> alu_finish, through a register
    xlen_t main;
    logic keep_main;
    xlen_t shift;                // rotated by 0 to 31,
    logic half;                  // and by 32 as well; never in a count
    logic keep_shift;
    logic [5:0] border;          // the edge
    logic fill;
    logic [7:0] bytes;           // ORC: bytes that are not 0. Counts of zeros: the byte in which the count ends; none if all are 0
    logic [3:0][4:0] ones;       // of each 16 bits
    logic less;
  } alu_lane_t;

  typedef struct packed {        // alu_decode -> alu_finish, through a register: as in alu_ctl_t
    logic word;
    alu_keep_e keep;
    logic flip;
    logic orc;
    logic count;
    logic ones;
    logic low;
  } alu_finish_t;

  // ---- launch ----------------------------------------------------------------------------------------------------
  typedef struct packed {        // dispatcher -> launch
    dim3_t grp;                  // workgroup id
    dim3_t gbase;                // global id of its first thread
  } group_t;

  typedef struct packed {        // launch -> simt, regfile, lsu, barrier: a warp begins
    warp_t warp;
    slot_t slot;
    logic [WARP_W:0] group_warps;      // warps of the workgroup
    pc_t pc;
    thread_mask_t tmask;
    logic [SPAD_W:0] spad_base;        // the group's scratchpad: [spad_base, spad_base + spad_bytes)
    dim3_t grp;
    dim3_t gbase;
  } start_t;

  typedef struct packed {        // simt -> barrier: a warp has come to its barrier (all its live threads are active)
    warp_t warp;
    pc_t pc;                     // pc of the vl.barrier, for a fault report
    thread_mask_t tmask;
  } bar_arrive_t;

  typedef struct packed {        // launch -> regfile: local ids of one beat of a warp
    warp_t warp;
    beat_t beat;
    logic [LANES-1:0][2:0][LID_W-1:0] lid;
  } lids_t;

  // ---- compaction (docs/blocks/compactor.md) ------------------------------------------------------------------------
  // The home of the thread at each place of each warp. With compaction = none it is one word that is not used.
  localparam logic COMPACTS = COMPACTION == COMPACTION_BLOCK;
  localparam int unsigned HOME_WARPS = COMPACTS ? WARPS : 1;
  localparam int unsigned HOME_PLACES = COMPACTS ? THREADS : 1;
  localparam int unsigned HOME_LANES = COMPACTS ? LANES : 1;
  typedef warp_t [HOME_WARPS-1:0][HOME_PLACES-1:0] homes_t;

  // common_page -> compactor (docs/blocks/common_page.md): bit b of word a: home a touches the pages that home b has touched.
  typedef warp_mask_t [HOME_WARPS-1:0] common_t;

  // Home of the thread in a lane of a warp's beat.
  // verilator lint_off UNUSEDSIGNAL
  function automatic warp_t home_of(input homes_t homes, input warp_t w, input beat_t b, input int unsigned l);
    if (!COMPACTS) return w;
    return homes[$clog2(HOME_WARPS + 1)'(w)][((BEATS > 1) ? 32'(b) * LANES : 0) + l];
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  typedef struct packed {        // simt -> compactor: an event of a warp of a compacted group
    warp_t warp;
    logic branch;                // tmask stand at the branch pc: taken of them go to target; they meet at `meeting`
    logic barrier;               // all of the warp has arrived at `barrier`, at pc
    logic ended;                 // tmask have ended, at pc
    logic waits;                 // tmask wait at the vl.barrier at pc, and have left the warp
    logic done;                  // the warp has nothing left to run
    pc_t pc;
    pc_t target;
    pc_t meeting;
    thread_mask_t tmask;
    thread_mask_t taken;
  } meet_t;

  typedef enum logic [1:0] {GO_FORM = 0, GO_ALONE = 1, GO_DONE = 2, GO_FAULT = 3} go_e;

  typedef struct packed {        // compactor -> simt: the next step of such a warp; fields that a kind does not use are 0
    go_e kind;
    warp_t warp;
    pc_t pc;                     // FORM: runs tmask from here. ALONE: of the branch
    logic rpc_valid;             // FORM
    pc_t rpc;
    pc_t target;                 // ALONE
    thread_mask_t tmask;
    thread_mask_t taken;         // ALONE
    logic value;                 // FAULT
  } go_t;

  typedef struct packed {        // compactor -> trace: a warp has been formed
    warp_t warp;
    thread_mask_t mask;
    logic nested;                // nested: the warp does not arrive at a barrier; its threads wait there with the group
    warp_t [THREADS-1:0] homes;
  } formed_t;

  // ---- memory ----------------------------------------------------------------------------------------------------
  typedef struct packed {        // names the threads of one LSU entry that a request serves
    entry_t entry;
    thread_mask_t tmask;
  } l1d_tag_t;

  typedef enum logic [1:0] {L1D_LOAD = 0, L1D_STORE = 1, L1D_AMO = 2, L1D_INVAL = 3} l1d_op_e;

  typedef struct packed {        // lsu -> l1d, in program order of the core
    l1d_op_e op;
    logic early;                 // LOAD: of `line` only the bits within a page; the frame comes a cycle later from the TLB
    logic walked;                // LOAD: its page had not been found in the TLB (locality_entries above 0, else 0)
    l1d_tag_t tag;               // LOAD, AMO
    warp_t warp;                 // the warp of the request, to which a STORE is acknowledged; 0 in a shootdown's INVAL
    line_addr_t line;
    sector_t sector;             // LOAD, STORE: which part of the line
    sector_be_t be;              // STORE: bytes of the sector
    sector_data_t data;          // STORE: bytes at their place in the sector, 0 elsewhere. AMO: [63:0] operand, [127:64] compare value
    amo_e amo;
    logic amo_dword;
    line_off_t amo_off;
    hart_t hart;
  } l1d_req_t;

  typedef struct packed {        // l1d -> warp_locality: a load that did not find its line, a line that had to go, or both
    logic miss;
    logic walked;                // miss: l1d_req_t.walked of the load
    logic evicted;
    warp_t warp;                 // warp of the load, or of the load that a line is fetched ahead for
    line_key_t key;              // key of the line that missed
    warp_t of;                   // evicted: the warp that had brought it in; else 0
    line_key_t old;              // evicted: its key; else 0
  } line_event_t;

  typedef struct packed {        // l1d -> lsu
    l1d_tag_t tag;
    sector_data_t data;          // LOAD: the sector. AMO: the doubleword image in [63:0], rest 0
  } l1d_rsp_t;

  typedef struct packed {        // lsu -> spad, one beat
    entry_t entry;
    beat_t beat;
    op_e op;                     // load, store, AMO, LR, SC, AMOCAS
    lane_mask_t mask;
    logic [LANES-1:0][SPAD_W-1:0] addr;  // byte address in the core's scratchpad, naturally aligned
    lane_data_t data;            // store data / AMO operand (not shifted)
    lane_data_t cmp;             // AMOCAS compare value
    hart_t hart0;                // hart of lane 0 of this beat (lanes follow); with compaction = block of home 0
    warp_t [HOME_LANES-1:0] home;      // compaction = block: home of each lane's thread; else 0
  } spad_req_t;

  typedef struct packed {        // spad -> lsu: lanes served (several responses a request when banks conflict)
    entry_t entry;
    beat_t beat;
    lane_mask_t mask;
    logic [LANES-1:0][idx_w(LANES)-1:0] bank;  // which doubleword of `data` holds the lane's datum
    logic [LANES*64-1:0] data;   // a doubleword a bank: 0 where none was read. SC: 0/1 in both halves of each
  } spad_rsp_t;

  typedef struct packed {        // lsu -> trace: addresses of one beat of a memory instruction that does not fault, in LSU order
    warp_t warp;
    seq_t seq;
    beat_t beat;
    lane_mask_t mask;
    lane_data_t addr;            // effective addresses as the program sees them
    lane_data_t data;            // rs2
  } memtrace_t;

  typedef struct packed {        // lsu -> trace: threads of an instruction with an access that has gone to the L1D, and the address
    warp_t warp;
    seq_t seq;
    thread_mask_t threads;
    line_addr_t line;            // physical
    warp_t with_warp;            // and of a second one: a load that was sent together with its look-up
    seq_t with_seq;
    thread_mask_t with_threads;  // 0: no second one
    line_addr_t with_line;
  } sent_t;

  // ---- kinds of memory operations (lsu, spad) --------------------------------------------------------------------
  function automatic logic op_is_load(input op_e op);
    return op inside {OP_LB, OP_LH, OP_LW, OP_LD, OP_LBU, OP_LHU, OP_LWU};
  endfunction

  function automatic logic op_is_store(input op_e op);
    return op inside {OP_SB, OP_SH, OP_SW, OP_SD};
  endfunction

  function automatic logic op_is_amo_w(input op_e op);
    return op inside {OP_LR_W, OP_SC_W, OP_AMOSWAP_W, OP_AMOADD_W, OP_AMOXOR_W, OP_AMOAND_W, OP_AMOOR_W, OP_AMOMIN_W, OP_AMOMAX_W,
                      OP_AMOMINU_W, OP_AMOMAXU_W, OP_AMOCAS_W};
  endfunction

  function automatic logic op_is_amo_d(input op_e op);
    return op inside {OP_LR_D, OP_SC_D, OP_AMOSWAP_D, OP_AMOADD_D, OP_AMOXOR_D, OP_AMOAND_D, OP_AMOOR_D, OP_AMOMIN_D, OP_AMOMAX_D,
                      OP_AMOMINU_D, OP_AMOMAXU_D, OP_AMOCAS_D};
  endfunction

  // log2 of the bytes a thread accesses.
  function automatic logic [1:0] mem_size(input op_e op);
    if (op inside {OP_LB, OP_LBU, OP_SB}) return 2'd0;
    if (op inside {OP_LH, OP_LHU, OP_SH}) return 2'd1;
    if (op inside {OP_LD, OP_SD} || op_is_amo_d(op)) return 2'd3;
    return 2'd2;
  endfunction

  function automatic amo_e amo_of(input op_e op);
    unique case (op)
      OP_LR_W, OP_LR_D:           return AMO_LR;
      OP_SC_W, OP_SC_D:           return AMO_SC;
      OP_AMOADD_W, OP_AMOADD_D:   return AMO_ADD;
      OP_AMOXOR_W, OP_AMOXOR_D:   return AMO_XOR;
      OP_AMOAND_W, OP_AMOAND_D:   return AMO_AND;
      OP_AMOOR_W, OP_AMOOR_D:     return AMO_OR;
      OP_AMOMIN_W, OP_AMOMIN_D:   return AMO_MIN;
      OP_AMOMAX_W, OP_AMOMAX_D:   return AMO_MAX;
      OP_AMOMINU_W, OP_AMOMINU_D: return AMO_MINU;
      OP_AMOMAXU_W, OP_AMOMAXU_D: return AMO_MAXU;
      OP_AMOCAS_W, OP_AMOCAS_D:   return AMO_CAS;
      default:                    return AMO_SWAP;
    endcase
  endfunction
endpackage
