// A LUT RAM of fewer words than a block has: the spare bits of both addresses take bit 0 again instead of a constant. Words lie elsewhere in
// the block, the memory is the same; the constant would be a net of thousands of ends, since these pins have none of their own.
(* techmap_celltype = "TRELLIS_DPR16X4" *)
module spare_address(input [3:0] DI, input [3:0] WAD, input WRE, input WCK, input [3:0] RAD, output [3:0] DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 64'h0000000000000000;
  parameter _TECHMAP_CONSTMSK_RAD_ = 4'b0;
  parameter _TECHMAP_CONSTVAL_RAD_ = 4'b0;
  parameter _TECHMAP_CONSTMSK_WAD_ = 4'b0;
  parameter _TECHMAP_CONSTVAL_WAD_ = 4'b0;
  localparam [3:0] SPARE = _TECHMAP_CONSTMSK_RAD_ & _TECHMAP_CONSTMSK_WAD_ & ~(_TECHMAP_CONSTVAL_RAD_ ^ _TECHMAP_CONSTVAL_WAD_);
  localparam LIVE = !_TECHMAP_CONSTMSK_RAD_[0] && !_TECHMAP_CONSTMSK_WAD_[0];
  wire _TECHMAP_FAIL_ = SPARE == 4'b0 || !LIVE;
  TRELLIS_DPR16X4 #(.WCKMUX(WCKMUX), .WREMUX(WREMUX), .INITVAL(INITVAL)) _TECHMAP_REPLACE_ (
    .DI(DI), .DO(DO), .WRE(WRE), .WCK(WCK),
    .WAD({SPARE[3] ? WAD[0] : WAD[3], SPARE[2] ? WAD[0] : WAD[2], SPARE[1] ? WAD[0] : WAD[1], WAD[0]}),
    .RAD({SPARE[3] ? RAD[0] : RAD[3], SPARE[2] ? RAD[0] : RAD[2], SPARE[1] ? RAD[0] : RAD[1], RAD[0]}));
endmodule
