// The devices' end of the wires: from and to the directories of their stacks. Page: docs/blocks/smd_net.md. Latency: two cycles.
module smd_net
  import vl_cfg_pkg::*, vellum_pkg::*, map_pkg::*, nmoesi_pkg::*, coherence_pkg::*;
(
    input  logic clk_i,
    input  logic rst_i,
    // the directories of the stacks
    input  logic       [SMDS-1:0] smd_req_valid_i,
    input  smd_req_t   [SMDS-1:0] smd_req_i,
    output logic       [SMDS-1:0] smd_req_ready_o,
    input  logic       [SMDS-1:0] smd_ack_valid_i,
    input  smd_ack_t   [SMDS-1:0] smd_ack_i,
    output logic       [SMDS-1:0] smd_ack_ready_o,
    input  logic       [SMDS-1:0] smd_peer_valid_i,
    input  smd_peer_t  [SMDS-1:0] smd_peer_i,
    output logic       [SMDS-1:0] smd_peer_ready_o,
    output logic       [SMDS-1:0] smd_probe_valid_o,
    output smd_probe_t [SMDS-1:0] smd_probe_o,
    input  logic       [SMDS-1:0] smd_probe_ready_i,
    output logic       [SMDS-1:0] smd_data_valid_o,
    output smd_data_t  [SMDS-1:0] smd_data_o,
    input  logic       [SMDS-1:0] smd_data_ready_i,
    // wires
    output logic       [WIRES-1:0] up_req_valid_o,
    output hmd_req_t   [WIRES-1:0] up_req_o,
    input  logic       [WIRES-1:0] up_req_ready_i,
    output logic       [WIRES-1:0] up_ack_valid_o,
    output hmd_ack_t   [WIRES-1:0] up_ack_o,
    input  logic       [WIRES-1:0] up_ack_ready_i,
    output logic       [WIRES-1:0] up_data_valid_o,
    output hmd_data_t  [WIRES-1:0] up_data_o,
    input  logic       [WIRES-1:0] up_data_ready_i,
    input  logic       [WIRES-1:0] down_probe_valid_i,
    input  hmd_probe_t [WIRES-1:0] down_probe_i,
    output logic       [WIRES-1:0] down_probe_ready_o,
    input  logic       [WIRES-1:0] down_data_valid_i,
    input  hmd_data_t  [WIRES-1:0] down_data_i,
    output logic       [WIRES-1:0] down_data_ready_o
);
  assign smd_req_ready_o = '0;
  assign smd_ack_ready_o = '0;
  assign smd_peer_ready_o = '0;
  assign smd_probe_valid_o = '0;
  assign smd_probe_o = '0;
  assign smd_data_valid_o = '0;
  assign smd_data_o = '0;
  assign up_req_valid_o = '0;
  assign up_req_o = '0;
  assign up_ack_valid_o = '0;
  assign up_ack_o = '0;
  assign up_data_valid_o = '0;
  assign up_data_o = '0;
  assign down_probe_ready_o = '0;
  assign down_data_ready_o = '0;
endmodule
