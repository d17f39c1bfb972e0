#include <math.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

typedef struct {
    float weight, cost;
    uint32_t median, reserved;
} point_t;

typedef struct {
    uint32_t total, dims, medians;
    point_t *point;
    float *coord;   /* [dims][total] */
    uint32_t *slot; /* for a point that is a median: its place in a row of gains */
    bool *open;     /* which points are medians */
    uint8_t *change;
    float *gain;
} cluster;

static float distance(const cluster *c, uint32_t a, uint32_t b)
{
    float sum = 0.0f;
    for (uint32_t d = 0; d < c->dims; d++) {
        const float apart = c->coord[(size_t)d * c->total + a] - c->coord[(size_t)d * c->total + b];
        sum = fmaf(apart, apart, sum);
    }
    return sum;
}

static void number_slots(cluster *c)
{
    c->medians = 0;
    for (uint32_t p = 0; p < c->total; p++)
        if (c->open[p])
            c->slot[p] = c->medians++;
}

/* Points with their nearest of `medians` medians, for the points `from` to `to` - 1; all others have the first. */
static cluster random_cluster(wl *w, uint32_t total, uint32_t dims, uint32_t medians, uint32_t from, uint32_t to)
{
    cluster c = {.total = total,
                 .dims = dims,
                 .point = wl_host(w, total, sizeof *c.point),
                 .coord = wl_floats(w, (size_t)total * dims, 0.0f, 1.0f),
                 .slot = wl_host(w, total, sizeof *c.slot),
                 .open = wl_host(w, total, sizeof *c.open),
                 .change = wl_host(w, total, 1)};
    uint32_t *list = wl_words(w, medians, total);
    for (uint32_t m = 0; m < medians; m++)
        c.open[list[m]] = true;
    number_slots(&c);
    for (uint32_t p = 0; p < total; p++)
        c.point[p] = (point_t){.weight = (float)(1 + wl_random(w) % 4), .cost = INFINITY, .median = list[0]};
    for (uint32_t p = from; p < to; p++)
        for (uint32_t m = 0; m < medians; m++) {
            const float d = distance(&c, p, list[m]);
            if (d < c.point[p].cost) {
                c.point[p].cost = d;
                c.point[p].median = list[m];
            }
        }
    return c;
}

/* streamcluster_gain, in its order of operations, for the points `from` to `to` - 1. */
static void gain_on_host(cluster *c, uint32_t candidate, uint32_t from, uint32_t to)
{
    for (uint32_t p = from; p < to; p++) {
        const point_t *mine = &c->point[p];
        float *row = c->gain + (size_t)p * (c->medians + 1);
        const float there = distance(c, p, candidate) * mine->weight, here = mine->cost * mine->weight;
        if (there < here) {
            c->change[p] = 1;
            row[c->medians] = there - here;
        } else {
            row[c->slot[mine->median]] = here - there;
        }
    }
}

/* The result of the gains of all points: the candidate is opened if that is worth `price`, and medians that are worth less without
 * their points are closed. */
static void decide(wl *w, cluster *c, uint32_t candidate, double price)
{
    double *lost = wl_host(w, c->medians + 1, sizeof *lost), change = price;
    for (uint32_t p = 0; p < c->total; p++)
        for (uint32_t m = 0; m <= c->medians; m++)
            lost[m] += c->gain[(size_t)p * (c->medians + 1) + m];
    change += lost[c->medians];
    bool *closes = wl_host(w, c->total, sizeof *closes);
    for (uint32_t p = 0; p < c->total; p++)
        if (c->open[p] && price + lost[c->slot[p]] > 0.0) {
            closes[p] = true;
            change -= price + lost[c->slot[p]];
        }
    if (change >= 0.0)
        return;
    for (uint32_t p = 0; p < c->total; p++)
        if (c->change[p] || closes[c->point[p].median]) {
            c->point[p].median = candidate;
            c->point[p].cost = distance(c, p, candidate);
        }
    for (uint32_t p = 0; p < c->total; p++)
        c->open[p] = (c->open[p] && !closes[p]) || p == candidate;
    number_slots(c);
}

/* One candidate on both sides, for the points `from` to `to` - 1. */
static void try_candidate(wl *w, cluster *c, vl_ptr coord, uint32_t candidate, uint32_t from, uint32_t to)
{
    const size_t slots = (size_t)c->total * (c->medians + 1);
    c->gain = wl_host(w, slots, sizeof *c->gain);
    vl_ptr points = wl_upload(w, c->point, c->total * sizeof *c->point),
           slot = wl_upload(w, c->slot, c->total * sizeof *c->slot);
    vl_ptr change = wl_buffer(w, c->total), gain = wl_buffer(w, slots * sizeof *c->gain);
    wl_launch(w, "streamcluster_gain", wl_window(from, to - from, wl_local(w)), WL_BUF(points), WL_BUF(coord),
              WL_BUF(slot), WL_BUF(change), WL_BUF(gain), WL_U32(c->total), WL_U32(c->dims), WL_U32(candidate),
              WL_U32(c->medians), WL_U32(to), WL_LOC(c->dims * sizeof(float)));
    for (uint32_t p = 0; p < c->total; p++)
        c->change[p] = 0;
    gain_on_host(c, candidate, from, to);

    uint8_t *got_change = wl_host(w, c->total, 1);
    float *got = wl_host(w, slots, sizeof *got);
    wl_read(w, got_change, change, c->total);
    wl_read(w, got, gain, slots * sizeof *got);
    wl_same_u8(w, "change", got_change, c->change, c->total);
    wl_same_f32(w, "gain", got, c->gain, slots);
}

/* Some candidates one after the other, each decided upon; or, in much data, one candidate for `size` of the points. */
static void run(wl *w, uint32_t size)
{
    enum { ROUNDS = 4, DIMS = 64, MEDIANS = 15 };
    const bool much = wl_data(w) != 0;
    const uint32_t total = much ? (uint32_t)(wl_data(w) / (4 * (DIMS + MEDIANS + 1) + 16 + 4 + 1)) : size;
    const uint32_t window = size < total ? size : total, from = (total - window) / 2, to = from + window;
    cluster c = random_cluster(w, total, much ? DIMS : 7, much ? MEDIANS : 1, from, to);

    wl_load(w, NULL);
    vl_ptr coord = wl_upload(w, c.coord, (size_t)total * c.dims * sizeof *c.coord);
    for (uint32_t r = 0; r < (much ? 1 : ROUNDS) && wl_ok(w); r++) {
        const uint32_t candidate = (uint32_t)((uint64_t)wl_random(w) * total >> 32);
        try_candidate(w, &c, coord, candidate, from, to);
        if (!much)
            decide(w, &c, candidate, (double)total / 8);
    }
}

const workload workload_streamcluster = {
    "streamcluster", "gain of opening a median, candidate by candidate", run, {1, 301, 1501}, 37};
