// Coherent memory: what its blocks say of themselves. Pages: docs/coherence.md, docs/blocks/l2c.md.
package coherence_pkg;
  import vellum_pkg::*;
  import mem_pkg::*;
  import nmoesi_pkg::*;

  // What a coherent L2 slice did at the last edge (docs/blocks/l2c.md).
  typedef struct packed {
    logic l2_access;           // a request was looked up; of it:
    logic l2_hit;
    logic l2_merge;            // waits for a line that is awaited already
    logic l2_atomic;
    logic l2_sc_lost;          // an SC whose line is not owned: it fails
    logic l2_upgrade;          // a line held to be read is given back, to be owned
    logic l2_evict;            // its place costs a write-back
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
    logic l2_stall_probe;      // a request waits: for a probe,
    logic l2_stall_pipe;       // for the pipeline,
    logic l2_stall_own;        // for a line that is asked for to be read only,
    logic l2_stall_mshr;       // for an MSHR or a target entry,
    logic l2_stall_way;        // for a way
  } ev_l2c_t;
endpackage
