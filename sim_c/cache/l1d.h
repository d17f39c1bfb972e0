/* Twin of rtl/cache/l1d.sv: the data cache (docs/blocks/l1d.md). */
#ifndef SIM_C_CACHE_L1D_H
#define SIM_C_CACHE_L1D_H
#include "l1d_ports.h"
#endif
