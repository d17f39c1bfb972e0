/* Reservations of an L2 slice, one a source (sim_c/cache/l2_resv.c). */
#ifndef VL_L2_RESV_H
#define VL_L2_RESV_H
#include "sim_c/cache/l2_slice.h"

#if SOURCES > 64
typedef vl_set_t source_set_t;
#else
typedef uint64_t source_set_t;
#endif

typedef struct {
    source_set_t valid; /* a bit a source */
    struct {
        line_key_t key;
        uint64_t hart;
    } of[SOURCES];
} l2_resv_t;

/* An SC would find the reservation of its source. */
static inline bool l2_resv_held(const l2_resv_t *v, const net_req_t *n)
{
    return v->valid >> n->src & 1 && v->of[n->src].hart == n->req.hart && v->of[n->src].key == l2_key_at(n->req.line);
}

/* The effect of a WRITE or an atomic that leaves s3. */
void l2_reserve(l2_resv_t *v, const net_req_t *n, bool stores);
/* Those of a line end. */
void l2_resv_end(l2_resv_t *v, line_key_t key);
#endif
