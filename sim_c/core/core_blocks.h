/* The blocks of a core, as lists. */
#ifndef SIM_C_CORE_CORE_BLOCKS_H
#define SIM_C_CORE_CORE_BLOCKS_H
#include "alu_ports.h"
#include "barrier_ports.h"
#include "fdiv_ports.h"
#include "fetch_ports.h"
#include "fpu_ports.h"
#include "idiv_ports.h"
#include "issue_ports.h"
#include "l1d_ports.h"
#include "itlb_ports.h"
#include "l1i_ports.h"
#include "launch_ports.h"
#include "lsu_ports.h"
#include "mem_arb_ports.h"
#include "mul_ports.h"
#include "perf_ports.h"
#include "ptw_ports.h"
#include "regfile_ports.h"
#include "simt_ports.h"
#include "spad_ports.h"
#include "status_ports.h"
#include "tlb_mshr_ports.h"
#include "tlb_ports.h"

/* All that are clocked alike and have events (perf is not: it never rests). */
#define CORE_BLOCKS(X) \
    X(fetch) X(l1i) X(issue) X(simt) X(regfile) X(alu) X(mul) X(idiv) X(fpu) X(fdiv) X(launch) X(barrier) X(lsu) X(spad) X(l1d) \
    X(mem_arb) X(tlb) X(itlb) X(tlb_mshr) X(ptw) X(status)
#endif
