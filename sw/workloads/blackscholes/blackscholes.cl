/* Black-Scholes prices of European options; the normal distribution by Abramowitz and Stegun 26.2.17. */
float normal(float x)
{
    float k = 1.0f / fma(0.2316419f, fabs(x), 1.0f);
    float p = fma(k, 1.330274429f, -1.821255978f);
    p = fma(k, p, 1.781477937f);
    p = fma(k, p, -0.356563782f);
    p = fma(k, p, 0.319381530f);
    float tail = 0.3989422804f * exp(-0.5f * x * x) * k * p;
    return x > 0.0f ? 1.0f - tail : tail;
}

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
