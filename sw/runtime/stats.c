#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"

/* Figures that follow from counters: the same formula for every machine. Shown where both counters exist. */
static const struct {
  const char *name, *section, *unit, *help;
  const char *over, *under;
  double scale;
  bool per_thread; /* divided by the threads of a warp */
} derived[] = {
    {"ipc", "run", "", "warp instructions a cycle, all cores", "warp_instructions", "cycles", 1, false},
    {"simd_utilisation", "run", "%", "active threads of an issued warp instruction", "thread_instructions", "warp_instructions", 100, true},
    {"page_divergence", "memory", "pages", "unique pages a memory instruction touches", "coalesced_pages", "coalesced_instructions", 1, false},
    {"line_divergence", "memory", "lines", "unique lines a memory instruction touches", "coalesced_lines", "coalesced_instructions", 1, false},
    {"l1d_hit_rate", "memory", "%", "L1D loads that hit", "l1d_hits", "l1d_loads", 100, false},
    {"l1i_hit_rate", "memory", "%", "L1I fetches that hit", "l1i_hits", "l1i_requests", 100, false},
};

static const vl_counter *find(const vl_counter *c, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(c[i].name, name)) return &c[i];
  return NULL;
}

int vl_stats_collect(vl_device *d) {
  size_t n = 0, n_derived = sizeof derived / sizeof *derived, k = 0;
  const vl_counter *c = d->ops->counters(d->self, &n);
  vl_stat *s = realloc(d->stats, (n + n_derived + 2) * sizeof *s);
  if (!s) return vl_fail(&d->error, VL_ENOMEM, "out of memory");
  d->stats = s;
  for (size_t i = 0; i < n; i++) s[k++] = (vl_stat){c[i].name, c[i].section, c[i].unit, c[i].help, false, c[i].value, 0};
  for (size_t i = 0; i < n_derived; i++) {
    const vl_counter *over = find(c, n, derived[i].over), *under = find(c, n, derived[i].under);
    if (!over || !under || !under->value) continue;
    double x = derived[i].scale * (double)over->value / (double)under->value;
    s[k++] = (vl_stat){derived[i].name, derived[i].section, derived[i].unit, derived[i].help, true, 0,
                       derived[i].per_thread ? x / d->env.threads : x};
  }
  s[k++] = (vl_stat){"reconv_used", "run", "branches", "branches in the reconvergence table", false, d->reconv_used, 0};
  s[k++] = (vl_stat){"reconv_left_out", "run", "branches", "branches that found no place in the reconvergence table", false, d->reconv_left_out, 0};
  d->n_stats = k;
  return 0;
}

uint64_t vl_result_value(const vl_result *r, const char *name, uint64_t missing) {
  for (size_t i = 0; r && name && i < r->n_stats; i++)
    if (!r->stats[i].is_ratio && !strcmp(r->stats[i].name, name)) return r->stats[i].value;
  return missing;
}
