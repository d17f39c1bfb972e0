// The host's end of the wires: to and from the directories of its channels, and from device to device. Page: docs/blocks/hmd_net.md. Latency: two cycles.
module hmd_net
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, coherence_pkg::*;
(
    input  logic clk_i,
    input  logic rst_i,
    // wires
    input  logic       [WIRES-1:0] up_req_valid_i,
    input  hmd_req_t   [WIRES-1:0] up_req_i,
    output logic       [WIRES-1:0] up_req_ready_o,
    input  logic       [WIRES-1:0] up_ack_valid_i,
    input  hmd_ack_t   [WIRES-1:0] up_ack_i,
    output logic       [WIRES-1:0] up_ack_ready_o,
    input  logic       [WIRES-1:0] up_data_valid_i,
    input  hmd_data_t  [WIRES-1:0] up_data_i,
    output logic       [WIRES-1:0] up_data_ready_o,
    output logic       [WIRES-1:0] down_probe_valid_o,
    output hmd_probe_t [WIRES-1:0] down_probe_o,
    input  logic       [WIRES-1:0] down_probe_ready_i,
    output logic       [WIRES-1:0] down_data_valid_o,
    output hmd_data_t  [WIRES-1:0] down_data_o,
    input  logic       [WIRES-1:0] down_data_ready_i,
    // the directories of the host's channels
    output logic       [HMDS-1:0] hmd_req_valid_o,
    output hmd_req_t   [HMDS-1:0] hmd_req_o,
    input  logic       [HMDS-1:0] hmd_req_ready_i,
    output logic       [HMDS-1:0] hmd_ack_valid_o,
    output hmd_ack_t   [HMDS-1:0] hmd_ack_o,
    input  logic       [HMDS-1:0] hmd_ack_ready_i,
    input  logic       [HMDS-1:0] hmd_probe_valid_i,
    input  hmd_probe_t [HMDS-1:0] hmd_probe_i,
    output logic       [HMDS-1:0] hmd_probe_ready_o,
    input  logic       [HMDS-1:0] hmd_data_valid_i,
    input  hmd_data_t  [HMDS-1:0] hmd_data_i,
    output logic       [HMDS-1:0] hmd_data_ready_o
);
  assign up_req_ready_o = '0;
  assign up_ack_ready_o = '0;
  assign up_data_ready_o = '0;
  assign down_probe_valid_o = '0;
  assign down_probe_o = '0;
  assign down_data_valid_o = '0;
  assign down_data_o = '0;
  assign hmd_req_valid_o = '0;
  assign hmd_req_o = '0;
  assign hmd_ack_valid_o = '0;
  assign hmd_ack_o = '0;
  assign hmd_probe_ready_o = '0;
  assign hmd_data_ready_o = '0;
endmodule
