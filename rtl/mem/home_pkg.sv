// The seam *home*: above it an L2 slice, below it the home of the slice's lines. Page: docs/home-seam.md.
package home_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import mem_pkg::*;
  import nmoesi_pkg::*;

  // Slice -> home.
  typedef enum logic [1:0] {
    HOME_READ = 0,             // the line, to read
    HOME_READ_OWN = 1,         // ... to store coherently
    HOME_N_READ = 2,           // ... to store non-coherently
    HOME_WRITE_BACK = 3        // bytes that the home does not have
  } home_op_e;
  localparam int unsigned HOME_ID_W = idx_w(L2_MSHRS) + 1;
  typedef logic [HOME_ID_W-1:0] home_id_t;
  typedef struct packed {
    home_op_e op;
    home_id_t id;              // reads: chosen by the slice, and free again after the response. Write-back: 0
    mem_class_t cls;
    asid_t asid;
    src_t src;                 // source of the request that it is for
    line_addr_t line;
    nmoesi_e state;            // in which the slice holds the line
    logic keep;                // write-back: the slice keeps the line, and the home then has its bytes as well
    line_be_t be;              // write-back: the bytes
    line_data_t data;
  } home_req_t;

  // Home -> slice: one for each read.
  typedef struct packed {
    home_id_t id;
    nmoesi_e state;            // that is granted
    line_data_t data;
  } home_rsp_t;

  // Home -> slice: what others request of a line that the slice may hold.
  typedef enum logic [1:0] {
    PROBE_READ = 0,            // another reads it
    PROBE_WRITE = 1,           // another stores into it, or the home evicts it: the slice holds it no longer
    PROBE_CLEAN = 2            // the home asks for the bytes that it does not have: the slice keeps the line to read
  } probe_e;
  typedef struct packed {
    probe_e kind;
    line_addr_t line;
  } home_probe_t;

  // Slice -> home: one for each probe.
  typedef struct packed {
    line_addr_t line;
    nmoesi_e state;            // in which the slice held the line
    line_be_t be;              // the bytes that the home does not have
    line_data_t data;
  } home_ack_t;
endpackage
