/* Names under which the judge knows what sim_c/common offers. */
#ifndef SIM_C_REF_VL_NAMES_H
#define SIM_C_REF_VL_NAMES_H
#include "sim_c/common/error.h"
#include "sim_c/common/job.h"

typedef sim_error_t vl_error;
typedef sim_launch_t vl_backend_launch;
typedef sim_job_t vl_backend_job;
typedef sim_fault_t vl_fault;
enum { VL_ENOMEM = SIM_ENOMEM, VL_EDIFF = SIM_EDIFF };
#define VL_FAULT_ILLEGAL FAULT_ILLEGAL
#define VL_FAULT_FETCH_ACCESS FAULT_FETCH_ACCESS
#define VL_FAULT_BARRIER FAULT_BARRIER
#define VL_FAULT_FETCH_PAGE FAULT_FETCH_PAGE
#endif
