// Payloads at the top of the device (docs/blocks/vellum.md).
package top_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;

  typedef struct packed {        // host -> ctrl: one register access
    logic write;
    logic [15:0] addr;           // byte address of a 64-bit register (docs/blocks/ctrl.md)
    xlen_t data;
  } ctl_req_t;

  typedef struct packed {        // ctrl -> host: answers reads
    xlen_t data;
  } ctl_rsp_t;
endpackage
