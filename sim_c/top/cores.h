/* Sets of cores: a bit a core. */
#ifndef SIM_C_TOP_CORES_H
#define SIM_C_TOP_CORES_H
#include "vl_cfg.h"

#define ALL_CORES (~0ull >> (64 - CORES))
#endif
