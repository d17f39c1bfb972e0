// N words of which at most one is not 0, joined: the answers of a bus on which all but the selected unit give 0.
module or_words #(
    parameter int unsigned N = 2,
    parameter int unsigned WIDTH = 1
) (
    input  logic [N-1:0][WIDTH-1:0] data_i,
    output logic [WIDTH-1:0]        data_o
);
  always_comb begin
    data_o = '0;
    for (int unsigned k = 0; k < N; k++) data_o |= data_i[k];
  end
endmodule
