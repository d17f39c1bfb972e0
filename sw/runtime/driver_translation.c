/* The driver: the address spaces of cores, and shootdowns. */
#include <stdio.h>

#include "sw/runtime/driver.h"

int driver_set_root(void *self, uint32_t core, const vl_root *root, vl_error *err)
{
    driver *d = self;
    char what[64];
    snprintf(what, sizeof what, "core %u has not come to rest", core);
    const uint32_t reg = REG_ROOT + REG_CORE_STRIDE * core;
    int e =
        driver_put(d, reg, reg_root_put((reg_root_t){.ppn = root->ppn, .asid = root->asid, .sv48 = root->sv48}), err);
    return e ? e : driver_await(d, reg, reg_root_put((reg_root_t){.pending = true}), 0, what, err);
}

/* The shootdown that has been asked for is over. */
static int shot(driver *d, vl_error *err)
{
    return driver_await(d, REG_INV, reg_inv_read_put((reg_inv_read_t){.busy = true}), 0, "a shootdown has not ended",
                        err);
}

int driver_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err)
{
    static const uint8_t scopes[] = {
        [VL_INV_ALL] = INV_SCOPE_ALL, [VL_INV_ASID] = INV_SCOPE_ASID, [VL_INV_PAGE] = INV_SCOPE_PAGE};
    driver *d = self;
    int e = driver_put(d, REG_INV_PAGE, reg_inv_page_put((reg_inv_page_t){.vpn = address / VL_PAGE}), err);
    if (!e)
        e = driver_put(d, REG_INV, reg_inv_put((reg_inv_t){.scope = scopes[scope], .asid = asid}), err);
    return e ? e : shot(d, err);
}

int driver_flush_cores(void *self, uint64_t cores, uint16_t asid, vl_error *err)
{
    driver *d = self;
    int e = driver_put(d, REG_INV_CORES, cores, err);
    if (!e)
        e = driver_put(d, REG_INV, reg_inv_put((reg_inv_t){.scope = INV_SCOPE_ASID, .asid = asid, .some = true}), err);
    return e ? e : shot(d, err);
}
