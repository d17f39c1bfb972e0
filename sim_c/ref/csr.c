/* Control and status registers: three of floating-point state, the rest says who the thread is. */
#include "sim_c/ref/internal.h"

uint64_t csr_read(ref_thread *t, unsigned csr)
{
    const ref_ident *id = &t->id;
    switch (csr) {
    case CSR_FFLAGS: return t->fflags;
    case CSR_FRM: return t->frm;
    case CSR_FCSR: return t->frm << 5 | t->fflags;
    case CSR_VL_LID_X:
    case CSR_VL_LID_Y:
    case CSR_VL_LID_Z: return id->lid[csr - CSR_VL_LID_X];
    case CSR_VL_GBASE_X:
    case CSR_VL_GBASE_Y:
    case CSR_VL_GBASE_Z: return id->gbase[csr - CSR_VL_GBASE_X];
    case CSR_VL_GRP_X:
    case CSR_VL_GRP_Y:
    case CSR_VL_GRP_Z: return id->grp[csr - CSR_VL_GRP_X];
    case CSR_VL_ARG: return id->arg;
    case CSR_VL_SP: return id->sp;
    case CSR_VL_LANE: return id->lane;
    case CSR_VL_THREAD: return id->thread;
    case CSR_VL_WARP: return id->warp;
    case CSR_VL_CORE: return id->core;
    case CSR_MHARTID: return id->hartid;
    default: return 0; /* decoding refuses all other numbers */
    }
}

void csr_write(ref_thread *t, unsigned csr, uint64_t value)
{
    if (csr != CSR_FRM)
        t->fflags = value & 31;
    if (csr == CSR_FRM)
        t->frm = value & 7;
    if (csr == CSR_FCSR)
        t->frm = value >> 5 & 7;
}
