#include <math.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

enum { ROUNDS = 4 };

typedef struct {
    uint32_t points, features, centres;
    float *point, *centre;
    uint32_t *member;
} problem;

static problem random_problem(wl *w, uint32_t points, uint32_t features, uint32_t centres)
{
    problem k = {points,
                 features,
                 centres,
                 wl_floats(w, (size_t)points * features, 0.0f, 1.0f),
                 wl_floats(w, (size_t)centres * features, 0.0f, 1.0f),
                 wl_host(w, points, sizeof *k.member)};
    for (uint32_t p = 0; p < points; p++)
        k.member[p] = centres; /* none yet */
    return k;
}

/* kmeans_assign, in its order of operations, for the points `from` to `to` - 1; returns how many moved. */
static uint32_t assign_on_host(problem *k, uint32_t from, uint32_t to)
{
    uint32_t moved = 0;
    for (uint32_t p = from; p < to; p++) {
        uint32_t best = 0;
        float least = INFINITY;
        for (uint32_t c = 0; c < k->centres; c++) {
            float distance = 0.0f;
            for (uint32_t f = 0; f < k->features; f++) {
                float d = k->point[(size_t)f * k->points + p] - k->centre[c * k->features + f];
                distance = fmaf(d, d, distance);
            }
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        moved += k->member[p] != best;
        k->member[p] = best;
    }
    return moved;
}

/* kmeans_update. */
static void update_on_host(problem *k)
{
    for (uint32_t i = 0; i < k->centres * k->features; i++) {
        uint32_t count = 0;
        float sum = 0.0f;
        for (uint32_t p = 0; p < k->points; p++)
            if (k->member[p] == i / k->features) {
                sum += k->point[(size_t)(i % k->features) * k->points + p];
                count++;
            }
        if (count > 0)
            k->centre[i] = sum / (float)count;
    }
}

typedef struct {
    vl_ptr point, centre, member, moved;
} on_device;

static on_device upload(wl *w, const problem *k)
{
    return (on_device){wl_upload(w, k->point, (size_t)k->points * k->features * 4),
                       wl_upload(w, k->centre, k->centres * k->features * 4),
                       wl_upload(w, k->member, (size_t)k->points * 4), wl_buffer(w, 4)};
}

/* Assigns the points `from` to `to` - 1 on both sides; how many moved must agree. */
static uint32_t assign(wl *w, problem *k, const on_device *d, uint32_t from, uint32_t to)
{
    uint32_t moved = 0;
    wl_write(w, d->moved, &moved, sizeof moved);
    wl_launch(w, "kmeans_assign", wl_window(from, to - from, wl_local(w)), WL_BUF(d->point), WL_BUF(d->centre),
              WL_BUF(d->member), WL_BUF(d->moved), WL_U32(k->points), WL_U32(k->features), WL_U32(k->centres),
              WL_U32(to));
    wl_read(w, &moved, d->moved, sizeof moved);
    const uint32_t want = assign_on_host(k, from, to);
    wl_same_u32(w, "moved", &moved, &want, 1);
    return moved;
}

static void check_members(wl *w, const problem *k, const on_device *d)
{
    uint32_t *got = wl_host(w, k->points, sizeof *got);
    wl_read(w, got, d->member, (size_t)k->points * 4);
    wl_same_u32(w, "member", got, k->member, k->points);
}

static void rounds(wl *w, uint32_t points)
{
    problem k = random_problem(w, points, 5, 7);
    const on_device d = upload(w, &k);
    for (uint32_t r = 0, moved = 1; r < ROUNDS && moved && wl_ok(w); r++) {
        moved = assign(w, &k, &d, 0, points);
        wl_launch(w, "kmeans_update", wl_range1(k.centres * k.features, wl_local(w)), WL_BUF(d.point), WL_BUF(d.centre),
                  WL_BUF(d.member), WL_U32(points), WL_U32(k.features), WL_U32(k.centres));
        update_on_host(&k);
    }
    float *got = wl_host(w, k.centres * k.features, sizeof *got);
    check_members(w, &k, &d);
    wl_read(w, got, d.centre, k.centres * k.features * 4);
    wl_same_f32(w, "centre", got, k.centre, k.centres * k.features);
}

/* In much data: a late round, in which one point of fifty moves, for `size` of the points. 34 features as in kddcup. */
static void late_round(wl *w, uint32_t size)
{
    enum { FEATURES = 34, CENTRES = 5 };
    problem k = random_problem(w, (uint32_t)(wl_data(w) / (4 * (FEATURES + 1))), FEATURES, CENTRES);
    const uint32_t window = size < k.points ? size : k.points, from = (k.points - window) / 2;
    assign_on_host(&k, from, from + window);
    for (uint32_t p = from; p < from + window; p += 50)
        k.member[p] = (k.member[p] + 1) % CENTRES;
    const on_device d = upload(w, &k);
    assign(w, &k, &d, from, from + window);
    check_members(w, &k, &d);
}

static void run(wl *w, uint32_t size)
{
    wl_load(w, NULL);
    if (wl_data(w))
        late_round(w, size);
    else
        rounds(w, size);
}

const workload workload_kmeans = {"kmeans", "k-means, four rounds", run, {1, 301, 1501}, 37};
