/* Twin of rtl/core/compactor.sv (docs/blocks/compactor.md): ports alone so far. */
#include "compactor_ports.h"
#include "sim_c/common/twin.h"

struct compactor {
    bool none;
};

TWIN_STATE(compactor)

void compactor_out(const compactor_t *s, compactor_out_t *o)
{
    (void)s, (void)o;
}

void compactor_tick(compactor_t *s, const compactor_in_t *in)
{
    (void)s, (void)in;
}

bool compactor_idle(const compactor_t *s)
{
    (void)s;
    return true;
}
