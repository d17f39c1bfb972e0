/* The driver: memory, through the host memory port or by the back door; the caches in between. */
#include "sw/runtime/driver.h"

static int maintain(driver *d, unsigned op, uint64_t line, vl_error *err) {
  int e = driver_put(d, R_MAINT, op | line << 7, err);
  return e ? e : driver_await(d, R_STATUS, STATUS_MAINT, 0, "maintenance of the L2 has not ended", err);
}

int driver_empty_caches(driver *d, vl_error *err) {
  if (!d->cached) return 0;
  int e = maintain(d, MAINT_INVAL_ALL, 0, err);
  if (!e) e = driver_await(d, R_STATUS, STATUS_REST, STATUS_REST, "the write-back to the chips has not ended", err);
  if (!e) e = d->host.ops->pass(d->host.self, 64, err); /* the last beats of write data */
  d->cached = e != 0;
  return e;
}

/* Only while no kernel runs. */
static bool by_back_door(const driver *d) { return d->back_door && !d->clocked && d->host.ops->load; }

int driver_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err) {
  driver *d = self;
  if (by_back_door(d)) {
    int e = driver_empty_caches(d, err);
    return e ? e : d->host.ops->load(d->host.self, addr, data, bytes, err);
  }
  d->cached = true;
  return d->host.ops->write(d->host.self, addr, data, bytes, err);
}

int driver_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err) {
  driver *d = self;
  if (by_back_door(d)) {
    int e = driver_empty_caches(d, err);
    return e ? e : d->host.ops->dump(d->host.self, addr, data, bytes, err);
  }
  d->cached = true;
  return d->host.ops->read(d->host.self, addr, data, bytes, err);
}

int driver_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err) {
  driver *d = self;
  if (by_back_door(d)) {
    int e = driver_empty_caches(d, err);
    return e ? e : d->host.ops->clear(d->host.self, addr, byte, bytes, err);
  }
  d->cached = true;
  return d->host.ops->fill(d->host.self, addr, byte, bytes, err);
}
