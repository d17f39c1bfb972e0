/* The column of a request or a probe in docs/coherence.md, and the kind of a request. */
#ifndef VERIF_COHERENCE_L2C_PAGE_NEEDS_H
#define VERIF_COHERENCE_L2C_PAGE_NEEDS_H
#include "verif/coherence/l2c/page_state.h"
#include "verif/coherence/grains.h"

/* A READ is a load, a WRITE of whole grains an n-store, the rest are stores. */
static page_what_t page_what(const mem_req_t *r)
{
    return r->op == MEM_READ ? PG_LOAD : r->op == MEM_WRITE && !be_partial(&r->be) ? PG_N_STORE : PG_STORE;
}

static page_what_t page_asks(unsigned probe)
{
    return probe == PROBE_READ ? PG_READS : probe == PROBE_WRITE ? PG_WRITES : PG_CLEAN;
}

static page_kind_t page_kind(const mem_req_t *r)
{
    return r->op == MEM_READ ? PG_READ : r->op == MEM_AMO ? PG_AMO : PG_WRITE;
}
#endif
