/* Twin of rtl/core/lsu.sv: the load/store unit (docs/blocks/lsu.md). */
#ifndef SIM_C_CORE_LSU_H
#define SIM_C_CORE_LSU_H
#include "lsu_ports.h"
#endif
