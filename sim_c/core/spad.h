/* Twin of rtl/core/spad.sv: the scratchpad (docs/blocks/spad.md). */
#ifndef SIM_C_CORE_SPAD_H
#define SIM_C_CORE_SPAD_H
#include "spad_ports.h"
#endif
