/* The prices of blackscholes.cl, four options a thread that lie together. One after the other, by words: a vector of each of the five arrays would not fit the registers. */
#include "normal.h"

#define PRICE(i)                                                                                                               \
    {                                                                                                                          \
        float s = price[i], x = strike[i], t = years[i];                                                                       \
        float spread = volatility * sqrt(t);                                                                                   \
        float d1 = (log(s / x) + fma(0.5f * volatility, volatility, rate) * t) / spread;                                        \
        float later = x * exp(-rate * t);                                                                                      \
        float c = s * normal(d1) - later * normal(d1 - spread);                                                                \
        call[i] = c;                                                                                                           \
        put[i] = c - s + later;                                                                                                \
    }

__kernel void blackscholes_vectors(__global const float *price, __global const float *strike, __global const float *years,
                                   __global float *call, __global float *put, float rate, float volatility, uint n)
{
    uint i = 4 * get_global_id(0);
    if (get_global_id(0) >= n)
        return;
    PRICE(i)
    PRICE(i + 1)
    PRICE(i + 2)
    PRICE(i + 3)
}
