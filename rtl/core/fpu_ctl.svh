// An FPU operation, decoded once for all lanes. Included inside fpu and fpu_lane.

typedef enum logic [2:0] {
  FPU_FMA,      // everything that adds or multiplies
  FPU_I2F,
  FPU_F2I,
  FPU_SGNJ,     // sel 0 copy, 1 negate, 2 exclusive or
  FPU_MINMAX,   // sel 0 min, 1 max
  FPU_CMP,      // sel 0 le, 1 lt, 2 eq
  FPU_CLASS,
  FPU_CSR       // sel 1 write, 2 set, 3 clear (as funct3)
} fpu_kind_e;

typedef struct packed {
  fpu_kind_e  kind;
  logic [1:0] sel;
  logic       one;       // FMA: a * 1 + rs2
  logic       product;   // FMA: a * b, nothing added
  logic       neg_p;     // FMA: product negated
  logic       neg_c;     // FMA: addend negated
  logic       uns;       // conversions: the integer is unsigned
  logic       dword;     // conversions: the integer has 64 bits
  logic       flags_csr; // CSR: fflags
  logic       frm_csr;   // CSR: frm (both: fcsr)
} fpu_ctl_t;
