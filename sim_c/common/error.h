/* Errors of the machines and of their parts: functions that can fail return 0 or one of these, and give the reason in a sim_error_t where they take one. */
#ifndef SIM_C_COMMON_ERROR_H
#define SIM_C_COMMON_ERROR_H

enum {
    SIM_EINVAL = -1, /* an argument makes no sense */
    SIM_ENOMEM = -2, /* the host has no memory left */
    SIM_EIO = -3, /* a file could not be read or written */
    SIM_ECONFIG = -4, /* an impossible configuration or timing set */
    SIM_ENOTSUP = -5, /* this machine cannot do that */
    SIM_ESTATE = -6, /* the call is not possible in this state */
    SIM_EDIFF =
        -7, /* machines differ, the judge objects, or a rule of the memory chips was broken: the text is a report */
    /* How a kernel ended (job.h). */
    SIM_EFAULT = -8,
    SIM_ESTOPPED = -9,
};

/* Its text may be left empty. */
typedef struct sim_error {
    char text[8192];
} sim_error_t;
#endif
