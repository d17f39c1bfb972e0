// Reconvergence table (inside simt): for a branch, the pc where its paths meet again. Two ways of synchronous RAM; the answer to a lookup
// is valid from the next cycle until the next lookup. Way 0 has precedence.
module reconv_table
  import vl_cfg_pkg::*, vellum_pkg::*, core_pkg::*;
(
    input  logic          clk_i,
    input  logic          write_i,
    input  reconv_write_t write_entry_i,
    input  logic          read_i,
    input  pc_t           read_pc_i,
    output logic          hit_o,
    output pc_t           target_o
);
  localparam int unsigned TAG_LO = 2 + RECONV_SET_W;
  localparam int unsigned TAG_W = PA_W - TAG_LO;
  typedef struct packed {
    logic valid;
    logic [TAG_W-1:0] tag;
    logic [PA_W-3:0] target;
  } way_t;

  logic [TAG_W-1:0] tag_q;
  way_t new_way;
  way_t [1:0] way;
  assign new_way.valid = write_entry_i.valid;
  assign new_way.tag = write_entry_i.pc[PA_W-1:TAG_LO];
  assign new_way.target = write_entry_i.target[PA_W-1:2];

  for (genvar w = 0; w < 2; w++) begin : gen_way
    ram_1r1w #(.DEPTH(RECONV_SETS), .WIDTH($bits(way_t))) u_ram (
        .clk_i,
        .we_i   (write_i && 32'(write_entry_i.way) == w),
        .waddr_i(write_entry_i.index),
        .wdata_i(new_way),
        .re_i   (read_i),
        .raddr_i(read_pc_i[TAG_LO-1:2]),
        .rdata_o(way[w])
    );
  end
  always_ff @(posedge clk_i) if (read_i) tag_q <= read_pc_i[PA_W-1:TAG_LO];

  logic [1:0] match;
  for (genvar w = 0; w < 2; w++) begin : gen_match
    assign match[w] = way[w].valid && way[w].tag == tag_q;
  end
  assign hit_o = match != '0;
  assign target_o = {match[0] ? way[0].target : way[1].target, 2'd0};
endmodule
