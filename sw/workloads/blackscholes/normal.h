/* The normal distribution by Abramowitz and Stegun 26.2.17. */
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
