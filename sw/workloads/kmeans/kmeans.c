#include <math.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

enum { FEATURES = 5, CENTRES = 7, ROUNDS = 4 };

/* One round as the kernels do it, in their order of operations; returns how many points moved. */
static uint32_t round_on_host(const float *point, float *centre, uint32_t *member, uint32_t points)
{
  uint32_t moved = 0;
  for (uint32_t p = 0; p < points; p++) {
    uint32_t best = 0;
    float least = INFINITY;
    for (uint32_t c = 0; c < CENTRES; c++) {
      float distance = 0.0f;
      for (uint32_t f = 0; f < FEATURES; f++) {
        float d = point[f * points + p] - centre[c * FEATURES + f];
        distance = fmaf(d, d, distance);
      }
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    moved += member[p] != best;
    member[p] = best;
  }
  for (uint32_t i = 0; i < CENTRES * FEATURES; i++) {
    uint32_t count = 0;
    float sum = 0.0f;
    for (uint32_t p = 0; p < points; p++)
      if (member[p] == i / FEATURES) {
        sum += point[i % FEATURES * points + p];
        count++;
      }
    if (count > 0)
      centre[i] = sum / (float)count;
  }
  return moved;
}

static void run(wl *w, uint32_t points)
{
  float *point = wl_floats(w, (size_t)points * FEATURES, 0.0f, 1.0f), *centre = wl_floats(w, CENTRES * FEATURES, 0.0f, 1.0f);
  float *got = wl_host(w, CENTRES * FEATURES, sizeof *got);
  uint32_t *member = wl_host(w, points, sizeof *member), *got_member = wl_host(w, points, sizeof *got_member);
  const uint32_t local = wl_local(w);
  for (uint32_t p = 0; p < points; p++)
    member[p] = CENTRES; /* none yet */

  wl_load(w, NULL);
  vl_ptr dpoint = wl_upload(w, point, (size_t)points * FEATURES * 4), dcentre = wl_upload(w, centre, CENTRES * FEATURES * 4);
  vl_ptr dmember = wl_upload(w, member, points * 4), dmoved = wl_buffer(w, 4);
  uint32_t moved = 1, want;
  for (int r = 0; r < ROUNDS && moved && wl_ok(w); r++) {
    moved = 0;
    wl_write(w, dmoved, &moved, sizeof moved);
    wl_launch(w, "kmeans_assign", wl_range1(points, local), WL_BUF(dpoint), WL_BUF(dcentre), WL_BUF(dmember), WL_BUF(dmoved),
              WL_U32(points), WL_U32(FEATURES), WL_U32(CENTRES));
    wl_launch(w, "kmeans_update", wl_range1(CENTRES * FEATURES, local), WL_BUF(dpoint), WL_BUF(dcentre), WL_BUF(dmember),
              WL_U32(points), WL_U32(FEATURES), WL_U32(CENTRES));
    wl_read(w, &moved, dmoved, sizeof moved);
    want = round_on_host(point, centre, member, points);
    wl_same_u32(w, "moved", &moved, &want, 1);
  }
  wl_read(w, got_member, dmember, points * 4);
  wl_read(w, got, dcentre, CENTRES * FEATURES * 4);
  wl_same_u32(w, "member", got_member, member, points);
  wl_same_f32(w, "centre", got, centre, CENTRES * FEATURES);
}

const workload workload_kmeans = {"kmeans", "k-means, four rounds", run, {1, 301, 1501}, 37};
