#include <math.h>

#include "sw/workloads/wl.h"

static double normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static void run(wl *w, uint32_t size)
{
    const float rate = 0.02f, volatility = 0.3f;
    const bool vectors = wl_vectors(w);
    const uint32_t n = vectors ? wl_whole(size, 4) : size, threads = vectors ? n / 4 : n;
    float *price = wl_floats(w, n, 5.0f, 100.0f), *strike = wl_floats(w, n, 5.0f, 100.0f),
          *years = wl_floats(w, n, 0.25f, 10.0f);
    float *got = wl_host(w, n, sizeof *got);
    double *call = wl_host(w, n, sizeof *call), *put = wl_host(w, n, sizeof *put);
    for (uint32_t i = 0; i < n; i++) {
        double spread = (double)volatility * sqrt(years[i]);
        double d1 = (log((double)price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread;
        double later = strike[i] * exp(-(double)rate * years[i]);
        call[i] = price[i] * normal(d1) - later * normal(d1 - spread);
        put[i] = call[i] - price[i] + later;
    }

    wl_load(w, NULL);
    vl_ptr s = wl_upload(w, price, n * 4), x = wl_upload(w, strike, n * 4), t = wl_upload(w, years, n * 4);
    vl_ptr c = wl_buffer(w, n * 4), p = wl_buffer(w, n * 4);
    wl_launch(w, vectors ? "blackscholes_vectors" : "blackscholes", wl_range1(threads, wl_local(w)), WL_BUF(s),
              WL_BUF(x), WL_BUF(t), WL_BUF(c), WL_BUF(p), WL_F32(rate), WL_F32(volatility), WL_U32(threads));

  /*
   * A price is a difference of terms up to 100. Each carries the error of the normal distribution: 7.5e-8 by the formula,
   * and up to 0.4 * |error of d1|, which is at most some ulps of the logarithm (|log| <= 3) over the least spread, 0.15:
   * 3 * 2^-23 / 0.15 * 0.4 ~ 1e-6, so about 1e-4 of a price in the worst case. Nothing relative is left after a cancellation.
   */
    wl_read(w, got, c, n * 4);
    wl_near_f32(w, "call", got, call, n, 1e-4, 0.0);
    wl_read(w, got, p, n * 4);
    wl_near_f32(w, "put", got, put, n, 1e-4, 0.0);
}

const workload workload_blackscholes = {"blackscholes", "option prices: exp, log, sqrt", run, {1, 501, 5003}, 93};
