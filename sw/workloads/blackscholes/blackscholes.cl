/* Black-Scholes prices of European options. */
#include "normal.h"

__kernel void blackscholes(__global const float *price, __global const float *strike, __global const float *years,
                           __global float *call, __global float *put, float rate, float volatility, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float s = price[i], x = strike[i], t = years[i];
    float spread = volatility * sqrt(t);
    float d1 = (log(s / x) + fma(0.5f * volatility, volatility, rate) * t) / spread;
    float d2 = d1 - spread;
    float later = x * exp(-rate * t);
    float c = s * normal(d1) - later * normal(d2);
    call[i] = c;
    put[i] = c - s + later;
}
