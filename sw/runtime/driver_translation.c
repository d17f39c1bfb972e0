/* The driver: the address spaces of cores, and shootdowns. */
#include <stdio.h>

#include "sw/runtime/driver.h"

int driver_set_root(void *self, uint32_t core, const vl_root *root, vl_error *err) {
  driver *d = self;
  char what[64];
  snprintf(what, sizeof what, "core %u has not come to rest", core);
  int e = driver_put(d, R_ROOT + 8 * core, root->ppn | (uint64_t)root->asid << 36 | (uint64_t)root->sv48 << 63, err);
  return e ? e : driver_await(d, R_ROOT + 8 * core, 1ull << 62, 0, what, err);
}

int driver_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t address, vl_error *err) {
  static const uint8_t scopes[] = {[VL_INV_ALL] = 0, [VL_INV_ASID] = 1, [VL_INV_PAGE] = 2};
  driver *d = self;
  int e = driver_put(d, R_INV_PAGE, address & 0xfffffffff000, err);
  if (!e) e = driver_put(d, R_INV, scopes[scope] | (uint64_t)asid << 16, err);
  return e ? e : driver_await(d, R_INV, 1, 0, "a shootdown has not ended", err);
}
